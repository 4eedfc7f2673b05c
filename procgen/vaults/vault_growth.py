"""A dungeon grown vault by vault, each connected to an open exit of an earlier one."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from entities.terrain import Tile, terrain
from procgen.analysis.bitboard import overlaps, pack_rows, within_reach
from procgen.analysis.distances import CARDINALS
from procgen.blueprint import Blueprint, Point, tunnel_between
from procgen.rng import Dice, Rng
from procgen.vaults.orientations import Exit, Orientation, orientations
from procgen.vaults.vault_parser import Vault
from procgen.vaults.vault_stamp import VaultPiece, exit_tile, make_piece

Place = tuple[int, int, int, int]
"""The position x, y of an exit and its direction dx, dy."""


class OpenExit(NamedTuple):
    """An exit on the map: its position and direction, its vault, and the tile beyond."""

    place: Place
    vault: Vault
    outside: Point

    @property
    def inside(self) -> Point:
        """The tile of the vault behind the exit."""
        x, y, dx, dy = self.place
        return Point(x - dx, y - dy)

    @classmethod
    def at(cls, x: int, y: int, door: Exit, vault: Vault) -> "OpenExit":
        """Return the exit ``door`` of ``vault``, placed at (x, y)."""
        return cls((x, y, door.dx, door.dy), vault, Point(x + door.dx, y + door.dy))


@cache
def outline_of(form: Orientation) -> tuple[list[int], list[int]]:
    """Return the tiles that ``form`` covers, one integer per row: all but its walls, its walls."""
    return pack_rows(form.body), pack_rows(form.rock)


class Connector(NamedTuple):
    """An exit to connect by, and the depth of the vault behind it in tiles."""

    form: Orientation
    door: Exit
    depth: int


@cache
def connectors(vault: Vault) -> dict[tuple[int, int], list[Connector]]:
    """Return the exits of all orientations of ``vault`` by the side they open to."""
    by_side: dict[tuple[int, int], list[Connector]] = {side: [] for side in CARDINALS}
    for form in orientations(vault):
        for door in form.exits:
            left, above = form.width - 1 - door.x, form.height - 1 - door.y
            depth = {(1, 0): door.x, (-1, 0): left, (0, 1): door.y, (0, -1): above}
            side = door.dx, door.dy
            by_side[side].append(Connector(form, door, depth[side]))
    return by_side


SHORT = 4
"""Corridors shorter than this get one door instead of two."""
FURTHEST = 30
"""The distance beyond an exit that is checked for free rock, in tiles."""
STRIDE = 7
"""The step through the list of connectors, so that successive tries differ."""
FIRST_VAULT_PART = 3
"""The first vault covers at most 1/FIRST_VAULT_PART of the map."""
NEAREST = 5
"""The number of nearby exits to which a tunnel is tried."""


class VaultGrowth:
    """The vaults placed so far, all open exits, and those of the last vault.

    ``claimed`` are the rows of the map as integers, with a bit set for each tile in use; ``filled``
    is the same without walls of vaults: two vaults may share a wall.
    """

    def __init__(self, plan: Blueprint, rng: Rng, dice: Dice) -> None:
        self.plan, self.rng, self.dice = plan, rng, dice
        self.width, self.height = plan.width, plan.height
        self.claimed = pack_rows(plan.tiles != Tile.WALL)
        self.filled = [*self.claimed]
        self.loose: dict[Place, OpenExit] = {}
        self.fresh: list[OpenExit] = []
        self.pieces: list[tuple[VaultPiece, Point]] = []

    def begin(self, vault: Vault) -> bool:
        """Place ``vault`` near the middle of the map if it leaves room for more; return success."""
        form = self.dice.pick(orientations(vault))
        spare_x, spare_y = self.plan.width - form.width, self.plan.height - form.height
        most = self.width * self.height // FIRST_VAULT_PART
        if min(spare_x, spare_y) < 0 or form.width * form.height > most:
            return False
        x, y = (self.rng.between(spare // 3, spare - spare // 3) for spare in (spare_x, spare_y))
        return self._fits(form, Point(x, y)) and self._put(form, Point(x, y))

    def room_beyond(self, way: OpenExit) -> int:
        """Return how many tiles straight beyond ``way`` are free, up to `FURTHEST`."""
        x, y = way.outside
        _, _, dx, dy = way.place
        edge = {(1, 0): self.width - 1 - x, (-1, 0): x, (0, 1): self.height - 1 - y, (0, -1): y}
        furthest, claimed = min(FURTHEST, edge[dx, dy]), self.claimed
        for number in range(furthest):
            if claimed[y + number * dy] >> x + number * dx & 1:
                return number
        return furthest

    def extend(self, way: OpenExit, room: int, vault: Vault, corridor: int, turns: int) -> bool:
        """Connect ``vault`` to ``way``, trying up to ``turns`` connectors; return whether it fits.

        ``room`` is the number of free tiles straight beyond ``way``. A corridor of ``corridor``
        tiles leads to the vault; if that does not fit, the two share a wall and the exit in it.
        """
        left, top, dx, dy = way.place
        fitting = [joint for joint in connectors(vault)[-dx, -dy] if joint.depth <= room + 1]
        if not fitting:
            return False
        first = self.dice.below(len(fitting))
        for number in range(min(turns, len(fitting))):
            form, door, depth = fitting[(first + number * STRIDE) % len(fitting)]
            for length in (corridor, 0) if 0 < corridor <= room - depth else (0,):
                step = length + 1 if length else 0
                x, y = left + dx * step, top + dy * step
                at = Point(x - door.x, y - door.y)
                if self._fits(form, at) and self._put(form, at):
                    between = [Point(left + dx * n, top + dy * n) for n in range(1, step)]
                    self._join(way, OpenExit.at(x, y, door, vault), between)
                    return True
        return False

    def _fits(self, form: Orientation, at: Point) -> bool:
        x, y = at
        if x < 0 or y < 0 or x + form.width > self.width or y + form.height > self.height:
            return False
        body, rock = outline_of(form)
        return not (overlaps(self.claimed, body, x, y) or overlaps(self.filled, rock, x, y))

    def _put(self, form: Orientation, at: Point) -> bool:
        if not (piece := make_piece(form, self.rng)):
            return False
        piece.stamp(self.plan, *at)
        for dy, (body, rock) in enumerate(zip(*outline_of(form), strict=True)):
            self.claimed[at.y + dy] |= (body | rock) << at.x
            self.filled[at.y + dy] |= body << at.x
        self.pieces.append((piece, at))
        self.fresh = []
        for door in form.exits:
            way = OpenExit.at(at.x + door.x, at.y + door.y, door, form.vault)
            if self.plan.inside(*way.place[:2]) and self.plan.inside(*way.outside):
                self.loose[way.place] = way
                self.fresh.append(way)
        return True

    def _join(self, start: OpenExit, end: OpenExit, corridor: list[Point]) -> None:
        """Open two exits and the corridor between them; a short one gets a single door."""
        tiles = exit_tile(start.vault), exit_tile(end.vault)
        if Tile.DOOR in tiles and len(corridor) < SHORT:
            tiles = (Tile.TUNNEL if corridor else Tile.DOOR), Tile.DOOR
        for way, tile in zip((start, end), tiles, strict=True):
            self._open(*way.place[:2], tile)
            self.loose.pop(way.place, None)
        for x, y in corridor:
            self._open(x, y, Tile.TUNNEL)

    def _open(self, x: int, y: int, tile: int) -> None:
        self.plan.tiles[y, x] = tile
        self.claimed[y] |= 1 << x
        self.filled[y] |= 1 << x

    def link(self, loops: int, reach: int, detour: int) -> Iterator[int]:
        """Join up to ``loops`` pairs of loose exits, yielding their number each time.

        Two are joined by a tunnel if their ends are less than ``reach`` steps (N, E, S, W) apart
        but the path between them has more than ``detour`` steps. Exits of two vaults that share the
        wall they are in are simply opened.
        """
        ways = self.rng.shuffled(list(self.loose.values()))
        xs, ys = np.array([way.outside for way in ways], np.int32).reshape(-1, 2).T.copy()
        walkable, joined = terrain().walkable[self.plan.tiles], 0
        for way in ways:
            if joined == loops:
                return
            if way.place not in self.loose:
                continue
            distance = np.abs(xs - way.outside.x) + np.abs(ys - way.outside.y)
            close = np.flatnonzero(distance < reach)
            close = close[np.argsort(distance[close], kind="stable")]
            others = [ways[index] for index in close.tolist()]
            x, y, dx, dy = way.place
            back = self.loose.get((x, y, -dx, -dy))
            tunnels = iter([(back, list[Point]())]) if back else self._tunnels(way, others)
            for other, corridor in tunnels:
                if not within_reach(walkable, way.inside, other.inside, detour, diagonal=True):
                    self._join(way, other, corridor)
                    for x, y in (way.place[:2], other.place[:2], *corridor):
                        walkable[y, x] = terrain().walkable[self.plan.tiles[y, x]]
                    joined += 1
                    yield joined
                    break

    def _tunnels(
        self, way: OpenExit, exits: list[OpenExit]
    ) -> Iterator[tuple[OpenExit, list[Point]]]:
        """Yield those of ``exits`` to which a tunnel is free, each with the tunnel."""
        tried = 0
        for other in exits:
            if tried == NEAREST or self.claimed[way.outside.y] >> way.outside.x & 1:
                break
            if other is way or other.place not in self.loose:
                continue
            if self.claimed[other.outside.y] >> other.outside.x & 1:
                continue
            tried += 1
            start, end = way.outside, other.outside
            for corner in (Point(end.x, start.y), Point(start.x, end.y)):
                if self._clear(start, end, corner):
                    way_there = tunnel_between(start, end, horizontal_first=corner.y == start.y)
                    yield other, list(way_there)
                    break

    def _clear(self, start: Point, end: Point, corner: Point) -> bool:
        """Return True if all tiles of the tunnel with a bend at ``corner`` are free."""
        (left, right), (top, bottom) = (sorted(pair) for pair in zip(start, end, strict=True))
        across, down = (2 << right - left) - 1 << left, self.claimed[top : bottom + 1]
        return not (self.claimed[corner.y] & across or any(row >> corner.x & 1 for row in down))
