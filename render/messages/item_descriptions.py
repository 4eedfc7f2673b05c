"""What a thing does, in sentences; what the hero does not know stays unsaid."""

import re
from functools import cache
from pathlib import Path
from textwrap import wrap

import msgspec

from components.inventory import Item
from engine.state.game_state import GameState
from engine.state.identification import is_identified
from entities.data_files import DATA, DataError, read_table
from entities.entity import Entity
from entities.equipment import defense_of, power_of
from entities.item_kinds import ItemKind, item_class_of, item_kinds
from entities.pack import slot_of, worn
from entities.statuses import status_kinds
from entities.target_shapes import TargetShape
from render.messages.names import item_name
from render.ui.text import Line, paragraphs

FILE = "item_descriptions.toml"
SHAPES = {
    TargetShape.ONE: "Aimed at somebody in view, up to {range} tiles away.",
    TargetShape.PLACE: "Aimed at a free place in view, up to {range} tiles away.",
    TargetShape.BOLT: "Flies up to {range} tiles.",
    TargetShape.BALL: "Flies up to {range} tiles and reaches {radius} tiles around.",
    TargetShape.CONE: "Spreads before you, {range} tiles far.",
    TargetShape.BURST: "Reaches {radius} tiles all around you.",
    TargetShape.VIEW: "Reaches every foe in view.",
}
UNKNOWN = "Nobody knows what it does until one is used."


class ItemTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sentences by the words that the rules go by."""

    effects: dict[str, str]
    himself: dict[str, str]
    styles: dict[str, str]
    gifts: dict[str, str]


@cache
def item_texts(folder: Path = DATA) -> ItemTexts:
    """Return the sentences; raise `DataError` for one with a blank that nothing fills."""
    found = read_table(FILE, ItemTexts, folder)
    for section in ItemTexts.__struct_fields__:
        for name, text in getattr(found, section).items():
            try:
                _fill_in(text, next(iter(item_kinds().values())))
            except (KeyError, IndexError, ValueError) as fault:
                where = f"data/{FILE}: [{section}]: {name}"
                raise DataError(f"{where}: {fault} is no blank that can be filled") from None
    return found


def _fill_in(text: str, kind: ItemKind) -> str:
    reach = kind.target
    filled = text.format(
        strength=kind.strength,
        turns=kind.turns,
        radius=(reach.radius if reach and reach.radius else kind.shatters) or 1,
        range=reach.range if reach and reach.range else kind.range,
        status=status_kinds()[kind.status].name if kind.status else "",
    )
    return re.sub(r"\b1 tiles\b", "1 tile", filled)


def describe_item(state: GameState, item: Item) -> list[str]:
    """Return sentences on ``item``, as far as the hero of ``state`` knows."""
    kind = item_kinds()[item.kind]
    if not is_identified(state, item.kind):
        return [UNKNOWN]
    said = []
    if kind.effect:
        said += _effect_texts(kind)
        if kind.target and kind.target.shape in SHAPES:
            said.append(_fill_in(SHAPES[kind.target.shape], kind))
        if kind.shatters is not None and kind.item_class != "missile":
            tiles = "tile" if kind.shatters == 1 else "tiles"
            around = f", {kind.shatters} {tiles} around" if kind.shatters else ""
            said.append(f"Thrown, it breaks and does the same to whoever is there{around}.")
    bonus = item.bonus if item.known else 0
    said += _gear_texts(kind, bonus)
    said += _missile_texts(kind, bonus)
    if kind.charges[1]:
        left = f"{item.charges} charges are left." if item.known else "Nobody knows its charges."
        said.append("1 charge is left." if item.known and item.charges == 1 else left)
    if item_class_of(item.kind).spent:
        said.append("Used once, it is gone.")
    return [sentence for sentence in said if sentence]


def _effect_texts(kind: ItemKind) -> list[str]:
    alone = kind.target is not None and kind.target.shape is TargetShape.SELF
    found = item_texts().himself.get(kind.effect or "", "") if alone else ""
    said = [_fill_in(found or item_texts().effects.get(kind.effect or "", ""), kind)]
    if kind.status:
        said.append(status_kinds()[kind.status].text)
    return said


def _gear_texts(kind: ItemKind, bonus: int) -> list[str]:
    if kind.item_class == "weapon":
        return [f"Adds {kind.power + bonus} to the power of every blow.", *_ability_texts(kind)]
    return _stat_texts(kind, bonus) + _ability_texts(kind)


def ability_texts(item: Item) -> list[str]:
    """Return sentences on the ways and gifts of a thing that is worn."""
    return _ability_texts(item_kinds()[item.kind])


def _ability_texts(kind: ItemKind) -> list[str]:
    styles = [item_texts().styles.get(kind.weapon_ability, "")] if kind.weapon_ability else []
    return styles + [item_texts().gifts.get(gift, "") for gift in kind.worn_abilities]


def _stat_texts(kind: ItemKind, bonus: int) -> list[str]:
    """Return what a ring, or armour, adds and takes."""
    if kind.item_class == "bow":
        return []
    defense = kind.defense + (bonus if kind.item_class == "armour" else 0)
    parts = ((kind.power, "power"), (defense, "defense"))
    return [f"{number:+} {word}." for number, word in parts if number]


def _missile_texts(kind: ItemKind, bonus: int) -> list[str]:
    said = []
    if kind.launches:
        arrows = item_kinds()[kind.launches].name
        said.append(
            f"Shoots {arrows}s up to {kind.range} tiles, for {kind.power + bonus} more harm."
        )
        said.append(f"Adds {kind.power} to the power of every blow, too.")
    elif kind.damage:
        said.append(f"Does about {kind.damage + bonus} when it hits; {kind.breaks} in 100 break.")
    return said


def compare_with_worn(state: GameState, item: Item) -> list[Line]:
    """Return what wearing ``item``, or taking it off, would change; nothing if it is not worn."""
    slot = item_class_of(item.kind).slot
    if slot is None:
        return []
    hero, on = state.hero, slot_of(state.hero, item) is not None
    other = worn(hero, slot)
    if on:
        verb = "wield" if slot in {"weapon", "bow"} else "wear"
        lines: list[Line] = [[(f"You {verb} it. Without it:", "dim")]]
    elif other:
        lines = [[("Instead of ", "dim"), (item_name(state, other), "text"), (":", "dim")]]
    else:
        lines = [[("You have nothing of the kind on. With it:", "dim")]]
    if not on and not (item.known or is_identified(state, item.kind)):
        return [*lines, [("  nobody can say before it is worn", "dim")]]
    lines += _stat_changes(hero, slot, None if on else item)
    given_up = item if on else other
    if given_up:
        kept = [] if on else ability_texts(item)
        lost = [text for text in ability_texts(given_up) if text not in kept]
        lines += [[("  no more: ", "bad"), (text[:1].lower() + text[1:], "dim")] for text in lost]
    if not on and not item.known:
        lines.append([("  it may be better or worse than that", "dim")])
    return lines


def _equipment_with(hero: Entity, slot: str, item: Item | None) -> dict[str, int]:
    """Return what ``hero`` would wear with ``item``, or nothing, in ``slot``."""
    others = {name: number for name, number in hero.equipment.items() if name != slot}
    return others | ({slot: item.id} if item else {})


def _stats(hero: Entity, slot: str) -> dict[str, int]:
    """Return what can be counted of what ``hero`` wears, as far as ``slot`` has to do with it."""
    found = {"power": power_of(hero), "defense": defense_of(hero)}
    if slot == "bow":
        bow = worn(hero, "bow")
        found["harm of arrows"] = item_kinds()[bow.kind].power + bow.bonus if bow else 0
    return found


def _stat_changes(hero: Entity, slot: str, item: Item | None) -> list[Line]:
    """Return what ``item``, or nothing, in ``slot`` would change, as far as the hero can tell."""
    now = _stats(hero, slot)
    before, hero.equipment = hero.equipment, _equipment_with(hero, slot, item)
    bonus = item.bonus if item else 0
    try:
        if item and not item.known:
            item.bonus = 0
        then = _stats(hero, slot)
    finally:
        hero.equipment = before
        if item:
            item.bonus = bonus
    lines: list[Line] = []
    for name, value in now.items():
        change = then[name] - value
        if change:
            color = "good" if change > 0 else "bad"
            lines.append([(f"  {name} {value} → {then[name]}", "text"), (f"  {change:+}", color)])
    return lines or [[("  power and defense stay as they are", "dim")]]


def item_details(state: GameState, item: Item, width: int) -> list[Line]:
    """Return what ``item`` does and how it compares, in lines of ``width`` cells."""
    lines: list[Line] = []
    for sentence in describe_item(state, item):
        lines += [[(line, "text")] for line in paragraphs(sentence, width)]
    compared = compare_with_worn(state, item)
    if compared:
        lines += [[], *(part for line in compared for part in _wrapped(line, width))]
    return lines


def _wrapped(line: Line, width: int) -> list[Line]:
    """Return ``line`` broken into several if it is longer than ``width``; the rest is indented."""
    whole = "".join(text for text, _ in line)
    if len(whole) <= width:
        return [line]
    (first, color), *others = line
    indent = " " * 4
    if not others:
        return [[(text, color)] for text in wrap(first, width, subsequent_indent=indent)]
    said, hue, lead = "".join(text for text, _ in others), others[-1][1], " " * len(first)
    told = wrap(said, width, initial_indent=lead, subsequent_indent=indent, break_on_hyphens=False)
    return [
        [(first, color), (told[0].removeprefix(lead), hue)],
        *([(text, hue)] for text in told[1:]),
    ]
