"""Small tiles in lists, and panels that cut no words."""

from render.map.map_view import creature_icon, item_icon
from render.ui.frame import Frame, Rect
from render.ui.options import Options, apply_options
from render.ui.text import panel, write, write_icon


def test_lists_have_pictures_with_the_letter_beneath():
    frame = Frame(40, 5, (2.0, 1.0), 16)
    write_icon(frame, 3, 2, creature_icon("orc"))
    assert [(icon.x, icon.y) for icon in frame.icons] == [(3, 2)]
    assert frame.text.ch[2, 3] == ord("o")


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
