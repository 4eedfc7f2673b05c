"""The state of a run: where, when, who; no rules."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from components import AiState
from engine.state.field_of_view import clear_sight, sight
from engine.state.game_map import GameMap
from engine.state.run_setup import Mode, RunSetup
from entities.creature_kinds import HERO, make_creature
from entities.entity import Entity
from procgen.blueprint import Point
from procgen.level import Level
from procgen.level_code import LevelCode
from procgen.rng import Rng

TURN = 100
"""Units of time to a turn: an ordinary step at an ordinary pace."""


class GameState:
    """Seed, depth, turn, hero, the current map, and the streams the rules draw from.

    It begins on ``level`` if that is at hand, else on the one that ``setup`` says; a ``game_map``
    is one in the middle of a run, and is taken as it is. ``clock`` is the time that has passed,
    100 to an ordinary step; ``won`` the turn on which the goal was reached; ``remembered`` the
    levels one has left, by depth, folded up by `engine.records.memory`; ``slain`` counts the
    ``kills`` by kind.
    """

    def __init__(
        self, setup: RunSetup, level: Level | None = None, game_map: GameMap | None = None
    ) -> None:
        from engine.levels.level_choice import code_at
        from engine.levels.populate import kit
        from procgen.build import build

        self.setup = setup
        self.turn = 0
        self.kills = 0
        self.slain: dict[str, int] = {}
        self.gold = 0
        self.killed_by: str | None = None
        self.scored = setup.mode == "adventure" and setup.grew_from is None
        self.won: int | None = None
        self.clock = 0
        self.deepest = 0
        self.remembered: dict[int, bytes] = {}
        self.next_id = 1
        self.known: list[str] = []
        self.noises: list[Noise] = []
        self.streams: dict[str, Rng] = {}
        self.hero: Entity = make_creature(HERO, 0, 0, 0)
        self.map: GameMap
        if game_map:
            self.map = game_map
        else:
            self.enter(level or build(code_at(setup, setup.depth)))
            self.next_id = kit(self.hero, self.next_id)

    @property
    def code(self) -> LevelCode:
        """The code of the current level."""
        return self.map.code

    @property
    def depth(self) -> int:
        """How deep the current level lies; the first is 1."""
        return self.map.code.depth

    def stream(self, purpose: str) -> Rng:
        """Return the stream of ``purpose``, e.g. ``combat``; the same one all through the run."""
        if purpose not in self.streams:
            self.streams[purpose] = Rng(self.setup.seed, "play", purpose)
        return self.streams[purpose]

    def enter(self, level: Level) -> None:
        """Leave the current map for good and stand at the start of ``level``, new as it is."""
        from engine.infinite.infinite_map import NOWHERE, InfiniteMap

        self.remembered.pop(level.code.depth, None)
        if level.code.place:
            self.remembered.clear()
        self.map = self._fresh(level)
        self._arrive(self.map.start)
        if isinstance(self.map, InfiniteMap):
            self.map.start = NOWHERE

    def go(self, level: Level, place: Point | None, companions: Sequence[Entity] = ()) -> None:
        """Come to ``place`` on ``level``; this level is remembered as it is, that one unfolded.

        Without a ``place`` it is where the map there says one went down. ``companions`` come
        along, as far as there is room around.
        """
        from engine.levels.level_memory import pack_level, restore_map, unpack_level

        for one in [self.hero, *companions]:
            self.map.remove_entity(one)
        self.remembered[self.depth] = pack_level(self.map)
        folded = self.remembered.pop(level.code.depth, None)
        self.map = restore_map(unpack_level(folded), level) if folded else self._fresh(level)
        self._arrive(place or self.map.exit, companions)

    def _fresh(self, level: Level) -> GameMap:
        """Return the map of a level nobody has been to, its creatures on it."""
        from engine.infinite.infinite_map import InfiniteMap
        from engine.items.loot import make_item, stock
        from engine.levels.populate import set_goal
        from engine.monsters.initial_monsters import harden, initial_monsters
        from engine.state.goal import LAST_DEPTH

        if level.code.place:
            endless = InfiniteMap(level)
            endless.follow(*endless.start, self.number)
            return endless
        game_map = GameMap(level)
        for dweller in initial_monsters(level):
            creature = dweller.born(self.next_id)
            harden(creature, level.code.depth)
            game_map.add_entity(creature)
            self.next_id += 1
        for thing in stock(level):
            game_map.lay(make_item(thing, self.next_id), thing.x, thing.y)
            self.next_id += 1
        if level.code.depth == LAST_DEPTH and self.setup.mode is Mode.ADVENTURE:
            set_goal(game_map)
        return game_map

    def _arrive(self, place: Point, companions: Sequence[Entity] = ()) -> None:
        """Put the hero on ``place``, or as near as there is room, and companions around it.

        Where there is no room at all the hero takes the place of who stands there.
        """
        for one in [self.hero, *companions]:
            spot = self.map.nearest_free(*place)
            if spot is None and one is self.hero:
                crowd = self.map.entity_at(*place)
                assert crowd
                self.map.remove_entity(crowd)
                spot = place
            if spot:
                one.x, one.y = spot
                self.map.add_entity(one)
        self.deepest = max(self.deepest, self.depth)
        self.look()

    def roam(self) -> tuple[int, int]:
        """Let a map that goes with the hero do so; return by how much all places are less."""
        from engine.infinite.infinite_map import InfiniteMap

        if not isinstance(self.map, InfiniteMap):
            return 0, 0
        right, down = self.map.follow(self.hero.x, self.hero.y, self.number)
        if right or down:
            self.noises = [
                replace(noise, x=noise.x - right, y=noise.y - down) for noise in self.noises
            ]
        return right, down

    def pursuers(self) -> list[Entity]:
        """Return who hunts the hero from the next tile, oldest first."""
        return [
            one
            for one in self.map.entities.values()
            if one.ai
            and one.ai.state is AiState.HUNTING
            and max(abs(one.x - self.hero.x), abs(one.y - self.hero.y)) == 1
        ]

    def remembered_code(self, depth: int) -> LevelCode | None:
        """Return the code of the level that is remembered at ``depth``, if one is."""
        from engine.levels.level_memory import unpack_level
        from engine.levels.map_data import code_in_full

        folded = self.remembered.get(depth)
        return code_in_full(unpack_level(folded).code) if folded else None

    def forget_furthest(self) -> None:
        """Forget the level that lies furthest from here; it would be as new."""
        del self.remembered[max(self.remembered, key=lambda depth: abs(depth - self.depth))]

    def number(self) -> int:
        """Return an identity that nothing has had yet."""
        self.next_id += 1
        return self.next_id - 1

    def look(self) -> None:
        """Let the hero see from where it stands."""
        radius = sight(self.hero, self.map.light)
        glimpse = 0 if "blind" in self.hero.statuses else clear_sight(self.hero)
        self.map.look(self.hero.x, self.hero.y, radius, glimpse)

    def digest(self) -> str:
        """Return the state in four hex digits for each of `SUBSYSTEMS`; draws nothing."""
        from engine.saves.digests import fingerprint
        from engine.state.compression import CHECK

        actors = list(self.map.entities.values())
        run = (
            (self.turn, self.kills, self.gold, self.killed_by, self.scored, self.next_id),
            (self.clock, self.deepest, self.won, self.known),
            [(depth, folded[:CHECK]) for depth, folded in self.remembered.items()],
        )
        streams = [(purpose, stream.mark) for purpose, stream in self.streams.items()]
        return fingerprint(self.map.facts(), actors, run, streams)


@dataclass(frozen=True, slots=True)
class Noise:
    """A sound at (x, y) that carries ``loudness`` steps over open ground."""

    x: int
    y: int
    loudness: int
