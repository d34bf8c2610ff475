"""README.md: every command in it runs and shows what it says."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

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


def test_the_library_plays_a_game() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.S)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd="/")
    assert done.stdout.startswith("Outcome(reason='target', totals=(")


def test_every_public_name_is_there_and_nothing_is_loaded_for_the_asking() -> None:
    import dicecli as library

    assert all(getattr(library, name) for name in library.__all__)
    code = "import sys, dicecli; sys.exit(len([name for name in sys.modules if name.startswith('dicecli.')]))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
