"""The coach: what every choice is worth, the best one, and a game looked back on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from dicecli.analysis.chances import even
from dicecli.game.moves import Action, BankTurn, Keep, Roll, SheetTurn, State, Throw
from dicecli.rules.table import Table

Unit = Literal["points", "turn", "turns", "chance", "guess"]
Choices = list[tuple[Action, float]]
Record = Sequence[tuple[State, Action]]  # every action of a game, throws too, with the state before it


class Coach(NamedTuple):
    """Knows what every choice is worth, the more the better.

    `unit` says in what: the points of the whole game (`points`; below 0 where the lowest total wins), those of a turn
    (`turn`), turns still to come (`turns`, below 0), the chance of winning (`chance`), or a guess of points above
    what is usual (`guess`). `choices(state)` are all choices with their worths, best first; `start` is what a game is
    worth to each player before the first throw, if that is known; `left_out` has codes of rules that aren't weighed.
    """

    unit: Unit
    choices: Callable[[State], Choices]
    start: tuple[float, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether worths are of the whole game: it has a `start`, and a result in the same unit."""
        alone = len(self.start) == 1  # who doesn't reach the target has no number of turns
        return self.unit in ("points", "chance") or (self.unit == "turns" and alone)


class Judged(NamedTuple):
    """A decision: the state that it was made in, what was done and what best play does, each with its worth."""

    state: State
    action: Action
    worth: float
    best: Action
    best_worth: float

    @property
    def cost(self) -> float:
        """What it cost against best play."""
        return self.best_worth - self.worth

    @property
    def right(self) -> bool:
        """Whether nothing was better, but for rounding."""
        return even(self.cost) == 0


class Review(NamedTuple):
    """A player's game looked back on.

    `start` is what the game was worth before the first throw, `cost` what the decisions gave away, `luck` the rest of
    what the game brought (`result`) above or below that: the dice, and what other players did. These mean nothing
    where the coach doesn't know what a whole game is worth (`Coach.whole`).
    """

    player: int
    decisions: tuple[Judged, ...]
    start: float
    result: float

    @property
    def cost(self) -> float:
        """What all decisions cost together."""
        return sum(decision.cost for decision in self.decisions)

    @property
    def luck(self) -> float:
        """What the result owes to anything but the decisions."""
        return self.result - self.start + self.cost

    @property
    def accuracy(self) -> float:
        """The share of decisions than which nothing was better."""
        right = sum(decision.right for decision in self.decisions)
        return right / len(self.decisions) if self.decisions else 1.0

    @property
    def costliest(self) -> list[Judged]:
        """The three decisions that cost most, the worst first."""
        wrong = [decision for decision in self.decisions if not decision.right]
        return sorted(wrong, key=lambda decision: -decision.cost)[:3]


def best(coach: Coach, state: State) -> Action:
    """What the coach would do."""
    action = coach.choices(state)[0][0]
    turn = state.turn
    if isinstance(turn, SheetTurn) and isinstance(action, Keep) and action.positions == turn.kept:
        return Roll()
    return action


def decided(state: State, action: Action) -> Action | None:
    """The choice among a coach's that an action stands for; None for chance, and for dice held but not thrown yet."""
    if isinstance(action, Throw):
        return None
    if isinstance(state.turn, SheetTurn):
        if isinstance(action, Keep):
            return None
        if isinstance(action, Roll):
            return Keep(state.turn.kept)
    return action


def review(table: Table, coach: Coach, record: Record, player: int, result: float) -> Review:
    """The decisions of a player in a whole game; `result` is what it brought in the coach's unit."""
    judged = []
    for state, action in record:
        choice = decided(state, action)
        if state.player != player or choice is None:
            continue
        choices = coach.choices(state)
        best_action, best_worth = choices[0]
        judged.append(Judged(state, choice, _worth(table, state, choice, choices), best_action, best_worth))
    start = coach.start[player] if coach.whole else 0.0
    return Review(player, tuple(judged), start, result)


def _worth(table: Table, state: State, choice: Action, choices: Choices) -> float:
    """The worth of a choice, or of that which keeps the same faces with other dice of the same kind."""
    for action, worth in choices:
        if action == choice:
            return worth
    assert isinstance(choice, Keep)
    wanted = _alike(table, state, choice)
    return next(
        worth for action, worth in choices if isinstance(action, Keep) and _alike(table, state, action) == wanted
    )


def _alike(table: Table, state: State, keep: Keep) -> list[tuple[int, tuple[int, ...]]]:
    """What is kept: faces, with the weights of the dice that show them."""
    turn = state.turn
    assert turn
    hand = turn.hand if isinstance(turn, BankTurn) else range(len(turn.dice))
    return sorted((turn.dice[at], table.faces.weights[hand[at]]) for at in keep.positions)
