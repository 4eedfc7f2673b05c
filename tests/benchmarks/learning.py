"""Measure the environment for learning agents; not part of the test run.

python tests/benchmarks/learning.py speed [--steps N]     beside NLE and MiniGrid where installed
python tests/benchmarks/learning.py scores [--episodes N] of a random agent and the bots, on `test`

Speed: steps a second of processor time with random actions that the mask allows, resets included,
the choice of the action not. The environments take turns of a hundred steps, for several seeds.
`pip install nle minigrid` for the others; they have no mask, so any of their actions is drawn.
"""

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import gymnasium
import numpy as np

import seedhollow
from engine.bots import BOTS
from engine.state.actions import Wait
from engine.state.score import score
from workbench.peers import ENVIRONMENTS, random_steps

ROUNDS = 5


def speed(steps):
    """Print steps a second, and their ratio to those of each environment that is not ours."""
    with TemporaryDirectory() as folder:
        ours: dict[str, dict[str, Any]] = {
            "default": {},
            "view alone": {"observations": ["view"]},
            "text": {"observations": ["text"]},
            "recorded": {"record": folder},
        }
        envs = {name: gymnasium.make("Seedhollow-v0", **more) for name, more in ours.items()}
        for package, name in ENVIRONMENTS.items():
            if find_spec(package):
                __import__(package)
                envs[name] = gymnasium.make(name)
        rounds = [random_steps(envs, steps, turn) for turn in range(ROUNDS + 1)][1:]
        rates = {name: steps * ROUNDS / sum(spent[name] for spent in rounds) for name in envs}
        for name, rate in rates.items():
            ratios = [f"{rate / rates[p]:.2f} of {p}" for p in rates if p in ENVIRONMENTS.values()]
            print(f"{name:26} {rate:8.0f} steps/s  ", ", ".join(ratios))


def scores(episodes):
    """Print the mean score, depth and turns of each player over the first seeds of `test`."""
    print("| player | score | depth | turns | kills |\n|---|---|---|---|---|")
    env = gymnasium.make("Seedhollow-v0", levels="test", observations=["figures"])
    for name in ("random agent", *BOTS):
        rows = [played(env, name, 10**9 + number) for number in range(episodes)]
        print(
            f"| {name} |",
            " | ".join(f"{mean(column):.1f}" for column in zip(*rows, strict=True)),
            "|",
        )


def played(env, name, seed):
    """Play one episode to its end; return score, deepest depth, turns and kills."""
    _, info = env.reset(seed=seed, options={"seed": seed})
    inner, rng, over, steps = env.unwrapped, np.random.default_rng(seed), False, 0
    bot = BOTS[name]() if name in BOTS else None
    while not over and steps < env.spec.max_episode_steps:
        if bot is None:
            action = int(rng.choice(np.flatnonzero(info["action_mask"])))
            _, _, over, _, info = inner.step(action)
        else:
            _, _, over, _, info = inner.act(bot.choose(inner.state))
            if "refused" in info:
                _, _, over, _, info = inner.act(Wait())
            bot.hear(inner.events)
        steps += 1
    state = inner.state
    return score(state).total, state.deepest, state.turn, state.kills


def main():
    """Run the part asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("part", choices=["speed", "scores"])
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--episodes", type=int, default=20)
    options = parser.parse_args()
    seedhollow.register_environment()
    if options.part == "speed":
        speed(options.steps)
    else:
        scores(options.episodes)


if __name__ == "__main__":
    main()
