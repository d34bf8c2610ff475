"""The man page and the completions: committed as the commands make them, and working."""

from __future__ import annotations

import subprocess

import pytest
from conftest import ROOT, SHIPPED, Run

from dicecli.errors import Exit
from dicecli.ui.cli.manual import entries_of_all


@pytest.mark.parametrize(
    ("what", "file"),
    [
        ("man", "man/dicecli.1"),
        ("bash", "completions/dicecli.bash"),
        ("zsh", "completions/_dicecli"),
        ("fish", "completions/dicecli.fish"),
    ],
)
def test_what_is_committed_is_what_the_commands_make(dicecli: Run, what: str, file: str) -> None:
    assert dicecli("generate", what).stdout == (ROOT / file).read_text(encoding="utf-8")


def test_the_man_page_names_every_command_and_option() -> None:
    page = (ROOT / "man" / "dicecli.1").read_text(encoding="utf-8").replace("\\-", "-")
    for entry in entries_of_all():
        assert " ".join(("dicecli", *entry.path)) in page
        for option in entry.options:
            assert all(rf"\fB{name}\fR" in page for name in option.names)
            assert option.help
    for code in Exit:
        assert f".TP\n\\fB{code.value}\\fR\n" in page


def complete(*words: str) -> list[str]:
    script = (
        f"source {ROOT / 'completions' / 'dicecli.bash'}\n"
        'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; }\n'
        "_dicecli; printf '%s\\n' \"${COMPREPLY[@]}\""
    )
    done = subprocess.run(
        ["bash", "-c", script, "bash", "dicecli", *words], capture_output=True, text=True, check=True, cwd="/"
    )
    return done.stdout.split()


def test_bash_completes_commands_games_and_options() -> None:
    assert complete("") == ["play", "score", "roll", "odds", "solve", "advise", "simulate", "rules"]
    assert complete("rules", "ch") == ["check"]
    takes_game = (["play"], ["score"], ["roll"], ["odds"], ["solve"], ["advise"], ["simulate"])
    for path in (*takes_game, ["rules", "show"], ["rules", "check"]):
        assert set(SHIPPED) <= set(complete(*path, ""))
        assert complete(*path, "fark") == [name for name in SHIPPED if name.startswith("fark")]
    assert complete("score", "penta", "--fi") == ["--filled"]
    assert complete("play", "--seed", "") == []
    assert complete("play", "farkle", "--pl") == ["--player", "--plain"]
