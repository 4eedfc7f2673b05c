"""What the window shows, pixel by pixel."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tcod.cffi import ffi, lib
from tcod.console import Console
from tcod.tileset import Tileset

from engine.engine import Engine
from engine.levels.dungeon import new_game
from engine.saves.run import Run
from engine.state.run_setup import RunSetup
from render.backends.window import WindowBackend
from render.backends.window_layout import FEWEST_CELLS, WindowLayout
from render.panels.hud import draw_play
from render.session.session import Session
from render.tiles.glyphs import WALLS
from render.tiles.lit_picture import lit_picture
from render.tiles.tileset import map_tileset, text_tileset
from render.ui.frame import NO_FRINGES, Frame, LitGround, Picture, Rect, Sprite
from render.ui.input import Closed, Key, Paste, Resized
from render.ui.options import Options, apply_options, current, options_path
from render.ui.palette import colors
from render.ui.text import panel
from support.paths import ROOT


def composed(console: Console, tileset: Tileset) -> np.ndarray:
    """Draw a console by the book, cell by cell."""
    height, width = tileset.tile_height, tileset.tile_width
    picture = np.zeros((console.height * height, console.width * width, 3))
    for (y, x), (char, ink, paper) in np.ndenumerate(console.rgb):
        tile = tileset.get_tile(int(char)) / 255.0
        cover = tile[:, :, 3:] if char != ord(" ") else 0
        cell = paper * (1 - cover) + ink * tile[:, :, :3] * cover
        picture[y * height : (y + 1) * height, x * width : (x + 1) * width] = cell
    return picture


def expected(layout: WindowLayout) -> np.ndarray:
    frame = layout.frame
    picture = np.zeros((layout.window[1], layout.window[0], 3))
    picture[:] = frame.text.bg[0, 0]

    def put(area, pixels):
        picture[area.y : area.y + area.height, area.x : area.x + area.width] = pixels

    text = composed(frame.text, text_tileset(layout.cell[1]).whole())
    put(Rect(*layout.origin, text.shape[1], text.shape[0]), text)
    put(layout.area(frame.map_rect), frame.text.bg[frame.map_rect.y, frame.map_rect.x])
    area, tiles = layout.area(frame.map_rect), layout.map_area()
    level = composed(frame.map, map_tileset(layout.tile).whole())
    x, y = area.x - tiles.x, area.y - tiles.y  # Tiles at the edges are cut off.
    put(area, level[y : y + area.height, x : x + area.width])
    for overlay in frame.overlays:
        area = layout.area(overlay)
        x, y = area.x - layout.origin[0], area.y - layout.origin[1]
        put(area, text[y : y + area.height, x : x + area.width])
    return picture


@pytest.fixture
def window() -> Iterator[WindowBackend]:
    lib.SDL_SetHintWithPriority(b"SDL_VIDEO_DRIVER", b"dummy", lib.SDL_HINT_OVERRIDE)
    with WindowBackend() as face:
        face._window.size = (907, 613)
        face.show(face.frame())
        face.wait(0)
        yield face
    lib.SDL_ResetHint(b"SDL_VIDEO_DRIVER")


def page(frame: Frame) -> Frame:
    frame.text.rgb["bg"][:] = (14, 16, 24)
    for y in range(frame.rows):
        line = "".join(chr(33 + (x + y) % 94) for x in range(frame.columns))
        frame.text.print(0, y, line, fg=(200, 190, 160))
    level = frame.open_map(Rect(3, 2, 61, 17))
    level.rgb["bg"][:] = (30, 30, 60)
    level.rgb["fg"][:] = (250, 200, 100)
    level.rgb["ch"][:] = WALLS + np.arange(level.width * level.height).reshape(level.height, -1)
    level.print(2, 1, "@ g", fg=(255, 230, 150))
    frame.overlays.append(Rect(40, 5, 30, 6))
    return frame


def shot(window: WindowBackend, path: Path) -> np.ndarray:
    assert window.screenshot(str(path))
    return np.asarray(Image.open(path)).astype(float)


def test_every_pixel_is_where_it_belongs(window, tmp_path):
    frame = page(window.frame())
    window.show(frame)
    layout = window._shown
    assert layout.window == (907, 613)
    assert np.abs(shot(window, tmp_path / "new" / "a.png") - expected(layout)).max() <= 3
    frame.map.print(3, 3, "T", fg=(90, 230, 90))
    frame.text.rgb["bg"][:4] = (60, 0, 0)
    frame.overlays[0] = Rect(60, 25, 99, 99)
    window.show(frame)
    assert np.abs(shot(window, tmp_path / "b.png") - expected(layout)).max() <= 3


def test_frames_follow_the_window_and_the_zoom(window, tmp_path):
    small = window.frame()
    cell = window._lay().cell
    assert (small.columns, small.rows) == (907 // cell[0], 613 // cell[1])
    assert small.tile == (window._tile / cell[0], window._tile / cell[1])
    window.zoom(1)
    assert window.frame().tile[0] > small.tile[0]
    window.zoom_text(99)
    assert window.frame().columns >= FEWEST_CELLS[0]
    assert window.frame().rows >= FEWEST_CELLS[1]
    most = current().text_size
    apply_options(Options(text_size=most + 2))  # Chosen in the options, but it does not fit.
    assert window.frame().rows >= FEWEST_CELLS[1]
    window.zoom_text(-1)
    assert current().text_size == most - 1
    assert f"text_size = {most - 1}" in options_path().read_text()
    window.zoom_text(-99)
    small = window.frame()
    window._window.size = (1200, 700)
    assert Resized() in window.wait(1)
    assert window.frame().columns > small.columns
    window.show(page(window.frame()))
    assert shot(window, tmp_path / "large.png").shape == (700, 1200, 3)


def lit(layout: WindowLayout) -> np.ndarray:
    """Return the map of a frame as a window lights it, by the book."""
    frame, size = layout.frame, layout.tile
    ground = frame.ground
    tiles = composed(ground.tiles, map_tileset(size).whole())

    def stretched(corners):
        height, width = corners.shape[:2]
        bands = [
            np.asarray(
                Image.fromarray(np.ascontiguousarray(corners[..., band])).resize(
                    (width * size, height * size), Image.Resampling.BILINEAR
                )
            )
            for band in range(3)
        ]
        half = size // 2
        return np.dstack(bands)[half : half + len(tiles), half : half + tiles.shape[1]]

    return np.clip(tiles * stretched(ground.light) + stretched(ground.glow), 0, 255)


def test_light_is_interpolated_between_the_corners_of_tiles(window, tmp_path):
    frame = page(window.frame())
    frame.overlays.clear()
    shape = frame.map.height + 1, frame.map.width + 1, 3
    tiles = Console(frame.map.width, frame.map.height)
    tiles.rgb[:] = frame.map.rgb
    rng = np.random.default_rng(3)
    light = rng.uniform(0.2, 1, shape).astype(np.float32)
    glow = np.zeros(shape, np.float32)
    glow[4:7, 5:9] = (60, 30, 10)
    frame.ground = LitGround(tiles, light, glow, NO_FRINGES, frame.map.rgb.copy())
    frame.map.print(3, 3, "T", fg=(90, 230, 90))
    frame.map.rgb["bg"][8, 9] = (200, 0, 0)
    window.show(frame)
    layout = window._shown
    area, whole = layout.area(frame.map_rect), layout.map_area()
    seen = shot(window, tmp_path / "lit.png")[whole.y :, whole.x :]
    right = lit(layout)
    inside = np.zeros(right.shape[:2], bool)
    inside[area.y - whole.y :, area.x - whole.x :][: area.height, : area.width] = True
    size = layout.tile
    for x, y in ((3, 3), (9, 8)):
        cell = np.s_[y * size : (y + 1) * size, x * size : (x + 1) * size]
        assert np.abs(seen[: len(right), : right.shape[1]][cell] - right[cell]).max() > 60
        inside[cell] = False
    apart = np.abs(seen[: len(right), : right.shape[1]] - right)[inside]
    assert apart.max() <= 6
    assert apart.mean() < 1.5


@pytest.mark.parametrize(("generator", "depth"), [("islands", 5), ("ember", 6)])
def test_a_picture_shows_what_the_window_shows(window, tmp_path, generator, depth):
    session = Session(Run(Engine(new_game(RunSetup(5, "5", generator=generator, depth=depth)))))
    session.card.clear()
    game_map = session.run.state.map
    game_map.explored[:] = True
    game_map.fires[session.run.state.hero.x + 1, session.run.state.hero.y] = 9
    frame = window.frame()
    draw_play(frame, session)
    window.show(frame)
    area, whole = window._shown.area(frame.map_rect), window._shown.map_area()
    picture = np.asarray(lit_picture(frame.map, frame.ground, window._shown.tile)).astype(float)
    left, top = area.x - whole.x, area.y - whole.y
    picture = picture[top : top + area.height, left : left + area.width]
    seen = shot(window, tmp_path / "scene.png")
    seen = seen[area.y : area.y + area.height, area.x : area.x + area.width]
    apart = np.abs(seen - picture)
    assert apart.mean() < 1
    assert np.quantile(apart, 0.999) < 12


def test_sprites_lie_anywhere_over_the_map_and_let_it_shine_through(window, tmp_path):
    frame = page(window.frame())
    frame.map.rgb["ch"] = 0x20
    frame.overlays.clear()
    window.show(frame)
    before = shot(window, tmp_path / "before.png")
    frame.sprites = [Sprite(WALLS, (255, 255, 255), 4.5, 6.25, 128)]
    window.show(frame)
    changed = np.argwhere((shot(window, tmp_path / "after.png") != before).any(axis=2))
    whole, size = window._shown.map_area(), window._shown.tile
    top, left = round(whole.y + 6.25 * size), round(whole.x + 4.5 * size)
    assert np.abs(changed.min(axis=0) - (top, left)).max() <= 1
    assert np.abs(changed.max(axis=0) - (top + size - 1, left + size - 1)).max() <= 1


def test_pictures_lie_over_the_text(window, tmp_path):
    frame = page(window.frame())
    rect = Rect(2, 22, 10, 4)
    points = np.zeros((4, 8, 3), np.uint8)
    points[:, 4:] = (10, 200, 30)
    frame.pictures.append(Picture(rect, points))
    for _ in range(2):
        window.show(frame)
    area = window._shown.area(rect)
    seen = shot(window, tmp_path / "picture.png")[area.y : area.y + area.height]
    row = seen[area.height // 2, area.x : area.x + area.width]
    assert (row == (10, 200, 30)).all(axis=1).sum() == 4 * min(area.width // 8, area.height // 4, 4)


@pytest.mark.parametrize(("layer", "over"), [(0, False), (1, True)])
def test_a_picture_covers_the_overlays_below_it_and_no_others(window, tmp_path, layer, over):
    frame, rect = page(window.frame()), Rect(2, 22, 10, 4)
    frame.overlays[:] = [rect]
    points = np.full((4, 8, 3), (10, 200, 30), np.uint8)
    frame.pictures.append(Picture(rect, points, None, layer))
    window.show(frame)
    area = window._shown.area(rect)
    seen = shot(window, tmp_path / "picture.png")[area.y : area.y + area.height]
    middle = seen[area.height // 2, area.x + area.width // 2]
    assert (middle.tolist() == [10, 200, 30]) is over


def push(kind, **key):
    event = ffi.new("SDL_Event*")
    event.type = kind
    for name, value in key.items():
        setattr(event.key, name, value)
    assert lib.SDL_PushEvent(event)


def test_wait_and_discard(window):
    assert window.wait(0) == []
    assert window.wait(0.02) == []
    push(lib.SDL_EVENT_KEY_DOWN, key=lib.SDLK_UP, down=True)
    assert window.wait(None) == [Key("up")]
    push(lib.SDL_EVENT_KEY_DOWN, key=lib.SDLK_UP, down=True)
    push(lib.SDL_EVENT_KEY_UP, key=lib.SDLK_UP)
    push(lib.SDL_EVENT_QUIT)
    window.discard()
    assert window.wait(0) == [Closed()]


def test_clipboard(window):
    assert window.copy("a seed with an ä")
    push(lib.SDL_EVENT_KEY_DOWN, key=lib.SDLK_V, mod=lib.SDL_KMOD_LCTRL, down=True)
    assert window.wait(1) == [Paste("a seed with an ä")]


def test_a_second_window_opens_after_the_first(window):
    window.__exit__()
    with WindowBackend() as second:
        second.show(second.frame())
        assert second.frame().columns >= FEWEST_CELLS[0]


def test_nowhere_to_open_a_window():
    program = """
from engine.engine import Engine
from engine.levels.dungeon import new_game
from engine.saves.run import Run
from engine.state.run_setup import RunSetup
from render.backends.window import WindowBackend
from render.ui.frame import NoDisplay
try:
    WindowBackend()
except NoDisplay as fault:
    print(fault)
"""
    shown = {name: value for name, value in os.environ.items() if "DISPLAY" not in name}
    found = subprocess.run(
        [sys.executable, "-c", program],
        env={**shown, "SDL_VIDEO_DRIVER": "x11"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.startswith("There is no display to open a window on")
    assert found.stderr == ""


@pytest.mark.parametrize(
    "rect", [Rect(-5, -5, 3, 3), Rect(500, 500, 10, 10), Rect(5, 5, 0, 0), Rect(5, 5, 500, 500)]
)
def test_rectangles_off_the_frame_do_no_harm(window, tmp_path, rect):
    frame = window.frame()
    frame.open_map(rect)
    frame.overlays.append(rect)
    window.show(frame)
    assert shot(window, tmp_path / "off.png").shape == (613, 907, 3)


def test_a_title_wipes_out_no_part_of_the_text_above_it(window, tmp_path):
    def above(frame: Frame) -> object:
        frame.text.print(4, 1, "gypjq", fg=(255, 0, 255))
        window.show(frame)
        height, top = window._shown.cell[1], window._shown.origin[1]
        return shot(window, tmp_path / "above.png")[top + height : top + 2 * height]

    plain, large = window.frame(), window.frame()
    for frame in (plain, large):
        panel(frame, Rect(2, 2, 60, 6), "Pack")
    plain.headings.clear()
    assert np.array_equal(above(plain), above(large))


def test_titles_are_drawn_larger_than_text_until_something_covers_them(window, tmp_path):
    def lit_rows(frame: Frame, row: int) -> int:
        """Return the rows of pixels about ``row`` that hold the colour of titles."""
        window.show(frame)
        height = window._shown.cell[1]
        top = window._shown.origin[1] + row * height
        seen = shot(window, tmp_path / "title.png")[top - height // 2 : top + height * 3 // 2]
        return int((np.abs(seen - colors()["accent"]).max(axis=2) <= 3).any(axis=1).sum())

    plain, large = window.frame(), window.frame()
    panel(plain, Rect(2, 2, 60, 6), "Pack")
    panel(large, Rect(2, 2, 60, 6), "Pack")
    plain.headings.clear()
    assert lit_rows(large, 2) > 1.3 * lit_rows(plain, 2)
    panel(large, Rect(0, 0, 70, 10))
    assert lit_rows(large, 2) == 0


@pytest.mark.parametrize("rect", [Rect(6, 2, 40, 8), Rect(8, 3, 40, 8), Rect(4, 0, 3, 3)])
def test_a_title_is_not_enlarged_over_a_panel_in_front_of_it(rect):
    frame = Frame(80, 24, tile_pixels=16)
    panel(frame, Rect(2, 2, 60, 6), "Infinite worlds")
    panel(frame, rect, "Seed")
    assert [heading.text for heading in frame.headings] == [" Seed "][: rect.width // 20]


def test_a_line_above_a_title_leaves_it_enlarged():
    frame = Frame(80, 24, tile_pixels=16)
    panel(frame, Rect(2, 1, 60, 6), "Infinite worlds")
    frame.cover(Rect(0, 0, 80, 1))
    assert frame.headings
