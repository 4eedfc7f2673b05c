"""States kept beside a run file, so that no one has to wait for what can be played again.

They are a cache and nothing more: each says which place of which log it belongs to, and the state
that comes of it must have the digest which the log has there, or it is not used.
"""

import os
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import IO, Annotated, Self

import msgspec
from msgspec import Meta

from engine.record import RecordedRun

EVERY = 50
"""Turns between two keyframes; one more is kept where a level begins."""
LARGEST_FILE = 64 << 20
MAGIC = b"seedhollow keyframes 1\n"
CHECK = 8
"""Bytes of checksum before each keyframe."""


class Keyframe(msgspec.Struct, frozen=True, array_like=True):
    """The state after ``turns`` actions, when the log was ``offset`` long and had ``digest``.

    ``state`` is a packed `engine.state.State`.
    """

    turns: Annotated[int, Meta(ge=1)]
    offset: Annotated[int, Meta(ge=0)]
    digest: str
    state: bytes


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Keyframe).decode


def beside(path: Path) -> Path:
    """Return where the keyframes of the run at ``path`` are."""
    return path.with_name(path.name + ".keys")


def read_keyframes(run: RecordedRun) -> tuple[list[Keyframe], bool]:
    """Return the keyframes that agree with the log, and whether the file held only such."""
    try:
        with _open(beside(run.path), os.O_RDONLY) as stream:
            data = stream.read(min(LARGEST_FILE, os.fstat(stream.fileno()).st_size))
    except OSError:
        return [], False
    found: list[Keyframe] = []
    whose = MAGIC + run.identity
    if not data.startswith(whose):
        return found, False
    place = len(whose)
    while place < len(data):
        size = int.from_bytes(data[place : place + 4], "little")
        check, start = data[place + 4 : place + 4 + CHECK], place + 4 + CHECK
        place = start + size
        text = data[start:place]
        frame = _frame(run, text) if len(text) == size and _check(text) == check else None
        if frame is None:
            return found, False
        found.append(frame)
    return found, True


def _frame(run: RecordedRun, text: bytes) -> Keyframe | None:
    """Return the keyframe that ``text`` is, if the log has its digest at its place."""
    try:
        frame = _decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if frame.turns > len(run.actions) or run.ends[frame.turns] != frame.offset:
        return None
    return frame if run.actions[frame.turns - 1][1] == frame.digest else None


def _check(text: bytes) -> bytes:
    return blake2b(text, digest_size=CHECK).digest()


def _open(path: Path, flags: int) -> IO[bytes]:
    """Open a file to read or, with other ``flags``, to write; but not what a link points to."""
    mode = "wb" if flags & os.O_WRONLY else "rb"
    for name in ("O_NOFOLLOW", "O_BINARY", "O_NONBLOCK"):
        flags |= getattr(os, name, 0)
    return os.fdopen(os.open(path, flags, 0o666), mode, buffering=0)


class KeyframeWriter:
    """Adds keyframes to the file beside a run; if the disk refuses, there are none."""

    def __init__(self, stream: IO[bytes] | None) -> None:
        self._stream = stream

    @classmethod
    def begin(cls, path: Path, identity: bytes, frames: list[Keyframe]) -> Self:
        """Put ``frames`` in place of what is beside the run at ``path``, and go on from there."""
        fresh = path.with_name(path.name + ".keys.new")
        data = MAGIC + identity + b"".join(map(_written, frames))
        try:
            fresh.unlink(missing_ok=True)
            with _open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL) as stream:
                whole = stream.write(data) == len(data)
            if whole:
                fresh.replace(beside(path))
                return cls.resume(path)
        except OSError:
            pass
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        return cls(None)

    @classmethod
    def resume(cls, path: Path) -> Self:
        """Go on at the end of the file there is."""
        try:
            return cls(_open(beside(path), os.O_WRONLY | os.O_APPEND))
        except OSError:
            return cls(None)

    def add(self, frame: Keyframe) -> None:
        """Append a keyframe."""
        if self._stream is None:
            return
        data = _written(frame)
        try:
            whole = self._stream.write(data) == len(data)
        except OSError:
            whole = False
        if not whole:
            self.close()

    def close(self) -> None:
        """Let go of the file."""
        if self._stream:
            self._stream.close()
            self._stream = None


def _written(frame: Keyframe) -> bytes:
    text = _encode(frame)
    return len(text).to_bytes(4, "little") + _check(text) + text
