"""The exact chances of a game: what a throw gives, and what a turn gives that is played for one cell alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, prod
from typing import NamedTuple

from dicecli.analysis.holds import holds_of
from dicecli.errors import BadUsage, Problem
from dicecli.rules.faces import rolls_of
from dicecli.rules.patterns import Dice
from dicecli.rules.table import AccumulateTable, BankTable, Rule, SheetTable

MAX_LOOKS = 500_000  # at a cell with a throw, at each number of throws: a few seconds
KEEPS_LOOK = 8  # what finding all that may be set aside of a throw counts, for each combination
MAX_HANDS = 16  # different choices of dice that differ
MAX_WAYS = 1_000_000  # of getting from what is held to what may be held next, where dice are locked

Weights = tuple[tuple[int, ...], ...]  # of each die, of each face


class Hand(NamedTuple):
    """A throw of some dice of a bank game: the chance of a bust, of setting all aside, of each combination.

    `dice` are the places of the dice, from 1; `mean` is the mean of the best take, a bust counting 0.
    """

    dice: tuple[int, ...]
    bust: Fraction
    hot: Fraction
    combinations: dict[str, Fraction]
    mean: Fraction


class Cell(NamedTuple):
    """A cell of a sheet: the chance of its pattern in one throw and in a turn (None if it is always there).

    `turn` and `mean` (of the points) are each of a turn played for nothing else. `column` is a number, or None for
    all columns alike.
    """

    cell: str
    column: int | None
    rolls: int
    throw: Fraction | None
    turn: Fraction | None
    mean: Fraction


class Throw(NamedTuple):
    """A throw of an accumulate game: the chance of each outcome and of none, of each loss, the mean of the points."""

    outcomes: dict[str, Fraction]
    nothing: Fraction
    lose_turn: Fraction
    lose_all: Fraction
    mean: Fraction


# bank games


def bank_odds(table: BankTable) -> list[Hand]:
    """A hand for each number of dice, all dice first.

    Where dice differ: for each different choice of them if there are few, else for all dice alone. Raises `BadUsage`
    (`too_many_throws`) if the dice have too many different throws.
    """
    _check_throws(_throws(table.faces.dice_count, table.faces.count), len(table.rules) * KEEPS_LOOK)
    return [_hand(table, dice) for dice in _hands(table.faces.weights)]


def _hands(weights: Weights) -> list[tuple[int, ...]]:
    """The places of the dice of each different choice, the larger ones first."""
    places = range(len(weights))
    chosen: dict[tuple[tuple[int, ...], ...], tuple[int, ...]] = {}
    for size in range(len(weights), 0, -1):
        for dice in combinations(places, size):
            chosen.setdefault(tuple(sorted(weights[at] for at in dice)), dice)
    if len(chosen) > max(MAX_HANDS, len(weights)):
        return [tuple(place + 1 for place in places)]
    return [tuple(place + 1 for place in dice) for dice in chosen.values()]


def _hand(table: BankTable, dice: tuple[int, ...]) -> Hand:
    rolls, whole = rolls_of(table.faces.weights[place - 1] for place in dice)
    bust = hot = points = 0
    shown = dict.fromkeys(table.rules, 0)
    for roll, weight in rolls.items():
        keeps = table.keeps(roll)
        bust += 0 if keeps else weight
        hot += weight if roll in keeps else 0
        points += weight * table.best(roll)
        for name, rule in table.rules.items():
            shown[name] += weight if _shows(rule, roll) else 0
        for name in {part.combination for keep in keeps.values() for part in keep.parts}:
            shown[name] += weight if table.rules[name].part.nothing else 0
    return Hand(
        dice,
        Fraction(bust, whole),
        Fraction(hot, whole),
        {name: Fraction(weight, whole) for name, weight in shown.items()},
        Fraction(points, whole),
    )


def _shows(rule: Rule, dice: Dice) -> bool:
    """Whether sorted `dice` hold a combination."""
    return any(match.dice for match, _points in rule.scored(dice, whole=False))


def _throws(count: int, faces: int) -> int:
    """How many different throws some dice have."""
    return comb(count + faces - 1, count)


def _check_throws(throws: int, looks: int) -> None:
    """Refuse dice with too many different throws for so many looks at each."""
    most = MAX_LOOKS // looks
    if throws > most:
        raise BadUsage(Problem("too_many_throws", {"number": throws, "most": most}))


# accumulate games


def accumulate_odds(table: AccumulateTable) -> Throw:
    """The chances of a throw. Raises `BadUsage` (`too_many_throws`) if there are too many different throws."""
    _check_throws(_throws(table.faces.dice_count, table.faces.count), len(table.rules))
    rolls, whole = rolls_of(table.faces.weights)
    outcomes: Counter[str | None] = Counter()
    losses: Counter[str | None] = Counter()
    points = 0
    for roll, weight in rolls.items():
        fallen = table.fallen(roll)
        outcomes[fallen.outcome] += weight
        losses[fallen.lose] += weight
        points += weight * fallen.score
    return Throw(
        {name: Fraction(outcomes[name], whole) for name in table.rules},
        Fraction(outcomes[None], whole),
        Fraction(losses["turn"], whole),
        Fraction(losses["all"], whole),
        Fraction(points, whole),
    )


# sheet games


def sheet_odds(table: SheetTable) -> list[Cell]:
    """A cell for each row of the sheet, or for each of each column if the columns differ in their throws.

    Cells are worth what their own patterns say: no jokers, extras or multipliers. Raises `BadUsage` if the dice have
    too many different throws (`too_many_throws`), or too many ways to lock them (`too_many_ways`).
    """
    weights, faces, locked = table.faces.weights, table.faces.count, table.ruleset.keep == "locked"
    alike = Counter(weights).values()  # how many dice of each kind
    _check_throws(prod(_throws(count, faces) for count in alike), len(table.rules) * table.ruleset.rolls)
    ways = prod(_ways(count, faces) for count in alike)
    if locked and ways > MAX_WAYS:
        raise BadUsage(Problem("too_many_ways", {"number": ways, "most": MAX_WAYS}))
    limits = [min(column.rolls or table.ruleset.rolls, table.ruleset.rolls) for column in table.columns]
    turns = _Turns(weights, locked=locked)
    by_limit = {limit: list(_cells(table, turns, limit)) for limit in dict.fromkeys(limits)}
    if len(by_limit) == 1:
        return by_limit[limits[0]]
    return [cell._replace(column=number) for number, limit in enumerate(limits) for cell in by_limit[limit]]


def _cells(table: SheetTable, turns: _Turns, rolls: int) -> Iterator[Cell]:
    sign = -1 if table.ruleset.end.win == "lowest" else 1
    scores = [[table.scores(dice, roll) for dice in turns.throws] for roll in range(1, rolls + 1)]
    for at, (name, rule) in enumerate(table.rules.items()):
        there = [_holds_pattern(table, rule, dice) for dice in turns.throws]
        once = turn = None
        if not all(there):
            once, turn = turns.best([there]), turns.best([there] * rolls)
        points = [[sign * of_dice[at] for of_dice in of_roll] for of_roll in scores]
        yield Cell(name, None, rolls, once, turn, sign * turns.best(points))


def _holds_pattern(table: SheetTable, rule: Rule, dice: Dice) -> bool:
    sets = [dice] if table.ruleset.use is None else combinations(dice, table.ruleset.use)
    return any(True for each in sets for _match in rule.scored(each, whole=True))


def _ways(count: int, faces: int) -> int:
    """In how many ways, about, some of `count` dice are held, the others fall, and some of those are held."""
    return sum(_throws(held, faces) * _throws(count - held, faces) * 2 ** (count - held) for held in range(count + 1))


class _Turns:
    """All turns with the dice of a game, to be looked through backwards in whole numbers.

    What is held of the dice is worth the sum over all throws of the others, times the weights of the faces of the held
    dice: so the worths of all sets have one denominator, the weight `whole` of all throws, once for each throw to come.
    """

    def __init__(self, weights: Weights, *, locked: bool) -> None:
        self.holds = holds = holds_of(weights)
        self.throws = [holds.faces(dice) for dice in holds.whole]
        self._whole = prod(map(sum, weights))
        self._locked = locked
        self._ways = self._all_ways() if locked else []
        self._unit = all(weight == 1 for kind in holds.kinds for weight in kind)
        self._scales = [
            prod(holds.sums[(element - 1) // holds.face_count] for element in held)
            for held in holds.sets[: holds.first_whole]
        ]

    def best(self, ends: Sequence[Sequence[int]]) -> Fraction:
        """The mean worth of the best turn; `ends` says, throw by throw, what each is worth to who stops there."""
        held = self._held(ends[-1])
        whole = self._whole
        for throw in range(len(ends) - 1, 0, -1):
            stop = [worth * whole for worth in ends[throw - 1]]
            held = self._locked_held(held, stop, throw - 1) if self._locked else self._held(self._thrown(held, stop))
            whole *= self._whole
        return Fraction(held[0], whole)

    def _held(self, after: Sequence[int]) -> list[int]:
        """The worth of holding each set, if whole throws are worth `after`."""
        holds = self.holds
        worth = [0] * holds.first_whole + list(after)
        for at in range(holds.first_whole - 1, -1, -1):
            if self._unit:
                worth[at] = sum([worth[more] for more in holds.more[at]])
            else:
                weights = holds.kinds[holds.next_kind[at]]
                worth[at] = sum(weight * worth[more] for weight, more in zip(weights, holds.more[at], strict=True))
        return [mean * scale for mean, scale in zip(worth, self._scales, strict=False)]

    def _thrown(self, held: list[int], stop: list[int]) -> list[int]:
        """The worth of each whole throw, if the best set of it is held, or the turn is stopped."""
        best = held + stop
        for at, fewer in enumerate(self.holds.fewer):
            for less in fewer:
                if best[less] > best[at]:
                    best[at] = best[less]
        return best[self.holds.first_whole :]

    def _locked_held(self, held: list[int], stop: list[int], kept: int) -> list[int]:
        """The worth of holding each set of at least `kept` dice, if they stay and one more has to be held next time."""
        worth = [0] * self.holds.first_whole
        for at, dice in enumerate(self.holds.sets[: self.holds.first_whole if kept else 1]):
            if len(dice) >= kept:
                mean = 0
                for whole, weight, above in self._ways[at]:
                    mean += weight * max([stop[whole], *[held[more] for more in above]])
                worth[at] = mean * self._scales[at]
        return worth

    def _all_ways(self) -> list[list[tuple[int, int, list[int]]]]:
        """For each set the whole throws that complete it: number, weight, and the larger sets to be held of each."""
        holds = self.holds
        falls = [Counter({at: 1}) for at in range(len(holds.sets))]
        for at in range(holds.first_whole - 1, -1, -1):
            falls[at] = Counter()
            for weight, more in zip(holds.kinds[holds.next_kind[at]], holds.more[at], strict=True):
                for whole, times in falls[more].items():
                    falls[at][whole] += weight * times
        return [
            [(whole - holds.first_whole, weight, self._above(kept, whole)) for whole, weight in falls[at].items()]
            for at, kept in enumerate(holds.sets[: holds.first_whole])
        ]

    def _above(self, kept: Dice, whole: int) -> list[int]:
        """The sets, less than the whole throw, of the kept dice and at least one more."""
        fallen = tuple((Counter(self.holds.sets[whole]) - Counter(kept)).elements())
        return self.holds.above(kept, fallen, whole)[1:]
