"""Events as sentences: all the English the rules never speak."""

from engine.events import (
    Afflicted,
    Arrived,
    Died,
    Event,
    Followed,
    FoundDoor,
    Healed,
    Hurt,
    Learned,
    LeveledUp,
    LostTrack,
    Moved,
    Noticed,
    Relieved,
    Shifted,
    Spotted,
    Struck,
    Struggled,
    Stumbled,
    TookGold,
    Who,
    Won,
)
from engine.game_map import GameMap
from engine.journeys import Stop
from engine.traps import trap_at
from entities.kinds import HERO
from entities.statuses import statuses
from entities.talents import talents
from entities.terrain import Tile, terrain
from entities.traps import traps
from procgen.code import parse_code
from procgen.recipes import find_any
from render.blow_sentences import blow
from render.creature_sentences import creature_sentence
from render.naming import does, hurts, name_of
from render.palette import themes
from render.place_sentences import place_sentence
from render.thing_sentences import THING_REFUSALS, thing_sentence
from render.words import begins, ends

Sentence = tuple[str, str]
"""What to say, and the interface colour to say it in."""

STOPS = {
    Stop.EXPLORED: "Explored. {descend} travels to the way down.",
    Stop.NO_WAY: "You know no way there.",
    Stop.HEALED: "You feel rested.",
    Stop.UNHEALING: "Rest is no use: your wounds do not close by themselves.",
    Stop.JUNCTION: "You stop where the way changes.",
    Stop.UNREST: "You stop: it is time to move on.",
    Stop.BLOCKED: "Something is in the way.",
}
REFUSALS = {
    "blocked": "",
    "nobody there": "There is nobody there.",
    "no exit here": "There is no way down here.",
    "no way up here": "There is no way up here.",
    "no way back": "The gate closed behind you. The way out lies further down.",
    "no stairs in the Workshop": "In the Workshop nothing leads up.",
    "locked": "It is locked, and you have no key for it.",
    "nothing to unlock": "There is nothing to unlock.",
    "nothing holds you": "Nothing holds you.",
    "not offered": "There is no such talent to choose now.",
    "dead": "You are dead.",
    **THING_REFUSALS,
}


def refusal(why: str) -> str:
    """Return why something cannot be done, as a sentence; empty if that needs no words."""
    return REFUSALS.get(why, f"{why[:1].upper()}{why[1:]}.")


def sentence(event: Event) -> Sentence | None:
    """Return what to say of ``event``; None if it speaks for itself."""
    match event:
        case Struck():
            return blow(event)
        case Died(who, killer) if who.kind == HERO:
            return f"{name_of(killer, start=True)} kills you.", "bad"
        case Died(who, killer) if killer == HERO:
            return f"You kill {name_of(who.kind)}.", "good"
        case Died(who, killer):
            return f"{name_of(who.kind, start=True)} dies.", "dim"
        case Hurt(who, cause, damage):
            color = "bad" if who.kind == HERO else "text"
            return f"{hurts(cause, name_of(who.kind))} for {damage}.", color
        case Healed():
            return _healed(event)
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
        case Arrived():
            return _arrival(event), "accent"
        case Followed(who):
            return f"{does(who, 'follow')} you.", "warn"
        case Afflicted(who, status, _, again):
            return None if again else (begins(who, status), _mark(who, status))
        case Relieved(who, status):
            return ends(who, status), _mark(who, None)
        case Stumbled(who):
            return (f"{does(who, 'stumble')}.", "warn") if who.kind == HERO else None
        case Struggled(who, free):
            if who.kind != HERO:
                return None
            return ("You tear yourself free." if free else "You tear at what holds you."), "warn"
        case LeveledUp(_, level):
            return f"You have reached level {level}: choose a talent.", "good"
        case Learned(_, talent):
            return f"You learn: {talents()[talent].name}.", "good"
        case Won():
            return "The First Seed is yours. The way down goes on, without end.", "accent"
        case Moved() | Shifted():
            return None
        case _:
            return place_sentence(event) or thing_sentence(event) or creature_sentence(event)


def tile_name(game_map: GameMap, x: int, y: int) -> str:
    """Return what the ground at (x, y) is called; a secret door is a wall to whoever asks."""
    if (x, y) == game_map.exit:
        return "way down"
    if (x, y) == game_map.start:
        return "way up"
    tile = game_map.tiles[y, x]
    if tile == Tile.TRAP:
        left, top = game_map.origin
        return traps()[trap_at(game_map.code, x + left, y + top)].name
    return terrain().kinds[Tile.WALL if tile == Tile.SECRET_DOOR else tile].name


def _healed(healed: Healed) -> Sentence:
    """Return whose wounds have closed, and by how much."""
    who, amount = healed.who, healed.amount
    if healed.cause == "shrine":
        return "Light from the shrine closes your wounds.", "good"
    if not amount:
        return "Nothing was amiss.", "dim"
    verb, color = ("feel", "good") if who.kind == HERO else ("looks", "warn")
    return f"{name_of(who.kind, start=True)} {verb} better (+{amount}).", color


def _mark(who: Who, begun: str | None) -> str:
    """Return the colour for a change in the state of ``who``; ``begun`` is what came, if any."""
    if who.kind != HERO or begun is None:
        return "dim"
    return "good" if statuses()[begun].good else "bad"


def _arrival(arrived: Arrived) -> str:
    """Return where one has come to; less of a place one knows."""
    code = parse_code(arrived.code)
    recipe = find_any(code.recipe, code.version)
    place = themes()[recipe.theme].name if recipe.theme in themes() else recipe.name
    note = " This run is no longer scored." if arrived.unscored else ""
    back = "Back at depth" if arrived.again else "Depth"
    return f"{back} {arrived.depth}: {place} ({recipe.name}).{note}"
