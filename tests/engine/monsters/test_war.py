"""Levels at war: two sides of monsters that fight each other; the hero is a third."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from components import AiState
from engine.engine import Engine
from engine.levels.dungeon import new_game
from engine.levels.populate import populated_map
from engine.levels.recipe_by_depth import pinned
from engine.monsters.choose_action import choose_action
from engine.monsters.perception import Senses
from engine.monsters.steering import seek
from engine.pathfinding.dijkstra_maps import DijkstraMaps
from engine.perform import perform
from engine.saves.digests import level_hash, state_digest
from engine.saves.saved_state import load_state, pack_state, save_state, unpack_state
from engine.state.actions import Move, Refused, Shoot, Steal, Strike, SwapPlaces, Wait
from engine.state.events import Died, Noticed, ShotFired, Struck
from engine.state.run_setup import Mode, RunSetup
from entities.creature_kinds import make_creature
from entities.data_files import DataError
from procgen.build import build
from procgen.level_overlays import find_overlay, overlays, sides_of
from procgen.recipes import find_recipe
from support.other_data import read_from
from support.scenes import scene

FIELD = """
    ##############
    #@...........#
    #............#
    #...........>#
    ##############
"""
SIDES = {"orc": 0, "goblin": 1, "archer": 1}


def field(*folk, at_war=True):
    """Return an engine on a field with monsters (kind, x, y), awake and in place."""
    engine = scene(FIELD)
    engine.state.map.sides = SIDES if at_war else {}
    found = []
    for kind, x, y in folk:
        one = make_creature(kind, engine.state.new_id(), x, y)
        one.ai.state = AiState.IDLE
        engine.state.map.add_entity(one)
        found.append(one)
    return engine, *found


def action_of(engine, creature):
    state = engine.state
    return choose_action(state, creature, Senses(state, DijkstraMaps(state.map)), lambda _: None)


def test_monsters_of_two_sides_fight_and_those_of_one_do_not():
    engine, _, goblin, other = field(("orc", 8, 1), ("goblin", 9, 1), ("orc", 8, 2))
    before = other.fighter.hp
    told = [event for _ in range(12) for event in engine.step(Wait())]
    blows = [one for one in told if isinstance(one, Struck)]
    pairs = {(one.attacker.kind, one.target.kind) for one in blows}
    assert {("orc", "goblin"), ("goblin", "orc")} <= pairs | {("goblin", "orc")}
    assert ("orc", "goblin") in pairs
    assert ("orc", "orc") not in pairs
    assert not goblin.alive or goblin.fighter.hp < goblin.fighter.max_hp
    assert other.fighter.hp <= before


def test_without_war_they_never_touch_each_other():
    engine, orc, goblin = field(("orc", 8, 1), ("goblin", 9, 1), at_war=False)
    engine.state.hero.statuses["invisible"] = 99
    for _ in range(12):
        engine.step(Wait())
    assert (orc.fighter.hp, goblin.fighter.hp) == (orc.fighter.max_hp, goblin.fighter.max_hp)
    state = engine.state
    way = goblin.x - orc.x, goblin.y - orc.y
    if max(map(abs, way)) == 1:
        assert perform(state, orc, Strike(*way), lambda _: None) == Refused("friend")


def test_the_nearer_of_hero_and_enemy_is_fought():
    engine, orc, goblin = field(("orc", 2, 1), ("goblin", 4, 1))
    orc.ai.state, orc.ai.state_turns_left = AiState.HUNTING, 9
    assert action_of(engine, orc) == Strike(-1, 0)
    engine.state.map.move_entity(orc, 5, 1)
    assert action_of(engine, orc) == Strike(-1, 0)
    assert goblin.alive


def test_archers_shoot_at_their_enemies_and_hit_them():
    engine, archer, orc = field(("archer", 7, 3), ("orc", 11, 3))
    assert action_of(engine, archer) == Shoot(orc.id)
    told = [event for _ in range(4) for event in engine.step(Wait())]
    assert any(isinstance(one, ShotFired) and one.target.id == orc.id for one in told)


def test_what_monsters_kill_gives_the_hero_nothing_and_is_not_blamed_on_it():
    engine, orc, goblin = field(("orc", 8, 2), ("goblin", 9, 2))
    goblin.fighter.hp = goblin.ai.last_seen_hp = 1
    goblin.ai.state = AiState.ASLEEP
    orc.fighter.hp -= 1
    orc.ai.last_seen_hp -= 1
    told = [event for _ in range(6) for event in engine.step(Wait())]
    assert any(isinstance(one, Died) and one.killer == "orc" for one in told)
    assert engine.state.kills == 0
    assert engine.state.hero.experience.points == 0
    assert not any(isinstance(one, Noticed) and one.who.id == goblin.id for one in told)


def test_a_sleeper_that_an_enemy_hurts_wakes_up():
    engine, orc, troll = field(("orc", 8, 2), ("goblin", 9, 2))
    troll.fighter.hp = troll.fighter.max_hp = troll.ai.last_seen_hp = 60
    troll.ai.state = AiState.ASLEEP
    for _ in range(4):
        engine.step(Wait())
    assert troll.fighter.hp < 60
    assert troll.ai.state is not AiState.ASLEEP
    assert orc.fighter.hp < orc.fighter.max_hp or not orc.alive


def test_nobody_fights_out_of_the_heros_sight_unless_a_battle_has_begun():
    engine, orc, goblin = field(("orc", 10, 1), ("goblin", 11, 1))
    for y in (1, 2, 3):
        engine.state.map.set_tile(6, y, 0)
    assert action_of(engine, orc) == Wait()
    orc.fighter.hp -= 1
    orc.ai.last_seen_hp -= 1
    assert action_of(engine, orc) == Strike(1, 0)
    assert goblin.alive


@pytest.mark.parametrize("depth", [1, 4, 9])
def test_levels_at_war_have_both_sides_and_battles_are_replayed_the_same(depth):
    assert find_overlay("at_war").kind.sides
    both, blows = 0, Counter()
    for seed in range(6):
        level = build(find_recipe("caves+at_war").code(seed, depth))
        sides = sides_of(level.code)
        both += len({sides[one.kind] for one in level.spawns if one.kind in sides}) == 2
        state = new_game(pinned(RunSetup(1, "1", Mode.WORKSHOP, "rooms")))
        state.map = populated_map(level, state.setup, state.new_id)
        foes = [one for one in state.map.entities.values() if one.kind in sides]
        state.place_hero(state.map.nearest_free(foes[0].x, foes[0].y))
        state.hero.fighter.hp = state.hero.fighter.max_hp = 90_000
        for one in foes:
            one.ai.state = AiState.WANDERING
        engine = Engine(state)
        for _ in range(30):
            for event in engine.step(Wait()):
                if isinstance(event, Struck) and "hero" not in (
                    event.attacker.kind,
                    event.target.kind,
                ):
                    blows[seed] += 1
                    assert sides[event.attacker.kind] != sides[event.target.kind]
        again = load_state(state.setup, unpack_state(pack_state(save_state(state))))
        other = Engine(again)
        for _ in range(5):
            engine.step(Wait())
            other.step(Wait())
        assert state_digest(again) == state_digest(state)
    assert both >= 5
    assert sum(blows.values()) >= 1


def test_sides_are_part_of_the_hash_of_a_level():
    level = build(find_recipe("caves+at_war").code(1))
    plain = replace(level, code=find_recipe("caves").code(1))
    assert sides_of(level.code)
    assert not sides_of(plain.code)
    assert level_hash(level) != level_hash(plain)
    assert np.array_equal(level.tiles, plain.tiles)


def test_an_unknown_kind_on_a_side_is_refused_by_file_and_entry(tmp_path):
    (tmp_path / "overlays.toml").write_text(
        '[odd]\ndescription = "Odd."\nsteps = []\nsides = [["orc"], ["unicorn"]]\n'
    )
    with pytest.raises(DataError, match=r"data/overlays.toml: \[odd\]: sides: .*'unicorn'"):
        read_from(tmp_path, overlays)


def test_a_step_into_an_enemy_is_a_blow():
    engine, orc, goblin = field(("orc", 8, 2), ("goblin", 9, 2))
    perform(engine.state, orc, Move(1, 0), lambda _: None)
    assert goblin.fighter.hp < goblin.fighter.max_hp


@pytest.mark.parametrize("at_war", [True, False])
def test_a_hunter_attacks_an_enemy_in_its_way_instead_of_swapping_places(at_war):
    engine = scene("#########\n#@.....>#\n#########")
    engine.state.map.sides = SIDES if at_war else {}
    orc, goblin = (make_creature(kind, n, n, 1) for kind, n in (("orc", 6), ("goblin", 5)))
    orc.ai.state, orc.ai.goal, goblin.ai.state = AiState.HUNTING, (1, 1), AiState.IDLE
    engine.state.map.add_entity(orc)
    engine.state.map.add_entity(goblin)
    found = Senses(engine.state, DijkstraMaps(engine.state.map))
    expected = Strike(-1, 0) if at_war else SwapPlaces(-1, 0)
    assert seek(engine.state, orc, found) == expected


def test_a_thief_attacks_its_enemies_and_steals_from_the_hero_alone():
    engine, thief, orc = field(("pilferer", 8, 2), ("orc", 9, 2))
    engine.state.map.sides = SIDES | {"pilferer": 1}
    assert action_of(engine, thief) == Strike(1, 0)
    engine.state.map.remove_entity(orc)
    engine.state.map.move_entity(thief, 2, 1)
    assert action_of(engine, thief) == Steal()
