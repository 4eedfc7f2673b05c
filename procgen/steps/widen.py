"""Widening: a cave too small for anybody is worn wider."""

from collections.abc import Iterator

from scipy import ndimage

from entities.terrain import Tile
from procgen.blueprint import Blueprint
from procgen.furnishing.ground import Paint, interior, tile_named
from procgen.registry import Count, Share, step
from procgen.rng import Rng
from procgen.steps.automaton import rock_around


@step(gives="floor")
def widen_floor(
    plan: Blueprint,
    rng: Rng,
    *,
    share: Share = 0.15,
    chance: Share = 0.5,
    leave: Count = 7,
    rounds: Count = 60,
    floor: Paint = "floor",
) -> Iterator[str]:
    """Wear rock away beside what is open until ``share`` of the map is.

    Each of at most ``rounds`` rounds, rock beside open ground with no more than ``leave`` rock
    tiles among its 8 neighbours crumbles with this ``chance`` and leaves ``floor``: hollows fill
    out before arms grow. Where nothing is open, the middle of the map is opened first.
    """
    enough = int(share * plan.tiles.size + 0.5)
    ground, inside = tile_named(floor), interior(plan)
    if plan.open.sum() >= enough or not (inside & (plan.tiles == Tile.WALL)).any():
        return
    if not plan.open.any():
        plan.tiles[plan.height // 2, plan.width // 2] = ground
        yield "The middle is opened"
    for turn in range(1, rounds + 1):
        rock = plan.tiles == Tile.WALL
        beside = ndimage.binary_dilation(plan.open) & inside & rock & (rock_around(rock) <= leave)
        dice = rng.noise(plan.height, plan.width) < int(chance * 256 + 0.5)
        plan.tiles[beside & dice] = ground
        yield f"Round {turn}: {int((beside & dice).sum())} tiles crumble"
        if plan.open.sum() >= enough or not beside.any():
            return
