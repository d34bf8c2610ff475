"""Scores, throws and problems as text or JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from dicecli.errors import Problem
from dicecli.rules.patterns import Dice, positions_of
from dicecli.rules.ruleset import place_of
from dicecli.rules.source import Node
from dicecli.rules.table import AccumulateTable, BankTable, Keep, Option, Sheet, SheetTable, Table
from dicecli.rules.vocabulary import Part
from dicecli.ui.i18n import _, label
from dicecli.ui.messages import message

if TYPE_CHECKING:
    from dicecli.game.notation import Throw

DIE_FACES = "⚀⚁⚂⚃⚄⚅"


def words(dice: Sequence[object]) -> str:
    """Dice in a line: `1 5 3`."""
    return " ".join(map(str, dice))


def shown(table: Table, dice: Sequence[int]) -> list[int | str]:
    """What dice show."""
    return [table.faces.show(face) for face in dice]


def error_object(problems: Sequence[Problem]) -> dict[str, Any]:
    """`{"error": …}` with the first problem, and all of them under `problems` if there are several."""
    objects = [problem_object(problem) for problem in problems]
    return {"error": {**objects[0], **({"problems": objects} if len(objects) > 1 else {})}}


def problem_object(problem: Problem) -> dict[str, Any]:
    """A problem for scripts: `code`, `message`, `at` (file or argument, line, column; null if nowhere)."""
    at = msgspec.to_builtins(problem.at) if problem.at else None
    return {"code": problem.code, "message": message(problem), "at": at}


def score_object(
    table: Table, dice: Dice, sheet: Sheet | None = None, node: Node | None = None, roll: int = 1
) -> dict[str, Any]:
    """What `dice` (in the order thrown) are worth, for scripts; with `node`, which rule of the file says so.

    `sheet` is what a player's sheet holds (default: nothing); at least one cell must be free. `roll` is which throw of
    the turn it is.
    """
    if isinstance(table, BankTable):
        return _bank_score(table, dice, node)
    if isinstance(table, SheetTable):
        return _sheet_score(table, dice, sheet or table.empty, node, roll)
    fallen = table.fallen(tuple(sorted(dice)))
    rule = {"rule": _rule(node, ("outcomes", fallen.outcome))} if node and fallen.outcome else {}
    return {
        "ruleset": table.name,
        "dice": shown(table, dice),
        "lose": fallen.lose,
        "score": fallen.score,
        "outcome": fallen.outcome,
        **rule,
    }


def score_lines(
    table: Table, dice: Dice, sheet: Sheet | None = None, node: Node | None = None, roll: int = 1
) -> list[str]:
    """The same for people."""
    if isinstance(table, BankTable):
        return _bank_lines(table, dice, node)
    if isinstance(table, SheetTable):
        return _sheet_lines(table, dice, sheet or table.empty, node, roll)
    outcome = table.fallen(tuple(sorted(dice))).outcome
    return [fallen_text(table, dice) + (_because(node, [("outcomes", outcome)]) if outcome else "")]


def fallen_text(table: AccumulateTable, dice: Dice) -> str:
    """What a throw of an accumulate game means."""
    fallen = table.fallen(tuple(sorted(dice)))
    if fallen.lose:
        return _("lost turn") if fallen.lose == "turn" else _("everything is lost")
    return str(fallen.score)


def _bank_score(table: BankTable, dice: Dice, node: Node | None) -> dict[str, Any]:
    keeps = table.keeps(tuple(sorted(dice)))
    return {
        "ruleset": table.name,
        "dice": shown(table, dice),
        "bust": not keeps,
        "best": table.best(tuple(sorted(dice))),
        "keeps": [
            {
                "dice": shown(table, keep.dice),
                "positions": list(positions_of(keep.dice, dice)),
                "score": keep.score,
                "parts": [
                    {
                        "combination": part.combination,
                        "dice": shown(table, part.dice),
                        "score": part.score,
                        **({"rule": _rule(node, ("combinations", part.combination))} if node else {}),
                    }
                    for part in keep.parts
                ],
            }
            for keep in keeps.values()
        ],
    }


def _sheet_score(table: SheetTable, dice: Dice, sheet: Sheet, node: Node | None, roll: int) -> dict[str, Any]:
    options = table.options(sheet, tuple(sorted(dice)), roll)
    best = best_option(table, options)
    return {
        "ruleset": table.name,
        "dice": shown(table, dice),
        "best": best.cell,
        "sacrifice": best.score == 0 and table.ruleset.end.win != "lowest",
        "cells": [
            {
                "cell": option.cell,
                "score": option.score,
                "extra": option.extra,
                "legal": option.legal,
                **({"rules": [_rule(node, path) for path in option.rules]} if node else {}),
            }
            for option in options
        ],
    }


def best_option(table: SheetTable, options: Iterable[Option]) -> Option:
    """The legal cell that scores most (least, where the lowest total wins); of equal ones the first."""
    sign = -1 if table.ruleset.end.win == "lowest" else 1
    known = list(options)
    legal = [option for option in known if option.legal] or known  # columns to be announced: what might be
    return max(legal, key=lambda option: sign * _in_column(table, option))


def _in_column(table: SheetTable, option: Option) -> int:
    """The points of a cell times its column's factor."""
    return option.score * table.columns[table.slots[table.at[option.cell][0]].column].multiplier


def _rule(node: Node, path: tuple[str, ...]) -> dict[str, Any]:
    return {"rule": ".".join(path), **msgspec.to_builtins(place_of(node, *path))}


def _because(node: Node | None, paths: Iterable[tuple[str, ...]]) -> str:
    if node is None:
        return ""
    return "  [" + "; ".join(f"{'.'.join(path)}, {place_of(node, *path)}" for path in paths) + "]"


def _bank_lines(table: BankTable, dice: Dice, node: Node | None) -> list[str]:
    keeps = table.keeps(tuple(sorted(dice)))
    if not keeps:
        return [_("No die scores: lost turn.")]
    width = max(len(words(shown(table, keep.dice))) for keep in keeps.values())
    number = max(len(str(keep.score)) for keep in keeps.values())
    return [
        f"{words(shown(table, keep.dice)):<{width}}  {keep.score:>{number}}  {_parts(table, keep)}"
        + _because(node, (("combinations", name) for name in dict.fromkeys(p.combination for p in keep.parts)))
        for keep in keeps.values()
    ]


def _parts(table: BankTable, keep: Keep) -> str:
    parts = (f"{part_label(table.ruleset.combinations, part.combination)} {part.score}" for part in keep.parts)
    return " + ".join(parts)


def cell_label(table: SheetTable, name: str) -> str:
    """What people call a cell, with its column where there are several."""
    slot = table.slots[table.at[name][0]]
    said = part_label(table.ruleset.cells, slot.cell)
    column = table.columns[slot.column]
    return f"{label(column.label, column.id)}: {said}" if column.id else said


def part_label(parts: Mapping[str, Part], name: str) -> str:
    """What people call a cell, a combination or an extra."""
    return label(parts[name].label, name)


def _sheet_lines(table: SheetTable, dice: Dice, sheet: Sheet, node: Node | None, roll: int) -> list[str]:
    options = table.options(sheet, tuple(sorted(dice)), roll)
    best = best_option(table, options)
    lowest = table.ruleset.end.win == "lowest"
    names = {option.cell: cell_label(table, option.cell) for option in options}
    width = max(map(len, names.values()))
    lines = []
    for option in options:
        note = _("  not allowed with this roll") if not option.legal else ""
        if option.extra and option.legal:
            note = f"  +{option.extra}"
        as_good = option.legal == best.legal and _in_column(table, option) == _in_column(table, best)
        if as_good and (best.score or lowest):
            note += _("  least") if lowest else _("  most")
        lines.append(f"{names[option.cell]:<{width}}  {option.score:>4}{note}{_because(node, option.rules)}")
    if best.score == 0 and not lowest:
        lines.append(_("No free cell scores: one has to be sacrificed."))
    return lines


def score_line(table: Table, dice: Dice, sheet: Sheet | None = None, roll: int = 1) -> str:
    """What `dice` are worth at best, in one line for people."""
    if isinstance(table, BankTable):
        keep = next(iter(table.keeps(tuple(sorted(dice))).values()), None)
        worth = f"{keep.score} ({words(shown(table, keep.dice))})" if keep else _("lost turn")
    elif isinstance(table, SheetTable):
        best = best_option(table, table.options(sheet or table.empty, tuple(sorted(dice)), roll))
        worth = f"{best.score + best.extra} ({cell_label(table, best.cell)})"
    else:
        worth = fallen_text(table, dice)
    return f"{words(shown(table, dice))}: {worth}"


def throw_line(thrown: Throw) -> str:
    """What a notation threw: the total, and the dice that count with the others in brackets."""
    dice = (str(face) if counted else f"({face})" for face, counted in zip(thrown.dice, thrown.counts, strict=True))
    return f"{thrown.total}  {' '.join(dice)}".rstrip()


def bonus_label(table: SheetTable, name: str) -> str:
    """What people call a bonus."""
    labels = table.ruleset.bonuses[name].label
    return label(labels, name) if labels else _("Bonus")


def title(table: Table) -> str:
    """The game's name."""
    return label(table.ruleset.name, table.name)
