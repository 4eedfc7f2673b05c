"""Seed kinds from data/seeds.toml: what each grows, where, and in how many turns.

Planting runs steps of the level generators on a part of the map in play (`procgen/planting.py`).
The steps' names and parameters are checked there: this package does not know them.
"""

from enum import StrEnum
from functools import cache
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from entities.data_files import DataError, Weights, check_names, read_entries
from entities.statuses import LONGEST_STATUS, status_kinds
from entities.target_shapes import Targeting
from entities.terrain import TILE_NAMES

SEEDS_FILE = "seeds.toml"
MOST_TURNS = 12
"""The most turns that a growth takes."""

Sentence = Annotated[str, Meta(min_length=1, max_length=200)]
Share = Annotated[float, Meta(ge=0, le=1)]


class GroundShape(StrEnum):
    """The ground that a seed takes.

    DISC is a circle around the target, or the rest of the level if its radius is large; LINE a
    strip from the hero to the target; ROOM the largest rectangle of bare ground near the target.
    """

    DISC = "disc"
    LINE = "line"
    ROOM = "room"


class Soil(StrEnum):
    """Groups of tiles that a seed can change: BARE ground, ROCK, WET water, lava and ice."""

    BARE = "bare"
    ROCK = "rock"
    WET = "wet"


class SeedKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of seed.

    ``target`` says how it is aimed, ``ground`` and ``radius`` which tiles around the target it
    takes, ``takes`` which of these it may change. Each of ``chains`` is a list of steps with
    parameters, as in a recipe; the first chain that changes ``enough`` tiles is used, otherwise
    the one that changes most. A seed that would change fewer than ``least`` tiles is refused.
    The changes are spread over ``turns`` turns. Steps see bare ground as floor and rock as wall
    unless ``plain`` is false; with ``blank`` they begin with solid rock. Afterwards ``becomes``
    replaces tiles by others. With ``own_recipe`` the steps of the level's own recipe come before
    ``chains``. As it is planted, creatures on its ground other than the planter get the statuses
    that it ``gives``, each for its number of turns. An item as good as one behind a lock lies in
    the growth with ``treasure_chance``, and a monster sleeps there with ``monster_chance``.
    ``text`` describes the seed; ``grows`` is the message of planting it, ``barren`` of a refusal.
    """

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    text: Sentence
    grows: Sentence
    barren: Sentence
    target: Targeting
    ground: GroundShape
    radius: Annotated[int, Meta(ge=1, le=200)]
    takes: Annotated[tuple[Soil, ...], Meta(min_length=1)]
    chains: Annotated[tuple[tuple[dict[str, Any], ...], ...], Meta(min_length=1)]
    enough: Annotated[int, Meta(ge=1)] = 20
    least: Annotated[int, Meta(ge=1)] = 5
    turns: Annotated[int, Meta(ge=1, le=MOST_TURNS)] = 6
    plain: bool = True
    blank: bool = False
    becomes: dict[str, str] = {}
    own_recipe: bool = False
    gives: dict[str, Annotated[int, Meta(ge=1, le=LONGEST_STATUS)]] = {}
    treasure_chance: Share = 0.0
    monster_chance: Share = 0.0
    value: Annotated[int, Meta(ge=0)] = 30
    spawn_weight: Weights = {}


@cache
def seed_kinds() -> dict[str, SeedKind]:
    """Return every seed kind by name, in file order; raise `DataError` for an invalid one."""
    kinds = read_entries(SEEDS_FILE, SeedKind)
    for name, kind in kinds.items():
        where, tiles = f"data/{SEEDS_FILE}: [{name}]", (*kind.becomes, *kind.becomes.values())
        check_names(f"{where}: becomes", tiles, TILE_NAMES, "tile")
        check_names(f"{where}: gives", sorted(kind.gives), status_kinds(), "status")
        if fault := kind.target.fault():
            raise DataError(f"{where}: target.{fault}")
    return kinds
