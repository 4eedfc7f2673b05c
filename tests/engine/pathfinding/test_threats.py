"""Which monsters in view are a threat: awake, and able to reach or shoot the hero."""

import pytest

from components import AiState
from engine.pathfinding.threats import threats_in_view
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
