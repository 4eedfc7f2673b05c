"""Whoever lingers is hunted, ever more, by creatures that teach nothing."""

from components import Mood
from descents import quiet_world
from engine.engine import Engine
from engine.levels.level_choice import pinned
from engine.monsters.wandering_monsters import MOST_HUNTERS, Unrest, quiet_for, unrest, until_worse
from engine.saves.saved_state import capture, pack, restore, unpack
from engine.state.actions import Climb, Descend, Wait
from engine.state.events import Hunted, Stirred
from engine.state.game_state import World
from engine.state.run_setup import Mode, Setup
from scenes import kinds


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
