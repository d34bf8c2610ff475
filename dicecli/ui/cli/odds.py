"""`dicecli odds`: exact chances of a game, or of dice in notation."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dicecli.errors import BadFile, Exit, Place, Problem
from dicecli.ui.cli.command import House, Json, command, to_json, usage
from dicecli.ui.cli.roll import is_game, read_notation
from dicecli.ui.console import Console
from dicecli.ui.i18n import N_, _

if TYPE_CHECKING:
    from fractions import Fraction

    from dicecli.analysis.distribution import Distribution

HELP = N_(
    "A game, or dice as for roll: 4d6dl1, 10d10kh5, 8d6!+2; also compared: '3d6>=10', '2d6 > d12'"
    " (>= > <= < = !=; 3d6!=10 is not equal, 3d6! = 10 explodes)."
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "odds")(odds)


def odds(
    console: Console,
    what: Annotated[str, typer.Argument(metavar="WHAT", help=_(HELP))],
    svg: Annotated[
        str, typer.Option("--svg", metavar="FILE", help=_("Draw a picture into FILE instead; - is stdout."))
    ] = "",
    house: House = None,
    json: Json = False,
) -> Exit | None:
    """Show exact chances: of a game's throws, combinations and cells, or of every total of dice.

    A terminal gets bars, a pipe columns with exact fractions. In JSON numerators and denominators are texts, because
    many readers round numbers beyond 2^53; every numerator of a list of totals is over its one denominator.
    """
    if svg and json:
        raise usage("picture_or_json", "--svg")
    if is_game(what):
        if svg:
            raise usage("picture_of_game", "--svg")
        _show_game(console, what, house or [], json)
        return None
    if house:
        raise usage("no_house_rules", "--set")
    _show_dice(console, what, svg, json)
    return None


def _show_game(console: Console, what: str, house: list[str], as_json: bool) -> None:
    from dicecli.store.rulesets import find
    from dicecli.ui.gameodds import odds_columns, odds_lines, odds_object

    table = find(what, house).table()
    if as_json:
        console.out(to_json(odds_object(table)))
    elif console.width is None:
        _write(console, odds_columns(table))
    else:
        console.page(odds_lines(table, console.width))


def _show_dice(console: Console, what: str, picture: str, as_json: bool) -> None:
    from dicecli.ui import charts

    found = read_notation(what, _counted)
    what = " ".join(what.split())
    if picture:
        _draw(console, picture, charts.picture(what, found))
    elif as_json:
        console.out(to_json(charts.dice_object(what, found)))
    elif console.width is None:
        _write(console, charts.dice_columns(what, found))
    else:
        blocks = None if console.plain else console.can_show(charts.BLOCKS)
        console.page(charts.dice_lines(what, found, console.width, blocks=blocks))


def _counted(text: str) -> Distribution | Fraction:
    """The totals of the dice in `text`, or the chance of a comparison."""
    from dicecli.analysis.distribution import chance, distribution
    from dicecli.game.notation import Notation, parse_comparison

    parsed = parse_comparison(text)
    return distribution(parsed.tree) if isinstance(parsed, Notation) else chance(parsed)


def _write(console: Console, lines: Iterable[str]) -> None:
    for line in lines:
        console.out(line)


def _draw(console: Console, file: str, picture: str) -> None:
    if file == "-":
        console.stdout.write(picture)
        return
    try:
        Path(file).write_text(picture, encoding="utf-8")
    except OSError as error:
        raise BadFile(Problem("not_written", {"reason": error.strerror}, Place(file=file))) from None
