"""Keep golden files anew: all results that tests compare with later ones.

    python tests/keep.py                     # all of them
    python tests/keep.py inhabitants runs    # only these
    python tests/keep.py levels caves bsp    # only the levels of these recipes

What is kept: ``levels`` (the shape of every recipe's levels after each step), ``inhabitants``
(who lives in them), ``runs`` (whole runs), ``variety`` and ``catalog``. Read docs/POLICY.md first:
it says what may change, and which version number to raise.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout

from support.paths import ROOT

sys.path.insert(0, str(ROOT))

import golden
import golden_runs
import main as program
import variety

CATALOG = ROOT / "tests" / "golden" / "tables" / "catalog.csv"


def keep_levels(names: list[str]) -> None:
    """Keep the levels of the recipes ``names``, or of all, and drop those of recipes now gone."""
    kept = golden.kept_recipes()
    for path in golden.FOLDER.glob("*.*"):
        if path.name.partition(".")[0] not in {recipe.name for recipe in kept}:
            path.unlink()
    with ProcessPoolExecutor() as pool:
        list(pool.map(keep_level, [one.name for one in kept if not names or one.name in names]))


def keep_level(name: str) -> None:
    """Keep the levels of one recipe."""
    golden.write(next(recipe for recipe in golden.kept_recipes() if recipe.name == name))


def keep_inhabitants() -> None:
    """Keep one digest a recipe of all that live in its levels."""
    golden.INHABITANTS.write_text(golden.inhabitants_table(), encoding="utf-8")


def keep_catalog() -> None:
    """Keep the table of what lies on the depths of five adventures."""
    with CATALOG.open("w", encoding="utf-8") as file, redirect_stdout(file):
        program.main(["catalog", "--seeds", "0:5"])


PARTS = {
    "inhabitants": keep_inhabitants,
    "runs": lambda: golden_runs.write(["all"]),
    "variety": lambda: variety.main(["--write"]),
    "catalog": keep_catalog,
}


def main(arguments: list[str]) -> int:
    """Keep what is asked for, or all of it; return the exit code."""
    if {"-h", "--help"} & set(arguments):
        print(__doc__)
        return 0
    names = {recipe.name for recipe in golden.kept_recipes()}
    known = {"levels"} | names if arguments[:1] == ["levels"] else PARTS.keys()
    if unknown := [name for name in arguments if name not in known]:
        parts = ", ".join(PARTS)
        print(f"there is no {unknown[0]!r}: levels [RECIPE ...], {parts}", file=sys.stderr)
        return 2
    if arguments[:1] == ["levels"] or not arguments:
        keep_levels(arguments[1:])
        print("kept levels")
    for name in PARTS if not arguments else arguments if arguments[0] != "levels" else ():
        PARTS[name]()
        print(f"kept {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
