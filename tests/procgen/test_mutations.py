"""The golden levels see small mistakes, and whose they are; tests/mutations.py makes them all."""

import pytest

from mutations import MISTAKES, ROOT, blamed, copy_of_project


def test_every_mistake_can_still_be_made():
    texts = {
        mistake: (ROOT / "procgen" / "steps" / f"{mistake.file}.py").read_text(encoding="utf-8")
        for mistake in MISTAKES
    }
    assert [mistake for mistake, text in texts.items() if text.count(mistake.before) != 1] == []
    assert len({mistake.step for mistake in MISTAKES}) >= 20


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return copy_of_project(tmp_path_factory.mktemp("mistaken"))


@pytest.mark.parametrize("mistake", MISTAKES[:3], ids=lambda mistake: mistake.step)
def test_a_mistake_is_seen_and_blamed_on_its_step(folder, mistake):
    assert blamed(folder, mistake) == mistake.step
