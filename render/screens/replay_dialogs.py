"""Dialogs of a replay: go to a turn, take over, and what to do after a desync."""

from collections.abc import Callable

from engine.saves.run_file import RunFileError
from render.replays.playhead import Playhead
from render.replays.replay_player import Replayer
from render.replays.take_over import Branch, TakeOverFailed
from render.screens.menu import Choice, Menu, notice
from render.screens.play_screen import PlayScreen
from render.screens.scores_screen import beside_ghost
from render.screens.screen import Pop, Push, Reply, Screen, Swap
from render.screens.text_entry import TextEntry
from render.ui.buttons import hint, hinted_panel
from render.ui.frame import Frame, Rect
from render.ui.input import Key
from render.ui.keymap import command_of
from render.ui.text import bar, centered, write

WORK_SECONDS = 0.05
"""Seconds of work between two looks at the input."""


def go_to_entry(head: Playhead, there: Callable[[int], Reply], typed: str = "") -> TextEntry:
    """Return the dialog that asks for a turn to go to."""

    def done(text: str) -> Reply:
        text = text.strip()
        if not (text.isascii() and text.isdigit() and int(text[:9]) <= head.end):
            raise ValueError(f"type a whole number from 0 to {head.end}")
        return Pop(lambda _: there(int(text)))

    lead = f"This is turn {head.position}; the last that can be shown is {head.end}."
    return TextEntry("Go to a turn", lead, done, text=typed)


def take_over_menu(player: Replayer) -> Menu:
    """Return the dialog that asks whether to play on from here."""
    head = player.head
    path = head.recorded.path
    ghost = Choice(
        "Play its dungeon from the start, with its ghost", "g", lambda: beside_ghost(path)
    )
    if not head.session.run.state.hero.alive:
        lead = "The hero is dead here. Go back some turns to take over."
        return Menu("Take over", [Choice("Back", "b", Pop), ghost], lead)
    lead = (
        "You play on from here, in a new run that is not scored. The recorded run stays as it is."
    )
    yes = Choice("Yes, play on from here", "y", lambda: Pop(lambda _: _begin(player)))
    return Menu(f"Take over on turn {head.position}?", [Choice("No", "n", Pop), yes, ghost], lead)


def _begin(player: Replayer) -> Reply:
    try:
        return Push(TakeOverScreen(Branch(player.head.playback)))
    except RunFileError as fault:
        return Push(notice(f"{fault}."))


def desync_menu(player: Replayer, away: Reply) -> Menu:
    """Return the dialog shown where a replay can't go on; ``away`` is the reply of Leave."""

    def again() -> Reply:
        player.head.go(0)
        player.pause()
        return Pop()

    last = player.head.end
    choices = [Choice(f"Stay on turn {last}, the last good one", "s", Pop)]
    if last:
        choices.append(Choice("Watch from the beginning up to here", "w", again))
        choices.append(
            Choice(
                f"Take over on turn {last}",
                "t",
                lambda: Pop(lambda _: Push(take_over_menu(player))),
            )
        )
    choices.append(Choice("Leave", "l", lambda: Pop(lambda _: away)))
    return Menu("The replay ends here", choices, player.head.fault)


class TakeOverScreen(Screen):
    """A progress bar while the run is replayed into its new file, then the play screen."""

    covers = False
    interval = 0.0

    def __init__(self, branch: Branch) -> None:
        self.branch = branch
        self._held = True

    def draw(self, frame: Frame) -> None:
        """Draw the progress bar."""
        hints = [hint("menu", "back", "cancel")]
        inner = hinted_panel(frame, centered(frame, 50, 8), "Taking over", hints)
        width = inner.width
        write(frame.text, inner.x, inner.y, f"{self.branch.share:.0%} replayed", "text", width)
        bar(frame.text, Rect(inner.x, inner.y + 1, width, 1), self.branch.share, "accent", "line")

    def tick(self) -> Reply:
        """Replay a slice; at the end open the play screen."""
        try:
            if not self.branch.work(WORK_SECONDS):
                return None
        except TakeOverFailed as fault:
            text = f"The run can't be taken over: {fault}."
            return Swap(Menu("Taking over", [Choice("Back", "b", Pop)], text))
        self._held = False
        screen = PlayScreen(self.branch.session)
        return Pop(lambda _: Swap(screen))

    def key(self, key: Key) -> Reply:
        """Cancel."""
        return Pop() if command_of("menu", key) == "back" else None

    def close(self) -> None:
        """Remove the unfinished run's files."""
        if self._held:
            self.branch.give_up()
