"""Whole turns of bank and accumulate games drawn at random: what a way to decide makes of a turn, exactly.

What a player decides depends on the dice left, the points of the turn, and what stands fixed while the turn goes on.
So a turn is a Markov chain: `flow` gives the chances of all its results once, and `Draws` draws any number of turns
from them. Points are counted in steps, and a level is a number of steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dicecli.analysis.banks import Floats, Ints, Throws
from dicecli.rules.faces import rolls_of
from dicecli.rules.patterns import positions_of
from dicecli.rules.table import AccumulateTable, BankTable, Keep
from dicecli.rules.vocabulary import HotDice

Flags = NDArray[np.bool_]
Places = tuple[int, ...]

# The result of a turn: the steps that are banked, or one of these.
LOST, LOST_FIRST, LOST_ALL, WON = -1, -2, -3, -4  # lost; at the first throw; with the whole total; won at once
_DOUBTFUL = -5  # a slot that several results share
SPECIAL = 4

NEGLIGIBLE = 1e-15  # a chance that is left out
MOST_LEVELS = 4_000
MAY, ROLL, BANK = 0, 1, 2  # what must be done after a choice
ALWAYS, FIRST = 1, 2  # when a choice wins


class Graph(NamedTuple):
    """What may be thrown in a turn, and what may be kept of it.

    A node is a hand of dice; throws that leave the same choices are one list. `chances` (node, list) are those of the
    lists, `lost` and `lost_all` (node) those of losing. Arrays over the choices come by rank: the first choice of every
    list, then the second of those that have one, ...; the lists with most choices are first, and `ranks` says how many
    have a choice of each rank. `counts` is what a choice counts when dice are kept, `gain` what it adds.
    """

    start: int
    chances: Floats
    lost: Floats
    lost_all: Floats
    ranks: list[int]
    counts: Ints
    gain: Ints
    node: Ints
    must: Ints
    wins: Ints

    @property
    def lists(self) -> int:
        """How many lists there are."""
        return len(self.chances[0])

    def firsts(self) -> Ints:
        """Where the choices of each rank begin."""
        return np.cumsum([0, *self.ranks[:-1]])

    def in_steps(self, step: int) -> Graph:
        """The graph with its points counted in steps of so many."""
        return self._replace(counts=self.counts // step, gain=self.gain // step)


Option = tuple[int, int, int, int, int]  # counts, gain, node, must, wins; points in points


@lru_cache(maxsize=8)
def graph_of(table: BankTable | AccumulateTable) -> tuple[Graph, tuple[Places, ...]]:
    """The graph of a game, in points, and the places of the dice of each node; remembered.

    Each list has the order of `table.keeps`.
    """
    if isinstance(table, AccumulateTable):
        return _adding(table)
    count = table.ruleset.dice.count
    alike = len(set(table.faces.weights)) == 1
    nodes = [tuple(range(size)) for size in range(1, count + 1)]
    if not alike:
        nodes = [places for taken in product((0, 1), repeat=count) if (places := _taken(taken))]
    number = {places: node for node, places in enumerate(nodes)}
    lists: dict[tuple[Option, ...], Floats] = {}
    for node, places in enumerate(nodes):
        for keeps, chance in _thrown(table, places, alike=alike):
            options = []
            for keep, kept in keeps:
                left = tuple(place for at, place in enumerate(places) if at not in kept)
                options.append(_option(table, keep, number[_packed(left, alike=alike) or nodes[-1]], hot=not left))
            lists.setdefault(tuple(dict.fromkeys(options)), np.zeros(len(nodes)))[node] += chance
    lost = lists.pop((), np.zeros(len(nodes)))
    start = number[tuple(range(count))]
    return _graph(start, lists, lost, np.zeros(len(nodes))), tuple(nodes)


def _taken(taken: tuple[int, ...]) -> Places:
    return tuple(place for place, there in enumerate(taken) if there)


def _packed(left: Places, *, alike: bool) -> Places:
    """The node's places for the dice that are left: where all are alike only their number counts."""
    return tuple(range(len(left))) if alike else left


def _thrown(table: BankTable, places: Places, *, alike: bool) -> Iterator[tuple[list[tuple[Keep, Places]], float]]:
    """What may be kept of each throw of the dice at these places, by their order in the hand; with its chance."""
    weights = [table.faces.weights[place] for place in places]
    if alike:
        rolls, whole = rolls_of(weights)
        for dice, weight in rolls.items():
            keeps = [(keep, tuple(range(len(keep.dice)))) for keep in table.keeps(dice).values()]
            yield keeps, weight / whole
        return
    chances: Floats = np.ones(1)
    for die in weights:
        chances = np.outer(chances, np.array(die) / sum(die)).ravel()
    for dice, chance in zip(product(range(1, table.faces.count + 1), repeat=len(places)), chances, strict=True):
        if chance:
            every = table.keeps(tuple(sorted(dice))).values()
            yield [(keep, positions_of(keep.dice, dice)) for keep in every], float(chance)


def _option(table: BankTable, keep: Keep, node: int, *, hot: bool) -> Option:
    rules = table.ruleset.turn
    hot_rule = rules.hot_dice if isinstance(rules.hot_dice, HotDice) else HotDice(rules.hot_dice)
    must = ROLL if any(part.combination in rules.must_roll_after for part in keep.parts) else MAY
    if hot and hot_rule.then != "may_roll":
        must = ROLL if hot_rule.then == "must_roll" else BANK
    wins = _wins({table.wins.get(part.combination, False) for part in keep.parts})
    return keep.score, keep.score + hot_rule.bonus * hot, node, must, wins


def _wins(rules: set[Any]) -> int:
    return ALWAYS if True in rules else FIRST if "first_roll" in rules else 0


def _adding(table: AccumulateTable) -> tuple[Graph, tuple[Places, ...]]:
    lists: dict[tuple[Option, ...], Floats] = {}
    lost, lost_all = np.zeros(1), np.zeros(1)
    rolls, whole = rolls_of(table.faces.weights)
    for dice, weight in rolls.items():
        fallen = table.fallen(dice)
        if fallen.lose:
            (lost_all if fallen.lose == "all" else lost)[0] += weight / whole
            continue
        option = fallen.score, fallen.score, 0, MAY, _wins({table.wins.get(fallen.outcome or "", False)})
        lists.setdefault((option,), np.zeros(1))[0] += weight / whole
    return _graph(0, lists, lost, lost_all), (tuple(range(table.ruleset.dice.count)),)


def _graph(start: int, lists: dict[tuple[Option, ...], Floats], lost: Floats, lost_all: Floats) -> Graph:
    ordered = sorted(lists, key=len, reverse=True)
    longest = len(ordered[0]) if ordered else 0
    ranks = [sum(len(options) > rank for options in ordered) for rank in range(longest)]
    options = [options[rank] for rank, many in enumerate(ranks) for options in ordered[:many]]
    counts, gain, node, must, wins = np.array(options, dtype=np.intp).reshape(-1, 5).T
    chances = np.array([lists[options] for options in ordered]).reshape(-1, len(lost)).T.copy()
    return Graph(start, chances, lost, lost_all, ranks, counts, gain, node, must, wins)


def graph_of_throws(throws: Throws) -> Graph:
    """The graph of solved games, its steps those of `throws`."""
    must: Ints = np.full(len(throws.at), MAY, dtype=np.intp)
    must[throws.at >= throws.nodes] = ROLL
    must[throws.at == throws.bank_row] = BANK
    node = np.array([*range(throws.nodes), *throws.rolled, 0, 0], dtype=np.intp)[throws.at]
    wins = np.where(throws.at == throws.win_row, ALWAYS, 0)
    lost, lost_all = throws.lost, throws.lost_all
    return Graph(
        throws.start, throws.chances, lost, lost_all, throws.ranks, throws.scores, throws.scores, node, must, wins
    )


Decide = Callable[[int, Ints, Floats], tuple[Ints, Flags]]


def flow(graph: Graph, lanes: int, decide: Decide) -> Floats | None:
    """The chances (lane, result) of turns: the first `SPECIAL` results are `WON` to `LOST`, then come the steps banked.

    `decide` is given a level, the lanes that may stand there, and the chances (list, lane) to do so and throw a list;
    it says (list, lane) which choice is taken and whether the dice are thrown again then. Every gain must be positive.
    None for a turn that never ends.
    """
    nodes = len(graph.lost)
    span = int(graph.gain.max(initial=0)) + 1
    waiting = np.zeros((span * nodes, lanes))  # by level and node, the levels round about
    waiting[graph.start] = 1.0
    special = np.zeros((SPECIAL, lanes))
    banked = np.zeros((4 * span, lanes))
    moves, move_of = np.unique(graph.gain * nodes + graph.node, return_inverse=True)
    gains, stop_of = np.unique(graph.gain, return_inverse=True)
    slots = len(moves) + len(gains) + 1
    slot_of = np.array([stop_of + len(moves), move_of])  # stopping, throwing on
    first_slot_of = np.where(graph.wins > 0, slots - 1, slot_of).ravel()
    slot_of = np.where(graph.wins == ALWAYS, slots - 1, slot_of).ravel()
    for level in range(MOST_LEVELS):
        here = waiting[level % span * nodes :][:nodes]
        act: Ints = np.flatnonzero(here.max(axis=0) > NEGLIGIBLE)
        if 2 * len(act) > lanes:
            act = np.arange(lanes)  # whole rows are faster
        if not len(act):
            here[:] = 0.0
            if waiting.max() > NEGLIGIBLE:
                continue
            chances: Floats = np.vstack([special, banked]).T
            chances /= chances.sum(axis=1, keepdims=True)
            return chances
        here = here[:, act]
        waiting[level % span * nodes :][:nodes] = 0.0
        special[SPECIAL + (LOST if level else LOST_FIRST), act] += graph.lost @ here
        special[SPECIAL + LOST_ALL, act] += graph.lost_all @ here
        weight = graph.chances.T @ here
        choice, roll = decide(level, act, weight)
        slot = (slot_of if level else first_slot_of).take(choice + roll * len(graph.gain))
        slot *= len(act)
        slot += np.arange(len(act))
        mass = np.bincount(slot.ravel(), weight.ravel(), slots * len(act)).astype(np.float64, copy=False)
        mass = mass.reshape(slots, len(act))
        if level + span > len(banked):
            banked = np.vstack([banked, np.zeros_like(banked)])
        _spread(waiting, (moves + level * nodes) % len(waiting), act, mass[: len(moves)])
        _spread(banked, level + gains, act, mass[len(moves) : -1])
        special[SPECIAL + WON, act] += mass[-1]
    return None


def _spread(there: Floats, rows: Ints, lanes: Ints, mass: Floats) -> None:
    """Add what isn't nothing of `mass` (row, lane)."""
    some = np.flatnonzero(mass.max(axis=1))
    if len(lanes) == there.shape[1]:
        there[rows[some]] += mass[some]
    else:
        there[rows[some, None], lanes] += mass[some]


class Draws:
    """Turns drawn at random, each of a lane with chances of its own.

    A lane has 2^bits equally likely slots that each hold a result, as many for a result as its chance allows; the rest
    of all chances shares the other slots, and is drawn by another random number. Chances below `least` are left out.
    """

    def __init__(self, bits: int, least: float = NEGLIGIBLE) -> None:
        self.bits = bits
        self.least = least
        self.lanes = 0
        self.slots = np.empty(0, dtype=np.int16)
        self._rest = np.empty(0)  # lane + cumulated chance, rising
        self._result = np.empty(0, dtype=np.int16)

    def add(self, chances: Floats) -> None:
        """Add lanes with the chances (lane, result) that `flow` gives."""
        lanes = len(chances)
        size = 1 << self.bits
        results = np.arange(-SPECIAL, chances.shape[1] - SPECIAL + 1, dtype=np.int16)
        results[-1] = _DOUBTFUL
        chances = np.where(chances > self.least, chances, 0.0)
        whole = np.floor(chances * size)
        counts = np.column_stack([whole, size - whole.sum(axis=1)]).astype(np.intp)
        slots = np.repeat(np.tile(results, lanes), counts.ravel())
        rest = chances * size - whole
        rest[counts[:, -1] == 0] = 0.0
        upto = np.cumsum(rest, axis=1)
        upto /= np.where(upto[:, -1:] > 0, upto[:, -1:], 1.0)
        lane, result = np.nonzero(rest)
        last = np.append(lane[1:] != lane[:-1], True) if len(lane) else np.empty(0, dtype=bool)
        self._rest = np.append(self._rest, self.lanes + lane + np.where(last, 1.0, upto[lane, result]))
        self._result = np.append(self._result, results[result])
        self.slots = np.append(self.slots, slots)
        self.lanes += lanes

    def draw(self, chance: np.random.Generator, lanes: Ints | int, games: int) -> NDArray[np.int16]:
        """The results of so many turns, of one lane or each of its own."""
        words = chance.bit_generator.random_raw(-(-games // 4)).astype("<u8", copy=False)
        slot = words.view("<u2")[:games] >> (16 - self.bits)
        if isinstance(lanes, int):
            found = self.slots[lanes << self.bits : (lanes + 1) << self.bits].take(slot, mode="wrap")
        else:
            found = self.slots.take(np.add(lanes << self.bits, slot, dtype=np.intp), mode="wrap")
        doubtful = np.flatnonzero(found == _DOUBTFUL)
        if len(doubtful):
            lane = lanes if isinstance(lanes, int) else lanes[doubtful]
            wanted = lane + chance.random(len(doubtful))
            # rounding up may reach the next lane
            at = np.searchsorted(self._rest, np.minimum(wanted, np.nextafter(lane + 1.0, 0.0)), side="right")
            found[doubtful] = self._result[at]
        return found
