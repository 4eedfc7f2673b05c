"""Work on other machines: a real scheduler, two workers, one of them killed midway."""

import gc
import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec

import pytest

from engine.state.run_setup import RunSetup
from main import main
from procgen.recipes import find_recipe
from support.paths import ROOT
from workbench.search.bot_runs import (
    data_fingerprint,
    play_run,
    run_file_name,
)
from workbench.search.process_pool import ordered_results
from workbench.search.search_jobs import run_search_job, search_jobs

if not find_spec("distributed"):
    pytest.skip("pip install -r requirements-cluster.txt", allow_module_level=True)

HERE = "127.0.0.1"
recorded_run = partial(
    play_run, turns=60, bot="plain", fingerprint=data_fingerprint(), recorded=True
)


def started(module, *options, path=str(ROOT)):
    """Start a part of dask as a process of its own that can import from ``path``."""
    return subprocess.Popen(
        [
            sys.executable,
            "-P",
            "-m",
            f"distributed.cli.{module}",
            "--no-dashboard",
            *map(str, options),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={
            **os.environ,
            "PYTHONPATH": path,
            "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "2s",
        },
        cwd=ROOT.parent,
    )


@contextmanager
def running(folder, path):
    """Yield the address of a scheduler and its two workers, which import from ``path``."""
    from distributed import Client  # noqa: PLC0415 - too slow for every worker of pytest

    known = folder / "scheduler.json"
    words = ("--host", HERE, "--port", 0, "--scheduler-file", known)
    processes = [started("dask_scheduler", *words, path=path)]
    try:
        options = ("--scheduler-file", known, "--host", HERE, "--nthreads", 1, "--no-nanny")
        options += ("--local-directory", folder)
        deadline = time.monotonic() + 40
        while not known.is_file():
            assert time.monotonic() < deadline, "the scheduler never came up"
            time.sleep(0.05)
        processes += [started("dask_worker", *options, path=path) for _ in range(2)]
        address = json.loads(known.read_text())["address"]
        with Client(address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
        yield address, processes[1:]
    finally:
        for process in processes:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Yield the address of a scheduler and its two workers."""
    with running(tmp_path_factory.mktemp("cluster"), str(ROOT)) as started_cluster:
        yield started_cluster


@pytest.fixture(scope="module")
def bereaved(cluster):
    """Return what came of a search and of runs, both halfway when one of the workers was killed."""
    address, (victim, survivor) = cluster
    codes = [find_recipe(name).code(0, 1, (30, 20)) for name in ("walk", "rooms")]
    searched = [
        job._replace(seeds=job.seeds[part : part + 10])
        for job in search_jobs(codes, range(50), "path > 12")
        for part in range(0, 50, 10)
    ]
    small = [RunSetup(seed, str(seed), generator="walk", size=(30, 20)) for seed in range(8)]
    both = [
        ordered_results(run_search_job, searched, cluster=address),
        ordered_results(recorded_run, small, cluster=address),
    ]
    got = [[next(results)] for results in both]
    assert victim.poll() is None
    victim.kill()
    for known, results in zip(got, both, strict=True):
        known.extend(results)
    assert survivor.poll() is None
    return (searched, got[0]), (small, got[1])


def test_nothing_is_lost_and_nothing_twice_when_a_worker_dies(bereaved):
    searched, got = bereaved[0]
    assert len(got) == len(searched) == 10
    assert got == list(map(run_search_job, searched))


def test_runs_are_played_once_each_though_a_worker_dies(bereaved):
    setups, got = bereaved[1]
    alone = list(map(recorded_run, setups))
    assert [result for result, _ in got] == [result for result, _ in alone]
    for (result, files), (_, others) in zip(got, alone, strict=True):
        name = run_file_name(result.seed)
        assert list(files) == list(others)
        # The first line says when it was written.
        assert files[name].splitlines()[1:] == others[name].splitlines()[1:]


def test_a_worker_with_other_data_is_refused():
    with pytest.raises(OSError, match="other rules or data"):
        play_run(RunSetup(1, "1"), 5, "plain", "0123", recorded=False)


@pytest.mark.parametrize(
    "command",
    [
        ["survey", "--generator", "walk", "--seeds", "0:40", "--size", "30x20"],
        ["simulate", "--generator", "walk", "--runs", "3", "--turns", "40"],
        ["catalog", "--generator", "walk", "--seeds", "2:5", "--depths", "2"],
        ["find", "--illuminate", "path,detour", "--generator", "rooms", "--levels", "96"],
    ],
    ids=lambda words: words[0],
)
def test_other_commands_say_the_same_on_a_cluster(command, cluster, capsys):
    assert main([*command, "--workers", "1"]) == 0
    alone = capsys.readouterr().out
    assert main([*command, "--cluster", cluster[0]]) == 0
    assert capsys.readouterr().out == alone
    assert any(word in alone for word in ("walk", "rooms", "out of turns"))


def test_the_command_finds_the_same_on_a_cluster(cluster, capsys):
    asked = ["find", "--closest", "path=30, loops=2", "--generator", "rooms", "--seeds", "0:60"]
    assert main([*asked, "--workers", "1"]) == 0
    alone = capsys.readouterr().out
    assert main([*asked, "--cluster", cluster[0]]) == 0
    assert capsys.readouterr().out == alone
    assert len(alone.splitlines()) == 21


def test_check_runs_there_too(cluster, capsys):
    asked = ["check", "--generator", "walk", "--seeds", "0:30", "--size", "30x20"]
    assert main([*asked, "--cluster", cluster[0]]) == 0
    row = next(line for line in capsys.readouterr().out.splitlines() if "walk" in line)
    cells = [cell.strip() for cell in row.split("│")]
    assert cells[2:4] == ["30x20", "30"]
    assert cells[-2] == "0"


@pytest.mark.parametrize(
    "address", ["", "nonsense", "tcp://", "tcp://host", "tcp://host:0", "gopher://host:70", "a:b:1"]
)
def test_an_invalid_cluster_address_is_refused_at_once(address, capsys):
    assert main(["find", "--where", "path > 3", "--cluster", address]) == 2
    said = capsys.readouterr()
    assert "is not an address such as tcp://host:8786" in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""


@pytest.mark.parametrize("address", [f"tcp://{HERE}:9", f"tls://{HERE}:9"])
def test_a_cluster_that_does_not_answer_is_one_sentence(address, monkeypatch, capsys):
    monkeypatch.setattr("workbench.search.dask_pool.TIMEOUT_SECONDS", 1)
    assert main(["find", "--where", "path > 3", "--cluster", address]) == 1
    gc.collect()  # what is left of a client that never connected says nothing on its way out
    said = capsys.readouterr()
    assert "no scheduler answers" in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""


def test_a_cluster_that_cannot_import_the_program_is_one_sentence(tmp_path, capsys):
    with running(tmp_path, "") as (address, _):
        words = ("--where", "path > 3", "--generator", "walk", "--seeds", "0:20")
        assert main(["find", *words, "--cluster", address]) == 1
    said = capsys.readouterr()
    assert "the scheduler and the workers must be able to import the program" in said.err
    assert "PYTHONPATH=." in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""
