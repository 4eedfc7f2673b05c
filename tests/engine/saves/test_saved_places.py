"""What lies on the outermost tiles of a saved level comes back; one tile further it is refused."""

import pytest
from msgspec.structs import replace

from components.inventory import Item
from engine.levels import stored_levels
from engine.levels.stored_levels import unpack_level
from engine.saves.saved_state import load_state, pack_state, save_state, unpack_state
from engine.state.actions import Descend
from engine.state.compression import InvalidSave
from entities.creature_kinds import make_creature
from entities.terrain import Tile
from support.stairs import adventure, take, written

WIDTH, HEIGHT = 44, 28
CORNERS = [(0, 0), (WIDTH - 1, 0), (0, HEIGHT - 1), (WIDTH - 1, HEIGHT - 1)]
BEYOND = [(-1, 0), (0, -1), (WIDTH, HEIGHT - 1), (WIDTH - 1, HEIGHT), (0, HEIGHT)]


def deep_state():
    """Return the state of a hero on depth 2 with a stored level at depth 1."""
    engine = adventure(size=(WIDTH, HEIGHT))
    take(engine, Descend())
    engine.state.next_id = 2000
    return engine.state


def here(state, change):
    """Return ``state`` written out, with ``change`` made to the level that the hero is on."""
    saved = save_state(state)
    return replace(saved, **change(saved))


def above(state, change):
    """Return ``state`` written out, with ``change`` made to the level stored above."""
    level = unpack_level(state.stored_levels[1])
    level = replace(level, **change(level))
    return replace(save_state(state), stored_levels={1: written(level)})


def creature(x, y):
    return lambda saved: {"entities": [*saved.entities, make_creature("rat", 1000, x, y)]}


def item(x, y):
    return lambda saved: {"items": [*saved.items, (x, y, [Item(1001, "net")])]}


def tile(x, y):
    return lambda saved: {"changes": {**saved.changes, y * WIDTH + x: Tile.RUBBLE}}


def fire(x, y):
    return lambda saved: {"fires": {y * WIDTH + x: 3}}


def loaded(state, saved):
    return load_state(state.setup, unpack_state(pack_state(saved)))


@pytest.mark.parametrize("put", [creature, item, tile, fire])
@pytest.mark.parametrize("where", [here, above])
def test_all_that_is_on_the_map_comes_back_and_nothing_beyond_it(where, put):
    state = deep_state()
    for corner in CORNERS:
        saved = where(state, put(*corner))
        assert pack_state(save_state(loaded(state, saved))) == pack_state(saved)
    for x, y in BEYOND:
        if put not in (tile, fire) or not 0 <= y * WIDTH + x < WIDTH * HEIGHT:
            with pytest.raises(InvalidSave, match=r"off (the|its) map"):
                loaded(state, where(state, put(x, y)))


def laden(items):
    """Return a creature that carries so many ``items``."""
    rat = make_creature("rat", 1000, 0, 0)
    rat.inventory = [Item(1001 + number, "net") for number in range(items)]
    return rat


@pytest.mark.parametrize(
    ("contents", "number"),
    [
        ({"entities": [make_creature("rat", 1000 + n, n, 0) for n in range(7)]}, 7),
        ({"entities": [laden(6)]}, 7),
        ({"changes": dict.fromkeys(range(7), Tile.RUBBLE)}, 7),
        ({"items": [(n, 0, [Item(1001, "net")] * 2) for n in range(3)]}, 9),
    ],
    ids=["creatures", "inventories", "tiles", "piles"],
)
def test_every_kind_of_thing_counts_towards_what_may_be_stored(contents, number, monkeypatch):
    state = deep_state()
    level = {"entities": [], "changes": {}, "items": []} | contents
    saved, owners = above(state, lambda _: level), state.map.entities.values()
    number += len(owners) + sum(len(owner.inventory) for owner in owners)
    number += sum(1 + len(pile) for *_, pile in state.map.piles()) + len(state.map.changes)
    monkeypatch.setattr(stored_levels, "MOST_IN_ALL", number)
    loaded(state, saved)
    monkeypatch.setattr(stored_levels, "MOST_IN_ALL", number - 1)
    with pytest.raises(InvalidSave, match="too much is stored"):
        loaded(state, saved)
