"""Translate SDL events into input: keys by the character typed, the mouse by cell.

A key press is two SDL events, the key and its text. The text decides: all layouts work.
"""

from collections.abc import Callable, Iterable
from typing import Literal

from tcod import event as sdl
from tcod.cffi import lib
from tcod.event import KeySym, Modifier, Scancode

from render.backends.window_layout import Spot
from render.ui.input import Closed, Input, Key, Paste, Pointer, Resized, append_input, cleaned_paste

KEYPAD = {Scancode[f"KP_{digit}"].value: f"kp_{digit}" for digit in range(10)}
KEYPAD[Scancode.KP_ENTER.value] = "kp_enter"

WORDS: tuple[str, ...] = (
    *("up", "down", "left", "right", "home", "end", "pageup", "pagedown"),
    *("insert", "delete", "escape", "tab", "backspace"),
    *(f"f{number}" for number in range(1, 13)),
)
NAMES = {KeySym[word.upper()].value: word for word in WORDS}
NAMES |= {KeySym.RETURN.value: "enter", KeySym.RETURN2.value: "enter", KeySym.LEFT_TAB.value: "tab"}
SIGNS = {KeySym.KP_PLUS.value: "+", KeySym.KP_MINUS.value: "-"}
SIGNS |= {KeySym.KP_MULTIPLY.value: "*", KeySym.KP_DIVIDE.value: "/"}

BUTTONS: dict[sdl.MouseButton, Literal["left", "middle", "right"]] = {
    sdl.MouseButton.LEFT: "left",
    sdl.MouseButton.MIDDLE: "middle",
    sdl.MouseButton.RIGHT: "right",
}
REDRAWN = ("WindowResized", "PixelSizeChanged", "WindowExposed", "DisplayScaleChanged")

CHORD = Modifier.CTRL | Modifier.ALT | Modifier.GUI
"""Modifiers that turn a character key into a command; Command on a Mac counts as Ctrl."""

WindowPoint = tuple[float, float]
PointedCells = tuple[int, int, Spot | None]


class EventTranslator:
    """Translates SDL events into input, in order.

    A character key is read from the text event that follows its key event; the key event only
    tells whether the key repeats. With Ctrl or Alt it is a command, unless the text that follows
    differs from the key: then Alt was AltGr. ``find`` returns the cells at a point of the window,
    ``paste`` the text on the clipboard.
    """

    def __init__(
        self, find: Callable[[WindowPoint], PointedCells], paste: Callable[[], str]
    ) -> None:
        self._find = find
        self._paste = paste
        self._inputs: list[Input] = []
        self._last = Key("")
        self._chord: Key | None = None
        self._echo = ""

    def translate(self, events: Iterable[sdl.Event]) -> list[Input]:
        """Return the input for ``events``."""
        for event in events:
            self._handle(event)
        self._settle()
        heard, self._inputs = self._inputs, []
        return heard

    def _handle(self, event: sdl.Event) -> None:
        match event:
            case sdl.KeyDown():
                self._press(event)
            case sdl.TextInput():
                self._type(event.text)
            case sdl.MouseMotion(motion=way) if any(way):  # Otherwise only the window moved.
                place = self._find(event.position)
                held = event.state & sdl.MouseButtonMask.LEFT
                moved = Pointer("move", *place, button="left" if held else "")
                append_input(self._inputs, moved)
            case sdl.MouseButtonDown(button=button) if button in BUTTONS:
                place = self._find(event.position)
                self._inputs.append(Pointer("press", *place, button=BUTTONS[button]))
            case sdl.MouseWheel(y=amount) if amount:
                self._inputs.append(Pointer("wheel", *self._find(event.position), amount=amount))
            case sdl.WindowEvent(type=kind) if kind in REDRAWN:
                self._add_once(Resized())
            case sdl.Quit() | sdl.WindowEvent(type="WindowClose"):
                self._add_once(Closed())

    def _press(self, event: sdl.KeyDown) -> None:
        self._settle()
        self._echo = ""
        keypad = KEYPAD.get(event.scancode.value, "")
        name = keypad or NAMES.get(event.sym.value, "")
        self._last = _key(name, event)
        if name:
            self._inputs.append(self._last)
            self._echo = keypad.removeprefix("kp_")
        elif event.mod & CHORD and (char := _char(event)):
            self._chord = _key("space" if char == " " else char, event)
            self._echo = char

    def _type(self, text: str) -> None:
        echo, self._echo = self._echo, ""
        if echo and text.casefold() == echo:
            return
        self._chord = None
        for char in text:
            shift = char == " " and self._last.shift
            name = "space" if char == " " else char
            self._inputs.append(Key(name, shift=shift, repeat=self._last.repeat))

    def _settle(self) -> None:
        """Emit a pending command key, which no text followed."""
        chord, self._chord = self._chord, None
        if chord == Key("v", ctrl=True):
            text = cleaned_paste(self._paste())
            self._inputs += [Paste(text)] if text else []
        elif chord:
            self._inputs.append(chord)

    def _add_once(self, event: Input) -> None:
        if event not in self._inputs:
            self._inputs.append(event)


def _key(name: str, event: sdl.KeyDown) -> Key:
    """Return a key with its modifiers; Shift is already part of a typed character."""
    mod = event.mod
    return Key(
        name,
        shift=bool(mod & Modifier.SHIFT) and len(name) != 1,
        ctrl=bool(mod & (Modifier.CTRL | Modifier.GUI)),
        alt=bool(mod & Modifier.ALT),
        repeat=event.repeat,
    )


def _char(event: sdl.KeyDown) -> str:
    """Return the character of a key: letters in lower case, others with Shift applied."""
    char = _printable(event.sym.value)
    if event.mod & Modifier.SHIFT and char and not char.isalpha():
        other = lib.SDL_GetKeyFromScancode(event.scancode.value, Modifier.SHIFT.value, False)
        return _printable(other) or char
    return char.lower()


def _printable(code: int) -> str:
    char = SIGNS.get(code) or (chr(code) if code < 0x110000 else "")
    return char if char.isprintable() else ""
