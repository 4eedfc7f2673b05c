"""The overview map of an infinite world: the explored part; in the Workshop, all of it."""

import math
from collections.abc import Callable

import numpy as np

from engine.state.actions import Visit
from entities.wording import pluralise
from procgen.level_code import CodeError, parse_place
from render.map.place_names import hero_place, place_code
from render.map.whole_level import downscaled, print_half_blocks
from render.map.world_map import HERO_MARK, LabelLayout, MapLabel, WorldPicture, painted_map
from render.screens.menu import TextEntry
from render.screens.reader import help_screen
from render.screens.screen import Act, Copy, Pop, Push, Reply, Screen
from render.session.session import Session
from render.ui.buttons import Hint, hint, write_hints
from render.ui.frame import Frame, Picture, Rect
from render.ui.input import Key, Pointer
from render.ui.keymap import command_of, cursor_step
from render.ui.text import clipped, paint_bands, write_parts

SCALES = (1, 2, 4, 8, 16, 32)
"""Tiles per map point, one scale for each zoom level."""
STEP, LEAP = 8, 40
"""Map points by which a key moves the view."""
WAIT_SECONDS = 0.05


class WorldMapScreen(Screen):
    """Scrolls over the world; ``x, y`` is the tile in the middle of the view.

    ``travel`` lets the hero walk to a tile of the map.
    """

    def __init__(self, session: Session, travel: Callable[[int, int], Reply]) -> None:
        self.session, self._travel = session, travel
        self.x, self.y = hero_place(session.run.state)
        reveal = session.workshop or session.view.reveal
        self._scale = 2 if reveal else 1
        self._picture = WorldPicture(session.run.state.map, whole=reveal)
        self._area = Rect(0, 0, 0, 0)

    @property
    def interval(self) -> float | None:
        """A short time in seconds while chunks are being built, else None."""
        return WAIT_SECONDS if self._picture.waiting else None

    @property
    def scale(self) -> int:
        """Tiles per map point at the present zoom level."""
        return SCALES[self._scale]

    def draw(self, frame: Frame) -> None:
        """Draw the map, the hero's position and the labels."""
        text, scale = frame.text, self.scale
        area = self._area = paint_bands(frame, 1, 1)
        left, top = self.x // scale - area.width // 2, self.y // scale - area.height
        # A window has room for points half as large.
        finer = 2 if frame.tile_pixels and scale > 1 else 1
        corner = left * finer, top * finer
        size = area.width * finer, 2 * area.height * finer
        page = self._picture.page(corner, *size, scale // finer)
        print_half_blocks(text, 0, 1, downscaled(page.astype(np.float32), finer))
        board = LabelLayout(text, area, (left, top), scale)
        hero = hero_place(self.session.run.state)
        board.put(MapLabel(HERO_MARK, *hero, land=True), "text")
        if (self.x, self.y) != hero:  # Where "go there" leads, and what is copied.
            board.put(MapLabel("+", self.x, self.y, land=True), "accent")
        if cell := board.cell(*hero):
            frame.cursor = (cell[0], cell[1] + 1)
        board.put_all(self._picture.labels())
        if frame.tile_pixels:
            chart = painted_map(page, corner, board, frame.tile_pixels / frame.tile[0])
            frame.pictures.append(Picture(board.area, chart))
        extent = "everything" if self._picture.whole else "what you have seen"
        parts = [("World map  ", "accent"), (extent, "text"), (f"  {self.x},{self.y}", "cold")]
        parts += [(f"  {pluralise(scale, 'tile')} per point", "dim")]
        write_parts(text, 1, 0, parts)
        write_hints(frame, 1, frame.rows - 1, self._hints(), frame.columns - 2)

    def _hints(self) -> list[Hint]:
        """Return the hints; all of them fit 80 columns."""
        names = [("jump", "jump"), ("copy", "copy")]
        if (self.x, self.y) != hero_place(self.session.run.state):
            names = [("go", "go there"), *names, ("here", "to you")]
        hints = [hint("menu", "back", "back"), *(hint("atlas", *each) for each in names)]
        return [*hints, hint("atlas", "zoom_in", "closer"), hint("atlas", "zoom_out", "further")]

    def key(self, key: Key) -> Reply:
        """Handle a key: scroll, zoom, jump, copy a level code, or go there."""
        if push := cursor_step(key, LEAP, STEP):
            self.x, self.y = self.x + push[0] * self.scale, self.y + push[1] * self.scale
            return None
        match command_of("atlas", key) or command_of("menu", key) or command_of("play", key):
            case "jump":
                return Push(self._jump())
            case "copy":
                return Copy(place_code(self.session.run.state, self.x, self.y))
            case "here":
                self.x, self.y = hero_place(self.session.run.state)
            case "go" if self._picture.whole:  # Only in the Workshop.
                code = place_code(self.session.run.state, self.x, self.y)
                return Pop(lambda _: Act(Visit(code)))
            case "go":
                hero, (x, y) = self.session.run.state.hero, hero_place(self.session.run.state)
                x, y = self.x - x + hero.x, self.y - y + hero.y
                if self.session.run.state.map.contains(x, y):
                    return Pop(lambda _: self._travel(x, y))
                self.session.answer("That is too far to walk at once.")
                return Pop()
            case "zoom_in" | "zoom_out" as way:
                step = -1 if way == "zoom_in" else 1
                self._scale = max(0, min(self._scale + step, len(SCALES) - 1))
            case "help":
                return Push(help_screen(("atlas", "any"), "atlas"))
            case "back" | "map":
                return Pop()
        return None

    def pointer(self, pointer: Pointer) -> Reply:
        """Zoom by the wheel; a click centres the view on the place under the mouse."""
        if pointer.kind == "wheel":
            step = -1 if pointer.amount > 0 else 1
            self._scale = max(0, min(self._scale + step, len(SCALES) - 1))
        elif pointer.kind == "press" and self._area.contains(pointer.x, pointer.y):
            self.x += (pointer.x - self._area.width // 2) * self.scale
            self.y += 2 * (pointer.y - self._area.y - self._area.height // 2) * self.scale
        return None

    def _jump(self) -> TextEntry:
        def done(text: str) -> Reply:
            word, here = text.strip().lower(), (self.x, self.y)
            labels = [at for at in self._picture.labels() if word and word in at.text.lower()]
            named = {math.dist(here, (at.x, at.y)): (at.x, at.y) for at in labels}
            named.pop(0.0, None)  # Again the same name: the next nearest.
            try:
                self.x, self.y = named[min(named)] if named else parse_place(text)
            except CodeError:
                raise CodeError(
                    f"{clipped(text, 20)!r} is no name on the map and not X,Y"
                ) from None
            return Pop()

        intro = "Type a name on the map, or X,Y (whole numbers from -2^52 to 2^52): -300,1200."
        return TextEntry("Jump to a place", intro, done)
