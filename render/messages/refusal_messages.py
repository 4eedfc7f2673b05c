"""Answers to a key that did nothing: refused actions, no path, stops; and names of tiles."""

from collections.abc import Callable, Collection, Iterable
from functools import partial

from engine.items.aiming import fire_aim
from engine.pathfinding import known_paths
from engine.pathfinding.auto_travel import DECISION_STOPS, Stop, offer
from engine.pathfinding.threats import attackers, enemies_in_view, threats_in_view
from engine.state.events import Event, Moved
from engine.state.game_map import GameMap, is_disguised
from engine.state.game_state import GameState
from engine.terrain.memories import memory_left
from engine.terrain.tile_effects import trap_at
from entities.statuses import is_asleep
from entities.terrain import Tile, terrain
from entities.trap_kinds import trap_kinds
from procgen.blueprint import Point
from render.map.place_names import bearing
from render.messages.names import creature_name, pile_name
from render.ui.keymap import first_key
from render.ui.texts import texts

AGAIN = "the same key again goes on"


def refusal_message(why: str) -> str:
    """Return why an action was refused, as a sentence; "" if that needs no message."""
    if why in texts().refusals:
        return texts().refusals[why].format(throw=first_key("play", "throw"))
    return f"{why[:1].upper()}{why[1:]}."


def stop_message(
    state: GameState,
    reason: Stop,
    known_ids: Collection[int],
    *,
    first: bool,
    told: bool,
    hurt: bool = False,
) -> str:
    """Return why a journey past monsters ``known_ids`` ended, "" if a message has ``told`` it.

    To a hero badly ``hurt`` it does not recommend a fight, which would ask first.
    """
    if reason is Stop.EXPLORED:
        return explored_message(state)
    if reason is Stop.ARRIVED:
        return texts().stops["asleep"] if is_asleep(state.hero) else items_here(state)
    if reason is Stop.FULL and (left := known_paths.nearest_without_room(state)):
        way = bearing(left.x - state.hero.x, left.y - state.hero.y)
        return texts().stops[reason].format(name=pile_name(state, *left), way=way)
    adjacent = [foe for foe in enemies_in_view(state) if state.hero.distance_to(foe) == 1]
    if reason is Stop.BLOCKED and adjacent:
        one = f"{creature_name(adjacent[0].kind)} is" if len(adjacent) == 1 else "monsters are"
        return f"You stop: {one} in the way."
    # A monster that the player knows of is rarely why a journey ends, but may bar its first step.
    foes = threats_in_view(state)
    foes.sort(key=lambda foe: foe.id in known_ids and not (first and foe in adjacent))
    if reason not in (Stop.ENEMY, Stop.ATTACKED):
        last = first and reason in (*DECISION_STOPS.values(), Stop.MEMORY)
        rules = known_paths.player_rules(state)
        over = last and not known_paths.next_to_explore(state, rules=rules)
        more = texts().stops["nothing else"] + full_pack_note(state)
        place = offer(state, reason)
        step = f"Press {first_key('play', 'explore')}" if place else "Find a way"
        name = tile_name(state.map, *place) if place else ""
        why = "no key" if reason is Stop.LOCK and not state.map.keys else reason
        return texts().stops.get(why, "").format(step=step, name=name) + over * more
    if not foes or (told and not first):
        return "" if told else texts().stops[reason]
    way = bearing(foes[0].x - state.hero.x, foes[0].y - state.hero.y)
    name = creature_name(foes[0].kind, start=first and reason is Stop.ENEMY)
    if reason is Stop.ATTACKED:
        return texts().stops[reason].format(name=name, way=way)
    if first:
        known = known_paths.path_to(state, (foes[0].x, foes[0].y), known_paths.WalkRules(False))
        if hurt:
            name = f"You are badly hurt, and {creature_name(foes[0].kind)}"
        ways = [f"{first_key('play', 'fight')} fights"] * (bool(known) and not hurt)
        ways += [AGAIN] * (not attackers(state))
        return f"{name} is {way}{': ' * bool(ways)}{', '.join(ways)}."
    return f"You stop: {name} is in view, {way}."


def items_here(state: GameState, events: Iterable[Event] | None = None) -> str:
    """Return what lies on the hero's tile, "" if nothing; after ``events`` only if it has moved."""
    hero = state.hero
    moved = events is None or any(isinstance(it, Moved) and it.who.id == hero.id for it in events)
    name = pile_name(state, hero.x, hero.y) if moved else ""
    return f"You stand on {name}: {first_key('play', 'pick_up')} picks up." if name else ""


def explored_message(state: GameState) -> str:
    """Return why auto-explore ends: what is in the way, or that nothing is left to explore."""
    if name := _in_the_way(state, lambda rules: known_paths.next_to_explore(state, rules=rules)):
        fight = first_key("play", "fight")
        return f"{name} blocks the rest of the level: {fight} attacks."
    burning = known_paths.player_rules(state)._replace(fire=True)
    if state.map.fires and known_paths.next_to_explore(state, rules=burning):
        return "There is nothing more to explore while the fire burns."
    crossing = known_paths.player_rules(state)._replace(decides=True)
    if beyond := known_paths.next_to_explore(state, rules=crossing):
        path = [*known_paths.path_to(state, beyond, crossing), beyond]
        if shrine := _first_of(state.map, (Tile.SHRINE,), path):
            return f"{shrine} bars the way on: step on it."
    message = texts().stops[Stop.EXPLORED if known_paths.known_way_down(state) else Stop.NO_STAIRS]
    message = texts().stops["way home"] if state.hollow else message
    message = message.format_map({way: first_key("play", way) for way in ("descend", "climb")})
    tile, note = (Tile.LOCKED_DOOR, "locked door") if state.map.keys else (Tile.KEY, "key left")
    for mark, left in ((tile, note), (Tile.RELIC, "seed left")):
        message += texts().stops[left] * (mark in state.map.tiles[state.map.explored])
    if (memory := memory_left(state.map)) and state.map.explored[memory.y, memory.x]:
        message += texts().stops["memory left"].format(name=tile_name(state.map, *memory))
    return message + full_pack_note(state)


def full_pack_note(state: GameState) -> str:
    """Return a sentence if items in reach stay behind because the pack is full, "" if none does."""
    return texts().stops["full pack"] if known_paths.nearest_without_room(state) else ""


def no_way_message(state: GameState, x: int, y: int, name: str) -> str:
    """Return why the hero cannot walk to (x, y), where ``name`` is, and which key helps instead."""
    target = f"to {name}" if name else "there"
    way = partial(known_paths.path_to, state, (x, y))
    halts = (Tile.TRAP, *known_paths.DECISIONS)  # Nobody walks over these without asking.
    if path := way() or way(known_paths.ACROSS_TRAPS):
        if foe := _in_the_way(state, way):
            return f"{foe} blocks the way {target}: {first_key('play', 'fight')} attacks."
        return f"{_first_of(state.map, halts, path) or 'Something'} blocks the way {target}."
    reason = f"No known way {target}"
    if way(known_paths.WalkRules(fire=True)):
        reason = f"Fire bars the way {target}"
    elif path := way(known_paths.WalkRules(traps=True, barriers=True)):
        reason = f"{_first_of(state.map, known_paths.PASSABLE_LATER, path)} blocks the way {target}"
    left = []
    if name and fire_aim(state, state.hero, Point(x, y)).why is None:
        left.append(f"{first_key('play', 'fire')} shoots or throws")
    rules, burns = known_paths.player_rules(state), reason.startswith("Fire")
    if not burns and known_paths.next_to_explore(state, rules=rules):
        left.append(f"{first_key('play', 'explore')} explores")
    return f"{reason}: {', '.join(left)}." if left else f"{reason}."


def _first_of(game_map: GameMap, kinds: Collection[int], path: list[Point]) -> str:
    """Return what to call the first tile of ``kinds`` on the way to the end of ``path``, or ""."""
    found = (at for at in path[:-1] if game_map.tiles[at.y, at.x] in kinds)
    return next((f"The {tile_name(game_map, *at).removeprefix('the ')}" for at in found), "")


def _in_the_way(state: GameState, way: Callable[[known_paths.WalkRules], object]) -> str:
    """Return the name of the first enemy in view without which there is a ``way``, "" if none.

    If no single one bars it, but all together do, that is the nearest.
    """
    rules, foes = known_paths.player_rules(state), enemies_in_view(state)
    barriers = [(foe, {(foe.x, foe.y)}) for foe in foes]
    barriers += [(foe, {(foe.x, foe.y) for foe in foes}) for foe in foes[:1]]
    for foe, places in barriers:
        if way(rules._replace(avoid=rules.avoid - places)):
            return creature_name(foe.kind, start=True)
    return ""


def tile_name(game_map: GameMap, x: int, y: int) -> str:
    """Return what to call the tile (x, y); a secret door is called a wall."""
    if (x, y) == game_map.exit:
        return "stairs down"
    if (x, y) == game_map.start:
        return "stairs up"
    tile, creature = game_map.tiles[y, x], game_map.entity_at(x, y)
    if creature and is_disguised(creature):
        tile = Tile.STATUE
    if tile == Tile.TRAP:
        return trap_kinds()[trap_at(game_map, x, y)].name
    return terrain().kinds[Tile.WALL if tile == Tile.SECRET_DOOR else tile].name
