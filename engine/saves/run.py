"""A run in progress: an engine, and the file to which its actions are recorded."""

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from engine.engine import Engine
from engine.infinite.chunk_loader import chunk_loader
from engine.levels.dungeon import forget_furthest, new_game
from engine.levels.recipe_by_depth import parse_playable_code, pinned
from engine.saves.digests import arrival, state_digest
from engine.saves.keyframes import BUSY_WORK, KEYFRAME_INTERVAL, KeyframeWriter, take_keyframe
from engine.saves.playback import Playback
from engine.saves.recorder import Recorder
from engine.saves.run_file import LONGEST_HEADER, RunFileError, header_for
from engine.saves.saved_state import SavedState, load_state, pack_state, save_state, unpack_state
from engine.state.actions import Action, Refused, Visit
from engine.state.compression import InvalidSave
from engine.state.events import Event
from engine.state.game_state import GameState
from engine.state.run_setup import RunSetup

LARGEST_START = LONGEST_HEADER // 2
"""The most bytes of a state that a header can hold; base64 adds a third to them."""


@dataclass(eq=False)
class Run:
    """Performs actions through the engine and records each that was not refused."""

    engine: Engine
    recorder: Recorder | None = None
    keyframes: KeyframeWriter | None = None

    def __post_init__(self) -> None:
        self._worked = self.engine.work
        # The digest of the state, unless a keyframe has it already.
        self._unsaved_digest: str | None = None

    @classmethod
    def begin(cls, setup: RunSetup, path: Path | None = None) -> Self:
        """Return a new run, recorded at ``path`` if given."""
        return cls._begin(new_game(pinned(setup)), path, None)

    @classmethod
    def begin_from(cls, setup: RunSetup, saved: SavedState, path: Path | None = None) -> Self:
        """Return a new run, never scored, from the state ``saved``.

        Forgets the farthest levels until the state fits into a header, or raises `RunFileError`.
        """
        state = load_state(setup, saved)
        state.scored = False
        while len(packed := pack_state(save_state(state))) > LARGEST_START:
            if not forget_furthest(state):
                raise RunFileError("the level is too large to begin a run file with")
        try:
            unpack_state(packed)
        except InvalidSave as fault:  # Here, not when the run is to be continued.
            raise RunFileError(f"the level cannot begin a run file ({fault})") from None
        return cls._begin(state, path, packed)

    @classmethod
    def _begin(cls, state: GameState, path: Path | None, saved: bytes | None) -> Self:
        if path is None:
            return cls(Engine(state))
        recorder = Recorder.begin(path, header_for(state.setup, arrival(state.map.level), saved))
        keyframes = KeyframeWriter.begin(recorder.path, recorder.identity, [], {})
        return cls(Engine(state), recorder, keyframes)

    @classmethod
    def resume(cls, playback: Playback, recorder: Recorder) -> Self:
        """Return the recorded run that continues from ``playback``, which is at its end."""
        return cls(playback.engine, recorder, playback.keyframes.writer())

    @property
    def state(self) -> GameState:
        """The state of the run."""
        return self.engine.state

    def act(self, action: Action) -> list[Event] | Refused:
        """Perform ``action``, record it unless refused, and return what `Engine.step` returns."""
        action, before = _in_full(action), self.state.map
        events = self.engine.step(action)
        if self.recorder and not isinstance(events, Refused):
            end, digest = self.state.end, state_digest(self.state)
            level = None if self.state.map is before else arrival(self.state.map.level)
            self.recorder.action(action, digest, level, end)
            busy = self.engine.work - self._worked >= BUSY_WORK
            self._unsaved_digest = None if end else digest
            if level or busy or self.recorder.turns % KEYFRAME_INTERVAL == 0:
                self.add_keyframe()
        return events

    def add_keyframe(self) -> None:
        """Add a keyframe, which the list of runs shows, unless there is one or the run is over."""
        recorder, digest = self.recorder, self._unsaved_digest
        if self.keyframes and recorder and recorder.written and digest:
            self.keyframes.add(*take_keyframe(self.state, recorder.turns, recorder.length, digest))
            self._worked, self._unsaved_digest = self.engine.work, None

    def abandon(self, end: str = "abandoned") -> None:
        """End the run for good; ``end`` is recorded as its result."""
        self._unsaved_digest = None
        if self.recorder:
            self.recorder.end(end)

    def close(self) -> None:
        """Close the files and stop prefetching chunks; the run can be continued later."""
        for file in (self.recorder, self.keyframes):
            if file:
                file.close()
        chunk_loader().cancel_prefetch()


def _in_full(action: Action) -> Action:
    """Return ``action`` with its level code in full, so that later recipes cannot change it."""
    if isinstance(action, Visit):
        try:
            return Visit(str(parse_playable_code(action.code)))
        except ValueError:
            pass  # The engine refuses it and gives the reason.
    return action
