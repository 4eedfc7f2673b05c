"""A search on other machines: a real scheduler, two workers, one of them killed midway."""

import json
import os
import subprocess
import sys
import time

import pytest

from conftest import ROOT
from main import main
from procgen.recipes import find_recipe
from render.search.crew import ordered
from render.search.jobs import carried_out, jobs

distributed = pytest.importorskip("distributed", reason="pip install -r requirements-cluster.txt")

HERE = "127.0.0.1"


def started(module, *options):
    """Start a part of dask as a process of its own that knows the program."""
    return subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.{module}", "--no-dashboard", *map(str, options)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "5s",
        },
        cwd=ROOT.parent,
    )


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Yield the address of a scheduler and its two workers."""
    folder = tmp_path_factory.mktemp("cluster")
    known = folder / "scheduler.json"
    processes = [started("dask_scheduler", "--host", HERE, "--port", 0, "--scheduler-file", known)]
    try:
        options = ("--scheduler-file", known, "--host", HERE, "--nthreads", 1, "--no-nanny")
        options += ("--local-directory", folder)
        deadline = time.monotonic() + 40
        while not known.is_file():
            assert time.monotonic() < deadline, "the scheduler never came up"
            time.sleep(0.05)
        processes += [started("dask_worker", *options) for _ in range(2)]
        address = json.loads(known.read_text())["address"]
        with distributed.Client(address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
        yield address, processes[1:]
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_nothing_is_lost_and_nothing_twice_when_a_worker_dies(cluster):
    address, workers = cluster
    codes = [find_recipe(name).code(0, 1, (30, 20)) for name in ("walk", "rooms")]
    wanted = list(map(carried_out, jobs(codes, range(250), "path > 12")))
    shares = ordered(carried_out, jobs(codes, range(250), "path > 12"), cluster=address)
    got = [next(shares) for _ in range(2)]
    assert workers[0].poll() is None
    workers[0].kill()
    got += shares
    assert len(got) == 10
    assert got == wanted
    assert workers[1].poll() is None


def test_the_command_finds_the_same_on_a_cluster(cluster, capsys):
    asked = ["find", "--closest", "path=30, loops=2", "--generator", "rooms", "--seeds", "0:120"]
    assert main([*asked, "--workers", "1"]) == 0
    alone = capsys.readouterr().out
    assert main([*asked, "--cluster", cluster[0]]) == 0
    assert capsys.readouterr().out == alone
    assert len(alone.splitlines()) == 21


def test_check_runs_there_too(cluster, capsys):
    asked = ["check", "--generator", "walk", "--seeds", "0:60", "--size", "30x20"]
    assert main([*asked, "--cluster", cluster[0]]) == 0
    row = next(line for line in capsys.readouterr().out.splitlines() if "walk" in line)
    cells = [cell.strip() for cell in row.split("│")]
    assert cells[2:4] == ["30x20", "60"]
    assert cells[-2] == "0"


def test_nobody_there_is_one_sentence(monkeypatch, capsys):
    monkeypatch.setattr("render.search.fleet.PATIENCE", 1)
    assert main(["find", "--where", "path > 3", "--cluster", f"tcp://{HERE}:9"]) == 1
    said = capsys.readouterr()
    assert "no scheduler answers" in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""
