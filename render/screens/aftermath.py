"""What comes after an action: the end, the goal, a new level."""

from engine.events import Event, LeveledUp, Won
from engine.journeys import enemies_in_view
from render.reports.ending import Ending, conclude
from render.screen import Push, Reply, Swap
from render.screens.death import EndScreen
from render.screens.talents import talent_screen
from render.screens.victory import VictoryScreen
from render.session import Session


class Aftermath:
    """Watches a run for what has to be shown at once, each once."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._ending: Ending | None = None
        self._offer = False

    def of(self, events: list[Event]) -> Reply:
        """Return the screen that ``events`` call for, if any."""
        if not self._session.run.world.hero.alive:
            return self.over()
        self._offer |= any(isinstance(event, LeveledUp) for event in events)
        if any(isinstance(event, Won) for event in events):
            return Push(VictoryScreen(self._session, self._won))
        if self._offer and not enemies_in_view(self._session.run.world):
            self._offer = False
            chosen = talent_screen(self._session)
            return Push(chosen) if chosen else None
        return None

    def over(self) -> Reply:
        """Show how the run ended; its records are written the first time."""
        if self._ending is None:
            killer = self._session.run.world.killed_by
            self._ending = conclude(self._session, f"killed by {killer}")
        return Push(EndScreen(self._session, self._ending))

    def _won(self) -> Reply:
        """End the run as won."""
        self._session.run.abandon("won")
        return Swap(EndScreen(self._session, conclude(self._session, "won")))
