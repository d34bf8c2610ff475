"""Dice notation: what it throws, what it refuses and where, and its chances."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import icepool  # type: ignore[import-untyped]
import pytest
from conftest import facts
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dicecli.errors import BadNotation, Exit
from dicecli.game.dice import draw
from dicecli.game.notation import MAX_AGAIN, MAX_DICE, MAX_FACES, Throw, parse_notation, throw_notation

# The golden d6 of seed 42: 2 3 1 2 5 4 2 2 3 4 3 2 6 2 3 5 2 2 6 6, and its d20: 20 5 15 14 5 8
SEED = "42"
D6 = tuple(next(fact["dice"] for fact in facts("seed-dice") if fact["seed"] == SEED and fact.get("faces") == 6))


def thrown(text: str, seed: str = SEED, position: int = 0) -> Throw:
    return throw_notation(parse_notation(text), seed, position)


def fault(text: str) -> tuple[str, int]:
    """The code and the column with which a text is refused."""
    with pytest.raises(BadNotation) as caught:
        parse_notation(text)
    (problem,) = caught.value.problems
    assert problem.at is not None and problem.at.column is not None
    return problem.code, problem.at.column


@pytest.mark.parametrize(
    ("text", "dice", "kept", "total"),
    [
        ("6d6", (2, 3, 1, 2, 5, 4), (2, 3, 1, 2, 5, 4), 17),
        ("d6", (2,), (2,), 2),
        ("1d6", (2,), (2,), 2),
        ("6D6", (2, 3, 1, 2, 5, 4), (2, 3, 1, 2, 5, 4), 17),
        ("2d20", (20, 5), (20, 5), 25),
        ("2d20kh1", (20, 5), (20,), 20),
        ("2d20kh", (20, 5), (20,), 20),
        ("2d20k1", (20, 5), (20,), 20),
        ("2d20k", (20, 5), (20,), 20),
        ("2d20KH1", (20, 5), (20,), 20),
        ("2d20kl1", (20, 5), (5,), 5),
        ("2d20kl", (20, 5), (5,), 5),
        ("2d20dh1", (20, 5), (5,), 5),
        ("2d20dl1", (20, 5), (20,), 20),
        ("4d6dl1+2", (2, 3, 1, 2), (2, 3, 2), 9),
        ("4d6dl", (2, 3, 1, 2), (2, 3, 2), 7),
        ("4d6dl3", (2, 3, 1, 2), (3,), 3),
        ("4d6dl0", (2, 3, 1, 2), (2, 3, 1, 2), 8),
        ("4d6dh2", (2, 3, 1, 2), (2, 1), 3),
        ("6d6kl2", (2, 3, 1, 2, 5, 4), (2, 1), 3),
        ("4d6kh4", (2, 3, 1, 2), (2, 3, 1, 2), 8),
        ("3d1", (1, 1, 1), (1, 1, 1), 3),
        ("3d6*2-1", (2, 3, 1), (2, 3, 1), 11),
        ("2*3d6-1", (2, 3, 1), (2, 3, 1), 11),
        ("(3d6-1)*2", (2, 3, 1), (2, 3, 1), 10),
        ("2d6+2d6", (2, 3, 1, 2), (2, 3, 1, 2), 8),
        ("2d6-2d6", (2, 3, 1, 2), (2, 3, 1, 2), 2),
        ("d6-d6-d6", (2, 3, 1), (2, 3, 1), -2),
        ("d6-(d6-d6)", (2, 3, 1), (2, 3, 1), 0),
        ("d6+d6*d6", (2, 3, 1), (2, 3, 1), 5),
        ("(2d6kh1)+(d6)", (2, 3, 1), (3, 1), 4),
        ("-3d6", (2, 3, 1), (2, 3, 1), -6),
        ("10--3d6", (2, 3, 1), (2, 3, 1), 16),
        ("-(2d6-10)*2", (2, 3), (2, 3), 10),
        ("  2d6 +\t1 ", (2, 3), (2, 3), 6),
        ("0*2d6", (2, 3), (2, 3), 0),
        ("7", (), (), 7),
        ("8d6!", (2, 3, 1, 2, 5, 4, 2, 2), (2, 3, 1, 2, 5, 4, 2, 2), 21),
        ("13d6!", D6[:14], D6[:14], 41),
        ("13d6!kh1", D6[:14], (6, 2), 8),
        ("13d6kh1!", D6[:14], (6, 2), 8),
        ("13d6!dh1", D6[:14], D6[:12], 33),
    ],
)
def test_a_notation_throws(text: str, dice: tuple[int, ...], kept: tuple[int, ...], total: int) -> None:
    throw = thrown(text)
    assert (throw.dice, throw.kept, throw.total) == (dice, kept, total)


def test_percent_is_a_hundred_faces() -> None:
    assert thrown("20d%") == thrown("20d100")
    assert max(thrown("200d%").dice) > 90


def test_throwing_goes_on_where_it_stopped() -> None:
    first = thrown("5d6")
    assert thrown("4d6", position=first.position).dice == D6[5:9]


@pytest.mark.parametrize("text", ["8d6!", "8d6!kh3", "8d6kl8!", "8d2!"])
def test_a_die_explodes_so_many_times_at_most(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    faces = int(text[2])

    def highest(seed: str, position: int, size: int) -> tuple[int, int]:
        return size - 1, position + 1

    monkeypatch.setattr("dicecli.game.notation.draw", highest)
    throw = thrown(text)
    assert throw.dice == (faces,) * (8 * (1 + MAX_AGAIN))
    assert throw.total == sum(throw.kept)


@pytest.mark.parametrize(
    "text",
    [f"{MAX_DICE}d6", f"d{MAX_FACES}", "500d6+500d6", "((2d6))", "(" * 30 + "d6" + ")" * 30],
)
def test_the_limits_themselves_are_allowed(text: str) -> None:
    assert thrown(text).total > 0


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ("abc", "unexpected_text", 1),
        ("", "unexpected_end", 1),
        ("   ", "unexpected_end", 4),
        ("0d6", "bad_dice_count", 1),
        ("2d6+0d6", "bad_dice_count", 5),
        ("99999999999d6", "number_too_large", 1),
        ("100000000d20", "number_too_large", 1),
        (f"{MAX_DICE + 1}d6", "bad_dice_count", 1),
        ("600d6+600d6", "bad_dice_count", 7),
        ("1000d6+d6", "bad_dice_count", 8),
        ("1d99999999999", "number_too_large", 3),
        ("2d1000001", "number_too_large", 3),
        ("1000001", "number_too_large", 1),
        ("0dNaN", "bad_dice_count", 1),
        ("1dNaN", "missing_faces", 3),
        ("1d3d4d5", "unexpected_text", 4),
        ("0x1d0x3", "unexpected_text", 2),
        ("1d0x3", "bad_faces", 3),
        ("3d0", "bad_faces", 3),
        ("2d6+3d0", "bad_faces", 7),
        ("d", "missing_faces", 2),
        ("3d", "missing_faces", 3),
        ("3d-6", "missing_faces", 3),
        ("3d6.5", "unexpected_text", 4),
        ("1.5d6", "unexpected_text", 2),
        ("1e3d6", "unexpected_text", 2),
        ("02d6", "leading_zero", 1),
        ("2d06", "leading_zero", 3),
        ("4d6kh9", "bad_keep_count", 4),
        ("4d6kh5", "bad_keep_count", 4),
        ("4d6kh0", "bad_keep_count", 4),
        ("4d6kl0", "bad_keep_count", 4),
        ("4d6dl4", "bad_keep_count", 4),
        ("4d6dh5", "bad_keep_count", 4),
        ("4d6kh99999999", "number_too_large", 6),
        ("4d6!!", "explodes_twice", 5),
        ("4d6!kh1!", "explodes_twice", 8),
        ("d1!", "explodes_for_ever", 3),
        ("4d1kh1!", "explodes_for_ever", 7),
        ("4d6kh1kl1", "two_keeps", 7),
        ("4d6kh1!dl1", "two_keeps", 8),
        ("2d6 3", "unexpected_text", 5),
        ("2d6 kh1", "unexpected_text", 5),
        ("2 d6", "unexpected_text", 3),
        ("2d 6", "missing_faces", 3),
        ("2d6d6", "unexpected_text", 4),
        ("2d6++", "unexpected_text", 5),
        ("2d6+", "unexpected_end", 5),
        ("+2d6", "unexpected_text", 1),
        ("2d6//2", "unexpected_text", 4),
        ("2d6**2", "unexpected_text", 5),
        ("(2d6", "missing_bracket", 5),
        ("2d6)", "unexpected_text", 4),
        ("()", "unexpected_text", 2),
        ("(2)d6", "unexpected_text", 4),
        ("(5+(-10))d10", "unexpected_text", 10),
        ("2d6\n", "unexpected_text", 4),
        ("2d6;", "unexpected_text", 4),
        ("٣d6", "unexpected_text", 1),
        ("3d٦", "missing_faces", 3),
        ("3d6kh２", "unexpected_text", 6),
        ("²d6", "unexpected_text", 1),
        ("4d6\N{KELVIN SIGN}1", "unexpected_text", 4),
        ("4d6\N{KELVIN SIGN}h1", "unexpected_text", 4),
    ],
)
def test_a_bad_text_is_refused_at_its_column(text: str, code: str, column: int) -> None:
    assert fault(text) == (code, column)


@pytest.mark.parametrize("opening", ["(", "-", "-(", "(-", "2*(", "1-("])
def test_deep_nesting_is_refused(opening: str) -> None:
    text = (opening * 200)[:190] + "1"
    code, column = fault(text)
    assert code == "too_deep"
    assert 1 <= column <= len(text)


@pytest.mark.parametrize("text", ["1+" * 100 + "1", "9" * 1000, "(" * 100_000, " " * 201, "d6" * 5000])
def test_a_long_text_is_refused(text: str) -> None:
    assert fault(text) == ("text_too_long", 201)


def test_a_long_sum_within_the_limit_is_added_up() -> None:
    assert thrown("1+" * 99 + "1").total == 100


def test_bad_notation_is_a_fault_of_usage() -> None:
    with pytest.raises(BadNotation) as caught:
        parse_notation("abc")
    assert caught.value.exit is Exit.USAGE


POOL = re.compile(r"([0-9]*)[dD]([0-9]+|%)(!?)(?:([kK][hHlL]?|[dD][hHlL])([0-9]*))?(!?)")


def reference(text: str, seed: str) -> Throw:
    """What a notation that parses throws, by another way: pools become numbers, Python does the sums."""
    dice: list[int] = []
    counts: list[bool] = []
    position = 0

    def pool(found: re.Match[str]) -> str:
        nonlocal position
        count, faces = int(found[1] or 1), 100 if found[2] == "%" else int(found[2])
        thrown: list[list[int]] = []
        for _ in range(count):
            number, position = draw(seed, position, faces)
            thrown.append([number + 1])
            while (found[3] or found[6]) and thrown[-1][-1] == faces and len(thrown[-1]) < 101:
                number, position = draw(seed, position, faces)
                thrown[-1].append(number + 1)
        word, number = (found[4] or "dl").lower(), int(found[5] or 1) if found[4] else 0
        stay = number if word[0] == "k" else count - number
        lowest_first = sorted(thrown, key=sum)
        counted = lowest_first[:stay] if word in ("kl", "dh") else lowest_first[count - stay :]
        for die in thrown:
            dice.extend(die)
            counts.extend([any(die is other for other in counted)] * len(die))
        return f"({sum(map(sum, counted))})"

    total = eval(POOL.sub(pool, text).strip())
    return Throw(tuple(dice), tuple(counts), total, position)


def holds_for_any_text(text: str) -> None:
    try:
        notation = parse_notation(text)
    except BadNotation as error:
        (problem,) = error.problems
        assert problem.at is not None and problem.at.column is not None
        assert 1 <= problem.at.column <= len(text) + 1
        return
    throw = throw_notation(notation, SEED, 0)
    assert throw == reference(text, SEED)
    assert len(throw.kept) <= len(throw.dice) <= MAX_DICE * (1 + MAX_AGAIN)
    assert all(1 <= face <= MAX_FACES for face in throw.dice)
    assert not Counter(throw.kept) - Counter(throw.dice)


@settings(max_examples=400, deadline=None)
@given(st.text("0123469dDkKhHlL!%+-*() ", max_size=16))
@example("")
@example("2d6 ")
def test_texts_of_notation_characters_parse_or_are_refused(text: str) -> None:
    holds_for_any_text(text)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=210))
def test_any_text_parses_or_is_refused(text: str) -> None:
    holds_for_any_text(text)


POOLS = st.from_regex(
    r"\A(|[1-9]|1[0-9])[dD]([1-9]|20|%|1000)(!?(kh?[1-3]?|kl[1-3]?|d[hl][0-3]?)?|(kh?1|d[hl]1)!)\Z",
    alphabet=st.characters(max_codepoint=127),
)
TERMS = st.recursive(
    POOLS | st.integers(0, 50).map(str),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", " + ", " - "]), inner).map("".join),
        inner.map("({})".format),
        inner.map("-{}".format),
    ),
    max_leaves=6,
)


@settings(max_examples=400, deadline=None)
@given(TERMS)
def test_whole_notations_throw_what_they_say(text: str) -> None:
    holds_for_any_text(text)


def every_total(monkeypatch: pytest.MonkeyPatch, text: str, faces: int, count: int) -> Counter[int]:
    """The totals over every outcome of the dice: the position is read as the outcome's number."""

    def digit(seed: str, position: int, size: int) -> tuple[int, int]:
        assert size == faces
        return position % size, position // size

    monkeypatch.setattr("dicecli.game.notation.draw", digit)
    notation = parse_notation(text)
    return Counter(throw_notation(notation, "", number).total for number in range(faces**count))


@pytest.mark.parametrize(
    ("text", "faces", "count", "oracle"),
    [
        ("4d6dl1", 6, 4, icepool.d6.highest(4, 3)),
        ("4d6kh3", 6, 4, icepool.d6.highest(4, 3)),
        ("4d6dh1", 6, 4, icepool.d6.lowest(4, 3)),
        ("4d6kl2", 6, 4, icepool.d6.lowest(4, 2)),
        ("2d20kh1", 20, 2, icepool.d20.highest(2, 1)),
        ("2d20kl1", 20, 2, icepool.d20.lowest(2, 1)),
        ("3d6*2-1", 6, 3, 3 @ icepool.d6 * 2 - 1),
        ("3d6-2d6kh1", 6, 5, 3 @ icepool.d6 - icepool.d6.highest(2, 1)),
    ],
)
def test_the_chances_are_exact(monkeypatch: pytest.MonkeyPatch, text: str, faces: int, count: int, oracle: Any) -> None:
    found = every_total(monkeypatch, text, faces, count)
    scale = faces**count // oracle.denominator()
    assert dict(found) == {total: quantity * scale for total, quantity in oracle.items()}


def test_simulated_throws_follow_the_chances() -> None:
    notation, position, seen = parse_notation("4d6dl1"), 0, Counter[int]()
    for _ in range(20_000):
        throw = throw_notation(notation, "fair", position)
        position = throw.position
        seen[throw.total] += 1
    oracle = icepool.d6.highest(4, 3)
    expected = {total: 20_000 * quantity / 1296 for total, quantity in oracle.items()}
    statistic = sum((seen[total] - mean) ** 2 / mean for total, mean in expected.items())
    assert statistic < 37.697  # chi-square, 15 degrees of freedom, 0.001


def test_simulated_explosions_follow_the_chances() -> None:
    notation, position, seen = parse_notation("d4!"), 0, Counter[int]()
    for _ in range(20_000):
        throw = throw_notation(notation, "fair", position)
        position = throw.position
        seen[min(throw.total, 13)] += 1
    chances = {1: 1 / 4, 2: 1 / 4, 3: 1 / 4, 5: 1 / 16, 6: 1 / 16, 7: 1 / 16, 9: 1 / 64, 10: 1 / 64, 11: 1 / 64}
    chances[13] = 1 / 64
    assert set(seen) == set(chances)
    statistic = sum((seen[total] - 20_000 * chance) ** 2 / (20_000 * chance) for total, chance in chances.items())
    assert statistic < 27.877  # chi-square, 9 degrees of freedom, 0.001
