"""What a run file must agree with to mean the same thing."""

from functools import cache
from hashlib import blake2b

from entities.data import DATA

PROGRAM = "0.1.0"
RULES = 1
"""Raised when the rules change what an action does; recorded runs of other rules do not play."""

DECIDING = ("adventure.toml", "creatures.toml", "recipes.toml", "terrain.toml", "samples", "vaults")
"""What, under data/, can change the course of a run."""


@cache
def data_digest() -> str:
    """Return 16 hex digits of every data file that decides what happens, in sorted order."""
    state = blake2b(digest_size=8)
    for name in DECIDING:
        place = DATA / name
        files = sorted(place.rglob("*")) if place.is_dir() else [place]
        for path in files:
            if path.is_file():
                text = path.read_text(encoding="utf-8")
                state.update(f"{path.relative_to(DATA).as_posix()}\n{text}\n".encode())
    return state.hexdigest()
