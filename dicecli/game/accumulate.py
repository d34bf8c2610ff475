"""One turn of an accumulate game: throw all dice, add up, and stop in time."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from dicecli.errors import Problem
from dicecli.game import turns
from dicecli.game.moves import (
    AccumulateTurn,
    Action,
    Bank,
    BankBoard,
    Event,
    Fell,
    LostAll,
    LostTurn,
    Roll,
    State,
    Throw,
    Thrown,
    WonAtOnce,
)
from dicecli.rules.patterns import Positions
from dicecli.rules.table import AccumulateTable

new_board, full, total = turns.new_board, turns.full, turns.total


def new_turn(table: AccumulateTable, state: State) -> AccumulateTurn:
    """A turn of the state's player before its first throw."""
    return AccumulateTurn(one_throw=turns.one_throw(table.ruleset, state))


def hand(table: AccumulateTable, turn: AccumulateTurn) -> Positions:
    """The dice that the next throw has: all."""
    return tuple(range(table.ruleset.dice.count))


def candidates(table: AccumulateTable, state: State) -> Iterator[Action]:
    """Every action that a player might take."""
    yield Roll()
    yield Bank()


def check(table: AccumulateTable, state: State, action: Action) -> Problem | None:
    """Why a player may not do this now, or None."""
    turn, board = state.turn, state.boards[state.player]
    assert isinstance(turn, AccumulateTurn) and isinstance(board, BankBoard)
    if isinstance(action, Roll):
        return Problem("must_bank") if turn.one_throw else None
    if not isinstance(action, Bank):
        return Problem("not_in_this_game")
    return turns.check_bank(table.ruleset, board, turn.points, not turn.one_throw)


def apply(table: AccumulateTable, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """The state (its turn None when over) and what happened, after a legal action."""
    turn, player = state.turn, state.player
    assert isinstance(turn, AccumulateTurn)
    if isinstance(action, Roll):
        return replace(state, turn=replace(turn, stage="throw")), ()
    if isinstance(action, Bank):
        boards, events = turns.bank(table.ruleset, state, turn.points)
        return replace(state, turn=None, boards=boards), events
    assert isinstance(action, Throw)
    turn = replace(turn, throws=turn.throws + 1)
    thrown = Thrown(player, action.dice, turn.throws)
    fallen = table.fallen(tuple(sorted(action.dice)))
    if fallen.lose:
        board = state.boards[player]
        assert isinstance(board, BankBoard)
        boards = state.boards
        lost: Event = LostTurn(player, turn.points)
        if fallen.lose == "all":
            boards = turns.put(state, player, replace(board, total=0))
            lost = LostAll(player, board.total + turn.points)
        return replace(state, turn=None, boards=boards), (thrown, lost)
    turn = replace(turn, stage="decide", dice=action.dice, points=turn.points + fallen.score)
    fell = Fell(player, fallen.score, turn.points)
    if turns.wins(table.wins.get(fallen.outcome or "", False), turn.throws):
        return replace(state, turn=None, won=player), (thrown, fell, WonAtOnce(player))
    return replace(state, turn=turn), (thrown, fell)
