"""Seeds, sizes and level codes: what they mean and what they refuse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from procgen.level_code import (
    DEEPEST,
    FARTHEST_PLACE,
    LONGEST_SIDE,
    SEED_LIMIT,
    SETTINGS_LIMIT,
    CodeError,
    LevelCode,
    UnknownRecipe,
    parse_code,
    parse_seed,
    parse_size,
)
from procgen.recipes import TooSmall, find_recipe
from procgen.settings import complete


def test_a_code_is_printed_in_full_and_reads_back():
    code = complete(parse_code("caves:42:3"))
    assert str(code) == "caves.1:42:3@80x45"
    assert complete(parse_code(f"  {code}\n")) == code


@pytest.mark.parametrize("code", ["caves.1:42:3@80x45", "wilds.1:7:1@-3,5@80x45"])
def test_the_code_in_what_is_shared_of_a_run_is_read(code):
    expected = parse_code(code)
    for line in (f"{code}:", f"Seedhollow {code}: depth 1, 16 points, abandoned"):
        assert parse_code(line) == expected
    for line in ("Seedhollow caves:42:3: depth 1", "Seedhollow, dungeon of 2026-11-29: depth 1"):
        with pytest.raises(CodeError):
            parse_code(line)


@pytest.mark.parametrize(
    "line", ["({})", "{}.", "{}...", "`{}`", '"{}",', "is '{}' it?", "{}; {}!"]
)
@pytest.mark.parametrize("code", ["caves.1:42:3@80x45", "wilds.1:7:1@-3,5@80x45"])
def test_punctuation_around_a_code_in_full_is_no_part_of_it(line, code):
    assert parse_code(line.replace("{}", code)) == parse_code(code)


@pytest.mark.parametrize(
    "line",
    [
        "look at caves.1:42:3@80x45, or rooms.1:9:1@80x45",
        "caves:42 rooms.1:1:1@80x45",
        "rooms.1:1:1@80x45 (caves:42)",
    ],
)
def test_a_line_with_two_codes_is_refused(line):
    with pytest.raises(CodeError, match="has 2 level codes: give one"):
        parse_code(line)


def test_a_web_address_beside_a_code_is_not_taken_for_another():
    code = "caves.1:42:3@80x45"
    assert parse_code(f"https://example.org/maps {code}") == parse_code(code)


@pytest.mark.parametrize("seed", ["(gold)", "gold mine, 2.", "a rooms.1", "7!"])
def test_punctuation_in_the_seed_of_a_bare_code_is_part_of_it(seed):
    assert parse_code(f"caves:{seed}").seed == parse_seed(seed)
    assert parse_code(f"caves;a.b=x,(y):{seed}").settings == ("a.b=x,(y)",)


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
    [
        "",
        "rooms",
        "rooms:",
        ":5",
        "rooms:1:0",
        "rooms:1@0x5",
        "rooms:1@9999x9999",
        "a b:1",
        "rooms:1\x01",
    ],
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
    with pytest.raises(UnknownRecipe, match=r"has no version 9, only 1"):
        find_recipe("rooms", 9)


def test_a_size_too_small_names_the_smallest_that_works():
    with pytest.raises(TooSmall, match="20x15"):
        complete(parse_code("caves:1@19x15"))


def test_sizes_read_as_people_write_them():
    assert parse_size("80X45") == (80, 45)
    with pytest.raises(CodeError):
        parse_size("80")


@pytest.mark.parametrize(
    ("text", "fine"),
    [
        (f"wilds:1@{FARTHEST_PLACE},0", True),
        (f"wilds:1@0,{-FARTHEST_PLACE}", True),
        (f"wilds:1@{FARTHEST_PLACE + 1},0", False),
        (f"wilds:1@7,{-FARTHEST_PLACE - 1}", False),
        (f"rooms:1@1x{LONGEST_SIDE}", True),
        (f"rooms:1@{LONGEST_SIDE}x1", True),
        (f"rooms:1@{LONGEST_SIDE + 1}x1", False),
        (f"rooms:1@1x{LONGEST_SIDE + 1}", False),
        ("rooms:1@1x0", False),
        (f"rooms:1:{DEEPEST}", True),
        (f"rooms:1:{DEEPEST + 1}", False),
        ("rooms:1:1", True),
        (f"rooms;a.b={'x' * (SETTINGS_LIMIT - 5)}:1", True),
        (f"rooms;a.b={'x' * (SETTINGS_LIMIT - 4)}:1", False),
        (f"rooms:{SEED_LIMIT - 1}", True),
        ("rooms:0", True),
        (f"rooms:{SEED_LIMIT}", False),
    ],
)
def test_the_last_that_exists_is_taken_and_the_next_refused(text, fine):
    if fine:
        parse_code(text)
    else:
        with pytest.raises(CodeError):
            parse_code(text)


def test_what_is_left_out_is_none_and_the_rest_as_typed():
    bare = parse_code("Caves:gold mine")
    assert (bare.recipe, bare.seed) == ("caves", parse_seed("gold mine"))
    assert (bare.version, bare.depth, bare.size, bare.place) == (None,) * 4
    assert (bare.settings, bare.overlays) == ((), ())
    full = parse_code("~keep.2+Flooded.1+~Misty.2+dark;~misty/a.b=1;c=d:9:3@-4, 5@30x20")
    assert (full.recipe, full.version, full.seed, full.depth) == ("~keep", 2, 9, 3)
    assert (full.place, full.size) == ((-4, 5), (30, 20))
    assert (full.settings, full.overlays) == (
        ("~misty/a.b=1", "c=d"),
        ("flooded.1", "~misty.2", "dark"),
    )


def test_a_long_number_is_shown_shortened():
    with pytest.raises(CodeError, match=r"seed 9{40} is out of range"):
        parse_seed("9" * 40)
    with pytest.raises(CodeError, match=r"seed 9{37}\.\.\. is out of range"):
        parse_seed("9" * 41)
    with pytest.raises(CodeError, match="out of range"):
        parse_seed("0" * 41)


def test_settings_after_the_seed_are_refused_and_not_taken_for_a_part_of_it():
    with pytest.raises(CodeError, match="settings come before the seed"):
        parse_code("rooms:1;doors=off")
