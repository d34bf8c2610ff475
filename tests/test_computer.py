"""The computer player: what each ruleset says of it, obvious choices, and any dice within a second."""

from __future__ import annotations

import time

import pytest
from conftest import bank_table, sheet_table
from msgspec.structs import replace
from playing import Game, play, seats

from dicecli.game import game
from dicecli.game.moves import (
    Action,
    Bank,
    BankTurn,
    Keep,
    Kept,
    Roll,
    SheetBoard,
    SheetTurn,
    State,
    TurnStarted,
    Write,
)
from dicecli.players.computer import cell_for_me, choose
from dicecli.rules.ruleset import load
from dicecli.rules.table import SheetTable, Table, compile_table

# --- bank games: when it banks


def decides(points: int, left: int, *totals: int, last_round: int | None = None, target: int = 10000) -> Action:
    """What the computer, player 0, does with so many points of the turn and dice left to throw (6: hot dice)."""
    playing = Game(bank_table(), len(totals) or 1, target).with_totals(*totals)
    kept = tuple(range(6 - left % 6))
    turn = BankTurn((0, 1, 2, 3, 4, 5), "decide", (1, 2, 3, 4, 5, 6), kept, points=points)
    playing.state = replace(playing.state, turn=turn, last_round=last_round)
    assert len(game.hand(playing.table, playing.state)) == left
    action = choose(playing.table, playing.state)
    assert game.check(playing.table, playing.state, action) is None
    return action


@pytest.mark.parametrize(("left", "enough"), [(6, 300), (5, 300), (4, 300), (3, 250), (2, 200), (1, 150)])
def test_it_banks_at_300_and_less_with_few_dice_left(left: int, enough: int) -> None:
    assert decides(enough - 50, left) == Roll()
    assert decides(enough, left) == Bank()
    assert decides(enough + 50, left) == Bank()


@pytest.mark.parametrize(
    ("behind", "enough"),
    [(0, 300), (950, 300), (1000, 350), (1950, 350), (2000, 400), (6000, 600), (7000, 600), (14000, 600)],
)
def test_it_banks_later_when_behind_up_to_300_more(behind: int, enough: int) -> None:
    assert decides(enough - 50, 5, 500, 500 + behind, target=15000) == Roll()
    assert decides(enough, 5, 500, 500 + behind, target=15000) == Bank()


def test_it_is_the_leader_that_it_is_behind() -> None:
    assert decides(400, 5, 1000, 1500, 4000, 3000) == Roll()
    assert decides(450, 5, 1000, 1500, 4000, 3000) == Bank()


def test_a_lead_does_not_matter() -> None:
    assert decides(250, 5, 9000, 1000) == Roll()
    assert decides(300, 5, 9000, 1000) == Bank()


def test_being_behind_and_few_dice_left_add_up() -> None:
    assert decides(250, 1, 0, 3000) == Roll()
    assert decides(300, 1, 0, 3000) == Bank()


@pytest.mark.parametrize("left", [1, 3, 6])
def test_it_banks_what_reaches_the_target(left: int) -> None:
    assert decides(50, left, 9950, 2000) == Bank()
    assert decides(100, left, 9900, 9950) == Bank()


def test_it_goes_on_when_the_target_is_not_reached_yet() -> None:
    assert decides(50, 5, 9900, 2000) == Roll()


@pytest.mark.parametrize("left", [1, 2, 3, 6])
def test_in_the_last_round_it_goes_on_until_it_leads(left: int) -> None:
    assert decides(950, left, 9000, 10000, last_round=1) == Roll()
    assert decides(1000, left, 9000, 10000, last_round=1) == Roll()  # a tie is no lead
    assert decides(1050, left, 9000, 10000, last_round=1) == Bank()


def test_in_the_last_round_it_banks_less_when_that_leads() -> None:
    assert decides(100, 5, 9950, 10000, last_round=1) == Bank()


def test_in_the_last_round_the_highest_total_is_to_be_passed() -> None:
    assert decides(1100, 5, 9000, 10000, 10500, last_round=1) == Roll()
    assert decides(1550, 5, 9000, 10000, 10500, last_round=1) == Bank()


# --- bank games: what it sets aside


def keeps(*dice: int, totals: tuple[int, ...] = (0,), last_round: int | None = None) -> tuple[int, ...]:
    """The faces that the computer, player 0, sets aside of a first throw."""
    playing = Game(bank_table(), len(totals)).with_totals(*totals)
    playing.state = replace(playing.state, last_round=last_round)
    playing.throw(*dice)
    kept = playing.do(choose(playing.table, playing.state)).events[0]
    assert isinstance(kept, Kept)
    return tuple(sorted(kept.dice))


@pytest.mark.parametrize(
    ("dice", "kept"),
    [
        ((2, 5, 3, 3, 4, 6), (5,)),  # nothing else scores
        ((4, 2, 3, 4, 4, 6), (4, 4, 4)),
        ((1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6)),
        ((1, 1, 1, 5, 5, 5), (1, 1, 1, 5, 5, 5)),
        ((3, 1, 3, 1, 3, 3), (1, 1, 3, 3, 3, 3)),
        ((6, 6, 6, 6, 6, 2), (6, 6, 6, 6, 6)),
    ],
)
def test_it_sets_aside_the_obvious(dice: tuple[int, ...], kept: tuple[int, ...]) -> None:
    assert keeps(*dice) == kept


def test_it_sets_aside_a_1_alone_to_throw_five_dice_rather_than_four() -> None:
    assert keeps(1, 5, 2, 3, 3, 4) == (1,)


def test_behind_it_sets_aside_all_dice_to_throw_six_more() -> None:
    playing = Game(bank_table(), 2).with_totals(0, 6000)
    playing.state = replace(playing.state, turn=BankTurn((4, 5), aside=(5, 5, 5, 5), points=200))
    playing.throw(5, 5)
    assert choose(playing.table, playing.state) == Keep((0, 1))


def test_it_sets_aside_what_reaches_the_target() -> None:
    assert keeps(1, 5, 2, 3, 3, 4, totals=(9850,)) == (1, 5)


def test_in_the_last_round_it_sets_aside_what_leads() -> None:
    assert keeps(1, 5, 2, 3, 3, 4, totals=(9900, 10000), last_round=1) == (1, 5)


# --- sheet games


def holding(name: str, dice: tuple[int, ...], throws: int, **cells: int) -> Game:
    """A sheet game whose first player has thrown these dice at last, and holds these cells."""
    table = sheet_table(name)
    playing = Game(table, table.ruleset.players.min).with_sheet(**cells)
    playing.state = replace(playing.state, turn=SheetTurn(table.ruleset.rolls, "choose", dice, throws=throws))
    return playing


def computer(playing: Game) -> Action:
    """What the computer does, which must be allowed."""
    action = choose(playing.table, playing.state)
    assert game.check(playing.table, playing.state, action) is None
    return action


@pytest.mark.parametrize("throws", [1, 2])
@pytest.mark.parametrize("name", ["penta", "poker"])
def test_it_holds_four_equal_dice(name: str, throws: int) -> None:
    assert computer(holding(name, (4, 4, 2, 4, 4), throws)) == Keep((0, 1, 3, 4))


def test_having_held_them_it_throws_the_others() -> None:
    playing = holding("penta", (4, 4, 2, 4, 4), 1).do(Keep((0, 1, 3, 4)))
    assert computer(playing) == Roll()


@pytest.mark.parametrize("throws", [1, 2, 3])
@pytest.mark.parametrize(
    ("name", "dice", "cell"),
    [
        ("penta", (4, 4, 4, 4, 4), "penta"),
        ("penta", (6, 6, 6, 6, 6), "penta"),
        ("penta", (3, 2, 5, 4, 6), "large_straight"),
        ("poker", (1, 1, 1, 1, 1), "poker"),
        ("poker", (2, 5, 3, 4, 1), "long_straight"),
    ],
)
def test_it_writes_what_can_not_become_better(name: str, dice: tuple[int, ...], cell: str, throws: int) -> None:
    assert computer(holding(name, dice, throws)) == Write(cell)


@pytest.mark.parametrize(
    ("dice", "cells", "cell"),
    [
        ((3, 3, 5, 5, 3), {}, "full_house"),
        ((1, 2, 3, 4, 6), {}, "small_straight"),
        ((1, 1, 2, 4, 6), {}, "ones"),  # though chance would give 14
        ((4, 4, 4, 4, 4), {"penta": 50}, "fours"),
        ((4, 4, 4, 4, 4), {"penta": 50, "fours": 12}, "large_straight"),
        ((6, 6, 6, 6, 1), {"kare": 20, "set": 20, "chance": 20}, "sixes"),
    ],
)
def test_after_the_last_throw_it_writes_the_obvious(dice: tuple[int, ...], cells: dict[str, int], cell: str) -> None:
    assert computer(holding("penta", dice, 3, **cells)) == Write(cell)


def test_when_nothing_scores_it_gives_up_the_cell_that_is_worth_least() -> None:
    cells = {cell: 5 for cell in sheet_table("penta").cells if cell not in ("ones", "large_straight")}
    assert computer(holding("penta", (2, 3, 3, 5, 6), 3, **cells)) == Write("ones")


def test_for_the_last_cell_it_plays_to_the_last_throw() -> None:
    cells = {cell: 5 for cell in sheet_table("penta").cells if cell != "sixes"}
    assert computer(holding("penta", (6, 3, 3, 6, 6), 2, **cells)) == Keep((0, 3, 4))
    assert computer(holding("penta", (1, 3, 3, 2, 2), 1, **cells)) == Roll()
    assert computer(holding("penta", (1, 3, 3, 2, 2), 3, **cells)) == Write("sixes")


def test_it_holds_a_4_for_chance_when_one_throw_is_left_but_not_when_two_are() -> None:
    cells = {cell: 5 for cell in sheet_table("penta").cells if cell != "chance"}
    assert computer(holding("penta", (4, 6, 4, 1, 5), 2, **cells)) == Keep((0, 1, 2, 4))  # a die shows 3.5 on average,
    assert computer(holding("penta", (4, 6, 4, 1, 5), 1, **cells)) == Keep((1, 4))  # the better of two throws 4.25


def test_it_holds_four_in_a_row_for_the_large_straight() -> None:
    cells = {cell: 5 for cell in sheet_table("penta").cells if cell != "large_straight"}
    assert computer(holding("penta", (2, 3, 3, 4, 5), 2, **cells)) in (Keep((0, 1, 3, 4)), Keep((0, 2, 3, 4)))


@pytest.mark.parametrize("dice", [(3, 3, 5, 5, 3), (1, 2, 3, 4, 6), (4, 4, 4, 4, 4), (1, 2, 2, 4, 6)])
def test_the_cell_for_who_does_not_choose_is_the_computers(dice: tuple[int, ...]) -> None:
    playing = holding("penta", dice, 3)
    turn, board = playing.state.turn, playing.state.boards[0]
    assert isinstance(turn, SheetTurn) and isinstance(board, SheetBoard)
    option = cell_for_me(sheet_table("penta"), turn, board)
    assert option is not None and computer(playing) == Write(option.cell)


def test_its_penta_games_have_a_mean_of_over_200() -> None:
    rules = sheet_table("penta")
    totals = [game.totals(rules, play(rules, seats(1), f"mean {number}", choose).states[-1])[0] for number in range(60)]
    assert sum(totals) / len(totals) > 200


def test_its_farkle_games_are_over_in_60_turns() -> None:
    for number in range(30):
        played = play(bank_table(), seats(1), f"turns {number}", choose)
        assert sum(isinstance(event, TurnStarted) for events in played.events for event in events) <= 60


# --- house rules with any dice


def house(count: int, faces: int, cells: str, rest: str = "") -> SheetTable:
    text = f"""
name: House
family: sheet
source: a test
dice: {{count: {count}, faces: {faces}}}
rolls: 3
cells:
{cells}
computer: {{strength: normal}}
{rest}
"""
    table = compile_table("house", load(text, "house.yaml"))
    assert isinstance(table, SheetTable)
    return table


HOUSES = {
    "many": """
  ones: {section: upper, face: 1}
  chance: {section: lower, any: true, score: sum}
  three: {section: lower, of_a_kind: 3, score: 10 * face}
  pair: {section: lower, of_a_kind: 2, score: sum}
  full_house: {section: lower, groups: [3, 2], score: 25}
  straight: {section: lower, straight: 4, score: 40}
  low: {section: lower, dice: [1, 2, 3], score: 40}
""",
    "few": """
  chance: {section: lower, any: true, score: sum}
  ones: {section: upper, face: 1}
""",
    "different": """
  chance: {section: lower, any: true, score: sum}
  different: {section: lower, groups: [1, 1, 1, 1, 1], score: 30}
""",
}


@pytest.mark.parametrize(
    ("count", "faces", "cells"),
    [
        (10, 100, "many"),
        (10, 6, "many"),
        (9, 7, "many"),
        (5, 20, "many"),
        (10, 100, "few"),
        (10, 1, "few"),
        (2, 99, "few"),
        (1, 100, "few"),
        (1, 1, "few"),
        (10, 100, "different"),
    ],
)
def test_it_plays_any_dice_within_a_second_a_move(count: int, faces: int, cells: str) -> None:
    slowest = 0.0

    def timed(table: Table, state: State) -> Action:
        nonlocal slowest
        began = time.process_time()
        action = choose(table, state)
        slowest = max(slowest, time.process_time() - began)
        assert game.check(table, state, action) is None
        return action

    played = play(house(count, faces, HOUSES[cells]), seats(1), "big", timed)
    assert played.states[-1].turn is None
    assert slowest < 1


def test_with_big_dice_it_looks_at_all_that_one_die_may_show() -> None:
    playing = Game(house(10, 100, "  chance: {section: lower, any: true, score: sum}"))
    playing.throw(*(60,) * 9, 30)
    assert computer(playing) == Keep(tuple(range(9)))  # 540 + 50.5 on average, against 570


def test_with_big_dice_it_stops_when_a_throw_would_lose() -> None:
    playing = Game(house(10, 100, "  chance: {section: lower, any: true, score: sum}"))
    playing.throw(*(100,) * 9, 99)
    assert computer(playing) == Write("chance")


def test_scores_may_be_below_zero() -> None:
    cells = "  minus: {section: all, any: true, score: 0 - sum}\n  plus: {section: all, any: true, score: sum}"
    rules = house(2, 6, cells, "bonuses: {not_low: {section: all, steps: [{at_least: 1, score: 5}]}}")
    playing = Game(rules).throw(1, 6).do(Write("minus")).throw(6, 6)
    assert computer(playing) == Write("plus")
