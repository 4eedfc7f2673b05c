"""Players made of rules, by temper: how far one gets with care, and how far without."""

from engine.bots.careful_bot import Careful
from engine.bots.simple_bot import Bot, Careless

__all__ = ["BOTS", "Bot", "Careful", "Careless"]

BOTS: dict[str, type[Bot]] = {"plain": Bot, "careless": Careless, "careful": Careful}
