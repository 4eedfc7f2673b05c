"""Runs on file, most of them played by a bot."""

import json

from engine.bots.simple_bot import Bot
from engine.saves.files import new_run_path
from engine.saves.high_scores import daily_setup, today
from engine.saves.keyframes import keyframes_path
from engine.saves.run import Run
from engine.state.actions import Refused, Wait
from engine.state.run_setup import Mode, RunSetup

TURNS = 430
"""How long the run of the fixture `deep_run` is."""


def acted(run, bot):
    """Let the bot act once; what it cannot do becomes a wait."""
    events = run.act(bot.choose(run.state))
    if isinstance(events, Refused):
        events = run.act(Wait())
    assert not isinstance(events, Refused)
    bot.hear(events)


def survived(path, turns, depth):
    """Let bots play on small levels until one comes down to ``depth`` in ``turns`` turns, alive."""
    for seed in range(1, 100):
        run = played(path, turns, seed, generator="rooms", size=(30, 20))
        if run.state.hero.alive and run.state.depth >= depth:
            return run
        for file in path.parent.glob(f"{path.name}*"):
            file.unlink()
    raise AssertionError("nobody lives so long")


def played(path, turns=120, seed=3, mode=Mode.ADVENTURE, generator=None, size=None):
    """Let a bot play at most ``turns`` turns and return the run, its file closed."""
    run, bot = Run.begin(RunSetup(seed, str(seed), mode, generator, size=size), path), Bot()
    while run.state.turn < turns and run.state.hero.alive:
        acted(run, bot)
    run.close()
    return run


def copied(path, folder):
    """Copy a run and its keyframes into ``folder``; return where the run is there."""
    copy = folder / "copy.jsonl"
    copy.write_bytes(path.read_bytes())
    keyframes_path(copy).write_bytes(keyframes_path(path).read_bytes())
    return copy


def rewritten(path, change):
    """Let ``change`` alter the list of a run file's lines as plain data."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    change(lines)
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))


def headed(path, lines, **header):
    """Write a run whose header is changed; names of its setup reach into that."""
    lines = json.loads(json.dumps(lines))
    for name, value in header.items():
        holder = lines[0]["setup"] if name in RunSetup.__struct_fields__ else lines[0]
        holder[name] = value
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def begun(setup=None):
    """Begin today's dungeon, or another, wait a turn and return the path of the open run."""
    setup = setup or daily_setup(today())
    run = Run.begin(setup, new_run_path(setup.seed))
    run.act(Wait())
    run.close()
    return run.recorder.path
