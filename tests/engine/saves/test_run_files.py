"""The run file: appended as you play, replayed to the same end, and blamed when it lies."""

import itertools
import json
import re
from dataclasses import replace

import pytest

from engine.saves.digests import state_digest
from engine.saves.keyframes import keyframes_path
from engine.saves.playback import Desync, Playback
from engine.saves.recorder import Recorder
from engine.saves.run import Run
from engine.saves.run_file import LONGEST_LINE, OtherVersion, RunFileError, read_run, summarize
from engine.state.actions import Descend, Move, Refused, Visit, Wait
from engine.state.run_setup import Mode, RunSetup
from entities.wording import pluralise
from main import main
from procgen.level_code import LONGEST_CODE
from render.messages.names import creature_name
from render.session.session import level_start
from render.session.start_run import begin, last_unfinished, resume
from render.ui.text import plain_text
from support.bot_runs import played, rewritten, survived


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.jsonl"


def test_a_recorded_run_replays_to_the_same_digest(path):
    run = played(path)
    playback = Playback(read_run(path))
    for _ in playback.to_end():
        pass
    assert playback.position == 120
    assert state_digest(playback.engine.state) == state_digest(run.state)


def test_a_workshop_run_replays_too(path):
    run = played(path, 300, mode=Mode.WORKSHOP)
    playback = Playback(read_run(path))
    for _ in playback.to_end():
        pass
    assert state_digest(playback.engine.state) == state_digest(run.state)


def test_a_level_with_many_settings_is_recorded_and_read_again(path):
    rooms = [f"rectangular_rooms.{value}" for value in ("tries=31", "min_side=7", "max_side=11")]
    corridors = ["join_rooms_in_order.horizontal_first=0.25", "join_rooms_in_order.nearest=yes"]
    monsters = ["monsters_in_rooms.rooms=6", "monsters_in_rooms.each=2"]
    settings = (*rooms, *corridors, *monsters)
    run = Run.begin(RunSetup(1, "1", Mode.WORKSHOP, "rooms", settings=settings), path)
    run.act(Wait())
    run.act(Visit(str(replace(run.state.code, seed=2, depth=2))))
    run.add_keyframe()
    run.close()
    assert len(str(run.state.code)) > 200
    recorded = read_run(path)
    playback = Playback(recorded)
    playback.seek(len(recorded.actions))
    assert state_digest(playback.engine.state) == state_digest(run.state)
    assert playback.keyframes.nearest(2)[0] == 2
    assert summarize(path).level == str(run.state.code)
    assert 3 * LONGEST_CODE < LONGEST_LINE - 500, "an action, a level and an at of such a code"


def test_a_level_code_is_recorded_in_full_so_that_later_recipes_cannot_change_it(path):
    run = Run.begin(RunSetup(3, "3", generator="rooms"), path)
    assert not isinstance(run.act(Visit("caves:5")), Refused)
    run.close()
    assert read_run(path).actions[0][0] == Visit("caves.1:5:1@80x45")


def test_a_run_at_a_path_that_is_taken_is_told_unsaved_and_leaves_the_first_alone(path):
    first = played(path, 3)
    before = path.read_bytes()
    second = Run.begin(RunSetup(3, "3", generator="rooms"), path)
    second.act(Wait())
    assert "exists" in second.recorder.problem
    assert (second.recorder.path, path.read_bytes()) == (first.recorder.path, before)
    assert not list(path.parent.rglob("*.jsonl"))[1:]


def test_a_run_whose_path_another_game_has_taken_is_saved_at_another_from_the_start(own_home):
    first = begin(RunSetup(1, "1")).run
    second = Run.begin(RunSetup(1, "1"), first.recorder.path)
    assert second.recorder.problem is None
    assert second.recorder.path != first.recorder.path
    assert read_run(second.recorder.path).actions == read_run(first.recorder.path).actions == []
    first.close()
    second.close()


def test_what_was_refused_is_not_recorded(path):
    run = Run.begin(RunSetup(1, "1"), path)
    refused = list(itertools.product((-1, 0, 1), repeat=2)) * 12
    outcomes = [run.act(Move(*step)) for step in refused]
    run.close()
    done = [outcome for outcome in outcomes if not isinstance(outcome, Refused)]
    assert len(read_run(path).actions) == len(done) == run.state.turn


def test_a_death_ends_the_file(path):
    run = played(path, 20_000, seed=3)
    recorded = read_run(path)
    assert not run.state.hero.alive
    assert recorded.end == f"killed by {run.state.killed_by}"


def test_a_tampered_line_is_found_at_its_turn(path):
    played(path)
    lines = path.read_text().splitlines()
    for turn, change in ((40, {"do": ["wait"]}), (77, {"digest": "0" * 16})):
        spoiled = list(lines)
        spoiled[turn] = json.dumps({**json.loads(lines[turn]), **change})
        path.write_text("\n".join(spoiled) + "\n")
        playback = Playback(read_run(path))
        with pytest.raises(Desync) as fault:
            for _ in playback.to_end():
                pass
        assert fault.value.turn == turn


def test_every_cut_of_the_file_loses_at_most_the_torn_line(path):
    played(path, 30)
    whole = path.read_bytes()
    header = whole.index(b"\n") + 1
    for cut in range(header, len(whole), 17):
        path.write_bytes(whole[:cut])
        recorded = read_run(path)
        assert len(recorded.actions) == whole[:cut].count(b"\n") - 1
        assert recorded.torn == (whole[cut - 1 : cut] != b"\n")
        assert path.read_bytes() == whole[:cut]


def test_going_on_drops_the_torn_line_and_appends(path):
    played(path, 30)
    path.write_bytes(path.read_bytes()[:-9])
    recorded = read_run(path)
    session = resume(recorded)
    assert session.run.state.turn == 29
    session.act(Wait())
    session.run.close()
    again = read_run(path)
    assert len(again.actions) == 30
    assert not again.torn


@pytest.mark.parametrize("keyframes", [True, False])
def test_a_level_that_was_left_is_summed_up_after_saving_and_going_on(path, keyframes):
    survived(path, 250, depth=2)
    arrived = Playback(read_run(path))
    arrived.seek(max(arrived.recorded.arrivals))
    begun = level_start(arrived.engine.state)
    if not keyframes:
        keyframes_path(path).unlink()
    session = resume(read_run(path))
    state = session.run.state
    state.map.move_entity(state.hero, *state.map.exit)
    session.act(Descend())
    turns, kills = state.turn - begun.turn, pluralise(state.kills - begun.kills, "kill")
    summary = f"{begun.name}: {turns} turns, {kills}, {state.gold - begun.gold} gold"
    assert summary in plain_text(session.card)


def test_continue_finds_the_last_run_that_can_go_on(own_home):
    first = begin(RunSetup(1, "1"))
    first.act(Wait())
    first.run.close()
    second = begin(RunSetup(2, "2"))
    second.act(Wait())
    second.run.abandon()
    second.run.close()
    assert last_unfinished().header.setup.seed == 1
    resumed = resume(last_unfinished())
    assert "newer run" not in resumed.log.messages[-2].text
    resumed.run.close()
    (own_home / "runs" / "junk.jsonl").write_text("not a run")
    assert last_unfinished().header.setup.seed == 1
    session = resume(last_unfinished())
    assert re.match("Skipped a newer run: .*junk.jsonl: not a", session.log.messages[-2].text)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"hello\n", "not a Seedhollow run"),
        (b"\x00\xff\x80" * 999, "not a Seedhollow run"),
        (b'{"seedhollow":"ru', "not a Seedhollow run"),
        (b"[" * 100_000, "not a Seedhollow run"),
        (b"null\n", "not a Seedhollow run"),
        (b'{"seedhollow":"run","format":2,"program":"0.1.0"}\n', "damaged"),
    ],
)
def test_foreign_files_get_one_sentence_and_stay_untouched(path, content, words):
    path.write_bytes(content)
    with pytest.raises(RunFileError, match=words) as fault:
        read_run(path)
    assert "\n" not in str(fault.value)
    assert path.read_bytes() == content


def test_a_damaged_header_names_the_field_and_what_it_must_be(path):
    played(path, 5)
    first, *others = path.read_text().splitlines()
    path.write_text("\n".join([json.dumps(json.loads(first) | {"setup": 3}), *others]))
    words = r"damaged header \(setup: Expected a table, got a whole number\)"
    with pytest.raises(RunFileError, match=words):
        read_run(path)


def test_another_version_is_told_from_damage(path):
    played(path, 5)
    lines = path.read_text().splitlines()
    level = ["shaped_rooms.99:3:1@80x45", "0" * 16]
    for change in ({"format": 99}, {"rules": 99}, {"level": level}, {"program": "9", "new": 1}):
        spoiled = [json.dumps({**json.loads(lines[0]), **change}), *lines[1:]]
        path.write_text("\n".join(spoiled))
        with pytest.raises(OtherVersion):
            read_run(path)


def test_a_broken_line_is_named(path):
    played(path, 5)
    path.write_bytes(path.read_bytes() + b'{"do":["fly",1]}\n')
    with pytest.raises(RunFileError, match="line 7"):
        read_run(path)


def test_a_disk_that_refuses_is_said_and_play_goes_on(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    run = Run.begin(RunSetup(1, "1"), blocked / "run.jsonl")
    assert "not being saved" in run.recorder.problem
    assert not isinstance(run.act(Wait()), Refused)


def test_a_disk_that_fills_up_is_said(path):
    class Full:
        def fileno(self):
            return 0

        def write(self, _):
            raise OSError(28, "No space left on device")

        def close(self):
            pass

    recorder = Recorder(path, Full)
    recorder.action(Wait(), "0" * 16)
    assert "No space left" in recorder.problem
    recorder.action(Wait(), "0" * 16)


@pytest.mark.parametrize("end", ["won", "killed by dragon", "ascended"])
def test_verify_says_that_the_recorded_end_is_not_the_true_one(tmp_path, end, capsys):
    path = tmp_path / "run.jsonl"
    played(path, 20)
    with path.open("a") as stream:
        stream.write(f'{{"end":"{end}"}}\n')
    assert main(["replay", str(path), "--verify"]) != 0
    words = capsys.readouterr()
    assert f"records the end '{end}', but the hero lives" in words.err + words.out


def test_verify_says_that_a_death_is_not_recorded(tmp_path, capsys):
    path = tmp_path / "run.jsonl"
    run = played(path, 5000, seed=5, generator="caves", size=(30, 20))
    rewritten(path, lambda lines: lines[-1].pop("end"))
    assert main(["replay", str(path), "--verify"]) == 4
    true = f"records no end, but the true end is 'killed by {run.state.killed_by}'"
    assert true in capsys.readouterr().err


def test_verify_believes_a_true_end(tmp_path, capsys):
    path = tmp_path / "run.jsonl"
    run = played(path, 5000, seed=5, generator="caves", size=(30, 20))
    assert not run.state.hero.alive
    assert main(["replay", str(path), "--verify"]) == 0
    killer = creature_name(run.state.killed_by, definite=False)
    assert f"end     killed by {killer}\n" in capsys.readouterr().out, "as `runs` says it"
