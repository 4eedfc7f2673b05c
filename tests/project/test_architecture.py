"""The architecture: imports go one way, between packages and between their folders."""

import ast
import functools
import re
import subprocess
from pathlib import Path

import pytest

from house import WORDS, docstrings
from support.paths import ROOT

PACKAGES = ["components", "entities", "procgen", "engine", "render", "workbench", "cli"]
FILES = [ROOT / "main.py", *(p for name in PACKAGES for p in sorted((ROOT / name).rglob("*.py")))]
HEAVY = {"PIL", "rich", "dask", "scipy", "cma", "gymnasium"}
ALLOWED_LATER = {"cli/play.py", "cli/replay.py", "main.py"}
ORDER = [
    "components",
    "entities",
    "procgen/rng",
    "procgen/position_hash",
    "procgen/gradient_noise",
    "procgen/progress",
    "procgen/level_code",
    "procgen/mission",
    "procgen/blueprint",
    "procgen/map_files",
    "procgen/plots",
    "procgen/level",
    "procgen/chunk",
    "procgen/analysis",
    "procgen/carving",
    "procgen/placement",
    "procgen/validate",
    "procgen/wfc",
    "procgen/vaults",
    "procgen/missions",
    "procgen/rewriting",
    "procgen/step_registry",
    "procgen/world_types",
    "procgen/steps",
    "procgen/recipe_entries",
    "procgen/user_content",
    "procgen/plot_ground",
    "procgen/level_light",
    "procgen/metrics",
    "procgen/metric_query",
    "procgen/step_chain",
    "procgen/level_overlays",
    "procgen/recipes",
    "procgen/planting",
    "procgen/recipe_parameters",
    "procgen/settings",
    "procgen/recipe_builder",
    "procgen/infinite",
    "procgen/build",
    "procgen/vocabulary",
    "procgen/word_query",
    "engine/state",
    "engine/creatures",
    "engine/terrain",
    "engine/pathfinding",
    "engine/combat",
    "engine/items",
    "engine/monsters",
    "engine/infinite",
    "engine/levels",
    "engine/perform",
    "engine/engine",
    "engine/saves",
    "engine/bots",
    "render/ui",
    "render/tiles",
    "render/sound",
    "render/backends",
    "render/map",
    "render/messages",
    "render/session",
    "render/panels",
    "render/replays",
    "render/workshop",
    "render/screens",
    "render/app",
    "workbench/templates",
    "workbench/search",
    "workbench/images",
    "workbench/evolution",
    "workbench/survey",
    "workbench/recordings",
    "workbench/exports",
    "workbench/learning",
    "workbench/description",
    "workbench/level_files",
    "workbench/generator_records",
    "workbench/public_api",
    "workbench/benchmark",
    "workbench/peers",
    "cli",
    "main",
]
"""Every module's floor, the lowest first; of several entries that fit, the longest counts."""
SEARCHED = {"procgen.steps", "procgen.infinite", "engine.items.effects"}
"""Packages whose modules a registry finds by itself: it imports the package, a single line."""
ENGINE = {f"engine/{path.stem}" for path in (ROOT / "engine").iterdir()} - {"engine/__init__"}
NEVER_REACHED = {
    "engine/state": {"engine/levels", "engine/infinite", "engine/saves"},
    "engine/engine": {"engine/infinite", "engine/saves", "procgen/build"},
    "workbench/search": {"render"},
    "workbench/evolution": {"render"},
    "render/ui": ENGINE,
    "render/tiles": ENGINE,
    "render/sound": ENGINE,
    "render/backends": ENGINE,
}
"""What a folder or module does not import, directly or through others."""
REGISTRIES = {"step", "effect", "behaviour", "item_picture"}
"""Decorators that register a function under its name, by which data files choose it."""
BY_NAME = {"room_types", "room_shapes", "furniture_tiles"}
"""Modules whose functions are found in the same way without a decorator."""
REACHED_BY_ALL = {"engine/saves/files"}
"""Where settings are kept: even the window may ask."""
TOP = {
    ".ci", ".gitignore", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "GLOSSARY.md",
    "LICENSE", "README.md", "cli", "components", "data", "distribution", "docs", "engine",
    "entities", "main.py",
    "procgen", "pyproject.toml", "render",
    "requirements-cluster.txt", "requirements-dev.txt", "requirements-env.txt",
    "requirements-evolve.txt", "requirements.txt", "seedhollow.py", "seedhollow.pyi",
    "tests", "workbench",
}  # fmt: skip


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@functools.cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path, *, inside: bool = False):
    """Yield (module, node) of a file's imports; only those inside functions if ``inside``."""
    tree = parsed(path)
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    nodes = [n for f in functions for n in ast.walk(f)] if inside else ast.walk(tree)
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module, node
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node


def floor_of(module: str) -> int:
    """Return the place of ``module`` in the order; fail for one that has no floor."""
    path = module.replace(".", "/")
    fits = [e for e in ORDER if path == e or path.startswith(f"{e}/")]
    assert fits, f"{module} stands on no floor of ORDER"
    return ORDER.index(max(fits, key=len))


@functools.cache
def graph_of_imports() -> dict[str, list[str]]:
    """Return what each module imports of the project, by module name."""
    names = {module_of(path): path for path in FILES}
    graph = {}
    for name, path in names.items():
        found = set()
        for module, node in imports(path):
            members = [a.name for a in getattr(node, "names", [])]
            hits = [f"{module}.{member}" for member in members if f"{module}.{member}" in names]
            found.update(hits or [module] * (module in names))
            found.update([module] * (module in names and len(hits) < len(members)))
        graph[name] = sorted(found - {name})
    return graph


def within(module: str, place: str) -> bool:
    """Whether ``module`` is ``place`` or lies in that folder."""
    return module == place or module.startswith(f"{place}/")


def reached_from(start: str, graph: dict[str, list[str]]) -> set[str]:
    """Return all modules that importing ``start`` imports; `__init__` files not counted."""
    found, open_ = set(), [start]
    while open_:
        for other in graph[open_.pop()]:
            if other not in found:
                found.add(other)
                open_.append(other)
    return found


def test_imports_go_down_the_order_and_never_up():
    owners = [module_of(path) for path in FILES if path.name != "__init__.py"]
    assert [
        f"{own} imports {module}"
        for own in owners
        for module in graph_of_imports()[own]
        if module not in SEARCHED and floor_of(module) > floor_of(own)
    ] == []


def test_imports_stand_at_the_top_unless_heavy():
    for path in FILES:
        name = str(path.relative_to(ROOT))
        assert "TYPE_CHECKING" not in path.read_text(encoding="utf-8"), name
        late = [module.split(".")[0] for module, _ in imports(path, inside=True)]
        assert name in ALLOWED_LATER or {*late} <= HEAVY, f"{name} imports {late} late"


@pytest.mark.parametrize("below", NEVER_REACHED)
def test_a_part_knows_nothing_of_what_stands_above_it(below):
    graph = {name.replace(".", "/"): others for name, others in graph_of_imports().items()}
    graph = {name: [other.replace(".", "/") for other in others] for name, others in graph.items()}
    for start in [name for name in graph if within(name, below)]:
        for other in reached_from(start, graph) - REACHED_BY_ALL:
            assert not any(within(other, far) for far in NEVER_REACHED[below]), (start, other)


def test_no_module_imports_itself_in_a_circle():
    graph = graph_of_imports()
    done, path_now = set(), []

    def visit(name):
        assert name not in path_now, f"import circle: {' > '.join([*path_now, name])}"
        if name in done:
            return
        path_now.append(name)
        for other in graph[name]:
            visit(other)
        path_now.pop()
        done.add(name)

    for name in sorted(graph):
        visit(name)


def test_files_and_functions_stay_small_and_modules_have_docstrings():
    """Ruff's rules D101 to D103 ask the same of public classes, methods and functions."""
    assert {str(path): list(found) for path in FILES if (found := [*faults_of_form(path)])} == {}


def faults_of_form(path):
    """Yield a sentence for each thing that is too long or does not say what it is."""
    text = path.read_text(encoding="utf-8")
    if text.count("\n") > 400:
        yield "longer than 400 lines"
    tree = ast.parse(text)
    if not ast.get_docstring(tree):
        yield "no module docstring"
    # A docstring names its thing: "The reach of ...", not "How far ...".
    yield from (text for text in docstrings(tree) if re.match(WORDS["clause first"], text))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.end_lineno - node.lineno >= 60:
            yield f"{node.name} is long"


def test_no_two_modules_share_a_name():
    names = [p.stem for p in FILES if p.name != "__init__.py"]
    assert sorted({name for name in names if names.count(name) > 1}) == []


def test_no_two_public_functions_or_classes_share_a_name():
    places = {}
    for path in FILES:
        for node in parsed(path).body:
            defines = isinstance(node, ast.FunctionDef | ast.ClassDef)
            if defines and node.name[0] != "_" and not named_by_data(path, node):
                places.setdefault(node.name, []).append(module_of(path))
    assert {name: modules for name, modules in places.items() if len(modules) > 1} == {}


def named_by_data(path: Path, node: ast.FunctionDef | ast.ClassDef) -> bool:
    """Whether a data file chooses the name: nobody calls such a function by it."""
    registered = {
        name.id for mark in node.decorator_list for name in ast.walk(mark) if hasattr(name, "id")
    }
    return bool(registered & REGISTRIES) or path.stem in BY_NAME


def test_no_short_module_serves_only_one_other():
    graph = graph_of_imports()
    short = [
        module_of(path)
        for path in FILES
        if path.name != "__init__.py" and path.read_text(encoding="utf-8").count("\n") < 60
    ]
    importers = {name: [other for other, found in graph.items() if name in found] for name in short}
    assert [
        name for name, others in importers.items() if len(others) == 1 and not kept(others)
    ] == []


def kept(others: list[str]) -> bool:
    """Whether a short module may stand alone: a command, or a part of a package's interface."""
    return others == ["main"] or (ROOT / others[0].replace(".", "/")).is_dir()


def test_the_project_root_holds_only_what_is_listed():
    git = subprocess.run(["git", "ls-files"], capture_output=True, text=True, cwd=ROOT, check=False)
    if git.returncode:
        pytest.skip("no git checkout")
    assert {name.split("/")[0] for name in git.stdout.splitlines()} <= TOP
