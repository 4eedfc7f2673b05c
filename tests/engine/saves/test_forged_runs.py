"""Run files made to get onto a board: what only the file claims earns no score."""

from base64 import b64encode

import pytest
from msgspec.structs import replace

from engine.levels.dungeon import new_game
from engine.levels.recipe_by_depth import pinned
from engine.saves.digests import state_digest
from engine.saves.files import new_run_path
from engine.saves.high_scores import daily_runs, daily_setup, read_scores, today
from engine.saves.keyframes import keyframes_path
from engine.saves.run import Run
from engine.saves.saved_state import load_state, pack_state, save_state, unpack_state
from engine.state.actions import Wait
from main import main
from support.bot_runs import rewritten
from support.fake_backend import Keyboard

DAY = today().isoformat()


@pytest.fixture
def boards(monkeypatch):
    """Return a function that abandons the last run and returns the entries of all boards."""

    def end():
        monkeypatch.setattr("cli.play.open_backend", lambda *, terminal: Keyboard("Qy"))
        main(["play", "--continue"])
        return [(score.run, score.daily) for score in read_scores()]

    return end


def begun(setup=None):
    """Begin today's dungeon, find a coin, wait a turn and return the path."""
    setup = setup or daily_setup(today())
    run = Run.begin(setup, new_run_path(setup.seed))
    run.act(Wait())
    run.close()
    return run.recorder.path


def invented(path, *, scored):
    """Put a state with much gold into the header of the run at ``path``, and its true digest."""
    setup = pinned(daily_setup(today()))
    packed = pack_state(replace(save_state(new_game(setup)), gold=50_000, scored=scored))
    run = Run.begin(setup)
    run.engine.state = load_state(setup, unpack_state(packed))
    run.act(Wait())

    def change(lines):
        lines[0]["state"] = b64encode(packed).decode()
        lines[1]["digest"] = state_digest(run.state)

    rewritten(path, change)
    keyframes_path(path).unlink(missing_ok=True)


@pytest.mark.parametrize(("scored", "code"), [(True, 1), (False, 0)])
def test_a_run_that_begins_with_an_invented_state_is_on_no_board(scored, code, boards, capsys):
    path = begun()
    assert daily_runs(DAY) == [path]
    invented(path, scored=scored)
    assert main(["replay", str(path), "--verify"]) == code
    said = capsys.readouterr()
    assert "it has no beginning, since its file starts with a state" in said.out + said.err
    assert daily_runs(DAY) == []
    assert boards() == []
