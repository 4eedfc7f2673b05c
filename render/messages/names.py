"""Things in words and in colour, as far as the hero knows them."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

import msgspec

from components.inventory import Item
from engine.state.events import CreatureRef, ItemRef
from engine.state.game_state import GameState
from engine.state.identification import item_ref
from entities.creature_kinds import HERO, creature_kinds
from entities.data_files import DATA, DataError, read_table
from entities.item_kinds import item_classes, item_kinds
from entities.pack import slot_of
from entities.statuses import status_kinds
from entities.trap_kinds import trap_kinds


def item_name_bare(thing: ItemRef) -> str:
    """Return what one such thing is called, without article: ``ruby potion``, ``sword +1``."""
    form = item_kinds()[thing.kind]
    sort = item_classes()[form.item_class]
    if thing.look:
        return f"{thing.look} {sort.name}"
    name = f"{sort.name} of {form.name}" if sort.looks else form.name
    if thing.known and thing.bonus:
        name = f"{name} {thing.bonus:+}"
    if thing.known and form.charges[1]:
        name = f"{name} ({thing.charges})"
    return name


def item_phrase(thing: ItemRef, *, start: bool = False) -> str:
    """Return what ``thing`` is called with its article or number: ``a dagger``, ``3 darts``."""
    name = item_name_bare(thing)
    if thing.count > 1:
        return f"{thing.count} {plural(name)}"
    article = "an" if name[0] in "aeiou" else "a"
    mass = item_kinds()[thing.kind].name.endswith(("armour", "mail"))
    said = name if mass else f"{article} {name}"
    return said[0].upper() + said[1:] if start else said


def the_item(thing: ItemRef, *, start: bool = False) -> str:
    """Return ``the dagger``, ``The darts``."""
    name = item_name_bare(thing)
    said = plural(name) if thing.count > 1 else name
    return f"{'The' if start else 'the'} {said}"


def plural(name: str) -> str:
    """Return ``name`` for more than one: ``darts``, ``scrolls of fear``, ``flasks of oil``."""
    head, of, rest = name.partition(" of ")
    return f"{head}{'es' if head.endswith(('s', 'sh', 'ch')) else 's'}{of}{rest}"


def item_name(state: GameState, item: Item) -> str:
    """Return what ``item`` is called by the hero of ``state``, with article or number."""
    return item_phrase(item_ref(state, item))


def item_label(state: GameState, item: Item) -> str:
    """Return what ``item`` is called, its number before it if there are several, no article."""
    thing = item_ref(state, item)
    return item_phrase(thing) if thing.count > 1 else item_name_bare(thing)


def stacked_refs(state: GameState, items: Iterable[Item]) -> list[ItemRef]:
    """Return ``items`` as they are known, alike ones as one of as many, in order of their first."""
    found: dict[str, ItemRef] = {}
    for item in items:
        thing = item_ref(state, item)
        name = item_name_bare(thing)
        count = thing.count + (found[name].count if name in found else 0)
        found[name] = replace(found.get(name, thing), count=count)
    return list(found.values())


def single_item_name(state: GameState, item: Item) -> str:
    """Return what one of ``item`` is called, with its article."""
    return item_phrase(replace(item_ref(state, item), count=1))


def is_worn(state: GameState, item: Item) -> bool:
    """Whether the hero wears ``item``."""
    return slot_of(state.hero, item) is not None


CAUSE_NAMES = {
    "trap": "dart trap",
    "shrine": "shrine",
    "burning": "fire",
    "fire": "fire",
    "lightning": "lightning",
    "cold": "cold",
    "lava": "lava",
    "wall": "wall",
    "water": "water",
    "thorns": "ring of thorns",
    "poisoned": "poison",
}
UNCOUNTABLE = {"fire", "lightning", "cold", "lava", "water", "poison"}
"""What there is no one of: one is killed by fire, not by a fire."""


CAUSE_VERBS = {
    "burning": "Flames burn",
    "fire": "Fire burns",
    "lightning": "Lightning strikes",
    "cold": "Cold bites",
    "lava": "Lava swallows",
    "wall": "The wall bruises",
    "water": "The water drags at",
    "thorns": "Thorns prick",
    "poisoned": "Poison gnaws at",
    "dart": "A dart strikes",
    "fall": "The fall hurts",
}
"""What that which hurts does, where there is a better word than that it hurts."""


def hurt_clause(cause: str, whom: str) -> str:
    """Return that ``cause`` hurts ``whom``: ``Fire burns the orc``."""
    return f"{CAUSE_VERBS.get(cause) or f'{creature_name(cause, start=True)} hurts'} {whom}"


def subject_and_verb(who: CreatureRef, verb: str) -> str:
    """Return subject and verb: ``You hit``, ``The orc hits``."""
    return f"{creature_name(who.kind, start=True)} {verb if who.kind == HERO else f'{verb}s'}"


def creature_name(kind: str, *, definite: bool = True, start: bool = False) -> str:
    """Return how a creature is called: ``you``, ``the orc``, ``an orc``."""
    if kind == HERO:
        return "You" if start else "you"
    name = CAUSE_NAMES.get(kind) or (trap_kinds().get(kind) or creature_kinds()[kind]).name
    if kind in creature_kinds() and creature_kinds()[kind].lair:
        return f"{name[0].upper()}{name[1:]}" if start else name
    if name in UNCOUNTABLE and not definite:
        return name
    article = "the" if definite else ("an" if name[0] in "aeiou" else "a")
    return f"{article.capitalize() if start else article} {name}"


FILE = "verbs.toml"
BARE_HANDS = "bare"
"""What is called a weapon where there is none."""

YouAndThey = tuple[str, str]
"""What is said of the hero, and what of another."""
HitVerbs = tuple[str, str, str]
"""What a light blow is called, a fair one and a heavy one."""


class StatusMessages(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is said when a status begins, and when it ends."""

    begins: YouAndThey
    ends: YouAndThey


class Verbs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words by the kinds of creatures, the weapons and the statuses they belong to."""

    blows: dict[str, str]
    weapons: dict[str, HitVerbs]
    missiles: HitVerbs
    calls: dict[str, str]
    statuses: dict[str, StatusMessages]


@cache
def verb_table(folder: Path = DATA) -> Verbs:
    """Return the words; raise `DataError` for those of nobody, and for what has to have some."""
    found = read_table(FILE, Verbs, folder)
    for section in ("blows", "calls"):
        for kind in getattr(found, section):
            if kind not in creature_kinds():
                raise DataError(f"data/{FILE}: [{section}]: {kind}: there is no such creature")
    weapons = {
        BARE_HANDS,
        *(name for name, kind in item_kinds().items() if kind.item_class == "weapon"),
    }
    for name in (*found.weapons, *sorted(weapons)):
        if name not in found.weapons or name not in weapons:
            raise DataError(f"data/{FILE}: [weapons]: {name}: there or in items.toml only")
    for name in (*found.statuses, *status_kinds()):
        if name not in found.statuses or name not in status_kinds():
            raise DataError(f"data/{FILE}: [statuses]: {name}: there or in statuses.toml only")
    return found


def attack_verb(kind: str) -> str:
    """Return what a blow of a ``kind`` of creature is called: ``bites``."""
    return verb_table().blows.get(kind, "hits")


def weapon_verb(weapon: str, force: int) -> str:
    """Return what the hero does with ``weapon``, by force from 0, light, to 2: ``slash``."""
    return verb_table().weapons[weapon][force]


def missile_verb(force: int) -> str:
    """Return what a missile does that strikes with ``force``: ``grazes``."""
    return verb_table().missiles[force]


def call_message(who: CreatureRef) -> str:
    """Return how ``who`` calls others."""
    verb = verb_table().calls.get(who.kind, "calls for help!")
    return f"{creature_name(who.kind, start=True)} {verb}"


def status_begins(who: CreatureRef, status: str) -> str:
    """Return that ``status`` has come over ``who``."""
    return _about_creature(verb_table().statuses[status].begins, who)


def status_ends(who: CreatureRef, status: str) -> str:
    """Return that ``status`` has left ``who``."""
    return _about_creature(verb_table().statuses[status].ends, who)


def _about_creature(said: YouAndThey, who: CreatureRef) -> str:
    text = said[who.kind != HERO]
    return text.format(who=creature_name(who.kind), Who=creature_name(who.kind, start=True))
