"""What is worn, rung, thrown as a lure or picked up on the way."""

import pytest

from components import Mood
from engine.creatures.hearing import FIGHTING, WALKING, footfall
from engine.creatures.status_effects import afflict
from engine.items.aiming import aim_of, asks_for_target
from engine.pathfinding.auto_travel import Stop, explore
from engine.state.actions import Move, Refused, Use, Wait
from engine.state.events import Afflicted, FoundDoor, Rang, Threw
from entities.pack import MOST_STACKS
from entities.terrain import Tile
from procgen.blueprint import Point
from render.map.viewport import View, shown
from scenes import scene
from things import bare, first, give, lay, told
from walks import walk

HALL = """
    ################
    #.@....#.......#
    #......+.....o.#
    #......#......>#
    ################
"""


def wearing(kind, drawing=HALL):
    engine = bare(scene(drawing))
    slot = {"ring": "ring", "cloak": "armour", "armour": "armour"}[kind.rpartition("_")[2]]
    engine.world.hero.worn[slot] = give(engine, kind).id
    return engine


@pytest.mark.parametrize(
    ("kind", "loudness"),
    [("shadows_ring", WALKING // 2), ("moss_cloak", WALKING // 2), ("plate_armour", 2 * WALKING)],
)
def test_gear_is_heard_or_not(kind, loudness):
    hero = wearing(kind).world.hero
    assert footfall(hero, Move(1, 0), []).loudness == loudness


def test_keen_eyes_find_doors_from_afar():
    drawing = "########\n#@..S..#\n#...#.>#\n########"
    events = wearing("shadows_ring", drawing).step(Wait())
    assert told(events, FoundDoor)[0].place == (4, 1)


def test_rings_mend_and_keep_from_mending():
    turns = {}
    for kind in ("mending_ring", "embers_ring", "might_ring"):
        engine = wearing(kind, HALL.replace("o", "."))
        engine.world.hero.fighter.hp = 10
        for _ in range(36):
            engine.step(Wait())
        turns[kind] = engine.world.hero.fighter.hp - 10
    assert turns == {"mending_ring": 9, "embers_ring": 0, "might_ring": 4}


def test_a_bell_wakes_and_lures():
    engine = bare(scene(HALL))
    orc = first(engine, "orc")
    orc.mind.mood = Mood.IDLE
    bell = give(engine, "bell")
    assert told(engine.step(Use(bell.id)), Rang)
    assert orc.mind.mood is Mood.SEARCHING
    assert orc.mind.goal == (2, 1)
    assert bell in engine.world.hero.pack


def test_a_decoy_is_gone_for_instead():
    engine = bare(scene(HALL.replace("+", ".")))
    orc = first(engine, "orc")
    orc.mind.mood, orc.mind.attention = Mood.HUNTING, 9
    engine.world.known.append("decoy_scroll")
    scroll = give(engine, "decoy_scroll")
    assert told(engine.step(Use(scroll.id, (5, 3))), Afflicted)
    assert orc.mind.goal == (5, 3)
    assert "invisible" in engine.world.hero.statuses


def test_who_is_telepathic_feels_minds_through_walls():
    engine = bare(scene(HALL))
    world, orc = engine.world, first(engine, "orc")
    assert not shown(world, orc, View())
    afflict(world.hero, "telepathic", 9, lambda event: None)
    assert shown(world, orc, View())


def test_missiles_are_used_by_throwing_them():
    engine = bare(scene(HALL))
    net = give(engine, "net", 2)
    assert asks_for_target(engine.world, net)
    assert aim_of(engine.world, engine.world.hero, net, Point(5, 2)).tiles == ((5, 2),)
    assert engine.step(Use(net.id)) == Refused("needs a target")
    assert told(engine.step(Use(net.id, (5, 2))), Threw)
    assert net.count == 1
    assert FIGHTING > WALKING


def test_exploring_takes_what_it_finds_but_not_what_was_laid_down():
    engine = bare(scene(HALL.replace("o", ".")))
    world = engine.world
    lay(engine, "sword", 12, 2)
    lay(engine, "dagger", 5, 3, letter="q")
    lay(engine, "dart", 6, 1, 2, letter="r")
    assert walk(engine, explore(engine.world))[0] is Stop.EXPLORED
    assert [item.kind for item in world.hero.pack] == ["sword", "dart"]
    assert [item.kind for pile in world.map.items.values() for item in pile] == ["dagger"]


def test_exploring_passes_by_what_there_is_no_room_for():
    engine = bare(scene(HALL.replace("o", ".")))
    for _ in range(MOST_STACKS):
        give(engine, "dagger")
    lay(engine, "sword", 12, 2)
    assert walk(engine, explore(engine.world))[0] is Stop.EXPLORED
    assert engine.world.map.items_at(12, 2)


def test_exploring_ends_where_one_stands_on_what_cannot_be_had():
    engine = bare(scene(HALL.replace("o", ".")))
    assert walk(engine, explore(engine.world))[0] is Stop.EXPLORED
    hero = engine.world.hero
    engine.world.map.set_tile(hero.x, hero.y, Tile.TREASURE)
    assert next(explore(engine.world), None) is None


def test_fires_are_walked_around():
    engine = bare(scene(HALL.replace("o", ".")))
    for y in (1, 2, 3):
        engine.world.map.fires[4, y] = 50
        assert engine.world.map.tiles[y, 4] == Tile.FLOOR
    assert walk(engine, explore(engine.world))[0] is Stop.EXPLORED
    assert engine.world.hero.x < 4
