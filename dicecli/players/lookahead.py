"""How a sheet-game computer thinks: the rest of this turn exactly, the rest of the sheet by what cells usually give.

A cell that is used up costs its par: what it would give on average if a whole turn were played for it alone. So a
free cell is worth the points it takes, with a share of a bonus they help toward, less its par. Where the lowest total
wins, worths change their sign.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice

from dicecli.analysis.chances import even, few, throws
from dicecli.analysis.holds import Holds, holds_of
from dicecli.game import game
from dicecli.game.moves import Announce, SheetBoard, State
from dicecli.rules.patterns import Dice
from dicecli.rules.table import Option, Sheet, SheetTable

MAX_AHEAD = 3  # throws that are looked through
MAX_SETS, MAX_FALLS = 24, 12  # how much is tried where there are too many throws to try all

Rates = dict[str, float] | None  # of each cell, what its points are worth on top; None: only points count, not pars


def _turns_of(table: SheetTable) -> Holds:
    return holds_of((table.faces.weights[0],) * table.ruleset.dice.count)


def best_cell(
    table: SheetTable, sheet: Sheet, dice: Dice, roll: int, named: str | None, *, greedy: bool = False
) -> Option | None:
    """The legal cell that sorted `dice` of throw `roll` are best written into, if any is legal.

    `greedy`, here and below: only the points that are written count, not what the cell could have given later.
    """
    worths = cell_worths(table, sheet, dice, roll, named, greedy=greedy)
    return max(worths, key=lambda option: even(worths[option]), default=None)


def cell_worths(
    table: SheetTable, sheet: Sheet, dice: Dice, roll: int, named: str | None, *, greedy: bool = False
) -> dict[Option, float]:
    """What writing sorted `dice` of throw `roll` into each legal cell is worth."""
    rates = _rates(table, sheet, greedy)
    options = table.options(sheet, dice, roll, named)
    return {option: _worth(table, option, rates) for option in options if option.legal}


def best_announcement(table: SheetTable, state: State, *, greedy: bool = False) -> str:
    """The cell that is best announced now."""
    worths = announcement_worths(table, state, greedy=greedy)
    return max(worths, key=lambda name: even(worths[name]))


def announcement_worths(table: SheetTable, state: State, *, greedy: bool = False) -> dict[str, float]:
    """What announcing each cell is worth now: the points of these dice there against the cell's par."""
    board = state.boards[state.player]
    assert isinstance(board, SheetBoard) and state.turn
    announced = (name for name in table.cells if name in table.announced)
    names = [name for name in announced if game.check(table, state, Announce(name)) is None]
    scores = dict(zip(table.rules, table.scores(tuple(sorted(state.turn.dice))), strict=True))
    pars = dict.fromkeys(names, 0) if greedy else pars_of(table)
    return {name: scores[table.slots[table.at[name][0]].cell] - pars[name] for name in names}


def best_keep(
    table: SheetTable,
    sheet: Sheet,
    dice: Dice,
    throws_left: int,
    locked: Dice = (),
    named: str | None = None,
    *,
    greedy: bool = False,
) -> Dice:
    """The dice of sorted `dice` that are best held for the next throw; all of them to stop."""
    worths = keep_worths(table, sheet, dice, throws_left, locked, named, greedy=greedy)
    return max(worths, key=lambda kept: (even(worths[kept]), kept == dice))


def keep_worths(
    table: SheetTable,
    sheet: Sheet,
    dice: Dice,
    throws_left: int,
    locked: Dice = (),
    named: str | None = None,
    *,
    greedy: bool = False,
) -> dict[Dice, float]:
    """What holding each set of sorted `dice` is worth (only likely sets where there are too many), the larger first.

    `locked` dice can't be let go; where dice are locked at least one more has to be held.
    """
    if not few(table.ruleset.dice.count, table.faces.count):
        return _sampled_worths(table, sheet, dice, named, greedy)
    turns = _turns_of(table)
    possible = turns.within(dice)
    if table.ruleset.keep == "locked":
        possible = [kept for kept in possible if len(kept) > len(locked) and _contains(kept, locked)]
        held = _locked(turns, _ends(table, sheet, named, greedy), throws_left)
    else:
        held = _held(turns, _ends(table, sheet, named, greedy), min(throws_left, MAX_AHEAD))
    return {kept: held[turns.index[kept]] for kept in possible}


@lru_cache(maxsize=64)
def _held(turns: Holds, ends: tuple[float, ...], throws_left: int) -> list[float]:
    """The mean worth of holding each set with so many throws left."""
    return turns.held(ends if throws_left == 1 else turns.thrown(_held(turns, ends, throws_left - 1)))


@lru_cache(maxsize=64)
def _locked(turns: Holds, ends: tuple[float, ...], throws_left: int) -> list[float]:
    """The mean worth of holding each set with so many throws left, where held dice stay and each throw adds one."""
    worth = turns.held(ends)
    if throws_left == 1:
        return worth
    later = _locked(turns, ends, throws_left - 1)
    for at in range(turns.first_whole):
        kept = turns.sets[at]
        mean = 0.0
        for fallen, chance in throws((turns.kinds[0],) * (turns.count - len(kept))).items():
            whole = turns.index[tuple(sorted(kept + fallen))]
            mean += chance * max(later[more] for more in turns.above(kept, fallen, whole))
        worth[at] = mean
    return worth


def _contains(dice: Dice, wanted: Dice) -> bool:
    return all(dice.count(face) >= wanted.count(face) for face in wanted)


@lru_cache(maxsize=4)
def _ends(table: SheetTable, sheet: Sheet, named: str | None, greedy: bool) -> tuple[float, ...]:
    """What the best cell for each whole throw is worth after the last throw."""
    rates = _rates(table, sheet, greedy)
    whole = _turns_of(table).whole
    cells = table.open_to_all(sheet, table.ruleset.rolls, named)
    if cells is None:
        return tuple(_end(table, sheet, dice, named, rates) for dice in whole)
    if not cells:
        return (0,) * len(whole)
    ends = [
        *map(max, zip(*(_gains(table, cell, None if rates is None else rates[cell]) for cell in cells), strict=True))
    ]
    for at in _special(table):
        ends[at] = _end(table, sheet, whole[at], named, rates)
    return tuple(ends)


def _end(table: SheetTable, sheet: Sheet, dice: Dice, named: str | None, rates: Rates) -> float:
    options = table.options(sheet, dice, table.ruleset.rolls, named)
    return max((_worth(table, option, rates) for option in options if option.legal), default=0)


@lru_cache(maxsize=512)
def _gains(table: SheetTable, cell: str, rate: float | None) -> tuple[float, ...]:
    """What a cell is worth for each whole throw after the last one, if that is no joker and earns no extras."""
    row = list(table.rules).index(table.slots[table.at[cell][0]].cell)
    scores = (table.scores(dice, table.ruleset.rolls)[row] for dice in _turns_of(table).whole)
    return tuple(_gain(table, cell, score, 0, rate) for score in scores)


@lru_cache(maxsize=8)
def _special(table: SheetTable) -> tuple[int, ...]:
    """The whole throws that are jokers or earn extras after the last throw."""
    last = table.ruleset.rolls
    return tuple(at for at, dice in enumerate(_turns_of(table).whole) if table.special(dice, last) != ((), None))


def _worth(table: SheetTable, option: Option, rates: Rates) -> float:
    return _gain(table, option.cell, option.score, option.extra, None if rates is None else rates[option.cell])


def _gain(table: SheetTable, cell: str, score: int, extra: int, rate: float | None) -> float:
    factor = table.columns[table.slots[table.at[cell][0]].column].multiplier
    gain: float = score
    if rate is not None:
        gain = (score - pars_of(table)[cell]) * (1 + rate)
    worth = gain * factor + extra
    return -worth if table.ruleset.end.win == "lowest" else worth


def _rates(table: SheetTable, sheet: Sheet, greedy: bool) -> Rates:
    """The share of a bonus that each point of a cell is worth on top: nothing once no step can be reached."""
    if greedy:
        return None
    rates = dict.fromkeys(table.cells, 0.0)
    if not table.ruleset.bonuses:
        return rates
    maxima = maxima_of(table)
    cells = table.ruleset.cells
    for column in range(len(table.columns)):
        for bonus in table.ruleset.bonuses.values():
            slots = [
                (slot, held)
                for slot, held in zip(table.slots, sheet, strict=True)
                if slot.column == column and cells[slot.cell].section == bonus.section and cells[slot.cell].counts
            ]
            total = sum(held or 0 for _slot, held in slots)
            still = sum(maxima[slot.cell] for slot, held in slots if held is None)
            step = next((step for step in bonus.steps if total < step.at_least <= total + still), None)
            if step:
                for name in dict.fromkeys(slot.name for slot, _held in slots):
                    rates[name] += step.score / step.at_least
    return rates


@lru_cache(maxsize=32)
def maxima_of(table: SheetTable) -> dict[str, int]:
    """The most that each cell can take, as far as is known."""
    seen = throws(table.faces.weights)
    return {cell: max(table.scores(dice)[at] for dice in seen) for at, cell in enumerate(table.rules)}


@lru_cache(maxsize=32)
def pars_of(table: SheetTable) -> dict[str, float]:
    """What each cell gives on average if a whole turn is played for it alone."""
    pars = {}
    lowest = table.ruleset.end.win == "lowest"
    exact = few(table.ruleset.dice.count, table.faces.count)
    chances = {} if exact else throws(table.faces.weights)
    turns = _turns_of(table) if exact else None
    last = table.ruleset.rolls
    for at, cell in enumerate(table.rules):
        if turns is None:
            par = sum(chance * table.scores(dice, last)[at] for dice, chance in chances.items())
        else:
            worth: list[float] = [(-1 if lowest else 1) * table.scores(dice, last)[at] for dice in turns.whole]
            for _ in range(min(last, MAX_AHEAD) - 1):
                worth = turns.thrown(turns.held(worth))
            par = turns.held(worth)[0] * (-1 if lowest else 1)
        for name in table.cells:
            if table.slots[table.at[name][0]].cell == cell:
                pars[name] = par
    return pars


def _sampled_worths(table: SheetTable, sheet: Sheet, dice: Dice, named: str | None, greedy: bool) -> dict[Dice, float]:
    """Like `keep_worths` for dice with too many throws: a few likely sets, one throw ahead, over a fixed sample."""
    wanted: dict[Dice, None] = {dice: None, (): None}
    for face in set(dice):
        wanted[(face,) * dice.count(face)] = None
    for name, held in zip((slot.cell for slot in table.slots), sheet, strict=True):
        if held is None:
            for match in islice(table.rules[name].pattern.matches(dice), 3):
                if _contains(dice, match.dice):
                    wanted[match.dice] = None
    rates = _rates(table, sheet, greedy)

    def worth(kept: Dice) -> float:
        falls = throws(table.faces.weights[len(kept) :])
        some = list(falls.items())[:: max(1, len(falls) // MAX_FALLS)]
        ends = sum(
            chance * _end(table, sheet, tuple(sorted((*kept, *fallen))), named, rates) for fallen, chance in some
        )
        return ends / sum(chance for _, chance in some)

    return {kept: worth(kept) for kept in sorted(list(wanted)[:MAX_SETS], key=len, reverse=True)}
