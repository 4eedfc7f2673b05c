"""Chapters of a recorded run: on which turns levels begin, fights begin and finds are made."""

from bisect import bisect_left, bisect_right, insort

from engine.saves.run_file import RecordedRun
from engine.state import events as ev
from engine.state.events import Event
from entities.statuses import status_kinds
from procgen.level_code import CodeError, parse_code

ROUTINE = (
    *(ev.Moved, ev.Noticed, ev.LostTrack, ev.Spotted, ev.Stirred, ev.Called, ev.Fled, ev.Charged),
    *(ev.Blinked, ev.Divided, ev.Followed, ev.Relieved, ev.Stumbled, ev.Struggled, ev.NoRoom),
)
"""Events that happen all the time: no reason to stop a search."""
FIGHT_GAP = 8
"""Turns without a blow after which the next one counts as a new fight."""


def event_kind(events: list[Event], hero: int) -> str:
    """Return what a turn is worth seeing for: ``level``, ``find``, ``fight``, or nothing."""
    found = ""
    for event in events:
        match event:
            case ev.Arrived():
                return "level"
            case ev.Struck() | ev.ShotFired() | ev.Died():
                found = found or "fight"
            case ev.Hurt(cause=cause) if cause in status_kinds():
                found = found or "fight"
            case ev.Afflicted(again=True):
                pass
            case _ if not isinstance(event, ROUTINE) and _of(event, hero):
                found = "find"
    return found


def _of(event: Event, hero: int) -> bool:
    """Return whether an event is about the hero or about no creature."""
    whose = getattr(event, "who", None)
    return whose is None or whose.id == hero


class Chapters:
    """The turns on which levels begin, and those of the turns played that are worth seeing."""

    def __init__(self, recorded: RecordedRun) -> None:
        depth = recorded.header.setup.depth
        self.levels: list[tuple[int, int]] = []
        for turn, arrival in sorted(recorded.arrivals.items()):
            depth = _depth_of(arrival.code, depth)
            self.levels.append((turn, depth))
        self._kinds: dict[int, str] = {}
        self._beginnings: list[int] = []

    def add_events(self, turn: int, events: list[Event], hero: int) -> None:
        """Record what happened on ``turn``."""
        if turn in self._kinds:
            return
        self._kinds[turn] = event_kind(events, hero)
        if self.worth_seeing(turn):
            insort(self._beginnings, turn)

    def worth_seeing(self, turn: int) -> bool:
        """Return whether something begins on ``turn``; the next blow of a fight doesn't count."""
        kind = self._kinds.get(turn, "")
        if kind != "fight":
            return bool(kind)
        before = range(max(1, turn - FIGHT_GAP), turn)
        return not any(self._kinds.get(other) == "fight" for other in before)

    def next_level(self, turn: int) -> int | None:
        """Return the next turn after ``turn`` on which a level begins, None if there is none."""
        place = bisect_right(self.levels, (turn, 1 << 63))
        return self.levels[place][0] if place < len(self.levels) else None

    def previous_level(self, turn: int) -> int:
        """Return the last turn before ``turn`` on which a level began."""
        return self.levels[max(0, bisect_left(self.levels, (turn, -1)) - 1)][0]

    def previous_event(self, turn: int) -> int:
        """Return the last turn before ``turn`` that is known to be worth seeing, else 0."""
        place = bisect_left(self._beginnings, turn) - 1
        return self._beginnings[place] if place >= 0 else 0

    def depth(self, turn: int) -> int:
        """Return the depth on ``turn``."""
        return self.levels[bisect_right(self.levels, (turn, 1 << 63)) - 1][1]


def _depth_of(code: str, otherwise: int) -> int:
    try:
        return parse_code(code).depth or otherwise
    except CodeError:
        return otherwise
