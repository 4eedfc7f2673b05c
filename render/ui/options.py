"""What a person may have otherwise: keys, colours, movement; kept in a file they can edit."""

import os
import tomllib
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import tomlkit
from msgspec import Meta

from engine.saves.files import settings_folder
from entities.data_files import DATA, DataError, convert, read_entries
from render.ui.keymap import Rebindings, Table, bind, rebound, standard_bindings
from render.ui.palette import choose_palette, palettes

FILE = "presets.toml"


class Preset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What differs from data/keys.toml, by section and command."""

    name: str
    help: str
    keys: Rebindings = {}


@cache
def presets(folder: Path = DATA) -> dict[str, Preset]:
    """Return the presets by name, the usual keys first; every one leads to a whole table."""
    found = read_entries(FILE, Preset, folder)
    if not found:
        raise DataError(f"data/{FILE}: has no presets")
    for name, preset in found.items():
        rebound(standard_bindings(), preset.keys, f"data/{FILE}: [{name}.keys]")
    return found


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


def apply_options(options: Options, where: str = "options") -> None:
    """From now on let ``options`` count; raise `DataError`, naming ``where``, if they cannot."""
    table = key_table(options, where)
    if options.palette not in palettes():
        known = ", ".join(palettes())
        raise DataError(f"{where}: palette: {options.palette!r} is none of {known}")
    bind(table)
    choose_palette(options.palette)
    _current.set(options)


def key_table(options: Options, where: str = "options") -> Table:
    """Return the table of keys that ``options`` make; raise `DataError` naming ``where``."""
    if options.preset not in presets():
        known = ", ".join(presets())
        raise DataError(f"{where}: preset: {options.preset!r} is none of {known}")
    preset = rebound(standard_bindings(), presets()[options.preset].keys, "data/presets.toml")
    return rebound(preset, options.keys, f"{where}: keys")


OPTIONS_FILE = "options.toml"
FILE_HEADER = (
    "Options of Seedhollow. The game writes this file when you change something in it, and keeps",
    "what you write yourself. Keys of your own, by section and command of the help screen:",
    "  [keys.play]",
    '  explore = ["o", "x"]',
)


def options_path() -> Path:
    """Return where the options are kept."""
    return settings_folder() / OPTIONS_FILE


def load_options() -> str:
    """Let the options of the file count; return what is wrong with it, empty if nothing is.

    With a fault in it the usual options count, and the file stays as it is.
    """
    path = options_path()
    try:
        apply_options(_read(path), str(path))
    except DataError as fault:
        apply_options(Options())
        return str(fault)
    return ""


def _read(path: Path) -> Options:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Options()
    except (OSError, UnicodeDecodeError) as fault:
        raise DataError(f"{path}: cannot be read ({fault})") from None
    try:
        return convert(tomllib.loads(text), Options, str(path))
    except DataError:
        raise
    except (ValueError, RecursionError) as fault:  # Wrong syntax, or nested too deeply.
        raise DataError(f"{path}: not valid TOML: {fault}") from None


def save_options(options: Options) -> None:
    """Write ``options``, all else in the file as it was; raise `OSError`.

    A file that cannot be understood is kept beside the new one, as ``options.toml.bad``.
    """
    path = options_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    document = _document(path)
    for name, value in msgspec.to_builtins(options).items():
        if name == "keys":
            _put_keys(document, value)
        elif document.get(name, getattr(Options(), name)) != value or name in document:
            document[name] = value
    fresh = path.with_suffix(".new")
    fresh.write_text(tomlkit.dumps(document), encoding="utf-8")
    os.replace(fresh, path)  # noqa: PTH105 - whole or not at all


def _document(path: Path) -> tomlkit.TOMLDocument:
    try:
        _read(path)
        if path.exists():
            return tomlkit.parse(path.read_text(encoding="utf-8"))
    except DataError:
        os.replace(path, path.with_suffix(".toml.bad"))  # noqa: PTH105
    document = tomlkit.document()
    for line in FILE_HEADER:
        document.add(tomlkit.comment(line))
    document.add(tomlkit.nl())
    return document


def _put_keys(document: tomlkit.TOMLDocument, keys: dict[str, dict[str, Any]]) -> None:
    if not keys:
        document.pop("keys", None)
        return
    document["keys"] = keys


def apply_and_save(options: Options) -> str:
    """Let ``options`` count and write them; return what is wrong, empty if nothing is."""
    try:
        apply_options(options)
        save_options(options)
    except DataError as fault:
        return f"{fault}."
    except OSError as fault:
        return f"It counts for now, but the file cannot be written ({fault.strerror})."
    return ""
