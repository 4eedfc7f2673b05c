"""Films of recorded runs: the times of turns, their frames, and the GIF or page of them."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from engine.saves.playback import Playback
from engine.saves.run import Run
from engine.saves.run_file import RecordedRun
from engine.state.actions import Action, Wait
from engine.state.score import score
from entities.folders import command_line
from procgen.blueprint import paste_clipped
from render.backends.window_layout import WindowLayout, text_cell
from render.messages.message_log import MessageLog
from render.panels.hud import draw_play
from render.panels.morgue import ending_text
from render.replays.replay_player import TURNS_PER_SECOND
from render.session.session import Session
from render.tiles.tile_canvas import Pixels
from render.tiles.tileset import console_image, map_tileset, text_tileset
from render.ui.frame import Frame
from render.ui.text import printable
from workbench.images.gif_writer import ColorCounts, GifFrame, GifPalette, color_counts
from workbench.images.player_page import Chapter, Film, FilmLayer, player_page

TEXT, TILE = 16, 20
"""The heights of letters and tiles in pixels."""
HOLD = 3.0
"""Seconds for which the last picture of a GIF is shown."""


class FrameTime(NamedTuple):
    """A turn and the time, in seconds, at which it is shown."""

    turn: int
    time: float


class FilmOptions(NamedTuple):
    """The part of a run to show, and how.

    It is shown from turn ``first`` to ``last``, at ``speed`` times 8 turns per second, with at most
    ``rate`` pictures per second, ``most`` in total; waits take at most ``idle`` seconds in a row.
    """

    first: int
    last: int
    speed: float
    idle: float
    rate: float
    most: int


def frame_times(actions: Sequence[Action], options: FilmOptions) -> list[FrameTime]:
    """Return the frames to draw, always including the first and last turn."""
    times = _turn_times(actions[options.first : options.last], options)
    rate = options.rate
    while True:
        chosen = _at_frame_rate(times, options.first, rate)
        if len(chosen) <= max(2, options.most):
            return chosen
        rate *= 0.98 * options.most / len(chosen)


def _turn_times(actions: Sequence[Action], options: FilmOptions) -> list[float]:
    """Return the time in seconds at which each turn is shown, the first at 0."""
    step, times = 1 / (TURNS_PER_SECOND * options.speed), [0.0]
    for waiting, stretch in groupby(isinstance(action, Wait) for action in actions):
        length = len(list(stretch))
        each = min(step, options.idle / length) if waiting else step
        times += [times[-1] + each * count for count in range(1, length + 1)]
    return times


def _at_frame_rate(times: list[float], first: int, rate: float) -> list[FrameTime]:
    """Return the first turn in each frame's interval, and the last turn of all."""
    chosen = [FrameTime(first, 0.0)]
    last = 0
    for number, time in enumerate(times[1:], 1):
        slot = int(time * rate + 1e-6)
        if slot > last or number == len(times) - 1:
            chosen.append(FrameTime(first + number, time))
            last = slot
    return chosen


LEAD = 60
"""Turns replayed before the first frame, so that its message log is not empty."""
CENTRAL = 0.28
"""The distance of the hero from the middle before it scrolls, as a share of the picture."""


class RecordedFrame(NamedTuple):
    """A drawn frame with its time in seconds, level code, depth, turn and the points so far."""

    frame: Frame
    time: float
    level: str
    depth: int
    turn: int
    points: str


def recorded_frames(
    recorded: RecordedRun, chosen: Iterable[FrameTime], empty: Callable[[], Frame]
) -> Iterator[RecordedFrame]:
    """Yield the ``chosen`` pictures in order, each on a frame returned by ``empty``.

    Raises `Desync` if the run diverges from the record.
    """
    playback = Playback(recorded)
    session = Session(Run(playback.engine))
    session.hints = []
    session.skip_turns()
    session.log = MessageLog()
    camera = Camera()
    status = f"Seedhollow, seed {printable(recorded.header.setup.typed_seed)}"
    for cue in chosen:
        for events in playback.play_to(cue.turn, LEAD):
            session.add_events(events)
        state = session.run.state
        frame = empty()
        camera.follow(session, frame)
        draw_play(frame, session, status=status)
        points = f"{score(state).total:,}" if state.scored else "not scored"
        yield RecordedFrame(frame, cue.time, str(state.code), state.depth, cue.turn, points)


class Camera:
    """A camera that moves only when the player nears the edge of the view.

    A film with little motion is a smaller file and easier to watch.
    """

    def __init__(self) -> None:
        self._level = ""
        self._x = self._y = 0
        self._span = (1, 1)

    def follow(self, session: Session, frame: Frame) -> None:
        """Point the view of ``session`` at the camera's centre."""
        state = session.run.state
        far_x = abs(state.hero.x - self._x) > CENTRAL * self._span[0]
        far_y = abs(state.hero.y - self._y) > CENTRAL * self._span[1]
        if far_x or far_y or self._level != str(state.code):
            self._level = str(state.code)
            self._x, self._y = state.hero.x, state.hero.y
        self._span = round(frame.columns / frame.tile[0]), round(frame.rows / frame.tile[1])
        session.view.looking_at = self._x, self._y


def level_palettes(samples: Iterable[RecordedFrame]) -> dict[str, GifPalette]:
    """Return a palette for each level in ``samples``."""
    counted = defaultdict[str, list[ColorCounts]](list)
    for shot in samples:
        counted[shot.level].append(color_counts(frame_pixels(shot.frame)))
    return {level: GifPalette(counts) for level, counts in counted.items()}


def gif_frames(shots: Iterable[RecordedFrame], colors: dict[str, GifPalette]) -> Iterator[GifFrame]:
    """Yield the frames, each shown until the next begins; ``colors`` has a palette for a level."""
    last: GifFrame | None = None
    start, time = 0, 0.0
    for shot in shots:
        time = shot.time
        begins = round(100 * time)  # Times are rounded, not stays, or a long run would drift.
        if last:
            yield last._replace(stay=begins - start)
        if shot.level not in colors:
            colors |= level_palettes([shot])
        palette = colors[shot.level]
        last, start = GifFrame(palette.numbers(frame_pixels(shot.frame)), 0, palette), begins
    if last:
        yield last._replace(stay=round(100 * (time + HOLD)) - start)


def run_page(recorded: RecordedRun, shots: Iterable[RecordedFrame], name: str) -> bytes:
    """Return a page of ``shots``, all of one size; its chapters are the levels of the run.

    ``name`` is that of the run file.
    """
    taken = list(shots)
    levels = [(depth, code) for (depth, code), _ in groupby(taken, lambda s: (s.depth, s.level))]
    changes = [shot.level != before.level for shot, before in zip(taken[1:], taken, strict=False)]
    layers = _layers([shot.frame for shot in taken])
    whole = taken[-1].turn == len(recorded.actions)
    end = ending_text(recorded.end or recorded.header.open_result) if whole else "goes on"
    film = Film(
        (layers[0].clip.width, layers[0].clip.height),
        layers,
        [shot.time for shot in taken],
        [0, *np.cumsum(changes, dtype=int).tolist()],
        [f"turn {shot.turn}" for shot in taken],
        [Chapter(f"depth {depth}", code) for depth, code in levels],
        [shot.frame.overlays for shot in taken],
        [("points", taken[-1].points), ("end", end)],
    )
    header, played = recorded.header, printable(recorded.header.started)[:10]
    turns = f"{taken[0].turn:,} to {taken[-1].turn:,} of {len(recorded.actions):,}"
    return player_page(
        film,
        title=f"A run of Seedhollow, seed {printable(header.setup.typed_seed)}",
        about=f"Turns {turns}, played {played}.",
        code=levels[0][1],
        command=command_line("replay", printable(name)),
        part="a level",
        parts="Levels",
    )


def _layers(frames: list[Frame]) -> list[FilmLayer]:
    """Return the layers of text and, over it, map, placed as in a window."""
    first, layout = frames[0], _layout(frames[0])
    area = layout.map_area()
    assert first.map_rect
    assert area
    text = np.stack([frame.text.rgb for frame in frames])
    maps = np.stack([frame.map.rgb for frame in frames if frame.map])
    screen = layout.area(first.map_rect._replace(x=0, y=0, width=first.columns, height=first.rows))
    clip = layout.area(first.map_rect)
    return [
        FilmLayer(text, text_tileset(TEXT).whole(), 0, 0, screen, first.map_rect),
        FilmLayer(maps, map_tileset(layout.tile).whole(), area.x, area.y, clip),
    ]


def _layout(frame: Frame) -> WindowLayout:
    cell = text_cell(TEXT)
    window = frame.columns * cell[0], frame.rows * cell[1]
    return WindowLayout(frame, window, cell, frame.tile_pixels or TILE)


def empty_frame(columns: int, rows: int) -> Frame:
    """Return an empty frame of ``columns`` by ``rows`` text cells."""
    width, height = text_cell(TEXT)
    return Frame(columns, rows, (TILE / width, TILE / height), TILE)


def frame_pixels(frame: Frame) -> Pixels:
    """Return ``frame`` as pixels, uint8 [y, x, 3]."""
    layout = _layout(frame)
    text: Pixels = text_tileset(TEXT).whole().render(frame.text)[:, :, :3]
    pixels = text.copy()
    tiles, rect = layout.map_area(), frame.map_rect
    if frame.map is None or rect is None or tiles is None:
        return pixels
    area = layout.area(rect)
    pixels[area.cells] = frame.text.bg[min(rect.y, frame.rows - 1), min(rect.x, frame.columns - 1)]
    drawn = np.asarray(console_image(frame.map, layout.tile))
    paste_clipped(pixels[area.cells], drawn, tiles.x - area.x, tiles.y - area.y)
    for overlay in frame.overlays:
        part = layout.area(overlay).cells
        pixels[part] = text[part]
    return pixels
