"""Where runs, options and whatever else is written are kept."""

import os
from datetime import UTC, datetime
from pathlib import Path

import platformdirs

VARIABLE = "SEEDHOLLOW_DATA"


def home() -> Path:
    """Return the folder for all that is written: ``$SEEDHOLLOW_DATA`` or the platform's own."""
    chosen = os.environ.get(VARIABLE)
    return Path(chosen) if chosen else platformdirs.user_data_path("seedhollow", appauthor=False)


def settings_folder() -> Path:
    """Return the folder for options: ``$SEEDHOLLOW_DATA`` or where the platform keeps them."""
    chosen = os.environ.get(VARIABLE)
    return Path(chosen) if chosen else platformdirs.user_config_path("seedhollow", appauthor=False)


def runs_folder() -> Path:
    """Return the folder of recorded runs."""
    return home() / "runs"


def new_run_path(seed: int) -> Path:
    """Return a path in the runs folder that nothing has yet.

    Raises `FileExistsError` if a thousand runs of this seed began in this very second.
    """
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    folder = runs_folder()
    for number in range(1000):
        suffix = f"-{number}" if number else ""
        path = folder / f"{stamp}-{seed}{suffix}.jsonl"
        if not path.exists():
            return path
    raise FileExistsError(f"{folder} holds too many runs of {stamp}")


def recorded_paths() -> list[Path]:
    """Return every recorded run, the last written first."""
    try:
        paths = [path for path in runs_folder().iterdir() if _is_run(path)]
        return sorted(paths, key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True)
    except OSError:
        return []


def _is_run(path: Path) -> bool:
    return path.suffix == ".jsonl" and path.is_file()
