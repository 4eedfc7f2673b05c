"""What a terminal tells about the mouse, in our own words."""

from typing import Literal

from blessed.mouse import RE_PATTERN_MOUSE_LEGACY, RE_PATTERN_MOUSE_SGR, MouseEvent

from render.inputs import Pointer

BUTTONS: dict[int, Literal["left", "middle", "right"]] = {0: "left", 1: "middle", 2: "right"}
WHEEL = {64: 1, 65: -1}


def pointer(token: str) -> Pointer | None:
    """Return what the mouse did, or nothing if nobody needs to know."""
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
