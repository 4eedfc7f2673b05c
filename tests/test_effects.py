"""What things do: a scene for each effect."""

import pytest
from things import bare, first, give, lay, told

from engine.actions import Move, Refused, Throw, Use, Wait
from engine.effects.goods import improvable
from engine.events import (
    Appeared,
    Burnt,
    Changed,
    Died,
    Displaced,
    Fizzled,
    Healed,
    Hurt,
    Identified,
    Improved,
    Mapped,
    Shattered,
)
from engine.statuses import afflict
from engine.things.wares import all_effects, wares
from entities.terrain import Tile
from scenes import drawn, scene

HALL = """
    ############
    #..........#
    #.@....o...#
    #.........>#
    ############
"""


def using(drawing, kind, target=None, *, known=True, on=None, charges=3):
    """Return (engine, events) after the hero of ``drawing`` has used a ``kind``."""
    engine = bare(scene(drawing))
    if known:
        engine.world.known.append(kind)
    item = give(engine, kind, charges=charges if wares()[kind].charges[1] else 0)
    return engine, engine.step(Use(item.id, target, on))


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
    assert status in engine.world.hero.statuses


def test_what_is_thrown_breaks_over_all_around():
    engine = bare(scene(HALL))
    item = give(engine, "slumber_potion")
    events = engine.step(Throw(item.id, 7, 2))
    assert len(told(events, Shattered)[0].tiles) > 9
    assert told(events, Identified)
    assert "asleep" in first(engine, "orc").statuses
    assert engine.world.hero.pack == []


def test_life_is_for_good():
    engine, events = using(HALL, "life_potion")
    fighter = engine.world.hero.fighter
    assert told(events, Healed)
    assert fighter.hp == fighter.max_hp == 38


def test_healing_drives_poison_out():
    engine = bare(scene(HALL))
    hero = engine.world.hero
    hero.fighter.hp = 5
    afflict(hero, "poisoned", 50, lambda event: None)
    potion = give(engine, "healing_potion")
    engine.step(Use(potion.id))
    assert "poisoned" not in hero.statuses


def test_blinking_puts_one_where_one_wants():
    engine, events = using(HALL, "blinking_scroll", (5, 1))
    assert told(events, Displaced)[0].how == "blinked"
    assert (engine.world.hero.x, engine.world.hero.y) == (5, 1)


def test_who_does_not_know_blinks_anywhere():
    engine, events = using(HALL, "blinking_scroll", known=False)
    assert told(events, Displaced)
    assert (engine.world.hero.x, engine.world.hero.y) != (2, 2)


def test_a_teleport_leads_far_on_foot():
    wide = "#" * 40 + "\n#@" + "." * 36 + ">#\n" + "#" * 40
    engine, events = using(wide, "teleportation_scroll")
    assert told(events, Displaced)[0].how == "teleported"
    assert engine.world.hero.x > 12


def test_banishing_takes_a_foe_away():
    wide = "#" * 40 + "\n#@..o" + "." * 33 + ">#\n" + "#" * 40
    engine, events = using(wide, "banishing_wand", (4, 1))
    assert told(events, Displaced)[0].who.kind == "orc"
    assert abs(first(engine, "orc").x - 4) >= 10


def test_swapping_changes_places():
    engine, _ = using(HALL, "swapping_wand", (7, 2))
    assert (engine.world.hero.x, engine.world.hero.y) == (7, 2)
    assert max(abs(first(engine, "orc").x - 2), abs(first(engine, "orc").y - 2)) <= 1


def test_force_throws_back_and_lava_ends_it():
    _, events = using("#########\n#@.o..!.#\n#......>#\n#########", "force_wand", (3, 1))
    assert told(events, Died)


def test_digging_bores_through_rock_but_not_out_of_the_world():
    engine, _ = using("########\n#@##..>#\n########", "digging_wand", (2, 1))
    assert drawn(engine).splitlines()[1] == "#@,,..>#"
    engine, _ = using("#####\n#@.>#\n#####", "digging_wand", (0, 1))
    assert drawn(engine).splitlines()[1] == "#@.>#"


def test_frost_makes_ice_of_water_and_slows():
    engine, events = using("#########\n#@~~~o..#\n#......>#\n#########", "frost_wand", (5, 1))
    assert (engine.world.map.tiles[1, 2:5] == Tile.ICE).all()
    assert told(events, Hurt)[0].cause == "cold"
    assert "slowed" in first(engine, "orc").statuses


def test_flames_fan_out():
    engine, events = using(HALL, "flame_wand", (5, 2))
    assert not told(events, Hurt)
    assert len(engine.world.map.fires) >= 6
    assert all(x > 2 for x, _ in engine.world.map.fires)


def test_grass_burns_and_the_fire_spreads_and_goes_out():
    engine = bare(
        scene(f"""
        {"#" * 22}
        #@..................>#
        #{'"' * 20}#
        {"#" * 22}
    """)
    )
    engine.world.known.append("fireball_scroll")
    scroll = give(engine, "fireball_scroll")
    paper = lay(engine, "mapping_scroll", 8, 2)
    events = engine.step(Use(scroll.id, (8, 1)))
    seen = [event.what.id for event in told(events, Burnt)]
    most = len(engine.world.map.fires)
    for _ in range(60):
        events = engine.step(Wait())
        if isinstance(events, Refused):
            break
        seen += [event.what.id for event in told(events, Burnt)]
        most = max(most, len(engine.world.map.fires))
    assert paper.id in seen
    assert engine.world.map.fires == {}
    assert (engine.world.map.tiles[2] == Tile.GRASS).sum() < 13


def test_who_stands_in_fire_burns():
    engine = bare(scene(HALL))
    orc = first(engine, "orc")
    orc.fighter.hp = orc.fighter.max_hp = 60
    flask = give(engine, "oil_flask")
    events = engine.step(Throw(flask.id, 7, 2))
    assert told(events, Hurt)[0].cause == "fire"
    assert "burning" in orc.statuses


def test_fire_stays_out_of_water_and_spares_who_wears_embers():
    engine = bare(scene("#######\n#@----#\n#....>#\n#######"))
    ring = give(engine, "embers_ring")
    engine.world.hero.worn["ring"] = ring.id
    engine.world.known.append("fire_potion")
    flask = give(engine, "fire_potion")
    before = engine.world.hero.fighter.hp
    events = engine.step(Throw(flask.id, 2, 1))
    assert told(events, Shattered)
    assert engine.world.hero.fighter.hp == before
    assert not any(y == 1 and x > 1 for x, y in engine.world.map.fires)


def test_mapping_shows_the_level():
    engine, events = using("########\n#@#...S#\n#...##>#\n########", "mapping_scroll")
    assert told(events, Mapped)
    assert engine.world.map.explored.all()
    assert engine.world.map.tiles[1, 6] == Tile.DOOR


def test_the_lullaby_and_terror_need_a_listener():
    engine, _ = using(HALL, "lullaby_scroll")
    assert "asleep" in first(engine, "orc").statuses
    engine, _ = using(HALL, "terror_scroll")
    assert "afraid" in first(engine, "orc").statuses
    _, events = using(HALL.replace("o", "."), "terror_scroll")
    assert events == Refused("no foe in view")


def test_summoning_is_no_gift():
    engine, events = using(HALL.replace("o", "."), "summoning_scroll")
    assert len(told(events, Appeared)) == 2
    assert all(one.called_up for one in engine.world.map.entities.values() if one.mind)


def test_a_thicket_hides():
    engine, _ = using(HALL, "growth_scroll")
    assert (engine.world.map.tiles == Tile.FOREST).sum() > 8
    assert not engine.world.map.seen[2, 7]


def test_insight_tells_what_is_carried():
    engine = bare(scene(HALL))
    scroll, wand = give(engine, "insight_scroll"), give(engine, "frost_wand", charges=2)
    engine.step(Use(scroll.id))
    assert wand.known
    assert engine.world.known == ["insight_scroll", "frost_wand"]


def test_changing_makes_another_of_it():
    engine = bare(scene(HALL))
    orc = first(engine, "orc")
    wand = give(engine, "polymorph_wand", charges=1)
    events = engine.step(Use(wand.id, (7, 2)))
    assert told(events, Changed)[0].before == "orc"
    assert engine.world.map.entities[orc.id].kind != "orc"
    assert engine.step(Use(wand.id, (7, 2))) == Refused("empty")


def test_enchanting_improves_what_is_chosen():
    engine = bare(scene(HALL))
    scroll, sword, dart = (
        give(engine, "enchanting_scroll", 3),
        give(engine, "sword"),
        give(engine, "dart"),
    )
    assert engine.step(Use(scroll.id)) == Refused("needs a thing")
    for on in dart.id, 99999:
        assert engine.step(Use(scroll.id, None, on)) == Refused("cannot be improved")
    assert improvable(sword)
    assert told(engine.step(Use(scroll.id, None, sword.id)), Improved)
    assert (sword.bonus, scroll.count) == (1, 2)


def test_a_levitating_hero_crosses_water_and_must_not_stay_there():
    engine = bare(scene("########\n#@~~~.>#\n########"))
    hero = engine.world.hero
    assert engine.step(Move(1, 0)) == Refused("blocked")
    afflict(hero, "levitating", 3, lambda event: None)
    engine.step(Move(1, 0))
    assert (hero.x, hero.y) == (2, 1)
    events = [engine.step(Wait()) for _ in range(3)]
    assert any(isinstance(e, Displaced) and e.how == "washed" for step in events for e in step)
    assert engine.world.map.walkable[hero.y, hero.x]


def test_lava_has_the_last_word():
    engine = bare(scene("########\n#@!!!.>#\n########"))
    afflict(engine.world.hero, "levitating", 2, lambda event: None)
    engine.step(Move(1, 0))
    engine.step(Wait())
    assert not engine.world.hero.alive
    assert engine.world.killed_by == "lava"


def test_a_wand_nobody_knows_is_aimed_like_any():
    engine = bare(scene(HALL))
    wand = give(engine, "slowness_wand", charges=2)
    assert engine.step(Use(wand.id)) != Refused("empty")
    assert wand.charges == 1
    assert engine.world.known == ["slowness_wand"]
    engine = bare(scene(HALL.replace("o", ".")))
    wand = give(engine, "slowness_wand", charges=2)
    assert told(engine.step(Use(wand.id)), Fizzled)


def test_every_effect_is_used_by_something():
    used = {kind.effect for kind in wares().values()}
    assert set(all_effects()) <= used
