"""Where one is in a growth that is being watched, and how fast it goes on."""

from bisect import bisect_left, bisect_right

from procgen.level_code import LevelCode
from procgen.recipes import Recipe
from render.workshop.build_recording import BuildRecording, Moment

SPEEDS = (1, 2, 5, 10, 20, 40, 80)
"""Moments in a second."""
WORKING = 0.02
"""Seconds between two pieces of work, while the build goes on behind what is shown."""


class Player:
    """A place in a build, and the way it moves: played, stepped, scrubbed.

    While ``seeking`` the newest moment is shown, until the build is over.
    """

    def __init__(self, code: LevelCode, recipe: Recipe | None = None) -> None:
        self.growth = BuildRecording(code, recipe)
        self.index = 0
        self.playing = True
        self.seeking = False
        self.speed = 3
        self._waited = 0.0
        self.growth.work()

    @property
    def moment(self) -> Moment | None:
        """What is shown now; None if the build had nothing to show."""
        return self.growth.moments[self.index] if self.growth.moments else None

    @property
    def last(self) -> int:
        """The number of the newest moment."""
        return max(0, len(self.growth.moments) - 1)

    @property
    def interval(self) -> float | None:
        """The time after which `tick` wants to be called, None for never."""
        delay = 1 / SPEEDS[self.speed] if self.playing else None
        if self.growth.finished:
            return delay
        return min(delay or WORKING, WORKING)

    def tick(self) -> None:
        """Build on, and show the next moment when its time has come; stop at the last."""
        passed = self.interval or 0.0
        if not self.growth.finished:
            self.growth.work()
        if self.seeking:
            self.index = self.last
            self.seeking = not self.growth.finished
        elif self.playing:
            self._waited += passed
            if self._waited * SPEEDS[self.speed] > 0.999:
                self._waited = 0.0
                self.playing = self.to(self.index + 1)

    def to(self, index: int) -> bool:
        """Show moment ``index``, building on as far as needed; return whether it exists."""
        while index > self.last and self.growth.advance():
            pass
        self.seeking = False
        self.index = max(0, min(index, self.last))
        return self.index == index

    def pause(self) -> None:
        """Stop or go on; from the end, begin again."""
        if self.growth.finished and self.index == self.last:
            self.index = 0
        self.seeking = False
        self.playing = not self.playing

    def move(self, by: int) -> None:
        """Stop, and show what lies ``by`` moments on."""
        self.playing = False
        self.to(self.index + by)

    def step(self, by: int) -> None:
        """Stop where the next step begins, or (-1) where this one or the one before did."""
        self.playing = False
        starts = self.growth.starts
        while by > 0 and max(starts, default=0) <= self.index and self.growth.advance():
            pass
        place = bisect_right(starts, self.index) if by > 0 else bisect_left(starts, self.index) - 1
        self.to(starts[max(0, place)] if place < len(starts) else self.last)

    def end(self) -> None:
        """Stop at the end, or show the build until it gets there."""
        self.playing, self.seeking = False, True
        self.growth.work()
        self.index = self.last
        self.seeking = not self.growth.finished

    def hasten(self, by: int) -> None:
        """Play ``by`` notches faster."""
        self.speed = max(0, min(len(SPEEDS) - 1, self.speed + by))

    @property
    def share(self) -> float:
        """How far along the bar one is, 0 to 1; what is not built yet is counted by steps."""
        return self.growth.share * (self.index / self.last if self.last else 1.0)

    def scrub(self, share: float) -> None:
        """Stop, and show what lies at ``share`` of the bar, if it is built yet."""
        self.playing = False
        known = share / max(0.001, self.growth.share)
        self.to(round(min(1.0, known) * self.last))

    def command(self, name: str | None) -> bool:
        """Do what a key of the player's asks; return whether it was one."""
        match name:
            case "pause":
                self.pause()
            case "forward" | "back":
                self.move(1 if name == "forward" else -1)
            case "next_step" | "previous_step":
                self.step(1 if name == "next_step" else -1)
            case "faster" | "slower":
                self.hasten(1 if name == "faster" else -1)
            case "first":
                self.playing = False
                self.to(0)
            case "last":
                self.end()
            case _:
                return False
        return True


class Pair:
    """Two players with one place between them, counted in moments of the longer build.

    Until both builds are over, each shows its newest moment.
    """

    def __init__(self, left: Player, right: Player) -> None:
        self.players = (left, right)
        self.place = 0
        self.playing = True
        for player in self.players:
            player.playing = False
        self._follow()

    @property
    def finished(self) -> bool:
        """Whether both builds are over."""
        return all(player.growth.finished for player in self.players)

    @property
    def last(self) -> int:
        """The last place."""
        return max(player.last for player in self.players)

    @property
    def interval(self) -> float | None:
        """The time after which `tick` wants to be called, None for never."""
        if not self.finished:
            return WORKING
        return 1 / SPEEDS[self.players[0].speed] if self.playing else None

    def tick(self) -> None:
        """Build on, or show what comes next; stop at the last."""
        if not self.finished:
            for player in self.players:
                player.growth.work()
        elif self.playing:
            self.place += 1
            self.playing = self.place < self.last
        self._follow()

    def _follow(self) -> None:
        self.place = max(0, min(self.place, self.last))
        for player in self.players:
            share = self.place / self.last if self.finished and self.last else 1.0
            player.index = round(share * player.last) if self.finished else player.last
            player.playing, player.seeking = self.playing, not self.finished

    def scrub(self, share: float) -> None:
        """Stop, and show what lies at ``share`` of the way."""
        self.playing = False
        self.place = round(share * self.last)
        self._follow()

    def command(self, name: str | None) -> bool:
        """Do what a key of the player's asks; return whether it was one."""
        match name:
            case "pause":
                self.playing = not self.playing
                if self.place == self.last:
                    self.place, self.playing = 0, True
            case "forward" | "back":
                self._stop_at(self.place + (1 if name == "forward" else -1))
            case "next_step" | "previous_step":
                self._step(1 if name == "next_step" else -1)
            case "faster" | "slower":
                for player in self.players:
                    player.hasten(1 if name == "faster" else -1)
            case "first" | "last":
                self._stop_at(0 if name == "first" else self.last)
            case _:
                return False
        self._follow()
        return True

    def _stop_at(self, place: int) -> None:
        self.playing, self.place = False, place

    def _step(self, by: int) -> None:
        """Go to where the next step of the left recipe begins, or the one before."""
        left = self.players[0]
        left.step(by)
        self._stop_at(round(left.index / max(1, left.last) * self.last))
