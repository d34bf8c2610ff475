"""A whole game: players in turn, chance, the last round, the end. Deterministic; nothing here draws a die unasked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from msgspec.structs import replace

from dicecli.errors import BadMove, BadUsage, Problem
from dicecli.game import accumulate, bank, dice, sheet
from dicecli.game.moves import (
    AccumulateTurn,
    Action,
    Event,
    GameEnded,
    Keep,
    LastRound,
    Outcome,
    Seat,
    State,
    Throw,
    TurnStarted,
)
from dicecli.rules.patterns import Positions
from dicecli.rules.table import AccumulateTable, BankTable, SheetTable, Table
from dicecli.rules.vocabulary import SheetEnd

Applied = tuple[State, tuple[Event, ...]]


class Family(Protocol):
    """What a family of games says of one player's turn; each takes its own kind of table, turn and board."""

    def new_board(self, table: Any) -> Any:
        """A player's board before the first turn."""

    def new_turn(self, table: Any, state: State) -> Any:
        """A turn of the state's player before its first throw."""

    def full(self, board: Any) -> bool:
        """Whether the player can have no further turn."""

    def total(self, table: Any, board: Any) -> int:
        """The player's points so far."""

    def hand(self, table: Any, turn: Any) -> Positions:
        """The dice that the next throw has, by their places."""

    def candidates(self, table: Any, state: State) -> Iterator[Action]:
        """Every action that a player might take, each distinct choice of faces once."""

    def check(self, table: Any, state: State, action: Action) -> Problem | None:
        """Why a player may not do this now, or None."""

    def apply(self, table: Any, state: State, action: Action) -> Applied:
        """The state (its turn None when the player's turn is over) and the events after a legal action."""


_FAMILIES: dict[type, Family] = {BankTable: bank, SheetTable: sheet, AccumulateTable: accumulate}


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
    if not isinstance(table, SheetTable):
        target = table.ruleset.targets.default if target is None else target
        if target < 1:
            raise BadUsage(Problem("target_too_small", {"target": target}))
    elif target is not None:
        raise BadUsage(Problem("no_target", {"game": table.name}))
    family = _FAMILIES[type(table)]
    state = State(seats, seed, (family.new_board(table),) * len(seats), None, target=target)
    return replace(state, turn=family.new_turn(table, state)), (TurnStarted(0),)


def awaits_chance(state: State) -> bool:
    """Whether dice have to be thrown next."""
    return state.turn is not None and state.turn.stage == "throw"


def hand(table: Table, state: State) -> Positions:
    """The game's dice that the coming throw has, by their places from 0."""
    return _FAMILIES[type(table)].hand(table, state.turn)


def deal(table: Table, state: State) -> Throw:
    """The throw that the game's own stream of dice holds next."""
    return Throw(*dice.throw_hand(state.seed, state.position, table.faces, hand(table, state)))


def check(table: Table, state: State, action: Action) -> Problem | None:
    """Why `action` is not allowed now, or None: the only place that decides it."""
    turn = state.turn
    if turn is None:
        return Problem("game_over")
    if turn.stage == "throw":
        return _check_throw(table, state, action)
    if isinstance(action, Throw):
        return Problem("no_throw_now")
    if isinstance(action, Keep) and not isinstance(turn, AccumulateTurn):
        positions = action.positions
        if any(not 0 <= at < len(turn.dice) for at in positions) or len(set(positions)) < len(positions):
            return Problem("no_such_die", {"count": len(turn.dice)})
    return _FAMILIES[type(table)].check(table, state, action)


def _check_throw(table: Table, state: State, action: Action) -> Problem | None:
    if not isinstance(action, Throw):
        return Problem("throw_first")
    thrown = hand(table, state)
    if len(action.dice) != len(thrown):
        return Problem("wrong_number_of_dice", {"found": len(action.dice), "count": len(thrown)})
    for die, face in zip(thrown, action.dice, strict=True):
        if not 1 <= face <= table.faces.count or not table.faces.weights[die][face - 1]:
            return Problem("face_not_on_die", {"face": face})
    return None if action.position >= state.position else Problem("dice_thrown_before")


def legal(table: Table, state: State) -> Iterator[Action]:
    """What the player may do now, each distinct choice of faces once; nothing when it is chance's turn."""
    if state.turn is None or awaits_chance(state):
        return
    for action in _FAMILIES[type(table)].candidates(table, state):
        if check(table, state, action) is None:
            yield action


def apply(table: Table, state: State, action: Action) -> Applied:
    """The state after `action` and what happened; raises `BadMove` if it isn't allowed."""
    problem = check(table, state, action)
    if problem:
        raise BadMove(problem)
    if isinstance(action, Throw):
        state = replace(state, position=action.position)
    state, events = _FAMILIES[type(table)].apply(table, state, action)
    if state.turn is not None:
        return state, events
    state, more = _next_player(table, state)
    return state, events + more


def _next_player(table: Table, state: State) -> Applied:
    """The turn goes round, the last round begins when the target is reached, or the game ends."""
    family = _FAMILIES[type(table)]
    events: tuple[Event, ...] = ()
    if state.last_round is None and (there := _reached(table, state)):
        first = state.player if state.player in there else there[0]
        state = replace(state, last_round=first)
        events = (LastRound(first),)
    after = state.player
    if events and state.last_round != after and _following(family, state) == state.last_round:
        after = (after + 1) % len(state.seats)  # who was given the points that reach the target has no further turn
    following = _following(family, replace(state, player=after))
    if following is None or _ends(table, state, following):
        return state, (GameEnded(_outcome(table, state)),)
    new_round = state.round + (following <= state.player)
    state = replace(state, player=following, round=new_round)
    state = replace(state, turn=family.new_turn(table, state))
    return state, (*events, TurnStarted(following))


def _reached(table: Table, state: State) -> list[int]:
    """The players who have reached the target; in a game without one nobody has."""
    if state.target is None:
        return []
    return [player for player, total in enumerate(totals(table, state)) if total >= state.target]


def _following(family: Family, state: State) -> int | None:
    """The next player round the table who can have a turn."""
    count = len(state.seats)
    order = ((state.player + step) % count for step in range(1, count + 1))
    return next((player for player in order if not family.full(state.boards[player])), None)


def _ends(table: Table, state: State, following: int) -> bool:
    """Whether the game is over before the turn of `following`."""
    end = table.ruleset.end
    if state.won is not None or isinstance(end, SheetEnd):
        return state.won is not None
    if end.rounds and following <= state.player and state.round >= end.rounds:
        return True
    if state.last_round is None:
        return False
    if end.last_round == "equal_turns":
        return following == 0
    return end.last_round == "none" or following == state.last_round


def totals(table: Table, state: State) -> tuple[int, ...]:
    """Every player's points so far, those of a running turn not included."""
    return tuple(_FAMILIES[type(table)].total(table, board) for board in state.boards)


def outcome(table: Table, state: State) -> Outcome | None:
    """How the game ended, or None while it goes on."""
    return None if state.turn is not None else _outcome(table, state)


def _outcome(table: Table, state: State) -> Outcome:
    points = totals(table, state)
    if state.won is not None:
        return Outcome("won_at_once", points, (state.won,))
    best = min(points) if table.ruleset.end.win == "lowest" else max(points)
    winners = tuple(player for player, total in enumerate(points) if total == best)
    if isinstance(table, SheetTable):
        return Outcome("sheets_full", points, winners)
    return Outcome("rounds" if state.last_round is None else "target", points, winners)
