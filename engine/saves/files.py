"""The folder of runs; atomic writes and file locks."""

import errno
import os
import sys
from contextlib import suppress
from datetime import UTC, datetime
from glob import escape
from pathlib import Path
from typing import IO

from entities.folders import data_folder

LEFT_SECONDS = 3600
"""The age in seconds above which a temporary file counts as left by a killed process."""


def runs_folder() -> Path:
    """Return the folder of recorded runs."""
    return data_folder() / "runs"


def new_run_path(seed: int) -> Path:
    """Return an unused path for a run; raise `FileExistsError` after a thousand in a second."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    folder = runs_folder()
    for number in range(1000):
        suffix = f"-{number}" if number else ""
        path = folder / f"{stamp}-{seed}{suffix}.jsonl"
        if not path.exists():
            return path
    raise FileExistsError(f"{folder} holds too many runs of {stamp}")


def recorded_paths(folder: Path | None = None) -> list[Path]:
    """Return the paths of all runs recorded, or in ``folder``, most recently written first."""
    written = dict[Path, int]()
    with suppress(OSError):  # The folder cannot be listed.
        for path in (folder or runs_folder()).glob("*.jsonl"):
            with suppress(OSError):  # Another process deleted this one meanwhile.
                if path.is_file():
                    written[path] = path.stat().st_mtime_ns
    return sorted(written, key=lambda path: (written[path], path.name), reverse=True)


if sys.platform == "win32":
    import msvcrt
    import time

    FAR = 1 << 40
    """The offset of the locked byte: beyond all data, because locked bytes cannot be read."""
    PAUSE = 0.02
    """Seconds between two attempts to lock."""

    def lock(stream: IO[bytes], *, wait: bool) -> None:
        """Lock an open file for this process; raise `BlockingIOError` if taken and not ``wait``."""
        while not _locked(stream):
            if not wait:
                raise BlockingIOError
            time.sleep(PAUSE)

    def _locked(stream: IO[bytes]) -> bool:
        offset = stream.tell()
        stream.seek(FAR)
        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            stream.seek(offset)
        return True

else:
    import fcntl

    NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP}
    """Errors of a file system without locks; the run continues unlocked."""

    def lock(stream: IO[bytes], *, wait: bool) -> None:
        """Lock an open file for this process; raise `BlockingIOError` if taken and not ``wait``."""
        try:
            fcntl.flock(stream.fileno(), fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except OSError as fault:
            if fault.errno not in NO_LOCKS:
                raise


def append_line(path: Path, line: bytes) -> None:
    """Append ``line`` to the file at ``path``, created if missing; raise `OSError`.

    The line is added as a whole or not at all. A torn last line, left by a killed process, is ended
    first so that it cannot swallow the new one.
    """
    if b"\n" in line:
        raise ValueError("a line holds no line breaks")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b", buffering=0) as stream:
        lock(stream, wait=True)
        size = stream.seek(0, os.SEEK_END)
        stream.seek(max(0, size - 1))
        torn = stream.read(1) not in {b"", b"\n"}
        text = (b"\n" if torn else b"") + line + b"\n"
        try:
            complete = stream.write(text) == len(text)
        except OSError:
            stream.truncate(size)
            raise
        if not complete:
            stream.truncate(size)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        os.fsync(stream.fileno())


def write_atomically(path: Path, data: bytes) -> None:
    """Replace the file at ``path`` by ``data``, or leave it as it was and raise `OSError`.

    Writes a temporary file and renames it, so a crash never leaves half a file. Temporary files
    that killed processes left behind are deleted if they are an hour older than the new file.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    fresh.unlink(missing_ok=True)  # Left by a killed process that had the same number.
    try:
        with fresh.open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        fresh.replace(path)
    except OSError:
        with suppress(OSError):
            fresh.unlink()
        raise
    with suppress(OSError):
        for leftover in path.parent.glob(f"{escape(path.name)}.*.new"):
            if leftover.stat().st_mtime < path.stat().st_mtime - LEFT_SECONDS:
                leftover.unlink()
