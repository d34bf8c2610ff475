"""`make bench`: how fast dicecli is, and how well its computer plays. Printed, never asserted: machines differ."""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from dicecli.game import game
from dicecli.game.moves import Seat
from dicecli.players import computer
from dicecli.rules.table import Table
from dicecli.store.rulesets import find, names, shipped_folder

DICECLI = [sys.executable, "-m", "dicecli"]
ROLLS = 1_000_000
GAMES = 1_000
FARKLE_TURNS = 18.0  # of each of two players who bank at 300, about


class Used(NamedTuple):
    """What a whole process took: seconds by the clock, CPU seconds with those of its children, MB at its peak."""

    wall: float
    cpu: float
    memory: float


def run(command: list[str], stdin: str = os.devnull, **env: str) -> Used:
    """Run a whole process, its output thrown away."""
    start = time.perf_counter()
    pid = os.posix_spawn(
        command[0],
        command,
        {**{key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}, **env},
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, stdin, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ],
    )
    _pid, status, used = os.wait4(pid, 0)
    if status:
        raise SystemExit(f"{command} failed")
    return Used(time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def cpu(command: list[str], stdin: str = os.devnull) -> float:
    """The CPU seconds of a whole process."""
    return run(command, stdin).cpu


def start_up() -> None:
    """One-shot commands against Python itself, in turn, so that the machine's mood touches both."""
    bare = [sys.executable, "-c", "pass"]
    for words in (
        ["score", "penta", "4", "4", "4", "4", "4", "--json"],
        ["roll", "4d6dl1"],
        ["odds", "10d10kh5"],
        ["--version"],
    ):
        cpu([*DICECLI, *words])
        ratios = [cpu([*DICECLI, *words]) / cpu(bare) for _ in range(15)]
        print(f"dicecli {' '.join(words)}: {statistics.median(ratios):.1f} times the CPU of python -c pass")


def loading() -> None:
    """The CPU time that each shipped ruleset takes to be loaded, beyond starting and leaving."""
    slowest = []
    for name in names(shipped_folder()):
        code = f"import time; from dicecli.store.rulesets import find; t = time.process_time(); find({name!r}).table();"
        done = subprocess.run(
            [sys.executable, "-c", code + "print(time.process_time() - t)"], capture_output=True, text=True, check=True
        )
        slowest.append((float(done.stdout), name))
    took, name = max(slowest)
    print(f"loading a ruleset: at most {took * 1000:.1f} ms of CPU ({name}) beyond the imports")


def bulk(name: str, count: int) -> None:
    """Many random rolls from a file."""
    chance = random.Random(42)
    with tempfile.TemporaryDirectory() as folder:
        rolls = Path(folder) / "rolls"
        with rolls.open("w") as file:
            for _ in range(ROLLS):
                file.write(" ".join(str(chance.randint(1, 6)) for _ in range(count)) + "\n")
        seconds = min(cpu([*DICECLI, "score", name, "-", "--json"], str(rolls)) for _ in range(3))
    print(f"dicecli score {name} - --json: {ROLLS / seconds:,.0f} rolls a second")


def play(table: Table, seed: str) -> int:
    """The first computer's total of a game between as many computers as there must be."""
    seats = [Seat(str(number), computer=True) for number in range(table.ruleset.players.min)]
    state, _events = game.start(table, seats, seed)
    while state.turn is not None:
        action = game.deal(table, state) if game.awaits_chance(state) else computer.choose(table, state)
        state, _events = game.apply(table, state, action)
    return game.totals(table, state)[0]


def strength(name: str) -> None:
    """How well the computer plays a sheet game."""
    table = find(name).table()
    scores = [play(table, f"bench-{number}") for number in range(GAMES)]
    mean, spread = statistics.mean(scores), statistics.stdev(scores)
    print(f"computer at {name}: mean {mean:.1f}, spread {spread:.1f}, lowest {min(scores)}, highest {max(scores)}")


def kept(dice: str) -> None:
    """Exact odds of dice, beyond what a throw of them takes."""
    more = [cpu([*DICECLI, "odds", dice]) - cpu([*DICECLI, "roll", dice]) for _ in range(15)]
    print(f"dicecli odds {dice}: {1000 * statistics.median(more):.1f} ms of CPU beyond dicecli roll {dice}")


def cold(*words: str, runs: int = 3) -> None:
    """A whole process that has to work everything out: nothing is in the cache."""
    bare = min(run([sys.executable, "-c", "pass"]).wall for _ in range(5))
    found = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            found.append(run([*DICECLI, *words], XDG_CACHE_HOME=folder))
    best = min(found)
    times = f"{best.wall:.2f} s ({best.wall / bare:.0f} times python -c pass)"
    print(f"dicecli {' '.join(words)}: {times}, {best.cpu:.2f} s of CPU, {max(each.memory for each in found):.0f} MB")


def cached(*words: str) -> None:
    """Advice when the game is solved already."""
    with tempfile.TemporaryDirectory() as folder:
        run([*DICECLI, *words], XDG_CACHE_HOME=folder)
        best = min(run([*DICECLI, *words], XDG_CACHE_HOME=folder) for _ in range(5))
    print(f"dicecli {' '.join(words)}, solved before: {best.wall:.2f} s, {best.cpu:.2f} s of CPU")


def simulated(game: str, count: int, turns: float, what: str, *players: str) -> None:
    """Whole games on one core, as whole processes: with starting, and what has to be solved first."""
    words = ["simulate", game, *(word for player in players for word in ("--player", player)), "-n", str(count)]
    with tempfile.TemporaryDirectory() as folder:
        run([*DICECLI, *words[:-1], "1", "--jobs", "1", "--seed", "1"], XDG_CACHE_HOME=folder)
        used = min(run([*DICECLI, *words, "--jobs", "1", "--seed", "1"], XDG_CACHE_HOME=folder) for _ in range(2))
    said = f"{count * turns / used.wall:,.0f} {what} a second, {used.memory:.0f} MB"
    print(f"dicecli {' '.join(words)} --jobs 1: {used.wall:.2f} s, {said}")


if __name__ == "__main__":
    start_up()
    loading()
    bulk("farkle", 6)
    bulk("penta", 5)
    strength("penta")
    strength("poker")
    kept("10d10kh5")
    cold("solve", "yahtzee")
    cold("solve", "yatzy")
    cold("advise", "farkle", "1", "5", "3", "--turn", "300")
    cold("solve", "farkle", runs=1)
    cached("advise", "penta", "4", "4", "4", "2", "1")
    simulated("farkle", 4_000_000, 2 * FARKLE_TURNS, "turns", "bank_at:300", "bank_at:300")
    simulated("yahtzee", 1 << 19, 1, "games", "expert")
