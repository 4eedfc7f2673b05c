"""Run files that were cut off, copied between systems or put together: what is whole counts."""

import pytest

from engine.saves.playback import Desync, Playback
from engine.saves.run_file import (
    LONGEST_LINE,
    MissingUserRecipe,
    RunFileError,
    read_run,
    summarize,
)
from engine.state.actions import Wait
from main import main
from render.session.start_run import resume
from support.bot_runs import headed, played, rewritten


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.jsonl"


@pytest.mark.parametrize(
    ("tail", "words"),
    [
        (b'{"do":["wait"],"digest":"0"}\n', "line 14 is not part"),
        (b'{"do":["wait"]}\n', "line 14 is not part"),
        (b'{"digest":"0000000000000000"}\n', "line 14 is not part"),
        (b"{}\n", "line 14 is not part"),
        (b"\n", "line 14 is not part"),
        (b'{"do":["move",2,0],"digest":"0000000000000000"}\n', "line 14 is not part"),
        (b'{"do":["wait"],"digest":"0000000000000000","then":1}\n', "line 14 is not part"),
        (b'{"end":"done"}\n{"end":"again"}\n', "line 15 comes after the end"),
        (b"x" * (LONGEST_LINE + 900), "line 14 is not part"),
        (b"\0" * 100 + b"x\n", "line 14 is not part"),
        (b'{"do":["wait"],"digest":"' + b"[" * 3000 + b"\n", "line 14 is not part"),
    ],
)
def test_a_damaged_end_is_named_and_what_is_whole_can_be_played(
    path, run_lines, tail, words, capsys
):
    path = headed(path, run_lines)
    path.write_bytes(path.read_bytes() + tail)
    with pytest.raises(RunFileError, match=words):
        read_run(path)
    recorded = read_run(path, tolerant=True)
    assert len(recorded.actions) == 12
    assert "; 12 turns before it can be replayed" in str(recorded.fault)
    for _ in Playback(recorded).to_end():
        pass
    assert main(["replay", str(path), "--verify"]) == 1
    assert words in capsys.readouterr().err


def test_a_single_turn_before_the_damage_is_counted_in_the_singular(path, run_lines):
    path = headed(path, run_lines[:2])
    path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(RunFileError, match="; 1 turn before it can be replayed"):
        read_run(path)


@pytest.mark.parametrize(
    "tail", [b'{"do":["wa', b"\0" * (LONGEST_LINE + 900), b"\0", b'{"do":["wait"],"digest":"0000']
)
def test_what_a_kill_or_a_power_cut_leaves_is_no_damage(path, run_lines, tail):
    path = headed(path, run_lines)
    path.write_bytes(path.read_bytes() + tail)
    recorded = read_run(path)
    assert recorded.torn
    assert len(recorded.actions) == 12


@pytest.mark.parametrize("missing", [1, 2, 9])
def test_a_header_that_was_cut_short_is_no_run_to_continue(path, run_lines, missing):
    path = headed(path, run_lines[:1])
    path.write_bytes(path.read_bytes()[:-missing])
    with pytest.raises(RunFileError, match="cut short" if missing == 1 else "not a Seedhollow"):
        read_run(path)
    assert summarize(path).result == "damaged"


def test_line_ends_of_other_systems_are_read(path, run_lines):
    path = headed(path, run_lines)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    for _ in Playback(read_run(path)).to_end():
        pass
    path.write_bytes(path.read_bytes().replace(b"\r\n", b"\r"))
    with pytest.raises(RunFileError, match="not a Seedhollow run"):
        read_run(path)


def test_a_byte_order_mark_is_read_over(path):
    played(path, 60)
    marked = b"\xef\xbb\xbf" + path.read_bytes()
    path.write_bytes(marked)
    assert summarize(path).turns == 60
    session = resume(read_run(path))
    session.act(Wait())
    session.run.close()
    assert path.read_bytes().startswith(marked)
    recorded = read_run(path)
    for _ in Playback(recorded).to_end():
        pass
    assert len(recorded.actions) == 61


def test_a_second_header_is_not_part_of_a_run(path, run_lines):
    headed(path, [run_lines[0], *run_lines[1:6], run_lines[0], *run_lines[6:]])
    with pytest.raises(RunFileError, match="line 7 is not part"):
        read_run(path)
    text = path.read_text().replace(
        '"seedhollow": "run"', '"seedhollow": "run", "seedhollow": 1', 1
    )
    path.write_text(text)
    with pytest.raises(RunFileError):
        read_run(path)


def test_an_arrival_that_never_happened_is_out_of_sync(path, run_lines):
    path = headed(path, run_lines)
    rewritten(path, lambda lines: lines[5].update(level=lines[0]["level"]))
    with pytest.raises(Desync, match="out of sync at turn 5 "):
        Playback(read_run(path)).verify()


def test_a_run_on_a_recipe_of_its_player_that_is_not_here_is_not_even_read_in_part(path, run_lines):
    path = headed(path, run_lines)
    rewritten(path, lambda lines: lines[0]["level"].__setitem__(0, "~lost.1:3:1@80x45"))
    for tolerant in (False, True):
        with pytest.raises(MissingUserRecipe, match="needs a recipe of your own"):
            read_run(path, tolerant=tolerant)


def test_a_run_whose_first_level_cannot_be_built_any_more_is_one_sentence(path, run_lines):
    tries = ["rectangular_rooms.tries=0"]
    path = headed(path, run_lines, generator="rooms", version=1, settings=tries)
    with pytest.raises(RunFileError, match="attempts were rejected: no room fits"):
        Playback(read_run(path))
