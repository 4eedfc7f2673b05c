"""What is left of a run when it ends: a line on the boards and a morgue file."""

from dataclasses import dataclass
from pathlib import Path

from engine.records.append import write_whole
from engine.records.boards import Result, daily_board, record, result_of, results
from engine.records.places import home
from engine.setup import Mode
from render.reports.morgue import morgue
from render.session import Session

ORDINALS = {1: "st", 2: "nd", 3: "rd"}


@dataclass(frozen=True)
class Ending:
    """How a run ended; ``place`` says where on the boards, ``morgue`` where its file is.

    ``fault`` says what of this could not be written, empty if all could.
    """

    score: Result
    place: str
    morgue: Path | None
    fault: str = ""


def conclude(session: Session, end: str) -> Ending:
    """Put the run on the boards if it is scored, write its morgue file, and tell of both."""
    run, world = session.run, session.run.world
    name = run.recorder.path.stem if run.recorder else ""
    score, place, faults = result_of(world, end, name), "", list[str]()
    if world.scored and name:
        try:
            record(score)
            place = _place(score)
        except OSError as problem:
            faults.append(f"The score could not be written ({problem.strerror}).")
    kept = name and session.setup.mode is Mode.ADVENTURE
    path = morgue_folder() / f"{name}.txt" if kept else None
    if path:
        try:
            write_whole(path, morgue(session, score, place).encode())
        except OSError as problem:
            faults.append(f"The morgue file could not be written ({problem.strerror}).")
            path = None
    return Ending(score, place, path, " ".join(faults))


def morgue_folder() -> Path:
    """Return the folder of morgue files."""
    return home() / "morgue"


def ordinal(number: int) -> str:
    """Return ``1st``, ``2nd``, ``11th`` …."""
    teens = number % 100 in {11, 12, 13}
    return f"{number}{'th' if teens else ORDINALS.get(number % 10, 'th')}"


def _place(score: Result) -> str:
    """Return where ``score`` stands, on the board of its day too."""
    board = results()
    if score not in board:  # a file too long to be read to its end
        return ""
    words = f"{ordinal(board.index(score) + 1)} of {len(board)}"
    if score.daily:
        day = daily_board(board, score.daily)
        words += f", {ordinal(day.index(score) + 1)} of {len(day)} on the board of {score.daily}"
    return words
