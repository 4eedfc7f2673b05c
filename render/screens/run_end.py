"""The end screen of a run (cause of death, score, files) and the victory screen."""

from collections.abc import Callable

from msgspec.structs import replace

from engine.state.actions import PlantFirstSeed
from engine.state.run_setup import RunSetup
from engine.state.score import score
from entities.program import COMMAND
from render.panels.morgue import Ending, ending_text, share_text
from render.screens.menu import Choice, Menu, confirmation
from render.screens.reader import character_screen, history_screen
from render.screens.scores_screen import ScoresScreen, again_menu
from render.screens.screen import Begin, Copy, Home, Play, Pop, Push, Reply, Watch
from render.session.session import Session
from render.session.start_run import fresh_seed
from render.ui.buttons import hinted_panel
from render.ui.frame import Frame, Rect
from render.ui.text import centered, paragraphs, path_lines, printable, write, write_lines
from render.ui.texts import texts

WIDTH, LABEL = 76, 8


class EndScreen(Menu):
    """Shown when a run is over."""

    def __init__(self, session: Session, ending: Ending) -> None:
        self.session = session
        self.ending = ending
        setup, recorder = session.setup, session.run.recorder
        dead = not session.run.state.hero.alive
        choices = [
            Choice("Character", "c", lambda: Push(character_screen(session))),
            Choice("Messages", "m", lambda: Push(history_screen(session.log))),
            Choice("High scores", "h", lambda: Push(ScoresScreen(ending.score))),
            Choice("A new dungeon", "n", lambda: Begin(anew(setup))),
            Choice("The same dungeon again", "a", self._again),
            Choice("Copy two lines to share", "s", lambda: Copy(share_text(session, ending.score))),
            Choice("To the title", "t", Home),
        ]
        if recorder and not recorder.problem:
            path = recorder.path
            choices.insert(2, Choice("Watch the run", "w", lambda: Watch(path)))
        if dead:
            choices.insert(0, Choice("Look at the map", "l", Pop))
        super().__init__("You die" if dead else "The end", choices)

    def draw(self, frame: Frame) -> None:
        """Draw how the run ended, its score, the choices, and the files' paths."""
        width = min(WIDTH, frame.columns - 2)
        lead, files = self._lead(), self._files(width - 6 - LABEL)
        said = [line for text in lead for line in paragraphs(text, width - 6)]
        height = len(said) + len(self.choices) + len(files) + 7
        rect = centered(frame, width, height)
        inner = hinted_panel(frame, rect, self.title, self.hints())
        y = inner.y
        for row, line in enumerate(said):
            color = "bad" if row == 0 and "die" in self.title else "text"
            write(frame.text, inner.x, y, line, color, inner.width)
            y += 1
        self.draw_choices(frame, Rect(inner.x, y + 1, inner.width, len(self.choices)))
        y += len(self.choices) + 2
        for name, text in files:
            write(frame.text, inner.x, y, name, "dim", inner.width)
            write(frame.text, inner.x + LABEL, y, text, "dim")
            y += 1

    def _again(self) -> Reply:
        """Begin the same dungeon anew, or ask whether beside the ghost of this run."""
        recorder = self.session.run.recorder
        setup = replace(self.session.setup, ghost=None, grew_from=None)
        if recorder is None or recorder.problem:
            return Begin(setup)
        return Push(again_menu(setup, recorder.path))

    def _lead(self) -> list[str]:
        state, score = self.session.run.state, self.ending.score
        end = ending_text(score.end)
        lines = [
            f"{end[:1].upper()}{end[1:]} on depth {state.depth}, on turn {state.turn}.",
            f"Level {score.level}, {score.kills} kills, {score.gold} gold, deepest {score.depth}.",
        ]
        if state.hollow:
            lines.append(f"Your hollow, to share: {state.hollow}.")
        if not state.scored:
            lines.append("This run was not scored.")
        else:
            place = f": {self.ending.place}" if self.ending.place else ""
            lines.append(f"{score.points} points{place}.")
        return [*lines, self.ending.fault] if self.ending.fault else lines

    def _files(self, width: int) -> list[tuple[str, str]]:
        """Return (label, path) of the run's files, wrapped to ``width`` columns."""
        files = []
        if self.ending.morgue:
            files.append(("morgue", str(self.ending.morgue)))
        recorder = self.session.run.recorder
        if recorder and not recorder.problem:
            files.append(("replay", f'{COMMAND} replay "{recorder.path}"'))
        lines = []
        for name, text in files:
            first, *more = path_lines(printable(text), width)
            lines += [(name, first), *(("", line) for line in more)]
        return lines

    def back(self) -> Reply:
        """Close the end screen to look at the map; a run ended by hand goes to the title."""
        return Home() if self.session.run.state.hero.alive else Pop()


def anew(setup: RunSetup) -> RunSetup:
    """Return ``setup`` with a fresh seed."""
    seed, typed = fresh_seed()
    return replace(setup, seed=seed, typed_seed=typed, grew_from=None, ghost=None)


VICTORY_WIDTH = 70


class VictoryScreen(Menu):
    """Shown when the goal is reached; ``end`` ends the run as won."""

    def __init__(self, session: Session, end: Callable[[], Reply]) -> None:
        self.session = session
        asks = confirmation("End this run as a victory?", "Yes, end it", lambda _: end())
        choices = [
            Choice("Play on, deeper down", "g", Pop),
            Choice("Plant it here, and find the way home", "p", lambda: Play(PlantFirstSeed())),
            Choice("End the run as a victory", "e", lambda: Push(asks)),
        ]
        super().__init__("Victory", choices)

    def draw(self, frame: Frame) -> None:
        """Draw the victory text, the score so far, and the choice."""
        state, width = self.session.run.state, min(VICTORY_WIDTH, frame.columns - 2)
        worth = score(state)
        figures = f"On turn {state.turn}, {state.kills} kills, {state.gold} gold"
        points = f"{worth.total} points so far." if state.scored else "This run is not scored."
        lines = [*paragraphs(texts().victory["found"], width - 6), "", f"{figures}.", points, ""]
        scored = "; all of it is scored" if state.scored else ""
        lines += paragraphs(texts().victory["go_on"].format(scored=scored), width - 6)
        rect = centered(frame, width, len(lines) + len(self.choices) + 6)
        inner = hinted_panel(frame, rect, self.title, self.hints())
        y = write_lines(frame.text, inner.x, inner.y, lines[:2], "accent")
        y = write_lines(frame.text, inner.x, y, lines[2:]) + 1
        self.draw_choices(frame, Rect(inner.x, y, inner.width, len(self.choices)))
