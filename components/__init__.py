"""Components of an entity: plain data without rules, saved as arrays."""

from components.ai import Ai, AiState
from components.experience import Experience
from components.fighter import Energy, Fighter

__all__ = ["Ai", "AiState", "Energy", "Experience", "Fighter"]
