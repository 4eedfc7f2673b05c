"""What an entity can have: plain data, no behaviour, written and read back as arrays."""

from components.ai import Ai, AiState
from components.experience import Experience
from components.fighter import Energy, Fighter

__all__ = ["Ai", "AiState", "Energy", "Experience", "Fighter"]
