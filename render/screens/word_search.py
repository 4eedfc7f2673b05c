"""Search for a level by words: the request, the levels tried one by one, the nearest to go to."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from procgen.build import build
from procgen.level_code import SEED_LIMIT, LevelCode
from procgen.metrics import LazyMetrics, format_metric
from procgen.recipe_builder import BuildFailed
from procgen.word_query import NearestLevels, WordQuery, parse_words
from render.screens.menu import LETTERS, Choice, Menu
from render.screens.screen import Pop, Reply, Swap
from render.screens.text_entry import TextEntry
from render.session.session import Session

TRIED, SHOWN = 60, 8
"""Levels that are built, and those of them that are listed."""

Visit = Callable[[str], Reply]


def word_entry(session: Session, visit: Visit) -> TextEntry:
    """Return the screen that takes a request in words; ``visit`` gets the code that is chosen."""
    state, size = session.run.state, session.setup.size
    lead = (
        'What should the level be like? For example "a flooded castle with a long detour" or '
        '"caves, no dead ends, at least 40 loops". A kind of place, adjectives, and how many or '
        "how much of rooms, loops, dead ends, chokepoints, path, detour, floor."
    )

    def done(text: str) -> Reply:
        query = parse_words(text)
        if query.is_empty:
            raise ValueError("nothing of that is understood")
        codes = query.codes(state.depth, size)
        return Swap(WordSearchMenu(query, _tries(codes, state.code.seed), visit))

    return TextEntry("Find a level by words", lead, done)


def _tries(codes: list[LevelCode], seed: int) -> Iterator[LevelCode]:
    """Yield about `TRIED` codes, from the seed after ``seed`` on: another search, other levels."""
    for ahead in range(1, max(1, TRIED // len(codes)) + 1):
        for code in codes:
            yield replace(code, seed=(seed + ahead) % SEED_LIMIT)


class WordSearchMenu(Menu):
    """The nearest levels so far; a level is built at every tick."""

    interval: float | None = 0.01

    def __init__(self, query: WordQuery, tries: Iterator[LevelCode], visit: Visit) -> None:
        super().__init__("Levels by words", [Choice("none so far", "", lambda: None)])
        self.query, self._tries, self._visit = query, tries, visit
        self._nearest = NearestLevels(query)
        self._found: list[tuple[float, LevelCode, str]] = []
        self.tick()

    def tick(self) -> Reply:
        """Build one more level."""
        if (code := next(self._tries, None)) is None:
            self.interval = None
        else:
            self._try(code)
        self._write()
        return None

    def _try(self, code: LevelCode) -> None:
        try:
            metrics = LazyMetrics(build(code, digests=False))
        except BuildFailed:
            return
        names = dict.fromkeys(wish.metric for wish in self.query.wishes)
        values = [f"{name} {format_metric(name, getattr(metrics, name))}" for name in names]
        cost = self._nearest.add(code, metrics)
        self._found.append((cost, code, ", ".join(values).replace("_", " ")))
        self._found.sort(key=lambda one: one[0])

    def _write(self) -> None:
        """Write the lines: what was understood, how far the search is, the nearest levels."""
        unknown, tried = self.query.unknown, self._nearest.tried
        self.lead = f"Understood: {self.query}."
        if unknown:
            self.lead += f" Not understood: {', '.join(unknown)}."
        if self.interval is None:
            unmet = "".join(f" {one.capitalize()}." for one in self._nearest.unmet())
            self.lead += f" {tried} levels tried.{unmet}"
        else:
            self.lead += f" {tried} levels tried so far ..."
        if self._found:
            self.choices = [
                Choice(f"{code.generator}:{code.seed}", letter, self._going(code), values)
                for (_, code, values), letter in zip(self._found[:SHOWN], LETTERS, strict=False)
            ]

    def _going(self, code: LevelCode) -> Callable[[], Reply]:
        return lambda: Pop(lambda _: self._visit(str(code)))
