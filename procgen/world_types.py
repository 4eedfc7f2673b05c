"""World types: infinite worlds read from data, each a chunk maker with parameters."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from entities.data_files import convert, read_entries
from procgen.chunk import SIDE, Chunk, ChunkGenerator
from procgen.level_code import LevelCode
from procgen.progress import run_to_end
from procgen.step_registry import parameter_struct

WORLD_TYPES_FILE = "world_types.toml"
MIDDLE = (SIDE // 2, SIDE // 2)
"""The default place of a window, and the start of a run."""
KEPT = 32
"""Chunks kept in the least-recently-used cache."""

Positive = Annotated[int, Meta(ge=1)]


class WorldTypeEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of world_types.toml; ``maker`` names a module of `procgen.infinite`."""

    description: str
    maker: Literal["wilderness", "infinite_caves", "infinite_dungeon"]
    theme: str
    version: Positive = 1
    size: tuple[Positive, Positive] = (160, 90)
    parameters: dict[str, Any] = {}


@dataclass(frozen=True)
class WorldType:
    """An infinite world: its chunk maker, the maker's parameters and phases, and window sizes.

    The ``maker`` is a pure generator function ``(seed, cx, cy, *, parameter=default, ...)``. It
    yields each `ChunkStage`, in one of the ``phases``, and returns the chunk.
    """

    name: str
    version: int
    description: str
    theme: str
    size: tuple[int, int]
    maker: Callable[..., ChunkGenerator]
    phases: tuple[str, ...]
    values: msgspec.Struct

    smallest = (1, 1)

    def grow(self, seed: int, cx: int, cy: int) -> ChunkGenerator:
        """Make the chunk (cx, cy) of the world of ``seed``, yielding its stages."""
        return self.maker(seed, cx, cy, **msgspec.structs.asdict(self.values))

    def chunk(self, seed: int, cx: int, cy: int) -> Chunk:
        """Return the chunk (cx, cy) of the world of ``seed``: always the same."""
        return run_to_end(self.chunk_stages(seed, cx, cy))

    def chunk_stages(self, seed: int, cx: int, cy: int) -> ChunkGenerator:
        """Make the chunk (cx, cy), yielding its stages; return it at once if it is cached."""
        key, chunks = (self.name, seed, cx, cy), recent_chunks()
        chunk = chunks.get(key)
        if chunk is None:
            chunk = yield from self.grow(seed, cx, cy)
            chunk.tiles.setflags(write=False)
        chunks.pop(key, None)
        chunks[key] = chunk
        if len(chunks) > KEPT:
            chunks.popitem(last=False)
        return chunk

    def code(
        self,
        seed: int,
        depth: int = 1,
        size: tuple[int, int] | None = None,
        place: tuple[int, int] | None = None,
    ) -> LevelCode:
        """Return the code of a window on this world with ``place`` at its centre."""
        width, height = size or self.size
        return LevelCode(self.name, self.version, seed, depth, width, height, place or MIDDLE)

    def parameters(self) -> dict[str, dict[str, Any]]:
        """Return the maker's parameters as plain values, by its name."""
        return {self.maker.__name__: msgspec.to_builtins(self.values)}


@cache
def recent_chunks() -> OrderedDict[tuple[str, int, int, int], Chunk]:
    """Return the cache of chunks, least recently used first."""
    return OrderedDict()


@cache
def world_types() -> dict[str, WorldType]:
    """Return the world types by name, in file order."""
    worlds = {}
    for name, entry in read_entries(WORLD_TYPES_FILE, WorldTypeEntry).items():
        module = import_module(f"{__package__}.infinite.{entry.maker}")  # It imports recipes.
        maker = getattr(module, entry.maker)
        where = f"data/{WORLD_TYPES_FILE}: [{name}]: parameters"
        values = convert(entry.parameters, parameter_struct(maker), where)
        facts = entry.version, entry.description, entry.theme, entry.size
        worlds[name] = WorldType(name, *facts, maker, module.PHASES, values)
    return worlds
