"""Lines of text in pieces of different colours."""

from collections.abc import Iterable

Line = list[tuple[str, str]]
"""Pieces of text with their colours of the interface."""


def plain(lines: Iterable[Line]) -> str:
    """Return lines without their colours."""
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)
