"""What a run comes to on its way: levels, talents, the goal, new depths, danger."""

import pytest

from engine.creatures.levelling import experience_for_level, offered_talents
from engine.saves.high_scores import read_scores
from engine.saves.run import Run
from engine.state.actions import Descend
from engine.state.events import Arrived, Hurt, LeveledUp, Spotted, Won, creature_ref
from engine.state.identification import unidentified_looks
from engine.state.run_setup import Mode, RunSetup
from entities.talents import talents
from entities.terrain import Tile
from render.backends.window_layout import WindowLayout
from render.map.map_view import item_icon
from render.panels.character_sheet import character_lines
from render.panels.hud import draw_play, layout
from render.screens.hero_choices import TalentMenu
from render.screens.play_screen import PlayScreen
from render.screens.run_end import EndScreen, VictoryScreen
from render.screens.screen import Begin, Push
from render.session.session import Session
from render.session.start_run import begin
from render.ui.frame import Frame
from render.ui.palette import colors
from render.ui.text import plain_text
from support.fake_backend import Person
from support.scenes import ROOMS, scene

SIZES = [(80, 30), (110, 44), (200, 60)]
CELL = """
    #######
    #@....#
    #.....#
    #######
"""
FIGHT = """
    #######
    #@o...#
    #.....#
    #######
"""


def playing(drawing=CELL, **size):
    engine = scene(drawing)
    person = Person(**size)
    person.app.answer(Push(PlayScreen(Session(Run(engine)))))
    return person, engine


def grow(engine):
    """Give the hero what the next level takes."""
    growth = engine.state.hero.experience
    growth.points = experience_for_level(growth.level + 1)
    growth.level += 1


@pytest.mark.parametrize("size", SIZES)
def test_the_end_of_a_fight_brings_the_choice_of_a_talent(size):
    person, engine = playing(FIGHT, columns=size[0], rows=size[1])
    engine.state.hero.experience.points = experience_for_level(2) - 1
    orc = next(one for one in engine.state.map.entities.values() if one.kind == "orc")
    orc.fighter.hp = 1
    person.presses("right")
    assert isinstance(person.top, TalentMenu)
    assert person.backend.discarded
    text = person.reads()
    for name in offered_talents(engine.state):
        assert talents()[name].name in text
        assert talents()[name].text.split(".")[0][:30] in text
    first = offered_talents(engine.state)[0]
    person.types("1")
    assert engine.state.hero.experience.talents == ["hunter", first]
    assert isinstance(person.top, PlayScreen)


def test_a_talent_can_wait_and_is_offered_by_key_and_mouse():
    person, engine = playing()
    grow(engine)
    assert "choose a talent" in person.reads()
    person.types("T").presses("escape")
    assert engine.state.hero.experience.talents == ["hunter"]
    person.points("choose a talent")
    person.points(talents()[offered_talents(engine.state)[1]].name)
    assert len(engine.state.hero.experience.talents) == 2
    person.types("T")
    assert "no talent to choose; each experience level brings one." in person.reads()


def test_the_dead_are_not_asked_to_choose_a_talent():
    person, engine = playing(columns=110, rows=44)
    grow(engine)
    sheet = plain_text(character_lines(engine.state, 78))
    assert "choose a talent" in person.reads()
    assert "You have 1 talent to choose." in sheet
    engine.state.hero.fighter.hp = 0
    assert "choose a talent" not in person.reads()
    assert "to choose" not in plain_text(character_lines(engine.state, 78))


def test_the_call_to_choose_a_talent_leaves_the_log_once_it_is_followed():
    person, engine = playing(columns=80, rows=24)
    session = person.top.session
    grow(engine)
    session.add_events([LeveledUp(creature_ref(engine.state.hero), 2)])
    for number in range(3):
        session.say(f"The orc number {number} looks for you.", "warn")
    session.say("The level sings.", "good!")
    assert "Choose a talent." in person.reads()
    person.types("T1")
    assert "Choose a talent." not in person.reads()
    assert "number 2" in person.reads()
    assert [one.text for one in session.log.messages if one.grave] == ["The level sings."]


def test_no_walking_key_chooses_a_talent():
    person, engine = playing()
    grow(engine)
    person.types("Tljkhyubn")
    assert isinstance(person.top, TalentMenu)
    assert engine.state.hero.experience.talents == ["hunter"]


@pytest.mark.parametrize("size", SIZES)
def test_the_goal_is_a_victory_and_the_way_goes_on(size):
    person, engine = playing(columns=size[0], rows=size[1])
    engine.state.map.set_tile(2, 1, Tile.RELIC)
    person.presses("right")
    assert isinstance(person.top, VictoryScreen)
    assert "First Seed" in person.reads()
    person.types("g")
    assert isinstance(person.top, PlayScreen)


@pytest.mark.parametrize("scored", [True, False])
def test_a_victory_promises_a_score_only_where_there_is_one(scored):
    person, engine = playing()
    engine.state.scored = scored
    engine.state.map.set_tile(2, 1, Tile.RELIC)
    text = " ".join(person.presses("right").reads().split())
    assert ("of it is scored" in text) == scored
    assert ("This run is not scored" in text) is not scored


@pytest.mark.parametrize("fault", ["", "the First Seed grows in dungeons only"])
def test_a_victory_offers_to_plant_the_seed_only_where_it_would_grow(fault, monkeypatch):
    person, engine = playing()
    monkeypatch.setattr(type(engine.state.levels), "hollow_fault", lambda *_: fault)
    engine.state.map.set_tile(2, 1, Tile.RELIC)
    text = " ".join(person.presses("right").reads().replace("│", "").split())
    assert "Play on, deeper down" in text
    assert ("Plant it here, and find the way home" in text) == (not fault)
    assert ("Or plant the seed, here or elsewhere" in text) == (not fault)
    assert "every depth. Or" in text or "is scored. Or" in text
    assert "Or end here, undefeated." in text


@pytest.mark.usefixtures("rooms_count")
def test_a_winner_can_end_the_run_undefeated():
    person = Person()
    person.app.answer(Push(PlayScreen(begin(RunSetup(42, "42", strata=ROOMS)))))
    state = person.top.session.run.state
    dx = 1 if state.map.walkable[state.hero.y, state.hero.x + 1] else -1
    state.map.set_tile(state.hero.x + dx, state.hero.y, Tile.RELIC)
    person.presses("right" if dx == 1 else "left")
    person.types("e").presses("enter")
    assert isinstance(person.top, VictoryScreen)
    person.types("ey")
    assert isinstance(person.top, EndScreen)
    assert "Won on depth 1" in person.reads()
    assert read_scores()[0].won
    assert read_scores()[0].end == "won"


def test_a_new_depth_says_what_it_is_and_what_the_last_one_took():
    person = Person()
    person.app.answer(Push(PlayScreen(begin(RunSetup(42, "42", generator="rooms")))))
    assert "Depth 1  the old halls" in person.reads()
    person.types(".")
    assert "grown by" not in person.reads()
    session = person.top.session
    state = session.run.state
    state.map.move_entity(state.hero, *state.map.exit)
    session.act(Descend())
    text = person.reads()
    for words in ("Depth 2", "Depth 1: 2 turns, 0 kills, 0 gold"):
        assert words in text, words
    session.add_events([Arrived(str(state.code), 2, again=True)])
    assert "took" not in person.reads()


def test_the_card_of_an_infinite_world_names_danger_as_the_top_line_does():
    person = Person()
    person.app.answer(Push(PlayScreen(begin(RunSetup(5, "5", generator="wilds")))))
    assert person.reads().count("Danger 1  the wilds") == 2
    person.types(" ").types(" y")
    assert person.reads().count("Danger 1  the wilds") == 2
    assert "The wilds: 1 turn, 0 kills, 0 gold" in person.reads()
    assert "epth" not in person.reads()


def test_danger_stops_every_waiting_key():
    _, engine = playing()
    session = Session(Run(engine))
    hero = creature_ref(engine.state.hero)
    for event in (Hurt(hero, "trap", 1), Spotted(hero), LeveledUp(hero, 2), Won(hero, 3)):
        session.disturbed = False
        session.add_events([event])
        assert session.disturbed, event


def test_few_hit_points_are_warned_of_once():
    person, engine = playing()
    engine.state.hero.fighter.hp = 5
    person.types("..")
    assert person.reads().count("badly hurt") == 1


@pytest.mark.parametrize("size", SIZES)
def test_statuses_of_the_hero_are_on_the_screen(size):
    person, engine = playing(columns=size[0], rows=size[1])
    engine.state.hero.statuses["slowed"] = 7
    assert "slowed 7" in person.reads()


def test_statuses_come_and_go_without_covering_or_moving_the_map():
    person, engine = playing(columns=80, rows=24)
    before, area = person.reads().splitlines(), layout(80, 24).map
    engine.state.hero.statuses |= {"slowed": 7, "warded": 18}
    after = person.reads().splitlines()
    below = area.y + area.height
    assert after[:below] == before[:below]
    numbers = before[below].partition("   ")[0]
    assert after[below].rstrip().startswith(f"{numbers}   slowed 7  warded 18")
    assert after[below + 1 :] == before[below + 1 :]


@pytest.mark.parametrize("key", ["?", "f1"])
def test_the_key_for_help_that_the_welcome_names_works_in_the_choice_of_a_background(key):
    person = Person()
    person.app.answer(Begin(RunSetup(42, "42")))
    dialog = person.top
    assert isinstance(dialog, TalentMenu)
    assert person.presses(key).top.title == "Help"
    assert person.presses("escape").top is dialog


def test_the_workshop_wins_and_learns_nothing_by_itself():
    person = Person()
    person.app.answer(Push(PlayScreen(begin(RunSetup(42, "42", Mode.WORKSHOP, "rooms")))))
    assert "Hunters come in" not in person.reads()


@pytest.mark.parametrize(("row", "half"), [(2, 1), (28, 0)])
def test_the_card_of_a_level_lies_in_the_half_that_the_hero_is_not_in(row, half):
    person = Person()
    person.app.answer(Push(PlayScreen(begin(RunSetup(42, "42", generator="caves", size=(80, 32))))))
    game_map = person.top.session.run.state.map
    places = [(x, y) for y in range(32) for x in range(80) if game_map.walkable[y, x]]
    place = min(places, key=lambda spot: abs(spot[1] - row))
    game_map.move_entity(person.top.session.run.state.hero, *place)
    lines = person.reads().splitlines()
    card = next(n for n, line in enumerate(lines) if "Depth 1" in line and "│" in line)
    assert (card > len(lines) / 2) == half


def test_the_card_of_a_level_counts_the_rows_out_of_view_in_a_window():
    session = begin(RunSetup(42, "42", generator="caves", size=(80, 60)))
    game_map, hero = session.run.state.map, session.run.state.hero
    for y in (2, 7, 8, 9, 10, 11, 50):
        x = next(x for x in range(80) if game_map.walkable[y, x])
        game_map.move_entity(hero, x, y)
        frame = Frame(80, 40, (4.0, 2.0), 28)
        frame.fluid = True
        draw_play(frame, session)
        window = WindowLayout(frame, (560, 560), (7, 14), 28)
        area = window.area(frame.map_rect)
        middle = window.map_area().y + 28 * (y - session.view.top) + 14
        card = window.area(frame.overlays[-1])
        above = card.y + card.height / 2 < area.y + area.height / 2
        assert above == (middle > area.y + area.height / 2), y


@pytest.mark.parametrize("size", SIZES)
def test_a_new_run_asks_for_a_background_and_takes_it_by_number(size):
    person = Person(columns=size[0], rows=size[1])
    person.app.answer(Begin(RunSetup(42, "42")))
    assert isinstance(person.top, TalentMenu)
    text, state = person.reads(), person.app.stack[-2].session.run.state
    assert "What were you before?" in text
    names = offered_talents(state)
    assert len(names) == 3
    for name in names:
        assert talents()[name].name in text
    person.types("2")
    assert isinstance(person.top, PlayScreen)
    assert state.hero.experience.talents == names[1:2]
    assert f"You set out as a {talents()[names[1]].name.lower()}." in person.reads()


def test_a_background_can_wait_and_a_workshop_has_none():
    person = Person()
    person.app.answer(Begin(RunSetup(42, "42")))
    person.presses("escape")
    assert "choose a background" in person.reads()
    assert "You have a background to choose." in plain_text(
        character_lines(person.top.session.run.state, 80)
    )
    person.types("T1")
    assert len(person.top.session.run.state.hero.experience.talents) == 1
    assert "choose a background" not in person.reads()
    person = Person()
    person.app.answer(Begin(RunSetup(42, "42", Mode.WORKSHOP, "caves")))
    assert isinstance(person.top, PlayScreen)
    assert "choose a background" not in person.reads()


def test_without_a_side_bar_the_foot_line_reminds_of_the_choice():
    person = Person(columns=80, rows=24)
    person.app.answer(Begin(RunSetup(42, "42")))
    person.presses("escape")
    assert "T background" in person.reads().splitlines()[-1]
    person.types("T2")
    assert "T background" not in person.reads()
    grow(person.top.session.run.engine)
    assert "T talent" in person.reads().splitlines()[-1]


def test_the_next_talent_is_offered_as_soon_as_one_is_learned():
    person, engine = playing()
    for _ in range(2):
        grow(engine)
    person.types("T1")
    assert isinstance(person.top, TalentMenu)
    person.types("1")
    assert isinstance(person.top, PlayScreen)
    assert len(engine.state.hero.experience.talents) == 3


def test_a_key_typed_ahead_chooses_no_background():
    person = Person()
    person.backend.discarded = 0
    person.app.answer(Begin(RunSetup(42, "42")))
    assert person.backend.discarded
    assert isinstance(person.top, TalentMenu)


@pytest.mark.parametrize("size", [(20, 8), (30, 10), (40, 12), (60, 16)])
def test_the_selected_choice_is_read_in_a_small_terminal_and_the_frame_stays_whole(size):
    person = Person(columns=size[0], rows=size[1])
    person.app.answer(Begin(RunSetup(7, "7")))
    names = offered_talents(person.app.stack[-2].session.run.state)
    for number, name in enumerate(names, 1):
        rows = person.reads().splitlines()
        frame = [row for row in rows if row.strip().startswith(("╭", "│", "╰"))]
        assert f"{number}  {talents()[name].name}" in "\n".join(frame)
        assert " of 3 " in frame[0] or size == (60, 16)  # There all are shown.
        assert frame[-1].strip().strip("╰─╯") == ""
        assert all(row.rstrip().endswith(("╮", "│", "╯")) for row in frame)
        person.presses("down")


def test_a_continued_run_asks_for_the_background_after_its_first_action(own_home):
    person = Person().types("ndeep\n")
    person.types("\x1b.S")
    person = Person().types("c")
    assert isinstance(person.top, PlayScreen)
    person.types(".")
    assert isinstance(person.top, TalentMenu)
    person.types("1.S")
    person = Person().types("c..")
    assert isinstance(person.top, PlayScreen)


def test_the_card_of_the_first_level_is_shown_once_the_background_is_chosen():
    person = Person(columns=110, rows=44)
    person.app.answer(Begin(RunSetup(42, "42")))
    person.types("1")
    assert isinstance(person.top, PlayScreen)
    card = person.top.session.card
    assert plain_text(card[:1]) in person.reads()
    person.types(".")
    assert person.top.session.card == []


def test_the_items_of_a_background_are_pictured_beside_it_unless_they_could_be_unknown():
    seed = 4  # Its run offers a gardener.
    person = Person(columns=110, rows=44)
    person.app.answer(Begin(RunSetup(seed, str(seed))))
    names = offered_talents(person.app.stack[-2].session.run.state)
    assert "gardener" in names
    looks = person.top.icons[names.index("gardener")]
    assert looks == [item_icon(kind, seed) for kind in talents()["gardener"].items]
    row = next(row for row in person.reads().splitlines() if "Gardener" in row)
    assert row.count(looks[0][0]) == 3
    unknown = unidentified_looks(seed)
    for name, icons in zip(names, person.top.icons, strict=True):
        for kind, look in zip(talents()[name].items, icons, strict=True):
            assert (look[2] == colors()["dim"]) == (kind in unknown)
