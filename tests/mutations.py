"""Small faults planted on purpose: do the tests notice, and do they say what is wrong?

python tests/mutations.py
    known mistakes in steps, made in a copy of the project: golden levels must catch each and
    blame its step
python tests/mutations.py --count 200 --seed 1
    faults drawn at random over engine and procgen: each meets the tests that reach it, those
    that compare with golden files apart

Prints a table. The first exits 1 if a mistake was missed, blamed on another step, or cannot be made
any more because the text it replaces is gone. The second keeps in `.mutations` which tests reach
which lines, and finds that out anew where something has changed (all of it takes some minutes). A
fault whose tests run past the limit, three times what they may take on sound code, counts as
killed. It exits 1 if fewer than `GOAL` of the faults were killed.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from support.coverage_map import CoverageMap, Recorder
from support.equivalent_mutants import EQUIVALENT
from support.mutants import Mutant, Trials, Verdict, mutants_of, within_budget
from support.paths import ROOT

PARTS = ("components", "data", "entities", "procgen", "tests")
BLAMED = re.compile(r"first difference at step (\S+?),?(?=\s|$)")
COMPARE = "import sys; import golden; print(golden.differences(sys.argv[1]))"


class Mistake(NamedTuple):
    """``before`` turned into ``after`` in a file of procgen/steps, seen in a step of a recipe."""

    recipe: str
    step: str
    file: str
    before: str
    after: str


MISTAKES = (
    Mistake("rooms", "rectangular_rooms", "rooms", "width - width - 1)", "width - width - 2)"),
    Mistake(
        "bsp",
        "binary_space_partition",
        "bsp",
        "else leaf.width > leaf.height",
        "else leaf.width < leaf.height",
    ),
    Mistake(
        "caves",
        "cellular_automaton",
        "cellular_automaton",
        "generation(birth,",
        "generation(birth + 1,",
    ),
    Mistake(
        "walk", "random_walk", "random_walk", "(0, -1), (0, 1), (1, 0)", "(0, 1), (0, -1), (1, 0)"
    ),
    Mistake("rooms", "join_rooms_in_order", "corridors", "rng.chance(h", "not rng.chance(h"),
    Mistake(
        "rooms", "start_in_first_room", "start_and_exit", "plan.rooms[0].c", "plan.rooms[-1].c"
    ),
    Mistake("bsp", "rooms_in_leaves", "bsp", "leaf.grown(-margin)", "leaf.grown(1 - margin)"),
    Mistake("caves", "scatter_rock", "cellular_automaton", "int(rock * 256", "int(rock * 250"),
    Mistake(
        "grotto",
        "fill_small_regions",
        "regions",
        "below\n    small[0] = False\n    small[l",
        "below - 3\n    small[0] = False\n    small[l",
    ),
    Mistake("caves", "join_regions", "regions", "columns]).tolist", "columns])[::-1].tolist"),
    Mistake("caves", "monsters_by_density", "spawns", "per_100 / 100", "per_100 / 90"),
    Mistake("grotto", "lakes", "lakes_rivers_fissures", "< 141", "< 140"),
    Mistake("grotto", "scatter", "vegetation", "scale=0.5 / patch", "scale=0.4 / patch"),
    Mistake("islands", "archipelago", "heightmap", "radius * 3 // 4", "radius * 3 // 5"),
    Mistake(
        "islands",
        "remove_small_islands",
        "regions",
        "below\n    small[0] = False\n    small[1",
        "below - 1\n    small[0] = False\n    small[1",
    ),
    Mistake("islands", "outline", "shorelines", "diagonal=diagonal", "diagonal=not diagonal"),
    Mistake("terrain", "heightmap_terrain", "heightmap", "rim + 1)", "rim + 2)"),
    Mistake("terrain", "bridges", "loops_and_dead_ends", "+ 1) * ratio)", "+ 1) * ratio) + 4"),
    Mistake("terrain", "landmarks", "landmarks", "rng.below(4)", "1 + rng.below(3)"),
    Mistake("caverns", "join_by_passages", "regions", "FINE // 256", "FINE // 128"),
    Mistake(
        "glacier", "fissures", "lakes_rivers_fissures", "relief[2:, 1:-1] > 0", "relief[2:, 2:] > 0"
    ),
    Mistake("ember", "river", "lakes_rivers_fissures", "rng.between(-1, 1)", "rng.between(-1, 2)"),
    Mistake("garden", "garden_plots", "garden", "< 16, Tile.FOREST", "< 17, Tile.FOREST"),
    Mistake("voronoi", "merge_regions", "voronoi", "== merged[neighbour]", "== neighbour"),
    Mistake("voronoi", "drop_regions", "voronoi", "int(len(links) * s", "1 + int(len(links) * s"),
    Mistake("voronoi", "pierce_walls", "chambers", "if rng.chance(loops)]", "if loops]"),
    Mistake("maze", "grow_maze", "maze", "4 + goal", "3 + goal"),
    Mistake(
        "dla",
        "diffusion_limited_aggregation",
        "diffusion_limited_aggregation",
        "rounds >> 2 <",
        "rounds >> 2 <=",
    ),
    Mistake(
        "mondrian", "mondrian_partition", "mondrian", "least, side - least)", "least, side // 2)"
    ),
    Mistake(
        "mondrian",
        "join_adjacent_leaves",
        "corridors",
        "spanning_tree(rng.shuffled(pairs))",
        "spanning_tree(pairs)",
    ),
    Mistake("mondrian", "colonnades", "ruins_and_pillars", "1 + slack // 2", "2 + slack // 2"),
    Mistake("shaped_rooms", "cheapest_tunnels", "corridors", "beside, rock)", "rock, beside)"),
    Mistake(
        "shaped_rooms",
        "doors",
        "doors",
        "if rng.chance(chance) and not",
        "if rng.chance(chance) and",
    ),
    Mistake("digger", "attach_rooms", "room_accretion", "designs % 2 == 0", "designs % 2 == 1"),
    Mistake("digger", "loops", "loops_and_dead_ends", "tunnel or thick > 1", "tunnel or thick > 0"),
    Mistake("cardinal", "cardinal_corridors", "corridors", ">= most", "> most - 1 + one % 2"),
    Mistake("temple", "great_hall", "great_hall", "range(hall.y + 1,", "range(hall.y + 2,"),
    Mistake(
        "temple",
        "symmetry",
        "symmetry",
        "(False, True) if mirror.sideways",
        "(False,) if mirror.sideways",
    ),
    Mistake("temple", "exit_at_shrine", "start_and_exit", "shrines[0]", "shrines[-1]"),
    Mistake("city", "lay_streets", "town", "avenue if cuts < avenues", "avenue if cuts <= avenues"),
    Mistake("city", "build_houses", "houses", "side > most and", "side >= most and"),
    Mistake(
        "city",
        "market_square",
        "town",
        "key=lambda leaf: leaf.area",
        "key=lambda leaf: -leaf.area",
    ),
    Mistake("caverns", "monsters_clumped", "spawns", "pack - 1, 2 * pack", "pack, 2 * pack"),
    Mistake("city", "open_gates", "town", "in rng.shuffled(CARDINALS)", "in CARDINALS"),
    Mistake(
        "city",
        "divide_rooms",
        "inner_walls",
        "at, gap = rng.pick(choices), rng.below(len(lines) - 2)",
        "gap, at = rng.below(len(lines) - 2), rng.pick(choices)",
    ),
    Mistake("city", "ruin_rooms", "ruins_and_pillars", "dice >= 224", "dice >= 225"),
    Mistake("maze", "start_and_exit_apart", "start_and_exit", "if rng.chance(0.5):", "if far:"),
    Mistake("maze", "treasure_behind_chokepoints", "treasure", "laid == hoards", "laid > hoards"),
    Mistake(
        "spare_ways",
        "remove_dead_ends",
        "loops_and_dead_ends",
        "len(tips) + 0.5",
        "len(tips) + 1.5",
    ),
    Mistake(
        "spare_ways", "lairs_in_dead_ends", "monster_lairs", "len(dens) // 3", "len(dens) // 2"
    ),
    Mistake("spare_clearings", "place_vaults", "vaults", "SPOTS = 3", "SPOTS = 1"),
    Mistake("vaulted", "vault_dungeon", "vaults", "2 + dice.below(", "1 + dice.below("),
)


def copy_of_project(folder: Path) -> Path:
    """Copy what levels are made of into ``folder``, and return it."""
    for part in PARTS:
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def run(folder: Path, *arguments: str) -> str:
    """Run Python on ``folder``; return what it printed, or the last line of its complaint."""
    # No bytecode: a file changed twice in a second would be taken for unchanged.
    settings = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(folder / "tests")}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout if not done.returncode else f"failed: {done.stderr.strip()[-200:]}"


def blamed(folder: Path, mistake: Mistake) -> str:
    """Make ``mistake`` in ``folder`` and unmake it; return the step that is named, or why none."""
    path = folder / "procgen" / "steps" / f"{mistake.file}.py"
    text = path.read_text(encoding="utf-8")
    if text.count(mistake.before) != 1:
        return f"the text is there {text.count(mistake.before)} times"
    path.write_text(text.replace(mistake.before, mistake.after), encoding="utf-8")
    try:
        said = run(folder, "-c", COMPARE, mistake.recipe)
    finally:
        path.write_text(text, encoding="utf-8")
    found = BLAMED.search(said)
    return found[1] if found else said.strip() or "nothing differs"


def fresh(folder: Path, names: Sequence[str]) -> None:
    """Write golden levels in ``folder`` for those recipes whose kept ones are missing or differ."""
    kept = folder / "tests" / "golden" / "levels"
    missing = [name for name in names if not (kept / f"{name}.txt").exists()]
    stale = [
        name for name in names if name not in missing and run(folder, "-c", COMPARE, name).strip()
    ]
    if stale:
        print(f"not as kept, before any mistake: {', '.join(stale)}")
    if missing or stale:
        run(folder, "tests/keep.py", "levels", *missing, *stale)


def steps_run() -> int:
    """Make every known mistake; print the table; return the exit code."""
    faults = 0
    with TemporaryDirectory() as name:
        folder = copy_of_project(Path(name))
        fresh(folder, list(dict.fromkeys(mistake.recipe for mistake in MISTAKES)))
        for mistake in MISTAKES:
            found = blamed(folder, mistake)
            fine = found == mistake.step
            faults += not fine
            change = f"{mistake.file}.py: {mistake.before} -> {mistake.after}"
            print(f"{'ok ' if fine else 'BAD'} {mistake.recipe:13}{mistake.step:28}{change}")
            if not fine:
                print(f"    found: {found}")
    files = len({mistake.file for mistake in MISTAKES})
    print(f"{len(MISTAKES)} mistakes in {files} files, {faults} faults")
    return int(faults > 0)


MUTATED = ("engine", "procgen")
FOLDERS_OF_TESTS = ("entities", "engine", "procgen", "render", "workbench", "cli")
TESTS = tuple(f"tests/{folder}" for folder in FOLDERS_OF_TESTS)
PYTEST = ("-q", "-p", "no:cacheprovider", "--disable-warnings", "--no-header")
GOAL = 0.9
"""The share of faults that tests shall kill."""


def recorded_map(root: Path, tests: Sequence[str], of: Sequence[str]) -> CoverageMap:
    """Return which tests reach which lines; find it out anew where something has changed."""
    found = CoverageMap(root, tests)
    stale = found.stale()
    if stale:
        print(f"finding out which lines {len(stale)} files of tests reach ...", flush=True)
        found.folder.mkdir(exist_ok=True)
        in_child(pytest.main, [*PYTEST, *stale], [Recorder(found, of)])
        found.stale()
    return found


def in_child(target: Callable[..., object], *arguments: object) -> None:
    """Call ``target`` in a fork of this process: pytest runs only once in a process."""
    process = get_context("fork").Process(target=target, args=arguments)
    process.start()
    process.join()


def drawn(root: Path, of: Sequence[str], count: int, seed: int) -> list[Mutant]:
    """Draw ``count`` faults from all that can be planted in the folders or files ``of``."""
    found = []
    for part in of:
        files = [root / part] if part.endswith(".py") else sorted((root / part).rglob("*.py"))
        for file in files:
            found += mutants_of(root, file.relative_to(root).as_posix())
    return random.Random(seed).sample(found, min(count, len(found)))


def random_run(
    root: Path, mutants: Sequence[Mutant], reached: CoverageMap
) -> list[tuple[Mutant, Verdict]]:
    """Try each of ``mutants`` on the tests that reach it; print and return what became of it."""
    reasons = {
        mutant: EQUIVALENT.get((mutant.path, mutant.before, mutant.after)) for mutant in mutants
    }
    tests = {
        mutant: within_budget(reached.reaching(mutant.path, mutant.lines), reached.seconds)
        for mutant, reason in reasons.items()
        if not reason
    }
    files = sorted({test.partition("::")[0] for names in tests.values() for test in names})
    with TemporaryDirectory() as folder:
        trials = Trials(root, tests)
        pytest.main([*PYTEST, "-s", f"--basetemp={folder}/tests", *files], [trials])
    equal = {mutant: Verdict("equal", "", reason) for mutant, reason in reasons.items() if reason}
    return list({**trials.verdicts, **equal}.items())


def summed_up(verdicts: Sequence[tuple[Mutant, Verdict]]) -> float:
    """Print how many were killed in each folder and in all; return their share."""
    results = [(mutant.path.rpartition("/")[0], verdict.result) for mutant, verdict in verdicts]
    for folder in [*sorted({folder for folder, _ in results}), ""]:
        counts = Counter(result for name, result in results if folder in ("", name))
        able = counts.total() - counts.pop("equal", 0)
        said = ", ".join(f"{number} {result}" for result, number in sorted(counts.items()))
        print(f"{folder or 'all':32}{counts['killed'] / max(1, able):6.0%}  {said}")
    return counts["killed"] / max(1, able)


def main() -> int:
    """Read the command line and run what it asks for; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, help="so many faults drawn at random")
    parser.add_argument("--seed", type=int, default=1, help="which ones are drawn (default 1)")
    parser.add_argument("--only", nargs="+", default=MUTATED, help="folders or files to draw from")
    options = parser.parse_args()
    if options.count is None:
        return steps_run()
    reached = recorded_map(ROOT, TESTS, MUTATED)
    mutants = drawn(ROOT, options.only, options.count, options.seed)
    return int(summed_up(random_run(ROOT, mutants, reached)) < GOAL)


if __name__ == "__main__":
    sys.exit(main())
