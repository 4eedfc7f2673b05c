"""Files a command writes: whole or not at all, and never over another without being told to."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from render.cli.faults import UsageError


def made_folder(folder: Path) -> Path:
    """Return ``folder``, made if it was not there; raise `OSError` with a sentence."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise OSError(f"{folder}: cannot be made a folder ({fault.strerror})") from None
    return folder


@contextmanager
def new_file(target: Path, *, force: bool) -> Iterator[BinaryIO]:
    """Yield a file that becomes ``target`` once all is written; with ``force``, in its place.

    Raises `UsageError` if it exists, `OSError` with a sentence if it cannot be written.
    """
    path = target.with_name(f"{target.name}.part") if force else target
    try:
        stream = path.open("wb" if force else "xb")
    except FileExistsError:
        raise UsageError(f"{target} exists already; --force overwrites it") from None
    except OSError as fault:
        raise OSError(f"{target}: cannot be written ({fault.strerror})") from None
    try:
        with stream:
            yield stream
        path.replace(target)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
