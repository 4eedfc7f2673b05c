"""The state of a run: seed, turn, hero, current map and random streams. No rules.

`GameState` does not know how levels are built, stored or saved: a `LevelSource` does that.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import msgspec
from msgspec.structs import replace

from components import AiState
from engine.state.game_map import ROW, GameMap
from engine.state.run_setup import RunSetup
from entities.creature_kinds import HERO, IMMOBILE, KEY_CARRIER, make_creature
from entities.entity import Entity
from entities.light_levels import clear_sight, sight
from entities.statuses import can_walk
from procgen.blueprint import Point
from procgen.level import Level
from procgen.level_code import LevelCode
from procgen.plots import Plot, TileChange
from procgen.rng import Rng

TURN = 100
"""Time units in one turn: an ordinary step at ordinary speed."""


class NoLevel(Exception):
    """There is no level to go to; the message says why."""


class Transition(NamedTuple):
    """The way the hero came to a level.

    ``companions`` set out together with the hero, though there may not have been room for all of
    them; ``again`` if the level was visited before, ``upward`` if the hero climbed.
    """

    companions: Sequence[Entity] = ()
    again: bool = False
    upward: bool = False


class LevelSource(Protocol):
    """Moves the hero to other levels, remembers the levels left behind, and lets seeds grow.

    `descend`, `climb`, `fall` and `visit` change ``state.map``, place the hero there and return how
    it got there. If there is no level to go to, they raise `NoLevel` and change nothing.
    """

    def descend(self, state: "GameState", choice: int = 0) -> Transition:
        """Take the stairs down (or the entrance) under the hero to one of their `level_choices`."""

    def level_choices(self, state: "GameState") -> Sequence[LevelCode]:
        """Return the levels to choose from on the way down: one if there is no choice, or none."""

    def offered_level(self, code: LevelCode) -> Level:
        """Return the level of one of the `level_choices`, cached for `descend`; raise `NoLevel`."""

    def climb(self, state: "GameState") -> Transition:
        """Take the stairs up."""

    def fall(self, state: "GameState") -> Transition:
        """Drop to the level below, near the hero's x and y."""

    def visit(self, state: "GameState", code: str) -> Transition:
        """Go to the level of ``code`` and forget the current one."""

    def hollow_fault(self, state: "GameState") -> str:
        """Return why the First Seed cannot be planted on the current level, "" if it can."""

    def grow_hollow(self, state: "GameState") -> None:
        """Replace the level by the run's own; rebuild those above, each from the next seed.

        Raises `NoLevel`, and changes nothing, if that is impossible.
        """

    def grow_seed(
        self, state: "GameState", seed: str, plot: Plot, rng: Rng
    ) -> list[list[TileChange]]:
        """Return the tiles that a planted seed will change, turn by turn; [] if it cannot grow.

        This changes nothing. It is here because the rules do not import the level generators.
        """


CAME_HOME = "came home"
"""The end of a run whose hero planted the goal and left the dungeon."""


class GameState:
    """The mutable state of a run: all that a save must keep beside the `RunSetup`.

    * ``map`` is the current level, ``hero`` the player's creature on it (id 0).
    * ``turn`` counts the hero's actions; ``clock`` is the time passed, `TURN` units to a turn.
    * ``won`` is the turn on which the goal was taken, None before that.
    * ``hollow`` is the code of the level that the First Seed grew, "" before that; ``home`` is
      the turn on which the hero left the dungeon with it planted, None before that.
    * ``stored_levels`` are the levels left behind, packed, by depth; `engine.levels` unpacks them.
    * ``kills`` counts monsters killed, ``kills_by_kind`` the same by kind.
    * ``identified_kinds`` are those of items; ``noises`` the sounds of the current turn.
    * ``streams`` are the random streams in use, by purpose.
    """

    def __init__(self, setup: RunSetup, levels: LevelSource, game_map: GameMap) -> None:
        self.setup = setup
        self.levels = levels
        self.map = game_map
        self.turn = 0
        self.kills = 0
        self.kills_by_kind: dict[str, int] = {}
        self.gold = 0
        self.killed_by: str | None = None
        self.scored = setup.is_standard
        self.won: int | None = None
        self.hollow = ""
        self.home: int | None = None
        self.clock = 0
        self.deepest = 0
        self.stored_levels: dict[int, bytes] = {}
        self.next_id = 1
        self.identified_kinds: list[str] = []
        self.noises: list[Noise] = []
        self.streams: dict[str, Rng] = {}
        self.hero: Entity = make_creature(HERO, 0, 0, 0)

    @property
    def code(self) -> LevelCode:
        """The code of the current level."""
        return self.map.code

    @property
    def end(self) -> str | None:
        """The end of the run, by death or at home: ``killed by orc``, ``came home``; or None."""
        if not self.hero.alive:
            return f"killed by {self.killed_by}"
        return None if self.home is None else CAME_HOME

    @property
    def depth(self) -> int:
        """The depth of the current level; the first is 1."""
        return self.map.code.depth

    def stream(self, purpose: str) -> Rng:
        """Return the run's random stream for ``purpose``, e.g. ``combat``, seeded by the run.

        Each purpose has a separate stream. With a single one, an additional draw in one rule would
        shift the numbers of all others, and old recordings would not replay.
        """
        # Streams are made on first use and saved with their position, so a new purpose costs
        # nothing in old saves: they simply do not have it yet.
        if purpose not in self.streams:
            self.streams[purpose] = Rng(self.setup.seed, "play", purpose)
        return self.streams[purpose]

    def place_hero(self, place: Point, companions: Sequence[Entity] = ()) -> None:
        """Put the hero on the free tile nearest to ``place``, then the companions nearby.

        On a full map the hero replaces the creature on ``place``, and companions stay behind.
        """
        for creature in [self.hero, *companions]:
            if not self.map.add_near(creature, *place) and creature is self.hero:
                self.map.remove_entity(self.map.places[place.y * ROW + place.x])
                self.map.add_near(creature, *place)
        self.deepest = max(self.deepest, self.depth)
        self.look()

    def recentre(self) -> tuple[int, int]:
        """Let the map follow the hero; return how many tiles (right, down) its window moved."""
        dx, dy = self.map.recentre(self.hero.x, self.hero.y, self.new_id)
        if dx or dy:
            self.noises = [replace(noise, x=noise.x - dx, y=noise.y - dy) for noise in self.noises]
        return dx, dy

    def pursuers(self) -> list[Entity]:
        """Return the monsters that hunt the hero from an adjacent tile, oldest first.

        Those that carry a key, whose lock is here, and those that cannot move are left out.
        """
        near = [foe for foe in self.map.entities.values() if self.hero.distance_to(foe) == 1]
        hunting = [foe for foe in near if foe.ai and foe.ai.state is AiState.HUNTING]
        free = [foe for foe in hunting if can_walk(foe)]
        return [foe for foe in free if foe.ai and foe.ai.behaviour not in (*IMMOBILE, KEY_CARRIER)]

    def new_id(self) -> int:
        """Return a new id, unique in this run for creatures and items alike."""
        self.next_id += 1
        return self.next_id - 1

    def look(self) -> None:
        """Recompute the hero's field of view."""
        radius = sight(self.hero, self.map.light)
        glimpse = 0 if "blind" in self.hero.statuses else clear_sight(self.hero)
        self.map.look(self.hero.x, self.hero.y, radius, glimpse)


class Noise(msgspec.Struct, frozen=True):
    """A sound at (x, y) that is heard ``loudness`` steps away over walkable ground."""

    x: int
    y: int
    loudness: int
