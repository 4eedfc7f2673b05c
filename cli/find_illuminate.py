"""`find --illuminate`: fill a grid over two metrics; save it, print it, write it as a page."""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

import msgspec

from cli.arguments import optional_int, pool_options, query, recipe_codes, rerun_command
from cli.errors import INTERRUPTED, OK, UsageError
from cli.output import STDOUT, create_file, print_hits, progress, require_new_file
from entities.data_files import DataError, fault_in_words, open_regular_file
from procgen.level_code import parse_seed
from procgen.metric_query import parse_condition, parse_formula, parse_plane
from workbench.evolution.illumination import BATCH, Archive, Elite, Illumination, elites
from workbench.exports.archive_page import archive_page, grid_summary
from workbench.search.process_pool import worker_pool

LEVELS, MOST_LEVELS = 2000, 10_000_000
RERUN_OPTIONS = ("illuminate", "generator", "where", "sort", "depth", "size", "seed")
"""The options that a grid depends on."""
SAVED = 20
"""The number of batches between two writes of the archive."""
MAX_ARCHIVE_BYTES = 10_000_000
"""The most bytes of an archive file."""


def find_by_illumination(options: argparse.Namespace) -> int:
    """Fill the grid and print its levels; Ctrl-C saves and prints those found so far."""
    archive, code = _archive(options), OK
    inside = _ranges(options.in_cell)
    order = query(options, "sort", parse_formula)
    count = optional_int(options.levels, "--levels", 0, MOST_LEVELS)
    before, batches = archive.batches, -(-(LEVELS if count is None else count) // BATCH)
    if options.page == STDOUT:
        raise UsageError("--page - would mix the page with the levels found: name a file")
    page = Path(options.page) if options.page else None
    archive_path = Path(options.archive) if options.archive else None
    if page:
        require_new_file(page, force=options.force)
    _write_archive(archive, archive_path)  # Raise before the search if that is impossible.
    try:
        with (
            worker_pool(*pool_options(options)) as pool,
            progress("illuminating", batches * BATCH) as report,
        ):
            for tried in Illumination(archive, order).run(batches, pool):
                report(tried, len(archive.cells))
                if archive.batches % SAVED == 0:
                    _write_archive(archive, archive_path)
    except KeyboardInterrupt:
        code = INTERRUPTED
    finally:
        by_cell = elites(archive)
        try:
            _write_archive(archive, archive_path)
        except Exception:  # Nothing else has the levels.
            _print_levels(by_cell.values(), archive, inside, options.format)
            raise
    if page and by_cell:
        more = ("--levels", str(archive.batches * BATCH), "--page", options.page)
        command = rerun_command(["find"], options, RERUN_OPTIONS, *more)
        with create_file(page, force=options.force) as out:
            out.write(archive_page(archive, by_cell, command).encode())
    _print_levels(by_cell.values(), archive, inside, options.format)
    done = (archive.batches - before) * BATCH
    stopped = f"; interrupted after {done:,} of {batches * BATCH:,}" if code != OK else ""
    print(grid_summary(archive) + stopped, file=sys.stderr)
    return code


def _archive(options: argparse.Namespace) -> Archive:
    """Return a new archive for the options, or the one saved in ``--archive``."""
    code, *others = recipe_codes(options)
    if not options.generator or others:
        raise UsageError("--illuminate needs one --generator")
    axes = query(options, "illuminate", parse_plane)
    assert axes
    query(options, "where", parse_condition)
    where, order, seed = options.where or "", options.sort or "", parse_seed(options.seed or "0")
    fresh = Archive(axes, str(code), where, order, seed)
    if not options.archive or not Path(options.archive).exists():
        if optional_int(options.levels, "--levels", 0, MOST_LEVELS) == 0:
            raise UsageError("--levels 0 shows what an --archive holds: there is no such file")
        return fresh
    return _read_archive(Path(options.archive), fresh)


def _read_archive(path: Path, requested: Archive) -> Archive:
    try:
        with open_regular_file(path) as file:
            archive = msgspec.json.decode(file.read(MAX_ARCHIVE_BYTES), type=Archive)
        elites(archive)
    except (ValueError, OverflowError) as fault:  # Those of codes and of msgspec are ValueErrors.
        raise DataError(f"{path} is not an --illuminate archive: {fault_in_words(fault)}") from None
    if archive.task != requested.task:
        raise UsageError(
            f"{path} holds another grid: {','.join(archive.axes)} of {archive.code}"
            + (f", where {archive.where}" if archive.where else "")
            + (f", sort {archive.sort}" if archive.sort else "")
            + f", seed {archive.seed}"
        )
    return archive


def _write_archive(archive: Archive, path: Path | None) -> None:
    """Write ``archive`` unless the file has as many batches: then it also has all of this."""
    if path and not (path.exists() and _read_archive(path, archive).batches >= archive.batches):
        with create_file(path, force=True) as out:
            out.write(msgspec.json.format(msgspec.json.encode(archive), indent=1))


def _ranges(text: str | None) -> list[tuple[float, float]]:
    """Parse ``--in-cell``; without it every value is inside."""
    if text is None:
        return [(float("-inf"), float("inf"))] * 2
    try:
        (a, b), (c, d) = (map(float, part.split(":")) for part in text.split(","))
    except ValueError:
        a, b, c, d = 1.0, 0.0, 1.0, 0.0
    if not (a <= b and c <= d):  # Comparisons with NaN are False, too.
        raise UsageError(f"--in-cell {text[:40]!r} is not A:B,C:D, e.g. 6:9,1.6:1.9")
    return [(a, b), (c, d)]


def _print_levels(
    levels: Iterable[Elite], archive: Archive, inside: list[tuple[float, float]], form: str
) -> None:
    hits = [
        elite.hit
        for elite in levels
        if all(
            low <= getattr(elite.metrics, name) <= high
            for name, (low, high) in zip(archive.axes, inside, strict=True)
        )
    ]
    if not hits:
        print("the grid holds no level there", file=sys.stderr)
    if hits or form != "text":
        print_hits(form, hits, 0, archive.axes, {})
