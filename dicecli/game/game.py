"""A whole game: players in turn, chance, the last round, the end. Deterministic; nothing here draws a die unasked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from msgspec.structs import replace

from dicecli.errors import BadMove, BadUsage, Problem
from dicecli.game import bank, dice, sheet
from dicecli.game.moves import (
    Action,
    Event,
    GameEnded,
    Keep,
    LastRound,
    Outcome,
    Reason,
    Seat,
    State,
    Throw,
    TurnStarted,
)
from dicecli.rules.table import BankTable, SheetTable, Table

Applied = tuple[State, tuple[Event, ...]]


class Family(Protocol):
    """What a family of games says of one player's turn; each takes its own kind of table, turn and board."""

    END: Reason

    def new_board(self, table: Any) -> Any:
        """A player's board before the first turn."""

    def new_turn(self, table: Any) -> Any:
        """A turn before its first throw."""

    def full(self, board: Any) -> bool:
        """Whether the player can have no further turn."""

    def total(self, table: Any, board: Any) -> int:
        """The player's points so far."""

    def dice_to_throw(self, table: Any, turn: Any) -> int:
        """How many dice the next throw has."""

    def candidates(self, table: Any, turn: Any, board: Any) -> Iterator[Action]:
        """Every action that a player might take, each distinct choice of faces once."""

    def check(self, table: Any, turn: Any, board: Any, action: Action) -> Problem | None:
        """Why a player may not do this now, or None."""

    def apply(self, table: Any, turn: Any, board: Any, player: int, action: Action) -> tuple[Any, Any, Any]:
        """The turn (None when over), the board and the events after a legal action."""


_FAMILIES: dict[type, Family] = {BankTable: bank, SheetTable: sheet}


def start(table: Table, seats: Iterable[Seat], seed: str, target: int | None = None) -> Applied:
    """The first state of a game and its events; raises `BadUsage` for players or a target the rules don't allow.

    `target` is for bank games only (default: the ruleset's).
    """
    seats = tuple(seats)
    players = table.ruleset.players
    people = sum(not seat.computer for seat in seats)
    if not players.min <= len(seats) <= players.max:
        params = {"count": len(seats), "least": players.min, "most": players.max}
        raise BadUsage(Problem("wrong_number_of_players", params))
    if people > players.humans:
        raise BadUsage(Problem("too_many_people", {"count": people, "most": players.humans}))
    if isinstance(table, BankTable):
        target = table.ruleset.targets.default if target is None else target
        if target < 1:
            raise BadUsage(Problem("target_too_small", {"target": target}))
    elif target is not None:
        raise BadUsage(Problem("no_target", {"game": table.name}))
    family = _FAMILIES[type(table)]
    boards = (family.new_board(table),) * len(seats)
    return State(seats, seed, boards, family.new_turn(table), target=target), (TurnStarted(0),)


def awaits_chance(state: State) -> bool:
    """Whether dice have to be thrown next."""
    return state.turn is not None and state.turn.stage == "throw"


def dice_to_throw(table: Table, state: State) -> int:
    """How many dice the coming throw has."""
    return _FAMILIES[type(table)].dice_to_throw(table, state.turn)


def deal(table: Table, state: State) -> Throw:
    """The throw that the game's own stream of dice holds next."""
    count = dice_to_throw(table, state)
    return Throw(*dice.throw(state.seed, state.position, count, table.ruleset.dice.faces))


def check(table: Table, state: State, action: Action) -> Problem | None:
    """Why `action` is not allowed now, or None: the only place that decides it."""
    turn = state.turn
    if turn is None:
        return Problem("game_over")
    if turn.stage == "throw":
        return _check_throw(table, state, action)
    if isinstance(action, Throw):
        return Problem("no_throw_now")
    if isinstance(action, Keep):
        positions = action.positions
        if any(not 0 <= at < len(turn.dice) for at in positions) or len(set(positions)) < len(positions):
            return Problem("no_such_die", {"count": len(turn.dice)})
    return _FAMILIES[type(table)].check(table, turn, state.boards[state.player], action)


def _check_throw(table: Table, state: State, action: Action) -> Problem | None:
    if not isinstance(action, Throw):
        return Problem("throw_first")
    count, faces = dice_to_throw(table, state), table.ruleset.dice.faces
    if len(action.dice) != count:
        return Problem("wrong_number_of_dice", {"found": len(action.dice), "count": count})
    for face in action.dice:
        if not 1 <= face <= faces:
            return Problem("face_out_of_range", {"face": face, "most": faces})
    return None if action.position >= state.position else Problem("dice_thrown_before")


def legal(table: Table, state: State) -> Iterator[Action]:
    """What the player may do now, each distinct choice of faces once; nothing when it is chance's turn."""
    if state.turn is None or awaits_chance(state):
        return
    for action in _FAMILIES[type(table)].candidates(table, state.turn, state.boards[state.player]):
        if check(table, state, action) is None:
            yield action


def apply(table: Table, state: State, action: Action) -> Applied:
    """The state after `action` and what happened; raises `BadMove` if it isn't allowed."""
    problem = check(table, state, action)
    if problem:
        raise BadMove(problem)
    player = state.player
    turn, board, events = _FAMILIES[type(table)].apply(table, state.turn, state.boards[player], player, action)
    state = replace(
        state,
        turn=turn,
        boards=(*state.boards[:player], board, *state.boards[player + 1 :]),
        position=action.position if isinstance(action, Throw) else state.position,
    )
    if turn is not None:
        return state, events
    state, more = _next_player(table, state)
    return state, events + more


def _next_player(table: Table, state: State) -> Applied:
    """The turn goes round: the last round begins when the target is reached, and ends before who reached it."""
    family = _FAMILIES[type(table)]
    events: tuple[Event, ...] = ()
    following = (state.player + 1) % len(state.seats)
    if state.target is not None and state.last_round is None and totals(table, state)[state.player] >= state.target:
        state = replace(state, last_round=state.player)
        if len(state.seats) > 1:
            events = (LastRound(state.player),)
    if following == state.last_round or family.full(state.boards[following]):
        return state, (*events, GameEnded(_outcome(table, state)))
    state = replace(state, player=following, turn=family.new_turn(table))
    return state, (*events, TurnStarted(following))


def totals(table: Table, state: State) -> tuple[int, ...]:
    """Every player's points so far, those of a running turn not included."""
    return tuple(_FAMILIES[type(table)].total(table, board) for board in state.boards)


def outcome(table: Table, state: State) -> Outcome | None:
    """How the game ended, or None while it goes on."""
    return None if state.turn is not None else _outcome(table, state)


def _outcome(table: Table, state: State) -> Outcome:
    points = totals(table, state)
    winners = tuple(player for player, total in enumerate(points) if total == max(points))
    return Outcome(_FAMILIES[type(table)].END, points, winners)
