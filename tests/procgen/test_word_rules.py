"""Rules of the vocabulary: lists of what is denied, limits, numbers in words, and adjectives."""

import pytest

from procgen.word_query import parse_words


def is_read_as(text, understood, unknown=()):
    found = parse_words(text)
    assert str(found).removeprefix("all").removeprefix("; ") == understood
    assert found.unknown == [*unknown]


@pytest.mark.parametrize(
    ("text", "understood"),
    [
        ("no water, lava or bridges", "water == 0; lava == 0; bridges == 0"),
        ("without doors, bridges or water", "doors == 0; bridges == 0; water == 0"),
        ("neither doors, bridges nor water", "doors == 0; bridges == 0; water == 0"),
        ("no loops, dead ends or chokepoints", "loops == 0; dead_ends == 0; chokepoints == 0"),
        ("without water and lava", "water == 0; lava == 0"),
        ("without monsters and treasure", "creatures == 0; treasure == 0"),
        ("without bridges, doors, and monsters", "bridges == 0; doors == 0; creatures == 0"),
        ("no doors and bridges", "doors == 0; bridges == 0"),
        ("without a door and a bridge", "doors == 0; bridges == 0"),
        ("no monsters and ghosts", "creatures == 0"),
        ("no monsters and haunted", "+haunted; creatures == 0"),
        ("not many rooms or doors", "few rooms; few doors"),
        ("few rooms and doors", "few rooms; few doors"),
        ("not dark, flooded or burning", ""),
        ("no winding paths or dead ends", "a short detour; dead_ends == 0"),
        ("no water and many bridges", "water == 0; many bridges"),
        ("no water and a bridge", "water == 0; bridges >= 1"),
        ("no doors, many loops", "doors == 0; many loops"),
        ("no doors and a lot of water", "doors == 0; much water"),
        ("no dead ends, at least 20 loops", "dead_ends == 0; loops >= 20"),
        ("no doors and rooms > 5", "doors == 0; rooms > 5"),
        ("no loops and a path of 80 steps", "loops == 0; path ~ 80"),
        ("no water, flooded", "+flooded; water == 0"),
        ("few dead ends and a long path", "few dead ends; a long path"),
    ],
)
def test_each_of_a_list_is_denied_until_something_else_is_asked_for(text, understood):
    is_read_as(text, understood)


@pytest.mark.parametrize(
    ("text", "understood", "unknown"),
    [
        ("no doors, bridges", "doors == 0", ["bridge"]),
        ("not 5 rooms", "", ["5"]),
        ("not large", "", ["no large"]),
        ("rooms are large", "rooms >= 1", ["large"]),
        ("rooms larger than 20 tiles", "rooms >= 1", ["larger than", "20"]),
        ("10% rooms", "", ["10%"]),
        ("10 15 rooms", "rooms == 15", ["10"]),
        ("2.5 rooms", "", ["2.5"]),
        ("1.200 steps", "", ["1.2"]),
        ("between 5 rooms", "", ["5"]),
        ("doors != 3", "doors >= 1", ["=", "3"]),
        ("an alley", "", ["alley"]),
        ("² rooms", "rooms >= 1", ["²"]),
        ("three lakes", "water > 0", ["3"]),
        ("at most two lakes", "", ["2"]),
        ("maximum doors", "doors >= 1", ["maximum"]),
        ("5 dragons and 3 rooms", "rooms == 3", ["5", "dragons"]),
    ],
)
def test_what_is_not_understood_is_told(text, understood, unknown):
    is_read_as(text, understood, unknown)


@pytest.mark.parametrize(
    ("text", "understood"),
    [
        ("no large rooms", "little openness"),
        ("no small rooms", "much openness"),
        ("no huge hall", "a small biggest room"),
        ("many small rooms", "many rooms; little openness"),
        ("no narrow bridges", "much openness"),
        ("a path that is not long", "a short path"),
        ("doors: none", "doors == 0"),
        ("not a single door", "doors == 0"),
        ("almost no doors", "few doors"),
    ],
)
def test_an_adjective_is_denied_without_its_noun(text, understood):
    is_read_as(text, understood)


@pytest.mark.parametrize(
    ("text", "understood"),
    [
        ("a path of a hundred and twenty steps", "path ~ 120"),
        ("two hundred and fifty monsters", "creatures == 250"),
        ("one thousand two hundred steps", "path ~ 1200"),
        ("2 hundred and five rooms", "rooms == 205"),
        ("twenty-five percent water", "water ~ 0.25"),
        ("1/2 water", "water ~ 0.5"),
        ("three quarters water", "water ~ 0.75"),
        ("100 % water", "water ~ 1"),
        ("a detour of two and a half", "detour ~ 2.5"),
        ("half a dozen loops", "loops == 6"),
        ("between a hundred and two hundred steps", "100 <= path <= 200"),
        ("between a hundred and fifty and two hundred steps", "150 <= path <= 200"),
        ("eighty to a hundred steps", "80 <= path <= 100"),
        ("between 20 and 30 percent water", "0.2 <= water <= 0.3"),
        ("rooms at least 5 and 3 doors", "rooms >= 5; doors == 3"),
        ("zero or one doors", "doors <= 1"),
    ],
)
def test_numbers_in_words(text, understood):
    is_read_as(text, understood)


@pytest.mark.parametrize(
    ("text", "understood"),
    [
        ("10 rooms or more", "rooms >= 10"),
        ("ten rooms at least", "rooms >= 10"),
        ("3 rooms or fewer", "rooms <= 3"),
        ("50 steps or less to the exit", "path <= 50"),
        ("rooms between 5 and 10", "5 <= rooms <= 10"),
        ("rooms: 4-6, loops 2+", "4 <= rooms <= 6; loops >= 2"),
        ("rooms ≥ 5 and doors = 2", "rooms >= 5; doors == 2"),
        ("rooms > 5 and < 10", "rooms > 5; rooms < 10"),
        ("at least 2 rooms but at most 5", "rooms >= 2; rooms <= 5"),
        ("no fewer than 3 but no more than 6 rooms", "rooms >= 3; rooms <= 6"),
        ("a path of 80", "path ~ 80"),
        ("a path 50 to 80 steps long", "50 <= path <= 80"),
        ("not over 5 rooms", "rooms <= 5"),
        ("a path longer than 50 steps", "path > 50"),
        ("no path longer than 50 steps", "path <= 50"),
        ("a path shorter than 100 steps", "path < 100"),
        ("openness wider than 3", "openness > 3"),
        ("no more and no less than 5 rooms", "rooms == 5"),
        ("at least one lake", "water > 0"),
        ("exactly one lake", "water > 0"),
        ("a lake", "much water"),
    ],
)
def test_limits_before_and_after_the_metric(text, understood):
    is_read_as(text, understood)
