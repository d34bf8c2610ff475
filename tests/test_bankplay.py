"""Games played side by side: turns exactly as rules and players make them, games like those played singly."""

from __future__ import annotations

import functools
from collections import defaultdict
from heapq import heappop, heappush
from itertools import product
from math import prod, sqrt

import numpy as np
import pytest
from conftest import SHIPPED, table
from msgspec.structs import replace

from dicecli.analysis import bankplay
from dicecli.analysis.bankplay import DuelPlan, Games, SoloPlan
from dicecli.analysis.banks import TwoPlayers, fewest_turns, throws_of, two_players
from dicecli.analysis.bankturns import LOST, LOST_ALL, LOST_FIRST, SPECIAL, WON, Draws
from dicecli.analysis.simulate import Player, Tally, parse, stream
from dicecli.game import accumulate, bank, game
from dicecli.game.moves import AccumulateTurn, Bank, BankBoard, BankTurn, LostAll, LostTurn, Seat, State, Throw
from dicecli.players.seats import Chooser, chooser, play_one
from dicecli.rules.faces import rolls_of
from dicecli.rules.ruleset import load
from dicecli.rules.table import AccumulateTable, BankTable, SheetTable, compile_table

Game = BankTable | AccumulateTable

OWN = {
    # Everything but carried dice and a multiplier: dice that differ, exact targets, both penalties, all that wins.
    "differ": """
name: Differ
family: bank
source: invented for the tests
dice: {count: 3, faces: 4, each: [[1, 1, 1, 1], [5, 1, 0, 1], [0, 0, 3, 1]], values: {2: 20}}
players: {min: 1, max: 3}
combinations:
  one: {dice: [1], score: 10}
  three: {dice: [3], score: 15}
  any_pair: {any_of: [{of_a_kind: 2}, {dice: [4]}], score: 5 * face, except: {2: 100}}
  fours: {dice: [4, 4, 4], score: 40, wins: first_roll}
targets: {options: [150], default: 150}
turn: {hot_dice: {then: stop, bonus: 15}, bank_at_least: 15, opening: {at_least: 20, below: lost}}
bust: {in_a_row: {times: 2, score: -30, floor: 0}, first_throw: {score: -5}}
end: {last_round: others_one_throw, exact: back, rounds: 40}
computer: {bank_at: 30, dice_left: {1: -10}, behind: {for_each: 20, add: 5, most: 12}}
""",
    "exact": """
name: Exact
family: bank
source: invented for the tests
dice: {count: 4, faces: 6}
players: {min: 1, max: 4}
combinations:
  one: {dice: [1], score: 10}
  five: {dice: [5], score: 5}
  pair: {of_a_kind: 2, score: 4 * face}
  four: {of_a_kind: 4, score: 60, wins: true}
targets: {options: [103], default: 103}
turn: {hot_dice: must_roll, must_roll_after: [four]}
bust: {in_a_row: {times: 3, score: -7, floor: null}}
end: {last_round: others_once, exact: bust, rounds: 60}
computer: {bank_at: 15, behind: {for_each: 10, add: 2, most: 9}}
""",
}


@functools.cache
def game_of(name: str) -> Game:
    found = compile_table(name, load(OWN[name], f"{name}.yaml")) if name in OWN else table(name)
    assert not isinstance(found, SheetTable)
    return found


IGNORED = {"kingdom-come-loaded": 3e-4, "el-ocho": 1e-3, "dix-mille": 1e-4, "thousand": 1e-4, "ten-thousand": 1e-4}
GAMES = [name for name in SHIPPED if not isinstance(table(name), SheetTable)]
THREE = ("farkle", "greed", "pig-seven", "differ")  # the games that three play here
PLAYED = [*GAMES, "accumulate-all", *OWN]


def made(name: str, *players: str, target: int | None = None) -> Games:
    found = bankplay.engine(game_of(name), tuple(parse(player, game_of(name)) for player in players), target)
    assert found is not None
    return found


@functools.lru_cache(maxsize=4)
def made_with(name: str, kind: str) -> Games:
    """A game between two players of a kind."""
    return made(name, kind, kind)


def state_of(table: Game, seat: int, totals: tuple[int, ...], opened: bool, last: int | None, target: int) -> State:
    """A game before the turn of a seat."""
    boards = tuple(BankBoard(total, opened) for total in totals)
    seats = (Seat("", computer=True),) * len(totals)
    state = State(seats, "", boards, None, player=seat, last_round=last, target=target)
    new_turn = bank.new_turn(table, state) if isinstance(table, BankTable) else accumulate.new_turn(table, state)
    return replace(state, turn=new_turn)


def falls(table: Game, state: State) -> list[tuple[tuple[int, ...], float]]:
    """The throws that may fall, with their chances."""
    weights = [table.faces.weights[die] for die in game.hand(table, state)]
    if len(set(weights)) == 1:
        rolls, whole = rolls_of(weights)
        return [(dice, weight / whole) for dice, weight in rolls.items()]
    whole = prod(map(sum, weights))
    throws = product(range(1, table.faces.count + 1), repeat=len(weights))
    chances = ((dice, prod(die[face - 1] for die, face in zip(weights, dice, strict=True)) / whole) for dice in throws)
    return [(dice, chance) for dice, chance in chances if chance]


def by_hand(table: Game, choose: Chooser, state: State, ignored: float) -> tuple[dict[int, float], float]:
    """The chances of a turn's results in points, by `game.apply` and every throw; and those left out as too small."""
    results: dict[int, float] = defaultdict(float)
    left_out = 0.0
    waiting: dict[tuple[int, tuple[int, ...]], tuple[State, float]] = {(0, ()): (state, 1.0)}
    heap: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    while heap:
        state, there = waiting.pop(key := heappop(heap))
        if there < ignored:
            left_out += there
            continue
        for dice, chance in falls(table, state):
            after, events = game.apply(table, state, Throw(dice, state.position))
            chance *= there
            lost = next((event for event in events if isinstance(event, (LostTurn, LostAll))), None)
            while not lost and after.turn and not game.awaits_chance(after):
                action = choose(after)
                if isinstance(action, Bank):
                    break
                after, events = game.apply(table, after, action)
            if lost:
                first = LOST_FIRST if key == (0, ()) else LOST
                results[LOST_ALL if isinstance(lost, LostAll) else first] += chance
            elif after.turn is None:
                results[WON] += chance
            elif not game.awaits_chance(after):
                board = after.boards[after.player]
                assert isinstance(board, BankBoard)
                opening = table.ruleset.turn.opening
                need = max(table.ruleset.turn.bank_at_least, opening.at_least if opening and not board.opened else 0)
                assert isinstance(after.turn, (BankTurn, AccumulateTurn))
                results[after.turn.points if after.turn.points >= need else 0] += chance
            else:
                assert isinstance(after.turn, (BankTurn, AccumulateTurn))
                hand = after.turn.hand if isinstance(after.turn, BankTurn) else ()
                place = (after.turn.points, hand if len(set(table.faces.weights)) > 1 else (0,) * len(hand))
                if place not in waiting:
                    heappush(heap, place)
                waiting[place] = after, waiting[place][1] + chance if place in waiting else chance
    return results, left_out


@pytest.mark.parametrize("name", PLAYED)
def test_turns_are_exactly_those_of_the_single_game(name: str) -> None:
    table = game_of(name)
    target = table.ruleset.targets.default
    kinds = ["normal", "easy", f"bank_at:{table.ruleset.computer.bank_at * 3 // 2}"]
    unlike = len(set(table.faces.weights)) > 1 and table.faces.dice_count > 4
    if unlike:
        kinds[2] = "bank_at:150"
    step = made_with(name, kinds[2]).step
    far, near = 0, target - (table.ruleset.computer.bank_at // step + 1) * step // 2
    cases = [
        ((far, near), True, False),
        ((near, far), True, False),
        ((far, far), False, False),
        ((near, target), True, True),
    ]
    for number, (kind, (totals, opened, last)) in enumerate(product(kinds, cases)):
        if number not in ((9,) if unlike else (1, 6, 11) if name in IGNORED else (0, 1, 2, 3, 6, 8, 11)):
            continue
        if last and table.ruleset.end.last_round == "none":
            continue
        plan = made_with(name, kind).plans[0]
        has_opening = table.ruleset.turn.opening is not None
        steps = np.array(totals, dtype=np.int32)[:, None] // step
        flags = np.full((2, 1), opened) if has_opening else None
        keys = plan.last_keys(0, steps, flags) if last else plan.keys(0, steps, flags)
        found = plan.chances(np.atleast_1d(keys))[0]
        state = state_of(table, 0, tuple((steps[:, 0] * step).tolist()), opened, 1 if last else None, target)
        expected, left_out = by_hand(table, chooser(table, parse(kind, table)), state, IGNORED.get(name, 1e-5))
        assert left_out < 0.05
        wanted = np.zeros(len(found))
        for result, chance in expected.items():
            at = result if result < 0 else result // step
            if SPECIAL + at < len(wanted):
                wanted[SPECIAL + at] += chance
        assert np.abs(found - wanted).sum() <= 2 * left_out + 1e-11, (kind, totals, opened, last)


def played(name: str, players: tuple[str, ...], games: int, target: int) -> Tally:
    table = game_of(name)
    choosers = [chooser(table, parse(player, table)) for player in players]
    seats = [Seat(player, computer=True) for player in players]
    tallies = [play_one(table, seats, choosers, f"{name}/{at}", target) for at in range(games)]
    return functools.reduce(Tally.merge, tallies)


@pytest.mark.parametrize("name", PLAYED)
def test_games_are_like_those_played_singly(name: str) -> None:
    ruleset = game_of(name).ruleset
    other = "easy" if PLAYED.index(name) % 2 else f"bank_at:{ruleset.computer.bank_at * 3 // 2}"
    players = ("normal", other, "easy") if name in THREE else ("normal", other)
    target = ruleset.targets.default
    target = target // 150 * 50 if target >= 1000 else target  # short games are soon played
    singly = played(name, players, 300, target)
    side_by_side = made(name, *players, target=target).play(stream("like", 0), 20_000)
    for one, many in zip(singly.seats, side_by_side.seats, strict=True):
        assert one.spread is not None and many.spread is not None
        error = sqrt(one.spread**2 / one.games + many.spread**2 / many.games)
        assert abs(one.mean - many.mean) <= 4.5 * error + 1e-9
        error = sqrt(many.win_rate * (1 - many.win_rate) / one.games)
        assert abs(one.win_rate - many.win_rate) <= 4.5 * error
        share = many.lost / many.turns
        assert abs(one.lost / one.turns - share) <= 5 * sqrt(share * (1 - share) / one.turns)
        assert one.turns / one.games == pytest.approx(many.turns / many.games, rel=0.1)
        assert set(one.totals) <= set(range(min(many.totals), max(one.totals) + 1))


def test_a_lone_player_is_never_behind_but_may_bank_earlier_for_it() -> None:
    """`most` bounds what is added from above also where nobody is ahead."""
    pig = table("pig")
    assert isinstance(pig, AccumulateTable)
    behind = replace(pig.ruleset.computer.behind, most=-15)  # type: ignore[type-var]
    says = replace(pig.ruleset.computer, behind=behind)
    early = compile_table("early", replace(pig.ruleset, computer=says, players=replace(pig.ruleset.players, min=1)))
    many = bankplay.engine(early, (Player("normal"),), 100)
    assert many
    tally = many.play(stream("alone", 0), 20_000).seats[0]
    one = [play_one(early, [Seat("A")], [chooser(early, Player("normal"))], str(seed)) for seed in range(300)]
    turns = np.array([each.seats[0].turns for each in one])
    assert abs(tally.turns / 20_000 - turns.mean()) < 5 * turns.std() / sqrt(300)
    assert turns.mean() > 15  # at 20 it would be less than 13


def test_totals_are_possible() -> None:
    tally = made("farkle", "bank_at:300").play(stream("possible", 1), 20_000)
    seat = tally.seats[0]
    assert all(total >= 10_000 and total % 50 == 0 for total in seat.totals)
    assert seat.wins == {1: 20_000}
    duel = made("exact", "normal", "bank_at:20").play(stream("possible", 2), 5_000)
    assert all(total <= 103 for seat in duel.seats for total in seat.totals)
    assert duel.games == 5_000
    assert sum(seat.won for seat in duel.seats) == 5_000


def test_the_same_seed_gives_the_same_games_whatever_was_played_before() -> None:
    players = "normal", "easy", "bank_at:400"
    engine = made("zilch", *players)
    first = engine.play(stream("same", 3), 2_000)
    other = engine.play(stream("same", 4), 2_000)
    assert made("zilch", *players).play(stream("same", 4), 2_000) == other != first
    assert engine.play(stream("same", 3), 2_000) == first


def test_draws_have_their_chances() -> None:
    chances = np.zeros((3, SPECIAL + 4))
    chances[0, [0, 3, 5]] = 0.5, 0.3, 0.2
    chances[1, SPECIAL + 3] = 1.0
    chances[2] = 1 / (SPECIAL + 4) + np.array([1e-9, -1e-9, 0, 0, 0, 0, 0, 0])
    draws = Draws(4)
    draws.add(chances[:1])
    draws.add(chances[1:])
    for lane in range(3):
        for lanes in (lane, np.full(100_000, lane)):
            found = draws.draw(stream("draws", lane), lanes, 100_000)
            counts = np.bincount(found + SPECIAL, minlength=SPECIAL + 4)
            error = np.sqrt(chances[lane] * (1 - chances[lane]) * 100_000)
            assert (np.abs(counts - chances[lane] * 100_000) <= 4.5 * error + 1e-9).all()


@pytest.mark.parametrize("name", ["bank-all", "bank-some"])
def test_what_can_not_be_played_exactly_is_left_to_others(name: str) -> None:
    table = game_of(name)
    assert bankplay.engine(table, (Player("normal"), Player("normal")), None) is None


def test_sheets_are_left_to_others() -> None:
    assert bankplay.engine(table("yahtzee"), (Player("normal"),), None) is None


@functools.cache
def solved_duel(name: str, target: int) -> TwoPlayers:
    return two_players(game_of(name), target)


DUELS = [("farkle", 1500), ("pig", 40), ("two-dice-pig", 30), ("farkle-playpalace", 100), ("ten-thousand", 1000)]
DUELS += [("dix-mille", 1000), ("greed", 1200), ("accumulate-all", 40), ("zilch", 1500)]


@pytest.mark.parametrize(("name", "target"), DUELS)
def test_an_experts_turns_are_worth_what_the_solved_game_says(name: str, target: int) -> None:
    table, solved = game_of(name), solved_duel(name, target)
    throws, size = throws_of(table), solved.size
    plan = DuelPlan(table, solved, throws.step)
    role, mine, other = (each.ravel() for each in np.indices(solved.chances.shape))
    opened = mine > 0
    keys = np.arange(plan.pairs) + ~opened * plan.pairs * (table.ruleset.turn.opening is not None)
    found = plan.chances(keys)
    following = solved.following(role)
    stay, nothing = (1 - solved.chances[following, other, total] for total in (mine, 0))
    bank = solved.banked(role, mine, other, found.shape[1] - SPECIAL, stay)
    bank[0] = stay
    value = (found[:, SPECIAL:] * bank.T).sum(axis=1) + found[:, SPECIAL + WON] + found[:, SPECIAL + LOST_ALL] * nothing
    value += (found[:, SPECIAL + LOST] + found[:, SPECIAL + LOST_FIRST]) * stay
    assert np.abs(value - solved.chances.ravel()).max() < 1e-9
    assert size > 10


@pytest.mark.parametrize(("name", "target"), [each for each in DUELS if each[0] != "zilch"])
def test_two_experts_win_as_often_as_the_solved_game_says(name: str, target: int) -> None:
    games = 1 << 14
    engine = bankplay.engine(
        game_of(name), (Player("expert"),) * 2, target, lambda _table, _target: solved_duel(name, target)
    )
    assert engine is not None
    tally = engine.play(stream("experts", 0), games)
    exact = float(solved_duel(name, target).chances[0, 0, 0])
    assert abs(tally.seats[0].win_rate - exact) <= 4 * sqrt(exact * (1 - exact) / games)


def test_an_expert_beats_the_others() -> None:
    engine = bankplay.engine(
        game_of("farkle"),
        (Player("normal"), Player("expert"), Player("easy")),
        1500,
        lambda *_: solved_duel("farkle", 1500),
    )
    assert engine is not None
    normal, expert, easy = engine.play(stream("three", 0), 5_000).seats
    assert expert.win_rate > max(normal.win_rate, easy.win_rate)


@pytest.mark.parametrize(("name", "target"), [("farkle", 2000), ("ten-thousand", 2000), ("farkle-commercial", 1500)])
def test_a_lone_expert_needs_the_fewest_turns(name: str, target: int) -> None:
    table, games = game_of(name), 20_000
    solved = fewest_turns(table, target)
    plan = SoloPlan(table, solved, throws_of(table).step)
    keys = np.arange(1, plan.size)
    found = plan.chances(keys)
    turns = np.append(solved.turns, np.zeros(found.shape[1]))
    after = turns[keys[:, None] + np.arange(found.shape[1] - SPECIAL)]
    lost = found[:, SPECIAL + LOST] + found[:, SPECIAL + LOST_FIRST]
    assert np.abs(1 + (found[:, SPECIAL:] * after).sum(axis=1) + lost * turns[keys] - turns[keys]).max() < 1e-8
    engine = bankplay.engine(table, (Player("expert"),), target)
    assert engine is not None
    tally = engine.play(stream("alone", 0), games).seats[0]
    assert tally.turns / games == pytest.approx(solved.turns[0], abs=4 * sqrt(solved.turns[0] / games))
