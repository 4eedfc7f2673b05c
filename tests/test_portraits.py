"""Every kind of creature has a face of its own, and it can be made out anywhere."""

import numpy as np
import pytest

from entities.kinds import HERO, creatures
from render.glyphs import being_look, plain
from render.palette import creature_colors
from render.tiles.beings import portraits
from render.tiles.tileset import map_tileset

KINDS = [kind for kind in creatures() if kind != HERO]
SIZES = (16, 24, 40)


def tile(kind, size):
    return map_tileset(size).get_tile(being_look(kind)).astype(float)


def test_every_kind_but_the_hero_has_a_portrait():
    assert sorted(portraits()) == sorted(KINDS)


def test_no_two_kinds_share_glyph_and_color():
    looks = [(kind.glyph, kind.color) for kind in creatures().values()]
    assert len(set(looks)) == len(looks)


def test_where_tiles_cannot_be_drawn_the_letter_stands_for_them():
    assert [plain(being_look(kind)) for kind in creatures()] == [
        kind.glyph for kind in creatures().values()
    ]


@pytest.mark.parametrize("size", SIZES)
def test_a_portrait_fills_its_tile_and_stands_out_from_its_halo(size):
    for kind in KINDS:
        pixels = tile(kind, size)
        ink = pixels[..., 0] * pixels[..., 3] / 255
        assert (ink > 130).mean() > 0.08, kind
        assert (pixels[..., 3] > 100).mean() < 0.85, kind
        edge = np.concatenate([ink[0], ink[-1], ink[:, 0], ink[:, -1]])
        assert (edge > 200).mean() < 0.2, f"{kind} is cut off"


def test_no_two_portraits_look_alike():
    for size in (16, 32):
        seen = {}
        for kind in KINDS:
            pixels = tile(kind, size)
            ink = pixels[..., 0] * pixels[..., 3] / 255
            color = np.array(creature_colors()[creatures()[kind].color]) / 255
            for other, (before, hue) in seen.items():
                shapes = np.abs(ink - before).mean()
                assert shapes > 14 or np.abs(hue - color).max() > 0.15, (kind, other, size)
            seen[kind] = ink, color
