"""One turn of a sheet game: up to so many throws, then one free cell."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from msgspec.structs import replace

from dicecli.errors import Problem, near
from dicecli.game.moves import (
    Action,
    Announce,
    Announced,
    BonusEarned,
    Event,
    Keep,
    Kept,
    NothingScores,
    Roll,
    SheetBoard,
    SheetTurn,
    State,
    Throw,
    Thrown,
    WonAtOnce,
    Write,
    Wrote,
)
from dicecli.game.turns import put, wins
from dicecli.rules.patterns import Dice, Positions
from dicecli.rules.table import Option, SheetTable


def new_board(table: SheetTable) -> SheetBoard:
    """A player's board before the first turn."""
    return SheetBoard(table.empty)


def new_turn(table: SheetTable, state: State) -> SheetTurn:
    """A turn of the state's player before its first throw."""
    board = state.boards[state.player]
    assert isinstance(board, SheetBoard)
    return SheetTurn(table.ruleset.rolls + board.saved)


def full(board: SheetBoard) -> bool:
    """Whether the player can have no further turn: no cell is free."""
    return None not in board.sheet


def total(table: SheetTable, board: SheetBoard) -> int:
    """The player's points so far."""
    return table.total(board.sheet, board.extras)


def hand(table: SheetTable, turn: SheetTurn) -> Positions:
    """The dice that the next throw of the turn has: those not held."""
    return tuple(at for at in range(table.ruleset.dice.count) if at not in turn.kept)


def options(table: SheetTable, turn: SheetTurn, board: SheetBoard) -> tuple[Option, ...]:
    """The cells that are not full, with what the dice would score there now."""
    return table.options(board.sheet, tuple(sorted(turn.dice)), turn.throws, turn.named)


def candidates(table: SheetTable, state: State) -> Iterator[Action]:
    """Every action that a player might take, each distinct choice of dice once."""
    turn = state.turn
    assert isinstance(turn, SheetTurn)
    seen: set[tuple[tuple[int, tuple[int, ...]], ...]] = set()
    free = [at for at in range(len(turn.dice)) if at not in turn.locked]
    for count in range(len(free) + 1):
        for more in combinations(free, count):
            dice = tuple(sorted((turn.dice[at], table.faces.weights[at]) for at in more))
            if dice not in seen:  # the same faces of dice that differ are another choice
                seen.add(dice)
                yield Keep(tuple(sorted(turn.locked + more)))
    yield Roll()
    yield from (Announce(name) for name in table.cells if name in table.announced)
    yield from map(Write, table.cells)


def check(table: SheetTable, state: State, action: Action) -> Problem | None:
    """Why a player may not do this now, or None."""
    turn, board = state.turn, state.boards[state.player]
    assert isinstance(turn, SheetTurn) and isinstance(board, SheetBoard)
    if isinstance(action, Write):
        return _check_write(table, turn, board, action.cell)
    if isinstance(action, Announce):
        return _check_announce(table, turn, board, action.cell)
    if not isinstance(action, (Keep, Roll)):
        return Problem("not_in_this_game")
    if turn.throws >= turn.rolls:
        return Problem("no_rolls_left", {"rolls": turn.rolls})
    if isinstance(action, Keep):
        locked = set(turn.locked) <= set(action.positions)
        return (
            None
            if locked
            else Problem("locked", {"dice": tuple(table.faces.show(turn.dice[at]) for at in turn.locked)})
        )
    if len(turn.kept) == len(turn.dice):
        return Problem("all_kept")
    if table.ruleset.keep == "locked" and turn.kept == turn.locked:
        return Problem("keep_one_more")
    if not table.writable_later(board.sheet, turn.throws + 1, turn.named):
        return Problem("nothing_to_write_later", {"cells": _legal(table, turn, board)})
    return None


def _legal(table: SheetTable, turn: SheetTurn, board: SheetBoard) -> list[str]:
    return [option.cell for option in options(table, turn, board) if option.legal]


def _check_write(table: SheetTable, turn: SheetTurn, board: SheetBoard, cell: str) -> Problem | None:
    allowed = options(table, turn, board)
    option = next((option for option in allowed if option.cell == cell), None)
    if option is None:
        if cell not in table.at:
            return Problem("unknown_cell", {"cell": cell, **table.near_cell(cell)})
        return Problem("cell_taken", {"cell": cell})
    if option.legal:
        return None
    if turn.named is not None:
        return Problem("named_another", {"cell": turn.named})
    if cell in table.announced:
        return Problem("announce_before", {"cell": cell})
    if cell not in table.in_order(board.sheet):
        return Problem("out_of_order", {"cell": cell, "cells": _legal(table, turn, board)})
    return Problem("cell_not_allowed", {"cell": cell, "cells": _legal(table, turn, board)})


def _check_announce(table: SheetTable, turn: SheetTurn, board: SheetBoard, cell: str) -> Problem | None:
    if not table.announced:
        return Problem("not_in_this_game")
    if turn.named is not None:
        return Problem("named_another", {"cell": turn.named})
    if turn.throws != 1:
        return Problem("announce_after_first")
    if cell not in table.announced:
        return Problem("not_announced", {"cell": cell, **near(cell, table.announced)})
    if all(board.sheet[at] is not None for at in table.at[cell]):
        return Problem("cell_taken", {"cell": cell})
    return None if cell in table.in_order(board.sheet) else Problem("out_of_order", {"cell": cell, "cells": []})


def apply(table: SheetTable, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """The state (its turn None when over) and what happened, after a legal action."""
    turn, player = state.turn, state.player
    assert isinstance(turn, SheetTurn)
    match action:
        case Throw():
            return _throw(table, state, turn, action.dice)
        case Keep():
            kept = Kept(player, tuple(turn.dice[at] for at in action.positions))
            return replace(state, turn=replace(turn, kept=action.positions)), (kept,)
        case Announce():
            return replace(state, turn=replace(turn, named=action.cell)), (Announced(player, action.cell),)
        case Write():
            return _write(table, state, turn, action.cell)
        case _:
            locked = turn.kept if table.ruleset.keep == "locked" else ()
            return replace(state, turn=replace(turn, stage="throw", locked=locked)), ()


def _throw(table: SheetTable, state: State, turn: SheetTurn, fallen: Dice) -> tuple[State, tuple[Event, ...]]:
    board = state.boards[state.player]
    assert isinstance(board, SheetBoard)
    new = iter(fallen)
    dice = tuple(turn.dice[at] if at in turn.kept else next(new) for at in range(table.ruleset.dice.count))
    turn = replace(turn, stage="choose", dice=dice, throws=turn.throws + 1)
    events: tuple[Event, ...] = (Thrown(state.player, dice, turn.throws),)
    legal = [option for option in options(table, turn, board) if option.legal]
    wanted = table.ruleset.end.win != "lowest"  # where the lowest total wins, 0 is what one wants
    if turn.throws == turn.rolls and wanted and legal and not any(option.score for option in legal):
        events += (NothingScores(state.player),)
    return replace(state, turn=turn), events


def _write(table: SheetTable, state: State, turn: SheetTurn, cell: str) -> tuple[State, tuple[Event, ...]]:
    player = state.player
    board = state.boards[player]
    assert isinstance(board, SheetBoard)
    option = next(option for option in options(table, turn, board) if option.cell == cell)
    slot = table.slots[table.at[cell][0]]
    before = table.bonuses(board.sheet, slot.column)
    saved = turn.rolls - turn.throws if table.ruleset.save_unused_rolls else 0
    board = SheetBoard(table.write(board.sheet, cell, option.score), board.extras + option.extra, saved)
    points = table.total(board.sheet, board.extras)
    events: list[Event] = [Wrote(player, cell, option.score, option.extra, points)]
    for name, bonus in table.bonuses(board.sheet, slot.column).items():
        if bonus > before[name]:
            events.append(BonusEarned(player, name, bonus))
    won = option.score > 0 and wins(table.ruleset.cells[slot.cell].wins, turn.throws)
    if won:
        events.append(WonAtOnce(player))
    state = replace(state, turn=None, boards=put(state, player, board), won=player if won else state.won)
    return state, tuple(events)
