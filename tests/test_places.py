"""What places do: traps that can be seen, locks with their keys, light, and unrest."""

from collections import Counter

import numpy as np
import pytest

from components import Mood
from engine.actions import Climb, Descend, Move, Refused, Unlock, Wait
from engine.brains.senses import Senses
from engine.engine import Engine
from engine.events import Arrived, Hunted, Rang, Sprung, Stirred, TookKey, Unlocked, Vanished
from engine.noise import footfall
from engine.paths import path_to
from engine.records.state import capture, pack, restore, unpack
from engine.setup import Mode, Setup, pinned
from engine.sight import light_of, sight
from engine.traps import SPRINGS, trap_at
from engine.unrest import MOST_HUNTERS, Unrest, quiet_for, unrest, until_worse
from engine.ways import Ways
from engine.world import World
from entities.data import DATA, DataError
from entities.lights import LIT, lights
from entities.terrain import Tile
from entities.traps import traps
from procgen.code import LevelCode
from render.palette import themes
from scenes import drawn, level_of, scene

LANE = """
    ##########
    #........#
    #@x......#
    #.......>#
    ##########
"""


def kinds(events):
    return [type(event) for event in events]


def trodden(name, monkeypatch, drawing=LANE, **hero):
    monkeypatch.setattr("engine.traps.trap_at", lambda *_: name)
    engine = scene(drawing)
    for field, value in hero.items():
        setattr(engine.world.hero, field, value)
    return engine, engine.step(Move(1, 0))


@pytest.mark.parametrize("name", traps())
def test_every_trap_goes_off_once_and_says_so(name, monkeypatch):
    engine, events = trodden(name, monkeypatch)
    assert [e.trap for e in events if isinstance(e, Sprung)] == [name]
    if traps()[name].spring != "fall":
        assert "x" not in drawn(engine)


def test_traps_do_what_their_data_say(monkeypatch):
    hero = trodden("dart", monkeypatch)[0].world.hero
    assert 2 <= hero.fighter.max_hp - hero.fighter.hp <= 5
    for name, trap in traps().items():
        if trap.status:
            engine, _ = trodden(name, monkeypatch)
            assert trap.status in engine.world.hero.statuses
    engine, events = trodden("shift", monkeypatch)
    assert Vanished in kinds(events)
    assert (engine.world.hero.x, engine.world.hero.y) != (2, 2)
    engine, events = trodden("fall", monkeypatch)
    assert Arrived in kinds(events)
    assert (engine.world.depth, engine.world.deepest) == (2, 2)
    assert 1 in engine.world.remembered
    assert engine.world.map.walkable[engine.world.hero.y, engine.world.hero.x]


def test_an_alarm_is_heard_by_all(monkeypatch):
    engine, events = trodden(
        "alarm",
        monkeypatch,
        """
        ##########
        #@x..#.oo#
        #....#####
        #.......>#
        ##########
    """,
    )
    assert Rang in kinds(events)
    orcs = [one for one in engine.world.map.entities.values() if one.mind]
    assert all(orc.mind.mood in (Mood.SEARCHING, Mood.HUNTING) for orc in orcs)


def test_spores_reach_those_around(monkeypatch):
    engine, _ = trodden(
        "spores",
        monkeypatch,
        """
        ##########
        #@x.o...o#
        #.......>#
        ##########
    """,
    )
    near, far = [one for one in engine.world.map.entities.values() if one.mind]
    assert "confused" in near.statuses
    assert "confused" not in far.statuses


def test_a_light_foot_is_heard_half_as_far():
    engine = scene(LANE)
    hero = engine.world.hero
    loud = footfall(hero, Move(1, 0), []).loudness
    hero.growth.talents.append("lightfoot")
    assert footfall(hero, Move(1, 0), []).loudness == loud // 2


def test_who_floats_or_treads_lightly_sets_nothing_off(monkeypatch):
    engine, events = trodden("dart", monkeypatch, statuses={"levitating": 9})
    assert Sprung not in kinds(events)
    assert "x" in drawn(scene(LANE))
    engine = scene(LANE)
    engine.world.hero.growth.talents.append("lightfoot")
    assert Sprung not in kinds(engine.step(Move(1, 0)))


def test_a_plate_is_of_the_same_kind_for_ever_and_journeys_go_round_it():
    code = LevelCode("rooms", 1, 7, 3, 80, 45)
    found = [trap_at(code, x, 5) for x in range(200)]
    assert found == [trap_at(code, x, 5) for x in range(200)]
    assert len(set(found)) > 4
    assert set(SPRINGS) == {trap.spring for trap in traps().values()}
    assert {trap_at(LevelCode("rooms", 1, 7, 1, 80, 45), x, 5) for x in range(200)} <= {
        name for name, trap in traps().items() if trap.weight(1)
    }
    engine = scene(LANE)
    assert (2, 2) not in path_to(engine.world, (3, 2))[:-1]


VAULT = """
    #########
    #@?.].$.#
    #...#####
    #......>#
    #########
"""


def test_a_lock_wants_its_key():
    engine = scene(VAULT)
    before = engine.world.digest()
    assert engine.step(Unlock(1, 0)) == Refused("nothing to unlock")
    engine.world.map.move_entity(engine.world.hero, 3, 1)
    assert engine.step(Move(1, 0)) == Refused("locked")
    engine.world.map.move_entity(engine.world.hero, 1, 1)
    assert engine.world.digest() == before
    assert TookKey in kinds(engine.step(Move(1, 0)))
    assert engine.world.map.keys == 1
    engine.step(Move(1, 0))
    assert Unlocked in kinds(engine.step(Move(1, 0)))
    assert drawn(engine).splitlines()[1] == "#..@+.$.#"
    assert engine.world.map.keys == 0
    assert isinstance(engine.step(Unlock(1, 0)), Refused)
    for _ in range(3):
        engine.step(Move(1, 0))
    assert engine.world.gold > 0


def test_keys_in_hand_are_kept_with_their_level():
    world = World(pinned(Setup(5, "5", Mode.ADVENTURE)))
    before = world.digest()
    world.map.keys = 2
    assert world.digest() != before
    assert restore(world.setup, unpack(pack(capture(world)))).map.keys == 2
    world.map.move_entity(world.hero, *world.map.nearest_free(*world.map.exit))
    world.go(world.map.level, world.map.start)
    assert world.map.keys == 2


def test_every_light_is_of_themes_that_exist_and_most_places_are_lit():
    for light in lights().values():
        assert set(light.themes) <= themes().keys()
    found = Counter(
        light_of(LevelCode("caves", 1, seed, depth, 80, 45), "moss")
        for seed in range(60)
        for depth in (1, 5)
    )
    assert set(found) == {LIT, "dark"}
    assert found[LIT] > found["dark"] > 5
    assert not any(
        light_of(LevelCode("caves", 1, seed, 1, 80, 45), "moss") == "dark" for seed in range(99)
    )


def test_in_the_dark_one_sees_little_but_what_glows(monkeypatch):
    drawing = """
        ##############
        #@...........#
        #......m.....#
        #...........>#
        ##############
    """
    lit = scene(drawing).world
    monkeypatch.setattr("engine.game_map.light_of", lambda *_: "dark")
    dark = scene(drawing).world
    assert dark.map.seen.sum() < lit.map.seen.sum()
    assert dark.map.seen[2, 7]
    assert dark.map.seen[1, 4]
    assert not dark.map.seen[3, 11]
    assert not (dark.map.seen & ~lit.map.seen).any()
    hero = dark.hero
    assert sight(hero, "dark") < sight(hero, LIT) < sight(hero, "bright")
    hero.growth.talents.append("nightwise")
    assert sight(hero, "dark") == sight(hero, LIT)
    hero.statuses["blind"] = 3
    assert sight(hero, "bright") == 1
    dark.look()
    assert dark.map.seen.sum() <= 9


def test_the_dark_hides_from_both_sides(monkeypatch):
    drawing = """
        ##############
        #@......o....#
        #............#
        #...........>#
        ##############
    """
    lit = scene(drawing)
    monkeypatch.setattr("engine.game_map.light_of", lambda *_: "dark")
    dark = scene(drawing)
    aglow = scene(drawing)
    aglow.world.map.glow[:] = True
    for engine, seen in ((lit, True), (dark, False), (aglow, True)):
        orc = next(one for one in engine.world.map.entities.values() if one.mind)
        assert Senses(engine.world, Ways(engine.world.map)).sees(orc) is seen


def quiet_world(seed=4):
    """Return an engine on a real level with nobody else on it."""
    engine = Engine(World(pinned(Setup(seed, str(seed), Mode.ADVENTURE, "rooms"))))
    for creature in [one for one in engine.world.map.entities.values() if one.mind]:
        engine.world.map.remove_entity(creature)
    return engine


def test_whoever_lingers_is_hunted_ever_more():
    engine = quiet_world()
    world = engine.world
    told, hunters, stages = [], [], {}
    quiet = quiet_for(world)
    assert until_worse(world) == quiet
    while world.map.lingered < quiet + 1000:
        events = engine.step(Wait())
        told += [e.unrest for e in events if isinstance(e, Stirred)]
        new = [e.who.id for e in events if isinstance(e, Hunted)]
        hunters += new
        stages[unrest(world)] = stages.get(unrest(world), 0) + len(new)
        assert sum(one.called_up for one in world.map.entities.values()) <= MOST_HUNTERS
        for number in [n for n in list(world.map.entities) if n]:
            world.map.remove_entity(world.map.entities[number])
        world.hero.fighter.hp = 32
    assert told == ["stirring", "hunted", "besieged"]
    assert stages[Unrest.QUIET] == 0
    assert stages[Unrest.STIRRING] <= stages[Unrest.BESIEGED]
    assert len(hunters) > 5
    assert until_worse(world) is None


def test_hunters_come_by_the_stairs_find_their_quarry_and_teach_nothing():
    engine = quiet_world()
    world = engine.world
    world.map.lingered = quiet_for(world) + 900
    events = []
    while Hunted not in kinds(events):
        events = engine.step(Wait())
    event = next(e for e in events if isinstance(e, Hunted))
    hunter = world.map.entities[event.who.id]
    assert event.who.place in (world.map.start, world.map.exit)
    assert hunter.called_up
    assert hunter.mind.mood is Mood.HUNTING
    assert not world.map.seen[event.who.place[1], event.who.place[0]]
    twin = Engine(restore(world.setup, unpack(pack(capture(world)))))
    for hero in (world.hero, twin.world.hero):
        hero.fighter.max_hp = hero.fighter.hp = 10_000
    for _ in range(60):
        assert kinds(engine.step(Wait())) == kinds(twin.step(Wait()))
        assert twin.world.digest() == world.digest()


def test_a_level_one_comes_back_to_has_not_forgotten():
    engine = quiet_world()
    engine.world.map.lingered = 77
    engine.world.map.move_entity(engine.world.hero, *engine.world.map.exit)
    engine.step(Descend())
    assert engine.world.map.lingered == 0
    engine.world.map.move_entity(engine.world.hero, *engine.world.map.start)
    engine.step(Climb())
    assert engine.world.map.lingered == 77


def test_the_workshop_never_minds_and_the_endless_deep_sooner():
    world = World(pinned(Setup(4, "4", Mode.WORKSHOP, "rooms")))
    world.map.lingered = 10**6
    assert unrest(world) is Unrest.QUIET
    assert until_worse(world) is None
    quiet = [
        quiet_for(World(Setup(4, "4", generator="rooms", depth=depth))) for depth in (12, 40, 900)
    ]
    assert quiet[0] > quiet[1] > quiet[2] >= 200


@pytest.mark.parametrize(
    ("name", "before", "after", "load", "words"),
    [
        ("traps.toml", 'status = "held"', 'status = "dull"', traps, r"\[net\]: status"),
        ("traps.toml", 'spring = "shift"', 'spring = "swap"', traps, r"\[shift\]: spring"),
        ("traps.toml", "low = 2", "low = 9", traps, r"\[dart\]: low"),
        ("lights.toml", "moss = 25", "moss = 101", lights, r"\[dark\]: themes"),
        ("lights.toml", "[bright]", "[lit]", lights, r"\[lit\]"),
    ],
)
def test_a_fault_in_the_data_is_named(tmp_path, name, before, after, load, words):
    text = (DATA / name).read_text()
    assert before in text
    (tmp_path / name).write_text(text.replace(before, after, 1))
    with pytest.raises(DataError, match=words):
        load(tmp_path)


def test_the_ground_a_level_had_at_first_counts():
    open_tiles = np.isin(level_of(VAULT).tiles, [Tile.FLOOR, Tile.KEY, Tile.TREASURE])
    assert scene(VAULT).world.map.ground == int(open_tiles.sum())
