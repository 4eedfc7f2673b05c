"""What the random bot draws; the careful bot with the First Seed, unknown things and archers."""

from collections import Counter

import pytest

from components import AiState
from components.inventory import Item
from engine.bots.careful_bot import CarefulBot
from engine.bots.random_bot import RandomBot
from engine.bots.simple_bot import TURNS_UNDER_FIRE, Bot
from engine.state.actions import Descend, Drop, Move, PlantFirstSeed, Strike, Throw, Use, Wait
from engine.state.events import CreatureRef, ShotFired
from procgen.blueprint import Point
from support.bot_scenes import lane, put_on
from support.items import give
from support.rule_scenes import field

OTHER = CreatureRef(77, "rat", Point(4, 4))


def test_the_random_bot_does_as_the_simple_one_in_half_of_its_turns():
    state = lane("@..>")
    state.map.move_entity(state.hero, 4, 1)
    bot = RandomBot()
    same = sum(bot.choose(state) == Descend() for _ in range(400))
    assert 180 < same < 250


@pytest.mark.parametrize(("share", "least", "most"), [(0.0, 200, 200), (1.0, 0, 60)])
def test_the_random_bot_draws_its_actions_in_that_share_of_its_turns(
    share, least, most, monkeypatch
):
    monkeypatch.setattr("engine.bots.random_bot.RANDOM_SHARE", share)
    state, bot = lane("@..>"), RandomBot()
    state.map.move_entity(state.hero, 4, 1)
    assert least <= sum(bot.choose(state) == Descend() for _ in range(200)) <= most


def test_most_of_what_the_random_bot_draws_uses_throws_or_drops_each_item_of_its_pack(monkeypatch):
    monkeypatch.setattr("engine.bots.random_bot.RANDOM_SHARE", 1.0)
    engine = field(10, 7)
    pack = [give(engine, kind).id for kind in ("dart", "healing_potion", "net")]
    bot = RandomBot()
    drawn = Counter(
        (type(action), getattr(action, "item", 0))
        for action in (bot.choose(engine.state) for _ in range(1500))
    )
    for item in pack:
        assert 150 < drawn[Use, item] < 270, "three fifths of 70 %, by three items"
        assert 40 < drawn[Throw, item] < 100
        assert 40 < drawn[Drop, item] < 100
    rest = {kind: number for (kind, item), number in drawn.items() if item not in pack}
    assert 380 < sum(rest.values()) < 520
    assert rest[Move] > 3 * rest[Wait] > 0


@pytest.mark.parametrize(("hp", "hollow", "known", "does"), [
    (36, "", True, PlantFirstSeed()), (33, "", False, PlantFirstSeed()), (32, "", True, Wait()),
    (36, "rooms:7", True, Move(-1, 0)), (36, "rooms:7", False, Move(1, 0)),
    (32, "rooms:7", True, Wait()),
])  # fmt: skip
def test_with_the_first_seed_the_careful_one_plants_it_once_whole_and_then_goes_home(
    hp, hollow, known, does
):
    state = lane("....@....>")
    state.map.explored[:, 8:], state.map.explored[:, :2] = False, known
    state.map.start = Point(1, 1)
    state.won, state.hollow = 0, hollow
    state.hero.fighter.max_hp, state.hero.fighter.hp = 36, hp
    assert CarefulBot().choose(state) == does


@pytest.mark.parametrize(("hp", "statuses", "does"), [
    (36, {}, Use), (33, {}, Use), (32, {}, Wait), (36, {"slowed": 9}, Move),
])  # fmt: skip
def test_the_careful_one_tries_what_it_does_not_know_only_when_it_is_whole(hp, statuses, does):
    state = lane("@.....>")
    state.hero.inventory.append(Item(900, "haste_potion"))
    state.hero.statuses |= statuses
    state.hero.fighter.max_hp, state.hero.fighter.hp = 36, hp
    assert isinstance(CarefulBot().choose(state), does)


@pytest.mark.parametrize(("damage", "turns"), [(1, TURNS_UNDER_FIRE), (0, 0)])
def test_a_bot_goes_for_an_unseen_shooter_for_a_few_turns_after_a_shot_that_hit(damage, turns):
    state, bot = lane("..@.............>"), Bot()
    state.map.explored[:, :2] = False
    shooter = CreatureRef(77, "archer", Point(13, 1))
    bot.hear([ShotFired(shooter, OTHER, "arrow", damage)])
    ways = []
    for _ in range(TURNS_UNDER_FIRE + 2):
        ways.append(bot.choose(state))
        bot.hear([])
    assert ways == [Move(1, 0)] * turns + [Move(-1, 0)] * (TURNS_UNDER_FIRE + 2 - turns)


@pytest.mark.parametrize(("kind", "hp", "does"), [
    ("ogre", 12, Descend()), ("rat", 36, Strike(1, 0)), ("rat", 12, Descend()),
])  # fmt: skip
def test_the_careful_one_leaves_a_fight_by_the_stairs_if_it_is_costly_or_itself_nearly_dead(
    kind, hp, does
):
    state = lane("@.......")
    state.map.exit = Point(1, 1)
    state.hero.fighter.max_hp, state.hero.fighter.hp = 36, hp
    put_on(state, kind, 2, AiState.HUNTING)
    assert CarefulBot().choose(state) == does
