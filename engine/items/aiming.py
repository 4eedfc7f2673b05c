"""Where using or throwing a thing would fall, as far as whoever does it can know."""

from components.inventory import Item
from engine.combat.targeting import Aim, aim
from engine.items.item_table import wares
from engine.state.game_state import GameState
from engine.state.identification import is_identified
from entities.entity import Entity
from entities.pack import worn
from entities.target_shapes import Targeting, TargetShape
from procgen.blueprint import Point

MISSILE = "missile"
"""The sort of thing that is used by throwing it."""
UNKNOWN = Targeting(TargetShape.BOLT, range=8)
"""How a wand is aimed by whoever does not know what it does."""


def aim_of(state: GameState, user: Entity, item: Item, target: Point | None) -> Aim:
    """Return where using ``item`` on ``target`` would fall, as far as its user can know."""
    kind = wares()[item.kind]
    if kind.item_class == MISSILE:
        return throw_aim(state, user, item, target) if target else Aim(why="needs a target")
    if kind.target is None:
        return Aim(why="no use")
    reach = kind.target if is_identified(state, item.kind) or not kind.target.aimed else UNKNOWN
    return aim(state.map, user, reach, target)


def asks_for_target(state: GameState, item: Item) -> bool:
    """Whether whoever uses ``item`` has to aim it; nobody aims a scroll that nobody knows."""
    kind = wares()[item.kind]
    if kind.item_class == MISSILE:
        return True
    if kind.target is None or not kind.target.aimed:
        return kind.item_class == "wand" and not is_identified(state, item.kind)
    return kind.item_class == "wand" or is_identified(state, item.kind)


def asks_for_thing(item: Item) -> bool:
    """Whether whoever uses ``item`` has to choose a thing of the pack (`improvable`) for it."""
    target = wares()[item.kind].target
    return target is not None and target.shape is TargetShape.ITEM


def throw_aim(state: GameState, thrower: Entity, item: Item, target: Point) -> Aim:
    """Return where ``item`` would fly and fall if it were thrown at ``target``."""
    kind = wares()[item.kind]
    radius = kind.shatters if kind.shatters and is_identified(state, item.kind) else None
    return _flight(state, thrower, target, kind.range, radius)


def fire_aim(state: GameState, archer: Entity, target: Point) -> Aim:
    """Return where a shot at ``target`` would hit."""
    found = ammunition(archer)
    if found is None:
        return Aim(why="nothing to fire")
    bow, missile = found
    if bow is None:
        return throw_aim(state, archer, missile, target)
    return _flight(state, archer, target, wares()[bow.kind].range, None)


def ammunition(archer: Entity) -> tuple[Item | None, Item] | None:
    """Return the bow that is worn, if there is a use for one, and what would fly next."""
    bow = worn(archer, "bow")
    if bow:
        wanted = wares()[bow.kind].launches
        for item in archer.inventory:
            if item.kind == wanted:
                return bow, item
    arrows = {kind.launches for kind in wares().values()}
    for item in archer.inventory:
        if wares()[item.kind].item_class == MISSILE and item.kind not in arrows:
            return None, item
    return None


def force_of(missile: Item, bow: Item | None) -> int:
    """Return the power with which ``missile`` hits, shot from ``bow`` if there is one; 0 if none.

    The strength of an arm does not count.
    """
    power = wares()[missile.kind].damage
    if power:
        power += missile.bonus
        power += wares()[bow.kind].power + bow.bonus if bow else 0
    return power


def _flight(
    state: GameState, thrower: Entity, target: Point, length: int, radius: int | None
) -> Aim:
    reach = Targeting(TargetShape.BALL, range=length, radius=radius or 1)
    found = aim(state.map, thrower, reach, target)
    if found.why is None and target == (thrower.x, thrower.y):
        return Aim(why="not at yourself")
    return found if radius or found.why else Aim(found.path, found.path[-1:])
