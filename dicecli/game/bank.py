"""One turn of a bank game: throw, set scoring dice aside, bank or throw again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product

from msgspec.structs import replace

from dicecli.errors import Problem
from dicecli.game import turns
from dicecli.game.moves import (
    Action,
    Bank,
    BankBoard,
    BankTurn,
    Event,
    HotDice,
    Keep,
    Kept,
    Left,
    LostTurn,
    Roll,
    State,
    TakeOver,
    Throw,
    Thrown,
    TookOver,
    WonAtOnce,
)
from dicecli.rules import table as rules
from dicecli.rules import vocabulary
from dicecli.rules.patterns import Dice, Positions, positions_of
from dicecli.rules.table import BankTable

new_board, full, total = turns.new_board, turns.full, turns.total


def new_turn(table: BankTable, state: State) -> BankTurn:
    """A turn of the state's player before its first throw."""
    board = state.boards[state.player]
    assert isinstance(board, BankBoard)
    carry = table.ruleset.carry
    may_take = carry and state.left and (carry.needs == "nothing" or board.opened)
    return BankTurn(_all_dice(table), "start" if may_take else "throw", one_throw=turns.one_throw(table.ruleset, state))


def _all_dice(table: BankTable) -> Positions:
    return tuple(range(table.ruleset.dice.count))


def hand(table: BankTable, turn: BankTurn) -> Positions:
    """The dice that the next throw of the turn has: those not set aside, or all when none is left."""
    left = tuple(die for at, die in enumerate(turn.hand) if at not in turn.kept)
    return left or _all_dice(table)


def keeps(table: BankTable, turn: BankTurn) -> dict[Dice, rules.Keep]:
    """What may be set aside of the last throw, best first."""
    return table.keeps(tuple(sorted(turn.dice)))


def candidates(table: BankTable, state: State) -> Iterator[Action]:
    """Every action that a player might take, each distinct choice of dice once."""
    turn = state.turn
    assert isinstance(turn, BankTurn)
    for kept in keeps(table, turn):
        yield from map(Keep, _ways(table, turn, kept))
    yield Roll()
    yield Bank()
    yield TakeOver()


def _ways(table: BankTable, turn: BankTurn, kept: Dice) -> Iterator[Positions]:
    """The ways to keep these faces: the same faces of dice that differ are another choice."""
    if len(set(table.faces.weights)) == 1:
        yield positions_of(kept, turn.dice)
        return
    ways: list[list[Positions]] = []
    for face, count in Counter(kept).items():
        there = [at for at, shows in enumerate(turn.dice) if shows == face]
        different = {
            tuple(sorted(table.faces.weights[turn.hand[at]] for at in some)): some
            for some in combinations(there, count)
        }
        ways.append(list(different.values()))
    for some in product(*ways):
        yield tuple(sorted(at for part in some for at in part))


def check(table: BankTable, state: State, action: Action) -> Problem | None:
    """Why a player may not do this now, or None."""
    turn, board = state.turn, state.boards[state.player]
    assert isinstance(turn, BankTurn) and isinstance(board, BankBoard)
    if not isinstance(action, (Keep, Roll, Bank, TakeOver)):
        return Problem("not_in_this_game")
    if turn.stage == "start":
        return None if isinstance(action, (Roll, TakeOver)) else Problem("take_or_roll")
    if isinstance(action, TakeOver):
        return Problem("nothing_to_take")
    if turn.stage == "keep":
        return _check_keep(table, turn, action)
    if isinstance(action, Keep):
        return Problem("already_kept")
    may_roll = turn.must != "bank" and not turn.one_throw
    if isinstance(action, Roll):
        return None if may_roll else Problem("must_bank")
    if turn.must == "roll" and may_roll:
        return Problem("must_roll")
    return turns.check_bank(table.ruleset, board, turn.points, may_roll)


def _check_keep(table: BankTable, turn: BankTurn, action: Action) -> Problem | None:
    if not isinstance(action, Keep):
        return Problem("keep_first")
    if not action.positions:
        return Problem("keep_one")
    kept = tuple(sorted(turn.dice[at] for at in action.positions))
    if kept in keeps(table, turn):
        return None
    shown = tuple(table.faces.show(face) for face in kept)
    return Problem("keep_all" if table.ruleset.turn.keep == "all" else "does_not_score", {"kept": shown})


def apply(table: BankTable, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """The state (its turn None when over) and what happened, after a legal action."""
    turn, player = state.turn, state.player
    assert isinstance(turn, BankTurn)
    match action:
        case Throw():
            return _throw(table, state, turn, action)
        case Keep():
            return _keep(table, state, turn, action)
        case TakeOver():
            assert state.left
            turn = replace(turn, stage="throw", hand=state.left.hand, points=state.left.points)
            taken = TookOver(player, len(turn.hand), turn.points)
            return replace(state, turn=turn, left=None), (taken,)
        case Roll() if turn.stage == "start":
            return replace(state, turn=replace(turn, stage="throw"), left=None), ()
        case Roll():
            aside = turn.aside + tuple(turn.dice[at] for at in turn.kept)
            aside = () if len(turn.kept) == len(turn.hand) else aside
            left = replace(turn, stage="throw", hand=hand(table, turn), dice=(), kept=(), aside=aside, must=None)
            return replace(state, turn=left), ()
    boards, events = turns.bank(table.ruleset, state, turn.points)
    hot = len(turn.kept) == len(turn.hand)
    left_over = Left(hand(table, turn), turn.points) if table.ruleset.carry and not hot else None
    return replace(state, turn=None, boards=boards, left=left_over), events


def _throw(table: BankTable, state: State, turn: BankTurn, action: Throw) -> tuple[State, tuple[Event, ...]]:
    turn = replace(turn, stage="keep", dice=action.dice, throws=turn.throws + 1)
    thrown = Thrown(state.player, action.dice, turn.throws)
    if keeps(table, turn):
        return replace(state, turn=turn), (thrown,)
    bust = table.ruleset.bust
    boards, events = turns.lose(state, bust.in_a_row, bust.first_throw, first=turn.throws == 1)
    state = replace(state, turn=None, boards=boards, left=None)
    return state, (thrown, LostTurn(state.player, turn.points), *events)


def _keep(table: BankTable, state: State, turn: BankTurn, action: Keep) -> tuple[State, tuple[Event, ...]]:
    player = state.player
    kept = tuple(turn.dice[at] for at in action.positions)
    best = keeps(table, turn)[tuple(sorted(kept))]
    rules_of_turn = table.ruleset.turn
    hot_dice = rules_of_turn.hot_dice
    hot_rule = hot_dice if isinstance(hot_dice, vocabulary.HotDice) else vocabulary.HotDice(hot_dice)
    hot = len(action.positions) == len(turn.hand)
    score = best.score * (1 + hot_rule.multiplier * turn.hot) + (hot_rule.bonus if hot else 0)
    must = None
    if any(part.combination in rules_of_turn.must_roll_after for part in best.parts):
        must = "roll"
    if hot and hot_rule.then != "may_roll":
        must = "roll" if hot_rule.then == "must_roll" else "bank"
    turn = replace(
        turn,
        stage="decide",
        kept=action.positions,
        points=turn.points + score,
        hot=turn.hot + hot,
        must=must,
    )
    events: tuple[Event, ...] = (Kept(player, kept, score, turn.points),)
    if any(turns.wins(table.wins.get(part.combination, False), turn.throws) for part in best.parts):
        return replace(state, turn=None, won=player), (*events, WonAtOnce(player))
    return replace(state, turn=turn), (*events, HotDice(player)) if hot else events
