"""Events: small frozen records of what happened, the only output of the rules.

They hold no English and no colour: `render` turns them into messages and animations. An event
refers to creatures and items by a copy (`CreatureRef`, `ItemRef`), because by the time it is
shown the creature may have moved or died.
"""

from collections.abc import Callable

from engine.state.events.creature_events import *
from engine.state.events.creature_events import CreatureRef, Event
from engine.state.events.hero_events import *
from engine.state.events.item_events import *
from entities.data_files import event_name
from entities.entity import Entity
from procgen.blueprint import cached_point

Emit = Callable[[Event], None]
"""A function that receives each event as it happens; every rule that changes state gets one."""


def event_types() -> dict[str, type[Event]]:
    """Return the types of events by the names they have in data files; base classes have none."""
    kinds: list[type[Event]] = [Event]
    for kind in kinds:  # The list grows while it is read.
        kinds += kind.__subclasses__()
    return {event_name(kind): kind for kind in kinds if not kind.__subclasses__()}


def creature_ref(creature: Entity) -> CreatureRef:
    """Return a copy of the id, kind and place of ``creature`` at this moment."""
    return CreatureRef(creature.id, creature.kind, cached_point(creature.x, creature.y))
