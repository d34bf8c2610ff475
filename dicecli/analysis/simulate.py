"""Many games counted: who plays, how the games are cut into chunks, and what of them is remembered.

A chunk's dice depend on the seed and the chunk's number alone, and a `Tally` holds whole numbers alone; so the same
seed gives the same figures however many processes or machines the chunks are played on, and in whatever order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from hashlib import sha256
from math import sqrt
from typing import Any, NamedTuple, Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from dicecli.errors import BadUsage, Problem, Refused, near
from dicecli.game.dice import seed_bytes
from dicecli.rules.table import SheetTable, Table
from dicecli.rules.vocabulary import MAX_POINTS

MAX_TOTALS = 10_000  # different totals of a seat that are counted apart
MAX_TURNS = 20_000  # of a player in one game: more than that only games take that nobody can win
CONFIDENCE = 0.95
Z = 1.959963984540054  # the normal quantile of (1 + CONFIDENCE) / 2


class Player(NamedTuple):
    """A way to play: `normal`, `easy`, `expert`, or `bank_at` with the points at which it banks."""

    kind: str
    points: int | None = None

    def __str__(self) -> str:
        return self.kind if self.points is None else f"{self.kind}:{self.points}"


KINDS = ("easy", "normal", "expert", "bank_at:N")


def parse(text: str, table: Table) -> Player:
    """The player that `normal` or `bank_at:500` names; raises `BadUsage` for one that can't play this game."""
    kind, colon, points = text.partition(":")
    if kind == "bank_at":
        if isinstance(table, SheetTable):
            raise BadUsage(Problem("no_banking", {"text": text, "game": table.name}))
        if not (points.isascii() and points.isdigit() and len(points) <= 9 and int(points) <= MAX_POINTS):
            raise BadUsage(Problem("bad_bank_at", {"text": text, "most": MAX_POINTS}))
        return Player(kind, int(points))
    if colon or kind not in KINDS:
        known = [each for each in KINDS if each != "bank_at:N" or not isinstance(table, SheetTable)]
        raise BadUsage(Problem("unknown_player", {"text": text, "players": known, **near(kind, known)}))
    return Player(kind)


class Chunk(NamedTuple):
    """So many games that are played together; chunks are numbered from 0."""

    number: int
    games: int


def endless() -> Refused:
    """What refuses games in which players had `MAX_TURNS` turns, and nobody has won."""
    return Refused(Problem("endless_play", {"turns": MAX_TURNS}))


def chunks(games: int, size: int) -> Iterator[Chunk]:
    """`games` cut into chunks of `size`, the last one with what is left."""
    for number in range(-(-games // size)):
        yield Chunk(number, min(size, games - number * size))


def stream(seed: str, chunk: int) -> np.random.Generator:
    """The random numbers of a chunk: PCG64, seeded by SHA-256 of the seed's bytes, a zero byte, and the chunk's number.

    The number counts as 8 bytes big-endian; numpy promises that the same seed gives PCG64 the same stream for ever.
    """
    digest = sha256(seed_bytes(seed) + b"\0" + chunk.to_bytes(8, "big")).digest()
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(int.from_bytes(digest, "big"))))


class SeatTally(Struct, frozen=True):
    """What is remembered of a seat.

    `totals` are games by the player's total, of which the last `shift` bits are dropped (0 unless there were more than
    `MAX_TOTALS` different ones). `points` and `squares` are the sums of the totals and of their squares. `wins` are
    games by how many players won together, this one among them: 1 is a win alone. `turns` and `lost` are all turns,
    and the lost ones among them.
    """

    totals: dict[int, int]
    points: int
    squares: int
    least: int
    most: int
    wins: dict[int, int]
    turns: int
    lost: int
    shift: int = 0

    @staticmethod
    def of(totals: Mapping[int, int], wins: Mapping[int, int], turns: int, lost: int = 0) -> SeatTally:
        """The tally of games by their totals (at least one), by wins, and with so many turns in all of them."""
        points = sum(total * games for total, games in totals.items())
        squares = sum(total * total * games for total, games in totals.items())
        counted, shift = _fewer(dict(totals), 0)
        return SeatTally(counted, points, squares, min(totals), max(totals), dict(wins), turns, lost, shift)

    def merge(self, other: SeatTally) -> SeatTally:
        """The tally of both."""
        shift = max(self.shift, other.shift)
        totals, shift = _fewer(_added(_coarse(self, shift), _coarse(other, shift)), shift)
        return SeatTally(
            totals,
            self.points + other.points,
            self.squares + other.squares,
            min(self.least, other.least),
            max(self.most, other.most),
            _added(self.wins, other.wins),
            self.turns + other.turns,
            self.lost + other.lost,
            shift,
        )

    @property
    def games(self) -> int:
        """How many games."""
        return sum(self.totals.values())

    @property
    def mean(self) -> float:
        """The mean total."""
        return self.points / self.games

    @property
    def spread(self) -> float | None:
        """The standard deviation of the totals, with n - 1; None for a single game."""
        games = self.games
        if games < 2:
            return None
        return sqrt(Fraction(games * self.squares - self.points**2, games * (games - 1)))

    @property
    def mean_interval(self) -> tuple[float, float] | None:
        """The 95 % confidence interval of the mean: Student's t times the standard error; None for a single game."""
        spread = self.spread
        if spread is None:
            return None
        reach = student(self.games - 1) * spread / sqrt(self.games)
        return self.mean - reach, self.mean + reach

    @property
    def won(self) -> Fraction:
        """How many games were won; one that k players won together counts 1/k for each."""
        return sum((Fraction(games, together) for together, games in self.wins.items()), Fraction(0))

    @property
    def win_rate(self) -> float:
        """The share of the games that was won."""
        return float(self.won / self.games)

    @property
    def win_interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of `win_rate`, by `wilson`.

        Shared wins make it a little too wide, never too narrow: a share between 0 and 1 of mean p has at most the
        variance p (1 - p) of a plain win (Bhatia and Davis 2000).
        """
        return wilson(float(self.won), self.games)

    def quantile(self, percent: int) -> int:
        """The least total that at least so many percent of the games don't exceed (where totals are binned, its bin's).

        Definition 1 of Hyndman and Fan, "Sample quantiles in statistical packages" (1996).
        """
        upto, games = 0, self.games
        for total, count in sorted(self.totals.items()):
            upto += count
            if 100 * upto >= percent * games:
                return total << self.shift
        return self.most


class Tally(Struct, frozen=True):
    """What is remembered of games, by seats; small however many they are. Any order of merging gives the same."""

    seats: tuple[SeatTally, ...]

    def merge(self, other: Tally) -> Tally:
        """The tally of both."""
        return Tally(tuple(mine.merge(theirs) for mine, theirs in zip(self.seats, other.seats, strict=True)))

    @property
    def games(self) -> int:
        """How many games."""
        return self.seats[0].games


def counted(totals: NDArray[Any], winners: NDArray[np.bool_], turns: NDArray[Any], lost: NDArray[Any]) -> Tally:
    """The tally of games that were played side by side.

    `totals` (whole numbers) and `winners` have the shape (seats, games), at least one game; `turns` and `lost`, how
    many turns each seat had and how many of them were lost, have it too, or are sums of the shape (seats,).
    """
    together = winners.sum(axis=0)
    seats = len(totals)
    turns, lost = (np.asarray(each, dtype=np.int64).reshape(seats, -1).sum(axis=1).tolist() for each in (turns, lost))
    return Tally(
        tuple(
            SeatTally.of(_counts(totals[seat]), _counts(together[winners[seat]]), turns[seat], lost[seat])
            for seat in range(seats)
        )
    )


def _counts(values: NDArray[Any]) -> dict[int, int]:
    found, counts = np.unique(values, return_counts=True)
    return dict(zip(found.tolist(), counts.tolist(), strict=True))


def _added(one: Mapping[int, int], other: Mapping[int, int]) -> dict[int, int]:
    both = dict(one)
    for key, count in other.items():
        both[key] = both.get(key, 0) + count
    return both


def _coarse(tally: SeatTally, shift: int) -> dict[int, int]:
    """The tally's totals with so many bits dropped."""
    return _dropped(tally.totals, shift - tally.shift)


def _dropped(totals: dict[int, int], bits: int) -> dict[int, int]:
    if not bits:
        return totals
    fewer: dict[int, int] = {}
    for total, games in totals.items():
        fewer[total >> bits] = fewer.get(total >> bits, 0) + games
    return fewer


def _fewer(totals: dict[int, int], shift: int) -> tuple[dict[int, int], int]:
    """As many bits dropped as bring the totals down to `MAX_TOTALS`.

    More totals never need fewer bits, so all orders of merging end with the bits that all totals together need.
    """
    while len(totals) > MAX_TOTALS:
        totals, shift = _dropped(totals, 1), shift + 1
    return totals, shift


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % confidence interval of a rate of wins.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference" (1927).
    """
    rate, square = wins / games, Z * Z
    middle = (rate + square / (2 * games)) / (1 + square / games)
    reach = Z * sqrt(rate * (1 - rate) / games + square / (4 * games * games)) / (1 + square / games)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def student(freedom: int) -> float:
    """The two-sided 95 % quantile of Student's t with so many degrees of freedom, at least 1.

    Abramowitz and Stegun 26.7.5, within 0.001 from 5 degrees on; below that the table's values.
    """
    if freedom < 5:
        return (12.7062, 4.3027, 3.1824, 2.7764)[freedom - 1]
    z, n = Z, freedom
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    fourth = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    return z + first / n + second / n**2 + third / n**3 + fourth / n**4


class Engine(Protocol):
    """Plays many games at once. `chunk`: how many games are played together, the same on every machine."""

    chunk: int

    def play(self, chance: np.random.Generator, games: int) -> Tally:
        """Play so many games with these random numbers; may be called in several threads at once."""
