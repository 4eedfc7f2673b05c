"""The Gymnasium environment: its contract, what agents may know, and run files of episodes."""

import doctest
import warnings
from errno import ENOSPC

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="pip install -r requirements-env.txt")

from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

import seedhollow
from components import AiState
from components.inventory import Item
from engine.bots import CarefulBot
from engine.bots.discrete_actions import COUNT, FIRE, TALENT, USE, game_action
from engine.levels.dungeon import new_game
from engine.saves.playback import Playback
from engine.saves.recorder import Recorder
from engine.saves.run_file import read_run
from engine.state.actions import (
    Climb,
    Descend,
    Fire,
    Move,
    PickUp,
    PlantFirstSeed,
    Struggle,
    Wait,
)
from engine.state.events import Woke, creature_ref
from engine.state.identification import is_identified
from engine.state.run_setup import RunSetup
from engine.state.score import score
from entities.creature_kinds import creature_kinds, make_creature
from support.paths import ROOT
from support.scenes import scene
from workbench.learning.environment import REWARDS, SEEDS, SeedhollowEnv
from workbench.learning.observations import (
    ACTIONS,
    CREATURES,
    FIGURES,
    ITEMS,
    KINDS,
    TILES,
    Observer,
)

seedhollow.register_environment()


def episode(env, steps, seed=1, **options):
    """Play possible actions at random; yield what each step returns, and the mask before it."""
    rng = np.random.default_rng(seed)
    _, info = env.reset(seed=seed, options=options)
    for _ in range(steps):
        mask = info["action_mask"]
        action = int(rng.choice(np.flatnonzero(mask)))
        found = env.step(action)
        yield action, found
        info = found[4]
        if found[2] or found[3]:
            return


@pytest.mark.parametrize("mode", [None, "ansi", "rgb_array"])
def test_the_environment_keeps_gymnasium_s_contract_without_a_warning(mode):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make("Seedhollow-v0", observations=KINDS, render_mode=mode)
        check_env(env.unwrapped)


def test_the_page_s_examples_give_what_it_says():
    page = ROOT / "docs" / "learning.md"
    found = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert (found.failed, found.attempted > 5) == (0, True)
    told = page.read_text(encoding="utf-8")
    assert all(f"`{name}`" in told for name in (*REWARDS, *KINDS))
    assert [(seeds.start, seeds.stop - 1) for seeds in SEEDS.values()] == [
        (0, 999_999_999), (1_000_000_000, 1_000_000_999),
    ]  # fmt: skip


def test_a_monster_in_ambush_is_in_no_observation():
    state = new_game(RunSetup(1, "1", generator="rooms"))
    x, y = next((x, y) for y, x in np.argwhere(state.map.visible).tolist()
                if state.map.walkable[y, x] and not state.map.is_blocked(x, y))  # fmt: skip
    lurker = make_creature("viper", state.new_id(), x, y)
    state.map.add_entity(lurker)
    shown = Observer(KINDS).observe(state, [])
    lurker.ai.state = AiState.HIDDEN
    hidden = Observer(KINDS).observe(state, [])
    glyph = creature_kinds()["viper"].glyph
    assert shown["map"][2].sum() > hidden["map"][2].sum()
    assert shown["text"].count(glyph) == hidden["text"].count(glyph) + 1


def test_a_disguised_monster_is_a_statue_in_every_observation_until_it_moves():
    state, observer = scene("######\n#@..>#\n######").state, Observer(("map",))
    idol = make_creature("idol", state.new_id(), 3, 1)
    idol.ai.state = AiState.HIDDEN
    state.map.add_entity(idol)
    state.map.add_item(Item(state.new_id(), "dagger"), 3, 1)
    statue = TILES.index("statue")
    assert observer.observe(state, [])["map"][:, 1, 3].tolist() == [statue, 1, 0, 0]
    idol.ai.state = AiState.HUNTING
    tile, _, creature, item = observer.observe(state, [])["map"][:, 1, 3].tolist()
    assert (TILES[tile], CREATURES[creature], ITEMS[item]) == ("floor", "idol", "dagger")


def test_the_text_tells_nothing_that_happened_out_of_sight():
    state = new_game(RunSetup(1, "1", generator="rooms"))
    sleeper = make_creature("viper", 900, *state.map.exit)
    assert not state.map.visible[sleeper.y, sleeper.x]
    events = [Woke(creature_ref(sleeper))]
    assert "The viper wakes." not in Observer(("text",)).observe(state, events)["text"]
    state.map.visible[:] = True
    assert "The viper wakes." in Observer(("text",)).observe(state, events)["text"]


def test_the_same_seed_and_actions_give_the_same_episode():
    once, again = (
        [found[0]["map"].tobytes() + str(found[1:4]).encode() for _, found in episode(env, 120)]
        for env in (SeedhollowEnv(), SeedhollowEnv())
    )
    assert once == again


def test_possible_actions_are_hardly_ever_refused_and_impossible_ones_always():
    env = SeedhollowEnv(levels="test", observations=["figures"])
    refused = [
        action for seed in range(4) for action, found in episode(env, 250, seed=seed)
        if "refused" in found[4]
    ]  # fmt: skip
    assert [action for action in refused if action < FIRE] == []
    assert len(refused) < 50
    env.reset(seed=5)
    for action in np.flatnonzero(env.action_masks()[:USE] == 0):
        before = env.state.turn
        assert env.step(action)[4]["refused"], action
        assert env.state.turn == before
    assert COUNT == 98


def test_the_name_of_an_action_says_what_it_does():
    state = scene("#####\n#@.>#\n#...#\n#####").state
    assert (len(ACTIONS), len({*ACTIONS})) == (COUNT, COUNT)
    named = {name: game_action(state, number, (0, 1)) for number, name in enumerate(ACTIONS)}
    assert named["move south-east"] == Move(1, 1)
    assert named["move north"] == Move(0, -1)
    simple = {"wait": Wait(), "struggle": Struggle(), "pick up": PickUp(), "climb": Climb()}
    assert {name: named[name] for name in simple} == simple
    assert (named["plant"], named["descend 3"]) == (PlantFirstSeed(), Descend(2))
    assert isinstance(named["fire"], Fire)
    (dagger,) = [item.id for item in state.hero.inventory if item.letter == "a"]
    assert named["use a"].item == named["throw a"].item == named["drop a"].item == dagger
    assert named["use z"] is named["learn 1"] is None
    assert (ACTIONS.index("learn 1"), ACTIONS.index("use a")) == (TALENT, USE)


@pytest.mark.parametrize("action", [-1, COUNT, 500, np.int64(98), 1.5, np.float32(0.5), "3", None])
def test_an_invalid_action_is_one_sentence_and_does_nothing(action):
    env = SeedhollowEnv()
    env.reset(options={"seed": 1})
    pack, clock = list(env.state.hero.inventory), env.state.clock
    with pytest.raises(ValueError, match=f"there is no action {action}; they are 0 to 97"):
        env.step(action)
    assert (list(env.state.hero.inventory), env.state.clock) == (pack, clock)


def test_observations_hold_what_the_hero_knows_and_no_more():
    env = SeedhollowEnv(observations=KINDS)
    for _, found in episode(env, 150, seed=2):
        seen, state = found[0], env.state
        assert env.observation_space.contains(seen)
        height, width = state.map.tiles.shape
        known = seen["map"][0] > 0
        assert np.array_equal(known[:height, :width], state.map.explored)
        assert TILES.index("secret_door") not in seen["map"][0]
        assert seen["map"][1].sum() == np.count_nonzero(state.map.visible)
        assert np.count_nonzero(seen["map"][2]) == len(state.map.entities_in_view())
        figures = dict(zip(FIGURES, seen["figures"].tolist(), strict=True))
        assert (figures["hp"], figures["depth"]) == (state.hero.fighter.hp, state.depth)
        assert seen["map"][2, figures["y"], figures["x"]] == seen["view"][2, 10, 10] > 0
        for item in state.hero.inventory:
            number = seen["pack"][ord(item.letter) - ord("a"), 0]
            plain = ITEMS[number] == item.kind
            assert plain == is_identified(state, item.kind)


@pytest.mark.parametrize("code", ["rooms:7@40x25", "caves:7@200x100", "wilds:1"])
def test_the_figures_x_and_y_point_into_the_map_of_the_text(code):
    env = SeedhollowEnv(levels=code, observations=KINDS)
    for _, found in episode(env, 60, seed=2):
        seen = found[0]
        _, line, *rows = seen["text"].split("\n")
        figures = dict(part.rsplit(" ", 1) for part in line.split(", "))
        assert rows[int(figures["y"])][int(figures["x"])] == "@"
        known = seen["map"][0] > 0
        height, width = np.minimum(env.state.map.tiles.shape, (45, 80))
        assert [len(row) for row in rows] == [width] * height
        letters = np.array([[char != " " for char in row.ljust(80)] for row in rows])
        assert np.array_equal(letters, known[:height])


@pytest.mark.parametrize(
    "ask",
    [
        SeedhollowEnv.action_masks,
        SeedhollowEnv.render,
        lambda e: e.step(8),
        lambda e: e.act(Wait()),
    ],
)
def test_methods_that_need_an_episode_say_so_outside_of_one(ask):
    env = SeedhollowEnv(render_mode="ansi")
    for _ in range(2):
        with pytest.raises(ResetNeeded, match="call reset first"):
            ask(env)
        env.reset(seed=1)
        assert ask(env) is not None
        env.close()


def test_rewards_add_up_to_the_figures_of_the_run():
    env = SeedhollowEnv(rewards={"score": 1, "survive": 0.5, "alive": 10})
    total = sum(found[1] for _, found in episode(env, 400, seed=3))
    state = env.state
    expected = score(state).total + 0.5 * (state.clock // 100) - 10 * (not state.hero.alive)
    assert total == pytest.approx(expected)


@pytest.mark.parametrize("weight", [np.float32(0.5), np.float16(0.5), np.int64(2), True])
@pytest.mark.filterwarnings("error")
def test_a_weight_may_be_any_kind_of_number(weight):
    env = SeedhollowEnv(levels="caves:7", rewards={"survive": weight})
    env.reset(seed=1)
    assert env.step(8)[1] == weight


def test_without_weights_nothing_is_rewarded():
    env = SeedhollowEnv(rewards={})
    assert env.rewards == {}
    assert {found[1] for _, found in episode(env, 20, seed=3)} == {0.0}
    assert SeedhollowEnv().rewards == {"score": 1.0}


def test_a_level_by_code_is_one_episode_that_ends_at_its_exit():
    env = SeedhollowEnv(levels="rooms:7:2@40x25", rewards={"depth": 1})
    _, info = env.reset(seed=1)
    assert info["code"] == "rooms.1:7:2@40x25"
    bot, over, total = CarefulBot(), False, 0.0
    for _ in range(3000):
        action = bot.choose(env.state)
        _, reward, over, _, info = env.act(action)
        bot.hear(env.events)
        total += reward
        if over:
            break
    assert over
    assert total == (1 if env.state.hero.alive else 0)


@pytest.mark.parametrize("code", ["rooms:7@40x25", "caves:7", "caves:7@200x100", "wilds:1"])
def test_pictures_of_all_levels_have_one_size_and_show_the_hero(code):
    env = SeedhollowEnv(levels=code, render_mode="rgb_array", observations="figures")
    _, info = env.reset(seed=1)
    before = env.render()
    assert (before.shape, before.dtype) == ((45 * 12, 80 * 12, 3), np.uint8)
    env.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert (env.render() != before).any()


def test_every_episode_can_be_written_as_a_run_file(tmp_path):
    env = SeedhollowEnv(record=tmp_path, observations=["figures"])
    for seed in (1, 2):
        turns = [found[0]["figures"] for _, found in episode(env, 60, seed=seed)][-1]
    env.close()
    first, second = sorted(tmp_path.glob("*/*.jsonl"))
    assert [read_run(path).fault for path in (first, second)] == [None, None]
    playback = Playback(read_run(second))
    assert list(playback.to_end())
    assert playback.engine.state.turn == turns[FIGURES.index("turn")]
    env.close()


def test_after_an_episode_that_could_not_be_written_the_next_one_can(tmp_path, monkeypatch):
    def full(_):
        raise OSError(ENOSPC, "No space left on device")

    env = SeedhollowEnv(record=tmp_path, observations=["figures"])
    env.reset(seed=1)
    with monkeypatch.context() as patch:
        patch.setattr(Recorder, "_write", full)
        env.act(Wait())
        with pytest.raises(OSError, match="No space left"):
            env.close()
    env.reset(seed=2)
    env.act(Wait())
    env.close()
    *_, last = sorted(tmp_path.glob("*/*.jsonl"))
    assert len(read_run(last).actions) == 1


def test_environments_can_run_side_by_side_in_processes_and_in_one():
    for mode in ("sync", "async"):
        many = gymnasium.make_vec("Seedhollow-v0", num_envs=2, vectorization_mode=mode)
        seen, _ = many.reset(seed=4)
        assert seen["view"].shape == (2, 4, 21, 21)
        _, rewards, *_ = many.step(np.array([8, 8]))
        assert rewards.tolist() == [0, 0]
        many.close()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"levels": "nope"}, "levels: there is no 'nope'; there are .'train', 'test'"),
        ({"levels": "tset"}, "no 'tset'; there are .'train', 'test', 'a level code'.$"),
        ({"levels": []}, "levels: the list is empty"),
        ({"levels": [7]}, "'7' is not a level code"),
        ({"levels": "nope:1"}, "no generator 'nope'"),
        ({"recipe": "nope"}, "no generator 'nope'"),
        ({"recipe": 7}, "no generator '7'"),
        ({"stride": 0}, "stride: it is a whole number of at least 1, not 0"),
        ({"stride": "8"}, "stride: it is a whole number of at least 1, not '8'"),
        ({"recipe": "bsp", "levels": "caves:7"}, "recipe: it is for adventures"),
        ({"observations": ["sound"]}, "observations: there is no 'sound'"),
        ({"observations": "sound"}, "observations: there is no 'sound'"),
        ({"levels": None}, "levels: there is no None; there are"),
        ({"levels": 5}, "levels: there is no 5; there are"),
        ({"observations": ()}, "observations: the list is empty"),
        ({"observations": None}, "observations: there is no None; there are"),
        ({"rewards": 5}, "rewards: there is no 5"),
        ({"rewards": ["score"]}, "a finite number, as in .'score': 1.$"),
        ({"rewards": {"score": 10**400}}, "rewards: a weight is a finite number"),
        ({"rewards": {"fame": 1}}, "rewards: there is no 'fame'"),
        ({"rewards": {"explore": "x"}}, "rewards: a weight is a finite number"),
        ({"rewards": {"explore": np.nan}}, "rewards: a weight is a finite number"),
        ({"render_mode": "human"}, "render_mode: there is no 'human'"),
    ],
)
def test_a_wrong_argument_is_one_sentence(wrong, words):
    with pytest.raises(ValueError, match=words):
        SeedhollowEnv(**wrong)


@pytest.mark.parametrize(
    ("wrong", "fault", "words"),
    [
        ({"cod": "caves:7"}, ValueError, "options: there is no 'cod'"),
        (5, ValueError, "options: there is no 5; there are"),
        ({"code": 3}, ValueError, "'3' is not a level code"),
        ({"seed": "x"}, TypeError, "options: seed must be a whole number, not 'x'"),
        ({"seed": 1.5}, TypeError, "options: seed must be a whole number, not 1.5"),
        ({"seed": True}, TypeError, "options: seed must be a whole number, not True"),
        ({"seed": 7, "code": "caves:7"}, ValueError, "options: give code or seed, not both"),
        ({"seed": -1}, ValueError, "the seed of a run must be from 0 to 2\\^64-1"),
        ({"seed": 2**64}, ValueError, "the seed of a run must be from 0 to 2\\^64-1"),
    ],
)
def test_a_wrong_option_is_one_sentence(wrong, fault, words):
    with pytest.raises(fault, match=words):
        SeedhollowEnv().reset(options=wrong)


def test_what_is_no_action_of_the_game_is_one_sentence():
    env = SeedhollowEnv(levels="caves:7")
    env.reset(seed=1)
    with pytest.raises(TypeError, match="5 is not an action of the game"):
        env.act(5)


def test_the_seed_of_an_adventure_is_refused_where_levels_have_codes():
    env = SeedhollowEnv(levels=["caves:7", "caves:8"])
    with pytest.raises(ValueError, match=r"options: there is no 'seed'; there are \['code'\]"):
        env.reset(options={"seed": 7})
    assert env.reset(options={"code": "caves:7"})[1]


def test_one_kind_of_observation_needs_no_list():
    env = SeedhollowEnv(observations="figures")
    assert list(env.reset(options={"code": "caves:7"})[0]) == ["figures"]
