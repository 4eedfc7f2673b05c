"""Previews of the levels that the stairs down offer: figures, and their description."""

from collections import Counter

import numpy as np
from msgspec import Struct

from engine.creatures.levelling import experience_value
from engine.items.loot import items_of
from engine.monsters.initial_monsters import initial_monsters
from engine.state.game_map import DARK
from entities.creature_kinds import creature_kinds
from entities.item_kinds import item_kinds
from entities.terrain import LOCK_TILES, TILES, Tile, openable_mask
from entities.wording import pluralise
from procgen.analysis.bitboard import Bitboard
from procgen.blueprint import STANDARD_AREA
from procgen.level import Level
from procgen.metrics import LazyMetrics
from render.messages.names import plural


class LevelPreview(Struct, frozen=True):
    """Figures of a level on offer, counted on the finished level.

    * ``way`` is the number of steps from the start to the exit with every door open.
    * ``loops`` is the number of independent loops per 80x45 tiles, not counting pillars.
    * ``water`` and ``lava`` are shares of all tiles; ``gold`` and ``traps`` are counts of tiles.
    * ``items`` counts the items that lie there, stacks as one.
    * ``monsters`` is the number of initial monsters by kind, the most numerous first.
    * ``seeds`` are the names of the seeds among the items, in order.
    """

    light: str
    way: int
    loops: float
    water: float
    lava: float
    locks: int
    gold: int
    traps: int
    items: int
    monsters: dict[str, int]
    seeds: list[str] = []


def level_preview(level: Level) -> LevelPreview:
    """Return the figures of ``level``."""
    counts = np.bincount(level.tiles.ravel(), minlength=len(TILES))
    size, items = level.tiles.size, [item_kinds()[item.kind] for item in items_of(level)]
    return LevelPreview(
        light=level.light,
        way=Bitboard.of(openable_mask()[level.tiles]).steps(level.start, level.exit),
        loops=LazyMetrics(level).loops * STANDARD_AREA / size,
        water=float(counts[Tile.WATER] + counts[Tile.SHALLOWS]) / size,
        lava=float(counts[Tile.LAVA]) / size,
        locks=int(counts[list(LOCK_TILES)].sum()),
        gold=int(counts[Tile.TREASURE]),
        traps=int(counts[Tile.TRAP]),
        items=len(items),
        monsters=dict(Counter(monster.kind for monster in initial_monsters(level)).most_common()),
        seeds=sorted(kind.name for kind in items if kind.seed),
    )


SHORT_WAY, LONG_WAY = 65, 115
"""Steps to the exit: about a fifth of all levels have fewer, and a fifth have more."""
FEW_LOOPS, MANY_LOOPS = 2, 12
MUCH_WATER, MUCH_LAVA = 0.1, 0.05
MUCH_GOLD, MANY_TRAPS = 10, 5
NAMED_KINDS = 6
"""The greatest number of kinds of monster that are named."""


def preview_text(preview: LevelPreview) -> str:
    """Return what a level is like: the way through it, its dangers, and who lives there."""
    steps = pluralise(preview.way, "step")
    length = "short" if preview.way < SHORT_WAY else "long" if preview.way > LONG_WAY else ""
    way = f"A {length} way through ({steps})" if length else f"{steps} through"
    return ". ".join([", ".join([way, *_features(preview)]), _inhabitants(preview)]) + "."


def _features(preview: LevelPreview) -> list[str]:
    loops, locks, items = preview.loops, preview.locks, pluralise(preview.items, "item")
    seeds = ", ".join(_counted(*it) for it in Counter(preview.seeds).items())
    features = {
        "few loops": loops < FEW_LOOPS,
        "many loops": loops > MANY_LOOPS,
        "dark": preview.light == DARK,
        "a lot of water": preview.water > MUCH_WATER,
        "a lot of lava": preview.lava > MUCH_LAVA,
        "many traps": preview.traps > MANY_TRAPS,
        "one lock": locks == 1,
        f"{locks} locks": locks > 1,
        "a lot of gold": preview.gold > MUCH_GOLD,
        f"{items} ({seeds})" if seeds else items: preview.items > 0,
    }
    return [text for text, true in features.items() if true]


def _inhabitants(preview: LevelPreview) -> str:
    """Return how many monsters live there and the kinds most dangerous together, bosses first."""
    kinds, counts = creature_kinds(), preview.monsters
    danger = {name: many * experience_value(name) for name, many in counts.items()}
    order = sorted(counts, key=lambda name: (not kinds[name].lair, -danger[name]))
    named = [
        kinds[name].name if kinds[name].lair else _counted(kinds[name].name, counts[name])
        for name in order[:NAMED_KINDS]
    ]
    rest = sum(counts[name] for name in order[NAMED_KINDS:])
    more = f" and {pluralise(rest, 'other')}" if rest else ""
    many = sum(counts.values())
    return f"{pluralise(many, 'monster')}: {', '.join(named)}{more}" if many else "No monsters"


def _counted(name: str, number: int) -> str:
    return f"{number} {plural(name) if number > 1 else name}"
