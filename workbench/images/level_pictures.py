"""Pictures of levels: tiles as in the game, or plain squares of one colour each."""

from base64 import b64encode
from io import BytesIO

import numpy as np
from PIL import Image, ImageEnhance

from engine.monsters.initial_monsters import initial_monsters
from entities.creature_kinds import creature_kinds
from procgen.level import Level
from procgen.level_code import CodeError
from render.map.whole_level import level_and_ground, plain_colors
from render.tiles.lit_picture import lit_picture
from render.ui.palette import colors, creature_colors

TILE, MIN_TILE, MAX_TILE = 24, 6, 64
"""Pixels per side of a tile: the usual, least and greatest number."""
MAX_PIXELS = 50_000_000
"""The most pixels of a picture."""
FLAT_SIDE = 1280
"""The approximate default length of the longer side of a flat picture, in pixels."""


class TooLarge(CodeError):
    """The picture would have too many pixels; the message says what would fit."""


def level_picture(level: Level, tile: int | None = None) -> Image.Image:
    """Return the whole level, evenly lit and with its creatures, ``tile`` pixels per tile.

    None chooses ``tile`` by the level's size. Raises `TooLarge`.
    """
    height, width = level.tiles.shape
    return lit_picture(*level_and_ground(level), fitting_tile(width, height, tile))


def fitting_tile(width: int, height: int, tile: int | None) -> int:
    """Return ``tile`` or, for None, the largest usual size that fits; may raise `TooLarge`."""
    most = MAX_PIXELS // (width * height)
    side = tile or next((side for side in (TILE, 16, 12, 8) if side**2 <= most), MIN_TILE)
    if side**2 > most:
        raise TooLarge(
            f"{width}x{height} in tiles of {side} pixels makes a picture of "
            f"{width * height * side**2 // 10**6} million pixels, "
            f"the most is {MAX_PIXELS // 10**6}: take --flat, with a smaller --tile or none"
        )
    return side


def flat_tile(width: int, height: int, tile: int | None) -> int:
    """Return ``tile`` or, for None, a size that suits a flat picture; raise `TooLarge` likewise."""
    return fitting_tile(width, height, tile or max(1, min(16, FLAT_SIDE // max(height, width))))


def flat_picture(level: Level, tile: int | None = None) -> Image.Image:
    """Return the level in one colour per tile, stairs and creatures bright; or raise `TooLarge`."""
    height, width = level.tiles.shape
    side = flat_tile(width, height, tile)
    points = flat_colors(level).repeat(side, axis=0).repeat(side, axis=1)
    return Image.fromarray(np.ascontiguousarray(points))


def flat_colors(level: Level) -> np.ndarray:
    """Return the colours of a flat picture: uint8[y, x, 3]."""
    points = plain_colors(level.theme).astype(np.uint8)[level.tiles]
    for monster in initial_monsters(level):
        points[monster.y, monster.x] = creature_colors()[creature_kinds()[monster.kind].color]
    points[level.start.y, level.start.x] = colors()["text"]
    if level.has_exit:
        points[level.exit.y, level.exit.x] = colors()["accent"]
    return points


def thumbnail(image: Image.Image, width: int, height: int, lighter: float = 1.28) -> Image.Image:
    """Return ``image`` shrunk to fit and brightened by a factor: shrunk pictures look darker."""
    return ImageEnhance.Brightness(shrunk_to_fit(image, width, height)).enhance(lighter)


def data_uri(image: Image.Image, form: str, **options: object) -> str:
    """Return ``image`` as a data URI, saved in the format ``form`` with Pillow's ``options``."""
    stream = BytesIO()
    image.save(stream, form, **options)
    return f"data:image/{form.lower()};base64,{b64encode(stream.getvalue()).decode()}"


def shrunk_to_fit(image: Image.Image, width: int, height: int) -> Image.Image:
    """Return ``image`` shrunk to fit, with the same aspect ratio."""
    scale = min(1, width / image.width, height / image.height)
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    return image.resize(size, Image.Resampling.LANCZOS)
