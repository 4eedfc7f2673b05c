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
    Who,
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

__all__ = [
    "Afflicted",
    "Arrived",
    "Died",
    "Event",
    "Followed",
    "FoundDoor",
    "Healed",
    "Hurt",
    "Learned",
    "LeveledUp",
    "LostTrack",
    "Moved",
    "Noticed",
    "Relieved",
    "Spotted",
    "Struck",
    "Struggled",
    "Stumbled",
    "TookGold",
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
)
