"""What rulesets can say beyond the first games, each test named after the clause that it holds."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Game

from dicecli.errors import BadRuleset
from dicecli.game import game
from dicecli.game.moves import (
    Action,
    Announce,
    Announced,
    Bank,
    BankBoard,
    Banked,
    BankTurn,
    BonusEarned,
    Fell,
    GameEnded,
    HotDice,
    Keep,
    Kept,
    LastRound,
    LostAll,
    LostTurn,
    Outcome,
    Overshot,
    Penalty,
    Roll,
    SheetBoard,
    SheetTurn,
    TakeOver,
    Throw,
    Thrown,
    TookOver,
    TurnStarted,
    WonAtOnce,
    Write,
    Wrote,
)
from dicecli.rules.patterns import Dice
from dicecli.rules.ruleset import MAX_EXTENDS, load
from dicecli.rules.table import AccumulateTable, BankTable, SheetTable, Table, compile_table
from dicecli.store.rulesets import find


def made(text: str) -> Table:
    return compile_table("made", load(text, "made.yaml"))


ONE_FIVE_THREE = "{one: {dice: [1], score: 100}, five: {dice: [5], score: 50}, three: {of_a_kind: 3, score: 300}}"


def bank(
    combinations: str = ONE_FIVE_THREE,
    rest: str = "",
    *,
    dice: str = "count: 4, faces: 6",
    target: int = 1000,
) -> BankTable:
    """A bank game of four dice."""
    table = made(
        f"name: Bank\nfamily: bank\nsource: a test\ndice: {{{dice}}}\ncombinations: {combinations}\n"
        f"targets: {{options: [{target}], default: {target}}}\ncomputer: {{bank_at: 100}}\n{rest}\n"
    )
    assert isinstance(table, BankTable)
    return table


def sheet(cells: str, rest: str = "", *, dice: str = "count: 5, faces: 6", rolls: int = 3) -> SheetTable:
    """A sheet game; `cells` are without their section."""
    named = "\n".join(f"  {line.strip().replace('{', '{section: all, ', 1)}" for line in cells.strip().splitlines())
    table = made(
        f"name: Sheet\nfamily: sheet\nsource: a test\ndice: {{{dice}}}\nrolls: {rolls}\ncells:\n{named}\n{rest}\n"
    )
    assert isinstance(table, SheetTable)
    return table


def accumulate(outcomes: str, rest: str = "", *, dice: str = "count: 2, faces: 6", target: int = 50) -> AccumulateTable:
    table = made(
        f"name: Pig\nfamily: accumulate\nsource: a test\ndice: {{{dice}}}\noutcomes: {outcomes}\n"
        f"targets: {{options: [{target}], default: {target}}}\ncomputer: {{bank_at: 20}}\n{rest}\n"
    )
    assert isinstance(table, AccumulateTable)
    return table


def keeps(table: BankTable, *dice: int) -> dict[Dice, int]:
    """What may be kept of these dice, and for how much."""
    return {kept: keep.score for kept, keep in table.keeps(tuple(sorted(dice))).items()}


def cell(look: str, *dice: int, score: str = "1", of: str = "", roll: int = 1) -> int:
    """What a cell with this look scores for the dice."""
    shape = of or f"count: {len(dice)}, faces: 6"
    table = sheet(f"it: {{{look}, score: {score}}}", dice=shape)
    return table.scores(tuple(sorted(dice)), roll)[0]


def writes(playing: Game) -> list[str]:
    """The cells that may be written now."""
    return [action.cell for action in playing.legal() if isinstance(action, Write)]


def scores(table: SheetTable, *dice: int, roll: int = 1) -> dict[str, int]:
    return dict(zip(table.rules, table.scores(tuple(sorted(dice)), roll), strict=True))


def bank_turn(playing: Game) -> BankTurn:
    assert isinstance(playing.state.turn, BankTurn)
    return playing.state.turn


def sheet_turn(playing: Game) -> SheetTurn:
    assert isinstance(playing.state.turn, SheetTurn)
    return playing.state.turn


# --- the dice

LETTERS = 'count: 3, faces: ["$", G, R, 10]'


def test_faces_may_be_a_list_of_words_and_numbers() -> None:
    table = bank('{dollar: {dice: ["$"], score: 100}, ten: {dice: [10], score: 50}}', dice=LETTERS)
    assert table.faces.shown == ("$", "G", "R", 10)
    assert keeps(table, 1, 2, 4) == {(1,): 100, (4,): 50, (1, 4): 150}
    assert Game(table).throw(1, 2, 4).events == (Thrown(0, (1, 2, 4), 1),)
    assert Game(table).refusal(Throw((1, 2, 5), 3)) == "face_not_on_die"


def test_a_number_face_counts_its_number_and_a_word_counts_0() -> None:
    assert cell("any: true", 1, 2, 4, score="sum", of=LETTERS) == 10
    assert cell("of_a_kind: 2", 4, 4, 1, score="5 * face", of=LETTERS) == 50
    assert cell("of_a_kind: 2", 3, 3, 1, score="5 * face", of=LETTERS) == 0


def test_except_names_a_face_as_it_is_shown() -> None:
    table = bank('{pair: {of_a_kind: 2, score: 10, except: {"$": 70, 10: 90}}}', dice=LETTERS)
    assert keeps(table, 1, 1, 2) == {(1, 1): 70}
    assert keeps(table, 2, 2, 3) == {(2, 2): 10}
    assert keeps(table, 4, 4, 3) == {(4, 4): 90}


def test_a_straight_follows_the_order_of_the_list() -> None:
    assert cell("straight: 3", 2, 3, 4, of=LETTERS) == 1
    assert cell("straight: 3", 1, 2, 4, of=LETTERS) == 0
    assert cell("straight: 2, from: G", 1, 2, 3, of=LETTERS) == 1
    assert cell("straight: 2, from: G", 1, 2, 4, of=LETTERS) == 0


def test_a_face_without_weight_never_falls() -> None:
    table = bank("{one: {dice: [1], score: 1}}", dice="count: 3, faces: 3, weights: [5, 0, 1]")
    playing = Game(table)
    assert playing.refusal(Throw((1, 2, 3), 3)) == "face_not_on_die"
    fallen = [game.deal(table, game.start(table, playing.state.seats, str(seed))[0]).dice for seed in range(200)]
    ones = sum(dice.count(1) for dice in fallen)
    assert {face for dice in fallen for face in dice} == {1, 3}
    assert 450 < ones < 550  # 500 of 600 on average


def test_each_die_may_have_weights_of_its_own() -> None:
    table = bank(
        "{one: {dice: [1], score: 1}, two: {dice: [2], score: 2}}",
        dice="count: 3, faces: 2, each: [[1, 0], [0, 1], [1, 1]]",
    )
    for seed in range(40):
        dealt = game.deal(table, game.start(table, Game(table).state.seats, str(seed))[0])
        assert dealt.dice in ((1, 2, 1), (1, 2, 2))
    assert Game(table).refusal(Throw((2, 2, 1), 3)) == "face_not_on_die"


def test_dice_that_differ_keep_their_places_when_others_are_set_aside() -> None:
    table = bank(
        "{one: {dice: [1], score: 1}, two: {dice: [2], score: 2}}",
        dice="count: 3, faces: 2, each: [[1, 0], [0, 1], [1, 1]]",
    )
    playing = Game(table).throw(1, 2, 1).do(Keep((0,)), Roll())
    assert game.hand(table, playing.state) == (1, 2)
    assert playing.refusal(Throw((1, 1), 9)) == "face_not_on_die"
    playing.throw(2, 1).do(Keep((0,)), Roll())
    assert game.hand(table, playing.state) == (2,)
    playing.throw(2).do(Keep((0,)), Roll())
    assert game.hand(table, playing.state) == (0, 1, 2)
    assert playing.refusal(Throw((2, 2, 2), 99)) == "face_not_on_die"


def test_values_are_what_faces_count_in_sums() -> None:
    of = "count: 3, faces: 6, values: {3: 0, 6: 60}"
    assert cell("any: true", 3, 3, 6, score="sum", of=of) == 60
    assert cell("of_a_kind: 2", 6, 6, 1, score="matched", of=of) == 120
    assert cell("face: 3", 3, 3, 6, score="matched", of=of) == 0
    assert cell("sum: 61", 3, 1, 6, of=of) == 1


def test_values_give_words_points() -> None:
    assert cell("any: true", 1, 2, 2, score="sum", of="count: 3, faces: [A, B], values: {A: 5, B: -1}") == 3


CLASSES = "count: 5, faces: 6, classes: {black: [1, 6], red: [2, 5], green: [3, 4]}"


def test_class_same_asks_for_dice_of_one_class() -> None:
    assert cell("class: same", 1, 6, 6, 1, 1, of=CLASSES) == 1
    assert cell("class: same", 1, 6, 6, 1, 2, of=CLASSES) == 0


def test_class_same_asks_it_of_the_groups_alone() -> None:
    look = "groups: [2, 2], class: same"
    assert cell(look, 1, 1, 6, 6, 3, of=CLASSES) == 1
    assert cell(look, 1, 1, 2, 2, 6, of=CLASSES) == 0
    assert cell("groups: [3, 2], class: same", 4, 4, 3, 3, 3, of=CLASSES) == 1


def test_a_face_of_no_class_is_like_no_other() -> None:
    assert cell("class: same", 3, 3, 3, of="count: 3, faces: 6, classes: {low: [1, 2]}") == 0


WILD = "count: 4, faces: [1, 2, 3, 4, 5, sun], wild: [sun]"


def test_a_wild_die_stands_for_a_face_that_another_die_shows() -> None:
    assert cell("of_a_kind: 3", 2, 2, 6, 4, score="face", of=WILD) == 2
    assert cell("of_a_kind: 4", 3, 3, 6, 6, score="face", of=WILD) == 3
    assert cell("groups: [2, 2]", 2, 2, 3, 6, of=WILD) == 1
    assert cell("of_a_kind: 3", 2, 3, 6, 4, of=WILD) == 0


def test_a_wild_die_stands_for_no_face_that_is_not_there() -> None:
    assert cell("straight: 4", 1, 2, 4, 6, of=WILD) == 0
    assert cell("dice: [5]", 1, 2, 4, 6, of=WILD) == 0


def test_the_best_reading_of_a_wild_die_counts() -> None:
    assert cell("of_a_kind: 2", 2, 5, 6, 4, score="10 * face", of=WILD) == 50
    assert cell("of_a_kind: 3", 2, 2, 4, 6, score="sum", of=WILD) == 2 + 2 + 2 + 4


def test_a_wild_die_is_set_aside_with_those_that_it_joins() -> None:
    table = bank("{three: {of_a_kind: 3, score: 100 * face}}", dice=WILD)
    assert keeps(table, 2, 2, 6, 4) == {(2, 2, 6): 200}
    assert keeps(table, 2, 2, 2, 6) == {(2, 2, 2): 200, (2, 2, 6): 200}
    playing = Game(table).throw(2, 6, 4, 2).do(Keep((0, 1, 3)))
    assert playing.events == (Kept(0, (2, 6, 2), 200, 200),)


def test_a_wild_die_beside_a_one_scores_as_a_one() -> None:
    table = bank("{one: {dice: [1], score: 100}}", dice=WILD)
    assert keeps(table, 1, 6, 2, 3) == {(1,): 100, (1, 6): 200}


# --- looks


def test_groups_that_are_not_distinct_may_share_a_face() -> None:
    look = "groups: [3, 2], distinct: false"
    assert cell(look, 4, 4, 4, 4, 4) == 1
    assert cell(look, 4, 4, 4, 1, 1) == 1
    assert cell(look, 4, 4, 4, 4, 1) == 0
    assert cell("groups: [2, 2], distinct: false", 4, 4, 4, 4) == 1
    assert cell("groups: [2, 2], distinct: false", 4, 4, 4, 1) == 0
    assert cell("groups: [2, 2, 2], distinct: false", 4, 4, 4, 4, 1, 1) == 1
    assert cell("groups: [2, 2]", 4, 4, 4, 4) == 0


def test_a_straight_that_wraps_joins_the_ends() -> None:
    assert cell("straight: 3, wrap: true", 5, 6, 1) == 1
    assert cell("straight: 4, wrap: true", 6, 1, 2, 5) == 1
    assert cell("straight: 3, wrap: true", 4, 6, 1) == 0
    assert cell("straight: 3", 5, 6, 1) == 0
    assert cell("straight: 3, wrap: true, from: 6", 6, 1, 2) == 1
    assert cell("straight: 3, wrap: true, from: 6", 5, 6, 1) == 0


def test_a_straight_from_a_face_starts_there() -> None:
    assert cell("straight: 5, from: 1", 1, 2, 3, 4, 5) == 1
    assert cell("straight: 5, from: 1", 2, 3, 4, 5, 6) == 0
    assert cell("straight: 5, from: 2", 2, 3, 4, 5, 6) == 1


@pytest.mark.parametrize(
    ("look", "dice", "holds"),
    [
        ("sum: 13", (6, 6, 1), 1),
        ("sum: 13", (6, 6, 2), 0),
        ("sum: {min: 10}", (4, 5, 1), 1),
        ("sum: {min: 10}", (4, 4, 1), 0),
        ("sum: {max: 9}", (4, 4, 1), 1),
        ("sum: {max: 9}", (4, 5, 1), 0),
        ("sum: {min: 5, max: 7}", (1, 1, 3), 1),
        ("sum: {min: 5, max: 7}", (2, 2, 3), 1),
        ("sum: {min: 5, max: 7}", (2, 3, 3), 0),
        ("all: [{of_a_kind: 2}, {sum: 7}]", (2, 2, 3), 1),
        ("all: [{of_a_kind: 2}, {sum: 7}]", (1, 2, 4), 0),
        ("all: [{of_a_kind: 2}, {sum: 7}]", (2, 2, 4), 0),
        ("any_of: [{of_a_kind: 3}, {sum: 7}]", (1, 2, 4), 1),
        ("any_of: [{of_a_kind: 3}, {sum: 7}]", (2, 2, 2), 1),
        ("any_of: [{of_a_kind: 3}, {sum: 7}]", (2, 2, 4), 0),
        ("not: {of_a_kind: 2}", (1, 2, 4), 1),
        ("not: {of_a_kind: 2}", (2, 2, 4), 0),
        ("not: {any_of: [{dice: [1]}, {dice: [3]}]}", (2, 4, 6), 1),
        ("not: {any_of: [{dice: [1]}, {dice: [3]}]}", (2, 3, 6), 0),
        ("all: [{not: {dice: [1]}}, {any_of: [{dice: [2]}, {dice: [3]}]}]", (3, 4, 4), 1),
    ],
)
def test_sums_and_combinations_of_looks(look: str, dice: Dice, holds: int) -> None:
    assert cell(look, *dice) == holds


def test_what_is_matched_of_all_looks_are_the_dice_of_the_first() -> None:
    assert cell("all: [{of_a_kind: 2}, {dice: [6]}]", 3, 3, 6, score="matched") == 6
    assert cell("all: [{of_a_kind: 2}, {dice: [6]}]", 3, 3, 6, score="10 * face") == 30


def test_the_best_of_any_of_the_looks_counts() -> None:
    assert cell("any_of: [{of_a_kind: 2}, {dice: [6]}]", 2, 2, 6, score="10 * face") == 60


def test_nothing_scores_when_no_other_combination_is_in_the_whole_throw() -> None:
    table = bank("{one: {dice: [1], score: 100}, zip: {nothing: true, score: 500}}", dice="count: 3, faces: 6")
    assert keeps(table, 2, 3, 4) == {(2, 3, 4): 500}
    assert keeps(table, 1, 3, 4) == {(1,): 100}
    playing = Game(table).throw(1, 3, 4).keep(1).do(Roll()).throw(3, 4)
    assert playing.events[1] == LostTurn(0, 100)  # two dice are no whole throw


# --- scores


def test_by_roll_gives_the_score_of_the_throw() -> None:
    table = sheet("run: {straight: 5, by_roll: [66, 56, 46]}\nrest: {any: true, score: sum}")
    run = (1, 2, 3, 4, 5)
    assert [scores(table, *run, roll=roll)["run"] for roll in (1, 2, 3)] == [66, 56, 46]
    assert scores(table, *run, roll=7)["run"] == 46  # the last one from then on
    assert scores(table, 1, 1, 1, 1, 1)["run"] == 0
    playing = Game(table).throw(1, 2, 3, 4, 6).do(Keep((0, 1, 2, 3)), Roll()).throw(5).do(Write("run"))
    assert playing.events[0] == Wrote(0, "run", 56, 0, 56)


def test_by_roll_takes_formulas() -> None:
    assert [cell_by_roll(roll) for roll in (1, 2)] == [30, 15]


def cell_by_roll(roll: int) -> int:
    return scores(sheet("it: {any: true, by_roll: [2 * sum, sum]}"), 1, 2, 3, 4, 5, roll=roll)["it"]


def test_first_roll_adds_to_what_scores_at_the_first_throw() -> None:
    table = sheet("run: {straight: 5, score: 20, first_roll: 5}\nrest: {any: true, score: sum}")
    assert scores(table, 1, 2, 3, 4, 5, roll=1)["run"] == 25
    assert scores(table, 1, 2, 3, 4, 5, roll=2)["run"] == 20
    assert scores(table, 1, 1, 3, 4, 5, roll=1)["run"] == 0


def test_a_face_that_no_die_shows_scores_0_at_the_first_throw_too() -> None:
    table = sheet("ones: {face: 1, first_roll: 5}\nrest: {any: true, score: sum}")
    assert scores(table, 1, 1, 3, 4, 5)["ones"] == 7
    assert scores(table, 2, 2, 3, 4, 5)["ones"] == 0


def test_first_roll_may_be_written_with_a_plus() -> None:
    assert scores(sheet("run: {straight: 5, score: 20, first_roll: +5}"), 1, 2, 3, 4, 5) == {"run": 25}


def test_roll_in_a_formula_is_the_number_of_the_throw() -> None:
    table = sheet("it: {any: true, score: sum * (4 - roll)}")
    assert [scores(table, 1, 1, 1, 1, 1, roll=roll)["it"] for roll in (1, 2, 3)] == [15, 10, 5]


FIVES = "five: {of_a_kind: 5, score: 50, wins: %s}\nrest: {any: true, score: sum}"


def test_wins_ends_the_game() -> None:
    table = sheet(FIVES % "true")
    playing = Game(table, 2).throw(1, 1, 1, 1, 1).do(Write("five"))
    assert playing.events == (
        Wrote(0, "five", 50, 0, 50),
        WonAtOnce(0),
        GameEnded(Outcome("won_at_once", (50, 0), (0,))),
    )
    assert playing.state.turn is None


def test_who_wins_at_once_wins_with_fewer_points_too() -> None:
    playing = Game(sheet(FIVES % "true"), 2).throw(6, 6, 6, 6, 6).do(Write("rest"))
    playing.with_boards(SheetBoard((None, 1000)))
    playing.throw(1, 1, 1, 1, 1).do(Write("five"))
    assert playing.events[-1] == GameEnded(Outcome("won_at_once", (1000, 50), (1,)))


def test_a_cell_that_wins_does_not_when_it_is_written_with_0() -> None:
    playing = Game(sheet(FIVES % "true"), 2).throw(1, 1, 1, 1, 2).do(Write("five"))
    assert playing.events == (Wrote(0, "five", 0, 0, 0), TurnStarted(1))


def test_wins_first_roll_wins_at_the_first_throw_alone() -> None:
    playing = Game(sheet(FIVES % "first_roll"), 2).throw(1, 1, 1, 1, 1).do(Write("five"))
    assert playing.events[1] == WonAtOnce(0)
    playing = Game(sheet(FIVES % "first_roll"), 2).throw(1, 1, 1, 1, 2).do(Roll()).throw(1, 1, 1, 1, 1)
    assert playing.do(Write("five")).events == (Wrote(0, "five", 50, 0, 50), TurnStarted(1))


def test_a_kept_combination_may_win_a_bank_game() -> None:
    table = bank("{one: {dice: [1], score: 100}, four: {of_a_kind: 4, score: 5, wins: true}}")
    playing = Game(table, 2).with_totals(0, 900).throw(2, 2, 2, 2).keep(2, 2, 2, 2)
    assert playing.events[1:] == (WonAtOnce(0), GameEnded(Outcome("won_at_once", (0, 900), (0,))))


def test_wins_first_roll_wins_a_bank_game_at_the_first_throw_alone() -> None:
    table = bank("{one: {dice: [1], score: 100}, two: {of_a_kind: 2, score: 5, wins: first_roll}}")
    assert WonAtOnce(0) in Game(table, 2).throw(2, 2, 3, 4).keep(2, 2).events
    playing = Game(table, 2).throw(1, 2, 3, 4).keep(1).do(Roll()).throw(2, 2, 3).keep(2, 2)
    assert WonAtOnce(0) not in playing.events


# --- bank games: setting aside and stopping


def test_keep_all_takes_every_scoring_die() -> None:
    playing = Game(bank(rest="turn: {keep: all}")).throw(1, 5, 2, 1)
    assert playing.legal() == [Keep((0, 1, 3))]
    assert playing.refusal(Keep((0,))) == "keep_all"
    assert playing.refusal(Keep((0, 1, 2, 3))) == "keep_all"
    assert playing.refusal(Keep(())) == "keep_one"
    assert playing.keep(1, 5, 1).events == (Kept(0, (1, 5, 1), 250, 250),)


def test_keep_all_leaves_the_choice_where_the_sets_differ() -> None:
    table = bank(
        "{run: {straight: 3, score: 50}, one: {dice: [1], score: 10}, two: {of_a_kind: 2, score: 20}}",
        "turn: {keep: all}",
    )
    assert keeps(table, 1, 2, 3, 3) == {(1, 2, 3): 50, (1, 3, 3): 30}


def test_bank_at_least_holds_for_every_turn() -> None:
    playing = Game(bank(rest="turn: {bank_at_least: 150}"), 2).with_totals(500)
    playing.throw(1, 2, 3, 4).keep(1)
    assert playing.refusal(Bank()) == "bank_more"
    assert playing.legal() == [Roll()]
    playing.do(Roll()).throw(5, 2, 3).keep(5).do(Bank())
    assert playing.events[0] == Banked(0, 150, 650)


OPENING = "turn: {{bank_at_least: 100, opening: {{at_least: 300, below: {}}}}}"


def test_below_the_opening_a_player_has_to_continue() -> None:
    playing = Game(bank(rest=OPENING.format("continue")), 2).throw(1, 1, 3, 4).keep(1, 1)
    assert playing.refusal(Bank()) == "bank_more"
    playing.do(Roll()).throw(1, 2).keep(1).do(Bank())
    assert playing.events[0] == Banked(0, 300, 300)


def test_after_the_opening_it_asks_for_no_more() -> None:
    playing = Game(bank(rest=OPENING.format("continue")), 1).throw(1, 1, 1, 4).keep(1, 1, 1).do(Bank())
    assert playing.events[0] == Banked(0, 300, 300)
    assert playing.throw(1, 2, 3, 4).keep(1).do(Bank()).events[0] == Banked(0, 100, 400)


def test_below_an_opening_that_is_lost_a_player_may_stop_for_nothing() -> None:
    playing = Game(bank(rest=OPENING.format("lost")), 1).throw(1, 1, 3, 4).keep(1, 1).do(Bank())
    assert playing.events[0] == Banked(0, 0, 0)
    playing.throw(1, 1, 1, 4).keep(1, 1, 1).do(Bank())  # still to open
    assert playing.events[0] == Banked(0, 300, 300)


def test_below_the_least_of_every_turn_nobody_stops_even_where_an_opening_is_lost() -> None:
    playing = Game(bank(rest=OPENING.format("lost"))).throw(5, 2, 3, 4).keep(5)
    assert playing.refusal(Bank()) == "bank_more"


@pytest.mark.parametrize(("then", "may"), [("may_roll", [Roll(), Bank()]), ("must_roll", [Roll()]), ("stop", [Bank()])])
@pytest.mark.parametrize("form", ["turn: {{hot_dice: {}}}", "turn: {{hot_dice: {{then: {}}}}}"])
def test_hot_dice_may_or_must_be_thrown_or_stop(form: str, then: str, may: list[Action]) -> None:
    playing = Game(bank(rest=form.format(then))).throw(1, 1, 5, 5).keep(1, 1, 5, 5)
    assert HotDice(0) in playing.events
    assert playing.legal() == may
    if then == "stop":
        assert playing.refusal(Roll()) == "must_bank"
    if then == "must_roll":
        assert playing.refusal(Bank()) == "must_roll"
        assert playing.do(Roll()).throw(1, 2, 3, 4).keep(1).legal() == [Roll(), Bank()]


def test_hot_dice_that_must_be_thrown_can_be_lost() -> None:
    playing = Game(bank(rest="turn: {hot_dice: must_roll}")).throw(1, 1, 5, 5).keep(1, 1, 5, 5).do(Roll())
    assert playing.throw(2, 3, 4, 6).events[1] == LostTurn(0, 300)


def test_hot_dice_give_a_bonus() -> None:
    playing = Game(bank(rest="turn: {hot_dice: {bonus: 500}}")).throw(1, 1, 5, 5).keep(1, 1, 5, 5)
    assert playing.events == (Kept(0, (1, 1, 5, 5), 800, 800), HotDice(0))
    playing.do(Roll()).throw(1, 2, 3, 4).keep(1)
    assert bank_turn(playing).points == 900


def test_hot_dice_multiply_what_is_set_aside_later_in_the_turn() -> None:
    playing = Game(bank(rest="turn: {hot_dice: {multiplier: 1}}")).throw(1, 1, 5, 5).keep(1, 1, 5, 5)
    assert bank_turn(playing).points == 300
    playing.do(Roll()).throw(1, 1, 5, 5).keep(1, 1, 5, 5)
    assert bank_turn(playing).points == 300 + 600
    assert bank_turn(playing.do(Roll()).throw(1, 2, 3, 4).keep(1)).points == 900 + 300


def test_after_some_combinations_the_dice_must_be_thrown() -> None:
    playing = Game(bank(rest="turn: {must_roll_after: [three]}")).throw(2, 2, 2, 1).keep(2, 2, 2)
    assert playing.refusal(Bank()) == "must_roll"
    assert playing.do(Roll()).throw(1).keep(1).legal() == [Roll(), Bank()]
    assert Game(playing.table).throw(2, 2, 2, 1).keep(1).legal() == [Roll(), Bank()]


def test_a_throw_that_must_follow_is_lost_with_the_turn() -> None:
    playing = Game(bank(rest="turn: {must_roll_after: [three]}")).throw(2, 2, 2, 1).keep(2, 2, 2).do(Roll())
    assert playing.throw(3).events[1] == LostTurn(0, 300)


# --- bank games: lost turns

LOST = (2, 3, 4, 6)


@pytest.mark.parametrize(
    ("floor", "before", "after"),
    [("", 200, -300), (", floor: null", 200, -300), (", floor: 0", 200, 0), (", floor: 0", 900, 400)],
)
def test_lost_turns_in_a_row_cost_points_down_to_the_floor(floor: str, before: int, after: int) -> None:
    playing = Game(bank(rest=f"bust: {{in_a_row: {{times: 3, score: -500{floor}}}}}"), 1).with_totals(before)
    playing.throw(*LOST).throw(*LOST)
    assert playing.totals() == (before,)
    assert playing.throw(*LOST).events[1:3] == (LostTurn(0, 0), Penalty(0, after - before, after))
    playing.throw(*LOST).throw(*LOST)
    assert playing.totals() == (after,)  # counted anew


def test_a_banked_turn_ends_the_row() -> None:
    playing = Game(bank(rest="bust: {in_a_row: {times: 2, score: -500}}"), 1)
    playing.throw(*LOST).throw(1, 2, 3, 4).keep(1).do(Bank()).throw(*LOST)
    assert playing.totals() == (100,)
    assert playing.throw(*LOST).totals() == (-400,)


def test_each_players_row_is_counted_alone() -> None:
    playing = Game(bank(rest="bust: {in_a_row: {times: 2, score: -500}}"), 2).throw(*LOST).throw(*LOST)
    assert playing.totals() == (0, 0)
    assert playing.throw(*LOST).totals() == (-500, 0)


def test_a_total_below_the_floor_stays() -> None:
    playing = Game(bank(rest="bust: {in_a_row: {times: 2, score: -500, floor: 0}}"), 1).with_totals(-100)
    assert playing.throw(*LOST).throw(*LOST).totals() == (-100,)


def test_a_turn_lost_at_its_first_throw_costs_points() -> None:
    playing = Game(bank(rest="bust: {first_throw: {score: -100}}"), 1).throw(*LOST)
    assert playing.events[1:3] == (LostTurn(0, 0), Penalty(0, -100, -100))
    playing.throw(1, 2, 3, 4).keep(1).do(Roll()).throw(2, 3, 4)
    assert playing.totals() == (-100,)


def test_the_first_throw_has_a_floor_of_its_own() -> None:
    playing = Game(bank(rest="bust: {first_throw: {score: -100, floor: 0}}"), 1).with_totals(30).throw(*LOST)
    assert playing.totals() == (0,)


# --- bank games: carrying on


def carried(needs: str = "nothing", players: int = 2) -> Game:
    """Player 0 has banked 150 and left two dice."""
    return Game(bank(rest=f"carry: {{needs: {needs}}}"), players).throw(1, 5, 2, 3).keep(1, 5).do(Bank())


def test_the_next_player_may_take_over_dice_and_points() -> None:
    playing = carried()
    assert playing.legal() == [Roll(), TakeOver()]
    assert playing.refusal(Bank()) == "take_or_roll"
    assert playing.refusal(Keep((0,))) in ("take_or_roll", "no_such_die")
    playing.do(TakeOver())
    assert list(playing.events) == [TookOver(1, 2, 150)]
    assert game.hand(playing.table, playing.state) == (2, 3)
    playing.throw(5, 4).keep(5).do(Bank())
    assert playing.events[0] == Banked(1, 200, 200)
    assert playing.totals() == (150, 200)


def test_who_takes_over_and_does_not_score_loses_the_points_taken() -> None:
    playing = carried().do(TakeOver()).throw(2, 3)
    assert playing.events[1] == LostTurn(1, 150)
    assert playing.totals() == (150, 0)
    assert game.awaits_chance(playing.state)  # nothing is left after a lost turn


def test_who_does_not_take_over_throws_all_dice() -> None:
    playing = carried().do(Roll())
    assert len(game.hand(playing.table, playing.state)) == 4
    playing.throw(1, 2, 3, 4)
    assert playing.refusal(TakeOver()) == "nothing_to_take"
    assert bank_turn(playing.keep(1)).points == 100


def test_hot_dice_leave_nothing() -> None:
    playing = Game(bank(rest="carry: {}"), 2).throw(1, 1, 5, 5).keep(1, 1, 5, 5).do(Bank())
    assert game.awaits_chance(playing.state)


def test_taking_over_may_need_to_have_opened() -> None:
    playing = carried("opened")
    assert game.awaits_chance(playing.state)
    playing = Game(playing.table, 2).with_boards(BankBoard(), BankBoard(100, True))
    playing.throw(1, 5, 2, 3).keep(1, 5).do(Bank())
    assert playing.legal() == [Roll(), TakeOver()]


def test_what_was_left_is_left_to_the_next_player_alone() -> None:
    playing = carried("opened", 3)  # player 1 may not take over
    playing.with_boards(BankBoard(150, True), BankBoard(), BankBoard(100, True))
    playing.throw(1, 1, 1, 2).keep(1, 1, 1).do(Bank())
    assert playing.state.player == 2
    playing.do(TakeOver())
    assert playing.events == (TookOver(2, 1, 300),)


def test_without_carry_there_is_nothing_to_take() -> None:
    playing = Game(bank(), 2).throw(1, 5, 2, 3).keep(1, 5)
    assert playing.refusal(TakeOver()) == "nothing_to_take"
    playing.do(Bank())
    assert playing.refusal(TakeOver()) == "throw_first"


# --- bank games: the end


def finished(last_round: str, starter: int, **more: str) -> Game:
    """A game of three in which player `starter` reaches the target of 1000 now."""
    from msgspec.structs import replace

    keys = ", ".join([f"last_round: {last_round}", *(f"{key}: {value}" for key, value in more.items())])
    playing = Game(bank(rest=f"end: {{{keys}}}"), 3).with_totals(900, 900, 900)
    playing.state = replace(playing.state, player=starter)
    return playing.throw(1, 2, 3, 4).keep(1).do(Bank())


def turns_left(playing: Game) -> list[int]:
    turns = []
    while playing.state.turn is not None:
        turns.append(playing.state.player)
        playing.throw(*LOST)
    return turns


@pytest.mark.parametrize(
    ("last_round", "starter", "turns"),
    [
        ("none", 0, []),
        ("none", 1, []),
        ("others_once", 0, [1, 2]),
        ("others_once", 1, [2, 0]),
        ("others_once", 2, [0, 1]),
        ("equal_turns", 0, [1, 2]),
        ("equal_turns", 1, [2]),
        ("equal_turns", 2, []),
        ("others_one_throw", 1, [2, 0]),
    ],
)
def test_who_has_a_turn_after_the_target_is_reached(last_round: str, starter: int, turns: list[int]) -> None:
    playing = finished(last_round, starter)
    assert (LastRound(starter) in playing.events) == bool(turns)
    assert turns_left(playing) == turns
    totals = tuple(1000 if player == starter else 900 for player in range(3))
    assert playing.events[-1] == GameEnded(Outcome("target", totals, (starter,)))


def test_others_one_throw_lets_them_set_aside_and_bank() -> None:
    playing = finished("others_one_throw", 0).throw(1, 1, 3, 4).keep(1, 1)
    assert playing.refusal(Roll()) == "must_bank"
    assert playing.legal() == [Bank()]
    assert playing.do(Bank()).events[0] == Banked(1, 200, 1100)
    assert playing.throw(*LOST).events[-1] == GameEnded(Outcome("target", (1000, 1100, 900), (1,)))


def test_with_one_throw_hot_dice_are_banked_too() -> None:
    table = bank(rest="turn: {hot_dice: must_roll}\nend: {last_round: others_one_throw}")
    playing = Game(table, 2).with_totals(900).throw(1, 2, 3, 4).keep(1).do(Bank())
    assert playing.throw(1, 1, 5, 5).keep(1, 1, 5, 5).legal() == [Bank()]


def test_with_one_throw_too_few_points_are_banked_for_nothing() -> None:
    table = bank(rest="turn: {bank_at_least: 100}\nend: {last_round: others_one_throw}")
    playing = Game(table, 2).with_totals(900).throw(1, 2, 3, 4).keep(1).do(Bank())
    assert playing.throw(5, 2, 3, 4).keep(5).do(Bank()).events[0] == Banked(1, 0, 0)


def test_rounds_end_the_game_before_the_target() -> None:
    playing = Game(bank(rest="end: {rounds: 2}"), 2)
    playing.throw(1, 2, 3, 4).keep(1).do(Bank()).throw(*LOST).throw(*LOST)
    assert playing.state.round == 2
    assert playing.throw(*LOST).events[-1] == GameEnded(Outcome("rounds", (100, 0), (0,)))


def test_the_target_still_ends_a_game_of_rounds() -> None:
    playing = Game(bank(rest="end: {rounds: 10}"), 1).with_totals(900).throw(1, 2, 3, 4).keep(1).do(Bank())
    assert playing.events[-1] == GameEnded(Outcome("target", (1000,), (0,)))


def overshooting(exact: str, *totals: int) -> Game:
    """Player 0 has 900 of 1000 and banks 300."""
    playing = Game(bank(rest=f"end: {{exact: {exact}}}"), len(totals)).with_boards(
        *(BankBoard(each, True) for each in totals)
    )
    return playing.throw(1, 1, 1, 4).keep(1, 1, 1).do(Bank())


def test_exact_bust_leaves_the_total() -> None:
    playing = overshooting("bust", 900, 100)
    assert playing.events[0] == Overshot(0, 300, None, 900)
    assert playing.totals() == (900, 100)


def test_exact_back_turns_back_what_is_too_much() -> None:
    playing = overshooting("back", 900, 100)
    assert playing.events[0] == Overshot(0, 300, 0, 800)
    assert playing.totals() == (800, 100)


def test_exact_given_away_gives_the_points_to_who_has_least() -> None:
    playing = overshooting("given_away", 900, 500, 100)
    assert playing.events[0] == Overshot(0, 300, 2, 400)
    assert playing.totals() == (900, 500, 400)


def test_who_is_given_points_never_passes_the_target() -> None:
    assert overshooting("given_away", 900, 800).totals() == (900, 1000)


def test_who_is_given_the_last_points_has_reached_the_target() -> None:
    playing = overshooting("given_away", 900, 800, 850)
    assert playing.totals() == (900, 1000, 850)
    assert LastRound(1) in playing.events
    assert turns_left(playing) == [2, 0]


def test_being_given_points_does_not_end_a_row_of_lost_turns() -> None:
    table = bank(rest="end: {exact: given_away}\nbust: {in_a_row: {times: 3, score: -50}}")
    playing = Game(table, 2).with_boards(BankBoard(900, True), BankBoard(100, True, 2))
    playing.throw(1, 1, 1, 4).keep(1, 1, 1).do(Bank())
    assert playing.throw(*LOST).events[2] == Penalty(1, -50, 350)


def test_alone_nobody_is_given_anything() -> None:
    assert overshooting("given_away", 900).totals() == (900,)


@pytest.mark.parametrize("exact", ["bust", "back", "given_away"])
def test_the_exact_target_wins(exact: str) -> None:
    playing = Game(bank(rest=f"end: {{exact: {exact}, last_round: none}}"), 2).with_totals(700)
    playing.throw(1, 1, 1, 4).keep(1, 1, 1).do(Bank())
    assert playing.events == (Banked(0, 300, 1000), GameEnded(Outcome("target", (1000, 0), (0,))))


# --- sheet games: throws

PLAIN = "ones: {face: 1}\nsum: {any: true, score: sum}\nrun: {straight: 5, score: 40}"


def test_locked_dice_can_not_come_back_and_one_more_is_kept_each_time() -> None:
    playing = Game(sheet(PLAIN, "keep: locked")).throw(1, 1, 3, 4, 6)
    assert playing.refusal(Roll()) == "keep_one_more"
    playing.do(Keep((0,)), Keep((1, 4)), Roll()).throw(2, 2, 5)
    assert sheet_turn(playing).dice == (2, 1, 2, 5, 6)
    assert playing.refusal(Keep((1,))) == "locked"
    assert playing.refusal(Keep(())) == "locked"
    assert playing.refusal(Roll()) == "keep_one_more"
    keeps = [action for action in playing.legal() if isinstance(action, Keep)]
    assert all({1, 4} <= set(keep.positions) for keep in keeps)
    assert len(keeps) == 3 * 2  # none, one or two 2s; the 5 or not
    playing.do(Keep((0, 1, 4)), Roll()).throw(3, 3)
    assert sheet_turn(playing).dice == (2, 1, 3, 3, 6)


def test_throws_that_are_not_used_are_saved() -> None:
    playing = Game(sheet(PLAIN, "save_unused_rolls: true")).throw(1, 1, 3, 4, 6).do(Write("ones"))
    board = playing.state.boards[0]
    assert isinstance(board, SheetBoard) and board.saved == 2
    assert sheet_turn(playing).rolls == 5
    for _ in range(4):
        playing.throw(1, 2, 3, 4, 6).do(Roll())
    playing.throw(1, 2, 3, 4, 6)
    assert playing.refusal(Roll()) == "no_rolls_left"
    assert sheet_turn(playing.do(Write("sum"))).rolls == 3


def test_throws_are_saved_for_their_own_player() -> None:
    playing = Game(sheet(PLAIN, "save_unused_rolls: true"), 2).throw(1, 1, 3, 4, 6).do(Write("ones"))
    assert sheet_turn(playing).rolls == 3
    assert sheet_turn(playing.throw(1, 1, 3, 4, 6).do(Write("ones"))).rolls == 5


def test_the_best_five_of_six_dice_are_used() -> None:
    cells = "sum: {any: true, score: sum}\nhouse: {groups: [3, 2], score: sum}\nsame: {of_a_kind: 6, score: 1}"
    table = sheet(cells, "use: 5", dice="count: 6, faces: 6")
    assert scores(table, 1, 2, 3, 4, 5, 6) == {"sum": 20, "house": 0, "same": 0}
    assert scores(table, 2, 2, 2, 5, 5, 5)["house"] == 19
    assert scores(table, 4, 4, 4, 4, 4, 4)["same"] == 0
    assert Game(table).throw(1, 2, 3, 4, 5, 6).do(Write("sum")).events[0] == Wrote(0, "sum", 20, 0, 20)


# --- sheet games: rows and columns


def test_a_row_may_be_filled_several_times() -> None:
    table = sheet("pair: {of_a_kind: 2, score: sum, times: 2}\nones: {face: 1}")
    playing = Game(table).throw(1, 1, 2, 3, 4).do(Write("pair"))
    assert playing.state.boards[0] == SheetBoard((11, None, None))
    assert writes(playing.throw(2, 2, 3, 4, 5)) == ["pair", "ones"]
    playing.do(Write("pair"))
    assert playing.state.boards[0] == SheetBoard((11, 16, None))
    assert playing.throw(1, 2, 3, 4, 6).refusal(Write("pair")) == "cell_taken"
    assert playing.do(Write("ones")).state.turn is None
    assert playing.totals() == (28,)


REPEATED = "run: {straight: 5, score: 40, repeat: true}\nones: {face: 1}"


def test_a_repeated_cell_takes_further_scores_on_top() -> None:
    playing = Game(sheet(REPEATED)).throw(1, 2, 3, 4, 5).do(Write("run")).throw(2, 3, 4, 5, 6)
    assert writes(playing) == ["run", "ones"]
    playing.do(Write("run"))
    assert playing.events[0] == Wrote(0, "run", 40, 0, 80)
    assert playing.state.boards[0] == SheetBoard((80, None))


def test_a_repeated_cell_takes_no_further_0() -> None:
    playing = Game(sheet(REPEATED)).throw(1, 2, 3, 4, 5).do(Write("run")).throw(2, 2, 2, 2, 2)
    assert writes(playing) == ["ones"]
    assert playing.refusal(Write("run")) == "cell_not_allowed"


def test_a_repeated_cell_that_was_given_up_stays_given_up() -> None:
    playing = Game(sheet(REPEATED)).throw(2, 2, 2, 2, 2).do(Write("run")).throw(1, 2, 3, 4, 5)
    assert writes(playing) == ["ones"]
    assert playing.refusal(Write("run")) == "cell_taken"


def test_who_repeated_has_extra_turns_at_the_end() -> None:
    playing = Game(sheet(REPEATED), 2)
    playing.throw(1, 2, 3, 4, 5).do(Write("run")).throw(1, 2, 3, 4, 5).do(Write("run"))
    playing.throw(1, 2, 3, 4, 5).do(Write("run")).throw(1, 2, 3, 4, 6).do(Write("ones"))
    assert TurnStarted(0) in playing.events
    playing.throw(1, 1, 3, 4, 5).do(Write("ones"))
    assert playing.events[-1] == GameEnded(Outcome("sheets_full", (82, 41), (0,)))


FOUR = (
    "one: {any: true, score: 1}\ntwo: {any: true, score: 2}\nthree: {any: true, score: 3}\nfour: {any: true, score: 4}"
)


@pytest.mark.parametrize(
    ("order", "may", "then"),
    [
        ("free", ["one", "two", "three", "four"], ["two", "three", "four"]),
        ("down", ["one"], ["two"]),
        ("up", ["four"], ["three"]),
        ("from_middle", ["two", "three"], ["one", "three"]),
        ("from_ends", ["one", "four"], ["two", "four"]),
    ],
)
@pytest.mark.parametrize("place", ["order: {}", "columns: [{{id: it, order: {}}}]"])
def test_the_order_says_which_cells_are_next(place: str, order: str, may: list[str], then: list[str]) -> None:
    named = "it " if "columns" in place else ""
    playing = Game(sheet(FOUR, place.format(order))).throw(1, 2, 3, 4, 5)
    assert writes(playing) == [f"{named}{cell}" for cell in may]
    for cell in ("one", "two", "three", "four"):
        if cell not in may:
            assert playing.refusal(Write(named + cell)) == "out_of_order"
    playing.do(Write(named + may[0])).throw(1, 2, 3, 4, 5)
    assert writes(playing) == [f"{named}{cell}" for cell in then]


@pytest.mark.parametrize("order", ["down", "up", "from_middle", "from_ends"])
def test_every_order_fills_the_whole_sheet(order: str) -> None:
    playing = Game(sheet(FOUR + "\nfive: {any: true, score: 5}", f"order: {order}"))
    while playing.state.turn is not None:
        playing.throw(1, 2, 3, 4, 5)
        playing.do(Write(writes(playing)[-1]))
    assert playing.totals() == (15,)


def columns(*more: str) -> str:
    return "columns: [" + ", ".join(f"{{id: {each}}}" for each in more) + "]"


def test_a_cell_of_a_column_is_named_behind_its_column() -> None:
    table = sheet(PLAIN, columns("left", "right"))
    assert table.cells == ("left ones", "left sum", "left run", "right ones", "right sum", "right run")
    playing = Game(table).throw(1, 1, 2, 3, 4)
    assert playing.refusal(Write("ones")) == "unknown_cell"
    playing.do(Write("right ones"))
    assert playing.events[0] == Wrote(0, "right ones", 2, 0, 2)
    assert "left ones" in writes(playing.throw(1, 1, 2, 3, 4))


def test_a_column_multiplies_its_cells_and_bonuses() -> None:
    rest = "bonuses: {all: {section: all, steps: [{at_least: 10, score: 5}]}}\n"
    playing = Game(sheet(PLAIN, rest + columns("single", "triple, multiplier: 3"))).throw(1, 1, 2, 3, 5)
    playing.do(Write("triple sum"))
    assert playing.events[:2] == (Wrote(0, "triple sum", 12, 0, 51), BonusEarned(0, "all", 5))
    assert playing.throw(1, 1, 2, 3, 5).do(Write("single sum")).totals() == (51 + 17,)


def test_a_column_may_allow_few_throws() -> None:
    playing = Game(sheet(PLAIN, columns("any", "quick, rolls: 1"))).throw(1, 1, 2, 3, 4)
    assert len(writes(playing)) == 6
    playing.do(Roll()).throw(1, 1, 2, 3, 4)
    assert writes(playing) == ["any ones", "any sum", "any run"]
    assert playing.refusal(Write("quick ones")) == "cell_not_allowed"


def test_with_quick_cells_alone_another_throw_is_refused() -> None:
    playing = Game(sheet("sum: {any: true, score: sum}", columns("quick, rolls: 1"))).throw(1, 1, 2, 3, 4)
    assert playing.refusal(Roll()) == "nothing_to_write_later"


def announced() -> Game:
    return Game(sheet(PLAIN, columns("plain", "named, announce: true"))).throw(1, 1, 2, 3, 4)


def test_a_cell_to_be_announced_is_announced_after_the_first_throw() -> None:
    playing = announced()
    assert playing.refusal(Write("named ones")) == "announce_before"
    assert playing.refusal(Announce("plain ones")) == "not_announced"
    assert playing.refusal(Announce("ones")) == "not_announced"
    assert playing.legal()[-6:-3] == [Announce("named ones"), Announce("named sum"), Announce("named run")]
    playing.do(Roll()).throw(1, 1, 2, 3, 4)
    assert playing.refusal(Announce("named ones")) == "announce_after_first"


def test_what_was_announced_must_be_written() -> None:
    playing = announced().do(Announce("named ones"))
    assert playing.events == (Announced(0, "named ones"),)
    assert playing.refusal(Write("plain sum")) == "named_another"
    assert playing.refusal(Announce("named sum")) == "named_another"
    assert writes(playing) == ["named ones"]
    playing.do(Roll()).throw(2, 2, 3, 4, 5)
    assert writes(playing) == ["named ones"]
    assert playing.do(Write("named ones")).events[0] == Wrote(0, "named ones", 0, 0, 0)
    assert sheet_turn(playing).named is None


def test_with_cells_to_be_announced_alone_one_must_be_announced() -> None:
    playing = Game(sheet(PLAIN, columns("named, announce: true"))).throw(1, 1, 2, 3, 4)
    assert writes(playing) == []
    assert playing.refusal(Roll()) == "nothing_to_write_later"
    assert playing.do(Announce("named sum"), Roll()).throw(1, 1, 1, 1, 1).do(Write("named sum")).totals() == (5,)


def test_an_announced_cell_of_few_throws_is_not_thrown_past() -> None:
    playing = Game(sheet(PLAIN, columns("plain", "named, announce: true, rolls: 1"))).throw(1, 1, 2, 3, 4)
    playing.do(Announce("named ones"))
    assert playing.refusal(Roll()) == "nothing_to_write_later"


def test_a_filled_cell_can_not_be_announced() -> None:
    playing = announced().do(Announce("named ones"), Write("named ones")).throw(1, 1, 2, 3, 4)
    assert playing.refusal(Announce("named ones")) == "cell_taken"


def test_where_nothing_is_announced_announcing_is_refused() -> None:
    assert Game(sheet(PLAIN)).throw(1, 1, 2, 3, 4).refusal(Announce("ones")) == "not_in_this_game"


def test_announced_cells_follow_the_order_of_their_column() -> None:
    playing = Game(sheet(PLAIN, columns("named, announce: true, order: down"))).throw(1, 1, 2, 3, 4)
    assert playing.refusal(Announce("named run")) == "out_of_order"
    assert [action for action in playing.legal() if isinstance(action, Announce)] == [Announce("named ones")]


# --- sheet games: what is made of the cells

YAMB = "ones: {face: 1}\nmax: {any: true, score: sum}\nmin: {any: true, score: sum}"


def test_a_derived_cell_is_a_formula_of_cells() -> None:
    table = sheet(YAMB, "derived: {gap: (max - min) * ones}")
    playing = Game(table).throw(1, 1, 1, 3, 4).do(Write("ones")).throw(6, 6, 6, 6, 5).do(Write("max"))
    assert table.derived(playing.state.boards[0].sheet if isinstance(playing.state.boards[0], SheetBoard) else ()) == {
        "gap": None
    }
    assert playing.totals() == (3 + 29,)
    playing.throw(1, 1, 1, 1, 2).do(Write("min"))
    assert playing.totals() == (3 + 29 + 6 + (29 - 6) * 3,)


def test_a_derived_cell_may_be_below_0_and_use_functions() -> None:
    playing = Game(sheet("a: {any: true, score: 0 - sum}\nb: {face: 6}", "derived: {low: 'min(a, b) * 2'}"))
    playing.throw(1, 1, 1, 1, 1).do(Write("a")).throw(1, 1, 1, 1, 6).do(Write("b"))
    assert playing.totals() == (-5 + 6 - 10,)


def test_a_derived_cell_is_there_in_each_column() -> None:
    table = sheet("a: {any: true, score: sum}", "derived: {twice: 2 * a}\n" + columns("x", "y, multiplier: 2"))
    playing = Game(table).throw(1, 1, 1, 1, 1).do(Write("x a")).throw(1, 1, 1, 1, 6).do(Write("y a"))
    assert playing.totals() == (15 + 2 * 30,)


POINTS = """
points:
  rows: {cell: pair, steps: [{at_least: 20, score: 1}, {at_least: 40, score: 4}]}
  each_pair: {cell: pair, each: 10}
  scored: {of: scored, steps: [{at_least: 3, score: 100}]}
  whole: {steps: [{at_least: 0, score: -2}, {at_least: 30, score: 3}, {at_least: 60, score: 6}]}
end: {win: points}
"""


def test_the_table_of_points_decides() -> None:
    table = sheet("pair: {of_a_kind: 2, score: sum, times: 2}\nones: {face: 1}", POINTS)
    assert table.total((None, None, None), 0) == -2
    assert table.total((20, None, None), 0) == 1 + 10 - 2
    assert table.total((20, 19, None), 0) == 1 + 20 + 3
    assert table.total((20, 20, None), 0) == 4 + 20 + 3
    assert table.total((20, 0, 3), 0) == 1 + 10 - 2
    assert table.total((30, 30, 3), 0) == 4 + 20 + 100 + 6


def test_who_has_the_most_points_of_the_table_wins() -> None:
    table = sheet(
        "ones: {face: 1}",
        "points: {few: {steps: [{at_least: 0, score: 5}, {at_least: 2, score: 1}]}}\nend: {win: points}",
    )
    playing = Game(table, 2).throw(1, 1, 1, 3, 4).do(Write("ones")).throw(1, 2, 3, 4, 5).do(Write("ones"))
    assert playing.events[-1] == GameEnded(Outcome("sheets_full", (1, 5), (1,)))


def test_the_lowest_total_may_win() -> None:
    playing = Game(sheet("sum: {any: true, score: sum}", "end: {win: lowest}"), 3)
    for dice in ((1, 1, 1, 1, 2), (1, 1, 1, 1, 1), (2, 2, 2, 2, 2)):
        playing.throw(*dice).do(Write("sum"))
    assert playing.events[-1] == GameEnded(Outcome("sheets_full", (6, 5, 10), (1,)))


def test_a_cell_is_given_up_only_when_nothing_scores() -> None:
    playing = Game(sheet(PLAIN + "\nkare: {of_a_kind: 4, score: 4}", "zero: only_when_nothing_scores"))
    playing.throw(1, 1, 3, 4, 6)
    assert writes(playing) == ["ones", "sum"]
    assert playing.refusal(Write("run")) == "cell_not_allowed"
    playing.do(Write("sum")).throw(2, 2, 3, 4, 6)
    assert writes(playing) == ["ones", "run", "kare"]


def test_a_0_by_order_counts_only_among_the_cells_that_are_next() -> None:
    playing = Game(sheet(PLAIN, "zero: only_when_nothing_scores\norder: down")).throw(2, 2, 3, 4, 6)
    assert writes(playing) == ["ones"]


# --- sheet games: the joker

JOKER = """
joker:
  when: {of_a_kind: 5}
  needs: {cell: same, state: scored%s}
  upper: %s
  scores: {run: 40, house: 25}
"""
CELLS = """
ones: {face: 1}
fours: {face: 4}
run: {straight: 5, score: 40}
house: {groups: [3, 2], score: 25}
same: {of_a_kind: 5, score: 50}
"""
FOURS = (4, 4, 4, 4, 4)


def joker(upper: str, rest: str = "", **cells: int) -> Game:
    """A game in which five 4s have fallen."""
    return Game(sheet(CELLS, JOKER % ("", upper) + rest)).with_sheet(**{"same": 50, **cells}).throw(*FOURS)


def worth(playing: Game) -> dict[str, int]:
    """The cells that may be written and what they would give."""
    table, board = playing.table, playing.state.boards[0]
    assert isinstance(table, SheetTable) and isinstance(board, SheetBoard)
    options = table.options(board.sheet, tuple(sorted(sheet_turn(playing).dice)))
    return {option.cell: option.score for option in options if option.legal}


def test_a_forced_joker_takes_its_own_upper_cell() -> None:
    assert worth(joker("forced")) == {"fours": 20}


def test_a_free_joker_takes_any_free_cell_but_without_its_scores_while_its_own_is_free() -> None:
    assert worth(joker("free")) == {"ones": 0, "fours": 20, "run": 0, "house": 0}
    assert worth(joker("free", fours=4)) == {"ones": 0, "run": 40, "house": 25}


def test_a_joker_that_is_never_upper_takes_the_lower_cells_with_its_scores() -> None:
    assert worth(joker("never")) == {"run": 40, "house": 25}
    assert worth(joker("never", fours=4)) == {"run": 40, "house": 25}


@pytest.mark.parametrize("upper", ["forced", "free", "never"])
def test_a_joker_without_a_lower_cell_takes_another_upper_cell_for_0(upper: str) -> None:
    assert worth(joker(upper, fours=4, run=0, house=0)) == {"ones": 0}


@pytest.mark.parametrize("upper", ["forced", "free", "never"])
def test_without_what_it_needs_there_is_no_joker(upper: str) -> None:
    assert worth(joker(upper, same=0)) == {"ones": 0, "fours": 20, "run": 0, "house": 0}


@pytest.mark.parametrize(
    ("upper", "order", "wanted"),
    [("forced", "down", ["ones"]), ("forced", "up", ["house"]), ("never", "down", ["ones"])],
)
def test_a_joker_leaves_some_cell_that_the_order_allows(upper: str, order: str, wanted: list[str]) -> None:
    assert writes(joker(upper, f"order: {order}")) == wanted


def test_a_joker_leaves_the_cell_that_was_announced() -> None:
    table = sheet(CELLS, JOKER % ("", "forced") + columns("named, announce: true"))
    playing = Game(table).with_sheet(**{"named same": 50}).throw(1, 2, 3, 4, 6).do(Announce("named house"), Roll())
    assert writes(playing.throw(*FOURS)) == ["named house"]


def test_a_joker_leaves_a_cell_that_may_still_be_written_after_this_throw() -> None:
    table = sheet(CELLS, JOKER % (", columns: all", "forced") + columns("quick, rolls: 1", "slow"))
    held = {"slow ones": 1, "slow fours": 4, "quick same": 50, "slow same": 50}
    playing = Game(table).with_sheet(**held).throw(1, 2, 3, 4, 6).do(Roll()).throw(*FOURS)
    assert writes(playing) != []


EXTRA = "extras: {more: {of_a_kind: 5, needs: {cell: same, state: scored%s}, score: 100}}\n"


@pytest.mark.parametrize(
    ("needs", "held", "extra"),
    [
        ("", {"a same": 50}, {"a": 100, "b": 0}),
        (", columns: this", {"a same": 50}, {"a": 100, "b": 0}),
        (", columns: all", {"a same": 50}, {"a": 0, "b": 0}),
        (", columns: all", {"a same": 50, "b same": 0}, {"a": 0, "b": 0}),
        (", columns: all", {"a same": 50, "b same": 50}, {"a": 100, "b": 100}),
    ],
)
def test_what_an_extra_needs_is_asked_of_this_column_or_of_all(
    needs: str, held: dict[str, int], extra: dict[str, int]
) -> None:
    for column in ("a", "b"):
        playing = Game(sheet(CELLS, EXTRA % needs + columns("a", "b"))).with_sheet(**held).throw(*FOURS)
        wrote = playing.do(Write(f"{column} fours")).events[0]
        assert isinstance(wrote, Wrote) and wrote.extra == extra[column]


def test_a_joker_of_all_columns_needs_the_cell_in_each() -> None:
    table = sheet(CELLS, JOKER % (", columns: all", "forced") + columns("a", "b"))
    assert len(writes(Game(table).with_sheet(**{"a same": 50}).throw(*FOURS))) == 9
    both = {"a same": 50, "b same": 50}
    assert writes(Game(table).with_sheet(**both).throw(*FOURS)) == ["a fours", "b fours"]
    assert writes(Game(table).with_sheet(**both, **{"a fours": 4}).throw(*FOURS)) == ["b fours"]


def test_a_joker_of_this_column_says_nothing_of_others() -> None:
    table = sheet(CELLS, JOKER % ("", "forced") + columns("a", "b"))
    may = writes(Game(table).with_sheet(**{"a same": 50}).throw(*FOURS))
    assert may == ["a fours", "b ones", "b fours", "b run", "b house", "b same"]


def test_wild_dice_make_a_joker_too() -> None:
    table = sheet(CELLS, JOKER % ("", "forced") + EXTRA % "", dice="count: 5, faces: [1, 2, 3, 4, 5, sun], wild: [sun]")
    playing = Game(table).with_sheet(same=50).throw(4, 4, 4, 4, 6)
    assert writes(playing) == ["fours"]
    assert playing.do(Write("fours")).events[0] == Wrote(0, "fours", 20, 100, 170)


# --- accumulate

PIG = "{one: {dice: [1], lose: turn}, other: {any: true, score: sum}}"
SNAKES = """
  ones: {dice: [1, 1], lose: all}
  one: {dice: [1], lose: turn}
  double: {of_a_kind: 2, score: 4 * face}
  other: {any: true, score: sum}"""


def test_throws_add_up_until_the_player_stops() -> None:
    playing = Game(accumulate(PIG), 2)
    assert playing.refusal(Bank()) == "throw_first"
    playing.throw(3, 4)
    assert playing.events[-1] == Fell(0, 7, 7)
    assert playing.legal() == [Roll(), Bank()]
    assert playing.refusal(Keep((0,))) == playing.refusal(Write("one")) == "not_in_this_game"
    playing.do(Roll())
    assert game.hand(playing.table, playing.state) == (0, 1)
    assert playing.throw(6, 6).events[-1] == Fell(0, 12, 19)
    assert playing.do(Bank()).events == (Banked(0, 19, 19), TurnStarted(1))


def test_lose_turn_loses_the_points_of_the_turn() -> None:
    playing = Game(accumulate(PIG), 2).with_totals(30).throw(3, 4).do(Roll()).throw(1, 6)
    assert playing.events[1:] == (LostTurn(0, 7), TurnStarted(1))
    assert playing.totals() == (30, 0)


def test_lose_all_loses_the_total_too() -> None:
    playing = Game(accumulate(SNAKES), 2).with_totals(30, 20).throw(3, 4).do(Roll()).throw(1, 1)
    assert playing.events[1:] == (LostAll(0, 37), TurnStarted(1))
    assert playing.totals() == (0, 20)


def test_the_first_outcome_that_is_shown_counts() -> None:
    table = accumulate(SNAKES)
    assert [table.fallen(dice)[:2] for dice in ((1, 1), (1, 2), (3, 3), (3, 4))] == [
        ("ones", 0),
        ("one", 0),
        ("double", 12),
        ("other", 7),
    ]
    other_way = accumulate("{any: {any: true, score: sum}, double: {of_a_kind: 2, score: 100}}")
    assert other_way.fallen((3, 3))[:2] == ("any", 6)


def test_a_throw_that_shows_no_outcome_counts_0_and_the_turn_goes_on() -> None:
    playing = Game(accumulate("{double: {of_a_kind: 2, score: 10}}")).throw(3, 4)
    assert playing.events[-1] == Fell(0, 0, 0)
    assert playing.legal() == [Roll(), Bank()]


def test_an_accumulate_game_has_a_least_to_bank_and_an_opening() -> None:
    playing = Game(accumulate(PIG, "turn: {bank_at_least: 5, opening: {at_least: 10}}"), 1).throw(2, 2)
    assert playing.refusal(Bank()) == "bank_more"
    playing.do(Roll()).throw(2, 3)
    assert playing.refusal(Bank()) == "bank_more"
    playing.do(Roll()).throw(2, 2).do(Bank())
    assert playing.events[0] == Banked(0, 13, 13)
    assert playing.throw(2, 3).do(Bank()).totals() == (18,)


def test_an_accumulate_game_ends_like_a_bank_game() -> None:
    playing = Game(accumulate(PIG), 2).with_totals(45).throw(3, 3).do(Bank())
    assert playing.events == (Banked(0, 6, 51), LastRound(0), TurnStarted(1))
    assert playing.throw(1, 3).events[-1] == GameEnded(Outcome("target", (51, 0), (0,)))
    exact = Game(accumulate(PIG, "end: {exact: bust}"), 2).with_totals(45).throw(3, 3).do(Bank())
    assert exact.events[0] == Overshot(0, 6, None, 45)


def test_an_outcome_may_win_an_accumulate_game() -> None:
    table = accumulate("{sixes: {dice: [6, 6], score: 0, wins: true}, other: {any: true, score: sum}}")
    playing = Game(table, 2).throw(6, 6)
    assert playing.events[-2:] == (WonAtOnce(0), GameEnded(Outcome("won_at_once", (0, 0), (0,))))


# --- one ruleset on top of another

BASE = """
name: Base
family: sheet
source: a test
dice: {count: 5, faces: 6}
rolls: 3
after_last_roll: {choose_for_me_after: 3}
cells:
  ones: {section: upper, face: 1}
  run: {section: lower, straight: 5, score: 40}
  sum: {section: lower, any: true, score: sum}
bonuses: {upper: {section: upper, steps: [{at_least: 3, score: 5}]}}
examples: [{dice: [1, 2, 3, 4, 5], cell: run, score: 40}]
"""


def on_top(folder: Path, text: str, **others: str) -> SheetTable:
    """The game of a file that says `text`, with the base and others beside it."""
    for name, each in {"base": BASE, "top": text, **others}.items():
        path = folder / f"{name}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(each, encoding="utf-8")
    table = find(str(folder / "top.yaml")).table()
    assert isinstance(table, SheetTable)
    return table


def test_a_ruleset_extends_another_key_by_key(tmp_path: Path) -> None:
    table = on_top(
        tmp_path, "extends: ./base.yaml\nname: Top\ncells: {run: {score: 50}, twos: {section: upper, face: 2}}\n"
    )
    assert (table.ruleset.name, table.ruleset.source) == ("Top", "a test")
    assert list(table.cells) == ["ones", "run", "sum", "twos"]
    assert table.ruleset.cells["run"].score == 50 and table.ruleset.cells["run"].straight == 5
    assert table.ruleset.bonuses["upper"].steps[0].score == 5


def test_a_list_replaces_the_whole_list(tmp_path: Path) -> None:
    table = on_top(tmp_path, "extends: ./base.yaml\nbonuses: {upper: {steps: [{at_least: 9, score: 1}]}}\n")
    assert [step.at_least for step in table.ruleset.bonuses["upper"].steps] == [9]


def test_null_removes_a_key(tmp_path: Path) -> None:
    table = on_top(tmp_path, "extends: ./base.yaml\ncells: {run: null}\nbonuses: null\nafter_last_roll: null\n")
    assert list(table.cells) == ["ones", "sum"]
    assert table.ruleset.bonuses == {}
    assert table.ruleset.after_last_roll.choose_for_me_after is None


def test_the_seconds_may_be_set_to_null_on_top_of_another_ruleset(tmp_path: Path) -> None:
    table = on_top(tmp_path, "extends: ./base.yaml\nafter_last_roll: {choose_for_me_after: null}\n")
    assert table.ruleset.after_last_roll.choose_for_me_after is None


def test_examples_are_not_taken_over(tmp_path: Path) -> None:
    assert on_top(tmp_path, "extends: ./base.yaml\nrolls: 2\n").ruleset.examples == []
    own = "extends: ./base.yaml\nexamples: [{dice: [1, 1, 1, 1, 1], cell: ones, score: 5}]\n"
    assert len(on_top(tmp_path, own).ruleset.examples) == 1


def test_a_game_may_be_extended_by_its_name(tmp_path: Path) -> None:
    assert on_top(tmp_path, "extends: penta\nrolls: 4\n").ruleset.rolls == 4


def test_rulesets_may_extend_each_other_in_a_chain(tmp_path: Path) -> None:
    middle = "extends: ./base.yaml\nrolls: 4\ncells: {sum: {score: 7}}\n"
    table = on_top(tmp_path, "extends: ./middle.yaml\ncells: {ones: null}\nbonuses: null\n", middle=middle)
    assert table.ruleset.rolls == 4
    assert (list(table.cells), table.ruleset.cells["sum"].score) == (["run", "sum"], 7)


def test_a_base_is_looked_for_beside_the_file_that_names_it(tmp_path: Path) -> None:
    others = {"sub/middle": "extends: ./deep.yaml\nrolls: 4\n", "sub/deep": BASE.replace("Base", "Deep")}
    table = on_top(tmp_path, "extends: ./sub/middle.yaml\n", **others)
    assert (table.ruleset.name, table.ruleset.rolls) == ("Deep", 4)


def refused(folder: Path, text: str, **others: str) -> list[tuple[str, str]]:
    with pytest.raises(BadRuleset) as caught:
        on_top(folder, text, **others)
    return [(problem.code, str(problem.at).removeprefix(f"{folder}/")) for problem in caught.value.problems]


def test_a_circle_is_refused_with_its_place(tmp_path: Path) -> None:
    problems = refused(tmp_path, "name: x\nextends: ./other.yaml\n", other="extends: ./top.yaml\n")
    assert [code for code, _ in problems] == ["extends_too_often"]
    assert problems[0][1] in ("top.yaml:2:10", "other.yaml:1:10")
    assert refused(tmp_path, "extends: ./top.yaml\n") == [("extends_too_often", "top.yaml:1:10")]


def test_so_many_may_extend_each_other(tmp_path: Path) -> None:
    chain = {f"b{at}": f"extends: ./b{at + 1}.yaml\n" for at in range(1, MAX_EXTENDS)}
    chain[f"b{MAX_EXTENDS}"] = BASE
    assert on_top(tmp_path, "extends: ./b1.yaml\n", **chain).ruleset.rolls == 3
    chain |= {f"b{MAX_EXTENDS}": f"extends: ./b{MAX_EXTENDS + 1}.yaml\n", f"b{MAX_EXTENDS + 1}": BASE}
    assert refused(tmp_path, "extends: ./b1.yaml\n", **chain) == [("extends_too_often", f"b{MAX_EXTENDS}.yaml:1:10")]


@pytest.mark.parametrize(
    ("base", "code"), [("./nowhere.yaml", "unreadable"), ("no-such-game", "unknown_game"), ("12", "expected_text")]
)
def test_a_base_that_is_not_there_is_refused_with_its_place(tmp_path: Path, base: str, code: str) -> None:
    assert refused(tmp_path, f"name: x\nextends: {base}\n") == [(code, "top.yaml:2:10")]


def test_a_mistake_in_a_base_is_found_there(tmp_path: Path) -> None:
    assert refused(tmp_path, "extends: ./base.yaml\n", base=BASE.replace("face: 1", "face: 7")) == [
        ("unknown_face", "base.yaml:9:26")
    ]
    assert refused(tmp_path, "extends: ./base.yaml\ncells: {ones: {face: 7}}\n") == [("unknown_face", "top.yaml:2:16")]
