"""A real terminal: a pseudo-terminal, keys that are pressed, and the screen that a person sees."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import pyte
import pytest

WAIT = 15


class Terminal:
    """`dicecli` in a terminal of so many columns and rows."""

    def __init__(self, home: Path, words: list[str], columns: int, rows: int, **env: str) -> None:
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)
        places = {"HOME": str(home), **{f"XDG_{kind}_HOME": str(home) for kind in ("CONFIG", "DATA", "CACHE")}}
        kept = {
            key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "ACCESSIBLE", "COLUMNS", "LINES")
        }
        self.raw = ""
        self.process = pexpect.spawn(
            sys.executable,
            ["-m", "dicecli", *words],
            dimensions=(rows, columns),
            env={**kept, "TERM": "xterm-256color", "PYTHONUTF8": "1", **places, **env},
            encoding="utf-8",
            timeout=WAIT,
        )

    def read(self, seconds: float = 0.05) -> bool:
        """Whether anything came within the time."""
        try:
            text = self.process.read_nonblocking(100_000, timeout=seconds)
        except (pexpect.TIMEOUT, pexpect.EOF):
            return False
        self.raw += text
        self.stream.feed(text)
        return True

    def shows(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip()

    def until(self, wanted: str | Callable[[str], bool]) -> str:
        """The screen once it holds `wanted`, and nothing more comes."""
        deadline = time.monotonic() + WAIT
        while time.monotonic() < deadline:
            more = self.read()
            shown = self.shows()
            if not more and (wanted in shown if isinstance(wanted, str) else wanted(shown)):
                return shown
        raise AssertionError(f"not seen: {wanted}\n{self.shows()}")

    def press(self, keys: str) -> None:
        self.process.send(keys)

    def code(self) -> object:
        deadline = time.monotonic() + WAIT
        while self.process.isalive() and time.monotonic() < deadline:
            self.read()
        self.read()
        self.process.close()
        return self.process.exitstatus


Open = Callable[..., Terminal]


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Open]:
    opened: list[Terminal] = []

    def start(*words: str, columns: int = 80, rows: int = 24, **env: str) -> Terminal:
        opened.append(Terminal(tmp_path, list(words), columns, rows, **env))
        return opened[-1]

    yield start
    for each in opened:
        each.process.close(force=True)


FARKLE = ("play", "farkle", "--seed", "42", "--player", "Ann", "--player", "Bob", "--target", "5000")
PENTA = ("play", "penta", "--seed", "42", "--player", "Ann", "--computers", "0")


def test_dice_are_drawn_and_the_table_is_in_view(terminal: Open) -> None:
    game = terminal(*FARKLE)
    shown = game.until("For example 1 5 = 150")
    assert shown.count("╭─────╮") == 6
    for text in (
        "Farkle to 5000",
        "Player",
        "Total",
        "This turn",
        "> ",
        "Ann, set aside which dice?",
        "Fingerprint 7347",
    ):
        assert text in shown
    game.press("15")
    game.until("1 5 = 150. Enter, or r: and roll, b: and bank 150")
    game.press("\r")
    shown = game.until("Ann, what now?")
    assert "Set aside: ⚀ 1 ⚄ 5" in shown
    assert shown.count("╭─────╮") == 4
    assert "Throw 4 dice (r)" in shown and "Bank 150 (b)" in shown
    game.press("b")
    shown = game.until("Bob, set aside which dice?")
    assert "Ann banks 150 points: 150." in shown


def test_typing_a_face_twice_takes_it_back(terminal: Open) -> None:
    game = terminal(*FARKLE)
    game.until("For example 1 5 = 150")
    game.press("5")
    game.until("5 = 50. Enter")
    game.press("2")
    game.until("does not score completely")
    game.press("\r")
    game.press("2")
    game.until("does not score completely")
    game.press("2")
    game.until("5 = 50. Enter")


def test_ticking_with_arrows_and_space(terminal: Open) -> None:
    game = terminal(*FARKLE)
    game.until("For example 1 5 = 150")
    game.press("\x1b[B\x1b[B ")
    game.until("1 = 100. Enter")
    game.press("\r")
    game.until("Bank 100 (b)")


@pytest.mark.parametrize(("keys", "code"), [("q", 0), ("\x04", 0), ("\x03", 130)])
def test_leaving_says_where_the_game_stood(terminal: Open, keys: str, code: int) -> None:
    game = terminal(*FARKLE)
    game.until("For example 1 5 = 150")
    game.press(keys)
    assert game.code() == code
    assert "Game left in Ann's turn: Ann 0, Bob 0. Seed: 42" in game.shows()
    assert "Traceback" not in game.raw


def test_a_question_mark_shows_the_rules_and_s_the_sheets(terminal: Open) -> None:
    game = terminal(*FARKLE)
    game.until("For example 1 5 = 150")
    game.press("?")
    shown = game.until("Press a key to go on")
    assert "Three pairs" in shown and "1500" in shown
    game.press("x")
    game.until(lambda shown: "Press a key" in shown and "Source" in shown)
    game.press("x")
    game.until("For example 1 5 = 150")
    game.press("s")
    assert "last throw: 2 3 1 2 5 4" in game.until("Press a key to go on")
    game.press("x")
    game.until("For example 1 5 = 150")


def test_a_whole_game_of_farkle(terminal: Open) -> None:
    game = terminal(*FARKLE, rows=30)
    for _turn in range(200):
        shown = game.until(lambda text: "For example" in text or "Seed: 42" in text)
        if "Seed: 42" in shown:
            break
        example = shown.split("For example ")[1].split(" = ")[0]
        game.press(example.replace(" ", ""))
        game.until("Enter, or r: and roll")
        game.press("b")
        game.until(lambda text: "Enter, or r: and roll" not in text)
    game.until("v: look back on the game")
    game.press("x")
    assert game.code() == 0
    assert " wins: Ann " in game.shows() and "Seed: 42" in game.shows()
    assert "Last turn! " in game.raw


def test_a_whole_game_of_penta(terminal: Open) -> None:
    game = terminal(*PENTA, "--no-clock", rows=30)
    for turn in range(13):
        shown = game.until("Ann, keep which dice? 2 throws left")
        assert "Upper" in shown and "Small straight" in shown and " of 63" in shown and "now" in shown
        game.press("\r")
        game.until("Ann, keep which dice? 1 throw left")
        game.press("w")
        shown = game.until("Ann, which cell?")
        assert "Throw again instead" in shown
        game.press("\r")
        game.until(lambda text, turn=turn: "2 throws left" in text or turn == 12)  # type: ignore[misc]
    assert "The game is over: Ann " in game.until("v: look back on the game")
    game.press("v")
    shown = game.until("Press a key to go on")
    assert "Ann's game looked back on" in shown and "best: " in shown
    game.press("q")
    assert game.code() == 0


def test_after_the_last_throw_the_clock_writes_the_cell_that_the_computer_would(terminal: Open) -> None:
    game = terminal(*PENTA)
    game.until("2 throws left")
    game.press("\r")
    game.until("1 throw left")
    game.press("\r")
    game.until("Time is up")
    # The seconds are drawn over each other, so each stands in what was sent, however late it is read.
    counted = re.search(
        r";1m([^\x1b]+) is written in 3 s; any key stops the clock.*?;1m2\x1b.*?;1m1\x1b.*Time is up", game.raw, re.S
    )
    assert counted
    assert f"in {counted[1]}: " in game.until("2 throws left")


def test_any_key_stops_the_clock_and_does_nothing_else(terminal: Open) -> None:
    game = terminal(*PENTA)
    game.until("2 throws left")
    game.press("\r")
    game.until("1 throw left")
    game.press("\r")
    game.until("any key stops the clock")
    game.press("\r")
    game.until(lambda text: "any key stops the clock" not in text)
    time.sleep(3.5)
    game.read(0.2)
    assert "Ann, which cell?" in game.shows()
    game.press("\r")
    game.until("2 throws left")


@pytest.mark.parametrize("off", ["--no-clock", "setting"])
def test_the_clock_can_be_turned_off(terminal: Open, tmp_path: Path, off: str) -> None:
    if off == "setting":
        (tmp_path / "dicecli").mkdir()
        (tmp_path / "dicecli" / "config.toml").write_text("clock = false\n")
    game = terminal(*PENTA, *([off] if off != "setting" else []))
    game.until("2 throws left")
    game.press("\r")
    game.until("1 throw left")
    game.press("\r")
    game.until("Ann, which cell?")
    time.sleep(1.2)
    game.read(0.2)
    assert "any key stops the clock" not in game.raw


@pytest.mark.parametrize(("columns", "rows"), [(40, 24), (40, 10), (80, 10), (132, 50)])
def test_small_and_large_windows_are_playable(terminal: Open, columns: int, rows: int) -> None:
    game = terminal(*PENTA, "--no-clock", columns=columns, rows=rows)
    shown = game.until("2 throws left")
    assert "> Ann 0" in shown
    game.press("w")
    shown = game.until("Ann, which cell?")
    assert "> Ann 0" in shown
    game.press("\x1b[B\r")
    game.until("2 throws left")
    game = terminal(*FARKLE, columns=columns, rows=rows)
    assert "Ann" in game.until("For example")
    game.press("15r")
    game.until(lambda shown: "For example 1 5" not in shown)


def test_the_menu_starts_a_game(terminal: Open) -> None:
    game = terminal("play", "--seed", "42", "--computers", "0")
    shown = game.until("Which game?")
    assert "Balut" in shown and "Big Pig (big-pig)" in shown
    game.press("\r")
    assert "Player, keep which dice?" in game.until("2 throws left")
    game = terminal("play")
    game.until("Which game?")
    game.press("q")
    assert game.code() == 0
    game = terminal("play")
    game.until("Which game?")
    game.press("\x03")
    assert game.code() == 130


def test_a_page_is_left_with_q_and_the_game_with_the_end_of_input(terminal: Open) -> None:
    game = terminal(*FARKLE)
    game.until("For example 1 5 = 150")
    game.press("5?")
    game.until("Press a key to go on")
    game.press("q")
    game.until("5 = 50. Enter")  # and what was ticked is still ticked
    game.press("s")
    game.until("Press a key to go on")
    game.press("\x04")
    assert game.code() == 0
    assert "Game left in Ann's turn" in game.shows() and "Traceback" not in game.raw


def test_a_stopped_clock_stays_stopped(terminal: Open) -> None:
    game = terminal(*PENTA)
    game.until("2 throws left")
    game.press("\r")
    game.until("1 throw left")
    game.press("\r")
    game.until("any key stops the clock")
    game.press("x")
    game.until(lambda text: "any key stops the clock" not in text)
    game.press("?")
    game.until("Press a key to go on")
    game.press("q")
    game.until("Ann, which cell?")
    time.sleep(1.2)
    assert "any key stops the clock" not in game.until("Ann, which cell?")


def test_another_size_draws_the_table_anew(terminal: Open) -> None:
    game = terminal(*PENTA)
    game.until("2 throws left")
    shown = ""
    for columns, rows in ((40, 24), (100, 40), (80, 24)):
        game.screen.resize(rows, columns)
        game.process.setwinsize(rows, columns)
        shown = game.until(lambda text: text.count("Ann, keep which dice?") == 1 and "> Ann 0" in text)
        assert max(map(len, shown.splitlines())) <= columns
    assert "Upper" in shown


def test_four_players_see_every_sheet_at_80_columns(terminal: Open) -> None:
    names = [word for name in ("Ann", "Bob", "Cleo", "Dora") for word in ("--player", name)]
    game = terminal("play", "penta", "--seed", "42", "--no-clock", *names)
    shown = game.until("2 throws left")
    for text in ("Upper", "Lower", "Small straight", "Cleo", "Dora", "0/63"):
        assert text in shown


def test_every_kind_of_game_opens_at_the_terminal(terminal: Open) -> None:
    for name, wanted in (("pig", "what now?"), ("jamb", "keep which dice?"), ("letter-greed", "set aside which dice?")):
        game = terminal("play", name, "--seed", "5", "--player", "Ann", "--player", "Bob")
        game.until(wanted)
        game.press("q")
        assert game.code() == 0


def test_no_color_sends_no_colours(terminal: Open) -> None:
    for env, words in (({"NO_COLOR": "1"}, FARKLE), ({}, (*FARKLE, "--no-color"))):
        game = terminal(*words, **env)
        game.until("For example 1 5 = 150")
        assert not any(
            f"\x1b[{code}" in game.raw for code in ("31", "32", "33", "34", "35", "36", "38;", "0;38", "0;3")
        )


@pytest.mark.parametrize("env", [{"TERM": "dumb"}, {"ACCESSIBLE": "1"}, {"PYTHONIOENCODING": "ascii"}])
def test_line_mode_where_prompts_cannot_work_or_are_not_wanted(terminal: Open, env: dict[str, str]) -> None:
    game = terminal(*FARKLE, **env)
    game.until("You may keep: 1 5 = 150, 1 = 100, 5 = 50.\n>")
    assert "\x1b" not in game.raw
    game.press("keep 1 5\n")
    game.until("Ann sets aside 1 5 for 150")
    game.press("\x04")
    assert game.code() == 0
    assert "Game left in Ann's turn" in game.shows()


def test_ctrl_c_in_line_mode(terminal: Open) -> None:
    game = terminal(*FARKLE, "--plain")
    game.until("You may keep")
    game.press("\x03")
    assert game.code() == 130
    assert "Game left in Ann's turn" in game.shows() and "Traceback" not in game.raw


def test_help_has_boxes_on_a_terminal_only_where_wanted(terminal: Open) -> None:
    game = terminal("--help")
    game.code()
    assert "╭" in game.raw
    for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"ACCESSIBLE": "1"}):
        game = terminal("--help", **env)
        game.code()
        assert "╭" not in game.raw and "\x1b" not in game.raw
