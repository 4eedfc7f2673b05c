"""Vaults placed in an existing level, and a dungeon made of nothing but vaults."""

from collections.abc import Iterator

import numpy as np

from entities.wording import pluralise
from procgen.blueprint import Blueprint, Rejected
from procgen.placement.monster_placement import free_tiles
from procgen.placement.painting import scaled_to_area
from procgen.rng import Dice, Rng
from procgen.step_registry import Count, Few, Positive, Share, Side, Steps, step
from procgen.vaults import vault_fitting
from procgen.vaults.orientations import orientations
from procgen.vaults.vault_growth import VaultGrowth
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

    Up to ``count`` vaults are placed on an 80x45 map, a whole multiple on larger ones. Vaults
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


BEGINNINGS = 100
FORKS = 3
"""The least number of exits of the first vault."""
FEW = 8
"""With fewer vaults on an 80x45 map the growth has died out, unless no vaults are left."""


class _Choice:
    """The vaults left to choose from: plain ones always, others up to ``copies`` times each."""

    def __init__(self, vaults: list[Vault], plain: float, copies: int) -> None:
        self.share = plain
        self.known = {vault.name: vault for vault in vaults}
        self.copies = dict.fromkeys(self.known, copies)
        drawn = [vault for vault in vaults for _ in range(vault.header.weight)]
        self.plain = [vault for vault in drawn if PLAIN_TAG in vault.header.tags]
        self.other = [vault for vault in drawn if PLAIN_TAG not in vault.header.tags]

    @property
    def left(self) -> bool:
        """True if there are any vaults to choose from."""
        return bool(self.plain or self.other)

    def pick(self, dice: Dice) -> Vault:
        """Return a random vault, a plain one with the chance `share`."""
        plain = dice.chance(self.share)
        return dice.pick((self.plain if plain else self.other) or self.plain or self.other)

    def used(self, vault: Vault) -> None:
        """Count a copy of ``vault`` as used."""
        if PLAIN_TAG not in vault.header.tags:
            self.copies[vault.name] -= 1
            if not self.copies[vault.name]:
                self.other = [other for other in self.other if other.name != vault.name]


@step(gives="floor rooms", varies="plain share_wall longest")
def vault_dungeon(
    plan: Blueprint,
    rng: Rng,
    *,
    tags: tuple[str, ...] = (),
    plain: Share = 0.45,
    share_wall: Share = 0.55,
    longest: Side = 6,
    patience: Positive = 4,
    turns: Positive = 4,
    loops: Few = 5,
    reach: Side = 14,
    detour: Steps = 20,
) -> Iterator[str]:
    """Grow a dungeon of hand-drawn vaults, each joined to an exit of an earlier one.

    Vaults have one of ``tags``, or any if no tags are named. A share ``plain`` of the vaults is
    plain. At each exit up to ``patience`` vaults are tried. Each of them is tried in up to
    ``turns`` combinations of an orientation and one of its exits. With chance ``share_wall`` a
    vault shares a wall with the exit it is joined to, otherwise it lies behind a corridor of 2 to
    ``longest`` tiles. In the end up to ``loops`` pairs of exits are joined on an 80x45 map,
    a whole multiple on larger ones. Only exits less than ``reach`` tiles apart but more than
    ``detour`` steps on foot are joined. Exits that lead nowhere are walled up.
    """
    choice = _Choice(fitting_vaults(tags, plan.depth, "rock"), plain, plan.scale)
    if not choice.known:
        raise Rejected("no vault has such a tag")
    dice = Dice(rng)
    growth = VaultGrowth(plan, rng, dice)
    yield from _begin(growth, choice, dice)
    yield from _extend(
        growth, choice, dice, patience=patience, share_wall=share_wall, longest=longest, turns=turns
    )
    if len(growth.pieces) < (max(2, scaled_to_area(plan, FEW)) if choice.left else 2):
        raise Rejected("too few vaults")
    for loop in growth.link(loops * plan.scale, reach, detour):
        yield f"Loop {loop}"
    free = free_tiles(plan)
    settled = sum(piece.settle(plan, *at, rng, free) for piece, at in growth.pieces)
    yield f"{pluralise(settled, 'monster')} placed in the vaults"


def _begin(growth: VaultGrowth, choice: _Choice, dice: Dice) -> Iterator[str]:
    """Place a vault with many exits in the middle."""
    for _ in range(BEGINNINGS):
        vault = choice.pick(dice)
        if len(orientations(vault)[0].exits) >= FORKS and growth.begin(vault):
            choice.used(vault)
            yield f"Vault 1: {vault.name}"
            return
    raise Rejected(f"no vault with {FORKS} exits fits as the first")


def _extend(
    growth: VaultGrowth,
    choice: _Choice,
    dice: Dice,
    *,
    patience: int,
    share_wall: float,
    longest: int,
    turns: int,
) -> Iterator[str]:
    """Join vaults to random exits until all are used, given up or without space beyond."""
    frontier = [(way, patience) for way in growth.fresh]
    while frontier and choice.left:
        index = dice.below(len(frontier))
        (way, left), frontier[index] = frontier[index], frontier[-1]
        frontier.pop()
        if way.place not in growth.loose or (room := growth.room_beyond(way)) < 2:
            continue
        vault = choice.pick(dice)
        length = 0 if dice.chance(share_wall) else 2 + dice.below(max(1, longest - 1))
        if growth.extend(way, room, vault, length, turns):
            choice.used(vault)
            frontier += [(fresh, patience) for fresh in growth.fresh]
            yield f"Vault {len(growth.pieces)}: {vault.name}"
        elif left > 1:
            frontier.append((way, left - 1))
