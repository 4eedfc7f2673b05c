"""A level as a picture that remembers where it came from."""

from io import BytesIO

from PIL.Image import Image
from PIL.PngImagePlugin import PngInfo

from procgen.build import Level
from procgen.code import LevelCode
from render.exports.origin import SOFTWARE, Wishes
from render.prints.card import card
from render.prints.pictures import fitting_tile, flat_picture, flat_tile, level_picture


def png(level: Level, wishes: Wishes, origin: str) -> bytes:
    """Return the picture that is wished for."""
    if wishes.card:
        return framed(card(level), str(level.code), origin)
    drawn = flat_picture if wishes.flat else level_picture
    return framed(drawn(level, wishes.tile), str(level.code), origin)


def refuse_large(code: LevelCode, wishes: Wishes) -> None:
    """Raise `TooLarge` if the picture of a level would be, before anybody waits for the level."""
    if not wishes.card:
        (flat_tile if wishes.flat else fitting_tile)(code.width, code.height, wishes.tile)


def framed(image: Image, title: str, origin: str) -> bytes:
    """Return ``image`` as PNG, with ``title`` and the command that made it in its text chunks."""
    notes = PngInfo()
    notes.add_text("Title", title)
    notes.add_text("Command", origin)
    notes.add_text("Software", SOFTWARE)
    stream = BytesIO()
    image.save(stream, "PNG", pnginfo=notes)
    return stream.getvalue()
