"""Best play of bank and accumulate games, exactly: points of a turn, turns to the target, the chance of winning.

All three are one recursion over a turn. What a player decides depends on the hand (the dice left to throw), the points
of the turn and, where hot dice multiply, how often the dice were hot. `Throws` holds what each hand may throw; `_sweep`
values every hand at every number of points, the most points first, for many games at once (the lanes). What differs is
what banking and losing a turn are worth: points, turns still to come, or the chance of winning.

A level is a number of points, counted in steps of `Throws.step`; totals are counted in the same steps. In every
currency more is better, so turns to come are negative.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import product
from math import ceil, gcd, inf, isfinite, log
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dicecli.rules.faces import rolls_of
from dicecli.rules.table import AccumulateTable, BankTable
from dicecli.rules.vocabulary import HotDice

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Hand = tuple[int, ...]  # how many dice of each kind are left to throw
Game = BankTable | AccumulateTable
Must = Literal["roll", "bank"] | None

ENOUGH = 1e-12  # a change that no longer counts
MOST_LEVELS = 50_000  # of a turn; beyond, banking is taken for best
MOST_ROUNDS = 10_000  # of an iteration
NEVER = 1e12  # turns to come where there is no way to the target
FOREVER = 1e8
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
        self._arrange(exact=bool(table.ruleset.end.exact))

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
        longest = len(ordered[0]) if ordered else 0
        self.ranks = [sum(len(choices) > rank for choices in ordered) for rank in range(longest)]
        by_rank = [choices[rank] for rank, many in enumerate(self.ranks) for choices in ordered[:many]]
        self.of_list: Ints = np.array([at for many in self.ranks for at in range(many)], dtype=np.intp)
        self.rolled = sorted({choice.node for choice in by_rank if choice.must == "roll"})
        self.bank_row = self.nodes + len(self.rolled)
        self.win_row = self.bank_row + 1
        self.rows = self.win_row + 1
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
    for _round in range(1 if throws.rising else MOST_ROUNDS):
        before = start.copy()
        for level in range(top - 1, -1, -1):
            many = active[level]
            after = base + np.clip(throws.scores + level, 0, levels - 1)
            best = throws.best(flat[:, :many][after])
            value = throws.chances @ best
            value += lost[:, :many]
            np.maximum(value, free[level, :many], out=worth[: throws.nodes, level, :many])
            if throws.rolled:
                worth[throws.nodes : throws.bank_row, level, :many] = value[throws.rolled]
            if values is not None:
                values[:, level, :many] = value
            if level == 0:
                start[:many] = value[throws.start]
        if throws.rising or np.abs(start - before).max() <= ENOUGH * max(1.0, np.abs(start).max()):
            break
    return start


def _must_roll_far(throws: Throws, bank: Floats, won: Floats, lost: Floats) -> Floats:
    """What throwing is worth (node, lane) where points no longer matter: banking as soon as it is allowed.

    `bank` and `won` are of each lane, `lost` (node, lane) as in `_sweep`.
    """
    worth = np.tile(bank, (throws.rows, 1))
    worth[throws.win_row] = won
    value = worth[: throws.nodes]
    if not throws.rolled:
        return value
    for _round in range(MOST_ROUNDS):
        before = value
        value = throws.chances @ throws.best(worth[throws.at]) + lost
        worth[throws.nodes : throws.bank_row] = value[throws.rolled]
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
    safe = slope >= 1 - 1e-9
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
        adds = np.where(adds > 1, np.inf, adds)  # hands that never bust can be thrown for ever
    bank_from = (adds[~safe] / (1 - slope[~safe])).tolist()
    steeper = best_slope[throws.of_list][~eligible] - lines[~eligible]
    crossings = (offers - best_more[throws.of_list])[~eligible] / steeper
    return Far(max([0.0, *bank_from, *crossings.tolist()]) * throws.step, slope, adds * throws.step)


class TurnValues(NamedTuple):
    """The best mean points of a turn: `values` (node, level) of throwing with a node's dice and a level's points.

    `far` goes on beyond the levels. `mean` is that of a whole turn.
    """

    throws: Throws
    values: Floats
    far: Far
    mean: float

    def rolling(self, node: int, points: int) -> float:
        """What throwing is worth with so many points of the turn."""
        level = max(points, 0) // self.throws.step
        if level < self.values.shape[1]:
            return float(self.values[node, level])
        return float(self.far.slope[node] * points + self.far.more[node])


def turn_values(table: Game, *, opened: bool = True) -> TurnValues:
    """The best mean points of a turn; `opened` says whether the player has banked before.

    Hot dice are unlimited. A lost first throw costs its penalty in full. A throw that wins counts its points only, one
    that loses all the points of the turn only. The mean is infinite where throwing on is never a risk.
    """
    throws = throws_of(table)
    least, need = _least(table), _needed(table, opened=opened)
    far = _far(throws)
    top = min(ceil(max(far.points, need) / throws.step) + 1, MOST_LEVELS) if isfinite(far.points) else 1
    points = np.arange(top + throws.most + 1) * float(throws.step)
    forced = np.where(points >= need, points, 0.0)
    free = forced if _may_stop(table, opened=opened) else np.where(points >= need, points, -np.inf)
    free = np.where(points >= least, free, -np.inf)
    worth = np.zeros((throws.rows, len(points), 1))
    line = far.slope[:, None] * points + far.more[:, None]
    worth[: throws.nodes, :, 0] = np.where(far.slope[:, None] >= 1 - 1e-9, np.maximum(line, free), free)
    worth[throws.nodes : throws.bank_row, :, 0] = line[throws.rolled]
    worth[throws.bank_row :, :, 0] = forced
    values = np.zeros((throws.nodes, top, 1))
    if not isfinite(far.points):
        return TurnValues(throws, values[:, :0, 0], far, inf)
    tops = np.array([top], dtype=np.intp)
    start = _sweep(throws, worth, tops, np.zeros((throws.nodes, 1)), free[:, None], values)
    penalty = table.ruleset.bust.first_throw if isinstance(table, BankTable) else None
    cost = throws.lost[throws.start] * penalty.score if penalty else 0.0
    return TurnValues(throws, values[:, :, 0], far, float(start[0] + cost))


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


class FewestTurns(NamedTuple):
    """The fewest expected turns to a target: `turns` (total in steps), of a player who has banked but for total 0.

    Infinite from where the target can't be reached.
    """

    throws: Throws
    target: int
    turns: Floats


def fewest_turns(table: Game, target: int) -> FewestTurns:
    """The fewest expected turns of one player to `target` points, the last turn included.

    A turn that is lost leaves the player where he was, so its worth stands on both sides: an equation of straight
    pieces, solved by secants. A throw that loses all leads back to total 0, solved the same way around the whole.
    """
    throws = throws_of(table)

    def all_totals(from_nothing: float) -> Floats:
        worth = np.zeros(ceil(target / throws.step) + 1)  # minus the turns to come; nothing at the target
        for total in range(len(worth) - 2, -1, -1):
            guess = float(worth[total + 1]) - 1e-3

            def turn(stay: Floats, total: int = total) -> Floats:
                return _turns_from(table, worth, total, target, stay, from_nothing) - 1

            worth[total] = _fixed_point(turn, guess if guess > -NEVER / 2 else -10.0)
        return worth

    nothing = 0.0
    if throws.lost_all.any():
        nothing = _fixed_point(lambda zeros: np.array([all_totals(zero)[0] for zero in zeros]), -20.0)
    turns = -all_totals(nothing)
    return FewestTurns(throws, target, np.where(turns > FOREVER, np.inf, turns) + 0.0)


def _fixed_point(function: Callable[[Floats], Floats], guess: float) -> float:
    """Where a rising convex function of straight pieces, none steeper than 1, gives its argument; -`NEVER` if nowhere.

    The function is asked for two arguments together.
    """
    apart = 1e-3 * max(1.0, abs(guess))
    for _round in range(100):
        high, low = function(np.array([guess, guess - apart])).tolist()
        slope = (high - low) / apart
        if slope >= 1 - 1e-9:
            return -NEVER
        following = (high - slope * guess) / (1 - slope)
        step = abs(following - guess)
        guess = max(following, -NEVER)
        scale = max(1.0, abs(guess))
        if step <= 1e-9 * scale:
            break
        apart = 1e-5 * scale
    return guess


def _turns_from(
    table: Game, turns: Floats, total: int, target: int, stay: Floats, nothing: float, values: Floats | None = None
) -> Floats:
    """What a turn from a total is worth in turns to come after it (as negative numbers), for each worth of staying.

    `turns` (total in steps) are known for the totals above, `nothing` is the worth of losing all. See `_sweep` for
    `values`.
    """
    throws = throws_of(table)
    top = max(_top(table, throws, target) - total, ceil(_needed(table, opened=total > 0) / throws.step))
    bank = np.zeros((top + 1, len(stay)))
    bank[: len(turns) - total] = turns[total:, None]
    if table.ruleset.end.exact:
        bank[_top(table, throws, target) - total :] = stay
    forced, free = _stops(table, throws, bank, stay, np.full(len(stay), total > 0))
    tops = np.full(len(stay), top)
    return _play(throws, tops, forced, free, stay, np.full(len(stay), nothing), np.zeros(len(stay)), values)


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
    if throws.rolled:
        worth[throws.nodes : throws.bank_row] = _must_roll_far(throws, forced[-1], won, lost)[throws.rolled][:, None]
    worth[throws.bank_row] = forced
    worth[throws.win_row] = won
    return _sweep(throws, worth, tops, lost, free, values)
