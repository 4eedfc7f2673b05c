"""The grammar of each command: which options there are, and a line on each."""

import argparse
from collections.abc import Sequence
from typing import Any

FORMATS = ("text", "json", "jsonl", "png", "gif", "tmj", "xp", "npz")
SEED = "a number below 2^64, or any text"
OUTPUT = (
    "a file; for several levels a folder, a name to number, or a pattern with {code}, "
    "{generator}, {seed}, {depth} or {number}"
)


def generator_option(command: argparse.ArgumentParser, *, several: bool) -> None:
    """Let ``--generator`` name a recipe, or ``all`` of them."""
    if several:
        note = "of `main.py list`, or all; several as R,R or given again"
        command.add_argument("--generator", metavar="R", action=_JoinWithCommas, help=note)
    else:
        command.add_argument("--generator", metavar="R", help="one of `main.py list`")


class _JoinWithCommas(argparse.Action):
    """Keeps all that an option was given, with commas between."""

    def __call__(
        self,
        _parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        _option: str | None = None,
    ) -> None:
        """Add what is given to what was given before."""
        before = getattr(namespace, self.dest)
        setattr(namespace, self.dest, f"{before},{values}" if before else values)


def workers_options(command: argparse.ArgumentParser) -> None:
    """Let ``--workers`` and ``--cluster`` say who does the work."""
    command.add_argument("--workers", metavar="N", help="processes (as many as there are cores)")
    command.add_argument(
        "--cluster", metavar="ADDRESS", help="of a dask scheduler, e.g. tcp://host:8786"
    )


def data_option(command: argparse.ArgumentParser) -> None:
    """Let ``--data-dir`` say where runs and pictures are kept."""
    note = "where runs are kept, instead of the usual place or $SEEDHOLLOW_DATA"
    command.add_argument("--data-dir", metavar="DIR", default=argparse.SUPPRESS, help=note)


def play_options(command: argparse.ArgumentParser) -> None:
    """Add what `play`, and no command at all, may be told."""
    generator_option(command, several=False)
    command.add_argument("--seed", metavar="S", help=SEED)
    command.add_argument("--depth", metavar="N", help="the depth to begin at")
    command.add_argument("--size", metavar="WxH", help="of every level, e.g. 120x60")
    command.add_argument("--workshop", action="store_true", help="switch levels freely, unscored")
    command.add_argument("--terminal", action="store_true", help="in the terminal, not a window")
    command.add_argument(
        "--continue", dest="resume", action="store_true", help="go on with the last unfinished run"
    )
    command.add_argument(
        "--take-over", metavar="FILE", help="a new unscored run from where a recorded one stands"
    )
    data_option(command)


def replay_options(command: argparse.ArgumentParser) -> None:
    """Add what `replay` may be told."""
    command.add_argument("file", metavar="FILE")
    command.add_argument("--verify", action="store_true", help="play it headless; print the digest")
    pace = "1/8 to 64, or max; 1 is eight turns a second"
    command.add_argument("--speed", metavar="X", help=pace)
    command.add_argument("--from-turn", metavar="N", help="skip ahead to this turn")
    command.add_argument("--terminal", action="store_true", help="in the terminal, not a window")
    film = command.add_argument_group("as a film")
    film.add_argument("--export", metavar="OUT", help="write OUT.cast (asciicast) or OUT.gif")
    film.add_argument("--to-turn", metavar="N", help="end on this turn")
    film.add_argument("--export-size", metavar="CxR", help="columns and rows of letters (100x36)")
    film.add_argument("--idle", metavar="S", help="the most seconds any waiting may take (2)")
    film.add_argument("--force", action="store_true", help="overwrite OUT")
    command.add_argument(
        "--keyframes", action="store_true", help="watch what can be of another version's run"
    )
    data_option(command)


def _level_options(command: argparse.ArgumentParser) -> None:
    """Let codes, or generators and seeds, say which levels are meant."""
    _code_option(command)
    generator_option(command, several=True)
    _seed_or_seeds(command, required=False)
    command.add_argument("--depth", metavar="N", help="where the code says none (1)")
    command.add_argument("--size", metavar="WxH", help="where the code says none")


def _seed_or_seeds(command: argparse.ArgumentParser, *, required: bool) -> None:
    either = command.add_mutually_exclusive_group(required=required)
    either.add_argument("--seed", metavar="S", help=SEED)
    either.add_argument("--seeds", metavar="A:B", help="many seeds, half-open")


def map_options(command: argparse.ArgumentParser) -> None:
    """Add what `map` may be told."""
    _level_options(command)
    command.add_argument("--at", metavar="X,Y", help="the middle of a window on an endless world")
    command.add_argument(
        "--format", choices=FORMATS, help="text, or what the name of the output ends in"
    )
    command.add_argument("--output", metavar="PATH", help=OUTPUT)
    command.add_argument("--force", action="store_true", help="overwrite what is there")
    looks = command.add_argument_group("pictures")
    looks.add_argument("--tile", metavar="PX", help="the side of a tile in png, gif and tmj")
    looks.add_argument("--flat", action="store_true", help="plain colours (png, gif)")
    looks.add_argument("--card", action="store_true", help="with its name and metrics (png)")
    looks.add_argument("--captions", action="store_true", help="say what happens (gif)")
    looks.add_argument("--frames", metavar="N", help="at most so many pictures (gif; 100)")


def _code_option(command: argparse.ArgumentParser) -> None:
    note = "e.g. caves:42:3@80x45; - reads them from standard input, as `find` writes them"
    command.add_argument("codes", metavar="CODE", nargs="*", help=note)


def simulate_options(command: argparse.ArgumentParser) -> None:
    """Add what `simulate` may be told."""
    generator_option(command, several=False)
    command.add_argument("--runs", metavar="N", help="how many runs (20, or a run a seed)")
    command.add_argument("--seeds", metavar="A:B", help="their seeds, half-open")
    command.add_argument("--turns", metavar="N", default="20000", help="the most a run may take")
    tempers = "plain (the default), careless, careful or random"
    command.add_argument("--bot", metavar="B", default="plain", help=f"who plays: {tempers}")
    command.add_argument("--output", metavar="DIR", help="write the run files there")
    workers_options(command)


def gallery_options(command: argparse.ArgumentParser) -> None:
    """Add what `gallery` may be told."""
    _level_options(command)
    command.add_argument("--columns", metavar="N", default="4", help="pictures a row (%(default)s)")
    command.add_argument("--output", metavar="PATH", required=True, help="the PNG to write")
    command.add_argument("--force", action="store_true", help="overwrite it")


def catalog_options(command: argparse.ArgumentParser) -> None:
    """Add what `catalog` may be told."""
    generator_option(command, several=False)
    _seed_or_seeds(command, required=True)
    command.add_argument("--depths", metavar="N", default="12", help="down to here (%(default)s)")
    workers_options(command)


def runs_options(command: argparse.ArgumentParser) -> None:
    """Add what `runs` may be told."""
    command.add_argument("--json", action="store_true", help="as a JSON array")
    command.add_argument("--delete", metavar="NAME", nargs="+", help="delete runs; asks first")
    command.add_argument("--yes", action="store_true", help="do not ask")
    data_option(command)


def scores_options(command: argparse.ArgumentParser) -> None:
    """Add what `scores` may be told."""
    day = "the board of a day's dungeon, e.g. 2026-11-20; today's without a day"
    command.add_argument("--daily", metavar="DAY", nargs="?", const="", help=day)
    command.add_argument("--limit", metavar="N", default="20", help="so many (%(default)s)")
    command.add_argument("--json", action="store_true", help="as a JSON array")
    data_option(command)


FIND_FORMATS = ("text", "csv", "jsonl", "codes")


def find_options(command: argparse.ArgumentParser) -> None:
    """Add what `find` may be told."""
    command.add_argument(
        "--where", metavar="CONDITION", help='of the metrics, e.g. "loops >= 6 and detour > 1.6"'
    )
    _seed_options(command, note="half-open (0:1000; 0:8 with --evolve)")
    command.add_argument(
        "--format", choices=FIND_FORMATS, default="text", help="of the lines (text)"
    )
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
    _seed_options(command, note="half-open (0:200)")
    command.add_argument("--output", metavar="DIR", help="write one page with pictures there")
    command.add_argument("--force", action="store_true", help="overwrite it")
    command.add_argument(
        "--plane", metavar="X,Y", default="floor,detour", help="metrics of the maps (%(default)s)"
    )
    workers_options(command)


def _seed_options(command: argparse.ArgumentParser, note: str) -> None:
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
