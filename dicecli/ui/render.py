"""Scores, events, rules and problems as text or JSON: the only formatter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from dicecli.errors import Problem
from dicecli.game.bank import positions_of
from dicecli.game.moves import (
    Banked,
    BonusEarned,
    Event,
    GameEnded,
    HotDice,
    Kept,
    LastRound,
    LostTurn,
    NothingScores,
    Outcome,
    Seat,
    Thrown,
    TurnStarted,
    Wrote,
)
from dicecli.game.notation import Throw
from dicecli.rules.patterns import Dice
from dicecli.rules.ruleset import Part, place_of
from dicecli.rules.source import Node
from dicecli.rules.table import BankTable, Keep, Option, Sheet, SheetTable, Table
from dicecli.ui.i18n import _, label, plural
from dicecli.ui.messages import message

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


# Scores of dice


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


# Games


def event_text(table: Table, seats: Sequence[Seat], event: Event) -> str:
    """What happened, in a sentence."""
    if isinstance(event, GameEnded):
        return outcome_text(seats, event.outcome)
    name = seats[event.player].name
    match event:
        case TurnStarted():
            return _("{name} to play.").format(name=name)
        case Thrown():
            return _("{name} throws {dice}.").format(name=name, dice=words(event.dice))
        case Kept(score=None):
            if not event.dice:
                return _("{name} keeps none.").format(name=name)
            return _("{name} keeps {dice}.").format(name=name, dice=words(event.dice))
        case Kept():
            text = _("{name} sets aside {dice} for {score}: {points} this turn.")
            return text.format(name=name, dice=words(event.dice), score=event.score, points=event.points)
        case HotDice():
            return _("Hot dice! {name} may throw all dice again.").format(name=name)
        case LostTurn():
            if not event.lost:
                return _("Lost turn! {name} has no scoring die.").format(name=name)
            return _("Lost turn! {name} has no scoring die and loses {lost}.").format(name=name, lost=event.lost)
        case Banked():
            text = plural("{name} banks {count} point: {total}.", "{name} banks {count} points: {total}.", event.points)
            return text.format(name=name, count=event.points, total=event.total)
        case LastRound():
            return _("Last turn! {name} has reached the target; every other player has one more turn.").format(
                name=name
            )
        case NothingScores():
            return _("No free cell scores: you have to sacrifice one.")
        case Wrote():
            cell = part_label(table.ruleset.cells, event.cell) if isinstance(table, SheetTable) else event.cell
            text = _("{name} writes {score} in {cell}: {total}.")
            if event.extra:
                text = _("{name} writes {score} in {cell}, and {extra} extra: {total}.")
            return text.format(name=name, score=event.score, cell=cell, extra=event.extra, total=event.total)
        case BonusEarned():
            return _("{name} earns the bonus of {score}.").format(name=name, score=event.score)


def outcome_text(seats: Sequence[Seat], outcome: Outcome) -> str:
    """Who won, and every total."""
    names = [seats[player].name for player in outcome.winners]
    if len(seats) == 1:
        text = _("The game is over: {totals}.")
    elif len(names) == 1:
        text = _("{names} wins: {totals}.")
    else:
        text = _("{names} share the win: {totals}.")
    return text.format(names=_(" and ").join(names), totals=totals_text(seats, outcome.totals))


def totals_text(seats: Sequence[Seat], totals: Sequence[int]) -> str:
    """`Ann 350, Computer 1200`."""
    return ", ".join(f"{seat.name} {total}" for seat, total in zip(seats, totals, strict=True))


def bonus_lines(table: SheetTable, sheet: Sheet) -> list[tuple[str, str]]:
    """Each bonus with how far a sheet is toward it: `47 of 63`, or the points earned."""
    lines = []
    for name, bonus in table.ruleset.bonuses.items():
        total = table.section(sheet, bonus.section)
        step = next((step for step in bonus.steps if step.at_least > total), None)
        earned = table.bonuses(sheet)[name]
        toward = _("{total} of {goal}").format(total=total, goal=step.at_least) if step else ""
        shown = ", ".join(filter(None, (str(earned) if earned else "", toward)))
        lines.append((bonus_label(table, name), shown))
    return lines


def bonus_label(table: SheetTable, name: str) -> str:
    """What people call a bonus."""
    labels = table.ruleset.bonuses[name].label
    return label(labels, name) if labels else _("Bonus")


# Rules


def title(table: Table) -> str:
    """The game's name."""
    return label(table.ruleset.name, table.name)


def rule_sheet(table: Table) -> list[str]:
    """The rules of a game on one page, for people."""
    rules = table.ruleset
    dice = plural("{count} die with faces 1 to {faces}", "{count} dice with faces 1 to {faces}", rules.dice.count)
    players = _("{least} to {most} players").format(least=rules.players.min, most=rules.players.max)
    lines = [title(table), dice.format(count=rules.dice.count, faces=rules.dice.faces) + ", " + players, ""]
    lines += _bank_rules(table) if isinstance(table, BankTable) else _sheet_rules(table)
    return [*lines, "", _("Source: {text}").format(text=str(rules.source).strip())]


def _table_lines(rows: Sequence[tuple[str, str, str]]) -> list[str]:
    first, second = (max(len(row[column]) for row in rows) for column in (0, 1))
    return [f"  {row[0]:<{first}}  {row[1]:<{second}}  {row[2]}".rstrip() for row in rows]


def _bank_rules(table: BankTable) -> list[str]:
    rules = table.ruleset
    rows = [
        (part_label(rules.combinations, name), pattern_text(part), score_text(part))
        for name, part in rules.combinations.items()
    ]
    options = ", ".join(map(str, rules.targets.options))
    goal = _("Played to {target} (also: {options}).").format(target=rules.targets.default, options=options)
    return [
        _("Combinations"),
        *_table_lines(rows),
        "",
        goal,
        _("After each throw set at least one scoring die aside, then bank or throw the others."),
        _("No scoring die: lost turn. All dice set aside: hot dice, throw all again or bank."),
        _("Dice of different throws don't combine."),
        _("Who reaches the target starts the last round: every other player has one more turn."),
        _("The highest total wins; equal totals share the win."),
        "",
        _("The computer banks at {points}.").format(points=rules.computer.bank_at),
    ]


def _sheet_rules(table: SheetTable) -> list[str]:
    rules = table.ruleset
    lines = []
    for section in table.sections:
        cells = {name: cell for name, cell in rules.cells.items() if cell.section == section}
        rows = [(part_label(rules.cells, name), pattern_text(cell), score_text(cell)) for name, cell in cells.items()]
        lines += [label(None, section), *_table_lines(rows)]
        for name, bonus in rules.bonuses.items():
            if bonus.section == section:
                text = _("{bonus}: {score} from {points} points in this section")
                lines += [
                    "  " + text.format(bonus=bonus_label(table, name), score=step.score, points=step.at_least)
                    for step in bonus.steps
                ]
        lines.append("")
    for name, extra in rules.extras.items():
        text = _("{extra}: {pattern} gives {score} more, whichever cell it is written into")
        said = text.format(extra=part_label(rules.extras, name), pattern=pattern_text(extra), score=score_text(extra))
        lines.append(said + _needs_text(table, extra.needs) + ".")
    if rules.joker:
        scores = ", ".join(f"{part_label(rules.cells, cell)} {points}" for cell, points in rules.joker.scores.items())
        text = _("Joker: {pattern}").format(pattern=pattern_text(rules.joker.when))
        lines += [
            text + _needs_text(table, rules.joker.needs) + ":",
            "  " + _("1. it must go into its own number's cell, if that is free;"),
            "  "
            + _("2. else into any other cell that is no number's, where it scores: {scores};").format(scores=scores),
            "  " + _("3. else into a free number's cell, for 0."),
        ]
    throws = plural("{count} throw a turn", "Up to {count} throws a turn", rules.rolls).format(count=rules.rolls)
    return [
        *lines,
        _("{throws}; any dice may be kept between them, kept dice may come back.").format(throws=throws),
        _("Then one free cell takes the dice; what they don't score there is 0."),
        _("The highest total wins; equal totals share the win."),
    ]


def _needs_text(table: SheetTable, needs: Any) -> str:
    if needs is None:
        return ""
    cell = part_label(table.ruleset.cells, needs.cell)
    text = _(", while {cell} holds points") if needs.state == "scored" else _(", once {cell} is filled")
    return text.format(cell=cell)


def pattern_text(part: Part) -> str:
    """What the dice must look like, in words."""
    if part.face is not None:
        return _("dice that show {face}").format(face=part.face)
    if part.dice is not None:
        return words(part.dice)
    if part.of_a_kind is not None:
        text = _("exactly {count} alike") if part.exactly else _("{count} alike")
        return text.format(count=part.of_a_kind)
    if part.groups is not None:
        return _("{sizes} alike, of different faces").format(sizes=" + ".join(map(str, part.groups)))
    if part.straight is not None:
        text = _("{count} in a row from {first}") if part.first else _("{count} in a row")
        return text.format(count=part.straight, first=part.first)
    return _("any dice")


def score_text(part: Part) -> str:
    """What the dice score, in words."""
    score = "matched" if part.score is None else str(part.score)
    known = {"sum": _("sum of all dice"), "matched": _("sum of these dice")}
    text = known.get(score, score.replace("face", _("face")).replace("*", "×"))
    for face, points in part.exceptions.items():
        text += _("; {points} for {face}").format(points=points, face=words([face] * (part.of_a_kind or 1)))
    return text


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
