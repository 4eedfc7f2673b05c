"""Things in flight: thrown, or shot from a bow."""

from components.inventory import Item
from engine.combat.damage import through
from engine.combat.targeting import Aim, around
from engine.creatures.health import fell
from engine.items.aiming import ammunition, fire_aim, force_of, throw_aim
from engine.items.effects.effect_registry import Cast
from engine.items.item_table import all_effects, wares
from engine.state.action_registry import rule
from engine.state.actions import Done, Fire, Instead, Outcome, Refused, Throw
from engine.state.events import Shattered, Struck, Tell, Threw, who
from engine.state.game_state import World
from engine.state.identification import learn, what
from entities.entity import Entity
from entities.pack import carried, one_of
from procgen.blueprint import Point


@rule(Throw)
def throw(world: World, actor: Entity, action: Throw, tell: Tell) -> Outcome:
    """Throw one of a stack."""
    item = carried(actor, action.item)
    if item is None:
        return Refused("not in the pack")
    found = throw_aim(world, actor, item, Point(action.x, action.y))
    if found.why:
        return Refused(found.why)
    _let_fly(world, actor, item, found.path, tell)
    return Done()


@rule(Fire)
def fire(world: World, actor: Entity, action: Fire, tell: Tell) -> Outcome:
    """Shoot with the bow that is worn, or throw a missile."""
    found = ammunition(actor)
    if found is None:
        return Refused("nothing to fire")
    bow, missile = found
    if bow is None:
        return Instead(Throw(missile.id, action.x, action.y))
    way = fire_aim(world, actor, Point(action.x, action.y))
    if way.why:
        return Refused(way.why)
    _let_fly(world, actor, missile, way.path, tell, bow)
    return Done()


def _let_fly(
    world: World,
    actor: Entity,
    stack: Item,
    path: tuple[Point, ...],
    tell: Tell,
    bow: Item | None = None,
) -> None:
    item = one_of(actor, stack, world.next_id)
    if item is not stack:
        world.next_id += 1
    tell(Threw(who(actor), what(world, item), path, bow.kind if bow else None))
    rest = path[-1] if path else Point(actor.x, actor.y)
    if wares()[item.kind].shatters is not None:
        _shatter(world, actor, item, path, rest, tell)
        return
    target = world.map.entity_at(*rest)
    if target and target is not actor and _hit(world, actor, item, target, tell, bow):
        return
    _land(world, actor, item, path)


def _shatter(
    world: World, actor: Entity, item: Item, path: tuple[Point, ...], rest: Point, tell: Tell
) -> None:
    """Break ``item`` at ``rest`` and let it work on what is around."""
    kind = wares()[item.kind]
    tiles = around(world.map, rest, kind.shatters or 0)
    tell(Shattered(what(world, item), tiles))
    if actor is world.hero:
        learn(world, item, tell)
    assert kind.effect
    all_effects()[kind.effect].work(Cast(world, actor, item.kind, kind, Aim(path, tiles), tell))


def _hit(
    world: World, actor: Entity, item: Item, target: Entity, tell: Tell, bow: Item | None
) -> bool:
    """Strike ``target`` with ``item`` if that is made for it; tell whether it broke."""
    kind = wares()[item.kind]
    if not kind.damage:
        return False
    luck = world.stream("combat").between(-1, 1)
    damage = through(force_of(item, bow), luck, target)
    target.fighter.hp = max(0, target.fighter.hp - damage)
    tell(Struck(who(actor), who(target), damage))
    fell(world, target, actor.kind, tell)
    return world.stream("missiles").chance(kind.breaks / 100)


def _land(world: World, actor: Entity, item: Item, path: tuple[Point, ...]) -> None:
    """Lay ``item`` on the last ground under its way that one can walk on."""
    for x, y in reversed(path):
        if world.map.walkable[y, x]:
            world.map.lay(item, x, y)
            return
    world.map.lay(item, actor.x, actor.y)
