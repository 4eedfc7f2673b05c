"""`describe`: say what levels are like, in two sentences each."""

import argparse

from cli.arguments import level_codes
from cli.errors import OK
from procgen.build import build
from workbench.description import describe

MOST = 100_000


def describe_levels(options: argparse.Namespace) -> int:
    """Print the code and the description of each level."""
    for code in level_codes(options.codes, None, None, MOST):
        print(code)
        print(describe(build(code, digests=False)))
    return OK
