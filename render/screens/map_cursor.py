"""Look, travel and aim: a cursor on the map, moved by keys or mouse.

Aiming shows the line of fire and the tiles that will be hit before anything is fired. Path and
tiles come from the same `Aim` that the rules use, so the preview is always right.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
from tcod.console import Console

from engine.combat.targeting import Aim
from engine.pathfinding.known_paths import known_way_down, path_to, player_rules
from engine.pathfinding.threats import enemies_in_view
from engine.terrain.memories import memory_left
from entities.terrain import LOCK_TILES, OPENERS, Tile, tile_mask
from procgen.blueprint import Point
from render.map.place_names import bearing
from render.map.viewport import Viewport
from render.messages.names import creature_name
from render.messages.refusal_messages import refusal_message
from render.panels.examine import examine_lines, short_description
from render.panels.hud import draw_play
from render.screens.reader import Reader
from render.screens.screen import Play, Pop, Reply, Screen
from render.session.item_commands import ItemAim, first_target
from render.session.session import Session
from render.tiles.glyphs import CURSOR, PATH_DOT, TARGET, is_creature_or_item
from render.ui.buttons import Hint, hint, hints_width, write_hints
from render.ui.frame import Frame, Rect, Sprite, as_color
from render.ui.input import Key, Pointer
from render.ui.keymap import command_of, cursor_step, first_key
from render.ui.palette import colors
from render.ui.text import Line, clipped, fill, panel, wrapped_line, write, write_lines

PANEL, LEAST_PANEL = 48, 34
PLACES = (*OPENERS, Tile.CRYSTAL, Tile.SHRINE, Tile.RELIC)
"""Tiles that Tab moves to, besides stairs; with a key it moves to locked doors, too."""
LISTED, LONGEST_TEXT = (Tile.DOOR, *LOCK_TILES, Tile.LEDGE, Tile.TRAP, Tile.TREASURE), 999
"""Further tiles in the list of what is in view, and the most cells of an entry."""


class MapCursor(Screen):
    """A cursor on the map of ``session`` at ``target``; ``aimed`` as in `forecast`, if any."""

    leap = 8  # Tiles by which a run key moves it.

    def __init__(self, session: Session, target: Point, aimed: int | None = None) -> None:
        self.session, self.target, self.aimed = session, target, aimed

    def _draw_scene(self, frame: Frame, scene: Callable[[Frame, str], None]) -> None:
        """Draw the map with the cursor in view; ``scene`` gets a short description of its tile."""
        self.session.view.pointing_at = self.target
        scene(frame, self.describe(*self.target, frame.columns - 2))
        self.session.view.pointing_at = None
        frame.buttons[:] = [at for at in frame.buttons if isinstance(at[1], Pointer)]  # Not keys.

    def pointer(self, pointer: Pointer) -> Reply:
        """Follow the mouse; a click chooses, but not the second click of a double click."""
        if pointer.spot and pointer.kind != "wheel" and not self.is_double_click(pointer):
            self.opened_by, self.session.view.still = None, True
            self._put(*self.session.view.tile(pointer.spot))
            if pointer.kind == "press" and pointer.button == "left":
                return self._choose()
        return None

    def describe(self, x: int, y: int, width: int) -> str:
        """Return what is at (x, y), and where if there is room, in about ``width`` cells."""
        text = short_description(self.session, x, y, width, self.aimed)
        name, comma, more = text.partition(",")
        forms = (f"{name}, {self._where(x, y, brief=at)}{comma}{more}" for at in (False, True))
        return next((form for form in forms if len(form) <= width), text)

    def _where(self, x: int, y: int, *, brief: bool = False) -> str:
        """Return distance and direction of (x, y) from the hero."""
        hero = self.session.run.state.hero
        return bearing(x - hero.x, y - hero.y, brief=brief)

    def _choose(self) -> Reply:
        """Choose the tile under the cursor."""
        return Pop()

    def spots(self) -> list[Point]:
        """Return the places that Tab leads to: those of the monsters in view, nearest first."""
        return [Point(foe.x, foe.y) for foe in enemies_in_view(self.session.run.state)]

    def _next(self, step: int = 1) -> Point:
        """Return the place ``step`` further than the cursor in `spots`, maybe the same."""
        places = self.spots() or [self.target]
        here = places.index(self.target) if self.target in places else -1
        return places[(here + step) % len(places)]

    def key(self, key: Key) -> Reply:
        """Move the cursor, or do what else the key stands for."""
        self.session.view.still = False
        if push := cursor_step(key, self.leap):
            self._put(self.target.x + push[0], self.target.y + push[1])
        elif key.name == "tab":
            self.target = self._next(-1 if key.shift else 1)
        else:
            return self._command(key)
        return None

    def _command(self, key: Key) -> Reply:
        """Do what a key stands for that does not move the cursor."""

    def _put(self, x: int, y: int) -> None:
        game_map = self.session.run.state.map
        x, y = max(0, min(x, game_map.width - 1)), max(0, min(y, game_map.height - 1))
        self.target = Point(x, y)


class ChooseTile(MapCursor):
    """A cursor on the map; ``chosen`` is called with the chosen tile, None to only look.

    ``scene`` draws the map and a line of text; by default the play screen is drawn. Without a
    ``target`` the cursor begins on the hero or, to look, on the nearest monster.
    """

    def __init__(
        self,
        session: Session,
        title: str,
        chosen: Callable[[int, int], Reply] | None,
        scene: Callable[[Frame, str], None] | None = None,
        target: tuple[int, int] | None = None,
    ) -> None:
        hero = session.run.state.hero
        super().__init__(session, Point(hero.x, hero.y))
        self.title, self.chosen = title, chosen
        self._scene = scene or (lambda frame, hover: draw_play(frame, session, hover))
        if target:
            self._put(*target)
        elif chosen is None and enemies_in_view(session.run.state):
            self.target = self._next()

    def draw(self, frame: Frame) -> None:
        """Draw the map with the cursor, the path to it, and what is there."""
        state, view = self.session.known_state, self.session.view
        view.path = path_to(state, self.target, player_rules(state)) if self.chosen else []
        # What a look shows in its panel is not repeated in the foot line.
        self._draw_scene(frame, self._scene if self.chosen else lambda it, _: self._scene(it, ""))
        _draw_cursor(frame, view, self.target)
        view.path = []
        fill(frame.text, Rect(0, 0, frame.columns, 1), "panel")
        x = write(frame.text, 1, 0, self.title, "accent") + 2
        hints = [hint("menu", "choose", "go there")] if self.chosen else []
        hints.append(hint("menu", "back", "back"))
        if (spot := self._next()) != self.target:
            thing = short_description(self.session, *spot).partition(",")[0]
            named = f"{thing}, {self._where(*spot)}"
            count = f"next of {places}: " if (places := len(self.spots())) > 1 else "next: "
            room = frame.columns - x - 1 - hints_width([*hints, Hint("tab", count)])
            name = named if len(named) <= room else clipped(thing, room)
            hints.insert(-1, Hint("tab", count + name if room > 3 else "next"))
        write_hints(frame, x, 0, hints, frame.columns - x - 1)
        if self.chosen is None and frame.map_rect and frame.map:
            self._panel(frame, frame.map_rect, frame.map)

    def _panel(self, frame: Frame, area: Rect, console: Console) -> None:
        """Describe the tile in full beside the cursor, where it hides neither that nor the hero."""
        columns, room, sides = [self.target.x, self.session.run.state.hero.x], 0.0, (0.0, 0.0)
        while columns and room < LEAST_PANEL:  # Where there is too little room, it hides the hero.
            offsets = [x - self.session.view.left + 0.5 - console.width / 2 for x in columns]
            sides = min(offsets), -max(offsets)
            room = area.width / 2 + (max(sides) - 0.5) * frame.tile[0]
            columns.pop()
        width = min(PANEL, area.width // 2, int(room))
        lines = examine_lines(self.session, *self.target, width - 6)
        lines.insert(1, [(f"{self._where(*self.target).capitalize()}.", "dim")])
        height = min(len(lines) + 4, area.height)
        # Beside the cursor, since at 80x24 the text on a monster fills most of the map's height.
        x = area.x if sides[0] > sides[1] else area.x + area.width - width
        inner = panel(frame, Rect(x, area.y, width, height))
        write_lines(frame.text, inner.x, inner.y, lines[: inner.height])

    def _command(self, key: Key) -> Reply:
        """Go to known stairs (not in a replay, which tells of no keys), choose, or go back."""
        command = command_of("play", key)
        if command in {"descend", "climb"} and self.session.hints is None:
            self.target = known_stairs(self.session, command) or self.target
        elif command_of("menu", key) == "choose" or key.name in {"_", "."}:
            return self._choose()
        elif command_of("menu", key) == "back" or command == "look":
            return Pop()
        return None

    def _choose(self) -> Reply:
        chosen, target = self.chosen, self.target
        return Pop(lambda _: chosen(*target)) if chosen else Pop()

    def spots(self, tiles: Sequence[int] = PLACES) -> list[Point]:
        """Return the places of monsters, items, stairs, a memory, a ghost and ``tiles``, each once.

        They are the known ones when travelling, those in sight and known stairs when looking.
        """
        state, game_map = self.session.run.state, self.session.known_state.map
        known = game_map.explored if self.chosen else game_map.visible
        here = Point(state.hero.x, state.hero.y)
        tiles = (*tiles, Tile.LOCKED_DOOR) if game_map.keys else tiles
        goal, memory = game_map.goal if game_map.goal_found else None, memory_left(game_map)
        marks = (goal, game_map.exit, game_map.start, memory, self.session.view.ghost)
        inside = [spot for spot in marks if spot and game_map.contains(*spot)]
        places = [Point(x, y) for y, x in np.argwhere(tile_mask(tiles)[game_map.tiles]).tolist()]
        inside += sorted(places, key=lambda spot: math.dist(spot, here))
        far = game_map.explored  # Stairs are looked at from afar, too.
        goals = [at for at in inside if known[at.y, at.x] or (at in marks[1:3] and far[at.y, at.x])]
        targets = [Point(creature.x, creature.y) for creature in enemies_in_view(state)]
        targets += [Point(x, y) for x, y in game_map.shown_items() if known[y, x]]
        spots = dict.fromkeys([*goals, *targets] if self.chosen else [*targets, *goals])
        return [spot for spot in spots if spot != here]


def list_in_view(look: ChooseTile) -> Reader:
    """Return a list of what is here and in view, and of known stairs, nearest first."""
    hero = look.session.run.state.hero
    spots = [Point(hero.x, hero.y), *look.spots((*PLACES, *LISTED))]
    spots.sort(key=lambda at: max(abs(at.x - hero.x), abs(at.y - hero.y)))

    def lines(width: int) -> list[Line]:
        rows: list[Line] = [[(look.describe(*at, LONGEST_TEXT), "text")] for at in spots]
        return [part for row in rows for part in wrapped_line(row, width)]

    return Reader("In view", lines)


def known_stairs(session: Session, command: str) -> Point | None:
    """Return the known stairs to which ``descend`` or ``climb`` leads; if none are, say so."""
    state, down = session.known_state, command == "descend"
    place = known_way_down(state) if down else state.map.start
    if not down and state.map.is_infinite:
        session.answer("No stairs lead up from here.")
    elif place is None or not state.map.explored[place.y, place.x]:
        unseen = f"any stairs {'down' if down else 'up'}"
        if down and state.map.goal and not state.map.goal_known:
            unseen = "the First Seed or any stairs down"
        session.answer(f"You have not seen {unseen} yet: {first_key('play', 'explore')} explores.")
    else:
        return place
    return None


class AimScreen(MapCursor):
    """A target cursor with path and blast area; ``done`` is called with the chosen tile.

    The keys that open this screen also fire: pressing ``f`` twice shoots at the nearest.
    """

    leap = 4

    def __init__(
        self, session: Session, shot: ItemAim, done: Callable[[Point], Reply], foe: int | None
    ) -> None:
        super().__init__(session, first_target(session.run.state, shot, foe), shot.power)
        self.shot, self.done = shot, done

    def draw(self, frame: Frame) -> None:
        """Draw the map, the path, the tiles hit, and a description of the tile under the cursor."""
        session, view = self.session, self.session.view
        aim = self.shot.aim_at(self.target)
        self._draw_scene(frame, lambda frame, hover: draw_play(frame, session, hover))
        why = refusal_message(aim.why) if aim.why else self._why_it_misses(aim) or self.shot.warning
        if frame.map is not None:
            _draw_aim(frame.map, view, aim, "bad" if self.shot.harmful else "good")
        here = Point(session.run.state.hero.x, session.run.state.hero.y)
        color = "text" if aim.why and self.target == here else "bad"  # It may open on the hero.
        misses = bool(why) and color == "bad"
        _draw_cursor(frame, view, self.target, CURSOR if why else TARGET, misses=misses)
        warning = "You would hit yourself!" if self.shot.harmful and here in aim.tiles else ""
        self._banner(frame, f"{why} {warning}".strip(), color, allowed=not aim.why)

    def _why_it_misses(self, aim: Aim) -> str:
        """Return why a missile would not reach the target, "" if it would; a seed is no missile."""
        if not (aim.tiles and self.shot.harmful) or self.target in (*aim.tiles, *aim.path):
            return ""
        for creature in self.session.run.state.map.entities_in_view():
            if Point(creature.x, creature.y) in aim.tiles:
                return f"{creature_name(creature.kind, start=True)} is in the way."
        return "It won't fly that far."

    def _banner(self, frame: Frame, why: str, color: str, *, allowed: bool) -> None:
        fill(frame.text, Rect(0, 0, frame.columns, 1), "panel")
        title = f"{self.shot.verb.capitalize()} {self.shot.name}"
        x = write(frame.text, 1, 0, title, "accent", frame.columns // 2) + 2
        explains = not (why or self.shot.harmful)  # Written in the colour of the tint.
        text, color = ("Tinted tiles may change.", "good") if explains else (why, color)
        if text:
            x = write(frame.text, x, 0, text, color, frame.columns - x - 1) + 2
        hints = [hint("menu", "choose", self.shot.verb)] if allowed else []
        roams = self._next() != self.target and not self.shot.here
        hints += [Hint("tab", "next monster")] if roams else []
        hints.append(hint("menu", "back", "cancel"))
        # To the right: one that is clicked must not become another under the mouse.
        x = max(x, frame.columns - 1 - hints_width(hints))
        write_hints(frame, x, 0, hints, frame.columns - x - 1)

    def _command(self, key: Key) -> Reply:
        """Fire, or cancel."""
        fires = command_of("play", key) in {"fire", "throw", "use"}
        if fires or command_of("menu", key) == "choose" or key.name in {".", "space"}:
            return None if key.repeat else self._choose()
        return self.back() if command_of("menu", key) == "back" else None

    def back(self) -> Reply:
        """Cancel and close all lists: after `Pop`, the next key could use an item of a list."""
        return Play()

    def _choose(self) -> Reply:
        """Fire, if the target is allowed."""
        return None if self.shot.aim_at(self.target).why else self.done(self.target)


def _draw_aim(console: Console, view: Viewport, aim: Aim, hit: str) -> None:
    """Tint the path, and the tiles hit in the colour ``hit``; creatures stay visible."""
    shades = colors()
    for points, color in ((aim.path, "accent"), (aim.tiles, hit)):
        for point in points:
            if (cell := view.cell_on(console, point)) is None:
                continue
            # Blend in little of the ground: red over blue water would become grey.
            ground, share = (0.8, 0.22) if color == "accent" else (0.2, 0.6)
            lit = zip(as_color(cell["bg"]), shades[color], strict=True)
            cell["bg"] = tuple(round(ground * a + share * b) for a, b in lit)
            if color == "accent" and not is_creature_or_item(int(cell["ch"])):
                cell["ch"], cell["fg"] = PATH_DOT, shades["accent"]


def _draw_cursor(
    frame: Frame, view: Viewport, target: Point, code: int = CURSOR, *, misses: bool = False
) -> None:
    """Draw the cursor with this code point; mark a creature or item by its background instead."""
    cell = None if frame.map is None else view.cell_on(frame.map, target)
    color = colors()["bad" if misses else "accent"]
    if cell is not None and is_creature_or_item(int(cell["ch"])):
        cell["bg"] = colors()["faint" if misses else "bar_full"]
        # A window uses a background only to tint the ground, which is too faint to find the cursor.
        frame.sprites.append(Sprite(CURSOR, color, target.x - view.left, target.y - view.top))
    elif cell is not None:
        cell["ch"], cell["fg"] = code, color
