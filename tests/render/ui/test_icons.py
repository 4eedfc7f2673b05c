"""Small tiles in lists, and panels that cut no words."""

from components.inventory import Item
from render.map.map_view import creature_code, creature_icon, item_code, item_icon
from render.ui.frame import Frame, Rect
from render.ui.options import Options, apply_options
from render.ui.text import panel, write, write_icon
from support.play_screens import playing


def test_lists_have_pictures_with_the_letter_beneath():
    frame = Frame(40, 5, (2.0, 1.0), 16)
    write_icon(frame, 3, 2, creature_icon("orc"))
    assert [(icon.x, icon.y) for icon in frame.icons] == [(3, 2)]
    assert frame.text.ch[2, 3] == ord("o")


def shown_in_a_window(person):
    """Return the frame of the top screen in a window, and its rows of text."""
    frame = Frame(110, 44, (2.0, 1.0), 16)
    person.top.draw(frame)
    return frame, ["".join(map(chr, row)) for row in frame.text.ch.tolist()]


def test_items_to_pick_up_have_pictures():
    person = playing()
    state = person.top.session.run.state
    hero = state.hero
    for number, kind in enumerate(("dagger", "oil_flask", "leather_armour")):
        state.map.add_item(Item(900 + number, kind), hero.x, hero.y)
    person.types("g")
    frame, rows = shown_in_a_window(person)
    found = {icon.code: rows[icon.y] for icon in frame.icons}
    assert len(found) == 3
    assert "a dagger" in found[item_code("dagger")]
    assert "oil" in found[item_code("oil_flask")]


def test_the_character_sheet_has_pictures_of_equipment_and_kills():
    person = playing()
    state = person.top.session.run.state
    state.kills_by_kind.update(orc=2, bat=1)
    person.types("@")
    frame, rows = shown_in_a_window(person)
    assert {rows[icon.y][icon.x + 2] for icon in frame.icons} == {" "}, "no word touches a picture"
    found = {rows[icon.y][icon.x + 3 :].split("  ")[0]: icon.code for icon in frame.icons}
    assert found["orc"] == creature_code("orc")
    assert found["cave bat"] == creature_code("bat")
    assert found["a dagger"] == item_code("dagger")
    assert len(found) == 4  # And the armour.


def test_one_row_stays_blank_above_the_items_in_view_if_no_monster_is():
    person = playing()
    state = person.top.session.run.state
    state.hero.experience.talents.append("scholar")
    for monster in [one for one in state.map.entities.values() if one.ai]:
        state.map.remove_entity(monster)
    state.map.items.clear()
    state.map.add_item(Item(900, "dagger"), state.hero.x, state.hero.y)
    _, rows = shown_in_a_window(person)
    heading = next(y for y, row in enumerate(rows) if "Items in view" in row)
    column = rows[heading].index("Items in view")
    assert not rows[heading - 1][column:].strip()
    assert "leather armour" in rows[heading - 2]


def test_letters_stay_letters():
    apply_options(Options(figures="letters"))
    frame = Frame(40, 5, (2.0, 1.0), 16)
    write_icon(frame, 3, 2, item_icon("dagger", 1))
    assert not frame.icons
    assert chr(frame.text.ch[2, 3]) == ")"


def test_a_panel_drops_icons_and_words_that_it_would_cut():
    frame = Frame(60, 20, (2.0, 1.0), 16)
    frame.open_map(Rect(0, 0, 40, 16))
    for y in (2, 8, 17):
        write(frame.text, 36, y, "words that are long")
        write_icon(frame, 56, y, creature_icon("orc"))
    panel(frame, Rect(5, 6, 38, 6))
    rows = ["".join(map(chr, row)).rstrip() for row in frame.text.ch.tolist()]
    assert "long" in rows[2]
    assert "long" not in rows[8]
    assert "long" in rows[17]
    assert [icon.y for icon in frame.icons] == [2, 17]
