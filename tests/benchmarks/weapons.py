"""Compare the weapons: how deep the careful bot comes with each, wielding nothing else.

    python tests/benchmarks/weapons.py                              200 seeds a weapon, hours
    python tests/benchmarks/weapons.py --seeds 0:60 hammer axe      some seeds, some weapons

The bot begins with the weapon in place of its dagger and never picks another. The means of the
deepest depth should lie within 1.5 depths: no weapon should win by itself.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path
from statistics import mean, stdev
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from cli.arguments import seed_range
from components.inventory import Item
from engine.bots import CarefulBot
from engine.saves.run import Run
from engine.state.actions import Refused, Wait
from engine.state.game_state import GameState
from engine.state.run_setup import RunSetup
from entities.equipment import equipped
from entities.item_kinds import SLOTS, item_class_of, item_kinds
from entities.pack import add_to_pack
from workbench.search.process_pool import ordered_results

TURNS = 20_000
"""The longest run; the bot of one that is longer is out of turns."""


class Task(NamedTuple):
    """A run to play."""

    weapon: str
    seed: int


class Played(NamedTuple):
    """The result of one run."""

    deepest: int
    end: str


class OneWeaponBot(CarefulBot):
    """The careful bot, but it keeps its weapon."""

    slots = tuple(slot for slot in SLOTS if slot != "weapon")


def play(task: Task) -> Played:
    """Play one run with one weapon."""
    run, bot = Run.begin(RunSetup(task.seed, str(task.seed)), None), OneWeaponBot()
    state = run.state
    arm(state, task.weapon)
    while state.hero.alive and state.won is None and state.turn < TURNS:
        events = run.act(bot.choose(state))
        if isinstance(events, Refused):
            events = run.act(Wait())
        assert not isinstance(events, Refused)
        bot.hear(events)
    end = "victory" if state.won is not None else state.killed_by or "out of turns"
    return Played(state.deepest, end)


def arm(state: GameState, weapon: str) -> None:
    """Replace the weapon that the hero begins with."""
    hero = state.hero
    first = equipped(hero, "weapon")
    if first:
        hero.inventory.remove(first)
    item = add_to_pack(hero, Item(state.new_id(), weapon, identified=True))
    hero.equipment["weapon"] = item.id


def weapons() -> list[str]:
    """Return the names of all weapons, in the order of the data."""
    return [name for name in item_kinds() if item_class_of(name).slot == "weapon"]


def main() -> None:
    """Print mean depth, its standard error, and the commonest ends for each weapon."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("weapons", nargs="*", help=f"of {', '.join(weapons())}; all if none")
    parser.add_argument("--seeds", default="0:200", metavar="A:B")
    parser.add_argument("--workers", type=int)
    options = parser.parse_args()
    wanted, seeds = options.weapons or weapons(), seed_range(options.seeds)
    tasks = [Task(weapon, seed) for seed in seeds for weapon in wanted]
    found: dict[str, list[Played]] = {weapon: [] for weapon in wanted}
    for task, played in zip(tasks, ordered_results(play, tasks, options.workers), strict=True):
        found[task.weapon].append(played)
        if task.weapon == wanted[-1] and len(found[task.weapon]) % 10 == 0:
            report(found)
    report(found)


def report(found: dict[str, list[Played]]) -> None:
    """Print one line a weapon, deepest first."""
    means = {weapon: mean(one.deepest for one in runs) for weapon, runs in found.items()}
    print(
        f"{len(min(found.values(), key=len))} runs a weapon, spread "
        f"{max(means.values()) - min(means.values()):.2f} depths"
    )
    for weapon, depth in sorted(means.items(), key=lambda each: -each[1]):
        depths = [one.deepest for one in found[weapon]]
        error = stdev(depths) / len(depths) ** 0.5 if len(depths) > 1 else 0.0
        ends = Counter(one.end for one in found[weapon]).most_common(3)
        causes = ", ".join(f"{end} {count}" for end, count in ends)
        print(f"  {weapon:<8} {depth:5.2f} ± {error:.2f}   {causes}", flush=True)


if __name__ == "__main__":
    main()
