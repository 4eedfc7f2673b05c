from entities.terrain import Tile
from main import run_program
from procgen.blueprint import Blueprint, Point, RectangularRoom, Rejected, Spawn
from procgen.rng import Rng
from procgen.step_registry import step
from workbench.generator_records import available
from workbench.public_api import GeneratedLevel, find, from_file, from_steps, level, levels

__version__: str
tile_names: tuple[str, ...]

def register_environment() -> None: ...

__all__ = [
    "Blueprint",
    "GeneratedLevel",
    "Point",
    "RectangularRoom",
    "Rejected",
    "Rng",
    "Spawn",
    "Tile",
    "__version__",
    "available",
    "find",
    "from_file",
    "from_steps",
    "level",
    "levels",
    "register_environment",
    "run_program",
    "step",
    "tile_names",
]
