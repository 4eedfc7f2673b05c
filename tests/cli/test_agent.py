"""`agent`: a program plays by lines of JSON, as a process of its own and within this one."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("gymnasium", reason="pip install -r requirements-env.txt")

from cli.agent import answer, observed
from engine.state.run_setup import RunSetup
from entities.talents import talents
from procgen.recipe_builder import BuildFailed
from support.command_line import PLAIN, assert_refused, run
from support.paths import ROOT
from workbench.learning.environment import SeedhollowEnv
from workbench.learning.observations import ACTIONS, FIGURES


class Agent:
    """A client, and the program that it talks to."""

    def __init__(self, *options):
        self.process = subprocess.Popen(
            [sys.executable, str(ROOT / "main.py"), "agent", *map(str, options)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**PLAIN, "SEEDHOLLOW_DATA": os.environ["SEEDHOLLOW_DATA"]},
        )
        self.lines = []

    def hears(self):
        """Return the next answer."""
        self.lines.append(self.process.stdout.readline())
        return json.loads(self.lines[-1])

    def says(self, request):
        """Send a request, or bytes as they are, and return the answer."""
        line = request if isinstance(request, bytes) else json.dumps(request).encode()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()
        return self.hears()

    def ends(self):
        """Close standard input; return the exit code and everything else that was printed."""
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out + err


def play(agent, seed, turns=200, by_number=False):
    """Play possible actions at random and return the answers."""
    rng, told = Random(seed), [agent.hears() if not agent.lines else agent.says({"seed": seed})]
    for _ in range(turns):
        name = rng.choice([*told[-1]["actions"]])
        reply = agent.says({"action": told[-1]["actions"][name] if by_number else name})
        if "error" not in reply:
            told.append(reply)
        if told[-1]["done"]:
            break
    return told


def test_a_client_plays_and_its_recorded_run_verifies(tmp_path):
    agent = Agent("--seed", 6, "--record", tmp_path)
    told = play(agent, 5)
    assert len(told) > 150
    assert agent.ends() == (0, b"")
    turns = told[-1]["observation"]["figures"]["turn"]
    (path,) = tmp_path.glob("*/*.jsonl")
    done = run("replay", path, "--verify")
    assert done.returncode == 0
    assert told[-1]["code"] in done.stdout
    assert turns > 100
    for one in told:
        seen = one["observation"]
        figures = seen["figures"]
        assert seen["rows"][figures["y"]][figures["x"]] == "@"
        assert [*figures] == [*FIGURES]
        assert all(ACTIONS[number] == name for name, number in one["actions"].items())
    assert told[0]["observation"]["pack"]["a"]["item"] == "dagger"
    assert (told[0]["reward"], told[0]["messages"]) == (0.0, "")
    assert any(one["messages"] for one in told)


def test_a_seed_repeats_byte_for_byte_by_names_and_by_numbers():
    once, again = Agent("--seed", 7), Agent("--seed", 7)
    play(once, 7, 120)
    play(again, 7, 120, by_number=True)
    assert once.lines == again.lines
    first, second = (len(agent.lines) for agent in (once, again))
    assert once.says({"reset": True}) == json.loads(once.lines[0])
    play(once, 8, 60)
    play(again, 8, 60)
    assert once.lines[first + 1 :] == again.lines[second:]
    assert once.says({"seed": "7"}) == json.loads(once.lines[0])
    assert once.ends() == again.ends() == (0, b"")


BAD = {
    b'{"action"': 'Input data was truncated; send {"action": "wait"}',
    b"": "a line asks for one thing, not for 0: send",
    b"  ": "a line asks for one thing, not for 0: send",
    b"[]": "Expected a table, got a list",
    b"[" * 900: "Expected a table, got a list",
    b'{"action": "\xff"}': "the line is not text in UTF-8; send",
    b'{"action": true}': "action: Expected a whole number or text or nothing, got true or false",
    b'{"do": 8}': "unknown field",
    b"{}": "a line asks for one thing, not for 0",
    b'{"reset": false}': "a line asks for one thing, not for 0",
    b'{"action": 8, "reset": true}': "a line asks for one thing, not for 2",
    b'{"action": 98}': "there is no action '98'; numbers are 0 to 97",
    b'{"action": "0"}': "numbers are 0 to 97, without quotes",
    b'{"action": -1}': "there is no action '-1'",
    b'{"action": 100000000000000000000000}': "there is no action '100000000000000000000000'",
    b'{"action": "move nort"}': "there is no action 'move nort' (do you mean move north?)",
    b'{"action": "MOVE NORTH"}': "(do you mean move north?)",
    b'\xef\xbb\xbf{"action": "climb"}': "climb is refused: No stairs lead up from here.",
    rb'{"seed": "\ud800"}': "JSON is malformed: unexpected end of escaped utf-16 surrogate pair",
    b'{"action": "climb"}': "climb is refused: No stairs lead up from here.",
    b'{"action": "throw z"}': "throw z is refused: No such item or talent.",
    b'{"action": 0}': "move north is refused: Something is in the way.",
    b'{"seed": ""}': "a seed cannot be empty",
    b'{"seed": 18446744073709551616}': "out of range",
    b'{"action": 8' + b" " * 1000 + b"}": "a line has at most 1,000 bytes",
    b'{"action": 8}' + b" " * 5000: "a line has at most 1,000 bytes",
}


def test_a_bad_request_is_one_sentence_and_nothing_is_lost():
    spoiled, clean = Agent("rooms:7:1@40x25"), Agent("rooms:7:1@40x25")
    for agent in (spoiled, clean):
        answer = agent.hears()
        while "move north" in answer["actions"]:
            answer = agent.says({"action": "move north"})
    for line, words in BAD.items():
        answer = spoiled.says(line)
        assert [*answer] == ["error"], line
        assert words in answer["error"]
        assert "\n" not in answer["error"]
    assert spoiled.says({"action": "wait"}) == clean.says({"action": "wait"})
    assert spoiled.ends() == clean.ends() == (0, b"")


def test_a_last_line_without_its_end_is_answered():
    agent = Agent("caves:7")
    agent.hears()
    agent.process.stdin.write(b'{"action": "wait"}')
    code, rest = agent.ends()
    assert code == 0
    assert json.loads(rest)["observation"]["figures"]["turn"] == 1


def test_a_reader_that_goes_away_ends_it_quietly():
    agent = Agent("caves:7")
    agent.hears()
    agent.process.stdout.close()
    agent.process.stdin.write(b'{"action": "wait"}\n' * 50)
    agent.process.stdin.close()
    assert agent.process.wait(60) == 0
    assert agent.process.stderr.read() == b""


@pytest.mark.parametrize("language", ["python", "js"])
def test_the_clients_of_the_page_play(language):
    page = (ROOT / "docs" / "learning.md").read_text(encoding="utf-8")
    code = page.partition("## Other languages")[2].partition(f"```{language}\n")[2]
    code = code.partition("```")[0]
    program = [sys.executable, "-c"] if language == "python" else ["node", "-e"]
    if not shutil.which(program[0]):
        pytest.skip("Node is not installed")
    here = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    done = subprocess.run(
        [*program, code],
        check=False, cwd=ROOT, capture_output=True, text=True, timeout=120,
        env={**PLAIN, "PATH": here},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert ("@" if language == "python" else ".") in done.stdout


def begun(setup, *planes):
    """Return an environment in which a run has begun, and the first answer."""
    env = SeedhollowEnv(observations=["figures", "pack", *planes])
    return env, observed(env, env.begin(setup)[0])


def test_when_the_hero_dies_the_run_is_over_and_can_only_begin_anew():
    env, first = begun(RunSetup(3, "3", generator="rooms", size=(40, 25)))
    env.state.hero.fighter.hp = 1
    env.state.hero.statuses["poisoned"] = 50
    for _ in range(60):
        told = answer(env, b'{"action": "wait"}')
        if told["done"]:
            break
    assert (told["done"], told["actions"]) == (True, {})
    assert "die" in told["messages"] or "kill" in told["messages"]
    assert "the run is over" in answer(env, b'{"action": "wait"}')["error"]
    assert answer(env, b'{"reset": true}') == first


def test_planes_are_added_as_numbers():
    seen = begun(RunSetup(3, "3"), "view", "map")[1]["observation"]
    assert (len(seen["view"]), len(seen["view"][0]), len(seen["map"][0])) == (4, 21, 45)
    assert isinstance(seen["view"][0][10][10], int)
    assert len(seen["planes"]) == 4
    env, _ = begun(RunSetup(3, "3"), "view")
    later = answer(env, b'{"action": "wait"}')["observation"]
    assert "view" in later
    assert "planes" not in later, "once a run is enough"
    assert "view" not in begun(RunSetup(3, "3"))[1]["observation"]


def test_a_level_that_cannot_be_built_leaves_the_run_as_it_is(monkeypatch):
    def fails(*_):
        raise BuildFailed("cannot be built")

    env, _ = begun(RunSetup(3, "3"))
    state = env.state
    with monkeypatch.context() as patch:
        patch.setattr("workbench.learning.environment.Run.begin", fails)
        assert answer(env, b'{"seed": 4}') == {"error": "cannot be built"}
    assert env.state is state
    assert state.setup.seed == 3
    assert "error" not in answer(env, b'{"action": "wait"}')


def test_without_a_seed_it_is_seed_0():
    agent = Agent("--generator", "caves", "--depth", 3, "--size", "50x30", "--set", "lakes=off")
    assert agent.hears()["code"] == "caves.1;lakes=off:0:3@50x30"
    assert agent.says({"seed": 9})["code"] == "caves.1;lakes=off:9:3@50x30"
    assert agent.ends()[0] == 0


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["caves:7", "--seed", 3], "a level code has its seed"),
        (["caves:7", "--size", "50x30"], "leave out --size"),
        (["--set", "lakes=off"], "--set needs a --generator"),
        (["--generator", "cavs"], "do you mean caves?"),
        (["--seed", ""], "a seed cannot be empty"),
        (["--seed", " "], "a seed cannot be empty"),
        (["caves:7", "--seed", ""], "a level code has its seed"),
        (["--record", ""], "--record '' names no file"),
        (["--size", "9000x9000"], "9000x9000"),
    ],
)
def test_wrong_options_are_one_sentence(words, fault, capsys):
    assert_refused(["agent", *words], fault, capsys)


def test_without_gymnasium_it_says_how_to_install_it(monkeypatch, capsys):
    for name in [name for name in sys.modules if name.startswith("workbench.learning.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "cli.agent")
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    assert_refused(["agent"], "agent needs gymnasium: pip install -r requirements-env.txt", capsys)


def test_the_talents_on_offer_are_named_and_learned_by_their_number():
    agent = Agent("--seed", 7)
    first = agent.hears()
    assert len(first["talents"]) == 3
    assert {"learn 1", "learn 2", "learn 3"} <= first["actions"].keys()
    told = agent.says({"action": "learn 2"})
    assert f"You set out as a {talents()[first['talents'][1]].name.lower()}." == told["messages"]
    assert told["talents"] == []
    assert agent.ends() == (0, b"")
