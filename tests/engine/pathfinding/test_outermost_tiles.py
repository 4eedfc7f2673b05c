"""Paths and targets on the outermost tiles of a map."""

import numpy as np
import pytest

from engine.pathfinding.auto_travel import (
    Stop,
    _sighted,
)
from engine.pathfinding.known_paths import nearest_decision, path_downhill
from entities.terrain import Tile
from procgen.analysis.distances import distances
from support.rule_scenes import field


@pytest.mark.parametrize("at", [(0, 0), (21, 0), (0, 14), (21, 14), (5, 5)])
def test_decisions_on_the_outermost_tiles_are_found(at):
    engine = field(10, 7)
    engine.state.map.explored[:], engine.state.map.walkable[:] = True, True
    engine.state.map.tiles[at[1], at[0]] = Tile.KEY
    assert nearest_decision(engine.state) == at


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("mirrored", [False, True])
def test_a_path_leads_along_the_outermost_tiles(turned, mirrored):
    ground = np.zeros((3, 7), np.bool_)
    ground[0] = True
    start, goal = ((0, 0), (6, 0)) if not mirrored else ((6, 0), (0, 0))
    if turned:
        ground, start, goal = ground.T, start[::-1], goal[::-1]
    path = path_downhill(distances(ground, *goal), *start)
    assert len(path) == 6
    assert path[-1] == goal


@pytest.mark.parametrize("at", [(0, 0), (21, 0), (0, 14), (21, 14), (0, 7), (10, 0), (10, 14)])
def test_a_key_on_the_outermost_tiles_comes_into_view(at):
    game_map = field(10, 7).state.map
    game_map.explored[:] = False
    found = _sighted(game_map, 10, 7)
    game_map.tiles[at[1], at[0]], game_map.explored[at[1], at[0]] = Tile.KEY, True
    assert found() is Stop.KEY
