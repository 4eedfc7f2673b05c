"""The mission overlay: the graph of a level, its paths, gates and keys, drawn over the level."""

import numpy as np

from procgen.carving.tunnel_routes import stepped_line
from procgen.mission import LOCKS, OPENERS, Gate, Mission, MissionEdge, MissionRoom
from render.map.overlays import Chart, Legend, OverlayInput
from render.ui.frame import Color
from render.ui.palette import colors

PATHS: tuple[Color, ...] = ((88, 132, 190), (190, 128, 74), (112, 156, 92), (150, 104, 176))
"""Colours of named paths, the main path first."""
GATES: dict[Gate, tuple[str, str]] = {
    **dict.fromkeys(LOCKS, ("◆", "accent")),
    "drop": ("▼", "warn"),
    "secret": ("×", "cold"),
    "window": ("~", "cold"),
}
"""The character of each gate, and its colour of the interface."""
KEY = "◆"
ROOM, WAY = np.float32(0.35), np.float32(0.6)


def mission_chart(subject: OverlayInput, mission: Mission | None) -> Chart:
    """Return the chart of ``mission``: rooms and ways in the colour of their path, gates, keys.

    A mission that is not laid out yet has a legend and no picture.
    """
    shape = subject.tiles.shape
    ink = np.zeros((*shape, 3), np.float32)
    paper, cover = ink.copy(), np.zeros(shape, np.float32)
    hold, marks = np.zeros(shape, np.float32), np.zeros(shape, np.int32)
    if mission is None:
        return Chart(paper, cover, ink, hold, marks, [("no mission", None)])
    paint = _path_colors(mission)
    for room in mission.rooms:
        for x, y in _floor(subject, room):
            paper[y, x], cover[y, x] = paint[room.path], ROOM
    for edge in mission.edges:
        for x, y in _line(mission, edge) if edge.gate not in ("window", "drop") else ():
            paper[y, x], cover[y, x] = paint[edge.path], WAY
    pieces = [(edge.place, *GATES[edge.gate]) for edge in mission.edges if edge.gate in GATES]
    pieces += [
        (room.anchor, KEY, "cold") for room in mission.rooms if room.holds in OPENERS.values()
    ]
    for place, char, color in pieces:
        if place:
            x, y = place
            ink[y, x], hold[y, x], marks[y, x] = colors()[color], 1, ord(char)
    return Chart(paper, cover, ink, hold, marks, _legend(mission, paint))


def _path_colors(mission: Mission) -> dict[str, Color]:
    names = dict.fromkeys(room.path for room in mission.rooms)
    return {name: PATHS[number % len(PATHS)] for number, name in enumerate(names)}


def _floor(subject: OverlayInput, room: MissionRoom) -> list[tuple[int, int]]:
    """Return the open tiles in the box of ``room``."""
    if room.box is None:
        return []
    x, y, width, height = room.box
    rows, columns = np.nonzero(subject.open[y : y + height, x : x + width])
    return list(zip((columns + x).tolist(), (rows + y).tolist(), strict=True))


def _line(mission: Mission, edge: MissionEdge) -> list[tuple[int, int]]:
    """Return the tiles of the lines from one room of ``edge`` by its gate to the other."""
    one, other = (mission.rooms[number].anchor for number in (edge.one, edge.other))
    if not (one and other and edge.place):
        return []
    return [*stepped_line(one, edge.place), *stepped_line(edge.place, other)]


def _legend(mission: Mission, paint: dict[str, Color]) -> Legend:
    """Return each path in its colour, then what the marks mean and how many rooms there are."""
    legend: Legend = []
    for name, color in paint.items():
        legend += [("■", color), (f" {name}  ", None)]
    locks = len(mission.gated(*LOCKS))
    legend += [("◆", colors()["accent"]), (f" {locks} lock{'s' * (locks != 1)}  ", None)]
    legend += [("◆", colors()["cold"]), (f" key{'s' * (locks != 1)}  ", None)]
    count = len(mission.cycles)
    rooms = f"{len(mission.rooms)} rooms, {count} cycle{'s' * (count != 1)}"
    return [*legend, (rooms, None)]
