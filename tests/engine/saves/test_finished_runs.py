"""A run is finished if its last line says so; lists read only the ends of files, however long."""

import io
import json
from pathlib import Path

import pytest

from engine.saves.keyframes import KEYFRAME_INTERVAL, read_keyframes
from engine.saves.run import Run
from engine.saves.run_file import (
    AT_INTERVAL,
    LONGEST_LINE,
    TAILS,
    RunFileError,
    read_run,
    summarize,
    unfinished,
)
from engine.state.actions import Wait
from engine.state.run_setup import RunSetup
from main import main
from render.session.start_run import resume

END = '{"end":"abandoned"}\n'


def waited(path, turns):
    """Return a run of so many waits, its file closed."""
    run = Run.begin(RunSetup(3, "3", generator="walk", size=(30, 20)), path)
    run.state.hero.fighter.max_hp = run.state.hero.fighter.hp = 10**6
    for _ in range(turns):
        run.act(Wait())
    run.close()
    return run


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    """The files of a short run and of a long one, without an end."""
    short = tmp_path_factory.mktemp("runs") / "run.jsonl"
    waited(short, 5)
    lines = short.read_text().splitlines(keepends=True)
    long = "".join(lines) + lines[-1] * (3 * LONGEST_LINE // len(lines[-1]))
    assert len(long) > 2 * LONGEST_LINE > len("".join(lines))
    return {"short": "".join(lines), "long": long}


@pytest.mark.parametrize("length", ["short", "long"])
def test_a_run_without_an_end_is_unfinished_and_one_with_an_end_is_not(texts, length, tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text(texts[length])
    assert unfinished(path)
    assert summarize(path).result == "unfinished"
    path.write_text(texts[length] + END)
    assert not unfinished(path)
    assert summarize(path).result == "abandoned"
    for torn in ("half a li", "x" * (LONGEST_LINE - 1)):
        path.write_text(texts[length] + END + torn)
        assert not unfinished(path), "what a killed process leaves behind an end ends nothing"


def test_a_header_alone_and_a_torn_line_are_unfinished(texts, tmp_path):
    path = tmp_path / "run.jsonl"
    header, *_ = texts["short"].splitlines(keepends=True)
    for text in (header, texts["short"][:-9], header + "damage\n"):
        path.write_text(text)
        assert unfinished(path)
    assert not unfinished(tmp_path / "missing.jsonl")


@pytest.mark.parametrize("turns", [KEYFRAME_INTERVAL, KEYFRAME_INTERVAL + 1, 2 * KEYFRAME_INTERVAL])
def test_the_keyframe_of_the_last_turn_is_used(tmp_path, turns):
    waited(tmp_path / "run.jsonl", turns)
    kept = read_keyframes(read_run(tmp_path / "run.jsonl"))
    assert kept.sound
    assert [frame.turns for frame in kept.frames] == list(
        range(KEYFRAME_INTERVAL, turns + 1, KEYFRAME_INTERVAL)
    )


@pytest.fixture
def bytes_read(monkeypatch):
    """The number of bytes read from each run file."""
    counts, real = {}, Path.open

    def opened(path, *arguments, **options):
        stream = real(path, *arguments, **options)
        if path.suffix != ".jsonl" or arguments != ("rb",) or options:
            return stream

        class Counted(io.BufferedReader):
            def read(self, size=-1):
                data = super().read(size)
                counts[path.name] = counts.get(path.name, 0) + len(data)
                return data

        return Counted(stream.detach())

    monkeypatch.setattr(Path, "open", opened)
    return counts


def test_a_list_reads_only_the_ends_of_long_runs(own_home, capsys, bytes_read):
    waited(own_home / "runs" / "long.jsonl", AT_INTERVAL)
    path = own_home / "runs" / "long.jsonl"
    with path.open("a") as stream:  # As if the hero had waited for 200,000 turns.
        action = path.read_text().splitlines()[1] + "\n"
        code = str(read_run(path).header.level.code)
        stream.write(action * 200_000)
        stream.write(f'{{"do":["wait"],"digest":"{"0" * 16}","at":[200251,"{code}"]}}\n')
        stream.write(action * 7)
    with (own_home / "runs" / "huge.jsonl").open("wb") as stream:
        stream.write(path.open("rb").readline())
        stream.truncate(3 << 30)
    bytes_read.clear()
    assert main(["runs", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    found = {row["name"]: (row["turns"], row["end"]) for row in rows}
    assert found == {"long": (200_258, "unfinished"), "huge": (0, "damaged")}
    assert bytes_read["long.jsonl"] < 50_000
    assert bytes_read["huge.jsonl"] < TAILS[-1] + 50_000


def test_the_place_in_a_run_is_written_now_and_then_and_at_its_end(tmp_path):
    path = tmp_path / "run.jsonl"
    waited(path, AT_INTERVAL - 1)
    session = resume(read_run(path))
    session.run.state.hero.fighter.max_hp = session.run.state.hero.fighter.hp = 10**6
    for _ in range(2):
        session.run.act(Wait())
    session.run.abandon()
    session.run.close()
    code = read_run(path).header.level.code
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    places = {number: line["at"] for number, line in enumerate(lines) if "at" in line}
    assert places == {AT_INTERVAL: [AT_INTERVAL, code], AT_INTERVAL + 2: [AT_INTERVAL + 1, code]}
    assert summarize(path).turns == AT_INTERVAL + 1


@pytest.mark.parametrize("at", [[4, "CODE"], [6, "CODE"], [5, "walk.1:4:1@30x20"], [-1, "CODE"]])
def test_a_place_that_is_not_so_is_damage(tmp_path, at):
    path = tmp_path / "run.jsonl"
    waited(path, 5)
    code = read_run(path).header.level.code
    with path.open("a") as stream:
        place = json.dumps([code if one == "CODE" else one for one in at])
        stream.write(f'{{"end":"abandoned","at":{place}}}\n')
    with pytest.raises(RunFileError, match="line 7 is not part of a run"):
        read_run(path)
