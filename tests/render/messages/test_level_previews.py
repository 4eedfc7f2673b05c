"""Previews of the levels on offer."""

from collections import Counter

import numpy as np
import pytest

from engine.engine import Engine
from engine.levels.dungeon import new_game
from engine.levels.recipe_by_depth import level_choices_at, pinned
from engine.state.run_setup import RunSetup
from entities.item_kinds import item_kinds
from entities.terrain import LOCK_TILES, Tile, openable_mask
from procgen.analysis.distances import distances
from procgen.build import build
from render.messages.level_previews import level_preview, preview_text


@pytest.mark.parametrize("seed", range(3))
def test_figures_are_those_of_the_level(seed):
    for code in level_choices_at(pinned(RunSetup(seed, str(seed))), seed, 5 + seed):
        level = build(code)
        preview = level_preview(level)
        steps = distances(openable_mask()[level.tiles], *level.start)
        assert preview.way == steps[level.exit.y, level.exit.x]
        assert preview.locks == np.isin(level.tiles, LOCK_TILES).sum()
        assert preview.gold == (level.tiles == Tile.TREASURE).sum()
        game = Engine(new_game(RunSetup(1, "1"), level)).state
        assert preview.items == sum(map(len, game.map.items.values())) > 0
        lying = [item_kinds()[one.kind].name for pile in game.map.items.values() for one in pile]
        assert preview.seeds == sorted(name for name in lying if name.endswith(" seed"))
        numbers = (f"{n} {name}{'s' * (n > 1)}" for name, n in Counter(preview.seeds).items())
        assert not preview.seeds or f" ({', '.join(numbers)})" in preview_text(preview)
        kinds = [one.kind for one in game.map.entities.values() if one.ai]
        assert preview.monsters == {kind: kinds.count(kind) for kind in kinds}
