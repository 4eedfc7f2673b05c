"""Effects on bodies: what mends and what hurts them."""

from engine.creatures.health import apply_damage
from engine.creatures.status_effects import apply_status, cure_status
from engine.items.effects.effect_registry import ANY_SHAPE, EffectUse, effect
from engine.state.events import Appeared, Changed, Healed, creature_ref
from engine.terrain.fire import FLASH_TURNS, burn_creature, ignite
from entities.creature_kinds import HERO, make_creature, spawn_weights
from entities.entity import Entity
from entities.statuses import status_kinds
from entities.target_shapes import TargetShape
from entities.terrain import Tile

SPREAD_FRACTION = 4
"""Harm varies by so many parts of it, up and down."""
OIL_TURNS = 3
"""Turns that oil feeds a fire beyond a flash."""
CHILL_TURNS = 8
"""Turns for which cold slows."""


def varied_strength(cast: EffectUse) -> int:
    """Return the harm of ``cast`` this time."""
    swing = cast.kind.strength // SPREAD_FRACTION
    return max(1, cast.kind.strength + cast.state.stream("effects").between(-swing, swing))


@effect(*ANY_SHAPE)
def heal(cast: EffectUse) -> None:
    """Close the wounds of whoever is touched and drive out what wears them down."""
    for creature in cast.touched():
        fighter = creature.fighter
        amount = max(0, min(cast.kind.strength, fighter.max_hp - fighter.hp))
        fighter.hp += amount
        cast.emit(Healed(creature_ref(creature), cast.name, amount))
        for name in [name for name in creature.statuses if status_kinds()[name].harm]:
            cure_status(creature, name, cast.emit)


@effect(*ANY_SHAPE)
def strengthen(cast: EffectUse) -> None:
    """Give whoever is touched more life for good, and all of it at once."""
    for creature in cast.touched():
        fighter = creature.fighter
        fighter.max_hp += cast.kind.strength
        amount = max(0, fighter.max_hp - fighter.hp)
        fighter.hp += amount
        cast.emit(Healed(creature_ref(creature), cast.name, amount))


@effect(TargetShape.NEAREST, TargetShape.ONE, TargetShape.BOLT, TargetShape.VIEW)
def strike_down(cast: EffectUse) -> None:
    """Let lightning strike whoever is touched."""
    for creature in cast.touched():
        apply_damage(cast.state, creature, varied_strength(cast), "lightning", cast.emit, cast.user)


@effect(TargetShape.SELF, TargetShape.BALL, TargetShape.BOLT, TargetShape.CONE, TargetShape.BURST)
def burn(cast: EffectUse) -> None:
    """Set fire to everything that is touched, for a flash where nothing feeds it."""
    _set_alight(cast, FLASH_TURNS)


@effect(TargetShape.SELF, TargetShape.BALL, TargetShape.BURST)
def oil(cast: EffectUse) -> None:
    """Set fire to everything that is touched, and keep it burning for a while."""
    _set_alight(cast, FLASH_TURNS + OIL_TURNS)


def _set_alight(cast: EffectUse, turns: int) -> None:
    """Scorch whoever is touched, and let the ground there burn for ``turns`` at least."""
    for creature in cast.touched():
        burn_creature(cast.state, creature, cast.emit, varied_strength(cast), cast.user)
    for place in cast.aim.tiles:
        ignite(cast.state.map, place, turns)


@effect(TargetShape.BOLT, TargetShape.CONE, TargetShape.BALL)
def freeze(cast: EffectUse) -> None:
    """Chill whoever is touched, turn water to ice and lava to stone, put out fires."""
    game_map = cast.state.map
    for creature in cast.touched():
        apply_damage(cast.state, creature, varied_strength(cast), "cold", cast.emit, cast.user)
        if creature.alive:
            apply_status(creature, "slowed", CHILL_TURNS, cast.emit)
    for x, y in cast.aim.tiles:
        game_map.fires.pop((x, y), None)
        match game_map.tiles[y, x]:
            case Tile.WATER | Tile.SHALLOWS:
                game_map.set_tile(x, y, Tile.ICE)
            case Tile.LAVA:
                game_map.set_tile(x, y, Tile.RUBBLE)


@effect(*ANY_SHAPE)
def give_status(cast: EffectUse) -> None:
    """Bring the status that the kind names on whoever is touched."""
    assert cast.kind.status
    for creature in cast.touched():
        apply_status(creature, cast.kind.status, cast.kind.turns, cast.emit)


POLYMORPH_DEPTHS = 2
"""A creature changes into one that appears up to so many depths further down."""


@effect(TargetShape.SELF)
def summon(cast: EffectUse) -> None:
    """Call up ``strength`` creatures of this depth around the user, and not as friends."""
    state = cast.state
    for _ in range(cast.kind.strength):
        place = state.map.nearest_free(cast.user.x, cast.user.y)
        if place is None:
            return
        kind = state.stream("effects").weighted(spawn_weights(state.depth))
        creature = make_creature(kind, state.number(), *place)
        creature.called_up = True
        state.map.add_entity(creature)
        cast.emit(Appeared(creature_ref(creature)))


@effect(TargetShape.BOLT, TargetShape.ONE)
def polymorph(cast: EffectUse) -> None:
    """Make another creature of whoever is touched, for better or worse."""
    state = cast.state
    for creature in cast.touched():
        if creature.kind == HERO:
            continue
        weights = spawn_weights(state.depth + POLYMORPH_DEPTHS)
        others = {name: weight for name, weight in weights.items() if name != creature.kind}
        if others:
            _change_kind(cast, creature, state.stream("effects").weighted(others))


def _change_kind(cast: EffectUse, creature: Entity, kind: str) -> None:
    """Give ``creature`` the body and the mind of a ``kind``; what it carries it keeps."""
    before, form = creature.kind, make_creature(kind, creature.id, creature.x, creature.y)
    creature.kind, creature.fighter, creature.ai = kind, form.fighter, form.ai
    creature.energy.speed = form.energy.speed
    cast.emit(Changed(creature_ref(creature), before))
