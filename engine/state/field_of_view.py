"""Field of view, and the light that decides how far the hero sees."""

from tcod import libtcodpy
from tcod.map import compute_fov

from entities.creature_kinds import HERO, creature_kinds
from entities.entity import Entity
from entities.light_levels import LIT, light_levels
from entities.statuses import status_kinds
from entities.talents import has_talent
from entities.terrain import Mask

Window = tuple[slice, slice]

KEEN = 2
"""Tiles that keen eyes add to sight."""


def clear_sight(hero: Entity) -> int:
    """Return the hero's sight radius in tiles in full light, ignoring statuses."""
    return creature_kinds()[HERO].sight + (KEEN if has_talent(hero, "keen") else 0)


def sight(hero: Entity, light: str) -> int:
    """Return the hero's sight radius in tiles in ``light``, statuses included."""
    far = clear_sight(hero)
    if light != LIT:
        reach = light_levels()[light].sight
        far = max(far, reach) if has_talent(hero, "nightwise") or reach > far else reach
    return min([far, *(status_kinds()[name].sight for name in hero.statuses)])


def field_of_view(
    transparent: Mask, x: int, y: int, radius: int, *, corners: bool = False
) -> tuple[Window, Mask]:
    """Return the window of ``radius`` tiles around (x, y), and the visible tiles in it.

    ``transparent`` is bool [y, x] of the whole map; the result is bool [y, x] of the window. What
    is visible is a circle, with ``corners`` the square.
    Symmetric shadow casting (libtcod): on open ground, A sees B exactly if B sees A.
    """
    left, top = max(0, x - radius), max(0, y - radius)
    window = slice(top, y + radius + 1), slice(left, x + radius + 1)
    return window, compute_fov(
        transparent[window],
        (y - top, x - left),
        radius=0 if corners else radius,
        light_walls=True,
        algorithm=libtcodpy.FOV_SYMMETRIC_SHADOWCAST,
    )
