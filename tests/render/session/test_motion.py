"""Figures slide, lunge, face and breathe in a window; the state and cells know nothing of it."""

import numpy as np
import pytest

from engine.saves.run import Run
from engine.state.actions import Move
from engine.state.events import CreatureRef, Died, Displaced, Moved, Shifted, Struck
from entities.terrain import Tile
from procgen.blueprint import Point
from render.map.map_view import tile_icon
from render.map.viewport import Viewport
from render.panels.hud import draw_play
from render.session.animations import Animations
from render.session.motion import LUNGE_REACH, LUNGE_SECONDS, SLIDE_SECONDS
from render.session.session import Session
from render.session.turn_animations import FADE_SECONDS
from render.tiles.glyphs import creature_tile, item_tile
from render.tiles.tileset import map_tileset
from render.ui.frame import Frame, Pose
from render.ui.options import Options, apply_options
from render.ui.palette import colors
from support.items import give
from support.scenes import scene

HALL = """
    ###############
    #@............#
    #.o...........#
    ###############
"""
AT = (1, 1)


def shown(drawing=HALL, columns=110):
    """Return a session, its clock, and a function that draws it as a window does."""
    engine, now = scene(drawing), [50.0]
    session = Session(Run(engine))
    session.animations = Animations(lambda: now[0])
    session.card = []

    def draw(*, fluid=True):
        frame = Frame(columns, 40, (2.0, 1.0), 16)
        frame.fluid = fluid
        draw_play(frame, session)
        return frame

    draw()
    return engine.state, session, now, draw


def pose_of(creature, frame, session):
    return frame.poses[creature.x - session.view.left, creature.y - session.view.top]


def ref(creature):
    return CreatureRef(creature.id, creature.kind, Point(creature.x, creature.y))


def test_a_step_is_a_slide_of_80_ms_and_the_state_is_ahead():
    state, session, now, draw = shown()
    session.act(Move(1, 0))
    assert (state.hero.x, state.hero.y) == (2, 1)
    places = []
    for share in (0, 0.5, 1):
        now[0] = 50 + share * SLIDE_SECONDS
        places.append(pose_of(state.hero, draw(), session).dx)
    assert places == pytest.approx([-1, -0.5, 0], abs=1e-6)


def test_a_held_key_leaves_each_slide_as_long_as_the_turn_before():
    state, session, now, draw = shown()
    session.act(Move(1, 0))
    now[0] += SLIDE_SECONDS / 4
    session.act(Move(1, 0))
    now[0] += SLIDE_SECONDS / 8
    assert pose_of(state.hero, draw(), session).dx == pytest.approx(-0.5)


def test_the_map_scrolls_with_the_hero_who_then_stays_in_the_middle():
    wide = "#" * 202 + "\n#" + "." * 99 + "@" + "." * 100 + "#\n" + "#" * 202
    state, session, now, draw = shown(wide)
    session.act(Move(1, 0))
    now[0] += SLIDE_SECONDS / 4
    frame = draw()
    assert frame.scroll == pytest.approx((0.75, 0))
    assert pose_of(state.hero, frame, session).dx == pytest.approx(-0.75)
    now[0] += 1
    assert draw().scroll == (0, 0)


def test_a_blow_is_a_lunge_and_the_number_rises_when_it_lands():
    state, session, now, draw = shown()
    orc = next(one for one in state.map.entities.values() if one.kind == "orc")
    session.animations.begin([Struck(ref(state.hero), ref(orc), 3)], state.map)
    assert draw().sprites == []
    now[0] += LUNGE_SECONDS / 2
    frame = draw()
    hero = pose_of(state.hero, frame, session)
    assert (hero.dx**2 + hero.dy**2) ** 0.5 == pytest.approx(LUNGE_REACH)
    assert [chr(sprite.code) for sprite in frame.sprites] == ["3"]
    now[0] += 2
    assert pose_of(state.hero, draw(), session)[:2] == pytest.approx((0, 0))


def test_who_is_pushed_slides_and_who_is_teleported_does_not():
    state, session, now, draw = shown()
    for how, dx in (("pushed", -1), ("teleported", 0)):
        now[0] += 1
        session.animations.begin([Displaced(ref(state.hero), Point(0, 1), how)], state.map)
        assert pose_of(state.hero, draw(), session).dx == dx


def test_a_figure_fades_where_it_died():
    _, session, now, draw = shown()
    dead = CreatureRef(77, "rat", Point(5, 1))
    session.animations.begin([Died(dead, "hero")], session.run.state.map)
    (ghost,) = draw().sprites
    assert (ghost.x + session.view.left, ghost.alpha) == (5, 255)
    now[0] += FADE_SECONDS / 2
    assert draw().sprites[0].alpha == pytest.approx(128, abs=1)
    now[0] += FADE_SECONDS
    assert draw().sprites == []


def test_figures_face_the_way_they_went():
    state, session, _, draw = shown()
    hero = ref(state.hero)
    for origin, flip in ((0, False), (2, True)):
        session.animations.begin([Moved(hero, Point(origin, 1))], state.map)
        assert pose_of(state.hero, draw(), session).flip is flip


def test_the_hero_has_a_cloak_a_lamp_and_the_weapon_in_hand():
    state, session, _, draw = shown()
    state.hero.equipment.pop("weapon", None)
    assert not pose_of(state.hero, draw(), session).layers
    pixels = map_tileset(32).whole().get_tile(creature_tile("hero")).astype(int)
    for part in ("cloak", "lamp"):
        hue = np.array(colors()[part]) / max(colors()[part])
        bright = pixels[..., :3].max(axis=2, keepdims=True)
        alike = np.abs(pixels[..., :3] - hue * bright).max(axis=2) < 12
        assert (alike & (bright[..., 0] > 90)).sum() > 6, part
    axe = give(session.run.engine, "axe")
    state.hero.equipment["weapon"] = axe.id
    layers = pose_of(state.hero, draw(), session).layers
    assert layers[-1].code == item_tile("axe")


def test_a_dead_hero_is_bones_without_a_weapon():
    state, session, _, draw = shown()
    axe = give(session.run.engine, "axe")
    state.hero.equipment["weapon"] = axe.id
    alive = draw().map.ch
    state.hero.fighter.hp = 0
    frame = draw()
    bones = tile_icon(Tile.BONES, state.map.theme)[1]
    assert creature_tile("hero") in alive
    assert (creature_tile("hero") in frame.map.ch, bones in frame.map.ch) == (False, True)
    assert not pose_of(state.hero, frame, session).layers


def test_figures_breathe_in_two_frames_as_long_as_light_moves():
    state, session, _, draw = shown()
    found = set()
    for phase in range(12):
        session.view.phase = phase
        found.add(pose_of(state.hero, draw(), session).breath)
    assert found == {False, True}


def test_a_boss_is_larger_than_a_tile():
    state, session, _, draw = shown(HALL.replace("o", "R"))
    boss = next(one for one in state.map.entities.values() if one.kind == "warlord")
    assert pose_of(boss, draw(), session).size > 1.5


def test_an_infinite_map_that_moves_takes_no_slide_for_a_jump():
    state, session, _, draw = shown()
    hero = ref(state.hero)
    session.animations.begin([Moved(hero, Point(0, 1)), Shifted(0, 0)], state.map)
    assert pose_of(state.hero, draw(), session).dx == -1


def test_letters_only_slide_and_nothing_moves_without_animations():
    state, session, _, draw = shown()
    apply_options(Options(figures="letters"))
    session.animations.begin([Moved(ref(state.hero), Point(2, 1))], state.map)
    assert pose_of(state.hero, draw(), session) == Pose(1.0, 0.0)
    apply_options(Options(animations=False))
    session.animations.begin([Moved(ref(state.hero), Point(2, 1))], state.map)
    assert pose_of(state.hero, draw(), session)[:2] == pytest.approx((0, 0))
    assert not session.animations.playing


def test_a_backend_of_cells_gets_the_same_map_as_ever():
    _, session, _, draw = shown()
    session.act(Move(1, 0))
    frame = draw(fluid=False)
    assert (frame.poses, frame.scroll, session.view.margin) == ({}, (0, 0), 0)
    assert isinstance(session.view, Viewport)


def test_figures_off_the_screen_have_no_pose():
    state, _, _, draw = shown(columns=8)
    frame = draw()
    width, height = frame.map.width, frame.map.height
    assert width < state.map.width
    assert all(0 <= x < width and 0 <= y < height for x, y in frame.poses)
