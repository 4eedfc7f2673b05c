"""The Workshop's player: watched both ways, charted, retuned, compared, by keys and mouse."""

import dataclasses
import shutil
import tracemalloc
from itertools import pairwise

import numpy as np
import pytest

from engine.setup import Mode, Setup
from entities.data import DATA
from fakes import Person
from procgen import build
from procgen.blueprint import RectangularRoom, Rejected
from procgen.code import parse_code
from procgen.recipes import complete, find_recipe, recipes
from render.faces.terminal_mouse import pointer
from render.inputs import Key, Pointer
from render.keys import bindings, shown
from render.screen import Push
from render.screens.compare import CompareScreen
from render.screens.play import PlayScreen
from render.screens.tuning import TuningScreen
from render.screens.watch import WatchScreen
from render.starting import begin
from render.workshop import hues, painting
from render.workshop.charts import chart
from render.workshop.growth import Growth
from render.workshop.overlays import Overlay, Subject
from render.workshop.painting import Painting
from render.workshop.reel import Reel
from render.workshop.tuning import Unfit, knobs, turned, typed, value, with_value

SIZES = [(1, 1), (30, 10), (80, 30), (200, 60)]


def full(text):
    return complete(parse_code(text))


def watching(code="rooms:42", columns=110, rows=44):
    """Return a person at a build that has come to its end in the background."""
    person = Person(columns, rows, WatchScreen(full(code)))
    person.top.growth.to_end()
    return person


def colors_shown(person):
    """Return the papers and inks of the map as bytes."""
    cells = person.app.picture().map.rgb
    return cells["bg"].tobytes() + cells["fg"].tobytes()


def bar_of(person):
    """Return the row of the bar and its first and last column."""
    rows = person.reads().splitlines()
    y = next(y for y, row in enumerate(rows) if "▀" in row[:6] and row.strip()[0] == "▀")
    columns = [x for x, char in enumerate(rows[y]) if char in "▀▝"]
    return y, columns[0], columns[-1]


# Playing


def test_stepping_back_shows_the_very_same_tiles():
    person = watching("caverns:7@60x40")
    count = len(person.top.growth.moments)
    there = []
    for _ in range(count):
        there.append(person.top.moment.tiles.tobytes())
        person.presses("right")
    back = []
    for _ in range(count):
        back.append(person.top.moment.tiles.tobytes())
        person.presses("left")
    assert back == there[::-1]
    assert len(set(there)) > 5
    growing = build.grow(person.top.code)
    assert there == [stage.plan.tiles.tobytes() for stage in growing]


def test_a_reel_keeps_what_it_is_given():
    rng = np.random.RandomState(1)
    reel, kept = Reel(), []
    picture = np.zeros((9, 14), np.int32)
    for n in range(70):
        if n % 3:
            picture[rng.randint(9), rng.randint(14)] = n
        reel.append(picture)
        kept.append(picture.copy())
    for n in [*range(70), *range(69, -1, -1), *rng.permutation(70).tolist()]:
        assert (reel[n] == kept[n]).all()
        if n:
            assert (reel.changed(n) is None) == (kept[n] == kept[n - 1]).all()
    with pytest.raises(ValueError, match="read-only"):
        reel[3][0, 0] = 1


def test_keys_jump_from_step_to_step_and_say_where_one_is():
    person = watching("bsp:3")
    labels = [use.label for use in find_recipe("bsp").steps]
    assert f"1/{len(labels)} {labels[0]}" in person.reads()
    assert "min_leaf 8" in person.reads()
    met = []
    for _ in range(len(labels)):
        met.append(person.top.moment.step)
        person.types("n")
    assert met[:3] == labels[:3]
    assert person.top.index == len(person.top.growth.moments) - 1
    starts = person.top.growth.starts
    person.presses("pageup", "pageup")
    at = person.top.index
    assert at in starts
    person.presses("pagedown")
    assert person.top.index == starts[starts.index(at) + 1]
    person.top.player.to(starts[1] + 2)
    person.types("p")
    assert person.top.index == starts[1]
    person.types("p")
    assert person.top.index == 0


def test_steps_are_marked_on_the_bar_and_the_speed_is_said():
    person = watching("bsp:3")
    y, first, last = bar_of(person)
    row = person.reads().splitlines()[y]
    assert row[first : last + 1].count("▝") >= 3
    assert "10 a second" in person.reads()
    person.presses("up")
    assert "20 a second" in person.reads()
    person.presses("down", "down", "space")
    assert "paused · 5 a second" in person.reads()


def test_the_bar_is_scrubbed_by_pressing_and_dragging():
    person = watching("dense:5")
    y, first, last = bar_of(person)
    end = len(person.top.growth.moments) - 1
    hear = person.app.hear
    hear(Pointer("press", last, y, None, "left"))
    assert person.top.index == end
    hear(Pointer("move", (first + last) // 2, y - 3, None, "left"))
    assert abs(person.top.index - end / 2) <= 1
    hear(Pointer("move", 0, y, None, "left"))
    assert person.top.index == 0
    hear(Pointer("move", last, y, None, ""))
    hear(Pointer("move", last, y, None, "left"))
    assert person.top.index == 0


def test_a_dragged_mouse_says_so_in_a_terminal():
    assert pointer("\x1b[<32;5;6M") == Pointer("move", 4, 5, button="left")
    assert pointer("\x1b[<35;5;6M") == Pointer("move", 4, 5)


def test_a_rejected_attempt_ends_with_its_reason(monkeypatch):
    verdicts = iter(["the omens are bad", "the stars are wrong"])

    def judge(_):
        if reason := next(verdicts, None):
            raise Rejected(reason)

    monkeypatch.setattr(build, "validate", judge)
    person = watching("rooms:42")
    growth = person.top.growth
    rejections = [moment for moment in growth.moments if moment.rejects]
    assert [moment.attempt for moment in rejections] == [0, 1]
    person.top.player.to(rejections[1].index)
    assert "Attempt 2 is rejected: the stars are wrong" in person.reads()
    person.presses("right")
    assert "attempt 3" in person.reads()
    assert person.top.index in growth.starts
    assert (rejections[0].tiles == growth.moments[rejections[0].index - 1].tiles).all()


def test_a_huge_growth_fits_in_little_memory():
    recipe = find_recipe("caves")
    rounds = next(knob for knob in knobs(recipe) if knob.name == "rounds")
    tracemalloc.start()
    growth = Growth(full("caves:7@500x500"), with_value(recipe, rounds, 100))
    growth.to_end()
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert len(growth.moments) > 100
    assert held < 30_000_000
    assert (growth.moments[-1].tiles == growth.level.tiles).all()


def test_automata_are_shown_generation_by_generation():
    moments = watching("caves:7").top.growth.moments
    said = [moment.caption for moment in moments if moment.step == "cellular_automaton"]
    assert said == [f"Generation {n}" for n in range(1, 6)]


# Overlays


@pytest.mark.parametrize("code", ["mondrian:7@60x40", "voronoi:7@60x40", "maze:7@60x40"])
def test_overlays_are_named_and_colour_the_map(code):
    person = watching(code, 110, 60)
    person.presses("end")
    plain = colors_shown(person)
    seen = {plain}
    for name in ("regions", "distance", "chokepoints"):
        person.types("m")
        assert f"m {name}" in person.reads().splitlines()[0]
        seen.add(colors_shown(person))
    assert len(seen) == 4
    person.types("m")
    assert "m no overlay" in person.reads()
    assert colors_shown(person) == plain


def test_the_legend_gives_the_numbers():
    person = watching("voronoi:7", 110, 60)
    person.presses("end").types("m")
    assert " regions" in person.reads().splitlines()[0].split("m regions")[1]
    person.types("m")
    assert "steps from the start" in person.reads()
    person.types("m")
    assert "cuts off up to" in person.reads()
    assert "dead ends" in person.reads()


@pytest.mark.parametrize("code", ["mondrian:7", "mondrian:8@150x60", "bsp:3", "temple:4@81x45"])
def test_a_painting_keeps_its_colours_and_neighbours_differ(code):
    growth = Growth(full(code))
    growth.to_end()
    picture = Painting(growth.code.width, growth.code.height)
    before = {}
    stages = [moment.leaves for moment in growth.moments]
    for n, leaves in enumerate(stages):
        picture.add(leaves)
        canvas = picture.stages[n]
        assert all((canvas[leaf.inner] == canvas[leaf.y, leaf.x]).all() for leaf in leaves)
        colors = (canvas.astype(int) - 1) % 8
        fields = painting.field_map(leaves, growth.code.width, growth.code.height)
        for axis in (0, 1):
            edge = np.diff(fields, axis=axis) != 0
            assert (np.diff(colors, axis=axis)[edge] != 0).all()
        now = {(leaf.x, leaf.y): canvas[leaf.y, leaf.x] for leaf in leaves}
        if set(before) <= set(now):
            assert all(now[corner] == color for corner, color in before.items())
        before = now
        if n > 40:
            break
    assert len(stages[-1]) > 9


def test_regions_that_touch_differ_in_colour():
    growth = Growth(full("voronoi:7"))
    growth.to_end()
    labels = growth.moments[-1].regions
    shades = hues.region_colors(labels, hues.numbered(int(labels.max())))
    gaps = [np.abs(shades[a] - shades[b]).max() for a, b in hues.touching(labels)]
    assert len(gaps) > 30
    assert min(gaps) > 20


def test_charts_mark_more_what_cuts_off_more():
    tiles = np.zeros((5, 20), np.uint8)
    tiles[2, 1:19] = 1
    tiles[1:4, 1:8] = 1
    subject = Subject(tiles, full_start(tiles))
    drawn = chart(Overlay.CHOKEPOINTS, subject)
    cover = drawn.cover[2, 9:17]
    assert (np.diff(cover) < 0).all()
    assert drawn.marks[2, 18] == ord("×")
    heat = chart(Overlay.DISTANCE, subject)
    assert heat.cover[0, 0] == 0
    assert heat.paper[2, 2, 0] > heat.paper[2, 17, 0]


def full_start(tiles):
    ys, xs = np.nonzero(tiles == 1)
    return type(RectangularRoom(0, 0, 1, 1).center)(int(xs[0]), int(ys[0]))


def test_play_shows_overlays_in_the_workshop_only():
    person = Person()
    setup = Setup(42, "42", Mode.WORKSHOP, "mondrian")
    person.app.answer(Push(PlayScreen(begin(setup))))
    plain = colors_shown(person)
    for name in ("regions", "distance", "chokepoints"):
        person.types("m")
        assert f"m {name}" in person.reads()
        assert colors_shown(person) != plain
    person.types("m")
    assert colors_shown(person) == plain
    other = Person()
    other.app.answer(Push(PlayScreen(begin(Setup(42, "42", generator="rooms")))))
    plain = colors_shown(other)
    other.types("m")
    assert "Only the Workshop" in other.reads()
    assert colors_shown(other) == plain


# Tuning


def tuning(code="caves:7"):
    person = watching(code).types("t")
    assert isinstance(person.top, TuningScreen)
    return person


def level_of(person):
    person.top.player.growth.to_end()
    return person.top.player.growth.level


def test_a_turned_parameter_grows_another_level_from_the_same_seed():
    person = tuning("bsp:3")
    before = level_of(person)
    assert before.steps == watching("bsp:3").top.growth.level.steps
    person.presses("right")
    after = level_of(person)
    assert "rounds" in person.reads()
    assert value(person.top.recipe, person.top.panel.knob) == 5
    assert after.steps[-1][1] != before.steps[-1][1]
    assert after.code == before.code
    assert person.top.player.index == person.top.player.last
    assert " was " in person.reads()
    person.types("r")
    assert level_of(person).steps == before.steps
    person.app.hear(Key("right", shift=True))
    assert value(person.top.recipe, person.top.panel.knob) == 14
    person.types("R")
    assert person.top.recipe == find_recipe("bsp")


def test_values_are_typed_and_what_cannot_be_is_said():
    person = tuning()
    own = level_of(person)
    person.types("1.5\n")
    assert "rock must be from 0 to 1." in person.reads()
    assert level_of(person) is own
    person.types("0.4\n")
    assert value(person.top.recipe, person.top.panel.knob) == 0.4
    assert level_of(person).steps != own.steps
    person.types("9").presses("escape")
    assert value(person.top.recipe, person.top.panel.knob) == 0.4
    person.presses("down").types("2.5\n")
    assert "rounds must be a whole number" in person.reads()
    person.types("999999999\n")
    assert "rounds must be a whole number from 0 to 1000." in person.reads()
    person.presses("enter", "backspace").types("7\n")
    assert value(person.top.recipe, person.top.panel.knob) == 7


def test_turning_stops_at_the_bounds():
    person = tuning()
    for _ in range(30):
        person.presses("left")
    assert value(person.top.recipe, person.top.panel.knob) == 0
    person.presses("left")
    assert "rock must be from 0 to 1." in person.reads()


@pytest.mark.parametrize("name", ["terrain", "mondrian", "caverns"])
def test_every_parameter_can_be_turned_and_stays_within_bounds(name):
    recipe = find_recipe(name)
    for knob in knobs(recipe):
        for by in (1, -1, 10, -10):
            changed = recipe
            for _ in range(4):
                wanted = turned(changed, knob, by, value(recipe, knob))
                changed = with_value(changed, knob, wanted)
            assert value(changed, knob) == value(with_value(recipe, knob, wanted), knob)
        with pytest.raises(Unfit, match=knob.name):
            with_value(recipe, knob, typed(knob, "purple"))


def test_a_build_that_fails_is_said_in_a_sentence():
    person = tuning()
    person.types("1\n")
    person.top.player.growth.to_end()
    assert "kept its promises (too little floor)" in person.reads()
    person.presses("escape")
    assert "retuned" in person.reads()
    person.presses("end").waits()
    assert "kept its promises" in person.reads()


def test_a_step_that_breaks_on_odd_values_is_said_too(monkeypatch):
    def broken(*_):
        raise ValueError("low >= high")
        yield

    monkeypatch.setattr("render.workshop.growth.grow", broken)
    growth = Growth(full("rooms:1"), find_recipe("rooms"))
    growth.to_end()
    assert growth.failure == "No level grows from these values (low >= high)"
    with pytest.raises(ValueError, match="low"):
        Growth(full("rooms:1")).to_end()


def test_leaving_the_panel_watches_the_new_recipe():
    person = tuning("bsp:3")
    person.presses("right")
    wanted = person.top.recipe
    person.presses("escape")
    assert isinstance(person.top, WatchScreen)
    assert person.top.growth.recipe == wanted
    assert "retuned" in person.reads()
    person.types("tR").presses("escape")
    assert "retuned" not in person.reads()


@pytest.mark.parametrize(("name", "keys"), [("caves", 1), ("sparse", 1), ("terrain", 40)])
def test_a_copied_entry_is_a_recipe(tmp_path, name, keys):
    person = tuning(f"{name}:7")
    for _ in range(keys):
        person.presses("down")
    person.presses("right").types("p")
    [text] = person.face.copied
    assert f"[{name}_retuned]" in person.reads()
    shutil.copytree(DATA, tmp_path / "data")
    with (tmp_path / "data" / "recipes.toml").open("a", encoding="utf-8") as file:
        file.write("\n" + text)
    written = recipes(tmp_path / "data")[f"{name}_retuned"]
    person.presses("escape")
    assert written.steps == person.top.recipe.steps
    assert written.steps != find_recipe(name).steps
    assert (written.theme, written.size) == (find_recipe(name).theme, find_recipe(name).size)


def test_the_panel_is_worked_by_mouse():
    person = tuning("bsp:3").points("min_leaf")
    assert person.top.panel.knob.name == "min_leaf"
    row = next(y for y, line in enumerate(person.reads().splitlines()) if "►" in line)
    x = person.reads().splitlines()[row].index("►")
    person.app.hear(Pointer("press", x, row, None, "left"))
    assert value(person.top.recipe, person.top.panel.knob) == 9


# Side by side


def test_two_recipes_stand_side_by_side_from_one_seed():
    person = watching("rooms:42", 128, 44).types("2")
    compare = person.top
    assert isinstance(compare, CompareScreen)
    left, right = compare.pair.players
    for player in (left, right):
        player.growth.to_end()
    assert left.growth.code.recipe == "rooms"
    assert right.growth.code.recipe == "sparse"
    assert left.growth.code.seed == right.growth.code.seed == 42
    assert (right.growth.code.width, right.growth.code.height) == (80, 45)
    person.presses("end")
    assert (left.index, right.index) == (left.last, right.last)
    text = person.reads()
    assert text.count("creatures move in") + text.count("creature moves in") == 2
    assert "rooms" in text
    assert "sparse" in text
    person.presses("home")
    shares = []
    for _ in range(max(left.last, right.last)):
        person.presses("right")
        shares.append(abs(left.index / left.last - right.index / right.last))
    assert max(shares) < 0.1
    person.types("]")
    assert compare.pair.players[1].growth.code.recipe == "dense"
    person.types("[[")
    assert compare.pair.players[1].growth.code.recipe == "rooms"


def test_both_halves_play_scrub_and_carry_the_same_overlay():
    person = watching("rooms:42", 128, 44).types("2")
    for player in person.top.pair.players:
        player.growth.to_end()
    person.presses("home", "space").waits(3)
    assert person.top.pair.place == 3
    y, first, _ = bar_of(person)
    person.app.hear(Pointer("press", first, y, None, "left"))
    assert person.top.pair.place == 0
    person.presses("end")
    plain = colors_shown(person)
    person.types("m")
    assert person.reads().count("m regions") == 2
    assert colors_shown(person) != plain


def test_a_recipe_that_cannot_be_that_small_says_so(monkeypatch):
    person = watching("rooms:42@20x15", 128, 44)
    large = dataclasses.replace(find_recipe("sparse"), smallest=(60, 40))
    monkeypatch.setattr("render.screens.compare.find_recipe", lambda _: large)
    person.types("2")
    assert "sparse cannot be 20x15: the smallest that works is 60x40." in person.reads()
    assert person.top.pair.players[1].growth.code.width == 80


# On any screen


@pytest.mark.parametrize("size", SIZES)
def test_everything_draws_at_any_size(size):
    person = watching("bsp:7@60x40", *size)
    person.presses("end")
    for name in ("m", "m", "m", "m", "z", "t", "m", "escape", "2", "m"):
        person.presses(name).reads()


@pytest.mark.parametrize("size", [(80, 30), (200, 60)])
def test_keys_are_on_screen_and_nothing_runs_over(size):
    person = watching("terrain:7@60x40", *size)
    for screen in ("", "t", "2"):
        if screen:
            person.presses("escape") if not isinstance(person.top, WatchScreen) else None
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
            for binding in bindings()[section].values():
                assert binding.help in text
                assert shown(binding.keys[0]) in text


def test_growth_goes_on_behind_what_is_shown(monkeypatch):
    monkeypatch.setattr("render.workshop.growth.PATIENCE", 0)
    person = Person(first=WatchScreen(full("mondrian:7@200x200")))
    growth = person.top.growth
    assert not growth.finished
    counts = [len(growth.moments)]
    for _ in range(4):
        person.waits()
        counts.append(len(growth.moments))
    assert all(one < other for one, other in pairwise(counts))
    person.presses("end")
    while not growth.finished:
        person.waits()
    person.waits()
    assert person.top.index == len(growth.moments) - 1
