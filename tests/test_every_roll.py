"""Every roll of the shipped games against the rules' text, written down once more as plainly as possible."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations, product

import pytest
from conftest import bank_table, sheet_table

Dice = tuple[int, ...]

FIVE_DICE = list(product(range(1, 7), repeat=5))
SIX_DICE = list(product(range(1, 7), repeat=6))
NUMBERS = ("ones", "twos", "threes", "fours", "fives", "sixes")


def in_a_row(roll: Dice, length: int) -> bool:
    return any(all(face in roll for face in range(first, first + length)) for first in range(1, 8 - length))


def penta(roll: Dice) -> dict[str, int]:
    most = max(roll.count(face) for face in roll)
    two_faces = len(set(roll)) == 2
    return {
        **{name: roll.count(face) * face for face, name in enumerate(NUMBERS, 1)},
        "set": sum(roll) if most >= 3 else 0,
        "kare": sum(roll) if most >= 4 else 0,
        "full_house": 25 if two_faces and most == 3 else 0,
        "small_straight": 30 if in_a_row(roll, 4) else 0,
        "large_straight": 40 if in_a_row(roll, 5) else 0,
        "chance": sum(roll),
        "penta": 50 if most == 5 else 0,
    }


def poker(roll: Dice) -> dict[str, int]:
    most = max(roll.count(face) for face in roll)
    two_faces = len(set(roll)) == 2
    return {
        "poker": 50 if most == 5 else 0,
        "kare": sum(roll) if most == 4 else 0,
        "full_house": sum(roll) if two_faces and most == 3 else 0,
        "long_straight": 30 if in_a_row(roll, 5) else 0,
        "short_straight": 25 if in_a_row(roll, 4) else 0,
        "any": sum(roll),
        **{name: roll.count(face) * face for face, name in enumerate(NUMBERS, 1)},
    }


@pytest.mark.parametrize(("game", "by_hand"), [("penta", penta), ("poker", poker)])
def test_every_cell_of_every_roll_in_any_order(game: str, by_hand: Callable[[Dice], dict[str, int]]) -> None:
    table = sheet_table(game)
    for roll in FIVE_DICE:
        assert dict(zip(table.cells, table.scores(tuple(sorted(roll))), strict=True)) == by_hand(roll), roll


@pytest.mark.parametrize(("game", "by_hand"), [("penta", penta), ("poker", poker)])
def test_an_empty_sheet_offers_every_cell_of_every_roll(game: str, by_hand: Callable[[Dice], dict[str, int]]) -> None:
    table = sheet_table(game)
    for dice in sorted({tuple(sorted(roll)) for roll in FIVE_DICE}):
        options = table.options(table.empty, dice)
        assert {option.cell: option.score for option in options} == by_hand(dice)
        assert all(option.legal and option.extra == 0 for option in options)


# What scores in farkle, each with its points.
FARKLE: dict[Dice, int] = {
    (1,): 100,
    (5,): 50,
    **{(face,) * 3: 100 * face for face in range(2, 7)},
    **{(face,) * 4: 200 * face for face in range(2, 7)},
    **{(face,) * 5: 400 * face for face in range(2, 7)},
    **{(face,) * 6: 800 * face for face in range(2, 7)},
    (1, 1, 1): 1000,
    (1, 1, 1, 1): 2000,
    (1, 1, 1, 1, 1): 4000,
    (1, 1, 1, 1, 1, 1): 8000,
    (1, 2, 3, 4, 5, 6): 1500,
    **{tuple(sorted(faces * 2)): 1500 for faces in combinations(range(1, 7), 3)},
}


def without(dice: Dice, part: Dice) -> Dice | None:
    """The rest of `dice`; None if `part` is not in them."""
    rest = list(dice)
    for die in part:
        if die not in rest:
            return None
        rest.remove(die)
    return tuple(rest)


@cache
def farkle(kept: Dice) -> int | None:
    """The best split of kept dice; None if they don't split completely."""
    if not kept:
        return 0
    rests = [(points, without(kept, part)) for part, points in FARKLE.items()]
    scores = [(points, farkle(rest)) for points, rest in rests if rest is not None]
    return max((points + score for points, score in scores if score is not None), default=None)


@cache
def farkle_keeps(dice: Dice) -> dict[Dice, int]:
    sets = {kept for size in range(1, len(dice) + 1) for kept in combinations(dice, size)}
    return {kept: score for kept in sets if (score := farkle(kept)) is not None}


def test_every_legal_keep_of_every_throw_of_six_dice_with_its_best_score() -> None:
    table = bank_table()
    for roll in SIX_DICE:
        dice = tuple(sorted(roll))
        keeps = table.keeps(dice)
        assert {kept: keep.score for kept, keep in keeps.items()} == farkle_keeps(dice), roll


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_every_legal_keep_of_every_throw_of_fewer_dice(count: int) -> None:
    table = bank_table()
    for roll in product(range(1, 7), repeat=count):
        dice = tuple(sorted(roll))
        assert {kept: keep.score for kept, keep in table.keeps(dice).items()} == farkle_keeps(dice), roll


def test_the_parts_of_every_keep_make_it_up_and_score_what_the_rules_say() -> None:
    table = bank_table()
    for dice in sorted({tuple(sorted(roll)) for roll in SIX_DICE}):
        for kept, keep in table.keeps(dice).items():
            assert keep.dice == kept
            assert tuple(sorted(die for part in keep.parts for die in part.dice)) == kept
            assert [part.score for part in keep.parts] == [FARKLE[part.dice] for part in keep.parts]
            assert sum(part.score for part in keep.parts) == keep.score


def test_the_keeps_of_every_throw_stand_best_first() -> None:
    table = bank_table()
    for dice in sorted({tuple(sorted(roll)) for roll in SIX_DICE}):
        scores = [keep.score for keep in table.keeps(dice).values()]
        assert scores == sorted(scores, reverse=True)
        assert table.best(dice) == max(farkle_keeps(dice).values(), default=0)


def test_exactly_1080_of_46656_throws_of_six_dice_are_busts() -> None:
    table = bank_table()
    assert sum(not table.keeps(tuple(sorted(roll))) for roll in SIX_DICE) == 1080
