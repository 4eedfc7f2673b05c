"""Measure searching; prints one line a figure. Not part of the test run.

python tests/benchmarks/search.py                 all of it, half an hour
python tests/benchmarks/search.py metrics page    parts: see --help
python tests/benchmarks/search.py speed --write   and keep the table in docs/FIGURES.md; so memory,
                                                  illumination, overlays, scaling, turns, peers
python tests/benchmarks/search.py memory --seeds 100000 --generator caves --size 60x40
"""

import argparse
import gc
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from unittest.mock import patch

import numpy as np
import psutil  # comes with dask.distributed

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from figures import milliseconds, overlays, peers, put, scaling, speed, turns, usual

from procgen.build import build
from procgen.level_code import parse_size
from procgen.metrics import Metrics, measure, metric_scales
from procgen.recipes import current_recipes, find_recipe
from workbench.evolution import illumination as elites
from workbench.search.metric_space import metric_table
from workbench.search.process_pool import ordered_results, worker_pool
from workbench.search.search_jobs import METRIC_NAMES, JobResult, run_search_job, search_jobs
from workbench.search.selection import DiverseHits


def metrics():
    """Print the processor time of measuring one level, for every recipe."""
    for recipe in current_recipes():
        levels = [build(usual(recipe, seed)) for seed in range(10)]
        spent, _ = milliseconds(measure, levels * 5)
        print(f"metrics {recipe.name:<14} {np.median(spent):5.2f} ms", flush=True)


def typical():
    """Print typical values of data/metrics.toml beside medians over the levels of all recipes.

    The medians are of the part above ``least``: of all levels, and of those that have any.
    """
    codes = [usual(recipe, seed) for recipe in current_recipes() for seed in range(20)]
    table = metric_table([measure(build(code)) for code in codes])
    for name, values in zip(METRIC_NAMES, table.T, strict=True):
        above = values - metric_scales()[name].least
        print(f"{name}: typical {metric_scales()[name].typical:g}, median {np.median(above):.3g}")
        if (some := above[above > 0]).size < above.size:
            median = f"median {np.median(some):.3g}" if some.size else "no median"
            print(f"  without the zeros {median} ({some.size / above.size:.0%} of the levels)")


def memory(seeds=1_000_000, name="sparse", size="80x45", *, work=run_search_job, write=False):
    """Print the most memory a long search has held so far: this process, and its largest worker.

    ``--diverse`` of all levels is the hardest case: every level is a hit, and a pool of them stays.
    """
    keeper, tried = DiverseHits(12), 0
    lines: list[str] = []
    code = find_recipe(name).code(0, 1, parse_size(size))
    began = time.perf_counter()
    for share in ordered_results(work, search_jobs([code], range(seeds)), 2):
        tried += share.tried
        for hit in share.found():
            keeper.add(hit)
        if tried * 10 // seeds > len(lines):
            pace = tried / (time.perf_counter() - began)
            sizes = f"{peak():.0f} MB, the largest worker {peak_of_workers():.0f} MB"
            lines.append(f"{tried:,} levels of `{name}`: {sizes}, {pace:,.0f} levels a second")
            print(lines[-1], flush=True)
    if write:
        put("memory", "\n".join(f"- {lines[tenth]}" for tenth in (0, len(lines) // 2 - 1, -1)))


def machinery(seeds=1_000_000):
    """Print the same with levels made up on the spot: a million in a minute or two."""
    memory(seeds, work=made_up)


def made_up(job):
    """Return what a job might find, without building anything."""
    hits = []
    for seed in job.seeds:
        many = (1 + seed % (7 + 4 * place) for place in range(len(METRIC_NAMES)))
        hits.append((seed, Metrics(*many)))
    return JobResult(job.code, len(job.seeds), hits, [])


def peak():
    """Return the most megabytes this process ever held (Linux alone keeps them by process)."""
    status = Path("/proc/self/status").read_text()
    return int(found(r"VmHWM:\s*(\d+)", status)) / 1024


def found(pattern, text):
    """Return the group of ``pattern`` in ``text``."""
    match = re.search(pattern, text)
    assert match, text
    return match[1]


def peak_of_workers() -> float:
    """Return the most megabytes any worker held that has ended, or one that is at work holds."""
    running = [megabytes(worker) for worker in psutil.Process().children()]
    if sys.platform == "win32":  # It keeps no record of those that have ended.
        return max(running, default=0.0)
    return max(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, *running)


def megabytes(process):
    """Return what a process holds in memory, 0 if it has just ended."""
    try:
        return process.memory_info().rss / 2**20
    except psutil.NoSuchProcess:
        return 0.0


def page():
    """Print the size of a page with every recipe, and how soon a browser has it on screen."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, str(ROOT / "main.py"), "survey", "--seeds", "0:10"]
        began = time.perf_counter()
        subprocess.run([*command, "--output", folder], check=True, stdout=subprocess.DEVNULL)
        path = Path(folder) / "survey.html"
        size = path.stat().st_size / 1e6
        print(f"page: {size:.2f} MB, made in {time.perf_counter() - began:.0f} s", flush=True)
        browser = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
        if browser:
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace("<body>", f"<body>{TIMES}", 1), encoding="utf-8")
            print("page in a browser:", ", ".join(loaded(browser, path, folder) for _ in range(3)))


TIMES = """<script>addEventListener("load", () => {
  document.title = `loaded in ${Math.round(performance.now())} ms`;
});</script>"""


def loaded(browser, path, folder):
    """Return what a headless browser says of loading the page."""
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/browser"]
    command = [browser, *options, "--timeout=8000", "--dump-dom", path.as_uri()]
    page = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return found("<title>(.*?)</title>", page)


AXES, LEVELS, TIMES_OVER = ("loops", "detour"), 900, 5
"""What `illumination` fills a grid by, with how many levels, how many times."""


def illumination(*, write=False):
    """Print how many cells `find --illuminate` fills, beside parameters and seeds at random.

    Random means that every batch is drawn as the first ones are; the levels tried are as many.
    """
    lines = ["| generator | varied | random | parameters changed, varied | random |"]
    lines.append("|---|--:|--:|--:|--:|")
    for name in ("digger", "rooms"):
        code, filled, changed = str(find_recipe(name).code(0)), [], []
        for first in (elites.FIRST, LEVELS):
            with patch.object(elites, "FIRST", first), worker_pool() as crew:
                archives = [elites.Archive(AXES, code, seed=seed) for seed in range(TIMES_OVER)]
                for archive in archives:
                    list(elites.Illumination(archive).run(-(-LEVELS // elites.BATCH), crew))
            cells = sorted(len(archive.cells) for archive in archives)
            filled.append(f"{np.mean(cells):.0f} ({cells[0]} to {cells[-1]})")
            kept = [one for archive in archives for one in archive.cells.values()]
            changed.append(f"{-np.mean([one.fitness for one in kept]):.1f}")
            print(f"illumination {name}: {filled[-1]} cells, {changed[-1]} parameters", flush=True)
        lines.append(f"| `{name}` | {' | '.join([*filled, *changed])} |")
    if write:
        put("illumination", "\n".join(lines))


def main():
    """Measure the parts that are asked for."""
    every = (
        metrics,
        typical,
        speed,
        overlays,
        scaling,
        machinery,
        memory,
        page,
        illumination,
        turns,
        peers,
    )
    parts: dict[str, Callable[..., None]] = {part.__name__: part for part in every}
    asked = argparse.ArgumentParser(description="Measure searching.")
    asked.add_argument("parts", nargs="*", help=f"{', '.join(parts)} (all)")
    asked.add_argument(
        "--seeds", type=int, default=1_000_000, help="of memory and machinery (%(default)s)"
    )
    asked.add_argument("--generator", default="sparse", help="of memory (%(default)s)")
    asked.add_argument("--size", default="80x45", help="of memory (%(default)s)")
    asked.add_argument(
        "--write",
        action="store_true",
        help="keep speed, overlays, scaling, memory, illumination, turns, peers",
    )
    options = asked.parse_args()
    if unknown := set(options.parts) - set(parts):
        asked.error(f"there is no part {', '.join(sorted(unknown))}")
    for name in ("speed", "overlays", "scaling", "illumination", "turns", "peers"):
        parts[name] = partial(parts[name], write=options.write)
    gc.freeze()  # As main.py does: else one level in a hundred pays for looking at the modules.
    chosen = (options.seeds, options.generator, options.size)
    parts["memory"] = partial(memory, *chosen, write=options.write)
    parts["machinery"] = partial(machinery, options.seeds)
    for part in options.parts or parts:
        parts[part]()


if __name__ == "__main__":
    main()
