"""Keyframes make a run quick to go on with; they are kept beside it and never in the way."""

import os

import pytest

from engine.engine import Engine
from engine.levels.drawn_level import pack_drawn
from engine.saves.digests import state_digest
from engine.saves.keyframes import KEYFRAME_INTERVAL, keyframes_path, read_keyframes
from engine.saves.playback import Desync, KeepKeyframes, Playback
from engine.saves.run import Run
from engine.saves.run_file import read_run
from engine.saves.saved_state import split_keys
from engine.state.actions import Drop, PickUp, Refused, Wait
from engine.state.run_setup import RunSetup
from main import main
from render.messages.message_log import GAP
from render.session.session import level_start
from render.session.start_run import resume
from support.bot_runs import TURNS, copied, played
from workbench.level_files import read_level

CONTINUED = "You continue where you left off."


@pytest.fixture
def path(deep_run, tmp_path):
    return copied(deep_run, tmp_path)


@pytest.fixture
def steps(monkeypatch):
    """Return a list that grows with every action the engine carries out."""
    done, step = [], Engine.step

    def counted(self, action):
        done.append(action)
        return step(self, action)

    monkeypatch.setattr(Engine, "step", counted)
    return done


def test_keyframes_are_kept_beside_the_run(path):
    frames, _, sound = read_keyframes(read_run(path))
    assert sound
    turns = [frame.turns for frame in frames]
    assert {
        KEYFRAME_INTERVAL,
        2 * KEYFRAME_INTERVAL,
        3 * KEYFRAME_INTERVAL,
        4 * KEYFRAME_INTERVAL,
    } <= set(turns)
    regular = set(range(0, TURNS + 1, KEYFRAME_INTERVAL))
    assert set(turns) - regular >= set(read_run(path).arrivals) - regular


def test_a_level_one_has_left_is_kept_once(path):
    frames, parts, _ = read_keyframes(read_run(path))
    needed = [key for frame in frames for key in split_keys(frame.needs)]
    assert 0 < len(set(needed)) < len(needed)
    assert parts.keys() == set(needed)
    for folded in parts.values():
        assert keyframes_path(path).read_bytes().count(folded) == 1


def test_going_anywhere_costs_few_turns(path, steps):
    recorded = read_run(path)
    whole = Playback(recorded)
    digests = [state_digest(whole.engine.state)]
    digests += [state_digest(whole.engine.state) for _ in whole.to_end()]
    playback = Playback(recorded)
    for turn in (
        TURNS,
        TURNS - 1,
        3 * KEYFRAME_INTERVAL,
        3 * KEYFRAME_INTERVAL - 1,
        7,
        0,
        250,
        TURNS,
    ):
        steps.clear()
        playback.seek(turn)
        assert playback.position == turn
        assert state_digest(playback.engine.state) == digests[turn]
        assert len(steps) <= KEYFRAME_INTERVAL
    playback.seek(10**9)
    assert playback.finished


def test_a_replay_keeps_keyframes_of_its_own(path, steps):
    keyframes_path(path).unlink()
    playback = Playback(read_run(path), KeepKeyframes.CLOSE)
    playback.seek(TURNS)
    assert len(steps) == TURNS
    for turn in range(TURNS, 0, -29):
        steps.clear()
        playback.seek(turn)
        assert len(steps) <= KEYFRAME_INTERVAL
    assert not keyframes_path(path).exists()


def test_going_on_plays_only_the_last_turns(path, steps, monkeypatch):
    monkeypatch.setattr("render.session.start_run.REPLAYED_TURNS", 20)
    session = resume(read_run(path))
    assert len(steps) <= KEYFRAME_INTERVAL + 20
    assert session.run.state.turn == TURNS
    session.act(Wait())
    session.run.close()
    assert len(read_run(path).actions) == TURNS + 1


def test_going_on_is_quick_even_where_turns_are_slow(path, steps, monkeypatch):
    monkeypatch.setattr("render.session.start_run.REPLAY_SECONDS", 0.0)
    session = resume(read_run(path))
    assert len(steps) <= 2 * KEYFRAME_INTERVAL
    assert state_digest(session.run.state) == read_run(path).actions[-1][1]
    told = {message.text: message.color for message in session.log.messages}
    assert told[GAP] == "dim", "a fainter colour would be hard to read"
    session.run.close()


def juggled(folder, turns):
    """Return a run in an empty room: the hero drops an item and takes it again, told every turn."""
    (folder / "room.txt").write_text("#######\n#<...>#\n#######\n")
    drawn = pack_drawn(read_level(folder / "room.txt"), 1)
    run = Run.begin(RunSetup(1, "1", drawn=drawn, drawn_from="room.txt"), folder / "run.jsonl")
    thing = run.state.hero.inventory[-1]
    while run.state.turn < turns:
        held = thing in run.state.hero.inventory
        assert not isinstance(run.act(Drop(thing.id) if held else PickUp()), Refused)
    assert len(run.state.map.entities) == 1
    run.close()
    return folder / "run.jsonl"


def test_what_there_is_time_to_tell_leads_up_to_the_present_without_a_gap(tmp_path, monkeypatch):
    told, path = [], juggled(tmp_path, 350)
    for seconds in (60.0, 0.0):
        monkeypatch.setattr("render.session.start_run.REPLAY_SECONDS", seconds)
        session = resume(read_run(path))
        session.run.close()
        told.append([(message.turn, message.text) for message in session.log.messages])
    whole, hurried = told
    gap = [text for _, text in hurried].index(GAP)
    assert len(whole) > len(hurried) > gap + 2
    assert hurried[gap + 1 :] == whole[-len(hurried[gap + 1 :]) :]


@pytest.fixture
def just_arrived(path, monkeypatch):
    """Return the path of a run that was left on its arrival on a level, and the turn of that."""
    recorded = read_run(path)
    turn = max(recorded.arrivals)
    assert turn > 100
    monkeypatch.setattr("render.session.start_run.REPLAYED_TURNS", 90)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: turn + 1]))
    return path, turn


def test_after_leaving_on_arrival_the_log_tells_what_happened_before(just_arrived):
    path, turn = just_arrived
    session = resume(read_run(path))
    told = [message.text for message in session.log.messages]
    after = told.index(GAP) + 1
    assert GAP not in told[after:]
    assert len(told) > after + 5
    assert session.log.messages[after].turn < turn - 50
    assert session.card == []
    assert session._mark == level_start(session.run.state)
    session.run.close()


def test_what_is_wrong_before_the_level_is_left_out_and_the_run_goes_on(just_arrived, monkeypatch):
    path, turn = just_arrived
    step = Playback.step

    def faulty(self):
        if self.position == turn - 20:
            raise Desync(path, self.position + 1, ("rng",))
        return step(self)

    monkeypatch.setattr(Playback, "step", faulty)
    session = resume(read_run(path))
    assert session.run.state.turn == turn
    assert [message.text for message in session.log.messages][-2:] == [GAP, CONTINUED]
    assert session._mark == level_start(session.run.state)
    session.run.close()


def test_no_gap_is_told_of_in_a_run_that_is_replayed_from_its_start(tmp_path):
    played(tmp_path / "short.jsonl", 40)
    session = resume(read_run(tmp_path / "short.jsonl"))
    assert GAP not in [message.text for message in session.log.messages]
    session.run.close()


def test_keyframes_never_go_through_a_link(path, tmp_path):
    precious = tmp_path / "precious"
    precious.write_text("mine")
    for name in (
        keyframes_path(path),
        path.with_name(f"copy.jsonl.keys.{os.getpid()}.new"),
    ):
        name.unlink(missing_ok=True)
        name.symlink_to(precious)
    session = resume(read_run(path))
    session.act(Wait())
    session.run.close()
    assert precious.read_text() == "mine"
    assert not keyframes_path(path).is_symlink()


def test_keyframes_that_cannot_be_written_are_done_without(path):
    keyframes_path(path).unlink()
    keyframes_path(path).mkdir()
    session = resume(read_run(path))
    session.act(Wait())
    session.run.close()
    assert len(read_run(path).actions) == TURNS + 1


def test_where_much_goes_on_there_are_more_keyframes(tmp_path, monkeypatch):
    turns = {}
    for busy in (10**9, 3):
        monkeypatch.setattr("engine.saves.run.BUSY_WORK", busy)
        played(tmp_path / f"{busy}.jsonl", 120, 1)
        frames, _, sound = read_keyframes(read_run(tmp_path / f"{busy}.jsonl"))
        assert sound
        turns[busy] = [frame.turns for frame in frames]
    assert set(turns[10**9]) < set(turns[3])
    few, many = (read_run(tmp_path / f"{busy}.jsonl") for busy in turns)
    assert few.actions == many.actions


def test_who_only_checks_a_run_remembers_no_place(path, monkeypatch):
    def unwanted(*_):
        raise AssertionError("nobody goes back")

    monkeypatch.setattr("engine.saves.keyframe_index.take_keyframe", unwanted)
    assert main(["replay", str(path), "--verify"]) == 0


@pytest.mark.parametrize("further", [-1, 0, 1, 40])
def test_a_replay_plays_on_over_a_short_way_and_begins_at_a_keyframe_over_a_longer_one(
    path, steps, further
):
    playback = Playback(read_run(path))
    steps.clear()
    playback.seek(KEYFRAME_INTERVAL + further)
    assert playback.position == KEYFRAME_INTERVAL + further
    if further <= 0:
        assert len(steps) == KEYFRAME_INTERVAL + further
    else:
        assert len(steps) <= further


@pytest.mark.parametrize("lead", [0, 1, 30, KEYFRAME_INTERVAL])
def test_of_a_way_forward_the_last_turns_that_are_asked_for_are_played(path, steps, lead):
    playback = Playback(read_run(path))
    told = list(playback.play_to(TURNS, lead))
    assert playback.finished
    assert lead <= len(told) == len(steps) < lead + KEYFRAME_INTERVAL
