"""Aiming, doing it again, and picking up, on screen."""

import re

import pytest

from components import AiState
from engine.items.aiming import aim_of, missile_power
from engine.monsters.combat_forecast import forecast
from entities.creature_kinds import HERO
from procgen.blueprint import Point
from render.backends.terminal_colors import ColorDepth
from render.backends.terminal_screen import PrintableChars, flatten, in_terminal_colors
from render.screens.map_cursor import AimScreen
from render.screens.menu import Menu
from render.screens.play_screen import PlayScreen
from render.tiles.glyphs import CURSOR, PATH_DOT, TARGET
from render.ui.frame import Sprite
from render.ui.input import Key, Pointer
from render.ui.palette import colors
from support.inventory_screens import playing
from support.items import first, give, lay
from support.rule_scenes import put


def test_aiming_shows_the_very_tiles_that_the_rule_hits():
    person, engine = playing()
    scroll = give(engine, "fireball_scroll")
    engine.state.identified_kinds.append("fireball_scroll")
    person.types(f"a{scroll.letter}")
    assert isinstance(person.top, AimScreen)
    orc = first(engine, "orc")
    assert person.top.target == (orc.x, orc.y)
    aim = aim_of(engine.state, engine.state.hero, scroll, person.top.target)
    before = playing()[0].app.picture().map.bg.copy()
    frame = person.app.picture()
    view = person.app.stack[1].session.view
    lit = {
        Point(int(x) + view.left, int(y) + view.top)
        for y, x in zip(*(frame.map.bg != before).any(axis=2).nonzero(), strict=True)
    }
    assert set(aim.tiles) <= lit | {person.top.target}
    person.presses("enter")
    assert orc.fighter.hp < orc.fighter.max_hp
    assert isinstance(person.top, PlayScreen)


def test_keys_of_play_are_not_shown_while_a_cursor_is_on_the_map():
    person, engine = playing()
    scroll = give(engine, "fireball_scroll")
    engine.state.identified_kinds.append("fireball_scroll")
    assert "stairs down" in person.reads()
    person.types(f"a{scroll.letter}")
    assert isinstance(person.top, AimScreen)
    assert "stairs down" not in person.reads()
    person.presses("escape")
    assert "stairs down" in person.reads()


@pytest.mark.parametrize("kind", ["fireball_scroll", "thicket_seed"])
def test_without_colour_the_tiles_that_are_hit_are_reversed(kind):
    person, engine = playing()
    item = give(engine, kind)
    engine.state.identified_kinds.append(kind)
    person.types(f"a{item.letter}")
    frame = person.app.picture()
    view, area = person.app.stack[1].session.view, frame.map_rect
    cells = flatten(frame, PrintableChars("utf-8"))
    styles = in_terminal_colors(cells, ColorDepth.MONO).paper
    hit = person.top.shot.aim_at(person.top.target).tiles
    places = {(x - view.left + area.x, y - view.top + area.y) for x, y in hit}
    reversed_cells = {(int(x), int(y)) for y, x in zip(*(styles == 2).nonzero(), strict=True)}
    assert len(places) > 4
    assert places <= reversed_cells


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
    assert isinstance(person.top, AimScreen)
    banner = " ".join(person.reads().splitlines()[0].split())
    assert banner == "Throw a dart You can't see that place. Tab next monster · Esc cancel"
    person.presses("escape")
    assert isinstance(person.top, PlayScreen)
    assert engine.state.turn == 0


def test_blinking_onto_a_monster_is_said_to_be_impossible():
    person, engine = playing("#######\n#@..o.#\n#....>#\n#######")
    scroll, orc = give(engine, "blinking_scroll"), first(engine, "orc")
    engine.state.identified_kinds.append("blinking_scroll")
    person.types(f"a{scroll.letter}")
    assert isinstance(person.top, AimScreen)
    assert person.top.target == (orc.x, orc.y)
    banner = " ".join(person.reads().splitlines()[0].split())
    assert banner.endswith("There is no room for you there. Esc cancel")


def test_aiming_without_a_foe_in_view_opens_with_a_hint_not_with_a_fault():
    person, engine = playing(columns=80, rows=24)
    give(engine, "dart", 3)
    engine.state.map.remove_entity(first(engine, "orc"))
    person.types("foex")
    hero, said = engine.state.hero, "Aim with the arrow keys or the mouse."
    banner = " ".join(person.reads().splitlines()[0].split())
    assert banner.endswith(f"{said} Esc cancel"), "what works is said after keys that do nothing"
    banner, frame = person.reads().splitlines()[0], person.app.picture()
    assert tuple(frame.text.fg[0, banner.index(said)]) == colors()["text"]
    view = person.app.stack[1].session.view
    x, y = hero.x - view.left, hero.y - view.top
    assert Sprite(CURSOR, colors()["accent"], x, y) in frame.sprites
    assert "Enter throw" not in banner
    person.presses("enter")
    assert isinstance(person.top, AimScreen)


@pytest.mark.parametrize(
    ("kind", "command", "verb"),
    [
        ("dart", "f", "throw"),
        ("dart", "t", "throw"),
        ("fireball_scroll", "a", "read"),
        ("force_wand", "a", "zap"),
        ("thicket_seed", "a", "plant"),
        ("thicket_seed", "t", "throw"),
    ],
)
def test_the_title_and_the_key_of_aiming_say_what_will_be_done(kind, command, verb):
    person, engine = playing()
    item = give(engine, kind)
    engine.state.identified_kinds.append(kind)
    person.types(command if command == "f" else f"{command}{item.letter}")
    banner = person.reads().splitlines()[0]
    assert banner.strip().startswith(f"{verb.capitalize()} a ")
    assert f"Enter {verb}" in banner


@pytest.mark.parametrize("columns", [80, 120])
def test_planting_says_what_the_tint_means_in_its_colour(columns):
    person, engine = playing(columns=columns)
    seed = give(engine, "thicket_seed")
    person.types(f"a{seed.letter}")
    banner = person.reads().splitlines()[0]
    assert "Enter plant" in banner
    ink = person.app.picture().text.fg[0, banner.index("Tinted tiles may change.")]
    assert tuple(ink) == colors()["good"]
    person.presses("escape").types(f"t{seed.letter}")
    assert "Tinted" not in person.reads()


def test_a_seed_that_needs_rock_is_aimed_at_rock_though_a_monster_is_in_view():
    rock = f"{28 * '#'}\n"
    person, engine = playing(f"{3 * rock}###@.....o...............###\n{3 * rock}")
    seed = give(engine, "cavern_seed")
    orc, hero = first(engine, "orc"), engine.state.hero
    person.types(f"a{seed.letter}")
    assert person.top.shot.aim_at(Point(orc.x, orc.y)).why == "no rock in reach"
    assert max(abs(person.top.target.x - hero.x), abs(person.top.target.y - hero.y)) == 1
    assert "Enter plant" in person.reads()


def test_planting_on_the_stairs_takes_the_ground_around_and_says_nothing_of_flying():
    person, engine = playing()
    seed, state = give(engine, "thicket_seed"), engine.state
    state.map.remove_entity(first(engine, "orc"))
    assert state.map.start == (state.hero.x, state.hero.y)
    person.types(f"a{seed.letter}")
    assert person.top.target == state.map.start
    assert person.top.target not in person.top.shot.aim_at(person.top.target).tiles
    assert "Tinted tiles may change. Enter plant" in " ".join(person.reads().split())
    assert "won't fly" not in person.reads()


def test_an_arrow_is_shot_from_a_bow():
    person, engine = playing()
    give(engine, "arrow")
    person.types(f"e{give(engine, 'short_bow').letter}f")
    assert " ".join(person.reads().split()).startswith("Shoot an arrow Enter shoot")


def test_twice_the_key_shoots_the_nearest_and_one_key_does_it_again():
    person, engine = playing()
    darts = give(engine, "dart", 5)
    person.types("ff")
    assert engine.state.turn == 1
    assert darts.count == 4
    first(engine, "orc").fighter.hp = 9
    person.types("`")
    assert darts.count == 3
    assert isinstance(person.top, PlayScreen)


def test_doing_again_without_a_foe_takes_aim_and_without_things_says_so():
    person, engine = playing()
    person.types("`")
    assert "nothing to repeat" in person.reads()
    darts = give(engine, "dart", 2)
    person.types("ff")
    engine.state.map.remove_entity(first(engine, "orc"))
    person.types("`")
    assert isinstance(person.top, AimScreen)
    person.presses("escape")
    engine.state.hero.inventory.remove(darts)
    person.types("`")
    assert "no more of what you last used, threw or shot" in person.reads()


@pytest.mark.parametrize("way", ["a", "t", "i"])
@pytest.mark.parametrize("mouse", [False, True])
def test_leaving_the_aim_leaves_the_list_before_it_too(way, mouse):
    person, engine = playing()
    wand = give(engine, "slowness_wand")
    engine.state.identified_kinds.append("slowness_wand")
    person.types(f"{way}{wand.letter}")
    if way == "i":
        person.types("a")
    assert isinstance(person.top, AimScreen)
    if mouse:
        person.app.handle(Pointer("press", 3, 3, (3, 3), "right"))
    else:
        person.presses("escape")
    assert isinstance(person.top, PlayScreen)
    assert engine.state.turn == 0


def test_a_potion_can_be_drunk_again_by_one_key():
    person, engine = playing()
    potion = give(engine, "life_potion", 3)
    person.types(f"a{potion.letter}`")
    assert potion.count == 1


def test_aiming_works_by_mouse_alone():
    person, engine = playing(columns=110, rows=44)
    give(engine, "dart", 2)
    orc = first(engine, "orc")
    person.points("Esc   menu").points("Shoot or throw")
    assert isinstance(person.top, AimScreen)
    view = person.app.stack[1].session.view
    spot = orc.x - view.left, orc.y - view.top
    person.app.handle(Pointer("move", 5, 5, spot))
    frame = person.app.picture()
    assert PATH_DOT in frame.map.ch
    person.app.handle(Pointer("press", 5, 5, spot, "left"))
    assert engine.state.turn == 1
    person.types("f")
    person.app.handle(Pointer("press", 5, 5, (0, 0), "right"))
    assert isinstance(person.top, PlayScreen)


def test_a_name_in_the_side_bar_is_aimed_at_and_a_click_on_it_lets_go():
    person, engine = playing(columns=110, rows=44)
    give(engine, "dart", 2)
    orc = put(engine, "goblin", 3, 3)
    engine.state.look()
    person.types("f").reads()
    person.points("g  goblin", kind="move", button="")
    assert person.top.target == (orc.x, orc.y)
    person.points("g  goblin")
    assert engine.state.turn == 1
    assert not isinstance(person.top, AimScreen)


def test_the_map_lies_still_under_a_mouse_that_aims_near_its_edge():
    width = 300
    rows = ["#" * width, "#@" + "." * (width - 3) + "#", "#" * width]
    person, engine = playing("\n".join(f"    {row}" for row in rows))
    state = engine.state
    state.map.move_entity(state.hero, 150, 1)
    state.look()
    give(engine, "dart", 2)
    person.reads()
    person.types("f").reads()
    view = person.top.session.view
    before, spot = (view.left, view.top), (person.app.picture().map.width - 1, 1 - view.top)
    for kind, button in (("move", ""), ("move", ""), ("press", "left")):
        person.app.handle(Pointer(kind, 5, 5, spot, button))
        assert person.app.stack[-1].session is person.app.stack[1].session
        if kind == "move":
            assert person.top.target == (before[0] + spot[0], 1)
            person.reads()
            assert (view.left, view.top) == before
    person.presses("escape")
    person.types("f").presses(*["right"] * 9).reads()
    assert person.top.target.x - view.left <= person.app.picture().map.width - 1


def test_a_held_key_lets_nothing_go():
    person, engine = playing()
    give(engine, "dart", 2)
    person.types("f")
    person.app.handle(Key("f", repeat=True))
    assert engine.state.turn == 0


def test_one_thing_is_picked_up_at_once_and_of_several_one_chooses():
    person, engine = playing()
    lay(engine, "dagger", 1, 1)
    person.types("g")
    assert [item.kind for item in engine.state.hero.inventory] == ["dagger"]
    lay(engine, "dart", 1, 1, 4)
    lay(engine, "sword", 1, 1)
    person.types("g")
    assert isinstance(person.top, Menu)
    assert "Everything" in person.reads()
    person.points("4 darts")
    assert [item.kind for item in engine.state.map.items_at(1, 1)] == ["sword"]
    lay(engine, "dart", 1, 1, 4)
    person.types(",g")
    assert not engine.state.map.items_at(1, 1)


def test_by_mouse_the_hero_picks_up_what_it_stands_on():
    person, engine = playing()
    lay(engine, "dagger", 1, 1)
    person.reads()
    view = person.app.stack[1].session.view
    spot = 1 - view.left, 1 - view.top
    person.app.handle(Pointer("press", 5, 5, spot, "left"))
    assert engine.state.hero.inventory


def test_the_mark_of_the_aim_is_drawn_where_nobody_stands():
    person, engine = playing()
    give(engine, "dart", 2)
    person.types("f").presses("left")
    frame = person.app.picture()
    assert TARGET in frame.map.ch
    assert colors()["accent"] in [tuple(fg) for row in frame.map.fg.tolist() for fg in row]
    assert engine.state.hero.kind == HERO


def test_the_cursor_stands_out_on_a_monster_and_where_nothing_can_be_hit():
    person, engine = playing()
    give(engine, "dart", 2)
    person.types("f").reads()
    orc, view = first(engine, "orc"), person.top.session.view
    cursor = Sprite(CURSOR, colors()["accent"], orc.x - view.left, orc.y - view.top)
    assert cursor in person.app.picture().sprites
    person.types("LLLL")
    frame = person.app.picture()
    assert tuple(frame.map.fg[frame.map.ch == CURSOR][0]) == colors()["bad"]


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize(("bow", "missile"), [("short_bow", "arrow"), (None, "dart")])
def test_aiming_a_missile_foretells_its_hits_not_those_of_melee(bow, missile, columns):
    person, engine = playing(columns=columns)
    orc, hero = first(engine, "orc"), engine.state.hero
    orc.ai.state = AiState.ASLEEP
    hero.fighter.power = 90
    used = give(engine, bow) if bow else None
    hero.equipment |= {"bow": used.id} if used else {}
    item = give(engine, missile, 9)
    for keys, power in (
        ("f", missile_power(hero, item, used)),
        (f"t{item.letter}", missile_power(hero, item, None)),
    ):
        person.types(keys)
        assert person.top.target == (orc.x, orc.y)
        shots = forecast(hero, orc, power).hero_shot.hits
        foot = person.reads().splitlines()[-1]
        assert f"it dies in {shots} shots, you in " in foot
        assert "1 hit" not in foot
        person.presses("escape")
    person.types("x")
    assert "1 hit" in person.reads(), "melee"


@pytest.mark.parametrize(
    ("kind", "command"), [("force_wand", "a"), ("fireball_scroll", "a"), ("sword", "t")]
)
def test_aiming_anything_else_says_nothing_of_hits(kind, command):
    person, engine = playing(columns=120)
    item = give(engine, kind)
    give(engine, "dart", 3)
    engine.state.identified_kinds.append(kind)
    person.types(f"{command}{item.letter}")
    foot = person.reads().splitlines()[-1]
    assert "an orc, " in foot
    assert " fight" in foot
    assert not re.search(r"dies in|hits|shots|kill", foot), foot


def test_aiming_a_missile_that_never_kills_says_nothing_of_hits():
    person, engine = playing(columns=120)
    give(engine, "dart", 3)
    orc = first(engine, "orc")
    orc.fighter.regeneration_turns, orc.energy.speed = 1, 900
    person.types("f")
    assert not re.search(r"dies in|hits|shots|kill", person.reads().splitlines()[-1])
