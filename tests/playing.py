"""How the tests play: a game driven by hand, and whole games played by a chooser."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from dicecli.errors import BadMove
from dicecli.game import game
from dicecli.game.moves import Action, BankBoard, Board, Event, Keep, Seat, SheetBoard, State, Throw
from dicecli.rules.patterns import positions_of
from dicecli.rules.table import SheetTable, Table

Chooser = Callable[[Table, State], Action]


def seats(count: int, *, people: int = 0) -> list[Seat]:
    """`count` seats, the first `people` of them for people."""
    return [Seat(f"player {number}", computer=number >= people) for number in range(count)]


class Game:
    """A game driven by hand: the state now and the events of the last action."""

    def __init__(self, table: Table, players: int = 1, target: int | None = None) -> None:
        self.table = table
        self.state, self.events = game.start(table, seats(players), "by hand", target)

    def do(self, *actions: Action) -> Game:
        """Apply the actions; `events` are those of all of them."""
        self.events = ()
        for action in actions:
            self.state, events = game.apply(self.table, self.state, action)
            self.events += events
        return self

    def throw(self, *dice: int) -> Game:
        """Let these dice fall."""
        return self.do(Throw(dice, self.state.position + len(dice)))

    def keep(self, *faces: int) -> Game:
        """Keep the first dice of the throw that show these faces."""
        assert self.state.turn is not None
        return self.do(Keep(positions_of(faces, self.state.turn.dice)))

    def with_boards(self, *boards: Board) -> Game:
        """Give the first players these boards."""
        self.state = replace(self.state, boards=(*boards, *self.state.boards[len(boards) :]))
        return self

    def with_totals(self, *totals: int) -> Game:
        """Give the first players these banked points."""
        return self.with_boards(*map(BankBoard, totals))

    def with_sheet(self, extras: int = 0, **cells: int) -> Game:
        """Give the first player a sheet that holds these cells."""
        assert isinstance(self.table, SheetTable)
        assert set(cells) <= set(self.table.cells)
        return self.with_boards(SheetBoard(tuple(cells.get(slot.name) for slot in self.table.slots), extras))

    def refusal(self, action: Action) -> str:
        """The code with which `action` is refused; the state must stay as it was."""
        before = msgspec.json.encode(self.state)
        with pytest.raises(BadMove) as caught:
            game.apply(self.table, self.state, action)
        assert msgspec.json.encode(self.state) == before
        assert caught.value.problems == (game.check(self.table, self.state, action),)
        return caught.value.problems[0].code

    def legal(self) -> list[Action]:
        return list(game.legal(self.table, self.state))

    def totals(self) -> tuple[int, ...]:
        return game.totals(self.table, self.state)


class Played(NamedTuple):
    """A whole game: the state before each action and at the end, the actions, the events of the start and of each."""

    states: list[State]
    actions: list[Action]
    events: list[tuple[Event, ...]]


def play(table: Table, players: list[Seat], seed: str, choose: Chooser, target: int | None = None) -> Played:
    """Play a whole game with dealt dice, `choose` deciding for every player."""
    state, events = game.start(table, players, seed, None if isinstance(table, SheetTable) else target)
    played = Played([state], [], [events])
    while state.turn is not None:
        action = game.deal(table, state) if game.awaits_chance(state) else choose(table, state)
        state, events = game.apply(table, state, action)
        played.states.append(state)
        played.actions.append(action)
        played.events.append(events)
        assert len(played.actions) <= 3000 * len(players), "the game does not end"
    return played
