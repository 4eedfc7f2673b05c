"""The commands of play that have to do with things: from key to action, by way of screens."""

from collections.abc import Callable

from engine.actions import PickUp
from engine.effects.goods import improvable
from engine.things.aiming import asks_for_thing
from engine.things.pack import slot_of
from entities.item import Item
from entities.items import item_kinds, sort_of
from procgen.blueprint import Point
from render.pack.aims import LastDeed, Shot, again, shot_of, volley
from render.pack.doing import action_for, needs_aim
from render.screen import Play, Push, Reply
from render.screens.aiming import Aiming
from render.screens.inventory import Inventory
from render.screens.item import ItemScreen
from render.screens.menu import Choice, Menu
from render.session import Session
from render.things import item_name


def belongings(session: Session, name: str) -> Reply:
    """Answer the command ``name``; nothing if it has not to do with things."""
    hero = session.run.world.hero
    match name:
        case "inventory":
            return Push(Inventory(session, "Pack", hero.pack, lambda item: _looked(session, item)))
        case "use":
            usable = [item for item in hero.pack if item_kinds()[item.kind].effect]
            return _asked(session, "Use what?", usable, "use")
        case "equip":
            gear = [item for item in hero.pack if sort_of(item.kind).slot]
            return _asked(session, "Wear or take off what?", gear, "equip")
        case "drop":
            return _asked(session, "Drop what?", hero.pack, "drop")
        case "throw":
            return _asked(session, "Throw what?", hero.pack, "throw")
        case "fire":
            return _fire(session)
        case "again":
            return _again(session)
        case "pick_up":
            return pick_up(session)
    return None


def pick_up(session: Session) -> Reply:
    """Take the thing underfoot, or ask which of several."""
    world = session.run.world
    pile = world.map.items_at(world.hero.x, world.hero.y)
    if len(pile) < 2:
        return Play(PickUp())
    choices = [Choice("All of it", "g", lambda: Play(PickUp()))]
    choices += [
        Choice(item_name(world, item), letter, _taking(item))
        for item, letter in zip(reversed(pile), "abcdefhimnopqrstvwxyz", strict=False)
    ]
    return Push(Menu("Pick up what?", choices))


def _taking(item: Item) -> Callable[[], Reply]:
    return lambda: Play(PickUp(item.id))


def _asked(session: Session, title: str, items: list[Item], word: str) -> Reply:
    """Ask which of ``items``, or say that there are none."""
    if not items:
        session.say("You carry nothing of the kind.", "dim")
        return None

    def chosen(item: Item) -> Reply:
        on = word == "equip" and slot_of(session.run.world.hero, item) is not None
        return _do(session, "take off" if on else word, item)

    return Push(Inventory(session, title, items, chosen))


def _looked(session: Session, item: Item) -> Reply:
    return Push(ItemScreen(session, item, lambda word, thing: _do(session, word, thing)))


def _do(session: Session, word: str, item: Item) -> Reply:
    """Do it, or take aim first."""
    world = session.run.world
    last = LastDeed(word, item.kind, item.id)
    if needs_aim(world, word, item):
        return _take_aim(session, shot_of(world, word, item), last)
    if word == "use" and asks_for_thing(item):
        return _choose_other(session, item)
    if word in {"use", "throw"}:
        session.last_deed = last
    return Play(action_for(word, item))


def _choose_other(session: Session, item: Item) -> Reply:
    """Ask which thing of the pack to use ``item`` on."""
    fit = [other for other in session.run.world.hero.pack if improvable(other)]
    if not fit:
        session.say("You carry nothing that it could make better.", "dim")
        return None
    title = f"{sort_of(item.kind).verb.capitalize()} it over what?"
    return Push(
        Inventory(session, title, fit, lambda other: Play(action_for("use", item, other=other)))
    )


def _fire(session: Session) -> Reply:
    shot = volley(session.run.world)
    if shot is None:
        session.say("You have nothing to shoot or throw.", "dim")
        return None
    return _take_aim(session, shot, LastDeed("fire", "", 0))


def _take_aim(session: Session, shot: Shot, last: LastDeed) -> Reply:
    """Take aim with ``shot``; once it is let go, it is what can be done again."""

    def done(target: Point) -> Reply:
        someone = session.run.world.map.entity_at(*target)
        last.foe = someone.id if someone else None
        session.last_deed = last
        return Play(shot.action(target))

    foe = session.last_deed.foe if session.last_deed else None
    return Push(Aiming(session, shot, done, foe=foe))


def _again(session: Session) -> Reply:
    """Do what was done last once more."""
    last = session.last_deed
    if last is None:
        session.say("There is nothing to do again yet.", "dim")
        return None
    found = again(session.run.world, last)
    if isinstance(found, Shot):
        return _take_aim(session, found, last)
    if found is None:
        session.say("There is none of it left.", "dim")
        return None
    return Play(found)
