"""Which games can be played many at once."""

from __future__ import annotations

from collections.abc import Callable

from dicecli.analysis import bankplay
from dicecli.analysis.simulate import Engine, Player
from dicecli.rules.table import Table

Maker = Callable[[Table, tuple[Player, ...], int | None], Engine | None]

ENGINES: list[Maker] = [bankplay.engine]


def engine_for(table: Table, players: tuple[Player, ...], target: int | None) -> Engine | None:
    """What plays this game between these players many times at once (target None: the ruleset's); None if nothing."""
    return next((engine for make in ENGINES if (engine := make(table, players, target)) is not None), None)
