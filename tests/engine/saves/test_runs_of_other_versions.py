"""A run of another version, other rules or other data: said to be one, and shown all the same."""

import re
from functools import partial
from importlib import import_module

import pytest
from msgspec.structs import replace

from engine.levels.dungeon import new_game
from engine.saves.keyframes import (
    KEYFRAME_INTERVAL,
    KeyframeWriter,
    keyframes_path,
    read_keyframes,
)
from engine.saves.playback import LevelMismatch, Playback
from engine.saves.run_file import Arrival, OtherVersion, read_run
from entities.program import VERSION
from main import main
from support.bot_runs import TURNS, copied, played, rewritten


@pytest.fixture
def path(deep_run, tmp_path):
    return copied(deep_run, tmp_path)


@pytest.mark.parametrize("first", [True, False])
def test_a_level_that_grows_otherwise_is_another_version_not_a_fault(path, first, capsys):
    turn = 0 if first else max(read_run(path).arrivals)

    def change(lines):
        lines[turn]["level"][1] = "0" * 16

    rewritten(path, change)
    with pytest.raises(LevelMismatch, match="not what they were"):
        for _ in Playback(read_run(path)).to_end():
            pass
    assert main(["replay", str(path), "--verify"]) == 3
    said = capsys.readouterr().err
    assert f"recorded with other data files or recipes: at turn {max(1, turn)} " in said


CHANGES = {
    "strength": ("entities.item_kinds", "item_kinds", "dagger", {"power": 9}),
    "weight": ("entities.item_kinds", "item_kinds", "dagger", {"spawn_weight": {"1": 99}}),
    "talent": ("entities.talents", "talents", "tough", {"hp": 9}),
    "status": ("entities.statuses", "status_kinds", "burning", {"harm": 9}),
    "creature": ("entities.creature_kinds", "creature_kinds", "rat", {"hp": 9}),
    "hero": ("entities.creature_kinds", "creature_kinds", "hero", {"power": 9}),
}
LOOKS = {
    "words": ("entities.item_kinds", "item_kinds", "dagger", {"name": "knife"}),
    "colours": (
        "entities.creature_kinds",
        "creature_kinds",
        "rat",
        {"color": "gold", "text": "A rat."},
    ),
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
    said = capsys.readouterr().err
    assert re.search("with other data files or recipes: at turn 1 .* not what they were\n", said)


def grown_otherwise(lines, program):
    """Let a run say that its first level was another, and which version recorded it."""
    lines[0]["program"], lines[0]["level"][1] = program, "0" * 16


def test_changed_data_name_the_version_to_play_with_only_if_it_is_another(path, capsys):
    for program, said in (
        (VERSION, "not what they were\n"),
        ("7.0.0", f"; {path} needs those of version 7.0.0\n"),
    ):
        rewritten(path, partial(grown_otherwise, program=program))
        assert main(["replay", str(path), "--verify"]) == 3
        assert capsys.readouterr().err.endswith(said)


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


@pytest.mark.parametrize("change", [{"rules": 99}, {"format": 99}])
def test_continue_advises_only_what_works_for_another_version(change, own_home, capsys):
    path = played(own_home / "runs" / "one.jsonl", 3).recorder.path
    rewritten(path, lambda lines: lines[0].update(change))
    keyframes_path(path).unlink(missing_ok=True)
    assert main(["play", "--continue"]) == 3
    said = capsys.readouterr().err
    assert "--keyframes" not in said
    assert "--take-over" not in said
    assert "; it has no keyframes to watch\n" in said


def test_continue_advises_to_watch_the_keyframes_of_another_version_if_there_are_any(
    own_home, capsys
):
    path = played(own_home / "runs" / "one.jsonl", KEYFRAME_INTERVAL).recorder.path
    rewritten(path, lambda lines: lines[0].update(rules=99))
    assert main(["play", "--continue"]) == 3
    said = capsys.readouterr().err
    assert "--keyframes" in said
    assert "--take-over" in said


def foreign(path):
    """Make another version's run of the one at ``path``, its keyframes with it."""
    frames, parts, _ = read_keyframes(read_run(path))
    rewritten(path, lambda lines: lines[0].update(rules=99))
    recorded = read_run(path, tolerant=True)
    moved = [replace(f, offset=recorded.ends[f.turns]) for f in frames]
    KeyframeWriter.begin(path, recorded.identity, moved, parts).close()
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
    playback.seek(KEYFRAME_INTERVAL + 1)
    assert playback.engine.state.turn == KEYFRAME_INTERVAL


def test_another_version_without_keyframes_has_nothing_to_show(path):
    rewritten(path, lambda lines: lines[0].update(rules=99))
    with pytest.raises(OtherVersion, match="no keyframes"):
        Playback(read_run(path, tolerant=True))


def test_a_header_says_what_the_run_was_recorded_with(path):
    header = read_run(path).header
    assert header.level == Arrival(str(new_game(header.setup).code), header.level.level_hash)
    assert all(
        re.fullmatch(r"[a-z_]+\.\d+", name) for s in header.setup.strata for name in s.recipes
    )
