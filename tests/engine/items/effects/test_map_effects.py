"""What things do to the ground, to minds and to goods."""

import pytest

from engine.creatures.status_effects import apply_status
from engine.items.effects.effect_registry import all_effects
from engine.state.actions import Move, Refused, Throw, Use, Wait
from engine.state.events import (
    Appeared,
    Burnt,
    Displaced,
    Fizzled,
    Hurt,
    Improved,
    Mapped,
    Polymorphed,
    Shattered,
)
from entities.item_kinds import item_kinds
from entities.pack import BEST_BONUS, improvable
from entities.terrain import DEEP, Tile
from procgen.analysis.distances import DIRECTIONS
from support.item_use import HALL, using
from support.items import bare, first, give, lay, told
from support.rule_scenes import field, put
from support.scenes import drawn, scene


def test_digging_bores_through_rock_but_not_out_of_the_world():
    engine, _ = using("########\n#@##..>#\n########", "digging_wand", (2, 1))
    assert drawn(engine).splitlines()[1] == "#@,,..>#"
    engine, _ = using("#####\n#@.>#\n#####", "digging_wand", (0, 1))
    assert drawn(engine).splitlines()[1] == "#@.>#"


def test_frost_makes_ice_of_water_and_slows():
    engine, events = using("#########\n#@~~~o..#\n#......>#\n#########", "frost_wand", (5, 1))
    assert (engine.state.map.tiles[1, 2:5] == Tile.ICE).all()
    assert told(events, Hurt)[0].cause == "cold"
    assert "slowed" in first(engine, "orc").statuses


def test_flames_fan_out():
    engine, events = using(HALL, "flame_wand", (5, 2))
    assert not told(events, Hurt)
    assert len(engine.state.map.fires) >= 6
    assert all(x > 2 for x, _ in engine.state.map.fires)


def test_grass_burns_and_the_fire_spreads_and_goes_out():
    engine = bare(
        scene(f"""
        {"#" * 22}
        #@..................>#
        #{'"' * 20}#
        {"#" * 22}
    """)
    )
    engine.state.identified_kinds.append("fireball_scroll")
    scroll = give(engine, "fireball_scroll")
    paper = lay(engine, "mapping_scroll", 8, 2)
    events = engine.step(Use(scroll.id, (8, 1)))
    seen = [event.what.id for event in told(events, Burnt)]
    most = len(engine.state.map.fires)
    for _ in range(60):
        events = engine.step(Wait())
        if isinstance(events, Refused):
            break
        seen += [event.what.id for event in told(events, Burnt)]
        most = max(most, len(engine.state.map.fires))
    assert paper.id in seen
    assert engine.state.map.fires == {}
    assert (engine.state.map.tiles[2] == Tile.GRASS).sum() < 13


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
    engine.state.hero.equipment["ring"] = ring.id
    engine.state.identified_kinds.append("fire_potion")
    flask = give(engine, "fire_potion")
    before = engine.state.hero.fighter.hp
    events = engine.step(Throw(flask.id, 2, 1))
    assert told(events, Shattered)
    assert engine.state.hero.fighter.hp == before
    assert not any(y == 1 and x > 1 for x, y in engine.state.map.fires)


def test_mapping_shows_the_level():
    engine, events = using("########\n#@#...S#\n#...##>#\n########", "mapping_scroll")
    assert told(events, Mapped)
    assert engine.state.map.explored.all()
    assert engine.state.map.tiles[1, 6] == Tile.DOOR


@pytest.mark.parametrize(("dx", "dy"), [*DIRECTIONS, (2, 1), (-1, 2), (1, -2), (-3, -2)])
def test_force_pushes_straight_away_from_its_user(dx, dy):
    engine = field()
    warg = put(engine, "warg", 10 + dx, 7 + dy)
    wand = give(engine, "force_wand", charges=1)
    engine.state.identified_kinds.append("force_wand")
    engine.state.look()
    warg.statuses |= {"held": 9, "asleep": 9}
    steps = item_kinds()["force_wand"].strength
    engine.step(Use(wand.id, (warg.x, warg.y)))
    way = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
    assert (warg.x, warg.y) == (10 + dx + steps * way[0], 7 + dy + steps * way[1])


@pytest.mark.parametrize("tile", DEEP)
def test_what_floats_is_pushed_on_over_deep_water_and_lava(tile):
    engine = field(5, 7)
    orc, wand = put(engine, "orc", 6, 7), give(engine, "force_wand", charges=1)
    orc.statuses |= {"levitating": 9, "asleep": 9}
    engine.state.identified_kinds.append("force_wand")
    for x in (7, 8, 9):
        engine.state.map.set_tile(x, 7, tile)
    assert not told(engine.step(Use(wand.id, (6, 7))), Hurt)
    assert orc.x == 6 + item_kinds()["force_wand"].strength


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
    assert all(one.spawned_in_play for one in engine.state.map.entities.values() if one.ai)


def test_a_thicket_hides():
    engine, _ = using(HALL, "growth_scroll")
    assert (engine.state.map.tiles == Tile.FOREST).sum() > 8
    assert not engine.state.map.visible[2, 7]


def test_what_grows_over_a_creature_is_grass_and_forest_elsewhere():
    engine, _ = using(HALL.replace("@....o", "@.o..."), "growth_scroll")
    tiles = engine.state.map.tiles
    assert (tiles[2, 2], tiles[2, 4], tiles[1, 3]) == (Tile.FLOOR, Tile.GRASS, Tile.FOREST)
    assert (tiles[3, 10], tiles[0, 2]) == (Tile.FLOOR, Tile.WALL)


@pytest.mark.parametrize(
    ("ground", "grows"), [(Tile.ROAD, True), (Tile.CARPET, True), (Tile.ICE, False)]
)
def test_growth_takes_to_roads_and_carpets_and_says_where_nothing_grows(ground, grows):
    engine = bare(scene(HALL))
    engine.state.map.tiles[engine.state.map.tiles == Tile.FLOOR] = ground
    events = engine.step(Use(give(engine, "growth_scroll").id))
    assert ((engine.state.map.tiles == Tile.FOREST).sum() > 8) == grows
    assert bool(told(events, Fizzled)) != grows


def test_insight_tells_what_is_carried():
    engine = bare(scene(HALL))
    scroll, wand = give(engine, "insight_scroll"), give(engine, "frost_wand", charges=2)
    engine.step(Use(scroll.id))
    assert wand.identified
    assert engine.state.identified_kinds == ["insight_scroll", "frost_wand"]


def test_changing_makes_another_of_it():
    engine = bare(scene(HALL))
    orc = first(engine, "orc")
    orc.ai.stolen_gold = 30
    wand = give(engine, "polymorph_wand", charges=1)
    events = engine.step(Use(wand.id, (7, 2)))
    assert told(events, Polymorphed)[0].before == "orc"
    assert engine.state.map.entities[orc.id].kind != "orc"
    assert engine.state.map.entities[orc.id].ai.stolen_gold == 30
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
    sword.bonus = BEST_BONUS
    assert engine.step(Use(scroll.id, None, sword.id)) == Refused("cannot be improved")


@pytest.mark.parametrize("charges", [0, 3, BEST_BONUS - 1])
def test_enchanting_a_wand_adds_the_least_charges_of_its_kind_up_to_the_most(charges):
    engine = bare(scene(HALL))
    scroll = give(engine, "enchanting_scroll", 2)
    wand = give(engine, "flame_wand", charges=charges)
    least = item_kinds()["flame_wand"].charges[0]
    assert least > 1
    assert told(engine.step(Use(scroll.id, None, wand.id)), Improved)
    assert (wand.charges, wand.bonus) == (min(BEST_BONUS, charges + least), 0)
    if wand.charges == BEST_BONUS:
        assert engine.step(Use(scroll.id, None, wand.id)) == Refused("cannot be improved")


def test_a_levitating_hero_crosses_water_and_must_not_stay_there():
    engine = bare(scene("########\n#@~~~.>#\n########"))
    hero = engine.state.hero
    assert engine.step(Move(1, 0)) == Refused("water")
    apply_status(hero, "levitating", 3, lambda event: None)
    engine.step(Move(1, 0))
    assert (hero.x, hero.y) == (2, 1)
    events = [engine.step(Wait()) for _ in range(3)]
    assert any(isinstance(e, Displaced) and e.how == "washed" for step in events for e in step)
    assert engine.state.map.walkable[hero.y, hero.x]


def test_lava_has_the_last_word():
    engine = bare(scene("########\n#@!!!.>#\n########"))
    apply_status(engine.state.hero, "levitating", 2, lambda event: None)
    engine.step(Move(1, 0))
    engine.step(Wait())
    assert not engine.state.hero.alive
    assert engine.state.killed_by == "lava"


def test_a_wand_nobody_knows_is_aimed_like_any():
    engine = bare(scene(HALL))
    wand = give(engine, "slowness_wand", charges=2)
    assert engine.step(Use(wand.id)) != Refused("empty")
    assert wand.charges == 1
    assert engine.state.identified_kinds == ["slowness_wand"]
    engine = bare(scene(HALL.replace("o", ".")))
    wand = give(engine, "slowness_wand", charges=2)
    assert told(engine.step(Use(wand.id)), Fizzled)


@pytest.mark.parametrize("kind", ["force", "swapping", "polymorph", "slowness", "banishing"])
def test_a_wand_that_hits_nobody_says_so(kind):
    engine = bare(scene(HALL.replace("o", ".")))
    wand = give(engine, f"{kind}_wand", charges=2)
    wand.identified = True
    assert told(engine.step(Use(wand.id, (4, 1))), Fizzled)


def test_every_effect_is_used_by_something():
    used = {kind.effect for kind in item_kinds().values()}
    assert set(all_effects()) <= used
