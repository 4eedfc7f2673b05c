"""Several processes at once: one plays a run, all may add to a list, nobody waits for the dead."""

import os
import subprocess
import sys

import pytest

from cli import play
from engine.saves.files import append_line, new_run_path, recorded_paths, write_atomically
from engine.saves.high_scores import read_scores
from engine.saves.keyframes import keyframes_path
from engine.saves.recorder import InUse, claim
from engine.saves.run import Run
from engine.saves.run_file import RunFileError, read_run
from engine.state.actions import Wait
from engine.state.run_setup import RunSetup
from main import main
from render.screens.play_screen import PlayScreen
from render.session.start_run import resume
from support.bot_runs import played
from support.fake_backend import Keyboard, Person
from support.paths import ROOT


def shown(person):
    return " ".join(person.reads().replace("│", " ").split())


def test_who_comes_second_is_told_that_the_run_is_in_use(own_home):
    path = own_home / "runs" / "a.jsonl"
    played(path, 10)
    code = (
        "import sys, time; from pathlib import Path; from engine.saves.run_file import read_run\n"
        "from render.session.start_run import resume\n"
        "session = resume(read_run(Path(sys.argv[1]))); print('here', flush=True); time.sleep(60)"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout.readline() == "here\n"
        with pytest.raises(InUse, match="another process is playing this run"):
            resume(read_run(path))
        assert len(read_run(path).actions) == 10
    finally:
        holder.kill()
        holder.wait()
    session = resume(read_run(path))
    session.act(Wait())
    session.run.close()
    assert len(read_run(path).actions) == 11


def test_two_games_of_a_seed_that_begin_in_the_same_second_are_both_kept(own_home):
    setup = RunSetup(1, "1")
    path = new_run_path(1)
    first, second = Run.begin(setup, path), Run.begin(setup, path)
    for run, turns in ((first, 1), (second, 2)):
        for _ in range(turns):
            run.act(Wait())
        run.add_keyframe()
        run.close()
        assert run.recorder.problem is None
        assert len(read_run(run.recorder.path).actions) == turns
        assert keyframes_path(run.recorder.path).exists()
    assert sorted(recorded_paths()) == sorted({path, second.recorder.path})


def test_a_second_continue_exits_1_with_a_sentence(own_home, capsys, monkeypatch):
    monkeypatch.setattr(play, "open_backend", lambda *, terminal: Keyboard("."))
    played(own_home / "runs" / "a.jsonl", 10)
    stream = claim(own_home / "runs" / "a.jsonl", new=False)
    assert main(["--continue"]) == 1
    assert "another process is playing this run" in capsys.readouterr().err
    stream.close()
    assert main(["--continue"]) == 0


def test_the_title_says_that_the_run_is_in_use(own_home):
    played(own_home / "runs" / "a.jsonl", 10)
    stream = claim(own_home / "runs" / "a.jsonl", new=False)
    person = Person().types("c")
    assert "is playing this run" in shown(person)
    stream.close()
    assert isinstance(Person().types("c").top, PlayScreen)


def test_a_run_that_grew_while_it_was_read_is_not_gone_on_with(tmp_path):
    path = tmp_path / "run.jsonl"
    played(path, 5)
    recorded = read_run(path)
    with path.open("ab") as stream:
        stream.write(b"x")
    with pytest.raises(RunFileError, match="changed while"):
        resume(recorded)


ADDING = """
import sys; from pathlib import Path; from engine.saves.files import append_line
for number in range(60):
    line = f"{sys.argv[2]} {number} {'x' * (number % 50)}"
    append_line(Path(sys.argv[1]), line.encode())
"""


def test_eight_processes_append_at_once_and_nothing_is_lost(tmp_path):
    path = tmp_path / "scores" / "scores.jsonl"
    workers = [
        subprocess.Popen([sys.executable, "-c", ADDING, str(path), str(name)], cwd=ROOT)
        for name in range(8)
    ]
    assert [worker.wait(60) for worker in workers] == [0] * 8
    lines = path.read_text().splitlines()
    assert sorted(lines) == sorted(f"{n} {k} {'x' * (k % 50)}" for n in range(8) for k in range(60))
    for n in range(8):
        mine = [int(line.split()[1]) for line in lines if line.startswith(f"{n} ")]
        assert mine == list(range(60))


ENDING = """
import sys; from engine.saves.files import write_atomically
from engine.saves.high_scores import HighScore, add_score
from entities.folders import data_folder
for number in range(10):
    name = f"{sys.argv[1]}-{number}"
    date = "2026-01-01T00:00:00Z"
    add_score(HighScore(number, date, "1", 3, 99, 2, 7, 1, "killed by orc", run=name))
    write_atomically(data_folder() / "morgue" / f"{name}.txt", name.encode() * 999)
    write_atomically(data_folder() / "morgue" / "last.txt", name.encode() * 999)
"""


def test_four_processes_put_scores_on_the_board_and_write_morgues(own_home):
    workers = [
        subprocess.Popen([sys.executable, "-c", ENDING, str(name)], cwd=ROOT) for name in range(4)
    ]
    assert [worker.wait(60) for worker in workers] == [0] * 4
    names = {f"{one}-{number}" for one in range(4) for number in range(10)}
    assert {result.run for result in read_scores()} == names
    assert len(read_scores()) == len(names)
    assert {path.stem for path in (own_home / "morgue").iterdir()} == {*names, "last"}
    for name in names:
        assert (own_home / "morgue" / f"{name}.txt").read_text() == name * 999
    last = (own_home / "morgue" / "last.txt").read_text()
    assert last in {name * 999 for name in names}


def test_a_morgue_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "morgue" / "one.txt"
    write_atomically(path, b"before")
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (3, before[1]))
    try:
        with pytest.raises(OSError, match=r"No space left|too large"):
            write_atomically(path, b"and after")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert [file.read_bytes() for file in path.parent.iterdir()] == [b"before"]


def test_what_killed_processes_left_is_cleared_away_and_in_nobodys_way(tmp_path):
    path = tmp_path / "options[1].toml"
    left, own, other = (
        path.with_name(f"{path.name}.{number}.new") for number in (1, os.getpid(), 2)
    )
    for file in (left, own, other):
        file.write_bytes(b"half")
    os.utime(left, (1, 1))
    write_atomically(path, b"whole")
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {
        path.name: b"whole",
        other.name: b"half",  # Another process may be writing it now.
    }


def test_a_torn_line_stays_alone_and_a_full_disk_adds_nothing(tmp_path):
    path = tmp_path / "scores.jsonl"
    path.write_bytes(b"one\ntorn")
    append_line(path, b"two")
    assert path.read_bytes() == b"one\ntorn\ntwo\n"
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 3, before[1]))
    try:
        with pytest.raises(OSError, match=r"No space left|too large"):
            append_line(path, b"three")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert path.read_bytes() == b"one\ntorn\ntwo\n"
    with pytest.raises(ValueError, match="line breaks"):
        append_line(path, b"a\nb")
