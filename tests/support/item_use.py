"""Worlds in which things are used."""

from engine.state.actions import Use
from entities.item_kinds import item_kinds
from support.items import bare, give
from support.scenes import scene

HALL = """
    ############
    #..........#
    #.@....o...#
    #.........>#
    ############
"""


def using(drawing, kind, target=None, *, known=True, on=None, charges=3):
    """Return (engine, events) after the hero of ``drawing`` has used a ``kind``."""
    engine = bare(scene(drawing))
    if known:
        engine.state.identified_kinds.append(kind)
    item = give(engine, kind, charges=charges if item_kinds()[kind].charges[1] else 0)
    return engine, engine.step(Use(item.id, target, on))
