"""A user folder with something of every kind in it."""

from main import main

RECIPES = """
[trench]
description = "A cave with a straight corridor."
theme = "~dusk"
steps = [
  { step = "scatter_rock", rock = 0.45 },
  { step = "cellular_automaton", rounds = 5, birth = 5, survive = 4 },
  { step = "join_regions" },
  { step = "start_and_exit_apart" },
  { step = "midway", width = 2 },
]

[pillars]
description = "Drawn after a sample of my own."
steps = [
  { step = "wave_function_collapse", sample_map = "~posts" },
  { step = "join_regions" },
  { step = "start_and_exit_apart" },
]

[cells]
description = "Vaults of my own."
steps = [
  { step = "vault_dungeon", tags = ["~", "plain"], plain = 0.5 },
  { step = "start_and_exit_apart" },
]

[open_digger]
description = "Our digger without its loops."
extends = "digger"
change = { loops = { at_most = 0 } }

[wide_digger]
description = "The same, with fewer rooms."
extends = "~open_digger"
change = { attach_rooms = { rooms = 9 } }
"""

OVERLAYS = """
[misty]
description = "Moss and dim light."
palette = "~dusk"
light = "dark"
spawn_weights = { bat = { "1" = 500 } }
steps = [{ step = "scatter", tile = "moss", on = ["floor", "tunnel"], share = 0.4 }]

[crossed]
description = "A corridor from side to side."
steps = [{ step = "midway", width = 2 }]

[dark]
description = "Not ours."
steps = []
"""

STEP = '''
from seedhollow import Tile, step

@step(needs="floor")
def midway(plan, rng, *, width: int = 1):
    """Dig a corridor ``width`` tiles wide."""
    middle = plan.height // 2
    plan.tiles[middle : middle + width, 1:-1] = Tile.FLOOR
    yield "A corridor"
'''

ROWS = ["#............#", "#..O...O..O..#"]
SAMPLE = "\n".join(["#" * 14, *ROWS * 4, ROWS[0], "#" * 14])

VAULT = """
[quiet nook]
tags: holy
map:
##@##
#...#
@.%.@
#...#
##@##
"""


def printed(capsys, *arguments):
    """Run a command that succeeds; return what it prints."""
    assert main([str(argument) for argument in arguments]) == 0
    return capsys.readouterr().out
