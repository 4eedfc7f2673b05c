"""The state of a run: where, when, who; no rules."""

from engine.digest import fingerprint
from engine.game_map import GameMap
from engine.setup import Setup, code_at
from entities.entity import Entity
from entities.kinds import HERO, creatures, make
from procgen.build import Level, build
from procgen.code import LevelCode
from procgen.rng import Rng


class World:
    """Seed, depth, turn, hero, the current map, and the streams the rules draw from.

    It begins on ``level`` if that is at hand, else on the one that ``setup`` says.
    """

    def __init__(self, setup: Setup, level: Level | None = None) -> None:
        self.setup = setup
        self.turn = 0
        self.kills = 0
        self.gold = 0
        self.killed_by: str | None = None
        self.scored = setup.mode == "adventure" and setup.grew_from is None
        self.next_id = 1
        self.streams: dict[str, Rng] = {}
        self.hero: Entity = make(HERO, 0, 0, 0)
        self.map: GameMap
        self.enter(level or build(code_at(setup, setup.depth)))

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
        """Leave the current map and stand at the start of ``level``, its creatures around."""
        self.map = GameMap(level)
        self.hero.x, self.hero.y = level.start
        self.map.add_entity(self.hero)
        for spawn in level.spawns:
            self.map.add_entity(make(spawn.kind, self.next_id, spawn.x, spawn.y))
            self.next_id += 1
        self.look()

    def look(self) -> None:
        """Let the hero see from where it stands."""
        self.map.look(self.hero.x, self.hero.y, creatures()[HERO].sight)

    def digest(self) -> str:
        """Return the state in four hex digits for each of `SUBSYSTEMS`; draws nothing."""
        actors = list(self.map.entities.values())
        run = (self.turn, self.kills, self.gold, self.killed_by, self.scored, self.next_id)
        streams = [(purpose, stream.mark) for purpose, stream in self.streams.items()]
        return fingerprint(self.map.facts(), actors, run, streams)
