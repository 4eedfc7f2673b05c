"""What can be done with a thing, and the action or the aiming that it takes."""

from typing import NamedTuple

from engine.actions import Action, Drop, Equip, TakeOff, Throw, Use
from engine.things.aiming import aim_of, asks_for_target, throw_aim
from engine.things.pack import slot_of
from engine.things.targets import Aim
from engine.world import World
from entities.item import Item
from entities.items import item_kinds, sort_of
from procgen.blueprint import Point


class Deed(NamedTuple):
    """Something to do with a thing: its word, a key, and what it says."""

    word: str
    key: str
    text: str


def deeds(world: World, item: Item) -> list[Deed]:
    """Return what the hero can do with ``item``, the likeliest first."""
    sort, kind = sort_of(item.kind), item_kinds()[item.kind]
    found = []
    if sort.slot:
        on = slot_of(world.hero, item) is not None
        held = sort.slot in {"weapon", "bow"}
        off = "put it away" if held else "take it off"
        verb = "wield" if held else "put on"
        found.append(Deed("take off", "e", off) if on else Deed("equip", "e", verb))
    elif kind.effect and kind.sort != "missile":
        found.append(Deed("use", "a", sort.verb))
    many = item.count > 1
    found.append(Deed("throw", "t", "throw one" if many else "throw it"))
    found.append(Deed("drop", "d", "drop them" if many else "drop it"))
    return [Deed(word, key, f"{text[:1].upper()}{text[1:]}") for word, key, text in found]


def needs_aim(world: World, word: str, item: Item) -> bool:
    """Whether the deed ``word`` has to be aimed."""
    if word == "throw":
        return True
    return word == "use" and asks_for_target(world, item)


def action_for(
    word: str, item: Item, target: Point | None = None, other: Item | None = None
) -> Action:
    """Return the action of a deed, aimed at ``target`` or done to an ``other`` if it has to be."""
    match word:
        case "drop":
            return Drop(item.id)
        case "equip":
            return Equip(item.id)
        case "take off":
            return TakeOff(item.id)
        case "throw":
            assert target
            return Throw(item.id, target.x, target.y)
    place = (target.x, target.y) if target else None
    return Use(item.id, place, other.id if other else None)


def fall_of(world: World, word: str, item: Item, target: Point) -> Aim:
    """Return where the deed would fall at ``target``."""
    if word == "throw":
        return throw_aim(world, world.hero, item, target)
    return aim_of(world, world.hero, item, target)
