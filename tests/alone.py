"""A referee that knows nothing of solvers: it plays a game out over all throws and all choices, one state at a time."""

from __future__ import annotations

from itertools import product

from msgspec.structs import replace

from dicecli.game import game
from dicecli.game.moves import Action, Keep, Roll, SheetBoard, SheetTurn, State, Throw
from dicecli.rules.table import Table


class Alone:
    """What a sheet game for one player is worth: the mean total under the best choices."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.known: dict[object, float] = {}
        self.sign = -1 if table.ruleset.end.win == "lowest" else 1

    def value(self, state: State) -> float:
        """The mean total that is still to be had (below 0 where the lowest wins)."""
        if state.turn is None:
            return self.sign * game.totals(self.table, state)[0]
        key, extras = self._key(state)
        if key not in self.known:
            self.known[key] = self._look(state) - extras
        return self.known[key] + extras

    def _key(self, state: State) -> tuple[object, int]:
        """A state as far as it matters: which die shows what is told by faces, or by places where dice differ."""
        turn, board = state.turn, state.boards[0]
        assert isinstance(turn, SheetTurn) and isinstance(board, SheetBoard)
        named = zip(self.table.faces.weights, turn.dice, strict=False)
        dice = [(weights, face, at in turn.kept, at in turn.locked) for at, (weights, face) in enumerate(named)]
        stage = (turn.stage, turn.throws, turn.rolls, turn.named)
        extras = 0 if self.table.ruleset.end.win == "points" else self.sign * board.extras
        return (board.sheet, board.saved, stage, tuple(sorted(dice))), extras

    def _look(self, state: State) -> float:
        if not game.awaits_chance(state):
            return max(self.choices(state).values())
        mean, faces = 0.0, self.table.faces
        hand = game.hand(self.table, state)
        for dice in product(range(1, faces.count + 1), repeat=len(hand)):
            chance = 1.0
            for at, face in zip(hand, dice, strict=True):
                chance *= faces.weights[at][face - 1] / sum(faces.weights[at])
            if chance:
                mean += chance * self.value(game.apply(self.table, state, Throw(dice, state.position))[0])
        return mean

    def choices(self, state: State) -> dict[Action, float]:
        """The worth of each choice; a `Keep` is one together with the throw after it."""
        found: dict[Action, float] = {}
        for action in game.legal(self.table, state):
            if isinstance(action, Roll):
                continue
            after = game.apply(self.table, state, action)[0]
            if isinstance(action, Keep):
                if game.check(self.table, after, Roll()) is not None:
                    continue
                after = game.apply(self.table, after, Roll())[0]
            found[action] = self.value(replace(after, position=0))
        return found
