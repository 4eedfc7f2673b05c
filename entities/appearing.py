"""How often creatures, things and traps appear: a weight from some depth down, and so on."""

from typing import Annotated

from msgspec import Meta

Weights = dict[Annotated[str, Meta(pattern=r"^[0-9]+$")], Annotated[int, Meta(ge=0)]]
"""Weights by the depth (a TOML key, so text) from which on they hold."""


def weight_at(depth: int, weights: Weights) -> int:
    """Return the one of ``weights`` that holds at ``depth``; 0 above the first of them."""
    reached = [int(start) for start in weights if int(start) <= depth]
    return weights[str(max(reached))] if reached else 0
