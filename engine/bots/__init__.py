"""Players made of rules, by temper: how far one gets with care, and how far without."""

from engine.bots.careful import Careful
from engine.bots.careless import Careless
from engine.bots.plain import Bot

__all__ = ["BOTS", "Bot", "Careful", "Careless"]

BOTS: dict[str, type[Bot]] = {"plain": Bot, "careless": Careless, "careful": Careful}
