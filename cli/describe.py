"""`describe`: say what levels, built or from files, are like, in two sentences each."""

import argparse
from pathlib import Path

from cli.arguments import level_codes
from cli.errors import OK
from procgen.build import build
from workbench.description import describe
from workbench.level_files import is_level_file, read_level

MOST = 100_000


def describe_levels(options: argparse.Namespace) -> int:
    """Print the code, or the file, and the description of each level."""
    for text in options.codes:
        if is_level_file(text):
            print(text)
            print(describe(read_level(Path(text))))
            continue
        for code in level_codes([text], None, None, MOST):
            print(code)
            print(describe(build(code, digests=False)))
    return OK
