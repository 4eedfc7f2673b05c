"""Sounds belong to events that the hero sees or suffers, never to keys."""

import pytest

from engine.saves.run import Run
from engine.state.actions import Move
from engine.state.events import (
    Arrived,
    CreatureRef,
    Died,
    Displaced,
    Hurt,
    ItemRef,
    Moved,
    Noticed,
    Shattered,
    Spotted,
    Struck,
    Used,
    event_types,
)
from entities.data_files import DataError
from entities.terrain import Tile
from procgen.blueprint import Point
from render.panels.hud import draw_play
from render.session.session import Session
from render.session.turn_sounds import DETUNE, MAX_SOUNDS, ambience_of, turn_sounds
from render.sound.synthesis import sound_table
from render.ui.frame import Frame
from support.scenes import scene

HALL = "############\n#@......o..#\n#..........#\n############"
HERO, ORC = CreatureRef(0, "hero", Point(1, 1)), CreatureRef(1, "orc", Point(8, 1))
FLASK = ItemRef(7, "fire_potion", 1, 0, 0, True, "a", None)


@pytest.fixture
def state():
    state = scene(HALL).state
    assert state.hero.id == HERO.id
    return state


def heard(state, *events):
    return [cue.name for cue in turn_sounds(events, state)]


def test_every_entry_is_an_event():
    events = set(event_types())
    assert {entry.partition(".")[0] for entry in sound_table().events} <= events


def test_blows_sound_by_who_is_hit_and_whether_it_hurts(state):
    assert heard(state, Struck(HERO, ORC, 3)) == ["blow"]
    assert heard(state, Struck(HERO, ORC, 0)) == ["miss"]
    assert heard(state, Struck(ORC, HERO, 2)) == ["hurt"]
    assert heard(state, Died(ORC, "hero")) == ["kill"]
    assert heard(state, Died(HERO, "orc")) == ["death"]
    assert heard(state, Hurt(HERO, "burning", 2)) == ["fire"]


@pytest.mark.parametrize(("tile", "name"), [
    (Tile.FLOOR, "step"), (Tile.GRASS, "step_grass"), (Tile.SHALLOWS, "step_water"),
    (Tile.DOOR, "door"),
])  # fmt: skip
def test_steps_of_the_hero_sound_by_the_ground(state, tile, name):
    state.map.tiles[1, 1] = tile
    assert heard(state, Moved(HERO, Point(2, 1))) == [name]
    assert heard(state, Moved(ORC, Point(7, 1))) == []


def test_effects_danger_and_levels_are_heard(state):
    assert heard(state, Used(HERO, FLASK, (), ())) == ["fire"]
    assert heard(state, Shattered(FLASK, (Point(3, 1),))) == ["fire"]
    assert heard(state, Displaced(HERO, Point(2, 1), "vanished")) == ["magic"]
    assert heard(state, Displaced(HERO, Point(2, 1), "pushed")) == []
    assert heard(state, Spotted(ORC)) == ["danger"]
    assert heard(state, Arrived("x", 2)) == ["descend"]


def test_what_is_far_is_quiet_and_what_is_unseen_is_silent(state):
    near = Struck(HERO, CreatureRef(1, "orc", Point(2, 1)), 3)
    (loud,), (soft,) = (turn_sounds([event], state) for event in (near, Struck(HERO, ORC, 3)))
    assert soft.gain < loud.gain < 1
    state.map.visible[:] = False
    assert heard(state, Struck(ORC, ORC, 3)) == []


def test_a_turn_has_each_sound_once_and_a_few_in_all_at_slightly_different_pitch(state):
    events = [Struck(HERO, ORC, 1)] * 9
    assert heard(state, *events) == ["blow"]
    pitches = set()
    for turn in range(20):
        state.turn = turn
        (cue,) = turn_sounds(events, state)
        assert abs(cue.pitch - 1) <= DETUNE
        pitches.add(cue.pitch)
        assert turn_sounds(events, state) == [cue]
    assert len(pitches) > 15
    assert len(turn_sounds(events, state)) <= MAX_SOUNDS


def test_a_frame_carries_the_sounds_of_its_turn_once_and_the_ambience_always():
    session = Session(Run(scene(HALL)))
    session.act(Move(1, 0))
    first, second = Frame(80, 24), Frame(80, 24)
    draw_play(first, session)
    draw_play(second, session)
    assert [cue.name for cue in first.sounds] == ["step"]
    assert second.sounds == []
    assert first.ambience == second.ambience == ambience_of(session.run.state)
    assert first.ambience in sound_table().ambience


@pytest.mark.parametrize("table", ["particle_table", "name_parts", "sound_table"])
def test_faults_of_what_only_some_turns_need_are_told_before_the_first(table, monkeypatch):
    def faulty():
        raise DataError("data/odd.toml: there is no 'odd'")

    monkeypatch.setattr(f"render.session.session.{table}", faulty, raising=False)
    with pytest.raises(DataError, match="odd"):
        Session(Run(scene(HALL)))


def test_a_boss_that_sees_you_roars(state):
    boss = CreatureRef(5, "warlord", Point(6, 1))
    assert heard(state, Noticed(boss)) == ["roar"]
    assert heard(state, Noticed(ORC)) == []
