"""World map: flown over by keys, jumped to, copied, gone to."""

import math
import time

import numpy as np
import pytest

from components.inventory import Item
from engine.saves.run import Run
from engine.state.actions import Visit
from engine.state.run_setup import Mode, RunSetup
from procgen.blueprint import Point
from procgen.build import build
from procgen.chunk import SIDE
from procgen.level_code import parse_code
from procgen.settings import complete
from render.map.charts import INFINITE_CHARTS, LEVEL_CHARTS
from render.map.place_names import code_here, hero_place, location_label
from render.map.world_map import PAPER
from render.screens.play_commands import screen_command
from render.screens.play_screen import PlayScreen
from render.screens.screen import Copy, Pop, Push
from render.screens.world_map_screen import WorldMapScreen
from render.session.session import Session
from render.ui.frame import Frame
from render.ui.input import Key, Pointer
from render.ui.palette import colors
from render.workshop.build_view import LevelCharts
from render.workshop.level_charts import charts_for
from support.fake_backend import Person
from support.play_screens import playing, world_of


def stay(x, y):
    """Travel nowhere."""


def session(mode=Mode.WORKSHOP, generator="endless_caves"):
    return Session(Run.begin(RunSetup(42, "42", mode, generator)))


def drawn(screen):
    frame = Frame(100, 40)
    for _ in range(600):
        screen.draw(frame)
        if screen.interval is None:
            return frame
        time.sleep(0.1)
    pytest.fail("the picture never came")


def words(frame, row):
    return "".join(map(chr, frame.text.ch[row]))


def test_the_workshop_shows_all_there_is_and_play_what_was_seen():
    whole = drawn(WorldMapScreen(session(), stay))
    assert "everything" in words(whole, 0)
    seen = drawn(WorldMapScreen(session(Mode.ADVENTURE), stay))
    assert "what you have seen" in words(seen, 0)
    dark = np.array(colors()["ground"])
    unknown = (seen.text.bg[1:-1] == dark).all(axis=2).mean()
    assert unknown > 0.9 > 0.5 > (whole.text.bg[1:-1] == dark).all(axis=2).mean()
    assert unknown < 1


def test_a_window_draws_land_on_paper_with_pins_and_the_hero():
    screen = WorldMapScreen(session(Mode.ADVENTURE, "wilds"), stay)
    frame = Frame(64, 20, (1.6, 0.8), 16)
    screen.draw(frame)
    (picture,) = frame.pictures
    assert picture.pixels.shape == (18 * 20, 64 * 10, 3)
    paper, hero = picture.pixels[:40, :40].mean(axis=(0, 1)), np.array(colors()["cloak"])
    assert np.abs(paper - PAPER).max() < 8
    assert (np.abs(picture.pixels - hero).max(axis=2) < 24).any()
    land = np.abs(picture.pixels - PAPER).max(axis=2) > 40
    assert 0.005 < land.mean() < 0.6


def test_the_middle_is_marked_where_it_is_not_the_hero():
    screen = WorldMapScreen(session(Mode.ADVENTURE), stay)
    middle = Frame(100, 40).columns // 2
    assert words(drawn(screen), 20)[middle] == "@"
    screen.key(Key("right"))
    assert words(drawn(screen), 20)[middle] == "+"


def test_keys_fly_look_closer_jump_copy_and_go():
    screen = WorldMapScreen(session(), stay)
    x, y = screen.x, screen.y
    screen.key(Key("right"))
    assert (screen.x, screen.y) == (x + 8 * screen.scale, y)
    scale = screen.scale
    screen.key(Key("-"))
    assert screen.scale == 2 * scale
    reply = screen.key(Key("/"))
    assert isinstance(reply, Push)
    assert isinstance(reply.screen.done("-3000, 1200"), Pop)
    assert (screen.x, screen.y) == (-3000, 1200)
    with pytest.raises(ValueError, match="X,Y"):
        reply.screen.done("there")
    copied = screen.key(Key("p"))
    assert copied == Copy("endless_caves.1:42@-3000,1200")
    assert build(complete(parse_code(copied.text))).code.place == (-3000, 1200)
    went = screen.key(Key("enter"))
    assert isinstance(went, Pop)
    assert went.then(screen).action == Visit("endless_caves.1:42@-3000,1200")
    screen.key(Key("@"))
    assert (screen.x, screen.y) == (x, y)


@pytest.mark.parametrize("size", [(80, 24), (81, 31)])
def test_a_click_scrolls_what_was_clicked_to_the_middle(size):
    """The hero's mark shows where the click went."""
    frame, screen = Frame(*size), WorldMapScreen(session(), stay)
    screen.draw(frame)
    x, y = frame.cursor
    screen.pointer(Pointer("press", x, y))
    screen.draw(frame)
    assert frame.cursor == (x, y), "in the middle already"
    screen.pointer(Pointer("press", x + 9, y - 4))
    screen.draw(frame)
    assert frame.cursor == (x - 9, y + 4)
    at = screen.x, screen.y
    for row in (0, size[1] - 1):
        screen.pointer(Pointer("press", 3, row))
    assert (screen.x, screen.y) == at, "neither the title nor the keys are land"


@pytest.mark.parametrize("mode", [Mode.WORKSHOP, Mode.ADVENTURE])
def test_every_key_is_shown_in_80_columns_and_can_be_pressed(mode):
    frame = Frame(80, 30)
    screen = WorldMapScreen(session(mode), stay)
    screen.key(Key("l"))
    screen.draw(frame)
    foot = words(frame, 29)
    for said in ("Esc back", "/ jump", "p copy", "@ to you", "- further"):
        assert said in foot, said
    assert "Enter go there" in foot
    assert len(frame.buttons) == len(foot.split("·"))


def test_a_run_walks_to_a_place_that_it_has_seen_and_says_why_not():
    person = playing(RunSetup(42, "42", generator="wilds"))
    state = world_of(person)
    goal = next(
        (int(x), int(y))
        for y, x in np.argwhere(state.map.explored & state.map.walkable)
        if max(abs(x - state.hero.x), abs(y - state.hero.y)) == 3
    )
    person.types("W")
    person.top.x, person.top.y = there = state.map.world_place(*goal)
    person.presses("enter")
    assert isinstance(person.top, PlayScreen)
    for _ in range(9):
        person.app.answer(person.top.tick())
    assert hero_place(state) == there
    person.types("W").types("L" * 40).presses("enter")
    assert "That is too far to walk at once." in person.reads()


def test_lands_have_names_and_what_stands_near_is_said():
    state = session(generator="wilds").run.state
    (column, row), plot = max(state.map.chunks.items(), key=lambda item: len(item[1].sites))
    site = plot.sites[0]
    x = (column - state.map.corner[0]) * SIDE + site.x
    y = (row - state.map.corner[1]) * SIDE + site.y
    state.hero.x, state.hero.y = x, y
    said = location_label(state)
    assert said == location_label(state)
    name, _, near = said.partition(", by ")
    place, *signs = near.replace(";", ",").split(", ")
    assert place.endswith(site.kind)
    assert all(set(sign.split()[-1]) <= set("NESW") for sign in signs)
    assert len(signs) == 3
    assert location_label(state, len(name) + 5) == name
    assert location_label(state, 3) == ""
    state.hero.x, state.hero.y = x + 1000, y
    assert location_label(state) == ""
    assert location_label(session(generator="rooms").run.state) == ""
    assert len(name.split()) == 2


def test_one_jumps_to_a_name_on_the_map_or_to_coordinates():
    person = Person(first=WorldMapScreen(session(generator="wilds"), stay))
    screen = person.top
    drawn(screen)
    label = next(at for at in screen._picture.labels() if not at.land)
    person.types("/" + label.text.upper()).presses("enter")
    assert (label.text, screen.x, screen.y) in {
        (at.text, at.x, at.y) for at in screen._picture.labels()
    }
    person.types("/-30,7").presses("enter")
    assert (screen.x, screen.y) == (-30, 7)
    person.types("/nowhere").presses("enter")
    assert "not X,Y" in person.reads()


def test_of_several_places_of_one_name_the_nearest_is_found_and_then_the_next():
    person = Person(first=WorldMapScreen(session(generator="wilds"), stay))
    screen = person.top
    drawn(screen)
    labels = [at for at in screen._picture.labels() if not at.land]
    texts = [at.text for at in labels]
    name = next(text for text in texts if texts.count(text) > 1)
    places = [(at.x, at.y) for at in labels if name in at.text]
    for _ in range(2):
        here = screen.x, screen.y
        person.types(f"/{name}").presses("enter")
        others = [place for place in places if place != here]
        assert (screen.x, screen.y) == min(others, key=lambda at: math.dist(at, here))


def test_the_help_of_the_map_names_the_keys_that_zoom():
    person = Person(first=WorldMapScreen(session(generator="wilds"), stay)).types("?")
    assert "closer" in person.reads()
    assert "further away" in person.reads()


def test_a_code_that_no_clipboard_took_is_not_called_copied(monkeypatch):
    person = Person(first=WorldMapScreen(session(), stay))
    monkeypatch.setattr(person.backend, "copy", lambda _: False)
    assert "No clipboard available" in person.types("p").reads()
    person.app.handle(Pointer("wheel", 9, 9, amount=1))
    assert "World map" in person.reads()
    assert "copied" not in person.reads()


def test_the_code_on_screen_is_that_of_the_place():
    here = session()
    assert code_here(here.run.state).startswith("endless_caves.1:42@")
    watched = screen_command(here, "watch")
    assert isinstance(watched, Push)
    assert watched.screen.code.place == hero_place(here.run.state)
    watched.screen.key(Key("t"))
    frame = Frame(100, 40)
    watched.screen.draw(frame)
    assert "tuned in data/world_types.toml" in words(frame, 0)
    assert screen_command(session(generator="rooms"), "map") is None


def test_charts_show_the_land_around_the_hero():
    here = session(generator="wilds")
    state, bench = here.run.state, LevelCharts(here)
    hero, seen = Point(state.hero.x, state.hero.y), []
    for _ in INFINITE_CHARTS[1:]:
        bench.command("chart")
        drawn = bench.picker.on_map(state.map, hero)
        left, top = bench.picker.corner
        assert 0 <= hero.x - left < drawn.cover.shape[1]
        assert 0 <= hero.y - top < drawn.cover.shape[0]
        seen.append(bench.picker.kind)
    assert seen == list(INFINITE_CHARTS[1:])
    assert "from you" in drawn.legend[-1][0]
    assert charts_for("endless_caves") == charts_for("rooms") == LEVEL_CHARTS


def endless(**size):
    return playing(RunSetup(4, "4", Mode.WORKSHOP, "wilds"), **size)


def test_an_endless_world_shows_how_dangerous_it_is_here():
    person = endless(columns=120, rows=44)
    state = person.top.session.run.state
    assert "Danger 1 " in person.reads().splitlines()[0]
    state.map.depth_at = lambda _x, _y: 7
    assert "Danger 7 " in person.reads().splitlines()[0]
    assert "Depth 1" in playing(columns=120, rows=44).reads()


def test_a_revealed_world_lists_what_is_on_the_screen():
    person = endless(columns=120, rows=44).types("&")
    person.reads()
    state, view = person.top.session.run.state, person.top.session.view
    far = view.left + 200, view.top + 100
    state.map.add_item(Item(state.new_id(), "bell", 77), *far)
    assert "77 bells" not in person.reads()
    state.map.add_item(Item(state.new_id(), "bell", 55), state.hero.x + 1, state.hero.y)
    assert "55 bells" in person.reads()


def test_the_sidebar_names_its_key_and_help_there_names_all_of_its_keys():
    setup = RunSetup(42, "42", Mode.WORKSHOP, "endless_caves")
    person = playing(setup)
    assert "world map" in person.reads()
    assert "watch level build" in person.reads(), "as beside a replay"
    person.types("W").types("?")
    assert "│  World map " in "".join(person.reads() + person.presses("end").reads())
    person.presses("escape")
    assert isinstance(person.top, WorldMapScreen)
    person.types("+++++")
    assert "1 tile per point" in person.reads()


def test_a_level_with_edges_has_no_key_for_the_world():
    assert "world map" not in playing(RunSetup(42, "42", Mode.WORKSHOP, "rooms")).reads()


def test_help_and_the_character_sheet_tell_of_the_world_and_of_no_score():
    person = playing(RunSetup(4, "4", generator="wilds"))
    pages = {"?": "An infinite world goes on in every direction.", "W?": "The map shows what you"}
    for keys, sentence in pages.items():
        text = person.types(keys).reads()
        assert sentence in text
        assert "First Seed" not in text
        assert ("walk into a monster" in text) == (keys == "?")
        person.presses("escape")
    sheet = person.presses("escape").types("@").reads()
    assert "not scored" in sheet
    assert "worth a point" not in sheet
