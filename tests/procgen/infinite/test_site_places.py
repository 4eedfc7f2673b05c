"""Where there is room for a hand-drawn site in the wilderness."""

import numpy as np
import pytest

from entities.terrain import Tile
from procgen.blueprint import Blueprint
from procgen.chunk import SIDE
from procgen.infinite import wilderness_sites
from procgen.infinite.wilderness_sites import (
    CROSSROADS,
    _room_for,
    crossroads_center,
    crossroads_kinds,
    place_sites,
)
from procgen.rng import Rng
from procgen.vaults import vault_library
from procgen.vaults.orientations import orientations
from procgen.vaults.vault_library import fitting_vaults
from procgen.vaults.vault_parser import read_vaults


@pytest.fixture
def form():
    """A site in one of its orientations."""
    return orientations(fitting_vaults((CROSSROADS,), 1, "wild")[0])[0]


def test_a_site_and_the_ring_around_it_need_all_their_ground(form):
    ground = np.zeros((SIDE, SIDE), np.bool_)
    ground[5 : 5 + form.height + 2, 9 : 9 + form.width + 2] = True
    assert _room_for(form, ground, Rng(1, "site")) == (10, 6)
    for y, x in ((5, 9), (5 + form.height + 1, 9 + form.width + 1), (7, 11)):
        ground[y, x] = False
        assert _room_for(form, ground, Rng(1, "site")) is None
        ground[y, x] = True


def test_a_site_goes_anywhere_on_free_ground_even_in_its_corners(form):
    ground = np.ones((SIDE, SIDE), np.bool_)
    found = {_room_for(form, ground, Rng(seed, "site")) for seed in range(300)}
    assert len(found) > 150
    assert all(1 <= x <= SIDE - form.width - 1 for x, _ in found)
    assert all(1 <= y <= SIDE - form.height - 1 for _, y in found)


@pytest.fixture
def _only_deep_sites(monkeypatch):
    """Let there be no sites but a crossroads and a camp for depth 3 and beyond."""
    text = "[{0}]\nplace: wild\ntags: {0}\ndepths: 3+\nmap:\n...\n.:.\n...\n\n"
    known = tuple(read_vaults("".join(map(text.format, ("crossroads", "camp"))), "deep.txt"))
    for module in (wilderness_sites, vault_library):
        monkeypatch.setattr(module, "vaults", lambda: known)
    crossroads_kinds.cache_clear()
    yield
    crossroads_kinds.cache_clear()


@pytest.mark.usefixtures("_only_deep_sites")
def test_sites_may_all_be_for_deeper_chunks():
    found = {}
    for depth in (1, 3):
        plan = Blueprint.solid(SIDE, SIDE, depth)
        plan.tiles[:] = Tile.GRASS
        found[depth] = list(place_sites(7, 2 * depth, 0, plan, [CROSSROADS, "camp"]))
    assert found[1] == []
    assert [site.kind for site in found[3]] == ["crossroads", "camp"]
    assert crossroads_center(found[3]) == found[3][0][1:]
