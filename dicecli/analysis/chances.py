"""What may fall: every throw of some dice with its chance, exactly where there are few enough."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import accumulate
from math import comb

from dicecli.game.dice import throw_weighted
from dicecli.rules.faces import rolls_of
from dicecli.rules.patterns import Dice
from dicecli.rules.table import BankTable

MAX_THROWS = 5_000  # different throws up to which all of them are looked at
SAMPLES = 400

Weights = tuple[tuple[int, ...], ...]  # of each die, of each face


def few(count: int, faces: int) -> bool:
    """Whether the different throws of `count` dice are few enough to look at each."""
    return comb(count + faces - 1, count) <= MAX_THROWS


@lru_cache(maxsize=64)
def throws(weights: Weights) -> dict[Dice, float]:
    """The different throws (sorted) of dice and their chances; a fixed sample where there are too many."""
    if few(len(weights), len(weights[0]) if weights else 1):
        rolls, whole = rolls_of(weights)
        return {dice: weight / whole for dice, weight in rolls.items()}
    sums = [tuple(accumulate(die)) for die in weights]
    seen: Counter[Dice] = Counter()
    position = 0
    for _ in range(SAMPLES):
        dice, position = throw_weighted("sample", position, sums)
        seen[tuple(sorted(dice))] += 1
    return {dice: times / SAMPLES for dice, times in seen.items()}


def even(worth: float) -> float:
    """A worth rounded, so that what is worth the same is equal however its parts were added up.

    Python 3.12 adds floats otherwise than 3.11; a computer's move must not depend on it.
    """
    return round(worth, 6)


@lru_cache(maxsize=512)
def next_throw(table: BankTable, weights: Weights) -> tuple[float, float]:
    """The chance that these dice score in a bank game, and the mean of their best keep."""
    chances = throws(weights)
    safe = sum(chance for dice, chance in chances.items() if table.keeps(dice))
    return safe, sum(chance * table.best(dice) for dice, chance in chances.items())
