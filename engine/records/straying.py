"""How a replay strays from what was recorded, said in a sentence."""

from pathlib import Path

from engine.records.record import RecordedRun


class OutOfSync(Exception):
    """Replaying came out differently; ``turn`` is the first that did, in ``subsystems``."""

    def __init__(self, path: Path, turn: int, subsystems: tuple[str, ...], why: str = "") -> None:
        parts = " and ".join(", ".join(subsystems).rsplit(", ", 1))
        why = why or f"play went another way than {path} says"
        super().__init__(f"out of sync at turn {turn} ({parts}): {why}")
        self.turn = turn
        self.subsystems = subsystems


class GrewApart(OutOfSync):
    """A level of the run does not grow any more as it did when the run was recorded."""

    def __init__(self, recorded: RecordedRun, turn: int, code: str, reason: str = "") -> None:
        reason = reason or f"{code} or what lives there is not what it was"
        by = f"when version {recorded.header.program} recorded {recorded.path}"
        super().__init__(recorded.path, turn, ("map",), f"{reason} {by}")
