"""Things put into a world for a test."""

from components.inventory import Item
from engine.state.actions import Refused
from entities.pack import add_to_pack

ROOM = """
    ########
    #......#
    #.@...o#
    #.....>#
    ########
"""
"""A hero, and an orc across the room."""
ALONE = ROOM.replace("o", ".")


def give(engine, kind, count=1, **more):
    """Put things into the hero's pack and return the stack."""
    return add_to_pack(engine.state.hero, Item(engine.state.new_id(), kind, count, **more))


def lay(engine, kind, x, y, count=1, **more):
    """Lay things at (x, y) and return them."""
    item = Item(engine.state.new_id(), kind, count, **more)
    engine.state.map.add_item(item, x, y)
    return item


def told(events, kind):
    """Return the events of one ``kind``; the step must not have been refused."""
    assert not isinstance(events, Refused), events
    return [event for event in events if isinstance(event, kind)]


def first(engine, kind):
    """Return the first creature of ``kind``."""
    return next(one for one in engine.state.map.entities.values() if one.kind == kind)


def bare(engine):
    """Take everything from the hero, and return the engine."""
    engine.state.hero.inventory.clear()
    engine.state.hero.equipment.clear()
    engine.state.hero.letters.clear()
    return engine
