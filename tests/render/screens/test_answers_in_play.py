"""Every key answers: fights without a way, journeys that end, messages and lists that are long."""

import pytest

from components import AiState
from engine.pathfinding.auto_travel import Stop
from engine.state.run_setup import RunSetup
from entities.pack import MOST_STACKS
from entities.terrain import Tile
from render.messages.refusal_messages import full_pack_note
from render.screens.play_screen import PlayScreen
from render.screens.screen import Push
from render.session.start_run import begin
from render.ui.input import Key, Pointer
from support.drawn_play import CELL, last, playing, wall_of
from support.fake_backend import Person
from support.items import first, give, lay


@pytest.mark.parametrize(
    ("fire", "said"),
    [
        (True, "Fire bars the way to the orc."),
        (False, "No known way to the orc: o explores."),
    ],
)
def test_fight_and_click_say_who_cannot_be_reached_and_why(fire, said):
    person, engine = playing()
    wall_of(engine, fire=fire)
    person.presses("tab")
    assert last(person) == said
    assert engine.state.turn == 0
    orc, session = first(engine, "orc"), person.top.session
    session.say("Meanwhile.")
    spot = orc.x - session.view.left, orc.y - session.view.top
    person.app.handle(Pointer("press", 5, 5, spot, "left"))
    assert last(person) == said
    assert engine.state.turn == 0


@pytest.mark.parametrize(
    ("tile", "said"),
    [
        (Tile.WATER, "The water is too deep to walk through."),
        (Tile.LAVA, "The lava would kill you."),
        (Tile.PORTCULLIS, "A lever raises the portcullis, somewhere on this level."),
        (Tile.DRAWBRIDGE, "A winch lets the drawbridge down, somewhere on this level."),
        (Tile.CRYSTAL, "Light or fire breaks the dark crystal: look for a brazier."),
        (Tile.LOCKED_DOOR, "The door is locked, and you have no key for it."),
        (Tile.WALL, ""), (Tile.SECRET_DOOR, ""),
    ],
)  # fmt: skip
def test_a_step_into_what_bars_the_way_is_answered_but_one_into_a_wall_is_not(tile, said):
    person, engine = playing()
    engine.state.map.set_tile(2, 1, tile)
    person.top.session.say("Meanwhile.")
    person.presses("right")
    assert last(person) == (said or "Meanwhile.")
    assert engine.state.turn == 0
    if said:
        engine.state.map.remove_entity(engine.state.map.entity_at(8, 3))  # A click walks on now.
        person.top.session.say("Meanwhile.")
        view = person.top.session.view
        person.app.handle(Pointer("press", 5, 5, (2 - view.left, 1 - view.top), "left"))
        assert last(person) == said
        assert engine.state.turn == 0


def test_fight_offers_a_shot_at_whom_it_cannot_reach_as_long_as_that_is_in_range():
    person, engine = playing("""
        ###########
        #@..~~~.o.#
        #...~~~...#
        ###########
    """)
    engine.state.map.explored[:] = True
    give(engine, "dart", count=3)
    person.presses("tab")
    assert last(person) == "The deep water blocks the way to the orc: f shoots or throws."
    engine.state.hero.inventory.clear()
    person.presses("tab")
    assert last(person) == "The deep water blocks the way to the orc."


@pytest.mark.parametrize(
    ("tile", "known", "said"),
    [
        (Tile.WATER, 9, "The deep water blocks the way there."),
        (Tile.LAVA, 9, "The lava blocks the way there."),
        (Tile.PORTCULLIS, 9, "The portcullis blocks the way there."),
        (Tile.LOCKED_DOOR, 8, "The locked door blocks the way there: o explores."),
        (Tile.WALL, 8, "No known way there: o explores."),
        (Tile.WALL, 9, "No known way there."),
    ],
)
def test_stairs_without_a_known_way_say_what_bars_it_or_which_key_explores(tile, known, said):
    person, engine = playing("""
        #########
        #@..~..>#
        #...~####
        #########
    """)
    game_map = engine.state.map
    for y in (1, 2):
        game_map.set_tile(4, y, tile)
    game_map.explored[:], game_map.explored[3] = True, known == 9
    person.types(">")
    assert last(person) == said


@pytest.mark.parametrize(
    ("tile", "said"),
    [
        (Tile.LOCKED_DOOR, "The locked door blocks the way there."),
        (Tile.LEVER, "The lever blocks the way there."),
        (Tile.RELIC, "The First Seed blocks the way there."),
        (Tile.TRAP, "The alarm plate blocks the way there."),
    ],
)
def test_a_way_over_what_the_player_must_decide_on_names_that(tile, said, monkeypatch):
    monkeypatch.setattr("render.messages.refusal_messages.trap_at", lambda *_: "alarm")
    person, engine = playing("""
        #######
        #@....#
        #######
    """)
    engine.state.map.set_tile(3, 1, tile)
    engine.state.map.keys = 1
    engine.state.map.explored[:] = True
    session = person.top.session
    spot = 5 - session.view.left, 1 - session.view.top
    person.app.handle(Pointer("press", 5, 5, spot, "left"))
    assert last(person) == said
    assert engine.state.turn == 0


def test_fight_says_that_nobody_is_there():
    person, _ = playing(CELL.replace("o", "."))
    person.presses("tab")
    assert last(person) == "There is no enemy in view."


def test_a_key_without_a_command_says_so():
    person, engine = playing()
    person.types("q")
    assert last(person) == "No command is on q: ? lists all keys."
    said = len(person.top.session.log.messages)
    person.types([Key("q", ctrl=True)]).presses("f2")
    assert len(person.top.session.log.messages) == said, "these may be meant for the terminal"
    assert engine.state.turn == 0


def test_the_key_after_a_monster_came_into_view_is_answered():
    person, engine = playing("""
        ###############
        #@............#
        ######.########
        ######......o.#
        ###############
    """)
    person.types("o")
    for _ in range(40):
        person.waits()
    assert "comes into view" in last(person)
    turn = engine.state.turn
    person.types("o")
    assert last(person) == "The orc is 3 tiles east: Tab fights, the same key again goes on."
    engine.state.hero.fighter.hp = 5  # Now `Tab` would ask, too.
    person.types("o").waits(2)
    assert "badly hurt" in last(person)
    assert "Tab" not in last(person)
    assert engine.state.turn == turn


@pytest.mark.parametrize("corridor", ["#@...o...#", "#@...oo..#"])
def test_exploring_says_who_stands_in_the_only_way(corridor):
    person, engine = playing(f"""
        ##########
        {corridor}
        ##########
    """)
    for orc in (one for one in engine.state.map.entities.values() if one.ai):
        orc.ai.state = AiState.ASLEEP
    engine.state.map.explored[:, 7:] = False
    person.types("oo")
    for _ in range(20):
        person.waits()
    assert last(person) == "The orc blocks the rest of the level: Tab attacks."


def test_exploring_never_sends_to_stairs_that_nobody_has_seen():
    person, engine = playing("""
        ##########
        #@..##..>#
        ##########
    """)
    person.types("o")
    for _ in range(20):
        person.waits()
    assert last(person).startswith("You have explored as far as you can, but")
    engine.state.map.explored[:] = True
    person.types("o")
    assert last(person) == "Explored. Press > for the stairs down."


def test_exploring_says_that_a_fire_is_in_the_way():
    person, engine = playing("""
        ##########
        #@.......#
        ##########
    """)
    engine.state.map.explored[:, 7:] = False
    engine.state.map.fires[5, 1] = 9
    person.types("o").waits(3)
    assert "while the fire burns" in last(person)


def test_a_fire_that_bars_nothing_is_no_reason_to_wait():
    person, engine = playing(CELL.replace("o", "."))
    engine.state.map.explored[:] = True
    engine.state.map.fires[5, 2] = 9
    person.types("o").waits(3)
    assert last(person).startswith("Explored")


def test_a_journey_that_a_monster_blocks_names_the_monster(monkeypatch):
    def blocked(*_, **__):
        yield from ()
        return Stop.BLOCKED

    person, engine = playing()
    first(engine, "orc").ai.state = AiState.HUNTING
    monkeypatch.setattr("render.screens.play_screen.auto_travel.explore", blocked)
    person.types("o")
    assert last(person) == "You can't go there.", "the orc is far from the next step"
    engine.state.map.move_entity(first(engine, "orc"), 2, 2)
    person.types("o")
    assert last(person) == "You stop: the orc is in the way."


@pytest.mark.parametrize(
    ("ahead", "said"),
    [
        ("fire", "You stop: there is fire in the way."),
        ("trap", "You stop: there is a trap in the way."),
        ("wall", "You can't go any further this way."),
        ("orc", "You stop: the orc is in the way."),
    ],
)
def test_a_run_says_what_is_in_the_way_whatever_stands_beside_the_hero(ahead, said):
    person, engine = playing("""
        ##########
        #@..oo...#
        #........#
        ##########
    """)
    orc, beside = [other for other in engine.state.map.entities.values() if other.kind == "orc"]
    for other, y in ((orc, 1 if ahead == "orc" else 2), (beside, 2)):
        other.ai.state = AiState.ASLEEP
        engine.state.map.move_entity(other, 2 if other is orc else 8, y)
    if ahead == "fire":
        engine.state.map.fires[2, 1] = 9
    elif ahead != "orc":
        engine.state.map.set_tile(2, 1, Tile.TRAP if ahead == "trap" else Tile.WALL)
    person.presses("shift+right")
    assert last(person) == said


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("asleep", "You can't walk: you are asleep."),
        ("held", "You struggle to break free."),
        ("confused", "You stumble."),
    ],
)
def test_a_status_that_ends_a_journey_is_told(status, said):
    person, engine = playing("""
        #######
        #@....#
        #######
    """)
    engine.state.hero.statuses[status] = 60
    person.types("_").presses("right", "right", "right", "right", "enter").waits(30)
    assert (engine.state.hero.x, engine.state.hero.y) != (5, 1)
    assert last(person) == said


def test_exploring_beside_a_key_says_that_nothing_else_is_left():
    person, engine = playing(CELL.replace("o", "."))
    engine.state.map.tiles[1, 2] = Tile.KEY
    engine.state.map.explored[:] = True
    person.types("o")
    assert last(person).endswith("Press o to take it. Everything else is explored.")
    assert len(last(person)) <= 78, "one line at 80 columns"


def test_a_key_told_after_a_fight_does_not_make_the_level_explored():
    person, engine = playing(CELL.replace("o", "."))
    engine.state.map.tiles[1, 2] = Tile.KEY
    engine.state.map.explored[1, 2] = True
    person.top._journal.sighted = Stop.KEY
    person.types("o")
    assert last(person) == "You stop: there is a key. Press o to take it."


def test_exploring_says_that_items_are_left_because_the_pack_is_full():
    person, engine = playing(CELL.replace("o", "."))
    state = engine.state
    state.map.explored[:] = True
    state.map.set_tile(1, 2, Tile.KEY)
    while len(state.hero.inventory) < MOST_STACKS:
        give(engine, "dagger")
    lay(engine, "dart", 3, 2)
    person.types("oo")
    end = "Everything else is explored. Your pack is full: some items are left."
    assert last(person).endswith(end)
    state.map.set_tile(1, 2, Tile.FLOOR)
    person.types("o")
    assert last(person).endswith("Your pack is full: some items are left.")
    state.hero.inventory.pop()
    assert full_pack_note(state) == ""


def test_space_puts_the_card_of_a_level_away_before_it_leads_to_another():
    person = Person()
    person.app.answer(Push(PlayScreen(begin(RunSetup(3, "3")))))
    session = person.top.session
    code = session.run.state.code
    assert session.card
    person.types(" ")
    assert (session.card, person.top.session, session.run.state.code) == ([], session, code)
    assert "Go to another level?" in person.types(" ").reads()


def test_the_card_of_a_level_is_gone_when_the_menu_is_left():
    person, _ = playing(columns=80, rows=24)
    person.top.session.card = [[("Depth 1", "text")]]
    person.presses("escape", "escape")
    assert person.top.session.card == []


def test_80_columns_show_the_monsters_in_view_in_a_line():
    person, engine = playing(columns=80, rows=24)
    first(engine, "orc").ai.state = AiState.HUNTING
    assert "o  orc 10/10 hunts you" in person.reads()
    wide, _ = playing(columns=120, rows=40)
    assert "10/10" not in wide.reads()


@pytest.mark.parametrize("columns", [80, 50, 100])
def test_a_long_message_is_wrapped_not_cut(columns):
    person, _ = playing(columns=columns, rows=24)
    session = person.top.session
    session.log.messages.clear()
    long = "It's a ring of stone! -1 power. +2 defence. Monsters hear you from further away."
    for text in (long, "The orc notices you."):
        session.say(text)
    rows = [row.strip() for row in person.reads().splitlines()]
    said = " ".join(rows[-5:-1])
    assert f"{long} The orc notices you." in said
    assert "…" not in said
    session.run.state.turn += 1
    session.say("You stop.")
    last = [row.strip() for row in person.reads().splitlines()][-5:-1]
    assert last[-2:] == ["The orc notices you.", "You stop."]


def test_messages_of_a_turn_without_room_are_counted():
    person, _ = playing(columns=80, rows=24)
    for number in range(6):
        person.top.session.say(f"Message {number} of this turn.")
    assert "M 5 more" in person.reads()


def test_answers_to_keys_take_one_line_and_leave_the_fight_on_the_screen():
    person, engine = playing(columns=80, rows=24)
    first(engine, "orc").ai.state = AiState.HUNTING
    person.top.session.say("The orc hits you for 3.")
    person.types("o>o>oT>o")
    text = person.reads()
    assert "The orc hits you for 3." in text
    assert ": Tab fights," in text
    assert "You have not seen any stairs down yet" not in text
    person.types("g")
    assert "Tab fights" not in person.reads()
    person.types(".").types("o")
    assert "The orc hits you for 3." in person.reads()
