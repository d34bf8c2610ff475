"""The faces of a game's dice: numbers 1, 2, 3, ... for the engine, what they show and count for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate

from dicecli.rules.vocabulary import DiceSet

Shown = int | str


def rolls_of(weights: Iterable[Sequence[int]]) -> tuple[dict[tuple[int, ...], int], int]:
    """Every roll (sorted) of dice with these weights of faces, with its weight, and that of all rolls together."""
    rolls: Counter[tuple[int, ...]] = Counter({(): 1})
    whole = 1
    for die in weights:
        whole *= sum(die)
        longer: Counter[tuple[int, ...]] = Counter()
        for dice, weight in rolls.items():
            for face, chance in enumerate(die, 1):
                if chance:
                    longer[tuple(sorted((*dice, face)))] += weight * chance
        rolls = longer
    return dict(rolls), whole


class Faces:
    """Faces by number, from 1 in the ruleset's order."""

    def __init__(self, dice: DiceSet) -> None:
        self.dice_count = dice.count
        self.shown: tuple[Shown, ...] = (
            tuple(range(1, dice.faces + 1)) if isinstance(dice.faces, int) else tuple(dice.faces)
        )
        self.count = len(self.shown)
        self._numbers = {str(face): number for number, face in enumerate(self.shown, 1)}
        self._values = [dice.values.get(str(face), face if isinstance(face, int) else 0) for face in self.shown]
        self.wild = frozenset(self.number(face) for face in dice.wild or ())
        self._classes = {self.number(face): name for name, members in dice.classes.items() for face in members}
        one_weights = tuple(dice.weights or (1,) * self.count)
        self.weights = tuple(map(tuple, dice.each)) if dice.each else (one_weights,) * dice.count
        self.sums = tuple(tuple(accumulate(weights)) for weights in self.weights)
        self.fair = all(len(set(weights)) == 1 for weights in self.weights)
        self.short = all(len(word) == 1 for word in self._numbers)  # then faces may be typed without blanks

    def number(self, shown: Shown) -> int:
        """The number of a face by what it shows; 0 if there is none."""
        return self._numbers.get(str(shown), 0)

    def show(self, number: int) -> Shown:
        """What a face shows."""
        return self.shown[number - 1]

    def value(self, number: int) -> int:
        """What a face counts in a sum."""
        return self._values[number - 1]

    def total(self, dice: tuple[int, ...]) -> int:
        """What dice count together."""
        return sum(self._values[number - 1] for number in dice)

    def one_class(self, dice: tuple[int, ...]) -> bool:
        """Whether all dice are of one class."""
        classes = {self._classes.get(number) for number in dice}
        return len(classes) == 1 and None not in classes
