"""`map`: build levels and print them or write them to files."""

import argparse
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from itertools import islice
from pathlib import Path

from cli import output
from cli.arguments import chosen_seeds, level_codes, optional_int, optional_size, recipes_and_worlds
from cli.errors import OK, UsageError
from procgen.build import build
from procgen.level import Level
from procgen.level_code import LevelCode, parse_place
from procgen.recipe_builder import BuildFailed
from procgen.world_types import WorldType
from workbench.exports.build_film import MOST_FRAMES
from workbench.exports.formats import FORMATS, Files, export_files, refuse_large
from workbench.exports.origin import ExportOptions
from workbench.images.level_pictures import MAX_TILE, MIN_TILE
from workbench.level_files import is_level_file, read_level

ENDINGS = {"text": "txt"}
MOST_FILES = 100_000
PRINTED = ("text", "json", "jsonl")
"""Formats that are printed without ``--output``."""


def write_maps(options: argparse.Namespace) -> int:
    """Build or read the chosen levels and write them where the options say, one by one."""
    form = _format_name(options)
    picture_options = _export_options(options, form)
    if any(map(is_level_file, options.codes)):
        _write_level_file(options, form, picture_options)
        return OK
    codes = _codes(options)
    target = options.output
    several = target and (output.is_folder(target) or output.FIELD.search(target))
    if FORMATS[form].one_stream and not several:
        _stream(codes, form, target, force=options.force)
    elif target and target != output.STDOUT:
        _write_files(codes, form, picture_options, options)
    elif form != "json" and not target:
        raise UsageError(f"--format {form} needs --output PATH, or - for standard output")
    else:
        first, *more = islice(codes, 2)
        if more:
            raise UsageError(f"--format {form} holds one level; use jsonl for several")
        _write_to_stdout(export_files(build(first, digests=True), form, picture_options), form)
    return OK


def _format_name(options: argparse.Namespace) -> str:
    """Return the format: ``--format``, else by the ending of the output, else text."""
    target = options.output or ""
    ending = Path(target).suffix[1:].lower()
    if form := options.format:
        endings = {*FORMATS, *ENDINGS.values()} - {form, ENDINGS.get(form, form)}
        if ending in endings and (form, ending) != ("tmj", "json"):  # Tiled saves JSON with both.
            raise UsageError(f"--output {target} ends in .{ending}, but the format is {form}")
        return str(form)
    if ending in FORMATS:
        return ending
    if ending not in {"", *ENDINGS.values()} and not output.is_folder(target):
        known = ", ".join([*ENDINGS.values(), *(name for name in FORMATS if name not in ENDINGS)])
        raise UsageError(f"--output {target}: .{ending} is not one of {known}; add --format")
    return "text"


def _export_options(options: argparse.Namespace, form: str) -> ExportOptions:
    """Return the picture options; raise `UsageError` for options that the format does not have."""
    for name in ("tile", "flat", "card", "captions", "frames"):
        if getattr(options, name) and name not in FORMATS[form].options:
            raise UsageError(f"--{name} has no effect with --format {form}")
    return ExportOptions(
        optional_int(options.tile, "--tile", low=1 if options.flat else MIN_TILE, high=MAX_TILE),
        options.flat,
        options.card,
        options.captions,
        optional_int(options.frames, "--frames", low=2, high=MOST_FRAMES),
    )


def _codes(options: argparse.Namespace) -> Iterator[LevelCode]:
    """Check the options at once and return an iterator over the codes."""
    depth, shape = optional_int(options.depth, "--depth"), optional_size(options.size)
    if options.codes:
        return iter(level_codes(options.codes, depth, shape, MOST_FILES, options.settings))
    recipes = recipes_and_worlds(options.generator, options.settings)
    numbers = chosen_seeds(options.seed, options.seeds)
    at = None if options.at is None else parse_place(options.at)
    for recipe in recipes:  # Report a size that is too small before any level is built.
        recipe.code(0, depth or 1, shape)
    if not at:
        return (recipe.code(seed, depth or 1, shape) for recipe in recipes for seed in numbers)
    worlds = [recipe for recipe in recipes if isinstance(recipe, WorldType)]
    if len(worlds) < len(recipes):
        raise UsageError("--at needs a generator that is an infinite world, such as wilds")
    return (world.code(seed, depth or 1, shape, at) for world in worlds for seed in numbers)


def _built(codes: Iterable[LevelCode], faults: list[BaseException]) -> Iterator[Level | None]:
    """Yield the levels, or None for one that cannot be built; its fault is added to ``faults``."""
    for code in codes:
        try:
            yield build(code, digests=True)
        except BuildFailed as fault:
            faults.append(fault)
            yield None


def _stream(codes: Iterator[LevelCode], form: str, target: str | None, *, force: bool) -> None:
    name = "" if target in {None, output.STDOUT} else str(target)
    file = output.create_file(Path(name), force=force) if name else nullcontext(sys.stdout.buffer)
    hidden = not name and sys.stdout.isatty()
    faults, written = list[BaseException](), 0
    levels = output.counted_progress(_built(codes, faults), "map", hidden=hidden)
    with file as out:
        try:
            with levels as tracked:
                for level in filter(None, tracked):
                    written += out.write(export_files(level, form, name=name)[""])
        except KeyboardInterrupt as stop:  # Raised again once the levels so far are in the file.
            faults.insert(0, stop)
        if faults and not written:
            raise faults[0]
    if faults:
        raise faults[0]


def _write_to_stdout(files: Files, form: str) -> None:
    """Write a level to standard output; to a terminal only text is written."""
    if len(files) > 1:
        raise UsageError(f"--format {form} is more than one file: give --output a path")
    if form in PRINTED:
        sys.stdout.buffer.write(files[""])
        return
    with output.create_file(Path(output.STDOUT), force=False) as out:
        out.write(files[""])


def _write_files(
    codes: Iterator[LevelCode], form: str, pictures: ExportOptions, options: argparse.Namespace
) -> None:
    """Write each level and the files it needs; first check that no level's file exists."""
    chosen = list(islice(codes, MOST_FILES + 1))
    if len(chosen) > MOST_FILES:
        raise UsageError(f"one file per level is more than {MOST_FILES} files; use jsonl")
    for code in chosen if form == "png" else ():
        refuse_large(code, pictures)
    paths = output.output_paths(chosen, options.output, ENDINGS.get(form, form))
    for path in paths:
        output.require_new_file(path, force=options.force)
    faults = list[BaseException]()
    with output.counted_progress(_built(chosen, faults), "map", len(chosen)) as tracked:
        for path, level in zip(paths, tracked, strict=True):
            if level:
                _write(path, export_files(level, form, pictures, path.name), force=options.force)
    if faults:
        raise faults[0]
    if sys.stderr.isatty():
        print(f"{len(paths)} written, the last to {paths[-1]}", file=sys.stderr)


def _write_level_file(options: argparse.Namespace, form: str, pictures: ExportOptions) -> None:
    """Write the level of a file in another format."""
    if len(options.codes) > 1:
        raise UsageError("give one level file at a time, without level codes")
    for name in ("depth", "size", "settings", "card"):
        if getattr(options, name):
            raise UsageError(f"--{name.replace('settings', 'set')} has no effect on a level file")
    if not options.output and form not in PRINTED:
        raise UsageError(f"--format {form} needs --output PATH, or - for standard output")
    level = read_level(source := Path(options.codes[0]))
    file_options = pictures._replace(source=source.name)
    if options.output in {None, output.STDOUT}:
        _write_to_stdout(export_files(level, form, file_options), form)
        return
    (target,) = output.output_paths([level.code], options.output, ENDINGS.get(form, form))
    files = export_files(level, form, file_options, target.name)
    output.require_new_file(target, force=options.force)
    _write(target, files, force=options.force)


def _write(target: Path, files: Files, *, force: bool) -> None:
    """Write a level to ``target``, and the files it needs beside it unless they exist already.

    Maps share a tile set.
    """
    for name, content in reversed(files.items()):
        path = target.with_name(name) if name else target
        if not (path.is_file() and path.read_bytes() == content):
            with output.create_file(path, force=force) as out:
                out.write(content)
