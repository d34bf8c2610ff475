"""What a table says dice are worth: splits and busts of farkle, the joker, extras and bonus of penta."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from conftest import SHIPPED, bank_table, facts, sheet_table, table

from dicecli.rules.examples import failed_examples
from dicecli.rules.patterns import Dice
from dicecli.rules.ruleset import load
from dicecli.rules.source import read
from dicecli.rules.table import BankTable, Memory, Option, Sheet, SheetTable, compile_table
from dicecli.store.rulesets import find

FACTS = facts("seeds")
FARKLE = [*FACTS["farkle"]["printed"], *FACTS["farkle"]["computed"]]
PENTA = [*FACTS["penta"]["printed"], *FACTS["penta"]["computed"]]
UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
LOWER = ("set", "kare", "full_house", "small_straight", "large_straight", "chance", "penta")
FIVE_FOURS = (4, 4, 4, 4, 4)


def bank(combinations: str, count: int = 6, faces: int = 6) -> BankTable:
    """A bank game with these combinations."""
    made = load(
        f"name: x\nfamily: bank\nsource: x\ndice: {{count: {count}, faces: {faces}}}\n"
        f"combinations: {combinations}\ntargets: {{options: [1], default: 1}}\ncomputer: {{bank_at: 1}}\n",
        "x.yaml",
    )
    found = compile_table("x", made)
    assert isinstance(found, BankTable)
    return found


def sheet_game(rest: str) -> SheetTable:
    """A sheet game of five dice with these cells and more."""
    made = load(
        "name: x\nfamily: sheet\nsource: x\ndice: {count: 5, faces: 6}\nrolls: 3\ncomputer: {strength: normal}\n"
        + rest,
        "x.yaml",
    )
    found = compile_table("x", made)
    assert isinstance(found, SheetTable)
    return found


def scores(found: BankTable, *dice: int) -> dict[Dice, int]:
    return {keep.dice: keep.score for keep in found.keeps(tuple(sorted(dice))).values()}


def sheet(**filled: int) -> Sheet:
    """A penta sheet that holds these cells."""
    assert set(filled) <= set(sheet_table("penta").cells)
    return tuple(filled.get(cell) for cell in sheet_table("penta").cells)


def options(dice: Dice, **filled: int) -> dict[str, Option]:
    found = sheet_table("penta").options(sheet(**filled), tuple(sorted(dice)))
    return {option.cell: option for option in found}


def legal(dice: Dice, **filled: int) -> dict[str, int]:
    return {cell: option.score for cell, option in options(dice, **filled).items() if option.legal}


# --- the examples that rulesets give of themselves


@pytest.mark.parametrize("game", SHIPPED)
def test_the_examples_of_a_shipped_ruleset_hold(game: str) -> None:
    source = find(game)
    assert table(game).ruleset.examples
    assert failed_examples(table(game), read(source.text, source.file)) == []


@pytest.mark.parametrize(
    ("game", "told", "wrong", "expected", "actual"),
    [
        ("farkle", "{keep: [1, 1, 1], score: 1000}", "{keep: [1, 1, 1], score: 999}", 999, 1000),
        ("farkle", "{keep: [5, 5, 5, 2], legal: false}", "{keep: [5, 5, 5, 5], legal: false}", None, 1000),
        ("farkle", "{dice: [2, 3, 4, 4, 6, 6], bust: true}", "{dice: [2, 3, 4, 4, 6, 1], bust: true}", {}, {"1": 100}),
        ("penta", "{section: upper, total: 62, bonus: 0}", "{section: upper, total: 62, bonus: 35}", 35, 0),
        ("penta", "score: 0, extra: 0}", "score: 0, extra: 100}", 100, 0),
        ("poker", "score: 14}", "score: 15}", 15, 14),
    ],
)
def test_an_example_that_does_not_hold_is_told(
    game: str, told: str, wrong: str, expected: object, actual: object
) -> None:
    text = find(game).text.decode().replace(told, wrong, 1)
    (problem,) = failed_examples(compile_table(game, load(text, "x.yaml")), read(text, "x.yaml"))
    assert problem.code in ("example_fails", "example_fails_as_read")  # the second says how the dice were read
    assert (problem.params["expected"], problem.params["actual"]) == (expected, actual)
    assert problem.at is not None
    assert wrong in text.splitlines()[(problem.at.line or 0) - 1]


# --- farkle


@pytest.mark.parametrize("fact", [fact for fact in FARKLE if "keeps" in fact], ids=str)
def test_a_throw_of_farkle_allows_these_keeps_and_no_other(fact: dict[str, Any]) -> None:
    keeps = {" ".join(map(str, dice)): score for dice, score in scores(bank_table(), *fact["dice"]).items()}
    assert keeps == fact["keeps"]


@pytest.mark.parametrize("fact", [fact for fact in FARKLE if "bust" in fact], ids=str)
def test_a_throw_of_farkle_without_scoring_dice_is_a_bust(fact: dict[str, Any]) -> None:
    assert (scores(bank_table(), *fact["dice"]) == {}) is fact["bust"]


@pytest.mark.parametrize("fact", [fact for fact in FARKLE if "keep" in fact], ids=str)
def test_kept_dice_of_farkle_score_their_best_split(fact: dict[str, Any]) -> None:
    kept = tuple(sorted(fact["keep"]))
    score = scores(bank_table(), *kept).get(kept)
    assert score == fact["score"] if "score" in fact else (score is not None) is fact["legal"]


BUST_CHANCES = {count: chance for fact in FARKLE for count, chance in fact.get("bust_chance", {}).items()}


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 6])
def test_the_chance_of_a_bust_with_so_many_dice(count: int) -> None:
    throws = [tuple(sorted(roll)) for roll in product(range(1, 7), repeat=count)]
    busts = sum(not bank_table().keeps(dice) for dice in throws)
    assert Fraction(busts, len(throws)) == Fraction(BUST_CHANCES[count])


def test_every_fact_of_farkle_is_of_a_form_that_is_tested() -> None:
    assert all({"keeps", "bust", "keep", "bust_chance"} & set(fact) for fact in FARKLE)


def test_a_die_that_does_not_score_may_not_be_kept() -> None:
    assert (1, 2) not in scores(bank_table(), 1, 2, 3, 4, 6, 6)


def test_a_kept_set_of_farkle_says_its_parts() -> None:
    keep = bank_table().keeps((1, 1, 1, 1, 5, 5))[1, 1, 1, 1, 5, 5]
    assert sorted((part.combination, part.score) for part in keep.parts) == [("five", 50), ("five", 50), ("four", 2000)]


def test_of_equal_splits_the_one_of_fewest_parts_counts() -> None:
    keep = bank("{one: {dice: [1], score: 100}, two: {dice: [1, 1], score: 200}}").keeps((1, 1))[1, 1]
    assert [part.combination for part in keep.parts] == ["two"]


# --- splits under other rules


def test_four_ones_under_a_fixed_thousand_are_worth_more_as_three_and_one() -> None:
    rules = "{one: {dice: [1], score: 100}, three: {of_a_kind: 3, score: 1000}, four: {of_a_kind: 4, score: 1000}}"
    assert scores(bank(rules), 1, 1, 1, 1)[1, 1, 1, 1] == 1100


def test_two_triples_score_twice() -> None:
    assert scores(bank("{three: {of_a_kind: 3, score: 100 * face}}"), 2, 2, 2, 3, 3, 3) == {
        (2, 2, 2, 3, 3, 3): 500,
        (3, 3, 3): 300,
        (2, 2, 2): 200,
    }


def test_a_combination_may_be_used_twice_on_the_same_face() -> None:
    assert scores(bank("{pair: {of_a_kind: 2, score: 10 * face}}"), 3, 3, 3, 3) == {(3, 3, 3, 3): 60, (3, 3): 30}


def test_four_and_two_is_a_combination_of_its_own() -> None:
    assert scores(bank("{house: {groups: [4, 2], score: 1500}}"), 4, 4, 4, 4, 2, 2) == {(2, 2, 4, 4, 4, 4): 1500}


def test_a_straight_of_five_may_be_kept_beside_another_die() -> None:
    rules = bank("{one: {dice: [1], score: 100}, run: {straight: 5, score: 1000}}")
    assert scores(rules, 1, 1, 2, 3, 4, 5) == {
        (1, 1, 2, 3, 4, 5): 1100,
        (1, 2, 3, 4, 5): 1000,
        (1, 1): 200,
        (1,): 100,
    }


def test_sum_and_count_of_a_combination_mean_its_own_dice() -> None:
    rules = bank("{pair: {of_a_kind: 2, score: sum}, run: {straight: 3, score: 100 * count + matched}}")
    assert scores(rules, 1, 2, 3, 6, 6) == {(1, 2, 3, 6, 6): 318, (1, 2, 3): 306, (6, 6): 12}


def test_an_exception_replaces_the_score_of_its_face_alone() -> None:
    rules = bank("{three: {of_a_kind: 3, score: 100 * face, except: {1: 1000, 6: sum}}}")
    assert [scores(rules, face, face, face)[face, face, face] for face in range(1, 7)] == [1000, 200, 300, 400, 500, 18]


def test_a_combination_takes_at_least_one_die() -> None:
    code = (
        "from dicecli.errors import Refused\n"
        "from test_table import bank\n"
        "try: assert bank('{one: {face: 1, score: 100}, five: {dice: [5], score: 50}}').keeps((2, 3)) == {}\n"
        "except Refused: pass\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parent, timeout=10, check=True)


# --- penta's sheet


def cells(fact: dict[str, Any]) -> tuple[Dice, dict[str, int]]:
    return tuple(fact["dice"]), fact.get("filled", {})


@pytest.mark.parametrize("fact", [fact for fact in PENTA if "scoring" in fact], ids=str)
def test_a_roll_scores_in_these_cells_and_no_other(fact: dict[str, Any]) -> None:
    dice, filled = cells(fact)
    found = options(dice, **filled)
    assert {cell: option.score for cell, option in found.items() if option.score} == fact["scoring"]
    assert set(legal(dice, **filled)) == set(UPPER + LOWER)


@pytest.mark.parametrize("fact", [fact for fact in PENTA if "legal" in fact], ids=str)
def test_a_further_penta_may_take_these_cells_and_no_other(fact: dict[str, Any]) -> None:
    dice, filled = cells(fact)
    assert legal(dice, **filled) == fact["legal"]
    assert {option.extra for option in options(dice, **filled).values()} == {fact["extra"]}


@pytest.mark.parametrize("fact", [fact for fact in PENTA if "cell" in fact and "filled" in fact], ids=str)
def test_a_cell_beside_a_filled_one(fact: dict[str, Any]) -> None:
    dice, filled = cells(fact)
    option = options(dice, **filled)[fact["cell"]]
    assert (option.score, option.extra) == (fact["score"], fact["extra"])


@pytest.mark.parametrize("fact", [fact for fact in PENTA if "bonus" in fact], ids=str)
def test_the_upper_section_earns_its_bonus(fact: dict[str, Any]) -> None:
    rest = fact["total"] - 5 - 10 - 15 - 20
    filled = sheet(ones=5, twos=10, threes=15, fours=20, fives=rest)
    assert sheet_table("penta").section(filled, fact["section"]) == fact["total"]
    assert sheet_table("penta").bonuses(filled) == {fact["section"]: fact["bonus"]}
    assert sheet_table("penta").total(filled, 0) == fact["total"] + fact["bonus"]


def test_every_fact_of_penta_is_of_a_form_that_is_tested() -> None:
    assert all({"scoring", "legal", "cell", "bonus", "greatest_game"} & set(fact) for fact in PENTA)


def test_lower_cells_never_count_toward_the_bonus() -> None:
    assert sheet_table("penta").bonuses(sheet(chance=30, large_straight=40, penta=50)) == {"upper": 0}


def test_extras_never_count_toward_the_bonus() -> None:
    filled = sheet(sixes=30, fives=25, penta=50)
    assert sheet_table("penta").bonuses(filled) == {"upper": 0}
    assert sheet_table("penta").total(filled, 300) == 105 + 300


def test_the_bonus_is_paid_once_however_far_it_is_passed() -> None:
    filled = sheet(ones=5, twos=10, threes=15, fours=20, fives=25, sixes=30)
    assert sheet_table("penta").total(filled, 0) == 105 + 35


def test_a_filled_cell_is_offered_no_more() -> None:
    assert set(options((1, 2, 3, 4, 5), ones=1, chance=0)) == set(UPPER + LOWER) - {"ones", "chance"}


def test_a_full_sheet_offers_nothing() -> None:
    assert options(FIVE_FOURS, **dict.fromkeys(UPPER + LOWER, 0)) == {}


def test_an_ordinary_roll_may_take_any_free_cell_also_for_zero() -> None:
    found = legal((1, 1, 2, 2, 3), penta=50)
    assert set(found) == set(UPPER + LOWER) - {"penta"}
    assert found["large_straight"] == 0


# --- the joker


def test_the_joker_forces_the_rolls_own_upper_cell() -> None:
    assert legal(FIVE_FOURS, penta=50) == {"fours": 20}


def test_without_its_own_upper_cell_the_free_lower_cells_take_the_jokers_scores() -> None:
    assert legal(FIVE_FOURS, penta=50, fours=12, chance=9, kare=0) == {
        "set": 20,
        "full_house": 25,
        "small_straight": 30,
        "large_straight": 40,
    }


def test_without_a_free_lower_cell_another_upper_cell_takes_zero() -> None:
    lower = {cell: 0 for cell in LOWER if cell != "penta"}
    assert legal(FIVE_FOURS, penta=50, fours=12, ones=3, **lower) == {"twos": 0, "threes": 0, "fives": 0, "sixes": 0}


def test_an_own_upper_cell_filled_with_zero_is_filled() -> None:
    assert "fours" not in legal(FIVE_FOURS, penta=50, fours=0)
    assert legal(FIVE_FOURS, penta=50, fours=0)["large_straight"] == 40


def test_a_sacrificed_penta_cell_earns_no_bonus() -> None:
    assert {option.extra for option in options(FIVE_FOURS, penta=0).values()} == {0}


def test_a_sacrificed_penta_cell_gives_no_joker() -> None:
    found = legal(FIVE_FOURS, penta=0, fours=12)
    assert set(found) == set(UPPER + LOWER) - {"penta", "fours"}
    assert (found["full_house"], found["small_straight"], found["large_straight"]) == (0, 0, 0)


def test_a_first_penta_is_no_joker_and_no_further_penta() -> None:
    found = options(FIVE_FOURS)
    assert legal(FIVE_FOURS).keys() == set(UPPER + LOWER)
    assert (found["penta"].score, found["full_house"].score, found["penta"].extra) == (50, 0, 0)


def test_four_alike_are_no_joker() -> None:
    found = options((4, 4, 4, 4, 1), penta=50, fours=12)
    assert (found["full_house"].score, found["full_house"].extra) == (0, 0)
    assert found["ones"].legal


def test_the_extra_is_paid_whichever_cell_is_chosen_also_for_zero() -> None:
    lower = {cell: 0 for cell in LOWER if cell != "penta"}
    found = options(FIVE_FOURS, penta=50, fours=12, **lower)["ones"]
    assert (found.score, found.extra, found.legal) == (0, 100, True)


def test_an_option_names_the_rules_that_it_comes_from() -> None:
    extra = ("extras", "more_pentas")
    assert options(FIVE_FOURS, penta=50)["fours"].rules == (("cells", "fours"), extra)
    assert options(FIVE_FOURS, penta=50, fours=0)["full_house"].rules == (("joker", "scores", "full_house"), extra)
    assert options(FIVE_FOURS, penta=0)["full_house"].rules == (("cells", "full_house"),)


def by_hand(face: int, free: frozenset[str], penta: int | None) -> dict[str, tuple[int, int]]:
    """The cells that five alike may take, with points and extra, as the rules' text puts it."""
    points = {cell: 5 * face if number == face else 0 for number, cell in enumerate(UPPER, 1)}
    points |= {"set": 5 * face, "kare": 5 * face, "chance": 5 * face, "penta": 50}
    points |= {"full_house": 0, "small_straight": 0, "large_straight": 0}
    if penta != 50:
        return {cell: (points[cell], 0) for cell in free}
    if UPPER[face - 1] in free:
        return {UPPER[face - 1]: (5 * face, 100)}
    if lower := free & set(LOWER):
        points |= {"full_house": 25, "small_straight": 30, "large_straight": 40}
        return {cell: (points[cell], 100) for cell in lower}
    return dict.fromkeys(free, (0, 100))


def test_five_alike_on_every_sheet() -> None:
    penta = sheet_table("penta")
    others = [cell for cell in penta.cells if cell != "penta"]
    for held in (None, 0, 50):
        for marks in product((None, 1), repeat=len(others)):
            cells = {**dict(zip(others, marks, strict=True)), "penta": held}
            free = frozenset(cell for cell, mark in cells.items() if mark is None)
            row = tuple(cells[cell] for cell in penta.cells)
            for face in range(1, 7):
                found = penta.options(row, (face,) * 5)
                allowed = {option.cell: (option.score, option.extra) for option in found if option.legal}
                assert allowed == by_hand(face, free, held), (face, cells)


# The most that a roll which is not five alike gives in each cell.
MOST = {
    **{cell: 4 * face for face, cell in enumerate(UPPER, 1)},
    **dict.fromkeys(("set", "kare", "chance"), 29),
    "full_house": 25,
    "small_straight": 30,
    "large_straight": 40,
    "penta": 0,
}


@cache
def greatest(free: frozenset[str], penta: int | None) -> int:
    """The most points that free cells can still bring, extras included, the bonus left aside."""

    def moves() -> Iterator[tuple[str, int, int]]:
        yield from ((cell, MOST[cell], 0) for cell in free)
        for face in range(1, 7):
            yield from ((cell, *points) for cell, points in by_hand(face, free, penta).items())

    return max(
        (
            points + extra + greatest(free - {cell}, points if cell == "penta" else penta)
            for cell, points, extra in moves()
        ),
        default=0,
    )


def test_the_greatest_game_of_penta() -> None:
    (fact,) = [fact["greatest_game"] for fact in PENTA if "greatest_game" in fact]
    bonus = 35
    assert greatest(frozenset(UPPER + LOWER), None) + bonus == fact  # no game is worth more
    filled: dict[str, int] = {}
    extras = 0
    faces = {cell: face for face, cell in enumerate(UPPER, 1)}
    for cell in ("penta", *UPPER, *(cell for cell in LOWER if cell != "penta")):
        option = options((faces.get(cell, 6),) * 5, **filled)[cell]
        assert option.legal
        filled[cell] = option.score
        extras += option.extra
    assert sheet_table("penta").total(sheet(**filled), extras) == fact  # and one is


# --- sheets under other rules


def test_sum_of_a_cell_means_all_dice_and_matched_those_of_the_pattern() -> None:
    found = sheet_game(
        "cells:\n"
        "  all: {section: s, of_a_kind: 3, score: sum}\n"
        "  matched: {section: s, of_a_kind: 3, score: matched}\n"
        "  face: {section: s, of_a_kind: 3, score: 10 * face + count}\n"
    )
    assert found.scores((2, 4, 4, 4, 6)) == (20, 12, 43)


def test_matched_means_the_best_choice_of_dice() -> None:
    pairs = (
        "cells: {pair: {section: s, of_a_kind: 2, score: matched}, two: {section: s, groups: [2, 2], score: matched}}"
    )
    assert sheet_game(pairs).scores((2, 2, 5, 5, 6)) == (10, 14)
    assert sheet_game(pairs).scores((5, 5, 5, 5, 6)) == (10, 0)


def test_a_small_straight_may_start_at_one_only() -> None:
    found = sheet_game(
        "cells:\n"
        "  small: {section: s, straight: 5, from: 1, score: 15}\n"
        "  large: {section: s, straight: 5, from: 2, score: 20}\n"
    )
    assert [found.scores(dice) for dice in ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6), (2, 3, 3, 4, 5))] == [
        (15, 0),
        (0, 20),
        (0, 0),
    ]


def test_the_highest_step_of_a_bonus_counts_alone() -> None:
    found = sheet_game(
        "cells: {all: {section: s, any: true, score: sum}}\n"
        "bonuses: {b: {section: s, steps: [{at_least: 10, score: 5}, {at_least: 20, score: 50}]}}\n"
    )
    assert [found.bonuses((held,))["b"] for held in (None, 9, 10, 19, 20, 30)] == [0, 0, 5, 5, 50, 50]


@pytest.mark.parametrize(("state", "earned"), [("scored", 0), ("filled", 10)])
def test_scored_needs_points_where_filled_needs_anything(state: str, earned: int) -> None:
    found = sheet_game(
        "cells: {alike: {section: s, of_a_kind: 5, score: 50}, all: {section: s, any: true, score: sum}}\n"
        f"extras: {{more: {{of_a_kind: 5, needs: {{cell: alike, state: {state}}}, score: 10}}}}\n"
    )
    assert [found.options((held, None), FIVE_FOURS)[-1].extra for held in (None, 0, 50)] == [0, earned, 10]


def test_an_extra_without_needs_is_always_paid() -> None:
    found = sheet_game("cells: {all: {section: s, any: true, score: sum}}\nextras: {more: {straight: 5, score: 7}}\n")
    assert found.options((None,), (1, 2, 3, 4, 5))[0].extra == 7
    assert found.options((None,), (1, 2, 3, 4, 4))[0].extra == 0


def test_two_cells_of_one_face_are_both_upper_cells() -> None:
    found = sheet_game(
        "cells:\n"
        "  fours: {section: upper, face: 4}\n"
        "  more_fours: {section: upper, face: 4}\n"
        "  house: {section: lower, groups: [3, 2], score: 25}\n"
        "  alike: {section: lower, of_a_kind: 5, score: 50}\n"
        "joker:\n"
        "  when: {of_a_kind: 5}\n"
        "  needs: {cell: alike, state: scored}\n"
        "  upper: forced\n"
        "  scores: {house: 25}\n"
    )

    def allowed(sheet: Sheet) -> list[str]:
        return [option.cell for option in found.options(sheet, FIVE_FOURS) if option.legal]

    assert allowed((None, None, None, 50)) == ["fours", "more_fours"]
    assert allowed((20, None, None, 50)) == ["more_fours"]
    assert allowed((None, 20, None, 50)) == ["fours"]
    assert allowed((20, 20, None, 50)) == ["house"]


# --- memory


def test_a_memory_forgets_all_before_it_holds_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dicecli.rules.table.MAX_REMEMBERED", 6)
    memory: Memory[tuple[int, ...], tuple[int, ...]] = Memory()
    memory.add((1,), (1, 2))
    memory.add((2,), (1, 2))
    assert set(memory) == {(1,), (2,)}
    assert memory.add((3,), (1, 2)) == (1, 2)
    assert set(memory) == {(3,)}


def test_a_table_gives_the_same_answer_twice() -> None:
    found = bank_table()
    assert found.keeps((1, 1, 1, 5, 5, 6)) == found.keeps((1, 1, 1, 5, 5, 6))
    assert sheet_table("penta").scores((1, 2, 3, 4, 5)) == sheet_table("penta").scores((1, 2, 3, 4, 5))


def test_the_keeps_of_ten_different_dice_are_found_in_time() -> None:
    groups = ", ".join(f"c{size}: {{groups: {[1] * size}, score: {size}}}" for size in range(1, 11))
    assert len(bank(f"{{{groups}}}", count=10, faces=10).keeps(tuple(range(1, 11)))) == 2**10 - 1
