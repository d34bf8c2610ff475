"""What dice can look like. Dice are sorted tuples of faces; a face is a whole number from 1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple, Protocol

Dice = tuple[int, ...]
Positions = tuple[int, ...]


def positions_of(wanted: Dice, dice: Dice) -> Positions:
    """The first positions in `dice` that show the faces `wanted`, which must be there."""
    free = list(range(len(dice)))
    found = []
    for face in wanted:
        at = next(at for at in free if dice[at] == face)
        free.remove(at)
        found.append(at)
    return tuple(sorted(found))


class Match(NamedTuple):
    """Dice that show a pattern: the fewest that do, and their face where they share one (else 0)."""

    dice: Dice
    face: int = 0


class Pattern(Protocol):
    """Finds itself in dice."""

    def matches(self, dice: Dice) -> Iterator[Match]:
        """Each different match in `dice`."""


class AnyDice(NamedTuple):
    """`any: true`."""

    def matches(self, dice: Dice) -> Iterator[Match]:
        """All dice, always."""
        yield Match(dice)


class Face(NamedTuple):
    """`face: 4`: however many dice show that face, none included."""

    face: int

    def matches(self, dice: Dice) -> Iterator[Match]:
        """All dice of the face."""
        yield Match((self.face,) * dice.count(self.face), self.face)


class Contains(NamedTuple):
    """`dice: [1, 3, 5]`."""

    dice: Dice

    def matches(self, dice: Dice) -> Iterator[Match]:
        """The wanted dice, if all are there."""
        if not Counter(self.dice) - Counter(dice):
            yield Match(self.dice, self.dice[0] if len(set(self.dice)) == 1 else 0)


class OfAKind(NamedTuple):
    """`of_a_kind: 3`; with `exactly`, no further die may show the face."""

    number: int
    exactly: bool = False

    def matches(self, dice: Dice) -> Iterator[Match]:
        """So many equal dice, once for each face that has them."""
        for face, count in Counter(dice).items():
            if count == self.number or (count > self.number and not self.exactly):
                yield Match((face,) * self.number, face)


class Groups(NamedTuple):
    """`groups: [3, 2]`: groups of equal dice, each of another face."""

    sizes: tuple[int, ...]

    def matches(self, dice: Dice) -> Iterator[Match]:
        """Every choice of faces for the groups."""
        counts = Counter(dice)

        def fill(sizes: list[tuple[int, int]], taken: Dice) -> Iterator[Dice]:
            if not sizes:
                yield taken
                return
            size, times = sizes[0]
            enough = [face for face, count in counts.items() if count >= size and face not in taken]
            for faces in combinations(enough, times):
                yield from fill(sizes[1:], taken + tuple(face for face in faces for _ in range(size)))

        for found in fill(sorted(Counter(self.sizes).items(), reverse=True), ()):
            yield Match(tuple(sorted(found)))


class Straight(NamedTuple):
    """`straight: 4`: that many consecutive faces, repeats ignored; `first` fixes where it starts."""

    length: int
    first: int | None = None

    def matches(self, dice: Dice) -> Iterator[Match]:
        """Every run of that length."""
        faces = set(dice)
        for start in sorted(faces) if self.first is None else (self.first,):
            run = tuple(range(start, start + self.length))
            if faces.issuperset(run):
                yield Match(run)
