"""Keyframes: packed states in a file beside the run file, so that seeking need not replay all.

They are only a cache; the run file alone is the save. Each keyframe names its run and its position
in the log, and is used only if its restored state has the digest recorded there. Editing a keyframe
file is thus no way to cheat, and deleting it costs only time.
"""

import os
from pathlib import Path
from typing import IO, Annotated, NamedTuple, Self

import msgspec
from msgspec import Meta

from engine.saves import saved_state
from engine.saves.files import write_atomically
from engine.saves.run_file import RecordedRun
from engine.state.compression import CHECK, checksum
from engine.state.game_state import GameState

KEYFRAME_INTERVAL = 25
"""Turns between two keyframes; arriving on a level adds one."""
BUSY_WORK = 15
"""The most Dijkstra maps computed between two keyframes: busy turns are slow to replay."""
LARGEST_FILE = 64 << 20
MAGIC = b"seedhollow keyframes 4\n"


class Keyframe(msgspec.Struct, frozen=True, array_like=True, tag="k"):
    """The state after ``turns`` actions and its ``digest``; the log was ``offset`` bytes long.

    ``state`` is a packed `SavedState` with checksums in place of its stored levels and
    chunks; ``needs`` are those checksums. Successive keyframes share most of those parts.
    """

    turns: Annotated[int, Meta(ge=1)]
    offset: Annotated[int, Meta(ge=0)]
    digest: str
    state: bytes
    needs: bytes = b""

    def joined(self, parts: saved_state.PackedParts) -> saved_state.SavedState:
        """Return the state with all parts put back; raise `InvalidSave` if any is missing."""
        return saved_state.join_parts(saved_state.unpack_state(self.state), parts)


def take_keyframe(
    state: GameState, turns: int, offset: int, digest: str
) -> tuple[Keyframe, saved_state.PackedParts]:
    """Return a keyframe of ``state`` and the packed parts that it refers to."""
    saved, parts = saved_state.split_parts(saved_state.save_state(state))
    return Keyframe(turns, offset, digest, saved_state.pack_state(saved), b"".join(parts)), parts


class PackedPart(msgspec.Struct, frozen=True, array_like=True, tag="l"):
    """A packed level or chunk that later keyframes in the file refer to."""

    packed: bytes


class StoredKeyframe(NamedTuple):
    """The valid content of a keyframe file; ``sound`` if the file holds nothing else."""

    frames: list[Keyframe]
    parts: dict[bytes, bytes]
    sound: bool


_decode = msgspec.msgpack.Decoder(Keyframe | PackedPart).decode


def keyframes_path(path: Path) -> Path:
    """Return the path of the keyframe file of the run at ``path``."""
    return path.with_name(path.name + ".keys")


def read_keyframes(run: RecordedRun) -> StoredKeyframe:
    """Return the keyframes of ``run`` up to the first that disagrees with its log."""
    content = StoredKeyframe([], {}, sound=True)
    # Shares the lists of ``content``: what was read before a fault still counts.
    bad = content._replace(sound=False)
    try:
        with open_no_follow(keyframes_path(run.path), os.O_RDONLY) as stream:
            data = stream.read(min(LARGEST_FILE, os.fstat(stream.fileno()).st_size))
    except OSError:
        return bad
    prefix = MAGIC + run.identity
    if not data.startswith(prefix):
        return bad
    place = len(prefix)
    while place < len(data):
        size = int.from_bytes(data[place : place + 4], "little")
        check, start = data[place + 4 : place + 4 + CHECK], place + 4 + CHECK
        place = start + size
        text = data[start:place]
        if len(text) != size or checksum(text) != check or not _read(run, text, content):
            return bad
    return content


def _read(run: RecordedRun, text: bytes, content: StoredKeyframe) -> bool:
    """Decode ``text`` and add it to ``content``; return False if it disagrees with the log."""
    try:
        record = _decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    if isinstance(record, PackedPart):
        content.parts[record.packed[:CHECK]] = record.packed
        return True
    if record.turns > len(run.actions) or run.ends[record.turns] != record.offset:
        return False
    if run.actions[record.turns - 1][1] != record.digest:
        return False
    if not content.parts.keys() >= set(saved_state.split_keys(record.needs)):
        return False
    content.frames.append(record)
    return True


def encode_record(record: Keyframe | PackedPart) -> bytes:
    """Return a record as bytes: length (4, little-endian), checksum, msgpack."""
    text = msgspec.msgpack.encode(record)
    return len(text).to_bytes(4, "little") + checksum(text) + text


def open_no_follow(path: Path, flags: int) -> IO[bytes]:
    """Open a file with the `os.open` ``flags``; refuse symbolic links (raise `OSError`)."""
    mode = "wb" if flags & os.O_WRONLY else "rb"
    for name in ("O_NOFOLLOW", "O_BINARY", "O_NONBLOCK"):
        flags |= getattr(os, name, 0)
    return os.fdopen(os.open(path, flags), mode, buffering=0)


class KeyframeWriter:
    """Appends keyframes to the file beside a run; stops silently if a write fails.

    A stored level or chunk is written once, before the first keyframe that needs it.
    """

    def __init__(self, stream: IO[bytes] | None, frames: list[Keyframe]) -> None:
        self._stream = stream
        self._there = {key for frame in frames for key in saved_state.split_keys(frame.needs)}

    @classmethod
    def begin(
        cls, path: Path, identity: bytes, frames: list[Keyframe], parts: saved_state.PackedParts
    ) -> Self:
        """Replace the keyframe file of the run at ``path`` by ``frames``; return its writer.

        ``parts`` are the parts that they need.
        """
        writer = cls(None, [])
        data = MAGIC + identity + b"".join(writer._written(frame, parts) for frame in frames)
        try:
            write_atomically(keyframes_path(path), data)
        except OSError:
            return writer
        return cls.resume(path, frames)

    @classmethod
    def resume(cls, path: Path, frames: list[Keyframe]) -> Self:
        """Return a writer at the end of the existing file, which holds ``frames``."""
        try:
            return cls(open_no_follow(keyframes_path(path), os.O_WRONLY | os.O_APPEND), frames)
        except OSError:
            return cls(None, [])

    def add(self, frame: Keyframe, parts: saved_state.PackedParts) -> None:
        """Append a keyframe; ``parts`` are the parts that it needs."""
        if self._stream is None:
            return
        data = self._written(frame, parts)
        try:
            complete = self._stream.write(data) == len(data)
        except OSError:
            complete = False
        if not complete:
            self.close()

    def close(self) -> None:
        """Close the file."""
        if self._stream:
            self._stream.close()
            self._stream = None

    def _written(self, frame: Keyframe, parts: saved_state.PackedParts) -> bytes:
        """Return the bytes to write for ``frame``: its parts not written yet, then itself."""
        fresh = [key for key in saved_state.split_keys(frame.needs) if key not in self._there]
        self._there.update(fresh)
        records: list[Keyframe | PackedPart] = [*(PackedPart(parts[key]) for key in fresh), frame]
        return b"".join(map(encode_record, records))
