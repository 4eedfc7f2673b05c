"""Damage, death and regeneration of a creature, whatever the cause of the damage."""

from components.inventory import Item
from engine.creatures.levelling import gain_experience
from engine.creatures.status_effects import wake_up
from engine.state import events as ev
from engine.state.events import Emit, creature_ref
from engine.state.game_state import GameState
from engine.state.identification import item_ref
from entities.creature_kinds import HERO, KEY_CARRIER, creature_kinds
from entities.data_files import positive_weights
from entities.entity import Entity
from entities.equipment import worn_abilities
from entities.seed_kinds import seed_kinds
from entities.statuses import status_kinds
from entities.talents import has_talent
from entities.terrain import TILE_NAMES, Tile, terrain
from procgen.analysis.distances import closest_tile, reachable
from procgen.blueprint import Point, mask_at

HARVEST = 3
"""Hit points that a kill gives back by the talent Harvest."""
WINDFALL = 1 / 8
"""The chance of a seed from a kill by the talent Windfall."""


def kill_if_dead(state: GameState, target: Entity, killer: str, emit: Emit) -> None:
    """Remove ``target`` if it has no hit points left; a dead hero stays on the map."""
    if target.alive:
        return
    emit(ev.Died(creature_ref(target), killer))
    if target is state.hero:
        state.killed_by = killer
    else:
        state.map.remove_entity(target)
        _drop_belongings(state, target, emit)
        drop_key(state, target, emit)
        # Not kills among monsters, nor a fire that they set far away.
        witnessed = killer not in creature_kinds() and state.map.visible[target.y, target.x]
        if witnessed or killer == HERO:
            state.kills += 1
            state.kills_by_kind[target.kind] = state.kills_by_kind.get(target.kind, 0) + 1
            gain_experience(state, target, emit)
            _reap(state, target, emit)


def _reap(state: GameState, victim: Entity, emit: Emit) -> None:
    """Give a living hero what its talents make of a kill that brings experience."""
    hero = state.hero
    if victim.spawned_in_play or not hero.alive:
        return
    if has_talent(hero, "harvest") and hero.fighter.hp < hero.fighter.max_hp:
        restore_hit_points(hero, HARVEST, "harvest", emit)
    if has_talent(hero, "windfall") and state.stream("windfall").chance(WINDFALL):
        weights = positive_weights(state.map.depth_at(victim.x, victim.y), seed_kinds())
        seed = Item(state.new_id(), state.stream("windfall").weighted(weights))
        state.map.add_item(seed, *state.map.nearest_ground(victim.x, victim.y, fixtures=False))
        emit(ev.Dropped(creature_ref(victim), item_ref(state, seed)))


def _drop_belongings(state: GameState, creature: Entity, emit: Emit) -> None:
    """Drop the items of a dead ``creature`` on the nearest ground; give back the gold it stole."""
    for item in creature.inventory:
        state.map.add_item(item, *state.map.nearest_ground(creature.x, creature.y))
        emit(ev.Dropped(creature_ref(creature), item_ref(state, item)))
    if creature.ai and creature.ai.stolen_gold:
        state.gold += creature.ai.stolen_gold
        emit(ev.TookGold(creature_ref(state.hero), creature.ai.stolen_gold))


def drop_key(state: GameState, creature: Entity, emit: Emit) -> None:
    """Drop the key that ``creature`` carries, if any, on the nearest tile that the hero can reach.

    The monster may be over lava or out of reach, the hero may levitate, and no other key fits.
    """
    if creature.ai is None or creature.ai.behaviour != KEY_CARRIER:
        return
    game_map = state.map
    free = reachable(game_map.walkable, *game_map.nearest_ground(state.hero.x, state.hero.y))
    free &= ~terrain().fixture[game_map.tiles]
    free &= ~(game_map.occupied | mask_at((game_map.start, game_map.exit), free.shape))
    origin = Point(creature.x, creature.y)
    place = closest_tile(free, *origin, steps=True) or origin  # If no tile fits.
    game_map.set_tile(*place, Tile.KEY)
    emit(ev.DroppedKey(creature_ref(creature), place))


def lose_hit_points(target: Entity, damage: int, event: ev.Event, emit: Emit) -> None:
    """Take ``damage`` hit points from ``target`` and emit ``event``; a sleeper that lives wakes."""
    target.fighter.hp = max(0, target.fighter.hp - damage)
    emit(event)
    if damage and target.alive:
        wake_up(target, emit)


def apply_damage(
    state: GameState, target: Entity, damage: int, cause: str, emit: Emit, by: Entity | None = None
) -> None:
    """Take ``damage`` hit points from ``target``, if it has them; ``by`` is the creature behind it.

    ``cause`` is a word for the messages. A dead target is not hurt again; damage wakes a sleeper.
    """
    if not target.alive:
        return
    lose_hit_points(target, damage, ev.Hurt(creature_ref(target), cause, damage), emit)
    kill_if_dead(state, target, by.kind if by and by is not target else cause, emit)


def tick_statuses(state: GameState, creature: Entity, emit: Emit) -> None:
    """Take a turn off every status of ``creature``; apply its damage, and end it if it is over."""
    ground = TILE_NAMES[state.map.tiles[creature.y, creature.x]]
    for name in list(creature.statuses):
        if name not in creature.statuses:
            continue  # A sleep that the damage of another status has ended.
        kind = status_kinds()[name]
        creature.statuses[name] -= 1
        ends = creature.statuses[name] <= 0 or ground in kind.ends
        if ends:
            del creature.statuses[name]
        if kind.harm and creature.alive:
            apply_damage(state, creature, kind.harm, name, emit)
            if not creature.alive:
                return
        if ends:  # Emitted last, or poison would seem to do damage after its end.
            emit(ev.StatusEnded(creature_ref(creature), name))


def restore_hit_points(creature: Entity, most: int, cause: str, emit: Emit) -> int:
    """Restore up to ``most`` of the hit points that ``creature`` has lost; return how many."""
    fighter = creature.fighter
    amount = max(0, min(most, fighter.max_hp - fighter.hp))
    fighter.hp += amount
    emit(ev.Healed(creature_ref(creature), cause, amount))
    return amount


def can_regenerate(creature: Entity) -> bool:
    """Return True if ``creature`` regenerates at all; a worn item can stop that."""
    return bool(creature.fighter.regeneration_turns) and "unmending" not in worn_abilities(creature)


def turns_per_hit_point(creature: Entity) -> int:
    """Return the turns that ``creature`` takes to regenerate a hit point, 0 for never."""
    pace, held = creature.fighter.regeneration_turns, creature.statuses
    if not (can_regenerate(creature) and all(status_kinds()[name].regenerates for name in held)):
        return 0
    return max(1, pace // 2) if "mending" in worn_abilities(creature) else pace


def regenerate(creature: Entity, turn: int) -> None:
    """Give a wounded ``creature`` a hit point if ``turn`` is a multiple of its turns per point."""
    fighter, ai = creature.fighter, creature.ai
    pace = turns_per_hit_point(creature) if fighter.hp < fighter.max_hp else 0
    if pace and turn % pace == 0:
        fighter.hp += 1
        if ai:
            ai.last_seen_hp += 1  # Otherwise a wound of one hit point would go unnoticed.
