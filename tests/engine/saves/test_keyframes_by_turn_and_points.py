"""The keyframes of a run by turn, the points of a run, and states that may be stored."""

from bisect import bisect_left, bisect_right

import pytest

from engine.levels.dungeon import new_game
from engine.levels.recipe_by_depth import pinned
from engine.saves.keyframe_index import KeyframeIndex
from engine.saves.keyframes import read_keyframes
from engine.saves.run_file import read_run, summarize
from engine.saves.saved_state import load_state, save_state
from engine.state.compression import InvalidSave
from engine.state.run_setup import LAST_DEPTH, Mode, RunSetup
from engine.state.score import A_DEPTH, BEYOND, GOAL, HOME, PLANTED, score
from support.rule_scenes import field


def test_keyframes_are_found_by_turn(deep_run):
    run = read_run(deep_run)
    frames = sorted(frame.turns for frame in read_keyframes(run)[0])
    index = KeyframeIndex(run)
    assert index.all_saved
    for turn in sorted({0, 1, *frames, *(t - 1 for t in frames), *(t + 1 for t in frames)}):
        later, up_to = bisect_right(frames, turn), bisect_left(frames, turn)
        assert index.after(turn) == (frames[later] if later < len(frames) else None)
        assert index.before(turn) == (frames[up_to - 1] if up_to else 0)
    for limit in (0, frames[0] - 1, frames[0], frames[1] - 1, frames[1], frames[-1] + 5):
        place = bisect_right(frames, limit)
        wanted = frames[place - 1] if place else None
        found = index.nearest(limit)
        assert (found[0] if found else None) == wanted
        assert not found or found[1].turn == wanted or run.actions
        if wanted:
            assert index.nearest(limit, above=wanted) is None
            assert index.nearest(limit, above=wanted - 1)[0] == wanted


def test_a_keyframe_in_memory_is_taken_where_no_stored_one_is_nearer(deep_run):
    run = read_run(deep_run)
    index = KeyframeIndex(run)
    frames = sorted(frame.turns for frame in read_keyframes(run)[0])
    first, second = frames[0], frames[1]
    _, state = index.nearest(first)
    index._temporary[first + 2] = index._frames[first]
    assert index.nearest(first + 1)[0] == first
    assert index.nearest(first + 2)[0] == first + 2
    assert index.nearest(second - 1)[0] == first + 2
    assert index.nearest(second)[0] == second
    assert index.nearest(first + 5, above=first + 2) is None
    assert state.hero.alive


@pytest.mark.parametrize("deepest", [1, 2, 5, LAST_DEPTH, LAST_DEPTH + 1, LAST_DEPTH + 4])
def test_points_are_counted_by_hand(deepest):
    state = field().state
    state.deepest, state.gold = deepest, 37
    state.hero.experience.points = 61
    found = score(state)
    assert found.depths == sum(A_DEPTH * n for n in range(1, min(deepest, LAST_DEPTH)))
    assert (found.beyond, found.goal, found.gold, found.experience) == (0, 0, 37, 61)
    assert found.total == found.depths + 98
    experience, state.hero.experience = state.hero.experience, None
    assert score(state).experience == 0
    state.hero.experience = experience
    for name, value, more in (("won", 0, GOAL), ("hollow", "rooms:7", PLANTED), ("home", 0, HOME)):
        before = score(state).goal
        setattr(state, name, value)
        assert score(state).goal == before + more
    below = range(max(0, deepest - LAST_DEPTH))
    found = score(state)
    assert found.beyond == sum(BEYOND + BEYOND // 10 * n for n in below)
    assert found.total == found.depths + found.beyond + GOAL + PLANTED + HOME + 98


def test_the_way_home_is_worth_more_than_as_many_depths_down():
    state = field().state
    state.won, state.deepest = 0, 2 * LAST_DEPTH - 1
    assert 0 < score(state).beyond < HOME


@pytest.mark.parametrize(("won", "hollow", "home", "valid"), [
    (None, False, None, True), (3, False, None, True), (3, True, None, True), (3, True, 9, True),
    (None, True, None, False), (3, False, 9, False), (None, False, 9, False),
    (None, True, 9, False),
])  # fmt: skip
def test_the_seed_is_planted_after_it_was_taken_and_brought_home_after_it_was_planted(
    won, hollow, home, valid
):
    state = new_game(pinned(RunSetup(5, "5", Mode.ADVENTURE, "caves")))
    state.won, state.home = won, home
    state.hollow = str(state.code) if hollow else state.hollow
    saved = save_state(state)
    if valid:
        assert load_state(state.setup, saved).home == home
    else:
        with pytest.raises(InvalidSave):
            load_state(state.setup, saved)


@pytest.mark.parametrize("text", [b"", b"no run\n", b'{"seedhollow":"run"}\n', b"\xff\n\n"])
def test_a_file_that_is_no_run_has_no_turns_and_no_depth(text, tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_bytes(text)
    found = summarize(path)
    assert (found.header, found.turns, found.level, found.depth) == (None, 0, "", 0)
    assert found.size == len(text)
