"""Who does the work of a search: how it is shared out, and how everyone goes home."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from threading import Thread

import pytest

from procgen.build import build
from procgen.metric_query import parse_condition
from procgen.metrics import LazyMetrics, measure
from procgen.recipes import find_recipe
from support.paths import ROOT
from workbench.search import process_pool
from workbench.search.process_pool import (
    AHEAD,
    MOST_WORKERS,
    _run_task,
    _set_up_worker,
    cores,
    ordered_results,
)
from workbench.search.search_jobs import METRIC_NAMES, run_search_job, search_jobs


def test_few_tasks_are_drawn_ahead_however_many_there_are():
    drawn = 0

    def endless():
        nonlocal drawn
        while True:
            drawn += 1
            yield drawn

    results = ordered_results(abs, endless(), 2)
    assert [next(results) for _ in range(20)] == list(range(1, 21))
    results.close()
    assert drawn <= 20 + AHEAD * 2


@pytest.mark.parametrize("workers", [1, 2])
def test_processes_are_renewed_without_losing_a_task(workers, monkeypatch):
    monkeypatch.setattr("workbench.search.process_pool.TASKS_PER_PROCESS", 3)
    assert list(ordered_results(abs, range(-20, 0), workers)) == list(range(20, 0, -1))


def test_there_are_no_more_processes_than_tasks(monkeypatch):
    begun, pool = [], process_pool._pool
    monkeypatch.setattr(process_pool, "_pool", lambda count: begun.append(count) or pool(count))
    assert list(ordered_results(abs, range(-3, 0), 50)) == [3, 2, 1]
    assert begun == [3]


def test_jobs_cover_every_seed_once():
    codes = [find_recipe(name).code(0, 3) for name in ("walk", "rooms")]
    seeds = range(17, 251)
    for code in codes:
        shares = [job.seeds for job in search_jobs(codes, seeds) if job.code == code]
        assert [seed for share in shares for seed in share] == list(seeds)
    assert (
        max(
            len(job.seeds)
            for job in search_jobs([find_recipe("walk").code(0, 1, (900, 900))], seeds)
        )
        == 1
    )


@pytest.mark.parametrize("where", ["loops >= 4 and detour > 1.2", "creatures >= 5 and loops >= 4"])
def test_hits_are_those_of_whole_levels_whatever_the_condition_needs(where):
    code = find_recipe("shaped_rooms").code(0, 1, (50, 30))
    found = run_search_job(next(search_jobs([code], range(30), where))).hits
    query = parse_condition(where, METRIC_NAMES)
    levels = {seed: build(replace(code, seed=seed)) for seed in range(30)}
    wanted = [
        (seed, measure(level)) for seed, level in levels.items() if query.holds(LazyMetrics(level))
    ]
    assert found == wanted
    assert 0 < len(found) < 30
    assert all(metrics.creatures > 0 for _, metrics in found)


def test_a_worker_with_another_recipe_is_refused():
    job = next(search_jobs([find_recipe("walk").code(0)], range(3)))
    with pytest.raises(OSError, match="another recipe walk"):
        run_search_job(type(job)(job.code, job.seeds, job.where, "0123"))


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="asks Linux who is whose child")
def test_workers_outlive_nobody(tmp_path):
    levels = ("--generator", "walk", "--size", "30x20", "--seeds", "0:1000000")
    asked = ("find", "--where", "path < 0", *levels, "--workers", "2")
    with (tmp_path / "said").open("w") as said:
        search = subprocess.Popen([sys.executable, str(ROOT / "main.py"), *asked], stderr=said)
    children = Path(f"/proc/{search.pid}/task/{search.pid}/children")
    end = time.monotonic() + 30
    while len(workers := children.read_text().split()) < 2 and time.monotonic() < end:
        time.sleep(0.05)
    assert len(workers) == 2
    search.kill()
    search.wait()
    while any(map(alive, workers)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(map(alive, workers))


def alive(process):
    """Whether a process, by its number as text, is still at work."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(") ", 1)[1][0] != "Z"
    except OSError:
        return False


def sent_home_while_idle():
    """Exit with 7 if SIGTERM waits for the next task, though another thread may receive it."""
    _set_up_worker({**os.environ})
    _run_task(lambda seconds: Thread(target=time.sleep, args=(seconds,), daemon=True).start(), 9)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(0.05)
    try:
        _run_task(abs, -1)
    except SystemExit:
        os._exit(7)


def sent_home_twice():
    """Exit with 7 if a task ends at once, the next one does not begin, and no more is heard."""
    _set_up_worker({**os.environ})
    for work in (lambda _: os.kill(os.getpid(), signal.SIGTERM) or time.sleep(20), abs):
        with pytest.raises(SystemExit):
            _run_task(work, -1)
        os.kill(os.getpid(), signal.SIGTERM)
    os._exit(7)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="other systems end processes at once")
@pytest.mark.parametrize("sent_home", [sent_home_while_idle, sent_home_twice])
def test_a_worker_goes_home_in_a_task_never_in_a_message_and_begins_no_other(sent_home):
    worker = get_context("fork").Process(target=sent_home)
    worker.start()
    worker.join(20)
    assert worker.exitcode == 7


FORKED = """
import multiprocessing, os
from workbench.search.process_pool import ordered_results
multiprocessing.set_start_method("forkserver")
for folder in ("first", "second"):
    os.environ["SEEDHOLLOW_MINE"] = folder
    print(*ordered_results(os.getenv, ["SEEDHOLLOW_MINE"], workers=2))
del os.environ["SEEDHOLLOW_MINE"]
print(*ordered_results(os.getenv, ["SEEDHOLLOW_MINE"], workers=2))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork server on other systems")
def test_workers_of_a_fork_server_have_the_environment_of_this_moment():
    words = [sys.executable, "-c", FORKED]
    printed = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert printed.split() == ["first", "second", "None"]


def test_a_machine_with_very_many_cores_gets_no_more_workers_than_a_pool_may_have(monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)  # As on Windows.
    monkeypatch.setattr(os, "cpu_count", lambda: 4096)
    assert cores() == MOST_WORKERS
