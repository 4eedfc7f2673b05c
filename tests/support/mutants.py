"""Small faults planted in the running project, one at a time, and the tests that notice them.

A fault is swapped into the functions of a fork of this process, where all tests are collected
already: no file is written, nothing is imported anew, and a fault costs what its tests cost.
"""

import ast
import gc
import os
import resource
import signal
from collections.abc import Iterator
from functools import _lru_cache_wrapper
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from types import CodeType, FunctionType
from typing import NamedTuple

import pytest

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
LIMIT, PATIENCE = 60, 300
"""Seconds after which a mutant hangs: of processor time, and of any where it only waits."""
BUDGET = LIMIT / 3
"""The tests that a mutant meets: so many seconds of them, as recorded (coverage included).

So a mutant that hangs takes three times as long as sound code: nobody can miss that.
"""


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
    """What became of a mutant: killed, survived, unreached or unplanted.

    And by which test, saying what; one that hangs is killed. One whose process died is no proof
    that a test notices: it may have died of the trial itself.
    """

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


def within_budget(tests: list[str], seconds: dict[str, float]) -> list[str]:
    """Return as many of ``tests``, from the first, as a mutant may meet.

    One that is too long is skipped: of lines that everything reaches a few slow tests would
    otherwise leave no time for hundreds of quick ones.
    """
    spent, chosen = 0.0, []
    for test in tests:
        if spent + seconds[test] <= BUDGET:
            spent += seconds[test]
            chosen.append(test)
    return chosen


def clear_caches() -> None:
    """Forget what functions remember, so that a fault in what they call is seen."""
    for cached in [found for found in gc.get_objects() if isinstance(found, _lru_cache_wrapper)]:
        if cached.__module__.partition(".")[0] in ("components", "entities", "engine", "procgen"):
            cached.cache_clear()


def module_of(path: str) -> str:
    """Return the name of the module in the source file ``path``."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def plant(root: Path, mutant: Mutant) -> bool:
    """Give all functions of this process that hold the faulty code what ``mutant`` makes of it.

    Return False if none does.
    """
    import_module(module_of(mutant.path))  # Else a module that is imported late comes sound.
    path = root / mutant.path
    data = path.read_bytes()
    faulty = data[: mutant.start] + mutant.fault + data[mutant.end :]
    sound, other = (
        _functions(compile(text, path, "exec", dont_inherit=True)) for text in (data, faulty)
    )
    swapped = dict(zip(sound, other, strict=True))
    planted = False
    gc.unfreeze()  # What was frozen after the tests were collected cannot be found otherwise.
    for function in [found for found in gc.get_objects() if type(found) is FunctionType]:
        if function.__module__ and function.__code__ in swapped:
            planted |= function.__code__ != swapped[function.__code__]
            function.__code__ = swapped[function.__code__]
    clear_caches()
    return planted


def _functions(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of every named function under ``code``, in order of the text."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType) and inner.co_name[0] != "<":
            yield inner
            yield from _functions(inner)


class Trials:
    """A pytest plugin that tries mutants on the tests collected, in place of running these."""

    def __init__(self, root: Path, mutants: dict[Mutant, list[str]]) -> None:
        self._root, self._mutants = root, mutants
        self._verdict = Verdict("survived")
        self.verdicts: dict[Mutant, Verdict] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try each mutant on its tests; print what became of it."""
        items = {item.nodeid: item for item in session.items}
        for mutant, names in self._mutants.items():
            verdict = self._tried(mutant, [items[name] for name in names if name in items])
            self.verdicts[mutant] = verdict
            print(f"{verdict.result:10}{mutant}", flush=True)
            if verdict.test:
                print(f"          {verdict.test} {verdict.reason[:120]}", flush=True)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what the first failing test says."""
        if report.failed and self._verdict.result == "survived":
            crash = getattr(report.longrepr, "reprcrash", None)
            reason = crash.message if crash else str(report.longrepr)
            self._verdict = Verdict("killed", report.nodeid, " ".join(reason.split()))

    def _tried(self, mutant: Mutant, items: list[pytest.Item]) -> Verdict:
        """Run ``items`` on ``mutant`` in a fork of this process; return what they said."""
        if not items:
            return Verdict("unreached")
        context = get_context("fork")
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=self._run, args=(mutant, items, sender))
        process.start()
        sender.close()
        process.join(PATIENCE)
        if process.exitcode is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.join()
        if process.exitcode == 0:
            return receiver.recv()
        hung = process.exitcode in (-signal.SIGKILL, -signal.SIGXCPU)
        slow = f"still running after {LIMIT} s, where sound code takes at most {LIMIT / 3:.0f}"
        return Verdict("killed" if hung else "died", items[0].nodeid, slow * hung)

    def _run(self, mutant: Mutant, items: list[pytest.Item], sender) -> None:
        """Plant ``mutant`` and run ``items`` until one fails; send the verdict and exit."""
        os.setsid()  # What the tests start is ended with them.
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (1, 2):
            os.dup2(nowhere, stream)
        if not plant(self._root, mutant):
            items, self._verdict = [], Verdict("unplanted")
        for item, after in zip(items, [*items[1:], None], strict=False):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            if self._verdict.result == "killed":
                break
        sender.send(self._verdict)
        os._exit(0)
