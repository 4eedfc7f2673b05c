"""The Workshop's grid of generators: levels grow in small steps, any of them can be chosen."""

import pytest

from procgen.recipes import known_recipes
from render.map.whole_level import HALF
from render.screens.generator_chooser import GeneratorChooser
from render.screens.menu import Choice, Menu
from render.screens.play_screen import PlayScreen
from render.screens.title import generator_menu
from render.ui.frame import Frame
from support.fake_backend import Person


def drawn(chooser, columns=128, rows=40):
    frame = Frame(columns, rows, (2.0, 1.0), 16)
    chooser.draw(frame)
    return frame


def test_every_generator_has_a_cell_on_some_page():
    chooser = generator_menu()
    names = set()
    for index in range(len(chooser.choices)):
        chooser.index = index
        drawn(chooser)
        names |= {chooser.choices[number].label for _, number in chooser._cells}
    assert names == {recipe.name for recipe in known_recipes()} | {"infinite worlds …"}


@pytest.mark.parametrize(("columns", "rows"), [(50, 20), (80, 24), (128, 40), (240, 80)])
def test_cells_lie_on_the_screen_and_not_on_each_other(columns, rows):
    chooser = generator_menu()
    frame = drawn(chooser, columns, rows)
    taken = set()
    for rect, _ in chooser._cells:
        assert rect.x + rect.width <= columns
        assert rect.y + rect.height < frame.rows - 1
        columns_of = range(rect.x, rect.x + rect.width)
        places = {(x, rect.y + row) for x in columns_of for row in range(rect.height)}
        assert not places & taken
        taken |= places


def test_a_selected_level_has_the_ground_of_the_others_around_it():
    chooser = generator_menu()
    frame = drawn(chooser)
    (selected, _), (other, _) = chooser._cells[:2]
    grounds = frame.text.bg.tolist()
    assert grounds[selected.y][selected.x] != grounds[other.y][other.x], "the name is highlighted"
    assert grounds[selected.y + 1][selected.x] == grounds[other.y + 1][other.x]


def test_levels_that_grow_can_be_drawn_in_a_terminal_however_small():
    person = Person(first=generator_menu())
    person.reads()
    person.waits(20)
    for person.backend.size in ((1, 1), (7, 7), (20, 10), (30, 5), (110, 7), (110, 44)):
        person.waits(3)
        person.app.picture()
    assert HALF in person.app.picture().text.ch


def test_the_last_page_is_not_nearly_empty():
    chooser = generator_menu()
    pages = set()
    for index in range(len(chooser.choices)):
        chooser.index = index
        drawn(chooser, 128, 40)
        pages.add(len(chooser._cells))
    assert max(pages) < 2 * min(pages)


def test_a_thumbnail_grows_to_the_level_that_is_then_played():
    person = Person(128, 40)
    person.types("w")
    chooser = person.top
    assert isinstance(chooser, GeneratorChooser)
    person.reads()
    person.waits(2)
    sparse = chooser._thumbnails[1]
    sparse.to_end()
    person.types("b")
    assert isinstance(person.top, PlayScreen)
    played = person.top.session.run.state.map.tiles
    assert (played == sparse.snapshots[-1].tiles).all()


def test_nothing_ticks_once_all_levels_in_view_are_finished():
    chooser = generator_menu()
    drawn(chooser, 50, 20)
    assert chooser.interval is not None
    shown = chooser._shown()
    assert 0 < len(shown) < len(chooser._thumbnails)
    for _ in range(2000):
        chooser.tick()
        if all(level.finished for level in shown):
            break
    frame = drawn(chooser, 50, 20)
    assert chooser.interval is None
    assert len(frame.pictures) == len(shown)


def test_arrows_move_through_the_grid():
    chooser = generator_menu()
    person = Person(128, 40, chooser)
    person.reads()
    person.presses("right", "down")
    assert chooser.index == 1 + chooser._across
    person.presses("left", "up", "up")
    assert chooser.index == 0
    person.presses("end")
    assert chooser.index == len(chooser.choices) - 1


def test_page_down_turns_a_page_and_every_generator_has_a_letter():
    person = Person(80, 24).types("w")
    chooser = person.top
    assert "PgDn page down" in person.reads()
    assert "PgUp" not in person.reads()
    page = len(chooser._cells)
    person.presses("pagedown")
    assert chooser.index == page
    assert "page 2 of" in person.reads()
    assert "PgUp page up" in person.reads()
    person.presses("pageup")
    assert chooser.index == 0
    keys = [choice.key for choice in chooser.choices]
    assert all(keys)
    assert len(set(keys)) == len(keys)
    name = chooser.choices[40].label
    person.types(chooser.choices[40].key)
    assert person.top.session.run.state.code.recipe == name


def test_page_down_turns_the_page_of_a_long_list():
    menu = Menu("Long", [Choice(f"line {n}", "", lambda: None) for n in range(60)])
    person = Person(80, 24, menu)
    assert person.reads().count("line ") == 20
    person.presses("pagedown")
    assert menu.index == 20


def test_a_click_chooses_the_generator_under_the_mouse():
    person = Person(128, 40)
    person.types("w").points("sparse")
    assert isinstance(person.top, PlayScreen)
    assert person.top.session.run.state.code.recipe == "sparse"


def test_a_recipe_of_one_s_own_that_builds_no_level_is_said_and_ends_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("SEEDHOLLOW_MINE", str(tmp_path))
    (tmp_path / "recipes.toml").write_text(
        '[solid]\ndescription = "Rock."\ntheme = "moss"\n'
        'steps = [{ step = "scatter_rock", rock = 1.0 }, { step = "start_and_exit_apart" }]\n'
    )
    person = Person(128, 40).types("w").presses("end", "left", "enter")
    assert "~solid.1:" in person.reads()
    assert "attempts were rejected" in person.reads()
    person.presses("escape")
    assert isinstance(person.top, GeneratorChooser)
    solid = person.top._thumbnails[-1]
    assert not solid.finished
    solid.to_end()
    assert solid.failure
    person.reads()
    person.presses("end", "left")
    assert "Rock." in person.reads()


def test_a_recipe_of_one_s_own_that_is_spoilt_meanwhile_is_said_and_can_be_mended(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("SEEDHOLLOW_MINE", str(tmp_path))
    path = tmp_path / "recipes.toml"
    good = '[mine]\ndescription = "Ours."\nextends = "rooms"\n'
    path.write_text(good)
    person = Person(128, 40).types("w").presses("end", "left", "enter")
    assert isinstance(person.top, PlayScreen)
    for broken in (good.replace('"rooms"', '"roomz"'), good.replace("[mine]", "[yours]")):
        path.write_text(broken)
        for key in (" ", "v", "{", "&", "m", "~", "/"):
            person.types(key).reads()
            while not isinstance(person.top, PlayScreen):
                person.presses("escape").reads()
    assert "there is no generator '~mine'" in person.types(" ").reads()
    path.write_text(good)
    seed = person.presses("escape").top.session.run.state.code.seed
    assert person.types(" ").top.session.run.state.code.seed == seed + 1
    path.write_text(good.replace('"rooms"', '"roomz"'))
    assert person.types("]").top.session.run.state.code.recipe == known_recipes()[1].name


@pytest.mark.parametrize("key", ["?", "f1"])
def test_the_keys_for_help_open_that_of_the_grid(key):
    person = Person(128, 40)
    person.types("w")
    chooser = person.top
    person.presses(key)
    assert "Each picture is a level of one generator" in person.reads()
    assert "north-west" not in person.reads(), "no keys to walk"
    person.presses("escape")
    assert person.top is chooser
