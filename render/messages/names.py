"""Names of items and creatures, with articles and plurals, and the verbs used with them.

An unidentified item is named by its look. Verbs and pronouns come from data/verbs.toml.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Literal, NamedTuple

import msgspec

from components.inventory import Item
from engine.state.events import ItemRef
from engine.state.game_state import GameState
from engine.state.identification import item_ref
from entities.creature_kinds import HERO, creature_kinds
from entities.data_files import DataError, check_names, read_table
from entities.item_kinds import item_classes, item_kinds
from entities.statuses import status_kinds
from entities.trap_kinds import trap_kinds
from procgen.level_code import FROM_FILE, LevelCode
from procgen.level_overlays import overlays_in_words
from render.ui.palette import theme_name_at_depth

UNCOUNTABLE_ENDINGS = ("armour", "mail", "silk")


def item_name_bare(item: ItemRef) -> str:
    """Return the name of one such item without article: ``ruby potion``, ``sword +1``."""
    kind = item_kinds()[item.kind]
    if item.look:
        return f"{item.look} {item_classes()[kind.item_class].name}"
    name = item_kind_name(item.kind)
    if item.identified and item.bonus:
        name = f"{name} {item.bonus:+}"
    if item.identified and kind.charges[1]:
        name = f"{name} ({item.charges})"
    return name


def item_kind_name(name: str) -> str:
    """Return what an identified item of this kind is called: ``potion of healing``, ``sword``."""
    kind = item_kinds()[name]
    item_class = item_classes()[kind.item_class]
    return f"{item_class.name} of {kind.name}" if item_class.looks else kind.name


def item_phrase(item: ItemRef) -> str:
    """Return the name of ``item`` with its article or number: ``a dagger``, ``3 darts``."""
    name = item_name_bare(item)
    if item.count > 1:
        return f"{item.count} {plural(name)}"
    article = "an" if name[0] in "aeiou" else "a"
    uncountable = item_kinds()[item.kind].name.endswith(UNCOUNTABLE_ENDINGS)
    return name if uncountable else f"{article} {name}"


def plural(name: str) -> str:
    """Return the plural of ``name``: ``darts``, ``scrolls of fear``, ``jellies``, ``bows +1``."""
    head = re.split(" of | with | [+-][0-9]", name)[0]
    if head.endswith(UNCOUNTABLE_ENDINGS):
        return f"suits of {name}"
    ending = "es" if head.endswith(("s", "sh", "ch")) else "s"
    return (f"{head[:-1]}ies" if head.endswith("ly") else head + ending) + name[len(head) :]


def item_name(state: GameState, item: Item) -> str:
    """Return the name of ``item`` as the hero knows it, with article or number."""
    return item_phrase(item_ref(state, item))


def item_label(item: ItemRef) -> str:
    """Return the name of ``item`` for a list: with its number if there are several, no article."""
    return item_phrase(item) if item.count > 1 else item_name_bare(item)


def stacked_refs(state: GameState, items: Iterable[Item]) -> list[ItemRef]:
    """Return ``items`` as the hero knows them, in order, stacked if they have the same name."""
    stacks: dict[str, ItemRef] = {}
    for item in items:
        ref = item_ref(state, item)
        name = item_name_bare(ref)
        count = ref.count + (stacks[name].count if name in stacks else 0)
        stacks[name] = replace(stacks.get(name, ref), count=count)
    return list(stacks.values())


def pile_name(state: GameState, x: int, y: int) -> str:
    """Return what the items on (x, y) are called: ``a dagger and 2 more``, "" without any."""
    if not (pile := state.map.shown_items().get((x, y))):
        return ""
    top, *others = stacked_refs(state, reversed(pile))
    return item_phrase(top) + (f" and {sum(it.count for it in others)} more" if others else "")


def single_item_name(state: GameState, item: Item) -> str:
    """Return the name of one of the stack ``item``, with its article."""
    return item_phrase(replace(item_ref(state, item), count=1))


def creature_name(kind: str, *, definite: bool = True, start: bool = False) -> str:
    """Return a name for a creature or cause, ``the orc`` or ``an orc``; ``start``s a sentence."""
    if kind == HERO:
        return "You" if start else "you"
    known = trap_kinds().get(kind) or creature_kinds().get(kind)  # Others by the word of the rules.
    name = verb_table().causes.get(kind) or (known.name if known else kind.replace("_", " "))
    if kind in creature_kinds() and creature_kinds()[kind].lair:
        return f"{name[0].upper()}{name[1:]}" if start else name
    if name in verb_table().uncountable and not definite:
        return name
    article = "the" if definite else ("an" if name[0] in "aeiou" else "a")
    return f"{article.capitalize() if start else article} {name}"


VERBS_FILE = "verbs.toml"
BARE_HANDS = "bare"
"""The entry of [weapons] for a hero without a weapon."""

YouAndThey = tuple[str, str]
"""A sentence about the hero, and the same sentence about another creature."""
HitVerbs = tuple[str, str, str]
"""Verbs for a light, a fair and a heavy hit."""


class Pronoun(NamedTuple):
    """The forms of a pronoun: ``she``, ``her``, ``her``."""

    subject: str
    object: str
    possessive: str


IT, YOU = Pronoun("it", "it", "its"), Pronoun("you", "you", "your")
PRONOUNS = {"he": Pronoun("he", "him", "his"), "she": Pronoun("she", "her", "her")}


class StatusMessages(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Messages when a status begins, and when it ends."""

    begins: YouAndThey
    ends: YouAndThey


class Verbs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of data/verbs.toml: words by kind of creature, weapon, item and status.

    ``blows`` are verbs of melee hits, ``calls`` predicates (``howls for its pack!``), ``breaks``
    what a thrown item does where it lands.
    """

    blows: dict[str, str]
    causes: dict[str, str]
    uncountable: frozenset[str]
    weapons: dict[str, HitVerbs]
    missiles: HitVerbs
    calls: dict[str, str]
    pronouns: dict[str, Literal["he", "she"]]
    breaks: dict[str, str]
    statuses: dict[str, StatusMessages]


@cache
def verb_table() -> Verbs:
    """Return the verbs; raise `DataError` for an unknown name, or one that has no entry."""
    verbs = read_table(VERBS_FILE, Verbs)
    weapons = {name for name, kind in item_kinds().items() if kind.item_class == "weapon"}
    partial = {section: {*creature_kinds()} for section in ("blows", "calls", "pronouns")}
    complete = {"weapons": weapons | {BARE_HANDS}, "statuses": {*status_kinds()}}
    for section, kinds in {**partial, "breaks": {*item_kinds()}, **complete}.items():
        check_names(f"data/{VERBS_FILE}: [{section}]", entries := getattr(verbs, section), kinds)
        if section in complete and (missing := kinds - {*entries}):
            raise DataError(f"data/{VERBS_FILE}: [{section}]: {min(missing)!r} has no entry")
    return verbs


def pronoun(kind: str) -> Pronoun:
    """Return the pronoun of a ``kind`` of creature: it, unless data/verbs.toml says otherwise."""
    return YOU if kind == HERO else PRONOUNS.get(verb_table().pronouns.get(kind, ""), IT)


def place_name(code: LevelCode, theme_name: str) -> str:
    """Return what a level is called: the name of its theme, and its overlays."""
    if code.recipe == FROM_FILE:
        return "From a file"
    name, overlays = theme_name_at_depth(theme_name, code.depth), overlays_in_words(code)
    return f"{name}, {overlays}" if overlays else name
