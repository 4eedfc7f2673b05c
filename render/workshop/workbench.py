"""What the Workshop shows of a level and an adventure does not: all there is, and its bones."""

from procgen.blueprint import Point
from render.draw import fill
from render.frame import Frame, Rect
from render.map_view import draw_creatures
from render.session import Session
from render.workshop.lens import Lens, draw_legend
from render.workshop.overlays import Overlay


class Workbench:
    """Lays overlays on the level in play."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.lens = Lens()

    def command(self, name: str) -> None:
        """Show the whole level or the next overlay; say so where that would be cheating."""
        if not self.session.workshop:
            self.session.say("Only the Workshop shows what you have not seen.", "dim")
        elif name == "overlay":
            self.lens.turn(self.session.run.world.code.recipe)
        else:
            self.session.view.reveal = not self.session.view.reveal

    def draw(self, frame: Frame) -> None:
        """Lay the overlay, if any, between the map and who walks on it, and name it."""
        console, rect = frame.map, frame.map_rect
        if self.lens.kind is Overlay.NONE or console is None or rect is None:
            return
        world, view = self.session.run.world, self.session.view
        if chart := self.lens.on_map(world.map, Point(world.hero.x, world.hero.y)):
            left, top = self.lens.corner
            chart.lay(console, view.left - left, view.top - top)
            draw_creatures(console, world, view)
        line = Rect(rect.x, rect.y, rect.width, 1)
        fill(frame.text, line, "panel")
        start = draw_legend(frame.text, rect.y, rect.x + 2, rect.x + rect.width - 2, self.lens)
        frame.overlays.append(Rect(start - 2, rect.y, rect.x + rect.width - start + 2, 1))
