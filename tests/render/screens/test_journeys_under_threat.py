"""What stops a journey, what does not, and what the same key again means."""

import pytest

from components import AiState
from engine.pathfinding.auto_travel import Stop, rest
from engine.pathfinding.threats import threats_in_view
from engine.saves.run import Run
from engine.state.actions import Wait
from entities.creature_kinds import make_creature
from entities.terrain import Tile
from render.messages.refusal_messages import stop_message
from render.screens.journeys import JourneyRunner
from render.screens.play_screen import PlayScreen
from render.screens.screen import Push
from render.session.session import Session
from render.ui.input import Pointer
from support.fake_backend import Person
from support.rule_scenes import put
from support.scenes import scene

RATS = """
    ############
    #@....r....#
    #..........#
    #.........>#
    ############
"""


def facing_a_rat():
    """Return a person who plays, with an awake rat across the room, and a clock to set."""
    now = [0.0]
    person = Person()
    engine = scene(RATS)
    engine.state.hero.fighter.hp -= 5
    engine.state.map.explored[:] = True
    engine.state.map.entity_at(6, 1).statuses["held"] = 99
    person.app.answer(Push(PlayScreen(Session(Run(engine)), lambda: now[0])))
    return person, engine.state, now


def test_the_same_key_again_after_a_refusal_means_i_know():
    person, state, now = facing_a_rat()
    person.types("Z").reads()
    assert state.turn == 0
    now[0] = 1.0
    person.types("Z").waits(3)
    assert state.turn > 0


def test_the_same_key_is_not_offered_while_another_monster_attacks():
    engine = scene(RATS)
    state = engine.state
    calm, near = state.map.entity_at(6, 1), put(engine, "orc", 1, 2)
    state.map.move_entity(calm, 2, 1)
    calm.ai.state, near.ai.state = AiState.SEARCHING, AiState.HUNTING
    state.look()
    text = stop_message(state, Stop.ENEMY, {near.id}, first=True, told=False)
    assert text == "The cellar rat is 1 tile east: Tab fights."


@pytest.mark.parametrize("kind", ["rat", "archer"])
def test_resting_is_refused_while_a_monster_can_attack_however_often_it_is_tried(kind):
    person, state, now = facing_a_rat()
    foe = state.map.entity_at(6, 1)
    foe.kind, foe.ai.state = kind, AiState.HUNTING
    state.map.move_entity(foe, 2 if kind == "rat" else 6, 1)
    for _ in range(5):
        now[0] += 1.0
        person.types("Z").waits(3).reads()
        name = {"rat": "cellar rat is 1 tile", "archer": "goblin archer is 5 tiles"}[kind]
        said = person.top.session.log.messages[-1].text
        assert said == f"You can't rest: the {name} east."
    assert state.turn == 0
    person.types(".")
    assert state.turn == 1


def test_a_rest_stops_when_a_monster_that_was_passed_comes_within_reach():
    person, state, now = facing_a_rat()
    del state.map.entity_at(6, 1).statuses["held"]
    state.map.entity_at(6, 1).ai.state = AiState.HUNTING
    person.types("Z").reads()
    now[0] = 1.0
    person.types("Z").waits(9)
    assert 0 < state.turn < 5
    said = person.top.session.log.messages[-1].text
    assert said == "You can't rest: the cellar rat is 2 tiles east."
    assert state.hero.fighter.hp == 31, "it has not bitten yet"


def test_a_monster_that_cannot_attack_does_not_prevent_resting():
    engine = scene(RATS.replace("r", "."))
    engine.state.hero.fighter.hp -= 5
    foe = put(engine, "shriekcap", 2, 1, AiState.HUNTING)
    engine.state.look()
    assert threats_in_view(engine.state) == []
    assert next(rest(engine.state, {foe.id})) == Wait()


def test_a_journey_says_where_the_monster_is_that_was_not_passed_knowingly():
    engine = scene(RATS.replace("#.........>#", "#r........>#"))
    session = Session(Run(engine))
    near, journeys = engine.state.map.entity_at(1, 3), JourneyRunner(session)

    def at_once():
        yield from ()
        return Stop.ENEMY

    def after_a_turn():
        yield Wait()
        return Stop.ENEMY

    assert journeys.start(at_once(), {near.id}) is None
    said = session.log.messages[-1].text
    assert said == "The cellar rat is 5 tiles east: Tab fights, the same key again goes on."
    assert journeys.start(at_once()) is None
    assert session.log.messages[-1].text.startswith("The cellar rat is 2 tiles south:")
    assert journeys.start(after_a_turn()) == Wait()
    assert journeys.next_action() is None
    said = session.log.messages[-1].text
    assert said == "You stop: the cellar rat is in view, 2 tiles south."
    engine.state.map.move_entity(near, 1, 2)
    assert journeys.start(at_once(), {near.id}) is None, "beside the hero it matters most"
    assert session.log.messages[-1].text.startswith("The cellar rat is 1 tile south:")


def test_explore_sends_to_no_fight_without_a_known_way_and_goes_on_although_tab_came_between():
    engine, now, person = scene(RATS), [0.0], Person()
    engine.state.map.entity_at(6, 1).ai.state = AiState.HUNTING
    engine.state.map.explored[:, 4:6] = False
    person.app.answer(Push(PlayScreen(Session(Run(engine)), lambda: now[0])))
    for key in ("tab", "o", "tab"):
        now[0] += 0.4
        person.presses(key).reads()
        said = person.top.session.log.messages[-1].text
        way = "The cellar rat is 5 tiles east: the same key again goes on."
        assert said == (way if key == "o" else "No known way to the cellar rat: o explores.")
    now[0] += 0.4
    person.presses("o")
    assert engine.state.turn == 1


def test_a_key_of_explore_held_down_or_typed_ahead_accepts_no_offer():
    person, state, now = facing_a_rat()
    state.map.remove_entity(state.map.entity_at(6, 1))
    state.map.set_tile(5, 1, Tile.KEY)
    now[0] = 9.0
    person.types("o").waits(9)
    for gap in [0.4, *[0.03] * 60]:
        now[0] += gap
        person.types("o").waits(9)
    assert (state.map.keys, state.hero.x) == (0, 4)
    now[0] += 0.2
    person.types("o").waits(9)
    assert (state.map.keys, state.hero.x) == (1, 5)


def test_an_offer_that_a_monster_delays_is_accepted_by_the_same_key_again():
    person, state, now = facing_a_rat()
    rat = state.map.entity_at(6, 1)
    state.map.remove_entity(rat)
    state.map.set_tile(3, 1, Tile.KEY)
    now[0] = 9.0
    person.types("o").waits(9)
    assert (state.map.keys, state.hero.x) == (0, 2)
    state.map.add_entity(rat)
    for _ in range(2):
        now[0] += 1.0
        person.types("o").waits(3).reads()
    assert state.map.keys == 1


@pytest.mark.parametrize(("key", "goes_on"), [("o", True), (">", False), (".", False)])
def test_the_key_that_began_a_journey_does_not_stop_it_but_others_do(key, goes_on):
    person, state, _ = facing_a_rat()
    state.map.remove_entity(state.map.entity_at(6, 1))
    state.map.set_tile(10, 1, Tile.TREASURE)
    person.types("o").waits(2).types(key).waits(30)
    assert (state.hero.x == 10) == goes_on


def test_after_a_click_the_key_of_the_journey_before_stops_the_new_one():
    person, state, _ = facing_a_rat()
    state.map.remove_entity(state.map.entity_at(6, 1))
    person.types("o").waits(2).reads()
    view = person.top.session.view
    person.app.handle(Pointer("press", 5, 5, (10 - view.left, 1 - view.top), "left"))
    person.waits(2).types("o").waits(30)
    assert 1 < state.hero.x < 10


def test_with_a_threat_in_view_explore_accepts_no_offer():
    person, state, now = facing_a_rat()
    state.map.set_tile(2, 3, Tile.KEY)
    rat, messages = state.map.entity_at(6, 1), person.top.session.log.messages
    rat.ai.state = AiState.ASLEEP
    person.types("o").waits(9)
    assert "Press o to take it." in messages[-1].text
    rat.ai.state, now[0] = AiState.HUNTING, 9.0
    person.types("o").waits(9)
    assert state.map.keys == 0
    assert messages[-1].text.startswith("The cellar rat is 5 tiles east")


@pytest.mark.parametrize(("more", "hurt"), [(0, True), (1, False)])
def test_the_warning_of_wounds_and_the_question_begin_at_a_third(more, hurt):
    person, state, _ = facing_a_rat()
    state.map.entity_at(6, 1).fighter.power = 9
    state.hero.fighter.max_hp, state.hero.fighter.hp = 30, 10 + more
    session = person.top.session
    session.add_events([])
    assert ("You are badly hurt!" in person.reads()) == hurt
    person.presses("tab")
    assert ("Do it again to fight on." in person.reads()) == hurt


def test_one_rat_in_front_of_an_ogre_makes_no_fight_trivial():
    person, state, _ = facing_a_rat()
    state.hero.fighter.max_hp, state.hero.fighter.hp = 300, 90
    ogre = make_creature("ogre", 900, 6, 3)
    ogre.ai.state, ogre.fighter.power = AiState.HUNTING, 40
    state.map.add_entity(ogre)
    person.top.session.add_events([])
    person.presses("tab")
    assert "Do it again to fight on." in person.reads()


def test_nobody_is_asked_before_a_trivial_fight():
    person, state, _ = facing_a_rat()
    state.hero.fighter.max_hp, state.hero.fighter.hp = 300, 90
    person.top.session.add_events([])
    assert "You are badly hurt!" in person.reads()
    person.presses("tab")
    assert "Do it again" not in person.reads()


def test_two_keys_pressed_in_turn_are_each_asked_about_once():
    person, state, now = facing_a_rat()
    state.map.entity_at(6, 1).fighter.power = 9
    state.hero.fighter.hp = state.hero.fighter.max_hp // 3 - 1
    asked = []
    for number, key in enumerate(["Z", "tab", "Z"]):
        now[0] = float(number)
        person.presses(key).reads()
        asked.append(state.turn == 0)
    assert asked == [True, True, False], "the answer to Tab must not forget that of Z"


def test_a_monster_that_begins_to_hunt_is_news_again():
    person, state, now = facing_a_rat()
    rat = next(one for one in state.map.entities.values() if one.kind == "rat")
    rat.ai.state = AiState.WANDERING
    person.types("Z").reads()
    now[0] = 1.0
    known = person.app.stack[-1]._acknowledged
    assert known.ids("rest") == {rat.id}
    assert known.ids("rest") == {rat.id}
    rat.ai.state = AiState.HUNTING
    assert known.ids("rest") == frozenset()


def test_a_key_typed_ahead_or_too_soon_does_not_mean_i_know():
    person, state, now = facing_a_rat()
    person.types("Z")
    now[0] = 1.0  # Pressed long ago, but heard before the refusal was on the screen.
    person.types("Z")
    assert state.turn == 0
    person, state, now = facing_a_rat()
    person.types("ZZ")
    now[0] = 0.2
    person.reads()
    person.types("Z").waits(3)
    assert state.turn == 0


def test_three_quick_presses_mean_i_know_and_a_held_key_never_does():
    person, state, now = facing_a_rat()
    for press in range(2):
        now[0] = 0.3 * press
        person.types("Z").reads()
        assert state.turn == 0
    now[0] = 0.6
    person.types("Z").waits(3)
    assert state.turn > 0
    person, state, now = facing_a_rat()
    for gap in (0.0, 0.3, *[0.03] * 60):
        now[0] += gap
        person.types("Z").reads()
    assert state.turn == 0


@pytest.mark.parametrize("key", "Z>")
@pytest.mark.parametrize("kind", ["key_thief", "shaman", "orc"])
def test_a_monster_that_only_keeps_away_stops_neither_rest_nor_travel(key, kind):
    engine = scene(RATS.replace("r", "."))
    state, person = engine.state, Person()
    foe = put(engine, kind, 7, 1, AiState.HUNTING)
    state.hero.fighter.hp -= 5
    state.map.explored[:], foe.statuses["held"] = True, 99
    state.look()
    person.app.answer(Push(PlayScreen(Session(Run(engine)))))
    person.types(key).waits(3)
    turns = state.turn
    assert turns == (key == ">") if kind == "orc" else turns >= 3
    state.map.move_entity(foe, state.hero.x + 1, state.hero.y)
    assert threats_in_view(state) == [foe], "cornered, it strikes"


@pytest.mark.parametrize(("kind", "mood", "x", "walks"), [
    ("pilferer", AiState.FLEEING, 6, True), ("key_thief", AiState.HUNTING, 6, True),
    ("pilferer", AiState.ASLEEP, 6, False), ("key_thief", AiState.ASLEEP, 6, False),
    ("orc", AiState.ASLEEP, 6, False), ("key_thief", AiState.ASLEEP, 2, False),
])  # fmt: skip
def test_a_thief_that_runs_is_no_obstacle_to_exploring(kind, mood, x, walks):
    engine = scene("##############\n#@...........#\n##############")
    state, person = engine.state, Person()
    put(engine, kind, x, 1, mood)
    state.look()
    state.map.explored[:, 9:] = False
    person.app.answer(Push(PlayScreen(Session(Run(engine)))))
    person.types("o").waits(1)
    assert (state.hero.x > 1) == walks
    told = "blocks the rest of the level" in person.top.session.log.messages[-1].text
    assert told != walks


def test_stairs_are_walked_to_one_step_a_press_under_threat():
    person, state, _ = facing_a_rat()
    person.types(">").waits(3)
    assert (state.turn, state.hero.x) == (1, 2)
    person.types(">").waits(3)
    assert state.turn == 2


def test_a_monster_that_came_no_nearer_stops_no_journey_again():
    person, state, _ = facing_a_rat()
    rat = next(one for one in state.map.entities.values() if one.kind == "rat")
    rat.ai.state = AiState.HUNTING
    stops = person.top._journal.stops_for
    assert stops(state, rat.id)
    assert not stops(state, rat.id)
    state.map.move_entity(rat, 9, 1)
    assert not stops(state, rat.id)
    state.map.move_entity(rat, 5, 1)
    assert stops(state, rat.id)
    assert not stops(state, rat.id)
    rat.ai.state = AiState.WANDERING
    assert stops(state, rat.id)
    rat.ai.state = AiState.HUNTING
    assert not stops(state, rat.id)
    state.map.move_entity(rat, 3, 1)
    assert [stops(state, rat.id) for _ in range(3)] == [True] * 3, "it bites in its next turns"
    for kind in ("gazer", "archer"):
        rat.kind = kind
        state.map.move_entity(rat, 6, 1)
        assert stops(state, rat.id), kind


def test_a_journey_that_stops_for_a_monster_out_of_view_says_so_unless_it_was_told():
    state = scene(RATS.replace("r", ".")).state
    said = [stop_message(state, Stop.ENEMY, (), first=False, told=told) for told in (True, False)]
    assert said == ["", "You stop: an enemy came into view."]


def test_a_key_for_fighting_asks_once_when_the_hero_is_badly_hurt():
    person, state, now = facing_a_rat()
    state.map.entity_at(6, 1).fighter.power = 9
    state.hero.fighter.hp = state.hero.fighter.max_hp // 3 - 1
    person.presses("tab")
    assert "badly hurt" in person.reads()
    assert state.turn == 0
    now[0] = 1.0
    person.presses("tab").waits(2)
    turn = state.turn
    assert turn > 0
    person.presses("tab").waits(2)
    assert state.turn > turn
