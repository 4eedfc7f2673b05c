"""The first seed that is picked up is explained, the next is not."""

from components.inventory import Item
from engine.creatures.levelling import offered_talents
from engine.state.run_setup import RunSetup
from render.screens.screen import Begin
from render.session.session import SEED_TIP
from support.fake_backend import Person
from support.play_screens import playing, world_of


def test_the_first_seed_is_explained_and_no_other():
    person = playing()
    state = world_of(person)
    for kind in ("weave_seed", "thicket_seed"):
        state.map.add_item(Item(state.new_id(), kind), state.hero.x, state.hero.y)
        person.types("g")
    log = person.top.session.log
    assert sum(SEED_TIP in message.text for message in log.messages) == 1


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
