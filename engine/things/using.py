"""Using things: what the one verb means for each, and what is learned by it."""

from dataclasses import replace

from engine.actions import Done, Equip, Instead, Outcome, Refused, TakeOff, Throw, Use
from engine.effects.goods import improvable
from engine.effects.registry import Cast
from engine.events import Fizzled, Used
from engine.ruling import rule
from engine.tell import Tell, who
from engine.things.aiming import MISSILE, aim_of
from engine.things.lore import knows, learn, what
from engine.things.pack import carried, one_of, slot_of
from engine.things.targets import Aim, aim, foes_in_view
from engine.things.wares import all_effects, wares
from engine.world import World
from entities.entity import Entity
from entities.item import Item
from entities.items import sort_of
from entities.reach import Reach, Shape
from procgen.blueprint import Point


@rule(Use)
def use(world: World, actor: Entity, action: Use, tell: Tell) -> Outcome:
    """Drink, read, zap, wear or throw, as the thing is there for."""
    item = carried(actor, action.item)
    if item is None:
        return Refused("not in the pack")
    if sort_of(item.kind).slot:
        return Instead(TakeOff(item.id) if slot_of(actor, item) else Equip(item.id))
    kind = wares()[item.kind]
    if kind.sort == MISSILE:
        aimed = action.target
        return Instead(Throw(item.id, *aimed)) if aimed else Refused("needs a target")
    if kind.effect is None or kind.target is None:
        return Refused("no use")
    if kind.charges[1] and not item.charges:
        return Refused("empty")
    other = None if action.on is None else carried(actor, action.on)
    if kind.target.shape is Shape.ITEM and (other is None or not improvable(other)):
        return Refused("needs a thing" if action.on is None else "cannot be improved")
    target = Point(*action.target) if action.target else None
    found = aim_of(world, actor, item, target)
    if found.why and (knows(world, item.kind) or target):
        return Refused(found.why)
    if not knows(world, item.kind):
        found = _blind(world, actor, kind.target, target)
    _spend(world, actor, item, found, tell, other)
    return Done()


def _blind(world: World, actor: Entity, reach: Reach, target: Point | None) -> Aim:
    """Return where something falls that is used by someone who does not know how to aim it."""
    if reach.aimed and target is None:
        foes = foes_in_view(world.map, actor)
        target = Point(foes[0].x, foes[0].y) if foes else None
    if reach.shape is Shape.PLACE:
        target = _somewhere(world, actor, reach)
    return aim(world.map, actor, reach, target)


def _somewhere(world: World, actor: Entity, reach: Reach) -> Point | None:
    """Return a free tile in view that ``reach`` can be aimed at, drawn at random."""
    ys, xs = world.map.seen.nonzero()
    places = [Point(int(x), int(y)) for y, x in zip(ys, xs, strict=True)]
    fit = [place for place in places if aim(world.map, actor, reach, place).why is None]
    return world.stream("effects").pick(fit) if fit else None


def _spend(
    world: World, actor: Entity, item: Item, found: Aim, tell: Tell, other: Item | None
) -> None:
    """Use up a thing, or a charge of it, let it work, and learn what it does."""
    kind, name = wares()[item.kind], item.kind
    tell(Used(who(actor), replace(what(world, item), count=1), *_shown(found)))
    if sort_of(name).spent:
        item = one_of(actor, item, item.id)
    elif item.charges:
        item.charges -= 1
    if actor is world.hero:
        item.known = True
        learn(world, item, tell)
    if found.why:
        tell(Fizzled(what(world, item)))
        return
    assert kind.effect
    all_effects()[kind.effect].work(Cast(world, actor, name, kind, found, tell, other))


def _shown(found: Aim) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
    return found.path, found.tiles
