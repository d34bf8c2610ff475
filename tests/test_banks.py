"""Best play of bank and accumulate games: known values, and small games walked through by a referee."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest
from conftest import SHIPPED, table
from msgspec.structs import replace
from referee import Referee, chance_of_winning, points_of_turn, turns_to_come
from solved_games import solved_table

from dicecli.analysis import banks
from dicecli.game import game
from dicecli.game.moves import AccumulateTurn, BankBoard, BankTurn, Seat, State
from dicecli.rules.ruleset import load
from dicecli.rules.table import AccumulateTable, BankTable, SheetTable, compile_table

BANK = """
name: Small
family: bank
source: invented for the tests
dice: {dice}
players: {{min: 1, max: 3}}
combinations:
  one: {{dice: [1], score: 1}}
  two: {{of_a_kind: 2, score: 3}}
{more}
targets: {{options: [{target}], default: {target}}}
turn: {turn}
bust: {bust}
end: {end}
computer: {{bank_at: 3}}
"""
PIG = """
name: Small pig
family: accumulate
source: invented for the tests
dice: {dice}
players: {{min: 1, max: 3}}
outcomes:
{more}
targets: {{options: [{target}], default: {target}}}
turn: {turn}
end: {end}
computer: {{bank_at: 3}}
"""
DICE = "{count: 2, faces: 4}"
BANKS: dict[str, dict[str, str]] = {
    "plain": {},
    "keep all": {"turn": "{keep: all}"},
    "bank at least": {"turn": "{bank_at_least: 3}"},
    "opening, continue": {"turn": "{opening: {at_least: 3}}"},
    "opening, lost": {"turn": "{bank_at_least: 2, opening: {at_least: 4, below: lost}}"},
    "hot dice, must roll": {"turn": "{hot_dice: must_roll}"},
    "hot dice, stop": {"turn": "{hot_dice: stop, bank_at_least: 2}"},
    "hot dice, bonus": {"turn": "{hot_dice: {then: may_roll, bonus: 2}}"},
    "hot dice, multiplier": {"turn": "{hot_dice: {then: may_roll, bonus: 1, multiplier: 1}}", "target": "5"},
    "must roll after": {"turn": "{must_roll_after: [two]}"},
    "wins": {"more": "  best: {dice: [4, 4], score: 4, wins: true}"},
    "wins at the first throw": {"more": "  best: {dice: [3, 4], score: 1, wins: first_roll}"},
    "nothing": {"more": "  nothing: {nothing: true, score: 2}", "end": "{last_round: none}"},
    "no points": {"more": "  three: {dice: [3], score: 0}"},
    "no points, bank at least": {
        "more": "  three: {dice: [3], score: 0}",
        "turn": "{bank_at_least: 2}",
        "end": "{last_round: none}",
    },
    "loaded dice": {"dice": "{count: 2, faces: 3, weights: [1, 2, 2]}"},
    "dice that differ": {"dice": "{count: 2, faces: 4, each: [[1, 2, 1, 1], [3, 1, 0, 2]]}"},
    "steps of two": {
        "more": "  three: {dice: [3], score: 4}\n  one: {dice: [1], score: 2}\n  two: {of_a_kind: 2, score: 6}",
        "target": "13",
    },
    "none": {"end": "{last_round: none}"},
    "equal turns": {"end": "{last_round: equal_turns}", "turn": "{opening: {at_least: 3}}"},
    "one throw": {"end": "{last_round: others_one_throw}", "turn": "{bank_at_least: 2}"},
    "exact": {"end": "{exact: bust}"},
    "exact, equal turns": {"end": "{exact: bust, last_round: equal_turns}", "turn": "{hot_dice: must_roll}"},
    "one throw and wins": {
        "more": "  best: {dice: [4, 4], score: 4, wins: true}",
        "end": "{last_round: others_one_throw}",
        "turn": "{bank_at_least: 2, opening: {at_least: 3, below: lost}}",
    },
    "exact and wins": {"more": "  best: {dice: [4, 4], score: 9, wins: true}", "end": "{exact: bust}"},
    "exact, wins, bank at least": {
        "more": "  best: {dice: [4, 4], score: 4, wins: first_roll}",
        "turn": "{bank_at_least: 2}",
        "end": "{exact: bust}",
    },
}
PIGS: dict[str, dict[str, str]] = {
    "pig": {"end": "{last_round: none}"},
    "last round": {},
    "opening": {"turn": "{bank_at_least: 3, opening: {at_least: 5, below: lost}}"},
    "lose all": {"more": "  four: {dice: [4], lose: all}\n  one: {dice: [1], lose: turn}\n"
                 "  rest: {any: true, score: sum}"},
    "no points": {"more": "  one: {dice: [1], lose: turn}\n  two: {dice: [2], score: 3}"},
    "wins": {"more": "  one: {dice: [1], lose: turn}\n  four: {dice: [4], score: 1, wins: first_roll}\n"
             "  rest: {any: true, score: sum}"},
    "exact": {"end": "{exact: bust}", "more": "  two: {dice: [2], lose: turn}\n  rest: {any: true, score: sum}"},
    "one throw": {"end": "{last_round: others_one_throw}"},
    "exact, either may be stuck": {"end": "{exact: bust, last_round: none}", "target": "7",
             "more": "  one: {dice: [1], lose: turn}\n  two: {dice: [2], score: 3}\n  rest: {any: true, score: sum}"},
    "exact, equal turns": {"end": "{exact: bust, last_round: equal_turns}",
             "more": "  one: {dice: [1], lose: turn}\n  rest: {any: true, score: sum}"},
    "exact and wins": {"end": "{exact: bust, last_round: none}",
             "more": "  four: {dice: [4], score: 3, wins: true}\n  one: {dice: [1], lose: all}\n"
             "  rest: {any: true, score: sum}"},
    "exact, both may be stuck": {"end": "{exact: bust}", "target": "9",
             "more": "  one: {dice: [1], lose: turn}\n  two: {dice: [2], score: 2}\n  three: {dice: [3], score: 5}\n"
             "  four: {dice: [4], score: 5}"},
    "exact and lose all": {"end": "{exact: bust, last_round: none}", "target": "9",
             "more": "  four: {dice: [4], lose: all}\n  one: {dice: [1], lose: turn}\n  rest: {any: true, score: sum}"},
    "lose all, far": {"target": "20", "more": "  four: {dice: [4], lose: all}\n  one: {dice: [1], lose: turn}\n"
             "  rest: {any: true, score: sum}", "end": "{last_round: none}"},
}  # fmt: skip
SMALL = [*(("bank", name) for name in BANKS), *(("accumulate", name) for name in PIGS)]


@cache
def small(family: str, name: str) -> BankTable | AccumulateTable:
    if family == "bank":
        given = {"dice": DICE, "more": "", "target": "5", "turn": "{}", "bust": "{}", "end": "{}"} | BANKS[name]
        if name == "steps of two":
            text = BANK.replace("  one: {{dice: [1], score: 1}}\n  two: {{of_a_kind: 2, score: 3}}\n", "")
        else:
            text = BANK
    else:
        more = "  one: {dice: [1], lose: turn}\n  rest: {any: true, score: sum}"
        given = {"dice": "{count: 1, faces: 4}", "more": more, "target": "6", "turn": "{}", "end": "{}"} | PIGS[name]
        text = PIG
    found = compile_table(name, load(text.format(**given), f"{name}.yaml"))
    assert isinstance(found, (BankTable, AccumulateTable))
    return found


def start_of(table: BankTable | AccumulateTable, players: int, target: int | None = None) -> State:
    return game.start(table, [Seat(f"{seat}") for seat in range(players)], "seed", target)[0]


def cap_of(family: str, name: str) -> int:
    """Beyond the target and the opponent nobody gains by so many more points."""
    special = {"steps of two": 26, "no points": 14, "hot dice, must roll": 24, "must roll after": 24}
    return special.get(name, 6 + 8 * (family != "bank"))


def check_advice(
    table: BankTable | AccumulateTable, solved: banks.Solved, referee: Referee, more: float, close: float = 1e-9
) -> None:
    """Every legal action of many states has the referee's worth."""
    throwing = random.Random(f"{table.name}")
    target = table.ruleset.targets.default
    for state in throwing.sample(referee.states, min(40, len(referee.states))):
        assert isinstance(state.turn, (BankTurn, AccumulateTurn))
        for throw, _chance in throwing.sample(list(referee.throws(state)), 1):
            after = game.apply(table, state, throw)[0]
            if after.turn is None or game.awaits_chance(after) or referee.enough(after):
                continue
            assert isinstance(after.turn, (BankTurn, AccumulateTurn))
            if after.turn.points > target + 3:
                continue  # the referee's cap is near
            advice = banks.advise(table, solved, after)
            assert sorted(map(str, (action for action, _worth in advice))) == sorted(map(str, game.legal(table, after)))
            assert [worth for _action, worth in advice] == sorted((worth for _, worth in advice), reverse=True)
            for action, worth in advice:
                if worth > -1e6:
                    assert worth == pytest.approx(referee.worth(after, action) + more, abs=close), (after, action)


@pytest.mark.parametrize(("family", "name"), SMALL)
def test_two_players_who_play_best(family: str, name: str) -> None:
    table = small(family, name)
    target = table.ruleset.targets.default
    solved = banks.two_players(table, target)
    referee = chance_of_winning(table, start_of(table, 2), cap=cap_of(family, name))
    assert solved.chances[0, 0, 0] == pytest.approx(referee.values[0], abs=1e-9)
    check_advice(table, solved, referee, 0.0)


@pytest.mark.parametrize(("family", "name"), SMALL)
def test_who_reaches_the_target_first(family: str, name: str) -> None:
    """As in the same game without a last round."""
    table = small(family, name)
    target = table.ruleset.targets.default
    solved = banks.two_players(table, target, first_to_target=True)
    if table.ruleset.end.last_round == "none":
        assert np.array_equal(solved.chances, banks.two_players(table, target).chances)
    first = solved.chances[0, 0, 0]
    assert first > 0.5
    assert solved.chances.shape[0] == 1


@pytest.mark.parametrize(("family", "name"), SMALL)
def test_fewest_turns(family: str, name: str) -> None:
    table = small(family, name)
    target = table.ruleset.targets.default
    solved = banks.fewest_turns(table, target)
    referee = turns_to_come(table, start_of(table, 1), cap=4)
    assert solved.turns[0] == pytest.approx(-referee.values[0], abs=1e-8)
    assert solved.turns[-1] == 0
    check_advice(table, solved, referee, -1.0, 1e-8)


@pytest.mark.parametrize(
    ("family", "name"), [each for each in SMALL if each[1] != "lose all" and not small(*each).wins]
)
def test_mean_points_of_a_turn(family: str, name: str) -> None:
    """In games without throws that win or lose everything: those have no points."""
    table = small(family, name)
    solved = banks.turn_values(table, opened=False)
    referee = points_of_turn(table, start_of(table, 1, 500), cap=0)
    assert solved.mean == pytest.approx(referee.values[0], abs=1e-7)
    check_advice(table, solved, referee, 0.0, 1e-7)


def test_a_lost_first_throw_costs_its_penalty() -> None:
    text = BANK.format(
        dice=DICE, more="", target="7", turn="{}", bust="{first_throw: {score: -3, floor: null}}", end="{}"
    )
    table = compile_table("first", load(text, "first.yaml"))
    assert isinstance(table, BankTable)
    referee = points_of_turn(table, start_of(table, 1, 500), cap=0)
    assert banks.turn_values(table).mean == pytest.approx(referee.values[0], abs=1e-7)
    assert banks.left_out(table, "turn") == []
    assert banks.left_out(table, "chance") == banks.left_out(table, "fewest") == ["first_throw"]


# What others have computed: the best mean of a turn and the fewest turns to 10,000 points.
KNOWN = {
    "singles-and-triples": (446.5714403, 23.00398999),
    "set-values": (542.0632440, 19.32208223),
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_values_of_six_dice_games(name: str) -> None:
    mean, turns = KNOWN[name]
    table = solved_table(name)
    assert banks.turn_values(table).mean == pytest.approx(mean, abs=6e-8)
    assert banks.fewest_turns(table, 10_000).turns[0] == pytest.approx(turns, abs=1e-8)


def test_the_known_mean_of_zilch() -> None:
    assert banks.turn_values(solved_table("zilch")).mean == pytest.approx(623.0174890, abs=6e-8)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "chance"), [("singles-and-triples", 0.53695303), ("set-values", 0.53038809)])
def test_known_chances_of_the_first_player(name: str, chance: float) -> None:
    solved = banks.two_players(solved_table(name), 10_000, first_to_target=True)
    assert solved.chances[0, 0, 0] == pytest.approx(chance, abs=6e-9)


def test_pig() -> None:
    """Neller and Presser: the first player wins 53.06 %; holding at 20 is best for points."""
    pig = table("pig")
    assert isinstance(pig, AccumulateTable)
    turn = banks.turn_values(pig)
    assert turn.mean == pytest.approx(8.1418, abs=5e-5)
    assert turn.far.points == pytest.approx(20)
    assert banks.two_players(pig, 100).chances[0, 0, 0] == pytest.approx(0.5306, abs=5e-5)


@pytest.mark.parametrize("name", [name for name in SHIPPED if not isinstance(table(name), SheetTable)])
def test_every_shipped_game_has_turn_values(name: str) -> None:
    found = table(name)
    assert isinstance(found, (BankTable, AccumulateTable))
    opened, new = banks.turn_values(found), banks.turn_values(found, opened=False)
    assert 0 < new.mean <= opened.mean < np.inf
    throws = banks.throws_of(found)
    assert np.allclose(throws.chances.sum(axis=1) + throws.lost + throws.lost_all, 1)
    for level in (0, 7, opened.values.shape[1] - 1):
        beyond = opened.values.shape[1] * throws.step
        assert (opened.values[:, min(level, opened.values.shape[1] - 1)] >= 0).all()
        assert opened.rolling(throws.start, beyond) >= opened.rolling(throws.start, beyond - throws.step)


def test_games_in_which_all_is_often_lost_are_solved_too() -> None:
    """Each chance is that of a turn against the others, also where it takes a hundred turns to win."""
    pig = table("pig")
    assert isinstance(pig, AccumulateTable)
    one = replace(pig.ruleset.outcomes["one"], lose="all")
    harsh = compile_table("harsh", replace(pig.ruleset, outcomes=pig.ruleset.outcomes | {"one": one}))
    assert isinstance(harsh, AccumulateTable)
    solved = banks.two_players(harsh, 60)
    assert (solved.chances >= 0).all() and (solved.chances <= 1).all()
    throws = banks.throws_of(harsh)
    for mine, other in ((0, 0), (0, 40), (40, 0), (55, 20), (30, 30)):
        state = start_of(harsh, 2, 60)
        state = replace(state, boards=(BankBoard(mine, mine > 0), BankBoard(other, other > 0)))
        turn = solved.turn_in(state)
        assert turn.rolling(throws.start, 0) == pytest.approx(solved.chances[0, mine, other], abs=1e-9)
    two_dice = table("two-dice-pig")
    assert isinstance(two_dice, AccumulateTable)
    assert banks.two_players(two_dice, 100).chances[0, 0, 0] == pytest.approx(0.51955889, abs=5e-9)


def test_needing_more_is_never_better() -> None:
    farkle = table("farkle")
    assert isinstance(farkle, BankTable)
    solved = banks.two_players(farkle, 1000)
    assert (np.diff(solved.chances, axis=1) > 0).all()
    assert (np.diff(solved.chances, axis=2) < 0).all()
    assert (np.diff(solved.last[1]) <= 0).all()
    turns = banks.fewest_turns(farkle, 1000).turns
    assert (np.diff(turns) < 0).all()


def test_what_is_packed_comes_back() -> None:
    table = small("bank", "equal turns")
    target = table.ruleset.targets.default
    solved = banks.two_players(table, target)
    packed = banks.pack(solved)
    again = banks.unpack(table, target, memoryview(packed))
    assert np.array_equal(again.chances, solved.chances)
    state = start_of(table, 2)
    state = game.apply(table, state, game.deal(table, state))[0]
    while game.awaits_chance(state):
        state = game.apply(table, state, game.deal(table, state))[0]
    assert banks.advise(table, again, state) == banks.advise(table, solved, state)
    with pytest.raises(ValueError, match="size"):
        banks.unpack(table, target, packed[8:])


def test_progress_is_told() -> None:
    table = small("bank", "plain")
    told: list[tuple[int, int]] = []
    banks.two_players(table, 5, progress=lambda done, whole: told.append((done, whole)))
    assert told == [(done, 9) for done in range(1, 10)]


def test_the_mean_of_a_game_without_risk_has_no_end() -> None:
    text = PIG.format(
        dice="{count: 1, faces: 4}", more="  all: {any: true, score: sum}", target="9", turn="{}", end="{}"
    )
    table = compile_table("safe", load(text, "safe.yaml"))
    assert isinstance(table, AccumulateTable)
    assert banks.turn_values(table).mean == np.inf
    assert banks.fewest_turns(table, 9).turns[0] == pytest.approx(1.0)


def test_advice_in_a_game_of_three() -> None:
    farkle = table("farkle")
    assert isinstance(farkle, BankTable)
    solved = banks.two_players(farkle, 500)
    state = start_of(farkle, 3, 500)
    for _action in range(60):
        if state.turn is None:
            break
        if game.awaits_chance(state):
            state = game.apply(farkle, state, game.deal(farkle, state))[0]
            continue
        advice = banks.advise(farkle, solved, state)
        assert {action for action, _worth in advice} == set(game.legal(farkle, state))
        assert all(0 <= worth <= 1 for _action, worth in advice)
        state = game.apply(farkle, state, advice[0][0])[0]
    assert state.turn is None


def test_what_is_left_out_is_said() -> None:
    named = {name: table(name) for name in ("bank-all", "bank-some", "accumulate-all", "farkle", "thousand")}
    said = {
        name: [banks.left_out(each, what) for what in ("turn", "fewest", "chance")]
        for name, each in named.items()
        if isinstance(each, (BankTable, AccumulateTable))
    }
    assert said["farkle"] == [[], [], []]
    assert said["thousand"] == [["in_a_row"]] * 3
    assert said["bank-all"][0] == ["carry", "in_a_row", "wins"]
    assert said["bank-all"][1] == ["carry", "in_a_row", "first_throw", "rounds", "exact_given_away"]
    assert said["bank-some"][2] == ["carry", "in_a_row", "exact_back"]
    assert said["accumulate-all"] == [["lose_all"], ["opened", "rounds"], ["opened", "rounds"]]


def test_how_much_there_is_to_do() -> None:
    farkle, loaded, pig = table("farkle"), table("kingdom-come-loaded"), table("pig")
    assert isinstance(farkle, BankTable) and isinstance(loaded, BankTable) and isinstance(pig, AccumulateTable)
    assert banks.throws_to_see(farkle) == 462 * 64
    assert banks.throws_to_see(loaded) == 6**6 * 64
    assert banks.throws_to_see(pig) == 6
    assert banks.effort(pig, 100) < banks.effort(farkle, 1000) < banks.effort(farkle, 2000)


def test_a_score_below_zero_comes_to_an_end() -> None:
    more = "  minus: {dice: [4], score: -1}"
    text = BANK.format(dice=DICE, more=more, target="7", turn="{}", bust="{}", end="{}")
    table = compile_table("minus", load(text, "minus.yaml"))
    assert isinstance(table, BankTable)
    assert 0 < banks.turn_values(table).mean < 20
    assert 1 < banks.fewest_turns(table, 7).turns[0] < 20
    assert 0.5 < banks.two_players(table, 7).chances[0, 0, 0] < 0.7
    assert banks.left_out(table, "chance") == ["below_zero"]
