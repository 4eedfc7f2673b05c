"""`catalog`: what lies on each depth of each seed, as CSV."""

import argparse
import csv
import re
import sys
from collections import Counter
from contextlib import closing
from functools import cache
from typing import NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import track

from cli.arguments import chosen_seeds, optional_int
from cli.errors import OK, UsageError
from engine.items.loot import initial_loot
from engine.levels.level_choice import code_at
from engine.state.run_setup import Mode, RunSetup
from entities.creature_kinds import creature_kinds
from entities.item_kinds import item_kinds
from entities.terrain import TILES, Tile
from procgen.build import build_in_stages
from procgen.level import Level
from procgen.level_code import LevelCode
from procgen.progress import Progress
from procgen.recipe_builder import Stage
from procgen.recipes import find_recipe
from procgen.vaults.vault_library import vaults
from procgen.vaults.vault_parser import PLAIN
from workbench.search.bot_runs import OtherData, data_fingerprint
from workbench.search.process_pool import ordered_results

DEPTHS, DEEPEST = 12, 1000
TILE_COLUMNS = {
    "treasure": Tile.TREASURE,
    "traps": Tile.TRAP,
    "shrines": Tile.SHRINE,
    "secret_doors": Tile.SECRET_DOOR,
    "locked_doors": Tile.LOCKED_DOOR,
}
"""The things that are tiles, by the name of their column."""
COLUMNS = (
    *("seed", "depth", "code", "recipe", "theme", "size", "rooms", "creatures", "kinds"),
    *TILE_COLUMNS,
    *("vaults", "vault_names"),
    *("things", "thing_kinds"),
)


def write_catalog(options: argparse.Namespace) -> int:
    """Print a row for each depth of each seed; nothing is written but that."""
    many = chosen_seeds(options.seed, options.seeds)
    deepest = optional_int(options.depths, "--depths", high=DEEPEST) or DEPTHS
    if options.generator:
        if options.generator == "all":
            raise UsageError("a run has one generator or those of an adventure: leave out all")
        find_recipe(options.generator)
    workers = optional_int(options.workers, "--workers", high=256)
    runs = (
        CatalogTask(
            RunSetup(seed, str(seed), Mode.ADVENTURE, options.generator),
            deepest,
            data_fingerprint(),
        )
        for seed in many
    )
    pages = ordered_results(catalog_rows, runs, 1 if len(many) == 1 else workers, options.cluster)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)
    quiet = not sys.stderr.isatty() or sys.stdout.isatty()
    console = Console(stderr=True)
    with closing(pages):
        for page in track(
            pages, "catalog", len(many), console=console, transient=True, disable=quiet
        ):
            writer.writerows(page)
    return OK


class CatalogTask(NamedTuple):
    """What lies in one run, down to a depth; ``data`` tells the program and its data apart."""

    setup: RunSetup
    deepest: int
    data: str


def catalog_rows(page: CatalogTask) -> list[list[str | int]]:
    """Return the rows of one run."""
    if data_fingerprint() != page.data:
        raise OtherData("a worker has other rules or data; give it this version of the program")
    return [level_row(code_at(page.setup, depth)) for depth in range(1, page.deepest + 1)]


def level_row(code: LevelCode) -> list[str | int]:
    """Return what lies on the level of ``code``, in the order of `COLUMNS`."""
    level, found = build_with_vaults(code)
    kinds = Counter(spawn.kind for spawn in level.spawns)
    things = initial_loot(level)
    lying = Counter[str]()
    for thing in things:
        lying[thing.kind] += thing.many
    tiles = np.bincount(level.tiles.ravel(), minlength=len(TILES))
    return [
        *(code.seed, code.depth, str(code), code.recipe, level.theme),
        f"{code.width}x{code.height}",
        len(level.rooms),
        len(level.spawns),
        " ".join(f"{name}={kinds[name]}" for name in creature_kinds() if kinds[name]),
        *(int(tiles[tile]) for tile in TILE_COLUMNS.values()),
        len(found),
        "; ".join(found),
        len(things),
        " ".join(f"{name}={lying[name]}" for name in item_kinds() if lying[name]),
    ]


def build_with_vaults(code: LevelCode) -> tuple[Level, list[str]]:
    """Return the level of ``code`` and the vaults in it that are not plain, as they were set."""
    stages, found, attempt = Progress(build_in_stages(code)), list[str](), 0
    for stage in stages:
        if stage.attempt != attempt:
            found, attempt = [], stage.attempt
        found += _placed_vault(stage)
    level = stages.made
    return level, found if attempt == len(level.rejected) else []


def _placed_vault(stage: Stage) -> list[str]:
    """Return the vault that a stage of a build says it has set, if it has."""
    if "vault" not in stage.use.step.name:
        return []
    words = re.split(r" at | in the middle|, number ", stage.caption, maxsplit=1)[0].lower()
    return [words] if words in _notable_vaults() else []


@cache
def _notable_vaults() -> frozenset[str]:
    """Return the names of the vaults worth naming."""
    return frozenset(vault.name for vault in vaults() if PLAIN not in vault.header.tags)
