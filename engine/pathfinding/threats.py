"""Monsters in view, and those of them that threaten the hero: who can reach or shoot it now."""

from components import AiState
from engine.pathfinding.dijkstra_maps import ground_around, opens_doors
from engine.state.game_map import GameMap
from engine.state.game_state import GameState
from entities.creature_kinds import HERO, IMMOBILE, KEY_CARRIER, creature_kinds
from entities.entity import Entity
from entities.statuses import is_asleep
from procgen.analysis.bitboard import Bitboard
from procgen.analysis.distances import UNREACHED

THREAT_REACH = 30
"""The radius in tiles around the hero within which paths are searched: beyond all sight."""
SHY = frozenset({KEY_CARRIER, "mender"})
"""Behaviours of monsters that keep away from the hero, and attack only one that comes near."""
APART = SHY.union(IMMOBILE)
"""Behaviours of monsters that never come to the hero: a journey tells of them once."""
CLOSE, LEAPING = 3, frozenset({"blinker", "charger"})
"""Monsters nearer than this, in tiles, or with one of these behaviours may strike soon."""


def foes_in_view(game_map: GameMap, actor: Entity, within: int = 99) -> list[Entity]:
    """Return the enemies that ``actor`` sees ``within`` a number of tiles, nearest first."""
    # A monster sees the hero if the hero sees it.
    seen = game_map.entities_in_view() if game_map.visible[actor.y, actor.x] else []
    foes = [foe for foe in seen if are_foes(actor, foe) and actor.distance_to(foe) <= within]
    return sorted(foes, key=lambda foe: (actor.distance_to(foe), foe.id))


def are_foes(creature: Entity, other: Entity) -> bool:
    """Return True if two creatures are enemies: the hero and any monster."""
    return (creature.kind == HERO) != (other.kind == HERO)


def enemies_in_view(state: GameState) -> list[Entity]:
    """Return the monsters the hero sees, nearest first."""
    return foes_in_view(state.map, state.hero)


def threats_in_view(state: GameState) -> list[Entity]:
    """Return the threats in view (see `is_threat`), nearest first."""
    return [foe for foe in enemies_in_view(state) if is_threat(state, foe)]


def is_threat(state: GameState, creature: Entity) -> bool:
    """Return True if ``creature`` is awake and can reach or shoot the hero.

    A journey that stopped for every sleeping rat and every plant would stop every few steps. A
    fleeing monster attacks only when cornered; once it turns back, it is a threat.
    """
    if is_asleep(creature) or flees(state, creature):
        return False
    return _can_shoot(state, creature) or _can_reach(state, creature)


def flees(state: GameState, creature: Entity) -> bool:
    """Return True if ``creature`` is awake, not beside the hero, and keeps away from it."""
    away, ai = state.hero.distance_to(creature) > 1 and not is_asleep(creature), creature.ai
    return away and ai is not None and (ai.state is AiState.FLEEING or ai.behaviour in SHY)


def attackers(state: GameState) -> list[Entity]:
    """Return the monsters beside the hero that hunt it, unless they are rooted or asleep."""
    awake = [foe for foe in foes_in_view(state.map, state.hero, within=1) if not is_asleep(foe)]
    movers = [foe for foe in awake if creature_kinds()[foe.kind].behaviour not in IMMOBILE]
    return [foe for foe in movers if foe.ai and foe.ai.state is AiState.HUNTING]


def _can_shoot(state: GameState, creature: Entity) -> bool:
    attack = creature_kinds()[creature.kind].traits.ranged_attack
    return attack is not None and state.hero.distance_to(creature) <= attack.reach


def may_strike_soon(state: GameState, creature: Entity) -> bool:
    """Return True if ``creature`` may strike or shoot the hero within its next turns."""
    leaps = creature_kinds()[creature.kind].behaviour in LEAPING
    return leaps or state.hero.distance_to(creature) < CLOSE or _can_shoot(state, creature)


def _can_reach(state: GameState, creature: Entity) -> bool:
    beside = state.hero.distance_to(creature) == 1
    if creature_kinds()[creature.kind].behaviour in IMMOBILE:
        return beside and creature.fighter.power > 0
    if beside:
        return True
    x, y, doors = state.hero.x, state.hero.y, opens_doors(state.map, creature)
    left, top, ground = ground_around(state.map, x, y, doors, THREAT_REACH)
    hero_place, monster_place = (x - left, y - top), (creature.x - left, creature.y - top)
    return Bitboard.of(ground).steps(hero_place, monster_place) < UNREACHED
