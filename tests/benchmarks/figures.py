"""How fast every generator is searched, and the comparison with peers, for docs/FIGURES.md."""

import os
import platform
import time
from collections import defaultdict
from contextlib import closing
from itertools import chain, product
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple
from unittest.mock import patch

import numpy as np

from engine import engine
from engine.monsters.choose_action import choose_action
from engine.monsters.perception import perceive
from engine.state.actions import AnyAction, Wait
from engine.state.game_state import TURN
from entities.program import VERSION
from procgen.build import build
from procgen.level_code import parse_code
from procgen.level_overlays import overlay_names
from procgen.metrics import measure
from procgen.recipes import current_recipes
from procgen.settings import complete
from workbench.benchmark import crowded
from workbench.peers import HUGE, LARGE, USUAL, RotJs, comparisons, peer_parts
from workbench.search.process_pool import ordered_results
from workbench.search.search_jobs import run_search_job, search_jobs

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "FIGURES.md"
README = PAGE.parent.parent / "README.md"
QUESTION = "loops >= 6 and detour > 1.6"
LEVELS, SECONDS, FEW = 100, 3.0, 5
"""Levels that are grown one by one; how long to search; how many make a job."""
MEASURED = 12
"""Levels that are measured, three times each."""
WORN, WORN_FROM = 20, 3
"""Levels of each generator that wear an overlay, and their depth."""
SIDES = (100, 316, 1000)
"""The sides of square maps: ten thousand, a hundred thousand and a million tiles."""


class Row(NamedTuple):
    """A generator's figures: milliseconds to build and to measure, levels a second.

    ``slowest`` is what 99 of 100 levels stay below.

    On one core they are those of a second of processor time, on two by the clock.
    """

    name: str
    size: str
    grown: float
    slowest: float
    measured: float
    one: float
    two: float


def usual(recipe, seed=0):
    """Return a code of 80x45, or of the smallest size the recipe can have above that."""
    return recipe.code(seed, 1, (max(80, recipe.smallest[0]), max(45, recipe.smallest[1])))


def milliseconds(work, tasks):
    """Return the processor time each task takes, and what came of them."""
    times, made = [], []
    for task in tasks:
        began = time.process_time()
        made.append(work(task))
        times.append(1000 * (time.process_time() - began))
    return times, made


def row(recipe):
    """Return the figures of ``recipe``; it takes about twice `SECONDS`."""
    build(usual(recipe, 999_999))
    grown, levels = milliseconds(build, [usual(recipe, seed) for seed in range(LEVELS)])
    measured, _ = milliseconds(measure, levels[:MEASURED] * 3)
    code = usual(recipe)
    one = searched(map(run_search_job, work(code)), time.process_time)
    shares = ordered_results(run_search_job, work(code), 2)
    two = searched(shares, time.perf_counter)
    shares.close()
    times = median(grown), float(np.percentile(grown, 99)), median(measured)
    return Row(recipe.name, f"{code.width}x{code.height}", *times, one, two)


def work(code):
    """Yield jobs without end, each of a few levels."""
    starts = range(0, 10**9, FEW)
    return chain.from_iterable(search_jobs([code], range(n, n + FEW), QUESTION) for n in starts)


def searched(shares, clock):
    """Return how many levels a second are tried."""
    tried, began = 0, clock()
    for share in shares:
        tried += share.tried
        if clock() - began > SECONDS:
            break
    return tried / (clock() - began)


def rows():
    """Yield the figures of every generator, each with a line on the terminal."""
    for recipe in current_recipes():
        found = row(recipe)
        print(cells(found), flush=True)
        yield found


def cells(found):
    """Return a line of the table."""
    times = f"{found.grown:.1f} | {found.slowest:.0f} | {found.measured:.2f}"
    return f"| `{found.name}` | {found.size} | {times} | {found.one:.0f} | {found.two:.0f} |"


def speed(*, write=False):
    """Print the table of all generators, some ten minutes; ``write`` puts it on the page."""
    found = list(rows())
    ones = sorted(row.one for row in found)
    said = (
        f"One core tries {ones[0]:.0f} to {ones[-1]:.0f} levels a second, by generator "
        f"({median(ones):.0f} of the median one); measuring is {min(r.measured for r in found):.1f}"
        f" to {max(r.measured for r in found):.1f} ms of a level."
    )
    facts = (VERSION, platform.python_version(), np.__version__, platform.machine())
    machine = "Seedhollow {}, Python {}, NumPy {}, {}".format(*facts)
    print(said)
    if write:
        head = "| generator | size | ms to build | 99 % | to measure | a second, one core | two |"
        lines = [head, "|---|---|--:|--:|--:|--:|--:|", *map(cells, found)]
        note = f"({machine}, {os.cpu_count()} cores.)"
        put("speed", "\n".join([said, note, "", *lines]))


def overlays(*, write=False):
    """Print what levels that wear an overlay take, some minutes; ``write`` puts it on the page.

    On the depth from which the adventure has them. All are built twice, minutes apart, and the
    lesser time of each counts: a machine that others use is slow for seconds on end.
    """
    spent: dict[tuple[str, str], np.ndarray] = {}
    for _ in range(2):
        for overlay, recipe in product(overlay_names(), current_recipes()):
            size = "x".join(str(max(*pair)) for pair in zip((80, 45), recipe.smallest, strict=True))
            codes = [
                complete(parse_code(f"{recipe.name}+{overlay}:{seed}:{WORN_FROM}@{size}"))
                for seed in range(WORN + 1)
            ]
            times, _ = milliseconds(build, codes)
            before = spent.get((overlay, recipe.name), times)
            spent[overlay, recipe.name] = np.minimum(before, times)
    head = "| overlay | other generators | the slowest | missions | the slowest |"
    lines = [head, "|---|--:|--:|--:|--:|"]
    every: dict[bool, list[float]] = {True: [], False: []}
    for overlay in overlay_names():
        shown = [f"`{overlay}`"]
        for mission in (False, True):
            found = [
                (median(times[1:]), name)
                for (worn, name), times in spent.items()
                if worn == overlay and ("mission" in name) == mission
            ]
            slowest, name = max(found)
            every[mission].append(slowest)
            shown += [f"{median(time for time, _ in found):.1f}", f"{slowest:.1f} `{name}`"]
        lines.append(f"| {' | '.join(shown)} |")
        print(lines[-1], flush=True)
    said = (
        f"Milliseconds of processor time, medians of {WORN} levels: at most {max(every[False]):.1f}"
        f" with an overlay, {max(every[True]):.1f} for a mission with an overlay."
    )
    print(said)
    if write:
        put("overlays", "\n".join([said, "", *lines]))


def scaling(*, write=False):
    """Print how the time of building grows with the map, some ten minutes; ``write`` keeps it.

    The exponent is the slope of a straight line through the logarithms of tiles and times: 1 is
    linear, below 1 there is a part that does not grow.
    """
    head = "| generator | " + " | ".join(f"{side}x{side}" for side in SIDES) + " | exponent |"
    lines = [head, "|---|" + "--:|" * (len(SIDES) + 1)]
    tiles = np.log([side * side for side in SIDES])
    exponents = []
    for recipe in current_recipes():
        build(usual(recipe))
        times = [
            median(
                milliseconds(build, [recipe.code(seed, 1, (side, side)) for seed in range(n)])[0]
            )
            for side, n in zip(SIDES, (5, 3, 1), strict=True)
        ]
        exponents.append(float(np.polyfit(tiles, np.log(times), 1)[0]))
        shown = " | ".join(f"{spent:,.0f}" for spent in times)
        lines.append(f"| `{recipe.name}` | {shown} | {exponents[-1]:.2f} |")
        print(lines[-1], flush=True)
    said = (
        f"Exponents: {min(exponents):.2f} to {max(exponents):.2f}, median {median(exponents):.2f}."
    )
    print(said)
    if write:
        put("scaling", "\n".join([said, "", *lines]))


AWAKE, TURNS, TIMES_OVER = (20, 100, 300), 60, 5
"""Monsters awake, turns, and how often they are measured: the best counts."""


def turns(*, write=False):
    """Print turns a second with hunting monsters, and with their actions known beforehand.

    With known actions nobody looks, remembers or finds a way: no choice of an action, however
    quick, gets beyond that. If they look and only the way is known, no search for one does. The
    last column counts turns of the clock, which are more once the hero is slowed.
    """
    lines = [
        (
            "| awake | rules alone | recorded | recorded, paths known | recorded, actions known "
            "| recorded, by the clock |"
        ),
        "|--:|--:|--:|--:|--:|--:|",
    ]
    for awake in AWAKE:
        actions, spent = chosen(awake), defaultdict[str, list[float]](list)
        with TemporaryDirectory() as folder:
            for turn in range(TIMES_OVER):
                spent["rules"].append(seconds(awake, None))
                spent["recorded"].append(seconds(awake, Path(folder) / f"{turn}.jsonl"))
                for name, choose in (("looked", look_first(actions)), ("known", known(actions))):
                    with patch.object(engine, "choose_action", choose):
                        path = Path(folder) / f"{turn}-{name}.jsonl"
                        spent[name].append(seconds(awake, path))
        rates = [f"{TURNS / min(times):,.0f}" for times in spent.values()]
        rates.append(f"{clock_turns(awake) / min(spent['recorded']):,.0f}")
        lines.append(f"| {awake} | {' | '.join(rates)} |")
        print(lines[-1], flush=True)
    if write:
        put("turns", "\n".join(lines))


def chosen(awake):
    """Return the actions that the monsters of those turns choose, in order."""
    actions: list[AnyAction] = []

    def choose(*asked):
        actions.append(choose_action(*asked))
        return actions[-1]

    with patch.object(engine, "choose_action", choose):
        seconds(awake, None)
    return actions


def known(actions):
    """Return a function that returns the next of ``actions`` whatever it is asked."""
    left = iter(actions)
    return lambda *_: next(left)


def look_first(actions):
    """Return a function that lets a monster look and remember, and returns the next action."""
    left = iter(actions)

    def choose(*asked):
        perceive(*asked)
        return next(left)

    return choose


def clock_turns(awake):
    """Return the turns of the clock, in which each monster acts once, that those turns take."""
    run = crowded("caves", awake)
    began = run.state.clock
    for _ in range(TURNS):
        run.act(Wait())
    return (run.state.clock - began) / TURN


def seconds(awake, path):
    """Return the processor time of `TURNS` turns in which the hero waits, recorded at ``path``."""
    run = crowded("caves", awake, path)
    began = time.process_time()
    for _ in range(TURNS):
        run.act(Wait())
    spent = time.process_time() - began
    run.close()
    return spent


def peers(*, write=False):
    """Print our time divided by that of rot.js, some minutes; and the steps of environments.

    ``write`` puts the table on the page, and its first part into the README.
    """
    with closing(RotJs()) as peer:
        found = {one.name: one for part in peer_parts(peer) for one in part()}
    lines = []
    for name in dict.fromkeys(one.name for one in comparisons()):
        sizes = [
            f"{name} {width}x{height}: ours to rot.js" for width, height in (USUAL, LARGE, HUGE)
        ]
        shown = [ratio(found[size].median) if size in found else "" for size in sizes]
        lines.append(f"| {name} | {' | '.join(shown)} |")
    for name, one in found.items():
        if name.startswith("environment "):
            lines.append(f"| {name} | {one.median:,.0f} {one.unit} | | |")
    print(*lines, sep="\n")
    if write:
        head = "| work | 80x45 | 200x200 | 1000x1000 |\n|---|--:|--:|--:|"
        put("peers", "\n".join([head, *lines]))
        short = [line for line in lines if "environment" not in line and "," not in line]
        columns = zip(
            *([cell.strip() for cell in line.split("|")[1:-1]] for line in short), strict=True
        )
        head, *sizes = (" | ".join(column) for column in columns)
        rows = [f"| map | {head} |", "|---|" + "--:|" * len(short)]
        rows += [
            f"| {width}x{height} | {row} |"
            for (width, height), row in zip((USUAL, LARGE, HUGE), sizes, strict=True)
        ]
        put("peers", "\n".join(rows), README)


def ratio(value):
    """Return a ratio as text, in bold where we are slower."""
    text = f"{value:.3f}" if value < 0.01 else f"{value:.2f}" if value < 3 else f"{value:.1f}"
    return f"**{text}**" if value > 1 else text


def put(name, text, page=PAGE):
    """Put ``text`` between the marks ``name`` of ``page``."""
    before, begin, rest = page.read_text(encoding="utf-8").partition(f"<!-- {name} -->\n")
    _, end, after = rest.partition(f"<!-- /{name} -->")
    page.write_text(f"{before}{begin}{text}\n{end}{after}", encoding="utf-8")
    print(f"written to {page.name}")
