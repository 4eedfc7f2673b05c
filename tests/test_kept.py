"""No turn is lost: killed processes, full disks, broken rules, a second player."""

import contextlib
import json
import multiprocessing
import os
import re
import resource
import signal
import subprocess
import sys
import time

import pytest

from bots import played
from conftest import ROOT
from engine.actions import Refused, Wait
from engine.append import append_line
from engine.claim import InUse, claim, note, release
from engine.engine import Engine
from engine.record import RunFileError, read_run
from engine.recorder import Recorder
from engine.run import Playback, Run
from engine.setup import Setup
from fakes import FakeFace, Person
from main import main
from render.cli import play
from render.inputs import Key
from render.screen import Push
from render.screens.play import PlayScreen
from render.starting import begin, last_unfinished, resume


def test_a_process_killed_at_random_moments_loses_nothing():
    command = [sys.executable, str(ROOT / "tests" / "kills.py"), "12"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "12 of 12" in done.stdout


def shown(person):
    return " ".join(person.reads().split())


def test_a_disk_that_fills_up_is_said_on_screen_and_all_is_written_once_there_is_room():
    person = Person()
    person.app.answer(Push(PlayScreen(begin(Setup(1, "1")))))
    recorder = person.top.session.run.recorder
    room = recorder.path.stat().st_size + 120
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        person.types(".....")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "Warning: this run is not being saved (File too large)" in shown(person)
    assert person.top.session.run.world.turn == 5
    assert recorder.path.stat().st_size == room
    assert len(read_run(recorder.path).actions) == 2
    person.types(".")
    assert "is being saved again" in shown(person)
    assert len(read_run(recorder.path).actions) == 6
    for _ in Playback(read_run(recorder.path)).to_end():
        pass


def test_a_full_device_is_said(tmp_path):
    with open("/dev/full", "wb", buffering=0) as full:
        recorder = Recorder(tmp_path / "run.jsonl", full)
        for _ in range(3):
            recorder.action(Wait(), "0" * 16)
            assert "No space left" in recorder.problem
            assert not recorder.written


def test_a_folder_that_cannot_be_written_is_said_on_screen_and_play_goes_on(own_home):
    own_home.write_text("a file where the folder should be")
    person = Person()
    person.app.answer(Push(PlayScreen(begin(Setup(1, "1")))))
    assert "this run is not being saved" in shown(person)
    person.types("..")
    assert person.top.session.run.world.turn == 2
    assert "this run is not being saved" in shown(person)
    own_home.unlink()
    person.types(".")
    assert "is being saved again" in shown(person)
    assert len(last_unfinished().actions) == 3


def test_a_file_that_cannot_be_written_is_gone_on_with_unsaved(tmp_path, monkeypatch):
    played(tmp_path / "run.jsonl", 10)
    before = (tmp_path / "run.jsonl").read_bytes()

    def refused(path, *, new):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("engine.recorder.claim", refused)
    session = resume(read_run(tmp_path / "run.jsonl"))
    session.act(Wait())
    assert "this run is not being saved (Permission denied)" in session.log.messages[-1].text
    session.run.close()
    assert (tmp_path / "run.jsonl").read_bytes() == before


class Keyboard(FakeFace):
    """A face on which some keys are pressed, and then nothing."""

    def __init__(self, keys):
        super().__init__()
        self.inputs = [Key(key) for key in keys]


def test_an_exception_in_the_game_keeps_the_run_and_is_one_sentence(monkeypatch, capsys):
    step = Engine.step

    def broken(self, action):
        if self.world.turn == 3:
            raise ZeroDivisionError("division by zero")
        return step(self, action)

    monkeypatch.setattr(Engine, "step", broken)
    monkeypatch.setattr(play, "open_face", lambda *, terminal: Keyboard("......"))
    assert main(["--seed", "42"]) == 1
    said = capsys.readouterr().err
    path = re.search(r"your run is kept in (\S+) and", said)[1]
    assert said.count("\n") == 1
    assert "ZeroDivisionError" in said
    assert "Traceback" not in said
    monkeypatch.setenv("SEEDHOLLOW_DEBUG", "1")
    assert main(["--continue"]) == 1
    assert "Traceback" in capsys.readouterr().err
    monkeypatch.setattr(Engine, "step", step)
    assert main(["--continue"]) == 0
    assert len(last_unfinished().actions) == 9
    assert str(last_unfinished().path) == path


def test_any_other_fault_of_ours_is_one_sentence_too(monkeypatch, capsys):
    monkeypatch.setattr("render.cli.listing.current_recipes", lambda: [][1])
    assert main(["list"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("main.py: a fault of the program")
    assert said.count("\n") == 1


@pytest.mark.parametrize("hangup", [signal.SIGHUP, signal.SIGTERM])
def test_who_comes_second_is_told_who_has_the_run(tmp_path, hangup, own_home):
    path = own_home / "runs" / "a.jsonl"
    played(path, 10)
    code = (
        "import sys, time; from pathlib import Path; from engine.record import read_run\n"
        "from render.starting import resume\n"
        "session = resume(read_run(Path(sys.argv[1]))); print('here', flush=True); time.sleep(60)"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout.readline() == "here\n"
        with pytest.raises(InUse, match=f"process {holder.pid} on "):
            resume(read_run(path))
        assert len(read_run(path).actions) == 10
        second = subprocess.run(
            [sys.executable, "-c", code, str(path)],
            cwd=ROOT, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert "is playing this run" in second.stderr
    finally:
        holder.send_signal(hangup)
        holder.wait()
    assert note(path).exists(), "the dead process leaves its note behind"
    session = resume(read_run(path))
    session.act(Wait())
    session.run.close()
    assert len(read_run(path).actions) == 11
    assert not note(path).exists()


def test_a_second_continue_exits_1_with_a_sentence(own_home, capsys, monkeypatch):
    monkeypatch.setattr(play, "open_face", lambda *, terminal: Keyboard("."))
    played(own_home / "runs" / "a.jsonl", 10)
    stream = claim(own_home / "runs" / "a.jsonl", new=False)
    assert main(["--continue"]) == 1
    assert f"process {os.getpid()}" in capsys.readouterr().err
    release(own_home / "runs" / "a.jsonl", stream)
    assert main(["--continue"]) == 0


def test_the_title_says_who_has_the_run(own_home):
    played(own_home / "runs" / "a.jsonl", 10)
    stream = claim(own_home / "runs" / "a.jsonl", new=False)
    person = Person().types("c")
    assert "is playing this run" in shown(person)
    release(own_home / "runs" / "a.jsonl", stream)
    assert isinstance(Person().types("c").top, PlayScreen)


@pytest.mark.parametrize(
    "content", [b"", b"\x1b[2J", b'{"pid":"x"}', b'{"pid":1,"host":"\\u001b[2J","since":""}']
)
def test_a_strange_note_is_no_trouble(tmp_path, content, capsys):
    path = tmp_path / "run.jsonl"
    played(path, 5)
    stream = claim(path, new=False)
    note(path).write_bytes(content)
    with pytest.raises(InUse, match="is playing this run"):
        resume(read_run(path))
    release(path, stream)


def test_a_run_that_grew_while_it_was_read_is_not_gone_on_with(tmp_path):
    path = tmp_path / "run.jsonl"
    played(path, 5)
    recorded = read_run(path)
    with path.open("ab") as stream:
        stream.write(b"x")
    with pytest.raises(RunFileError, match="changed while"):
        resume(recorded)


def test_the_last_blow_and_the_end_are_one_line(tmp_path):
    run = played(tmp_path / "run.jsonl", 20_000, seed=3)
    assert not run.world.hero.alive
    last = (tmp_path / "run.jsonl").read_text().splitlines()[-1]
    assert {"do", "digest", "end"} == set(json.loads(last))


def added(path, name, count):
    for number in range(count):
        append_line(path, f"{name} {number} {'x' * (number % 50)}".encode())


def test_eight_processes_append_at_once_and_nothing_is_lost(tmp_path):
    path = tmp_path / "scores" / "scores.jsonl"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=added, args=(path, n, 60)) for n in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    lines = path.read_text().splitlines()
    assert sorted(lines) == sorted(f"{n} {k} {'x' * (k % 50)}" for n in range(8) for k in range(60))
    for n in range(8):
        mine = [int(line.split()[1]) for line in lines if line.startswith(f"{n} ")]
        assert mine == list(range(60))


def test_a_torn_line_stays_alone_and_a_full_disk_adds_nothing(tmp_path):
    path = tmp_path / "scores.jsonl"
    path.write_bytes(b"one\ntorn")
    append_line(path, b"two")
    assert path.read_bytes() == b"one\ntorn\ntwo\n"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 3, before[1]))
    try:
        with pytest.raises(OSError, match="No space left|too large"):
            append_line(path, b"three")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert path.read_bytes() == b"one\ntorn\ntwo\n"
    with pytest.raises(ValueError, match="line breaks"):
        append_line(path, b"a\nb")
