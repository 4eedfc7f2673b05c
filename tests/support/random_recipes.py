"""Chains that nobody would write: any steps in any legal order, with any legal parameters."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec.inspect
from hypothesis import strategies as st

from procgen.level_code import LevelCode
from procgen.missions.cycle_kinds import cycle_kinds
from procgen.recipes import Recipe
from procgen.step_chain import whole_chain
from procgen.step_registry import RULES, Step, all_steps, struct_parameters
from procgen.vaults.vault_library import vaults

WORDS = ("mission", "floor", "leaves", "regions", "rooms", "start", "exit")
"""What steps need, in an order in which each can be given once those before it are."""

TAIL = ("fill_small_regions", "join_regions")
MARKS = {"start": "start_at_edge", "exit": "exit_furthest"}
LONGEST = 8
GRAIN = 20
"""Numbers with a fraction are drawn in so many steps from the least to the greatest."""

SEEN = ("wall", "floor", "tunnel", "wall|rubble", "ground", "solid", "any", "secret_door")
PUT = ("same", "wall", "floor", "tunnel", "rubble", "water")
"""Words of random rewrite rules before and behind the arrow."""

NOT_PAINT = ("secret_door", "locked_door", "key", "relic")
"""What no step is asked to paint with: a way that nobody can see is no ground."""


@dataclass(frozen=True, eq=False)
class Chain:
    """A recipe as it could stand in data/recipes.toml, and the level to build with it."""

    seed: int
    depth: int
    size: tuple[int, int]
    steps: tuple[dict[str, Any], ...]

    @property
    def recipe(self) -> Recipe:
        """The recipe, read as the data file is: a chain out of order would be refused."""
        steps = whole_chain(self.steps, "a chain")
        return Recipe("chain", 1, "", "stone", self.size, self.size, steps)

    @property
    def code(self) -> LevelCode:
        """The code of the level."""
        return LevelCode("chain", 1, self.seed, self.depth, *self.size)

    def __repr__(self) -> str:
        lines = ["", f"# {self.code}", "[chain]", 'description = "Found by chance."', "steps = ["]
        uses = ({"step": use["step"], **use} for use in self.steps)
        return "\n".join([*lines, *(f"  {_toml(use)}," for use in uses), "]"])


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(part)}" for key, part in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value)


def _whole(kind: msgspec.inspect.IntType, default: Any) -> st.SearchStrategy[int]:
    """Return whole numbers up to about twice the default; large ones not far under it."""
    usual = default if isinstance(default, int) else 0
    least = kind.ge if kind.ge is not None else 0
    least = max(least, usual // 4) if usual > 200 else least
    most = max(least + 3, 2 * usual)
    return st.integers(least, most if kind.le is None else min(most, kind.le))


def _fraction(kind: msgspec.inspect.FloatType, default: Any) -> st.SearchStrategy[float]:
    """Return fractions between the bounds, these included where they are allowed."""
    usual = default if isinstance(default, float) else 1.0
    least = next(bound for bound in (kind.ge, kind.gt, 0.0) if bound is not None)
    most = next(bound for bound in (kind.le, kind.lt, least + 4 * usual) if bound is not None)
    first, last = int(kind.gt is not None), GRAIN - int(kind.lt is not None)
    return st.integers(first, last).map(
        lambda part: round(least + (most - least) * part / GRAIN, 4)
    )


@cache
def _words() -> list[str]:
    return [*dict.fromkeys(tag for vault in vaults() for tag in vault.header.tags)]


def values(kind: msgspec.inspect.Type, default: Any = None) -> st.SearchStrategy[Any]:
    """Return a strategy for all sane values of a parameter's type."""
    match kind:
        case msgspec.inspect.BoolType():
            return st.booleans()
        case msgspec.inspect.IntType():
            return _whole(kind, default)
        case msgspec.inspect.FloatType():
            return _fraction(kind, default)
        case msgspec.inspect.LiteralType(values=names):
            return st.sampled_from([name for name in names if name not in NOT_PAINT])
        case msgspec.inspect.StrType():
            return st.sampled_from(_words())
        case (
            msgspec.inspect.VarTupleType(item_type=item) | msgspec.inspect.ListType(item_type=item)
        ):
            return st.lists(values(item), unique=True, max_size=4)
        case msgspec.inspect.TupleType(item_types=items):
            return st.tuples(*map(values, items)).map(list)
        case msgspec.inspect.DictType(key_type=key, value_type=value):
            return st.dictionaries(values(key), values(value, 1), max_size=4)
        case msgspec.inspect.UnionType(types=kinds):
            some = [one for one in kinds if not isinstance(one, msgspec.inspect.NoneType)]
            return st.one_of(values(one, default) for one in some)
    raise TypeError(f"no strategy for {kind}")


@st.composite
def rules(draw: st.DrawFn) -> list[str]:
    """Return rewrite rules of one or two rows: the first tile becomes what it was not."""
    made = []
    for _ in range(draw(st.integers(0, 3))):
        wide, high = draw(st.integers(1, 4)), draw(st.integers(1, 2))
        cells = st.lists(st.sampled_from(SEEN), min_size=wide, max_size=wide).map(" ".join)
        other = st.lists(st.sampled_from(PUT), min_size=wide, max_size=wide).map(" ".join)
        before, after = ([draw(one) for _ in range(high)] for one in (cells, other))
        first, then = draw(st.permutations(("wall", "floor", "tunnel", "rubble")))[:2]
        before[0] = " ".join([first, *before[0].split()[1:]])
        after[0] = " ".join([then, *after[0].split()[1:]])
        made.append(f"{' / '.join(before)} -> {' / '.join(after)}")
    return made


@cache
def parameters(step: Step) -> st.SearchStrategy[dict[str, Any]]:
    """Return a strategy for a step as a recipe writes it; what is left out keeps its default."""
    usual = step.parameters()
    optional = {
        one.name: rules() if one.unit == RULES else values(one.kind, getattr(usual, one.name))
        for one in struct_parameters(step.parameters)
    }
    if step.name == "monsters_in_rooms":
        optional["first"] = st.sampled_from(["", "rat", "orc", "ghoul"])
    elif step.name == "cycles":
        optional["kinds"] = st.lists(st.sampled_from([*cycle_kinds()]), unique=True, max_size=4)
    return st.fixed_dictionaries({"step": st.just(step.name)}, optional=optional)


@st.composite
def chains(draw: st.DrawFn, hero: str, *, large: bool = False) -> Chain:
    """Return a chain of up to `LONGEST` steps, ``hero`` among them, and the usual ending.

    What a step needs and none has given is given just before it. ``large`` allows large levels,
    of which a single one may take a minute.
    """
    known = list(all_steps().values())
    small = st.integers(15, 40)
    height = draw(st.one_of(*[small] * 5, st.integers(15, 100)) if large else small)
    width = draw(st.integers(20, 2 * height if height > 40 else 48))
    given: set[str] = set()
    steps: list[dict[str, Any]] = []

    def need(words: Iterable[str]) -> None:
        for word in WORDS:
            if word in words and word not in given:
                add(
                    draw(
                        st.sampled_from([s for s in known if word in s.gives and s.needs <= given])
                    )
                )

    def add(step: Step) -> None:
        need(step.needs)
        steps.append(draw(parameters(step)))
        given.update(step.gives)

    company = st.lists(st.sampled_from(known), max_size=(LONGEST - 1) // 2)
    for step in (*draw(company), all_steps()[hero], *draw(company)):
        add(step)
    need(["floor"])
    ending = (*TAIL, *(name for word, name in MARKS.items() if word not in given))
    steps += [{"step": name} for name in ending]
    seed, depth = draw(st.integers(0, 2**16)), draw(st.integers(1, 14))
    return Chain(seed, depth, (width, height), tuple(steps))
