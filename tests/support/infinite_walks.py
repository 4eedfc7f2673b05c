"""Wandering over worlds without an edge."""

from itertools import pairwise

import numpy as np

from engine.engine import Engine
from engine.levels.dungeon import new_game
from engine.levels.recipe_by_depth import pinned
from engine.pathfinding.known_paths import path_downhill
from engine.state.actions import Move, Refused, Visit, Wait
from engine.state.events import Shifted
from engine.state.run_setup import Mode, RunSetup
from procgen.analysis.distances import distances
from procgen.blueprint import Point

SETUP = pinned(RunSetup(42, "42", Mode.ADVENTURE, "wilds"))
BY_THE_BORDER = "wilds:42@250,130"


def tough(state):
    """Let the hero live through anything."""
    state.hero.fighter.hp = state.hero.fighter.max_hp = 10**5


def by_the_border():
    """Return a game in the wilds beside the border of loaded chunks, with a hero who cannot die."""
    engine = Engine(new_game(SETUP))
    engine.step(Visit(BY_THE_BORDER))
    tough(engine.state)
    return engine


def eastward(state, reach=90):
    """Return the steps of a way to the east, as moves."""
    hero, game_map = state.hero, state.map
    box = np.s_[hero.y - reach : hero.y + reach + 1, hero.x - reach : hero.x + reach + 1]
    ground = game_map.walkable[box]
    column = distances(ground, reach, reach)[:, -1]
    field = distances(ground, 2 * reach, int(column.argmin()))
    way = [Point(reach, reach), *path_downhill(field, reach, reach)]
    return [Move(b.x - a.x, b.y - a.y) for a, b in pairwise(way)]


def go(act, state, moves):
    """Make ``moves``, waiting where somebody is in the way; return all events."""
    events = []
    for move in moves:
        target = state.hero.x + move.dx, state.hero.y + move.dy
        found = act(move)
        while not isinstance(found, Refused) and (state.hero.x, state.hero.y) != target:
            shifted = [event for event in found if isinstance(event, Shifted)]
            if shifted:
                break
            events += found
            found = act(move)
        assert not isinstance(found, Refused), found
        events += found
    return events


def jump(engine, x, y):
    """Put the hero on the ground nearest to a place of the map, and let a turn pass."""
    state = engine.state
    ys, xs = np.nonzero(state.map.walkable)
    nearest = int((abs(xs - x) + abs(ys - y)).argmin())
    spot = state.map.nearest_free(int(xs[nearest]), int(ys[nearest]))
    state.map.move_entity(state.hero, *spot)
    return engine.step(Wait())


def place(state):
    """Return where in the world the hero is."""
    return state.hero.x + state.map.origin[0], state.hero.y + state.map.origin[1]
