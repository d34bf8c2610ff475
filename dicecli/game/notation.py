"""Dice notation: `6d6`, `2d20kh1`, `4d6dl1+2`, `d%`, `3d6*2-1`, `8d6!`; strict, with sizes that are bounded.

A pool `NdF` is N dice (1 if left out) with faces 1 to F (`%`: 100). Behind it, each at most once, in either order:
`!` (a die that shows its highest face is thrown again and the faces add up, at most `MAX_AGAIN` times) and one of
`kh` (keep the highest; `k` is the same), `kl` (keep the lowest), `dh` (drop the highest), `dl` (drop the lowest) with
how many dice (1 if left out). Exploded dice are kept or dropped by what they add up to.

Two notations may be compared (`3d6>=10`, `2d6 > d12`) where chances are asked for; a throw is no comparison. `3d6!=10`
is `3d6` and `!=`; dice that explode are set off by a blank (`3d6! = 10`) or compared by `==`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from msgspec import Struct

from dicecli.errors import BadNotation, Place, Problem
from dicecli.game.dice import draw
from dicecli.rules.expressions import MAX_LENGTH, Scanner, evaluate, parse

MAX_DICE = 1000
MAX_FACES = 1_000_000
MAX_AGAIN = 100

_LETTER = re.compile(r"[dD]")
_COMPARE = re.compile(r"!=(?!=)|==|[<>]=|[<>=]")
_KEEP = re.compile(r"(k[hl]?|d[hl])", re.IGNORECASE | re.ASCII)


class Pool(Struct, frozen=True):
    """Dice that are thrown together: how many, their faces, whether they explode, how many lowest and highest drop."""

    count: int
    faces: int
    explodes: bool = False
    drop_lowest: int = 0
    drop_highest: int = 0


class Notation(Struct, frozen=True):
    """A parsed notation."""

    text: str
    tree: object


class Comparison(Struct, frozen=True):
    """Two parsed notations and how they are compared: `<`, `<=`, `=`, `!=`, `>=` or `>`."""

    text: str
    left: Notation
    sign: str
    right: Notation


class Throw(NamedTuple):
    """What a notation threw: all dice in the order thrown, which of them count, the total, the position after them."""

    dice: tuple[int, ...]
    counts: tuple[bool, ...]
    total: int
    position: int

    @property
    def kept(self) -> tuple[int, ...]:
        """The dice that count, in the order thrown."""
        return tuple(face for face, counted in zip(self.dice, self.counts, strict=True) if counted)


def parse_notation(text: str) -> Notation:
    """The notation in `text`; raises `BadNotation` with the column of the fault."""
    if len(text) <= MAX_LENGTH and (sign := _COMPARE.search(text)):
        raise _fault("comparison", sign.start(), text=text)
    dice = 0

    def pool(scanner: Scanner, inner: Callable[[], object]) -> Pool | int | None:
        nonlocal dice
        start = scanner.at
        count = scanner.number()
        if not scanner.match(_LETTER):
            return count
        dice += 1 if count is None else count
        if count == 0 or dice > MAX_DICE:
            raise scanner.fault("bad_dice_count", start, most=MAX_DICE)
        return _faces(scanner, 1 if count is None else count)

    return Notation(text, parse(text, pool))


def parse_comparison(text: str) -> Comparison | Notation:
    """The comparison in `text`, or the notation if nothing is compared; raises `BadNotation` with the column."""
    sign = _COMPARE.search(text)
    if not sign or len(text) > MAX_LENGTH:
        return parse_notation(text)
    if again := _COMPARE.search(text, sign.end()):
        raise _fault("unexpected_text", again.start(), text=text, found=again[0])
    left, right = _side(text, 0, sign.start()), _side(text, sign.end(), len(text))
    return Comparison(text, left, "=" if sign[0] == "==" else sign[0], right)


def _side(text: str, start: int, end: int) -> Notation:
    """The notation in a part of `text`; a fault's column counts from the beginning of all."""
    try:
        return parse_notation(text[start:end])
    except BadNotation as wrong:
        (problem,) = wrong.problems
        column = (problem.at and problem.at.column) or 1
        raise _fault(problem.code, start + column - 1, **{**problem.params, "text": text}) from None


def _fault(code: str, at: int, **params: object) -> BadNotation:
    return BadNotation(Problem(code, params, Place(column=at + 1)))


def _faces(scanner: Scanner, count: int) -> Pool:
    start = scanner.at
    faces = 100 if scanner.take("%") else scanner.number()
    if faces is None:
        raise scanner.fault("missing_faces")
    if not 1 <= faces <= MAX_FACES:
        raise scanner.fault("bad_faces", start, most=MAX_FACES)
    explodes, drops = False, None
    while True:
        at = scanner.at
        if scanner.take("!"):
            if explodes or faces == 1:
                raise scanner.fault("explodes_twice" if explodes else "explodes_for_ever", at)
            explodes = True
        elif word := scanner.match(_KEEP):
            if drops:
                raise scanner.fault("two_keeps", at)
            drops = _drops(scanner, at, word.lower(), count)
        else:
            return Pool(count, faces, explodes, *(drops or (0, 0)))


def _drops(scanner: Scanner, start: int, word: str, count: int) -> tuple[int, int]:
    number = scanner.number()
    number = 1 if number is None else number
    keeps = word.startswith("k")
    dropped = count - number if keeps else number
    if not 0 <= dropped < count:
        raise scanner.fault("bad_keep_count", start, count=count, number=number)
    return (0, dropped) if word in ("kl", "dh") else (dropped, 0)


def throw_notation(notation: Notation, seed: str, position: int) -> Throw:
    """Throw all pools from left to right from the stream of `seed`, starting at `position`."""
    dice: list[int] = []
    counts: list[bool] = []

    def value(pool: object) -> int:
        nonlocal position
        assert isinstance(pool, Pool)
        thrown: list[list[int]] = []
        for _ in range(pool.count):
            die, position = _throw_die(pool, seed, position)
            thrown.append(die)
        dice.extend(face for die in thrown for face in die)
        order = sorted(range(pool.count), key=lambda at: sum(thrown[at]))
        counted = set(order[pool.drop_lowest : pool.count - pool.drop_highest])
        counts.extend(at in counted for at, die in enumerate(thrown) for _face in die)
        return sum(sum(thrown[at]) for at in counted)

    total = evaluate(notation.tree, value)
    return Throw(tuple(dice), tuple(counts), total, position)


def _throw_die(pool: Pool, seed: str, position: int) -> tuple[list[int], int]:
    shown: list[int] = []
    while not shown or (pool.explodes and shown[-1] == pool.faces and len(shown) <= MAX_AGAIN):
        number, position = draw(seed, position, pool.faces)
        shown.append(number + 1)
    return shown, position
