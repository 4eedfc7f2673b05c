"""Text on a console: lines, wrapped paragraphs, panels, bars."""

import re
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from tcod.console import Console

from render.ui.frame import Color, Frame, Heading, Icon, Look, Rect, as_color
from render.ui.palette import colors

TITLE_SIZE = 1.5
"""The height of the title of a panel, in text cells, where there are pixels."""
SCROLL_RANGE_WIDTH = 16
"""Columns of the edge of a panel that are kept for ``3-12 of 40``."""


def printable(text: str) -> str:
    """Return ``text`` with every unprintable character replaced by ``?``."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else "?" for char in text)


def clipped(text: str, width: int) -> str:
    """Return ``text`` cut to ``width`` cells, with an ellipsis if anything was cut.

    It is cut between two words if that keeps more than half. Without room it is empty.
    """
    if len(text) <= width or width < 1:
        return text[: max(0, width)]
    cut = text[: width - 1]
    ends_word = text[len(cut) :].startswith(" ")
    end = len(cut) if ends_word else max(cut.rfind(" "), cut.rfind("_") + 1)
    return (cut[:end] if end > width // 2 else cut).rstrip() + "…"


def write(
    console: Console, x: int, y: int, text: str, color: str = "text", width: int | None = None
) -> int:
    """Write one line in an interface colour, clipped to ``width``; return the column after it."""
    room = console.width - x if width is None else min(width, console.width - x)
    line = clipped(printable(text), room)
    if line and 0 <= y < console.height:
        console.print(x, y, line, fg=colors()[color])
    return x + len(line)


def write_parts(console: Console, x: int, y: int, parts: Sequence[tuple[str, str]]) -> int:
    """Write pieces of text, each in its own colour; return the column after them."""
    for text, color in parts:
        x = write(console, x, y, text, color)
    return x


Line = list[tuple[str, str]]
"""Pieces of text with the interface colour of each."""


def write_lines(
    console: Console,
    x: int,
    y: int,
    lines: Iterable[str | Line],
    color: str = "text",
    width: int | None = None,
) -> int:
    """Write lines; strings in ``color``, clipped to ``width``. Return the row after the last."""
    for line in lines:
        if isinstance(line, str):
            write(console, x, y, line, color, width)
        else:
            write_parts(console, x, y, line)
        y += 1
    return y


def write_icon(frame: Frame, x: int, y: int, look: Look) -> None:
    """Write the letter of ``look`` at (x, y); with pixels also its tile, two cells wide."""
    glyph, code, color = look
    frame.text.print(x, y, glyph, fg=color)
    if code != ord(glyph):
        frame.icons.append(Icon(code, color, x, y))


def fill(console: Console, rect: Rect, color: str) -> None:
    """Paint a rectangle in a colour of the interface."""
    area = console.rgb[rect.cells]
    area["ch"], area["fg"], area["bg"] = 0x20, colors()["text"], colors()[color]


def paint_bands(frame: Frame, head: int, foot: int) -> Rect:
    """Paint the first ``head`` and last ``foot`` rows as panels; return the rows between them."""
    fill(frame.text, Rect(0, 0, frame.columns, frame.rows), "panel")
    between = Rect(0, head, frame.columns, max(1, frame.rows - head - foot))
    fill(frame.text, between, "ground")
    return between


def panel(frame: Frame, rect: Rect, title: str = "") -> Rect:
    """Draw a framed panel over everything; return the rectangle inside its margins.

    Words beside it that it would cut are erased.
    """
    for strip in _cut_text(frame, rect):
        frame.cover(strip)
        fill(frame.text, strip, "panel")
    frame.cover(rect)
    fill(frame.text, rect, "panel")
    frame.text.draw_frame(*rect, clear=False, fg=colors()["faint"], decoration="╭─╮│ │╰─╯")
    if title:
        write(frame.text, rect.x + 2, rect.y, f" {title} ", "accent", rect.width - 4)
        if 2 + len(title) * TITLE_SIZE <= rect.width - 4 - SCROLL_RANGE_WIDTH:
            at = rect.x + 2, rect.y + 0.5
            frame.headings.append(Heading(f" {title} ", colors()["accent"], *at, TITLE_SIZE))
    return Rect(rect.x + 3, rect.y + 2, max(0, rect.width - 6), max(0, rect.height - 4))


def _cut_text(frame: Frame, rect: Rect) -> Iterator[Rect]:
    """Yield the text beside ``rect`` (sidebar, log) that a panel there would cut, row by row."""
    ground = frame.map_rect or frame.map_area
    side = ground.x + ground.width  # The right edge of map and log, where the sidebar begins.
    end = frame.columns if rect.x + rect.width > side else side
    for y in range(max(0, rect.y), min(frame.rows, rect.y + rect.height)):
        start = side if ground.y <= y < ground.y + ground.height else 0
        # If a panel below continues here, it must stay intact, and has erased the row already.
        below = any(overlay.contains(rect.x + rect.width, y) for overlay in frame.overlays)
        if start < end and not below:
            yield Rect(start, y, end - start, 1)


def write_range(frame: Frame, rect: Rect, first: int, rows: int, total: int) -> None:
    """Write which rows are shown, ``3-12 of 40``, on the edge of a panel unless all are."""
    if total > rows:
        text = f" {first + 1}–{min(total, first + rows)} of {total} "
        write(frame.text, rect.x + rect.width - len(text) - 2, rect.y, text, "dim")


def centered(frame: Frame, width: int, height: int) -> Rect:
    """Return a centred rectangle of this size, at most as wide as the map, as high as fits."""
    area, height = frame.map_area, min(height, frame.rows)
    width = min(width, area.width)
    return Rect(area.x + (area.width - width) // 2, (frame.rows - height) // 2, width, height)


def bar(console: Console, rect: Rect, share: float, full: str, empty: str) -> None:
    """Draw a horizontal bar, filled to ``share`` (0 to 1)."""
    fill(console, rect, empty)
    width = round(rect.width * max(0.0, min(1.0, share)))
    fill(console, Rect(rect.x, rect.y, max(width, int(share > 0)), rect.height), full)


def paragraphs(text: str, width: int) -> list[str]:
    """Return ``text`` broken into lines of at most ``width`` cells."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        lines += wrap(paragraph, max(10, width), break_on_hyphens=False) or [""]
    return lines


def wrapped_line(line: Line, width: int) -> list[Line]:
    """Return ``line`` in lines of ``width`` cells, at least 10; all but the first are indented.

    Of its colours the first and the last are kept.
    """
    full_text, width = "".join(text for text, _ in line), max(10, width)
    if len(full_text) <= width:
        return [line]
    left, indent, lines = len(line[0][0]), 0, list[Line]()
    for text in wrap(full_text, width, subsequent_indent=" " * 4, break_on_hyphens=False):
        cut = indent + left if left > 0 else 0
        parts = (text[:cut], line[0][1]), (text[cut:], line[-1][1])
        lines.append([part for part in parts if part[0]])
        left, indent = left - (len(text) - indent + 1), 4  # A blank is lost at each break.
    return lines


def path_lines(text: str, width: int) -> list[str]:
    """Return ``text`` in lines of ``width`` cells (at least 10), cut at spaces or after folders."""
    lines, width = [""], max(10, width)
    for word in re.findall(r"\S*\s*", text):
        for part in re.findall(r"[^/\\]*[/\\]?", word) if len(word) > width else [word]:
            if len(lines[-1]) + len(part) > width and lines[-1]:
                lines.append("")
            *full, last = wrap(lines.pop() + part, width, drop_whitespace=False) or [""]
            lines += [*full, last]
    return lines


def blend(start: Color, end: Color, share: float) -> Color:
    """Return the colour ``share`` of the way from ``start`` to ``end``."""
    return as_color(round(a + (b - a) * share) for a, b in zip(start, end, strict=True))


def plain_text(lines: Iterable[Line]) -> str:
    """Return lines without their colours."""
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)
