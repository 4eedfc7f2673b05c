"""The public interface for other programs: levels as arrays and numbers, searches, user steps.

docs/library.md shows it with examples; seedhollow.py makes these names importable.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from components.inventory import PlacedItem
from engine.items.loot import items_of
from engine.monsters.initial_monsters import initial_monsters
from entities.data_files import DataError
from entities.terrain import openable_mask, terrain
from procgen.blueprint import Point, RectangularRoom, Spawn
from procgen.build import build, build_in_stages
from procgen.carving.region_links import shortest_ways
from procgen.level import Level
from procgen.level_code import DEEPEST, checked_size, parse_code, parse_seed
from procgen.metric_query import parse_condition
from procgen.mission import Mission
from procgen.progress import run_to_end
from procgen.recipe_builder import BuildFailed
from procgen.recipes import Recipe, find_any, find_recipe
from procgen.settings import complete, set_up
from procgen.step_chain import whole_chain
from procgen.step_registry import Step, describe_step
from workbench.description import describe
from workbench.exports.formats import export_files
from workbench.exports.level_record import level_text, metrics_record
from workbench.exports.origin import DEFAULT_OPTIONS, ExportOptions
from workbench.level_files import read_level
from workbench.search.process_pool import MOST_WORKERS, ordered_results
from workbench.search.search_jobs import METRIC_NAMES, run_search_job, search_jobs

SIZE_RULE = "size must be two whole numbers, e.g. (80, 45)"
FROM_STEPS = "~own"
"""The name, in codes, of a recipe that exists only in a program."""


class RoomLink(NamedTuple):
    """Two neighbouring rooms: their indices, and the steps from one to the other."""

    start: int
    end: int
    steps: int


class BuildFrame(NamedTuple):
    """One stage of a build: the step, a caption, and the tiles at that stage."""

    step: str
    caption: str
    tiles: NDArray[np.uint8]


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return ``array``, made read-only; that of a copied level is not."""
    array.setflags(write=False)
    return array


class GeneratedLevel:
    """A finished level. Arrays are [y, x] and read-only, positions (x, y) from the upper left."""

    def __init__(self, level: Level, options: ExportOptions = DEFAULT_OPTIONS) -> None:
        self._level, self._options = level, options

    def __repr__(self) -> str:
        return f"<seedhollow level {self.code}>"

    def __str__(self) -> str:
        return "\n".join(level_text(self._level))

    @property
    def code(self) -> str:
        """The full level code."""
        return str(self._level.code)

    @property
    def tiles(self) -> NDArray[np.uint8]:
        """Tile numbers; `tile_names` names them."""
        return _read_only(self._level.tiles)

    @property
    def walkable(self) -> NDArray[np.bool_]:
        """The walkable tiles; closed doors count, locked and secret ones do not."""
        return _read_only(terrain().walkable[self.tiles])

    @property
    def transparent(self) -> NDArray[np.bool_]:
        """The tiles that do not block sight."""
        return _read_only(terrain().transparent[self.tiles])

    @property
    def rooms(self) -> tuple[RectangularRoom, ...]:
        """The rooms, each with x, y, width and height; caves have none."""
        return self._level.rooms

    @property
    def start(self) -> Point:
        """The position at which the hero enters."""
        return self._level.start

    @property
    def exit(self) -> Point | None:
        """The stairs down; None for a window of an infinite world without any."""
        return self._level.exit if self._level.has_exit else None

    @property
    def creatures(self) -> tuple[Spawn, ...]:
        """The monsters at the start, with bosses and their escorts: kind, x, y."""
        return tuple(Spawn(one.kind, one.x, one.y) for one in initial_monsters(self._level))

    @cached_property
    def items(self) -> tuple[PlacedItem, ...]:
        """The items at the start: kind, x, y, many, bonus, charges; none in infinite worlds."""
        return tuple(items_of(self._level))

    @property
    def mission(self) -> Mission | None:
        """The plan that the level follows, if any: its rooms, edges (with locks) and cycles."""
        return self._level.mission

    @cached_property
    def graph(self) -> tuple[RoomLink, ...]:
        """The pairs of neighbouring rooms, which a path connects without coming near a third room.

        Every walkable tile belongs to the nearest room by walking distance (4 directions). Two
        rooms are neighbours if tiles of both touch: their distance is the shortest path across.
        """
        ground, owner = openable_mask()[self.tiles], np.zeros(self.tiles.shape, np.int32)
        for number, room in enumerate(self.rooms, 1):
            part = owner[room.inner]
            part[ground[room.inner] & (part == 0)] = number
        ways = shortest_ways(owner, ground)
        return tuple(RoomLink(one - 1, other - 1, steps) for one, other, steps in ways)

    def metrics(self) -> dict[str, float | None]:
        """Return every metric by name; those of the path to the exit are None without an exit."""
        return metrics_record(self._level)

    def describe(self) -> str:
        """Return a few sentences on the level, in words that `find --words` understands."""
        return describe(self._level)

    def steps(self) -> Iterator[BuildFrame]:
        """Yield the stages of the build, from solid rock to the finished level."""
        for stage in build_in_stages(self._level.code, self._options.recipe):
            yield BuildFrame(stage.use.label, stage.caption, stage.plan.tiles.copy())

    def export(self, form: str, name: str = "") -> dict[str, bytes]:
        """Return the files of the level in a format of `map --format`, by name.

        ``name`` is the name of the main file. A .tmj also needs the picture of its tile set.
        """
        form, name = _text(form, "a format"), _text(name, "name")
        files = export_files(self._level, form, self._options, name)
        return {key or name: content for key, content in files.items()}


def _whole(value: object, rule: str, most: int | None = None) -> int:
    """Return a whole number, perhaps one of NumPy, as an int; refuse any other, by ``rule``."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"{rule}, not {value!r}")
    if most and not 1 <= value <= most:
        raise ValueError(f"{rule} from 1 to {most}, not {value}")
    return int(value)


def _checked(
    depth: object, size: object, settings: object, seeds: object = ()
) -> tuple[int, tuple[int, int] | None]:
    """Return depth and size; raise `TypeError` or `ValueError` for an invalid argument."""
    depth = _whole(depth, "depth must be a whole number", DEEPEST)
    if not isinstance(settings, list | tuple) or not all(isinstance(one, str) for one in settings):
        raise TypeError(f"settings must be texts in a list, e.g. ['loops.at_most=3']: {settings!r}")
    if isinstance(seeds, str) or not isinstance(seeds, Iterable):
        raise TypeError(f"seeds must be a range or a list, not {seeds!r}")
    if size is None:
        return depth, None
    if not isinstance(size, Sequence) or len(size) != 2:
        raise TypeError(f"{SIZE_RULE}, not {size!r}")
    return depth, checked_size(_whole(size[0], SIZE_RULE), _whole(size[1], SIZE_RULE))


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{what} must be text, not {value!r}")
    return value


def _seed(seed: object) -> int:
    rule = "a seed must be a whole number or text"
    return parse_seed(seed if isinstance(seed, str) else str(_whole(seed, rule)))


def level(code: str, settings: Sequence[str] = ()) -> GeneratedLevel:
    """Return the level of a code such as ``digger:7``; ``settings`` are added to its own.

    Raises `ValueError` for an invalid code, `TypeError` for no str, `RuntimeError` without a level.
    """
    _checked(1, None, settings)
    partial = parse_code(_text(code, "a level code"))
    whole = complete(replace(partial, settings=(*partial.settings, *settings)))
    return GeneratedLevel(build(whole, digests=True))


def levels(
    generator: str,
    seeds: Iterable[int | str],
    *,
    depth: int = 1,
    size: tuple[int, int] | None = None,
    settings: Sequence[str] = (),
) -> Iterator[GeneratedLevel]:
    """Return the levels of ``generator`` for ``seeds``, numbers or texts; each is built lazily.

    Raises `UnknownRecipe`, `CodeError` or `TooSmall`, all `ValueError`; `RuntimeError` as `level`.
    """
    depth, size = _checked(depth, size, settings, seeds)
    name, *own = _text(generator, "a generator").split(";")
    recipe = set_up(find_any(name), (*own, *settings))
    codes = (recipe.code(_seed(seed), depth, size) for seed in seeds)
    return (GeneratedLevel(build(code, digests=True)) for code in codes)


def find(
    where: str,
    generator: str,
    seeds: Iterable[int | str],
    *,
    depth: int = 1,
    size: tuple[int, int] | None = None,
    settings: Sequence[str] = (),
    workers: int = 1,
) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield (code, metrics) of every level for which the condition ``where`` holds, by seed.

    ``seeds`` are those of `levels`. With ``workers`` above 1 the search runs in other processes, so
    a script needs ``if __name__ == "__main__":``. Raises `ValueError` for an invalid condition and,
    at the end, `RuntimeError` if a level could not be built.
    """
    depth, size = _checked(depth, size, settings, seeds)
    workers = _whole(workers, "workers must be a whole number", MOST_WORKERS)
    numbers = seeds if isinstance(seeds, range) else [_seed(seed) for seed in seeds]
    for seed in (*numbers[:1], *numbers[-1:]):
        _seed(seed)
    name, *own = _text(generator, "a generator").split(";")
    code = set_up(find_recipe(name), (*own, *settings)).code(0, depth, size)
    parse_condition(_text(where, "a condition"), METRIC_NAMES)
    tasks, failed = search_jobs([code], numbers, where), list[str]()
    with closing(ordered_results(run_search_job, tasks, workers)) as jobs:
        for job in jobs:
            failed += job.failed
            for hit in job.found():
                yield str(hit.code), msgspec.structs.asdict(hit.metrics)
    if failed:
        raise BuildFailed(failed[0])


def from_steps(
    steps: Sequence[Mapping[str, Any]],
    seed: int | str = 0,
    *,
    depth: int = 1,
    size: tuple[int, int] = (80, 45),
) -> GeneratedLevel:
    """Return a level built by ``steps``, each written as in data/recipes.toml.

    ``step`` is the name of a step, or your own function decorated with `step`. The level is
    checked like any other. Its code names the recipe ``~own``, which cannot be looked up. Raises
    `ValueError` for an impossible chain of steps, `TypeError` for a step that is not a table
    with its name, `RuntimeError` if no build succeeds.
    """
    depth, chosen = _checked(depth, size, ())
    functions: dict[str, Step] = {}
    written = []
    for table in steps if isinstance(steps, Iterable) else [steps]:
        if not isinstance(table, Mapping) or "step" not in table or {*map(type, table)} != {str}:
            raise TypeError(f'a step is a table with its name, {{"step": "doors"}}, not {table!r}')
        name = table.get("step")
        if callable(name):
            described = replace(describe_step(name), origin="program")
            if functions.setdefault(described.name, described).function is not name:
                raise ValueError(f"two of the steps are named {described.name}: rename one")
            name = described.name
        plain = {k: v.item() if isinstance(v, np.generic) else v for k, v in table.items()}
        written.append({**plain, "step": name})
    try:
        uses = whole_chain(tuple(written), "steps", functions)
    except DataError as fault:  # Elsewhere a fault of a data file; here, of the call.
        raise ValueError(str(fault)) from None
    about = "Put together in a program."
    recipe = Recipe(FROM_STEPS, 1, about, "stone", (80, 45), (1, 1), uses, streams_of=FROM_STEPS)
    code = recipe.code(_seed(seed), depth, chosen)
    level = run_to_end(build_in_stages(code, recipe, digests=True))
    return GeneratedLevel(level, ExportOptions(recipe=recipe))


def from_file(path: str | PathLike[str]) -> GeneratedLevel:
    """Return the level in a file (.txt, .tmj); raise `ValueError` if it cannot be read as one."""
    if not isinstance(path, str | PathLike):
        raise TypeError(f"a path must be text or a Path, not {path!r}")
    try:
        level = read_level(Path(path))
    except DataError as fault:
        raise ValueError(str(fault)) from None
    return GeneratedLevel(level, ExportOptions(source=Path(path).name))
