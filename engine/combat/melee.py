"""A blow from one body to another, and the ways in which weapons deal it."""

from collections.abc import Callable

from components import Mood
from engine.combat.damage import through
from engine.combat.targeting import are_foes
from engine.creatures.health import fell, harm
from engine.creatures.status_effects import afflict, startle
from engine.state.events import Struck, Tell, who
from engine.state.game_state import World
from engine.terrain.forced_movement import shove
from entities.creature_kinds import creatures
from entities.entity import Entity
from entities.equipment import gifted, power_of
from entities.item_kinds import item_kinds
from entities.pack import worn
from entities.statuses import has
from entities.talents import has_talent
from procgen.analysis.distances import DIRECTIONS


def touch(world: World, actor: Entity, target: Entity, tell: Tell) -> None:
    """Let the touch of ``actor`` bring its status upon ``target``; draws only if it may."""
    habit = creatures()[actor.kind].habits.touch
    if habit and target.alive and world.stream("combat").chance(habit.chance):
        afflict(target, habit.status, habit.turns, tell)


SURPRISE, ASSASSINATION = 2, 5
"""How many times its power a blow has on who is unaware of it, and a dagger's."""
AMBUSH = 3
"""The same of an assassin's blow on who is not hunting."""
LUNGE = 2
THORNS = 2
"""What thorns do to who strikes their bearer."""

Style = Callable[[World, Entity, Entity, Tell], None]

STYLES: dict[str, Style] = {}


def style(function: Style) -> Style:
    """Register the way in which a weapon strikes, under its function's name."""
    STYLES[function.__name__] = function
    return function


def unaware(creature: Entity) -> bool:
    """Whether ``creature`` is asleep, by nature or by magic."""
    return has(creature, "asleep") or (
        creature.mind is not None and creature.mind.mood is Mood.ASLEEP
    )


def style_of(attacker: Entity) -> str | None:
    """Return the way in which ``attacker`` strikes with what it wields."""
    weapon = worn(attacker, "weapon")
    return item_kinds()[weapon.kind].style if weapon else None


def advantage(attacker: Entity, target: Entity, *, hero: bool) -> int:
    """Return how many times its power a blow at ``target`` has for the state that it is in.

    ``hero`` says whether it is the hero's. `engine.threat` tells the player the same.
    """
    times = [1]
    if unaware(target):
        times.append(SURPRISE if hero else 1)
        times.append(ASSASSINATION if style_of(attacker) == "stab" else 1)
    if has_talent(attacker, "assassin") and target.mind and target.mind.mood is not Mood.HUNTING:
        times.append(AMBUSH)
    return max(times)


def attack(world: World, attacker: Entity, target: Entity, tell: Tell) -> None:
    """Strike at ``target`` in the way of the weapon in hand."""
    STYLES.get(style_of(attacker) or "", blow)(world, attacker, target, tell)


def blow(world: World, attacker: Entity, target: Entity, tell: Tell, times: int = 1) -> None:
    """Hit for what gets through of one's power; of more times as much if it has an `advantage`."""
    times = max(times, advantage(attacker, target, hero=attacker is world.hero))
    luck = world.stream("combat").between(-1, 1)
    damage = through(power_of(attacker) * times, luck, target)
    take(target, damage, attacker, tell)
    fell(world, target, attacker.kind, tell)
    if damage:
        touch(world, attacker, target, tell)
    if damage and gifted(target, "thorns"):
        harm(world, attacker, THORNS, "thorns", tell, target)


def take(target: Entity, damage: int, attacker: Entity, tell: Tell) -> None:
    """Let ``target`` take a hit by ``attacker``."""
    target.fighter.hp = max(0, target.fighter.hp - damage)
    tell(Struck(who(attacker), who(target), damage))
    if damage:
        startle(target, tell)


@style
def stab(world: World, attacker: Entity, target: Entity, tell: Tell) -> None:
    """Strike like any blade, but for its `advantage` over who is asleep."""
    blow(world, attacker, target, tell)


@style
def thrust(world: World, attacker: Entity, target: Entity, tell: Tell) -> None:
    """Strike whoever stands behind the target, too."""
    x, y = 2 * target.x - attacker.x, 2 * target.y - attacker.y
    blow(world, attacker, target, tell)
    behind = world.map.entity_at(x, y)
    if behind and attacker.alive and are_foes(attacker, behind):
        blow(world, attacker, behind, tell)


@style
def sweep(world: World, attacker: Entity, target: Entity, tell: Tell) -> None:
    """Strike every foe around, the target first."""
    places = [(attacker.x + dx, attacker.y + dy) for dx, dy in DIRECTIONS]
    others = [world.map.entity_at(x, y) for x, y in places]
    blow(world, attacker, target, tell)
    for other in others:
        if other and other is not target and attacker.alive and are_foes(attacker, other):
            blow(world, attacker, other, tell)


@style
def knock_back(world: World, attacker: Entity, target: Entity, tell: Tell) -> None:
    """Push the target a step back; against a wall it hurts."""
    way = target.x - attacker.x, target.y - attacker.y
    blow(world, attacker, target, tell)
    if target.alive:
        shove(world, target, way, 1, tell, attacker)


@style
def lunge(world: World, attacker: Entity, target: Entity, tell: Tell) -> None:
    """Strike like any blade; but see `onward`."""
    blow(world, attacker, target, tell)


def onward(world: World, attacker: Entity, dx: int, dy: int, tell: Tell) -> None:
    """After a step (dx, dy): run a foe through who stands further that way, if that is the way."""
    if style_of(attacker) != "lunge" or not attacker.alive:
        return
    target = world.map.entity_at(attacker.x + dx, attacker.y + dy)
    if target and are_foes(attacker, target):
        blow(world, attacker, target, tell, LUNGE)
