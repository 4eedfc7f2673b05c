"""Requests in words, such as "a flooded keep with one loop": what they ask for.

Parsing is local and deterministic: it looks up phrases in a vocabulary, and in one pass assigns
numbers and amounts to metrics. Words that are not understood are kept, to be reported.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from procgen.level_code import LONGEST_SIDE, LevelCode
from procgen.metrics import LazyMetrics, Metrics, format_metric, is_share, position
from procgen.recipes import TooSmall, current_recipes, find_recipe
from procgen.vocabulary import Amount, Comparison, Term, Vocabulary, vocabulary

MULTIPLES = {"dozen", "hundred", "thousand", "percent"}
TENS = range(20, 100, 10)
LARGEST_NUMBER = LONGEST_SIDE**2
"""The tiles of the largest level: no number of a request is higher."""
_OPPOSITE: dict[Amount, Amount] = {"much": "little", "little": "much"}
"""The amounts that "not many" and "not few" mean."""


MetricValues = Metrics | LazyMetrics


@dataclass(frozen=True)
class Wish:
    """One thing asked of a metric: ``relation`` is a comparison, or "in" a range, or "+" or "-".

    "+" is as much as possible, "-" as little, "~" about that much: these can be met more or less
    well. All others are conditions that a level must meet.
    """

    metric: str
    relation: str
    numbers: tuple[float, ...] = ()

    def __str__(self) -> str:
        if self.relation in {"+", "-"}:
            much, little = vocabulary().metrics[self.metric].amounts
            return f"{much if self.relation == '+' else little} {self.metric.replace('_', ' ')}"
        shown = [f"{number:.12g}" for number in self.numbers]
        if self.relation == "in":
            return f"{shown[0]} <= {self.metric} <= {shown[1]}"
        return f"{self.metric} {self.relation} {shown[0]}"

    @property
    def is_condition(self) -> bool:
        """True if a level either meets it or does not."""
        return self.relation not in {"+", "-", "~"}

    def holds(self, value: float) -> bool:
        """Return True if ``value`` is as asked for."""
        low, high = self._bounds()
        strict = self.relation in {"<", ">"}
        return low <= value <= high and not (strict and value in self.numbers)

    def cost(self, value: float, width: int, height: int) -> float:
        """Return how far ``value`` is from what is asked for, on a map of that size; 0 at best."""
        place = position(self.metric, value, width, height)
        if not self.numbers:
            return (1 - place if self.relation == "+" else place) / 2
        low, high = self._bounds()
        nearest = position(self.metric, min(max(value, low), high), width, height)
        return abs(place - nearest) + (self.is_condition and not self.holds(value))

    def _bounds(self) -> tuple[float, float]:
        if self.relation == "in":
            return self.numbers[0], self.numbers[1]
        number = self.numbers[0] if self.numbers else 0.0
        low = number if self.relation in {"==", "~", ">=", ">"} else float("-inf")
        return low, number if self.relation in {"==", "~", "<=", "<"} else float("inf")


@dataclass
class WordQuery:
    """The kinds of level and the wishes that a request names.

    ``recipes`` are those meant, the likeliest first (none: all); ``size_word`` is the word that
    asked for the ``size``, ``unknown`` are the words that were not understood.
    """

    recipes: tuple[str, ...] = ()
    overlays: list[str] = field(default_factory=list)
    wishes: list[Wish] = field(default_factory=list)
    size: tuple[int, int] | None = None
    size_word: str = ""
    unknown: list[str] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """True if nothing is asked for."""
        return not (self.recipes or self.overlays or self.wishes or self.size)

    @property
    def generators(self) -> list[str]:
        """The names of the recipes with the overlays."""
        names = self.recipes or [recipe.name for recipe in current_recipes()]
        combined = [dict.fromkeys([*name.split("+"), *self.overlays]) for name in names]
        return [*dict.fromkeys(map("+".join, combined))]

    @property
    def kinds(self) -> str:
        """The recipes with the overlays, as `--generator` takes them."""
        return ",".join(self.generators) if self.recipes else "+".join(["all", *self.overlays])

    @property
    def where(self) -> str:
        """The conditions, as `find --where` takes them."""
        return " and ".join(str(wish) for wish in self.wishes if wish.is_condition)

    def is_met(self, metrics: MetricValues) -> bool:
        """Return True if a level with these metrics meets all conditions."""
        return all(w.holds(getattr(metrics, w.metric)) for w in self.wishes if w.is_condition)

    def codes(self, depth: int, size: tuple[int, int] | None) -> list[LevelCode]:
        """Return the code of seed 0 of each recipe; raise `TooSmall` if none can be that small."""
        codes, faults = list[LevelCode](), list[TooSmall]()
        for recipe in map(find_recipe, self.generators):
            wanted = size
            if self.size and not size:  # A word gives way to what the recipe needs.
                least = recipe.smallest
                wanted = max(self.size[0], least[0]), max(self.size[1], least[1])
            try:
                codes.append(recipe.code(0, depth, wanted))
            except TooSmall as small:
                faults.append(small)
        if faults and not codes:
            raise faults[0]
        return codes

    def cost(self, code: LevelCode, metrics: MetricValues) -> float:
        """Return how far a level is from what is asked for; 0 at best."""
        kind = 0.0
        if self.recipes:  # So small that it counts between equals only.
            kind = self.recipes.index(code.recipe) / 1e6 if code.recipe in self.recipes else 2.0
        present = {text.partition(".")[0] for text in code.overlays}
        size = code.width, code.height
        wishes = (wish.cost(getattr(metrics, wish.metric), *size) for wish in self.wishes)
        return kind + len(present ^ set(self.overlays)) + sum(wishes)

    def __str__(self) -> str:
        size = [f"{self.size_word} ({self.size[0]}x{self.size[1]})"] if self.size else []
        return "; ".join([self.kinds.replace(",", ", "), *size, *map(str, self.wishes)])


@dataclass
class NearestLevels:
    """Measures levels by a request, and notes the nearest value of each condition."""

    query: WordQuery
    tried: int = 0
    nearest: dict[Wish, tuple[float, float]] = field(default_factory=dict)
    met: bool = False
    """True once some level meets all conditions."""

    def add(self, code: LevelCode, metrics: MetricValues) -> float:
        """Return how far a level is from the request."""
        self.tried += 1
        self.met |= self.query.is_met(metrics)
        for wish in filter(lambda wish: wish.is_condition, self.query.wishes):
            value = getattr(metrics, wish.metric)
            away = wish.cost(value, code.width, code.height), value
            self.nearest[wish] = min(away, self.nearest.get(wish, away))
        return self.query.cost(code, metrics)

    def unmet(self) -> list[str]:
        """Return a sentence for each condition that none of the levels meets."""
        unmet = [
            f"no level of {self.tried:,} has {wish}: the nearest has "
            f"{format_metric(wish.metric, value)}"
            for wish, (_, value) in self.nearest.items()
            if not wish.holds(value)
        ]
        if unmet or self.met or not self.tried:
            return unmet
        return [f"each of these is met, but no level of {self.tried:,} meets {self.query.where}"]


def parse_words(text: str) -> WordQuery:
    """Return what a request in words asks for; raise `ValueError` if it compares two things."""
    known = vocabulary()
    terms = [term for term in known.read(text) if not term.ignored]
    query = _Reader(known).read(_shared_nouns(_numbers_first(terms)))
    if "than" in query.unknown:  # Half of it would be read as the opposite.
        raise ValueError('"than" is understood before a number only, as in "more than 5 rooms"')
    return query


@dataclass
class _Reader:
    """Reads terms from left to right; keeps numbers and amounts for the next metric."""

    known: Vocabulary
    query: WordQuery = field(default_factory=WordQuery)
    kinds: list[tuple[str, ...]] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)
    compare: Comparison | None = None
    amount: Amount | None = None
    denied: bool = False
    """True if "or" denies what follows, too."""

    def read(self, terms: Sequence[Term]) -> WordQuery:
        """Return the query of all terms."""
        for at, term in enumerate(terms):
            before = terms[at - 1] if at else term
            self._take(term, terms[at + 1 :], before)
        self._leave()
        self.query.recipes = _recipes_meant(self.kinds)
        return self.query

    def _take(self, term: Term, rest: Sequence[Term], before: Term) -> None:
        """Read ``term``, the next one after ``before``, with the ``rest`` still to come."""
        is_count = bool(term.noun) and self.known.metrics[term.noun].count
        if term.number is not None:
            if (before.number or 0) in TENS and 1 <= term.number < 10 and term.text.isalpha():
                self.numbers[-1] += term.number  # "Twenty-five".
            elif self.numbers and term.text in MULTIPLES:
                self.numbers[-1] *= term.number  # "Two hundred".
            else:
                self.numbers.append(term.number)
            if self.numbers[-1] > LARGEST_NUMBER:
                raise ValueError(f"a number above {LARGEST_NUMBER:,} is more than any level has")
        elif term.noun and before.traits and not (self._waiting or is_count):
            return  # "A winding path" says no more of the path than "winding".
        elif term.noun and (self._waiting or not (term.recipes or term.overlay)):
            self._ask(term.noun)
        elif term.amount and (term.amount in {"none", "some"} or _noun_follows(rest)):
            denied = self.amount == "none" and term.amount in {"much", "little"}
            self.amount = _OPPOSITE[term.amount] if denied else term.amount
        elif term.compare:
            self.compare = term.compare
        elif term.overlay or term.recipes or term.traits or term.size:
            self._describe(term)
        elif term.again:
            self.amount = "none" if self.denied else self.amount
        elif term.breaks:
            self._leave()
        elif not term.understood:
            self.query.unknown.append(term.text)

    @property
    def _waiting(self) -> bool:
        """True if a number or an amount waits for its metric."""
        return bool(self.numbers or self.amount)

    def _describe(self, term: Term) -> None:
        """Read an adjective or a kind of level; "no" before it negates it."""
        last = self.known.terms.get(term.text.split()[-1].removesuffix("s"))
        if " " in term.text and last and last.noun and self._waiting:
            self._ask(last.noun)  # "Many small rooms" are many, and small.
        denied = self.amount == "none"
        for metric, sign in term.traits if not (term.overlay or term.recipes) else ():
            self._wish(Wish(metric, "-" if (sign > 0) == denied else "+"))
        if not denied and term.overlay and term.overlay not in self.query.overlays:
            self.query.overlays.append(term.overlay)
        if term.recipes and denied:
            self.query.unknown.append(f"no {term.text}")
        elif term.recipes:
            self.kinds.append(term.recipes)
        if not denied and not term.traits and term.size:
            self.query.size, self.query.size_word = term.size, term.text
        if term.recipes:
            self._leave()
        self.compare, self.amount = self.compare if self.numbers else None, None
        self.denied = denied

    def _ask(self, metric: str) -> None:
        """Ask for the metric as the words before it say."""
        is_count, numbers = self.known.metrics[metric].count, tuple(self.numbers)
        if self.amount == "little" and self.compare in {">=", ">"}:
            self.amount = None  # "At least a few".
        if len(numbers) > 1:
            self._wish(Wish(metric, "in", tuple(sorted(numbers[-2:]))))
        elif numbers and not (numbers == (1,) and not is_count and not self.compare):
            self._wish(Wish(metric, self.compare or ("==" if is_count else "~"), numbers))
        elif self.amount == "none" and (is_count or (is_share(metric) and metric != "floor")):
            self._wish(Wish(metric, "==", (0,)))
        elif self.amount in {"little", "none"}:
            self._wish(Wish(metric, "-"))
        elif is_count and self.amount != "much":
            self._wish(Wish(metric, ">=", (1,)))
        else:
            self._wish(Wish(metric, "+"))
        self._clear()

    def _wish(self, wish: Wish) -> None:
        """Add a wish; a number replaces "much" or "any" of the same: "a path of 120 steps"."""
        vague = {Wish(wish.metric, "+"), Wish(wish.metric, "-"), Wish(wish.metric, ">=", (1,))}
        dropped = {wish, *(vague if wish.numbers else ())}
        others = [old for old in self.query.wishes if old not in dropped]
        self.query.wishes = [*others, wish]

    def _leave(self) -> None:
        """Report numbers without a metric as unknown, except for the "one" of "one keep"."""
        if self.numbers != [1]:
            self.query.unknown += [f"{number:.12g}" for number in self.numbers]
        self._clear()

    def _clear(self) -> None:
        self.denied = self.amount == "none"
        self.numbers, self.compare, self.amount = [], None, None


def _numbers_first(terms: list[Term]) -> list[Term]:
    """Return the terms with numbers before metrics: "doors at most 3" as "at most 3 doors"."""
    for at in range(len(terms) - 2):
        (noun, compare, number), after = terms[at : at + 3], terms[at + 3 : at + 5]
        taken = after and after[0].noun and not (after[1:] and after[1].compare)
        if noun.noun and compare.compare and number.number is not None and not taken:
            terms[at : at + 3] = compare, number, noun
    return terms


def _shared_nouns(terms: list[Term]) -> list[Term]:
    """Return the terms with a metric for each of two limits: "at least 2 but at most 5 rooms"."""
    for at in range(len(terms) - 4, -1, -1):
        compare, number, *rest = terms[at:]
        limit = rest[1:4] if rest[0].breaks or rest[0].again else rest[:3]
        if compare.compare and number.number is not None and len(limit) == 3:
            other, most, noun = limit
            if other.compare and most.number is not None and noun.noun:
                terms.insert(at + 2, noun)
    return terms


def _noun_follows(rest: Sequence[Term]) -> bool:
    """Return True if the next word not left out is a metric: "long" in "a long, dark detour"."""
    for term in rest:
        if term.noun or (term.traits and " " in term.text):
            return True
        if not (term.ignored or term.amount or term.overlay or term.again):
            return False
    return False


def _recipes_meant(kinds: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the recipes that all words for kinds mean; those of any if there are none."""
    if not kinds:
        return ()
    common = [name for name in kinds[0] if all(name in others for others in kinds)]
    ranks: dict[str, int] = {}
    for names in [tuple(common)] if common else kinds:
        for rank, name in enumerate(names):
            ranks[name] = min(rank, ranks.get(name, rank))
    return tuple(sorted(ranks, key=ranks.__getitem__))
