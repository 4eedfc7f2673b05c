"""Looking: what the pointer names, and what a longer look tells."""

import re

import pytest

from components import AiState
from engine.monsters.combat_forecast import forecast
from engine.pathfinding.known_paths import next_to_explore
from engine.saves.run import Run
from engine.state.actions import Equip
from engine.terrain.tile_effects import trap_at
from entities.creature_kinds import creature_kinds, make_creature
from entities.terrain import Tile
from entities.trap_kinds import trap_kinds
from procgen.blueprint import Point
from render.panels.examine import examine_lines, short_description
from render.screens.play_screen import PlayScreen
from render.screens.screen import Push
from render.session.session import Session
from render.ui.text import panel, plain_text, wrapped_line
from support.drawn_play import looking
from support.fake_backend import Person
from support.items import first, give, lay
from support.rule_scenes import put
from support.scenes import scene

SIZES = [(80, 30), (110, 44), (200, 60)]


@pytest.mark.parametrize("size", SIZES)
def test_a_look_tells_what_a_fight_comes_to_both_ways(size):
    person, engine = looking(columns=size[0], rows=size[1])
    orc = next(one for one in engine.state.map.entities.values() if one.kind == "orc")
    found = forecast(engine.state.hero, orc)
    text = person.reads()
    for words in ("An orc", "hit points", "You deal", "It deals"):
        assert words in text, words
    assert f"{found.dealt.hits} hit" in text
    assert creature_kinds()["orc"].text.split(".")[0][:20] in text


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_the_panel_of_a_look_never_covers_the_tile_looked_at(size, monkeypatch):
    drawn = []

    def noted(frame, rect):
        drawn.append((frame.map_rect, frame.tile[0], rect))
        return panel(frame, rect)

    monkeypatch.setattr("render.screens.map_cursor.panel", noted)
    engine = scene("\n".join(["#" * 78, "#@" + "o" * 75 + "#", "#" * 78]))
    person = Person(*size)
    person.app.answer(Push(PlayScreen(Session(Run(engine)))))
    person.types("x")
    for x in range(1, 77):
        person.top.target = Point(x, 1)
        person.reads()
        area, width, rect = drawn[-1]
        column = area.x + (x - person.top.session.view.left) * width
        assert not rect.x <= column < rect.x + rect.width
        assert area.x <= rect.x < rect.x + rect.width <= area.x + area.width


def test_every_line_of_a_look_is_wrapped():
    engine = scene("#########\n#@..oo..#\n#.......#\n#########")
    session = Session(Run(engine))
    lay(engine, "teleportation_scroll", 4, 1, 3)
    for creature in engine.state.map.entities.values():
        creature.statuses.update(slowed=9, weakened=9)
        if creature.ai:
            creature.ai.state = AiState.HUNTING
    told = ["".join(text for text, _ in line) for line in examine_lines(session, 4, 1, 24)]
    assert max(map(len, told)) <= 24
    assert "with 1 other hunting you." in " ".join(" ".join(told).split())
    assert "scrolls" in " ".join(told)


def test_a_look_snaps_to_things_too_and_tells_of_the_ground():
    person, engine = looking()
    lay(engine, "dagger", 3, 1)
    lay(engine, "dart", 3, 1, 4)
    engine.state.map.set_tile(2, 2, Tile.LAVA)
    assert person.top.target == (5, 3)  # a look begins with the nearest creature
    person.presses("tab")
    assert person.top.target == (3, 1)
    assert "A dagger" in person.reads()
    assert "4 darts" in person.reads()
    person.presses("left", "down")
    assert "Deadly to walk" in person.reads()


def test_tab_stops_once_at_the_first_seed_and_where_two_things_are():
    person, engine = looking()
    game_map = engine.state.map
    game_map.set_tile(7, 1, Tile.RELIC)
    orc = first(engine, "orc")
    lay(engine, "dagger", orc.x, orc.y)
    for keys in ("", "_"):
        person.presses("escape").types(keys or "x")
        places = person.top.spots()
        assert {(7, 1), (orc.x, orc.y)} <= set(places)
        assert len(places) == len(set(places))


def test_a_look_at_the_ground_tells_what_it_does():
    person, engine = looking()
    session = person.app.stack[1].session

    def told(tile):
        engine.state.map.set_tile(2, 1, tile)
        return " ".join(line[0][0] for line in examine_lines(session, 2, 1, 60))

    trap = trap_kinds()[trap_at(engine.state.map, 2, 1)]
    assert f"When stepped on, it {trap.text}." in told(Tile.TRAP)
    assert "It can burn." in told(Tile.SHELF)
    assert "Needs a key" in told(Tile.LOCKED_DOOR)
    assert told(Tile.RELIC) == "The First Seed. What you came for: step on it to take it."
    assert "It blocks sight." in told(Tile.DOOR)
    assert told(Tile.SECRET_DOOR) == told(Tile.WALL) == "Wall."
    real = told(Tile.STATUE)
    engine.state.map.add_entity(make_creature("idol", 900, 2, 1))
    engine.state.map.entities[900].ai.state = AiState.HIDDEN
    assert told(Tile.CARPET) == real == "Statue.", "a carpet that can burn would give it away"
    engine.state.map.exit = Point(2, 1)
    assert told(Tile.CARPET) == "Stairs down.", "the stairs do not burn"


def test_alike_things_are_told_together():
    person, engine = looking()
    session = person.app.stack[1].session
    for _ in range(3):
        lay(engine, "dart", 3, 1)
    lay(engine, "sword", 3, 1)
    assert short_description(session, 3, 1) == "a sword and 3 more, floor"
    lines = ["".join(text for text, _ in line) for line in examine_lines(session, 3, 1, 40)]
    assert lines[:2] == ["A sword", "3 darts"]


def test_unexplored_tiles_are_not_described():
    person, engine = looking()
    session = person.app.stack[1].session
    engine.state.map.explored[3, 5] = engine.state.map.visible[3, 5] = False
    assert short_description(session, 5, 3) == "unexplored"
    assert "You have not seen" in examine_lines(session, 5, 3, 40)[0][0][0]
    assert short_description(session, 99, 99) == ""


def test_only_what_was_seen_is_remembered_even_on_a_level_that_is_revealed():
    person, engine = looking()
    session, game_map = person.app.stack[1].session, engine.state.map
    game_map.visible[3, 4], session.view.reveal = False, True
    assert short_description(session, 4, 3) == "floor, remembered"
    assert "Floor, as you remember it." in plain_text(examine_lines(session, 4, 3, 40))
    game_map.explored[3, 4] = False
    assert short_description(session, 4, 3) == "floor"
    assert "Floor." in plain_text(examine_lines(session, 4, 3, 40))


def test_a_creature_that_is_sensed_is_told_but_not_the_ground_under_it():
    person, engine = looking()
    session, game_map = person.app.stack[1].session, engine.state.map
    orc = first(engine, "orc")
    game_map.explored[orc.y, orc.x] = game_map.visible[orc.y, orc.x] = False
    assert short_description(session, orc.x, orc.y) == "unexplored"
    engine.state.hero.statuses["telepathic"] = 9
    assert short_description(session, orc.x, orc.y).startswith("an orc, ")
    told = ["".join(text for text, _ in line) for line in examine_lines(session, orc.x, orc.y, 24)]
    assert "An orc" in told[0]
    assert "You have not seen this" in told
    assert max(map(len, told)) <= 24
    assert not any("loor" in line for line in told)


def test_the_pointer_names_things_and_danger_in_a_line():
    person, engine = looking()
    session = person.app.stack[1].session
    lay(engine, "dart", 3, 1, 4)
    assert short_description(session, 3, 1) == "4 darts, floor"
    assert short_description(session, 1, 1).endswith(" HP, on stairs up")
    said = short_description(session, 5, 3)
    assert said.startswith("an orc, 10/10 HP")
    assert "you " in said
    assert "it " in said


def test_the_hint_for_the_next_place_has_the_name_of_a_monster_and_its_place():
    person, _ = looking()
    heads = [person.presses("tab").reads().splitlines()[0] for _ in range(6)]
    assert any(": an orc, 4 tiles south-east · Esc back" in head for head in heads)


@pytest.mark.parametrize("kind", [name for name in creature_kinds() if name != "hero"])
def test_every_creature_can_be_looked_at_without_a_line_too_long(kind):
    person, engine = looking()
    state = engine.state
    state.map.add_entity(make_creature(kind, 900, 4, 1))
    creature = state.map.entities[900]
    creature.statuses |= {"slowed": 5, "weakened": 3}
    if creature.ai:
        creature.ai.state = "hunting"
    session = person.app.stack[1].session
    give(engine, "dart", 3)
    assert len(short_description(session, 4, 1)) <= 78, "cut in the foot line at 80 columns"
    lines = examine_lines(session, 4, 1, 42)
    assert lines
    assert max(sum(len(text) for text, _ in line) for line in lines) <= 42


def test_a_look_tells_of_surprise_shots_and_ailments():
    person, engine = looking()
    orc = next(one for one in engine.state.map.entities.values() if one.kind == "orc")
    give(engine, "dart", 3)
    session = person.app.stack[1].session

    def told():
        return [
            "".join(text for text, _ in line) for line in examine_lines(session, orc.x, orc.y, 42)
        ]

    assert not any(line.startswith(("Sneak attack", "Its touch")) for line in told())
    orc.ai.state = AiState.ASLEEP
    found = forecast(engine.state.hero, orc)
    assert f"{found.surprise.low}–{found.surprise.high} damage, 1 hit" in "\n".join(told())
    assert any(line.startswith("Your shots") for line in told())
    short = short_description(session, orc.x, orc.y)
    assert re.search(r"it dies in \d+ hits? or \d+ shots?, you in \d+$", short), short
    assert "it dies in 1 hit or " in short
    orc.kind = "viper"
    assert "Its touch    poisoned for 6 turns, 60%" in told()
    orc.kind, ring = "demon", give(engine, "embers_ring")
    assert "Its touch    burning for 2 turns, 40%" in told()
    engine.step(Equip(ring.id))
    assert not any(line.startswith("Its touch") for line in told()), "fireproof"


def test_the_foot_line_does_not_repeat_the_panel_of_a_look():
    person, _ = looking()
    person.top.session.card = [[("Depth 1", "accent")]]
    foot = person.reads().splitlines()[-1]
    assert "An orc" in person.reads()
    assert "Depth 1 " not in "".join(person.reads().splitlines()[1:]), "the card"
    assert "an orc" not in foot
    assert "menu" not in foot, "Esc leaves the look"


def test_the_brood_mother_is_a_she():
    person, engine = looking()
    session, state = person.app.stack[1].session, engine.state
    state.map.add_entity(make_creature("broodmother", 900, 3, 2))
    assert "she dies in " in short_description(session, 3, 2)
    lines = ["".join(text for text, _ in line) for line in examine_lines(session, 3, 2, 60)]
    assert any(line.startswith("She deals") for line in lines)


@pytest.mark.parametrize(("kind", "defense"), [("o", 1), ("o", 2), ("r", 1), ("r", 2)])
def test_it_is_said_when_more_armour_would_stop_no_more(kind, defense):
    engine = scene(f"########\n#@..{kind}..#\n#.....>#\n########")
    hero = engine.state.hero
    hero.equipment.clear()
    foe = engine.state.map.entity_at(4, 1)
    taken = []
    for more in (0, 1):
        hero.fighter.defense = defense + more
        taken.append(forecast(hero, foe).received)
    hero.fighter.defense = defense
    lines = examine_lines(Session(Run(engine)), 4, 1, 60)
    told = any("armour won't help: half of each hit" in text for line in lines for text, _ in line)
    assert told == (taken[0] == taken[1])


def test_fire_the_ghost_and_what_remembers_are_told_where_they_are():
    person, engine = looking()
    state, session = engine.state, person.app.stack[-2].session
    state.map.fires[3, 1] = 5
    session.view.ghost = Point(4, 1)
    person.presses("escape").types("x")
    assert Point(4, 1) in [person.presses("tab").top.target for _ in range(9)]
    state.map.tiles[2, 4] = Tile.STATUE
    state.map.memory_at = Point(4, 2)
    person.presses("escape").types("x").presses(*["left"] * 9, *["up"] * 9, "right", "right")
    assert person.top.target == (2, 0)
    person.presses("down", "right")
    assert "It is on fire." in person.reads()
    person.presses("right")
    assert short_description(session, 4, 1) == "the ghost of an earlier run"
    assert "The ghost of an earlier run." in person.reads()
    person.presses("down")
    assert short_description(session, 4, 2).endswith("statue that remembers: walk into it")
    assert "It remembers how" in person.reads()
    session.view.ghost = None
    person.presses("up")
    assert short_description(session, 4, 1) == "floor"


def test_nothing_lies_on_a_statue_even_if_it_is_a_monster():
    person, engine = looking()
    session, game_map = person.app.stack[1].session, engine.state.map
    idol = put(engine, "idol", 5, 1, AiState.HIDDEN)
    without = person.reads()
    lay(engine, "dagger", 5, 1)
    assert person.reads() == without
    assert (5, 1) not in person.top.spots()
    assert short_description(session, 5, 1) == "statue"
    assert "dagger" not in str(examine_lines(session, 5, 1, 40))
    assert next_to_explore(engine.state) is None
    assert game_map.shown_items() == {}
    idol.ai.state = AiState.HUNTING
    assert list(game_map.shown_items()) == [(5, 1)]


@pytest.mark.parametrize("width", [18, 20, 21, 24])
def test_a_name_as_wide_as_the_panel_gets_a_line_of_its_own(width):
    engine = scene("#####\n#@..#\n#####")
    engine.state.map.add_entity(make_creature("key_thief", 900, 2, 1))
    lines = examine_lines(Session(Run(engine)), 2, 1, width)
    name, *others = [plain_text([line]) for line in lines]
    assert name.startswith("A pilferer with a")
    assert max(map(len, others)) <= max(20, width)


def test_a_line_that_ends_in_spaces_is_wrapped_without_them():
    assert wrapped_line([("one two", "text"), ("     ", "dim")], 8) == [[("one two", "text")]]
    long = wrapped_line([("  arrow power 4 → 12", "text"), ("  +8", "good")], 12)
    assert plain_text(long) == "  arrow\n    power 4\n    → 12  +8"
    assert long[-1] == [("    → 12", "text"), ("  +8", "good")]
