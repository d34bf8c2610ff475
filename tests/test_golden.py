"""A whole game of each ruleset, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import SHIPPED
from golden import GOLDEN, SEED, lines, transcript

from dicecli.game.dice import fingerprint


def read(path: Path) -> str:
    return path.read_bytes().decode()


def test_every_shipped_ruleset_has_a_golden_transcript_and_no_other() -> None:
    assert sorted(path.name for path in GOLDEN.iterdir()) == sorted(f"{n}{e}" for n in SHIPPED for e in (".in", ".txt"))


@pytest.mark.parametrize("game", SHIPPED)
def test_the_same_seed_and_the_same_lines_give_the_same_transcript(game: str) -> None:
    typed = read(GOLDEN / f"{game}.in")
    assert transcript(game, typed) == read(GOLDEN / f"{game}.txt")


@pytest.mark.parametrize("game", SHIPPED)
def test_a_golden_game_is_a_whole_game(game: str) -> None:
    last = read(GOLDEN / f"{game}.txt").splitlines()[-2:]
    assert ("wins" in last[0] or "share the win" in last[0]) and last[
        1
    ] == f"Seed: golden (fingerprint {fingerprint(SEED)})"
    assert lines(game) == read(GOLDEN / f"{game}.in")
