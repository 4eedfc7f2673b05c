"""Seeds in the log: the first is explained, and whom a planted one slows is told."""

from components.inventory import Item
from engine.creatures.levelling import offered_talents
from engine.saves.run import Run
from engine.state.actions import PickUp, Use, Wait
from engine.state.run_setup import RunSetup
from render.screens.screen import Begin
from render.session.session import SEED_TIP, Session
from support.fake_backend import Person
from support.play_screens import playing, world_of
from support.rule_scenes import field, put


def test_the_first_seed_is_explained_and_no_other():
    person = playing()
    state = world_of(person)
    for kind in ("weave_seed", "thicket_seed"):
        state.map.add_item(Item(state.new_id(), kind), state.hero.x, state.hero.y)
        person.types("g")
    log = person.top.session.log
    assert sum(SEED_TIP in message.text for message in log.messages) == 1


def test_the_first_pile_of_seeds_is_explained_however_many_kinds_it_has():
    person = playing()
    state = world_of(person)
    for kind in ("weave_seed", "thicket_seed"):
        state.map.add_item(Item(state.new_id(), kind), state.hero.x, state.hero.y)
    person.top.act(PickUp())
    assert any(SEED_TIP in message.text for message in person.top.session.log.messages)


def test_who_has_held_another_seed_needs_no_explanation_though_the_log_has_lost_it():
    person = playing()
    state = world_of(person)
    state.hero.letters["lake_seed"] = "f"
    state.map.add_item(Item(state.new_id(), "weave_seed"), state.hero.x, state.hero.y)
    person.types("g")
    assert not any(SEED_TIP in message.text for message in person.top.session.log.messages)


def test_a_gardener_is_told_how_seeds_are_planted():
    person = Person()
    person.app.answer(Begin(RunSetup(4, "4")))
    session = person.app.stack[-2].session
    person.types(str(1 + offered_talents(session.run.state).index("gardener")))
    assert sum(SEED_TIP in message.text for message in session.log.messages) == 1


def test_a_replay_explains_no_seed():
    person = playing()
    state = world_of(person)
    person.top.session.hints = []
    state.map.add_item(Item(state.new_id(), "weave_seed"), state.hero.x, state.hero.y)
    person.types("g")
    messages = [message.text for message in person.top.session.log.messages]
    assert any("weave seed" in text for text in messages)
    assert not any(SEED_TIP in text for text in messages)


def test_a_seed_is_planted_by_keys_and_its_ground_is_shown():
    person = playing()
    state = world_of(person)
    state.map.add_item(Item(state.new_id(), "thicket_seed"), state.hero.x, state.hero.y)
    person.types("g").types("a")
    assert "Plant" in person.reads() or "thicket seed" in person.reads()
    item = next(item for item in state.hero.inventory if item.kind == "thicket_seed")
    person.types(item.letter)
    assert "Plant a thicket seed" in person.reads()
    assert "You would hit yourself" not in person.reads()
    person.presses("right", "right", "enter").waits(3)
    assert "Saplings break through the ground." in person.reads()
    assert state.map.growing


def test_a_seed_that_grows_around_the_hero_shows_its_ground_first():
    person = playing()
    state = world_of(person)
    state.map.add_item(Item(state.new_id(), "weave_seed"), state.hero.x, state.hero.y)
    put(person.top.session.run.engine, "orc", state.hero.x + 2, state.hero.y).statuses["held"] = 99
    state.look()
    person.types("g").types("a").types(state.hero.inventory[-1].letter)
    assert "Plant a weave seed  Tinted tiles may change." in person.reads()
    assert person.top.target == (state.hero.x, state.hero.y)
    assert not state.map.growing
    person.presses("enter").waits(2)
    assert state.map.growing


def test_whom_a_seed_slows_is_told_although_its_hedges_hide_them():
    engine = field()
    hero = engine.state.hero
    put(engine, "orc", hero.x + 3, hero.y).statuses["held"] = 99
    hero.inventory.append(seed := Item(engine.state.new_id(), "hedge_seed"))
    engine.state.look()
    session = Session(Run(engine))
    session.act(Wait())
    session.act(Use(seed.id, (hero.x + 3, hero.y)))
    assert engine.state.map.entities_in_view() == [hero]
    told = [message.text for message in session.log.messages]
    assert {"The orc slows down.", "The orc grows weak."} <= set(told)
