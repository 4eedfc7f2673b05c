"""The player's options: keys, colours, movement; stored in a TOML file that they can edit."""

from contextvars import ContextVar
from functools import cache
from itertools import count
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import tomlkit
from msgspec import Meta

from engine.saves.files import write_atomically
from entities.data_files import DataError, check_names, convert, read_entries, read_text, read_toml
from entities.folders import settings_folder
from render.ui.keymap import Rebindings, Table, bind, rebind, standard_bindings
from render.ui.palette import choose_palette, palettes

PRESETS_FILE = "presets.toml"


class Preset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Changes to data/keys.toml, by section and command."""

    name: str
    help: str
    keys: Rebindings = {}


@cache
def presets() -> dict[str, Preset]:
    """Return the presets by name, the default first; raise `DataError` for an invalid one."""
    entries = read_entries(PRESETS_FILE, Preset)
    for name, preset in entries.items():
        rebind(standard_bindings(), preset.keys, f"data/{PRESETS_FILE}: [{name}.keys]")
    return entries


Name = Annotated[str, Meta(min_length=1, max_length=40)]
Keys = tuple[Annotated[str, Meta(min_length=1, max_length=30)], ...]

Volume = Annotated[int, Meta(ge=0, le=10)]
TEXT_SIZES = range(-8, 9)
TextSize = Annotated[int, Meta(ge=TEXT_SIZES[0], le=TEXT_SIZES[-1])]
Figures = Literal["drawn", "all", "letters"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player's options; ``keys`` are other keys for some commands, by section and command.

    A window's text is ``text_size`` notches larger than usual, if it fits, and its ``figures`` are
    what is drawn as a picture instead of a letter. ``flashes`` are
    sudden changes of brightness, ``motion`` the flicker of light and the flow of water,
    ``animations`` figures that slide and lunge, missiles in flight and numbers that rise.
    ``effects`` and ``ambience`` are volumes, 0 to 10; ``bell`` lets a terminal ring at danger.
    """

    preset: Name = "default"
    palette: Name = "lamplight"
    text_size: TextSize = 0
    fullscreen: bool = False
    figures: Figures = "all"
    flashes: bool = True
    motion: bool = True
    animations: bool = True
    effects: Volume = 7
    ambience: Volume = 4
    bell: bool = False
    keys: dict[Name, dict[Name, Keys]] = {}


_current: ContextVar[Options] = ContextVar("options", default=Options())  # noqa: B039 - frozen


def current() -> Options:
    """Return the options in use."""
    return _current.get()


def apply_options(options: Options, where: str = "options") -> None:
    """Use ``options`` from now on; raise `DataError`, naming ``where``, if they are invalid."""
    bind(validate_options(options, where))
    choose_palette(options.palette)
    _current.set(options)


def validate_options(options: Options, where: str) -> Table:
    """Return the table of keys of ``options``; raise `DataError`, naming ``where``, if invalid."""
    for key, choices in (("palette", palettes()), ("preset", presets())):
        check_names(f"{where}: {key}", [getattr(options, key)], choices, key)
    preset = rebind(standard_bindings(), presets()[options.preset].keys, "data/presets.toml")
    return rebind(preset, options.keys, f"{where}: keys")


OPTIONS_FILE = "options.toml"
FILE_HEADER = (
    "Options of Seedhollow. The game writes this file when you change something in it, and keeps",
    "what you write yourself. Keys of your own, by section and command of the help screen:",
    "  [keys.play]",
    '  explore = ["o", "x"]',
)


def options_path() -> Path:
    """Return the path of the options file."""
    return settings_folder() / OPTIONS_FILE


def load_options() -> str:
    """Use the options of the file; return what is wrong with it, "" if nothing is.

    If the file has a fault, the default options are used and the file is left as it is.
    """
    path = options_path()
    try:
        apply_options(_read(path), str(path))
    except DataError as fault:
        apply_options(Options())
        return str(fault)
    return ""


def _read(path: Path) -> Options:
    return convert(read_toml(path.name, path.parent, optional=True), Options, str(path))


def save_options(options: Options, before: Options | None = None) -> Path | None:
    """Write ``options`` and leave the rest of the file as it is; raise `OSError`.

    Only values that differ from ``before`` are written, so that two windows do not undo each
    other's changes. A file with an error is not overwritten but renamed; its new path is returned.
    """
    document, renamed = _document(options_path())
    values = msgspec.to_builtins(options)
    if before and not renamed:
        values = {name: value for name, value in values.items() if value != getattr(before, name)}
    for name, value in values.items():
        if name == "keys":  # Dotted keys cannot be replaced where they stand.
            document.pop(name, None)
        if name == "keys" and not value:
            continue
        if name in document or value != getattr(Options(), name):
            document[name] = value
    write_atomically(options_path().resolve(), tomlkit.dumps(document).encode())  # Keeps a link.
    return renamed


def _document(path: Path) -> tuple[tomlkit.TOMLDocument, Path | None]:
    """Return the file's document, or a new one and the new path of a file with an error."""
    renamed = None
    try:
        validate_options(_read(path), str(path))
        if path.exists():
            return tomlkit.parse(read_text(path, str(path))), None
    except DataError:
        names = (path.with_suffix(f".toml.bad{number or ''}") for number in count())
        renamed = next(name for name in names if not name.exists())
        path.rename(renamed)
    document = tomlkit.parse("".join(f"# {line}\n" for line in FILE_HEADER))
    document.add(tomlkit.nl())
    return document, renamed


def apply_and_save(options: Options) -> str:
    """Use ``options`` from now on and write them; return what is wrong, "" if nothing is."""
    before = current()
    try:
        apply_options(options)
        renamed = save_options(options, before)
    except DataError as fault:
        return f"{fault}."
    except OSError as fault:
        return f"It is set for now, but the file cannot be written ({fault.strerror})."
    return f"The old file had an error. It is kept as {renamed.name}." if renamed else ""
