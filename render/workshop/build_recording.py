"""A recording of a build: a snapshot after each change, so that it plays in both directions.

Snapshots share delta-compressed arrays: a large level has thousands of snapshots, and copies of the
whole map would take gigabytes.
"""

import time
from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from procgen.blueprint import Point, RectangularRoom
from procgen.build import build_in_stages, recipe_of
from procgen.level import Level
from procgen.level_code import LevelCode
from procgen.mission import Mission
from procgen.recipe_builder import BuildFailed, Stage, StepInterrupted
from procgen.recipes import Recipe
from procgen.step_chain import StepUse
from render.workshop.delta_frames import DeltaFrames


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The blueprint after one change worth showing, and the step that made it.

    ``index`` is the snapshot's place in the build, ``step_index`` the step's in the recipe;
    ``frames`` and ``region_frames`` are the maps of all; ``rejects`` ends a rejected attempt.
    """

    frames: DeltaFrames[np.uint8]
    region_frames: DeltaFrames[np.int32]
    index: int
    region_index: int | None
    start: Point | None
    exit: Point | None
    spawns: tuple[tuple[int, int], ...]
    leaves: tuple[RectangularRoom, ...]
    mission: Mission | None
    use: StepUse
    step_index: int
    caption: str
    attempt: int
    rejects: bool = False

    @property
    def tiles(self) -> NDArray[np.uint8]:
        """The tiles [y, x], read-only."""
        return self.frames[self.index]

    @property
    def regions(self) -> NDArray[np.int32] | None:
        """The blueprint's own regions [y, x], None if it had none."""
        return None if self.region_index is None else self.region_frames[self.region_index]

    @property
    def changed(self) -> RectangularRoom | None:
        """The part that changed since the previous snapshot, None if none did."""
        return self.frames.changed(self.index)

    @property
    def step(self) -> str:
        """The label of the step that made the snapshot."""
        return self.use.label

    @property
    def parameters(self) -> list[tuple[str, str]]:
        """The names and values of the step's parameters."""
        values = msgspec.to_builtins(self.use.parameters)
        return [(name, format_value(value)) for name, value in values.items()]


def format_value(value: object) -> str:
    """Return a parameter's value as text for display."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {format_value(part)}" for key, part in value.items()) or "none"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


MIN_TILES = 400_000
"""The least number of tiles of snapshots made in a slice of work, even on a slow machine."""
SLICE_SECONDS = 0.03
"""Seconds after which a slice of work ends, once it has made that many."""

Kept = TypeVar("Kept")


class BuildRecording:
    """The snapshots of a build so far; `advance` adds the next one.

    ``recipe`` replaces the one that the code names. ``starts`` are the numbers of the first
    snapshots of each step. If a build fails, ``failure`` is a sentence on the reason.
    """

    def __init__(self, code: LevelCode, recipe: Recipe | None = None) -> None:
        self.code = code
        self.recipe = recipe or recipe_of(code)
        self.snapshots: list[Snapshot] = []
        self.starts: list[int] = []
        self.level: Level | None = None
        self.failure = ""
        self._frames, self._region_frames = DeltaFrames[np.uint8](), DeltaFrames[np.int32]()
        stages = build_in_stages(code, recipe, digests=True)
        self._stages: Generator[Stage, None, Level] | None = stages

    @property
    def finished(self) -> bool:
        """True if the build is finished."""
        return self._stages is None

    @property
    def share(self) -> float:
        """The approximate share of the build that is done, 0 to 1, by steps of the recipe."""
        if self.finished:
            return 1.0
        done = self.snapshots[-1].step_index if self.snapshots else 0
        return (done + 0.5) / len(self.recipe.steps)

    def maker(self, index: int, x: int, y: int) -> Snapshot:
        """Return the snapshot that made the tile (x, y) what it is in snapshot ``index``."""
        return self.snapshots[self._frames.last_change(index, y, x)]

    def advance(self) -> bool:
        """Build up to the next snapshot; return whether there was one."""
        if self._stages is None:
            return False
        try:
            stage = next(self._stages)
        except StopIteration as end:
            self.level = end.value
            self._give_up(len(end.value.rejected))
            self._stages = None
            for last in [snapshot for snapshot in self.snapshots if snapshot.rejects]:
                caption = f"{last.caption}: {end.value.rejected[last.attempt]}"
                self.snapshots[last.index] = replace(last, caption=caption)
        except (BuildFailed, StepInterrupted) as fault:
            self.failure = f"No level: {str(fault).removeprefix(f'{self.code}: ')}"
            self._stages = None
            self._give_up(self.snapshots[-1].attempt + 1 if self.snapshots else 0)
        else:
            self._give_up(stage.attempt)
            self._keep(stage)
        return self._stages is not None

    def work(self) -> None:
        """Build for one slice of time, so that drawing and input can go on."""
        least = len(self.snapshots) + max(1, MIN_TILES // (self.code.width * self.code.height))
        end = time.monotonic() + SLICE_SECONDS
        while not self.finished and (len(self.snapshots) < least or time.monotonic() < end):
            self.advance()

    def to_end(self) -> None:
        """Finish the build."""
        while self.advance():
            pass

    def _give_up(self, attempt: int) -> None:
        """Mark the end of the current attempt as rejected if it is earlier than ``attempt``."""
        last = self.snapshots[-1] if self.snapshots else None
        if last and last.attempt < attempt:
            self._frames.append(last.tiles)
            told = f"Attempt {last.attempt + 1} is rejected"
            self.snapshots.append(replace(last, index=last.index + 1, caption=told, rejects=True))

    def _keep(self, stage: Stage) -> None:
        last, plan = self.snapshots[-1] if self.snapshots else None, stage.plan
        if last is None or last.rejects or last.step_index != stage.index:
            self.starts.append(len(self.snapshots))
        self._frames.append(plan.tiles)
        if plan.regions is not None:
            self._region_frames.append(plan.regions)
        spawns = tuple((spawn.x, spawn.y) for spawn in plan.spawns)
        snapshot = Snapshot(
            frames=self._frames,
            region_frames=self._region_frames,
            index=len(self.snapshots),
            region_index=None if plan.regions is None else len(self._region_frames) - 1,
            start=plan.start,
            exit=plan.exit,
            spawns=_shared(spawns, last.spawns if last else None),
            leaves=_shared(tuple(plan.leaves), last.leaves if last else None),
            mission=plan.mission,
            use=stage.use,
            step_index=stage.index,
            caption=stage.caption,
            attempt=stage.attempt,
        )
        self.snapshots.append(snapshot)


def _shared(new: Kept, old: Kept | None) -> Kept:
    """Return ``old`` if it equals ``new``, so that unchanged values are stored once."""
    return old if old is not None and old == new else new
