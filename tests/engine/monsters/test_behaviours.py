"""How creatures hunt, hear, take fright, shoot and lie in wait."""

import pytest

from components import AiState
from engine.creatures.status_effects import apply_status
from engine.monsters.initial_monsters import initial_monsters
from engine.monsters.perception import Senses
from engine.monsters.steering import wander
from engine.pathfinding.dijkstra_maps import DijkstraMaps
from engine.state.actions import Move, Strike, Wait
from engine.state.events import CalledForHelp, Fled, Noticed, ShotFired, Spotted
from engine.state.game_state import Noise
from entities.creature_kinds import creature_kinds
from entities.terrain import Tile
from procgen.build import build
from procgen.level_code import parse_code
from procgen.settings import complete
from support.monsters import one, until
from support.rule_scenes import field, put, silent
from support.scenes import drawn, kinds, level_of, scene

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
    orc.ai.state, orc.ai.state_turns_left, orc.ai.goal = AiState.HUNTING, 5, (9, 3)
    for _ in range(3):
        engine.step(Wait())
    assert orc.x == 15
    assert orc.ai.goal == (9, 3)


def test_a_loud_noise_brings_who_is_awake_and_wakes_who_sleeps():
    for mood in (AiState.IDLE, AiState.ASLEEP):
        engine = scene(LONG_HALL)
        orc = one(engine, "orc")
        orc.ai.state = mood
        for _ in range(30):
            engine.state.noises.append(Noise(1, 1, 60))
            engine.step(Wait())
            if orc.ai.state is not mood:
                break
        assert orc.ai.state is AiState.SEARCHING
        assert orc.ai.goal == (1, 1)


def test_keeping_still_is_quieter_than_walking():
    def woken(action):
        turns = 0
        for seed in range(12):
            engine = scene("#######\n#@.z..#\n#.....#\n#....>#\n#######", seed=seed)
            ghoul = one(engine, "ghoul")
            ghoul.ai.state = AiState.ASLEEP
            steps = 0
            while ghoul.ai.state is AiState.ASLEEP and steps < 40:
                engine.step(action or Move(0, 1 if steps % 2 == 0 else -1))
                steps += 1
            turns += steps
        return turns

    assert woken(Wait()) > 2 * woken(None)


def test_a_frightened_creature_runs_and_a_cornered_one_strikes():
    engine = scene("###########\n#.@r......#\n#........>#\n###########")
    rat = one(engine, "rat")
    rat.ai.state, rat.fighter.hp, rat.ai.last_seen_hp = AiState.HUNTING, 2, 5
    assert Fled in kinds(engine.step(Wait()))
    for _ in range(4):
        engine.step(Wait())
    assert rat.x >= 7
    engine = scene("####\n#@r#\n####")
    rat = one(engine, "rat")
    rat.ai.state, rat.ai.state_turns_left = AiState.FLEEING, 9
    hp = engine.state.hero.fighter.hp
    for _ in range(6):
        engine.step(Wait())
    assert engine.state.hero.fighter.hp < hp


def test_who_can_only_slip_past_is_cornered_too():
    engine = scene("######\n#r...#\n#.@..#\n#...>#\n######")
    rat = one(engine, "rat")
    rat.ai.state, rat.ai.state_turns_left = AiState.FLEEING, 9
    hp = engine.state.hero.fighter.hp
    for _ in range(4):
        engine.step(Wait())
    assert (rat.x, rat.y) == (1, 1)
    assert engine.state.hero.fighter.hp < hp


def test_who_flees_leaves_past_the_mouth_of_a_side_passage():
    passage = "###########\n#####@#####\n#....r...>#\n###########"
    engine = scene(passage)
    rat = one(engine, "rat")
    rat.ai.state, rat.ai.state_turns_left = AiState.FLEEING, 9
    hp = engine.state.hero.fighter.hp
    engine.step(Wait())
    assert abs(rat.x - 5) == 1
    engine.step(Wait())
    assert abs(rat.x - 5) == 2
    assert engine.state.hero.fighter.hp == hp


def test_nobody_shoots_from_where_the_hero_cannot_see_it():
    row = "#" + "." * 20 + "#"
    edge = "#" * 22
    rows = [list(row) for _ in range(14)]
    rows[2][3], rows[12][19] = "@", ">"
    far = [[*one] for one in rows]
    far[9][11] = "a"  # eight tiles off as one walks, more than ten as light falls
    engine = scene("\n".join([edge, *("".join(one) for one in far), edge]))
    archer = one(engine, "archer")
    archer.ai.state, archer.ai.state_turns_left = AiState.HUNTING, 20
    archer.ai.goal = engine.state.hero.x, engine.state.hero.y
    for _ in range(12):
        seen = archer in engine.state.map.entities_in_view()
        shot = ShotFired in kinds(engine.step(Wait()))
        assert seen or not shot or archer in engine.state.map.entities_in_view()
    assert archer in engine.state.map.entities_in_view()


def test_a_slinger_shoots_and_gives_way():
    engine = scene("############\n#@....k....#\n#.........>#\n############")
    assert until(engine, ShotFired) < 15
    kobold = one(engine, "kobold")
    for _ in range(6):
        engine.step(Move(1, 0) if not engine.state.map.is_blocked(*ahead(engine)) else Wait())
    assert kobold.x > 6 or not kobold.alive


def ahead(engine):
    return engine.state.hero.x + 1, engine.state.hero.y


def test_nobody_shoots_through_a_friend():
    engine = scene("##########\n#@.ff...k#\n##########")
    kobold = one(engine, "kobold")
    kobold.ai.state, kobold.ai.state_turns_left = AiState.HUNTING, 99
    assert all(ShotFired not in kinds(engine.step(Wait())) for _ in range(10))


def test_animals_do_not_open_doors():
    drawing = "##########\n#@..+...{}#\n#...####>#\n##########"
    for kind, name, comes in (("j", "jackal", False), ("o", "orc", True)):
        engine = scene(drawing.replace("{}", kind))
        creature = one(engine, name)
        creature.ai.state, creature.ai.state_turns_left, creature.ai.goal = (
            AiState.HUNTING,
            30,
            (1, 1),
        )
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
    orc.ai.state = AiState.ASLEEP
    until(engine, CalledForHelp)
    assert orc.ai.state is AiState.SEARCHING


@pytest.mark.parametrize("kind", ["puffball", "shriekcap", "gazer"])
@pytest.mark.parametrize("mood", [AiState.HUNTING, AiState.SEARCHING, AiState.FLEEING])
def test_what_has_roots_goes_nowhere_even_when_it_sees_nobody_or_is_afraid(kind, mood):
    engine = field()
    plant = put(engine, kind, 14, 7, mood)
    plant.ai.goal, plant.ai.state_turns_left = (10, 7), 30
    apply_status(plant, "blind", 30, silent)
    for _ in range(6):
        engine.step(Wait())
    assert (plant.x, plant.y) == (14, 7)


def test_what_lies_in_wait_is_not_seen_until_it_springs():
    engine = scene("#########\n#@....s.#\n#......>#\n#########")
    spider = one(engine, "spider")
    spider.ai.state = AiState.HIDDEN
    assert spider not in engine.state.map.entities_in_view()
    assert engine.step(Move(1, 0))
    assert spider.x == 6
    engine.step(Move(1, 0))
    events = engine.step(Move(1, 0))
    assert {Noticed, Spotted} <= set(kinds(events))
    assert spider in engine.state.map.entities_in_view()


def test_a_blow_wakes_a_sleeper_and_a_sentinel():
    engine = scene("#####\n#@T>#\n#####")
    troll = one(engine, "troll")
    troll.ai.state = AiState.ASLEEP
    troll.fighter.hp = 99  # A stab with the dagger would kill it.
    engine.step(Strike(1, 0))
    engine.step(Wait())
    assert troll.ai.state is AiState.HUNTING


def test_dwellers_are_decided_by_the_level_alone():
    level = build(complete(parse_code("vaulted:5:4")))
    assert initial_monsters(level) == initial_monsters(level)
    assert len({d.state for d in initial_monsters(level)}) > 2
    places = [(d.x, d.y) for d in initial_monsters(level)]
    assert len(set(places)) == len(places)


def test_spiders_wait_beside_doors():
    level = level_of("""
        ################
        #@......+......#
        #.......#..s...#
        #.......#.....>#
        ################
    """)
    (spider,) = initial_monsters(level)
    assert spider.state is AiState.HIDDEN
    assert (spider.x, spider.y) in {(9, 1), (9, 2), (7, 1), (7, 2)}
    assert level.tiles[1, 8] == Tile.DOOR


@pytest.mark.parametrize(
    "kind", [name for name, kind in creature_kinds().items() if kind.behaviour]
)
def test_every_kind_lives_through_forty_turns_beside_the_hero(kind):
    glyph = creature_kinds()[kind].glyph
    engine = scene(f"##########\n#@...{glyph}...#\n#...#...>#\n#...+....#\n##########")
    engine.state.hero.fighter.hp = engine.state.hero.fighter.max_hp = 999
    hero = engine.state.hero
    for turn in range(40):
        engine.step(Move(0, 1 if turn % 2 == 0 else -1))
        assert (hero.x, hero.y) in {(1, 1), (1, 2)} or drawn(engine)


SHUT_IN = """
    ##############################
    #..........+.................#
    #....?.....#.................#
    #..........#.............@..>#
    ##############################
"""


def test_a_wanderer_behind_a_door_that_it_cannot_open_stays_and_another_walks_out():
    for glyph, roams in (("r", False), ("o", True)):
        engine = scene(SHUT_IN.replace("?", glyph))
        creature = next(one for one in engine.state.map.entities.values() if one.ai)
        creature.ai.state, engine.state.hero.statuses["invisible"] = AiState.WANDERING, 99
        senses = Senses(engine.state, DijkstraMaps(engine.state.map))
        assert isinstance(wander(engine.state, creature, senses), Wait)
        assert (creature.ai.state is AiState.WANDERING) == roams
        assert ("wandering" in engine.state.streams) == roams, "it draws only if there is a choice"
        if roams:
            assert creature.ai.goal[0] > 11
            assert isinstance(wander(engine.state, creature, senses), Move)
