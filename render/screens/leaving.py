"""Leaving a run, for now or for good; it asks where something would be lost."""

from engine.setup import Mode
from render.reports.ending import conclude
from render.screen import Home, Push, Reply, Swap
from render.screens.death import EndScreen
from render.screens.menu import question
from render.session import Session


def leave(session: Session) -> Reply:
    """Leave to the title; ask first if the disk has not taken all of the run."""
    if not session.lost:
        return Home()
    text = f"{session.lost[:1].upper()}{session.lost[1:]}. Leave all the same?"
    return Push(question(text, "Yes, leave it like that", lambda _: Home()))


def abandon(session: Session) -> Reply:
    """Ask whether to end the run for good."""

    def end() -> Reply:
        session.run.abandon()
        if session.setup.mode is Mode.WORKSHOP:
            return Home()
        return Swap(EndScreen(session, conclude(session, "abandoned")))

    return Push(question("Abandon this run for good?", "Yes, abandon it", lambda _: end()))
