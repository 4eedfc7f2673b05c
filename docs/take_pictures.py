"""Take the pictures of the README: play.png, aiming.png, terminal.png and others.

python docs/take_pictures.py       write all of them into docs/

A window is painted without a display, by SDL's dummy driver. The scene is staged: on a level of
`islands` monsters are placed around a hero who throws oil.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image
from tcod.cffi import lib

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from components import AiState
from components.inventory import Item
from engine.state.run_setup import Mode, RunSetup
from entities.creature_kinds import make_creature
from entities.pack import add_to_pack
from main import main as command
from procgen.blueprint import Point
from render.backends.window import WindowBackend
from render.screens.play_screen import PlayScreen
from render.screens.screen import Push
from render.session.start_run import begin
from render.tiles.glyphs import plain_char
from render.tiles.tileset import text_tileset
from support.fake_backend import FakeBackend, Person
from workbench.recordings.frames import TEXT

FOLDER = ROOT / "docs"
SIZE = 128, 40
MONSTERS = (
    ("warg", -2, 0), ("warg", 1, 0), ("warg", 2, 1), ("ghoul", -1, 1), ("warg", 0, 2),
    ("kobold", 3, 3), ("goblin", -4, 1), ("shaman", 4, 0),
)  # fmt: skip
EXPLORE = 6
"""How often the hero explores before the monsters come."""


PIXELS = 1280, 800


def open_window() -> WindowBackend:
    """Return a window that needs no display."""
    for hint, value in ((b"SDL_VIDEO_DRIVER", b"dummy"), (b"SDL_RENDER_DRIVER", b"software")):
        lib.SDL_SetHintWithPriority(hint, value, lib.SDL_HINT_OVERRIDE)
    window = WindowBackend()
    window.resize(*PIXELS)
    return window


def staged(window: WindowBackend) -> tuple[Person, str]:
    """Return a person who plays the staged scene, and the letter of the oil in the pack."""
    person = Person(*SIZE)
    person.app.backend = window
    screen = PlayScreen(begin(RunSetup(57, "57", generator="islands", depth=5)))
    person.app.answer(Push(screen))
    person.types("T1")
    state = screen.session.run.state
    hero = state.hero
    for creature in [entity for entity in state.map.entities.values() if entity is not hero]:
        state.map.remove_entity(creature)
    for _ in range(EXPLORE):
        person.types("o").waits(20)
    hero.fighter.max_hp = hero.fighter.hp = 58
    flask = add_to_pack(hero, Item(state.new_id(), "oil_flask", 2))
    for kind, dx, dy in MONSTERS:
        place = state.map.nearest_free(hero.x + dx, hero.y + dy)
        if place is None:
            continue
        creature = make_creature(kind, state.new_id(), *place)
        assert creature.ai
        creature.ai.state, creature.ai.goal = AiState.HUNTING, Point(hero.x, hero.y)
        creature.ai.state_turns_left = 20
        state.map.add_entity(creature)
    person.types("s")
    return person, flask.letter


def take(window: WindowBackend, person: Person, name: str) -> None:
    """Write what the window shows to ``name``.png, once nothing flies or rises any more."""
    animations = next(s for s in person.app.stack if isinstance(s, PlayScreen)).session.animations
    while animations.playing:
        time.sleep(0.05)
    window.show(person.app.picture())
    path = str(FOLDER / f"{name}.png")
    window.screenshot(path)
    Image.open(path).save(path, optimize=True)


def workshop(window: WindowBackend) -> Person:
    """Return a person who looks at a level in the Workshop."""
    person = Person(*SIZE)
    person.app.backend = window
    setup = RunSetup(7, "7", Mode.WORKSHOP, "keep", depth=6)
    person.app.answer(Push(PlayScreen(begin(setup))))
    return person


def terminal(person: Person) -> Image.Image:
    """Return what a terminal shows: letters, the map among them."""
    person.app.backend = FakeBackend(*SIZE)
    frame = person.app.picture()
    rect, text = frame.map_rect, frame.text
    if rect and frame.map:
        cells = frame.map.rgb.copy()
        cells["ch"] = [[ord(plain_char(code)) for code in row] for row in cells["ch"].tolist()]
        height, width = cells.shape
        text.rgb[rect.y : rect.y + height, rect.x : rect.x + width] = cells
    return Image.fromarray(text_tileset(TEXT).whole().render(text)[:, :, :3])


def main() -> None:
    """Take every picture."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SEEDHOLLOW_DATA"] = folder
        window = open_window()
        person, flask = staged(window)
        person.types(["t", flask]).presses(*["tab"] * 4)  # Further away: not at its own feet.
        take(window, person, "aiming")
        person.presses("enter").waits(40)
        take(window, person, "play")
        take(window, workshop(window), "workshop")
        terminal(person).save(FOLDER / "terminal.png", optimize=True)
        window.__exit__()
    for line in (
        "gallery --seed 7 --output docs/gallery.png --force",
        "map keep:7:6 --card --output docs/card.png --force",
    ):
        command(line.split())


if __name__ == "__main__":
    main()
