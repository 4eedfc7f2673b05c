"""What a replay asks and explains: where to go, whether to take over, what to do in trouble."""

from collections.abc import Callable

from engine.saves.run_file import RunFileError
from render.replays.playhead import Playhead
from render.replays.replay_player import Replayer
from render.replays.take_over import Branch, Strayed
from render.screens.menu import Choice, Menu, notice
from render.screens.play_screen import PlayScreen
from render.screens.reader import Reader, help_screen
from render.screens.screen import Pop, Push, Reply, Screen, Swap
from render.screens.text_entry import TextEntry
from render.ui.frame import Frame, Rect
from render.ui.input import Key
from render.ui.keymap import command_of
from render.ui.text import bar, centered, panel, write

WORK = 0.05
"""Seconds of work between two looks at the keyboard."""

WHAT_IT_IS = (
    "A run is its seed and the actions taken, so it can be played again, turn by turn, exactly as "
    "it was; after every turn the state is compared with what the file says."
)
THE_BAR = (
    "The numbers on the bar are depths, where they begin: press or drag anywhere on it to go "
    "there. Point at anything on the map to learn what it is. The wheel makes the map larger or "
    "smaller."
)
TAKING_OVER = (
    "Taking over begins a new run that shares this one's past. It is not scored, its file says "
    "which run and turn it grew from, and the recorded run stays as it is."
)


def replay_help() -> Reader:
    """Return the help of a replay."""
    return help_screen(("player", "replay", "any"), (WHAT_IT_IS, THE_BAR, TAKING_OVER))


def go_to_entry(head: Playhead, there: Callable[[int], Reply], typed: str = "") -> TextEntry:
    """Return the question for the turn to go to."""

    def done(text: str) -> Reply:
        text = text.strip()
        if not (text.isascii() and text.isdigit() and int(text[:9]) <= head.end):
            raise ValueError(f"type a whole number from 0 to {head.end}")
        return Pop(lambda _: there(int(text)))

    lead = f"You are on turn {head.position}; the last that can be shown is {head.end}."
    return TextEntry("Go to a turn", lead, done, text=typed)


def take_over(player: Replayer) -> Menu:
    """Return the question whether to play on from here."""
    head = player.head
    if not head.session.run.state.hero.alive:
        lead = "The hero is dead by now. Go back some turns to take over."
        return Menu("Take over", [Choice("Back", "b", Pop)], lead)
    lead = (
        "You play on from here yourself, in a new run that grew from this one. "
        "It is not scored. The recorded run stays as it is."
    )
    yes = Choice("Yes, play on from here", "y", lambda: Pop(lambda _: _begin(player)))
    return Menu(f"Take over on turn {head.position}?", [Choice("No", "n", Pop), yes], lead)


def _begin(player: Replayer) -> Reply:
    try:
        return Push(Growing(Branch(player.head.playback)))
    except RunFileError as fault:
        return Push(notice(f"{fault}."))


def trouble(player: Replayer, away: Reply) -> Menu:
    """Return what can be done about a run that does not come out as recorded."""

    def again() -> Reply:
        player.head.go(0)
        player.pause()
        return Pop()

    last = player.head.end
    choices = [Choice(f"Stay on turn {last}, the last that came out right", "s", Pop)]
    if last:
        choices.append(Choice("Watch from the beginning up to there", "w", again))
        choices.append(
            Choice(f"Take over on turn {last}", "t", lambda: Pop(lambda _: Push(take_over(player))))
        )
    choices.append(Choice("Leave", "l", lambda: Pop(lambda _: away)))
    return Menu("The replay ends here", choices, player.head.fault)


class Growing(Screen):
    """Shows how far a run has been played over, then gives way to play."""

    covers = False
    interval = 0.0

    def __init__(self, branch: Branch) -> None:
        self.branch = branch
        self._held = True

    def draw(self, frame: Frame) -> None:
        """Draw a bar."""
        inner = panel(frame, centered(frame, 50, 6), "Taking over", "Esc gives up")
        width = inner.width
        write(frame.text, inner.x, inner.y, f"{self.branch.share:.0%} played over", "text", width)
        bar(frame.text, Rect(inner.x, inner.y + 1, width, 1), self.branch.share, "accent", "line")

    def tick(self) -> Reply:
        """Play on; at the end, let the person play."""
        try:
            if not self.branch.work(WORK):
                return None
        except Strayed as fault:
            text = f"The run cannot be taken over: {fault}."
            return Swap(Menu("Taking over", [Choice("Back", "b", Pop)], text))
        self._held = False
        screen = PlayScreen(self.branch.session)
        return Pop(lambda _: Swap(screen))

    def key(self, key: Key) -> Reply:
        """Give up."""
        return Pop() if command_of("menu", key) == "back" else None

    def closed(self) -> None:
        """Leave nothing half done behind."""
        if self._held:
            self.branch.give_up()
