"""The records of a game: seats, boards, turns, the state, the actions that change it and the events that tell of it.

All are frozen and survive JSON: `msgspec.json.decode(msgspec.json.encode(state), type=State)` is the same state.
A player is named by the number of the seat, a die by its position in the throw; both count from 0.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from dicecli.rules.patterns import Dice, Positions
from dicecli.rules.table import Sheet

Strength = Literal["easy", "normal", "expert"]


class Seat(Struct, frozen=True):
    """Who sits there; `strength` is how well a computer plays."""

    name: str
    computer: bool = False
    strength: Strength = "normal"


class BankBoard(Struct, frozen=True, tag="bank"):
    """What a player has banked, whether ever a turn, and how many turns in a row were lost."""

    total: int = 0
    opened: bool = False
    lost: int = 0


class SheetBoard(Struct, frozen=True, tag="sheet"):
    """A player's sheet, the extras earned so far and the throws saved."""

    sheet: Sheet
    extras: int = 0
    saved: int = 0


class BankTurn(Struct, frozen=True, tag="bank"):
    """A turn of a bank game.

    `hand` are the game's dice (by their places from 0) that are thrown next or were thrown last, `dice` what they
    show, `kept` which of `dice` are set aside now, `aside` what was set aside before.
    """

    hand: Positions
    stage: Literal["start", "throw", "keep", "decide"] = "throw"
    dice: Dice = ()
    kept: Positions = ()
    aside: Dice = ()
    points: int = 0
    throws: int = 0
    hot: int = 0
    must: Literal["roll", "bank"] | None = None
    one_throw: bool = False


class AccumulateTurn(Struct, frozen=True, tag="accumulate"):
    """A turn of an accumulate game: the last throw and the points so far."""

    stage: Literal["throw", "decide"] = "throw"
    dice: Dice = ()
    points: int = 0
    throws: int = 0
    one_throw: bool = False


class SheetTurn(Struct, frozen=True, tag="sheet"):
    """A turn of a sheet game: the dice by place, which of them are kept and which can't come back, the throws.

    `rolls` is how many throws the turn may have, `named` the cell that was announced.
    """

    rolls: int
    stage: Literal["throw", "choose"] = "throw"
    dice: Dice = ()
    kept: Positions = ()
    locked: Positions = ()
    throws: int = 0
    named: str | None = None


Board = BankBoard | SheetBoard
Turn = BankTurn | SheetTurn | AccumulateTurn
Reason = Literal["target", "rounds", "sheets_full", "won_at_once"]


class Left(Struct, frozen=True):
    """What a player who banked has left to the next: dice and the points of the turn."""

    hand: Positions
    points: int


class Outcome(Struct, frozen=True):
    """How a game ended: why, every player's total, and who won (several share a tie)."""

    reason: Reason
    totals: tuple[int, ...]
    winners: tuple[int, ...]


class State(Struct, frozen=True):
    """A whole game at one moment, the position in its stream of dice included; `turn` is None when it is over."""

    seats: tuple[Seat, ...]
    seed: str
    boards: tuple[Board, ...]
    turn: Turn | None
    player: int = 0
    position: int = 0
    target: int | None = None
    round: int = 1
    last_round: int | None = None
    left: Left | None = None
    won: int | None = None


class Throw(Struct, frozen=True, tag="throw"):
    """Chance throws: the dice that fell and where the stream stands after them."""

    dice: Dice
    position: int


class Keep(Struct, frozen=True, tag="keep"):
    """Set these dice aside; in a sheet game, hold just these when throwing again."""

    positions: Positions


class Roll(Struct, frozen=True, tag="roll"):
    """Throw the other dice again."""


class Bank(Struct, frozen=True, tag="bank"):
    """Bank the points of the turn."""


class Write(Struct, frozen=True, tag="write"):
    """Write the dice into a cell."""

    cell: str


class Announce(Struct, frozen=True, tag="announce"):
    """Name the cell that this turn will be written into."""

    cell: str


class TakeOver(Struct, frozen=True, tag="take"):
    """Go on with the dice and the points that the player before has left."""


Action = Throw | Keep | Roll | Bank | Write | Announce | TakeOver


class TurnStarted(Struct, frozen=True, tag="turn_started"):
    """A player's turn begins."""

    player: int


class Thrown(Struct, frozen=True, tag="thrown"):
    """Dice fell; in a sheet game all dice are shown, the held ones too."""

    player: int
    dice: Dice
    throw: int


class Kept(Struct, frozen=True, tag="kept"):
    """Dice were set aside; in a bank game for so many points, `points` in the turn so far."""

    player: int
    dice: Dice
    score: int | None = None
    points: int | None = None


class HotDice(Struct, frozen=True, tag="hot_dice"):
    """All dice have been set aside: all may be thrown again."""

    player: int


class LostTurn(Struct, frozen=True, tag="lost_turn"):
    """No die scores: the points of the turn are gone."""

    player: int
    lost: int


class TookOver(Struct, frozen=True, tag="took_over"):
    """The dice and points that the player before has left are taken over."""

    player: int
    dice: int
    points: int


class Fell(Struct, frozen=True, tag="fell"):
    """What a throw of an accumulate game gave; `points` in the turn so far."""

    player: int
    score: int
    points: int


class LostAll(Struct, frozen=True, tag="lost_all"):
    """A throw took the whole total away."""

    player: int
    lost: int


class Penalty(Struct, frozen=True, tag="penalty"):
    """Lost turns cost points."""

    player: int
    points: int
    total: int


class Overshot(Struct, frozen=True, tag="overshot"):
    """The target has to be hit exactly: the points of the turn are lost, turn back, or go to another player."""

    player: int
    points: int
    to: int | None
    total: int


class Announced(Struct, frozen=True, tag="announced"):
    """The cell for this turn was named."""

    player: int
    cell: str


class WonAtOnce(Struct, frozen=True, tag="won_at_once"):
    """A throw that wins the game."""

    player: int


class Banked(Struct, frozen=True, tag="banked"):
    """Points were banked."""

    player: int
    points: int
    total: int


class LastRound(Struct, frozen=True, tag="last_round"):
    """The player has reached the target: every other player has one more turn."""

    player: int


class NothingScores(Struct, frozen=True, tag="nothing_scores"):
    """No throw is left and no free cell scores: one has to be sacrificed."""

    player: int


class Wrote(Struct, frozen=True, tag="wrote"):
    """A cell was written; `total` is the whole sheet's."""

    player: int
    cell: str
    score: int
    extra: int
    total: int


class BonusEarned(Struct, frozen=True, tag="bonus_earned"):
    """A section has reached a bonus."""

    player: int
    bonus: str
    score: int


class GameEnded(Struct, frozen=True, tag="game_ended"):
    """The game is over."""

    outcome: Outcome


Event = (
    TurnStarted
    | Thrown
    | Kept
    | HotDice
    | LostTurn
    | TookOver
    | Fell
    | LostAll
    | Penalty
    | Overshot
    | Announced
    | WonAtOnce
    | Banked
    | LastRound
    | NothingScores
    | Wrote
    | BonusEarned
    | GameEnded
)
