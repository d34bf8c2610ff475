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
from numpy.typing import NDArray

from dicecli.analysis.holds import Holds
from dicecli.analysis.sheets import MAX_STATES, Bools, Floats, Ints, Judge, SheetModel, Solved, TooLarge, Turn, solve
from dicecli.analysis.simulate import Player, Tally, counted
from dicecli.rules.table import SheetTable, Table
from dicecli.rules.vocabulary import PointsRule

CHUNK = 1 << 17  # games
SMALL_CHUNK = 1 << 15  # where games hardly share states, however many they are
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
    """The `expert` player: best play for a total, whatever the others have."""
    return Style(solved.model, solved.judge)


def greedy(model: SheetModel) -> Style:
    """The `easy` player: looks one throw ahead, and only at the points that are written next."""
    multipliers = [float(model.sign * row.multiplier) for row in model.rows]

    def judge(turn: Turn, at: int, _saved: int) -> Floats:
        return _writable(turn, at, (model.rows[at].points * multipliers[at])[:, None])

    return Style(model, judge, 1, 6, _classes(model, [np.zeros(part.size) for part in model.parts]))


def pricing(model: SheetModel, prices: Prices) -> Style:
    """The `normal` player: weighs points, with a share of the bonus they help toward, against the cell's par."""
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
            if aimed.any():
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
        self.points = np.concatenate([row.points for row in model.rows])
        self.counted = np.concatenate([row.points * (row.multiplier * row.counts) for row in model.rows])
        self.row = np.repeat(np.arange(len(model.rows)), [len(row.points) for row in model.rows])
        self.special = np.zeros((len(model.specials), len(holds.whole)), dtype=bool)
        for number, specials in enumerate(model.specials):
            self.special[number, list(specials)] = True
        self.special |= model.one_by_one
        wins = [model.table.ruleset.cells[row.cell].wins for row in model.rows]
        self.wins_first = np.array([rule == "first_roll" for rule in wins])[self.row]
        self.wins_always = np.array([rule is True for rule in wins])[self.row]


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


def _game_points(model: SheetModel) -> list[tuple[PointsRule, Bools]]:
    """The rules for game points, with the lines whose cells they look at."""
    rules = model.table.ruleset
    if rules.end.win != "points":
        return []
    cells = np.repeat([row.cell for row in model.rows], [len(row.points) for row in model.rows])
    return [(rule, np.full(len(cells), rule.cell is None) | (cells == rule.cell)) for rule in rules.points.values()]


class Games(NamedTuple):
    """Games side by side, the last axis of each array.

    `numbers` are the games' own, `codes` the states of their sheets, `points` those of cells and extras so far,
    `saved` the throws, `won` whether the last throw has won (1). Of each rule for game points `sums` is what its cells
    hold and `scored` how many hold points.
    """

    numbers: Ints
    codes: Ints
    points: Ints
    saved: Ints
    won: Ints
    sums: Ints
    scored: Ints

    def some(self, which: Ints | Bools | slice) -> Games:
        """Some of the games; those of a slice are no copies."""
        return Games(*(each[..., which] for each in self))


class Played(NamedTuple):
    """Games of a seat alone: their totals, after how many turns, and whether a throw `won` at once.

    `after` (turn, game) are the totals after so many turns, if a throw may win at once.
    """

    totals: Ints
    turns: Ints
    won: Bools
    after: NDArray[np.int32]


class Seats:
    """Plays a seat in many games; a list `log` collects every choice, those of a game in their order."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self.model = style.model
        self.rolls = style.model.table.ruleset.rolls
        self.first_whole = style.model.holds.first_whole
        self.lookups = Lookups(style.model)
        self.rules = _game_points(style.model)
        self.may_win = bool(self.lookups.wins_first.any() or self.lookups.wins_always.any())
        self.games = GAMES
        self.lanes = max(64, min(LANES, BYTES // (8 * len(style.model.holds.sets))))
        if self.model.locked:
            self.lanes = max(16, self.lanes // 16)

    def play(self, chance: np.random.Generator, count: int, log: list[Choices] | None = None) -> Played:
        """Play so many games."""
        totals, turns = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
        won, each = np.zeros(count, dtype=bool), 0
        after = np.zeros((len(self.model.table.slots) + 1 if self.may_win else 0, count), dtype=np.int32)
        codes, points, saved, winning = (np.zeros(count, dtype=np.int64) for _array in range(4))
        sums, scored = (np.zeros((len(self.rules), count), dtype=np.int64) for _array in range(2))
        games = Games(np.arange(count), codes, points, saved, winning, sums, scored)
        if self.may_win:
            after[0] = self._totals(games)
        while len(games.codes):
            alike = self._alike(games.codes)
            order = np.lexsort((alike, games.saved)) if self.model.saves else np.argsort(alike, kind="stable")
            games = games.some(order)
            self._turn(chance, alike[order], games, log)
            each += 1
            if self.may_win:
                after[each, games.numbers] = self._totals(games)
            over = self._full(games.codes, each) | (games.won > 0)
            if over.any():
                ended = games.some(over)
                totals[ended.numbers], turns[ended.numbers] = self._totals(ended), each
                won[ended.numbers] = ended.won > 0
                games = games.some(~over)
        return Played(totals, turns, won, after)

    def _turn(self, chance: np.random.Generator, alike: Ints, games: Games, log: list[Choices] | None) -> None:
        """Play a turn in every game; those whose states are treated alike lie side by side."""
        differ = (alike[1:] != alike[:-1]) | (games.saved[1:] != games.saved[:-1])
        starts = np.flatnonzero(np.concatenate([[True], differ]))
        ends = np.append(starts[1:], len(alike))
        for same in np.split(np.arange(len(starts)), np.flatnonzero(np.diff(games.saved[starts])) + 1):
            for at in range(0, len(same), self.lanes):
                batch = same[at : at + self.lanes]
                first, end = int(starts[batch[0]]), int(ends[batch[-1]])
                look = Look(self, games.codes[starts[batch]], int(games.saved[first]))
                for begin in range(first, end, self.games):
                    part = slice(begin, min(begin + self.games, end))
                    lane = np.searchsorted(starts[batch], np.arange(part.start, part.stop), "right") - 1
                    look.play(chance, lane, games.some(part), log)

    def _full(self, codes: Ints, turns: int) -> Bools:
        """Which games are over after so many turns."""
        model = self.model
        if not any(row.repeats for row in model.rows):
            return np.full(len(codes), turns == len(model.table.slots))
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

    def _totals(self, games: Games) -> Ints:
        """What full sheets are worth in the end, as `SheetTable.total`."""
        score = games.points + (self.model.paid(games.codes) * self.model.sign).astype(np.int64)
        if self.model.table.ruleset.end.win != "points":
            return score
        total = np.zeros_like(score)
        for (rule, _lines), held, scored in zip(self.rules, games.sums, games.scored, strict=True):
            amount = scored if rule.of == "scored" else score if rule.cell is None else held
            steps = rule.steps or []
            paid = np.array([0, *(step.score for step in steps)])
            total += paid[np.searchsorted([step.at_least for step in steps], amount, "right")]
            total += (rule.each or 0) * scored
        return total

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

    def __init__(self, seats: Seats, codes: Ints, saved: int) -> None:
        self.seats, self.count = seats, len(codes)
        self.rolls = rolls = seats.rolls + saved
        style = seats.style
        to_the_end = seats.model.locked and style.ahead is None
        self.turn = turn = Turn(seats.model, codes, style.judge, saved, keep=to_the_end)
        if to_the_end:
            turn.value()
            levels = turn.at[None][-2::-1]
        else:
            levels = self._levels(rolls - 1 if style.ahead is None else min(style.ahead, rolls - 1))
        flat = [self._round(level).ravel() for level in levels]
        self.held = [flat[min(rolls - throw, len(flat)) - 1] for throw in range(1, rolls)]

    def _levels(self, ahead: int) -> list[Floats]:
        """What holding each set is worth with one throw left, two, and so on."""
        turn, style, model = self.turn, self.seats.style, self.seats.model
        turn.write(self.rolls if style.ahead is None else self.seats.rolls, None)
        levels: list[Floats] = []
        for left in range(1, ahead + 1):
            turn.mean()
            if style.ahead is None and model.uneven:
                turn.write(self.rolls - left, None)
            levels.append(turn.worth if left == ahead else turn.worth.copy())
            if left < ahead:
                turn.best()
        return levels

    def play(self, chance: np.random.Generator, lane: Ints, games: Games, log: list[Choices] | None) -> None:
        """Play the turn in some games, each in its lane, and change what they hold."""
        dice, throws = self._throw(chance, lane, games, log)
        lines = np.empty_like(lane)
        for throw in np.unique(throws).tolist() if self.seats.model.uneven else [self.rolls]:
            some = np.flatnonzero(throws == throw) if self.seats.model.uneven else np.arange(len(lane))
            lines[some], extra = self._choose(throw, dice[some] - self.seats.first_whole, lane[some])
            games.points[some] += extra
        if log is not None:
            log.append(Choices(games.numbers, dice, dice, lines))
        self._write(lines, games)
        if self.seats.may_win:
            wins = self.seats.lookups.wins_always[lines] | (self.seats.lookups.wins_first[lines] & (throws == 1))
            games.won[:] = wins & (self.seats.lookups.points[lines] > 0)
        if self.seats.model.saves:
            games.saved[:] = self.rolls - throws

    def _throw(
        self, chance: np.random.Generator, lane: Ints, games: Games, log: list[Choices] | None
    ) -> tuple[Ints, Ints]:
        """The dice that are written in the end, and after which throw."""
        seats, dice = self.seats, self.seats.fall(chance, np.zeros_like(lane))
        throws = np.full(len(lane), self.rolls)
        playing, locked = np.arange(len(lane)), np.zeros_like(lane)
        for throw, worth in enumerate(self.held, 1):
            best = self._hold(worth, locked[playing], dice[playing] - seats.first_whole, lane[playing])
            going = best < seats.first_whole
            throws[playing[~going]] = throw
            playing, best = playing[going], best[going]
            if log is not None:
                log.append(Choices(games.numbers[playing], dice[playing], best))
            dice[playing] = seats.fall(chance, best)
            if seats.model.locked:
                locked[playing] = best
        return dice, throws

    def _hold(self, worth: Floats, locked: Ints, rolls: Ints, lane: Ints) -> Ints:
        """The best sets to hold of whole throws; of equal ones the first of `within`."""
        within = self.seats.lookups.within[self.seats.lookups.rows[locked, rolls]]
        pick = worth.take(within * self.count + lane[:, None]).argmax(axis=1)
        return np.asarray(within[np.arange(len(pick)), pick])

    def _choose(self, throw: int, rolls: Ints, lane: Ints) -> tuple[Ints, Ints]:
        """The best lines to write for whole throws, and the extras that they earn."""
        turn, lookups = self.turn, self.seats.lookups
        number = 0 if self.seats.model.steady else throw - 1
        live = turn.judged(throw, None) if self.seats.model.uneven else turn.live(throw, None)
        lines = lookups.lines[number][list(live)][:, rolls]
        worth = self._round(turn.flat.ravel().take(lines * self.count + lane))
        chosen = lines[worth.argmax(axis=0), np.arange(len(rolls))]
        extras = np.zeros_like(chosen)
        for roll in np.unique(rolls[lookups.special[number][rolls]]).tolist():
            some = np.flatnonzero(rolls == roll)
            chosen[some], extras[some] = self._special(live, number, roll, lane[some])
        return chosen, extras

    def _special(self, live: tuple[int, ...], number: int, roll: int, lane: Ints) -> tuple[Ints, Ints]:
        """The same for one whole throw that is a joker or earns extras, or where a row depends on the others."""
        model = self.seats.model
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
        return worth if rounded is None else np.round(worth, rounded, out=worth)

    def _write(self, lines: Ints, games: Games) -> None:
        """Change what games hold by what is written."""
        model, lookups, codes = self.seats.model, self.seats.lookups, games.codes
        rows = lookups.row[lines]
        for row in np.flatnonzero(np.bincount(rows)).tolist():
            some = np.flatnonzero(rows == row)
            view = model.views[row]
            number = codes[some] // model.strides[view.part] % model.parts[view.part].size
            line = lines[some] - model.lines[row] if len(view.step) > 1 else 0
            codes[some] += view.step[line, number]
        games.points[:] += lookups.counted[lines]
        points = lookups.points[lines]
        for (_rule, looked), held, scored in zip(self.seats.rules, games.sums, games.scored, strict=True):
            held += np.where(looked[lines], points, 0)
            scored += looked[lines] & (points != 0)


class SheetPlay:
    """Plays a sheet game of so many `states` between `players` whose ways to play are `styles`."""

    def __init__(
        self, table: SheetTable, players: tuple[Player, ...], styles: dict[str, Callable[[], Style]], states: int
    ) -> None:
        self.chunk = CHUNK if states <= MAX_STATES else SMALL_CHUNK
        self.lowest = table.ruleset.end.win == "lowest"
        self.players = players
        self._seats = lru_cache(maxsize=None)(lambda kind: Seats(styles[kind]()))

    def play(self, chance: np.random.Generator, games: int) -> Tally:
        """Play so many games with these random numbers; the first seat's come first."""
        played = [self._seats(player.kind).play(chance, games) for player in self.players]
        totals, turns = np.array([each.totals for each in played]), np.array([each.turns for each in played])
        winners = totals == (totals.min(axis=0) if self.lowest else totals.max(axis=0))
        won = np.array([each.won for each in played])
        if won.any():  # the first throw that wins at once ends the game: nobody's later turns have come
            short = np.flatnonzero(won.any(axis=0))
            seats, number = len(played), np.arange(len(played))[:, None]
            in_order = (turns[:, short] - 1) * seats + number
            rounds, winner = np.divmod(np.where(won[:, short], in_order, in_order.max() + 1).min(axis=0), seats)
            turns[:, short] = rounds + (number <= winner)
            for seat, each in enumerate(played):
                totals[seat, short] = each.after[turns[seat, short], short]
            winners[:, short] = number == winner
        all_turns = turns.sum(axis=1)
        return counted(totals, winners, all_turns, np.zeros_like(all_turns))


def engine(
    table: Table,
    players: tuple[Player, ...],
    target: int | None,
    prices: Callable[[SheetTable], Prices | None] = lambda _table: None,
    solved: Callable[[SheetModel], Solved] = solve,
) -> SheetPlay | None:
    """What plays this sheet game many times at once, as each of the players would; None if nothing does.

    Nothing plays games with announced columns, derived cells, or cells that are scored again in a section with a
    bonus, with several slots, or where cells win at once. Nor does anything play experts for game points, for a bonus
    where cells win at once, or where there are too many states to solve; others where dice differ, where columns are
    for the first throws only, where dice are locked and points depend on the throw, and where there are no `prices`, by
    which they play. `solved` is asked for best play when it is first needed.
    """
    if not isinstance(table, SheetTable) or target is not None or not _playable(table):
        return None
    kinds = {player.kind for player in players}
    rules = table.ruleset
    wins = any(cell.wins for cell in rules.cells.values())
    if "expert" in kinds and (rules.end.win == "points" or (wins and rules.bonuses)):
        return None
    styles: dict[str, Callable[[], Style]] = {}
    states = 0
    try:
        if "expert" in kinds:
            best = SheetModel(table)
            states = best.states
            styles["expert"] = lambda: expert(solved(best))
        if kinds & {"easy", "normal"}:
            found = prices(table)
            early = any(column.rolls for column in table.columns)
            if found is None or early or len(set(table.faces.weights)) > 1:
                return None
            model = SheetModel(table, merge=False)
            states = max(states, model.states)
            if model.locked and not model.steady:
                return None
            styles["easy"] = partial(greedy, model)
            styles["normal"] = partial(pricing, model, found)
    except TooLarge:
        return None
    return SheetPlay(table, players, styles, states) if kinds <= styles.keys() else None


def _playable(table: SheetTable) -> bool:
    rules = table.ruleset
    cells = rules.cells.values()
    paid = {bonus.section for bonus in rules.bonuses.values()}
    odd = rules.points or any(cell.wins for cell in cells)
    return not (
        rules.derived
        or table.announced
        or any(cell.repeat and (cell.times > 1 or cell.section in paid or odd) for cell in cells)
    )
