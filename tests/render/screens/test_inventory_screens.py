"""The pack on screen: letters, words, comparisons."""

import re

import pytest

from engine.items.aiming import aim_of
from engine.items.item_actions import handling_time
from engine.state.actions import Equip
from entities.item_kinds import item_kinds
from procgen.blueprint import Point
from render.messages.item_descriptions import describe_item, item_texts
from render.panels.hud import SIDEBARS
from render.screens.inventory_screens import BOTH, InventoryScreen, ItemScreen
from render.screens.play_screen import PlayScreen
from support.inventory_screens import playing
from support.items import first, give

SIZES = [(80, 30), (108, 40), (126, 44), (200, 60)]


def stock(engine):
    """Give things of many kinds, weapons too, and return them."""
    kinds = {
        (kind.item_class, kind.effect, kind.weapon_ability): name
        for name, kind in item_kinds().items()
    }
    engine.state.identified_kinds += [
        name for name in kinds.values() if name not in engine.state.identified_kinds
    ]
    return [give(engine, name) for name in list(kinds.values())[-26:]]


@pytest.mark.parametrize("size", SIZES)
def test_the_pack_shows_letters_and_what_is_worn(size):
    person, engine = playing(columns=size[0], rows=size[1])
    dagger = give(engine, "dagger")
    give(engine, "dart", 5)
    engine.state.hero.equipment["weapon"] = dagger.id
    person.types("i")
    text = person.reads()
    for words in ("Weapons", "a dagger", "in hand", "Missiles", "5 darts", "2 of 26"):
        assert words in text, words
    person.types("a")
    assert isinstance(person.top, ItemScreen)
    assert "Put it away" in person.reads()


def test_only_the_list_on_top_shows_its_keys():
    person, engine = playing(columns=140, rows=44)
    give(engine, "dagger")
    person.types("i")
    assert "Enter or its letter: choose · Esc back" in person.reads()
    person.types("a")
    text = person.reads()
    assert "Pack · 1 of 26" in text
    assert "Enter choose · Esc back" in text
    assert "its letter" not in text
    person.presses("escape")
    assert "Enter or its letter: choose · Esc back" in person.reads()


@pytest.mark.parametrize("size", SIZES)
def test_the_commands_for_an_item_leave_the_frame_of_the_pack_whole_and_one_line_of_keys(size):
    person, engine = playing(columns=size[0], rows=size[1])
    letter, scroll = give(engine, "short_bow").letter, give(engine, "teleportation_scroll")
    engine.state.identified_kinds.append(scroll.kind)
    person.types(f"i{letter}")
    text = person.reads()
    assert text.count("Esc back") == 1, "the keys of the list do nothing now"
    assert text.count("Shoots arrows") == 1
    if size[0] - SIDEBARS[-1][1] >= BOTH:
        assert "a scroll of teleportation" in text, "the list stays in view"
        rows = text.splitlines()
        top = next(number for number, row in enumerate(rows) if " Pack " in row)
        left, right = rows[top].index("╭"), rows[top].index("╮")
        bottom = next(number for number, row in enumerate(rows) if row[left] == "╰")
        assert {row[right] for row in rows[top + 1 : bottom]} == {"│"}


def test_the_commands_for_an_item_cover_no_half_of_a_word_in_the_pack():
    person, engine = playing(columns=130, rows=40)
    bow, dagger = give(engine, "short_bow"), give(engine, "dagger")
    engine.state.hero.equipment.update(bow=bow.id, weapon=dagger.id)
    rows = person.types(f"i{bow.letter}").reads().splitlines()
    left = next(row.index("╭─ A short bow") for row in rows if "╭─ A short bow" in row)
    listed = [row[:left] for row in rows if row[left : left + 1] in {"╭", "│", "╰"}]
    assert all(row.endswith(" ") for row in listed)
    assert sum(row.endswith((" on your back ", " in hand ")) for row in listed) == 2


@pytest.mark.parametrize("size", SIZES)
def test_everything_can_be_looked_at_without_a_word_cut(size):
    person, engine = playing(columns=size[0], rows=size[1])
    items = stock(engine)
    engine.state.hero.equipment["weapon"] = next(i.id for i in items if i.kind == "rapier")
    for item in items:
        person.types("i")
        assert isinstance(person.top, InventoryScreen)
        person.types(item.letter)
        assert isinstance(person.top, ItemScreen)
        assert "…" not in person.reads()
        assert "Drop it" in person.reads()
        person.presses("escape", "escape")


def test_every_effect_style_and_gift_has_words():
    for name, kind in item_kinds().items():
        for section, word in (
            ("effects", kind.effect),
            ("weapon_abilities", kind.weapon_ability),
        ):
            assert not word or word in getattr(item_texts(), section), f"{name}: {word}"
        assert set(kind.worn_abilities) <= set(item_texts().worn_abilities), name


def test_at_80_columns_no_list_sticks_out_around_the_screen_on_top_of_it():
    person, engine = playing(columns=80, rows=24)
    kinds = ("enchanting_scroll", "sword", "life_potion", "slowness_wand")
    scroll, *_ = [give(engine, kind) for kind in kinds]
    for keys in (f"a{scroll.letter}", f"i{scroll.letter}"):
        text = person.types(keys).reads()
        assert [text.count(corner) for corner in "╭╮╰╯"] == [1, 1, 1, 1]
        person.presses("escape", "escape")


def test_in_a_wide_window_no_list_sticks_out_around_enchant_what_either():
    person, engine = playing(columns=133, rows=41)
    scroll = give(engine, "enchanting_scroll")
    for kind in ["sword", *list(item_kinds())[:14]]:
        give(engine, kind)
    for keys, title in ((f"a{scroll.letter}", "Use what?"), (f"i{scroll.letter}a", "Pack")):
        text = person.types(keys).reads()
        assert "Enchant what?" in text
        assert title not in text
        assert [text.count(corner) for corner in "╭╮╰╯"] == [1, 1, 1, 1]
        person.presses("escape")
        assert title in person.reads()
        person.presses("escape", "escape")


def test_throwing_begins_with_a_missile_and_never_with_the_weapon_in_hand():
    person, engine = playing(columns=110, rows=44)
    dagger, sword = give(engine, "dagger"), give(engine, "sword")
    engine.state.hero.equipment["weapon"] = dagger.id
    person.types("t")
    assert person.top.items[person.top.index] is sword
    person.presses("escape")
    darts = give(engine, "dart", 5)
    person.types("t")
    assert person.top.items[person.top.index] is darts


def test_unidentified_items_do_not_tell_their_effect():
    _, engine = playing()
    scroll = give(engine, "fireball_scroll")
    assert describe_item(engine.state, scroll) == [
        "Unidentified. Read it to find out what it does."
    ]
    engine.state.identified_kinds.append("fireball_scroll")
    assert "on fire" in describe_item(engine.state, scroll)[0]


def test_the_description_of_a_net_promises_no_more_tiles_than_the_aim_shows():
    _, engine = playing()
    net, state = give(engine, "net"), engine.state
    assert len(aim_of(state, state.hero, net, Point(3, 1)).tiles) == 1
    text = " ".join(describe_item(state, net))
    assert "within" not in text
    assert "Range: 5 tiles" in text


@pytest.mark.parametrize(
    ("kind", "how"),
    [("dart", "thrown"), ("javelin", "thrown"), ("arrow", "thrown, more when shot")],
)
def test_only_what_a_bow_launches_is_shot(kind, how):
    _, engine = playing()
    assert f"damage when {how};" in describe_item(engine.state, give(engine, kind))[0]


def test_a_thicket_is_not_called_as_wide_as_its_radius():
    _, engine = playing()
    scroll = give(engine, "growth_scroll")
    engine.state.identified_kinds.append("growth_scroll")
    text = " ".join(describe_item(engine.state, scroll))
    assert "tiles wide" not in text
    assert "within 3 tiles of you" in text


def test_a_long_list_tells_how_much_of_it_is_shown():
    person, engine = playing(columns=80, rows=30)
    stock(engine)
    assert "1–23 of " in person.types("i").reads()
    person.presses("escape")
    assert re.search("Tab +Fight: hit the nearest", person.presses("escape").reads())
    person.presses("tab")
    assert isinstance(person.top, PlayScreen)


def test_the_verbs_ask_for_what_fits_them_only():
    person, engine = playing()
    for key, verb in (("a", "use"), ("e", "equip"), ("d", "drop"), ("t", "throw")):
        person.types(key)
        assert f"You have nothing to {verb}." in person.reads()
    give(engine, "dagger")
    potion = give(engine, "healing_potion", 2)
    engine.state.hero.fighter.hp = 5
    person.types("a")
    assert "dagger" not in person.reads()
    person.types(potion.letter)
    assert isinstance(person.top, PlayScreen)
    assert engine.state.hero.fighter.hp > 5
    person.types("e")
    assert [item.kind for item in person.top.items] == ["dagger"]
    person.types("a")
    assert engine.state.hero.equipment["weapon"]
    person.types("da")
    assert engine.state.map.items_at(1, 1)


def test_while_aiming_one_is_told_who_is_in_the_way():
    person, engine = playing("""
        ###########
        #@..o..r..#
        ###########
    """)
    dart = give(engine, "dart")
    orc, rat = first(engine, "orc"), first(engine, "rat")
    person.types(f"t{dart.letter}")
    assert person.top.target == (orc.x, orc.y)
    assert "is in the way" not in person.reads()
    person.presses("tab")
    assert person.top.target == (rat.x, rat.y)
    assert "The orc is in the way." in person.reads()


def test_while_aiming_one_is_warned_of_what_would_fall_on_oneself():
    person, engine = playing()
    oil = give(engine, "oil_flask")
    orc = first(engine, "orc")
    person.types(f"t{oil.letter}")
    assert "You would hit yourself!" not in person.reads()
    hero = engine.state.hero
    person.top.target = Point(hero.x + 1, hero.y)
    assert "You would hit yourself!" in person.reads()
    assert orc.alive


@pytest.mark.parametrize(("kind", "warned"), [("dagger", True), ("dart", False)])
def test_while_aiming_one_is_told_of_what_does_no_damage(kind, warned):
    person, engine = playing()
    person.types(f"t{give(engine, kind).letter}")
    assert ("It does no damage." in person.reads()) == warned


def test_throwing_worn_armour_warns_of_the_turns_to_take_it_off():
    person, engine = playing()
    armour = give(engine, "leather_armour")
    assert "turns to take it off" not in person.types(f"t{armour.letter}").reads()
    person.presses("escape").types(f"e{armour.letter}")
    turns = handling_time(engine.state.hero, armour) // 100
    person.types(f"i{armour.letter}")
    assert f"Throw it ({turns} turns)" in person.reads()
    assert f"Drop it ({turns} turns)" in person.reads()
    assert f"No damage, and {turns} turns to take it off." in person.types("t").reads()


def test_worn_equipment_is_taken_off_by_the_same_keys():
    person, engine = playing()
    armour = give(engine, "leather_armour")
    person.types(f"e{armour.letter}")
    assert engine.state.hero.equipment == {"armour": armour.id}
    assert "You put on the leather armour." in person.reads()
    person.types(f"i{armour.letter}")
    assert re.search(r"e +Take it off \(\d+ turns\)", person.reads())
    person.types("e")
    assert engine.state.hero.equipment == {}
    assert "You take off the leather armour." in person.reads()
    person.types(f"e{armour.letter}e{armour.letter}")
    assert engine.state.hero.equipment == {}


def test_a_throw_is_repeated_at_the_same_monster_until_nothing_is_left():
    person, engine = playing()
    orc = first(engine, "orc")
    orc.fighter.hp = orc.fighter.max_hp = 99
    assert "There is nothing to repeat yet." in person.types("`").reads()
    dart = give(engine, "dart", 3)
    person.types(f"t{dart.letter}")
    assert "Throw a dart" in person.reads()
    person.presses("enter").types("`")
    assert (dart.count, engine.state.turn) == (1, 2)
    person.types("``")
    assert (engine.state.hero.inventory, engine.state.turn) == ([], 3)
    assert "You have no more of what you last used, threw or shot." in person.reads()


def test_an_item_used_on_another_needs_one():
    person, engine = playing()
    scroll = give(engine, "enchanting_scroll")
    person.types(f"a{scroll.letter}")
    assert "You have nothing it could improve." in person.reads()
    assert (scroll.count, engine.state.turn) == (1, 0)


def test_an_empty_pack_says_so_and_closes_on_any_key():
    person, _ = playing()
    assert "Nothing." in person.types("i").reads()
    person.points("Nothing.").types("z")
    assert isinstance(person.top, PlayScreen)


def test_charges_are_counted_and_what_a_ring_would_do_is_not_guessed():
    person, engine = playing()
    wand = give(engine, "frost_wand", charges=1, identified=True)
    engine.state.identified_kinds.append("frost_wand")
    assert "1 charge left." in person.types(f"i{wand.letter}").reads()
    wand.charges = 2
    assert "2 charges left." in person.reads()
    ring = give(engine, next(k for k, kind in item_kinds().items() if kind.item_class == "ring"))
    person.presses("escape", "escape").types(f"i{ring.letter}")
    assert "unknown until you do" in person.reads()
    person.types("e").types(f"i{ring.letter}")
    assert "unknown until you do" not in person.reads()


@pytest.mark.parametrize("columns", [BOTH, 107, BOTH + SIDEBARS[-1][1], 140])
def test_the_details_of_an_item_end_just_inside_the_frame_of_the_pack(columns):
    person, engine = playing(columns=columns, rows=40)
    give(engine, "dagger")
    edge = max(row.rfind("╮") for row in person.types("i").reads().splitlines())
    details = person.types("a").reads().splitlines()
    assert max(row.rfind("╯", 0, edge) for row in details) == edge - 2


def test_arrows_can_be_shot_from_the_pack_with_a_bow_in_hand():
    person, engine = playing()
    arrows = give(engine, "arrow", 8)
    person.types(f"i{arrows.letter}")
    assert "Shoot" not in person.reads()
    person.presses("escape").presses("escape")
    bow = give(engine, "short_bow")
    engine.step(Equip(bow.id))
    person.types(f"i{arrows.letter}")
    assert "f   Shoot one" in person.reads()
    person.types("f")
    assert "Shoot an arrow" in person.reads()
