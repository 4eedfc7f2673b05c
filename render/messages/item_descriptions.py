"""Item descriptions: what an item does, and how it compares with what the hero wears.

They reveal only what the hero knows. The sentences are in data/item_descriptions.toml.
"""

import re
from functools import cache

import msgspec
from msgspec.structs import replace

from components.inventory import Item
from engine.items.aiming import missile_power, shot_kinds
from engine.items.plant_seed import statuses_given
from engine.state.game_state import GameState
from engine.state.identification import is_identified
from engine.terrain.growth import FRUIT
from entities.data_files import DataError, read_table
from entities.entity import Entity
from entities.equipment import defense_of, equipped, equipped_items, power_of, slot_of
from entities.item_kinds import ItemKind, item_class_of, item_kinds
from entities.pack import BEST_BONUS
from entities.statuses import status_kinds
from entities.talents import has_talent
from entities.target_shapes import TargetShape
from render.messages.names import item_name
from render.ui.text import Line, paragraphs, wrapped_line

ITEM_TEXTS_FILE = "item_descriptions.toml"
UNIDENTIFIED = "Unidentified. {} it to find out what it does."
FIZZLED = "Nothing happens."
"""The message for an effect that found no target and has no sentence of its own."""
HALF = "Defence stops at most half of a hit."
GROWS = """\
It grows for {turns} turns and bears {fruit} {healing} hit points. Creatures and items in its way \
are moved aside."""
GIVES = "Other creatures on its ground are {}."


class ItemTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The sentences of data/item_descriptions.toml, by effect, ability or target."""

    effects: dict[str, str]
    on_user: dict[str, str]
    fizzles: dict[str, str]
    weapon_abilities: dict[str, str]
    worn_abilities: dict[str, str]
    targets: dict[TargetShape, str]


@cache
def item_texts() -> ItemTexts:
    """Return the sentences; raise `DataError` for a placeholder that no kind of item fills."""
    table = read_table(ITEM_TEXTS_FILE, ItemTexts)
    for section in ItemTexts.__struct_fields__:
        for name, text in getattr(table, section).items():
            try:
                _fill_in(text, next(iter(item_kinds().values())))
            except (KeyError, IndexError, ValueError) as fault:
                where = f"data/{ITEM_TEXTS_FILE}: [{section}]: {name}"
                raise DataError(f"{where}: there is no placeholder {fault}") from None
    return table


def _fill_in(text: str, kind: ItemKind) -> str:
    """Return ``text`` with the placeholders filled in from ``kind``."""
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
    """Return sentences on what ``item`` does, as far as the hero of ``state`` knows."""
    kind, item_class = item_kinds()[item.kind], item_class_of(item.kind)
    if not is_identified(state, item.kind):
        return [UNIDENTIFIED.format("Wear" if item_class.slot else item_class.verb.capitalize())]
    sentences = []
    if kind.seed:
        two, healing = has_talent(state.hero, "green_thumb"), item_kinds()[FRUIT].strength
        fruit = "two fruits that each heal" if two else "a fruit that heals"
        sentences.append(kind.seed.text)
        sentences.append(GROWS.format(turns=kind.seed.turns, fruit=fruit, healing=healing))
        given = statuses_given(state.hero, item.kind)
        parts = []
        for turns in dict.fromkeys(given.values()):
            names = [status_kinds()[name].name for name in given if given[name] == turns]
            parts.append(f"{' and '.join(names)} for {turns} turns")
        sentences += [GIVES.format(" and ".join(parts))] if parts else []
    if kind.effect:
        sentences += _effect_texts(kind)
    if kind.target:
        single = kind.shatters == 0 and kind.target.aimed  # It breaks on a tile and hits only that.
        shape = TargetShape.BOLT if single else kind.target.shape
        sentences.append(_fill_in(item_texts().targets.get(shape, ""), kind))
        sentences += ["It does not stop at creatures."] if kind.target.pierces else []
    if kind.shatters is not None and kind.item_class == "potion":
        reach = f"within {kind.shatters} tiles of" if kind.shatters else "at"
        text = f"Thrown, it shatters and affects everything {reach} the place it hits."
        sentences.append(_fill_in(text, kind))
    bonus = item.bonus if item.identified else 0
    sentences += [*gear_texts(kind, bonus), *_missile_texts(state.hero, item.kind, bonus)]
    sentences += [HALF, limit_of_defence(state.hero)] if kind.defense > 0 else []
    if kind.charges[1]:
        sentences.append(_charges_text(item))
    if item.kind == FRUIT:
        sentences.append("It wilts when you leave the level, or go far from where it grew.")
    if item_class.spent:
        sentences.append("Single use.")
    return [sentence for sentence in sentences if sentence]


def _charges_text(item: Item) -> str:
    if not item.identified:
        return "The number of charges is unknown."
    if not item.charges:
        return "No charges left. A scroll of enchanting recharges it, or another such wand."
    return "1 charge left." if item.charges == 1 else f"{item.charges} charges left."


def limit_of_defence(hero: Entity) -> str:
    """Return which hits do less damage to ``hero`` with more defence: half of each gets through."""
    now = defense_of(hero)
    return f"Your defence is {now}: more helps only against hits that do {now + 2} or more now."


def improvement(state: GameState, item: Item) -> str:
    """Return what enchanting makes of ``item``, or of the hero's numbers, as far as is known."""
    if slot := slot_of(state.hero, item):
        then = _stats_with(state.hero, slot, replace(item, bonus=item.bonus + 1))
        for name, now in _stats(state.hero, slot).items():
            if then[name] > now:
                return f"{name} {now} → {then[name]}"
    least = item_kinds()[item.kind].charges[0]
    if not is_identified(state, item.kind):  # A number would tell unidentified wands apart.
        return "→ more charges"
    if not item.identified:
        return f"→ {least} more charges" if least else "→ 1 better"
    charges = min(BEST_BONUS, item.charges + least)
    return f"→ {charges} charges" if least else f"→ {item.bonus + 1:+}"


def _effect_texts(kind: ItemKind) -> list[str]:
    """Return what the effect of ``kind`` does, and what its status means."""
    on_user = kind.target is not None and kind.target.shape is TargetShape.SELF
    effect = kind.effect or ""
    text = item_texts().on_user.get(effect, "") if on_user else ""
    sentences = [_fill_in(text or item_texts().effects.get(effect, ""), kind)]
    if kind.status:
        status = status_kinds()[kind.status]
        sentences.append(f"{status.name.capitalize()}: {status.text[:1].lower()}{status.text[1:]}")
    return sentences


def gear_texts(kind: ItemKind, bonus: int = 0) -> list[str]:
    """Return what equipment of ``kind`` adds to power and defence or takes, and its abilities."""
    power = kind.power + (bonus if kind.item_class == "weapon" else 0)
    defense = kind.defense + (bonus if kind.item_class == "armour" else 0)
    stats = ((power, "power"), (defense, "defence")) if kind.item_class != "bow" else ()
    return [f"{number:+} {word}." for number, word in stats if number] + _ability_texts(kind)


def _ability_texts(kind: ItemKind) -> list[str]:
    """Return sentences on the special abilities of ``kind`` when equipped."""
    weapon = [item_texts().weapon_abilities.get(kind.weapon_ability or "", "")]
    texts = weapon + [item_texts().worn_abilities.get(name, "") for name in kind.worn_abilities]
    return [text for text in texts if text]


def _missile_texts(hero: Entity, name: str, bonus: int) -> list[str]:
    kind = item_kinds()[name]
    if kind.launches:
        missile = item_kinds()[kind.launches].name
        power = kind.power + bonus
        return [f"Shoots {missile}s up to {kind.range} tiles, with {power:+} power."]
    if kind.damage:
        damage = missile_power(hero, Item(0, name, bonus=bonus), None)
        how = "thrown, more when shot" if name in shot_kinds() else "thrown"
        return [f"Does about {damage} damage when {how}; {kind.breaks}% break."]
    return []


def compare_with_worn(state: GameState, item: Item) -> list[Line]:
    """Return what equipping ``item``, or taking it off, would change; [] if it has no slot."""
    slot = item_class_of(item.kind).slot
    if slot is None:
        return []
    hero, on = state.hero, slot_of(state.hero, item) is not None
    other = equipped(hero, slot)
    if on:
        lines: list[Line] = [[("Equipped. Without it:", "dim")]]
    elif other:
        lines = [[("Instead of ", "dim"), (item_name(state, other), "text"), (":", "dim")]]
    else:
        lines = [[("If you equip it:", "dim")]]
    if not on and not (item.identified or is_identified(state, item.kind)):
        return [*lines, [("  unknown until you do", "dim")]]
    lines += _stat_changes(hero, slot, None if on else item)
    if removed := item if on else other:
        kinds = [piece.kind for piece in (*equipped_items(hero), item) if piece is not removed]
        kept = {text for kind in kinds for text in _ability_texts(item_kinds()[kind])}
        lost = [text for text in _ability_texts(item_kinds()[removed.kind]) if text not in kept]
        lines += [[("  lost: ", "bad"), (text, "dim")] for text in lost]
    if not on and not item.identified:
        lines.append([("  its enchantment is unknown", "dim")])
    return lines


def _stats(hero: Entity, slot: str) -> dict[str, int]:
    """Return the hero's numbers that equipment in ``slot`` changes, by name."""
    stats = {"power": power_of(hero), "defence": defense_of(hero)}
    if slot == "bow":
        bow = equipped(hero, "bow")
        stats["arrow power"] = item_kinds()[bow.kind].power + bow.bonus if bow else 0
    return stats


def _stats_with(hero: Entity, slot: str, item: Item | None) -> dict[str, int]:
    """Return what `_stats` would be with ``item``, or with nothing, in ``slot``."""
    equipment = {name: id_ for name, id_ in hero.equipment.items() if name != slot}
    pack = hero.inventory
    if item:
        pack, equipment[slot] = [*(one for one in pack if one.id != item.id), item], item.id
    return _stats(replace(hero, inventory=pack, equipment=equipment), slot)


def _stat_changes(hero: Entity, slot: str, item: Item | None) -> list[Line]:
    """Return how ``item`` (None: nothing) in ``slot`` would change the hero's numbers, if known."""
    known = replace(item, bonus=0) if item and not item.identified else item
    now, then = _stats(hero, slot), _stats_with(hero, slot, known)
    lines: list[Line] = []
    for name, value in now.items():
        if change := then[name] - value:
            color = "good" if change > 0 else "bad"
            lines.append([(f"  {name} {value} → {then[name]}", "text"), (f"  {change:+}", color)])
    return lines or [[("  no change to power and defence", "dim")]]


def item_details(state: GameState, item: Item, width: int, *, compare: bool = True) -> list[Line]:
    """Return lines of ``width`` cells: what ``item`` does, and with ``compare`` what it changes."""
    lines: list[Line] = []
    for sentence in describe_item(state, item):
        lines += [[(line, "text")] for line in paragraphs(sentence, width)]
    if compare and (compared := compare_with_worn(state, item)):
        lines += [[], *(part for line in compared for part in wrapped_line(line, width))]
    return lines
