"""The list of monsters beside the map: whose health is shown, and what is left out."""

from itertools import pairwise

import pytest

from components import AiState
from engine.saves.run import Run
from entities.creature_kinds import make_creature
from render.panels.hud import layout
from render.panels.sidebar import monster_list
from render.session.session import Session
from render.tiles.glyphs import CURSOR
from render.ui.frame import Frame, Rect
from render.ui.input import Pointer
from render.ui.options import Options, apply_options
from render.ui.palette import colors
from support.drawn_play import playing
from support.scenes import scene

HALL = "############\n#@.o.g.k.r.#\n#..........#\n############"
KINDS = 4


def listed(rows, hurt=()):
    """Return the lines of the list in ``rows`` rows; the ``hurt`` have 1 hit point left."""
    engine = scene(HALL)
    for monster in engine.state.map.entities.values():
        if monster.kind in hurt:
            monster.fighter.hp = 1
    frame = Frame(40, rows)
    assert monster_list(frame, Rect(0, 0, 40, rows), Session(Run(engine))) <= rows
    return ["".join(map(chr, row)) for row in frame.text.ch.tolist()]


def with_bars(lines):
    return [line.split()[1] for line, after in pairwise(lines) if "▀" in after]


def test_health_is_shown_of_the_wounded():
    assert with_bars(listed(1 + 2 * KINDS)) == []
    assert with_bars(listed(2 * KINDS, {"kobold", "rat"})) == ["kobold", "cellar"]


@pytest.mark.parametrize("rows", range(3, 12))
def test_the_list_fills_its_rows_and_no_more(rows):
    lines = listed(rows, {"orc", "goblin", "kobold", "rat"})
    assert all(line.strip() for line in lines[: min(rows, 1 + 2 * KINDS)])


@pytest.mark.parametrize(
    ("kind", "state", "told"),
    [
        ("key_thief", AiState.ASLEEP, "pilferer, key  asleep"),
        ("key_thief", AiState.HUNTING, "pilferer, key   flees"),
        ("warlord", AiState.HUNTING, "Old Tusk    hunts you"),
        ("orc", AiState.ASLEEP, "orc            asleep"),
    ],
)
def test_a_long_name_is_shortened_to_the_words_that_matter(kind, state, told):
    engine = scene("####\n#@.#\n####")
    creature = make_creature(kind, 900, 2, 1)
    creature.ai.state = state
    engine.state.map.add_entity(creature)
    frame = Frame(24, 4)
    monster_list(frame, Rect(0, 0, 24, 4), Session(Run(engine)))
    row = "".join(map(chr, frame.text.ch[1]))
    assert row[3:] == told


@pytest.mark.parametrize(
    ("width", "statuses", "told"),
    [
        (40, ["slowed"], "hunts you, slowed"),
        (40, ["slowed", "weakened"], "hunts you, slowed, weakened"),
        (28, ["slowed", "weakened"], "slowed, weakened"),
        (22, ["slowed", "weakened"], "hunts, slowed…"),
        (22, ["slowed"], "hunts, slowed"),
        (18, ["slowed", "weakened"], "slowed…"),
        (18, ["slowed"], "slowed"),
        (13, ["slowed", "weakened"], "hunts…"),
        (40, ["slowed", "asleep"], "slowed, asleep"),
        (24, ["slowed", "weakened", "asleep"], "slowed, weakened…"),
    ],
)
def test_statuses_stand_beside_what_a_monster_does_unless_they_replace_it(width, statuses, told):
    engine = scene("####\n#@.#\n####")
    creature = make_creature("orc", 900, 2, 1)
    creature.ai.state, creature.statuses = AiState.HUNTING, dict.fromkeys(statuses, 9)
    engine.state.map.add_entity(creature)
    frame = Frame(width, 4)
    monster_list(frame, Rect(0, 0, width, 4), Session(Run(engine)))
    assert " ".join("".join(map(chr, frame.text.ch[1])).split()) == f"o orc {told}"


IN_VIEW = {  # A row of monsters, all of them hunting, and the line about them; "a" has 1 hit point.
    "oo": "o  orc 10/10 hunts you  o  orc 10/10 hunts you",
    "ooooo": "o  orc x5 10/10 hunts you",
    "ooaoo": "o  orc x5 1/10 hunts you",
    "orkojg": "o  orc x2 hunts  r  cellar rat hunts  k  kobold slinger shoots  2 more",
    "orojg": "o  orc x2 10/10 hunts  r  cellar rat hunts  j  jackal hunts  g  goblin hunts",
}


@pytest.mark.parametrize("row", IN_VIEW)
def test_a_line_of_monsters_groups_equal_ones_and_says_health_and_state(row):
    row_of_map = f"#@{row.replace('a', 'o'):.<8}#"
    person, engine = playing(f"###########\n{row_of_map}\n###########", columns=80, rows=24)
    foes = [creature for creature in engine.state.map.entities.values() if creature.ai]
    for foe in foes:
        foe.ai.state = AiState.HUNTING
    if "a" in row:
        foes[row.index("a")].fighter.hp = 1
    areas, text = layout(80, 24), person.app.picture().text
    said = "".join(map(chr, text.ch[areas.monsters.y]))
    assert said.strip() == IN_VIEW[row]
    assert tuple(text.fg[areas.monsters.y, said.index("hunts")]) == colors()["warn"]


def test_the_monster_whose_name_the_mouse_is_on_is_marked_on_the_map():
    person, _ = playing(HALL)
    frame = person.app.picture()
    rect, name = next((r, p) for r, p in frame.buttons if isinstance(p, Pointer))
    assert not [sprite for sprite in frame.sprites if sprite.code == CURSOR]
    person.app.handle(Pointer("move", rect.x + 1, rect.y))
    marks = [sprite for sprite in person.app.picture().sprites if sprite.code == CURSOR]
    assert [(mark.x, mark.y) for mark in marks] == [name.spot]
    person.app.handle(Pointer("move", 1, 5, name.spot))
    assert not [sprite for sprite in person.app.picture().sprites if sprite.code == CURSOR]


def test_sleepers_in_view_have_a_mark_in_a_window_where_they_are_pictures():
    person, engine = playing(HALL)
    foes = [creature for creature in engine.state.map.entities.values() if creature.ai]
    for number, foe in enumerate(foes):
        foe.ai.state = AiState.ASLEEP if number % 4 == 1 else AiState.IDLE
        foe.statuses = {"asleep": 9} if number % 4 == 3 else {}

    def marked():
        return [mark.x for mark in person.app.picture().sprites if mark.code == ord("z")]

    view = person.app.stack[-1].session.view
    assert [x - 0.55 + view.left for x in marked()] == [foe.x for foe in foes[1::2]]
    assert any(foe.statuses for foe in foes[1::2]), "by magic, too"
    engine.state.map.visible[:] = False
    assert marked() == []
    engine.state.map.visible[:] = True
    apply_options(Options(figures="letters"))
    assert marked() == []
