"""Seed to dice, version 1: the same seed gives the same dice on every machine, and anyone can check it.

A stream of bytes is made of blocks: block i is BLAKE2b with 64 bytes of digest and person `dicecli-dice-v1` over the
seed (text in NFC, as UTF-8), one zero byte, and i as 8 bytes big-endian. A die with `size` equally likely faces takes
the next byte (four bytes big-endian if `size` is over 256), drops it while it is not below the greatest multiple of
`size`, and shows the remainder, counted from 1.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b, sha256

from dicecli.rules.faces import Faces

PERSON = b"dicecli-dice-v1"
BLOCK = 64


def seed_bytes(seed: str) -> bytes:
    """The bytes that a seed stands for."""
    return unicodedata.normalize("NFC", seed).encode()


def fingerprint(seed: str) -> str:
    """SHA-256 of the seed in hex: shown before the first throw, it proves later that the seed was fixed."""
    return sha256(seed_bytes(seed)).hexdigest()


@lru_cache(maxsize=64)
def _block(seed: str, index: int) -> bytes:
    return blake2b(seed_bytes(seed) + b"\0" + index.to_bytes(8, "big"), digest_size=BLOCK, person=PERSON).digest()


def draw(seed: str, position: int, size: int) -> tuple[int, int]:
    """A whole number from 0 to `size` - 1 and the position in the stream after it (both count bytes from 0)."""
    if size <= 256:
        limit = 256 - 256 % size
        while True:
            number = _block(seed, position // BLOCK)[position % BLOCK]
            position += 1
            if number < limit:
                return number % size, position
    limit = 2**32 - 2**32 % size
    while True:
        number = int.from_bytes([_block(seed, at // BLOCK)[at % BLOCK] for at in range(position, position + 4)], "big")
        position += 4
        if number < limit:
            return number % size, position


def throw(seed: str, position: int, count: int, faces: int) -> tuple[tuple[int, ...], int]:
    """`count` dice with faces 1 to `faces`, in the order thrown, and the position after them."""
    dice = []
    for _ in range(count):
        number, position = draw(seed, position, faces)
        dice.append(number + 1)
    return tuple(dice), position


def throw_weighted(seed: str, position: int, sums: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], int]:
    """Like `throw`, for dice with chances of their own, one entry of `sums` a die: the cumulated whole weights.

    The die shows the first face whose cumulated weight exceeds what was drawn; weights may be 0.
    """
    dice = []
    for upto in sums:
        number, position = draw(seed, position, upto[-1])
        dice.append(next(face for face, limit in enumerate(upto, 1) if limit > number))
    return tuple(dice), position


def throw_hand(seed: str, position: int, faces: Faces, hand: Sequence[int]) -> tuple[tuple[int, ...], int]:
    """The game's dice at the places `hand`, with the chances that their faces have, and the position after them."""
    if faces.fair:
        return throw(seed, position, len(hand), faces.count)
    return throw_weighted(seed, position, [faces.sums[die] for die in hand])
