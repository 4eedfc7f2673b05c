"""Charts: regions, distances and chokepoints painted over a level."""

import numpy as np
import pytest

from components.inventory import Item
from engine.state.run_setup import Mode, RunSetup
from entities.creature_kinds import creature_kinds
from procgen.blueprint import RectangularRoom
from procgen.carving.region_links import adjacent_pairs
from procgen.mission import LOCKS, OPENERS
from render.map.charts import ChartInput, ChartKind
from render.screens.play_screen import PlayScreen
from render.screens.screen import Push
from render.session.start_run import begin
from render.tiles.glyphs import CURSOR
from render.ui.frame import Frame
from render.ui.options import Options, apply_options
from render.ui.palette import colors
from render.workshop import level_charts as hues
from render.workshop import partition_painting as painting
from render.workshop.build_recording import BuildRecording
from render.workshop.level_charts import chart
from render.workshop.partition_painting import PartitionPainting
from support.build_screens import colors_shown, full, watching
from support.fake_backend import Person


@pytest.mark.parametrize("code", ["mondrian:7@60x40", "voronoi:7@60x40", "maze:7@60x40"])
def test_charts_are_named_and_colour_the_map(code):
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
    assert "m no chart" in person.reads()
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
    recording = BuildRecording(full(code))
    recording.to_end()
    picture = PartitionPainting(recording.code.width, recording.code.height)
    before = {}
    stages = [moment.leaves for moment in recording.snapshots]
    for n, leaves in enumerate(stages):
        picture.add(leaves)
        canvas = picture.stages[n]
        assert all((canvas[leaf.inner] == canvas[leaf.y, leaf.x]).all() for leaf in leaves)
        colors = (canvas.astype(int) - 1) % 8
        fields = painting.field_map(leaves, recording.code.width, recording.code.height)
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
    recording = BuildRecording(full("voronoi:7"))
    recording.to_end()
    labels = recording.snapshots[-1].regions
    shades = hues.region_colors(labels, hues.hues_by_number(int(labels.max())))
    pairs = adjacent_pairs(np.where(labels > 0, labels, -1), hues.NEIGHBOUR_REACH)
    gaps = [np.abs(shades[a] - shades[b]).max() for a, b in pairs]
    assert len(gaps) > 30
    assert min(gaps) > 20


def test_charts_mark_more_what_cuts_off_more():
    tiles = np.zeros((5, 20), np.uint8)
    tiles[2, 1:19] = 1
    tiles[1:4, 1:8] = 1
    subject = ChartInput(tiles, full_start(tiles))
    drawn = chart(ChartKind.CHOKEPOINTS, subject)
    cover = drawn.cover[2, 9:17]
    assert (np.diff(cover) < 0).all()
    assert drawn.marks[2, 18] == ord("×")
    heat = chart(ChartKind.DISTANCE, subject)
    assert heat.cover[0, 0] == 0
    assert heat.paper[2, 2, 0] > heat.paper[2, 17, 0]


def full_start(tiles):
    ys, xs = np.nonzero(tiles == 1)
    return type(RectangularRoom(0, 0, 1, 1).center)(int(xs[0]), int(ys[0]))


def test_play_shows_charts_in_the_workshop_only():
    person = Person()
    setup = RunSetup(42, "42", Mode.WORKSHOP, "mondrian")
    person.app.answer(Push(PlayScreen(begin(setup))))
    plain = colors_shown(person)
    for name in ("regions", "distance", "chokepoints"):
        person.types("m")
        assert f"m {name}" in person.reads()
        assert colors_shown(person) != plain
    person.types("m")
    assert colors_shown(person) == plain
    apply_options(Options(keys={"play": {"chart": ("W",)}}))
    assert "W regions" in person.types("W").reads()
    apply_options(Options())
    other = Person()
    other.app.answer(Push(PlayScreen(begin(RunSetup(42, "42", generator="rooms")))))
    plain = colors_shown(other)
    other.types("m")
    assert "Only the Workshop" in other.reads()
    assert colors_shown(other) == plain


@pytest.mark.parametrize("generator", ["keep", "endless_rooms"])
def test_a_chart_takes_the_colours_of_another_palette_at_once(generator):
    setup = RunSetup(1, "1", Mode.WORKSHOP, generator)
    person = Person(first=PlayScreen(begin(setup))).types("mmm")
    for name in ("colour_blind", "high_contrast"):
        person.reads()
        apply_options(Options(palette=name))
        text = person.app.picture().text
        legend = text.fg[1][text.ch[1] == ord("◆")]
        assert legend.tolist() == [[*colors()["accent"]]]


def test_brackets_show_where_hero_and_stairs_are_on_a_whole_level():
    person = Person(first=PlayScreen(begin(RunSetup(7, "7", Mode.WORKSHOP, "keep"))))
    person.backend.frame = lambda: Frame(110, 44, (3.2, 1.6), 32)
    marks = person.app.picture().sprites
    session = person.top.session
    state, view = session.run.state, session.view
    assert {(mark.code, mark.size) for mark in marks} == {(CURSOR, 2)}
    places = [(mark.x + 0.5 + view.left, mark.y + 0.5 + view.top) for mark in marks]
    assert places == [state.map.start, state.map.exit, (state.hero.x, state.hero.y)]
    assert marks[1].color != marks[2].color
    person.types("+")
    assert CURSOR not in [sprite.code for sprite in person.app.picture().sprites]


def test_the_workshop_opens_revealed_lit_and_fitted():
    person = Person(first=PlayScreen(begin(RunSetup(7, "7", Mode.WORKSHOP, "keep"))))
    person.backend.frame = lambda: Frame(110, 44, (3.2, 1.6), 32)
    session, game_map = person.top.session, person.top.session.run.state.map
    frame = person.app.picture()
    assert frame.map.width >= game_map.width
    assert frame.map.height >= game_map.height
    assert not session.card
    before = frame.map.bg.mean()
    person.types("&")
    assert person.app.picture().map.bg.mean() < 0.7 * before
    person.types("&+")
    assert person.app.picture().map.width < game_map.width
    assert session.view.reveal
    person.types(" ")
    assert person.top.session.view.reveal
    assert person.backend.zooms == []
    person.types("+")
    assert person.backend.zooms == [1]


def test_a_revealed_level_lists_all_its_monsters_nearest_first():
    person = Person(first=PlayScreen(begin(RunSetup(7, "7", Mode.WORKSHOP, "keep"))))
    person.backend.frame = lambda: Frame(140, 70, (3.2, 1.6), 32)
    state, text = person.top.session.run.state, person.reads()
    assert "In view" not in text
    listed = text[text.index("On the map") :]
    _, *monsters = sorted(state.map.entities.values(), key=state.hero.distance_to)
    kinds = dict.fromkeys(one.kind for one in monsters)
    places = [listed.index(creature_kinds()[kind].name) for kind in kinds]
    assert len(monsters) > 12
    assert places == sorted(places)
    assert "Items on the map" in text
    assert "Items in view" not in text
    assert "n the map" not in person.types("&").reads()


@pytest.mark.parametrize(("rows", "share"), [(26, " (2 of 6)"), (29, " (5 of 6)"), (30, "")])
def test_a_list_of_items_without_room_for_all_says_so(rows, share):
    session = begin(RunSetup(6, "6", Mode.WORKSHOP, "caves"))
    state = session.run.state
    for creature in [one for one in state.map.entities.values() if one.ai]:
        state.map.remove_entity(creature)
    state.map.items = {}
    kinds = ("net", "dart", "arrow", "dagger", "life_potion", "spear", "oil_flask")
    for number, kind in enumerate(kinds):  # Two of them on one tile.
        place = state.map.nearest_free(state.hero.x + number, state.hero.y)
        state.map.add_item(Item(900 + number, kind), *place)
    person = Person(first=PlayScreen(session))
    person.backend.size = 128, rows
    heading = next(line for line in person.reads().splitlines() if "Items on the map" in line)
    assert heading.rstrip().endswith(f"Items on the map{share}")


def test_the_graph_of_a_mission_is_drawn_over_the_level():
    person = watching("mission:3", 120, 60)
    person.presses("end")
    plain = colors_shown(person)
    person.types("m")
    assert "m mission" in person.reads().splitlines()[0]
    assert colors_shown(person) != plain
    assert " rooms, " in person.reads().splitlines()[0]
    person.presses("home")
    assert "m mission" in person.reads(), "a mission without places has a legend alone"


@pytest.mark.parametrize("opens", ["m", "tm", "2m"])
def test_the_chart_of_a_mission_can_be_chosen_on_every_screen(opens, tmp_path, monkeypatch):
    own = '[quest]\ndescription = ""\nextends = "mission"\n'
    (tmp_path / "recipes.toml").write_text(own, "utf-8")
    monkeypatch.setenv("SEEDHOLLOW_MINE", str(tmp_path))
    for code in ("mission:3", "~quest:3"):
        assert "m mission" in watching(code, 160, 60).types(opens).reads()


def test_a_mission_chart_marks_locks_and_keys_at_their_places():
    recording = BuildRecording(full("mission:3"))
    recording.to_end()
    mission = recording.level.mission
    last = recording.snapshots[-1]
    drawn = chart(ChartKind.MISSION, ChartInput(last.tiles, last.start, mission=mission))
    locks = [edge.place for edge in mission.gated(*LOCKS)]
    keys = [room.anchor for room in mission.rooms if room.holds in OPENERS.values()]
    assert locks, "take a seed with a lock"
    assert all(drawn.marks[y, x] == ord("◆") for x, y in [*locks, *keys])
    assert all(drawn.cover[room.anchor[::-1]] > 0 for room in mission.rooms)
    first = chart(ChartKind.MISSION, ChartInput(last.tiles, None, mission=None))
    assert first.legend == [("no mission", None)]
    assert not first.cover.any()


@pytest.mark.parametrize("keys", ["", "t", "2"])
def test_the_next_chart_can_be_chosen_by_mouse(keys):
    person = watching("voronoi:7", 160, 60)
    person.presses("end").types(keys)
    assert "m no chart" in person.reads()
    assert "m regions" in person.points("m no chart").reads()
    assert "m distance" in person.points("m regions").reads()
