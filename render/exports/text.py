"""A level in characters, as people read it and post it."""

from entities.terrain import terrain
from procgen.build import Level


def level_text(level: Level) -> list[str]:
    """Return one string per row, `<` at the start and `>` at the exit."""
    rows = [list(row) for row in terrain().text(level.tiles)]
    rows[level.start.y][level.start.x] = "<"
    rows[level.exit.y][level.exit.x] = ">"
    return ["".join(row) for row in rows]


def text(level: Level, origin: str = "") -> bytes:
    """Return the level's code, its rows, the command if there is one, and an empty line."""
    lines = [str(level.code), *level_text(level), *([origin] if origin else []), "", ""]
    return "\n".join(lines).encode()
