"""Out of a recorded run into a new one, from a whole file or a damaged one."""

import time

import pytest
from msgspec.structs import replace

from engine.saves.digests import state_digest
from engine.saves.files import recorded_paths
from engine.saves.high_scores import high_score_of
from engine.saves.run_file import RunFileError, read_run
from engine.state.actions import Refused, Wait
from engine.state.run_setup import RunSetup
from main import main
from render.panels.morgue import morgue_text, share_text
from render.screens.play_screen import PlayScreen
from render.screens.replay_screen import ReplayScreen, TakeOverScreen
from render.session import start_run as branching
from render.ui.input import Pointer
from support.replays import acted, broken, settled, states, watching


def test_taking_over_asks_first_and_no_is_the_default(adventure):
    person, replay = watching(adventure)
    person.types("100\n")
    settled(person, replay)
    person.types("t")
    assert "Take over on turn 100?" in person.reads()
    person.presses("enter")
    assert person.top is replay
    assert recorded_paths() == []


def test_a_run_taken_over_stands_alone_says_where_from_and_is_not_scored(adventure):
    before = adventure.path.read_bytes()
    then = states(adventure)[100]
    person, replay = watching(adventure)
    person.types("100\n")
    settled(person, replay)
    wounded = replay.session.run.state.hero.fighter.hp
    person.types("ty").waits(100)
    assert isinstance(person.top, PlayScreen)
    state = person.top.session.run.state
    assert state.turn == 100
    assert not state.scored
    assert state.hero.fighter.hp == wounded
    assert "unscored" in person.reads()
    assert "You take over on turn 100" in person.reads()
    person.types("..S")
    assert "New adventure" in person.reads()
    (path,) = recorded_paths()
    grown = read_run(path)
    assert grown.header.setup.grew_from == f"{adventure.path.name}@100"
    assert [a for a, *_ in grown.actions[:100]] == [a for a, *_ in adventure.actions[:100]]
    assert len(grown.actions) == 102
    replayed = states(grown)
    assert replayed[100] != then  # For it is not scored.
    assert replayed[102] == state_digest(state)
    assert adventure.path.read_bytes() == before
    person.types("r\n")
    assert f"from {adventure.path.name}@100" in person.reads()


def test_giving_up_half_way_leaves_nothing_behind(adventure, monkeypatch):
    monkeypatch.setattr(branching.time, "monotonic", iter(range(10**6)).__next__)
    person, replay = watching(adventure)
    replay.head.playback.seek(300)
    person.types("ty").waits(3)
    assert isinstance(person.top, TakeOverScreen)
    assert "replayed" in person.reads()
    assert len(recorded_paths()) == 1
    person.presses("escape")
    assert person.top is replay
    assert recorded_paths() == []


def test_the_dead_cannot_be_taken_over(adventure):
    person, replay = watching(adventure)
    replay.session.run.state.hero.fighter.hp = 0
    person.types("t")
    assert "The run is over here" in person.reads()
    person.presses("escape")
    assert person.top is replay


@pytest.fixture
def damaged(adventure, tmp_path):
    """The adventure, wrong from turn 50 on."""
    return broken(adventure, tmp_path, 50)


def test_divergence_is_said_in_a_sentence_and_what_came_before_can_be_watched(damaged, adventure):
    person, replay = watching(damaged)
    person.presses("end").waits(5)
    text = person.reads()
    assert "The replay ends here" in text
    assert "out of sync at turn 50" in text
    assert str(damaged.path) not in text
    assert replay.head.position == 49
    assert state_digest(replay.session.run.state) == states(adventure)[49]
    person.types("wf")
    assert replay.interval is not None
    while replay.interval is not None:
        person.waits()
    assert person.top is replay
    assert replay.head.position == 49
    assert "out of sync at turn 50" in person.reads()
    assert "╌" in person.reads()
    person.presses("right", "end")
    assert replay.head.position == 49
    assert person.top is replay


def test_a_damaged_run_can_be_taken_over_before_the_damage(damaged):
    person, _ = watching(damaged)
    person.presses("end").waits(5)
    person.types("ty").waits(50)
    assert isinstance(person.top, PlayScreen)
    assert person.top.session.run.state.turn == 49


def test_a_run_out_of_sync_has_no_ghost(damaged, capsys):
    person, _ = watching(damaged)
    person.types("tg")
    assert "out of sync at turn 50" in person.reads()
    assert main(["play", "--ghost", str(damaged.path)]) == 4
    assert "out of sync at turn 50" in capsys.readouterr().err


def test_playing_up_to_damage_says_so_once_and_stays_before_it(damaged):
    person, replay = watching(damaged)
    person.types("f").presses("space")
    until = time.monotonic() + 20
    while person.top is replay and time.monotonic() < until:
        person.waits()
    assert "The replay ends here" in person.reads()
    assert "out of sync at turn 50" in person.reads()
    assert (replay.head.position, replay.player.playing) == (49, False)
    person.types("s").waits(3)
    assert person.top is replay


def test_a_turn_that_cannot_be_repeated_ends_a_take_over_and_leaves_no_file(adventure, monkeypatch):
    person, replay = watching(adventure)
    person.types("20\n")
    settled(person, replay)
    person.types("ty")
    monkeypatch.setattr(person.top.branch.session, "act", lambda _: Refused("blocked"))
    person.waits()
    said = " ".join(person.reads().replace("│", " ").split())
    assert person.top.title == "Take over"
    assert f"can't be taken over: turn 1 of {adventure.path.name} cannot be repeated." in said
    assert recorded_paths() == []
    person.types("b")
    assert person.top is replay


def test_a_run_wrong_from_the_first_turn_still_shows_its_beginning(adventure, tmp_path):
    person, replay = watching(broken(adventure, tmp_path, 1))
    person.presses("right")
    assert "The replay ends here" in person.reads()
    assert "up to there" not in person.reads()
    person.types("l")
    assert person.top is not replay


def test_a_damaged_run_can_be_watched_up_to_the_damage(adventure, tmp_path):
    path = tmp_path / "cut.jsonl"
    lines = adventure.path.read_text().splitlines()
    path.write_text("\n".join([*lines[:26], '{"do": nonsense}', *lines[26:]]) + "\n")
    person, replay = watching(read_run(path, tolerant=True))
    assert person.top is replay
    person.presses("end")
    settled(person, replay)
    person.waits()
    assert "is not part of a run" in person.reads()
    assert replay.head.position == 25
    person.presses("enter", "left")
    settled(person, replay)
    assert replay.head.position == 24


def test_a_run_of_another_version_is_paged_through_and_taken_over_as_it_is(
    adventure, monkeypatch, own_home
):
    monkeypatch.setattr("engine.saves.run_file.RULES", 999)
    foreign = read_run(adventure.path, tolerant=True)
    assert foreign.foreign
    person, replay = watching(foreign)
    assert "another version" in person.reads()
    pages = []
    for _ in range(4):
        person.presses("right")
        settled(person, replay)
        pages.append(replay.head.position)
    assert pages == sorted(set(pages))
    assert pages[-1] < len(foreign.actions)
    person.presses("left")
    settled(person, replay)
    assert replay.head.position == pages[-2]
    person.presses("pageup")
    settled(person, replay)
    assert replay.head.position == pages[-3]
    hero = replay.session.run.state.hero
    monkeypatch.undo()
    assert "ghost" not in person.types("t").reads(), "its actions cannot be replayed"
    person.types("y").waits(3)
    assert isinstance(person.top, PlayScreen)
    state = person.top.session.run.state
    assert (state.hero.x, state.hero.y, state.turn) == (hero.x, hero.y, pages[-3])
    assert not state.scored
    person.types(".S")
    (path,) = recorded_paths()
    assert path.is_relative_to(own_home)
    grown = read_run(path)
    assert grown.header.setup.grew_from == f"{adventure.path.name}@{pages[-3]}"
    assert states(grown)[-1] == state_digest(state)


@pytest.mark.parametrize("key", ["end", "n"])
def test_a_run_of_another_version_ends_on_its_last_keyframe(cave_run, monkeypatch, key):
    monkeypatch.setattr("engine.saves.run_file.RULES", 999)
    person, replay = watching(read_run(cave_run.path, tolerant=True))
    person.presses(key)
    settled(person, replay)
    turn, total = replay.session.run.state.turn, len(cave_run.actions)
    assert replay.head.at_end
    assert f"turn {turn} of {total}" in person.reads()
    assert f"Take over on turn {turn}?" in person.types("t").reads()
    assert turn < total


def test_a_run_of_another_version_without_keyframes_is_said_to_be_one(bare, monkeypatch):
    monkeypatch.setattr("engine.saves.run_file.RULES", 999)
    foreign = read_run(bare.path, tolerant=True)
    with pytest.raises(RunFileError, match="no keyframes of it are left"):
        ReplayScreen(foreign)


def test_a_run_without_a_single_turn_can_be_looked_at_and_taken_over(tmp_path):
    person, replay = watching(acted(tmp_path / "new.jsonl", RunSetup(5, "5", generator="rooms")))
    for key in ("right", "left", "end", "home", "pagedown", "n", "N", "]", "[", "space", "f"):
        person.presses(key).waits(2)
        assert "turn 0 of 0" in person.reads()
    person.app.handle(Pointer("press", replay._bar.rect.x, replay._bar.rect.y, None, "left"))
    person.types("ty").waits(2)
    assert isinstance(person.top, PlayScreen)
    assert not person.top.session.run.state.scored


def test_what_is_shared_and_told_of_a_branch_names_the_run_and_turn(cave_run, tmp_path, capsys):
    origin = f"taken over from {cave_run.path.stem} on turn {len(cave_run.actions)}"
    session = branching.take_over(cave_run)
    score = high_score_of(session.run.state, "abandoned", "", "")
    assert f", not scored, {origin}, abandoned\n" in share_text(session, score)
    assert f"This run was not scored:\nit was {origin}.\n" in morgue_text(session, score, "")
    session.run.close()
    assert main(["replay", str(session.run.recorder.path), "--verify"]) == 0
    assert "scored  no, it has no beginning" in capsys.readouterr().out, "it starts with a state"
    whole = tmp_path / "whole.jsonl"
    setup = replace(cave_run.header.setup, grew_from=f"{cave_run.path.name}@160")
    acted(whole, setup, Wait())
    assert main(["replay", str(whole), "--verify"]) == 0
    assert f"scored  no, it was {origin}\n" in capsys.readouterr().out
    score = replace(score, ghost=True)
    assert f", {origin}, with a ghost, abandoned\n" in share_text(session, score)
