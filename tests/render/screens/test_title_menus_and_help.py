"""Title, seeds, menus, help and sizes."""

import re
import subprocess
import sys

import numpy as np
import pytest

from engine.saves.run import Run
from engine.state.run_setup import Mode, RunSetup
from procgen.level_code import parse_seed
from procgen.recipes import known_recipes
from procgen.world_types import world_types
from render.panels.hud import layout
from render.screens.menu import Choice, DescribedMenu, Menu
from render.screens.play_screen import PlayScreen
from render.screens.reader import help_screen
from render.screens.screen import Home, Pop
from render.screens.watch_build import WatchBuildScreen
from render.session.session import Session
from render.ui.input import Key, Paste, Pointer
from render.ui.keymap import bindings, key_label
from render.ui.palette import colors
from render.ui.text import plain_text
from support.contrast import contrast, inks_of
from support.fake_backend import Person
from support.play_screens import playing, world_of
from support.scenes import scene


def test_the_note_of_the_selected_line_is_not_dim():
    choices = [Choice("First", "f", Pop, "one note"), Choice("Second", "s", Pop, "another")]
    person = Person(first=Menu("Choose", choices))
    assert inks_of(person, "one note") == {colors()["text"]}
    assert inks_of(person, "another") == {colors()["dim"]}
    person.presses("down")
    assert inks_of(person, "one note") == {colors()["dim"]}
    assert contrast(colors()["text"], colors()["line"]) >= 4.5


def test_the_text_of_the_selected_choice_is_not_dim():
    choices = [Choice("First", "1", Pop), Choice("Second", "2", Pop)]
    person = Person(first=DescribedMenu("Choose", choices, ["one text", "another"]))
    assert inks_of(person, "one text") == {colors()["text"]}
    assert inks_of(person, "another") == {colors()["dim"]}


def test_the_turns_in_the_history_of_messages_are_readable():
    person = playing(RunSetup(42, "42"))
    person.app.stack[-1].session.run.state.turn = 1234
    person.app.stack[-1].session.say("Here.")
    person.types("M")
    assert inks_of(person, "  1234  ") == {colors()["dim"]}
    assert contrast(colors()["dim"], colors()["panel"]) >= 4.5


def workshop(recipe="rooms"):
    return playing(RunSetup(42, "42", Mode.WORKSHOP, recipe))


def test_the_title_offers_what_there_is_to_do_and_esc_stays():
    person = Person()
    for word in ("New adventure", "Workshop", "Continue", "Replay", "Help", "Quit"):
        assert word in person.reads()
    person.presses("escape")
    assert person.top is not None
    person.types("q")
    assert person.top is None


def test_a_new_adventure_asks_for_the_seed_of_its_dungeon():
    text = Person().types("n").reads()
    assert "The seed: type a number below 2^64 or any text, or nothing" in text


@pytest.mark.parametrize(("key", "title"), [("c", "Continue"), ("r", "Replay a run")])
def test_a_notice_has_the_title_of_the_screen_that_it_is_about(key, title):
    notice = Person().types(key)
    assert "There " in notice.reads()
    assert notice.top.title == title


@pytest.mark.parametrize("key", ["?", "f1"])
def test_the_keys_for_help_open_it_on_the_title(key):
    assert "The First Seed lies on depth 12." in Person().presses(key).reads()


def test_the_help_of_the_game_begins_with_the_keys_that_a_newcomer_needs():
    lines = [plain_text([line]) for line in help_screen().lines(74)]
    first = lines[: lines.index("")]
    assert [line.split()[0] for line in first] == ["↑", *"o", "Tab", *"Z>giafx", "Esc"]
    assert max(map(len, first)) <= 74, "none is cut at 80 columns"
    assert "The First Seed" in lines[len(first) + 1]
    assert "explore, until" not in plain_text(help_screen(page="workshop").lines(74))


def test_the_first_frame_of_the_title_needs_neither_scipy_nor_the_recipes():
    code = (
        "import sys; from support.fake_backend import Person; from procgen.recipes import recipes; "
        "person = Person(); person.reads(); slow = {'scipy.ndimage', 'scipy.sparse'}; "
        "print(*slow & {*sys.modules}, recipes.cache_info().currsize); "
        "person.waits(); print(recipes.cache_info().currsize)"
    )
    command = [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; {code}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["0", "1"]


def test_the_title_goes_on_with_the_run_that_waits(own_home):
    person = Person()
    assert "nothing to continue" in person.reads()
    entries = [choice.label for choice in person.top.choices]
    assert person.top.choices[person.top.index].label == "New adventure"
    person.types("n").types("7\n\x1bS")
    person = Person()
    text = person.reads()
    assert [choice.label for choice in person.top.choices] == entries, "nothing has moved"
    assert person.top.choices[person.top.index].label == "Continue"
    assert "depth 1, 0 turns" in text
    person.presses("enter")
    assert world_of(person).setup.typed_seed == "7"
    person.app.answer(Home())
    assert person.presses("down").top.index == 1
    person.types("h").reads()
    person.presses("escape").reads()
    assert person.top.index == person.top.choices.index(
        next(choice for choice in person.top.choices if choice.key == "h")
    )


def test_a_crowd_beside_the_map_shares_lines_where_there_is_no_room():
    crowd = scene("##########\n#.@jjjjj.#\n#.jjjjrr.#\n##########")
    person = Person(110, 60, first=PlayScreen(Session(Run(crowd))))
    assert person.reads().count("jackal  ") == 9
    text = Person(110, 36, first=PlayScreen(Session(Run(crowd)))).reads()
    assert "jackal x9" in text
    assert "cellar rat x2" in text
    assert " more" not in text


def test_a_new_adventure_asks_for_a_seed_and_keeps_what_was_typed():
    person = Person().types("n").types("hello world").presses("enter", "escape")
    assert isinstance(person.top, PlayScreen)
    assert world_of(person).setup.typed_seed == "hello world"


def test_a_seed_out_of_range_is_said_and_can_be_corrected():
    person = Person().types("n").types("99999999999999999999").presses("enter")
    assert "out of range" in person.reads()
    person.presses(*["backspace"] * 20).types("7\n")
    assert world_of(person).setup.seed == 7


def test_a_seed_can_be_typed_on_the_keypad():
    person = Person().types("n").presses("kp_4", "kp_2", "kp_enter")
    assert world_of(person).setup.typed_seed == "42"


def test_a_pasted_seed_loses_the_space_around_it():
    person = Person().types("n")
    person.app.handle(Paste("  12345\n"))
    person.presses("enter")
    assert world_of(person).setup.seed == 12345


def test_menus_work_by_mouse_alone():
    person = Person().points("Workshop")
    assert "choose a generator" in person.reads()
    person.points("caves")
    assert world_of(person).code.recipe == "caves"


def test_a_line_too_long_for_a_menu_is_written_out_when_it_is_lit():
    person = Person(60, 30).types("e")
    whole = next(iter(world_types().values())).description
    assert "…" in person.reads()
    assert whole.split()[-1] in person.reads()
    assert whole.split()[-1] not in person.presses("down").reads()


def test_infinite_worlds_have_spoken_names_and_ask_for_a_seed():
    person = Person().types("e")
    text = person.reads()
    assert "endless caves" in text
    assert not any(name in text for name in world_types() if "_" in name)
    assert "The seed: type a number" in person.types("a").reads()
    assert world_of(person.types("mushroom\n")).setup.typed_seed == "mushroom"


@pytest.mark.parametrize("size", [(80, 30), (100, 50), (128, 40), (200, 60)])
def test_health_depth_turn_and_help_are_always_visible(size):
    person = playing(columns=size[0], rows=size[1])
    text = person.reads()
    for word in ("HP 36/36", "Depth 1", "turn 0", "Hunters come in 704 turns", "help"):
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
    person = playing(columns=140).types("?")
    text = person.reads()
    for _ in range(10):
        person.presses("pagedown")
        text += person.reads()
    # Long help goes on in the next line, and beside it stands the side bar.
    words = " ".join("".join(re.findall("│(.*)│", text)).split())
    for section in ("move", "run", "play", "menu", "any"):
        for binding in bindings()[section].values():
            assert binding.help in words
            assert key_label(binding.keys[0]) in text
    person.presses("escape")
    assert isinstance(person.top, PlayScreen)


def test_space_pages_help_as_page_down_does():
    shown = []
    for key in ("space", "pagedown"):
        person = playing().types("?")
        first = person.reads()
        person.presses(key)
        shown.append(person.reads())
    assert shown[0] == shown[1] != first


def test_the_log_of_the_workshop_names_each_level_by_its_code():
    person = workshop().presses("space", "space")
    log = person.top.session.log.messages
    codes = [f"You look at the old halls: rooms.1:{seed}:1@80x45." for seed in (43, 44)]
    assert [message.text for message in log[-2:]] == codes
    person.types("~caves:3:2\n")
    assert log[-1].text.startswith("You look at ")
    assert log[-1].text.endswith(": caves.1:3:2@80x45.")
    assert not any("You reach" in message.text for message in log)
    assert person.top.session.card == []


def test_switching_in_the_workshop_is_immediate():
    person = workshop()
    person.types("]")
    assert world_of(person).code.recipe == "sparse"
    person.types("[[")
    assert world_of(person).code.recipe != "rooms"
    person.types("] ")
    assert str(world_of(person).code) == "rooms.1:43:1@80x45"


def test_switching_passes_over_generators_that_the_size_is_too_small_for():
    setup = RunSetup(42, "42", Mode.WORKSHOP, "crypt", size=(20, 15))
    person = playing(setup)
    smallest = {recipe.name: recipe.smallest for recipe in known_recipes()}
    behind = [*smallest][[*smallest].index("crypt") + 1 :]
    further = next(name for name in behind if smallest[name] <= (20, 15))
    assert further != behind[0]
    assert "cannot be 20x15: its smallest size is 40x30." in person.types("]").reads()
    assert (world_of(person).code.recipe, world_of(person).code.width) == (further, 20)
    person.types("[")
    assert world_of(person).code.recipe == "crypt"


def test_switching_in_an_adventure_asks_first_and_no_is_the_default():
    person = playing().types("]")
    assert "no longer be scored" in person.reads()
    person.presses("enter")
    assert world_of(person).code.recipe == "rooms"
    assert world_of(person).scored
    person.types("]y")
    assert world_of(person).code.recipe == "sparse"
    assert not world_of(person).scored
    person.types("]")
    assert "You leave this level for good." in person.reads()
    person.presses("enter")
    assert world_of(person).code.recipe == "sparse"
    person.types("]y")
    assert world_of(person).code.recipe == "dense"


def test_space_does_not_throw_an_infinite_world_away_without_asking():
    person = playing(RunSetup(5, "5", generator="wilds")).types("  ")
    assert "You leave this world for good." in person.reads()
    assert world_of(person).code.seed == 5
    assert world_of(person.types("y")).code.seed == 6


def test_a_code_can_be_seen_copied_and_entered():
    person = workshop().types("~")
    assert "rooms.1:42:1@80x45" in person.reads()
    assert person.backend.copied == []  # a code from outside must stay on the clipboard
    assert "Tab copies" in person.reads()  # In a terminal Ctrl+C ends the program.
    person.presses("tab")
    assert person.backend.copied == ["rooms.1:42:1@80x45"]
    person.types("caves:7:2\n")
    assert str(world_of(person).code) == "caves.1:7:2@80x45"
    person.types("~").types("99\n")
    assert str(world_of(person).code) == "caves.1:99:2@80x45"
    person.types("~").types("nowhere:1\n")
    text = person.reads()
    assert "There is no generator" in text
    assert "endless_rooms" in text  # the whole list
    person.presses("escape").types("~").types("CAVES:5:3\n")
    assert str(world_of(person).code) == "caves.1:5:3@80x45"


def test_the_copied_code_is_shown_until_the_next_key():
    person = workshop().types("~")
    person.app.handle(Key("c", ctrl=True))
    assert "Copied rooms.1:42:1@80x45" in person.reads().splitlines()[0]
    person.app.handle(Pointer("move", 5, 5))
    assert "Copied" in person.reads()
    person.types("caves:7:2\n")
    assert "Copied" not in person.reads()
    assert "depth 2" in person.reads().splitlines()[0].lower()


def test_a_mistyped_code_is_no_seed_without_a_question():
    person = workshop()
    before = world_of(person).code
    person.types("~").types("caves 42\n")
    assert '"caves 42" is not a level code. Use it as a seed?' in person.reads()
    person.types("n")
    assert world_of(person).code == before
    assert "caves 42" in person.reads()  # to be put right
    person.presses("enter").types("y")
    assert world_of(person).code.seed == parse_seed("caves 42")
    assert world_of(person).code.recipe == before.recipe


def test_watching_goes_forwards_backwards_and_to_both_ends():
    person = workshop().types("v")
    watch = person.top
    assert isinstance(watch, WatchBuildScreen)
    assert "Space pause" in person.reads()
    person.presses("right", "right")
    assert "Space play" in person.reads()
    assert watch.player.index == 2
    assert "rectangular_rooms" in person.reads()
    assert "Room 3" in person.reads()
    person.presses("left")
    assert "Room 2" in person.reads()
    person.presses("end")
    assert watch.player.recording.level.steps == watch.player.recording.level.steps
    assert "monsters placed" in person.reads()
    assert (watch.player.snapshot.tiles == world_of(person).map.tiles).all()
    person.presses("home", "space").waits(3)
    assert watch.player.index == 3
    person.presses("escape")
    assert isinstance(person.top, PlayScreen)


def test_help_in_the_workshop_is_about_the_workshop():
    for keys, sentence in (("?", "In the Workshop you switch"), ("v?", "The bar shows the steps")):
        person = workshop().types(keys)
        assert sentence in person.reads()
        assert "The First Seed" not in person.reads()


def test_help_ends_with_the_letters_of_items_and_ground():
    rows = ["".join(text for text, _ in line) for line in help_screen().lines(80)]
    found = " ".join(rows[rows.index("Letters of items and ground") :])
    for sign in ("!  potion", "+  door", "≈  deep water", "∞  lava", "<  stairs up", "§  fire"):
        assert sign in found
    assert "secret" not in found


@pytest.mark.parametrize("rows", [18, 16, 14])
def test_the_title_keeps_its_frame_in_a_low_window_and_scrolls(rows):
    person = Person(50, rows)
    assert person.reads().rstrip().splitlines()[-1].startswith("╰")
    assert "Enter or a letter" in person.reads()
    person.presses("end")
    assert "Quit" in person.reads()
