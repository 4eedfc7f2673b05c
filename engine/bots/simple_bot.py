"""The simple bot: explores, fights, rests and descends with a player's actions."""

from collections import Counter
from typing import ClassVar

from engine.bots.tactics import step_towards
from engine.creatures.health import can_regenerate
from engine.creatures.levelling import offered_talents
from engine.pathfinding import known_paths
from engine.pathfinding.auto_travel import Journey, explore, rest, travel
from engine.pathfinding.threats import enemies_in_view
from engine.state.actions import Action, Choose, Descend, Move, PickUp, Wait
from engine.state.events import Arrived, Event, ShotFired
from engine.state.game_state import GameState
from engine.state.run_setup import Mode
from engine.terrain.door_actions import is_locked_door
from entities.creature_kinds import KEY_CARRIER
from procgen.analysis.distances import DIRECTIONS
from procgen.blueprint import Point

REST_BELOW = 0.6
WARY_TURNS = 2
"""Turns to wait after a monster has gone out of view: it may be behind the next corner."""
IDLE_TURNS = 40
"""Turns in view of a monster without damage after which the bot walks on regardless."""
TURNS_UNDER_FIRE = 4
"""Turns for which the bot walks towards a shooter that it cannot see."""

Tried = Counter[tuple[str, bool]]
"""The number of times a bot tried to plant a seed, by (kind, whether it was refused)."""


class Bot:
    """Chooses one action a turn from what the hero knows, without random numbers.

    A bot that ``goes_home`` plays on after the goal, until the hero has left the dungeon with it.
    """

    goes_home: ClassVar[bool] = False

    def __init__(self) -> None:
        self.tried = Tried()
        self._journey: Journey | None = None
        self._events: list[Event] = []
        self._last: Action | None = None
        self._wary = 0
        self._idle = 0
        self._leaving = False
        self._shot_from: Point | None = None
        self._alarm = 0

    def choose(self, state: GameState) -> Action:
        """Return the next action."""
        self._last = self._chosen(state)
        return self._last

    def _chosen(self, state: GameState) -> Action:
        """Return the action: learn, fight, evade shots, rest, prepare, or go on, in that order."""
        if offered := offered_talents(state):
            return self._learn(offered)
        if foes := enemies_in_view(state):
            self._journey, self._wary = None, WARY_TURNS
            self._idle += not any(foe.ai and foe.ai.behaviour == KEY_CARRIER for foe in foes)
            self._leaving = self._leaving or self._idle > IDLE_TURNS
            return self._fight(state) if self._idle <= IDLE_TURNS else self._onward(state)
        shot_from = None if self._leaving else self._shot_from
        if shot_from and (action := self._under_fire(state, shot_from)):
            return action
        if self._wary and "burning" not in state.hero.statuses:
            self._wary -= 1
            return Wait()
        if action := self._prepare(state):
            self._journey = None
            return action
        if self._journey is None:
            self._journey = self._plan(state)
            self._events = []
            return self._advance(state, first=True)
        return self._advance(state, first=False)

    def hear(self, events: list[Event]) -> None:
        """Take note of the events of the last action."""
        self._events = events
        arrived = any(isinstance(event, Arrived) for event in events)
        if arrived or any(getattr(event, "damage", 0) for event in events):
            self._idle = 0
        self._leaving = self._leaving and not arrived
        shots = [hit.attacker.place for hit in events if isinstance(hit, ShotFired) and hit.damage]
        if shots:
            self._shot_from, self._alarm = shots[-1], TURNS_UNDER_FIRE
        elif self._alarm:
            self._alarm -= 1
        if arrived or not self._alarm:
            self._shot_from = None

    def _advance(self, state: GameState, *, first: bool) -> Action:
        assert self._journey is not None
        try:
            return next(self._journey) if first else self._journey.send(self._events)
        except StopIteration:
            self._journey = None
        if state.map.is_way_down(state.hero.x, state.hero.y) and not self._homeward(state):
            return Descend()
        self._journey = self._plan(state)
        if action := next(self._journey, None):
            return action
        self._journey = None
        return self._onward(state)

    def _onward(self, state: GameState) -> Action:
        """Return the next step of exploring; if the bot is leaving, the step towards the exit."""
        return step_onward(state, leaving=self._leaving, stays=self._homeward(state))

    def _homeward(self, state: GameState) -> bool:
        """Return True if the way home has begun: from then on the bot takes no stairs down."""
        # Where the First Seed cannot grow, the bot takes it on to the next level.
        return self.goes_home and (bool(state.hollow) or not state.levels.hollow_fault(state))

    def _under_fire(self, state: GameState, place: Point) -> Action | None:
        """Return the step towards ``place``, from where an unseen monster shot; None if blocked.

        The place may never have been seen. Without a known path, the step is the one that ends
        nearest to it, if that is nearer than the hero is now.
        """
        self._journey, hero = None, state.hero
        steps = [
            ((place.x - hero.x - dx) ** 2 + (place.y - hero.y - dy) ** 2, dx, dy)
            for dx, dy in DIRECTIONS
            if not state.map.is_blocked(hero.x + dx, hero.y + dy)
        ]
        if step := step_towards(state, place):
            return step
        distance = (place.x - hero.x) ** 2 + (place.y - hero.y) ** 2
        nearest, dx, dy = min(steps, default=(distance, 0, 0))
        return Move(dx, dy) if nearest < distance else None

    def _learn(self, offered: list[str]) -> Action:
        return Choose(offered[0])

    def _prepare(self, _state: GameState) -> Action | None:
        """Return the most urgent action while no monster is near; None if there is none."""
        return None

    def _plan(self, state: GameState) -> Journey:
        fighter = state.hero.fighter
        if fighter.hp < REST_BELOW * fighter.max_hp and can_regenerate(state.hero):
            return rest(state)
        return self._journey_on(state)

    def _journey_on(self, state: GameState) -> Journey:
        """Return the journey that explores, then leaves, or straight down if leaving."""
        way_down = known_paths.known_way_down(state) if self._leaving else None
        at_exit = (state.hero.x, state.hero.y) == way_down
        if way_down and (at_exit or known_paths.path_to(state, way_down)):
            return travel(state, way_down)
        return explore_then_leave(state, avoid_exit=state.setup.mode is Mode.WORKSHOP)

    def _fight(self, state: GameState) -> Action:
        """Attack the nearest monster; go on if it cannot be reached."""
        action = known_paths.attack_nearest(state)
        if isinstance(action, Move):
            x, y = state.hero.x + action.dx, state.hero.y + action.dy
            foe = state.map.entity_at(x, y)
            if foe or (not state.map.is_blocked(x, y) and (x, y) != state.map.exit):
                return action
        return Wait() if action else self._onward(state)


def explore_then_leave(state: GameState, *, avoid_exit: bool) -> Journey:
    """Explore the level, then walk to the stairs down."""
    yield from explore(state, avoid_exit=avoid_exit, decides=True)
    return (yield from travel(state, state.map.exit))


def step_onward(state: GameState, *, leaving: bool = False, stays: bool = False) -> Action:
    """Return the step that `explore` would take, or one to the exit, attacking what is in the way.

    The goals are those of `explore`, items included: if they depended on whether a monster is in
    view, the bot would go back and forth. With ``leaving`` a known exit comes first. A bot that
    ``stays`` does not take the stairs.
    """
    hero, game_map = state.hero, state.map
    stays = stays or state.setup.mode is Mode.WORKSHOP
    if game_map.is_way_down(hero.x, hero.y) and not stays:
        return Descend()
    if known_paths.wanted_items_at(state, hero.x, hero.y):
        return PickUp()
    goal = known_paths.known_way_down(state) if leaving else None
    path = known_paths.path_to(state, goal) if goal else []
    for rules in (known_paths.BOT_RULES, known_paths.ACROSS_TRAPS):
        if not path:
            goal = known_paths.next_to_explore(state, rules=rules) or game_map.exit
            path = known_paths.path_to(state, goal, rules)
    if not path:
        return Wait()
    opens = game_map.entity_at(*path[0]) or (game_map.keys and is_locked_door(state, *path[0]))
    if game_map.is_blocked(*path[0]) and not opens:
        return Wait()
    return Move(path[0].x - hero.x, path[0].y - hero.y)


class CarelessBot(Bot):
    """Explores and attacks, and never rests."""

    def _plan(self, state: GameState) -> Journey:
        return self._journey_on(state)
