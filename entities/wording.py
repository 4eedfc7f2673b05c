"""Words for numbers of things."""


def counted(number: int, noun: str) -> str:
    """Return ``1 turn``, ``2,000 turns``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
