"""`dicecli roll`: throw a game's dice, or dice in notation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from dicecli.errors import BadNotation, BadUsage, Exit, Place, Problem, near
from dicecli.ui.cli.command import Json, Seed, command, new_seed, to_json, usage
from dicecli.ui.console import Console
from dicecli.ui.i18n import _

MAX_TIMES = 1_000_000_000


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "roll")(roll)


def roll(
    console: Console,
    what: Annotated[str, typer.Argument(metavar="WHAT", help=_("A game, or dice: 6d6, 2d20kh1, 4d6dl1+2, d%, 8d6!."))],
    times: Annotated[int, typer.Option("--times", metavar="N", help=_("How many throws."))] = 1,
    seed: Seed = None,
    json: Json = False,
) -> Exit | None:
    """Throw dice."""
    if not 1 <= times <= MAX_TIMES:
        raise usage("bad_times", "--times", most=MAX_TIMES)
    seed = new_seed() if seed is None else seed
    for thrown, text in _throws(what, seed, times):
        console.out(to_json({**thrown, "seed": seed}) if json else text)
    return None


def _throws(what: str, seed: str, times: int) -> Iterator[tuple[dict[str, Any], str]]:
    """Each throw as an object for scripts and as a line for people."""
    from dicecli.store.rulesets import find, is_path

    position = 0
    if _is_game(what) or is_path(what):
        from dicecli.game.dice import throw
        from dicecli.ui.render import score_line, score_object

        table = find(what).table()
        for _throw in range(times):
            dice, position = throw(seed, position, table.ruleset.dice.count, table.ruleset.dice.faces)
            yield (
                {"ruleset": table.name, "dice": list(dice), "score": score_object(table, dice)},
                score_line(table, dice),
            )
        return
    from dicecli.game.notation import throw_notation
    from dicecli.ui.render import throw_line

    notation = _notation(what)
    for _throw in range(times):
        thrown = throw_notation(notation, seed, position)
        position = thrown.position
        yield (
            {"notation": what, "dice": thrown.dice, "kept": thrown.kept, "total": thrown.total},
            throw_line(thrown),
        )


def _is_game(what: str) -> bool:
    from dicecli.store.rulesets import names, shipped_folder, user_folder

    return what in names(shipped_folder()) or (not what[:1].isdigit() and what in names(user_folder()))


def _notation(what: str) -> Any:
    from dicecli.game.notation import parse_notation
    from dicecli.store.rulesets import names, shipped_folder, user_folder

    try:
        return parse_notation(what)
    except BadNotation as wrong:
        games = [*names(shipped_folder()), *names(user_folder())]
        hint = near(what[:40], games)
        if what.isidentifier() and (hint or not any(map(str.isdigit, what))):
            problem = Problem("not_game_nor_notation", {"what": what[:40], **hint}, Place(argument="WHAT"))
            raise BadUsage(problem) from None
        problem = wrong.problems[0]
        column = problem.at.column if problem.at else None
        place = Place(argument="WHAT", column=column)
        raise BadUsage(Problem(problem.code, problem.params, place)) from None
