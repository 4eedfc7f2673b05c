"""Plain data made into a map again, whoever wrote it: what no map can be is refused."""

from collections.abc import Iterable
from string import ascii_lowercase
from typing import Annotated, Protocol

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from components.inventory import Item
from engine.levels.level_choice import visited
from engine.state.compression import InvalidSave
from engine.state.game_map import GameMap
from entities.creature_kinds import HERO, creature_kinds
from entities.entity import Entity
from entities.item_kinds import SLOTS, item_class_of, item_kinds
from entities.pack import LARGEST_STACK, MOST_STACKS
from entities.statuses import LONGEST_STATUS, status_kinds
from entities.talents import talents
from entities.terrain import TILES
from procgen.level_code import LevelCode

Kinds = Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=1000)]

MOST_BONUS = 99
MOST_CHARGES = 999


def check_item(item: Item) -> None:
    """Raise `BadState` unless ``item`` is one that can be."""
    if item.kind not in item_kinds():
        raise InvalidSave(f"there is no such thing: {item.kind[:60]!r}")
    most = LARGEST_STACK if item_class_of(item.kind).stacks else 1
    numbers = (
        0 <= item.id < 1 << 53
        and 1 <= item.count <= most
        and abs(item.bonus) <= MOST_BONUS
        and 0 <= item.charges <= MOST_CHARGES
    )
    if not numbers or not (item.letter == "" or item.letter in tuple(ascii_lowercase)):
        raise InvalidSave(f"{item.kind} with numbers that cannot be")


def check_pack(owner: Entity) -> None:
    """Raise `BadState` unless all that ``owner`` carries and wears can be carried and worn."""
    for item in owner.inventory:
        check_item(item)
    letters = {item.letter for item in owner.inventory}
    numbers = {item.id: item for item in owner.inventory}
    if len(owner.inventory) > MOST_STACKS or len(numbers) < len(owner.inventory):
        raise InvalidSave("a pack holds more than a pack can")
    if owner.kind == HERO and (len(letters) < len(owner.inventory) or "" in letters):
        raise InvalidSave("two things of a pack have one letter")
    for slot, number in owner.equipment.items():
        held = numbers.get(number)
        if slot not in SLOTS or held is None or item_class_of(held.kind).slot != slot:
            raise InvalidSave("what is worn cannot be")


def check_known_kinds(names: list[str]) -> list[str]:
    """Return ``names`` if all are kinds of thing, each once; else raise `BadState`."""
    if len(set(names)) < len(names) or not all(name in item_kinds() for name in names):
        raise InvalidSave("a kind is known that there is not")
    return list(names)


FASTEST = 1000
"""The highest speed, and a tenth of the most energy, that a creature can have."""
MOST = 10**7
"""The highest of all other numbers about a creature."""
MOST_CREATURES = 20_000
"""As many creatures, or piles of things, as a state may hold."""
MOST_IN_A_PILE = 1000
MOST_IN_ALL = 300_000
"""As many creatures, piles and changed tiles as all that is remembered may hold."""
MOST_STORED = 500_000
"""As much energy as all creatures of a level may have stored together."""
MOST_TURNS = 99
"""The most turns that a fire can have left."""
MOST_LEVELS = 99
"""The highest level of a hero."""

Natural = Annotated[int, Meta(ge=0, lt=1 << 53)]
Short = Annotated[str, Meta(max_length=200)]
Changes = dict[int, Annotated[int, Meta(ge=0, lt=len(TILES))]]
Entities = Annotated[list[Entity], Meta(max_length=MOST_CREATURES)]
Pile = Annotated[list[Item], Meta(max_length=MOST_IN_A_PILE)]
Piles = Annotated[list[tuple[int, int, Pile]], Meta(max_length=MOST_CREATURES)]

Fires = dict[int, Annotated[int, Meta(ge=1, le=MOST_TURNS)]]


def parse_full_code(text: str) -> LevelCode:
    """Return the code that ``text`` is, if it is one in full; raise `BadState`."""
    try:
        code = visited(text)
    except ValueError as fault:
        raise InvalidSave(str(fault)) from None
    if str(code) != text:
        raise InvalidSave(f"{text!r} is not a level code in full")
    return code


class SavedMap(Protocol):
    """What a state and a remembered level alike keep of a map."""

    @property
    def lingered(self) -> int:
        """Turns the hero has spent there."""

    @property
    def keys(self) -> int:
        """How many of its keys the hero carries."""

    @property
    def changes(self) -> Changes:
        """Tiles that are others than its code says, by place in reading order."""

    @property
    def entities(self) -> list[Entity]:
        """Everyone who is there."""

    @property
    def items(self) -> Piles:
        """What lies there, as (x, y, pile)."""

    @property
    def fires(self) -> Fires:
        """The turns that each fire has left, by place in reading order."""


def restore_contents(game_map: GameMap, kept: SavedMap) -> None:
    """Put everything on the bare ``game_map`` that was ``kept`` of it; raise `BadState`."""
    game_map.lingered, game_map.keys = kept.lingered, kept.keys
    _change(game_map, kept.changes)
    _settle(game_map, kept.entities)
    _strew(game_map, kept.items)
    _light(game_map, kept.fires)


def _change(game_map: GameMap, changes: Changes) -> None:
    """Change the tiles of ``game_map`` by place in reading order."""
    for place, tile in changes.items():
        if not 0 <= place < game_map.tiles.size:
            raise InvalidSave("a tile has changed that is not on the map")
        y, x = divmod(place, game_map.width)
        game_map.set_tile(x, y, tile)


def _light(game_map: GameMap, fires: Fires) -> None:
    """Let ``fires`` burn, turns left by place in reading order."""
    for place, turns in fires.items():
        if not 0 <= place < game_map.tiles.size:
            raise InvalidSave("a fire burns where none can")
        game_map.fires[place % game_map.width, place // game_map.width] = turns


def _settle(game_map: GameMap, entities: Iterable[Entity]) -> None:
    """Put everyone on the map."""
    stored = 0
    for entity in entities:
        check_creature(entity)
        taken = entity.id in game_map.entities or game_map.entity_at(entity.x, entity.y)
        if taken or not game_map.contains(entity.x, entity.y):
            raise InvalidSave("a creature stands where none can")
        game_map.add_entity(entity)
        stored += max(0, entity.energy.stored)
    if stored > MOST_STORED:
        raise InvalidSave("a turn would take for ever")


def _strew(game_map: GameMap, piles: Piles) -> None:
    """Lay everything on the ground where it lay."""
    for x, y, pile in piles:
        if not game_map.contains(x, y):
            raise InvalidSave("a thing lies where none can")
        for item in pile:
            check_item(item)
            game_map.lay(item, x, y)


def unpack_mask(width: int, height: int, packed: bytes) -> NDArray[np.bool_]:
    """Return what ``packed`` says of each tile, bool [y, x]; raise `BadState` for another map's."""
    if len(packed) != (width * height + 7) // 8:
        raise InvalidSave("what was seen is of another map")
    found = np.unpackbits(np.frombuffer(packed, np.uint8), count=width * height)
    return found.astype(bool).reshape(height, width)


def check_creature(entity: Entity) -> None:
    """Raise `BadState` unless ``entity`` is a creature that a turn can be played with."""
    kind = creature_kinds().get(entity.kind)
    brain = entity.ai.behaviour if entity.ai else None
    if kind is None or kind.behaviour != brain or not _bearable(entity):
        raise InvalidSave(f"there is no such creature: {entity.kind[:60]!r}")
    for name, turns in entity.statuses.items():
        if name not in status_kinds() or not 0 < turns <= LONGEST_STATUS:
            raise InvalidSave(f"nobody can be {name[:60]!r} for {turns} turns")
    check_pack(entity)
    growth = entity.experience
    if growth is None:
        return
    chosen = growth.talents
    if len(chosen) >= min(growth.level, MOST_LEVELS):
        raise InvalidSave("nobody can have learned so much")
    known = all(chosen.count(name) <= talents()[name].times for name in chosen if name in talents())
    if not known or not set(chosen) <= talents().keys():
        raise InvalidSave("nobody can have learned that")
    if not (1 <= growth.level <= MOST_LEVELS and 0 <= growth.points < 1 << 53):
        raise InvalidSave("nobody can have learned so much")


def _bearable(entity: Entity) -> bool:
    """Whether the numbers of ``entity`` are some that a turn can be played with."""
    fighter, energy, ai = entity.fighter, entity.energy, entity.ai
    numbers = [*msgspec.structs.astuple(fighter), entity.x, entity.y]
    if ai:
        numbers += [
            ai.sight,
            ai.memory_turns,
            ai.turns_left_tracking,
            ai.cooldown,
            ai.stolen_gold,
            ai.last_seen_hp,
        ]
        numbers += ai.goal or ()
    if not (0 <= entity.id < 1 << 53 and 0 < energy.speed <= FASTEST):
        return False
    return abs(energy.stored) <= 10 * FASTEST and all(abs(number) <= MOST for number in numbers)
