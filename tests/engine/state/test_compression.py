"""Data in few bytes: back again whole, or refused in a sentence."""

import zlib

import msgspec
import pytest

from engine.state.compression import CHECK, InvalidSave, checksum, compress, decompress, inflate

NUMBERS = list(range(300))
PLAIN = msgspec.msgpack.encode(NUMBERS)


def test_what_is_sealed_comes_back():
    assert decompress(compress(NUMBERS), list[int], len(PLAIN), "a list") == NUMBERS
    assert inflate(zlib.compress(PLAIN), list[int], len(PLAIN), "a list") == NUMBERS


def test_the_check_does_not_go_by_how_it_was_compressed():
    assert decompress(checksum(PLAIN) + zlib.compress(PLAIN, 1), list[int], 1 << 20, "") == NUMBERS


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (compress(NUMBERS)[:-5], "a list is cut short or too large"),
        (compress(NUMBERS * 2), "a list is cut short or too large"),
        (b"\0" * CHECK + compress(NUMBERS)[CHECK:], "a list has a wrong checksum"),
        (compress(None), "not a list"),
        (compress(NUMBERS)[:CHECK] + b"nothing like it", "not a list"),
        (b"", "a list is cut short"),
    ],
)
def test_anything_else_is_refused(data, words):
    with pytest.raises(InvalidSave, match=words):
        decompress(data, list[int], len(PLAIN), "a list")
