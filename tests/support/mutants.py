"""Small faults planted in source text, one at a time, and the tests that should notice them."""

import ast
import os
import re
import resource
import signal
import sys
from collections.abc import Iterator
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, NamedTuple

import pytest

from support.paths import ROOT

SWAPS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult,
}  # fmt: skip
OTHER = {"min": "max", "max": "min"}
SKIPPED = (ast.JoinedStr, ast.Assert, ast.Raise, ast.arguments)
"""Not mutated: texts, assertions, messages of errors and defaults."""
LEAVES = (ast.Return, ast.Continue, ast.Break)
BUDGET, AT_MOST = 20.0, 150
"""The tests that a mutant meets: so many seconds of them when all is well, so many in number."""
LIMIT, PATIENCE = 60, 300
"""Seconds after which a mutant hangs: of processor time, and of any where it only waits."""
HEAVY = ("hypothesis", "scipy.ndimage", "scipy.sparse.csgraph", "tcod", "rich.table", "tomlkit")
"""Imported once, not anew for each mutant."""
VERDICT = re.compile(r"^(?:FAILED|ERROR) (tests/.+?)(?: - (.*))?$", re.MULTILINE)


class Mutant(NamedTuple):
    """A fault: ``path`` from ``start`` to ``end`` becomes ``fault``, all three in bytes.

    ``lines`` are those of its statement, as far as the fault; ``before`` and ``after`` the
    text of the line, or lines, that change.
    """

    path: str
    line: int
    lines: range
    start: int
    end: int
    fault: bytes
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.before}  ->  {self.after}"


class Verdict(NamedTuple):
    """What became of a mutant: killed, survived, hung or unreached; by which test, saying what."""

    result: str
    test: str = ""
    reason: str = ""


def mutants_of(root: Path, path: str) -> Iterator[Mutant]:
    """Yield every mutant of a source file, from top to bottom."""
    data = (root / path).read_bytes()
    offsets = [0]
    for line in data.splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))
    for statement, node in _nodes_in_functions(ast.parse(data)):
        for old, new in _faults(node):
            first, last = offsets[old.lineno - 1], offsets[old.end_lineno]
            start = first + old.col_offset
            end = offsets[old.end_lineno - 1] + old.end_col_offset
            bare = isinstance(new, ast.Call) or ast.unparse(new).isalnum()
            fault = (ast.unparse(new) if bare else f"({ast.unparse(new)})").encode()
            lines = range(statement.lineno, old.end_lineno + 1)
            texts = data[first:last], data[first:start] + fault + data[end:last]
            before, after = (" ".join(text.decode().split()) for text in texts)
            yield Mutant(path, old.lineno, lines, start, end, fault, before, after)


def _nodes_in_functions(tree: ast.AST) -> Iterator[tuple[ast.stmt, ast.AST]]:
    """Yield all that can be mutated, each with the innermost statement that holds it.

    Module level is left out: it runs once, on import, so no test can be said to reach it.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for statement in node.body:
                yield from _nodes(statement, statement)


def _nodes(statement: ast.stmt, node: ast.AST) -> Iterator[tuple[ast.stmt, ast.AST]]:
    if isinstance(node, (*SKIPPED, ast.FunctionDef)):
        return
    yield statement, node
    for child in ast.iter_child_nodes(node):
        if child is getattr(node, "annotation", None) or getattr(child, "arg", "") == "strict":
            continue
        yield from _nodes(child if isinstance(child, ast.stmt) else statement, child)


def _faults(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield expressions of ``node`` itself, each with what a small mistake makes of it."""
    match node:
        case ast.Compare(left=left, ops=ops, comparators=others):
            for place, op in enumerate(ops):
                swapped = [*ops[:place], SWAPS[type(op)](), *ops[place + 1 :]]
                yield node, ast.Compare(left, swapped, others)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in SWAPS:
            yield node, ast.BinOp(left, SWAPS[type(op)](), right)
        case ast.BoolOp(op=op, values=values):
            yield node, ast.BoolOp(SWAPS[type(op)](), values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, operand
        case ast.Constant(value=bool(value)):
            yield node, ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield node, ast.Constant(value + 1)
            yield node, ast.Constant(value - 1)
        case ast.Call(func=ast.Name(id=name), args=[_, _, *_]) if name in OTHER:
            yield node, ast.Call(ast.Name(OTHER[name]), node.args, node.keywords)
        case ast.If(test=test, body=[leave], orelse=[]) if isinstance(leave, LEAVES):
            yield test, ast.Constant(False)


def warm_up() -> None:
    """Import what all tests need that is not ours."""
    for name in HEAVY:
        import_module(name)


def tried(project: Path, mutant: Mutant, tests: list[str]) -> Verdict:
    """Plant ``mutant`` in ``project``, run ``tests``, take it out again; return what they said."""
    if not tests:
        return Verdict("unreached")
    path = project / mutant.path
    data = path.read_bytes()
    # Compiled files are told apart by whole seconds; one of a moment ago would pass for this one.
    compiled = list((path.parent / "__pycache__").glob(f"{path.stem}.*"))
    for file in compiled:
        file.unlink()
    path.write_bytes(data[: mutant.start] + mutant.fault + data[mutant.end :])
    try:
        return _verdict(project, tests)
    finally:
        path.write_bytes(data)
        for file in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
            file.unlink()


def _verdict(project: Path, tests: list[str]) -> Verdict:
    """Run ``tests`` in a fork of this process, which has numpy and the like imported already."""
    with TemporaryFile("w+") as output:
        process = get_context("fork").Process(target=_run_pytest, args=(project, tests, output))
        process.start()
        process.join(PATIENCE)
        if process.exitcode is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.join()
        if process.exitcode in (-signal.SIGKILL, -signal.SIGXCPU):
            return Verdict("hung")
        output.seek(0)
        said = output.read()
    if process.exitcode == 0:
        return Verdict("survived")
    found = VERDICT.search(said)
    if not found and process.exitcode < 0:
        return Verdict("killed", reason="the process died")
    if not found:
        raise RuntimeError(f"pytest could not run:\n{said[-2000:]}")
    return Verdict("killed", found[1], found[2] or "")


def _run_pytest(project: Path, tests: list[str], output: IO[str]) -> None:
    """Run ``tests`` of the copy at ``project`` and exit; nothing of our own is imported yet."""
    os.setsid()  # What the tests start is ended with them.
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
    for stream in (1, 2):
        os.dup2(output.fileno(), stream)
    for name in [name for name in sys.modules if name.split(".")[0] in ("support", "mutations")]:
        del sys.modules[name]
    os.chdir(project)
    sys.path[:] = [path for path in sys.path if not Path(path or ".").is_relative_to(ROOT)]
    os.environ["COLUMNS"] = "250"
    plain = ["--no-header", "--tb=no", "-p", "no:warnings", "-p", "no:cacheprovider"]
    code = pytest.main(["-x", "-q", "-rfE", *plain, *tests])
    sys.stdout.flush()
    os._exit(code)


def within_budget(tests: list[str], seconds: dict[str, float]) -> list[str]:
    """Return as many of ``tests``, from the first, as a mutant may meet."""
    spent, chosen = 0.0, []
    for test in tests[:AT_MOST]:
        spent += seconds[test]
        if spent > BUDGET:
            break
        chosen.append(test)
    return chosen
