"""Where the makers of endless worlds are found: every module here, by their functions' names."""

import inspect
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, get_type_hints

import msgspec

from procgen import endless as package
from procgen.endless.chunk import Growth

ChunkFunction = Callable[..., Growth]


@dataclass(frozen=True)
class Maker:
    """A registered way of making chunks: its function, its typed parameters, its acts."""

    name: str
    function: ChunkFunction
    parameters: type[msgspec.Struct]
    acts: tuple[str, ...]

    def grow(self, seed: int, cx: int, cy: int, parameters: msgspec.Struct) -> Growth:
        """Make the chunk (cx, cy) of the world that ``seed`` grows into, draft by draft."""
        return self.function(seed, cx, cy, **msgspec.structs.asdict(parameters))


def endless(acts: str) -> Callable[[ChunkFunction], ChunkFunction]:
    """Register a pure generator function ``(seed, cx, cy, *, parameter=default, ...)``.

    It yields drafts, each in one of the ``acts``, and returns the chunk.
    """

    def mark(function: ChunkFunction) -> ChunkFunction:
        function.chunk_acts = tuple(acts.split())  # type: ignore[attr-defined]
        return function

    return mark


@cache
def makers() -> dict[str, Maker]:
    """Return every maker by name, modules in sorted order."""
    found: dict[str, Maker] = {}
    for name in sorted(module.name for module in pkgutil.iter_modules(package.__path__)):
        module = import_module(f"{package.__name__}.{name}")
        for function in vars(module).values():
            if hasattr(function, "chunk_acts") and function.__module__ == module.__name__:
                found[function.__name__] = _describe(function)
    return found


def _describe(function: ChunkFunction) -> Maker:
    hints = get_type_hints(function, include_extras=True)
    fields: list[tuple[str, Any] | tuple[str, Any, Any]] = [
        (name, hints[name])
        if parameter.default is parameter.empty
        else (name, hints[name], parameter.default)
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    name = function.__name__
    shape = msgspec.defstruct(name, fields, kw_only=True, frozen=True, forbid_unknown_fields=True)
    acts: tuple[str, ...] = function.chunk_acts  # type: ignore[attr-defined]
    return Maker(name, function, shape, acts)
