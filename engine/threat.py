"""What a fight comes to, in numbers, both ways: worked out from the rules, nothing drawn."""

from enum import StrEnum
from typing import NamedTuple

from engine.blows import SURPRISE, unaware
from engine.statuses import speed
from engine.things.armour import through
from engine.things.gear import power_of
from entities.entity import Entity
from entities.kinds import creatures

LUCK = (-1, 0, 1)
"""What luck adds to a blow, each as likely."""


class Danger(StrEnum):
    """How a fight to the end would go if neither side did anything but strike."""

    HARMLESS = "harmless"
    EASY = "easy"
    FAIR = "fair"
    HARD = "hard"
    DEADLY = "deadly"


class Exchange(NamedTuple):
    """The blows of one at another: least and most harm, and the share that harms at all.

    ``hits`` is how many it takes on average to the end, None if they never would.
    """

    low: int
    high: int
    chance: float
    hits: int | None


class Threat(NamedTuple):
    """What the hero does to a creature and it to the hero; ``shot`` is what it does from afar.

    ``surprise`` is the hero's first blow if the creature is unaware.
    """

    given: Exchange
    taken: Exchange
    shot: Exchange | None
    surprise: Exchange | None
    danger: Danger


def threat(hero: Entity, creature: Entity) -> Threat:
    """Return what a fight between ``hero`` and ``creature`` as they are now comes to."""
    given = blows(power_of(hero), creature)
    taken = blows(power_of(creature), hero)
    habit = creatures()[creature.kind].habits.shot
    shot = blows(habit.power, hero) if habit else None
    surprise = blows(power_of(hero) * SURPRISE, creature) if unaware(creature) else None
    worst = min((one for one in (taken, shot) if one and one.hits), key=_hits, default=taken)
    return Threat(given, taken, shot, surprise, _danger(hero, creature, given, worst))


def blows(power: int, target: Entity) -> Exchange:
    """Return what blows of ``power`` at ``target`` come to."""
    harms = [through(power, luck, target) for luck in LUCK]
    hits = -(-target.fighter.hp * len(harms) // sum(harms)) if sum(harms) else None
    chance = sum(harm > 0 for harm in harms) / len(harms)
    return Exchange(min(harms), max(harms), chance, hits)


def _hits(exchange: Exchange) -> int:
    assert exchange.hits
    return exchange.hits


def _danger(hero: Entity, creature: Entity, given: Exchange, taken: Exchange) -> Danger:
    """Compare the time that either takes for the end of the other."""
    if taken.hits is None:
        return Danger.HARMLESS
    if given.hits is None:
        return Danger.DEADLY
    lost = given.hits * speed(creature) / (taken.hits * speed(hero))
    steps = ((0.15, Danger.HARMLESS), (0.4, Danger.EASY), (0.7, Danger.FAIR), (1, Danger.HARD))
    return next((danger for share, danger in steps if lost < share), Danger.DEADLY)
