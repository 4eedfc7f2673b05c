"""Bots: rule-based players, from careless to careful."""

from engine.bots.careful_bot import CarefulBot, SeedlessBot
from engine.bots.random_bot import RandomBot
from engine.bots.simple_bot import Bot, CarelessBot

__all__ = ["BOTS", "Bot", "CarefulBot", "CarelessBot", "RandomBot"]

BOTS: dict[str, type[Bot]] = {
    "plain": Bot,
    "careless": CarelessBot,
    "careful": CarefulBot,
    "seedless": SeedlessBot,
    "random": RandomBot,
}
