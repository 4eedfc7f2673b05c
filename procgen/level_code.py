"""Level codes: a short text that determines a level, such as ``keep.1:7:3@80x45``."""

import re
from dataclasses import dataclass
from hashlib import blake2b

SEED_LIMIT = 2**64
LONGEST_SIDE = 4096
DEEPEST = 999_999
CODE_FORMAT = (
    "[~]RECIPE[.VERSION][+[~]OVERLAY[.VERSION]][;STEP.PARAMETER=VALUE][;STEP=AFTER]"
    ":SEED[:DEPTH][@X,Y][@WIDTHxHEIGHT]"
)
FROM_FILE = "~map"
"""The recipe in the code of a level that was read from a file and cannot be built."""
SETTINGS_LIMIT = 2_000
"""The most characters of a code's settings."""
LONGEST_CODE = SETTINGS_LIMIT + 400
"""The most characters of a level code in a run: a line of a run file can hold three of them."""
PUNCTUATION = ".,;:!?()\"'`"
FARTHEST_PLACE = 1 << 52
"""The largest coordinate of an infinite world, in tiles from its origin."""

_CODE = re.compile(
    r"(?P<recipe>~[\w-]+|[A-Za-z_]+)(?:\.(?P<version>[0-9]{1,6}))?"
    r"(?P<overlays>(?:\+(?:~[\w-]+|[A-Za-z_]+)(?:\.[0-9]{1,6})?)*)(?P<settings>(?:;[^;:@\s]*)*)"
    r":(?P<seed>[^:@\x00-\x1f\x7f-\x9f]+)"
    r"(?::(?P<depth>[0-9]{1,20}))?(?:@(?P<x>-?[0-9]{1,16}), ?(?P<y>-?[0-9]{1,16}))?"
    r"(?:@(?P<width>[0-9]{1,20})x(?P<height>[0-9]{1,20}))?"
)
_NUMBER = re.compile(r"[+-]?[0-9]+")


class CodeError(ValueError):
    """An invalid seed, size or level code; the message is a sentence for the player."""


class UnknownRecipe(ValueError):
    """There is no recipe or overlay of that name or version; the message lists those that exist."""


class FaultyRecipe(UnknownRecipe):
    """A user recipe or overlay has a mistake in it; the message names file, entry and key."""


def parse_seed(text: str) -> int:
    """Return ``text`` as a seed: an integer below 2**64 as it is, any other text hashed.

    Raises `CodeError` for empty text and for a number out of range, which is never clamped.
    """
    text = text.strip()
    if not text:
        raise CodeError("a seed cannot be empty")
    if not _NUMBER.fullmatch(text):
        return int.from_bytes(blake2b(text.encode("utf-8"), digest_size=8).digest(), "big")
    if len(text) > 40 or not 0 <= int(text) < SEED_LIMIT:
        shown = text if len(text) <= 40 else text[:37] + "..."
        raise CodeError(f"seed {shown} is out of range: a number must be from 0 to 2^64-1")
    return int(text)


def parse_size(text: str) -> tuple[int, int]:
    """Return (width, height) from text such as ``80x45``; raise `CodeError` if it is no size."""
    match = re.fullmatch(r"([0-9]{1,20})x([0-9]{1,20})", text.strip().lower())
    if not match:
        raise CodeError(f"size {text[:40]!r} is not WIDTHxHEIGHT, e.g. 80x45")
    return checked_size(int(match[1]), int(match[2]))


def parse_place(text: str) -> tuple[int, int]:
    """Return (x, y) from text such as ``-300,1200``; raise `CodeError` if it is no place."""
    match = re.fullmatch(r"(-?[0-9]{1,16})(?:, ?| )(-?[0-9]{1,16})", text.strip())
    if not match:
        raise CodeError(f"place {text[:40]!r} is not X,Y, e.g. -300,1200")
    return checked_place(int(match[1]), int(match[2]))


def checked_place(x: int, y: int) -> tuple[int, int]:
    """Return the place, or raise `CodeError` if no world reaches that far."""
    if max(abs(x), abs(y)) > FARTHEST_PLACE:
        raise CodeError(f"place {x},{y} is too far: worlds reach to {FARTHEST_PLACE} every way")
    return x, y


def checked_size(width: int, height: int) -> tuple[int, int]:
    """Return the size, or raise `CodeError` if no map can have it."""
    if not (1 <= width <= LONGEST_SIDE and 1 <= height <= LONGEST_SIDE):
        raise CodeError(f"size {width}x{height} is impossible: sides are 1 to {LONGEST_SIDE}")
    return width, height


@dataclass(frozen=True)
class LevelCode:
    """Everything a level depends on; ``str`` gives it in full, e.g. ``caves.1:42:3@80x45``.

    A ``~`` before a recipe or overlay marks one from the user folder, which others do not have.
    ``settings`` are the differences from the recipe: ``STEP=AFTER`` for steps inserted, moved or
    removed, then ``STEP.PARAMETER=VALUE``, in the order of the steps:
    ``caves.1;scatter_rock.rock=0.5:42:3@80x45``. ``overlays`` are names with versions, in the order
    of data/overlays.toml and then of the user's: ``keep.1+flooded.1:42:3@80x45``. ``place`` is the
    middle of a window of an infinite world, as in ``wilds.1:42:1@-30,7@80x45``, or None.
    """

    recipe: str
    version: int
    seed: int
    depth: int
    width: int
    height: int
    place: tuple[int, int] | None = None
    settings: tuple[str, ...] = ()
    overlays: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.depth > DEEPEST:
            raise CodeError(f"there is no level below depth {DEEPEST}")

    @property
    def name(self) -> str:
        """The recipe with its overlays, without versions: ``keep+flooded``."""
        return "+".join([self.recipe, *(overlay.partition(".")[0] for overlay in self.overlays)])

    @property
    def variant(self) -> str:
        """The name with the settings: ``keep;loops.at_most=0``, as ``--generator`` takes it."""
        return ";".join([self.name, *self.settings])

    @property
    def generator(self) -> str:
        """The part before the seed: recipe, overlays, versions and settings."""
        recipe = "+".join([f"{self.recipe}.{self.version}", *self.overlays])
        return ";".join([recipe, *self.settings])

    def shares_world(self, other: "LevelCode") -> bool:
        """Return True if both are codes of places in one infinite world."""
        return bool(self.place) and str(self).partition("@")[0] == str(other).partition("@")[0]

    def __str__(self) -> str:
        place = f"@{self.place[0]},{self.place[1]}" if self.place else ""
        return f"{self.generator}:{self.seed}:{self.depth}{place}@{self.width}x{self.height}"


@dataclass(frozen=True)
class PartialCode:
    """A level code as typed: what was left out is None."""

    recipe: str
    seed: int
    version: int | None = None
    depth: int | None = None
    size: tuple[int, int] | None = None
    place: tuple[int, int] | None = None
    settings: tuple[str, ...] = ()
    overlays: tuple[str, ...] = ()


def parse_code(text: str) -> PartialCode:
    """Return what the level code ``text`` says; white space around it is ignored.

    The form is `CODE_FORMAT`; recipe and overlays may be written in capitals. A line that tells of
    a run or a level with one code in full stands for it. Raises `CodeError` for any other text.
    """
    match = _CODE.fullmatch(text.strip())
    if not match:
        words = (_CODE.fullmatch(word.strip(PUNCTUATION)) for word in text.split())
        codes = {word[0]: word for word in words if word and not word["seed"].startswith("//")}
        match = next((code for code in codes.values() if code["width"]), None)
        if match and len(codes) > 1:  # None may be taken for another; a web address is no code.
            raise CodeError(f"{text.strip()[:60]!r} has {len(codes)} level codes: give one")
    if not match:
        raise CodeError(f"{text.strip()[:60]!r} is not a level code: {CODE_FORMAT}")
    if len(match["settings"]) > SETTINGS_LIMIT:
        raise CodeError(f"the settings of a level code have at most {SETTINGS_LIMIT:,} characters")
    if ";" in match["seed"]:
        raise CodeError(f"settings come before the seed: {CODE_FORMAT}")
    size = match["width"] and checked_size(int(match["width"]), int(match["height"]))
    place = match["x"] and checked_place(int(match["x"]), int(match["y"]))
    depth = match["depth"] and int(match["depth"])
    if depth == 0:
        raise CodeError("depth 0 does not exist: the first level is 1")
    if depth and depth > DEEPEST:
        raise CodeError(f"depth {depth} does not exist: the last level is {DEEPEST}")
    return PartialCode(
        recipe=match["recipe"].lower(),
        seed=parse_seed(match["seed"]),
        version=int(match["version"]) if match["version"] else None,
        depth=depth or None,
        size=size or None,
        place=place or None,
        settings=tuple(match["settings"].split(";")[1:]),
        overlays=tuple(match["overlays"].lower().split("+")[1:]),
    )
