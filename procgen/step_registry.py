"""The step registry: every function with `@step` in a module of procgen/steps, by name."""

import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from math import inf
from types import ModuleType
from typing import Annotated, Any, get_type_hints

import msgspec
from msgspec import Meta
from msgspec import inspect as kinds

from entities.data_files import fault_in_words
from procgen import steps
from procgen.blueprint import Blueprint
from procgen.rng import Rng

Share = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=0, le=1000)]
"""A number of rounds, rooms or monsters."""
Tries = Annotated[int, Meta(ge=0, le=10_000)]
Positive = Annotated[int, Meta(ge=1, le=1000)]
Few = Annotated[int, Meta(ge=0, le=50)]
"""A number of large or rare things on a level."""
Weight = Annotated[int, Meta(ge=0, le=100)]
"""A weight or a cost relative to others."""
Tiles = Annotated[int, Meta(ge=0, le=100, extra={"unit": "tiles"})]
"""A distance."""
Side = Annotated[int, Meta(ge=1, le=100, extra={"unit": "tiles"})]
"""The length of something that has at least one tile."""
AreaOrZero = Annotated[int, Meta(ge=0, le=10_000, extra={"unit": "tiles"})]
"""The area of something that may have no tile, or a limit that may be 0."""
Area = Annotated[int, Meta(ge=1, le=10_000, extra={"unit": "tiles"})]
"""The area of something that has at least one tile."""
Steps = Annotated[int, Meta(ge=0, le=10_000, extra={"unit": "steps"})]
"""The length of a walk."""
Neighbours = Annotated[int, Meta(ge=0, le=9)]
"""A number of the 8 neighbours of a tile; 9 is more than there are, so never reached."""
Density = Annotated[float, Meta(ge=0, le=20)]
"""Monsters per hundred tiles."""

RULES = "rules"
"""The unit of a parameter that is a list of rewrite rules."""
Rules = Annotated[tuple[str, ...], Meta(max_length=16, extra={"unit": RULES})]

StepFunction = Callable[..., Iterator[str]]
_SENTENCE_END = re.compile(r"(?<=\.)\s+(?=[A-Z`\"(])|(?<=\.\))\s+")


@dataclass(frozen=True)
class Parameter:
    """One parameter of one step: its name, its type, and the step's index in a recipe.

    Numeric parameters of steps have bounds, so that one digit too many does not start a build of
    hours; those of infinite worlds, which cannot be set, need none. ``unit`` is what a number
    counts: tiles, steps, or nothing in particular ("").
    """

    name: str
    kind: kinds.Type
    unit: str = ""
    step_index: int = 0

    @property
    def range(self) -> str:
        """The allowed values, in words."""
        match self.kind:
            case kinds.BoolType():
                return "yes or no"
            case kinds.LiteralType(values):
                return f"one of {', '.join(map(str, values))}"
            case kinds.VarTupleType(kinds.LiteralType(values)):
                return f"any of {', '.join(map(str, values))}"
            case kinds.IntType() | kinds.FloatType():
                prefix = "a whole number " if isinstance(self.kind, kinds.IntType) else ""
                low, high = self.bounds
                unit = f" {self.unit}" if self.unit else ""
                if low == -inf and high == inf:
                    return "a whole number" if prefix else "a number"
                if high == inf:
                    return f"{prefix}at least {low:.12g}{unit}"
                if self.kind.gt is not None:
                    return f"{prefix}above {low:.12g} and at most {high:.12g}{unit}"
                return f"{prefix}from {low:.12g} to {high:.12g}{unit}"
            case kinds.VarTupleType():
                return f"{self.unit or 'words'} with commas between them"
            case kinds.DictType():
                return "names with weights"
            case _:
                return "a word"

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and greatest number; the least itself is out of bounds if ``gt`` is set."""
        if not isinstance(self.kind, (kinds.IntType, kinds.FloatType)):
            return -inf, inf
        low = self.kind.gt if self.kind.ge is None else self.kind.ge
        high = self.kind.lt if self.kind.le is None else self.kind.le
        return -inf if low is None else low, inf if high is None else high


@dataclass(frozen=True, eq=False)
class Step:
    """A registered step: its function, its typed parameters, what it needs and what it gives.

    ``origin`` is empty for a step of ours, and a hash or a version for a user step.
    """

    name: str
    function: StepFunction
    parameters: type[msgspec.Struct]
    needs: frozenset[str]
    gives: frozenset[str]
    text: str = ""
    depends_on: Mapping[str, str] = field(default_factory=dict)
    origin: str = ""
    varies: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        """The first line of the docstring."""
        return self.text.partition("\n")[0]

    def meaning(self, name: str) -> str:
        """Return the sentences of the docstring that name a parameter in double backticks."""
        return " ".join(part for part in self.sentences() if f"``{name}``" in part)

    def sentences(self) -> list[str]:
        """Return the sentences of the docstring."""
        return _SENTENCE_END.split(" ".join(self.text.split()))

    def is_idle(self, name: str, parameters: msgspec.Struct) -> bool:
        """Return True if the parameter ``name`` has no effect, given the other values."""
        other, _, wanted = self.depends_on.get(name, "").partition("=")
        if not other:
            return False
        value = getattr(parameters, other)
        return value != wanted if wanted else not value

    def run(self, plan: Blueprint, rng: Rng, parameters: msgspec.Struct) -> Iterator[str]:
        """Run the step on ``plan``, yielding a caption after each change worth showing."""
        values = msgspec.structs.asdict(parameters)
        if self.varies and (share := values.pop("vary")):
            draws = rng.branch("vary")  # A branch, so that all other draws stay the same.
            for parameter in struct_parameters(self.parameters):
                if (name := parameter.name) in self.varies:
                    assert isinstance(parameter.kind, (kinds.IntType, kinds.FloatType))
                    drawn = draws.varied(values[name], share)
                    low, high = parameter.kind.ge or 0, parameter.kind.le or drawn
                    values[name] = type(drawn)(max(low, min(high, drawn)))
        return self.function(plan, rng, **values)


def step(
    needs: str = "",
    gives: str = "",
    depends_on: Mapping[str, str] | None = None,
    check: Callable[[Any], None] | None = None,
    varies: str = "",
) -> Callable[[StepFunction], StepFunction]:
    """Mark a generator function ``(plan, rng, *, parameter=default, ...)`` as a step.

    ``needs`` and ``gives`` are words such as ``floor rooms start exit leaves regions``: a
    recipe whose earlier steps give less than a step needs is refused when data loads. A step that
    gives ``creatures`` alone changes nothing else: searches may leave it out at a recipe's end.
    ``depends_on`` says when parameters have an effect: with ``{"leaves": "stop=count"}`` leaves has
    one only if stop is "count", with ``{"low high": "large"}`` both unless large is 0 or no.
    ``check`` gets the parameters as read, and raises `ValueError` for values that their types allow
    but the step does not: the message is shown wherever a value can be entered. ``varies`` names
    numbers that recipes may let differ from level to level: the step gets a parameter ``vary``, the
    share by which each of them is larger or smaller at most.
    """
    if not (isinstance(needs, str) and isinstance(gives, str)):  # `@step` alone gives a function.
        raise TypeError('write @step(), or @step(needs="floor rooms", gives="start exit")')

    def mark(function: StepFunction) -> StepFunction:
        if not callable(function):
            raise TypeError(f"@step(...) stands above a function, not {function!r}")
        function.declared = (needs, gives, depends_on or {}, check, varies)  # type: ignore[attr-defined]
        return function

    return mark


def parameter_struct(
    function: Callable[..., Any], check: Callable[[Any], None] | None = None, varies: str = ""
) -> type[msgspec.Struct]:
    """Return the keyword parameters of ``function`` as a struct that ``check`` validates.

    It has one more field, vary, if ``varies`` names any of them.
    """
    hints = get_type_hints(function, include_extras=True)
    signature = inspect.signature(function).parameters.values()
    keywords = [key for key in signature if key.kind is key.KEYWORD_ONLY]
    if missing := [key.name for key in keywords if key.name not in hints]:
        raise ValueError(f"{function.__name__}: the parameter {missing[0]} needs a type")
    fields = [
        (key.name, hints[key.name], msgspec.NODEFAULT if key.default is key.empty else key.default)
        for key in keywords
    ]
    if varies:
        fields.append(("vary", Share, 0.0))
    return msgspec.defstruct(
        function.__name__,
        fields,
        kw_only=True,
        frozen=True,
        forbid_unknown_fields=True,
        namespace={"__post_init__": check} if check else {},
    )


@cache
def struct_parameters(struct: type[msgspec.Struct]) -> tuple[Parameter, ...]:
    """Return the fields of a parameter struct with their types and units."""
    described = kinds.type_info(struct)
    assert isinstance(described, kinds.StructType)
    found = []
    for parameter in described.fields:
        kind: Any = parameter.type
        has_extra = isinstance(kind, kinds.Metadata)
        extra, plain = (kind.extra or {}, kind.type) if has_extra else ({}, kind)
        # Names of ours and the user's are text to msgspec, but people choose among ours.
        kind = kinds.LiteralType(extra["choices"]) if "choices" in extra else plain
        found.append(Parameter(parameter.name, kind, extra.get("unit", "")))
    return tuple(found)


def describe_step(function: StepFunction) -> Step:
    """Return the `Step` of a function marked by `step`; raise `ValueError` if it is faulty."""
    name = getattr(function, "__name__", repr(function))  # A `partial` has no name.
    declared = getattr(function, "declared", None)
    if declared is None:
        raise ValueError(f"{name} is not a step: put @step(...) above it")
    if not inspect.isgeneratorfunction(function):
        raise ValueError(f"{name} yields nothing: a step yields captions")
    signature = [*inspect.signature(function).parameters.values()]
    if sum(param.kind is not param.KEYWORD_ONLY for param in signature) != 2:
        raise ValueError(f"{name} must be a function (plan, rng, *, parameter=default, ...)")
    if missing := [key.name for key in signature[2:] if key.default is key.empty]:
        raise ValueError(f"{name}: the parameter {missing[0]} needs a default")
    if odd := [key.name for key in signature[2:] if isinstance(key.default, (list, dict, set))]:
        raise ValueError(f"{name}: the default of {odd[0]} must be a tuple, not a list or the like")
    if "step" in inspect.signature(function).parameters:
        raise ValueError(f"{name}: no parameter can be called step, the key of a step's name")
    needs, gives, conditions, check, varies = declared
    depends_on = {name: when for words, when in conditions.items() for name in words.split()}
    parameters = parameter_struct(function, check, varies)
    values = msgspec.to_builtins(parameters())  # `TypeError` for a default that no file can hold.
    try:
        msgspec.convert(values, parameters)
    except msgspec.ValidationError as fault:
        raise ValueError(f"{name}: the default of {fault_in_words(fault)}") from None
    text, names = inspect.getdoc(function) or "", tuple(varies.split())
    named = {*names, *depends_on, *(other.partition("=")[0] for other in depends_on.values())}
    if unknown := sorted(named - {*parameters.__struct_fields__}):
        raise ValueError(f"{name}: varies or depends_on names {unknown[0]}, which is no parameter")
    if names:
        listed = ", ".join(f"``{name}``" for name in names)
        text += f"\n\n``vary`` is the largest share by which {listed} may change."
    before, after = (frozenset(words.replace(",", " ").split()) for words in (needs, gives))
    return Step(name, function, parameters, before, after, text, depends_on, varies=names)


@cache
def all_steps() -> dict[str, Step]:
    """Return every step by name, in order of module; raise `ValueError` for a name used twice."""
    found: dict[str, Step] = {}
    for module_name in sorted(module.name for module in pkgutil.iter_modules(steps.__path__)):
        for described in steps_in(import_module(f"{steps.__name__}.{module_name}")):
            if described.name in found:
                raise ValueError(f"two steps are called {described.name}")
            found[described.name] = described
    return found


def steps_in(module: ModuleType) -> list[Step]:
    """Return the steps that a module defines; raise `ValueError` for one with a mistake."""
    marked = (value for value in vars(module).values() if hasattr(value, "declared"))
    return [describe_step(value) for value in marked if value.__module__ == module.__name__]
