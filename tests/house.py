"""Measure the shape of the code base: size, imports, names, words, and hops to an answer.

python tests/house.py [FOLDER]     the checkout in FOLDER; by default the one this file lies in
python tests/house.py --json       the same as JSON, with the names behind the numbers
python tests/house.py --patterns   print the regular expressions

Product files: all Python files on disk outside tests/, docs/ and hidden or built folders. Modules:
all of them but ``__init__.py``. Closure: the modules reached through imports, including the start;
``__init__.py`` is followed but not counted. "at import" leaves out imports inside functions.

Words are counted in string literals and comments (.py) and in Markdown at the root and in docs/
(.md). "clause first": docstrings, paragraphs and list items that start with What, Who, ... and ask
nothing. "impersonal one" also finds correct uses ("if one is found").

Hops: how many files a developer opens after a search for an obvious word, up to the deciding file.
Files with the word in their name come first, then files with a public function, method or class so
named ("named" counts both), then files with the word in their text ("found" counts all); in each
group, files with more matching lines come first. "never": the deciding file is not found.
"""

import argparse
import ast
import io
import json
import re
import statistics
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

Files = dict[str, "Source"]
OUTSIDE = r"(tests|docs|build|dist)/|(.*/)?\."
LONG, SHORT = 300, 60
FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef
DAMAGE = ("engine/combat/damage.py", "engine/things/armour.py")
STATE = ("engine/state/game_state.py", "engine/world.py")
CLOSURES = {"engine": ("engine/engine.py",), "damage": DAMAGE, "state": STATE}
TRACK = ("engine/monsters/perception.py", "engine/brains/perception.py")
RECIPE = ("engine/levels/recipe_by_depth.py", "engine/setup.py")
MESSAGE = ("render/messages/event_messages.py", "render/sentences.py")
SAVED = ("engine/saves/saved_state.py", "engine/records/state.py")
COLOR = ("render/ui/palette.py", "render/palette.py")
QUESTIONS = {  # The word to search for, ignoring case; the deciding file: new path, old path.
    "where is damage computed": ("damage", DAMAGE),
    "where does a monster lose you": ("los(e|es|t|ing)[ _]?track", TRACK),
    "what decides depth 3's recipe": ("recipe|depth", RECIPE),
    "how does an event become a sentence": ("message|sentence", MESSAGE),
    "what is saved": ("save|keyframe", SAVED),
    "which colour has a monster": ("colou?r", COLOR),
}
VERBS = "is|has|can|stands|comes|goes|sees|may|walks|must|will|was|knows|wants|takes|reads|gets"
WORDS = {
    "whoever": r"(?i)\bwhoever\b",
    "impersonal one": rf"\b[Oo]ne\s+({VERBS}|meets)\b",
    "clause first": r"\A(What|Who|Where|How|Whether|Whatever)\b(?![^.!]*\?)",
}
PARAGRAPH = r"\n\s*\n\s*(?:[-*] )?|\n\s*[-*] "
FOR_TOOLS = r"#\s*(noqa|type:\s*ignore|fmt:)"


class Source(NamedTuple):
    """A product file; ``imports`` and ``at_import`` are the product files that it imports."""

    text: str
    tree: ast.Module
    imports: set[str]
    at_import: set[str]


def product(root: Path) -> Files:
    """Return the product files below ``root`` by path."""
    paths = {path.relative_to(root).as_posix(): path for path in sorted(root.rglob("*.py"))}
    texts = {name: p.read_text("utf-8") for name, p in paths.items() if not re.match(OUTSIDE, name)}
    files = {}
    for path, text in texts.items():
        tree = ast.parse(text, path)
        lazy, eager = (set(imported(tree, lazy=lazy)) & texts.keys() for lazy in (True, False))
        files[path] = Source(text, tree, lazy - {path}, eager - {path})
    return files


def imported(node: ast.AST, *, lazy: bool) -> Iterator[str]:
    """Yield the paths that imports below ``node`` may mean; ``lazy``: also in functions."""
    names = []
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and node.module:
        names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    for path in (name.replace(".", "/") for name in names):
        yield from (f"{path}.py", f"{path}/__init__.py")
    if lazy or not isinstance(node, FUNCTION):
        for child in ast.iter_child_nodes(node):
            yield from imported(child, lazy=lazy)


def modules(files: Files) -> dict[str, int]:
    """Return the number of lines of each file except ``__init__.py``."""
    return {p: file.text.count("\n") for p, file in files.items() if "__init__.py" not in p}


def closure(places: tuple[str, ...], graph: dict[str, set[str]]) -> int:
    """Return how many modules the first existing file of ``places`` reaches, including itself."""
    seen: set[str] = set()
    pending = set([path for path in places if path in graph][:1])
    while pending:
        path = pending.pop()
        seen.add(path)
        packages = {f"{folder}/__init__.py" for folder in Path(path).parents}
        pending |= (graph[path] | packages & graph.keys()) - seen
    return sum("__init__.py" not in path for path in seen)


def single_importers(files: Files) -> dict[str, str]:
    """Return the short modules that exactly one product file imports, and that file."""
    short = [path for path, lines in modules(files).items() if lines < SHORT]
    importers = {path: [p for p, file in files.items() if path in file.imports] for path in short}
    return {path: found[0] for path, found in importers.items() if len(found) == 1}


def comments(file: Source) -> list[str]:
    """Return the comments of ``file`` without those for linters and type checkers."""
    tokens = tokenize.generate_tokens(io.StringIO(file.text).readline)
    found = [token.string for token in tokens if token.type == tokenize.COMMENT]
    return [text.lstrip("# ") for text in found if not re.match(FOR_TOOLS, text)]


def shape(files: Files) -> dict[str, Any]:
    """Return sizes, closures and names; a dictionary holds the items counted."""
    lines = modules(files)
    names = Counter(Path(path).name for path in lines)
    rows: dict[str, Any] = {
        "product files": len(files),
        "modules": len(lines),
        "__init__ files": len(files) - len(lines),
        "product lines": sum(file.text.count("\n") for file in files.values()),
        "median lines of a module": statistics.median(lines.values()),
        f"modules over {LONG} lines": {path: n for path, n in lines.items() if n > LONG},
    }
    for name, places in CLOSURES.items():
        for when, field in (("", "imports"), (", at import", "at_import")):
            graph = {path: getattr(file, field) for path, file in files.items()}
            rows[f"closure of {name}{when}"] = closure(places, graph)
    rows["module names used more than once"] = {name: n for name, n in names.items() if n > 1}
    rows[f"under {SHORT} lines, one importer"] = single_importers(files)
    rows["comment lines"] = sum(len(comments(file)) for file in files.values())
    return rows


def docstrings(tree: ast.Module) -> list[str]:
    """Return the docstrings of a module, those of its constants and fields too."""
    nodes = [node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)]
    return [str(node.value).strip() for node in nodes if isinstance(node, ast.Constant)]


def words(root: Path, files: Files) -> dict[str, list[int]]:
    """Return how often each pattern occurs in Python and in Markdown."""
    pages = [path.read_text("utf-8") for path in (*root.glob("*.md"), *root.glob("docs/*.md"))]
    nodes = [node for file in files.values() for node in ast.walk(file.tree)]
    strings = [node.value for node in nodes if isinstance(node, ast.Constant)]
    python = ["\n".join(comments(file)) for file in files.values()]
    python += [text for text in strings if isinstance(text, str)]
    openings = [text for file in files.values() for text in docstrings(file.tree)]
    paragraphs = [text for page in pages for text in re.split(PARAGRAPH, page)]
    among = dict.fromkeys(WORDS, (python, pages)) | {"clause first": (openings, paragraphs)}
    return {
        name: [sum(len(re.findall(pattern, text)) for text in texts) for texts in among[name]]
        for name, pattern in WORDS.items()
    }


def candidates(word: str, files: Files) -> list[tuple[int, int, str]]:
    """Return the files to open for ``word``, in order: group, minus matching lines, path."""
    found, match = [], re.compile(word, re.IGNORECASE).search
    for path, file in files.items():
        lines = sum(bool(match(line)) for line in file.text.splitlines())
        nodes = (node for node in ast.walk(file.tree) if isinstance(node, FUNCTION | ast.ClassDef))
        public = any(match(node.name) for node in nodes if not node.name.startswith("_"))
        if lines or match(Path(path).stem):
            found.append((0 if match(Path(path).stem) else 1 if public else 2, -lines, path))
    return sorted(found)


def hops(files: Files) -> dict[str, list[object]]:
    """Return hops, files named so, files found and the deciding file for each question."""
    rows: dict[str, list[object]] = {}
    for question, (word, places) in QUESTIONS.items():
        found = candidates(word, files)
        path = next((path for path in places if path in files), "?")
        rank = next((n for n, (*_, other) in enumerate(found, 1) if other == path), "never")
        rows[question] = [rank, sum(group < 2 for group, _, _ in found), len(found), path]
    return rows


def table(rows: Mapping[str, Iterable[object]]) -> None:
    """Print ``rows`` of cells by their names."""
    for name, cells in rows.items():
        print(f"{name:36}", *(f"{cell!s:>6}" for cell in cells))


def main() -> None:
    """Print the tables, JSON or the patterns."""
    parser = argparse.ArgumentParser(description="Measure the shape of a checkout.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parents[1])
    for flag in ("--json", "--patterns"):
        parser.add_argument(flag, action="store_true")
    options = parser.parse_args()
    if options.patterns:
        table({name: [text] for name, text in WORDS.items()} | {"not a comment": [FOR_TOOLS]})
        table({question: [word] for question, (word, _) in QUESTIONS.items()})
        return
    files = product(options.folder)
    sizes, counts, ways = shape(files), words(options.folder, files), hops(files)
    if options.json:
        print(json.dumps({"shape": sizes, "words": counts, "hops": ways}, indent=1))
        return
    table({name: [len(n) if isinstance(n, dict) else n] for name, n in sizes.items()})
    table({"WORDS": [".py", ".md"], **counts})
    table({"QUESTIONS": ["hops", "named", "found", "deciding file"], **ways})


if __name__ == "__main__":
    main()
