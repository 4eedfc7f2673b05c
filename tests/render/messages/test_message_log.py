"""The message log: what is counted, and what a turn with more messages than fit shows."""

import pytest

from engine.state.events import (
    CalledForHelp,
    CreatureRef,
    Dropped,
    ItemRef,
    Noticed,
    Spotted,
    creature_ref,
)
from entities.creature_kinds import HERO, make_creature
from procgen.blueprint import Point
from render.messages.event_messages import event_message
from render.messages.message_log import MessageLog, turn_messages
from render.ui.palette import colors
from support.drawn_play import playing
from support.rule_scenes import put
from support.scenes import scene

BITE = "The rat bites you for 2."


def logged(turns):
    """Return the messages of a log to which the bite was added on each of ``turns``."""
    log = MessageLog()
    for turn in turns:
        log.add(BITE, "bad", turn)
    return log.messages


def test_messages_of_a_turn_stack():
    assert [*map(str, logged([7, 7, 7]))] == [f"{BITE} (x3)"]


@pytest.mark.parametrize("color", ["bad", "text"])
def test_messages_of_a_turn_that_alternate_are_counted(color):
    log = MessageLog()
    for text in (BITE, "The orc hits you for 3.") * 2:
        log.add(text, color, 7)
    assert [message.count for message in log.messages] == [2, 2]
    log.add(BITE, color, 8)
    assert str(log.messages[-1]) == BITE, "a new turn begins anew"


def test_what_is_said_again_on_a_new_turn_is_told_apart_from_earlier_turns():
    messages = logged([1, 2, 3, 3, 3])
    assert [*map(str, messages)] == [f"{BITE} (x2)", f"{BITE} (x3)"]
    assert [message.turn for message in messages] == [2, 3]


def test_what_is_said_on_many_turns_does_not_flood_the_log():
    assert [*map(str, logged(range(20)))] == [f"{BITE} (x19)", BITE]


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ([("You read the scroll.", "text"), ("It's a scroll of rage!", "accent")], "of rage!"),
        ([("You hit the orc for 5.", "text")], "You hit the orc for 5."),
        ([("You kill the orc.", "good")], "You kill the orc."),
    ],
)
def test_what_the_hero_did_is_not_pushed_out_by_the_blows_that_follow(told, kept):
    person, engine = playing(columns=80, rows=24)
    engine.state.turn += 1
    blows = [(f"The rat number {number} bites you for 2.", "bad") for number in range(4)]
    for sentence in [*told, *blows]:
        person.top.session.say(*sentence)
    shown = person.reads()
    assert kept in shown
    assert shown.count("bites") == 3 - len(told)
    assert "more" in shown


@pytest.mark.parametrize(
    ("kind", "color"), [("warlord", "good!"), ("key_thief", "accent"), (HERO, "dim")]
)
def test_what_a_boss_drops_stays_in_the_log_for_some_turns(kind, color):
    mail = ItemRef(9, "chain_mail", 1, 0, 0, identified=True, letter="", look=None)
    sentence = event_message(Dropped(CreatureRef(5, kind, Point(1, 1)), mail))
    assert sentence[1] == color
    person, engine = playing(columns=80, rows=24)
    person.top.session.say(*sentence)
    for turn in range(9):
        engine.state.turn += 1
        person.top.session.say(f"On turn {turn} you hit the orc.")
    assert (sentence[0] in person.reads()) == (kind == "warlord")


def test_only_the_newest_turn_that_said_anything_is_bright():
    person, engine = playing(columns=80, rows=36)

    def dim():
        text, rows = person.app.picture().text, person.reads().splitlines()
        cells = [tuple(text.fg[y, 1]) for y, row in enumerate(rows) if row.startswith(" Rat")]
        return [cell == colors()["dim"] for cell in cells]

    for number, turns in enumerate([1, 1, 0, 1]):
        engine.state.turn += turns
        person.top.session.say(f"Rat {number} bites you.", "bad")
    assert dim() == [True, True, True, False]
    engine.state.turn += 1
    person.top.session.say("Rat 4 bites you.", "bad")
    person.top.session.say("Rat 5 bites you.", "bad")
    assert dim() == [True, True, True, False, False]
    engine.state.turn += 1
    assert dim() == [True, True, True, False, False], "until something else is said"


@pytest.mark.parametrize(
    ("x", "told"),
    [(4, "The goblin shouts for the others!"), (8, "A goblin 7 tiles east shouts for the others!")],
)
def test_a_call_for_help_from_out_of_sight_says_where_it_comes_from(x, told):
    engine = scene("############\n#@....#...>#\n############")
    goblin = put(engine, "goblin", x, 1)
    engine.state.look()
    ((text, _),) = turn_messages([CalledForHelp(creature_ref(goblin))], engine.state)
    assert text == told


@pytest.mark.parametrize(("kind", "x", "text"), [
    ("mimic", 4, "A mimic lay in wait 1 tile east!"),
    ("mimic", 6, "A mimic comes into view 3 tiles east and notices you."),
    ("orc", 4, "An orc comes into view 1 tile east and notices you."),
])  # fmt: skip
def test_what_lay_in_wait_beside_the_hero_does_not_come_into_view(kind, x, text):
    engine = scene("#########\n#..@....#\n#########")
    mimic = make_creature(kind, 900, x, 1)
    engine.state.map.add_entity(mimic)
    events = [Noticed(creature_ref(mimic)), Spotted(creature_ref(mimic))]
    assert [told for told, _ in turn_messages(events, engine.state)] == [text]
