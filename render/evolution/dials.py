"""What evolution may turn: the numbers of a recipe, each within reach of what it is."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import floor, log10

from msgspec.inspect import FloatType, IntType

from procgen.recipes import Recipe
from render.workshop.tuning import Knob, Unfit, knobs, value, with_value

REACH, ROOM = 3, 4
"""A number without bounds of its own may grow or shrink so many times, or grow by this."""
NOTCHES = 100
"""About how many values a number that is not whole can have."""

ENDS = {"min": "max", "smallest": "largest", "least": "most", "low": "high"}
"""Words in the names of two numbers of a step of which the first is never above the second."""

Setting = tuple[int, str, float]
"""A step's place in the recipe, a parameter of it, and a value."""
Settings = tuple[Setting, ...]


@dataclass(frozen=True)
class Dial:
    """A number of a recipe, ``own`` as written; ``low`` to ``high``, in steps of ``notch``."""

    knob: Knob
    own: float
    low: float
    high: float
    notch: float

    def at(self, share: float) -> float:
        """Return the value at a place from 0 to 1 of the dial; whole if it must be."""
        wanted = self.low + min(1.0, max(0.0, share)) * (self.high - self.low)
        notches = round((wanted - self.own) / self.notch)
        turned = min(self.high, max(self.low, self.own + notches * self.notch))
        return round(turned) if self.notch == 1 else round(turned, 6)

    @property
    def place(self) -> float:
        """Where on the dial the recipe's own value is, 0 to 1."""
        return (self.own - self.low) / (self.high - self.low)

    @property
    def finest(self) -> float:
        """The share of the dial that a notch is."""
        return self.notch / (self.high - self.low)


def dials(recipe: Recipe) -> list[Dial]:
    """Return a dial for every number of every step."""
    found = []
    for knob in knobs(recipe):
        own = value(recipe, knob)
        if isinstance(knob.kind, (IntType, FloatType)) and not isinstance(own, bool):
            found.append(_dial(knob, own))
    return [dial for dial in found if dial.low < dial.high]


def _dial(knob: Knob, own: float) -> Dial:
    assert isinstance(knob.kind, (IntType, FloatType))
    whole, (low, high) = isinstance(knob.kind, IntType), knob.bounds
    if knob.kind.le is None and knob.kind.lt is None:
        low = max(low, own / REACH)
        high = min(high, max(REACH * own, own + (ROOM if whole else 1 - own)))
    if whole:
        return Dial(knob, own, max(knob.bounds[0], floor(low)), floor(high), 1)
    notch = 10.0 ** floor(log10(max(1e-6, high - low) / NOTCHES * 1.001))
    low, high = round(floor(low / notch) * notch, 6), round(high, 6)
    if knob.kind.gt is not None and low <= knob.kind.gt:
        low = knob.kind.gt + notch
    return Dial(knob, own, low, high, notch)


def settings(dials: Sequence[Dial], shares: Iterable[float]) -> Settings:
    """Return the values that differ from the recipe's own when ``dials`` stand at ``shares``."""
    turned = [(dial, dial.at(share)) for dial, share in zip(dials, shares, strict=True)]
    return tuple(
        (dial.knob.place, dial.knob.name, number) for dial, number in turned if number != dial.own
    )


def variant(recipe: Recipe, name: str, turned: Settings) -> Recipe:
    """Return ``recipe`` under another name, with some numbers changed; `Unfit` if it cannot be."""
    found = recipe
    known = {(knob.place, knob.name): knob for knob in knobs(recipe)}
    for place, parameter, number in turned:
        if (place, parameter) not in known:
            raise Unfit(f"{recipe.name} has no parameter {parameter} in its step {place}")
        found = with_value(found, known[place, parameter], number)
    upside_down = _upside_down(found) - _upside_down(recipe)
    if upside_down:
        raise Unfit(f"{', '.join(sorted(upside_down))}: more than the most there may be")
    return replace(found, name=name, version=1)


def _upside_down(recipe: Recipe) -> set[str]:
    """Return which numbers, by step and name, are above those they should be below."""
    found = set()
    for label, numbers in recipe.parameters().items():
        for name, number in numbers.items():
            for low, high in ENDS.items():
                words = [high if word == low else word for word in name.split("_")]
                other = numbers.get("_".join(words))
                if isinstance(other, (int, float)) and float(number) > other:
                    found.add(f"{label}.{name}")
    return found
