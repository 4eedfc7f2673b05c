"""Screens driven by keys and mouse, the console read back."""

import numpy as np
import pytest

from engine.records.places import recorded_paths
from engine.setup import Mode, Setup
from fakes import Person
from render.draw import clipped, printable
from render.hud import layout
from render.inputs import Key, Paste, Pointer
from render.keys import bindings, command, shown
from render.screen import Push
from render.screens.play import PlayScreen
from render.screens.replay import ReplayScreen
from render.screens.watch import WatchScreen
from render.session import Session
from render.starting import begin, last_unfinished
from scenes import scene


def playing(setup=None, **size):
    """Return a person in a run that has just begun."""
    person = Person(**size)
    person.app.answer(Push(PlayScreen(begin(setup or Setup(42, "42", generator="rooms")))))
    return person


def workshop(recipe="rooms"):
    return playing(Setup(42, "42", Mode.WORKSHOP, recipe))


def world_of(person):
    return next(s for s in person.app.stack if isinstance(s, PlayScreen)).session.run.world


def test_the_title_offers_what_there_is_to_do_and_esc_stays():
    person = Person()
    for word in ("New adventure", "Workshop", "Continue", "Replay", "Help", "Quit"):
        assert word in person.reads()
    person.presses("escape")
    assert person.top is not None
    person.types("q")
    assert person.top is None


def test_a_new_adventure_asks_for_a_seed_and_keeps_what_was_typed():
    person = Person().types("n").types("hello world").presses("enter")
    assert isinstance(person.top, PlayScreen)
    assert world_of(person).setup.typed_seed == "hello world"


def test_a_seed_out_of_range_is_said_and_can_be_corrected():
    person = Person().types("n").types("99999999999999999999").presses("enter")
    assert "out of range" in person.reads()
    person.presses(*["backspace"] * 20).types("7\n")
    assert world_of(person).setup.seed == 7


def test_a_pasted_seed_loses_the_space_around_it():
    person = Person().types("n")
    person.app.hear(Paste("  12345\n"))
    person.presses("enter")
    assert world_of(person).setup.seed == 12345


def test_menus_work_by_mouse_alone():
    person = Person().points("Workshop")
    assert "choose a generator" in person.reads()
    person.points("caves")
    assert world_of(person).code.recipe == "caves"


@pytest.mark.parametrize("size", [(80, 30), (100, 50), (128, 40), (200, 60)])
def test_what_matters_is_always_visible(size):
    person = playing(columns=size[0], rows=size[1])
    text = person.reads()
    for word in ("HP 32/32", "Depth 1", "turn 0", "rooms", "rooms.1:42:1@80x45", "help"):
        assert word in text, word
    assert person.app.picture().map is not None


@pytest.mark.parametrize("size", [(80, 30), (107, 35), (108, 36), (200, 60), (60, 20), (20, 8)])
def test_areas_fit_and_do_not_overlap(size):
    areas = layout(*size)
    taken = np.zeros((size[1], size[0]), int)
    for rect in (areas.top, areas.map, areas.sidebar, areas.log, areas.foot):
        if rect and size[1] >= 20:
            assert rect.x >= 0
            assert rect.y >= 0
            assert rect.x + rect.width <= size[0]
            assert rect.y + rect.height <= size[1]
            taken[rect.y : rect.y + rect.height, rect.x : rect.x + rect.width] += 1
    assert taken.max() <= 1
    Person(*size).reads()


@pytest.mark.parametrize("size", [(80, 30), (40, 12), (20, 8), (1, 1)])
def test_every_screen_draws_at_any_size(size):
    person = playing(columns=size[0], rows=size[1])
    for key in ("?", "M", "~", "x", "_", "v", "Q"):
        person.types(key).reads()
        person.presses("escape")
    assert isinstance(person.top, PlayScreen)


def test_keys_move_and_the_turn_is_counted():
    person = playing().presses("right", "kp_4", "k", "down")
    assert world_of(person).turn >= 3


def test_help_is_made_from_the_key_table_and_scrolls():
    person = playing().types("?")
    text = person.reads()
    for _ in range(10):
        person.presses("pagedown")
        text += person.reads()
    for section in ("move", "run", "play", "menu", "any"):
        for binding in bindings()[section].values():
            assert binding.help in text
            assert shown(binding.keys[0]) in text
    person.presses("escape")
    assert isinstance(person.top, PlayScreen)


def test_switching_in_the_workshop_is_immediate():
    person = workshop()
    person.types("]")
    assert world_of(person).code.recipe == "sparse"
    person.types("[[")
    assert world_of(person).code.recipe != "rooms"
    person.types("] ")
    assert str(world_of(person).code) == "rooms.1:43:1@80x45"


def test_switching_in_an_adventure_asks_first_and_no_is_the_default():
    person = playing().types("]")
    assert "no longer scored" in person.reads()
    person.presses("enter")
    assert world_of(person).code.recipe == "rooms"
    assert world_of(person).scored
    person.types("]y")
    assert world_of(person).code.recipe == "sparse"
    assert not world_of(person).scored
    person.types("]")
    assert world_of(person).code.recipe == "dense"


def test_a_code_can_be_seen_copied_and_entered():
    person = workshop().types("~")
    assert "rooms.1:42:1@80x45" in person.reads()
    assert person.face.copied == ["rooms.1:42:1@80x45"]
    person.app.hear(Key("c", ctrl=True))
    assert person.face.copied == ["rooms.1:42:1@80x45"] * 2
    person.types("caves:7:2\n")
    assert str(world_of(person).code) == "caves.1:7:2@80x45"
    person.types("~").types("99\n")
    assert str(world_of(person).code) == "caves.1:99:2@80x45"
    person.types("~").types("nowhere:1\n")
    assert "There is no generator" in person.reads()


def test_watching_goes_forwards_backwards_and_to_both_ends():
    person = workshop().types("v")
    watch = person.top
    assert isinstance(watch, WatchScreen)
    person.presses("right", "right")
    assert watch.index == 2
    assert "rectangular_rooms" in person.reads()
    assert "Room 3" in person.reads()
    person.presses("left")
    assert "Room 2" in person.reads()
    person.presses("end")
    assert watch.growth.level.steps == watch.growth.level.steps
    assert "creatures move in" in person.reads()
    assert (watch.moment.tiles == world_of(person).map.tiles).all()
    person.presses("home", "space").waits(3)
    assert watch.index == 3
    person.presses("escape")
    assert isinstance(person.top, PlayScreen)


def test_exploring_goes_on_by_itself_and_any_key_stops_it():
    person = playing().types("o")
    turn = world_of(person).turn
    person.waits(5)
    assert world_of(person).turn > turn
    person.types("x")
    turn = world_of(person).turn
    person.waits(3)
    assert world_of(person).turn == turn


def test_travel_shows_the_way_and_goes_there():
    person = playing().types("_")
    person.presses("right", "right")
    assert "Travel where?" in person.reads()
    person.presses("enter")
    person.waits(5)
    world = world_of(person)
    assert world.turn == 2
    assert (world.hero.x, world.hero.y) == (world.map.start.x + 2, world.map.start.y)


def test_the_mouse_names_walks_and_zooms():
    person = playing()
    person.reads()
    view = person.top.session.view
    hero = world_of(person).hero
    spot = (hero.x + 2 - view.left, hero.y - view.top)
    person.app.hear(Pointer("move", 0, 0, spot))
    assert "floor" in person.reads().splitlines()[-1]
    person.app.hear(Pointer("press", 0, 0, spot, "left"))
    person.waits(4)
    assert world_of(person).turn == 2
    person.app.hear(Pointer("wheel", 0, 0, spot, amount=1))
    assert person.face.zooms == [1]


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
        person.app.hear(Key("j", repeat=True))
    assert engine.world.turn < 3
    assert person.face.discarded >= 1
    turn = engine.world.turn
    person.app.hear(Key(".", repeat=True))
    assert engine.world.turn == turn
    person.types(".")
    assert engine.world.turn == turn + 1


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
    text = person2.reads()
    assert "You die" in text
    assert "a troll" in text
    person2.types("l.")
    assert "You die" in person2.reads()
    person2.types("t")
    assert "New adventure" in person2.reads()


def test_messages_stack():
    session = Session(begin(Setup(1, "1")).run)
    for _ in range(3):
        session.say("The bell tolls.")
    assert str(session.log.messages[-1]) == "The bell tolls. (x3)"


def test_saving_leaves_a_run_that_continue_finds():
    person = playing().types("..")
    world = world_of(person)
    person.types("S")
    assert "New adventure" in person.reads()
    assert len(last_unfinished().actions) == world.turn
    person.types("c")
    assert world_of(person).digest() == world.digest()


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
    person.presses("space", "right", "right")
    assert replay.playback.position == 2
    person.presses("left")
    assert replay.playback.position == 1
    person.presses("end")
    assert "turn 4 of 4" in person.reads()
    person.presses("escape", "escape")
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:3], lines[3].replace("wait", "descend"), *lines[4:]]) + "\n")
    person.types("r\n").presses("end")
    assert "out of sync at turn 3" in person.reads()


def test_all_keys_of_the_table_are_named_in_ways_faces_can_send():
    names = {"up", "down", "left", "right", "home", "end", "pageup", "pagedown", "escape"}
    names |= {"enter", "tab", "backspace", "delete", "space", "kp_enter", "kp_plus", "kp_minus"}
    names |= {f"f{n}" for n in range(1, 13)} | {f"kp_{n}" for n in range(10)}
    for section in bindings().values():
        for binding in section.values():
            for key in binding.keys:
                bare = key
                for held in ("ctrl+", "alt+", "shift+"):
                    bare = bare.removeprefix(held)
                assert len(bare) == 1 or bare in names, key
    assert command("play", Key("p", ctrl=True)) == "history"


def test_text_from_outside_cannot_break_a_line():
    assert printable("a\x1b[31mb\n") == "a?[31mb?"
    assert clipped("abcdef", 4) == "abc…"
