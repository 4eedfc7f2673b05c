"""The state of a run: where, when, who; no rules."""

from hashlib import blake2b

import msgspec

from engine.game_map import GameMap
from engine.setup import Setup, code_at
from entities.entity import Entity
from entities.kinds import HERO, creatures, make
from procgen.build import Level, build
from procgen.code import LevelCode
from procgen.rng import Rng


class World:
    """Seed, depth, turn, hero, the current map, and the streams the rules draw from."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.turn = 0
        self.kills = 0
        self.gold = 0
        self.killed_by: str | None = None
        self.scored = setup.mode == "adventure"
        self.next_id = 1
        self.streams: dict[str, Rng] = {}
        self.hero: Entity = make(HERO, 0, 0, 0)
        self.map: GameMap
        self.enter(build(code_at(setup, setup.depth)))

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
        """Return 16 hex digits that change when any part of the state does; draws nothing."""
        actors = [
            (e.id, e.kind, e.x, e.y, e.fighter.hp, e.energy.stored)
            + ((e.mind.mood, e.mind.attention) if e.mind else ())
            for e in self.map.entities.values()
        ]
        drawn = [(name, f"{stream.position:x}") for name, stream in self.streams.items()]
        facts = (
            str(self.code),
            self.turn,
            self.kills,
            self.gold,
            self.scored,
            self.map.edits,
            actors,
            drawn,
        )
        return blake2b(msgspec.msgpack.encode(facts), digest_size=8).hexdigest()
