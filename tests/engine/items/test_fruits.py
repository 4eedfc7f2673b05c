"""Fruits: what seeds bear keeps on its own level only."""

import pytest

from engine.state.actions import Climb, Descend, PlantFirstSeed, Use, Visit
from engine.state.events import Ripened, Shifted, Wilted
from procgen.blueprint import Point
from render.messages.item_descriptions import describe_item
from support.infinite_walks import by_the_border, eastward, go
from support.items import give, told
from support.planting_scenes import HALL, grown
from support.scenes import scene
from support.stairs import adventure, stand_on


@pytest.mark.parametrize(
    "action", [Descend(), Climb(), Visit("rooms:7:3@44x30"), PlantFirstSeed()], ids=str
)
def test_fruits_wilt_when_the_hero_leaves_their_level(action):
    engine = adventure(3)
    stand_on(engine, engine.state.map.exit)
    engine.step(Descend())
    engine.state.won = 1
    give(engine, "fruit", 2)
    give(engine, "healing_potion")
    stand_on(engine, engine.state.map.start if action == Climb() else engine.state.map.exit)
    (wilted,) = told(engine.step(action), Wilted)
    assert (wilted.what.kind, wilted.what.count) == ("fruit", 2)
    kinds = {item.kind for item in engine.state.hero.inventory}
    assert "fruit" not in kinds
    assert "healing_potion" in kinds


def test_fruits_of_an_infinite_world_wilt_well_inside_another_region():
    engine = by_the_border()
    give(engine, "fruit", 2)
    events = []
    for move in eastward(engine.state):
        assert any(item.kind == "fruit" for item in engine.state.hero.inventory)
        events = go(engine.step, engine.state, [move])
        if told(events, Shifted):
            break
    assert [wilted.what.kind for wilted in told(events, Wilted)] == ["fruit"]
    assert all(item.kind != "fruit" for item in engine.state.hero.inventory)


@pytest.mark.parametrize(("talent", "fruits"), [("lightfoot", 1), ("green_thumb", 2)])
def test_a_green_thumb_gets_two_fruits_from_a_seed(talent, fruits):
    engine = scene(HALL)
    engine.state.hero.experience.talents.append(talent)
    engine.step(Use(give(engine, "lake_seed").id, (14, 3)))
    (ripe,) = told(grown(engine), Ripened)
    (fruit,) = engine.state.map.items_at(*ripe.place)
    assert (fruit.kind, fruit.count) == ("fruit", fruits)


def test_no_fruit_hides_the_stairs():
    engine = scene(HALL)
    engine.state.map.start = Point(14, 3)
    engine.step(Use(give(engine, "thicket_seed").id, (14, 3)))
    (ripe,) = told(grown(engine), Ripened)
    assert ripe.place != (14, 3)
    twin = scene(HALL)
    twin.step(Use(give(twin, "thicket_seed").id, (14, 3)))
    (ripe,) = told(grown(twin), Ripened)
    assert ripe.place == (14, 3)


def test_the_pack_says_what_a_seed_bears_and_how_long_that_keeps():
    engine = scene(HALL)
    about = " ".join(describe_item(engine.state, give(engine, "lake_seed")))
    assert "bears a fruit that heals 22 hit points" in about
    engine.state.hero.experience.talents.append("green_thumb")
    about = " ".join(describe_item(engine.state, give(engine, "lake_seed")))
    assert "bears two fruits that each heal 22 hit points" in about
    assert "It wilts when you leave the level, or go far from where it grew." in describe_item(
        engine.state, give(engine, "fruit")
    )
