"""Writing keyframes beside a run file, as long as the disk takes them."""

import os
from contextlib import suppress
from pathlib import Path
from typing import IO, Self

from engine.records.folds import Folds, keys_in
from engine.records.keyframes import MAGIC, Folded, Keyframe, beside, open_plainly, written


class KeyframeWriter:
    """Adds keyframes to the file beside a run; if the disk refuses, there are none.

    A level or chunk that was left is written once, before the first keyframe that needs it.
    """

    def __init__(self, stream: IO[bytes] | None, frames: list[Keyframe]) -> None:
        self._stream = stream
        self._there = {key for frame in frames for key in keys_in(frame.needs)}

    @classmethod
    def begin(cls, path: Path, identity: bytes, frames: list[Keyframe], folds: Folds) -> Self:
        """Put ``frames`` in place of what is beside the run at ``path``, and go on from there.

        ``folds`` has all that they need.
        """
        fresh = path.with_name(path.name + ".keys.new")
        writer = cls(None, [])
        data = MAGIC + identity + b"".join(writer._written(frame, folds) for frame in frames)
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

    def add(self, frame: Keyframe, folds: Folds) -> None:
        """Append a keyframe; ``folds`` has all that it needs."""
        if self._stream is None:
            return
        data = self._written(frame, folds)
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

    def _written(self, frame: Keyframe, folds: Folds) -> bytes:
        """Return what is to be written for ``frame``: what it needs that is new, and itself."""
        fresh = [key for key in keys_in(frame.needs) if key not in self._there]
        self._there.update(fresh)
        return b"".join([*(written(Folded(folds[key])) for key in fresh), written(frame)])
