"""What may fall: every throw of so many dice with its weight, exactly where there are few enough."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb, factorial, prod

from dicecli.game.dice import throw
from dicecli.rules.patterns import Dice

MAX_THROWS = 5_000  # different throws up to which all of them are looked at
SAMPLES = 400


def few(count: int, faces: int) -> bool:
    """Whether the different throws of `count` dice are few enough to look at each."""
    return comb(count + faces - 1, count) <= MAX_THROWS


@lru_cache(maxsize=32)
def throws(count: int, faces: int) -> dict[Dice, float]:
    """The different throws (sorted) of `count` dice and their chances; a fixed sample where there are too many."""
    if few(count, faces):
        whole = faces**count
        return {
            dice: factorial(count) / prod(map(factorial, Counter(dice).values())) / whole
            for dice in combinations_with_replacement(range(1, faces + 1), count)
        }
    seen: Counter[Dice] = Counter()
    position = 0
    for _ in range(SAMPLES):
        dice, position = throw("sample", position, count, faces)
        seen[tuple(sorted(dice))] += 1
    return {dice: times / SAMPLES for dice, times in seen.items()}
