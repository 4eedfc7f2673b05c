"""Components of an entity: plain data without rules, saved as arrays."""

from components.ai import Ai, AiState
from components.fighter import Energy, Experience, Fighter

__all__ = ["Ai", "AiState", "Energy", "Experience", "Fighter"]
