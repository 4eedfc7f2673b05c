"""Vaults on their way into a level: turned, their changes made, stamped on the map."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Tile, terrain
from procgen.analysis import regions
from procgen.blueprint import Blueprint, RectangularRoom, Spawn
from procgen.rng import Rng
from procgen.spawning import pick_kind
from procgen.vault_format import CREATURES, EXIT, LEAVE, Change, Vault
from procgen.vaults import outcomes, walkable_chars

KEEP = 255
"""In a piece's tiles: what was there before stays."""

DEEPER = {"1": 0, "2": 2, "3": 5}
"""From how many levels below each sort of creature comes."""

TURNS = {"no": (0,), "mirror": (0, 2, 4, 6), "any": (0, 1, 2, 3, 4, 5, 6, 7)}
"""Ways to turn a drawing: by so many quarters, from 4 on after mirroring it."""

DRAWINGS = 6
"""How often the changes are made before a vault that they leave in pieces is given up."""


@dataclass(frozen=True)
class Exit:
    """A way out of a piece at (x, y); outside is (dx, dy) further."""

    x: int
    y: int
    dx: int
    dy: int


@dataclass(frozen=True, eq=False)
class Form:
    """A vault turned one of eight ways, before its changes are made.

    ``rock[y, x]`` is wall for certain, or an exit, which is wall until it is joined; ``body``
    what is neither that nor a gap. ``room`` is the largest rectangle that is safe to walk on.
    """

    vault: Vault
    grid: NDArray[np.uint8]
    exits: tuple[Exit, ...]
    rock: NDArray[np.bool_]
    body: NDArray[np.bool_]
    room: RectangularRoom | None

    @property
    def width(self) -> int:
        """Columns."""
        return int(self.grid.shape[1])

    @property
    def height(self) -> int:
        """Rows."""
        return int(self.grid.shape[0])


@dataclass(frozen=True, eq=False)
class Piece:
    """A form with its changes made: ``tiles[y, x]``, exits closed, and (x, y, sort) creatures."""

    form: Form
    tiles: NDArray[np.uint8]
    creatures: tuple[tuple[int, int, str], ...]

    def stamp(self, plan: Blueprint, x: int, y: int) -> None:
        """Put the tiles on the map, the left upper corner at (x, y), and list the room."""
        window = plan.tiles[y : y + self.form.height, x : x + self.form.width]
        window[:] = np.where(self.tiles == KEEP, window, self.tiles)
        if room := self.form.room:
            plan.rooms.append(RectangularRoom(x + room.x, y + room.y, room.width, room.height))

    def settle(self, plan: Blueprint, x: int, y: int, rng: Rng, free: NDArray[np.bool_]) -> int:
        """Put the creatures on the map where it is ``free``; return how many."""
        settled = 0
        for dx, dy, sort in self.creatures:
            kind = pick_kind(plan, rng, DEEPER[sort])
            if free[y + dy, x + dx]:
                plan.spawns.append(Spawn(kind, x + dx, y + dy))
                settled += 1
        return settled


@cache
def forms(vault: Vault) -> tuple[Form, ...]:
    """Return the vault turned every way it may be, each different drawing once."""
    kinds = [kind for tile, kind in enumerate(terrain().kinds) if tile != Tile.TRAP]
    chars = CREATURES + "".join(kind.char for kind in kinds if kind.walkable)
    safe = np.zeros(256, np.bool_)
    for char, become in outcomes(vault).items():
        safe[ord(char)] = all(one in chars for one in become)
    room = np.zeros(vault.grid.shape, np.bool_)
    if largest := largest_rectangle(safe[vault.grid]):
        room[largest.inner] = True
    found: list[Form] = []
    for turn in TURNS[vault.header.turn]:
        form = _form(vault, room, turn)
        if not any(np.array_equal(form.grid, other.grid) for other in found):
            found.append(form)
    return tuple(found)


def _form(vault: Vault, room: NDArray[np.bool_], turn: int) -> Form:
    grid, place = vault.grid, room
    if turn >= 4:
        grid, place = grid[:, ::-1], place[:, ::-1]
    grid = np.ascontiguousarray(np.rot90(grid, turn % 4))
    rock = (grid == ord("#")) | (grid == ord(EXIT))
    gaps = grid == ord(LEAVE)
    floor = largest_rectangle(np.rot90(place, turn % 4))
    return Form(vault, grid, _exits(grid), rock, ~rock & ~gaps, floor)


def _exits(grid: NDArray[np.uint8]) -> tuple[Exit, ...]:
    around = np.pad(grid, 1, constant_values=ord(LEAVE))
    found = []
    for y, x in np.argwhere(grid == ord(EXIT)).tolist():
        for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0)):
            if around[y + 1 + dy, x + 1 + dx] == ord(LEAVE):
                found.append(Exit(x, y, dx, dy))
    return tuple(found)


def largest_rectangle(mask: NDArray[np.bool_]) -> RectangularRoom | None:
    """Return the rectangle of the most tiles of ``mask[y, x]``, or None if there is no tile."""
    best: RectangularRoom | None = None
    heights = [0] * mask.shape[1]
    for y, row in enumerate(mask.tolist()):
        heights = [height + 1 if inside else 0 for height, inside in zip(heights, row, strict=True)]
        for x, least in enumerate(heights):
            height = least
            for end in range(x, len(heights)):
                height = min(height, heights[end])
                area = height * (end - x + 1)
                if not area:
                    break
                if best is None or area > best.area:
                    best = RectangularRoom(x, y - height + 1, end - x + 1, height)
    return best


@cache
def may_fall_apart(vault: Vault) -> bool:
    """Whether the changes may leave a vault that is to be walked through in several pieces."""
    chars = walkable_chars()
    firm = [len({one in chars for one in become}) == 1 for become in outcomes(vault).values()]
    return vault.header.place == "rock" and not all(firm)


def draw(form: Form, rng: Rng) -> Piece | None:
    """Return ``form`` with its changes made; None if they leave it in pieces every time."""
    for _ in range(DRAWINGS):
        grid = form.grid.copy()
        for change in form.vault.changes:
            _make(change, grid.reshape(-1), rng)
        tiles = _ground(form.vault)[grid]
        joined = np.where(grid == ord(EXIT), Tile.FLOOR, tiles)
        passable = _passable()[joined]
        if not may_fall_apart(form.vault) or regions(passable)[1] == 1:
            marks = np.argwhere((grid >= ord(CREATURES[0])) & (grid <= ord(CREATURES[-1])))
            creatures = tuple((x, y, chr(grid[y, x])) for y, x in marks.tolist())
            return Piece(form, tiles, creatures)
    return None


@cache
def _passable() -> NDArray[np.bool_]:
    """Return by tile number whether one can walk there, secret doors included."""
    table = np.zeros(256, np.bool_)
    walkable = terrain().walkable
    table[: len(walkable)] = walkable
    table[Tile.SECRET_DOOR] = True
    return table


@cache
def _ground(vault: Vault) -> NDArray[np.uint8]:
    """Return the tile for each character: `KEEP` for a gap, wall for an exit not yet joined."""
    table = np.full(256, KEEP, np.uint8)
    table[terrain().codes] = np.arange(len(terrain().codes), dtype=np.uint8)
    table[ord(EXIT)] = Tile.WALL
    for sort in CREATURES:
        table[ord(sort)] = table[ord(vault.header.under)]
    return table


def exit_tile(vault: Vault) -> int:
    """Return the tile that a joined exit of ``vault`` becomes."""
    return int(_ground(vault)[ord(vault.header.exits)])


def _make(change: Change, cells: NDArray[np.uint8], rng: Rng) -> None:
    """Make ``change`` in the character codes ``cells``, in place."""
    groups = [np.frombuffer(group.encode(), np.uint8) for group in change.choices]
    if change.kind == "shuffle":
        table = np.arange(256, dtype=np.uint8)
        for group, other in zip(groups, rng.shuffled(groups), strict=True):
            table[group] = other
        cells[:] = table[cells]
        return
    places = np.flatnonzero(cells == ord(change.target))
    places = places[np.array(rng.shuffled(range(len(places))), np.intp)]
    done = 0
    for number, choices in zip((*change.numbers, len(places)), groups, strict=True):
        some = places[done : done + number]
        cells[some] = choices[rng.integers(0, len(choices) - 1, len(some))]
        done += len(some)
