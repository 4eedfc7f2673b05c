"""Two growths played in step, by the share of the way each has come."""

from render.workshop.player import SPEEDS, WORKING, Player


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
