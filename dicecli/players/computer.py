"""The computer player: plays as the ruleset says, never stalls, never does what isn't allowed."""

from __future__ import annotations

from dicecli.analysis.chances import Weights, even, next_throw
from dicecli.game import bank, game
from dicecli.game.moves import (
    AccumulateTurn,
    Action,
    Announce,
    Bank,
    BankBoard,
    BankTurn,
    Keep,
    Roll,
    SheetBoard,
    SheetTurn,
    State,
    TakeOver,
    Write,
)
from dicecli.game.turns import needed
from dicecli.players.lookahead import (
    announcement_worths,
    best_announcement,
    best_cell,
    best_keep,
    cell_worths,
    keep_worths,
)
from dicecli.rules.patterns import Positions, positions_of
from dicecli.rules.table import AccumulateTable, BankTable, Option, SheetTable, Table

BEYOND = 1_000_000_000  # points: what ends the game well is worth more than any throw


def choose(table: Table, state: State) -> Action:
    """What the computer does in a state where a player has to decide."""
    turn = state.turn
    if isinstance(table, SheetTable):
        return sheet_move(table, state)
    if isinstance(table, AccumulateTable):
        assert isinstance(turn, AccumulateTurn)
        return _stop(table, state, turn.points, table.ruleset.dice.count, gains=True)
    assert isinstance(turn, BankTurn)
    return _bank(table, state, turn)


def cell_for_me(table: SheetTable, turn: SheetTurn, board: SheetBoard) -> Option | None:
    """The cell that the computer would write the dice of `turn` into, if any may be written."""
    return best_cell(table, board.sheet, tuple(sorted(turn.dice)), turn.throws, turn.named)


def guesses(table: SheetTable, state: State) -> list[tuple[Action, float]]:
    """What the computer takes each choice of a sheet game for, best first: points above what cells usually give."""
    turn, board = state.turn, state.boards[state.player]
    assert isinstance(turn, SheetTurn) and isinstance(board, SheetBoard)
    dice = tuple(sorted(turn.dice))
    cells = cell_worths(table, board.sheet, dice, turn.throws, turn.named)
    found: list[tuple[Action, float]] = [(Write(option.cell), worth) for option, worth in cells.items()]
    if turn.throws < turn.rolls:
        locked = tuple(sorted(turn.dice[at] for at in turn.locked))
        held = keep_worths(table, board.sheet, dice, turn.rolls - turn.throws, locked, turn.named)
        found += [(Keep(_holding(kept, turn)), worth) for kept, worth in held.items() if kept != dice]
    found += [(Announce(name), worth) for name, worth in announcement_worths(table, state).items()]
    legal = [choice for choice in found if _may(table, state, choice[0])]
    return sorted(legal, key=lambda choice: -choice[1])


def _may(table: SheetTable, state: State, action: Action) -> bool:
    """Whether an action is legal, and after dice are held the throw too."""
    if game.check(table, state, action) is not None:
        return False
    return not isinstance(action, Keep) or game.check(table, game.apply(table, state, action)[0], Roll()) is None


def sheet_move(table: SheetTable, state: State, *, greedy: bool = False) -> Action:
    """A move of a sheet game; `greedy` looks one throw ahead, and only at the points that are written next."""
    turn, board = state.turn, state.boards[state.player]
    assert isinstance(turn, SheetTurn) and isinstance(board, SheetBoard)
    dice = tuple(sorted(turn.dice))
    write = best_cell(table, board.sheet, dice, turn.throws, turn.named, greedy=greedy)
    if game.check(table, state, Keep(turn.kept)) is None:  # there are throws left
        locked = tuple(sorted(turn.dice[at] for at in turn.locked))
        throws_left = 1 if greedy else turn.rolls - turn.throws
        kept = best_keep(table, board.sheet, dice, throws_left, locked, turn.named, greedy=greedy)
        if kept != dice or write is None:
            keep = Keep(_holding(kept, turn)) if kept != dice else Keep(())
            action: Action = Roll() if set(keep.positions) == set(turn.kept) else keep
            if game.check(table, state, action) is None:
                return action
    if write is not None:
        return Write(write.cell)
    return Announce(best_announcement(table, state, greedy=greedy))


def _holding(kept: tuple[int, ...], turn: SheetTurn) -> Positions:
    """The places of the faces `kept`, the locked ones first."""
    rest = list(kept)
    for at in turn.locked:
        rest.remove(turn.dice[at])
    free = [at for at in range(len(turn.dice)) if at not in turn.locked]
    more = positions_of(tuple(rest), tuple(turn.dice[at] for at in free))
    return tuple(sorted((*turn.locked, *(free[at] for at in more))))


def _bank(table: BankTable, state: State, turn: BankTurn) -> Action:
    left = bank.hand(table, turn)
    if turn.stage == "start":
        assert state.left
        safe, gain = next_throw(table, _weights(table, state.left.hand))
        fresh = next_throw(table, _weights(table, turn.hand))[1]
        return TakeOver() if even(safe * state.left.points + gain) > even(fresh) else Roll()
    if turn.stage == "decide":
        return _stop(table, state, turn.points, len(left), gains=next_throw(table, _weights(table, left))[1] > 0)
    goal = _goal(state)
    overshoots = table.ruleset.end.exact and state.target is not None

    def worth(positions: Positions, points: int) -> float:
        hand = bank.hand(table, BankTurn(turn.hand, kept=positions))
        if overshoots and points > goal:
            return 0
        if points >= goal:
            return points + BEYOND
        if points >= _enough(table, state, len(hand)):
            return points
        safe, gain = next_throw(table, _weights(table, hand))
        return safe * points + gain

    keeps = [(positions_of(keep.dice, turn.dice), keep.score) for keep in bank.keeps(table, turn).values()]
    return Keep(max(keeps, key=lambda keep: (even(worth(keep[0], turn.points + keep[1])), keep[1]))[0])


def _weights(table: BankTable, hand: Positions) -> Weights:
    return tuple(sorted(table.faces.weights[die] for die in hand))


def _stop(table: BankTable | AccumulateTable, state: State, points: int, left: int, *, gains: bool) -> Action:
    """Bank or throw again, as far as both are allowed."""
    wish: Action = Roll() if gains and points < _enough(table, state, left) else Bank()
    if game.check(table, state, wish) is None:
        return wish
    return Bank() if isinstance(wish, Roll) else Roll()


def _enough(table: BankTable | AccumulateTable, state: State, left: int) -> int:
    """From how many points of the turn the computer banks with `left` dice to throw."""
    if state.last_round is not None:
        return _goal(state)
    board = state.boards[state.player]
    assert isinstance(board, BankBoard)
    leader = max(each.total for each in state.boards if isinstance(each, BankBoard))
    says, turn = table.ruleset.computer, table.ruleset.turn
    enough = says.bank_at + says.dice_left.get(left, 0)
    if says.behind:
        enough += min(says.behind.most, (leader - board.total) // says.behind.for_each * says.behind.add)
    return min(max(enough, needed(turn.bank_at_least, turn.opening, board)), _goal(state))


def _goal(state: State) -> int:
    """The points of the turn that reach the target, or that lead once the last round has begun."""
    totals = [board.total for board in state.boards if isinstance(board, BankBoard)]
    mine = totals[state.player]
    return max(totals) - mine + 1 if state.last_round is not None else (state.target or 0) - mine
