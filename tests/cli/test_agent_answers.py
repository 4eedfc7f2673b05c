"""What an answer of `agent` tells: the sentences of the game, and what the player sees."""

import json
import re

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="pip install -r requirements-env.txt")

from cli.agent import observed
from components import AiState
from components.inventory import Item
from engine.state.events import CreatureRef, Noticed, Struck, creature_ref
from engine.state.identification import is_identified, unidentified_looks
from engine.state.run_setup import RunSetup
from entities.creature_kinds import creature_kinds, make_creature
from entities.item_kinds import item_kinds
from entities.pack import add_to_pack
from entities.terrain import Tile, terrain
from procgen.blueprint import Point
from render.panels.sidebar import state_of
from support.paths import ROOT
from workbench.learning.environment import SeedhollowEnv


def begun(seed=1, observations=("figures", "pack"), **more):
    """Return an environment in which the run of ``seed`` has begun."""
    env = SeedhollowEnv(observations=observations)
    env.begin(RunSetup(seed, f"{seed}", **more))
    return env


def told(env):
    """Return the answer on the state as it is, as a client reads it."""
    return json.loads(json.dumps(observed(env, env._observed()[0])))


def put(env, kind, right, down=0):
    """Return a new monster beside the hero."""
    hero = env.state.hero
    creature = make_creature(kind, env.state.new_id(), hero.x + right, hero.y + down)
    env.state.map.add_entity(creature)
    env.state.look()
    return creature


def test_the_sentences_are_those_of_the_game():
    env = begun()
    hero = creature_ref(env.state.hero)
    rats = [creature_ref(put(env, "rat", way)) for way in (1, -1)]
    env.events = [Struck(hero, rats[0], 20), Noticed(rats[1])]
    text = told(env)["messages"]
    assert "You sink your dagger into the cellar rat for 20." in text
    assert "The cellar rat 1 tile west notices you." in text
    env.events = [Noticed(CreatureRef(99, "broodmother", hero.place))]
    assert "“Children." in told(env)["messages"]


def test_creatures_are_listed_as_the_sidebar_tells_them_and_are_not_in_the_rows():
    env = begun()
    troll, rat = put(env, "troll", 3), put(env, "rat", 1, 1)
    troll.fighter.hp -= 5
    rat.statuses["slowed"] = 9
    for creature in (troll, rat):
        creature.ai.state = AiState.HUNTING
    seen = told(env)["observation"]
    near, far = seen["creatures"]
    assert (near["name"], near["x"], near["y"]) == ("cellar rat", rat.x, rat.y)
    assert (near["hp"], near["max_hp"]) == (rat.fighter.max_hp, rat.fighter.max_hp)
    assert (far["x"], far["hp"]) == (troll.x, troll.fighter.max_hp - 5)
    assert [near["state"], far["state"]] == [state_of(rat)[0], state_of(troll)[0]]
    assert far["state"] == "hunts you"
    assert "slow" in near["state"]
    hero = env.state.hero
    assert seen["rows"][hero.y][hero.x] == "@"
    assert seen["rows"][troll.y][troll.x] == seen["rows"][rat.y][rat.x] == "."


def test_only_a_telepathic_hero_knows_of_creatures_out_of_sight_or_in_ambush():
    env = begun()
    state = env.state
    ambush = put(env, "gargoyle", 2)
    ambush.ai.state = AiState.HIDDEN
    out_of_sight = np.argwhere(state.map.walkable & ~state.map.visible).tolist()
    far = next(Point(x, y) for y, x in out_of_sight if not state.map.entity_at(x, y))
    put(env, "goblin", far.x - state.hero.x, far.y - state.hero.y)
    assert told(env)["observation"]["creatures"] == []
    state.hero.statuses["telepathic"] = 9
    names = [creature["name"] for creature in told(env)["observation"]["creatures"]]
    assert names[0] == creature_kinds()["gargoyle"].name
    assert len(names) == len(state.map.entities) - 1


def test_items_are_listed_where_they_are_known_by_the_names_the_player_knows():
    env = begun()
    state = env.state
    beside = state.hero.x + 1, state.hero.y
    assert state.map.explored[beside[::-1]]
    state.map.add_item(Item(state.new_id(), "chamber_seed"), *beside)
    listed = told(env)["observation"]["items"]
    assert {"name": "a chamber seed", "x": beside[0], "y": beside[1]} in listed
    hidden = [kind for kind in item_kinds() if not is_identified(state, kind)]
    potion = next(kind for kind in hidden if item_kinds()[kind].item_class == "potion")
    here = state.hero.x, state.hero.y
    state.map.add_item(Item(state.new_id(), potion, 2), *here)
    far = next((int(x), int(y)) for y, x in np.argwhere(~state.map.explored))
    state.map.add_item(Item(state.new_id(), "sword"), *far)
    add_to_pack(state.hero, Item(state.new_id(), potion))
    answer = told(env)
    look = unidentified_looks(state.setup.seed)[potion]
    more = [item for item in answer["observation"]["items"] if item not in listed]
    assert more == [{"name": f"2 {look} potions", "x": here[0], "y": here[1]}]
    carried = answer["observation"]["pack"]["c"]
    assert (carried["name"], carried["item"]) == (f"a {look} potion", "unknown potion")
    assert item_kinds()[potion].name not in json.dumps(answer)


def test_a_creature_in_hiding_that_looks_like_a_statue_covers_what_lies_under_it():
    env = begun()
    idol = put(env, "idol", 2)
    idol.ai.state = AiState.HIDDEN
    env.state.map.add_item(Item(env.state.new_id(), "sword"), idol.x, idol.y)
    seen = told(env)["observation"]
    assert "sword" not in json.dumps(seen["items"])
    assert seen["rows"][idol.y][idol.x] == chr(terrain().codes[Tile.STATUE])


def test_places_fit_the_rows_on_a_level_larger_than_the_map():
    env = begun(3, generator="caves", size=(200, 120))
    state = env.state
    put(env, "rat", 1)
    state.map.add_item(Item(state.new_id(), "sword"), state.hero.x, state.hero.y)
    seen = told(env)["observation"]
    x, y = seen["figures"]["x"], seen["figures"]["y"]
    assert seen["rows"][y][x] == "@"
    assert (seen["creatures"][0]["x"], seen["creatures"][0]["y"]) == (x + 1, y)
    assert {"name": "a sword", "x": x, "y": y} in seen["items"]


def test_the_numbers_in_planes_are_named():
    env = begun(observations=["view", "figures", "pack"])
    rat = put(env, "rat", 1)
    seen = told(env)["observation"]
    names = [*seen["planes"].values()]
    middle = [names[plane][seen["view"][plane][10][11]] for plane in range(4)]
    assert middle == ["floor", "yes", "rat", "none"]
    assert rat.x == env.state.hero.x + 1
    assert "planes" not in told(begun())["observation"]


def test_the_page_explains_every_letter_of_the_rows():
    page = (ROOT / "docs" / "learning.md").read_text(encoding="utf-8")
    table = page.partition("letters of `rows` are:\n\n```text\n")[2].partition("```")[0]
    told = dict(re.findall(r"(\S)  (\w+(?: \w+)*)", table))
    kinds = zip(terrain().codes.tolist(), terrain().kinds, strict=True)
    letters = {chr(code): kind.name for code, kind in kinds}
    del letters[chr(terrain().codes[Tile.SECRET_DOOR])]  # It looks like a wall.
    assert told == letters | {"@": "you", "<": "stairs up", ">": "stairs down"}
