"""`replay`: watch or verify a recorded run, or write it as an asciicast, a GIF or a page."""

import argparse
import math
import re
import sys
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from pathlib import Path

from cli.arguments import optional_int, run_path
from cli.errors import FAILURE, OK, UsageError, keyframes_hint
from cli.output import create_file, progress_bar
from engine.saves.digests import state_digest
from engine.saves.high_scores import why_unscored
from engine.saves.playback import Playback
from engine.saves.run_file import OtherVersion, RecordedRun, read_run
from entities.program import PROGRAM
from render.map.place_names import level_code_around
from render.panels.morgue import ending_text
from render.replays.replay_player import FASTEST, SLOWEST
from render.ui.frame import Frame
from render.ui.text import printable
from workbench.images.gif_writer import gif_pieces
from workbench.recordings import frames
from workbench.recordings.asciicast import asciicast

RATES = {".cast": 30.0, ".gif": 12.5, ".html": 12.5}
MAX_FRAMES = {".cast": 10**6, ".gif": 2000, ".html": 1500}
"""The most frames per second and the most frames of an export, by file ending."""
SAMPLES = 40
"""The number of frames from which the palette of a GIF is chosen."""


def replay_run(options: argparse.Namespace) -> int:
    """Verify the run with ``--verify``, write a film with ``--export``, or show it."""
    if options.export and options.speed == "max":
        raise UsageError("--speed max cannot be exported; give a number up to 64")
    recorded = _read_recording(options)
    if options.verify:
        return _verify(recorded)
    speed = _speed(options.speed)
    if options.export:
        return export_replay(recorded, options, speed)
    turn = optional_int(options.from_turn, "--from-turn", low=0, high=10**8) or 0
    from cli.play import watch_replay  # noqa: PLC0415 - heavy, and only needed here

    return watch_replay(recorded, terminal=options.terminal, speed=speed, from_turn=turn)


def _read_recording(options: argparse.Namespace) -> RecordedRun:
    """Read a run by path or by its name in `runs`, as far as possible; print what is wrong."""
    recorded = read_run(run_path(options.file), tolerant=True)
    fault = recorded.fault
    if isinstance(fault, OtherVersion):
        if options.verify or options.export or not options.keyframes:
            raise OtherVersion(f"{fault}; {keyframes_hint(recorded.path)}") from None
    elif fault and (options.verify or not recorded.actions):
        raise fault
    elif fault:
        print(f"{PROGRAM}: {printable(str(fault))}", file=sys.stderr)
    if recorded.torn:
        print(f"{PROGRAM}: the last line is incomplete and is ignored", file=sys.stderr)
    return recorded


def _verify(recorded: RecordedRun) -> int:
    """Play a run without display and print how it ended."""
    state = Playback(recorded).verify()
    print(f"turns   {len(recorded.actions)}")
    print(f"digest  {state_digest(state)}")
    print(f"level   {level_code_around(state)}")
    print(f"end     {printable(ending_text(recorded.end or recorded.header.open_result))}")
    why = why_unscored(recorded.header, state)
    print(f"scored  {f'no, {why}' if why else 'yes'}")
    return OK


def _speed(text: str | None) -> float:
    if text == "max":
        return math.inf
    try:
        speed = float(Fraction(text) if "/" in text else text) if text else 1.0
    except (ValueError, ArithmeticError):
        speed = 0.0
    if not SLOWEST <= speed <= FASTEST:
        raise UsageError(f"--speed {text} must be from 1/8 to 64, or max")
    return speed


def export_replay(recorded: RecordedRun, options: argparse.Namespace, speed: float) -> int:
    """Write the film to the file that ``--export`` names; return `FAILURE` for a damaged run."""
    target = Path(options.export)
    kind = target.suffix.lower()
    if kind not in RATES:
        raise UsageError(f"--export {target}: the name must end in .cast, .gif or .html")
    columns, rows = _frame_size(options.export_size or "100x36")
    idle = _idle_seconds(options.idle or "2")
    actions = [action for action, *_ in recorded.actions]
    turns = _turn_range(options, len(actions))
    cut = frames.FilmOptions(*turns, speed, idle, RATES[kind], MAX_FRAMES[kind])
    chosen = frames.frame_times(actions, cut)
    make: Callable[[int, int], Frame] = Frame if kind == ".cast" else frames.empty_frame

    def drawn(times: list[frames.FrameTime], doing: str) -> Iterable[frames.RecordedFrame]:
        """Draw the frames, with a progress bar if stderr is a terminal."""
        shots = frames.recorded_frames(recorded, times, partial(make, columns, rows))
        return progress_bar(shots, doing, len(times))

    with create_file(target, force=options.force) as out:
        if kind == ".cast":
            pieces = asciicast(recorded, drawn(chosen, "writing"), idle)
        elif kind == ".html":
            page = frames.run_page(recorded, drawn(chosen, "drawing"), Path(options.file).name)
            pieces = iter([page])
        else:
            samples = chosen[:: max(1, len(chosen) // SAMPLES)]
            palettes = frames.level_palettes(drawn(samples, "choosing colours"))
            pieces = gif_pieces(frames.gif_frames(drawn(chosen, "writing"), palettes))
        for piece in pieces:
            out.write(piece)
    size, seconds = target.stat().st_size, chosen[-1].time
    summary = f"turns {cut.first} to {cut.last}, {seconds:.1f} s, {len(chosen)} frames"
    print(f"{target}: {summary}, {size / 1e6:.1f} MB", file=sys.stderr)
    return FAILURE if recorded.fault else OK


def _turn_range(options: argparse.Namespace, total: int) -> tuple[int, int]:
    first = optional_int(options.from_turn, "--from-turn", low=0, high=total) or 0
    last = optional_int(options.to_turn, "--to-turn", low=0, high=total)
    last = total if last is None else last
    if first > last:
        raise UsageError(f"--from-turn {first} comes after --to-turn {last}")
    return first, last


def _frame_size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{1,4})x([0-9]{1,4})", text.strip().lower())
    columns, rows = (int(match[1]), int(match[2])) if match else (0, 0)
    if not (40 <= columns <= 240 and 16 <= rows <= 80):
        raise UsageError(f"--export-size {text!r} must be from 40x16 to 240x80 characters")
    return columns, rows


def _idle_seconds(text: str) -> float:
    match = re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,4})?", text.strip())
    seconds = float(match[0]) if match else 0.0
    if not 0.1 <= seconds <= 3600:
        raise UsageError(f"--idle {text!r} must be a number of seconds from 0.1 to 3600")
    return seconds
