"""Golden levels: every step's digest and tiles of known codes, kept so that none ever changes.

They hold the shape of levels: tiles, rooms, regions, start and exit. Who lives there is kept apart,
one digest a recipe, so that a new creature changes one small file and no level.

python tests/golden.py            compare all; says the first step that differs and shows the cells
python tests/golden.py caves bsp  compare the levels of these recipes
python tests/keep.py              keep all golden files anew (see docs/POLICY.md first)
"""

import argparse
import lzma
import sys
from hashlib import blake2b

import numpy as np

from support.paths import ROOT

sys.path.insert(0, str(ROOT))

from entities.terrain import terrain
from procgen.build import build_in_stages
from procgen.level import Level
from procgen.level_code import LevelCode, parse_code
from procgen.level_overlays import overlay_names
from procgen.progress import Progress, run_to_end
from procgen.recipes import Recipe, current_recipes, find_recipe
from procgen.settings import complete
from support.spare_recipes import spares

FOLDER = ROOT / "tests" / "golden" / "levels"
INHABITANTS = ROOT / "tests" / "golden" / "tables" / "inhabitants.txt"
KEEP_LEVELS = "If that was meant: python tests/keep.py levels"
KEEP_INHABITANTS = "If that was meant: python tests/keep.py inhabitants"
SAMPLE = 4
"""Of so many golden codes one counts for the digest of inhabitants, and is built in every test run.

It shares no divisor with the number of depths: the sample has levels of each.
"""
SEEDS, DEPTHS = range(10), (1, 4, 9)
FEW = 3
"""The seeds kept for a recipe with an overlay."""
WEARERS = (
    *("keep", "garden", "canals", "bsp", "vaulted", "grotto", "hypostyle", "digger", "caverns"),
    "fortress_mission",
)
"""The recipes that each overlay is kept on, in the order of data/overlays.toml."""
SIDES = (44, 30)


def golden_codes(recipe: Recipe) -> list[LevelCode]:
    """Return the codes whose levels are kept for ``recipe``."""
    size = (max(SIDES[0], recipe.smallest[0]), max(SIDES[1], recipe.smallest[1]))
    seeds = SEEDS[:FEW] if recipe.overlays else SEEDS
    return [recipe.code(seed * 7919 + 1, depth, size) for seed in seeds for depth in DEPTHS]


def kept_recipes() -> list[Recipe]:
    """Return all that is kept: the recipes, chains for what none of them does, and overlays."""
    worn = zip(WEARERS, overlay_names(), strict=False)
    overlaid = [find_recipe(f"{name}+{overlay}") for name, overlay in worn]
    return [*current_recipes(), *spares().values(), *overlaid]


def traced(code: LevelCode) -> tuple[list[tuple[str, str, np.ndarray]], Level]:
    """Return (label, digest, tiles) after every step of the attempt that stood, and the level."""
    recipe = spares().get(code.recipe)
    stages, tiles, attempt = Progress(build_in_stages(code, recipe, digests=True)), {}, 0
    for stage in stages:
        if stage.attempt != attempt:
            tiles, attempt = {}, stage.attempt
        tiles[stage.index] = stage.plan.tiles.copy()
    level = stages.result
    blank = np.zeros((code.height, code.width), np.uint8)
    rows = []
    for index, (label, digest) in enumerate(level.steps):
        last = len(level.steps) - 1
        shown = level.tiles if index == last else tiles.get(index, rows[-1][2] if rows else blank)
        rows.append((label, digest, shown))
    return rows, level


def write(recipe: Recipe) -> None:
    """Keep the digests as text and the tiles, packed, beside them."""
    lines, packed = [], []
    for code in golden_codes(recipe):
        lines.append(str(code))
        for label, digest, tiles in traced(code)[0]:
            lines.append(f"  {label} {digest}")
            packed.append(tiles.tobytes())
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{recipe.name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (FOLDER / f"{recipe.name}.tiles.xz").write_bytes(lzma.compress(b"".join(packed), preset=6))


def inhabitants(recipe: Recipe) -> str:
    """Return 16 hex digits of all that live in a sample of the golden levels of ``recipe``."""
    digest = blake2b(digest_size=8)
    for code in golden_codes(recipe)[::SAMPLE]:
        level = run_to_end(build_in_stages(code, spares().get(code.recipe)))
        digest.update(_lives(level))
    return digest.hexdigest()


def _lives(level: Level) -> bytes:
    return " ".join(f"{s.kind},{s.x},{s.y}" for s in level.spawns).encode() + b"\n"


def inhabitants_table() -> str:
    """Return a line for each recipe: its name and the digest of its inhabitants."""
    return "".join(f"{recipe.name} {inhabitants(recipe)}\n" for recipe in kept_recipes())


def kept_inhabitants() -> dict[str, str]:
    """Return the kept digest of `inhabitants` of each recipe."""
    return dict(line.split() for line in INHABITANTS.read_text(encoding="utf-8").splitlines())


def kept(name: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return (code, [(label, digest)]) as kept for the recipe ``name``; none for a new one."""
    found: list[tuple[str, list[tuple[str, str]]]] = []
    path = FOLDER / f"{name}.txt"
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        if line.startswith("  "):
            label, digest = line.split()
            found[-1][1].append((label, digest))
        else:
            found.append((line, []))
    return found


def differences(name: str) -> str:
    """Return what differs first from the golden file of ``name``: step, count, cells; or ''.

    Where all shapes are equal but creatures differ it is the last step that is blamed.
    """
    found, lives = compared(name, 1)
    if found or lives == kept_inhabitants().get(name, lives):
        return found
    last = next(one for one in kept_recipes() if one.name == name).steps[-1].label
    return f"{name}: first difference at step {last}\n{KEEP_INHABITANTS}"


def compared(name: str, every: int = SAMPLE) -> tuple[str, str]:
    """Compare one of ``every`` so many golden levels of ``name``, which divides `SAMPLE`.

    Return what differs first, or '', and then the digest of `inhabitants` too.
    """
    lives, position = blake2b(digest_size=8), 0
    if not (levels := kept(name)):
        return f"no levels of {name} are kept yet. {KEEP_LEVELS} {name}", ""
    for number, (text, steps) in enumerate(levels):
        code = _read(text)
        if number % every == 0:
            now, level = traced(code)
            if fault := _first_difference(name, position, steps, now, code):
                return f"{text}: first difference at step {fault}\n{KEEP_LEVELS} {name}", ""
            if number % SAMPLE == 0:
                lives.update(_lives(level))
        position += len(steps) * code.width * code.height
    return "", lives.hexdigest()


def _first_difference(name: str, position: int, steps: list, now: list, code: LevelCode) -> str:
    size = code.width * code.height
    for index, (label, digest) in enumerate(steps):
        here = now[index] if index < len(now) else ("(no step)", "", None)
        if (here[0], here[1]) != (label, digest):
            return label + _cells(name, position + index * size, here, code)
    return f"{now[len(steps)][0]}, which is new" if len(now) > len(steps) else ""


def _read(text: str) -> LevelCode:
    code = parse_code(text)
    if code.recipe in spares():
        return spares()[code.recipe].code(code.seed, code.depth or 1, code.size)
    return complete(code)


def _cells(name: str, offset: int, now: tuple, code: LevelCode) -> str:
    label, _, tiles = now
    if tiles is None:
        return " (now there is none)"
    packed = lzma.decompress((FOLDER / f"{name}.tiles.xz").read_bytes())
    raw = packed[offset : offset + code.width * code.height]
    before = np.frombuffer(raw, np.uint8).reshape(code.height, code.width)
    changed = before != tiles
    rows, was = terrain().text(tiles), terrain().text(before)
    picture = [
        "".join(
            new if flag else ("·" if old == "#" else " ")
            for new, old, flag in zip(*cells, strict=True)
        )
        for cells in zip(rows, was, changed.tolist(), strict=True)
    ]
    return f" (now {label}), {int(changed.sum())} cells:\n" + "\n".join(picture)


def main() -> int:
    """Compare the recipes that are named, or all; return the exit code."""
    recipes = kept_recipes()
    parser = argparse.ArgumentParser(
        description="Compare levels, and who lives there, with the golden ones: say the first step "
        "that differs, and draw the tiles. To keep what there is now: python tests/keep.py"
    )
    parser.add_argument("names", nargs="*", metavar="RECIPE", help="default: all")
    names = parser.parse_args().names
    if unknown := sorted(set(names) - {recipe.name for recipe in recipes}):
        parser.error(f"there is no recipe {unknown[0]!r}")
    recipes = [recipe for recipe in recipes if not names or recipe.name in names]
    faults = [fault for recipe in recipes if (fault := differences(recipe.name))]
    print("\n".join(faults) or f"{len(recipes)} recipes as they were")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
