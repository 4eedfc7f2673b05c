"""A run in progress: an engine, and the recorder of every action it performs."""

from pathlib import Path
from typing import Self

from engine.engine import Engine
from engine.levels.dungeon import new_game
from engine.levels.level_choice import pinned, visited
from engine.saves.digests import arrival, state_digest
from engine.saves.keyframes import BUSY_WORK, KEYFRAME_INTERVAL, KeyframeWriter, take_keyframe
from engine.saves.playback import Playback
from engine.saves.recorder import Recorder
from engine.saves.run_file import LONGEST_HEADER, header_for
from engine.saves.saved_state import SavedState, load_state, pack, save_state
from engine.state.actions import Action, Refused, Visit
from engine.state.events import Died, Event
from engine.state.game_state import GameState
from engine.state.run_setup import RunSetup

LARGEST_START = LONGEST_HEADER // 2
"""Bytes of a state that a run can begin with; base64 makes a third more of them."""


class Run:
    """Plays through the engine and records every action that was carried out."""

    def __init__(
        self,
        engine: Engine,
        recorder: Recorder | None = None,
        keyframes: KeyframeWriter | None = None,
    ) -> None:
        self.engine = engine
        self.recorder = recorder
        self.keyframes = keyframes
        self._worked = engine.work

    @classmethod
    def begin(cls, setup: RunSetup, path: Path | None = None) -> Self:
        """Start a new run, recorded at ``path`` if given."""
        return cls._begin(new_game(pinned(setup)), path, None)

    @classmethod
    def begin_from(cls, setup: RunSetup, saved: SavedState, path: Path | None = None) -> Self:
        """Start a new run, never scored, in the middle: as ``state`` says.

        If that would not fit into a header, the remembered levels furthest away are forgotten.
        """
        state = load_state(setup, saved)
        state.scored = False
        packed = pack(save_state(state))
        while len(packed) > LARGEST_START and state.remembered:
            state.forget_furthest()
            packed = pack(save_state(state))
        return cls._begin(state, path, packed)

    @classmethod
    def _begin(cls, state: GameState, path: Path | None, saved: bytes | None) -> Self:
        if path is None:
            return cls(Engine(state))
        recorder = Recorder.begin(path, header_for(state.setup, arrival(state.map.level), saved))
        return cls(Engine(state), recorder, KeyframeWriter.begin(path, recorder.identity, [], {}))

    @classmethod
    def resume(cls, playback: Playback, recorder: Recorder) -> Self:
        """Continue the recorded run that ``playback`` has played to its end."""
        return cls(playback.engine, recorder, playback.keyframe_writer())

    @property
    def state(self) -> GameState:
        """The state of the run."""
        return self.engine.state

    def act(self, action: Action) -> list[Event] | Refused:
        """Let the hero do ``action``; what was refused is not recorded."""
        action, before = _in_full(action), self.state.map
        events = self.engine.step(action)
        if self.recorder and not isinstance(events, Refused):
            new_level = self.state.map is not before
            self._record(self.recorder, action, events, new_level=new_level)
        return events

    def _record(
        self, recorder: Recorder, action: Action, events: list[Event], *, new_level: bool
    ) -> None:
        hero, end = self.state.hero.id, None
        for event in events:
            if isinstance(event, Died) and event.who.id == hero:
                end = f"killed by {event.killer}"
        digest = state_digest(self.state)
        level = arrival(self.state.map.level) if new_level else None
        recorder.action(action, digest, level, end)
        due = (
            new_level
            or recorder.turns % KEYFRAME_INTERVAL == 0
            or self.engine.work - self._worked >= BUSY_WORK
        )
        if self.keyframes and due and recorder.written:
            self.keyframes.add(*take_keyframe(self.state, recorder.turns, recorder.length, digest))
            self._worked = self.engine.work

    def abandon(self, end: str = "abandoned") -> None:
        """End the run for good; ``end`` is what its file says of that."""
        if self.recorder:
            self.recorder.end(end)

    def close(self) -> None:
        """Let go of the files; the run can be continued."""
        for file in (self.recorder, self.keyframes):
            if file:
                file.close()


def _in_full(action: Action) -> Action:
    """Return ``action`` with a code that means the same for ever."""
    if isinstance(action, Visit):
        try:
            return Visit(str(visited(action.code)))
        except ValueError:
            pass  # It will be refused, with the reason.
    return action
