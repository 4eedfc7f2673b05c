"""What can be pressed on the frame that is shown, and the pointer over it."""

from render.frame import Frame, Rect
from render.inputs import Input, Key, Pointer
from render.palette import colors


class Buttons:
    """The buttons of the last frame; a press on one is its key."""

    def __init__(self) -> None:
        self._places: list[tuple[Rect, Key]] = []
        self._pointer: Pointer | None = None

    def take(self, frame: Frame) -> None:
        """Take those of ``frame``, and light the one under the pointer."""
        self._places = frame.buttons
        found = self._under(self._pointer)
        if found:
            rect = found[0]
            cells = frame.text.rgb[rect.y : rect.y + rect.height, rect.x : rect.x + rect.width]
            cells["fg"], cells["bg"] = colors()["ground"], colors()["accent"]

    def meant(self, happening: Input) -> Input:
        """Return the key that ``happening`` presses, or ``happening`` itself."""
        if not isinstance(happening, Pointer):
            return happening
        self._pointer = happening
        found = self._under(happening)
        pressed = happening.kind == "press" and happening.button == "left"
        return found[1] if found and pressed else happening

    def _under(self, pointer: Pointer | None) -> tuple[Rect, Key] | None:
        if pointer is None or pointer.kind == "wheel":
            return None
        found = [each for each in self._places if each[0].contains(pointer.x, pointer.y)]
        return found[-1] if found else None
