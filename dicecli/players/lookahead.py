"""How a sheet-game computer thinks: the rest of this turn exactly, the rest of the sheet by what cells usually give.

A cell that is used up costs its par: what it would give on average if a whole turn were played for it alone. So a
free cell is worth the points it takes, with a share of a bonus they help toward, less its par.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, islice

from dicecli.players.chances import few, throws
from dicecli.rules.patterns import Dice
from dicecli.rules.table import Option, Sheet, SheetTable

MAX_SETS, MAX_FALLS = 24, 12  # how much is tried where there are too many throws to try all


class _Turns:
    """Every set of dice that may be held of `count` dice, the smaller ones first, and which sets lead to which."""

    def __init__(self, count: int, faces: int) -> None:
        self.faces = faces
        self.sets = [
            dice for size in range(count + 1) for dice in combinations_with_replacement(range(1, faces + 1), size)
        ]
        self.index = {dice: at for at, dice in enumerate(self.sets)}
        self.first_whole = len(self.sets) - sum(len(dice) == count for dice in self.sets)
        self.more = [
            [self.index[tuple(sorted((*dice, face)))] for face in range(1, faces + 1)]
            for dice in self.sets[: self.first_whole]
        ]
        self.fewer = [
            [self.index[dice[:at] + dice[at + 1 :]] for at in range(len(dice)) if dice[at] not in dice[:at]]
            for dice in self.sets
        ]

    def held(self, after: Sequence[float]) -> list[float]:
        """The mean worth of holding each set, if whole throws are worth `after`."""
        worth = [0.0] * self.first_whole + list(after)
        for at in range(self.first_whole - 1, -1, -1):
            worth[at] = sum(worth[more] for more in self.more[at]) / self.faces
        return worth

    def thrown(self, held: Sequence[float]) -> list[float]:
        """The worth of each whole throw, if the best set of it is held."""
        best = list(held)
        for at, fewer in enumerate(self.fewer):
            for less in fewer:
                if best[less] > best[at]:
                    best[at] = best[less]
        return best[self.first_whole :]


@lru_cache(maxsize=8)
def _turns(count: int, faces: int) -> _Turns:
    return _Turns(count, faces)


def best_cell(table: SheetTable, sheet: Sheet, dice: Dice) -> Option:
    """The legal cell that sorted `dice` are best written into."""
    rates = _rates(table, sheet)
    legal = [option for option in table.options(sheet, dice) if option.legal]
    return max(legal, key=lambda option: _worth(table, option, rates))


def best_keep(table: SheetTable, sheet: Sheet, dice: Dice, throws_left: int) -> Dice:
    """The dice of sorted `dice` that are best held for the next throw; all of them to stop."""
    count, faces = table.ruleset.dice.count, table.ruleset.dice.faces
    if not few(count, faces):
        return _sampled_keep(table, sheet, dice)
    turns = _turns(count, faces)
    worth = list(_ends(table, sheet))
    for _ in range(throws_left - 1):
        worth = turns.thrown(turns.held(worth))
    held = turns.held(worth)
    whole = turns.index[dice]
    within = dict.fromkeys((whole,))
    for at in (walk := list(within)):  # grows: all sets within the dice, the larger ones first
        new = [less for less in turns.fewer[at] if less not in within]
        within.update(dict.fromkeys(new))
        walk.extend(new)
    return turns.sets[max(walk, key=lambda at: held[at] + (1e-9 if at == whole else 0))]


@lru_cache(maxsize=4)
def _ends(table: SheetTable, sheet: Sheet) -> tuple[float, ...]:
    """What the best cell for each whole throw is worth."""
    rates = _rates(table, sheet)
    turns = _turns(table.ruleset.dice.count, table.ruleset.dice.faces)
    return tuple(
        max(_worth(table, option, rates) for option in table.options(sheet, dice) if option.legal)
        for dice in turns.sets[turns.first_whole :]
    )


def _worth(table: SheetTable, option: Option, rates: dict[str, float]) -> float:
    rate = 1 + rates[option.cell]
    return option.score * rate + option.extra - rate * _pars(table)[option.cell]


def _rates(table: SheetTable, sheet: Sheet) -> dict[str, float]:
    """The share of a bonus that each point of a cell is worth on top: nothing once no step can be reached."""
    rates = dict.fromkeys(table.cells, 0.0)
    for bonus in table.ruleset.bonuses.values():
        total = table.section(sheet, bonus.section)
        maxima = _maxima(table)
        still = sum(
            maxima[name]
            for (name, cell), held in zip(table.ruleset.cells.items(), sheet, strict=True)
            if held is None and cell.section == bonus.section
        )
        step = next((step for step in bonus.steps if total < step.at_least <= total + still), None)
        if step:
            for name, cell in table.ruleset.cells.items():
                if cell.section == bonus.section:
                    rates[name] += step.score / step.at_least
    return rates


@lru_cache(maxsize=32)
def _maxima(table: SheetTable) -> dict[str, int]:
    """The most that each cell can take, as far as is known."""
    seen = throws(table.ruleset.dice.count, table.ruleset.dice.faces)
    return {cell: max(table.scores(dice)[at] for dice in seen) for at, cell in enumerate(table.cells)}


@lru_cache(maxsize=32)
def _pars(table: SheetTable) -> dict[str, float]:
    """What each cell gives on average if a whole turn is played for it alone."""
    count, faces, rolls = table.ruleset.dice.count, table.ruleset.dice.faces, table.ruleset.rolls
    if not few(count, faces):
        chances = throws(count, faces)
        return {
            cell: sum(chance * table.scores(dice)[at] for dice, chance in chances.items())
            for at, cell in enumerate(table.cells)
        }
    turns = _turns(count, faces)
    scores = [table.scores(dice) for dice in turns.sets[turns.first_whole :]]
    pars = {}
    for at, cell in enumerate(table.cells):
        worth: list[float] = [row[at] for row in scores]
        for _ in range(rolls - 1):
            worth = turns.thrown(turns.held(worth))
        pars[cell] = turns.held(worth)[0]
    return pars


def _sampled_keep(table: SheetTable, sheet: Sheet, dice: Dice) -> Dice:
    """Like `best_keep` for dice with too many throws: a few likely sets, one throw ahead, over a fixed sample."""
    wanted = {dice: None, (): None}
    for face in set(dice):
        wanted[(face,) * dice.count(face)] = None
    for cell, held in zip(table.cells, sheet, strict=True):
        if held is None:
            for match in islice(table.rules[cell].pattern.matches(dice), 3):
                wanted[match.dice] = None
    some_sets = sorted(list(wanted)[:MAX_SETS], key=len, reverse=True)
    rates = _rates(table, sheet)

    def worth(kept: Dice) -> float:
        falls = throws(len(dice) - len(kept), table.ruleset.dice.faces)
        some = list(falls.items())[:: max(1, len(falls) // MAX_FALLS)]
        ends = 0.0
        for fallen, chance in some:
            after = table.options(sheet, tuple(sorted((*kept, *fallen))))
            ends += chance * max(_worth(table, option, rates) for option in after if option.legal)
        return ends / sum(chance for _, chance in some)

    return max(some_sets, key=worth)
