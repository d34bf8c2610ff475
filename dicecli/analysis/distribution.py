"""The exact distribution of a dice notation: whole-number weights over one denominator, no roll ever enumerated."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import accumulate
from math import comb, isqrt, log2
from typing import NamedTuple

from dicecli.errors import BadNotation, Problem
from dicecli.game.notation import MAX_AGAIN, Comparison, Pool
from dicecli.rules.expressions import Negative, Operation

MAX_TOTALS = 200_000
MAX_DIGITS = 4_000  # of the denominator; Python shows numbers of up to 4,300
MAX_LISTED = 40_000_000  # digits of all weights together
MAX_STEPS = 15_000_000  # operations on numbers of usual size: a few seconds

Ways = dict[int, int]  # total -> weight
_Polynomial = dict[int, int]  # exponent -> coefficient

_HOLDS: dict[str, Callable[[int, int, int], int]] = {  # of the other side's weights: below, equal, above
    "<": lambda below, equal, above: above,
    "<=": lambda below, equal, above: equal + above,
    "=": lambda below, equal, above: equal,
    "!=": lambda below, equal, above: below + above,
    ">=": lambda below, equal, above: below + equal,
    ">": lambda below, equal, above: below,
}


class Distribution(NamedTuple):
    """Every total that can fall, rising, with its weight; `whole` is the weight of all, so chances are weight/whole."""

    weights: Ways
    whole: int

    @property
    def mean(self) -> Fraction:
        """The mean of the totals."""
        return Fraction(sum(total * weight for total, weight in self.weights.items()), self.whole)

    @property
    def variance(self) -> Fraction:
        """The mean square of the distance from the mean."""
        squares = sum(total * total * weight for total, weight in self.weights.items())
        return Fraction(squares, self.whole) - self.mean**2

    @property
    def spread(self) -> float:
        """The standard deviation, to twelve places."""
        variance = self.variance
        return isqrt(variance.numerator * 10**24 // variance.denominator) / 10**12

    @property
    def at_most(self) -> list[int]:
        """For each total the weight of all totals up to it."""
        return list(accumulate(self.weights.values()))

    @property
    def at_least(self) -> list[int]:
        """For each total the weight of it and all totals above."""
        return list(accumulate(reversed(self.weights.values())))[::-1]


def distribution(tree: object) -> Distribution:
    """The distribution of a parsed notation's tree, in which all pools are independent.

    Raises `BadNotation` before it starts when there are too many totals (`too_many_totals`), when the denominator
    (`too_many_digits`) or all weights together (`too_long_a_list`) have too many digits, or when it would take too long
    (`too_many_steps`).
    """
    _size(tree)
    ways, whole = _ways(tree)
    return Distribution(dict(sorted(ways.items())), whole)


def chance(comparison: Comparison) -> Fraction:
    """The chance that a comparison holds; its sides are independent. Raises `BadNotation` as `distribution` does."""
    sizes = _size(comparison.left.tree), _size(comparison.right.tree)
    _checked(_Size(0, 0, 1, sum(size.bits for size in sizes), sum(size.steps for size in sizes)))
    left, right = distribution(comparison.left.tree), distribution(comparison.right.tree)
    holds = _HOLDS[comparison.sign]
    others = iter([*right.weights.items(), (None, 0)])
    other, weight = next(others)
    below = favourable = 0
    for total, ways in left.weights.items():
        while other is not None and other < total:
            below += weight
            other, weight = next(others)
        equal = weight if other == total else 0
        favourable += ways * holds(below, equal, right.whole - below - equal)
    return Fraction(favourable, left.whole * right.whole)


def _ways(tree: object) -> tuple[Ways, int]:
    """The totals of a tree with their weights, unsorted, and the weight of all."""
    if isinstance(tree, int):
        return {tree: 1}, 1
    if isinstance(tree, Pool):
        return _pool(tree), _whole(tree)
    if isinstance(tree, Negative):
        ways, whole = _ways(tree.of)
        return {-total: weight for total, weight in ways.items()}, whole
    assert isinstance(tree, Operation)
    (left, one), (right, other) = _ways(tree.left), _ways(tree.right)
    if tree.sign == "*":
        return _product(left, right), one * other
    if tree.sign == "-":
        right = {-total: weight for total, weight in right.items()}
    return _sum(left, right, one * other), one * other


def _whole(pool: Pool) -> int:
    again = MAX_AGAIN if pool.explodes else 0
    return int(pool.faces ** ((again + 1) * pool.count))


# pools


def _pool(pool: Pool) -> Ways:
    count, keep = pool.count, pool.count - pool.drop_lowest - pool.drop_highest
    if pool.explodes:
        if keep == count:
            sums = _exploded_sum(count, pool.faces)
            return {total: weight for total, weight in enumerate(sums, count) if weight}
        die = sorted(_exploded(pool.faces).items(), reverse=bool(pool.drop_lowest))
        return _kept(die, count, keep)
    if keep == count:
        return dict(enumerate(_plain_sum(count, pool.faces), count))
    highest = _highest(count, pool.faces, keep)
    if pool.drop_lowest:
        return highest
    return {keep * (pool.faces + 1) - total: weight for total, weight in highest.items()}  # the dice upside down


def _power(above: _Polynomial, below: _Polynomial, exponent: int, terms: int) -> list[int]:
    """The first coefficients of (above / below) ** exponent, a polynomial, in time linear in `terms`.

    For y = (a/b)^n holds y' ab = n (a'b - ab') y, which gives each coefficient from a few before it (Euler). Both
    polynomials have few terms, and one of exponent 0.
    """
    ab = _times(above, below)
    right = _times(_derived(above), below)
    for power, factor in _times(above, _derived(below)).items():
        right[power] = right.get(power, 0) - factor
    steps = sorted(
        (back, exponent * right.get(back, 0), ab.get(back + 1, 0))
        for back in right.keys() | {power - 1 for power in ab if power}
    )
    first = ab[0]
    found = [above[0] ** exponent // below[0] ** exponent]
    for at in range(terms - 1):
        value = 0
        for back, factor, shrinks in steps:
            if back > at:
                break
            value += (factor - shrinks * (at - back)) * found[at - back]
        found.append(value // (first * (at + 1)))
    return found


def _times(one: _Polynomial, other: _Polynomial) -> _Polynomial:
    found: _Polynomial = {}
    for power, factor in one.items():
        for more, times in other.items():
            found[power + more] = found.get(power + more, 0) + factor * times
    return found


def _derived(of: _Polynomial) -> _Polynomial:
    return {power - 1: power * factor for power, factor in of.items() if power}


def _plain_sum(count: int, faces: int) -> list[int]:
    """In how many ways `count` dice with faces 1 to `faces` show each sum, from `count` on."""
    if faces == 0 or count == 0:
        return [] if count else [1]
    if faces == 1:
        return [1]
    return _power({0: 1, faces: -1}, {0: 1, 1: -1}, count, count * (faces - 1) + 1)


def _exploded_sum(count: int, faces: int) -> list[int]:
    """The weights of the sums of `count` exploding dice, from `count` on, over faces ** (MAX_AGAIN + 1) a die.

    One die is x (1 - x^(f-1)) / (1 - x) * (f^n - x^(fn)) / (f - x^f) + x^(fn) with n = MAX_AGAIN + 1.
    """
    throws = MAX_AGAIN + 1
    last = faces * throws
    below = _times({0: 1, 1: -1}, {0: faces, faces: -1})
    above = _times({0: 1, faces - 1: -1}, {0: faces**throws, last: -1})
    for power, factor in below.items():
        above[power + last - 1] = above.get(power + last - 1, 0) + factor
    return _power(above, below, count, count * (last - 1) + 1)


def _exploded(faces: int) -> Ways:
    """The totals of one exploding die."""
    ways = {
        again * faces + face: faces ** (MAX_AGAIN - again) for again in range(MAX_AGAIN + 1) for face in range(1, faces)
    }
    return {**ways, (MAX_AGAIN + 1) * faces: 1}


def _highest(count: int, faces: int, keep: int) -> Ways:
    """In how many ways the `keep` highest of `count` dice show each sum.

    Split by `face`, the lowest that is kept. Either: `some` dice are above it, and enough others show it. Or, where
    few dice drop: at most so many are below it, less those cases in which at most so many are not above it.
    """
    drop = count - keep
    ways: Ways = {}

    def add(first: int, factor: int, sums: Iterable[int]) -> None:
        for total, weight in enumerate(sums, first):
            ways[total] = ways.get(total, 0) + factor * weight

    for face in range(1, faces + 1):
        if _few_kept(count, keep):
            for some in range(keep):
                rest, needed = count - some, keep - some
                shown = face**rest - sum(comb(rest, n) * (face - 1) ** (rest - n) for n in range(needed))
                add(face * needed + (face + 1) * some, comb(count, some) * shown, _plain_sum(some, faces - face))
        else:
            for under in range(drop + 1):
                rest, less = count - under, face * (drop - under)
                add(face * rest - less, comb(count, under) * (face - 1) ** under, _plain_sum(rest, faces - face + 1))
                add((face + 1) * rest - less, -comb(count, under) * face**under, _plain_sum(rest, faces - face))
    return {total: weight for total, weight in ways.items() if weight}


def _few_kept(count: int, keep: int) -> bool:
    return keep * keep <= 4 * (count - keep + 1) * count


def _kept(die: list[tuple[int, int]], count: int, keep: int) -> Ways:
    """The sums of the first `keep` of `count` dice, in the order in which `die` lists its totals with their weights.

    Total by total, the last that is kept: `some` dice came before it, enough others show it. (Compare
    icepool's generators: the dice are never told apart.)
    """
    before: list[Ways] = [{0: 1}, *({} for _ in range(keep - 1))]  # of so many dice, all before this total
    after = sum(weight for _, weight in die)
    ways: Ways = {}
    for value, weight in die:
        after -= weight
        for some, sums in enumerate(before):
            if sums:
                rest, needed = count - some, keep - some
                shown = (after + weight) ** rest
                shown -= sum(comb(rest, n) * weight**n * after ** (rest - n) for n in range(needed))
                factor, more = comb(count, some) * shown, value * needed
                for total, times in sums.items():
                    ways[total + more] = ways.get(total + more, 0) + factor * times
        for some in range(keep - 1, 0, -1):
            sums = before[some]
            for show in range(1, some + 1):
                factor, more = comb(some, show) * weight**show, value * show
                for total, times in before[some - show].items():
                    sums[total + more] = sums.get(total + more, 0) + factor * times
    return ways


# pools together


def _product(left: Ways, right: Ways) -> Ways:
    ways: Ways = {}
    for one, weight in left.items():
        for other, more in right.items():
            ways[one * other] = ways.get(one * other, 0) + weight * more
    return ways


def _sum(left: Ways, right: Ways, whole: int) -> Ways:
    """The sums of two independent totals: pair by pair, or, where they lie close, as one product of two long numbers.

    Each number holds a side's weights one after the other, with room for those of the sum (Kronecker).
    """
    spread = sum(max(side) - min(side) + 1 for side in (left, right))
    if len(left) * len(right) <= 4 * spread:
        ways: Ways = {}
        for one, weight in left.items():
            for other, more in right.items():
                ways[one + other] = ways.get(one + other, 0) + weight * more
        return ways
    room = whole.bit_length() // 8 + 1
    lowest = min(left) + min(right)
    product = _packed(left, room) * _packed(right, room)
    packed = product.to_bytes((spread - 1) * room, "little")
    weights = (int.from_bytes(packed[at : at + room], "little") for at in range(0, len(packed), room))
    return {total: weight for total, weight in enumerate(weights, lowest) if weight}


def _packed(ways: Ways, room: int) -> int:
    totals = range(min(ways), max(ways) + 1)
    return int.from_bytes(b"".join(ways.get(total, 0).to_bytes(room, "little") for total in totals), "little")


# how big it is, before it starts


class _Size(NamedTuple):
    least: int
    most: int
    totals: int
    bits: float  # of the denominator
    steps: float  # of all that is done up to here


def _size(tree: object) -> _Size:
    """The size of a tree's distribution at most; refuses what is too big."""
    if isinstance(tree, int):
        return _Size(tree, tree, 1, 0, 0)
    if isinstance(tree, Negative):
        size = _size(tree.of)
        return size._replace(least=-size.most, most=-size.least)
    if isinstance(tree, Pool):
        return _pool_size(tree)
    assert isinstance(tree, Operation)
    one, other = _size(tree.left), _size(tree.right)
    pairs, bits = one.totals * other.totals, one.bits + other.bits
    steps = pairs * (1 + bits / 1000)
    if tree.sign == "*":
        corners = [a * b for a in one[:2] for b in other[:2]]
        least, most = min(corners), max(corners)
    else:
        least, most = one.least + other.least, one.most + other.most
        if tree.sign == "-":
            least, most = one.least - other.most, one.most - other.least
        spread = one.most - one.least + other.most - other.least + 1
        if spread < MAX_TOTALS:
            steps = min(steps, (spread * (1 + bits / 30)) ** 1.585 / 125)  # Karatsuba
    return _checked(_Size(least, most, pairs, bits, one.steps + other.steps + steps))


def _pool_size(pool: Pool) -> _Size:
    again = MAX_AGAIN if pool.explodes else 0
    count, faces, keep = pool.count, pool.faces, pool.count - pool.drop_lowest - pool.drop_highest
    most = faces * (again + 1)
    bits = count * log2(faces) * (again + 1)
    totals = keep * (most - 1) + 1
    if keep == count:
        steps = totals * (8 if again else 2)
    elif again:
        steps = most * most * keep * keep * (keep + 3) // 50
    elif _few_kept(count, keep):
        steps = faces * keep * ((keep - 1) * faces // 2 + 2)
    else:
        steps = faces * (count - keep + 1) * totals * 2
    return _checked(_Size(keep, keep * most, totals, bits, steps * (1 + bits / 1000)))


def _checked(size: _Size) -> _Size:
    totals, digits = min(size.totals, size.most - size.least + 1), int(size.bits / log2(10)) + 1
    _refuse("too_many_totals", totals, MAX_TOTALS)
    _refuse("too_many_digits", digits, MAX_DIGITS)
    _refuse("too_long_a_list", totals * digits, MAX_LISTED)
    _refuse("too_many_steps", int(size.steps), MAX_STEPS)
    return size._replace(totals=totals)


def _refuse(code: str, number: int, most: int) -> None:
    if number > most:
        raise BadNotation(Problem(code, {"number": number, "most": most}))
