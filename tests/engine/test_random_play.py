"""Random actions among monsters, traps, keys and floods: what holds after every turn."""

import random

import pytest

from components import AiState
from engine.bots.discrete_actions import COUNT, game_action
from engine.engine import Engine
from engine.levels.dungeon import new_game
from engine.saves.digests import state_digest
from engine.saves.saved_state import load_state, pack_state, save_state, unpack_state
from engine.state.actions import Refused, Use
from engine.state.game_map import ROW
from engine.state.run_setup import RunSetup
from entities.creature_kinds import HERO, creature_kinds, make_creature
from entities.item_kinds import item_kinds
from entities.statuses import status_kinds
from entities.terrain import TILE_NAMES, Tile, terrain
from procgen.analysis.distances import DIRECTIONS
from support.items import give

TURNS = 60
GENERATORS = ["caves+burning", "rooms+flooded", "keep+at_war", "mission+overgrown", "wilds"]
TAKEN = (Tile.KEY, Tile.TREASURE, Tile.LEVER)
"""Tiles that are gone once the hero stands on them."""
SCATTERED = (
    *TAKEN,
    Tile.KEY,
    Tile.TRAP,
    Tile.GRATING,
    Tile.SHRINE,
    Tile.WATER,
    Tile.LAVA,
    Tile.EMBERS,
)


def crowded(generator, rng):
    """Return a new game whose hero carries all sorts of items, among monsters and odd tiles."""
    state = new_game(RunSetup(rng.randrange(10**6), "", generator=generator))
    hero, game_map = state.hero, state.map
    for kind in rng.sample(list(item_kinds()), 18):
        give(Engine(state), kind, charges=item_kinds()[kind].charges[1])
    for kind in rng.sample([kind for kind in creature_kinds() if kind != HERO], 6):
        monster = make_creature(kind, state.new_id(), *game_map.nearest_free(hero.x, hero.y))
        monster.ai.state, monster.ai.state_turns_left = AiState.HUNTING, 20
        game_map.add_entity(monster)
    for _ in range(40):
        x, y = hero.x + rng.randint(-6, 6), hero.y + rng.randint(-6, 6)
        free = 0 < x < game_map.width - 1 and 0 < y < game_map.height - 1
        free = free and not game_map.is_blocked(x, y)
        if free and (x, y) not in (game_map.start, game_map.exit, *game_map.items):
            game_map.set_tile(x, y, rng.choice(SCATTERED))
    hero.fighter.hp = hero.fighter.max_hp = 500
    hero.statuses = dict.fromkeys(rng.sample(list(status_kinds()), 2), 9)
    return state


def check(state):
    """Assert what holds after every turn."""
    game_map, hero = state.map, state.hero
    entities = game_map.entities.values()
    assert game_map.places == {one.y * ROW + one.x: one for one in entities}
    for one in entities:
        hovers = "levitating" in one.statuses or not one.alive
        assert game_map.walkable[one.y, one.x] or hovers, TILE_NAMES[game_map.tiles[one.y, one.x]]
        assert one is hero or one.alive
        assert 0 <= one.fighter.hp <= one.fighter.max_hp
        assert all(turns > 0 for turns in one.statuses.values())
        assert one.ai is None or one.ai.stolen_gold >= 0
    items = [item for one in entities for item in one.inventory]
    items += [item for pile in game_map.items.values() for item in pile]
    assert len({item.id for item in items}) == len(items)
    assert len({item.letter for item in hero.inventory} - {""}) == len(hero.inventory)
    assert (game_map.walkable == terrain().walkable[game_map.tiles]).all()
    assert not hero.alive or game_map.tiles[hero.y, hero.x] not in TAKEN


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 6))]
)
@pytest.mark.parametrize("generator", GENERATORS)
def test_nothing_impossible_comes_of_random_actions_and_they_can_be_replayed(generator, seed):
    rng = random.Random(f"{generator} {seed}")
    state = crowded(generator, rng)
    begun, done = pack_state(save_state(state)), []
    engine = Engine(state)
    for _ in range(TURNS):
        hero = state.hero
        action = game_action(state, rng.randrange(COUNT), rng.choice(DIRECTIONS))
        if hero.inventory and rng.random() < 0.3:
            target = max(0, hero.x + rng.randint(-4, 4)), max(0, hero.y + rng.randint(-4, 4))
            action = Use(rng.choice(hero.inventory).id, target)
        before = state_digest(state)
        if action is None or not hero.alive:
            continue
        if isinstance(engine.step(action), Refused):
            assert state_digest(state) == before
        else:
            check(state)
            done.append((action, state_digest(state)))
    again = load_state(state.setup, unpack_state(pack_state(save_state(state))))
    assert state_digest(again) == state_digest(state)
    replay = Engine(load_state(state.setup, unpack_state(begun)))
    for action, digest in done:
        assert not isinstance(replay.step(action), Refused)
        assert state_digest(replay.state) == digest
