"""Combat forecast: the expected course of a fight, both ways, computed without random numbers."""

from collections.abc import Sequence
from enum import StrEnum
from math import ceil, inf, prod
from typing import NamedTuple

from components import AiState
from engine.combat.damage import damages_after_armour
from engine.combat.melee import sneak_attack_multiplier
from engine.creatures.health import turns_per_hit_point
from engine.creatures.status_effects import status_duration
from engine.items.aiming import ammunition, missile_power
from engine.monsters.behaviours import ERRATIC_SHARE
from engine.state.game_state import TURN
from entities.creature_kinds import creature_kinds, make_creature
from entities.entity import Entity
from entities.equipment import power_of, weakened_power
from entities.statuses import is_asleep, speed, status_kinds
from entities.talents import has_talent

LUCK = (-1, 0, 1)
"""The random bonuses to an attack's power, all equally likely."""
Ratio = tuple[int, int]
"""Regeneration between two attacks as a fraction: hit points, attacks."""
STEPPING_BACK = ("shooter", "summoner", "mender")
"""Behaviours of monsters that step back from the hero on every other turn."""
ATTACKING = {"erratic": 1 - ERRATIC_SHARE} | dict.fromkeys(STEPPING_BACK, 0.5)
"""The share of its turns in reach in which a monster attacks, by behaviour; 1 for others."""
Rate = tuple[float, float]
"""Damage per turn of an attack and its status; the share of turns in which the hero has that."""


class Fight(NamedTuple):
    """A fight with one monster: its ``turns``, infinite if it never dies, and damage ``per_turn``.

    As long as the monster lives, fights with others take ``slowing`` times as long.
    """

    turns: float
    per_turn: float
    slowing: float = 1


class Danger(StrEnum):
    """The danger of a fight to the death in which the hero walks up to the monsters and attacks."""

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
    hero's first hit if it is a sneak attack; ``fight`` is all of it.
    """

    dealt: ExpectedHits
    received: ExpectedHits
    monster_shot: ExpectedHits | None
    hero_shot: ExpectedHits | None
    surprise: ExpectedHits | None
    fight: Fight


def forecast(hero: Entity, creature: Entity, aimed: int | None = None) -> CombatForecast:
    """Return the forecast of a fight between ``hero`` and ``creature`` as they are now.

    ``hero_shot`` is that of the missile ``aimed``, a power, or 0 for another effect; if it is None,
    that of the hero's ammunition.
    """
    traits = creature_kinds()[creature.kind].traits
    attack, on_hit = traits.ranged_attack, traits.on_hit
    theirs, mine = _regeneration(hero, creature)
    rates = _attack_rates(hero, creature)
    power = power_of(hero)
    if on_hit and on_hit.status == "weakened" and on_hit.status not in hero.statuses:
        power = round(power * (1 - max(rates)[1] / 2))
    hits = expected_hits(power, creature, theirs).hits
    dealt = expected_hits(power_of(hero), creature, theirs)._replace(hits=hits)
    surprise = _sneak_attack(hero, creature, theirs, power)
    fight = _fight(hero, creature, (surprise or dealt).hits, rates)
    received = expected_hits(power_of(creature), hero, mine)
    power = weakened_power(creature, attack.power) if attack else 0
    shot = expected_hits(power, hero, (mine[0] * attack.every, mine[1])) if attack else None
    if fight.per_turn and (traits.summons or (on_hit and status_kinds()[on_hit.status].harm)):
        # Poison, fire or the monsters that it summons kill sooner.
        hits = ceil(hero.fighter.hp * speed(creature) / 100 / fight.per_turn)
        received = received._replace(hits=min(hits, received.hits or hits))
    ammo = ammunition(hero) if aimed is None else None
    power = weakened_power(hero, missile_power(hero, ammo[1], ammo[0]) if ammo else aimed or 0)
    hero_shot = expected_hits(power, creature, theirs) if power else None
    return CombatForecast(dealt, received, shot, hero_shot, surprise, fight)


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


def _sneak_attack(hero: Entity, creature: Entity, back: Ratio, power: int) -> ExpectedHits | None:
    """Return the forecast for a sneak attack and later hits of ``power``, None without one."""
    times = sneak_attack_multiplier(hero, creature, hero=True)
    if times == 1:
        return None
    first = expected_hits(power_of(hero) * times, creature, back)
    count = _sneak_attacks(hero, creature)
    if first.hits is None or count is None or first.hits <= count:
        return first
    harms = damages_after_armour(power_of(hero) * times, LUCK, creature)
    left = creature.fighter.hp * len(LUCK) - count * sum(harms)
    harm = sum(damages_after_armour(power, LUCK, creature))
    further = _hits_to_kill(left, harm, back)
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


def _attack_rates(hero: Entity, creature: Entity) -> list[Rate]:
    """Return the rate of the creature's melee and, if it shoots, that of its shots."""
    kind, pace, rates = creature_kinds()[creature.kind], speed(creature) / 100, []
    shot, on_hit = kind.traits.ranged_attack, kind.traits.on_hit
    attacks = [(power_of(creature), pace * ATTACKING.get(kind.behaviour or "", 1))]
    if shot:
        attacks.append((weakened_power(creature, shot.power), pace / shot.every))
    for power, often in attacks:
        harms = damages_after_armour(power, LUCK, hero)
        harm, share = sum(harms) / len(LUCK) * often, 0.0
        if on_hit:
            turns = status_duration(hero, on_hit.status, on_hit.turns) * often
            misses = 1 - on_hit.chance * sum(harm > 0 for harm in harms) / len(LUCK)
            share = min(1, turns) * (1 - prod([misses] * max(1, round(turns))))
            harm += status_kinds()[on_hit.status].harm * share
        rates.append((harm, share))
    return rates


def _fight(hero: Entity, creature: Entity, hits: int | None, rates: list[Rate]) -> Fight:
    """Return the fight in which the hero walks up to ``creature`` and kills it by ``hits`` hits."""
    kind, (per_turn, share) = creature_kinds()[creature.kind], max(rates)
    traits, on_hit, asleep = kind.traits, kind.traits.on_hit, is_asleep(creature)
    if hits is None:
        return Fight(inf, per_turn)
    if hits == 1 and asleep:
        return Fight(1, 0)
    slowing = 1.0
    if on_hit and on_hit.status not in hero.statuses:
        slowing /= 1 - share + share * status_kinds()[on_hit.status].speed / 100
    pace = slowing * 100 / speed(hero)
    turns = hits * pace
    if kind.behaviour in STEPPING_BACK:
        turns *= 2 * max(1, pace * speed(creature) / 100)
        slowing *= slowing
    damage = max(pace, turns * (1 - traits.flee_below)) * per_turn  # No damage while it flees.
    if summons := traits.summons:  # Each brood is killed first, the last one half of the time.
        other = make_creature(summons.kind, creature.id, creature.x, creature.y)
        blows = expected_hits(power_of(hero), other).hits or 99
        busy = summons.number * blows * 100 / speed(hero)
        longer = (1 + busy / turns / 2) / max(0.25, 1 - busy / summons.every)
        turns, damage = turns * longer, damage * longer * (1 - 1 / summons.every)
        bitten = max(0, busy * (summons.number + 1) / 2 - summons.number)
        damage += (turns / summons.every + 0.5) * bitten * max(_attack_rates(hero, other))[0]
    if traits.ranged_attack and not asleep:
        reach = min(hero.distance_to(creature), traits.ranged_attack.reach)
        approach = max(0, reach - 1) * pace
        turns, damage = turns + approach, damage + approach * rates[1][0]
    return Fight(turns, damage / turns, slowing)


def combined_danger(hero: Entity, creatures: Sequence[Entity]) -> Danger:
    """Return the danger of fighting all ``creatures`` at once, killed one after another."""
    lost = fight_cost(hero, creatures)
    steps = ((0.1, Danger.HARMLESS), (0.4, Danger.EASY), (0.7, Danger.FAIR), (1, Danger.HARD))
    return next((danger for share, danger in steps if lost < share), Danger.DEADLY)


def fight_cost(hero: Entity, creatures: Sequence[Entity]) -> float:
    """Return the share of the hero's hit points that a fight against all ``creatures`` takes.

    Each monster does damage until it is dead, so a pack costs more than the sum of single fights;
    half a turn less, as the last hit is not answered and either side may hit first. The order is
    the best one for the hero: first those that do the most damage per turn they take.
    """
    fights = [it for it in (forecast(hero, one).fight for one in creatures) if it.per_turn]
    fights.sort(key=lambda it: -it.per_turn / it.turns)
    turns, damage = 0.0, 0.0
    for number, fight in enumerate(fights, 1):
        turns += fight.turns * prod(other.slowing for other in fights[number:])
        damage += max(0, turns - 0.5) * fight.per_turn
    return damage / max(1, hero.fighter.hp)
