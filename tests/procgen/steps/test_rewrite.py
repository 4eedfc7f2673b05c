"""Rewrite rules do what they say, wherever they lie, and faulty ones are refused by name."""

import re
import shutil
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from entities.data_files import DATA, DataError
from entities.terrain import Tile, terrain
from procgen.analysis.distances import regions
from procgen.blueprint import Blueprint, Point
from procgen.level_code import CodeError, parse_code
from procgen.recipe_parameters import InvalidParameter, parameters_of, parse_value, with_value
from procgen.recipes import find_recipe, recipes
from procgen.rewriting.matcher import Matcher
from procgen.rewriting.rules import FIXED, parse_rule
from procgen.rng import Dice, Rng
from procgen.settings import complete, recipe_for_code
from procgen.steps.rewrite import FIRST_FRAMES, rewrite
from support.blueprints import run
from support.by_definition import count_loops
from support.other_data import read_from
from support.random_recipes import rules as random_rules

MAZE = "floor wall wall -> floor tunnel floor"


def drawn(*rows):
    numbers = {kind.char: tile for tile, kind in enumerate(terrain().kinds)}
    return Blueprint(np.array([[numbers[char] for char in row] for row in rows], np.uint8))


def rewritten(rows, *rules, seed=1, **parameters):
    """Return the rows after a rewrite."""
    plan = drawn(*rows)
    run(rewrite, plan, seed, rules=rules, **parameters)
    return terrain().text(plan.tiles)


def test_one_rule_is_a_perfect_maze():
    for seed in range(6):
        plan = Blueprint.solid(41, 31)
        plan.tiles[15, 21] = Tile.FLOOR
        run(rewrite, plan, seed, rules=(MAZE,))
        assert regions(plan.open)[1] == 1
        assert count_loops(plan.open) == 0
        assert (plan.tiles[1:-1:2, 1:-1:2] == Tile.FLOOR).all()


def brute_force(matcher, texts, fixed, turns, lattice):
    """Return every match there is, found by looking at each cell of each pattern at each place."""
    matcher.write()
    height, width = matcher.tiles.shape
    values = np.where(fixed, matcher.tiles + FIXED, matcher.tiles).tolist()
    views = [rows for one in texts for rows in parse_rule(one).views(turns=turns, mirrors=turns)]
    return {
        (number, x, y)
        for number, rows in enumerate(views)
        for y in range(0, height - len(rows) + 1, lattice)
        for x in range(0, width - len(rows[0]) + 1, lattice)
        if all(
            cell.accepts[values[y + dy][x + dx]]
            for dy, row in enumerate(rows)
            for dx, cell in enumerate(row)
        )
    }


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(random_rules(), st.integers(0, 99), st.booleans(), st.integers(1, 2))
def test_the_listed_matches_are_those_of_a_search_of_the_whole_map(texts, seed, turns, lattice):
    tiles = np.array(Rng(seed).integers(0, 2, 99)).astype(np.uint8).reshape(9, 11)
    fixed = np.ones(tiles.shape, np.bool_)
    fixed[1:-1, 1:-1] = False
    parsed = [parse_rule(text) for text in texts]
    if not parsed:
        return
    matcher = Matcher(
        tiles, fixed, parsed, Dice(Rng(seed)), turns=turns, mirrors=turns, lattice=lattice,
        each=False, field=None, heat=0,
    )  # fmt: skip
    before = tiles.copy()
    for _ in range(30):
        listed = [match for match in matcher.pools[0] if matcher.holds(match)]
        found = {(match // matcher.size, *matcher.place(match)) for match in listed}
        assert len(found) == len(listed)
        assert found == brute_force(matcher, texts, fixed, turns, lattice)
        if not matcher.apply(matcher.draw([0]), times=1):
            break
    matcher.write()
    assert (tiles[fixed] == before[fixed]).all()
    assert int(tiles.max()) < FIXED


ROOM = ("#######", "#.....#", "#######")


def test_one_all_and_parallel_differ_in_what_they_do_at_a_time():
    rule = ". . -> : same".replace(".", "floor").replace(":", "rubble")
    right = {"turns": False, "mirrors": False}
    assert rewritten(ROOM, rule, times=1, **right)[1].count(":") == 1
    assert rewritten(ROOM, rule, mode="parallel", times=1, **right)[1] == "#::::.#"
    halves = {rewritten(ROOM, "floor*2 -> rubble*2", mode="all", seed=s)[1] for s in range(9)}
    assert halves > {"#::::.#", "#.::::#"}
    assert {row.count(":") for row in halves} == {4}


def test_with_a_chance_a_parallel_round_rewrites_about_that_share():
    plan = Blueprint.solid(60, 60)
    run(rewrite, plan, rules=("wall -> floor",), mode="parallel", times=1, chance=0.3)
    assert 0.25 < (plan.tiles == Tile.FLOOR).sum() / 58**2 < 0.35


def test_the_order_says_which_rule_comes_first():
    both = ("floor -> grass", "floor -> sand")
    assert set(rewritten(ROOM, *both)[1]) == {"#", '"', "`"}
    assert rewritten(ROOM, *both, order="first")[1] == '#"""""#'
    turn = rewritten(ROOM, "floor -> grass", "grass -> sand", order="turn", times=2)[1]
    assert (turn.count("`"), turn.count(".")) == (2, 3)
    again = rewritten(ROOM, "floor -> grass", "grass -> sand", order="turn", times=2, loops=2)[1]
    assert (again.count("`"), again.count(".")) == (4, 1)


def test_rules_lie_in_every_direction_unless_told_otherwise():
    cross = ("#####", "##.##", "#.:.#", "##.##", "#####")
    rule = "rubble floor -> same grass"
    assert "".join(rewritten(cross, rule)).count('"') == 4
    assert "".join(rewritten(cross, rule, turns=False)).count('"') == 2
    assert "".join(rewritten(cross, rule, mirrors=False)).count('"') == 4
    alone = rewritten(cross, rule, turns=False, mirrors=False)
    assert alone[2] == '#.:"#'


def test_words_for_many_tiles_and_repetition():
    rows = ("######", "#.,:~#", "######")
    assert rewritten(rows, "ground -> grass")[1] == '#"""~#'
    assert rewritten(rows, "solid -> grass")[1] == '#.,:"#'
    assert rewritten(rows, "floor|rubble -> grass")[1] == '#","~#'
    assert rewritten(("#####", "#.#~#"), "any wall any -> same rubble same")[1] == "#.#~#"
    assert rewritten(("#####", "#.#~#", "#####"), "any wall any -> same sand same")[1] == "#.`~#"
    assert rewritten(ROOM, "floor*5 -> same*2 sand same*2")[1] == "#..`..#"
    block = ("#####", "#...#", "#...#", "#####")
    assert (
        rewritten(block, "floor*2 *2 -> sand*2 / grass*2", times=1, turns=False)[1].count("`") == 2
    )
    assert (
        parse_rule("floor*2 *2 -> sand*2 *2").rows
        == parse_rule("floor floor / floor floor -> sand sand / sand sand").rows
    )


def test_a_pull_leads_the_head_of_a_river_round_what_it_avoids():
    valley = (
        "##########",
        '#:"""^"""#',
        '#""""^""`#',
        '#""""""""#',
        "##########",
    )  # fmt: skip
    rules = ("rubble sand -> water*2", "rubble grass -> water rubble")
    course = rewritten(valley, *rules, order="first", pull=("sand",), avoid=("mountain",))
    assert "".join(course).count("~") == 11
    assert "~" in course[3][5]
    lost = rewritten(valley, *rules, order="first", pull=("lava",))
    assert "~" in "".join(lost)


def test_on_a_lattice_rules_begin_only_in_every_so_many_columns_and_rows():
    plan = Blueprint.solid(21, 17)
    run(rewrite, plan, rules=("wall -> floor",), lattice=4)
    ys, xs = np.nonzero(plan.tiles == Tile.FLOOR)
    assert set(ys % 4) == set(xs % 4) == {0}
    assert len(ys) == 4 * 3


def test_the_newest_match_first_digs_longer_corridors():
    def branches(newest):
        plan = Blueprint.solid(41, 41)
        plan.tiles[21, 21] = Tile.FLOOR
        run(rewrite, plan, rules=(MAZE,), newest=newest)
        floor = plan.open[1:-1, 1:-1].astype(int)
        near = floor[:-2, 1:-1] + floor[2:, 1:-1] + floor[1:-1, :-2] + floor[1:-1, 2:]
        return int(((near > 2) & (floor[1:-1, 1:-1] > 0)).sum())

    assert branches(1.0) < branches(0.0) / 2


def test_it_ends_after_so_many_times_or_with_its_share_or_at_last_anyhow():
    assert rewritten(ROOM, "floor -> sand", times=3)[1].count("`") == 3
    assert rewritten(ROOM, "floor -> sand", share=0.1)[1].count("`") == 2
    plan = Blueprint.solid(20, 15)
    endless = ("wall -> floor", "floor -> wall")
    assert run(rewrite, plan, rules=endless, mode="parallel")
    assert run(rewrite, plan, rules=endless)
    run(rewrite, plan, rules=("wall -> floor",), mode="parallel", chance=0.0)


def test_the_border_and_whoever_stands_somewhere_stay():
    plan = drawn(*ROOM)
    plan.start, plan.exit = Point(1, 1), Point(3, 1)
    run(rewrite, plan, rules=("wall|floor -> water",))
    assert terrain().text(plan.tiles) == ["#######", "#.~.~~#", "#######"]
    run(rewrite, plan, rules=("floor water -> same sand", "wall water -> same sand"))
    assert terrain().text(plan.tiles)[1] == "#.`.``#"


def test_captions_tell_the_rule_one_by_one_at_first_then_in_groups():
    plan = Blueprint.solid(60, 40)
    plan.tiles[21, 21] = Tile.FLOOR
    seen, captions = [plan.tiles.copy()], []
    for caption in rewrite(plan, Rng(1), rules=(MAZE,)):
        captions.append(caption)
        seen.append(plan.tiles.copy())
    assert all(re.fullmatch(rf"{MAZE}, at \d+, \d+", one) for one in captions[: FIRST_FRAMES - 1])
    assert re.fullmatch(rf"{MAZE}, and \d+ more", captions[-1])
    changes = [int((one != other).sum()) for one, other in pairwise(seen)]
    assert set(changes[: FIRST_FRAMES - 1]) == {2}
    assert 40 < len(captions) < sum(changes) / 4


FAULTS = {
    "floor wal -> floor floor": "there is no tile 'wal' (do you mean wall?)",
    "floor wall floor": "a rule is a pattern, -> and what it becomes",
    "floor wall -> floor": "the pattern has 2 by 1 tiles, what it becomes 1 by 1",
    "floor / wall wall -> floor / wall wall": "row 2 has 2 tiles, the first has 1",
    "floor -> floor": "at least one tile must become what it cannot have been before",
    "floor|wall*2 -> wall*2": "at least one tile must become what it cannot have been before",
    "floor -> key": "a tile can become one tile that steps paint with, not 'key'",
    "floor -> grass|sand": "a tile can become one tile that steps paint with",
    "same -> floor": "there is no tile 'same'",
    "wall*33 -> floor*33": "'wall*33' repeats a tile 33 times",
    "wall*20 wall*20 -> floor*20 floor*20": "a pattern has at most 32 by 32 tiles",
    "/ wall -> / floor": "a row has no tiles",
}


@pytest.mark.parametrize(("text", "reason"), FAULTS.items())
def test_a_faulty_rule_is_refused_and_says_why(text, reason):
    with pytest.raises(ValueError, match=re.escape(reason)) as fault:
        parse_rule(text)
    assert str(fault.value).startswith(f"rules: {text!r}: ")


def test_a_faulty_rule_of_a_recipe_is_named_by_file_recipe_and_rule(tmp_path):
    folder = tmp_path / "data"
    shutil.copytree(DATA, folder)
    file = folder / "recipes.toml"
    text = file.read_text(encoding="utf-8").replace(MAZE, "floor wal -> floor floor")
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as fault:
        read_from(folder, recipes)
    assert str(fault.value) == (
        "data/recipes.toml: [one_rule_maze]: rewrite#2: rules: 'floor wal -> floor floor': "
        "there is no tile 'wal' (do you mean wall?)"
    )


def test_rules_are_set_like_other_parameters_and_stand_in_the_code():
    recipe = find_recipe("one_rule_maze")
    parameter = next(one for one in parameters_of(recipe)[::-1] if one.name == "rules")
    typed = parse_value(parameter, "floor wall wall -> floor sand floor, sand -> grass")
    changed = with_value(recipe, parameter, typed)
    assert changed.steps[1].parameters.rules[1] == "sand -> grass"
    with pytest.raises(InvalidParameter, match="there is no tile 'wal'"):
        with_value(recipe, parameter, parse_value(parameter, "floor wal -> floor floor"))
    setting = "rewrite#2.rules=floor.wall.wall.->.floor.sand.floor,sand.->.grass"
    code = complete(parse_code(f"one_rule_maze;{setting}:7"))
    assert code.settings == (setting,)
    assert recipe_for_code(code).steps == changed.steps
    with pytest.raises(CodeError, match="'wal -> floor': there is no tile 'wal'"):
        complete(parse_code("one_rule_maze;rewrite.rules=wal.->.floor:7"))
