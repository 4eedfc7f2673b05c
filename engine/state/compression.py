"""Compress data with a checksum, and decompress data from untrusted files."""

import zlib
from collections.abc import Callable
from hashlib import blake2b
from typing import TypeVar

import msgspec


class InvalidSave(ValueError):
    """Saved data that no run can have led to; the message says why."""


CHECK = 8
"""Bytes of the checksum before the compressed data.

It is that of the plain data: equal content is told by it though zlib versions compress differently.
"""

Data = TypeVar("Data")


def compress(plain: bytes) -> bytes:
    """Return the checksum of ``plain``, then ``plain`` compressed."""
    return checksum(plain) + zlib.compress(plain, 6)


def decompress(data: bytes, decode: Callable[[bytes], Data], largest: int, what: str) -> Data:
    """Undo `compress` and return what ``decode`` makes of the plain data.

    Raises `InvalidSave`, naming ``what`` should be there, for a wrong checksum and as `inflate`.
    """

    def checked(plain: bytes) -> Data:
        if data[:CHECK] != checksum(plain):
            raise InvalidSave(f"{what} has a wrong checksum")
        return decode(plain)

    return inflate(data[CHECK:], checked, largest, what)


def inflate(data: bytes, decode: Callable[[bytes], Data], largest: int, what: str) -> Data:
    """Decompress the zlib stream ``data`` and return what ``decode`` makes of it.

    Raises `InvalidSave`, naming ``what`` should be there, if it is damaged or larger than
    ``largest`` bytes; no more than that are ever decompressed, so a zip bomb costs nothing.
    """
    try:
        stream = zlib.decompressobj()
        plain = stream.decompress(data, largest)
        if not stream.eof:
            raise InvalidSave(f"{what} is cut short or too large")
        return decode(plain)
    except (zlib.error, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise InvalidSave(f"not {what}: {fault}") from None


def checksum(plain: bytes) -> bytes:
    """Return the `CHECK` bytes that stand for ``plain``."""
    return blake2b(plain, digest_size=CHECK).digest()
