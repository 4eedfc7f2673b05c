"""`describe`: say what levels, built or from files, are like, in a few sentences each."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from cli.arguments import code_texts, level_codes
from cli.errors import EXIT_CODES, OK
from cli.output import print_records, print_wrapped
from procgen.build import build
from workbench.description import describe
from workbench.level_files import is_level_file, read_level


def describe_levels(options: argparse.Namespace) -> int:
    """Print the code, or the file, and the description of each level."""
    if options.format != "text":
        print_records(options.format, _described(options.codes), ("code", "description"))
    else:
        for record in _described(options.codes):
            for text in record.values():
                print_wrapped(text)
    return OK


def _described(texts: Sequence[str]) -> Iterator[dict[str, str]]:
    """Yield the code, or the file, and the description of each level.

    If levels have faults, the first fault is raised after all other levels.
    """
    faults = []
    for text in code_texts(texts):
        try:
            if is_level_file(text):
                yield {"code": text, "description": describe(read_level(Path(text)))}
            else:
                [code] = level_codes([text], None, None, most=1)
                yield {"code": str(code), "description": describe(build(code))}
        except tuple(EXIT_CODES) as fault:
            faults.append(fault)
    if faults:
        raise faults[0]
