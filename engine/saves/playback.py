"""Replay a recorded run, seek back and forth, and report the exact turn of a desync."""

from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path

from engine.engine import Engine
from engine.saves.digests import arrival, differing_subsystems, state_digest
from engine.saves.keyframe_index import KeyframeIndex
from engine.saves.keyframes import BUSY_WORK, KEYFRAME_INTERVAL
from engine.saves.run_file import OtherVersion, RecordedRun, RunFileError
from engine.state.actions import Refused
from engine.state.events import Event
from engine.state.game_state import GameState
from entities.program import VERSION
from procgen.recipe_builder import BuildFailed


class Desync(Exception):
    """A replay differs from its record; ``turn`` is the first to differ, in ``subsystems``."""

    def __init__(self, path: Path, turn: int, subsystems: tuple[str, ...], why: str = "") -> None:
        parts = " and ".join(", ".join(subsystems).rsplit(", ", 1))
        why = why or f"the replay differs from {path}"
        super().__init__(f"out of sync at turn {turn} ({parts}): {why}")
        self.turn = turn
        self.subsystems = subsystems


class LevelMismatch(Desync):
    """A level of the run is not generated as it was when the run was recorded."""

    def __init__(self, recorded: RecordedRun, turn: int, code: str, reason: str = "") -> None:
        super().__init__(recorded.path, turn, ("map",))
        reason = reason or f"{code} or its contents are not what they were"
        what = f"recorded with other data files or recipes: at turn {turn} {reason}"
        path, version = recorded.path, recorded.header.program
        older = f"; {path} needs those of version {version}" if version != VERSION else ""
        self.args = (f"{what}{older}",)  # Not "out of sync": the record is as sound as the replay.


CLOSE_INTERVAL = 5
"""Turns between two close keyframes, kept in memory for seeking back a little."""


class KeepKeyframes(IntEnum):
    """The keyframes kept during playback, for seeking back."""

    NONE = 0
    """None, for playing straight to the end."""
    STORED = 1
    """Those of the keyframe file."""
    CLOSE = 2
    """Also close ones between them, so that seeking back a little is fast."""


class Playback:
    """Replays a recorded run action by action and compares the state's digest after each.

    ``engine`` stays the same object when seeking; its ``state`` is replaced. If another version
    wrote the run, its actions cannot be performed and the playback steps through keyframes.
    """

    def __init__(self, recorded: RecordedRun, keep: KeepKeyframes = KeepKeyframes.NONE) -> None:
        self.recorded = recorded
        self.keep = keep
        self.position = 0
        self.keyframes = KeyframeIndex(recorded)
        try:
            self.engine = Engine(self._first())
            self._worked = self.engine.work
        except (ValueError, BuildFailed) as fault:
            raise RunFileError(f"{recorded.path}: {fault}") from None

    def _first(self) -> GameState:
        """Return the start of the run, or its first keyframe if another version wrote it."""
        if not self.recorded.foreign:
            return self.keyframes.start()
        turn = self.keyframes.after(0)
        keyframe = self.keyframes.nearest(turn) if turn else None
        if keyframe is None:
            raise OtherVersion(f"{self.recorded.fault}; no keyframes of it are left to watch")
        return keyframe[1]

    @property
    def finished(self) -> bool:
        """True if every action has been played."""
        return self.position >= len(self.recorded.actions)

    @property
    def last(self) -> int:
        """The last turn to seek to: the end, or the last keyframe of another version's run."""
        end = len(self.recorded.actions)
        if not self.recorded.foreign:
            return end
        keyframe = self.keyframes.nearest(end)
        return keyframe[0] if keyframe else 0

    def step(self) -> list[Event]:
        """Play the next action, return its events; raise `Desync` if the result is not as recorded.

        After an error the playback is at the turn before that action.
        """
        if self.recorded.foreign:
            self._go_to_next_keyframe()
            return []
        turn = self.position + 1
        action, digest = self.recorded.actions[self.position]
        before = self.engine.state.map
        try:
            if self.position == 0:
                self.check_start()
            events = self.engine.step(action)
            new_level = before is not self.engine.state.map
            self._compare(turn, digest, refused=isinstance(events, Refused), new_level=new_level)
        except (ValueError, BuildFailed) as fault:
            self._rewind_before(turn)
            raise LevelMismatch(self.recorded, turn, "", str(fault)) from None
        except Desync:
            self._rewind_before(turn)
            raise
        self.position = turn
        if self.keep:
            self._add_keyframe(turn, digest, new_level=new_level)
        assert not isinstance(events, Refused)
        return events

    def _add_keyframe(self, turn: int, digest: str, *, new_level: bool) -> None:
        """Keep a keyframe of this turn when it is time."""
        busy = self.engine.work - self._worked >= BUSY_WORK and not self.keyframes.all_saved
        if new_level or turn % KEYFRAME_INTERVAL == 0 or busy:
            self.keyframes.add(turn, self.engine.state, digest)
            self._worked = self.engine.work
        elif self.keep is KeepKeyframes.CLOSE and turn % CLOSE_INTERVAL == 0:
            self.keyframes.add_temporary(turn, self.engine.state, digest)

    def check_start(self) -> None:
        """Raise `Desync` if the first level is not the recorded one."""
        if self.position == 0 and not self.recorded.foreign:
            self._compare_level(1)

    def _compare(self, turn: int, digest: str, *, refused: bool, new_level: bool) -> None:
        """Raise `Desync` if the state after ``turn`` is not as recorded."""
        state, path = self.engine.state, self.recorded.path
        if new_level or turn in self.recorded.arrivals:
            self._compare_level(turn, turn if new_level else None)
        replayed = state_digest(state)
        if refused or replayed != digest:
            why = f"{path} records an action that is refused" if refused else ""
            raise Desync(path, turn, differing_subsystems(digest, replayed) or ("run",), why)

    def _compare_level(self, turn: int, place: int | None = 0) -> None:
        expected = None if place is None else self.recorded.arrivals.get(place)
        replayed = arrival(self.engine.state.map.level)
        if expected is None or expected.code != replayed.code:
            raise Desync(self.recorded.path, turn, ("map",))
        if expected.level_hash != replayed.level_hash:
            raise LevelMismatch(self.recorded, turn, replayed.code)

    def verify(self) -> GameState:
        """Play to the end and return the state there; raise `Desync`, also for a wrong end."""
        for _ in self.to_end():
            pass
        self.check_end(required=True)
        return self.engine.state

    def check_end(self, *, required: bool = False) -> None:
        """Raise `Desync` at the end of a run if another is recorded, or none and it is required."""
        state, end = self.engine.state, self.recorded.end
        # A process may be killed before it writes the end: that is no reason not to watch.
        if not self.finished or (end is None and not required):
            return
        open_ends = {None, "abandoned"} | ({"won"} if state.won is not None else set())
        if end not in ({state.end} if state.end else open_ends):
            how = f"the true end is {state.end!r}" if state.end else "the hero lives"
            what = "no end" if end is None else f"the end {end!r}"
            why = f"{self.recorded.path} records {what}, but {how}"
            raise Desync(self.recorded.path, self.position, ("run",), why)

    def seek(self, turn: int) -> None:
        """Go back or forwards to the state after ``turn`` actions, or all; may raise `Desync`."""
        for _ in self.play_to(turn):
            pass

    def play_to(self, turn: int, lead: int = 0) -> Iterator[list[Event]]:
        """Go to ``turn`` from the nearest keyframe, yielding the events of each action played.

        Plays at least the last ``lead`` actions, or all if they are fewer. Raises `Desync`.
        """
        turn = max(0, min(turn, len(self.recorded.actions)))
        limit = max(0, turn - lead)
        if self.recorded.foreign:
            self._restore_near(turn)
            return
        if turn < self.position:
            self._restore_near(limit)
        # Over a shorter distance, playing on is faster than restoring a state.
        elif limit - self.position > KEYFRAME_INTERVAL:
            keyframe = self.keyframes.nearest(limit, above=self.position)
            if keyframe:
                self._restore(*keyframe)
        while self.position < turn:
            yield self.step()
        self.check_end()

    def to_end(self) -> Iterator[list[Event]]:
        """Play to the end, yielding the events of each action; raise `Desync`."""
        self.check_start()
        while not self.finished:
            yield self.step()

    def _restore_near(self, limit: int) -> None:
        """Restore the last keyframe up to turn ``limit``, or the start."""
        self._restore(*(self.keyframes.nearest(limit) or (0, self._first())))

    def _restore(self, turn: int, state: GameState) -> None:
        self.position, self.engine.state = turn, state
        self._worked = self.engine.work

    def _rewind_before(self, turn: int) -> None:
        """Go back to the turn before ``turn``, replaying without checks what was checked before."""
        self._restore_near(turn - 1)
        while self.position < turn - 1:
            self.engine.step(self.recorded.actions[self.position][0])
            self.position += 1

    def _go_to_next_keyframe(self) -> None:
        """Go to the next keyframe, or to the end if there is none left."""
        turn = self.keyframes.after(self.position)
        keyframe = self.keyframes.nearest(turn, above=self.position) if turn else None
        if keyframe:
            self._restore(*keyframe)
        else:
            self.position = len(self.recorded.actions)
