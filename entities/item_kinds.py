"""Item classes and item kinds from data/item_classes.toml, data/items.toml and data/seeds.toml."""

from functools import cache
from typing import Annotated

import msgspec
from msgspec import Meta

from entities.creature_kinds import Natural
from entities.data_files import DataError, Weights, check_names, read_entries
from entities.seed_kinds import SeedKind, seed_kinds
from entities.talents import talents
from entities.target_shapes import Targeting

Word = Annotated[str, Meta(min_length=1, max_length=40)]
SLOTS = ("weapon", "bow", "armour", "ring")
"""The equipment slots."""
SEED = "seed"
"""The item class of seeds, which are planted."""


class ItemClass(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Properties that many item kinds share.

    ``name`` is the name of an unidentified item, ``looks`` the words that tell such kinds apart;
    a class without looks is identified on sight. ``stacks`` lets equal items share a letter;
    ``verb`` says how it is used; ``spent`` whether one use consumes it.
    """

    name: Word
    glyph: Annotated[str, Meta(min_length=1, max_length=1)]
    color: Word
    slot: Word | None = None
    stacks: bool = False
    verb: Word = "use"
    spent: bool = False
    looks: tuple[Word, ...] = ()


class ItemKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of item.

    ``effect`` names the rule function that using it calls; ``strength`` and ``turns`` are how
    much and how long, ``status`` the status it gives, ``target`` which tiles it hits. With
    ``shatters`` it has that effect where it lands, within that many tiles. ``power`` and
    ``defense`` are added to the wearer's; ``damage`` is that of a missile. ``weapon_ability``
    names how a weapon strikes, ``worn_abilities`` what it does for its wearer; a bow
    ``launches`` items of that kind. Thrown and shot items fly up to ``range`` tiles and break in
    ``breaks`` percent of hits. ``stack_size`` and ``charges`` are (least, most). An ``obvious``
    kind is identified from the start; the hero begins with ``kit`` of them. ``spawn_weight`` is
    as for creatures. ``seed`` is what planting it grows.
    """

    name: Word
    item_class: Word
    effect: Word | None = None
    strength: Natural = 0
    turns: Natural = 0
    status: Word | None = None
    target: Targeting | None = None
    shatters: Annotated[int, Meta(ge=0, le=5)] | None = None
    power: int = 0
    defense: int = 0
    damage: Natural = 0
    range: Annotated[int, Meta(ge=1, le=20)] = 8
    launches: Word | None = None
    breaks: Annotated[int, Meta(ge=0, le=100)] = 0
    weapon_ability: Word | None = None
    worn_abilities: tuple[Word, ...] = ()
    obvious: bool = False
    kit: Natural = 0
    stack_size: tuple[Natural, Natural] = (1, 1)
    charges: tuple[Natural, Natural] = (0, 0)
    value: Natural = 10
    color: Word | None = None
    spawn_weight: Weights = {}
    seed: SeedKind | None = None


@cache
def item_classes() -> dict[str, ItemClass]:
    """Return every item class by name, in file order; raise `DataError` for an invalid one."""
    classes = read_entries("item_classes.toml", ItemClass)
    for name, entry in classes.items():
        where = f"data/item_classes.toml: [{name}]"
        check_names(f"{where}: slot", [entry.slot], SLOTS, "slot")
        if len(set(entry.looks)) < len(entry.looks):
            raise DataError(f"{where}: looks: each must occur only once")
    return classes


@cache
def item_kinds() -> dict[str, ItemKind]:
    """Return every item kind by name; raise `DataError` for one that is invalid in itself."""
    items = read_entries("items.toml", ItemKind)
    kinds = items | {name: _seed_item(seed) for name, seed in seed_kinds().items()}
    for name, kind in kinds.items():
        where = f"data/items.toml: [{name}]"
        check_names(f"{where}: item_class", [kind.item_class], item_classes(), "item class")
        check_names(f"{where}: launches", [kind.launches], items, "item")
        if fault := _fault(kind):
            raise DataError(f"{where}: {fault}")
    for name, entry in item_classes().items():
        many = sum(kind.item_class == name for kind in kinds.values())
        if entry.looks and len(entry.looks) < many:
            raise DataError(f"data/item_classes.toml: [{name}]: looks: fewer than its {many} kinds")
    for name, talent in talents().items():
        where = f"data/talents.toml: [{name}]"
        check_names(f"{where}: items", talent.items, kinds, "item")
        check_names(f"{where}: knows", [talent.knows], item_classes(), "item class")
        for item, count in talent.items.items():
            if count > 1 and not item_classes()[kinds[item].item_class].stacks:
                raise DataError(f"{where}: items: {item!r} does not stack: at most 1")
    return kinds


def _seed_item(seed: SeedKind) -> ItemKind:
    """Return the kind of item that is planted to grow ``seed``."""
    shared = {field: getattr(seed, field) for field in ("name", "target", "value", "spawn_weight")}
    return ItemKind(item_class=SEED, seed=seed, **shared)


def _fault(kind: ItemKind) -> str | None:
    if (kind.effect is None and kind.seed is None) != (kind.target is None):
        return f"{'target' if kind.target is None else 'effect'}: is missing"
    if kind.target and (fault := kind.target.fault()):
        return f"target.{fault}"
    if kind.shatters is not None and kind.effect is None:
        return "shatters: without an effect"
    for field in ("stack_size", "charges"):
        least, most = getattr(kind, field)
        if least > most or (field == "stack_size" and least < 1):
            return f"{field}: least and most are not a range"
    if max(kind.kit, *kind.stack_size) > 1 and not item_classes()[kind.item_class].stacks:
        return f"{'kit' if kind.kit > 1 else 'stack_size'}: its class does not stack: at most 1"
    return None


def item_class_of(kind: str) -> ItemClass:
    """Return the class of the item kind ``kind``."""
    return item_classes()[item_kinds()[kind].item_class]
