"""Weaker players: one who is easy to beat, and one who always banks at the same points."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from dicecli.game import bank
from dicecli.game.moves import Action, BankTurn, Keep, Roll, State
from dicecli.players import computer
from dicecli.rules.patterns import positions_of
from dicecli.rules.table import BankTable, SheetTable, Table, compile_table


def choose(table: Table, state: State) -> Action:
    """What an easy player does: takes the points that are there, and thinks of nothing else.

    On a sheet it looks one throw ahead and writes the cell that gives the most points now, whatever it spoils. Else
    it sets aside the dice with the most points and banks at the ruleset's `bank_at`, like `banking_at`.
    """
    turn = state.turn
    if isinstance(table, SheetTable):
        return computer.sheet_move(table, state, greedy=True)
    if isinstance(turn, BankTurn) and turn.stage == "start":
        return Roll()
    if isinstance(table, BankTable) and isinstance(turn, BankTurn) and turn.stage == "keep":
        most = next(iter(bank.keeps(table, turn).values()))
        return Keep(positions_of(most.dice, turn.dice))
    return computer.choose(banking_at(table, table.ruleset.computer.bank_at), state)


@lru_cache(maxsize=32)
def banking_at(table: Table, points: int) -> Table:
    """A bank or accumulate game whose computer banks at so many points, whatever dice are left and who leads.

    What is needed to open, what reaches the target and what leads in the last round still count.
    """
    assert not isinstance(table, SheetTable)
    says = replace(table.ruleset.computer, bank_at=points, dice_left={}, behind=None)
    return compile_table(table.name, replace(table.ruleset, computer=says))
