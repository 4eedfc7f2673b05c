"""Every hint of every screen does what it says, by key and by mouse."""

import numpy as np
import pytest
from msgspec.structs import replace

from engine.saves.files import recorded_paths
from engine.state.run_setup import Mode, RunSetup
from render.screens.menu import notice
from render.screens.replay_screen import TakeOverScreen
from render.screens.run_end import VictoryScreen, daily_menu
from render.screens.screen import Push, Screen
from render.session.start_run import begin
from render.ui.input import Pointer
from support.build_screens import watching as watching_build
from support.fake_backend import Person
from support.inventory_screens import playing as carrier
from support.items import give
from support.play_screens import playing, slain, world_of
from support.replays import watching
from support.scenes import ROOMS
from support.stairs import stand_on

LEAVES = {"back", "cancel", "done", "leave", "later", "go back"}
WORKSHOP = RunSetup(42, "42", Mode.WORKSHOP, "rooms")


def play(keys, setup=None):
    return lambda: playing(setup).types(keys)


def title(keys):
    return lambda: Person().types(keys)


def victory():
    person = playing()
    session = person.top.session
    person.app.answer(Push(VictoryScreen(session, lambda: None)))
    return person


def talents():
    person = playing()
    hero = world_of(person).hero
    hero.experience.level += 2
    return person.types("T")


def daily():
    person = Person()
    person.app.answer(Push(daily_menu()))
    return person


def message():
    person = Person()
    person.app.answer(Push(notice("Something.")))
    return person


TWO_ORCS = """
    ##########
    #@...o..o#
    #........#
    ##########
"""


def carrying(keys, *kinds):
    """Return what makes a person who carries items of ``kinds`` and then presses ``keys``."""

    def person():
        player, engine = carrier(TWO_ORCS)
        letters = [give(engine, kind).letter for kind in kinds]
        return player.types(keys.format(*letters))

    return person


def at_the_stairs():
    person = playing(RunSetup(3, "3"))
    state = world_of(person)
    stand_on(person.top.session.run.engine, state.map.exit)
    state.look()
    return person.types(">")


def several_runs():
    for path in recorded_paths():
        path.unlink()
    for seed in (1, 2):
        begin(RunSetup(seed, str(seed), strata=ROOMS)).run.close()
    return Person().types("c")


def by_words():
    return play("/", replace(WORKSHOP, size=(40, 24)))().types("exactly 4 rooms\n")


SCREENS = {
    "title": Person,
    "aim": carrying("f", "dart"),
    "use": carrying("a", "healing_potion"),
    "throw": carrying("t", "healing_potion"),
    "item": carrying("i{0}", "healing_potion"),
    "ground": at_the_stairs,
    "continue": several_runs,
    "words": play("/", WORKSHOP),
    "levels by words": by_words,
    "overlays": play("{", replace(WORKSHOP, size=(40, 24))),
    "play": play(""),
    "workshop": play("", WORKSHOP),
    "commands": play("\x1b"),
    "look": play("x"),
    "travel": play("_"),
    "pack": play("i"),
    "character": play("@"),
    "messages": play("M"),
    "help": play("?"),
    "code": play("~"),
    "options": play("O"),
    "keys": play("Os"),
    "rebind": play("Os\n"),
    "abandon": play("Q"),
    "world map": play("W", RunSetup(42, "42", Mode.WORKSHOP, "wilds")),
    "world map of an adventure": play("W", RunSetup(42, "42", generator="wilds")),
    "build": lambda: watching_build().types("  "),
    "build with cursor": lambda: watching_build().types("x"),
    "compare": lambda: watching_build().types("2"),
    "tune": lambda: watching_build("bsp:3").types("t"),
    "build in a scored run": play("v"),
    "generators": title("w"),
    "seed": title("n"),
    "scores": title("s"),
    "runs": title("r"),
    "daily": daily,
    "notice": message,
    "end": slain,
    "victory": victory,
    "talents": talents,
}


def look(person):
    """Return everything that a key could change: screens, picture, clipboard, zoom."""
    if not person.app.stack:
        return []
    frame = person.app.picture()
    cells = frame.map.rgb.tobytes() if frame.map is not None else b""
    backend = person.backend
    return (
        [id(screen) for screen in person.app.stack],
        np.ascontiguousarray(frame.text.rgb).tobytes(),
        cells,
        len(backend.copied),
        list(backend.zooms),
        [getattr(screen, "player", None) and screen.player.playing for screen in person.app.stack],
        [getattr(screen, "player", None) and getattr(screen.player, "speed", None)
         for screen in person.app.stack],
    )  # fmt: skip


def hints(person):
    """Return what is written beside each key that can be clicked, by key."""
    frame = person.app.picture()
    rows = ["".join(map(chr, row)) for row in frame.text.ch.tolist()]
    found = {}
    for rect, key in frame.buttons:
        if isinstance(key, Pointer):  # It points at a tile of the map.
            continue
        words = rows[rect.y][rect.x : rect.x + rect.width + 12]
        found[str(key)] = (rect, key, words)
    return found


def kinds_of_screen(kind=Screen):
    """Return the names of all classes of screens of the program."""
    ours = [one for one in kind.__subclasses__() if one.__module__.startswith("render.")]
    return {one.__name__ for one in ours}.union(*map(kinds_of_screen, ours))


def test_no_kind_of_screen_is_left_out():
    shown = {kind.__name__ for make in SCREENS.values() for kind in type(make().top).__mro__}
    beside = {"ReplayScreen", "TakeOverScreen"}  # the tests below
    assert kinds_of_screen() - shown == beside


@pytest.mark.parametrize("name", SCREENS)
def test_every_hint_does_what_it_says_by_key_and_by_mouse(name):
    shown = hints(SCREENS[name]())
    assert shown or name == "end"
    for rect, key, words in shown.values():
        results = []
        for mouse in (False, True):
            person = SCREENS[name]()
            before, depth, top = look(person), len(person.app.stack), person.top
            if mouse:
                person.app.handle(Pointer("press", rect.x, rect.y, None, "left"))
                if person.app.stack:
                    person.app.handle(Pointer("move", 0, 0))
            else:
                person.types([key])
            after = look(person)
            assert after != before, f"{name}: {words!r} does nothing"
            if any(f" {leaves} " in f" {words} " for leaves in LEAVES) and "escape" in str(key):
                gone = len(person.app.stack) < depth or person.top is top
                assert gone, f"{name}: {words!r} does not leave"
            results.append([type(screen) for screen in person.app.stack])
        assert results[0] == results[1], f"{name}: {words!r} by mouse is something else"


def test_a_replay_too(adventure):
    person, replay = watching(adventure)
    replay.player.to(50)
    person.waits(50)
    for rect, key, words in hints(person).values():
        before = look(person)
        person.app.handle(Pointer("press", rect.x, rect.y, None, "left"))
        person.waits(3)
        assert look(person) != before, words
        assert str(key)
        while person.top is not replay and replay in person.app.stack:
            person.presses("escape")
        if replay not in person.app.stack:
            person.app.answer(Push(replay))


@pytest.mark.parametrize("mouse", [False, True])
def test_the_hint_of_a_take_over_leaves_it(adventure, mouse):
    person, replay = watching(adventure)
    replay.player.to(50)
    person.waits(50)
    person.types("ty")
    assert isinstance(person.top, TakeOverScreen)
    if mouse:
        person.points("Esc cancel")
    else:
        person.presses("escape")
    assert person.top is replay
