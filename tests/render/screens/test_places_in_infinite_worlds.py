"""Places in infinite worlds: what is told of where a run ended, and going to one."""

from engine.saves.high_scores import high_score_of
from engine.saves.run import Run
from engine.state.actions import Descend, Move
from engine.state.run_setup import Mode, RunSetup
from entities.terrain import Tile
from main import main
from render.panels.morgue import morgue_text, share_text
from render.screens.screen import Act
from render.session.session import Session
from support.play_screens import playing, world_of


def test_what_is_left_of_an_infinite_world_names_the_place_where_it_ended(tmp_path, capsys):
    run = Run.begin(RunSetup(5, "5", generator="wilds"), tmp_path / "run.jsonl")
    state = run.state
    for _ in range(12):
        run.act(Move(1, 0))
    x, y = state.map.world_place(state.hero.x, state.hero.y)
    place = f"wilds.1:5:1@{x},{y}@160x90"
    assert (x, y) != state.code.place
    session = Session(run)
    score = high_score_of(state, "abandoned", "", "")
    text = morgue_text(session, score, "")
    assert f"Danger 1: {place}\n" in text
    assert f" {place}\n" in text.partition("The way down\n")[2]
    assert f"map {place}\n" in text
    assert share_text(session, score).startswith(f"Seedhollow {place}: danger 1, ")
    run.close()
    assert main(["replay", str(tmp_path / "run.jsonl"), "--verify"]) == 0
    assert f"level   {place}\n" in capsys.readouterr().out


def test_one_does_not_fly_to_a_place_of_the_same_world():
    person = playing(RunSetup(5, "5", generator="wilds")).types("~")
    before = person.types("wilds:5@900,900").presses("enter")
    assert "That place is in this world: go there on foot." in before.reads()
    assert world_of(person).turn == 0


def test_nor_does_one_fly_there_from_a_dungeon_below_it():
    person = playing(RunSetup(5, "5", generator="wilds"))
    state = world_of(person)
    state.map.set_tile(state.hero.x, state.hero.y, Tile.ENTRANCE)
    person.app.answer(Act(Descend()))
    assert not state.map.is_infinite
    person.types("~").types("wilds:5@900,900").presses("enter")
    assert "That place is in this world: go there on foot." in person.reads()
    person.types("~").types("wilds:6@900,900").presses("enter")
    assert "Go to another level?" in person.reads()


def test_the_workshop_gives_a_place_one_code():
    person = playing(RunSetup(5, "5", Mode.WORKSHOP, "wilds"), columns=120, rows=44).types("~")
    person.types("wilds:5@-3000,1200").presses("enter")
    state = world_of(person)
    x, y = state.map.world_place(state.hero.x, state.hero.y)
    assert f": wilds.1:5@{x},{y}." in person.reads()
    assert str(state.code) == "wilds.1:5:1@128,128@160x90"
