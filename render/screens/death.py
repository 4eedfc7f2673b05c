"""The end of a run: what killed whom, and where the record lies."""

from render.screen import Home, Pop, Push
from render.screens.history import history_screen
from render.screens.menu import Choice, Menu
from render.sentences import name_of
from render.session import Session


def death_screen(session: Session) -> Menu:
    """Return what is shown when the hero has died."""
    world = session.run.world
    killer = name_of(world.killed_by or "hero", definite=False)
    lead = (
        f"Killed by {killer} on depth {world.depth}, turn {world.turn}, after {world.kills} kills."
    )
    menu = Menu(
        "You die",
        [
            Choice("Look at the place", "l", Pop),
            Choice("Messages", "m", lambda: Push(history_screen(session.log))),
            Choice("To the title", "t", Home),
        ],
        lead=lead,
    )
    recorder = session.run.recorder
    if recorder and not recorder.problem:
        session.say(f"The run is recorded: {recorder.path}", "dim")
        session.say(f'Watch it: python main.py replay "{recorder.path}"', "dim")
    return menu
