from entities.terrain import Tile
from main import run_program
from procgen.blueprint import Blueprint, Point, RectangularRoom, Rejected, Spawn
from procgen.rng import Rng
from procgen.step_registry import step
from workbench.generator_records import available
from workbench.public_api import GeneratedLevel, find, from_file, from_steps, level, levels

__version__: str
tile_names: tuple[str, ...]
ACTIONS: tuple[str, ...]
CREATURES: tuple[str, ...]
FIGURES: tuple[str, ...]
ITEMS: tuple[str, ...]
PACK: tuple[str, ...]
PLANES: tuple[str, ...]
TILES: tuple[str, ...]
TRANSPARENT: tuple[bool, ...]
WALKABLE: tuple[bool, ...]

def register_environment() -> None: ...

__all__ = [
    "ACTIONS",
    "CREATURES",
    "FIGURES",
    "ITEMS",
    "PACK",
    "PLANES",
    "TILES",
    "TRANSPARENT",
    "WALKABLE",
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
