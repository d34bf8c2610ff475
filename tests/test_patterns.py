"""What dice must look like, clause by clause, and every fact that the rules of poker and penta state of a cell."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

import pytest
from conftest import facts, sheet_table

from dicecli.rules.patterns import AnyDice, Contains, Dice, Face, Groups, Match, OfAKind, Pattern, Straight

FACTS = facts("seeds")
ROLLS = list(product(range(1, 7), repeat=5))


def found(pattern: Pattern, *dice: int) -> list[tuple[Dice, int]]:
    """The dice and face of every match in `dice`."""
    return sorted((match.dice, match.face) for match in pattern.matches(tuple(sorted(dice))))


def score(game: str, cell: str, dice: Iterable[int]) -> int:
    """What a cell's own pattern gives."""
    table = sheet_table(game)
    return table.scores(tuple(sorted(dice)))[list(table.rules).index(cell)]


# --- the facts


def cell_facts(game: str) -> list[Any]:
    """The facts of one cell: those of a whole sheet are in test_table.py."""
    rows = [*FACTS[game]["printed"], *FACTS[game]["computed"]]
    return [
        pytest.param(row, id=f"{row['cell']} {row['dice']}") for row in rows if "cell" in row and "filled" not in row
    ]


@pytest.mark.parametrize("fact", cell_facts("poker"))
def test_a_poker_cell_scores_what_the_rules_print(fact: dict[str, Any]) -> None:
    assert score("poker", fact["cell"], fact["dice"]) == fact["score"]


@pytest.mark.parametrize("fact", cell_facts("penta"))
def test_a_penta_cell_scores_what_the_rules_say(fact: dict[str, Any]) -> None:
    assert score("penta", fact["cell"], fact["dice"]) == fact["score"]


def test_the_greatest_value_of_each_poker_cell_over_all_rolls() -> None:
    (fact,) = [row["maximum"] for row in FACTS["poker"]["printed"] if "maximum" in row]
    table = sheet_table("poker")
    scores = [table.scores(tuple(sorted(roll))) for roll in ROLLS]
    assert len(scores) == 7776
    assert dict(zip(table.cells, map(max, zip(*scores, strict=True)), strict=True)) == fact


# --- cells that users dispute


@pytest.mark.parametrize(
    ("game", "cell", "dice", "points"),
    [
        ("penta", "small_straight", (1, 2, 3, 3, 4), 30),
        ("penta", "small_straight", (1, 2, 3, 4, 5), 30),
        ("penta", "small_straight", (1, 3, 4, 5, 6), 30),
        ("penta", "small_straight", (2, 3, 4, 5, 3), 30),
        ("penta", "small_straight", (1, 2, 4, 5, 6), 0),
        ("penta", "large_straight", (5, 3, 4, 1, 2), 40),
        ("penta", "large_straight", (2, 3, 4, 5, 6), 40),
        ("penta", "large_straight", (1, 2, 3, 5, 6), 0),
        ("penta", "full_house", (1, 4, 4, 4, 4), 0),
        ("penta", "full_house", (1, 4, 1, 4, 4), 25),
        ("penta", "full_house", (3, 3, 3, 1, 2), 0),
        ("penta", "set", (4, 4, 4, 2, 6), 20),
        ("penta", "set", (4, 4, 4, 4, 4), 20),
        ("penta", "set", (4, 4, 2, 2, 6), 0),
        ("penta", "kare", (4, 4, 4, 4, 4), 20),
        ("penta", "penta", (4, 4, 4, 4, 4), 50),
        ("penta", "penta", (4, 4, 4, 4, 5), 0),
        ("penta", "threes", (3, 3, 3, 3, 3), 15),
        ("penta", "threes", (1, 2, 4, 5, 6), 0),
        ("poker", "short_straight", (1, 2, 3, 4, 5), 25),
        ("poker", "kare", (6, 6, 6, 6, 5), 29),
        ("poker", "full_house", (6, 6, 6, 5, 5), 28),
        ("poker", "poker", (6, 6, 6, 6, 5), 0),
    ],
)
def test_a_disputed_roll(game: str, cell: str, dice: Dice, points: int) -> None:
    assert score(game, cell, dice) == points


# --- the patterns


@pytest.mark.parametrize("dice", [(1,), (6, 6), (1, 2, 3, 4, 5)])
def test_any_holds_always_and_takes_all_dice(dice: Dice) -> None:
    assert found(AnyDice(), *dice) == [(dice, 0)]


def test_face_takes_all_dice_of_the_face_and_none_are_enough() -> None:
    assert found(Face(4), 4, 1, 4, 4) == [((4, 4, 4), 4)]
    assert found(Face(4), 1, 2) == [((), 4)]


def test_dice_holds_when_the_dice_contain_them() -> None:
    assert found(Contains((1, 3, 5)), 5, 3, 1, 1) == [((1, 3, 5), 0)]
    assert found(Contains((1, 3, 5)), 1, 3, 3) == []
    assert found(Contains((2, 2)), 2, 2, 2) == [((2, 2), 2)]
    assert found(Contains((2, 2)), 2, 3) == []


def test_of_a_kind_holds_from_that_many_on() -> None:
    assert found(OfAKind(3), 4, 4, 4, 4) == [((4, 4, 4), 4)]
    assert found(OfAKind(3), 4, 4, 4, 1) == [((4, 4, 4), 4)]
    assert found(OfAKind(3), 4, 4, 1, 1) == []


def test_of_a_kind_finds_every_face() -> None:
    assert found(OfAKind(2), 5, 5, 2, 2, 1) == [((2, 2), 2), ((5, 5), 5)]


def test_exactly_allows_no_further_die_of_the_face() -> None:
    exactly = OfAKind(2, exactly=True)
    assert found(exactly, 4, 4, 1) == [((4, 4), 4)]
    assert found(exactly, 4, 4, 4) == []
    assert found(exactly, 4, 4, 4, 2, 2) == [((2, 2), 2)]


def test_groups_are_of_different_faces() -> None:
    assert found(Groups((3, 2)), 4, 4, 4, 1, 1) == [((1, 1, 4, 4, 4), 0)]
    assert found(Groups((3, 2)), 4, 4, 4, 4, 4) == []
    assert found(Groups((2, 2)), 4, 4, 4, 4) == []
    assert found(Groups((4, 2)), 4, 4, 4, 4, 2, 2) == [((2, 2, 4, 4, 4, 4), 0)]


def test_the_order_of_groups_does_not_matter() -> None:
    assert found(Groups((2, 3)), 1, 1, 4, 4, 4) == found(Groups((3, 2)), 1, 1, 4, 4, 4)


def test_groups_find_every_choice_of_faces_once() -> None:
    assert found(Groups((3, 2)), 1, 1, 1, 2, 2, 2) == [((1, 1, 1, 2, 2), 0), ((1, 1, 2, 2, 2), 0)]
    assert found(Groups((2, 2)), 1, 1, 2, 2, 3, 3) == [((1, 1, 2, 2), 0), ((1, 1, 3, 3), 0), ((2, 2, 3, 3), 0)]
    assert found(Groups((2, 2, 2)), 1, 1, 2, 2, 3, 3) == [((1, 1, 2, 2, 3, 3), 0)]
    assert found(Groups((2, 2, 2)), 1, 1, 2, 2, 2, 2) == []


def test_a_straight_ignores_repeats_and_order() -> None:
    assert found(Straight(4), 3, 1, 3, 4, 2) == [((1, 2, 3, 4), 0)]
    assert found(Straight(4), 1, 2, 3, 5, 6) == []


def test_a_longer_straight_holds_every_shorter_one() -> None:
    assert found(Straight(4), 1, 2, 3, 4, 5, 6) == [((1, 2, 3, 4), 0), ((2, 3, 4, 5), 0), ((3, 4, 5, 6), 0)]


def test_from_fixes_where_a_straight_starts() -> None:
    assert found(Straight(5, first=1), 1, 2, 3, 4, 5) == [((1, 2, 3, 4, 5), 0)]
    assert found(Straight(5, first=1), 2, 3, 4, 5, 6) == []
    assert found(Straight(5, first=2), 2, 3, 4, 5, 6) == [((2, 3, 4, 5, 6), 0)]


def test_a_straight_does_not_join_its_ends() -> None:
    assert found(Straight(3), 5, 6, 1) == []


@pytest.mark.parametrize(
    "pattern",
    [OfAKind(3), OfAKind(2, exactly=True), Groups((2, 2)), Groups((3, 2)), Straight(3), Contains((1, 1, 5))],
)
def test_a_match_is_made_of_dice_that_are_there_and_shows_the_pattern_itself(pattern: Pattern) -> None:
    for roll in ROLLS:
        dice = tuple(sorted(roll))
        matches = list(pattern.matches(dice))
        assert len(matches) == len(set(matches))
        for match in matches:
            assert all(match.dice.count(face) <= dice.count(face) for face in match.dice)
            assert Match(match.dice, match.face) in list(pattern.matches(match.dice))
