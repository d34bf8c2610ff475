"""Best play found by walking a small game's states one by one: slow, plain, and independent of the solvers' arrays."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from itertools import product

import numpy as np

from dicecli.game import game
from dicecli.game.moves import AccumulateTurn, Action, Bank, BankBoard, BankTurn, Keep, State, Throw
from dicecli.rules.faces import rolls_of
from dicecli.rules.table import AccumulateTable, BankTable
from dicecli.rules.vocabulary import HotDice

Key = Hashable
End = Callable[[State, State], float | None]


class Referee:
    """The worth of every state before a throw that can be reached from `start`, for the player to move.

    `end(before, after)` gives the worth, for the player who moved, of a state in which the walk ends. With `two`
    what is good for one player is bad for the other: their worths add up to 1. Each turn costs `cost`. See
    `enough` for `cap`.
    """

    def __init__(
        self, table: BankTable | AccumulateTable, start: State, end: End, *, two: bool, cost: float, cap: int
    ) -> None:
        self.table, self.end, self.two, self.cap = table, end, two, cap
        hot_dice = table.ruleset.turn.hot_dice if isinstance(table, BankTable) else None
        self.multiplies = isinstance(hot_dice, HotDice) and hot_dice.multiplier > 0
        self.index: dict[Key, int] = {self.key(start): 0}
        states = [start]
        chances: list[float] = []
        lists: list[int] = []  # where the choices of each throw begin
        first: list[int] = []  # where the throws of each state begin
        targets: list[int] = []
        flips: list[bool] = []
        fixed: list[float] = []
        costs: list[float] = []
        for state in states:  # grows
            turn = state.turn
            assert isinstance(turn, (BankTurn, AccumulateTurn))
            first.append(len(lists))
            costs.append(cost if turn.throws == 0 else 0.0)
            for throw, chance in self.throws(state):
                lists.append(len(targets))
                chances.append(chance)
                for after in self.ends(game.apply(table, state, throw)[0]):
                    known = end(state, after)
                    if known is None and self.key(after) not in self.index:
                        self.index[self.key(after)] = len(states)
                        states.append(after)
                    targets.append(0 if known is not None else self.index[self.key(after)])
                    flips.append(two and after.player != state.player)
                    fixed.append(np.nan if known is None else known)
        values = np.full(len(states), 0.5 if two else 0.0)  # a game without an end is won by half
        known_worth, is_flip = np.array(fixed), np.array(flips)
        open_ones = np.isnan(known_worth)
        for _round in range(20_000):
            worth = values[targets]
            worth = np.where(open_ones, np.where(is_flip, 1 - worth, worth), known_worth)
            best = np.maximum.reduceat(worth, lists)
            new = np.add.reduceat(best * chances, first) + costs
            moved = np.abs(new - values).max()
            values = new
            if moved < 1e-14 * max(1.0, np.abs(values).max()):
                break
        self.values = values
        self.states = states

    def key(self, state: State) -> Key:
        """What of a state before a throw matters."""
        turn = state.turn
        assert isinstance(turn, (BankTurn, AccumulateTurn))
        weights = self.table.faces.weights
        hand = tuple(sorted(weights[die] for die in game.hand(self.table, state)))
        boards = tuple((board.total, board.opened) for board in state.boards if isinstance(board, BankBoard))
        if state.last_round is not None and not self.table.ruleset.end.exact:  # only the difference matters
            (mine, opened), (other, _) = boards[state.player], boards[state.player - 1]
            boards = ((other - mine, opened),)
        hot = turn.hot if isinstance(turn, BankTurn) and self.multiplies else 0
        points = min(turn.points, self.most(state))
        return (state.player, boards, hand, points, hot, turn.throws == 0, turn.one_throw, state.last_round)

    def throws(self, state: State) -> Iterator[tuple[Throw, float]]:
        """Every throw of the state's hand with its chance."""
        weights = [self.table.faces.weights[die] for die in game.hand(self.table, state)]
        whole = np.prod([sum(each) for each in weights], dtype=float)
        if len(set(weights)) == 1:
            for dice, weight in rolls_of(weights)[0].items():
                yield Throw(dice, state.position), weight / float(whole)
            return
        for dice in product(*([face for face, weight in enumerate(die, 1) if weight] for die in weights)):
            chance = np.prod([die[face - 1] for die, face in zip(weights, dice, strict=True)], dtype=float)
            yield Throw(dice, state.position), float(chance / whole)

    def ends(self, state: State) -> Iterator[State]:
        """The states before a throw, or at the end, that a player can choose to reach."""
        if state.turn is None or game.awaits_chance(state):
            yield state
            return
        actions = list(game.legal(self.table, state))
        assert isinstance(state.turn, (BankTurn, AccumulateTurn))
        hopes = True in self.table.wins.values() or self.table.ruleset.end.exact  # for a win, or to begin anew
        if Bank() in actions and self.enough(state) and not hopes:
            actions = [Bank()]
        for action in actions:
            yield from self.ends(game.apply(self.table, state, action)[0])

    def enough(self, state: State) -> bool:
        """Whether the player has so much that he banks: more would make no difference."""
        assert isinstance(state.turn, (BankTurn, AccumulateTurn))
        return state.turn.points >= self.most(state)

    def most(self, state: State) -> int:
        """The points of a turn that count: `cap` beyond the target and all other players."""
        totals = [board.total for board in state.boards if isinstance(board, BankBoard)]
        return max(*totals, state.target or 0) + self.cap - totals[state.player]

    def worth(self, state: State, action: Action) -> float:
        """The worth of an action for the player to move."""
        found = []
        after = game.apply(self.table, state, action)[0]
        for each in self.ends(after) if isinstance(action, Keep) else [after]:
            known = self.end(state, each)
            if known is None:
                known = float(self.values[self.index[self.key(each)]])
                known = 1 - known if self.two and each.player != state.player else known
            found.append(known)
        return max(found)


def chance_of_winning(table: BankTable | AccumulateTable, start: State, cap: int) -> Referee:
    """Two players who want to win, sharing a tie by halves."""

    def end(before: State, after: State) -> float | None:
        if after.turn is not None:
            return None
        outcome = game.outcome(table, after)
        assert outcome is not None
        return (before.player in outcome.winners) / len(outcome.winners)

    return Referee(table, start, end, two=True, cost=0.0, cap=cap)


def turns_to_come(table: BankTable | AccumulateTable, start: State, cap: int) -> Referee:
    """One player who wants few turns: minus their number."""
    return Referee(
        table, start, lambda _before, after: 0.0 if after.turn is None else None, two=False, cost=-1.0, cap=cap
    )


def points_of_turn(table: BankTable | AccumulateTable, start: State, cap: int) -> Referee:
    """One player who wants many points in the first turn."""

    def end(before: State, after: State) -> float | None:
        if after.won is not None:
            assert isinstance(before.turn, (BankTurn, AccumulateTurn))
            return np.nan
        board = after.boards[0]
        assert isinstance(board, BankBoard)
        over = after.turn is None or after.round > start.round
        return float(board.total) if over else None

    return Referee(table, start, end, two=False, cost=0.0, cap=cap)
