"""Measure searching; prints one line a figure. Not part of the test run.

python tests/benchmarks/search.py                 all of it, some minutes
python tests/benchmarks/search.py metrics         one part: metrics, speed, machinery, memory, page
python tests/benchmarks/search.py memory=100000   memory over so many seeds, not a million
"""

import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import psutil  # comes with dask.distributed

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from procgen.build import build  # noqa: E402
from procgen.measure.metrics import Metrics, measure  # noqa: E402
from procgen.recipes import current_recipes, find_recipe  # noqa: E402
from render.search.crew import ordered  # noqa: E402
from render.search.jobs import Share, carried_out, jobs  # noqa: E402
from render.search.keepers import Different  # noqa: E402

SEEDS = range(100)


def usual(recipe, seed=0):
    """Return a code of 80x45, or of the smallest size the recipe can have above that."""
    return recipe.code(seed, 1, (max(80, recipe.smallest[0]), max(45, recipe.smallest[1])))


def metrics():
    """Print the processor time of measuring one level, for every recipe."""
    for recipe in current_recipes():
        times = []
        for level in [build(usual(recipe, seed)) for seed in range(10)]:
            for _ in range(5):
                began = time.process_time()
                measure(level)
                times.append(1000 * (time.process_time() - began))
        print(f"metrics {recipe.name:<14} median {median(times):5.2f} ms", flush=True)


def speed():
    """Print seeds per second for every recipe: of processor time, on one core, on two."""
    for recipe in current_recipes():
        rates, hits = [], 0
        for workers in (1, 2):
            work = jobs([usual(recipe)], SEEDS, "loops >= 6 and detour > 1.6")
            began, busy = time.perf_counter(), time.process_time()
            hits = sum(len(share.hits) for share in ordered(carried_out, work, workers))
            if workers == 1:
                rates.append(len(SEEDS) / (time.process_time() - busy))
            rates.append(len(SEEDS) / (time.perf_counter() - began))
        cpu, one, two = rates
        shown = f"{cpu:6.0f} a processor second, {one:6.0f}/s on one core, {two:6.0f}/s on two"
        print(f"find {recipe.name:<14} {shown}   ({hits} of {len(SEEDS)} hit)", flush=True)


def memory(seeds=1_000_000, work=carried_out):
    """Print the memory of a long search as it goes on: this process and its largest worker.

    ``--diverse`` of all levels is the hardest case: every level is a hit, and a pool of them stays.
    """
    keeper, here, tried, told = Different(10), psutil.Process(), 0, 0
    began = time.perf_counter()
    for share in ordered(work, jobs([find_recipe("sparse").code(0, 1, (20, 15))], range(seeds)), 2):
        tried += share.tried
        for hit in share.found():
            list(keeper.take(hit))
        if tried * 20 // seeds > told:
            told = tried * 20 // seeds
            crew = max(map(megabytes, here.children()), default=0.0)
            spent = time.perf_counter() - began
            sizes = f"{megabytes(here):4.0f} MB, the largest worker {crew:4.0f} MB"
            print(f"{tried:>9,} seeds: {sizes}   ({tried / spent:,.0f} a second)", flush=True)


def machinery(seeds=1_000_000):
    """Print the same with levels made up on the spot: a million in a minute or two."""
    memory(seeds, made_up)


def made_up(job):
    """Return what a job might find, without building anything."""
    hits = []
    for seed in job.seeds:
        shares = seed % 97 / 97, seed % 31, seed % 211, 1 + seed % 7 / 3
        hits.append((seed, Metrics(*shares, *[seed % 53] * 4, 2.0, 1.0)))
    return Share(job.code, len(job.seeds), hits, [])


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
    found = subprocess.run(
        [browser, *options, "--timeout=8000", "--dump-dom", path.as_uri()],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return re.search("<title>(.*?)</title>", found)[1]


if __name__ == "__main__":
    parts = {part.__name__: part for part in (metrics, speed, machinery, memory, page)}
    for word in sys.argv[1:] or parts:
        name, _, number = word.partition("=")
        parts[name](*map(int, filter(None, [number])))
