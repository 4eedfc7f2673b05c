"""Waves as steps: contradictions, passes, frames, footholds."""

import numpy as np
import pytest

from entities.terrain import Tile
from procgen.blueprint import Blueprint, Point, RectangularRoom, Rejected
from procgen.rng import Rng
from procgen.steps import wave_function_collapse as collapse_module
from procgen.wfc import constraints as lore_module
from procgen.wfc.constraints import Constraints, learn_patterns
from procgen.wfc.samples import read_sheets
from procgen.wfc.wave import Contradiction
from procgen.wfc.wfc_map import WfcMap
from support.blueprints import run
from support.wfc_samples import paint, wrapped


def hopeless_canvas(tiles):
    """Noise to paint with, and other noise that asks for walls here and there."""
    canvas = WfcMap(hopeless(), tiles)
    canvas.allow(Rng(6).random_bytes(*tiles.shape) < 18, (Tile.WALL,))
    return canvas


def hopeless():
    """Noise that wraps around: every window has a neighbour, but few maps can be made of it."""
    dots = Rng(5).random_bytes(13, 13) < 128
    sheet = np.where(dots, Tile.WALL, Tile.FLOOR).astype(np.uint8)
    return Constraints(wrapped(sheet))


def test_a_sample_that_cannot_tile_is_given_up_after_the_counted_budget():
    tiles = np.full((80, 80), Tile.GRASS, np.uint8)
    canvas = hopeless_canvas(tiles)
    with pytest.raises(Contradiction):
        list(canvas.collapse(Rng(1), patches=2, restarts=2))
    assert canvas.patches == 3 * 2
    assert (tiles == Tile.GRASS).all()


def test_where_nothing_fits_a_torn_wave_leaves_what_was_there():
    tiles = np.full((80, 80), Tile.GRASS, np.uint8)
    canvas = hopeless_canvas(tiles)
    for _ in canvas.collapse(Rng(1), patches=3, leave_out=True):
        pass
    assert canvas.unsolved > 0
    assert set(np.unique(tiles).tolist()) == {Tile.WALL, Tile.FLOOR, Tile.GRASS}


def test_the_step_rejects_a_contradiction_or_leaves_the_map(monkeypatch):
    monkeypatch.setattr(collapse_module, "sample", lambda *_args, **_views: hopeless())
    with pytest.raises(Rejected, match="the wave function collapse failed"):
        run("wave_function_collapse", Blueprint.solid(80, 80), patches=1, restarts=0)
    plan = Blueprint.solid(80, 80)
    run("wave_function_collapse", plan, patches=1, restarts=0, otherwise="leave")
    assert plan.open.any()


def test_a_level_does_not_depend_on_what_was_solved_before(monkeypatch):
    def solve(lore):
        tiles = np.zeros((25, 40), np.uint8)
        paint(lore, tiles, 9)
        return tiles.tobytes()

    fresh = [Constraints(learn_patterns(read_sheets("chambers"))) for _ in range(2)]
    first = solve(fresh[0])
    for seed in range(3):
        paint(fresh[1], np.zeros((20, 30), np.uint8), seed)
    assert solve(fresh[1]) == first
    monkeypatch.setattr(lore_module, "REMEMBERED", 20)
    assert solve(Constraints(learn_patterns(read_sheets("chambers")))) == first
    assert solve(fresh[0]) == first


def test_a_second_pass_keeps_the_shape_and_the_first_keeps_where_people_stand():
    plan = Blueprint.solid(50, 30)
    plan.start, plan.exit = Point(7, 7), Point(40, 20)
    plan.rooms = [RectangularRoom(20, 10, 5, 5)]
    run("wave_function_collapse", plan, sample_map="pools", restarts=5)
    assert plan.open[7, 7]
    assert plan.open[20, 40]
    assert plan.open[12, 22]
    shape = plan.open
    run("wave_function_collapse", plan, 2, sample_map="pools", keep="shape", otherwise="leave")
    assert (plan.open == shape).all()


@pytest.mark.parametrize("scale", [2, 3])
def test_what_is_reserved_stays_open_in_squares_of_any_size(scale):
    plan = Blueprint.solid(31, 22)
    plan.start, plan.exit = Point(1, 1), Point(29, 20)
    plan.tiles[1, 1] = plan.tiles[20, 29] = Tile.FLOOR
    run(
        "wave_function_collapse",
        plan,
        sample_map="pools",
        scale=scale,
        foothold=9,
        otherwise="leave",
    )
    assert plan.open[[1, 20], [1, 29]].all()
    assert not plan.open[[0, -1], :].any()
    assert not plan.open[:, [0, -1]].any()
    assert plan.open[2:-2, 2:-2].any()


def test_with_a_frame_the_framing_tile_stays_at_the_edge():
    plan = Blueprint.solid(60, 40)
    run("wave_function_collapse", plan, sample_map="ruins", frame=3, restarts=8)
    assert (plan.tiles[[0, -1], :] == Tile.MOUNTAIN).all()
    assert (plan.tiles[3:-3, 3:-3] != Tile.MOUNTAIN).all()
    assert (plan.tiles[1:3, 3:-3] == Tile.MOUNTAIN).any()


def test_a_tiled_map_keeps_to_the_lattice_of_its_sample():
    plan = Blueprint.solid(61, 41)
    given = {"sample_map": "temple", "pace": 4, "tiled": True, "otherwise": "leave"}
    run("wave_function_collapse", plan, 3, **given)
    pillars = np.argwhere(plan.tiles == Tile.PILLAR)
    assert len(pillars) > 9
    assert not (pillars % 4).any()


@pytest.mark.parametrize(("size", "squares"), [((20, 15), (2, 1)), ((62, 38), (6, 4))])
def test_every_square_has_a_foothold(size, squares):
    for seed in range(4):
        plan = Blueprint.solid(*size)
        run("wave_function_collapse", plan, seed, sample_map="pools", foothold=9, restarts=5)
        for row, part in enumerate(np.array_split(plan.open[1:-1], squares[1])):
            for column, square in enumerate(np.array_split(part[:, 1:-1], squares[0], axis=1)):
                assert square.any(), (seed, row, column)


@pytest.mark.parametrize("scale", [1, 3])
def test_a_sample_without_a_frame_leaves_the_border_of_the_map_closed(scale, monkeypatch):
    meadow = np.full((6, 8), Tile.GRASS, np.uint8)
    meadow[2:4, 3] = Tile.FOREST
    learned = Constraints(learn_patterns([meadow]))
    monkeypatch.setattr(collapse_module, "sample", lambda *_, **__: learned)
    plan = Blueprint.solid(20, 15)
    run("wave_function_collapse", plan, pace=1, scale=scale)
    assert set(plan.tiles[1:-1, 1:-1].flat) <= {Tile.GRASS, Tile.FOREST}
    plan.tiles[1:-1, 1:-1] = Tile.WALL
    assert not plan.open.any()
