"""A creature added to the data moves nothing but creatures."""

import shutil
import subprocess
import sys

import pytest

from support.paths import ROOT
from support.sampling import sampled

PACKAGES = ("components", "entities", "procgen", "data")
NEW_KIND = """
[gravel_hound]
name = "gravel hound"
glyph = "h"
color = "beast"
hp = 8
power = 3
defense = 1
sight = 6
behaviour = "hunter"
spawn_weight = { "1" = 60 }
text = "It lives in a test."

[gravel_hound.traits]
pack = [1, 3]
"""
SHAPES = """
import sys
sys.path.insert(0, sys.argv[1])
from hashlib import blake2b
from procgen.build import build
from procgen.recipes import current_recipes
for recipe in current_recipes():
    for seed in range(int(sys.argv[2])):
        size = tuple(map(max, zip((40, 30), recipe.smallest)))
        level = build(recipe.code(seed, 1 + 2 * seed, size))
        shape = (level.tiles.tobytes(), level.rooms, level.start, level.exit, level.steps)
        kinds = {spawn.kind for spawn in level.spawns}
        print(level.code, blake2b(repr(shape).encode()).hexdigest(), "gravel_hound" in kinds)
"""


def shapes(folder, seeds):
    """Return (code, digest of the shape, whether the new kind lives there) of many levels."""
    printed = subprocess.run(
        [sys.executable, "-c", SHAPES, str(folder), str(seeds)],
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    return [line.split() for line in printed.splitlines()]


@pytest.mark.parametrize("seeds", sampled([1, 4], 2))
def test_a_new_creature_moves_no_tile_of_any_recipe(tmp_path, seeds):
    for package in PACKAGES:
        ignored = shutil.ignore_patterns("__pycache__", "font")
        shutil.copytree(ROOT / package, tmp_path / package, ignore=ignored)
    was = shapes(tmp_path, seeds)
    with (tmp_path / "data" / "creatures.toml").open("a", encoding="utf-8") as kinds:
        kinds.write(NEW_KIND)
    now = shapes(tmp_path, seeds)
    assert [row[:2] for row in was] == [row[:2] for row in now]
    assert {row[2] for row in was} == {"False"}
    assert sum(row[2] == "True" for row in now) > len(now) // 2
