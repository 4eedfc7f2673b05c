"""High scores: an append-only file with one JSON line per finished run; and daily runs."""

from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from engine.levels.recipe_by_depth import pinned
from engine.levels.saved_map import Natural
from engine.saves.files import append_line, runs_folder
from engine.saves.ghost import ghost_fault
from engine.saves.run_file import RULES, UNREADABLE, RunHeader, summarize
from engine.state.game_state import GameState
from engine.state.run_setup import CodeText, RunSetup, Short
from engine.state.score import score
from entities.data_files import open_regular_file
from entities.folders import data_folder
from entities.program import VERSION
from procgen.level_code import CodeError, parse_seed


def daily_setup(day: date) -> RunSetup:
    """Return the setup of the daily run of ``day``; its seed can also be typed by hand."""
    typed = f"daily {day.isoformat()}"
    return RunSetup(parse_seed(typed), typed)


def today() -> date:
    """Return today's date in UTC, so that the daily run is the same all over the world."""
    return datetime.now(UTC).date()


def why_unscored(header: RunHeader, state: GameState) -> str:
    """Return why the run of ``header``, which is in ``state`` now, is not scored, "" if it is."""
    if header.state is not None:
        return "it has no beginning, since its file starts with a state"
    went = "" if state.scored else "its hero went to a level code"
    return setup_fault(header.setup) or went or ghost_fault(header.setup)


def setup_fault(setup: RunSetup) -> str:
    """Return why no run of ``setup`` comes onto a board, "" if it may."""
    if setup.taken_over:
        return f"it was {setup.taken_over}"
    if not setup.is_standard:
        return "it is not an adventure from depth 1 whose levels the game chooses"
    # A run plays on with its own strata under a later file, but is worth other points there.
    if setup.strata not in ((), pinned(replace(setup, strata=())).strata):
        return "its recipes by depth are not those of data/adventure.toml"
    with suppress(CodeError):  # The text may be empty, or a number that is too large.
        if parse_seed(setup.typed_seed) == setup.seed:
            return ""
    return f"its seed is {setup.seed}, which is not that of its text"


def day_of(run: str) -> str:
    """Return the day of a daily run whose file ``run`` was the first begun on that day, else ""."""
    day = f"{run[:4]}-{run[4:6]}-{run[6:8]}"
    # The file of a run on the board may have been deleted: it still was the first.
    runs = [*(result.run for result in score_board(day)), *(path.stem for path in daily_runs(day))]
    return day if runs[:1] == [run] else ""


def daily_runs(day: str) -> list[Path]:
    """Return the files of the daily runs begun and played on ``day``, the earliest first."""
    try:
        seed = daily_setup(date.fromisoformat(day)).seed
    except ValueError:
        return []
    runs = list[tuple[str, str, Path]]()
    for path in runs_folder().glob(f"{day.replace('-', '')}-*-{seed}*.jsonl"):
        with suppress(OSError):  # Not a file, or deleted by another process meanwhile.
            run = summarize(path)
            # A file can be renamed to any day. Its seed may have been typed as a number.
            if run.turns and (header := run.header) and header.started.startswith(day):
                fault = header.state or header.setup.ghost or setup_fault(header.setup)
                if header.setup.seed == seed and not fault:
                    runs.append((header.started, path.stem, path))
    return [path for _, _, path in sorted(runs)]


MAX_SCORES_BYTES = 16 << 20
"""The most bytes of the file that are read: about a hundred thousand runs."""


class HighScore(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of one run.

    ``end`` is how it ended, as in the run file; ``daily`` the date of a daily run played on its
    day; ``run`` the name of the run file, ``identity`` that of the run, which copies of its file
    share; ``ghost`` is set if the run had a ghost.
    """

    points: Natural
    ended: Short
    seed: Short
    depth: Natural
    turns: Natural
    kills: Natural
    gold: Natural
    level: Natural
    end: Short
    won: bool = False
    daily: Annotated[str, Meta(pattern="^([0-9]{4}-[0-9]{2}-[0-9]{2})?$")] = ""
    generator: CodeText = ""
    run: Short = ""
    identity: Short = ""
    program: Short = ""
    rules: Natural = 0
    ghost: bool = False


def high_score_of(state: GameState, end: str, run: str, identity: str) -> HighScore:
    """Return the score of a run that ends now."""
    setup, now = state.setup, datetime.now(UTC)
    xp = state.hero.experience
    return HighScore(
        points=score(state).total,
        ended=now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        seed=setup.typed_seed,
        depth=state.deepest,
        turns=state.turn,
        kills=state.kills,
        gold=state.gold,
        level=xp.level if xp else 1,
        end=end[:200],
        won=state.won is not None,
        daily=day_of(run),
        generator=setup.generator or "",
        run=run[:200],
        identity=identity,
        program=VERSION,
        rules=RULES,
        ghost=setup.ghost is not None,
    )


def scores_path() -> Path:
    """Return the path of the score file."""
    return data_folder() / "scores.jsonl"


def add_score(result: HighScore) -> None:
    """Append ``result`` to the score file; raise `OSError`."""
    append_line(scores_path(), msgspec.json.encode(result))


def _score_lines() -> list[bytes]:
    """Return the lines of the score file, [] if it is missing; raise `OSError`."""
    with suppress(FileNotFoundError), open_regular_file(scores_path()) as stream:
        return [line for line in stream.read(MAX_SCORES_BYTES).split(b"\n") if line.strip()]
    return []


def bad_lines() -> int:
    """Return how many lines of the score file `read_scores` skips; raise `OSError`."""
    return len(_score_lines()) - len(read_scores())


def read_scores() -> list[HighScore]:
    """Return all results, best first; unreadable lines, or an unreadable file, are skipped."""
    scores = []
    with suppress(OSError):
        for line in _score_lines():
            with suppress(*UNREADABLE):
                scores.append(msgspec.json.decode(line, type=HighScore))
    return sorted(scores, key=lambda result: (-result.points, result.ended))


def score_board(day: str = "", *, ghosts: bool = False) -> list[HighScore]:
    """Return the results of all time, or of the daily run of ``day``, best first.

    Runs with ``ghosts`` have a separate board, because their players know the dungeon.
    """
    board = (result for result in read_scores() if result.ghost == ghosts)
    return [result for result in board if not day or result.daily == day]
