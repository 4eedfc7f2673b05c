"""What a click of the right button opens, and menus that a click opens from a menu."""

from dataclasses import replace

import pytest

from engine.state.actions import Wait
from engine.state.run_setup import RunSetup
from entities.item_kinds import item_kinds
from render.screens.generator_chooser import GeneratorChooser
from render.screens.inventory_screens import InventoryScreen, ItemScreen
from render.screens.map_cursor import AimScreen, ChooseTile
from render.screens.menu import Choice, Menu, notice
from render.screens.options_screen import OptionsScreen
from render.screens.play_screen import PlayScreen
from render.screens.reader import Reader
from render.screens.run_end import ScoresScreen
from render.screens.screen import Pop, Push
from render.screens.world_map_screen import WorldMapScreen
from render.session.start_run import begin
from render.ui.frame import Rect
from render.ui.input import Pointer
from render.ui.options import current
from support.drawn_play import playing
from support.fake_backend import Person
from support.items import first, give
from support.replays import acted, watching


def test_the_right_button_examines_a_tile_of_the_map_and_opens_the_menu_elsewhere():
    person, engine = playing(columns=110, rows=44)
    person.reads()
    view, orc = person.top.session.view, first(engine, "orc")
    spot = orc.x - view.left, orc.y - view.top
    person.app.handle(Pointer("press", 5, 5, spot, "right"))
    assert (type(person.top), person.top.target) == (ChooseTile, (orc.x, orc.y))
    assert "An orc" in person.reads()
    person.app.handle(Pointer("move", 7, 5, (spot[0] + 1, spot[1])))
    assert person.top.target == (orc.x + 1, orc.y)
    person.app.handle(Pointer("press", 6, 5, spot, "right"))
    assert isinstance(person.top, PlayScreen)
    person.app.handle(Pointer("press", 1, 1, (500, 500), "right"))
    assert engine.state.map.contains(*person.top.target)
    person.app.handle(Pointer("press", 9, 1, None, "right"))
    person.app.handle(Pointer("press", 109, 40, None, "right"))
    assert "Commands" in person.reads()
    assert engine.state.turn == 0


@pytest.mark.parametrize("hp", [0, 5])
def test_the_right_button_examines_after_a_death_too_and_names_no_tile_afterwards(hp):
    person, engine = playing(columns=110, rows=44)
    engine.state.hero.fighter.hp = hp
    person.reads()
    person.app.handle(Pointer("move", 5, 5, (1, 1)))
    person.app.handle(Pointer("press", 5, 5, (1, 1), "right"))
    assert isinstance(person.top, ChooseTile)
    person.presses("escape")
    assert isinstance(person.top, PlayScreen)
    assert person.top.pointed is None


def test_the_right_button_examines_in_a_replay(tmp_path):
    setup = RunSetup(5, "5", generator="rooms")
    person, replay = watching(acted(tmp_path / "a.jsonl", setup, *[Wait()] * 3))
    person.reads()
    person.app.handle(Pointer("press", 5, 5, (3, 3), "right"))
    assert isinstance(person.top, ChooseTile)
    person.presses("escape")
    assert person.top is replay


def test_the_menu_uses_every_row_before_it_scrolls():
    commands = playing()[0].presses("escape").top.choices
    borders_and_hints = 4
    rows = len(commands) + borders_and_hints
    person, _ = playing(columns=100, rows=rows)
    menu = person.presses("escape").reads()
    assert all(choice.label in menu for choice in commands)
    assert f"of {len(commands)}" not in menu
    assert "…" not in menu
    assert "page down" not in menu
    person, _ = playing(columns=60, rows=rows)
    assert "Help" in person.presses("escape").reads()
    person, _ = playing(columns=100, rows=rows - 1)
    assert f"of {len(commands)}" in person.presses("escape").reads()


def test_the_line_of_the_menu_under_a_later_click_is_chosen():
    person, engine = playing(columns=120, rows=44)
    person.reads()
    person.app.handle(Pointer("press", 119, 20, None, "right"))
    person.points("Wait a turn")
    assert engine.state.turn == 1


@pytest.mark.parametrize("again", ["at once", "later", "elsewhere"])
def test_the_second_click_on_a_line_that_closed_the_menu_does_not_walk(again, monkeypatch):
    monkeypatch.setattr("render.app.DOUBLE_CLICK_SECONDS", 0 if again == "later" else 60)
    person, engine = playing(columns=120, rows=44)
    person.reads()
    person.app.handle(Pointer("press", 119, 20, None, "right"))
    rows = person.reads().splitlines()
    y = next(y for y, row in enumerate(rows) if "Wait a turn" in row)
    x, view = rows[y].index("Wait a turn"), person.app.stack[1].session.view
    before = engine.state.hero.x, engine.state.hero.y
    beside = before[0] + 1 - view.left, before[1] - view.top
    person.app.handle(Pointer("press", x, y, beside, "left"))
    assert (engine.state.turn, person.top) == (1, person.app.stack[1])
    person.app.handle(Pointer("press", x + 9 * (again == "elsewhere"), y, beside, "left"))
    assert engine.state.turn == (1 if again == "at once" else 2)
    assert ((engine.state.hero.x, engine.state.hero.y) == before) == (again == "at once")


@pytest.mark.parametrize("keys", ["\x1b", "i", "Q", "T", "O"])
def test_a_click_outside_a_menu_closes_it_but_not_one_beside_its_border(keys):
    person, engine = playing(columns=120, rows=44)
    engine.state.hero.experience.level = 2
    person.types(keys).reads()
    x, y, width, height = person.top.rect
    for at in ((x - 1, y), (x + width, y + height)):
        person.app.handle(Pointer("press", *at, None, "left"))
        assert not isinstance(person.top, PlayScreen)
    person.app.handle(Pointer("press", x - 2, y, (3, 3), "left"))
    assert isinstance(person.top, PlayScreen)
    assert engine.state.turn == 0


def test_a_click_outside_the_sheet_of_an_item_goes_back_to_the_pack():
    person, engine = playing(columns=120, rows=44)
    give(engine, "axe")
    person.types("i").points("axe").reads()
    assert isinstance(person.top, ItemScreen)
    x, y, *_ = person.top.rect
    person.app.handle(Pointer("press", x - 4, y - 3, None, "left"))
    assert isinstance(person.top, InventoryScreen)


def test_the_hero_beside_the_map_opens_the_character_sheet_and_its_equipment_the_pack():
    person, engine = playing(columns=120, rows=44)
    axe = give(engine, "axe")
    engine.state.hero.equipment["weapon"] = axe.id
    person.points("level 1")
    assert "You" in person.reads()
    assert isinstance(person.top, Reader)
    person.presses("escape").points("an axe" if "an axe" in person.reads() else "axe")
    assert isinstance(person.top, InventoryScreen)


def test_the_second_click_on_a_line_that_opened_another_menu_chooses_nothing():
    person, engine = playing(columns=110, rows=44)
    give(engine, "healing_potion")
    person.types("i").points("potion")
    opened = person.top
    assert opened.opened_by
    person.reads()
    person.app.handle(Pointer("press", opened.opened_by.x, opened.opened_by.y, None, "left"))
    assert person.top is opened
    assert engine.state.turn == 0


def test_the_second_click_on_a_line_that_opened_the_world_map_does_not_scroll_it(monkeypatch):
    monkeypatch.setattr("render.app.DOUBLE_CLICK_SECONDS", 60)
    person = Person(rows=60)
    person.app.answer(Push(PlayScreen(begin(RunSetup(4, "4", generator="wilds")))))
    person.presses("escape").points("World map")
    world, place = person.top, (person.top.x, person.top.y)
    assert isinstance(world, WorldMapScreen)
    person.reads()
    click = world.opened_by
    person.app.handle(click)
    assert (world.x, world.y) == place
    zoomed = world.scale
    person.app.handle(replace(click, kind="wheel", amount=-1))
    assert world.scale != zoomed  # Turning the wheel at once is meant.
    person.app.handle(replace(click, x=click.x + 9))
    assert (world.x, world.y) != place


@pytest.mark.parametrize("endless", [False, True])
def test_the_menu_lists_what_can_be_done_here(endless):
    if endless:
        person = Person(rows=60)
        person.app.answer(Push(PlayScreen(begin(RunSetup(4, "4", generator="wilds")))))
        person.types("T1")
    else:
        person, engine = playing(rows=60)
    person.presses("escape")
    assert ("World map (infinite worlds)" in person.reads()) == endless
    assert "Choose a talent" not in person.reads()
    if not endless:
        person.presses("escape")
        engine.state.hero.experience.level = 2
        person.presses("escape")
        assert "Choose a talent" in person.reads()


def test_the_second_click_on_a_line_that_begins_to_aim_throws_nothing():
    person, engine = playing()
    dart = give(engine, "dart", 2)
    person.types(f"i{dart.letter}")
    rows = person.reads().splitlines()
    y = next(y for y, row in enumerate(rows) if "Throw one" in row)
    x, view, orc = (
        rows[y].index("Throw one"),
        person.app.stack[1].session.view,
        first(engine, "orc"),
    )
    near, at_orc = (2 - view.left, 1 - view.top), (orc.x - view.left, orc.y - view.top)
    person.app.handle(Pointer("press", x, y, None, "left"))
    aiming = person.top
    assert isinstance(aiming, AimScreen)
    person.app.handle(Pointer("press", x, y, near, "left"))
    assert (person.top, dart.count, aiming.target) == (aiming, 2, (orc.x, orc.y))
    person.app.handle(Pointer("move", x + 5, y, near))
    assert aiming.target == (2, 1)
    person.app.handle(Pointer("press", x, y, at_orc, "left"))
    assert dart.count == 1
    assert isinstance(person.top, PlayScreen)


def test_only_the_left_button_chooses():
    person, engine = playing()
    dart = give(engine, "dart", 2)
    person.types(f"t{dart.letter}")
    aiming, view = person.top, person.app.stack[1].session.view
    spot = aiming.target.x - view.left, aiming.target.y - view.top
    person.app.handle(Pointer("press", 9, 9, spot, "middle"))
    assert (person.top, dart.count) == (aiming, 2)
    person.app.handle(Pointer("press", 9, 9, spot, "right"))
    assert (isinstance(person.top, PlayScreen), dart.count) == (True, 2)
    person = Person(128, 40).types("w")
    person.points("sparse", button="middle")
    assert isinstance(person.top, GeneratorChooser)
    person.points("sparse")
    assert isinstance(person.top, PlayScreen)


@pytest.mark.parametrize(("keys", "line"), [("T", "Strong"), ("i", "potion"), ("O", "Flashes")])
def test_a_click_on_a_row_of_a_menu_but_left_or_right_of_it_chooses_nothing(keys, line):
    person, engine = playing(columns=120, rows=44)
    give(engine, "healing_potion")
    engine.state.hero.experience.level = 2
    rows = person.types(keys).reads().splitlines()
    y, row = next((y, row) for y, row in enumerate(rows) if line in row)
    menu, options, shown = person.top, current(), person.reads()
    for x in (row.index("│"), row.rindex("│"), row.rindex("│") + 1):
        person.app.handle(Pointer("press", x, y, None, "left"))
        assert (person.top, current(), person.reads()) == (menu, options, shown)
    person.points(line)
    assert person.top is not menu or current() != options


@pytest.mark.parametrize("keys", ["Os", "i"])
def test_the_rows_of_a_long_menu_stay_where_they_are_while_the_mouse_selects_them(keys):
    person, engine = playing(columns=110, rows=24)
    for kind in [*item_kinds()][:20]:
        give(engine, kind)
    menu = person.types(keys).top
    person.reads()
    for part in (-1, 1, 0, -3):
        rect, number = menu._cells[part]
        shown = [*menu._cells]
        person.app.handle(Pointer("move", rect.x + 4, rect.y))
        person.reads()
        assert (menu.index, menu._cells) == (number, shown)
    person.app.handle(Pointer("wheel", rect.x + 4, rect.y, amount=-1))
    person.reads()
    assert (rect, menu.index) in menu._cells  # The list scrolls, the selection stays.


def test_a_wide_menu_is_not_seen_at_the_sides_of_the_one_above_it():
    wide = (Menu("A wide one", [Choice("x" * 70, "a", Pop)]), OptionsScreen(), ScoresScreen())
    for menu in wide:
        person = Person()
        person.app.answer(Push(menu))
        before = person.reads()
        person.app.answer(Push(notice("Short.", "Narrow")))
        assert "Short." in person.reads()
        assert f"─ {menu.title} ─" not in person.reads()
        assert person.presses("escape").reads() == before


def test_a_menu_used_by_mouse_offers_no_enter_which_lines_on_the_way_would_change():
    person, _ = playing(columns=110, rows=44)
    person.presses("escape")
    assert "Enter choose" in person.reads()
    person.points("Wait a turn", kind="move", button="")
    assert "Enter choose" not in person.reads()
    assert "Esc back" in person.reads()


def test_a_click_where_the_menu_was_opened_counts_once_it_cannot_be_a_double_click():
    chosen = []
    menu = Menu("Title", [Choice("a", "one", lambda: chosen.append(1))])
    menu.opened_by = Pointer("press", 5, 5, None, "left")
    menu._cells = [(Rect(0, 5, 20, 1), 0)]
    menu.pointer(Pointer("move", 5, 5))
    menu.pointer(Pointer("press", 5, 5, None, "left"))
    assert chosen == [1]
