"""The computer player: plays as the ruleset says, never stalls, never does what isn't allowed."""

from __future__ import annotations

from functools import lru_cache

from dicecli.game import bank, game
from dicecli.game.moves import Action, Bank, BankTurn, Keep, Roll, SheetBoard, SheetTurn, State, Write
from dicecli.players.chances import throws
from dicecli.players.lookahead import best_cell, best_keep
from dicecli.rules.patterns import positions_of
from dicecli.rules.table import BankTable, Option, SheetTable, Table

BEYOND = 1_000_000_000  # points: what ends the game well is worth more than any throw


def choose(table: Table, state: State) -> Action:
    """What the computer does in a state where a player has to decide."""
    turn, board = state.turn, state.boards[state.player]
    if isinstance(table, BankTable):
        assert isinstance(turn, BankTurn)
        return _bank(table, state, turn)
    assert isinstance(turn, SheetTurn) and isinstance(board, SheetBoard)
    return _sheet(table, turn, board)


def cell_for_me(table: SheetTable, turn: SheetTurn, board: SheetBoard) -> Option:
    """The cell that the computer would write the dice of `turn` into."""
    return best_cell(table, board.sheet, tuple(sorted(turn.dice)))


def _sheet(table: SheetTable, turn: SheetTurn, board: SheetBoard) -> Action:
    throws_left = table.ruleset.rolls - turn.throws
    dice = tuple(sorted(turn.dice))
    kept = best_keep(table, board.sheet, dice, throws_left) if throws_left else dice
    if kept == dice:
        return Write(best_cell(table, board.sheet, dice).cell)
    keep = Keep(positions_of(kept, turn.dice))
    return Roll() if set(keep.positions) == set(turn.kept) else keep


def _bank(table: BankTable, state: State, turn: BankTurn) -> Action:
    left = bank.dice_to_throw(table, turn)
    if turn.stage == "decide":
        gains = _next_throw(table, left)[1] > 0
        return Roll() if gains and turn.points < _enough(table, state, left) else Bank()

    goal = _goal(state, game.totals(table, state))

    def worth(keep_dice: tuple[int, ...], points: int) -> float:
        left = table.ruleset.dice.count - len(turn.aside) - len(keep_dice) or table.ruleset.dice.count
        if points >= goal:
            return points + BEYOND
        if points >= _enough(table, state, left):
            return points
        safe, gain = _next_throw(table, left)
        return safe * points + gain

    keeps = bank.keeps(table, turn).values()
    best = max(keeps, key=lambda keep: (worth(keep.dice, turn.points + keep.score), keep.score))
    return Keep(positions_of(best.dice, turn.dice))


@lru_cache(maxsize=256)
def _next_throw(table: BankTable, count: int) -> tuple[float, float]:
    """The chance that `count` dice score, and the mean of their best keep."""
    chances = throws(count, table.ruleset.dice.faces)
    best = {dice: table.best(dice) for dice in chances}
    safe = sum(chance for dice, chance in chances.items() if table.keeps(dice))
    return safe, sum(chance * best[dice] for dice, chance in chances.items())


def _enough(table: BankTable, state: State, left: int) -> int:
    """From how many points of the turn the computer banks with `left` dice to throw."""
    totals = game.totals(table, state)
    if state.last_round is not None:
        return _goal(state, totals)
    mine = totals[state.player]
    leader = max(totals)
    says = table.ruleset.computer
    enough = says.bank_at + says.dice_left.get(left, 0)
    if says.behind and leader > mine:
        enough += min(says.behind.most, (leader - mine) // says.behind.for_each * says.behind.add)
    return min(enough, _goal(state, totals))


def _goal(state: State, totals: tuple[int, ...]) -> int:
    """The points of the turn that reach the target, or that lead once the last round has begun."""
    mine = totals[state.player]
    return max(totals) - mine + 1 if state.last_round is not None else (state.target or 0) - mine
