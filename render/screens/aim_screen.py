"""Aiming: shows the line of fire and the tiles that will be hit before anything is let fly.

Path and tiles come from the same `ItemAim` that the rules use, so the preview cannot lie.
"""

from collections.abc import Callable

from tcod.console import Console

from engine.combat.targeting import Aim, foes_in_view
from procgen.blueprint import Point
from render.map.viewport import Viewport
from render.messages.names import creature_name
from render.messages.refusal_messages import refusal_message
from render.panels.examine import short_description
from render.panels.hud import draw_play
from render.screens.screen import Play, Reply, Screen
from render.session.item_commands import ItemAim, first_target
from render.session.session import Session
from render.tiles.glyphs import CURSOR, PATH_DOT, TARGET, is_creature_or_item
from render.ui.buttons import Hint, hint, write_hints
from render.ui.frame import Frame, Rect, as_color
from render.ui.input import Key, Pointer
from render.ui.keymap import bindings, command_of, cursor_step
from render.ui.palette import colors
from render.ui.text import fill, write

LEAP = 4


class AimScreen(Screen):
    """A target cursor with path and blast area; ``done`` gets the tile that was chosen.

    The commands of play in ``keys`` fire, too: pressing ``f`` twice shoots at the nearest.
    """

    def __init__(
        self,
        session: Session,
        shot: ItemAim,
        done: Callable[[Point], Reply],
        keys: tuple[str, ...] = ("fire", "throw", "use"),
        foe: int | None = None,
    ) -> None:
        self.session, self.shot, self.done, self.keys = session, shot, done, keys
        self.target = first_target(session.run.state, shot, foe)

    def draw(self, frame: Frame) -> None:
        """Draw the map, the path, the tiles hit, and what is under the cursor."""
        session, view = self.session, self.session.view
        fall = self.shot.fall(self.target)
        view.pointing_at = self.target
        draw_play(frame, session, short_description(session, *self.target))
        view.pointing_at = None
        frame.buttons.clear()  # The hints of play don't work here.
        why = refusal_message(fall.why) if fall.why else self._astray(fall)
        if frame.map is not None:
            color = "bad" if self.shot.harmful else "good"
            _draw_aim(frame.map, view, self.target, fall, color, astray=bool(why))
        hero = session.run.state.hero
        hit = self.shot.harmful and (hero.x, hero.y) in fall.tiles
        near = "You would hit yourself!" if hit else ""
        self._banner(frame, f"{why} {near}".strip())

    def _astray(self, fall: Aim) -> str:
        """Return why the missile would not reach the target, empty if it would."""
        if not fall.tiles or self.target in (*fall.tiles, *fall.path):
            return ""
        for creature in self.session.run.state.map.entities_in_view():
            if Point(creature.x, creature.y) in fall.tiles:
                return f"{creature_name(creature.kind, start=True)} is in the way."
        return "It won't fly that far."

    def _banner(self, frame: Frame, why: str) -> None:
        fill(frame.text, Rect(0, 0, frame.columns, 1), "panel")
        x = write(frame.text, 1, 0, self.shot.title, "accent", frame.columns // 2) + 2
        if why:
            x = write(frame.text, x, 0, why, "bad", frame.columns - x - 1) + 2
        hints = [
            hint("menu", "choose", "fire" if self.shot.harmful else "plant"),
            hint("menu", "back", "cancel"),
            *([Hint("tab", "next monster")] if self._foes() else []),
        ]
        write_hints(frame, x, 0, hints, frame.columns - x - 1)

    def key(self, key: Key) -> Reply:
        """Move the cursor, fire, or cancel."""
        if push := cursor_step(key, LEAP):
            self._put(self.target.x + push[0], self.target.y + push[1])
            return None
        if key.name == "tab":
            self._next(-1 if key.shift else 1)
            return None
        lets_go = any(str(key) in bindings()["play"][name].keys for name in self.keys)
        if lets_go or command_of("menu", key) == "choose" or key.name in {".", "space"}:
            return None if key.repeat else self._release()
        return self.back() if command_of("menu", key) == "back" else None

    def back(self) -> Reply:
        """Cancel. Not Pop: below may lie a list of items, where the next key would use one."""
        return Play()

    def pointer(self, pointer: Pointer) -> Reply:
        """Follow the mouse; a click fires."""
        if pointer.spot and pointer.kind != "wheel":
            self._put(*self.session.view.tile(pointer.spot))
            if pointer.kind == "press":
                return self._release()
        return None

    def _release(self) -> Reply:
        """Fire, if the target is allowed."""
        return None if self.shot.fall(self.target).why else self.done(self.target)

    def _put(self, x: int, y: int) -> None:
        game_map = self.session.run.state.map
        x, y = max(0, min(x, game_map.width - 1)), max(0, min(y, game_map.height - 1))
        self.target = Point(x, y)

    def _foes(self) -> list[Point]:
        state = self.session.run.state
        return [Point(foe.x, foe.y) for foe in foes_in_view(state.map, state.hero)]

    def _next(self, step: int) -> None:
        """Aim at the next hostile monster in view, the nearest first."""
        if places := self._foes():
            here = places.index(self.target) if self.target in places else -1
            self.target = places[(here + step) % len(places)]


def _draw_aim(
    console: Console, view: Viewport, target: Point, fall: Aim, hit: str, *, astray: bool
) -> None:
    """Tint the path, and the tiles hit in the colour ``hit``; creatures stay visible."""
    shades = colors()
    for points, color in ((fall.path, "accent"), (fall.tiles, hit)):
        for point in points:
            cell = view.cell_on(console, point)
            if cell is None:
                continue
            # Blend in little of the ground: red over blue water would turn out grey.
            ground, share = (0.8, 0.22) if color == "accent" else (0.2, 0.6)
            lit = zip(as_color(cell["bg"]), shades[color], strict=True)
            cell["bg"] = tuple(round(ground * a + share * b) for a, b in lit)
            if color == "accent" and not is_creature_or_item(int(cell["ch"])):
                cell["ch"], cell["fg"] = PATH_DOT, shades["accent"]
    cell = view.cell_on(console, target)
    if cell is not None:
        if is_creature_or_item(int(cell["ch"])):
            cell["bg"] = shades["faint"] if astray else shades["bar_full"]
        else:
            cell["ch"] = CURSOR if astray else TARGET
            cell["fg"] = shades["faint"] if astray else shades["accent"]
