"""Ghosts: an earlier run of the same dungeon, replayed beside the current one, and its grave."""

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from engine.saves.files import runs_folder, write_atomically
from engine.saves.playback import Desync, Playback
from engine.saves.run_file import RecordedRun, RunFileError, read_run
from engine.state.game_state import GameState
from engine.state.run_setup import EarlierRun, RunSetup
from entities.folders import data_folder
from procgen.recipe_builder import BuildFailed
from procgen.rng import Rng

LONGEST_NAME = 120


class Sighting(NamedTuple):
    """The level code and the place of a ghost; in an infinite world, in world coordinates."""

    level: str
    x: int
    y: int


def ghost_sighting(ghost: Playback, turn: int) -> Sighting | None:
    """Return where ``ghost`` is after ``turn`` actions; None after its end or a desync."""
    if turn > len(ghost.recorded.actions):
        return None
    try:
        ghost.seek(turn)
    except (Desync, BuildFailed, ValueError):
        return None
    return _sighting(ghost.engine.state)


def _sighting(state: GameState) -> Sighting:
    return Sighting(str(state.code), *state.map.world_place(state.hero.x, state.hero.y))


def setup_with_ghost(path: Path) -> RunSetup:
    """Return the setup of a run of the dungeon of the run at ``path``, with its ghost.

    A file from elsewhere is copied to the data folder. Raises `RunFileError` or `Desync` if the run
    cannot be replayed from its beginning.
    """
    recorded = read_run(path)
    if recorded.header.state is not None:
        raise RunFileError(f"{path}: it was taken over, so its ghost has no beginning")
    playback = Playback(recorded)
    playback.seek(playback.last)
    dead = EarlierRun(_keep_run_file(recorded).name)
    state = playback.engine.state
    if not state.hero.alive and not state.map.is_infinite:
        level, x, y = _sighting(state)
        pack = state.hero.inventory
        chance = Rng(state.setup.seed, "grave", state.turn)
        item = replace(chance.pick(pack), count=1, letter="") if pack else None
        dead = EarlierRun(dead.run, level, x, y, item)
    return replace(recorded.header.setup, grew_from=None, ghost=dead)


def ghost_fault(setup: RunSetup) -> str:
    """Return why the item that a ghost left beside a run of ``setup`` is not proven, or ""."""
    if not (setup.ghost and setup.ghost.item):
        return ""
    ghost, fault = ghost_of(setup), "cannot be replayed"
    with suppress(Desync, RunFileError):
        if ghost and setup_with_ghost(ghost.recorded.path) == replace(setup, grew_from=None):
            return ""
        fault = "leaves no such item" if ghost else f"is missing from {runs_folder()}"
    return f"the file of its ghost, {setup.ghost.run}, {fault}"


def ghost_of(setup: RunSetup) -> Playback | None:
    """Return the replay that is the ghost of a run of ``setup``, if its file is kept and sound."""
    name = setup.ghost.run if setup.ghost else ""
    for folder in (runs_folder(), _ghosts_folder()):
        with suppress(RunFileError):
            if name and Path(name).name == name:
                return Playback(read_run(folder / name))
    return None


def _ghosts_folder() -> Path:
    return data_folder() / "ghosts"


def _keep_run_file(recorded: RecordedRun) -> Path:
    """Keep the run file, copied if it is from elsewhere or its name is long; return its path."""
    path = recorded.path
    if path.resolve().parent == runs_folder().resolve() and len(path.name) <= LONGEST_NAME:
        return path
    # Named by identity: a run file from elsewhere can have the same name as another.
    copy = _ghosts_folder() / f"{recorded.identity.hex()}.jsonl"
    try:
        write_atomically(copy, path.read_bytes())
    except OSError as fault:
        raise RunFileError(f"{copy}: cannot be written ({fault.strerror})") from None
    return copy
