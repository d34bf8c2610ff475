"""Every set of dice that may be held in a turn, and which sets lead to which."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product

from dicecli.rules.patterns import Dice

Weights = tuple[tuple[int, ...], ...]  # of each die, of each face


class Holds:
    """Every set of dice that may be held, the smaller ones first, as sorted tuples of elements.

    Where all dice have the same weights an element is a face. Else dice of the same weights are a kind, and an
    element is its face plus the kind's number times how many faces there are.
    """

    def __init__(self, weights: Weights) -> None:
        self.count = len(weights)
        self.face_count = faces = len(weights[0])
        self.kinds = tuple(dict.fromkeys(weights))
        counts = [weights.count(kind) for kind in self.kinds]
        elements = [range(kind * faces + 1, kind * faces + faces + 1) for kind in range(len(self.kinds))]
        some = [
            [part for size in range(count + 1) for part in combinations_with_replacement(kind, size)]
            for kind, count in zip(elements, counts, strict=True)
        ]
        sets = [tuple(element for part in parts for element in part) for parts in product(*some)]
        self.sets: list[Dice] = sorted(sets, key=len)
        self.index = {held: at for at, held in enumerate(self.sets)}
        self.first_whole = next(at for at, held in enumerate(self.sets) if len(held) == self.count)
        self.next_kind = [self._missing(held, counts) for held in self.sets[: self.first_whole]]
        self.more = [
            [self.index[tuple(sorted((*held, element)))] for element in elements[kind]]
            for held, kind in zip(self.sets, self.next_kind, strict=False)
        ]
        self.fewer = [
            [self.index[held[:at] + held[at + 1 :]] for at in range(len(held)) if held[at] not in held[:at]]
            for held in self.sets
        ]
        self.sums = [sum(kind) for kind in self.kinds]
        self.chances = [[weight / sum(kind) for weight in kind] for kind in self.kinds]
        self.fair = all(len(set(kind)) == 1 for kind in self.kinds)

    def _missing(self, held: Dice, counts: Sequence[int]) -> int:
        """The kind of the die that is thrown first to complete `held`: the order doesn't matter."""
        there = [0] * len(counts)
        for element in held:
            there[(element - 1) // self.face_count] += 1
        return next(kind for kind, count in enumerate(counts) if there[kind] < count)

    @property
    def whole(self) -> list[Dice]:
        """The whole throws."""
        return self.sets[self.first_whole :]

    def faces(self, held: Dice) -> Dice:
        """The faces of a set, sorted."""
        return tuple(sorted((element - 1) % self.face_count + 1 for element in held))

    def held(self, after: Sequence[float]) -> list[float]:
        """The mean worth of holding each set, if whole throws are worth `after`."""
        worth = [0.0] * self.first_whole + list(after)
        for at in range(self.first_whole - 1, -1, -1):
            if self.fair:
                worth[at] = sum([worth[more] for more in self.more[at]]) / self.face_count
            else:
                chances = self.chances[self.next_kind[at]]
                worth[at] = sum(chance * worth[more] for chance, more in zip(chances, self.more[at], strict=True))
        return worth

    def thrown(self, held: Sequence[float]) -> list[float]:
        """The worth of each whole throw, if the best set of it is held."""
        best = list(held)
        for at, fewer in enumerate(self.fewer):
            for less in fewer:
                if best[less] > best[at]:
                    best[at] = best[less]
        return best[self.first_whole :]

    def above(self, kept: Dice, fallen: Dice, whole: int) -> list[int]:
        """The sets of `kept` and at least one of the `fallen` dice; all of them are `whole`."""
        some = {tuple(sorted(kept + more)) for n in range(1, len(fallen)) for more in combinations(fallen, n)}
        return [whole, *(self.index[dice] for dice in some)]

    def within(self, dice: Dice) -> list[Dice]:
        """Every set that can be held of a whole throw, the larger ones first."""
        seen = dict.fromkeys((self.index[dice],))
        walk = list(seen)
        for at in walk:  # grows
            new = [less for less in self.fewer[at] if less not in seen]
            seen.update(dict.fromkeys(new))
            walk.extend(new)
        return [self.sets[at] for at in walk]


@lru_cache(maxsize=8)
def holds_of(weights: Weights) -> Holds:
    """The sets of dice with these weights; remembered."""
    return Holds(weights)
