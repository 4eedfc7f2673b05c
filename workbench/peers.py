"""Compare processor time with rot.js (Node), NLE and MiniGrid for the same work, interleaved."""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace

from entities.data_files import DATA
from entities.terrain import Mask
from procgen.analysis.distances import distances
from procgen.analysis.field_of_view import field_of_view
from procgen.blueprint import Blueprint, Rejected
from procgen.gradient_noise import fractal_noise
from procgen.recipes import find_recipe
from procgen.rng import Rng
from procgen.validate import validate
from workbench.benchmark import BenchmarkFigure, BenchmarkPart, rate_figure, summarize_times

Size = tuple[int, int]
Work = Callable[[int], object]
"""Does the work once, with the seed given."""

USUAL, LARGE, HUGE = (80, 45), (200, 200), (1000, 1000)
ROUNDS = 9
"""The number of batches of each program, run alternately; the figures are their medians."""
BATCH_MS, SLOW_MS, SLOW_ROUNDS = 30.0, 300.0, 3
"""The least milliseconds of a batch; if one repeat takes longer than the second number, the third
is the number of rounds."""
CAVES = ("scatter_rock", "cellular_automaton")
JOINED = ("fill_small_regions", "join_regions")
"""The steps that make caves, and the steps that join them."""
ENDS = ("start_in_first_room", "exit_in_last_room", "exit_in_furthest_room", "start_and_exit_apart")
FOLK = ("monsters_in_rooms", "monsters_by_density")
"""The steps that every valid level needs, and the steps that place monsters."""
ENVIRONMENTS = {"nle": "NetHackScore-v0", "minigrid": "MiniGrid-MultiRoom-N6-v0"}
"""Environments for learning agents, by the package of each."""
STEPS, PORTION = 4000, 100
"""Steps of each environment that are timed in a round, and at a time."""
STARTS = 50
"""The number of open tiles, the first in reading order, from which distances are computed; from
there they cross the whole map."""
SIGHT = 8
"""The radius of the field of view, in tiles."""


class Comparison(NamedTuple):
    """Work for both programs: ``name`` (for rot.js up to the comma), our function, and sizes.

    ``ours`` gets the size and the cave on which both work, bool [y, x].
    """

    name: str
    ours: Callable[[Size, Mask], Work]
    sizes: tuple[Size, ...]
    on_cave: bool = False


def _steps(
    recipe: str, *names: str, checked: bool = False, **settings: object
) -> Callable[[Size, object], Work]:
    """Return the work of the steps ``names`` of ``recipe`` and, if ``checked``, of validation."""

    def work(seed: int, size: Size) -> None:
        plan = Blueprint.solid(*size, 1)
        with suppress(Rejected):  # Rare, one level in hundreds, and it takes as long as the others.
            _run(plan, recipe, names, seed, **settings)
            if checked:
                validate(plan)

    return lambda size, _: partial(work, size=size)


def _levels(name: str, recipe: str, *names: str, **settings: object) -> list[Comparison]:
    """Return comparisons of the steps alone, of a validated level, and of one with monsters."""
    levels = {"": (), ", validated": ENDS, ", with monsters": (*ENDS, *FOLK)}
    cases = []
    for more, steps in levels.items():
        work = _steps(recipe, *names, *steps, checked=bool(steps), **settings)
        cases.append(Comparison(name + more, work, (USUAL, LARGE)))
    return cases


def _run(plan: Blueprint, recipe: str, names: tuple[str, ...], seed: int, **given: object) -> None:
    """Run the steps ``names`` of ``recipe`` on ``plan``, with the settings ``given`` they have."""
    for use in find_recipe(recipe).steps:
        if use.step.name in names:
            fitting = {name: given[name] for name in given if hasattr(use.parameters, name)}
            parameters = replace(use.parameters, **fitting) if fitting else use.parameters
            for _ in use.step.run(plan, Rng(seed, use.step.name), parameters):
                pass


def comparisons() -> list[Comparison]:
    """Return every comparison, without the largest size if rot.js would take minutes."""
    others = ("circle", "cross", "ring", "hall", "chunky", "cave", "large")
    # The same as rot.js, which digs a fifth of the map: 20 rooms at 80x45.
    plain: dict[str, Any] = dict.fromkeys(others, 0) | {"rooms": 20, "hallways": 1}
    maze: dict[str, Any] = {"texture": "minimum_tree", "braid": 0.0, "clearings": 0.0}
    return [
        *_levels("rooms", "rooms", "rectangular_rooms", "join_rooms_in_order"),
        *_levels("digger", "digger", "attach_rooms", **plain),
        Comparison("caves", _steps("caves", *CAVES), (USUAL, LARGE, HUGE)),
        *_levels("joined caves", "caves", *CAVES, *JOINED),
        *_levels("maze", "maze", "grow_maze", **maze),
        Comparison("maze", _steps("maze", "grow_maze", **maze), (HUGE,)),
        Comparison("distances", _distances, (USUAL, LARGE, HUGE), on_cave=True),
        Comparison("field of view", _sight, (USUAL,), on_cave=True),
        Comparison(
            "noise", lambda at, _: lambda seed: fractal_noise(seed, 0, 0, *at), (USUAL, HUGE)
        ),
    ]


def _distances(_: Size, cave: Mask) -> Work:
    places = np.argwhere(cave)[:STARTS].tolist()  # Different each time, since results are cached.
    return lambda seed: distances(cave, *reversed(places[seed % len(places)]))


def _sight(_: Size, cave: Mask) -> Work:
    places = np.argwhere(cave).tolist()

    def look(seed: int) -> object:
        y, x = places[seed * 7919 % len(places)]
        return field_of_view(cave, x, y, SIGHT)

    return look


def cave_of(size: Size) -> Mask:
    """Return the open tiles of a connected cave, bool [y, x], the same for both programs."""
    plan = Blueprint.solid(*size, 1)
    _run(plan, "caves", (*CAVES, *JOINED), 7)
    return plan.open


class RotJs:
    """A Node process that runs rot.js, found from the current folder upwards or globally.

    Raises `OSError` with a sentence if Node or rot.js cannot be found.
    """

    def __init__(self) -> None:
        node, npm = shutil.which("node"), shutil.which("npm")
        if node is None:
            raise OSError("--peers needs Node (nodejs.org) and rot.js (npm install rot-js)")
        paths = [os.environ.get("NODE_PATH", "")]
        if npm:
            reply = subprocess.run([npm, "root", "-g"], capture_output=True, text=True, check=False)  # noqa: S603 - npm by its path
            paths.append(reply.stdout.strip())
        self._process = subprocess.Popen(  # noqa: S603 - node by its path, a file of ours
            [node, str(DATA / "bench" / "rot_js.mjs")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "NODE_PATH": os.pathsep.join(filter(None, paths))},
        )
        assert self._process.stdin
        assert self._process.stdout
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self.time("", USUAL, 0, 1, None)

    def time(self, case: str, size: Size, seed: int, repeats: int, cave: Mask | None) -> float:
        """Return the mean processor time of ``repeats`` repeats in milliseconds."""
        request = {"case": case, "width": size[0], "height": size[1], "seed": seed}
        request |= {"repeats": repeats}
        if cave is not None:
            request["cave"] = "".join(map(str, cave.astype(int).ravel().tolist()))
        try:
            self._stdin.write(json.dumps(request).encode() + b"\n")
            self._stdin.flush()
            answer = self._stdout.readline()
        except OSError:
            answer = b""
        if not answer:
            self.close()
            raise OSError("--peers needs rot.js: npm install rot-js, here or with -g")
        return 0.0 if answer == b"no\n" else float(answer)

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()


def peer_parts(peer: RotJs) -> list[BenchmarkPart]:
    """Return the parts of the benchmark that compare with ``peer``, one for each work and size.

    The last part compares environments for learning agents, if others are installed.
    """
    pairs = [(comparison, size) for comparison in comparisons() for size in comparison.sizes]
    parts: list[BenchmarkPart] = [partial(_compared, peer, *pair) for pair in pairs]
    envs = {name: ENVIRONMENTS[name] for name in ENVIRONMENTS if find_spec(name)}
    return [*parts, partial(_environments, envs)] if envs and find_spec("gymnasium") else parts


def _environments(peers: dict[str, str]) -> Iterator[BenchmarkFigure]:
    """Yield the steps per second of our environment and of ``peers``, and the ratios."""
    gymnasium = import_module("gymnasium")
    environment = import_module(f"{__package__}.learning.environment").SeedhollowEnv()
    environments = {"Seedhollow-v0": gymnasium.wrappers.TimeLimit(environment, 10_000)}
    for package, name in peers.items():
        import_module(package)  # This registers its environments.
        environments[name] = gymnasium.make(name)
    rounds = [random_steps(environments, STEPS, seed) for seed in range(SLOW_ROUNDS + 1)][1:]
    usual = {name: sum(spent[name] for spent in rounds) / len(rounds) for name in environments}
    for name, seconds in usual.items():
        yield rate_figure(f"environment {name}: random steps", STEPS, seconds)
        if name in peers.values():
            ratio = round(usual["Seedhollow-v0"] / seconds, 3)
            yield BenchmarkFigure(f"environment: ours to {name}, time", "times", ratio, ratio)


def random_steps(environments: Mapping[str, Any], steps: int, seed: int) -> dict[str, float]:
    """Return the seconds that ``steps`` random actions take in each environment, with resets.

    The time to choose actions is not included; if there is a mask, only allowed ones are chosen.
    The speed of the machine varies, so the environments alternate every `PORTION` steps.
    """
    players = {name: _played(env, seed) for name, env in environments.items()}
    spent = dict.fromkeys(environments, 0.0)
    for _ in range(steps // PORTION):
        for name, player in players.items():
            spent[name] += sum(islice(player, PORTION))
    return spent


def _played(env: Any, seed: int) -> Iterator[float]:
    """Yield, endlessly, the seconds that one random step takes."""
    rng = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    while True:
        mask = info.get("action_mask")
        # This draw is about as cheap as one without a mask: the more code runs between two steps,
        # the less the second finds in the processor's caches.
        actions = range(env.action_space.n) if mask is None else mask.nonzero()[0]
        action = int(actions[int(rng.random() * len(actions))])
        started = time.process_time()
        _, _, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            _, info = env.reset()
        yield time.process_time() - started


def _compared(peer: RotJs, comparison: Comparison, size: Size) -> Iterator[BenchmarkFigure]:
    """Yield the milliseconds of both programs and the ratio of their medians."""
    cave = cave_of(size) if comparison.on_cave else np.zeros((0, 0), bool)
    ours, shown = comparison.ours(size, cave), cave if comparison.on_cave else None

    def mine(seed: int, repeats: int) -> float:
        started = time.process_time_ns()
        for turn in range(repeats):
            ours(seed + turn)
        return (time.process_time_ns() - started) / 1e6 / repeats

    def theirs(seed: int, repeats: int) -> float:
        return peer.time(comparison.name.partition(",")[0], size, seed, repeats, shown)

    both, counts, slowest = (mine, theirs), [], 0.0
    for program in both:
        first = program(1, 1)
        if first < SLOW_MS:
            first = program(1, 3)  # By now caches are filled, and V8 has begun to compile.
        slowest = max(slowest, first)
        counts.append(max(1, round(BATCH_MS / max(first, 0.001))))
    rounds = ROUNDS if slowest < SLOW_MS else SLOW_ROUNDS
    times: tuple[list[float], list[float]] = [], []
    for turn in range(rounds):
        for program, measured, repeats in zip(both, times, counts, strict=True):
            measured.append(program(10 + turn * repeats, repeats))  # Seeds not used before.
    name = f"{comparison.name} {size[0]}x{size[1]}"
    yield summarize_times(name, times[0])
    yield summarize_times(f"{name}: rot.js", times[1])
    ratio = round(median(times[0]) / max(median(times[1]), 1e-6), 3)
    yield BenchmarkFigure(f"{name}: ours to rot.js", "times", ratio, ratio)
