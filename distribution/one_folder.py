"""Pack the program and its libraries into a folder that needs no Python.

It packs the packages of the environment in which it runs: ``pip install . pyinstaller``, then
``python distribution/one_folder.py``. PyInstaller packs for the system it runs on. This has been
tried on Linux only, but nothing in it is specific to Linux.
"""

import argparse
import shutil
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

ENTRY = "from seedhollow.main import run_program\nrun_program()\n"
LOOKED_UP_BY_NAME = ("seedhollow", "blessed", "tcod")
"""Packages with data, or with modules that the program imports by name at run time."""


def main() -> int:
    """Pack the program into ``--output``/seedhollow."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--output", metavar="DIR", default="dist", help="default: dist")
    folder = Path(parser.parse_args().output).resolve()
    missing = [name for name in ("seedhollow.main", "PyInstaller") if not _is_installed(name)]
    if missing:
        print("first: pip install . pyinstaller", file=sys.stderr)
        return 1
    pack(folder)
    print(folder / "seedhollow")
    return 0


def _is_installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # seedhollow.py of the checkout is not a package.
        return False


def pack(folder: Path) -> None:
    """Run PyInstaller; it puts the program into ``folder``/seedhollow."""
    from PyInstaller.__main__ import run  # noqa: PLC0415 - installed only for packing

    work = Path(tempfile.mkdtemp(prefix="seedhollow-program-"))
    entry = work / "seedhollow_program.py"
    entry.write_text(ENTRY, encoding="utf-8")
    usual = ["--name=seedhollow", "--onedir", "--noconfirm", "--log-level=WARN"]
    collected = [f"--collect-all={name}" for name in LOOKED_UP_BY_NAME]
    paths = [f"--distpath={folder}", f"--workpath={work}", f"--specpath={work}"]
    run([*usual, *collected, *paths, str(entry)])
    shutil.rmtree(work)


if __name__ == "__main__":
    sys.path = [path for path in sys.path if Path(path or ".").resolve() != Path.cwd()]
    sys.exit(main())
