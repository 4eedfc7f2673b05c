"""Seedhollow as a library; this module is the ``__init__`` of the installed package.

A public name is imported when it is first used, so that the program itself starts quickly.
docs/library.md shows how to use the names.
"""

from importlib import import_module
from typing import Any

DEFINED_IN = {
    "Blueprint": "procgen.blueprint:Blueprint",
    "GeneratedLevel": "workbench.public_api:GeneratedLevel",
    "Point": "procgen.blueprint:Point",
    "RectangularRoom": "procgen.blueprint:RectangularRoom",
    "Rejected": "procgen.blueprint:Rejected",
    "Rng": "procgen.rng:Rng",
    "Spawn": "procgen.blueprint:Spawn",
    "Tile": "entities.terrain:Tile",
    "__version__": "entities.program:VERSION",
    "available": "workbench.generator_records:available",
    "find": "workbench.public_api:find",
    "from_file": "workbench.public_api:from_file",
    "from_steps": "workbench.public_api:from_steps",
    "level": "workbench.public_api:level",
    "levels": "workbench.public_api:levels",
    "run_program": "main:run_program",
    "step": "procgen.step_registry:step",
    "tile_names": "entities.terrain:TILE_NAMES",
}
"""The module of each public name, and its name there."""

__all__ = list(DEFINED_IN)
__all__ += ["register_environment"]


def __getattr__(name: str) -> Any:
    """Import a public name."""
    if name not in DEFINED_IN:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, defined = DEFINED_IN[name].partition(":")
    value = getattr(import_module(f"{__package__}.{module}" if __package__ else module), defined)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)


def register_environment() -> None:
    """Register ``Seedhollow-v0`` with Gymnasium, which is imported only now."""
    gymnasium = import_module("gymnasium.envs.registration")
    if "Seedhollow-v0" not in gymnasium.registry:
        place = "workbench.learning.environment:SeedhollowEnv"
        place = f"{__package__}.{place}" if __package__ else place
        gymnasium.register("Seedhollow-v0", place, max_episode_steps=10_000)


if __name__ == "__main__":  # `python -m seedhollow` in a checkout.
    import_module("main").run_program()
