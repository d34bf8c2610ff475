"""YAML as rulesets are written: what is read, and what is refused at which line and column."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from dicecli.errors import BadRuleset, Problem
from dicecli.rules.source import MAX_BYTES, Mapping, Node, Scalar, Sequence, read

Fault = tuple[str, int | None, int | None]


def plain(node: Node) -> object:
    """A node without its places."""
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    if isinstance(node, Mapping):
        return {key: plain(item) for key, item in node.items.items()}
    return node.value


def problems(text: str | bytes) -> tuple[Problem, ...]:
    with pytest.raises(BadRuleset) as refused:
        read(text, "f.yaml")
    assert all(problem.at is not None and problem.at.file == "f.yaml" for problem in refused.value.problems)
    return refused.value.problems


def faults(text: str | bytes) -> list[Fault]:
    """The code, line and column of every problem."""
    found = [(problem.code, problem.at) for problem in problems(text)]
    return [(code, at.line, at.column) for code, at in found if at is not None]


# --- what is read


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("-3", -3),
        ("0", 0),
        ("2024", 2024),
        ("1.5", 1.5),
        ("-0.25", -0.25),
        ("true", True),
        ("false", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("'7'", "7"),
        ('"7"', "7"),
        ("'no'", "no"),
        ('"1:30"', "1:30"),
        ("'null'", "null"),
        ("''", ""),
        ("sum + 20", "sum + 20"),
        ("100 * face", "100 * face"),
        ("-x", "-x"),
        ("yes please", "yes please"),
        ("November", "November"),
        ("nothing", "nothing"),
        ("1-2", "1-2"),
        ("3d6", "3d6"),
        ("12 34", "12 34"),
        ("\u0663", "\u0663"),
        ("\u017c\u00f3\u0142\u0107", "\u017c\u00f3\u0142\u0107"),
        ('"a\\tb"', "a\tb"),
        ('"caf\\u00e9"', "caf\u00e9"),
        ("[1, two, '3', null]", [1, "two", "3", None]),
        ("{1: a, b: [true]}", {"1": "a", "b": [True]}),
        ("[]", []),
        ("{}", {}),
        ("word # a remark", "word"),
        (">\n  two\n  lines\n", "two lines\n"),
        ("|\n  010\n", "010\n"),
    ],
)
def test_a_value_is_read_as(text: str, value: object) -> None:
    read_back = plain(read(f"a: {text}", "f.yaml"))
    assert read_back == {"a": value}
    assert isinstance(read_back, dict)
    assert type(read_back["a"]) is type(value)


def test_an_alias_stands_for_its_anchor() -> None:
    assert plain(read("a: &x [1, 2]\nb: *x", "f.yaml")) == {"a": [1, 2], "b": [1, 2]}


def test_every_value_knows_its_line_and_column() -> None:
    node = read("# a remark\nname: Farkle\ndice:\n  count: 6\n  faces: [a, 'b']\n", "f.yaml")
    assert isinstance(node, Mapping)
    dice = node.items["dice"]
    assert [str(place) for place in (node.place, node.keys["name"], node.items["name"].place)] == [
        "f.yaml:2:1",
        "f.yaml:2:1",
        "f.yaml:2:7",
    ]
    assert [str(place) for place in (dice.keys["faces"], *(item.place for item in dice.items["faces"].items))] == [
        "f.yaml:5:3",
        "f.yaml:5:11",
        "f.yaml:5:14",
    ]


def test_a_column_counts_characters_not_bytes() -> None:
    node = read("{\u017c\u00f3\u0142\u0107: 1, \U0001f3b2: 2}", "f.yaml")
    assert isinstance(node, Mapping)
    assert [place.column for place in node.keys.values()] == [2, 11]


@pytest.mark.parametrize("text", [b"\xef\xbb\xbfa: 1\nb: no", "\ufeffa: 1\nb: no"])
def test_a_byte_order_mark_moves_nothing(text: str | bytes) -> None:
    assert faults(text) == [("ambiguous", 2, 4)]
    read_back = read(text[: -len("\nb: no")], "f.yaml")
    assert isinstance(read_back, Mapping)
    assert plain(read_back) == {"a": 1}
    assert str(read_back.keys["a"]) == "f.yaml:1:1"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_may_end_as_on_any_system(end: str) -> None:
    assert plain(read(f"a: 1{end}b: x{end}".encode(), "f.yaml")) == {"a": 1, "b": "x"}
    assert faults(f"a: 1{end}b: x{end}c: no{end}".encode()) == [("ambiguous", 3, 4)]


# --- what programs read differently


AMBIGUOUS = [
    *("no", "No", "NO", "yes", "Yes", "on", "On", "off", "OFF", "True", "TRUE", "False", "FALSE", "Null", "NULL"),
    *("010", "08", "00", "0x1F", "0b11", "0o17", "1:30", "1:2", "1_000", "1_000.5", "1,000", "12,345,678"),
    *("1e3", "1E3", "1.5e3", "1.", ".5", ".inf", "-.inf", ".Inf", ".nan", ".NaN", "2024-01-31", "=", "<<"),
]


@pytest.mark.parametrize("word", AMBIGUOUS)
def test_an_ambiguous_word_is_refused_as_value_and_as_key(word: str) -> None:
    assert faults(f"a: 1\nb: {word}\n") == [("ambiguous", 2, 4)]
    assert faults(f"a: 1\n{word}: 1\n") == [("ambiguous", 2, 1)]
    assert problems(f"a: {word}")[0].params == {"text": word}


@pytest.mark.parametrize("word", AMBIGUOUS)
def test_an_ambiguous_word_in_quotes_is_a_text(word: str) -> None:
    assert plain(read(f"a: '{word}'\n\"{word}\": x", "f.yaml")) == {"a": word, word: "x"}


def test_a_list_of_numbers_with_a_lost_blank_is_refused() -> None:
    assert faults("a: [1,000]") == [("ambiguous", 1, 7)]


def test_a_number_of_any_length_is_read_in_time() -> None:
    code = "import sys; from dicecli.rules.source import read; read(sys.stdin.read(), 'f.yaml')"
    subprocess.run([sys.executable, "-c", code], input="a: " + "1" * 200_000, text=True, timeout=10, check=True)


# --- keys


@pytest.mark.parametrize(
    ("text", "key", "line", "column", "first"),
    [
        ("a: 1\nb: 2\na: 3\n", "a", 3, 1, 1),
        ("5: a\n'5': b\n", "5", 2, 1, 1),
        ("x: {a: 1, b: 2, a: 1}\n", "a", 1, 17, 1),
        ("x:\n  a: 1\n  'a': 2\n", "a", 3, 3, 2),
        ('a: 1\n"\\x61": 2\n', "a", 2, 1, 1),
    ],
)
def test_a_duplicate_key_names_both_lines(text: str, key: str, line: int, column: int, first: int) -> None:
    (problem,) = problems(text)
    assert (problem.code, problem.params) == ("duplicate_key", {"key": key, "line": first})
    assert str(problem.at) == f"f.yaml:{line}:{column}"


def test_each_repetition_of_a_key_is_a_problem() -> None:
    assert faults("a: 1\na: 2\na: 3\n") == [("duplicate_key", 2, 1), ("duplicate_key", 3, 1)]


def test_equal_keys_of_different_mappings_are_no_duplicates() -> None:
    assert plain(read("a: {x: 1}\nb: {x: 2}", "f.yaml")) == {"a": {"x": 1}, "b": {"x": 2}}


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("1.5: x", 1),
        ("true: x", 1),
        ("~: x", 1),
        ("null: x", 1),
        ("? [1, 2]\n: x", 3),
        ("{a: 1}: 2", 1),
    ],
)
def test_a_key_is_a_word_or_a_whole_number(text: str, column: int) -> None:
    assert faults(text) == [("bad_key", 1, column)]


# --- what is no ruleset's business


@pytest.mark.parametrize(
    ("text", "column", "tag"),
    [
        ("a: !x 5", 4, "!x"),
        ("a: !!int 5", 4, "tag:yaml.org,2002:int"),
        ("a: ! 5", 4, "!"),
        ("a: !!set {x}", 4, "tag:yaml.org,2002:set"),
        ("a: [1, !!python/object/apply:os.system [ls]]", 8, "tag:yaml.org,2002:python/object/apply:os.system"),
        ("!!map {a: 1}", 1, "tag:yaml.org,2002:map"),
    ],
)
def test_a_tag_is_refused(text: str, column: int, tag: str) -> None:
    (problem,) = problems(text)
    assert (problem.code, problem.params) == ("tag", {"tag": tag})
    assert str(problem.at) == f"f.yaml:1:{column}"


@pytest.mark.parametrize(("text", "line"), [("a: 1\n---\nb: 2\n", 2), ("---\na: 1\n...\n---\n", 4)])
def test_a_second_document_is_refused(text: str, line: int) -> None:
    assert faults(text) == [("second_document", line, 1)]


def test_a_first_document_may_be_marked() -> None:
    assert plain(read("---\na: 1\n...\n", "f.yaml")) == {"a": 1}


@pytest.mark.parametrize(("text", "column"), [("a: *b", 4), ("a: &b [1, *b]", 11), ("[*b, &b 1]", 2)])
def test_an_alias_needs_an_anchor_before_it(text: str, column: int) -> None:
    (problem,) = problems(text)
    assert (problem.code, problem.params) == ("unknown_anchor", {"anchor": "b"})
    assert problem.at is not None
    assert problem.at.column == column


@pytest.mark.parametrize("text", ["", "\n\n", "# only a remark\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(text: str | bytes) -> None:
    assert faults(text) == [("empty_file", None, None)]


# --- bounds


def test_nine_levels_of_aliases_are_refused_at_once() -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    lines += [f"{b}: &{b} [{','.join([f'*{a}'] * 9)}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True)]
    start = time.perf_counter()
    assert faults("\n".join(lines)) == [("too_many_nodes", 5, 11)]
    assert time.perf_counter() - start < 1


def test_twenty_thousand_values_are_read_and_one_more_is_not() -> None:
    # the list counts too
    read("[" + "1," * 19_999 + "]", "f.yaml")
    assert [fault[0] for fault in faults("[" + "1," * 20_000 + "]")] == ["too_many_nodes"]


def test_a_quarter_of_a_mebibyte_is_read_and_one_byte_more_is_not() -> None:
    text = b"a: 1\n#"
    assert MAX_BYTES == 256 * 1024
    assert plain(read(text.ljust(MAX_BYTES, b"x"), "f.yaml")) == {"a": 1}
    assert faults(text.ljust(MAX_BYTES + 1, b"x")) == [("file_too_large", None, None)]
    assert problems(text.ljust(MAX_BYTES + 1, b"x"))[0].params == {"most": 256}


def test_thirty_two_levels_are_read_and_one_more_is_not() -> None:
    assert isinstance(read("[" * 32 + "]" * 32, "f.yaml"), Sequence)
    assert faults("[" * 33 + "]" * 33) == [("nested_too_deep", 1, 33)]
    assert faults("- " * 33 + "x") == [("nested_too_deep", 1, 65)]
    assert faults("a:\n" + "".join(" " * depth + "a:\n" for depth in range(1, 40))) == [("nested_too_deep", 33, 33)]


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? ", "[{a: "])
def test_no_depth_of_nesting_exhausts_anything(opening: str) -> None:
    start = time.perf_counter()
    ((code, line, _column),) = faults((opening * 100_000)[: MAX_BYTES - 1])
    assert code in ("nested_too_deep", "not_yaml")  # the parser has a bound of its own
    assert line == 1
    assert time.perf_counter() - start < 2


# --- characters


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        (b"\xff", 1, 1),
        (b"a: 1\nb: \xff", 2, 4),
        ("\u017c\u00f3\u0142\u0107: ".encode() + b"\x80", 1, 7),
        (b"\xef\xbb\xbfa: \xff", 1, 4),
        ("a: 1".encode("utf-16"), 1, 1),
        (b"a: caf\xe9", 1, 7),
        (b"a: \xed\xa0\x80", 1, 4),
        (b"a: \xc0\xaf", 1, 4),
    ],
)
def test_what_is_not_utf8_is_refused_at_its_place(text: bytes, line: int, column: int) -> None:
    assert faults(text) == [("not_utf8", line, column)]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("a: x\x00y", 1, 5),
        ("a: 1\nb: '\x1b[2J'", 2, 5),
        ("\x07", 1, 1),
        ("a: x\x7fy", 1, 5),
        ("a: |\n  x\x9by", 2, 4),
        ("\u017c\u00f3\u0142\u0107: x\nab: x\x00y", 2, 6),
        ("a: \U0001f3b2\x00", 1, 5),
    ],
)
@pytest.mark.parametrize("encoded", [False, True])
def test_a_control_character_is_refused_at_its_place(text: str, line: int, column: int, encoded: bool) -> None:
    assert faults(text.encode() if encoded else text) == [("not_yaml", line, column)]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('a: "\\e[2J"', 1, 4),
        ('a: 1\nb: ["x", "\\x1b[2J"]', 2, 10),
        ('"\\e": 1', 1, 1),
        ('a: "\\0"', 1, 4),
        ('a: "x\\ry"', 1, 4),
        ('a: "\\x9b2J"', 1, 4),
        ('a: "\\N"', 1, 4),
        ('a: "\\u202e"', 1, 4),
        ("a: x\u202ey", 1, 4),
        ("a: 'x\u2066y'", 1, 4),
        ("a: |\n  x\u202ey\n", 1, 4),
    ],
)
def test_an_escape_that_means_a_control_character_is_refused(text: str, line: int, column: int) -> None:
    assert faults(text) == [("control_character", line, column)]


def test_half_a_surrogate_pair_is_refused() -> None:
    assert [fault[0] for fault in faults("a: \ud800")] == ["not_utf8"]
    assert [fault[0] for fault in faults('a: "\\ud800"')] == ["not_yaml"]


# --- what is no YAML


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("a: 1\n b: 2", 2, 3),
        ("a:\n\tb: 2", 2, 1),
        ("a: @x", 1, 4),
        ("a: [1, 2\nb: 3", 2, 2),
        ("a: - b", 1, 4),
        ('a: "\\q"', 1, 5),
        ("a: 1\n]", 2, 1),
        ("%YAML 9.9\n---\na: 1", 1, 1),
    ],
)
def test_what_is_no_yaml_is_refused_at_its_place(text: str, line: int, column: int) -> None:
    ((code, *place),) = faults(text)
    assert code == "not_yaml"
    assert place == [line, column]
    assert problems(text)[0].params["reason"]


def test_all_problems_are_told_together() -> None:
    assert faults("a: no\nb: 010\na: 3\nc: {1.5: x}\n") == [
        ("ambiguous", 1, 4),
        ("ambiguous", 2, 4),
        ("duplicate_key", 3, 1),
        ("bad_key", 4, 5),
    ]


def test_what_was_found_before_the_reading_stopped_is_told_too() -> None:
    assert faults("a: no\nb: 1\nc: @") == [("ambiguous", 1, 4), ("not_yaml", 3, 4)]
    assert faults("a: no\nb: !x 1\nc: yes") == [("ambiguous", 1, 4), ("tag", 2, 4)]


def test_a_scalar_knows_whether_its_text_starts_after_a_quote() -> None:
    node = read("[a, 'b', \"c\"]", "f.yaml")
    assert isinstance(node, Sequence)
    scalars = [item for item in node.items if isinstance(item, Scalar)]
    assert [scalar.begins for scalar in scalars] == [2, 6, 11]
