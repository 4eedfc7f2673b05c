"""Blows as sentences: who strikes whom, with what, how hard, and whether that was the end."""

from engine.events import Struck, What
from entities.kinds import HERO, creatures
from render.naming import name_of
from render.things import plain_name
from render.words import BARE, missiles, strikes, wields

LIGHT, HEAVY = 6, 2
"""What share of a creature's health, one in so many, a blow at most or at least takes to be so."""


def blow(
    event: Struck, *, weapon: str = BARE, missile: What | None = None, kills: bool = False
) -> tuple[str, str]:
    """Return what to say of a blow, and in which colour.

    ``weapon`` is what the hero has in hand, ``missile`` what flew, ``kills`` whether it was deadly.
    """
    mine, target, damage = event.attacker.kind == HERO, event.target, event.damage
    subject, force, third = name_of(event.attacker.kind, start=True), _force(event), "s"
    if missile:
        whose = "Your" if mine else f"{subject}'s"
        subject = f"{whose} {plain_name(missile)}"
        verb = missiles(force)
    elif mine:
        verb, third = wields(weapon, force), ""
    else:
        verb = strikes(event.attacker.kind)
    said = f"{subject} {verb} {name_of(target.kind)}"
    if not damage:
        return f"{said} but do{'es' if third else ''} no harm.", "dim"
    if kills:
        victim = "you" if target.kind == HERO else "it"
        color = "bad" if target.kind == HERO else "good" if mine else "dim"
        return f"{said} for {damage} and kill{third} {victim}.", color
    return f"{said} for {damage}.", "bad" if target.kind == HERO else "text"


def _force(event: Struck) -> int:
    """Return how hard a blow is to whom it meets: 0 light, 1 fair, 2 heavy."""
    health = creatures()[event.target.kind].hp
    return 0 if event.damage * LIGHT <= health else 2 if event.damage * HEAVY >= health else 1
