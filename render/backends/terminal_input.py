"""Parse terminal input: keys, bracketed paste and mouse events from escape sequences."""

import os
import re
from dataclasses import replace
from typing import Literal

import blessed
from blessed import keyboard
from blessed.mouse import RE_PATTERN_MOUSE_LEGACY, RE_PATTERN_MOUSE_SGR, MouseEvent

from render.ui.input import Input, Key, Paste, Pointer, append_input, cleaned_paste

BUTTONS: dict[int, Literal["left", "middle", "right"]] = {0: "left", 1: "middle", 2: "right"}
WHEEL = {64: 1, 65: -1}


def parse_mouse(token: str) -> Pointer | None:
    """Return the mouse event of a sequence, None for a release or an unknown button."""
    if match := RE_PATTERN_MOUSE_SGR.match(token):
        event = MouseEvent.from_sgr_match(match)
    elif match := RE_PATTERN_MOUSE_LEGACY.match(token):
        event = MouseEvent.from_legacy_match(match)
    else:
        return None
    where = max(0, event.x), max(0, event.y)
    if event.button_value in WHEEL:
        return Pointer("wheel", *where, amount=WHEEL[event.button_value])
    if event.is_motion:
        return Pointer("move", *where, button="left" if event.button_value == 0 else "")
    if event.released or event.button_value not in BUTTONS:
        return None
    return Pointer("press", *where, button=BUTTONS[event.button_value])


WORDS = {f"KEY_{word.upper()}": word for word in ("up", "down", "left", "right", "home", "end")}
WORDS |= {f"KEY_{word.upper()}": word for word in ("insert", "delete", "escape", "tab", "enter")}
WORDS |= {"KEY_BACKSPACE": "backspace", "KEY_PGUP": "pageup", "KEY_PGDOWN": "pagedown"}
WORDS |= {"KEY_FIND": "home", "KEY_SELECT": "end", "KEY_KP_ENTER": "kp_enter"}
WORDS |= {f"KEY_F{number}": f"f{number}" for number in range(1, 13)}
WORDS |= {f"KEY_KP_{digit}": f"kp_{digit}" for digit in range(10)}
WORDS |= {"KEY_UP_LEFT": "kp_7", "KEY_UP_RIGHT": "kp_9", "KEY_CENTER": "kp_5", "KEY_BEGIN": "kp_5"}
WORDS |= {"KEY_DOWN_LEFT": "kp_1", "KEY_DOWN_RIGHT": "kp_3"}
WORDS |= {"KEY_KP_ADD": "+", "KEY_KP_SUBTRACT": "-", "KEY_KP_MULTIPLY": "*", "KEY_KP_DIVIDE": "/"}
WORDS |= {"KEY_KP_DECIMAL": ".", "KEY_KP_SEPARATOR": ",", "KEY_KP_EQUAL": "="}

SHIFTED = {"KEY_BTAB": "tab", "KEY_SUP": "up", "KEY_SDOWN": "down", "KEY_SLEFT": "left"}
SHIFTED |= {"KEY_SRIGHT": "right", "KEY_SHOME": "home", "KEY_SEND": "end", "KEY_SDC": "delete"}
SHIFTED |= {"KEY_SPREVIOUS": "pageup", "KEY_SNEXT": "pagedown", "KEY_SIC": "insert"}

RXVT = re.compile(r"\x1b(?P<lead>[\[O])(?P<number>\d*)(?P<final>[a-d$^@])")
RXVT_HELD = {"[": 2, "O": 5, "$": 2, "^": 5, "@": 6}
"""xterm's modifier numbers by the way rxvt marks a modified key."""


def as_xterm(token: str) -> str:
    """Return the sequence of an xterm in normal mode for ``token``, of rxvt or application mode."""
    if token[:2] == "\x1bO" and token[2:] in {*"ABCDEFH"}:
        return f"\x1b[{token[2]}"
    match = RXVT.fullmatch(token)
    if not match:
        return token
    number, final = match["number"], match["final"]
    if final.isalpha():
        return f"\x1b[1;{RXVT_HELD[match['lead']]}{final.upper()}"
    return f"\x1b[{number};{RXVT_HELD[final]}~"


COMPLETE = re.compile(
    r"\x1b\[200~(?P<paste>.*?)\x1b\[201~"
    r"|(?P<mouse>\x1b\[<\d+;\d+;\d+[Mm]|\x1b\[M.{3})"
    r"|\x1b\[\[[A-E]"  # F1 to F5 of the Linux console
    r"|\x1b\[\d\$"  # rxvt with Shift
    r"|\x1b\[(?!200~|M|\[)[0-?]*[ -/]*[@-~]"
    r"|\x1bO[\d;]*[ @-~]"
    r"|\x1b[P\]X^_].*?(?:\x1b\\|\x07)"  # a reply of the terminal that was not asked for
    r"|\x1b(?=\x1b)"
    r"|(?P<alt>\x1b[^\x1b\[OP\]X^_])"
    r"|(?P<plain>[^\x1b])",
    re.DOTALL,
)
"""A complete sequence (known or not) or character, by the grammar of ECMA-48."""

INCOMPLETE = re.compile(
    r"\x1b\[200~(?P<paste>.*)\Z|\x1b\[M.{0,2}\Z|\x1b[\[O][0-?]+[ -/]*\Z|(?P<alt>\x1b[^\x1b])|\x1b",
    re.DOTALL,
)
"""An incomplete sequence, for when the rest of it does not arrive in time."""

PASTE_BEGINS = "\x1b[200~"
PASTE_PAUSE = 2.0
"""Seconds after which an unfinished paste counts as finished."""

CONTROLS = {"\b": "backspace", "\x7f": "backspace", "\t": "tab", "\n": "enter", "\r": "enter"}
CONTROLS |= {"\x1b": "escape", " ": "space", "\0": "space"}

SHIFT, ALT, CTRL = 1, 2, 4

REPEAT_WITHIN = 0.12
"""If the same key comes again within this many seconds, it counts as held down.

Keyboards repeat every 30 to 90 ms, faster than anyone taps; few terminals report repeats.
"""
TOGETHER, FIRST_REPEAT = 0.005, 0.7
"""Two presses delivered at once, after more silence than before any keyboard's first repeat."""


def escape_delay() -> float:
    """Return the seconds, at most 60, to wait for a sequence after Esc; ESCDELAY is in ms."""
    try:
        return min(60.0, float(os.environ["ESCDELAY"]) / 1000)  # 60 also for "nan".
    except (KeyError, ValueError):
        return 0.05


class InputParser:
    """Turns the characters a terminal sends into input; key sequences come from blessed."""

    def __init__(self, terminal: blessed.Terminal) -> None:
        self._sequences = keyboard.get_keyboard_sequences(terminal)
        self._names = {code: name for name, code in keyboard.get_curses_keycodes().items()}
        self._names |= keyboard.get_keyboard_codes()
        self._patience = escape_delay()
        self._pending = ""
        self._heard = 0.0
        self._last: Key | None = None
        self._pressed = 0.0
        self._after_silence = False  # The last key.

    def feed(self, text: str, now: float) -> None:
        """Add characters that arrived at the time ``now``."""
        self._pending += text
        self._heard = now

    @property
    def due(self) -> float | None:
        """The time at which an incomplete sequence is read without waiting for the rest."""
        if not self._pending:
            return None
        pasting = self._pending.startswith(PASTE_BEGINS)
        return self._heard + (PASTE_PAUSE if pasting else self._patience)

    def read(self, now: float) -> list[Input]:
        """Return the input so far; only the last of several mouse moves in a row is kept."""
        inputs: list[Input] = []
        at = 0
        while match := COMPLETE.match(self._pending, at):
            at = match.end()
            if event := self._timed(self._meaning(match)):
                append_input(inputs, event)
        self._pending = self._pending[at:]
        if self.due is not None and now >= self.due and (match := INCOMPLETE.match(self._pending)):
            self._pending = self._pending[match.end() :]
            if event := self._timed(self._meaning(match)):
                append_input(inputs, event)
            inputs += self.read(now)
        return inputs

    def _timed(self, event: Input | None) -> Input | None:
        """Mark a key as repeated if it comes again so fast that it must be held down."""
        if isinstance(event, Pointer):
            return event
        gap = self._heard - self._pressed
        held = event == self._last and TOGETHER * self._after_silence <= gap <= REPEAT_WITHIN
        self._after_silence = gap >= FIRST_REPEAT
        self._last, self._pressed = event if isinstance(event, Key) else None, self._heard
        return replace(event, repeat=True) if held and isinstance(event, Key) else event

    def _meaning(self, match: re.Match[str]) -> Input | None:
        kind, token = match.lastgroup, match[0]
        if kind == "paste":
            return Paste(cleaned_paste(match["paste"]))
        if kind == "mouse":
            return parse_mouse(token)
        if kind == "alt":
            return _typed(token[1], ALT)
        return self._named(token) if kind is None and len(token) > 1 else _typed(token)

    def _named(self, token: str) -> Key | None:
        """Return the key that sends ``token``, None if blessed does not know it."""
        token = as_xterm(token)
        stroke = keyboard.resolve_sequence(token, self._sequences, self._names, final=True)
        if len(stroke) != len(token) or stroke.released:
            return None
        modifiers = stroke.modifiers_bits
        name = self._names.get(stroke.code or -1, "")
        if name in SHIFTED:
            name, modifiers = SHIFTED[name], modifiers | SHIFT
        elif name in WORDS:
            name = WORDS[name]
        else:
            return _typed(stroke.value, modifiers, stroke.repeated)
        return _key(name, modifiers, stroke.repeated)


def _typed(char: str, modifiers: int = 0, repeat: bool = False) -> Key | None:
    """Return the key that types ``char``, None if no key does."""
    if len(char) != 1:
        return None
    if char in CONTROLS:
        return _key(CONTROLS[char], modifiers | (CTRL if char == "\0" else 0), repeat)
    if char < " ":
        return _key(chr(ord(char) + 64).lower(), modifiers | CTRL, repeat)
    if not char.isprintable():
        return None
    if modifiers & (CTRL | ALT):
        char = char.lower()
    return _key(char.upper() if modifiers == SHIFT else char, modifiers & ~SHIFT, repeat)


def _key(name: str, modifiers: int, repeat: bool) -> Key:
    flags = bool(modifiers & SHIFT), bool(modifiers & CTRL), bool(modifiers & ALT)
    return Key(name, *flags, repeat)
