"""The pictures of a film, one after another, drawn as the run is played again."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from engine.records.record import RecordedRun
from engine.records.run import Playback, Run
from render.draw import printable
from render.film.cues import Cue
from render.frame import Frame
from render.hud import draw_play
from render.log import MessageLog
from render.session import Session

LEAD = 60
"""Turns heard before the first picture, so that there are messages on it."""
CENTRAL = 0.28
"""How far from the middle of the map's picture the hero may go before it is moved."""


@dataclass(frozen=True)
class Shot:
    """A picture, from when on it is shown, and the code and depth of the level that is seen."""

    frame: Frame
    time: float
    level: str
    depth: int


def shots(
    recorded: RecordedRun, chosen: Iterable[Cue], empty: Callable[[], Frame]
) -> Iterator[Shot]:
    """Yield the pictures ``chosen``, in order, each on a frame that ``empty`` gives.

    Raises `engine.records.run.OutOfSync` where the run does not come out as recorded.
    """
    playback = Playback(recorded)
    session = Session(Run(playback.engine))
    session.hints = []
    session.jump()
    session.log = MessageLog()
    camera = Camera()
    status = f"Seedhollow, seed {printable(recorded.header.setup.typed_seed)}"
    for cue in chosen:
        for events in playback.approach(cue.turn, LEAD):
            session.hear(events)
        world = session.run.world
        frame = empty()
        camera.follow(session, frame)
        draw_play(frame, session, status=status)
        yield Shot(frame, cue.time, str(world.code), world.depth)


class Camera:
    """Looks at the map, and moves only when the hero comes near the rim.

    A film in which little moves is small, and easy on the eye.
    """

    def __init__(self) -> None:
        self._level = ""
        self._x = self._y = 0
        self._span = (1, 1)

    def follow(self, session: Session, frame: Frame) -> None:
        """Point ``session``'s view."""
        world = session.run.world
        far_x = abs(world.hero.x - self._x) > CENTRAL * self._span[0]
        far_y = abs(world.hero.y - self._y) > CENTRAL * self._span[1]
        if far_x or far_y or self._level != str(world.code):
            self._level = str(world.code)
            self._x, self._y = world.hero.x, world.hero.y
        self._span = round(frame.columns / frame.tile[0]), round(frame.rows / frame.tile[1])
        session.view.looking_at = self._x, self._y
