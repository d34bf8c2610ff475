"""Many sheet games played side by side, all in the same turn.

Seats of a sheet game don't touch each other, so each is played alone and the totals are compared. Of the games in one
turn many are in the same state, or in states that their player treats alike; a turn is looked through once for all
of them (`Turn`), and each game then finds its choices in what that left.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np

from dicecli.analysis.holds import Holds
from dicecli.analysis.sheets import Bools, Floats, Ints, Judge, SheetModel, Solved, TooLarge, Turn, solve
from dicecli.analysis.simulate import Player, Tally, counted
from dicecli.rules.table import SheetTable, Table

CHUNK = 1 << 17  # games
GAMES = 1 << 13  # whose choices are made at once
LANES = 4096  # states that are looked through at once
BYTES = 16 << 20  # of one array of theirs


class Choices(NamedTuple):
    """One choice in each of some games: which games (from 0) and the whole throws, as numbers of sets.

    `held` are the sets that are held, `lines` None; or there are `lines` of the model's rows that are written.
    """

    games: Ints
    dice: Ints
    held: Ints
    lines: Ints | None = None


class Prices(NamedTuple):
    """What a player who doesn't know best play takes the cells of a sheet for.

    `pars` are the points that each cell, by its name, gives on average, `maxima` the most that each row can take,
    `ahead` how many throws are looked through.
    """

    pars: dict[str, float]
    maxima: dict[str, int]
    ahead: int


class Style(NamedTuple):
    """How a seat is played.

    `judge` says what writing is worth, `ahead` is how many throws are looked through, all with what could be written
    in the end; None to the end of the turn, with what could be written at each of them. Worths are compared `rounded`
    to so many digits. States that differ in nothing that the player looks at have the same sum of `classes`, by parts
    of a state; None: all differ.
    """

    model: SheetModel
    judge: Judge
    ahead: int | None = None
    rounded: int | None = None
    classes: tuple[Ints, ...] | None = None


def expert(solved: Solved) -> Style:
    """Best play for the most points."""
    return Style(solved.model, solved.judge)


def greedy(model: SheetModel) -> Style:
    """Who looks one throw ahead, and only at the points that are written next."""
    multipliers = [float(model.sign * row.multiplier) for row in model.rows]

    def judge(turn: Turn, at: int, _saved: int) -> Floats:
        return _writable(turn, at, (model.rows[at].points * multipliers[at])[:, None])

    return Style(model, judge, 1, 6, _classes(model, [np.zeros(part.size) for part in model.parts]))


def pricing(model: SheetModel, prices: Prices) -> Style:
    """Who weighs points, with a share of the bonus they help toward, against what the cell usually gives."""
    rates = [_rates(model, part, prices) for part in range(len(model.parts))]

    def judge(turn: Turn, at: int, _saved: int) -> Floats:
        row, part = model.rows[at], model.views[at].part
        gain = (row.points - prices.pars[row.names[0]])[:, None] * (1 + rates[part][turn.numbers[part]])
        return _writable(turn, at, gain * row.multiplier * model.sign)

    return Style(model, judge, None if model.locked else prices.ahead, 6, _classes(model, rates))


def _writable(turn: Turn, at: int, worth: Floats) -> Floats:
    """The worth of a row's points, minus infinity where they can't be written."""
    view = turn.model.views[at]
    return np.where(view.step[:, turn.numbers[view.part]] < turn.model.size, worth, -np.inf)


def _rates(model: SheetModel, at: int, prices: Prices) -> Floats:
    """The share of a bonus that each point of a part's rows is worth on top, by the part's numbers.

    It is that of the first step that the section hasn't reached and still can.
    """
    part = model.parts[at]
    still = np.zeros(part.size, dtype=np.int64)
    for row, digits in zip(part.rows, part.digits, strict=True):
        free = np.array([row.capacity - row.filled(digit) for digit in range(row.digits)])
        still += prices.maxima[row.cell] * free[digits]
    rates = np.zeros(part.size)
    for steps in part.bonuses:
        share = np.zeros(part.size)
        for step in reversed(steps):
            aimed = (part.totals < step.at_least) & (step.at_least <= part.totals + still)
            share[aimed] = step.score / step.at_least
        rates += share
    return rates


def _classes(model: SheetModel, rates: list[Floats]) -> tuple[Ints, ...]:
    """Which numbers of each part are filled alike and have the same rate, times a stride."""
    classes, stride = [], 1
    for part, rate in zip(model.parts, rates, strict=True):
        _found, alike = np.unique(np.vstack([part.digits, rate]), axis=1, return_inverse=True)
        classes.append(alike.ravel().astype(np.int64) * stride)
        stride *= int(alike.max()) + 1
    return tuple(classes)


class Lookups:
    """A model's dice and cells as arrays to be looked up by whole throws, and by lines of a turn.

    `within[rows[locked, roll]]` are the sets that may be held of a whole throw whose `locked` dice stay (0: none), all
    its dice first, the larger ones before the smaller ones, filled up with the first.
    """

    def __init__(self, model: SheetModel) -> None:
        holds = model.holds
        self.within, self.rows = _locked(holds) if model.locked else _within(holds)
        self.dice = [_more(holds, kind) for kind in range(len(holds.kinds))]
        self.lines = [
            np.array([first + row.which[number] for first, row in zip(model.lines, model.rows, strict=False)])
            for number in range(len(model.specials))
        ]
        points = [row.points * (row.multiplier * row.counts) for row in model.rows]
        self.points = np.concatenate(points).astype(np.int64)
        self.row = np.repeat(np.arange(len(model.rows)), [len(each) for each in points])
        self.special = np.zeros((len(model.specials), len(holds.whole)), dtype=bool)
        for number, specials in enumerate(model.specials):
            self.special[number, list(specials)] = True
        self.special |= model.one_by_one


def _within(holds: Holds) -> tuple[Ints, Ints]:
    """`within` and `rows` where any dice may be held."""
    sets = [[holds.index[held] for held in holds.within(dice)] for dice in holds.whole]
    return _filled(sets), np.arange(len(sets))[None, :]


def _locked(holds: Holds) -> tuple[Ints, Ints]:
    """`within` and `rows` where dice that were held stay, and one more is held at least."""
    elements = np.arange(1, len(holds.kinds) * holds.face_count + 1)
    counts = np.array([(np.array(held, dtype=np.int64)[:, None] == elements).sum(axis=0) for held in holds.sets])
    rows = np.zeros((holds.first_whole, len(holds.whole)), dtype=np.int64)
    found: list[list[int]] = []
    for roll, dice in enumerate(holds.whole):
        sets = np.array([holds.index[held] for held in holds.within(dice)])
        size = counts[sets].sum(axis=1)
        more = (counts[sets] >= counts[sets][:, None]).all(axis=2) & (size > size[:, None])
        for locked, larger in zip(sets[1:], more[1:], strict=True):
            rows[locked, roll] = len(found)
            found.append(sets[larger].tolist())
    return _filled(found), rows


def _filled(sets: list[list[int]]) -> Ints:
    most = max(map(len, sets))
    return np.array([[*each, *[each[0]] * (most - len(each))] for each in sets])


def _more(holds: Holds, kind: int) -> tuple[int, Ints, Ints]:
    """Of a kind of dice: how many there are, the cumulated weights, and the set after a die falls, by set and face.

    A set that misses no die of this kind stays what it is.
    """
    more = np.repeat(np.arange(len(holds.sets))[:, None], holds.face_count, axis=1)
    for at, there in enumerate(holds.more):
        if holds.next_kind[at] == kind:
            more[at] = there
    count = max(sum((element - 1) // holds.face_count == kind for element in dice) for dice in holds.sets)
    return count, np.cumsum(holds.kinds[kind]), more


class Seats:
    """Plays a seat in many games; a list `log` collects every choice, those of a game in their order."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self.model = style.model
        self.rolls = style.model.table.ruleset.rolls
        self.slots = len(style.model.table.slots)
        self.first_whole = style.model.holds.first_whole
        self.lookups = Lookups(style.model)
        self.games = GAMES
        self.lanes = max(64, min(LANES, BYTES // (8 * len(style.model.holds.sets))))
        if self.model.locked:
            self.lanes = max(16, self.lanes // 16)

    def play(self, chance: np.random.Generator, games: int, log: list[Choices] | None = None) -> tuple[Ints, int]:
        """The totals of so many games, and how many turns they had together."""
        found, turns, number = np.zeros(games, dtype=np.int64), 0, 0
        codes, totals, who = np.zeros_like(found), np.zeros_like(found), np.arange(games)
        while len(who):
            alike = self._alike(codes)
            order = np.argsort(alike, kind="stable")
            alike, codes, totals, who = alike[order], codes[order], totals[order], who[order]
            self._turn(chance, alike, codes, totals, who, log)
            turns, number = turns + len(who), number + 1
            full = self._full(codes, number)
            found[who[full]] = totals[full] + (self.model.paid(codes[full]) * self.model.sign).astype(np.int64)
            codes, totals, who = codes[~full], totals[~full], who[~full]
        return found, turns

    def _turn(
        self,
        chance: np.random.Generator,
        alike: Ints,
        codes: Ints,
        totals: Ints,
        who: Ints,
        log: list[Choices] | None,
    ) -> None:
        """Play a turn in every game; those in states that are treated alike lie side by side."""
        starts = np.flatnonzero(np.concatenate([[True], alike[1:] != alike[:-1]]))
        for at in range(0, len(starts), self.lanes):
            some = starts[at : at + self.lanes]
            end = int(starts[at + self.lanes]) if at + self.lanes < len(starts) else len(who)
            look = Look(self, codes[some])
            for begin in range(int(some[0]), end, self.games):
                part = slice(begin, min(begin + self.games, end))
                lane = np.searchsorted(some, np.arange(part.start, part.stop), "right") - 1
                look.play(chance, lane, codes[part], totals[part], who[part], log)

    def _full(self, codes: Ints, turns: int) -> Bools:
        """Which games are over after so many turns."""
        model = self.model
        if not any(row.repeats for row in model.rows):
            return np.full(len(codes), turns == self.slots)
        free = np.zeros_like(codes)
        for part, numbers in zip(model.parts, model.numbers(codes), strict=True):
            free += part.open[numbers]
        return np.equal(free, 0)

    def _alike(self, codes: Ints) -> Ints:
        """A number for each state; states that the player treats alike have the same."""
        if self.style.classes is None:
            return codes
        found = np.zeros_like(codes)
        for alike, numbers in zip(self.style.classes, self.model.numbers(codes), strict=True):
            found += alike[numbers]
        return found

    def fall(self, chance: np.random.Generator, sets: Ints) -> Ints:
        """The whole throws that sets become when the missing dice fall."""
        for count, weights, more in self.lookups.dice:
            faces = more.shape[1]
            whole, fair = int(weights[-1]), len(set(np.diff(weights, prepend=0).tolist())) == 1
            for _die in range(count):
                if fair:
                    face = chance.integers(faces, size=len(sets))
                else:
                    face = np.searchsorted(weights, chance.integers(whole, size=len(sets)), "right")
                sets = more.ravel().take(sets * faces + face)
        return sets


class Look:
    """One turn of the states of a batch, looked through, and played in the games that are in them.

    `held[throw - 1]` is what holding each set at a throw is worth, by lanes; of whole throws, what is best of writing
    now and of holding less at a later throw.
    """

    def __init__(self, seats: Seats, codes: Ints) -> None:
        self.seats, self.count = seats, len(codes)
        style, rolls = seats.style, seats.rolls
        to_the_end = seats.model.locked and style.ahead is None
        self.turn = turn = Turn(seats.model, codes, style.judge, keep=to_the_end)
        if to_the_end:
            turn.value()
            levels = turn.at[None][rolls - 2 :: -1] if rolls > 1 else []
        else:
            levels = self._levels(rolls - 1 if style.ahead is None else min(style.ahead, rolls - 1))
        self.live = np.array(turn.live(rolls, None))
        flat = [self._round(level).ravel() for level in levels]
        self.held = [flat[min(rolls - throw, len(flat)) - 1] for throw in range(1, rolls)]

    def _levels(self, ahead: int) -> list[Floats]:
        """What holding each set is worth with one throw left, two, and so on."""
        turn, rolls = self.turn, self.seats.rolls
        anew = self.seats.style.ahead is None and not self.seats.model.steady
        turn.write(rolls, None)
        levels: list[Floats] = []
        for left in range(1, ahead + 1):
            turn.mean()
            if anew:
                turn.write(rolls - left, None)
            levels.append(turn.worth if left == ahead else turn.worth.copy())
            if left < ahead:
                turn.best()
        return levels

    def play(
        self,
        chance: np.random.Generator,
        lane: Ints,
        codes: Ints,
        totals: Ints,
        games: Ints,
        log: list[Choices] | None,
    ) -> None:
        """Play the turn in some games, each in its lane; their codes and totals are changed."""
        first_whole = self.seats.first_whole
        dice = self.seats.fall(chance, np.zeros(len(lane), dtype=np.int64))
        throws = np.full(len(lane), self.seats.rolls)
        playing, locked = np.arange(len(lane)), np.zeros_like(lane)
        for throw, worth in enumerate(self.held, 1):
            best = self._hold(worth, locked[playing], dice[playing] - first_whole, lane[playing])
            going = best < first_whole
            throws[playing[~going]] = throw
            playing, best = playing[going], best[going]
            if log is not None:
                log.append(Choices(games[playing], dice[playing], best))
            dice[playing] = self.seats.fall(chance, best)
            if self.seats.model.locked:
                locked[playing] = best
        lines = np.empty_like(lane)
        for number, special in enumerate(self.seats.lookups.special):
            some = np.flatnonzero(throws == number + 1) if len(self.seats.lookups.special) > 1 else np.arange(len(lane))
            rolls = dice[some] - first_whole
            lines[some] = self._line(number, rolls, lane[some])
            for roll in np.unique(rolls[special[rolls]]).tolist():
                those = some[rolls == roll]
                lines[those], extra = self._special(number, roll, lane[those])
                totals[those] += extra
        if log is not None:
            log.append(Choices(games, dice, dice, lines))
        totals += self.seats.lookups.points[lines]
        self._write(lines, codes)

    def _hold(self, worth: Floats, locked: Ints, rolls: Ints, lane: Ints) -> Ints:
        """The best sets to hold of whole throws; of equal ones the first of `within`."""
        within = self.seats.lookups.within[self.seats.lookups.rows[locked, rolls]]
        pick = worth.take(within * self.count + lane[:, None]).argmax(axis=1)
        return np.asarray(within[np.arange(len(pick)), pick])

    def _line(self, number: int, rolls: Ints, lane: Ints) -> Ints:
        """The best lines to write for whole throws that no joker or extra changes."""
        lines = self.seats.lookups.lines[number][self.live][:, rolls]
        worth = self._round(self.turn.flat.ravel().take(lines * self.count + lane))
        return np.asarray(lines[worth.argmax(axis=0), np.arange(len(rolls))])

    def _special(self, number: int, roll: int, lane: Ints) -> tuple[Ints, Ints]:
        """The best lines for one whole throw that may be a joker or earn extras, and the extras."""
        model, live = self.seats.model, self.live.tolist()
        lines, worth = self.turn.written(live, roll, number, lane)
        pick = self._round(worth).argmax(axis=0)
        extra = np.zeros(len(lane), dtype=np.int64)
        special = model.specials[number].get(roll)
        for needs, points in special.extras if special else ():
            for at, row in enumerate(live):
                paid = points * model.rows[row].multiplier
                extra += np.where((pick == at) & self.turn.holds(needs, model.rows[row].column)[lane], paid, 0)
        every = np.array([np.broadcast_to(line, lane.shape) for line in lines])
        return every[pick, np.arange(len(lane))], extra

    def _round(self, worth: Floats) -> Floats:
        rounded = self.seats.style.rounded
        return worth if rounded is None else np.round(worth, rounded)

    def _write(self, lines: Ints, codes: Ints) -> None:
        """Change the codes by what is written."""
        model = self.seats.model
        rows = self.seats.lookups.row[lines]
        for row in self.live.tolist():
            some = np.flatnonzero(rows == row)
            view = model.views[row]
            number = codes[some] // model.strides[view.part] % model.parts[view.part].size
            line = lines[some] - model.lines[row] if len(view.step) > 1 else 0
            codes[some] += view.step[line, number]


class SheetPlay:
    """Plays a sheet game between `players` whose ways to play are `styles`."""

    chunk = CHUNK

    def __init__(self, table: SheetTable, players: tuple[Player, ...], styles: dict[str, Callable[[], Style]]) -> None:
        self.lowest = table.ruleset.end.win == "lowest"
        self.players = players
        self._seats = lru_cache(maxsize=None)(lambda kind: Seats(styles[kind]()))

    def play(self, chance: np.random.Generator, games: int) -> Tally:
        """Play so many games with these random numbers; the first seat's come first."""
        played = [self._seats(player.kind).play(chance, games) for player in self.players]
        totals, turns = np.array([each for each, _turns in played]), np.array([turns for _totals, turns in played])
        winners = totals == (totals.min(axis=0) if self.lowest else totals.max(axis=0))
        return counted(totals, winners, turns, np.zeros_like(turns))


def engine(
    table: Table,
    players: tuple[Player, ...],
    target: int | None,
    prices: Callable[[SheetTable], Prices | None] = lambda _table: None,
    solved: Callable[[SheetModel], Solved] = solve,
) -> SheetPlay | None:
    """What plays this sheet game many times at once, as each of the players would; None if nothing does.

    Nothing plays games with announced columns, columns for the first throws, saved throws, cells that win at once,
    cells of a section with a bonus, or with several slots, that are scored again, derived cells or game points. Nor
    does anything play experts where there are too many states to solve; others where dice differ, where there are no
    `prices`, by which they play, and where dice are locked and points depend on the throw. `solved` is asked for best
    play when it is first needed.
    """
    if not isinstance(table, SheetTable) or target is not None or not _playable(table):
        return None
    kinds = {player.kind for player in players}
    styles: dict[str, Callable[[], Style]] = {}
    try:
        if "expert" in kinds:
            best = SheetModel(table)
            styles["expert"] = lambda: expert(solved(best))
        if kinds & {"easy", "normal"}:
            found = prices(table)
            if found is None or len(set(table.faces.weights)) > 1:
                return None
            model = SheetModel(table, merge=False)
            if model.locked and not model.steady:
                return None
            styles["easy"] = partial(greedy, model)
            styles["normal"] = partial(pricing, model, found)
    except TooLarge:
        return None
    return SheetPlay(table, players, styles) if kinds <= styles.keys() else None


def _playable(table: SheetTable) -> bool:
    rules = table.ruleset
    cells = rules.cells.values()
    paid = {bonus.section for bonus in rules.bonuses.values()}
    return not (
        rules.derived
        or rules.end.win == "points"
        or rules.save_unused_rolls
        or table.announced
        or any(column.rolls for column in table.columns)
        or any(cell.wins or (cell.repeat and (cell.times > 1 or cell.section in paid)) for cell in cells)
    )
