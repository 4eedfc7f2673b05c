"""Aiming items: the tiles that a use, throw or shot hits, as far as the user can know."""

from functools import cache

from components.inventory import Item
from engine.combat.targeting import Aim, aim
from engine.items.plant_seed import planned_growth
from engine.state.game_state import GameState
from engine.state.identification import is_identified
from entities.entity import Entity
from entities.equipment import equipped
from entities.item_kinds import item_kinds
from entities.talents import has_talent
from entities.target_shapes import Targeting, TargetShape
from procgen.blueprint import Point

MISSILE = "missile"
"""The item class that is used by throwing it."""
UNIDENTIFIED_WAND = Targeting(TargetShape.BOLT, range=8)
"""The targeting of an unidentified wand."""
SURE_AIM = 2
"""Power that the talent Sure aim adds to what is shot or thrown."""


def aim_of(state: GameState, user: Entity, item: Item, target: Point | None) -> Aim:
    """Return the aim of using ``item`` on ``target``, as far as the user knows the item."""
    kind = item_kinds()[item.kind]
    if kind.item_class == MISSILE:
        return throw_aim(state, user, item, target) if target else Aim(why="needs a target")
    if kind.seed:
        return planned_growth(state, user, item, target)[0]
    if kind.target is None:
        return Aim(why="no use")
    aim_known = is_identified(state, item.kind) or not kind.target.aimed
    return aim(state.map, user, kind.target if aim_known else UNIDENTIFIED_WAND, target)


def needs_target(state: GameState, item: Item) -> bool:
    """Return True if using ``item`` asks for a target; if unidentified, only wands do."""
    kind = item_kinds()[item.kind]
    if kind.item_class == MISSILE:
        return True
    if kind.target is None or not kind.target.aimed:
        return kind.item_class == "wand" and not is_identified(state, item.kind)
    return kind.item_class == "wand" or is_identified(state, item.kind)


def needs_item(item: Item) -> bool:
    """Return True if using ``item`` asks for another item of the pack (see `improvable`)."""
    target = item_kinds()[item.kind].target
    return target is not None and target.shape is TargetShape.ITEM


def throw_aim(state: GameState, thrower: Entity, item: Item, target: Point) -> Aim:
    """Return the path and the tiles hit if ``item`` is thrown at ``target``."""
    kind = item_kinds()[item.kind]
    radius = kind.shatters if kind.shatters and is_identified(state, item.kind) else None
    return _throw_path(state, thrower, target, kind.range, radius)


def fire_aim(state: GameState, archer: Entity, target: Point) -> Aim:
    """Return the path and the tile hit by a shot or throw of `Fire` at ``target``."""
    ammo = ammunition(archer)
    if ammo is None:
        return Aim(why="nothing to fire")
    bow, missile = ammo
    if bow is None:
        return throw_aim(state, archer, missile, target)
    return _throw_path(state, archer, target, item_kinds()[bow.kind].range, None)


def ammunition(archer: Entity) -> tuple[Item | None, Item] | None:
    """Return the bow (None for a throw) and the next missile; None without one that does damage."""
    bow = equipped(archer, "bow")
    if bow:
        missile_kind = item_kinds()[bow.kind].launches
        for item in archer.inventory:
            if item.kind == missile_kind:
                return bow, item
    for item in archer.inventory:
        kind = item_kinds()[item.kind]
        if kind.item_class == MISSILE and kind.damage and item.kind not in shot_kinds():
            return None, item
    return None


@cache
def shot_kinds() -> set[str | None]:
    """Return the item kinds that are shot from a bow."""
    return {kind.launches for kind in item_kinds().values()}


def missile_power(user: Entity, missile: Item, bow: Item | None) -> int:
    """Return the power of ``missile``, shot from ``bow`` if there is one; 0 if it does no damage.

    The power of the ``user`` is not added: otherwise an arrow would hit like a sword without risk.
    """
    power = item_kinds()[missile.kind].damage
    if power:
        power += missile.bonus + (SURE_AIM if has_talent(user, "sure_aim") else 0)
        power += item_kinds()[bow.kind].power + bow.bonus if bow else 0
    return power


def _throw_path(
    state: GameState, thrower: Entity, target: Point, length: int, radius: int | None
) -> Aim:
    targeting = Targeting(TargetShape.BALL, range=length, radius=radius or 1)
    flight = aim(state.map, thrower, targeting, target)
    if flight.why is None and target == (thrower.x, thrower.y):
        return Aim(why="not at yourself")
    return flight if radius or flight.why else Aim(flight.path, flight.path[-1:])
