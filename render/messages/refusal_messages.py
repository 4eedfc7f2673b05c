"""Answers to a key that did nothing: refused actions, stopped travel, no way."""

from engine.pathfinding.auto_travel import Stop
from engine.pathfinding.known_paths import WalkRules, path_to
from engine.state.game_map import GameMap
from engine.state.game_state import GameState
from engine.terrain.tile_effects import trap_at
from entities.terrain import Tile, terrain
from entities.trap_kinds import trap_kinds

STOP_MESSAGES = {
    Stop.EXPLORED: "Explored. Press {descend} to travel to the stairs down.",
    Stop.NO_WAY: "You don't know a way there.",
    Stop.HEALED: "You are fully rested.",
    Stop.UNHEALING: "You can't rest: your wounds won't heal on their own.",
    Stop.JUNCTION: "You stop: the passage changes here.",
    Stop.UNREST: "You stop: it is time to move on.",
    Stop.BLOCKED: "Something is in the way.",
    Stop.KEY: "You stop: there is a key. Step on it to take it.",
    Stop.LOCK: "You stop: there is a locked door. Walk into it to open it with a key.",
    Stop.GOAL: "You stop: there lies the First Seed. Step on it to take it.",
}

REFUSALS = {
    "blocked": "",
    "nobody there": "There is nothing there to attack.",
    "no exit here": "There are no stairs down here.",
    "no such ground": "The stairs down do not lead there.",
    "no First Seed": "You have no First Seed to plant.",
    "home": "You are home.",
    "no way up here": "There are no stairs up here.",
    "no way back": "The gate closed behind you. The only way out is down.",
    "no stairs in the Workshop": "In the Workshop no stairs lead up.",
    "locked": "The door is locked, and you have no key for it.",
    "nothing to unlock": "There is nothing to unlock here.",
    "nothing holds you": "Nothing holds you.",
    "not offered": "You can't choose that talent now.",
    "dead": "You are dead.",
    "nothing here": "There is nothing here to pick up.",
    "pack full": "Your pack is full.",
    "not in the pack": "You don't have that.",
    "cannot be worn": "You can't wear that.",
    "already worn": "You already have that equipped.",
    "not worn": "You don't have that equipped.",
    "no use": "You can't use that.",
    "empty": "It has no charges left.",
    "nothing to fire": "You have nothing to shoot or throw.",
    "no bow": "You have no bow to shoot your arrows with.",
    "no foe in view": "There is no enemy in view.",
    "needs a target": "It needs a target.",
    "no rock in reach": "There is no wall or rock in reach that way.",
    "out of view": "You can't see that place.",
    "out of range": "That is too far away.",
    "not at yourself": "You can't aim at yourself. Choose a place.",
    "needs a thing": "Choose an item to use it on.",
    "cannot be improved": "That can't be enchanted.",
}
"""The player's text for each reason of a `Refused`."""


def refusal_message(why: str) -> str:
    """Return why an action was refused, as a sentence; empty if that needs no words."""
    return REFUSALS.get(why, f"{why[:1].upper()}{why[1:]}.")


def no_way_message(state: GameState, x: int, y: int, name: str = "") -> str:
    """Return why the hero cannot walk to (x, y), where ``name`` stands."""
    target = f"to {name}" if name else "there"
    if path_to(state, (x, y)):
        return f"Something is in the way {target}."
    if path_to(state, (x, y), WalkRules(fire=True)):
        return f"Fire bars the way {target}."
    return f"You know no way {target}."


def tile_name(game_map: GameMap, x: int, y: int) -> str:
    """Return what to call the tile (x, y); a secret door is called a wall."""
    if (x, y) == game_map.exit:
        return "stairs down"
    if (x, y) == game_map.start:
        return "stairs up"
    tile = game_map.tiles[y, x]
    if tile == Tile.TRAP:
        left, top = game_map.origin
        return trap_kinds()[trap_at(game_map.code, x + left, y + top)].name
    return terrain().kinds[Tile.WALL if tile == Tile.SECRET_DOOR else tile].name
