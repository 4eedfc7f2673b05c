"""Land laid by height, islands and scattered growth against twins that go tile by tile."""

from itertools import product

import numpy as np
import pytest

from entities.terrain import Tile, terrain
from entities.wording import pluralise
from procgen.blueprint import Blueprint, Point, RectangularRoom, Rejected, Spawn
from procgen.gradient_noise import fractal_noise, noise_octaves
from procgen.placement.painting import TileName, passable, protected, tile_named
from procgen.rng import Rng
from procgen.steps.heightmap import CANDIDATES, archipelago, heightmap_terrain
from procgen.steps.vegetation import scatter
from support.blueprints import cave
from support.by_definition import EIGHT, cells, parts
from support.step_twins import assert_alike, edge_of


def marked(width=31, height=23):
    plan = Blueprint.solid(width, height)
    plan.start, plan.spawns = Point(3, 4), [Spawn("rat", 7, 7)]
    plan.rooms = [RectangularRoom(10, 3, 4, 3)]
    return plan


def kept(plan):
    return [*plan.marks, *(room.center for room in plan.rooms)]


def slow_terrain(plan, rng, *, octaves, scale, persistence, lacunarity, rim, **lines):
    limits = [lines["water"], lines["grass"], lines["forest"]]
    rim = min(rim, plan.width // 8, plan.height // 8)
    kinds = (Tile.WATER, Tile.GRASS, Tile.FOREST, Tile.MOUNTAIN)
    layers = noise_octaves(
        rng.below(2**62), 0, 0, plan.width, plan.height, scale=scale, octaves=octaves,
        persistence=persistence, lacunarity=lacunarity,
    )  # fmt: skip
    first = None
    for layer in layers:
        relief = layer.clip(-1, 1)
        first = relief.copy() if first is None else first
        for x, y in cells(plan):
            share = max(0.0, 1 - edge_of(plan, x, y) / (rim + 1)) ** 2
            end = 1.0 if first[y, x] >= 0 else -1.0
            height = relief[y, x] + (end - relief[y, x]) * share
            kind = sum(bool(height >= limit) for limit in limits)
            if edge_of(plan, x, y) == 0:
                kind = 3 if end > 0 else 0
            plan.tiles[y, x] = kinds[kind]
    for x, y in kept(plan):
        plan.tiles[y, x] = Tile.GRASS
    return [f"Octave {number} of {octaves}" for number in range(1, octaves + 1)]


@pytest.mark.parametrize("size", [(31, 23), (24, 40), (15, 9)])
@pytest.mark.parametrize(
    ("octaves", "rim", "lines"),
    [(1, 4, (-0.3, 0.0, 0.3)), (4, 2, (-0.1, 0.1, 0.2)), (3, 0, (-1, 0.0, 1)), (2, 9, (0, 0, 0))],
)
def test_land_lies_as_its_twin_says(octaves, rim, lines, size):
    named = dict(zip(("water", "grass", "forest"), lines, strict=True))
    for seed in range(2):
        assert_alike(
            heightmap_terrain, slow_terrain, marked(*size), seed, octaves=octaves, scale=0.13,
            persistence=0.6, lacunarity=1.9, rim=rim, **named,
        )  # fmt: skip


def slow_islands(plan, rng, *, islands, smallest, largest, rugged, scale, beach, hills, woods):
    width, height = plan.width, plan.height
    sizes = 0, 0, width, height
    rough = fractal_noise(rng.below(2**62), *sizes, scale=scale) * rugged
    wood = fractal_noise(rng.below(2**62), *sizes, scale=scale * 2, octaves=2)
    wooded = int(woods * width * height + 0.5)
    limit = np.sort(wood.ravel())[-wooded] if wooded else np.inf
    number = max(1, int(islands * width * height / 3600 + 0.5))
    placed, told = [], []
    for island in range(number):
        rank = (number - island) / number
        radius = smallest + int((largest - smallest) * rank**2 + 0.5)
        radius = max(1, min(radius, (width - 4) // 2, (height - 4) // 2))
        low = radius * 3 // 4 + 1
        best, most = (width // 2, height // 2), -1
        if width - 1 >= 2 * low and height - 1 >= 2 * low:
            xs, ys = (rng.integers(low, side - 1 - low, CANDIDATES) for side in (width, height))
            for x, y in zip(xs.tolist(), ys.tolist(), strict=True):
                gap = min(
                    (((x - a) ** 2 + (y - b) ** 2) * 64 // (radius + r) ** 2 for a, b, r in placed),
                    default=2**40,
                )
                if gap > most:
                    most, best = gap, (x, y)
        placed.append((*best, radius))
        if number < 50 or island % (number // 25) == 0 or island == number - 1:
            told.append(f"Island {island + 1} of {number}")
    for x, y in cells(plan):
        top = -1.0
        for a, b, radius in placed:
            reach = radius * 3 // 2 + 1
            if abs(x - a) <= reach and abs(y - b) <= reach:
                top = max(top, 1 - ((x - a) ** 2 + (y - b) ** 2) / radius**2)
        level = min(top + rough[y, x], (edge_of(plan, x, y) - 1) * 0.25)
        tile = Tile.WATER
        if level > 0:
            grown = Tile.FOREST if wood[y, x] >= limit else Tile.GRASS
            over = int(level > beach) + int(level > hills)
            tile = (Tile.SAND, grown, Tile.MOUNTAIN)[over]
        plan.tiles[y, x] = tile
    for x, y in kept(plan):
        plan.tiles[y, x] = Tile.SAND
    land = sorted(
        parts(plan.tiles != Tile.WATER), key=lambda part: min(place[::-1] for place in part)
    )
    plan.regions = np.zeros(plan.tiles.shape, np.int32)
    if not land:
        raise Rejected("")
    for label, part in enumerate(land, 1):
        for x, y in part:
            plan.regions[y, x] = label
    return [*told, f"{pluralise(len(land), 'island')} above the water"]


@pytest.mark.parametrize(
    ("islands", "sizes", "rugged", "levels", "woods"),
    [
        (12, (3, 13), 0.7, (0.22, 0.9), 0.4), (30, (1, 4), 0.0, (0.1, 0.4), 0.0),
        (70, (2, 9), 1.5, (0.6, 0.5), 1.0), (1, (20, 30), 0.4, (-0.5, 0.25), 0.1),
        (6, (5, 2), 1.0, (0.25, 0.5), 0.7),
    ],
)  # fmt: skip
@pytest.mark.parametrize("size", [(44, 31), (23, 40), (9, 7)])
def test_islands_rise_as_their_twin_says(islands, sizes, rugged, levels, woods, size):
    for seed in range(2):
        plan = marked(*size) if size[0] > 20 and seed else Blueprint.solid(*size)
        assert_alike(
            archipelago, slow_islands, plan, seed, islands=islands, smallest=sizes[0],
            largest=sizes[1], rugged=rugged, scale=0.12, beach=levels[0], hills=levels[1],
            woods=woods,
        )  # fmt: skip


def test_of_many_islands_not_each_is_shown():
    plan = Blueprint.solid(24, 20)
    for islands in (367, 375, 383, 570):  # 49, 50, 51 and 76 on this map.
        assert_alike(
            archipelago, slow_islands, plan, islands=islands, smallest=1, largest=3, rugged=0.3,
            scale=0.2, beach=0.2, hills=0.9, woods=0.4,
        )  # fmt: skip


def slow_scatter(plan, rng, *, tile, on, share, patch, ragged, beside, within):
    def named(names: tuple[TileName, ...]):
        numbers = [tile_named(name) for name in names]
        return {(x, y) for x, y in cells(plan) if plan.tiles[y, x] in numbers}

    kind, still = tile_named(tile), protected(plan, paint=tile_named(tile))
    may = {(x, y) for x, y in named(on) if not still[y, x] and plan.tiles[y, x] != kind}
    ground = {(x, y) for x, y in cells(plan) if plan.open[y, x]}
    if beside:
        near = {
            (x + dx, y + dy)
            for x, y in named(beside)
            for dx, dy in product(range(-max(1, within), max(1, within) + 1), repeat=2)
        }
        may &= near
    if passable(kind):
        may &= ground
    if patch == 1:
        coarse, fine = (
            rng.random_bytes(*plan.tiles.shape).tolist(),
            rng.random_bytes(*plan.tiles.shape).tolist(),
        )
        limit = int(share * 65536 + 0.5)
        chosen = {(x, y) for x, y in may if coarse[y][x] * 256 + fine[y][x] < limit}
    else:
        *_, relief = noise_octaves(
            rng.below(2**62), 0, 0, plan.width, plan.height, scale=0.5 / patch, octaves=1
        )
        order = sorted(may, key=lambda spot: -relief[spot[1], spot[0]])
        wanted = order[: int(share * len(order) + 0.5)]
        least = relief[wanted[-1][::-1]] if wanted else 2.0
        chosen = {spot for spot in may if relief[spot[::-1]] >= least}
    if ragged:
        dice = rng.random_bytes(*plan.tiles.shape).tolist()
        chosen = {(x, y) for x, y in chosen if dice[y][x] >= int(ragged * 256 + 0.5)}
    if not passable(kind):
        stand = set()
        for x, y in sorted(chosen & ground, key=lambda spot: spot[::-1]):
            around = {(x + dx, y + dy) for dx, dy in EIGHT}
            if around <= ground and not around & stand:
                stand.add((x, y))
        chosen = stand | chosen - ground
    for x, y in chosen:
        plan.tiles[y, x] = kind
    name = terrain().kinds[kind].name
    return [f"{pluralise(len(chosen), 'tile')} of {name}"] if chosen else []


@pytest.mark.parametrize("share", [0.005, 0.01, 0.02])
def test_patches_take_as_small_a_share_as_was_asked_for(share):
    plan = Blueprint.solid(80, 45)
    plan.tiles[1:-1, 1:-1] = Tile.FLOOR
    [*scatter(plan, Rng(1, "scatter"), tile="moss", share=share, patch=4)]
    assert np.count_nonzero(plan.tiles == Tile.MOSS) == pytest.approx(share * 78 * 43, abs=1)


@pytest.mark.parametrize(("share", "patch", "ragged"), [(0.1, 1, 0.0), (0.5, 1, 0.3), (1.0, 1, 0.5),
    (0.3, 4, 0.0), (0.6, 9, 0.4), (0.001, 3, 0.0)])  # fmt: skip
@pytest.mark.parametrize(
    ("tile", "beside", "within"),
    [("moss", (), 1), ("statue", (), 1), ("pillar", ("water",), 2), ("rubble", ("wall",), 0),
     ("water", ("moss", "water"), 1)],
)  # fmt: skip
def test_tiles_are_scattered_as_their_twin_says(tile, beside, within, share, patch, ragged):
    for seed in range(2):
        plan = cave(seed, 31, 23)
        ys, xs = np.nonzero(plan.open)
        plan.start, plan.exit = Point(int(xs[9]), int(ys[9])), Point(int(xs[-9]), int(ys[-9]))
        plan.rooms = [RectangularRoom(int(xs[30]), int(ys[30]), 3, 2)]
        plan.tiles[5:9, 6:12], plan.tiles[12:14, :20] = Tile.WATER, Tile.MOSS
        plan.tiles[ys[20], xs[20]] = Tile.SHRINE
        assert_alike(
            scatter, slow_scatter, plan, seed, tile=tile, on=("floor", "wall", "moss", "water"),
            share=share, patch=patch, ragged=ragged, beside=beside, within=within,
        )  # fmt: skip
