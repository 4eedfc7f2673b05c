"""Events as sentences: all the English the rules never speak."""

from dataclasses import replace

from engine.monsters.wandering_monsters import LevelAlert
from engine.pathfinding.auto_travel import Stop
from engine.state.events import (
    Afflicted,
    Appeared,
    Arrived,
    Blinked,
    Burnt,
    Called,
    Changed,
    Charged,
    CreatureRef,
    Died,
    Displaced,
    Divided,
    Dropped,
    Equipped,
    Event,
    Fizzled,
    Fled,
    Followed,
    FoundDoor,
    Healed,
    Hunted,
    Hurt,
    Identified,
    Improved,
    ItemRef,
    Learned,
    LeveledUp,
    LostTrack,
    Mapped,
    Moved,
    NoRoom,
    Noticed,
    PickedUp,
    Rang,
    Relieved,
    Shattered,
    Shifted,
    ShotFired,
    Spotted,
    Sprung,
    Stirred,
    Stole,
    Struck,
    Struggled,
    Stumbled,
    Summoned,
    Threw,
    TookGold,
    TookKey,
    TookOff,
    Unlocked,
    Used,
    Vanished,
    Won,
)
from engine.state.game_map import GameMap
from engine.terrain.tile_effects import trap_at
from entities.creature_kinds import HERO, creature_kinds
from entities.item_kinds import item_class_of
from entities.statuses import status_kinds
from entities.talents import talents
from entities.terrain import Tile, terrain
from entities.trap_kinds import trap_kinds
from procgen.level_code import parse_code
from procgen.recipes import find_any
from render.messages.names import (
    BARE_HANDS,
    attack_verb,
    call_message,
    creature_name,
    hurt_clause,
    item_name_bare,
    item_phrase,
    missile_verb,
    status_begins,
    status_ends,
    subject_and_verb,
    the_item,
    weapon_verb,
)
from render.ui.palette import themes

Sentence = tuple[str, str]

LIGHT, HEAVY = 6, 2
"""What share of a creature's health, one in so many, a blow at most or at least takes to be so."""


def attack_message(
    event: Struck, *, weapon: str = BARE_HANDS, missile: ItemRef | None = None, kills: bool = False
) -> tuple[str, str]:
    """Return what to say of a blow, and in which colour.

    ``weapon`` is what the hero has in hand, ``missile`` what flew, ``kills`` whether it was deadly.
    """
    mine, target, damage = event.attacker.kind == HERO, event.target, event.damage
    subject, force, third = creature_name(event.attacker.kind, start=True), _force(event), "s"
    if missile:
        whose = "Your" if mine else f"{subject}'s"
        subject = f"{whose} {item_name_bare(missile)}"
        verb = missile_verb(force)
    elif mine:
        verb, third = weapon_verb(weapon, force), ""
    else:
        verb = attack_verb(event.attacker.kind)
    said = f"{subject} {verb} {creature_name(target.kind)}"
    if not damage:
        return f"{said} but do{'es' if third else ''} no harm.", "dim"
    if kills:
        victim = "you" if target.kind == HERO else "it"
        color = "bad" if target.kind == HERO else "good" if mine else "dim"
        return f"{said} for {damage} and kill{third} {victim}.", color
    return f"{said} for {damage}.", "bad" if target.kind == HERO else "text"


def _force(event: Struck) -> int:
    """Return how hard a blow is to whom it meets: 0 light, 1 fair, 2 heavy."""
    health = creature_kinds()[event.target.kind].hp
    return 0 if event.damage * LIGHT <= health else 2 if event.damage * HEAVY >= health else 1


def creature_sentence(event: Event) -> Sentence | None:
    """Return what to say of ``event`` and the interface colour to say it in."""
    match event:
        case ShotFired(attacker, target, missile, damage):
            return _shot(attacker, target, missile, damage)
        case Called(who):
            return call_message(who), "warn"
        case Fled(who):
            return f"{_the(who)} turns to flee.", "good"
        case Stole(who, None, gold):
            return f"{_the(who)} snatches {gold} pieces of gold from you!", "bad"
        case Stole(who, what) if what:
            return f"{_the(who)} snatches {the_item(what)} from you!", "bad"
        case Summoned(who, summoner):
            return f"{_the(summoner)} calls up {creature_name(who.kind, definite=False)}.", "warn"
        case Charged(who):
            return f"{_the(who)} lowers its head and charges!", "warn"
        case Blinked(who):
            return f"{_the(who)} is suddenly elsewhere.", "warn"
        case Divided(who):
            return f"{_the(who)} divides in two.", "warn"
        case _:
            return None


def _the(who: CreatureRef) -> str:
    return creature_name(who.kind, start=True)


def _shot(attacker: CreatureRef, target: CreatureRef, missile: str, damage: int) -> Sentence:
    said = f"{_the(attacker)}'s {missile}"
    if damage:
        return f"{said} hits {creature_name(target.kind)} for {damage}.", "bad"
    return f"{said} finds {creature_name(target.kind)} but does no harm.", "dim"


ALERT_NAMES = {
    LevelAlert.QUIET: "quiet",
    LevelAlert.STIRRING: "stirring",
    LevelAlert.HUNTED: "hunted",
    LevelAlert.BESIEGED: "besieged",
}
"""What the player reads for how much a level minds."""

STIRRED = {
    LevelAlert.STIRRING: "The level stirs: from now on hunters come by the stairs. Do not linger.",
    LevelAlert.HUNTED: "You are hunted: they come more often now.",
    LevelAlert.BESIEGED: "You are besieged: there is no end of them.",
}


def place_sentence(event: Event) -> Sentence | None:
    """Return what to say of ``event`` if it is about a place; None if it is not."""
    match event:
        case Stirred(unrest):
            return STIRRED[LevelAlert(unrest)], "bad"
        case Hunted(_, above):
            way = "down" if above else "up"
            return f"Something comes {way} the stairs, looking for you.", "warn"
        case Sprung(who, trap):
            subject = "You tread" if who.kind == HERO else "Something treads"
            return f"{subject} on a pressure plate: it {trap_kinds()[trap].text}.", "bad"
        case Rang():
            return "A bell rings through the halls. Everyone knows where you are.", "bad"
        case Vanished(who) if who.kind == HERO:
            return "The world turns over. You are somewhere else.", "warn"
        case TookKey():
            return "You take a key. Somewhere on this level is a lock for it.", "accent"
        case Unlocked():
            return "The key turns, and stays in the lock. The vault is open.", "accent"
        case _:
            return None


THING_REFUSALS = {
    "nothing here": "There is nothing here to pick up.",
    "pack full": "Your pack is full.",
    "not in the pack": "You do not carry that.",
    "cannot be worn": "That cannot be worn.",
    "already worn": "You wear that already.",
    "not worn": "You do not wear that.",
    "no use": "There is nothing to do with it.",
    "empty": "It is empty.",
    "nothing to fire": "You have nothing to shoot or throw.",
    "no foe in view": "There is nobody to strike.",
    "needs a target": "It needs a target.",
    "out of view": "You cannot see that place.",
    "out of range": "That is too far away.",
    "not at yourself": "Not at yourself.",
    "needs a thing": "Choose a thing to use it on.",
    "cannot be improved": "That cannot be made any better.",
}


DISPLACED = {
    "blinked": "suddenly elsewhere",
    "teleported": "whisked away",
    "swapped": "pulled to another place",
    "pushed": "thrown back",
    "washed": "washed ashore",
}


def _is(who: CreatureRef) -> str:
    return f"{creature_name(who.kind, start=True)} {'are' if who.kind == HERO else 'is'}"


def _it(what: ItemRef, verb: str) -> str:
    """Return subject and verb: ``The scroll burns``, ``The arrows burn``."""
    return f"{the_item(what, start=True)} {verb if what.count > 1 else f'{verb}s'}"


def thing_sentence(event: Event) -> tuple[str, str] | None:
    """Return what to say of an ``event`` about things; None if there is nothing to say."""
    match event:
        case PickedUp(who, what):
            return f"{subject_and_verb(who, 'take')} {item_phrase(what)} ({what.letter}).", "text"
        case Dropped(who, what):
            return f"{subject_and_verb(who, 'drop')} {item_phrase(what)}.", "dim"
        case Equipped(who, what):
            verb = "wield" if item_class_of(what.kind).slot in {"weapon", "bow"} else "put on"
            return f"You {verb} {the_item(what)}.", "text"
        case TookOff(who, what):
            return f"You take off {the_item(what)}.", "dim"
        case Used(who, what):
            return (
                f"{subject_and_verb(who, item_class_of(what.kind).verb)} {the_item(what)}.",
                "text",
            )
        case Threw(who, what, _, bow):
            return (
                f"{subject_and_verb(who, 'shoot' if bow else 'throw')} {item_phrase(what)}.",
                "text",
            )
        case Shattered(what):
            return f"{_it(what, 'shatter')}.", "text"
        case Fizzled(what):
            return "Nothing comes of it.", "dim"
        case Identified(what):
            return f"So that is what it is: {item_phrase(replace(what, count=1))}.", "accent"
        case Displaced(who, _, how):
            return f"{_is(who)} {DISPLACED[how]}.", "warn" if who.kind == HERO else "text"
        case Appeared(who):
            return (
                f"{creature_name(who.kind, definite=False, start=True)} appears out of nothing.",
                "bad",
            )
        case Changed(who, before):
            became = creature_name(who.kind, definite=False)
            return f"{creature_name(before, start=True)} turns into {became}.", "text"
        case Mapped():
            return "The lie of the level comes to your mind.", "accent"
        case Burnt(what):
            return f"{_it(what, 'burn')} to ashes.", "warn"
        case Improved(what):
            return f"{_it(what, 'gleam')} for a moment.", "good"
        case NoRoom(what):
            return f"Your pack has no room for {the_item(what)}.", "warn"
    return None


"""What to say, and the interface colour to say it in."""

STOP_MESSAGES = {
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


def refusal_message(why: str) -> str:
    """Return why something cannot be done, as a sentence; empty if that needs no words."""
    return REFUSALS.get(why, f"{why[:1].upper()}{why[1:]}.")


def event_message(event: Event) -> Sentence | None:
    """Return what to say of ``event``; None if it speaks for itself."""
    match event:
        case Struck():
            return attack_message(event)
        case Died(who, killer) if who.kind == HERO:
            return f"{creature_name(killer, start=True)} kills you.", "bad"
        case Died(who, killer) if killer == HERO:
            return f"You kill {creature_name(who.kind)}.", "good"
        case Died(who, killer):
            return f"{creature_name(who.kind, start=True)} dies.", "dim"
        case Hurt(who, cause, damage):
            color = "bad" if who.kind == HERO else "text"
            return f"{hurt_clause(cause, creature_name(who.kind))} for {damage}.", color
        case Healed():
            return _healed(event)
        case TookGold(_, amount):
            return f"You gather {amount} pieces of gold.", "accent"
        case FoundDoor():
            return "You find a secret door.", "accent"
        case Spotted(who):
            said = creature_name(who.kind, definite=False, start=True)
            return f"{said} comes into view.", "warn"
        case Noticed(who):
            return f"{creature_name(who.kind, start=True)} notices you.", "warn"
        case LostTrack(who):
            return None
        case Arrived():
            return _arrival(event), "accent"
        case Followed(who):
            return f"{subject_and_verb(who, 'follow')} you.", "warn"
        case Afflicted(who, status, _, again):
            return None if again else (status_begins(who, status), _mark(who, status))
        case Relieved(who, status):
            return status_ends(who, status), _mark(who, None)
        case Stumbled(who):
            return (f"{subject_and_verb(who, 'stumble')}.", "warn") if who.kind == HERO else None
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
        return trap_kinds()[trap_at(game_map.code, x + left, y + top)].name
    return terrain().kinds[Tile.WALL if tile == Tile.SECRET_DOOR else tile].name


def _healed(healed: Healed) -> Sentence:
    """Return whose wounds have closed, and by how much."""
    who, amount = healed.who, healed.amount
    if healed.cause == "shrine":
        return "Light from the shrine closes your wounds.", "good"
    if not amount:
        return "Nothing was amiss.", "dim"
    verb, color = ("feel", "good") if who.kind == HERO else ("looks", "warn")
    return f"{creature_name(who.kind, start=True)} {verb} better (+{amount}).", color


def _mark(who: CreatureRef, begun: str | None) -> str:
    """Return the colour for a change in the state of ``who``; ``begun`` is what came, if any."""
    if who.kind != HERO or begun is None:
        return "dim"
    return "good" if status_kinds()[begun].good else "bad"


def _arrival(arrived: Arrived) -> str:
    """Return where one has come to; less of a place one knows."""
    code = parse_code(arrived.code)
    recipe = find_any(code.recipe, code.version)
    place = themes()[recipe.theme].name if recipe.theme in themes() else recipe.name
    note = " This run is no longer scored." if arrived.unscored else ""
    back = "Back at depth" if arrived.again else "Depth"
    return f"{back} {arrived.depth}: {place} ({recipe.name}).{note}"
