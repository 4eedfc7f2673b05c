"""What a careful player does with things while nobody is near: wears, reads, drinks."""

from engine.actions import Action, Equip, Use
from engine.effects.goods import improvable
from engine.things.lore import knows
from engine.things.pack import slot_of, worn
from engine.things.wares import wares
from engine.world import World
from entities.entity import Entity
from entities.item import Item
from entities.items import sort_of
from entities.reach import Shape

AT_ONCE = ("life_potion", "enchanting_scroll", "insight_scroll", "mapping_scroll")
"""What is best used as soon as it is known."""


def better_gear(hero: Entity) -> Action | None:
    """Return the putting on of something better than what is worn."""
    for item in hero.pack:
        slot = sort_of(item.kind).slot
        if slot is None or slot_of(hero, item):
            continue
        now = worn(hero, slot)
        if _merit(item) > (_merit(now) if now else 0):
            return Equip(item.id)
    return None


def _merit(item: Item) -> float:
    kind = wares()[item.kind]
    drawback = 2 * ("noisy" in kind.gifts) + 3 * ("unmending" in kind.gifts)
    gain = 2 * ("mending" in kind.gifts)
    return kind.power + 1.5 * kind.defense + (item.bonus if item.known else 0) + gain - drawback


def to_learn(world: World) -> Action | None:
    """Return the use of something whose kind is unknown, or of what is best used at once."""
    hero = world.hero
    for item in hero.pack:
        kind = wares()[item.kind]
        if kind.sort not in ("potion", "scroll") or kind.target is None:
            continue
        if knows(world, item.kind) and item.kind not in AT_ONCE:
            continue
        if kind.target.shape is Shape.ITEM:
            best = improved(hero)
            if best:
                return Use(item.id, on=best.id)
            continue
        return Use(item.id)
    return None


def improved(hero: Entity) -> Item | None:
    """Return the thing worn that is most worth improving: armour before weapons."""
    for slot in ("armour", "weapon", "ring"):
        item = worn(hero, slot)
        if item and improvable(item):
            return item
    return None
