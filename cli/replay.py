"""`replay`: watch, verify or export a recorded run."""

import argparse
import math
import sys
from fractions import Fraction
from pathlib import Path

from cli.arguments import optional_int
from cli.errors import KEYFRAMES_HINT, OK, UsageError
from engine.saves.digests import state_digest
from engine.saves.files import recorded_paths
from engine.saves.keyframes import keyframes_path
from engine.saves.playback import Playback
from engine.saves.run_file import OtherVersion, RecordedRun, read_run
from entities.program import PROGRAM
from render.replays.replay_player import FASTEST, SLOWEST
from render.ui.text import printable


def replay_run(options: argparse.Namespace) -> int:
    """Verify the run with ``--verify``, write a film with ``--export``, or show it."""
    if options.export and options.speed == "max":
        raise UsageError("--speed max cannot be exported; give a number up to 64")
    recorded = _read_recording(options)
    if options.verify:
        return _verify(recorded)
    speed = _speed(options.speed)
    if options.export:
        from cli.export_replay import export_replay  # noqa: PLC0415 - heavy, and only where asked for

        return export_replay(recorded, options, speed)
    turn = optional_int(options.from_turn, "--from-turn", low=0, high=10**8) or 0
    from cli.play import watch_replay  # noqa: PLC0415 - heavy, and only where asked for

    return watch_replay(recorded, terminal=options.terminal, speed=speed, from_turn=turn)


def _read_recording(options: argparse.Namespace) -> RecordedRun:
    """Read the run as far as it can be shown; print what is wrong with it."""
    recorded = read_run(_run_path(options.file), tolerant=True)
    fault = recorded.fault
    if isinstance(fault, OtherVersion):
        if options.verify or options.export or not options.keyframes:
            kept = keyframes_path(recorded.path).exists()
            left = KEYFRAMES_HINT if kept else "it has no keyframes to watch"
            raise OtherVersion(f"{fault}; {left}") from None
    elif fault and (options.verify or not recorded.actions):
        raise fault
    elif fault:
        print(f"{PROGRAM}: {printable(str(fault))}", file=sys.stderr)
    if recorded.torn:
        print(f"{PROGRAM}: the last line is incomplete and is ignored", file=sys.stderr)
    return recorded


def _run_path(name: str) -> Path:
    """Return the path of a run given as a file or, as `runs` lists it, by name."""
    path = Path(name)
    if path.exists():
        return path
    known = (found for found in recorded_paths() if name in {found.name, found.stem})
    return next(known, path)


def _verify(recorded: RecordedRun) -> int:
    """Play a run headless and print where it came out."""
    playback = Playback(recorded)
    for _ in playback.to_end():
        pass
    playback.check_end()
    state = playback.engine.state
    print(f"turns   {playback.position}")
    print(f"digest  {state_digest(state)}")
    print(f"level   {state.code}")
    print(f"end     {printable(recorded.end or 'unfinished')}")
    return OK


def _speed(text: str | None) -> float:
    if text == "max":
        return math.inf
    try:
        speed = float(Fraction(text)) if text else 1.0
    except (ValueError, ArithmeticError):
        speed = 0.0
    if not SLOWEST <= speed <= FASTEST:
        raise UsageError(f"--speed {text} must be from 1/8 to 64, or max")
    return speed
