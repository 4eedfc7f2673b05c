"""A bot that wears, uses, throws, drops and shoots at random: it searches for crashes.

A player who plays well never tries most combinations of rules (a ring of thorns against a bat, a
scroll of summoning on the stairs), so a bot that plays well never meets their errors either.
"""

from collections.abc import Callable

from components.inventory import Item
from engine.bots.simple_bot import Bot
from engine.pathfinding.threats import enemies_in_view
from engine.state.actions import (
    Action,
    Climb,
    Descend,
    Drop,
    Equip,
    Fire,
    Move,
    PickUp,
    Strike,
    Struggle,
    TakeOff,
    Throw,
    Unlock,
    Use,
    Wait,
)
from engine.state.game_state import GameState
from entities.equipment import slot_of
from entities.item_kinds import item_class_of
from procgen.analysis.distances import DIRECTIONS
from procgen.blueprint import Point
from procgen.rng import Rng

RANDOM_SHARE = 0.5
"""The share of turns in which an action is drawn; in the others the simple bot goes on."""


class RandomBot(Bot):
    """Explores and fights like the simple bot, and in half of its turns does anything at all.

    Its random numbers come from a stream of its own, so that the same run can be played again.
    """

    def __init__(self) -> None:
        super().__init__()
        self._rng: Rng | None = None

    def choose(self, state: GameState) -> Action:
        """Return the next action."""
        if self._rng is None:
            self._rng = Rng(state.setup.seed, "random bot")
        if not self._rng.chance(RANDOM_SHARE):
            return super().choose(state)
        self._journey = None
        return self._rng.pick(ACTIONS)(state, self._rng)


def _target(state: GameState, rng: Rng) -> Point:
    """Return a monster in view, else a tile near the hero that may be no place to aim at."""
    hero, seen = state.hero, enemies_in_view(state)
    if seen and rng.chance(0.7):
        foe = rng.pick(seen)
        return Point(foe.x, foe.y)
    x, y = hero.x + rng.between(-5, 5), hero.y + rng.between(-5, 5)
    return Point(max(0, x), max(0, y))


def _item(state: GameState, rng: Rng) -> Item | None:
    return rng.pick(state.hero.inventory) if state.hero.inventory else None


def _use(state: GameState, rng: Rng) -> Action:
    item, other = _item(state, rng), _item(state, rng)
    if item is None or other is None:
        return PickUp()
    target = _target(state, rng) if rng.chance(0.7) else None
    return Use(item.id, target, other.id if rng.chance(0.7) else None)


def _wear(state: GameState, rng: Rng) -> Action:
    wearable = [item for item in state.hero.inventory if item_class_of(item.kind).slot]
    if not wearable:
        return PickUp()
    item = rng.pick(wearable)
    return TakeOff(item.id) if slot_of(state.hero, item) else Equip(item.id)


def _throw(state: GameState, rng: Rng) -> Action:
    item = _item(state, rng)
    return Throw(item.id, *_target(state, rng)) if item else PickUp()


def _drop(state: GameState, rng: Rng) -> Action:
    item = _item(state, rng)
    return Drop(item.id) if item and rng.chance(0.3) else PickUp()


def _fire(state: GameState, rng: Rng) -> Action:
    return Fire(*_target(state, rng))


def _move(state: GameState, rng: Rng) -> Action:
    dx, dy = rng.pick(DIRECTIONS)
    actions: tuple[Action, ...] = (Move(dx, dy), Move(dx, dy), Strike(dx, dy), Unlock(dx, dy))
    return rng.pick(actions)


def _stay(state: GameState, rng: Rng) -> Action:
    actions: tuple[Action, ...] = (Wait(), Struggle(), Descend(), Climb(), PickUp())
    return rng.pick(actions)


ACTIONS: tuple[Callable[[GameState, Rng], Action], ...] = (
    _use,
    _use,
    _wear,
    _throw,
    _drop,
    _fire,
    _move,
    _stay,
)
"""The kinds of action that are drawn from, `_use` twice as often as any other."""
