"""What dice can look like. Dice are sorted tuples of faces; a face is its number, from 1 (see faces.py)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple, Protocol

from dicecli.rules.faces import Faces
from dicecli.rules.vocabulary import Between, Look

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
    """`groups: [3, 2]`: groups of equal dice, each of another face; unless `distinct`, one face may fill several."""

    sizes: tuple[int, ...]
    distinct: bool = True

    def matches(self, dice: Dice) -> Iterator[Match]:
        """Every choice of faces for the groups."""
        seen = set()
        for found in self._fill(sorted(Counter(self.sizes).items(), reverse=True), (), Counter(dice)):
            ordered = tuple(sorted(found))
            if ordered not in seen:
                seen.add(ordered)
                yield Match(ordered)

    def _fill(self, sizes: list[tuple[int, int]], taken: Dice, left: Counter[int]) -> Iterator[Dice]:
        if not sizes:
            yield taken
            return
        size, times = sizes[0]
        room = {face: 1 if self.distinct else count // size for face, count in left.items() if count >= size}
        enough = [
            face for face, groups in room.items() for _ in range(groups) if not self.distinct or face not in taken
        ]
        for faces in dict.fromkeys(combinations(enough, times)):
            dice = tuple(face for face in faces for _ in range(size))
            rest = left if self.distinct else left - Counter(dice)
            yield from self._fill(sizes[1:], taken + dice, rest)


class Straight(NamedTuple):
    """`straight: 4`: that many faces in a row of the dice's `faces`, repeats ignored.

    `first` fixes where it starts; with `wrap` the first face follows the last.
    """

    length: int
    first: int | None = None
    wrap: bool = False
    faces: int = 0  # how many, for `wrap`

    def matches(self, dice: Dice) -> Iterator[Match]:
        """Every run of that length."""
        there = set(dice)
        for start in sorted(there) if self.first is None else (self.first,):
            run = [start + step for step in range(self.length)]
            if self.wrap:
                run = [(face - 1) % self.faces + 1 for face in run]
            if there.issuperset(run):
                yield Match(tuple(sorted(run)))


class Sum(NamedTuple):
    """`sum: 13`, `sum: {min: …, max: …}`: what all dice count together."""

    least: int
    most: int
    faces: Faces

    def matches(self, dice: Dice) -> Iterator[Match]:
        """All dice, if they add up."""
        if self.least <= self.faces.total(dice) <= self.most:
            yield Match(dice)


class OneClass(NamedTuple):
    """`class: same`: a match of another pattern whose dice are of one class."""

    of: Pattern
    faces: Faces

    def matches(self, dice: Dice) -> Iterator[Match]:
        """The matches of one class."""
        return (match for match in self.of.matches(dice) if self.faces.one_class(match.dice))


class All(NamedTuple):
    """`all: […]`: every one of the patterns."""

    of: tuple[Pattern, ...]

    def matches(self, dice: Dice) -> Iterator[Match]:
        """The matches of the first pattern, if the others are there too."""
        if all(any(True for _ in pattern.matches(dice)) for pattern in self.of[1:]):
            yield from self.of[0].matches(dice)


class AnyOf(NamedTuple):
    """`any_of: […]`: at least one of the patterns."""

    of: tuple[Pattern, ...]

    def matches(self, dice: Dice) -> Iterator[Match]:
        """The matches of each."""
        yield from dict.fromkeys(match for pattern in self.of for match in pattern.matches(dice))


class Not(NamedTuple):
    """`not: {…}`: the pattern is not there."""

    of: Pattern

    def matches(self, dice: Dice) -> Iterator[Match]:
        """All dice."""
        if not any(match.dice for match in self.of.matches(dice)):
            yield Match(dice)


class Nothing(NamedTuple):
    """`nothing: true`: for bank games, which see to it themselves; alone it is nowhere."""

    def matches(self, dice: Dice) -> Iterator[Match]:
        """None."""
        return iter(())


def pattern_of(look: Look, faces: Faces) -> Pattern:
    """The pattern that a checked `Look` names."""
    pattern = _plain(look, faces)
    return OneClass(pattern, faces) if look.cls else pattern


def _plain(look: Look, faces: Faces) -> Pattern:
    if look.face is not None:
        return Face(faces.number(look.face))
    if look.dice is not None:
        return Contains(tuple(sorted(map(faces.number, look.dice))))
    if look.of_a_kind is not None:
        return OfAKind(look.of_a_kind, look.exactly)
    if look.groups is not None:
        return Groups(tuple(look.groups), look.distinct)
    if look.straight is not None:
        first = faces.number(look.first) if look.first is not None else None
        return Straight(look.straight, first, look.wrap, faces.count)
    if look.sum is not None:
        between = look.sum if isinstance(look.sum, Between) else Between(look.sum, look.sum)
        return Sum(between.min, between.max, faces)
    if look.all is not None:
        return All(tuple(pattern_of(each, faces) for each in look.all))
    if look.any_of is not None:
        return AnyOf(tuple(pattern_of(each, faces) for each in look.any_of))
    if look.no is not None:
        return Not(pattern_of(look.no, faces))
    return Nothing() if look.nothing else AnyDice()


def one_face(look: Look) -> bool:
    """Whether every match of a look has one face, so that a score may name it."""
    return (
        look.face is not None
        or look.of_a_kind is not None
        or (look.dice is not None and len(set(map(str, look.dice))) == 1)
        or (look.any_of is not None and all(map(one_face, look.any_of)))
        or (look.all is not None and one_face(look.all[0]))
    )
