"""Pictures with words on them: a card leaves nobody out and runs over no edge."""

from collections import Counter

import pytest

from entities.creature_kinds import creature_kinds
from procgen.build import build
from procgen.level_code import parse_code
from procgen.settings import complete
from render.tiles.glyphs import creature_tile
from workbench.images.level_card import LIST_GAP, creature_rows


@pytest.mark.parametrize("code", ["mondrian:3:4", "city:3:9", "walk:3@20x60"])
@pytest.mark.parametrize("width", [430, 1100])
def test_a_card_names_everyone_who_lives_there_within_its_width(code, width):
    level = build(complete(parse_code(code)))
    rows = creature_rows(level, width)
    count = Counter(spawn.kind for spawn in level.spawns)
    named = [(kind.look, kind.words) for row in rows for kind in row]
    assert named == [
        (creature_tile(name), f" {kind.name}" + f" ×{count[name]}" * (count[name] > 1))
        for name, kind in creature_kinds().items()
        if count[name]
    ]
    for row in rows:
        assert sum(kind.width + LIST_GAP for kind in row) - LIST_GAP <= width
