"""Conditions on levels: what they mean, and what means nothing."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from procgen.metric_query import (
    QueryError,
    parse_condition,
    parse_formula,
    parse_targets,
    syntax_hint,
)

VALUES = {"loops": 6.0, "path": 100.0, "floor": 0.5, "dead_ends": 0.0}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("loops >= 6 and floor < 0.6", True),
        ("loops >= 6 and floor < 0.4", False),
        ("loops > 6 or path == 100", True),
        ("not loops == 6", False),
        ("5 < loops <= 6 < path", True),
        ("5 < loops < 6", False),
        ("path / loops - 10 > 6.6", True),
        ("(loops + 1) * 2 == 14", True),
        ("-loops < -5", True),
        ("abs(path - 120) <= 20 and max(loops, 7) == 7 and min(loops, 7) == 6", True),
        ("path / dead_ends > 0", False),
        ("not path / dead_ends > 0", True),
        ("path / dead_ends > 1 or loops >= 0", True),
        ("loops >= 0 or path / dead_ends > 1", True),
        ("1 < path / dead_ends or 0 <= path / dead_ends < 5", False),
        ("dead_ends == 0 or path / dead_ends > 5", True),
        ("1e308 * 10 - 1e308 * 10 == 0", False),
        ("  loops != 5  ", True),
        ("floor >= 50% and loops > 3", True),
        ("50.5 % < floor", False),
    ],
)
def test_a_condition_means_what_it_says(text, expected):
    assert parse_condition(text, tuple(VALUES)).holds(VALUES) is expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("loop > 3", "do you mean loops?"),
        ("ghosts > 3", "there are loops, path, floor, dead_ends"),
        ("loops", "not a condition"),
        ("loops and path > 3", "compare it"),
        ("(loops > 3) + 1 > 2", "true or false"),
        ("loops = 3", "write =="),
        ("loops > 3 && path > 3", "write and"),
        ("!loops > 3", "write not"),
        ("loops >=", "^a number or a metric is missing at its end, after 'loops >='$"),
        ("loops > 3 and", "^a condition such as loops >= 6 is missing at its end, "),
        ("path + loops + min(path,", "metric is missing at its end, after ' . loops"),
        ("", "^the condition is empty$"),
        (" \n ", "^the condition is empty$"),
        ("loops > 3 or " * 90, "^the condition is longer than 1000 characters$"),
        ("loops > 3)", "there is a mistake at"),
        ("loops is 3", "compare with"),
        ("loops in path", "compare with"),
        ("1 < loops in path", "compare with"),
        ("loops is 3 < 4", "compare with"),
        ("loops ** 99 > 3", "not supported"),
        ("loops % 2 == 0", "not supported"),
        ("loops > 3 % (path)", "not supported"),
        ("__import__('os').getcwd() > 3", "not supported"),
        ("loops.__class__ > 3", "not supported"),
        ("path[0] > 3", "not supported"),
        ("[loops for loops in path] > 3", "not supported"),
        ("(lambda: 3)() > 2", "not supported"),
        ("'a' > 'b'", "not supported"),
        ("True", "not metrics"),
        ("abs(1, 2) > 3", "one number"),
        ("max(1) > 3", "2 to 9"),
        ("(" * 300 + "loops" + ")" * 300 + " > 3", "there is a mistake at"),
        ("-" * 400 + "1 > 3", "more than"),
        ("1 + " * 400 + "1 > 3", "longer"),
        ("\0", "mistake|cannot be read"),  # Python 3.11.7 says where.
        ("floor > 40", "do you mean 40%?"),
        ("0 < floor < 60 and loops > 1", "do you mean 60%?"),
    ],
)
def test_what_means_nothing_gets_a_sentence(text, words):
    with pytest.raises(QueryError, match=words.replace("?", r"\?")):
        parse_condition(text, (*VALUES, "floor"))


def test_a_share_is_compared_with_a_percentage_or_a_number_up_to_one():
    for text in ("floor > 40%", "floor > 0.4", "floor <= 1", "loops > 40 or floor < 1"):
        assert parse_condition(text, ("floor", "loops")).holds({"floor": 0.5, "loops": 41})


@given(st.text(alphabet="loopsath <>=!()+-*/.0123456789andornt,[]'\"\\\n", max_size=60))
def test_no_text_does_anything_but_mean_or_be_refused(text):
    with suppress(QueryError):
        assert parse_condition(text, tuple(VALUES)).holds(VALUES) in {True, False}


def test_a_goal_without_a_number_is_quoted():
    with pytest.raises(QueryError, match=r"'path=' is not of the form METRIC=NUMBER"):
        parse_targets("loops=8, path=", tuple(VALUES))


def test_a_share_can_be_wished_for_up_to_100_percent():
    assert parse_targets("floor=100%", tuple(VALUES)) == {"floor": 1}
    with pytest.raises(QueryError, match=r"^floor is at most 100%; do you mean 45%\?$"):
        parse_targets("floor=45", tuple(VALUES))


def test_numbers_and_wishes():
    assert parse_formula("path / loops", tuple(VALUES)).number(VALUES) == 100 / 6
    assert parse_formula("path / dead_ends", tuple(VALUES)).number(VALUES) is None
    assert parse_formula("path * 1e308", tuple(VALUES)).number(VALUES) is None
    assert parse_targets("path=120, loops = 8", tuple(VALUES)) == {"path": 120, "loops": 8}
    for wrong in ("path", "path=x", "path=1/0", "path=1,path=2", "ways=3", ""):
        with pytest.raises(QueryError):
            parse_targets(wrong, tuple(VALUES))


@pytest.mark.parametrize(("offset", "told"), [(1, "abc"), (3, "c"), (None, "abc"), (0, "abc")])
def test_a_syntax_error_tells_from_where_on_it_cannot_be_read(offset, told):
    fault = SyntaxError("no", ("", 1, offset, ""))
    assert syntax_hint("abc", fault) == f"there is a mistake at {told!r}"


def test_a_condition_may_have_several_lines():
    query = parse_condition("\n  loops >= 6\n  and path > 30%\n", ("loops", "path"))
    assert query.text == "loops >= 6 and path > (30 / 100)"
    assert query.holds({"loops": 6, "path": 5})
