"""One process at a time writes a run file; whoever comes second learns who has it.

The lock is the operating system's and lies on the open file itself, so it ends with the process
however that ends. A small file beside the run only says whose it is, to be read by people.
"""

import os
import socket
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Annotated

import msgspec
from msgspec import Meta

from engine.records.locking import lock
from engine.records.record import RunFileError


class InUse(RunFileError):
    """Another process is playing this run; the message says which."""


class Owner(msgspec.Struct, frozen=True):
    """Who has a run file."""

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
        note(path).unlink()
    stream.close()


def note(path: Path) -> Path:
    """Return where it is written who has ``path``."""
    return path.with_name(path.name + ".lock")


def _leave_note(path: Path) -> None:
    """Say who has ``path``; that it cannot be said is no reason not to play."""
    since = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    owner = Owner(os.getpid(), socket.gethostname()[:100], since)
    with suppress(OSError):
        note(path).unlink(missing_ok=True)
        with note(path).open("xb") as stream:
            stream.write(msgspec.json.encode(owner))


def _owner(path: Path) -> str:
    try:
        with note(path).open("rb") as stream:
            owner = msgspec.json.decode(stream.read(1000), type=Owner)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return "another process"
    return f"process {owner.pid} on {owner.host} (since {owner.since})"
