"""What turns of bank and accumulate games share: when points may be banked, and what a lost turn costs."""

from __future__ import annotations

from msgspec.structs import replace

from dicecli.errors import Problem
from dicecli.game.moves import BankBoard, Banked, Board, Event, Overshot, Penalty, State
from dicecli.rules.vocabulary import AccumulateRuleset, BankRuleset, FirstThrow, InARow, Opening

Settled = tuple[tuple[Board, ...], tuple[Event, ...]]


def new_board(table: object) -> BankBoard:
    """A player's board before the first turn."""
    return BankBoard()


def full(board: BankBoard) -> bool:
    """Whether the player can have no further turn: never, the game ends by its target or its rounds."""
    return False


def total(table: object, board: BankBoard) -> int:
    """The player's points so far."""
    return board.total


def one_throw(ruleset: BankRuleset | AccumulateRuleset, state: State) -> bool:
    """Whether the coming turn has one throw only: in the last round of games that end so."""
    return state.last_round is not None and ruleset.end.last_round == "others_one_throw"


def needed(least: int, opening: Opening | None, board: BankBoard) -> int:
    """The points that a turn must have to be banked for something."""
    return max(least, opening.at_least if opening and not board.opened else 0)


def check_bank(
    ruleset: BankRuleset | AccumulateRuleset, board: BankBoard, points: int, may_roll: bool
) -> Problem | None:
    """Why so many points may not be banked now, or None; who can't throw again may always stop."""
    least, opening = ruleset.turn.bank_at_least, ruleset.turn.opening
    need = needed(least, opening, board)
    below = opening.below if opening and points >= least else "continue"
    if points >= need or not may_roll or below == "lost":
        return None
    return Problem("bank_more", {"points": points, "needed": need})


def bank(ruleset: BankRuleset | AccumulateRuleset, state: State, points: int) -> Settled:
    """The boards after a player has banked `points`, and what happened."""
    player = state.player
    board = state.boards[player]
    assert isinstance(board, BankBoard)
    if points < needed(ruleset.turn.bank_at_least, ruleset.turn.opening, board):
        points = 0
    total = board.total + points
    target = state.target or 0
    if ruleset.end.exact and total > target:
        return _overshoot(ruleset.end.exact, state, board, points)
    board = BankBoard(total, board.opened or points > 0)
    return put(state, player, board), (Banked(player, points, total),)


def _overshoot(exact: str, state: State, board: BankBoard, points: int) -> Settled:
    player = state.player
    target = state.target or 0
    if exact == "back":
        after = replace(board, total=max(0, 2 * target - board.total - points), lost=0)
        return put(state, player, after), (Overshot(player, points, player, after.total),)
    if exact == "bust" or len(state.seats) == 1:
        return state.boards, (Overshot(player, points, None, board.total),)
    others = [
        each.total if isinstance(each, BankBoard) and seat != player else target
        for seat, each in enumerate(state.boards)
    ]
    lowest = others.index(min(others))
    receiver = state.boards[lowest]
    assert isinstance(receiver, BankBoard)
    given = replace(receiver, total=min(target, receiver.total + points), opened=True)
    return put(state, lowest, given), (Overshot(player, points, lowest, given.total),)


def lose(state: State, in_a_row: InARow | None, first_throw: FirstThrow | None, *, first: bool) -> Settled:
    """The boards after a lost turn, and what it cost; `first` says that the turn had only one throw."""
    player = state.player
    board = state.boards[player]
    assert isinstance(board, BankBoard)
    board = replace(board, lost=board.lost + 1)
    events: list[Event] = []
    for rule, applies in ((first_throw, first), (in_a_row, in_a_row is not None and board.lost >= in_a_row.times)):
        if rule and applies:
            total = board.total + rule.score
            if rule.floor is not None:
                total = max(total, min(rule.floor, board.total))
            if total != board.total:
                events.append(Penalty(player, total - board.total, total))
            board = replace(board, total=total, lost=0 if rule is in_a_row else board.lost)
    return put(state, player, board), tuple(events)


def wins(rule: bool | str, throws: int) -> bool:
    """Whether what was thrown at throw number `throws` wins at once, by a ruleset's `wins`."""
    return rule is True or (rule == "first_roll" and throws == 1)


def put(state: State, player: int, board: Board) -> tuple[Board, ...]:
    """The boards with another one for a player."""
    return (*state.boards[:player], board, *state.boards[player + 1 :])
