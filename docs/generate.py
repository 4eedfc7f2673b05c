"""Write the documents that are made from the code: MAP.md, turn.svg and level.svg.

It also writes the numbers of generators, monsters and items into README.md and CHANGELOG.md.

python docs/generate.py           write them anew
python docs/generate.py --check   write nothing; name those that are out of date and exit 1
"""

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

from draw_maps import draw_level, draw_turn, missing_calls

from entities.creature_kinds import HERO, creature_kinds
from entities.item_kinds import item_kinds
from procgen.recipes import current_recipes

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


def with_numbers(path: Path) -> str:
    """Return the text of a page with the numbers of generators, monsters and items of the data."""
    numbers = {
        r"(level )?generators(?=:| that)": len(current_recipes()),
        "kinds of monster": len(creature_kinds().keys() - {HERO}),
        "kinds of item": len(item_kinds()),
    }
    text = path.read_text("utf-8")
    for words, number in numbers.items():
        text = re.sub(rf"\b\d+(?= {words})", str(number), text)
    return text


def documents() -> dict[str, str]:
    """Return the text of each generated file by its path."""
    counted = {page: with_numbers(ROOT / page) for page in ("README.md", "CHANGELOG.md")}
    drawn = {"docs/turn.svg": draw_turn(), "docs/level.svg": draw_level()}
    return {"docs/MAP.md": module_map(), **drawn, **counted}


def outdated() -> list[str]:
    """Return the paths of generated files that are missing or differ from what they should be."""
    return [
        path
        for path, text in documents().items()
        if not (ROOT / path).exists() or (ROOT / path).read_text("utf-8") != text
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
    for path, text in documents().items():
        (ROOT / path).write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
