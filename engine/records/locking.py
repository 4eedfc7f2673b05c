"""The operating system's lock on an open file: it ends with the process, however that ends."""

import sys
from typing import IO

if sys.platform == "win32":
    import msvcrt
    import time

    FAR = 1 << 40
    """Where the locked byte lies: behind all that is written, for locked bytes cannot be read."""
    PAUSE = 0.02

    def lock(stream: IO[bytes], *, wait: bool) -> None:
        """Lock an open file for this process; raise `BlockingIOError` if it is and may not wait."""
        while not _locked(stream):
            if not wait:
                raise BlockingIOError
            time.sleep(PAUSE)

    def _locked(stream: IO[bytes]) -> bool:
        here = stream.tell()
        stream.seek(FAR)
        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            stream.seek(here)
        return True

else:
    import errno
    import fcntl

    NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP}
    """What a file system answers that knows no locks; there, one goes on without."""

    def lock(stream: IO[bytes], *, wait: bool) -> None:
        """Lock an open file for this process; raise `BlockingIOError` if it is and may not wait."""
        try:
            fcntl.flock(stream.fileno(), fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except OSError as fault:
            if fault.errno not in NO_LOCKS:
                raise
