"""Solved games, from the cache where they are kept, else worked out and kept there."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from dicecli.rules.fingerprint import fingerprint
from dicecli.store import cache

if TYPE_CHECKING:
    from dicecli.analysis.banks import TwoPlayers
    from dicecli.analysis.sheets import SheetModel, Solved
    from dicecli.rules.table import AccumulateTable, BankTable

Progress = Callable[[int, int], None]


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def sheet(model: SheetModel, progress: Progress | None = None) -> Solved:
    """Best play of a sheet game."""
    from dicecli.analysis import sheets

    key = _sheet_key(model)
    kept = cache.recall(key)
    if kept is not None and len(kept) == model.kept:
        return sheets.Solved.of(model, kept)
    try:
        solved = sheets.solve(model, progress, min(cores(), 2))
    except ChildProcessError:  # the second process was killed: one alone needs less memory too
        solved = sheets.solve(model, progress)
    with contextlib.suppress(OSError):  # then it only takes the time again
        cache.keep(key, solved.values.tobytes())
    return solved


def has_sheet(model: SheetModel) -> bool:
    """Whether best play of a sheet game is at hand."""
    kept = cache.recall(_sheet_key(model))
    return kept is not None and len(kept) == model.kept


def _sheet_key(model: SheetModel) -> str:
    return f"{fingerprint(model.table.ruleset)}.sheet"


def duel(
    table: BankTable | AccumulateTable,
    target: int,
    progress: Progress | None = None,
    *,
    first_to_target: bool = False,
) -> TwoPlayers:
    """Best play of two players of a bank game."""
    from dicecli.analysis import banks

    key = _duel_key(table, target, first_to_target)
    kept = cache.recall(key)
    if kept is not None:
        with contextlib.suppress(ValueError):
            return banks.unpack(table, target, kept, first_to_target=first_to_target)
    solved = banks.two_players(table, target, first_to_target, progress)
    with contextlib.suppress(OSError):
        cache.keep(key, banks.pack(solved))
    return solved


def has_duel(table: BankTable | AccumulateTable, target: int) -> bool:
    """Whether best play of two players of a bank game is at hand."""
    return cache.recall(_duel_key(table, target, False)) is not None


def _duel_key(table: BankTable | AccumulateTable, target: int, first_to_target: bool) -> str:
    return f"{fingerprint(table.ruleset)}.{target}.{'first' if first_to_target else 'duel'}"
