"""What stands in a run file: a header, then one line per action.

JSON lines. Each action is appended as it is played, with the digest of the state after it and,
where a level begins, the code of that level and what it means for play.
"""

from datetime import UTC, datetime
from hashlib import blake2b
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from engine.actions import Action
from engine.records.version import FORMAT, PROGRAM, RULES
from engine.setup import Setup

Short = Annotated[str, Meta(max_length=200)]
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]


class Arrival(msgspec.Struct, frozen=True, array_like=True):
    """A level begins: its code in full, and its `engine.records.meaning.meaning`."""

    code: Short
    meaning: Digest


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first line: what wrote the run, under which rules, and what it began with.

    ``state`` is a packed `engine.records.state.State` if it did not begin at the beginning.
    """

    seedhollow: Literal["run"]
    format: int
    program: Short
    rules: int
    started: Short
    setup: Setup
    level: Arrival
    state: bytes | None = None


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Any later line: an action and the digest after it, where it led, how the run ended."""

    do: Action | None = None
    digest: Digest | None = None
    level: Arrival | None = None
    end: Short | None = None


def identity_of(first_line: bytes) -> bytes:
    """Return what tells a run from every other, from its header as written."""
    return blake2b(first_line, digest_size=16).digest()


write_line = msgspec.json.Encoder().encode


def header_for(setup: Setup, level: Arrival, state: bytes | None = None) -> Header:
    """Return the header of a run that begins now."""
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Header("run", FORMAT, PROGRAM, RULES, now, setup, level, state)
