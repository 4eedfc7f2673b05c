"""Events: small frozen records of what happened, the only output of the rules.

They hold no English and no colour: `render` turns them into messages and animations. An event
refers to creatures and items by a copy (`CreatureRef`, `ItemRef`), because by the time it is
shown the creature may have moved or died.
"""

from collections.abc import Callable

from engine.state.events.creature_events import (
    Arrived,
    Blinked,
    Called,
    Charged,
    CreatureRef,
    Died,
    Divided,
    Event,
    Fled,
    FoundDoor,
    FoundGoal,
    Healed,
    Hurt,
    ItemRef,
    LostTrack,
    Moved,
    Noticed,
    Shifted,
    ShotFired,
    Spotted,
    Stole,
    Struck,
    Summoned,
    TookGold,
)
from engine.state.events.hero_events import (
    Afflicted,
    CameHome,
    Followed,
    GrewHollow,
    Hunted,
    Learned,
    LeveledUp,
    Rang,
    Relieved,
    Sprung,
    Stirred,
    Struggled,
    Stumbled,
    TookKey,
    Unlocked,
    Vanished,
    Won,
    Worked,
)
from engine.state.events.item_events import (
    Appeared,
    Burnt,
    Changed,
    Displaced,
    Dropped,
    Equipped,
    Fizzled,
    Grew,
    Identified,
    Improved,
    Mapped,
    NoRoom,
    PickedUp,
    Planted,
    Remembered,
    Ripened,
    Shattered,
    Threw,
    TookOff,
    Used,
)
from entities.data_files import event_name
from entities.entity import Entity
from procgen.blueprint import Point

Emit = Callable[[Event], None]
"""A function that receives each event as it happens; every rule that changes state gets one."""


def event_types() -> dict[str, type[Event]]:
    """Return the types of events by the names they have in data files."""
    return {event_name(kind): kind for kind in Event.__subclasses__()}


def creature_ref(creature: Entity) -> CreatureRef:
    """Return a copy of the id, kind and place of ``creature`` at this moment."""
    return CreatureRef(creature.id, creature.kind, Point(creature.x, creature.y))
