"""README.md: every command in it runs and shows what it says."""

from __future__ import annotations

import re
import shlex

from conftest import ROOT, Run

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_first_two_commands() -> None:
    blocks = re.findall(r"```sh\n(.*?)```", README, re.S)
    assert [line.split("#")[0].strip() for line in blocks[0].splitlines()] == ["make play", "make test"]


def test_every_shown_command_gives_what_is_shown(dicecli: Run) -> None:
    blocks = re.findall(r"```console\n(.*?)```", README, re.S)
    shown = 0
    for block in blocks:
        for step in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _newline, expected = step.partition("\n")
            *feed, command = command.split(" | ")
            typed = shlex.split(feed[0])[1].replace("\\n", "\n") if feed else ""
            words = shlex.split(command)
            assert words[0] == "dicecli"
            done = dicecli(*words[1:], input=typed)
            assert done.stdout + done.stderr == expected.rstrip("\n") + "\n", command
            shown += 1
    assert shown >= 6
