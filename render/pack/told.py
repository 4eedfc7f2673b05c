"""What a thing does, in sentences; what the hero does not know stays unsaid."""

import re
from functools import cache
from pathlib import Path

import msgspec

from engine.things.lore import knows
from engine.world import World
from entities.data import DATA, DataError, read_table
from entities.item import Item
from entities.items import ItemKind, item_kinds, sort_of
from entities.reach import Shape
from entities.statuses import statuses

FILE = "told.toml"
SHAPES = {
    Shape.ONE: "Aimed at somebody in view, up to {range} tiles away.",
    Shape.PLACE: "Aimed at a free place in view, up to {range} tiles away.",
    Shape.BOLT: "Flies up to {range} tiles.",
    Shape.BALL: "Flies up to {range} tiles and reaches {radius} tiles around.",
    Shape.CONE: "Spreads before you, {range} tiles far.",
    Shape.BURST: "Reaches {radius} tiles all around you.",
    Shape.VIEW: "Reaches every foe in view.",
}
UNKNOWN = "Nobody knows what it does until one is used."


class Told(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sentences by the words that the rules go by."""

    effects: dict[str, str]
    himself: dict[str, str]
    styles: dict[str, str]
    gifts: dict[str, str]


@cache
def told(folder: Path = DATA) -> Told:
    """Return the sentences; raise `DataError` for one with a blank that nothing fills."""
    found = read_table(FILE, Told, folder)
    for section in Told.__struct_fields__:
        for name, text in getattr(found, section).items():
            try:
                _filled(text, next(iter(item_kinds().values())))
            except (KeyError, IndexError, ValueError) as fault:
                where = f"data/{FILE}: [{section}]: {name}"
                raise DataError(f"{where}: {fault} is no blank that can be filled") from None
    return found


def _filled(text: str, kind: ItemKind) -> str:
    reach = kind.target
    filled = text.format(
        strength=kind.strength,
        turns=kind.turns,
        radius=(reach.radius if reach and reach.radius else kind.shatters) or 1,
        range=reach.range if reach and reach.range else kind.range,
        status=statuses()[kind.status].name if kind.status else "",
    )
    return re.sub(r"\b1 tiles\b", "1 tile", filled)


def what_it_does(world: World, item: Item) -> list[str]:
    """Return sentences on ``item``, as far as the hero of ``world`` knows."""
    kind = item_kinds()[item.kind]
    if not knows(world, item.kind):
        return [UNKNOWN]
    said = []
    if kind.effect:
        said += _effect(kind)
        if kind.target and kind.target.shape in SHAPES:
            said.append(_filled(SHAPES[kind.target.shape], kind))
        if kind.shatters is not None and kind.sort != "missile":
            tiles = "tile" if kind.shatters == 1 else "tiles"
            around = f", {kind.shatters} {tiles} around" if kind.shatters else ""
            said.append(f"Thrown, it breaks and does the same to whoever is there{around}.")
    bonus = item.bonus if item.known else 0
    said += _as_gear(kind, bonus)
    said += _in_flight(kind, bonus)
    if kind.charges[1]:
        left = f"{item.charges} charges are left." if item.known else "Nobody knows its charges."
        said.append("1 charge is left." if item.known and item.charges == 1 else left)
    if sort_of(item.kind).spent:
        said.append("Used once, it is gone.")
    return [sentence for sentence in said if sentence]


def _effect(kind: ItemKind) -> list[str]:
    alone = kind.target is not None and kind.target.shape is Shape.SELF
    found = told().himself.get(kind.effect or "", "") if alone else ""
    said = [_filled(found or told().effects.get(kind.effect or "", ""), kind)]
    if kind.status:
        said.append(statuses()[kind.status].text)
    return said


def _as_gear(kind: ItemKind, bonus: int) -> list[str]:
    if kind.sort == "weapon":
        return [f"Adds {kind.power + bonus} to the power of every blow.", *_traits(kind)]
    return _in_numbers(kind, bonus) + _traits(kind)


def traits(item: Item) -> list[str]:
    """Return sentences on the ways and gifts of a thing that is worn."""
    return _traits(item_kinds()[item.kind])


def _traits(kind: ItemKind) -> list[str]:
    styles = [told().styles.get(kind.style, "")] if kind.style else []
    return styles + [told().gifts.get(gift, "") for gift in kind.gifts]


def _in_numbers(kind: ItemKind, bonus: int) -> list[str]:
    """Return what a ring, or armour, adds and takes."""
    if kind.sort == "bow":
        return []
    defense = kind.defense + (bonus if kind.sort == "armour" else 0)
    parts = ((kind.power, "power"), (defense, "defense"))
    return [f"{number:+} {word}." for number, word in parts if number]


def _in_flight(kind: ItemKind, bonus: int) -> list[str]:
    said = []
    if kind.fires:
        arrows = item_kinds()[kind.fires].name
        said.append(
            f"Shoots {arrows}s up to {kind.range} tiles, for {kind.power + bonus} more harm."
        )
        said.append(f"Adds {kind.power} to the power of every blow, too.")
    elif kind.damage:
        said.append(f"Does about {kind.damage + bonus} when it hits; {kind.breaks} in 100 break.")
    return said
