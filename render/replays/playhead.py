"""Where one is in a recorded run: it plays, jumps, and remembers what was said on the way."""

import time
from collections.abc import Callable, Iterator

from engine.saves.playback import Desync, Playback, Trail
from engine.saves.run import Run
from engine.saves.run_file import RecordedRun
from engine.state.events import Event
from render.messages.message_log import Message, MessageLog
from render.replays.chapters import Chapters
from render.session.session import Session

SLICE = 1 / 30
"""Seconds of work between two looks at the keyboard, on a long way."""
LEAD = 60
"""Turns played before a place that was jumped to, so that the messages there can be read."""
ENOUGH = 20
"""Turns of them that do if they are known already."""
FEW = 8
"""Turns of them that do at least if one goes back by a turn."""
GAP = Message("…", "faint", 0)


class Playhead:
    """A place in a recorded run, up to ``end``, the last turn that can be shown.

    Long ways are gone in slices: ``goal`` is the turn to stop at while one is under way.
    ``fault`` says in a sentence why the run cannot be shown further than ``end``. A run of
    another version cannot be played, only paged through, from keyframe to keyframe.
    """

    def __init__(self, recorded: RecordedRun) -> None:
        self.recorded = recorded
        self.chapters = Chapters(recorded)
        self.end = len(recorded.actions)
        self.fault = ""
        if recorded.fault and not recorded.foreign:
            self.fault = self._said_of(f"{recorded.fault}.")
        self.goal: int | None = None
        self._until: Callable[[int], bool] | None = None
        self._way: Iterator[list[Event]] = iter(())
        self._said: dict[int, list[Message]] = {}
        self._deaf = True
        self.playback = Playback(recorded, Trail.CLOSE)
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

    @property
    def searching(self) -> bool:
        """Whether the goal is something worth seeing rather than a turn."""
        return self._until is not None

    def step(self) -> bool:
        """Play one turn; return whether there was one, and whether it came out as recorded."""
        if self.at_end:
            return False
        try:
            self._hear(self.position, self.playback.step())
        except Desync as fault:
            self._diverge(fault)
            return False
        return True

    def go(self, turn: int) -> None:
        """Set out for a turn, back or forth; `work` goes on if it is far."""
        self._set_out(max(0, min(turn, self.end)), None)

    def pursue(self, until: Callable[[int], bool]) -> None:
        """Set out for the next turn that ``until`` holds for, or the end."""
        self._set_out(self.end, until)

    def _set_out(self, turn: int, until: Callable[[int], bool] | None) -> None:
        self.goal, self._until = turn, until
        self.session.card = []
        if self.recorded.foreign and turn > self.position:
            self._way = self._pages(turn)
        else:
            self._way = self.playback.approach(turn, self.end if until else self._lead(turn))
        self.work()

    def _lead(self, turn: int) -> int:
        """Return how many turns to play before ``turn``, so that one learns what was said there.

        Going back by a turn must take but a moment: a stretch between two keyframes has to do.
        """
        near = 0
        if turn == self.position - 1:
            near = self.playback.keyframe_before(max(0, turn - FEW))
        if self._heard(max(near + 1, turn - ENOUGH), turn):
            return 0
        return min(LEAD, turn - near)

    def _heard(self, first: int, last: int) -> bool:
        """Whether all is known that was said from ``first`` to ``last``."""
        return all(turn in self._said for turn in range(max(1, first), last + 1))

    def _pages(self, turn: int) -> Iterator[list[Event]]:
        """Turn pages until ``turn`` is reached."""
        while self.position < turn:
            yield self.playback.step()

    def halt(self) -> None:
        """Stop here, wherever one was going."""
        self.goal = self._until = None

    def work(self, seconds: float = SLICE) -> None:
        """Go on towards the goal for about as long as a picture can wait."""
        end = time.monotonic() + seconds
        while self._stride() and time.monotonic() < end:
            pass
        self._recall()

    def _stride(self) -> bool:
        """Take a step towards the goal; return whether there is further to go."""
        if self.goal is None:
            return False
        before = self.position
        try:
            events = next(self._way, None)
        except Desync as fault:
            self._diverge(fault)
            return False
        if events is None:
            self._deaf |= self.position != before
            self.halt()
            return False
        self._hear(before, events)
        if self._until and self._until(self.position):
            self.halt()
        return self.goal is not None

    def _diverge(self, fault: Desync) -> None:
        """Stay on the last turn that came out as recorded; the run ends there from now on."""
        self.halt()
        self.fault = self._said_of(f"This replay is {fault}.")
        self.end = fault.turn - 1
        self._deaf = True
        self._recall()

    def _said_of(self, sentence: str) -> str:
        """Return ``sentence`` with the file's name in the place of its path."""
        path = self.recorded.path
        return sentence.replace(str(path), path.name)

    def _hear(self, before: int, events: list[Event]) -> None:
        """Put a turn's events into words, and keep them for when it is come back to."""
        session, turn = self.session, self.position
        if turn != before + 1:
            self._deaf = True
            session.jump()
        if self.recorded.foreign:
            return
        log, session.log = session.log, MessageLog()
        session.hear(events)
        self._said[turn], session.log = session.log.messages, log
        if not self._deaf:
            _say(log, self._said[turn])
        self.chapters.hear(turn, events, session.run.state.hero.id)

    def _recall(self) -> None:
        """Put together what had been said by now, as far as it was heard, after a jump."""
        if not self._deaf:
            return
        self._deaf = False
        log = self.session.log = MessageLog()
        heard = True
        for turn in range(1, self.position + 1):
            if turn in self._said:
                _say(log, self._said[turn])
            elif heard:
                _say(log, [GAP])
            heard = turn in self._said


def _say(log: MessageLog, messages: list[Message]) -> None:
    for message in messages:
        for _ in range(message.count):
            log.add(message.text, message.color, message.turn)
