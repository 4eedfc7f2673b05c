"""Portraits of humanoids, undead, golems, plants and the hero, named after creature kinds."""

from render.tiles.body_shapes import (
    DARK,
    MID,
    PALE,
    biped,
    cap,
    ears,
    eyes,
    glowing_eyes,
    horns,
    robed,
    wings,
)
from render.tiles.tile_canvas import TileCanvas


def orc(canvas: TileCanvas) -> None:
    """Paint broad shoulders, tusks and a cleaver."""
    canvas.line([(0.82, 0.66), (0.84, 0.3)], 0.05, MID)
    canvas.shape([(0.8, 0.12), (0.97, 0.16), (0.95, 0.42), (0.8, 0.4)], PALE)
    x, y = biped(canvas, head=0.15, wide=0.22, tall=0.82)
    eyes(canvas, x, y - 0.02)
    for side in (-0.06, 0.06):
        canvas.line([(x + side, y + 0.11), (x + side * 1.4, y + 0.03)], 0.035, PALE)
    canvas.line([(x - 0.08, y + 0.09), (x + 0.08, y + 0.09)], 0.03, 0.1)


def warlord(canvas: TileCanvas) -> None:
    """Paint an orc with a horned helmet and two blades."""
    for side in (-1, 1):
        canvas.line([(0.5 + side * 0.36, 0.7), (0.5 + side * 0.42, 0.14)], 0.06, PALE)
        canvas.line([(0.5 + side * 0.28, 0.6), (0.5 + side * 0.46, 0.56)], 0.05, MID)
    x, y = biped(canvas, head=0.16, wide=0.25, tall=0.8)
    canvas.shape([(x - 0.18, y - 0.02), (x, y - 0.2), (x + 0.18, y - 0.02)], 0.6)
    horns(canvas, x, y - 0.08, 0.26, 0.12)
    eyes(canvas, x, y + 0.03)


def troll(canvas: TileCanvas) -> None:
    """Paint long arms, a small head sunk between mighty shoulders."""
    for side in (-1, 1):
        canvas.line(
            [(0.5 + side * 0.24, 0.32), (0.5 + side * 0.4, 0.6), (0.5 + side * 0.36, 0.9)],
            0.13,
            MID,
        )
        canvas.line([(0.5 + side * 0.12, 0.66), (0.5 + side * 0.16, 0.94)], 0.14, MID)
    canvas.disc(0.5, 0.46, 0.32, 0.26, 0.85)
    canvas.disc(0.5, 0.24, 0.15, 0.15, PALE)
    canvas.line([(0.5, 0.24), (0.46, 0.36)], 0.07, 0.75)
    eyes(canvas, 0.5, 0.2, 0.06)


def ogre(canvas: TileCanvas) -> None:
    """Paint a great belly and a club."""
    canvas.line([(0.8, 0.62), (0.9, 0.14)], 0.14, 0.75)
    canvas.line([(0.38, 0.76), (0.36, 0.94)], 0.14, MID)
    canvas.line([(0.6, 0.76), (0.62, 0.94)], 0.14, MID)
    canvas.line([(0.7, 0.42), (0.82, 0.58)], 0.13, MID)
    canvas.line([(0.28, 0.42), (0.14, 0.66)], 0.13, MID)
    canvas.disc(0.49, 0.58, 0.29, 0.27, 0.85)
    canvas.disc(0.49, 0.22, 0.17, 0.17, PALE)
    eyes(canvas, 0.49, 0.19)
    canvas.line([(0.4, 0.3), (0.58, 0.3)], 0.03, 0.1)


def kobold(canvas: TileCanvas) -> None:
    """Paint a small figure with a sling above its head."""
    canvas.line([(0.66, 0.52), (0.86, 0.3), (0.7, 0.12)], 0.03, PALE)
    canvas.disc(0.68, 0.12, 0.06, 0.06, PALE)
    x, y = biped(canvas, head=0.13, wide=0.12, tall=0.62)
    canvas.shape([(x - 0.04, y + 0.01), (x - 0.24, y + 0.08), (x - 0.03, y + 0.12)], PALE)
    eyes(canvas, x, y - 0.02, 0.05)


def goblin(canvas: TileCanvas) -> None:
    """Paint long ears and a crooked knife."""
    canvas.line([(0.74, 0.72), (0.84, 0.56), (0.82, 0.38)], 0.05, PALE)
    x, y = biped(canvas, head=0.15, wide=0.14, tall=0.66)
    ears(canvas, x, y)
    eyes(canvas, x, y, 0.06, 0.04)


def archer(canvas: TileCanvas) -> None:
    """Paint long ears behind a drawn bow."""
    x, y = biped(canvas, head=0.14, wide=0.13, tall=0.68)
    ears(canvas, x, y, 0.24)
    eyes(canvas, x, y)
    canvas.line([(0.24, 0.2), (0.1, 0.4), (0.1, 0.62), (0.24, 0.84)], 0.05, PALE)
    canvas.line([(0.24, 0.2), (0.24, 0.84)], 0.02, MID)
    canvas.line([(0.04, 0.52), (0.4, 0.52)], 0.03, PALE)


def pilferer(canvas: TileCanvas) -> None:
    """Paint a hooded sneak with a sack."""
    canvas.disc(0.76, 0.66, 0.18, 0.2, MID)
    canvas.shape([(0.7, 0.5), (0.82, 0.5), (0.86, 0.4), (0.68, 0.4)], MID)
    canvas.line([(0.4, 0.7), (0.3, 0.93)], 0.09, MID)
    canvas.line([(0.48, 0.7), (0.54, 0.93)], 0.09, MID)
    canvas.shape([(0.36, 0.2), (0.58, 0.3), (0.62, 0.74), (0.26, 0.74), (0.22, 0.34)], 0.85)
    canvas.shape([(0.14, 0.34), (0.32, 0.1), (0.56, 0.3), (0.4, 0.46)], PALE)
    glowing_eyes(canvas, 0.32, 0.34, 0.06)


def shaman(canvas: TileCanvas) -> None:
    """Paint a feathered head and a staff with a skull on it."""
    canvas.line([(0.86, 0.94), (0.84, 0.26)], 0.05, MID)
    canvas.disc(0.84, 0.2, 0.1, 0.1, PALE)
    eyes(canvas, 0.84, 0.2, 0.04, 0.025)
    robed(canvas, hood=False)
    for x in (0.32, 0.42, 0.58, 0.68):
        canvas.line([(0.5, 0.2), (x, 0.03)], 0.05, 0.75)
    eyes(canvas, 0.5, 0.27)


def necromancer(canvas: TileCanvas) -> None:
    """Paint a hood without a face, and hands that glow."""
    x, y = robed(canvas, shade=0.55)
    glowing_eyes(canvas, x, y, 0.055)
    for side in (-1, 1):
        canvas.line([(0.5 + side * 0.2, 0.46), (0.5 + side * 0.36, 0.56)], 0.1, MID)
        canvas.disc(0.5 + side * 0.38, 0.54, 0.08, 0.08, PALE)


def hag(canvas: TileCanvas) -> None:
    """Paint a pointed hat, a long nose and a stoop."""
    robed(canvas, hood=False, shade=0.65)
    canvas.shape([(0.2, 0.24), (0.8, 0.2), (0.6, 0.16), (0.56, 0.0), (0.36, 0.17)], MID)
    canvas.shape([(0.46, 0.26), (0.28, 0.4), (0.5, 0.36)], PALE)
    eyes(canvas, 0.52, 0.27, 0.06)
    canvas.line([(0.86, 0.94), (0.82, 0.44)], 0.05, PALE)


def ghoul(canvas: TileCanvas) -> None:
    """Paint a gaunt body that leans forward with both arms out."""
    for drop in (0.4, 0.5):
        canvas.line([(0.54, drop), (0.14, drop + 0.02), (0.1, drop + 0.1)], 0.07, MID)
    canvas.line([(0.6, 0.64), (0.5, 0.93)], 0.09, MID)
    canvas.line([(0.64, 0.64), (0.74, 0.93)], 0.09, MID)
    canvas.shape([(0.46, 0.34), (0.68, 0.36), (0.74, 0.7), (0.54, 0.7)], 0.8)
    canvas.disc(0.46, 0.22, 0.15, 0.16, PALE)
    eyes(canvas, 0.43, 0.2, 0.06, 0.045)
    canvas.bar(0.36, 0.29, 0.5, 0.33, 0.05)


def skeleton(canvas: TileCanvas) -> None:
    """Paint a skull on ribs."""
    for side in (-1, 1):
        canvas.line([(0.5 + side * 0.06, 0.7), (0.5 + side * 0.12, 0.93)], 0.06, 0.85)
        canvas.line([(0.5, 0.42), (0.5 + side * 0.22, 0.5), (0.5 + side * 0.24, 0.7)], 0.05, 0.85)
    canvas.line([(0.5, 0.36), (0.5, 0.72)], 0.06, 0.85)
    for row in (0.46, 0.54, 0.62):
        canvas.line([(0.36, row), (0.64, row)], 0.04, PALE)
    canvas.disc(0.5, 0.2, 0.17, 0.16, PALE)
    canvas.bar(0.41, 0.28, 0.59, 0.38, 0.85)
    eyes(canvas, 0.5, 0.2, 0.075, 0.05)


def vampire(canvas: TileCanvas) -> None:
    """Paint a high collar, a cape, a pale face and two teeth."""
    canvas.shape([(0.5, 0.3), (0.74, 0.14), (0.92, 0.92), (0.08, 0.92), (0.26, 0.14)], 0.45)
    canvas.shape([(0.42, 0.4), (0.58, 0.4), (0.62, 0.92), (0.38, 0.92)], 0.8)
    canvas.disc(0.5, 0.24, 0.15, 0.17, PALE)
    canvas.shape([(0.35, 0.18), (0.5, 0.24), (0.65, 0.18), (0.6, 0.06), (0.4, 0.06)], 0.15)
    eyes(canvas, 0.5, 0.25, 0.06)
    for side in (-0.04, 0.04):
        canvas.shape([(0.48 + side, 0.33), (0.52 + side, 0.33), (0.5 + side, 0.41)], PALE)


def demon(canvas: TileCanvas) -> None:
    """Paint wings and horns."""
    wings(canvas, 0.4, 0.48, 0.36)
    x, y = biped(canvas, head=0.14, wide=0.2, tall=0.76)
    horns(canvas, x, y - 0.08, 0.2, 0.18)
    canvas.disc(x, y, 0.11, 0.09, 0.08)
    for side in (-0.05, 0.05):
        canvas.disc(x + side, y, 0.035, 0.03, PALE)


def gargoyle(canvas: TileCanvas) -> None:
    """Paint a crouching stone figure with half open wings."""
    wings(canvas, 0.34, 0.44, 0.4)
    canvas.disc(0.5, 0.66, 0.25, 0.24, 0.8)
    for side in (-1, 1):
        canvas.line([(0.5 + side * 0.2, 0.66), (0.5 + side * 0.24, 0.92)], 0.12, MID)
    canvas.disc(0.5, 0.36, 0.15, 0.15, PALE)
    horns(canvas, 0.5, 0.28, 0.16, 0.14)
    eyes(canvas, 0.5, 0.35)
    canvas.bar(0.16, 0.9, 0.84, 0.97, 0.5)


def golem(canvas: TileCanvas) -> None:
    """Paint blocks set on blocks."""
    canvas.bar(0.3, 0.66, 0.46, 0.95, MID)
    canvas.bar(0.54, 0.66, 0.7, 0.95, MID)
    canvas.bar(0.24, 0.3, 0.76, 0.68, 0.85)
    canvas.bar(0.06, 0.32, 0.22, 0.74, MID)
    canvas.bar(0.78, 0.32, 0.94, 0.74, MID)
    canvas.bar(0.36, 0.07, 0.64, 0.28, PALE)
    canvas.bar(0.41, 0.14, 0.59, 0.19, 0.05)


def thornling(canvas: TileCanvas) -> None:
    """Paint roots that walk."""
    for x, foot in ((0.4, 0.22), (0.46, 0.42), (0.54, 0.6), (0.6, 0.8)):
        canvas.line([(x, 0.6), (foot, 0.94)], 0.06, MID)
    canvas.line([(0.3, 0.3), (0.1, 0.46)], 0.06, MID)
    canvas.line([(0.7, 0.3), (0.92, 0.42)], 0.06, MID)
    canvas.shape([(0.34, 0.2), (0.66, 0.2), (0.64, 0.68), (0.36, 0.68)], 0.85)
    for x in (0.36, 0.5, 0.64):
        canvas.shape([(x - 0.06, 0.22), (x + 0.06, 0.22), (x, 0.04)], PALE)
    glowing_eyes(canvas, 0.5, 0.36, 0.07)


def warden(canvas: TileCanvas) -> None:
    """Paint a crowned giant of thorns that holds a seed."""
    x, y = biped(canvas, head=0.15, wide=0.28, tall=0.84)
    canvas.shape([(0.22, 0.3), (0.06, 0.22), (0.24, 0.46)], PALE)
    canvas.shape([(0.78, 0.3), (0.94, 0.22), (0.76, 0.46)], PALE)
    for step in (-0.14, -0.05, 0.05, 0.14):
        canvas.shape(
            [(x + step - 0.04, y - 0.09), (x + step + 0.04, y - 0.09), (x + step, 0.0)], PALE
        )
    glowing_eyes(canvas, x, y + 0.02, 0.06)
    canvas.disc(0.5, 0.56, 0.12, 0.13, 0.1)
    canvas.disc(0.5, 0.56, 0.08, 0.09, PALE)


def puffball(canvas: TileCanvas) -> None:
    """Paint a round fungus and its spores."""
    canvas.disc(0.5, 0.66, 0.3, 0.28, 0.85)
    canvas.disc(0.42, 0.58, 0.12, 0.1, PALE)
    canvas.disc(0.5, 0.42, 0.09, 0.05, 0.1)
    for x, y, size in (
        (0.5, 0.26, 0.06),
        (0.34, 0.18, 0.05),
        (0.66, 0.16, 0.05),
        (0.5, 0.07, 0.04),
    ):
        canvas.disc(x, y, size, size, 0.7)


def shriekcap(canvas: TileCanvas) -> None:
    """Paint a mushroom with its mouth wide open."""
    cap(canvas)
    eyes(canvas, 0.5, 0.34, 0.13, 0.045)
    canvas.disc(0.5, 0.64, 0.08, 0.12, 0.05)


def hero(canvas: TileCanvas) -> None:
    """Paint a hooded figure with a lamp in one hand; a window puts colours and a weapon on it."""
    for x, foot in ((0.44, 0.42), (0.56, 0.59)):
        canvas.line([(x, 0.66), (foot, 0.95)], 0.11, 0.5)
    canvas.shape([(0.36, 0.36), (0.64, 0.36), (0.62, 0.76), (0.38, 0.76)], 0.78)
    canvas.bar(0.36, 0.58, 0.64, 0.63, 0.25)
    hero_cloak(canvas)
    canvas.line([(0.63, 0.42), (0.75, 0.58)], 0.1, 0.85)
    canvas.disc(0.76, 0.6, 0.055, 0.055, PALE)
    canvas.line([(0.37, 0.42), (0.24, 0.36)], 0.1, 0.85)
    canvas.disc(0.51, 0.235, 0.1, 0.105, PALE)
    for x in (0.49, 0.57):
        canvas.disc(x, 0.235, 0.022, 0.03, DARK)
    hero_lamp(canvas)


def hero_cloak(canvas: TileCanvas) -> None:
    """Paint the hood and the cloak alone, open in front; where the face is, nothing."""
    canvas.shape([(0.38, 0.34), (0.47, 0.36), (0.41, 0.9), (0.2, 0.93), (0.27, 0.52)], 0.62)
    canvas.shape([(0.55, 0.36), (0.63, 0.34), (0.74, 0.54), (0.79, 0.93), (0.6, 0.9)], 0.45)
    canvas.line([(0.29, 0.56), (0.26, 0.9)], 0.03, 0.85)
    canvas.disc(0.49, 0.22, 0.165, 0.185, 0.62)
    canvas.shape([(0.34, 0.3), (0.66, 0.3), (0.68, 0.4), (0.33, 0.4)], 0.75)
    canvas.disc(0.51, 0.235, 0.105, 0.115, 0, 0)


def hero_lamp(canvas: TileCanvas) -> None:
    """Paint the lamp alone, with the glow around it."""
    canvas.disc(0.18, 0.44, 0.17, 0.18, 1, 0.22)
    canvas.disc(0.18, 0.44, 0.11, 0.12, 1, 0.4)
    canvas.line([(0.22, 0.34), (0.18, 0.28), (0.14, 0.34)], 0.03, 0.6)
    canvas.bar(0.1, 0.34, 0.26, 0.54, 0.55)
    canvas.bar(0.13, 0.37, 0.23, 0.51, 1)
