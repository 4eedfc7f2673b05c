"""What happened: small frozen records, the only way out of the rules.

They hold no English and no colour; render turns them into sentences and light.
"""

from engine.events.basic import (
    Arrived,
    Died,
    FoundDoor,
    Healed,
    Hurt,
    LostTrack,
    Moved,
    Noticed,
    Spotted,
    Struck,
    TookGold,
    What,
    Who,
)
from engine.events.creatures import (
    Blinked,
    Called,
    Charged,
    Divided,
    Fled,
    Shot,
    Stole,
    Summoned,
)
from engine.events.hero import (
    Afflicted,
    Followed,
    Learned,
    LeveledUp,
    Relieved,
    Struggled,
    Stumbled,
    Won,
)
from engine.events.things import (
    Dropped,
    Equipped,
    Fizzled,
    Identified,
    NoRoom,
    PickedUp,
    Shattered,
    Threw,
    TookOff,
    Used,
)

__all__ = [
    "Afflicted",
    "Arrived",
    "Blinked",
    "Called",
    "Charged",
    "Died",
    "Divided",
    "Dropped",
    "Equipped",
    "Event",
    "Fizzled",
    "Fled",
    "Followed",
    "FoundDoor",
    "Healed",
    "Hurt",
    "Identified",
    "Learned",
    "LeveledUp",
    "LostTrack",
    "Moved",
    "NoRoom",
    "Noticed",
    "PickedUp",
    "Relieved",
    "Shattered",
    "Shot",
    "Spotted",
    "Stole",
    "Struck",
    "Struggled",
    "Stumbled",
    "Summoned",
    "Threw",
    "TookGold",
    "TookOff",
    "Used",
    "What",
    "Who",
    "Won",
]

Event = (
    Moved
    | Struck
    | Died
    | Noticed
    | LostTrack
    | Spotted
    | Hurt
    | Healed
    | TookGold
    | FoundDoor
    | Arrived
    | Afflicted
    | Relieved
    | Stumbled
    | Struggled
    | LeveledUp
    | Learned
    | Won
    | Followed
    | Dropped
    | Equipped
    | Fizzled
    | Identified
    | NoRoom
    | PickedUp
    | Shattered
    | Threw
    | TookOff
    | Used
    | Shot
    | Called
    | Fled
    | Stole
    | Summoned
    | Charged
    | Blinked
    | Divided
)
