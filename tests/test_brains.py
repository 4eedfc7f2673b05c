"""How creatures live, as scenes: they hear, notice, remember, call, flee, shoot, lie in wait."""

import numpy as np
import pytest

from components import Mood
from engine.actions import Move, Strike, Wait
from engine.dwellers import dwellers
from engine.events import (
    Blinked,
    Called,
    Charged,
    Divided,
    Fled,
    Noticed,
    Shot,
    Spotted,
    Stole,
    Summoned,
)
from engine.fields import Approach
from engine.ground import fell
from engine.noise import Noise
from entities.item import Item
from entities.kinds import creatures
from entities.terrain import Tile
from procgen.analysis import UNREACHED, distances
from procgen.build import build
from procgen.code import parse_code
from procgen.recipes import complete
from scenes import drawn, level_of, scene


def one(engine, kind):
    return next(e for e in engine.world.map.entities.values() if e.kind == kind)


def kinds(events):
    return [type(event) for event in events]


def until(engine, event, turns=60, action=None):
    """Wait until ``event`` happens and return how many turns it took."""
    for turn in range(turns):
        if event in kinds(engine.step(action or Wait())):
            return turn + 1
    raise AssertionError(f"no {event.__name__} in {turns} turns")


LONG_HALL = """
    ####################
    #@................>#
    #.##################
    #.................o#
    ####################
"""


def test_a_hunter_goes_to_where_it_last_knew_the_hero():
    engine = scene(LONG_HALL)
    orc = one(engine, "orc")
    orc.mind.mood, orc.mind.attention, orc.mind.goal = Mood.HUNTING, 5, (9, 3)
    for _ in range(3):
        engine.step(Wait())
    assert orc.x == 15
    assert orc.mind.goal == (9, 3)


def test_a_loud_noise_brings_who_is_awake_and_wakes_who_sleeps():
    for mood in (Mood.IDLE, Mood.ASLEEP):
        engine = scene(LONG_HALL)
        orc = one(engine, "orc")
        orc.mind.mood = mood
        for _ in range(30):
            engine.world.noises.append(Noise(1, 1, 60))
            engine.step(Wait())
            if orc.mind.mood is not mood:
                break
        assert orc.mind.mood is Mood.SEARCHING
        assert orc.mind.goal == (1, 1)


def test_keeping_still_is_quieter_than_walking():
    def woken(action):
        turns = 0
        for seed in range(12):
            engine = scene("#######\n#@.z..#\n#.....#\n#....>#\n#######", seed=seed)
            ghoul = one(engine, "ghoul")
            ghoul.mind.mood = Mood.ASLEEP
            steps = 0
            while ghoul.mind.mood is Mood.ASLEEP and steps < 40:
                engine.step(action or Move(0, 1 if steps % 2 == 0 else -1))
                steps += 1
            turns += steps
        return turns

    assert woken(Wait()) > 2 * woken(None)


def test_a_frightened_creature_runs_and_a_cornered_one_strikes():
    engine = scene("###########\n#.@r......#\n#........>#\n###########")
    rat = one(engine, "rat")
    rat.mind.mood, rat.fighter.hp, rat.mind.felt = Mood.HUNTING, 2, 5
    assert Fled in kinds(engine.step(Wait()))
    for _ in range(4):
        engine.step(Wait())
    assert rat.x >= 7
    engine = scene("####\n#@r#\n####")
    rat = one(engine, "rat")
    rat.mind.mood, rat.mind.attention = Mood.FLEEING, 9
    hp = engine.world.hero.fighter.hp
    for _ in range(6):
        engine.step(Wait())
    assert engine.world.hero.fighter.hp < hp


def test_a_slinger_shoots_and_gives_way():
    engine = scene("############\n#@....k....#\n#.........>#\n############")
    assert until(engine, Shot) < 15
    kobold = one(engine, "kobold")
    for _ in range(6):
        engine.step(Move(1, 0) if not engine.world.map.is_blocked(*ahead(engine)) else Wait())
    assert kobold.x > 6 or not kobold.alive


def ahead(engine):
    return engine.world.hero.x + 1, engine.world.hero.y


def test_nobody_shoots_through_a_friend():
    engine = scene("##########\n#@.ff...k#\n##########")
    kobold = one(engine, "kobold")
    kobold.mind.mood, kobold.mind.attention = Mood.HUNTING, 99
    assert all(Shot not in kinds(engine.step(Wait())) for _ in range(10))


def test_animals_do_not_open_doors():
    drawing = "##########\n#@..+...{}#\n#...####>#\n##########"
    for kind, name, comes in (("j", "jackal", False), ("o", "orc", True)):
        engine = scene(drawing.replace("{}", kind))
        creature = one(engine, name)
        creature.mind.mood, creature.mind.attention, creature.mind.goal = Mood.HUNTING, 30, (1, 1)
        for _ in range(12):
            engine.step(Wait())
        assert (creature.x < 4) == comes


def test_a_shriek_brings_everyone():
    engine = scene("""
        ##########################
        #@..f...................>#
        #.########################
        #......................o.#
        ##########################
    """)
    orc = one(engine, "orc")
    orc.mind.mood = Mood.ASLEEP
    until(engine, Called)
    assert orc.mind.mood is Mood.SEARCHING


def test_what_lies_in_wait_is_not_seen_until_it_springs():
    engine = scene("#########\n#@....s.#\n#......>#\n#########")
    spider = one(engine, "spider")
    spider.mind.mood = Mood.HIDDEN
    assert spider not in engine.world.map.entities_in_view()
    assert engine.step(Move(1, 0))
    assert spider.x == 6
    engine.step(Move(1, 0))
    events = engine.step(Move(1, 0))
    assert {Noticed, Spotted} <= set(kinds(events))
    assert spider in engine.world.map.entities_in_view()


def test_a_blow_wakes_a_sleeper_and_a_sentinel():
    engine = scene("#####\n#@T>#\n#####")
    troll = one(engine, "troll")
    troll.mind.mood = Mood.ASLEEP
    engine.step(Strike(1, 0))
    assert troll.mind.mood is Mood.HUNTING


def test_dwellers_are_decided_by_the_level_alone():
    level = build(complete(parse_code("vaulted:5:4")))
    assert dwellers(level) == dwellers(level)
    assert len({d.mood for d in dwellers(level)}) > 2
    places = [(d.x, d.y) for d in dwellers(level)]
    assert len(set(places)) == len(places)


def test_spiders_wait_beside_doors():
    level = level_of("""
        ################
        #@......+......#
        #.......#..s...#
        #.......#.....>#
        ################
    """)
    (spider,) = dwellers(level)
    assert spider.mood is Mood.HIDDEN
    assert (spider.x, spider.y) in {(9, 1), (9, 2), (7, 1), (7, 2)}
    assert level.tiles[1, 8] == Tile.DOOR


@pytest.mark.parametrize("kind", [name for name, kind in creatures().items() if kind.brain])
def test_every_kind_lives_through_forty_turns_beside_the_hero(kind):
    glyph = creatures()[kind].glyph
    engine = scene(f"##########\n#@...{glyph}...#\n#...#...>#\n#...+....#\n##########")
    engine.world.hero.fighter.hp = engine.world.hero.fighter.max_hp = 999
    hero = engine.world.hero
    for turn in range(40):
        engine.step(Move(0, 1 if turn % 2 == 0 else -1))
        assert (hero.x, hero.y) in {(1, 1), (1, 2)} or drawn(engine)


def hunting(engine, kind):
    """Return the one of ``kind``, on the hunt."""
    creature = one(engine, kind)
    creature.mind.mood, creature.mind.attention = Mood.HUNTING, 99
    return creature


def test_a_thief_takes_what_is_loose_and_is_gone_until_it_dies():
    engine = scene("################\n#@p............#\n#.............>#\n################")
    hero, thief = engine.world.hero, hunting(engine, "pilferer")
    hero.pack[:] = [Item(900, "healing_potion", 3)]
    assert until(engine, Stole) < 4
    assert (hero.pack[0].count, thief.pack[0].kind) == (2, "healing_potion")
    assert thief.pack[0].id != 900
    for _ in range(8):
        engine.step(Wait())
    assert thief.x > 8
    thief.fighter.hp = 1
    fell_now(engine, thief)
    assert engine.world.map.items_at(thief.x, thief.y)[-1].kind == "healing_potion"


def test_a_thief_takes_gold_when_there_is_nothing_else_and_it_comes_back():
    engine = scene("################\n#@p............#\n#.............>#\n################")
    hero, thief = engine.world.hero, hunting(engine, "pilferer")
    hero.pack.clear()
    engine.world.gold = 100
    until(engine, Stole)
    assert 50 <= engine.world.gold <= 80
    fell_now(engine, thief)
    assert engine.world.gold == 100


def fell_now(engine, creature):
    creature.fighter.hp = 0
    fell(engine.world, creature, "trap", lambda event: None)


def test_a_necromancer_calls_up_the_dead_and_they_teach_nothing():
    engine = scene("############\n#@.....N...#\n#.........>#\n############")
    hunting(engine, "necromancer")
    assert Summoned in kinds(engine.step(Wait()))
    skeleton = one(engine, "skeleton")
    assert skeleton.called_up
    assert skeleton.mind.mood is Mood.HUNTING


def test_a_bull_charges_along_a_line_and_no_other_way():
    engine = scene("############\n#@.....q...#\n#.........>#\n############")
    bull = hunting(engine, "bull")
    hp = engine.world.hero.fighter.hp
    assert Charged in kinds(engine.step(Wait()))
    assert bull.x == 2
    assert engine.world.hero.fighter.hp < hp
    engine = scene("############\n#@.....f.q.#\n#..........#\n#..........#\n############")
    hunting(engine, "bull")
    assert Charged not in kinds(engine.step(Wait()))


def test_a_shade_is_suddenly_beside_one():
    engine = scene("############\n#@.....d...#\n#.........>#\n############")
    shade = hunting(engine, "shade")
    assert Blinked in kinds(engine.step(Wait()))
    assert max(abs(shade.x - 1), abs(shade.y - 1)) == 1


def test_a_wound_makes_two_of_a_jelly_and_no_hit_points():
    engine = scene("######\n#....#\n#.@J.#\n#...>#\n######")
    hunting(engine, "jelly").fighter.hp = 12
    until(engine, Divided)
    halves = [e for e in engine.world.map.entities.values() if e.kind == "jelly"]
    assert [half.fighter.hp for half in halves] == [6, 6]
    assert halves[1].called_up


def test_a_shaman_closes_wounds_of_others():
    engine = scene("############\n#@....o.h..#\n#.........>#\n############")
    hunting(engine, "shaman")
    orc = hunting(engine, "orc")
    orc.fighter.hp = orc.mind.felt = 3
    engine.step(Wait())
    assert orc.fighter.hp == 9


def test_a_gaze_slows_and_does_no_harm():
    engine = scene("############\n#@.....e...#\n#.........>#\n############")
    hunting(engine, "gazer")
    hp = engine.world.hero.fighter.hp
    engine.step(Wait())
    assert "slowed" in engine.world.hero.statuses
    assert engine.world.hero.fighter.hp == hp


def test_each_boss_waits_at_its_depth_and_nowhere_else():
    for depth, boss in ((4, "warlord"), (8, "broodmother"), (12, "warden")):
        found = [d.kind for d in dwellers(build(complete(parse_code(f"vaulted:5:{depth}"))))]
        assert found.count(boss) == 1
    assert {"warlord", "broodmother", "warden"}.isdisjoint(
        d.kind for d in dwellers(build(complete(parse_code("vaulted:5:7"))))
    )


def test_a_bite_poisons():
    engine = scene("#####\n#@v>#\n#####")
    viper = hunting(engine, "viper")
    viper.fighter.power = 9
    for _ in range(12):
        engine.step(Wait())
    assert "poisoned" in engine.world.hero.statuses


def test_a_way_is_as_long_as_if_all_around_had_been_worked_out_at_once():
    ground = np.random.default_rng(3).random((150, 161)) < 0.62
    whole, way = distances(ground, 80, 70), Approach(85, 79, 5, 9, ground)
    for x, y in [(x, y) for y in range(-3, 153, 6) for x in range(-3, 164, 5)]:
        inside = 0 <= x < 161 and 0 <= y < 150
        assert way.at(x + 5, y + 9) == (whole[y, x] if inside else UNREACHED)
