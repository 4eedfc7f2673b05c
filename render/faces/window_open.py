"""A window on the display, or a sentence that says why there is none."""

import logging
import os
from contextlib import ExitStack
from math import ceil

import tcod.sdl.sys
from tcod.cffi import ffi, lib
from tcod.sdl.render import Renderer, new_renderer
from tcod.sdl.sys import Subsystem
from tcod.sdl.video import Window, WindowFlags, new_window

from render.faces.window_layout import smallest_window
from render.frame import NoDisplay

TITLE = "Seedhollow"
FIRST_SIZE = (1280, 800)
OF_DISPLAY = 0.94
"""How much of a small display the window takes, so that its title bar fits too."""
HINTS = {
    b"SDL_APP_ID": b"seedhollow",
    b"SDL_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR": b"0",
    b"SDL_VIDEO_ALLOW_SCREENSAVER": b"1",
}


def open_window(closing: ExitStack) -> tuple[Window, Renderer]:
    """Return a hidden window and what draws in it; ``closing`` learns how to undo it all.

    Raise `NoDisplay` with a sentence if there is nowhere to open one.
    """
    logging.getLogger("tcod.sdl").setLevel(logging.CRITICAL + 1)
    for name, value in HINTS.items():
        lib.SDL_SetHint(name, value)
    if os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
        # Else SDL tries Wayland first, whose library complains on standard error.
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


def _new_window() -> Window:
    """Return a window of a pleasant size that fits the display and never gets too small."""
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
    width, height = smallest_window()
    window.min_size = ceil(width / density), ceil(height / density)
    return window
