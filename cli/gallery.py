"""`gallery`: draw many levels on one contact sheet."""

import argparse
import sys
from pathlib import Path

from PIL import Image

from cli import arguments
from cli.errors import OK, UsageError
from cli.output import counted_progress, create_file, require_new_file
from entities.wording import pluralise
from procgen.build import build
from procgen.level_code import LevelCode
from procgen.settings import recipe_for_code
from workbench.exports.origin import png_bytes
from workbench.images.contact_sheet import contact_sheet

MAX_LEVELS = 400
RERUN_OPTIONS = ("generator", "seed", "seeds", "depth", "size", "columns")
"""The options that a picture depends on."""


def write_gallery(options: argparse.Namespace) -> int:
    """Write one PNG with a captioned thumbnail of each level."""
    target = Path(options.output)
    if target.suffix.lower() not in {"", ".png"}:
        raise UsageError(f"--output {target}: a gallery is a PNG file")
    require_new_file(target, force=options.force)
    columns = arguments.optional_int(options.columns, "--columns", high=20) or 4
    codes, title, note = _chosen_levels(options)
    with counted_progress(codes, "gallery", len(codes)) as tracked:
        levels = [(*caption(code), build(code)) for code in tracked]
    sheet = contact_sheet(levels, columns, title, note)
    # With fewer colours, which is invisible at this scale, the file has a third of its size.
    sheet = sheet.quantize(256, Image.Quantize.MEDIANCUT, kmeans=1, dither=Image.Dither.NONE)
    words = ["gallery", *(map(str, codes) if options.codes else ())]
    command = arguments.rerun_command(words, options, RERUN_OPTIONS, "--output", target.name)
    with create_file(target, force=options.force) as out:
        out.write(png_bytes(sheet, f"{title}: {note}", command))
    if sys.stderr.isatty():
        print(f"{pluralise(len(levels), 'level')} in {target}", file=sys.stderr)
    return OK


def _chosen_levels(options: argparse.Namespace) -> tuple[list[LevelCode], str, str]:
    """Return the codes of the levels, the title of the sheet and a note."""
    depth = arguments.optional_int(options.depth, "--depth")
    shape = arguments.optional_size(options.size)
    if options.codes:
        codes = arguments.level_codes(options.codes, depth, shape, MAX_LEVELS, options.settings)
        options.settings = []  # The codes in the command have them, and cannot get them twice.
        names = list(dict.fromkeys(code.name for code in codes))
        title = names[0] if len(names) == 1 else "Seedhollow"
        return codes, title, pluralise(len(codes), "level")
    recipes = arguments.chosen_recipes(options.generator, options.settings)
    seeds = arguments.chosen_seeds(options.seed, options.seeds)
    if (levels := len(recipes) * len(seeds)) > MAX_LEVELS:
        raise UsageError(f"a gallery holds at most {MAX_LEVELS} levels, not {levels}")
    codes = [recipe.code(seed, depth or 1, shape) for recipe in recipes for seed in seeds]
    if len(recipes) == 1:
        return codes, recipes[0].name, recipes[0].description
    place = f", depth {depth}" if depth and depth > 1 else ""
    seed_text = f"seed {seeds[0]}" if len(seeds) == 1 else f"seeds {seeds[0]} to {seeds[-1]}"
    return codes, "Seedhollow", f"{len(recipes)} generators, {seed_text}{place}"


def caption(code: LevelCode) -> tuple[str, str]:
    """Return the shortest code of the level in two parts: the recipe and the rest."""
    depth = f":{code.depth}" if code.depth > 1 else ""
    if code.place:
        return code.name, f":{str(code).partition(':')[2]}"
    settings = "".join(f";{setting}" for setting in code.settings)
    usual = recipe_for_code(code).size == (code.width, code.height)
    size = "" if usual else f"@{code.width}x{code.height}"
    return code.name, f"{settings}:{code.seed}{depth}{size}"
