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
    Shifted,
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
)
from engine.events.things import (
    Appeared,
    Burnt,
    Changed,
    Displaced,
    Dropped,
    Equipped,
    Fizzled,
    Identified,
    Improved,
    Mapped,
    NoRoom,
    PickedUp,
    Shattered,
    Threw,
    TookOff,
    Used,
)

__all__ = [
    "Afflicted",
    "Appeared",
    "Arrived",
    "Blinked",
    "Burnt",
    "Called",
    "Changed",
    "Charged",
    "Died",
    "Displaced",
    "Divided",
    "Dropped",
    "Equipped",
    "Event",
    "Fizzled",
    "Fled",
    "Followed",
    "FoundDoor",
    "Healed",
    "Hunted",
    "Hurt",
    "Identified",
    "Improved",
    "Learned",
    "LeveledUp",
    "LostTrack",
    "Mapped",
    "Moved",
    "NoRoom",
    "Noticed",
    "PickedUp",
    "Rang",
    "Relieved",
    "Shattered",
    "Shifted",
    "Shot",
    "Spotted",
    "Sprung",
    "Stirred",
    "Stole",
    "Struck",
    "Struggled",
    "Stumbled",
    "Summoned",
    "Threw",
    "TookGold",
    "TookKey",
    "TookOff",
    "Unlocked",
    "Used",
    "Vanished",
    "What",
    "Who",
    "Won",
]

Event = (
    Moved
    | Shifted
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
    | Stirred
    | Hunted
    | Sprung
    | Rang
    | Vanished
    | TookKey
    | Unlocked
    | Dropped
    | Displaced
    | Appeared
    | Mapped
    | Changed
    | Burnt
    | Improved
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
