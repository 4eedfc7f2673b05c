"""Requests in words, such as "a flooded keep with one loop": what they ask for.

Parsing is local and deterministic: it looks up phrases in a vocabulary, and in one pass assigns
numbers and amounts to metrics. Words that are not understood are kept, to be reported.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from procgen.level_code import LONGEST_SIDE, LevelCode
from procgen.metrics import COUNT_METRICS, LazyMetrics, Metrics, format_metric, is_share, position
from procgen.recipes import TooSmall, current_recipes, find_recipe
from procgen.vocabulary import Amount, Comparison, Term, Vocabulary, vocabulary

MULTIPLES = {"dozen", "hundred", "thousand", "half", "third", "quarter"}
LARGEST_NUMBER = LONGEST_SIDE**2
"""The tiles of the largest level: no number of a request is higher."""
_OPPOSITE: dict[Amount, Amount] = {"much": "little", "little": "much"}
"""The amounts that "not many" and "not few" mean."""
_CONTRARY = {">": "<=", "<": ">=", ">=": "<", "<=": ">"}
"""The comparisons that "not over 5" and the like mean."""


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
    terms = _whole_numbers([term for term in known.read(text) if term.role != " "])
    known.put_in_order(terms)
    query = _Reader(known).read(terms)
    if "than" in query.unknown:  # Half of it would be read as the opposite.
        raise ValueError('"than" is understood before a number only, as in "more than 5 rooms"')
    return query


@dataclass
class _Reader:
    """Reads terms from left to right; keeps numbers and amounts for the next metric."""

    known: Vocabulary
    query: WordQuery = field(default_factory=WordQuery)
    kinds: list[tuple[str, ...]] = field(default_factory=list)
    numbers: list[Term] = field(default_factory=list)
    compare: Comparison | None = None
    amount: Amount | None = None
    denied: bool = False
    """True after an adjective that is denied: "no narrow bridges" asks for no bridges."""

    def read(self, terms: Sequence[Term]) -> WordQuery:
        """Return the query of all terms."""
        for at, term in enumerate(terms):
            self._take(term, terms[at + 1 :], terms[max(0, at - 1)])
        self._leave()
        self.query.recipes = _recipes_meant(self.kinds)
        return self.query

    def _take(self, term: Term, rest: Sequence[Term], before: Term) -> None:
        """Read ``term``, the next one after ``before``, with the ``rest`` still to come."""
        denied, self.denied = self.denied, False
        if term.numbers:
            self.numbers.append(term)
            if term.numbers[0] > LARGEST_NUMBER:
                raise ValueError(f"a number above {LARGEST_NUMBER:,} is more than any level has")
        elif term.noun and before.traits and not (self._waiting or (term.count and not denied)):
            return  # "A winding path" says no more of the path than "winding".
        elif term.noun and (self._waiting or not (term.recipes or term.overlay)):
            self._ask(term.noun)
        elif term.amount and (term.amount in {"none", "some"} or _noun_follows(rest)):
            contrary = self.amount == "none" and term.amount in {"much", "little"}
            self.amount = _OPPOSITE[term.amount] if contrary else term.amount
        elif term.compare and rest and (rest[0].numbers or rest[0].amount):
            self.compare = term.compare
        elif term.compare in _CONTRARY:
            self.query.unknown.append("than" if term.text.endswith("than") else term.text)
        elif term.overlay or term.recipes or term.traits or term.size:
            self._describe(term)
        elif term.role in {",", "."}:
            self._leave()
        elif term.letter == "u":
            self.query.unknown.append(term.text)

    @property
    def _waiting(self) -> bool:
        """True if a number or an amount waits for its metric."""
        return bool(self.numbers or self.amount)

    def _describe(self, term: Term) -> None:
        """Read an adjective or a kind of level; "no" before it negates it."""
        denied = self.denied = self.amount == "none"
        if term.head and self._waiting and not denied:
            self._ask(term.head)  # "Many small rooms" are many, and small.
        for metric, sign in term.traits if not (term.overlay or term.recipes) else ():
            self._wish(Wish(metric, "-" if (sign > 0) == denied else "+"))
        if not denied and term.overlay and term.overlay not in self.query.overlays:
            self.query.overlays.append(term.overlay)
        if denied and (term.recipes or (term.size and not term.traits)):
            self.query.unknown.append(f"no {term.text}")
        elif term.recipes:
            self.kinds.append(term.recipes)
        elif term.size and not term.traits:
            self.query.size, self.query.size_word = term.size, term.text
        if term.recipes:
            self._leave()
        self.compare, self.amount = self.compare if self.numbers else None, None

    def _ask(self, metric: str) -> None:
        """Ask for the metric as the words before it say."""
        is_count = self.known.metrics[metric].count
        one = not self.compare and [term.text for term in self.numbers] in (["one"], ["single"])
        if self.amount == "little" and self.compare in {">=", ">"}:
            self.amount = None  # "At least a few".
        if self.numbers and not (one and (self.amount == "none" or not is_count)):
            self._limit(metric)
        elif self.amount == "none" and (is_count or (is_share(metric) and metric != "floor")):
            self._wish(Wish(metric, "==", (0,)))
        elif self.amount in {"little", "none"}:
            self._wish(Wish(metric, "-"))
        elif is_count and self.amount != "much":
            self._wish(Wish(metric, ">=", (1,)))
        else:
            self._wish(Wish(metric, "+"))
        self._clear()

    def _limit(self, metric: str) -> None:
        """Ask for a number or a range of the metric; report what cannot be asked for."""
        percent = any(term.text.endswith("%") for term in self.numbers)
        numbers = sorted(term.numbers[0] / (100 if percent else 1) for term in self.numbers)
        usual = "==" if self.known.metrics[metric].count else "~"
        relation = "in" if numbers[1:] else self.compare or usual
        if self.amount == "none":
            relation = _CONTRARY.get(relation, "")
        whole = metric not in COUNT_METRICS or all(number.is_integer() for number in numbers)
        fits = bool(relation) and whole and percent <= is_share(metric)
        fits &= (relation == "in") == (len(numbers) == 2)
        things = is_share(metric) and not percent and numbers[-1] >= 1  # "Three lakes".
        if things and relation in {"==", "~", ">=", ">", "in"}:
            self._wish(Wish(metric, ">", (0,)))
            fits = numbers == [1] and relation != ">"
        elif fits and not things:
            self._wish(Wish(metric, relation, tuple(numbers)))
        if not fits or (things and relation in {"<", "<="}):
            self._report_numbers()

    def _wish(self, wish: Wish) -> None:
        """Add a wish; a number replaces "much" or "any" of the same: "a path of 120 steps"."""
        vague = {Wish(wish.metric, "+"), Wish(wish.metric, "-"), Wish(wish.metric, ">=", (1,))}
        dropped = {wish, *(vague if wish.numbers else ())}
        others = [old for old in self.query.wishes if old not in dropped]
        if wish not in vague or all(old.metric != wish.metric or not old.numbers for old in others):
            others.append(wish)
        self.query.wishes = others

    def _leave(self) -> None:
        """Report numbers without a metric as unknown, except for the "one" of "one keep"."""
        if [term.numbers for term in self.numbers] != [(1,)]:
            self._report_numbers()
        self._clear()

    def _report_numbers(self) -> None:
        for term in self.numbers:
            self.query.unknown.append(f"{term.numbers[0]:.12g}{'%' * term.text.endswith('%')}")

    def _clear(self) -> None:
        self.numbers, self.compare, self.amount = [], None, None


def _whole_numbers(terms: list[Term]) -> list[Term]:
    """Return the terms with each number as one: "two hundred and fifty", "forty percent"."""
    for at in range(len(terms) - 1, -1, -1):
        term, left, rest = terms[at], terms[max(0, at - 1)], [*terms[at + 1 : at + 3], Term("")]
        more = rest[joins := rest[0].role == "&"]
        for number in term.numbers:
            units = (u for u in (1000, 100, 10, 1) if number >= u and number % u == 0)
            unit = next(units, 0) if term.text.isalpha() else 0
            if at and left.numbers and term.text in MULTIPLES:
                text = left.text if left.text in MULTIPLES else f"{term.text}s"
                terms[at - 1 : at + 1] = [Term(text, numbers=(left.numbers[0] * number,))]
            elif more.numbers and more.numbers[0] < unit and (unit > 10 or not joins):
                terms[at : at + 2 + joins] = [Term(more.text, numbers=(number + more.numbers[0],))]
            elif more.role == "%":
                terms[at : at + 2] = [Term("%", numbers=term.numbers)]
    return terms


def _noun_follows(rest: Sequence[Term]) -> bool:
    """Return True if the next word not left out is a metric: "long" in "a long, dark detour"."""
    kept = [t for t in rest if t.noun or not (t.amount or t.overlay or t.role in {"&", "|"})]
    return bool(kept and (kept[0].noun or kept[0].head))


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
