"""Many sheet games at once: the same choices, totals and means as one game at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from conftest import sheet_table
from test_sheets import BONUS, EXTRA, PAIR, REST, SMALL, TWO, UPPER, small

from dicecli.analysis.sheetplay import CHUNK, Choices, Seats, SheetPlay, Style, engine, expert, greedy, pricing
from dicecli.analysis.sheets import SheetModel, Solved, advise, solve
from dicecli.analysis.simulate import Player, stream
from dicecli.game import game
from dicecli.game.moves import Action, Keep, Roll, Seat, SheetBoard, SheetTurn, State, Throw, Write
from dicecli.players import computer, easy, seats
from dicecli.rules.table import SheetTable
from dicecli.store.rulesets import load

REFUSED = {"announced", "announced joker"}
AGAIN = "pair: {section: again, of_a_kind: 2, score: 7, repeat: true}\n"
OWN = {
    "again": TWO + UPPER + "  " + AGAIN + BONUS,
    "again an extra": TWO + UPPER + "  " + AGAIN + EXTRA % "this" + BONUS,
    "wins": TWO + UPPER + PAIR.replace("7}", "7, wins: true}") + REST + BONUS,
    "wins at the first throw": TWO + UPPER + PAIR.replace("7}", "7, wins: first_roll}") + REST + BONUS,
    "wins and points": TWO
    + UPPER
    + PAIR.replace("7}", "7, wins: true}")
    + REST
    + "points:\n  total: {steps: [{at_least: 0, score: -4}, {at_least: 10, score: 1}]}\nend: {win: points}\n",
    "points": TWO
    + UPPER.replace("face: 3}", "face: 3, times: 2}")
    + PAIR
    + REST
    + BONUS
    + "points:\n  threes: {cell: threes, steps: [{at_least: 3, score: 2}, {at_least: 6, score: 5}]}\n"
    + "  pair: {cell: pair, each: 3}\n  scored: {of: scored, steps: [{at_least: 4, score: 2}]}\n"
    + "  total: {steps: [{at_least: 0, score: -4}, {at_least: 10, score: 1}]}\nend: {win: points}\n",
}
INVENTED = SMALL | OWN
PLAYED = sorted(INVENTED.keys() - REFUSED)
GUESSED = [name for name in PLAYED if not name.startswith("each") and name != "columns"]


def alone(name: str) -> SheetTable:
    """A game by itself, for one player."""
    if name in INVENTED:
        return small(INVENTED[name])
    table = load(name, "players.min=1")
    assert isinstance(table, SheetTable)
    return table


def style_of(table: SheetTable, kind: str) -> Style:
    if kind == "expert":
        return expert(solve(SheetModel(table)))
    model, prices = SheetModel(table, merge=False), seats.prices(table)
    assert prices
    return greedy(model) if kind == "easy" else pricing(model, prices)


class Replay:
    """A game of an engine's log, played again by the rules; `check` is shown every state with what was done."""

    def __init__(self, seats_: Seats, log: list[Choices], number: int, check: Callable[[State, Action], None]) -> None:
        self.model, self.seats = seats_.model, seats_
        self.table, self.holds = self.model.table, self.model.holds
        self.state, _events = game.start(self.table, [Seat("A")], "replay")
        for choices in log:
            for at in np.flatnonzero(choices.games == number).tolist():
                self._throw(self.holds.sets[choices.dice[at]])
                if choices.lines is None:
                    keep = Keep(self._places(self.holds.sets[choices.held[at]]))
                    check(self.state, keep)
                    self._do(keep, Roll())
                else:
                    write = self._written(int(choices.lines[at]))
                    check(self.state, write)
                    self._do(write)

    def _do(self, *actions: Action) -> None:
        for action in actions:
            self.state = game.apply(self.table, self.state, action)[0]

    def _elements(self, dice: tuple[int, ...]) -> list[int]:
        kinds = [self.holds.kinds.index(weights) for weights in self.table.faces.weights]
        return [kind * self.holds.face_count + face for kind, face in zip(kinds, dice, strict=True)]

    def _throw(self, dice: tuple[int, ...]) -> None:
        """Let the dice fall that make this whole throw of those that were held."""
        turn = self.state.turn
        assert isinstance(turn, SheetTurn)
        rest = list(dice)
        if turn.kept:
            elements = self._elements(turn.dice)
            for at in turn.kept:
                rest.remove(elements[at])
        fallen = []
        for at in game.hand(self.table, self.state):
            kind = self.holds.kinds.index(self.table.faces.weights[at])
            element = next(each for each in rest if (each - 1) // self.holds.face_count == kind)
            rest.remove(element)
            fallen.append((element - 1) % self.holds.face_count + 1)
        self._do(Throw(tuple(fallen), self.state.position))

    def _places(self, held: tuple[int, ...]) -> tuple[int, ...]:
        assert isinstance(self.state.turn, SheetTurn)
        elements = self._elements(self.state.turn.dice)
        rest, places = list(held), [*self.state.turn.locked]
        for at in places:
            rest.remove(elements[at])
        for element in rest:
            places.append(next(at for at, each in enumerate(elements) if each == element and at not in places))
        return tuple(sorted(places))

    def _written(self, line: int) -> Write:
        """The write of a line, which must have the points that the rules give."""
        row = self.seats.lookups.row[line]
        points = self.model.rows[row].points[line - self.model.lines[row]]
        turn, board = self.state.turn, self.state.boards[0]
        assert isinstance(turn, SheetTurn) and isinstance(board, SheetBoard)
        legal = [o for o in self.table.options(board.sheet, tuple(sorted(turn.dice)), turn.throws) if o.legal]
        option = next(option for option in legal if option.cell in self.model.rows[row].names)
        assert option.score == points
        return Write(option.cell)


def faces(state: State, action: Action) -> object:
    """An action as far as it matters: which faces are held, or what is written."""
    assert isinstance(state.turn, SheetTurn)
    if isinstance(action, Write):
        return action
    positions = action.positions if isinstance(action, Keep) else state.turn.kept
    return sorted(state.turn.dice[at] for at in positions)


CHOOSERS = {"normal": computer.choose, "easy": easy.choose}
BIG = [
    "penta",
    "yahtzee-free-joker",
    "kismet",
    "crag",
    "poker",
    "escalero",
    "tali",
    "threes",
    "midnight",
    "balut",
    "maxi-yatzy",
    "generala",
]


def replayed(table: SheetTable, style: Style, games: int, check: Callable[[State, Action], None]) -> None:
    """Play 60 games in small batches, and the first of them again, whose totals must be those of the rules."""
    playing = Seats(style)
    playing.lanes, playing.games = 16, 8
    log: list[Choices] = []
    totals = playing.play(stream(table.name, 0), 60, log).totals
    for number in range(games):
        replay = Replay(playing, log, number, check)
        assert replay.state.turn is None
        assert game.totals(table, replay.state) == (totals[number],)


@pytest.mark.parametrize("kind", CHOOSERS)
@pytest.mark.parametrize("name", [*BIG, *GUESSED])
def test_games_are_those_that_the_player_would_play(name: str, kind: str) -> None:
    table = alone(name)

    def check(state: State, action: Action) -> None:
        assert faces(state, CHOOSERS[kind](table, state)) == faces(state, action)

    replayed(table, style_of(table, kind), 3 if name in BIG else 20, check)


@pytest.mark.parametrize(
    "name",
    ["yahtzee", "tali", "crag", "poker", "threes", "midnight", *(name for name in PLAYED if "points" not in name)],
)
def test_experts_choose_what_is_worth_most(name: str) -> None:
    table = alone(name)
    solved = solve(SheetModel(table))

    def check(state: State, action: Action) -> None:
        mine = faces(state, action)
        advice = advise(solved.model, solved.judge, state)
        alike = ((each, worth) for each, worth in advice if type(each) is type(action))
        worth = next(worth for each, worth in alike if faces(state, each) == mine)
        assert worth == pytest.approx(advice[0][1], abs=1e-8)

    replayed(table, expert(solved), 6 if name in PLAYED or name == "crag" else 1, check)


@pytest.mark.parametrize(
    ("name", "games"),
    [("yahtzee", 1 << 17), ("forced-yatzy", 1 << 15), ("poker", 1 << 17), ("crag", 1 << 17), ("kismet", 1 << 15)],
)
def test_experts_score_what_their_games_are_worth(name: str, games: int) -> None:
    solved = solve(SheetModel(alone(name)), workers=2)
    totals = Seats(expert(solved)).play(stream("mean", 0), games).totals
    assert abs(totals.mean() - solved.best) < 4 * totals.std() / games**0.5


@pytest.mark.parametrize("kind", CHOOSERS)
@pytest.mark.parametrize("name", ["crag", "joker scored forced", "lowest", "loaded", "zero", "points", "saved", "wins"])
def test_games_spread_as_those_played_one_at_a_time(name: str, kind: str) -> None:
    table = alone(name)
    totals = Seats(style_of(table, kind)).play(stream("spread", 0), 1 << 14).totals
    chooser = partial(CHOOSERS[kind], table)
    games = 100 if name == "crag" else 400
    each = [seats.play_one(table, [Seat("A")], [chooser], str(at)).seats[0].points for at in range(games)]
    for mine, theirs in ((totals, np.array(each)), (totals < np.median(each), np.array(each) < np.median(each))):
        spread = (mine.var() / len(mine) + mine.var() / games) ** 0.5
        assert abs(mine.mean() - theirs.mean()) <= 5 * spread + 1e-9


@pytest.mark.parametrize("name", ["yahtzee", "loaded", "each its own"])
def test_dice_fall_as_they_are_loaded(name: str) -> None:
    """Pearson's chi-square of the whole throws that follow each of some held sets, within five of its deviations."""
    playing = Seats(expert(Solved(SheetModel(alone(name)), np.zeros((1, 1)))))
    holds = playing.model.holds
    games, chance = 100_000, stream("dice", 0)
    for held in (0, 1, len(holds.sets) // 2, len(holds.sets) - 1):
        chances = np.zeros(len(holds.sets))
        chances[held] = 1
        for at, more in enumerate(holds.more):
            for there, weight in zip(more, holds.chances[holds.next_kind[at]], strict=True):
                chances[there] += chances[at] * weight
        chances[: holds.first_whole] = 0
        fallen = np.bincount(playing.fall(chance, np.full(games, held)), minlength=len(holds.sets))
        assert not fallen[chances == 0].any()
        some = chances > 0
        square = ((fallen[some] - games * chances[some]) ** 2 / (games * chances[some])).sum()
        freedom = some.sum() - 1
        assert abs(square - freedom) <= 5 * (2 * freedom) ** 0.5


def contest(name: str, *kinds: str) -> SheetPlay:
    found = engine(alone(name), tuple(map(Player, kinds)), None, seats.prices)
    assert found
    return found


def test_the_same_random_numbers_give_the_same_games() -> None:
    one = contest("crag", "normal", "expert").play(stream("a", 3), 5_000)
    assert one == contest("crag", "normal", "expert").play(stream("a", 3), 5_000)
    assert one != contest("crag", "normal", "expert").play(stream("a", 4), 5_000)


def test_seats_are_compared_game_by_game() -> None:
    """Two who play alike share as many wins as independent totals of their kind are equal."""
    tally = contest("crag", "normal", "normal").play(stream("b", 0), 40_000)
    first, second = tally.seats
    equal = sum(first.totals[total] * second.totals.get(total, 0) for total in first.totals) / 40_000
    assert first.wins[2] == second.wins[2] == pytest.approx(equal, abs=5 * equal**0.5)
    assert first.wins[1] + second.wins[1] + first.wins[2] == 40_000
    assert first.wins[1] == pytest.approx((40_000 - equal) / 2, abs=5 * 100)
    assert first.turns == 13 * 40_000
    assert first.lost == 0


def test_the_lowest_total_wins_where_the_rules_say_so() -> None:
    found = engine(small(SMALL["lowest"]), (Player("easy"), Player("expert")), None, seats.prices)
    assert found
    easy_, expert_ = found.play(stream("c", 0), 10_000).seats
    assert expert_.mean < easy_.mean
    assert expert_.win_rate > easy_.win_rate


@pytest.mark.parametrize("name", ["wins", "wins at the first throw", "wins and points"])
def test_a_throw_that_wins_at_once_ends_the_game_of_all(name: str) -> None:
    """As in games that are played one at a time: who wins, the totals and the turns."""
    table = small(INVENTED[name])
    found = engine(table, (Player("normal"), Player("easy")), None, seats.prices)
    assert found
    games = 2000
    many, few = found.play(stream("at once", 0), 50_000), None
    for number in range(games):
        choosers: list[seats.Chooser] = [partial(CHOOSERS[kind], table) for kind in ("normal", "easy")]
        one = seats.play_one(table, [Seat("A"), Seat("B")], choosers, str(number))
        few = one if few is None else few.merge(one)
    assert few
    for mine, theirs in zip(many.seats, few.seats, strict=True):
        assert theirs.turns < 4 * games  # some games end early
        assert mine.turns / 50_000 == pytest.approx(theirs.turns / games, abs=0.12)
        assert mine.mean == pytest.approx(theirs.mean, abs=5 * (theirs.spread or 0) / games**0.5)
        assert mine.win_rate == pytest.approx(theirs.win_rate, abs=5 * 0.5 / games**0.5)


@pytest.mark.parametrize("name", [*sorted(REFUSED), "jamb"])
def test_games_with_other_rules_are_left_to_be_played_one_at_a_time(name: str) -> None:
    table = small(INVENTED[name]) if name in INVENTED else sheet_table(name)
    for kind in ("easy", "normal", "expert"):
        assert engine(table, (Player(kind),), None, seats.prices) is None


def test_players_that_play_otherwise_are_left_to_it() -> None:
    assert engine(alone("each its own"), (Player("normal"),), None, seats.prices) is None
    assert engine(alone("each its own"), (Player("expert"),), None) is not None
    assert engine(alone("triple-yahtzee"), (Player("expert"),), None, seats.prices) is None
    assert engine(alone("triple-yahtzee"), (Player("normal"),), None, seats.prices) is not None
    assert engine(alone("columns"), (Player("normal"),), None, seats.prices) is None
    assert engine(alone("balut"), (Player("normal"), Player("expert")), None, seats.prices) is None
    assert engine(alone("crag"), (Player("normal"),), None) is None
    assert engine(load("farkle"), (Player("normal"),), None, seats.prices) is None


def test_contests_are_played_by_the_engine() -> None:
    table = alone("crag")
    assert seats.chunk_size(seats.contest(table, (Player("normal"), Player("expert")))) == CHUNK
