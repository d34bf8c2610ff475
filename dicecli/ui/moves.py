"""Moves as line mode writes them: the dice that a line names, and the line that asks for an action."""

from __future__ import annotations

from collections.abc import Sequence

from dicecli.errors import BadMove, Problem
from dicecli.game.moves import AccumulateTurn, Action, Announce, Bank, Keep, SheetTurn, State, TakeOver, Write
from dicecli.rules.patterns import Positions, positions_of
from dicecli.rules.table import Table
from dicecli.ui.reading import read_dice
from dicecli.ui.render import shown, words


def read_positions(table: Table, state: State, rest: Sequence[str]) -> Positions:
    """The dice named by faces, or by places with `#`; `none` and nothing name none. Locked dice need not be named."""
    assert state.turn is not None and not isinstance(state.turn, AccumulateTurn)
    dice = state.turn.dice
    locked = state.turn.locked if isinstance(state.turn, SheetTurn) else ()
    free = [at for at in range(len(dice)) if at not in locked]
    if rest and all(word.startswith("#") for word in rest):
        places = [int(word[1:]) if word[1:].isascii() and word[1:].isdigit() and len(word) < 5 else 0 for word in rest]
        return tuple(sorted([*(place - 1 for place in places), *(at for at in locked if at + 1 not in places)]))
    if [word.lower() for word in rest] in (["none"], ["all"]):
        return tuple(range(len(dice))) if rest[0].lower() == "all" else locked
    wanted = read_dice(rest, table.faces, None)
    loose = tuple(dice[at] for at in free)
    if any(wanted.count(face) > loose.count(face) for face in wanted):
        raise BadMove(
            Problem("not_thrown", {"wanted": words(shown(table, wanted)), "dice": words(shown(table, loose))})
        )
    return tuple(sorted((*locked, *(free[at] for at in positions_of(wanted, loose)))))


def command_line(table: Table, state: State, action: Action) -> str:
    """The line that asks for `action`."""
    assert state.turn is not None
    match action:
        case Keep():
            locked = state.turn.locked if isinstance(state.turn, SheetTurn) else ()
            new = [at for at in sorted(action.positions) if at not in locked]  # those that stay need not be named
            faces = [str(face) for face in shown(table, [state.turn.dice[at] for at in new])]
            if new and read_positions(table, state, faces) != tuple(
                sorted(action.positions)
            ):  # not the first that show it
                faces = [f"#{at + 1}" for at in new]
            return f"keep {words(faces)}" if faces else "keep none"
        case Write():
            return f"write {action.cell}"
        case Announce():
            return f"announce {action.cell}"
        case TakeOver():
            return "take"
        case Bank():
            return "bank"
        case _:
            return "roll"
