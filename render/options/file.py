"""The file of options: read with every fault named, written with a person's comments kept."""

import os
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import tomlkit

from engine.records.places import settings_folder
from entities.data import DataError, convert
from render.options.choices import Options, use

FILE = "options.toml"
LEAD = (
    "Options of Seedhollow. The game writes this file when you change something in it, and keeps",
    "what you write yourself. Keys of your own, by section and command of the help screen:",
    "  [keys.play]",
    '  explore = ["o", "x"]',
)


def options_path() -> Path:
    """Return where the options are kept."""
    return settings_folder() / FILE


def load_options() -> str:
    """Let the options of the file count; return what is wrong with it, empty if nothing is.

    With a fault in it the usual options count, and the file stays as it is.
    """
    path = options_path()
    try:
        use(_read(path), str(path))
    except DataError as fault:
        use(Options())
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
    except tomllib.TOMLDecodeError as fault:
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
    for line in LEAD:
        document.add(tomlkit.comment(line))
    document.add(tomlkit.nl())
    return document


def _put_keys(document: tomlkit.TOMLDocument, keys: dict[str, dict[str, Any]]) -> None:
    if not keys:
        document.pop("keys", None)
        return
    document["keys"] = keys


def keep(options: Options) -> str:
    """Let ``options`` count and write them; return what is wrong, empty if nothing is."""
    try:
        use(options)
        save_options(options)
    except DataError as fault:
        return f"{fault}."
    except OSError as fault:
        return f"It counts for now, but the file cannot be written ({fault.strerror})."
    return ""
