"""What in a state is said of things, looked at before anything is believed."""

from string import ascii_lowercase
from typing import Annotated

from msgspec import Meta

from engine.records.bad_state import BadState
from engine.things.pack import MOST_ALIKE, MOST_STACKS
from entities.entity import Entity
from entities.item import Item
from entities.items import SLOTS, item_kinds, sort_of
from entities.kinds import HERO

Kinds = Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=1000)]

MOST_BONUS = 99
MOST_CHARGES = 999


def check_item(item: Item) -> None:
    """Raise `BadState` unless ``item`` is one that can be."""
    if item.kind not in item_kinds():
        raise BadState(f"there is no such thing: {item.kind[:60]!r}")
    most = MOST_ALIKE if sort_of(item.kind).stacks else 1
    numbers = (
        0 <= item.id < 1 << 53
        and 1 <= item.count <= most
        and abs(item.bonus) <= MOST_BONUS
        and 0 <= item.charges <= MOST_CHARGES
    )
    if not numbers or not (item.letter == "" or item.letter in tuple(ascii_lowercase)):
        raise BadState(f"{item.kind} with numbers that cannot be")


def check_pack(owner: Entity) -> None:
    """Raise `BadState` unless all that ``owner`` carries and wears can be carried and worn."""
    for item in owner.pack:
        check_item(item)
    letters = {item.letter for item in owner.pack}
    numbers = {item.id: item for item in owner.pack}
    if len(owner.pack) > MOST_STACKS or len(numbers) < len(owner.pack):
        raise BadState("a pack holds more than a pack can")
    if owner.kind == HERO and (len(letters) < len(owner.pack) or "" in letters):
        raise BadState("two things of a pack have one letter")
    for slot, number in owner.worn.items():
        held = numbers.get(number)
        if slot not in SLOTS or held is None or sort_of(held.kind).slot != slot:
            raise BadState("what is worn cannot be")


def known_kinds(names: list[str]) -> list[str]:
    """Return ``names`` if all are kinds of thing, each once; else raise `BadState`."""
    if len(set(names)) < len(names) or not all(name in item_kinds() for name in names):
        raise BadState("a kind is known that there is not")
    return list(names)
