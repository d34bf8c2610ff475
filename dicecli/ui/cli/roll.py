"""`dicecli roll`: throw a game's dice, or dice in notation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from dicecli.errors import BadNotation, BadUsage, Exit, Place, Problem, near
from dicecli.ui.cli.command import House, Json, Seed, command, new_seed, to_json, usage
from dicecli.ui.console import Console
from dicecli.ui.i18n import N_, _

MAX_TIMES = 1_000_000_000
HELP = N_(
    "A game, or dice: 6d6; 2d20kh1 keeps the highest (kl the lowest); 4d6dl1+2 drops the lowest (dh the highest);"
    " d% has 100 faces; 8d6! throws each highest face again; + - * and brackets."
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "roll")(roll)


def roll(
    console: Console,
    what: Annotated[str, typer.Argument(metavar="WHAT", help=_(HELP))],
    times: Annotated[int, typer.Option("--times", metavar="N", help=_("How many throws."))] = 1,
    seed: Seed = None,
    house: House = None,
    json: Json = False,
) -> Exit | None:
    """Throw dice."""
    if not 1 <= times <= MAX_TIMES:
        raise usage("bad_times", "--times", most=MAX_TIMES)
    seed = new_seed() if seed is None else seed
    for thrown, text in _throws(what, seed, times, house or []):
        console.out(to_json({**thrown, "seed": seed}) if json else text)
    return None


def _throws(what: str, seed: str, times: int, house: list[str]) -> Iterator[tuple[dict[str, Any], str]]:
    """Each throw as an object for scripts and as a line for people."""
    position = 0
    if is_game(what):
        from dicecli.game.dice import throw_hand
        from dicecli.store.rulesets import find
        from dicecli.ui.render import score_line, score_object, shown

        table = find(what, house).table()
        for _throw in range(times):
            dice, position = throw_hand(seed, position, table.faces, range(table.ruleset.dice.count))
            yield (
                {"ruleset": table.name, "dice": shown(table, dice), "score": score_object(table, dice)},
                score_line(table, dice),
            )
        return
    from dicecli.game.notation import parse_notation, throw_notation
    from dicecli.ui.render import throw_line

    if house:
        raise usage("no_house_rules", "--set")
    notation = read_notation(what, parse_notation)
    for _throw in range(times):
        thrown = throw_notation(notation, seed, position)
        position = thrown.position
        yield (
            {"notation": what, "dice": thrown.dice, "kept": thrown.kept, "total": thrown.total},
            throw_line(thrown),
        )


def is_game(what: str) -> bool:
    """Whether WHAT names a game or a ruleset file, rather than dice in notation."""
    from dicecli.store.rulesets import ENDINGS, is_path, names, shipped_folder, user_folder

    if is_path(what) and (
        what == "-" or what.startswith((".", "/", "~")) or what.endswith(ENDINGS) or Path(what).exists()
    ):
        return True
    return what in names(shipped_folder()) or (not what[:1].isdigit() and what in names(user_folder()))


Read = TypeVar("Read")


def read_notation(what: str, read: Callable[[str], Read]) -> Read:
    """What `read` makes of the dice in WHAT; raises `BadUsage` with the column, or with the game that may be meant."""
    from dicecli.store.rulesets import known_games

    try:
        return read(what)
    except BadNotation as wrong:
        hint = near(what[:40], known_games())
        if what.isidentifier() and (hint or not any(map(str.isdigit, what))):
            problem = Problem("not_game_nor_notation", {"what": what[:40], **hint}, Place(argument="WHAT"))
            raise BadUsage(problem) from None
        problem = wrong.problems[0]
        column = problem.at.column if problem.at else None
        place = Place(argument="WHAT", column=column)
        raise BadUsage(Problem(problem.code, problem.params, place)) from None
