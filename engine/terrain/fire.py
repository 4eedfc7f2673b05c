"""Fire: it hurts creatures, spreads over flammable terrain, burns scrolls and goes out."""

from engine.creatures.health import apply_damage
from engine.creatures.status_effects import apply_status
from engine.state.events import Burnt, Emit
from engine.state.game_map import GameMap
from engine.state.game_state import GameState
from engine.state.identification import item_ref
from entities.entity import Entity
from entities.equipment import worn_abilities
from entities.item_kinds import item_kinds
from entities.terrain import Tile, terrain
from procgen.analysis.distances import DIRECTIONS
from procgen.blueprint import Point

FLASH_TURNS, FUEL_TURNS = 2, 4
"""Turns that a fire lasts on bare ground, and on flammable terrain."""
SPREAD_CHANCE = 0.45
"""The chance per turn that a fire spreads to a given flammable neighbour."""
FIRE_DAMAGE = 2
"""Hit points lost per turn in a fire, in addition to the burning status."""
BURNING_TURNS = 4
"""Turns of the burning status after contact with fire."""
PAPER = "scroll"
"""The item class that burns."""
FIREPROOF_TILES = (Tile.WATER, Tile.SHALLOWS, Tile.ICE, Tile.LAVA, Tile.BRIDGE)


def ignite(game_map: GameMap, place: Point, turns: int = FLASH_TURNS) -> None:
    """Set ``place`` on fire for at least ``turns`` turns, if it can burn or be walked on."""
    tile = int(game_map.tiles[place.y, place.x])
    if tile in FIREPROOF_TILES or not (terrain().walkable[tile] or tile in terrain().burnt):
        return
    turns = max(turns, FUEL_TURNS) if tile in terrain().burnt else turns
    game_map.fires[place] = max(turns, game_map.fires.get(place, 0))


def burn_creature(
    state: GameState, creature: Entity, damage: int, emit: Emit, by: Entity | None = None
) -> None:
    """Burn ``creature`` for ``damage``; it goes on burning unless it is on `FIREPROOF_TILES`."""
    if "fireproof" in worn_abilities(creature):
        return
    apply_damage(state, creature, damage, "fire", emit, by)
    if creature.alive and state.map.tiles[creature.y, creature.x] not in FIREPROOF_TILES:
        apply_status(creature, "burning", BURNING_TURNS, emit)


def spread_fires(state: GameState, emit: Emit) -> None:
    """Advance every fire of the level by a turn."""
    game_map = state.map
    for place in list(game_map.fires):
        creature = game_map.entity_at(*place)
        if creature and "levitating" not in creature.statuses:
            burn_creature(state, creature, FIRE_DAMAGE, emit)
        for item in list(game_map.items_at(*place)):
            if item_kinds()[item.kind].item_class == PAPER:
                game_map.remove_item(item, *place)
                emit(Burnt(item_ref(state, item), Point(*place)))
        _spread(state, Point(*place))
        game_map.fires[place] -= 1
        if game_map.fires[place] <= 0:
            del game_map.fires[place]
            remains = terrain().burnt.get(int(game_map.tiles[place[::-1]]))
            if remains is not None:
                game_map.set_tile(*place, remains)


def _spread(state: GameState, place: Point) -> None:
    game_map, chance = state.map, state.stream("fire").chance
    for dx, dy in DIRECTIONS:
        x, y = place.x + dx, place.y + dy
        inside = 0 < x < game_map.width - 1 and 0 < y < game_map.height - 1  # The border is closed.
        if not inside or (x, y) in game_map.fires:
            continue
        if int(game_map.tiles[y, x]) in terrain().burnt and chance(SPREAD_CHANCE):
            ignite(game_map, Point(x, y))
