"""Many games: the same figures wherever they are played, the right ones, and an end whenever it is wanted."""

from __future__ import annotations

import json
import logging
import os
import pty
import re
import select
import signal
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent import futures
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT, SHIPPED, Run, bank_table, table
from invented import INVENTED
from msgspec.structs import replace
from playing import Game, play, seats

from dicecli.analysis import simulate
from dicecli.analysis.simulate import Chunk, Player, SeatTally, Tally, chunks, counted, parse, stream, student, wilson
from dicecli.errors import BadUsage, Refused
from dicecli.game import game
from dicecli.game.moves import Action, Bank, BankTurn, LostAll, LostTurn, Roll, TurnStarted
from dicecli.players import computer, easy
from dicecli.players.seats import Contest, Job, chooser, chunk_size, contest, play_chunk, play_one
from dicecli.rules.table import Table
from dicecli.ui import executors
from dicecli.ui.console import Console
from dicecli.ui.messages import located
from dicecli.ui.simulated import tally_lines

# --- the plan


@pytest.mark.parametrize(("games", "size"), [(1, 50), (49, 50), (50, 50), (51, 50), (1000, 7)])
def test_chunks_hold_all_games_and_only_the_last_is_smaller(games: int, size: int) -> None:
    plan = list(chunks(games, size))
    assert [chunk.number for chunk in plan] == list(range(len(plan)))
    assert sum(chunk.games for chunk in plan) == games
    assert {chunk.games for chunk in plan[:-1]} <= {size}
    assert 1 <= plan[-1].games <= size


def test_a_chunk_has_the_same_random_numbers_everywhere() -> None:
    assert stream("abc", 0).integers(0, 1000, 4).tolist() == [872, 911, 869, 666]
    assert stream("abc", 1).integers(0, 1000, 4).tolist() == [939, 571, 111, 50]
    assert stream("\u00e9", 7).integers(0, 1000, 4).tolist() == stream("e\u0301", 7).integers(0, 1000, 4).tolist()


def test_a_game_that_takes_too_long_is_refused_when_it_is_played_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dicecli.players.seats.MAX_TURNS", 3)
    pig = table("pig")
    with pytest.raises(Refused) as caught:
        play_one(pig, seats(2), [lambda state: computer.choose(pig, state)] * 2, "seed")
    assert caught.value.problems[0].code == "endless_play"


# --- the players


@pytest.mark.parametrize("text", ["normal", "easy", "expert", "bank_at:0", "bank_at:500"])
def test_players_are_written_as_they_are_shown(text: str) -> None:
    assert str(parse(text, table("farkle"))) == text


@pytest.mark.parametrize(
    ("text", "name", "code"),
    [
        ("bank_at:500", "penta", "no_banking"),
        ("bank_at", "farkle", "bad_bank_at"),
        ("bank_at:-1", "farkle", "bad_bank_at"),
        ("bank_at:1e3", "farkle", "bad_bank_at"),
        ("bank_at:99999999", "farkle", "bad_bank_at"),
        ("exprt", "farkle", "unknown_player"),
        ("normal:3", "farkle", "unknown_player"),
        ("", "farkle", "unknown_player"),
    ],
)
def test_other_players_are_refused(text: str, name: str, code: str) -> None:
    with pytest.raises(BadUsage) as caught:
        parse(text, table(name))
    assert caught.value.problems[0].code == code


@pytest.mark.parametrize("name", [*SHIPPED, *INVENTED])
def test_an_easy_player_does_what_is_allowed_in_every_game(name: str) -> None:
    rules = table(name)
    count = max(rules.ruleset.players.min, min(2, rules.ruleset.players.max))
    state, _events = game.start(rules, seats(count), "easy")
    for _ in range(200):
        if state.turn is None:
            break
        action = game.deal(rules, state) if game.awaits_chance(state) else easy.choose(rules, state)
        state, _events = game.apply(rules, state, action)


@pytest.mark.parametrize(("name", "games"), [("farkle", 150), ("yahtzee", 12)])
def test_an_easy_player_is_weaker(name: str, games: int) -> None:
    rules = table(name)
    share = contest(rules, (Player("easy"), Player("normal")))
    tally = play_chunk(Job(share, "weaker", Chunk(0, games)))
    assert tally.seats[0].mean < tally.seats[1].mean


@pytest.mark.parametrize(("left", "totals"), [(1, (0, 6000)), (3, (0, 0)), (5, (0, 6000)), (5, (6000, 0))])
def test_who_banks_at_500_does_so_whatever_is_left_and_whoever_leads(left: int, totals: tuple[int, ...]) -> None:
    def decides(points: int) -> Action:
        playing = Game(bank_table(), 2).with_totals(*totals)
        turn = BankTurn((0, 1, 2, 3, 4, 5), "decide", (1, 2, 3, 4, 5, 6), tuple(range(6 - left)), points=points)
        return chooser(playing.table, Player("bank_at", 500))(replace(playing.state, turn=turn))

    assert (decides(450), decides(500)) == (Roll(), Bank())


# --- what is counted


@pytest.fixture
def one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """No game is played on a fast engine."""
    monkeypatch.setattr("dicecli.players.seats.engine", lambda contest, best: None)


def by_hand(share: Contest, rules: Table, seed: str, games: int, target: int | None = None) -> dict[str, Any]:
    """The figures of the first seat of plain games, counted without any of the code under test."""
    totals, won, turns, lost = [], 0.0, 0, 0
    size = chunk_size(share)
    for number in range(games):
        played = play(
            rules, seats(len(share.players)), f"{seed}/{number // size}/{number % size}", computer.choose, target
        )
        outcome = game.outcome(rules, played.states[-1])
        assert outcome
        totals.append(outcome.totals[0])
        won += (0 in outcome.winners) / len(outcome.winners)
        events = [event for some in played.events for event in some]
        turns += sum(isinstance(event, TurnStarted) and event.player == 0 for event in events)
        lost += sum(isinstance(event, (LostTurn, LostAll)) and event.player == 0 for event in events)
    return {
        "mean": statistics.mean(totals),
        "spread": statistics.stdev(totals),
        "histogram": dict(Counter(totals)),
        "median": sorted(totals)[(games - 1) // 2],
        "won": won,
        "turns": turns,
        "lost": lost,
    }


@pytest.mark.parametrize(
    ("name", "players", "games", "goal"),
    [("farkle", 2, 70, 3000), ("two-dice-pig", 3, 101, None), ("crag", 2, 9, None)],
)
@pytest.mark.usefixtures("one_at_a_time")
def test_the_figures_are_those_of_plain_games(name: str, players: int, games: int, goal: int | None) -> None:
    rules = table(name)
    share = contest(rules, (Player("normal"),) * players, goal)
    tally = merged(play_chunk(Job(share, "figures", chunk)) for chunk in chunks(games, chunk_size(share)))
    seat, expected = tally.seats[0], by_hand(share, rules, "figures", games, goal)
    assert tally.games == games
    assert seat.mean == pytest.approx(expected["mean"])
    assert seat.spread == pytest.approx(expected["spread"])
    assert seat.totals == expected["histogram"]
    assert seat.quantile(50) == expected["median"]
    assert float(seat.won) == pytest.approx(expected["won"])
    assert (seat.turns, seat.lost) == (expected["turns"], expected["lost"])
    assert sum(float(each.won) for each in tally.seats) == pytest.approx(games)
    assert (seat.least, seat.most) == (min(expected["histogram"]), max(expected["histogram"]))


def merged(parts: Iterator[Tally]) -> Tally:
    whole = next(parts)
    for part in parts:
        whole = whole.merge(part)
    return whole


def random_tally(seed: int, games: int = 40) -> Tally:
    chance = np.random.default_rng(seed)
    totals = chance.integers(-500, 500, (2, games)) * chance.integers(1, 1000)
    winners = totals == totals.max(axis=0)
    return counted(totals, winners, np.full((2, games), 13), np.array([3, 4]))


@pytest.mark.parametrize("most", [10_000, 64, 8])
def test_any_order_of_merging_gives_the_same(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(simulate, "MAX_TOTALS", most)
    parts = [random_tally(seed) for seed in range(8)]
    forward, backward = merged(iter(parts)), merged(reversed(parts))
    pairs = [parts[at].merge(parts[at + 1]) for at in range(0, 8, 2)]
    assert forward == backward == merged(iter(pairs)) == pairs[0].merge(pairs[1]).merge(pairs[2].merge(pairs[3]))
    assert len(forward.seats[0].totals) <= most
    assert forward.games == 320
    assert forward.seats[0].mean == pytest.approx(sum(each.seats[0].mean for each in parts) / 8)


def test_games_side_by_side_are_counted_as_one_by_one() -> None:
    totals = np.array([[10, 20, 20], [10, 30, 5], [10, 30, -5]])
    winners = totals == totals.max(axis=0)
    tally = counted(totals, winners, np.array([[5, 6, 7]] * 3), np.array([1, 2, 3]))
    assert tally.seats[0] == SeatTally({10: 1, 20: 2}, 50, 900, 10, 20, {1: 1, 3: 1}, 18, 1)
    assert [float(seat.won) for seat in tally.seats] == pytest.approx([4 / 3, 5 / 6, 5 / 6])


# Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I, method 3
@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_interval_of_a_rate_is_wilsons(wins: int, games: int, low: float, high: float) -> None:
    assert wilson(wins, games) == pytest.approx((low, high), abs=5e-5)
    assert wilson(games - wins, games) == pytest.approx((1 - high, 1 - low), abs=5e-5)


@pytest.mark.parametrize(
    ("freedom", "t"), [(1, 12.7062), (4, 2.7764), (5, 2.5706), (10, 2.2281), (30, 2.0423), (100, 1.9840)]
)
def test_the_interval_of_a_mean_is_students(freedom: int, t: float) -> None:
    assert student(freedom) == pytest.approx(t, abs=1e-3)


def test_one_game_has_a_mean_and_no_spread() -> None:
    seat = SeatTally.of({7: 1}, {1: 1}, 3)
    assert (seat.mean, seat.spread, seat.mean_interval, seat.quantile(50)) == (7, None, None, 7)


# --- fast engines


class Coins:
    """An engine that needs no dice."""

    chunk = 1000

    def play(self, chance: np.random.Generator, games: int) -> Tally:
        totals = chance.integers(0, 1 << 60, (1, games))
        return counted(totals, totals >= 0, np.array([games]), np.array([0]))


def test_an_engine_plays_where_there_is_one_even_an_expert(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dicecli.players.seats.engine", lambda contest, best: Coins())
    share = contest(table("penta"), (Player("expert"),))
    assert chunk_size(share) == 1000
    tally = play_chunk(Job(share, "coins", Chunk(3, 10)))
    assert tally == Coins().play(stream("coins", 3), 10)


def test_without_an_engine_no_expert_plays() -> None:
    with pytest.raises(BadUsage) as caught:
        chunk_size(contest(table("jamb"), (Player("normal"), Player("expert"))))
    assert caught.value.problems[0].code == "no_expert"


def test_a_tally_stays_small_however_many_games_it_counts() -> None:
    tally = merged(Coins().play(stream("large", number), 1000) for number in range(30))
    assert len(tally.seats[0].totals) <= simulate.MAX_TOTALS
    assert tally.games == sum(tally.seats[0].totals.values()) == 30_000
    assert tally.seats[0].mean == pytest.approx(2**59, rel=0.02)
    assert tally.seats[0].quantile(25) == pytest.approx(2**58, rel=0.05)


def test_only_a_few_jobs_are_under_way_at_any_time() -> None:
    taken: list[int] = []

    def jobs() -> Iterator[int]:
        for number in range(100):
            taken.append(number)
            yield number

    with executors.local(2) as two:
        for done, _result in enumerate(executors.spread(two, abs, jobs())):
            assert len(taken) - done <= two.window
    assert len(taken) == 100


# --- the command


def simulated(dicecli: Run, *words: str) -> str:
    done = dicecli("simulate", *words)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_same_seed_gives_the_same_bytes_in_one_process_and_in_two(dicecli: Run) -> None:
    for words in (
        ["farkle", "--player", "normal", "--player", "bank_at:400", "-n", "120"],
        ["crag", "--player", "easy", "-n", "9"],
    ):
        one, two = (simulated(dicecli, *words, "--seed", "s", "--json", "--jobs", jobs) for jobs in "12")
        assert one == two
        assert one != simulated(dicecli, *words, "--seed", "t", "--json")


def test_processes_may_be_spawned_too(tmp_path: Path) -> None:
    script = tmp_path / "spawned.py"
    script.write_text(
        "import multiprocessing\nfrom dicecli.ui.cli.app import run\nif __name__ == '__main__':\n"
        "    multiprocessing.set_start_method('spawn')\n"
        "    raise SystemExit(run(['simulate', 'pig', '-n', '150000', '--seed', 's', '--json', '--jobs', '2']))\n"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(script)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=True)
    share = contest(table("pig"), (Player("normal"),) * 2)
    tally = merged(play_chunk(Job(share, "s", chunk)) for chunk in chunks(150_000, chunk_size(share)))
    assert json.loads(done.stdout)["seats"][0]["histogram"] == [
        list(each) for each in sorted(tally.seats[0].totals.items())
    ]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Dask scheduler with two workers, each a process, on this machine alone."""
    folder = tmp_path_factory.mktemp("dask")
    at = folder / "scheduler.json"
    dask = [sys.executable, "-m", "dask"]
    scheduler = [
        *dask,
        "scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--scheduler-file",
        str(at),
        "--no-dashboard",
    ]
    worker = [*dask, "worker", "--scheduler-file", str(at), "--nthreads", "1", "--no-dashboard", "--no-nanny"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with (folder / "log").open("w") as log:
        commands = [scheduler, *([*worker, "--local-directory", str(folder)] for _ in range(2))]
        started = [subprocess.Popen(command, env=env, stdout=log, stderr=log) for command in commands]
        try:
            until = time.monotonic() + 30
            while not (at.exists() and at.read_text().endswith("}")) and time.monotonic() < until:
                time.sleep(0.1)
            yield json.loads(at.read_text())["address"]
        finally:
            for process in started:
                process.kill()
            for process in started:
                process.wait()


def test_a_cluster_gives_the_same_bytes_as_one_process(dicecli: Run, cluster: str) -> None:
    words = ["farkle", "--player", "normal", "--player", "easy", "-n", "330", "--seed", "s", "--json"]
    assert simulated(dicecli, *words, "--dask", cluster) == simulated(dicecli, *words, "--jobs", "1")


def test_house_rules_and_files_reach_the_cluster(dicecli: Run, cluster: str, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("extends: pig\nname: Mine\n")
    words = [str(tmp_path / "mine.yaml"), "--set", "computer.bank_at=7", "-n", "60", "--seed", "s", "--csv", "-"]
    assert simulated(dicecli, *words, "--dask", cluster) == simulated(dicecli, *words, "--jobs", "1")


ENDLESS = 1_000_000_000


class Running:
    """An endless simulation in a process group of its own with its bar on a terminal, once some games are played."""

    def __init__(self, *words: str) -> None:
        self.bar, terminal = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "dicecli", "simulate", "farkle", "-n", str(ENDLESS), *words],
            env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"},
            stdout=subprocess.PIPE,
            stderr=terminal,
            start_new_session=True,
        )
        os.close(terminal)
        self.shown = ""
        self.read(until=rf"[1-9]\d*/{ENDLESS}")

    def read(self, until: str | None = None) -> None:
        """What stderr shows, to its end or till it matches."""
        deadline = time.monotonic() + 60
        while until is None or not re.search(until, self.shown):
            assert select.select([self.bar], [], [], max(0, deadline - time.monotonic()))[0], self.shown
            try:
                more = os.read(self.bar, 100_000)
            except OSError:  # Linux: nobody has the terminal open any more
                more = b""
            if not more:
                assert until is None, self.shown
                break
            self.shown += more.decode()

    def interrupt(self) -> tuple[str, str]:
        """What is on stdout, and the last line on stderr, after Ctrl-C."""
        os.killpg(self.process.pid, signal.SIGINT)
        with futures.ThreadPoolExecutor() as pool:
            out = pool.submit(self.process.communicate, timeout=60)
            self.read()
        assert self.process.returncode == 130
        assert "Traceback" not in self.shown
        assert not alive(self.process.pid)
        return out.result()[0].decode(), self.shown.splitlines()[-1]

    def children(self) -> list[int]:
        pid = self.process.pid
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def close(self) -> None:
        if alive(self.process.pid):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()
        os.close(self.bar)


@pytest.fixture
def running() -> Iterator[Callable[..., Running]]:
    started: list[Running] = []

    def start(*words: str) -> Running:
        started.append(Running(*words))
        return started[-1]

    yield start
    for each in started:
        each.close()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_gives_what_there_is(running: Callable[..., Running], jobs: str) -> None:
    out, said_last = running("--json", "--jobs", jobs).interrupt()
    said = json.loads(out)
    assert 0 < said["games"] < said["asked"] == ENDLESS
    assert said["interrupted"] is True
    assert said["games"] == sum(games for _total, games in said["seats"][0]["histogram"])
    assert said_last.endswith(f"Stopped after {said['games']} of {ENDLESS} games.")


def test_ctrl_c_stops_a_cluster_too(running: Callable[..., Running], cluster: str) -> None:
    out, said_last = running("--dask", cluster).interrupt()
    assert "Stopped after " in said_last
    assert "quantile" in out


def test_no_process_outlives_the_one_that_started_it(running: Callable[..., Running]) -> None:
    simulation = running("--jobs", "2")
    assert len(simulation.children()) == 2
    simulation.process.kill()
    simulation.read()  # to the end, which comes when the last that had the terminal open is gone


def test_a_killed_process_is_told_of(running: Callable[..., Running]) -> None:
    simulation = running("--jobs", "2", "--json")
    os.kill(simulation.children()[0], signal.SIGKILL)
    with futures.ThreadPoolExecutor() as pool:
        out = pool.submit(simulation.process.communicate, timeout=60)
        simulation.read()
    assert simulation.process.returncode == 1
    lines = simulation.shown.splitlines()
    assert "killed" in lines[-1] and "Stopped after" in lines[-2]
    said = json.loads(out.result()[0])
    assert said["interrupted"] is True and 0 < said["games"] < ENDLESS


def alive(group: int) -> bool:
    """Whether a process of the group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize(
    ("words", "exit", "code"),
    [
        (["nothing"], 2, "unknown_game"),
        (["farkle", "--player", "nobody"], 2, "unknown_player"),
        (["penta", "--player", "bank_at:300"], 2, "no_banking"),
        (["jamb", "--player", "expert", "--player", "normal"], 2, "no_expert"),
        (["pig", "--player", "normal"], 2, "wrong_number_of_players"),
        (["penta", "--target", "100"], 2, "no_target"),
        (["pig", "--set", "end.exact=bust", "--player", "normal", "--player", "easy", "-n", "999"], 1, "endless_play"),
        (["farkle", "-n", "0"], 2, "bad_number"),
        (["farkle", "-n", "1000000001"], 2, "bad_number"),
        (["farkle", "--jobs", "0"], 2, "bad_number"),
        (["farkle", "--jobs", "2", "--dask", "127.0.0.1:8786"], 2, "jobs_or_dask"),
        (["farkle", "--csv", "-"], 2, "two_stdouts"),
        (["farkle", "--csv", "/no/such/folder/x.csv"], 1, "not_written"),
        (["farkle", "--dask", "nonsense"], 1, "no_scheduler"),
        (["farkle", "--dask", "foo://127.0.0.1:1"], 1, "no_scheduler"),
    ],
)
def test_what_cannot_be_simulated_is_refused_in_a_line(dicecli: Run, words: list[str], exit: int, code: str) -> None:
    done = dicecli("simulate", *words, "--json")
    assert done.returncode == exit
    assert json.loads(done.stdout)["error"]["code"] == code
    assert done.stderr == ""


def test_a_scheduler_that_does_not_answer_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "TIMEOUT", 0.5)
    with pytest.raises(Refused) as caught, executors.dask("127.0.0.1:1"):
        pass
    logging.disable(logging.NOTSET)
    said = located(caught.value.problems[0])
    assert said.startswith("--dask: no Dask scheduler answers at 127.0.0.1:1: ")
    assert "\n" not in said


def test_how_to_get_dask_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(Refused) as caught, executors.dask("127.0.0.1:1"):
        pass
    assert "dicecli[cluster]" in located(caught.value.problems[0])


def test_csv_has_the_games_of_each_total_and_seat(dicecli: Run, tmp_path: Path) -> None:
    file = tmp_path / "totals.csv"
    words = ["pig", "--player", "normal", "--player", "easy", "-n", "60", "--seed", "s"]
    said = json.loads(simulated(dicecli, *words, "--json", "--csv", str(file)))
    rows = file.read_text().splitlines()
    assert rows[0] == "total,seat,games"
    expected = [f"{total},{at},{n}" for at, seat in enumerate(said["seats"], 1) for total, n in seat["histogram"]]
    assert rows[1:] == expected
    assert simulated(dicecli, *words, "--csv", "-").splitlines() == rows


def test_people_get_a_column_for_each_player(dicecli: Run) -> None:
    said = simulated(dicecli, "pig", "-n", "60", "--seed", "s").splitlines()
    assert said[:4] == ["Pig: 60 games, seed s", "1 normal begins", "", said[3]]
    assert said[3].split() == ["1", "normal", "2", "normal"]
    assert [line[:13].strip() for line in said[4:6]] == ["mean, 95 % su", "spread"]
    assert len({len(line) for line in said[3:]}) == 1
    alone = simulated(dicecli, "penta", "-n", "2", "--seed", "s")
    assert "wins" not in alone and "lost turns" not in alone and "begins" not in alone


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_bars_fit_the_terminal(monkeypatch: pytest.MonkeyPatch, columns: int, encoding: str) -> None:
    import io

    class Terminal(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("COLUMNS", str(columns))
    console = Console(stdout=Terminal(io.BytesIO(), encoding=encoding))
    names = (Player("normal"), Player("bank_at", 500))
    tally = counted(*skewed(), np.array([9, 9]), np.array([0, 0]))
    lines = list(tally_lines(table("farkle"), names, "s", tally, console))
    assert max(map(len, lines)) <= columns
    assert any(("#" if encoding == "ascii" else "█") * 9 in line for line in lines)
    "\n".join(lines).encode(encoding)
    shares = [line.split()[1] for line in lines[lines.index("Points of 1 normal") + 1 :] if "%" in line]
    assert sum(float(share.rstrip("%")) for share in shares) == pytest.approx(200, abs=2)


def skewed() -> tuple[Any, Any]:
    totals = np.random.default_rng(1).normal(8000, 2000, (2, 500)).astype(int)
    return totals, totals == totals.max(axis=0)


@pytest.mark.usefixtures("one_at_a_time")
def test_one_game_can_be_played_again_from_its_seed() -> None:
    rules = table("pig")
    share = contest(rules, (Player("normal"),) * 2)
    choosers = [chooser(rules, player) for player in share.players]
    alone = [play_one(rules, seats(2), choosers, f"again/2/{at}") for at in range(3)]
    assert play_chunk(Job(share, "again", Chunk(2, 3))) == merged(iter(alone))
