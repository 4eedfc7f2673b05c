"""States kept beside a run file, so that no one has to wait for what can be played again.

They are a cache and nothing more: each says which place of which log it belongs to, and the state
that comes of it must have the digest which the log has there, or it is not used.
"""

import os
from hashlib import blake2b
from pathlib import Path
from typing import IO, Annotated, Self

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from engine.memory import CHECK as KEY
from engine.record import RecordedRun
from engine.state import State, capture, pack, unpack
from engine.world import World

EVERY = 25
"""Turns between two keyframes; one more is kept where a level begins."""
LARGEST_FILE = 64 << 20
MAGIC = b"seedhollow keyframes 2\n"
CHECK = 8
"""Bytes of checksum before each record."""


class Keyframe(msgspec.Struct, frozen=True):
    """The state after ``turns`` actions, when the log was ``offset`` long and had ``digest``.

    ``state`` is a packed `engine.state.State` but for the levels that are remembered; those are in
    ``levels``, by depth, and most of them the same in one keyframe after another.
    """

    turns: int
    offset: int
    digest: str
    state: bytes
    levels: dict[int, bytes] = {}

    @classmethod
    def of(cls, world: World, turns: int, offset: int, digest: str) -> Self:
        """Return the keyframe that ``world`` is."""
        state = capture(world)
        packed = pack(replace(state, remembered={}))
        return cls(turns, offset, digest, packed, dict(state.remembered))

    def whole(self) -> State:
        """Return the state, all in it; raise `engine.bad_state.BadState`."""
        return replace(unpack(self.state), remembered=self.levels)


class Record(msgspec.Struct, frozen=True, array_like=True, tag="k"):
    """A keyframe as it is written: its levels are named by their first `KEY` bytes."""

    turns: Annotated[int, Meta(ge=1)]
    offset: Annotated[int, Meta(ge=0)]
    digest: str
    state: bytes
    levels: dict[int, bytes]


class FoldedLevel(msgspec.Struct, frozen=True, array_like=True, tag="l"):
    """A level that some of the keyframes behind it remember, folded by `engine.memory`."""

    folded: bytes


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Record | FoldedLevel).decode


def beside(path: Path) -> Path:
    """Return where the keyframes of the run at ``path`` are."""
    return path.with_name(path.name + ".keys")


def read_keyframes(run: RecordedRun) -> tuple[list[Keyframe], bool]:
    """Return the keyframes that agree with the log, and whether the file held only such."""
    try:
        with open_plainly(beside(run.path), os.O_RDONLY) as stream:
            data = stream.read(min(LARGEST_FILE, os.fstat(stream.fileno()).st_size))
    except OSError:
        return [], False
    found: list[Keyframe] = []
    levels: dict[bytes, bytes] = {}
    whose = MAGIC + run.identity
    if not data.startswith(whose):
        return found, False
    place = len(whose)
    while place < len(data):
        size = int.from_bytes(data[place : place + 4], "little")
        check, start = data[place + 4 : place + 4 + CHECK], place + 4 + CHECK
        place = start + size
        text = data[start:place]
        if len(text) != size or _check(text) != check or not _read(run, text, found, levels):
            return found, False
    return found, True


def _read(run: RecordedRun, text: bytes, found: list[Keyframe], levels: dict[bytes, bytes]) -> bool:
    """Add the record that ``text`` is; return whether it is one and agrees with the log."""
    try:
        record = _decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    if isinstance(record, FoldedLevel):
        levels[record.folded[:KEY]] = record.folded
        return True
    if record.turns > len(run.actions) or run.ends[record.turns] != record.offset:
        return False
    if run.actions[record.turns - 1][1] != record.digest:
        return False
    if not levels.keys() >= set(record.levels.values()):
        return False
    known = {depth: levels[key] for depth, key in record.levels.items()}
    found.append(Keyframe(record.turns, record.offset, record.digest, record.state, known))
    return True


def _check(text: bytes) -> bytes:
    return blake2b(text, digest_size=CHECK).digest()


def written(record: Record | FoldedLevel) -> bytes:
    """Return a record as it stands in the file."""
    text = _encode(record)
    return len(text).to_bytes(4, "little") + _check(text) + text


def open_plainly(path: Path, flags: int) -> IO[bytes]:
    """Open a file to read or, with other ``flags``, to write; but not what a link points to."""
    mode = "wb" if flags & os.O_WRONLY else "rb"
    for name in ("O_NOFOLLOW", "O_BINARY", "O_NONBLOCK"):
        flags |= getattr(os, name, 0)
    return os.fdopen(os.open(path, flags, 0o666), mode, buffering=0)
