"""The boards: how runs ended and what they are worth, one line each, never changed again."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from engine.append import append_line
from engine.daily import day_of
from engine.places import home
from engine.version import PROGRAM, RULES
from engine.world import World

FILE = "scores.jsonl"
LARGEST = 16 << 20
"""Bytes of the file that are read at most: a hundred thousand runs."""
PER_DEPTH, PER_EXPERIENCE, FOR_THE_GOAL = 100, 1, 5000

Short = Annotated[str, Meta(max_length=200)]
Natural = Annotated[int, Meta(ge=0, lt=1 << 53)]
Day = Annotated[str, Meta(pattern="^([0-9]{4}-[0-9]{2}-[0-9]{2})?$")]


class Score(msgspec.Struct, frozen=True, omit_defaults=True):
    """How one run ended.

    ``end`` says how in the words of run files; ``daily`` is the day whose dungeon it was, if it
    was played on that day; ``run`` the name of its file.
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
    daily: Day = ""
    generator: Short = ""
    run: Short = ""
    program: Short = ""
    rules: Natural = 0


def points(world: World) -> int:
    """Return what a run is worth so far: depth, gold, what was learned, and the goal."""
    growth = world.hero.growth
    experience = growth.experience if growth else 0
    return (
        PER_DEPTH * (world.deepest - world.setup.depth)
        + world.gold
        + PER_EXPERIENCE * experience
        + (FOR_THE_GOAL if world.won else 0)
    )


def score_of(world: World, end: str, run: str = "") -> Score:
    """Return the line for a run that ends now."""
    setup, now = world.setup, datetime.now(UTC)
    growth = world.hero.growth
    return Score(
        points=points(world),
        ended=now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        seed=setup.typed_seed,
        depth=world.deepest,
        turns=world.turn,
        kills=world.kills,
        gold=world.gold,
        level=growth.level if growth else 1,
        end=end[:200],
        won=bool(world.won),
        daily=day_of(setup, run),
        generator=setup.generator or "",
        run=run[:200],
        program=PROGRAM,
        rules=RULES,
    )


def scores_path() -> Path:
    """Return where the boards are kept."""
    return home() / FILE


def record(score: Score) -> None:
    """Put ``score`` on the boards; raise `OSError`."""
    append_line(scores_path(), msgspec.json.encode(score))


def scores() -> list[Score]:
    """Return every score, the best first; lines that cannot be read are passed over."""
    try:
        with scores_path().open("rb") as stream:
            text = stream.read(LARGEST)
    except OSError:
        return []
    found = []
    for line in text.split(b"\n"):
        try:
            found.append(msgspec.json.decode(line, type=Score))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
    return sorted(found, key=lambda score: (-score.points, score.ended))


def daily_board(board: list[Score], day: str) -> list[Score]:
    """Return the scores of the dungeon of ``day``, the best first."""
    return [score for score in board if score.daily == day]
