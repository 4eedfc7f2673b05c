"""The sky tints the land by the hour; the small map shows what is known, and where you are."""

import numpy as np
import pytest

from engine.state.game_map import GameMap
from entities.light_levels import light_levels
from procgen.blueprint import Point
from render.map.light import attenuation
from render.map.sky import DAY, cloud_shade, hue_at, sky_over
from render.map.viewport import Viewport
from render.map.whole_level import draw_small_map, small_map
from render.ui.frame import Frame, Rect
from render.ui.palette import colors
from support.scenes import scene

HALL = """
    ###############
    #@......+.....#
    #.......#....>#
    ###############
"""


def test_only_levels_under_the_sky_have_one():
    for light in light_levels():
        assert (sky_over(light, 0) is not None) == (light in {"open", "bright"})


def test_the_hours_go_round_without_a_jump():
    hues = np.array([hue_at(minute / 600) for minute in range(601)])
    assert np.abs(np.diff(hues, axis=0)).max() < 0.04
    assert (hues[0] == hues[-1]).all()
    noon, night = hues[300], hues[0]
    assert (noon > night).all()
    assert night[2] / night.sum() > noon[2] / noon.sum()
    first, next_day = sky_over("open", 17), sky_over("open", 17 + DAY)
    assert first is not None
    assert next_day is not None
    assert first == pytest.approx(next_day)


def test_the_lamp_is_brighter_than_the_night():
    assert attenuation(np.zeros(1, np.float32), 6, 0)[0] > hue_at(0.0).max()


def test_clouds_drift_and_stay_in_place_when_the_view_scrolls():
    whole = cloud_shade((0, 0, 30, 20), (100, 50), 7)
    part = cloud_shade((5, 4, 20, 15), (100, 50), 7)
    moved = cloud_shade((0, 0, 25, 16), (105, 54), 7)
    assert part == pytest.approx(whole[4:16, 5:21])
    assert moved == pytest.approx(whole[4:, 5:])
    assert (whole != cloud_shade((0, 0, 30, 20), (100, 50), 31)).any()
    assert whole.max() <= 1
    assert whole.min() > 0.85


def explored(state, columns):
    state.map.explored[:] = False
    state.map.explored[:, :columns] = True
    state.map.visible[:] = state.map.explored


def test_the_small_map_shows_what_is_known_and_the_hero():
    state = scene(HALL).state
    explored(state, 8)
    points = small_map(state, Viewport(), (80, 45))
    assert points.shape == (4, 15, 3)
    assert points[1, 1].tolist() == [255, 255, 255]
    panel = list(colors()["panel"])
    assert points[1, 5].tolist() != panel
    assert (points[:, 9:] == panel).all()
    assert colors()["accent"] not in [tuple(color) for color in points[2].tolist()]
    whole = small_map(state, Viewport(reveal=True), (80, 45))
    assert tuple(whole[2, 13].tolist()) == colors()["accent"]


def test_the_small_map_of_a_large_level_follows_the_hero():
    state = scene(HALL).state
    state.map.explored[:] = True
    points = small_map(state, Viewport(), (5, 3))
    assert points.shape == (3, 5, 3)
    assert points[1, 1].tolist() == [255, 255, 255]
    state.hero.x = 12
    assert small_map(state, Viewport(), (5, 3))[1, 2].tolist() == [255, 255, 255]


@pytest.mark.parametrize("tile_pixels", [0, 32])
def test_a_terminal_gets_half_blocks_and_a_window_a_picture_as_well(tile_pixels):
    state = scene(HALL).state
    assert isinstance(state.map, GameMap)
    assert state.map.exit == Point(13, 2)
    frame = Frame(40, 12, (3.2, 1.6) if tile_pixels else (1.0, 1.0), tile_pixels)
    draw_small_map(frame, Rect(2, 1, 30, 9), state, Viewport())
    assert (frame.text.ch[8:10] == ord("▀")).any()
    pictures = [Rect(2, 1, 30, 9)] if tile_pixels else []
    assert [picture.rect for picture in frame.pictures] == pictures
