"""Solved games, from the cache where they are kept, else worked out and kept there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from dicecli.rules.fingerprint import fingerprint
from dicecli.store import cache

if TYPE_CHECKING:
    from collections.abc import Callable

    from dicecli.analysis import sheets

    Progress = Callable[[int, int], None]


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def sheet(model: sheets.SheetModel, progress: Progress | None = None) -> sheets.Solved:
    """Best play of a sheet game."""
    from dicecli.analysis import sheets

    key = f"{fingerprint(model.table.ruleset)}.sheet"
    kept = cache.recall(key, model.kept)
    if kept is not None:
        return sheets.Solved.of(model, kept)
    solved = sheets.solve(model, progress, min(cores(), 2))
    try:
        cache.keep(key, [memoryview(solved.values).cast("B")])
    except OSError:
        pass  # it only takes the time again
    return solved


def is_kept(model: sheets.SheetModel) -> bool:
    """Whether best play of a sheet game is known already."""
    return cache.recall(f"{fingerprint(model.table.ruleset)}.sheet", model.kept) is not None
