"""The grammar of the commands that go through many levels."""

import argparse

from render.cli.options import generator_option, workers_options

FORMS = ("text", "csv", "jsonl", "codes")


def find_options(command: argparse.ArgumentParser) -> None:
    """Add what `find` may be told."""
    command.add_argument(
        "--where", metavar="CONDITION", help='of the metrics, e.g. "loops >= 6 and detour > 1.6"'
    )
    _levels(command, note="half-open (0:1000; 0:8 with --evolve)")
    command.add_argument("--format", choices=FORMS, default="text", help="of the lines (text)")
    command.add_argument("--limit", metavar="K", help="so many at most (all; 20 of the best)")
    which = command.add_argument_group("of all hits, show only (one of these)")
    highest = "the highest of e.g. path or path/floor; the lowest with --sort=-path"
    which.add_argument("--sort", metavar="NUMBER", help=highest)
    which.add_argument(
        "--closest", metavar="WISHES", help='the nearest to e.g. "path=120, loops=8"'
    )
    which.add_argument("--diverse", metavar="K", help="K as different from each other as can be")
    breeding = command.add_argument_group(
        "evolve a generator instead (needs requirements-evolve.txt)"
    )
    breeding.add_argument(
        "--evolve", metavar="WISHES", help='breed its numbers towards e.g. "path=120, loops=8"'
    )
    breeding.add_argument("--generations", metavar="N", help="for how long (25)")
    breeding.add_argument("--seed", metavar="S", help="of its chance, not of levels (0)")
    workers_options(command)


def survey_options(command: argparse.ArgumentParser) -> None:
    """Add what `survey` may be told."""
    _levels(command, note="half-open (0:200)")
    command.add_argument("--output", metavar="DIR", help="write one page with pictures there")
    command.add_argument("--force", action="store_true", help="overwrite it")
    command.add_argument(
        "--plane", metavar="X,Y", default="floor,detour", help="metrics of the maps (%(default)s)"
    )
    workers_options(command)


def _levels(command: argparse.ArgumentParser, note: str) -> None:
    generator_option(command, several=True)
    command.add_argument("--seeds", metavar="A:B", help=note)
    command.add_argument("--depth", metavar="N", default="1")
    command.add_argument("--size", metavar="WxH", help="instead of each generator's own")


def bench_options(command: argparse.ArgumentParser) -> None:
    """Add what `bench` may be told."""
    generator_option(command, several=True)
    command.add_argument("--levels", metavar="N", help="so many of each generator (20)")
    command.add_argument("--json", action="store_true", help="as a JSON object")
    command.add_argument("--against", metavar="FILE", help="show what `bench --json` wrote earlier")
