"""Recorded runs to watch, and a person before them."""

from engine.saves.digests import state_digest
from engine.saves.playback import Playback
from engine.saves.run import Run
from engine.saves.run_file import read_run
from engine.state.actions import Descend, Refused
from engine.state.run_setup import RunSetup
from render.replays.playhead import event_kind
from render.screens.replay_screen import ReplayScreen
from render.screens.screen import Push
from support.fake_backend import Person
from support.scenes import ROOMS
from workbench.search.bot_runs import simulate_run

TURNS = 700


def acted(path, setup, *actions):
    """Return a recorded run of these actions."""
    run = Run.begin(setup, path)
    for action in actions:
        assert not isinstance(run.act(action), Refused)
    run.close()
    return read_run(path)


def watching(recorded, **options):
    """Return a person before a replay that is paused, and the replay."""
    person = Person(**options)
    person.app.answer(Push(ReplayScreen(recorded)))
    person.presses("space")
    return person, person.top


def settled(person, replay):
    """Wait until the replay is where it was going."""
    for _ in range(1000):
        if replay.head.goal is None:
            return
        person.waits()
    raise AssertionError("it never arrives")


def states(recorded):
    """Return the digest after each turn, as playing it again gives them."""
    playback = Playback(recorded)
    state = playback.engine.state
    return [state_digest(state), *(state_digest(state) for _ in playback.to_end())]


def first_blow(recorded):
    """Return the first turn of the run on which someone was struck."""
    playback = Playback(recorded)
    for turn, events in enumerate(playback.to_end(), 1):
        if event_kind(events, playback.engine.state.hero.id) == "fight":
            return turn
    raise AssertionError("nobody fights in this run")


def broken(recorded, tmp_path, turn):
    """Return the run with a wrong action on ``turn``."""
    lines = recorded.path.read_text().splitlines()
    number = [n for n, line in enumerate(lines) if '"do"' in line][turn - 1]
    line = lines[number]
    action = line[line.index("[") : line.index("]") + 1]
    lines[number] = line.replace(action, '["descend"]', 1)
    path = tmp_path / "broken.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return read_run(path)


def bot_run(folder):
    """Return a bot's run through at least two depths."""
    simulate_run(RunSetup(1, "1", strata=ROOMS), TURNS, folder)
    recorded = read_run(folder / "run-1.jsonl")
    assert any(isinstance(action, Descend) for action, *_ in recorded.actions)
    return recorded
