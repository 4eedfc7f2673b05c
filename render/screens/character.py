"""Who the hero is."""

from render.reports.hero import hero_lines
from render.screens.reader import Reader
from render.session import Session


def character_screen(session: Session) -> Reader:
    """Return the character sheet."""
    return Reader("You", lambda width: hero_lines(session.run.world, width))
