"""Previews of the levels on offer."""

from collections import Counter

import numpy as np
import pytest

from components.inventory import PlacedItem
from engine.engine import Engine
from engine.levels.dungeon import new_game
from engine.levels.recipe_by_depth import level_choices_at, pinned
from engine.state.game_map import DARK
from engine.state.run_setup import RunSetup
from entities.item_kinds import item_kinds
from entities.light_levels import LIT
from entities.terrain import LOCK_TILES, Tile, openable_mask
from procgen.analysis.distances import distances
from procgen.blueprint import STANDARD_AREA, Point, Spawn
from procgen.build import build
from procgen.level import Level
from procgen.level_code import LevelCode
from render.messages.level_previews import MUCH_GOLD, preview_text


@pytest.mark.parametrize("seed", range(3))
def test_the_text_counts_what_is_on_the_level(seed):
    for code in level_choices_at(pinned(RunSetup(seed, str(seed))), seed, 5 + seed):
        level = build(code)
        text = preview_text(level)
        steps = distances(openable_mask()[level.tiles], *level.start)
        assert f"{steps[level.exit.y, level.exit.x]} steps" in text
        locks = np.isin(level.tiles, LOCK_TILES).sum()
        assert ("one lock," in text, f" {locks} locks," in text) == (locks == 1, locks > 1)
        assert ("a lot of gold" in text) == ((level.tiles == Tile.TREASURE).sum() > MUCH_GOLD)
        game = Engine(new_game(RunSetup(1, "1"), level)).state
        lying = [item_kinds()[one.kind].name for pile in game.map.items.values() for one in pile]
        assert f" {len(lying)} items" in text
        seeds = Counter(sorted(name for name in lying if name.endswith(" seed")))
        numbers = (f"{n} {name}{'s' * (n > 1)}" for name, n in seeds.items())
        assert not seeds or f" items ({', '.join(numbers)})" in text
        kinds = [one.kind for one in game.map.entities.values() if one.ai]
        assert f" {len(kinds)} monsters: " in text


def drawn(way, *, loops=2, counts=(), items=0, light=LIT, **monsters):
    """Return a level of `STANDARD_AREA` with a corridor of ``way`` steps, and what else is said."""
    tiles = np.full((20, STANDARD_AREA // 20), Tile.WALL, np.uint8)
    tiles[1, 1 : way + 2] = Tile.FLOOR
    tiles[4:9, 1 : 4 * loops + 2] = Tile.FLOOR  # With islands of 3 by 3 tiles in it.
    for number in range(loops):
        tiles[5:8, 4 * number + 2 : 4 * number + 5] = Tile.WALL
    rows, place = tiles[11:].reshape(-1), 0
    for tile, count in counts:
        rows[place : place + count], place = tile, place + count
    kinds = [kind for kind, count in monsters.items() for _ in range(count)]
    return Level(
        LevelCode("rooms", 1, 7, 1, tiles.shape[1], tiles.shape[0]),
        "stone",
        tiles,
        (),
        Point(1, 1),
        Point(way + 1, 1),
        tuple(Spawn(kind, x, 4) for x, kind in enumerate(kinds, 1)),
        (),
        (),
        light=light,
        items=tuple(PlacedItem("dagger", x, 8) for x in range(1, items + 1)),
    )


def test_words_follow_from_what_is_drawn():
    plain = drawn(90, goblin=2, jelly=1)
    assert preview_text(plain) == "90 steps to the exit. 3 monsters: 2 goblins, 1 split jelly."
    counts = [(Tile.WATER, 361), (Tile.LAVA, 181), (Tile.TRAP, 6), (Tile.TREASURE, 11)]
    counts.append((Tile.LOCKED_DOOR, 3))
    grim = drawn(140, loops=1, counts=counts, items=3, light=DARK, jelly=4, warlord=1)
    assert preview_text(grim) == (
        "A long way to the exit (140 steps), few ways around, dark, a lot of water, a lot of lava, "
        "many traps, 3 locks, a lot of gold, 3 items. 5 monsters: Old Tusk the warlord, "
        "4 split jellies."
    )
    lone = drawn(1, items=1, orc=1)
    assert preview_text(lone) == "A short way to the exit (1 step), 1 item. 1 monster: 1 orc."
    # Kinds by the danger of all of them together; the rest is small.
    crowd = {"rat": 8, "bat": 4, "goblin": 3, "kobold": 2, "orc": 2, "jackal": 1, "ogre": 1}
    told = "8 cellar rats, 1 ogre, 3 goblins, 4 cave bats, 2 orcs, 2 kobold slingers"
    start = "90 steps to the exit."
    assert preview_text(drawn(90, loops=12, **crowd)) == f"{start} 21 monsters: {told}, 1 jackal."
    more = drawn(90, loops=12, **crowd, shriekcap=2)
    assert preview_text(more) == f"{start} 23 monsters: {told} and 3 others."
    empty = drawn(20, loops=13, counts=[(Tile.LOCKED_DOOR, 1)])
    assert preview_text(empty) == (
        "A short way to the exit (20 steps), many ways around, one lock. No monsters."
    )
