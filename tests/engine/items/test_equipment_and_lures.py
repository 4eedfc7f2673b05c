"""What is worn, rung, thrown as a lure or picked up on the way."""

import pytest

from components import AiState
from engine.creatures.noise import FIGHTING, WALKING, action_noise
from engine.creatures.status_effects import apply_status
from engine.items.aiming import aim_of, needs_target
from engine.pathfinding.auto_travel import Stop, explore
from engine.state.actions import Move, Refused, Throw, Use, Wait
from engine.state.events import AlarmRang, Died, FoundDoor, StatusApplied, Struck, Threw
from entities.pack import MOST_STACKS
from entities.terrain import Tile
from procgen.blueprint import Point
from render.map.viewport import Viewport, is_shown
from support.auto_travel import walk
from support.items import bare, first, give, lay, told
from support.scenes import scene

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
    engine.state.hero.equipment[slot] = give(engine, kind).id
    return engine


@pytest.mark.parametrize(
    ("kind", "loudness"),
    [("shadows_ring", WALKING // 2), ("moss_cloak", WALKING // 2), ("plate_armour", 2 * WALKING)],
)
def test_gear_is_heard_or_not(kind, loudness):
    hero = wearing(kind).state.hero
    assert action_noise(hero, Move(1, 0), []).loudness == loudness


def test_keen_eyes_find_doors_from_afar():
    drawing = "########\n#@..S..#\n#...#.>#\n########"
    events = wearing("shadows_ring", drawing).step(Wait())
    assert told(events, FoundDoor)[0].place == (4, 1)


def test_a_quick_monster_that_thorns_kill_does_not_strike_again():
    engine = wearing("thorns_ring", HALL.replace("@.", "@w").replace("o", "."))
    warg = first(engine, "warg")
    warg.fighter.hp = warg.ai.last_seen_hp = 1
    warg.ai.state, warg.ai.state_turns_left = AiState.HUNTING, 9
    warg.energy.stored = 300
    engine.state.hero.fighter.hp = engine.state.hero.fighter.max_hp = 200
    blows = 0
    for _ in range(20):
        events = told(engine.step(Wait()), object)
        blows += sum(isinstance(event, Struck) for event in events)
        if not warg.alive:
            break
    assert not warg.alive
    assert blows == 1
    assert [type(event) for event in events if isinstance(event, (Struck, Died))] == [Struck, Died]
    assert warg not in engine.state.map.entities.values()


def test_rings_mend_and_keep_from_mending():
    turns = {}
    for kind in ("mending_ring", "embers_ring", "might_ring"):
        engine = wearing(kind, HALL.replace("o", "."))
        engine.state.hero.fighter.hp = 10
        for _ in range(36):
            engine.step(Wait())
        turns[kind] = engine.state.hero.fighter.hp - 10
    assert turns == {"mending_ring": 9, "embers_ring": 0, "might_ring": 4}


def test_a_bell_wakes_and_lures():
    engine = bare(scene(HALL))
    orc = first(engine, "orc")
    orc.ai.state = AiState.IDLE
    bell = give(engine, "bell")
    assert told(engine.step(Use(bell.id)), AlarmRang)
    assert orc.ai.state is AiState.SEARCHING
    assert orc.ai.goal == (2, 1)
    assert bell in engine.state.hero.inventory


def test_a_decoy_is_gone_for_instead():
    engine = bare(scene(HALL.replace("+", ".")))
    orc = first(engine, "orc")
    orc.ai.state, orc.ai.state_turns_left = AiState.HUNTING, 9
    engine.state.identified_kinds.append("decoy_scroll")
    scroll = give(engine, "decoy_scroll")
    assert told(engine.step(Use(scroll.id, (5, 3))), StatusApplied)
    assert orc.ai.goal == (5, 3)
    assert "invisible" in engine.state.hero.statuses


@pytest.mark.parametrize("away", [2, 3, 4])
def test_the_reader_of_a_decoy_is_not_heard_by_those_it_sends_away(away):
    row = "#" * 24
    engine = bare(scene(f"{row}\n#@{'.' * (away - 1)}o{'.' * (20 - away)}>#\n{row}"))
    orc = first(engine, "orc")
    orc.ai.state, orc.ai.state_turns_left = AiState.HUNTING, 9
    engine.state.identified_kinds.append("decoy_scroll")
    place = (engine.state.hero.x + away + 3, 1)
    engine.step(Use(give(engine, "decoy_scroll").id, place))
    assert orc.ai.goal == place
    hp = engine.state.hero.fighter.hp
    for _ in range(4):
        engine.step(Wait())
    assert engine.state.hero.fighter.hp == hp


def test_who_is_telepathic_feels_minds_through_walls():
    engine = bare(scene(HALL))
    state, orc = engine.state, first(engine, "orc")
    assert not is_shown(state, orc, Viewport())
    apply_status(state.hero, "telepathic", 9, lambda event: None)
    assert is_shown(state, orc, Viewport())


def test_missiles_are_used_by_throwing_them():
    engine = bare(scene(HALL))
    net = give(engine, "net", 2)
    assert needs_target(engine.state, net)
    assert aim_of(engine.state, engine.state.hero, net, Point(5, 2)).tiles == ((5, 2),)
    assert engine.step(Use(net.id)) == Refused("needs a target")
    assert told(engine.step(Use(net.id, (5, 2))), Threw)
    assert net.count == 1
    assert FIGHTING > WALKING


def test_exploring_takes_what_it_finds_but_not_what_was_laid_down():
    engine = bare(scene(HALL.replace("o", ".")))
    state = engine.state
    lay(engine, "sword", 12, 2)
    lay(engine, "dagger", 5, 3, letter="q")
    lay(engine, "dart", 6, 1, 2)
    lay(engine, "net", 7, 1, letter="s")
    assert walk(engine, explore(engine.state))[0] is Stop.EXPLORED
    assert {item.kind for item in state.hero.inventory} == {"sword", "dart"}
    left = {item.kind for pile in state.map.items.values() for item in pile}
    assert left == {"dagger", "net"}


def test_exploring_fetches_what_was_thrown_and_it_has_its_letter_again():
    engine = bare(scene(HALL.replace("o", ".")))
    spear = give(engine, "spear")
    letter = spear.letter
    told(engine.step(Throw(spear.id, 5, 2)), Threw)
    assert engine.state.hero.inventory == []
    assert walk(engine, explore(engine.state))[0] is Stop.EXPLORED
    assert [(item.kind, item.letter) for item in engine.state.hero.inventory] == [("spear", letter)]


def test_exploring_passes_by_what_there_is_no_room_for():
    engine = bare(scene(HALL.replace("o", ".")))
    for _ in range(MOST_STACKS):
        give(engine, "dagger")
    lay(engine, "sword", 12, 2)
    assert walk(engine, explore(engine.state))[0] is Stop.EXPLORED
    assert engine.state.map.items_at(12, 2)


def test_exploring_ends_where_one_stands_on_what_cannot_be_had():
    engine = bare(scene(HALL.replace("o", ".")))
    assert walk(engine, explore(engine.state))[0] is Stop.EXPLORED
    hero = engine.state.hero
    engine.state.map.set_tile(hero.x, hero.y, Tile.TREASURE)
    assert next(explore(engine.state), None) is None


def test_fires_are_walked_around():
    engine = bare(scene(HALL.replace("o", ".")))
    for y in (1, 2, 3):
        engine.state.map.fires[4, y] = 50
        assert engine.state.map.tiles[y, 4] == Tile.FLOOR
    assert walk(engine, explore(engine.state))[0] is Stop.EXPLORED
    assert engine.state.hero.x < 4
