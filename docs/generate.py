"""Write the documents that are made from the code: MAP.md, turn.svg and level.svg.

python docs/generate.py           write them anew
python docs/generate.py --check   write nothing; name those that are out of date and exit 1
"""

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

from draw_maps import draw_level, draw_turn, missing_calls

PACKAGES = ("cli", "workbench", "render", "engine", "procgen", "entities", "components")
HEAD = """# Map

Every module and the first sentence of its docstring, from the top of the import order to the
bottom. Made by `python docs/generate.py`; [ARCHITECTURE.md](../ARCHITECTURE.md) says how the parts
work together.
"""


def summary(path: Path) -> str:
    """Return the first paragraph of a module's docstring as one line."""
    text = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split())


def module_map() -> str:
    """Return MAP.md: a section for every folder, a line for every module."""
    parts = [HEAD, "- `main.py`: " + summary(ROOT / "main.py")]
    for package in PACKAGES:
        folders = [ROOT / package, *sorted(p for p in (ROOT / package).rglob("*") if p.is_dir())]
        for folder in folders:
            modules = sorted(folder.glob("*.py"))
            if not modules:
                continue
            parts.append(f"\n## {folder.relative_to(ROOT).as_posix()}/\n")
            parts += [summary(path) + "\n" for path in modules if path.name == "__init__.py"]
            for path in modules:
                if path.name != "__init__.py":
                    name = path.relative_to(ROOT).as_posix()
                    parts.append(f"- [`{path.name}`](../{name}): {summary(path)}")
    return "\n".join(parts) + "\n"


def documents() -> dict[str, str]:
    """Return the text of each generated file by its name in docs/."""
    return {"MAP.md": module_map(), "turn.svg": draw_turn(), "level.svg": draw_level()}


def outdated() -> list[str]:
    """Return the names of generated files that are missing or differ from what they should be."""
    folder = ROOT / "docs"
    return [
        name
        for name, text in documents().items()
        if not (folder / name).exists() or (folder / name).read_text("utf-8") != text
    ]


def main() -> int:
    """Write or check the files; return the exit code."""
    if faults := missing_calls():
        print("docs/draw_maps.py: " + "; ".join(faults))
        return 1
    if "--check" in sys.argv[1:]:
        if stale := outdated():
            print(f"out of date: {', '.join(stale)}; run python docs/generate.py")
        return int(bool(stale))
    for name, text in documents().items():
        (ROOT / "docs" / name).write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
