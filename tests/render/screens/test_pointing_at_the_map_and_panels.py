"""The mouse on the map, the side bar and the messages; the path it shows."""

import numpy as np
import pytest

from components import AiState, Experience
from entities.terrain import Tile
from render.screens.reader import Reader
from render.tiles.glyphs import PATH_DOT
from render.ui.buttons import Buttons
from render.ui.frame import Frame, Rect
from render.ui.input import Key, Pointer
from render.ui.palette import colors
from support.drawn_play import CELL, playing
from support.items import give, lay


def test_the_hover_text_is_of_what_is_under_the_pointer_now():
    person, engine = playing()
    lay(engine, "dagger", 3, 1)
    view = person.app.picture() and person.top.session.view
    person.app.handle(Pointer("move", 5, 5, (3 - view.left, 1 - view.top)))
    foot = person.reads().splitlines()[-1]
    assert "a dagger" in foot
    engine.state.map.items.clear()
    foot = person.reads().splitlines()[-1]
    assert "dagger" not in foot
    assert "loor" in foot
    lay(engine, "dagger", 3, 1)
    person.types(".")
    assert "dagger" not in person.reads().splitlines()[-1]


@pytest.mark.parametrize("columns", [80, 120, 160])
@pytest.mark.parametrize(("hero", "orc"), [(20, 22), (22, 20), (30, 31), (31, 30), (45, 43)])
def test_what_is_examined_is_described_beside_the_hero_too(columns, hero, orc):
    row = ["."] * 60
    row[hero], row[orc] = "@", "o"
    rows = ["#" * 60, "#" + "".join(row[1:-1]) + "#", *["#" + "." * 58 + "#"] * 3, "#" * 60]
    person, _ = playing("\n".join(f"    {line}" for line in rows), columns=columns, rows=40)
    person.types("x")
    assert person.top.target == (orc, 1)
    frame, view = person.app.picture(), person.top.session.view
    shown = person.reads()
    assert "10 of 10 hit points" in shown
    top = next(line for line in shown.splitlines() if "╭" in line)
    hidden = range(top.index("╭"), top.index("╮") + 1)
    for x in (hero, orc):
        left = frame.map_rect.x + (x - view.left) * frame.tile[0]
        assert int(left) not in hidden
        assert int(left + frame.tile[0] - 0.01) not in hidden


@pytest.mark.parametrize(("x", "y", "lines"), [(3, 1, 1), (9, 1, 0)])
def test_a_button_of_several_lines_is_highlighted_by_its_first(x, y, lines):
    frame = Frame(20, 8)
    frame.buttons.append((Rect(2, 1, 6, 4), Key("a")))
    buttons = Buttons()
    buttons.meant(Pointer("move", x, y, None))
    buttons.take(frame)
    lit = (frame.text.rgb["bg"] == np.array(colors()["accent"], np.uint8)).all(axis=2)
    assert lit.sum() == 6 * lines
    assert not lit[2:].any()


def test_the_map_stays_under_a_mouse_that_points_at_what_a_cursor_found_far_away():
    width = 300
    rows = ["#" * width, "#@" + "." * (width - 3) + "#", "#" * width]
    person, engine = playing("\n".join(f"    {row}" for row in rows))
    state = engine.state
    state.map.explored[:] = True
    state.map.set_tile(280, 1, Tile.SHRINE)
    person.types("_").presses("tab", "tab")
    assert "shrine" in person.reads()
    view = person.top.session.view
    before = view.left, view.top
    assert view.left > state.hero.x
    person.app.handle(Pointer("move", 5, 5, (260 - view.left, 1 - view.top)))
    assert person.top.target == (260, 1)
    person.reads()
    assert (view.left, view.top) == before
    person.presses("escape").reads()
    assert view.left <= state.hero.x


@pytest.mark.parametrize("tile", [Tile.WALL, Tile.MOUNTAIN, Tile.SECRET_DOOR])
def test_no_dots_and_no_steps_lead_into_a_wall_and_none_to_what_looks_like_one(tile):
    person, engine = playing("#######\n#@....#\n#....>#\n#######")
    engine.state.map.explored[:] = True
    engine.state.map.set_tile(4, 1, tile)
    view = person.app.picture() and person.top.session.view
    spot = 4 - view.left, 1 - view.top
    person.app.handle(Pointer("move", 5, 5, spot))
    assert PATH_DOT not in person.app.picture().map.ch
    person.app.handle(Pointer("press", 5, 5, spot, "left"))
    assert engine.state.turn == 0
    assert "No known way there" in person.reads()


@pytest.mark.parametrize("state", [AiState.ASLEEP, AiState.HUNTING])
def test_a_click_on_a_monster_beside_the_hero_attacks_it(state):
    person, engine = playing("#####\n#@o.#\n#..>#\n#####")
    orc = engine.state.map.entity_at(2, 1)
    orc.ai.state, hit_points = state, orc.fighter.hp
    view = person.app.picture() and person.top.session.view
    person.app.handle(Pointer("press", 5, 5, (2 - view.left, 1 - view.top), "left"))
    assert engine.state.turn == 1
    assert orc.fighter.hp < hit_points


def test_names_in_the_side_bar_point_at_their_place_and_act_when_clicked():
    person, engine = playing(columns=120, rows=44)
    person.points("o  orc", kind="move", button="")
    assert "an orc, 10/10 HP" in person.reads().splitlines()[-1]
    assert PATH_DOT in person.app.picture().map.ch
    person.points("o  orc")
    assert (engine.state.hero.x, engine.state.hero.y) != (1, 1)
    lay(engine, "sword", 1, 3)
    person.points("sword", kind="move", button="")
    assert "a sword, floor" in person.reads().splitlines()[-1]


@pytest.mark.parametrize("level", [1, 2])
def test_the_side_bar_keeps_its_place_under_a_cursor(level):
    person, engine = playing(columns=120, rows=44)
    engine.state.hero.experience = Experience(level=level, talents=["hunter"])
    before = [row[92:] for row in person.reads().splitlines()[:-1]]
    person.types("_")
    under = [row[92:] for row in person.reads().splitlines()[:-1]]
    hints = next(number for number, row in enumerate(before) if "o     explore" in row)
    assert under[hints:] == [" " * len(row) for row in before[hints:]]
    changed = [before[y] for y in range(2, hints) if under[y] != before[y]]
    assert len(changed) == level - 1
    assert all("choose a talent" in row for row in changed)


def test_the_side_bar_lists_keys_in_view_before_the_items():
    person, engine = playing(columns=120, rows=44)
    lay(engine, "sword", 3, 1)
    assert "key" not in person.reads()
    engine.state.map.set_tile(3, 3, Tile.KEY)
    rows = [row[90:] for row in person.reads().splitlines()]
    first = next(number for number, row in enumerate(rows) if "Items in view" in row)
    assert rows[first + 1].strip().endswith("key")
    assert "sword" in rows[first + 2]
    person.points(rows[first + 1].strip(), kind="move", button="")
    assert person.reads().splitlines()[-1].strip().endswith("key")
    engine.state.map.visible[3, 3] = False
    assert not any(row[90:].strip().endswith("key") for row in person.reads().splitlines())


def test_a_mouse_on_a_name_in_the_side_bar_stays_on_it_while_the_map_scrolls():
    width = 200
    rows = ["#" * width, "#@" + "." * (width - 3) + "#", "#" * width]
    person, engine = playing("\n".join(f"    {row}" for row in rows), columns=120, rows=44)
    engine.state.map.explored[:] = engine.state.map.visible[:] = True
    lay(engine, "sword", 120, 1)
    view = person.app.picture() and person.top.session.view
    left = view.left
    person.points("sword")
    for _ in range(80):
        person.waits()
        engine.state.map.visible[:] = True
    assert "a sword, floor" in person.reads().splitlines()[-1]
    assert view.left > left
    engine.state.map.items.clear()
    assert "floor" not in person.reads().splitlines()[-1]


def test_a_click_on_the_name_of_a_monster_beside_the_hero_attacks_it():
    person, engine = playing(CELL.replace("@.", "@o"), columns=120, rows=44)
    orc = engine.state.map.entity_at(2, 1)
    for _ in range(4):
        before = orc.fighter.hp
        person.points("o  orc")
        assert (engine.state.hero.x, engine.state.hero.y) == (1, 1)
        if orc.fighter.hp < before:
            return
    raise AssertionError("four blows, and none of them hits")


def test_no_state_in_the_side_bar_cuts_the_name_of_a_monster():
    person, engine = playing(CELL.replace("o", "k"), columns=120, rows=44)
    slinger = next(one for one in engine.state.map.entities.values() if one.ai)
    slinger.ai.state = AiState.HUNTING
    assert "kobold slinger   shoots " in person.reads()


def test_messages_open_the_history_when_clicked():
    person, _ = playing(columns=120, rows=44)
    person.points("Welcome to Seedhollow")
    assert isinstance(person.top, Reader)


def test_the_side_bar_fights_and_uses():
    person, engine = playing(columns=120, rows=44)
    person.points("Tab   fight")
    assert engine.state.turn == 1
    potion = give(engine, "healing_potion")
    person.points("use an item")
    assert f"{potion.letter}" in person.reads()


PAST_A_KEY = """
    ###########
    #@..?....>#
    #.#######.#
    #.........#
    ###########
"""


@pytest.mark.parametrize("by", ["mouse", "cursor"])
def test_the_path_shown_is_the_path_walked(by):
    person, engine = playing(PAST_A_KEY)
    state = engine.state
    state.map.explored[:] = True
    view = person.top.session.view
    person.reads()
    spot = (state.map.exit.x - view.left, state.map.exit.y - view.top)
    if by == "cursor":
        person.types("_")
    person.app.handle(Pointer("move", 0, 0, spot))
    frame = person.app.picture()
    shown = {
        (int(x) + view.left, int(y) + view.top) for y, x in np.argwhere(frame.map.ch == PATH_DOT)
    }
    person.app.handle(Pointer("press", 0, 0, spot, "left"))
    walked = {(state.hero.x, state.hero.y)}
    for _ in range(20):
        person.waits()
        walked.add((state.hero.x, state.hero.y))
    assert (state.hero.x, state.hero.y) == state.map.exit
    assert shown
    assert shown <= walked
