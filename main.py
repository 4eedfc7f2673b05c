"""The door: parse the command line, dispatch."""

import argparse
import sys

USAGE, FAILURE, INTERRUPTED = 2, 1, 130


def parser() -> argparse.ArgumentParser:
    """Return the command line's grammar; importing nothing heavy keeps --help quick."""
    top = argparse.ArgumentParser(
        prog="main.py",
        description="Seedhollow: a roguelike whose dungeons grow from a seed.",
        epilog="Without a command it plays: a title menu, or at once with --seed or --generator.",
    )
    top.add_argument("--version", action="version", version="Seedhollow 0.1.0")
    _play_options(top)
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    play = commands.add_parser("play", help="start playing")
    _play_options(play)
    _replay(commands.add_parser("replay", help="watch or check a recorded run"))
    _map(commands.add_parser("map", help="generate levels"))
    listing = commands.add_parser("list", help="the generators and their parameters")
    listing.add_argument("--json", action="store_true", help="as a JSON array")
    check = commands.add_parser("check", help="hold many levels to every promise")
    _generator(check, several=True)
    check.add_argument("--seeds", metavar="A:B", default="0:200", help="half-open (%(default)s)")
    check.add_argument("--size", metavar="WxH", help="instead of each generator's own")
    _simulate(commands.add_parser("simulate", help="let a bot play headless"))
    _gallery(commands.add_parser("gallery", help="a contact sheet of levels as a picture"))
    return top


def _generator(command: argparse.ArgumentParser, *, several: bool) -> None:
    note = "one of `main.py list`" + (", or all" if several else "")
    command.add_argument("--generator", metavar="R", help=note)


def _play_options(command: argparse.ArgumentParser) -> None:
    _generator(command, several=False)
    command.add_argument("--seed", metavar="S", help="a number below 2^64, or any text")
    command.add_argument("--depth", metavar="N", help="the depth to begin at")
    command.add_argument("--size", metavar="WxH", help="of every level, e.g. 120x60")
    command.add_argument("--workshop", action="store_true", help="switch levels freely, unscored")
    command.add_argument("--terminal", action="store_true", help="in the terminal, not a window")
    command.add_argument(
        "--continue", dest="resume", action="store_true", help="go on with the last unfinished run"
    )


def _replay(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", metavar="FILE")
    command.add_argument("--verify", action="store_true", help="play it headless; print the digest")
    command.add_argument("--speed", metavar="X", help="1 is eight turns a second")
    command.add_argument("--from-turn", metavar="N", help="skip ahead to this turn")
    command.add_argument("--terminal", action="store_true", help="in the terminal, not a window")


def _map(command: argparse.ArgumentParser) -> None:
    command.add_argument("codes", metavar="CODE", nargs="*", help="e.g. caves:42:3@80x45")
    _generator(command, several=True)
    seeds = command.add_mutually_exclusive_group()
    seeds.add_argument("--seed", metavar="S", help="a number below 2^64, or any text")
    seeds.add_argument("--seeds", metavar="A:B", help="many seeds, half-open")
    command.add_argument("--depth", metavar="N", default="1")
    command.add_argument("--size", metavar="WxH")
    command.add_argument(
        "--format", choices=("text", "json", "jsonl"), default="text", help="(%(default)s)"
    )
    command.add_argument("--output", metavar="PATH", help="a file instead of standard output")


def _simulate(command: argparse.ArgumentParser) -> None:
    _generator(command, several=False)
    command.add_argument("--runs", metavar="N", help="how many runs (20)")
    command.add_argument("--seeds", metavar="A:B", help="one run a seed, half-open")
    command.add_argument("--turns", metavar="N", default="20000", help="the most a run may take")
    command.add_argument("--output", metavar="DIR", help="write the run files there")


def _gallery(command: argparse.ArgumentParser) -> None:
    _generator(command, several=True)
    seeds = command.add_mutually_exclusive_group()
    seeds.add_argument("--seed", metavar="S", help="a number below 2^64, or any text")
    seeds.add_argument("--seeds", metavar="A:B", help="many seeds, half-open")
    command.add_argument("--depth", metavar="N", default="1")
    command.add_argument("--size", metavar="WxH")
    command.add_argument("--columns", metavar="N", default="4", help="pictures a row (%(default)s)")
    command.add_argument("--output", metavar="PATH", required=True, help="the PNG to write")
    command.add_argument("--force", action="store_true", help="overwrite it")


def dispatch(options: argparse.Namespace) -> int:
    """Run the chosen command; import its parts only now."""
    match options.command:
        case "replay":
            from render.cli.replay import replay as command
        case "map":
            from render.cli.map import maps as command
        case "list":
            from render.cli.listing import listing as command
        case "check":
            from render.cli.check import check as command
        case "simulate":
            from render.cli.simulate import simulate as command
        case "gallery":
            from render.cli.gallery import gallery as command
        case _:
            from render.cli.play import play as command
    return command(options)


def main(arguments: list[str] | None = None) -> int:
    """Return the exit code of the command that ``arguments`` ask for."""
    options = parser().parse_args(arguments)
    from render.cli.faults import explained

    try:
        return explained(dispatch, options)
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
