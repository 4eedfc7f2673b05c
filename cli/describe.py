"""`describe`: say what levels, built or from files, are like, in a few sentences each."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from cli.arguments import code_texts, level_codes
from cli.errors import EXIT_CODES, OK
from cli.output import print_records, print_wrapped
from procgen.build import build
from workbench.description import describe
from workbench.exports.level_record import metrics_record
from workbench.level_files import is_level_file, read_level
from workbench.search.search_jobs import METRIC_NAMES


def describe_levels(options: argparse.Namespace) -> int:
    """Print the code, or the file, and the description of each level; as data its metrics too."""
    if options.format != "text":
        columns = ("code", "description", *METRIC_NAMES)
        print_records(options.format, _described(options.codes), columns)
    else:
        for record in _described(options.codes):
            print_wrapped(record["code"])
            print_wrapped(record["description"])
    return OK


def _described(texts: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the code, or the file, the description and the metrics of each level.

    If levels have faults, the first fault is raised after all other levels.
    """
    faults = []
    for text in code_texts(texts):
        try:
            drawn = is_level_file(text)
            level = read_level(Path(text)) if drawn else build(*level_codes([text], None, None, 1))
            name = text if drawn else str(level.code)
            yield {"code": name, "description": describe(level), **metrics_record(level)}
        except tuple(EXIT_CODES) as fault:
            faults.append(fault)
    if faults:
        raise faults[0]
