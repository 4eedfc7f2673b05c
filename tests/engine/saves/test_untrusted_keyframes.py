"""What stands beside a run or in it is believed only if playing it again agrees."""

import os
import re
import zlib
from pathlib import Path

import pytest
from msgspec.structs import replace

from components.inventory import Item
from engine.levels.dungeon import new_game
from engine.saves.digests import state_digest
from engine.saves.keyframe_index import KeyframeIndex
from engine.saves.keyframes import KEYFRAME_INTERVAL, KeyframeWriter, keyframes_path, read_keyframes
from engine.saves.playback import Desync, Playback
from engine.saves.run import Run
from engine.saves.run_file import RunFileError, read_run
from engine.saves.saved_state import pack_state, save_state
from engine.state.actions import Wait
from engine.state.run_setup import Mode, RunSetup
from main import main
from render.session.start_run import resume
from support.bot_runs import TURNS, copied, rewritten


@pytest.fixture
def path(deep_run, tmp_path):
    return copied(deep_run, tmp_path)


def cut(data):
    return data[: len(data) * 2 // 3]


def flipped(data):
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


DAMAGE = {
    "deleted": None,
    "empty": lambda data: b"",
    "cut": cut,
    "flipped": flipped,
    "zeros": lambda data: data[:-300] + b"\0" * 300,
    "of another run": lambda data: data.replace(data[23:39], b"another run here"),
    "noise": lambda data: os.urandom(len(data)),
}


@pytest.mark.parametrize("harm", DAMAGE)
def test_spoiled_keyframes_are_noticed_and_built_again(path, harm):
    before = keyframes_path(path).read_bytes()
    change = DAMAGE[harm]
    keyframes_path(path).unlink() if change is None else keyframes_path(path).write_bytes(
        change(before)
    )
    session = resume(read_run(path))
    assert state_digest(session.run.state) == read_run(path).actions[-1][1]
    session.run.close()
    assert keyframes_path(path).read_bytes() == before
    assert not list(path.parent.glob("*.new"))


@pytest.mark.parametrize(("harm", "same"), [(bytes, True), (cut, False)])
def test_a_sound_file_of_keyframes_is_added_to_and_only_a_spoiled_one_written_anew(
    path, tmp_path, harm, same
):
    kept = keyframes_path(path)
    kept.write_bytes(harm(kept.read_bytes()))
    os.link(kept, tmp_path / "first")
    resume(read_run(path)).run.close()
    assert kept.samefile(tmp_path / "first") == same


def test_keyframes_that_lie_are_not_believed(path):
    recorded = read_run(path)
    frames, parts, _ = read_keyframes(recorded)
    before = keyframes_path(path).read_bytes()
    other = new_game(recorded.header.setup)
    other.hero.fighter.hp = other.hero.fighter.max_hp = 999
    liar = pack_state(save_state(other))
    bomb = zlib.compress(b"\0" * (64 << 20), 9)
    for state in (
        liar,
        bomb,
        b"",
        pack_state(save_state(new_game(RunSetup(9, "9", Mode.WORKSHOP)))),
    ):
        lies = [replace(f, state=state) for f in frames]
        KeyframeWriter.begin(path, recorded.identity, lies, parts).close()
        assert read_keyframes(recorded).sound, "the lies look right"
        session = resume(read_run(path))
        assert state_digest(session.run.state) == recorded.actions[-1][1]
        assert session.run.state.hero.fighter.max_hp < 999
        session.run.close()
        assert keyframes_path(path).read_bytes() == before


def test_keyframes_after_the_end_of_a_shortened_log_are_dropped(path):
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: 1 + KEYFRAME_INTERVAL + 3]))
    session = resume(read_run(path))
    assert session.run.state.turn == KEYFRAME_INTERVAL + 3
    session.run.close()
    assert max(f.turns for f in read_keyframes(read_run(path))[0]) <= KEYFRAME_INTERVAL + 3


@pytest.mark.parametrize("part", ["map", "actors", "run", "streams"])
def test_a_divergence_is_blamed_on_its_turn_and_part(path, part, capsys):
    place = ["map", "actors", "run", "streams"].index(part) * 4

    def change(lines):
        digest = lines[37]["digest"]
        other = "ffff" if digest[place : place + 4] != "ffff" else "0000"
        lines[37]["digest"] = digest[:place] + other + digest[place + 4 :]

    rewritten(path, change)
    playback = Playback(read_run(path))
    with pytest.raises(Desync) as fault:
        for _ in playback.to_end():
            pass
    assert (fault.value.turn, fault.value.subsystems) == (37, (part,))
    assert playback.position == 36
    assert playback.engine.state.turn == 36
    playback.seek(20)
    assert playback.position == 20
    assert main(["replay", str(path), "--verify"]) == 4
    said = capsys.readouterr().err
    assert re.search(rf"out of sync at turn 37 \({part}\)", said)


def test_another_action_is_blamed_where_it_shows(path):
    def change(lines):
        lines[50]["do"] = ["descend"]

    rewritten(path, change)
    with pytest.raises(Desync, match="action that is refused") as fault:
        Playback(read_run(path)).seek(TURNS)
    assert fault.value.turn == 50
    assert "run" in fault.value.subsystems


def test_a_state_too_large_for_a_header_forgets_what_lies_furthest(path, tmp_path, monkeypatch):
    playback = Playback(read_run(path))
    playback.seek(TURNS)
    state = playback.engine.state
    assert len(state.stored_levels) > 1
    most = len(pack_state(save_state(state))) - 60
    monkeypatch.setattr("engine.saves.run.LARGEST_START", most)
    run = Run.begin_from(state.setup, save_state(state), tmp_path / "own.jsonl")
    run.act(Wait())
    run.close()
    left = set(state.stored_levels) - set(run.state.stored_levels)
    assert left
    assert left == {min(state.stored_levels)}
    for _ in Playback(read_run(tmp_path / "own.jsonl")).to_end():
        pass


def test_a_state_too_large_for_a_header_with_all_forgotten_is_refused(path, tmp_path, monkeypatch):
    playback = Playback(read_run(path))
    playback.seek(TURNS)
    state = playback.engine.state
    monkeypatch.setattr("engine.saves.run.LARGEST_START", 1)
    with pytest.raises(RunFileError, match="too large to begin a run file with"):
        Run.begin_from(state.setup, save_state(state), tmp_path / "own.jsonl")
    assert not (tmp_path / "own.jsonl").exists()


def test_no_run_begins_from_a_state_that_could_not_be_read_again(path, tmp_path):
    playback = Playback(read_run(path))
    playback.seek(TURNS)
    state = playback.engine.state
    state.map.items[2, 2] = [Item(state.new_id(), "dart") for _ in range(1001)]
    with pytest.raises(RunFileError, match=r"cannot begin a run file .*items.*length at most 1000"):
        Run.begin_from(state.setup, save_state(state), tmp_path / "own.jsonl")
    assert not (tmp_path / "own.jsonl").exists()


def test_a_run_that_begins_in_the_middle_is_its_own(path, tmp_path):
    playback = Playback(read_run(path))
    playback.seek(300)
    state, own = playback.engine.state, tmp_path / "own.jsonl"
    run = Run.begin_from(state.setup, save_state(state), own)
    assert not run.state.scored
    for _ in range(30):
        run.act(Wait())
    run.close()
    recorded = read_run(own)
    again = Playback(recorded)
    for _ in again.to_end():
        pass
    assert state_digest(again.engine.state) == state_digest(run.state)
    assert again.engine.state.turn == 330 if run.state.hero.alive else True


@pytest.mark.parametrize(
    ("subsystems", "named"),
    [(("map",), "map"), (("map", "hero"), "map and hero"), (("a", "b", "c"), "a, b and c")],
)
def test_a_desync_names_its_turn_and_all_that_differs(subsystems, named):
    fault = Desync(Path("a.run"), 7, subsystems)
    assert str(fault) == f"out of sync at turn 7 ({named}): the replay differs from a.run"
    assert (fault.turn, fault.subsystems) == (7, subsystems)
    assert str(Desync(Path("a.run"), 7, subsystems, "why")).endswith(f"({named}): why")


def test_no_level_is_built_that_the_log_does_not_name(path):
    """A forged keyframe could name a level of a million tiles."""
    index = KeyframeIndex(read_run(path))
    built = []
    index._level = built.append
    index._code_at = lambda turns: "rooms:7"
    index._ensure_read()
    turns = min(index._frames)
    assert index._restored(index._frames[turns]) is None
    assert not built
