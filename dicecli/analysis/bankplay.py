"""Bank and accumulate games between computer players, very many side by side.

All games are in the same round with the same player to move. A turn is drawn whole, from the exact chances of its
results; these depend on how the player decides in it, which a key says: a small number that a `Plan` makes of the
totals. What a key's turns come to is found when a game first needs it, and kept.

Players decide as `players.computer` and `players.easy` do; experts as the solved game says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import comb, gcd
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicecli.analysis.banks import (
    NEVER,
    FewestTurns,
    Floats,
    Ints,
    Throws,
    TwoPlayers,
    _needed,
    _play,
    _stops,
    _throwing_far,
    _to_come,
    fewest_turns,
    other_points,
    throws_of,
    two_players,
)
from dicecli.analysis.bankturns import (
    BANK,
    LOST,
    LOST_ALL,
    LOST_FIRST,
    MAY,
    MOST_LEVELS,
    ROLL,
    SPECIAL,
    WON,
    Decide,
    Draws,
    Flags,
    flow,
    graph_of,
    graph_of_throws,
)
from dicecli.analysis.chances import even, next_throw
from dicecli.analysis.simulate import MAX_TURNS, Player, Tally, counted, endless
from dicecli.rules.table import AccumulateTable, BankTable, SheetTable, Table
from dicecli.rules.vocabulary import HotDice

Steps = NDArray[np.int32]  # points in steps
Results = NDArray[np.int16] | NDArray[np.int32]
Game = BankTable | AccumulateTable
Duel = Callable[[BankTable | AccumulateTable, int], TwoPlayers]
Solved = TwoPlayers | FewestTurns

MOST_THROWS = 300_000  # of a hand of dice
MOST_STEPS = 20_000  # of a throw
MOST_BEHIND = 200  # thresholds by what a player is behind
CELLS = 1 << 17  # numbers in the arrays of turns that are worked out together
MOST_CELLS = 1 << 19  # the same of an expert's
CHUNK, EXPERT_CHUNK = 1 << 17, 1 << 14  # games
MOST_LEARNT = 512  # kinds of turns that are learnt at a time
RARE = 1e-13  # the chance of what need not be told apart
FAR = 1 << 40  # steps that no turn reaches


class Plan:
    """How a player plays: keys for what stands fixed in a turn, and turns drawn by them.

    `scale` is how many of the game's steps one of the plan's has. Keys are learnt in blocks, with their neighbours.
    """

    block = 1

    def __init__(self, keys: int, draws: Draws, scale: int = 1) -> None:
        self._draws = draws
        self._lane_of: Ints = np.full(keys, -1, dtype=np.intp)
        self._lock = Lock()
        self._scale = scale

    def keys(self, seat: int, totals: Steps, opened: Flags | None) -> Ints | int:
        """The keys of a seat's coming turns, one of each game or one of all, by `totals` and `opened` (seat, game)."""
        raise NotImplementedError

    def last_keys(self, seat: int, totals: Steps, opened: Flags | None) -> Ints:
        """The keys of turns in the last round."""
        raise NotImplementedError

    def chances(self, keys: Ints) -> Floats:
        """The chances (key, result) of turns, as `flow` gives them."""
        raise NotImplementedError

    def draw(self, chance: np.random.Generator, keys: Ints | int, games: int) -> Results:
        """The results of so many turns."""
        lanes = self._lanes(keys)
        if (lanes if isinstance(lanes, int) else lanes.min()) < 0:
            self._learn(np.unique(keys))
            lanes = self._lanes(keys)
        found = self._draws.draw(chance, lanes, games)
        if self._scale == 1:
            return found
        return np.where(found > 0, found.astype(np.int32) * self._scale, found)

    def _lanes(self, keys: Ints | int) -> Ints | int:
        return int(self._lane_of[keys]) if isinstance(keys, int) else self._lane_of.take(keys)

    def _learn(self, keys: Ints) -> None:
        with self._lock:  # threads may play chunks side by side
            keys = np.unique(keys // self.block)[:, None] * self.block + np.arange(self.block)
            missing = keys[keys < len(self._lane_of)]
            missing = missing[self._lane_of[missing] < 0]
            for some in np.split(missing, range(MOST_LEARNT, len(missing), MOST_LEARNT)):
                first = self._draws.lanes
                self._draws.add(self.chances(some))
                self._lane_of[some] = first + np.arange(len(some))


class _EndlessError(Exception):
    """A turn may go on for ever."""


class RulePlan(Plan):
    """A player who decides by the ruleset: `normal`, `easy` or `bank_at`."""

    block = 64

    def __init__(self, table: Game, player: Player, target: int, step: int, seats: int) -> None:
        ruleset = table.ruleset
        turn, says = ruleset.turn, ruleset.computer
        self.step, self.target, self.reach = step, target, _up(target, step)
        self.greedy = player.kind == "easy"
        self.exact = bool(ruleset.end.exact)
        self.one_throw = ruleset.end.last_round == "others_one_throw"
        self.least = _up(turn.bank_at_least, step)
        self.may_stop = turn.opening is not None and turn.opening.below == "lost"
        graph, places = graph_of(table)
        self.graph = graph.in_steps(step)
        self.next_throws = [(1.0, 1.0)] * len(places)
        if isinstance(table, BankTable):
            faces = table.faces.weights
            self.next_throws = [next_throw(table, tuple(sorted(faces[die] for die in hand))) for hand in places]
        self.gains = np.array([gain > 0 for _safe, gain in self.next_throws])
        self._prepare()
        base, behind, left = says.bank_at, says.behind, says.dice_left
        if player.kind != "normal":
            base, behind, left = base if player.points is None else player.points, None, {}
        adds, self._behind = [min(behind.most, 0) if behind else 0], np.zeros(1, dtype=np.intp)
        if behind and seats > 1:
            adds = [min(behind.most, each * behind.add) for each in range(_most_behind(behind.add, behind.most) + 1)]
            apart = np.arange(_up((len(adds) - 1) * behind.for_each, step) + 1)
            self._behind = np.minimum(apart * step // behind.for_each, len(adds) - 1)
        self.adds = len(adds)
        # The terms of a turn are what a player goes by, but for the goal: from how many steps on he would bank at each
        # node, and may bank. In the last round only the goal counts.
        opened = (True, False) if turn.opening else (True,)
        needs = {each: _needed(table, opened=each) for each in opened}
        enough = [
            [_up(max(base + left.get(len(hand), 0) + more, needs[each]), step) for hand in places]
            for each in opened
            for more in adds
        ]
        need = [needs[each] for each in opened for _more in adds]
        self.last_terms = len(need)
        if seats > 1 and ruleset.end.last_round != "none":
            enough += [[FAR] * len(places) for _each in opened]
            need += needs.values()
        self.enough: Ints = np.array(enough).T  # (node, terms)
        self.need: Ints = np.array([_up(points, step) for points in need])
        near = self._near()
        self.near, self.near_last = max(near[: self.last_terms]), max(near[self.last_terms :], default=0)
        self._first_last = self.last_terms * (self.near + 1)
        super().__init__(self._first_last + (len(need) - self.last_terms) * (self.near_last + 1), Draws(12))

    def keys(self, seat: int, totals: Steps, opened: Flags | None) -> Ints | int:
        """The keys of turns: by the terms, and by the goal where it matters."""
        mine = totals[seat]
        if self.adds == 1 and opened is None and mine.max() <= self.reach - self.near:
            return self.near
        keys: Ints = np.minimum(self.reach - mine, self.near)
        if self.adds > 1:
            keys = keys + self._behind.take(totals.max(axis=0) - mine, mode="clip") * (self.near + 1)
        if opened is not None:
            keys = keys + ~opened[seat] * (self.adds * (self.near + 1))
        return keys

    def last_keys(self, seat: int, totals: Steps, opened: Flags | None) -> Ints:
        """The keys of turns in the last round: by the points that lead."""
        goal = totals.max(axis=0) - totals[seat] + 1
        keys: Ints = np.minimum(goal, self.near_last) + self._first_last
        return keys if opened is None else keys + ~opened[seat] * (self.near_last + 1)

    def chances(self, keys: Ints) -> Floats:
        """The chances (key, result) of turns."""
        last = keys >= self._first_last
        near = np.where(last, self.near_last, self.near)
        terms, goals = np.divmod(np.where(last, keys - self._first_last, keys), near + 1)
        terms += np.where(last, self.last_terms, 0)
        goals = np.where(goals < near, goals, FAR)
        order = np.argsort(goals, kind="stable")  # turns of about one length together
        parts = []
        for some in np.split(order, range(self._lanes_together, len(order), self._lanes_together)):
            found = flow(self.graph, len(some), self.decide(terms[some], goals[some]))
            if found is None:
                raise _EndlessError
            parts.append(_in_vain(found, self.need[terms[some]]))
        return _joined(parts)[np.argsort(order)]

    def decide(self, terms: Ints, goals: Ints) -> Decide:
        """What the player does on these terms with these goals (lane); see `computer._stop`."""
        graph = self.graph
        present, place = np.unique(terms, return_inverse=True)
        last = terms >= self.last_terms
        hits = np.where(last, self.step == 1, self.target % self.step == 0)

        def decide(level: int, act: Ints, _weight: Floats) -> tuple[Ints, Flags]:
            goal = goals[act]
            best, worth = self._best_from(present, level)
            choice = self._choose(best, worth, place[act], goal - level, hits[act])
            points, node, must = level + graph.gain[choice], graph.node[choice], graph.must[choice]
            wish = self.gains[node] & (points < np.minimum(self.enough[node, terms[act]], goal))
            may_roll = (must != BANK) & ~(last[act] & self.one_throw)
            below = (points >= self.least) & self.may_stop
            may_bank = ((must != ROLL) | ~may_roll) & ((points >= self.need[terms[act]]) | ~may_roll | below)
            return choice, np.where(wish, may_roll, ~may_bank)

        return decide

    def _prepare(self) -> None:
        """What `_choose` looks up."""
        graph = self.graph
        self._lanes_together = max(1, CELLS // graph.lists)
        self._rows = graph.firsts()
        self._choices = np.bincount(np.concatenate([np.arange(many) for many in graph.ranks]))
        most = int(graph.counts.max())
        kinds, self._kind = np.unique(graph.node * (most + 1) + graph.counts, return_inverse=True)
        self._kind_node, self._kind_counts = np.divmod(kinds, most + 1)
        if self.exact:  # how many choices of a list count more than so many steps
            self._above = np.zeros((graph.lists, most + 2), dtype=np.intp)
            for row, many in zip(self._rows, graph.ranks, strict=True):
                self._above[:many] += graph.counts[row : row + many, None] > np.arange(most + 2)

    def _choose(self, best: Ints, worth: Floats, place: Ints, ahead: Ints, hits: Flags) -> Ints:
        """Which choice of each list is taken (list, lane) if the goal is so many steps ahead; see `computer._bank`.

        `best` and `worth` are those of `_best_from`, at the `place` of each lane. The choices of a list fall by what
        they count. So the first is taken if it reaches the goal; and if points beyond the goal are worth nothing, the
        one that `hits` it where that can be, else the best of those that fall short.
        """
        graph = self.graph
        first: Ints = np.arange(graph.lists)[:, None]
        if self.greedy:
            return np.broadcast_to(first, (graph.lists, len(ahead)))
        if not self.exact:
            return np.where(graph.counts[: graph.lists, None] >= ahead, first, best[: graph.lists].take(place, axis=1))
        above = self._above[:, np.clip(ahead - ~hits, 0, self._above.shape[1] - 1)]
        left = above < self._choices[:, None]
        at = self._rows[np.where(left, above, 0)] + first
        hit = left & (graph.counts[at] == ahead) & hits
        useless = ~left | ((worth[at, place] <= 0) & (above > 0))
        return np.where(hit, at, np.where(useless, first, best[at, place]))

    def _best_from(self, terms: Ints, level: int) -> tuple[Ints, Floats]:
        """The best choice (choice, terms) from each on in its list, short of the goal; and what it is worth."""
        graph = self.graph
        points = ((level + self._kind_counts) * self.step).tolist()
        thrown = [self.next_throws[node] for node in self._kind_node]
        rolling = np.array([even(safe * some + gain) for some, (safe, gain) in zip(points, thrown, strict=True)])
        enough = (level + self._kind_counts)[:, None] >= self.enough[self._kind_node[:, None], terms]
        worth: Floats = np.where(enough, np.array(points, dtype=np.float64)[:, None], rolling[:, None])[self._kind]
        best: Ints = np.repeat(np.arange(len(worth))[:, None], len(terms), axis=1)
        for rank in range(len(graph.ranks) - 2, -1, -1):
            many = graph.ranks[rank + 1]
            here, later = (slice(row, row + many) for row in self._rows[rank : rank + 2])
            better = worth[later] > worth[here]
            np.copyto(best[here], best[later], where=better)
            np.copyto(worth[here], worth[later], where=better)
        return best, worth

    def _near(self) -> list[int]:
        """By terms, from which goal on it changes nothing: turns come there too rarely, or decide the same."""
        graph, count_terms = self.graph, len(self.need)
        tops = np.zeros(graph.lists, dtype=np.intp)
        for row, many in zip(self._rows, graph.ranks, strict=True):
            choices = slice(row, row + many)
            tops[:many] = np.maximum(tops[:many], np.maximum(graph.counts[choices], graph.gain[choices]))
        reached = np.zeros((MOST_LEVELS + MOST_STEPS, count_terms))
        plain = self.decide(np.arange(count_terms), np.full(count_terms, FAR))

        def decide(level: int, act: Ints, weight: Floats) -> tuple[Ints, Flags]:
            choice, roll = plain(level, act, weight)
            matters = roll | (choice != np.arange(graph.lists)[:, None]) | self.exact
            np.add.at(reached, (level + tops[:, None], act), np.where(matters, weight, 0.0))
            return choice, roll

        if flow(graph, count_terms, decide) is None:
            raise _EndlessError
        rare = np.cumsum(reached[::-1], axis=0)[::-1] <= RARE
        enough = np.where(self.enough.max(axis=0) < FAR, self.enough.max(axis=0), 1)
        near: list[int] = np.maximum(rare.argmax(axis=0), np.maximum(enough, 1)).tolist()
        return near


def _up(points: int, step: int) -> int:
    """So many steps as hold the points."""
    return -(-points // step)


def _most_behind(add: int, most: int) -> int:
    """After how many times `add` no more is added."""
    return max(0, _up(most, add)) if add else 0


def _in_vain(chances: Floats, need: Ints) -> Floats:
    """The chances (lane, result) with fewer steps than a lane's `need` banked for nothing."""
    few = np.arange(chances.shape[1]) - SPECIAL < need[:, None]
    few[:, : SPECIAL + 1] = False
    chances[:, SPECIAL] += np.where(few, chances, 0.0).sum(axis=1)
    return np.where(few, 0.0, chances)


def _joined(parts: list[Floats]) -> Floats:
    """The parts one below the other, made equally wide."""
    width = max(part.shape[1] for part in parts)
    return np.vstack([np.pad(part, ((0, 0), (0, width - part.shape[1]))) for part in parts])


def _best_turns(
    throws: Throws,
    tops: Ints,
    forced: Floats,
    free: Floats,
    stay: Floats,
    nothing: Floats,
    won: Floats,
    *,
    one_throw: bool = False,
) -> Floats:
    """The chances (lane, result) of turns that are played best, the parameters those of `banks._play`."""
    graph = graph_of_throws(throws)
    levels, lanes = forced.shape
    worth = np.broadcast_to(forced, (throws.rows, levels, lanes)).copy()
    worth[throws.win_row] = won
    on: Flags = np.zeros((throws.nodes, levels, lanes), dtype=bool)
    if not one_throw:
        values = np.full((throws.nodes, levels, lanes), -np.inf)
        _play(throws, tops, forced, free, stay, nothing, won, values)
        if throws.rolled or throws.onward:
            lost = np.outer(throws.lost, stay) + np.outer(throws.lost_all, nothing)
            far = _throwing_far(throws, forced[-1], free[-1], won, lost)[:, None]
            known = np.where(values > -np.inf, values, far)
            worth[throws.nodes : throws.bank_row] = known[throws.rolled]
            values = known if throws.onward else values
        on = values > free
        worth[: throws.nodes] = np.maximum(values, free)
    rows, must_roll = graph.firsts(), (graph.must == ROLL) & (not one_throw)
    may_roll, all_on = graph.must == MAY, on.ravel()
    all_worth = worth.reshape(-1, lanes)

    def decide(level: int, act: Ints, _weight: Floats) -> tuple[Ints, Flags]:
        after = np.minimum(level + graph.gain, levels - 1)
        at = throws.at * levels + after
        values = all_worth.take(at, axis=0) if len(act) == lanes else all_worth[at[:, None], act]
        best = values[: graph.lists]
        choice: Ints = np.repeat(np.arange(graph.lists)[:, None], len(act), axis=1)
        for row, many in zip(rows[1:], graph.ranks[1:], strict=True):
            better = values[row : row + many] > best[:many]
            np.copyto(best[:many], values[row : row + many], where=better)
            np.copyto(choice[:many], np.arange(row, row + many)[:, None], where=better)
        may = may_roll[choice] & all_on.take((graph.node * levels + after)[choice] * lanes + act)
        return choice, must_roll[choice] | may

    chances = flow(graph, lanes, decide)
    if chances is None:
        raise _EndlessError
    return chances


class _ExpertPlan(Plan):
    """A player who plays as a solved game says; keys come in batches of those with equally long turns."""

    def __init__(self, table: Game, step: int, keys: int) -> None:
        self.table, self.step = table, step
        self.throws = throws_of(table)
        super().__init__(keys, Draws(8, 1e-9), self.throws.step // step)

    def total(self, totals: Steps, most: int) -> Ints:
        """The totals in steps of the solved game, from 0 to `most`."""
        found: Ints = np.clip(totals.astype(np.intp) // self._scale, 0, most)
        return found

    def need(self, opened: Flags) -> Ints:
        """The steps of the solved game that may be banked."""
        needs = [_up(_needed(self.table, opened=each), self.throws.step) for each in (False, True)]
        found: Ints = np.array(needs)[opened.astype(np.intp)]
        return found

    def batches(self, tops: Ints) -> Iterator[Ints]:
        """The lanes, the longest turns first, so many at a time as fit into memory."""
        order = np.argsort(-tops, kind="stable")
        at = 0
        while at < len(order):
            most = max(self.throws.rows * (int(tops[order[at]]) + 1), len(self.throws.at))
            some = order[at : at + max(1, MOST_CELLS // most)]
            yield some
            at += len(some)


class SoloPlan(_ExpertPlan):
    """An expert who plays alone, for the fewest turns."""

    def __init__(self, table: Game, solved: FewestTurns, step: int) -> None:
        self.solved = solved
        self.size = len(solved.turns) - 1
        super().__init__(table, step, 2 * self.size)

    def keys(self, seat: int, totals: Steps, opened: Flags | None) -> Ints | int:
        """The keys of turns: by the total, and whether the player has opened."""
        keys = self.total(totals[seat], self.size - 1)
        return keys if opened is None else keys + ~opened[seat] * self.size

    def chances(self, keys: Ints) -> Floats:
        """The chances (key, result) of turns; see `FewestTurns.turn_in`."""
        turns = self.solved.turns
        worth = -np.where(np.isinf(turns), NEVER, turns) - 1.0
        games = []
        for key in keys.tolist():
            total = key % self.size
            opened = key < self.size
            games.append(_to_come(self.table, worth, total, self.solved.target, worth[[total]], opened=opened))
        tops = np.array([int(top[0]) for top, _forced, _free in games])
        parts, order = [], []
        for some in self.batches(tops):
            levels = int(tops[some[0]]) + 1
            forced, free = (
                np.hstack([np.pad(games[at][which], ((0, levels - tops[at] - 1), (0, 0)), "edge") for at in some])
                for which in (1, 2)
            )
            stay, nothing = worth[keys[some] % self.size], np.full(len(some), worth[0])
            found = _best_turns(self.throws, tops[some], forced, free, stay, nothing, np.full(len(some), -1.0))
            parts.append(_in_vain(found, self.need(keys[some] < self.size)))
            order.append(some)
        return _joined(parts)[np.argsort(np.concatenate(order))]


class DuelPlan(_ExpertPlan):
    """An expert who plays for the best chance of winning against the strongest opponent alone."""

    def __init__(self, table: Game, solved: TwoPlayers, step: int) -> None:
        self.solved = solved
        self.pairs = solved.roles * solved.size**2
        self.far = solved.last.shape[1] * (throws_of(table).step // step)
        super().__init__(table, step, 2 * (self.pairs + self.far + 1))

    def _rival(self, seat: int, totals: Steps) -> tuple[Steps, NDArray[Any]]:
        """The strongest opponent's total, and whether he sits before the player."""
        others = [other for other in range(len(totals)) if other != seat]
        rival = np.array(others)[totals[others].argmax(axis=0)]
        return totals[others].max(axis=0), rival < seat

    def keys(self, seat: int, totals: Steps, opened: Flags | None) -> Ints | int:
        """The keys of turns: by role, both totals, and whether the player has opened."""
        size = self.solved.size
        other, before = self._rival(seat, totals)
        keys = self.total(totals[seat], size - 1) * size + self.total(other, size - 1)
        if self.solved.roles == 2:
            keys += before * size**2
        return keys if opened is None else keys + ~opened[seat] * self.pairs

    def last_keys(self, seat: int, totals: Steps, opened: Flags | None) -> Ints:
        """The keys of turns in the last round: by what the player is behind."""
        other, _before = self._rival(seat, totals)
        keys: Ints = 2 * self.pairs + 1 + np.clip((other - totals[seat]).astype(np.intp), -1, self.far - 1)
        return keys if opened is None else keys + ~opened[seat] * (self.far + 1)

    def chances(self, keys: Ints) -> Floats:
        """The chances (key, result) of turns."""
        last = keys >= 2 * self.pairs
        parts, order = [], []
        for find, some in ((self._turns, np.flatnonzero(~last)), (self._last_turns, np.flatnonzero(last))):
            for found, at in find(keys[some]):
                parts.append(found)
                order.append(some[at])
        return _joined(parts)[np.argsort(np.concatenate(order))]

    def _turns(self, keys: Ints) -> Iterator[tuple[Floats, Ints]]:
        """The chances of turns before the last round, in batches; see `TwoPlayers.turn_in`."""
        solved, size = self.solved, self.solved.size
        opened = keys < self.pairs
        role, mine, other = np.unravel_index(keys % self.pairs, (solved.roles, size, size))
        need = self.need(opened)
        tops = np.maximum(solved.tops(role, mine, other), need) if len(keys) else keys
        for some in self.batches(tops):
            pair = role[some], mine[some], other[some]
            following = solved.following(pair[0])
            stay, nothing = (1 - solved.chances[following, pair[2], total] for total in (pair[1], 0))
            bank = solved.banked(*pair, solved.levels(tops[some]), stay)
            forced, free = _stops(self.table, self.throws, bank, stay, opened[some])
            found = _best_turns(self.throws, tops[some], forced, free, stay, nothing, np.ones(len(some)))
            yield _in_vain(found, need[some]), some

    def _last_turns(self, keys: Ints) -> Iterator[tuple[Floats, Ints]]:
        """The chances of last turns, in batches; see `TwoPlayers._last_turn`."""
        unopened, behind = np.divmod(keys - 2 * self.pairs, self.far + 1)
        opened, behind = unopened == 0, (behind - 1) * self.step
        need = self.need(opened)
        tops = np.maximum(-(-behind // self.throws.step), np.maximum(need, 0)) + 1 + self.throws.most
        for some in self.batches(tops):
            gain = np.arange(int(tops[some[0]]) + 1)[:, None] * self.throws.step
            won = np.where(gain > behind[some], 1.0, np.where(gain == behind[some], 0.5, 0.0))
            stay = won[0]
            bank = np.where(self.solved.exact & (gain > behind[some]), stay, won)
            forced, free = _stops(self.table, self.throws, bank, stay, opened[some])
            nothing = np.zeros(len(some))
            one = self.solved.rule == "others_one_throw"
            found = _best_turns(self.throws, tops[some], forced, free, stay, nothing, np.ones(len(some)), one_throw=one)
            yield _in_vain(found, need[some]), some


class _Board:
    """Games that are still played, side by side in arrays (seat, game), and those that have ended.

    `row` counts the turns lost in a row, `last` is who reached the target (-1: nobody).
    """

    def __init__(self, seats: int, games: int, *, opening: bool) -> None:
        self.games = games
        self.totals = np.zeros((seats, games), dtype=np.int32)
        self.row = np.zeros((seats, games), dtype=np.int8)
        self.opened: Flags | None = np.zeros((seats, games), dtype=bool) if opening else None
        self.last = np.full((1, games), -1, dtype=np.int8)
        self.ended = np.zeros((seats, games), dtype=np.int32)
        self.won = np.zeros((seats, games), dtype=bool)

    def end(self, over: Ints, at_once: Flags, seat: int) -> None:
        """Take games out, those `at_once` won by a seat's throw; others take their places."""
        totals = self.totals[:, over]
        winners = totals == totals.max(axis=0)
        winners[:, at_once] = False
        winners[seat, at_once] = True
        left = self.games - len(over)
        self.ended[:, left : self.games], self.won[:, left : self.games] = totals, winners
        stays = np.ones(len(over), dtype=bool)
        stays[over[over >= left] - left] = False
        holes, moved = over[over < left], left + np.flatnonzero(stays)
        arrays: list[NDArray[Any]] = [self.totals, self.row, self.last]
        for array in arrays if self.opened is None else [*arrays, self.opened]:
            array[:, holes] = array[:, moved]
        self.games = left


class Games:
    """The engine: games between players with plans."""

    def __init__(self, table: Game, target: int, step: int, plans: list[Plan], chunk: int) -> None:
        self.chunk = chunk
        self.end = table.ruleset.end
        self.step, self.reach, self.most = step, _up(target, step), target // step
        self.opening = table.ruleset.turn.opening is not None
        self.bust = table.ruleset.bust if isinstance(table, BankTable) else None
        self.wins = bool(table.wins)
        self.plans = plans

    def play(self, chance: np.random.Generator, games: int) -> Tally:
        """Play so many games with these random numbers; may be called in several threads at once.

        Raises `Refused` where nobody may ever win.
        """
        seats = len(self.plans)
        board = _Board(seats, games, opening=self.opening)
        turns, lost = np.zeros(seats, dtype=np.int64), np.zeros(seats, dtype=np.int64)
        for number in range(1, MAX_TURNS + 2):
            for seat, plan in enumerate(self.plans):
                if not board.games:
                    return counted(board.ended * self.step, board.won, turns, lost)
                results = self._results(chance, plan, board, seat)
                turns[seat] += board.games
                lost[seat] += np.count_nonzero((results < 0) & (results != WON) if self.wins else results < 0)
                self._settle(board, seat, results)
                self._end(board, seat, results, number)
        raise endless()

    def _results(self, chance: np.random.Generator, plan: Plan, board: _Board, seat: int) -> Results:
        """What a seat's turns come to."""
        games = board.games
        totals = board.totals[:, :games]
        opened = None if board.opened is None else board.opened[:, :games]
        keys = plan.keys(seat, totals, opened)
        late = np.flatnonzero(board.last[0, :games] >= 0)
        if len(late):
            if isinstance(keys, int):
                keys = np.full(games, keys)
            keys[late] = plan.last_keys(seat, totals[:, late], None if opened is None else opened[:, late])
        return plan.draw(chance, keys, games)

    def _settle(self, board: _Board, seat: int, results: Results) -> None:
        """The totals after a seat's turns; see `game.turns`."""
        totals, row = board.totals[seat, : board.games], board.row[seat, : board.games]
        gain = np.maximum(results, 0)
        if self.end.exact:
            over = np.flatnonzero(totals + gain > self.most)
            if self.end.exact == "back":
                row[over] = 0
                totals[over] = np.maximum(0, 2 * self.most - totals[over] - gain[over])
            gain[over] = 0
        totals += gain
        if board.opened is not None:
            board.opened[seat, : board.games] |= gain > 0
        if self.bust is None:
            totals[results == LOST_ALL] = 0
        elif self.bust.first_throw or self.bust.in_a_row:
            banked = results >= 0
            if self.end.exact:
                banked[over] = False
            row[banked] = 0
            self._penalties(totals, row, results)

    def _penalties(self, totals: Steps, row: NDArray[np.int8], results: Results) -> None:
        """What lost turns cost; see `game.turns.lose`."""
        assert self.bust
        in_a_row, first_throw = self.bust.in_a_row, self.bust.first_throw
        if first_throw:
            self._pay(totals, np.flatnonzero(results == LOST_FIRST), first_throw.score, first_throw.floor)
        if in_a_row:
            lost = np.flatnonzero((results == LOST) | (results == LOST_FIRST))
            row[lost] += 1
            lost = lost[row[lost] >= in_a_row.times]
            row[lost] = 0
            self._pay(totals, lost, in_a_row.score, in_a_row.floor)

    def _pay(self, totals: Steps, at: Ints, score: int, floor: int | None) -> None:
        before = totals[at]
        after = before + score // self.step
        totals[at] = after if floor is None else np.maximum(after, np.minimum(floor // self.step, before))

    def _end(self, board: _Board, seat: int, results: Results, number: int) -> None:
        """Begin the last round, and take out the games that are over after round `number`'s turns of a seat.

        See `game.game`, `_next_player` and `_ends`.
        """
        seats, games = len(self.plans), board.games
        totals, last = board.totals[seat, :games], board.last[0, :games]
        following = (seat + 1) % seats
        at_once = results == WON if self.wins else np.zeros(games, dtype=bool)
        if totals.max() >= self.reach:
            last[(totals >= self.reach) & (last < 0)] = seat
        if self.end.rounds and following == 0 and number >= self.end.rounds:
            over = np.arange(games)
        elif self.end.last_round == "none":
            over = np.flatnonzero((last >= 0) | at_once)
        elif self.end.last_round == "equal_turns":
            over = np.flatnonzero((last >= 0) & (following == 0) | at_once)
        else:
            over = np.flatnonzero((last == following) | at_once)
        if len(over):
            board.end(over, at_once[over], seat)


def engine(table: Table, players: tuple[Player, ...], target: int | None, duel: Duel = two_players) -> Games | None:
    """What plays a bank or accumulate game between these players; None for a game that it can't play exactly.

    Those are games with carried dice, a multiplier for hot dice, an overshoot given away, throws that may count
    nothing or less, more than `MOST_THROWS` different throws, and turns that may never end. `duel` is
    asked for best play of two if an expert plays against others.
    """
    if isinstance(table, SheetTable) or not _playable(table, len(players)):
        return None
    graph, _places = graph_of(table)
    points = np.concatenate([graph.counts, graph.gain]).tolist()
    if not points or min(points) <= 0:
        return None
    target = table.ruleset.targets.default if target is None else target
    step = gcd(*points, *other_points(table, target))
    if max(points) // step > MOST_STEPS:
        return None
    try:
        plans = {player: _plan(table, player, target, step, len(players), duel) for player in dict.fromkeys(players)}
    except _EndlessError:
        return None
    experts = any(player.kind == "expert" for player in players)
    return Games(table, target, step, [plans[player] for player in players], EXPERT_CHUNK if experts else CHUNK)


def _playable(table: Game, seats: int) -> bool:
    ruleset = table.ruleset
    if ruleset.end.exact == "given_away" and seats > 1:
        return False
    dice, faces, behind = table.faces.dice_count, table.faces.count, ruleset.computer.behind
    if behind and (behind.add < 0 or _most_behind(behind.add, behind.most) > MOST_BEHIND):
        return False
    if len(set(table.faces.weights)) == 1 and comb(dice + faces - 1, dice) > MOST_THROWS:
        return False
    if isinstance(table, AccumulateTable):
        return True
    if len(set(table.faces.weights)) > 1 and faces**dice > MOST_THROWS:
        return False
    hot = table.ruleset.turn.hot_dice
    return table.ruleset.carry is None and not (isinstance(hot, HotDice) and hot.multiplier)


def _plan(table: Game, player: Player, target: int, step: int, seats: int, duel: Duel) -> Plan:
    if player.kind != "expert":
        return RulePlan(table, player, target, step, seats)
    if seats == 1:
        return SoloPlan(table, fewest_turns(table, target), step)
    return DuelPlan(table, duel(table, target), step)
