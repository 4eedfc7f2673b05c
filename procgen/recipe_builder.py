"""Run a recipe, validate the level, and retry with the next attempt number if it is rejected."""

from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import astuple, replace
from inspect import getfile
from operator import index as whole
from pathlib import Path
from traceback import extract_tb
from typing import Any

import msgspec
import numpy as np
import scipy
from numpy.typing import NDArray

from entities.creature_kinds import creature_kinds
from entities.data_files import DataError, check_names
from entities.folders import USER_MARK
from entities.terrain import TILES, terrain
from procgen.analysis.distances import DIRECTIONS, SQUARE, regions
from procgen.blueprint import Blueprint, Point, RectangularRoom, Rejected, Spawn
from procgen.level import Level
from procgen.level_code import LevelCode
from procgen.level_overlays import dwellers, extra_spawn_weights, light_of
from procgen.mission import Mission
from procgen.recipes import Recipe
from procgen.rng import Rng
from procgen.settings import recipe_for_code
from procgen.step_chain import StepUse
from procgen.validate import follows_mission, validate

ATTEMPTS, MOST_STAGES, MOST_REASONS = 64, 40_000, 3
"""The most attempts at a level, stages of a user step on a small map, and reasons in a message."""
REJECTED = "attempts were rejected"
"""The words in the message of a `BuildFailed` that has ``rejected``."""
Filter = Callable[[Level], bool] | None
"""A test of the level, still without creatures; None accepts every level."""


class BuildFailed(RuntimeError):
    """A level cannot be built; ``rejected`` are the reasons of all attempts, if that is why."""

    rejected: tuple[str, ...] = ()


class StepInterrupted(KeyboardInterrupt):
    """Ctrl-C while a user step ran; the message gives its line."""


class Stage(msgspec.Struct, frozen=True):
    """One moment of a build: the blueprint after a change worth showing, with its caption."""

    plan: Blueprint
    attempt: int
    index: int
    use: StepUse
    caption: str


def build_recipe(
    code: LevelCode, recipe: Recipe | None = None, *, digests: bool = False, spawn_if: Filter = None
) -> Generator[Stage, None, Level]:
    """Build the level of ``code`` by a recipe, yielding every stage; return the level.

    ``recipe`` replaces the one that the code names (the Workshop changes parameters). Without
    ``digests`` only the recipe's last step has a digest, which is faster. ``spawn_if`` is asked
    before creatures are placed, which changes nothing else; if it returns False, none are placed.
    Raises `BuildFailed` after `ATTEMPTS` rejected builds, for a fault in a user recipe or settings,
    and for the code of a level from a file.
    """
    recipe = recipe or recipe_for_code(code)
    if not recipe.steps:
        raise BuildFailed(f"{code} is a level from a file: its code cannot build it")
    rejected: list[str] = []
    shape = len(recipe.steps)
    while spawn_if and shape and recipe.steps[shape - 1].step.gives == {"creatures"}:
        shape -= 1
    for attempt in range(ATTEMPTS):
        plan = Blueprint.solid(code.width, code.height, code.depth)
        plan.spawn_percents = dwellers(recipe.theme)
        plan.spawn_weights = extra_spawn_weights(code.overlays, code.depth)
        try:
            steps = yield from _attempt(plan, code, recipe, attempt, digests, range(shape))
            validate(plan)
            assert plan.start
            assert plan.exit
            parts = tuple(plan.rooms), plan.start, plan.exit, tuple(plan.spawns), tuple(steps)
            level = Level(code, recipe.theme, plan.tiles, *parts, tuple(rejected))
            level = replace(level, mission=plan.mission, light=light_of(code, recipe.theme))
            if spawn_if and spawn_if(level):
                rest = range(shape, len(recipe.steps))
                steps += yield from _attempt(plan, code, recipe, attempt, digests, rest)
                validate(plan)
                level = replace(level, spawns=tuple(plan.spawns), steps=tuple(steps))
        except Rejected as verdict:
            rejected.append(str(verdict) or "no reason given")
            continue
        except KeyboardInterrupt as stop:  # Perhaps the step would never have ended.
            if place := _place_in_user_step(stop, recipe):
                raise StepInterrupted(f"interrupted in {place}") from stop
            raise
        except (Exception, SystemExit) as fault:
            # A user step can fail in any way; ours fail only with settings that are each in
            # range but impossible together.
            if not (USER_MARK in recipe.name or recipe.settings):
                raise
            raise BuildFailed(f"{code}: {_failure_message(fault, recipe)}") from fault
        plan.tiles.setflags(write=False)
        return level
    one_of = {text.partition(":")[0]: text for text in sorted(rejected)}
    alike = Counter(text.partition(":")[0] for text in rejected).most_common()
    told = "; ".join(f"{count} x {one_of[kind]}" for kind, count in alike[:MOST_REASONS])
    more = f"; and {len(alike) - MOST_REASONS} more" if len(alike) > MOST_REASONS else ""
    told = told.removeprefix(f"{ATTEMPTS} x ") + more
    failure = BuildFailed(f"{code}: all {ATTEMPTS} {REJECTED}: {told}")
    failure.rejected = tuple(rejected)
    raise failure


def _failure_message(fault: BaseException, recipe: Recipe) -> str:
    """Return a sentence on what a step raised: a user step with its line, or all user steps."""
    if isinstance(fault, DataError):
        return str(fault)
    message = " ".join(f"{type(fault).__name__}: {fault}".split())[:200]
    if place := _place_in_user_step(fault, recipe):
        return f"{place}: {message}"
    users = [use.label for use in recipe.steps if use.step.origin]
    left = f", or with what {' and '.join(users)} left" if users else ""
    return f"the steps cannot work with these settings{left} ({message})"


def _place_in_user_step(fault: BaseException, recipe: Recipe) -> str:
    """Return the innermost line of a user step, or of a file beside it, that raised ``fault``."""
    folders = {Path(getfile(use.step.function)).parent for use in recipe.steps if use.step.origin}
    # Not simply the innermost line of all: that may be in a library.
    lines = [at for at in extract_tb(fault.__traceback__) if Path(at.filename).parent in folders]
    return "".join(f"{at.filename}, line {at.lineno}, in {at.name}" for at in lines[-1:])


def _attempt(
    plan: Blueprint, code: LevelCode, recipe: Recipe, attempt: int, digests: bool, part: range
) -> Generator[Stage, None, list[tuple[str, str]]]:
    """Run the steps of ``part``; return their labels and digests ("" unless ``digests``)."""
    steps = []
    for index in part:
        use = recipe.steps[index]
        # The overlay's name keeps its draws apart from those of the recipe's own step.
        name = recipe.streams_of or code.recipe
        whose = (name, code.depth, *(("+", use.overlay) if use.overlay else ()))
        rng = Rng(code.seed, *whose, use.step.name, use.occurrence, attempt)
        before = plan.tiles.copy() if use.overlay and plan.mission else None
        has = {"rooms": plan.rooms, "regions": plan.regions is not None, "leaves": plan.leaves}
        idle = use.overlay and not all(has.get(need, True) for need in use.step.needs)  # `MAY_LACK`
        count = 0
        for count, caption in enumerate(() if idle else use.step.run(plan, rng, use.parameters), 1):
            _check_left(plan, use, code, count)
            yield Stage(plan, attempt, index, use, str(caption or use.label))
        _check_left(plan, use, code)
        if not count:
            yield Stage(plan, attempt, index, use, "No change")
        if before is not None and undo_mission_breaks(plan, before):
            yield Stage(plan, attempt, index, use, "Changes that break the mission are undone")
        digest = plan.digest() if digests or use is recipe.steps[-1] else ""
        steps.append((use.label, digest))
    if USER_MARK in recipe.name:  # Users' steps may leave NumPy integers, which no file can hold.
        plan.spawns = [Spawn(one.kind, whole(one.x), whole(one.y)) for one in plan.spawns]
        plan.rooms = [RectangularRoom(*map(whole, astuple(room))) for room in plan.rooms]
        plan.start, plan.exit = (at and Point(*map(whole, at)) for at in (plan.start, plan.exit))
    return steps


def _check_left(plan: Blueprint, use: StepUse, code: LevelCode, stages: int = 0) -> None:
    """Raise `DataError` for what nothing can show, or so many stages that there may be no end."""
    if not use.step.origin:
        return
    where, tiles = f"{getfile(use.step.function)}: {use.label}", plan.tiles
    if stages > (most := max(MOST_STAGES, 10 * tiles.size)):
        raise DataError(f"{where} yielded more than {most:,} times")
    if tiles.shape != (code.height, code.width) or tiles.dtype != np.uint8:
        raise DataError(f"{where} changed the size of the map or the type of its tiles")
    for y, x in np.argwhere(tiles >= len(TILES)).tolist():
        raise DataError(f"{where} left tile {tiles[y, x]} at {x},{y}, which does not exist")
    ends = [("start", Point, plan.start), ("exit", Point, plan.exit)]
    left: list[tuple[str, type[Any], Any]] = [end for end in ends if end[2] is not None]
    left += [("spawn", Spawn, spawn) for spawn in plan.spawns]
    left += [("room", RectangularRoom, room) for room in plan.rooms]
    for name, kind, one in left:
        if not isinstance(one, kind):
            raise DataError(f"{where}: a {name} must be a seedhollow.{kind.__name__}, not {one!r}")
        sides = (one.width, one.height) if kind is RectangularRoom else (1, 1)
        if not all(hasattr(number, "__index__") for number in (one.x, one.y, *sides)):
            raise DataError(f"{where}: the {name} {one} is not in whole numbers")
        box = RectangularRoom(one.x, one.y, *sides)
        if min(sides) < 1 or plan.within_border(box, 0) != box:
            raise DataError(f"{where}: the {name} {one} is off the {code.width}x{code.height} map")
    check_names(where, (spawn.kind for spawn in plan.spawns), creature_kinds(), "monster")


def undo_mission_breaks(plan: Blueprint, before: NDArray[np.uint8]) -> bool:
    """Undo changes since ``before`` that open or block a way of the mission; return whether any do.

    If all changes together are harmless, they stay. Otherwise those that neither open nor close a
    tile stay. Of the other patches, those that open a way between two parts are undone; the rest is
    tried in halves, and a half that is not harmless is halved again.
    """
    mission = plan.mission
    if mission is None or not mission.laid_out:
        return False
    # Windows and drops are not fixtures, and they depend on the tiles beside them.
    undone, walkable, fixture = False, terrain().walkable, terrain().fixture
    for x, y in (edge.place for edge in mission.gated("window", "drop") if edge.place):
        around = np.s_[y - 1 : y + 2, x - 1 : x + 2]
        undone = undone or bool((plan.tiles[around] != before[around]).any())
        plan.tiles[around] = before[around]
    after, changed = plan.tiles.copy(), before != plan.tiles
    was, now = before[changed], after[changed]
    # Gates and what opens them are fixtures, so no other change can affect a way.
    grave = (walkable[was] != walkable[now]) | fixture[was] | fixture[now]
    if not grave.any() or _sound(plan, mission):
        return undone
    neutral = walkable[before] == walkable[after]
    plan.tiles[:] = np.where(neutral, after, before)
    patches, count = scipy.ndimage.label(~neutral, SQUARE)
    closing = np.zeros(count + 1, np.bool_)
    closing[patches[~walkable[after]]] = True
    opening = np.flatnonzero(~closing & (_parts_beside(plan, patches, count) == 1))
    doubtful = [np.flatnonzero(closing)[1:], opening]
    while doubtful:
        some, tiles = doubtful.pop(), plan.tiles.copy()
        plan.tiles[:] = np.where(np.isin(patches, some), after, tiles)
        if not _sound(plan, mission):
            plan.tiles[:] = tiles
            doubtful += np.array_split(some, 2)[::-1] if len(some) > 1 else []
    return True


def _parts_beside(plan: Blueprint, patches: NDArray[np.integer], count: int) -> NDArray[np.intp]:
    """Return, by number of the ``patches``, how many walkable parts lie beside each."""
    parts, most = scipy.ndimage.label(terrain().walkable[plan.tiles], SQUARE)
    ys, xs = np.nonzero(patches)  # None on the border.
    around = np.array([parts[ys + dy, xs + dx] for dx, dy in DIRECTIONS])
    pairs = np.unique((patches[ys, xs] * (most + 1) + around)[around > 0])
    return np.bincount(pairs // (most + 1), minlength=count + 1)


def _sound(plan: Blueprint, mission: Mission) -> bool:
    return regions(plan.open)[1] == 1 and follows_mission(plan, mission)
