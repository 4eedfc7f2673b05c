"""The dungeon of the day: the same for everyone, and still there for whoever comes later."""

import re
from datetime import UTC, date, datetime

from engine.setup import Mode, Setup
from procgen.code import parse_seed

DAILY = "daily "


def daily_setup(day: date) -> Setup:
    """Return what every run of the dungeon of ``day`` begins with; anyone can type its seed."""
    typed = f"{DAILY}{day.isoformat()}"
    return Setup(parse_seed(typed), typed)


def today() -> date:
    """Return the day it is, the same all over the world."""
    return datetime.now(UTC).date()


def day_of(setup: Setup, run: str) -> str:
    """Return the day whose dungeon ``setup`` is, if the file ``run`` was begun on it; else ""."""
    found = re.fullmatch(rf"{DAILY}([0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})", setup.typed_seed)
    if not found or setup.mode is not Mode.ADVENTURE:
        return ""
    day = found[1]
    plain = setup.generator is None and setup.size is None and setup.depth == 1
    on_the_day = run.startswith(day.replace("-", ""))
    return day if plain and on_the_day and setup.grew_from is None else ""
