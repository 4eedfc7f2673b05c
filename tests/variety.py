"""How varied the standard recipes are, kept so that none grows poorer unnoticed.

python tests/variety.py            compare with what is kept
python tests/keep.py variety       keep what there is now, in tests/golden/tables/variety.json
"""

import json
import sys

from support.paths import ROOT

sys.path.insert(0, str(ROOT))

from procgen.recipes import current_recipes
from workbench.search.process_pool import ordered_results
from workbench.search.search_jobs import run_search_job, search_jobs
from workbench.survey.recipe_statistics import StatisticsParts, add_results, merge_statistics

KEPT = ROOT / "tests" / "golden" / "tables" / "variety.json"
SEEDS, SIDES = range(16), (48, 30)
KEEP_AGAIN = "If that was meant: python tests/keep.py variety"
SHRUNK = 0.9
"""A recipe must keep this share of its variety."""


def varieties(recipes, workers=None):
    """Return the variety of ``recipes`` over a few seeds of a small size."""
    codes = [
        recipe.code(0, 1, (max(SIDES[0], recipe.smallest[0]), max(SIDES[1], recipe.smallest[1])))
        for recipe in recipes
    ]
    builders = StatisticsParts()
    add_results(builders, ordered_results(run_search_job, search_jobs(codes, SEEDS), workers))
    found = merge_statistics(builders)
    return {portrait.name: round(portrait.diversity, 5) for portrait in found}


def poorer(kept, now):
    """Return a sentence on every recipe that lost more than it may, or is gone."""
    gone = [f"{name} is gone. {KEEP_AGAIN}" for name in kept if name not in now]
    return gone + [
        f"{name}: variety {now[name]:.4f}, it was {kept[name]:.4f}. {KEEP_AGAIN}"
        for name in kept
        if name in now and now[name] < SHRUNK * kept[name]
    ]


def main(arguments):
    """Compare, or write; return the exit code."""
    now = varieties(current_recipes())
    if "--write" in arguments:
        KEPT.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
        print(f"kept the variety of {len(now)} recipes")
        return 0
    faults = poorer(json.loads(KEPT.read_text(encoding="utf-8")), now)
    print("\n".join(faults) or f"{len(now)} recipes as varied as they were")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
