"""Gardens, halls and shrines lie as their rules say: pictures of what a room of a size becomes."""

from contextlib import suppress

import pytest

from procgen.analysis.chokepoints import structure_of
from procgen.blueprint import Blueprint, RectangularRoom, Rejected
from procgen.placement.room_sites import find_sites
from procgen.placement.safe_placement import FreeFloor
from procgen.rng import Rng
from procgen.steps.room_types import hall, shrine
from support.blueprints import drawn, run, text, with_rooms

PLOTS = ("lawns", "ponds", "orchards", "courts", "labyrinths")


def plot(kind, width, height):
    """Return a garden plot of that size and one kind, without a hedge, as words of text."""
    plan = Blueprint.solid(width + 6, height + 6)
    plan.leaves = [RectangularRoom(2, 2, width + 2, height + 2)]
    with suppress(Rejected):  # A pond alone has no place to stand.
        run("garden_plots", plan, hedged=0.0, **dict.fromkeys(PLOTS, 0) | {kind: 1})
    return " ".join(row[3 : 3 + width] for row in text(plan).split()[3 : 3 + height])


@pytest.mark.parametrize(
    ("kind", "shows"),
    [
        ("ponds", '""""""""" ""--~--"" "-~~~~~-" "-~~~~~-" "-~~~~~-" ""--~--"" """""""""'),
        ("ponds", '"""""" "-~~-" "~~~~" "-~~-" """"""'),
        ("ponds", '""""" "-~-" "~~~" "-~-" """""'),
        ("orchards", '""""""" "T"T"T" """"""" "T"T"T" """""""'),
        ("courts", "......... .O..O..O. ......... ....&.... ......... .O..O..O. ........."),
        ("courts", "...... ...... ...&.. ...... ......"),
        ("courts", "........ .O....O. ........ ....&... ........ .O....O. ........"),
        ("courts", "....... ....... ....... ...&... ....... ......."),
        ("courts", ".... .... .... .... ...."),
    ],
)
def test_a_garden_plot_is_laid_out_by_its_kind(kind, shows):
    rows = shows.split()
    assert plot(kind, len(rows[0]), len(rows)) == shows


ROW = "." * 9


def furnished(furnish, rows):
    """Return the ways in which a room as large as ``rows`` is furnished, as words of text."""
    width, height = len(rows[0]), len(rows)
    walls = ["#" * (width + 4), "#<+" + "." * width + "#"]
    walls += ["###" + "." * width + "#"] * (height - 1) + ["#" * (width + 4)]
    found = set()
    for seed in range(6):
        plan = drawn("\n".join(walls))
        (site,) = find_sites(plan, structure_of(plan), Rng(0, "sites"), least=9, most=300)
        furnish(FreeFloor(plan), site, Rng(seed, "furniture"))
        found.add(" ".join(row[3:-1] for row in text(plan).split()[1:-1]))
    return found


@pytest.mark.parametrize(
    ("furnish", "shows"),
    [
        (shrine, "......... ..&...&.. ...ccc... ...c|c... ...ccc... ..&...&.. ........."),
        (hall, "........ .O.OO.O. .cccccc. .cccccc. .O.OO.O. ........"),
        (hall, "....... .O.c.O. ...c... .O.c.O. ...c... .O.c.O. ...c... .O.c.O. ......."),
        (hall, f"{ROW} {ROW} .O.O.O.O. {ROW} .ccccccc. {ROW} .O.O.O.O. {ROW} {ROW}"),
    ],
)
def test_a_room_is_furnished_by_its_type(furnish, shows):
    assert shows in furnished(furnish, shows.split())


@pytest.mark.parametrize(
    ("spacing", "shows"),
    [
        (2, "........... .O.O.O.O.O. ..ccccccc.. ..ccccccc.. .O.O.O.O.O. ..........."),
        (2, "..... .O.O. ..c.. .O.O. ....."),
        (2, "............ ............ ..cccccccc.. ............ ............"),
        (4, "....... .O...O. ..ccc.. .O...O. ......."),
        (2, "..... .O.O. ..c.. .OcO. ..c.. .O.O. ....."),
    ],
)
def test_pillars_stand_as_far_from_both_ends_of_a_room(spacing, shows):
    rows = shows.split()
    plan = with_rooms((1, 1, len(rows[0]), len(rows)), size=(len(rows[0]) + 2, len(rows) + 2))
    run("colonnades", plan, share=1.0, carpets=1.0, spacing=spacing)
    assert " ".join(row[1:-1] for row in text(plan).split()[1:-1]) == shows
