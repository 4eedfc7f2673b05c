"""A person who plays in a drawn world."""

from engine.saves.run import Run
from render.screens.map_cursor import ChooseTile
from render.screens.play_screen import PlayScreen
from render.screens.screen import Push
from render.session.session import Session
from support.fake_backend import Person
from support.scenes import scene

CELL = """
    ###########
    #@........#
    #.........#
    #.......o.#
    ###########
"""


def playing(drawing=CELL, **size):
    engine = scene(drawing)
    engine.state.map.items.clear()
    person = Person(**size)
    person.app.answer(Push(PlayScreen(Session(Run(engine)))))
    return person, engine


def last(person):
    return person.app.stack[1].session.log.messages[-1].text


def wall_of(engine, *, fire):
    """Put a wall of fire, or of ground nobody has seen, between the hero and the orc."""
    game_map = engine.state.map
    for y in range(1, 4):
        if fire:
            game_map.fires[5, y] = 9
        else:
            game_map.explored[y, 5:7] = False


SMALL_CELL = """
    #########
    #@......#
    #.......#
    #....o..#
    #########
"""


def looking(**size):
    """Return a person who looks at tiles beside an orc, and the engine."""
    engine = scene(SMALL_CELL)
    engine.state.map.items.clear()
    person = Person(**size)
    person.app.answer(Push(PlayScreen(Session(Run(engine)))))
    person.types("x")
    assert isinstance(person.top, ChooseTile)
    return person, engine
