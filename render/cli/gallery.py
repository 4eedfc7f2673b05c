"""`gallery`: a contact sheet of generators or of seeds."""

import argparse
import sys
from pathlib import Path

from procgen.build import build
from render.cli.asking import generators, number, seeds, size
from render.cli.faults import OK, UsageError
from render.pictures import contact_sheet

MOST = 400


def gallery(options: argparse.Namespace) -> int:
    """Write one PNG with a small picture of every level asked for."""
    target = Path(options.output)
    if target.exists() and not options.force:
        raise UsageError(f"{target} exists already; --force overwrites it")
    depth, shape = number(options.depth, "--depth") or 1, size(options.size)
    columns = number(options.columns, "--columns", high=20) or 4
    codes = [
        recipe.code(seed, depth, shape)
        for recipe in generators(options.generator)
        for seed in seeds(options.seed, options.seeds)
    ]
    if len(codes) > MOST:
        raise UsageError(f"a sheet holds at most {MOST} levels, not {len(codes)}")
    levels = [(f"{code.recipe}  {code.seed}:{code.depth}", build(code)) for code in codes]
    contact_sheet(levels, columns).save(target, "PNG")
    print(f"{len(levels)} levels in {target}", file=sys.stderr)
    return OK
