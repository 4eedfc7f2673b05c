"""Items lie on tiles, but what everybody looks for is drawn over them."""

import pytest
from tcod.console import Console

from entities.terrain import OPENERS, Tile
from render.map.map_view import draw_items, draw_world
from render.map.viewport import Viewport
from support.items import lay
from support.scenes import ROOM, scene


@pytest.mark.parametrize("tile", [Tile.FLOOR, Tile.GRASS, Tile.RELIC, *OPENERS])
def test_no_item_hides_the_first_seed_a_key_or_a_mechanism(tile):
    engine = scene(ROOM)
    engine.state.map.set_tile(3, 2, tile)
    engine.state.look()
    console = Console(engine.state.map.width, engine.state.map.height)
    draw_world(console, engine.state, Viewport())
    bare = int(console.ch[2, 3])
    lay(engine, "mapping_scroll", 3, 2)
    draw_items(console, engine.state, Viewport())
    assert (int(console.ch[2, 3]) == bare) is (tile in (Tile.RELIC, *OPENERS))
