"""`dicecli score`: what dice are worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dicecli.errors import BadUsage, Exit, Place, Problem, Refused
from dicecli.ui.cli.command import Game, House, Json, command, to_json, usage
from dicecli.ui.console import Console
from dicecli.ui.i18n import _

if TYPE_CHECKING:
    from dicecli.rules.patterns import Dice
    from dicecli.rules.source import Node
    from dicecli.rules.table import Sheet, SheetTable, Table

MAX_REMEMBERED = 1 << 26  # bytes
MAX_LINE = 4096
CHUNK = 1 << 18


FEW_POINTS = 12  # that are listed one by one


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "score")(score)


def score(
    console: Console,
    game: Game,
    dice: Annotated[
        list[str],
        typer.Argument(metavar="DICE...", help=_("The faces, such as 1 5 3 3 6 2 or 153362; - reads a roll a line.")),
    ],
    filled: Annotated[
        str, typer.Option("--filled", metavar="CELL=POINTS,...", help=_("What the sheet holds: penta=50,fours=12."))
    ] = "",
    roll: Annotated[int, typer.Option("--roll", metavar="N", help=_("Which throw of the turn it is, for sheets."))] = 1,
    explain: Annotated[bool, typer.Option("--explain", help=_("Which rule of the file gave each score."))] = False,
    house: House = None,
    json: Json = False,
) -> Exit | None:
    """Score dice: what may be set aside, or what each cell would get."""
    from dicecli.rules.table import SheetTable
    from dicecli.store.rulesets import find
    from dicecli.ui.render import score_lines, score_object

    if game == "-" and "-" in dice:
        raise usage("two_stdins", "DICE")
    source = find(game, house or ())
    table, places = source.table_and_node()
    most = 1  # only sheets know which throw it is
    if isinstance(table, SheetTable):
        most = 1000 if table.ruleset.save_unused_rolls else table.ruleset.rolls
    if not 1 <= roll <= most:
        raise usage("bad_number", "--roll", found=roll, least=1, most=most)
    node = places if explain else None
    sheet = read_sheet(table, filled)
    if dice == ["-"]:
        return _stream(console, table, sheet, node, json, roll)
    faces = read_throw(table, dice)
    if json:
        console.out(to_json(score_object(table, faces, sheet, node, roll)))
    else:
        for line in score_lines(table, faces, sheet, node, roll):
            console.out(line)
    return None


def read_sheet(table: Table, filled: str) -> Sheet | None:
    """The sheet that `--filled` says; None in games without one."""
    from dicecli.rules.table import SheetTable

    if not isinstance(table, SheetTable):
        if filled:
            raise usage("no_sheet", "--filled", game=table.name)
        return None
    held: dict[int, int] = {}
    for word in filter(None, (piece.strip() for piece in filled.split(","))):
        cell, equals, points = word.partition("=")
        sign, digits = (-1, points[1:]) if points.startswith("-") else (1, points)
        if not equals or not (digits.isascii() and digits.isdigit() and len(digits) <= 7):
            raise usage("filled_form", "--filled", word=word[:40])
        if cell not in table.at:
            raise usage("unknown_cell", "--filled", cell=cell[:40], **table.near_cell(cell[:40]))
        free = [at for at in table.at[cell] if at not in held]
        if not free:
            raise usage("filled_twice", "--filled", cell=cell)
        held[free[0]] = sign * int(digits)
    _check_points(table, held)
    if len(held) == len(table.slots):
        raise usage("sheet_is_full", "--filled")
    return tuple(held.get(at) for at in range(len(table.slots)))


def _check_points(table: SheetTable, held: dict[int, int]) -> None:
    """Refuse points in slots that no throw gives there, as far as that can be looked up."""
    from dicecli.rules.compare import few_rolls, points_of_cells

    if not held or not few_rolls(table):
        return
    possible = points_of_cells(table)
    for at, points in held.items():
        name, cell, _column = table.slots[at]
        found = possible[cell]
        if points not in found and not table.ruleset.cells[cell].repeat:
            told = ", ".join(map(str, sorted(found))) if len(found) <= FEW_POINTS else f"{min(found)}-{max(found)}"
            raise usage("never_scores", "--filled", cell=name, points=points, found=told)


def read_throw(table: Table, words: Iterable[str]) -> Dice:
    """The dice in `words`: any number up to the game's in a bank game, exactly its number in a sheet game."""
    from dicecli.rules.table import BankTable
    from dicecli.ui.reading import read_dice

    dice = read_dice(words, table.faces)
    count = table.ruleset.dice.count
    if not dice:
        raise usage("no_dice", "DICE")
    if not isinstance(table, BankTable) and len(dice) != count:
        raise usage("wrong_number_of_dice", "DICE", found=len(dice), count=count)
    if len(dice) > count:
        raise usage("too_many_dice", "DICE", found=len(dice), count=count)
    return dice


class _Answers(dict[bytes, bytes]):
    """Answers by lines as they came in: a line seen before costs one look; forgets before there are too many."""

    def __init__(self, answer: Callable[[str], str]) -> None:
        self.answer = answer
        self.refused: dict[bytes, Refused] = {}
        self.size = 0

    def __missing__(self, line: bytes) -> bytes:
        try:
            answer = self.answer(line.decode("utf-8", "replace")).encode("utf-8", "replace") + b"\n"
        except Refused as refused:
            self.refused[line] = refused
            return b""
        self.size += len(line) + len(answer)
        if self.size > MAX_REMEMBERED:
            self.clear()
            self.size = 0
        self[line] = answer
        return answer


def _stream(console: Console, table: Table, sheet: Sheet | None, node: Node | None, as_json: bool, roll: int) -> Exit:
    """One roll a line from stdin, one line each, in order; what is at hand is answered before more is awaited."""
    from dicecli.ui.render import score_line, score_lines, score_object

    writer = _json_writer(table, sheet, roll) if as_json and node is None else None

    def answer(line: str) -> str:
        if len(line) > MAX_LINE:
            raise usage("line_too_long", "DICE", most=MAX_LINE)
        dice = read_throw(table, (line,))
        if writer:
            return writer(dice)
        if as_json:
            return to_json(score_object(table, dice, sheet, node, roll))
        if node is not None:
            return f"{score_line(table, dice, sheet, roll)}  " + " / ".join(score_lines(table, dice, sheet, node, roll))
        return score_line(table, dice, sheet, roll)

    answers = _Answers(answer)
    source: Any = console.stdin.buffer
    sink = console.stdout.buffer
    code, number, rest = Exit.DONE, 0, b""
    while chunk := source.read1(CHUNK):
        lines = (rest + chunk).split(b"\n")
        rest = lines.pop()[: MAX_LINE + 1]
        code = max(code, _answer(console, sink, answers, lines, number, as_json))
        number += len(lines)
        if len(answers.refused) >= CHUNK:
            answers.refused.clear()
    if rest:
        code = max(code, _answer(console, sink, answers, [rest], number, as_json))
    return code


def _answer(console: Console, sink: Any, answers: _Answers, lines: list[bytes], number: int, as_json: bool) -> Exit:
    given = [answers[line] for line in lines]
    if not answers.refused or b"" not in given:
        sink.write(b"".join(given))
        sink.flush()
        return Exit.DONE
    from dicecli.ui.cli.command import report

    for at, (line, one) in enumerate(zip(lines, given, strict=True), number + 1):
        if one:
            sink.write(one)
            continue
        sink.flush()
        problem = answers.refused[line].problems[0]
        place = Place(argument=None if as_json else _("line"), line=at)
        report(console, BadUsage(Problem(problem.code, problem.params, place)), as_json)
        console.stdout.flush()
    sink.flush()
    return Exit.REFUSED


def _json_writer(table: Table, sheet: Sheet | None, roll: int) -> Callable[[Dice], str]:
    """Like `to_json(score_object(…))`, but what throws of the same faces share is written once."""
    from dicecli.rules.table import Memory
    from dicecli.ui.render import score_object

    shared: Memory[Dice, list[str | Dice]] = Memory()

    said = ["", *map(to_json, table.faces.shown)]

    def write(dice: Dice) -> str:
        ordered = tuple(sorted(dice))
        pieces = shared.get(ordered)
        if pieces is None:
            pieces = shared.add(ordered, _pieces(table, score_object(table, ordered, sheet, None, roll)))
        places: dict[int, list[int]] = {}
        for at, face in enumerate(dice):
            places.setdefault(face, []).append(at)
        written = [piece if isinstance(piece, str) else _positions(piece, places) for piece in pieces[1:]]
        return f"{pieces[0]}{', '.join([said[face] for face in dice])}{''.join(written)}"

    return write


def _pieces(table: Table, scored: dict[str, Any]) -> list[str | Dice]:
    """The JSON of a score in pieces: what stands before the dice as thrown, then texts, and kept faces for places."""
    keeps = scored.get("keeps", [])
    marked = {**scored, "dice": "\0", **({"keeps": [{**keep, "positions": "\0"} for keep in keeps]} if keeps else {})}
    before, *texts = to_json(marked).split('"\\u0000"')
    pieces: list[str | Dice] = [before + "[", "]" + texts[0] + ("[" if keeps else "")]
    for nth, (keep, text) in enumerate(zip(keeps, texts[1:], strict=True), 1):
        pieces += [tuple(map(table.faces.number, keep["dice"])), "]" + text + ("[" if nth < len(keeps) else "")]
    return pieces


def _positions(kept: Dice, places: dict[int, list[int]]) -> str:
    """The first places of the sorted faces `kept`, as they stand in JSON."""
    taken: list[int] = []
    last, nth = 0, 0
    for face in kept:
        nth = nth + 1 if face == last else 0
        last = face
        taken.append(places[face][nth])
    return ", ".join(map(str, sorted(taken)))
