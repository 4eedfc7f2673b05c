"""Hit points lost and gained rise as numbers, each from its creature, and never where unseen."""

import pytest

from engine.state.events import CreatureRef, Healed, Hurt, Shifted, ShotFired, Struck
from procgen.blueprint import Point
from render.map.viewport import Viewport
from render.session.animations import Animations
from render.session.turn_animations import NUMBER_SECONDS
from render.ui.options import Options, apply_options, current
from render.ui.palette import colors
from support.scenes import scene
from support.staging import staged

HERO, ORC = CreatureRef(0, "hero", Point(1, 1)), CreatureRef(1, "orc", Point(4, 1))


def rising_numbers(events):
    return staged(events, flights=True, glows=False).numbers


def told(numbers):
    return [(number.place, number.text, number.color) for number in numbers]


def test_every_loss_and_gain_has_a_number_in_its_colour():
    events = [
        Struck(HERO, ORC, 12),
        Struck(ORC, HERO, 0),
        ShotFired(ORC, HERO, "stone", 3),
        Hurt(HERO, "trap", 2),
        Healed(HERO, "shrine", 5),
    ]
    numbers = rising_numbers(events)
    assert told(numbers) == [
        (ORC.place, "12", colors()["text"]),
        (HERO.place, "3", colors()["bad"]),
        (HERO.place, "2", colors()["bad"]),
        (HERO.place, "+5", colors()["good"]),
    ]
    assert [number.start for number in numbers] == sorted({n.start for n in numbers})


def test_numbers_keep_their_place_when_an_infinite_map_moves():
    numbers = rising_numbers([Struck(HERO, ORC, 4), Shifted(3, -2)])
    assert numbers[0].place == Point(1, 3)


def test_a_number_rises_and_fades():
    (number,) = rising_numbers([Struck(HERO, ORC, 12)])
    view, start = Viewport(left=1), number.start
    early, late = (number.sprites(start + NUMBER_SECONDS * at, view) for at in (0.1, 0.9))
    assert [chr(sprite.code) for sprite in early] == ["1", "2"]
    assert (early[0].x + early[1].x) / 2 == pytest.approx(3)
    assert late[0].y < early[0].y < 1
    assert late[0].alpha < early[0].alpha == 255
    assert number.sprites(start + NUMBER_SECONDS, view) == []


def test_a_number_is_seen_only_where_the_hero_sees():
    state = scene("######\n#@..o#\n######").state
    now = [5.0]
    animations = Animations(lambda: now[0])
    animations.begin([Struck(HERO, ORC, 12)], state.map)
    now[0] += 0.1
    assert [chr(sprite.code) for sprite in animations.sprites(state.map, Viewport())] == ["1", "2"]
    state.map.visible[1, 4] = False
    assert animations.sprites(state.map, Viewport()) == []


def test_numbers_play_unless_animations_are_off():
    state = scene("######\n#@..o#\n######").state
    now = [5.0]
    animations, before = Animations(lambda: now[0]), current()
    try:
        apply_options(Options(animations=False, flashes=False))
        animations.begin([Struck(HERO, ORC, 7)], state.map)
        assert not animations.playing
        assert animations.sprites(state.map, Viewport()) == []
        apply_options(Options(flashes=False))
        animations.begin([Struck(HERO, ORC, 7)], state.map)
        assert animations.playing
        now[0] += 0.1
        assert len(animations.sprites(state.map, Viewport())) == 1
        now[0] += NUMBER_SECONDS
        assert not animations.playing
    finally:
        apply_options(before)
