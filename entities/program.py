"""The program's version, and how a user runs it: from a checkout or installed."""

VERSION = "0.1.0"
SOFTWARE = f"Seedhollow {VERSION}"
INSTALLED = __name__.startswith("seedhollow.")
"""True in the installed package: distribution/wheel.py moves all modules into it."""
PROGRAM = "seedhollow" if INSTALLED else "main.py"
"""The program's name in messages."""
COMMAND = "seedhollow" if INSTALLED else "python main.py"
"""The words to type before a command."""


def how_to_install(extra: str) -> str:
    """Return the command that installs what an optional part of the program needs."""
    if INSTALLED:
        return f'pip install "seedhollow[{extra}]"'
    return f"pip install -r requirements-{extra}.txt"
