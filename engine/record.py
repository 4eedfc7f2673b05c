"""The run file: a header and one line per action; it is the save and the replay.

JSON lines. Each action is appended and flushed as it is played, with the digest of the state
after it, so a killed process loses at most the line it was writing.
"""

from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Annotated, Literal, Self

import msgspec
from msgspec import Meta

from engine.actions import Action
from engine.setup import Setup
from engine.version import PROGRAM, RULES, data_digest
from procgen.recipes import current_recipes

FORMAT = 1
LONGEST_LINE = 4096

Short = Annotated[str, Meta(max_length=100)]


class RunFileError(Exception):
    """A run file cannot be read; the message is one sentence."""


class OtherVersion(RunFileError):
    """A run file was written by a version whose rules or data differ."""


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: what wrote the run, under which rules and data, and what it began with."""

    seedhollow: Literal["run"]
    format: int
    program: Short
    rules: int
    data: Short
    recipes: dict[Short, int]
    started: Short
    setup: Setup


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Any later line: an action and the digest after it, or how the run ended."""

    do: Action | None = None
    digest: Annotated[str, Meta(pattern="^[0-9a-f]{16}$")] | None = None
    end: Short | None = None


_read_line = msgspec.json.Decoder(Line).decode
_write = msgspec.json.Encoder().encode


class RecordedRun(msgspec.Struct):
    """A run as read: its header, its actions with their digests, and how it ended, if it did.

    ``complete`` is the number of bytes up to the last whole line; ``torn`` tells that more
    followed, which a killed process leaves behind.
    """

    path: Path
    header: Header
    actions: list[tuple[Action, str]]
    end: str | None
    complete: int
    torn: bool


def header_for(setup: Setup) -> Header:
    """Return the header of a run that begins now."""
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    versions = {recipe.name: recipe.version for recipe in current_recipes()}
    return Header("run", FORMAT, PROGRAM, RULES, data_digest(), versions, now, setup)


class Recorder:
    """Appends a run to its file; if the disk refuses, play goes on and ``problem`` says so."""

    def __init__(self, path: Path, stream: IO[bytes] | None, problem: str | None = None) -> None:
        self.path = path
        self.problem = problem
        self._stream = stream

    @classmethod
    def begin(cls, path: Path, setup: Setup) -> Self:
        """Start a new file at ``path``; an existing one is never overwritten."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            recorder = cls(path, path.open("xb", buffering=0))
        except OSError as fault:
            return cls(path, None, f"this run is not being saved ({fault.strerror})")
        recorder._append(_write(header_for(setup)))
        return recorder

    @classmethod
    def resume(cls, run: RecordedRun) -> Self:
        """Go on at the end of ``run``, dropping a torn last line."""
        try:
            stream = run.path.open("r+b", buffering=0)
            stream.truncate(run.complete)
            stream.seek(run.complete)
        except OSError as fault:
            return cls(run.path, None, f"this run is not being saved ({fault.strerror})")
        return cls(run.path, stream)

    def action(self, action: Action, digest: str) -> None:
        """Append an action and the state's digest after it."""
        self._append(_write(Line(do=action, digest=digest)))

    def end(self, how: str) -> None:
        """Append how the run ended."""
        self._append(_write(Line(end=how)))

    def close(self) -> None:
        """Let go of the file."""
        if self._stream:
            self._stream.close()
            self._stream = None

    def _append(self, line: bytes) -> None:
        if self._stream is None:
            return
        try:
            self._stream.write(line + b"\n")
        except OSError as fault:
            self.problem = f"this run is no longer being saved ({fault.strerror})"
            self.close()


def read_run(path: Path) -> RecordedRun:
    """Read a run file; raise `RunFileError` (or `OtherVersion`) with one sentence."""
    try:
        with path.open("rb") as stream:
            return _read(path, stream)
    except OSError as fault:
        raise RunFileError(f"{path}: cannot be read ({fault.strerror})") from None


def _read(path: Path, stream: IO[bytes]) -> RecordedRun:
    first = stream.readline(LONGEST_LINE)
    header = _header(path, first)
    run = RecordedRun(path, header, [], None, len(first), torn=False)
    number = 1
    while text := stream.readline(LONGEST_LINE):
        number += 1
        if not text.endswith(b"\n"):
            if len(text) == LONGEST_LINE:
                raise RunFileError(f"{path}: line {number} is too long to be part of a run")
            run.torn = True
            break
        try:
            line = _read_line(text)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise RunFileError(f"{path}: line {number} is not part of a run") from None
        if line.do is not None and line.digest is not None:
            run.actions.append((line.do, line.digest))
        run.end = line.end
        run.complete += len(text)
    return run


def _header(path: Path, line: bytes) -> Header:
    foreign = f"{path}: not a Seedhollow run file"
    if not line:
        raise RunFileError(f"{path}: the file is empty")
    try:
        plain = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise RunFileError(foreign) from None
    if not isinstance(plain, dict) or plain.get("seedhollow") != "run":
        raise RunFileError(foreign)
    if plain.get("format") != FORMAT:
        raise OtherVersion(f"{path}: written in another format than this version ({PROGRAM}) reads")
    try:
        header = msgspec.convert(plain, Header)
    except msgspec.ValidationError as fault:
        raise RunFileError(f"{path}: the header is damaged ({fault})") from None
    if (header.rules, header.data) != (RULES, data_digest()):
        raise OtherVersion(
            f"{path}: recorded by version {header.program} under other rules or data than these"
        )
    return header
