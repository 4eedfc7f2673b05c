"""Watching the level grow in a run that counts: no free map."""

import numpy as np
import pytest

from components.inventory import Item
from engine.levels.drawn_level import pack_drawn
from engine.state.actions import Use
from engine.state.run_setup import Mode, RunSetup, Stratum
from entities.creature_kinds import make_creature
from entities.pack import add_to_pack
from entities.terrain import Tile
from render.screens.play_screen import PlayScreen
from render.screens.screen import Act
from render.screens.watch_build import WatchBuildScreen
from render.ui.input import Pointer
from support.play_screens import playing, world_of
from workbench.level_files import read_level


def drawn(person):
    """Return which tiles [y, x] of the close-up are not drawn as solid rock."""
    view = person.top.view
    snapshot = person.top.player.recording.snapshots[-1]
    return view.explored.tiles(snapshot) != Tile.WALL


@pytest.mark.parametrize("recipe", ["rooms", "caves", "mondrian"])
def test_a_scored_run_watches_only_what_is_explored(recipe):
    person = playing(RunSetup(42, "42", strata=(Stratum(1, {recipe: 1}),))).types("v")
    assert isinstance(person.top, WatchBuildScreen)
    assert "only what you know of it" in person.reads()
    person.presses("end").waits(50)
    state = world_of(person)
    shown = person.app.picture().map.rgb.copy()
    assert not (drawn(person) & ~state.map.explored).any()
    # A level that differs where nothing is explored must look the same.
    person.top.player.recording.snapshots[-1].frames.append(
        np.where(state.map.explored, person.top.player.recording.snapshots[-1].tiles, Tile.FLOOR)
    )
    for key in "mt2":
        person.types(key)
        assert isinstance(person.top, WatchBuildScreen)
        assert (person.app.picture().map.rgb == shown).all()


def test_at_80_columns_the_head_names_the_level_beside_what_a_scored_run_shows():
    setup = RunSetup(1, "1", strata=(Stratum(1, {"shaped_rooms": 1}),))
    person = playing(setup, columns=80, rows=24).types("v")
    head = person.reads().splitlines()[0]
    assert "Building shaped_rooms.1:1:1@80x45 " in head
    assert head.rstrip().endswith("only what you know of it.")


def test_the_workshop_shows_all_of_it():
    person = playing(RunSetup(42, "42", Mode.WORKSHOP, "rooms")).types("v")
    assert person.top.view.explored is None
    person.types("t")
    assert not isinstance(person.top, WatchBuildScreen)


def test_a_mission_tells_what_it_decided_until_there_is_a_map_but_not_in_a_scored_run():
    setup = RunSetup(3, "3", Mode.WORKSHOP, "mission")
    person = playing(setup, columns=80, rows=24).types("v")
    snapshots = person.top.player.recording.snapshots
    person.top.player.recording.to_end()
    person.presses("end", "home", "right", "right")
    decided = [one.caption for one in snapshots[:3]]
    assert not np.ptp(snapshots[2].tiles)
    assert all(sentence in person.reads() for sentence in decided)
    drawn_at = next(one.index for one in snapshots if np.ptp(one.tiles))
    person.presses(*["right"] * (drawn_at - 2))
    assert decided[0] not in person.reads()
    scored = playing(RunSetup(3, "3", strata=(Stratum(1, {"mission": 1}),)), columns=80, rows=24)
    scored.types("v").presses("home")
    assert scored.top.view.explored
    assert decided[0] not in scored.reads()


def test_two_builds_and_a_tuned_one_tell_what_a_mission_decided_too():
    person = playing(RunSetup(3, "3", Mode.WORKSHOP, "mission"), columns=160, rows=40).types("v")
    person.top.player.recording.to_end()
    decided = person.top.player.recording.snapshots[0].caption
    person.types("2")
    while not person.top.player.finished:
        person.waits()
    person.presses("home", "right")
    assert decided in "\n".join(row[:80] for row in person.reads().splitlines()[3:20])
    person.presses("escape").types("t")
    person.top.player.to(2)
    assert decided in person.reads()


def test_a_key_of_play_ends_a_build_that_opened_itself_and_does_what_it_means():
    person = playing(columns=80, rows=24).types("v")
    person.types("i")
    assert isinstance(person.top, WatchBuildScreen), "the player asked for this one"
    person.presses("escape")
    scroll = add_to_pack(world_of(person).hero, Item(999, "mapping_scroll", 1))
    person.app.answer(Act(Use(scroll.id)))
    assert isinstance(person.top, WatchBuildScreen)
    person.presses("right", "space")
    assert isinstance(person.top, WatchBuildScreen), "these mean something here"
    person.types("i")
    assert "dagger" in person.reads()
    assert not any(isinstance(screen, WatchBuildScreen) for screen in person.app.stack)


def test_no_build_opens_by_itself_while_a_monster_is_in_view():
    person = playing()
    state = world_of(person)
    orc = make_creature("orc", 900, state.hero.x + 1, state.hero.y)
    state.map.add_entity(orc)
    scroll = add_to_pack(state.hero, Item(999, "mapping_scroll", 2))
    person.app.answer(Act(Use(scroll.id)))
    assert isinstance(person.top, PlayScreen)
    state.map.remove_entity(orc)
    person.app.answer(Act(Use(scroll.id)))
    assert isinstance(person.top, WatchBuildScreen)


def test_no_build_opens_on_a_level_from_a_file(tmp_path):
    (tmp_path / "a.txt").write_text("##########\n#<..+..>.#\n##########\n")
    level = read_level(tmp_path / "a.txt")
    person = playing(RunSetup(3, "3", drawn=pack_drawn(level, 1)))
    scroll = add_to_pack(world_of(person).hero, Item(999, "mapping_scroll", 1))
    person.app.answer(Act(Use(scroll.id)))
    assert isinstance(person.top, PlayScreen)
    assert "The layout of the level enters your mind." in person.reads()


def test_in_an_infinite_world_too():
    person = playing(RunSetup(42, "42", generator="wilds"))
    state = world_of(person)
    state.scored = True
    person.types("v")
    explored = person.top.view.explored
    assert 0 < explored.mask.sum() <= state.map.explored.sum()
    assert explored.mask[explored.center[1], explored.center[0]]


def test_neither_secret_doors_nor_captions_nor_steps_give_away_what_is_not_explored():
    for seed in range(20):  # Until there is a secret door on the right.
        setup = RunSetup(seed, "", strata=(Stratum(1, {"vaulted": 1}),))
        person = playing(setup, columns=80, rows=24)
        state = world_of(person)
        state.map.explored[:] = True
        state.map.explored[:, :40] = False
        secret = (state.map.tiles == Tile.SECRET_DOOR) & state.map.explored
        if secret.any():
            break
    assert secret.any()
    person.types("vz").presses("end").waits(20).reads()
    assert not drawn(person)[secret].any()
    view, snapshots = person.top.view, person.top.player.recording.snapshots
    corner, read = view.tile((0, 0)), ""
    for _ in range(len(snapshots)):
        read += person.presses("left").reads()
        assert view.tile((0, 0)) == corner
    assert person.top.player.index == 0
    captions = {one.caption for one in snapshots if " " in one.caption}
    assert len(captions) > 5
    assert not [caption for caption in captions if caption in read]
    person.presses("end").waits(20)
    for x, words in ((20, "not explored"), (60, "by step")):
        column, row = view.cell((x, state.hero.y))
        person.app.handle(Pointer("move", column, row + 1, (column, row)))
        assert words in person.reads()
