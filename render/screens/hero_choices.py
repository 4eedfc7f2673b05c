"""Choices of the hero: a talent after a level-up, and the level that a way down leads to."""

from collections import Counter
from dataclasses import dataclass
from functools import partial

import numpy as np

from engine.creatures.levelling import experience_of, offered_talents, talents_owed
from engine.monsters.initial_monsters import initial_monsters
from engine.state.actions import Choose, Descend
from engine.state.game_map import DARK
from engine.state.game_state import NoLevel
from entities.creature_kinds import creature_kinds
from entities.talents import talents
from entities.terrain import LOCK_TILES, TILES, Tile, openable_mask
from procgen.analysis.bitboard import Bitboard
from procgen.build import recipe_of
from procgen.level import Level
from procgen.level_code import LevelCode
from procgen.metrics import TILES as TYPICAL_TILES
from procgen.metrics import LazyMetrics
from procgen.vocabulary import level_phrase
from render.messages.names import place_name, plural
from render.screens.menu import Choice, DescribedMenu, confirmation
from render.screens.screen import Act, Play, Push, Reply
from render.session.session import Session


class TalentMenu(DescribedMenu):
    """The talents on offer with their texts."""

    choose_text, back_text = "or its number: learn", "later"

    def __init__(self, session: Session) -> None:
        self.session = session
        names = offered_talents(session.run.state)
        choices = [
            Choice(talents()[name].name, f"{number}", partial(Play, Choose(name)))
            for number, name in enumerate(names, 1)
        ]
        hero = session.run.state.hero
        more = talents_owed(hero) - 1
        super().__init__(
            f"Level {experience_of(hero).level}: learn a talent",
            choices,
            [talents()[name].text for name in names],
            f"{more} more to choose after this" if more > 0 else "",
        )


def talent_screen(session: Session) -> TalentMenu | None:
    """Return the menu of talents, None if there is none to choose."""
    return TalentMenu(session) if offered_talents(session.run.state) else None


UNTOLD = "…"
TICK_SECONDS = 0.01


class GroundMenu(DescribedMenu):
    """The levels on offer: one is built a tick while the menu is open, so that it opens at once.

    The level chosen is not built again.
    """

    choose_text, back_text = "or its number: go down", "stay"

    def __init__(self, session: Session) -> None:
        self._state = session.run.state
        self._codes = self._state.levels.grounds(self._state)
        choices = [
            Choice(_label(code), f"{ground + 1}", partial(Play, Descend(ground)))
            for ground, code in enumerate(self._codes)
        ]
        depth = self._state.depth + 1
        super().__init__(f"The way down to depth {depth}", choices, [UNTOLD] * len(choices))

    @property
    def interval(self) -> float | None:
        """Seconds until the next level is built, None once all are."""
        return TICK_SECONDS if UNTOLD in self.texts else None

    def tick(self) -> Reply:
        """Build the next level and tell what it is like."""
        number = self.texts.index(UNTOLD)
        try:
            level = self._state.levels.ground_level(self._codes[number])
        except NoLevel:
            self.texts[number] = "Nothing grew there."
        else:
            self.texts[number] = ground_text(ground_figures(level))
        return None


def way_down(session: Session) -> Reply:
    """Let the hero choose the way down; on the level of the First Seed ask before leaving it."""
    state = session.run.state
    choice = len(state.levels.grounds(state)) > 1
    reply = Push(GroundMenu(session)) if choice else Act(Descend())
    if state.map.beacon is None:
        return reply
    question = "The First Seed is still on this level. Go down without it?"
    return Push(confirmation(question, "Yes, go down", lambda _: reply))


def _label(code: LevelCode) -> str:
    return f"{place_name(code, recipe_of(code).theme)}: {level_phrase(code)}"


@dataclass(frozen=True)
class GroundFigures:
    """The figures of a level, counted on it.

    * ``way`` is the number of steps from the start to the exit with every door open.
    * ``loops`` is the number of independent loops for each 80x45 tiles, pillars left out.
    * ``water`` and ``lava`` are shares of all tiles; ``gold`` and ``traps`` are counts of tiles.
    * ``monsters`` counts those that live there at first, by kind, the most numerous first.
    """

    theme: str
    light: str
    way: int
    loops: float
    water: float
    lava: float
    locks: int
    gold: int
    traps: int
    monsters: dict[str, int]


def ground_figures(level: Level) -> GroundFigures:
    """Measure ``level``, which is on offer at a way down."""
    counts = np.bincount(level.tiles.ravel(), minlength=len(TILES))
    size = level.tiles.size
    return GroundFigures(
        theme=level.theme,
        light=level.light,
        way=Bitboard.of(openable_mask()[level.tiles]).steps(level.start, level.exit),
        loops=LazyMetrics(level).loops * TYPICAL_TILES / size,
        water=float(counts[Tile.WATER] + counts[Tile.SHALLOWS]) / size,
        lava=float(counts[Tile.LAVA]) / size,
        locks=int(counts[list(LOCK_TILES)].sum()),
        gold=int(counts[Tile.TREASURE]),
        traps=int(counts[Tile.TRAP]),
        monsters=dict(Counter(one.kind for one in initial_monsters(level)).most_common()),
    )


SHORT_WAY, LONG_WAY = 65, 115
"""Steps to the exit: about a fifth of all levels have less, a fifth more."""
FEW_LOOPS, MANY_LOOPS = 2, 12
MUCH_WATER, MUCH_LAVA = 0.1, 0.05
MUCH_GOLD, MANY_TRAPS = 10, 5
NAMED_KINDS = 3
"""The most kinds of monster named."""


def ground_text(figures: GroundFigures) -> str:
    """Return what a level is like: the way through it, its dangers, and who lives there."""
    short, long = figures.way < SHORT_WAY, figures.way > LONG_WAY
    way = f"{'A short way' if short else 'A long way' if long else f'{figures.way} steps'} through"
    if short or long:
        way += f" ({figures.way} steps)"
    return ". ".join([", ".join([way, *_features(figures)]), _inhabitants(figures)]) + "."


def _features(figures: GroundFigures) -> list[str]:
    loops, locks = figures.loops, figures.locks
    told = {
        "few ways round": loops < FEW_LOOPS,
        "many ways round": loops > MANY_LOOPS,
        "dark": figures.light == DARK,
        "much water": figures.water > MUCH_WATER,
        "much lava": figures.lava > MUCH_LAVA,
        "many traps": figures.traps > MANY_TRAPS,
        "one lock": locks == 1,
        f"{locks} locks": locks > 1,
        "much gold": figures.gold > MUCH_GOLD,
    }
    return [text for text, true in told.items() if true]


def _inhabitants(figures: GroundFigures) -> str:
    """Return how many monsters live there and the most numerous kinds, bosses first."""
    kinds, found = creature_kinds(), figures.monsters
    order = sorted(found, key=lambda name: not kinds[name].lair)
    named = [
        kinds[name].name
        if kinds[name].lair
        else f"{found[name]} {plural(kinds[name].name) if found[name] > 1 else kinds[name].name}"
        for name in order[:NAMED_KINDS]
    ]
    more = " and others" if len(order) > NAMED_KINDS else ""
    many = sum(found.values())
    return f"{many} monsters: {', '.join(named)}{more}" if many else "Nobody lives there"
