"""`list`: print the generators, their steps and parameters, or the names of tiles."""

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

from cli.errors import FAILURE, LONGEST, OK
from cli.output import print_records, print_wrapped
from entities.data_files import DATA, DataError, folder_paths
from entities.folders import USER_MARK, user_folder
from entities.wording import did_you_mean
from procgen.level_code import UnknownRecipe
from procgen.level_overlays import OVERLAYS_FILE, known_overlays, user_overlays
from procgen.map_files import ENDINGS, map_paths
from procgen.recipe_parameters import value_text
from procgen.recipes import RECIPES_FILE, Recipe, find_any, known_recipes, user_recipes
from procgen.step_registry import Step, all_steps
from procgen.user_content import FOLDER as STEPS
from procgen.user_content import THEMES, UserEntries
from procgen.vaults.vault_library import FOLDER as VAULTS
from procgen.vaults.vault_library import check_tags, user_vaults
from procgen.wfc.samples import FOLDER as SAMPLES
from procgen.wfc.samples import read_sheets
from procgen.world_types import WorldType, world_types
from render.tiles.pictures import OWN_FILE
from render.tiles.user_tiles import FOLDER, tile_names, user_tiles
from render.ui.palette import themes
from render.ui.text import clipped, printable
from workbench.generator_records import generator_record

LIMITS = ("range", "least", "most")
READ: dict[str, Sequence[str]] = {SAMPLES: ENDINGS, VAULTS: ENDINGS, FOLDER: (".png",)}
READ[""] = (RECIPES_FILE, OVERLAYS_FILE, THEMES, OWN_FILE, STEPS, *READ)
"""The endings of files in folders of the user folder, and the names in the folder itself."""
KEPT = re.compile("[._]|.*~$|README|LICENSE|tiles-|options|scores|runs|ghosts|morgue|screenshots")
"""Names that are not mentioned: the program itself may have written there what they name."""
PARAMETER_COLUMNS = ("generator", "label", "step", "name", "value", *LIMITS, "unit", "meaning")


def list_generators(options: argparse.Namespace) -> int:
    """Print all generators or tiles, or explain the named generators or all steps.

    Returns `FAILURE` if something in the user folder cannot be used.
    """
    if options.tiles:
        _print_tiles(options)
    elif options.steps:
        _explain([*all_steps().values(), *user_recipes().steps.values()], options.format)
    elif options.names:
        _explain([_named(name) for name in options.names], options.format)
        return OK
    else:
        _print_generators(options)
    faults = user_tiles().faults if options.tiles else user_faults()
    for fault in faults:
        print(printable(clipped(fault, LONGEST)), file=sys.stderr)
    return FAILURE if faults else OK


def user_faults() -> list[str]:
    """Return one sentence for each thing in the user folder that cannot be used."""
    entries: list[UserEntries[Any]] = [user_recipes(), user_overlays()]
    faults = [fault for users in entries for fault in users.faults.values()] + user_tiles().faults
    try:
        folder = user_folder()
    except OSError:  # There is no folder, which is one of the faults.
        return faults
    reads: list[Callable[[], Any]] = [partial(themes, folder)]
    try:
        faults += user_vaults(folder)[1]
        samples = dict.fromkeys(path.stem for path in map_paths(folder / SAMPLES))
        reads += [partial(read_sheets, name, folder) for name in samples]
        for users in entries:
            reads += [partial(_check_parts, users, key, {*samples}) for key in users.entries]
        faults += _unread(folder)
    except DataError as fault:
        faults += fault.args
    for read in reads:
        try:
            read()
        except DataError as fault:
            faults += fault.args
    return [*dict.fromkeys(faults)]  # A recipe repeats the faults of the vaults that it names.


def _unread(folder: Path) -> Iterator[str]:
    """Yield a sentence for each file that is not read, or folder with almost the name of one."""
    for place, known in READ.items():
        only = f"; {' and '.join(known)} are" if place else ""
        for path in folder_paths(folder / place):
            if {path.name, path.suffix.lower()} & {*known} or KEPT.match(path.name):
                continue
            ours = f"; data/{path.name} is" if (DATA / path.name).is_file() else ""
            hint = ours or only or did_you_mean(path.name.lower(), known)
            if hint or path.is_file():
                yield f"{path}: is not read{hint}"


def _check_parts(users: UserEntries[Any], key: str, samples: set[str]) -> None:
    """Raise `DataError` if a user's entry names a vault or sample that does not exist."""
    for use in users.entries[key].steps:
        if use.step.origin:  # The parameters of user steps can mean anything.
            continue
        where = f"{users.where(key)}: {use.label.rpartition('/')[2]}: "
        check_tags(getattr(use.parameters, "tags", ()), where)
        name = getattr(use.parameters, "sample_map", "")
        if name.startswith(USER_MARK) and name.removeprefix(USER_MARK) not in samples:
            raise DataError(f"{where}sample_map: there is no sample {name[:60]!r}")


def _print_tiles(options: argparse.Namespace) -> None:
    """Print the names of all tiles, and which of them the user's pictures replace."""
    user = user_tiles()
    if options.format != "text":
        names = ({"name": name, "user": name in user.pictures} for name in tile_names())
        print_records(options.format, names, ("name", "user"))
    else:
        print(f"A file NAME.png in {user_folder() / FOLDER} replaces the tile of that name.")
        for name in tile_names():
            print(f"{name}  (user)" if name in user.pictures else name)


def _print_generators(options: argparse.Namespace) -> None:
    bounded = [] if options.infinite else known_recipes()
    every: list[Recipe | WorldType] = [*bounded, *world_types().values()]
    if options.format != "text":
        records = [generator_record(recipe, steps=False) for recipe in every]
        print_records(options.format, records, tuple(records[0]))
        return
    for recipe in every:
        print_wrapped(f"{recipe.name}  {recipe.description}", others="    ")
        for label, parameters in recipe.parameters().items():
            values = " ".join(f"{name}={value_text(value)}" for name, value in parameters.items())
            print_wrapped(f"{label} {values}", " " * 4, " " * 8)
    if bounded:
        print()
        print_wrapped("overlays for all of them except infinite worlds, as in keep+flooded:")
    for overlay in known_overlays() if bounded else ():
        print_wrapped(f"{overlay.name}  {overlay.kind.description}", others="    ")


def _explain(entries: Sequence[Recipe | WorldType | Step], form: str) -> None:
    """Explain recipes, infinite worlds or steps: every step and parameter in words."""
    records = [generator_record(entry) for entry in entries]
    if form != "text":
        rows = [
            {"generator": record.get("name", "")} | step | parameter
            for record in records
            for step in record.get("steps", [record])
            for parameter in step["parameters"]
        ]
        print_records(form, records if form == "json" else rows, PARAMETER_COLUMNS)
        return
    for number, record in enumerate(records):
        if number:
            print()
        if "steps" in record:
            print_wrapped("{name}  {description}".format(**record))
            sizes = "version {version}, {default_size} by default, {smallest_size} at least"
            print_wrapped(sizes.format(**record))
        for step in record.get("steps", [record]):
            if step is not record:
                print()
            _print_step(step)


def _named(name: str) -> Recipe | WorldType | Step:
    try:
        return find_any(name)
    except UnknownRecipe as fault:
        if step := (all_steps() | user_recipes().steps).get(name):
            return step
        if type(fault) is not UnknownRecipe:  # It is a user recipe with a fault.
            raise
        names = [*(recipe.name for recipe in known_recipes()), *world_types(), *all_steps()]
        where = "`list` names the generators, `list --steps` the steps"
        what = f"there is no generator or step {name[:80]!r}{did_you_mean(name, names)}"
        raise UnknownRecipe(f"{what}; {where}") from None


WIDEST = 30
"""The widest column for names and values of parameters, in characters."""


def _print_step(step: dict[str, Any]) -> None:
    """Print a step's docstring and its parameters, with their ranges in a column if they fit."""
    words = (f"; {word} {', '.join(step[word])}" for word in ("needs", "gives") if step[word])
    print_wrapped(step["label"] + "".join(words))
    explain = partial(print_wrapped, piped=100)  # Sentences have lines in a file or a pipe, too.
    explain(step["about"], "  ", "  ")
    wide = max((min(WIDEST, len(_assigned(row))) for row in step["parameters"]), default=0)
    for meaning, group in groupby(step["parameters"], lambda row: str(row["meaning"])):
        for row in group:
            explain(f"{_assigned(row):<{wide}}  {row['range']}", " " * 4, " " * (wide + 6))
        if meaning not in step["about"]:
            explain(meaning, " " * 8, " " * 8)


def _assigned(parameter: dict[str, Any]) -> str:
    return printable(f"{parameter['name']} = {value_text(parameter['value'])}")
