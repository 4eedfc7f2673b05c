"""The title: a drawn name over the level in a window, letters in a terminal."""

import numpy as np
import pytest

from render.tiles.wordmark import NAME, SEED, wordmark
from render.ui.frame import Frame
from support.fake_backend import Person


@pytest.mark.parametrize("size", [(1280, 160), (640, 112), (200, 300)])
def test_the_name_fills_its_place_and_its_seed_glows(size):
    mark = wordmark(*size)
    assert mark.shape == (size[1], size[0], 4)
    rows, columns = np.nonzero(mark[..., 3] > 200)
    assert rows.min() > 0
    assert rows.max() < size[1] - 1
    assert columns.min() > 0
    assert columns.max() < size[0] - 1
    assert abs(columns.min() + columns.max() - size[0]) < size[0] // 12
    glow = mark[..., 2].astype(int) * (mark[..., 3] > 200)
    brightest = np.unravel_index(glow.argmax(), glow.shape)[1]
    letter = (columns.max() - columns.min()) / len(NAME)
    assert abs(brightest - (columns.min() + (SEED + 0.5) * letter)) < letter


def test_the_title_is_drawn_in_a_window_and_written_in_a_terminal():
    person = Person(110, 44)
    person.types("")
    assert "S E E D H O L L O W" in person.reads()
    assert not person.app.picture().pictures
    person.backend.frame = lambda: Frame(110, 44, (3.2, 1.6), 32)
    assert "S E E D H O L L O W" not in person.reads()
    assert len(person.app.picture().pictures) == 1
    person.backend.frame = lambda: Frame(110, 24, (3.2, 1.6), 32)
    assert "S E E D H O L L O W" in person.reads()
