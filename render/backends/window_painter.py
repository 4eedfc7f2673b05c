"""Paint frames into the window: a text layer and a map layer, each with its tileset."""

import numpy as np
from numpy.typing import NDArray
from tcod.console import Console
from tcod.render import SDLConsoleRender, SDLTilesetAtlas
from tcod.sdl.render import BlendMode, Renderer, ScaleMode, Texture

from render.backends.window_layout import PixelSize, WindowLayout
from render.tiles.tileset import LazyTileset, lazy_map_tileset, lazy_text_tileset
from render.ui.frame import Rect


class ConsoleLayer:
    """Draws consoles with one tileset; only changed cells are drawn again."""

    def __init__(self, renderer: Renderer, case: LazyTileset) -> None:
        tileset = case.tileset
        self.cell: PixelSize = (tileset.tile_width, tileset.tile_height)
        self._renderer = renderer
        self._case = case
        self._printer = SDLConsoleRender(SDLTilesetAtlas(renderer, tileset))
        self._size: PixelSize | None = None

    def draw(self, console: Console) -> Texture:
        """Return ``console`` as a texture; the next call draws on the same one."""
        self._case.need(console.ch)
        size = console.width, console.height
        if size != self._size:
            self._wipe(self._printer.render(Console(*size)))
            self._size = size
        return self._printer.render(console)

    def _wipe(self, texture: Texture) -> None:
        """Clear a new texture: the renderer assumes a blank console and skips blank cells."""
        texture.blend_mode = BlendMode.NONE
        texture.scale_mode = ScaleMode.NEAREST
        with self._renderer.set_render_target(texture):
            self._renderer.draw_color = (0, 0, 0, 255)
            self._renderer.clear()


class FramePainter:
    """Paints frames with one renderer; caches the layers by size."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._text: dict[int, ConsoleLayer] = {}
        self._map: dict[int, ConsoleLayer] = {}

    def text(self, height: int) -> ConsoleLayer:
        """Return the text layer for letters of ``height`` pixels."""
        if height not in self._text:
            self._text[height] = ConsoleLayer(self._renderer, lazy_text_tileset(height))
        return self._text[height]

    def map(self, size: int) -> ConsoleLayer:
        """Return the map layer for tiles of ``size`` pixels."""
        if size not in self._map:
            self._map[size] = ConsoleLayer(self._renderer, lazy_map_tileset(size))
        return self._map[size]

    def forget(self) -> None:
        """Drop all textures: the renderer has lost them or is about to close."""
        self._text.clear()
        self._map.clear()

    def paint(self, layout: WindowLayout) -> None:
        """Draw a whole frame; it shows when the renderer presents it."""
        frame, renderer = layout.frame, self._renderer
        text = self.text(layout.cell[1]).draw(frame.text)
        renderer.draw_color = _ground(frame.text, Rect(0, 0, 1, 1))
        renderer.clear()
        left, top = layout.origin
        renderer.copy(text, dest=(left, top, text.width, text.height))
        if frame.map is None or frame.map_rect is None:
            return
        self._paint_map(layout, frame.map, frame.map_rect)
        for overlay in frame.overlays:
            there = layout.area(overlay)
            renderer.copy(text, there._replace(x=there.x - left, y=there.y - top), there)

    def _paint_map(self, layout: WindowLayout, console: Console, rect: Rect) -> None:
        tiles = self.map(layout.tile).draw(console)
        self._renderer.draw_color = _ground(layout.frame.text, rect)
        self._renderer.fill_rect(layout.area(rect))
        self._renderer.clip_rect = layout.area(rect)
        self._renderer.copy(tiles, dest=layout.map_area())
        self._renderer.clip_rect = None

    def picture(self, layout: WindowLayout) -> NDArray[np.uint8]:
        """Return a frame as an image: uint8 [y, x, 3]."""
        self.paint(layout)
        return self._renderer.read_pixels(format="RGB")


def _ground(console: Console, rect: Rect) -> tuple[int, int, int, int]:
    """Return the background of the first cell of ``rect``, for pixels outside whole cells."""
    x, y = max(0, min(rect.x, console.width - 1)), max(0, min(rect.y, console.height - 1))
    red, green, blue = console.bg[y, x].tolist()
    return red, green, blue, 255
