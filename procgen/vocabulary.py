"""The vocabulary of requests in words, from data/words.toml: what a word or a phrase may mean."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from entities.data_files import DATA, check_names, read_table
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

Words = tuple[Annotated[str, Meta(pattern="^[a-z' ]+$")], ...]
Amount = Literal["much", "little", "none", "some"]
Comparison = Literal["==", ">=", "<=", ">", "<", "~"]
SIGNS = {">=": "at least", "<=": "at most", "==": "exactly", ">": "over", "<": "under"}
REWRITTEN = {
    r"(?<=[0-9]),(?=[0-9]{3}\b)": "",
    r"(?<=[0-9]) *per ?cent\b": "%",
    r"\bhalf\b": "50%",
    r"([0-9]+)\+": r"at least \1",
    r": *(?=[0-9])": " exactly ",
}
"""Patterns for ways to give a number, and what replaces each."""
_TOKEN = re.compile(rf"{USER_MARK}[a-z_]+|[a-z]+(?:'[a-z]+)*|[0-9]+(?:\.[0-9]+)?%?|[,;.]")
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
    ignored: dict[Literal["words", "breaks", "again"], Words]


@dataclass
class Term:
    """A word or phrase of a request, with everything that it may mean.

    ``traits`` are metrics of which it says much (1) or little (-1), ``noun`` the metric that a
    number before it counts. A word with no meaning is not understood.
    """

    text: str
    recipes: tuple[str, ...] = ()
    overlay: str = ""
    noun: str = ""
    traits: tuple[tuple[str, int], ...] = ()
    size: tuple[int, int] | None = None
    amount: Amount | None = None
    compare: Comparison | None = None
    number: float | None = None
    ignored: bool = False
    breaks: bool = False
    again: bool = False

    @property
    def understood(self) -> bool:
        """True if it means anything."""
        return self != Term(self.text)


@dataclass
class Vocabulary:
    """Terms by phrase, and by the stems of its words; what the levels of recipes are called."""

    called: dict[str, str]
    metrics: dict[str, _Metric]
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
        text = text.lower().replace("-", " ")
        for pattern, instead in REWRITTEN.items():
            text = re.sub(pattern, instead, text)
        for sign, words in SIGNS.items():
            text = text.replace(sign, f" {words} ")
        tokens = _TOKEN.findall(text)
        at = 0
        while at < len(tokens):
            for count in range(min(self.longest, len(tokens) - at), 0, -1):
                if term := self._find(tokens[at : at + count]):
                    break
            yield term or self._read_one(tokens[at])
            at += count

    def knows(self, phrase: str) -> bool:
        """Return True if ``phrase`` means anything."""
        return self._find(phrase.split()) is not None

    def _find(self, words: list[str]) -> Term | None:
        """Return what a phrase means as it is written, or with other endings."""
        phrase = " ".join(words)
        return self.terms.get(phrase) or self.stems.get(" ".join(map(stem, words)))

    def _read_one(self, word: str) -> Term:
        """Return what a number, a punctuation mark, a misspelt word or a user's own name means."""
        if word[0].isdigit():
            share = word.endswith("%")
            return Term(word, number=float(word.rstrip("%")) / (100 if share else 1))
        if word in ",;.":
            return Term(word, breaks=True)
        known = [phrase for phrase in self.terms if phrase[0] == word[0] and " " not in phrase]
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
def vocabulary(folder: Path = DATA) -> Vocabulary:
    """Return the vocabulary; raise `DataError` for an unknown recipe, overlay or metric."""
    table, where = read_table(WORDS_FILE, _Table, folder), f"data/{WORDS_FILE}"
    metrics = [entry.metric for entry in table.metric]
    check_names(f"{where}: [kind]", chain(*(kind.recipes for kind in table.kind)), recipes())
    check_names(f"{where}: [called]", table.called, recipes())
    check_names(f"{where}: [overlay]", [one.overlay for one in table.overlay], overlay_names())
    check_names(f"{where}: [metric]", metrics, Metrics.__struct_fields__)
    known = Vocabulary(table.called, {entry.metric: entry for entry in table.metric})
    for name, phrase in table.called.items():
        known.add(phrase, recipes=(name,))
    for kind in table.kind:
        known.add(*kind.words, recipes=kind.recipes)
    for overlay in table.overlay:
        known.add(*overlay.words, overlay=overlay.overlay)
    for entry in table.metric:
        plurals = (f"{word}s" for word in entry.words)  # "Pillars" mean a hall, too.
        known.add(*entry.words, *known.terms.keys() & plurals, noun=entry.metric)
    traits = [
        (word, (entry.metric, sign))
        for entry in table.metric
        for words, sign in ((entry.much, 1), (entry.little, -1))
        for word in words
    ]
    for word, _ in traits:  # A word may mean much or little of several metrics.
        known.add(word, traits=tuple(trait for other, trait in traits if other == word))
    for sized in table.size:
        known.add(*sized.words, size=sized.size)
    for amount, words in table.amount.items():
        known.add(*words, amount=amount)
    for compare, words in table.compare.items():
        known.add(*words, compare=compare)
    for word, number in table.number.items():
        known.add(word, number=float(number))
    for name in recipes():
        if "." not in name and not known.knows(name.replace("_", " ")):
            known.add(name.replace("_", " "), recipes=(name,))
    known.add(*table.ignored["words"], ignored=True)
    known.add(*table.ignored["breaks"], breaks=True)
    known.add(*table.ignored["again"], again=True)
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
