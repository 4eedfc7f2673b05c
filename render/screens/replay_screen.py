"""The replay screen: plays a recorded run, with a bar to scrub, and lets the player take over."""

import re
from collections.abc import Callable
from functools import partial

from engine.saves.ghost import setup_with_ghost
from engine.saves.run_file import RecordedRun
from procgen.level_code import FROM_FILE
from render.map.place_names import code_here, depth_label, level_code_around
from render.panels.hud import draw_play, layout
from render.replays.playhead import Chapters, Playhead
from render.replays.replay_player import Replayer
from render.screens.map_cursor import ChooseTile, list_in_view
from render.screens.menu import Choice, Menu, TextEntry, notice
from render.screens.play_commands import zoom
from render.screens.play_screen import PlayScreen
from render.screens.reader import help_screen, history_screen
from render.screens.screen import Begin, Copy, Pop, Push, Reply, Screen, Swap
from render.screens.watch_build import WatchBuildScreen
from render.session.start_run import Branch, TakeOverFailed
from render.ui.buttons import draw_keys, hint, hint_list, hinted_panel, keys_with_texts
from render.ui.frame import Frame, Rect
from render.ui.input import Input, Key, Pointer
from render.ui.keymap import command_of, first_key
from render.ui.text import bar, centered, clipped, fill, printable, write, write_parts
from render.ui.texts import texts
from render.workshop.timeline import DraggedBar

PAST, TO_COME, LOST, HERE = "━", "─", "╌", "●"
ROOMY = 16
"""Rows of text from which on the panel takes three rows, not one."""


def panel_rows(rows: int) -> int:
    """Return how many of ``rows`` the panel takes."""
    return 3 if rows >= ROOMY else 1


def draw_panel(frame: Frame, player: Replayer) -> Rect:
    """Draw the panel and return the bar's rectangle; a note, if any, replaces the hints."""
    head = player.head
    rows = panel_rows(frame.rows)
    rect = Rect(0, max(0, frame.rows - rows), frame.columns, rows)
    fill(frame.text, rect, "panel")
    if rows == 1:
        place = f" {head.position}/{len(head.recorded.actions)} "
        write(frame.text, 0, rect.y, place, "accent")
        bar = Rect(len(place), rect.y, max(1, frame.columns - len(place) - 1), 1)
        draw_bar(frame, bar, head)
        return bar
    _draw_state(frame, rect, player)
    bar = Rect(2, rect.y + 1, max(1, rect.width - 4), 1)
    draw_bar(frame, bar, head)
    if player.note:
        write(frame.text, 2, rect.y + 2, player.note, "cold", rect.width - 4)
    elif head.fault and head.at_end:
        write(frame.text, 2, rect.y + 2, head.fault, "bad", rect.width - 4)
    else:
        pause = "pause" if player.playing else "play"
        beside = texts().hints["replay"] if layout(frame.columns, frame.rows).sidebar else ()
        draw_keys(frame, rect.y + 2, keys_with_texts("replay_bar", beside, pause=pause))
    return bar


def _draw_state(frame: Frame, rect: Rect, player: Replayer) -> None:
    head = player.head
    total, position = len(head.recorded.actions), head.position
    parts = [("Replay ", "dim"), (player.state, "accent")]
    parts.append((f"   turn {position} of {total}", "text"))
    name, depth = depth_label(head.session.run.state)
    parts.append((f"   {name.lower()} {depth}", "dim"))
    if head.recorded.foreign:
        parts.append(("   from another version: saved states only", "warn"))
    x = write_parts(frame.text, 2, rect.y, parts)
    source = printable(head.recorded.path.stem)
    if parent := head.recorded.header.setup.grew_from:
        source = f"{source}, from {printable(parent)}"
    if (room := rect.width - x - 5) > 12:
        source = clipped(source, room)
        write(frame.text, rect.width - 2 - len(source), rect.y, source, "dim")


def draw_bar(frame: Frame, rect: Rect, head: Playhead) -> None:
    """Draw the bar: past, future and damaged turns, and a number where each depth begins."""
    total = len(head.recorded.actions)
    here = column(rect, head.position, total)
    end = column(rect, head.end, total)
    for x in range(rect.width):
        char, color = (PAST, "accent") if x < here else (TO_COME, "line")
        if head.fault and x > end:
            char, color = LOST, "bad"
        write(frame.text, rect.x + x, rect.y, char, color)
    _draw_depths(frame, rect, head.chapters, total, here)
    write(frame.text, rect.x + here, rect.y, HERE, "text")


def _draw_depths(frame: Frame, rect: Rect, chapters: Chapters, total: int, here: int) -> None:
    """Write each depth's number where it begins, or a bar if the number does not fit."""
    free = 0
    for turn, depth in chapters.levels:
        x, text = column(rect, turn, total), f"{depth}"
        if x < free or x + len(text) > rect.width:
            text = "┃" if free <= x + 1 and x < rect.width else ""
        color = "cold" if x > here else "accent"
        write(frame.text, rect.x + x, rect.y, text, color)
        free = max(free, x + len(text) + 1)


def column(rect: Rect, turn: int, total: int) -> int:
    """Return the column of ``turn`` on a bar of ``total`` turns, in cells from its left end."""
    return round((rect.width - 1) * turn / max(1, total))


WORK_SECONDS = 0.05
"""Seconds of work between two checks for input."""


def go_to_entry(head: Playhead, there: Callable[[int], Reply], typed: str = "") -> TextEntry:
    """Return the dialog that asks for a turn to go to."""

    def done(text: str) -> Reply:
        turn = re.fullmatch("0*([0-9]{1,9})", text.strip())
        if not turn or int(turn[1]) > head.end:
            raise ValueError(f"type a whole number from 0 to {head.end}")
        return Pop(lambda _: there(int(turn[1])))

    intro = f"This is turn {head.position}; the last that can be shown is {head.end}."
    return TextEntry("Go to a turn", intro, done, text=typed)


def take_over_menu(player: Replayer) -> Menu:
    """Return the dialog that asks whether to play on from here."""
    head = player.head
    label = "Play its dungeon from the start, with its ghost"
    ghost = Choice(label, "g", lambda: Begin(setup_with_ghost(head.recorded.path)))
    ghosts = [] if head.recorded.foreign else [ghost]  # Its actions could not be replayed.
    if head.session.run.state.end:
        intro = "The run is over here. Go back some turns to take over."
        return Menu("Take over", [Choice("Back", "b", Pop), *ghosts], intro)
    begin = partial(Pop, lambda _: Push(TakeOverScreen(Branch(head.playback))))
    yes = Choice("Yes, play on from here", "y", begin)
    choices, intro = [Choice("No", "n", Pop), yes, *ghosts], texts().dialogs["take_over"]
    return Menu(f"Take over on turn {head.position}?", choices, intro)


def desync_menu(player: Replayer, away: Reply) -> Menu:
    """Return the dialog shown if a replay can't go on; ``away`` is the reply of Leave."""

    def again() -> Reply:
        player.head.go(0)
        player.pause()
        return Pop()

    last = player.head.end
    choices = [Choice(f"Stay on turn {last}, the last good one", "s", Pop)]
    if last:
        begin = partial(Pop, lambda _: Push(take_over_menu(player)))
        choices.append(Choice("Watch from the beginning up to here", "w", again))
        choices.append(Choice(f"Take over on turn {last}", "t", begin))
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
            return Swap(notice(f"The run can't be taken over: {fault}.", "Take over"))
        self._held = False
        return Pop(lambda _: Swap(PlayScreen(self.branch.session)))

    def key(self, key: Key) -> Reply:
        """Cancel."""
        return Pop() if command_of("menu", key) == "back" else None

    def close(self) -> None:
        """Remove the new run's files if the take-over is unfinished."""
        if self._held:
            self.branch.give_up()


class ReplayScreen(Screen):
    """Plays a recorded run; ``away`` is the reply to leaving."""

    def __init__(
        self,
        recorded: RecordedRun,
        speed: float = 1.0,
        from_turn: int = 0,
        away: Reply = Pop(),  # noqa: B008 - a frozen value
    ) -> None:
        self.player: Replayer = Replayer(recorded, speed)
        self.head, self.session = self.player.head, self.player.head.session
        self.session.hints = hint_list("replay")
        self.pointed: Pointer | None = None
        self._away = away
        self._fault_shown = False
        self._bar = DraggedBar()
        self.head.go(from_turn)

    @property
    def interval(self) -> float | None:
        """Seconds between two frames; None while nothing moves."""
        return 0.0 if self._fault_unseen else self.player.interval

    @property
    def _fault_unseen(self) -> bool:
        """True if the end of a damaged run is reached and the reason has not been shown yet."""
        return bool(self.head.fault) and self.head.at_end and not self._fault_shown

    def draw(self, frame: Frame, hover: str = "") -> None:
        """Draw the play view and the panel; ``hover`` describes the tile under a cursor."""
        status = "the whole level is shown" if self.session.view.reveal else ""
        pointed = None if hover else self.pointed
        draw_play(frame, self.session, hover, status, pointed, free=panel_rows(frame.rows))
        frame.headings.clear()
        frame.sounds = []
        self._bar.rect = draw_panel(frame, self.player)

    def tick(self) -> Reply:
        """Advance the replay."""
        self.player.tick()
        return self._show_fault()

    def _show_fault(self) -> Reply:
        """Open, once, the dialog that says why the replay can't go on."""
        if not self._fault_unseen:
            return None
        self._fault_shown = True
        self.player.playing = False
        return Push(desync_menu(self.player, self._away))

    def key(self, key: Key) -> Reply:
        """Handle a key; a digit starts typing the turn to go to."""
        self.player.note = ""
        if key.typed and key.typed in "0123456789":
            return Push(go_to_entry(self.head, self._to, key.typed))
        name = command_of("replay", key) or command_of("player", key)
        if self.player.command(name):
            return self._show_fault()
        match name:
            case "go_to":
                return Push(go_to_entry(self.head, self._to))
            case "reveal":
                self.session.view.reveal = not self.session.view.reveal
            case "zoom_in" | "zoom_out":
                return zoom(self.session, 1 if name == "zoom_in" else -1)
            case "leave":
                return self.back()
            case None if len(key.name) == 1 and not (key.ctrl or key.alt):
                help_key = first_key("player", "help")
                self.player.note = f"No command is on {key.name}: {help_key} lists all keys."
            case _:
                return self._screen(name)
        return None

    def back(self) -> Reply:
        """Leave the replay; on the way to a turn, stop there instead."""
        if self.head.goal is None:
            return self._away
        self.head.stop()
        return None

    def _screen(self, name: str | None) -> Reply:
        """Return the reply to a command that opens another screen."""
        state = self.session.run.state
        match name:
            case "look" | "list":
                look = ChooseTile(self.session, "Examine", None, self.draw)
                return Push(look if name == "look" else list_in_view(look))
            case "history":
                return Push(history_screen(self.session.log))
            case "watch" if state.code.recipe == FROM_FILE:
                self.player.note = "This level came from a file: there is no build to watch."
            case "watch":
                return Push(WatchBuildScreen(level_code_around(state)))
            case "code":
                return Copy(code_here(state))
            case "take_over":
                self.player.playing = False
                return Push(take_over_menu(self.player))
            case "help":
                return Push(help_screen(("player", "replay", "any"), "replay"))
        return None

    def _to(self, turn: int) -> Reply:
        """Go to ``turn``, as far as the run can be replayed."""
        self.player.to(turn)
        return self._show_fault()

    def handle(self, event: Input) -> Reply:
        """Handle one input; on the map the right button examines a tile."""
        if isinstance(event, Pointer) and event.spot and event.button == "right":
            tile = self.session.view.tile(event.spot)
            return Push(ChooseTile(self.session, "Examine", None, self.draw, tile))
        return super().handle(event)

    def pointer(self, pointer: Pointer) -> Reply:
        """Scrub by click or drag on the bar; describe the tile under the pointer; zoom by wheel."""
        if pointer.kind == "wheel":
            return zoom(self.session, 1 if pointer.amount > 0 else -1, by_wheel=True)
        turn = round(self._bar.share_at(pointer.x) * len(self.head.recorded.actions))
        self.player.note = ""
        if self._bar.handle(pointer) is not None:
            return self._to(turn)
        if self._bar.rect.contains(pointer.x, pointer.y):
            depth = self.head.chapters.depth(turn)
            self.player.note = f"Turn {turn}, depth {depth}: click to go there."
        self.pointed = pointer
        return None
