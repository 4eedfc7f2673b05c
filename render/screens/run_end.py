"""The end of a run (cause of death, score, files), the victory, and the high scores.

Also the menu of the daily dungeon, and the menu to play a dungeon again.
"""

import dataclasses
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from itertools import chain
from pathlib import Path

from msgspec.structs import replace

from engine.creatures.levelling import experience_of, talents_owed
from engine.saves.files import runs_folder
from engine.saves.ghost import setup_with_ghost
from engine.saves.high_scores import HighScore, daily_runs, daily_setup, score_board, today
from engine.saves.run_file import unfinished
from engine.state.actions import PlantFirstSeed
from engine.state.events import Hurt, ShotFired, Struck
from engine.state.game_state import GameState
from engine.state.identification import item_ref
from engine.state.run_setup import RunSetup
from engine.state.score import score
from entities.creature_kinds import HERO
from entities.folders import command_line
from entities.item_kinds import item_kinds
from entities.talents import talents
from entities.wording import pluralise
from render.map.place_names import hero_place
from render.messages.event_messages import event_texts
from render.messages.names import creature_name, item_phrase
from render.panels.morgue import Ending, ending_sentence, ending_text, share_text
from render.screens.menu import Choice, Menu, confirmation, notice
from render.screens.reader import character_screen, history_screen
from render.screens.screen import Begin, Home, Play, Pop, Push, Reply, Watch
from render.session.session import Session
from render.session.start_run import fresh_seed
from render.ui.buttons import Hint, hint, hinted_panel
from render.ui.frame import Frame, Rect
from render.ui.input import Key
from render.ui.keymap import command_of
from render.ui.text import centered, clipped, paragraphs, path_lines, printable, write, write_lines
from render.ui.texts import texts

WIDTH, LABEL = 76, 8
HEALING = "heal", "strengthen"
"""Effects of items that heal."""


class EndScreen(Menu):
    """Shown when a run is over."""

    def __init__(self, session: Session, ending: Ending) -> None:
        self.session = session
        self.ending = ending
        setup, recorder = session.setup, session.run.recorder
        dead = not session.run.state.hero.alive
        shared = share_text(session, ending.score)
        choices = [
            Choice("Character", "c", lambda: Push(character_screen(session))),
            Choice("Messages", "m", lambda: Push(history_screen(session.log))),
            Choice("High scores", "h", lambda: Push(ScoresScreen(ending.score))),
            Choice("A new dungeon", "n", lambda: Begin(with_fresh_seed(setup))),
            Choice("The same dungeon again", "a", self._again),
            Choice("Two lines to share", "s", lambda: Push(notice(shared, "To share"), shared)),
            Choice("To the title", "t", Home),
        ]
        if recorder and not recorder.problem:
            choices.insert(2, Choice("Watch the run", "w", partial(Watch, recorder.path)))
        if dead:
            choices.insert(0, Choice("Look at the map", "l", Pop))
        title = "The end" if session.run.state.home is None else "You are home"
        super().__init__("You die" if dead else title, choices)

    def draw(self, frame: Frame) -> None:
        """If on top, draw how the run ended, its score, the choices and the files' paths."""
        if frame.above:  # Its border would show around the screen over it.
            return
        width = min(WIDTH, frame.columns - 2)
        intro, files = self._intro(), self._files(width - 6 - LABEL)
        lines = [line for text in intro for line in paragraphs(text, width - 6)]
        rect = centered(frame, width, len(lines) + len(self.choices) + len(files) + 7)
        inner = hinted_panel(frame, rect, self.title, self.hints())
        color = "text" if self.session.run.state.hero.alive else "bad"
        y = write_lines(frame.text, inner.x, inner.y, lines[:1], color, inner.width)
        y = write_lines(frame.text, inner.x, y, lines[1:], "text", inner.width)
        bottom = inner.y + inner.height
        rows = min(len(self.choices), bottom - y - 1)
        self.draw_choices(frame, Rect(inner.x, y + 1, inner.width, rows))
        for row, (name, text) in zip(range(y + rows + 2, bottom), files, strict=False):
            write(frame.text, inner.x, row, name, "dim", inner.width)
            write(frame.text, inner.x + LABEL, row, text, "dim")

    def _again(self) -> Reply:
        """Begin the same dungeon again, or ask whether to race the ghost of this run."""
        recorder = self.session.run.recorder
        setup = replace(self.session.setup, ghost=None, grew_from=None)
        if recorder is None or recorder.problem:
            return Begin(setup)
        return Push(play_again_menu(setup, recorder.path))

    def _intro(self) -> list[str]:
        state, score = self.session.run.state, self.ending.score
        seed = clipped(state.setup.typed_seed, 40)
        far = f", deepest {score.depth}"
        if state.code.place:
            (x, y), (left, top) = hero_place(state), state.code.place
            away = pluralise(max(abs(x - left), abs(y - top)), "tile")
            far = f", {away} from where you set out"
        learned = [talents()[name] for name in experience_of(state.hero).talents]
        background = "".join(f" {one.name.lower()}" for one in learned if one.level == 1)
        growth = f"Level {score.level}{background}, {pluralise(score.kills, 'kill')}"
        lines = [
            f"{ending_sentence(state, score.end)} Seed {seed}.",
            f"{growth}, {score.gold:,} gold{far}.",
        ]
        if state.home is not None:
            lines.append(event_texts()["came_home"].text)
        if state.hollow:
            lines.append(f"Your hollow, to share: {state.hollow}.")
        place = f": {self.ending.place}" if self.ending.place else ""
        points = f"{pluralise(score.points, 'point')}{place}."
        lines.append(points if state.scored else "This run was not scored.")
        if not state.hero.alive:
            lines[1:1] = _last_wounds(self.session)
            lines += _unused(state)
        return [*lines, self.ending.fault] if self.ending.fault else lines

    def _files(self, width: int) -> list[tuple[str, str]]:
        """Return (label, text) of the run's files, wrapped to ``width`` columns.

        The replay command names the run, not its path, so it fits on one line and can be copied.
        It comes first, since lines for which there is no room are left out.
        """
        files = []
        recorder = self.session.run.recorder
        if recorder and not recorder.problem:
            files.append(("replay", command_line("replay", recorder.path.stem)))
        if self.ending.morgue:
            files.append(("morgue", str(self.ending.morgue)))
        lines = []
        for name, text in files:
            first, *more = path_lines(printable(text), width)
            lines += [(name, first), *(("", line) for line in more)]
        return lines

    def back(self) -> Reply:
        """Close the end screen to look at the map; a run ended by hand goes to the title."""
        return Home() if self.session.run.state.hero.alive else Pop()


def _last_wounds(session: Session) -> list[str]:
    """Return a line on the damage of the last turns by its causes, if there are several."""
    harms = Counter[str]()
    for event in chain(*session.last_turns):
        match event:
            case Struck(by, who, harm) | ShotFired(by, who, _, harm) if who.kind == HERO:
                harms[creature_name(by.kind)] += harm
            case Hurt(who, cause, harm) if who.kind == HERO:
                harms[creature_name(cause)] += harm
    parts = [f"{name} {harm}" for name, harm in harms.most_common() if harm]
    return [f"Last wounds: {', '.join(parts)}."] if parts[1:] else []


NAMED = ("background", "talent", "scroll", "wand", "seed")
"""Classes named at the end, besides items that heal: they could have helped."""


def _unused(state: GameState) -> list[str]:
    """Return a line on what could have helped: items that heal, a talent, scrolls, wands, seeds."""
    pack, chosen = state.hero.inventory, bool(experience_of(state.hero).talents)
    counts = Counter(background=not chosen, talent=max(0, talents_owed(state.hero) - (not chosen)))
    heals = [item for item in pack if item_kinds()[item.kind].effect in HEALING]
    names = [item_phrase(dataclasses.replace(item_ref(state, item), look=None)) for item in heals]
    for item in pack:
        empty = item_kinds()[item.kind].charges[1] and item.identified and not item.charges
        counts[item_kinds()[item.kind].item_class] += 0 if empty else item.count
    names += [pluralise(counts[it], it) for it in NAMED if counts[it]]
    return [f"Unused: {', '.join(names)}."] if names else []


def with_fresh_seed(setup: RunSetup) -> RunSetup:
    """Return ``setup`` with a fresh seed."""
    seed, typed = fresh_seed()
    return replace(setup, seed=seed, typed_seed=typed, grew_from=None, ghost=None)


VICTORY_WIDTH = 70
END_IN_VICTORY = "end the run as a victory"


def victory_question(end: Callable[[], Reply]) -> Menu:
    """Return the question before ``end`` ends the run as won."""
    return confirmation("End this run as a victory?", "Yes, end it", lambda _: end())


class VictoryScreen(Menu):
    """Shown when the goal is reached; ``end`` ends the run as won."""

    def __init__(self, session: Session, end: Callable[[], Reply]) -> None:
        self.session = session
        plant = Choice("Plant it here, and find the way home", "p", lambda: Play(PlantFirstSeed()))
        self._can_plant = not session.run.state.levels.hollow_fault(session.run.state)
        choices = [
            Choice("Play on, deeper down", "g", Pop),
            *([plant] if self._can_plant else []),
            Choice(END_IN_VICTORY.capitalize(), "e", lambda: Push(victory_question(end))),
        ]
        super().__init__("Victory", choices)

    def draw(self, frame: Frame) -> None:
        """Draw the victory text, the score so far, and the choice."""
        state, width = self.session.run.state, min(VICTORY_WIDTH, frame.columns - 2)
        total = pluralise(score(state).total, "point")
        figures = f"On turn {state.turn}, {pluralise(state.kills, 'kill')}, {state.gold:,} gold"
        points = f"{total} so far." if state.scored else "This run is not scored."
        lines = [*paragraphs(texts().victory["found"], width - 6), "", f"{figures}.", points, ""]
        scored = "; all of it is scored" if state.scored else ""
        plant = texts().victory["plant"] if self._can_plant else ""
        lines += paragraphs(texts().victory["go_on"].format(scored=scored, plant=plant), width - 6)
        rect = centered(frame, width, len(lines) + len(self.choices) + 6)
        inner = hinted_panel(frame, rect, self.title, self.hints())
        y = write_lines(frame.text, inner.x, inner.y, lines[:2], "accent")
        y = write_lines(frame.text, inner.x, y, lines[2:]) + 1
        self.draw_choices(frame, Rect(inner.x, y, inner.width, len(self.choices)))


HEAD = f"{'':>4}{'points':>7}  {'depth':>5} {'turns':>7}  {'when':<11}"
SCORES_WIDTH = 96


class ScoresScreen(Menu):
    """A high score list; left and right switch to another day's list or to that of all time.

    The entry ``fresh`` is selected. `g` shows the list of runs with a ghost.
    """

    def __init__(self, fresh: HighScore | None = None, day: str = "") -> None:
        self.fresh = fresh
        super().__init__("", [])
        self._turn_to(day, ghosts=bool(fresh and fresh.ghost))

    def _turn_to(self, day: str, *, ghosts: bool = False) -> None:
        self.day, self.ghosts = day, ghosts
        self._cells = []  # A click on a line of the previous board must choose nothing.
        self.board = score_board(day, ghosts=ghosts)
        every = "High scores of runs with a ghost" if ghosts else "High scores"
        self.title = f"The dungeon of {day}" if day else every
        self._list(SCORES_WIDTH)
        self.index = self.board.index(self.fresh) if self.fresh in self.board else 0

    def _list(self, columns: int) -> None:
        """List the scores in ``columns`` columns, without their seeds if they do not fit."""
        self._seeds = columns >= SCORES_WIDTH
        self.choices = [
            Choice(_row(rank, score, self._seeds), "", partial(_watched, score))
            for rank, score in enumerate(self.board, 1)
        ]

    def draw(self, frame: Frame) -> None:
        """Draw the list; nothing below another screen."""
        if frame.above:
            return
        self._list(frame.map_area.width)
        rect = centered(frame, SCORES_WIDTH, max(12, min(len(self.choices) + 7, frame.rows - 2)))
        inner = hinted_panel(frame, rect, self.title, self.hints())
        head = f"{HEAD}{'seed':<16} " if self._seeds else HEAD
        write(frame.text, inner.x + 3, inner.y, f"{head}how it ended", "dim", inner.width - 3)
        if not self.choices:
            write(frame.text, inner.x, inner.y + 2, "No scored runs yet.", "text", inner.width)
        self.draw_choices(frame, Rect(inner.x - 1, inner.y + 1, inner.width + 1, inner.height - 1))

    def hints(self) -> list[Hint]:
        """Return the hints to show under the list."""
        ghosts = Hint("g", "without ghosts" if self.ghosts else "with ghosts")
        hints = [
            hint("tuning", "less", "day before" if self.day else "today's dungeon"),
            hint("tuning", "more", "day after, all time") if self.day else ghosts,
            hint("menu", "back", "back"),
        ]
        if self.day == today().isoformat():  # Last: no button that turns to this day is there.
            hints.append(Hint("p", "play it"))
        return [hint("menu", "choose", "watch"), *hints] if self.choices else hints

    def key(self, key: Key) -> Reply:
        """Switch the day, play today's dungeon, else handle a key as any menu does."""
        match command_of("tuning", key):
            case "less":
                self._turn_to(_days_from(self.day, -1) if self.day else today().isoformat())
                return None
            case "more":
                day = _days_from(self.day, 1) if self.day else ""
                self._turn_to(day if day <= today().isoformat() else "")
                return None
        if str(key) == "p" and self.day == today().isoformat():
            return daily_menu().choices[0].chosen()  # After a first try it offers that run's ghost.
        if str(key) == "g" and not self.day:
            self._turn_to("", ghosts=not self.ghosts)
            return None
        return super().key(key) if self.choices or command_of("menu", key) == "back" else None


def _days_from(day: str, days: int) -> str:
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat()


def _row(rank: int, score: HighScore, seeds: bool) -> str:
    seed = f"{clipped(score.seed, 16):<16} " if seeds else ""
    return (
        f"{rank:>3} {score.points:>7,}  {score.depth:>5} {score.turns:>7,}  {score.ended[:10]} "
        f"{seed}{ending_text(score.end, won=score.won)}"
    )


def _watched(score: HighScore) -> Reply:
    path = runs_folder() / f"{score.run}.jsonl"
    if not score.run or "/" in score.run or "\\" in score.run or not path.is_file():
        return Push(notice("The recording of that run is no longer here.", "High scores"))
    return Watch(path)


def daily_menu() -> Menu:
    """Return the menu of today's dungeon."""
    day = today()
    name = day.isoformat()
    tries = daily_runs(name)
    played = tries or score_board(name)  # The run may have been deleted.
    over = "You have already played it." if played else "You have not played it yet."
    open_still = "Your run of it is not over: Continue on the title screen resumes it."
    state = open_still if tries and unfinished(tries[0]) else over
    intro = texts().dialogs["daily"].format(seed=daily_setup(day).typed_seed, state=state)
    play = Choice("Play it", "p", lambda: Begin(daily_setup(day)))
    again = Choice("Play it again", "p", lambda: Push(play_again_menu(daily_setup(day), tries[0])))
    label = "Its high scores, and those of other days"
    scores = Choice(label, "b", lambda: Push(ScoresScreen(day=name)))
    choices = [again if tries else play, scores, Choice("Back", "q", Pop)]
    return Menu(f"The dungeon of {name}", choices, intro)


def play_again_menu(setup: RunSetup, path: Path) -> Menu:
    """Return the menu to play the dungeon of ``setup`` alone or with the ghost of a run of it."""
    choices = [
        Choice("Alone", "a", lambda: Begin(setup)),
        Choice("With the ghost of the earlier run", "g", lambda: Begin(setup_with_ghost(path))),
    ]
    return Menu("The same dungeon again", choices, texts().dialogs["play_again"])
