"""How a thing would change the hero if it were worn instead of what is worn now."""

from engine.things.gear import defense_of, power_of
from engine.things.lore import knows
from engine.things.pack import slot_of, worn
from engine.world import World
from entities.entity import Entity
from entities.item import Item
from entities.items import item_kinds, sort_of
from render.lines import Line
from render.pack.told import traits
from render.things import item_name


def comparison(world: World, item: Item) -> list[Line]:
    """Return what wearing ``item``, or taking it off, would change; nothing if it is not worn."""
    slot = sort_of(item.kind).slot
    if slot is None:
        return []
    hero, on = world.hero, slot_of(world.hero, item) is not None
    other = worn(hero, slot)
    if on:
        verb = "wield" if slot in {"weapon", "bow"} else "wear"
        lines: list[Line] = [[(f"You {verb} it. Without it:", "dim")]]
    elif other:
        lines = [[("Instead of ", "dim"), (item_name(world, other), "text"), (":", "dim")]]
    else:
        lines = [[("You have nothing of the kind on. With it:", "dim")]]
    if not on and not (item.known or knows(world, item.kind)):
        return [*lines, [("  nobody can say before it is worn", "dim")]]
    lines += _differences(hero, slot, None if on else item)
    given_up = item if on else other
    if given_up:
        kept = [] if on else traits(item)
        lost = [text for text in traits(given_up) if text not in kept]
        lines += [[("  no more: ", "bad"), (text[:1].lower() + text[1:], "dim")] for text in lost]
    if not on and not item.known:
        lines.append([("  it may be better or worse than that", "dim")])
    return lines


def _wearing(hero: Entity, slot: str, item: Item | None) -> dict[str, int]:
    """Return what ``hero`` would wear with ``item``, or nothing, in ``slot``."""
    others = {name: number for name, number in hero.worn.items() if name != slot}
    return others | ({slot: item.id} if item else {})


def _worth(hero: Entity, slot: str) -> dict[str, int]:
    """Return what can be counted of what ``hero`` wears, as far as ``slot`` has to do with it."""
    found = {"power": power_of(hero), "defense": defense_of(hero)}
    if slot == "bow":
        bow = worn(hero, "bow")
        found["harm of arrows"] = item_kinds()[bow.kind].power + bow.bonus if bow else 0
    return found


def _differences(hero: Entity, slot: str, item: Item | None) -> list[Line]:
    """Return what ``item``, or nothing, in ``slot`` would change, as far as the hero can tell."""
    now = _worth(hero, slot)
    before, hero.worn = hero.worn, _wearing(hero, slot, item)
    bonus = item.bonus if item else 0
    try:
        if item and not item.known:
            item.bonus = 0
        then = _worth(hero, slot)
    finally:
        hero.worn = before
        if item:
            item.bonus = bonus
    lines: list[Line] = []
    for name, value in now.items():
        change = then[name] - value
        if change:
            color = "good" if change > 0 else "bad"
            lines.append([(f"  {name} {value} → {then[name]}", "text"), (f"  {change:+}", color)])
    return lines or [[("  power and defense stay as they are", "dim")]]
