"""Previews of the levels that the stairs down offer: what they are like, in words."""

from collections import Counter

import numpy as np

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

SHORT_WAY, LONG_WAY = 65, 115
"""Steps to the exit: about a fifth of all levels have fewer, and a fifth have more."""
FEW_LOOPS, MANY_LOOPS = 2, 12
"""Independent loops per `STANDARD_AREA`, not counting those around pillars."""
MUCH_WATER, MUCH_LAVA = 0.1, 0.05
"""Shares of all tiles."""
MUCH_GOLD, MANY_TRAPS = 10, 5
NAMED_KINDS = 6
"""The greatest number of kinds of monster that are named."""


def preview_text(level: Level) -> str:
    """Return what ``level`` is like: the way through it, its dangers, and who lives there."""
    way = Bitboard.of(openable_mask()[level.tiles]).steps(level.start, level.exit)
    length = "short" if way < SHORT_WAY else "long" if way > LONG_WAY else ""
    steps = pluralise(way, "step")
    way_out = f"A {length} way to the exit ({steps})" if length else f"{steps} to the exit"
    return ". ".join([", ".join([way_out, *_features(level)]), _inhabitants(level)]) + "."


def _features(level: Level) -> list[str]:
    tiles, size = np.bincount(level.tiles.ravel(), minlength=len(TILES)), level.tiles.size
    loops, locks = LazyMetrics(level).loops * STANDARD_AREA / size, tiles[list(LOCK_TILES)].sum()
    kinds = [item_kinds()[item.kind] for item in items_of(level)]
    lying = Counter(sorted(kind.name for kind in kinds if kind.seed))
    items, seeds = pluralise(len(kinds), "item"), ", ".join(map(_counted, lying, lying.values()))
    features = {
        "few ways around": loops < FEW_LOOPS,
        "many ways around": loops > MANY_LOOPS,
        "dark": level.light == DARK,
        "a lot of water": tiles[Tile.WATER] + tiles[Tile.SHALLOWS] > MUCH_WATER * size,
        "a lot of lava": tiles[Tile.LAVA] > MUCH_LAVA * size,
        "many traps": tiles[Tile.TRAP] > MANY_TRAPS,
        "one lock": locks == 1,
        f"{locks} locks": locks > 1,
        "a lot of gold": tiles[Tile.TREASURE] > MUCH_GOLD,
        f"{items} ({seeds})" if seeds else items: bool(kinds),
    }
    return [text for text, true in features.items() if true]


def _inhabitants(level: Level) -> str:
    """Return how many monsters live there and the kinds most dangerous together, bosses first."""
    kinds, monsters = creature_kinds(), (monster.kind for monster in initial_monsters(level))
    counts = dict(Counter(monsters).most_common())
    danger = {name: many * experience_value(name) for name, many in counts.items()}
    order = sorted(counts, key=lambda name: (not kinds[name].lair, -danger[name]))
    most = NAMED_KINDS + (len(order) == NAMED_KINDS + 1)  # The name of a single kind is as short.
    named = [
        kinds[name].name if kinds[name].lair else _counted(kinds[name].name, counts[name])
        for name in order[:most]
    ]
    rest = sum(counts[name] for name in order[most:])
    more = f" and {pluralise(rest, 'other')}" if rest else ""
    many = sum(counts.values())
    return f"{pluralise(many, 'monster')}: {', '.join(named)}{more}" if many else "No monsters"


def _counted(name: str, number: int) -> str:
    return f"{number} {plural(name) if number > 1 else name}"
