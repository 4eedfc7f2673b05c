"""The kinds of creature, read from data, and how one of a kind is made."""

from functools import cache
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from components import Energy, Fighter, Growth, Mind
from entities.appearing import Weights, weight_at
from entities.data import DATA, DataError, read_entries
from entities.entity import Entity
from entities.habits import Habits
from entities.statuses import statuses

HERO = "hero"

Positive = Annotated[int, Meta(ge=1)]
Natural = Annotated[int, Meta(ge=0)]


class Creature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of creature.

    ``appears`` maps a depth to the weight that holds from there down.
    ``color`` names a colour of the themes; ``brain`` a brain of the rules;
    ``experience`` what its end teaches, 0 for what its numbers say. A boss has a ``lair``: the
    depth at which the only one of its kind waits.
    """

    name: str
    glyph: Annotated[str, Meta(min_length=1, max_length=1)]
    color: str
    hp: Positive
    power: Natural
    defense: Natural
    sight: Positive = 8
    speed: Positive = 100
    mending: Natural = 0
    brain: str | None = None
    patience: Natural = 6
    experience: Natural = 0
    appears: Weights = {}
    lair: Natural = 0
    text: str = ""
    habits: Habits = Habits()

    def weight(self, depth: int) -> int:
        """Return how often this kind appears at ``depth`` beside the others' weights."""
        return weight_at(depth, self.appears)


@cache
def creatures(folder: Path = DATA) -> dict[str, Creature]:
    """Return every kind of creature by name, the hero among them.

    Raises `DataError`, which names file, entry and field, for one that cannot be.
    """
    kinds = read_entries("creatures.toml", Creature, folder)
    if HERO not in kinds:
        raise DataError(f"data/creatures.toml: [{HERO}]: is missing")
    for name, kind in kinds.items():
        if (kind.brain is None) != (name == HERO):
            raise DataError(
                f"data/creatures.toml: [{name}]: brain: every creature but the hero has one"
            )
        _check_references(name, kind, kinds, folder)
    return kinds


def _check_references(name: str, kind: Creature, kinds: dict[str, Creature], folder: Path) -> None:
    """Raise `DataError` if ``kind`` speaks of creatures that there are none of."""
    habits = kind.habits
    named = {f"habits.escort.{other}": other for other in habits.escort}
    if habits.summons:
        named["habits.summons.kind"] = habits.summons.kind
    for field, other in named.items():
        if other not in kinds or other == HERO:
            raise DataError(f"data/creatures.toml: [{name}]: {field}: there is no {other!r}")
    if habits.touch and habits.touch.status not in statuses(folder):
        status = habits.touch.status
        raise DataError(f"data/creatures.toml: [{name}]: habits.touch: there is no {status!r}")
    for low, high in (habits.pack, *habits.escort.values()):
        if low > high:
            raise DataError(f"data/creatures.toml: [{name}]: habits: {low} is more than {high}")


@cache
def weights_at(depth: int, folder: Path = DATA) -> dict[str, int]:
    """Return the kinds that appear at ``depth`` with their weights, in file order."""
    weighed = {name: kind.weight(depth) for name, kind in creatures(folder).items()}
    return {name: weight for name, weight in weighed.items() if weight}


def make(kind: str, number: int, x: int, y: int) -> Entity:
    """Return a fresh creature of ``kind`` with identity ``number`` standing at (x, y)."""
    form = creatures()[kind]
    mind = None if form.brain is None else Mind(form.brain, form.sight, form.patience)
    if mind:
        mind.felt = form.hp
    fighter = Fighter(form.hp, form.hp, form.power, form.defense, form.mending)
    growth = Growth() if kind == HERO else None
    return Entity(number, kind, x, y, fighter, Energy(form.speed), mind, growth=growth)
