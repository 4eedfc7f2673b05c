"""What things do to whoever uses them and whoever is hit."""

import pytest

from components import AiState
from engine.creatures.status_effects import apply_status
from engine.state.actions import Move, Refused, Throw, Use
from engine.state.events import (
    Appeared,
    Died,
    Displaced,
    Fizzled,
    Healed,
    Identified,
    Shattered,
    TrapTriggered,
)
from entities.creature_kinds import creature_kinds
from entities.terrain import Tile
from procgen.blueprint import Point
from support.item_use import HALL, using
from support.items import bare, first, give, told
from support.rule_scenes import put
from support.scenes import scene


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("haste_potion", "hasted"),
        ("telepathy_potion", "telepathic"),
        ("levitation_potion", "levitating"),
        ("invisibility_potion", "invisible"),
        ("warding_potion", "warded"),
        ("darkness_potion", "blind"),
    ],
)
def test_what_is_drunk_brings_a_state_on(kind, status):
    engine, events = using(HALL, kind, known=False)
    assert told(events, Identified)
    assert status in engine.state.hero.statuses


def test_what_is_thrown_breaks_over_all_around():
    engine = bare(scene(HALL))
    item = give(engine, "slumber_potion")
    events = engine.step(Throw(item.id, 7, 2))
    assert len(told(events, Shattered)[0].tiles) > 9
    assert told(events, Identified)
    assert "asleep" in first(engine, "orc").statuses
    assert engine.state.hero.inventory == []


def test_life_is_for_good():
    engine, events = using(HALL, "life_potion")
    fighter = engine.state.hero.fighter
    assert told(events, Healed)
    assert fighter.hp == fighter.max_hp == creature_kinds()["hero"].hp + 6


def test_healing_drives_poison_out():
    engine = bare(scene(HALL))
    hero = engine.state.hero
    hero.fighter.hp = 5
    apply_status(hero, "poisoned", 50, lambda event: None)
    potion = give(engine, "healing_potion")
    engine.step(Use(potion.id))
    assert "poisoned" not in hero.statuses


def test_blinking_puts_one_where_one_wants():
    engine, events = using(HALL, "blinking_scroll", (5, 1))
    assert told(events, Displaced)[0].how == "blinked"
    assert (engine.state.hero.x, engine.state.hero.y) == (5, 1)


def test_blinking_onto_a_monster_in_hiding_does_not_fail_but_ends_beside_it():
    engine = bare(scene("#########\n#@.....>#\n#.......#\n#########"))
    hero, scroll = engine.state.hero, give(engine, "blinking_scroll")
    engine.state.identified_kinds.append("blinking_scroll")
    put(engine, "spider", 5, 1, AiState.HIDDEN)
    put(engine, "idol", 6, 2, AiState.HIDDEN)
    assert engine.step(Use(scroll.id, (6, 2))) == Refused("no room"), "it looks like a statue"
    events = engine.step(Use(scroll.id, (5, 1)))
    assert told(events, Displaced)[0].how == "blinked"
    assert max(abs(hero.x - 5), abs(hero.y - 1)) == 1


def test_who_does_not_know_blinks_anywhere():
    engine, events = using(HALL, "blinking_scroll", known=False)
    assert told(events, Displaced)
    assert (engine.state.hero.x, engine.state.hero.y) != (2, 2)


def test_a_teleport_leads_far_on_foot():
    wide = "#" * 40 + "\n#@" + "." * 36 + ">#\n" + "#" * 40
    engine, events = using(wide, "teleportation_scroll")
    assert told(events, Displaced)[0].how == "teleported"
    assert not told(events, Fizzled)
    assert engine.state.hero.x > 12


@pytest.mark.parametrize(("kind", "at"), [
    ("teleportation_scroll", None), ("swapping_wand", (7, 2)), ("force_wand", (7, 2)),
])  # fmt: skip
def test_a_net_holds_nobody_that_is_moved_out_of_it(kind, at):
    engine = bare(scene(HALL))
    orc, hero = first(engine, "orc"), engine.state.hero
    orc.statuses["held"] = hero.statuses["held"] = 9
    engine.state.identified_kinds.append(kind)
    engine.step(Use(give(engine, kind, charges=1).id, at))
    assert ("held" in hero.statuses) == (kind == "force_wand")
    assert ("held" in orc.statuses) == (kind == "teleportation_scroll")


def test_frost_puts_out_the_flames_on_a_creature():
    engine = bare(scene(HALL))
    orc = first(engine, "orc")
    orc.statuses["burning"] = 9
    engine.step(Use(give(engine, "frost_wand", charges=1).id, (7, 2)))
    assert orc.statuses.keys() == {"slowed"}


def test_banishing_takes_a_foe_away():
    wide = "#" * 40 + "\n#@..o" + "." * 33 + ">#\n" + "#" * 40
    engine, events = using(wide, "banishing_wand", (4, 1))
    assert told(events, Displaced)[0].who.kind == "orc"
    assert abs(first(engine, "orc").x - 4) >= 10


def test_swapping_changes_places():
    engine, _ = using(HALL, "swapping_wand", (7, 2))
    assert (engine.state.hero.x, engine.state.hero.y) == (7, 2)
    assert max(abs(first(engine, "orc").x - 2), abs(first(engine, "orc").y - 2)) <= 1


@pytest.mark.parametrize("trap", ["shift", "fall"])
def test_a_trap_under_the_swapped_hero_works_after_the_foe_has_moved(trap, monkeypatch):
    monkeypatch.setattr("engine.terrain.tile_effects.trap_at", lambda *_: trap)
    for seed in range(20):  # A shifting plate may lead to where the hero stood.
        engine = scene("#######\n#@...o#\n#.....#\n####>##", seed=seed)
        engine.state.map.set_tile(5, 1, Tile.TRAP)
        upper, orc = engine.state.map, first(engine, "orc")
        engine.state.identified_kinds.append("swapping_wand")
        events = engine.step(Use(give(engine, "swapping_wand", charges=1).id, (5, 1)))
        displaced = told(events, Displaced)
        swapped = [event.origin for event in displaced if event.how == "swapped"]
        assert swapped == [Point(1, 1), Point(5, 1)]
        assert events.index(told(events, TrapTriggered)[0]) > events.index(
            told(events, Displaced)[1]
        )
        assert upper.entities[orc.id] is orc
        if trap == "fall":
            assert (orc.x, orc.y) == (1, 1)
            assert orc.id not in engine.state.map.entities


def test_force_throws_back_and_lava_ends_it():
    _, events = using("#########\n#@.o..!.#\n#......>#\n#########", "force_wand", (3, 1))
    assert told(events, Died)


def test_frost_makes_ice_of_water_rubble_of_lava_and_puts_fires_out():
    engine = bare(scene("#########\n#@.!~!.o#\n#......>#\n#########"))
    engine.state.identified_kinds.append("frost_wand")
    engine.state.map.fires[2, 1] = 9
    wand = give(engine, "frost_wand", charges=1)
    engine.step(Use(wand.id, (7, 1)))
    assert [int(tile) for tile in engine.state.map.tiles[1, 3:6]] == [
        Tile.RUBBLE, Tile.ICE, Tile.RUBBLE,
    ]  # fmt: skip
    assert engine.state.map.fires == {}
    engine.step(Move(1, 0))
    engine.step(Move(1, 0))
    assert (engine.state.hero.x, engine.state.hero.alive) == (3, True)


def test_where_there_is_no_room_nobody_is_summoned_and_nobody_teleported():
    cell = "####\n#@##\n####"
    for kind in ("summoning_scroll", "teleportation_scroll"):
        engine, events = using(cell, kind)
        assert not told(events, Appeared) + told(events, Displaced)
        assert (engine.state.hero.x, engine.state.hero.y) == (1, 1)
        assert engine.state.hero.inventory == []
    assert told(events, Fizzled)[0].what.kind == "teleportation_scroll"
    engine, events = using(cell.replace("@#", "@."), "summoning_scroll")
    assert len(told(events, Appeared)) == 1
