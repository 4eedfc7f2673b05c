"""Players made of rules, by temper: how far one gets with care, and how far without."""

from engine.bots.careful_bot import CarefulBot
from engine.bots.simple_bot import Bot, CarelessBot

__all__ = ["BOTS", "Bot", "CarefulBot", "CarelessBot"]

BOTS: dict[str, type[Bot]] = {"plain": Bot, "careless": CarelessBot, "careful": CarefulBot}
