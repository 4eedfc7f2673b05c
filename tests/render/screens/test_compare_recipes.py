"""Two recipes side by side, and the workshop on any screen."""

import dataclasses
import re
from itertools import pairwise

import pytest
from tcod.console import Console

from procgen.recipes import find_recipe
from render.map.charts import ChartKind
from render.screens.compare_recipes import CompareScreen
from render.screens.watch_build import WatchBuildScreen
from render.ui.frame import Frame
from render.ui.input import Pointer
from render.ui.keymap import bindings, key_label
from support.build_screens import bar_of, colors_shown, full, watching
from support.fake_backend import Person

SIZES = [(1, 1), (30, 10), (80, 30), (200, 60)]


def test_two_recipes_stand_side_by_side_from_one_seed():
    person = watching("rooms:42", 128, 44).types("2")
    compare = person.top
    assert isinstance(compare, CompareScreen)
    assert "Space pause" in person.reads()
    left, right = compare.player.players
    for player in (left, right):
        player.recording.to_end()
    assert left.recording.code.recipe == "rooms"
    assert right.recording.code.recipe == "sparse"
    assert left.recording.code.seed == right.recording.code.seed == 42
    assert (right.recording.code.width, right.recording.code.height) == (80, 45)
    person.presses("end")
    assert (left.index, right.index) == (left.last, right.last)
    text = person.reads()
    assert text.count("monsters placed") + text.count("monster placed") == 2
    assert "rooms" in text
    assert "sparse" in text
    person.presses("home")
    shares = []
    for _ in range(max(left.last, right.last)):
        person.presses("right")
        shares.append(abs(left.index / left.last - right.index / right.last))
    assert max(shares) < 0.1
    person.types("]")
    assert compare.player.players[1].recording.code.recipe == "dense"
    person.types("[[")
    assert compare.player.players[1].recording.code.recipe == "rooms"


def test_both_halves_play_scrub_and_carry_the_same_chart():
    person = watching("rooms:42", 128, 44).types("2")
    for player in person.top.player.players:
        player.recording.to_end()
    person.presses("home", "space").waits(3)
    assert person.top.player.place == 3
    y, first, _ = bar_of(person)
    person.app.handle(Pointer("press", first, y, None, "left"))
    assert person.top.player.place == 0
    person.presses("end")
    plain = colors_shown(person)
    person.types("m")
    assert person.reads().count("m regions") == 2
    assert colors_shown(person) != plain


@pytest.mark.parametrize("columns", [128, 129])
def test_a_window_lights_each_half_as_it_lights_that_level_alone(columns):
    person = watching("ember:7@30x20", columns, 40).types("2")
    for player in person.top.player.players:
        player.recording.to_end()
    person.presses("end")
    frame = Frame(columns, 40, (1.6, 0.8), 16)
    person.top.draw(frame)
    ground, width = frame.ground, (frame.map.width - 1) // 2
    assert ground.light.shape == ground.glow.shape == (frame.map.height + 1, frame.map.width + 1, 3)
    for view, player, left in zip(
        person.top.views, person.top.player.players, (0, frame.map.width - width), strict=True
    ):
        half = Console(width, frame.map.height)
        alone = view.draw(half, player.recording, player.index, tall=False)
        assert (ground.tiles.rgb[:, left : left + width] == alone.tiles.rgb).all()
        assert (ground.cells[:, left : left + width] == alone.cells).all()
        assert (ground.light[:, left : left + width + 1] == alone.light).all()
        assert (ground.glow[:, left : left + width + 1] == alone.glow).all()
        across = ground.fringes.places[:, 0]
        here = (across >= left) & (across < left + width)
        assert (ground.fringes.places[here] - [left, 0] == alone.fringes.places).all()
    assert ground.glow.max() > 10  # Lava on the left.


def test_a_recipe_that_cannot_be_that_small_says_so(monkeypatch):
    person = watching("rooms:42@20x15", 128, 44)
    large = dataclasses.replace(find_recipe("sparse"), smallest=(60, 40))
    monkeypatch.setattr("render.screens.compare_recipes.find_recipe", lambda _: large)
    person.types("2")
    assert "sparse cannot be 20x15: its smallest size is 60x40." in person.reads()
    assert person.top.player.players[1].recording.code.width == 80


@pytest.mark.parametrize(("key", "place"), [("end", -1), ("home", 0)])
def test_the_ends_hold_while_the_levels_are_still_built(monkeypatch, key, place):
    monkeypatch.setattr("render.workshop.build_recording.SLICE_SECONDS", 0)
    person = Person(first=CompareScreen(full("mondrian:7@120x120"), ChartKind.NONE))
    pair = person.top.player
    person.waits(3).presses(key).waits()
    assert not pair.finished
    assert [one.index for one in pair.players] == [one.last for one in pair.players]
    assert "building" in person.reads()
    while not pair.finished:
        person.waits()
    ends = [range(len(player.recording.snapshots))[place] for player in pair.players]
    assert [player.index for player in pair.players] == ends
    assert not pair.playing


def test_steps_keys_and_close_ups_hold_for_both_halves():
    person = watching("bsp:3", 128, 44).types("2")
    pair, starts = person.top.player, watching("bsp:3").top.player.recording.starts
    for player in pair.players:
        player.recording.to_end()
    person.presses("home")
    places = [person.types(key).top.player.place for key in "nnpp"]
    assert places == [starts[1], starts[2], starts[1], 0]
    shares = [player.index / player.last for player in person.types("nn").top.player.players]
    assert abs(shares[0] - shares[1]) < 0.05
    whole = colors_shown(person)
    assert colors_shown(person.types("z")) != whole
    assert [view.close for view in person.top.views] == [True, True]
    assert colors_shown(person.types("z")) == whole
    assert "two generators side by side" in person.types("?").reads()
    person.presses("escape", "escape")
    assert isinstance(person.top, WatchBuildScreen)


@pytest.mark.parametrize("size", SIZES)
def test_everything_draws_at_any_size(size):
    person = watching("bsp:7@60x40", *size)
    person.presses("end")
    for name in ("m", "m", "m", "m", "z", "t", "m", "escape", "2", "m"):
        lines = person.presses(name).reads().split("\n")
        assert (len(lines[0]), len(lines)) == size
    assert isinstance(person.top, CompareScreen)
    kinds = {view.picker.kind for view in person.top.views}
    assert len(kinds) == 1
    assert kinds != {ChartKind.NONE}


@pytest.mark.parametrize("size", [(80, 30), (200, 60)])
def test_keys_are_on_screen_and_nothing_runs_over(size):
    person = watching("terrain:7@60x40", *size)
    for screen in ("", "t", "2"):
        if screen:
            person.presses("escape") if not isinstance(person.top, WatchBuildScreen) else None
            person.types(screen)
        foot = person.reads().splitlines()[-1]
        assert "help" in foot
        assert "Esc back" in foot
        assert foot[-1] == " "


def test_help_lists_the_keys_of_the_workshop():
    for start, sections in (("", ("player", "growth")), ("t", ("tuning",))):
        person = watching("rooms:1").types([*start, "?"])
        text = person.reads()
        for _ in range(6):
            person.presses("pagedown")
            text += person.reads()
        for section in sections:
            # Long help goes on in the next line.
            words = " ".join("".join(re.findall("│(.*)│", text)).split())
            for binding in bindings()[section].values():
                assert binding.help in words
                assert key_label(binding.keys[0]) in text
        assert "show the whole level" not in text, "it belongs to replays"


def test_growth_goes_on_behind_what_is_shown(monkeypatch):
    monkeypatch.setattr("render.workshop.build_recording.SLICE_SECONDS", 0)
    person = Person(first=WatchBuildScreen(full("mondrian:7@200x200")))
    growth = person.top.player.recording
    assert not growth.finished
    counts = [len(growth.snapshots)]
    for _ in range(4):
        person.waits()
        counts.append(len(growth.snapshots))
    assert all(one < other for one, other in pairwise(counts))
    person.presses("end")
    while not growth.finished:
        person.waits()
    person.waits()
    assert person.top.player.index == len(growth.snapshots) - 1
