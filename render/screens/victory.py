"""The goal is reached: what that was worth, and whether to go on."""

from collections.abc import Callable

from engine.score import score
from render.draw import centered, panel, paragraphs, write
from render.frame import Frame, Rect
from render.hints import write_foot
from render.screen import Pop, Push, Reply
from render.screens.menu import Choice, Menu, question
from render.session import Session

WIDTH = 70
SAID = (
    "The First Seed lies warm in your hand. Every hall you walked grew from it, and every one that "
    "is still to come."
)
ON = (
    "Below, the dungeon goes on without end, and grows harder with every depth; all of it is "
    "scored. Or you end here, undefeated."
)


class VictoryScreen(Menu):
    """What is shown when the goal is taken; ``end`` ends the run as won."""

    def __init__(self, session: Session, end: Callable[[], Reply]) -> None:
        self.session = session
        asks = question("End this run here, undefeated?", "Yes, end it", lambda _: end())
        choices = [
            Choice("Go on, down where nobody has been", "g", Pop),
            Choice("End the run here, undefeated", "e", lambda: Push(asks)),
        ]
        super().__init__("Victory", choices)

    def draw(self, frame: Frame) -> None:
        """Draw what was won, what it is worth, and the choice."""
        world, width = self.session.run.world, min(WIDTH, frame.columns - 2)
        worth = score(world)
        figures = f"On turn {world.turn}, {world.kills} kills, {world.gold} gold"
        points = f"{worth.total} points so far." if world.scored else "This run is not scored."
        texts = [*paragraphs(SAID, width - 6), "", f"{figures}.", points, ""]
        texts += paragraphs(ON, width - 6)
        rect = centered(frame, width, len(texts) + len(self.choices) + 5)
        inner = panel(frame, rect, self.title)
        write_foot(frame, rect, self.hints())
        for row, line in enumerate(texts):
            write(frame.text, inner.x, inner.y + row, line, "accent" if row < 2 else "text")
        y = inner.y + len(texts) + 1
        self.draw_choices(frame, Rect(inner.x, y, inner.width, len(self.choices)))
