"""A person who plays in a drawn world."""

from engine.saves.run import Run
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
