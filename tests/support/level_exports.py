"""Levels to export, and the command that does."""

import main
from procgen.build import build
from procgen.level_code import parse_code
from procgen.settings import complete

CODES = ("vaulted:7:5@60x40", "caves:3:2@44x30", "keep:1:6@50x34")


def level_of(text):
    return build(complete(parse_code(text)))


def run(*arguments):
    """Return the exit code of the command line."""
    try:
        return main.main([str(argument) for argument in arguments])
    except SystemExit as end:
        return end.code
