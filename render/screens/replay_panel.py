"""The bottom panel of a replay: turn, speed, the bar with its depths, and hints."""

from render.panels.hud import draw_play
from render.replays.chapters import Chapters
from render.replays.playhead import Playhead
from render.replays.replay_player import Replayer
from render.session.session import Session
from render.ui.frame import Frame, Rect
from render.ui.palette import colors
from render.ui.text import clipped, fill, printable, write, write_parts
from render.workshop.timeline import draw_keys, keys_with_texts

PAST, TO_COME, LOST, HERE = "━", "─", "╌", "●"
ROOMY = 16
"""Rows of text from which the panel takes three of them, not one."""


def panel_rows(rows: int) -> int:
    """Return how many of ``rows`` the panel takes."""
    return 3 if rows >= ROOMY else 1


def draw_above(frame: Frame, rows: int, session: Session, hover: str, status: str) -> None:
    """Draw the play view on all but the last ``rows`` of ``frame``."""
    part = Frame(frame.columns, max(1, frame.rows - rows), frame.tile, frame.grain)
    part.fluid = frame.fluid
    draw_play(part, session, hover, status)
    frame.text.rgb[: part.rows] = part.text.rgb[: frame.rows]
    frame.map, frame.map_rect, frame.cursor = part.map, part.map_rect, part.cursor
    frame.overlays += part.overlays
    frame.tile, frame.grain = part.tile, part.grain
    frame.ground, frame.pictures, frame.sprites = part.ground, part.pictures, part.sprites
    frame.poses, frame.scroll, frame.particles = part.poses, part.scroll, part.particles
    frame.icons += part.icons
    frame.ambience = part.ambience


def draw_panel(frame: Frame, player: Replayer) -> Rect:
    """Draw the panel and return the bar's rectangle; a note replaces the hints."""
    head = player.head
    rows = panel_rows(frame.rows)
    rect = Rect(0, max(0, frame.rows - rows), frame.columns, rows)
    fill(frame.text, rect, "panel")
    if rows == 1:
        place = f" {head.position}/{len(head.recorded.actions)} "
        write(frame.text, 0, rect.y, place, "accent")
        bar = Rect(len(place), rect.y, max(1, frame.columns - len(place) - 1), 1)
        draw_bar(frame, bar, head)
        return bar
    _draw_state(frame, rect, player)
    bar = Rect(2, rect.y + 1, max(1, rect.width - 4), 1)
    draw_bar(frame, bar, head)
    if player.note:
        write(frame.text, 2, rect.y + 2, player.note, "cold", rect.width - 4)
    elif head.fault and head.at_end:
        write(frame.text, 2, rect.y + 2, head.fault, "bad", rect.width - 4)
    else:
        pause = "pause" if player.playing else "play"
        draw_keys(frame, rect.y + 2, keys_with_texts("replay_bar", pause=pause))
    return bar


def _draw_state(frame: Frame, rect: Rect, player: Replayer) -> None:
    head = player.head
    total, position = len(head.recorded.actions), head.position
    parts = [("Replay ", "dim"), (player.state, "accent")]
    parts.append((f"   turn {position} of {total}", "text"))
    parts.append((f"   depth {head.session.run.state.depth}", "dim"))
    if head.recorded.foreign:
        parts.append(("   from another version: saved states only", "warn"))
    x = write_parts(frame.text, 2, rect.y, parts)
    source = printable(head.recorded.path.name)
    if parent := head.recorded.header.setup.grew_from:
        source = f"{source}, from {printable(parent)}"
    room = rect.width - x - 5
    if room > 12:
        source = clipped(source, room)
        write(frame.text, rect.width - 2 - len(source), rect.y, source, "faint")


def draw_bar(frame: Frame, rect: Rect, head: Playhead) -> None:
    """Draw the bar: turns past, to come and damaged, and a number where each depth begins."""
    total = len(head.recorded.actions)
    here = column(rect, head.position, total)
    end = column(rect, head.end, total)
    for x in range(rect.width):
        char, color = (PAST, "accent") if x < here else (TO_COME, "line")
        if head.fault and x > end:
            char, color = LOST, "bad"
        write(frame.text, rect.x + x, rect.y, char, color)
    _draw_depths(frame, rect, head.chapters, total, here)
    write(frame.text, rect.x + here, rect.y, HERE, "text")


def _draw_depths(frame: Frame, rect: Rect, chapters: Chapters, total: int, here: int) -> None:
    """Write each depth's number where it begins, or a bar where there is no room."""
    free = 0
    for turn, depth in chapters.levels:
        x, text = column(rect, turn, total), f"{depth}"
        if x < free or x + len(text) > rect.width:
            text = "┃" if free <= x + 1 and x < rect.width else ""
        color = "cold" if x > here else "accent"
        for number, char in enumerate(text):
            frame.text.print(rect.x + x + number, rect.y, char, fg=colors()[color])
        free = max(free, x + len(text) + 1)


def column(rect: Rect, turn: int, total: int) -> int:
    """Return the column of ``turn`` on a bar of ``total`` turns, in cells from its left end."""
    return round((rect.width - 1) * turn / max(1, total))
