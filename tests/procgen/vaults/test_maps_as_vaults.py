"""Maps of files as vaults: what is cut off, where their exits are, and where they stand."""

import pytest

from entities.data_files import DataError
from procgen.vaults.vault_parser import EXIT, LONGEST_SIDE, vaults_in


def vault_of(tmp_path, drawing):
    path = tmp_path / "cell.txt"
    path.write_text("\n".join(line.strip() for line in drawing.strip().splitlines()) + "\n")
    (found,) = vaults_in(path, "cell.txt")
    return found


def rows(vault):
    return ["".join(map(chr, row)) for row in vault.grid.tolist()]


def test_rock_around_a_map_is_cut_off_but_for_its_walls(tmp_path):
    vault = vault_of(
        tmp_path,
        """
        #########
        #########
        ###....##
        ###....##
        #########
        #########
        #########
    """,
    )
    assert vault.grid.shape == (4, 6)
    assert vault.left == 2
    assert vault.header.place == "rock"
    assert vault.header.tags == ("cell",)


@pytest.mark.parametrize(
    ("wide", "high", "exits"),
    [
        (3, 3, {(2, 0), (2, 4), (0, 2), (4, 2)}),
        (5, 3, {(3, 0), (3, 4), (0, 2), (6, 2)}),
        (5, 1, {(3, 0), (3, 2), (0, 1), (6, 1)}),
        (4, 2, {(2, 0), (2, 3), (0, 1), (5, 1)}),
    ],
)
def test_a_closed_map_has_an_exit_in_the_middle_of_each_side(tmp_path, wide, high, exits):
    side = "#" * (wide + 2)
    vault = vault_of(tmp_path, "\n".join([side, *["#" + "." * wide + "#"] * high, side]))
    found = {(x, y) for y, row in enumerate(rows(vault)) for x, char in enumerate(row)
             if char == EXIT}  # fmt: skip
    assert found == exits


def test_an_exit_has_floor_behind_it(tmp_path):
    vault = vault_of(
        tmp_path,
        """
        #######
        #.#.###
        #.#.###
        #...#.#
        #######
    """,
    )
    drawn = rows(vault)
    for y, row in enumerate(drawn):
        for x, char in enumerate(row):
            if char == EXIT:
                near = [drawn[y + dy][x + dx] for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0))
                        if 0 <= y + dy < len(drawn) and 0 <= x + dx < len(row)]  # fmt: skip
                assert "." in near
    assert drawn[0][3] == EXIT, "as near to the middle as there is floor"
    assert drawn[0][2] == "#"


@pytest.mark.parametrize(("door", "char"), [("+", "+"), (".", ".")])
def test_open_tiles_on_the_outline_are_exits_and_become_what_most_were(tmp_path, door, char):
    vault = vault_of(
        tmp_path,
        f"""
        #####
        #...{door}
        #...#
        #...{door}
        ##{"." if door != "." else "+"}##
    """,
    )
    found = [(x, y) for y, row in enumerate(rows(vault)) for x, one in enumerate(row)
             if one == EXIT]  # fmt: skip
    assert found == [(4, 1), (4, 3), (2, 4)]
    assert vault.header.exits == char
    assert vault.header.place == "rock"


@pytest.mark.parametrize(("gaps", "place"), [(7, "rock"), (8, "rock"), (9, "open")])
def test_a_map_with_more_than_half_its_outline_open_stands_in_the_open(tmp_path, gaps, place):
    """The outline of five by five tiles has sixteen."""
    outline = [(x, 0) for x in range(5)] + [(4, y) for y in range(1, 5)]
    outline += [(x, 4) for x in range(3, -1, -1)] + [(0, y) for y in range(3, 0, -1)]
    drawing = [["#"] * 5 for _ in range(5)]
    for x, y in [*outline[:gaps], *((x, y) for x in (1, 2, 3) for y in (1, 2, 3))]:
        drawing[y][x] = "."
    vault = vault_of(tmp_path, "\n".join(map("".join, drawing)))
    assert vault.header.place == place
    assert any(EXIT in row for row in rows(vault)) == (place == "rock")


def test_what_is_no_vault_is_named(tmp_path):
    with pytest.raises(DataError, match="has no floor"):
        vault_of(tmp_path, "####\n####\n####")
    long = "#" + "." * (LONGEST_SIDE - 1) + "#"
    wall = "#" * len(long)
    with pytest.raises(DataError, match=f"at most {LONGEST_SIDE} tiles"):
        vault_of(tmp_path, f"{wall}\n{long}\n{wall}")
    assert vault_of(tmp_path, f"{wall[1:]}\n{long[0]}{long[2:]}\n{wall[1:]}")
