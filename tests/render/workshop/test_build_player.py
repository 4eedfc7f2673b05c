"""The player for growing levels: forwards, backwards, by bar and by step."""

import tracemalloc
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

from procgen import recipe_builder
from procgen.blueprint import Rejected
from procgen.recipes import find_recipe
from render.backends.terminal_input import parse_mouse
from render.ui.input import Pointer
from render.workshop.build_recording import BuildRecording
from render.workshop.delta_frames import DeltaFrames
from render.workshop.timeline import parameter_lines
from support.build_screens import bar_of, full, watching


def test_stepping_back_shows_the_very_same_tiles():
    person = watching("caverns:7@60x40")
    count = len(person.top.player.recording.snapshots)
    there = []
    for _ in range(count):
        there.append(person.top.player.snapshot.tiles.tobytes())
        person.presses("right")
    back = []
    for _ in range(count):
        back.append(person.top.player.snapshot.tiles.tobytes())
        person.presses("left")
    assert back == there[::-1]
    assert len(set(there)) > 5
    growing = recipe_builder.build_recipe(person.top.code)
    assert there == [stage.plan.tiles.tobytes() for stage in growing]


def test_the_close_up_is_offered_where_the_level_does_not_fit():
    person = watching("caverns:7@60x60", columns=130)
    assert "close-up" in person.reads()
    assert "close-up" in person.types("z").reads()
    assert "close-up" not in watching("caverns:7@60x30", columns=130).reads()


def test_a_reel_keeps_what_it_is_given():
    rng = np.random.RandomState(1)
    reel, kept = DeltaFrames(), []
    picture = np.zeros((9, 14), np.int32)
    for n in range(70):
        if n % 3:
            picture[rng.randint(9), rng.randint(14)] = n
        reel.append(picture)
        kept.append(picture.copy())
    for n in [*range(70), *range(69, -1, -1), *rng.permutation(70).tolist()]:
        assert (reel[n] == kept[n]).all()
        if n:
            assert (reel.changed(n) is None) == (kept[n] == kept[n - 1]).all()
    with pytest.raises(ValueError, match="read-only"):
        reel[3][0, 0] = 1


def test_keys_jump_from_step_to_step_and_say_where_one_is():
    person = watching("bsp:3")
    labels = [use.label for use in find_recipe("bsp").steps]
    assert f"1/{len(labels)} {labels[0]}" in person.reads()
    assert "min_leaf 8" in person.reads()
    met = []
    for _ in range(len(labels)):
        met.append(person.top.player.snapshot.step)
        person.types("n")
    assert met[:3] == labels[:3]
    assert person.top.player.index == len(person.top.player.recording.snapshots) - 1
    starts = person.top.player.recording.starts
    person.presses("pageup", "pageup")
    at = person.top.player.index
    assert at in starts
    person.presses("pagedown")
    assert person.top.player.index == starts[starts.index(at) + 1]
    person.top.player.to(starts[1] + 2)
    person.types("p")
    assert person.top.player.index == starts[1]
    person.types("p")
    assert person.top.player.index == 0


def test_a_step_that_finds_nothing_to_do_says_so():
    person = watching("caves:42", 80, 24)
    read = []
    for _ in range(6):
        read.append("No change" in person.reads())
        person.types("n")
    assert read == [False, False, True, True, True, False]


def test_steps_are_marked_on_the_bar_and_the_speed_is_said():
    person = watching("bsp:3")
    y, first, last = bar_of(person)
    row = person.reads().splitlines()[y]
    assert row[first : last + 1].count("▝") >= 3
    assert "10 a second" in person.reads()
    person.presses("up")
    assert "20 a second" in person.reads()
    person.presses("down", "down", "space")
    assert "paused · 5 a second" in person.reads()


def test_pausing_at_the_end_stays_there_and_playing_again_starts_again():
    person = watching("bsp:3")
    player = person.top.player
    player.to(player.last - 1)
    while player.index < player.last:
        person.waits()
    assert "Space pause" in person.reads()
    person.presses("space")
    assert (player.index, player.playing) == (player.last, False)
    person.presses("space")
    assert (player.index, player.playing) == (0, True)


def test_the_bar_is_scrubbed_by_pressing_and_dragging():
    person = watching("dense:5")
    y, first, last = bar_of(person)
    end = len(person.top.player.recording.snapshots) - 1
    handle = person.app.handle
    handle(Pointer("press", last, y, None, "left"))
    assert person.top.player.index == end
    handle(Pointer("move", (first + last) // 2, y - 3, None, "left"))
    assert abs(person.top.player.index - end / 2) <= 1
    handle(Pointer("move", 0, y, None, "left"))
    assert person.top.player.index == 0
    handle(Pointer("move", last, y, None, ""))
    handle(Pointer("move", last, y, None, "left"))
    assert person.top.player.index == 0


def test_a_dragged_mouse_says_so_in_a_terminal():
    assert parse_mouse("\x1b[<32;5;6M") == Pointer("move", 4, 5, button="left")
    assert parse_mouse("\x1b[<35;5;6M") == Pointer("move", 4, 5)


def test_a_rejected_attempt_ends_with_its_reason(monkeypatch):
    verdicts = iter(["the omens are bad", "the stars are wrong"])

    def judge(_):
        if reason := next(verdicts, None):
            raise Rejected(reason)

    monkeypatch.setattr(recipe_builder, "validate", judge)
    person = watching("rooms:42")
    recording = person.top.player.recording
    rejections = [moment for moment in recording.snapshots if moment.rejects]
    assert [moment.attempt for moment in rejections] == [0, 1]
    person.top.player.to(rejections[1].index)
    assert "Attempt 2 is rejected: the stars are wrong" in person.reads()
    person.presses("right")
    assert "attempt 3" in person.reads()
    assert person.top.player.index in recording.starts
    assert (rejections[0].tiles == recording.snapshots[rejections[0].index - 1].tiles).all()


def huge_growth() -> tuple[int, int, bool]:
    """Return the moments of a huge growth, the bytes it holds, and whether it ends as it should."""
    import scipy.ndimage  # noqa: F401, PLC0415 - loaded when first used, and no growth

    tracemalloc.start()
    recording = BuildRecording(full("caves;cellular_automaton.rounds=100:7@300x300"))
    recording.to_end()
    held = tracemalloc.get_traced_memory()[0]
    last = recording.snapshots[-1].tiles
    return len(recording.snapshots), held, bool((last == recording.level.tiles).all())


def test_a_huge_growth_fits_in_little_memory():
    # In a process of its own: what threads of other tests hold does not count, and Python may
    # crash where it stops to trace memory that a thread is just taking.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        moments, held, whole = pool.submit(huge_growth).result(timeout=120)
    assert moments > 100
    assert held < 12_000_000
    assert whole


def test_automata_are_shown_generation_by_generation():
    moments = watching("caves:7").top.player.recording.snapshots
    said = [moment.caption for moment in moments if moment.step == "cellular_automaton"]
    assert said == [f"Generation {n}" for n in range(1, 6)]


def test_where_parameters_are_left_out_the_last_value_shown_does_not_look_cut():
    snapshot = watching("keep:7@80x45").top.player.recording.snapshots[0]
    (line,) = parameter_lines(snapshot, 40, 1)
    assert "".join(text for text, _ in line).endswith(f"{line[-2][0]} …")


@pytest.mark.parametrize("rows", [2, 9, 10, 11, 12, 13])
def test_the_decisions_of_a_mission_stay_within_the_map_however_low_the_screen_is(rows):
    person = watching("mission:7", 60, rows).presses("home")
    for _ in range(8):
        frame = person.presses("right").app.picture()
        bottom = max(1, frame.map_rect.y + frame.map_rect.height)
        assert all(over.y + over.height <= bottom for over in frame.overlays)
