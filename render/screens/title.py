"""The first screen: what there is to do, over a level that grows by itself."""

import secrets
from collections.abc import Callable

import numpy as np

from engine.saves.playback import Desync
from engine.saves.run_file import OtherVersion, RunFileError, Summary
from engine.state.run_setup import Mode, RunSetup
from procgen.recipes import current_recipes
from procgen.world_types import world_types
from render.map.map_view import draw_ground
from render.map.viewport import Viewport, VisibleLevel
from render.screens.menu import LETTERS, Choice, Menu, notice
from render.screens.options_screen import OptionsScreen
from render.screens.play_screen import PlayScreen
from render.screens.reader import help_screen
from render.screens.recorded_runs import record_list
from render.screens.scores_screen import daily_menu, scores_screen
from render.screens.screen import Leave, Pop, Push, Reply
from render.screens.text_entry import TextEntry
from render.session.start_run import (
    begin,
    chosen_seed,
    continuable,
    fresh_seed,
    last_unfinished,
    resume,
)
from render.ui.buttons import hint, write_foot
from render.ui.frame import Frame, Rect
from render.ui.text import fill, panel, write
from render.workshop.build_recording import BuildRecording

BEAT, PAUSE = 0.06, 70


class Title(Menu):
    """The title menu; behind it a level grows, and when it is done another."""

    covers = True

    def __init__(self) -> None:
        super().__init__("Seedhollow", _offers(None))
        self.interval = BEAT
        self._asked = False
        self._view = Viewport(reveal=True)
        self._rest = 0
        self._growth: BuildRecording | None = None  # sown when first seen: a game may begin without

    def _sow(self) -> BuildRecording:
        recipe = secrets.choice(current_recipes())
        self._theme = recipe.theme
        size = (max(96, recipe.smallest[0]), max(60, recipe.smallest[1]))
        self._growth = BuildRecording(recipe.code(fresh_seed()[0], 1, size))
        self._growth.advance()
        self._rest = PAUSE
        return self._growth

    def tick(self) -> Reply:
        """Let the level behind the menu grow."""
        if self._growth and not self._growth.advance():
            self._rest -= 1
            if self._rest <= 0:
                self._sow()
        return None

    def draw(self, frame: Frame) -> None:
        """Draw the growing level and the menu over it."""
        fill(frame.text, Rect(0, 0, frame.columns, frame.rows), "ground")
        whole = Rect(0, 0, frame.columns, frame.rows)
        growth = self._growth or self._sow()
        console = frame.open_map(whole, (growth.code.width, growth.code.height))
        if growth.moments:
            moment = growth.moments[-1]
            # Drawn as if remembered: quiet enough to read a menu over.
            known, seen = np.ones(moment.tiles.shape, bool), np.zeros(moment.tiles.shape, bool)
            ground = VisibleLevel(moment.tiles, seen, known, self._theme, None, None)
            self._view.center(ground.width // 2, ground.height // 2, ground, console)
            draw_ground(console, ground, self._view)
        if self.on_top:
            if not self._asked:
                self._look_for_runs()
            self._draw_menu(frame)
        self._asked = self.on_top

    def _look_for_runs(self) -> None:
        """Offer first, and lit, the run that waits to be gone on with, if there is one."""
        lit, first = self.choices[self.index].key, self.choices[0].key
        self.choices = _offers(continuable())
        keys = [choice.key for choice in self.choices]
        self.index = keys.index(lit) if keys[0] == first else 0

    def _draw_menu(self, frame: Frame) -> None:
        width, height = 52, len(self.choices) + 9
        rect = Rect((frame.columns - width) // 2, max(0, (frame.rows - height) // 2), width, height)
        inner = panel(frame, rect)
        write_foot(frame, rect, [hint("menu", "choose", "or a letter chooses")])
        name = "S E E D H O L L O W"
        write(frame.text, rect.x + (width - len(name)) // 2, inner.y, name, "accent")
        lead = "a dungeon grows from every seed"
        write(frame.text, rect.x + (width - len(lead)) // 2, inner.y + 1, lead, "dim")
        place = Rect(inner.x + 3, inner.y + 4, inner.width - 6, len(self.choices))
        self.draw_choices(frame, place)

    def back(self) -> Reply:
        """Stay: Esc never quits at once."""
        return None


def _offers(run: Summary | None) -> list[Choice]:
    """Return what there is to do; ``run`` is the one that can be gone on with."""
    note = f"depth {run.depth}, {run.turns} turns" if run else "nothing to go on with"
    going_on = Choice("Continue", "c", _continue, note)
    begin = [
        Choice("New adventure", "n", lambda: Push(seed_entry())),
        Choice("Worlds without an edge", "e", lambda: Push(realm_menu(Mode.ADVENTURE))),
        Choice("Workshop", "w", lambda: Push(generator_menu())),
    ]
    return [
        *([going_on, *begin] if run else [*begin, going_on]),
        Choice("Dungeon of the day", "d", lambda: Push(daily_menu())),
        Choice("Replay", "r", lambda: Push(record_list())),
        Choice("High scores", "s", lambda: Push(scores_screen())),
        Choice("Options", "o", lambda: Push(OptionsScreen())),
        Choice("Help", "h", lambda: Push(help_screen())),
        Choice("Quit", "q", Leave),
    ]


def seed_entry() -> TextEntry:
    """Return the question for a new adventure's seed."""

    def done(text: str) -> Reply:
        seed, typed = chosen_seed(text)
        return _play(RunSetup(seed, typed))

    lead = "Type or paste a seed: a number below 2^64, or any text. Leave it empty for a new one."
    return TextEntry("New adventure", lead, done)


def generator_menu() -> Menu:
    """Return the choice of a generator to begin the Workshop with."""

    def chosen(name: str) -> Callable[[], Reply]:
        def start() -> Reply:
            seed, typed = fresh_seed()
            return _play(RunSetup(seed, typed, Mode.WORKSHOP, name))

        return start

    choices = [
        Choice(f"{recipe.name:<13} {recipe.description}", letter, chosen(recipe.name))
        for recipe, letter in zip(current_recipes(), LETTERS, strict=False)
    ]
    choices.append(
        Choice("worlds without an edge ...", "=", lambda: Push(realm_menu(Mode.WORKSHOP)))
    )
    return Menu("Workshop: choose a generator", choices)


def realm_menu(mode: Mode) -> Menu:
    """Return the choice of a world without an edge to walk in."""

    def chosen(name: str) -> Callable[[], Reply]:
        def start() -> Reply:
            seed, typed = fresh_seed()
            return _play(RunSetup(seed, typed, mode, name))

        return start

    choices = [
        Choice(f"{realm.name:<13} {realm.description}", letter, chosen(realm.name))
        for realm, letter in zip(world_types().values(), LETTERS, strict=False)
    ]
    return Menu("Worlds without an edge", choices)


def _play(setup: RunSetup) -> Reply:
    screen = PlayScreen(begin(setup))
    return Pop(lambda _: Push(screen))


def _continue() -> Reply:
    try:
        recorded = last_unfinished()
        if recorded is None:
            return Push(notice("There is no unfinished run to go on with."))
        return Push(PlayScreen(resume(recorded)))
    except OtherVersion as fault:
        return Push(notice(f"{fault}. Replay, in the title, shows what can still be done."))
    except Desync as fault:
        return Push(notice(f"{fault}. Replay shows the run up to there."))
    except RunFileError as fault:
        return Push(notice(f"{fault}."))
