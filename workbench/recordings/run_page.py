"""Export a run as an HTML page that plays it, in the tiles and with the panels of the window."""

from collections.abc import Iterable
from itertools import groupby

import numpy as np

from engine.saves.run_file import RecordedRun
from entities.program import COMMAND
from render.backends.window_layout import WindowLayout, text_cell
from render.tiles.tileset import map_tileset, text_tileset
from render.ui.frame import Frame
from render.ui.text import printable
from workbench.images.frame_pixels import TEXT, TILE
from workbench.images.player_page import Chapter, Film, FilmLayer, PageTexts, player_page
from workbench.recordings.frames import RecordedFrame


def run_page(recorded: RecordedRun, shots: Iterable[RecordedFrame], name: str) -> bytes:
    """Return a page of ``shots``, all of one size; its chapters are the levels of the run.

    ``name`` is that of the run file.
    """
    taken = list(shots)
    levels = [(depth, code) for (depth, code), _ in groupby(taken, lambda s: (s.depth, s.level))]
    changes = [one.level != other.level for one, other in zip(taken[1:], taken, strict=False)]
    layers = _layers([shot.frame for shot in taken])
    film = Film(
        (layers[0].clip.width, layers[0].clip.height),
        layers,
        [shot.time for shot in taken],
        [0, *np.cumsum(changes, dtype=int).tolist()],
        [f"turn {shot.turn}" for shot in taken],
        [Chapter(f"depth {depth}", code) for depth, code in levels],
        [shot.frame.overlays for shot in taken],
    )
    setup = recorded.header.setup
    told = PageTexts(
        f"A run of Seedhollow, seed {printable(setup.typed_seed)}",
        f"{len(recorded.actions):,} turns, played {printable(recorded.header.started)[:10]}.",
        levels[0][1],
        f"{COMMAND} replay {printable(name)}",
        "a level",
        "Levels",
    )
    return player_page(film, told)


def _layers(frames: list[Frame]) -> list[FilmLayer]:
    """Return the text and over it the map, placed as in a window."""
    first, cell = frames[0], text_cell(TEXT)
    window = first.columns * cell[0], first.rows * cell[1]
    layout = WindowLayout(first, window, cell, first.grain or TILE)
    area = layout.map_area()
    assert first.map_rect
    assert area
    text = np.stack([frame.text.rgb for frame in frames])
    maps = np.stack([frame.map.rgb for frame in frames if frame.map])
    whole = layout.area(first.map_rect._replace(x=0, y=0, width=first.columns, height=first.rows))
    clip = layout.area(first.map_rect)
    return [
        FilmLayer(text, text_tileset(TEXT), 0, 0, whole, first.map_rect),
        FilmLayer(maps, map_tileset(layout.tile), area.x, area.y, clip),
    ]
