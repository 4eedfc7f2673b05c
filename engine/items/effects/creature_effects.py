"""Effects on creatures: healing, damage, statuses, summoning, polymorph."""

from engine.creatures.health import apply_damage, drop_key, restore_hit_points
from engine.creatures.levelling import make_monster
from engine.creatures.status_effects import apply_status, cure_status, status_duration
from engine.items.effects.effect_registry import ANY_SHAPE, EffectUse, effect
from engine.state.events import Appeared, Fizzled, Polymorphed, creature_ref
from engine.terrain.fire import FLASH_TURNS, burn_creature, ignite
from entities.creature_kinds import HERO, creature_kinds, spawn_weights
from entities.entity import Entity
from entities.statuses import status_kinds
from entities.target_shapes import TargetShape
from entities.terrain import Tile

SPREAD_FRACTION = 4
"""Damage varies up and down by one part in this many."""
OIL_TURNS = 3
"""Turns that burning oil lasts beyond a flash."""


def varied_strength(cast: EffectUse) -> int:
    """Return the strength of ``cast`` varied at random."""
    swing = cast.kind.strength // SPREAD_FRACTION
    return max(1, cast.kind.strength + cast.state.stream("effects").between(-swing, swing))


@effect(*ANY_SHAPE)
def heal(cast: EffectUse) -> None:
    """Heal creatures and cure their harmful statuses."""
    for creature in cast.targets():
        restore_hit_points(creature, cast.kind.strength, cast.used.kind, cast.emit)
        for name in [name for name in creature.statuses if status_kinds()[name].harm]:
            cure_status(creature, name, cast.emit)


@effect(*ANY_SHAPE)
def strengthen(cast: EffectUse) -> None:
    """Raise the maximum hit points permanently and heal completely."""
    for creature in cast.targets():
        creature.fighter.max_hp += cast.kind.strength
        restore_hit_points(creature, creature.fighter.max_hp, cast.used.kind, cast.emit)


@effect(TargetShape.NEAREST, TargetShape.ONE, TargetShape.BOLT, TargetShape.VIEW)
def strike_down(cast: EffectUse) -> None:
    """Strike creatures with lightning."""
    for creature in cast.targets():
        apply_damage(cast.state, creature, varied_strength(cast), "lightning", cast.emit, cast.user)


@effect(TargetShape.SELF, TargetShape.BALL, TargetShape.BOLT, TargetShape.CONE, TargetShape.BURST)
def burn(cast: EffectUse) -> None:
    """Burn creatures and set tiles on fire, only for a flash where nothing burns."""
    _set_alight(cast, FLASH_TURNS)


@effect(TargetShape.SELF, TargetShape.BALL, TargetShape.BURST)
def oil(cast: EffectUse) -> None:
    """Burn creatures and set tiles on fire with oil, which burns longer than a flash."""
    _set_alight(cast, FLASH_TURNS + OIL_TURNS)


def _set_alight(cast: EffectUse, turns: int) -> None:
    """Burn creatures, and set the tiles on fire for at least ``turns`` turns."""
    for creature in cast.targets():
        burn_creature(cast.state, creature, varied_strength(cast), cast.emit, cast.user)
    for place in cast.aim.tiles:
        ignite(cast.state.map, place, turns)


@effect(TargetShape.BOLT, TargetShape.CONE, TargetShape.BALL)
def freeze(cast: EffectUse) -> None:
    """Hurt creatures, give a status, freeze water, turn lava to stone, put out fires and flames."""
    game_map = cast.state.map
    for creature in cast.targets():
        apply_damage(cast.state, creature, varied_strength(cast), "cold", cast.emit, cast.user)
        if creature.alive and cast.kind.status:
            apply_status(creature, cast.kind.status, cast.kind.turns, cast.emit)
            cure_status(creature, "burning", cast.emit)
    for x, y in cast.aim.tiles:
        game_map.fires.pop((x, y), None)
        match game_map.tiles[y, x]:
            case Tile.WATER | Tile.SHALLOWS:
                game_map.set_tile(x, y, Tile.ICE)
            case Tile.LAVA:
                game_map.set_tile(x, y, Tile.RUBBLE)


@effect(*ANY_SHAPE)
def give_status(cast: EffectUse) -> None:
    """Give creatures the status that the item kind names."""
    status, turns, targets = cast.kind.status, cast.kind.turns, cast.targets()
    assert status
    for creature in targets:
        apply_status(creature, status, turns, cast.emit)
    if not any(status_duration(creature, status, turns) for creature in targets):
        cast.emit(Fizzled(cast.used))


POLYMORPH_DEPTHS = 2
"""Polymorph draws from the monsters that spawn this many depths further down."""


@effect(TargetShape.SELF)
def summon(cast: EffectUse) -> None:
    """Summon ``strength`` hostile monsters of this depth around the user."""
    state = cast.state
    depth = state.map.depth_at(cast.user.x, cast.user.y)
    for _ in range(cast.kind.strength):
        place = state.map.nearest_free(cast.user.x, cast.user.y)
        if place is None:
            return
        kind = state.stream("effects").weighted(spawn_weights(depth))
        creature = make_monster(kind, state.new_id(), *place, depth)
        creature.spawned_in_play = True
        state.map.add_entity(creature)
        cast.emit(Appeared(creature_ref(creature)))


@effect(TargetShape.BOLT, TargetShape.ONE)
def polymorph(cast: EffectUse) -> None:
    """Turn monsters into other kinds, but no boss."""
    state, targets = cast.state, cast.targets()
    if not targets:
        cast.emit(Fizzled(cast.used))
    for creature in targets:
        if creature.kind == HERO or creature_kinds()[creature.kind].lair:
            cast.emit(Fizzled(cast.used))
            continue
        weights = spawn_weights(state.map.depth_at(creature.x, creature.y) + POLYMORPH_DEPTHS)
        others = {name: weight for name, weight in weights.items() if name != creature.kind}
        if others:
            _change_kind(cast, creature, state.stream("effects").weighted(others))


def _change_kind(cast: EffectUse, creature: Entity, kind: str) -> None:
    """Give ``creature`` the stats and AI of ``kind``; it drops a key but keeps items and gold."""
    drop_key(cast.state, creature, cast.emit)
    depth = cast.state.map.depth_at(creature.x, creature.y)
    form = make_monster(kind, creature.id, creature.x, creature.y, depth)
    before = creature.kind
    if form.ai and creature.ai:
        form.ai.stolen_gold = creature.ai.stolen_gold
    creature.kind, creature.fighter, creature.ai = kind, form.fighter, form.ai
    creature.energy.speed = form.energy.speed
    cast.emit(Polymorphed(creature_ref(creature), before))
