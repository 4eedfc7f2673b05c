"""The public interface: what docs/library.md says, and that it says everything."""

import ast
import doctest
import json
import pickle
import re
import subprocess
import sys
from copy import deepcopy

import numpy as np
import pytest

import seedhollow
from engine.levels.dungeon import new_game
from engine.levels.recipe_by_depth import pinned
from engine.state.run_setup import RunSetup
from entities.creature_kinds import HERO
from main import main as cli
from procgen.level_code import parse_code, parse_seed
from procgen.recipes import current_recipes
from procgen.settings import complete
from support.command_line import PLAIN
from support.paths import ROOT

PAGE = ROOT / "docs" / "library.md"


@pytest.mark.parametrize("page", [PAGE, ROOT / "docs" / "tutorial.md"], ids=lambda page: page.name)
def test_the_page_s_examples_give_what_it_says(page, monkeypatch, own_home):
    monkeypatch.setattr(sys, "path", [*sys.path])  # The tutorial adds a folder.
    found = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert (found.failed, found.attempted > 20) == (0, True)
    assert not own_home.exists(), "a reader's own runs and options are left alone"


def test_the_page_the_stub_and_the_module_have_the_same_names():
    stub = ast.parse((ROOT / "seedhollow.pyi").read_text(encoding="utf-8"))
    (listed,) = (node.value for node in stub.body if isinstance(node, ast.Assign))
    assert sorted(ast.literal_eval(listed)) == dir(seedhollow) == sorted(seedhollow.__all__)
    told = set(re.findall(r"seedhollow\.(\w+)", PAGE.read_text(encoding="utf-8")))
    assert told == set(dir(seedhollow))
    for name in dir(seedhollow):
        assert getattr(seedhollow, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = seedhollow.nothing


def test_the_tables_of_learning_agents_need_no_gymnasium():
    words = (
        "import sys; sys.modules['gymnasium'] = None; from seedhollow import *; print(*WALKABLE)"
    )
    done = subprocess.run(
        [sys.executable, "-c", words], check=True, capture_output=True, text=True, cwd=ROOT
    )
    walkable = dict(zip(seedhollow.TILES, done.stdout.split(), strict=True))
    asked = ("unknown", "wall", "floor", "door", "locked_door", "stairs down")
    assert [walkable[name] for name in asked] == ["False", "False", "True", "True", "False", "True"]
    seen = dict(zip(seedhollow.TILES, seedhollow.TRANSPARENT, strict=True))
    assert [seen[name] for name in ("wall", "water", "door", "stairs up")] == [0, 1, 0, 1]


def test_the_page_names_everything_that_a_level_has():
    has = {name for name in vars(seedhollow.GeneratedLevel) if not name.startswith("_")}
    told = set(re.findall(r"level\.(\w+)", PAGE.read_text(encoding="utf-8")))
    assert has == told & has
    assert has


def test_a_step_s_stream_of_random_numbers_has_every_method_that_the_page_names():
    (told,) = re.findall(r"`rng` is a (.*?)\n- ", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names = re.findall(r"`(\w+)\(", told)
    assert len(names) == 8
    assert all(callable(getattr(seedhollow.Rng, name)) for name in names)


@pytest.mark.parametrize("recipe", current_recipes(), ids=lambda recipe: recipe.name)
def test_rooms_that_meet_form_a_graph_in_one_piece(recipe):
    level = seedhollow.level(f"{recipe.name}:5")
    linked, fresh = {0}, {0}
    while fresh:
        near = {b for link in level.graph for a, b in (link[:2], link[1::-1]) if a in fresh}
        fresh = near - linked
        linked |= fresh
    inside = [number for number, room in enumerate(level.rooms) if level.walkable[room.inner].any()]
    assert set(inside) <= linked or not level.rooms
    assert all(link.start < link.end and link.steps > 0 for link in level.graph)


def test_a_library_level_is_the_level_of_the_command_line():
    level = seedhollow.level("vaulted:9", settings=["vault_dungeon.loops=0"])
    assert level.code == str(complete(parse_code("vaulted;vault_dungeon.loops=0:9")))
    assert str(level).count("<") == str(level).count(">") == 1
    for array in (level.tiles, level.walkable, level.transparent):
        assert not array.flags.writeable
    assert level.items == seedhollow.level(level.code).items
    assert np.array_equal(list(level.steps())[-1].tiles, level.tiles)


@pytest.mark.parametrize("code", ["canals:757006506:4", "digger:3:6", "grotto:3:8"])
def test_the_creatures_of_a_level_are_those_that_a_run_begins_with(code):
    name, seed, depth = code.split(":")
    world = new_game(pinned(RunSetup(int(seed), seed, generator=name, depth=int(depth))))
    level = seedhollow.level(world.map.name)
    here = {(one.kind, one.x, one.y) for one in world.map.entities.values()}
    assert here - {(HERO, *level.start)} == set(level.creatures)


@pytest.mark.parametrize("form", ["json", "npz"])
def test_a_level_by_its_code_is_exported_as_one_of_many(form):
    (one,) = seedhollow.levels("caves", [7], size=(40, 25))
    assert seedhollow.level(one.code).export(form) == one.export(form)


def test_what_is_available_is_what_list_prints(capsys):
    found = seedhollow.available()
    for words, key in ([], "generators"), (["--steps"], "steps"):
        assert cli(["list", "--json", *words]) == 0
        assert found[key] == json.loads(capsys.readouterr().out)
    kinds = {monster.kind for monster in seedhollow.level("keep:7").creatures}
    assert kinds < found["creatures"].keys()
    assert {item.kind for item in seedhollow.level("keep:7").items} < found["items"].keys()
    assert found["metrics"] == [*seedhollow.level("walk:1@30x20").metrics()]


def test_a_level_file_is_a_level(tmp_path):
    level = seedhollow.level("rooms:7@40x25")
    (tmp_path / "rooms.tmj").write_bytes(level.export("tmj", name="rooms.tmj")["rooms.tmj"])
    read = seedhollow.from_file(tmp_path / "rooms.tmj")
    assert (str(read), read.rooms, read.creatures) == (str(level), level.rooms, level.creatures)
    assert (read.start, read.exit, read.metrics()) == (level.start, level.exit, level.metrics())
    assert "map rooms.tmj --format json" in json.loads(read.export("json")[""])["command"]
    with pytest.raises(RuntimeError, match="is a level from a file"):
        next(read.steps())
    with pytest.raises(ValueError, match="gif shows how a level grows, which no level file says"):
        read.export("gif")
    (tmp_path / "odd.txt").write_text("####\n#¤.#\n####")
    for name, words in (("odd.txt", "no tile is drawn as"), ("none.txt", "cannot be read")):
        with pytest.raises(ValueError, match=words):
            seedhollow.from_file(str(tmp_path / name))
    with pytest.raises(ValueError, match="is not a level file"):
        seedhollow.from_file("keep:7")
    with pytest.raises(TypeError, match="a path must be text or a Path, not 3"):
        seedhollow.from_file(3)


def test_a_window_without_stairs_has_no_exit():
    windows = (seedhollow.level(f"wilds:{seed}@1,1@10x10") for seed in range(42, 60))
    window = next(window for window in windows if window.exit is None)
    assert window.metrics()["path"] is None


def test_searching_gives_the_same_with_more_processes():
    few = list(seedhollow.find("floor > 0", "walk", range(6), size=(30, 20)))
    assert len(few) == 6
    assert list(seedhollow.find("floor > 0", "walk", range(6), size=(30, 20), workers=2)) == few
    numbers = (number for number in ("0", 3, np.uint64(1)))  # Not a sequence, and not all numbers.
    some = list(seedhollow.find("floor > 0", "walk", numbers, size=(30, 20)))
    assert some == [few[0], few[3], few[1]]


UNGUARDED = """
import multiprocessing, seedhollow
multiprocessing.set_start_method("spawn", force=True)
print(*seedhollow.find("floor > 0", "walk", range(200), size=(30, 20), workers=2))
"""


def test_a_script_that_starts_workers_without_its_guard_is_told_so(tmp_path):
    (tmp_path / "script.py").write_text(UNGUARDED)
    words, here = [sys.executable, str(tmp_path / "script.py")], {**PLAIN, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, check=False, capture_output=True, text=True, env=here, timeout=60)
    said = [line for line in done.stderr.splitlines() if "resource_tracker" not in line]
    assert 'needs if __name__ == "__main__":' in said[-1]


def test_levels_that_cannot_be_built_are_told_in_the_end():
    found = seedhollow.find("floor > 0", "caves", range(2), settings=["scatter_rock.rock=0.9"])
    with pytest.raises(RuntimeError, match="all 64 attempts were rejected"):
        next(found)


def test_settings_may_follow_a_generator_as_on_the_command_line():
    whole, more = "caves;lakes.number=0;scatter_rock.rock=0.4", {"size": (40, 30)}
    (level,) = seedhollow.levels(whole, [3], **more)
    ((code, _),) = seedhollow.find("floor > 0", whole, [3], **more)
    assert level.code == code == "caves.1;scatter_rock.rock=0.4;lakes.number=0:3:1@40x30"
    (level,) = seedhollow.levels("caves;lakes.number=0", [3], settings=["lakes.number=9"], **more)
    assert level.code == "caves.1;lakes.number=9:3:1@40x30"
    with pytest.raises(ValueError, match="there is no generator 'nope'"):
        seedhollow.levels("nope;lakes.number=0", [3])


def test_a_seed_may_be_text_or_a_number_of_numpy():
    text, number = seedhollow.levels("walk", ["hi", np.int64(7)], size=(30, 20))
    assert text.code == f"walk.1:{parse_seed('hi')}:1@30x20"
    assert number.code == "walk.1:7:1@30x20"
    chain = [{"step": "scatter_rock"}, {"step": "join_regions"}, {"step": "start_and_exit_apart"}]
    assert f":{parse_seed('abc')}:" in seedhollow.from_steps(chain, seed="abc").code


def test_numbers_of_numpy_are_numbers_as_those_of_python():
    sizes, (plain,) = np.array([60, 40]), seedhollow.levels("caves", [7], depth=2, size=(60, 40))
    (same,) = seedhollow.levels("caves", [np.int64(7)], depth=np.int64(2), size=tuple(sizes))
    assert same.code == plain.code == "caves.1:7:2@60x40"
    hits = seedhollow.find("floor > 0", "caves", [7], size=tuple(sizes), workers=np.int8(1))
    assert [code for code, _ in hits] == ["caves.1:7:1@60x40"]
    moss = {"step": "scatter", "tile": "moss", "share": np.float64(0.3)}
    chain = [{"step": "random_walk", "steps": np.int64(300)}, moss]
    assert seedhollow.from_steps(chain).tiles.any()


def test_places_and_sizes_in_numbers_of_numpy_can_be_measured_and_written():
    @seedhollow.step(gives="floor start exit")
    def box(plan, rng):
        """Dig a box with a room, an exit and a monster at the far end."""
        plan.tiles[2:9, 2:30] = seedhollow.Tile.FLOOR
        y, x = np.argwhere(plan.tiles == seedhollow.Tile.FLOOR)[-1]
        plan.start, plan.exit = seedhollow.Point(np.int64(2), np.int8(2)), seedhollow.Point(x, y)
        plan.spawns.append(seedhollow.Spawn("orc", x - 3, y))
        plan.rooms.append(seedhollow.RectangularRoom(np.int64(2), 2, 28, np.int64(7)))
        yield "A box"

    level = seedhollow.from_steps([{"step": box}])
    assert level.metrics()["path"] == 27
    for form in ("json", "jsonl", "npz", "tmj", "ldtk"):
        assert level.export(form, name="box")["box"]


def test_a_copy_of_a_level_is_read_only_as_the_level_is():
    level = seedhollow.level("caves:7@60x40")
    assert level.walkable.any()
    for copy in (deepcopy(level), pickle.loads(pickle.dumps(level))):
        for array in (copy.tiles, copy.walkable, copy.transparent):
            assert not array.flags.writeable
        assert str(copy) == str(level)


@pytest.mark.parametrize("weights", [{"a": 0.3, "b": 0.7}, {"a": 1.5, "b": 1.5}, {"a": 0.5}])
def test_weights_that_are_no_whole_numbers_are_refused(weights):
    with pytest.raises(TypeError, match="'float' object"):
        seedhollow.Rng(1).weighted(weights)
