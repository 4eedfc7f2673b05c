"""Make the random changes of a vault and stamp it on the map."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from entities.creature_kinds import creature_kinds
from entities.terrain import Tile, terrain
from procgen.analysis.distances import regions
from procgen.blueprint import Blueprint, RectangularRoom, Spawn
from procgen.placement.monster_placement import pick_kind
from procgen.rng import Rng
from procgen.vaults.orientations import Orientation
from procgen.vaults.vault_library import symbol_outcomes, walkable_chars
from procgen.vaults.vault_parser import CREATURES, EXIT, Change, Vault, passable_mask

KEEP = 255
"""The tile of a piece that leaves the map as it is."""
DEEPER = {"1": 0, "2": 2, "3": 5}
"""Depth added to the level's own for the kinds of each digit in a drawing."""
DRAWINGS = 6
"""Attempts at the changes before a vault that they disconnect is given up."""


@dataclass(frozen=True, eq=False)
class VaultPiece:
    """A form with its changes made: ``tiles[y, x]``, exits closed, and (x, y, digit) creatures."""

    form: Orientation
    tiles: NDArray[np.uint8]
    creatures: tuple[tuple[int, int, str], ...]

    def stamp(self, plan: Blueprint, x: int, y: int) -> None:
        """Put the tiles on the map with the upper left corner at (x, y), and add the room."""
        window = plan.tiles[y : y + self.form.height, x : x + self.form.width]
        np.copyto(window, self.tiles, where=self.tiles != KEEP)
        if room := self.form.room:
            plan.rooms.append(RectangularRoom(x + room.x, y + room.y, room.width, room.height))

    def settle(self, plan: Blueprint, x: int, y: int, rng: Rng, free: NDArray[np.bool_]) -> int:
        """Put the creatures on the map where it is ``free``; return how many."""
        settled, packs = 0, dict[str, str]()
        for dx, dy, letter in self.creatures:
            kind = packs.get(letter) or pick_kind(plan, rng, DEEPER[letter])
            if creature_kinds()[kind].traits.pack[1] > 1:
                packs[letter] = kind
            if free[y + dy, x + dx]:
                plan.spawns.append(Spawn(kind, x + dx, y + dy))
                settled += 1
        return settled


@cache
def may_fall_apart(vault: Vault) -> bool:
    """Return True if the changes may disconnect a vault that can be walked through."""
    chars = walkable_chars()
    outcomes = symbol_outcomes(vault).values()
    firm = [len({char in chars for char in become}) == 1 for become in outcomes]
    return vault.header.place == "rock" and not all(firm)


def make_piece(form: Orientation, rng: Rng) -> VaultPiece | None:
    """Return ``form`` with its changes made; None if they disconnect it in every attempt."""
    if not form.vault.changes:
        return _unchanged(form)
    for _ in range(DRAWINGS):
        grid = form.grid.copy()
        for change in form.vault.changes:
            _make(change, grid.reshape(-1), rng)
        piece = _piece(form, grid)
        if not may_fall_apart(form.vault):
            return piece
        joined = np.where(grid == ord(EXIT), Tile.FLOOR, piece.tiles)
        if regions(passable_mask()[joined])[1] == 1:
            return piece
    return None


@cache
def _unchanged(form: Orientation) -> VaultPiece:
    """Return the piece of a vault without changes, as two of three vaults are."""
    return _piece(form, form.grid)


def _piece(form: Orientation, grid: NDArray[np.uint8]) -> VaultPiece:
    # Bytes are unsigned, so characters below the first creature wrap around.
    ys, xs = np.nonzero(grid - np.uint8(ord(CREATURES[0])) < len(CREATURES))
    creatures = tuple(zip(xs.tolist(), ys.tolist(), map(chr, grid[ys, xs]), strict=True))
    return VaultPiece(form, _ground(form.vault)[grid], creatures)


@cache
def _ground(vault: Vault) -> NDArray[np.uint8]:
    """Return the tile for each character: `KEEP` for a gap, wall for an exit not yet joined."""
    table = np.full(256, KEEP, np.uint8)
    table[terrain().codes] = np.arange(len(terrain().codes), dtype=np.uint8)
    table[ord(EXIT)] = Tile.WALL
    for letter in CREATURES:
        table[ord(letter)] = table[ord(vault.header.under)]
    return table


def exit_tile(vault: Vault) -> int:
    """Return the tile that a joined exit of ``vault`` becomes."""
    return int(_ground(vault)[ord(vault.header.exits)])


def _make(change: Change, cells: NDArray[np.uint8], rng: Rng) -> None:
    """Make ``change`` in the character codes ``cells``, in place."""
    groups = _codes(change)
    if change.kind == "shuffle":
        table = np.arange(256, dtype=np.uint8)
        for group, other in zip(groups, rng.shuffled(groups), strict=True):
            table[group] = other
        cells[:] = table[cells]
        return
    places = np.flatnonzero(cells == ord(change.target)).tolist()
    if change.numbers:
        places = rng.shuffled(places)
    done = 0
    for number, choices in zip((*change.numbers, len(places)), groups, strict=True):
        some = places[done : done + number]
        several = len(choices) > 1
        cells[some] = choices[rng.integers(0, len(choices) - 1, len(some))] if several else choices
        done += len(some)


@cache
def _codes(change: Change) -> list[NDArray[np.uint8]]:
    return [np.frombuffer(group.encode(), np.uint8) for group in change.choices]
