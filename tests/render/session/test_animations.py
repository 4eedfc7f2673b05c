"""What is seen of a turn: it flies and glows, fades, and never keeps a key waiting."""

import numpy as np
import pytest

from engine.pathfinding.auto_travel import explore
from engine.pathfinding.known_paths import attack_nearest
from engine.saves.run import Run
from engine.saves.run_file import read_run
from engine.state.events import (
    CreatureRef,
    Healed,
    Hurt,
    ItemRef,
    Shattered,
    Shifted,
    ShotFired,
    Struck,
    Threw,
    Used,
)
from engine.state.run_setup import RunSetup
from entities.creature_kinds import creature_kinds
from procgen.blueprint import Point
from render.screens.play_screen import PlayScreen
from render.screens.screen import Push
from render.session.animations import LONGEST_TURN, Animations, spotlight
from render.session.session import Session
from render.session.start_run import begin, resume
from render.ui.frame import FLICKER_SECONDS, NO_FRINGES, Frame, LitGround, Rect
from render.ui.options import Options, apply_options
from support.fake_backend import Person
from support.items import give
from support.scenes import scene
from support.staging import staged

HALL = """
    ###############
    #@............#
    #........o....#
    ###############
"""
HERO, ORC = CreatureRef(0, "hero", Point(1, 1)), CreatureRef(1, "orc", Point(9, 2))
DART = ItemRef(7, "dart", 1, 0, 0, False, "a", None)
WAY = tuple(Point(x, 1) for x in range(2, 9))


def playing():
    engine = scene(HALL)
    engine.state.map.items.clear()
    person = Person()
    person.app.answer(Push(PlayScreen(Session(Run(engine)))))
    return person, engine


def test_a_throw_flies_and_then_hits():
    turn = staged([Threw(HERO, DART, WAY), Struck(HERO, ORC, 3)], flights=True, glows=True)
    (flight,), (glow,) = turn.flights, turn.glows
    assert glow.start == flight.end
    assert flight.at(0.0) == WAY[0]
    assert flight.at(flight.end - 0.001) == WAY[-1]
    assert flight.at(flight.end) is None
    assert glow.share(glow.start) == 1
    assert glow.share(glow.end) == 0


def test_missiles_move_along_when_an_infinite_map_recentres():
    events = [
        Threw(HERO, DART, WAY),
        Struck(HERO, ORC, 3),
        Shifted(256, -256),
        Hurt(HERO, "fire", 1),
    ]
    turn = staged(events, flights=True, glows=True)
    (flight,), (glow, later) = turn.flights, turn.glows
    assert flight.path == tuple(Point(x - 256, y + 256) for x, y in WAY)
    assert glow.tiles == (Point(9 - 256, 2 + 256),)
    assert later.tiles == (HERO.place,)


@pytest.mark.parametrize("missile", sorted({
    attack.missile
    for kind in creature_kinds().values()
    if (attack := kind.traits.ranged_attack)
}))  # fmt: skip
def test_whatever_creatures_shoot_flies_to_the_hero(missile):
    events = [ShotFired(ORC, HERO, missile, 2), Hurt(HERO, "burning", 1)]
    (flight,) = staged(events, flights=True, glows=True).flights
    assert flight.path[-1] == HERO.place


def test_options_leave_out_what_is_not_wanted():
    events = [Threw(HERO, DART, WAY), Struck(HERO, ORC, 3), Healed(HERO, "shrine", 3)]
    assert not staged(events, flights=True, glows=False).glows
    assert not staged(events, flights=False, glows=True).flights
    apply_options(Options(flashes=False, animations=False))
    show = Animations()
    show.begin(events, scene(HALL).state.map)
    assert not show.playing


def test_a_turn_full_of_sights_is_over_soon():
    now = [0.0]
    show = Animations(lambda: now[0])
    show.begin([Used(HERO, DART, WAY, WAY), Shattered(DART, WAY)] * 40, scene(HALL).state.map)
    now[0] = LONGEST_TURN - 0.01
    assert show.playing
    now[0] = LONGEST_TURN + 0.2  # The last particles fade.
    assert not show.playing


def test_the_picture_shows_it_and_is_plain_again_after():
    person, engine = playing()
    give(engine, "dart", 3)
    session = person.top.session
    now = [0.0]
    session.animations = Animations(lambda: now[0])
    before = person.app.picture().map.rgb.copy()
    session.animations.begin([Threw(HERO, DART, WAY), Struck(HERO, ORC, 3)], session.run.state.map)
    assert session.animations.playing
    assert person.top.interval < FLICKER_SECONDS
    during = person.app.picture().map.rgb
    assert (during["ch"] != before["ch"]).sum() == 1
    now[0] = 99.0
    assert not session.animations.playing
    after = person.app.picture().map.rgb
    assert np.array_equal(after["ch"], before["ch"])
    changed = np.argwhere((after["bg"] != before["bg"]).any(axis=2))
    view = session.view
    assert changed.tolist() == [[ORC.place.y - view.top, ORC.place.x - view.left]]  # Its blood.


@pytest.mark.parametrize("command", ["x", "_", "i"])
def test_nothing_stands_still_in_the_air_below_a_menu_or_a_cursor(command):
    person, engine = playing()
    give(engine, "dart", 3)
    session = person.top.session
    session.animations = Animations(lambda: 50.0)
    person.types(command)
    before = person.app.picture().map.rgb["ch"].copy()
    session.animations.begin([Threw(HERO, DART, WAY)], session.run.state.map)
    assert session.animations.playing
    assert np.array_equal(person.app.picture().map.rgb["ch"], before)
    person.presses("escape")
    assert not session.animations.playing


def test_a_key_is_heard_at_once_and_ends_the_show():
    person, engine = playing()
    give(engine, "dart", 5)
    person.types("ff")
    turn = engine.state.turn
    person.types(".")
    assert engine.state.turn == turn + 1


def test_nothing_is_shown_where_the_hero_does_not_see():
    person, engine = playing()
    session = person.top.session
    now = [0.0]
    session.animations = Animations(lambda: now[0])
    before = person.app.picture().map.rgb.copy()
    engine.state.map.visible[:] = False
    hidden = person.app.picture().map.rgb.copy()
    session.animations.begin([Threw(HERO, DART, WAY)], session.run.state.map)
    assert np.array_equal(person.app.picture().map.rgb, hidden)
    assert not np.array_equal(before, hidden)


@pytest.mark.parametrize("tile_pixels", [0, 16])
def test_light_narrows_to_the_last_blow(tile_pixels):
    frame = Frame(30, 20, (1.0, 1.0), tile_pixels)
    console = frame.open_map(Rect(0, 0, 30, 20))
    console.rgb["bg"] = 200
    light = np.ones((21, 31, 3), np.float32)
    frame.ground = LitGround(console, light, light, NO_FRINGES, console.rgb.copy())
    spotlight(frame, 4, 4)
    left = frame.ground.light if tile_pixels else console.rgb["bg"] / 200
    assert (left[4, 4] == 1).all()
    assert (left[4, 10] < 0.7).all()
    assert left[15, 25] == pytest.approx(0.2, abs=0.01)
    assert tile_pixels == 0 or (console.rgb["bg"] == 200).all()


def test_a_run_that_is_continued_shows_the_marks_of_its_last_fight(own_home):
    session = begin(RunSetup(3, "3"))
    hero, game_map = session.run.state.hero, session.run.state.map
    path = session.run.recorder.path
    while not any(session.animations._decals._levels.values()):
        foe = attack_nearest(session.run.state)
        session.act(foe or next(explore(session.run.state)))
        assert hero.alive
        assert session.run.state.map is game_map
    session.run.close()
    again = resume(read_run(path))
    again.run.close()
    assert again.animations._decals._levels == session.animations._decals._levels
    assert not again.animations.playing
