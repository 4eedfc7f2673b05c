"""Words and events that somebody has just added to the rules are told, and do not end the game."""

from typing import get_args, get_type_hints

from engine.creatures.health import apply_damage
from engine.state.events import Appeared, CalledForHelp, Died, Displacement, Won, creature_ref
from engine.terrain.forced_movement import relocate
from render.messages.event_messages import event_texts
from render.messages.message_log import turn_messages, witnessed
from render.panels.morgue import ending_text
from support.items import first
from support.rule_scenes import field, put
from support.scenes import scene


def sentences(events):
    return [text for text, _ in turn_messages(events)]


def test_a_cause_of_damage_without_a_name_of_its_own_is_called_by_its_word():
    engine, events = field(), []
    hero, orc = engine.state.hero, put(engine, "orc", 3, 3)
    apply_damage(engine.state, orc, 1, "drain", events.append)
    apply_damage(engine.state, hero, hero.fighter.hp - 1, "ice_storm", events.append)
    apply_damage(engine.state, hero, 1, "drain", events.append)
    told = " ".join(sentences(events))
    assert "The drain hurts the orc for 1." in told
    assert "The ice storm hurts you for " in told
    assert Died in map(type, events)
    assert "The drain kills you." in told
    assert ending_text(f"killed by {engine.state.killed_by}") == "killed by a drain"


def test_every_word_of_forced_movement_has_a_sentence_and_mypy_knows_all():
    words = set(get_args(Displacement))
    assert get_args(get_type_hints(relocate)["how"]) == get_args(Displacement)
    told = {name for name in event_texts() if name.startswith("displaced")}
    assert told == {f"displaced.{word}" for word in words}


def test_an_event_of_an_unseen_creature_is_not_told_unless_it_is_heard():
    state = (engine := scene("#######\n#@.#o.#\n#.>#..#\n#######")).state
    orc = creature_ref(first(engine, "orc"))
    of_hero = Won(creature_ref(state.hero), 1)
    events = [Appeared(orc), CalledForHelp(orc), of_hero]
    assert witnessed(events, state) == [CalledForHelp(orc), of_hero]
    state.map.visible[:] = True
    assert witnessed(events, state) == events
