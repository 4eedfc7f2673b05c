"""Worlds drawn as text: `@` the hero, where the level starts, `>` the exit, letters creatures."""

from dataclasses import replace

import numpy as np

from engine.creatures.levelling import experience_of
from engine.engine import Engine
from engine.levels.dungeon import Dungeon
from engine.levels.populate import give_starting_kit
from engine.state.game_map import GameMap
from engine.state.game_state import GameState, LevelSource, NoLevel, Transition
from engine.state.run_setup import Mode, RunSetup, Stratum
from entities.creature_kinds import creature_kinds, make_creature
from entities.light_levels import LIT
from entities.terrain import Tile, terrain
from procgen.blueprint import Point, Spawn
from procgen.level import Level
from procgen.level_code import LevelCode

ROOM = """
    ######
    #....#
    #.@..#
    #...>#
    ######
"""
ROOMS = (Stratum(1, {"rooms": 1}),)
"""Strata of a scored adventure whose levels are all of one recipe."""
_KINDS = {kind.glyph: name for name, kind in reversed(creature_kinds().items())}
"""Creatures by glyph; a kind added later with the glyph of another changes no drawing."""
_TILES = {kind.char: number for number, kind in enumerate(terrain().kinds)}


def level_of(drawing: str, depth: int = 1) -> Level:
    """Return the level that ``drawing`` shows."""
    rows = [row.strip() for row in drawing.strip().splitlines()]
    tiles = np.full((len(rows), len(rows[0])), Tile.FLOOR, np.uint8)
    start, exit_, spawns = None, None, []
    for y, row in enumerate(rows):
        for x, char in enumerate(row):
            if char == "@":
                start = Point(x, y)
            elif char == ">":
                exit_ = Point(x, y)
            elif char in _KINDS:
                spawns.append(Spawn(_KINDS[char], x, y))
            else:
                tiles[y, x] = _TILES[char]
    code = LevelCode("rooms", 1, 7, depth, tiles.shape[1], tiles.shape[0])
    start, exit_ = start or Point(0, 0), exit_ or Point(0, 0)
    return Level(code, "stone", tiles, (), start, exit_, tuple(spawns), (), ())


class DrawnLevels(Dungeon):
    """The levels of ``drawings``, deepest last, for tests that build none; the first is depth 1."""

    def __init__(self, *drawings: str) -> None:
        super().__init__(RunSetup(1, "1"))
        self._levels = [level_of(text, depth) for depth, text in enumerate(drawings, 1)]

    def visit(self, state: GameState, code: str) -> Transition:
        depth = next((n for n, one in enumerate(self._levels, 1) if str(one.code) == code), 0)
        return self._go(state, depth)

    def _go(self, state: GameState, depth: int) -> Transition:
        if not 0 < depth <= len(self._levels):
            raise NoLevel(f"no level is drawn for depth {depth}")
        level, upward = self._levels[depth - 1], depth < state.depth
        state.map = GameMap(level)
        state.place_hero(level.exit if upward else level.start)
        return Transition(upward=upward)

    def descend(self, state: GameState, choice: int = 0) -> Transition:
        return self._go(state, state.depth + 1)

    def level_choices(self, state: GameState) -> list[LevelCode]:
        return [state.code]

    def climb(self, state: GameState) -> Transition:
        return self._go(state, state.depth - 1)

    fall = descend


def scene(
    drawing: str,
    *,
    workshop: bool = False,
    seed: int = 7,
    levels: LevelSource | None = None,
    light: str = LIT,
) -> Engine:
    """Return an engine whose map is the one drawn; its stairs lead to ``levels``."""
    mode = Mode.WORKSHOP if workshop else Mode.ADVENTURE
    level = replace(level_of(drawing), light=light)
    setup = RunSetup(seed, str(seed), mode, "rooms" if workshop else None, strata=ROOMS)
    state = GameState(setup, levels or Dungeon(setup), GameMap(level))
    state.next_id = 500
    give_starting_kit(state.hero, state.new_id)
    experience_of(state.hero).talents.append("hunter")  # A background whose items are not needed.
    _stand_as_drawn(state, level)
    state.place_hero(level.start)
    state.next_id = 1000
    return Engine(state)


def _stand_as_drawn(state: GameState, level: Level) -> None:
    """Put every monster awake where the drawing shows it."""
    for number, spawn in enumerate(level.spawns, 1):
        state.map.add_entity(make_creature(spawn.kind, number, spawn.x, spawn.y))


def drawn(engine: Engine) -> str:
    """Return the world as text, everything in it shown."""
    game_map = engine.state.map
    rows = [list(row) for row in terrain().text(game_map.tiles)]
    if game_map.exit != (0, 0):
        rows[game_map.exit.y][game_map.exit.x] = ">"
    for creature in game_map.entities.values():
        rows[creature.y][creature.x] = creature_kinds()[creature.kind].glyph
    return "\n".join("".join(row) for row in rows)


def picture(text: str) -> str:
    """Return a drawing without its indentation, to compare."""
    return "\n".join(row.strip() for row in text.strip().splitlines())


def kinds(events: list) -> list[type]:
    """Return what sorts of event came, in order."""
    return [type(event) for event in events]
