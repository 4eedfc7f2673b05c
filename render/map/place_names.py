"""Names of places: regions of infinite worlds, sites near the hero, and location codes."""

from dataclasses import replace
from functools import cache, lru_cache
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from engine.infinite.infinite_map import InfiniteMap
from engine.infinite.populated_chunks import PopulatedChunk
from engine.state.game_state import GameState
from entities.data_files import check_names, read_table
from entities.terrain import TILE_NAMES, terrain
from entities.wording import pluralise
from procgen.chunk import SIDE, chunk_of
from procgen.infinite.wilderness_sites import crossroads_kinds
from procgen.level_code import LevelCode
from procgen.position_hash import position_random

REGION_NAMES_FILE = "region_names.toml"
NEAR_SITE = 10
"""The hero counts as at a site within this many tiles of its middle."""
MOST_SIGNS = 3
"""The number of nearest sites that a crossroads points to."""

Names = Annotated[list[str], Meta(min_length=1)]


class RegionKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of region: the tiles that cover it, and its possible names."""

    tiles: Names
    weight: Annotated[float, Meta(gt=0)]
    names: Names


class NameParts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parts that region names are made of."""

    beginnings: Names
    ends: Names
    regions: Annotated[list[RegionKind], Meta(min_length=1)]


@cache
def name_parts() -> NameParts:
    """Return the parts of region names; raise `DataError` for an unknown tile."""
    parts = read_table(REGION_NAMES_FILE, NameParts)
    for number, kind in enumerate(parts.regions):
        check_names(f"data/{REGION_NAMES_FILE}: regions[{number}]: tiles", kind.tiles, TILE_NAMES)
    return parts


def location_label(state: GameState, room: int = 200) -> str:
    """Return the name of the region around the hero and of the site nearby, or ''.

    At a crossroads the nearest other sites and their directions follow. If the text does not fit
    into ``room`` cells, its last parts are left out.
    """
    parts = _location_parts(state)
    while parts and len("".join(parts)) > room:
        parts.pop()
    return "".join(parts)


def depth_label(state: GameState) -> tuple[str, int]:
    """Return the depth or danger at the hero's place: ("Depth", 3) or ("Danger", 3).

    An infinite world has depth 1 everywhere, but grows more dangerous further out: ``Danger`` is
    the depth whose monsters live around the hero.
    """
    danger = state.map.depth_at(state.hero.x, state.hero.y)
    return ("Danger", danger) if state.map.is_infinite else ("Depth", state.depth)


def _location_parts(state: GameState) -> list[str]:
    chunk = chunk_of(*hero_place(state))
    built = state.map.chunks.get(chunk) if isinstance(state.map, InfiniteMap) else None
    if built is None:
        return []
    name = region_name(state.code.seed, chunk, built)
    x, y = (place % SIDE for place in hero_place(state))
    sites = sorted((max(abs(site.x - x), abs(site.y - y)), site) for site in built.sites)
    if not sites or sites[0][0] > NEAR_SITE:
        return [name]
    place = sites[0][1]
    parts = [name, f", by {_with_article(place.kind)}"]
    signs = sites[1 : 1 + MOST_SIGNS] if place.kind in crossroads_kinds() else []
    for number, (_, site) in enumerate(signs):
        gap = ", " if number else "; "
        words = compass_direction(site.x - x, site.y - y).split("-")
        parts.append(f"{gap}{site.kind} {''.join(word[0].upper() for word in words)}")
    return parts


@lru_cache(maxsize=64)
def region_name(seed: int, chunk: tuple[int, int], built: PopulatedChunk) -> str:
    """Return the region name of ``built``, from the terrain that covers most of it.

    It depends on the seed and the chunk alone, so it is the same on every visit.
    """
    covers = np.bincount(built.tiles.ravel(), minlength=len(terrain().kinds))
    area, parts = dict(zip(TILE_NAMES, covers.tolist(), strict=True)), name_parts()
    kind = max(parts.regions, key=lambda kind: kind.weight * sum(area[tile] for tile in kind.tiles))
    rng = position_random(seed, "name", *chunk)
    word = rng.pick(parts.beginnings) + rng.pick(parts.ends)
    return f"{word} {rng.pick(kind.names)}"


def compass_direction(dx: int, dy: int) -> str:
    """Return the compass direction of (dx, dy): ``north-east``."""
    down = "" if 2 * abs(dy) < abs(dx) else "south" if dy > 0 else "north"
    right = "" if 2 * abs(dx) < abs(dy) else "east" if dx > 0 else "west"
    return "-".join(filter(None, (down, right)))


def bearing(dx: int, dy: int, *, brief: bool = False) -> str:
    """Return distance and direction: ``3 tiles north-east`` or ``3 NE``; ``here`` of (0, 0)."""
    steps, way = max(abs(dx), abs(dy)), compass_direction(dx, dy)
    if brief and steps:
        return f"{steps} {''.join(word[0] for word in way.split('-')).upper()}"
    return f"{pluralise(steps, 'tile')} {way}" if steps else "here"


def _with_article(kind: str) -> str:
    if kind.endswith("s") and not kind.endswith("ss") and " of " not in kind:
        return kind
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def hero_place(state: GameState) -> tuple[int, int]:
    """Return the hero's world coordinates."""
    return state.map.world_place(state.hero.x, state.hero.y)


def place_code(state: GameState, x: int, y: int) -> str:
    """Return the level code of the place (x, y) of the infinite world in ``state``."""
    return f"{str(state.code).partition('@')[0].removesuffix(':1')}@{x},{y}"


def code_here(state: GameState) -> str:
    """Return the code of the current level; in an infinite world, of the hero's place."""
    return place_code(state, *hero_place(state)) if state.map.is_infinite else str(state.code)


def level_code_around(state: GameState) -> LevelCode:
    """Return the level code; in an infinite world, that of a window around the hero."""
    code = state.code
    return replace(code, place=hero_place(state)) if state.map.is_infinite else code
