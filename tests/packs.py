"""A person with a pack."""

from engine.records.run import Run
from fakes import Person
from render.screen import Push
from render.screens.play import PlayScreen
from render.session import Session
from scenes import scene

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
    engine.world.hero.pack.clear()
    engine.world.hero.worn.clear()
    engine.world.map.items.clear()
    person = Person(**size)
    person.app.answer(Push(PlayScreen(Session(Run(engine)))))
    return person, engine
