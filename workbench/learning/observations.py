"""Observations for agents: the hero's knowledge as arrays or as text; the names of all numbers."""

from collections.abc import Iterable
from copy import copy
from string import ascii_lowercase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.bots.discrete_actions import pack_slots
from engine.creatures.levelling import experience_of
from engine.state.events import Event
from engine.state.game_map import is_disguised
from engine.state.game_state import GameState
from engine.state.identification import is_identified
from entities.creature_kinds import creature_kinds
from entities.equipment import defense_of, power_of
from entities.item_kinds import item_classes, item_kinds
from entities.pack import MOST_STACKS
from entities.statuses import status_kinds
from entities.terrain import TILE_NAMES, Tile, terrain
from procgen.analysis.distances import DIRECTIONS
from procgen.blueprint import Point, paste_clipped
from render.map.place_names import compass_direction
from render.map.viewport import Viewport, is_shown, visible_level
from render.messages.message_log import turn_messages, witnessed
from render.messages.names import item_phrase, stacked_refs
from render.panels.morgue import map_rows
from render.panels.sidebar import state_of

HEIGHT, WIDTH = 45, 80
"""Rows and columns of the map; for a larger level it is the part around the hero."""
VIEW_RADIUS = 10
"""Tiles of the view on each side of the hero."""
SIDE = 2 * VIEW_RADIUS + 1
PLANES = ("tile", "visible", "creature", "item")
TILES = ("unknown", *TILE_NAMES, "stairs up", "stairs down")
WALKABLE = (False, *terrain().walkable.tolist(), True, True)
TRANSPARENT = (False, *terrain().transparent.tolist(), True, True)
"""True for the numbers of tiles that can be walked on, and of those that can be seen through."""
CREATURES = ("none", *creature_kinds())
ITEMS = ("none", *(f"unknown {name}" for name in item_classes()), *item_kinds())
PLANE_NAMES = dict(zip(PLANES, (TILES, ("no", "yes"), CREATURES, ITEMS), strict=True))
"""The names of the numbers in each plane."""
PACK = ("item", "count", "bonus", "charges", "worn")
FIGURES = (
    *("hp", "max_hp", "power", "defense", "x", "y", "depth", "deepest", "turn"),
    *("level", "experience", "gold", "keys"),
    *status_kinds(),
)
"""The hero's figures: x and y on the observed map; for each status the turns left."""
ACTIONS = (
    *(f"move {compass_direction(*way)}" for way in DIRECTIONS),
    *("wait", "struggle", "pick up", "climb", "plant"),
    *("descend 1", "descend 2", "descend 3", "fire", "learn 1", "learn 2", "learn 3"),
    *(f"{verb} {letter}" for verb in ("use", "throw", "drop") for letter in ascii_lowercase),
)
"""The names of the actions by number."""
KINDS = ("map", "view", "figures", "pack", "text")
LONGEST_TEXT = 20_000
_SHOWN = bytearray(range(1, len(TILE_NAMES) + 1)).ljust(256, b"\0")
_SHOWN[Tile.SECRET_DOOR] = Tile.WALL + 1
"""The number in `TILES` of each tile's look; `bytes.translate` is the quickest look-up."""
_CREATURE = {name: number for number, name in enumerate(CREATURES)}
_ITEM = {name: number for number, name in enumerate(ITEMS)}

Observation = dict[str, Any]
"""Arrays and texts by the names of `KINDS`."""


class Observer:
    """Makes observations of some of the `KINDS`; what has not changed is cached."""

    def __init__(self, kinds: Iterable[str]) -> None:
        self._kinds = tuple(kinds)
        self._ground: tuple[Any, NDArray[np.uint8]] = None, np.zeros((0, 0, 0), np.uint8)
        self._known: tuple[Any, NDArray[np.uint8]] = None, np.zeros((0, 0, 0), np.uint8)
        self._pack: tuple[Any, NDArray[np.int32]] = None, np.zeros((0, 0), np.int32)

    def space(self) -> Any:
        """Return the `spaces.Dict` of observations with these kinds."""
        from gymnasium import spaces  # noqa: PLC0415 - the names of numbers do not need it

        highest = [len(names) - 1 for names in PLANE_NAMES.values()]
        found: dict[str, spaces.Space[Any]] = {
            "figures": spaces.Box(-(10**9), 10**9, (len(FIGURES),), np.int32),
            "pack": spaces.Box(-99, 9999, (MOST_STACKS, len(PACK)), np.int32),
            "text": spaces.Text(LONGEST_TEXT, charset="".join(map(chr, [10, *range(32, 127)]))),
        }
        for name, sides in (("map", (HEIGHT, WIDTH)), ("view", (SIDE, SIDE))):
            high = np.stack([np.full(sides, most, np.uint8) for most in highest])
            found[name] = spaces.Box(np.zeros_like(high), high, dtype=np.uint8)
        return spaces.Dict({kind: found[kind] for kind in self._kinds})

    def observe(self, state: GameState, events: Iterable[Event]) -> Observation:
        """Return the observation of ``state``; its text includes the messages of ``events``."""
        kinds, corner = self._kinds, _window_corner(state)
        found: Observation = {}
        if "map" in kinds or "view" in kinds:
            planes = self._planes(state, corner)
            if "map" in kinds:
                found["map"] = planes
            if "view" in kinds:
                found["view"] = _view(planes, state.hero.x - corner.x, state.hero.y - corner.y)
        if "figures" in kinds:
            found["figures"] = _figures(state, corner)
        if "pack" in kinds:
            found["pack"] = self._pack_table(state)
        if "text" in kinds:
            found["text"] = text_of(state, events)
        return found

    def _planes(self, state: GameState, corner: Point) -> NDArray[np.uint8]:
        """Return the `PLANES` of the window at ``corner`` as a new array, uint8 [plane, y, x]."""
        game_map = state.map
        part = np.s_[corner.y : corner.y + HEIGHT, corner.x : corner.x + WIDTH]
        seen = game_map.visible[part]
        height, width = seen.shape
        statues = [(foe.x, foe.y) for foe in game_map.entities.values() if is_disguised(foe)]
        edits = game_map.tile_edits, game_map.item_edits, len(state.identified_kinds)
        changes = game_map, edits, statues
        marks = *changes, game_map.discoveries, corner
        if self._known[0] != marks:
            if self._ground[0] != changes:
                self._ground = changes, _ground_planes(state)
            planes = np.zeros((len(PLANES), HEIGHT, WIDTH), np.uint8)
            inner = planes[::3, :height, :width]
            explored = game_map.explored[part].view(np.uint8)
            np.multiply(self._ground[1][:, *part], explored, out=inner)
            self._known = marks, planes
        planes = self._known[1].copy()
        planes[1, :height, :width] = seen
        telepathic = "telepathic" in state.hero.statuses
        for creature in game_map.entities.values() if telepathic else game_map.entities_in_view():
            column, row = creature.x - corner.x, creature.y - corner.y
            if 0 <= column < width and 0 <= row < height:
                planes[2, row, column] = _CREATURE[creature.kind]
        return planes

    def _pack_table(self, state: GameState) -> NDArray[np.int32]:
        """Return `_pack` as a new array; it is computed again only if the pack has changed."""
        items, worn = state.hero.inventory, state.hero.equipment
        known = len(state.identified_kinds)
        if self._pack[0] != (state, items, worn, known):
            # Copies, because the rules change items in place.
            self._pack = (state, list(map(copy, items)), copy(worn), known), _pack(state)
        return self._pack[1].copy()


def _view(planes: NDArray[np.uint8], x: int, y: int) -> NDArray[np.uint8]:
    """Return the part of ``planes`` around (x, y), with unknown tiles beyond the edges."""
    view = np.zeros((len(PLANES), SIDE, SIDE), np.uint8)
    onto, part = np.moveaxis(view, 0, -1), np.moveaxis(planes, 0, -1)
    paste_clipped(onto, part, VIEW_RADIUS - x, VIEW_RADIUS - y)
    return view


def _ground_planes(state: GameState) -> NDArray[np.uint8]:
    """Return the planes tile and item of the whole level, known or not, as uint8 [plane, y, x]."""
    game_map = state.map
    looks = np.frombuffer(visible_level(state).tiles.tobytes().translate(_SHOWN), np.uint8)
    planes = np.stack([looks.reshape(game_map.tiles.shape), np.zeros_like(game_map.tiles)])
    for number, place in enumerate((game_map.start, game_map.exit), len(TILES) - 2):
        if game_map.contains(*place):
            planes[0, place.y, place.x] = number
    for (x, y), pile in game_map.shown_items().items():
        planes[1, y, x] = _item_number(state, pile[-1].kind)
    return planes


def _window_corner(state: GameState) -> Point:
    """Return the upper left tile of the part of the level in the observation ``map``."""
    height, width = state.map.tiles.shape
    left = min(max(0, state.hero.x - WIDTH // 2), max(0, width - WIDTH))
    top = min(max(0, state.hero.y - HEIGHT // 2), max(0, height - HEIGHT))
    return Point(left, top)


def _item_number(state: GameState, kind: str) -> int:
    known = is_identified(state, kind)
    return _ITEM[kind if known else f"unknown {item_kinds()[kind].item_class}"]


def _figures(state: GameState, corner: Point) -> NDArray[np.int32]:
    """Return int32 [figure of `FIGURES`]."""
    hero, growth = state.hero, experience_of(state.hero)
    found = [hero.fighter.hp, hero.fighter.max_hp, power_of(hero), defense_of(hero)]
    found += [hero.x - corner.x, hero.y - corner.y, state.depth, state.deepest, state.turn]
    found += [growth.level, growth.points, state.gold, state.map.keys]
    found += [hero.statuses.get(name, 0) for name in status_kinds()]
    return np.array(found, np.int32)


def _pack(state: GameState) -> NDArray[np.int32]:
    """Return int32 [slot, figure of `PACK`]; bonus and charges only of identified items."""
    table = np.zeros((MOST_STACKS, len(PACK)), np.int32)
    worn = state.hero.equipment.values()
    for slot, item in pack_slots(state).items():
        bonus, charges = (item.bonus, item.charges) if item.identified else (0, 0)
        table[slot] = _item_number(state, item.kind), item.count, bonus, charges, item.id in worn
    return table


def known_things(state: GameState) -> dict[str, list[dict[str, Any]]]:
    """Return ``creatures``, nearest first, and ``items`` as a player knows them, with places."""
    (left, top), game_map, hero = _window_corner(state), state.map, state.hero
    shown = [who for who in game_map.entities.values() if is_shown(state, who, Viewport())]
    creatures = [
        {"name": creature_kinds()[who.kind].name, "x": who.x - left, "y": who.y - top}
        | {"hp": who.fighter.hp, "max_hp": who.fighter.max_hp, "state": state_of(who)[0]}
        for who in sorted(shown, key=hero.distance_to)
        if who is not hero
    ]
    items = [
        {"name": item_phrase(ref), "x": x - left, "y": y - top}
        for (x, y), pile in game_map.shown_items().items()
        if game_map.explored[y, x]
        for ref in stacked_refs(state, reversed(pile))
    ]
    return {"creatures": creatures, "items": items}


def text_of(state: GameState, events: Iterable[Event], *, monsters: bool = True) -> str:
    """Return ASCII text: the messages of ``events``, a line of figures, and the map's rows.

    The map is the part of the level in the observation ``map``, so that the figures x and y are
    column and row in it, with ``monsters`` or only the ground; unknown tiles are blank.
    """
    corner = _window_corner(state)
    messages = " ".join(text for text, _ in turn_messages(witnessed(list(events), state), state))
    figures = zip(FIGURES, _figures(state, corner).tolist(), strict=True)
    line = ", ".join(f"{name} {value}" for name, value in figures if value)
    rows = map_rows(state, monsters=monsters)[corner.y : corner.y + HEIGHT]
    known = "\n".join(row.ljust(state.map.width)[corner.x : corner.x + WIDTH] for row in rows)
    text = f"{messages[: LONGEST_TEXT // 2]}\n{line}\n{known}"
    return text.encode("ascii", "replace").decode()
