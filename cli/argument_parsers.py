"""The options of every command, with their help texts."""

import argparse
from collections.abc import Sequence
from typing import Any

from entities.program import PROGRAM, how_to_install

FORMATS = ("text", "json", "jsonl", "png", "gif", "html", "svg", "pdf", "tmj", "ldtk", "xp", "npz")
FIND_FORMATS = ("text", "csv", "jsonl", "codes")
SEED = "a whole number below 2^64, or any text"
SEEDS = "a range of seeds from A up to but without B"
OUTPUT = (
    "a file, or - for standard output; for several levels a folder, a file name to be numbered, "
    "or a pattern with {code}, {generator}, {seed}, {depth} or {number}"
)
OVERWRITE = "overwrite an existing file"
GENERATOR = f"a name from `{PROGRAM} list`, with overlays as in keep+flooded"
WINDOW = "play in the terminal instead of a window"


class _JoinWithCommas(argparse.Action):
    """Join all values of a repeated option with commas."""

    def __call__(
        self,
        _parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        _option: str | None = None,
    ) -> None:
        """Append ``values`` to the values given before."""
        before = getattr(namespace, self.dest)
        setattr(namespace, self.dest, f"{before},{values}" if before else values)


def generator_option(command: argparse.ArgumentParser, *, several: bool) -> None:
    """Add ``--generator``: one recipe, or ``several`` with commas between, or ``all``."""
    if several:
        note = f"{GENERATOR}, several as R,R or repeated, or all"
        command.add_argument("--generator", metavar="R", action=_JoinWithCommas, help=note)
    else:
        command.add_argument("--generator", metavar="R", help=GENERATOR)
    own_option(command)


def own_option(command: argparse.ArgumentParser) -> None:
    """Add ``--mine``: the folder of one's own."""
    command.add_argument(
        "--mine",
        metavar="DIR",
        default=argparse.SUPPRESS,
        help="the folder with your own recipes.toml, steps, samples, vaults, themes and tiles "
        "(default: $SEEDHOLLOW_MINE or the folder for options); steps/*.py there are programs "
        "that run",
    )


def set_option(command: argparse.ArgumentParser) -> None:
    """Add ``--set``: parameters of the recipe, changed."""
    command.add_argument(
        "--set",
        metavar="STEP.PARAMETER=VALUE",
        dest="settings",
        action="append",
        default=[],
        help="change a parameter of the generator, e.g. loops.at_most=3; may be repeated "
        f"(`{PROGRAM} list R` tells the parameters of R)",
    )


def workers_options(command: argparse.ArgumentParser) -> None:
    """Add ``--workers`` and ``--cluster``: where the work is done."""
    command.add_argument("--workers", metavar="N", help="number of processes (default: all cores)")
    command.add_argument(
        "--cluster", metavar="ADDRESS", help="a dask scheduler to use, e.g. tcp://host:8786"
    )


def data_option(command: argparse.ArgumentParser) -> None:
    """Add ``--data-dir``: where runs and pictures are kept."""
    note = "the folder for runs, options and scores (default: $SEEDHOLLOW_DATA or the system's own)"
    command.add_argument("--data-dir", metavar="DIR", default=argparse.SUPPRESS, help=note)


def play_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `play`, which also hold without a command."""
    generator_option(command, several=False)
    command.add_argument("--seed", metavar="S", help=SEED)
    command.add_argument("--depth", metavar="N", help="the depth to start at (default 1)")
    command.add_argument("--size", metavar="WxH", help="the size of every level, e.g. 120x60")
    set_option(command)
    command.add_argument(
        "--workshop", action="store_true", help="unscored, with free choice of levels"
    )
    command.add_argument("--terminal", action="store_true", help=WINDOW)
    command.add_argument(
        "--continue", dest="resume", action="store_true", help="continue the last unfinished run"
    )
    command.add_argument(
        "--take-over", metavar="FILE", help="start an unscored run where a recorded run ends"
    )
    command.add_argument(
        "--ghost", metavar="FILE", help="play the dungeon of a recorded run beside its ghost"
    )
    data_option(command)


def replay_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `replay`."""
    command.add_argument(
        "file", metavar="FILE", help=f"a run file, or a name from `{PROGRAM} runs`"
    )
    command.add_argument(
        "--verify", action="store_true", help="replay without a screen and print the final digest"
    )
    pace = "1/8 to 64, or max; 1 is eight turns a second"
    command.add_argument("--speed", metavar="X", help=pace)
    command.add_argument("--from-turn", metavar="N", help="start at turn N")
    command.add_argument("--terminal", action="store_true", help=WINDOW)
    film = command.add_argument_group("export as a film")
    film.add_argument(
        "--export", metavar="OUT", help="write OUT.cast (asciicast), OUT.gif or OUT.html"
    )
    film.add_argument("--to-turn", metavar="N", help="end at turn N")
    film.add_argument(
        "--export-size", metavar="CxR", help="size in columns and rows of text (default 100x36)"
    )
    film.add_argument("--idle", metavar="S", help="shorten waiting to S seconds (default 2)")
    film.add_argument("--force", action="store_true", help=OVERWRITE)
    command.add_argument(
        "--keyframes",
        action="store_true",
        help="watch a run of another version as far as its keyframes show it",
    )
    own_option(command)
    data_option(command)


def _level_options(command: argparse.ArgumentParser) -> None:
    """Add the options that choose levels: codes, or generators and seeds."""
    note = (
        "a level code, e.g. caves:42:3@80x45 or keep+flooded:42; - reads codes from standard "
        "input: text, CSV or JSON lines as `find` writes them; `map` also takes a file, see `check`"
    )
    command.add_argument("codes", metavar="CODE", nargs="*", help=note)
    generator_option(command, several=True)
    _seed_or_seeds(command, required=False)
    command.add_argument(
        "--depth", metavar="N", help="the depth, for codes without one (default 1)"
    )
    command.add_argument("--size", metavar="WxH", help="the size, for codes without one")
    set_option(command)


def _seed_or_seeds(command: argparse.ArgumentParser, *, required: bool) -> None:
    either = command.add_mutually_exclusive_group(required=required)
    either.add_argument("--seed", metavar="S", help=SEED)
    either.add_argument("--seeds", metavar="A:B", help=SEEDS)


def map_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `map`."""
    _level_options(command)
    command.add_argument("--at", metavar="X,Y", help="the centre of a window on an infinite world")
    command.add_argument(
        "--format", choices=FORMATS, help="default: by the ending of the output, else text"
    )
    command.add_argument("--output", metavar="PATH", help=OUTPUT)
    command.add_argument("--force", action="store_true", help=OVERWRITE)
    looks = command.add_argument_group("pictures")
    looks.add_argument("--tile", metavar="PX", help="pixels per tile side (not text, svg, pdf)")
    looks.add_argument(
        "--flat", action="store_true", help="one plain colour per tile (png, gif, html)"
    )
    looks.add_argument("--card", action="store_true", help="add name, code and metrics (png)")
    looks.add_argument("--captions", action="store_true", help="name the steps (gif)")
    looks.add_argument(
        "--frames", metavar="N", help="at most N frames (gif, html; default 100, 400)"
    )


def list_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `list`."""
    note = "a generator or a step to explain: what each parameter means, its range and its value"
    command.add_argument("names", metavar="NAME", nargs="*", help=note)
    command.add_argument("--steps", action="store_true", help="explain all steps")
    note = "name all tiles, and say which are pictures of your own"
    command.add_argument("--tiles", action="store_true", help=note)
    command.add_argument("--json", action="store_true", help="print a JSON array")
    command.add_argument("--infinite", action="store_true", help="only infinite worlds")
    own_option(command)


def check_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `check`."""
    note = "check this level instead: a map drawn as text (.txt), or one of the Tiled editor (.tmj)"
    command.add_argument("files", metavar="FILE", nargs="*", help=note)
    generator_option(command, several=True)
    command.add_argument(
        "--seeds", metavar="A:B", default="0:200", help=f"{SEEDS} (default %(default)s)"
    )
    command.add_argument("--size", metavar="WxH", help="default: each generator's own")
    set_option(command)
    workers_options(command)


def simulate_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `simulate`."""
    generator_option(command, several=False)
    command.add_argument(
        "--runs", metavar="N", help="number of runs (default 20, or one for each seed)"
    )
    _seed_or_seeds(command, required=False)
    command.add_argument(
        "--turns", metavar="N", default="20000", help="longest run in turns (default %(default)s)"
    )
    command.add_argument(
        "--bot",
        metavar="B",
        default="plain",
        help="plain (default), careless, careful, seedless (careful, plants no seed) or random",
    )
    command.add_argument("--output", metavar="DIR", help="write the run files to this folder")
    workers_options(command)


def gallery_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `gallery`."""
    _level_options(command)
    command.add_argument(
        "--columns", metavar="N", default="4", help="pictures per row (default %(default)s)"
    )
    command.add_argument(
        "--output", metavar="PATH", required=True, help="a PNG file, or - for standard output"
    )
    command.add_argument("--force", action="store_true", help=OVERWRITE)


def catalog_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `catalog`."""
    generator_option(command, several=False)
    _seed_or_seeds(command, required=True)
    depths = command.add_mutually_exclusive_group()
    depths.add_argument("--depth", metavar="N", help="only depth N")
    depths.add_argument("--depths", metavar="N", help="all depths from 1 to N (default 12)")
    workers_options(command)


def runs_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `runs`."""
    command.add_argument("--json", action="store_true", help="print a JSON array")
    command.add_argument("--delete", metavar="NAME", nargs="+", help="delete runs; asks first")
    command.add_argument("--yes", action="store_true", help="delete without asking")
    data_option(command)


def scores_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `scores`."""
    day = "the board of a daily dungeon, e.g. 2026-11-20 (default today)"
    command.add_argument("--daily", metavar="DAY", nargs="?", const="", help=day)
    command.add_argument(
        "--limit", metavar="N", default="20", help="at most N scores (default %(default)s)"
    )
    command.add_argument("--json", action="store_true", help="print a JSON array")
    data_option(command)


def find_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `find`."""
    command.add_argument(
        "--where",
        metavar="CONDITION",
        help='a condition on the metrics, e.g. "loops >= 6 and detour > 1.6"',
    )
    command.add_argument(
        "--words",
        metavar="TEXT",
        help='a request in words, e.g. "a flooded keep with a long detour and no dead ends"; '
        "prints what was understood, and the nearest levels first",
    )
    _range_options(command, default="0:1000; with --evolve 0:8, with --words 1000 levels in all")
    command.add_argument(
        "--format", choices=FIND_FORMATS, default="text", help="format of the lines (default text)"
    )
    command.add_argument(
        "--limit", metavar="K", help="at most K levels (default: all, the best 20, or 10 for words)"
    )
    which = command.add_argument_group("order or select the hits (one of these)")
    highest = "highest value first, e.g. path or path/floor; lowest first with --sort=-path"
    which.add_argument("--sort", metavar="NUMBER", help=highest)
    which.add_argument("--closest", metavar="GOALS", help='nearest first, e.g. "path=120, loops=8"')
    which.add_argument("--diverse", metavar="K", help="K levels as different as possible")
    evolution = command.add_argument_group(
        f"evolve a generator instead ({how_to_install('evolve')})"
    )
    evolution.add_argument(
        "--evolve",
        metavar="GOALS",
        help='optimise its parameters towards goals, e.g. "path=120, loops=8"',
    )
    evolution.add_argument("--generations", metavar="N", help="number of generations (default 25)")
    evolution.add_argument(
        "--seed", metavar="S", help="seed of the optimiser, not of the levels (default 0)"
    )
    workers_options(command)


def describe_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `describe`."""
    note = (
        "a level code, e.g. caves:42, or a file as `check` takes it; - reads codes from standard "
        "input, as `find` writes them"
    )
    command.add_argument("codes", metavar="CODE", nargs="+", help=note)
    own_option(command)


def survey_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `survey`."""
    _range_options(command, default="0:200")
    command.add_argument(
        "--output", metavar="DIR", help="write survey.html to this folder; - for standard output"
    )
    command.add_argument("--force", action="store_true", help=OVERWRITE)
    command.add_argument(
        "--plane",
        metavar="X,Y",
        default="floor,detour",
        help="the two metrics of the charts (default %(default)s)",
    )
    command.add_argument(
        "--strict",
        action="store_true",
        help="exit with code 6 if a generator varies little or two are alike",
    )
    workers_options(command)


def _range_options(command: argparse.ArgumentParser, default: str) -> None:
    generator_option(command, several=True)
    command.add_argument("--seeds", metavar="A:B", help=f"{SEEDS} (default {default})")
    command.add_argument("--depth", metavar="N", default="1", help="depth (default %(default)s)")
    command.add_argument("--size", metavar="WxH", help="default: each generator's own")
    set_option(command)


def bench_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `bench`."""
    generator_option(command, several=True)
    command.add_argument("--levels", metavar="N", help="levels per generator (default 20)")
    command.add_argument("--json", action="store_true", help="print a JSON object")
    command.add_argument(
        "--against", metavar="FILE", help="compare with the output of an earlier `bench --json`"
    )
    command.add_argument(
        "--peers",
        action="store_true",
        help="time our algorithms beside those of rot.js (npm install rot-js), and nothing else",
    )
