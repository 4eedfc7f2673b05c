"""The comparison with rot.js: what is asked of it, what is said of it, and without it."""

import json
import sys
from contextlib import suppress

import numpy as np
import pytest
from gymnasium.spaces import Discrete

from entities.data_files import DATA
from main import main
from procgen.blueprint import Rejected
from workbench.peers import Comparison, RotJs, cave_of, comparisons, random_steps

ANSWERS = """#!{python}
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    assert "cave" not in asked or set(asked["cave"]) == set("01")
    assert asked["width"] * asked["height"] == len(asked.get("cave", "")) or "cave" not in asked
    print(0.5 if asked["case"] else "no", flush=True)
"""


@pytest.fixture
def node(tmp_path, monkeypatch):
    """Return the function that puts a program in the place of Node."""

    def put(text):
        path = tmp_path / "node"
        path.write_text(text.format(python=sys.executable))
        path.chmod(0o755)
        monkeypatch.setattr("workbench.peers.shutil.which", {"node": str(path)}.get)

    return put


@pytest.fixture(autouse=True)
def little(monkeypatch):
    """Keep the comparison short."""
    monkeypatch.setattr("workbench.peers.BATCH_MS", 0.001)
    monkeypatch.setattr("workbench.peers.ROUNDS", 2)
    small = [Comparison(one.name, one.ours, ((60, 40),), one.on_cave) for one in comparisons()]
    monkeypatch.setattr("workbench.peers.comparisons", lambda: small)


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a script with a #! line")
def test_every_work_is_timed_on_both_sides_and_compared_with_earlier_figures(
    node, tmp_path, monkeypatch, capsys
):
    node(ANSWERS)
    monkeypatch.setattr("workbench.peers.ENVIRONMENTS", {})
    assert main(["bench", "--peers", "--json"]) == 0
    out = capsys.readouterr().out
    found = {one["name"]: one for one in json.loads(out)["figures"]}
    for one in comparisons():
        name = f"{one.name} 60x40"
        ours, ratio = found[name], found[f"{name}: ours to rot.js"]
        assert found[f"{name}: rot.js"]["median"] == 0.5
        assert ratio["unit"] == "times"
        assert ratio["median"] == pytest.approx(ours["median"] / 0.5, abs=0.003)
        assert ours["median"] > 0
    (tmp_path / "then.json").write_text(out)
    assert main(["bench", "--peers", "--against", str(tmp_path / "then.json")]) == 0
    assert "ratio" in capsys.readouterr().out


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a script with a #! line")
def test_environments_are_stepped_beside_those_that_are_installed(node, monkeypatch, capsys):
    node(ANSWERS)
    monkeypatch.setattr("workbench.peers.comparisons", list)
    monkeypatch.setattr("workbench.peers.STEPS", 3)
    monkeypatch.setattr("workbench.peers.PORTION", 1)
    monkeypatch.setattr("workbench.peers.ENVIRONMENTS", {"gymnasium": "CartPole-v1", "nil": "no"})
    assert main(["bench", "--peers", "--json"]) == 0
    ours, theirs, ratio = json.loads(capsys.readouterr().out)["figures"]
    assert ours["name"] == "environment Seedhollow-v0: random steps"
    assert theirs["name"] == "environment CartPole-v1: random steps"
    assert ratio["median"] == pytest.approx(theirs["median"] / ours["median"], rel=0.05)


def test_a_level_that_is_rejected_does_not_end_the_comparison(monkeypatch):
    checked = []

    def reject(plan):
        checked.append(plan)
        raise Rejected("too little floor")

    monkeypatch.setattr("workbench.peers.validate", reject)
    for one in comparisons():
        if one.name == "joined caves, validated":
            one.ours((60, 40), None)(3)
    assert len(checked) == 1


def test_the_levels_compared_are_valid_but_for_a_few(monkeypatch):
    rejected = []

    class Counted(suppress):
        def __exit__(self, kind, fault, trace):
            rejected.extend([fault] if kind else [])
            return super().__exit__(kind, fault, trace)

    monkeypatch.setattr("workbench.peers.suppress", Counted)
    checked = [case for case in comparisons() if case.name.endswith(("validated", "monsters"))]
    assert len(checked) >= 8
    for case in checked:
        work = case.ours((80, 45), None)
        rejected.clear()
        for seed in range(8):
            work(seed)
        assert len(rejected) <= 1, case.name


def test_random_steps_take_allowed_actions_only_and_begin_anew_at_an_end():
    class Env:
        action_space = Discrete(9)
        resets, taken = 0, ()

        def reset(self, seed=None):
            self.resets += 1
            return 0, {"action_mask": np.arange(9) % 4 == 0}

        def step(self, action):
            self.taken = (*self.taken, action)
            return 0, 0, len(self.taken) % 5 == 0, False, {"action_mask": np.arange(9) % 4 == 0}

    env, other = Env(), Env()
    spent = random_steps({"one": env, "other": other}, 300, 1)
    assert min(spent.values()) > 0
    assert list(spent) == ["one", "other"]
    assert len(env.taken) == len(other.taken) == 300
    assert set(env.taken) == {0, 4, 8}
    assert env.resets == 1 + 300 // 5


@pytest.mark.parametrize("text", [None, "#!/bin/sh\nexit 1\n"])
@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a script with a #! line")
def test_without_node_or_rot_js_one_sentence_says_what_is_missing(text, node, monkeypatch, capsys):
    if text:
        node(text)
    else:
        monkeypatch.setattr("workbench.peers.shutil.which", lambda _: None)
    assert main(["bench", "--peers"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "rot.js" in said.err


def test_the_driver_knows_every_work_by_name():
    text = (DATA / "bench" / "rot_js.mjs").read_text()
    cases = text[text.index("const CASES") :]
    for one in comparisons():
        name = one.name.partition(",")[0]
        assert f"  {name}" in cases or f'  "{name}":' in cases, name


def test_rot_js_itself_answers_where_it_is_installed():
    try:
        peer = RotJs()
    except OSError:
        pytest.skip("rot.js is not installed here")
    cave = cave_of((60, 40))
    try:
        for one in comparisons():
            assert (
                peer.time(one.name.partition(",")[0], (60, 40), 1, 3, cave if one.on_cave else None)
                > 0
            )
    finally:
        peer.close()
