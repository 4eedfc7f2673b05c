"""Words for numbers of things, and hints for names that are not known."""

from collections.abc import Iterable
from difflib import get_close_matches


def pluralise(number: int, noun: str) -> str:
    """Return ``number`` and ``noun``, in the plural except for 1: ``1 turn``, ``2,000 turns``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Return `` (do you mean wall?)`` with the one of ``names`` closest to ``name``, or ''."""
    close = get_close_matches(name, names, 1)
    return f" (do you mean {close[0]}?)" if close else ""
