"""The step that walls rooms off against a twin that looks at the whole map for every wall."""

import numpy as np
import pytest
import scipy

from entities.terrain import Tile
from entities.wording import pluralise
from procgen.analysis.distances import SQUARE, distances, with_neighbours
from procgen.blueprint import Blueprint, RectangularRoom
from procgen.build import build
from procgen.placement.painting import interior, mask_of
from procgen.recipes import find_recipe
from procgen.steps.inner_walls import _build_wall, wall_off
from support.step_twins import assert_alike


def walls_on_the_whole_map(plan, ground, center, radius, stray):
    rows, columns = np.indices(plan.tiles.shape)
    across, along = columns - center.x, rows - center.y
    distance, open_tiles, start = across**2 + along**2, plan.open, plan.start
    straight, bent = [across, along], []
    if start and open_tiles[center[::-1]]:
        steps = distances(open_tiles, *start)
        bent = [steps - steps[center[::-1]]]
        if abs(center.x - start.x) < abs(center.y - start.y):
            straight.reverse()
    within = ground & (distance <= radius * (radius + 1))
    for fields in (straight, bent):
        for aside in sorted(range(-stray, stray + 1), key=abs):
            for field in fields:
                labels, _ = scipy.ndimage.label(open_tiles & (field == aside), SQUARE)
                nearest = labels.flat[np.where(labels, distance, distance.max() + 1).argmin()]
                wall = (labels == nearest) & (labels > 0)
                if wall.any() and not (wall & ~within).any():
                    yield wall


def walling_on_the_whole_map(plan, rng, *, radius, stray, rubble, on):
    ground, told = mask_of(plan, on) & interior(plan), []
    ground &= ~(with_neighbours(mask_of(plan, ("door",))) | plan.occupied)
    for number, room in enumerate(plan.rooms, 1):
        walls = walls_on_the_whole_map(plan, ground, room.center, radius, stray)
        wall = next((wall for wall in walls if _build_wall(plan, wall, rng)), None)
        if wall is not None:
            ground &= ~wall
            nearby = ground & scipy.ndimage.binary_dilation(wall, SQUARE, 2)
            fallen = rng.random_bytes(*wall.shape) < int(rubble * 256 + 0.5)
            plan.tiles[nearby & fallen] = Tile.RUBBLE
            told.append(f"Wall {number}: {pluralise(int(wall.sum()), 'tile')}")
    return told


@pytest.mark.parametrize("size", [(80, 45), (47, 62), (120, 90)])
@pytest.mark.parametrize("recipe", ["rooms", "voronoi", "digger", "caves", "terrain", "arena"])
def test_looking_near_a_room_finds_the_walls_of_the_whole_map(recipe, size):
    for radius, stray, on in (
        (7, 2, ("floor",)),
        (3, 4, ("floor", "tunnel", "grass")),
        (1, 0, ("floor",)),
    ):
        level = build(find_recipe(recipe).code(radius, 2, size))
        plan = Blueprint(level.tiles.copy(), rooms=list(level.rooms), spawns=list(level.spawns))
        spots = np.argwhere(plan.open)[radius::37].tolist()  # Caves and the like have no rooms.
        plan.rooms += [RectangularRoom(x, y, 1, 1) for y, x in spots]
        plan.start = level.start if stray else None
        assert_alike(
            wall_off, walling_on_the_whole_map, plan, radius=radius, stray=stray, rubble=0.4, on=on
        )
