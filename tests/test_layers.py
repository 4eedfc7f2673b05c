"""The house holds: imports go one way, files and functions stay within their rooms."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ["components", "entities", "procgen", "engine", "render"]
FILES = [ROOT / "main.py", *(p for name in PACKAGES for p in sorted((ROOT / name).rglob("*.py")))]
HEAVY = {"PIL", "rich", "dask", "scipy", "cma"}
ALLOWED_LATER = {"render/cli/play.py", "render/cli/replay.py", "main.py"}
TOP = {
    ".ci", ".git", ".gitignore", "CHANGELOG.md", "LICENSE", "README.md", "components", "data",
    "docs", "engine", "entities", "main.py", "procgen", "pyproject.toml", "render",
    "requirements-cluster.txt", "requirements-dev.txt", "requirements-evolve.txt",
    "requirements.txt", "tests",
}  # fmt: skip


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path, *, inside: bool = False):
    """Yield (module, node) of a file's imports; only those inside functions if ``inside``."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    nodes = [n for f in functions for n in ast.walk(f)] if inside else ast.walk(tree)
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module, node
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_package_imports_only_itself_and_what_stands_below(path):
    own = path.relative_to(ROOT).parts[0]
    rank = PACKAGES.index(own) if own in PACKAGES else len(PACKAGES)
    for module, _ in imports(path):
        target = module.split(".")[0]
        assert target != "main"
        if target in PACKAGES:
            assert PACKAGES.index(target) <= rank, f"{path} imports {module}"


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_stand_at_the_top_unless_heavy(path):
    if str(path.relative_to(ROOT)) in ALLOWED_LATER:
        return
    late = [module for module, _ in imports(path, inside=True)]
    assert [m for m in late if m.split(".")[0] not in HEAVY] == []
    assert "TYPE_CHECKING" not in path.read_text(encoding="utf-8")


def test_no_module_imports_itself_in_a_circle():
    names = {module_of(path): path for path in FILES}
    graph = {}
    for name, path in names.items():
        found = set()
        for module, node in imports(path):
            members = [a.name for a in getattr(node, "names", [])]
            candidates = [f"{module}.{member}" for member in members] + [module]
            hits = [c for c in candidates if c in names]
            specific = [c for c in hits if c != module] or hits
            found.update(specific)
        graph[name] = sorted(found - {name})
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


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_files_and_functions_stay_small_and_say_what_they_are(path):
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 200, f"{path.name} outgrew its idea"
    tree = ast.parse(text)
    assert ast.get_docstring(tree), f"{path.name} has no museum label"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            assert node.end_lineno - node.lineno < 60, f"{node.name} in {path.name} is long"


def test_the_top_of_the_house_is_known():
    found = {p.name for p in ROOT.iterdir() if not p.name.startswith((".venv", ".ruff", ".mypy"))}
    found -= {".pytest_cache", ".hypothesis", "__pycache__"}
    assert found <= TOP
