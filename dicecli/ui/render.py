"""Scores, throws and problems as text or JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from dicecli.errors import Problem
from dicecli.rules.patterns import Dice, positions_of
from dicecli.rules.ruleset import Part, place_of
from dicecli.rules.source import Node
from dicecli.rules.table import BankTable, Keep, Option, Sheet, SheetTable, Table
from dicecli.ui.i18n import _, label
from dicecli.ui.messages import message

if TYPE_CHECKING:
    from dicecli.game.notation import Throw

DIE_FACES = "⚀⚁⚂⚃⚄⚅"


def words(dice: Sequence[int]) -> str:
    """Dice as numbers: `1 5 3`."""
    return " ".join(map(str, dice))


def error_object(problems: Sequence[Problem]) -> dict[str, Any]:
    """`{"error": …}` with the first problem, and all of them under `problems` if there are several."""
    objects = [problem_object(problem) for problem in problems]
    return {"error": {**objects[0], **({"problems": objects} if len(objects) > 1 else {})}}


def problem_object(problem: Problem) -> dict[str, Any]:
    """A problem for scripts: `code`, `message`, `at` (file or argument, line, column; null if nowhere)."""
    at = msgspec.to_builtins(problem.at) if problem.at else None
    return {"code": problem.code, "message": message(problem), "at": at}


def score_object(table: Table, dice: Dice, sheet: Sheet | None = None, node: Node | None = None) -> dict[str, Any]:
    """What `dice` (in the order thrown) are worth, for scripts; with `node`, which rule of the file says so.

    `sheet` is what a player's sheet holds (default: nothing); at least one cell must be free.
    """
    if isinstance(table, BankTable):
        return _bank_score(table, dice, node)
    return _sheet_score(table, dice, sheet or table.empty, node)


def score_lines(table: Table, dice: Dice, sheet: Sheet | None = None, node: Node | None = None) -> list[str]:
    """The same for people."""
    if isinstance(table, BankTable):
        return _bank_lines(table, dice, node)
    return _sheet_lines(table, dice, sheet or table.empty, node)


def _bank_score(table: BankTable, dice: Dice, node: Node | None) -> dict[str, Any]:
    keeps = table.keeps(tuple(sorted(dice)))
    return {
        "ruleset": table.name,
        "dice": list(dice),
        "bust": not keeps,
        "best": table.best(tuple(sorted(dice))),
        "keeps": [
            {
                "dice": list(keep.dice),
                "positions": list(positions_of(keep.dice, dice)),
                "score": keep.score,
                "parts": [
                    {
                        "combination": part.combination,
                        "dice": list(part.dice),
                        "score": part.score,
                        **({"rule": _rule(node, ("combinations", part.combination))} if node else {}),
                    }
                    for part in keep.parts
                ],
            }
            for keep in keeps.values()
        ],
    }


def _sheet_score(table: SheetTable, dice: Dice, sheet: Sheet, node: Node | None) -> dict[str, Any]:
    options = table.options(sheet, tuple(sorted(dice)))
    best = best_option(options)
    return {
        "ruleset": table.name,
        "dice": list(dice),
        "best": best.cell,
        "sacrifice": best.score == 0,
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


def best_option(options: Iterable[Option]) -> Option:
    """The legal cell that scores most; of equal ones the first."""
    return max((option for option in options if option.legal), key=lambda option: option.score)


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
    width = max(len(words(keep.dice)) for keep in keeps.values())
    number = max(len(str(keep.score)) for keep in keeps.values())
    return [
        f"{words(keep.dice):<{width}}  {keep.score:>{number}}  {_parts(table, keep)}"
        + _because(node, (("combinations", name) for name in dict.fromkeys(p.combination for p in keep.parts)))
        for keep in keeps.values()
    ]


def _parts(table: BankTable, keep: Keep) -> str:
    parts = (f"{part_label(table.ruleset.combinations, part.combination)} {part.score}" for part in keep.parts)
    return " + ".join(parts)


def part_label(parts: Mapping[str, Part], name: str) -> str:
    """What people call a cell, a combination or an extra."""
    return label(parts[name].label, name)


def _sheet_lines(table: SheetTable, dice: Dice, sheet: Sheet, node: Node | None) -> list[str]:
    options = table.options(sheet, tuple(sorted(dice)))
    best = best_option(options)
    names = {option.cell: part_label(table.ruleset.cells, option.cell) for option in options}
    width = max(map(len, names.values()))
    lines = []
    for option in options:
        note = _("  not allowed with this roll") if not option.legal else ""
        if option.extra and option.legal:
            note = f"  +{option.extra}"
        if option.cell == best.cell and best.score:
            note += _("  best")
        lines.append(f"{names[option.cell]:<{width}}  {option.score:>4}{note}{_because(node, option.rules)}")
    if best.score == 0:
        lines.append(_("No free cell scores: one has to be sacrificed."))
    return lines


def score_line(table: Table, dice: Dice, sheet: Sheet | None = None) -> str:
    """What `dice` are worth at best, in one line for people."""
    if isinstance(table, BankTable):
        keep = next(iter(table.keeps(tuple(sorted(dice))).values()), None)
        worth = f"{keep.score} ({words(keep.dice)})" if keep else _("lost turn")
    else:
        best = best_option(table.options(sheet or table.empty, tuple(sorted(dice))))
        worth = f"{best.score + best.extra} ({part_label(table.ruleset.cells, best.cell)})"
    return f"{words(dice)}: {worth}"


def throw_line(thrown: Throw) -> str:
    """What a notation threw: the total, and the dice that count with the others in brackets."""
    left = list(thrown.kept)
    shown = []
    for face in thrown.dice:
        if face in left:
            left.remove(face)
            shown.append(str(face))
        else:
            shown.append(f"({face})")
    return f"{thrown.total}  {' '.join(shown)}".rstrip()


def bonus_label(table: SheetTable, name: str) -> str:
    """What people call a bonus."""
    labels = table.ruleset.bonuses[name].label
    return label(labels, name) if labels else _("Bonus")


def title(table: Table) -> str:
    """The game's name."""
    return label(table.ruleset.name, table.name)
