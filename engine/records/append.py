"""Writing so that nothing is lost: lines to a file that several processes write, whole files."""

import errno
import os
from contextlib import suppress
from pathlib import Path

from engine.records.locking import lock


def append_line(path: Path, line: bytes) -> None:
    """Add ``line`` to the file at ``path``, which need not be there; raise `OSError`.

    Either all of it is added or nothing. What a process that was killed left unfinished at the
    end becomes a line of its own.
    """
    if b"\n" in line:
        raise ValueError("a line holds no line breaks")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b", buffering=0) as stream:
        lock(stream, wait=True)
        size = stream.seek(0, os.SEEK_END)
        text = (b"\n" if _torn(path, size) else b"") + line + b"\n"
        try:
            whole = stream.write(text) == len(text)
        except OSError:
            stream.truncate(size)
            raise
        if not whole:
            stream.truncate(size)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        os.fsync(stream.fileno())


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that is there with all of ``data`` or as it was before; raise `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
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


def _torn(path: Path, size: int) -> bool:
    """Whether the last of the file's ``size`` bytes does not end a line."""
    if size == 0:
        return False
    with path.open("rb") as stream:
        stream.seek(size - 1)
        return stream.read(1) != b"\n"
