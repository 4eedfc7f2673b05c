"""The state of a run as a few letters, some for each of its parts, so that blame has an address."""

from hashlib import blake2b
from typing import Any

import msgspec

SUBSYSTEMS = ("map", "actors", "run", "streams")
"""The parts of a state, in the order of their letters in a digest."""
LETTERS = 4

_encode = msgspec.msgpack.Encoder().encode


def fingerprint(*parts: Any) -> str:
    """Return `LETTERS` hex digits for each of ``parts``, one for each of `SUBSYSTEMS`."""
    return "".join(blake2b(_encode(part), digest_size=LETTERS // 2).hexdigest() for part in parts)


def blamed(recorded: str, found: str) -> tuple[str, ...]:
    """Return the subsystems in which two digests differ, all of them if nothing can be told."""
    if len(recorded) != len(found):
        return SUBSYSTEMS
    places = enumerate(SUBSYSTEMS)
    return tuple(
        name
        for number, name in places
        if recorded[number * LETTERS : (number + 1) * LETTERS]
        != found[number * LETTERS : (number + 1) * LETTERS]
    )
