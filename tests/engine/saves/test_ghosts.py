"""The ghost of an earlier run, and its grave."""

import json
import shutil
from functools import cache

import pytest
from msgspec.structs import replace

from components.inventory import Item
from engine.engine import Engine
from engine.levels.populate import populated_map
from engine.saves.digests import state_digest
from engine.saves.files import runs_folder
from engine.saves.ghost import Sighting, ghost_of, ghost_sighting, setup_with_ghost
from engine.saves.high_scores import daily_setup, day_of, score_board, today
from engine.saves.playback import Playback
from engine.saves.run import Run
from engine.saves.run_file import RunFileError, read_run
from engine.state.actions import Descend, Drop, Refused, Visit, Wait
from engine.state.run_setup import EarlierRun, RunSetup
from entities.folders import data_folder
from entities.terrain import Tile
from main import main
from render.screens.play_screen import PlayScreen
from render.screens.replay_screen import ReplayScreen
from render.session.session import Session
from render.session.start_run import begin, resume
from support.bot_runs import begun, played
from support.fake_backend import Person
from support.kept_runs import golden_path
from support.play_screens import ended, playing, slain, world_of
from support.scenes import level_of

SIGHTING = "render.session.session.ghost_sighting"


@pytest.fixture
def death():
    """Return the file of a golden run of 45 turns that ends in a death."""
    return golden_path("deep-adventure")


@cache
def places(path):
    """Return level and place of the hero of the run at ``path`` on every turn, by replaying it."""
    playback, found = Playback(read_run(path)), []
    for turn in range(len(playback.recorded.actions) + 1):
        playback.seek(turn)
        state = playback.engine.state
        left, top = state.map.origin
        found.append((str(state.code), state.hero.x + left, state.hero.y + top))
    return found


def kept_copy(path):
    """Return where a run file from elsewhere is kept for its ghost."""
    return data_folder() / "ghosts" / f"{read_run(path).identity.hex()}.jsonl"


@pytest.mark.parametrize("name", ["deep-adventure", "wilds"])
def test_a_ghost_is_on_every_turn_where_its_replay_says(name):
    path = golden_path(name)
    ghost, found = ghost_of(setup_with_ghost(path)), places(path)
    assert [ghost_sighting(ghost, turn) for turn in range(len(found))] == found
    assert ghost_sighting(ghost, len(found)) is None


@pytest.mark.slow
def test_fifty_ghosts_are_where_their_replays_say(tmp_path):
    for seed in range(50):
        path = tmp_path / f"{seed}.jsonl"
        played(path, turns=400, seed=seed)
        ghost, found = ghost_of(setup_with_ghost(path)), places(path)
        assert [ghost_sighting(ghost, turn) for turn in range(len(found))] == found


def test_the_grave_holds_one_thing_and_the_run_replays_without_the_earlier_file(death, tmp_path):
    setup = setup_with_ghost(death)
    dead = setup.ghost
    assert (dead.level, dead.x, dead.y) == places(death)[-1]
    assert not setup.is_standard, "it began at depth 9"
    run = Run.begin(setup, tmp_path / "new.jsonl")
    assert not run.state.scored
    lying = run.state.map.items_at(dead.x, dead.y)
    assert [(one.kind, one.count) for one in lying if one.kind == dead.item.kind] == [
        (dead.item.kind, 1)
    ]
    assert run.state.map.tiles[dead.y, dead.x] in (
        Tile.BONES,
        run.state.map.level.tiles[dead.y, dead.x],
    )
    for _ in range(5):
        run.act(Wait())
    run.close()
    kept_copy(death).unlink()
    playback = Playback(read_run(tmp_path / "new.jsonl"))
    playback.seek(playback.last)
    assert state_digest(playback.engine.state) == state_digest(run.state)


def test_the_session_follows_the_ghost_and_goes_on_without_it(death):
    session, found = begin(setup_with_ghost(death)), places(death)
    *_, walks, scored = map(str, session.log.messages)
    assert walks == "The ghost of an earlier run walks with you."
    assert scored == "This run is not scored.", "it began at depth 9"
    session.run.state.hero.fighter.hp = session.run.state.hero.fighter.max_hp = 10**6
    for turn in range(1, len(found)):
        session.act(Wait())
        here = found[turn][0] == str(session.run.state.code)
        assert session.view.ghost == (found[turn][1:] if here else None)
    session.act(Wait())
    assert session.view.ghost is None
    session.run.close()
    kept_copy(death).unlink()
    bare = Session(Run(Engine(session.run.state)))
    assert "there is no ghost" in str(bare.log.messages[-2])


def test_a_continued_run_has_its_ghost_again(death):
    session = begin(setup_with_ghost(death))
    for _ in range(4):
        session.act(Wait())
    session.run.close()
    again = resume(read_run(session.run.recorder.path))
    assert again.view.ghost == places(death)[4][1:]
    assert isinstance(again.act(Descend()), Refused)
    assert again.view.ghost == places(death)[4][1:]
    again.run.close()


def test_the_run_beside_a_ghost_can_be_read_however_long_the_name_of_the_earlier_file(
    death, tmp_path
):
    long = runs_folder() / ("a" * 150 + ".jsonl")
    long.parent.mkdir(parents=True)
    shutil.copy(death, long)
    setup = setup_with_ghost(long)
    Run.begin(setup, tmp_path / "new.jsonl").close()
    assert read_run(tmp_path / "new.jsonl").header.setup == setup
    assert ghost_of(setup)


def test_two_runs_from_elsewhere_with_one_name_have_two_ghosts(death, tmp_path):
    setups = []
    for folder, path in (("a", death), ("b", golden_path("wilds"))):
        (tmp_path / folder).mkdir()
        shutil.copy(path, tmp_path / folder / "run.jsonl")
        setups.append(setup_with_ghost(tmp_path / folder / "run.jsonl"))
    for setup, path in zip(setups, (death, golden_path("wilds")), strict=True):
        assert ghost_sighting(ghost_of(setup), 9) == places(path)[9]


def test_a_run_that_was_taken_over_has_no_ghost():
    with pytest.raises(RunFileError, match="has no beginning"):
        setup_with_ghost(golden_path("from-the-middle"))


def dead_of_waiting(folder, generator, *, drops):
    """Return the file of a run whose hero waited for death, after it dropped all, if it does."""
    for seed in range(1, 20):
        path = folder / f"{seed}.jsonl"
        run = Run.begin(RunSetup(seed, str(seed), generator=generator, depth=9), path)
        for item in [*run.state.hero.inventory] if drops else ():
            run.act(Drop(item.id))
        while run.state.hero.alive and run.state.turn < 400:
            run.act(Wait())
        run.close()
        if not run.state.hero.alive:
            return path
    raise AssertionError("nobody died")


def test_who_died_with_nothing_has_a_grave_without_anything(tmp_path):
    dead = setup_with_ghost(dead_of_waiting(tmp_path, "rooms", drops=True)).ghost
    assert dead.level.startswith("rooms")
    assert dead.item is None


def test_who_died_in_an_infinite_world_has_no_grave(tmp_path):
    dead = setup_with_ghost(dead_of_waiting(tmp_path, "wilds", drops=False)).ghost
    assert (dead.level, dead.x, dead.y, dead.item) == ("", 0, 0, None)


@pytest.mark.parametrize("place", [(0, 0), (99, 1)])
def test_a_grave_in_a_wall_or_off_the_level_is_not_dug(place):
    level = level_of("#####\n#@.>#\n#####")
    dead = EarlierRun("a.jsonl", str(level.code), *place, Item(1, "sword"))
    setup = RunSetup(1, "1", ghost=dead)
    game_map = populated_map(level, setup, iter(range(1, 99)).__next__)
    assert "sword" not in [one.kind for one in game_map.items_at(*place)]
    assert not (game_map.tiles == Tile.BONES).any()


@pytest.mark.parametrize("item", [[1, "no such thing"], [1, "sword", 5]])
def test_a_grave_with_an_impossible_item_is_refused(death, tmp_path, item):
    run = Run.begin(setup_with_ghost(death), tmp_path / "new.jsonl")
    run.close()
    header = json.loads((tmp_path / "new.jsonl").read_text().splitlines()[0])
    header["setup"]["ghost"]["item"] = item
    (tmp_path / "bad.jsonl").write_text(json.dumps(header) + "\n")
    with pytest.raises(RunFileError):
        Playback(read_run(tmp_path / "bad.jsonl"))


def test_the_command_line_says_which_run_has_no_ghost(capsys):
    for option in ("--ghost", "--take-over"):
        assert main(["play", option, "none.jsonl"]) == 2
        assert "there is no run 'none.jsonl'; `main.py runs` lists them" in capsys.readouterr().err
    assert main(["play", "--ghost", "a", "--seed", "3"]) == 2
    assert "keep the settings of the run" in capsys.readouterr().err
    assert main(["play", "--ghost", "a", "--continue"]) == 2
    assert "give one of" in capsys.readouterr().err


def test_after_a_death_the_dungeon_can_be_played_beside_the_ghost():
    person = playing()
    person.types("..")
    state = world_of(person)
    state.hero.fighter.hp, state.killed_by = 0, "orc"
    person.types(".")
    ended(person).types("s")
    (text,) = person.backend.copied
    assert text.splitlines()[0].startswith("Seedhollow rooms.1:42:1@80x45: depth 1, ")
    assert text.splitlines()[1] == "rooms"
    person.presses("escape").types("a")
    assert "With the ghost of the earlier run" in person.reads()
    person.types("g")
    assert world_of(person).setup.ghost
    assert world_of(person).turn == 0
    assert "The ghost of an earlier run walks with you." in person.reads()
    assert "not scored" not in person.reads(), "it has a board of its own"


def test_runs_with_a_ghost_have_a_board_of_their_own(tmp_path, capsys):
    played(tmp_path / "earlier.jsonl", turns=20, seed=3)
    setup = setup_with_ghost(tmp_path / "earlier.jsonl")
    assert "not scored" not in playing(setup).reads()
    person = slain(setup)
    assert "1st of 1 of the runs with a ghost" in person.reads()
    (score,) = score_board(ghosts=True)
    assert score.ghost
    assert score_board() == []
    person.types("h")
    assert "High scores of runs with a ghost" in person.reads()
    assert "killed by an orc" in person.reads()
    person.types("g")
    assert "No scored runs yet" in person.reads()
    capsys.readouterr()
    assert main(["scores", "--ghosts"]) == 0
    assert "killed by an orc" in capsys.readouterr().out
    assert main(["scores"]) == 0
    assert "orc" not in capsys.readouterr().out


def test_a_daily_run_with_a_ghost_is_not_the_first_try(tmp_path):
    played(tmp_path / "earlier.jsonl", turns=20, seed=3)
    ghost = setup_with_ghost(tmp_path / "earlier.jsonl").ghost
    assert day_of(begun(replace(daily_setup(today()), ghost=ghost)).stem) == ""
    assert day_of(begun().stem)


def test_a_friends_run_file_is_played_by_keys_beside_its_ghost(death):
    runs_folder().mkdir(parents=True, exist_ok=True)
    shutil.copy(death, runs_folder() / "of-a-friend.jsonl")
    person, found = Person().types("ra"), places(death)
    assert isinstance(person.top, ReplayScreen)
    assert "with its ghost" in person.types("t").reads()
    person.types("g\x1b")
    screen = person.top
    assert isinstance(screen, PlayScreen)
    assert "not scored" in person.reads(), "it begins on depth 9"
    assert "The ghost of an earlier run walks with you." in person.reads()
    world_of(person).hero.fighter.hp = world_of(person).hero.fighter.max_hp = 10**6
    for turn in range(1, 20):
        person.types(".")
        assert world_of(person).turn == turn
        assert screen.session.view.ghost == found[turn][1:]
    assert runs_folder().joinpath("of-a-friend.jsonl").read_bytes() == death.read_bytes()


def test_the_second_try_at_the_dungeon_of_the_day_goes_beside_the_first_and_does_not_count():
    day = today().isoformat()
    person = Person().types("d")
    assert "You have not played it yet." in person.reads()
    person.types("p")
    for key in "1llljjj..":
        person.types(key)
    first, walked = person.top.session.run.recorder.path, world_of(person).turn
    assert "Your run of it is not over: Continue" in person.types("S").types("d").reads()
    person.presses("escape").types("c")
    world_of(person).gold = 3
    person.types("Qyt")
    assert [score.run for score in score_board(day)] == [first.stem]
    assert "You have already played it." in person.types("d").reads()
    assert "With the ghost of the earlier run" in person.types("p").reads()
    person.types("g\x1b")
    found, screen = places(first), person.top
    assert world_of(person).setup.ghost
    assert world_of(person).setup.seed == daily_setup(today()).seed
    for turn in range(1, walked + 1):
        person.types(".")
        assert screen.session.view.ghost == found[turn][1:]
    world_of(person).gold = 5
    person.types("Qyt")
    assert [score.run for score in score_board(day)] == [first.stem]
    person.types("dpa1")
    assert world_of(person).setup.ghost is None
    world_of(person).gold = 7
    person.types(".Qy")
    assert [score.run for score in score_board(day)] == [first.stem], "the first try counts"


def test_a_ghost_fades_where_its_run_ended_and_that_is_told_once():
    path = runs_folder() / "earlier.jsonl"
    run = Run.begin(RunSetup(7, "7", generator="rooms"), path)
    for _ in range(2):
        run.act(Wait())
    run.close()
    person = playing(setup_with_ghost(path))
    session, hero = person.top.session, world_of(person).hero
    assert session.view.ghost == (hero.x, hero.y)
    person.types("..")
    assert session.view.ghost == (hero.x, hero.y)
    assert "The ghost fades" not in person.reads()
    person.types("...")
    assert (session.view.ghost, session.ghost) == (None, None)
    told = [one.text for one in session.log.messages if "ghost fades" in one.text]
    assert told == ["The ghost fades: its run ended here."]


@pytest.mark.parametrize("name", ["deep-adventure", "wilds"])
@pytest.mark.parametrize("away", ["far off", "on another level"])
def test_a_ghost_that_ends_elsewhere_is_not_said_to_fade_here(name, away, monkeypatch):
    session = begin(setup_with_ghost(golden_path(name)))
    here = ghost_sighting(session.ghost, 0)
    last = here._replace(x=here.x + 2000) if away == "far off" else here._replace(level="caves")
    monkeypatch.setattr(SIGHTING, lambda _, turn: None if turn > 1 else last)
    for _ in range(2):
        session.act(Wait())
    assert (session.view.ghost, session.ghost) == (None, None)
    assert not any("ghost fades" in one.text for one in session.log.messages)
    session.run.close()


def test_a_ghost_that_ends_as_the_hero_leaves_its_level_does_not_fade_on_the_next(
    death, monkeypatch
):
    session = begin(setup_with_ghost(death))
    state = session.run.state
    session.act(Visit("rooms:5"))
    start = state.map.start
    session.act(Visit("rooms:6"))
    last = Sighting(state.map.name, *start)
    monkeypatch.setattr(SIGHTING, lambda _, turn: None if turn > 3 else last)
    session.act(Wait())
    assert session.view.ghost == start
    session.act(Visit("rooms:5"))
    assert state.map.visible[start.y, start.x]
    assert (session.view.ghost, session.ghost) == (None, None)
    assert not any("ghost fades" in one.text for one in session.log.messages)
    session.run.close()
