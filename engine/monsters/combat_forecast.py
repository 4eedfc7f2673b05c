"""Combat forecast: the expected course of a fight, both ways, computed without random numbers."""

from collections.abc import Sequence
from enum import StrEnum
from math import ceil, prod
from typing import NamedTuple

from components import AiState
from engine.combat.damage import damages_after_armour
from engine.combat.melee import sneak_attack_multiplier
from engine.creatures.health import turns_per_hit_point
from engine.creatures.status_effects import status_duration
from engine.items.aiming import ammunition, missile_power
from engine.state.game_state import TURN
from entities.creature_kinds import creature_kinds, make_creature
from entities.entity import Entity
from entities.equipment import power_of, weakened_power
from entities.statuses import speed, status_kinds
from entities.talents import has_talent

LUCK = (-1, 0, 1)
"""The random bonuses to an attack's power, all equally likely."""
Ratio = tuple[int, int]
"""Regeneration between two attacks as a fraction: hit points, attacks."""
Fight = tuple[int | None, float]
"""The hero's attacks that kill a monster, None if none do, and its damage per turn."""


class Danger(StrEnum):
    """The danger of a fight to the end in which both sides only attack."""

    HARMLESS = "harmless"
    EASY = "easy"
    FAIR = "fair"
    HARD = "hard"
    DEADLY = "deadly"


class ExpectedHits(NamedTuple):
    """The expected attacks of one creature on another.

    ``low`` and ``high`` are the least and most damage, ``chance`` is the share of attacks that do
    any, and ``hits`` the average number to kill, regeneration included; None if they never kill.
    """

    low: int
    high: int
    chance: float
    hits: int | None


class CombatForecast(NamedTuple):
    """A forecast of damage: ``dealt`` to the monster by melee, ``received`` from it by the hero.

    ``monster_shot`` is the monster's ranged attack, ``hero_shot`` the hero's. ``surprise`` is the
    hero's first hit if it is a sneak attack. ``damage_per_turn`` is the average damage of the
    monster, statuses included.
    """

    dealt: ExpectedHits
    received: ExpectedHits
    monster_shot: ExpectedHits | None
    hero_shot: ExpectedHits | None
    surprise: ExpectedHits | None
    danger: Danger
    damage_per_turn: float


def forecast(hero: Entity, creature: Entity, aimed: int | None = None) -> CombatForecast:
    """Return the forecast of a fight between ``hero`` and ``creature`` as they are now.

    ``hero_shot`` is that of the missile ``aimed``, a power, or 0 for another effect; if it is None,
    that of the hero's ammunition.
    """
    traits = creature_kinds()[creature.kind].traits
    attack, on_hit = traits.ranged_attack, traits.on_hit
    theirs, mine = _regeneration(hero, creature)
    dealt = expected_hits(power_of(hero), creature, theirs)
    received = expected_hits(power_of(creature), hero, mine)
    power = weakened_power(creature, attack.power) if attack else 0
    shot = expected_hits(power, hero, (mine[0] * attack.every, mine[1])) if attack else None
    per_turn = _harm_per_turn(hero, creature)
    if per_turn and on_hit and status_kinds()[on_hit.status].harm:  # Poison or fire kills sooner.
        hits = ceil(hero.fighter.hp * speed(creature) / 100 / per_turn)
        received = received._replace(hits=min(hits, received.hits or hits))
    surprise = _sneak_attack(hero, creature, theirs)
    danger = _danger(hero, [((surprise or dealt).hits, per_turn), *_summoned(hero, creature)])
    ammo = ammunition(hero) if aimed is None else None
    power = weakened_power(hero, missile_power(ammo[1], ammo[0]) if ammo else aimed or 0)
    hero_shot = expected_hits(power, creature, theirs) if power else None
    return CombatForecast(dealt, received, shot, hero_shot, surprise, danger, per_turn)


def expected_hits(power: int, target: Entity, regrown: Ratio = (0, 1)) -> ExpectedHits:
    """Return the forecast for attacks of ``power`` on ``target``."""
    harms = damages_after_armour(power, LUCK, target)
    return _expected(harms, _hits_to_kill(target.fighter.hp * len(LUCK), sum(harms), regrown))


def _expected(harms: list[int], hits: int | None) -> ExpectedHits:
    return ExpectedHits(min(harms), max(harms), sum(harm > 0 for harm in harms) / len(harms), hits)


def _hits_to_kill(left: int, harm: int, regrown: Ratio) -> int | None:
    """Return how many attacks kill; ``left`` hit points and ``harm`` are multiplied by len(`LUCK`).

    Regeneration after the last attack does not count.
    """
    back, blows_for = regrown[0] * len(LUCK), regrown[1]
    if harm * blows_for <= back:
        return 1 if harm and harm >= left else None
    return max(1, -((back - left * blows_for) // (harm * blows_for - back)))


def _sneak_attack(hero: Entity, creature: Entity, regrown: Ratio) -> ExpectedHits | None:
    """Return the forecast for a fight that begins with a sneak attack, None without one."""
    times = sneak_attack_multiplier(hero, creature, hero=True)
    if times == 1:
        return None
    first = expected_hits(power_of(hero) * times, creature, regrown)
    count = _sneak_attacks(hero, creature)
    if first.hits is None or count is None or first.hits <= count:
        return first
    harms = damages_after_armour(power_of(hero) * times, LUCK, creature)
    left = creature.fighter.hp * len(LUCK) - count * sum(harms)
    harm = sum(damages_after_armour(power_of(hero), LUCK, creature))
    further = _hits_to_kill(left, harm, regrown)
    return _expected(harms, further and count + further)


def _sneak_attacks(hero: Entity, creature: Entity) -> int | None:
    """Return the number of sneak attacks before ``creature`` acts, None for no limit."""
    ai_state = creature.ai.state if creature.ai else AiState.HUNTING
    assassin = has_talent(hero, "assassin")
    if ai_state is AiState.FLEEING and assassin:
        return None
    if ai_state is not AiState.ASLEEP and (ai_state is AiState.HUNTING or not assassin):
        return 1  # A magical sleep, which the first hit ends.
    gain = TURN * TURN // speed(hero) * speed(creature) // TURN
    return max(1, -((creature.energy.stored - TURN) // max(1, gain)))


def _regeneration(hero: Entity, creature: Entity) -> tuple[Ratio, Ratio]:
    """Return the creature's regeneration between the hero's attacks, and the reverse."""
    theirs, mine = turns_per_hit_point(creature), turns_per_hit_point(hero)
    return (
        (speed(creature), speed(hero) * theirs) if theirs else (0, 1),
        (100, speed(creature) * mine) if mine else (0, 1),
    )


def _harm_per_turn(hero: Entity, creature: Entity) -> float:
    """Return the damage per turn of the creature's best attack, melee or shots, with its status."""
    traits, pace = creature_kinds()[creature.kind].traits, speed(creature) / 100
    attacks = [_attack_rate(power_of(creature), pace, hero)]
    if ranged := traits.ranged_attack:
        power = weakened_power(creature, ranged.power)
        attacks.append(_attack_rate(power, pace / ranged.every, hero))
    harm, often, lands = max(attacks)
    on_hit = traits.on_hit
    if not (harm and on_hit):
        return harm
    turns = status_duration(hero, on_hit.status, on_hit.turns)
    spared = prod([1 - on_hit.chance * lands] * max(min(turns, 1), round(turns * often)))
    return harm + status_kinds()[on_hit.status].harm * (1 - spared)


def _attack_rate(power: int, often: float, hero: Entity) -> tuple[float, float, float]:
    """Return the damage per turn of ``often`` attacks, ``often``, and the share that does any."""
    harms = damages_after_armour(power, LUCK, hero)
    return sum(harms) / len(LUCK) * often, often, sum(harm > 0 for harm in harms) / len(LUCK)


def combined_danger(hero: Entity, creatures: Sequence[Entity]) -> Danger:
    """Return the danger of fighting all ``creatures`` at once, killed one after another."""
    forecasts = [forecast(hero, creature) for creature in creatures]
    fights = [((it.surprise or it.dealt).hits, it.damage_per_turn) for it in forecasts]
    summoned = [fight for creature in creatures for fight in _summoned(hero, creature)]
    return _danger(hero, [*fights, *summoned])


def _summoned(hero: Entity, creature: Entity) -> list[Fight]:
    """Return the fights with the monsters that ``creature`` summons the first time."""
    summons = creature_kinds()[creature.kind].traits.summons
    if summons is None:
        return []
    other = make_creature(summons.kind, creature.id, creature.x, creature.y)
    hits = expected_hits(power_of(hero), other, _regeneration(hero, other)[0]).hits
    return [(hits, _harm_per_turn(hero, other))] * summons.number


def _danger(hero: Entity, fights: Sequence[Fight]) -> Danger:
    """Return the danger of ``fights`` of so many attacks at so many hit points a turn.

    Each monster does damage until it is dead, so a pack costs more than the sum of single fights.
    The order is the best one for the hero: first those that do the most damage per hit they take.
    """
    if any(hits is None and per_turn for hits, per_turn in fights):
        return Danger.DEADLY
    ranked = sorted((hits or 0, per_turn) for hits, per_turn in fights)
    ranked.sort(key=lambda fight: -fight[1] / max(1, fight[0]))
    blows, damage = 0, 0.0
    for hits, per_turn in ranked:
        blows += hits
        damage += blows * 100 / speed(hero) * per_turn
    lost = damage / max(1, hero.fighter.hp)
    steps = ((0.15, Danger.HARMLESS), (0.4, Danger.EASY), (0.7, Danger.FAIR), (1, Danger.HARD))
    return next((danger for share, danger in steps if lost < share), Danger.DEADLY)
