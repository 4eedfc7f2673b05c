"""A run whose file claims an end that did not happen: watching and exporting it say so."""

import pytest

from engine.saves.playback import Desync
from engine.saves.run_file import read_run
from main import main
from render.session.start_run import take_over
from support.bot_runs import rewritten
from support.replays import settled, watching

CLAIM = "records the end 'victory', but the hero lives"


@pytest.fixture
def forged(tmp_path, cave_run):
    """Return the path of a run whose hero lives at its end, which the file calls a victory."""
    path = tmp_path / "forged.jsonl"
    path.write_bytes(cave_run.path.read_bytes())

    def claim(lines):
        lines[-1].pop("end", None)
        lines.append({"end": "victory"})

    rewritten(path, claim)
    return path


def assert_told_at_the_end(person, replay):
    text = " ".join(person.reads().split())
    assert "The replay ends here" in text
    assert "records the end 'victory'" in text
    assert replay.head.position == replay.head.end == len(replay.head.recorded.actions)


def test_a_forged_end_is_told_after_a_jump_to_it(forged):
    person, replay = watching(read_run(forged))
    person.presses("end")
    settled(person, replay)
    person.waits()
    assert_told_at_the_end(person, replay)


def test_a_forged_end_is_told_when_the_last_turn_is_played(forged):
    person, replay = watching(read_run(forged))
    replay.head.go(replay.head.end - 1)
    settled(person, replay)
    assert not replay.head.fault
    person.presses("space")
    for _ in range(20):
        person.waits()
    assert_told_at_the_end(person, replay)


def test_a_run_without_an_end_can_be_watched_to_its_last_turn(tmp_path, cave_run):
    path = tmp_path / "open.jsonl"
    path.write_bytes(cave_run.path.read_bytes())
    rewritten(path, lambda lines: lines[-1].pop("end", None))
    person, replay = watching(read_run(path))
    person.presses("end")
    settled(person, replay)
    person.waits()
    assert person.top is replay


def test_a_film_up_to_a_forged_end_is_not_written(forged, tmp_path, capsys):
    target = tmp_path / "a.html"
    assert main(["replay", str(forged), "--export", str(target)]) == 4
    assert CLAIM in capsys.readouterr().err
    assert not target.exists()
    assert main(["replay", str(forged), "--export", str(target), "--to-turn", "20"]) == 0


def test_a_run_with_a_forged_end_is_not_taken_over(forged):
    with pytest.raises(Desync, match=CLAIM):
        take_over(read_run(forged))
