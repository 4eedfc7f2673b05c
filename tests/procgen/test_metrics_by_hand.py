"""Metrics of maps small enough to count by hand."""

from dataclasses import replace

import numpy as np
import pytest

from entities.terrain import Tile
from procgen.blueprint import Point, RectangularRoom
from procgen.level import Level
from procgen.level_code import LevelCode
from procgen.metrics import measure
from support.scenes import level_of

TILES = {"#": Tile.WALL, ".": Tile.FLOOR, "s": Tile.SECRET_DOOR, "]": Tile.LOCKED_DOOR}
TILES |= {"?": Tile.KEY, "~": Tile.WATER, "=": Tile.BRIDGE, "+": Tile.DOOR, "$": Tile.TREASURE}


def level(text, rooms=()):
    """Return the level of a drawn map; its start is '<', its exit '>'."""
    rows = text.split()
    tiles = np.array([[TILES.get(char, Tile.FLOOR) for char in row] for row in rows], np.uint8)
    place = {c: Point(r.index(c), y) for y, r in enumerate(rows) for c in "<>" if c in r}
    code = LevelCode("drawn", 1, 0, 1, len(rows[0]), len(rows))
    return Level(code, "stone", tiles, tuple(rooms), place["<"], place[">"], (), (), ())


def test_two_rooms_and_a_corridor_counted_by_hand():
    metrics = measure(
        level(
            """
            ###########
            #<..###...#
            #.........#
            #...###..>#
            ###########
            """,
            [RectangularRoom(1, 1, 3, 3), RectangularRoom(7, 1, 3, 3)],
        )
    )
    assert metrics.floor == 21 / 55
    assert metrics.rooms == 2
    assert metrics.path == 8
    assert metrics.detour == 1.0
    assert metrics.loops == 0
    assert metrics.dead_ends == 0
    # The three corridor tiles, and the two tiles of the rooms that they lean on.
    assert metrics.chokepoints == 5
    assert metrics.largest_cut == 3 + 9
    assert metrics.openness == (19 * 1 + 2 * 2) / 21
    assert metrics.room_scale == 0.0


def test_a_ring_with_a_spur_counted_by_hand():
    metrics = measure(
        level("""
            #########
            #<....###
            #.###.###
            #.###...#
            #.###.###
            #....>###
            #########
        """)
    )
    assert metrics.floor == 18 / 63
    assert metrics.rooms == 0
    assert metrics.path == 7
    assert metrics.detour == 7 / 4
    assert metrics.loops == 1
    assert metrics.dead_ends == 1
    assert metrics.chokepoints == 2
    assert metrics.largest_cut == 2
    assert metrics.openness == 1.0


def test_chokepoints_are_those_of_the_piece_with_the_start_and_dead_ends_those_of_all():
    metrics = measure(level("########\n#<.>####\n########\n#......#\n########"))
    assert (metrics.chokepoints, metrics.largest_cut, metrics.dead_ends) == (1, 1, 4)


def test_values_of_metrics_that_a_level_does_not_have():
    """The page of the Workbench and the docstring of `Metrics` name them."""
    walled_off, unlocked = level("#####\n#<#>#\n#####"), level("<.>")
    assert measure(walled_off).path == 2**31 - 1
    assert measure(unlocked).openness == -1
    for name in ("room_scale", "key_distance", "backtracking", "darkness"):
        assert getattr(measure(unlocked), name) == 0
    endless = measure(replace(unlocked, has_exit=False))
    assert (endless.path, endless.detour) == (0, 0)


@pytest.mark.parametrize("door", ["s", "]"])
def test_a_door_one_may_find_or_unlock_is_open_but_for_the_path(door):
    drawing = """
        #######
        #<...>#
        #.###.#
        #.....#
        #######
    """
    hidden = measure(level(drawing.replace("<...>", f"<.{door}.>")))
    assert hidden.path == 6
    assert (hidden.loops, hidden.pillars) == (0, 1)
    assert measure(level(drawing)).path == 4


def test_unequal_rooms_have_a_scale_and_equal_ones_none():
    drawing = "##### #<.># #####".replace(" ", "\n")
    rooms = [RectangularRoom(1, 1, 1, 1), RectangularRoom(3, 1, 1, 3)]
    assert measure(level(drawing, rooms)).room_scale == 0.5
    same = [RectangularRoom(1, 1, 3, 4), RectangularRoom(9, 9, 4, 3)]
    assert measure(level(drawing, same)).room_scale == 0.0
    assert measure(level(drawing, same[:1])).room_scale == 0.0


def test_a_pillar_makes_no_loop_and_an_island_of_nine_tiles_does():
    metrics = measure(
        level("""
            #############
            #<..........#
            #.#.###.###.#
            #...###.##..#
            #.#.###.....#
            #..........>#
            #############
        """)
    )
    assert (metrics.loops, metrics.pillars) == (1, 3)


def test_the_walk_to_a_key_and_back_is_counted():
    metrics = measure(
        level("""
            ###########
            #?..<.].$>#
            ###########
        """)
    )
    # Three steps to the key; to the lock five, of which three lead back; then three to the exit.
    assert metrics.backtracking == 3 / 11
    assert metrics.key_distance == 5
    assert (metrics.locks, metrics.doors, metrics.treasure) == (1, 1, 1)
    assert measure(level("##### #<.># #####".replace(" ", "\n"))).backtracking == 0


def test_an_exit_across_the_water_is_seen_before_it_is_reached():
    drawing = """
        ####################
        #<...~...>.........#
        #.################.#
        #.################.#
        #..................#
        ####################
    """
    assert measure(level(drawing)).foreshadowed_goals == 1
    assert measure(level(drawing)).water == 1 / 120
    bridged = measure(level(drawing.replace("~", "=")))
    assert (bridged.foreshadowed_goals, bridged.bridges, bridged.water) == (0, 1, 0.0)
    assert measure(level(drawing.replace("~", "#"))).foreshadowed_goals == 0


def test_only_a_dark_level_has_darkness():
    drawn = level("##### #<.># #####".replace(" ", "\n"))
    assert measure(drawn).darkness == 0
    dark = replace(drawn, light="dark")
    assert measure(dark).darkness == 1


def test_the_share_of_dark_tiles_is_of_those_that_can_be_walked():
    rows = "####### #<...># #######"
    dark = replace(level(rows), light="dark")
    assert measure(dark).darkness == 1.0
    assert measure(level(rows)).darkness == 0.0
    dark.tiles[1, 2] = Tile.MOSS
    assert 0.0 <= measure(replace(dark)).darkness < 1.0
    alone = replace(level("##### #<>## #####"), light="dark")
    alone.tiles[1, 2] = Tile.WALL
    assert measure(replace(alone, exit=alone.start, has_exit=False)).darkness == 1.0


@pytest.mark.parametrize("edge", [(2, 0), (2, 4), (0, 2), (5, 2)])
def test_what_touches_the_edge_of_the_map_is_no_pillar(edge):
    rows = [list("......") for _ in range(5)]
    rows[2][3] = "#"
    rows[4][5] = "@"
    assert measure(level_of("\n".join(map("".join, rows)))).pillars == 1
    rows[edge[1]][edge[0]] = "#"
    if abs(edge[0] - 3) > 1 or abs(edge[1] - 2) > 1:
        assert measure(level_of("\n".join(map("".join, rows)))).pillars == 1
    rows[2][3] = "."
    assert measure(level_of("\n".join(map("".join, rows)))).pillars == 0


@pytest.mark.parametrize("text", ["##### #<.># #####", "###### #<..># #....# ######"])
def test_open_tiles_are_no_pillar_however_few(text):
    metrics = measure(level(text))
    assert (metrics.pillars, metrics.loops) == (0, 0)
