"""The screen of options, palettes for every eye, and everything by mouse."""

import re
from itertools import combinations

import numpy as np
import pytest

from engine.state.run_setup import RunSetup
from entities.creature_kinds import creature_kinds
from entities.terrain import Tile
from render.screens.options_screen import KeyBindingsScreen, OptionsScreen
from render.screens.play_screen import PlayScreen
from render.screens.screen import Copy
from render.screens.title import TitleScreen
from render.session.start_run import begin
from render.ui.buttons import hint
from render.ui.frame import FLICKER_SECONDS, Frame
from render.ui.input import Key, Pointer
from render.ui.keymap import command_of
from render.ui.options import Options, apply_options, current, options_path
from render.ui.palette import colors, creature_colors, palettes, theme_paint
from support.contrast import contrast
from support.fake_backend import Person
from support.play_screens import playing


def test_the_screen_steps_through_values_which_count_at_once():
    person = playing().types("O")
    assert isinstance(person.top, OptionsScreen)
    person.presses("right")
    assert current().preset == "dcss"
    person.presses("down", "right", "right")
    assert current().palette == "high_contrast"
    assert colors()["text"] == (255, 255, 255)
    person.presses("left", "left", "left")
    assert current().palette == "high_contrast"
    person.types("f")
    assert not current().flashes
    assert "high_contrast" in options_path().read_text()
    person.types("rn")
    assert current() != Options()
    person.types("ry")
    assert current() == Options()


def test_the_screen_works_by_mouse_alone():
    person = playing().points("Esc   menu")
    person.points("Options: keys")
    person.points("Flashes")
    assert not current().flashes
    person.points("next")
    assert current().flashes
    person.points("Sounds", kind="move")
    loud = current().effects
    y, row = next(it for it in enumerate(person.reads().splitlines()) if "Sounds" in it[1])
    for arrow, effects in (("‹", loud - 1), ("›", loud), ("‹", loud - 1)):
        person.app.handle(Pointer("press", row.index(arrow), y, None, "left"))
        person.reads()
        assert current().effects == effects
    person.points("back")
    assert isinstance(person.top, PlayScreen)


def test_keys_and_options_of_a_window_say_so_since_a_terminal_lists_them_too():
    person = playing().types("O")
    for option in ("Text size", "Full screen", "Graphics", "Sounds", "Ambience"):
        assert f"{option} (window) " in person.reads()
    person.presses("escape", "escape")
    assert re.search(r"Larger map \(in a window\)", person.reads())
    person.presses("escape").types("?")
    told = person.reads() + "".join(person.presses("pagedown").reads() for _ in range(9))
    assert re.search("In a window, everywhere .*F11  .*F12  ", told, re.DOTALL)


def test_a_single_key_can_be_given_and_put_back():
    person = playing().types("Os")
    assert isinstance(person.top, KeyBindingsScreen)
    assert re.search(r"  Explore automatically +o +", person.reads())
    row = person.top.commands.index(("play", "rest"))
    person.presses(*["down"] * row, "enter")
    assert "Press a key for: Rest until healed" in person.reads()
    person.types("R")
    assert command_of("play", Key("R")) == "rest"
    assert command_of("play", Key("Z")) == "rest"
    person.types("Z")
    assert command_of("play", Key("Z")) is None
    person.types("R")
    assert "only key" in person.reads()
    person.types("o")
    assert command_of("play", Key("o")) == "rest"
    assert command_of("play", Key("R")) == "explore"
    person.types("R")
    assert command_of("play", Key("o")) == "explore"
    assert command_of("play", Key("R")) == "rest"
    person.presses("enter")
    assert "has a fixed meaning" in person.reads()
    person.presses("escape", "backspace")
    assert command_of("play", Key("Z")) == "rest"
    assert command_of("play", Key("R")) is None


def test_hints_of_menus_name_no_letter_since_letters_choose_and_are_typed():
    apply_options(Options(keys={"menu": {"back": ("x", "escape"), "choose": ("o", "enter")}}))
    person = Person().types("n").points("Enter accept").points("Esc later")
    assert isinstance(person.top, PlayScreen)
    person = Person().types("n").points("Esc back")
    assert isinstance(person.top, TitleScreen)
    person = Person().types("os").presses("enter").points("Esc done")
    assert isinstance(person.top, KeyBindingsScreen)
    assert set(current().keys) == {"menu"}


def test_an_option_that_cannot_be_saved_counts_and_says_so(tmp_path, monkeypatch):
    person = playing()
    (tmp_path / "file").touch()
    monkeypatch.setenv("SEEDHOLLOW_DATA", str(tmp_path / "file"))
    told = "It is set for now, but the file cannot be written (Not a directory)."
    assert told in person.types("\\").reads()
    assert not current().motion
    person.types("O")
    assert told in " ".join(person.types("f").reads().split())
    assert not current().flashes
    person.types("s")
    row = person.top.commands.index(("play", "rest"))
    person.presses(*["down"] * row, "enter").types("R")
    assert "cannot be written" in person.reads()
    assert command_of("play", Key("R")) == "rest"
    person.presses("escape", "backspace")
    assert told in person.reads()
    assert command_of("play", Key("R")) is None
    assert isinstance(person.presses("escape").top, KeyBindingsScreen)


@pytest.mark.parametrize("pressed", ["i", "it"])
def test_keys_that_were_swapped_can_be_put_back(pressed):
    """In a swap, and in a ring of three, each command holds the key of another."""
    person, names = playing().types("Os"), ("drop", "inventory", "throw")
    for name, key in zip(names, pressed, strict=False):
        person.top.index = person.top.commands.index(("play", name))
        person.presses("enter").types(key).presses("escape")
    assert command_of("play", Key("d")) != "drop"
    person.top.index = person.top.commands.index(("play", "drop"))
    person.presses("backspace")
    assert [command_of("play", Key(key)) for key in "dit"] == list(names)
    assert current() == Options()
    assert "Backspace" not in person.reads()


def test_light_in_a_terminal_flickers_slowly_and_rests_without_keys_in_a_window_never():
    now, usual = [0.0], playing().top
    screen = PlayScreen(usual.session, lambda: now[0])
    for flicker, later in ((FLICKER_SECONDS, FLICKER_SECONDS), (0.4, None), (None, None)):
        frame = Frame(80, 24)
        frame.flicker = flicker
        screen.draw(frame)
        screen.handle(Key("x"))
        now[0] += 9
        assert screen.interval == flicker
        now[0] += 2
        assert screen.interval == later


def test_living_light_is_an_option_too():
    person = playing()
    assert person.top.interval is not None
    person.types("\\")
    assert person.top.interval is None
    assert not current().motion
    assert "Moving light is off now." in person.reads()
    assert "Moving light is on now." in person.types("\\").reads()


@pytest.mark.parametrize(("motion", "same"), [(False, True), (True, False)])
def test_without_moving_light_nothing_on_the_map_moves_between_turns(motion, same):
    apply_options(Options(motion=motion, animations=False, flashes=False))
    person = Person(first=PlayScreen(begin(RunSetup(3, "3", generator="ember", depth=4))))
    hero, state = person.top.session.run.state.hero, person.top.session.run.state
    state.map.tiles[hero.y, hero.x + 1], state.map.fires[hero.x - 1, hero.y] = Tile.LAVA, 99
    person.types("s")
    frames = [person.waits(3).app.picture() for _ in range(4)]
    for frame in frames[1:]:
        assert (frame.map.rgb == frames[0].map.rgb).all() == same
        assert (frame.ground.light == frames[0].ground.light).all() == same
    assert (person.top.interval is None) == same


@pytest.mark.parametrize("name", palettes())
def test_every_palette_names_known_colours_and_keeps_actors_readable(name):
    usual = set(colors()), set(creature_colors())
    apply_options(Options(palette=name))
    assert (set(colors()), set(creature_colors())) == usual
    floor = 4.5 if name != "high_contrast" else 7
    for kind in creature_kinds().values():
        for theme in ("stone", "brick"):
            ground = theme_paint(theme).ground[1] * 1.25
            assert contrast(creature_colors()[kind.color], np.minimum(ground, 255)) >= floor, kind


@pytest.mark.parametrize("name", palettes())
def test_words_are_readable_on_bars_and_selected_rows_in_every_palette(name):
    apply_options(Options(palette=name))
    for ink in ("text", "accent", "good", "warn", "cold"):
        assert contrast(colors()[ink], colors()["line"]) >= 4.5, ink
    for bar in ("bar_full", "bar_good", "bar_warn", "bar_empty", "bar_gain"):
        assert contrast(colors()["text"], colors()[bar]) >= 4.5, bar


@pytest.mark.parametrize("name", palettes())
def test_a_notice_is_drawn_in_the_colours_of_the_palette(name):
    person = playing()
    apply_options(Options(palette=name))
    person.app.answer(Copy("text"))
    text = person.app.picture().text
    assert text.bg[0, 1].tolist() == [*colors()["accent"]]
    assert text.fg[0, 1].tolist() == [*colors()["ground"]]


MACHADO = {
    "protan": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deutan": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "tritan": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}
"""How colours look to those who lack a cone (Machado and others, 2009), in linear light."""


def seen_by(color, eye):
    linear = (np.array(color) / 255) ** 2.2
    return np.clip(np.array(MACHADO[eye]) @ linear, 0, 1) ** (1 / 2.2) * 255


@pytest.mark.parametrize("eye", MACHADO)
def test_good_and_bad_differ_for_every_eye(eye):
    apply_options(Options(palette="colour_blind"))
    shown = {name: seen_by(colors()[name], eye) for name in ("good", "warn", "bad")}
    for one, other in combinations(shown, 2):
        assert np.linalg.norm(shown[one] - shown[other]) > 60, (one, other)


def test_hints_can_be_pressed_and_light_up():
    person = playing()
    person.points("explore", kind="move")
    frame = person.app.picture()
    y = next(y for y, row in enumerate(person.reads().splitlines()) if " explore" in row)
    lit = [tuple(cell["bg"]) for cell in frame.text.rgb[y]]
    assert colors()["accent"] in lit
    turn = person.app.stack[-1].session.run.state.turn
    person.points("explore").waits(3)
    assert person.app.stack[-1].session.run.state.turn > turn
    assert hint("play", "explore", "explore").key == "o"


def test_what_lies_under_a_panel_cannot_be_pressed_but_a_click_closes_the_panel():
    person = playing(columns=200, rows=60).types("?")
    state = person.app.stack[-2].session.run.state
    person.points("Help")
    assert not isinstance(person.top, PlayScreen)
    y, x = next(
        (y, row.index("explore"))
        for y, row in enumerate(person.reads().splitlines())
        if row[170:].find("explore") > 0
    )
    person.app.handle(Pointer("press", max(x, 175), y, None, "left"))
    assert isinstance(person.top, PlayScreen)
    assert (person.waits(3).top.interval, state.turn) == (FLICKER_SECONDS, 0)


def test_the_players_keys_can_be_pressed_too():
    person = playing(columns=200, rows=60).types("v")
    watch = person.top
    person.waits(3)
    person.points("→", kind="move").points("→")
    assert person.top is watch
    person.points("Esc back")
    assert isinstance(person.top, PlayScreen)


def test_a_run_can_be_begun_played_and_left_by_mouse_alone():
    person = Person()
    person.points("New adventure").points("accept").points("choose")
    assert isinstance(person.top, PlayScreen)
    person.points("explore").waits(5).points("explore")  # any press stops
    for words in ("pack", "examine"):
        person.points(words).points("back")
        assert isinstance(person.top, PlayScreen)
    person.points("Esc   menu").points("Save and return")
    assert "New adventure" in person.reads()
