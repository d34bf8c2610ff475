"""Who sits where when many games are played, and the games themselves, one at a time or on a fast engine."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import NamedTuple

from msgspec import msgpack

from dicecli.analysis import bankplay, sheetplay
from dicecli.analysis.banks import TwoPlayers, two_players
from dicecli.analysis.chances import few
from dicecli.analysis.sheets import SheetModel, Solved, solve
from dicecli.analysis.simulate import MAX_TURNS, Chunk, Engine, Player, SeatTally, Tally, endless, stream
from dicecli.errors import BadUsage, Problem
from dicecli.game import game
from dicecli.game.moves import Action, LostAll, LostTurn, Seat, State, TurnStarted
from dicecli.players import computer, easy, lookahead
from dicecli.rules.table import AccumulateTable, BankTable, SheetTable, Table, compile_table
from dicecli.rules.vocabulary import FAMILIES

Chooser = Callable[[State], Action]
AnyBankTable = BankTable | AccumulateTable

SHEET_CHUNK, CHUNK = 4, 50  # games: some tenths of a second where they are played one at a time


def prices(table: SheetTable) -> sheetplay.Prices | None:
    """What `normal` players take the cells of a sheet for; None where they look at samples of throws."""
    if not few(table.ruleset.dice.count, table.faces.count):
        return None
    return sheetplay.Prices(lookahead.pars_of(table), lookahead.maxima_of(table), lookahead.MAX_AHEAD)


class Best(NamedTuple):
    """Where best play is found for experts: worked out, unless whoever asks knows a better place."""

    sheet: Callable[[SheetModel], Solved] = solve
    duel: Callable[[AnyBankTable, int], TwoPlayers] = two_players


WORKED_OUT = Best()


class Contest(NamedTuple):
    """What all games of a simulation share, small and ready to be sent to other processes and machines."""

    name: str
    family: str
    ruleset: bytes
    players: tuple[Player, ...]
    target: int | None


class Job(NamedTuple):
    """A chunk of games to play."""

    contest: Contest
    seed: str
    chunk: Chunk


def contest(table: Table, players: tuple[Player, ...], target: int | None = None) -> Contest:
    """A contest between these players in order of their seats; the first begins.

    Raises `BadUsage` for a number of players or a target that the rules don't allow.
    """
    game.start(table, _seats(players), "", target)
    return Contest(table.name, table.ruleset.family, msgpack.encode(table.ruleset), players, target)


def _seats(players: tuple[Player, ...]) -> list[Seat]:
    return [Seat(str(player), computer=True) for player in players]


@lru_cache(maxsize=8)
def engine(contest: Contest, best: Best = WORKED_OUT) -> Engine | None:
    """The fast engine that plays the contest, if there is one; remembered."""
    table = _table(contest)
    if isinstance(table, SheetTable):
        return sheetplay.engine(table, contest.players, contest.target, prices, best.sheet)
    return bankplay.engine(table, contest.players, contest.target, best.duel)


@lru_cache(maxsize=8)
def _table(contest: Contest) -> Table:
    return compile_table(contest.name, msgpack.decode(contest.ruleset, type=FAMILIES[contest.family]))


def chunk_size(contest: Contest, best: Best = WORKED_OUT) -> int:
    """How many games of the contest are played together.

    Raises `BadUsage` if a player needs an engine, and there is none for the contest.
    """
    fast = engine(contest, best)
    if fast is not None:
        return fast.chunk
    table = _table(contest)
    for player in contest.players:
        chooser(table, player)
    return SHEET_CHUNK if isinstance(table, SheetTable) else CHUNK


def chooser(table: Table, player: Player) -> Chooser:
    """What decides for a player, one state at a time; raises `BadUsage` if only an engine can."""
    match player.kind:
        case "normal":
            return partial(computer.choose, table)
        case "easy":
            return partial(easy.choose, table)
        case "bank_at":
            assert player.points is not None
            return partial(computer.choose, easy.banking_at(table, player.points))
    raise BadUsage(Problem("no_expert", {"game": table.name}))


def play_chunk(job: Job, best: Best = WORKED_OUT) -> Tally:
    """Play a chunk: what a process or a machine is given to do.

    One at a time, game g of chunk c has the dice of the seed `SEED/c/g` (both count from 0).
    """
    number, games = job.chunk
    fast = engine(job.contest, best)
    if fast is not None:
        return fast.play(stream(job.seed, number), games)
    table = _table(job.contest)
    choosers = [chooser(table, player) for player in job.contest.players]
    seats = _seats(job.contest.players)
    tally = play_one(table, seats, choosers, f"{job.seed}/{number}/0", job.contest.target)
    for at in range(1, games):
        tally = tally.merge(play_one(table, seats, choosers, f"{job.seed}/{number}/{at}", job.contest.target))
    return tally


def play_one(table: Table, seats: list[Seat], choosers: list[Chooser], seed: str, target: int | None = None) -> Tally:
    """The tally of one game, each seat with its chooser; raises `Refused` where nobody may ever win."""
    turns, lost = [0] * len(seats), [0] * len(seats)
    state, events = game.start(table, seats, seed, target)
    while True:
        for event in events:
            if isinstance(event, TurnStarted):
                turns[event.player] += 1
                if turns[event.player] > MAX_TURNS:
                    raise endless()
            elif isinstance(event, (LostTurn, LostAll)):
                lost[event.player] += 1
        if state.turn is None:
            break
        chance = game.awaits_chance(state)
        action = game.deal(table, state) if chance else choosers[state.player](state)
        state, events = game.apply(table, state, action)
    outcome = game.outcome(table, state)
    assert outcome
    together = len(outcome.winners)
    return Tally(
        tuple(
            SeatTally.of({total: 1}, {together: 1} if seat in outcome.winners else {}, turns[seat], lost[seat])
            for seat, total in enumerate(outcome.totals)
        )
    )
