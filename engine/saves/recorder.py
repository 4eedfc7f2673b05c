"""Write a run file during play: an append-only log with one line per action.

Each line is appended as its action is performed, so a crash loses one action at most and earlier
lines are never rewritten. Lines that cannot be written (a full disk) are kept and retried.
"""

import errno
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Self

from engine.saves import run_file
from engine.saves.files import lock, new_run_path, runs_folder
from engine.saves.run_file import Arrival, RunFileError, RunHeader, RunLine, write_line
from engine.state.actions import Action


class InUse(RunFileError):
    """Another process is playing this run."""


def claim(path: Path, *, new: bool) -> IO[bytes]:
    """Open a run file for writing, unbuffered, for this process alone.

    Raises `InUse`, or `OSError`; a ``new`` file must not exist yet.
    """
    # Unbuffered: a killed process loses no turn that was on the screen.
    stream = path.open("xb" if new else "r+b", buffering=0)
    try:
        lock(stream, wait=False)
    except BlockingIOError:
        stream.close()
        raise InUse(f"{path}: another process is playing this run") from None
    except BaseException:
        stream.close()
        raise
    return stream


FAULTS = (OSError, RunFileError)
LOOK_UP_INTERVAL = 16
"""Lines after which the path of the file is looked up, which takes thrice as long as to ask it."""
CHANGED = "another program changed or deleted the file of this run; it is written again"


class Recorder:
    """Appends a run to its file line by line, without buffering.

    If a write fails, play goes on, ``problem`` is a short message, and the lines are kept until
    they can be written. If another program truncates or deletes the file, the whole file is
    written again. ``turns`` counts the actions and ``length`` the bytes, waiting lines included.
    """

    def __init__(self, path: Path, opened: Callable[[], IO[bytes]] | None = None) -> None:
        self.path = path
        self.problem: str | None = None
        self.identity = b""
        self.turns = 0
        self.length = 0
        self._stream: IO[bytes] | None = None
        self._opened = opened
        self._cut: int | None = None
        self._uncut = 0
        self._begun = False
        self._code = ""
        self._reason = ""
        self._waiting = bytearray()
        self._content = bytearray()
        """All lines of the run, written or waiting."""

    @classmethod
    def begin(cls, path: Path, header: RunHeader) -> Self:
        """Return the recorder of a new file at ``path``, or at another if a game has taken it."""

        def opened() -> IO[bytes]:
            try:
                return recorder._created()
            except FileExistsError:
                if path.parent != runs_folder() or recorder._reason:  # The keyframes have `path`.
                    raise
            recorder.path = new_run_path(header.setup.seed)
            return claim(recorder.path, new=True)

        recorder, line = cls(path, opened), write_line(header)
        recorder._code = header.level.code
        recorder.identity = run_file.identity_of(line + b"\n")
        recorder._append(line)
        return recorder

    @classmethod
    def resume(cls, run: run_file.RecordedRun) -> Self:
        """Lock the file of ``run``; return a recorder at its end, without a torn last line.

        Raises `InUse` if another process has the file, `RunFileError` if it changed since read.
        """
        recorder = cls(run.path)
        recorder.identity = run.identity
        recorder.turns, recorder.length = len(run.actions), run.complete
        recorder._code = next(reversed(run.arrivals.values())).code

        def opened() -> IO[bytes]:
            stream = claim(run.path, new=False)
            # Another process may have played on between the reading and the lock.
            if os.fstat(stream.fileno()).st_size != run.size:
                stream.close()
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
        """True if every line is in the file."""
        return self._stream is not None and not self._waiting

    @property
    def lost(self) -> str:
        """A message about the turns that are not in the file yet, '' if there are none."""
        lines = min(self._waiting.count(b"\n"), max(self.turns, 1))  # The header is a line, too.
        if not lines:
            return ""
        if not self._begun:
            return f"this run was not saved ({self._reason})"
        turns = "last turn" if lines == 1 else f"last {lines} turns"
        return f"the {turns} could not be saved ({self._reason})"

    def action(
        self, action: Action, digest: str, level: Arrival | None = None, end: str | None = None
    ) -> None:
        """Append an action with the digest after it, a new level and the end of the run, if any."""
        self.turns += 1
        self._code = level.code if level else self._code
        due = end is not None or self.turns % run_file.AT_INTERVAL == 0
        at = (self.turns, self._code) if due else None
        self._append(write_line(RunLine(action, digest, level, end, at)))

    def end(self, how: str) -> None:
        """Append a line that says how the run ended."""
        self._append(write_line(RunLine(end=how, at=(self.turns, self._code))))

    def close(self) -> None:
        """Try to write the waiting lines once more, then close and unlock the file for good."""
        with suppress(*FAULTS):
            self._restart_if_changed(moved=True)
            self._write()
        if self._stream:
            with suppress(OSError):
                os.fsync(self._stream.fileno())
            self._stream.close()
            with suppress(OSError):
                if not self.path.stat().st_size:  # Not even the header could be written.
                    self.path.unlink()
        self._stream = self._opened = None

    def _append(self, line: bytes) -> None:
        self.length += len(line) + 1
        if self._opened is None:
            return
        self._waiting += line + b"\n"
        self._content += line + b"\n"
        try:
            changed = self._restart_if_changed(moved=self.turns % LOOK_UP_INTERVAL == 0)
            self._write()
        except FAULTS as fault:
            self._refused(fault)
        else:
            self.problem = CHANGED if changed else None

    def _restart_if_changed(self, *, moved: bool) -> bool:
        """Rewrite the file if another program changed it, or ``moved`` it; return whether it did.

        Without this check, writing would go on at the old offset, in a file that has a hole or was
        unlinked, and the run could not be read again. Only a file that was moved keeps its link.
        """
        if self._stream is None:
            return False
        ours = os.fstat(self._stream.fileno())
        if not stat.S_ISREG(ours.st_mode):
            return False
        try:
            on_disk = self.path.stat() if moved or not ours.st_nlink else ours
        except FileNotFoundError:
            self._stream.close()
            # If it cannot be created now, a later attempt must not look for the old file.
            self._stream, self._opened, self._cut = None, self._created, None
            self._waiting[:] = self._content
            self._stream = self._created()
        else:
            if not os.path.samestat(ours, on_disk):
                raise OSError(errno.ESTALE, "another file is in its place")
            left = len(self._content) - len(self._waiting)
            if ours.st_size == (left if self._cut is None else self._uncut):
                return False
            self._stream.seek(0)
            self._stream.truncate()
        self._waiting[:], self._cut = self._content, None
        return True

    def _created(self) -> IO[bytes]:
        """Create the file, and its folder if need be, for this process alone."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        return claim(self.path, new=True)

    def _write(self) -> None:
        """Write the waiting lines; keep those that cannot be written and raise `OSError`."""
        if not self._waiting or self._opened is None:
            return
        if self._stream is None:
            self._stream = self._opened()
        if self._cut is not None:
            self._stream.truncate(self._cut)
            self._stream.seek(self._cut)
            self._cut = None
        while self._waiting:
            done = self._stream.write(self._waiting)
            if not done:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            self._begun |= b"\n" in self._waiting[:done]
            del self._waiting[:done]

    def _refused(self, fault: Exception) -> None:
        self._reason = getattr(fault, "strerror", None) or str(fault)
        self.problem = f"this run is not being saved ({self._reason})"
