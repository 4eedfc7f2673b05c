"""Things on screen: the pack by letters, what things do, aiming, picking up, doing it again."""

import pytest
from things import first, give, lay

from engine.records.run import Run
from engine.things.aiming import aim_of
from engine.things.gear import power_of
from entities.items import item_kinds
from entities.kinds import HERO
from fakes import Person
from procgen.blueprint import Point
from render.glyphs import PATH_DOT, TARGET
from render.inputs import Key, Pointer
from render.pack.told import told, what_it_does
from render.palette import colors
from render.screen import Push
from render.screens.aiming import Aiming
from render.screens.inventory import Inventory
from render.screens.item import ItemScreen
from render.screens.menu import Menu
from render.screens.play import PlayScreen
from render.session import Session
from scenes import scene

SIZES = [(80, 30), (110, 44), (200, 60)]
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


def stock(engine):
    """Give things of many kinds, weapons too, and return them."""
    kinds = {(kind.sort, kind.effect, kind.style): name for name, kind in item_kinds().items()}
    engine.world.known += [name for name in kinds.values() if name not in engine.world.known]
    return [give(engine, name) for name in list(kinds.values())[-26:]]


@pytest.mark.parametrize("size", SIZES)
def test_the_pack_shows_letters_and_what_is_worn(size):
    person, engine = playing(columns=size[0], rows=size[1])
    dagger = give(engine, "dagger")
    give(engine, "dart", 5)
    engine.world.hero.worn["weapon"] = dagger.id
    person.types("i")
    text = person.reads()
    for words in ("Weapons", "a dagger", "in hand", "Missiles", "5 darts", "2 of 26"):
        assert words in text, words
    person.types("a")
    assert isinstance(person.top, ItemScreen)
    assert "Take it off" in person.reads()


@pytest.mark.parametrize("size", SIZES)
def test_everything_can_be_looked_at_without_a_word_cut(size):
    person, engine = playing(columns=size[0], rows=size[1])
    items = stock(engine)
    engine.world.hero.worn["weapon"] = next(i.id for i in items if i.kind == "rapier")
    for item in items:
        person.types("i")
        assert isinstance(person.top, Inventory)
        person.types(item.letter)
        assert isinstance(person.top, ItemScreen)
        assert "…" not in person.reads()
        assert "Drop it" in person.reads()
        person.presses("escape", "escape")


def test_every_effect_style_and_gift_has_words():
    for name, kind in item_kinds().items():
        for section, word in (("effects", kind.effect), ("styles", kind.style)):
            assert not word or word in getattr(told(), section), f"{name}: {word}"
        assert set(kind.gifts) <= set(told().gifts), name


def test_a_scroll_that_betters_things_asks_which():
    person, engine = playing()
    scroll, sword = give(engine, "enchanting_scroll"), give(engine, "sword")
    give(engine, "dart")
    person.types(f"a{scroll.letter}")
    assert [item.kind for item in person.top.items] == ["sword"]
    person.types(sword.letter)
    assert sword.bonus == 1
    assert isinstance(person.top, PlayScreen)


def test_what_is_not_known_is_not_told():
    _, engine = playing()
    scroll = give(engine, "fireball_scroll")
    assert what_it_does(engine.world, scroll) == ["Nobody knows what it does until one is used."]
    engine.world.known.append("fireball_scroll")
    assert "alight" in what_it_does(engine.world, scroll)[0]


def test_what_would_be_worn_is_compared_with_what_is():
    person, engine = playing()
    dagger, sword = give(engine, "dagger"), give(engine, "sword")
    engine.world.hero.worn["weapon"] = dagger.id
    person.types(f"i{sword.letter}")
    assert "Instead of a dagger:" in person.reads()
    power = power_of(engine.world.hero)
    assert f"power {power} → {power + 2}  +2" in person.reads()
    assert "Slays most who sleep." in person.reads()
    person.types("e")
    assert engine.world.hero.worn["weapon"] == sword.id
    assert isinstance(person.top, PlayScreen)


def test_the_verbs_ask_for_what_fits_them_only():
    person, engine = playing()
    person.types("a")
    assert "nothing of the kind" in person.reads()
    give(engine, "dagger")
    potion = give(engine, "healing_potion", 2)
    engine.world.hero.fighter.hp = 5
    person.types("a")
    assert "dagger" not in person.reads()
    person.types(potion.letter)
    assert isinstance(person.top, PlayScreen)
    assert engine.world.hero.fighter.hp > 5
    person.types("e")
    assert [item.kind for item in person.top.items] == ["dagger"]
    person.types("a")
    assert engine.world.hero.worn["weapon"]
    person.types("da")
    assert engine.world.map.items_at(1, 1)


def test_aiming_shows_the_very_tiles_that_the_rule_hits():
    person, engine = playing()
    scroll = give(engine, "fireball_scroll")
    engine.world.known.append("fireball_scroll")
    person.types(f"a{scroll.letter}")
    assert isinstance(person.top, Aiming)
    orc = first(engine, "orc")
    assert person.top.target == (orc.x, orc.y)
    fall = aim_of(engine.world, engine.world.hero, scroll, person.top.target)
    before = playing()[0].app.picture().map.bg.copy()
    frame = person.app.picture()
    view = person.app.stack[1].session.view
    lit = {
        Point(int(x) + view.left, int(y) + view.top)
        for y, x in zip(*(frame.map.bg != before).any(axis=2).nonzero(), strict=True)
    }
    assert set(fall.tiles) <= lit | {person.top.target}
    person.presses("enter")
    assert orc.fighter.hp < orc.fighter.max_hp
    assert isinstance(person.top, PlayScreen)


def test_aiming_moves_by_keys_and_says_why_not():
    person, engine = playing()
    give(engine, "dart", 3)
    person.types("f")
    target = person.top.target
    person.presses("left")
    assert person.top.target == (target.x - 1, target.y)
    person.presses("tab")
    assert person.top.target == target
    person.types("LLLL").presses("enter")
    assert isinstance(person.top, Aiming)
    assert "You cannot see that place." in person.reads()
    person.presses("escape")
    assert isinstance(person.top, PlayScreen)
    assert engine.world.turn == 0


def test_twice_the_key_shoots_the_nearest_and_one_key_does_it_again():
    person, engine = playing()
    darts = give(engine, "dart", 5)
    person.types("ff")
    assert engine.world.turn == 1
    assert darts.count == 4
    first(engine, "orc").fighter.hp = 9
    person.types("`")
    assert darts.count == 3
    assert isinstance(person.top, PlayScreen)


def test_doing_again_without_a_foe_takes_aim_and_without_things_says_so():
    person, engine = playing()
    person.types("`")
    assert "nothing to do again" in person.reads()
    darts = give(engine, "dart", 2)
    person.types("ff")
    engine.world.map.remove_entity(first(engine, "orc"))
    person.types("`")
    assert isinstance(person.top, Aiming)
    person.presses("escape")
    engine.world.hero.pack.remove(darts)
    person.types("`")
    assert "none of it left" in person.reads()


def test_a_potion_can_be_drunk_again_by_one_key():
    person, engine = playing()
    potion = give(engine, "healing_potion", 3)
    person.types(f"a{potion.letter}`")
    assert potion.count == 1


def test_aiming_works_by_mouse_alone():
    person, engine = playing(columns=110, rows=44)
    give(engine, "dart", 2)
    orc = first(engine, "orc")
    person.points("everything else").points("Shoot or throw")
    assert isinstance(person.top, Aiming)
    view = person.app.stack[1].session.view
    spot = orc.x - view.left, orc.y - view.top
    person.app.hear(Pointer("move", 5, 5, spot))
    frame = person.app.picture()
    assert PATH_DOT in frame.map.ch
    person.app.hear(Pointer("press", 5, 5, spot, "left"))
    assert engine.world.turn == 1
    person.types("f")
    person.app.hear(Pointer("press", 5, 5, (0, 0), "right"))
    assert isinstance(person.top, PlayScreen)


def test_a_held_key_lets_nothing_go():
    person, engine = playing()
    give(engine, "dart", 2)
    person.types("f")
    person.app.hear(Key("f", repeat=True))
    assert engine.world.turn == 0


def test_one_thing_is_picked_up_at_once_and_of_several_one_chooses():
    person, engine = playing()
    lay(engine, "dagger", 1, 1)
    person.types("g")
    assert [item.kind for item in engine.world.hero.pack] == ["dagger"]
    lay(engine, "dart", 1, 1, 4)
    lay(engine, "sword", 1, 1)
    person.types("g")
    assert isinstance(person.top, Menu)
    assert "All of it" in person.reads()
    person.points("4 darts")
    assert [item.kind for item in engine.world.map.items_at(1, 1)] == ["sword"]
    lay(engine, "dart", 1, 1, 4)
    person.types(",g")
    assert not engine.world.map.items_at(1, 1)


def test_by_mouse_the_hero_picks_up_what_it_stands_on():
    person, engine = playing()
    lay(engine, "dagger", 1, 1)
    person.reads()
    view = person.app.stack[1].session.view
    spot = 1 - view.left, 1 - view.top
    person.app.hear(Pointer("press", 5, 5, spot, "left"))
    assert engine.world.hero.pack


def test_the_mark_of_the_aim_is_drawn_where_nobody_stands():
    person, engine = playing()
    give(engine, "dart", 2)
    person.types("f").presses("left")
    frame = person.app.picture()
    assert TARGET in frame.map.ch
    assert colors()["accent"] in [tuple(fg) for row in frame.map.fg.tolist() for fg in row]
    assert engine.world.hero.kind == HERO
