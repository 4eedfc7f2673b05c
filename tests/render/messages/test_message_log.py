"""The message log: what is counted, and what a turn with more messages than fit shows."""

from render.messages.message_log import MessageLog

BITE = "The rat bites you for 2."


def logged(turns):
    """Return the messages of a log to which the bite was added on each of ``turns``."""
    log = MessageLog()
    for turn in turns:
        log.add(BITE, "bad", turn)
    return log.messages


def test_messages_of_a_turn_stack():
    assert [*map(str, logged([7, 7, 7]))] == [f"{BITE} (x3)"]


def test_what_is_said_again_on_a_new_turn_is_told_apart_from_earlier_turns():
    messages = logged([1, 2, 3, 3, 3])
    assert [*map(str, messages)] == [f"{BITE} (x2)", f"{BITE} (x3)"]
    assert [message.turn for message in messages] == [2, 3]


def test_what_is_said_on_many_turns_does_not_flood_the_log():
    assert [*map(str, logged(range(20)))] == [f"{BITE} (x19)", BITE]
