"""Take a recorded run over: start a new run from one of its turns."""

import time

from engine.saves.files import new_run_path
from engine.saves.keyframes import keyframes_path
from engine.saves.playback import Playback
from engine.saves.run import Run
from engine.saves.saved_state import save_state, unpack_state
from engine.state.actions import Refused
from render.session.session import Session
from render.session.start_run import branch_setup, successor_setup


class TakeOverFailed(Exception):
    """A recorded run can't be replayed into the new file; the message is a sentence."""


class Branch:
    """A new, unscored run that starts at the position of ``playback``.

    The actions so far are replayed into the new run's file, which so needs no other file to be
    replayed. A run of another version can't be replayed: there the new file starts with the
    current state.
    """

    def __init__(self, playback: Playback) -> None:
        self.recorded = recorded = playback.recorded
        state = playback.engine.state
        self.turn = state.turn if recorded.foreign else playback.position
        setup = branch_setup(recorded, self.turn)
        path = new_run_path(setup.seed)
        if recorded.foreign:
            run = Run.begin_from(successor_setup(recorded, self.turn), save_state(state), path)
        elif recorded.header.state is not None:
            run = Run.begin_from(setup, unpack_state(recorded.header.state), path)
        else:
            run = Run.begin(setup, path)
        self.session = Session(run)
        self._left = [] if recorded.foreign else recorded.actions[: self.turn][::-1]

    @property
    def share(self) -> float:
        """The share of the actions replayed, 0 to 1."""
        return 1 - len(self._left) / max(1, self.turn)

    def work(self, seconds: float) -> bool:
        """Replay for some seconds; return whether all is done. Raises `TakeOverFailed`."""
        end = time.monotonic() + seconds
        while self._left and time.monotonic() < end:
            action, _ = self._left.pop()
            if isinstance(self.session.act(action), Refused):
                turn = self.turn - len(self._left)
                raise TakeOverFailed(f"turn {turn} of {self.recorded.path.name} cannot be repeated")
        if self._left:
            return False
        self.session.disturbed = False
        self.session.say(f"You take over on turn {self.turn}. This run is not scored.", "accent")
        self.session.report_save_problems()
        return True

    def give_up(self) -> None:
        """Close the new run and delete its files."""
        run = self.session.run
        run.close()
        if run.recorder:
            for path in (run.recorder.path, keyframes_path(run.recorder.path)):
                path.unlink(missing_ok=True)
