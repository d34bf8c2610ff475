"""Sheet games played alone, solved exactly: what every sheet is worth when the rest is played as well as can be.

A state is what can still matter of a sheet: how often each row is filled, the flags that a joker or an extra looks
at, and of a section with a bonus which of the sums that its free rows can bring would reach each step. Totals that
leave the same sums to go are one state. A state is one number: the numbers of its parts (`Part`), times their strides.

The states are gone through from the full sheets to the empty one. A turn is looked through backward for thousands of
states at a time, one lane each: rows of an array are sets of dice, columns are lanes. The mean of holding a set is
the mean of the sets with one die more; the best of a throw is the best of the sets with one die less. That comes to
the same as going through all sets of all throws, with far fewer additions.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, combinations, product
from math import comb, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dicecli.analysis.holds import Holds, holds_of
from dicecli.analysis.workers import Wait, in_step, shared
from dicecli.game import game
from dicecli.game.moves import Action, Announce, Keep, SheetBoard, SheetTurn, State, Write
from dicecli.rules.patterns import Dice
from dicecli.rules.table import Sheet, SheetTable, step_for
from dicecli.rules.vocabulary import Needs, Step

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

MAX_STATES = 32_000_000
MAX_CODES = 2**62  # of states that are only told apart
MAX_SETS = 10_000  # of dice
MAX_SCORES = 1_000_000  # of throws in cells, where they depend on the number of the throw
MAX_SUMS = 200_000  # of the rows of one section with a bonus, over all ways to fill them
MAX_FILLINGS = 4_000  # of the rows of one section with a bonus
LANES = 4096
BYTES = 24 << 20  # of the array that turns are looked through in
NEAR = 1e-12
MOST_ROUNDS = 200

Progress = Callable[[int, int], None]  # states done, states in all
Plan = list[tuple[int, int, list[int]]]  # a throw, how many lines it shares with the one before, its lines
Lane = slice | Ints


class TooLarge(Exception):  # noqa: N818 - an answer, not a defect
    """The game doesn't fit: it has `count` of `what`, more than `most`.

    `what` is "states", "sets" of dice, "scores", "sums" or "fillings"; or "endless" for a game that need never end.
    """

    def __init__(self, what: str, count: int, most: int) -> None:
        super().__init__(what, count, most)
        self.what, self.count, self.most = what, count, most


class Row:
    """Where points are written: a cell of a column, or several that are all alike.

    `points` are the different scores that it can take, `which[n][roll]` tells which of them a whole throw has as
    throw number n + 1 (the last entry holds for all later throws too).
    """

    def __init__(self, table: SheetTable, names: Sequence[str], joker: Iterable[int], which: Sequence[Ints]) -> None:
        slot = table.slots[table.at[names[0]][0]]
        cell = table.ruleset.cells[slot.cell]
        column = table.columns[slot.column]
        self.names = tuple(names)
        self.cell, self.column = slot.cell, slot.column
        self.capacity = sum(len(table.at[name]) for name in names)
        self.repeats = cell.repeat
        self.watched = cell.repeat or any(
            needs.cell == slot.cell and needs.state == "scored" for needs in needs_of(table)
        )
        self.counts = cell.counts
        self.section = cell.section
        self.multiplier = column.multiplier
        self.announced = column.announce
        self.rolls = column.rolls
        self.points = np.unique(np.concatenate([*which, np.array(list(joker), dtype=np.int64)]))
        self.which = [np.searchsorted(self.points, scores) for scores in which]
        self.digits = 1 + self.capacity * (2 if self.watched else 1)

    def filled(self, digit: int) -> int:
        """How often the row is filled, by its digit in a state."""
        return (digit + 1) // 2 if self.watched else digit

    def scored(self, digit: int) -> bool:
        """Whether everything in the row holds points, as far as that is watched."""
        return not self.watched or digit % 2 == 1

    def after(self, digit: int, points: int) -> int | None:
        """The digit after `points` were written; None where they can't be."""
        filled = self.filled(digit)
        if filled == self.capacity:
            return digit if self.repeats and self.scored(digit) and points > 0 else None
        if not self.watched:
            return digit + 1
        good = points > 0 and (filled == 0 or self.scored(digit))
        return 2 * filled + (1 if good else 2)


def needs_of(table: SheetTable) -> list[Needs]:
    """What jokers and extras look at."""
    rules = table.ruleset
    found = [extra.needs for extra in rules.extras.values() if extra.needs]
    return [*found, rules.joker.needs] if rules.joker else found


class Part:
    """Some rows of the sheet whose filling is one number, from 0 (nothing filled).

    `digits[row, number]` is how each is filled, `open` how many slots are free, `after[row]` the number after each
    of the row's points (one line where any points do the same), less than 0 where they can't be written; `paid` is
    what is paid for the total. Totals that leave the same sums to go have one number if they `merge`; `totals` is
    the least total of each number.
    """

    def __init__(self, rows: Sequence[Row], bonuses: Sequence[Sequence[Step]], *, merge: bool = True) -> None:
        self.rows = rows
        self.bonuses = bonuses
        fillings = sorted(product(*(range(row.digits) for row in rows)), key=self._free, reverse=True)
        reached, coming = self._reached(fillings), self._coming(fillings)
        self.known: dict[tuple[int, ...], tuple[int, list[int]]] = {}  # first number, least total of each
        self.size = 0
        for digits in fillings:
            starts: dict[tuple[int, ...], int] = {}  # totals that leave the same sums to go lie side by side
            for total in reached[digits]:
                starts.setdefault(self._to_go(coming[digits], total) if merge else (total,), total)
            self.known[digits] = self.size, list(starts.values())
            self.size += len(starts)
        each = [(digits, total) for digits, (_first, starts) in self.known.items() for total in starts]
        self.digits = np.array([digits for digits, _total in each], dtype=np.int64).T.reshape(len(rows), -1)
        self.totals = np.array([total for _digits, total in each], dtype=np.int64)
        self.open = np.array([self._free(digits) for digits, _total in each])
        self.paid = np.array([self._bonus(total) for _digits, total in each])
        self.after = [self._after(at, row) for at, row in enumerate(rows)]

    def _free(self, digits: Sequence[int]) -> int:
        return sum(row.capacity - row.filled(digit) for row, digit in zip(self.rows, digits, strict=True))

    def _bonus(self, total: int) -> int:
        return sum(step_for(steps, total) for steps in self.bonuses)

    def _moves(self, digits: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int]]:
        """The fillings that may follow, each with the points for it."""
        for at, row in enumerate(self.rows):
            for points in row.points.tolist():
                after = row.after(digits[at], points)
                if after is not None and after != digits[at]:
                    yield (*digits[:at], after, *digits[at + 1 :]), points if self.bonuses else 0

    def _reached(self, fillings: Sequence[tuple[int, ...]]) -> dict[tuple[int, ...], list[int]]:
        """The totals that each filling can have."""
        reached: dict[tuple[int, ...], set[int]] = {digits: set() for digits in fillings}
        reached[(0,) * len(self.rows)].add(0)
        count = 0
        for digits in fillings:
            count += len(reached[digits])
            if count > MAX_SUMS:
                raise TooLarge("sums", count, MAX_SUMS)
            for after, points in self._moves(digits):
                reached[after].update([total + points for total in reached[digits]])
        return {digits: sorted(totals) for digits, totals in reached.items()}

    def _coming(self, fillings: Sequence[tuple[int, ...]]) -> dict[tuple[int, ...], list[int]]:
        """The sums that the free rows of each filling can still bring."""
        coming: dict[tuple[int, ...], list[int]] = {}
        count = 0
        for digits in reversed(fillings):
            sums = {more + points for after, points in self._moves(digits) for more in coming[after]}
            coming[digits] = sorted(sums or {0})
            count += len(sums)
            if count > MAX_SUMS:
                raise TooLarge("sums", count, MAX_SUMS)
        return coming

    def _to_go(self, coming: list[int], total: int) -> tuple[int, ...]:
        """For each step which of the sums to come is the first to reach it."""
        return tuple(bisect_left(coming, step.at_least - total) for steps in self.bonuses for step in steps)

    def number(self, digits: tuple[int, ...], total: int) -> int:
        """The number of a filling with a total."""
        first, starts = self.known[digits]
        return first + bisect_right(starts, total) - 1

    def _after(self, at: int, row: Row) -> Ints:
        points = row.points if self.bonuses or row.watched else row.points[:1]
        after = np.full((len(points), self.size), -1)
        for digits, (first, starts) in self.known.items():
            here = slice(first, first + len(starts))
            for line, point in enumerate(points.tolist()):
                digit = row.after(digits[at], point)
                if digit == digits[at]:
                    after[line, here] = np.arange(first, first + len(starts))
                elif digit is not None:
                    first_then, starts_then = self.known[(*digits[:at], digit, *digits[at + 1 :])]
                    totals = np.array(starts) + (point if self.bonuses else 0)
                    after[line, here] = first_then - 1 + np.searchsorted(starts_then, totals, "right")
        return after


class View(NamedTuple):
    """What the number of its part says of a row.

    `step[line, number]` is what a state's number grows by when those points (or any, if there is one line) are
    written; `spot` whether it may take a score, `full` whether it is filled, `good` whether with scores alone.
    """

    part: int
    step: Ints
    spot: Bools
    full: Bools
    good: Bools


class Special(NamedTuple):
    """A whole throw that extras are paid for or a joker is made of: the extras with their points, the joker's face."""

    extras: tuple[tuple[Needs | None, int], ...]
    face: int | None


class SheetModel:
    """A sheet game as numbers.

    `size` is how many states there are for each number of saved throws, from 0 to `saves`; `left_out` has the codes
    of rules that values don't weigh. Without `merge` every cell is a row of its own and every total of a section a
    state of its own: far more states, to be told apart but not to be solved. Raises `TooLarge`.
    """

    def __init__(self, table: SheetTable, *, merge: bool = True) -> None:
        self.table = table
        self.merge = merge
        sets = prod(comb(table.faces.count + count, count) for count in Counter(table.faces.weights).values())
        if sets > MAX_SETS:
            raise TooLarge("sets", sets, MAX_SETS)
        rules = table.ruleset
        self.sign = -1 if rules.end.win == "lowest" else 1
        self.locked = rules.keep == "locked"
        self.left_out = tuple(_left_out(table))
        self.saves = (rules.rolls - 1) * len(table.slots) if rules.save_unused_rolls else 0
        self.holds = holds_of(table.faces.weights)
        whole = [self.holds.faces(held) for held in self.holds.whole]
        self.steady = all(rule.steady for rule in (*table.rules.values(), *(rule for rule, _ in table.extras.values())))
        throws = range(1, 2 if self.steady else rules.rolls + self.saves + 1)
        scores = len(throws) * len(whole) * len(rules.cells)
        if scores > MAX_SCORES:
            raise TooLarge("scores", scores, MAX_SCORES)
        self.specials = [self._specials(whole, throw) for throw in throws]
        self.rows = self._rows([np.array([table.scores(dice, throw) for dice in whole]) for throw in throws])
        self.chances = _chances(self.holds)
        possible = self.chances > 0
        if any(row.repeats and (row.points[row.which[-1][possible]] > 0).all() for row in self.rows):
            raise TooLarge("endless", 1, 0)
        self.row_of = {name: at for at, row in enumerate(self.rows) for name in row.names}
        self.parts, self.part_of = self._parts()
        self.strides = [prod(part.size for part in self.parts[at + 1 :]) for at in range(len(self.parts))]
        self.size = prod(part.size for part in self.parts)
        self.states = self.size * (self.saves + 1)
        self.kept = 8 * (self.saves + 1) * (self.size + 1)  # bytes
        most = MAX_STATES if merge else MAX_CODES
        if self.states > most:
            raise TooLarge("states", self.states, most)
        self.lines = [0, *accumulate(len(row.points) for row in self.rows)]  # the first line of each row's points
        self.uneven = bool(self.saves) or not self.steady or any(column.rolls for column in table.columns)
        self.one_by_one = rules.zero != "any_cell"  # every throw's cells are looked at, not only special throws'
        self._plans: dict[tuple[tuple[int, ...], int], Plan] = {}
        self.views = [self._view(row) for row in range(len(self.rows))]

    def _specials(self, whole: Sequence[tuple[int, ...]], throw: int) -> dict[int, Special]:
        found = {}
        for at, dice in enumerate(whole):
            extras, face = self.table.special(dice, throw)
            if extras or face is not None:
                found[at] = Special(tuple((needs, points) for _name, needs, points in extras), face)
        return found

    def _rows(self, scores: Sequence[Ints]) -> list[Row]:
        """The rows of the sheet; alike ones are one where no joker, extra, order or column tells them apart."""
        table, rules = self.table, self.table.ruleset
        place = {cell: at for at, cell in enumerate(table.rules)}
        groups: dict[object, list[str]] = {}
        for name in table.cells:
            slot = table.slots[table.at[name][0]]
            column, cell = table.columns[slot.column], rules.cells[slot.cell]
            apart: object = name
            if self.merge and not (
                rules.joker or rules.extras or cell.repeat or column.announce or column.order != "free"
            ):
                paid = any(bonus.section == cell.section for bonus in rules.bonuses.values())
                throws = tuple(throw[:, place[slot.cell]].tobytes() for throw in scores)
                apart = column.multiplier, column.rolls, cell.counts, (cell.section, slot.column) if paid else 0, throws
            groups.setdefault(apart, []).append(name)
        joker = rules.joker.scores if rules.joker else {}
        rows = []
        for names in groups.values():
            cell_name = table.slots[table.at[names[0]][0]].cell
            extra = [joker[cell_name]] if cell_name in joker else []
            rows.append(Row(table, names, extra, [throw[:, place[cell_name]] for throw in scores]))
        return rows

    def _parts(self) -> tuple[list[Part], list[tuple[int, int]]]:
        """The parts of a state, and for each row its part and its place in it.

        Rows in no section with a bonus are parts of their own and come first, so that states whose numbers are near
        have the same of them free.
        """
        bonuses = self.table.ruleset.bonuses.values()
        parts: list[Part] = []
        part_of = [(0, 0)] * len(self.rows)
        sections: dict[tuple[int, str], list[int]] = {}
        for at, row in enumerate(self.rows):
            if row.counts and any(bonus.section == row.section for bonus in bonuses):
                sections.setdefault((row.column, row.section), []).append(at)
            else:
                part_of[at] = len(parts), 0
                parts.append(Part([row], [], merge=self.merge))
        for (_column, section), members in sections.items():
            fillings = prod(self.rows[at].digits for at in members)
            if fillings > MAX_FILLINGS:
                raise TooLarge("fillings", fillings, MAX_FILLINGS)
            for place, at in enumerate(members):
                part_of[at] = len(parts), place
            steps = [bonus.steps for bonus in bonuses if bonus.section == section]
            parts.append(Part([self.rows[at] for at in members], steps, merge=self.merge))
        return parts, part_of

    def _view(self, at: int) -> View:
        """What a state's number says of a row."""
        number, place = self.part_of[at]
        part, row = self.parts[number], self.rows[at]
        after = part.after[place]
        step = (after - np.arange(part.size)) * self.strides[number]
        step[after < 0] = self.size  # beyond all states, where nothing is worth anything
        filled = np.array([row.filled(digit) for digit in range(row.digits)])[part.digits[place]]
        scored = np.array([row.scored(digit) for digit in range(row.digits)])[part.digits[place]]
        full: Bools = np.equal(filled, row.capacity)
        return View(number, step, np.asarray((after >= 0).any(axis=0)), full, np.logical_and(full, scored))

    def numbers(self, codes: Ints) -> list[Ints]:
        """The numbers of each part in states."""
        return [codes // stride % part.size for stride, part in zip(self.strides, self.parts, strict=True)]

    def code(self, sheet: Sheet) -> int:
        """The state that a sheet is in."""
        table = self.table
        digits = []
        for row in self.rows:
            held = [points for name in row.names for at in table.at[name] if (points := sheet[at]) is not None]
            good = 2 * len(held) - all(points > 0 for points in held) if held else 0
            digits.append(good if row.watched else len(held))
        code = 0
        for part, stride in zip(self.parts, self.strides, strict=True):
            members = [at for at, (number, _place) in enumerate(self.part_of) if self.parts[number] is part]
            first = self.rows[members[0]]
            total = table.section(sheet, first.section, first.column) if part.bonuses else 0
            code += part.number(tuple(digits[at] for at in members), total) * stride
        return code

    def points(self, sheet: Sheet, extras: int) -> int:
        """What a sheet holds for certain: its cells and extras, without the bonuses that states already count."""
        cells = self.table.ruleset.cells
        slots = zip(self.table.slots, sheet, strict=True)
        counted = ((slot, held or 0) for slot, held in slots if cells[slot.cell].counts)
        return sum(held * self.table.columns[slot.column].multiplier for slot, held in counted) + extras

    def paid(self, codes: Ints) -> Floats:
        """What the bonuses pay for full sheets; for others what is earned already, unless totals are merged."""
        paid = np.zeros(len(codes))
        for at, numbers in enumerate(self.numbers(codes)):
            row = next(row for row, (part, _place) in zip(self.rows, self.part_of, strict=True) if part == at)
            paid += self.parts[at].paid[numbers] * (self.sign * row.multiplier)
        return paid

    def plan(self, live: tuple[int, ...], throw: int) -> Plan:
        """How the best of some rows is found for every throw; throws that score alike in some share their maxima."""
        found = self._plans.get((live, throw))
        if found is None:
            order = sorted(live, key=lambda row: len(self.rows[row].points))
            lines = [self.lines[row] + self.rows[row].which[throw] for row in order]
            keys = np.stack(lines, axis=1)
            found, before = [], [-1] * len(order)
            for roll in np.lexsort(keys.T[::-1]).tolist():
                key = keys[roll].tolist()
                same = (at for at, lines_ in enumerate(zip(key, before, strict=True)) if lines_[0] != lines_[1])
                found.append((roll, next(same, len(key)), key))
                before = key
            self._plans[live, throw] = found
        return found


def _chances(holds: Holds) -> Floats:
    """The chance of every whole throw of all dice."""
    chance = [0.0] * len(holds.sets)
    chance[0] = 1.0
    for at, more in enumerate(holds.more):
        for there, weight in zip(more, holds.chances[holds.next_kind[at]], strict=True):
            chance[there] += chance[at] * weight
    return np.array(chance[holds.first_whole :])


def _left_out(table: SheetTable) -> Iterator[str]:
    """The rules that values don't weigh."""
    rules = table.ruleset
    if rules.derived:
        yield "derived"
    if rules.end.win == "points":
        yield "points"
    if any(cell.wins for cell in rules.cells.values()):
        yield "wins"
    paid = {bonus.section for bonus in rules.bonuses.values()}
    if any(cell.repeat and (cell.times > 1 or cell.section in paid) for cell in rules.cells.values()):
        yield "repeat"


Judge = Callable[["Turn", int, int], Floats]


class Turn:
    """A turn looked through to its end for many states at once.

    `judge(turn, row, saved)` gives what writing each of a row's points is worth (lines of points, columns of lanes)
    to a player who then has so many throws saved; never legal where it is minus infinity. With `keep` the worths at
    every throw stay in `at[named][throw - 1]`: of each set of dice the mean when it is held, of each whole throw
    what writing it now brings.
    """

    def __init__(self, model: SheetModel, codes: Ints, judge: Judge, saved: int = 0, *, keep: bool = False) -> None:
        self.model = model
        self.codes = codes
        self.judge = judge
        self.keep = keep
        self.last = model.table.ruleset.rolls + saved
        self.numbers = model.numbers(codes)
        self.worth = np.empty((len(model.holds.sets), len(codes)))
        self.whole = self.worth[model.holds.first_whole :]
        self.rows = list(self.worth)
        self.flat = np.empty((model.lines[-1], len(codes)))
        self.lines = list(self.flat)
        self.spare = [np.empty(len(codes)) for _ in range(len(model.rows) + 1)]
        self.spots = [view.spot[self.numbers[view.part]] for view in model.views]
        self.writable = self._in_order()
        self.open = [bool(writable.any()) for writable in self.writable]
        self.at: dict[str | None, list[Floats]] = {}
        self._held: dict[tuple[Needs, int], Bools] = {}

    def _in_order(self) -> list[Bools]:
        """Of each row whether the order of its column lets it be written."""
        writable = list(self.spots)
        model = self.model
        for number, column in enumerate(model.table.columns):
            if column.order == "free":
                continue
            slots = [slot for slot in model.table.slots if slot.column == number]
            filled = {}
            for at, row in enumerate(model.rows):
                if row.column == number:
                    part, place = model.part_of[at]
                    digits = np.array([row.filled(digit) for digit in range(row.digits)])
                    filled[at] = digits[model.parts[part].digits[place]][self.numbers[part]]
            free: list[Bools] = []
            owner: list[int] = []
            seen: dict[int, int] = {}
            for slot in slots:
                at = model.row_of[slot.name]
                free.append(filled[at] <= seen.get(at, 0))
                seen[at] = seen.get(at, 0) + 1
                owner.append(at)
            allowed = {at: np.zeros(len(self.codes), dtype=bool) for at in filled}
            half = len(slots) // 2
            walks = {
                "down": [range(len(slots))],
                "up": [range(len(slots) - 1, -1, -1)],
                "from_ends": [range(len(slots)), range(len(slots) - 1, -1, -1)],
                "from_middle": [range(half - 1, -1, -1), range(half, len(slots))],
            }[column.order]
            for walk in walks:
                waiting = np.ones(len(self.codes), dtype=bool)
                for at in walk:
                    allowed[owner[at]] |= waiting & free[at]
                    waiting &= ~free[at]
            for at, may in allowed.items():
                writable[at] = self.spots[at] & may
        return writable

    def value(self) -> Floats:
        """What the turn is worth before its first throw, by lanes."""
        best = self._looked_through(None)
        for name in sorted(self.model.table.announced):
            row = self.model.row_of[name]
            if self.open[row]:
                best = np.maximum(best, self._looked_through(name))
        return possible_mean(self.model.chances, best)

    def _looked_through(self, named: str | None) -> Floats:
        """What each whole first throw is worth, if that cell (None: none) is named after it."""
        (self._locked if self.model.locked else self._free)(named)
        return self.whole if not self.model.table.announced else self.whole.copy()

    def _free(self, named: str | None) -> None:
        kept = []
        for throw in range(self.last, 0, -1):
            if throw < self.last:
                self.mean()
            if throw == self.last or self.keep or self.model.uneven:
                self.write(throw, named)
            if self.keep:
                kept.append(self.worth.copy())
            if throw < self.last:
                self.best()
        self.at[named] = kept[::-1]

    def mean(self) -> None:
        """The mean of holding each set, from what whole throws are worth."""
        rows, holds = self.rows, self.model.holds
        if holds.fair:
            for at in range(holds.first_whole - 1, -1, -1):
                first, *others = holds.more[at]
                out = rows[at]
                if not others:
                    out[:] = rows[first]
                    continue
                np.add(rows[first], rows[others[0]], out)
                for more in others[1:]:
                    np.add(out, rows[more], out)
                np.multiply(out, 1 / holds.face_count, out)
            return
        product_ = self.spare[0]
        for at in range(holds.first_whole - 1, -1, -1):
            out = rows[at]
            out[:] = 0
            for more, chance in zip(holds.more[at], holds.chances[holds.next_kind[at]], strict=True):
                if chance:
                    np.add(out, np.multiply(rows[more], chance, product_), out)

    def best(self) -> None:
        """The best of each set and all smaller ones, from what holding them is worth."""
        rows = self.rows
        for at, fewer in enumerate(self.model.holds.fewer):
            out = rows[at]
            for less in fewer:
                np.maximum(out, rows[less], out=out)

    def _locked(self, named: str | None) -> None:
        """Like `_free`, where dice that were held stay so, and each throw adds one at least."""
        holds, pairs = self.model.holds, pairs_of(self.model.holds)
        kept = []
        held = np.empty((holds.first_whole, len(self.codes)))
        for throw in range(self.last, 0, -1):
            if throw < self.last - 1:
                held = self._fallen(pairs, held)
            elif throw == self.last - 1:
                self.mean()
                held = self.worth[: holds.first_whole].copy()
            self.write(throw, named)
            self.worth[: holds.first_whole] = held if throw < self.last else -np.inf
            if self.keep:
                kept.append(self.worth.copy())
        if self.last > 1:
            self.worth[0] = -np.inf  # one die has to be held
            self.best()
        self.at[named] = kept[::-1]

    def _fallen(self, pairs: Pairs, held: Floats) -> Floats:
        """The mean worth of holding each set, from what throws are worth now and sets when held for the throw after."""
        holds = self.model.holds
        worth = np.full((pairs.size, len(self.codes)), -np.inf)
        for level in pairs.levels[1:]:  # the best set of the locked dice and at least one of the fallen
            best = worth[level.fewer].max(axis=1)
            now = level.union >= holds.first_whole
            best[now] = np.maximum(best[now], self.worth[level.union[now]])
            best[~now] = np.maximum(best[~now], held[level.union[~now]])
            worth[level.pairs] = best
        for level in reversed(pairs.levels):
            part = level.union < holds.first_whole
            more = np.where(
                level.chances[:, :, None] > 0, worth[level.more], 0
            )  # what can't fall may be worth anything
            worth[level.pairs[part]] = np.einsum("pfl,pf->pl", more, level.chances)
        return worth[pairs.alone]

    # Writing

    def live(self, throw: int, named: str | None) -> tuple[int, ...]:
        """The rows that may be written at a throw in some lane."""
        found = []
        for at, row in enumerate(self.model.rows):
            may = self.open[at] and not (row.rolls and throw > row.rolls)
            if may and (named in row.names if named is not None else not row.announced):
                found.append(at)
        return tuple(found)

    def write(self, throw: int, named: str | None) -> None:
        """What writing each whole throw is worth now, into the rows of whole throws."""
        model = self.model
        live = self.judged(throw, named)
        number = 0 if model.steady else throw - 1
        if not live:
            self.whole[:] = -np.inf
            return
        specials = model.specials[number]
        if model.one_by_one:
            for roll in range(len(self.whole)):
                self.whole[roll] = self.options(live, roll, number).max(axis=0)
            return
        lines, spare, first = self.lines, self.spare, model.holds.first_whole
        before = self.rows[first]
        for roll, same, keys in model.plan(live, number):
            out = self.rows[first + roll]
            last = len(keys) - 1
            if same > last:
                out[:] = before
            elif last == 0:
                out[:] = lines[keys[0]]
            else:
                for depth in range(max(same, 1), last + 1):
                    best = lines[keys[0]] if depth == 1 else spare[depth - 1]
                    np.maximum(best, lines[keys[depth]], out=out if depth == last else spare[depth])
            before = out
        for roll in specials:
            self.whole[roll] = self.options(live, roll, number).max(axis=0)

    def judged(self, throw: int, named: str | None) -> tuple[int, ...]:
        """The live rows, when their lines hold what writing them is worth."""
        live = self.live(throw, named)
        saved = self.last - throw if self.model.saves else 0
        for at in live:
            first, end = self.model.lines[at : at + 2]
            self.flat[first:end] = self.judge(self, at, saved)
            if self.writable[at] is not self.spots[at]:
                self.flat[first:end, ~self.writable[at]] = -np.inf
        return live

    def options(self, live: Sequence[int], roll: int, number: int, lane: Lane = slice(None)) -> Floats:
        """What one whole throw is worth in each of the live rows: minus infinity where it may not be written."""
        return self.written(live, roll, number, lane)[1]

    def written(
        self, live: Sequence[int], roll: int, number: int, lane: Lane = slice(None)
    ) -> tuple[list[int | Ints], Floats]:
        """Of each of the live rows the line that one whole throw would be written as, and `options`.

        The same rules as in `SheetTable.options`, for many sheets at once.
        """
        model = self.model
        lines: list[int | Ints] = [model.lines[at] + int(model.rows[at].which[number][roll]) for at in live]
        special = model.specials[number].get(roll)
        allowed: list[Bools | None] = [None] * len(live)
        if special and special.face is not None:
            self._joker(live, lines, allowed, special.face, lane)
        worths = np.array(
            [
                self.flat[line][lane] if isinstance(line, int) else self.flat[line, np.arange(self.flat.shape[1])[lane]]
                for line in lines
            ]
        )
        may = worths > -np.inf
        if any(each is not None for each in allowed):
            narrow = np.array([may[at] if each is None else may[at] & each for at, each in enumerate(allowed)])
            may = np.where(narrow.any(axis=0), narrow, may)  # a joker never leaves a player without a cell
        if model.one_by_one:
            scores = [self._points(at, line) for at, line in zip(live, lines, strict=True)]
            scoring = np.array([may[at] & (score != 0) for at, score in enumerate(scores)])
            may = np.where(scoring.any(axis=0), scoring, may)
        worths[~may] = -np.inf
        for needs, points in special.extras if special else ():
            for at, row in enumerate(live):
                multiplied = model.sign * points * model.rows[row].multiplier
                worths[at] += np.where(self.holds(needs, model.rows[row].column)[lane], multiplied, 0)
        return lines, worths

    def _points(self, row: int, line: int | Ints) -> Ints:
        return np.asarray(self.model.rows[row].points[np.asarray(line) - self.model.lines[row]])

    def holds(self, needs: Needs | None, column: int) -> Bools:
        """By lanes, whether the sheet fulfils a rule's `needs` for what is written into `column`."""
        if needs is None:
            return np.ones(len(self.codes), dtype=bool)
        key = needs, column
        if key not in self._held:
            found = np.ones(len(self.codes), dtype=bool)
            for row, view in zip(self.model.rows, self.model.views, strict=True):
                if row.cell == needs.cell and (needs.columns == "all" or row.column == column):
                    flags = view.full if needs.state == "filled" else view.good
                    found &= flags[self.numbers[view.part]]
            self._held[key] = found
        return self._held[key]

    def _joker(
        self, live: Sequence[int], lines: list[int | Ints], allowed: list[Bools | None], face: int, lane: Lane
    ) -> None:
        """What a joker says of the live rows: other lines for what it scores, and which it allows."""
        model, table = self.model, self.model.table
        joker = table.ruleset.joker
        assert joker
        everything = range(len(table.columns))
        for columns in [everything] if joker.needs.columns == "all" else [[column] for column in everything]:
            active = self.holds(joker.needs, columns[0])[lane]
            if not active.any():
                continue
            own_free, lower_free = np.zeros_like(active), np.zeros_like(active)
            for row, spot in zip(model.rows, self.spots, strict=True):
                if row.column in columns:
                    if table.upper.get(row.cell) == face:
                        own_free |= spot[lane]
                    elif row.cell not in table.upper:
                        lower_free |= spot[lane]
            if joker.upper == "free":
                active = active & ~own_free
            forced = own_free if joker.upper == "forced" else np.zeros_like(active)
            for at, row_at in enumerate(live):
                row = model.rows[row_at]
                if row.column not in columns:
                    continue
                if row.cell not in table.upper:
                    ok = ~forced
                    if row.cell in joker.scores:
                        there = model.lines[row_at] + int(np.searchsorted(row.points, joker.scores[row.cell]))
                        lines[at] = np.where(active & ok, there, lines[at])
                elif joker.upper == "free":
                    continue
                else:
                    ok = forced | ~lower_free if table.upper[row.cell] == face else ~forced & ~lower_free
                allowed[at] = ~active | ok


class Level(NamedTuple):
    """The pairs of locked and fallen dice with equally many fallen ones.

    `union` is the set that both are together, `fewer` the pairs with one of the fallen dice less. Of those where dice
    are missing yet (in the same order) `more` are the pairs with one die more, `chances` those of its faces.
    """

    pairs: Ints
    union: Ints
    fewer: Ints
    more: Ints
    chances: Floats


class Pairs(NamedTuple):
    """Every pair of locked dice and some of the fallen ones; `alone` is the pair of each set with no fallen dice."""

    size: int
    levels: list[Level]
    alone: Ints


@lru_cache(maxsize=4)
def pairs_of(holds: Holds) -> Pairs:
    """The pairs of these dice, for games where held dice stay; remembered."""
    index: dict[tuple[Dice, Dice], int] = {}
    for union in holds.sets:
        for size in range(len(union) + 1):
            for fallen in dict.fromkeys(combinations(union, size)):
                locked = _without(union, fallen)
                if len(locked) < holds.count:
                    index.setdefault((locked, fallen), len(index))
    levels = []
    for size in range(holds.count + 1):
        pairs = [(locked, fallen) for locked, fallen in index if len(fallen) == size]
        unions = [holds.index[tuple(sorted(locked + fallen))] for locked, fallen in pairs]
        fewer, more, chances = [], [], []
        for (locked, fallen), both in zip(pairs, unions, strict=True):
            less = [index[locked, fallen[:at] + fallen[at + 1 :]] for at in range(size)]
            fewer.append(less or [0])
            if both < holds.first_whole:
                added = (_without(holds.sets[there], holds.sets[both])[0] for there in holds.more[both])
                more.append([index[locked, tuple(sorted((*fallen, element)))] for element in added])
                chances.append(holds.chances[holds.next_kind[both]])
        levels.append(
            Level(
                np.array([index[pair] for pair in pairs]),
                np.array(unions),
                np.array(fewer),
                np.array(more, dtype=np.int64).reshape(len(more), holds.face_count),
                np.array(chances).reshape(len(more), holds.face_count),
            )
        )
    alone = np.array([index[held, ()] for held in holds.sets[: holds.first_whole]])
    return Pairs(len(index), levels, alone)


def _without(large: Dice, small: Dice) -> Dice:
    """What a set has more than a smaller one in it."""
    rest = list(large)
    for element in small:
        rest.remove(element)
    return tuple(rest)


def possible_mean(chances: Floats, worths: Floats) -> Floats:
    """The mean of what whole throws are worth, by lanes; throws that can't fall may be worth anything."""
    some = chances > 0
    if some.all():
        return np.asarray(np.einsum("r,rl->l", chances, worths))
    return np.asarray(np.einsum("r,rl->l", chances[some], worths[some]))


class Solved(NamedTuple):
    """What every state is worth: `values[saved, state]`, points to come with bonuses; a last column of -infinity."""

    model: SheetModel
    values: Floats

    @classmethod
    def of(cls, model: SheetModel, kept: memoryview) -> Solved:
        """What was solved before, from the bytes of its values (`model.kept` many)."""
        return cls(model, np.frombuffer(kept).reshape(model.saves + 1, model.size + 1))

    def judge(self, turn: Turn, at: int, saved: int) -> Floats:
        """A row's points and what the sheet is worth afterwards."""
        row, view = self.model.rows[at], self.model.views[at]
        after = view.step[:, turn.numbers[view.part]]
        np.add(after, turn.codes, after)
        worth = self.values[saved].take(after, mode="clip")
        points = row.points * (self.model.sign * row.multiplier * row.counts)
        return np.asarray(worth + points[:, None])

    @property
    def best(self) -> float:
        """The mean score of a whole game under best play."""
        return float(self.model.sign * self.values[0, 0])


def solve(model: SheetModel, progress: Progress | None = None, workers: int = 1) -> Solved:
    """Best play for every state, in so many processes."""
    solved = Solved.of(model, memoryview(shared(model.kept)))
    solved.values[:, -1] = -np.inf
    layers = Layers(model)
    full = layers.codes(0)
    solved.values[:, full] = model.paid(full)
    lanes = max(64, min(LANES, BYTES // (8 * len(model.holds.sets))))
    if model.locked:
        lanes = max(16, lanes // 16)
    saves = [
        min(model.saves, (model.table.ruleset.rolls - 1) * (layers.slots - free)) for free in range(layers.slots + 1)
    ]
    whole = sum(size * (most + 1) for size, most in zip(layers.sizes[1:], saves[1:], strict=True))

    def work(worker: int, count: int, wait: Wait) -> None:
        done = 0
        for free in range(1, layers.slots + 1):
            codes = layers.codes(free)
            pieces = max(1, -(-len(codes) // (lanes * count)) * count)
            for saved in range(saves[free] + 1):
                for some in np.array_split(codes, pieces)[worker::count]:
                    if len(some):
                        _settle(solved, some, saved)
                    done += len(some) * count
                    if progress and not worker:
                        progress(min(done, whole), whole)
            wait()

    in_step(work, workers)
    return solved


def _settle(solved: Solved, codes: Ints, saved: int) -> None:
    """Find what states are worth; of those that come to themselves again when a row is scored anew, the fixed point.

    It is that of a function that rises in straight pieces with a slope below 1: a line through two of its points
    leads there in a few steps.
    """
    model, values = solved.model, solved.values[saved]
    values[codes] = 0.0  # where a search may begin
    values[codes] = found = Turn(model, codes, solved.judge, saved).value()
    again = np.zeros(len(codes), dtype=bool)
    numbers = model.numbers(codes)
    for row, view in zip(model.rows, model.views, strict=True):
        if row.repeats:
            again |= view.good[numbers[view.part]]
    again &= found > -np.inf  # states that can't come up
    codes, before = codes[again], found[again]
    if not len(codes):
        return
    after = last = before
    for _ in range(MOST_ROUNDS):
        values[codes] = after
        found = Turn(model, codes, solved.judge, saved).value()
        if np.abs(found - after).max() < NEAR * max(1.0, np.abs(found).max()):
            return
        moved = after - before
        slope = np.where(np.abs(moved) > 1e-6, (found - last) / np.where(moved, moved, 1), 0).clip(0, 1 - 1e-9)
        before, last, after = after, found, found + (found - after) * slope / (1 - slope)


class Layers:
    """The states that can come up, by how many slots are free (`sizes`: how many states)."""

    def __init__(self, model: SheetModel) -> None:
        opened = np.zeros(1, dtype=np.int16)
        for part in model.parts:
            opened = np.add.outer(opened, part.open.astype(np.int16)).ravel()
        self.slots = int(opened[0])
        self._opened = opened
        self._reached: list[Ints] = []
        if all(column.order == "free" for column in model.table.columns):
            self.sizes = np.bincount(opened, minlength=self.slots + 1).tolist()
            return
        self._reached = [np.zeros(1, dtype=np.int64)]
        while len(self._reached) <= self.slots:
            self._reached.append(_following(model, self._reached[-1]))
        self.sizes = [len(codes) for codes in self._reached[::-1]]

    def codes(self, free: int) -> Ints:
        """The states with so many free slots."""
        return self._reached[self.slots - free] if self._reached else np.flatnonzero(self._opened == free)


def _following(model: SheetModel, codes: Ints) -> Ints:
    """The states that one more turn may lead to."""
    reached = np.zeros(model.size + 1, dtype=bool)
    for some in np.array_split(codes, -(-len(codes) // LANES)):
        turn = Turn(model, some, _never)
        for view, writable in zip(model.views, turn.writable, strict=True):
            after = view.step[:, turn.numbers[view.part][writable]] + some[writable]
            reached[np.minimum(after, model.size)] = True
    reached[-1] = False
    return np.flatnonzero(reached)


def _never(turn: Turn, row: int, saved: int) -> Floats:
    raise NotImplementedError  # for turns of which only the cells that may be written are asked


def advise(model: SheetModel, judge: Judge, state: State) -> list[tuple[Action, float]]:
    """Every choice that the state's player has, with what the sheet is worth in the end if it is taken, best first.

    A `Keep` is worth what throwing the other dice again is; all dice can't be kept for that, so it isn't among them.
    More is better, also where the lowest total wins: there worths are below 0.
    """
    table, turn, board = model.table, state.turn, state.boards[state.player]
    assert isinstance(turn, SheetTurn) and isinstance(board, SheetBoard)
    look = Turn(model, np.array([model.code(board.sheet)]), judge, turn.rolls - table.ruleset.rolls, keep=True)
    look.value()
    held = model.sign * model.points(board.sheet, board.extras)
    elements = _elements(model.holds, table.faces.weights, turn.dice)
    roll = model.holds.index[tuple(sorted(elements))] - model.holds.first_whole
    number = 0 if model.steady else turn.throws - 1
    found: list[tuple[Action, float]] = []
    live = look.judged(turn.throws, turn.named)
    for at, worth in zip(live, look.options(live, roll, number)[:, 0].tolist() if live else (), strict=True):
        for name in model.rows[at].names:
            found.append((Write(name), worth))
    found += _keeps(look, turn, elements, turn.named)
    if turn.named is None and turn.throws == 1:
        for name in sorted(table.announced & look.at.keys()):
            later = [worth for _keep, worth in _keeps(look, turn, elements, name)]
            found.append((Announce(name), max([float(look.at[name][0][model.holds.first_whole + roll, 0]), *later])))
    legal = ((action, held + worth) for action, worth in found if worth > -np.inf)
    legal = (each for each in legal if game.check(table, state, each[0]) is None)
    return sorted(legal, key=lambda choice: -choice[1])


def _elements(holds: Holds, weights: Sequence[tuple[int, ...]], dice: Dice) -> list[int]:
    """The dice of a throw, by place, as elements of sets."""
    return [holds.kinds.index(kind) * holds.face_count + face for kind, face in zip(weights, dice, strict=True)]


def _keeps(look: Turn, turn: SheetTurn, elements: Sequence[int], named: str | None) -> Iterator[tuple[Keep, float]]:
    """Each different set of dice that may be held for another throw, with what that is worth."""
    if turn.throws >= turn.rolls:
        return
    held = look.at[named][turn.throws - 1]
    free = [at for at in range(len(elements)) if at not in turn.locked]
    seen = set()
    for count in range(1 if look.model.locked else 0, len(free)):
        for more in combinations(free, count):
            positions = tuple(sorted(turn.locked + more))
            kept = tuple(sorted(elements[at] for at in positions))
            if kept not in seen:
                seen.add(kept)
                yield Keep(positions), float(held[look.model.holds.index[kept], 0])
