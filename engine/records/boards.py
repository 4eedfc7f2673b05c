"""The boards: how runs ended and what they are worth, one line each, never changed again."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from engine.records.append import append_line
from engine.records.daily import day_of
from engine.records.places import home
from engine.records.version import PROGRAM, RULES
from engine.score import score
from engine.world import World

FILE = "scores.jsonl"
LARGEST = 16 << 20
"""Bytes of the file that are read at most: a hundred thousand runs."""

Short = Annotated[str, Meta(max_length=200)]
Natural = Annotated[int, Meta(ge=0, lt=1 << 53)]
Day = Annotated[str, Meta(pattern="^([0-9]{4}-[0-9]{2}-[0-9]{2})?$")]


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
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


def result_of(world: World, end: str, run: str = "") -> Result:
    """Return the line for a run that ends now."""
    setup, now = world.setup, datetime.now(UTC)
    growth = world.hero.growth
    return Result(
        points=score(world).total,
        ended=now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        seed=setup.typed_seed,
        depth=world.deepest,
        turns=world.turn,
        kills=world.kills,
        gold=world.gold,
        level=growth.level if growth else 1,
        end=end[:200],
        won=world.won is not None,
        daily=day_of(setup, run),
        generator=setup.generator or "",
        run=run[:200],
        program=PROGRAM,
        rules=RULES,
    )


def scores_path() -> Path:
    """Return where the boards are kept."""
    return home() / FILE


def record(result: Result) -> None:
    """Put ``result`` on the boards; raise `OSError`."""
    append_line(scores_path(), msgspec.json.encode(result))


def results() -> list[Result]:
    """Return every result, the best first; lines that cannot be read are passed over."""
    try:
        with scores_path().open("rb") as stream:
            text = stream.read(LARGEST)
    except OSError:
        return []
    found = []
    for line in text.split(b"\n"):
        try:
            found.append(msgspec.json.decode(line, type=Result))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
    return sorted(found, key=lambda result: (-result.points, result.ended))


def daily_board(board: list[Result], day: str) -> list[Result]:
    """Return the results of the dungeon of ``day``, the best first."""
    return [result for result in board if result.daily == day]
