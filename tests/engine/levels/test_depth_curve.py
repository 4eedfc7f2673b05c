"""The monsters of the depths of an adventure get stronger from depth to depth, without a peak."""

from statistics import mean

from engine.creatures.levelling import experience_value
from engine.levels.recipe_by_depth import code_at
from engine.monsters.initial_monsters import initial_monsters
from engine.state.run_setup import RunSetup
from entities.creature_kinds import creature_kinds
from procgen.build import build


def strength_of(depth, seeds=range(12)):
    """Return the mean experience that the monsters of a level are worth, bosses left out."""
    levels = [build(code_at(RunSetup(seed, str(seed)), depth)) for seed in seeds]
    found = [[monster.kind for monster in initial_monsters(level)] for level in levels]
    common = [[kind for kind in kinds if not creature_kinds()[kind].lair] for kinds in found]
    return mean(sum(map(experience_value, kinds)) for kinds in common)


def test_depth_eleven_is_harder_than_ten_and_easier_than_twelve():
    assert strength_of(10) < strength_of(11) < strength_of(12)
