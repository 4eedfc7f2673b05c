"""The words of the language of conditions, and how each is worked out."""

import ast
import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Protocol

LONGEST, MOST_PARTS = 1000, 300
"""How many characters and how many parts a condition may have."""


class Values(Protocol):
    """Gives every metric as a float by its name; a dict does, and so does what works them out."""

    def __getitem__(self, name: str, /) -> float:
        """Return the metric that is called ``name``."""
        ...


class QueryError(ValueError):
    """A condition that means nothing; the message is the end of a sentence for people."""


@dataclass(frozen=True)
class Number:
    """Something that is a number once metrics are known."""

    of: Callable[[Values], float]


@dataclass(frozen=True)
class Condition:
    """Something that is true or false once metrics are known."""

    of: Callable[[Values], bool]


COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
ARITHMETIC: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
FUNCTIONS: dict[str, tuple[Callable[..., float], int, int]] = {
    "abs": (abs, 1, 1),
    "min": (min, 2, 9),
    "max": (max, 2, 9),
}
"""Each with the least and the most numbers it takes."""
UNFINISHED = re.compile(r"(^|\band|\bor|\bnot|[-+*/<>=(,])$")


def nearest(name: str, known: Sequence[str]) -> str:
    """Say that there is no metric ``name``, and which there are."""
    close = get_close_matches(name, known, 1)
    hint = f" (do you mean {close[0]}?)" if close else ""
    listed = f"there are {', '.join(known)}" if known else "a plain number is wanted"
    return f"there is no metric {name[:40]!r}{hint}; {listed}"


def misread(text: str, fault: SyntaxError) -> str:
    """Say what cannot be read, and what is written otherwise here than elsewhere."""
    for foreign, ours in (("&&", "and"), ("||", "or"), ("!", "not or !=")):
        if foreign in text.replace("!=", ""):
            return f"write {ours}, not {foreign}"
    pieces = re.sub("[<>=!]=", "", text)
    if "=" in pieces:
        return "write == to compare"
    if UNFINISHED.search(text):
        return "it ends too early"
    place = text[max(0, (fault.offset or 1) - 1) :][:20]
    return f"it cannot be read from {place!r} on" if place else "it cannot be read"
