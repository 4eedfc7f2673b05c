"""Auto-explore, travel, rest and run: many steps for one key.

A journey looks at the state and yields one ordinary action after another, so that a run file holds
plain actions; at the end it returns why it stopped. It always stops when a danger comes up.
"""

from collections.abc import Callable, Collection, Generator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial

import numpy as np

from components import AiState
from engine.creatures.health import can_regenerate
from engine.pathfinding import known_paths, threats
from engine.pathfinding.threats import APART, attackers, enemies_in_view, is_threat, may_strike_soon
from engine.state import events as ev
from engine.state.actions import Action, Move, PickUp, Wait
from engine.state.game_map import FLOOD, GameMap
from engine.state.game_state import GameState
from engine.terrain.door_actions import is_locked_door
from engine.terrain.growth import FLOOD_TURNS
from engine.terrain.memories import memory_left
from entities.entity import Entity
from entities.statuses import status_kinds
from entities.terrain import DEEP, OPENERS, TILE_NAMES, Tile
from procgen.analysis.distances import UNREACHED
from procgen.blueprint import Point, window_around


class Stop(StrEnum):
    """Why a journey ended."""

    ARRIVED = "arrived"
    ENEMY = "enemy in view"
    ATTACKED = "under attack"
    HURT = "hurt"
    EXPLORED = "explored"
    NO_STAIRS = "no stairs"
    NO_WAY = "no way"
    HEALED = "healed"
    UNHEALING = "nothing heals"
    AFLOAT = "afloat"
    BLOCKED = "blocked"
    WALL = "wall"
    FIRE = "fire"
    TRAP = "trap"
    JUNCTION = "junction"
    ALERT = "level alerted"
    KEY = "key"
    LOCK = "locked_door"
    LEVER = "lever"
    WINCH = "winch"
    BRAZIER = "brazier"
    SHRINE = "shrine"
    GOAL = "relic"
    MEMORY = "memory"
    FULL = "full"
    FLOOD = "flood"


DECISION_STOPS = {tile: Stop(TILE_NAMES[tile]) for tile in known_paths.DECISIONS}
"""The stops at decision tiles, the most important first."""
SIGHT_BOX = 40
"""More tiles than the hero can see in any direction."""
FRUITLESS_WALKS = 100
"""Walks in a row without a new tile after which exploring ends."""
SPARED = 1 / 3
"""The share of the hit points that poison must leave, or it stops a journey at every step."""
Journey = Generator[Action, list[ev.Event], Stop]
"""Yields actions, receives the events of each, returns why it stopped."""


@dataclass
class Journal:
    """The memory of a player's journeys: what they stopped for and need not stop for again.

    ``met`` are ids of sleepers and those `APART`; ``passed`` are decision tiles as (level, x, y).
    ``near`` is the least distance at which one met a monster, by its id and whether it hunted.
    ``full`` are the levels where exploring stopped at an item that has no room in the pack;
    ``sighted`` is a stop that is still to be told, because a danger came into view with it.
    """

    met: set[int] = field(default_factory=set)
    passed: set[tuple[str, int, int]] = field(default_factory=set)
    near: dict[tuple[int, bool], int] = field(default_factory=dict)
    full: set[str] = field(default_factory=set)
    sighted: Stop | None = None

    def stops_for(self, state: GameState, who: int) -> bool:
        """Return False for a monster met before that has come no nearer; note its distance."""
        foe = state.map.entities.get(who)
        if foe is None or foe.ai is None:
            return True
        key, distance = (who, foe.ai.state is AiState.HUNTING), state.hero.distance_to(foe)
        before = self.near.get(key, UNREACHED)
        self.near[key] = min(distance, before)
        return distance < before or may_strike_soon(state, foe)

    def meets(self, state: GameState, events: list[ev.Event]) -> bool:
        """Return True if a sleeper, a chance to sneak up, or one `APART` is new in view."""
        spotted = {event.who.id for event in events if isinstance(event, ev.Spotted)} - self.met
        seen = [(foe.id, foe.ai) for foe in enemies_in_view(state) if foe.id in spotted and foe.ai]
        calm = {id_ for id_, ai in seen if ai.state is AiState.ASLEEP or ai.behaviour in APART}
        self.met |= calm
        return bool(calm)

    def passed_on(self, game_map: GameMap) -> list[Point]:
        """Return the decision tiles that were passed and are on the map; an infinite one moves."""
        left, top = game_map.origin
        here = [Point(x - left, y - top) for name, x, y in self.passed if name == game_map.name]
        return [place for place in here if game_map.contains(*place)]


def _danger(
    state: GameState,
    events: list[ev.Event],
    acknowledged: Collection[int] = (),
    journal: Journal | None = None,
) -> Stop | None:
    """Return the danger that stops a journey; monsters ``acknowledged`` by id may be in view.

    With a ``journal``, which bots do not keep, threats count that have left the view again.
    """
    hero = state.hero.id
    news = journal.stops_for if journal else lambda *_: True
    for event in events:
        match event:
            case ev.Struck() | ev.ShotFired() if event.target.id == hero:
                return Stop.HURT
            case ev.Stole():
                return Stop.HURT
            case ev.Grew() if event.kind == FLOOD and event.left == FLOOD_TURNS and journal:
                return Stop.FLOOD
            case ev.StatusApplied() if event.who.id == hero and status_kinds()[event.status].harm:
                return Stop.HURT
            case ev.Hurt() if event.who.id == hero and not _is_bearable(state.hero, event.cause):
                return Stop.HURT
            case ev.Noticed() if event.who.id in acknowledged and news(state, event.who.id):
                return Stop.ENEMY
            case ev.Spotted() | ev.Noticed() if journal and event.who.id not in acknowledged:
                foe, place = state.map.entities.get(event.who.id), event.who.place
                seen = foe and (isinstance(event, ev.Spotted) or state.map.visible[place[::-1]])
                if foe and seen and is_threat(state, foe) and news(state, foe.id):
                    return Stop.ENEMY
    if any(isinstance(event, ev.LevelAlerted) for event in events):
        return Stop.ALERT
    foes = [foe for foe in enemies_in_view(state) if foe.id not in acknowledged]
    near = any(is_threat(state, foe) and news(state, foe.id) for foe in foes)
    return Stop.ENEMY if near else None


def _is_bearable(hero: Entity, cause: str) -> bool:
    """Return True for a status such as poison that leaves `SPARED` of the hit points at its end.

    A journey stops when the status begins but can then go on: otherwise each step would need a key
    press. A status that some terrain ends, as water ends burning, is never bearable.
    """
    kind = status_kinds().get(cause)
    if kind is None or kind.ends:
        return False
    hp_left = hero.fighter.hp - kind.harm * hero.statuses.get(cause, 0)
    return hp_left >= SPARED * hero.fighter.max_hp


def _sighted(game_map: GameMap, x: int, y: int) -> Callable[[], Stop | None]:
    """Return a function that returns the stop for a decision tile or memory seen from now on."""
    box, _, _ = window_around(x, y, SIGHT_BOX)
    before, origin, memory = game_map.explored[box].copy(), game_map.origin, memory_left(game_map)
    unseen = memory and not game_map.explored[memory.y, memory.x]

    def decision() -> Stop | None:
        if game_map.origin != origin:
            return None
        if memory and unseen and game_map.explored[memory.y, memory.x]:
            return Stop.MEMORY  # First of all: the more is unexplored, the more it shows.
        fresh = set(game_map.tiles[box][game_map.explored[box] & ~before].tolist())
        return next((stop for tile, stop in DECISION_STOPS.items() if tile in fresh), None)

    return decision


def _follow(
    state: GameState,
    path: list[Point],
    done: Callable[[], bool] = lambda: False,
    acknowledged: Collection[int] = (),
    journal: Journal | None = None,
    *,
    decides: bool = False,
) -> Generator[Action, list[ev.Event], Stop]:
    """Walk along ``path`` until its end, danger, an obstacle, or ``done``.

    Unless it ``decides``, it also stops at the first sight of a key, a lock or the First Seed; with
    a ``journal``, at the first sight of a sleeper.
    """
    game_map, origin = state.map, state.map.origin
    for step in path:
        point = translated(game_map, step, origin)
        opens = (game_map.keys and is_locked_door(state, *point)) or point == memory_left(game_map)
        if tuple(point) in game_map.fires:
            return Stop.FIRE
        if game_map.is_blocked(*point) and not opens:
            return Stop.BLOCKED
        sighted = None if decides else _sighted(game_map, state.hero.x, state.hero.y)
        events = yield Move(point.x - state.hero.x, point.y - state.hero.y)
        if state.map is not game_map or not state.hero.alive:
            return Stop.ARRIVED
        decision = sighted() if sighted else None
        danger = _danger(state, events, acknowledged, journal)
        if danger or (journal and journal.meets(state, events)):
            if journal and decision:
                journal.sighted = decision
            return danger or Stop.ENEMY
        if not decides and any(isinstance(event, ev.FoundGoal) for event in events):
            return Stop.GOAL
        if decision:
            return decision
        if done() or (state.hero.x, state.hero.y) != translated(game_map, step, origin):
            break
    return Stop.ARRIVED


def travel(
    state: GameState,
    goal: tuple[int, int],
    acknowledged: Collection[int] = (),
    journal: Journal | None = None,
    known: GameState | None = None,
) -> Journey:
    """Walk to ``goal`` over tiles explored (in ``known``), past monsters ``acknowledged`` by id."""
    if journal and goal == memory_left(state.map):
        journal.sighted = Stop.MEMORY  # It is offered again if the hero does not get there.
    if danger := _danger(state, [], acknowledged):
        return danger
    path = known_paths.path_to(known or state, goal, known_paths.player_rules(state))
    if not path:
        return Stop.ARRIVED if (state.hero.x, state.hero.y) == goal else Stop.NO_WAY
    end = yield from _follow(state, path, acknowledged=acknowledged, journal=journal)
    if end is Stop.ALERT and journal and goal == state.map.exit:  # The hero is leaving anyway.
        return (yield from travel(state, goal, acknowledged, journal, known))
    return end


def explore(
    state: GameState,
    acknowledged: Collection[int] = (),
    *,
    avoid_exit: bool = False,
    decides: bool = False,
    journal: Journal | None = None,
) -> Journey:
    """Walk to the nearest frontier or item, again and again, until none is left.

    Unless it ``decides``, it takes no key, opens no lock and does not touch the First Seed: it
    stops when one of these comes into view and, when the rest is explored, beside it. With a
    ``journal`` it stops once for each, but returns to keys and mechanisms while no way down is
    known, and once a level for an item without room in the pack. With ``avoid_exit`` it keeps
    off the exit. It always ends: with `FRUITLESS_WALKS` in a row without a new tile at the latest.
    """
    game_map, explored, vain = state.map, -1, 0
    under_way: Journal | None = None  # Before the first step every threat counts.
    events: list[ev.Event] = []
    while True:
        vain = vain + 1 if explored == (explored := int(np.count_nonzero(game_map.explored))) else 0
        if vain > FRUITLESS_WALKS:
            return Stop.EXPLORED
        danger = _danger(state, events, acknowledged, under_way)
        if danger or (journal and attackers(state)):  # A step would give these a free blow.
            return danger or Stop.ENEMY
        under_way, events = journal, []
        if journal and (sighted := journal.sighted):
            journal.sighted = None
            if offer(state, sighted):
                return sighted
        if wanted := known_paths.wanted_items_at(state, state.hero.x, state.hero.y):
            pile = state.map.items_at(state.hero.x, state.hero.y)
            events = yield PickUp(wanted[-1].id if len(wanted) < len(pile) else None)
            continue
        news = journal and game_map.name not in journal.full
        if journal and news and known_paths.nearest_without_room(state):
            journal.full.add(game_map.name)
            return Stop.FULL
        rules = known_paths.BOT_RULES if decides else known_paths.player_rules(state)
        goal = known_paths.next_to_explore(state, avoid_exit=avoid_exit, rules=rules)
        path = known_paths.path_to(state, goal, rules) if goal else []
        if goal is None or not path:
            if decides:
                return Stop.EXPLORED
            return (yield from _to_decision(state, acknowledged, journal))
        done = partial(_nothing_left, state, goal, game_map.origin, decides)
        end = yield from _follow(state, path, done, acknowledged, journal, decides=decides)
        if end is not Stop.ARRIVED or state.map is not game_map or not state.hero.alive:
            return end


def _to_decision(
    state: GameState, acknowledged: Collection[int], journal: Journal | None
) -> Journey:
    """Stop beside the nearest decision tile that is useful now, or else beside the memory."""
    game_map, journal = state.map, journal or Journal()
    passed = journal.passed_on(game_map)
    goal = known_paths.nearest_decision(state, passed=passed)
    if goal is None and (memory := offer(state, Stop.MEMORY)) not in passed:
        goal = memory
    if goal is None and not known_paths.known_way_down(state):  # Openers may open the way down.
        goal = known_paths.nearest_decision(state, OPENERS)
    if goal is None:
        return Stop.EXPLORED
    tile, place = int(game_map.tiles[goal.y, goal.x]), game_map.world_place(*goal)
    path = known_paths.path_to(state, goal, known_paths.player_rules(state))[:-1]
    end = yield from _follow(state, path, acknowledged=acknowledged, journal=journal)
    if end is not Stop.ARRIVED or state.map is not game_map or not state.hero.alive:
        return end
    journal.passed.add((game_map.name, *place))
    return DECISION_STOPS.get(tile, Stop.MEMORY)


def offer(state: GameState, stop: Stop) -> Point | None:
    """Return the nearest key, mechanism, lock or memory for which a journey ended with ``stop``."""
    if stop is Stop.MEMORY and (place := memory_left(state.map)):
        return place if known_paths.path_to(state, place, known_paths.player_rules(state)) else None
    kinds = [tile for tile in (*OPENERS, Tile.LOCKED_DOOR) if DECISION_STOPS[tile] is stop]
    return known_paths.nearest_decision(state, kinds) if kinds else None


def _nothing_left(state: GameState, goal: Point, origin: tuple[int, int], decides: bool) -> bool:
    """Return True if nothing is left to see around ``goal`` or to pick up there."""
    game_map = state.map
    x, y = translated(game_map, goal, origin)
    if not game_map.contains(x, y):
        return True
    around, _, _ = window_around(x, y, 1)
    if not game_map.explored[around].all():
        return False
    here = np.s_[y : y + 1, x : x + 1]
    return not known_paths.pickup_targets(state, here, decides=decides).any()


def translated(game_map: GameMap, place: Point, origin: tuple[int, int]) -> Point:
    """Return ``place``, taken when the map had this ``origin``, in present coordinates.

    The infinite map recentres on the hero, which shifts all coordinates in the middle of a walk.
    """
    left, top = game_map.origin
    return Point(place.x + origin[0] - left, place.y + origin[1] - top)


def rest(state: GameState, acknowledged: Collection[int] = ()) -> Journey:
    """Wait until healed or disturbed; not while a threat is near, nor over deep water or lava."""
    fighter = state.hero.fighter
    events: list[ev.Event] = []
    while True:
        awake = threats.threats_in_view(state)
        # A threat that flees is beside the hero, and strikes if it is cornered.
        states = AiState.HUNTING, AiState.FLEEING
        hostile = [foe for foe in awake if foe.ai and foe.ai.state in states]
        if any(foe.fighter.power and may_strike_soon(state, foe) for foe in hostile):
            return Stop.ATTACKED
        if danger := _danger(state, events, acknowledged, Journal()):
            return danger
        if fighter.hp >= fighter.max_hp:
            return Stop.HEALED
        if not can_regenerate(state.hero):
            return Stop.UNHEALING
        if state.map.tiles[state.hero.y, state.hero.x] in DEEP:
            return Stop.AFLOAT
        events = yield Wait()


def run(state: GameState, dx: int, dy: int) -> Journey:
    """Step one way until the corridor changes shape; stop at danger and before traps and fires."""
    game_map = state.map
    shape = None
    while True:
        x, y = state.hero.x + dx, state.hero.y + dy
        if game_map.is_blocked(x, y):
            return Stop.BLOCKED if game_map.entity_at(x, y) else Stop.WALL
        if (x, y) in game_map.fires:
            return Stop.FIRE
        if game_map.tiles[y, x] == Tile.TRAP:
            return Stop.TRAP
        events = yield Move(dx, dy)
        if state.map is not game_map or not state.hero.alive:
            return Stop.ARRIVED
        if danger := _danger(state, events, journal=Journal()):
            return danger
        # Along a row or column: the tiles on both sides, and those beside the next step.
        sides = tuple(
            bool(game_map.walkable[state.hero.y + sy, state.hero.x + sx])
            for sx, sy in ((dy, dx), (-dy, -dx), (dx + dy, dy + dx), (dx - dy, dy - dx))
            if game_map.contains(state.hero.x + sx, state.hero.y + sy)
        )
        if shape is not None and sides != shape:
            return Stop.JUNCTION
        shape = sides
        if state.map.is_way_down(state.hero.x, state.hero.y):
            return Stop.ARRIVED
