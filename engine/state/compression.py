"""Plain data in few bytes, and back again: whoever wrote them, what is none of ours is refused."""

import zlib
from collections.abc import Callable
from hashlib import blake2b
from typing import TypeVar

import msgspec


class InvalidSave(ValueError):
    """Data that no world can come from; the message says why."""


CHECK = 8
"""Bytes before what is sealed that stand for what is in it, however it is compressed."""

Data = TypeVar("Data")


def compress(plain: bytes) -> bytes:
    """Return ``plain`` compressed, its check before it."""
    return check_of(plain) + zlib.compress(plain, 6)


def decompress(data: bytes, decode: Callable[[bytes], Data], largest: int, what: str) -> Data:
    """Return what `sealed` was given, as ``decode`` reads it.

    Raises `BadState`, which says that it is no ``what``, if the check is wrong, or if `inflated`
    would.
    """

    def checked(plain: bytes) -> Data:
        if data[:CHECK] != check_of(plain):
            raise InvalidSave(f"{what} is not what its check says")
        return decode(plain)

    return inflate(data[CHECK:], checked, largest, what)


def inflate(data: bytes, decode: Callable[[bytes], Data], largest: int, what: str) -> Data:
    """Return what the zlib stream ``data`` holds, as ``decode`` reads it.

    Raises `BadState`, which says that it is no ``what``, if it is cut short, larger than
    ``largest`` bytes once unpacked (no more than that are ever made), or not to be read.
    """
    try:
        machine = zlib.decompressobj()
        plain = machine.decompress(data, largest)
        if not machine.eof:
            raise InvalidSave(f"{what} is cut short or too large")
        return decode(plain)
    except (zlib.error, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise InvalidSave(f"not {what}: {fault}") from None


def check_of(plain: bytes) -> bytes:
    """Return the `CHECK` bytes that stand for ``plain``."""
    return blake2b(plain, digest_size=CHECK).digest()
