"""Finding a level by words in the Workshop."""

from engine.state.run_setup import Mode, RunSetup
from procgen.build import build
from procgen.recipe_builder import BuildFailed
from render.screens.choose_level import TRIED, WordSearchMenu
from render.screens.menu import TextEntry
from render.screens.play_screen import PlayScreen
from render.screens.title import generator_menu
from support.fake_backend import Person
from support.play_screens import playing, world_of


def searching(words):
    person = playing(RunSetup(7, "7", Mode.WORKSHOP, "rooms", size=(40, 24)))
    return person.types("/").types(f"{words}\n")


def finish(person):
    """Return what the screen says in the middle columns when the search has ended."""
    while person.top.interval is not None:
        person.top.tick()
    rows = [row.split("│")[1] for row in person.reads().splitlines() if row.count("│") == 2]
    return " ".join(" ".join(rows).split())


def test_the_nearest_levels_are_listed_while_more_are_tried_and_one_is_gone_to():
    person = searching("flooded simple rooms with exactly 4 rooms, purple")
    assert isinstance(person.top, WordSearchMenu)
    assert "1 level tried, " in person.reads()
    assert "so far" in person.reads()
    said = finish(person)
    assert "not understood: purple." in said.lower()
    met = [choice for choice in person.top.choices if choice.note == "rooms 4"]
    near = [choice for choice in person.top.choices if choice.note.startswith("near: rooms ")]
    assert [*met, *near] == person.top.choices
    assert met
    assert near, "or the test shows nothing"
    assert f"60 levels tried, {len(met)} as asked." in said
    assert "rooms == 4" in said
    first = person.top.choices[0]
    person.types("a")
    assert isinstance(person.top, PlayScreen)
    code = world_of(person).code
    assert f"{code.generator}:{code.seed}" == first.label
    assert code.overlays == ("flooded.1",)


def test_a_user_recipe_that_is_edited_meanwhile_ends_neither_search_nor_grid(tmp_path, monkeypatch):
    monkeypatch.setenv("SEEDHOLLOW_MINE", str(tmp_path))
    mine = tmp_path / "recipes.toml"
    mine.write_text('[quest]\ndescription = ""\nextends = "rooms"\n', "utf-8")
    search = searching("~quest with many loops")
    grid = Person(200, 100, generator_menu())
    grid.reads()
    mine.write_text("[quest", "utf-8")
    assert "60 levels tried" not in finish(search)
    grid.waits(500)
    assert grid.top.interval is None


def test_a_wish_that_no_level_meets_is_said_at_the_end():
    person = searching("plain rooms, exactly 90 rooms")
    assert "1 level tried, none as asked so far" in " ".join(person.top.intro.split())
    said = finish(person)
    assert f"{TRIED // 3 * 3} levels tried, none as asked." in said
    assert "No level of 60 has rooms == 90: the nearest has" in said


def test_words_that_mean_nothing_are_asked_again():
    person = searching("xyzzy")
    assert isinstance(person.top, TextEntry)
    assert "None of that is understood" in person.reads()
    person.presses("escape")
    assert isinstance(person.top, PlayScreen)


def test_a_kind_of_place_that_the_size_is_too_small_for_is_named():
    person = playing(RunSetup(7, "7", Mode.WORKSHOP, "rooms", size=(20, 15)))
    person.types("/").types("a castle of missions\n")
    told = "fortress_mission cannot be 20x15: its smallest size is 40x30."
    assert told in person.reads()
    assert isinstance(person.top, TextEntry)
    assert told not in person.types("s").reads()


def test_levels_that_cannot_be_built_are_passed_over(monkeypatch):
    built = iter(range(1000))

    def build_most(code):
        if next(built) % 3 == 1:
            raise BuildFailed("no luck")
        return build(code)

    monkeypatch.setattr("render.screens.choose_level.build", build_most)
    said = finish(searching("plain rooms with exactly 4 rooms"))
    assert f"{TRIED // 3 * 2} levels tried, " in said
