"""The user's folders: runs and scores, options, and user recipes, steps and tiles."""

import os
import shlex
from collections.abc import Callable
from pathlib import Path

import platformdirs

from entities.program import COMMAND

FOLDER_VARIABLE = "SEEDHOLLOW_DATA"
USER_VARIABLE = "SEEDHOLLOW_MINE"
OPTIONS_VARIABLE = "SEEDHOLLOW_OPTIONS"
"""The options of this command line that chose folders: a new command line needs them again."""
USER_MARK = "~"
"""The mark of a name from the user folder, in codes and recipes: ``~sluice:42``."""


def data_folder() -> Path:
    """Return the folder for runs and scores: ``$SEEDHOLLOW_DATA`` or the platform's default."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    return Path(chosen) if chosen else _platform_folder(platformdirs.user_data_path)


def settings_folder() -> Path:
    """Return the folder for options: ``$SEEDHOLLOW_DATA`` or the platform's default."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    return Path(chosen) if chosen else _platform_folder(platformdirs.user_config_path)


def user_folder() -> Path:
    """Return the user folder: ``--mine`` (``$SEEDHOLLOW_MINE``) or the folder for options."""
    chosen = os.environ.get(USER_VARIABLE)
    return Path(chosen) if chosen else settings_folder()


def command_line(command: str, *words: str) -> str:
    """Return the shell command that runs ``command`` with the same folders again."""
    folders = shlex.split(os.environ.get(OPTIONS_VARIABLE, ""))
    if folders and command not in {"play", "replay"}:  # The others only have --mine.
        folders = ["--mine", str(user_folder())]
    return shlex.join([*COMMAND.split(), command, *words, *folders])


def _platform_folder(find: Callable[..., Path]) -> Path:
    """Return the platform's folder; raise `OSError` where there is no home directory."""
    try:
        return find("seedhollow", appauthor=False)
    except RuntimeError:
        raise OSError(f"there is no home directory: set {FOLDER_VARIABLE} to a folder") from None
