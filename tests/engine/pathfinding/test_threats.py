"""Which monsters in view are a threat: awake, and able to reach or shoot the hero."""

import pytest

from components import AiState
from engine.pathfinding.threats import THREAT_REACH, _can_reach, threats_in_view
from entities.creature_kinds import make_creature
from entities.terrain import Tile
from procgen.analysis.distances import DIRECTIONS
from support.scenes import scene


def hall(row, far):
    """Return the state of a hall of that ``row``, ``far`` tiles from the upper left corner."""
    wall = "#" * (far + len(row))
    state = scene("\n".join([*[wall] * (far + 1), "#" * far + row, wall])).state
    state.map.visible[:] = True
    for creature in state.map.entities.values():
        if creature.ai:
            creature.ai.state = AiState.HUNTING
    return state


@pytest.mark.parametrize("far", [0, 45])
@pytest.mark.parametrize(
    ("row", "kinds"),
    [
        ("#@..o....>#", ["orc"]),
        ("#@.+o....>#", ["orc"]),
        ("#@.+r....>#", []),
        ("#@.~o....>#", []),
        ("#@.~..k..>#", ["kobold"]),
        ("#@.~....k>#", []),
        ("#@rao....>#", ["rat", "archer", "orc"]),
        ("#@~.r#o.T>#", []),
        ("#@F......>#", ["puffball"]),
        ("#@.F.....>#", []),
    ],
)
def test_who_can_walk_or_shoot_to_the_hero_is_a_threat_wherever_on_the_map(row, kinds, far):
    assert [creature.kind for creature in threats_in_view(hall(row, far))] == kinds


def test_a_fleeing_archer_is_a_threat_only_beside_the_hero_or_once_it_turns_back():
    state = hall("#@.a...>#", 0)
    archer = state.map.entity_at(3, 1)
    archer.ai.state = AiState.FLEEING
    assert threats_in_view(state) == []
    archer.ai.state = AiState.HUNTING
    assert threats_in_view(state) == [archer]
    state.map.move_entity(archer, 2, 1)
    archer.ai.state = AiState.FLEEING
    assert threats_in_view(state) == [archer]


@pytest.mark.parametrize("way", [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)])
@pytest.mark.parametrize("far", [2, THREAT_REACH])
def test_a_walker_is_a_threat_as_far_as_steps_are_counted(way, far):
    side = 2 * THREAT_REACH + 5
    rows = [["."] * side for _ in range(side)]
    middle = side // 2
    rows[middle][middle] = "@"
    engine = scene("\n".join(map("".join, rows)))
    orc = make_creature("orc", 1, middle + far * way[0], middle + far * way[1])
    engine.state.map.add_entity(orc)
    assert _can_reach(engine.state, orc)
    for dx, dy in DIRECTIONS:
        engine.state.map.set_tile(orc.x + dx, orc.y + dy, Tile.WALL)
    assert not _can_reach(engine.state, orc)


@pytest.mark.parametrize("way", [(1, 0), (-1, 0), (0, 1), (0, -1)])
@pytest.mark.parametrize(("further", "reaches"), [(0, True), (1, False)])
def test_a_detour_counts_as_far_as_steps_are_counted(way, further, reaches):
    side = 2 * THREAT_REACH + 7
    middle = side // 2
    rows = [["."] * side for _ in range(side)]
    for along in range(side):
        x, y = (middle + 1, along) if way[0] == 0 else (along, middle + 1)
        rows[y][x] = "#"
    gap = middle + sum(way) * (THREAT_REACH + further)
    x, y = (middle + 1, gap) if way[0] == 0 else (gap, middle + 1)
    rows[y][x], rows[middle][middle] = ".", "@"
    engine = scene("\n".join(map("".join, rows)))
    orc = make_creature("orc", 1, middle + 2 * (way[0] == 0), middle + 2 * (way[1] == 0))
    engine.state.map.add_entity(orc)
    assert _can_reach(engine.state, orc) == reaches
