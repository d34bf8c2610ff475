"""The coach: advice in every game, games looked back on, the expert, and solved games in the cache."""

from __future__ import annotations

import json
import multiprocessing
import random
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from conftest import SHIPPED, Run, table
from invented import INVENTED
from msgspec.structs import replace

from dicecli.analysis.banks import LeftOut, throws_of
from dicecli.analysis.sheets import SheetModel, solve
from dicecli.game import game
from dicecli.game.moves import Action, Keep, Roll, Seat, SheetBoard, State, Throw
from dicecli.players import computer
from dicecli.players.coach import Coach, Record, best, decided, review
from dicecli.rules.ruleset import load
from dicecli.rules.table import SheetTable, Table, compile_table
from dicecli.store import cache, solved
from dicecli.ui.coaching import LEFT_OUT, advice_lines, advice_object, coach_for, review_lines, review_object
from dicecli.ui.console import Console
from dicecli.ui.helper import Helper

STEPS = {"bank-all": 6, "kingdom-come-loaded": 10}  # of a target, near enough for best play of two to be found at once


@pytest.fixture(autouse=True, scope="module")
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache of the tests' own."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache, "folder", lambda: folder)
        yield folder


def started(rules: Table, seats: int | None = None) -> State:
    count = max(rules.ruleset.players.min, seats or 1)
    return game.start(rules, [Seat(str(seat)) for seat in range(count)], "coach", near(rules))[0]


def near(rules: Table) -> int | None:
    return None if isinstance(rules, SheetTable) else STEPS.get(rules.name, 20) * throws_of(rules).step


def coached(rules: Table, state: State) -> Coach:
    return coach_for(Console(quiet=True), rules, len(state.seats), state.target)


def played(rules: Table, state: State, decide: object) -> tuple[Record, State]:
    """A whole game, at most so long, in which `decide(state)` says what is done."""
    assert callable(decide)
    record: list[tuple[State, Action]] = []
    while state.turn is not None and len(record) < 400:
        action = game.deal(rules, state) if game.awaits_chance(state) else decide(state)
        record.append((state, action))
        state = game.apply(rules, state, action)[0]
    return record, state


@pytest.mark.parametrize("name", [*SHIPPED, *INVENTED])
def test_advice_is_legal_complete_and_in_order(name: str) -> None:
    rules = table(name)
    state = started(rules, 2 if rules.ruleset.players.max > 1 else 1)
    coach = coached(rules, state)
    chance = random.Random(name)
    looked = 0

    def wander(state: State) -> object:
        nonlocal looked
        looked += 1
        choices = coach.choices(state) if looked <= 25 else []
        worths = [worth for _action, worth in choices]
        assert worths == sorted(worths, reverse=True)
        legal = list(game.legal(rules, state))
        for action, _worth in choices:
            assert game.check(rules, state, action) is None
            if isinstance(rules, SheetTable) and isinstance(action, Keep):
                after = game.apply(rules, state, action)[0]
                assert game.check(rules, after, Roll()) is None
        if looked <= 3:
            assert advice_lines(rules, state, coach) and advice_object(rules, state, coach)["choices"]
        if choices and coach.unit != "guess":  # everything that may be done is among the choices
            wanted = {decided(state, action) for action in legal if not isinstance(action, Keep)} - {None}
            assert wanted <= {action for action, _worth in choices} or isinstance(rules, SheetTable)
        return chance.choice(legal)

    played(rules, state, wander)


@pytest.mark.parametrize("name", ["yahtzee", "poker", "crag", "threes", "farkle", "pig", "greed", "dix-mille"])
def test_best_play_costs_nothing_and_the_rest_is_luck(name: str) -> None:
    rules = table(name)
    seats = 1 if isinstance(rules, SheetTable) else 2
    state = started(rules, seats)
    coach = coached(rules, state)
    record, end = played(rules, state, lambda now: best(coach, now))
    result = 1.0 if coach.unit == "chance" else float(game.totals(rules, end)[0])
    looked_back = review(rules, coach, record, 0, result)
    assert looked_back.cost == pytest.approx(0, abs=1e-9) and looked_back.accuracy == 1 and not looked_back.costliest
    assert looked_back.start + looked_back.luck == pytest.approx(result)


LOADED = """
name: Loaded
family: sheet
source: a test
dice: {count: 3, faces: 2, each: [[1, 9], [1, 9], [9, 1]]}
rolls: 2
cells:
  ones: {section: all, face: 1}
end: {win: highest}
"""


def test_the_same_face_on_a_die_of_another_kind_is_another_choice() -> None:
    """Kept dice stand for others with the same face only where those are loaded alike."""
    rules = compile_table("loaded", load(LOADED, "loaded.yaml"))
    state = started(rules)
    coach = coached(rules, state)
    state = game.apply(rules, state, Throw((1, 1, 1), state.position))[0]
    worths = dict(coach.choices(state))
    kept = [game.apply(rules, state, Keep((at,)))[0] for at in range(3)]
    judged = [review(rules, coach, [(holding, Roll())], 0, 0.0).decisions[0].worth for holding in kept]
    # Of three ones one is kept; each other shows a one again by its own chance.
    assert judged == pytest.approx([1 + 0.1 + 0.9, 1 + 0.1 + 0.9, 1 + 0.1 + 0.1])
    assert worths[Keep((0,))] == judged[0] and worths[Keep((2,))] == judged[2] and Keep((1,)) not in worths


@pytest.mark.parametrize("name", [*SHIPPED, *INVENTED])
def test_every_game_can_be_looked_back_on(name: str) -> None:
    rules = table(name)
    state = started(rules, 2 if rules.ruleset.players.max > 1 else 1)
    coach = coached(rules, state)
    chance = random.Random(name)
    record, _end = played(rules, state, lambda now: chance.choice(list(game.legal(rules, now))))
    looked_back = review(rules, coach, record[:30], 0, 1.0)
    assert looked_back.decisions
    lines, told = review_lines(rules, coach, "Ann", looked_back), review_object(rules, coach, looked_back)
    assert any(line.startswith("Worth before") for line in lines) == coach.whole == (told["luck"] is not None)
    costliest = [line for line in lines if line.startswith(("  1. ", "  2. ", "  3. "))]
    assert len(costliest) == len(looked_back.costliest) and all(line.split()[1][0] == "-" for line in costliest)
    assert json.loads(json.dumps(told)) == told


@pytest.mark.parametrize(("name", "points"), [("balut", True), ("threes", False)])
def test_a_sheet_is_looked_back_on_in_its_own_points(name: str, points: bool) -> None:
    """Also where game points decide: the coach knows nothing of those."""
    rules = table(name)
    assert isinstance(rules, SheetTable)
    state = started(rules)
    chance = random.Random(name)
    helper = Helper(rules, Console(quiet=True))
    helper.record[:], end = played(rules, state, lambda now: chance.choice(list(game.legal(rules, now))))
    (looked_back, *_others) = helper.reviews(end)
    board = end.boards[0]
    assert isinstance(board, SheetBoard)
    assert abs(looked_back.result) == rules.score(board.sheet, board.extras)
    assert (abs(looked_back.result) != game.totals(rules, end)[0]) is points


def test_every_rule_that_is_not_weighed_has_words() -> None:
    assert set(get_args(LeftOut)) <= LEFT_OUT.keys()


def test_bad_choices_cost_what_the_coach_says() -> None:
    rules = table("penta")
    state = started(rules)
    coach = coached(rules, state)
    chance = random.Random(7)
    record, end = played(rules, state, lambda now: chance.choice(list(game.legal(rules, now))))
    result = float(game.totals(rules, end)[0])
    looked_back = review(rules, coach, record, 0, result)
    assert looked_back.start - looked_back.cost + looked_back.luck == pytest.approx(result)
    assert 0 <= looked_back.accuracy < 1
    costs = [decision.cost for decision in looked_back.costliest]
    assert len(costs) == 3 and costs == sorted(costs, reverse=True)
    assert costs[0] == max(decision.cost for decision in looked_back.decisions)
    lines = review_lines(rules, coach, "Ann", looked_back)
    assert lines[0] == "Ann's game looked back on" and f"{100 * looked_back.accuracy:.1f} %" in lines[1]
    told = review_object(rules, coach, looked_back)
    assert told["result"] == result and len(told["decisions"]) == len(looked_back.decisions)


@pytest.mark.parametrize("name", ["generala", "triple-yahtzee", "big-pig", "greed", "sheet-points", "bank-all"])
def test_computers_of_every_strength_play_to_the_end(name: str) -> None:
    rules = table(name)
    seats = [Seat("A", True, "easy"), Seat("B", True, "expert")]
    state = game.start(rules, seats, "strengths", near(rules))[0]
    helper = Helper(rules, Console(quiet=True))
    _record, end = played(rules, state, helper.choose)
    assert end.turn is None or rules.name == "triple-yahtzee"


def test_an_expert_needs_no_more_than_it_is_told() -> None:
    """Alone the expert is as good as the solved game says (a game whose mean is known exactly)."""
    rules = table("crag")
    assert isinstance(rules, SheetTable)
    state = started(rules)
    coach = coached(rules, state)
    totals = []
    for number in range(150):
        _record, end = played(rules, replace(state, seed=f"expert {number}"), lambda now: best(coach, now))
        totals.append(game.totals(rules, end)[0])
    mean = sum(totals) / len(totals)
    spread = (sum((total - mean) ** 2 for total in totals) / (len(totals) - 1)) ** 0.5
    assert abs(mean - coach.start[0]) < 4 * spread / len(totals) ** 0.5


# --- the cache


def keep_one(folder: str, content: bytes) -> None:
    cache.folder = lambda: Path(folder)
    for _ in range(30):
        cache.keep("both", content)


def test_two_who_write_at_once_leave_a_whole_file(cache_folder: Path) -> None:
    contents = [bytes([letter]) * 200_000 for letter in b"ab"]
    both = [
        multiprocessing.get_context("spawn").Process(target=keep_one, args=(str(cache_folder), content))
        for content in contents
    ]
    for process in both:
        process.start()
    while any(process.is_alive() for process in both):
        found = cache.recall("both")
        assert found is None or bytes(found) in contents
    assert [process.exitcode for process in both] == [0, 0]
    assert bytes(cache.recall("both") or b"") in contents
    assert not [path for path in cache_folder.iterdir() if path.name.startswith(".")]


def test_a_solved_game_is_read_back_and_a_damaged_one_solved_again(cache_folder: Path) -> None:
    model = SheetModel(table("crag"))  # type: ignore[arg-type]
    worth = solve(model).best
    assert solved.sheet(model).best == worth and solved.has_sheet(model)
    kept = next(cache_folder.glob("*.sheet"))
    for path in cache_folder.glob("*.sheet"):
        whole = path.read_bytes()
        for damage in (b"", b"nonsense", cache.HEAD + b"short", whole[:-1], whole[:-20] + bytes(8) + whole[-12:]):
            path.write_bytes(damage)
            assert solved.sheet(model).best == worth
    assert kept.exists()


def test_where_nothing_can_be_kept_it_is_worked_out_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    monkeypatch.setattr(cache, "folder", lambda: in_the_way / "solved")
    model = SheetModel(table("crag"))  # type: ignore[arg-type]
    assert solved.sheet(model).best == pytest.approx(149.8475932)


def test_what_was_used_longest_ago_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    monkeypatch.setattr(cache, "folder", lambda: tmp_path)
    monkeypatch.setattr(cache, "MOST", 3 * (len(cache.HEAD) + 4 + 1000))
    for number in range(6):
        cache.keep(str(number), bytes(1000))
        os.utime(tmp_path / str(number), (1000 + number, 1000 + number))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["3", "4", "5"]


# --- the commands


def test_advice_for_a_sheet(dicecli: Run) -> None:
    words = ("advise", "penta", "4", "4", "4", "2", "1", "--roll", "1", "--filled", "ones=3,chance=20")
    done = dicecli(*words)
    assert done.returncode == 0
    assert done.stdout.splitlines()[1].split() == ["237.30", "keep", "4", "4", "4,", "throw", "2", "dice"]
    told = json.loads(dicecli(*words, "--json").stdout)
    assert told["unit"] == "points" and told["exact"] and told["choices"][0]["line"] == "keep 4 4 4"
    assert told["best_over_second"] == pytest.approx(told["choices"][1]["behind"])


def test_advice_for_a_bank_game(dicecli: Run) -> None:
    words = ("advise", "farkle", "1", "5", "3", "3", "6", "2", "--turn", "350", "--target", "1000")
    assert "Points of this turn" in dicecli(*words).stdout
    assert "Turns to the target" in dicecli(*words, "--me", "200").stdout
    against = json.loads(dicecli(*words, "--me", "200", "--other", "600", "--json").stdout)
    assert against["unit"] == "chance" and 0 < against["choices"][0]["worth"] < 1
    assert {choice["line"] for choice in against["choices"]} == {"keep 1", "keep 5", "keep 1 5"}
    last = json.loads(dicecli(*words, "--me", "200", "--other", "1100", "--json").stdout)
    assert last["choices"][0]["worth"] < against["choices"][0]["worth"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("penta", "1", "1", "1", "1", "1", "--turn", "5"), "for_bank_games"),
        (("farkle", "1", "--roll", "2"), "for_sheet_games"),
        (("farkle", "2", "3"), "nothing_scores"),
        (("pig", "1"), "nothing_scores"),
        (("farkle", "1", "--me", "10000"), "already_there"),
        (("penta", "1", "1", "1", "1", "1", "--roll", "4"), "bad_number"),
        (("penta", "1", "1", "1", "1", "1", "--locked", "1"), "nothing_is_locked"),
        (("threes", "1", "1", "1", "1", "1", "--roll", "2"), "locked_too_few"),
        (("threes", "1", "1", "1", "1", "1", "--roll", "2", "--locked", "3"), "locked_not_there"),
        (("farkle", "1", "--turn", "-5"), "bad_number"),
        (("farkle", "1", "--roll", "0"), "for_sheet_games"),
        (("farkle", "1", "--second"), "needs_other"),
        (("penta", "1", "1", "1", "1", "1", "--second"), "for_bank_games"),
        (("threes", "3", "3", "3", "4", "4", "--locked", "3"), "nothing_held_yet"),
        (("penta", "1", "1", "1", "1", "1", "--filled", "ones=7"), "never_scores"),
        (("penta", "1", "1", "1", "1", "1", "--filled", "full_house=24"), "never_scores"),
    ],
)
def test_advice_that_cannot_be_given(dicecli: Run, words: tuple[str, ...], code: str) -> None:
    done = dicecli("advise", *words, "--json")
    assert done.returncode == 2 and json.loads(done.stdout)["error"]["code"] == code


def test_solving_says_what_is_exact(dicecli: Run) -> None:
    crag = json.loads(dicecli("solve", "crag", "--json").stdout)
    assert crag["exact"] and crag["states"] == 8192 and crag["points"] == pytest.approx(149.84759323)
    pig = json.loads(dicecli("solve", "pig", "--json").stdout)
    assert pig["turn"] == pytest.approx(8.14179489) and pig["bank_from"] == {"1": 20}
    assert pig["first_player_wins"] == pytest.approx(0.5305927, abs=1e-6)
    forever = json.loads(dicecli("solve", "generala", "--json").stdout)
    assert not forever["exact"] and forever["left_out"] == ["wins"]
    done = dicecli("solve", "farkle", "--target", "0")
    assert done.returncode == 2 and "--target" in done.stderr


def test_what_does_not_fit_is_said_first_and_estimated(dicecli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    done = dicecli("solve", "escalero", "--set", "columns=null", "--set", "save_unused_rolls=true")
    assert done.returncode == 0 and "states" in done.stderr
    large = "name: Large\nfamily: sheet\nsource: a test\ndice: {count: 2, faces: 9}\nrolls: 2\n"
    large += "cells: {" + ", ".join(f"c{n}: {{section: all, any: true, score: sum + {n}}}" for n in range(26)) + "}\n"
    done = dicecli("solve", "-", input=large)
    assert done.returncode == 0, done.stderr
    assert "more than the" in done.stderr and "An estimate: in 10000 games" in done.stdout


def test_hints_mark_a_game_and_it_is_looked_back_on(dicecli: Run) -> None:
    moves = "\n".join(["hint", "roll", "bank"] * 300)
    done = dicecli("play", "pig", "--player", "Ann", "--seed", "5", "--review", input=moves)
    assert done.returncode == 0
    assert "Chance of winning if both play best:" in done.stdout
    assert "With hints: Ann " in done.stdout and "Ann's game looked back on" in done.stdout
    objects = [
        json.loads(line)
        for line in dicecli(
            "play", "pig", "--player", "Ann", "--seed", "5", "--review", "--json", input=moves
        ).stdout.splitlines()
    ]
    kinds = [each.get("type") for each in objects]
    assert "hint" in kinds and kinds[-1] == "review"
    assert next(each for each in objects if each.get("type") == "seed")["hints"][0] > 0


def test_computers_play_as_strong_as_asked(dicecli: Run) -> None:
    done = dicecli("play", "pig", "--player", "Ann", "--strength", "exprt")
    assert done.returncode == 2 and "expert" in done.stderr
    moves = "\n".join(["roll", "bank"] * 1000)
    games = {
        strength: dicecli("play", "pig", "--player", "Ann", "--seed", "5", "--strength", strength, input=moves).stdout
        for strength in ("easy", "normal", "expert")
    }
    assert all("Seed: 5" in text for text in games.values())
    assert games["expert"] != games["normal"]
    done = dicecli("play", "maxi-yatzy", "--strength", "expert", "--json")
    assert done.returncode == 2 and json.loads(done.stdout)["error"]["code"] == "no_expert"


def test_worth_without_limit_is_said_and_no_number(dicecli: Run) -> None:
    """Where no throw can lose the turn, throwing on is always worth more."""
    text = "name: Safe\nfamily: accumulate\nsource: a test\ndice: {count: 1, faces: 2}\n"
    text += "outcomes: {a: {any: true, score: sum}}\ntargets: {options: [10], default: 10}\ncomputer: {bank_at: 4}\n"
    said = dicecli("advise", "-", "2", input=text)
    assert "no limit    throw 1 die" in said.stdout and "inf" not in said.stdout and "nan" not in said.stdout
    told = json.loads(dicecli("advise", "-", "2", "--json", input=text).stdout)
    assert [choice["worth"] for choice in told["choices"]] == [None, 2.0] and told["best_over_second"] is None


def test_who_began_matters_where_turns_are_made_equal(dicecli: Run) -> None:
    """The second player's chances before the first throw are what the first player's leave."""
    words = ("advise", "farkle-playpalace", "1", "5", "--me", "0", "--other", "0", "--target", "500", "--json")
    first, second = (json.loads(dicecli(*words, *more).stdout)["choices"] for more in ((), ("--second",)))
    assert first[0]["line"] == second[0]["line"] and second[0]["worth"] > first[0]["worth"] + 0.02


def test_guesses_are_the_computers_own(dicecli: Run) -> None:
    rules = table("triple-yahtzee")
    assert isinstance(rules, SheetTable)
    state = started(rules)
    coach = coached(rules, state)
    assert coach.unit == "guess"
    state = game.apply(rules, state, game.deal(rules, state))[0]
    wanted = computer.choose(rules, state)
    assert best(coach, state) == wanted
