"""Weapons and missiles, drawn along the rising diagonal; and the registry of item pictures."""

from collections.abc import Callable
from math import cos, pi, sin, sqrt

from render.tiles.body_shapes import DARK, MID, PALE
from render.tiles.tile_canvas import TileCanvas

ItemPainter = Callable[[TileCanvas], None]

PICTURES: dict[str, ItemPainter] = {}
"""The painters by the name of an item kind or item class; `item_picture` fills it."""


def item_picture(draw: ItemPainter) -> ItemPainter:
    """Register ``draw`` as the painter of the item kind or class it is named after."""
    PICTURES[draw.__name__] = draw
    return draw


_NEAR, _FAR = 0.1, 0.9
"""The ends of the rising diagonal that weapons lie along."""


def _at(along: float, off: float = 0) -> tuple[float, float]:
    """Return the point ``along`` the diagonal from pommel (0) to tip (1), ``off`` to its right."""
    reach, side = _NEAR + (_FAR - _NEAR) * along, off / sqrt(2)
    return reach + side, 1 - reach + side


def _shaft(canvas: TileCanvas, start: float, end: float, width: float, shade: float) -> None:
    canvas.line([_at(start), _at(end)], width, shade)


def _across(canvas: TileCanvas, along: float, reach: float, width: float, shade: float) -> None:
    canvas.line([_at(along, -reach), _at(along, reach)], width, shade)


def _blade(canvas: TileCanvas, start: float, end: float, half: float, point: float) -> None:
    """Paint two ground edges that meet in a ridge: the upper one catches the light."""
    for side, shade in ((-1, PALE), (1, 0.68)):
        edge = [_at(start), _at(start, side * half), _at(end - point, side * half), _at(end)]
        canvas.shape(edge, shade)


def _hilt(canvas: TileCanvas, start: float, end: float, guard: float) -> None:
    _shaft(canvas, start, end, 0.1, 0.42)
    canvas.disc(*_at(start), 0.065, 0.065, 0.8)
    _across(canvas, end, guard, 0.08, 0.8)


@item_picture
def dagger(canvas: TileCanvas) -> None:
    """Paint a short broad blade."""
    _blade(canvas, 0.38, 0.94, 0.09, 0.3)
    _hilt(canvas, 0.12, 0.38, 0.14)


@item_picture
def sword(canvas: TileCanvas) -> None:
    """Paint a long blade with a wide guard."""
    _blade(canvas, 0.26, 1.06, 0.085, 0.16)
    _hilt(canvas, 0.02, 0.26, 0.2)


@item_picture
def rapier(canvas: TileCanvas) -> None:
    """Paint hardly any blade behind a round cup."""
    _shaft(canvas, 0.28, 1.06, 0.05, PALE)
    _shaft(canvas, 0.0, 0.24, 0.08, 0.45)
    canvas.disc(*_at(0.28), 0.15, 0.15, 0.85)
    canvas.disc(*_at(0.25), 0.1, 0.1, 0.4)
    canvas.line([_at(0.02), _at(0.12, 0.16), _at(0.26, 0.16)], 0.04, 0.8)


@item_picture
def spear(canvas: TileCanvas) -> None:
    """Paint a long shaft with a leaf of steel."""
    _shaft(canvas, -0.06, 0.8, 0.065, 0.55)
    for side, shade in ((-1, PALE), (1, 0.68)):
        canvas.shape([_at(0.68), _at(0.8, side * 0.12), _at(1.08)], shade)
    _across(canvas, 0.68, 0.06, 0.06, 0.8)


@item_picture
def axe(canvas: TileCanvas) -> None:
    """Paint a bearded head on a haft."""
    _shaft(canvas, 0.0, 1.0, 0.085, 0.5)
    edge = [_at(0.66 + 0.27 * cos(turn), -0.14 - 0.2 * sin(turn)) for turn in _turns(0.0, 1.0)]
    canvas.shape([_at(0.56, 0.03), _at(0.78, 0.03), *edge], 0.7)
    canvas.line(edge, 0.06, PALE)
    canvas.shape([_at(0.56, 0.03), _at(0.78, 0.03), _at(0.67, 0.16)], 0.6)


@item_picture
def hammer(canvas: TileCanvas) -> None:
    """Paint a block on a haft."""
    _shaft(canvas, 0.0, 0.86, 0.09, 0.5)
    canvas.shape([_at(0.58, -0.26), _at(0.58, 0.26), _at(0.9, 0.26), _at(0.9, -0.26)], 0.72)
    canvas.shape([_at(0.75, -0.26), _at(0.75, 0.26), _at(0.9, 0.26), _at(0.9, -0.26)], PALE)
    for side in (-0.16, 0.16):
        canvas.line([_at(0.58, side), _at(0.9, side)], 0.035, 0.4)


@item_picture
def short_bow(canvas: TileCanvas) -> None:
    """Paint a small bow, strung."""
    _bow(canvas, reach=0.4, bend=0.34)


@item_picture
def long_bow(canvas: TileCanvas) -> None:
    """Paint a tall bow whose ends bend back."""
    _bow(canvas, reach=0.54, bend=0.3, back=0.1)


def _bow(canvas: TileCanvas, *, reach: float, bend: float, back: float = 0.0) -> None:
    """Paint a bow whose back is towards the north-west, ``reach`` from its middle to each end."""
    ends = [_at(0.5 - reach, 0.17), _at(0.5 + reach, 0.17)]
    canvas.line(ends, 0.03, 0.75)
    stave = [_at(0.5 - reach * cos(turn), 0.17 - bend * sin(turn)) for turn in _turns(0, 1)]
    if back:
        for end, out in ((stave[0], -1), (stave[-1], 1)):
            canvas.line([end, _at(0.5 + out * (reach - 0.02), 0.17 - back)], 0.07, PALE)
    canvas.line(stave, 0.085, PALE)
    canvas.line([_at(0.43, 0.17 - bend), _at(0.57, 0.17 - bend)], 0.13, 0.5)


@item_picture
def dart(canvas: TileCanvas) -> None:
    """Paint a needle with a weight and a tuft."""
    _shaft(canvas, 0.3, 0.92, 0.045, PALE)
    _shaft(canvas, 0.42, 0.64, 0.12, 0.75)
    _fletching(canvas, 0.12, 0.36, 0.14)


@item_picture
def arrow(canvas: TileCanvas) -> None:
    """Paint a barbed head and three feathers."""
    _shaft(canvas, 0.06, 0.9, 0.05, 0.7)
    canvas.shape([_at(0.82, -0.12), _at(0.88), _at(0.82, 0.12), _at(1.06)], PALE)
    _fletching(canvas, 0.0, 0.24, 0.1)


@item_picture
def javelin(canvas: TileCanvas) -> None:
    """Paint a light spear with a thong around its middle."""
    _shaft(canvas, -0.04, 0.9, 0.06, 0.7)
    canvas.shape([_at(0.78, -0.06), _at(0.78, 0.06), _at(1.06)], PALE)
    for along in (0.4, 0.47, 0.54):
        _across(canvas, along, 0.055, 0.04, 0.35)


@item_picture
def thorn(canvas: TileCanvas) -> None:
    """Paint a thorn as long as a finger."""
    canvas.shape([_at(0.2, -0.08), _at(0.14), _at(0.2, 0.08), _at(0.84)], 0.9)


def _fletching(canvas: TileCanvas, start: float, end: float, wide: float) -> None:
    for side, shade in ((-1, 0.95), (1, MID)):
        feather = [
            _at(start, side * wide),
            _at(start + 0.08),
            _at(end),
            _at(end - 0.1, side * wide),
        ]
        canvas.shape(feather, shade)
    canvas.line([_at(start + 0.06), _at(end)], 0.03, DARK)


def _turns(start: float, end: float) -> list[float]:
    """Return angles for a curve: from ``start`` to ``end`` in half circles."""
    return [pi * (start + (end - start) * i / 10) for i in range(11)]
