"""Where one is in a recorded run: it plays, jumps, and remembers what was said on the way."""

import time
from collections.abc import Callable

from engine.events import Event
from engine.record import RecordedRun
from engine.run import OutOfSync, Playback, Run
from render.chapters import Chapters
from render.log import Message, MessageLog
from render.session import Session

SLICE = 1 / 30
"""Seconds of work between two looks at the keyboard, on a long way."""
LEAD = 60
"""Turns played before a place that was jumped to, so that the messages there can be read."""
FAR = 2000
"""Turns from which the way to a place is not worth hearing about."""
HOP = 250
"""Turns taken in one go, unheard."""
GAP = Message("…", "faint", 0)


class Playhead:
    """A place in a recorded run, up to ``end``, the last turn that can be shown.

    Long ways are gone in slices: ``goal`` is the turn to stop at while one is under way.
    ``fault`` says in a sentence why the run cannot be shown further than ``end``.
    """

    def __init__(self, recorded: RecordedRun) -> None:
        self.recorded = recorded
        self.chapters = Chapters(recorded)
        self.end = len(recorded.actions)
        self.fault = ""
        self.goal: int | None = None
        self._until: Callable[[int], bool] | None = None
        self._said: dict[int, list[Message]] = {}
        self.playback = Playback(recorded)
        self.session = Session(Run(self.playback.engine))
        self._recall()

    @property
    def position(self) -> int:
        """How many turns have been played."""
        return self.playback.position

    @property
    def at_end(self) -> bool:
        """Whether there is no further turn to show."""
        return self.position >= self.end

    def step(self) -> bool:
        """Play one turn; return whether there was one, and whether it came out as recorded."""
        if self.at_end:
            return False
        try:
            events = self.playback.step()
        except OutOfSync as fault:
            self._diverge(fault)
            return False
        self._hear(events)
        return True

    def go(self, turn: int) -> None:
        """Set out for a turn, back or forth; `work` goes on if it is far."""
        self.goal, self._until = max(0, min(turn, self.end)), None
        if self.goal < self.position:
            self._jump(max(0, self.goal - LEAD))
            self._recall()
        self.work()

    def pursue(self, kinds: Callable[[int], bool]) -> None:
        """Set out for the next turn that ``kinds`` holds for, or the end."""
        self.goal, self._until = self.end, kinds
        self.work()

    def halt(self) -> None:
        """Stay here, wherever one was going."""
        self.goal = self._until = None

    def work(self, seconds: float = SLICE) -> None:
        """Go on towards the goal for about as long as a picture can wait."""
        until = time.monotonic() + seconds
        while self.goal is not None and (self._hop() or self._stride()):
            if time.monotonic() >= until:
                return

    def _stride(self) -> bool:
        """Play a turn towards the goal; return whether there is further to go."""
        there = self.goal is None or self.position >= self.goal
        if there or not self.step() or (self._until and self._until(self.position)):
            self.halt()
            return False
        return True

    def _hop(self) -> bool:
        """Skip some turns of a long way; return whether that was done."""
        if self.goal is None or self._until or self.goal - self.position <= FAR:
            return False
        self._jump(min(self.position + HOP, self.goal - LEAD))
        self._recall()
        return not self.fault

    def _jump(self, turn: int) -> None:
        try:
            self.playback.seek(turn)
        except OutOfSync as fault:
            self._diverge(fault)

    def _diverge(self, fault: OutOfSync) -> None:
        """Go back to the last turn that came out as recorded, and end there from now on."""
        self.halt()
        self.fault = f"{str(fault)[:1].upper()}{str(fault)[1:]}."
        self.end = fault.turn - 1
        self.playback = Playback(self.recorded)
        self.session.run.engine = self.playback.engine
        self.playback.seek(self.end)
        self._recall()

    def _hear(self, events: list[Event]) -> None:
        """Put a turn's events into words, and keep them for when it is come back to."""
        log, session, turn = self.session.log, self.session, self.position
        session.log = MessageLog()
        session.hear(events)
        self._said[turn], session.log = session.log.messages, log
        _say(log, self._said[turn])
        self.chapters.hear(turn, events, session.run.world.hero.id)

    def _recall(self) -> None:
        """Put together what had been said by now, as far as it was heard."""
        log = self.session.log = MessageLog()
        heard = True
        for turn in range(1, self.position + 1):
            if turn in self._said:
                _say(log, self._said[turn])
            elif heard and log.messages:
                _say(log, [GAP])
            heard = turn in self._said


def _say(log: MessageLog, messages: list[Message]) -> None:
    for message in messages:
        for _ in range(message.count):
            log.add(message.text, message.color, message.turn)
