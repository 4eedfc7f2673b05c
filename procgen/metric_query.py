"""Parse conditions on metrics, such as ``loops >= 6 and detour > 1.6``, into functions.

The text is parsed as Python and only a few node types are accepted: no names but metrics, no
attributes, no calls but three functions. Nothing is ever passed to ``eval``.
"""

import ast
import operator
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple

from entities.wording import did_you_mean
from procgen.metrics import LazyMetrics, is_share

LONGEST, MOST_PARTS = 1000, 300
"""Most characters and syntax tree nodes of a condition."""

Values = Mapping[str, float] | LazyMetrics
"""Metrics by name."""


class QueryError(ValueError):
    """An invalid condition; the message is the end of a sentence."""


COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
ARITHMETIC: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
Functions = dict[str, tuple[Callable[..., float], int, int]]
"""Functions by name, each with the least and most arguments it takes."""
FUNCTIONS: Functions = {"abs": (abs, 1, 1), "min": (min, 2, 9), "max": (max, 2, 9)}
UNFINISHED = re.compile(r"(\band|\bor|\bnot|[-+*/<>=(,])$")


def unknown_metric(name: str, known: Sequence[str]) -> str:
    """Return a message that there is no metric ``name``, with the closest match."""
    listed = f"there are {', '.join(known)}" if known else "a plain number is wanted"
    return f"there is no metric {name[:40]!r}{did_you_mean(name, known)}; {listed}"


def syntax_hint(text: str, fault: SyntaxError) -> str:
    """Return a message for a syntax error, with a hint for operators of other languages."""
    for foreign, ours in (("&&", "and"), ("||", "or"), ("!", "not or !=")):
        if foreign in text.replace("!=", ""):
            return f"write {ours}, not {foreign}"
    if "=" in re.sub("[<>=!]=", "", text):
        return "write == to compare"
    if last := UNFINISHED.search(text):
        expected = "a condition such as loops >= 6" if last[0].isalpha() else "a number or a metric"
        return f"{expected} is missing at its end, after {text[-20:]!r}"
    place = text[max(0, (fault.offset or 1) - 1) :][:20]
    return f"there is a mistake at {place!r}" if place else "it cannot be read"


Meaning = Callable[[Values], float]
"""A compiled number or condition."""
PERCENT = re.compile(r"(?<![\w.])([0-9]+(?:\.[0-9]+)?) ?%(?! *(?!(?:and|or)\b)[\w(.])")
"""Percentages such as ``floor > 50%``, but not the operator ``%``."""
TOO_HIGH = 10**308
"""Integers of at least this size are treated as infinite; float() would overflow."""


class Query(NamedTuple):
    """A compiled condition or number; ``names`` are the metrics it uses.

    Division by zero and other arithmetic errors make a comparison false and a number None.
    """

    text: str
    names: tuple[str, ...]
    meaning: Meaning

    def holds(self, values: Values) -> bool:
        """Return True if the condition is true of ``values``."""
        return bool(self.meaning(values))

    def number(self, values: Values) -> float | None:
        """Return the number for ``values``, or None if there is none or it is infinite."""
        try:
            value = float(self.meaning(values))
        except ArithmeticError:
            return None
        return value if isfinite(value) else None


def parse_condition(text: str, known: Sequence[str]) -> Query:
    """Return ``text`` as a condition; raise `QueryError` if it is none."""
    return _parsed(text, known, bool)


def parse_formula(text: str, known: Sequence[str], functions: Functions = FUNCTIONS) -> Query:
    """Return ``text`` as a formula for a number; raise `QueryError` if it is none."""
    return _parsed(text, known, float, functions)


def parse_plane(text: str, known: Sequence[str]) -> tuple[str, str]:
    """Return two metrics such as ``floor,detour``; raise `QueryError` for anything else."""
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in known:
            raise QueryError(unknown_metric(name, known))
    if len(names) != 2 or names[0] == names[1]:
        raise QueryError("that is not two metrics such as floor,detour")
    return names[0], names[1]


def parse_targets(text: str, known: Sequence[str]) -> dict[str, float]:
    """Return goals such as ``path=120, loops=8`` by name; raise `QueryError` for others."""
    targets: dict[str, float] = {}
    for part in text.split(","):
        name, _, value = (piece.strip() for piece in part.partition("="))
        if not value:
            raise QueryError(f"{part.strip()!r} is not of the form METRIC=NUMBER")
        if name not in known:
            raise QueryError(unknown_metric(name, known))
        if name in targets:
            raise QueryError(f"{name} is given twice")
        if "=" in value:
            raise QueryError(f"{part.strip()!r}: write METRIC=NUMBER, and a comma before the next")
        wish = parse_formula(value, ()).number({})
        if wish is None:
            raise QueryError(f"{value[:40]!r} is not a number, or too large")
        if wish > 1 and is_share(name):
            raise QueryError(f"{name} is at most 100%; do you mean {wish:.9g}%?")
        targets[name] = wish
    return targets


def _parsed(text: str, known: Sequence[str], kind: type, functions: Functions = FUNCTIONS) -> Query:
    noun, text = "condition" if kind is bool else "formula", " ".join(text.split())
    if not 0 < len(text) <= LONGEST:
        fault = f"longer than {LONGEST} characters" if text else "empty"
        raise QueryError(f"the {noun} is {fault}")
    text = PERCENT.sub(r"(\1 / 100)", text)
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(text, mode="eval")
    except SyntaxError as fault:
        raise QueryError(syntax_hint(text, fault)) from None
    except (ValueError, RecursionError, MemoryError):
        raise QueryError(f"the {noun} cannot be read") from None
    if sum(1 for _ in ast.walk(tree)) > MOST_PARTS:
        raise QueryError(f"the {noun} has more than {MOST_PARTS} parts")
    meaning = _Reader(known, functions).read(tree.body)
    if _is_condition(tree.body) is not (kind is bool):
        expected = "a condition such as loops >= 6" if kind is bool else "a number such as path / 2"
        raise QueryError(f"{text!r} is not {expected}")
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return Query(text, tuple(name for name in known if name in used), meaning)


def _is_condition(node: ast.expr) -> bool:
    """Return True for an expression that is true or false, False for a number."""
    negation = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    return negation or isinstance(node, ast.Compare | ast.BoolOp)


def _refuse_whole_shares(sides: Sequence[ast.expr]) -> None:
    """Raise `QueryError` where a share, shown as a percentage, is compared with more than 1."""
    shares = [side.id for side in sides if isinstance(side, ast.Name) and is_share(side.id)]
    for side in sides:
        match side:
            case ast.Constant(value=int() | float() as value) if shares and value > 1:
                raise QueryError(f"{shares[0]} is at most 100%; do you mean {str(value)[:9]}%?")


class _Reader:
    """Compiles a syntax tree into closures; raises `QueryError` for unknown nodes."""

    def __init__(self, known: Sequence[str], functions: Functions) -> None:
        self.known = known
        self.functions = functions

    def read(self, node: ast.expr) -> Meaning:
        """Compile ``node``; raise `QueryError` if it is not supported."""
        match node:
            case ast.Constant(value=bool()):
                raise QueryError("True and False are not metrics; write a comparison")
            case ast.Constant(value=int() | float() as value):
                constant = float(value) if value < TOO_HIGH else float("inf")
                return lambda _: constant
            case ast.Name(id=name) if name in self.known:
                return lambda values: values[name]
            case ast.Name(id=name):
                raise QueryError(unknown_metric(name, self.known))
            case ast.BinOp(left, operator, right) if type(operator) in ARITHMETIC:
                function = ARITHMETIC[type(operator)]
                first, second = self._part(left), self._part(right)
                return lambda values: function(first(values), second(values))
            case ast.UnaryOp(ast.USub() | ast.UAdd() as sign, operand):
                number = self._part(operand)
                return number if isinstance(sign, ast.UAdd) else lambda values: -number(values)
            case ast.UnaryOp(ast.Not(), operand):
                inner = self._part(operand, condition=True)
                return lambda values: not inner(values)
            case ast.BoolOp(junction, operands):
                parts = [self._part(operand, condition=True) for operand in operands]
                enough = all if isinstance(junction, ast.And) else any
                return lambda values: enough(part(values) for part in parts)
            case ast.Compare(left, operators, rights):
                return self._compared(left, operators, rights)
            case ast.Call(ast.Name(id=name), args, []) if name in self.functions and args:
                return self._applied(name, args)
            case _:
                words = f"and, or, not, < <= > >= == !=, + - * / and {', '.join(self.functions)}"
                raise QueryError(f"{ast.unparse(node)[:40]!r} is not supported; use {words}")

    def _part(self, node: ast.expr, *, condition: bool = False) -> Meaning:
        """Compile a number or a ``condition``; raise `QueryError` if ``node`` is the other."""
        meaning = self.read(node)
        if _is_condition(node) is not condition:
            words = "a number; compare it with something"
            meant = words if condition else "true or false, not a number"
            raise QueryError(f"{ast.unparse(node)[:40]!r} is {meant}")
        return meaning

    def _compared(self, left: ast.expr, signs: list[ast.cmpop], rights: list[ast.expr]) -> Meaning:
        if any(type(comparison) not in COMPARISONS for comparison in signs):
            raise QueryError("compare with < <= > >= == or !=")
        _refuse_whole_shares([left, *rights])
        tests = [COMPARISONS[type(comparison)] for comparison in signs]
        parts = [self._part(node) for node in (left, *rights)]

        def holds(values: Values) -> bool:
            try:
                numbers = [part(values) for part in parts]
            except ArithmeticError:
                return False
            return all(test(a, b) for test, a, b in zip(tests, numbers, numbers[1:], strict=False))

        return holds

    def _applied(self, name: str, args: list[ast.expr]) -> Meaning:
        function, least, most = self.functions[name]
        if not least <= len(args) <= most:
            expected = "one number" if most == 1 else f"{least} to {most} numbers"
            raise QueryError(f"{name} takes {expected}")
        parts = [self._part(node) for node in args]
        return lambda values: function(*(part(values) for part in parts))
