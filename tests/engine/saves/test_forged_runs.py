"""Run files made to get onto a board: what only the file claims earns no score."""

from base64 import b64encode
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.levels.dungeon import new_game
from engine.levels.recipe_by_depth import pinned
from engine.saves.digests import state_digest
from engine.saves.files import runs_folder
from engine.saves.ghost import setup_with_ghost
from engine.saves.high_scores import daily_runs, daily_setup, read_scores, today
from engine.saves.keyframes import keyframes_path
from engine.saves.run import Run
from engine.saves.run_file import RunFileError, read_run
from engine.saves.saved_state import load_state, pack_state, save_state, unpack_state
from engine.state.actions import Wait
from engine.state.run_setup import RunSetup
from entities.folders import data_folder
from main import main
from procgen.level_code import parse_seed
from render.panels.morgue import morgue_folder, record_run_end
from render.session.start_run import chosen_seed, resume
from support.bot_runs import begun, played, rewritten
from support.fake_backend import Person
from support.scenes import ROOMS

DAY = today().isoformat()


def boards_after(path):
    """Return the entries of all boards after a death in the run at ``path``, if it goes on."""
    with suppress(RunFileError):
        session = resume(read_run(path))
        record_run_end(session, "killed by orc")
        session.run.close()
    return [(score.run, score.daily) for score in read_scores()]


def verified(path, capsys):
    """Return what verifying the sound run at ``path`` prints."""
    assert main(["replay", str(path), "--verify"]) == 0
    return capsys.readouterr().out


def invented(path, *, scored):
    """Put a state with much gold into the header of the run at ``path``, and its true digest."""
    setup = pinned(daily_setup(today()))
    packed = pack_state(replace(save_state(new_game(setup)), gold=50_000, scored=scored))
    run = Run.begin(setup)
    run.engine.state = load_state(setup, unpack_state(packed))
    run.act(Wait())

    def change(lines):
        lines[0]["state"] = b64encode(packed).decode()
        lines[1:] = [{"do": ["wait"], "digest": state_digest(run.state)}]

    rewritten(path, change)
    keyframes_path(path).unlink(missing_ok=True)


@pytest.mark.parametrize(("scored", "code"), [(True, 1), (False, 0)])
def test_a_run_that_begins_with_an_invented_state_is_on_no_board(scored, code, capsys):
    path = begun()
    assert daily_runs(DAY) == [path]
    invented(path, scored=scored)
    assert main(["replay", str(path), "--verify"]) == code
    said = capsys.readouterr()
    assert "it has no beginning, since its file starts with a state" in said.out + said.err
    assert daily_runs(DAY) == []
    assert boards_after(path) == []


def test_the_dungeon_of_the_day_as_it_is_comes_onto_both_boards(capsys):
    path = begun()
    assert "scored  yes" in verified(path, capsys)
    assert boards_after(path) == [(path.stem, DAY)]


def test_a_run_with_easier_levels_than_the_game_chooses_is_on_no_board(capsys):
    """Somebody edited data/adventure.toml, or the header itself."""
    path = begun(replace(daily_setup(today()), strata=ROOMS))
    said = verified(path, capsys)
    assert "scored  no, its recipes by depth are not those of data/adventure.toml" in said
    assert daily_runs(DAY) == []
    assert boards_after(path) == []
    (morgue,) = morgue_folder().glob("*.txt")
    assert ": 1st" not in morgue.read_text()


@pytest.mark.parametrize("text", [f"daily {DAY}", "", "9" * 30])
def test_a_run_whose_seed_is_not_that_of_its_text_is_on_no_board(text, capsys):
    path = begun(RunSetup(42, text))
    assert "scored  no, its seed is 42, which is not that of its text" in verified(path, capsys)
    assert boards_after(path) == []


def test_a_run_of_an_earlier_day_that_is_renamed_does_not_count_for_that_day():
    path = begun(daily_setup(today() - timedelta(9)))
    path = path.rename(path.with_stem(f"{today() - timedelta(9):%Y%m%d}{path.stem[8:]}"))
    assert daily_runs((today() - timedelta(9)).isoformat()) == []
    assert boards_after(path) == [(path.stem, "")]


@pytest.mark.parametrize("listed", [sorted, lambda paths: sorted(paths, reverse=True)])
def test_a_second_run_with_an_earlier_name_is_still_the_second(listed, monkeypatch):
    glob = Path.glob
    monkeypatch.setattr(Path, "glob", lambda folder, pattern: listed(glob(folder, pattern)))
    first = begun()
    rewritten(first, lambda lines: lines[0].update(started=f"{DAY}T00:00:00Z"))
    second = begun()
    second = second.rename(second.with_stem(f"{today():%Y%m%d}-000000{second.stem[15:]}"))
    assert daily_runs(DAY) == [first, second]


def test_the_dungeon_of_the_day_counts_if_its_seed_is_typed_as_a_number():
    """It was said to be played already, but came onto no board of the day."""
    path = begun(RunSetup(daily_setup(today()).seed, str(daily_setup(today()).seed)))
    assert "Your run of it is not over" in Person().types("d").waits().reads()
    assert boards_after(path) == [(path.stem, DAY)]


def test_a_run_that_is_deleted_after_it_came_onto_the_board_of_the_day_was_the_first():
    first = begun()
    assert boards_after(first) == [(first.stem, DAY)]
    assert main(["runs", "--delete", first.stem, "--yes"]) == 0
    assert "You have already played it" in Person().types("d").reads()
    second = begun()
    second = second.rename(second.with_stem(f"{second.stem}-1"))  # It may be of the same second.
    assert sorted(boards_after(second)) == [(first.stem, DAY), (second.stem, "")]


def test_a_run_that_ends_twice_stands_on_the_boards_once():
    path = begun()
    copy = path.read_bytes()
    assert boards_after(path) == [(path.stem, DAY)]
    path.write_bytes(copy)
    assert boards_after(path) == [(path.stem, DAY)]
    assert ": 1st" not in (morgue_folder() / f"{path.stem}.txt").read_text()


def test_a_text_too_long_to_be_kept_gives_a_run_with_its_number_and_a_score():
    seed, typed = chosen_seed("seed " * 60)
    assert (seed, typed) == (parse_seed("seed " * 60), str(seed))
    path = begun(RunSetup(seed, typed))
    assert boards_after(path) == [(path.stem, "")]


def test_an_item_that_no_ghost_left_is_told(tmp_path, capsys):
    runs = (played(runs_folder() / f"run-{seed}.jsonl", 3000, seed=seed) for seed in range(10, 20))
    earlier = next(run for run in runs if not run.state.hero.alive).recorder.path
    path = begun(setup_with_ghost(earlier))
    assert "ghost" not in verified(path, capsys)
    setup = setup_with_ghost(earlier)
    better = replace(setup.ghost.item, kind="leather_armour", bonus=99)
    forged = begun(replace(setup, ghost=replace(setup.ghost, item=better)))
    assert f"the file of its ghost, {earlier.name}, leaves no such item" in verified(forged, capsys)
    kept = setup_with_ghost(earlier.rename(tmp_path / "friend.jsonl")).ghost.run
    assert f"its ghost, {earlier.name}, is missing from {runs_folder()}" in verified(path, capsys)
    beside = begun(setup_with_ghost(tmp_path / "friend.jsonl"))
    (data_folder() / "ghosts" / kept).unlink()
    assert f"its ghost, {kept}, is missing from {runs_folder()}" in verified(beside, capsys)
    (tmp_path / "friend.jsonl").rename(runs_folder() / kept)
    assert "ghost" not in verified(beside, capsys), "the sentence says where the file belongs"


def test_a_copy_of_a_run_under_another_name_scores_nothing_again():
    path = begun(RunSetup(3, "3"))
    copy = path.with_name("another.jsonl")
    copy.write_bytes(path.read_bytes())
    assert boards_after(path) == [(path.stem, "")]
    assert boards_after(copy) == [(path.stem, "")]
    assert boards_after(begun(RunSetup(3, "3", generator=None))) != [(path.stem, "")]
