"""Exact chances: of dice in notation against icepool and against every roll, of games against every turn."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, combinations_with_replacement, product
from math import prod
from pathlib import Path
from typing import Any

import icepool  # type: ignore[import-untyped]
import pytest
from conftest import SHIPPED, Run, bank_table, sheet_table, table
from hypothesis import given, settings
from hypothesis import strategies as st
from invented import INVENTED

from dicecli.analysis import distribution as of_dice
from dicecli.analysis.distribution import (
    MAX_DIGITS,
    MAX_LISTED,
    MAX_STEPS,
    MAX_TOTALS,
    Distribution,
    chance,
    distribution,
)
from dicecli.analysis.odds import Cell, accumulate_odds, bank_odds, sheet_odds
from dicecli.errors import BadNotation, BadUsage, Refused
from dicecli.game import notation
from dicecli.game.notation import Comparison, Pool, parse_comparison, parse_notation, throw_notation
from dicecli.rules.expressions import Negative, Operation
from dicecli.rules.ruleset import load
from dicecli.rules.table import AccumulateTable, BankTable, SheetTable, Table, compile_table
from dicecli.ui import charts, gameodds
from dicecli.ui.cli.odds import odds
from dicecli.ui.console import Console
from dicecli.ui.gameodds import odds_columns, odds_lines, odds_object
from dicecli.ui.messages import message


def totals(text: str) -> Distribution:
    return distribution(parse_notation(text).tree)


def compared(text: str) -> Fraction:
    parsed = parse_comparison(text)
    assert isinstance(parsed, Comparison)
    return chance(parsed)


def in_lowest_terms(weights: dict[Any, int], whole: int) -> dict[int, Fraction]:
    return {int(total): Fraction(weight, whole) for total, weight in weights.items()}


def is_the_same(found: Distribution, oracle: Any) -> None:
    assert list(found.weights) == sorted(found.weights)
    assert sum(found.weights.values()) == found.whole
    assert all(weight > 0 for weight in found.weights.values())
    assert in_lowest_terms(found.weights, found.whole) == in_lowest_terms(dict(oracle.items()), oracle.denominator())


# dice: icepool knows them too


def oracle_of(tree: object) -> Any:
    """The same by icepool: its dice, its way to keep them, its sums and products."""
    if isinstance(tree, int):
        return icepool.Die([tree])
    if isinstance(tree, Negative):
        return -oracle_of(tree.of)
    if isinstance(tree, Pool):
        die = icepool.d(tree.faces)
        if tree.explodes:
            die = die.explode(depth=notation.MAX_AGAIN)
        keep = tree.count - tree.drop_lowest - tree.drop_highest
        return die.highest(tree.count, keep) if tree.drop_lowest else die.lowest(tree.count, keep)
    assert isinstance(tree, Operation)
    left, right = oracle_of(tree.left), oracle_of(tree.right)
    return left + right if tree.sign == "+" else left - right if tree.sign == "-" else left * right


@pytest.mark.parametrize(
    "text",
    [
        "3d6",
        "d6",
        "7d1",
        "4d6dl1",
        "10d10kh5",
        "10d10kl5",
        "9d4dl2",
        "9d4dh2",
        "30d6dl1",
        "30d6dh1",
        "20d20kh10",
        "3d1kh2",
        "12d2kh7",
        "40d3kh20",
        "5d%kl2",
        "3d6*2-1",
        "-(2d4)-3d6kh1",
        "2d6*3d4",
        "(d6-3)*(d6-4)",
        "0*2d6",
        "7",
        "40d6+30d8",
        "40d6-30d8",
        "d6+d6*d6",
        "100d6",
    ],
)
def test_the_chances_are_those_of_icepool(text: str) -> None:
    is_the_same(totals(text), oracle_of(parse_notation(text).tree))


POOLS = st.builds(
    "{}d{}{}".format,
    st.integers(1, 7),
    st.integers(1, 8),
    st.sampled_from(["", "kh1", "kl1", "dl0", "kh", "kl"]),
) | st.builds("{}d{}{}".format, st.integers(4, 9), st.integers(2, 6), st.sampled_from(["kh3", "kl2", "dl2", "dh3"]))
NOTATIONS = st.recursive(
    POOLS | st.integers(0, 9).map(str),
    lambda inner: (
        st.tuples(inner, st.sampled_from(["+", "-"]), inner).map("".join)
        | st.tuples(inner, st.just("*"), st.integers(0, 9).map(str)).map("".join)
        | inner.map("({})".format)
        | inner.map("-{}".format)
    ),
    max_leaves=4,
)


@settings(max_examples=80, deadline=None)
@given(NOTATIONS)
def test_the_chances_of_any_notation_are_those_of_icepool(text: str) -> None:
    tree = parse_notation(text).tree
    found, oracle = distribution(tree), oracle_of(tree)
    is_the_same(found, oracle)
    assert found.mean == oracle.mean()
    assert found.variance == oracle.variance()
    assert found.spread == pytest.approx(oracle.standard_deviation())
    assert found.at_least[0] == found.at_most[-1] == found.whole


SIGNS = {"<": "lt", "<=": "le", "=": "eq", "!=": "ne", ">=": "ge", ">": "gt"}


@settings(max_examples=80, deadline=None)
@given(POOLS, st.sampled_from(sorted(SIGNS)), POOLS | st.integers(0, 30).map(str))
def test_comparisons_are_those_of_icepool(left: str, sign: str, right: str) -> None:
    one, other = oracle_of(parse_notation(left).tree), oracle_of(parse_notation(right).tree)
    holds = sum(
        weight * times
        for (a, weight), (b, times) in product(one.items(), other.items())
        if getattr(a, f"__{SIGNS[sign]}__")(b)
    )
    assert compared(f"{left} {sign} {right}") == Fraction(holds, one.denominator() * other.denominator())


def explode_only(monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    monkeypatch.setattr(notation, "MAX_AGAIN", times)
    monkeypatch.setattr(of_dice, "MAX_AGAIN", times)


@pytest.mark.parametrize("times", [0, 1, 3])
@pytest.mark.parametrize(
    "text", ["d6!", "d2!", "3d6!", "4d2!", "3d4!kh2", "3d4!kl2", "4d3!dl1", "4d3!dh1", "5d2!kh3", "2d4!+2d6!kh1-1"]
)
def test_exploding_dice_are_those_of_icepool(monkeypatch: pytest.MonkeyPatch, text: str, times: int) -> None:
    explode_only(monkeypatch, times)
    is_the_same(totals(text), oracle_of(parse_notation(text).tree))


def test_a_die_explodes_a_hundred_times_at_most() -> None:
    found = totals("d6!")
    assert found.whole == 6**101
    assert max(found.weights) == 606
    assert found.weights[1] == 6**100
    assert found.weights[601] == found.weights[606] == 1
    assert 6 not in found.weights
    assert totals("8d6!").mean == 8 * found.mean
    assert max(totals("2d6!kh1").weights) == 606


# dice: every roll, thrown by the same code as `roll`


@pytest.mark.parametrize(
    ("text", "faces", "draws"),
    [
        ("4d6dl1", 6, 4),
        ("5d4kh3-1", 4, 5),
        ("5d4kl2", 4, 5),
        ("6d3dh4", 3, 6),
        ("2d5*d5-d5", 5, 4),
        ("3d3-(2d3kh1)*2", 3, 5),
        ("2d3!", 3, 6),
        ("3d2!kh2", 2, 9),
        ("3d2!dh1-d2", 2, 10),
    ],
)
def test_every_roll_counted(monkeypatch: pytest.MonkeyPatch, text: str, faces: int, draws: int) -> None:
    """With at most two more throws of a die; throws that need fewer draws come up as often as they weigh."""

    def digit(seed: str, position: int, size: int) -> tuple[int, int]:
        assert size == faces
        return position % size, position // size

    monkeypatch.setattr(notation, "draw", digit)
    explode_only(monkeypatch, 2)
    parsed = parse_notation(text)
    counted = Counter(throw_notation(parsed, "", number).total for number in range(faces**draws))
    found = distribution(parsed.tree)
    assert in_lowest_terms(found.weights, found.whole) == in_lowest_terms(counted, faces**draws)


def test_known_chances() -> None:
    assert totals("4d6dl1").weights[18] == 21
    assert totals("4d6dl1").mean == Fraction(15869, 1296)
    assert totals("100d6").weights[350] == icepool.d6.__rmatmul__(100).quantity(350)
    assert compared("3d6>=10") == Fraction(5, 8)
    assert compared("2d6 > d12") == Fraction(1, 2)
    assert compared("3d6 == 10") == compared("3d6=10") == Fraction(1, 8)
    assert compared("3d6!=10") == Fraction(7, 8)
    assert compared("d2! = 2") == 0
    assert compared("d2!==3") == Fraction(1, 4)


# dice: what is refused


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("d200001", "too_many_totals"),
        ("1000d1000000", "too_many_totals"),
        ("d1000*d1000", "too_many_totals"),
        ("1000d2!kh1", "too_many_digits"),
        ("200d2!", "too_many_digits"),
        ("1000d100", "too_long_a_list"),
        ("50d6!", "too_long_a_list"),
        ("1000d6kh500", "too_many_steps"),
        ("12d6!+12d6!", "too_many_steps"),
        ("1000d6!", "too_many_totals"),
    ],
)
def test_what_is_too_big_is_refused_before_it_starts(monkeypatch: pytest.MonkeyPatch, text: str, code: str) -> None:
    monkeypatch.setattr(of_dice, "_ways", None)
    with pytest.raises(BadNotation) as refused:
        totals(text)
    (problem,) = refused.value.problems
    assert problem.code == code
    most = problem.params["most"]
    assert most in (MAX_TOTALS, MAX_DIGITS, MAX_LISTED, MAX_STEPS)
    assert isinstance(most, int)
    assert isinstance(problem.params["number"], int)
    assert problem.params["number"] > most
    assert str(most) in message(problem)


@pytest.mark.parametrize("text", ["1000d6", "1000d20", "20d20kh10", "1000d6dl1", "1000d6kl3", "20d6!", "d200000"])
def test_what_is_big_is_still_exact(text: str) -> None:
    found = totals(text)
    assert sum(found.weights.values()) == found.whole
    assert len(str(found.whole)) <= MAX_DIGITS


def test_numbers_of_a_comparison_can_be_written() -> None:
    with pytest.raises(BadNotation) as refused:
        compared("70d2! > 70d2!")
    assert refused.value.problems[0].code == "too_many_digits"


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ("3d6>", "unexpected_end", 5),
        (">3", "unexpected_end", 1),
        ("3d6>=4>2", "unexpected_text", 7),
        ("3d6>>2", "unexpected_text", 5),
        ("3d6 > 2x", "unexpected_text", 8),
        ("3dx > 2", "missing_faces", 3),
        ("(3d6>2)", "missing_bracket", 5),
        ("3d6>" + "1+" * 100, "text_too_long", 201),
    ],
)
def test_a_bad_comparison_is_refused_at_its_column(text: str, code: str, column: int) -> None:
    with pytest.raises(BadNotation) as refused:
        parse_comparison(text)
    (problem,) = refused.value.problems
    assert (problem.code, problem.at and problem.at.column) == (code, column)


@pytest.mark.parametrize("text", ["3d6>=10", "3d6!=10", "2d6=7"])
def test_a_throw_compares_nothing(text: str) -> None:
    with pytest.raises(BadNotation) as refused:
        parse_notation(text)
    (problem,) = refused.value.problems
    assert (problem.code, problem.at and problem.at.column) == ("comparison", 4)


# bank games


def test_farkle_busts_and_hot_dice() -> None:
    hands = {len(hand.dice): hand for hand in bank_odds(bank_table("farkle"))}
    busts = [hands[count].bust for count in range(1, 7)]
    assert busts == [
        Fraction(2, 3),
        Fraction(4, 9),
        Fraction(5, 18),
        Fraction(17, 108),
        Fraction(25, 324),
        Fraction(5, 216),
    ]
    assert hands[6].combinations["straight"] == Fraction(720, 6**6)
    assert hands[6].combinations["one"] == 1 - Fraction(5, 6) ** 6


@pytest.mark.parametrize("game", ["farkle", "bank-all", "bank-some"])
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_bank_odds_are_counted_over_every_throw(game: str, count: int) -> None:
    bank = bank_table(game)
    for hand in bank_odds(bank):
        if len(hand.dice) != count:
            continue
        weights = [bank.faces.weights[place - 1] for place in hand.dice]
        whole = prod(map(sum, weights))
        bust = hot = mean = Fraction(0)
        for faces in product(range(1, bank.faces.count + 1), repeat=count):
            share = Fraction(prod(die[face - 1] for die, face in zip(weights, faces, strict=True)), whole)
            keeps = bank.keeps(tuple(sorted(faces)))
            bust += share * (not keeps)
            hot += share * any(len(keep.dice) == count for keep in keeps.values())
            mean += share * max((keep.score for keep in keeps.values()), default=0)
        assert (hand.bust, hand.hot, hand.mean) == (bust, hot, mean)


def test_dice_that_differ_are_told_apart_where_they_are_few() -> None:
    assert [hand.dice for hand in bank_odds(bank_table("bank-some"))] == [
        (1, 2, 3),
        (1, 2),
        (1, 3),
        (2, 3),
        (1,),
        (2,),
        (3,),
    ]
    assert [hand.dice for hand in bank_odds(bank_table("kingdom-come-loaded"))] == [(1, 2, 3, 4, 5, 6)]


def test_nothing_is_a_combination_of_all_dice_only() -> None:
    nothing = next(name for name, rule in bank_table("zilch").rules.items() if rule.part.nothing)
    first, *others = bank_odds(bank_table("zilch"))
    assert (first.bust, first.combinations[nothing]) == (Fraction(0), Fraction(5, 216))
    assert all(hand.combinations[nothing] == 0 < hand.bust for hand in others)


# accumulate games


def test_the_throw_of_an_accumulate_game() -> None:
    pig = table("pig")
    assert isinstance(pig, AccumulateTable)
    throw = accumulate_odds(pig)
    assert (throw.lose_turn, throw.mean) == (Fraction(1, 6), Fraction(20, 6))
    assert throw.lose_all == throw.nothing == 0
    snakes = table("accumulate-all")
    assert isinstance(snakes, AccumulateTable)
    throw = accumulate_odds(snakes)
    assert (throw.lose_all, throw.lose_turn) == (Fraction(1, 36), Fraction(10, 36))
    assert throw.outcomes["double"] == Fraction(5, 36)
    assert throw.mean == Fraction(
        4 + 8 + 12 + 16 + 50 + sum(a + b for a in range(1, 6) for b in range(1, 6) if a != b), 36
    )


# sheet games


def cells_of(game: SheetTable) -> dict[str, Cell]:
    return {cell.cell: cell for cell in sheet_odds(game)}


def test_the_turns_of_penta() -> None:
    cells = cells_of(sheet_table("penta"))
    assert cells["penta"].throw == Fraction(6, 6**5)
    assert cells["penta"].turn == Fraction(347897, 7558272)
    assert cells["large_straight"].throw == Fraction(240, 6**5)
    assert cells["chance"].mean == Fraction(70, 3)
    assert cells["sixes"].mean == 5 * 6 * (1 - Fraction(5, 6) ** 3)
    assert cells["sixes"].turn is None


def by_places(game: SheetTable, worth: Any, rolls: int) -> Fraction:
    """The mean worth of the best turn, each die by its place, every throw and every choice tried."""
    weights = game.faces.weights
    places = range(len(weights))
    locks = game.ruleset.keep == "locked"

    def falls(thrown: tuple[int, ...]) -> list[tuple[tuple[int, ...], Fraction]]:
        faces = range(1, game.faces.count + 1)
        return [
            (
                fallen,
                prod(
                    (
                        Fraction(weights[at][face - 1], sum(weights[at]))
                        for at, face in zip(thrown, fallen, strict=True)
                    ),
                    start=Fraction(1),
                ),
            )
            for fallen in product(faces, repeat=len(thrown))
        ]

    @cache
    def after(dice: tuple[int, ...], roll: int, locked: frozenset[int]) -> Fraction:
        best = Fraction(worth(tuple(sorted(dice)), roll))
        if roll < rolls:
            for kept in map(frozenset, chain.from_iterable(combinations(places, n) for n in range(len(places)))):
                if not locks or (kept > locked):
                    best = max(best, throw(dice, roll, kept))
        return best

    @cache
    def throw(dice: tuple[int, ...], roll: int, kept: frozenset[int]) -> Fraction:
        thrown = tuple(at for at in places if at not in kept)
        mean = Fraction(0)
        for fallen, share in falls(thrown):
            if share:
                new = dict(zip(thrown, fallen, strict=True))
                mean += share * after(
                    tuple(new.get(at, dice[at]) for at in places), roll + 1, kept if locks else frozenset()
                )
        return mean

    return throw((0,) * len(weights), 0, frozenset())


SHEET = """
name: Small
family: sheet
source: invented for the tests
dice: {dice}
players: {{min: 1, max: 2}}
rolls: {rolls}
keep: {keep}
{more}
cells:
  pair: {{section: all, of_a_kind: 2, score: sum}}
  falls: {{section: all, of_a_kind: 2, by_roll: [30, 12, 5], first_roll: 3}}
  waits: {{section: all, straight: 2, score: face_sum}}
  high: {{section: all, any: true, score: sum}}
  twos: {{section: all, face: 2}}
end: {{win: {win}}}
""".replace("face_sum", "sum + 4 * roll")


@pytest.mark.parametrize("keep", ["free", "locked"])
@pytest.mark.parametrize("win", ["highest", "lowest"])
@pytest.mark.parametrize(
    ("dice", "rolls", "more"),
    [
        ("{count: 3, faces: 3}", 3, ""),
        ("{count: 3, faces: 3}", 2, "use: 2"),
        ("{count: 2, faces: 4, weights: [1, 5, 2, 0]}", 3, ""),
        ("{count: 3, faces: 3, each: [[1, 1, 1], [5, 1, 0], [5, 1, 0]]}", 2, ""),
        ("{count: 3, faces: 3, wild: [3]}", 2, ""),
        ("{count: 3, faces: 3, values: {3: 50}}", 1, ""),
    ],
)
def test_sheet_odds_are_those_of_every_turn(dice: str, rolls: int, more: str, keep: str, win: str) -> None:
    text = SHEET.format(dice=dice, rolls=rolls, more=more, keep=keep, win=win)
    game = compile_table("small", load(text, "small.yaml"))
    assert isinstance(game, SheetTable)
    sign = -1 if win == "lowest" else 1
    count = game.ruleset.dice.count
    used = game.ruleset.use or count
    for at, (name, cell) in enumerate(cells_of(game).items()):
        assert cell.mean == sign * by_places(game, lambda dice, roll, at=at: sign * game.scores(dice, roll)[at], rolls)

        def there(dice: tuple[int, ...], roll: int, rule: Any = game.rules[name]) -> bool:
            return any(rule.best(some) is not None for some in combinations(dice, used))

        always = all(there(dice, 1) for dice in combinations_with_replacement(range(1, game.faces.count + 1), count))
        assert always >= (name in ("high", "twos"))
        assert cell.throw == (None if always else by_places(game, there, 1))
        assert cell.turn == (None if always else by_places(game, there, rolls))


def test_columns_that_differ_in_their_throws_are_told_apart() -> None:
    cells = sheet_odds(sheet_table("sheet-columns"))
    assert [cell.rolls for cell in cells] == [3] * 25 + [1] * 5
    assert [cell.column for cell in cells[::5]] == list(range(6))
    run, quick = cells[2], cells[27]
    assert (run.cell, quick.cell) == ("run", "run")
    assert run.throw == quick.throw == quick.turn
    assert run.turn is not None
    assert quick.turn is not None
    assert run.turn > quick.turn
    assert {cell.column for cell in sheet_odds(sheet_table("triple-yahtzee"))} == {None}


def test_locked_games() -> None:
    assert float(cells_of(sheet_table("threes"))["round"].mean) == pytest.approx(6.25, abs=0.01)
    assert float(cells_of(sheet_table("midnight"))["round"].mean) == pytest.approx(18.68, abs=0.01)


# every game


@pytest.mark.parametrize("game", [*SHIPPED, *INVENTED])
def test_every_ruleset_has_odds(monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    for once in (bank_odds, sheet_odds):
        monkeypatch.setattr(gameodds, once.__name__, cache(once))
    found = table(game)
    lines, columns, said = list(odds_lines(found, 80)), list(odds_columns(found)), odds_object(found)
    assert lines
    assert all(len(line) <= 40 for line in odds_lines(found, 40) if "%" in line)
    for line in columns:
        *_words, in_decimals, fraction = line.split("\t")
        assert float(in_decimals) == pytest.approx(float(Fraction(fraction)))
    assert json.loads(json.dumps(said)) == said
    for value in fractions_in(said):
        assert value["decimal"] == float(Fraction(int(value["numerator"]), int(value["denominator"])))
    if isinstance(found, BankTable):
        assert all(hand.bust + hand.hot <= 1 for hand in bank_odds(found))


def fractions_in(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, dict):
        return [value] if "numerator" in value else [each for some in value.values() for each in fractions_in(some)]
    return [each for some in value for each in fractions_in(some)] if isinstance(value, list) else []


@pytest.mark.parametrize(
    ("game", "changes", "code"),
    [
        ("penta", "dice: {faces: 30}", "too_many_throws"),
        ("farkle", "dice: {count: 10, faces: 12}", "too_many_throws"),
        ("midnight", "dice: {count: 8}", "too_many_ways"),
    ],
)
def test_games_that_are_too_big_are_refused(dicecli: Run, game: str, changes: str, code: str) -> None:
    from dicecli.store.rulesets import find

    words = [f"dice.{part.strip()}".replace(": ", "=") for part in changes[7:-1].split(",")]
    with pytest.raises(BadUsage) as refused:
        odds_object(find(game, words).table())
    (problem,) = refused.value.problems
    assert problem.code == code
    assert "{" not in message(problem)


# the command


def test_dice_in_a_pipe(dicecli: Run) -> None:
    done = dicecli("odds", "2d2")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "# 2d2\tmean 3 = 3\tspread 0.7071067812\n"
        "# total\tchance\tfraction\tat_least\tat_most\n"
        "2\t0.25\t1/4\t1\t0.25\n"
        "3\t0.5\t2/4\t0.75\t0.75\n"
        "4\t0.25\t1/4\t0.25\t1\n"
    )


def test_a_comparison_in_a_pipe(dicecli: Run) -> None:
    assert dicecli("odds", "3d6>=10").stdout == "holds\t0.625\t5/8\nfails\t0.375\t3/8\n"


def test_dice_as_json(dicecli: Run) -> None:
    said = json.loads(dicecli("odds", "100d6", "--json").stdout)
    assert (said["notation"], said["denominator"], len(said["totals"])) == ("100d6", str(6**100), 501)
    assert said["mean"] == {"numerator": "350", "denominator": "1", "decimal": 350.0}
    assert sum(int(each["numerator"]) for each in said["totals"]) == 6**100
    assert said["totals"][0] == {
        "total": 100,
        "numerator": "1",
        "at_least": str(6**100),
        "at_most": "1",
        "chance": 1 / 6**100,
    }
    holds = {"numerator": "5", "denominator": "8", "decimal": 0.625}
    fails = {"numerator": "3", "denominator": "8", "decimal": 0.375}
    compared = json.loads(dicecli("odds", " 3d6  >= 10 ", "--json").stdout)
    assert compared == {"comparison": "3d6 >= 10", "holds": holds, "fails": fails}


def test_a_game_as_json_and_in_a_pipe(dicecli: Run) -> None:
    said = json.loads(dicecli("odds", "penta", "--json").stdout)
    assert said["ruleset"] == "penta"
    penta = next(cell for cell in said["cells"] if cell["cell"] == "penta")
    assert penta["turn"] == {"numerator": "347897", "denominator": "7558272", "decimal": 347897 / 7558272}
    lines = dicecli("odds", "penta").stdout.splitlines()
    assert "penta\tturn\t0.04602864253\t347897/7558272" in lines
    assert "6\tbust\t0.02314814815\t5/216" in dicecli("odds", "farkle").stdout.splitlines()
    assert "throw\tlose_turn\t0.1666666667\t1/6" in dicecli("odds", "pig").stdout.splitlines()


def test_house_rules(dicecli: Run) -> None:
    assert "penta\tturn\t0.0007716049383\t1/1296" in dicecli("odds", "penta", "--set", "rolls=1").stdout.splitlines()
    done = dicecli("odds", "3d6", "--set", "rolls=1")
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["frakle"], "not_game_nor_notation"),
        (["3d6>"], "unexpected_end"),
        (["d1000*d1000"], "too_many_totals"),
        (["farkle", "--svg", "-"], "picture_of_game"),
        (["3d6", "--svg", "-"], "picture_or_json"),
        (["3d6", "--set", "rolls=1"], "no_house_rules"),
        (["penta", "--set", "dice.faces=30"], "too_many_throws"),
    ],
)
def test_what_can_not_be_answered_is_refused(dicecli: Run, words: list[str], code: str) -> None:
    if code != "picture_of_game":
        done = dicecli("odds", *words, "--json")
        assert (done.returncode, json.loads(done.stdout)["error"]["code"], done.stderr) == (2, code, "")
    if code != "picture_or_json":
        done = dicecli("odds", *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1


def test_roll_names_the_command_that_compares(dicecli: Run) -> None:
    done = dicecli("roll", "3d6>=10")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("WHAT:4: ")
    assert "dicecli odds '3d6>=10'" in done.stderr


def test_a_reader_that_leaves_is_no_fault() -> None:
    command = [sys.executable, "-m", "dicecli", "odds", "1000d6"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline().startswith(b"# 1000d6\tmean 3500")
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=20) == 141


@pytest.mark.parametrize("words", [["odds", "10d10kh5"], ["odds", "3d6>=10", "--json"], ["odds", "3d6", "--svg", "-"]])
def test_nothing_heavy_is_loaded_for_dice(words: list[str]) -> None:
    code = (
        "import sys\nfrom dicecli.ui.cli.app import run\n"
        f"assert run({words!r}) == 0\n"
        "heavy = {'numpy', 'questionary', 'prompt_toolkit', 'rich', 'babel', 'sqlite3', 'dicecli.analysis.odds'}\n"
        "sys.exit(', '.join(heavy & {part for name in sys.modules for part in (name, name.split('.')[0])}) or None)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


# how it looks


def lines_of(text: str, width: int, *, blocks: bool | None = True) -> list[str]:
    return list(charts.dice_lines(text, totals(text), width, blocks=blocks))


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("text", ["3d6", "100d6", "d6!", "d20", "1000d6"])
def test_bars_stay_within_the_terminal(text: str, width: int) -> None:
    first, head, *rows = lines_of(text, width)
    assert first.startswith(f"{text}: mean ")
    assert head.split() == ["total", "chance", "or", "more"]
    assert max(map(len, rows[:-1])) < width
    assert max(rows, key=lambda row: row.count("█")).endswith("█")


def test_bars_of_3d6() -> None:
    assert lines_of("3d6", 40)[1:4] == [
        "total     chance    or more",
        "    3   0.4630 %      100 %  ▍",
        "    4   1.3889 %  99.5370 %  █▏",
    ]
    assert all("#" in line for line in lines_of("3d6", 60, blocks=False)[3:-1])
    assert not any("█" in line or "#" in line for line in lines_of("3d6", 60, blocks=None))


def test_what_is_not_seen_is_not_shown_but_told() -> None:
    lines = lines_of("100d6", 80)
    assert len(lines) < 120
    assert lines[-1].startswith("Not shown: 390 totals at the ends, 0.1100 % together.")
    assert len(lines_of("3d6", 80)) == 18


def test_small_chances_are_still_numbers() -> None:
    assert charts.decimal(1, 6**100) == "1.530646707e-78"
    assert charts.decimal(1, 10**700) == "1.000000000e-700"
    assert charts.decimal(-3, 10**700) == "-3.000000000e-700"
    assert charts.decimal(0, 10**700) == "0"
    assert charts.percent(1, 10**9) == "1.0e-07 %"
    assert (charts.percent(0, 3), charts.percent(3, 3), charts.percent(1, 3)) == ("0 %", "100 %", "33.3333 %")


@pytest.mark.parametrize(
    "text", ["3d6", "d1", "100d6", "d6!", "d1000", "2d6*1000", "3d6-20", "3d6>=10", "3d6<3", "1000d6"]
)
def test_a_picture_is_well_formed_and_says_what_it_shows(dicecli: Run, tmp_path: Path, text: str) -> None:
    file = tmp_path / "picture.svg"
    done = dicecli("odds", text, "--svg", str(file))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    root = ElementTree.fromstring(file.read_text(encoding="ascii"))
    space = "{http://www.w3.org/2000/svg}"
    assert root.tag == f"{space}svg"
    assert root.findtext(f"{space}title") == text
    about = root.findtext(f"{space}desc")
    assert about
    assert about.startswith(text)
    bars = list(root.iter(f"{space}rect"))
    assert 1 <= len(bars) <= charts.MAX_BARS
    tallest = max(float(bar.attrib["height"]) for bar in bars)
    assert charts.HIGH / 2 < tallest <= charts.HIGH
    assert all(float(bar.attrib["x"]) + float(bar.attrib["width"]) <= charts.WIDTH for bar in bars)
    assert text != "3d6" or dicecli("odds", text, "--svg", "-").stdout == file.read_text(encoding="ascii")


def test_a_picture_that_can_not_be_written_is_refused(dicecli: Run, tmp_path: Path) -> None:
    done = dicecli("odds", "3d6", "--svg", str(tmp_path / "none" / "picture.svg"))
    assert (done.returncode, done.stdout) == (1, "")
    assert "can't be written" in done.stderr


def test_every_refusal_has_words() -> None:
    for text in ("d1000*d1000", "1000d2!kh1", "1000d100", "1000d6kh500"):
        with pytest.raises(Refused) as refused:
            totals(text)
        assert "{" not in message(refused.value.problems[0])


class Terminal(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("encoding", "plain", "there"), [("utf-8", False, "█"), ("cp1252", False, "#"), ("utf-8", True, "")]
)
def test_a_terminal_gets_bars_that_it_can_show(
    monkeypatch: pytest.MonkeyPatch, encoding: str, plain: bool, there: str
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    stream = Terminal(io.BytesIO(), encoding=encoding)
    console = Console(stdout=stream, plain=plain)
    odds(console, "3d6")
    odds(console, "penta")
    stream.seek(0)
    lines = stream.read().splitlines()
    assert max(map(len, lines)) < 60
    assert [sign for sign in "█#" if any(sign in line for line in lines)] == list(there)
    assert lines[-1].split() == ["Penta", "0.0772", "%", "4.6029", "%", "2.3014"]


def test_a_stream_without_a_terminal_has_no_width() -> None:
    assert Console().width is None


def test_tables_of_games_fit_their_terminal() -> None:
    found: Table = table("penta")
    assert max(map(len, odds_lines(found, 120))) > 60
    narrow = list(odds_lines(found, 40))
    assert "  3 throws   4.6029 %" in narrow
    assert "penta" in "".join(odds_columns(found))
