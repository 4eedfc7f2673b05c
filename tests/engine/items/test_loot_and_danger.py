"""A dangerous level is worth its danger: it holds more items."""

from dataclasses import replace

from engine.items.loot import initial_loot, loot_table
from procgen.build import build
from procgen.level_code import parse_code
from procgen.settings import complete


def test_every_so_many_monsters_there_is_another_item():
    level, each = build(complete(parse_code("rooms:4:3"))), loot_table().monsters_per_item
    few = replace(level, spawns=level.spawns[:1])
    many = replace(level, spawns=level.spawns[:1] * (3 * each))
    nearly = replace(level, spawns=level.spawns[:1] * (3 * each - 1))
    items = [len(initial_loot(one)) for one in (few, nearly, many)]
    assert items == [items[0], items[0] + 2, items[0] + 3]
