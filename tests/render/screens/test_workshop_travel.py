"""Travel in the Workshop, within a level and to another one."""

from functools import partial

import pytest

from engine.saves.digests import state_digest
from engine.state.run_setup import Mode, RunSetup
from render.screens.play_screen import PlayScreen
from render.screens.watch_build import WatchBuildScreen
from render.ui.input import Pointer
from support.play_screens import playing, world_of


@pytest.mark.parametrize("by_key", [True, False])
def test_the_workshop_travels_over_unseen_tiles_while_it_shows_the_whole_level(by_key):
    person = playing(RunSetup(8, "8", Mode.WORKSHOP, "rooms"))
    state, session = world_of(person), person.top.session
    explored, digest = state.map.explored.copy(), state_digest(state)
    assert session.view.reveal
    assert not explored[state.map.exit.y, state.map.exit.x]
    spot = state.map.exit.x - session.view.left, state.map.exit.y - session.view.top
    person.types("&")
    goes = (
        partial(person.types, ">")
        if by_key
        else partial(person.app.handle, Pointer("press", 5, 5, spot, "left"))
    )
    goes()
    assert " explores." in str(session.log.messages[-1]), "only the explored part is shown"
    assert state.turn == 0
    person.types("&")
    assert (state_digest(state), (state.map.explored == explored).all()) == (digest, True)
    goes()
    person.waits(3)
    assert state.turn == 4


def test_a_level_whose_builds_are_all_rejected_is_shown_as_builds():
    person = playing(RunSetup(8, "8", Mode.WORKSHOP, "rooms"))
    person.types("~").types("caves;scatter_rock.rock=0.75:0").presses("enter")
    assert isinstance(person.top, WatchBuildScreen)
    assert "all 64 attempts were rejected" in person.reads()
    person.top.player.recording.to_end()
    person.presses("end")
    assert "attempt 64" in person.reads()
    assert "No level: all 64 attempts were rejected: too little floor" in person.reads()
    person.presses("escape")
    assert isinstance(person.top, PlayScreen)
    assert world_of(person).code.recipe == "rooms"
