"""Textures of the window: light between the corners of cells, single tiles, pictures."""

import numpy as np
from numpy.typing import NDArray
from tcod.cffi import lib
from tcod.sdl.render import BlendMode, Renderer, RendererFlip, ScaleMode, Texture

from procgen.blueprint import bounding_box
from render.tiles.fringe_tiles import fringe_sheet
from render.tiles.tile_canvas import PARTICLE_SIDE, Pixels, particle_sheet
from render.tiles.tileset import LazyTileset
from render.ui.frame import Fringes, Particles, Rect, Sprite

WAIST = 0.62
"""The height, from the top, at which a figure bends when it breathes, as a share of its height."""

Corners = NDArray[np.float32]


class CornerTexture:
    """A texture with one texel for each corner of cells, stretched over the map.

    Any SDL renderer interpolates between the texels by linear scaling, so one small upload and one
    copy per frame light the map pixel by pixel, however many lamps there are.
    """

    def __init__(self, renderer: Renderer, blend: BlendMode) -> None:
        self._renderer = renderer
        self._blend = blend
        self._texture: Texture | None = None
        self._pixels = np.zeros((0, 0, 4), np.uint8)

    def draw(self, colors: Corners, area: Rect, tile: int) -> None:
        """Blend ``colors`` (0 to 255) [rows + 1, columns + 1, 3] over the map at ``area``.

        With additive blending only the part that is not black is copied, since black adds nothing.
        """
        texture, (height, width) = self._texture, colors.shape[:2]
        if texture is None or self._pixels.shape[:2] != (height, width):
            self._pixels = np.full((height, width, 4), 255, np.uint8)
            rgba, streaming = int(lib.SDL_PIXELFORMAT_RGBA32), int(lib.SDL_TEXTUREACCESS_STREAMING)
            texture = self._renderer.new_texture(width, height, format=rgba, access=streaming)
            # The graphics card interpolates between corners of tiles, so light shows no squares.
            texture.blend_mode, texture.scale_mode = self._blend, ScaleMode.LINEAR
            self._texture = texture
        self._pixels[..., :3] = np.clip(colors + np.float32(0.5), 0, 255)
        least = 1 if self._blend is BlendMode.ADD else 0  # Black adds nothing.
        if not (box := bounding_box(self._pixels[..., :3].max(axis=2) >= least)):
            return
        texture.update(self._pixels)
        # One black texel on each side, if there is: light has faded out at the edge of the part.
        left, top = max(0, box.x - 1), max(0, box.y - 1)
        wide = min(width, box.x + box.width + 1) - left
        high = min(height, box.y + box.height + 1) - top
        # Texel centres lie on the corners of cells, so the texture starts half a tile further out.
        x, y = area.x + (left - 0.5) * tile, area.y + (top - 0.5) * tile
        source = left, top, wide, high
        self._renderer.copy(texture, source, (x, y, wide * tile, high * tile))


class TileTextures:
    """Textures of single tiles that are drawn over the ground; each is made when first drawn."""

    def __init__(self, renderer: Renderer, lazy: LazyTileset) -> None:
        self._renderer = renderer
        self._lazy = lazy
        self._textures: dict[int, Texture] = {}

    def draw(self, sprite: Sprite, x: float, y: float, *, breath: bool = False) -> None:
        """Draw ``sprite`` with its upper left pixel at (x, y); see `Pose` for ``breath``."""
        texture = self._textures.get(sprite.code) or self._made(sprite.code)
        texture.color_mod, texture.alpha_mod = sprite.color, sprite.alpha
        flip = RendererFlip.HORIZONTAL if sprite.flip else RendererFlip.NONE
        width, height = texture.width, texture.height
        wide, high = width * sprite.size, height * sprite.size
        if not breath:
            self._renderer.copy(texture, None, (x, y, wide, high), sprite.angle, None, flip)
            return
        # The upper part is drawn about a pixel lower and hides the first row of the lower part.
        waist, sunk = round(height * WAIST), max(1.0, round(high / 32))
        cut = high * waist / height
        parts = ((0, waist, y + sunk, cut), (waist, height - waist, y + cut, high - cut))
        for top, rows, where, tall in reversed(parts):
            source = (0, top, width, rows)
            self._renderer.copy(texture, source, (x, where, wide, tall), flip=flip)

    def _made(self, code: int) -> Texture:
        self._lazy.need(np.array([code], np.int32))
        texture = self._renderer.upload_texture(self._lazy.tileset.get_tile(code))
        texture.blend_mode, texture.scale_mode = BlendMode.BLEND, ScaleMode.NEAREST
        self._textures[code] = texture
        return texture


class QuadTexture:
    """A sheet of square pictures; one call draws many of them, each in its own size and colour."""

    def __init__(
        self, renderer: Renderer, sheet: Pixels, side: int, blend: BlendMode, *, linear: bool
    ) -> None:
        self._renderer = renderer
        self._columns, self._rows = sheet.shape[1] // side, sheet.shape[0] // side
        self._texture = renderer.upload_texture(sheet)
        self._texture.blend_mode = blend
        self._texture.scale_mode = ScaleMode.LINEAR if linear else ScaleMode.NEAREST

    def draw(
        self,
        corners: NDArray[np.float32],
        sizes: NDArray[np.float32],
        numbers: NDArray[np.int64],
        colors: NDArray[np.float32],
    ) -> None:
        """Draw pictures by number: upper left pixels [n, 2], sizes [n, 1], RGBA 0 to 1 [n, 4]."""
        count = len(numbers)
        if not count:
            return
        cells = np.stack(np.divmod(numbers, self._columns)[::-1], axis=1)
        places = corners[:, None] + _CORNERS * sizes[:, None]
        parts = (cells[:, None] + _CORNERS) / np.array([self._columns, self._rows], np.float32)
        quads = (np.arange(count, dtype=np.uint32)[:, None] * 4 + _TRIANGLES).astype(np.uint32)
        self._renderer.geometry(
            self._texture,
            places.reshape(-1, 2).astype(np.float32),
            np.repeat(colors, 4, axis=0),
            parts.reshape(-1, 2).astype(np.float32),
            quads.ravel(),
        )


class FringeTexture:
    """The fringes of a tile size."""

    def __init__(self, renderer: Renderer, size: int) -> None:
        sheet = fringe_sheet(size)
        self._size = size
        self._quads = QuadTexture(renderer, sheet, size, BlendMode.BLEND, linear=False)

    def draw(self, fringes: Fringes) -> None:
        """Draw ``fringes`` on the target of the renderer, which is as large as the map."""
        corners = fringes.places.astype(np.float32) * np.float32(self._size)
        colors = np.ones((len(corners), 4), np.float32)
        colors[:, :3] = fringes.colors / np.float32(255)
        sizes = np.full((len(corners), 1), self._size, np.float32)
        self._quads.draw(corners, sizes, fringes.numbers, colors)


class ParticleTextures:
    """Draws particles: those that cover the picture, and those that add light to it."""

    def __init__(self, renderer: Renderer) -> None:
        self._layers = [
            QuadTexture(renderer, particle_sheet(), PARTICLE_SIDE, blend, linear=True)
            for blend in (BlendMode.BLEND, BlendMode.ADD)
        ]

    def draw(self, particles: Particles, area: Rect, tile: int) -> None:
        """Draw ``particles`` over the map at ``area``, with tiles of ``tile`` pixels."""
        sizes: NDArray[np.float32] = particles.sizes[:, None] * np.float32(tile)
        corner = np.array([area.x, area.y], np.float32)
        corners = (particles.places * tile + corner - sizes / 2).astype(np.float32)
        for layer, mask in zip(self._layers, (~particles.glows, particles.glows), strict=True):
            looks = particles.pictures[mask], particles.colors[mask]
            layer.draw(corners[mask], sizes[mask], *looks)


_CORNERS = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
_TRIANGLES = np.array([0, 1, 2, 0, 2, 3], np.uint32)
"""The corners of a quad, and the indices of the corners of its two triangles."""


MOST_SCALE = 4
"""The most that pictures are enlarged: a small level must not look coarser than the others."""


class PictureTextures:
    """Pictures over the text: as large as fits, enlarged by whole numbers up to `MOST_SCALE`."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._textures: list[Texture] = []
        self._shapes: list[tuple[int, ...]] = []

    def draw(self, number: int, pixels: NDArray[np.uint8], area: Rect) -> None:
        """Draw ``pixels`` [y, x, 3 or 4] in the middle of ``area``, as picture ``number``."""
        height, width = pixels.shape[:2]
        if self._shapes[number : number + 1] == [pixels.shape]:
            texture = self._textures[number]
            texture.update(pixels)
        else:
            texture = self._renderer.upload_texture(pixels)
            texture.blend_mode, texture.scale_mode = BlendMode.BLEND, ScaleMode.NEAREST
            self._textures[number : number + 1] = [texture]
            self._shapes[number : number + 1] = [pixels.shape]
        scale = min(area.width / width, area.height / height, MOST_SCALE)
        scale = float(int(scale)) if scale >= 1 else scale
        wide, high = width * scale, height * scale
        corner = area.x + (area.width - wide) // 2, area.y + (area.height - high) // 2
        self._renderer.copy(texture, dest=(*corner, wide, high))
