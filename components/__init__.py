"""What an entity can have: plain data, no behaviour, written and read back as arrays."""

from components.energy import Energy
from components.fighter import Fighter
from components.mind import Mind, Mood

__all__ = ["Energy", "Fighter", "Mind", "Mood"]
