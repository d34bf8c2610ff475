"""Figures of the catalogue of rules: what the games' sources and exact counting say of the shipped rulesets."""

from __future__ import annotations

from fractions import Fraction

import pytest
from conftest import SHIPPED, Run, bank_table, sheet_table, table

from dicecli.rules.compare import few_rolls, lint, rolls
from dicecli.rules.examples import failed_examples
from dicecli.rules.table import AccumulateTable, SheetTable, step_for
from dicecli.store.rulesets import find

ASKED = [
    "farkle",
    "farkle-standard",
    "farkle-commercial",
    "zilch",
    "kingdom-come",
    "greed",
    "thousand",
    "ten-thousand",
    "dix-mille",
    "letter-greed",
    "penta",
    "poker",
    "yahtzee",
    "yahtzee-free-joker",
    "kniffel",
    "yatzy",
    "maxi-yatzy",
    "six-dice-yatzy",
    "yacht",
    "generala",
    "balut",
    "crag",
    "cheerio",
    "kismet",
    "tali",
    "tali-colors",
    "triple-yahtzee",
    "jamb",
    "escalero",
    "pig",
    "two-dice-pig",
    "big-pig",
    "threes",
    "midnight",
]


def bust_chance(game: str) -> Fraction:
    found = bank_table(game)
    weights, whole = rolls(found)
    return Fraction(sum(weight for dice, weight in weights.items() if not found.keeps(dice)), whole)


def maxima(game: str) -> int:
    """The sum of the greatest scores of all cells and of the greatest bonuses."""
    found = sheet_table(game)
    best = dict.fromkeys(found.rules, 0)
    for dice in rolls(found)[0]:
        for cell, points in zip(found.rules, found.scores(dice), strict=True):
            best[cell] = max(best[cell], points)
    cells = found.ruleset.cells
    total = sum(best[cell] * row.times for cell, row in cells.items())
    for bonus in found.ruleset.bonuses.values():
        reached = sum(best[cell] * row.times for cell, row in cells.items() if row.section == bonus.section)
        total += step_for(bonus.steps, reached)
    return total


def test_thirty_games_and_more_are_shipped() -> None:
    assert set(ASKED) <= set(SHIPPED)
    assert len(SHIPPED) >= 30


@pytest.mark.parametrize("name", SHIPPED)
def test_every_ruleset_has_a_source_and_examples_that_hold_and_nothing_that_can_hardly_be_meant(name: str) -> None:
    found, node = find(name).table_and_node()
    assert len(found.ruleset.source) > 40
    assert found.ruleset.examples
    assert failed_examples(found, node) == []
    assert lint(found, node) == []


@pytest.mark.parametrize("name", SHIPPED)
def test_every_ruleset_is_shown_scored_and_rolled(dicecli: Run, name: str) -> None:
    assert len(dicecli("rules", "show", name).stdout.splitlines()) > 10
    for as_json in ((), ("--json",)):
        rolled = dicecli("roll", name, "--seed", "1", *as_json)
        assert (rolled.returncode, rolled.stderr) == (0, "")
    dice = dicecli("roll", name, "--seed", "1").stdout.split(":")[0].split()
    scored = dicecli("score", name, *dice)
    assert scored.returncode == 0 and scored.stdout


@pytest.mark.parametrize(
    ("game", "chance"),
    [
        ("kingdom-come", Fraction(1440, 46656)),
        ("zilch", Fraction(0)),
        ("farkle", Fraction(5, 216)),
    ],
)
def test_bust_chances_with_all_dice(game: str, chance: Fraction) -> None:
    assert bust_chance(game) == chance


@pytest.mark.parametrize(
    ("game", "total"), [("yatzy", 374), ("maxi-yatzy", 649), ("crag", 244), ("yacht", 297), ("balut", 812)]
)
def test_the_sum_of_maxima(game: str, total: int) -> None:
    assert maxima(game) == total


def test_balut_is_worth_29_points_at_most() -> None:
    found = sheet_table("balut")
    best = {"fours": 20, "fives": 25, "sixes": 30, "straight": 20, "full_house": 28, "choice": 30, "balut": 50}
    sheet = tuple(best[slot.cell] for slot in found.slots)
    assert (found.score(sheet, 0), found.total(sheet, 0)) == (812, 29)


def test_the_sets_of_crag() -> None:
    found = sheet_table("crag")
    cells = list(found.rules)
    thirteen = {dice for dice in rolls(found)[0] if found.scores(dice)[cells.index("thirteen")]}
    assert thirteen == {(1, 6, 6), (3, 5, 5), (4, 4, 5), (2, 5, 6), (3, 4, 6)}
    crag = {dice for dice in rolls(found)[0] if found.scores(dice)[cells.index("crag")]}
    assert crag == {(1, 6, 6), (3, 5, 5), (4, 4, 5)}


def test_the_tiers_of_kismet() -> None:
    steps = next(iter(sheet_table("kismet").ruleset.bonuses.values())).steps
    assert [step_for(steps, total) for total in (62, 63, 70, 71, 77, 78)] == [0, 35, 35, 55, 55, 75]


def test_throws_of_the_pigs() -> None:
    def fallen(game: str, *dice: int) -> int | str:
        found = table(game)
        assert isinstance(found, AccumulateTable)
        what = found.fallen(tuple(sorted(dice)))
        return what.lose or what.score

    assert [fallen("two-dice-pig", *dice) for dice in ((3, 4), (1, 4), (1, 1))] == [7, "turn", "all"]
    assert [fallen("big-pig", *dice) for dice in ((1, 1), (3, 3), (1, 4))] == [25, 12, "turn"]
    assert [fallen("pig", die) for die in (1, 6)] == ["turn", 6]


def test_poker_hands_are_as_rare_as_the_source_counts() -> None:
    found = sheet_table("poker")
    weights, whole = rolls(found)
    cells = list(found.rules)

    def count(cell: str) -> int:
        return sum(weight for dice, weight in weights.items() if found.scores(dice)[cells.index(cell)])

    assert whole == 7776
    assert [count(cell) for cell in ("poker", "kare", "full_house", "long_straight")] == [6, 150, 300, 240]


def test_every_shipped_game_has_rolls_that_can_all_be_looked_at() -> None:
    assert all(few_rolls(table(name)) for name in SHIPPED)


def test_every_cell_of_every_sheet_can_score() -> None:
    for name in SHIPPED:
        found = table(name)
        if isinstance(found, SheetTable):
            throws = range(1, found.ruleset.rolls + 1)
            rows = [found.scores(dice, roll) for dice in rolls(found)[0] for roll in throws]
            assert all(any(column) for column in zip(*rows, strict=True)), name
