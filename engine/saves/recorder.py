"""Writing a run file while it is played; what the disk refuses is kept and tried again."""

import errno
import os
import socket
import stat
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Annotated, Self

import msgspec
from msgspec import Meta

from engine.saves.files import lock
from engine.saves.run_file import (
    Arrival,
    RecordedRun,
    RunFileError,
    RunHeader,
    RunLine,
    identity_of,
    write_line,
)
from engine.state.actions import Action


class InUse(RunFileError):
    """Another process is playing this run; the message says which."""


class Owner(msgspec.Struct, frozen=True):
    """The process that has a run file open."""

    pid: int
    host: Annotated[str, Meta(max_length=100)]
    since: Annotated[str, Meta(max_length=40)]


def claim(path: Path, *, new: bool) -> IO[bytes]:
    """Open a run file for writing, unbuffered, for this process alone.

    Raises `InUse`, or `OSError`; a ``new`` file must not be there yet.
    """
    stream = path.open("xb" if new else "r+b", buffering=0)
    try:
        lock(stream, wait=False)
    except BlockingIOError:
        stream.close()
        raise InUse(f"{path}: {_owner(path)} is playing this run") from None
    except BaseException:
        stream.close()
        raise
    _leave_note(path)
    return stream


def release(path: Path, stream: IO[bytes]) -> None:
    """Close a claimed file, and with that let go of it."""
    with suppress(OSError):
        owner_note(path).unlink()
    stream.close()


def owner_note(path: Path) -> Path:
    """Return where it is written who has ``path``."""
    return path.with_name(path.name + ".lock")


def _leave_note(path: Path) -> None:
    """Say who has ``path``; that it cannot be said is no reason not to play."""
    since = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    owner = Owner(os.getpid(), socket.gethostname()[:100], since)
    with suppress(OSError):
        owner_note(path).unlink(missing_ok=True)
        with owner_note(path).open("xb") as stream:
            stream.write(msgspec.json.encode(owner))


def _owner(path: Path) -> str:
    try:
        with owner_note(path).open("rb") as stream:
            owner = msgspec.json.decode(stream.read(1000), type=Owner)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return "another process"
    return f"process {owner.pid} on {owner.host} (since {owner.since})"


FAULTS = (OSError, RunFileError)
CHANGED = "another program changed or deleted the file of this run; it is written again"


class Recorder:
    """Appends a run to its file, straight to the operating system, a line at a time.

    If the disk refuses, play goes on, ``problem`` says so in a few words, and what could not be
    written is kept until it can. If another program cuts or deletes the file, it is written again
    as a whole. ``turns`` counts the actions, ``length`` the bytes of the file, both with what is
    still to be written.
    """

    def __init__(
        self,
        path: Path,
        stream: IO[bytes] | None = None,
        opened: Callable[[], IO[bytes]] | None = None,
    ) -> None:
        self.path = path
        self.problem: str | None = None
        self.identity = b""
        self.turns = 0
        self.length = 0
        self._stream = stream
        self._opened = opened
        self._cut: int | None = None
        self._uncut = 0
        self._begun = stream is not None
        self._reason = ""
        self._waiting = bytearray()
        self._content = bytearray()
        """All lines of the run, written or waiting."""

    @classmethod
    def begin(cls, path: Path, header: RunHeader) -> Self:
        """Start a new file at ``path``; an existing one is never overwritten."""

        def opened() -> IO[bytes]:
            path.parent.mkdir(parents=True, exist_ok=True)
            return claim(path, new=True)

        recorder, line = cls(path, opened=opened), write_line(header)
        recorder.identity = identity_of(line + b"\n")
        recorder._append(line)
        return recorder

    @classmethod
    def resume(cls, run: RecordedRun) -> Self:
        """Take hold of the file of ``run`` to go on at its end; a torn last line is dropped then.

        Raises `InUse` if another process has it, `RunFileError` if it changed since it was read.
        """
        recorder = cls(run.path)
        recorder.identity = run.identity
        recorder.turns, recorder.length = len(run.actions), run.complete

        def opened() -> IO[bytes]:
            stream = claim(run.path, new=False)
            if os.fstat(stream.fileno()).st_size != run.size:
                release(run.path, stream)
                raise RunFileError(f"{run.path}: changed while it was being read; try again")
            recorder._content[:0] = stream.read(run.complete)
            recorder._uncut = run.size
            return stream

        recorder._opened, recorder._cut, recorder._begun = opened, run.complete, True
        try:
            recorder._stream = opened()
        except OSError as fault:
            recorder._refused(fault)
        return recorder

    @property
    def written(self) -> bool:
        """Whether all is in the file."""
        return self._stream is not None and not self._waiting

    @property
    def lost(self) -> str:
        """The part of the run that would be lost if nothing more is written, or ''."""
        lines = self._waiting.count(b"\n")
        if not lines:
            return ""
        if not self._begun:
            return f"this run was not saved ({self._reason})"
        turns = "last turn" if lines == 1 else f"last {lines} turns"
        return f"the {turns} could not be saved ({self._reason})"

    def action(
        self, action: Action, digest: str, level: Arrival | None = None, end: str | None = None
    ) -> None:
        """Append an action, the state's digest after it, where it led and how the run ended."""
        self.turns += 1
        self._append(write_line(RunLine(do=action, digest=digest, level=level, end=end)))

    def end(self, how: str) -> None:
        """Append how the run ended."""
        self._append(write_line(RunLine(end=how)))

    def close(self) -> None:
        """Let go of the file, once more trying what it would not take."""
        with suppress(*FAULTS):
            self._write()
        if self._stream:
            with suppress(OSError):
                os.fsync(self._stream.fileno())
            release(self.path, self._stream)
        self._stream = self._opened = None

    def _append(self, line: bytes) -> None:
        self.length += len(line) + 1
        if self._stream is None and self._opened is None:
            return
        self._waiting += line + b"\n"
        self._content += line + b"\n"
        try:
            changed = self._restart_if_changed()
            self._write()
        except FAULTS as fault:
            self._refused(fault)
        else:
            self.problem = CHANGED if changed else None

    def _restart_if_changed(self) -> bool:
        """Begin the file again if it is not as it was left; return whether it was changed.

        Without this check play would go on writing at the old place, into a file that has a hole
        or no name, and nothing of it could be read.
        """
        if self._stream is None:
            return False
        ours = os.fstat(self._stream.fileno())
        if not stat.S_ISREG(ours.st_mode):
            return False
        try:
            there = self.path.stat()
        except FileNotFoundError:
            release(self.path, self._stream)
            self._stream = None
            self._waiting[:] = self._content
            self._stream = claim(self.path, new=True)
        else:
            if not os.path.samestat(ours, there):
                raise OSError(errno.ESTALE, "another file is in its place")
            left = len(self._content) - len(self._waiting)
            if ours.st_size == (left if self._cut is None else self._uncut):
                return False
            self._stream.seek(0)
            self._stream.truncate()
        self._waiting[:], self._cut = self._content, None
        return True

    def _write(self) -> None:
        """Write what waits, as much as the disk takes."""
        if not self._waiting:
            return
        if self._stream is None:
            assert self._opened
            self._stream = self._opened()
            self._begun = True
        if self._cut is not None:
            self._stream.truncate(self._cut)
            self._stream.seek(self._cut)
            self._cut = None
        while self._waiting:
            done = self._stream.write(self._waiting)
            if not done:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            del self._waiting[:done]

    def _refused(self, fault: Exception) -> None:
        self._reason = getattr(fault, "strerror", None) or str(fault)
        self.problem = f"this run is not being saved ({self._reason})"
