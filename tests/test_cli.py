"""The commands as a shell sees them: output, streams, exit codes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, SHIPPED, Run

from dicecli.game.dice import throw


def parsed(done: subprocess.CompletedProcess[str]) -> Any:
    assert done.stderr == ""
    return json.loads(done.stdout)


# score


def test_score_of_farkle_as_json(dicecli: Run) -> None:
    one = {"combination": "one", "dice": [1], "score": 100}
    five = {"combination": "five", "dice": [5], "score": 50}
    assert parsed(dicecli("score", "farkle", "1", "5", "3", "3", "6", "2", "--json")) == {
        "ruleset": "farkle",
        "dice": [1, 5, 3, 3, 6, 2],
        "bust": False,
        "best": 150,
        "keeps": [
            {"dice": [1, 5], "positions": [0, 1], "score": 150, "parts": [one, five]},
            {"dice": [1], "positions": [0], "score": 100, "parts": [one]},
            {"dice": [5], "positions": [1], "score": 50, "parts": [five]},
        ],
    }


def test_a_bust_as_json_and_as_text(dicecli: Run) -> None:
    bust = parsed(dicecli("score", "farkle", "2", "3", "4", "4", "6", "6", "--json"))
    assert (bust["bust"], bust["best"], bust["keeps"]) == (True, 0, [])
    assert dicecli("score", "farkle", "234466").stdout == "No die scores: lost turn.\n"


def test_score_of_penta_with_a_sheet(dicecli: Run) -> None:
    scored = parsed(dicecli("score", "penta", "44444", "--filled", "penta=50", "--json"))
    assert scored["best"] == "fours"
    assert scored["sacrifice"] is False
    assert [cell["cell"] for cell in scored["cells"]][:4] == ["ones", "twos", "threes", "fours"]
    assert "penta" not in [cell["cell"] for cell in scored["cells"]]
    assert [cell for cell in scored["cells"] if cell["legal"]] == [
        {"cell": "fours", "score": 20, "extra": 100, "legal": True}
    ]


def test_a_sacrifice_is_said(dicecli: Run) -> None:
    filled = "ones=1,twos=2,threes=3,fours=4,fives=5,sixes=6,set=0,kare=0,full_house=0,small_straight=0,chance=9"
    done = dicecli("score", "penta", "12346", "--filled", filled, "--json")
    assert parsed(done)["sacrifice"] is True
    assert "sacrificed" in dicecli("score", "penta", "12346", "--filled", filled).stdout


@pytest.mark.parametrize("dice", [["153362"], ["1", "5", "3", "3", "6", "2"], ["153", "362"], ["1,5,3,3,6,2"]])
def test_dice_may_stand_together(dicecli: Run, dice: list[str]) -> None:
    assert parsed(dicecli("score", "farkle", *dice, "--json"))["dice"] == [1, 5, 3, 3, 6, 2]


def test_a_bank_game_takes_fewer_dice_and_a_sheet_game_does_not(dicecli: Run) -> None:
    assert parsed(dicecli("score", "farkle", "1", "--json"))["best"] == 100
    done = dicecli("score", "penta", "1234")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "DICE: 5 dice are needed, not 4\n"


def test_explain_names_the_rule_in_the_file(dicecli: Run) -> None:
    scored = parsed(dicecli("score", "penta", "44444", "--filled", "penta=50,fours=8", "--explain", "--json"))
    house = next(cell for cell in scored["cells"] if cell["cell"] == "full_house")
    assert [rule["rule"] for rule in house["rules"]] == ["joker.scores.full_house", "extras.more_pentas"]
    lines = (ROOT / "rulesets" / "penta.yaml").read_text(encoding="utf-8").splitlines()
    for rule in house["rules"]:
        assert lines[rule["line"] - 1][rule["column"] - 1 :].startswith(rule["rule"].split(".")[-1])
    assert "combinations.one, " in dicecli("score", "farkle", "1", "--explain").stdout


def test_rolls_from_stdin_keep_their_order_and_bad_ones_are_errors(dicecli: Run) -> None:
    done = dicecli("score", "farkle", "-", "--json", input="1 5\nabc\n\n111\n1 2 3 4 5 6 6\n222222")
    assert (done.returncode, done.stderr) == (1, "")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer.get("best") for answer in answers] == [150, None, None, 1000, None, 1600]
    errors = [answer["error"] for answer in answers if "error" in answer]
    assert [(error["code"], error["at"]) for error in errors] == [
        ("not_a_face", {"line": 2}),
        ("no_dice", {"line": 3}),
        ("too_many_dice", {"line": 5}),
    ]


def test_bad_rolls_from_stdin_go_to_stderr_as_text(dicecli: Run) -> None:
    done = dicecli("score", "farkle", "-", input="1 5\nabc\n234466\n")
    assert done.returncode == 1
    assert done.stdout == "1 5: 150 (1 5)\n2 3 4 4 6 6: lost turn\n"
    assert done.stderr == "line:2: 'abc' is no face of these dice: they show 1 to 6\n"


def test_the_stream_writes_what_single_scores_write(dicecli: Run) -> None:
    for game, rolls in (("farkle", ["153362", "5 5 1 1 3 3", "6"]), ("penta", ["44444", "1 2 3 3 4"])):
        streamed = dicecli("score", game, "-", "--json", input="\n".join(rolls)).stdout.splitlines()
        assert streamed == [dicecli("score", game, roll, "--json").stdout.strip() for roll in rolls]


def test_the_stream_answers_at_once_what_is_at_hand() -> None:
    command = [sys.executable, "-m", "dicecli", "score", "farkle", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin and process.stdout
        for dice in ("1", "5"):
            process.stdin.write(dice + "\n")
            process.stdin.flush()
            assert process.stdout.readline().startswith(dice + ": ")
        process.stdin.close()
        assert process.wait(10) == 0


def test_an_endless_line_does_not_fill_the_memory(dicecli: Run) -> None:
    done = dicecli("score", "farkle", "-", "--json", input="1" * 3_000_000 + "\n5\n")
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["error"]["code"] == "line_too_long"
    assert second["best"] == 50


# roll


def test_roll_of_a_notation_as_json(dicecli: Run) -> None:
    done = dicecli("roll", "4d6dl1+2", "--seed", "42", "--times", "2", "--json")
    first, second = map(json.loads, done.stdout.splitlines())
    assert first == {"notation": "4d6dl1+2", "dice": [2, 3, 1, 2], "kept": [2, 3, 2], "total": 9, "seed": "42"}
    assert second["dice"] == [5, 4, 2, 2]


def test_roll_of_a_game_as_json(dicecli: Run) -> None:
    rolled = parsed(dicecli("roll", "farkle", "--seed", "42", "--json"))
    assert (rolled["dice"], rolled["seed"]) == ([2, 3, 1, 2, 5, 4], "42")
    assert rolled["score"] == parsed(dicecli("score", "farkle", "231254", "--json"))


def test_rolls_without_a_seed_differ_and_their_seed_repeats_them(dicecli: Run) -> None:
    first, second = (parsed(dicecli("roll", "20d6", "--json")) for _ in range(2))
    assert first["dice"] != second["dice"]
    assert list(throw(first["seed"], 0, 20, 6)[0]) == first["dice"]


@pytest.mark.parametrize(
    ("notation", "column"),
    [("4d6dl4", 4), ("2d6++1", 5), ("0d6", 1), ("99999999999d6", 1), ("1d3d4d5", 4), ("", 1), ("2d6 x", 5)],
)
def test_a_bad_notation_is_an_error_with_its_column(dicecli: Run, notation: str, column: int) -> None:
    done = dicecli("roll", notation, "--json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["at"] == {"argument": "WHAT", "column": column}


@pytest.mark.parametrize("words", [[], ["--help"]])
def test_without_a_command_help_says_what_there_is(dicecli: Run, words: list[str]) -> None:
    done = dicecli(*words)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Start with: dicecli play" in done.stdout and "simulate" in done.stdout


def test_a_misspelt_game_is_told(dicecli: Run) -> None:
    assert "did you mean 'farkle'?" in dicecli("roll", "frakle").stderr
    assert "did you mean 'farkle'?" in dicecli("score", "frakle", "1").stderr


# rules


def test_rules_list(dicecli: Run, tmp_path: Path) -> None:
    own = Path(dicecli("rules", "path").stdout.strip())
    own.mkdir(parents=True)
    (own / "mine.yaml").write_text((ROOT / "rulesets" / "farkle.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    (own / "penta.yaml").write_text("a: 1\n", encoding="utf-8")
    rows = [json.loads(line) for line in dicecli("rules", "list", "--json").stdout.splitlines()]
    assert [row["ruleset"] for row in rows if not row["own"]] == SHIPPED
    assert [(row["ruleset"], row["hidden"]) for row in rows if row["own"]] == [("mine", False), ("penta", True)]
    assert parsed(dicecli("score", "mine", "1", "--json"))["ruleset"] == "mine"


def test_rules_show(dicecli: Run) -> None:
    for game in SHIPPED:
        assert dicecli("rules", "show", game, "--yaml").stdout == (ROOT / "rulesets" / f"{game}.yaml").read_text(
            "utf-8"
        )
    sheet = dicecli("rules", "show", "penta").stdout
    assert "Bonus: 35 from 63 points" in sheet
    assert "Full house 25, Small straight 30, Large straight 40" in sheet


def test_rules_check_finds_every_mistake(dicecli: Run, tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text(
        "name: Bad\nfamily: bank\ndice: {count: 11, faces: 6}\ncombinations:\n  one: {dice: [1], scroe: 1}\n"
    )
    done = dicecli("rules", "check", "farkle", str(bad))
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0] == "farkle: good, 13 examples hold"
    assert f"{bad}:3:15: expected a whole number from 1 to 10, found 11" in lines
    assert f"{bad}:5:20: unknown key 'scroe' (did you mean 'score'?)" in lines
    assert any("'targets' is missing" in line for line in lines)


def test_rules_check_runs_the_examples(dicecli: Run) -> None:
    text = (ROOT / "rulesets" / "farkle.yaml").read_text(encoding="utf-8").replace("score: 8000}", "score: 7999}")
    done = dicecli("rules", "check", "-", input=text)
    assert done.returncode == 1
    assert "example 1 1 1 1 1 1: expected 7999, but the rules give 8000" in done.stdout


def test_a_ruleset_from_a_path_and_from_stdin(dicecli: Run) -> None:
    path = ROOT / "rulesets" / "farkle.yaml"
    assert parsed(dicecli("score", str(path), "1", "--json"))["best"] == 100
    assert parsed(dicecli("score", "-", "1", "--json", input=path.read_text(encoding="utf-8")))["ruleset"] == "stdin"


# errors and streams


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["score", "nosuch", "1"], "unknown_game"),
        (["score", "farkle", "7"], "not_a_face"),
        (["score", "farkle", "1111111"], "too_many_dice"),
        (["score", "farkle", "1", "--filled", "a=1"], "no_sheet"),
        (["score", "penta", "11111", "--filled", "ones"], "filled_form"),
        (["score", "penta", "11111", "--filled", "one=1"], "unknown_cell"),
        (["score", "penta", "11111", "--filled", "ones=1,ones=2"], "filled_twice"),
        (["score", "-", "-"], "two_stdins"),
        (["roll", "2d6", "--times", "0"], "bad_times"),
        (["play", "farkle", "--player", ""], "bad_player_name"),
        (["play", "farkle", "--player", "a\x1b[2Jb"], "bad_player_name"),
        (["play", "farkle", "--player", "Ann", "--player", "Ann"], "same_player_name"),
        (["play", "farkle", "--computers", "9"], "wrong_number_of_players"),
        (["play", "poker", "--computers", "0"], "wrong_number_of_players"),
        (["play", "penta", "--target", "100"], "no_target"),
        (["play"], "which_game"),
        (["play", "-"], "game_from_stdin"),
        (["roll", "2d6", "--lang", "xx"], "unknown_language"),
        (["score"], "usage"),
        (["rol"], "usage"),
        (["roll", "--nosuch"], "usage"),
        (["play", "farkle", "--computers", "x"], "usage"),
    ],
)
def test_errors_are_one_json_object_or_lines_on_stderr(dicecli: Run, words: list[str], code: str) -> None:
    done = dicecli(*words, "--json")
    assert (done.returncode, done.stderr) == (2, "")
    error = json.loads(done.stdout)["error"]
    assert error["code"] == code
    assert error["message"] and "at" in error
    done = dicecli(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr and done.stderr


def test_a_missing_file_is_refused(dicecli: Run) -> None:
    done = dicecli("score", "./nosuch.yaml", "1", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["error"] == {
        "code": "unreadable",
        "message": "can't be read: No such file or directory",
        "at": {"file": "nosuch.yaml"},
    }
    assert dicecli("score", "./", "1").returncode == 1


def test_several_problems_are_all_in_the_json(dicecli: Run) -> None:
    done = dicecli("score", "-", "1", "--json", input="family: bank\nx: 1\ny: 2\n")
    error = json.loads(done.stdout)["error"]
    assert done.returncode == 1
    assert [problem["code"] for problem in error["problems"]].count("unknown_key") == 2


def test_arguments_that_are_no_utf8_are_refused() -> None:
    command = [sys.executable.encode(), b"-m", b"dicecli", b"roll", b"2d6", b"--seed", b"\xff"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"UTF-8" in done.stderr and b"Traceback" not in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1"])
def test_nothing_fails_on_a_narrow_encoding(dicecli: Run, encoding: str) -> None:
    narrow = {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    for words in (
        ["rules", "show", "farkle"],
        ["rules", "list"],
        ["score", "farkle", "1"],
        ["roll", "2d6"],
        ["--help"],
    ):
        done = dicecli(*words, env=narrow)
        assert (done.returncode, done.stderr) == (0, "")
    done = dicecli("play", "farkle", "--player", "Żółw", env=narrow, input="quit\n")
    assert done.returncode == 0 and "Traceback" not in done.stderr


@pytest.mark.parametrize("env", [{"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0"}, {"TERM": "dumb"}, {"NO_COLOR": "1"}])
def test_no_escape_codes_and_no_boxes_without_a_terminal(dicecli: Run, env: dict[str, str]) -> None:
    for words in (["--help"], ["play", "--help"], ["rules", "show", "penta"], ["play", "penta", "--seed", "1"]):
        done = dicecli(*words, env=env)
        assert done.returncode == 0
        assert "\x1b" not in done.stdout + done.stderr
        assert not set("─│╭╰") & set(done.stdout)


def test_a_closed_pipe_is_141_and_silent() -> None:
    command = [sys.executable, "-m", "dicecli", "roll", "2d6", "--times", "1000000", "--seed", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout and process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(20) == 141


@pytest.mark.parametrize(
    "words", [["play", "farkle"], ["score", "farkle", "-"], ["roll", "9d9", "--times", "999999999"]]
)
def test_ctrl_c_is_130_without_a_traceback(words: list[str]) -> None:
    command = (
        [sys.executable, "-m", "dicecli", *words, "--seed", "1"]
        if words[0] != "score"
        else [sys.executable, "-m", "dicecli", *words]
    )
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin and process.stdout and process.stderr
        if words[0] == "score":
            process.stdin.write(b"1\n")
            process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
        assert process.returncode == 130
        assert b"Traceback" not in err
        if words[0] == "play":
            assert b"Game left in Player's turn: Player 0, Computer 0. Seed: 1" in out


def test_help_is_short_and_named_on_every_command(dicecli: Run) -> None:
    for words in ([], ["play"], ["score"], ["roll"], ["rules"], ["rules", "list"], ["rules", "check"]):
        done = dicecli(*words, "-h")
        assert done.returncode == 0
        assert done.stdout.startswith("Usage: dicecli")
        if words and words != ["rules"]:
            for option in ("--plain", "--no-color", "--quiet", "--lang"):
                assert option in done.stdout


def test_the_version(dicecli: Run) -> None:
    assert dicecli("--version").stdout.startswith("dicecli 0.")


@pytest.mark.parametrize(
    "words", [["score", "penta", "44444", "--json"], ["roll", "4d6dl1"], ["roll", "farkle", "--json"]]
)
def test_one_shot_commands_load_nothing_heavy(words: list[str]) -> None:
    code = (
        "import sys\nfrom dicecli.ui.cli.app import run\n"
        f"assert run({words!r}) == 0\n"
        "heavy = {'numpy', 'questionary', 'prompt_toolkit', 'rich', 'babel', 'sqlite3'}\n"
        "sys.exit(', '.join(heavy & {name.split('.')[0] for name in sys.modules}) or None)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_quiet_leaves_only_results(dicecli: Run) -> None:
    loud = dicecli("play", "farkle", "--target", "777", input="quit\n")
    assert loud.stderr == "Note: 777 is none of this game's targets (5000, 10000, 15000).\n"
    assert dicecli("play", "farkle", "--target", "777", "-q", input="quit\n").stderr == ""


def test_settings_that_cannot_be_read_are_refused_with_their_file(tmp_path: Path) -> None:
    from dicecli.errors import BadFile
    from dicecli.ui import settings

    os.environ["XDG_CONFIG_HOME"] = str(tmp_path)
    try:
        assert settings.read().clock is True
        file = settings.file()
        file.parent.mkdir(parents=True)
        file.write_text("clock = false\n")
        assert settings.read().clock is False
        for text in ("clock = 1\n", "clok = true\n", "clock =\n"):
            file.write_text(text)
            with pytest.raises(BadFile) as refused:
                settings.read()
            assert refused.value.problems[0].at and refused.value.problems[0].at.file == str(file)
    finally:
        del os.environ["XDG_CONFIG_HOME"]
