"""The screen of play: journeys, the mouse, danger, death, saving, replaying."""

import time
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest
from tcod.console import Console

from engine.saves.digests import state_digest
from engine.saves.files import recorded_paths
from engine.state.actions import Visit, Wait
from engine.state.events import CreatureRef, Stole
from engine.state.run_setup import Mode, RunSetup
from entities.folders import data_folder
from entities.terrain import Tile
from procgen.blueprint import Point
from render.messages.event_messages import event_message
from render.screens.play_screen import PlayScreen
from render.screens.replay_screen import ReplayScreen
from render.screens.screen import Act, Begin
from render.session.start_run import last_unfinished
from render.ui.frame import Backend
from render.ui.input import Closed, Key, Pointer
from render.ui.keymap import bindings, command_of
from render.ui.palette import colors
from render.ui.text import clipped, paragraphs, printable, write
from support.fake_backend import Person
from support.play_screens import ended, playing, world_of
from support.scenes import scene


def test_exploring_goes_on_by_itself_and_any_key_stops_it():
    person = playing().types("o")
    turn = world_of(person).turn
    person.waits(5)
    assert world_of(person).turn > turn
    person.types("x")
    turn = world_of(person).turn
    person.waits(3)
    assert world_of(person).turn == turn


@pytest.mark.parametrize("what", ["rock", "the hero", "the log"])
def test_a_click_stops_a_journey_too(what):
    person = playing().types("o")
    person.waits(5).reads()
    state, view = world_of(person), person.top.session.view
    here = state.hero.x - view.left, state.hero.y - view.top
    spot = {"rock": (0, 0), "the hero": here, "the log": None}[what]
    person.app.handle(Pointer("move", 1, 1, spot))
    turn = state.turn
    person.waits(3)
    assert state.turn == turn + 3  # A mouse that only moves stops nothing.
    here = state.hero.x - view.left, state.hero.y - view.top
    person.app.handle(Pointer("press", 1, 1, here if what == "the hero" else spot, "left"))
    turn = state.turn
    person.waits(3)
    assert state.turn == turn


def test_a_turn_with_more_to_tell_than_there_is_room_for_says_so():
    person = playing(columns=80, rows=30)
    session = person.top.session
    session.log.messages.clear()
    for number in range(3):
        session.say(f"Number {number}.")
    assert " more" not in person.reads()
    session.say("A long word of warning. " * 4)
    session.say("The end.")
    text = person.reads()
    assert "M 2 more" in text
    assert "The end." in text
    person.points("M 2 more")
    assert "A long word" in person.reads()


def test_a_small_window_tells_what_a_potion_was_whatever_else_it_does():
    person = playing(columns=80, rows=24)
    session = person.top.session
    session.log.messages.clear()
    session.say("You drink a smoking potion.", "text")
    session.say("It's a potion of darkness!", "accent")
    for number in range(4):
        session.say(f"The orc number {number} looks for you.", "warn")
    session.say("You can't rest.", "dim")
    text = person.reads()
    assert text.index("You drink") < text.index("potion of darkness!") < text.index("can't rest")
    assert "4 more" in text


def test_a_message_that_does_not_fit_is_not_cut():
    person = playing(columns=80, rows=24)
    session = person.top.session
    session.log.messages.clear()
    session.say("An older message of two lines. " * 3 + "Its end.")
    session.run.state.turn += 2
    session.say("A newer message of two lines. " * 4)
    rows = person.reads().splitlines()[20:23]
    assert not rows[0].strip(), "the end of a sentence alone says nothing"
    assert rows[1].strip().startswith("A newer message")


def test_a_theft_stays_in_a_small_log_for_some_turns():
    person = playing(columns=80, rows=24)
    session = person.top.session
    said = event_message(Stole(CreatureRef(5, "pilferer", Point(1, 1)), None, 12))
    session.say("You are badly hurt.", "bad!")
    session.say(*said)
    for number in range(4):
        session.say(f"The orc number {number} hits you.", "bad")
    row = next(n for n, line in enumerate(person.reads().splitlines()) if said[0] in line)
    cell = person.app.picture().text.bg[row, 3]
    assert tuple(cell) == colors()["bar_full"], "a new grave message is drawn on a bar"
    assert "badly hurt" in person.reads()
    assert "number 3" in person.reads()
    for _ in range(9):
        session.run.state.turn += 1
        session.say(f"On turn {session.run.state.turn} the orc hits you.", "bad")
        session.say("You hit the orc.", "text")
        assert said[0] in person.reads()
        assert f"On turn {session.run.state.turn}" in person.reads()
        assert "more" not in person.reads()
    session.run.state.turn += 1
    assert said[0] not in person.reads()


def test_a_path_is_not_broken_at_its_hyphens():
    path = "/home/me/some-folder/runs"
    assert paragraphs(f"The run is saved in {path}.", 36) == ["The run is saved in", f"{path}."]


def test_travel_shows_the_way_and_goes_there():
    person = playing().types("_")
    person.presses("right", "right")
    assert "Travel where?" in person.reads()
    person.presses("enter")
    person.waits(5)
    state = world_of(person)
    assert state.turn == 2
    assert (state.hero.x, state.hero.y) == (state.map.start.x + 2, state.map.start.y)


def test_the_mouse_names_walks_and_zooms():
    person = playing()
    person.reads()
    view = person.top.session.view
    hero = world_of(person).hero
    spot = (hero.x + 2 - view.left, hero.y - view.top)
    person.app.handle(Pointer("move", 9, 9, spot))
    assert "floor" in person.reads().splitlines()[-1]
    person.app.handle(Pointer("press", 0, 0, spot, "left"))
    person.waits(4)
    assert world_of(person).turn == 2
    person.app.handle(Pointer("move", 9, 9, spot))
    assert "floor" in person.reads().splitlines()[-1]
    person.app.handle(Pointer("wheel", 0, 0, spot, amount=1))
    assert person.backend.zooms == [1]
    assert "floor" not in person.reads().splitlines()[-1]


def test_a_key_that_only_a_window_can_obey_says_so_in_a_terminal():
    person = playing()
    person.types("=")
    assert "window only" not in person.reads()
    for method in ("zoom", "zoom_text", "toggle_fullscreen"):
        setattr(person.backend, method, partial(getattr(Backend, method), person.backend))
    for key in (Key("="), Key("-"), Key("=", ctrl=True), Key("f11")):
        person.types(".").types([key])
        assert "That works in a window only" in person.reads()
    person = playing()
    person.backend.zoom = partial(Backend.zoom, person.backend)
    person.app.handle(Pointer("wheel", 9, 9, (9, 9), amount=1))
    assert "window only" not in person.reads()


def test_a_screenshot_says_where_it_is_or_why_there_is_none(monkeypatch):
    person = playing()
    assert "Screenshots work in a window only" in person.presses("f12").reads()
    assert not (data_folder() / "screenshots").exists()
    paths = []
    monkeypatch.setattr(person.backend, "screenshot", lambda path: not paths.append(path))
    assert "Saved " in person.presses("f12").reads()
    assert Path(paths[0]).parent == data_folder() / "screenshots"
    fault = Mock(side_effect=OSError(28, "No space left on device"))
    monkeypatch.setattr(person.backend, "screenshot", fault)
    told = "The screenshot could not be saved (No space left on device)"
    assert told in person.presses("f12").reads()
    assert told not in person.types(".").reads()


def test_text_is_made_larger_and_smaller():
    person = playing().types([Key("=", ctrl=True), Key("-", ctrl=True)])
    assert person.backend.zooms == [1, -1]


def in_scene(drawing):
    """Return a person in a drawn world, unrecorded."""
    engine = scene(drawing)
    person = playing()
    session = person.top.session
    session.run.close()
    session.run.recorder = None
    session.run.engine = engine
    return person, engine


def test_held_keys_do_nothing_once_danger_comes_into_view():
    person, engine = in_scene("""
        ###########
        #@#.......#
        #.#.......#
        #.......o.#
        #........>#
        ###########
    """)
    for _ in range(6):
        person.app.handle(Key("j", repeat=True))
    assert engine.state.turn < 3
    assert person.backend.discarded >= 1
    turn = engine.state.turn
    person.app.handle(Key(".", repeat=True))
    assert engine.state.turn == turn
    person.types(".")
    assert engine.state.turn == turn + 1


def test_keys_that_came_together_are_forgotten_once_danger_comes_into_view():
    person, engine = in_scene("""
        ###########
        #@#.......#
        #.#.......#
        #.......o.#
        #........>#
        ###########
    """)
    person.backend.wait = lambda _timeout: batches.pop(0)
    batches = [[Key("j"), *map(Key, "jjljlj"), Pointer("press", 1, 1), Closed()]]
    person.app.run()
    assert engine.state.turn < 3
    assert not person.app.stack


def test_death_says_who_and_where_and_the_run_can_be_watched():
    person2, _ = in_scene("""
        #####
        #TTT#
        #T@T#
        #TT>#
        #####
    """)
    for _ in range(40):
        person2.types(".")
    assert "You die." in person2.reads()
    assert any("troll" in message.text for message in person2.top.session.log.messages[-3:])
    while person2.top.session.animations.playing:
        time.sleep(0.01)
    assert person2.top.interval >= 0.6
    for key in "anqtl\n\x1b":
        assert isinstance(person2.types(key).top, PlayScreen), key  # typed ahead: dropped
    text = ended(person2).reads()
    assert "You die" in text
    assert "a troll" in text
    for keys in ("l.", "lo", "l>", "lh", "l\x1b"):
        assert "The same dungeon again" in person2.types(keys).reads(), keys
    person2.types("t")
    assert "New adventure" in person2.reads()


def shown(person):
    """Return the top line of every picture since last asked."""
    frames, person.backend.shown = person.backend.shown, []
    return ["".join(map(chr, frame.text.ch[0].tolist())) for frame in frames]


def test_a_slow_build_is_announced_before_it_begins():
    person = Person()
    person.app.answer(Begin(RunSetup(42, "42", Mode.WORKSHOP, generator="rooms")))
    person.app.answer(Act(Visit("rooms:7")))
    person.app.answer(Act(Visit("nowhere:7")))
    person.app.answer(Act(Wait()))
    assert shown(person) == []
    person.app.answer(Act(Visit("endless_caves:7@900,-900")))
    assert ["is being built" in line for line in shown(person)] == [True]
    assert "is being built" not in person.reads()
    person = Person().types("ea\n1")
    assert ["is being built" in line for line in shown(person)] == [True]
    assert isinstance(person.top, PlayScreen)


def test_saving_leaves_a_run_that_continue_finds():
    person = playing().types("..")
    state = world_of(person)
    person.types("S")
    assert "New adventure" in person.reads()
    assert len(last_unfinished().actions) == state.turn
    person.types("c")
    assert state_digest(world_of(person)) == state_digest(state)


def test_abandoning_asks_and_ends_the_run():
    person = playing().types(".Q")
    person.presses("enter")
    assert isinstance(person.top, PlayScreen)
    person.types("Qyt")
    assert "New adventure" in person.reads()
    assert last_unfinished() is None
    person.types("c")
    assert "no unfinished run" in person.reads()


def test_a_replay_pauses_steps_and_reports_divergence():
    person = playing()
    person.presses("right", "left", ".", ".")
    person.types("S")
    path = recorded_paths()[0]
    person.types("r")
    assert "4 turns" in person.reads()
    person.presses("enter")
    replay = person.top
    assert isinstance(replay, ReplayScreen)
    person.presses("space", "right", "right").waits(50)
    assert replay.head.position == 2
    person.presses("left").waits(50)
    assert replay.head.position == 1
    person.presses("end").waits(50)
    assert "turn 4 of 4" in person.reads()
    person.presses("escape", "escape")
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:3], lines[3].replace("wait", "descend"), *lines[4:]]) + "\n")
    person.types("r\n").presses("end").waits(50)
    assert "out of sync at turn 3" in person.reads()


def test_all_keys_of_the_table_are_named_in_ways_faces_can_send():
    names = {"up", "down", "left", "right", "home", "end", "pageup", "pagedown", "escape"}
    names |= {"enter", "tab", "backspace", "delete", "space", "kp_enter"}
    names |= {f"f{n}" for n in range(1, 13)} | {f"kp_{n}" for n in range(10)}
    for section in bindings().values():
        for binding in section.values():
            for key in binding.keys:
                bare = key
                for held in ("ctrl+", "alt+", "shift+"):
                    bare = bare.removeprefix(held)
                assert len(bare) == 1 or bare in names, key
    assert command_of("play", Key("p", ctrl=True)) == "history"


def test_text_from_outside_cannot_break_a_line():
    assert printable("a\x1b[31mb\n") == "a?[31mb?"
    assert clipped("abcdef", 4) == "abc…"
    assert [clipped("abcdef", width) for width in (1, 0, -3)] == ["…", "", ""]
    console = Console(8, 1)
    assert write(console, 7, 0, "abcdef", width=0) == 7
    assert console.ch[0, 7] == ord(" ")


KEY_ROOM = """
    #############
    #@.....#....#
    #.....?#....#
    #......]...>#
    #############
"""


def test_exploring_by_key_names_a_key_or_a_lock_and_then_takes_or_opens_it(monkeypatch):
    for module in ("play_screen", "journeys"):
        monkeypatch.setattr(f"render.screens.{module}.AGAIN_SECONDS", 0)
    person, engine = in_scene(KEY_ROOM)
    game_map, session = engine.state.map, person.top.session
    game_map.set_tile(1, 3, Tile.LEVER)

    def explores():
        person.types("o").waits(30)
        return session.log.messages[-1].text

    end = "Everything else is explored."
    assert explores() == "You stop: there is a lever. Press o to pull it."
    person.types(".")  # Any other action declines.
    assert explores() == "You stop: there is a key. Press o to take it."
    assert (game_map.keys, int(game_map.tiles[2, 6])) == (0, Tile.KEY)
    explores()
    assert (game_map.keys, int(game_map.tiles[2, 6])) == (1, Tile.FLOOR)
    assert explores() == f"You stop: there is a locked door. Press o to open it with a key. {end}"
    assert (game_map.keys, int(game_map.tiles[3, 7])) == (1, Tile.LOCKED_DOOR)
    explores()
    assert (game_map.keys, int(game_map.tiles[3, 7])) == (0, Tile.DOOR)
