"""`catalog`: list the levels on offer, creatures, items and vaults at each depth of each seed."""

import argparse
import sys
from collections import Counter
from contextlib import closing
from functools import partial

import numpy as np

from cli.arguments import chosen_seeds, optional_int, pool_options
from cli.errors import OK, UsageError
from cli.output import counted_progress, print_records
from engine.items.loot import initial_loot
from engine.levels.recipe_by_depth import level_choices_at
from engine.monsters.initial_monsters import initial_monsters
from engine.state.run_setup import RunSetup
from entities.creature_kinds import creature_kinds
from entities.item_kinds import item_kinds
from entities.terrain import TILES, Tile
from procgen.build import build_in_stages
from procgen.level import Level
from procgen.level_code import LevelCode
from procgen.progress import Progress
from procgen.recipes import find_recipe
from procgen.vaults.vault_library import vaults
from procgen.vaults.vault_parser import PLAIN_TAG
from workbench.search.bot_runs import data_fingerprint, require_same_data
from workbench.search.process_pool import ordered_results

DEPTHS, DEEPEST = 12, 1000
TILE_COLUMNS = {
    "treasure": Tile.TREASURE,
    "traps": Tile.TRAP,
    "shrines": Tile.SHRINE,
    "secret_doors": Tile.SECRET_DOOR,
    "locked_doors": Tile.LOCKED_DOOR,
    "portcullises": Tile.PORTCULLIS,
    "drawbridges": Tile.DRAWBRIDGE,
    "crystals": Tile.CRYSTAL,
}
"""Tiles that are counted as features, by column name."""
COLUMNS = (
    *("code", "seed", "depth", "choice", "generator", "theme"),
    *("width", "height", "rooms", "creatures", "creature_kinds"),
    *TILE_COLUMNS,
    *("vaults", "vault_names", "items", "item_kinds"),
)


def write_catalog(options: argparse.Namespace) -> int:
    """Print a row for each level on offer at each depth of each seed."""
    seeds = chosen_seeds(options.seed, options.seeds)
    depth = optional_int(options.depth, "--depth", high=DEEPEST)
    last = depth or optional_int(options.depths, "--depths", high=DEEPEST) or DEPTHS
    depths = range(depth or 1, last + 1)
    if options.generator is not None:
        if options.generator == "all":
            raise UsageError("a run has one generator or the adventure's: leave out --generator")
        find_recipe(options.generator)
    workers, cluster = pool_options(options)
    setups = (RunSetup(seed, str(seed), generator=options.generator) for seed in seeds)
    rows_of = partial(catalog_rows, depths=depths, fingerprint=data_fingerprint())
    pages = ordered_results(rows_of, setups, 1 if len(seeds) == 1 else workers, cluster)
    shown = sys.stdout.isatty()
    with closing(pages), counted_progress(pages, "catalog", len(seeds), hidden=shown) as done:
        rows = (dict(zip(COLUMNS, row, strict=True)) for page in done for row in page)
        print_records(options.format, rows, COLUMNS)
    return OK


def catalog_rows(setup: RunSetup, depths: range, fingerprint: str) -> list[list[str | int]]:
    """Return the rows of one run, which always takes the first choice."""
    require_same_data(fingerprint)
    return [
        [str(code), setup.seed, depth, choice, *level_row(code)]
        for depth in depths
        for choice, code in enumerate(level_choices_at(setup, setup.seed, depth), 1)
        if choice == 1 or depth > 1  # A run begins on the first level without a choice.
    ]


def level_row(code: LevelCode) -> list[str | int]:
    """Return the row of one level: the `COLUMNS` from the generator on."""
    level, vault_names = build_with_vaults(code)
    kinds, items = Counter(one.kind for one in initial_monsters(level)), initial_loot(level)
    counts = Counter[str]()
    for item in items:
        counts[item.kind] += item.many
    tiles = np.bincount(level.tiles.ravel(), minlength=len(TILES))
    return [
        *(code.name, level.theme, code.width, code.height),
        len(level.rooms),
        kinds.total(),
        " ".join(f"{name}={kinds[name]}" for name in creature_kinds() if kinds[name]),
        *(int(tiles[tile]) for tile in TILE_COLUMNS.values()),
        len(vault_names),
        "; ".join(vault_names),
        len(items),
        " ".join(f"{name}={counts[name]}" for name in item_kinds() if counts[name]),
    ]


def build_with_vaults(code: LevelCode) -> tuple[Level, list[str]]:
    """Build a level; return it with the names of its special vaults and held keys, in order."""
    stages, vault_names, attempt = Progress(build_in_stages(code)), list[str](), 0
    notable = {vault.name for vault in vaults() if PLAIN_TAG not in vault.header.tags}
    for stage in stages:
        if stage.attempt != attempt:
            vault_names, attempt = [], stage.attempt
        name, step = stage.caption.partition(": ")[2], stage.use.step.name
        holds_key = step == "mission_rooms" and name.endswith(")")
        if holds_key or ("vault" in step and name in notable):
            vault_names.append(name)
    level = stages.result
    return level, vault_names if attempt == len(level.rejected) else []
