"""No turn is lost: killed processes, full disks, broken rules."""

import errno
import json
import os
import re
import shutil
from pathlib import Path
from unittest.mock import Mock

import pytest

from cli import play
from engine.engine import Engine
from engine.saves import recorder
from engine.saves.digests import arrival
from engine.saves.playback import Playback
from engine.saves.recorder import Recorder
from engine.saves.run import Run
from engine.saves.run_file import header_for, read_run
from engine.state.actions import Wait
from engine.state.run_setup import RunSetup
from main import main
from render.screens.play_screen import PlayScreen
from render.screens.screen import Push
from render.screens.title import TitleScreen
from render.session.start_run import begin, last_unfinished, resume
from support.bot_runs import played
from support.fake_backend import Keyboard, Person
from support.scenes import scene


def shown(person):
    return " ".join(person.reads().split())


def test_a_disk_that_fills_up_is_said_on_screen_and_all_is_written_once_there_is_room():
    person = Person()
    person.app.answer(Push(PlayScreen(begin(RunSetup(1, "1")))))
    resource, recorder = pytest.importorskip("resource"), person.top.session.run.recorder
    room = recorder.path.stat().st_size + 120
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        person.types(".....")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "Warning: this run is not being saved (File too large)" in shown(person)
    assert person.reads().splitlines()[0].count("not being saved") == 1
    assert person.top.session.run.state.turn == 5
    assert recorder.path.stat().st_size == room
    assert len(read_run(recorder.path).actions) == 2
    person.types(".")
    assert "is being saved again" in shown(person)
    assert "not being saved" not in person.reads().splitlines()[0]
    assert len(read_run(recorder.path).actions) == 6
    resource.setrlimit(resource.RLIMIT_FSIZE, (recorder.path.stat().st_size + 9, before[1]))
    try:
        person.types("..")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    person.top.close()
    assert len(read_run(recorder.path).actions) == 8
    for _ in Playback(read_run(recorder.path)).to_end():
        pass


def test_nobody_leaves_unsaved_turns_behind_unasked(capsys, monkeypatch):
    person = Person()
    person.app.answer(Push(PlayScreen(begin(RunSetup(1, "1")))))
    resource, recorder = pytest.importorskip("resource"), person.top.session.run.recorder
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (recorder.path.stat().st_size, before[1]))
    try:
        person.types("...S")
        assert "The last 3 turns could not be saved (File too large). Leave anyway?" in shown(
            person
        )
        person.types("n")
        assert isinstance(person.top, PlayScreen)
        person.types("Sy")
        assert isinstance(person.top, TitleScreen)
        assert "The last 3 turns could not be saved" in shown(person)
        monkeypatch.setattr(play, "open_backend", lambda *, terminal: Keyboard(".1"))
        assert main(["--continue"]) == 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert capsys.readouterr().err == (
        "main.py: the last 2 turns could not be saved (File too large)\n"
    )
    assert main(["--continue"]) == 0
    assert len(last_unfinished().actions) == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_device_is_said(tmp_path):
    with Path("/dev/full").open("wb", buffering=0) as full:
        recorder = Recorder(tmp_path / "run.jsonl", lambda: full)
        for _ in range(3):
            recorder.action(Wait(), "0" * 16)
            assert "No space left" in recorder.problem
            assert not recorder.written
        for _ in range(2):
            recorder.close()
            assert recorder.lost == "this run was not saved (No space left on device)"


def test_a_disk_that_is_full_from_the_start_keeps_no_empty_file(tmp_path, monkeypatch):
    claim = recorder.claim

    def full(path, *, new):
        stream = Mock(wraps=claim(path, new=new))
        stream.write.side_effect = OSError(errno.ENOSPC, "disk full")
        return stream

    monkeypatch.setattr(recorder, "claim", full)
    run = Run.begin(RunSetup(1, "1"), path := tmp_path / "run.jsonl")
    run.act(Wait())
    assert path.stat().st_size == 0
    run.close()
    assert run.recorder.lost == "this run was not saved (disk full)"
    assert not path.exists()


def test_a_run_whose_beginning_alone_fits_on_the_disk_in_the_end_is_saved_that_far(tmp_path):
    room, path = [0], tmp_path / "run.jsonl"

    def written(part):
        room[0] -= (done := path.open("ab").write(part[: room[0]]))
        return done

    stream = Mock(wraps=path.open("xb"), write=written)
    filling = Recorder(path, lambda: stream)
    filling.action(Wait(), "0" * 16)
    assert filling.lost.startswith("this run was not saved")
    room[0] = filling.length + 3
    filling.action(Wait(), "0" * 16)
    assert filling.lost.startswith("the last turn could not be saved")
    assert path.read_bytes().count(b"\n") == 1


def test_a_folder_that_cannot_be_written_is_said_on_screen_and_play_goes_on(own_home):
    own_home.write_text("a file where the folder should be")
    person = Person()
    person.app.answer(Push(PlayScreen(begin(RunSetup(1, "1")))))
    assert "this run is not being saved" in shown(person)
    person.types("..")
    assert person.top.session.run.state.turn == 2
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

    with monkeypatch.context() as patch:
        patch.setattr("engine.saves.recorder.claim", refused)
        session = resume(read_run(tmp_path / "run.jsonl"))
        assert "this run is not being saved (Permission denied)" in session.log.messages[-1].text
        session.act(Wait())
        session.act(Wait())
        assert session.lost == "the last 2 turns could not be saved (Permission denied)"
        assert (tmp_path / "run.jsonl").read_bytes() == before
    session.act(Wait())
    assert "is being saved again" in session.log.messages[-1].text
    session.run.close()
    assert len(read_run(tmp_path / "run.jsonl").actions) == 13
    for _ in Playback(read_run(tmp_path / "run.jsonl")).to_end():
        pass


def test_an_exception_in_the_game_keeps_the_run_and_is_one_sentence(monkeypatch, capsys):
    step = Engine.step

    def broken(self, action):
        if self.state.turn == 3:
            raise ZeroDivisionError("division by zero")
        return step(self, action)

    monkeypatch.setattr(Engine, "step", broken)
    monkeypatch.setattr(play, "open_backend", lambda *, terminal: Keyboard("1......"))
    assert main(["--seed", "42"]) == 1
    said = capsys.readouterr().err
    path = re.search(r"your run is kept in (.+?) and", said)[1]
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


@pytest.mark.parametrize(("keys", "told"), [("1.", True), ("1.S", True), ("1.Qy", False)])
def test_a_player_who_leaves_a_run_is_told_how_to_continue_it(keys, told, monkeypatch, capsys):
    monkeypatch.setattr(play, "open_backend", lambda *, terminal: Keyboard(keys))
    assert main(["--seed", "42"]) == 0
    sentence = "Your run is saved: `main.py play --continue` continues it.\n"
    assert capsys.readouterr() == ("", sentence * told)


def test_any_other_fault_of_ours_is_one_sentence_too(monkeypatch, capsys):
    monkeypatch.setattr("cli.list.known_recipes", lambda: int("x"))
    assert main(["list"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("main.py: a bug in the program")
    assert said.count("\n") == 1


def test_the_last_blow_and_the_end_are_one_line(tmp_path):
    engine = scene("@o.>")
    engine.state.hero.fighter.hp = 1
    header = header_for(engine.state.setup, arrival(engine.state.map.level))
    run = Run(engine, Recorder.begin(tmp_path / "run.jsonl", header))
    while engine.state.hero.alive:
        run.act(Wait())
    run.close()
    last = (tmp_path / "run.jsonl").read_text().splitlines()[-1]
    assert set(json.loads(last)) == {"do", "digest", "end", "at"}


@pytest.mark.parametrize("tail", [b"", b"torn"])
def test_a_continued_run_is_saved_again_after_its_file_was_deleted_from_a_full_disk(
    tmp_path, monkeypatch, tail
):
    path = tmp_path / "run.jsonl"
    played(path, turns=3)
    path.write_bytes(path.read_bytes() + tail)
    playback = Playback(read_run(path))
    playback.seek(playback.last)
    run = Run.resume(playback, Recorder.resume(playback.recorded))
    path.unlink()
    with monkeypatch.context() as full:
        full.setattr(recorder, "claim", Mock(side_effect=OSError(errno.ENOSPC, "disk full")))
        run.act(Wait())
    assert run.recorder.lost == "the last 4 turns could not be saved (disk full)"
    run.act(Wait())
    assert not run.recorder.lost
    run.close()
    assert len(read_run(path).actions) == 5


@pytest.mark.parametrize("harm", ["deleted", "folder deleted"])
def test_a_file_that_is_deleted_before_the_game_is_left_is_written_again(own_home, harm):
    session = begin(RunSetup(1, "1"))
    session.act(Wait())
    if harm == "deleted":
        session.run.recorder.path.unlink()
    else:
        shutil.rmtree(own_home)
    session.run.close()
    assert session.lost == ""
    assert len(last_unfinished().actions) == 1


def test_a_folder_that_becomes_a_file_loses_no_turn_in_silence(own_home):
    session = begin(RunSetup(1, "1"))
    shutil.rmtree(own_home)
    own_home.write_text("a file where the folder was")
    session.act(Wait())
    session.run.close()
    assert session.lost == "the last turn could not be saved (Not a directory)"


@pytest.mark.parametrize("harm", ["cut", "deleted", "emptied"])
def test_a_file_that_is_cut_or_deleted_in_play_is_noticed_said_and_written_whole(own_home, harm):
    session = begin(RunSetup(3, "3", generator="rooms"))
    path = session.run.recorder.path
    for _ in range(10):
        session.act(Wait())
    if harm == "deleted":
        path.unlink()
    else:
        os.truncate(path, 0 if harm == "emptied" else len(path.read_bytes()) // 2)
    session.act(Wait())
    assert any("changed or deleted the file" in line for line in lines_of(session))
    session.act(Wait())
    assert any("being saved again; nothing is missing" in line for line in lines_of(session))
    session.run.close()
    assert len(read_run(path).actions) == 12
    again = resume(read_run(path))
    os.truncate(path, 100)
    again.act(Wait())
    again.run.close()
    assert len(read_run(path).actions) == 13


@pytest.mark.parametrize("more", [0, recorder.LOOK_UP_INTERVAL])
def test_a_file_that_is_moved_is_written_again_at_the_next_look_or_at_the_end(tmp_path, more):
    path, moved = tmp_path / "run.jsonl", tmp_path / "moved.jsonl"
    run = Run.begin(RunSetup(3, "3", generator="rooms"), path)
    for turn in range(3 + more):
        run.act(Wait())
        if turn == 2:
            path.rename(moved)
    assert path.exists() == (more > 0)
    run.close()
    assert len(read_run(path).actions) == 3 + more


def test_another_file_in_the_place_of_a_run_is_left_alone_and_that_is_said(tmp_path):
    path = tmp_path / "run.jsonl"
    run = Run.begin(RunSetup(3, "3", generator="rooms"), path)
    run.act(Wait())
    (tmp_path / "other").write_text("mine")
    (tmp_path / "other").replace(path)
    for _ in range(recorder.LOOK_UP_INTERVAL):
        run.act(Wait())
    assert run.recorder.problem == "this run is not being saved (another file is in its place)"
    run.close()
    assert path.read_text() == "mine"
    assert run.recorder.lost


def lines_of(session):
    return [message.text for message in session.log.messages]
