"""The run file, both save and replay: its format, reading untrusted files, and summaries.

The format is JSON lines: a header, then one line per action. Errors are one sentence each, and a
run of another version is distinguished from a damaged one.
"""

from array import array
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import IO, Annotated, Literal

import msgspec
from msgspec import Meta

from engine.levels.recipe_by_depth import parse_playable_code
from engine.state.actions import Action
from engine.state.run_setup import CodeText, Mode, RunSetup, Short
from entities.data_files import fault_in_words, open_regular_file
from entities.folders import USER_MARK
from entities.program import VERSION
from entities.wording import pluralise
from procgen.level_code import CodeError, UnknownRecipe, parse_code

FORMAT = 2
"""The file format; increase it with each change. Other formats are recognised, not read."""
RULES = 2
"""The rules; increase it when an action's result changes. Runs of other rules do not replay."""

Digest = Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]


class Arrival(msgspec.Struct, frozen=True, array_like=True):
    """The hero's arrival on a level: its code in full and its `engine.saves.digests.level_hash`."""

    code: CodeText
    level_hash: Digest


class RunHeader(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first line: the program, its rules, the setup and the first level.

    ``state`` is a packed `SavedState` if the run was taken over from another in the middle.
    """

    seedhollow: Literal["run"]
    format: int
    program: Short
    rules: int
    started: Short
    setup: RunSetup
    level: Arrival
    state: bytes | None = None

    @property
    def kind(self) -> str:
        """The kind of run in lists: a branch was taken over, one with a ghost goes beside it."""
        if self.state is not None or self.setup.grew_from is not None:
            return "branch"
        daily = self.setup.is_standard and self.setup.typed_seed.startswith("daily ")
        return "ghost" if self.setup.ghost else "daily" if daily else self.setup.mode.value

    @property
    def kind_or_dungeon(self) -> str:
        """The kind of run or, unless that sets it apart, the dungeon: a generator or a file."""
        kind, setup = self.kind, self.setup
        return setup.dungeon if kind == setup.mode.value else kind

    @property
    def open_result(self) -> str:
        """The result of a run without an end: visits to the Workshop cannot be continued."""
        return "ended" if self.setup.mode is Mode.WORKSHOP else "unfinished"


class RunLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Any later line: an action and the digest after it, a new level, the end of the run.

    ``at`` is the number of actions so far and the code of the level. The end and every
    `AT_INTERVAL`-th action have it, so that a list of runs need not read whole files.
    """

    do: Action | None = None
    digest: Digest | None = None
    level: Arrival | None = None
    end: Short | None = None
    at: tuple[int, CodeText] | None = None


def identity_of(first_line: bytes) -> bytes:
    """Return the identity of a run: the BLAKE2b hash of its header line, 16 bytes."""
    return blake2b(first_line, digest_size=16).digest()


write_line = msgspec.json.Encoder().encode


def header_for(setup: RunSetup, level: Arrival, state: bytes | None = None) -> RunHeader:
    """Return the header of a run that starts now."""
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return RunHeader("run", FORMAT, VERSION, RULES, now, setup, level, state)


LONGEST_HEADER = 1 << 20
LONGEST_LINE = 8192
AT_INTERVAL = 250

_read_header = msgspec.json.Decoder(RunHeader).decode
_read_line = msgspec.json.Decoder(RunLine).decode
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class RunFileError(Exception):
    """A run file cannot be read or written: one sentence; ``path`` if its header can be read."""

    path: Path | None = None


class OtherVersion(RunFileError):
    """A run file was written by a version with other rules or recipes."""


class MissingUserRecipe(RunFileError):
    """A run needs a recipe or overlay of the user that is missing; its keyframes need it, too."""


class RecordedRun(msgspec.Struct):
    """A run as read: its header, its actions with their digests, and its end, if any.

    * ``arrivals`` are the levels by the number of actions before them, the first at 0.
    * ``ends`` are the bytes of the file up to the header's end and up to each action's.
    * ``complete`` is the number of bytes up to the last whole line, ``size`` that of the file.
    * ``torn`` is set if part of a line follows, as a killed process leaves it.
    * ``fault`` is the error, if any, that stopped the reading or prevents replaying.
    * ``skipped`` is the error in a newer run, to be shown when this run is continued.
    """

    path: Path
    header: RunHeader
    identity: bytes
    actions: list[tuple[Action, str]]
    arrivals: dict[int, Arrival]
    ends: "array[int]"
    end: str | None = None
    complete: int = 0
    size: int = 0
    torn: bool = False
    fault: RunFileError | None = None
    skipped: RunFileError | None = None

    @property
    def foreign(self) -> bool:
        """True if another version wrote the run, so that its actions cannot be replayed."""
        return isinstance(self.fault, OtherVersion)


def read_run(path: Path, *, tolerant: bool = False) -> RecordedRun:
    """Read a run file; raise `RunFileError` (or `OtherVersion`) with one sentence.

    If ``tolerant``, return a run of another version, or the intact part of a damaged one, with
    its ``fault`` set instead of raising it, unless no state can be built (`MissingUserRecipe`).
    """
    try:
        with open_regular_file(path) as stream:
            run = _read(path, stream)
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else "no such name"
        raise RunFileError(f"{path}: cannot be read ({reason})") from None
    if run.fault and not tolerant:
        run.fault.path = path
        raise run.fault
    return run


def _read(path: Path, stream: IO[bytes]) -> RecordedRun:
    first = stream.readline(LONGEST_HEADER)
    header = _header(path, first)
    ends = array("Q", [len(first)])
    run = RecordedRun(path, header, identity_of(first), [], {0: header.level}, ends)
    run.complete = len(first)
    run.fault = _other_version(run, header.level)
    if isinstance(run.fault, MissingUserRecipe):
        raise run.fault
    _read_lines(run, stream)
    run.size = stream.seek(0, 2)
    return run


def _read_lines(run: RecordedRun, stream: IO[bytes]) -> None:
    """Add all lines to ``run``, up to the first invalid one."""
    # Bounded: a file of one endless line must not fill the memory.
    while text := stream.readline(LONGEST_LINE):
        line = _line(text, len(text) - 1) if text.endswith(b"\n") else None
        if line is None or run.end is not None or not _makes_sense(run, line):
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


def _makes_sense(run: RecordedRun, line: RunLine) -> bool:
    """Return True if ``line`` can follow the earlier ones: complete, and with a matching ``at``."""
    latest = line.level or next(reversed(run.arrivals.values()))
    turns = len(run.actions) + (line.do is not None)
    if line.at not in (None, (turns, latest.code)):
        return False
    if line.do is None:
        return line.end is not None and line.digest is None and line.level is None
    return line.digest is not None


def _stop(run: RecordedRun, text: bytes, rest: bytes) -> None:
    """Classify the invalid line ``text``: torn by a killed process or power cut, or damage."""
    # Some file systems fill the end of a file with zeros when the power fails.
    run.torn = not (rest or text.endswith(b"\n")) or not (text + rest).strip(b"\0")
    if run.torn or run.fault:
        return
    # After the header and the actions, the end may be a line of its own.
    number = len(run.actions) + 2 + (run.complete > run.ends[-1])
    problem = "comes after the end" if run.end is not None else "is not part"
    intact = f"{pluralise(len(run.actions), 'turn')} before it can be replayed"
    run.fault = RunFileError(f"{run.path}: line {number} {problem} of a run; {intact}")


def _header(path: Path, line: bytes) -> RunHeader:
    foreign = f"{path}: not a Seedhollow run file"
    if not line:
        raise RunFileError(f"{path}: the file is empty")
    line = line.removeprefix(b"\xef\xbb\xbf")  # A byte order mark, left by an editor.
    try:
        plain = msgspec.json.decode(line)
    except UNREADABLE:
        raise RunFileError(foreign) from None
    if not isinstance(plain, dict) or plain.get("seedhollow") != "run":
        raise RunFileError(foreign)
    if not line.endswith(b"\n"):  # The first action would be written into the same line.
        raise RunFileError(f"{path}: the header is cut short")
    if plain.get("format") != FORMAT:
        raise OtherVersion(f"{path}: written in a format that this version ({VERSION}) cannot read")
    try:
        return _read_header(line)
    except UNREADABLE as fault:
        if plain.get("program") != VERSION:
            why = f"{path}: its header is not one of this version ({VERSION})"
            raise OtherVersion(why) from None
        raise RunFileError(f"{path}: damaged header ({fault_in_words(fault)[:200]})") from None


def _other_version(run: RecordedRun, level: Arrival) -> RunFileError | None:
    """Return an error if the run's rules or the recipe of ``level`` are missing."""
    by = f"{run.path}: recorded by version {run.header.program}"
    lacks = ""
    try:
        parse_playable_code(level.code)
    except UnknownRecipe as fault:
        if USER_MARK in level.code:
            return MissingUserRecipe(f"{run.path}: needs a recipe of your own: {fault}")
        lacks = f"{by} with a recipe that this version ({VERSION}) lacks: {fault}"
    except ValueError:
        pass  # Replaying it will raise the proper error.
    if run.header.rules != RULES:
        lacks = f"{by} under rules {run.header.rules}, here they are {RULES}"
    return OtherVersion(lacks) if lacks else None


class Summary(msgspec.Struct, frozen=True):
    """One recorded run; ``header`` is None if it cannot be read, ``level`` the last one's code.

    ``result`` is how it ended, ``another version``, ``damaged`` or `RunHeader.open_result`.
    """

    path: Path
    header: RunHeader | None
    turns: int
    level: str
    depth: int
    result: str
    size: int

    @property
    def place(self) -> str:
        """``depth 3``, or nothing in an infinite world, where every place is depth 1."""
        return f"depth {self.depth}" if self.depth and self.level.count("@") < 2 else ""


TAILS = (1 << 14, AT_INTERVAL * LONGEST_LINE)
"""Bytes at the end of a file that are read to find its last ``at``: at first, and at most."""


def summarize(path: Path) -> Summary:
    """Return a summary of the run file at ``path``; raise `OSError` if it cannot be read.

    Reads only the header and the last lines: thousands of runs, or gigabytes, are listed quickly.
    Without an ``at``, lines count from the header; a file too long for that counts as damaged.
    """
    with open_regular_file(path) as stream:
        first = stream.readline(LONGEST_HEADER)
        size = stream.seek(0, 2)
        try:
            header = _header(path, first)
        except RunFileError as fault:
            result = "another version" if isinstance(fault, OtherVersion) else "damaged"
            return Summary(path, None, 0, "", 0, result, size)
        position, last = None, None
        for length in TAILS:
            start = stream.seek(max(len(first), size - length))
            lines = stream.read(length)
            lines = lines[: lines.rfind(b"\n") + 1]
            last = _line(lines, len(lines) - 1) if lines else RunLine()
            origin = (0, header.level.code) if start == len(first) else None
            if position := _position(lines, last, origin):
                break
    turns, code = position or (0, header.level.code)
    result = "damaged" if last is None or position is None else last.end or header.open_result
    if header.rules != RULES:
        result = "another version"
    return Summary(path, header, turns, code, depth_of(code), result, size)


def _position(
    lines: bytes, last: RunLine | None, origin: tuple[int, str] | None
) -> tuple[int, str] | None:
    """Return the number of actions and the level code at the end of ``lines``.

    They count from the last ``at``, or else ``origin``, where ``lines`` begins; None without both.
    """
    place = lines.find(b"\n", lines.rfind(b'"at":[')) if b'"at":[' in lines else -1
    line = _line(lines, place) if place >= 0 else None
    start = line.at if line and line.at else origin
    if start is None:
        return None
    rest = lines[place + 1 :] if line and line.at else lines
    # The last line may be the end of the run, which is not an action.
    no_action = bool(rest) and (last is None or last.do is None)
    return start[0] + rest.count(b"\n") - no_action, _last_level(rest) or start[1]


def unfinished(path: Path) -> bool:
    """Return True if the run at ``path`` has no recorded end; only its last lines are read."""
    try:
        with path.open("rb") as stream:
            size = stream.seek(0, 2)
            stream.seek(max(0, size - 2 * LONGEST_LINE))
            tail = stream.read(2 * LONGEST_LINE)
    except OSError:
        return False
    end = tail.rfind(b"\n")
    last = _line(tail, end) if end >= 0 else None
    return last is None or last.end is None


def _line(text: bytes, end: int) -> RunLine | None:
    """Decode the line of ``text`` that ends at offset ``end``; None if it is invalid."""
    start = text.rfind(b"\n", 0, end) + 1
    try:
        return _read_line(text[start:end])
    except UNREADABLE:
        return None


def _last_level(lines: bytes) -> str | None:
    """Return the code of the last arrival in ``lines``, None if there is none."""
    place = lines.rfind(b'"level":[')
    line = _line(lines, lines.find(b"\n", place)) if place >= 0 else None
    return line.level.code if line and line.level else None


def depth_of(code: str, otherwise: int = 1) -> int:
    """Return the depth of a level code, ``otherwise`` if it has none; 0 for an invalid code."""
    try:
        return parse_code(code).depth or otherwise
    except CodeError:
        return 0
