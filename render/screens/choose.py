"""Pointing at a tile with keys or mouse: to look, to travel."""

from collections.abc import Callable

from engine.journeys import enemies_in_view
from engine.paths import path_to
from render.draw import fill, write
from render.frame import Frame, Rect
from render.glyphs import CURSOR
from render.hud import described, draw_play
from render.inputs import Key, Pointer
from render.keys import DIRECTIONS, command
from render.palette import colors
from render.screen import Pop, Reply, Screen
from render.session import Session

LEAP = 8


class ChooseTile(Screen):
    """A cursor on the map; ``chosen`` answers the tile, or nothing if it is only looked at.

    ``scene`` draws what lies below the cursor and says what is there; play, if not given.
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
        hero = session.run.world.hero
        self.x, self.y = hero.x, hero.y
        self._snaps = 0

    def draw(self, frame: Frame) -> None:
        """Draw play with the cursor, the way to it, and what is there."""
        world, view = self.session.run.world, self.session.view
        view.looking_at = (self.x, self.y)
        view.path = path_to(world, (self.x, self.y)) if self.chosen else []
        self._scene(frame, described(self.session, self.x, self.y))
        view.looking_at = None
        if frame.map is not None:
            column, row = self.x - view.left, self.y - view.top
            if 0 <= column < frame.map.width and 0 <= row < frame.map.height:
                cell = frame.map.rgb[row, column]
                if 0x20 < cell["ch"] < 0x7F:  # a creature keeps its letter
                    cell["bg"] = colors()["bar_full"]
                else:
                    cell["ch"], cell["fg"] = CURSOR, colors()["accent"]
        view.path = []
        enter = "Enter goes there · " if self.chosen else ""
        text = f" {self.title}  {enter}Tab next creature · Esc goes back "
        fill(frame.text, Rect(0, 0, min(frame.columns, len(text) + 2), 1), "line")
        write(frame.text, 1, 0, text, "accent")

    def key(self, key: Key) -> Reply:
        """Move the cursor, choose, or leave."""
        direction, far = command("move", key), 1
        if not direction:
            direction, far = command("run", key), LEAP
        if direction:
            dx, dy = DIRECTIONS[direction]
            self._put(self.x + far * dx, self.y + far * dy)
            return None
        if key.name == "tab":
            self._snap()
            return None
        if command("menu", key) == "choose" or key.name in {"_", "."}:
            return self._choose()
        if command("menu", key) == "back" or command("play", key) == "look":
            return Pop()
        return None

    def pointer(self, pointer: Pointer) -> Reply:
        """Follow the mouse; choose by pressing, leave by the right button."""
        if pointer.kind == "press" and pointer.button == "right":
            return Pop()
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
        game_map = self.session.run.world.map
        self.x = max(0, min(x, game_map.width - 1))
        self.y = max(0, min(y, game_map.height - 1))

    def _snap(self) -> None:
        """Put the cursor on the next creature in view."""
        seen = enemies_in_view(self.session.run.world)
        if seen:
            creature = seen[self._snaps % len(seen)]
            self._snaps += 1
            self.x, self.y = creature.x, creature.y
