"""The title screen: the main menu over a level being built, and the menus that start a run."""

import secrets
from collections.abc import Callable, Iterator
from functools import partial
from time import monotonic

import numpy as np

from engine.saves.playback import Desync
from engine.saves.recorder import InUse
from engine.saves.run_file import MissingUserRecipe, RecordedRun, RunFileError, Summary, read_run
from engine.state.run_setup import Mode, RunSetup
from entities.wording import pluralise
from procgen.level_code import parse_code
from procgen.recipes import current_recipes, known_recipes
from procgen.world_types import world_types
from render.map.map_view import draw_ground
from render.map.viewport import Viewport, VisibleLevel
from render.screens.generator_chooser import GeneratorChooser
from render.screens.menu import LETTERS, Choice, Menu, TextEntry, notice
from render.screens.options_screen import OptionsScreen
from render.screens.play_screen import PlayScreen
from render.screens.reader import help_screen
from render.screens.recorded_runs import newest_of, recorded_runs_menu
from render.screens.run_end import ScoresScreen, daily_menu
from render.screens.screen import Begin, Leave, Push, Reply, Stoppable, Swap
from render.session import start_run
from render.tiles.wordmark import wordmark
from render.ui.buttons import hint, hinted_panel
from render.ui.frame import Frame, Picture, Rect
from render.ui.input import Input, Key
from render.ui.keymap import command_of
from render.ui.text import fill, printable, write
from render.workshop.build_recording import BuildRecording

FRAME_SECONDS, PAUSE_FRAMES = 0.06, 70
SCAN_SECONDS, SCAN_FILES = 0.02, 20
"""Recorded runs are read in slices of this many seconds, but at least this many runs each."""
LEVEL_ROWS = 60
"""The height of a level behind the menu; its width follows the shape of the screen."""
MARK_ROWS = 8
"""Rows of text for the wordmark if the backend draws pixels."""


class TitleScreen(Menu):
    """The main menu; behind it levels are built, one after another."""

    covers = True
    interval = FRAME_SECONDS

    def __init__(self) -> None:
        super().__init__("Seedhollow", _title_choices([]))
        self.index = 1  # New adventure, as long as there is nothing to continue.
        self._asked = self._offered = False
        self._waiting: list[Summary] = []
        self._scan: Iterator[Summary | None] = iter(())
        self._view = Viewport(reveal=True)
        self._rest = 0
        self._aspect = 1.6  # Of the screen, in tiles.
        self._recording: BuildRecording | None = None

    def _start_background(self) -> None:
        recipe = secrets.choice(current_recipes())
        self._theme = recipe.theme
        wide = max(LEVEL_ROWS, min(round(LEVEL_ROWS * self._aspect), 2 * LEVEL_ROWS))
        size = max(wide, recipe.smallest[0]), max(LEVEL_ROWS, recipe.smallest[1])
        self._recording = BuildRecording(recipe.code(start_run.fresh_seed()[0], 1, size))
        self._recording.advance()
        self._rest = PAUSE_FRAMES

    def handle(self, event: Input) -> Reply:
        """Handle one input; afterwards the runs to continue may have changed."""
        reply = super().handle(event)
        self._asked &= reply is None
        return reply

    def tick(self) -> Reply:
        """Continue building the level behind the menu and looking for runs to continue."""
        self._look_for_runs()
        # Not before the first frame: reading the recipes would double the time until it is shown.
        if not (self._recording and self._recording.advance()):
            self._rest -= 1
            if self._rest <= 0:
                self._start_background()
        return None

    def draw(self, frame: Frame) -> None:
        """Draw the level being built and the menu over it."""
        screen = Rect(0, 0, frame.columns, frame.rows)
        self._aspect = screen.width / frame.tile[0] / (screen.height / frame.tile[1])
        fill(frame.text, screen, "ground")
        if (recording := self._recording) and recording.snapshots:
            console = frame.open_map(screen, (recording.code.width, recording.code.height))
            snapshot = recording.snapshots[-1]
            all_seen = np.ones(snapshot.tiles.shape, bool)
            level = VisibleLevel(snapshot.tiles, all_seen, all_seen, self._theme, None, None)
            self._view.center(level.width // 2, level.height // 2, level, console)
            frame.ground = draw_ground(console, level, self._view)
        if not frame.above:
            if not self._asked:
                self._waiting, self._scan = [], start_run.continuable_runs()
                self._look_for_runs()
                self._offer()
            self._draw_menu(frame)
        self._asked = not frame.above

    def _look_for_runs(self) -> None:
        """Read some more recorded runs; offer unfinished ones."""
        until = monotonic() + SCAN_SECONDS
        runs = []
        for number, run in enumerate(self._scan):
            runs += [run] if run else []
            if number >= SCAN_FILES and monotonic() > until:
                break
        if runs:
            self._waiting += runs
            self._offer()

    def _offer(self) -> None:
        """Show the choices; keep the selection, but select Continue if it is new."""
        self.choices = _title_choices(self._waiting)
        if self._offered != bool(self._waiting):
            self._offered = bool(self._waiting)
            self.index = 0 if self._offered else 1

    def _draw_menu(self, frame: Frame) -> None:
        width, height = min(52, frame.columns), min(frame.rows, len(self.choices) + 9)
        cell = frame.tile_pixels / frame.tile[0], frame.tile_pixels / frame.tile[1]
        with_wordmark = bool(frame.tile_pixels) and frame.rows >= height + MARK_ROWS
        height -= 1 if with_wordmark else 0
        top = (frame.rows - height + (MARK_ROWS if with_wordmark else 0)) // 2
        rect = Rect((frame.columns - width) // 2, max(0, top), width, height)
        inner = hinted_panel(frame, rect, "", [hint("menu", "choose", "or a letter: choose")])
        if with_wordmark:
            place = Rect(0, rect.y - MARK_ROWS, frame.columns, MARK_ROWS)
            wide, high = round(place.width * cell[0]), round(place.height * cell[1])
            frame.pictures.append(Picture(place, wordmark(wide, high)))
            inner = inner._replace(y=inner.y - 1)
        else:
            name = "S E E D H O L L O W"
            write(frame.text, rect.x + (width - len(name)) // 2, inner.y, name, "accent")
        tagline = "a dungeon grows from every seed"
        write(frame.text, rect.x + (width - len(tagline)) // 2, inner.y + 1, tagline, "dim")
        rows = min(len(self.choices), inner.height - 3)
        self.draw_choices(frame, Rect(inner.x + 3, inner.y + 3, inner.width - 6, rows))

    def key(self, key: Key) -> Reply:
        """Handle a key as any menu does; the keys for help open it, too."""
        asks = command_of("play", key) == "help"
        return super().key(key) or (Push(help_screen()) if asks else None)

    def back(self) -> Reply:
        """Stay, since Esc must not quit at once."""
        return None


def _title_choices(runs: list[Summary]) -> list[Choice]:
    """Return the choices of the main menu; ``runs`` are those that can be continued."""
    note = f"{len(runs)} runs" if runs else "nothing to continue"
    if len(runs) == 1:
        place = runs[0].place or parse_code(runs[0].level).recipe.replace("_", " ")
        note = f"{place}, {pluralise(runs[0].turns, 'turn')}"
    return [  # Always in this order: what is under the mouse must not move when runs are found.
        Choice("Continue", "c", _continue, note),
        Choice("New adventure", "n", lambda: Push(seed_entry())),
        Choice("Infinite worlds", "e", lambda: Push(world_type_menu(Mode.ADVENTURE))),
        Choice("Workshop", "w", lambda: Push(generator_menu())),
        Choice("Dungeon of the day", "d", lambda: Push(daily_menu())),
        Choice("Replay", "r", lambda: Push(recorded_runs_menu())),
        Choice("High scores", "s", lambda: Push(ScoresScreen())),
        Choice("Options", "o", lambda: Push(OptionsScreen())),
        Choice("Help", "h", lambda: Push(help_screen())),
        Choice("Quit", "q", Leave),
    ]


def seed_entry(title: str = "New adventure", world: str | None = None) -> TextEntry:
    """Return the dialog that asks for a new adventure's seed; ``world`` is an infinite world."""
    intro = "The seed: type a number below 2^64 or any text, or nothing for a random one."

    def begin(text: str) -> Reply:
        return Begin(RunSetup(*start_run.chosen_seed(text.strip() or None), generator=world))

    return TextEntry(title, intro, begin)


def generator_menu() -> GeneratorChooser:
    """Return the screen that offers generators to start the Workshop with."""
    seed, typed = start_run.fresh_seed()
    recipes = known_recipes()
    setups = [RunSetup(seed, typed, Mode.WORKSHOP, recipe.name) for recipe in recipes]
    keys = LETTERS + LETTERS.upper()[:26]
    choices = [
        Choice(recipe.name, keys[number : number + 1], partial(Begin, setup), recipe.description)
        for number, (recipe, setup) in enumerate(zip(recipes, setups, strict=True))
    ]
    worlds = "Built around you as you walk, without end."
    menu = partial(world_type_menu, Mode.WORKSHOP)
    choices.append(Choice("infinite worlds …", "=", lambda: Push(menu()), worlds))
    return GeneratorChooser("Workshop: choose a generator", choices, setups)


def world_type_menu(mode: Mode) -> Menu:
    """Return the menu of infinite worlds; an adventure then asks for the seed."""

    def start(name: str) -> Reply:
        if mode is Mode.ADVENTURE:
            return Push(seed_entry(name.replace("_", " ").capitalize(), name))
        return Begin(RunSetup(*start_run.fresh_seed(), mode, name))

    choices = [
        Choice(world.name.replace("_", " "), letter, partial(start, world.name), world.description)
        for world, letter in zip(world_types().values(), LETTERS, strict=False)
    ]
    return Menu("Infinite worlds", choices)


def _continue() -> Reply:
    """Continue the unfinished run; if there are several, let the player choose."""
    runs = [run for run in start_run.continuable_runs() if run]
    return Push(continue_menu(runs)) if len(runs) > 1 else _resumed(start_run.last_unfinished, Push)


def continue_menu(runs: list[Summary]) -> Menu:
    """Return the menu of ``runs`` to continue, last played first; the run replaces it."""
    choices = [_run_choice(*run) for run in zip(runs, LETTERS, strict=False)]
    return Menu("Continue", choices, newest_of(len(LETTERS), len(runs)))


def _run_choice(run: Summary, letter: str) -> Choice:
    """Return a line on an unfinished run: kind, depth, turns, hero as last saved; seed, date."""
    assert run.header
    setup, last_known = run.header.setup, start_run.hero_of(run.path)
    place = f"{printable(run.header.kind_or_dungeon):<9}  {run.place}"
    label = f"{place:<19}  {pluralise(run.turns, 'turn'):<10}"
    if last_known and last_known[1].experience:
        turn, hero = last_known
        hp = f"{hero.fighter.hp}/{hero.fighter.max_hp} HP"
        then = "" if turn == run.turns else f" on turn {turn}"
        label += f"  level {last_known[1].experience.level}, {hp}{then}"
    note = printable(f"seed {setup.typed_seed[:20]}") + "  unscored" * (not setup.is_standard)
    note += f"  {run.header.started[:10]}"
    read = partial(read_run, run.path)
    return Choice(label.rstrip(), letter, partial(_resumed, read, Swap), note)


def _resumed(read: Callable[[], RecordedRun | None], opening: type[Push | Swap]) -> Reply:
    """Open the play screen of the run that ``read`` returns, or a notice saying what is wrong."""

    def opened() -> Reply:
        try:
            if recorded := read():
                return opening(PlayScreen(start_run.resume(recorded)))
            message = "There is no unfinished run to continue"
        except (InUse, MissingUserRecipe) as fault:
            message = str(fault)
        except RunFileError as fault:
            message = f"{fault}. Replay on the title screen shows what can be done"
        except Desync as fault:
            message = f"{fault}. Replay shows the run up to there"
        return Push(notice(f"{message}.", "Continue"))

    return Stoppable(opened)
