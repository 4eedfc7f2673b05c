"""Every key answers: what is worn, aimed, travelled to, told and listed."""

import re

import pytest

from components import AiState
from engine.monsters.wandering_monsters import quiet_turns
from engine.state import events as ev
from engine.state.actions import Climb
from engine.state.events import creature_ref
from engine.state.run_setup import Mode, RunSetup
from entities.terrain import Tile
from procgen.blueprint import Point
from render.screens.menu import Choice, Menu
from render.screens.play_screen import PlayScreen
from render.screens.screen import Act, Pop, Push
from render.session.start_run import begin
from render.ui.input import Key, Pointer
from render.ui.keymap import bindings
from render.ui.palette import colors
from support.drawn_play import last, playing
from support.fake_backend import Person
from support.items import first, give, lay

LONG = "bookshelf that remembers: walk into it"
NEAR = f"{LONG}, 4 tiles east"


def test_a_worn_ring_is_identified():
    person, engine = playing()
    ring = give(engine, "stone_ring")
    person.types(f"e{ring.letter}")
    assert "stone_ring" in engine.state.identified_kinds
    texts = [message.text for message in person.app.stack[1].session.log.messages]
    assert any(text.startswith("It's a ring of stone! -1 power. +2 defence.") for text in texts)
    person.types("i")
    assert "ring of stone" in person.reads()


def test_a_bow_promises_nothing_it_does_not_do():
    person, engine = playing()
    bow = give(engine, "short_bow")
    person.types(f"i{bow.letter}")
    assert "with +2 power" in person.reads()
    assert "power of every blow" not in person.reads()
    assert "Sling it on your back" in person.reads(), "as the log says it"
    person.types("e")
    assert "You sling the short bow on your back." in person.reads()


def test_a_creature_that_comes_into_view_again_and_again_is_told_once_in_a_while():
    person, engine = playing("""
        ##########
        #.......o#
        #@########
        #.########
        ##########
    """)
    orc = first(engine, "orc")
    orc.ai.state, orc.statuses["asleep"] = AiState.ASLEEP, 500
    log = person.app.stack[1].session.log.messages

    def told():
        return sum(line.count for line in log if line.text.startswith("An orc comes into view "))

    person.presses("up", "down", "up", "down", "up", "down")
    assert (engine.state.turn, told()) == (6, 1)
    person.types("s" * 25).presses("up")
    assert told() == 2


def test_arrows_without_a_bow_are_no_ammunition_and_the_answer_says_so():
    person, engine = playing()
    engine.state.hero.inventory.clear()
    person.types("f")
    assert last(person) == "You have nothing to shoot: t throws any item."
    give(engine, "arrow")
    person.types("f")
    assert last(person) == "You hold no bow to shoot your arrows with."


def test_with_nothing_to_shoot_the_button_throws_any_item():
    person, engine = playing()
    give(engine, "dagger")
    assert "shoot, throw" not in person.reads()
    person.points("throw an item")
    assert "Throw what?" in person.reads()
    person.presses("escape")
    give(engine, "dart")
    assert "shoot, throw" in person.reads()
    assert "throw an item" not in person.reads()


def test_a_screen_bears_the_name_of_the_command_that_opens_it():
    person, engine = playing()
    give(engine, "dagger")
    for command, key in (("inventory", "i"), ("look", "x")):
        before = person.reads()
        name = re.split(r"\W", bindings()["play"][command].help)[0].capitalize()
        person.types(key)
        assert name in person.reads(), command
        assert name not in before
        person.presses("escape")


def test_where_no_stairs_were_seen_the_answer_names_the_key_that_looks_for_them():
    person, engine = playing()
    engine.state.map.explored[:] = False
    person.types(">")
    assert last(person) == "You have not seen any stairs down yet: o explores."
    engine.state.map.goal = Point(1, 1)
    person.types(">")
    assert last(person) == "You have not seen the First Seed or any stairs down yet: o explores."
    engine.state.map.goal_known = True
    person.types(">")
    assert last(person) == "You have not seen any stairs down yet: o explores."


def test_an_answer_stands_out_from_the_messages_of_earlier_turns():
    person, engine = playing()
    session = person.app.stack[1].session
    session.say("The orc hits you.", "bad")
    engine.state.turn += 9
    engine.state.hero.inventory.clear()
    person.types("f")
    rows, picture = person.reads().splitlines(), person.app.picture().text
    inks = {}
    for said in ("The orc hits you.", "You have nothing to shoot: t throws any item."):
        row = next(number for number, line in enumerate(rows) if said in line)
        inks[said] = tuple(picture.fg[row, rows[row].index(said)])
    assert list(inks.values()) == [colors()["dim"], colors()["text"]]


def test_an_answer_replaces_others_of_its_turn_and_is_counted_if_it_is_given_again():
    person, engine = playing()
    engine.state.hero.inventory.clear()
    person.types("fffft").types("ff")
    log = person.app.stack[1].session.log.messages
    assert [one.text for one in log if one.answers] == [last(person)]
    assert "t throws any item." in last(person)
    assert str(log[-1]).endswith(" (x2)"), "the key is not dead"


def test_an_answer_is_not_counted_on_a_later_turn():
    person, engine = playing()
    engine.state.hero.inventory.clear()
    person.types("f")
    engine.state.turn += 9
    person.types("qf")
    log = person.app.stack[1].session.log.messages
    answers = [one for one in log if one.answers]
    assert [str(one) for one in answers] == ["You have nothing to shoot: t throws any item."]
    assert answers[0].turn == engine.state.turn


def test_events_of_monsters_out_of_sight_are_not_told():
    person, engine = playing("""
        #############
        #@....#..o..#
        #.....#.....#
        #############
    """)
    session, orc = person.app.stack[1].session, first(engine, "orc")
    hero = creature_ref(engine.state.hero)
    session.add_events([ev.StatusApplied(creature_ref(orc), "slowed", 9, again=False)])
    session.add_events([ev.Died(creature_ref(orc), "goblin")])
    assert last(person).startswith("Welcome")
    session.add_events([ev.Struck(creature_ref(orc), hero, 2)])
    session.add_events([ev.Died(creature_ref(orc), "hero")])
    assert len(session.log.messages) == 3
    engine.state.map.move_entity(orc, 4, 1)
    session.add_events([ev.StatusApplied(creature_ref(orc), "slowed", 9, again=False)])
    assert last(person) == "The orc slows down."


def test_tab_leads_a_traveller_to_stairs_that_are_remembered():
    person, engine = playing("""
        ###########
        #.#.......#
        #@#......>#
        ###########
    """)
    person.types("_")
    assert "Tab" not in person.reads().splitlines()[0]
    engine.state.map.explored[:] = True
    assert "Tab next: stairs down" in person.reads().splitlines()[0]
    person.presses("tab")
    assert person.top.target == engine.state.map.exit


def test_the_keys_of_stairs_lead_a_traveller_to_those_it_knows():
    person, _ = playing("#######\n#@....#\n#....>#\n#######")
    game_map = person.presses("right").top.session.run.state.map
    game_map.explored[:] = False
    here = person.types("_").top.target
    for key, way in (("<", "up"), (">", "down")):
        assert person.types(key).top.target == here
        assert last(person) == f"You have not seen any stairs {way} yet: o explores."
    game_map.explored[:] = True
    assert person.types(">").top.target == game_map.exit
    assert person.types("<").top.target == game_map.start
    person.presses("escape").types("x>")
    assert person.top.target == game_map.exit


def test_tab_leads_a_traveller_to_all_known_places():
    person, engine = playing(columns=80, rows=24)
    game_map = engine.state.map
    game_map.items.clear()
    placed = [Tile.SHRINE, Tile.LEVER, Tile.WINCH, Tile.BRAZIER, Tile.CRYSTAL, Tile.LOCKED_DOOR]
    for x, tile in enumerate(placed, 3):
        game_map.set_tile(x, 1, tile)
    game_map.explored[:] = True
    game_map.explored[1, 4] = False  # A lever that was not seen.

    def places():
        person.types("_")
        found = []
        for _ in range(9):
            person.presses("tab")
            found.append(int(game_map.tiles[person.top.target[::-1]]))
        person.presses("escape")
        return set(found) & set(placed)

    assert places() == {*placed} - {Tile.LEVER, Tile.LOCKED_DOOR}
    game_map.keys = 1
    assert places() == {*placed} - {Tile.LEVER}
    person.types("_").presses("tab", "tab")
    assert "Tab next of 7: " in person.reads().splitlines()[0]


@pytest.mark.parametrize(("columns", "name"), [(80, "bookshelf that…"), (60, "book…"), (120, NEAR)])
def test_the_name_of_the_next_place_is_cut_before_a_key_is(columns, name, monkeypatch):
    monkeypatch.setattr("render.screens.map_cursor.short_description", lambda *_: LONG)
    person, _ = playing("#######\n#@..$>#\n#######", columns=columns, rows=24)
    line = person.types("_").reads().splitlines()[0]
    assert line.strip() == f"Travel where?  Enter go there · Tab next: {name} · Esc back"


def test_tab_looks_at_monsters_then_items_then_places_in_view():
    person, engine = playing("""
        ###########
        #@..r.....#
        #........>#
        ###########
    """)
    game_map = engine.state.map
    game_map.set_tile(3, 1, Tile.LEVER)
    lay(engine, "dagger", 5, 2)
    person.types("x")
    looked_at = [person.top.target] + [person.presses("tab").top.target for _ in range(3)]
    assert looked_at == [(4, 1), (5, 2), (9, 2), (3, 1)]


def test_aiming_offers_escape_first_and_monsters_only_where_there_are_some():
    person, engine = playing()
    give(engine, "dart")
    person.types("f")
    assert "Esc cancel" in person.reads().splitlines()[0]
    assert "next monster" not in person.reads().splitlines()[0], "it aims at the only one"
    assert "next monster" in person.types("h").reads().splitlines()[0]
    engine.state.map.remove_entity(first(engine, "orc"))
    assert "next monster" not in person.reads().splitlines()[0]


def test_the_alert_stands_in_the_top_line_before_gold_and_level():
    person, engine = playing(columns=80, rows=24)
    engine.state.gold, engine.state.map.keys = 12345, 1
    engine.state.map.turns_here = quiet_turns(engine.state) - 100
    assert "hunters in 100" in person.reads().splitlines()[0]
    assert "stirs in" not in person.reads().splitlines()[-1], "not twice"
    engine.state.map.turns_here = 0
    engine.state.turn = 12345
    assert "gold 12,345  keys 1  level 1" in person.reads().splitlines()[0]


def test_the_sidebar_has_a_line_for_the_alert():
    person, engine = playing()
    engine.state.gold, engine.state.map.keys = 12345, 1
    engine.state.map.turns_here = quiet_turns(engine.state) - 100
    assert "gold 12,345  keys 1 " in person.reads()
    assert "hunters in 100 " in person.reads()


def test_a_scroll_of_growth_says_what_it_did():
    person, engine = playing()
    scroll = give(engine, "growth_scroll")
    person.types("a").types(scroll.letter)
    assert "Trees and grass shoot up all around." in person.reads()


def test_what_is_put_on_says_what_it_replaces():
    person, engine = playing()
    rings = [give(engine, "might_ring"), give(engine, "mending_ring")]
    for ring in rings:
        person.types("e").types(ring.letter)
    told = [message.text for message in person.app.stack[1].session.log.messages]
    assert any(text.startswith("You take off the ring of might") for text in told)


def test_a_menu_that_is_too_long_says_how_to_reach_the_rest():
    person, _ = playing(columns=80, rows=24)
    person.app.answer(
        Push(Menu("Many", [Choice(f"a choice of many, number {n}", "", Pop) for n in range(40)]))
    )
    assert "page down" in person.reads()
    person.presses("end")
    assert "many, number 39" in person.reads()
    assert "page up" in person.reads()
    person, _ = playing(columns=80, rows=24)
    person.app.answer(Push(Menu("Few", [Choice("a choice of one alone", "", Pop)])))
    assert "page down" not in person.reads()


def test_a_click_on_the_hero_takes_the_stairs_there_or_waits():
    person, engine = playing("""
        ########
        #..@.>.#
        ########
    """)
    state, view = engine.state, person.top.session.view

    def click():
        person.reads()
        spot = state.hero.x - view.left, state.hero.y - view.top
        return Pointer("press", 5, 5, spot, "left")

    assert (state.hero.x, state.hero.y) == state.map.start
    person.app.handle(click())
    assert (state.turn, state.depth) == (1, 1), "the gate of the first level is closed"
    state.hollow = "rooms.1:7"
    assert person.top.handle(click()) == Act(Climb()), "unless the First Seed was planted"
    state.hollow = ""
    person.presses("right")
    person.app.handle(click())
    assert (state.turn, state.depth) == (3, 1)
    person.presses("right")
    person.app.handle(click())
    assert state.depth == 2
    assert (state.hero.x, state.hero.y) == state.map.start
    assert person.top.handle(click()) == Act(Climb())


def test_a_scroll_of_teleportation_with_nowhere_to_go_says_so():
    person, engine = playing("""
        ###
        #@#
        ###
    """)
    scroll = give(engine, "teleportation_scroll")
    engine.state.identified_kinds.append("teleportation_scroll")
    person.types(f"a{scroll.letter}")
    assert scroll not in engine.state.hero.inventory
    assert last(person) == "Nothing happens."


def test_a_run_goes_on_by_itself_and_a_key_that_says_nothing_here_is_answered():
    person, engine = playing("""
        ###############
        #@............#
        ###############
    """)
    person.app.handle(Key("right", shift=True))
    assert engine.state.hero.x == 2
    person.waits(20)
    assert engine.state.hero.x == 13
    person.types("W")
    assert last(person) == "There is no world map here: only infinite worlds have one."


def test_who_stands_in_the_only_way_to_a_place_is_named():
    person, engine = playing("""
        ###############
        #@.....o......#
        ###############
    """)
    engine.state.map.explored[:] = True
    person.reads()
    view = person.top.session.view
    person.app.handle(Pointer("press", 5, 5, (10 - view.left, 1 - view.top), "left"))
    assert last(person) == "The orc blocks the way there: Tab attacks."
    assert engine.state.turn == 0


def test_an_infinite_world_has_no_stairs_up_and_takes_no_overlays():
    person = Person(first=PlayScreen(begin(RunSetup(5, "5", Mode.WORKSHOP, "wilds"))))
    log = person.top.session.log
    person.types("<")
    assert log.messages[-1].text == "No stairs lead up from here."
    person.types("{")
    assert log.messages[-1].text == "An infinite world takes no overlays."
    assert person.top.session.run.state.turn == 0
