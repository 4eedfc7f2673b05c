"""A recipe that extends another: what it takes over and what it says itself."""

import pytest

from entities.data_files import DataError
from procgen.level_overlays import OverlayKind, _overlay
from procgen.recipe_entries import RecipeEntry, root_recipe, step_labels, whole_entry
from procgen.recipes import _recipe, recipes
from support.other_data import read_from

STEPS = ({"step": "rooms", "least": 3}, {"step": "doors"}, {"step": "doors", "chance": 0.5})
PARENT = RecipeEntry("P.", theme="stone", size=(60, 40), smallest=(20, 15), steps=STEPS)


def whole(entry, **others):
    return whole_entry(entry, {"parent": PARENT, **others}, "here")


def test_what_is_not_said_is_taken_over_and_what_is_said_holds():
    plain = whole(RecipeEntry("C.", extends="parent"))
    assert (plain.theme, plain.size, plain.smallest) == ("stone", (60, 40), (20, 15))
    assert (plain.description, plain.steps) == ("C.", STEPS)
    own = whole(RecipeEntry("C.", theme="ice", size=(9, 8), smallest=(7, 6), extends="parent"))
    assert (own.theme, own.size, own.smallest) == ("ice", (9, 8), (7, 6))
    child = RecipeEntry("C.", theme="ice", extends="parent", change={"doors#2": {"chance": 1.0}})
    grown = whole(RecipeEntry("G.", extends="child"), child=child)
    assert grown.theme == "ice"
    assert grown.steps == (*STEPS[:2], {"step": "doors", "chance": 1.0})
    assert whole(PARENT) is PARENT


@pytest.mark.parametrize(
    ("extends", "change", "fault"),
    [
        ("nobody", {}, "extends: there is no 'nobody'; there are "),
        ("parrent", {}, "extends: there is no 'parrent' .do you mean parent"),
        ("parent", {"doors#3": {}}, "change: there is no 'doors#3' .do you mean doors"),
        ("ring", {}, "'ring' extends itself"),
    ],
)
def test_what_extends_nothing_or_itself_or_changes_no_step_is_refused(extends, change, fault):
    ring = RecipeEntry("R.", extends="ring")
    with pytest.raises(DataError, match=fault):
        whole(RecipeEntry("C.", extends=extends, change=change), ring=ring)


def test_a_change_is_to_a_step_as_it_is_numbered_after_the_edits():
    added = RecipeEntry("C.", extends="parent", edits=("doors#9=rooms",), change={"doors#9": {}})
    with pytest.raises(DataError, match=r"there is no 'doors#9' .do you mean doors#[23]"):
        whole(added)


@pytest.mark.parametrize(
    ("edits", "change", "fault"),
    [
        (("doors=off", "doors=off"), {}, "edits: there is no step 'doors', which an edit moves"),
        (("rooms=rooms",), {}, "edits: rooms cannot go after 'rooms', which an edit moves"),
        (("doors#2=off",), {"doors#2": {}}, "change: there is no 'doors#2', which an edit"),
        (("door=off",), {}, "edits: there is no step 'door' .do you mean doors"),
    ],
)
def test_a_step_that_an_edit_removed_is_not_taken_for_a_misspelt_one(edits, change, fault):
    with pytest.raises(DataError, match=fault):
        whole(RecipeEntry("C.", extends="parent", edits=edits, change=change))


@pytest.mark.parametrize("base", ["wilds", "flooded", "rooms+flooded"])
def test_an_overlay_or_an_infinite_world_cannot_be_extended(base, tmp_path):
    (tmp_path / "recipes.toml").write_text(f'[odd]\ndescription = ""\nextends = "{base}"\n')
    with pytest.raises(DataError, match="extends: an overlay or infinite world cannot be extended"):
        read_from(tmp_path, recipes)


@pytest.mark.parametrize("edit", ["", "doors", "doors=", "=first", "=off"])
def test_an_edit_without_a_step_or_a_place_is_refused_as_such(edit):
    added = RecipeEntry("C.", extends="parent", edits=(edit,))
    with pytest.raises(DataError, match=f"edits: '{edit}' is not STEP=AFTER, STEP=first or STEP="):
        whole(added)


def test_a_recipe_can_extend_others_fifty_deep_and_no_deeper():
    line = {f"r{n}": RecipeEntry("R.", extends=f"r{n - 1}") for n in range(1, 3001)}
    line["r0"] = PARENT
    assert whole(line["r50"], **line).steps == STEPS
    for deep in (51, 3000):
        with pytest.raises(DataError, match="extends: a chain of more than 50 recipes"):
            whole(line[f"r{deep}"], **line)


def test_what_would_be_ignored_is_refused():
    with pytest.raises(DataError, match="edits and change need a recipe"):
        whole(RecipeEntry("C.", steps=STEPS, change={"doors": {"chance": 1.0}}))
    with pytest.raises(DataError, match="edits and change need a recipe"):
        whole(RecipeEntry("C.", steps=STEPS, edits=("doors=off",)))
    with pytest.raises(DataError, match="steps: an entry that extends"):
        whole(RecipeEntry("C.", steps=STEPS, extends="parent"))


def test_a_step_is_labelled_by_its_name_and_its_number_from_the_second_on():
    assert step_labels(step["step"] for step in STEPS) == ["rooms", "doors", "doors#2"]
    assert step_labels(["rooms", "doors", "doors", "doors"]) == [
        "rooms",
        "doors",
        "doors#2",
        "doors#3",
    ]


def test_an_own_recipe_has_the_streams_of_the_one_it_extends_in_the_end():
    entries = {
        "~mine": RecipeEntry("M.", extends="~other"),
        "~other": RecipeEntry("O.", extends="rooms.1"),
        "~new": RecipeEntry("N."),
    }
    assert [root_recipe(name, entries) for name in ("~mine", "~other", "~new", "rooms")] == [
        "rooms", "rooms", "new", "",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("smallest", "size"), [((20, 15), (80, 45)), ((100, 20), (100, 45)), ((20, 60), (80, 60))]
)
def test_a_recipe_that_names_no_size_is_as_large_as_it_must_be(tmp_path, smallest, size):
    steps = ["scatter_rock", "start_and_exit_apart"]
    written = ", ".join(f'{{ step = "{name}" }}' for name in steps)
    entry = f'[wide]\ndescription = "W."\ntheme = "moss"\nsmallest = {[*smallest]}\n'
    (tmp_path / "recipes.toml").write_text(f"{entry}steps = [{written}]\n")
    code = read_from(tmp_path, recipes)["wide"].code(7)
    assert (code.width, code.height) == size


def test_the_version_in_the_name_of_an_entry_is_that_in_the_entry():
    entry = RecipeEntry("P.", version=1, theme="stone", steps=STEPS)
    with pytest.raises(DataError, match="here: version: the name says 2, the entry 1"):
        _recipe("odd.2", {"odd.2": entry}, "here", {})
    kind = OverlayKind("P.", (), version=1)
    with pytest.raises(DataError, match="here: version: the name says 2, the entry 1"):
        _overlay("odd.2", {"odd.2": kind}, "here", {})
    assert _overlay("odd.1", {"odd.1": kind}, "here", {}).name == "odd"


@pytest.mark.parametrize(
    ("smallest", "size", "fault"),
    [
        ((2, 15), None, "must be at least 3x3"),
        ((20, 2), None, "must be at least 3x3"),
        ((20, 15), (19, 15), "size: is below the smallest, 20x15"),
        ((20, 15), (20, 14), "size: is below the smallest, 20x15"),
    ],
)
def test_a_size_that_no_level_can_have_is_refused(smallest, size, fault):
    entry = RecipeEntry("P.", theme="stone", smallest=smallest, size=size, steps=STEPS)
    with pytest.raises(DataError, match=fault):
        _recipe("odd", {"odd": entry}, "here", {})
