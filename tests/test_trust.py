"""Keyframes make a run quick to go on with, and are believed only if the log agrees with them."""

import json
import os
import re
import zlib
from importlib import import_module

import pytest
from msgspec.structs import replace

from bots import played, survived
from engine.actions import Wait
from engine.engine import Engine
from engine.records.folds import keys_in
from engine.records.keyframe_writer import KeyframeWriter
from engine.records.keyframes import EVERY, beside, read_keyframes
from engine.records.lines import Arrival
from engine.records.record import OtherVersion, read_run
from engine.records.run import OutOfSync, Playback, Run, Trail
from engine.records.state import capture, pack
from engine.records.straying import GrewApart
from engine.setup import Mode, Setup
from engine.world import World
from main import main
from render.starting import resume

TURNS = 430


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """Return a run of some levels, played once for all tests; they work on copies."""
    path = tmp_path_factory.mktemp("run") / "run.jsonl"
    survived(path, TURNS, depth=3)
    return path


@pytest.fixture
def path(original, tmp_path):
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(original.read_bytes())
    beside(copy).write_bytes(beside(original).read_bytes())
    return copy


@pytest.fixture
def steps(monkeypatch):
    """Return a list that grows with every action the engine carries out."""
    done, step = [], Engine.step

    def counted(self, action):
        done.append(action)
        return step(self, action)

    monkeypatch.setattr(Engine, "step", counted)
    return done


def rewritten(path, change):
    """Let ``change`` alter the list of a file's lines as plain data."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    change(lines)
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))


def test_keyframes_are_kept_beside_the_run(path):
    frames, _, sound = read_keyframes(read_run(path))
    assert sound
    turns = [frame.turns for frame in frames]
    assert {EVERY, 2 * EVERY, 3 * EVERY, 4 * EVERY} <= set(turns)
    regular = set(range(0, TURNS + 1, EVERY))
    assert set(turns) - regular >= set(read_run(path).arrivals) - regular


def test_a_level_one_has_left_is_kept_once(path):
    frames, folds, _ = read_keyframes(read_run(path))
    needed = [key for frame in frames for key in keys_in(frame.needs)]
    assert 0 < len(set(needed)) < len(needed)
    assert folds.keys() == set(needed)
    for folded in folds.values():
        assert beside(path).read_bytes().count(folded) == 1


def test_going_anywhere_costs_few_turns(path, steps):
    recorded = read_run(path)
    whole = Playback(recorded)
    digests = [whole.engine.world.digest()]
    digests += [whole.engine.world.digest() for _ in whole.to_end()]
    playback = Playback(recorded)
    for turn in (TURNS, TURNS - 1, 3 * EVERY, 3 * EVERY - 1, 7, 0, 250, TURNS):
        steps.clear()
        playback.seek(turn)
        assert playback.position == turn
        assert playback.engine.world.digest() == digests[turn]
        assert len(steps) <= EVERY
    playback.seek(10**9)
    assert playback.finished


def test_a_replay_keeps_keyframes_of_its_own(path, steps):
    beside(path).unlink()
    playback = Playback(read_run(path), Trail.CLOSE)
    playback.seek(TURNS)
    assert len(steps) == TURNS
    for turn in range(TURNS, 0, -29):
        steps.clear()
        playback.seek(turn)
        assert len(steps) <= EVERY
    assert not beside(path).exists()


def test_going_on_plays_only_the_last_turns(path, steps, monkeypatch):
    monkeypatch.setattr("render.starting.RETOLD", 20)
    session = resume(read_run(path))
    assert len(steps) <= EVERY + 20
    assert session.run.world.turn == TURNS
    session.act(Wait())
    session.run.close()
    assert len(read_run(path).actions) == TURNS + 1


def test_going_on_is_quick_even_where_turns_are_slow(path, steps, monkeypatch):
    monkeypatch.setattr("render.starting.PATIENCE", 0.0)
    session = resume(read_run(path))
    assert len(steps) <= EVERY + 1
    assert session.run.world.digest() == read_run(path).actions[-1][1]
    assert "…" in [message.text for message in session.log.messages]
    session.run.close()


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
    before = beside(path).read_bytes()
    change = DAMAGE[harm]
    beside(path).unlink() if change is None else beside(path).write_bytes(change(before))
    session = resume(read_run(path))
    assert session.run.world.digest() == read_run(path).actions[-1][1]
    session.run.close()
    assert beside(path).read_bytes() == before
    assert not list(path.parent.glob("*.new"))


def test_keyframes_that_lie_are_not_believed(path):
    recorded = read_run(path)
    frames, folds, _ = read_keyframes(recorded)
    before = beside(path).read_bytes()
    other = World(recorded.header.setup)
    other.hero.fighter.hp = other.hero.fighter.max_hp = 999
    liar = pack(capture(other))
    bomb = zlib.compress(b"\0" * (64 << 20), 9)
    for state in (liar, bomb, b"", pack(capture(World(Setup(9, "9", Mode.WORKSHOP))))):
        lies = [replace(f, state=state) for f in frames]
        KeyframeWriter.begin(path, recorded.identity, lies, folds).close()
        assert read_keyframes(recorded).sound, "the lies look right"
        session = resume(read_run(path))
        assert session.run.world.digest() == recorded.actions[-1][1]
        assert session.run.world.hero.fighter.max_hp < 999
        session.run.close()
        assert beside(path).read_bytes() == before


def test_keyframes_after_the_end_of_a_shortened_log_are_dropped(path):
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: 1 + EVERY + 3]))
    session = resume(read_run(path))
    assert session.run.world.turn == EVERY + 3
    session.run.close()
    assert max(f.turns for f in read_keyframes(read_run(path))[0]) <= EVERY + 3


def test_keyframes_never_go_through_a_link(path, tmp_path):
    precious = tmp_path / "precious"
    precious.write_text("mine")
    for name in (
        beside(path),
        path.with_name(path.name + ".lock"),
        path.with_name("copy.jsonl.keys.new"),
    ):
        name.unlink(missing_ok=True)
        name.symlink_to(precious)
    session = resume(read_run(path))
    session.act(Wait())
    session.run.close()
    assert precious.read_text() == "mine"
    assert not beside(path).is_symlink()


def test_keyframes_that_cannot_be_written_are_done_without(path):
    beside(path).unlink()
    beside(path).mkdir()
    session = resume(read_run(path))
    session.act(Wait())
    session.run.close()
    assert len(read_run(path).actions) == TURNS + 1


def test_where_much_goes_on_there_are_more_keyframes(tmp_path, monkeypatch):
    turns = {}
    for busy in (10**9, 3):
        monkeypatch.setattr("engine.records.run.BUSY", busy)
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

    monkeypatch.setattr("engine.records.bookmarks.taken", unwanted)
    assert main(["replay", str(path), "--verify"]) == 0


@pytest.mark.parametrize("part", ["map", "actors", "run", "streams"])
def test_a_divergence_is_blamed_on_its_turn_and_part(path, part, capsys):
    place = ["map", "actors", "run", "streams"].index(part) * 4

    def change(lines):
        digest = lines[37]["digest"]
        other = "ffff" if digest[place : place + 4] != "ffff" else "0000"
        lines[37]["digest"] = digest[:place] + other + digest[place + 4 :]

    rewritten(path, change)
    playback = Playback(read_run(path))
    with pytest.raises(OutOfSync) as fault:
        for _ in playback.to_end():
            pass
    assert (fault.value.turn, fault.value.subsystems) == (37, (part,))
    assert playback.position == 36
    assert playback.engine.world.turn == 36
    playback.seek(20)
    assert playback.position == 20
    assert main(["replay", str(path), "--verify"]) == 4
    said = capsys.readouterr().err
    assert re.search(rf"out of sync at turn 37 \({part}\)", said)


def test_another_action_is_blamed_where_it_shows(path):
    def change(lines):
        lines[50]["do"] = ["descend"]

    rewritten(path, change)
    with pytest.raises(OutOfSync, match="says was done cannot be") as fault:
        Playback(read_run(path)).seek(TURNS)
    assert fault.value.turn == 50
    assert "run" in fault.value.subsystems


@pytest.mark.parametrize("first", [True, False])
def test_a_level_that_grows_otherwise_is_another_version_not_a_fault(path, first, capsys):
    turn = 0 if first else max(read_run(path).arrivals)

    def change(lines):
        lines[turn]["level"][1] = "0" * 16

    rewritten(path, change)
    with pytest.raises(GrewApart, match="not what it was"):
        for _ in Playback(read_run(path)).to_end():
            pass
    assert main(["replay", str(path), "--verify"]) == 3
    assert f"turn {max(1, turn)} (map)" in capsys.readouterr().err


CHANGES = {
    "strength": ("entities.items", "item_kinds", "dagger", {"power": 9}),
    "weight": ("entities.items", "item_kinds", "dagger", {"appears": {"1": 99}}),
    "talent": ("entities.talents", "talents", "tough", {"hp": 9}),
    "status": ("entities.statuses", "statuses", "burning", {"harm": 9}),
    "creature": ("entities.kinds", "creatures", "rat", {"hp": 9}),
    "hero": ("entities.kinds", "creatures", "hero", {"power": 9}),
}
LOOKS = {
    "words": ("entities.items", "item_kinds", "dagger", {"name": "knife"}),
    "colours": ("entities.kinds", "creatures", "rat", {"color": "gold", "text": "A rat."}),
    "texts": ("entities.talents", "talents", "tough", {"text": "More."}),
}


def edited(monkeypatch, module, table, name, changes):
    """Let a table of data say something else about ``name``."""
    kinds = getattr(import_module(module), table)()
    monkeypatch.setitem(kinds, name, replace(kinds[name], **changes))


@pytest.mark.parametrize("what", CHANGES)
def test_changed_data_are_another_version_and_not_damage(path, what, monkeypatch, capsys):
    edited(monkeypatch, *CHANGES[what])
    assert main(["replay", str(path), "--verify"]) == 3
    assert "is not what it was when version" in capsys.readouterr().err


@pytest.mark.parametrize("what", LOOKS)
def test_changed_looks_change_no_run(path, what, monkeypatch):
    edited(monkeypatch, *LOOKS[what])
    assert main(["replay", str(path), "--verify"]) == 0


def test_another_version_says_what_can_still_be_done(path, capsys):
    rewritten(path, lambda lines: lines[0].update(rules=99, program="7.0.0"))
    for options in ([], ["--verify"]):
        assert main(["replay", str(path), *options]) == 3
        said = capsys.readouterr().err
        assert "version 7.0.0" in said
        assert "--keyframes" in said
        assert "--take-over" in said


def foreign(path):
    """Make another version's run of the one at ``path``, its keyframes with it."""
    frames, folds, _ = read_keyframes(read_run(path))
    rewritten(path, lambda lines: lines[0].update(rules=99))
    recorded = read_run(path, tolerant=True)
    moved = [replace(f, offset=recorded.ends[f.turns]) for f in frames]
    KeyframeWriter.begin(path, recorded.identity, moved, folds).close()
    return [f.turns for f in frames]


def test_another_versions_run_is_watched_from_keyframe_to_keyframe(path):
    turns = foreign(path)
    with pytest.raises(OtherVersion):
        read_run(path)
    playback = Playback(read_run(path, tolerant=True))
    seen = []
    while not playback.finished:
        assert playback.step() == []
        seen.append(playback.position)
    assert seen == [*turns, TURNS]
    playback.seek(EVERY + 1)
    assert playback.engine.world.turn == EVERY


def test_another_version_without_keyframes_has_nothing_to_show(path):
    rewritten(path, lambda lines: lines[0].update(rules=99))
    with pytest.raises(OtherVersion, match="no keyframes"):
        Playback(read_run(path, tolerant=True))


def test_a_header_says_what_the_run_was_recorded_with(path):
    header = read_run(path).header
    assert header.level == Arrival(str(World(header.setup).code), header.level.meaning)
    assert all(
        re.fullmatch(r"[a-z_]+\.\d+", name) for s in header.setup.strata for name in s.recipes
    )


def test_a_state_too_large_for_a_header_forgets_what_lies_furthest(path, tmp_path, monkeypatch):
    playback = Playback(read_run(path))
    playback.seek(TURNS)
    world = playback.engine.world
    assert len(world.remembered) > 1
    most = len(pack(capture(world))) - 60
    monkeypatch.setattr("engine.records.run.LARGEST_START", most)
    run = Run.begin_from(world.setup, capture(world), tmp_path / "own.jsonl")
    run.act(Wait())
    run.close()
    left = set(world.remembered) - set(run.world.remembered)
    assert left
    assert left == {min(world.remembered)}
    for _ in Playback(read_run(tmp_path / "own.jsonl")).to_end():
        pass


def test_a_run_that_begins_in_the_middle_is_its_own(path, tmp_path):
    playback = Playback(read_run(path))
    playback.seek(300)
    world, own = playback.engine.world, tmp_path / "own.jsonl"
    run = Run.begin_from(world.setup, capture(world), own)
    assert not run.world.scored
    for _ in range(30):
        run.act(Wait())
    run.close()
    recorded = read_run(own)
    again = Playback(recorded)
    for _ in again.to_end():
        pass
    assert again.engine.world.digest() == run.world.digest()
    assert again.engine.world.turn == 330 if run.world.hero.alive else True
