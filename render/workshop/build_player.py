"""The controls of a build being watched: position, speed, scrubbing, and two builds in step."""

from bisect import bisect_left, bisect_right

from procgen.level_code import LevelCode
from render.workshop.build_recording import BuildRecording, Snapshot

SPEEDS = (1, 2, 5, 10, 20, 40, 80)
"""Snapshots per second."""
WORK_SECONDS = 0.02
"""Seconds between two slices of work while the build continues in the background."""


class BuildPlayer:
    """A position in a build that can be played, stepped and scrubbed.

    While ``seeking``, the newest snapshot is shown until the build is finished.
    """

    def __init__(self, code: LevelCode) -> None:
        self.recording = BuildRecording(code)
        self.index = 0
        self.playing = True
        self.seeking = False
        self.speed = 3
        self._waited = 0.0
        self.recording.work()

    @property
    def snapshot(self) -> Snapshot | None:
        """The snapshot shown; None if the build has none yet."""
        return self.recording.snapshots[self.index] if self.recording.snapshots else None

    @property
    def last(self) -> int:
        """The number of the newest snapshot."""
        return max(0, len(self.recording.snapshots) - 1)

    @property
    def interval(self) -> float | None:
        """Seconds until the next tick, None while nothing moves."""
        delay = 1 / SPEEDS[self.speed] if self.playing else None
        if self.recording.finished:
            return delay
        return min(delay or WORK_SECONDS, WORK_SECONDS)

    def tick(self) -> None:
        """Continue the build, and show the next snapshot when it is due; stop at the last."""
        seconds = self.interval or 0.0
        self.recording.work()
        if self.seeking:
            self.index = self.last
            self.seeking = not self.recording.finished
        elif self.playing:
            self._waited += seconds
            if self._waited * SPEEDS[self.speed] > 0.999:
                self._waited = 0.0
                self.playing = self.to(self.index + 1)

    def to(self, index: int) -> bool:
        """Show snapshot ``index``, building up to it if needed; return whether it exists."""
        while index > self.last and self.recording.advance():
            pass
        self.seeking = False
        self.index = max(0, min(index, self.last))
        return self.index == index

    def pause(self) -> None:
        """Pause or play; at the end, start again."""
        self.seeking = False
        self.playing = not self.playing
        if self.playing and self.recording.finished and self.index == self.last:
            self.index = 0

    def move(self, count: int) -> None:
        """Pause, and move by ``count`` snapshots."""
        self.playing = False
        self.to(self.index + count)

    def step(self, by: int) -> None:
        """Pause at the beginning of the next step or, for -1, of this step or the previous one."""
        self.playing = False
        starts = self.recording.starts
        while by > 0 and max(starts, default=0) <= self.index and self.recording.advance():
            pass
        place = bisect_right(starts, self.index) if by > 0 else bisect_left(starts, self.index) - 1
        self.to(starts[max(0, place)] if place < len(starts) else self.last)

    def end(self) -> None:
        """Pause at the end, following the build until it gets there."""
        self.playing, self.seeking = False, True
        self.tick()

    def change_speed(self, count: int) -> None:
        """Play ``count`` speed steps faster (slower if negative)."""
        self.speed = max(0, min(len(SPEEDS) - 1, self.speed + count))

    @property
    def share(self) -> float:
        """The position on the bar, 0 to 1; the length of the unbuilt rest is estimated by steps."""
        return self.recording.share * (self.index / self.last if self.last else 1.0)

    def scrub(self, share: float) -> None:
        """Pause, and show the snapshot at ``share`` of the bar if it is already built."""
        self.playing = False
        self.to(round(min(1.0, share / max(0.001, self.recording.share)) * self.last))

    def command(self, name: str | None) -> bool:
        """Perform a command; return whether it was one of the player's."""
        match name:
            case "pause":
                self.pause()
            case "forward" | "back":
                self.move(1 if name == "forward" else -1)
            case "next_step" | "previous_step":
                self.step(1 if name == "next_step" else -1)
            case "faster" | "slower":
                self.change_speed(1 if name == "faster" else -1)
            case "first":
                self.move(-self.index)
            case "last":
                self.end()
            case _:
                return False
        return True


class PlayerPair:
    """Two players with one common position, counted in snapshots of the longer build.

    Until both builds are finished, each shows its newest snapshot.
    """

    def __init__(self, left: BuildPlayer, right: BuildPlayer) -> None:
        self.players = (left, right)
        self.place = 0
        self.playing = True
        self._follow()

    @property
    def finished(self) -> bool:
        """True if both builds are finished."""
        return all(player.recording.finished for player in self.players)

    @property
    def last(self) -> int:
        """The last position."""
        return max(player.last for player in self.players)

    @property
    def interval(self) -> float | None:
        """Seconds until the next tick, None while nothing moves."""
        if not self.finished:
            return WORK_SECONDS
        return 1 / SPEEDS[self.players[0].speed] if self.playing else None

    def tick(self) -> None:
        """Continue the builds, or show the next snapshots; stop at the last."""
        if not self.finished:
            for player in self.players:
                player.recording.work()
        elif self.playing:
            self.place += 1
            self.playing = self.place < self.last
        self._follow()

    def _follow(self) -> None:
        if self.finished:  # Only then is the end known.
            self.place = max(0, min(self.place, self.last))
        for player in self.players:
            share = self.place / self.last if self.finished and self.last else 1.0
            player.index = round(share * player.last) if self.finished else player.last
            player.playing, player.seeking = self.playing, not self.finished

    def to(self, place: int) -> None:
        """Pause, and show the snapshots at ``place``."""
        self.playing, self.place = False, place
        self._follow()

    def scrub(self, share: float) -> None:
        """Pause, and show the snapshots at ``share`` of the bar."""
        self.to(round(share * self.last))

    def command(self, name: str | None) -> bool:
        """Perform a command; return whether it was one of the player's."""
        match name:
            case "pause":
                self.playing = not self.playing
                if self.place == self.last:
                    self.place, self.playing = 0, True
            case "forward" | "back":
                self.to(self.place + (1 if name == "forward" else -1))
            case "next_step" | "previous_step":
                self._step(1 if name == "next_step" else -1)
            case "faster" | "slower":
                for player in self.players:
                    player.change_speed(1 if name == "faster" else -1)
            case "first" | "last":
                self.to(0 if name == "first" else 10**9)  # The end, even if it is not built yet.
            case _:
                return False
        self._follow()
        return True

    def _step(self, direction: int) -> None:
        """Go to the beginning of the left recipe's next step, or of the previous one."""
        left = self.players[0]
        left.step(direction)
        self.to(round(left.index / max(1, left.last) * self.last))
