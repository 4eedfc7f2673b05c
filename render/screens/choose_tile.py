"""Look and travel: a cursor on the map, moved by keys or mouse."""

from collections.abc import Callable

from engine.pathfinding.known_paths import path_to
from engine.pathfinding.threats import enemies_in_view
from render.panels.examine import examine_lines, short_description
from render.panels.hud import draw_play
from render.screens.screen import Pop, Reply, Screen
from render.session.session import Session
from render.tiles.glyphs import CURSOR, is_creature_or_item
from render.ui.buttons import Hint, hint, write_hints
from render.ui.frame import Frame, Rect
from render.ui.input import Key, Pointer
from render.ui.keymap import command_of, cursor_step
from render.ui.palette import colors
from render.ui.text import fill, panel, write, write_lines

LEAP = 8
PANEL = 48


class ChooseTile(Screen):
    """A cursor on the map; ``chosen`` gets the tile that was chosen, None to only look.

    ``scene`` draws the map and a line of text; the play screen's drawing, if not given.
    """

    def __init__(
        self,
        session: Session,
        title: str,
        chosen: Callable[[int, int], Reply] | None,
        scene: Callable[[Frame, str], None] | None = None,
    ) -> None:
        self.session = session
        self.title = title
        self.chosen = chosen
        self._scene = scene or (lambda frame, hover: draw_play(frame, session, hover))
        hero = session.run.state.hero
        self.x, self.y = hero.x, hero.y
        self._snaps = 0
        if chosen is None and enemies_in_view(session.run.state):
            self._snap()

    def draw(self, frame: Frame) -> None:
        """Draw the map with the cursor, the path to it, and what is there."""
        state, view = self.session.run.state, self.session.view
        view.pointing_at = (self.x, self.y)
        view.path = path_to(state, (self.x, self.y)) if self.chosen else []
        self._scene(frame, short_description(self.session, self.x, self.y))
        view.pointing_at = None
        frame.buttons.clear()  # The hints of play don't work here.
        if frame.map is not None:
            cell = view.cell_on(frame.map, (self.x, self.y))
            if cell is not None:
                if is_creature_or_item(int(cell["ch"])):
                    cell["bg"] = colors()["bar_full"]
                else:
                    cell["ch"], cell["fg"] = CURSOR, colors()["accent"]
        view.path = []
        hints = [hint("menu", "choose", "go there")] if self.chosen else []
        further = "next stairs, monster or item" if self.chosen else "next monster or item"
        hints += [Hint("tab", further)] if self._spots() else []
        hints.append(hint("menu", "back", "back"))
        fill(frame.text, Rect(0, 0, frame.columns, 1), "panel")
        x = write(frame.text, 1, 0, self.title, "accent") + 2
        write_hints(frame, x, 0, hints, frame.columns - x - 1)
        if self.chosen is None and frame.map_rect:
            self._panel(frame, frame.map_rect)

    def _panel(self, frame: Frame, area: Rect) -> None:
        """Describe the tile in full, in the half of the map that the cursor is not in."""
        width = min(PANEL, area.width - 2)
        lines = examine_lines(self.session, self.x, self.y, width - 6)
        height = min(len(lines) + 4, area.height)
        low = (self.y - self.session.view.top) * frame.tile[1] > area.height / 2
        y = area.y if low else area.y + area.height - height
        rect = Rect(area.x + area.width - width, y, width, height)
        inner = panel(frame, rect)
        write_lines(frame.text, inner.x, inner.y, lines[: inner.height])

    def key(self, key: Key) -> Reply:
        """Move the cursor, choose, or go back."""
        if push := cursor_step(key, LEAP):
            self._put(self.x + push[0], self.y + push[1])
            return None
        if key.name == "tab":
            self._snap()
            return None
        if command_of("menu", key) == "choose" or key.name in {"_", "."}:
            return self._choose()
        if command_of("menu", key) == "back" or command_of("play", key) == "look":
            return Pop()
        return None

    def pointer(self, pointer: Pointer) -> Reply:
        """Follow the mouse; a click chooses."""
        if pointer.spot:
            self._put(*self.session.view.tile(pointer.spot))
            if pointer.kind == "press":
                return self._choose()
        return None

    def _choose(self) -> Reply:
        if self.chosen is None:
            return Pop()
        chosen, x, y = self.chosen, self.x, self.y
        return Pop(lambda _: chosen(x, y))

    def _put(self, x: int, y: int) -> None:
        game_map = self.session.run.state.map
        self.x = max(0, min(x, game_map.width - 1))
        self.y = max(0, min(y, game_map.height - 1))

    def _spots(self) -> list[tuple[int, int]]:
        """Return where monsters in view stand and items lie; to travel also what is remembered."""
        state, known = self.session.run.state, self.session.run.state.map.visible
        goals: list[tuple[int, int]] = []
        if self.chosen:
            known = state.map.explored
            marks = [state.map.beacon if state.map.beacon_found else None]
            marks += [state.map.exit, state.map.start]
            inside = [spot for spot in marks if spot and state.map.contains(*spot)]
            here = state.hero.x, state.hero.y
            goals = [spot for spot in inside if known[spot[1], spot[0]] and spot != here]
        foes = [(creature.x, creature.y) for creature in enemies_in_view(state)]
        return [*goals, *foes, *(spot for spot in state.map.items if known[spot[1], spot[0]])]

    def _snap(self) -> None:
        """Move the cursor to the next of these places."""
        if spots := self._spots():
            self.x, self.y = spots[self._snaps % len(spots)]
            self._snaps += 1
