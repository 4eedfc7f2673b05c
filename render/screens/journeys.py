"""Journeys of the hero, run one action at a time, and the threats that they need not stop for."""

from collections.abc import Callable, Collection

from components import AiState
from engine.pathfinding import auto_travel
from engine.pathfinding.threats import threats_in_view
from engine.state.actions import Action
from engine.state.events import Event, Noticed, Spotted
from render.messages.refusal_messages import items_here, stop_message
from render.session.session import Session


class JourneyRunner:
    """Runs a journey (explore, travel, rest, run) one action at a time; events are sent back to it.

    A journey is a generator, so the screen can draw between two steps and a key can stop it.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._journey: auto_travel.Journey | None = None
        self._events: list[Event] = []
        self._known: Collection[int] = ()
        self.offer: tuple[int, int] | None = None  # What explore takes, uses or opens next.

    @property
    def active(self) -> bool:
        """True if a journey is under way."""
        return self._journey is not None

    def start(self, journey: auto_travel.Journey, known_ids: Collection[int] = ()) -> Action | None:
        """Start ``journey`` past the monsters ``known_ids``; return its first action, if any."""
        self._journey, self._events, self._known = journey, [], known_ids
        return self.next_action(first=True)

    def handle(self, events: list[Event]) -> None:
        """Remember the events of an action for the journey; name items that a step ends on."""
        self._events, self.offer = events, None
        self._session.answer("" if self.active else items_here(self._session.run.state, events))

    def stop(self) -> None:
        """Stop the journey without a message."""
        self._journey = None

    def next_action(self, *, first: bool = False) -> Action | None:
        """Return the next action of the journey; if it is over, say why and return None."""
        assert self._journey is not None
        try:
            return next(self._journey) if first else self._journey.send(self._events)
        except StopIteration as end:
            self._journey = None
            met = any(isinstance(event, Spotted | Noticed) for event in self._session.news)
            state, hurt = self._session.run.state, self._session.badly_hurt
            if not (first and end.value is auto_travel.Stop.ENEMY):  # Else the same key goes on.
                self.offer = auto_travel.offer(state, end.value)
            why = stop_message(state, end.value, self._known, first=first, told=met, hurt=hurt)
            self._session.answer(why)
            return None


AGAIN_SECONDS = 0.5
"""A second press sooner than this after a refusal may be a key held down or typed ahead."""
REPEAT_SECONDS = 0.15
"""The longest gap between presses of a held key, except between the first two."""


class KnownThreats:
    """The monsters in view that the player knows of and wants to pass.

    A journey is refused while a threat is in view. If the player repeats the command after seeing
    the refusal, that means "I know"; those monsters then stop no journey while they stay in view.
    """

    def __init__(self, session: Session, clock: Callable[[], float]) -> None:
        self._session = session
        self._clock = clock
        self._hunting: dict[int, bool] = {}  # Whether each of them hunted when it was passed.
        # When each command was refused since the last action; below, the one not drawn yet.
        self._refusals: dict[str, float] = {}
        self._unseen = ""
        self._slow_presses = 0

    def ids(self, command: str) -> frozenset[int]:
        """Return the ids of monsters that ``command`` need not stop for."""
        foes = self._threats()
        # A monster that comes back into view is news again; so is one that begins to hunt.
        before = self._hunting.items()
        self._hunting = {id_: was for id_, was in before if id_ in foes and (was or not foes[id_])}
        refused = self._refusals.pop(command, None)
        if refused is None or command == self._unseen:
            self._slow_presses = 0
            return frozenset(self._hunting)
        elapsed = self._clock() - refused
        self._slow_presses = self._slow_presses + 1 if elapsed >= REPEAT_SECONDS else 0
        # Three presses in a row are meant, even fast ones; a held key makes no two long gaps.
        if elapsed >= AGAIN_SECONDS or self._slow_presses > 1:
            # A player who fights on knows that they hunt the hero, or soon will.
            self._hunting = dict.fromkeys(foes, True) if command == "fight" else foes
        return frozenset(self._hunting)

    def _threats(self) -> dict[int, bool]:
        threats = threats_in_view(self._session.run.state)
        return {foe.id: foe.ai is not None and foe.ai.state is AiState.HUNTING for foe in threats}

    def refused(self, command: str) -> None:
        """Remember that ``command`` was refused just now, if a threat in view was the reason."""
        if self._threats().keys() - self._hunting.keys():
            self._refusals[command], self._unseen = self._clock(), command

    def shown(self) -> None:
        """Note that the screen was drawn, and a refusal with it."""
        self._unseen = ""

    def forget_refusals(self) -> None:
        """Forget all refusals: the player has acted, so they may no longer be true."""
        self._refusals.clear()
