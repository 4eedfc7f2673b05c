"""Where each behaviour of monsters begins and ends: to the tile, the turn and the hit point."""

from itertools import pairwise, product

import pytest

from components import AiState
from components.inventory import Item
from engine.combat.damage import damage_after_armour
from engine.monsters import monster_actions
from engine.monsters.behaviours import BEHAVIOURS
from engine.monsters.monster_actions import spawn_hunter, spawn_places
from engine.monsters.perception import Senses
from engine.pathfinding.dijkstra_maps import DijkstraMaps
from engine.perform import perform
from engine.state.actions import (
    Blink,
    CallForHelp,
    Charge,
    Divide,
    Done,
    Heal,
    Move,
    Refused,
    Shoot,
    Steal,
    Strike,
    Summon,
    Wait,
)  # fmt: skip
from engine.state.events import Blinked, Charged, Healed, ShotFired, Stole, Summoned
from entities.creature_kinds import creature_kinds
from entities.terrain import Tile
from support.rule_scenes import silent
from support.scenes import scene

EMPTY = ["#" + "." * 30 + "#"] * 9
WIDE = "\n".join(["#" * 32, *EMPTY, f"#@{'.' * 29}#", *EMPTY, "#" * 32])
HERO = 1, 10


def field(kind, away, *, turn=3, cooldown=0, drawing=WIDE, health=None):
    """Return an engine on an open field and the choice of a ``kind`` that hunts, ``away`` off."""
    engine = scene(drawing)
    hunter = spawn_hunter(engine.state, kind, HERO[0] + away[0], HERO[1] + away[1])
    hunter.ai.cooldown, engine.state.turn = cooldown, turn
    hunter.fighter.hp = health or hunter.fighter.hp
    return engine, hunter


def choice(engine, hunter):
    """Return what the hunter would do now."""
    senses = Senses(engine.state, DijkstraMaps(engine.state.map))
    behaviour = creature_kinds()[hunter.kind].behaviour
    return BEHAVIOURS[behaviour](engine.state, hunter, senses)


def told(*args, **more):
    return choice(*field(*args, **more))


def way(action):
    """Return "near" for a step towards the hero, "off" for one away, or the kind of action."""
    if not isinstance(action, Move):
        return type(action)
    return "near" if action.dx < 0 else "off" if action.dx > 0 else "aside"


@pytest.mark.parametrize(
    ("kind", "reach"), [("kobold", 6), ("archer", 8), ("centaur", 8), ("hag", 7), ("salamander", 6)]
)
def test_a_shooter_shoots_within_reach_and_backs_off_every_other_turn_from_nearer_than_3(
    kind, reach
):
    assert creature_kinds()[kind].traits.ranged_attack.reach == reach
    for apart, odd in product(range(1, reach + 3), (False, True)):
        near = Strike if apart == 1 else Shoot if apart <= reach else "near"
        wanted = "off" if apart < 3 and odd else near
        assert way(told(kind, (apart, 0), turn=2 + odd)) == wanted, (apart, odd)
        spent = Strike if apart == 1 else Wait if apart <= 3 else "near"
        spent = "off" if apart < 3 and odd else spent
        assert way(told(kind, (apart, 0), turn=2 + odd, cooldown=1)) == spent, (apart, odd)


def test_a_shot_reaches_as_far_as_a_circle():
    for dx, dy in ((1, 1), (1, 7), (1, 8), (7, 3), (7, 4), (4, 6), (5, 6), (6, 6), (8, 0), (8, 1)):
        inside = dx * dx + dy * dy <= 8 * 8
        near = Strike if max(dx, dy) == 1 else Shoot if inside else Wait
        assert type(told("gazer", (dx, dy))) is near, (dx, dy)
        assert type(told("gazer", (dx, dy), cooldown=1)) is (Strike if max(dx, dy) == 1 else Wait)


@pytest.mark.parametrize("apart", range(1, 12))
@pytest.mark.parametrize("turn", [2, 3])
def test_a_summoner_calls_whenever_it_can_and_keeps_four_to_eight_tiles_off(apart, turn):
    assert told("necromancer", (apart, 0), turn=turn) == Summon()
    near = "off" if turn % 2 else Strike if apart == 1 else Wait
    wanted = near if apart < 4 else Wait if apart <= 8 else "near"
    assert way(told("necromancer", (apart, 0), turn=turn, cooldown=1)) == wanted


@pytest.mark.parametrize("kind", ["archer", "necromancer", "shaman"])
def test_a_hero_as_fast_as_one_that_keeps_away_catches_it_in_the_open(kind):
    engine, foe = field(kind, (5, 0), cooldown=40)
    for _ in range(12):
        dx, dy = foe.x - engine.state.hero.x, foe.y - engine.state.hero.y
        if max(abs(dx), abs(dy)) == 1:
            return
        engine.step(Move((dx > 0) - (dx < 0), (dy > 0) - (dy < 0)))
    pytest.fail(f"the {kind} is never reached")


@pytest.mark.parametrize("apart", range(1, 10))
@pytest.mark.parametrize("turn", range(3))
def test_a_sovereign_shoots_from_two_tiles_off_and_summons_first(apart, turn):
    wanted = Shoot if 1 < apart <= 7 else Strike if apart == 1 else "near"
    assert way(told("banshee", (apart, 0), turn=turn)) == wanted
    wanted = Strike if apart == 1 else "near"
    assert way(told("banshee", (apart, 0), turn=turn, cooldown=1)) == wanted
    assert told("warden", (apart, 0), turn=turn) == Summon()
    wanted = Shoot if turn == 0 and 1 < apart <= 8 else Strike if apart == 1 else "near"
    assert way(told("warden", (apart, 0), turn=turn, cooldown=1)) == wanted


@pytest.mark.parametrize("apart", range(1, 11))
def test_a_shade_blinks_from_three_to_eight_tiles_off_to_a_free_tile_beside_the_hero(apart):
    found = told("shade", (apart, 0))
    assert isinstance(found, Blink) == (3 <= apart <= 8)
    if isinstance(found, Blink):
        assert max(abs(found.x - HERO[0]), abs(found.y - HERO[1])) == 1
    near = Strike if apart == 1 else "near"
    assert way(told("shade", (apart, 0), cooldown=1)) == near


def test_a_shade_blinks_nowhere_if_the_hero_stands_between_walls():
    engine, shade = field("shade", (5, 0))
    for x, y in product(range(3), range(9, 12)):
        if (x, y) != HERO:
            engine.state.map.set_tile(x, y, Tile.WALL)
    assert not isinstance(choice(engine, shade), Blink)
    engine.state.map.set_tile(2, 11, Tile.FLOOR)
    assert choice(engine, shade) == Blink(2, 11)
    shade.statuses["held"] = 9
    perform(engine.state, shade, Blink(2, 11), silent)
    assert "held" not in shade.statuses, "its net stays behind"


@pytest.mark.parametrize(("dx", "dy"), [(7, 0), (8, 0), (0, 7), (-5, -6), (-6, -6), (0, -8)])
def test_a_healer_heals_the_wounded_as_far_as_it_sees(dx, dy):
    engine, shaman = field("shaman", (14, 0))
    orc = spawn_hunter(engine.state, "orc", shaman.x + dx, shaman.y + dy)
    assert choice(engine, shaman) == Wait() or way(choice(engine, shaman)) == "near"
    orc.fighter.hp -= 1
    assert shaman.ai.sight == 8
    heals = dx * dx + dy * dy < 8**2
    assert (choice(engine, shaman) == Heal(orc.id)) is heals
    shaman.ai.cooldown = 1
    assert choice(engine, shaman) != Heal(orc.id)


def test_a_healer_heals_nobody_behind_a_wall_or_while_blind():
    engine, shaman = field("shaman", (14, 0))
    orc = spawn_hunter(engine.state, "orc", shaman.x, shaman.y + 4)
    orc.fighter.hp -= 1
    assert choice(engine, shaman) == Heal(orc.id)
    shaman.statuses["blind"] = 9
    assert choice(engine, shaman) != Heal(orc.id)
    shaman.statuses.clear()
    for x in range(1, 31):
        engine.state.map.set_tile(x, shaman.y + 2, Tile.WALL)
    assert choice(engine, shaman) != Heal(orc.id)


@pytest.mark.parametrize(("lost", "healed"), [(1, 1), (5, 5), (6, 6), (7, 6)])
def test_one_healing_restores_six_hit_points_at_most_and_comes_every_fourth_turn(lost, healed):
    engine, shaman = field("shaman", (6, 0))
    orc = spawn_hunter(engine.state, "orc", shaman.x + 1, shaman.y)
    orc.fighter.hp -= lost
    orc.statuses["held"] = shaman.statuses["held"] = 99
    events = engine.step(Wait())
    assert [e.amount for e in events if isinstance(e, Healed)] == [healed]
    turns = 0
    while turns < 9:
        orc.fighter.hp, turns = orc.fighter.max_hp - 1, turns + 1
        if any(isinstance(event, Healed) for event in engine.step(Wait())):
            break
    assert turns == 3


@pytest.mark.parametrize("apart", [1, 2])
def test_a_thief_steals_from_beside_the_hero(apart):
    assert (told("pilferer", (apart, 0)) == Steal()) is (apart == 1)


def steal(gold, seed):
    engine = scene(WIDE, seed=seed)
    thief = spawn_hunter(engine.state, "pilferer", 2, 10)
    engine.state.hero.inventory.clear()
    engine.state.gold = gold
    events = engine.step(Wait())
    return engine, thief, [event.gold for event in events if isinstance(event, Stole)]


def test_a_thief_takes_a_fifth_to_a_half_of_the_gold_and_at_least_one_piece():
    shares = set()
    for seed in range(50):
        engine, thief, gold = steal(100, seed)
        assert gold == [thief.ai.stolen_gold] == [100 - engine.state.gold]
        shares.update(gold)
    assert min(shares) >= 20
    assert max(shares) <= 50
    assert len(shares) > 12
    assert all(steal(1, seed)[2] == [1] for seed in range(4))
    assert steal(0, 1)[2] == [], "it strikes instead"


@pytest.mark.parametrize(("count", "left"), [(1, []), (2, [1]), (5, [4])])
def test_a_thief_takes_one_of_a_stack_and_runs_for_four_hundred_turns(count, left):
    engine = scene(WIDE)
    thief = spawn_hunter(engine.state, "pilferer", 2, 10)
    engine.state.hero.inventory[:] = [Item(900, "healing_potion", count)]
    engine.step(Wait())
    assert [item.count for item in engine.state.hero.inventory] == left
    assert [(item.kind, item.count) for item in thief.inventory] == [("healing_potion", 1)]
    assert thief.ai.state is AiState.FLEEING
    assert thief.ai.state_turns_left == 400


def until_again(engine, event, most=30):
    """Return the turns from one such event to the next."""
    turns = []
    for turn in range(most):
        engine.state.hero.fighter.hp = engine.state.hero.fighter.max_hp
        if any(isinstance(one, event) for one in engine.step(Wait())):
            turns.append(turn)
    return {later - earlier for earlier, later in pairwise(turns)}


@pytest.mark.parametrize(
    ("kind", "apart", "every"),
    [("kobold", 5, 2), ("salamander", 5, 4), ("centaur", 8, 2), ("banshee", 5, 4)],
)
def test_a_shooter_shoots_as_often_as_its_data_say(kind, apart, every):
    engine, shooter = field(kind, (apart, 0), turn=2)
    shooter.statuses["held"], shooter.energy.speed = 99, 100
    assert creature_kinds()[kind].traits.ranged_attack.every == every
    assert until_again(engine, ShotFired) == {every}


def test_a_warden_shoots_between_summons_and_summons_no_sooner_than_its_data_say():
    engine, warden = field("warden", (5, 0), turn=0)
    warden.statuses["held"], warden.energy.speed = 99, 100
    engine.state.hero.fighter.max_hp, turns = 9999, {Summoned: [], ShotFired: []}
    for turn in range(28):
        engine.state.hero.fighter.hp = 9999
        for event in engine.step(Wait()):
            if type(event) in turns and turn not in turns[type(event)]:
                turns[type(event)].append(turn)
    assert turns[Summoned] == [0, 9, 18, 27]
    assert {later - earlier for earlier, later in pairwise(turns[ShotFired])} <= {3, 6}
    assert len(turns[ShotFired]) >= 6


def test_one_that_keeps_its_distance_waits_for_its_next_shot(monkeypatch):
    engine, archer = field("archer", (6, 0), cooldown=1)
    monkeypatch.setitem(BEHAVIOURS, "shooter", BEHAVIOURS["mender"])
    assert choice(engine, archer) == Wait()
    archer.ai.cooldown = 0
    assert choice(engine, archer) == Shoot(engine.state.hero.id)


def test_a_charge_comes_again_after_six_turns_and_a_blink_after_seven():
    for kind, event, wanted in (("bull", Charged, 6), ("shade", Blinked, 7)):
        engine, hunter = field(kind, (6, 0))
        hunter.energy.speed, gaps = 100, []
        for turn in range(30):
            engine.state.hero.fighter.hp = engine.state.hero.fighter.max_hp
            if any(isinstance(one, event) for one in engine.step(Wait())):
                gaps.append(turn)
                engine.state.map.move_entity(hunter, 7, 10)
            elif hunter.ai.cooldown:
                engine.state.map.move_entity(hunter, 7, 10)
        assert {later - earlier for earlier, later in pairwise(gaps)} == {wanted}


def act(engine, actor, action, events=None):
    """Let a monster do ``action`` at once; return what the rule answers."""
    handler = monster_actions.__dict__[
        {
            Summon: "summon_monsters", Divide: "split", Shoot: "shoot", Blink: "blink_to_target",
            Steal: "steal", Charge: "charge_at_target", CallForHelp: "cry_out",
        }[type(action)]
    ]  # fmt: skip
    return handler(engine.state, actor, action, (events if events is not None else []).append)


@pytest.mark.parametrize(("kind", "action"), [("necromancer", Summon()), ("jelly", Divide())])
def test_no_more_than_a_hundred_and_twenty_creatures_are_made(kind, action):
    engine, actor = field(kind, (20, 0))
    spots = [(x, y) for x, y in product(range(1, 31), range(1, 9)) if y < 7]
    while len(engine.state.map.entities) < 120:
        spawn_hunter(engine.state, "rat", *spots.pop())
    assert not isinstance(act(engine, actor, action), Refused)
    assert len(engine.state.map.entities) > 120
    assert act(engine, actor, action) == Refused("no room")


@pytest.mark.parametrize(("hp", "shares"), [(2, (1, 1)), (9, (5, 4)), (12, (6, 6)), (1, None)])
def test_a_jelly_divides_into_halves(hp, shares):
    engine, jelly = field("jelly", (10, 0), health=hp)
    found = act(engine, jelly, Divide())
    if shares is None:
        assert found == Refused("no room")
        return
    other = next(
        c for c in engine.state.map.entities.values() if c.kind == "jelly" and c is not jelly
    )
    assert (jelly.fighter.hp, other.fighter.hp) == shares
    assert (jelly.fighter.max_hp, other.fighter.max_hp) == shares
    assert (jelly.ai.last_seen_hp, other.ai.last_seen_hp) == shares
    assert max(abs(other.x - jelly.x), abs(other.y - jelly.y)) == 1


@pytest.mark.parametrize(("kind", "number", "every"), [("necromancer", 1, 12), ("warden", 2, 9)])
def test_a_summoner_calls_as_many_as_it_can_and_there_is_room_for(kind, number, every):
    engine, actor = field(kind, (10, 0))
    before = len(engine.state.map.entities)
    act(engine, actor, Summon())
    called = [c for c in engine.state.map.entities.values() if c.spawned_in_play and c is not actor]
    assert len(called) == number
    assert len(engine.state.map.entities) == before + number
    assert actor.ai.cooldown == every
    for creature in called:
        assert max(abs(creature.x - actor.x), abs(creature.y - actor.y)) == 1
        assert creature.ai.state is AiState.HUNTING
        assert creature.ai.goal == HERO
    for place in spawn_places(engine.state, actor.x, actor.y):
        engine.state.map.set_tile(*place, Tile.WALL)
    assert act(engine, actor, Summon()) == Refused("no room")


def test_a_shot_does_its_power_give_or_take_one_less_armour():
    losses = set()
    for seed in range(30):
        engine = scene(WIDE, seed=seed)
        archer, hero = spawn_hunter(engine.state, "centaur", 8, 10), engine.state.hero
        hero.inventory.clear()
        hero.equipment.clear()
        hero.fighter.hp = 30
        act(engine, archer, Shoot())
        losses.add(30 - hero.fighter.hp)
        assert archer.ai.cooldown == 2
    power = creature_kinds()["centaur"].traits.ranged_attack.power
    assert losses == {damage_after_armour(power, luck, hero) for luck in (-1, 0, 1)}
    hero.fighter.hp = 1
    act(engine, archer, Shoot())
    assert hero.fighter.hp == 0
    assert engine.state.killed_by == "centaur"


def test_a_charge_ends_beside_the_hero_or_before_the_first_obstacle():
    engine, bull = field("bull", (7, 0))
    act(engine, bull, Charge(-1, 0))
    assert (bull.x, bull.y) == (2, 10)
    engine.state.map.move_entity(bull, 8, 10)
    engine.state.map.set_tile(4, 10, Tile.WALL)
    act(engine, bull, Charge(-1, 0))
    assert (bull.x, bull.y) == (5, 10)
    assert bull.ai.cooldown == 6


def test_a_charge_that_meets_nobody_or_a_friend_is_done_without_a_strike():
    engine, bull = field("bull", (7, 0))
    assert perform(engine.state, bull, Charge(0, 1), silent) == Done()
    friend = spawn_hunter(engine.state, "rat", 20, bull.y)
    assert perform(engine.state, bull, Charge(1, 0), silent) == Done()
    assert bull.x == 19
    assert friend.fighter.hp == friend.fighter.max_hp
