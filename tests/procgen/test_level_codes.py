"""Seeds, sizes and level codes: what they mean and what they refuse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from procgen.level_code import CodeError, LevelCode, parse_code, parse_seed, parse_size
from procgen.recipes import TooSmall, UnknownRecipe, find_recipe
from procgen.settings import complete


def test_a_code_is_printed_in_full_and_reads_back():
    code = complete(parse_code("caves:42:3"))
    assert str(code) == "caves.1:42:3@80x45"
    assert complete(parse_code(f"  {code}\n")) == code


@given(st.integers(0, 2**64 - 1), st.integers(1, 999_999), st.integers(20, 500))
def test_every_code_survives_being_printed(seed, depth, side):
    code = LevelCode("rooms", 1, seed, depth, side, side)
    assert complete(parse_code(str(code))) == code


def test_text_is_hashed_to_a_seed_for_ever():
    assert parse_seed("seedhollow") == 12258082346773502476
    assert parse_seed("a") != parse_seed("b")
    assert parse_seed(" 42 ") == 42


@pytest.mark.parametrize("text", ["-1", "18446744073709551616", "9" * 5000, "+" + "9" * 20])
def test_a_number_out_of_range_is_refused_and_never_clamped(text):
    with pytest.raises(CodeError, match="out of range"):
        parse_seed(text)


@pytest.mark.parametrize(
    "text",
    ["", "rooms", "rooms:", ":5", "rooms:1:0", "rooms:1@0x5", "rooms:1@9999x9999", "a b:1"],
)
def test_what_is_not_a_code_is_refused_in_a_sentence(text):
    with pytest.raises(CodeError) as fault:
        complete(parse_code(text))
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rooms:1@99999999x20", "size 99999999x20 is impossible: sides are 1 to 4096"),
        ("rooms:1:1000000", "depth 1000000 does not exist: the last level is 999999"),
    ],
)
def test_a_code_that_asks_for_too_much_is_told_what_there_is(text, words):
    with pytest.raises(CodeError, match=words):
        parse_code(text)


def test_unknown_names_and_versions_are_answered_with_those_that_exist():
    with pytest.raises(UnknownRecipe, match=r"rooms, sparse, dense"):
        find_recipe("nope")
    with pytest.raises(UnknownRecipe, match=r"there is 1"):
        find_recipe("rooms", 9)


def test_a_size_too_small_names_the_smallest_that_works():
    with pytest.raises(TooSmall, match="20x15"):
        complete(parse_code("caves:1@19x15"))


def test_sizes_read_as_people_write_them():
    assert parse_size("80X45") == (80, 45)
    with pytest.raises(CodeError):
        parse_size("80")
