"""Writing keyframes beside a run file, as long as the disk takes them."""

import os
from contextlib import suppress
from pathlib import Path
from typing import IO, Self

from engine.keyframes import (
    MAGIC,
    FoldedLevel,
    Keyframe,
    Record,
    beside,
    open_plainly,
    written,
)
from engine.memory import CHECK as KEY


class KeyframeWriter:
    """Adds keyframes to the file beside a run; if the disk refuses, there are none.

    A level that is remembered is written once, before the first keyframe that has it.
    """

    def __init__(self, stream: IO[bytes] | None, frames: list[Keyframe]) -> None:
        self._stream = stream
        self._levels = {folded[:KEY] for frame in frames for folded in frame.levels.values()}

    @classmethod
    def begin(cls, path: Path, identity: bytes, frames: list[Keyframe]) -> Self:
        """Put ``frames`` in place of what is beside the run at ``path``, and go on from there."""
        fresh = path.with_name(path.name + ".keys.new")
        writer = cls(None, [])
        data = MAGIC + identity + b"".join(map(writer._written, frames))
        try:
            fresh.unlink(missing_ok=True)
            with open_plainly(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL) as stream:
                whole = stream.write(data) == len(data)
            if whole:
                fresh.replace(beside(path))
                return cls.resume(path, frames)
        except OSError:
            pass
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        return writer

    @classmethod
    def resume(cls, path: Path, frames: list[Keyframe]) -> Self:
        """Go on at the end of the file there is, which holds ``frames``."""
        try:
            return cls(open_plainly(beside(path), os.O_WRONLY | os.O_APPEND), frames)
        except OSError:
            return cls(None, [])

    def add(self, frame: Keyframe) -> None:
        """Append a keyframe."""
        if self._stream is None:
            return
        data = self._written(frame)
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

    def _written(self, frame: Keyframe) -> bytes:
        """Return what is to be written for ``frame``: the levels that are new, and itself."""
        fresh = [one for one in frame.levels.values() if one[:KEY] not in self._levels]
        self._levels.update(folded[:KEY] for folded in fresh)
        named = {depth: folded[:KEY] for depth, folded in frame.levels.items()}
        last = Record(frame.turns, frame.offset, frame.digest, frame.state, named)
        return b"".join([*(written(FoldedLevel(folded)) for folded in fresh), written(last)])
