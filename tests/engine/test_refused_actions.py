"""Every action in every situation: what is refused changes nothing and draws nothing at random."""

from itertools import product

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.creatures.status_effects import action_after_statuses, apply_status
from engine.perform import perform
from engine.saves.digests import state_digest
from engine.saves.saved_state import load_state, pack_state, save_state, unpack_state
from engine.state.actions import (
    Action,
    Blink,
    CallForHelp,
    Charge,
    Choose,
    Climb,
    Descend,
    Divide,
    Drop,
    Equip,
    Fire,
    Heal,
    MonsterAction,
    Move,
    PickUp,
    PlantFirstSeed,
    Refused,
    Shoot,
    Steal,
    Strike,
    Struggle,
    Summon,
    SwapPlaces,
    TakeOff,
    Throw,
    Unlock,
    Use,
    Visit,
    Wait,
)
from entities.item_kinds import item_kinds
from entities.pack import MOST_STACKS
from support.items import bare, first, give, lay
from support.scenes import DrawnLevels, scene

HALL = """
    ####################
    #..........~~......#
    #.@....o...!.......#
    #..".........#######
    #.........#........#
    #..................#
    #########.##########
    #..................#
    #..................#
    #..................#
    #..................#
    #..................#
    #..................#
    #.................>#
    ####################
"""
STEPS = list(product((-1, 0, 1), repeat=2))
PLACES = [(0, 0), (2, 2), (3, 2), (7, 2), (11, 1), (18, 13), (13, 3), (40, 40), (4095, 4095)]


def crowded(*, known=True, part=0):
    """Return an engine with a part of everything at hand, and the numbers of it all."""
    engine = bare(scene(HALL))
    state = engine.state
    numbers = [give(engine, kind, charges=form.charges[0]).id for kind, form in _first_kinds(part)]
    rest = [kind for kind in item_kinds() if kind not in dict(_first_kinds(part))]
    numbers += [
        lay(engine, kind, 2, 2, charges=item_kinds()[kind].charges[0]).id for kind in rest[:5]
    ]
    if known:
        state.identified_kinds += [
            kind
            for kind in item_kinds()
            if item_kinds()[kind].item_class in ("potion", "scroll", "wand")
        ]
    state.hero.equipment["weapon"] = next(i.id for i in state.hero.inventory if i.kind == "dagger")
    return engine, [*numbers, 0, 424242]


def _first_kinds(part):
    """Return a packful of kinds with their forms, the odd ones first."""
    wanted = (
        "dart",
        "arrow",
        "net",
        "bell",
        "dagger",
        "leather_armour",
        "short_bow",
        "mending_ring",
    )
    others = [kind for kind in item_kinds() if kind not in wanted]
    room = MOST_STACKS - len(wanted)
    return [
        (kind, item_kinds()[kind]) for kind in (*wanted, *others[part * room : part * room + room])
    ]


def actions(numbers):
    """Return every kind of action with every target in question."""
    yield from (kind(dx, dy) for kind in (Move, Strike, Unlock) for dx, dy in STEPS)
    yield from (Wait(), Struggle(), Descend(), Descend(9), Climb(), PickUp(), PlantFirstSeed())
    yield from (Choose("none"), Visit("nowhere"))
    yield from (kind(number) for kind in (PickUp, Drop, Equip, TakeOff) for number in numbers)
    yield from (Fire(x, y) for x, y in PLACES)
    for number in numbers:
        yield Use(number)
        yield from (Use(number, place) for place in PLACES)
        yield from (Use(number, None, other) for other in (numbers[0], numbers[-1], number))
        yield from (Throw(number, x, y) for x, y in PLACES)


def monster_actions(numbers):
    """Return every kind of action that only monsters have, with every target in question."""
    yield from (kind(dx, dy) for kind in (Charge, SwapPlaces) for dx, dy in STEPS)
    yield from (CallForHelp(), Steal(), Summon(), Divide())
    yield from (Blink(x, y) for x, y in PLACES)
    yield from (kind(number) for kind in (Shoot, Heal) for number in numbers)


def try_all(engine, numbers):
    """Try every action on a copy of the world as it is, and count what is refused."""
    start = pack_state(save_state(engine.state))
    before, refused = state_digest(engine.state), 0
    level = engine.state.map.level
    for action in actions(numbers):
        outcome = engine.step(action)
        if isinstance(outcome, Refused):
            refused += 1
            assert state_digest(engine.state) == before, action
            assert outcome.why
        else:
            assert state_digest(engine.state) != before, action
            engine.state = load_state(engine.state.setup, unpack_state(start), level)
            assert state_digest(engine.state) == before
    return refused


def test_every_action_is_tried():
    tried = {type(action) for action in actions([1])}
    assert tried == set(Action.__args__)
    assert {type(action) for action in monster_actions([1])} == set(MonsterAction.__args__)


@pytest.mark.parametrize(
    ("known", "part"), [(True, 0), (True, 1), (True, 2), (False, 0), (False, 1)]
)
def test_what_is_refused_changes_nothing(known, part):
    engine, numbers = crowded(known=known, part=part)
    assert try_all(engine, numbers) > 100


@pytest.mark.parametrize(
    ("status", "at_least"),
    [("asleep", 1), ("held", 100), ("confused", 100), ("levitating", 100), ("blind", 100)],
)
def test_what_is_refused_in_a_bad_state_changes_nothing(status, at_least):
    engine, numbers = crowded()
    apply_status(engine.state.hero, status, 30, lambda event: None)
    assert try_all(engine, numbers[::5]) >= at_least


LAIR = HALL.replace("#.@....o...!.......#", "#a@pN#.hJq..d.j....#")
"""The hall with a monster of each special behaviour."""


@pytest.mark.parametrize("status", [None, "asleep", "held", "confused"])
def test_what_a_monster_is_refused_changes_nothing(status):
    engine = bare(scene(LAIR))
    level, crowd = engine.state.map.level, sorted(engine.state.map.entities)
    for number in crowd if status else ():
        apply_status(engine.state.map.entities[number], status, 30, lambda event: None)
    engine.state.map.entities[crowd[-1]].fighter.hp = 1  # Too few to divide.
    start, before = pack_state(save_state(engine.state)), state_digest(engine.state)
    refused = set()
    for number, action in product(crowd, monster_actions([*crowd, 424242])):
        events = []
        actor = engine.state.map.entities[number]
        doing = action_after_statuses(engine.state, actor, action)
        if isinstance(perform(engine.state, actor, doing, events.append), Refused):
            refused.add(type(action))
            assert state_digest(engine.state) == before, (actor.kind, action)
            assert not events, (actor.kind, action)
        else:
            engine.state = load_state(engine.state.setup, unpack_state(start), level)
    assert refused == (set() if status == "asleep" else {*MonsterAction.__args__})


def test_nobody_in_view_and_an_empty_pack():
    engine = bare(scene(HALL.replace("o", ".")))
    assert try_all(engine, [1, 2]) > 20


def test_the_dead_do_nothing():
    engine, numbers = crowded()
    engine.state.hero.fighter.hp = 0
    for action in actions(numbers):
        assert engine.step(action) == Refused("dead")


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from(PLACES)), max_size=25))
def test_any_course_of_play_can_be_put_away_and_taken_up_again(course):
    engine, numbers = crowded(known=False)
    level = engine.state.map.level
    for number, place in course:
        every = [*actions([numbers[number % len(numbers)]]), Use(numbers[number % 30], place)]
        action = every[number % len(every)]
        if isinstance(action, Descend | Climb | Visit):
            continue
        packed = pack_state(save_state(engine.state))
        twin = type(engine)(load_state(engine.state.setup, unpack_state(packed), level))
        first_told, second_told = engine.step(action), twin.step(action)
        assert first_told == second_told
        assert state_digest(engine.state) == state_digest(twin.state)
        if not engine.state.hero.alive:
            return


def test_actions_are_lines_of_a_run_file():
    for action in actions([5]):
        line = msgspec.json.encode(action)
        assert msgspec.json.decode(line, type=Action) == action
    assert first(bare(scene(HALL)), "orc")


def test_a_step_onto_an_exit_that_leads_nowhere_is_done():
    drawing = "#####\n#@>.#\n#####"
    engine = scene(drawing, workshop=True, levels=DrawnLevels(drawing))
    state = engine.state
    assert not isinstance(engine.step(Move(1, 0)), Refused)
    assert (state.turn, state.hero.x, state.hero.y) == (1, 2, 1)
    before = state_digest(state)
    assert engine.step(Descend()) == Refused("no level is drawn for depth 2")
    assert state_digest(state) == before


@pytest.mark.parametrize("action", [Move(4, 0), Strike(0, -2), Unlock(2, 2)])
def test_an_action_on_an_adjacent_tile_reaches_no_further(action):
    engine = bare(scene(HALL))
    before = state_digest(engine.state)
    with pytest.raises(ValueError, match="the tile is not adjacent"):
        engine.step(action)
    assert state_digest(engine.state) == before
