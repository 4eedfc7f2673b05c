"""Everywhere in a recorded run by key and mouse, and what was said there."""

import re

from engine.saves.digests import state_digest
from engine.saves.run_file import read_run
from engine.state.actions import Descend, Visit, Wait
from engine.state.run_setup import Mode, RunSetup
from render.messages.message_log import GAP
from render.replays.playhead import Playhead
from render.screens.replay_screen import column
from render.ui.input import Key
from support.kept_runs import golden_run
from support.replays import acted, first_blow, settled, states, watching
from workbench.search.bot_runs import simulate_run


def test_every_way_of_going_leads_to_the_state_that_was(adventure):
    states_then = states(adventure)
    person, replay = watching(adventure)

    def stands_on(turn):
        settled(person, replay)
        assert replay.head.position == turn
        assert state_digest(replay.session.run.state) == states_then[turn]
        assert f"turn {turn} of {len(adventure.actions)}" in person.reads()

    person.presses("home", "right", "right", "right")
    stands_on(3)
    person.presses("left")
    stands_on(2)
    person.presses("pagedown", "pagedown")
    stands_on(22)
    person.presses("pageup")
    stands_on(12)
    person.presses("3", "kp_2", "1", "enter")
    stands_on(321)
    person.types("g").types("40\n")
    stands_on(40)
    person.presses("left")
    stands_on(39)
    person.presses("end")
    stands_on(len(adventure.actions))
    person.presses("right")
    stands_on(len(adventure.actions))
    person.presses("home", "left")
    stands_on(0)


def test_a_turn_that_does_not_exist_is_said_and_can_be_corrected(adventure):
    person, replay = watching(adventure)
    person.presses("home").types("99999\n")
    assert f"a whole number from 0 to {len(adventure.actions)}" in person.reads()
    person.presses(*["backspace"] * 5).types("-3\n")
    assert "a whole number" in person.reads()
    for number in ("00000000099999", "9" * 5000):  # Python refuses to read so long a number.
        person.presses(*["backspace"] * 14).types(f"{number}\n")
        assert "a whole number" in person.reads()
    person.presses("escape")
    assert person.top is replay
    assert replay.head.position == 0


def test_depths_are_marked_on_the_bar_and_can_be_gone_to(adventure):
    person, replay = watching(adventure)
    turns = [n for n, (a, *_) in enumerate(adventure.actions, 1) if isinstance(a, Descend)]
    person.presses("home", "]")
    settled(person, replay)
    assert replay.head.position == turns[0]
    assert replay.session.run.state.depth == 2
    bar = person.reads().splitlines()[-2]
    at = replay._bar.rect.x + column(replay._bar.rect, turns[0], len(adventure.actions))
    assert bar[2] == "1"
    assert bar[at] == "●"
    person.types("10").presses("enter")
    settled(person, replay)
    assert person.reads().splitlines()[-2][at] == "2"
    person.presses("]")
    settled(person, replay)
    person.presses("right", "[")
    settled(person, replay)
    assert replay.head.position == turns[0]
    person.presses("[")
    assert replay.head.position == 0
    person.presses("end")
    settled(person, replay)
    person.presses("]")
    assert "ends on this level" in person.reads()


def test_levels_that_are_reached_by_a_step_are_marked_too(tmp_path):
    simulate_run(RunSetup(5, "5", Mode.WORKSHOP, "rooms"), 600, tmp_path)
    recorded = read_run(tmp_path / "run-5.jsonl")
    assert not any(isinstance(action, Descend) for action, *_ in recorded.actions)
    person, replay = watching(recorded)
    assert replay.head.chapters.levels[1][1] == 2
    person.presses("home", "]")
    settled(person, replay)
    assert replay.session.run.state.depth == 2
    person.presses("left")
    assert replay.session.run.state.depth == 1


def test_what_is_told_of_a_level_stays_for_a_turn_and_is_true(adventure):
    person, replay = watching(adventure)
    arrived = replay.head.chapters.levels[1][0]
    for turn in (arrived, arrived + 1, arrived + 9):
        replay.player.to(turn)
        settled(person, replay)
        # The foot line tells it as well, on every turn.
        assert person.reads().count("Hunters come in") == 1 + (turn == arrived)
        assert " turns, " not in person.reads()
    person, replay = watching(adventure)
    while replay.head.position < arrived:
        person.presses("right")
    assert f"Depth 1: {arrived} turns" in person.reads()


def test_the_messages_are_those_of_the_turn_shown(adventure):
    person, replay = watching(adventure)
    person.presses("home")
    for _ in range(30):
        person.presses("right")
    late = max(
        n for n, (action, *_) in enumerate(adventure.actions, 1) if isinstance(action, Descend)
    )
    assert late > 100
    replay.player.to(late)
    settled(person, replay)
    turns = [message.turn for message in replay.session.log.messages if message.text != GAP]
    assert late in turns
    assert min(turns) > 30
    replay.player.to(20)
    settled(person, replay)
    assert all(message.turn <= 20 for message in replay.session.log.messages)


def test_a_step_back_does_not_warn_again_of_wounds_that_were_there_before():
    recorded = golden_run("caves-to-the-end")
    head = Playhead(recorded)
    warned = []
    for turn in (head.end, head.end - 1):
        head.go(turn)
        while head.goal is not None:
            head.work()
        texts = [message.text for message in head.session.log.messages]
        warned.append([text for text in texts if text.startswith("You are badly hurt!")])
    assert warned[0]
    assert warned[1] == warned[0]


def test_what_a_turn_said_stays_when_the_turn_is_reached_by_a_jump():
    recorded = golden_run("caves-to-the-end")
    head = Playhead(recorded)
    while head.step():
        continue
    said = {turn: [message.text for message in told] for turn, told in head._said.items()}
    first = next(turn for turn, texts in said.items() if "badly hurt!" in " ".join(texts))
    for turn in range(first, first + 3):
        head.go(turn)
        while head.goal is not None:
            head.work()
        assert [message.text for message in head._said[turn]] == said[turn]


def test_a_damaged_run_says_why_where_it_ends(tmp_path):
    recorded = acted(tmp_path / "a.jsonl", RunSetup(5, "5", generator="rooms"), *[Wait()] * 20)
    lines = recorded.path.read_text().splitlines()
    lines[15] = '{"do":["fly"]}'
    recorded.path.write_text("\n".join(lines))
    person, replay = watching(read_run(recorded.path, tolerant=True))
    person.presses("end")
    settled(person, replay)
    person.waits(3)
    assert "line 16 is not part of a run" in person.reads()
    assert "The replay ends here" in person.reads()


def test_a_visit_counts_as_another_level(tmp_path):
    setup = RunSetup(5, "5", Mode.WORKSHOP, "rooms")
    recorded = acted(tmp_path / "a.jsonl", setup, Wait(), Visit("caves:7:9"), Wait(), Wait())
    person, replay = watching(recorded)
    person.presses("home", "]")
    settled(person, replay)
    assert replay.head.position == 2
    assert "depth 9" in person.reads()


def test_the_next_event_is_the_first_blow_and_not_the_second(adventure):
    blow = first_blow(adventure)
    person, replay = watching(adventure)
    replay.player.to(blow - 1)
    settled(person, replay)
    person.types("n")
    settled(person, replay)
    assert replay.head.position == blow
    chapters = replay.head.chapters
    person.types("n")
    settled(person, replay)
    later = replay.head.position
    assert later > blow + 1
    assert chapters.worth_seeing(later)
    assert not any(map(chapters.worth_seeing, range(blow + 1, later)))
    person.types("N")
    settled(person, replay)
    assert replay.head.position == blow


def test_a_long_way_is_gone_in_pieces_and_any_pause_stops_it(bare, monkeypatch):
    person, replay = watching(bare)
    person.presses("home")
    monkeypatch.setattr(Playhead.work, "__defaults__", (0.0,))
    person.presses("end")
    assert replay.head.position < 30
    assert f"going to turn {len(bare.actions)}" in person.reads()
    person.waits(20)
    here = replay.head.position
    assert 20 <= here < 50
    person.presses("escape").waits(3)
    assert replay.head.position == here
    assert person.top is replay
    person.presses("end").points("going to turn", button="right")
    assert (person.top, replay.head.goal) == (replay, None), "the right button does as Esc does"
    monkeypatch.setattr(replay.head.chapters, "worth_seeing", lambda turn: False)
    person.types("n")
    assert "searching" in person.reads()
    person.presses("space")
    assert replay.head.goal is None
    assert replay.interval is None


def test_messages_are_those_of_the_turn_however_one_came_there(adventure):
    turn = first_blow(adventure) + 12
    person, replay = watching(adventure)
    person.presses("home")
    for _ in range(turn):
        person.presses("right")
    told = [str(message) for message in replay.session.log.messages]
    assert any(re.search(r"(The|You) .* for \d+", line) for line in told)
    for keys in (["end", "go"], ["pagedown", "go"], ["home", "go"]):
        for key in keys:
            person.types(f"{turn}\n" if key == "go" else [Key(key)])
            settled(person, replay)
        assert [str(message) for message in replay.session.log.messages] == told
    person.types("M")
    assert "Messages" in person.reads()
    assert told[-1] in person.reads()


def test_where_turns_were_skipped_the_log_says_so(adventure, bare):
    whole, hasty = Playhead(bare), Playhead(adventure)
    whole.go(whole.end)
    while whole.goal is not None:
        whole.work()
    turn = whole.chapters.previous_event(whole.end) + 9
    assert turn > 250
    told = []
    for head in (whole, hasty):
        head.go(turn)
        while head.goal is not None:
            head.work()
        told.append([str(message) for message in head.session.log.messages])
    assert GAP not in told[0]
    assert told[1][0] == GAP
    assert 1 < len(told[1]) < len(told[0])
    # After a gap, the creatures in view come into view again.
    every, few = ([text for text in log if "comes into view" not in text] for log in told)
    assert 3 < len(few) < len(every)
    assert few[1:] == every[1 - len(few) :]
