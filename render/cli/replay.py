"""`replay`: watch a recorded run, or check that it still comes out as recorded."""

import argparse
import sys
from pathlib import Path

from engine.record import read_run
from engine.run import Playback
from render.cli.asking import number
from render.cli.faults import OK, UsageError


def replay(options: argparse.Namespace) -> int:
    """Play the file headless with ``--verify``, else show it."""
    recorded = read_run(Path(options.file))
    if recorded.torn:
        print("main.py: the last line is incomplete and is left out", file=sys.stderr)
    if options.verify:
        playback = Playback(recorded)
        for _ in playback.to_end():
            pass
        world = playback.engine.world
        print(f"turns   {playback.position}")
        print(f"digest  {world.digest()}")
        print(f"level   {world.code}")
        print(f"end     {recorded.end or 'unfinished'}")
        return OK
    speed = _speed(options.speed)
    turn = number(options.from_turn, "--from-turn", low=0, high=10**8) or 0
    from render.cli.play import watch  # noqa: PLC0415 - the faces are heavy

    return watch(recorded, terminal=options.terminal, speed=speed, from_turn=turn)


def _speed(text: str | None) -> float:
    try:
        speed = float(text) if text else 1.0
    except ValueError:
        speed = 0.0
    if not 0.125 <= speed <= 64:
        raise UsageError(f"--speed {text} must be from 0.125 to 64")
    return speed
