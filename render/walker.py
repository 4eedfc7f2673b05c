"""A journey under way: one action at a time, until it says why it stops."""

from engine.actions import Action
from engine.events import Event, Spotted
from engine.journeys import Journey, Stop, enemies_in_view
from render.keys import first_key
from render.naming import name_of
from render.sentences import STOPS
from render.session import Session


class Walker:
    """Asks a journey for actions, feeds it what came of them, and says why it ended."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._journey: Journey | None = None
        self._events: list[Event] = []

    @property
    def walking(self) -> bool:
        """Whether a journey is under way."""
        return self._journey is not None

    def set_out(self, journey: Journey) -> Action | None:
        """Begin ``journey`` and return its first action, None if it ends at once."""
        self._journey, self._events = journey, []
        return self._taken(first=True)

    def stride(self) -> Action | None:
        """Return the next action, None if there is none."""
        return self._taken(first=False) if self._journey else None

    def hear(self, events: list[Event]) -> None:
        """Take note of what came of the last action."""
        self._events = events

    def stop(self) -> None:
        """Give up the journey without a word."""
        self._journey = None

    def _taken(self, *, first: bool) -> Action | None:
        assert self._journey is not None
        try:
            return next(self._journey) if first else self._journey.send(self._events)
        except StopIteration as end:
            self._journey = None
            reason: Stop = end.value
            self._session.say(self._why(reason, first=first), "dim")
            return None

    def _why(self, reason: Stop, *, first: bool) -> str:
        """Return why the journey ended, empty if what happened has said it already."""
        if reason is not Stop.ENEMY:
            return STOPS.get(reason, "").format(descend=first_key("play", "descend"))
        foes = enemies_in_view(self._session.run.world)
        if not foes or any(isinstance(event, Spotted) for event in self._events):
            return ""
        name = name_of(foes[0].kind)
        return f"Not while {name} is in view." if first else f"You stop: {name} is in view."
