"""The golden levels see small mistakes, and whose they are; tests/mutations.py makes them all."""

import pytest

from mutations import MISTAKES, blamed, copy_of_project


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return copy_of_project(tmp_path_factory.mktemp("mistaken"))


@pytest.mark.parametrize("mistake", MISTAKES[:3], ids=lambda mistake: mistake.step)
def test_a_mistake_is_seen_and_blamed_on_its_step(folder, mistake):
    assert blamed(folder, mistake) == mistake.step
