"""The rules of a game on one page, for people."""

from __future__ import annotations

from collections.abc import Sequence

from dicecli.rules.ruleset import Needs, Part
from dicecli.rules.table import BankTable, SheetTable, Table
from dicecli.ui.i18n import _, label, plural
from dicecli.ui.render import bonus_label, part_label, title, words


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
    goal = _("Played to {target}.").format(target=rules.targets.default)
    if others := [str(target) for target in rules.targets.options if target != rules.targets.default]:
        goal = _("Played to {target} (or {others}).").format(target=rules.targets.default, others=", ".join(others))
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
        _("The computer banks at about {points}.").format(points=rules.computer.bank_at),
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


def _needs_text(table: SheetTable, needs: Needs | None) -> str:
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
