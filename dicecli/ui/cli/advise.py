"""`dicecli advise`: what every choice is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from dicecli.errors import Exit
from dicecli.ui.cli.command import Game, House, Json, command, to_json, usage
from dicecli.ui.console import Console
from dicecli.ui.i18n import _

if TYPE_CHECKING:
    from dicecli.game.moves import State
    from dicecli.players.coach import Coach
    from dicecli.rules.patterns import Dice
    from dicecli.rules.table import AccumulateTable, BankTable, SheetTable

MOST = 1_000_000


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "advise")(advise)


def advise(
    console: Console,
    game: Game,
    dice: Annotated[list[str], typer.Argument(metavar="DICE...", help=_("The faces of the last throw."))],
    roll: Annotated[
        int | None, typer.Option("--roll", metavar="N", help=_("Which throw of the turn it is (default 1)."))
    ] = None,
    filled: Annotated[
        str, typer.Option("--filled", metavar="CELL=POINTS,...", help=_("What the sheet holds: penta=50,fours=12."))
    ] = "",
    locked: Annotated[
        str, typer.Option("--locked", metavar="FACES", help=_("Dice that were held before, where held dice stay."))
    ] = "",
    turn: Annotated[
        int | None,
        typer.Option("--turn", metavar="POINTS", help=_("The points of the turn before this throw, in bank games.")),
    ] = None,
    me: Annotated[
        int | None, typer.Option("--me", metavar="POINTS", help=_("What you have banked (0 if only --other is given)."))
    ] = None,
    other: Annotated[
        int | None, typer.Option("--other", metavar="POINTS", help=_("What the strongest other player has banked."))
    ] = None,
    second: Annotated[
        bool, typer.Option("--second", help=_("The other player began; it matters where all have equal turns."))
    ] = False,
    target: Annotated[
        int | None, typer.Option("--target", metavar="POINTS", help=_("What a bank game is played to."))
    ] = None,
    house: House = None,
    json: Json = False,
) -> Exit | None:
    """Say what every choice is worth, best first, and how much the best is worth over the next.

    On a sheet worths are the points of the whole game. In bank games they are chances of winning if --other is given,
    else turns to the target if --me is given, else points of the turn.
    """
    from dicecli.rules.table import SheetTable
    from dicecli.store.rulesets import find
    from dicecli.ui.cli.score import read_throw
    from dicecli.ui.coaching import advice_lines, advice_object

    table = find(game, house or ()).table()
    faces = read_throw(table, dice)
    if isinstance(table, SheetTable):
        given_all = (
            ("--turn", turn),
            ("--me", me),
            ("--other", other),
            ("--target", target),
            ("--second", second or None),
        )
        for argument, given in given_all:
            if given is not None:
                raise usage("for_bank_games", argument, game=table.name)
        state = _sheet_state(table, faces, roll, filled, locked)
        coach = _sheet_coach(console, table)
    else:
        for argument, word in (("--roll", roll), ("--filled", filled or None), ("--locked", locked or None)):
            if word is not None:
                raise usage("for_sheet_games", argument, game=table.name)
        if second and other is None:
            raise usage("needs_other", "--second")
        state = _bank_state(table, faces, turn or 0, me, other, target, second=second)
        if len(set(table.faces.weights)) > 1:
            console.say(_("The dice of {game} differ; these are taken in the game's order.").format(game=table.name))
        coach = _bank_coach(console, table, state, alone=me is not None, against=other is not None)
    if not coach.choices(state):
        raise usage("no_choice", "DICE")
    if json:
        console.out(to_json(advice_object(table, state, coach)))
    else:
        console.page(advice_lines(table, state, coach))
    return None


def _sheet_coach(console: Console, table: SheetTable) -> Coach:
    from dicecli.ui.coaching import sheet_coach

    return sheet_coach(console, table, 1)


def _bank_coach(
    console: Console, table: BankTable | AccumulateTable, state: State, *, alone: bool, against: bool
) -> Coach:
    from dicecli.ui.coaching import bank_coach, turn_coach

    if against or alone:
        assert state.target
        return bank_coach(console, table, 2 if against else 1, state.target)
    return turn_coach(table, 1)


def _sheet_state(table: SheetTable, dice: Dice, roll: int | None, filled: str, locked: str) -> State:
    """A game in which these dice have just fallen on this sheet."""
    from msgspec.structs import replace

    from dicecli.game.game import start
    from dicecli.game.moves import Seat, SheetBoard, SheetTurn
    from dicecli.rules.patterns import positions_of
    from dicecli.ui.cli.score import read_sheet
    from dicecli.ui.reading import read_dice

    rules = table.ruleset
    roll = 1 if roll is None else roll
    most = 1000 if rules.save_unused_rolls else rules.rolls
    if not 1 <= roll <= most:
        raise usage("bad_number", "--roll", found=roll, least=1, most=most)
    held = read_dice([locked], table.faces) if locked else ()
    if held and rules.keep != "locked":
        raise usage("nothing_is_locked", "--locked", game=table.name)
    if any(held.count(face) > dice.count(face) for face in held):
        raise usage("locked_not_there", "--locked")
    if held and roll == 1:
        raise usage("nothing_held_yet", "--locked")
    if rules.keep == "locked" and not roll - 1 <= len(held) < len(dice):
        raise usage("locked_too_few", "--locked", least=roll - 1, roll=roll)
    kept = positions_of(tuple(sorted(held)), dice)
    sheet = read_sheet(table, filled) or table.empty
    state, _events = start(table, [Seat(str(seat)) for seat in range(rules.players.min)], "")
    turn = SheetTurn(max(rules.rolls, roll), "choose", dice, kept, kept, roll)
    return replace(state, boards=(SheetBoard(sheet), *state.boards[1:]), turn=turn)


def _check_steps(
    table: BankTable | AccumulateTable, points: int, me: int | None, other: int | None, target: int
) -> None:
    """Refuse points that no throws can come to."""
    from math import gcd

    from dicecli.analysis.banks import other_points, throws_of
    from dicecli.ui.coaching import check_throws

    check_throws(table)
    of_turn = throws_of(table).step
    of_totals = gcd(of_turn, *other_points(table, target))
    for argument, number, step in (("--turn", points, of_turn), ("--me", me, of_totals), ("--other", other, of_totals)):
        if number is not None and number % step:
            raise usage("not_in_steps", argument, game=table.name, found=number, step=step)


def _bank_state(
    table: BankTable | AccumulateTable,
    dice: Dice,
    points: int,
    me: int | None,
    other: int | None,
    target: int | None,
    *,
    second: bool,
) -> State:
    """A game in which these dice have just fallen in a turn of so many points; `second`: the other player began."""
    from msgspec.structs import replace

    from dicecli.game.game import start
    from dicecli.game.moves import AccumulateTurn, BankBoard, BankTurn, Seat
    from dicecli.game.turns import one_throw
    from dicecli.rules.table import BankTable

    for argument, number, least in (
        ("--turn", points, 0),
        ("--me", me, 0),
        ("--other", other, 0),
        ("--target", target, 1),
    ):
        if number is not None and not least <= number <= MOST:
            raise usage("bad_number", argument, found=number, least=least, most=MOST)
    if isinstance(table, BankTable) and not table.keeps(tuple(sorted(dice))):
        raise usage("nothing_scores", "DICE")
    if not isinstance(table, BankTable) and table.fallen(tuple(sorted(dice))).lose:
        raise usage("nothing_scores", "DICE")
    seats = max(table.ruleset.players.min, 2 if other is not None else 1)
    state, _events = start(table, [Seat(str(seat)) for seat in range(seats)], "", target)
    assert state.target
    if (me or 0) >= state.target:
        raise usage("already_there", "--me", target=state.target)
    _check_steps(table, points, me, other, state.target)
    mine, others = BankBoard(me or 0, bool(me)), BankBoard(other or 0, bool(other))
    first = (others, mine) if second else (mine, others)
    last = int(not second) if (other or 0) >= state.target else None
    state = replace(state, boards=(*first, *state.boards[2:])[:seats], last_round=last, player=int(second))
    throws = 1 if not points else 2
    once = one_throw(table.ruleset, state)
    if isinstance(table, BankTable):
        hand = tuple(range(len(dice)))
        return replace(state, turn=BankTurn(hand, "keep", dice, points=points, throws=throws, one_throw=once))
    points += table.fallen(tuple(sorted(dice))).score
    return replace(state, turn=AccumulateTurn("decide", dice, points, throws, once))
