"""A dangerous level is worth its danger: it holds more items, and bosses drop good ones."""

from collections import Counter
from dataclasses import replace

from engine.items.loot import WITH_BONUS, boss_treasure, initial_loot, loot_table
from entities.item_kinds import item_kinds
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


def test_equipment_that_a_boss_drops_is_never_plain():
    level, bonuses = build(complete(parse_code("rooms:4:4"))), {True: set(), False: set()}
    for seed in range(40):
        prize = boss_treasure(replace(level, code=replace(level.code, seed=seed)), "warlord")
        bonuses[item_kinds()[prize.kind].item_class in WITH_BONUS].add(prize.bonus)
    assert bonuses == {True: {3}, False: {0}}


def test_a_boss_carries_what_most_heroes_have_not_worn_since_the_second_depth():
    level, kinds = build(complete(parse_code("rooms:4:8"))), Counter()
    for seed in range(200):
        prize = boss_treasure(replace(level, code=replace(level.code, seed=seed)), "broodmother")
        kinds[item_kinds()[prize.kind].item_class] += 1
    assert set(kinds) == {"wand", "ring", "armour"}
    assert kinds["wand"] + kinds["ring"] > 2 * kinds["armour"]
