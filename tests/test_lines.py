"""Line mode: what may be typed, what is answered, how it ends."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from conftest import FIRST, SHIPPED, Run, bank_table, sheet_table, table
from golden import GOLDEN
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dicecli.errors import Exit
from dicecli.game import game
from dicecli.game.moves import Seat
from dicecli.rules.table import Table
from dicecli.ui.console import Console
from dicecli.ui.helper import Helper
from dicecli.ui.lines import JsonLines, Lines
from dicecli.ui.play import play


def session(found: Table, typed: str, *, as_json: bool = False, people: int = 2) -> tuple[Exit, str]:
    """The exit code and the transcript of a game of `people` with seed 42 in which `typed` is typed."""
    out = io.StringIO()
    console = Console(stdin=io.StringIO(typed), stdout=out, stderr=out)
    started = game.start(found, [Seat(name) for name in ("Ann", "Bob", "Cleo")[:people]], "42")
    front = (JsonLines if as_json else Lines)(found, console, Helper(found, console))
    return play(found, started, front), out.getvalue()


def answers(found: Table, *typed: str) -> list[str]:
    """The lines that follow the first two throws' announcement."""
    text = session(found, "\n".join(typed) + "\n")[1]
    return text.split("\n\n", 1)[1].splitlines()[2:]


def test_dice_are_kept_by_faces_and_by_places() -> None:
    for typed in ("keep 1 5", "keep 15", "KEEP 5 1", "k 1 5", "keep #3 #5", "keep 1,5"):
        assert "Ann sets aside 1 5 for 150: 150 this turn." in answers(bank_table(), typed)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("roll", "Set aside at least one scoring die first."),
        ("bank", "Set aside at least one scoring die first."),
        ("keep", "Set aside at least one scoring die."),
        ("keep 2", "2 does not score completely."),
        ("keep 1 2", "1 2 does not score completely."),
        ("keep 1 1", "The throw does not hold 1 1: the dice are 2 3 1 2 5 4."),
        ("keep 7", "'7' is no face of these dice: they show 1 to 6."),
        ("keep #7", "The throw has 6 dice, each can be named once."),
        ("keep #0", "The throw has 6 dice, each can be named once."),
        ("keep #3 #3", "The throw has 6 dice, each can be named once."),
        ("keep #3 5", "'#3' is no face of these dice: they show 1 to 6 (did you mean '3'?)"),
        ("write ones", "That is not done in this game."),
        ("bank now", "'bank' stands alone."),
        ("kepe 1", "'kepe' is not understood (did you mean 'keep'?)"),
        ("42", "'42' is not understood."),
    ],
)
def test_a_bad_line_says_what_is_wrong_and_what_is_allowed(typed: str, said: str) -> None:
    allowed = "You may keep: 1 5 = 150, 1 = 100, 5 = 50."
    assert answers(bank_table(), typed)[:2] == [allowed, f"{said} {allowed}"]


def test_a_bad_line_changes_nothing() -> None:
    good = answers(bank_table(), "keep 1", "bank", "sheet")
    bad = answers(bank_table(), "keep 2", "nonsense", "keep 1", "keep 5", "roll it", "bank", "bank", "sheet")
    assert good[-4:] == bad[-4:]
    assert "Ann: 100" in bad


def test_a_cell_is_written_by_its_id_or_its_label_and_never_guessed() -> None:
    for typed in ("write full_house", "write Full house", "write full house", "w FULL HOUSE"):
        assert "Ann writes 0 in Full house: 0." in answers(sheet_table("penta"), typed)
    for typed in ("write", "write full", "write f", "write 1", "write"):
        assert not any("writes" in line for line in answers(sheet_table("penta"), typed))


def test_held_dice_stay_and_the_others_fly() -> None:
    said = answers(sheet_table("penta"), "keep 2 2", "roll", "keep none", "roll", "roll", "keep 2", "write twos")
    assert "Ann throws 2 4 2 2 2." in said
    assert "Ann keeps none." in said
    assert any(line.startswith("All 3 throws are used: write a cell.") for line in said)


def test_keeping_all_dice_leaves_nothing_to_throw() -> None:
    said = answers(sheet_table("penta"), "keep all", "roll")
    assert said[-2].startswith("All dice are kept: keep fewer, or write a cell.")


def test_the_end_of_the_input_and_quit_leave_the_game() -> None:
    for typed in ("", "quit\n", "q", "keep 1\nquit\n", "\n\n  \n"):
        code, text = session(bank_table(), typed)
        assert code == Exit.DONE
        assert text.endswith("Game left in Ann's turn: Ann 0, Bob 0. Seed: 42\n")


def test_an_overlong_line_is_refused_whole() -> None:
    said = answers(bank_table(), "keep 1" + " " * 1200 + "5", "sheet")
    assert said[1].startswith("A line may have at most 1000 characters.")
    assert "Ann: 0" in said


def test_the_sheet_shows_the_way_to_the_bonus() -> None:
    said = answers(sheet_table("penta"), "write twos", "sheet")
    assert "  Bonus: 4 of 63" in said and "  Twos: 4" in said and "  Ones: free" in said


def test_the_events_of_the_rules_are_announced() -> None:
    farkle = (GOLDEN / "farkle.txt").read_text(encoding="utf-8")
    assert "Lost turn! " in farkle and "Last turn! " in farkle
    poker = (GOLDEN / "poker.txt").read_text(encoding="utf-8")
    assert "No free cell scores: you have to sacrifice one." in poker


def test_hot_dice_are_announced() -> None:
    found = bank_table()
    for seed in range(1000):
        state, _events = game.start(found, [Seat("Ann")], str(seed))
        thrown = game.deal(found, state)
        if len(next(iter(found.keeps(tuple(sorted(thrown.dice))) or [()]))) == 6:
            break
    out = io.StringIO()
    console = Console(stdin=io.StringIO("keep all\nroll\n"), stdout=out, stderr=out)
    play(found, game.start(found, [Seat("Ann")], str(seed)), Lines(found, console, Helper(found, console)))
    assert "Hot dice! Ann may throw all dice again.\nYou may roll 6 dice or bank" in out.getvalue()


def test_json_lines_tell_events_what_is_allowed_and_errors() -> None:
    text = session(bank_table(), "keep 2\nkeep 1 5\nbank\n", as_json=True)[1]
    objects: list[dict[str, Any]] = [json.loads(line) for line in text.splitlines()]
    kinds = [each.get("type", "error") for each in objects]
    assert kinds[:8] == [
        "game_started", "turn_started", "thrown", "your_turn", "error", "kept", "your_turn", "banked",
    ]  # fmt: skip
    assert objects[3]["allowed"] == ["keep 1 5", "keep 1", "keep 5"]
    assert objects[4]["error"]["code"] == "does_not_score"
    assert objects[6]["allowed"] == ["roll", "bank"]
    assert kinds[-1] == "left"


@pytest.mark.parametrize("name", SHIPPED)
def test_every_line_that_json_allows_is_taken(name: str) -> None:
    found = table(name)
    typed: list[str] = []
    for _ in range(12):
        text = session(found, "\n".join(typed), as_json=True)[1]
        turns = [json.loads(line) for line in text.splitlines() if '"your_turn"' in line]
        assert '"error"' not in text
        typed.append(turns[-1]["allowed"][len(typed) % len(turns[-1]["allowed"])])


TYPED = "keep roll bank write sheet rules help ? 1 5 #1 # #99999999999 ones none all chance é -1 ² k r , \0 \x1b[2J"
WORDS = st.sampled_from([*TYPED.split(" "), "full house", "1" * 2000])
LINES = st.lists(st.lists(WORDS, max_size=4).map(" ".join) | st.text(max_size=30), max_size=25)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(name=st.sampled_from(SHIPPED), typed=LINES, as_json=st.booleans())
def test_whatever_is_typed_the_game_goes_on_or_is_left(name: str, typed: list[str], as_json: bool) -> None:
    code, text = session(table(name), "\n".join(typed), as_json=as_json)
    assert code == Exit.DONE
    assert "\x1b" not in text


def test_a_menu_in_lines_takes_numbers_and_names() -> None:
    from dicecli.ui.lines import choose_game
    from dicecli.ui.play import Leave

    for typed, chosen in (("2\n", "penta"), ("0\n9\nx\n\n1\n", "farkle"), ("poker\n", "poker")):
        console = Console(stdin=io.StringIO(typed), stdout=io.StringIO())
        assert choose_game(console, FIRST) == chosen
    with pytest.raises(Leave):
        choose_game(Console(stdin=io.StringIO("x\n"), stdout=io.StringIO()), FIRST)


def test_seats_follow_the_ruleset(dicecli: Run) -> None:
    def players(*words: str) -> str:
        return dicecli("play", *words).stdout.splitlines()[0].split("Players: ")[1]

    assert players("farkle") == "Player, Computer."
    assert players("farkle", "--player", "Ann", "--player", "Bob") == "Ann, Bob."
    assert players("farkle", "--player", "Computer") == "Computer, Computer 1."
    assert players("farkle", "--computers", "2") == "Player, Computer 1, Computer 2."
    assert players("penta", "--computers", "0") == "Player."
    assert players("poker", "--player", "Ann") == "Ann, Computer."
