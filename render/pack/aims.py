"""Something to be aimed: where it would fall, what it becomes, what was aimed at last."""

from collections.abc import Callable
from dataclasses import dataclass

from engine.actions import Action, Fire
from engine.things.aiming import ammunition, asks_for_thing, fire_aim
from engine.things.pack import carried
from engine.things.targets import Aim, foes_in_view
from engine.world import World
from entities.item import Item
from procgen.blueprint import Point
from render.pack.doing import action_for, fall_of, needs_aim
from render.things import one_name


@dataclass(frozen=True)
class Shot:
    """What is to be aimed, and how it is called while one aims."""

    title: str
    fall: Callable[[Point], Aim]
    action: Callable[[Point], Action]


@dataclass
class LastDeed:
    """What one key does again: a deed with things of a kind, and at whom."""

    word: str
    kind: str
    item: int
    foe: int | None = None


def shot_of(world: World, word: str, item: Item) -> Shot:
    """Return the deed ``word`` with ``item``, to be aimed."""
    verb = "Throw" if word == "throw" else "Aim"
    return Shot(
        f"{verb} {one_name(world, item)}",
        lambda target: fall_of(world, word, item, target),
        lambda target: action_for(word, item, target),
    )


def volley(world: World) -> Shot | None:
    """Return a shot with what is at hand, None if nothing is."""
    found = ammunition(world.hero)
    if found is None:
        return None
    bow, missile = found
    verb = "Shoot" if bow else "Throw"
    return Shot(
        f"{verb} {one_name(world, missile)}",
        lambda target: fire_aim(world, world.hero, target),
        lambda target: Fire(target.x, target.y),
    )


def first_target(world: World, shot: Shot, foe: int | None = None) -> Point:
    """Return what to aim at first: ``foe`` if in view, the nearest it reaches, else oneself."""
    foes = foes_in_view(world.map, world.hero)
    ranked = sorted(foes, key=lambda other: other.id != foe)  # stable: the others by distance
    places = [Point(other.x, other.y) for other in ranked]
    for place in places:
        if shot.fall(place).why is None:
            return place
    return places[0] if places else Point(world.hero.x, world.hero.y)


def again(world: World, last: LastDeed) -> Action | Shot | None:
    """Return the action, or what is to be aimed, of doing ``last`` again; None if it cannot be.

    It is aimed by itself at the same foe or, if that is gone, at the nearest in reach.
    """
    if last.word == "fire":
        shot = volley(world)
        return _aimed(world, shot, last.foe) if shot else None
    item = carried(world.hero, last.item)
    if item is None:
        item = next((other for other in world.hero.pack if other.kind == last.kind), None)
    if item is None:
        return None
    if last.word == "use" and asks_for_thing(item):
        return None
    if not needs_aim(world, last.word, item):
        return action_for(last.word, item)
    return _aimed(world, shot_of(world, last.word, item), last.foe)


def _aimed(world: World, shot: Shot, foe: int | None) -> Action | Shot:
    """Return the shot at a foe in reach, or the shot itself if there is none."""
    target = first_target(world, shot, foe)
    someone = world.map.entity_at(*target)
    if someone is None or someone is world.hero or shot.fall(target).why:
        return shot
    return shot.action(target)
