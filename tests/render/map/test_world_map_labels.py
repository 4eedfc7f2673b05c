"""Names on the world from above: what one knows, where there is room, whole."""

from itertools import pairwise

import numpy as np
import pytest
from tcod.console import Console

from engine.infinite.chunk_loader import ChunkLoader
from engine.saves.run import Run
from engine.state.run_setup import Mode, RunSetup
from procgen.chunk import SIDE
from render.map.place_names import location_label
from render.map.world_map import KNOWN_LAND, PLACES_UP_TO, LabelLayout, MapLabel, chunk_labels
from render.screens.world_map_screen import WorldMapScreen
from render.session.session import Session
from render.ui.frame import Frame, Rect


@pytest.fixture(scope="module")
def plot():
    return ChunkLoader().load(("wilds", 42, 0, 0), tiles_only=True)


def lines(console):
    return ["".join(map(chr, row)) for row in console.ch]


def test_labels_appear_for_the_sites_and_lands_seen(plot):
    everything = chunk_labels(42, (3, -2), plot, np.ones((SIDE, SIDE), bool))
    assert {sign.text for sign in everything if not sign.land} == {s.kind for s in plot.sites}
    assert [sign.land for sign in everything].count(True) == 1
    assert all(3 * SIDE <= sign.x < 4 * SIDE for sign in everything)
    assert all(-2 * SIDE <= sign.y < -SIDE for sign in everything)
    seen = np.zeros((SIDE, SIDE), bool)
    assert chunk_labels(42, (3, -2), plot, seen) == []
    site = plot.sites[0]
    seen[site.y, site.x] = True
    assert [sign.text for sign in chunk_labels(42, (3, -2), plot, seen)] == [site.kind]
    seen[site.y, :KNOWN_LAND] = True
    assert everything[0].text in [sign.text for sign in chunk_labels(42, (3, -2), plot, seen)]


@pytest.mark.parametrize("width", [3, 9, 20, 60])
def test_names_stand_whole_apart_and_lands_come_first(width):
    rng = np.random.default_rng(width)
    names = [
        f"{letter * int(n)}"
        for letter, n in zip("abcdefgh" * 9, rng.integers(2, 14, 72), strict=True)
    ]
    signs = [
        MapLabel(name, *map(int, rng.integers(-40, 300, 2)), land=number % 5 == 0)
        for number, name in enumerate(names)
    ]
    console = Console(width + 2, 22, order="C")
    LabelLayout(console, Rect(1, 1, width, 20), (0, 0), 4).put_all(signs)
    put = [line.split() for line in lines(console)]
    assert {word for words in put for word in words} <= set(names)
    assert not put[0]
    assert not put[-1]
    for above, below in pairwise(lines(console)):
        assert not any(a != " " and b != " " for a, b in zip(above, below, strict=True))


def test_from_far_off_only_lands_are_named():
    signs = [MapLabel("lone fire", 0, 0, land=False), MapLabel("Green Hill", 900, 900, land=True)]
    for scale in (PLACES_UP_TO, 2 * PLACES_UP_TO):
        console = Console(80, 40, order="C")
        LabelLayout(console, Rect(0, 0, 80, 40), (-20, -20), scale).put_all(signs)
        text = "".join(lines(console))
        assert ("lone fire" in text) == (scale == PLACES_UP_TO)
        assert ("Green Hill" in text) == (scale > PLACES_UP_TO)


def test_the_land_where_one_stands_is_named_on_the_atlas_and_the_hero_stays_in_sight():
    session = Session(Run.begin(RunSetup(42, "42", Mode.ADVENTURE, "wilds")))
    name = location_label(session.run.state).split(",")[0]
    frame = Frame(80, 24)
    WorldMapScreen(session, lambda *_: None).draw(frame)
    text = lines(frame.text)
    assert sum(name in line for line in text) == 1
    column, row = frame.cursor
    assert text[row][column] == "@"
