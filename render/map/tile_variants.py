"""Choose the code point of each tile: walls by neighbours, floors by position, water by time.

Walls are autotiled by an 8 bit mask of open neighbours. Fringes lie between water, sand, grass
and rock: each ground has a rank, and the higher one overlaps the lower one, from all sides and
corners. Everything is vectorised over the view, since it runs in every frame of a flickering
light and an island may have hundreds of fringes on screen.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from entities.terrain import TILES, Mask, Tile, Tiles, terrain, tile_mask
from procgen.blueprint import paste_clipped
from procgen.position_hash import hash_points
from render.map.viewport import Viewport, VisibleLevel
from render.tiles import glyphs
from render.tiles.fringe_tiles import BLADES, FRINGE_VARIANTS, LINE, SMOOTH, fringe_number
from render.ui.frame import NO_FRINGES, Fringes
from render.ui.palette import WallKind, theme, tile_paints

Box = tuple[int, int, int, int]
"""A box of tiles: left, top, right and bottom, the last two exclusive."""
Hashes = NDArray[np.int32]
HASH_BITS = 12
HASHES = 1 << HASH_BITS
"""The number of different `position_hashes`."""
FLOW_PHASES = 2
"""The number of phases for which one picture of flowing water is shown."""
_ESSENTIAL = np.array([glyphs.visible_mask(mask) for mask in range(256)], np.int32)
_SOLID = np.isin(np.arange(256), (Tile.WALL, Tile.SECRET_DOOR))
_CLUMP_GROUPS = np.array([glyphs.CLUMP_GROUPS.get(tile, 0) for tile in TILES], np.uint8)
_CLUMP_CODES = np.array(
    [glyphs.clump_start(tile) if tile in glyphs.CLUMP_TILES else 0 for tile in TILES], np.int32
)


def solid_tiles(tiles: Tiles) -> Mask:
    """Return which of ``tiles`` are rock: bool, same shape."""
    return _SOLID[tiles]


class KnownTiles(NamedTuple):
    """Known rock and known open ground in a box and a margin of 1: bool [y + 2, x + 2]."""

    solid: Mask
    open: Mask

    @property
    def here(self) -> Mask:
        """The known tiles of the box itself, bool [y, x]."""
        return (self.solid | self.open)[1:-1, 1:-1]


def known_tiles(level: VisibleLevel, box: Box, view: Viewport) -> KnownTiles:
    """Return the known rock and open ground in ``box``."""
    solid = _SOLID[_with_margin(level.tiles, box)]
    shown = np.ones_like(level.explored) if view.reveal else level.explored
    known = _with_margin(shown, box)
    return KnownTiles(solid & known, ~solid & known)


def _with_margin(values: NDArray[Any], box: Box) -> NDArray[Any]:
    """Return ``values`` [y, x] in ``box`` and a margin of 1, with 0 outside the map."""
    x0, y0, x1, y1 = box
    whole = np.zeros((y1 - y0 + 2, x1 - x0 + 2), values.dtype)
    paste_clipped(whole, values, 1 - x0, 1 - y0)
    return whole


def tile_codes(
    level: VisibleLevel, box: Box, known: KnownTiles, view: Viewport
) -> NDArray[np.int32]:
    """Return the code point of every tile in the box, as int32 [y, x]."""
    x0, y0, x1, y1 = box
    wall_kind = theme(level.theme).wall_kind
    tiles = level.tiles[y0:y1, x0:x1]
    chance = position_hashes(box, level.origin)
    starts, flows = _first_codes(wall_kind)
    codes: NDArray[np.int32] = starts[tiles]
    codes += (chance + flows[tiles] * (view.phase // FLOW_PHASES)) % glyphs.VARIANTS
    rock = _SOLID[tiles]
    start, count = glyphs.WALL_VARIANTS[wall_kind]
    faces = _ESSENTIAL[other_neighbours(known.open, own=False)[rock]] + start
    if count > 1:
        faces += 256 * (chance[rock] // glyphs.VARIANTS % count)
    codes[rock] = faces
    # A door between walls above and below lies in a wall that runs up and down.
    between = known.solid[:-2, 1:-1] & known.solid[2:, 1:-1]
    for tile, side in glyphs.SIDE_DOORS.items():
        turned = between & (tiles == tile)
        codes[turned] = side + chance[turned] % glyphs.VARIANTS
    for x, y in level.open_doors:
        if x0 <= x < x1 and y0 <= y < y1:
            sideways = between[y - y0, x - x0]
            codes[y - y0, x - x0] = glyphs.OPEN_SIDE_DOOR if sideways else glyphs.OPEN_DOOR
    _join_clumps(codes, _with_margin(level.tiles, box), known, chance)
    return codes


def _join_clumps(codes: NDArray[np.int32], tiles: Tiles, known: KnownTiles, chance: Hashes) -> None:
    """Replace the ``codes`` of trees and mountains: they join known neighbours of their kind.

    ``tiles`` and ``known`` have a margin of 1.
    """
    groups = _CLUMP_GROUPS[tiles] * known.open
    middle = groups[1:-1, 1:-1]
    in_clump = middle > 0
    if in_clump.any():
        masks = other_neighbours(groups, middle)
        variants = 256 * (chance[in_clump] % glyphs.CLUMP_VARIANTS)
        first = _CLUMP_CODES[tiles[1:-1, 1:-1][in_clump]] + variants
        codes[in_clump] = first + _ESSENTIAL[masks[in_clump]]


@cache
def _first_codes(wall_kind: WallKind) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the first code point of each tile, and whether it is animated."""
    wild = () if wall_kind == "masonry" else glyphs.WILD_TILES
    starts = [glyphs.WILD_TERRAIN if tile in wild else glyphs.TERRAIN for tile in TILES]
    codes = np.array(starts) + glyphs.VARIANTS * np.arange(len(TILES))
    return codes.astype(np.int32), np.array([look.flows for look in tile_paints()], np.int32)


def position_hashes(box: Box, origin: tuple[int, int]) -> Hashes:
    """Return a hash of each position in the box: int32 [y, x], below `HASHES`.

    It depends on world coordinates, so a tile keeps its look when an infinite map recentres.
    """
    (x0, y0, x1, y1), (left, top) = box, origin
    xs, ys = np.arange(x0, x1) + left, np.arange(y0, y1) + top
    return (hash_points(0, xs[None, :], ys[:, None]) >> np.uint64(64 - HASH_BITS)).astype(np.int32)


def other_neighbours(values: NDArray[Any], own: NDArray[Any] | bool) -> NDArray[np.uint8]:
    """Return, for all but the outermost tiles, the mask of neighbours that differ from ``own``."""
    masks = np.zeros(values[1:-1, 1:-1].shape, np.uint8)
    for bit, (dx, dy) in enumerate(glyphs.NEIGHBOURS):
        masks |= (_shifted(values, dx, dy) != own).view(np.uint8) << np.uint8(bit)
    return masks


SHORE_RANK, PATH_RANK, PLANT_RANK = 2, 4, 7
"""Ranks: the highest of a shore, that of a path through rock, and that of plants."""
STRAIGHT_EDGED = -1
"""The rank of tiles with straight edges."""


@cache
def _ranks(wall_kind: WallKind) -> NDArray[np.int8]:
    """Return the rank of each tile: paths have that of floors, in rock `PATH_RANK`."""
    looks = tile_paints()
    ranks = np.array([STRAIGHT_EDGED if look.straight else look.rank for look in looks], np.int8)
    if wall_kind == "rock":
        ranks[[Tile.TUNNEL, Tile.ROAD]] = PATH_RANK
    return ranks


@cache
def _flat() -> Mask:
    return np.array([look.flat for look in tile_paints()])


_FURNITURE = (Tile.PILLAR, Tile.STATUE, Tile.TREASURE, Tile.BONES, Tile.STAIN, Tile.SHRINE)
_STANDING = tile_mask((*_FURNITURE, Tile.SHELF, Tile.KEY, Tile.LEVER, Tile.WINCH, Tile.BRAZIER))


def ground_under(tiles: Tiles, known_mask: Mask) -> Tiles:
    """Return ``tiles`` [y, x] with each object replaced by the most frequent ground around it.

    Only tiles in ``known_mask`` count. Thus a pillar stands in grass or water, not on bare floor.
    """
    under, (ys, xs) = tiles.copy(), np.nonzero(_STANDING[tiles] & known_mask)
    if not len(ys):
        return under
    bare = known_mask & terrain().walkable[tiles] & ~terrain().fixture[tiles] & ~_STANDING[tiles]
    ground = np.pad(np.where(bare, tiles, np.uint8(Tile.WALL)), 1)  # Walls stand for "no ground".
    neighbours = np.array([ground[ys + 1 + dy, xs + 1 + dx] for dx, dy in glyphs.NEIGHBOURS])
    votes = (neighbours[:, None] == neighbours).sum(0) * (neighbours != Tile.WALL)
    chosen = neighbours[votes.argmax(0), np.arange(len(ys))]
    under[ys, xs] = np.where(votes.any(0), chosen, tiles[ys, xs])
    return under


def find_fringes(
    tiles: Tiles, known: KnownTiles, hashes: Hashes, cells: NDArray[Any], wall_kind: WallKind
) -> Fringes:
    """Return the fringes in a box of ``tiles`` [y, x]; ``cells`` are its cells in full light."""
    ranks = np.where(known.solid | known.open, np.pad(_ranks(wall_kind)[tiles], 1), STRAIGHT_EDGED)
    # Ground beyond the box has no fringes into it: its colour is unknown here.
    ranks[[0, -1]] = ranks[:, [0, -1]] = STRAIGHT_EDGED
    own_ranks = ranks[1:-1, 1:-1]
    flat = _flat()[tiles] & (own_ranks >= 0)
    over = [(_shifted(ranks, *step) > own_ranks) & flat for step in glyphs.NEIGHBOURS]
    fringes: list[list[NDArray[Any]]] = []
    for direction, (dx, dy) in enumerate(glyphs.NEIGHBOURS):
        laps = over[direction]
        if dx and dy:  # A corner shows only if neither of its two sides has a fringe.
            laps = laps & ~over[0 if dy < 0 else 2] & ~over[1 if dx > 0 else 3]
        rows, columns = np.nonzero(laps)
        if not len(rows):
            continue
        variants = (hashes[rows, columns] >> 3) % FRINGE_VARIANTS
        plants = ranks[rows + 1 + dy, columns + 1 + dx] == PLANT_RANK
        numbers = fringe_number(np.where(plants, BLADES, SMOOTH), direction, variants)
        fringes.append([columns, rows, numbers, cells["bg"][rows + dy, columns + dx]])
        shore = own_ranks[rows, columns] <= SHORE_RANK
        rows, columns = rows[shore], columns[shore]
        line = fringe_number(np.full_like(rows, LINE), direction, variants[shore])
        fringes.append([columns, rows, line, cells["fg"][rows, columns]])
    if not fringes:
        return NO_FRINGES
    columns, rows, numbers, colors = (np.concatenate(part) for part in zip(*fringes, strict=True))
    return Fringes(np.stack([columns, rows], axis=1), numbers, colors)


def _shifted(values: NDArray[Any], dx: int, dy: int) -> NDArray[Any]:
    """Return the values of the neighbours in one direction; ``values`` has a margin of 1."""
    height, width = values.shape
    return values[1 + dy : height - 1 + dy, 1 + dx : width - 1 + dx]
