"""300 creatures awake on one level: how long a turn takes. Run: python tests/benchmarks/crowd.py"""

import sys
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from components import Mood
from engine.actions import Move, Refused, Wait
from engine.engine import Engine
from engine.setup import Setup
from engine.world import World
from entities.kinds import creatures, make
from procgen.rng import Rng

AWAKE, TURNS = 300, 200


def crowded(recipe: str, mood: Mood) -> Engine:
    """Return a level on which `AWAKE` creatures of every kind are about."""
    world = World(Setup(42, "42", generator=recipe))
    rng, game_map = Rng(1, "crowd"), world.map
    kinds = [name for name, kind in creatures().items() if kind.brain and not kind.lair]
    while len(game_map.entities) <= AWAKE:
        x, y = rng.below(game_map.width), rng.below(game_map.height)
        if not game_map.is_blocked(x, y):
            game_map.add_entity(make(rng.pick(kinds), world.number(), x, y))
    for creature in game_map.entities.values():
        if creature.mind:
            creature.mind.mood, creature.mind.attention = mood, 10_000
            creature.mind.patience = 10_000
    world.hero.fighter.hp = world.hero.fighter.max_hp = 10**6
    return Engine(world)


def measure(recipe: str, mood: Mood) -> None:
    """Print how long a turn takes, in processor time."""
    engine, times = crowded(recipe, mood), []
    for turn in range(TURNS):
        dx = 1 if turn // 4 % 2 == 0 else -1
        began = time.process_time()
        if isinstance(engine.step(Move(dx, 0)), Refused):
            engine.step(Wait())
        times.append(1000 * (time.process_time() - began))
    times.sort()
    print(
        f"{recipe:<14} {AWAKE} {mood.value:<10} a turn: median {median(times):6.2f} ms"
        f"   99 % {times[-3]:6.2f} ms"
    )


if __name__ == "__main__":
    for recipe in ("caves", "vaulted", "rooms", "city"):
        for mood in (Mood.WANDERING, Mood.HUNTING):
            measure(recipe, mood)
