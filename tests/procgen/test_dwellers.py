"""Monsters know the place they live in, guards can guard, and locks are worth opening."""

import tomllib
from collections import Counter

import numpy as np
import pytest
import scipy.ndimage

from engine.items.loot import find_loot_places, initial_loot
from engine.monsters.initial_monsters import initial_monsters
from entities.creature_kinds import IMMOBILE, Hiding, creature_kinds
from entities.data_files import DATA, DataError
from entities.item_kinds import item_kinds
from entities.terrain import Tile, terrain, tile_mask
from procgen import level_overlays
from procgen.analysis.distances import distances, reachable
from procgen.blueprint import Blueprint, Point
from procgen.build import build
from procgen.infinite.infinite_caves import infinite_caves
from procgen.infinite.wilderness import wilderness
from procgen.level_code import parse_code
from procgen.level_overlays import dwellers
from procgen.placement.lairs import place_guards, place_lair
from procgen.placement.monster_placement import is_steady, pick_kind
from procgen.placement.safe_placement import FreeFloor
from procgen.rng import Rng
from procgen.settings import complete
from procgen.world_types import world_types

UNDEAD = {"ghoul", "skeleton", "shade", "necromancer", "vampire", "banshee"}
FIERY = {"salamander", "demon"}
SEEDS = range(12)
TABLE = tomllib.loads((DATA / "dwellers.toml").read_text("utf-8"))
MAKERS = {"endless_caves": infinite_caves, "wilds": wilderness}


def level_of(code):
    return build(complete(parse_code(code)))


def with_result(growth):
    """Yield what ``growth`` yields, and at last, as a tuple, what it returns."""
    yield ((yield from growth),)


def dwellers_of(recipe, depth, seeds=SEEDS):
    """Return the monsters of levels of a recipe, counted by kind."""
    levels = (level_of(f"{recipe}:{seed}:{depth}") for seed in seeds)
    return Counter(monster.kind for level in levels for monster in initial_monsters(level))


@pytest.mark.parametrize("depth", range(1, 16))
@pytest.mark.parametrize("theme", [*TABLE, "crypt+ice", "coast+ember"])
def test_every_place_has_monsters_at_every_depth(theme, depth):
    plan = Blueprint.solid(20, 15, depth)
    plan.spawn_percents = dwellers(theme)
    for deeper in (0, 2):
        picked = {pick_kind(plan, Rng(seed), deeper) for seed in range(30)}
        assert picked.isdisjoint(kind for kind, n in plan.spawn_percents.items() if n == 0)
    for suits in (
        lambda it: is_steady(it) and it.traits.doors,
        lambda it: is_steady(it) and it.traits.pack[1] > 1,
    ):
        assert suits(creature_kinds()[pick_kind(plan, Rng(1), suits=suits)])


def test_the_dead_keep_to_crypts_and_fire_to_ember_and_neither_likes_the_other():
    crypts, caves = dwellers_of("crypt", 7, range(4)), dwellers_of("caves", 7)
    assert sum(crypts[kind] for kind in UNDEAD) > 0.4 * crypts.total()
    assert sum(caves[kind] for kind in UNDEAD) < 0.25 * caves.total()
    assert not any(crypts[kind] for kind in ("bull", "centaur", "salamander"))
    ember, ice = dwellers_of("ember", 11), dwellers_of("glacier", 10)
    assert sum(ember[kind] for kind in FIERY) > 0.15 * ember.total()
    assert ice["salamander"] == ember["hag"] == 0
    assert ice["hag"] > 0.08 * ice.total()
    frozen = dwellers_of("garden+frozen", 9)
    assert frozen["salamander"] == 0 < frozen["hag"]


@pytest.mark.parametrize("world", ["endless_caves", "wilds"])
def test_an_infinite_world_has_the_dwellers_of_its_theme(world):
    percents = dwellers(world_types()[world].theme)
    never = {kind for kind, percent in percents.items() if percent == 0}
    monsters = set()
    for cx in range(2):
        *_, (chunk,) = with_result(MAKERS[world](3, cx, 9))
        monsters |= {spawn.kind for spawn in chunk.spawns}
    assert len(monsters) > 10
    assert monsters.isdisjoint(never)


def test_the_palette_of_an_overlay_comes_before_the_theme_it_lies_on(monkeypatch):
    table = {"crypt": {"ghoul": 300, "hag": 20}, "ice": {"hag": 500, "salamander": 0}}
    monkeypatch.setattr(level_overlays, "read_entries", lambda *_: table)
    both = {"ghoul": 300, "hag": 500, "salamander": 0}
    assert dwellers.__wrapped__("crypt+ice") == both
    assert dwellers.__wrapped__("crypt") == table["crypt"]


def test_a_percent_of_an_unknown_theme_or_kind_is_refused_by_name(monkeypatch):
    for table, words in (
        ({"crypts": {"rat": 5}}, "'crypts'"),
        ({"crypt": {"rats": 5}}, r"\[crypt\].*'rats'"),
        ({"crypt": {"warlord": 5}}, r"\[crypt\].*'warlord'"),
        ({"crypt": {"bat": 5, "rat": -5}}, r"\[crypt\]: rat: a percent is at least 0"),
    ):
        monkeypatch.setattr(level_overlays, "read_entries", lambda *_, table=table: table)
        with pytest.raises(DataError, match=words):
            dwellers.__wrapped__("crypt")


@pytest.mark.parametrize("depth", [1, 3, 6, 9, 12])
def test_guards_open_doors_and_neither_hide_nor_run_nor_come_in_fours_if_they_live_alone(depth):
    for seed in range(60):
        plan = Blueprint.solid(24, 18, depth)
        plan.tiles[3:12, 3:14] = Tile.FLOOR
        plan.start, plan.exit = (20, 15), (21, 15)
        spots = [(x, y) for y in range(3, 12) for x in range(3, 14)]
        site = type("Site", (), {"middle": (8, 7), "spots": spots})()
        settled = place_guards(plan, FreeFloor(plan), site, Rng(seed), 4)
        (name,) = {spawn.kind for spawn in plan.spawns}
        kind = creature_kinds()[name]
        assert kind.behaviour not in (*IMMOBILE, "thief", "mender", "summoner", "erratic")
        assert kind.traits.doors
        assert kind.traits.hides is Hiding.NOWHERE
        assert settled == len(plan.spawns) == (4 if kind.traits.pack[1] > 1 else 2)


@pytest.mark.parametrize("depth", [1, 4, 8, 12, 30])
def test_a_lair_has_a_leader_and_a_pack_of_one_kind_that_neither_hides_nor_roots(depth):
    kinds = creature_kinds()
    for seed in range(60):
        plan = Blueprint.solid(30, 20, depth)
        plan.tiles[3:17, 3:27] = Tile.FLOOR
        steps = distances(plan.open, 26, 16)
        assert place_lair(plan, Rng(seed), Point(6, 6), steps, 5, minions=0) == 5
        leader, follower, *others = (kinds[spawn.kind] for spawn in plan.spawns)
        assert all(other is follower for other in others)
        assert follower.traits.pack[1] > 1
        for kind in (leader, follower):
            assert kind.behaviour not in IMMOBILE
            assert kind.traits.hides is Hiding.NOWHERE


def behind_locks(level):
    """Return the tiles that cannot be walked to from the start before a lock is open."""
    walkable = terrain().walkable[level.tiles]
    return walkable & ~reachable(walkable, *level.start)


@pytest.mark.parametrize("recipe", ["mission", "sunken_mission", "fortress_mission"])
def test_what_lies_behind_the_locks_of_a_mission_is_inhabited_and_stocked_like_the_rest(recipe):
    ground, monsters, items = np.zeros(2), np.zeros(2), np.zeros(2)
    for seed in range(16):
        level = level_of(f"{recipe}:{seed}:6")
        far = behind_locks(level)
        ground += np.count_nonzero(far), np.count_nonzero(terrain().walkable[level.tiles] & ~far)
        for spawn in level.spawns:
            monsters[int(not far[spawn.y, spawn.x])] += 1
        for item in initial_loot(level):
            items[int(not far[item.y, item.x])] += 1
    for number in (monsters, items):
        density = number / ground
        assert 0.6 < density[0] / density[1] < 2.5


def test_secret_rooms_hold_something():
    rooms = stocked = 0
    for seed in range(30):
        level = level_of(f"digger:{seed}:2")
        far = behind_locks(level)
        shut, count = scipy.ndimage.label(far)
        places = {(item.x, item.y) for item in initial_loot(level)}
        doors = scipy.ndimage.binary_dilation(tile_mask((Tile.SECRET_DOOR,))[level.tiles])
        for number in range(1, count + 1):
            room = shut == number
            if (room & doors).any():
                rooms += 1
                stocked += any(room[y, x] for x, y in places)
    assert rooms > 5
    assert stocked == rooms


def test_gear_behind_locks_is_never_worse_than_plain():
    seen = []
    for seed in range(40):
        level = level_of(f"interior:{seed}:3")
        rooms = find_loot_places(level, Rng(1), ()).locked
        places = {place for room in rooms for place in room}
        for item in initial_loot(level):
            kind = item_kinds()[item.kind].item_class
            if (item.x, item.y) in places and kind in ("weapon", "armour"):
                seen.append(item.bonus)
    assert len(seen) > 8
    assert min(seen) >= 0 < max(seen)


def test_gargoyles_stand_among_statues_where_there_are_any():
    near = 0
    monsters = 0
    for seed in range(24):
        level = level_of(f"hypostyle:{seed}:9")
        statues = scipy.ndimage.binary_dilation(level.tiles == Tile.STATUE, np.ones((3, 3)))
        for monster in initial_monsters(level):
            if monster.kind == "gargoyle" and statues.any():
                monsters += 1
                near += bool(statues[monster.y, monster.x])
    assert monsters > 8
    assert near > 0.6 * monsters


@pytest.mark.parametrize("recipe", ["crypt", "garden", "temple", "caves", "labyrinth"])
def test_gold_does_not_always_bite(recipe):
    gold = mimics = 0
    for seed in range(12):
        level = level_of(f"{recipe}:{seed}:6")
        heaps = level.tiles == Tile.TREASURE
        gold += np.count_nonzero(heaps)
        mimics += sum(one.kind == "mimic" for one in initial_monsters(level))
    assert gold > 2 * mimics


def test_a_garden_is_no_hospital():
    shrines = [np.count_nonzero(level_of(f"garden:{n}:6").tiles == Tile.SHRINE) for n in SEEDS]
    assert max(shrines) <= 1


def test_no_hunter_is_a_little_slower_than_the_hero():
    """The hero could count its steps and strike it only on the turns it loses."""
    slow = {name: kind for name, kind in creature_kinds().items() if 80 < kind.speed < 100}
    assert not [name for name, kind in slow.items() if kind.behaviour == "hunter"]
