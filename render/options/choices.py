"""The options there are, and those that count at the moment."""

from contextvars import ContextVar
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from entities.data import DataError
from render.keys import Table, bind, claimed, standard_bindings
from render.options.presets import presets
from render.palettes import choose_palette, palettes

Name = Annotated[str, Meta(min_length=1, max_length=40)]
Keys = tuple[Annotated[str, Meta(min_length=1, max_length=30)], ...]

Figures = Literal["drawn", "all", "letters"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A person's choices; ``keys`` are other keys for some commands, by section and command.

    ``figures`` says who and what is a picture in a window rather than a letter; ``flashes`` are
    sudden changes of brightness, ``motion`` the flicker of light and the flow of water,
    ``animations`` things that fly.
    """

    preset: Name = "default"
    palette: Name = "lamplight"
    figures: Figures = "all"
    flashes: bool = True
    motion: bool = True
    animations: bool = True
    keys: dict[Name, dict[Name, Keys]] = {}


_current: ContextVar[Options] = ContextVar("options", default=Options())  # noqa: B039 - frozen


def current() -> Options:
    """Return the options that count."""
    return _current.get()


def use(options: Options, where: str = "options") -> None:
    """From now on let ``options`` count; raise `DataError`, naming ``where``, if they cannot."""
    table = table_of(options, where)
    if options.palette not in palettes():
        known = ", ".join(palettes())
        raise DataError(f"{where}: palette: {options.palette!r} is none of {known}")
    bind(table)
    choose_palette(options.palette)
    _current.set(options)


def table_of(options: Options, where: str = "options") -> Table:
    """Return the table of keys that ``options`` make; raise `DataError` naming ``where``."""
    if options.preset not in presets():
        known = ", ".join(presets())
        raise DataError(f"{where}: preset: {options.preset!r} is none of {known}")
    preset = claimed(standard_bindings(), presets()[options.preset].keys, "data/presets.toml")
    return claimed(preset, options.keys, f"{where}: keys")
