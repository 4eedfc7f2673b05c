"""What the lines above and below the map tell: the alert, locks and keys, a run without a score."""

from dataclasses import replace

import pytest

from engine.monsters.wandering_monsters import quiet_turns
from engine.state.run_setup import RunSetup
from entities.terrain import Tile
from render.messages.refusal_messages import explored_message
from render.panels.character_sheet import character_lines
from render.panels.hud import layout
from render.screens.play_screen import PlayScreen
from render.session.session import level_notes
from render.session.start_run import begin
from render.ui.palette import colors
from render.ui.text import plain_text
from support.drawn_play import playing
from support.fake_backend import Person


@pytest.mark.parametrize(("columns", "rows"), [(108, 36), (120, 40), (140, 44), (200, 60)])
@pytest.mark.parametrize("key", ["@", "?", "O", "M", "~", "i", "ia"])
def test_a_dialog_lies_on_the_map_and_leaves_the_side_bar_whole(key, columns, rows):
    person, _ = playing(columns=columns, rows=rows)
    area = layout(columns, rows).sidebar
    beside = [row[area.x :] for row in person.reads().splitlines()[: area.height]]
    person.types(key)
    assert person.top.covers is False
    shown = [row[area.x :] for row in person.reads().splitlines()[: area.height]]
    assert shown == beside


def test_what_power_and_defense_mean_fits_into_a_line_beside_the_side_bar():
    person, _ = playing(columns=120, rows=40)
    text = person.types("@").reads()
    assert "a hit does about this, minus defence" in text
    assert "taken off each hit, at most half" in text


def test_a_frame_without_a_side_bar_tells_numbers_statuses_and_equipment_in_a_line():
    person, engine = playing(columns=80, rows=24)
    hero, row = engine.state.hero, layout(80, 24).statuses.y
    numbers = " power 6  defence 2  XP 0/45   "
    assert person.reads().splitlines()[row].rstrip() == f"{numbers}dagger, leather armour"
    hero.statuses |= {"slowed": 3, "warded": 12}
    assert person.reads().splitlines()[row].startswith(f"{numbers}slowed 3  warded 12")
    hero.statuses |= dict.fromkeys(["burning", "poisoned", "confused"], 9)
    assert (
        person.reads()
        .splitlines()[row]
        .startswith(" power 6  defence 2   slowed 3  burning 9  poisoned 9  confused 9  warded 12")
    ), "those that harm come first"


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40), (200, 60)])
def test_the_map_is_the_only_ground_in_one_panel(columns, rows):
    person, _ = playing(columns=columns, rows=rows)
    frame, areas = person.app.picture(), layout(columns, rows)
    below = frame.text.rgb["bg"][areas.map.y + areas.map.height :, : areas.map.width]
    assert {tuple(color) for color in below.reshape(-1, 3).tolist()} == {colors()["panel"]}


@pytest.mark.parametrize("recipe", [None, "wilds"])
def test_the_welcome_of_every_world_is_a_line_of_the_smallest_screen(recipe):
    session = begin(RunSetup(5, "5", generator=recipe))
    person = Person(columns=80, rows=24, first=PlayScreen(session))
    area, welcome = layout(80, 24).log, session.log.messages[0].text
    assert welcome.endswith("Press ? for help.")
    shown = person.reads().splitlines()[area.y : area.y + area.height]
    assert welcome in [row.strip() for row in shown]


def test_the_foot_line_knows_that_the_key_was_found():
    _, engine = playing()
    engine.state.map.tiles[1, 5], engine.state.map.explored[1, 5] = Tile.LOCKED_DOOR, False
    assert "locked" not in plain_text(level_notes(engine.state)), "the lock was not seen"
    engine.state.map.explored[1, 5] = True
    assert "You must find what opens it." in plain_text(level_notes(engine.state))
    assert level_notes(engine.state)[1][0][1] == "cold", "it must not look like news in the log"
    engine.state.map.tiles[1, 7:9] = Tile.LEVER, Tile.KEY
    engine.state.map.explored[1, 7:9] = True, False
    assert "You have seen a lever." in plain_text(level_notes(engine.state))
    engine.state.map.explored[1, 8] = True
    assert "You have seen a key and a lever." in plain_text(level_notes(engine.state))
    engine.state.map.keys = 1
    said = "Something is locked here. You have a key and have seen a lever."
    assert said in plain_text(level_notes(engine.state))
    engine.state.map.keys, engine.state.map.tiles[1, 7] = 2, Tile.FLOOR
    assert "Something is locked here. You have 2 keys." in plain_text(level_notes(engine.state))
    engine.state.hero.fighter.hp = 0
    assert "locked" not in plain_text(level_notes(engine.state))


@pytest.mark.parametrize(("depth", "way"), [(1, "1 level"), (12, "12 levels")])
def test_the_way_home_says_how_far_it_is(depth, way):
    engine = explored_in_peace()[0]
    assert "Home is" not in plain_text(level_notes(engine.state))
    engine.state.map.code = replace(engine.state.map.code, depth=depth)
    engine.state.hollow = "rooms:7"
    assert f"Home is {way} up." in plain_text(level_notes(engine.state))


def explored_in_peace():
    """Return an engine whose level has no monsters and is explored, and its map."""
    _, engine = playing()
    game_map = engine.state.map
    for monster in [creature for creature in game_map.entities.values() if creature.ai]:
        game_map.remove_entity(monster)
    game_map.explored[:] = True
    return engine, game_map


def test_all_explored_tells_of_the_lock_that_a_key_fits():
    engine, game_map = explored_in_peace()
    assert "locked door" not in explored_message(engine.state)
    game_map.tiles[1, 5], game_map.keys = Tile.LOCKED_DOOR, 1
    assert "You have a key, and have seen a locked door." in explored_message(engine.state)


def test_all_explored_tells_of_the_first_seed_as_long_as_it_lies_there():
    engine, game_map = explored_in_peace()
    assert "First Seed" not in explored_message(engine.state)
    game_map.set_tile(1, 2, Tile.RELIC)
    assert "You have not taken the First Seed." in explored_message(engine.state)
    game_map.set_tile(1, 2, Tile.FLOOR)
    assert "First Seed" not in explored_message(engine.state)


def test_all_explored_tells_of_a_key_that_was_seen_and_left():
    engine, game_map = explored_in_peace()
    game_map.set_tile(1, 2, Tile.KEY)
    assert explored_message(engine.state).endswith(" There is a key you have not taken.")
    game_map.keys = 1
    assert "not taken" not in explored_message(engine.state), "one in hand may be enough"
    game_map.keys, game_map.explored[2, 1] = 0, False
    assert "not taken" not in explored_message(engine.state), "nobody has seen it"


def test_the_lock_stays_in_the_foot_line_while_the_top_line_counts_down():
    person, engine = playing(columns=80, rows=24)
    engine.state.map.tiles[1, 5] = Tile.LOCKED_DOOR
    foot = person.reads().splitlines()[-1]
    assert "hunters in 409   Locked: you must find what opens it." in foot, "in few words"
    assert "Esc menu · ? help" in foot
    person.backend.size = (60, 20)
    foot = person.reads().splitlines()[-1].strip()
    assert foot.startswith("hunters in 409  ")
    assert foot.endswith("  Esc menu · ? help")
    person.backend.size = (80, 24)
    engine.state.map.keys = 1
    engine.state.map.turns_here = quiet_turns(engine.state) - 100
    assert "hunters in 100" in person.reads().splitlines()[0]
    assert "Something is locked here. You have a key." in person.reads().splitlines()[-1]


def test_the_foot_line_of_a_dark_level_tells_of_locks_before_the_light():
    person, engine = playing(columns=80, rows=24)
    engine.state.map.light = "dark"
    engine.state.map.tiles[1, 5], engine.state.map.keys = Tile.LOCKED_DOOR, 1
    assert "Locked: you have a key." in person.reads().splitlines()[-1]
    assert "Darkness" in plain_text(level_notes(engine.state)[-1:])


def test_the_sheet_names_the_parts_of_the_score_and_what_brings_talents():
    _, engine = playing()
    state = engine.state
    state.won, state.deepest = 1, 14
    state.hero.experience.talents = []
    sheet = plain_text(character_lines(state, 120))
    assert "3,300 for depths, 5,000 for the First Seed, 420 for further depths" in sheet
    assert "none: each level brings one, the first a background" in sheet
    state.hero.experience.talents = ["strong", "keen", "strong"]
    sheet = plain_text(character_lines(state, 120))
    assert sheet.index("Strong ×2, each: ") < sheet.index("Keen eyes  ")


def test_the_foot_line_says_how_long_a_hero_over_lava_can_stay_there():
    person, engine = playing(columns=80, rows=24)
    hero = engine.state.hero
    engine.state.map.set_tile(hero.x + 1, hero.y, Tile.LAVA)
    hero.statuses["levitating"] = 3
    assert "Land within" not in person.reads()
    person.presses("right")
    assert "Land within 2 turns: below you is lava." in person.reads().splitlines()[-1]
    person.presses("left")
    assert "Land within" not in person.reads()
    person.presses("right")
    assert not hero.alive, "no turn was left after the last step"
    assert "Land within" not in person.reads()


NOTES = ("60 more experience", "you heal 1", "+3 power", "+1 defence", "deepest: ", "56 for gold")


def test_an_unscored_run_says_so_in_a_narrow_frame_and_at_its_beginning():
    setup = RunSetup(5, "a long seed in words", generator="bsp+flooded")
    person = Person(columns=80, rows=24, first=PlayScreen(begin(setup)))
    state = person.top.session.run.state
    assert "This run is not scored." in person.reads()
    state.gold, state.turn = 56, 345
    state.hero.statuses["slowed"] = 1
    assert "slowed, 1 turn  " in plain_text(character_lines(state, 72))
    del state.hero.statuses["slowed"]
    sheet = plain_text(character_lines(state, 72))
    assert "not scored  56 for gold" in sheet
    assert "worth a point" not in sheet
    columns = {line.index(note) for line in sheet.splitlines() for note in NOTES if note in line}
    assert columns == {27}, "also those of numbers, equipment and the run"
    assert "Depth 1  brick vaults  gold 56  level 1   unscored" in person.reads()
    state.gold, state.map.keys, state.turn = 1234, 2, 12345
    assert "Depth 1  gold 1,234  keys 2  level 1   unscored" in person.reads()
    assert "not scored  1,234 for gold" in plain_text(character_lines(state, 72))


def test_a_lock_somewhere_in_an_infinite_world_is_no_news():
    session = begin(RunSetup(42, "42", generator="wilds"))
    session.run.state.map.tiles[1, 5] = Tile.LOCKED_DOOR
    assert "locked" not in plain_text(level_notes(session.run.state))
