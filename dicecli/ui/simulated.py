"""What a simulation found, as text, JSON or CSV."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from math import floor, log10
from typing import Any

from dicecli.analysis.simulate import CONFIDENCE, Player, SeatTally, Tally
from dicecli.rules.table import SheetTable, Table
from dicecli.ui.console import Console
from dicecli.ui.i18n import _, plural
from dicecli.ui.render import title

QUANTILES = (5, 25, 50, 75, 95)
BARS = 16  # at most, for each player
WIDTH = 80  # where the output has none of its own

Figure = tuple[str, str]  # what it is called, and its value


def tally_object(table: Table, players: Sequence[Player], seed: str, asked: int, tally: Tally | None) -> dict[str, Any]:
    """A simulation for scripts.

    `games` were played, `asked` were asked for; `interrupted` if those are fewer. Of each seat: `mean` with
    `mean_interval`, `spread`, `least`, `most`, `quantiles` by percent, `win_rate` with `win_interval` (a win that k
    players share counts 1/k), `wins` by how many shared them, `turns` and `lost_turns` of all games, and `histogram`:
    pairs of a total and its games, where a total stands for itself and the `bin` - 1 next ones. Intervals hold with
    the `confidence` given; they and `spread` are null where one game says nothing.
    """
    games = tally.games if tally else 0
    return {
        "ruleset": table.name,
        "seed": seed,
        "players": list(map(str, players)),
        "games": games,
        "asked": asked,
        "interrupted": games < asked,
        "confidence": CONFIDENCE,
        "seats": [_seat_object(player, seat) for player, seat in zip(players, tally.seats, strict=True)]
        if tally
        else [],
    }


def _seat_object(player: Player, seat: SeatTally) -> dict[str, Any]:
    return {
        "player": str(player),
        "mean": seat.mean,
        "mean_interval": seat.mean_interval,
        "spread": seat.spread,
        "least": seat.least,
        "most": seat.most,
        "quantiles": {str(percent): seat.quantile(percent) for percent in QUANTILES},
        "win_rate": seat.win_rate,
        "win_interval": seat.win_interval,
        "wins": {str(together): games for together, games in sorted(seat.wins.items())},
        "turns": seat.turns,
        "lost_turns": seat.lost,
        "bin": 1 << seat.shift,
        "histogram": [[total << seat.shift, games] for total, games in sorted(seat.totals.items())],
    }


def tally_rows(tally: Tally | None) -> Iterator[str]:
    """A simulation as CSV with the columns total, seat (from 1) and games."""
    yield "total,seat,games"
    for number, seat in enumerate(tally.seats if tally else (), 1):
        yield from (f"{total << seat.shift},{number},{games}" for total, games in sorted(seat.totals.items()))


def tally_lines(table: Table, players: Sequence[Player], seed: str, tally: Tally, console: Console) -> Iterator[str]:
    """A simulation for people: a column for each seat, side by side as many as fit; on a terminal with bars."""
    at_terminal = console.stdout.isatty()
    width = shutil.get_terminal_size().columns if at_terminal else WIDTH
    games = plural("{game}: {count} game, seed {seed}", "{game}: {count} games, seed {seed}", tally.games)
    yield games.format(game=title(table), count=tally.games, seed=seed)
    names = [f"{number} {player}" for number, player in enumerate(players, 1)]
    if len(players) > 1:
        yield _("{name} begins").format(name=names[0])
    columns = [_figures(table, seat, len(players), console) for seat in tally.seats]
    labels = max(len(label) for label, _value in columns[0])
    sizes = max(max(map(len, names)), *(len(value) for column in columns for _label, value in column)) + 2
    side_by_side = 1 if console.plain else max(1, (width - labels) // sizes)
    for first in range(0, len(columns), side_by_side):
        some = slice(first, first + side_by_side)
        yield ""
        yield " " * labels + "".join(f"{name:>{sizes}}" for name in names[some])
        for cells in zip(*columns[some], strict=True):
            yield f"{cells[0][0]:<{labels}}" + "".join(f"{value:>{sizes}}" for _label, value in cells)
    if at_terminal and not console.plain:
        for name, seat in zip(names, tally.seats, strict=True):
            yield ""
            yield _("Points of {name}").format(name=name)
            yield from _bars(seat, width, console.can_show("█▌"))


def _figures(table: Table, seat: SeatTally, players: int, console: Console) -> Iterator[Figure] | list[Figure]:
    sign = "±" if console.can_show("±") else "+-"
    mean = f"{seat.mean:.1f}"
    if seat.mean_interval:
        reach = seat.mean_interval[1] - seat.mean
        digits = 1 if reach == 0 else min(4, max(0, 1 - floor(log10(reach))))
        mean = f"{seat.mean:.{digits}f} {sign}{reach:.{digits}f}"
    figures = [(_("mean, 95 % sure"), mean), (_("spread"), "-" if seat.spread is None else f"{seat.spread:.1f}")]
    figures += [(_("quantile {percent} %").format(percent=each), str(seat.quantile(each))) for each in QUANTILES]
    if players > 1:
        low, high = seat.win_interval
        figures += [(_("wins"), f"{seat.win_rate:.1%}"), (_("wins, 95 % sure"), f"{low:.1%}-{high:.1%}")]
    figures += [(_("turns a game"), f"{seat.turns / seat.games:.1f}")]
    if not isinstance(table, SheetTable):
        figures += [(_("lost turns a game"), f"{seat.lost / seat.games:.1f}")]
    return figures


def _bars(seat: SeatTally, width: int, blocks: bool) -> Iterator[str]:
    """How often totals came, in steps of a round number, as bars."""
    step = _round_step(-(-(seat.most - seat.least + 1) // BARS))
    counts: dict[int, int] = {}
    for total, games in seat.totals.items():
        at = (total << seat.shift) // step
        counts[at] = counts.get(at, 0) + games
    labels = {at: str(at * step) for at in range(min(counts), max(counts) + 1)}
    shares = {at: f"{counts.get(at, 0) / seat.games:.1%}" for at in labels}
    left, right = max(map(len, labels.values())), max(map(len, shares.values()))
    room = max(1, width - left - right - 3)
    for at, label in labels.items():
        halves = round(2 * room * counts.get(at, 0) / max(counts.values()))
        bar = "█" * (halves // 2) + "▌" * (halves % 2) if blocks else "#" * (halves // 2)
        yield f"{label:>{left}} {shares[at]:>{right}} {bar}".rstrip()


def _round_step(least: int) -> int:
    """The first of 1, 2, 5, 10, 20, 50, ... that is not below `least`."""
    power = 1
    while True:
        for step in (power, 2 * power, 5 * power):
            if step >= least:
                return step
        power *= 10
