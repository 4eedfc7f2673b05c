"""A level as characters: what the hero knows of it."""

import numpy as np

from engine.world import World
from entities.kinds import creatures
from entities.terrain import Tile, terrain


def map_text(world: World) -> list[str]:
    """Return the part of the map that the hero knows, a string a row, who is in view on it."""
    game_map = world.map
    tiles = np.where(game_map.tiles == Tile.SECRET_DOOR, Tile.WALL, game_map.tiles)
    rows = [list(row) for row in terrain().text(tiles.astype(np.uint8))]
    for y, x in np.argwhere(~game_map.explored).tolist():
        rows[y][x] = " "
    for place, char in ((game_map.start, "<"), (game_map.exit, ">")):
        if game_map.explored[place.y, place.x]:
            rows[place.y][place.x] = char
    for creature in game_map.entities.values():
        if game_map.seen[creature.y, creature.x]:
            rows[creature.y][creature.x] = creatures()[creature.kind].glyph
    rows[world.hero.y][world.hero.x] = creatures()[world.hero.kind].glyph
    known = ["".join(row).rstrip() for row in rows]
    filled = [n for n, row in enumerate(known) if row]
    known = known[min(filled) : max(filled) + 1]
    margin = min(len(row) - len(row.lstrip()) for row in known if row)
    return [row[margin:] for row in known]
