"""The vocabulary of requests in words, from data/words.toml: what a word or a phrase may mean."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, cached_property
from itertools import chain
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from entities.data_files import check_names, read_table
from entities.folders import USER_MARK
from procgen.level_code import FROM_FILE, LevelCode
from procgen.level_overlays import overlay_names, user_overlays
from procgen.metrics import Metrics
from procgen.recipes import recipes, user_recipes

WORDS_FILE = "words.toml"
ALIKE = 0.83
"""The least similarity, as `difflib` measures it, of a misspelt word to the one meant."""
SHORTEST = 4
"""Shorter words are not corrected: too many others look like them."""

Words = tuple[Annotated[str, Meta(pattern="^[a-z' ]+$", extra={"form": "letters a to z"})], ...]
Amount = Literal["much", "little", "none", "some"]
Comparison = Literal["==", ">=", "<=", ">", "<", "~", "in"]
_NUMBER, _OTHER = r"[0-9]+(?:\.[0-9]+)?%?", r"[^\s_\"'()?!:]"
_TOKEN = re.compile(rf"{USER_MARK}[a-z_]+|[^\W\d_]+(?:'[a-z]+)*|{_NUMBER}|{_OTHER}")
_ENDING = re.compile(r"(?<=[a-z]{3})(?:ness|ing|ied|ies|ly|ed|es|ys|er|s|y|e)$")


class _Kind(msgspec.Struct, forbid_unknown_fields=True):
    recipes: tuple[str, ...]
    words: Words


class _Overlay(msgspec.Struct, forbid_unknown_fields=True):
    overlay: str
    words: Words


class _Metric(msgspec.Struct, forbid_unknown_fields=True):
    metric: str
    words: Words
    count: bool = False
    amounts: tuple[str, str] = ("many", "few")
    much: Words = ()
    little: Words = ()


class _Size(msgspec.Struct, forbid_unknown_fields=True):
    size: tuple[int, int]
    words: Words


class _Rule(msgspec.Struct, forbid_unknown_fields=True):
    pattern: str
    order: tuple[int, ...]


class _Table(msgspec.Struct, forbid_unknown_fields=True):
    """The whole file."""

    called: dict[str, str]
    kind: tuple[_Kind, ...]
    overlay: tuple[_Overlay, ...]
    metric: tuple[_Metric, ...]
    size: tuple[_Size, ...]
    amount: dict[Amount, Words]
    compare: dict[Comparison, Words]
    number: dict[str, float]
    role: dict[str, tuple[str, ...]]
    rewritten: dict[str, str]
    rule: tuple[_Rule, ...]


@dataclass
class Term:
    """A word or phrase of a request, with everything that it may mean.

    ``traits`` are metrics of which it says much (1) or little (-1), ``noun`` the metric that a
    number before it counts, ``head`` that of the last word of "small rooms"; ``role`` is a letter
    of the patterns in [[rule]]. A word with no meaning is not understood.
    """

    text: str
    recipes: tuple[str, ...] = ()
    overlay: str = ""
    noun: str = ""
    count: bool = False
    head: str = ""
    traits: tuple[tuple[str, int], ...] = ()
    size: tuple[int, int] | None = None
    amount: Amount | None = None
    compare: Comparison | None = None
    numbers: tuple[float, ...] = ()
    role: str = ""

    @cached_property
    def letter(self) -> str:
        """Its letter in the patterns in [[rule]]; "u" if it is not understood."""
        meanings = [
            (self.numbers, "1"), (self.compare, "c"), (self.count, "N"), (self.noun, "P"),
            (self.recipes or self.head, "K"), (self.overlay or self.traits or self.size, "A"),
        ]  # fmt: skip
        letters = (letter for meaning, letter in meanings if meaning)
        return self.role or next(letters, (self.amount or "u")[0])


@dataclass
class Vocabulary:
    """Terms by phrase, and by the stems of its words; what the levels of recipes are called."""

    called: dict[str, str]
    metrics: dict[str, _Metric]
    rewritten: dict[str, str]
    rules: tuple[_Rule, ...]
    terms: dict[str, Term] = field(default_factory=dict)
    stems: dict[str, Term] = field(default_factory=dict)
    longest: int = 1

    def add(self, *phrases: str, **meaning: Any) -> None:
        """Add a meaning to each phrase; of two meanings of the same kind the first stays."""
        for phrase in phrases:
            term = self.terms.setdefault(phrase, Term(phrase))
            for name, value in meaning.items():
                if not getattr(term, name):
                    setattr(term, name, value)
            self.stems.setdefault(" ".join(map(stem, phrase.split())), term)
            self.longest = max(self.longest, len(phrase.split()))

    def adjective(self, overlay: str) -> str:
        """Return the first word for an overlay, its name if it has none of its own."""
        words = (word for word, term in self.terms.items() if term.overlay == overlay)
        return next(words, overlay.removeprefix(USER_MARK).replace("_", " "))

    def read(self, text: str) -> Iterator[Term]:
        """Yield the terms of a request: at each place the longest phrase that is known."""
        text = text.lower()
        for pattern, instead in self.rewritten.items():
            text = re.sub(pattern, instead, text)
        tokens = _TOKEN.findall(text)
        at = 0
        while at < len(tokens):
            for count in range(min(self.longest, len(tokens) - at), 0, -1):
                if term := self._find(tokens[at : at + count]):
                    break
            yield term or self._read_one(tokens[at])
            at += count

    def put_in_order(self, terms: list[Term]) -> None:
        """Apply each rule wherever it fits; a group with a minus sign is not understood."""
        for rule in self.rules:
            while found := re.search(rule.pattern, "".join(term.letter for term in terms)):
                groups = [(group < 0, *found.span(abs(group))) for group in rule.order]
                parts = [(lost, term) for lost, begin, end in groups for term in terms[begin:end]]
                terms[slice(*found.span())] = [Term(t.text) if lost else t for lost, t in parts]

    def knows(self, phrase: str) -> bool:
        """Return True if ``phrase`` means anything."""
        return self._find(phrase.split()) is not None

    def _find(self, words: list[str]) -> Term | None:
        """Return what a phrase means as it is written, or with other endings."""
        phrase = " ".join(words)
        return self.terms.get(phrase) or self.stems.get(" ".join(map(stem, words)))

    def _read_one(self, word: str) -> Term:
        """Return what a number, a misspelt word or a user's own name means."""
        if word[0].isdecimal():
            return Term(word, numbers=(float(word.rstrip("%")),))
        long = [phrase for phrase in self.terms if len(phrase) >= SHORTEST and " " not in phrase]
        known = [phrase for phrase in long if phrase[0] == word[0]]
        spellings = [text for text in (word, stem(word)) if len(text) >= SHORTEST]
        similar = [hit for text in spellings for hit in get_close_matches(text, known, 1, ALIKE)]
        if similar:
            return self.terms[similar[0]]
        own = f"{USER_MARK}{word.removeprefix(USER_MARK)}"
        recipe_names = (own,) if own in user_recipes().entries else ()
        return Term(word, recipe_names, own if own in user_overlays().entries else "")


def stem(word: str) -> str:
    """Return a word without its ending, so that "flooding" finds "flooded" (after Porter, 1980)."""
    return _ENDING.sub("", word)


@cache
def vocabulary() -> Vocabulary:
    """Return the vocabulary; raise `DataError` for an unknown recipe, overlay or metric."""
    table, where = read_table(WORDS_FILE, _Table), f"data/{WORDS_FILE}"
    metrics = [entry.metric for entry in table.metric]
    check_names(f"{where}: [kind]", chain(*(kind.recipes for kind in table.kind)), recipes())
    check_names(f"{where}: [called]", table.called, recipes())
    check_names(f"{where}: [overlay]", [one.overlay for one in table.overlay], overlay_names())
    check_names(f"{where}: [metric]", metrics, Metrics.__struct_fields__)
    entries = {entry.metric: entry for entry in table.metric}
    known = Vocabulary(table.called, entries, table.rewritten, table.rule)
    for name, phrase in table.called.items():
        known.add(phrase, recipes=(name,))
    for kind in table.kind:
        known.add(*kind.words, recipes=kind.recipes)
    for overlay in table.overlay:
        known.add(*overlay.words, overlay=overlay.overlay)
    for entry in table.metric:
        plurals = (f"{word}s" for word in entry.words)  # "Pillars" mean a hall, too.
        words = (*entry.words, *known.terms.keys() & plurals)
        known.add(*words, noun=entry.metric, count=entry.count)
    traits = [
        (word, (entry.metric, sign))
        for entry in table.metric
        for words, sign in ((entry.much, 1), (entry.little, -1))
        for word in words
    ]
    for word, _ in traits:  # A word may mean much or little of several metrics.
        last = known.terms.get(word.split()[-1].removesuffix("s")) if " " in word else None
        meant = tuple(trait for other, trait in traits if other == word)
        known.add(word, traits=meant, head=last.noun if last else "")
    for sized in table.size:
        known.add(*sized.words, size=sized.size)
    for kind_of_word in ("amount", "compare", "role"):
        for meaning, words in getattr(table, kind_of_word).items():
            known.add(*words, **{kind_of_word: meaning})
    for word, number in table.number.items():
        known.add(word, numbers=(float(number),))
    for name in recipes():
        if "." not in name and not known.knows(name.replace("_", " ")):
            known.add(name.replace("_", " "), recipes=(name,))
    return known


def level_phrase(code: LevelCode, adjective: str = "") -> str:
    """Return what a level is called, with ``adjective`` and its overlays: ``a flooded keep``."""
    known = vocabulary()
    overlays = [known.adjective(text.partition(".")[0]) for text in code.overlays]
    name = code.recipe.removeprefix(USER_MARK).replace("_", " ")
    default = "level" if code.recipe == FROM_FILE else f"level of {name}"
    called = f"part of the {name}" if code.place else known.called.get(code.recipe, default)
    name = " ".join([", ".join([*filter(None, [adjective]), *overlays]), called]).strip()
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
