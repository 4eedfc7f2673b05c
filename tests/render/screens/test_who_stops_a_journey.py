"""Who stops a journey: a monster that is awake and can come or shoot; one that bites for good."""

import pytest

from components import AiState
from engine.saves.run import Run
from render.screens.play_screen import PlayScreen
from render.screens.screen import Push
from render.session.session import Session
from render.ui.input import Key
from support.fake_backend import Person
from support.scenes import scene

TWO_ROOMS = """
    ###############
    #....~~~#.....#
    #....~r~#.....#
    #....~~~#.....#
    #.......#.....#
    #@...........>#
    ###############
"""


def beside_a_rat(how):
    """Return a person in a room with a rat: across deep water, asleep, rooted, or none of these."""
    person = Person()
    drawing = TWO_ROOMS if how == "across water" else TWO_ROOMS.replace("~", ".")
    engine = scene(drawing.replace("r", "F") if how == "rooted" else drawing)
    state = engine.state
    state.hero.fighter.hp -= 5
    creature = state.map.entity_at(6, 2)
    if how == "asleep":
        creature.ai.state = AiState.ASLEEP
        creature.statuses["asleep"] = 99
    else:
        creature.ai.state = AiState.HUNTING
    person.app.answer(Push(PlayScreen(Session(Run(engine)))))
    return person, state


@pytest.mark.parametrize("key", "o>Z")
@pytest.mark.parametrize("how", ["asleep", "across water", "rooted", "awake"])
def test_only_who_is_awake_and_can_come_or_shoot_stops_a_journey(key, how):
    person, state = beside_a_rat(how)
    if key != "o":
        state.map.explored[:] = True
    person.types(key).waits(6)
    if how == "awake":
        assert state.turn == (key == ">")  # one step a press
    else:
        assert state.turn >= 6


def test_explore_never_walks_away_from_a_monster_that_bites():
    person, state = beside_a_rat("awake")
    rat = state.map.entity_at(6, 2)
    state.map.move_entity(rat, state.hero.x + 1, state.hero.y)
    now = [0.0]
    person.top._clock = lambda: now[0]
    for _ in range(3):
        now[0] += 1
        person.types("o")
        said = person.top.session.log.messages[-1].text
        assert said == "The cellar rat is 1 tile east: Tab fights."
    assert state.turn == 0


def badly_hurt():
    """Return a person whose hero is badly hurt, alone and does not heal, and the state."""
    engine = scene(TWO_ROOMS.replace("r", "~"))
    person, fighter = Person(first=PlayScreen(Session(Run(engine)))), engine.state.hero.fighter
    fighter.hp, fighter.regeneration_turns = fighter.max_hp // 3 - 1, 0
    return person, engine.state


def test_a_badly_hurt_hero_travels_without_a_question():
    person, state = badly_hurt()
    state.map.explored[:] = True
    person.types(">").waits(2)
    assert state.turn > 0


def test_a_badly_hurt_hero_asks_once_before_it_explores():
    person, state = badly_hurt()
    person.types("o").waits(2)
    assert state.turn == 0
    assert "badly hurt. Do it again to explore" in person.reads()
    person.types([Key("o", repeat=True)]).waits(2)
    assert state.turn == 0, "a held key is no answer"
    person.types("o").waits(1)
    assert (turn := state.turn) > 0
    person.types(".").types("o").waits(1)
    assert state.turn > turn, "asked once"
    state.hero.fighter.hp = state.hero.fighter.max_hp
    person.types("..")
    state.hero.fighter.hp, turn = 5, state.turn
    person.types("o").waits(2)
    assert state.turn == turn, "healed and hurt again"
