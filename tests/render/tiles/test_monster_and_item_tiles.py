"""Every kind of creature has a face of its own, and it can be made out anywhere."""

import numpy as np
import pytest
from tcod.console import Console

from entities.creature_kinds import HERO, creature_kinds
from entities.item_kinds import item_class_of, item_kinds
from entities.terrain import terrain
from render.map.map_view import creature_code, draw_world, flame_code, item_code
from render.map.viewport import Viewport
from render.tiles.glyphs import FLAME_PHASES, FLAMES, creature_tile, item_tile, plain_char
from render.tiles.pictures import picture_book
from render.tiles.tileset import item_picture, map_tileset
from render.ui.options import Options, apply_options, current
from render.ui.palette import creature_colors
from support.scenes import scene

KINDS = list(creature_kinds())
SIZES = (16, 24, 40)


def tile(kind, size):
    return map_tileset(size).whole().get_tile(creature_tile(kind)).astype(float)


def test_every_kind_has_a_portrait():
    assert set(picture_book("creatures").pictures) == set(KINDS)


def test_no_two_kinds_share_glyph_and_color():
    sharing = {}
    for name, kind in creature_kinds().items():
        sharing.setdefault((kind.glyph, kind.color), []).append(name)
    assert {look: names for look, names in sharing.items() if len(names) > 1} == {}


def test_where_tiles_cannot_be_drawn_the_letter_stands_for_them():
    assert [plain_char(creature_tile(kind)) for kind in creature_kinds()] == [
        kind.glyph for kind in creature_kinds().values()
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
            color = np.array(creature_colors()[creature_kinds()[kind].color]) / 255
            for other, (before, hue) in seen.items():
                shapes = np.abs(ink - before).mean()
                assert shapes > 14 or np.abs(hue - color).max() > 0.15, (kind, other, size)
            seen[kind] = ink, color


def test_every_kind_of_thing_has_a_picture_of_its_own_or_of_its_sort():
    assert {item_picture(kind) for kind in item_kinds()} <= picture_book("items").pictures.keys()
    assert [plain_char(item_tile(kind)) for kind in item_kinds()] == [
        item_class_of(kind).glyph for kind in item_kinds()
    ]


@pytest.mark.parametrize("size", SIZES)
def test_a_thing_can_be_made_out_and_is_not_cut_off(size):
    for kind in item_kinds():
        pixels = map_tileset(size).whole().get_tile(item_tile(kind)).astype(float)
        ink = pixels[..., 0] * pixels[..., 3] / 255
        assert (ink > 120).mean() > 0.04, kind
        edge = np.concatenate([ink[0], ink[-1], ink[:, 0], ink[:, -1]])
        assert (edge > 200).mean() < 0.12, f"{kind} is cut off"


def test_pictures_of_different_sorts_or_names_differ():
    drawn = {}
    for kind in item_kinds():
        drawn.setdefault(item_picture(kind), item_tile(kind))
    tiles = [map_tileset(20).whole().get_tile(code).astype(float) for code in drawn.values()]
    pixels = [tile[..., 0] * tile[..., 3] / 255 for tile in tiles]
    for i, one in enumerate(pixels):
        assert all(np.abs(one - other).mean() > 8 for other in pixels[:i]), list(drawn)[i]


def test_fire_is_another_at_each_moment():
    looks = {map_tileset(16).whole().get_tile(FLAMES + n).tobytes() for n in range(FLAME_PHASES)}
    assert len(looks) == FLAME_PHASES
    assert {plain_char(FLAMES + n) for n in range(FLAME_PHASES)} == {"§"}


@pytest.mark.parametrize(
    ("figures", "hero", "orc", "sword"),
    [
        ("drawn", ord("@"), creature_tile("orc"), item_tile("sword")),
        ("all", creature_tile(HERO), creature_tile("orc"), item_tile("sword")),
        ("letters", ord("@"), ord("o"), ord(")")),
    ],
)
def test_the_options_say_who_is_a_picture_and_who_a_letter(figures, hero, orc, sword):
    before = current()
    apply_options(Options(figures=figures))
    try:
        assert (creature_code(HERO), creature_code("orc"), item_code("sword")) == (hero, orc, sword)
        assert plain_char(flame_code(3, 4, 5)) == "§"
    finally:
        apply_options(before)


def test_fire_lights_what_is_seen_around_it_and_nothing_else():
    engine = scene("""
        #########
        #@......#
        #########
    """)
    game_map = engine.state.map
    game_map.visible[:, :6] = True
    game_map.visible[:, 6:] = False
    game_map.explored[:] = True
    dark, lit = Console(9, 3), Console(9, 3)
    draw_world(dark, engine.state, Viewport())
    game_map.fires[(5, 1)] = 3
    draw_world(lit, engine.state, Viewport())
    assert plain_char(int(lit.ch[1, 5])) == "§"
    more = (lit.rgb["fg"][0].astype(int) - dark.rgb["fg"][0]).sum(axis=1)
    assert more[4] > more[2] > 0
    assert (more[7:] == 0).all()  # Where sight ends light is interpolated, half a tile further.


def test_in_a_terminal_no_tile_looks_like_an_item_or_a_creature():
    tiles = {kind.on_screen or kind.char for kind in terrain().kinds}
    others = {item_class_of(name).glyph for name in item_kinds()}
    others |= {kind.glyph for kind in creature_kinds().values()}
    assert tiles & others == {"="}  # A bridge lies over water, a ring never does.
