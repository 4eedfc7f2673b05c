"""Paths over the tiles the hero knows, frontiers to explore and items worth a walk.

All searches run on windows that grow around the hero: a Dijkstra map over a whole level of
5,000 x 5,000 tiles for every step of auto-explore would take seconds.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from components import AiState
from components.inventory import Item
from engine.pathfinding.threats import enemies_in_view, flees
from engine.state.actions import Action, Move
from engine.state.game_map import GameMap
from engine.state.game_state import GameState
from entities.entity import Entity
from entities.equipment import is_worth_a_walk
from entities.pack import has_room
from entities.statuses import can_walk, is_asleep
from entities.terrain import DEEP, LOCK_TILES, OPENERS, Mask, Tile, tile_mask
from procgen.analysis.bitboard import Bitboard
from procgen.analysis.distances import DIRECTIONS, UNREACHED, distances, with_neighbours
from procgen.blueprint import WHOLE_MAP, Point, Window, mask_at

FIRST_WINDOW, WINDOW_GROWTH = 48, 3
"""The radius of the first window in tiles, and the factor by which the radius then grows."""
MOST_BITS, MOST_BITS_NEAR = 1 << 15, 1 << 20
"""Tiles of the largest map, and of the largest window, that are searched on a bitboard.

The cost of each step of such a search grows with the map, and a window limits the steps.
"""


class MapWindow(NamedTuple):
    """A window of a map: its upper left tile, the radius in which it is exact, and its slices."""

    left: int
    top: int
    reach: int
    box: Window

    @property
    def suits_bitboard(self) -> bool:
        """True if a breadth-first search on a bitboard is the fastest here."""
        rows, columns = self.box
        tiles = (rows.stop - rows.start) * (columns.stop - columns.start)
        return bool(tiles <= (MOST_BITS if self.reach == UNREACHED else MOST_BITS_NEAR))


def windows(game_map: GameMap, x: int, y: int) -> Iterator[MapWindow]:
    """Yield growing windows around (x, y), the last of which is the whole map."""
    reach = FIRST_WINDOW
    while True:
        left, top = max(0, x - reach), max(0, y - reach)
        right, bottom = min(game_map.width, x + reach + 1), min(game_map.height, y + reach + 1)
        whole_map = right - left == game_map.width and bottom - top == game_map.height
        yield MapWindow(left, top, UNREACHED if whole_map else reach, np.s_[top:bottom, left:right])
        if whole_map:
            return
        reach *= WINDOW_GROWTH


def nearest_tile(ground: Mask, wanted: Mask, around: MapWindow, x: int, y: int) -> Point | None:
    """Return the ``wanted`` tile with the fewest steps from (x, y), in map coordinates.

    Both masks are of the window. None if none is within the window's exact radius: a path found
    further out may be longer than one that leaves the window.
    """
    start = x - around.left, y - around.top
    if around.suits_bitboard:
        place = Bitboard.of(ground).nearest(Bitboard.of(wanted).bits, start, around.reach)
    else:
        steps = np.where(wanted, distances(ground, *start), UNREACHED)
        row, column = divmod(int(steps.argmin()), steps.shape[1])
        far = int(steps[row, column])
        place = (column, row) if far < UNREACHED and far <= around.reach else None
    return Point(place[0] + around.left, place[1] + around.top) if place else None


FIRST_STEPS = 20
"""Within this many steps, what is worth more comes first, however near other things are."""
PICKUP_TILES = (Tile.TREASURE, *OPENERS, Tile.RELIC)
"""Tiles that a bot walks to for what lies on them."""
DECISIONS = (Tile.RELIC, *OPENERS, Tile.LOCKED_DOOR, Tile.SHRINE)
"""Tiles that ask for a decision of the player, the most important first: auto-explore stops."""
PASSABLE_LATER = (*LOCK_TILES, *DEEP)
"""Tiles over which a way may lead later: once they are open, or for a hero who levitates."""
WALLS = (Tile.WALL, Tile.MOUNTAIN, Tile.EDGE, Tile.SECRET_DOOR)  # As far as the hero can tell.


class WalkRules(NamedTuple):
    """Rules for known paths: ``decides`` is whether the walker takes keys and opens locks.

    ``avoid`` are tiles to bypass, ``fire``, ``traps`` and ``barriers`` are whether it may cross
    burning tiles, known traps and `PASSABLE_LATER`.
    """

    decides: bool = True
    avoid: frozenset[tuple[int, int]] = frozenset()
    fire: bool = False
    traps: bool = False
    barriers: bool = False


BOT_RULES = WalkRules()
"""A bot decides by itself, and fights its way through monsters."""
ACROSS_TRAPS = WalkRules(traps=True)
"""The last resort of a bot: some keys can only be reached across traps."""


def player_rules(state: GameState) -> WalkRules:
    """Return the rules of auto-explore and travel: avoid monsters that stay, spend no key."""
    foes = (foe for foe in enemies_in_view(state) if not flees(state, foe))
    return WalkRules(False, frozenset((foe.x, foe.y) for foe in foes if not _moves_on(state, foe)))


def _moves_on(state: GameState, foe: Entity) -> bool:
    """Return True if ``foe`` wanders and will be elsewhere by the time the hero gets there."""
    wanders = foe.ai is not None and foe.ai.state is AiState.WANDERING
    return wanders and can_walk(foe) and state.hero.distance_to(foe) > 1


def known_ground(game_map: GameMap, box: Window = WHOLE_MAP, rules: WalkRules = BOT_RULES) -> Mask:
    """Return the known walkable tiles, without traps and fires unless ``rules`` say so.

    ``box`` is the part of the map to look at, here and below.
    """
    ground: Mask = game_map.walkable[box] & game_map.explored[box]
    if not rules.traps:
        ground &= game_map.tiles[box] != Tile.TRAP
    if rules.barriers:
        ground |= tile_mask(PASSABLE_LATER)[game_map.tiles[box]] & game_map.explored[box]
    if not rules.decides:
        ground &= ~tile_mask(DECISIONS)[game_map.tiles[box]]
    elif game_map.keys:
        ground |= (game_map.tiles[box] == Tile.LOCKED_DOOR) & game_map.explored[box]
    if avoided := rules.avoid.union(() if rules.fire else game_map.fires):
        ground &= ~mask_at(avoided, game_map.tiles.shape)[box]
    return ground


def frontier(game_map: GameMap, ground: Mask, box: Window = WHOLE_MAP) -> Mask:
    """Return the tiles of ``ground``, the known ground in ``box``, next to unexplored ones."""
    rows, columns = box[0].indices(game_map.height), box[1].indices(game_map.width)
    top, left = max(0, rows[0] - 1), max(0, columns[0] - 1)
    bordering = with_neighbours(~game_map.explored[top : rows[1] + 1, left : columns[1] + 1])
    inner = bordering[rows[0] - top :, columns[0] - left :]
    return ground & inner[: ground.shape[0], : ground.shape[1]]


def path_downhill(field: NDArray[np.int32], x: int, y: int) -> list[Point]:
    """Return the path from (x, y), excluded, down the Dijkstra map ``field`` to a zero."""
    path = []
    height, width = field.shape
    while 0 < field[y, x] < UNREACHED:
        steps_left = field[y, x]
        for dx, dy in DIRECTIONS:
            column, row = x + dx, y + dy
            if 0 <= column < width and 0 <= row < height and field[row, column] < steps_left:
                x, y = column, row
                break
        else:
            break
        path.append(Point(x, y))
    return path


def path_to(state: GameState, goal: tuple[int, int], rules: WalkRules = BOT_RULES) -> list[Point]:
    """Return the known path from the hero to ``goal``; empty if there is none, or it is a wall."""
    (x, y), hero, game_map = goal, state.hero, state.map
    if not (game_map.contains(x, y) and game_map.explored[y, x]) or game_map.tiles[y, x] in WALLS:
        return []
    for around in windows(game_map, hero.x, hero.y):
        left, top = around.left, around.top
        if max(abs(x - hero.x), abs(y - hero.y)) > around.reach:
            continue
        ground = known_ground(game_map, around.box, rules)
        ground[y - top, x - left] = ground[hero.y - top, hero.x - left] = True
        start, end = (hero.x - left, hero.y - top), (x - left, y - top)
        path: Sequence[tuple[int, int]] | None
        if around.suits_bitboard:
            path = Bitboard.of(ground).path(start, end, around.reach)
        else:
            path = path_downhill(distances(ground, *end), *start)
            path = path if len(path) <= around.reach else None
        if path:
            return [Point(column + left, row + top) for column, row in path]
    return []


def pickup_targets(state: GameState, box: Window = WHOLE_MAP, *, decides: bool = True) -> Mask:
    """Return the known tiles with something the hero would pick up, bool [y, x].

    A walker that ``decides`` also wants keys, and locked doors once it has one.
    """
    game_map = state.map
    tiles = PICKUP_TILES if decides else (Tile.TREASURE,)
    targets: Mask = tile_mask(tiles)[game_map.tiles[box]] & game_map.explored[box]
    if decides and game_map.keys:
        targets |= (game_map.tiles[box] == Tile.LOCKED_DOOR) & game_map.explored[box]
    left, top = box[1].start or 0, box[0].start or 0
    height, width = targets.shape
    for x, y in game_map.shown_items():
        if 0 <= x - left < width and 0 <= y - top < height and game_map.explored[y, x]:
            targets[y - top, x - left] |= bool(wanted_items_at(state, x, y))
    return targets


def wanted_items_at(state: GameState, x: int, y: int) -> list[Item]:
    """Return the items at (x, y) that are worth a walk and for which the pack has room."""
    items, hero = state.map.items_at(x, y), state.hero
    return [item for item in items if is_worth_a_walk(hero, item) and has_room(hero, item)]


def next_to_explore(
    state: GameState, *, avoid_exit: bool = False, rules: WalkRules = BOT_RULES
) -> Point | None:
    """Return the nearest frontier or item; None if nothing is left.

    Within `FIRST_STEPS`, a player's items come before all frontiers; in an infinite world, whose
    frontier never ends, those of bots, too, and frontiers on open ground before those in a wood.
    """
    game_map, hero = state.map, state.hero
    for around in windows(game_map, hero.x, hero.y):
        ground = known_ground(game_map, around.box, rules)
        items = pickup_targets(state, around.box, decides=rules.decides)
        targets = frontier(game_map, ground, around.box) | items
        targets[hero.y - around.top, hero.x - around.left] = False  # The hero is there.
        x, y = game_map.exit.x - around.left, game_map.exit.y - around.top
        if avoid_exit and 0 <= y < ground.shape[0] and 0 <= x < ground.shape[1]:
            targets[y, x] = ground[y, x] = False
        near = around._replace(reach=FIRST_STEPS)
        in_the_open = game_map.tiles[around.box] != Tile.FOREST
        most = (items,) if not rules.decides else ()
        for first in (items, in_the_open) if game_map.is_infinite else most:
            if place := nearest_tile(ground, targets & first, near, hero.x, hero.y):
                return place
        if place := nearest_tile(ground, targets, around, hero.x, hero.y):
            return place
    return None


def nearest_decision(
    state: GameState, kinds: Collection[int] = DECISIONS, passed: Collection[Point] = ()
) -> Point | None:
    """Return the nearest known tile of ``kinds`` that the player can walk to, without ``passed``.

    Locks do not count without a key, nor do shrines for an unhurt hero. None if there is none.
    """
    game_map, hero, rules = state.map, state.hero, player_rules(state)
    unhurt = hero.fighter.hp >= hero.fighter.max_hp
    useless = {Tile.LOCKED_DOOR: not game_map.keys, Tile.SHRINE: unhurt}
    useful = tile_mask(tuple(kind for kind in kinds if not useless.get(kind)))
    for around in windows(game_map, hero.x, hero.y):
        targets: Mask = useful[game_map.tiles[around.box]] & game_map.explored[around.box]
        targets &= ~mask_at(passed, game_map.tiles.shape)[around.box]
        ground = known_ground(game_map, around.box, rules) | targets
        if targets.any() and (place := nearest_tile(ground, targets, around, hero.x, hero.y)):
            return place
    return None


def nearest_without_room(state: GameState) -> Point | None:
    """Return the nearest known item in reach for which the pack has no room, None without one."""
    game_map, hero, piles = state.map, state.hero, state.map.shown_items().items()
    known = ((at, item) for at, pile in piles if game_map.explored[at[::-1]] for item in pile)
    places = [at for at, item in known if is_worth_a_walk(hero, item) and not has_room(hero, item)]
    for around in windows(game_map, hero.x, hero.y) if places else ():
        targets = mask_at(places, game_map.tiles.shape)[around.box]
        ground = known_ground(game_map, around.box, player_rules(state))
        if place := nearest_tile(ground, targets, around, hero.x, hero.y):
            return place
    return None


def known_way_down(state: GameState) -> Point | None:
    """Return the nearest known stairs down; None if none is known."""
    game_map, hero = state.map, state.hero
    if not game_map.is_infinite:
        return game_map.exit if game_map.explored[game_map.exit.y, game_map.exit.x] else None
    for around in windows(game_map, hero.x, hero.y):
        ground = known_ground(game_map, around.box)
        doors = ground & (game_map.tiles[around.box] == Tile.ENTRANCE)
        if doors.any() and (place := nearest_tile(ground, doors, around, hero.x, hero.y)):
            return place
    return None


def attack_nearest(state: GameState, rules: WalkRules = BOT_RULES) -> Action | None:
    """Return the attack on the nearest monster in view or the step towards it, if any.

    If several are equally near, those that hunt come first, then those that can hurt, then those
    with the fewest hit points.
    """
    enemies, hero = enemies_in_view(state), state.hero
    if not enemies:
        return None

    def rank(foe: Entity) -> tuple[int, bool, bool, int]:
        hunts = foe.ai is not None and foe.ai.state is AiState.HUNTING and not is_asleep(foe)
        return hero.distance_to(foe), not hunts, not foe.fighter.power, foe.fighter.hp

    foe = min(enemies, key=rank)
    path = path_to(state, (foe.x, foe.y), rules)
    return Move(path[0].x - hero.x, path[0].y - hero.y) if path else None
