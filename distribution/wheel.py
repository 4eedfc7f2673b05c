"""Build hook of hatchling: put the packages of a checkout into one package, seedhollow.

In a checkout `procgen`, `engine` and the others are top-level packages. Installed under such
general names they would shadow, or be shadowed by, packages of other projects. So the wheel holds
them inside `seedhollow`, with every absolute import between them rewritten.
"""

import ast
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NAME = "seedhollow"
PACKAGES = ("cli", "components", "engine", "entities", "procgen", "render", "workbench")
ENTRY = '''"""Run the program: python -m seedhollow."""

from seedhollow.main import run_program

run_program()
'''


class OnePackage(BuildHookInterface[Any]):
    """Adds the rewritten files to the wheel; an editable install uses the checkout as it is."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the package to a temporary folder and tell hatchling to include it."""
        if version == "editable":
            return
        self.folder = tempfile.TemporaryDirectory(prefix="seedhollow-wheel-")
        write_package(Path(self.root), Path(self.folder.name))
        build_data["force_include"][self.folder.name] = NAME

    def finalize(self, version: str, *_: Any) -> None:
        """Remove the temporary folder."""
        if version != "editable":
            self.folder.cleanup()


def write_package(root: Path, target: Path) -> None:
    """Write everything that belongs to the package into the folder ``target``."""
    modules = {root / "main.py": "main.py", root / "seedhollow.py": "__init__.py"}
    modules[root / "seedhollow.pyi"] = "__init__.pyi"
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            modules[path] = str(path.relative_to(root))
    for path, name in modules.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(moved_imports(path.read_bytes(), str(path.relative_to(root))))
    shutil.copytree(root / "data", target / "data", ignore=shutil.ignore_patterns("*~", "*.orig"))
    (target / "__main__.py").write_text(ENTRY, encoding="utf-8")
    (target / "py.typed").touch()


def moved_imports(source: bytes, where: str) -> bytes:
    """Return ``source`` with imports of the project's packages changed to imports from seedhollow.

    Only the names of modules change, so line numbers and comments stay the same. Raises
    `ValueError` for ``import procgen``, since that would bind another name.
    """
    lines = source.splitlines(keepends=True)
    for node in ast.walk(ast.parse(source, where)):
        if isinstance(node, ast.ImportFrom) and node.level == 0 and _is_ours(node.module or ""):
            text, column = lines[node.lineno - 1], node.col_offset + len("from ")
            lines[node.lineno - 1] = text[:column] + f"{NAME}.".encode() + text[column:]
        elif isinstance(node, ast.Import) and any(_is_ours(alias.name) for alias in node.names):
            raise ValueError(f"{where}, line {node.lineno}: write 'from ... import'")
    return b"".join(lines)


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in {*PACKAGES, "main"}
