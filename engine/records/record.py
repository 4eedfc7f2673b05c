"""Reading a run file, whoever wrote it: it is the save and the replay.

What is wrong with one is said in a sentence, and a run of another version is told from damage.
"""

from array import array
from pathlib import Path
from typing import IO

import msgspec

from engine.actions import Action
from engine.records.lines import Arrival, Header, Line, identity_of
from engine.records.version import FORMAT, PROGRAM, RULES
from engine.setup import visited
from procgen.recipes import UnknownRecipe

LONGEST_HEADER = 1 << 20
LONGEST_LINE = 4096

_read_header = msgspec.json.Decoder(Header).decode
_read_line = msgspec.json.Decoder(Line).decode
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class RunFileError(Exception):
    """A run file cannot be read or written; the message is one sentence."""


class OtherVersion(RunFileError):
    """A run file was written by a version under whose rules or recipes it plays otherwise."""


class RecordedRun(msgspec.Struct):
    """A run as read: its header, its actions with their digests, and how it ended, if it did.

    ``arrivals`` are the levels by the number of actions before them, the first at 0; ``ends``
    the length of the file after the header and after each action. ``complete`` is the number of
    bytes up to the last whole line; ``torn`` tells that more followed, which a killed process
    leaves behind, ``size`` the bytes there were. ``fault`` is what else is wrong with it.
    """

    path: Path
    header: Header
    identity: bytes
    actions: list[tuple[Action, str]]
    arrivals: dict[int, Arrival]
    ends: "array[int]"
    end: str | None = None
    complete: int = 0
    size: int = 0
    torn: bool = False
    fault: RunFileError | None = None

    @property
    def foreign(self) -> bool:
        """Whether another version wrote it, so that its actions cannot be played."""
        return isinstance(self.fault, OtherVersion)


def read_run(path: Path, *, tolerant: bool = False) -> RecordedRun:
    """Read a run file; raise `RunFileError` (or `OtherVersion`) with one sentence.

    If ``tolerant``, a run of another version, or one that is damaged after some actions, is
    returned as far as it goes, with its ``fault``.
    """
    try:
        if not path.is_file():
            raise RunFileError(f"{path}: cannot be read ({_why_not(path)})")
        with path.open("rb") as stream:
            run = _read(path, stream)
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else "no such name"
        raise RunFileError(f"{path}: cannot be read ({reason})") from None
    if run.fault and not tolerant:
        raise run.fault
    return run


def _why_not(path: Path) -> str:
    return "not a file" if path.exists() else "No such file or directory"


def _read(path: Path, stream: IO[bytes]) -> RecordedRun:
    first = stream.readline(LONGEST_HEADER)
    header = _header(path, first)
    run = RecordedRun(
        path, header, identity_of(first), [], {0: header.level}, array("Q", [len(first)])
    )
    run.complete = len(first)
    run.fault = _other_version(run, header.level)
    _read_lines(run, stream)
    run.size = stream.seek(0, 2)
    return run


def _read_lines(run: RecordedRun, stream: IO[bytes]) -> None:
    """Add all lines to ``run``, up to one that cannot be part of it."""
    while text := stream.readline(LONGEST_LINE):
        try:
            line = _read_line(text) if text.endswith(b"\n") else None
        except UNREADABLE:
            line = None
        if line is None or run.end is not None or not _makes_sense(line):
            _stop(run, text, stream.read(LONGEST_HEADER))
            return
        run.complete += len(text)
        run.end = line.end
        if line.do is not None and line.digest is not None:
            run.actions.append((line.do, line.digest))
            run.ends.append(run.complete)
        if line.level is not None:
            run.arrivals[len(run.actions)] = line.level
            run.fault = run.fault or _other_version(run, line.level)


def _makes_sense(line: Line) -> bool:
    if line.do is None:
        return line.end is not None and line.digest is None and line.level is None
    return line.digest is not None


def _stop(run: RecordedRun, text: bytes, rest: bytes) -> None:
    """Tell whether the last ``text`` is what a killed process or a power cut leaves, or damage."""
    run.torn = not (rest or text.endswith(b"\n")) or not (text + rest).strip(b"\0")
    if run.torn or run.fault:
        return
    number = len(run.actions) + 2
    problem = "comes after the end" if run.end is not None else "is not part"
    whole = f"the {len(run.actions)} turns before it are whole"
    run.fault = RunFileError(f"{run.path}: line {number} {problem} of a run; {whole}")


def _header(path: Path, line: bytes) -> Header:
    foreign = f"{path}: not a Seedhollow run file"
    if not line:
        raise RunFileError(f"{path}: the file is empty")
    try:
        plain = msgspec.json.decode(line)
    except UNREADABLE:
        raise RunFileError(foreign) from None
    if not isinstance(plain, dict) or plain.get("seedhollow") != "run":
        raise RunFileError(foreign)
    if plain.get("format") != FORMAT:
        raise OtherVersion(f"{path}: written in another format than this version ({PROGRAM}) reads")
    try:
        return _read_header(line)
    except UNREADABLE as fault:
        if plain.get("program") != PROGRAM:
            raise OtherVersion(
                f"{path}: its header is not one of this version ({PROGRAM})"
            ) from None
        raise RunFileError(f"{path}: the header is damaged ({str(fault)[:200]})") from None


def _other_version(run: RecordedRun, level: Arrival) -> OtherVersion | None:
    """Return what differs if the rules, or a recipe that the run used, are not those we have."""
    by = f"{run.path}: recorded by version {run.header.program}"
    if run.header.rules != RULES:
        return OtherVersion(f"{by} under other rules than those of this version ({PROGRAM})")
    try:
        visited(level.code)
    except UnknownRecipe as fault:
        return OtherVersion(f"{by} with a recipe that this version ({PROGRAM}) lacks: {fault}")
    except ValueError:
        return None  # Playing it will show what it is.
    return None
