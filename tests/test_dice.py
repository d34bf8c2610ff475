"""Seed to dice: the written mapping, checked against golden vectors and a second reading of it."""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, count, islice, pairwise
from typing import Any

import pytest
from conftest import facts

from dicecli.game.dice import draw, fingerprint, throw, throw_weighted


def sums(weights: Sequence[int]) -> tuple[int, ...]:
    return tuple(accumulate(weights))


GOLDEN = facts("seed-dice")
FACES = (1, 2, 6, 7, 256, 257, 1000, 65537)
SEEDS = ("42", "", "0", "a longer seed, with blanks", "żółć", "🎲", "f" * 32, *map(str, range(100, 110)))
POSITIONS = (0, 1, 60, 61, 62, 63, 64, 65, 1000)


def stream(seed: str) -> Iterator[int]:
    """The stream of bytes as DESIGN.md describes it."""
    text = unicodedata.normalize("NFC", seed).encode("utf-8")
    for block in count():
        tail = b"\x00" + block.to_bytes(8, "big")
        yield from hashlib.blake2b(text + tail, digest_size=64, person=b"dicecli-dice-v1").digest()


def numbers(seed: str, position: int, size: int) -> Iterator[tuple[int, int]]:
    """Whole numbers below `size` and the positions after them, as DESIGN.md describes them."""
    width = 1 if size <= 256 else 4
    source = islice(stream(seed), position, None)
    while True:
        number = 0
        for _ in range(width):
            number = number * 256 + next(source)
        position += width
        if number < 256**width - 256**width % size:
            yield number % size, position


def chi_square(seen: Counter[int], weights: Sequence[int]) -> float:
    """Pearson's statistic of the counts of outcomes 1, 2, …, with these chances; none may fall where there is none."""
    thrown, whole = seen.total(), sum(weights)
    assert all(not seen[face] for face, weight in enumerate(weights, 1) if not weight)
    expected = {face: thrown * weight / whole for face, weight in enumerate(weights, 1) if weight}
    return sum((seen[face] - mean) ** 2 / mean for face, mean in expected.items())


@pytest.mark.parametrize("fact", [fact for fact in GOLDEN if "faces" in fact])
def test_golden_faces(fact: dict[str, Any]) -> None:
    wanted = tuple(fact["dice"])
    assert throw(fact["seed"], 0, len(wanted), fact["faces"])[0] == wanted


@pytest.mark.parametrize("fact", [fact for fact in GOLDEN if "weights" in fact])
def test_golden_weights(fact: dict[str, Any]) -> None:
    wanted = tuple(fact["dice"])
    assert throw_weighted(fact["seed"], 0, [sums(fact["weights"])] * len(wanted))[0] == wanted


@pytest.mark.parametrize("fact", [fact for fact in GOLDEN if "fingerprint" in fact])
def test_golden_fingerprint(fact: dict[str, Any]) -> None:
    assert fingerprint(fact["seed"]) == fact["fingerprint"]


def test_every_kind_of_golden_vector_is_there() -> None:
    assert {key for fact in GOLDEN for key in fact} == {"seed", "faces", "weights", "dice", "fingerprint"}


@pytest.mark.parametrize("faces", FACES)
def test_dice_follow_the_written_mapping(faces: int) -> None:
    for seed in SEEDS:
        for start in POSITIONS:
            wanted = list(islice(numbers(seed, start, faces), 40))
            dice, position = throw(seed, start, 40, faces)
            assert dice == tuple(number + 1 for number, _ in wanted), (seed, start)
            assert position == wanted[-1][1], (seed, start)


@pytest.mark.parametrize("size", [3, 129, 255, 256, 257, 2**31 + 1, 2**32 - 1])
def test_numbers_that_would_bias_a_die_are_dropped(size: int) -> None:
    for seed in SEEDS:
        position = 0
        for number, after in islice(numbers(seed, 0, size), 60):
            assert draw(seed, position, size) == (number, after)
            position = after


def test_a_d129_drops_nearly_half_of_the_bytes() -> None:
    _, position = throw("42", 0, 1000, 129)
    assert 1800 < position < 2200


def test_a_die_with_one_face_takes_a_byte() -> None:
    assert throw("42", 7, 3, 1) == ((1, 1, 1), 10)


def test_no_dice_take_no_bytes() -> None:
    assert throw("42", 7, 0, 6) == ((), 7)


@pytest.mark.parametrize("weights", [(6, 0, 1, 1, 6, 4), (1,), (0, 0, 5), (1, 255), (300, 0, 1), (100_000, 1, 70_000)])
def test_weighted_dice_follow_the_written_mapping(weights: tuple[int, ...]) -> None:
    ranges = [face for face, weight in enumerate(weights, 1) for _ in range(weight)]
    for seed in SEEDS:
        wanted = list(islice(numbers(seed, 3, sum(weights)), 40))
        dice, position = throw_weighted(seed, 3, [sums(weights)] * 40)
        assert dice == tuple(ranges[number] for number, _ in wanted)
        assert position == wanted[-1][1]


def test_equal_weights_are_a_plain_die() -> None:
    assert throw_weighted("42", 0, [range(1, 7)] * 50) == throw("42", 0, 50, 6)


@pytest.mark.parametrize("faces", FACES)
@pytest.mark.parametrize("first", [0, 1, 7, 33])
def test_throwing_goes_on_where_it_stopped(faces: int, first: int) -> None:
    some, between = throw("42", 5, first, faces)
    more, end = throw("42", between, 40 - first, faces)
    assert (some + more, end) == throw("42", 5, 40, faces)


@pytest.mark.parametrize("composed", ["żółć", "é", "Ångström", "한글"])
def test_a_seed_in_another_normal_form_is_the_same_seed(composed: str) -> None:
    decomposed = unicodedata.normalize("NFD", composed)
    assert decomposed != composed
    assert throw(decomposed, 0, 30, 6) == throw(composed, 0, 30, 6)
    assert fingerprint(decomposed) == fingerprint(composed)


def test_different_seeds_give_different_dice() -> None:
    some = [str(number) for number in range(500)] + ["", "042", " 42", "42 ", "४२", "seed", "Seed"]
    assert len({throw(seed, 0, 30, 6)[0] for seed in some}) == len(some)
    assert len({fingerprint(seed) for seed in some}) == len(some)


# The critical values are those of the chi-square distribution at 0.001 with `faces - 1` degrees of freedom.
@pytest.mark.parametrize(("faces", "critical"), [(2, 10.828), (6, 20.515), (20, 43.820), (100, 148.230)])
@pytest.mark.parametrize("seed", ["fair", "42"])
def test_every_face_is_equally_likely(seed: str, faces: int, critical: float) -> None:
    dice, _ = throw(seed, 0, 60_000, faces)
    assert chi_square(Counter(dice), [1] * faces) < critical


def test_large_dice_are_fair_too() -> None:
    dice, _ = throw("fair", 0, 60_000, 1000)
    assert chi_square(Counter((face - 1) // 10 + 1 for face in dice), [1] * 100) < 148.230


def test_weighted_dice_fall_as_weighted() -> None:
    weights = [6, 0, 1, 1, 6, 4]
    dice, _ = throw_weighted("fair", 0, [sums(weights)] * 60_000)
    assert chi_square(Counter(dice), weights) < 18.467  # 4 degrees of freedom: one face never falls


def test_a_die_does_not_depend_on_the_one_before() -> None:
    dice, _ = throw("fair", 0, 60_001, 6)
    pairs = Counter(6 * (first - 1) + second for first, second in pairwise(dice))
    assert chi_square(pairs, [1] * 36) < 66.619  # 35 degrees of freedom
