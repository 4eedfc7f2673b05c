"""`survey`: what generators really make, over many seeds."""

import argparse
import shlex
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from cli.arguments import generators, number, seed_range, size
from cli.errors import INTERRUPTED, OK, UsageError
from cli.output import made_folder, new_file, progress
from procgen.level_code import LevelCode
from procgen.metric_query import nearest
from workbench.search.process_pool import ordered
from workbench.search.search_jobs import NAMES, Share, carried_out, jobs
from workbench.survey.recipe_statistics import Portrait, Sittings, drawn, sit, told
from workbench.survey.survey_page import page

MOST = 2_000_000
"""How many levels a survey may hold: about 80 bytes of memory each."""
SEEDS, PAGE = "0:200", "survey.html"


def survey(options: argparse.Namespace) -> int:
    """Print a table for each recipe; with ``--output`` write the page as well.

    After Ctrl-C it tells of what was measured so far, with exit 130 and without a page.
    """
    recipes, seeds = generators(options.generator), seed_range(options.seeds or SEEDS)
    depth, shape = number(options.depth, "--depth") or 1, size(options.size)
    codes = [recipe.code(0, depth, shape) for recipe in recipes]
    if len(codes) * len(seeds) > MOST:
        raise UsageError(f"a survey holds at most {MOST:,} levels; take fewer seeds")
    plane, target = _plane(options.plane), _target(options)
    sittings, code = Sittings(), OK
    try:
        sit(sittings, _shares(options, codes, seeds))
    except KeyboardInterrupt:
        code = INTERRUPTED
        print("stopped early: this is what was measured so far", file=sys.stderr)
    found = drawn(sittings)
    for sentence in [sentence for portrait in found for sentence in portrait.failed][:5]:
        print(f"not built: {sentence}", file=sys.stderr)
    told(Console(), found)
    if target and code == OK:
        _write(found, plane, target, options)
    return code


def _shares(options: argparse.Namespace, codes: list[LevelCode], seeds: range) -> Iterator[Share]:
    workers = number(options.workers, "--workers", high=256)
    shares = ordered(carried_out, jobs(codes, seeds), workers, options.cluster)
    total = len(seeds) * len(codes)
    with progress("measuring", total, hits=False) as report, closing(shares):
        for share in shares:
            yield share
            report(share.tried, 0)


def _plane(text: str) -> tuple[str, str]:
    """Return the two metrics of the maps."""
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in NAMES:
            raise UsageError(f"--plane: {nearest(name, NAMES)}")
    if len(names) != 2 or names[0] == names[1]:
        raise UsageError(f"--plane {text!r} is not two metrics such as floor,detour")
    return names[0], names[1]


def _target(options: argparse.Namespace) -> Path | None:
    """Return where the page goes, if one is wanted and nothing is in its way."""
    if not options.output:
        return None
    target = Path(options.output) / PAGE
    if target.exists() and not options.force:
        raise UsageError(f"{target} exists already and is not overwritten without --force")
    made_folder(target.parent)
    return target


def _write(
    found: list[Portrait], plane: tuple[str, str], target: Path, options: argparse.Namespace
) -> None:
    shown = [portrait for portrait in found if len(portrait.seeds)]
    if not shown:
        raise UsageError("no level could be built, so there is nothing to show")
    quiet = not sys.stderr.isatty()
    with Progress(console=Console(stderr=True), transient=True, disable=quiet) as bar:
        task = bar.add_task("drawing", total=len(shown))
        text = page(shown, plane, _command(options), lambda: bar.advance(task))
    with new_file(target, force=options.force) as out:
        out.write(text.encode())
    if not quiet:
        print(f"the page is {target}", file=sys.stderr)


def _command(options: argparse.Namespace) -> str:
    """Return the command that makes the page again."""
    words = ["python", "main.py", "survey"]
    for name in ("generator", "seeds", "depth", "size", "plane"):
        if getattr(options, name) is not None:
            words += [f"--{name}", getattr(options, name)]
    return shlex.join([*words, "--output", "DIR"])
