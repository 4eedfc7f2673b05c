"""Wilderness sites: vaults placed on open ground with a free ring around each."""

from collections.abc import Iterator
from functools import cache

import numpy as np

from entities.terrain import Mask, Tile, tile_mask
from procgen.blueprint import Blueprint, Point
from procgen.chunk import ChunkSite
from procgen.placement.monster_placement import sample_tiles
from procgen.placement.painting import boxes_inside
from procgen.position_hash import position_random
from procgen.rng import Rng
from procgen.vaults.orientations import Orientation, orientations
from procgen.vaults.vault_library import fitting_vaults, vaults, weighted_vault
from procgen.vaults.vault_stamp import make_piece

RIM = (4, 4, 4)
"""Distance of a site from the chunk's border at each try, without its ring."""
BUILDABLE = (Tile.GRASS, Tile.HEATH, Tile.HILL, Tile.FOREST, Tile.SAND, Tile.RUBBLE)
CROSSROADS = "crossroads"
"""The tag of vaults for road junctions; they are open in the middle."""
HEARTLAND, HOMELAND = (64, 64, 64), (116, 104, 84)
"""As `RIM`, for crossroads and for the crossroads of the first chunk, near its middle."""
NEAR_HOME = (72, 48, 24, 4)
"""As `RIM`, for the other sites of the first chunk: the nearest ways down are easy to find."""


def place_sites(
    seed: int, cx: int, cy: int, plan: Blueprint, tags: list[str]
) -> Iterator[ChunkSite]:
    """Place a vault for each tag in ``tags`` where there is room, `CROSSROADS` in the middle.

    Trees in the ring around a site are cleared, so that paths past it stay open.
    """
    rng = position_random(seed, "sites", cx, cy)
    ground = tile_mask(BUILDABLE)[plan.tiles]
    middle, others = (HEARTLAND, RIM) if cx or cy else (HOMELAND, NEAR_HOME)
    for tag in tags:
        margins = middle if tag == CROSSROADS else others
        fitting = fitting_vaults((tag,), plan.depth, "wild")
        for margin in margins if fitting else ():
            form = rng.pick(orientations(weighted_vault(fitting, rng)))
            inner = np.pad(ground[margin:-margin, margin:-margin], margin)
            spot = _room_for(form, inner, rng)
            if spot and _build(form, spot, plan, ground, rng):
                x, y = spot.x + form.width // 2, spot.y + form.height // 2
                yield ChunkSite(form.vault.name, x, y)
                break


def crossroads_center(sites: list[ChunkSite]) -> Point | None:
    """Return the centre of the crossroads site, if there is one."""
    return next((Point(site.x, site.y) for site in sites if site.kind in crossroads_kinds()), None)


@cache
def crossroads_kinds() -> frozenset[str]:
    """Return the names of all crossroads vaults."""
    return frozenset(vault.name for vault in vaults() if CROSSROADS in vault.header.tags)


def _room_for(form: Orientation, ground: Mask, rng: Rng) -> Point | None:
    """Return a corner where ``form`` and the ring around it cover only ``ground``."""
    spots = sample_tiles(boxes_inside(ground, form.height + 2, form.width + 2), rng, 1)
    return Point(spots[0][0] + 1, spots[0][1] + 1) if spots else None


def _build(form: Orientation, spot: Point, plan: Blueprint, ground: Mask, rng: Rng) -> bool:
    """Stamp ``form`` with its monsters and mark its ground taken; False if it is disconnected."""
    if not (piece := make_piece(form, rng)):
        return False
    around = np.s_[spot.y - 1 : spot.y + form.height + 1, spot.x - 1 : spot.x + form.width + 1]
    plan.tiles[around][plan.tiles[around] == Tile.FOREST] = Tile.GRASS
    piece.stamp(plan, *spot)
    piece.settle(plan, *spot, rng, np.ones(plan.tiles.shape, np.bool_))
    ground[around] = False
    return True
