"""Compress data with a checksum, and decompress data from untrusted files."""

import zlib
from collections.abc import Callable
from hashlib import blake2b
from typing import TypeVar

import msgspec

from entities.data_files import fault_in_words


class InvalidSave(ValueError):
    """Saved data is damaged or impossible in any run; the message says why."""


CHECK = 8
"""Bytes of the checksum before the compressed data.

It covers the plain data, because zlib versions may compress equal content to different bytes.
"""

Data = TypeVar("Data")


def compress(value: object) -> bytes:
    """Return ``value`` in MessagePack, compressed, after the checksum of the plain bytes."""
    plain = msgspec.msgpack.encode(value)
    return checksum(plain) + zlib.compress(plain, 6)


def no_limit(_: object) -> None:
    """Accept any bytes, and any number of them, for data that was checked before."""


def decompress(
    data: bytes, kind: type[Data], limit: int, what: str, spend: Callable[[int], None] = no_limit
) -> Data:
    """Undo `compress`: return the data, decoded from MessagePack as a ``kind``.

    ``spend`` gets the number of plain bytes before they are decoded, and may raise. Raises
    `InvalidSave`, naming the expected content ``what``, for a wrong checksum or as `inflate` does.
    """

    def check(plain: bytes) -> None:
        spend(len(plain))
        if data[:CHECK] != checksum(plain):
            raise InvalidSave(f"{what} has a wrong checksum")

    return inflate(data[CHECK:], kind, limit, what, check)


def inflate(
    data: bytes, kind: type[Data], limit: int, what: str, check: Callable[[bytes], None] = no_limit
) -> Data:
    """Decompress the zlib stream ``data`` and return it decoded from MessagePack as a ``kind``.

    ``check`` gets the plain bytes before they are decoded, and may raise. Raises `InvalidSave`,
    naming the expected content ``what``, if the stream is damaged or larger than ``limit`` bytes;
    no more than that are ever decompressed, so a zip bomb is harmless.
    """
    try:
        stream = zlib.decompressobj()
        plain = stream.decompress(data, limit)
        if not stream.eof:
            raise InvalidSave(f"{what} is cut short or too large")
        check(plain)
        return msgspec.msgpack.decode(plain, type=kind)
    except (zlib.error, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise InvalidSave(f"not {what}: {fault_in_words(fault)}") from None


def checksum(plain: bytes) -> bytes:
    """Return the BLAKE2b digest of ``plain``, `CHECK` bytes."""
    return blake2b(plain, digest_size=CHECK).digest()
