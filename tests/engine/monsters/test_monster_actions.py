"""What each kind does: thieves, callers, chargers, menders, bosses."""

import re
from dataclasses import replace
from itertools import count
from types import SimpleNamespace

import pytest

from components import AiState
from components.inventory import Item
from engine.creatures.health import kill_if_dead
from engine.creatures.levelling import make_monster
from engine.items.effects.creature_effects import _change_kind
from engine.items.effects.effect_registry import all_effects
from engine.levels.populate import populated_map
from engine.monsters import monster_actions
from engine.monsters.initial_monsters import initial_monsters
from engine.pathfinding.known_paths import wanted_items_at
from engine.state.actions import Move, Wait
from engine.state.events import Blinked, Charged, Divided, Stole, Struck, Struggled, Summoned
from engine.state.game_map import Growing
from engine.state.run_setup import LAST_DEPTH, RunSetup
from engine.terrain.growth import _ripen
from entities.creature_kinds import creature_kinds, spawn_weights
from procgen.build import build
from procgen.level_code import parse_code
from procgen.settings import complete
from render.messages.message_log import turn_messages
from support.monsters import one, until
from support.scenes import kinds, scene


def hunting(engine, kind):
    """Return the one of ``kind``, on the hunt."""
    creature = one(engine, kind)
    creature.ai.state, creature.ai.state_turns_left = AiState.HUNTING, 99
    return creature


def test_a_thief_takes_what_is_loose_and_is_gone_until_it_dies():
    engine = scene("################\n#@p............#\n#.............>#\n################")
    hero, thief = engine.state.hero, hunting(engine, "pilferer")
    hero.inventory[:] = [Item(900, "healing_potion", 3)]
    assert until(engine, Stole) < 4
    assert (hero.inventory[0].count, thief.inventory[0].kind) == (2, "healing_potion")
    assert thief.inventory[0].id != 900
    for _ in range(8):
        engine.step(Wait())
    assert thief.x > 8
    thief.fighter.hp = 1
    fell_now(engine, thief)
    assert engine.state.map.items_at(thief.x, thief.y)[-1].kind == "healing_potion"
    assert wanted_items_at(engine.state, thief.x, thief.y), "it was stolen, not dropped"


def test_a_thief_takes_gold_when_there_is_nothing_else_and_it_comes_back():
    engine = scene("################\n#@p............#\n#.............>#\n################")
    hero, thief = engine.state.hero, hunting(engine, "pilferer")
    hero.inventory.clear()
    engine.state.gold = 100
    until(engine, Stole)
    assert 50 <= engine.state.gold <= 80
    fell_now(engine, thief)
    assert engine.state.gold == 100


def fell_now(engine, creature):
    creature.fighter.hp = 0
    kill_if_dead(engine.state, creature, "trap", lambda event: None)


def test_a_necromancer_calls_up_the_dead_and_they_teach_nothing():
    engine = scene("############\n#@.....N...#\n#.........>#\n############")
    hunting(engine, "necromancer")
    assert Summoned in kinds(engine.step(Wait()))
    skeleton = one(engine, "skeleton")
    assert skeleton.spawned_in_play
    assert skeleton.ai.state is AiState.HUNTING


def test_a_bull_charges_along_a_line_and_no_other_way():
    engine = scene("############\n#@.....q...#\n#.........>#\n############")
    bull = hunting(engine, "bull")
    hp = engine.state.hero.fighter.hp
    assert Charged in kinds(engine.step(Wait()))
    assert bull.x == 2
    assert engine.state.hero.fighter.hp < hp
    engine = scene("############\n#@.....f.q.#\n#..........#\n#..........#\n############")
    hunting(engine, "bull")
    assert Charged not in kinds(engine.step(Wait()))


def test_a_charger_in_a_net_tears_at_it_instead():
    engine = scene("############\n#@.....q...#\n#.........>#\n############")
    bull = hunting(engine, "bull")
    bull.statuses["held"] = 9
    events = engine.step(Wait())
    assert Charged not in kinds(events)
    assert Struggled in kinds(events)
    assert (bull.x, bull.y) == (7, 1)


def test_a_shade_is_suddenly_beside_one():
    engine = scene("############\n#@.....d...#\n#.........>#\n############")
    shade = hunting(engine, "shade")
    assert Blinked in kinds(engine.step(Wait()))
    assert max(abs(shade.x - 1), abs(shade.y - 1)) == 1


def test_a_wound_makes_two_of_a_jelly_and_no_hit_points():
    engine = scene("######\n#....#\n#.@J.#\n#...>#\n######")
    hunting(engine, "jelly").fighter.hp = 12
    until(engine, Divided)
    halves = [e for e in engine.state.map.entities.values() if e.kind == "jelly"]
    assert [half.fighter.hp for half in halves] == [6, 6]
    assert halves[1].spawned_in_play


@pytest.mark.parametrize("kind", ["jelly", "necromancer", "warden"])
@pytest.mark.parametrize("crowded", [False, True])
def test_a_monster_that_has_no_room_to_multiply_strikes_instead(kind, crowded, monkeypatch):
    engine = scene("####\n#@J#\n####".replace("J", creature_kinds()[kind].glyph))
    if crowded:
        monkeypatch.setattr(monster_actions, "MOST_MONSTERS", 1)
        engine = scene("#####\n##.##\n#@J##\n#####".replace("J", creature_kinds()[kind].glyph))
    hunting(engine, kind).fighter.hp = 12
    until(engine, Struck, turns=3)


DEEP = LAST_DEPTH + 8
SCENES = {
    "necromancer": "############\n#@.....N...#\n#.........>#\n############",
    "jelly": "######\n#....#\n#.@J.#\n#...>#\n######",
}


def deep(kind):
    """Return an engine far below the last depth, with a ``kind`` as strong as is usual there."""
    engine = scene(SCENES[kind])
    engine.state.map.code = replace(engine.state.map.code, depth=DEEP)
    hunting(engine, kind).fighter = make_monster(kind, 0, 0, 0, DEEP).fighter
    return engine


def test_a_monster_that_is_summoned_is_as_strong_as_any_at_that_depth():
    engine = deep("necromancer")
    engine.step(Wait())
    skeleton, usual = one(engine, "skeleton"), make_monster("skeleton", 0, 0, 0, DEEP)
    assert skeleton.fighter == usual.fighter
    assert usual.fighter.power > creature_kinds()["skeleton"].power


def test_both_parts_of_a_jelly_hit_as_hard_as_the_whole():
    engine = deep("jelly")
    whole = one(engine, "jelly")
    whole.fighter.hp = 12
    until(engine, Divided)
    parts = [e.fighter.power for e in engine.state.map.entities.values() if e.kind == "jelly"]
    assert parts == [make_monster("jelly", 0, 0, 0, DEEP).fighter.power] * 2


def test_what_grows_is_summoned_by_a_scroll_or_changed_is_as_strong_as_the_depth_is_deep():
    engine = deep("jelly")
    state, jelly = engine.state, one(engine, "jelly")
    growing = Growing("thicket_seed", [], 1 * state.map.width + 1, [], "orc")
    _ripen(state.map, growing, state.new_id)
    use = SimpleNamespace(
        state=state, emit=lambda _: None, user=state.hero, kind=SimpleNamespace(strength=1)
    )
    all_effects()["summon"].apply(use)
    *_, orc, summoned = state.map.entities.values()
    _change_kind(use, jelly, "ogre")
    for creature in (orc, summoned, jelly):
        assert creature.fighter == make_monster(creature.kind, 0, 0, 0, DEEP).fighter


def test_a_shaman_closes_wounds_of_others():
    engine = scene("############\n#@....o.h..#\n#.........>#\n############")
    hunting(engine, "shaman")
    orc = hunting(engine, "orc")
    orc.fighter.hp = orc.ai.last_seen_hp = 3
    engine.step(Wait())
    assert orc.fighter.hp == 9


def test_a_gaze_slows_and_does_no_harm():
    engine = scene("############\n#@.....e...#\n#.........>#\n############")
    hunting(engine, "gazer")
    hp = engine.state.hero.fighter.hp
    engine.step(Wait())
    assert "slowed" in engine.state.hero.statuses
    assert engine.state.hero.fighter.hp == hp


def test_each_boss_waits_at_its_depth_and_nowhere_else():
    for depth, boss in ((4, "warlord"), (8, "broodmother"), (12, "warden")):
        found = [
            d.kind for d in initial_monsters(build(complete(parse_code(f"vaulted:5:{depth}"))))
        ]
        assert found.count(boss) == 1
    assert {"warlord", "broodmother", "warden"}.isdisjoint(
        d.kind for d in initial_monsters(build(complete(parse_code("vaulted:5:7"))))
    )


def test_a_boss_outlasts_all_that_spawn_at_its_depth():
    for boss in (kind for kind in creature_kinds().values() if kind.lair):
        others = (creature_kinds()[name].hp for name in spawn_weights(boss.lair))
        assert boss.hp > max(others)


def test_a_boss_guards_the_same_item_on_every_visit_and_drops_it():
    level = build(complete(parse_code("vaulted:5:4")))
    found = [
        creature.inventory
        for _ in range(2)
        for creature in populated_map(level, RunSetup(5, "5"), count().__next__).entities.values()
        if creature_kinds()[creature.kind].lair
    ]
    assert found[0] == found[1] != []
    engine = scene("#####\n#@R>#\n#####")
    boss = hunting(engine, "warlord")
    boss.inventory, boss.fighter.hp = found[0], 1
    engine.state.hero.fighter.power = 99
    text = " ".join(text for text, _ in turn_messages(engine.step(Move(1, 0))))
    assert re.search(
        "You .* Old Tusk the warlord .* kill him.* Old Tusk the warlord drops an? ", text
    )
    assert engine.state.map.items_at(boss.x, boss.y) == found[0]


def test_a_bite_poisons():
    engine = scene("#####\n#@v>#\n#####")
    viper = hunting(engine, "viper")
    viper.fighter.power = 9
    for _ in range(12):
        engine.step(Wait())
    assert "poisoned" in engine.state.hero.statuses
