"""Chains for steps and choices that no recipe makes, so that they have golden levels as well."""

import tomllib
from functools import cache

from procgen.recipes import Recipe
from procgen.step_chain import whole_chain

SMALLEST = (20, 15)
ENDS = '{ step = "start_and_exit_apart" }, { step = "monsters_by_density" }'
CAVE = """
  { step = "scatter_rock", rock = 0.5 },
  { step = "cellular_automaton", rounds = 4, survive = 4 },
  { step = "fill_small_regions" },
"""
CHAINS = f"""
spare_cuts = [
  {{ step = "mondrian_partition", min_width = 8, min_height = 6, axis = "alternate",
    stop = "count", leaves = 9, order = "depth_first" }},
  {{ step = "loose_rooms_in_leaves" }},
  {{ step = "cheapest_tunnels", bends = 24 }},
  {ENDS},
]
spare_ways = [
  {{ step = "grow_maze", texture = "minimum_tree" }},
  {{ step = "remove_dead_ends", share = 0.5 }},
  {{ step = "start_and_exit_apart" }},
  {{ step = "lairs_in_dead_ends", least = 6 }},
]
spare_vaults = [
  {{ step = "mondrian_partition", min_width = 9, min_height = 9, axis = "random",
    stop = "sides" }},
  {{ step = "loose_rooms_in_leaves" }},
  {{ step = "join_adjacent_leaves" }},
  {{ step = "decorate_rooms" }},
  {{ step = "place_vaults", count = 4 }},
  {ENDS},
]
spare_walls = [
  {{ step = "mondrian_partition", min_width = 9, min_height = 7 }},
  {{ step = "loose_rooms_in_leaves" }},
  {{ step = "join_adjacent_leaves" }},
  {{ step = "pools_in_rooms", share = 0.5, smallest = 4, largest = 8 }},
  {{ step = "wall_off" }},
  {ENDS},
]
spare_clearings = [
  {{ step = "scatter_rock", rock = 0.6 }},
  {{ step = "cellular_automaton", rounds = 3, birth = 9, survive = 4, outside = "open" }},
  {{ step = "join_regions" }},
  {{ step = "place_vaults", outdoors = true }},
  {ENDS},
]
spare_squares = [
  {{ step = "voronoi_cells", metric = "chebyshev", area = 60 }},
  {{ step = "chambers_in_regions", least = 12 }},
  {{ step = "pierce_walls" }},
  {{ step = "join_regions" }},
  {ENDS},
]
spare_halves = [{CAVE}
  {{ step = "join_regions" }},
  {{ step = "symmetry", axis = "horizontal" }},
  {ENDS},
]
spare_turns = [{CAVE}
  {{ step = "join_regions" }},
  {{ step = "symmetry", axis = "rotate" }},
  {ENDS},
]
spare_quarters = [{CAVE}
  {{ step = "join_regions" }},
  {{ step = "symmetry", axis = "both" }},
  {ENDS},
]
spare_rules = [
  {{ step = "rewrite", rules = ["wall -> floor"], mode = "parallel", chance = 0.35, times = 1 }},
  {{ step = "rewrite", rules = ["floor wall floor -> same floor same",
    "wall*3 / wall floor wall -> same*3 / same wall same"], mode = "all", order = "turn",
    loops = 2, times = 1 }},
  {{ step = "rewrite", rules = ["wall wall floor -> tunnel tunnel floor"], mirrors = false,
    pull = ["floor"], avoid = ["tunnel"], heat = 4, share = 0.05 }},
  {{ step = "rewrite", rules = ["floor floor wall -> floor rubble wall"], turns = false,
    lattice = 3, newest = 1.0, times = 40 }},
  {{ step = "fill_small_regions" }},
  {{ step = "join_regions" }},
  {ENDS},
]
spare_waves = [
  {{ step = "wave_function_collapse", sample_map = "chambers", turns = false, mirrors = false,
    foothold = 9, restarts = 3 }},
  {{ step = "fill_small_regions" }},
  {{ step = "join_by_passages" }},
  {{ step = "wave_function_collapse", sample_map = "ossuary", keep = "shape",
    otherwise = "leave" }},
  {{ step = "require_floor" }},
  {ENDS},
]
"""


@cache
def spares() -> dict[str, Recipe]:
    """Return the chains as recipes, by name."""
    # TOML 1.0 wants an inline table on one line.
    text = CHAINS.replace(",\n    ", ", ")
    return {
        name: Recipe(name, 1, "", "stone", SMALLEST, SMALLEST, whole_chain(tuple(steps), name))
        for name, steps in tomllib.loads(text).items()
    }
