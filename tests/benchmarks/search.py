"""Measure searching; prints one line a figure. Not part of the test run.

python tests/benchmarks/search.py                 all of it, some minutes
python tests/benchmarks/search.py metrics         one part: metrics, speed, memory or page
python tests/benchmarks/search.py memory=100000   memory over so many seeds, not a million
"""

import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from statistics import median

import psutil  # comes with dask.distributed

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


def memory(seeds=1_000_000, every=2.0):
    """Print the memory of a long search as it goes on: all its processes, sampled.

    ``--diverse`` of all levels is the hardest case: every level is a hit, and a pool of them stays.
    """
    small = ["--generator", "sparse", "--size", "20x15", "--workers", "2", "--format", "codes"]
    command = [sys.executable, str(ROOT / "main.py"), "find", *small, "--seeds", f"0:{seeds}"]
    search = psutil.Popen([*command, "--diverse", "10"], stdout=subprocess.DEVNULL)
    began, curve = time.perf_counter(), []
    while search.poll() is None:
        time.sleep(every)
        with suppress(psutil.NoSuchProcess):
            crew = [megabytes(child) for child in search.children(recursive=True)]
            curve.append((megabytes(search), max(crew, default=0.0)))
    assert search.returncode == 0
    spent = time.perf_counter() - began
    print(f"find --diverse 10 over {seeds:,} seeds: {spent:,.0f} s by the clock")
    for part in range(10):
        among = curve[len(curve) * part // 10 : len(curve) * (part + 1) // 10] or curve[-1:]
        most = [max(column) for column in zip(*among, strict=True)]
        print(f"  {part + 1:>2}/10: {most[0]:5.0f} MB, its largest worker {most[1]:5.0f} MB")


def megabytes(process):
    """Return what a process holds in memory, 0 if it has just ended."""
    try:
        return process.memory_info().rss / 2**20
    except psutil.NoSuchProcess:
        return 0.0


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
    for word in sys.argv[1:] or parts:
        name, _, number = word.partition("=")
        parts[name](*map(int, filter(None, [number])))
