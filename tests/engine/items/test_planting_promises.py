"""Seeds planted everywhere break no promise: ways stay, locks lock, nothing is buried or lost."""

import random
import zlib

import pytest

from entities.seed_kinds import seed_kinds
from support.plantings import EVERYWHERE, plantings

RECIPES = EVERYWHERE[::5]
"""Every fifth recipe in the usual run; all of them in the long one."""


def faults(recipe: str, each: int, depth: int) -> list[str]:
    chance = random.Random(zlib.crc32(f"{recipe} {depth}".encode()))
    return [
        f"{one.kind} at {one.place} aimed at {one.target}: {text}"
        for one in plantings(recipe, list(seed_kinds()), each, chance, depth)
        for text in one.broken
    ]


@pytest.mark.parametrize("recipe", RECIPES)
def test_plantings_break_no_promise(recipe):
    assert faults(recipe, 1, 3) == []


@pytest.mark.slow
@pytest.mark.parametrize("recipe", EVERYWHERE)
def test_twenty_thousand_plantings_break_no_promise(recipe):
    assert [text for depth in range(1, 9) for text in faults(recipe, 5, depth)] == []


def test_most_plantings_take_and_change_the_map():
    chance = random.Random(3)
    found = list(plantings("caves", list(seed_kinds()), 3, chance))
    taken = [one for one in found if not one.why]
    assert len(taken) > len(found) / 2
    assert all(one.changed for one in taken)
