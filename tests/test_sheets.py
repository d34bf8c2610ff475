"""Sheet games solved: the known values, and small invented games against a referee that plays them out."""

from __future__ import annotations

import pytest
from conftest import sheet_table

from dicecli.analysis.sheets import SheetModel, Solved, solve
from dicecli.rules.table import SheetTable
from dicecli.store.rulesets import load


def solved(table: SheetTable) -> Solved:
    return solve(SheetModel(table), workers=2)


KNOWN = [  # the literature's values, as the issue that asked for the solver has them
    ("yahtzee", (), 254.5877287345),
    ("yahtzee-free-joker", (), 254.5896094820),
    ("yahtzee", ("joker=null",), 253.9702411898),
    ("yahtzee", ("joker=null", "extras=null"), 245.8707745141),
    ("yatzy", (), 248.4399893779),
    ("forced-yatzy", (), 122.5585),
]


@pytest.mark.parametrize(("game", "house", "value"), KNOWN)
def test_known_games_have_their_known_values(game: str, house: tuple[str, ...], value: float) -> None:
    table = load(game, *house)
    assert isinstance(table, SheetTable)
    assert solved(table).best == pytest.approx(value, abs=1e-8 if value != 122.5585 else 1e-4)


def test_totals_that_leave_the_same_sums_to_go_are_one_state() -> None:
    assert SheetModel(sheet_table("yahtzee")).size == 314_880
