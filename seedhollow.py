"""Seedhollow as a library; this module is the ``__init__`` of the installed package.

A public name is imported when it is first used, so that the program itself starts quickly.
docs/library.md shows how to use the names.
"""

import sys
from importlib import import_module
from typing import Any

PREFIX = f"{__package__}." if __package__ else ""
MODULES = {
    "entities.terrain": "Tile",
    "main": "run_program",
    "procgen.blueprint": "Blueprint Point RectangularRoom Rejected Spawn",
    "procgen.rng": "Rng",
    "procgen.step_registry": "step",
    "workbench.generator_records": "available",
    "workbench.learning.observations": "ACTIONS CREATURES FIGURES ITEMS PACK PLANES TILES "
    "TRANSPARENT WALKABLE",
    "workbench.public_api": "GeneratedLevel find from_file from_steps level levels",
}
DEFINED_IN = {name: (module, name) for module, names in MODULES.items() for name in names.split()}
"""The module of each public name, and its name there."""
DEFINED_IN["__version__"] = "entities.program", "VERSION"
DEFINED_IN["tile_names"] = "entities.terrain", "TILE_NAMES"
__all__ = list(DEFINED_IN)
__all__ += ["register_environment"]


def __getattr__(name: str) -> Any:
    """Import a public name."""
    if name not in DEFINED_IN:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, defined = DEFINED_IN[name]
    globals()[name] = value = getattr(import_module(PREFIX + module), defined)
    return value


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)


def register_environment() -> None:
    """Register ``Seedhollow-v0`` with Gymnasium, which is imported only now."""
    gymnasium = import_module("gymnasium.envs.registration")
    if "Seedhollow-v0" not in gymnasium.registry:
        place = f"{PREFIX}workbench.learning.environment:SeedhollowEnv"
        gymnasium.register("Seedhollow-v0", place, max_episode_steps=10_000)


if sys.modules.get("gymnasium"):  # So that gymnasium.make("seedhollow:Seedhollow-v0") finds it.
    register_environment()
if __name__ == "__main__":  # `python -m seedhollow` in a checkout.
    import_module("main").run_program()
