"""`dicecli play`: a game at the terminal, or line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from dicecli.errors import Exit, near
from dicecli.ui.cli.command import House, Json, Seed, command, new_seed, usage
from dicecli.ui.console import Console
from dicecli.ui.i18n import _

if TYPE_CHECKING:
    from dicecli.game.moves import Seat
    from dicecli.rules.table import Table

MAX_NAME = 20
STRENGTHS = ("easy", "normal", "expert")


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "play")(play)


def play(
    console: Console,
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help=_("A game's name or file; else a menu."))] = None,
    player: Annotated[
        list[str] | None, typer.Option("--player", metavar="NAME", help=_("A person who plays; may be repeated."))
    ] = None,
    computers: Annotated[
        int | None,
        typer.Option(
            "--computers", metavar="N", help=_("How many computers play; alone you get as many as the game suggests.")
        ),
    ] = None,
    target: Annotated[
        int | None,
        typer.Option("--target", metavar="POINTS", help=_("What a bank game is played to.")),
    ] = None,
    strength: Annotated[
        str, typer.Option("--strength", metavar="NAME", help=_("How the computers play: easy, normal or expert."))
    ] = "normal",
    review: Annotated[
        bool, typer.Option("--review", help=_("Look back on the game at its end: each choice against the best."))
    ] = False,
    seed: Seed = None,
    house: House = None,
    no_clock: Annotated[bool, typer.Option("--no-clock", help=_("Never choose for me after the last throw."))] = False,
    json: Json = False,
) -> Exit | None:
    """Play a game: at the terminal, or with one command a line on stdin."""
    from dicecli.game.game import start
    from dicecli.rules.table import SheetTable
    from dicecli.store.rulesets import find
    from dicecli.ui import play as session
    from dicecli.ui.helper import Helper
    from dicecli.ui.lines import JsonLines, Lines
    from dicecli.ui.settings import read

    at_table = console.interactive and not json
    if game == "-":
        raise usage("game_from_stdin", "GAME")
    for argument, number, least, most in (("--computers", computers, 0, 20), ("--target", target, 1, 1_000_000)):
        if number is not None and not least <= number <= most:
            raise usage("bad_number", argument, found=number, least=least, most=most)
    if strength not in STRENGTHS:
        raise usage("unknown_strength", "--strength", found=strength[:40], **near(strength[:40], STRENGTHS))
    try:
        if game is None:
            game = _menu(console, at_table)
        table = find(game, house or ()).table()
        seats = _seats(table, player or [], computers, strength)
        started = start(table, seats, new_seed() if seed is None else seed, target)
        note = ""
        if not isinstance(table, SheetTable) and target and target not in table.ruleset.targets.options:
            options = ", ".join(map(str, table.ruleset.targets.options))
            text = _("Note: {target} is none of this game's targets ({options}).")
            note = text.format(target=target, options=options)
            console.say(note)
        front: session.Front
        helper = Helper(table, console)
        helper.prepare(started[0])
        if at_table:
            from dicecli.ui.prompts import Prompts

            timed = isinstance(table, SheetTable) and table.ruleset.after_last_roll.choose_for_me_after
            clock = bool(timed) and not no_clock and read().clock
            front = Prompts(table, console, helper, clock=clock, note=note, review=review)
        else:
            front = (JsonLines if json else Lines)(table, console, helper, review=review)
    except session.Leave:
        return None
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    return session.play(table, started, front)


def _menu(console: Console, at_table: bool) -> str:
    """The game that the player chooses."""
    from dicecli.store.rulesets import known_games

    games = known_games()
    if at_table:
        from dicecli.ui.prompts import choose_game

        return choose_game(console, games)
    if not console.stdin.isatty():
        raise usage("which_game", "GAME", games=games)
    from dicecli.ui.lines import choose_game as ask

    return ask(console, games)


def _seats(table: Table, names: list[str], computers: int | None, strength: str) -> list[Seat]:
    """Who plays: the people named (else Player), and the computers asked for or suggested by the rules."""
    from dicecli.game.moves import Seat
    from dicecli.rules.source import CONTROL

    players = table.ruleset.players
    people = [name.strip() for name in names] or [_("Player")]
    for name in people:
        if not 1 <= len(name) <= MAX_NAME or CONTROL.search(name) or "\n" in name or "\t" in name:
            raise usage("bad_player_name", "--player", most=MAX_NAME)
        if people.count(name) > 1:
            raise usage("same_player_name", "--player", name=name)
    if computers is None:
        alone = min(players.computers, players.max - 1) if len(people) == 1 else 0
        computers = max(alone, players.min - len(people))
    plain = _("Computer")
    seats = [Seat(name) for name in people]
    number = 0
    while len(seats) < len(people) + computers:
        number += 1
        name = plain if computers == 1 and plain not in people else f"{plain} {number}"
        if name not in people:
            seats.append(Seat(name, True, strength))  # type: ignore[arg-type]
    return seats
