"""Melee: a hit, its on-hit effects, sneak attacks, and the special abilities of weapons."""

from collections.abc import Callable

from components import AiState
from engine.combat.damage import damage_after_armour
from engine.creatures.health import apply_damage, kill_if_dead, lose_hit_points
from engine.creatures.status_effects import apply_status
from engine.pathfinding.threats import are_foes
from engine.state.events import Emit, ShotFired, Struck, creature_ref
from engine.state.game_state import GameState
from engine.terrain.forced_movement import push_back
from entities.creature_kinds import creature_kinds
from entities.entity import Entity
from entities.equipment import equipped, power_of, worn_abilities
from entities.item_kinds import item_kinds
from entities.statuses import is_asleep
from entities.talents import has_talent
from procgen.analysis.distances import DIRECTIONS


def on_hit(state: GameState, actor: Entity, target: Entity, emit: Emit) -> None:
    """Apply the on-hit status of ``actor`` to ``target`` by chance; draw only if it has one."""
    effect = creature_kinds()[actor.kind].traits.on_hit
    if effect and target.alive and state.stream("combat").chance(effect.chance):
        apply_status(target, effect.status, effect.turns, emit)


SNEAK_ATTACK, DAGGER_SNEAK_ATTACK, DAGGER_MAGICAL_SLEEP = 2, 5, 3
"""The power multiplier of the hero's hit on a sleeping monster, and those with a dagger.

Anyone can be put to sleep by magic: five times would kill whatever lives at the last depths.
"""
ASSASSIN_ATTACK = 3
"""The power multiplier of the Assassin talent against a monster that is not hunting."""
LUNGE = 2
"""The power multiplier of a lunge."""
KNOCK_BACK_CHANCE = 0.5
"""The chance that a hit of a war hammer pushes its target."""
THORNS_DAMAGE = 2
"""Hit points that a ring of thorns, or thornskin, takes from an attacker that hits."""


def weapon_ability_of(attacker: Entity) -> str | None:
    """Return the name of the ability of the weapon that ``attacker`` wields."""
    weapon = equipped(attacker, "weapon")
    return item_kinds()[weapon.kind].weapon_ability if weapon else None


def sneak_attack_multiplier(attacker: Entity, target: Entity, *, hero: bool) -> int:
    """Return the power multiplier of an attack on ``target`` in its present state.

    ``hero`` says whether the hero attacks. The combat forecast uses the same function, so the
    player sees the true numbers.
    """
    times = [1]
    if is_asleep(target):
        times.append(SNEAK_ATTACK if hero else 1)
        natural = target.ai is not None and target.ai.state is AiState.ASLEEP
        stab = DAGGER_SNEAK_ATTACK if natural else DAGGER_MAGICAL_SLEEP
        times.append(stab if weapon_ability_of(attacker) == "stab" else 1)
    if has_talent(attacker, "assassin") and target.ai and target.ai.state is not AiState.HUNTING:
        times.append(ASSASSIN_ATTACK)
    return max(times)


def melee_attack(state: GameState, attacker: Entity, target: Entity, emit: Emit) -> None:
    """Attack ``target`` with the ability of the weapon in hand."""
    hit = WEAPON_ABILITIES.get(weapon_ability_of(attacker) or "", melee_hit)
    hit(state, attacker, target, emit)


def roll_attack(
    state: GameState, attacker: Entity, target: Entity, power: int, emit: Emit, shot: str = ""
) -> int:
    """Attack or ``shot`` on ``target`` with ``power``, varied by -1 to +1; return the damage."""
    damage = damage_after_armour(power, state.stream("combat").between(-1, 1), target)
    who, whom = creature_ref(attacker), creature_ref(target)
    struck = Struck(who, whom, damage, is_asleep(target))
    lose_hit_points(target, damage, ShotFired(who, whom, shot, damage) if shot else struck, emit)
    kill_if_dead(state, target, attacker.kind, emit)
    return damage


def melee_hit(
    state: GameState, attacker: Entity, target: Entity, emit: Emit, times: int = 1
) -> None:
    """Hit ``target`` once with ``times`` the power, or more by a sneak attack."""
    times = max(times, sneak_attack_multiplier(attacker, target, hero=attacker is state.hero))
    damage = roll_attack(state, attacker, target, power_of(attacker) * times, emit)
    if damage:
        on_hit(state, attacker, target, emit)
    if damage and ("thorns" in worn_abilities(target) or has_talent(target, "thornskin")):
        apply_damage(state, attacker, THORNS_DAMAGE, "thorns", emit, target)


def thrust(state: GameState, attacker: Entity, target: Entity, emit: Emit) -> None:
    """Hit the target and the foe behind it."""
    x, y = 2 * target.x - attacker.x, 2 * target.y - attacker.y
    melee_hit(state, attacker, target, emit)
    behind = state.map.entity_at(x, y)
    if behind and attacker.alive and are_foes(attacker, behind):
        melee_hit(state, attacker, behind, emit)


def sweep(state: GameState, attacker: Entity, target: Entity, emit: Emit) -> None:
    """Hit every adjacent foe, the target first."""
    places = [(attacker.x + dx, attacker.y + dy) for dx, dy in DIRECTIONS]
    others = [state.map.entity_at(x, y) for x, y in places]
    melee_hit(state, attacker, target, emit)
    for other in others:
        if other and other is not target and attacker.alive and are_foes(attacker, other):
            melee_hit(state, attacker, other, emit)


def knock_back(state: GameState, attacker: Entity, target: Entity, emit: Emit) -> None:
    """Hit the target and, by chance, push it a step back unless it is heavy; a wall hurts it.

    The push is not certain: a foe that is pushed back loses a turn to return, so pushing with every
    hit would win against anything that walks.
    """
    way = target.x - attacker.x, target.y - attacker.y
    melee_hit(state, attacker, target, emit)
    heavy = creature_kinds()[target.kind].traits.heavy
    if target.alive and not heavy and state.stream("combat").chance(KNOCK_BACK_CHANCE):
        push_back(state, target, way, 1, emit, attacker)


WEAPON_ABILITIES: dict[str, Callable[[GameState, Entity, Entity, Emit], None]] = {
    "stab": melee_hit,
    "lunge": melee_hit,
    "thrust": thrust,
    "sweep": sweep,
    "knock_back": knock_back,
}
"""Weapon abilities by their name in the data.

Stab and lunge hit once: `sneak_attack_multiplier` and `lunge_after_step` add the rest.
"""


def lunge_after_step(state: GameState, attacker: Entity, dx: int, dy: int, emit: Emit) -> None:
    """After a step (dx, dy) with a lunging weapon, hit a foe on the next tile in line."""
    if weapon_ability_of(attacker) != "lunge" or not attacker.alive:
        return
    target = state.map.entity_at(attacker.x + dx, attacker.y + dy)
    if target and are_foes(attacker, target):
        melee_hit(state, attacker, target, emit, LUNGE)
