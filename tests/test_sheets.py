"""Sheet games solved: the known values, and small invented games against a referee that plays them out."""

from __future__ import annotations

import random

import pytest
from alone import Alone
from conftest import sheet_table
from msgspec.structs import replace

from dicecli.analysis.sheets import SheetModel, Solved, TooLarge, advise, solve
from dicecli.game import game
from dicecli.game.moves import Keep, Roll, Seat
from dicecli.rules.ruleset import load as read_ruleset
from dicecli.rules.table import SheetTable, compile_table
from dicecli.store.rulesets import load


def solved(table: SheetTable) -> Solved:
    return solve(SheetModel(table), workers=2)


KNOWN = [  # the literature's values, as the issue that asked for the solver has them
    ("yahtzee", (), 254.5877287345),
    ("yahtzee-free-joker", (), 254.5896094820),
    ("yahtzee", ("joker=null",), 253.9702411898),
    ("yahtzee", ("joker=null", "extras=null"), 245.8707745141),
    ("yatzy", (), 248.4399893779),
    ("forced-yatzy", (), 122.5585),
]


@pytest.mark.parametrize(("game", "house", "value"), KNOWN)
def test_known_games_have_their_known_values(game: str, house: tuple[str, ...], value: float) -> None:
    table = load(game, *house)
    assert isinstance(table, SheetTable)
    assert solved(table).best == pytest.approx(value, abs=1e-8 if value != 122.5585 else 1e-4)


def test_totals_that_leave_the_same_sums_to_go_are_one_state() -> None:
    assert SheetModel(sheet_table("yahtzee")).size == 314_880


HEAD = "name: Small\nfamily: sheet\nsource: invented for the tests\nplayers: {min: 1, max: 2}\n"
TWO = HEAD + "dice: {count: 2, faces: 3}\nrolls: 2\n"
UPPER = "cells:\n  ones: {section: upper, face: 1}\n  threes: {section: upper, face: 3}\n"
PAIR = "  pair: {section: lower, of_a_kind: 2, score: 7}\n"
REST = "  rest: {section: lower, any: true, score: sum}\n"
BONUS = "bonuses: {upper: {section: upper, steps: [{at_least: 3, score: 2}, {at_least: 5, score: 9}]}}\n"
JOKER = (
    "  run: {section: lower, straight: 2, score: 8}\n"
    "joker: {when: {of_a_kind: 2}, needs: {cell: pair, state: %s}, upper: %s, scores: {run: 8}}\n"
    "extras: {more: {of_a_kind: 2, needs: {cell: pair, state: scored}, score: 5}}\n"
)
EXTRA = "extras: {more: {of_a_kind: 2, needs: {cell: pair, state: scored, columns: %s}, score: 5}}\n"
COLUMNS = "columns: [{id: a, multiplier: 2}, {id: b}]\n"
SMALL = {
    "bonus": TWO + UPPER + REST + BONUS,
    "two bonuses": TWO
    + UPPER
    + REST
    + BONUS.replace("{upper:", "{a: {section: upper, steps: [{at_least: 4, score: 3}]}, upper:"),
    **{
        f"joker {state} {upper}": TWO + UPPER + PAIR + JOKER % (state, upper) + BONUS
        for state in ("scored", "filled")
        for upper in ("forced", "free", "never")
    },
    **{
        f"order {order}": TWO + UPPER + PAIR + REST + f"order: {order}\n" + BONUS
        for order in ("down", "up", "from_middle", "from_ends")
    },
    "order and rows": TWO + UPPER.replace("face: 1}", "face: 1, times: 2}") + REST + "order: from_middle\n",
    "rows": TWO + UPPER.replace("face: 3}", "face: 3, times: 2}") + REST.replace("sum}", "sum, times: 2}") + BONUS,
    "alike": TWO + UPPER + REST + REST.replace("rest", "other"),
    "columns": TWO + UPPER + BONUS + "columns: [{id: a, multiplier: 2}, {id: b, rolls: 1}]\n",
    "announced": TWO + UPPER + "columns: [{id: a, order: up}, {id: b, announce: true, multiplier: 3}]\n",
    "announced joker": TWO
    + "cells:\n  threes: {section: upper, face: 3}\n"
    + PAIR
    + "joker: {when: {of_a_kind: 2}, needs: {cell: pair, state: filled, columns: all}, upper: forced, scores: {}}\n"
    + "columns: [{id: a, rolls: 2}, {id: b, announce: true}]\n",
    "columns with extras": TWO + "cells:\n" + PAIR + REST + EXTRA % "this" + COLUMNS,
    "columns with all": TWO + "cells:\n" + PAIR + REST + EXTRA % "all" + COLUMNS,
    "locked": HEAD + "dice: {count: 3, faces: 3}\nrolls: 3\nkeep: locked\n" + UPPER + REST + BONUS,
    "saved": TWO + "save_unused_rolls: true\n" + UPPER + REST + BONUS,
    "saved by roll": TWO
    + "save_unused_rolls: true\ncells:\n  pair: {section: lower, of_a_kind: 2, by_roll: [9, 6, 3]}\n"
    + "  rest: {section: lower, any: true, score: sum + roll, first_roll: 2}\n",
    "by roll": TWO
    + "cells:\n  pair: {section: lower, of_a_kind: 2, by_roll: [9, 3]}\n"
    + "  rest: {section: lower, any: true, score: sum, first_roll: -2}\n",
    "zero": TWO
    + UPPER
    + PAIR
    + "  minus: {section: lower, dice: [2], score: -4}\nzero: only_when_nothing_scores\n"
    + BONUS,
    "use": HEAD + "dice: {count: 3, faces: 3}\nrolls: 2\nuse: 2\n" + UPPER + PAIR,
    "loaded": TWO.replace("faces: 3", "faces: 3, weights: [1, 0, 3]") + UPPER + REST + BONUS,
    "each its own": TWO.replace("faces: 3", "faces: 3, each: [[1, 1, 1], [4, 0, 1]]") + UPPER + REST + BONUS,
    "each locked": HEAD
    + "dice: {count: 3, faces: 3, each: [[1, 1, 1], [4, 0, 1], [1, 1, 1]]}\nrolls: 3\nkeep: locked\n"
    + UPPER
    + REST,
    "wild": TWO.replace("faces: 3", "faces: [1, 2, '*'], wild: ['*']") + "cells:\n" + PAIR + REST,
    "lowest": TWO + UPPER + REST + BONUS + "end: {win: lowest}\n",
    "one throw": TWO.replace("rolls: 2", "rolls: 1") + UPPER + PAIR + REST + BONUS,
    "four throws": TWO.replace("rolls: 2", "rolls: 4") + UPPER + PAIR + BONUS,
    "first throw, locked, weighted": HEAD
    + "dice: {count: 2, faces: 3, each: [[0, 1, 2], [2, 1, 0]]}\nrolls: 3\nkeep: locked\n"
    + "cells:\n  run: {section: a, straight: 2, score: sum}\n  rest: {section: b, any: true, score: sum}\n"
    + "columns: [{id: k, rolls: 1}]\n",
    "uncounted": TWO + UPPER + "  ghost: {section: upper, any: true, score: sum, counts: false}\n" + BONUS,
}


def small(text: str) -> SheetTable:
    table = compile_table("small", read_ruleset(text, "small.yaml"))
    assert isinstance(table, SheetTable)
    return table


@pytest.mark.parametrize("name", SMALL)
def test_small_games_are_worth_what_playing_them_out_says(name: str) -> None:
    table = small(SMALL[name])
    referee = Alone(table)
    start = game.start(table, [Seat("A")], "seed")[0]
    model = SheetModel(table)
    values = solve(model)
    assert model.sign * values.best == pytest.approx(referee.value(start), abs=1e-9)
    chance = random.Random(name)
    for _game in range(3):  # and every choice on the way of a random game
        state = start
        while state.turn is not None:
            if game.awaits_chance(state):
                state = game.apply(table, state, game.deal(table, replace(state, seed=str(chance.random()))))[0]
                continue
            advice = advise(model, values.judge, state)
            wanted = referee.choices(state)
            assert len(advice) == len(dict(advice))
            assert {action: pytest.approx(worth, abs=1e-9) for action, worth in wanted.items()} == dict(advice)
            assert advice[0][1] == max(wanted.values(), default=None) or advice[0][1] == pytest.approx(
                max(wanted.values())
            )
            action = chance.choice(list(wanted))
            state = game.apply(table, state, action)[0]
            if isinstance(action, Keep):
                state = game.apply(table, state, Roll())[0]


def test_a_row_that_is_scored_again_and_again_is_worth_its_fixed_point() -> None:
    """On a 2 (one throw in two) the cell takes 10 and may do so again; with x still to come, x = 1/2 + (10 + x)/2."""
    cells = "cells:\n  two: {section: all, dice: [2], score: 10, repeat: true}\n"
    cells += "  rest: {section: all, any: true, score: 1}\n"
    values = solve(SheetModel(small(HEAD + "dice: {count: 1, faces: 2}\nrolls: 1\n" + cells)))
    assert values.best == pytest.approx(((10 + 11) + max(1, 1 + 5)) / 2)


@pytest.mark.parametrize("name", ["bonus", "joker filled forced", "columns", "zero", "lowest", "loaded"])
def test_more_throws_are_never_worth_less(name: str) -> None:
    values = [solve(SheetModel(small(SMALL[name].replace("rolls: 2", f"rolls: {rolls}")))) for rolls in range(1, 6)]
    worths = [value.model.sign * value.best for value in values]
    assert worths == sorted(worths)


def test_two_processes_find_what_one_does() -> None:
    table = small(SMALL["joker filled forced"])
    assert (solve(SheetModel(table), workers=2).values == solve(SheetModel(table)).values).all()


def many(count: int, rule: str) -> str:
    """So many upper cells by one rule, each with its number in it."""
    rules = (rule % number if "%d" in rule else rule for number in range(count))
    return "cells:\n" + "".join(f"  c{number}: {{section: upper, {said}}}\n" for number, said in enumerate(rules))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (HEAD + "dice: {count: 10, faces: 9}\nrolls: 2\n" + REST.replace("  rest", "cells:\n  rest"), "sets"),
        (TWO + "cells:\n  one: {section: a, any: true, score: 1, repeat: true}\n" + REST, "endless"),
        (
            TWO.replace("2\n", "9\n")
            + "save_unused_rolls: true\n"
            + many(90, "any: true, score: sum + roll, times: 20"),
            "scores",
        ),
        (HEAD + "dice: {count: 5, faces: 6}\nrolls: 2\n" + many(11, "any: true, score: sum * 100%d") + BONUS, "sums"),
        (TWO + many(13, "any: true, score: sum + %d") + BONUS, "fillings"),
        (TWO + many(26, "any: true, score: sum + %d"), "states"),
    ],
)
def test_what_does_not_fit_is_told_before_it_is_begun(text: str, what: str) -> None:
    with pytest.raises(TooLarge) as caught:
        SheetModel(small(text))
    assert caught.value.what == what and caught.value.count > caught.value.most
