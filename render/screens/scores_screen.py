"""High scores, the menu of the daily dungeon, and the choice to play a dungeon again."""

from datetime import timedelta
from pathlib import Path

from engine.saves.files import runs_folder
from engine.saves.ghost import setup_with_ghost
from engine.saves.high_scores import HighScore, daily_runs, daily_setup, score_board, today
from engine.saves.run_file import RunFileError
from engine.state.run_setup import RunSetup
from render.panels.morgue import ending_text
from render.screens.menu import Choice, Menu, notice
from render.screens.screen import Begin, Pop, Push, Reply, Watch
from render.ui.buttons import Hint, hint, hinted_panel
from render.ui.frame import Frame, Rect
from render.ui.input import Key
from render.ui.keymap import command_of
from render.ui.text import centered, clipped, write

HEAD = f"{'':>4}{'points':>7}  {'depth':>5} {'turns':>7}  {'when':<11}{'seed':<14} how it ended"
WIDTH = 92


class ScoresScreen(Menu):
    """A high score list; left and right switch to another day's or to that of all time.

    The entry ``fresh`` is selected. `g` shows the list of runs beside a ghost.
    """

    def __init__(self, fresh: HighScore | None = None, day: str = "") -> None:
        self.fresh = fresh
        super().__init__("", [])
        self._turn_to(day, ghosts=bool(fresh and fresh.ghost))

    def _turn_to(self, day: str, *, ghosts: bool = False) -> None:
        self.day, self.ghosts = day, ghosts
        self.board = score_board(day, ghosts=ghosts)
        self.title = f"The dungeon of {day}" if day else "High scores"
        if ghosts:
            self.title = "High scores of runs with a ghost"
        self.choices = [
            Choice(_row(rank, score), "", lambda score=score: _watched(score))  # type: ignore[misc]
            for rank, score in enumerate(self.board, 1)
        ]
        self.index = self.board.index(self.fresh) if self.fresh in self.board else 0

    def draw(self, frame: Frame) -> None:
        """Draw the list."""
        rect = centered(frame, WIDTH, max(12, min(len(self.choices) + 7, frame.rows - 2)))
        inner = hinted_panel(frame, rect, self.title, self.hints())
        write(frame.text, inner.x + 3, inner.y, HEAD, "dim", inner.width - 3)
        if not self.choices:
            empty = "No runs yet." if self.day else "No finished runs yet."
            write(frame.text, inner.x, inner.y + 2, empty, "text", inner.width)
            return
        rows = Rect(inner.x - 1, inner.y + 1, inner.width + 1, inner.height - 1)
        self.draw_choices(frame, rows)

    def hints(self) -> list[Hint]:
        """Return the hints to show under the list."""
        found = [
            hint("tuning", "less", "day before"),
            *([hint("tuning", "more", "day after, all time")] if self.day else []),
            *([] if self.day else [Hint("g", "without ghosts" if self.ghosts else "with ghosts")]),
            hint("menu", "back", "back"),
        ]
        if self.day == today().isoformat():
            found.insert(0, Hint("p", "play it"))
        return [hint("menu", "choose", "watch"), *found] if self.choices else found

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
        if key.name == "p" and self.day == today().isoformat():
            return Begin(daily_setup(today()))
        if key.name == "g" and not self.day:
            self._turn_to("", ghosts=not self.ghosts)
            return None
        return super().key(key) if self.choices or command_of("menu", key) == "back" else None


def _days_from(day: str, by: int) -> str:
    return (type(today()).fromisoformat(day) + timedelta(days=by)).isoformat()


def _row(rank: int, score: HighScore) -> str:
    end = ending_text(score.end, won=score.won)
    seed = clipped(score.seed, 13)
    return (
        f"{rank:>3} {score.points:>7}  {score.depth:>5} {score.turns:>7}  {score.ended[:10]} "
        f"{seed:<14} {end}"
    )


def _watched(score: HighScore) -> Reply:
    path = runs_folder() / f"{score.run}.jsonl"
    if not score.run or "/" in score.run or "\\" in score.run or not path.is_file():
        from_here = notice("The recording of that run is no longer here.")
        return Push(from_here)
    return Watch(path)


def daily_menu() -> Menu:
    """Return the menu of today's dungeon."""
    day = today()
    name = day.isoformat()
    lead = (
        "A new dungeon every day, the same for everyone; the day changes at midnight UTC. "
        f'Its seed is "{daily_setup(day).typed_seed}", so you can play it later, too, but only '
        "the first run that you start on the day itself counts for its high scores. "
    )
    tries = daily_runs(name)
    lead += "You have had your try." if tries else "You have not tried it."
    play = Choice("Play it", "p", lambda: Begin(daily_setup(day)))
    again = Choice("Play it again", "p", lambda: Push(again_menu(daily_setup(day), tries[0])))
    choices = [
        again if tries else play,
        Choice(
            "Its high scores, and those of other days", "b", lambda: Push(ScoresScreen(day=name))
        ),
        Choice("Back", "q", Pop),
    ]
    return Menu(f"The dungeon of {name}", choices, lead)


def again_menu(setup: RunSetup, path: Path) -> Menu:
    """Return the choice to play the dungeon of ``setup`` alone or with the ghost of a run of it."""
    lead = (
        "The ghost of the earlier run walks beside you, turn by turn as it was. Where it died lies "
        "one thing of its pack. Runs with a ghost have a board of their own."
    )
    choices = [
        Choice("Alone", "a", lambda: Begin(setup)),
        Choice("With the ghost of the earlier run", "g", lambda: beside_ghost(path)),
    ]
    return Menu("The same dungeon again", choices, lead)


def beside_ghost(path: Path) -> Reply:
    """Begin the dungeon of the run at ``path`` with its ghost, or say why that cannot be."""
    try:
        return Begin(setup_with_ghost(path))
    except RunFileError as fault:
        return Push(notice(f"{fault}."))
