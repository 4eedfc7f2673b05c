"""User content: entries and steps of the user folder, and steps of installed packages.

Files of steps are programs: they run with all rights of the user who put them there. Nothing else
in that folder can run code.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from hashlib import blake2b
from importlib.metadata import EntryPoint, entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, TypeVar

from msgspec import Struct

from entities.data_files import (
    DATA,
    DataError,
    check_names,
    convert,
    folder_paths,
    open_regular_file,
    read_entries,
    read_toml,
)
from entities.folders import USER_MARK, USER_VARIABLE, user_folder
from entities.wording import did_you_mean
from procgen.level_code import FROM_FILE, FaultyRecipe, UnknownRecipe
from procgen.recipe_entries import unknown_name
from procgen.step_registry import Step, all_steps, describe_step, steps_in

FOLDER, GROUP, THEMES = "steps", "seedhollow.steps", "themes.toml"
OTHER_TABLES = ("interface", "creatures", "items", "looks", "charts", "depths", "grounds")
"""The tables of the themes' file that are no themes."""
_VERSION = re.compile(r"\.[0-9]{1,6}\Z")

Entry = TypeVar("Entry")
FileStates = tuple[tuple[Path, int, int], ...]
"""For each file its path, the time of its last change in nanoseconds and its size in bytes."""


@dataclass(frozen=True)
class UserEntries(Generic[Entry]):
    """The recipes or overlays in a file of the user folder by key with `USER_MARK`, and its steps.

    ``faults`` are sentences by an entry's key or the file's ``path``; a step's is a key itself.
    """

    path: str
    entries: dict[str, Entry]
    steps: dict[str, Step]
    faults: dict[str, str]

    def where(self, key: str) -> str:
        """Return the place of an entry for messages."""
        return f"{self.path}: [{key.removeprefix(USER_MARK)}]"

    @contextmanager
    def noting(self, key: str) -> Iterator[None]:
        """Note a `DataError` under ``key`` and go on."""
        try:
            yield
        except DataError as fault:
            self.faults[key] = str(fault)

    def find(self, what: str, name: str, ours: Iterable[str]) -> str:
        """Return the key of the entry ``name``, which may lack the mark; raise `UnknownRecipe`.

        ``what`` it is and ``ours``, the other names that could be meant, are for the message.
        """
        marked = f"{USER_MARK}{name.removeprefix(USER_MARK)}"
        files = [fault for key, fault in self.faults.items() if not key.startswith(USER_MARK)]
        if marked in self.entries:
            return marked
        if odd := [one for key, one in self.faults.items() if key.lower() == marked.lower()]:
            raise FaultyRecipe("; ".join([*files, *odd]))  # A file of steps may be the reason.
        if files:
            raise FaultyRecipe("; ".join([f"there is no {what} {name}", *files]))
        known = self.entries if name == marked else [*ours, *self.entries]
        names = [key for key in known if "." not in key]  # The others are old versions.
        if name == marked:
            quoted = unknown_name(name, names) if names else repr(name[:60])
            folder = f"set another folder with --mine or ${USER_VARIABLE}"
            lost = "" if Path(self.path).exists() else "not found; `list` names files not read; "
            whose = f"names with {USER_MARK} are your own, from {self.path} ({lost}{folder})"
            raise UnknownRecipe(f"there is no {what} {quoted}: {whose}")
        raise UnknownRecipe(f"there is no {what} {unknown_name(name, names)}")


def user_entries(file: str, kind: type[Struct], build: Callable[..., Entry]) -> UserEntries[Entry]:
    """Return what ``build`` makes of the entries of a user's ``file``, which are of a ``kind``.

    It is given a key, all entries by key (ours, too), the place for messages and the user's steps.
    All is read anew when that file, the themes or a file of steps has changed.
    """
    try:
        folder = user_folder()
        paths = [folder / file, folder / THEMES]
        with suppress(DataError):  # `_read_entries` reports it.
            paths += step_files(folder)
        stats = [(path, path.stat()) for path in paths if path.exists()]
    except OSError as fault:
        named = f"{fault.filename}: cannot be read ({fault.strerror})"
        return UserEntries(file, {}, {}, {fault.filename: named} if fault.filename else {})
    files = tuple((path, stat.st_mtime_ns, stat.st_size) for path, stat in stats)
    return _read_entries(file, kind, build, folder, files)


@lru_cache(maxsize=8)
def _read_entries(
    file: str, kind: type[Struct], build: Callable[..., Any], folder: Path, files: FileStates
) -> UserEntries[Any]:
    _theme_names.cache_clear()  # This is cached by ``files``, which include that of the themes.
    steps, faults = _user_steps(tuple(state for state in files if state[0].suffix.lower() == ".py"))
    users = UserEntries[Any](str(folder / file), {}, steps, {fault: fault for fault in faults})
    tables, written = dict[str, Any](), dict[str, Any](read_entries(file, kind))
    with users.noting(FOLDER):
        step_files(folder)
    with users.noting(users.path):
        tables = read_toml(file, folder, optional=True)
    for key, table in tables.items():  # All of them first: a recipe may extend a later one.
        with users.noting(f"{USER_MARK}{key}"):
            if fault := name_fault(_VERSION.sub("", key)):
                raise DataError(f"{users.where(key)}: {fault}")
            written[f"{USER_MARK}{key}"] = convert(table, kind, users.where(key))
    for key in [key for key in written if key.startswith(USER_MARK)]:
        with users.noting(key):
            users.entries[key] = build(key, written, users.where(key), users.steps)
    return users


def name_fault(name: str) -> str:
    """Return what is wrong with ``name`` as that of a user's recipe or overlay, '' if nothing."""
    if not re.fullmatch("[a-z_]{1,60}", name):
        return "a name has 1 to 60 lower-case letters and _"
    return "the name is that of levels from files" if USER_MARK + name == FROM_FILE else ""


@cache
def _theme_names(folder: Path) -> list[str]:
    return [name for name in read_toml(THEMES, folder, optional=True) if name not in OTHER_TABLES]


def check_theme(name: str, where: str) -> None:
    """Raise `DataError` unless ``name`` is a theme or ``MADE+PALETTE``, two themes.

    Names that begin with `USER_MARK` are looked up in the user folder.
    """
    for part in name.split("+"):
        mark = USER_MARK if part.startswith(USER_MARK) else ""
        themes = [f"{mark}{theme}" for theme in _theme_names(user_folder() if mark else DATA)]
        check_names(where, [part], themes, "theme")


def step_files(folder: Path) -> list[Path]:
    """Return the Python files of a user folder, in the order in which they run."""
    return [path for path in folder_paths(folder / FOLDER) if path.suffix.lower() == ".py"]


@lru_cache(maxsize=4)
def _user_steps(files: FileStates) -> tuple[dict[str, Step], list[str]]:
    """Return the steps in the user's ``files`` and in packages by name, and their faults."""
    known, faults, places = dict[str, Step](), list[str](), dict[str, str]()
    packages = sorted(entry_points(group=GROUP), key=lambda entry: entry.name)
    loads: list[tuple[str, Callable[[], Iterator[Step]]]] = [
        *((str(path), partial(_from_file, path)) for path, *_ in files),
        *((f"{GROUP}: {entry.name}", partial(_from_package, entry)) for entry in packages),
    ]
    for where, load in loads:
        try:
            steps = {step.name: step for step in load()}
            twice = sorted(steps.keys() & (all_steps().keys() | known.keys()))
            faults.extend(f"{where}: there is another step called {name}" for name in twice)
            known.update({name: steps[name] for name in steps if name not in twice})
            places = dict.fromkeys(steps, where) | places
        except (Exception, SystemExit) as fault:  # noqa: BLE001 - a program with any mistake
            message = " ".join(str(fault).split())[:200]
            faults.append(f"{where}: {type(fault).__name__}: {message}")
    given = {word for step in (all_steps() | known).values() for word in step.gives}
    for name, step in known.items():
        for word in sorted(step.needs - given):
            misspelt = f"{word[:60]!r}{did_you_mean(word, sorted(given))}"
            faults.append(f"{places[name]}: {name} needs {misspelt}, which no step gives")
    return known, faults


def _from_file(path: Path) -> Iterator[Step]:
    with open_regular_file(path) as stream:
        origin = blake2b(stream.read(), digest_size=8).hexdigest()
    spec = spec_from_file_location(f"seedhollow_steps_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportError("Python imports it only if its name ends in .py")
    module = module_from_spec(spec)
    # Standard output may be a level: what a step prints must not come between its lines.
    vars(module)["print"] = partial(print, file=sys.stderr)
    spec.loader.exec_module(module)
    return (replace(step, origin=origin) for step in steps_in(module))


def _from_package(entry: EntryPoint) -> Iterator[Step]:
    """Return the step that an entry point names, or all steps of the module that it names."""
    loaded = entry.load()
    steps = steps_in(loaded) if isinstance(loaded, ModuleType) else [describe_step(loaded)]
    origin = f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value
    return (replace(step, origin=origin) for step in steps)
