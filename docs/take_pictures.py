"""Take the pictures of the README without a window: play.png, aiming.png, terminal.png and others.

python docs/take_pictures.py       write all of them into docs/

The scene is staged: on a level of `islands` monsters are placed around a hero who throws oil.
"""

import os
import sys
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from components import AiState
from components.inventory import Item
from engine.state.run_setup import RunSetup
from entities.creature_kinds import make_creature
from entities.pack import add_to_pack
from main import main as command
from procgen.blueprint import Point
from render.screens.play_screen import PlayScreen
from render.screens.screen import Push
from render.session.start_run import begin
from render.tiles.glyphs import plain_char
from render.tiles.tileset import text_tileset
from render.ui.frame import Frame
from support.fake_backend import FakeBackend, Person
from workbench.images.frame_pixels import TEXT, empty_frame, frame_pixels

FOLDER = ROOT / "docs"
SIZE = 128, 40
MONSTERS = (
    ("warg", -2, 0), ("warg", 1, 0), ("warg", 2, 1), ("ghoul", -1, 1), ("warg", 0, 2),
    ("kobold", 3, 3), ("goblin", -4, 1), ("shaman", 4, 0),
)  # fmt: skip
EXPLORE = 6
"""How often the hero explores before the monsters come."""


class Camera(FakeBackend):
    """A backend whose frames have the tiles of a window, or none as in a terminal."""

    tiles = True

    def frame(self) -> Frame:
        """Return an empty frame."""
        return empty_frame(*SIZE) if self.tiles else Frame(*SIZE)


def staged() -> tuple[Person, str]:
    """Return a person who plays the staged scene, and the letter of the oil in the pack."""
    person = Person(*SIZE)
    person.backend = person.app.backend = Camera(*SIZE)
    screen = PlayScreen(begin(RunSetup(57, "57", generator="islands", depth=5)))
    person.app.answer(Push(screen))
    state = screen.session.run.state
    hero = state.hero
    for creature in [one for one in state.map.entities.values() if one is not hero]:
        state.map.remove_entity(creature)
    for _ in range(EXPLORE):
        person.types("o").waits(20)
    hero.fighter.max_hp = hero.fighter.hp = 58
    flask = add_to_pack(hero, Item(state.number(), "oil_flask", 2))
    for kind, dx, dy in MONSTERS:
        place = state.map.nearest_free(hero.x + dx, hero.y + dy)
        if place is None:
            continue
        creature = make_creature(kind, state.number(), *place)
        assert creature.ai
        creature.ai.state, creature.ai.goal = AiState.HUNTING, Point(hero.x, hero.y)
        creature.ai.turns_left_tracking = 20
        state.map.add_entity(creature)
    person.types("s")
    return person, flask.letter


def window(person: Person) -> Image.Image:
    """Return what the window shows."""
    return Image.fromarray(frame_pixels(person.app.picture()))


def terminal(person: Person) -> Image.Image:
    """Return what a terminal shows: letters, the map among them."""
    person.app.backend.tiles = False
    frame = person.app.picture()
    rect, text = frame.map_rect, frame.text
    if rect and frame.map:
        cells = frame.map.rgb.copy()
        cells["ch"] = [[ord(plain_char(code)) for code in row] for row in cells["ch"].tolist()]
        height, width = cells.shape
        text.rgb[rect.y : rect.y + height, rect.x : rect.x + width] = cells
    return Image.fromarray(text_tileset(TEXT).render(text)[:, :, :3])


def main() -> None:
    """Take every picture."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SEEDHOLLOW_DATA"] = folder
        person, flask = staged()
        person.types(["t", flask])
        window(person).save(FOLDER / "aiming.png", optimize=True)
        person.presses("enter").waits(40)
        window(person).save(FOLDER / "play.png", optimize=True)
        terminal(person).save(FOLDER / "terminal.png", optimize=True)
    for line in (
        "gallery --seed 7 --output docs/gallery.png --force",
        "map keep:7:6 --card --output docs/card.png --force",
    ):
        command(line.split())


if __name__ == "__main__":
    main()
