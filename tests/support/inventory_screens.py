"""A person with a pack."""

from engine.saves.run import Run
from render.screens.play_screen import PlayScreen
from render.screens.screen import Push
from render.session.session import Session
from support.fake_backend import Person
from support.scenes import scene

HALL = """
    ###############
    #@............#
    #.............#
    #........o....#
    #.............#
    ###############
"""


def playing(drawing=HALL, **size):
    """Return the person, and the engine of the world drawn."""
    engine = scene(drawing)
    engine.state.hero.inventory.clear()
    engine.state.hero.equipment.clear()
    engine.state.map.items.clear()
    person = Person(**size)
    person.app.answer(Push(PlayScreen(Session(Run(engine)))))
    return person, engine
