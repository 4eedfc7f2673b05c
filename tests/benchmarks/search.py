"""Measure searching; prints one line a figure. Not part of the test run.

python tests/benchmarks/search.py                 all of it, some minutes
python tests/benchmarks/search.py metrics         one part: metrics, speed, memory or page
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from procgen.build import build  # noqa: E402
from procgen.measure.metrics import measure  # noqa: E402
from procgen.recipes import current_recipes  # noqa: E402
from render.search.crew import ordered  # noqa: E402
from render.search.jobs import carried_out, jobs  # noqa: E402

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


def memory():
    """Print the peak memory of searches of growing length, the largest process of each."""
    command = [sys.executable, str(ROOT / "main.py"), "find", "--generator", "walk"]
    for way in (["--sort", "path"], ["--diverse", "10"], ["--where", "floor > 0"]):
        for seeds in (2_000, 20_000):
            given = ["--size", "20x15", "--workers", "2", "--seeds", f"0:{seeds}", *way]
            began = time.perf_counter()
            search = subprocess.Popen([*command, *given], stdout=subprocess.DEVNULL)
            _, _, used = os.wait4(search.pid, 0)
            spent = time.perf_counter() - began
            size = used.ru_maxrss / 1024
            print(
                f"find {' '.join(way):<18} {seeds:>6} seeds: {size:5.0f} MB, {spent:5.1f} s",
                flush=True,
            )


def page():
    """Print the size of a page with every recipe."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, str(ROOT / "main.py"), "survey", "--seeds", "0:10"]
        began = time.perf_counter()
        subprocess.run([*command, "--output", folder], check=True, stdout=subprocess.DEVNULL)
        size = (Path(folder) / "survey.html").stat().st_size
        print(f"page: {size / 1e6:.2f} MB, made in {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    parts = {"metrics": metrics, "speed": speed, "memory": memory, "page": page}
    for name in sys.argv[1:] or parts:
        parts[name]()
