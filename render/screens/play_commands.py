"""Commands of play that open a screen or change the display; screens that events open."""

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from engine.pathfinding.threats import enemies_in_view
from engine.state.actions import PlantFirstSeed
from engine.state.events import CameHome, Event, Learned, LeveledUp, Mapped, Remembered, Won
from procgen.level_code import FROM_FILE
from render.map.place_names import level_code_around
from render.panels.morgue import Ending, record_run_end
from render.screens import choose_level
from render.screens.hero_choices import talent_screen
from render.screens.map_cursor import ChooseTile, list_in_view
from render.screens.menu import Choice, Menu, confirmation
from render.screens.options_screen import OptionsScreen
from render.screens.reader import character_screen, help_screen, history_screen
from render.screens.run_end import END_IN_VICTORY, EndScreen, VictoryScreen, victory_question
from render.screens.screen import Home, Play, Pop, Push, Reply, Swap, Zoom
from render.screens.watch_build import WatchBuildScreen
from render.session.session import Session
from render.ui.input import Key
from render.ui.keymap import bindings
from render.ui.options import apply_and_save, current
from render.ui.texts import HelpPage
from render.workshop.build_view import BuildView, explored_part

WORKSHOP_ONLY = frozenset({"previous", "next", "words", "overlays", "seed", "reveal", "chart"})


def commands_menu(session: Session) -> Menu:
    """Return a menu of the commands of play that can do something; a choice presses their key."""
    skip = {"menu"} | (set() if session.workshop else WORKSHOP_ONLY)
    skip.add("overlays" if session.run.state.map.is_infinite else "map")
    if talent_screen(session) is None:
        skip.add("talent")
    choices = []
    for name, binding in bindings()["play"].items():
        if name in skip:
            continue
        text = (session.workshop and binding.workshop) or binding.help
        if name == "abandon" and session.run.state.won is not None:
            text = END_IN_VICTORY
        label = f"{text[:1].upper()}{text[1:]}"
        choices.append(Choice(label, binding.keys[0], _pressing(binding.keys[0])))
    if not session.run.state.levels.hollow_fault(session.run.state):
        choices.insert(0, Choice("Plant the First Seed here", "", lambda: Play(PlantFirstSeed())))
    return Menu("Commands", choices)


def _pressing(key: str) -> Callable[[], Reply]:
    return lambda: Pop(lambda below: below.handle(Key.read(key)))


def leave(session: Session) -> Reply:
    """Leave to the title; ask first if the run could not be saved completely."""
    if not session.lost:
        return Home()
    text = f"{session.lost[:1].upper()}{session.lost[1:]}. Leave anyway?"
    return Push(confirmation(text, "Yes, leave", lambda _: Home()))


def abandon(session: Session) -> Reply:
    """Ask whether to abandon the run; a hero with the First Seed ends it as a victory."""
    if session.run.state.won is not None:
        return Push(victory_question(lambda: Swap(_ended(session, "won"))))

    def end() -> Reply:
        if session.workshop:
            session.run.abandon()
            return Home()
        return Swap(_ended(session, "abandoned"))

    return Push(confirmation("Abandon this run for good?", "Yes, abandon it", lambda _: end()))


def _ended(session: Session, how: str) -> EndScreen:
    """End the run, and return its end screen."""
    session.run.abandon(how)
    return EndScreen(session, record_run_end(session, how))


def zoom(session: Session, change: int, *, by_wheel: bool = False) -> Reply:
    """Zoom the map; a level that is fitted to the window is first shown at the usual size."""
    if session.view.fitted and session.view.reveal:
        session.view.fitted = False
        return None
    return Zoom(change, by_wheel)


def screen_command(session: Session, name: str) -> Reply:
    """Return the reply to the command ``name``; None if it is not one of these."""
    visit = partial(choose_level.visit_level, session)
    match name:
        case "look" | "list":
            look = ChooseTile(session, "Examine", None)
            return Push(look if name == "look" else list_in_view(look))
        case "character":
            return Push(character_screen(session))
        case "talent":
            if chosen := talent_screen(session):
                return Push(chosen)
            session.answer("You have no talent to choose; each experience level brings one.")
        case "history":
            return Push(history_screen(session.log))
        case "help":
            usual: HelpPage = "world" if session.run.state.map.is_infinite else "game"
            return Push(help_screen(page="workshop" if session.workshop else usual))
        case "menu":
            session.card = []
            return Push(commands_menu(session))
        case "options":
            return Push(OptionsScreen())
        case "watch":
            if session.run.state.code.recipe != FROM_FILE:
                return Push(_watch_build(session))
            session.answer("This level came from a file: there is no build to watch.")
        case "map":
            session.answer("There is no world map here: only infinite worlds have one.")
        case "code":
            form = choose_level.level_code_entry(session, lambda code: Pop(lambda _: visit(code)))
            return Push(form)
        case "words":
            return Push(choose_level.word_entry(session, visit))
        case "previous" | "next":
            return visit(choose_level.neighbouring_code(session, -1 if name == "previous" else 1))
        case "overlays":
            code = session.run.state.code
            if code.place:
                session.answer("An infinite world takes no overlays.")
            elif code.recipe == FROM_FILE:
                session.answer("This level came from a file: it takes no overlays.")
            else:
                return Push(choose_level.overlay_menu(code, lambda changed: visit(str(changed))))
        case "seed" if session.card and not session.workshop:
            session.card = []  # In a game, Space on a card only closes the card.
        case "seed":
            return visit(choose_level.neighbouring_code(session, 0, seed_step=1))
        case "zoom_in" | "zoom_out":
            return zoom(session, 1 if name == "zoom_in" else -1)
        case "calm":
            fault = apply_and_save(replace(current(), motion=not current().motion))
            session.answer(fault or f"Moving light is {'on' if current().motion else 'off'} now.")
        case "save":
            return leave(session)
        case "abandon":
            return abandon(session)
    return None


def _watch_build(session: Session, *, opened_itself: bool = False) -> WatchBuildScreen:
    """Return the build of this level; in a scored run it shows only what is known of it."""
    state = session.run.state
    code = level_code_around(state)
    explored = explored_part(state, code) if state.scored else None
    view, tuned = BuildView(explored=explored), None if explored else session.tuned
    return WatchBuildScreen(code, view, tuned, opened_itself=opened_itself)


class EventScreens:
    """Opens the screens that events call for: end, victory, choice of talents; each once."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._ending: Ending | None = None
        self._offer = session.asks_again

    def of(self, events: list[Event]) -> Reply:
        """Return the reply that opens the screen ``events`` call for, None if there is none."""
        if not self._session.run.state.hero.alive:
            return None  # The play screen shows the last blow before it calls `over`.
        self._offer |= any(isinstance(event, LeveledUp | Learned) for event in events)
        if any(isinstance(event, Won) for event in events):
            return Push(VictoryScreen(self._session, lambda: Swap(_ended(self._session, "won"))))
        if any(isinstance(event, CameHome) for event in events):
            return self.over()
        if enemies_in_view(self._session.run.state):  # Nothing else comes between blows.
            return None
        mapped = any(isinstance(event, Remembered | Mapped) for event in events)
        if mapped and self._session.run.state.code.recipe != FROM_FILE:
            return Push(_watch_build(self._session, opened_itself=True))
        if self._offer:
            self._offer = False
            chosen = talent_screen(self._session)
            return Push(chosen) if chosen else None
        return None

    def over(self) -> Reply:
        """Open the end screen; the first time write the run's score and morgue file."""
        if self._ending is None:
            self._ending = record_run_end(self._session, self._session.run.state.end or "")
        return Push(EndScreen(self._session, self._ending))
