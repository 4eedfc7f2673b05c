"""What many states have in common: levels and chunks one has left, named instead of held."""

from collections.abc import Mapping

from msgspec.structs import replace

from engine.records.bad_state import BadState
from engine.records.packed import CHECK
from engine.records.state import State

KEY = CHECK

Folds = Mapping[bytes, bytes]
"""Folded levels and chunks by their first `KEY` bytes, which stand for what is in them."""


def named(state: State) -> tuple[State, dict[bytes, bytes]]:
    """Return ``state`` with names in the place of all that is folded in it, and that by name."""
    folds: dict[bytes, bytes] = {}

    def name(folded: bytes) -> bytes:
        return folds.setdefault(folded[:KEY], folded)[:KEY]

    atlas = state.atlas
    if atlas:
        left = [(x, y, name(folded)) for x, y, folded in atlas.left]
        below = [
            (x, y, {n: name(one) for n, one in levels.items()}) for x, y, levels in atlas.below
        ]
        atlas = replace(atlas, left=left, below=below)
    remembered = {depth: name(folded) for depth, folded in state.remembered.items()}
    return replace(state, remembered=remembered, atlas=atlas), folds


def filled(state: State, folds: Folds) -> State:
    """Return ``state`` with all that it names; raise `BadState` if some of that is missing."""
    atlas = state.atlas
    try:
        if atlas:
            left = [(x, y, folds[key]) for x, y, key in atlas.left]
            below = [
                (x, y, {n: folds[key] for n, key in levels.items()}) for x, y, levels in atlas.below
            ]
            atlas = replace(atlas, left=left, below=below)
        remembered = {depth: folds[key] for depth, key in state.remembered.items()}
    except KeyError:
        raise BadState("a level that was left is missing") from None
    return replace(state, remembered=remembered, atlas=atlas)


def keys_in(needs: bytes) -> list[bytes]:
    """Return the names that stand one behind another in ``needs``."""
    return [needs[place : place + KEY] for place in range(0, len(needs), KEY)]
