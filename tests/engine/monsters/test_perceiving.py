"""One look of a monster at a time: what its AI state is before and after, and for how long."""

from itertools import product

import pytest

from components import AiState
from engine.creatures.health import apply_damage, turns_per_hit_point
from engine.creatures.levelling import make_monster
from engine.creatures.noise import FIGHTING, SCENT_TURNS, STILL, alert, shout
from engine.monsters.behaviours import BEHAVIOURS, can_shoot
from engine.monsters.monster_actions import (
    cry_out,
    heal_other,
    pass_monster,
    shoot,
    spawn_hunter,
    split,
    steal,
    summon_monsters,
)
from engine.monsters.perception import (
    FLEE_TURNS,
    PACK_ALERT_RANGE,
    Senses,
    _audibility,
    _investigate,
    perceive,
    senses_of_enemy,
)
from engine.pathfinding.dijkstra_maps import DijkstraMaps
from engine.state import actions as act
from engine.state.events import CalledForHelp, Fled, LostTrack, Noticed
from engine.state.game_state import Noise
from engine.state.run_setup import LAST_DEPTH
from entities.creature_kinds import creature_kinds
from entities.terrain import Tile
from support.rule_scenes import field, put, silent
from support.scenes import kinds, scene

WALLED = "\n".join(["#" * 40, "#@#" + "." * 36 + "#", "#" * 40])
"""The hero in a cell, out of sight of everybody."""


def looks(engine, creature, noises=()):
    """Let ``creature`` look once; return what it tells."""
    told = []
    engine.state.noises = list(noises)
    senses = Senses(engine.state, DijkstraMaps(engine.state.map))
    perceive(engine.state, creature, senses, told.append)
    return kinds(told)


def hidden_orc(state, kind="orc", **mind):
    """Return a world with a monster out of sight of the hero, and the monster."""
    engine = scene(WALLED)
    orc = put(engine, kind, 10, 1, state)
    orc.ai.last_seen_hp = orc.fighter.hp
    for name, value in mind.items():
        setattr(orc.ai, name, value)
    return engine, orc


@pytest.mark.parametrize(("state", "left", "after", "then"), [
    (AiState.HUNTING, 3, AiState.HUNTING, 2), (AiState.HUNTING, 2, AiState.HUNTING, 1),
    (AiState.HUNTING, 1, AiState.WANDERING, 0), (AiState.SEARCHING, 2, AiState.SEARCHING, 1),
    (AiState.SEARCHING, 1, AiState.WANDERING, 0), (AiState.FLEEING, 2, AiState.FLEEING, 1),
    (AiState.FLEEING, 1, AiState.HUNTING, 6), (AiState.WANDERING, 5, AiState.WANDERING, 5),
    (AiState.IDLE, 5, AiState.IDLE, 5), (AiState.ASLEEP, 5, AiState.ASLEEP, 5),
    (AiState.HIDDEN, 5, AiState.HIDDEN, 5),
])  # fmt: skip
def test_turns_of_tracking_count_down_out_of_sight(state, left, after, then):
    engine, orc = hidden_orc(state, state_turns_left=left, goal=(20, 1), memory_turns=6)
    told = looks(engine, orc)
    assert (orc.ai.state, orc.ai.state_turns_left) == (after, then)
    assert told == ([LostTrack] if state is AiState.HUNTING and left == 1 else [])
    gives_up = after is AiState.WANDERING and state is not after
    assert (orc.ai.goal is None) == gives_up


@pytest.mark.parametrize("left", range(1, 10))
def test_the_place_of_the_hero_is_known_for_the_first_turns_out_of_sight(left):
    engine, orc = hidden_orc(AiState.HUNTING, state_turns_left=left, goal=(20, 1), memory_turns=9)
    looks(engine, orc)
    if left > 1:
        assert orc.ai.goal == ((1, 1) if 9 - left < SCENT_TURNS else (20, 1))
    engine, orc = hidden_orc(AiState.HUNTING, state_turns_left=left, memory_turns=9)
    looks(engine, orc)
    assert orc.ai.goal == ((1, 1) if left > 1 else None), "without a goal it takes up the scent"


@pytest.mark.parametrize(("kind", "spawned", "turns_here", "keeps"), [
    ("orc", True, 10**5, True), ("orc", False, 10**5, False), ("orc", True, 0, False)
])  # fmt: skip
def test_only_hunters_of_an_alerted_level_keep_track_for_ever(kind, spawned, turns_here, keeps):
    engine, orc = hidden_orc(AiState.HUNTING, kind, state_turns_left=1, memory_turns=7)
    orc.spawned_in_play, engine.state.map.turns_here = spawned, turns_here
    looks(engine, orc)
    assert (orc.ai.state is AiState.HUNTING) == keeps
    assert (orc.ai.state_turns_left, orc.ai.goal) == ((7, (1, 1)) if keeps else (0, None))


@pytest.mark.parametrize(("kind", "after"), [
    ("orc", AiState.WANDERING), ("mimic", AiState.HIDDEN), ("spider", AiState.HIDDEN),
    ("puffball", AiState.IDLE),
])  # fmt: skip
def test_one_that_gives_up_does_what_its_kind_does(kind, after):
    engine, one = hidden_orc(AiState.SEARCHING, kind, state_turns_left=1)
    looks(engine, one)
    assert one.ai.state is after


@pytest.mark.parametrize(("cooldown", "after"), [(3, 2), (1, 0), (0, 0)])
def test_a_cooldown_counts_down_to_0(cooldown, after):
    engine, orc = hidden_orc(AiState.IDLE, cooldown=cooldown)
    looks(engine, orc)
    assert orc.ai.cooldown == after


@pytest.mark.parametrize("state", [AiState.IDLE, AiState.ASLEEP, AiState.FLEEING, AiState.HUNTING])
@pytest.mark.parametrize(("hp", "before", "kind"), [
    (5, 5, "goblin"), (4, 5, "goblin"), (3, 5, "goblin"), (2, 5, "goblin"), (2, 2, "goblin"),
    (3, 4, "goblin"), (1, 5, "orc"), (6, 5, "goblin"),
])  # fmt: skip
def test_one_that_is_hurt_hunts_and_one_that_is_hurt_badly_flees(state, hp, before, kind):
    engine, one = hidden_orc(state, kind, last_seen_hp=before, state_turns_left=5)
    one.fighter.hp, one.fighter.max_hp = hp, 10
    hurt, weak = hp < before, hp < creature_kinds()[kind].traits.flee_below * 10
    told = looks(engine, one)
    assert one.ai.last_seen_hp == hp
    if hurt and weak:
        assert one.ai.state is AiState.FLEEING
        assert one.ai.state_turns_left == FLEE_TURNS - 1
    elif hurt and state is not AiState.FLEEING:
        assert one.ai.state is AiState.HUNTING
        assert one.ai.goal == (1, 1)
    else:
        assert one.ai.state is state
    assert (Fled in told) == (hurt and weak and state is not AiState.FLEEING)
    noticed = one.ai.state is AiState.HUNTING and state is not AiState.HUNTING
    assert (Noticed in told) == noticed


@pytest.mark.parametrize("depth", [1, LAST_DEPTH + 8])
def test_a_sleeper_of_any_depth_feels_its_first_wound(depth):
    engine = field(3, 7)
    orc = make_monster("orc", 900, 18, 7, depth)
    orc.ai.state, orc.statuses["poisoned"] = AiState.ASLEEP, 2
    engine.state.map.add_entity(orc)
    assert Noticed in kinds(engine.step(act.Wait()))


@pytest.mark.parametrize("turn", [0, 1, 2])
def test_a_sleeper_feels_a_wound_of_one_hit_point_while_it_regenerates(turn):
    engine = field(3, 7)
    troll = put(engine, "troll", 18, 7, AiState.ASLEEP)
    assert turns_per_hit_point(troll) == 3
    apply_damage(engine.state, troll, 1, "trap", silent)
    engine.state.turn = turn
    assert Noticed in kinds(engine.step(act.Wait()))


@pytest.mark.parametrize("left", [1, 3, FLEE_TURNS, 40])
def test_the_frightened_flee_for_as_long_as_they_would_have_anyhow(left):
    engine, orc = hidden_orc(AiState.FLEEING, state_turns_left=left)
    orc.statuses["afraid"] = 9
    assert looks(engine, orc) == []
    assert orc.ai.state_turns_left == max(left, 2) - 1


@pytest.mark.parametrize("state", [AiState.HUNTING, AiState.SEARCHING, AiState.ASLEEP])
def test_fear_ends_with_its_status_whatever_the_monster_remembered(state):
    engine = field(3, 7)
    orc = put(engine, "orc", 18, 7, state)
    orc.ai.state_turns_left, orc.statuses["afraid"] = 30, 5
    fled = 0
    while "afraid" in orc.statuses:
        assert (orc.ai.state is AiState.FLEEING) == (fled > 0)
        engine.step(act.Wait())
        fled += 1
    assert (fled, orc.ai.state) == (5, AiState.HUNTING)


@pytest.mark.parametrize("apart", [1, 2, 3])
def test_an_ambush_begins_two_tiles_off(apart):
    engine = field(3, 7)
    mimic = put(engine, "mimic", 3 + apart, 7, AiState.HIDDEN)
    mimic.ai.last_seen_hp = mimic.fighter.hp
    looks(engine, mimic)
    assert mimic.ai.state is (AiState.HUNTING if apart <= 2 else AiState.HIDDEN)


@pytest.mark.parametrize("loudness", [STILL, 8, FIGHTING - 1, FIGHTING, 20])
def test_a_search_is_as_much_longer_as_a_fight_is_loud(loudness):
    _, orc = hidden_orc(AiState.IDLE, memory_turns=6)
    _investigate(orc, Noise(4, 5, loudness))
    assert (orc.ai.state, orc.ai.goal) == (AiState.SEARCHING, (4, 5))
    assert orc.ai.state_turns_left == 6 + (loudness if loudness >= FIGHTING else 0)


@pytest.mark.parametrize("mood", [AiState.ASLEEP, AiState.IDLE, AiState.WANDERING])
def test_a_boss_wakes_for_a_noise_and_stays_where_it_guards(mood):
    _, boss = hidden_orc(mood)
    boss.kind = "warden"
    for hears in (lambda: _investigate(boss, Noise(4, 5, 20)), lambda: alert(boss, 4, 5)):
        boss.ai.state = mood
        hears()
        assert boss.ai.state is (AiState.IDLE if mood is AiState.ASLEEP else mood)
        assert boss.ai.goal is None


@pytest.mark.parametrize("hearing", [100, 50, 200])
def test_a_noise_fades_with_every_step(hearing):
    engine, orc = hidden_orc(AiState.IDLE)
    traits = creature_kinds()["orc"].traits
    traits = type(traits)(hearing=hearing)
    senses = Senses(engine.state, DijkstraMaps(engine.state.map))
    carries = 10 * hearing // 100
    for x in range(3, 39):
        steps = abs(x - 10)
        heard = _audibility(orc, traits, senses, Noise(x, 1, 10))
        assert heard == pytest.approx(
            max(0.0, 1 - (steps - 1) / carries) if steps <= carries else 0
        )


@pytest.mark.parametrize(("kind", "cooldown"), list(product(["orc", "goblin"], [0, 1, 4])))
def test_a_pack_tells_its_kin_and_a_shouter_everybody_within_earshot(kind, cooldown):
    engine = field(3, 7)
    caller = put(engine, kind, 6, 7, AiState.IDLE)
    traits = creature_kinds()[kind].traits
    caller.ai.last_seen_hp, caller.ai.cooldown = caller.fighter.hp, cooldown + 1
    caller.ai.sight = 0
    others = [
        put(engine, other, 6 + apart, 7 + row, AiState.ASLEEP)
        for row, other in ((3, kind), (-3, "rat"))
        for apart in (PACK_ALERT_RANGE, PACK_ALERT_RANGE + 1, 13)
    ]
    for one in others:
        one.ai.last_seen_hp = one.fighter.hp
    caller.fighter.hp -= 1
    told = looks(engine, caller)
    calls = bool(traits.shout_radius) and cooldown == 0
    assert (CalledForHelp in told) == calls
    for one in others:
        apart = caller.distance_to(one)
        pack = traits.pack[1] > 1 and one.kind == kind and apart <= PACK_ALERT_RANGE
        hears = pack or (calls and apart <= traits.shout_radius)
        assert (one.ai.state is AiState.SEARCHING) == hears, (one.kind, apart)
    assert caller.ai.cooldown == (caller.ai.memory_turns if calls else cooldown)


@pytest.mark.parametrize("kin", [True, False])
@pytest.mark.parametrize("state", list(AiState))
def test_a_shout_alerts_all_but_those_that_hunt_flee_or_hide(kin, state):
    engine = field(3, 7)
    caller = put(engine, "orc", 6, 7)
    near, far, rat = (put(engine, k, x, 7, state) for k, x in (("orc", 9), ("orc", 10), ("rat", 5)))
    shout(engine.state, caller, 3, kin=kin)
    deaf = state in (AiState.HUNTING, AiState.FLEEING, AiState.HIDDEN)
    for one, reached in ((near, True), (far, False), (rat, not kin)):
        alerted = reached and not deaf
        assert one.ai.state is (AiState.SEARCHING if alerted else state)
        assert one.ai.goal == ((3, 7) if alerted else None)
        assert not alerted or one.ai.state_turns_left == one.ai.memory_turns + SCENT_TURNS
    assert caller.ai.state is AiState.HUNTING


@pytest.mark.parametrize(
    ("cooldown", "does"), [(0, act.CallForHelp()), (1, act.Wait()), (5, act.Wait())]
)
def test_a_shrieker_cries_whenever_it_can(cooldown, does):
    engine = field(3, 7)
    cap = put(engine, "shriekcap", 6, 7)
    cap.ai.cooldown = cooldown
    senses = Senses(engine.state, DijkstraMaps(engine.state.map))
    assert BEHAVIOURS["shrieker"](engine.state, cap, senses) == does


def test_an_erratic_monster_goes_astray_four_times_of_ten():
    engine = field(3, 7)
    bat = put(engine, "bat", 12, 7)
    senses = Senses(engine.state, DijkstraMaps(engine.state.map))
    ways = [BEHAVIOURS["erratic"](engine.state, bat, senses) for _ in range(600)]
    assert set(ways) == {act.Move(dx, dy) for dx, dy in product((-1, 0, 1), repeat=2) if dx or dy}
    off = sum(way.dx >= 0 for way in ways)
    assert 0.4 * 5 / 8 * 600 * 0.75 < off < 0.4 * 5 / 8 * 600 * 1.25


def test_monsters_do_no_action_that_they_cannot():
    engine = field(3, 7)
    state, hero = engine.state, engine.state.hero
    orc, thief = put(engine, "orc", 6, 7), put(engine, "pilferer", 5, 7)
    assert shoot(state, orc, act.Shoot(hero.id), silent) == act.Refused("nothing to shoot")
    archer = put(engine, "archer", 9, 7)
    assert shoot(state, archer, act.Shoot(777), silent) == act.Refused("nothing to shoot")
    assert shoot(state, hero, act.Shoot(orc.id), silent) == act.Refused("nothing to shoot")
    assert cry_out(state, hero, act.CallForHelp(), silent) == act.Refused("nobody hears")
    state.gold = 50
    assert steal(state, thief, act.Steal(), silent) == act.Refused("nobody there")
    assert steal(state, hero, act.Steal(), silent) == act.Refused("nobody there")
    assert state.gold == 50
    for one, refusal in ((orc, "no room"), (hero, "no room")):
        assert summon_monsters(state, one, act.Summon(), silent) == act.Refused(refusal)
    for patient in (777, hero.id):
        tended = heal_other(state, orc, act.Heal(patient), silent)
        assert tended == act.Refused("nobody there")
    assert heal_other(state, hero, act.Heal(orc.id), silent) == act.Refused("nobody there")
    orc.fighter.hp = 1
    assert split(state, orc, act.Divide(), silent) == act.Refused("no room")
    for dx, dy in ((0, 0), (1, 0)):
        swap = act.SwapPlaces(dx, dy)
        assert pass_monster(state, orc, swap, silent) == act.Refused("nobody there")
    thief.x, beside = 4, act.SwapPlaces(-1, 0)
    state.map.move_entity(orc, 4, 7)
    assert pass_monster(state, orc, beside, silent) == act.Refused("nobody there")


@pytest.mark.parametrize(("gold", "least", "most"), [(10_000, 2000, 5000), (4, 1, 2), (1, 1, 1)])
def test_a_thief_takes_whole_hundredths_of_the_gold(gold, least, most):
    for _ in range(20):
        engine = field(3, 7)
        thief, engine.state.gold = put(engine, "pilferer", 4, 7), gold
        assert steal(engine.state, thief, act.Steal(), silent) == act.Done()
        assert least <= thief.ai.stolen_gold <= most
        assert gold < 100 or thief.ai.stolen_gold % (gold // 100) == 0
        assert engine.state.gold == gold - thief.ai.stolen_gold
        if engine.state.gold:  # It comes back for more, and keeps what it has.
            assert steal(engine.state, thief, act.Steal(), silent) == act.Done()
        assert engine.state.gold + thief.ai.stolen_gold == gold


def test_a_hunter_that_is_called_knows_the_hero():
    engine = field(3, 7)
    orc = spawn_hunter(engine.state, "orc", 8, 8)
    assert (orc.spawned_in_play, orc.ai.state, orc.ai.goal) == (True, AiState.HUNTING, (3, 7))
    assert orc.ai.state_turns_left == orc.ai.memory_turns
    assert engine.state.map.entity_at(8, 8) is orc


@pytest.mark.parametrize("state", list(AiState))
@pytest.mark.parametrize(("hurt", "apart"), [(0, 2), (1, 2), (0, 5), (1, 5)])
def test_in_war_monsters_turn_on_a_nearer_enemy_than_the_hero(state, hurt, apart, monkeypatch):
    engine = field(3, 7)
    orc, near, far = (put(engine, k, x, 7, state) for k, x in (("orc", 7), ("rat", 9), ("bat", 13)))
    monkeypatch.setattr(engine.state.map, "are_at_war", lambda a, b: b in (near, far))
    orc.fighter.hp -= hurt
    engine.state.map.move_entity(near, 7 + apart, 7)
    near.ai.state = AiState.HUNTING
    senses = Senses(engine.state, DijkstraMaps(engine.state.map))
    found = senses_of_enemy(engine.state, orc, senses)
    idle = state in (AiState.ASLEEP, AiState.HIDDEN, AiState.FLEEING)
    if idle or (state is AiState.HUNTING and apart >= 4):
        assert found is None
    else:
        assert found.target is near


@pytest.mark.parametrize(("x", "y"), [(0, 1), (1, 0), (2, 3), (3, 2)])
def test_the_eight_tiles_around_the_hero_are_beside_it(x, y):
    engine = field(1, 1)
    engine.state.map.set_tile(0, 1, Tile.FLOOR)
    engine.state.map.set_tile(1, 0, Tile.FLOOR)
    engine.state.hero.statuses["invisible"] = 9
    orc = put(engine, "orc", x, y)
    senses = Senses(engine.state, DijkstraMaps(engine.state.map))
    assert senses.sees(orc) == (max(abs(x - 1), abs(y - 1)) <= 1)


def test_no_archer_of_the_data_shoots_in_the_light_before_the_hero_can_see_it():
    for name, kind in creature_kinds().items():
        shot = kind.traits.ranged_attack
        if shot is None:
            continue
        engine = field(2, 2, "\n".join(["#" * 34, *["#" + "." * 32 + "#"] * 17, "#" * 34]))
        archer = put(engine, name, 30, 15, AiState.HUNTING)
        for dx, dy in product(range(2, 13), range(13)):
            archer.x, archer.y = 2 + dx, 2 + dy
            senses = Senses(engine.state, DijkstraMaps(engine.state.map))
            if senses.sees(archer) and can_shoot(engine.state, archer, senses):
                assert engine.state.map.visible[archer.y, archer.x], (name, dx, dy)
