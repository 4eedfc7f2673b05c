"""The position in a recorded run, its message log, and the turns that are worth seeing."""

import time
from collections.abc import Callable, Iterator

from engine.saves.playback import Desync, KeepKeyframes, Playback
from engine.saves.run import Run
from engine.saves.run_file import RecordedRun, depth_of
from engine.state import events as ev
from engine.state.events import Event
from entities.statuses import status_kinds
from render.messages.event_messages import GRAVE
from render.messages.message_log import GAP, Message, MessageLog
from render.session.session import Session

ROUTINE = (
    *(ev.Moved, ev.Woke, ev.Noticed, ev.LostTrack, ev.Spotted, ev.LevelAlerted, ev.CalledForHelp),
    *(ev.Fled, ev.Charged, ev.Blinked, ev.Divided, ev.Followed, ev.StatusEnded),
    *(ev.Stumbled, ev.Struggled, ev.NoRoom),
)
"""Events that happen all the time, so they are no reason to stop a search."""
FIGHT_GAP = 8
"""Turns without a blow after which the next one counts as a new fight."""


def event_kind(events: list[Event], hero: int) -> str:
    """Return why a turn is worth seeing: ``level``, ``find``, ``fight``, or "" if it is not."""
    kind = ""
    for event in events:
        match event:
            case ev.Arrived():
                return "level"
            case ev.Struck() | ev.ShotFired() | ev.Died():
                kind = kind or "fight"
            case ev.Hurt(cause=cause) if cause in status_kinds():
                kind = kind or "fight"
            case ev.StatusApplied(again=True):
                pass
            case _ if not isinstance(event, ROUTINE):
                actor = getattr(event, "who", None)
                if actor is None or actor.id == hero:
                    kind = "find"
    return kind


class Chapters:
    """The turns on which levels begin, and the turns played so far that are worth seeing."""

    def __init__(self, recorded: RecordedRun) -> None:
        depth = recorded.header.setup.depth
        self.levels: list[tuple[int, int]] = []
        for turn, arrival in sorted(recorded.arrivals.items()):
            depth = depth_of(arrival.code, depth) or depth
            self.levels.append((turn, depth))
        self._kinds: dict[int, str] = {}

    def add_events(self, turn: int, events: list[Event], hero: int) -> None:
        """Record what happened on ``turn``."""
        if turn not in self._kinds:
            self._kinds[turn] = event_kind(events, hero)

    def worth_seeing(self, turn: int) -> bool:
        """Return whether something begins on ``turn``; later blows of a fight don't count."""
        kind = self._kinds.get(turn, "")
        if kind != "fight":
            return bool(kind)
        before = range(max(1, turn - FIGHT_GAP), turn)
        return not any(self._kinds.get(other) == "fight" for other in before)

    def next_level(self, turn: int) -> int | None:
        """Return the next turn after ``turn`` on which a level begins, None if there is none."""
        return next((start for start, _ in self.levels if start > turn), None)

    def previous_level(self, turn: int) -> int:
        """Return the last turn before ``turn`` on which a level began."""
        return max((start for start, _ in self.levels if start < turn), default=0)

    def previous_event(self, turn: int) -> int:
        """Return the last turn before ``turn`` that is known to be worth seeing, else 0."""
        return next(filter(self.worth_seeing, range(turn - 1, 0, -1)), 0)

    def depth(self, turn: int) -> int:
        """Return the depth on ``turn``."""
        return next(depth for start, depth in reversed(self.levels) if start <= turn)


SLICE_SECONDS = 1 / 30
"""Seconds of work between two checks for input during a long jump."""
LEAD = 60
"""Turns replayed before the target of a jump, so that the message log has something to show."""
ENOUGH = 20
"""Turns of messages that are enough if they are known already."""
FEW = 8
"""Turns of messages that are enough when stepping back one turn."""


class Playhead:
    """A position in a recorded run, up to ``end``, the last turn that can be shown.

    Long jumps are replayed in slices: ``goal`` is the target turn during a jump.
    ``fault`` is a sentence that says why the run can't be shown further than ``end``. A run of
    another version can't be replayed, only paged through, from keyframe to keyframe.
    """

    def __init__(self, recorded: RecordedRun) -> None:
        self.recorded = recorded
        self.chapters = Chapters(recorded)
        self.fault = ""
        if recorded.fault and not recorded.foreign:
            self.fault = self._with_short_path(f"{recorded.fault}.")
        self.goal: int | None = None
        self._until: Callable[[int], bool] | None = None
        self._way: Iterator[list[Event]] = iter(())
        self._said: dict[int, list[Message]] = {}
        # The turns played since a jump, now and when the messages of each turn were made.
        self._in_row, self._in_rows = 0, dict[int, int]()
        self._stale_log = True
        self.playback = Playback(recorded, KeepKeyframes.CLOSE)
        self.end = self.playback.last
        self.session = Session(Run(self.playback.engine))
        self._recall()

    @property
    def position(self) -> int:
        """The number of turns played."""
        return self.playback.position

    @property
    def at_end(self) -> bool:
        """True if there is no further turn to show."""
        return self.position >= self.end

    @property
    def searching(self) -> bool:
        """True if the goal is the next event rather than a turn."""
        return self._until is not None

    def step(self) -> bool:
        """Play one turn; return False at the end or if the run diverges from its file."""
        if self.at_end:
            return False
        try:
            before, events = self.position, self.playback.step()
            self._hear(before, events)
            self.session.animations.begin(events, self.session.run.state.map)
            self.playback.check_end()
        except Desync as fault:
            self._diverge(fault)
            return False
        return True

    def go(self, turn: int) -> None:
        """Jump to a turn; if it is far, `work` continues the jump."""
        self._seek(max(0, min(turn, self.end)), None)

    def search(self, until: Callable[[int], bool]) -> None:
        """Play to the next turn for which ``until`` is true, or to the end."""
        self._seek(self.end, until)

    def _seek(self, turn: int, until: Callable[[int], bool] | None) -> None:
        self.goal, self._until = turn, until
        self.session.card = []
        self.session.animations.begin([], self.session.run.state.map)
        if self.recorded.foreign and turn > self.position:
            self._way = self._pages(turn)
        else:
            self._way = self.playback.play_to(turn, self.end if until else self._lead(turn))
        self.work()

    def _lead(self, turn: int) -> int:
        """Return how many turns to replay before ``turn`` to fill the message log.

        Stepping back one turn must be instant, so it gets only the turns since a keyframe.
        """
        near = 0
        if turn == self.position - 1:
            near = self.playback.keyframes.before(max(0, turn - FEW))
        if all(past in self._said for past in range(max(1, near + 1, turn - ENOUGH), turn + 1)):
            return 0
        return min(LEAD, turn - near)

    def _pages(self, turn: int) -> Iterator[list[Event]]:
        """Go from keyframe to keyframe until ``turn`` is reached."""
        while self.position < turn:
            yield self.playback.step()

    def stop(self) -> None:
        """Cancel a jump or search and stay here."""
        self.goal = self._until = None

    def work(self, seconds: float = SLICE_SECONDS) -> None:
        """Replay towards the goal for about ``seconds``, so that drawing and input can go on."""
        end = time.monotonic() + seconds
        while self._stride() and time.monotonic() < end:
            pass
        self._recall()

    def _stride(self) -> bool:
        """Take a step towards the goal; return whether it is still ahead."""
        before = self.position
        try:
            events = next(self._way, None)
        except Desync as fault:
            self._diverge(fault)
            return False
        if events is None:
            self._note_jump(before, self.position)
            self.stop()
            return False
        self._hear(before, events)
        if self._until and self._until(self.position):
            self.stop()
        return self.goal is not None

    def _diverge(self, fault: Desync) -> None:
        """Stay on the last turn that matched the file, and make it the end of the run."""
        self.stop()
        self.fault = self._with_short_path(f"This replay is {fault}.")
        self.end = self.position
        self._stale_log = True
        self._recall()

    def _with_short_path(self, sentence: str) -> str:
        """Return ``sentence`` with the file's path shortened to its name."""
        path = self.recorded.path
        return sentence.replace(str(path), path.name)

    def _hear(self, before: int, events: list[Event]) -> None:
        """Turn a turn's events into messages and keep them for later visits to the turn."""
        session, turn = self.session, self.position
        self._note_jump(before, turn - 1)
        self._in_row += 1
        if self.recorded.foreign:
            return
        log, session.log = session.log, MessageLog()
        session.add_events(events)
        # Right after a jump, creatures seen and wounds received before it would be news again.
        if self._in_row > self._in_rows.get(turn, 0):
            self._said[turn], self._in_rows[turn] = session.log.messages, self._in_row
        session.log = log
        if not self._stale_log:
            _say(log, self._said[turn])
        self.chapters.add_events(turn, events, session.run.state.hero.id)

    def _note_jump(self, before: int, now: int) -> None:
        """Forget what was seen if ``now`` is another turn than ``before``."""
        if now != before:
            self._stale_log, self._in_row = True, 0
            self.session.skip_turns()

    def _recall(self) -> None:
        """Rebuild the message log after a jump: the messages up to the turn shown, without gaps.

        Messages from before a gap would look as if they were new.
        """
        if not self._stale_log:
            return
        self._stale_log = False
        log = self.session.log = MessageLog()
        first = self.position + 1
        while first - 1 in self._said:
            first -= 1
        if 1 < first <= self.position:
            log.add(GAP, "dim", 0)
        for turn in range(first, self.position + 1):
            _say(log, self._said[turn])


def _say(log: MessageLog, messages: list[Message]) -> None:
    for message in messages:
        for _ in range(message.count):
            log.add(message.text, message.color + GRAVE * message.grave, message.turn)
