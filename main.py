"""The door: parse the command line, dispatch."""

import argparse
import gc
import os
import signal
import sys

from cli.argument_parsers import (
    bench_options,
    catalog_options,
    find_options,
    gallery_options,
    generator_option,
    map_options,
    play_options,
    replay_options,
    runs_options,
    scores_options,
    simulate_options,
    survey_options,
    workers_options,
)
from workbench.search.interrupts import handle_interrupts

USAGE, FAILURE, INTERRUPTED = 2, 1, 130


def parser() -> argparse.ArgumentParser:
    """Return the command line's grammar; importing nothing heavy keeps --help quick."""
    top = argparse.ArgumentParser(
        prog="main.py",
        description="Seedhollow: a roguelike whose dungeons grow from a seed.",
        epilog="Without a command it plays: a title menu, or at once with --seed or --generator.",
    )
    top.add_argument("--version", action="version", version="Seedhollow 0.1.0")
    play_options(top)
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    play = commands.add_parser("play", help="start playing")
    play_options(play)
    replay_options(commands.add_parser("replay", help="watch or check a recorded run"))
    map_options(commands.add_parser("map", help="generate levels"))
    listing = commands.add_parser("list", help="the generators and their parameters")
    listing.add_argument("--json", action="store_true", help="as a JSON array")
    listing.add_argument("--endless", action="store_true", help="only the worlds without an edge")
    check = commands.add_parser("check", help="hold many levels to every promise")
    generator_option(check, several=True)
    check.add_argument("--seeds", metavar="A:B", default="0:200", help="half-open (%(default)s)")
    check.add_argument("--size", metavar="WxH", help="instead of each generator's own")
    workers_options(check)
    survey_options(commands.add_parser("survey", help="what generators make: metrics, a page"))
    find_options(commands.add_parser("find", help="search seeds for levels by their metrics"))
    simulate_options(commands.add_parser("simulate", help="let a bot play headless"))
    catalog_options(commands.add_parser("catalog", help="what lies on each depth of seeds, as CSV"))
    scores_options(commands.add_parser("scores", help="high scores; boards of daily dungeons"))
    runs_options(commands.add_parser("runs", help="the recorded runs; delete some"))
    gallery_options(commands.add_parser("gallery", help="a contact sheet of levels as a picture"))
    bench_options(commands.add_parser("bench", help="how long things take: levels, play, pictures"))
    return top


def dispatch(options: argparse.Namespace) -> int:
    """Run the chosen command; import its parts only now."""
    match options.command:
        case "replay":
            from cli.replay import replay_run as command
        case "map":
            from cli.map import write_maps as command
        case "list":
            from cli.list import list_generators as command
        case "check":
            from cli.check import check_levels as command
        case "survey":
            from cli.survey import survey_generators as command
        case "find":
            from cli.find import find_levels as command
        case "simulate":
            from cli.simulate import simulate_runs as command
        case "catalog":
            from cli.catalog import write_catalog as command
        case "runs":
            from cli.runs import list_runs as command
        case "scores":
            from cli.scores import show_scores as command
        case "gallery":
            from cli.gallery import write_gallery as command
        case "bench":
            from cli.bench import run_benchmark as command
        case _:
            from cli.play import play_game as command
    _freeze_garbage_collector()
    return command(options)


def _freeze_garbage_collector() -> None:
    """Spare the garbage collector all that is loaded by now, as it stays to the end.

    To look through it takes as long as two levels take to build, in the middle of one or of a turn.
    """
    if not gc.get_freeze_count():
        gc.freeze()


def main(arguments: list[str] | None = None) -> int:
    """Return the exit code of the command that ``arguments`` ask for."""
    top = parser()
    options = top.parse_args(arguments)
    if options.command and (
        early := _options_before_command(sys.argv[1:] if arguments is None else arguments)
    ):
        top.error(f"say {', '.join(early)} after {options.command!r}, not before")
    if "data_dir" in options:
        os.environ["SEEDHOLLOW_DATA"] = options.data_dir
    from cli.errors import run_command

    try:
        with handle_interrupts():
            return run_command(dispatch, options)
    except KeyboardInterrupt:
        return INTERRUPTED


def _options_before_command(arguments: list[str]) -> list[str]:
    """Return the options of play before a command: it would forget them without a word."""
    front = argparse.ArgumentParser(add_help=False)
    play_options(front)
    front.add_argument("rest", nargs=argparse.REMAINDER)
    before = arguments[: len(arguments) - len(front.parse_args(arguments).rest)]
    names = [word.partition("=")[0] for word in before if word.startswith("--")]
    return [name for name in names if not "--data-dir".startswith(name)]


def replace_closed_streams() -> None:
    """Let what was closed by whoever started us swallow what is written, as a window has none.

    Python has None for it then, and would print what is meant for the one on the other.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123


if __name__ == "__main__":
    replace_closed_streams()
    left = main()
    if left == INTERRUPTED:  # whoever presses Ctrl-C once more has been heard already
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(left)
