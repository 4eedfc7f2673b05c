"""Effects on knowledge, on monsters' attention and on other items."""

from components import AiState
from engine.creatures.status_effects import apply_status
from engine.items.effects.effect_registry import EffectUse, effect
from engine.state.events import AlarmRang, Improved
from engine.state.game_state import Noise
from engine.state.identification import identify, item_ref
from entities.item_kinds import item_kinds
from entities.pack import BEST_BONUS
from entities.target_shapes import TargetShape
from procgen.blueprint import Point


@effect(TargetShape.SELF)
def enlighten(cast: EffectUse) -> None:
    """Identify everything in the pack."""
    for item in cast.user.inventory:
        item.identified = True
        identify(cast.state, item, cast.emit)


@effect(TargetShape.SELF, TargetShape.BALL)
def ring(cast: EffectUse) -> None:
    """Make a noise that carries ``strength`` steps."""
    x, y = cast.place
    cast.state.noises.append(Noise(x, y, cast.kind.strength))
    cast.emit(AlarmRang(Point(x, y)))


@effect(TargetShape.PLACE)
def decoy(cast: EffectUse) -> None:
    """Make the user invisible and send its hunters to the target tile."""
    apply_status(cast.user, "invisible", cast.kind.strength, cast.emit)
    for creature in cast.state.map.entities.values():
        ai = creature.ai
        if ai and ai.state in (AiState.HUNTING, AiState.SEARCHING):
            ai.state, ai.goal = AiState.SEARCHING, (cast.place.x, cast.place.y)
            ai.state_turns_left = cast.kind.strength


@effect(TargetShape.ITEM)
def improve(cast: EffectUse) -> None:
    """Add 1 to the bonus of the chosen item, or the least charges of its kind to a wand."""
    item = cast.item
    assert item
    least = item_kinds()[item.kind].charges[0]
    if least:
        item.charges = min(BEST_BONUS, item.charges + least)
    else:
        item.bonus += 1
    cast.emit(Improved(item_ref(cast.state, item)))
