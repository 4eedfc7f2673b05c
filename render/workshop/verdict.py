"""What came of a changed recipe: the level in a few numbers, before and after."""

from tcod.console import Console

from procgen.build import Level
from procgen.code import LevelCode
from procgen.measure.metrics import Metrics, measure
from render.draw import write, write_parts
from render.frame import Rect
from render.workshop.growth import Growth

LARGE = 40_000
"""Tiles beyond which measuring takes too long to wait for."""
SHOWN = ("floor", "rooms", "path", "loops", "dead_ends", "chokepoints")


class Verdict:
    """Measures a level and what it was without the changes; remembers both."""

    def __init__(self, code: LevelCode) -> None:
        self.code = code
        self._before: Metrics | None = None
        self._after: tuple[Level, Metrics] | None = None

    def draw(self, console: Console, rect: Rect, growth: Growth) -> None:
        """Write in one line how the build went and what the level is like."""
        if growth.failure:
            write(console, rect.x, rect.y, growth.failure, "bad", rect.width)
        elif growth.level is None:
            write(console, rect.x, rect.y, "growing …", "dim", rect.width)
        elif growth.level.tiles.size > LARGE:
            write(console, rect.x, rect.y, f"{len(growth.moments)} moments", "dim", rect.width)
        else:
            parts = self._numbers(growth.level)
            if rejected := len(growth.level.rejected):
                parts.insert(0, (f"attempt {rejected + 1}   ", "warn"))
            write_parts(console, rect.x, rect.y, parts)

    def _numbers(self, level: Level) -> list[tuple[str, str]]:
        """Return the numbers of ``level``, lit where they changed."""
        if self._after is None or self._after[0] is not level:
            self._after = level, measure(level)
        if self._before is None:
            plain = Growth(self.code)
            plain.to_end()
            assert plain.level
            self._before = measure(plain.level)
        parts = []
        for name in SHOWN:
            now, before = getattr(self._after[1], name), getattr(self._before, name)
            parts += [(f"{name.replace('_', ' ')} ", "dim"), (_short(now), "text")]
            parts.append(
                (f" was {_short(before)}" if _short(now) != _short(before) else "", "warn")
            )
            parts.append(("   ", "dim"))
        return parts


def _short(number: float) -> str:
    return f"{number:.0%}" if isinstance(number, float) else str(number)
