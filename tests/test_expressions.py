"""Formulas: what they are worth, and where each kind of fault is found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecli.errors import BadNotation
from dicecli.rules.expressions import evaluate, parse
from dicecli.rules.formulas import parse_formula

VALUES = {"sum": 17, "matched": 12, "face": 4, "count": 3}


def fault(text: str) -> tuple[str, int | None]:
    """The code and column of the one fault in a formula."""
    with pytest.raises(BadNotation) as refused:
        parse_formula(text)
    (problem,) = refused.value.problems
    assert problem.at is not None
    assert problem.at.line is None
    return problem.code, problem.at.column


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("1000000", 1_000_000),
        ("sum", 17),
        ("matched", 12),
        ("face", 4),
        ("count", 3),
        ("100 * face", 400),
        ("sum + 20", 37),
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("10 - 3 - 2", 5),
        ("10 - (3 - 2)", 9),
        ("7 // 2 * 2", 6),
        ("7 * 2 // 4", 3),
        ("100 // 10 // 3", 3),
        ("7 // (2)", 3),
        ("-2 * 3", -6),
        ("2 * -3", -6),
        ("2--3", 5),
        ("- - 3", 3),
        ("-(2 + 3)", -5),
        ("-7 // 2", -4),
        ("min(sum, 15)", 15),
        ("max(matched - 20, 0)", 0),
        ("max(1, 2, 3)", 3),
        ("min(5)", 5),
        ("max(min(sum, 15), face * 2) + 1", 16),
        (" \tsum\t*  2 ", 34),
        ("((((sum))))", 17),
    ],
)
def test_a_formula_has_this_value(text: str, value: int) -> None:
    assert parse_formula(text)(VALUES) == value


@pytest.mark.parametrize("score", [0, 7, -1_000_000])
def test_a_number_is_worth_itself(score: int) -> None:
    assert parse_formula(score)(VALUES) == score


@pytest.mark.parametrize(
    ("text", "names"),
    [("3", set()), ("sum + sum", {"sum"}), ("min(face, 2) * count", {"face", "count"}), (5, set())],
)
def test_a_formula_knows_its_names(text: str | int, names: set[str]) -> None:
    assert parse_formula(text).names == names


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ("", "unexpected_end", 1),
        ("  ", "unexpected_end", 3),
        ("sum +", "unexpected_end", 6),
        ("sum * ", "unexpected_end", 7),
        ("-", "unexpected_end", 2),
        ("(", "unexpected_end", 2),
        ("sum + * 2", "unexpected_text", 7),
        ("sum 2", "unexpected_text", 5),
        ("sum)", "unexpected_text", 4),
        ("()", "unexpected_text", 2),
        ("min()", "unexpected_text", 5),
        ("min(1,)", "unexpected_text", 7),
        ("1, 2", "unexpected_text", 2),
        ("2 ** 3", "unexpected_text", 4),
        ("sum / 2", "unexpected_text", 5),
        ("sum % 2", "unexpected_text", 5),
        ("+ 3", "unexpected_text", 1),
        ("3sum", "unexpected_text", 2),
        ("1.5", "unexpected_text", 2),
        ("sum\n+ 1", "unexpected_text", 4),
        ("sum \u00d7 2", "unexpected_text", 5),
        ("\u0663", "unexpected_text", 1),
        ("'sum'", "unexpected_text", 1),
        ("sum.real", "unexpected_text", 4),
        ("sum[0]", "unexpected_text", 4),
        ("sum if 1 else 2", "unexpected_text", 5),
        ("(sum", "missing_bracket", 5),
        ("(sum 2", "missing_bracket", 6),
        ("min(1, 2", "missing_bracket", 9),
        ("min(1 2)", "missing_bracket", 7),
        ("min", "missing_arguments", 4),
        ("1 + max + 2", "missing_arguments", 9),
        ("matchd", "unknown_name", 1),
        ("1 + Sum", "unknown_name", 5),
        ("min(sum, summe)", "unknown_name", 10),
        ("__import__('os')", "unknown_name", 1),
        ("sum + 007", "leading_zero", 7),
        ("00", "leading_zero", 1),
        ("1000001", "number_too_large", 1),
        ("sum + 99999999999999999999", "number_too_large", 7),
        ("sum // 0", "bad_divisor", 8),
        ("sum // -2", "bad_divisor", 8),
        ("sum // face", "bad_divisor", 8),
        ("sum //(1 + 1)", "bad_divisor", 7),
    ],
)
def test_a_fault_is_found_at_its_column(text: str, code: str, column: int) -> None:
    assert fault(text) == (code, column)


def test_a_near_miss_of_a_name_is_suggested() -> None:
    with pytest.raises(BadNotation) as refused:
        parse_formula("100 * fase")
    assert refused.value.problems[0].params["near"] == "face"


def test_two_hundred_characters_are_read_and_one_more_is_not() -> None:
    assert parse_formula("1" + " " * 199)(VALUES) == 1
    assert fault("1" + " " * 200) == ("text_too_long", 201)


def test_thirty_two_brackets_are_read_and_one_more_is_not() -> None:
    assert parse_formula("(" * 32 + "sum" + ")" * 32)(VALUES) == 17
    assert fault("(" * 33 + "sum" + ")" * 33) == ("too_deep", 33)


@pytest.mark.parametrize("text", ["(" * 199 + "1", "-" * 199 + "1", "min(" * 49 + "1", "-(" * 99 + "1"])
def test_no_nesting_exhausts_the_stack(text: str) -> None:
    assert fault(text)[0] == "too_deep"


def test_many_brackets_side_by_side_are_not_deep() -> None:
    assert parse_formula("+".join(["(1)"] * 50))(VALUES) == 50


def test_division_is_only_known_where_it_is_allowed() -> None:
    with pytest.raises(BadNotation) as refused:
        parse("4 // 2", lambda scanner, inner: None)
    problem = refused.value.problems[0]
    assert (problem.code, problem.at and problem.at.column) == ("unexpected_text", 3)


def test_an_expression_of_numbers_alone_needs_no_atoms() -> None:
    tree = parse("2 * (3 - 5)", lambda scanner, inner: None)
    assert evaluate(tree, lambda atom: 0) == -4


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("{} {} {}".format, inner, st.sampled_from(["+", "-", "*"]), inner),
        st.builds("({})".format, inner),
        st.builds("-{}".format, inner),
        st.builds("({}) // {}".format, inner, st.integers(1, 99)),
        st.builds("{}({}, {})".format, st.sampled_from(["min", "max"]), inner, inner),
    )


FORMULAS = st.recursive(
    st.one_of(st.sampled_from([*VALUES]), st.integers(0, 1_000_000).map(str)), _grown, max_leaves=12
)


@given(FORMULAS.filter(lambda text: len(text) <= 200))
def test_precedence_is_that_of_arithmetic(text: str) -> None:
    assert parse_formula(text)(VALUES) == eval(text, {"min": min, "max": max, **VALUES})


@given(st.text(st.sampled_from("sumface()+-*/,0123456789 min\t\u00e9"), max_size=40))
def test_any_text_is_a_formula_or_a_located_fault(text: str) -> None:
    try:
        value = parse_formula(text)(VALUES)
    except BadNotation as refused:
        (problem,) = refused.problems
        assert problem.at is not None
        assert problem.at.column is not None
        assert 1 <= problem.at.column <= len(text) + 1
    else:
        assert isinstance(value, int)
