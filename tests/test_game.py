"""Turns, rounds and ends, each test named after the clause of the rules that it holds."""

from __future__ import annotations

import itertools

import pytest
from conftest import bank_table, sheet_table
from msgspec.structs import replace
from playing import Game, seats

from dicecli.errors import BadUsage
from dicecli.game import game
from dicecli.game.moves import (
    Action,
    Bank,
    Banked,
    BankTurn,
    BonusEarned,
    Event,
    GameEnded,
    HotDice,
    Keep,
    Kept,
    LastRound,
    LostTurn,
    NothingScores,
    Outcome,
    Roll,
    Seat,
    SheetBoard,
    SheetTurn,
    Throw,
    Thrown,
    TurnStarted,
    Write,
    Wrote,
)
from dicecli.rules.ruleset import load
from dicecli.rules.table import Table, compile_table

BUST = (2, 3, 4, 4, 6, 6)


def farkle(players: int = 1, target: int | None = None) -> Game:
    return Game(bank_table(), players, target)


def penta(players: int = 1, extras: int = 0, **cells: int) -> Game:
    return Game(sheet_table("penta"), players).with_sheet(extras, **cells)


def filled(value: int, *free: str, **cells: int) -> dict[str, int]:
    """A penta sheet with `value` in each cell but those free and those given."""
    return {cell: cells.get(cell, value) for cell in sheet_table("penta").cells if cell not in free}


def points(playing: Game) -> int:
    """The points of the running turn of a bank game."""
    assert isinstance(playing.state.turn, BankTurn)
    return playing.state.turn.points


def sheet_turn(playing: Game) -> SheetTurn:
    assert isinstance(playing.state.turn, SheetTurn)
    return playing.state.turn


# --- bank games: throwing and setting aside


def test_the_turn_begins_with_a_throw_of_all_dice() -> None:
    playing = farkle()
    assert playing.events == (TurnStarted(0),)
    assert game.awaits_chance(playing.state)
    assert len(game.hand(playing.table, playing.state)) == 6
    assert playing.legal() == []
    assert playing.throw(1, 5, 3, 3, 6, 2).events == (Thrown(0, (1, 5, 3, 3, 6, 2), 1),)


def test_two_fives_from_one_throw_and_a_third_from_the_next_score_150() -> None:
    playing = farkle().throw(5, 5, 2, 3, 4, 6).keep(5, 5).do(Roll()).throw(5, 2, 3, 4).keep(5)
    assert playing.events == (Kept(0, (5,), 50, 150),)
    assert playing.do(Bank()).totals() == (150,)


def test_two_ones_from_one_throw_and_a_third_from_the_next_score_300() -> None:
    playing = farkle().throw(1, 1, 2, 3, 4, 6).keep(1, 1).do(Roll()).throw(1, 2, 3, 4).keep(1).do(Bank())
    assert playing.totals() == (300,)


def test_a_bank_of_50_is_legal_at_once() -> None:
    playing = farkle(2).throw(5, 2, 3, 4, 4, 6).keep(5).do(Bank())
    assert playing.events == (Banked(0, 50, 50), TurnStarted(1))
    assert playing.totals() == (50, 0)


def test_banking_before_any_die_is_set_aside_is_refused() -> None:
    playing = farkle()
    assert playing.refusal(Bank()) == "throw_first"
    playing.throw(1, 1, 1, 2, 3, 4)
    assert playing.refusal(Bank()) == "keep_first"
    playing.keep(1).do(Roll()).throw(1, 1, 1, 2, 3)
    assert playing.refusal(Bank()) == "keep_first"


def test_at_least_one_scoring_die_is_set_aside_after_each_throw() -> None:
    playing = farkle().throw(1, 5, 3, 3, 6, 2)
    assert playing.refusal(Roll()) == "keep_first"
    assert playing.refusal(Keep(())) == "keep_one"


def test_not_all_scoring_dice_need_be_set_aside() -> None:
    playing = farkle().throw(1, 5, 3, 3, 6, 2)
    assert playing.legal() == [Keep((0, 1)), Keep((0,)), Keep((1,))]
    playing.keep(5).do(Roll())
    assert len(game.hand(playing.table, playing.state)) == 5


def test_dice_are_set_aside_once_a_throw() -> None:
    playing = farkle().throw(1, 5, 3, 3, 6, 2).keep(1)
    assert playing.refusal(Keep((1,))) == "already_kept"
    assert playing.legal() == [Roll(), Bank()]


@pytest.mark.parametrize(
    ("dice", "kept"),
    [
        ((1, 2, 3, 4, 6, 6), (0, 1)),  # the 2 scores nothing
        ((1, 2, 3, 4, 6, 6), (1,)),
        ((1, 2, 3, 4, 6, 6), (4, 5)),
        ((2, 2, 2, 2, 3, 3), (0, 1, 2, 3, 4, 5)),  # four alike and a pair are no three pairs
        ((2, 2, 2, 2, 3, 3), (0, 1, 2, 4)),
        ((5, 5, 5, 2, 3, 4), (0, 1, 2, 3)),
        ((1, 1, 2, 2, 3, 4), (0, 1, 2, 3)),
    ],
)
def test_dice_that_do_not_score_are_refused(dice: tuple[int, ...], kept: tuple[int, ...]) -> None:
    playing = farkle().throw(*dice)
    assert playing.refusal(Keep(kept)) == "does_not_score"


def test_four_of_a_kind_beside_a_pair_scores_without_the_pair() -> None:
    assert points(farkle().throw(2, 2, 2, 2, 3, 3).keep(2, 2, 2, 2)) == 400


@pytest.mark.parametrize("positions", [(6,), (-1,), (0, 0), (0, 1, 1), (0, 99)])
def test_dice_that_are_not_there_are_refused(positions: tuple[int, ...]) -> None:
    assert farkle().throw(1, 1, 1, 5, 5, 2).refusal(Keep(positions)) == "no_such_die"
    assert penta().throw(1, 1, 1, 5, 5).refusal(Keep(positions)) == "no_such_die"


def test_two_equal_dice_are_two_dice() -> None:
    first, second = (farkle().throw(2, 5, 3, 5, 4, 6) for _ in range(2))
    first.do(Keep((1,)))
    second.do(Keep((3,)))
    assert first.events == second.events == (Kept(0, (5,), 50, 50),)
    assert first.state != second.state
    assert first.legal() == second.legal() == [Roll(), Bank()]
    assert len([action for action in farkle().throw(2, 5, 3, 5, 4, 6).legal() if isinstance(action, Keep)]) == 2


def test_the_order_in_which_positions_are_named_does_not_matter() -> None:
    dice = (3, 1, 3, 5, 3, 2)
    scores = {points(farkle().throw(*dice).do(Keep(order))) for order in itertools.permutations((0, 1, 2, 4))}
    assert scores == {400}


def test_no_scoring_die_loses_the_turn_and_leaves_the_banked_total() -> None:
    playing = farkle(2).with_totals(700, 50).throw(1, 1, 2, 3, 4, 6).keep(1, 1).do(Roll()).throw(2, 3, 4, 6)
    assert playing.events == (Thrown(0, (2, 3, 4, 6), 2), LostTurn(0, 200), TurnStarted(1))
    assert playing.totals() == (700, 50)
    assert playing.state.turn == BankTurn((0, 1, 2, 3, 4, 5))


def test_a_first_throw_that_does_not_score_loses_nothing() -> None:
    playing = farkle(2).throw(*BUST)
    assert playing.events == (Thrown(0, BUST, 1), LostTurn(0, 0), TurnStarted(1))
    assert playing.totals() == (0, 0)


# --- bank games: hot dice


def hot() -> Game:
    """Six dice set aside in three throws, for 100 + 200 + 50 points."""
    playing = farkle().throw(1, 2, 3, 4, 6, 6).keep(1).do(Roll()).throw(2, 2, 2, 3, 4).keep(2, 2, 2)
    return playing.do(Roll()).throw(5, 5).keep(5, 5)


def test_six_dice_set_aside_in_several_throws_are_hot_dice() -> None:
    assert hot().events == (Kept(0, (5, 5), 100, 400), HotDice(0))


def test_hot_dice_from_one_throw() -> None:
    assert farkle().throw(1, 2, 3, 4, 5, 6).keep(1, 2, 3, 4, 5, 6).events[-1] == HotDice(0)


def test_five_dice_set_aside_are_not_hot() -> None:
    assert farkle().throw(1, 1, 5, 5, 5, 2).keep(1, 1, 5, 5, 5).events == (Kept(0, (1, 1, 5, 5, 5), 700, 700),)


def test_after_hot_dice_the_points_stay_and_six_dice_come_back() -> None:
    playing = hot().do(Roll())
    assert points(playing) == 400
    assert len(game.hand(playing.table, playing.state)) == 6
    assert playing.refusal(Throw((1, 1), 99)) == "wrong_number_of_dice"
    playing.throw(1, 1, 1, 2, 3, 4).keep(1, 1, 1)
    assert playing.events == (Kept(0, (1, 1, 1), 1000, 1400),)
    assert len(game.hand(playing.table, playing.do(Roll()).state)) == 3


def test_after_hot_dice_banking_is_still_allowed() -> None:
    assert hot().do(Bank()).totals() == (400,)


def test_after_hot_dice_a_throw_that_does_not_score_loses_all_points_of_the_turn() -> None:
    playing = hot().do(Roll()).throw(*BUST)
    assert playing.events[1] == LostTurn(0, 400)
    assert playing.totals() == (0,)


def test_hot_dice_may_come_twice_in_a_turn() -> None:
    playing = hot().do(Roll()).throw(1, 2, 3, 4, 5, 6).keep(1, 2, 3, 4, 5, 6)
    assert playing.events == (Kept(0, (1, 2, 3, 4, 5, 6), 1500, 1900), HotDice(0))


# --- bank games: the target and the last round


def last_round(*totals: int, starter: int) -> Game:
    """A farkle game in which player `starter` reaches exactly 10000 now."""
    playing = farkle(len(totals)).with_totals(*totals)
    playing.state = replace(playing.state, player=starter)
    return playing.throw(1, 1, 1, 2, 3, 4).keep(1, 1, 1).do(Bank())


def test_exactly_the_target_begins_the_last_round() -> None:
    playing = last_round(9000, 0, 0, starter=0)
    assert playing.events == (Banked(0, 1000, 10000), LastRound(0), TurnStarted(1))
    assert playing.state.last_round == 0


def test_fifty_less_than_the_target_does_not() -> None:
    playing = last_round(8950, 0, 0, starter=0)
    assert playing.events == (Banked(0, 1000, 9950), TurnStarted(1))
    assert playing.state.last_round is None


def test_the_target_is_reached_by_banking_alone() -> None:
    playing = farkle(2).with_totals(9900, 0).throw(1, 1, 2, 3, 4, 6).keep(1, 1)
    assert playing.state.last_round is None
    assert playing.do(Roll()).throw(2, 3, 4, 6).state.last_round is None


@pytest.mark.parametrize("starter", [0, 1, 2])
def test_each_other_player_has_one_more_turn(starter: int) -> None:
    playing = last_round(9000, 9000, 9000, starter=starter)
    turns = []
    while playing.state.turn is not None:
        turns.append(playing.state.player)
        playing.throw(*BUST)
    assert turns == [(starter + 1) % 3, (starter + 2) % 3]
    totals = tuple(10000 if player == starter else 9000 for player in range(3))
    assert playing.events[-1] == GameEnded(Outcome("target", totals, (starter,)))


def test_another_player_who_passes_the_target_in_the_last_round_starts_no_second_one() -> None:
    playing = last_round(9000, 9500, 0, starter=0)
    playing.throw(1, 1, 1, 2, 3, 4).keep(1, 1, 1).do(Bank())
    assert playing.events == (Banked(1, 1000, 10500), TurnStarted(2))
    ended = playing.throw(5, 2, 3, 4, 6, 6).keep(5).do(Bank()).events
    assert ended == (Banked(2, 50, 50), GameEnded(Outcome("target", (10000, 10500, 50), (1,))))


def test_equal_totals_share_the_win() -> None:
    playing = last_round(9000, 9900, 0, starter=0)
    playing.throw(1, 2, 3, 4, 6, 6).keep(1).do(Bank()).throw(*BUST)
    assert playing.events[-1] == GameEnded(Outcome("target", (10000, 10000, 0), (0, 1)))


def test_a_player_alone_ends_the_game_by_reaching_the_target() -> None:
    playing = farkle(1).with_totals(9500).throw(1, 1, 1, 2, 3, 4).keep(1, 1, 1).do(Bank())
    assert playing.events == (Banked(0, 1000, 10500), GameEnded(Outcome("target", (10500,), (0,))))


def test_the_target_can_be_chosen() -> None:
    playing = farkle(2, target=5000).with_totals(4900, 0).throw(1, 2, 3, 4, 6, 6).keep(1).do(Bank())
    assert playing.events[1] == LastRound(0)


@pytest.mark.parametrize("action", [Roll(), Bank(), Keep((0,)), Write("ones"), Throw((1,) * 6, 1000)])
def test_nothing_is_allowed_after_the_end(action: Action) -> None:
    playing = farkle(1).with_totals(9500).throw(1, 1, 1, 2, 3, 4).keep(1, 1, 1).do(Bank())
    assert game.outcome(playing.table, playing.state) == Outcome("target", (10500,), (0,))
    assert playing.refusal(action) == "game_over"
    assert playing.legal() == []


def test_there_is_no_outcome_before_the_end() -> None:
    playing = last_round(9000, 0, starter=0)
    assert game.outcome(playing.table, playing.state) is None


def test_a_cell_is_not_written_in_a_bank_game() -> None:
    playing = farkle().throw(1, 2, 3, 4, 6, 6)
    assert playing.refusal(Write("one")) == "not_in_this_game"
    assert playing.keep(1).refusal(Write("one")) == "not_in_this_game"


# --- throws


@pytest.mark.parametrize(
    ("throw", "code"),
    [
        (Throw((1, 2, 3, 4, 5), 5), "wrong_number_of_dice"),
        (Throw((1, 2, 3, 4, 5, 6, 6), 7), "wrong_number_of_dice"),
        (Throw((), 0), "wrong_number_of_dice"),
        (Throw((1, 2, 3, 4, 5, 7), 6), "face_not_on_die"),
        (Throw((0, 2, 3, 4, 5, 6), 6), "face_not_on_die"),
        (Throw((-1, 2, 3, 4, 5, 6), 6), "face_not_on_die"),
        (Throw((1, 2, 3, 4, 5, 6), -1), "dice_thrown_before"),
    ],
)
def test_a_throw_that_these_dice_can_not_make_is_refused(throw: Throw, code: str) -> None:
    assert farkle().refusal(throw) == code


def test_the_stream_of_dice_never_goes_back() -> None:
    playing = farkle().do(Throw((1, 1, 2, 3, 4, 6), 40)).keep(1, 1).do(Roll())
    assert playing.refusal(Throw((1, 2, 3, 4), 39)) == "dice_thrown_before"
    assert playing.do(Throw((1, 2, 3, 4), 44)).state.position == 44


def test_dice_are_thrown_when_it_is_their_time_only() -> None:
    playing = farkle().throw(1, 2, 3, 4, 6, 6)
    assert playing.refusal(Throw((1,) * 6, 12)) == "no_throw_now"
    assert playing.keep(1).refusal(Throw((1,) * 5, 12)) == "no_throw_now"
    assert penta().throw(1, 2, 3, 4, 6).refusal(Throw((1,) * 5, 12)) == "no_throw_now"


@pytest.mark.parametrize("action", [Roll(), Bank(), Keep(()), Keep((0,)), Write("ones")])
def test_before_the_throw_nothing_else_is_allowed(action: Action) -> None:
    assert farkle().refusal(action) == "throw_first"
    assert penta().refusal(action) == "throw_first"


def test_dealing_again_from_the_same_state_gives_the_same_dice() -> None:
    playing = farkle()
    assert game.deal(playing.table, playing.state) == game.deal(playing.table, playing.state)


# --- players and targets


@pytest.mark.parametrize(
    ("name", "count", "least", "most"),
    [("farkle", 0, 1, 7), ("farkle", 8, 1, 7), ("penta", 0, 1, 7), ("poker", 1, 2, 4), ("poker", 5, 2, 4)],
)
def test_the_wrong_number_of_players_is_refused(name: str, count: int, least: int, most: int) -> None:
    with pytest.raises(BadUsage) as caught:
        game.start(any_table(name), seats(count), "42")
    (problem,) = caught.value.problems
    assert problem.code == "wrong_number_of_players"
    assert problem.params == {"count": count, "least": least, "most": most}


def test_more_people_than_the_rules_allow_are_refused() -> None:
    with pytest.raises(BadUsage) as caught:
        game.start(bank_table(), seats(7, people=7), "42")
    assert caught.value.problems[0].code == "too_many_people"
    state, _ = game.start(bank_table(), seats(7, people=6), "42")
    assert len(state.boards) == 7


@pytest.mark.parametrize("target", [0, -5000])
def test_a_target_below_one_is_refused(target: int) -> None:
    with pytest.raises(BadUsage) as caught:
        game.start(bank_table(), [Seat("a")], "42", target)
    assert caught.value.problems[0].code == "target_too_small"


def test_a_sheet_game_has_no_target() -> None:
    with pytest.raises(BadUsage) as caught:
        game.start(sheet_table("penta"), [Seat("a")], "42", 5000)
    assert caught.value.problems[0].code == "no_target"


def test_the_target_is_the_rulesets_unless_said() -> None:
    assert farkle().state.target == 10000
    assert penta().state.target is None


def any_table(name: str) -> Table:
    return bank_table(name) if name == "farkle" else sheet_table(name)


# --- sheet games: throws and held dice


def test_there_are_three_throws_at_most() -> None:
    playing = penta()
    for number in (1, 2, 3):
        assert playing.throw(1, 2, 3, 4, 6).events[0] == Thrown(0, (1, 2, 3, 4, 6), number)
        if number < 3:
            playing.do(Roll())
    assert playing.refusal(Roll()) == "no_rolls_left"
    assert playing.refusal(Keep((0,))) == "no_rolls_left"
    assert all(isinstance(action, Write) for action in playing.legal())


@pytest.mark.parametrize("throws", [1, 2, 3])
def test_a_player_may_stop_after_any_throw(throws: int) -> None:
    playing = penta(2)
    for _ in range(throws - 1):
        playing.throw(1, 2, 3, 4, 6).do(Roll())
    playing.throw(1, 1, 3, 4, 6).do(Write("ones"))
    assert playing.events == (Wrote(0, "ones", 2, 0, 2), TurnStarted(1))


def test_only_the_last_throw_counts() -> None:
    playing = penta().throw(6, 6, 6, 6, 6).do(Roll()).throw(1, 2, 2, 3, 4)
    assert playing.do(Write("penta")).events[0] == Wrote(0, "penta", 0, 0, 0)


def test_held_dice_stay_where_they_lie_and_the_others_fall() -> None:
    playing = penta().throw(2, 6, 3, 6, 4).do(Keep((1, 3)), Roll())
    assert len(game.hand(playing.table, playing.state)) == 3
    assert playing.refusal(Throw((1,) * 5, 99)) == "wrong_number_of_dice"
    playing.throw(1, 2, 5)
    assert playing.events == (Thrown(0, (1, 6, 2, 6, 5), 2),)
    assert sheet_turn(playing).kept == (1, 3)


def test_a_die_set_aside_may_come_back() -> None:
    playing = penta().throw(2, 6, 3, 6, 4).do(Keep((1, 3)), Roll()).throw(1, 2, 5).do(Keep((0,)), Roll())
    assert len(game.hand(playing.table, playing.state)) == 4
    playing.throw(3, 3, 4, 4)
    assert sheet_turn(playing).dice == (1, 3, 3, 4, 4)


def test_a_choice_of_dice_may_be_changed_before_the_throw() -> None:
    playing = penta().throw(2, 6, 3, 6, 4).do(Keep((1, 3)), Keep((0,)), Keep(()), Roll())
    assert len(game.hand(playing.table, playing.state)) == 5


def test_held_dice_stay_held_unless_said_otherwise() -> None:
    playing = penta().throw(2, 6, 3, 6, 4).do(Keep((1, 3)), Roll()).throw(1, 2, 5).do(Roll())
    assert len(game.hand(playing.table, playing.state)) == 3


def test_with_all_dice_held_there_is_nothing_to_throw() -> None:
    playing = penta().throw(2, 6, 3, 6, 4).do(Keep((0, 1, 2, 3, 4)))
    assert playing.refusal(Roll()) == "all_kept"
    assert Roll() not in playing.legal()


def test_keeping_2_3_4_of_2_3_3_4_4_keeps_exactly_one_3_and_one_4() -> None:
    playing = penta().throw(2, 3, 3, 4, 4).keep(2, 3, 4)
    assert playing.events == (Kept(0, (2, 3, 4)),)
    assert sheet_turn(playing).kept == (0, 1, 3)
    playing.do(Roll()).throw(6, 5)
    assert sheet_turn(playing).dice == (2, 3, 6, 4, 5)


def test_the_other_one_of_two_equal_dice_may_be_held() -> None:
    playing = penta().throw(2, 3, 3, 4, 4).do(Keep((0, 2, 4)), Roll()).throw(6, 5)
    assert sheet_turn(playing).dice == (2, 6, 3, 5, 4)


def test_each_choice_of_faces_is_offered_once() -> None:
    keeps = [action for action in penta().throw(2, 3, 3, 4, 4).legal() if isinstance(action, Keep)]
    assert len(keeps) == 2 * 3 * 3  # none or the 2; none, one or two 3s; none, one or two 4s


def test_a_sheet_game_has_no_bank() -> None:
    playing = penta().throw(2, 3, 3, 4, 4)
    assert playing.refusal(Bank()) == "not_in_this_game"


# --- sheet games: cells


def test_any_free_cell_may_take_any_dice_for_what_it_scores() -> None:
    playing = penta().throw(1, 1, 3, 4, 6)
    scoring = {"ones": 2, "threes": 3, "fours": 4, "sixes": 6, "chance": 15}
    assert writes(playing) == list(sheet_table("penta").cells)
    for cell in writes(playing):
        again = penta().throw(1, 1, 3, 4, 6).do(Write(cell))
        assert again.events[0] == Wrote(0, cell, scoring.get(cell, 0), 0, scoring.get(cell, 0))


def writes(playing: Game) -> list[str]:
    """The cells that may be written now."""
    return [action.cell for action in playing.legal() if isinstance(action, Write)]


def test_a_filled_cell_is_refused() -> None:
    playing = penta(chance=20, ones=0).throw(1, 1, 3, 4, 6)
    assert playing.refusal(Write("chance")) == "cell_taken"
    assert playing.refusal(Write("ones")) == "cell_taken"  # a 0 fills it too
    assert len(writes(playing)) == 11


@pytest.mark.parametrize("cell", ["", "chanse", "Chance", "upper", "0"])
def test_a_cell_that_is_not_there_is_refused(cell: str) -> None:
    assert penta().throw(1, 1, 3, 4, 6).refusal(Write(cell)) == "unknown_cell"


def test_an_unknown_cell_names_the_near_one() -> None:
    playing = penta().throw(1, 1, 3, 4, 6)
    problem = game.check(playing.table, playing.state, Write("chanse"))
    assert problem is not None and problem.params["near"] == "chance"


def test_when_no_throw_is_left_and_no_free_cell_scores_the_game_says_so() -> None:
    playing = penta(**filled(0, "penta", "ones")).throw(2, 3, 4, 4, 6).do(Roll()).throw(2, 3, 4, 4, 6).do(Roll())
    playing.throw(2, 3, 4, 5, 6)
    assert playing.events == (Thrown(0, (2, 3, 4, 5, 6), 3), NothingScores(0))
    assert writes(playing) == ["ones", "penta"]


def test_nothing_is_said_while_a_throw_is_left() -> None:
    playing = penta(**filled(0, "penta")).throw(2, 3, 4, 4, 6)
    assert NothingScores(0) not in playing.events
    assert NothingScores(0) not in playing.do(Roll()).throw(2, 3, 4, 4, 6).events


def test_nothing_is_said_when_a_free_cell_scores() -> None:
    playing = penta(**filled(0, "penta", "twos")).throw(2, 3, 4, 4, 6).do(Roll()).throw(2, 3, 4, 4, 6).do(Roll())
    assert playing.throw(2, 3, 4, 5, 6).events == (Thrown(0, (2, 3, 4, 5, 6), 3),)


def last_throw(playing: Game, *dice: int) -> Game:
    """Let the same dice fall three times."""
    return playing.throw(*dice).do(Roll()).throw(*dice).do(Roll()).throw(*dice)


def test_a_further_penta_that_only_other_upper_cells_can_take_scores_nothing() -> None:
    playing = last_throw(penta(**filled(0, "threes", "fives", penta=50)), 4, 4, 4, 4, 4)
    assert playing.events[-1] == NothingScores(0)


# --- sheet games: the joker, extras, the bonus


def test_a_further_penta_must_take_its_own_upper_cell_while_that_is_free() -> None:
    playing = penta(penta=50).throw(4, 4, 4, 4, 4)
    assert writes(playing) == ["fours"]
    assert playing.refusal(Write("full_house")) == "cell_not_allowed"
    assert playing.refusal(Write("fives")) == "cell_not_allowed"
    assert playing.do(Write("fours")).events[0] == Wrote(0, "fours", 20, 100, 170)


def test_else_it_takes_a_free_lower_cell_with_the_jokers_scores() -> None:
    scores = {"set": 20, "kare": 20, "full_house": 25, "small_straight": 30, "large_straight": 40, "chance": 20}
    playing = penta(penta=50, fours=12).throw(4, 4, 4, 4, 4)
    assert writes(playing) == list(scores)
    assert playing.refusal(Write("fives")) == "cell_not_allowed"
    for cell, score in scores.items():
        again = penta(penta=50, fours=12).throw(4, 4, 4, 4, 4).do(Write(cell))
        assert again.events[0] == Wrote(0, cell, score, 100, 62 + score + 100)


def test_else_it_takes_another_upper_cell_for_0() -> None:
    free = ("ones", "twos", "threes", "fives", "sixes")
    playing = penta(**filled(0, *free, penta=50, fours=12)).throw(4, 4, 4, 4, 4)
    assert tuple(writes(playing)) == free
    for cell in free:
        again = penta(**filled(0, *free, penta=50, fours=12)).throw(4, 4, 4, 4, 4).do(Write(cell))
        assert again.events[0] == Wrote(0, cell, 0, 100, 62 + 100)


def test_a_sacrificed_penta_cell_gives_no_joker_and_no_extra() -> None:
    playing = penta(penta=0).throw(4, 4, 4, 4, 4)
    assert len(writes(playing)) == 12
    assert playing.do(Write("large_straight")).events[0] == Wrote(0, "large_straight", 0, 0, 0)


def test_the_first_penta_is_no_joker_and_earns_no_extra() -> None:
    playing = penta().throw(4, 4, 4, 4, 4)
    assert len(writes(playing)) == 13
    assert playing.do(Write("penta")).events[0] == Wrote(0, "penta", 50, 0, 50)


def test_a_penta_written_elsewhere_while_its_cell_is_free_earns_no_extra() -> None:
    assert penta().throw(4, 4, 4, 4, 4).do(Write("fours")).events[0] == Wrote(0, "fours", 20, 0, 20)


def test_each_further_penta_is_paid_again() -> None:
    playing = penta(penta=50).throw(4, 4, 4, 4, 4).do(Write("fours")).throw(4, 4, 4, 4, 4).do(Write("kare"))
    assert playing.events[0] == Wrote(0, "kare", 20, 100, 50 + 20 + 20 + 200)
    assert playing.state.boards[0] == SheetBoard(
        tuple({"fours": 20, "kare": 20, "penta": 50}.get(cell) for cell in sheet_table("penta").cells), 200
    )


def upper(total: int) -> dict[str, int]:
    """Upper cells but the sixes, so that three sixes make `total`."""
    return {"ones": total - 18 - 42, "twos": 6, "threes": 9, "fours": 12, "fives": 15}


def test_63_in_the_upper_section_earn_the_bonus() -> None:
    playing = penta(**upper(63)).throw(6, 6, 6, 1, 2).do(Write("sixes"))
    assert playing.events[:2] == (Wrote(0, "sixes", 18, 0, 98), BonusEarned(0, "upper", 35))
    assert playing.totals() == (98,)


def test_62_in_the_upper_section_earn_no_bonus() -> None:
    playing = penta(**upper(62)).throw(6, 6, 6, 1, 2).do(Write("sixes"))
    assert playing.events == (Wrote(0, "sixes", 18, 0, 62), TurnStarted(0))


def test_the_bonus_is_earned_once_and_at_once() -> None:
    playing = penta(twos=10, threes=15, fours=20, fives=25).throw(1, 1, 2, 3, 4)
    assert playing.totals() == (70 + 35,)
    assert playing.do(Write("ones")).events[0] == Wrote(0, "ones", 2, 0, 107)
    assert not any(isinstance(event, BonusEarned) for event in playing.events)


def test_lower_cells_and_extras_do_not_count_toward_the_bonus() -> None:
    playing = penta(extras=300, penta=50, chance=30).throw(6, 6, 6, 6, 6).do(Write("sixes"))
    assert playing.events[0] == Wrote(0, "sixes", 30, 100, 510)
    assert not any(isinstance(event, BonusEarned) for event in playing.events)


# --- sheet games: the end


def test_the_game_ends_when_all_sheets_are_full() -> None:
    table = sheet_table("penta")
    board = SheetBoard(tuple(filled(5, "chance").get(cell) for cell in table.cells))
    playing = Game(table, 2).with_boards(board, board).throw(1, 2, 3, 4, 5).do(Write("chance"))
    assert playing.events == (Wrote(0, "chance", 15, 0, 75), TurnStarted(1))
    ended = playing.throw(1, 2, 3, 4, 6).do(Write("chance")).events
    assert ended == (Wrote(1, "chance", 16, 0, 76), GameEnded(Outcome("sheets_full", (75, 76), (1,))))


@pytest.mark.parametrize(
    ("second", "winners"),
    [((6, 6, 6, 1, 1), (1,)), ((5, 5, 1, 1, 1), (0,)), ((5, 2, 3, 1, 4), (0, 1))],
)
def test_the_highest_total_wins_and_equal_ones_share(second: tuple[int, ...], winners: tuple[int, ...]) -> None:
    table = sheet_table("poker")
    board = SheetBoard(tuple(None if cell == "any" else 3 for cell in table.cells))
    playing = Game(table, 2).with_boards(board, board)
    playing.throw(1, 2, 3, 4, 5).do(Write("any")).throw(*second).do(Write("any"))
    ended = playing.events[-1]
    assert isinstance(ended, GameEnded)
    assert ended.outcome == Outcome("sheets_full", (48, 33 + sum(second)), winners)


def test_a_player_alone_takes_every_turn() -> None:
    playing = penta()
    for number, cell in enumerate(sheet_table("penta").cells, 1):
        playing.throw(1, 2, 3, 3, 6).do(Write(cell))
        assert (playing.state.turn is None) == (number == 13)
    assert playing.state.player == 0


# --- other dice than five or six dice with six faces


def test_faces_over_six_fall_where_the_dice_have_them() -> None:
    text = """
        name: Tens
        family: bank
        source: a test
        dice: {count: 3, faces: 10}
        combinations: {ten: {dice: [10], score: 100}}
        targets: {options: [300], default: 300}
        computer: {bank_at: 100}
    """
    table = compile_table("tens", load(text, "tens.yaml"))
    playing = Game(table).throw(10, 10, 10).keep(10, 10, 10).do(Bank())
    events: tuple[Event, ...] = (Banked(0, 300, 300), GameEnded(Outcome("target", (300,), (0,))))
    assert playing.events == events
    assert Game(table).refusal(Throw((10, 11, 1), 3)) == "face_not_on_die"
