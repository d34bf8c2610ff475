"""A game from its first throw to its end, for any front: the interactive table, lines, or JSON lines."""

from __future__ import annotations

from typing import Protocol

from dicecli.errors import Exit
from dicecli.game import game
from dicecli.game.moves import Action, Event, State
from dicecli.rules.table import Table
from dicecli.ui.helper import Helper


class Leave(Exception):  # noqa: N818 - a wish of the player, not a defect
    """The player leaves the game."""


class Front(Protocol):
    """How people see a game and say what they do."""

    helper: Helper

    def begin(self, state: State) -> None:
        """The game is about to begin."""

    def tell(self, state: State, events: tuple[Event, ...]) -> None:
        """This happened; the game stands at `state` now."""

    def decide(self, state: State) -> Action:
        """What the player whose turn it is does: a legal action; raises `Leave`."""

    def left(self, state: State) -> None:
        """The game was left in this state."""

    def end(self, state: State) -> None:
        """The game is over."""


def play(table: Table, started: game.Applied, front: Front) -> Exit:
    """Play a started game to its end, or until it is left."""
    state, events = started
    helper = front.helper
    try:
        front.begin(state)
        front.tell(state, events)
        while state.turn is not None:
            if game.awaits_chance(state):
                action: Action = game.deal(table, state)
            elif state.seats[state.player].computer:
                action = helper.choose(state)
            else:
                action = front.decide(state)
            helper.record.append((state, action))
            state, events = game.apply(table, state, action)
            front.tell(state, events)
    except Leave:
        front.left(state)
        return Exit.DONE
    except KeyboardInterrupt:
        front.left(state)
        return Exit.INTERRUPTED
    try:
        front.end(state)
    except Leave:
        return Exit.DONE
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    return Exit.DONE
