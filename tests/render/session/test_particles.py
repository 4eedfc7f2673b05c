"""Particles follow their scripts, are the same for the same turn, and never show the unseen."""

from dataclasses import replace

import numpy as np
import pytest

from engine.state.events import (
    CreatureRef,
    Died,
    Healed,
    ItemRef,
    LeveledUp,
    ShotFired,
    Struck,
    Used,
    event_types,
)
from entities.creature_kinds import creature_kinds
from entities.data_files import DATA, DataError
from entities.item_kinds import item_kinds
from entities.terrain import Tile
from procgen.blueprint import Point
from render.map.map_view import draw_world, item_code, missile_code
from render.map.viewport import Viewport
from render.session.animations import Animations, Decals
from render.session.particles import PARTICLES_FILE, ParticleEmitter, ParticleSystem, particle_table
from render.tiles.fringe_tiles import DECALS_FROM
from render.tiles.tile_canvas import PARTICLES, particle_sheet
from render.ui.frame import Frame, Rect
from render.ui.options import Options, apply_options
from support.other_data import read_from
from support.scenes import scene
from support.staging import staged

SCRIPTS = particle_table().scripts
HERO, ORC = CreatureRef(0, "hero", Point(1, 1)), CreatureRef(1, "orc", Point(8, 1))
DART = ItemRef(7, "dart", 1, 0, 0, False, "a", None)
WAY = tuple(Point(x, 1) for x in range(2, 9))
HALL = "############\n#@......o..#\n#..........#\n############"


def particle_system(name, places=WAY[:1], **more):
    return ParticleSystem(
        [ParticleEmitter(SCRIPTS[name], places, (200, 100, 50), 0.0, **more)], seed=3
    )


def test_every_entry_is_an_event_and_a_variant_that_exists():
    events = set(event_types())
    variants = {
        "struck": {kind.color for kind in creature_kinds().values()},
        "used": {kind.effect for kind in item_kinds().values()},
        "shot_fired": {
            kind.traits.ranged_attack.missile
            for kind in creature_kinds().values()
            if kind.traits.ranged_attack
        },
    }
    variants |= {"died": variants["struck"], "shattered": variants["used"]}
    table = particle_table()
    for entry in (*table.events, *table.decals, *table.glows):
        event, _, variant = entry.partition(".")
        assert event in events | {"fire"}, entry
        assert not variant or variant in variants.get(event, {variant}), entry
    used = {name for names in table.events.values() for name in names}
    assert used == set(table.scripts)


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_throws_what_it_says_and_all_of_it_fades(name):
    script, emitter = (
        SCRIPTS[name],
        particle_system(name, tuple(Point(x, 4) for x in range(3)), pace=0.02),
    )
    most = 0
    for time in np.arange(0, script.life[1] + 0.1, 0.01):
        flying, which, ages = emitter.at(float(time))
        most = max(most, len(ages))
        assert flying.colors.dtype == flying.places.dtype == np.float32
        assert np.isfinite(flying.places).all()
        assert ((flying.colors >= 0) & (flying.colors <= 1)).all()
        assert (which == 0).all()
    assert 0 < most <= 3 * script.count
    assert len(emitter.at(9.0)[2]) == 0
    again = particle_system(name, tuple(Point(x, 4) for x in range(3)), pace=0.02)
    assert np.array_equal(again.at(0.1)[0].places, emitter.at(0.1)[0].places)


def test_blood_flies_the_way_of_the_blow_and_falls_and_smoke_rises():
    def middle(name, time, **more):
        return particle_system(name, **more).at(time)[0].places.mean(axis=0)

    assert middle("blood", 0.2, toward=(1.0, 0.0))[0] > WAY[0].x + 0.8
    assert middle("bone", 0.24)[1] > middle("bone", 0.02)[1]
    assert middle("smoke", 0.45)[1] < middle("smoke", 0.05)[1] - 0.1


@pytest.mark.parametrize(("event", "names"), [
    (Struck(HERO, ORC, 3), ["blood"]),
    (Struck(HERO, ORC, 0), []),
    (Died(ORC, "hero"), ["blood", "blood"]),
    (ShotFired(ORC, HERO, "fire", 2), ["bolt", "flame", "spark", "flash"]),
    (Healed(HERO, "shrine", 2), ["lift"]),
    (LeveledUp(HERO, 2), ["lift", "ring", "glitter"]),
    (Used(HERO, DART, WAY, WAY[-1:]), ["bolt", "magic"]),
])  # fmt: skip
def test_events_play_their_scripts_after_missile_and_blow(event, names):
    turn = staged([event], flights=True, glows=True)
    assert [emitter.script for emitter in turn.emitters] == [SCRIPTS[name] for name in names]
    for emitter in turn.emitters:
        assert emitter.start == (0 if emitter.script.shape == "trail" else turn.now)
    assert staged([event], flights=False, glows=True).emitters == []
    calm = staged([event], flights=True, glows=False)
    assert SCRIPTS["flash"] not in [emitter.script for emitter in calm.emitters]


def composed(animations, state, *, fluid, view=None):
    frame = Frame(40, 12, (1.0, 1.0), 16 if fluid else 0)
    frame.fluid = fluid
    console = frame.open_map(Rect(0, 0, 40, 12))
    before = console.rgb.copy()
    animations.compose(frame, state, view or Viewport())
    return frame, before


def begun(*events):
    state, now = scene(HALL).state, [10.0]
    animations = Animations(lambda: now[0])
    animations.begin(events, state.map)
    now[0] += 0.25
    return animations, state


def test_a_window_gets_arrays_and_a_terminal_characters():
    died = Died(ORC, "hero")
    animations, state = begun(died)
    frame, before = composed(animations, state, fluid=True)
    assert len(frame.particles.places)
    assert np.array_equal(frame.map.rgb["ch"], before["ch"])
    frame, before = composed(animations, state, fluid=False)
    drawn = frame.map.rgb["ch"][frame.map.rgb["ch"] != before["ch"]]
    assert set(map(chr, drawn)) <= set(SCRIPTS["blood"].glyphs)
    assert len(drawn)


def test_a_terminal_throws_nothing_over_walls():
    animations, state = begun(Died(ORC, "hero"))
    state.map.tiles[:] = Tile.WALL
    frame = Frame(40, 12)
    console = frame.open_map(Rect(0, 0, 40, 12))
    draw_world(console, state, Viewport(reveal=True))
    before = console.ch.copy()
    animations.compose(frame, state, Viewport(reveal=True))
    assert np.array_equal(console.ch, before)


def test_nothing_is_thrown_where_the_hero_does_not_see_or_animations_are_off():
    animations, state = begun(Died(ORC, "hero"))
    state.map.visible[:] = False
    frame = composed(animations, state, fluid=True)[0]
    assert len(frame.particles.places) == 0
    apply_options(Options(animations=False, flashes=False))
    animations, state = begun(Died(ORC, "hero"))
    assert composed(animations, state, fluid=True)[0].particles is None


def test_marks_stay_on_bare_ground_level_by_level():
    state = scene(HALL).state
    decals, frame = Decals(), Frame(12, 4)
    frame.open_map(Rect(0, 0, 12, 4))
    plain = frame.map.rgb["bg"].copy()
    decals.add([(Point(3, 1), "#ff0000"), (Point(5, 1), "#ff0000")], state.map)
    state.map.tiles[1, 5] = Tile.WATER
    state.map.explored[:] = True
    for _ in range(2):
        frame.map.rgb["bg"][:] = plain
        decals.draw(frame, state, Viewport())
        changed = np.argwhere((frame.map.rgb["bg"] != plain).any(axis=2)).tolist()
        assert changed == [[1, 3]]
    other = replace(state.map.code, overlays=("frozen.1",))
    state.map.code, state.map.name = other, str(other)
    frame.map.rgb["bg"][:] = plain
    decals.draw(frame, state, Viewport())
    assert (frame.map.rgb["bg"] == plain).all()


def test_fire_leaves_scorch_and_a_window_draws_marks_with_the_fringes():
    state = scene(HALL).state
    state.map.fires[3, 1] = 5
    frame = Frame(12, 4, (1.0, 1.0), 16)
    console = frame.open_map(Rect(0, 0, 12, 4))
    frame.ground = draw_world(console, state, Viewport())
    Decals().draw(frame, state, Viewport())
    assert (frame.ground.fringes.numbers >= DECALS_FROM).sum() == 1
    assert frame.ground.fringes.places[-1].tolist() == [3, 1]


def test_pictures_of_particles_differ_and_end_before_their_edges():
    side = particle_sheet().shape[0]
    parts = np.split(particle_sheet()[..., 3], len(PARTICLES), axis=1)
    for part in parts:
        assert part.max() > 200
        assert part[0].max() < 30
        assert part[:, side - 1].max() < 30
    assert len({part.tobytes() for part in parts}) == len(PARTICLES)


@pytest.mark.parametrize(("change", "complaint"), [
    (('struck" = ["blood"]', 'struck" = ["blod"]'), "there is no script 'blod'"),
    (('picture = "drop"', 'picture = "pot"'), "picture"),
    (('shape = "rise"', 'shape = "sink"'), "sink"),
    (('burn = "fire"', 'burn = "fir"'), r"\[effects\]: burn: there is no colour 'fir'"),
    (('thorn = "poison"', 'thorn = "p"'), r"\[missiles\]: thorn: there is no colour 'p'"),
])  # fmt: skip
def test_faults_in_the_data_are_named(tmp_path, change, complaint):
    text = (DATA / PARTICLES_FILE).read_text()
    assert change[0] in text
    (tmp_path / PARTICLES_FILE).write_text(text.replace(*change))
    with pytest.raises(DataError, match=complaint):
        read_from(tmp_path, particle_table)


def test_a_missile_that_is_neither_in_the_table_nor_an_item_is_named(tmp_path):
    for file in DATA.glob("*.toml"):
        text = file.read_text(encoding="utf-8").replace('missile = "thorn"', 'missile = "torn"')
        (tmp_path / file.name).write_text(text, encoding="utf-8")
    words = r"\[.+\]: traits.ranged_attack.missile: there is no item or missile 'torn'"
    with pytest.raises(DataError, match=words):
        read_from(tmp_path, particle_table)


def test_a_missile_that_is_an_item_flies_as_that_item():
    assert missile_code("arrow") == item_code("arrow")
    assert missile_code("dagger") == item_code("dagger")
    assert missile_code("wail") == missile_code("frost") != missile_code("stone")
