"""One turn of a sheet game: up to so many throws, then one free cell."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from msgspec.structs import replace

from dicecli.errors import Problem, near
from dicecli.game.moves import (
    Action,
    BonusEarned,
    Event,
    Keep,
    Kept,
    NothingScores,
    Reason,
    Roll,
    SheetBoard,
    SheetTurn,
    Throw,
    Thrown,
    Write,
    Wrote,
)
from dicecli.rules.patterns import Dice
from dicecli.rules.table import Option, SheetTable

Step = tuple[SheetTurn | None, SheetBoard, tuple[Event, ...]]

END: Reason = "sheets_full"


def new_board(table: SheetTable) -> SheetBoard:
    """A player's board before the first turn."""
    return SheetBoard(table.empty)


def new_turn(table: SheetTable) -> SheetTurn:
    """A turn before its first throw."""
    return SheetTurn()


def full(board: SheetBoard) -> bool:
    """Whether the player can have no further turn: no cell is free."""
    return None not in board.sheet


def total(table: SheetTable, board: SheetBoard) -> int:
    """The player's points so far."""
    return table.total(board.sheet, board.extras)


def dice_to_throw(table: SheetTable, turn: SheetTurn) -> int:
    """How many dice the next throw of the turn has: those not held."""
    return table.ruleset.dice.count - len(turn.kept)


def options(table: SheetTable, turn: SheetTurn, board: SheetBoard) -> tuple[Option, ...]:
    """The free cells with what the dice would score there now."""
    return table.options(board.sheet, tuple(sorted(turn.dice)))


def candidates(table: SheetTable, turn: SheetTurn, board: SheetBoard) -> Iterator[Action]:
    """Every action that a player might take, each distinct choice of faces once."""
    seen: set[Dice] = set()
    everything = range(len(turn.dice))
    for count in range(len(turn.dice) + 1):
        for positions in combinations(everything, count):
            faces = tuple(sorted(turn.dice[at] for at in positions))
            if faces not in seen:
                seen.add(faces)
                yield Keep(positions)
    yield Roll()
    for cell in table.cells:
        yield Write(cell)


def check(table: SheetTable, turn: SheetTurn, board: SheetBoard, action: Action) -> Problem | None:
    """Why a player may not do this now, or None."""
    if isinstance(action, Write):
        return _check_write(table, turn, board, action.cell)
    if not isinstance(action, (Keep, Roll)):
        return Problem("not_in_this_game")
    if turn.throws >= table.ruleset.rolls:
        return Problem("no_rolls_left", {"rolls": table.ruleset.rolls})
    if isinstance(action, Roll) and len(turn.kept) == len(turn.dice):
        return Problem("all_kept")
    return None


def _check_write(table: SheetTable, turn: SheetTurn, board: SheetBoard, cell: str) -> Problem | None:
    allowed = options(table, turn, board)
    option = next((option for option in allowed if option.cell == cell), None)
    legal = [option.cell for option in allowed if option.legal]
    if option is None:
        if cell not in table.index:
            return Problem("unknown_cell", {"cell": cell, **near(cell, table.cells)})
        return Problem("cell_taken", {"cell": cell, "cells": legal})
    return None if option.legal else Problem("joker_elsewhere", {"cell": cell, "cells": legal})


def apply(table: SheetTable, turn: SheetTurn, board: SheetBoard, player: int, action: Action) -> Step:
    """The turn (None when over), the player's board and what happened, after a legal action."""
    if isinstance(action, Throw):
        return _throw(table, turn, board, player, action.dice)
    if isinstance(action, Keep):
        turn = replace(turn, kept=action.positions)
        return turn, board, (Kept(player, tuple(turn.dice[at] for at in action.positions)),)
    if isinstance(action, Roll):
        return replace(turn, stage="throw"), board, ()
    assert isinstance(action, Write)
    option = next(option for option in options(table, turn, board) if option.cell == action.cell)
    before = table.bonuses(board.sheet)
    at = table.index[option.cell]
    board = SheetBoard((*board.sheet[:at], option.score, *board.sheet[at + 1 :]), board.extras + option.extra)
    total = table.total(board.sheet, board.extras)
    events: list[Event] = [Wrote(player, option.cell, option.score, option.extra, total)]
    for name, points in table.bonuses(board.sheet).items():
        if points > before[name]:
            events.append(BonusEarned(player, name, points))
    return None, board, tuple(events)


def _throw(table: SheetTable, turn: SheetTurn, board: SheetBoard, player: int, fallen: Dice) -> Step:
    new = iter(fallen)
    dice = tuple(turn.dice[at] if at in turn.kept else next(new) for at in range(table.ruleset.dice.count))
    turn = SheetTurn("choose", dice, turn.kept, turn.throws + 1)
    events: tuple[Event, ...] = (Thrown(player, dice, turn.throws),)
    if turn.throws == table.ruleset.rolls and not any(o.score for o in options(table, turn, board) if o.legal):
        events += (NothingScores(player),)
    return turn, board, events
