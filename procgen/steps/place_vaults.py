"""Vaults placed in an existing level."""

from collections.abc import Iterator

import numpy as np

from procgen.blueprint import Blueprint
from procgen.placement.monster_placement import free_tiles
from procgen.rng import Rng
from procgen.step_registry import Count, Few, step
from procgen.vaults import vault_fitting
from procgen.vaults.orientations import orientations
from procgen.vaults.vault_library import fitting_vaults, weighted_vault
from procgen.vaults.vault_parser import PLAIN_TAG, Vault
from procgen.vaults.vault_stamp import make_piece

SPOTS = 3
"""The number of fitting places at which a vault is tried."""


@step(needs="floor")
def place_vaults(
    plan: Blueprint,
    rng: Rng,
    *,
    count: Few = 3,
    tags: tuple[str, ...] = (),
    outdoors: bool = False,
    tries: Count = 12,
) -> Iterator[str]:
    """Place hand-drawn vaults in the level, each at most once.

    Up to ``count`` vaults are placed on an 80x45 map, proportionally more on larger ones. Vaults
    have one of ``tags``, or are any but plain ones if no tags are named. They suit the depth. Each
    is turned and mirrored at random, and placed where an exit meets open floor or, failing that, is
    joined to it by a tunnel. With ``outdoors`` only vaults drawn for the middle of open floor are
    used. ``tries`` vaults are tried for each one wanted. None disconnects the level.
    """
    chosen = fitting_vaults(tags, plan.depth, "open" if outdoors else "rock")
    if not tags:
        chosen = [vault for vault in chosen if PLAIN_TAG not in vault.header.tags]
    for _ in range(count * plan.scale):
        view = vault_fitting.random_surroundings(plan, rng)
        for _ in range(tries):
            if not chosen:
                return
            vault = weighted_vault(chosen, rng)
            if caption := _place(plan, view, vault, rng):
                chosen.remove(vault)
                yield caption
                break


def _place(plan: Blueprint, view: vault_fitting.VaultSurroundings, vault: Vault, rng: Rng) -> str:
    """Place ``vault`` somewhere in ``view``; return a caption, empty if it fits nowhere."""
    form = rng.pick(orientations(vault))
    if not (piece := make_piece(form, rng)):
        return ""
    joined = [(True, view.rock), (True, view.ground), (False, view.rock)]
    for beside, ground in joined if form.exits else [(False, view.plain)]:
        places = vault_fitting.fitting_places(view, form, ground, beside=beside)
        for _ in range(min(SPOTS, len(places))):
            at = rng.pick(places)
            if vault_fitting.place_piece(plan, piece, at):
                covered = np.s_[at.y : at.y + form.height, at.x : at.x + form.width]
                piece.settle(plan, *at, rng, free_tiles(plan, covered))
                return f"Vault at {at.x}, {at.y}: {vault.name}"
    return ""
