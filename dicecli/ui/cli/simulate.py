"""`dicecli simulate`: many whole games between computer players."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from dicecli.errors import Exit, Place, Problem, Refused
from dicecli.ui.cli.command import Game, House, Json, Seed, command, new_seed, to_json, usage
from dicecli.ui.console import Console
from dicecli.ui.i18n import _
from dicecli.ui.messages import located
from dicecli.ui.progress import progress

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from dicecli.analysis.simulate import Player, Tally
    from dicecli.players.seats import Job
    from dicecli.rules.table import Table
    from dicecli.ui.executors import Workers

MAX_GAMES = 1_000_000_000
MAX_JOBS = 1024
MAX_TARGET = 1_000_000
LOST_WORKERS = ("process_killed", "cluster_failed")  # these leave the games that were played before


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "simulate")(simulate)


def simulate(
    console: Console,
    game: Game,
    player: Annotated[
        list[str] | None,
        typer.Option(
            "--player",
            metavar="PLAYER",
            help=_(
                "Who plays: normal, easy, expert, bank_at:500; once for each seat, the first begins"
                " (default: as many normal ones as the game needs)."
            ),
        ),
    ] = None,
    games: Annotated[int, typer.Option("-n", "--games", metavar="N", help=_("How many games."))] = 1000,
    target: Annotated[
        int | None, typer.Option("--target", metavar="POINTS", help=_("What a bank game is played to."))
    ] = None,
    seed: Seed = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", metavar="N", help=_("How many processes play; else one for each core."))
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option("--dask", metavar="ADDRESS", help=_("Play on the Dask cluster of this scheduler.")),
    ] = None,
    csv: Annotated[
        str | None,
        typer.Option("--csv", metavar="FILE", help=_("Write how often each seat had each total; - is stdout.")),
    ] = None,
    house: House = None,
    json: Json = False,
) -> Exit | None:
    """Play many games between computer players, and say how they went.

    The same seed gives the same games, however many processes or machines play them.
    """
    from dicecli.analysis.simulate import chunks, parse
    from dicecli.players.seats import Best, Job, chunk_size, contest
    from dicecli.store import solved
    from dicecli.store.rulesets import find
    from dicecli.ui import executors

    for argument, number, most in (
        ("--games", games, MAX_GAMES),
        ("--jobs", jobs, MAX_JOBS),
        ("--target", target, MAX_TARGET),
    ):
        if number is not None and not 1 <= number <= most:
            raise usage("bad_number", argument, found=number, least=1, most=most)
    if json and csv == "-":
        raise usage("two_stdouts", "--csv")
    if jobs is not None and dask is not None:
        raise usage("jobs_or_dask", "--jobs")
    table = find(game, house or ()).table()
    players = tuple(parse(text, table) for text in player or ["normal"] * table.ruleset.players.min)
    seats = table.ruleset.players
    if not seats.min <= len(players) <= seats.max:
        raise usage("wrong_number_of_players", "--player", count=len(players), least=seats.min, most=seats.max)
    seed = new_seed() if seed is None else seed
    share = contest(table, players, target)
    if any(player.kind == "expert" for player in players):
        _ask_coach(console, table, len(players), target)
    size = chunk_size(share, Best(solved.sheet, solved.duel))
    if csv not in (None, "-"):
        _write(csv, "")  # rather now than after an hour
    work = (Job(share, seed, chunk) for chunk in chunks(games, size))
    processes = min(jobs or solved.cores(), -(-games // size))
    place = executors.local(processes) if dask is None else executors.dask(dask)
    tally, stopped = _play(console, work, place, games)
    _report(console, table, players, seed, games, tally, csv, json)
    if isinstance(stopped, Refused):  # what there is goes to stdout, so this can't
        console.error(located(stopped.problems[0]))
        return Exit.REFUSED
    return Exit.INTERRUPTED if stopped else None


def _ask_coach(console: Console, table: Table, seats: int, target: int | None) -> None:
    """Have best play at hand before experts play by it, here and in other processes."""
    from dicecli.errors import BadUsage
    from dicecli.ui.coaching import coach_for, no_expert

    unit = coach_for(console, table, seats, target).unit
    if unit == "guess" or (unit != "chance" and seats > 1 and table.ruleset.family != "sheet"):
        raise BadUsage(no_expert(table, target))


def _play(
    console: Console, work: Iterable[Job], place: AbstractContextManager[Workers], games: int
) -> tuple[Tally | None, KeyboardInterrupt | Refused | None]:
    """The tally of the games (None: not one was finished), and what stopped them, if not all were played.

    Raises `Refused` where that leaves nothing to tell.
    """
    from functools import partial

    from dicecli.players.seats import Best, play_chunk
    from dicecli.store import solved
    from dicecli.ui.executors import spread

    play = partial(play_chunk, best=Best(solved.sheet, solved.duel))
    tally: Tally | None = None
    try:
        with place as workers, progress(console) as show:
            for part in spread(workers, play, work):
                tally = part if tally is None else tally.merge(part)
                show(tally.games, games)
    except KeyboardInterrupt as stopped:
        return tally, stopped
    except Refused as stopped:
        if tally is None or stopped.problems[0].code not in LOST_WORKERS:
            raise
        return tally, stopped
    return tally, None


def _report(
    console: Console,
    table: Table,
    players: tuple[Player, ...],
    seed: str,
    games: int,
    tally: Tally | None,
    csv: str | None,
    json: bool,
) -> None:
    """Say and write what was found."""
    from dicecli.ui.i18n import plural
    from dicecli.ui.simulated import tally_lines, tally_object, tally_rows

    played = tally.games if tally else 0
    if played < games:
        text = plural("Stopped after {played} of {count} game.", "Stopped after {played} of {count} games.", games)
        console.say(text.format(played=played, count=games))
    if json:
        console.out(to_json(tally_object(table, players, seed, games, tally)))
    elif csv != "-" and tally:
        console.page(tally_lines(table, players, seed, tally, console))
    if csv == "-":
        for row in tally_rows(tally):
            console.out(row)
    elif csv is not None:
        _write(csv, "".join(f"{row}\n" for row in tally_rows(tally)))


def _write(file: str, text: str) -> None:
    from pathlib import Path

    try:
        Path(file).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise Refused(Problem("not_written", {"reason": error.strerror or str(error)}, Place(file=file))) from None
