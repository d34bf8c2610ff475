"""Whatever a file holds, it is a ruleset that can be used or a refusal that says where."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from conftest import FIRST, SHIPPED
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from invented import INVENTED

from dicecli.errors import BadRuleset
from dicecli.rules.examples import failed_examples
from dicecli.rules.ruleset import load
from dicecli.rules.source import read
from dicecli.rules.table import AccumulateTable, BankTable, compile_table
from dicecli.store.rulesets import find
from dicecli.ui.messages import located

WHOLE_FILE = {"empty_file", "file_too_large"}  # problems without a line

TEXTS = {game: find(game).text.decode() for game in SHIPPED}
TEXTS = {game: text for game, text in TEXTS.items() if "\nextends:" not in text} | INVENTED
CLOSELY = [*FIRST, *INVENTED]  # changed in every way
WORDS: list[str] = sorted({word for text in TEXTS.values() for word in re.findall(r"\w+", text)})

ODD_VALUES = [
    *("null", "[]", "{}", "-1", "0", "1", "2", "7", "11", "101", "99999999999999999999", "'x'", "'1'", "''", '"\\e"'),
    *("1.5", "true", "no", "010", "1e3", "x", "sum", "100 * face", "sum // 0", "min(", "face", "-sum * sum * sum"),
    *(
        "[1, 2]",
        "[[1]]",
        "[null]",
        "[1, x]",
        "{1: 1}",
        "{'01': sum}",
        "{1: foo}",
        "{'01': foo}",
        "{a: {b: []}}",
        "[{}, {}]",
        "{en: x}",
    ),
    *(
        "&a [1]",
        "*a",
        "!x 1",
        "- 1",
        "? ",
        "@",
        "|",
        "> x",
        "'",
        '"',
        "#",
        "[",
        "{",
        "}",
        ":",
        "<<",
        "\u202e",
        "\u017c",
    ),
    "[" * 40,
]
VALUE = re.compile(r"(?<=: )[^,{}\[\]\n#]+|(?<=[\[,] )?\[[^\[\]\n]*\]|\{[^{}\n]*\}")

Mutation = Callable[[str, st.DrawFn], str]


def _delete_line(text: str, draw: st.DrawFn) -> str:
    lines = text.splitlines(keepends=True)
    at = draw(st.integers(0, max(len(lines) - 1, 0)))
    return "".join(lines[:at] + lines[at + 1 :])


def _repeat_line(text: str, draw: st.DrawFn) -> str:
    lines = text.splitlines(keepends=True) or [""]
    line = lines[draw(st.integers(0, len(lines) - 1))]
    at = draw(st.integers(0, len(lines)))
    return "".join([*lines[:at], line, *lines[at:]])


def _replace_value(text: str, draw: st.DrawFn) -> str:
    places = [found.span() for found in VALUE.finditer(text)] or [(0, 0)]
    start, end = draw(st.sampled_from(places))
    return text[:start] + draw(st.sampled_from(ODD_VALUES)) + text[end:]


def _replace_word(text: str, draw: st.DrawFn) -> str:
    places = [found.span() for found in re.finditer(r"\w+", text)] or [(0, 0)]
    start, end = draw(st.sampled_from(places))
    return text[:start] + draw(st.sampled_from(WORDS)) + text[end:]


def _replace_characters(text: str, draw: st.DrawFn) -> str:
    start = draw(st.integers(0, len(text)))
    end = start + draw(st.integers(0, 3))
    put: str = draw(st.text(max_size=2) | st.sampled_from("{}[]:,'\"\n\t -*&!|>%@`#"))
    return text[:start] + put + text[end:]


MUTATIONS: list[Mutation] = [_delete_line, _repeat_line, _replace_value, _replace_word, _replace_characters]


@st.composite
def mutated(draw: st.DrawFn, game: str) -> str:
    """A shipped ruleset with up to three changes."""
    text = TEXTS[game]
    for mutation in draw(st.lists(st.sampled_from(MUTATIONS), min_size=1, max_size=3)):
        text = mutation(text, draw)
    return text


def check(text: str | bytes) -> None:
    """The text is refused with places and words, or it is a ruleset that can be played with."""
    try:
        ruleset = load(text, "f.yaml")
    except BadRuleset as refused:
        assert refused.problems
        for problem in refused.problems:
            assert problem.at is not None
            assert problem.at.file == "f.yaml"
            assert problem.code in WHOLE_FILE or (problem.at.line and problem.at.column)
            assert located(problem).startswith("f.yaml:")
        return
    table = compile_table("f", ruleset)
    count, faces = ruleset.dice.count, table.faces.count
    for dice in ((1,) * count, (faces,) * count, tuple(sorted(at % faces + 1 for at in range(count)))):
        if isinstance(table, BankTable):
            for kept, keep in table.keeps(dice).items():
                assert kept
                assert sum(part.score for part in keep.parts) == keep.score
        elif isinstance(table, AccumulateTable):
            fallen = table.fallen(dice)
            assert fallen.lose is None or not fallen.score
        else:
            assert [option.cell for option in table.options(table.empty, dice)] == list(table.cells)
            worth = {option.cell: option.score for option in table.options(table.empty, dice)}
            filled = tuple(worth[slot.name] for slot in table.slots)
            assert isinstance(table.total(filled, 0), int)
            for at, slot in enumerate(table.slots):
                sheet = (*filled[:at], None, *filled[at + 1 :])
                named = slot.name if slot.name in table.announced else None
                legal = {option.cell: option.legal for option in table.options(sheet, dice, 1, named)}
                repeats = any(cell.repeat for cell in table.ruleset.cells.values())
                assert any(legal.values()) if repeats else legal[slot.name]
                assert all(
                    table.ruleset.cells[table.slots[table.at[name][0]].cell].repeat
                    for name in legal
                    if name != slot.name
                )
    for problem in failed_examples(table, read(text, "f.yaml")):
        assert re.match(r"f\.yaml:\d+:\d+: ", located(problem))


_thorough = settings(
    max_examples=400, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)


@pytest.mark.parametrize("game", TEXTS)
def test_a_changed_ruleset_is_usable_or_refused_with_places(game: str) -> None:
    settings(_thorough, max_examples=400 if game in CLOSELY else 50)(given(mutated(game))(check))()


@pytest.mark.parametrize("value", ODD_VALUES)
@pytest.mark.parametrize("game", CLOSELY)
def test_every_value_of_a_ruleset_may_be_odd(game: str, value: str) -> None:
    text = TEXTS[game]
    places = [found.span() for found in VALUE.finditer(text.partition("\nexamples:")[0])]
    assert len(places) > (10 if game in INVENTED else 20)
    for start, end in places:
        check(text[:start] + value + text[end:])


@pytest.mark.parametrize("game", TEXTS)
def test_every_line_of_a_ruleset_may_be_missing_or_there_twice(game: str) -> None:
    lines = TEXTS[game].splitlines(keepends=True)
    for at, line in enumerate(lines):
        check("".join(lines[:at] + lines[at + 1 :]))
        check("".join([*lines[:at], line, *lines[at:]]))


@pytest.mark.parametrize("game", TEXTS)
def test_a_ruleset_may_be_cut_off_anywhere(game: str) -> None:
    text = TEXTS[game].encode()
    for end in range(0, len(text), 7):
        check(text[:end])


@settings(_thorough, max_examples=500)
@given(st.text(max_size=60))
def test_any_text_is_refused_with_places(text: str) -> None:
    check(text)


@settings(_thorough, max_examples=500)
@given(st.binary(max_size=60))
def test_any_bytes_are_refused_with_places(text: bytes) -> None:
    check(text)


PIECES = [
    "a",
    "1",
    ": ",
    "- ",
    "\n",
    "  ",
    "[",
    "]",
    "{",
    "}",
    ", ",
    "&a ",
    "*a",
    "!t ",
    '"',
    "'",
    "? ",
    "|",
    ">",
    "#",
    "---\n",
]


@settings(_thorough, max_examples=500)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_any_pieces_of_yaml_are_refused_with_places(text: str) -> None:
    check(text)
