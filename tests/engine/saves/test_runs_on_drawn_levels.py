"""Runs that begin on a level from a file: the run file holds the level, and is not trusted."""

import base64
import json
from dataclasses import replace

import numpy as np
import pytest

from components.inventory import PlacedItem
from engine.bots.simple_bot import Bot
from engine.levels import drawn_level
from engine.levels.drawn_level import MAX_DRAWN_BYTES, DrawnLevel, pack_drawn, unpack_drawn
from engine.saves.ghost import setup_with_ghost
from engine.saves.playback import KeepKeyframes, Playback
from engine.saves.run import Run
from engine.saves.run_file import read_run
from engine.saves.saved_state import load_state, pack_state, save_state, unpack_state
from engine.state.actions import Climb, Descend, Refused, Visit
from engine.state.compression import InvalidSave, compress
from engine.state.run_setup import MOST_DRAWN, Mode, RunSetup
from entities.terrain import Tile
from main import main
from procgen.blueprint import Spawn
from procgen.level_code import FROM_FILE, CodeError
from procgen.level_overlays import dwellers
from support.bot_runs import acted, headed
from workbench.level_files import read_level

MAP = "##########\n#<..#...>#\n#...+....#\n#........#\n##########\n"
START = (1, 1)


@pytest.fixture
def level(tmp_path):
    (tmp_path / "a.txt").write_text(MAP)
    return read_level(tmp_path / "a.txt")


@pytest.fixture
def path(level, tmp_path):
    """A run of a bot that comes from a drawn level to the next depth."""
    run, bot = Run.begin(RunSetup(3, "3", drawn=pack_drawn(level, 1)), tmp_path / "r.jsonl"), Bot()
    while run.state.depth == 1 and run.state.hero.alive:
        acted(run, bot)
    assert run.state.depth > 1
    run.close()
    return tmp_path / "r.jsonl"


def begun(level, depth=1):
    return Run.begin(RunSetup(3, "3", depth=depth, drawn=pack_drawn(level, depth)))


def stand_on_exit(state):
    for creature in list(state.map.entities.values()):
        state.map.remove_entity(creature)
    state.place_hero(state.map.exit)


def test_a_run_holds_its_level_and_is_not_scored(level):
    run = begun(level)
    assert run.state.code.recipe == FROM_FILE
    assert (run.state.map.tiles == level.tiles).all()
    assert (run.state.map.start, run.state.map.exit) == (level.start, level.exit)
    assert not run.state.scored


@pytest.mark.parametrize("theme", ["crypt", "ice"])
def test_a_drawn_level_without_monsters_has_those_of_its_theme(tmp_path, theme):
    (tmp_path / "a.txt").write_text("#" * 80 + ("\n#" + "." * 78 + "#") * 40 + "\n" + "#" * 80)
    level = replace(read_level(tmp_path / "a.txt"), theme=theme)
    kinds = {spawn.kind for spawn in unpack_drawn(pack_drawn(level, 11), 11).spawns}
    assert len(kinds) > 5
    assert kinds.isdisjoint(kind for kind, percent in dwellers(theme).items() if percent == 0)


def test_the_way_down_leads_into_the_adventure_and_back(level):
    run = begun(level, depth=2)
    stand_on_exit(run.state)
    assert not isinstance(run.act(Descend()), Refused)
    assert run.state.depth == 3
    assert run.state.code.recipe != FROM_FILE
    assert not isinstance(run.act(Climb()), Refused)
    assert (run.state.map.tiles == level.tiles).all()
    stand_on_exit(run.state)
    assert not isinstance(run.act(Descend()), Refused)
    assert run.state.depth == 3


def test_it_comes_back_by_its_code_in_its_own_run_only(level):
    run = begun(level)
    assert not isinstance(run.act(Visit(str(run.state.code))), Refused)
    other = Run.begin(RunSetup(3, "3", generator="rooms"))
    assert "its code cannot build it" in other.act(Visit(str(run.state.code))).why


def test_a_state_on_it_is_restored(level):
    state = begun(level).state
    restored = load_state(state.setup, unpack_state(pack_state(save_state(state))))
    assert restored.map.facts() == state.map.facts()


def test_monsters_and_items_of_a_file_are_kept_and_others_come_by_depth(level):
    shallow, deep = (unpack_drawn(pack_drawn(level, depth), depth) for depth in (1, 9))
    assert shallow.spawns
    assert {one.kind for one in shallow.spawns} != {one.kind for one in deep.spawns}
    assert unpack_drawn(pack_drawn(replace(level, light="dark"), 1), 1).light == "dark"
    named = replace(level, spawns=shallow.spawns[:1])
    assert unpack_drawn(pack_drawn(named, 9), 9).spawns == shallow.spawns[:1]


def test_it_replays_without_the_file_seeks_and_walks_as_a_ghost(path, own_home, capsys):
    assert main(["replay", str(path), "--verify"]) == 0
    playback = Playback(read_run(path), KeepKeyframes.CLOSE)
    playback.seek(playback.last)
    assert playback.engine.state.depth == 2
    playback.seek(3)
    assert playback.engine.state.code.recipe == FROM_FILE
    setup = playback.engine.state.setup
    taken = Run.begin_from(setup, save_state(playback.engine.state), path.parent / "t.jsonl")
    taken.close()
    assert Playback(read_run(path.parent / "t.jsonl")).engine.state.code.recipe == FROM_FILE
    assert setup_with_ghost(path).drawn == setup.drawn
    assert capsys.readouterr().err == ""


def test_a_broken_level_is_not_played(level):
    with pytest.raises(CodeError, match="border is open: 0,0, so it cannot be played"):
        pack_drawn(replace(level, tiles=np.full((5, 10), Tile.FLOOR, np.uint8)), 1)


def test_a_level_too_intricate_for_a_header_is_refused(level, monkeypatch):
    monkeypatch.setattr(drawn_level, "MOST_DRAWN", 20)
    with pytest.raises(CodeError, match="at most 20 bytes, compressed, and this has"):
        pack_drawn(level, 1)


@pytest.mark.parametrize(
    ("contents", "most", "words"),
    [
        ({"spawns": (Spawn("rat", 2, 2), Spawn("rat", 3, 2))}, "MOST_CONTENTS", "1 monsters"),
        ({"items": (PlacedItem("dart", 2, 2), PlacedItem("axe", 4, 2))}, "MOST_CONTENTS", "1 st"),
        ({"items": (PlacedItem("dart", 2, 2),) * 2}, "MOST_IN_A_PILE", "1 stacks of items on a t"),
    ],
)
def test_a_level_with_more_contents_than_a_save_can_hold_is_refused(
    level, contents, most, words, monkeypatch
):
    monkeypatch.setattr(drawn_level, most, 1)
    with pytest.raises(CodeError, match=f"at most {words}.*, and this has 2"):
        pack_drawn(replace(level, **{"spawns": (Spawn("rat", 2, 2),)} | contents), 1)


def packed(level, **changes):
    height, width = level.tiles.shape
    fields = {
        "theme": "stone", "width": width, "height": height, "tiles": level.tiles.tobytes(),
        "start": level.start, "exit": level.exit, "spawns": (), "items": None,
    }  # fmt: skip
    return compress(DrawnLevel(**(fields | changes)))


OPEN = bytes([Tile.FLOOR]) * 50


@pytest.mark.parametrize(
    "changes",
    [
        {"width": 9}, {"width": 0}, {"width": 5000, "height": 5000}, {"width": "x"},
        {"tiles": b""}, {"tiles": b"\xff" * 50}, {"tiles": bytes([Tile.WALL]) * 50},
        {"tiles": OPEN}, {"tiles": bytes(MAX_DRAWN_BYTES + 1)},
        {"start": (0, 0)}, {"start": (99, 1)},
        {"start": (-1, -1)}, {"exit": START}, {"exit": (4, 1)}, {"exit": [1]}, {"theme": "x" * 999},
        {"spawns": [("dragonet", 2, 2)]}, {"spawns": [("hero", 2, 2)]}, {"spawns": [("orc", 4, 1)]},
        {"spawns": [("orc", 2, 10**9)]}, {"spawns": [("orc", 2, 2)] * 2},
        {"spawns": [("orc", 2, 2)] * 20_001}, {"light": "pink"},
        {"items": [("nothing", 2, 2, 1, 0, 0)]}, {"items": [("dart", 2, 2, 10**6, 0, 0)]},
        {"items": [("sword", 2, 2, 2, 0, 0)]}, {"items": [("dart", -1, 2, 1, 0, 0)]},
        {"items": [("dart", 0, 0, 1, 0, 0)]}, {"items": [("sword", 2, 2, 1, 10**6, 0)]},
    ],
)  # fmt: skip
def test_a_forged_level_is_refused_with_a_sentence(level, path, tmp_path, changes, capsys):
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    forged = base64.b64encode(packed(level, **changes)).decode()
    bad = headed(tmp_path / "bad.jsonl", lines, drawn=forged)
    assert main(["replay", str(bad), "--verify"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("main.py: ")
    assert said.err.count("\n") == 1
    assert "fault of the program" not in said.err


@pytest.mark.parametrize(
    "changes",
    [
        {"drawn": ""}, {"drawn": "AAAA"}, {"drawn": "?"}, {"mode": Mode.WORKSHOP},
        {"generator": "caves"}, {"size": [30, 20]}, {"drawn": "A" * (2 * MOST_DRAWN)},
    ],
)  # fmt: skip
def test_a_forged_header_is_refused_with_a_sentence(path, tmp_path, changes, capsys):
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    bad = headed(tmp_path / "bad.jsonl", lines, **changes)
    assert main(["replay", str(bad), "--verify"]) in {1, 4}
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("limit", ["MOST_TILES", "MOST_DRAWN"])
@pytest.mark.parametrize("less", [0, 1])
def test_a_level_is_played_up_to_the_last_tile_and_byte_of_the_limit(
    level, limit, less, monkeypatch
):
    packed = pack_drawn(level, 1)
    whole = {"MOST_TILES": level.tiles.size, "MOST_DRAWN": len(packed)}[limit]
    monkeypatch.setattr(drawn_level, limit, whole - less)
    unpack_drawn.cache_clear()
    if less:
        with pytest.raises(CodeError, match="too large to play"):
            pack_drawn(level, 1)
    else:
        assert pack_drawn(level, 1) == packed
    if limit == "MOST_TILES" and less:
        with pytest.raises(InvalidSave, match="wrong size"):
            unpack_drawn(packed, 1)
    else:
        assert (unpack_drawn(packed, 1).tiles == level.tiles).all()
