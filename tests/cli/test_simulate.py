"""The command simulate, and its runs: what they tell, stopped or not, and that they verify."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from cli.output import print_tables
from cli.simulate import FORMATS, result_tables
from entities.item_kinds import item_kinds
from main import main
from render.messages.names import item_kind_name
from support.command_line import assert_refused, run
from support.paths import ROOT
from workbench.search.bot_runs import BotResult


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no SIGINT to one process")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_stopped_simulation_tells_of_the_runs_that_were_played(tmp_path, workers):
    """However often one presses Ctrl-C, and however long the next run would have taken."""
    command = ["simulate", "--seeds", "0:900", "--turns", "150", "--workers", workers]
    simulation = subprocess.Popen(
        [sys.executable, str(ROOT / "main.py"), *map(str, command), "--output", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while len(list(tmp_path.glob("run-*.jsonl"))) < 3:
        time.sleep(0.05)
    for _ in range(3):
        os.killpg(simulation.pid, signal.SIGINT)
        time.sleep(0.01)
    out, err = simulation.communicate(timeout=60)
    played = len(list(tmp_path.glob("run-*.jsonl")))
    assert simulation.returncode == 130, err
    assert "of 900 runs" in err
    assert err.count("\n") == 1
    told = int(err.split()[2])
    assert told >= 2
    assert played in {told, told + 1}  # a file may have been written while one pressed
    assert out.count("out of turns │") + out.count("killed by") >= min(told, 50)
    assert "over all runs" in out


def test_a_simulation_tells_how_far_how_it_ended_and_what_was_used(capsys):
    kinds = [*item_kinds()]
    results = [
        BotResult(seed, 12, 18000, 301, "killed by warlord", 12, tuple(kinds[: 20 + 20 * seed]))
        for seed in range(2)
    ]
    results.append(BotResult(2, 12, 9000, 200, "victory", 12, ("healing_potion",)))
    results += [BotResult(3, 9, 9, 9, f"killed by {it}", 9, ()) for it in ("fire", "burning")]
    print_tables("text", result_tables(results), FORMATS)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    said = "\n".join(lines)
    assert said.count("killed by fire") == 3, "two runs, one end"
    for words in ("killed by Old Tusk the warlord", "victory", "share of deaths", "items used"):
        assert words in said
    assert all(item_kind_name(kind) in said for kind in kinds[:40])
    assert "potion of healing" in said


def test_simulated_runs_verify(tmp_path):
    done = run("simulate", "--seeds", "3:5", "--turns", 300, "--workers", 1, "--output", tmp_path)
    assert done.returncode == 0, done.stderr
    files = sorted(tmp_path.glob("*.jsonl"))
    assert len(files) == 2
    verified = run("replay", files[0], "--verify")
    assert verified.returncode == 0
    assert "turns   300" in verified.stdout
    again = run("simulate", "--seeds", "3:4", "--turns", 300, "--workers", 1, "--output", tmp_path)
    assert again.returncode == 2
    assert "exists already" in again.stderr


def test_the_points_of_simulated_runs_are_those_of_their_files(tmp_path):
    words = ("--seeds", "3:5", "--turns", 900, "--workers", 1, "--output", tmp_path, "--json")
    told = json.loads(run("simulate", *words).stdout)["runs"]
    listed = json.loads(run("runs", tmp_path, "--verify", "--json").stdout)
    points = {row["seed"]: row["points"] for row in listed}
    assert {str(row["seed"]): row["points"] for row in told} == points
    assert min(points.values()) > 0


def test_a_tampered_run_exits_4_and_another_version_3(tmp_path):
    run("simulate", "--seeds", "3:4", "--turns", 50, "--workers", 1, "--output", tmp_path)
    path = tmp_path / "run-3.jsonl"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:20], lines[21], *lines[21:]]) + "\n")
    done = run("replay", path, "--verify")
    assert done.returncode == 4
    assert "turn 20" in done.stderr
    header = json.dumps({**json.loads(lines[0]), "rules": 0})
    path.write_text("\n".join([header, *lines[1:]]) + "\n")
    assert run("replay", path, "--verify").returncode == 3
    path.write_bytes(b"\x00" * 100)
    assert run("replay", path, "--verify").returncode == 1


def test_one_seed_is_played_alone_and_no_more_runs_than_seeds(capsys):
    assert main(["simulate", "--seed", "4", "--turns", "20", "--workers", "1"]) == 0
    assert capsys.readouterr().out.count("│    4 │") == 1
    refused = "--runs 3 is more than the number of seeds given (1)"
    assert_refused(["simulate", "--seed", "4", "--runs", "3"], refused, capsys)


@pytest.mark.parametrize("option", ["--turns", "--workers"])
def test_a_wrong_option_leaves_no_folder_behind(option, tmp_path, capsys):
    words = ["simulate", "--seed", "4", "--output", str(tmp_path / "runs"), option, "x"]
    assert_refused(words, f"{option} 'x'", capsys)
    assert not (tmp_path / "runs").exists()


def test_the_random_bot_can_be_asked_for_by_name(tmp_path, capsys):
    words = ["simulate", "--seed", "4", "--turns", "120", "--workers", "1", "--output"]
    for bot in ("random", "plain"):
        assert main([*words, str(tmp_path / bot), "--bot", bot]) == 0
    random, plain = ((tmp_path / bot / "run-4.jsonl").read_text() for bot in ("random", "plain"))
    odd = ('"throw"', '"drop"', '"take_off"')
    assert any(word in random for word in odd)
    assert not any(word in plain for word in odd)
    assert main(["replay", str(tmp_path / "random" / "run-4.jsonl"), "--verify"]) == 0
    capsys.readouterr()
    assert_refused([*words[:3], "--bot", "rndom"], "there is no bot 'rndom'; there are", capsys)
