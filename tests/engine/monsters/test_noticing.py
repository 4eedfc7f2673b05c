"""Who notices the hero and when, how many come looking, and whom a healer heals."""

from components import AiState
from engine.monsters.perception import NOTICE_RANGE
from engine.monsters.wandering_monsters import MOST_HUNTERS, quiet_turns
from engine.state.actions import Move, Wait
from engine.state.events import CalledForHelp, Healed, HunterArrived, Noticed, Woke
from support.monsters import one
from support.scenes import kinds, scene
from support.stairs import quiet_world

HALL = """
    ##############
    #@...........#
    #...........>#
    ##############
"""


def noticed_at_once(distance, seeds=15):
    """Return in how many of ``seeds`` games an orc so many tiles off notices the hero at once."""
    found = 0
    for seed in range(seeds):
        row = "#@" + "." * (distance - 1) + "o"
        engine = scene(HALL.replace("#@...........#", f"{row:.<13}#"), seed=seed)
        assert one(engine, "orc").x - engine.state.hero.x == distance
        one(engine, "orc").ai.state = AiState.IDLE
        found += Noticed in kinds(engine.step(Wait()))
    return found


def test_who_is_awake_and_three_tiles_away_always_notices_the_hero():
    assert NOTICE_RANGE == 3
    assert noticed_at_once(3) == noticed_at_once(2) == 15


def test_who_is_further_off_may_overlook_a_hero_that_keeps_still():
    assert 0 < noticed_at_once(4) < 13


def test_a_sleeper_that_a_step_wakes_is_seen_to_wake():
    engine = scene(HALL.replace("#@...........#", "#@..o........#"))
    orc, step = one(engine, "orc"), 1
    orc.ai.state = AiState.ASLEEP
    while orc.ai.state is AiState.ASLEEP:
        told, step = kinds(engine.step(Move(0, step))), -step
        assert (Woke in told) == (orc.ai.state is not AiState.ASLEEP)
    assert orc.ai.state is AiState.SEARCHING


def test_a_monster_in_a_magical_sleep_neither_notices_the_hero_nor_calls_for_help():
    engine = scene(HALL.replace("#@...........#", "#@..g........#"))
    goblin = one(engine, "goblin")
    goblin.ai.state = AiState.WANDERING
    goblin.statuses["asleep"] = 4
    for _ in range(3):
        assert not {Noticed, CalledForHelp} & set(kinds(engine.step(Wait())))
    assert {Noticed, CalledForHelp} <= set(kinds(engine.step(Wait()))), "now it is awake"


def test_no_more_than_six_hunters_are_on_a_level_at_once():
    engine = quiet_world()
    state = engine.state
    state.map.turns_here = quiet_turns(state) + 900
    most = 0
    for _ in range(500):
        state.hero.fighter.hp = state.hero.fighter.max_hp = 10**6
        engine.step(Wait())
        hunters = [creature for creature in state.map.entities.values() if creature.spawned_in_play]
        most = max(most, len(hunters))
    assert most == MOST_HUNTERS == 6


def test_a_hunter_that_is_slain_makes_room_for_another():
    engine = quiet_world()
    state = engine.state
    state.map.turns_here = quiet_turns(state) + 900
    came = 0
    for _ in range(900):
        state.hero.fighter.hp = state.hero.fighter.max_hp = 10**6
        came += kinds(engine.step(Wait())).count(HunterArrived)
        for creature in [other for other in state.map.entities.values() if other.spawned_in_play]:
            state.map.remove_entity(creature)
    assert came > MOST_HUNTERS


CAMP = """
    ############
    #@......ro.#
    #.......h.>#
    ############
"""


def camp(**wounded):
    """Return an engine with a shaman that hunts, an orc and a rat; some of them ``wounded``."""
    engine = scene(CAMP)
    for kind in ("rat", "orc", "shaman"):
        creature = one(engine, kind)
        creature.ai.state, creature.ai.state_turns_left = AiState.HUNTING, 99
        creature.ai.goal, creature.statuses["held"] = (1, 1), 90
        creature.fighter.hp -= wounded.get(kind, 0)
        creature.ai.last_seen_hp = creature.fighter.hp
    return engine


def healed(engine, turns=6):
    """Return which kinds the shaman heals, and by how much."""
    found = []
    for _ in range(turns):
        events = engine.step(Wait())
        found += [(e.who.kind, e.amount) for e in events if isinstance(e, Healed)]
    return found


def test_a_shaman_heals_who_is_wounded_and_nobody_else():
    assert healed(camp()) == []
    assert healed(camp(orc=3))[0] == ("orc", 3)
    assert healed(camp(orc=1)) == [("orc", 1)]


def test_a_shaman_does_not_heal_itself_or_the_hero():
    engine = camp(shaman=3)
    engine.state.hero.fighter.hp -= 9
    assert healed(engine) == []
