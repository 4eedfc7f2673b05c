"""The choice of a talent after a level-up."""

from collections.abc import Callable

from engine.creatures.levelling import experience_of, offered_talents, talents_owed
from engine.state.actions import Choose
from entities.talents import talents
from render.screens.menu import Choice, Menu
from render.screens.screen import Play, Reply
from render.session.session import Session
from render.ui.buttons import Hint, hint, write_foot
from render.ui.frame import Frame, Rect
from render.ui.text import centered, fill, panel, paragraphs, write

WIDTH = 66


class TalentMenu(Menu):
    """The talents on offer with their texts.

    Digits choose, not letters: a movement key typed ahead must not pick a talent.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        names = offered_talents(session.run.state)
        choices = [
            Choice(talents()[name].name, f"{number}", _learning(name))
            for number, name in enumerate(names, 1)
        ]
        self.texts = [talents()[name].text for name in names]
        growth = experience_of(session.run.state.hero)
        super().__init__(f"Level {growth.level}: learn a talent", choices)

    def draw(self, frame: Frame) -> None:
        """Draw the talents in two lines each."""
        width = min(WIDTH, frame.columns - 2)
        told = [paragraphs(text, width - 12) for text in self.texts]
        height = sum(2 + len(lines) for lines in told)
        more = talents_owed(self.session.run.state.hero) - 1
        rect = centered(frame, width, height + 3 + 2 * (more > 0))
        inner = panel(frame, rect, self.title)
        write_foot(frame, rect, self.hints())
        y, self._rows = inner.y, {}
        for number, (choice, lines) in enumerate(zip(self.choices, told, strict=True)):
            lit = number == self.index
            if lit:
                fill(frame.text, Rect(inner.x - 1, y, inner.width + 2, 1 + len(lines)), "line")
            write(frame.text, inner.x, y, choice.key, "accent")
            write(frame.text, inner.x + 3, y, choice.label, "accent" if lit else "text")
            for row, line in enumerate(lines):
                write(frame.text, inner.x + 3, y + 1 + row, line, "dim")
            self._rows |= dict.fromkeys(range(y, y + 1 + len(lines)), number)
            y += 2 + len(lines)
        if more > 0:
            write(frame.text, inner.x, y, f"{more} more to choose after this", "good")

    def hints(self) -> list[Hint]:
        """Return the hints to show under the talents."""
        return [
            hint("menu", "choose", "or its number: learn"),
            hint("menu", "back", "later"),
        ]


def talent_screen(session: Session) -> TalentMenu | None:
    """Return the menu of talents, None if there is none to choose."""
    return TalentMenu(session) if offered_talents(session.run.state) else None


def _learning(name: str) -> Callable[[], Reply]:
    return lambda: Play(Choose(name))
