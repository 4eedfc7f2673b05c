"""What an entity can have: plain data, no behaviour, written and read back as arrays."""

from components.ai import Mind, Mood
from components.experience import Growth
from components.fighter import Energy, Fighter

__all__ = ["Energy", "Fighter", "Growth", "Mind", "Mood"]
