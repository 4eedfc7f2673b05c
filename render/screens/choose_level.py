"""Choose another level: by code, seed, next generator, overlays, or a description in words.

The search by words builds levels one by one and lists those nearest to the description.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, repeat

from engine.levels.dungeon import levels_on_the_way
from engine.state.actions import Visit
from entities.wording import pluralise
from procgen.build import build
from procgen.level_code import FROM_FILE, SEED_LIMIT, CodeError, LevelCode, parse_code, parse_seed
from procgen.level_overlays import MOST_OVERLAYS, known_overlays, overlays_in_words
from procgen.metrics import LazyMetrics, format_metric
from procgen.recipe_builder import BuildFailed
from procgen.recipes import TooSmall, find_any, known_recipes
from procgen.settings import complete, generator_for_code
from procgen.word_query import NearestLevels, WordQuery, parse_words
from procgen.world_types import world_types
from render.map.place_names import code_here
from render.screens.menu import LETTERS, Choice, Menu, TextEntry, confirmation
from render.screens.screen import Act, Pop, Push, Reply, Swap
from render.session.session import Session
from render.ui.text import clipped
from render.ui.texts import texts


def neighbouring_code(session: Session, step: int, seed_step: int = 0) -> str | None:
    """Return the code ``step`` generators and ``seed_step`` seeds further.

    A generator for which the size is too small is skipped, with a message.
    """
    code = session.run.state.code
    if code.recipe == FROM_FILE and not step:
        session.answer("This level came from a file: no other seed grows one like it.")
        return None
    names = [*(recipe.name for recipe in known_recipes()), *world_types()]
    index = names.index(code.recipe) if code.recipe in names else 0
    name = names[(index + step) % len(names)]
    code_overlays = () if name in world_types() else code.overlays
    # The next recipe can be chosen even if this one, the user's own, is now invalid.
    recipe = find_any("+".join([name, *code_overlays])) if step else generator_for_code(code)
    size = session.setup.size or ((code.width, code.height) if step == 0 else None)
    try:
        return str(recipe.code((code.seed + seed_step) % SEED_LIMIT, code.depth, size))
    except TooSmall as fault:
        session.answer(f"{fault}.")
        further = step + 1 if step > 0 else step - 1
        return neighbouring_code(session, further) if 0 < abs(step) < len(names) else None


def visit_level(session: Session, code: str | None) -> Reply:
    """Go to the level ``code``; outside the Workshop ask first, since there is no way back."""
    if code is None:
        return None
    if session.workshop:
        return Act(Visit(code))
    state, full = session.run.state, complete(parse_code(code))
    if any(full.shares_world(it) for it, _ in levels_on_the_way(state)):
        session.answer("That place is in this world: go there on foot.")
        return None
    lost = f"You leave this {'world' if state.map.is_infinite else 'level'} for good."
    lost = "This run will no longer be scored." if state.scored else lost
    question = f"Go to another level? {lost}"
    return Push(confirmation(question, "Yes, go there", lambda _: Act(Visit(code))))


def level_code_entry(session: Session, visit: Callable[[str], Reply]) -> TextEntry:
    """Return the screen that shows this level's code and takes another one or a seed."""
    state = session.run.state
    intro = texts().dialogs["level_code"].format(seed=session.setup.typed_seed, turn=state.turn)

    def done(text: str) -> Reply:
        if not text.strip():
            raise CodeError("type a level code or a seed")
        if ":" in text:
            return visit(str(complete(parse_code(text))))
        here, seed = state.code, parse_seed(text)
        code = str(generator_for_code(here).code(seed, here.depth, (here.width, here.height)))
        if text.strip().lstrip("+-").isdecimal():
            return visit(code)
        # A mistyped code is a valid seed, too.
        question = f'"{clipped(text.strip(), 40)}" is not a level code. Use it as a seed?'
        return Push(confirmation(question, "Yes, as a seed", lambda _: visit(code)))

    return TextEntry("Level code", intro, done, copies=code_here(state))


def settings_with(settings: Iterable[str], overlays: Iterable[str]) -> tuple[str, ...]:
    """Return those of ``settings`` that belong to the recipe itself or to one of ``overlays``."""
    names = {text.partition(".")[0] for text in overlays}
    return tuple(s for s in settings if "/" not in s or s.partition("/")[0] in names)


def overlay_menu(code: LevelCode, then: Callable[[LevelCode], Reply]) -> Menu:
    """Return a menu that adds overlays to the level ``code`` or removes them, one at a time.

    ``then`` is called with the changed code once the menu is closed.
    """
    present = [text.partition(".")[0] for text in code.overlays]

    def changed(overlays: list[str]) -> Callable[[], Reply]:
        left = settings_with(code.settings, overlays)
        result = complete(replace(parse_code(str(code)), overlays=tuple(overlays), settings=left))
        return lambda: Pop(lambda _: then(result))

    choices = []
    for letter, overlay in zip(chain(LETTERS[:26], repeat("")), known_overlays(), strict=False):
        name, on = overlay.name, overlay.name in present
        # If the level has as many overlays as allowed, the new one replaces the last.
        after = [*present[: MOST_OVERLAYS - 1], name]
        if on:
            after = [other for other in present if other != name]
        label = f"{'-' if on else '+'} {name.replace('_', ' ')}"
        choices.append(Choice(label, letter, changed(after), overlay.kind.description))
    if present:
        choices.append(Choice("remove all", "0", changed([])))
    intro = f"Now: {overlays_in_words(code)}." if present else f"Up to {MOST_OVERLAYS} at once."
    return Menu(f"{code.name}: overlays", choices, intro)


TRIED, SHOWN = 60, 8
"""The number of levels that are built, and the most that are listed."""


def word_entry(session: Session, visit: Callable[[str], Reply]) -> TextEntry:
    """Return the screen that takes a description; ``visit`` is called with the chosen code."""
    state, size = session.run.state, session.setup.size

    def done(text: str) -> Reply:
        query = parse_words(text)
        if query.is_empty:
            raise ValueError("none of that is understood")
        codes = query.codes(state.depth, size)
        return Swap(WordSearchMenu(query, _tries(codes, state.code.seed), visit))

    return TextEntry("Find a level by words", texts().dialogs["words"], done)


def _tries(codes: list[LevelCode], seed: int) -> Iterator[LevelCode]:
    """Yield about `TRIED` codes, with seeds after ``seed``, so that each level tries other ones."""
    for ahead in range(1, max(1, TRIED // len(codes)) + 1):
        for code in codes:
            yield replace(code, seed=(seed + ahead) % SEED_LIMIT)


class WordSearchMenu(Menu):
    """The nearest levels so far; every tick builds one level."""

    interval: float | None = 0.01

    def __init__(
        self, query: WordQuery, tries: Iterator[LevelCode], visit: Callable[[str], Reply]
    ) -> None:
        super().__init__("Levels by words", [Choice("none so far", "", lambda: None)])
        self.query, self._tries, self._visit = query, tries, visit
        self._nearest = NearestLevels(query)
        # For each level: whether it fails a condition, its cost, its code and its label.
        self._found: list[tuple[bool, float, LevelCode, str]] = []
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
            metrics = LazyMetrics(build(code))
        except (BuildFailed, ValueError):  # The file of a user recipe may have changed meanwhile.
            return
        names = dict.fromkeys(wish.metric for wish in self.query.wishes)
        values = [f"{name} {format_metric(name, getattr(metrics, name))}" for name in names]
        cost = self._nearest.add(code, metrics)
        near = not self.query.is_met(metrics)
        label = "near: " * near + ", ".join(values).replace("_", " ")
        self._found.append((near, cost, code, label))
        self._found.sort(key=lambda hit: hit[:2])

    def _write(self) -> None:
        """Update the lines: the words understood, the progress, and the nearest levels."""
        unknown, tried = self.query.unknown, self._nearest.tried
        self.intro = f"Understood: {self.query}."
        if unknown:
            self.intro += f" Not understood: {', '.join(unknown)}."
        met = sum(not near for near, *_ in self._found)
        matches = f", {met or 'none'} as asked" if self.query.where else ""
        self.intro += f" {pluralise(tried, 'level')} tried{matches}"
        if self.interval is None:
            self.intro += "".join(f". {text.capitalize()}" for text in self._nearest.unmet()) + "."
        else:
            self.intro += " so far …"
        if self._found:
            self.choices = [
                Choice(f"{code.generator}:{code.seed}", letter, self._going(code), values)
                for (*_, code, values), letter in zip(self._found[:SHOWN], LETTERS, strict=False)
            ]

    def _going(self, code: LevelCode) -> Callable[[], Reply]:
        return lambda: Pop(lambda _: self._visit(str(code)))
