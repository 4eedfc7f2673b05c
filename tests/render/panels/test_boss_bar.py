"""A boss that is awake has a bar across the map, and something to say."""

import numpy as np
import pytest

from components import AiState
from engine.saves.run import Run
from engine.state.events import CreatureRef, Noticed, Spotted
from entities.creature_kinds import creature_kinds, make_creature
from procgen.blueprint import Point
from render.map.map_view import creature_icon
from render.messages.event_messages import event_texts
from render.messages.message_log import turn_messages
from render.panels.hud import draw_play
from render.session.session import Session
from render.ui.frame import Frame
from support.drawn_play import playing
from support.scenes import scene

HALL = "############\n#@......R..#\n#..........#\n############"


def drawn(columns=80, *, hp=52, state=AiState.HUNTING, rows=24, hall=HALL):
    engine = scene(hall)
    boss = next(one for one in engine.state.map.entities.values() if one.kind == "warlord")
    boss.ai.state, boss.fighter.hp = state, hp
    session = Session(Run(engine))
    session.card = []
    frame = Frame(columns, rows)
    draw_play(frame, session)
    return frame, ["".join(map(chr, row)) for row in frame.text.ch[: rows // 2].tolist()]


@pytest.mark.parametrize("columns", [50, 80, 120])
def test_it_names_the_boss_and_shrinks_with_its_health(columns):
    whole, rows = drawn(columns)
    (row,) = [n for n, text in enumerate(rows) if "Old Tusk the warlord" in text]
    assert "52/52" in rows[row]
    hurt, rows = drawn(columns, hp=8)
    assert "8/52" in rows[row]
    assert (whole.text.bg[row + 1] != hurt.text.bg[row + 1]).any()
    assert any(rect.y == row and rect.height == 2 for rect in whole.overlays)


@pytest.mark.parametrize("boss", [1, 2, 20, 39, 40])
@pytest.mark.parametrize("columns", [80, 120])
def test_it_covers_neither_the_boss_nor_the_hero_beside_it(columns, boss):
    rows = ["############", *["#..........#"] * 40, "############"]
    rows[boss] = "#.....@R...#"
    frame, _ = drawn(columns, hall="\n".join(rows))
    (bar,) = frame.overlays
    area = frame.map_area
    line = area.y + np.argwhere(frame.map.ch == creature_icon("warlord")[1])[0][0]
    assert area.y <= bar.y <= area.y + area.height - bar.height
    assert not bar.y <= line < bar.y + bar.height


def test_a_look_at_the_map_takes_its_place():
    person, engine = playing(HALL.replace("R", "."), columns=80, rows=24)
    boss = make_creature("warlord", 900, 8, 1)
    boss.ai.state = AiState.HUNTING
    engine.state.map.add_entity(boss)
    person.top.session.card = []

    def bars():
        return person.reads().count("Old Tusk the warlord   ")

    assert bars() == 1
    person.types("x")
    assert bars() == 0
    person.presses("escape")
    assert bars() == 1


def test_beside_the_map_a_boss_loses_its_epithet_before_what_it_does():
    beside = [row[90:] for row in drawn(120, rows=40)[1] if "Old Tusk" in row[90:]]
    assert [" ".join(row.split()[-4:]) for row in beside] == ["Old Tusk hunts you"]


def test_a_sleeping_boss_has_none():
    assert "Old Tusk" not in "".join(drawn(state=AiState.ASLEEP)[1])


def test_every_boss_says_something_when_it_sees_you():
    bosses = {name for name, kind in creature_kinds().items() if kind.lair}
    assert {f"noticed.{name}" for name in bosses} <= set(event_texts())
    for name in bosses:
        boss = CreatureRef(5, name, Point(1, 1))
        for events in (
            [Noticed(boss)],
            [Noticed(boss), Spotted(boss)],
            [Spotted(boss), Noticed(boss)],
        ):
            ((text, color),) = turn_messages(events)
            assert " sees you: “" in text, "also when it comes into view on the same turn"
            assert color == "bad"
