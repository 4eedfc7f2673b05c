"""The list of recorded runs in the title, and what can be done with one of another version."""

import re

import pytest
from msgspec.structs import replace

from cli import play
from engine.saves.files import recorded_paths, runs_folder
from engine.saves.high_scores import daily_setup, today
from engine.saves.keyframes import keyframes_path
from engine.saves.run import Run
from engine.saves.run_file import RULES, read_run, summarize
from engine.state.actions import Descend, Wait
from engine.state.run_setup import EarlierRun, RunSetup
from entities.program import PROGRAM
from main import main
from render.screens.play_screen import PlayScreen
from render.screens.replay_screen import ReplayScreen
from render.screens.screen import Push
from render.screens.title import TitleScreen, continue_menu
from render.session.start_run import take_over
from support.bot_runs import played
from support.fake_backend import Keyboard, Person
from support.scenes import ROOMS


def shown(person):
    return " ".join(re.sub("[╭╰│]", " ", person.reads()).split())


@pytest.fixture
def path():
    """Return the path of a recorded run in the runs folder."""
    path = runs_folder() / "one.jsonl"
    played(path, 120)
    return path


@pytest.fixture
def foreign(path, monkeypatch):
    """Let the run be another version's."""
    monkeypatch.setattr("engine.saves.run_file.RULES", 999)
    return path


def test_unreadable_files_take_no_letter_and_no_place(path, monkeypatch):
    monkeypatch.setattr("render.screens.recorded_runs.MAX_RUNS", 2)
    for name in ("z", "y", "two"):
        copy = path.with_name(f"{name}.jsonl")
        copy.write_bytes(b"nonsense\n" if len(name) == 1 else path.read_bytes())
    person = Person().types("r")
    rows = [row for row in shown(person).split("Replay a run")[1].split() if row in {"a", "b", "c"}]
    assert rows == ["a", "b"]


def test_the_list_says_how_a_run_ended_as_the_end_screen_does():
    run = Run.begin(RunSetup(3, "3"), runs_folder() / "one.jsonl")
    run.act(Wait())
    run.abandon("killed by orc")
    run.close()
    assert "killed by an orc" in shown(Person().types("r"))


def test_at_80_columns_a_long_seed_gives_way_to_how_the_run_ended():
    seed = 2**64 - 1
    for number in range(2):
        run = Run.begin(RunSetup(seed, str(seed)), runs_folder() / f"{number}.jsonl")
        run.act(Wait())
        run.abandon("killed by key_thief")
        run.close()
    rows = Person(columns=80, rows=24).types("r").presses("down").reads().splitlines()
    (row,) = [row for row in rows if row.startswith("│  a")]
    assert "adventure  1 turn, killed by a pilferer with a key" in row
    assert f"seed {seed}" in " ".join(rows), "the selected line is told in full"


def test_generators_have_no_versions_and_the_turns_of_short_names_are_aligned():
    for name in ("keep+flooded", "caves", None):
        run = Run.begin(RunSetup(3, "3", generator=name), runs_folder() / f"{name}.jsonl")
        run.act(Wait())
        run.close()
    rows = Person().types("r").reads().splitlines()
    (overlaid,) = [row for row in rows if "keep+flooded  1 turn" in row]
    columns = {row.index("1 turn") for row in rows if "1 turn" in row and row != overlaid}
    assert len(columns) == 1


def test_runs_of_every_kind_are_told_apart_by_kind_depth_and_name(capsys):
    ghost = EarlierRun("one.jsonl")
    setups = {
        "plain": RunSetup(3, "3", strata=ROOMS),
        "today": replace(daily_setup(today()), strata=ROOMS),
        "beside": RunSetup(3, "3", strata=ROOMS, ghost=ghost),
        "anew": RunSetup(3, "3", strata=ROOMS, grew_from="plain.jsonl@1", ghost=ghost),
        "world": RunSetup(3, "3", generator="wilds"),
    }
    for name, setup in setups.items():
        run = Run.begin(setup, runs_folder() / f"{name}.jsonl")
        run.act(Wait())
        run.close()
    kinds = dict(zip(setups, ("adventure", "daily", "ghost", "branch", "wilds"), strict=True))
    rows = Person(columns=120).types("r").reads().splitlines()
    assert main(["runs"]) == 0
    table = capsys.readouterr().out.splitlines()
    runs = [summarize(runs_folder() / f"{name}.jsonl") for name in setups]
    for choice, (name, kind) in zip(continue_menu(runs).choices, kinds.items(), strict=True):
        place = "" if name == "world" else "depth 1"
        (row,) = [row for row in rows if f"  {name} " in row]
        assert re.search(rf" {kind} .*{place}  seed ", row)
        assert ("depth" in row) == bool(place)
        (line,) = [line for line in table if line.startswith(name)]
        assert kind in line.split()
        assert choice.label.startswith(f"{kind:<9}  {place}")


def test_files_that_cannot_be_read_are_counted_below_the_list(path):
    for name in ("y", "z"):
        path.with_name(f"{name}.jsonl").write_text("nonsense\n")
    assert "2 files cannot be read; the command `runs` lists all." in shown(Person().types("r"))


def test_a_run_taken_over_from_a_file_says_from_where_its_turns_count(path):
    session = take_over(read_run(path))
    session.act(Wait())
    session.run.close()
    text = shown(Person().types("r"))
    assert "branch 1 turn, unfinished" in text
    assert "taken over from one on turn 120" in text
    assert session.run.state.turn == 121


def test_after_a_take_over_a_level_does_not_sum_up_what_it_did_not_see(path):
    session = take_over(read_run(path))
    state = session.run.state
    state.map.move_entity(state.hero, *state.map.exit)
    person = Person()
    person.app.answer(Push(PlayScreen(session)))
    session.act(Descend())
    assert "Depth 2" in person.reads()
    assert "Depth 1:" not in person.reads()
    person.top.close()


def test_a_run_of_another_version_offers_what_is_left_of_it(foreign):
    person = Person().types("ra")
    assert f"under rules {RULES}, here they are 999" in shown(person)
    person.types("w")
    assert isinstance(person.top, ReplayScreen)
    assert "saved states only" in shown(person)
    person = Person().types("rag")
    assert isinstance(person.top, PlayScreen)
    assert 95 <= person.top.session.run.state.turn <= 120  # a keyframe of its last turns
    assert not person.top.session.run.state.scored
    person.top.close()


def test_a_run_of_another_version_without_keyframes_is_a_sentence(foreign):
    keyframes_path(foreign).unlink()
    person = Person().types("ra")
    assert "no keyframes of it are left to watch" in shown(person)
    person.types("b" * 2)
    assert "keyframes" not in shown(person)


def test_continue_says_what_is_left_of_another_versions_run(foreign, capsys):
    assert main(["--continue"]) == 3
    said = capsys.readouterr().err
    assert "--keyframes" in said
    assert "--take-over" in said
    assert said.count("\n") == 1
    assert "Replay on the title screen shows" in shown(Person().types("c"))


@pytest.mark.parametrize("rules", [RULES, 999])
@pytest.mark.parametrize("name", ["shallow", "keep+shallow"])
def test_a_run_without_its_recipe_of_one_s_own_is_told_alike_everywhere(
    own_home, rules, name, capsys, monkeypatch
):
    kind, file = ("overlay", "overlays.toml") if "+" in name else ("generator", "recipes.toml")
    own = own_home / file
    own_home.mkdir()
    extends = "steps = []" if "+" in name else 'extends = "rooms"'
    own.write_text(f'[shallow]\ndescription = ""\n{extends}\n')
    path = runs_folder() / "one.jsonl"
    played(path, 30, generator=name)
    own.unlink()
    monkeypatch.setattr("engine.saves.run_file.RULES", rules)
    told = f"{path}: needs a recipe of your own: there is no {kind} '~shallow': names with ~ are "
    told += f"your own, from {own} (not found; `list` names files not read; "
    told += "set another folder with --mine or $SEEDHOLLOW_MINE)"
    for words in (["--continue"], ["--take-over", path], ["--ghost", path]):
        assert main(["play", *map(str, words)]) == 1
        assert capsys.readouterr().err == f"{PROGRAM}: {told}\n"
    for words in ([], ["--verify"], ["--keyframes"], ["--export", own_home / "run.cast"]):
        assert main(["replay", *map(str, [path, *words])]) == 1
        assert capsys.readouterr().err == f"{PROGRAM}: {told}\n"
    for keys in ("c", "ra"):
        seen = re.sub(r"[╭╮╰╯│─\s]", "", Person().types(keys).reads())
        assert "".join(told.split()) + "." in seen
        assert "shows" not in seen


def test_a_damaged_run_is_shown_as_far_as_it_is_whole(path):
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:41]) + "oops\n" + "".join(lines[41:]))
    person = Person().types("ra")
    assert isinstance(person.top, ReplayScreen)
    assert person.top.head.end == 40


def test_a_run_that_goes_another_way_says_that_it_can_be_watched_up_to_there(
    path, capsys, monkeypatch
):
    lines = path.read_text().splitlines(keepends=True)
    lines[90] = re.sub(r'"digest":"....', '"digest":"ffff', lines[90])
    path.write_text("".join(lines))
    keyframes_path(path).unlink()
    assert len(read_run(path).actions) == 120
    for command in (["replay", str(path), "--verify"], ["--continue"]):
        monkeypatch.setattr(play, "open_backend", lambda *, terminal: Keyboard("."))
        assert main(command) == 4
        said = capsys.readouterr().err
        assert "out of sync at turn 90" in said
        assert "shows the run up to that turn" in said
    assert "Replay shows the run up to there" in shown(Person().types("c"))


def test_recipes_that_are_gone_are_said_when_a_run_is_taken_over(path, capsys, monkeypatch):
    monkeypatch.setattr(play, "open_backend", lambda *, terminal: Keyboard("."))
    path.write_text(path.read_text().replace('"seed":3', '"generator":"gone","seed":3', 1))
    assert main(["play", "--take-over", str(path)]) in {1, 3}
    assert capsys.readouterr().err.startswith("main.py: ")
    assert isinstance(Person().top, TitleScreen)
    assert recorded_paths() == [path]
