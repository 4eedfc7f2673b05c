"""What can be seen in a replay: the level, its keys, the bar, what is worth a stop."""

import pytest

from engine.levels.drawn_level import pack_drawn
from engine.state.actions import Wait
from engine.state.events import (
    Arrived,
    CreatureRef,
    Died,
    FoundDoor,
    Hurt,
    Moved,
    Noticed,
    Spotted,
    StatusApplied,
    StatusEnded,
    Struck,
    TookGold,
)
from engine.state.run_setup import Mode, RunSetup
from procgen.blueprint import Point
from render.map.place_names import depth_label, hero_place
from render.replays.playhead import event_kind
from render.screens.map_cursor import ChooseTile
from render.screens.reader import Reader
from render.screens.replay_screen import ReplayScreen
from render.screens.screen import Leave, Push
from render.session.animations import ANIMATION_SECONDS
from render.ui.input import Key, Pointer
from render.ui.keymap import bindings, key_label
from render.ui.palette import colors
from support.contrast import inks_of
from support.fake_backend import Person
from support.replays import acted, settled, watching
from workbench.level_files import read_level


def test_the_whole_level_can_be_seen_and_anything_named(adventure):
    person, replay = watching(adventure)
    person.types("60\n")
    settled(person, replay)
    state, view = replay.session.run.state, replay.session.view
    hidden = next(
        (x, y)
        for y in range(state.map.height)
        for x in range(state.map.width)
        if not state.map.explored[y, x]
    )
    person.reads()
    spot = hidden[0] - view.left, hidden[1] - view.top
    person.app.handle(Pointer("move", 3, 3, spot))
    assert "unexplored" in person.reads()
    person.presses("tab")
    person.app.handle(Pointer("move", 3, 3, spot))
    assert "the whole level is shown" not in person.reads()
    assert "unexplored" not in person.reads()
    person.app.handle(Pointer("move", 0, 0))
    assert "the whole level is shown" in person.reads()
    person.types("x")
    assert "Examine" in person.reads()
    assert "turn 60 of" in person.reads()
    person.presses("escape").types("X")
    assert person.top.title == "In view"
    assert "you, here," in person.reads()
    assert "HP, on tunnel floor" in person.reads()
    assert person.presses("escape").top is replay


def test_the_keys_beside_the_map_and_the_messages_can_be_clicked(adventure):
    person, replay = watching(adventure)
    person.types("60\n")
    settled(person, replay)
    shown = replay.session.view.reveal
    person.points("see all")
    assert replay.session.view.reveal is not shown
    person.points("examine")
    assert isinstance(person.top, ChooseTile)
    person.presses("escape")
    for text in ("messages", str(replay.session.log.messages[-1])):
        person.points(text)
        assert isinstance(person.top, Reader)
        assert person.top.title == "Messages"
        person.presses("escape")


def test_help_names_every_key_of_a_replay(adventure):
    person, _ = watching(adventure, columns=140)
    person.types("?")
    text = person.reads()
    for _ in range(5):
        person.presses("pagedown")
        text += person.reads()
    for section in ("player", "replay"):
        for binding in bindings()[section].values():
            assert binding.help in text
            assert key_label(binding.keys[0]) in text


def test_the_name_of_the_file_is_dim_and_no_fainter(adventure):
    person, _ = watching(adventure)
    assert inks_of(person, adventure.path.stem[:12]) == {colors()["dim"]}


@pytest.mark.parametrize("size", [(80, 30), (200, 60), (40, 12), (20, 8), (1, 1)])
def test_it_draws_at_any_size(adventure, size):
    person, replay = watching(adventure, columns=size[0], rows=size[1])
    for keys in ("?", "x", "X", "M", "g", "t"):
        person.types(keys).reads()
        person.presses("escape")
    assert person.top is replay
    if size[0] >= 80:
        assert f"of {len(adventure.actions)}" in person.reads()


def test_the_bar_can_be_pressed_and_dragged(adventure):
    person, replay = watching(adventure)
    person.presses("home").reads()
    bar, total = replay._bar.rect, len(adventure.actions)
    middle = bar.x + bar.width // 2
    person.app.handle(Pointer("move", middle, bar.y))
    assert "click to go there" in person.reads()
    assert replay.head.position == 0
    person.app.handle(Pointer("press", middle, bar.y, None, "left"))
    settled(person, replay)
    assert abs(replay.head.position - total / 2) <= total / bar.width
    person.app.handle(Pointer("move", bar.x, bar.y + 1, None, "left"))
    settled(person, replay)
    assert replay.head.position == 0
    person.app.handle(Pointer("move", middle, bar.y))
    person.app.handle(Pointer("move", middle, bar.y, None, "left"))
    assert replay.head.position == 0


def test_leaving_does_what_was_asked_for(adventure):
    person = Person()
    person.app.answer(Push(ReplayScreen(adventure, away=Leave())))
    person.presses("escape")
    assert person.app.stack == []


def test_keys_with_ctrl_are_not_turns(adventure):
    person, replay = watching(adventure)
    person.app.handle(Key("3", ctrl=True))
    assert person.top is replay


def test_fights_and_finds_are_worth_seeing():
    hero, rat = CreatureRef(0, "hero", Point(1, 1)), CreatureRef(5, "rat", Point(2, 1))
    dull = [Moved(hero, Point(0, 1)), Spotted(rat), Noticed(rat)]
    assert event_kind(dull, 0) == ""
    assert event_kind([*dull, Struck(hero, rat, 2), Died(rat, "hero")], 0) == "fight"
    assert event_kind([Hurt(rat, "trap", 3)], 0) == ""
    assert event_kind([Hurt(hero, "trap", 3)], 0) == "find"
    assert event_kind([Hurt(hero, "poisoned", 1)], 0) == "fight"
    assert event_kind([StatusApplied(hero, "poisoned", 9)], 0) == "find"
    assert (
        event_kind([StatusApplied(hero, "poisoned", 9, again=True), StatusEnded(hero, "held")], 0)
        == ""
    )
    assert event_kind([FoundDoor(Point(4, 4))], 0) == "find"
    assert event_kind([TookGold(hero, 7), Arrived("rooms:1", 2)], 0) == "level"


def test_a_turn_that_is_played_moves_and_one_that_is_jumped_to_stands_still(adventure):
    _, replay = watching(adventure)
    show = replay.session.animations
    replay.player.playing = False
    while not show.playing:
        assert replay.head.step()
    assert replay.interval <= ANIMATION_SECONDS
    replay.player.to(replay.head.position + 5)
    assert not show.playing


def test_a_replay_in_an_infinite_world_shows_and_copies_where_the_hero_is(tmp_path):
    setup = RunSetup(5, "5", generator="wilds")
    person, replay = watching(acted(tmp_path / "r.jsonl", setup, *[Wait()] * 3))
    person.presses("end")
    settled(person, replay)
    state = replay.session.run.state
    told = next(line for line in person.reads().splitlines() if "turn 3 of 3" in line)
    assert f"danger {depth_label(state)[1]}" in told
    assert told.split()[-1] == "r", "the run's name, as `replay` takes it"
    x, y = hero_place(state)
    assert (x, y) != state.code.place
    assert person.types("~").backend.copied == [f"wilds.1:5@{x},{y}"]
    assert person.types("v").top.code.place == (x, y)


def test_a_replay_on_a_level_from_a_file_has_no_build_to_watch(tmp_path):
    (tmp_path / "a.txt").write_text("########\n#<....>#\n########\n")
    drawn = pack_drawn(read_level(tmp_path / "a.txt"), 1)
    setup = RunSetup(1, "1", drawn=drawn, drawn_from="a.txt")
    person, replay = watching(acted(tmp_path / "r.jsonl", setup, Wait()))
    assert "This level came from a file: there is no build to watch." in person.types("v").reads()
    assert person.top is replay


def test_zooming_a_fitted_level_of_a_replay_first_shows_it_at_the_usual_size(tmp_path):
    setup = RunSetup(5, "5", Mode.WORKSHOP, "rooms")
    person, replay = watching(acted(tmp_path / "r.jsonl", setup, Wait()))
    view = replay.session.view
    assert view.reveal
    assert view.fitted
    person.types("z")
    assert (view.fitted, person.backend.zooms) == (False, [])
    person.types("zZ")
    view.fitted = True
    for amount in (1, 1, -1):
        person.app.handle(Pointer("wheel", 5, 5, amount=amount))
    assert (view.fitted, person.backend.zooms) == (False, [1, -1, 1, -1])


def test_a_key_without_a_command_is_answered(adventure):
    person, replay = watching(adventure)
    said = "No command is on w: ? lists all keys."
    assert said in person.types("w").reads()
    for key in ("left", "ctrl+w", "f9"):
        assert said not in person.presses(key).reads(), key
    person.types("?")
    assert "Help" in person.reads()
    person.presses("escape")
    assert person.top is replay
