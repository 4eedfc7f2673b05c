"""Where using or throwing a thing would fall, as far as whoever does it can know."""

from components.inventory import Item
from engine.combat.targeting import Aim, aim
from engine.items.item_table import item_table
from engine.state.game_state import GameState
from engine.state.identification import is_identified
from entities.entity import Entity
from entities.pack import worn
from entities.target_shapes import Targeting, TargetShape
from procgen.blueprint import Point

MISSILE = "missile"
"""The sort of thing that is used by throwing it."""
UNIDENTIFIED_WAND = Targeting(TargetShape.BOLT, range=8)
"""How a wand is aimed by whoever does not know what it does."""


def aim_of(state: GameState, user: Entity, item: Item, target: Point | None) -> Aim:
    """Return where using ``item`` on ``target`` would fall, as far as its user can know."""
    kind = item_table()[item.kind]
    if kind.item_class == MISSILE:
        return throw_aim(state, user, item, target) if target else Aim(why="needs a target")
    if kind.target is None:
        return Aim(why="no use")
    reach = (
        kind.target
        if is_identified(state, item.kind) or not kind.target.aimed
        else UNIDENTIFIED_WAND
    )
    return aim(state.map, user, reach, target)


def needs_target(state: GameState, item: Item) -> bool:
    """Whether whoever uses ``item`` has to aim it; nobody aims a scroll that nobody knows."""
    kind = item_table()[item.kind]
    if kind.item_class == MISSILE:
        return True
    if kind.target is None or not kind.target.aimed:
        return kind.item_class == "wand" and not is_identified(state, item.kind)
    return kind.item_class == "wand" or is_identified(state, item.kind)


def needs_item(item: Item) -> bool:
    """Whether whoever uses ``item`` has to choose a thing of the pack (`improvable`) for it."""
    target = item_table()[item.kind].target
    return target is not None and target.shape is TargetShape.ITEM


def throw_aim(state: GameState, thrower: Entity, item: Item, target: Point) -> Aim:
    """Return where ``item`` would fly and fall if it were thrown at ``target``."""
    kind = item_table()[item.kind]
    radius = kind.shatters if kind.shatters and is_identified(state, item.kind) else None
    return _throw_path(state, thrower, target, kind.range, radius)


def fire_aim(state: GameState, archer: Entity, target: Point) -> Aim:
    """Return where a shot at ``target`` would hit."""
    found = ammunition(archer)
    if found is None:
        return Aim(why="nothing to fire")
    bow, missile = found
    if bow is None:
        return throw_aim(state, archer, missile, target)
    return _throw_path(state, archer, target, item_table()[bow.kind].range, None)


def ammunition(archer: Entity) -> tuple[Item | None, Item] | None:
    """Return the bow that is worn, if there is a use for one, and what would fly next."""
    bow = worn(archer, "bow")
    if bow:
        wanted = item_table()[bow.kind].launches
        for item in archer.inventory:
            if item.kind == wanted:
                return bow, item
    arrows = {kind.launches for kind in item_table().values()}
    for item in archer.inventory:
        if item_table()[item.kind].item_class == MISSILE and item.kind not in arrows:
            return None, item
    return None


def missile_power(missile: Item, bow: Item | None) -> int:
    """Return the power with which ``missile`` hits, shot from ``bow`` if there is one; 0 if none.

    The strength of an arm does not count.
    """
    power = item_table()[missile.kind].damage
    if power:
        power += missile.bonus
        power += item_table()[bow.kind].power + bow.bonus if bow else 0
    return power


def _throw_path(
    state: GameState, thrower: Entity, target: Point, length: int, radius: int | None
) -> Aim:
    reach = Targeting(TargetShape.BALL, range=length, radius=radius or 1)
    found = aim(state.map, thrower, reach, target)
    if found.why is None and target == (thrower.x, thrower.y):
        return Aim(why="not at yourself")
    return found if radius or found.why else Aim(found.path, found.path[-1:])
