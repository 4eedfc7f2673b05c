"""The AI component of a monster."""

from enum import StrEnum

import msgspec

from components.fighter import Number


class AiState(StrEnum):
    """The state of a monster's AI.

    A hidden monster cannot be seen until it attacks; an idle monster is awake and stays in place.
    """

    IDLE = "idle"
    HUNTING = "hunting"
    ASLEEP = "asleep"
    WANDERING = "wandering"
    SEARCHING = "searching"
    FLEEING = "fleeing"
    HIDDEN = "hidden"


class Ai(msgspec.Struct, array_like=True):
    """The AI of a monster: its behaviour by name, how far it sees, what it remembers.

    ``sight`` is in tiles. ``state_turns_left`` are the turns until the monster stops hunting,
    searching or fleeing; while the hero is out of sight a hunter counts them down from
    ``memory_turns``. ``goal`` is where the monster is going: the hero's last known place, a noise,
    or a stop on its round. After ``cooldown`` turns it can use its special action again.
    ``last_seen_hp`` are its hit points when it last looked, so that it notices damage.
    """

    behaviour: str
    sight: Number
    memory_turns: Number
    state: AiState = AiState.IDLE
    state_turns_left: Number = 0
    goal: tuple[Number, Number] | None = None
    cooldown: Number = 0
    stolen_gold: Number = 0
    last_seen_hp: Number = 0
