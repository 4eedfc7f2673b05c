"""Build a level from its code: by a recipe, or as a window of an infinite world."""

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from procgen.infinite.chunk_window import build_window, grow_window
from procgen.level import Level
from procgen.level_code import LevelCode
from procgen.progress import Progress
from procgen.recipe_builder import BuildFailed, Filter, Stage, StepInterrupted, build_recipe
from procgen.recipes import Recipe
from procgen.settings import recipe_for_code
from procgen.step_chain import StepUse
from procgen.step_registry import Step
from procgen.world_types import world_types


def recipe_of(code: LevelCode) -> Recipe:
    """Return the recipe of ``code``; for an infinite world, one with its phases as steps."""
    if not code.place:
        return recipe_for_code(code)
    world = world_types()[code.recipe]
    values, nothing = world.values, frozenset[str]()
    steps = [Step(phase, no_step, type(values), nothing, nothing) for phase in world.phases]
    uses = tuple(StepUse(step, values, step.name) for step in steps)
    size, theme = (code.width, code.height), world.theme
    return Recipe(world.name, world.version, world.description, theme, size, world.smallest, uses)


def no_step(*_: Any, **__: Any) -> Iterator[str]:
    """Do nothing: the phases of an infinite world are steps in name only."""
    return iter(())


def build_in_stages(
    code: LevelCode, recipe: Recipe | None = None, *, digests: bool = False, spawn_if: Filter = None
) -> Generator[Stage, None, Level]:
    """Build the level of ``code``, yielding every stage; the level is the return value.

    The arguments and errors are those of `build_recipe`. For a window of an infinite world only
    ``code`` matters: its phases take the place of steps, and it is never rejected.
    """
    if code.place:
        return grow_window(code, recipe_of(code).steps)
    return build_recipe(code, recipe, digests=digests, spawn_if=spawn_if)


class BuildStopped(Exception):
    """The player has cancelled a long build."""


Watcher = Callable[[LevelCode, Stage, bool], None]
_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextmanager
def watched_builds(watcher: Watcher) -> Iterator[None]:
    """Call ``watcher(code, stage, nothing_changed)`` for every stage of each `build` in the block.

    The rules build levels in the middle of an action, and resuming a run builds several; a watcher
    can show their stages, and cancel a build by raising an exception. Windows of infinite worlds
    are not watched: they take half a second.
    """
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


def build(code: LevelCode, *, digests: bool = False, nothing_changed: bool = False) -> Level:
    """Return the level of ``code``: the same level every time and on every machine.

    If the code has a place, the level is a window of an infinite world around it. The rules set
    ``nothing_changed`` if they have not changed the state yet, so that the build can be cancelled.
    """
    if code.place:
        return build_window(code)
    stages, watcher = Progress(build_in_stages(code, digests=digests)), _watcher.get()
    try:
        for stage in stages:
            if watcher:
                watcher(code, stage, nothing_changed)
    except StepInterrupted as stop:
        if not watcher:
            raise
        raise BuildFailed(f"{code}: {stop}") from stop  # The game goes on, as after other faults.
    return stages.result
