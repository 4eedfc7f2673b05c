"""Films of runs as GIFs: few colours, near the right ones, and nothing twice."""

from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

import main
from engine.saves.run import Run
from engine.saves.run_file import read_run
from engine.state.actions import Move, Refused, Visit, Wait
from engine.state.run_setup import RunSetup
from render.panels.hud import layout
from render.ui.frame import Rect
from workbench.images.gif_writer import gif_pieces
from workbench.recordings.frames import (
    TEXT,
    FilmOptions,
    empty_frame,
    frame_pixels,
    frame_times,
    gif_frames,
    level_palettes,
    recorded_frames,
)


@pytest.fixture(scope="module")
def travels(tmp_path_factory):
    """A long wait, then a walk on a level of another kind."""
    path = tmp_path_factory.mktemp("runs") / "travels.jsonl"
    run = Run.begin(RunSetup(9, "9", generator="rooms"), path)
    steps = [Wait()] * 40 + [Visit("garden:7:3")] + [Wait(), Move(1, 0), Move(-1, 0)] * 4
    done = [action for action in steps if not isinstance(run.act(action), Refused)]
    run.close()
    assert len(done) > 45
    return read_run(path)


def whole(recorded, **changes):
    """Return the cut that shows all of a run."""
    return FilmOptions(0, len(recorded.actions), 1.0, 2.0, 12.5, 10**6)._replace(**changes)


# Pixels


def test_a_picture_is_laid_out_like_a_window():
    frame = empty_frame(100, 36)
    areas = layout(100, 36)
    frame.text.bg[:] = (9, 8, 7)
    console = frame.open_map(areas.map)
    console.bg[:] = (200, 100, 50)
    frame.overlays.append(Rect(10, 10, 4, 2))
    pixels = frame_pixels(frame)
    assert pixels.shape == (36 * TEXT, 100 * TEXT // 2, 3)
    assert pixels[areas.map.y * TEXT + 40, 100].tolist() == [200, 100, 50]
    assert pixels[0, 0].tolist() == [9, 8, 7]
    assert pixels[10 * TEXT, 10 * TEXT // 2].tolist() == [9, 8, 7]
    assert (pixels[-TEXT:] == (9, 8, 7)).all()


# The GIF


def film(recorded, cut, path):
    """Write a GIF and return its pictures and palettes."""
    empty = partial(empty_frame, 60, 24)
    taken = list(
        recorded_frames(
            recorded, frame_times([action for action, *_ in recorded.actions], cut), empty
        )
    )
    palettes = level_palettes(taken[::5])
    path.write_bytes(b"".join(gif_pieces(gif_frames(taken, palettes))))
    return taken, palettes


def shown(path):
    """Yield the pixels of each picture of a GIF and its seconds."""
    with Image.open(path) as image:
        for number in range(image.n_frames):
            image.seek(number)
            yield np.asarray(image.convert("RGB")), image.info["duration"] / 1000


def test_a_gif_shows_every_picture_in_colours_close_to_the_right_ones(travels, tmp_path):
    path = tmp_path / "a.gif"
    cut = whole(travels, first=30)
    taken, palettes = film(travels, cut, path)
    assert len(palettes) == 2
    seen = list(shown(path))
    right = [frame_pixels(shot.frame) for shot in taken]
    changes = [0, *(n for n in range(1, len(right)) if (right[n] != right[n - 1]).any())]
    at = [round(shot.time * 100) for shot in taken]
    number = 0
    for n in changes:
        table = palettes[taken[n].level].table
        expected = table[palettes[taken[n].level].numbers(right[n])]
        while (seen[number][0] != expected).any():
            number += 1
            assert number < len(seen), f"picture {n} is not shown"
        off = np.abs(expected.astype(int) - right[n])
        assert off.mean() < 1.5
    assert number == len(seen) - 1
    total = sum(seconds for _, seconds in seen)
    assert total == pytest.approx(at[-1] / 100 + 3.0, abs=0.02)


def test_a_gif_holds_only_what_changed(travels, tmp_path):
    path = tmp_path / "b.gif"
    film(travels, whole(travels, last=40), path)
    with Image.open(path) as image:
        assert image.info["loop"] == 0
        assert image.n_frames > 10
        starts = []
        for number in range(image.n_frames):
            image.seek(number)
            starts.append(image.tile[0].offset)
    pictures = [pixels for pixels, _ in shown(path)]
    for before, after in pairwise(pictures):
        changed = (before != after).any(axis=2)
        # Waiting changes no more than the number of the turn and the turns until the level stirs.
        assert not changed[TEXT:-TEXT].any()
        for line in (changed[:TEXT], changed[-TEXT:]):
            assert not line.any() or np.ptp(np.flatnonzero(line.any(axis=0))) < 5 * TEXT
    later = np.diff(starts[1:])
    assert later.max() < starts[1] / 10, "what stays as it was between the lines costs little"


def test_letters_stay_readable_in_few_colours(travels, tmp_path):
    path = tmp_path / "c.gif"
    taken, palettes = film(travels, whole(travels, first=45), path)
    pixels = frame_pixels(taken[-1].frame)
    table = palettes[taken[-1].level].table
    bright = pixels.max(axis=2) > 180
    found = table[palettes[taken[-1].level].numbers(pixels)]
    assert bright.sum() > 100
    assert np.abs(found.astype(int) - pixels)[bright].mean() < 4


def test_a_gif_comes_out_of_the_command_line(travels, tmp_path):
    target = tmp_path / "part.gif"
    options = ("--to-turn", "12", "--export-size", "60x24", "--speed", "4")
    assert main.main(["replay", str(travels.path), "--export", str(target), *options]) == 0
    with Image.open(target) as image:
        assert image.size == (60 * TEXT // 2, 24 * TEXT)
        assert image.n_frames > 3
