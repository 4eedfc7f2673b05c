"""Runs that a bot played, on file."""

from engine.actions import Refused, Wait
from engine.bot import Bot
from engine.run import Run
from engine.setup import Mode, Setup


def acted(run, bot):
    """Let the bot act once; what it cannot do becomes a wait."""
    events = run.act(bot.choose(run.world))
    if isinstance(events, Refused):
        events = run.act(Wait())
    assert not isinstance(events, Refused)
    bot.hear(events)


def played(path, turns=120, seed=3, mode=Mode.ADVENTURE, generator=None):
    """Let a bot play at most ``turns`` turns and return the run, its file closed."""
    run, bot = Run.begin(Setup(seed, str(seed), mode, generator), path), Bot()
    while run.world.turn < turns and run.world.hero.alive:
        acted(run, bot)
    run.close()
    return run
