"""What an entity can have: plain data, no behaviour, written and read back as arrays."""

from components.energy import Energy
from components.fighter import Fighter
from components.growth import Growth
from components.mind import Mind, Mood

__all__ = ["Energy", "Fighter", "Growth", "Mind", "Mood"]
