"""Golden transcripts, a whole game of each ruleset: `python tests/golden.py` writes them anew (read the diff)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from dicecli.game import game
from dicecli.game.moves import Seat
from dicecli.players import computer
from dicecli.rules.table import SheetTable
from dicecli.store.rulesets import find, names, shipped_folder
from dicecli.ui.moves import command_line

GOLDEN = Path(__file__).parent / "golden"
SEED = "golden"


def arguments(name: str) -> list[str]:
    """Two people; bank games to their lowest target."""
    found = find(name).table()
    target = [] if isinstance(found, SheetTable) else ["--target", str(min(found.ruleset.targets.options))]
    return ["play", name, "--player", "Ann", "--player", "Bob", "--computers", "0", "--seed", SEED, *target]


def lines(name: str) -> str:
    """What two people type in a whole game, with a few slips of the finger and looks at the sheet on the way."""
    table = find(name).table()
    target = None if isinstance(table, SheetTable) else min(table.ruleset.targets.options)
    state, _events = game.start(table, [Seat("Ann"), Seat("Bob")], SEED, target)
    typed = ["help", "rules", "kepe 1", "keep 9", "write nowhere"]
    while state.turn is not None:
        if game.awaits_chance(state):
            action = game.deal(table, state)
            state, _events = game.apply(table, state, action)
            continue
        chosen = computer.choose(table, state)
        typed.append(command_line(table, state, chosen))
        state, _events = game.apply(table, state, chosen)
        if len(typed) % 40 == 0:
            typed.append("sheet")
    return "\n".join(typed) + "\n"


def transcript(name: str, typed: str) -> str:
    """What the game writes to stdout."""
    command = [sys.executable, "-m", "dicecli", *arguments(name)]
    done = subprocess.run(command, input=typed.encode(), capture_output=True, check=True, timeout=60)
    return done.stdout.decode()


if __name__ == "__main__":
    for each in names(shipped_folder()):
        typed = lines(each)
        (GOLDEN / f"{each}.in").write_text(typed, encoding="utf-8")
        (GOLDEN / f"{each}.txt").write_text(transcript(each, typed), encoding="utf-8")
