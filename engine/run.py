"""A run in progress: an engine and the file that remembers what it was told."""

from collections.abc import Iterator
from pathlib import Path

from engine.actions import Action, Refused
from engine.engine import Engine
from engine.events import Died, Event
from engine.record import RecordedRun, Recorder
from engine.setup import Setup
from engine.world import World


class OutOfSync(Exception):
    """Replaying a run came out differently; ``turn`` is the first that did."""

    def __init__(self, path: Path, turn: int) -> None:
        super().__init__(f"out of sync at turn {turn}: play went another way than {path} says")
        self.turn = turn


class Run:
    """Plays through the engine and records every action that was carried out."""

    def __init__(self, engine: Engine, recorder: Recorder | None = None) -> None:
        self.engine = engine
        self.recorder = recorder

    @classmethod
    def begin(cls, setup: Setup, path: Path | None = None) -> "Run":
        """Start a new run, recorded at ``path`` if given."""
        engine = Engine(World(setup))
        return cls(engine, Recorder.begin(path, setup) if path else None)

    @property
    def world(self) -> World:
        """The state of the run."""
        return self.engine.world

    def act(self, action: Action) -> list[Event] | Refused:
        """Let the hero do ``action``; what was refused is not recorded."""
        events = self.engine.step(action)
        if self.recorder and not isinstance(events, Refused):
            self.recorder.action(action, self.world.digest())
            for event in events:
                if isinstance(event, Died) and event.who.id == self.world.hero.id:
                    self.recorder.end(f"killed by {event.killer}")
        return events

    def abandon(self) -> None:
        """End the run for good."""
        if self.recorder:
            self.recorder.end("abandoned")

    def close(self) -> None:
        """Let go of the file; the run can be continued."""
        if self.recorder:
            self.recorder.close()


class Playback:
    """Plays a recorded run action by action, comparing the state with the record each time."""

    def __init__(self, recorded: RecordedRun) -> None:
        self.recorded = recorded
        self.position = 0
        self.engine = Engine(World(recorded.header.setup))

    @property
    def finished(self) -> bool:
        """Whether every action has been played."""
        return self.position >= len(self.recorded.actions)

    def step(self) -> list[Event]:
        """Play the next action; raise `OutOfSync` if it does not come out as recorded."""
        action, digest = self.recorded.actions[self.position]
        events = self.engine.step(action)
        if isinstance(events, Refused) or self.engine.world.digest() != digest:
            raise OutOfSync(self.recorded.path, self.position + 1)
        self.position += 1
        return events

    def seek(self, turn: int) -> None:
        """Stand where ``turn`` actions have been played, at most at the end; back or forth.

        `engine` stays the same one; it gets another world. Raises `OutOfSync`.
        """
        turn = max(0, min(turn, len(self.recorded.actions)))
        if turn < self.position:
            self.engine.world = World(self.recorded.header.setup)
            self.position = 0
        while self.position < turn:
            self.step()

    def to_end(self) -> Iterator[list[Event]]:
        """Play all that is left, yielding the events of each action."""
        while not self.finished:
            yield self.step()
