"""`dicecli solve`: what a game is worth under best play."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dicecli.errors import Exit
from dicecli.ui.cli.command import Game, House, Json, command, to_json, usage
from dicecli.ui.console import Console
from dicecli.ui.i18n import _

if TYPE_CHECKING:
    from dicecli.rules.table import AccumulateTable, BankTable, SheetTable

GUESS_GAMES, MANY_GUESS_GAMES = 200, 10_000  # the first one at a time, the second on a fast engine
GUESS_SECONDS = 60  # then fewer games have to do


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "solve")(solve)


def solve(
    console: Console,
    game: Game,
    target: Annotated[
        int | None, typer.Option("--target", metavar="POINTS", help=_("What a bank game is played to."))
    ] = None,
    first_to_target: Annotated[
        bool, typer.Option("--first-to-target", help=_("Who reaches the target has won at once: no last round."))
    ] = False,
    house: House = None,
    json: Json = False,
) -> Exit | None:
    """Work out best play: a sheet's mean points; a turn, the turns to the target, the chance to win.

    A sheet game is solved for one player who plays for points alone; it is kept, so that advice is quick. Where a game
    is too large, games that the computer plays give an estimate, and it says so.
    """
    from dicecli.rules.table import SheetTable
    from dicecli.store.rulesets import find

    table = find(game, house or ()).table()
    if isinstance(table, SheetTable):
        for argument, given in (("--target", target), ("--first-to-target", first_to_target or None)):
            if given is not None:
                raise usage("no_target", argument, game=table.name)
        found, lines = _sheet(console, table)
    else:
        if target is not None and not 1 <= target <= 1_000_000:
            raise usage("bad_number", "--target", found=target, least=1, most=1_000_000)
        found, lines = _bank(console, table, target or table.ruleset.targets.default, first_to_target)
    if json:
        console.out(to_json(found))
    else:
        console.page(lines)
    return None


def _sheet(console: Console, table: SheetTable) -> tuple[dict[str, Any], list[str]]:
    """What is found of a sheet game, for scripts and for people."""
    from dicecli.analysis.sheets import SheetModel, TooLarge
    from dicecli.store import solved
    from dicecli.ui.coaching import left_out_text
    from dicecli.ui.progress import progress
    from dicecli.ui.render import title

    try:
        model = SheetModel(table)
    except TooLarge as large:
        if large.what == "endless":
            raise usage("endless_game", "GAME", game=table.name) from None
        return _estimate(console, table, large.what, large.count, large.most)
    console.say(_("{game}: {count} states.").format(game=title(table), count=f"{model.states:,}"))
    with progress(console) as tick:
        best = solved.sheet(model, tick).best
    found = {
        "ruleset": table.name,
        "exact": not model.left_out,
        "points": best,
        "states": model.states,
        "left_out": list(model.left_out),
    }
    lines = [_("Best play brings {points} points a game, on average.").format(points=f"{best:.10f}")]
    return found, [*lines, *filter(None, [left_out_text(model.left_out)])]


def _estimate(
    console: Console, table: SheetTable, what: str, count: int, most: int
) -> tuple[dict[str, Any], list[str]]:
    """What can be said of a sheet game that is too large: what the computer reaches in some games."""
    from dicecli.analysis.simulate import Chunk, Player
    from dicecli.players.seats import Job, chunk_size, contest, play_chunk
    from dicecli.ui.progress import progress
    from dicecli.ui.render import title

    too_many = {
        "states": _("{game} has {count} states, more than the {most} that are looked through."),
        "sets": _("{game} has {count} sets of dice that can be held, more than the {most} that are looked through."),
        "scores": _("{game} has {count} scores of throws in cells, more than the {most} that are looked through."),
        "sums": _("{game} has {count} sums in a section, more than the {most} that are looked through."),
        "fillings": _("{game} has {count} ways to fill a section, more than the {most} that are looked through."),
    }[what]
    console.say(too_many.format(game=title(table), count=f"{count:,}", most=f"{most:,}"))
    players = (Player("normal"),) * table.ruleset.players.min
    games = contest(table, players)
    tally = None
    deadline = time.monotonic() + GUESS_SECONDS
    if chunk_size(games) >= MANY_GUESS_GAMES:
        size, count_chunks = MANY_GUESS_GAMES, 1
    else:  # one at a time, fewer where they are long
        size, count_chunks = 1, max(2, GUESS_GAMES * 20 // max(20, len(table.slots)))
    with progress(console) as tick:
        for number in range(count_chunks):
            part = play_chunk(Job(games, "estimate", Chunk(number, size)))
            tally = part if tally is None else tally.merge(part)
            tick(number + 1, count_chunks)
            if number and time.monotonic() > deadline:
                break
    assert tally
    seat = tally.seats[0]
    low, high = seat.mean_interval or (seat.mean, seat.mean)
    found = {
        "ruleset": table.name,
        "exact": False,
        "points": seat.mean,
        "interval": [low, high],
        "games": seat.games,
        what: count,
        "left_out": [],
    }
    text = _("An estimate: in {games} games the computer reaches {mean} (95 % sure: {low} to {high}). {best}")
    best = _("Best play brings no more.") if table.ruleset.end.win == "lowest" else _("Best play brings no less.")
    said = {"mean": f"{seat.mean:.1f}", "low": f"{low:.1f}", "high": f"{high:.1f}", "best": best}
    return found, [text.format(games=seat.games, **said)]


def _bank(
    console: Console, table: BankTable | AccumulateTable, target: int, first_to_target: bool
) -> tuple[dict[str, Any], list[str]]:
    """What is found of a bank game, for scripts and for people."""
    from math import isfinite

    from dicecli.analysis import banks
    from dicecli.store import solved
    from dicecli.ui.coaching import MANY_STEPS, MOST_STEPS, check_throws, finite, left_out_text
    from dicecli.ui.progress import progress

    check_throws(table)
    opened = not table.ruleset.turn.opening
    turn = banks.turn_values(table, opened=opened)
    found: dict[str, Any] = {"ruleset": table.name, "target": target, "turn": finite(turn.mean)}
    lines = [_("Best mean of a turn: {points} points.").format(points=f"{turn.mean:.7f}")]
    if not isfinite(turn.mean):
        lines = [_("Best mean of a turn: without limit, since throwing on is never a risk.")]
    if not opened:
        later = banks.turn_values(table, opened=True).mean
        found["turn_opened"] = finite(later)
        lines = [
            _("Best mean of a turn: {points} points before the first is banked, then {later}.").format(
                points=f"{turn.mean:.7f}", later=f"{later:.7f}"
            )
        ]
    thresholds = banks.thresholds(table)
    found["bank_from"] = thresholds
    lines += _threshold_lines(thresholds)
    left_out = dict.fromkeys(banks.left_out(table, "turn"))
    lines += filter(None, [left_out_text(tuple(left_out))])
    later_out: dict[str, None] = {}
    steps = -(-target // banks.throws_of(table).step)
    found["fewest_turns"] = found["first_player_wins"] = None
    if steps > MANY_STEPS:
        lines.append(_("{target} points are too many steps away for more.").format(target=target))
    else:
        turns = float(banks.fewest_turns(table, target).turns[0])
        found["fewest_turns"] = finite(turns)
        later_out |= dict.fromkeys(banks.left_out(table, "fewest"))
        said = _("Fewest turns to {target} points: {turns}.") if isfinite(turns) else _("{target} can't be reached.")
        lines.append(said.format(target=target, turns=f"{turns:.8f}"))
        if table.ruleset.players.max > 1 and steps > MOST_STEPS:
            lines.append(_("{target} points are too many steps away for the chance of winning.").format(target=target))
        elif table.ruleset.players.max > 1 and isfinite(turns):
            with progress(console) as tick:
                both = solved.duel(table, target, tick, first_to_target=first_to_target)
            chance = float(both.chances[0, 0, 0])
            found["first_player_wins"] = chance
            found["last_round"] = "none" if first_to_target else table.ruleset.end.last_round
            later_out |= dict.fromkeys(banks.left_out(table, "chance"))
            lines.append(_("Of two who play best, the first wins {chance} %.").format(chance=f"{100 * chance:.6f}"))
    found["left_out"] = list(left_out | later_out)
    found["exact"] = not found["left_out"]
    return found, [*lines, *filter(None, [left_out_text(tuple(later_out))])]


def _threshold_lines(thresholds: dict[str, int | None]) -> list[str]:
    """From how many points of the turn banking is best, for each number of dice left; nothing if dice differ."""
    if not thresholds:
        return []
    said = ", ".join(
        _("{dice}: {points}").format(dice=dice, points=points if points is not None else _("never"))
        for dice, points in thresholds.items()
    )
    return [_("For the most points a turn, bank from (by the dice left to throw) {points}.").format(points=said)]
