"""Events as sentences: all the English the rules never speak."""

from engine.events import (
    Arrived,
    Died,
    Event,
    FoundDoor,
    Healed,
    Hurt,
    LostTrack,
    Moved,
    Noticed,
    Spotted,
    Struck,
    TookGold,
    Who,
)
from engine.game_map import GameMap
from engine.journeys import Stop
from entities.kinds import HERO, creatures
from entities.terrain import Tile, terrain
from procgen.code import parse_code
from procgen.recipes import find_recipe
from render.palette import themes

Sentence = tuple[str, str]
"""What to say, and the interface colour to say it in."""

STOPS = {
    Stop.ENEMY: "You stop: something hostile is in view.",
    Stop.HURT: "You stop: you are being attacked.",
    Stop.EXPLORED: "Explored. {descend} travels to the way down.",
    Stop.NO_WAY: "You know no way there.",
    Stop.HEALED: "You feel rested.",
    Stop.BLOCKED: "Something is in the way.",
}
THINGS = {"trap": "dart trap", "shrine": "shrine"}
REFUSALS = {
    "blocked": "",
    "nobody there": "There is nobody there.",
    "no exit here": "There is no way down here.",
    "dead": "You are dead.",
}


def name_of(kind: str, *, definite: bool = True, start: bool = False) -> str:
    """Return how a creature is called: ``you``, ``the orc``, ``an orc``."""
    if kind == HERO:
        return "You" if start else "you"
    name = THINGS.get(kind) or creatures()[kind].name
    article = "the" if definite else ("an" if name[0] in "aeiou" else "a")
    return f"{article.capitalize() if start else article} {name}"


def _does(who: Who, verb: str) -> str:
    """Return subject and verb: ``You hit``, ``The orc hits``."""
    return f"{name_of(who.kind, start=True)} {verb if who.kind == HERO else f'{verb}s'}"


def sentence(event: Event) -> Sentence | None:
    """Return what to say of ``event``; None if it speaks for itself."""
    match event:
        case Struck(attacker, target, 0):
            harmless = "do no harm" if attacker.kind == HERO else "does no harm"
            return f"{_does(attacker, 'hit')} {name_of(target.kind)} but {harmless}.", "dim"
        case Struck(attacker, target, damage):
            color = "bad" if target.kind == HERO else "text"
            return f"{_does(attacker, 'hit')} {name_of(target.kind)} for {damage}.", color
        case Died(who, killer) if who.kind == HERO:
            return f"{name_of(killer, start=True)} kills you.", "bad"
        case Died(who, killer) if killer == HERO:
            return f"You kill {name_of(who.kind)}.", "good"
        case Died(who, killer):
            return f"{name_of(who.kind, start=True)} dies.", "dim"
        case Hurt(_, cause, damage):
            return f"{name_of(cause, definite=False, start=True)} hurts you for {damage}.", "bad"
        case Healed(_, cause, _):
            return f"Light from {name_of(cause)} closes your wounds.", "good"
        case TookGold(_, amount):
            return f"You gather {amount} pieces of gold.", "accent"
        case FoundDoor():
            return "You find a secret door.", "accent"
        case Spotted(who):
            said = name_of(who.kind, definite=False, start=True)
            return f"{said} comes into view.", "warn"
        case Noticed(who):
            return f"{name_of(who.kind, start=True)} notices you.", "warn"
        case LostTrack(who):
            return None
        case Arrived(code, depth, unscored):
            return _arrival(code, depth, unscored=unscored), "accent"
        case Moved():
            return None


def tile_name(game_map: GameMap, x: int, y: int) -> str:
    """Return what the ground at (x, y) is called; a secret door is a wall to whoever asks."""
    if (x, y) == game_map.exit:
        return "way down"
    tile = game_map.tiles[y, x]
    return terrain().kinds[Tile.WALL if tile == Tile.SECRET_DOOR else tile].name


def _arrival(code: str, depth: int, *, unscored: bool) -> str:
    recipe = find_recipe(parse_code(code).recipe, parse_code(code).version)
    place = themes()[recipe.theme].name if recipe.theme in themes() else recipe.name
    note = " This run is no longer scored." if unscored else ""
    return f"Depth {depth}: {place} ({recipe.name}).{note}"
