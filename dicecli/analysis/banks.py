"""Best play of bank and accumulate games, exactly: points of a turn, turns to the target, the chance of winning.

All three are one recursion over a turn. What a player decides depends on the hand (the dice left to throw), the points
of the turn and, where hot dice multiply, how often the dice were hot. `Throws` holds what each hand may throw; `_sweep`
values every hand at every number of points, the most points first, for many games at once (the lanes). What differs is
what banking and losing a turn are worth: points, turns still to come, or the chance of winning.

A level is a number of points, counted in steps of `Throws.step`; totals are counted in the same steps. In every
currency more is better, so turns to come are negative.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from itertools import product
from math import ceil, comb, gcd, inf, isfinite, log, prod
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dicecli.game import bank, game
from dicecli.game.moves import AccumulateTurn, Action, Bank, BankBoard, BankTurn, Keep, Roll, State, TakeOver
from dicecli.rules.faces import rolls_of
from dicecli.rules.patterns import Positions
from dicecli.rules.table import AccumulateTable, BankTable
from dicecli.rules.vocabulary import HotDice

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Hand = tuple[int, ...]  # how many dice of each kind are left to throw
Game = BankTable | AccumulateTable
Must = Literal["roll", "bank"] | None

ENOUGH = 1e-12  # a change that no longer counts
UNLIKELY = 1e-10  # a chance of winning that no longer counts
MOST_LEVELS = 50_000  # of a turn; beyond, banking is taken for best
MOST_ROUNDS = 10_000  # of an iteration
NEVER = 1e12  # turns to come where there is no way to the target
FOREVER = 1e8
SAFE = 1 - 1e-9  # a chance that is sure, but for rounding
MOST_TURNS = 2000  # single turns that are remembered
MIXED = 8  # rounds
NUDGE = 1e-6  # a step to find a slope by
MOST_HOT = 20  # hot dice of a turn that are told apart


class Choice(NamedTuple):
    """What keeping some dice of a throw gives, and what may be done then: `must` throw, bank, or either (None)."""

    score: int
    node: int
    must: Must
    wins: bool


class Throws:
    """What may be thrown in a turn, and what may be kept of it.

    A node is a hand, and how many hot dice there were where they multiply; `start` is where a turn begins. Throws
    that leave the same choices are one list of choices. Arrays over the choices of all lists come by rank: the first
    choice of every list, then the second of those that have one, ...; the lists with most choices are first.
    `onward` says that there may be a reason to throw on where points no longer matter: to win at once, or, beyond a
    target that has to be hit, to begin anew.
    """

    def __init__(self, table: Game) -> None:
        weights = table.faces.weights
        self.kinds_of_dice = tuple(dict.fromkeys(weights))
        self.whole: Hand = tuple(weights.count(kind) for kind in self.kinds_of_dice)
        if isinstance(table, BankTable):
            self.hands = [hand for hand in product(*(range(count + 1) for count in self.whole)) if any(hand)]
            self._keeping(table)
        else:
            self.hands = [self.whole]
            self._adding(table)
        exact = bool(table.ruleset.end.exact)
        self._arrange(exact=exact)
        self.onward = self.wins or bool(exact and self.lost_all.any())

    def node(self, hand: Hand, hot: int = 0) -> int:
        """The node of a hand after so many hot dice."""
        return min(hot, self.most_hot) * len(self.hands) + self._index[hand]

    def _keeping(self, table: BankTable) -> None:
        """The lists of a bank game."""
        hot_dice = table.ruleset.turn.hot_dice
        hot_rule = hot_dice if isinstance(hot_dice, HotDice) else HotDice(hot_dice)
        self._index = {hand: at for at, hand in enumerate(self.hands)}
        kept = [_Kept(table, self.kinds_of_dice, hand) for hand in self.hands]
        self.most_hot = _most_hot(kept) if hot_rule.multiplier else 0
        self.nodes = (self.most_hot + 1) * len(self.hands)
        self.start = self.node(self.whole)
        self._lists: list[dict[frozenset[Choice], float]] = []
        self.lost = np.zeros(self.nodes)
        self.lost_all = np.zeros(self.nodes)
        sources = [(hot, hand, False) for hot in range(self.most_hot + 1) for hand in kept]
        if "first_roll" in table.wins.values():  # the first throw differs from later ones
            self.start = self.nodes
            self.nodes += 1
            sources.append((0, kept[self._index[self.whole]], True))
            self.lost, self.lost_all = np.zeros(self.nodes), np.zeros(self.nodes)
        for node, (hot, hand, first) in enumerate(sources):
            lists: dict[frozenset[Choice], float] = {}
            for options, chance in hand.lists:
                choices = []
                for score, left, must, wins in options:
                    is_hot = left is None
                    points = score * (1 + hot_rule.multiplier * hot) + hot_rule.bonus * is_hot
                    then: Must = must
                    if is_hot and hot_rule.then != "may_roll":
                        then = "roll" if hot_rule.then == "must_roll" else "bank"
                    after = self.node(left or self.whole, hot + is_hot)
                    choices.append(Choice(points, after, then, wins is True or (first and wins == "first_roll")))
                key = frozenset(choices)
                lists[key] = lists.get(key, 0.0) + chance
            self.lost[node] = lists.pop(frozenset(), 0.0)
            self._lists.append(lists)

    def _adding(self, table: AccumulateTable) -> None:
        """The lists of an accumulate game: one choice each."""
        self._index = {self.whole: 0}
        self.most_hot = 0
        first = "first_roll" in table.wins.values()
        self.nodes, self.start = 1 + first, int(first)
        self.lost, self.lost_all = np.zeros(self.nodes), np.zeros(self.nodes)
        self._lists = [{} for _node in range(self.nodes)]
        rolls, whole = rolls_of(table.faces.weights)
        for dice, weight in rolls.items():
            fallen = table.fallen(dice)
            wins = table.wins.get(fallen.outcome or "", False)
            for node in range(self.nodes):
                if fallen.lose:
                    (self.lost if fallen.lose == "turn" else self.lost_all)[node] += weight / whole
                    continue
                choice = Choice(fallen.score, 0, None, wins is True or (wins == "first_roll" and node == 1))
                lists = self._lists[node]
                lists[frozenset([choice])] = lists.get(frozenset([choice]), 0.0) + weight / whole

    def _arrange(self, *, exact: bool) -> None:
        """The lists as arrays."""
        chances: dict[tuple[Choice, ...], Floats] = {}
        for node, lists in enumerate(self._lists):
            for choices, chance in lists.items():
                useful = tuple(sorted(choices, key=str) if exact else _best_of(choices))
                if useful not in chances:
                    chances[useful] = np.zeros(self.nodes)
                chances[useful][node] += chance
        ordered = sorted(chances, key=len, reverse=True)
        self.chances = np.array([chances[choices] for choices in ordered]).reshape(-1, self.nodes).T.copy()
        self._node_of, self._list_of = np.nonzero(self.chances)
        self._weights = self.chances[self._node_of, self._list_of]
        longest = len(ordered[0]) if ordered else 0
        self.ranks = [sum(len(choices) > rank for choices in ordered) for rank in range(longest)]
        by_rank = [choices[rank] for rank, many in enumerate(self.ranks) for choices in ordered[:many]]
        self.of_list: Ints = np.array([at for many in self.ranks for at in range(many)], dtype=np.intp)
        self.rolled = sorted({choice.node for choice in by_rank if choice.must == "roll"})
        self.bank_row = self.nodes + len(self.rolled)
        self.win_row = self.bank_row + 1
        self.rows = self.win_row + 1
        self.wins = any(choice.wins for choice in by_rank)
        self.step = gcd(*(choice.score for choice in by_rank)) or 1
        self.scores: Ints = np.array([choice.score // self.step for choice in by_rank], dtype=np.intp)
        self.at: Ints = np.array([self._row(choice) for choice in by_rank], dtype=np.intp)
        self.rising = bool((self.scores > 0).all())
        self.most = int(max(self.scores.max(initial=0), 0))
        del self._lists

    def _row(self, choice: Choice) -> int:
        """Where what a choice leads to is found in a worth's rows."""
        if choice.wins:
            return self.win_row
        if choice.must == "bank":
            return self.bank_row
        return self.nodes + self.rolled.index(choice.node) if choice.must else choice.node

    def mean(self, best: Floats) -> Floats:
        """The mean at each node (node, lane) of what the best choices of its lists (list, lane) are worth."""
        if best.shape[1] > 1:
            return self.chances @ best
        # most lists are of one node: no need to multiply with all those zeros
        weights = self._weights * best[self._list_of, 0]
        means = np.bincount(self._node_of, weights=weights, minlength=self.nodes)
        return means.astype(np.float64, copy=False)[:, None]

    def best(self, values: Floats) -> Floats:
        """The best of each list from the values of all choices; changes `values`."""
        best, at = values[: len(self.chances[0])], len(self.chances[0])
        for many in self.ranks[1:]:
            np.maximum(best[:many], values[at : at + many], out=best[:many])
            at += many
        return best


def _best_of(choices: frozenset[Choice]) -> list[Choice]:
    """The choices that none beats by more points with the same to follow."""
    best: dict[tuple[int, str | None, bool], Choice] = {}
    for choice in choices:
        key = (choice.node, choice.must, choice.wins)
        if key not in best or choice.score > best[key].score:
            best[key] = choice
    return [best[key] for key in sorted(best, key=str)]


Option = tuple[int, Hand | None, Literal["roll"] | None, bool | str]  # score, hand left (None: hot), must, wins


class _Kept:
    """What may be kept of the throws of a hand, before the points of hot dice: each list of options with its chance."""

    def __init__(self, table: BankTable, kinds: tuple[tuple[int, ...], ...], hand: Hand) -> None:
        self.hand = hand
        faces, chances = _thrown(kinds, hand)
        kind_at = [kind for kind, count in enumerate(hand) for _die in range(count)]
        base = table.faces.count + 1
        whole = base ** len(kind_at)
        _codes, example, throws = np.unique(_coded(faces, base), return_index=True, return_inverse=True)
        found: dict[tuple[int, Literal["roll"] | None, bool | str], int] = {}
        numbers: dict[int, int] = {}  # by throw and kept dice, which of `found` they are
        for throw, at in enumerate(example.tolist()):
            for kept, keep in table.keeps(tuple(sorted(faces[at].tolist()))).items():
                names = {part.combination for part in keep.parts}
                must: Literal["roll"] | None = None if names.isdisjoint(table.ruleset.turn.must_roll_after) else "roll"
                rules = {table.wins.get(name, False) for name in names}
                wins = True if True in rules else "first_roll" if "first_roll" in rules else False
                code = sum(face * base**place for place, face in enumerate(kept))
                numbers[throw * whole + code] = found.setdefault((keep.score, must, wins), len(found))
        keys = np.array(sorted(numbers), dtype=np.int64)
        values = np.array([numbers[key] for key in sorted(numbers)], dtype=np.int32)
        lefts: list[Hand | None] = []
        columns = []
        for chosen in product((False, True), repeat=len(kind_at)):
            places = [place for place, taken in enumerate(chosen) if taken]
            if places and len(keys):
                wanted = throws * whole + _coded(faces[:, places], base)
                where = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
                columns.append(np.where(keys[where] == wanted, values[where], np.int32(-1)))
                left = [count - sum(kind_at[place] == kind for place in places) for kind, count in enumerate(hand)]
                lefts.append(tuple(left) if any(left) else None)
        matrix = np.stack(columns, axis=1) if columns else np.full((len(faces), 1), -1, dtype=np.int32)
        rows, of_row = np.unique(matrix.view(f"V{4 * matrix.shape[1]}").ravel(), return_inverse=True)
        weights = np.bincount(of_row, weights=chances)
        what = list(found)
        self.lists: list[tuple[set[Option], float]] = []
        for row, chance in zip(rows.view(np.int32).reshape(len(rows), -1), weights.tolist(), strict=True):
            options = {(lefts[at], what[row[at]]) for at in np.flatnonzero(row >= 0).tolist()}
            self.lists.append(({(score, left, must, wins) for left, (score, must, wins) in options}, chance))


def _thrown(kinds: tuple[tuple[int, ...], ...], hand: Hand) -> tuple[Ints, Floats]:
    """The throws of a hand, the dice of each kind sorted, one throw a row; and their chances."""
    faces: Ints = np.zeros((1, 0), dtype=np.intp)
    chances: Floats = np.ones(1)
    for kind, count in zip(kinds, hand, strict=True):
        if count:
            rolls, whole = rolls_of([kind] * count)
            more = np.array(list(rolls), dtype=np.intp)
            faces = np.hstack([np.repeat(faces, len(more), axis=0), np.tile(more, (len(faces), 1))])
            chances = np.outer(chances, np.array(list(rolls.values())) / whole).ravel()
    return faces, chances


def _coded(faces: Ints, base: int) -> Ints:
    """A number for the faces in each row, whatever their order."""
    return np.sort(faces, axis=1) @ np.array([base**place for place in range(faces.shape[1])], dtype=np.intp)


def _most_hot(kept: list[_Kept]) -> int:
    """After how many hot dice a further one is too unlikely to count."""
    chance: dict[Hand, float] = {}
    for each in sorted(kept, key=lambda each: sum(each.hand)):
        chance[each.hand] = sum(
            share * max((1.0 if left is None else chance[left] for _score, left, _must, _wins in options), default=0.0)
            for options, share in each.lists
        )
    whole = max(chance.values() if not kept else [chance[kept[-1].hand]])
    return min(MOST_HOT, ceil(log(ENOUGH) / log(whole))) if 0 < whole < 1 else MOST_HOT if whole else 0


@lru_cache(maxsize=8)
def throws_of(table: Game) -> Throws:
    """What may be thrown in the turns of a game; remembered."""
    return Throws(table)


def _sweep(
    throws: Throws, worth: Floats, tops: Ints, lost: Floats, free: Floats, values: Floats | None = None
) -> Floats:
    """Fill `worth` from the most points down; gives the value of the start of a turn in each lane.

    `worth` is (row, level, lane): what it is worth to have that many points and a node's dice (a row for each node
    where throwing and banking are allowed, one for each of `throws.rolled` where one must throw), to bank, and to have
    won. From `tops` (of each lane, falling) on it is there already, and the rows of banking and winning everywhere.
    `lost` (node, lane) is what busts are worth times their chances, `free` (level, lane) what banking is worth of own
    choice. `values` (node, level, lane) takes what throwing is worth.
    """
    rows, levels, lanes = worth.shape
    flat = worth.reshape(rows * levels, lanes)
    base = throws.at * levels
    top = int(tops[0])
    active = [lanes - int(count) for count in np.searchsorted(tops[::-1], np.arange(top), side="right")]
    start = np.zeros(lanes)
    if not throws.rising:  # what has no worth yet must not make others worth nothing
        first = worth[: throws.nodes]
        first[np.isneginf(first)] = 0.0
    for _round in range(1 if throws.rising else MOST_ROUNDS):
        moved = 0.0
        for level in range(top - 1, -1, -1):
            many = active[level]
            after = base + np.clip(throws.scores + level, 0, levels - 1)
            best = throws.best(flat.take(after, axis=0) if many == lanes else flat[:, :many][after])
            value = throws.mean(best)
            value += lost[:, :many]
            here = worth[: throws.nodes, level, :many]
            if not throws.rising:
                moved = max(moved, float(np.abs(np.maximum(value, free[level, :many]) - here).max()))
            np.maximum(value, free[level, :many], out=here)
            if throws.rolled:
                worth[throws.nodes : throws.bank_row, level, :many] = value[throws.rolled]
            if values is not None:
                values[:, level, :many] = value
            if level == 0:
                start[:many] = value[throws.start]
        if moved <= ENOUGH * max(1.0, float(np.abs(start).max())):
            break
    return start


def _throwing_far(throws: Throws, forced: Floats, free: Floats, won: Floats, lost: Floats) -> Floats:
    """What throwing is worth (node, lane) where points no longer matter: see `Throws.onward`.

    `forced` and `free` are what stopping there is worth in each lane, `lost` (node, lane) as in `_sweep`.
    """
    worth = np.tile(forced, (throws.rows, 1))
    worth[: throws.nodes] = free
    worth[throws.win_row] = won
    value = worth[: throws.nodes].copy()
    for _round in range(MOST_ROUNDS):
        before = value
        value = throws.chances @ throws.best(worth[throws.at]) + lost
        worth[throws.nodes : throws.bank_row] = value[throws.rolled]
        if throws.onward:
            np.maximum(value, free, out=worth[: throws.nodes])
        if np.abs(value - before).max() <= ENOUGH * max(1.0, np.abs(value).max()):
            break
    return value


class Far(NamedTuple):
    """The mean points of a turn from `points` on: throwing at a node gives `slope` times the turn's points + `more`."""

    points: float
    slope: Floats
    more: Floats


def _far(throws: Throws) -> Far:
    """Where banking is best as soon as it is allowed, but for hands that can't bust; from there all is linear.

    With many points the best choice is the one that most likely keeps them, and of such the one that adds most. That
    stays so from the last crossing of two of these lines on: looking one step ahead is enough, as points only rise.
    """
    slopes, more = np.ones(throws.rows), np.zeros(throws.rows)
    slope = np.zeros(throws.nodes)
    for _round in range(MOST_ROUNDS):
        before = slope
        slopes[throws.nodes : throws.bank_row] = slope[throws.rolled]
        best_slope = throws.best(slopes[throws.at])
        slope = throws.chances @ best_slope
        if np.abs(slope - before).max() <= ENOUGH:
            break
    safe = slope >= SAFE
    lines = slopes[throws.at]
    eligible = lines >= best_slope[throws.of_list] - 1e-9
    adds = np.zeros(throws.nodes)
    for _round in range(MOST_ROUNDS):
        before = adds
        more[: throws.nodes] = np.where(safe, np.maximum(adds, 0), 0)
        more[throws.nodes : throws.bank_row] = adds[throws.rolled]
        offers = lines * throws.scores + more[throws.at]
        best_more = throws.best(np.where(eligible, offers, -np.inf))
        adds = throws.chances @ best_more
        if np.abs(adds - before).max() <= ENOUGH * max(1.0, np.abs(adds).max()):
            break
    else:
        return Far(inf, slope, np.full(throws.nodes, inf))  # hands that never bust can be thrown for ever
    bank_from = (adds[~safe] / (1 - slope[~safe])).tolist()
    steeper = best_slope[throws.of_list][~eligible] - lines[~eligible]
    crossings = (offers - best_more[throws.of_list])[~eligible] / steeper
    return Far(max([0.0, *bank_from, *crossings.tolist()]) * throws.step, slope, adds * throws.step)


class Turn:
    """What the decisions of one turn are worth, in one currency; the more the better.

    `values` (node, level) is the worth of throwing with a node's dice and a level's points, `forced` (level) that of
    banking. Beyond the last level they stay the same.
    """

    def __init__(self, throws: Throws, values: Floats, forced: Floats, won: float) -> None:
        self.throws = throws
        self.values = values
        self.forced = forced
        self._won = won

    @property
    def mean(self) -> float:
        """The worth of the turn before its first throw."""
        return float(self.values[self.throws.start, 0])

    def rolling(self, node: int, points: int) -> float:
        """The worth of throwing with so many points of the turn."""
        return float(self.values[node, min(max(points, 0) // self.throws.step, self.values.shape[1] - 1)])

    def banking(self, points: int) -> float:
        """The worth of banking so many points of the turn."""
        return float(self.forced[min(max(points, 0) // self.throws.step, len(self.forced) - 1)])

    def winning(self, points: int) -> float:
        """The worth of a throw that wins at once."""
        return self._won


class TurnValues(Turn):
    """A turn valued by its mean points; goes on beyond the levels by `far`."""

    def __init__(self, table: Game, values: Floats, far: Far, need: int, cost: float) -> None:
        super().__init__(throws_of(table), values, np.zeros(1), 0.0)
        self.table = table
        self.far = far
        self.need = need
        self._cost = cost

    @property
    def mean(self) -> float:
        """The best mean points of a turn before its first throw, with what a lost first throw costs."""
        return self.rolling(self.throws.start, 0) + self._cost

    def rolling(self, node: int, points: int) -> float:
        """The mean points if the player throws with so many points of the turn."""
        if max(points, 0) // self.throws.step < self.values.shape[1]:
            return super().rolling(node, points)
        return float(self.far.slope[node] * points + self.far.more[node])

    def banking(self, points: int) -> float:
        """The points that banking gives."""
        return float(points) if points >= self.need else 0.0

    def winning(self, points: int) -> float:
        """The points of the turn: they are all that counts here."""
        return float(points)

    def turn_in(self, state: State) -> Turn:
        """The turn of a game's state."""
        return turn_values(self.table, opened=_board(state).opened)


@lru_cache(maxsize=16)
def turn_values(table: Game, *, opened: bool = True) -> TurnValues:
    """The best mean points of a turn; `opened` says whether the player has banked before.

    Hot dice are unlimited. A lost first throw costs its penalty in full. A throw that wins counts its points only, one
    that loses all the points of the turn only. The mean is infinite where throwing on is never a risk.
    """
    if not opened and not table.ruleset.turn.opening:
        return turn_values(table)
    throws = throws_of(table)
    need = _needed(table, opened=opened)
    far = _far(throws)
    penalty = table.ruleset.bust.first_throw if isinstance(table, BankTable) else None
    cost = float(throws.lost[throws.start] * penalty.score) if penalty else 0.0
    if not isfinite(far.points):
        return TurnValues(table, np.zeros((throws.nodes, 0)), far, need, cost)
    top = min(ceil(max(far.points, need) / throws.step) + 1, MOST_LEVELS)
    points = np.arange(top + throws.most + 1).astype(np.float64) * throws.step
    nothing, open_already = np.zeros(1), np.array([opened])
    forced, free = _stops(table, throws, points[:, None], nothing, open_already)
    line = far.slope[:, None] * points + far.more[:, None]
    worth = np.empty((throws.rows, len(points), 1))
    worth[: throws.nodes] = np.where(far.slope[:, None, None] >= SAFE, np.maximum(line[:, :, None], free), free)
    worth[throws.nodes : throws.bank_row, :, 0] = line[throws.rolled]
    worth[throws.bank_row] = forced
    worth[throws.win_row] = points[:, None]
    values = np.zeros((throws.nodes, top, 1))
    tops = np.array([top], dtype=np.intp)
    _sweep(throws, worth, tops, np.zeros((throws.nodes, 1)), free, values)
    return TurnValues(table, values[:, :, 0], far, need, cost)


def _least(table: Game) -> int:
    return table.ruleset.turn.bank_at_least


def _needed(table: Game, *, opened: bool) -> int:
    """The points that a turn must have to be banked for something."""
    opening = table.ruleset.turn.opening
    return max(_least(table), opening.at_least if opening and not opened else 0)


def _may_stop(table: Game, *, opened: bool) -> bool:
    """Whether a player may stop for nothing before the opening is reached."""
    opening = table.ruleset.turn.opening
    return opening is not None and not opened and opening.below == "lost"


class FewestTurns:
    """The fewest expected turns to a target: `turns` (total in steps), of a player who has banked but for total 0.

    Infinite from where the target can't be reached.
    """

    def __init__(self, table: Game, target: int, turns: Floats) -> None:
        self.table = table
        self.target = target
        self.turns = turns
        self._turns: dict[tuple[int, bool], Turn] = {}

    def turn_in(self, state: State) -> Turn:
        """The turn of a game's state, the other players left aside: valued by minus the turns to come, it included."""
        board = _board(state)
        throws = throws_of(self.table)
        total = min(max(board.total, 0) // throws.step, len(self.turns) - 2)
        key = (total, board.opened)
        if key not in self._turns:
            worth = -np.where(np.isinf(self.turns), NEVER, self.turns) - 1.0
            stay, nothing = worth[[total]], worth[[0]]
            game = _to_come(self.table, worth, total, self.target, stay, opened=board.opened, beyond=1)
            self._turns[key] = _one_turn(throws, *game, stay, nothing, -1.0)
        return self._turns[key]


def fewest_turns(table: Game, target: int) -> FewestTurns:
    """The fewest expected turns of one player to `target` points, the last turn included.

    A turn that is lost leaves the player where he was, so its worth stands on both sides: an equation of straight
    pieces, solved by secants. A throw that loses all leads back to total 0, solved the same way around the whole.
    """
    throws = throws_of(table)

    def all_totals(from_nothing: float) -> Floats:
        worth = np.zeros(ceil(target / throws.step) + 1)  # minus the turns to come; nothing at the target
        nothing = np.full(2, from_nothing)
        for total in range(len(worth) - 2, -1, -1):

            def turn(stay: Floats, total: int = total) -> Floats:
                game = _to_come(table, worth, total, target, stay, opened=total > 0)
                return _play(throws, *game, stay, nothing, np.zeros(2)) - 1

            guess = float(worth[total + 1]) - 1e-3
            worth[total] = _fixed_point(turn, guess if guess > -FOREVER else -10.0)
        return worth

    nothing = 0.0
    if throws.lost_all.any():
        nothing = _fixed_point(lambda zeros: np.array([all_totals(zero)[0] for zero in zeros]), -20.0)
    turns = -all_totals(nothing)
    return FewestTurns(table, target, np.where(turns > FOREVER, np.inf, turns) + 0.0)


def _fixed_point(function: Callable[[Floats], Floats], guess: float) -> float:
    """Where a rising convex function of straight pieces, none steeper than 1, gives its argument; -`NEVER` if nowhere.

    The function is asked for two arguments together.
    """
    apart = 1e-3 * max(1.0, abs(guess))
    for _round in range(100):
        high, low = function(np.array([guess, guess - apart])).tolist()
        slope = (high - low) / apart
        if slope >= SAFE:
            return -NEVER
        following = (high - slope * guess) / (1 - slope)
        step = abs(following - guess)
        guess = max(following, -NEVER)
        scale = max(1.0, abs(guess))
        if step <= 1e-9 * scale:
            break
        apart = 1e-5 * scale
    return guess


def _to_come(
    table: Game, turns: Floats, total: int, target: int, stay: Floats, *, opened: bool, beyond: int = 0
) -> tuple[Ints, Floats, Floats]:
    """What `_play` needs for a turn from a total, a lane for each worth of `stay`: tops, forced, free.

    `turns` (total in steps) are minus the turns to come, known for the totals above. `beyond` are further levels.
    """
    throws = throws_of(table)
    over = _top(table, throws, target) - total
    top = max(over, ceil(_needed(table, opened=opened) / throws.step)) + beyond
    bank = np.full((top + 1, len(stay)), turns[-1])
    bank[: len(turns) - total] = turns[total:, None]
    if table.ruleset.end.exact:
        bank[over:] = stay
    forced, free = _stops(table, throws, bank, stay, np.full(len(stay), opened))
    return np.full(len(stay), top), forced, free


def _top(table: Game, throws: Throws, target: int) -> int:
    """The first total (in steps) at which more points no longer matter: the target, or what overshoots it."""
    hit = table.ruleset.end.exact and target % throws.step == 0
    return ceil(target / throws.step) + bool(hit)


def _stops(table: Game, throws: Throws, bank: Floats, stay: Floats, opened: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """What stopping is worth (level, lane): where a player can do nothing else, and of free will (-inf: not allowed).

    `bank` (level, lane) is what banking is worth, `stay` what a turn without points is, for players who have `opened`.
    """
    points = (np.arange(len(bank)) * throws.step)[:, None]
    need = np.where(opened, _needed(table, opened=True), _needed(table, opened=False))
    forced = np.where((points < need) | (points == 0), stay, bank)
    below = (points >= _least(table)) & ~opened & _may_stop(table, opened=False)
    return forced, np.where((points >= need) | below, forced, -np.inf)


def _play(
    throws: Throws,
    tops: Ints,
    forced: Floats,
    free: Floats,
    stay: Floats,
    nothing: Floats,
    won: Floats,
    values: Floats | None = None,
) -> Floats:
    """The worth of a turn in each lane, from what `_stops` gives; `nothing` is what losing all is worth.

    From `tops` on points no longer matter. `stay`, `nothing` and `won` are of each lane; see `_sweep` for `values`.
    """
    lost = np.outer(throws.lost, stay) + np.outer(throws.lost_all, nothing)
    worth = np.empty((throws.rows, *forced.shape))
    worth[: throws.nodes] = free
    if throws.rolled or throws.onward:
        far = _throwing_far(throws, forced[-1], free[-1], won, lost)[:, None]
        worth[throws.nodes : throws.bank_row] = far[throws.rolled]
        if throws.onward:
            np.maximum(far, free, out=worth[: throws.nodes])
    worth[throws.bank_row] = forced
    worth[throws.win_row] = won
    return _sweep(throws, worth, tops, lost, free, values)


def _one_turn(
    throws: Throws, tops: Ints, forced: Floats, free: Floats, stay: Floats, nothing: Floats, won: float
) -> Turn:
    """The values of a single lane; the parameters are those of `_play`."""
    values = np.empty((throws.nodes, int(tops[0]), 1))
    _play(throws, tops, forced, free, stay, nothing, np.array([won]), values)
    return Turn(throws, values[:, :, 0], forced[:, 0], won)


class TwoPlayers:
    """The chances of two players who both play best: `chances` (role, mine, other), of the one who is to move.

    Totals are counted in steps and below the target; total 0 is a player who has not banked yet. A shared win counts
    half. There are two roles, the first and the second player, where turns are made equal; else one.
    `last` (opened, difference) is the chance of the last turn: to get beyond so many steps, to reach just them half.
    """

    def __init__(self, table: Game, target: int, first_to_target: bool, chances: Floats | None = None) -> None:
        self.table = table
        self.target = target
        self.throws = throws_of(table)
        self.rule = "none" if first_to_target else table.ruleset.end.last_round
        self.size = ceil(target / self.throws.step)
        self.roles = 2 if self.rule == "equal_turns" else 1
        shape = (self.roles, self.size, self.size)
        self.chances = np.zeros(shape) if chances is None else chances.reshape(shape)
        self._turns: dict[tuple[int, int, int, bool, int], Turn] = {}
        self.exact = bool(table.ruleset.end.exact)
        self.top = _top(table, self.throws, target)
        self.last = np.zeros((2, 1))
        if self.rule != "none":
            self.last = _last_turns(table, target, self.rule)
            sure = np.ones_like(self.last[1])  # a single throw's chance says nothing of how far a turn may come
            reach = sure if self.rule == "others_one_throw" else self.last[1]
            self._unlikely = np.array([_unlikely(last, reach, self.size) for last in self.last])

    def following(self, role: Ints) -> Ints:
        """The role of the other player."""
        return 1 - role if self.roles == 2 else role

    def banked(self, role: Ints, mine: Ints, other: Ints, levels: int, stay: Floats) -> Floats:
        """What it is worth (level, lane) to the mover to bank so many steps, whether or not that is allowed.

        `stay` (lane) is the worth of a turn without points.
        """
        total = mine + np.arange(levels)[:, None]
        worth = 1 - self.chances[self.following(role), other, np.minimum(total, self.size - 1)]
        if self.rule == "none":
            worth[total >= self.size] = 1.0
        else:
            beaten = self.last[np.minimum(other, 1), np.minimum(total - other, self.last.shape[1] - 1).clip(0)]
            worth = np.where(total >= self.size, np.where(role == 1, 1.0, 1 - beaten), worth)
        return np.where(total >= self.top, stay, worth) if self.exact else worth

    def tops(self, role: Ints, mine: Ints, other: Ints) -> Ints:
        """The level in each lane from which on nobody throws who may bank.

        Beyond the target that is so when the last turn's chance against the mover is less than what a further throw
        risks: the smallest chance of a bust times what the other wins by it, which is at least what he would win
        against one step more. Where a throw may be without risk, when the chance is too small to count.
        """
        tops = self.top - mine
        if self.rule != "none" and not self.exact:
            opened = np.minimum(other, 1)
            more = self.chances[self.following(role), other, np.minimum(mine + 1, self.size - 1)]
            beaten = self.last[opened, np.minimum(mine + 1 - other, self.last.shape[1] - 1).clip(0)]
            risk = np.where(mine + 1 < self.size, more, beaten) * _smallest_risk(self.throws)
            far = np.where(opened, np.searchsorted(-self.last[1], -risk), np.searchsorted(-self.last[0], -risk))
            far = np.minimum(far, self._unlikely[opened, mine - other + self.size])
            tops = np.where(role == 1, tops, np.maximum(tops, far + other - mine))
        need = np.where(mine > 0, _needed(self.table, opened=True), _needed(self.table, opened=False))
        least: Ints = -(-need // self.throws.step)
        return np.maximum(tops, least)

    def levels(self, tops: Ints) -> int:
        """How many levels a sweep needs: beyond the target more points are worth more if there is a last turn."""
        return int(tops[0]) + 1 + (0 if self.rule == "none" or self.exact else self.throws.most)

    def turn_in(self, state: State) -> Turn:
        """The turn of a game's state, valued by the chance of winning against the strongest opponent alone.

        In the last round the others are taken to have had their turn.
        """
        board, player = _board(state), state.player
        step = self.throws.step
        totals = [each.total for each in state.boards if isinstance(each, BankBoard)]
        others = [seat for seat in range(len(totals)) if seat != player]
        rival = max(others, key=lambda seat: totals[seat], default=player)
        one_throw = isinstance(state.turn, (BankTurn, AccumulateTurn)) and state.turn.one_throw
        if state.last_round is not None:
            return self._last_turn(board, totals[rival], one_throw=one_throw)
        role = int(self.roles == 2 and rival < player)
        mine, other = (min(max(totals[seat], 0) // step, self.size - 1) for seat in (player, rival))
        assert isinstance(state.turn, (BankTurn, AccumulateTurn))
        return self._turn(role, mine, other, max(state.turn.points, 0) // step, opened=board.opened)

    def _turn(self, role: int, mine: int, other: int, level: int, *, opened: bool) -> Turn:
        """The turn of a player, with levels enough for what follows `level`."""
        pair = np.array([role]), np.array([mine]), np.array([other])
        need = ceil(_needed(self.table, opened=opened) / self.throws.step)
        tops = np.maximum(self.tops(*pair), need) + self.throws.most
        if level + self.throws.most > int(tops[0]):
            tops = tops + level
        key = (role, mine, other, opened, int(tops[0]))
        if key not in self._turns:
            if len(self._turns) >= MOST_TURNS:
                self._turns.clear()
            following = self.following(pair[0])
            stay, nothing = (1 - self.chances[following, other, total] for total in (mine, 0))
            bank = self.banked(*pair, self.levels(tops), stay)
            forced, free = _stops(self.table, self.throws, bank, stay, np.array([opened]))
            self._turns[key] = _one_turn(self.throws, tops, forced, free, stay, nothing, 1.0)
        return self._turns[key]

    def _last_turn(self, board: BankBoard, other: int, *, one_throw: bool) -> Turn:
        """The last turn of a player whose strongest opponent has `other` points."""
        throws = self.throws

        def won(total: Floats) -> Floats:
            return np.where(total > other, 1.0, np.where(total == other, 0.5, 0.0))

        stay = won(np.array([float(board.total)]))
        need = _needed(self.table, opened=board.opened)
        top = max(-(-max(other - board.total, need, 0) // throws.step), 0) + 1 + throws.most
        total = board.total + np.arange(top + 1.0)[:, None] * throws.step
        bank = np.where(self.exact & (total > self.target), stay, won(total))
        forced, free = _stops(self.table, throws, bank, stay, np.array([board.opened]))
        nothing = won(np.zeros(1))
        if not one_throw:
            return _one_turn(throws, np.array([top]), forced, free, stay, nothing, 1.0)
        after = forced[np.minimum(throws.scores[:, None] + np.arange(top), top), 0]
        after[throws.at == throws.win_row] = 1.0
        lost = np.outer(throws.lost, stay) + np.outer(throws.lost_all, nothing)
        return Turn(throws, throws.chances @ throws.best(after) + lost, forced[:, 0], 1.0)


def pack(solved: TwoPlayers) -> bytes:
    """The chances of two players as plain bytes: 64-bit numbers, little-endian, in the order of their array."""
    return solved.chances.astype("<f8").tobytes()


def unpack(table: Game, target: int, buffer: bytes | memoryview, *, first_to_target: bool = False) -> TwoPlayers:
    """What `pack` was given, over the memory of `buffer`; `ValueError` if that is not of this game's size."""
    chances = np.frombuffer(buffer, dtype="<f8")  # "buffer size must be ..." if it isn't whole numbers
    return TwoPlayers(table, target, first_to_target, chances)


def _smallest_risk(throws: Throws) -> float:
    """The smallest chance of a bust of any throw; 0 where some throw has none, or must be followed by another."""
    return 0.0 if throws.rolled else float((throws.lost + throws.lost_all).min())


def _unlikely(last: Floats, reach: Floats, size: int) -> Ints:
    """By the difference of totals (from -`size`), from which difference on it no longer counts to throw on.

    What could be gained is what the last turn takes away, times the chance to come so far, `reach`.
    """
    at = np.arange(len(last))
    found = [
        np.flatnonzero(np.append(last * reach[(at - difference).clip(0, len(last) - 1)] <= UNLIKELY, True))[0]
        for difference in range(-size, size)
    ]
    return np.array(found, dtype=np.intp)


def _last_turns(table: Game, target: int, rule: str) -> Floats:
    """The chances of a last turn (opened, difference): to get beyond a difference, in steps; to reach just it is half.

    Where the target has to be hit exactly only reaching counts, at half.
    """
    both = [_last_turn(table, target, rule, opened=opened) for opened in (False, True)]
    length = max(map(len, both))
    return np.array([np.pad(each, (0, length - len(each))) for each in both])


def _last_turn(table: Game, target: int, rule: str, *, opened: bool) -> Floats:
    throws = throws_of(table)
    size = ceil(target / throws.step)
    least = -(-_needed(table, opened=opened) // throws.step)
    if rule == "others_one_throw":
        lanes = np.arange(max(size, throws.most) + 2)
        return _one_throw(table, throws, lanes, least)
    exact = bool(table.ruleset.end.exact)
    length = max(size, least) if exact else 2 * size + throws.most
    far = _chase(table, throws, np.array([length]), 0)[::-1, 0]
    while not exact and far[-1] > 1e-14 and length < 32 * (size + throws.most):
        length *= 2
        far = _chase(table, throws, np.array([length]), 0)[::-1, 0]
    if least:
        far[:least] = _chase(table, throws, np.arange(least)[::-1], least)[0, ::-1]
    return far


def _chase(table: Game, throws: Throws, differences: Ints, least: int) -> Floats:
    """The chance (level, lane) of a turn that has so many steps to end beyond each of falling `differences`.

    With less than `least` steps nothing can be banked.
    """
    lanes = len(differences)
    tops = np.maximum(differences + 1, least)
    points = np.arange(int(tops[0]) + 1)[:, None]
    exact = bool(table.ruleset.end.exact)
    bank = np.where(points == differences, 0.5, np.where((points > differences) & (not exact), 1.0, 0.0))
    bank = np.where(points < least, 0.0, bank)
    values = np.empty((throws.nodes, int(tops[0]), lanes))
    nothing = np.zeros(lanes)
    _play(throws, tops, bank, bank, nothing, nothing, np.ones(lanes), values)
    return values[throws.start, : int(differences[0]) + 1]


def _one_throw(table: Game, throws: Throws, differences: Ints, least: int) -> Floats:
    """The chance of a single throw, whose points have to be banked, to end beyond each of `differences`."""
    points = throws.scores[:, None]
    exact = bool(table.ruleset.end.exact)
    reached = np.where(points == differences, 0.5, np.where((points > differences) & (not exact), 1.0, 0.0))
    reached = np.where(points < least, 0.0, reached)
    reached[throws.at == throws.win_row] = 1.0
    chances: Floats = throws.chances[throws.start] @ throws.best(reached)
    return chances


def two_players(
    table: Game, target: int, first_to_target: bool = False, progress: Callable[[int, int], None] | None = None
) -> TwoPlayers:
    """The chances of winning of two players who both play best, to `target` points.

    The last round is the ruleset's own; with `first_to_target` who reaches the target has won at once. `progress` is
    called with the sums done and all there are; rounds that correct what losing all is worth are not counted.

    Banking raises the sum of both totals, and a lost turn swaps the players and leaves the sum. So the pairs of one
    sum are solved together, the largest sum first: each pair with its swapped one, by Newton steps on two equations of
    straight pieces. Where neither can ever come nearer to the target the chance is half.
    """
    solved = TwoPlayers(table, target, first_to_target)
    size = solved.size
    slopes = np.zeros_like(solved.chances)
    loses_all = solved.throws.lost_all.any()
    if loses_all:
        solved.chances[:, :, 0] = 0.75
    given: list[Floats] = []  # chances against one who has nothing, before each round and after it
    found: list[Floats] = []
    for again in range(MOST_ROUNDS):
        given.append(solved.chances[:, :, 0].flatten())
        for sum_of_both in range(2 * size - 2, -1, -1):
            _solve_sum(solved, slopes, sum_of_both, again=again > 0)
            if progress and again == 0:
                progress(2 * size - 1 - sum_of_both, 2 * size - 1)
        found.append(solved.chances[:, :, 0].flatten())
        if not loses_all or np.abs(found[-1] - given[-1]).max() <= 1e-11:
            break
        given, found = given[-MIXED:], found[-MIXED:]
        solved.chances[:, :, 0] = _mixed(given, found).reshape(-1, size)
    return solved


def _mixed(given: list[Floats], found: list[Floats]) -> Floats:
    """A better guess at what a function takes and gives alike, from what it was given and gave (Anderson's mixing)."""
    moved = [after - before for before, after in zip(given, found, strict=True)]
    if len(moved) == 1:
        return found[0]
    steps = np.array([moved[-1] - each for each in moved[:-1]]).T
    shares = np.linalg.lstsq(steps, moved[-1], rcond=ENOUGH)[0]
    mixed = found[-1] - np.array([found[-1] - each for each in found[:-1]]).T @ shares
    return np.asarray(mixed.clip(0.0, 1.0))


def _guess(known: Floats, role: Ints, mine: Ints, other: Ints) -> Floats:
    """What `known` (role, mine, other) goes on to be at pairs of totals, from those with larger sums."""
    last = known.shape[1] - 1

    def at(more: int, less: int) -> Floats:
        found: Floats = known[role, np.minimum(mine + more, last), np.minimum(other + less, last)]
        return found

    bent = np.where((mine < last - 1) & (other < last - 1), at(1, 1) - at(2, 1) - at(1, 2) + at(2, 2), 0.0)
    inside = at(1, 0) + at(0, 1) - at(1, 1) + bent
    edge = np.where(mine == last, at(0, 1), at(1, 0))
    guess: Floats = np.where((mine < last) & (other < last), inside, edge)
    guess[(mine == last) & (other == last)] = 0.5
    guess[guess < 0] = 0.0
    guess[guess > 1] = 1.0
    return guess


def _solve_sum(solved: TwoPlayers, slopes: Floats, sum_of_both: int, *, again: bool) -> None:
    """Fill in the chances of all pairs of totals with this sum, and how much they change with those of the other.

    `again` says that older ones are there to begin with.
    """
    size, roles, throws, chances = solved.size, solved.roles, solved.throws, solved.chances
    one = np.arange(max(0, sum_of_both - size + 1), min(size - 1, sum_of_both) + 1)
    mine, role = np.tile(one, roles), np.repeat(np.arange(roles), len(one))
    other = sum_of_both - mine
    tops = solved.tops(role, mine, other)
    order = np.argsort(-tops, kind="stable")
    tops, mine, other, role = tops[order], mine[order], other[order], role[order]
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.arange(len(order))
    partner = place[solved.following(role) * len(one) + other - one[0]]
    if again:
        guess, slope = chances[role, mine, other], slopes[role, mine, other]
    else:
        guess, slope = _guess(chances, role, mine, other), _guess(slopes, role, mine, other)
    stuck = slope * slope[partner] > 0.98  # only guessed: no reason yet to divide by next to nothing
    guess[stuck], slope[stuck] = 0.5, 0.99
    nothing = 1 - chances[solved.following(role), other, 0]
    banked = None if solved.exact else solved.banked(role, mine, other, solved.levels(tops), guess)

    def values(stay: Floats, some: Ints | slice = slice(None)) -> Floats:
        """The worth of a turn in some lanes, where one without points is worth `stay`."""
        bank = banked
        if bank is None:
            bank = solved.banked(role[some], mine[some], other[some], solved.levels(tops[some]), stay)
        forced, free = _stops(solved.table, throws, bank, stay, mine[some] > 0)
        return _play(throws, tops[some], forced, free, stay, nothing[some], np.ones(len(stay)))

    stay_before = value_before = guess
    for turn in range(50):
        stay = 1 - guess[partner]
        value = values(stay)
        change = np.zeros(len(mine))
        if turn:
            moved = stay - stay_before
            enough = np.abs(moved) > 1e-9
            steeper = np.where(enough, (value - value_before) / np.where(enough, moved, 1.0), slope).clip(0.0, 1.0)
            change = np.abs(steeper - slope)
            slope = steeper
        both = value + slope * guess[partner]
        whole = 1 - slope * slope[partner]
        endless = whole < 1e-9  # neither can ever reach the target
        solution = np.where(endless, 0.5, (both - slope * both[partner]) / np.where(endless, 1.0, whole)).clip(0.0, 1.0)
        step = np.abs(solution - guess)
        stay_before, value_before, guess = stay, value, solution
        if step.max() <= ENOUGH or (turn and (step * np.maximum(change, 1e-3)).max() <= UNLIKELY):
            break
    if solved.exact:
        _unstick(guess, partner, values)
    chances[role, mine, other] = guess
    slopes[role, mine, other] = slope


def _unstick(guess: Floats, partner: Ints, values: Callable[[Floats, Ints | slice], Floats]) -> None:
    """Settle lanes in which both players may wait for ever, so that many chances fit: that is worth half to each.

    What each can make of that is found by going back from it turn by turn.
    """
    everywhere, stay = slice(None), 1 - guess[partner]
    here = values(stay, everywhere)
    above, below = (np.abs(values(stay + apart, everywhere) - here) / NUDGE for apart in (NUDGE, -NUDGE))
    slope = np.maximum(above, below)
    some = np.flatnonzero(slope * slope[partner] > 1 - 1e-6)
    if len(some):
        others, found = np.searchsorted(some, partner[some]), np.full(len(some), 0.5)
        for _round in range(MOST_ROUNDS):
            before = found
            found = values(1 - before[others], some)
            if np.abs(found - before).max() <= ENOUGH:
                break
        guess[some] = found


def other_points(table: Game, target: int) -> list[int]:
    """The points besides those of throws that totals move by."""
    found = [target] if table.ruleset.end.exact == "back" else []
    if isinstance(table, BankTable):
        for rule in (table.ruleset.bust.in_a_row, table.ruleset.bust.first_throw):
            found += [rule.score, rule.floor or 0] if rule else []
    return found


def throws_to_see(table: Game) -> int:
    """How many throws, each with all choices of its dice, `throws_of` looks through; ten million take some seconds."""
    weights = table.faces.weights
    kinds = Counter(weights)
    throws = prod(comb(sum(map(bool, kind)) + count - 1, count) for kind, count in kinds.items())
    return throws * 2 ** len(weights) if isinstance(table, BankTable) else throws


def effort(table: Game, target: int, *, first_to_target: bool = False) -> float:
    """About how many choices `two_players` has to value; a thousand million take about a second."""
    throws = throws_of(table)
    size = ceil(target / throws.step)
    roles = 2 if table.ruleset.end.last_round == "equal_turns" and not first_to_target else 1
    return 1.6 * roles * size**3 * len(throws.scores)


def _board(state: State) -> BankBoard:
    """The board of the player who is to move."""
    board = state.boards[state.player]
    assert isinstance(board, BankBoard)
    return board


Solved = TurnValues | FewestTurns | TwoPlayers


def advise(table: Game, solved: Solved, state: State) -> list[tuple[Action, float]]:
    """Every action that is legal in `state` with its worth, the best first.

    The worth is in the currency of `solved`, the more the better: mean points of the turn, minus the expected turns to
    come with this one, or the chance of winning. What an action is worth includes best play after it.
    """
    turn = solved.turn_in(state)
    found = [(action, _worth(table, turn, state, action)) for action in game.legal(table, state)]
    return sorted(found, key=lambda each: -each[1])


def _worth(table: Game, worth: Turn, state: State, action: Action) -> float:
    turn = state.turn
    throws = worth.throws
    if isinstance(turn, AccumulateTurn):
        return worth.banking(turn.points) if isinstance(action, Bank) else worth.rolling(0, turn.points)
    assert isinstance(turn, BankTurn) and isinstance(table, BankTable)
    if isinstance(action, Bank):
        return worth.banking(turn.points)
    if isinstance(action, TakeOver):
        assert state.left
        return worth.rolling(_node(table, throws, state.left.hand, 0), state.left.points)
    if isinstance(action, Roll):
        if turn.stage == "start":
            return worth.rolling(throws.start, 0)
        return worth.rolling(_node(table, throws, bank.hand(table, turn), turn.hot), turn.points)
    assert isinstance(action, Keep)
    after, _events = game.apply(table, state, action)
    if after.won is not None:
        return worth.winning(turn.points)
    both: tuple[Action, ...] = (Roll(), Bank())
    return max(_worth(table, worth, after, then) for then in both if game.check(table, after, then) is None)


def _node(table: Game, throws: Throws, dice: Positions, hot: int) -> int:
    """The node of the game's dice at these places."""
    weights = [table.faces.weights[die] for die in dice]
    return throws.node(tuple(weights.count(kind) for kind in throws.kinds_of_dice), hot)


LeftOut = Literal[
    "carry",
    "in_a_row",
    "first_throw",
    "below_zero",
    "wins",
    "lose_all",
    "opened",
    "rounds",
    "exact_back",
    "exact_given_away",
]


def left_out(table: Game, what: Literal["turn", "fewest", "chance"]) -> list[LeftOut]:
    """The rules of a game that a result doesn't weigh: of `turn_values`, `fewest_turns` or `two_players`.

    `exact_back` and `exact_given_away` are taken as the loss of the turn's points; `below_zero` says that the points
    of a turn may be negative, which counts as none.
    """
    ruleset = table.ruleset
    throws = throws_of(table)
    found: list[LeftOut] = []
    if isinstance(table, BankTable):
        found += ["carry"] if table.ruleset.carry else []
        found += ["in_a_row"] if table.ruleset.bust.in_a_row else []
        found += ["first_throw"] if table.ruleset.bust.first_throw and what != "turn" else []
    found += ["below_zero"] if throws.scores.min(initial=0) < 0 else []
    if what == "turn":
        found += ["wins"] if table.wins else []
        found += ["lose_all"] if throws.lost_all.any() else []
        return found
    found += ["opened"] if ruleset.turn.opening and throws.lost_all.any() else []
    found += ["rounds"] if ruleset.end.rounds else []
    found += ["exact_back"] if ruleset.end.exact == "back" else []
    found += ["exact_given_away"] if ruleset.end.exact == "given_away" else []
    return found


def thresholds(table: Game) -> dict[str, int | None]:
    """For each number of dice left to throw, from how many points of the turn on banking is always best.

    By the mean points of a turn; None where throwing is always best. Empty where dice differ: then it depends on which
    are left.
    """
    turn = turn_values(table)
    throws = turn.throws
    found: dict[str, int | None] = {}
    for hand in throws.hands if len(throws.kinds_of_dice) == 1 else []:
        node = throws.node(hand)
        most = turn.values.shape[1]
        levels = range(most + 1)
        best = [turn.banking(at * throws.step) >= turn.rolling(node, at * throws.step) > -inf for at in levels]
        last = next((at for at in reversed(levels) if not best[at]), -1)
        found[str(sum(hand))] = None if last == most else (last + 1) * throws.step
    return found
