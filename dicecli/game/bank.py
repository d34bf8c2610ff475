"""One turn of a bank game: throw, set scoring dice aside, bank or throw again."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from dicecli.errors import Problem
from dicecli.game.moves import (
    Action,
    Bank,
    BankBoard,
    Banked,
    BankTurn,
    Event,
    HotDice,
    Keep,
    Kept,
    LostTurn,
    Reason,
    Roll,
    Throw,
    Thrown,
)
from dicecli.rules import table as rules
from dicecli.rules.patterns import Dice, positions_of
from dicecli.rules.table import BankTable

Step = tuple[BankTurn | None, BankBoard, tuple[Event, ...]]

END: Reason = "target"


def new_board(table: BankTable) -> BankBoard:
    """A player's board before the first turn."""
    return BankBoard()


def new_turn(table: BankTable) -> BankTurn:
    """A turn before its first throw."""
    return BankTurn()


def full(board: BankBoard) -> bool:
    """Whether the player can have no further turn: never, a bank game ends by its target."""
    return False


def total(table: BankTable, board: BankBoard) -> int:
    """The player's points so far."""
    return board.total


def dice_to_throw(table: BankTable, turn: BankTurn) -> int:
    """How many dice the next throw of the turn has: those not set aside, or all when none is left."""
    left = table.ruleset.dice.count - len(turn.aside) - len(turn.kept)
    return left or table.ruleset.dice.count


def in_hand(turn: BankTurn) -> Dice:
    """The dice of the last throw that have not been set aside."""
    return tuple(face for at, face in enumerate(turn.dice) if at not in turn.kept)


def keeps(table: BankTable, turn: BankTurn) -> dict[Dice, rules.Keep]:
    """What may be set aside of the last throw, best first."""
    return table.keeps(tuple(sorted(turn.dice)))


def candidates(table: BankTable, turn: BankTurn, board: BankBoard) -> Iterator[Action]:
    """Every action that a player might take, each distinct choice of faces once."""
    for kept in keeps(table, turn):
        yield Keep(positions_of(kept, turn.dice))
    yield Roll()
    yield Bank()


def check(table: BankTable, turn: BankTurn, board: BankBoard, action: Action) -> Problem | None:
    """Why a player may not do this now, or None."""
    if not isinstance(action, (Keep, Roll, Bank)):
        return Problem("not_in_this_game")
    if turn.stage == "keep":
        if not isinstance(action, Keep):
            return Problem("keep_first", {"dice": turn.dice})
        if not action.positions:
            return Problem("keep_one", {"dice": turn.dice})
        kept = tuple(sorted(turn.dice[at] for at in action.positions))
        if kept not in keeps(table, turn):
            return Problem("does_not_score", {"kept": kept, "keeps": list(keeps(table, turn))})
        return None
    return Problem("already_kept") if isinstance(action, Keep) else None


def apply(table: BankTable, turn: BankTurn, board: BankBoard, player: int, action: Action) -> Step:
    """The turn (None when over), the player's board and what happened, after a legal action."""
    if isinstance(action, Throw):
        turn = replace(turn, stage="keep", dice=action.dice)
        thrown = Thrown(player, action.dice, 0)
        if keeps(table, turn):
            return turn, board, (thrown,)
        return None, board, (thrown, LostTurn(player, turn.points))
    if isinstance(action, Keep):
        kept = tuple(turn.dice[at] for at in action.positions)
        score = keeps(table, turn)[tuple(sorted(kept))].score
        turn = replace(turn, stage="decide", kept=action.positions, points=turn.points + score)
        events: tuple[Event, ...] = (Kept(player, kept, score, turn.points),)
        if len(turn.aside) + len(kept) == table.ruleset.dice.count:
            events += (HotDice(player),)
        return turn, board, events
    if isinstance(action, Roll):
        aside = turn.aside + tuple(turn.dice[at] for at in turn.kept)
        if len(aside) == table.ruleset.dice.count:
            aside = ()
        return BankTurn(aside=aside, points=turn.points), board, ()
    board = BankBoard(board.total + turn.points)
    return None, board, (Banked(player, turn.points, board.total),)
