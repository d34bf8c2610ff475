"""Games in words: what happened, who won, how far a bonus is."""

from __future__ import annotations

from collections.abc import Sequence

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
from dicecli.rules.table import Sheet, SheetTable, Table
from dicecli.ui.i18n import _, plural
from dicecli.ui.render import bonus_label, part_label, words


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
