"""Distribute tasks with a dask scheduler, which repeats them if a worker is lost."""

import logging
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from entities.program import how_to_install

TIMEOUT_SECONDS = 10
"""Seconds to wait for a scheduler, and for its first worker."""
Submit = Callable[..., Any]
ADDRESS = re.compile(
    r"(?:(?:tcp|tls|ws|wss|ucx)://)?(?:\[[0-9A-Fa-f:.%]+\]|[^][\s:/]+):([0-9]{1,5})/?"
)


class PoolUnavailable(Exception):
    """The pool of workers cannot be used; the message says why."""


@contextmanager
def dask_pool(address: str) -> Iterator[tuple[Submit, int]]:
    """Yield a submit function and the number of workers.

    Raises `PoolUnavailable` without dask.distributed or for an invalid address, `OSError` if no
    scheduler or worker answers.
    """
    # dask would retry an invalid address for a long time and print tracebacks meanwhile.
    if not (match := ADDRESS.fullmatch(address)) or not 0 < int(match[1]) < 1 << 16:
        raise PoolUnavailable(
            f"--cluster {address[:80]!r} is not an address such as tcp://host:8786"
        )
    try:
        from dask.distributed import Client  # noqa: PLC0415 - heavy, and optional
    except ImportError:
        hint = how_to_install("cluster")
        raise PoolUnavailable(f"--cluster needs dask.distributed: {hint}") from None

    class Connection(Client):
        """A client whose destructor does nothing, since an unconnected client would hang in it."""

        def __del__(self) -> None:
            pass

    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    client = _connected(Connection, address)
    try:
        # Without ``pure=False`` dask would merge equal tasks.
        yield partial(client.submit, pure=False), max(2, sum(client.ncores().values()))
    except Exception as fault:
        if ModuleNotFoundError in (type(fault), type(fault.__cause__)):
            text = "the scheduler and the workers must be able to import the program"
            raise OSError(f"{text}: start them in its folder with PYTHONPATH=.") from None
        if not type(fault).__module__.startswith("distributed"):
            raise
        raise OSError(f"the cluster failed ({type(fault).__name__}: {fault})"[:200]) from None
    finally:
        with suppress(Exception):
            client.close(timeout=5)


def _connected(connect: Callable[..., Any], address: str) -> Any:
    try:
        client = connect(address, timeout=TIMEOUT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as fault:
        why = str(fault).splitlines()[0] if str(fault) else type(fault).__name__
        raise OSError(f"--cluster {address}: no scheduler answers ({why})") from None
    try:
        client.wait_for_workers(1, timeout=TIMEOUT_SECONDS)
    except OSError:
        client.close()
        raise OSError(f"--cluster {address}: the scheduler has no workers") from None
    return client
