"""Random numbers: one named stream per purpose, the same on every machine and for ever."""

import operator
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from ctypes import c_char_p, c_void_p, py_object, pythonapi
from functools import cached_property, partial
from itertools import accumulate, chain
from typing import TypeVar
from zlib import crc32

import numpy as np
from numpy.random import PCG64, RandomState, SeedSequence
from numpy.typing import NDArray

Item = TypeVar("Item")
Number = TypeVar("Number", int, float)

STATE_BYTES = 21
"""Bytes of a stream's saved state: 16 of PCG64, 4 of an unused half word, 1 if there is one."""

_NEXT_WORD = PCG64(0).ctypes.next_uint32
_pointer_of = pythonapi.PyCapsule_GetPointer
_pointer_of.restype, _pointer_of.argtypes = c_void_p, (py_object, c_char_p)


def stable_key(part: int | str) -> int:
    """Return ``part`` as an integer for a stream's key: text by its CRC-32."""
    return part if isinstance(part, int) else crc32(part.encode("utf-8"))


class Rng:
    """A stream of random numbers, fixed by a seed and a key that names its purpose.

    Numbers come from `numpy.random.RandomState`, whose algorithms NumPy has frozen, over PCG64.
    With a single shared generator, one more draw anywhere would change everything after it; streams
    with different keys are independent, so a change to one purpose never affects another.
    """

    def __init__(self, seed: int, *key: int | str) -> None:
        self._seed, self._key = seed, key
        self._branches: dict[str, Rng] = {}
        self._state_bytes: bytes | None = None

    @cached_property
    def _bits(self) -> PCG64:
        """The generator, made at the first draw: a third of all steps draw nothing."""
        return PCG64(SeedSequence(self._seed, spawn_key=tuple(map(stable_key, self._key))))

    @cached_property
    def _state(self) -> RandomState:
        return RandomState(self._bits)

    def branch(self, purpose: str) -> "Rng":
        """Return the stream of ``purpose`` beside this one, the same object at every call.

        Draws from the branch do not advance this stream. A step draws kinds of monster from a
        branch, so a new entry in data/creatures.toml cannot move its furniture.
        """
        if purpose not in self._branches:
            self._branches[purpose] = Rng(self._seed, *self._key, purpose)
        return self._branches[purpose]

    @cached_property
    def _word(self) -> Callable[[], int]:
        """A function that draws 32 bits."""
        # The state comes first in the C struct of every bit generator (numpy/random/bitgen.h).
        # `PCG64.ctypes` has it, too, but also builds what takes as long as twenty draws.
        struct = _pointer_of(self._bits.capsule, b"BitGenerator")
        return partial(_NEXT_WORD, c_void_p(c_void_p.from_address(struct).value))

    def below(self, limit: int) -> int:
        """Return an integer from 0 up to, but not including, ``limit``.

        Rejection sampling with a mask, as in `RandomState.randint`, where checking the arguments
        takes longer than the draw. Raises `TypeError` unless ``limit`` is a whole number.
        """
        self._state_bytes = None
        if not 1 < limit <= 2**32:
            if (limit := operator.index(limit)) < 1:
                raise ValueError(f"there must be at least 1 thing to draw from, not {limit}")
            return int(self._state.randint(0, limit, dtype=np.int64))
        mask = (1 << operator.index(limit - 1).bit_length()) - 1
        while (drawn := self._word() & mask) >= limit:
            pass
        return drawn

    def between(self, low: int, high: int) -> int:
        """Return an integer from ``low`` to ``high``, both included."""
        if low > high:
            raise ValueError(f"low {low} is above high {high}")
        return int(low + self.below(high - low + 1))

    def varied(self, value: Number, share: float) -> Number:
        """Return ``value``, changed at random by up to ``share`` of it; 0 draws nothing.

        For an int, the largest change is rounded.
        """
        unit = 1 if isinstance(value, int) else 1000
        middle, most = round(value * unit), round(value * unit * share)
        return type(value)(self.between(middle - most, middle + most) / unit) if share else value

    def chance(self, share: float) -> bool:
        """Return True with probability ``share``; always draws once."""
        self._state_bytes = None
        return bool(self._state.random_sample() < share)

    def pick(self, items: Sequence[Item]) -> Item:
        """Return one of ``items``."""
        return items[self.below(len(items))]

    def weighted(self, weights: dict[str, int]) -> str:
        """Return a random name, in proportion to its weight; the order of the dict matters.

        Weights are whole numbers of at least 0. Raises `ValueError` if their sum is not above 0.
        """
        *starts, total = accumulate(weights.values(), initial=0)
        return [*weights][bisect_right(starts, self.below(total)) - 1]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """Return ``items`` in random order."""
        self._state_bytes = None
        return [items[index] for index in self._state.permutation(len(items)).tolist()]

    def integers(self, low: int, high: int, count: int) -> NDArray[np.int64]:
        """Return ``count`` integers, int64 [n], from ``low`` to ``high``, both included."""
        self._state_bytes = None
        span, drawn = high - low, list[int]()
        if not -1 < count < 9 or not 0 < span < 2**32:  # So few are drawn before `randint` begins.
            return self._state.randint(low, high + 1, count, dtype=np.int64)
        word, mask = self._word, (1 << int(span).bit_length()) - 1
        while len(drawn) < count:  # As in `below`.
            if (bits := word() & mask) <= span:
                drawn.append(low + bits)
        return np.array(drawn, np.int64)

    def random_bytes(self, height: int, width: int) -> NDArray[np.uint8]:
        """Return an array [height, width] of random bytes, straight from the bit stream."""
        self._state_bytes = None
        raw = self._bits.random_raw((height * width + 7) // 8)
        return raw.astype("<u8").view(np.uint8)[: height * width].reshape(height, width)

    @property
    def state_bytes(self) -> bytes:
        """The state of the stream as `STATE_BYTES` bytes; reading it draws nothing."""
        if self._state_bytes is None:
            state = self._bits.state
            half = state["uinteger"].to_bytes(4, "little") if state["has_uint32"] else bytes(4)
            place: bytes = state["state"]["state"].to_bytes(16, "little")
            self._state_bytes = place + half + bytes([state["has_uint32"]])
        return self._state_bytes

    def restore(self, state_bytes: bytes) -> None:
        """Return to the state ``state_bytes``; raise `ValueError` if it is invalid."""
        if len(state_bytes) != STATE_BYTES or state_bytes[-1] > 1:
            raise ValueError("not the state of a stream")
        state = self._bits.state
        state["state"]["state"] = int.from_bytes(state_bytes[:16], "little")
        state["uinteger"] = int.from_bytes(state_bytes[16:20], "little")
        state["has_uint32"] = state_bytes[20]
        self._bits.state = state
        self._state_bytes = state_bytes


FACES = 2**40
"""Sides of a die: so many that ``% limit`` favours small numbers by less than one in a million."""
HANDFUL = 512


def endless_draws(rng: Rng, limit: int, batch: int) -> Iterator[int]:
    """Return an endless iterator of integers below ``limit``; each ``batch`` comes last first."""
    # A chain of lists: a generator's `next` would take twice as long for each number.
    return chain.from_iterable(iter(lambda: rng.integers(0, limit - 1, batch).tolist()[::-1], []))


class Dice:
    """A buffer of draws from ``rng``, for loops that draw thousands of times.

    One call into NumPy costs about a microsecond whether it returns one number or 512.
    """

    def __init__(self, rng: Rng) -> None:
        self.rolls = endless_draws(rng, FACES, HANDFUL)

    def below(self, limit: int) -> int:
        """Return an integer from 0 up to, but not including, ``limit``."""
        return next(self.rolls) % limit

    def between(self, low: int, high: int) -> int:
        """Return an integer from ``low`` to ``high``, both included."""
        return low + self.below(high - low + 1)

    def chance(self, share: float) -> bool:
        """Return True with probability ``share``."""
        return self.below(FACES) < share * FACES

    def pick(self, items: Sequence[Item]) -> Item:
        """Return one of ``items``."""
        return items[self.below(len(items))]
