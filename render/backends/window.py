"""The window backend: an SDL window, drawn with two tilesets, and its input."""

import logging
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack
from math import ceil
from pathlib import Path
from typing import Self

import tcod.event
import tcod.sdl.sys
from msgspec.structs import replace
from PIL import Image
from tcod.cffi import ffi, lib
from tcod.sdl.render import Renderer, new_renderer
from tcod.sdl.sys import Subsystem
from tcod.sdl.video import Window as SdlWindow
from tcod.sdl.video import WindowFlags, new_window

from render.backends import window_layout
from render.backends.window_input import EventTranslator, PointedCells
from render.backends.window_painter import FramePainter
from render.sound.speaker import Speaker
from render.ui.frame import Frame, NoDisplay
from render.ui.input import Input
from render.ui.options import apply_and_save, current

TITLE = "Seedhollow"
FIRST_SIZE = (1280, 800)
OF_DISPLAY = 0.94
"""The share of a small display that the window takes, so that its title bar fits."""
HINTS = {
    b"SDL_APP_ID": b"seedhollow",
    b"SDL_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR": b"0",
    b"SDL_VIDEO_ALLOW_SCREENSAVER": b"1",
}


def open_window(closing: ExitStack) -> tuple[SdlWindow, Renderer]:
    """Return a hidden window and its renderer; ``closing`` releases both.

    Raises `NoDisplay` with a message for the player if no window can be opened.
    """
    logging.getLogger("tcod.sdl").setLevel(logging.CRITICAL + 1)
    for name, value in HINTS.items():
        lib.SDL_SetHint(name, value)
    if os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
        # Otherwise SDL tries Wayland first, whose library prints warnings on standard error.
        lib.SDL_SetHintWithPriority(b"SDL_VIDEO_DRIVER", b"x11", lib.SDL_HINT_DEFAULT)
    try:
        tcod.sdl.sys.init(Subsystem.VIDEO)
        closing.callback(tcod.sdl.sys.quit, Subsystem.VIDEO)
        window = _new_window()
        closing.callback(ffi.release, window.p)
        renderer = new_renderer(window)
        closing.callback(ffi.release, renderer.p)
    except RuntimeError as fault:
        raise NoDisplay(f"There is no display to open a window on ({fault}).") from None
    return window, renderer


def _new_window() -> SdlWindow:
    """Return a window that fits the display, with a minimum size."""
    room = ffi.new("SDL_Rect*")
    display = lib.SDL_GetPrimaryDisplay()
    lib.SDL_GetDisplayUsableBounds(display, room)
    scale = lib.SDL_GetDisplayContentScale(display) or 1.0
    width, height = FIRST_SIZE
    window = new_window(
        min(round(width * scale), round(room.w * OF_DISPLAY)),
        min(round(height * scale), round(room.h * OF_DISPLAY)),
        title=TITLE,
        flags=WindowFlags.RESIZABLE | WindowFlags.ALLOW_HIGHDPI | WindowFlags.HIDDEN,
    )
    density = lib.SDL_GetWindowPixelDensity(window.p) or 1.0
    width, height = window_layout.smallest_window()
    window.min_size = ceil(width / density), ceil(height / density)
    return window


TILE_TO_TEXT = 1.6
INTERRUPT_CHECK = 0.5
"""Seconds after which a wait returns to Python, since Python handles Ctrl-C only then."""

KEY_EVENTS = (lib.SDL_EVENT_KEY_DOWN, lib.SDL_EVENT_KEY_UP, lib.SDL_EVENT_TEXT_INPUT)
TEXTURES_LOST = (lib.SDL_EVENT_RENDER_TARGETS_RESET, lib.SDL_EVENT_RENDER_DEVICE_RESET)


class WindowBackend:
    """A `Backend` in an SDL window; all its sizes are in physical pixels.

    The window is created at once and shown with the first frame. Raises `NoDisplay`.
    """

    def __init__(self) -> None:
        with ExitStack() as stack:
            self._window, self._renderer = open_window(stack)
            self._painter = FramePainter(self._renderer)
            stack.callback(self._painter.forget)
            self._window.start_text_input()
            self._speaker = Speaker()
            stack.callback(self._speaker.close)
            self._closing = stack.pop_all()
        self._listener = EventTranslator(self._find, _clipboard)
        self._shown: window_layout.WindowLayout | None = None
        self._fullscreen = False
        self._choose_sizes()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *fault: object) -> None:
        self._shown = None
        self._closing.close()

    @property
    def _size(self) -> window_layout.PixelSize:
        return self._renderer.output_size

    def _choose_sizes(self) -> None:
        """Choose the sizes of text and tiles for the size of the window."""
        highest, cells = window_layout.TEXT_HEIGHTS[-1], window_layout.FIRST_CELLS
        self._text = window_layout.largest_text(self._size, highest, cells)
        wished = round(self._text * TILE_TO_TEXT)
        self._tile = window_layout.nearest_size(window_layout.TILE_SIZES, wished)

    def resize(self, width: int, height: int) -> None:
        """Make the window ``width`` by ``height`` pixels, with text and tiles to suit."""
        self._window.size = width, height
        lib.SDL_PumpEvents()
        self._choose_sizes()

    def _lay(self, frame: Frame | None = None) -> window_layout.WindowLayout:
        """Lay out ``frame``, or an empty one, at the current sizes."""
        window = self._size
        cell = self._painter.text(self._text_height(self._text, current().text_size)).cell
        tile = self._tile / cell[0], self._tile / cell[1]
        if frame is None:
            frame = Frame(*window_layout.grid(window, cell), tile, self._tile)
            frame.fluid = True
        return window_layout.WindowLayout(frame, window, cell, frame.tile_pixels or self._tile)

    def _text_height(self, usual: int, notches: int) -> int:
        """Return the height of text ``notches`` from the ``usual`` one, if enough of it fits."""
        wished = window_layout.nearest_size(window_layout.TEXT_HEIGHTS, usual, notches)
        return window_layout.largest_text(self._size, wished)

    def frame(self) -> Frame:
        """Return an empty frame as large as the window."""
        return self._lay().frame

    def show(self, frame: Frame) -> None:
        """Draw ``frame``, present it at most once per refresh of the screen, play its sounds."""
        if self._fullscreen != current().fullscreen:
            self._fullscreen = self._window.fullscreen = current().fullscreen
        layout = self._lay(frame)
        self._painter.paint(layout)
        if self._shown is None:
            self._window.show()
        self._renderer.present()
        self._shown = layout
        cues, frame.sounds = frame.sounds, []  # Each is played once.
        if ffi.string(lib.SDL_GetCurrentVideoDriver()) != b"dummy":
            options = current()
            self._speaker.play(cues, frame.ambience, options.effects / 10, options.ambience / 10)

    def wait(self, timeout: float | None) -> list[Input]:
        """Return the next input, or [] after ``timeout`` seconds."""
        end = None if timeout is None else time.monotonic() + timeout
        while True:
            rest = INTERRUPT_CHECK if end is None else max(0.0, end - time.monotonic())
            lib.SDL_WaitEventTimeout(ffi.NULL, ceil(min(rest, INTERRUPT_CHECK) * 1000))
            inputs = self._listener.translate(self._events())
            if inputs or (end is not None and time.monotonic() >= end):
                return inputs

    def _events(self) -> Iterator[tcod.event.Event]:
        """Yield the events in SDL's queue."""
        while True:
            try:
                event = next(tcod.event.get(), None)
            except ValueError:  # tcod has no name for this mouse button.
                continue
            if event is None:
                return
            if isinstance(event, tcod.event.Undefined) and event.sdl_event.type in TEXTURES_LOST:
                self._painter.forget()
                if self._shown:
                    self.show(self._shown.frame)
            yield event

    def _find(self, point: tuple[float, float]) -> PointedCells:
        """Return the text cell at a point of the window, and the map cell if there is one."""
        layout = self._shown or self._lay()
        pixel = self._renderer.coordinates_from_window(point)
        return (*layout.cell_at(*pixel), layout.spot_at(*pixel))

    def discard(self) -> None:
        """Drop key presses that have not been read yet."""
        lib.SDL_PumpEvents()
        for kind in KEY_EVENTS:
            lib.SDL_FlushEvent(kind)

    def zoom(self, change: int) -> bool:
        """Make the map ``change`` notches larger or smaller; return True."""
        self._tile = window_layout.nearest_size(window_layout.TILE_SIZES, self._tile, change)
        return True

    def zoom_text(self, change: int) -> bool:
        """Make the text ``change`` notches larger or smaller if enough of it fits; return True."""
        place = window_layout.TEXT_HEIGHTS.index
        height = self._text_height(self._text_height(self._text, current().text_size), change)
        apply_and_save(replace(current(), text_size=place(height) - place(self._text)))
        return True

    def toggle_fullscreen(self) -> bool:
        """Switch full screen on or off; return True."""
        apply_and_save(replace(current(), fullscreen=not current().fullscreen))
        return True

    def copy(self, text: str) -> bool:
        """Put ``text`` on the clipboard; return whether that worked."""
        return bool(lib.SDL_SetClipboardText(text.encode()))

    def screenshot(self, path: str) -> bool:
        """Write the frame last shown to ``path`` as PNG, making its folder; raise `OSError`."""
        if self._shown is None:
            return False
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(self._painter.picture(self._shown)).save(path, "PNG")
        return True


def _clipboard() -> str:
    """Return the text on the clipboard, empty if there is none."""
    text = lib.SDL_GetClipboardText()
    try:
        return bytes(ffi.string(text)).decode(errors="replace") if text else ""
    finally:
        lib.SDL_free(text)
