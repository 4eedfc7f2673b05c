"""The timeline bar and the texts below a build that is watched."""

import numpy as np
from tcod.console import Console

from render.ui.frame import Frame, Rect
from render.ui.input import Pointer
from render.ui.palette import colors
from render.ui.text import clipped, panel, write, write_lines, write_parts
from render.workshop.build_player import SPEEDS, BuildPlayer
from render.workshop.build_recording import Snapshot

FULL, NOTCHED = ord("▀"), ord("▝")
"""A cell of the bar, and a cell with a notch where a step begins."""

ROOMY = 36
"""Rows of text from which on the panel below the map gets more lines."""


class DraggedBar:
    """A bar at ``rect`` that can be clicked and dragged."""

    def __init__(self) -> None:
        self.rect = Rect(0, 0, 1, 1)
        self._held = False

    def share_at(self, x: int) -> float:
        """Return the share (0 to 1) of the bar at column ``x`` of the frame."""
        return max(0.0, min(1.0, (x - self.rect.x) / max(1, self.rect.width - 1)))

    def handle(self, pointer: Pointer) -> float | None:
        """Return the share (0 to 1) of the bar that was clicked or dragged to, None if none was."""
        if pointer.kind == "press":
            self._held = pointer.button == "left" and self.rect.contains(pointer.x, pointer.y)
        elif pointer.kind != "move" or pointer.button != "left":
            self._held = False
        return self.share_at(pointer.x) if self._held else None


class TimelineBar(DraggedBar):
    """The timeline of a build, with notches where steps begin."""

    def draw(self, console: Console, rect: Rect, player: BuildPlayer) -> None:
        """Draw the bar into ``rect``, and the number of the snapshot after it."""
        more = "" if player.recording.finished else "+"
        count = f"{player.index + 1} / {len(player.recording.snapshots)}{more}"
        write(console, rect.x + rect.width - len(count), rect.y, count, "dim")
        self.rect = rect = rect._replace(width=max(1, rect.width - len(count) - 2))
        width, built = rect.width, player.recording.share
        if not (0 <= rect.y < console.height and rect.x < console.width):
            return
        cells = console.rgb[rect.y, rect.x : rect.x + width]
        cells["ch"], cells["fg"] = FULL, colors()["line"]
        cells["fg"][: round(width * built)] = colors()["faint"]
        cells["fg"][: max(1, round(width * player.share))] = colors()["accent"]
        for place in player.recording.starts[1:]:
            cell = cells[min(len(cells) - 1, int(width * built * place / max(1, player.last)))]
            cell["ch"] = NOTCHED
            if player.recording.snapshots[place - 1].rejects:
                cell["fg"] = colors()["bad"]


def draw_decisions(frame: Frame, area: Rect, player: BuildPlayer) -> None:
    """List the decisions of a mission so far, as long as its map is all rock."""
    last = player.snapshot
    if last is None or last.mission is None or np.ptp(last.tiles) or area.height <= 5:
        return
    shots = player.recording.snapshots[: player.index + 1]
    captions = [shot.caption for shot in shots if shot.attempt == last.attempt][5 - area.height :]
    width, height = min(area.width, max(map(len, captions)) + 6), len(captions) + 4
    inner = panel(frame, Rect(area.x + (area.width - width) // 2, area.y + 1, width, height))
    write_lines(frame.text, inner.x, inner.y, captions, width=inner.width)


def draw_step_text(
    frame: Frame, rect: Rect, player: BuildPlayer, speed: str, *, captions: bool = True
) -> None:
    """Write the step, its parameters and the caption into the lines of ``rect``."""
    console, snapshot = frame.text, player.snapshot
    if snapshot:
        steps = len(player.recording.recipe.steps)
        write(console, rect.x + rect.width - len(speed), rect.y, speed, "cold")
        parts = [(f"{snapshot.step_index + 1}/{steps} ", "dim"), (snapshot.step, "accent")]
        if snapshot.attempt:
            parts.append((f"  attempt {snapshot.attempt + 1}", "warn"))
        room = rect.width - len(speed) - 2
        if sum(len(text) for text, _ in parts) > room:
            parts = [(clipped(snapshot.step, room), "accent")]
        write_parts(console, rect.x, rect.y, parts)
        parameters = parameter_lines(snapshot, rect.width, rect.height - 2)
        write_lines(console, rect.x, rect.y + 1, parameters)
    bottom = rect.y + rect.height - 1
    if player.recording.failure and (player.recording.finished and player.index == player.last):
        write(console, rect.x, bottom, player.recording.failure, "bad", rect.width)
    elif snapshot and captions:
        color = "bad" if snapshot.rejects else "text"
        write(console, rect.x, bottom, snapshot.caption, color, rect.width)


def speed_text(player: BuildPlayer) -> str:
    """Return the speed or state as text."""
    if player.seeking:
        return "building"
    speed = f"{SPEEDS[player.speed]} a second"
    return speed if player.playing else f"paused · {speed}"


def parameter_lines(snapshot: Snapshot, width: int, most: int) -> list[list[tuple[str, str]]]:
    """Return the parameters in at most ``most`` lines of ``width`` columns, with … if cut."""
    lines: list[list[tuple[str, str]]] = [[]]
    used = 0
    for name, value in snapshot.parameters:
        wide = len(name) + len(value) + 1
        if used and used + wide + 3 > width:
            if len(lines) == most:
                lines[-1].append((" …", "dim"))
                break
            lines.append([])
            used = 0
        gap = "   " if used else ""
        text = clipped(value, max(1, width - len(name) - 1))
        lines[-1] += [(f"{gap}{name} ", "dim"), (text, "text")]
        used += wide + len(gap)
    return lines
