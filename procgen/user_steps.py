"""User steps: Python files in the user folder, and those of installed packages.

These files are programs: they run with all rights of the user who put them there. Nothing else in
that folder can run code.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from importlib.metadata import EntryPoint, entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from entities.data_files import DataError, folder_paths, open_regular_file
from entities.wording import did_you_mean
from procgen.step_registry import Step, all_steps, describe_step, steps_in

FOLDER, GROUP = "steps", "seedhollow.steps"


class UserSteps(NamedTuple):
    """Steps by name, and a sentence for each file, package or step that cannot be used."""

    steps: dict[str, Step]
    faults: list[str]


def step_files(folder: Path) -> list[Path]:
    """Return the Python files of a user folder, in the order in which they run."""
    return [path for path in folder_paths(folder / FOLDER) if path.suffix == ".py"]


def user_steps(folder: Path) -> UserSteps:
    """Run the files in ``folder`` and import the packages of the entry point group `GROUP`."""
    found = UserSteps({}, [])
    packages = sorted(entry_points(group=GROUP), key=lambda one: one.name)
    try:
        files = step_files(folder)
    except DataError as fault:
        files, found = [], UserSteps({}, [str(fault)])
    loads: list[tuple[str, Callable[[], Iterator[Step]]]] = [
        *((str(path), partial(_from_file, path)) for path in files),
        *((f"{GROUP}: {one.name}", partial(_from_package, one)) for one in packages),
    ]
    for where, load in loads:
        try:
            steps = {step.name: step for step in load()}
            twice = sorted(steps.keys() & (all_steps().keys() | found.steps.keys()))
            found.faults.extend(f"{where}: there is another step called {name}" for name in twice)
            found.steps.update({name: steps[name] for name in steps if name not in twice})
        except (Exception, SystemExit) as fault:  # noqa: BLE001 - a program with any mistake
            message = " ".join(str(fault).split())[:200]
            found.faults.append(f"{where}: {type(fault).__name__}: {message}")
    given = {word for step in (all_steps() | found.steps).values() for word in step.gives}
    for name, step in found.steps.items():
        for word in sorted(step.needs - given):
            misspelt = f"{word[:60]!r}{did_you_mean(word, sorted(given))}"
            found.faults.append(f"{FOLDER}: {name} needs {misspelt}, which no step gives")
    return found


def _from_file(path: Path) -> Iterator[Step]:
    with open_regular_file(path) as stream:
        origin = blake2b(stream.read(), digest_size=8).hexdigest()
    spec = spec_from_file_location(f"seedhollow_steps_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportError("cannot be imported")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return (replace(step, origin=origin) for step in steps_in(module))


def _from_package(entry: EntryPoint) -> Iterator[Step]:
    """Return the step that an entry point names, or all steps of the module that it names."""
    loaded = entry.load()
    steps = steps_in(loaded) if isinstance(loaded, ModuleType) else [describe_step(loaded)]
    origin = f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value
    return (replace(step, origin=origin) for step in steps)
