"""Metrics against slow references, of small shapes and of real levels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage

from entities.terrain import LOCK_TILES, MECHANISMS, TILE_NAMES, Tile, terrain, tile_mask
from procgen import metrics as metrics_module
from procgen.analysis.bitboard import Bitboard
from procgen.analysis.chokepoints import Structure, dead_ends
from procgen.analysis.distances import UNREACHED, distances, regions
from procgen.build import build
from procgen.level_code import parse_code
from procgen.level_light import GLOWING
from procgen.metrics import LazyMetrics, Metrics, measure
from procgen.recipes import current_recipes
from procgen.settings import complete
from support.by_definition import count_loops


@st.composite
def shapes(draw):
    """Draw a shape and a tile of it to start from."""
    width, height = draw(st.integers(1, 11)), draw(st.integers(1, 9))
    weight = draw(st.integers(2, 8))
    cells = draw(st.lists(st.integers(0, 9), min_size=width * height, max_size=width * height))
    mask = np.array(cells).reshape(height, width) < weight
    mask[draw(st.integers(0, height - 1)), draw(st.integers(0, width - 1))] = True
    ys, xs = np.nonzero(mask)
    index = draw(st.integers(0, len(xs) - 1))
    return mask, (int(xs[index]), int(ys[index]))


@given(shapes())
@settings(max_examples=100, deadline=None)
def test_only_a_pinched_tile_can_cut_anything_off(drawing):
    mask, start = drawing
    shape = Bitboard.of(mask)
    pinched = shape.trimmed(shape.field(shape.locally_separating()[0]))
    assert not (Structure(mask, start).cuts.astype(bool) & ~pinched).any()


@given(shapes())
@settings(max_examples=200, deadline=None)
def test_a_silhouette_says_what_arrays_say(drawing):
    mask, start = drawing
    shape = Bitboard.of(mask)
    assert shape.tiles == np.count_nonzero(mask)
    assert shape.trimmed(shape.field(shape.bits)).tolist() == mask.tolist()
    found = shape.trimmed(shape.field(shape.dead_ends()))
    assert found.tolist() == dead_ends(mask).tolist()
    assert shape.loops(3) == count_loops(mask, 3)
    steps = ndimage.distance_transform_cdt(mask, metric="chessboard")
    assert shape.openness() == pytest.approx(steps[mask].mean())
    around = distances(mask, *start)
    for y, x in np.ndindex(mask.shape):
        assert shape.steps(start, (x, y)) == around[y, x]


def test_where_no_way_leads_there_are_no_steps():
    shape = Bitboard.of(np.array([[True, False, True]]))
    assert shape.steps((0, 0), (2, 0)) == UNREACHED


def all_loops(open_tiles):
    return count_loops(open_tiles, regions(open_tiles)[1])


def slow(level):
    """Return the metrics of a level, each in the plainest way."""
    walkable = terrain().walkable[level.tiles]
    open_tiles = walkable | np.isin(level.tiles, (Tile.SECRET_DOOR, *LOCK_TILES))
    structure = Structure(open_tiles, level.start)
    way = open_tiles & (level.tiles != Tile.SECRET_DOOR) if level.mission else walkable
    path = int(distances(way, *level.start)[level.exit.y, level.exit.x])
    straight = max(abs(level.exit.x - level.start.x), abs(level.exit.y - level.start.y))
    walls = ndimage.distance_transform_cdt(open_tiles, metric="chessboard")
    areas = np.array([room.width * room.height for room in level.rooms], float)
    pillars = small_islands(open_tiles)
    names = [TILE_NAMES[tile] for tile in level.tiles.ravel().tolist()]
    return Metrics(
        floor=float(open_tiles.mean()),
        rooms=len(level.rooms),
        path=path,
        detour=path / straight,
        loops=all_loops(structure.walkable) - pillars,
        dead_ends=len(structure.dead_ends),
        chokepoints=np.count_nonzero(structure.cuts),
        largest_cut=structure.largest_cut,
        openness=float(walls[open_tiles].mean()),
        room_scale=pytest.approx(areas.std() / areas.mean()) if len(areas) else 0.0,
        pillars=pillars,
        biggest_room=int(areas.max()) if len(areas) else 0,
        cycles=len(level.mission.cycles) if level.mission else 0,
        key_distance=slow_key_distance(level.tiles, open_tiles),
        backtracking=LazyMetrics(level).backtracking,
        foreshadowed_goals=LazyMetrics(level).foreshadowed_goals,
        water=sum(name in {"water", "shallows", "reeds"} for name in names) / len(names),
        lava=names.count("lava") / len(names),
        bridges=int(ndimage.label(level.tiles == Tile.BRIDGE)[1]),
        doors=sum(
            name in {"door", "secret_door", *(TILE_NAMES[tile] for tile in LOCK_TILES)}
            for name in names
        ),
        locks=sum(names.count(TILE_NAMES[tile]) for tile in LOCK_TILES),
        treasure=names.count("treasure"),
        creatures=len(level.spawns),
        darkness=slow_darkness(level, walkable),
    )


def small_islands(open_tiles):
    """Count the islands of closed tiles, corners joined, of under nine tiles off the edge."""
    labels, count = ndimage.label(~open_tiles, np.ones((3, 3)))
    edge = {*labels[0], *labels[-1], *labels[:, 0], *labels[:, -1]}
    return sum((labels == n).sum() < 9 for n in range(1, count + 1) if n not in edge)


def slow_key_distance(tiles, open_tiles):
    found = [0]
    for opener, lock in {Tile.KEY: Tile.LOCKED_DOOR, **MECHANISMS}.items():
        openers = np.argwhere(tiles == opener).tolist()
        for y, x in np.argwhere(tiles == lock).tolist():
            steps = distances(open_tiles, x, y)
            found.append(min(int(steps[ky, kx]) for ky, kx in openers))
    return max(found)


def slow_darkness(level, walkable):
    if level.light != "dark":
        return 0.0
    lit = np.zeros_like(walkable)
    for y, x in np.argwhere(tile_mask(GLOWING)[level.tiles]).tolist():
        lit[max(0, y - 2) : y + 3, max(0, x - 2) : x + 3] = True
    return float((walkable & ~lit).sum() / walkable.sum())


@pytest.mark.parametrize("recipe", current_recipes(), ids=lambda recipe: recipe.name)
def test_metrics_of_real_levels_are_those_of_slow_references(recipe, monkeypatch):
    for seed in (11, 12):
        made = build(recipe.code(seed, seed - 10))
        assert measure(made) == slow(made)
        monkeypatch.setattr(metrics_module, "MANY", 0)
        assert measure(made) == slow(made)


def test_a_window_on_an_endless_world_can_be_measured():
    """It may be open at its edges and in several pieces, and its middle may lie in the sea."""
    for place in ((0, 0), (4000, -900), (-2500, 7000)):
        made = build(complete(parse_code(f"wilds:42@{place[0]},{place[1]}@90x50")))
        if made.has_exit:
            assert measure(made) == slow(made)
        else:
            whole = all_loops(terrain().walkable[made.tiles])
            assert measure(made).loops + measure(made).pillars == whole


def test_only_what_is_asked_for_is_worked_out():
    asked = LazyMetrics(build(complete(parse_code("caves:7"))))
    assert asked["path"] == asked.path
    assert "skeleton" not in vars(asked)
    assert asked.all() == measure(asked.level)
