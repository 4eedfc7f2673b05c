"""Cellular automata: caves, floor that widens, and walls that erode."""

from collections.abc import Iterator
from typing import Literal

import numpy as np

from entities.terrain import Mask, Tile
from entities.wording import pluralise
from procgen.analysis.bitboard import Bitboard
from procgen.analysis.distances import with_neighbours
from procgen.blueprint import Blueprint, close_border
from procgen.placement import painting
from procgen.placement.safe_placement import CLOCKWISE
from procgen.rng import Rng
from procgen.step_registry import Count, Neighbours, Share, step


@step(gives="floor", varies="rock")
def scatter_rock(plan: Blueprint, rng: Rng, *, rock: Share = 0.45) -> Iterator[str]:
    """Turn each tile to rock with chance ``rock`` (in steps of 1/256), otherwise to floor."""
    solid = rng.random_bytes(plan.height, plan.width) < int(rock * 256 + 0.5)
    _fill(plan, solid & ~plan.occupied)
    yield f"Rock scattered over {rock:.0%} of the map"


@step(needs="floor", gives="floor")
def cellular_automaton(
    plan: Blueprint,
    rng: Rng,
    *,
    rounds: Count = 5,
    birth: Neighbours = 5,
    survive: Neighbours = 5,
    outside: Literal["rock", "open"] = "rock",
) -> Iterator[str]:
    """Smooth rock and floor by majority rule.

    In each of ``rounds`` rounds, floor with at least ``birth`` rock tiles among its 8 neighbours
    turns to rock, and rock with fewer than ``survive`` turns to floor. The area ``outside`` the map
    counts as rock, which thickens the map's edge, or as open, which keeps caves wide up to the
    border. With a ``birth`` of 9 no floor turns to rock. A ``survive`` of 4 gives RogueBasin's 4-5
    rule. Tiles of other kinds turn to floor, and occupied tiles stay open. (Johnson, Yannakakis and
    Togelius, "Cellular automata for real-time generation of infinite cave levels", 2010.)
    """
    rock = Bitboard.of(plan.tiles == Tile.WALL)
    occupied = Bitboard.of(plan.occupied).bits if plan.marks else 0
    for turn in range(1, rounds + 1):
        rock = rock.generation(birth, survive, outside=outside == "rock")
        rock = rock._replace(bits=rock.bits & ~occupied) if occupied else rock
        _fill(plan, rock.mask)
        yield f"Generation {turn}"


def _fill(plan: Blueprint, rock: Mask) -> None:
    """Turn ``rock[y, x]`` and the border to rock, all other tiles to floor."""
    np.logical_not(rock, out=plan.tiles)  # Rock is 0 and floor 1: one pass does both.
    close_border(plan)


def _supported(rock: Mask, least: int) -> Mask:
    """Return the rock with at least ``least`` of its 8 neighbours rock, as all is off the map."""
    return Bitboard.of(rock).generation(birth=9, survive=least, outside=True).mask


@step(gives="floor", varies="share")
def widen_floor(
    plan: Blueprint,
    rng: Rng,
    *,
    share: Share = 0.15,
    chance: Share = 0.5,
    leave: Neighbours = 7,
    rounds: Count = 60,
    floor: painting.Paint = "floor",
) -> Iterator[str]:
    """Erode rock beside open ground until a ``share`` of the map is open.

    In each of up to ``rounds`` rounds, rock beside open ground crumbles with this ``chance`` and
    leaves ``floor``. Rock with more than ``leave`` rock tiles among its 8 neighbours stays, so that
    hollows fill before new arms grow. If nothing is open, the middle of the map is opened first.
    """
    enough = int(share * plan.tiles.size + 0.5)
    ground, inside = painting.tile_named(floor), painting.interior(plan)
    if plan.open.sum() >= enough or not (inside & (plan.tiles == Tile.WALL)).any():
        return
    if not plan.open.any():
        plan.tiles[plan.height // 2, plan.width // 2] = ground
        yield "The middle of the map is opened"
    for turn in range(1, rounds + 1):
        rock = plan.tiles == Tile.WALL
        edge = with_neighbours(plan.open, diagonal=False) & inside & rock
        edge &= ~_supported(rock, leave + 1)
        dice = rng.random_bytes(plan.height, plan.width) < int(chance * 256 + 0.5)
        plan.tiles[edge & dice] = ground
        yield f"Round {turn}: {pluralise(int((edge & dice).sum()), 'tile')} of rock removed"
        if plan.open.sum() >= enough or not edge.any():
            return


PHASES = ((0, 0), (1, 1), (0, 1), (1, 0))
GROUND: tuple[painting.TileName, ...] = ("floor", "tunnel", "rubble")


@step(needs="floor")
def erode_edges(
    plan: Blueprint,
    rng: Rng,
    *,
    rounds: Count = 2,
    chance: Share = 0.4,
    survive: Neighbours = 6,
    birth: Neighbours = 5,
    rubble: Share = 0.4,
) -> Iterator[str]:
    """Erode walls and fill corners without disconnecting the level.

    In each of ``rounds`` rounds, each tile changes with this ``chance`` if its surroundings allow.
    Rock beside open ground crumbles if fewer than ``survive`` of its 8 neighbours are rock. Bare
    floor turns to rock if at least ``birth`` of its 8 neighbours are rock. A share ``rubble`` of
    the crumbled rock becomes rubble, the rest floor. Tiles next to a door, occupied tiles and
    centres of rooms stay as they are. (The rule of `cellular_automaton`, applied to edges only.)
    """
    doors = with_neighbours(painting.mask_of(plan, ("door", "secret_door")))
    free = painting.interior(plan) & ~doors & ~painting.reserved(plan)
    for turn in range(1, rounds + 1):
        struck = free & (rng.random_bytes(plan.height, plan.width) < int(chance * 256 + 0.5))
        rock = plan.tiles == Tile.WALL
        edge = with_neighbours(painting.mask_of(plan, GROUND), diagonal=False)
        crumbled = struck & rock & edge & ~_supported(rock, survive)
        is_rubble = rng.random_bytes(plan.height, plan.width) < int(rubble * 256 + 0.5)
        plan.tiles[crumbled] = np.where(is_rubble, Tile.RUBBLE, Tile.FLOOR)[crumbled]
        filled = _silt(plan, struck & ~crumbled, birth) if birth <= 8 else 0
        removed = pluralise(int(crumbled.sum()), "tile")
        yield f"Round {turn}: {removed} of rock removed, {filled} filled"


def _silt(plan: Blueprint, struck: Mask, birth: int) -> int:
    """Fill ``struck`` floor with at least ``birth`` rock neighbours; return the number of tiles.

    A tile is filled only if the open tiles around it stay connected without it. One tile of each 2
    by 2 block is treated at a time: two neighbours filled in the same pass, each harmless alone,
    could disconnect the level together.
    """
    row = plan.width + 2
    rock = np.pad(plan.tiles == Tile.WALL, 1, constant_values=True).ravel()
    ground = np.pad(plan.open, 1).ravel()
    ring, filled = np.array([dy * row + dx for dx, dy in CLOCKWISE]), 0
    floor = struck & painting.mask_of(plan, GROUND)
    for dy, dx in PHASES:
        ys, xs = np.nonzero(floor[dy::2, dx::2])
        places = (2 * ys + dy + 1) * row + 2 * xs + dx + 1
        around = places[:, None] + ring
        harmless = SPARE[ground[around] @ (1 << np.arange(8))]
        filled_places = places[harmless & (rock[around].sum(1) >= birth)]
        rock[filled_places], ground[filled_places] = True, False
        filled += len(filled_places)
    plan.tiles[rock.reshape(-1, row)[1:-1, 1:-1]] = Tile.WALL
    return filled


_RING = np.arange(256)[:, None] >> np.arange(8) & 1
SPARE = sum(_RING[:, n] * (1 - _RING[:, n + 1] * _RING[:, n + 2 & 7]) for n in (0, 2, 4, 6)) == 1
"""Indexed by the open neighbours of a tile, a bit each in order of `CLOCKWISE`: True if there are
any and they stay connected when the tile is closed."""
