"""How vaults join: exits on the map, exits of vaults, and the ground that each would cover."""

from functools import cache
from typing import NamedTuple

from procgen.blueprint import Point
from procgen.grids.bitgrid import pack_rows
from procgen.vaults.forms import Exit, Form, forms
from procgen.vaults.writing import Vault

SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))

Place = tuple[int, int, int, int]
"""Where an exit is, x and y, and the way it leads, dx and dy."""


class Way(NamedTuple):
    """An exit on the map: where it is and leads, whose it is, and the tile beyond."""

    place: Place
    vault: Vault
    outside: Point

    @classmethod
    def at(cls, x: int, y: int, door: Exit, vault: Vault) -> "Way":
        """Return the way through ``door`` of ``vault`` that is at (x, y)."""
        return cls((x, y, door.dx, door.dy), vault, Point(x + door.dx, y + door.dy))


class Outline(NamedTuple):
    """What a form would cover: its rows packed to integers, what is not wall and what is."""

    body: list[int]
    rock: list[int]


@cache
def outline(form: Form) -> Outline:
    """Return the outline of ``form``."""
    return Outline(pack_rows(form.body), pack_rows(form.rock))


class Joint(NamedTuple):
    """An exit of a form to be joined by, and how many tiles the form goes on behind it."""

    form: Form
    door: Exit
    depth: int


@cache
def joints(vault: Vault) -> dict[tuple[int, int], list[Joint]]:
    """Return the exits of all forms of ``vault`` by the side they open to."""
    found: dict[tuple[int, int], list[Joint]] = {side: [] for side in SIDES}
    for form in forms(vault):
        for door in form.exits:
            ends = {
                (1, 0): door.x,
                (-1, 0): form.width - 1 - door.x,
                (0, 1): door.y,
                (0, -1): form.height - 1 - door.y,
            }
            side = door.dx, door.dy
            found[side].append(Joint(form, door, ends[side]))
    return found
