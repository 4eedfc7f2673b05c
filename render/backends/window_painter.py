"""Paint frames into the window: a text layer, a lit map layer, and everything over them."""

from collections.abc import Mapping
from functools import lru_cache, partial
from itertools import starmap

import numpy as np
from numpy.typing import NDArray
from tcod.cffi import lib
from tcod.console import Console
from tcod.render import SDLConsoleRender, SDLTilesetAtlas
from tcod.sdl.render import BlendMode, Renderer, ScaleMode, Texture

from render.backends import map_textures
from render.backends.window_layout import PixelSize, Spot, WindowLayout
from render.tiles.tileset import LazyTileset, map_tileset, text_tileset
from render.ui.frame import Frame, LitGround, Pose, Rect, Sprite, as_color

MOST_LAYERS = 3
"""The number of tile sizes whose textures are kept; a texture holds a whole screen."""
ALPHA_CHANNELS = 4
TINT = 150
"""The alpha of a tint over the ground, from 0 to 255: the ground shows through."""


class ConsoleLayer:
    """Draws consoles with one tileset; only changed cells are drawn again."""

    def __init__(self, renderer: Renderer, lazy: LazyTileset) -> None:
        tileset = lazy.tileset
        self.cell: PixelSize = (tileset.tile_width, tileset.tile_height)
        self._renderer = renderer
        self._lazy = lazy
        self._printer = SDLConsoleRender(SDLTilesetAtlas(renderer, tileset))
        self._size: PixelSize | None = None

    def draw(self, console: Console) -> Texture:
        """Return ``console`` as a texture; the next call draws on the same one."""
        self._lazy.need(console.ch)
        size = console.width, console.height
        if size != self._size:
            # A new texture must be cleared: the printer takes it for blank and skips blank cells.
            texture = self._printer.render(Console(*size))
            texture.blend_mode, texture.scale_mode = BlendMode.NONE, ScaleMode.NEAREST
            with self._renderer.set_render_target(texture):
                self._renderer.draw_color = (0, 0, 0, 255)
                self._renderer.clear()
            self._size = size
        return self._printer.render(console)


class MapLayer:
    """Draws maps with tiles of one size: the ground, its light, and everything over it."""

    def __init__(self, renderer: Renderer, size: int) -> None:
        lazy = map_tileset(size)
        self.size = size
        self._renderer = renderer
        self._ground = ConsoleLayer(renderer, lazy)
        self._fringes = map_textures.FringeTexture(renderer, size)
        self._whole: Texture | None = None
        self._painted: LitGround | None = None
        self._over = map_textures.TileTextures(renderer, lazy)
        self._particles = map_textures.ParticleTextures(renderer)
        self._light = map_textures.CornerTexture(renderer, BlendMode.MOD)
        self._glow = map_textures.CornerTexture(renderer, BlendMode.ADD)

    def draw(self, frame: Frame, area: Rect) -> None:
        """Draw the map of ``frame`` at ``area``, then its particles, then its sprites.

        `LitGround` says how a lit map is drawn.
        """
        console, ground = frame.map, frame.ground
        assert console is not None
        if ground is None:
            self._renderer.copy(self._ground.draw(console), dest=area)
        else:
            self._renderer.copy(self._whole_ground(ground, area), dest=area)
            self._light.draw(ground.light * np.float32(255), area, self.size)
            self._draw_over(console, ground, area, frame.poses)
            self._glow.draw(ground.glow, area, self.size)
        if frame.particles:
            self._particles.draw(frame.particles, area, self.size)
        for sprite in frame.sprites:
            self._over.draw(sprite, area.x + sprite.x * self.size, area.y + sprite.y * self.size)

    def _whole_ground(self, ground: LitGround, area: Rect) -> Texture:
        """Return tiles and fringes as one texture, repainted only when one of them changes.

        In SDL's software renderer the fringes of an island would take half of each frame.
        """
        cache = self._whole
        if cache is None or (cache.width, cache.height) != (area.width, area.height):
            rgba, target = int(lib.SDL_PIXELFORMAT_RGBA32), int(lib.SDL_TEXTUREACCESS_TARGET)
            cache = self._renderer.new_texture(area.width, area.height, format=rgba, access=target)
            self._whole = cache
            cache.blend_mode, cache.scale_mode = BlendMode.NONE, ScaleMode.NEAREST
            self._painted = None
        before = self._painted
        if (
            before is None
            or not np.array_equal(before.tiles.rgb, ground.tiles.rgb)
            or not all(starmap(np.array_equal, zip(before.fringes, ground.fringes, strict=True)))
        ):
            below, clip = self._ground.draw(ground.tiles), self._renderer.clip_rect
            with self._renderer.set_render_target(cache):
                self._renderer.copy(below)
                self._fringes.draw(ground.fringes)
            self._renderer.clip_rect = clip
            self._painted = ground
        return cache

    def _draw_over(
        self, console: Console, ground: LitGround, area: Rect, poses: Mapping[Spot, Pose]
    ) -> None:
        """Draw the cells of ``console`` that differ from the ground: tints, tiles, then figures."""
        cells, before, size = console.rgb, ground.cells, self.size
        tinted = (cells["bg"] != before["bg"]).any(axis=2)
        changed = (cells["ch"] != before["ch"]) | (cells["fg"] != before["fg"]).any(axis=2)
        self._renderer.draw_blend_mode = BlendMode.BLEND
        for row, column in np.argwhere(tinted).tolist():
            self._renderer.draw_color = (*cells["bg"][row, column].tolist(), TINT)
            self._renderer.fill_rect((area.x + column * size, area.y + row * size, size, size))
        self._renderer.draw_blend_mode = BlendMode.NONE
        for row, column in np.argwhere(changed).tolist():
            if (column, row) not in poses:
                sprite = _cell_sprite(console, column, row)
                self._over.draw(sprite, area.x + column * size, area.y + row * size)
        # Figures reach into neighbouring cells, so they come last, the largest on top.
        for (column, row), pose in sorted(poses.items(), key=lambda item: item[1].size):
            self._draw_posed(_cell_sprite(console, column, row), pose, area)

    def _draw_posed(self, sprite: Sprite, pose: Pose, area: Rect) -> None:
        """Draw a figure and its layers as ``pose`` says; all of them are mirrored together."""
        left = sprite.x + pose.dx + (1 - pose.size) / 2
        top = sprite.y + pose.dy + 1 - pose.size
        figure = sprite._replace(x=0.0, y=0.0)
        for part in (figure, *pose.layers):
            x = 1 - part.x - part.size if pose.flip else part.x
            x, y = left + x * pose.size, top + part.y * pose.size
            posed = part._replace(size=part.size * pose.size, flip=part.flip ^ pose.flip)
            at = round(area.x + x * self.size), round(area.y + y * self.size)
            self._over.draw(posed, *at, breath=pose.breath)


class FramePainter:
    """Paints frames with one renderer; caches the layers of the sizes used last."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        # Cached methods would form a reference cycle, in which textures would outlive the painter.
        self.text = lru_cache(MOST_LAYERS)(lambda size: ConsoleLayer(renderer, text_tileset(size)))
        self.map = lru_cache(MOST_LAYERS)(partial(MapLayer, renderer))
        self._icons = lru_cache(1)(
            lambda height: map_textures.TileTextures(renderer, map_tileset(height))
        )
        self._pictures = map_textures.PictureTextures(renderer)

    def forget(self) -> None:
        """Drop all textures: the renderer has lost them or is about to close."""
        for layers in (self.text, self.map, self._icons):
            layers.cache_clear()
        self._pictures = map_textures.PictureTextures(self._renderer)

    def paint(self, layout: WindowLayout) -> None:
        """Draw a whole frame; it becomes visible when the renderer presents it."""
        frame, renderer = layout.frame, self._renderer
        text = self.text(layout.cell[1]).draw(frame.text)
        renderer.draw_color = _ground(frame.text, Rect(0, 0, 1, 1))
        renderer.clear()
        left, top = layout.origin
        renderer.copy(text, dest=(left, top, text.width, text.height))
        self._paint_map(layout)
        overlays = [layout.area(overlay) for overlay in frame.overlays]
        covered = 0
        for number, picture in enumerate(frame.pictures):
            self._cover(text, overlays[covered : picture.layer], layout)
            covered, area = max(covered, picture.layer), layout.area(picture.rect)
            if picture.pixels.shape[2] < ALPHA_CHANNELS:
                ground = _ground(frame.text, picture.rect)
                renderer.draw_color = (*picture.around, 255) if picture.around else ground
                renderer.fill_rect(area)
            self._pictures.draw(number, picture.pixels, area)
        self._cover(text, overlays[covered:], layout)
        self._paint_icons(layout)
        self._paint_headings(layout)

    def _cover(self, text: Texture, areas: list[Rect], layout: WindowLayout) -> None:
        """Draw the text in ``areas`` over what was drawn before."""
        left, top = layout.origin
        for area in areas:
            self._renderer.copy(text, area._replace(x=area.x - left, y=area.y - top), area)

    def _paint_headings(self, layout: WindowLayout) -> None:
        """Draw headings over the same text in cells, but never over the row above."""
        (left, top), (width, height) = layout.origin, layout.cell
        for heading in layout.frame.headings:
            row = Console(len(heading.text), 1)
            row.bg[:] = _ground(layout.frame.text, Rect(heading.x, int(heading.y), 1, 1))[:3]
            row.print(0, 0, heading.text, fg=heading.color)
            line = self.text(round(height * heading.size)).draw(row)
            y = round(heading.y * height - line.height / 2)
            cut = max(0, int(np.ceil(heading.y - heading.size / 2)) * height - y)
            part = Rect(0, cut, line.width, line.height - cut)
            target = part._replace(x=left + heading.x * width, y=top + y + cut)
            self._renderer.copy(line, part, target)

    def _paint_icons(self, layout: WindowLayout) -> None:
        """Draw icons over their letters."""
        text, height = layout.frame.text, layout.cell[1]
        for code, color, x, y in layout.frame.icons:
            area = layout.area(Rect(x, y, 2, 1))
            self._renderer.draw_color = _ground(text, Rect(x, y, 1, 1))
            self._renderer.fill_rect(area)
            self._icons(height).draw(Sprite(code, color, 0, 0), area.x, area.y)

    def _paint_map(self, layout: WindowLayout) -> None:
        frame, area = layout.frame, layout.map_area()
        if frame.map is None or frame.map_rect is None or area is None:
            return
        layer = self.map(layout.tile)
        self._renderer.draw_color = _ground(frame.text, frame.map_rect)
        self._renderer.fill_rect(layout.area(frame.map_rect))
        self._renderer.clip_rect = layout.area(frame.map_rect)
        layer.draw(frame, area)
        self._renderer.clip_rect = None

    def picture(self, layout: WindowLayout) -> NDArray[np.uint8]:
        """Return a frame as an image: uint8 [y, x, 3]."""
        self.paint(layout)
        return self._renderer.read_pixels(format="RGB")


def _cell_sprite(console: Console, column: int, row: int) -> Sprite:
    """Return the tile in a cell of ``console``."""
    cell = console.rgb[row, column]
    return Sprite(int(cell["ch"]), as_color(cell["fg"]), column, row)


def _ground(console: Console, rect: Rect) -> tuple[int, int, int, int]:
    """Return the background of the first cell of ``rect``, for pixels outside whole cells."""
    x, y = max(0, min(rect.x, console.width - 1)), max(0, min(rect.y, console.height - 1))
    return (*as_color(console.bg[y, x]), 255)
