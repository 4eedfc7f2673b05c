"""Plain data that nobody expects, and plain data with some of that put in."""

import json
from copy import deepcopy

DEEP = json.loads("[" * 200 + "]" * 200)
NUMBERS = [0, -1, 1, 2**31, 2**63, 2**64 - 1, 2**64, 10**9, 10**300, 0.5, 1e308]
TEXTS = [
    "", "x", "\x1b[2J\x1b]0;mine\x07", "\u202eevil", "\x00", "x" * 10**5, "0" * 16, "wait",
    "a:b:c@d", "../../../../etc/passwd", "/dev/zero", "caves.1:1:1@4000x4000",
    "caves.1:1:1@500x500",
]  # fmt: skip
LISTS = [
    [], [[]], DEEP, [1] * 5000, ["wait"], ["move", 9, 9], ["visit", "caves:1@30x20"],
    ["visit", "\x1b[31m"], {}, {"a": {"b": 1}},
]  # fmt: skip
NASTY = [None, True, False, *NUMBERS, *TEXTS, *LISTS]


def nasty(chance):
    """Return something that nobody expects, of its own to change."""
    return deepcopy(chance.choice(NASTY))


def place(chance, plain):
    """Return a container somewhere in ``plain`` and one of its keys."""
    while True:
        key = chance.choice(list(plain) if isinstance(plain, dict) else range(len(plain)))
        inner = plain[key]
        if not isinstance(inner, dict | list) or not inner or chance.random() < 0.3:
            return plain, key
        plain = inner


def altered(chance, plain):
    """Return a copy of plain data with something in it replaced, removed, doubled or added."""
    plain = deepcopy(plain)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        if not isinstance(plain, dict | list) or not plain:
            return nasty(chance)
        holder, key = place(chance, plain)
        match chance.randrange(5):
            case 0 if isinstance(holder, dict):
                del holder[key]
            case 1 if isinstance(holder, dict):
                holder[str(nasty(chance))[:50]] = nasty(chance)
            case 2 if isinstance(holder[key], int):
                holder[key] = holder[key] * chance.choice((-1, 2, 10**6, 10**18)) + chance.choice(
                    (-1, 1)
                )
            case _:
                holder[key] = nasty(chance)
    return plain
