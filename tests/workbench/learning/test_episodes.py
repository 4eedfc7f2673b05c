"""Episodes of the Gymnasium environment: which ones there are, and what is told of their ends."""

import json
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="pip install -r requirements-env.txt")

import seedhollow
from engine.bots import CarefulBot, CarelessBot
from engine.saves.run_file import read_run
from engine.state.score import score
from main import main
from support.paths import ROOT
from workbench.learning.environment import SeedhollowEnv

seedhollow.register_environment()


def played(env, bot):
    """Let ``bot`` play the episode that has begun; return the last ``info``."""
    for _ in range(5000):
        action = bot.choose(env.state)
        _, _, over, _, info = env.act(action)
        bot.hear(env.events)
        if over:
            return info
        assert (info["end"], info["success"]) == ("", False)
    raise AssertionError("the bot never ends")


def test_the_last_info_tells_how_the_episode_ended_and_which_one_it_was(tmp_path):
    env = SeedhollowEnv(levels="test", record=tmp_path)
    _, first = env.reset(options={"seed": 1000000007})
    last, state = played(env, CarelessBot()), env.state
    assert not state.hero.alive
    assert last["end"] == state.end
    assert last["end"].startswith("killed by ")
    assert (last["success"], last["seed"], last["score"]) == (False, 10**9 + 7, score(state).total)
    assert last["deepest"] == state.deepest > 1
    assert last["first_code"] == first["code"] == first["first_code"]
    env.close()
    assert read_run(Path(last["file"])).end == last["end"]


def test_the_last_info_of_a_level_by_code_tells_whether_its_exit_was_reached():
    env = SeedhollowEnv(levels="rooms:7:2@40x25")
    assert "file" not in env.reset(seed=1)[1]
    info = played(env, CarefulBot())
    assert (info["end"], info["success"]) == ("left the level", True)
    assert (info["first_code"], info["seed"]) == ("rooms.1:7:2@40x25", 7)
    assert info["code"] != info["first_code"]


def test_the_environment_can_be_made_by_the_name_of_its_module():
    words = "import gymnasium; print(gymnasium.make('seedhollow:Seedhollow-v0'))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", words], check=True, capture_output=True, cwd=ROOT
    )
    assert b"<SeedhollowEnv<Seedhollow-v0>>" in done.stdout


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_every_environment_records_to_a_numbered_folder_that_runs_lists(mode, tmp_path, capsys):
    for _ in range(2):
        many = gymnasium.make_vec(
            "Seedhollow-v0", 2, mode, levels="caves:7@20x15", record=tmp_path / "runs"
        )
        _, info = many.reset(seed=1)
        many.close()  # Async ones made one environment more, which left no folder.
    folders = [f"env-{number}" for number in range(4)]
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == folders
    found = sorted(Path(path).parent.name for path in info["file"])
    assert found == folders[2:]
    assert main(["runs", str(tmp_path / "runs"), "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert sorted(row["name"] for row in rows) == [str(Path(name, "000001-7")) for name in folders]
    assert {*info["file"]} < {row["path"] for row in rows}


def sweep(levels, stride, first, resets):
    """Return the codes of the episodes of ``resets``, the first with the seed ``first``."""
    env = SeedhollowEnv(levels=levels, stride=stride, observations="figures")
    begun = [env.reset(seed=first)] + [env.reset() for _ in range(resets - 1)]
    return [info["first_code"].split(":")[1] for _, info in begun]


def test_with_a_stride_episodes_come_in_order_and_the_first_follows_the_last():
    codes = ["caves:7@20x15", "caves:8@20x15", "caves:9@20x15"]
    assert sweep(codes, 1, 0, 4) == ["7", "8", "9", "7"]
    assert sweep(codes, 2, 1, 3) == ["8", "7", "9"]
    assert sweep("test", 500, 1, 3) == ["1000000001", "1000000501", "1000000001"]


def test_environments_side_by_side_play_each_seed_of_the_test_set_once():
    many = gymnasium.make_vec(
        "Seedhollow-v0", 3, levels="test", stride=3, recipe="caves", max_episode_steps=1
    )
    _, info = many.reset(seed=0)
    begun = info["seed"].tolist()
    while len(begun) < 9:
        _, _, _, ended, info = many.step(np.array([8, 8, 8]))
        if not ended.any():  # The step that resets.
            begun += info["seed"].tolist()
    assert begun == list(range(10**9, 10**9 + 9))


@pytest.mark.parametrize("mode", list(gymnasium.vector.AutoresetMode)[:2])
def test_a_vector_of_environments_keeps_what_is_told_of_an_end(mode):
    highest = 2**64 - 1
    code = f"caves:{highest}@20x15"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        many = gymnasium.make_vec(
            "Seedhollow-v0",
            num_envs=2,
            levels=code,
            max_episode_steps=3,
            vector_kwargs={"autoreset_mode": mode},
        )
    many.reset(seed=1)
    for _ in range(3):
        _, _, _, truncated, info = many.step(np.array([8, 8]))
    assert truncated.all()
    info = info.get("final_info", info)
    assert info["seed"].tolist() == [highest, highest]
    assert info["end"].tolist() == ["", ""]
    assert set(info["first_code"]) == {f"caves.1:{highest}:1@20x15"}
