"""Deserialise a GameMap from untrusted data: raise `InvalidSave` on anything invalid.

The types limit single numbers and lists: msgspec checks them while decoding. The functions here
check the rest: kinds that do not exist, two creatures on a tile, places off the map.
"""

from typing import Annotated

import msgspec
from msgspec import Meta

from components.inventory import Item
from engine.infinite.saved_chunks import InfiniteMemory
from engine.levels.drawn_level import check_item
from engine.levels.recipe_by_depth import parse_playable_code
from engine.state.compression import InvalidSave
from engine.state.game_map import FLOOD, GameMap, Growing
from engine.state.run_setup import CodeText, RunSetup, Short
from engine.terrain.memories import LOCKS
from entities.creature_kinds import HERO, creature_kinds, spawn_weights
from entities.entity import Entity
from entities.item_kinds import SLOTS, item_class_of, item_kinds
from entities.pack import MOST_STACKS
from entities.seed_kinds import MOST_TURNS, seed_kinds
from entities.statuses import LONGEST_STATUS, status_kinds
from entities.talents import talents
from entities.terrain import TILES
from procgen.level_code import LevelCode

MOST_CREATURES = 20_000
"""The most creatures, or piles of items, in one state."""
MOST_IN_A_PILE = 1000
MOST_ENERGY = 500_000
"""The most energy stored by all creatures of a level: with more, one turn would take minutes."""
MOST_FIRE_TURNS = 99
MOST_GROWTHS = 100
"""The most seeds and floods that grow on one level at a time."""
MOST_GROWN = 1000
"""The most changes of tiles that one seed or flood makes; a tile can change twice."""

Natural = Annotated[int, Meta(ge=0, lt=1 << 53)]
Kinds = Annotated[list[Short], Meta(max_length=1000)]
Changes = dict[int, Annotated[int, Meta(ge=0, lt=len(TILES))]]
Entities = Annotated[list[Entity], Meta(max_length=MOST_CREATURES)]
Pile = Annotated[list[Item], Meta(max_length=MOST_IN_A_PILE)]
Piles = Annotated[list[tuple[int, int, Pile]], Meta(max_length=MOST_CREATURES)]
Fires = dict[int, Annotated[int, Meta(ge=1, le=MOST_FIRE_TURNS)]]
Growths = Annotated[list[Growing], Meta(max_length=MOST_GROWTHS)]
Reach = Annotated[int, Meta(ge=0, le=LOCKS)]


def check_pack(owner: Entity) -> None:
    """Raise `InvalidSave` unless ``owner`` can carry its inventory and wear its equipment."""
    for item in owner.inventory:
        check_item(item.kind, item.count)
    letters = {item.letter for item in owner.inventory}
    by_id = {item.id: item for item in owner.inventory}
    if len(owner.inventory) > MOST_STACKS or len(by_id) < len(owner.inventory):
        raise InvalidSave("an inventory has too many items or two with one id")
    if owner.kind == HERO and (len(letters) < len(owner.inventory) or "" in letters):
        raise InvalidSave("two items of the inventory have one letter")
    for slot, number in owner.equipment.items():
        worn = by_id.get(number)
        if slot not in SLOTS or worn is None or item_class_of(worn.kind).slot != slot:
            raise InvalidSave("an item is worn in a slot where it does not fit")


def check_ghost(setup: RunSetup) -> None:
    """Raise `InvalidSave` if the grave of an earlier run holds an impossible item."""
    if setup.ghost and setup.ghost.item:
        check_item(setup.ghost.item.kind, setup.ghost.item.count)


def check_creature(entity: Entity) -> None:
    """Raise `InvalidSave` unless kind, statuses, pack and talents of ``entity`` are possible."""
    kind = creature_kinds().get(entity.kind)
    behaviour = entity.ai.behaviour if entity.ai else None
    if kind is None or kind.behaviour != behaviour:
        raise InvalidSave(f"there is no creature kind {entity.kind[:60]!r}")
    for name, turns in entity.statuses.items():
        if name not in status_kinds() or not 0 < turns <= LONGEST_STATUS:
            raise InvalidSave(f"a creature cannot have the status {name[:60]!r} for {turns} turns")
    check_pack(entity)
    if xp := entity.experience:
        chosen, kinds = xp.talents, talents()
        if len(chosen) > xp.level:
            raise InvalidSave("the hero has more talents than its level allows")
        if not all(name in kinds and chosen.count(name) <= kinds[name].times for name in chosen):
            raise InvalidSave("the hero has a talent that it cannot learn")


def check_known_kinds(names: list[str]) -> list[str]:
    """Return ``names`` if all are item kinds, each once; raise `InvalidSave` otherwise."""
    if len(set(names)) < len(names) or not all(name in item_kinds() for name in names):
        raise InvalidSave("an identified item kind is unknown or listed twice")
    return list(names)


def parse_full_code(text: str) -> LevelCode:
    """Parse ``text``, a level code in full; raise `InvalidSave` for anything else."""
    try:
        code = parse_playable_code(text)
    except ValueError as fault:
        raise InvalidSave(str(fault)) from None
    if str(code) != text:
        raise InvalidSave(f"{text!r} is not a full level code")
    return code


class SavedMap(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a map that a saved state and a stored level keep; its code gives the rest.

    ``changes`` are tiles and ``fires`` the turns that each has left, by y * width + x; ``explored``
    holds eight tiles to a byte; ``keys`` is the number of keys for its locks that the hero carries,
    ``turns_here`` the turns spent there, ``remembered`` the reach of the memory found on it, 0 for
    none; ``atlas`` is set for an infinite world. The field names are part of the format.
    """

    code: CodeText
    turns_here: Natural
    changes: Changes
    explored: bytes
    entities: Entities
    items: Piles
    fires: Fires
    keys: Natural = 0
    atlas: InfiniteMemory | None = None
    remembered: Reach = 0


def restore_contents(game_map: GameMap, saved: SavedMap) -> None:
    """Restore the contents ``saved``, which were checked, on the bare ``game_map``."""
    game_map.turns_here, game_map.keys = saved.turns_here, saved.keys
    game_map.remembered = saved.remembered
    for place, tile in saved.changes.items():
        game_map.set_tile(place % game_map.width, place // game_map.width, tile)
    for entity in saved.entities:
        game_map.add_entity(entity)
    for x, y, pile in saved.items:
        for item in pile:
            game_map.add_item(item, x, y)
    for place, turns in saved.fires.items():
        game_map.fires[place % game_map.width, place // game_map.width] = turns


def restore_growth(game_map: GameMap, growths: list[Growing]) -> None:
    """Restore what seeds and floods have yet to change; raise `InvalidSave` if it is impossible."""
    for growing in growths:
        changes = [change for turn in growing.turns for change in turn]
        if growing.kind not in (FLOOD, *seed_kinds()) or not 0 < len(growing.turns) <= MOST_TURNS:
            raise InvalidSave("something grows that no seed grows")
        y, x = divmod(growing.center, game_map.width)
        if growing.monster and growing.monster not in spawn_weights(game_map.depth_at(x, y)):
            raise InvalidSave("no such monster can live in what grows")
        for item in growing.items:
            check_item(item.kind, item.count)
        if len(changes) > MOST_GROWN:
            raise InvalidSave("a seed changes too many tiles")
        for place, tile in [*changes, (growing.center, 0)]:
            if not 0 <= place < game_map.tiles.size or tile not in TILES:
                raise InvalidSave("a seed grows off the map, or grows no tile")
    game_map.growing = list(growths)
