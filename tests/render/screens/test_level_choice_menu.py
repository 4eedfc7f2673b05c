"""The choice of the way down, by keys and by mouse."""

import re

import pytest

from engine.bots.discrete_actions import action_mask
from engine.bots.tactics import safest_choice
from engine.levels.recipe_by_depth import code_at
from engine.state.run_setup import RunSetup, Stratum
from entities.folders import USER_VARIABLE
from procgen.recipes import find_any
from procgen.vocabulary import level_phrase
from render.panels.morgue import morgue_folder
from render.screens.hero_choices import LevelChoiceMenu, _label
from render.screens.menu import Choice, DescribedMenu
from render.screens.play_screen import PlayScreen
from render.screens.screen import Pop
from render.session.session import arrival_text
from render.ui.palette import theme, themes
from support.fake_backend import Person
from support.play_screens import ended, playing, world_of
from support.stairs import stand_on

SIZES = [(80, 24), (110, 44)]


def at_the_stairs(seed=3, **size):
    person = playing(RunSetup(seed, str(seed)), **size)
    state = world_of(person)
    stand_on(person.app.stack[-1].session.run.engine, state.map.exit)
    state.look()
    return person, state


@pytest.mark.parametrize("size", SIZES)
def test_the_stairs_offer_levels_and_tell_what_they_are_like(size):
    person, state = at_the_stairs(columns=size[0], rows=size[1])
    person.types(">")
    assert isinstance(person.top, LevelChoiceMenu)
    assert "The way down to depth 2" in person.reads()
    assert "monsters" not in person.reads()
    person.waits(3)
    assert person.top.interval is None
    told = " ".join(person.reads().split())
    assert told.count(" monsters: ") == len(state.levels.level_choices(state)) == 3
    for choice, code in zip(person.top.choices, state.levels.level_choices(state), strict=True):
        assert choice.label.startswith(f"{level_phrase(code)} in the ")
        assert "_" not in choice.label
    assert "go down" in person.reads()
    person.types("2")
    assert isinstance(person.top, PlayScreen)
    assert state.depth == 2
    assert state.code.seed != 3
    assert theme(state.map.theme).name in person.reads()


def test_every_level_on_offer_is_called_by_its_kind_and_then_by_its_place():
    codes = [find_any(name).code(1, depth=3) for name in ("crypt", "temple", "caves+dark")]
    crypt, temple, cave = map(_label, codes)
    assert (crypt, temple) == ("the crypt", "a temple in the crypt"), "crypt once is enough"
    assert cave == "a dark cave in the mossy caves", "dark once is enough"


def test_a_long_name_of_a_level_is_wrapped_within_the_frame():
    label = "a flooded, haunted dungeon of locks and keys in the silent brick vaults"
    menu = DescribedMenu("The way down", [Choice(label, "1", Pop)] * 2, ["Few monsters."] * 2)
    person = Person(columns=100, rows=34, first=menu)
    text = " ".join(person.reads().replace("│", " ").split())
    assert f"1 {label} Few monsters." in text
    assert all(line.strip()[-1:] in "│─╮╯" for line in person.reads().splitlines())


def test_a_choice_can_be_made_before_it_is_told_and_can_wait():
    person, state = at_the_stairs()
    person.types(">").presses("escape")
    assert isinstance(person.top, PlayScreen)
    assert (state.depth, state.turn) == (1, 0)
    codes = state.levels.level_choices(state)
    person.types(">").presses("enter")
    assert state.code == codes[0]


def test_the_mouse_chooses_and_the_morgue_lists_the_way():
    person, state = at_the_stairs()
    chosen = state.levels.level_choices(state)[2]
    person.types(">").waits(3)
    label = person.top.choices[2].label
    person.points(label)
    assert state.code == chosen
    state.hero.fighter.hp, state.killed_by = 0, "orc"
    ended(person.types("."))
    text = next(morgue_folder().glob("*.txt")).read_text(encoding="utf-8")
    way = text.partition("The way down\n")[2].splitlines()
    assert way[0].endswith("@80x45")
    assert way[1].split()[0] == "2"
    assert way[1].endswith(f"{chosen}  third on offer")


def test_every_kind_of_level_has_three_arrival_texts_and_the_card_shows_one():
    texts = [text for kind in themes().values() for text in kind.arrival]
    assert len(set(texts)) == len(texts) >= 3 * len(themes())
    assert max(map(len, texts)) <= 72
    person, state = at_the_stairs(columns=80, rows=24)
    person.types(">").types("2")
    assert arrival_text(state.code, state.map.theme) in person.reads()
    said = {arrival_text(code_at(RunSetup(seed, ""), 1), "stone") for seed in range(30)}
    assert said == set(themes()["stone"].arrival)


ENTRY = '[mine]\ndescription = "x"\nextends = "rooms"'


def above_a_level_of_the_user(tmp_path, monkeypatch):
    """Return who stands on stairs to a level of a user recipe, the state, and the recipe's file."""
    monkeypatch.setenv(USER_VARIABLE, str(tmp_path))
    mine = tmp_path / "recipes.toml"
    mine.write_text(ENTRY)
    strata = (Stratum(1, {"rooms.1": 1}), Stratum(2, {"~mine.1": 1}))
    person = playing(RunSetup(3, "3", size=(80, 45), strata=strata))
    state = world_of(person)
    stand_on(person.app.stack[-1].session.run.engine, state.map.exit)
    state.look()
    return person, state, mine


@pytest.mark.parametrize(
    ("edited", "reason"),
    [("", "no generator '~mine'"), ("\nsmallest = [90, 50]", "its smallest size is 90x50")],
)
def test_the_stairs_refuse_levels_of_a_recipe_that_the_user_has_changed(
    tmp_path, monkeypatch, edited, reason
):
    person, state, mine = above_a_level_of_the_user(tmp_path, monkeypatch)
    mine.write_text(ENTRY + edited if edited else "")
    person.types(">")
    assert (state.depth, state.turn) == (1, 0)
    assert reason in person.reads()
    assert safest_choice(state) == 0
    assert action_mask(state).any()


def test_a_run_through_a_recipe_that_the_user_has_changed_ends_with_its_morgue(
    tmp_path, monkeypatch
):
    person, state, mine = above_a_level_of_the_user(tmp_path, monkeypatch)
    person.types(">")
    mine.write_text(f"{ENTRY}\nsmallest = [90, 50]")
    state.hero.fighter.hp, state.killed_by = 0, "orc"
    ended(person.types("."))
    assert "~mine.1:3:2" in next(morgue_folder().glob("*.txt")).read_text(encoding="utf-8")


@pytest.mark.parametrize(("columns", "shown"), [(80, False), (110, False), (128, True)])
def test_beside_each_level_on_offer_lies_a_mosaic_of_its_colours_if_there_is_room(columns, shown):
    person, _ = at_the_stairs(columns=columns, rows=40)
    person.types(">").waits(3).reads()
    half_blocks = person.app.picture().text.ch == ord("▀")
    cells = [half_blocks[rect.cells] for rect, _ in person.top._cells]
    assert [bool(cell.any()) for cell in cells] == [shown] * 3


@pytest.mark.parametrize(("rows", "high"), [(26, 5), (28, 5), (40, 7), (60, 7)])
def test_the_pictures_are_larger_where_all_of_them_fit(rows, high):
    person, _ = at_the_stairs(columns=128, rows=rows)
    person.types(">").waits(3).reads()
    half_blocks = person.app.picture().text.ch == ord("▀")
    for rect, _ in person.top._cells:
        assert rect.y + rect.height < rows
        assert half_blocks[rect.cells].any(axis=1).sum() <= high
    assert (
        max(half_blocks[rect.cells].any(axis=1).sum() for rect, _ in person.top._cells) > high - 2
    )


@pytest.mark.parametrize("rows", range(8, 24, 3))
def test_no_picture_leaves_the_frame_of_a_low_menu(rows):
    person, _ = at_the_stairs(columns=128, rows=rows)
    person.types(">").waits(3)
    for _ in range(3):
        text = person.reads()
        assert re.search("╰─+╯", text)
        keys = next(row for row in text.splitlines() if "Enter or its number: go down" in row)
        assert "▀" not in keys.split("│")[1]
        person.presses("down")
