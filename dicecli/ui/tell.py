"""Games in words: what happened, who won, how far a bonus is."""

from __future__ import annotations

from collections.abc import Sequence

from dicecli.game.moves import (
    Announced,
    Banked,
    BonusEarned,
    Event,
    Fell,
    GameEnded,
    HotDice,
    Kept,
    LastRound,
    LostAll,
    LostTurn,
    NothingScores,
    Outcome,
    Overshot,
    Penalty,
    Seat,
    Thrown,
    TookOver,
    TurnStarted,
    WonAtOnce,
    Wrote,
)
from dicecli.rules.table import AccumulateTable, Sheet, SheetTable, Table
from dicecli.ui.i18n import _, label, plural
from dicecli.ui.render import bonus_label, cell_label, shown, words


def event_text(table: Table, seats: Sequence[Seat], event: Event) -> str:
    """What happened, in a sentence."""
    if isinstance(event, GameEnded):
        return outcome_text(seats, event.outcome)
    name = seats[event.player].name
    match event:
        case TurnStarted():
            return _("{name} to play.").format(name=name)
        case Thrown():
            return _("{name} throws {dice}.").format(name=name, dice=words(shown(table, event.dice)))
        case Kept(score=None):
            if not event.dice:
                return _("{name} keeps none.").format(name=name)
            return _("{name} keeps {dice}.").format(name=name, dice=words(shown(table, event.dice)))
        case Kept():
            text = _("{name} sets aside {dice} for {score}: {points} this turn.")
            return text.format(name=name, dice=words(shown(table, event.dice)), score=event.score, points=event.points)
        case TookOver():
            text = plural(
                "{name} goes on with {count} die and {points}.",
                "{name} goes on with {count} dice and {points}.",
                event.dice,
            )
            return text.format(name=name, count=event.dice, points=event.points)
        case Fell():
            text = _("{name} gets {score}: {points} this turn.")
            return text.format(name=name, score=event.score, points=event.points)
        case LostAll():
            return _("Everything is lost! {name} loses {lost}.").format(name=name, lost=event.lost)
        case Penalty():
            text = _("{name} pays for it: {points}, {total} now.")
            return text.format(name=name, points=event.points, total=event.total)
        case Overshot():
            return _overshot_text(seats, name, event)
        case Announced():
            cell = cell_label(table, event.cell) if isinstance(table, SheetTable) else event.cell
            return _("{name} announces {cell}.").format(name=name, cell=cell)
        case WonAtOnce():
            return _("{name} wins at once with this throw!").format(name=name)
        case HotDice():
            return _("Hot dice! {name} may throw all dice again.").format(name=name)
        case LostTurn() if isinstance(table, AccumulateTable):
            if not event.lost:
                return _("Lost turn!")
            return _("Lost turn! {name} loses {lost}.").format(name=name, lost=event.lost)
        case LostTurn():
            if not event.lost:
                return _("Lost turn! {name} has no scoring die.").format(name=name)
            return _("Lost turn! {name} has no scoring die and loses {lost}.").format(name=name, lost=event.lost)
        case Banked():
            text = plural("{name} banks {count} point: {total}.", "{name} banks {count} points: {total}.", event.points)
            return text.format(name=name, count=event.points, total=event.total)
        case LastRound():
            mode = "" if isinstance(table, SheetTable) else table.ruleset.end.last_round
            text = _("Last turn! {name} has reached the target; every other player has one more turn.")
            if mode == "equal_turns":
                text = _("Last turn! {name} has reached the target; the round is played to its end.")
            elif mode == "others_one_throw":
                text = _("Last turn! {name} has reached the target; every other player has one more throw.")
            return text.format(name=name)
        case NothingScores():
            if seats[event.player].computer:
                return _("No free cell scores: {name} has to sacrifice one.").format(name=name)
            return _("No free cell scores: you have to sacrifice one.")
        case Wrote():
            cell = cell_label(table, event.cell) if isinstance(table, SheetTable) else event.cell
            text = _("{name} writes {score} in {cell}: {total}.")
            if event.extra:
                text = _("{name} writes {score} in {cell}, and {extra} extra: {total}.")
            return text.format(name=name, score=event.score, cell=cell, extra=event.extra, total=event.total)
        case BonusEarned():
            return _("{name} earns the bonus of {score}.").format(name=name, score=event.score)


def _overshot_text(seats: Sequence[Seat], name: str, event: Overshot) -> str:
    if event.to is None:
        return _("{name} overshoots the target: {points} points are gone.").format(name=name, points=event.points)
    if event.to == event.player:
        return _("{name} overshoots the target and goes back to {total}.").format(name=name, total=event.total)
    text = _("{name} overshoots the target: {points} points go to {other}, {total} now.")
    return text.format(name=name, points=event.points, other=seats[event.to].name, total=event.total)


def outcome_text(seats: Sequence[Seat], outcome: Outcome) -> str:
    """Who won, and every total."""
    names = [seats[player].name for player in outcome.winners]
    if len(seats) == 1:
        text = _("The game is over: {totals}.")
    elif outcome.reason == "won_at_once":
        text = _("{names} wins at once: {totals}.")
    elif len(names) == 1:
        text = _("{names} wins: {totals}.")
    else:
        text = _("{names} share the win: {totals}.")
    return text.format(names=_(" and ").join(names), totals=totals_text(seats, outcome.totals))


def totals_text(seats: Sequence[Seat], totals: Sequence[int]) -> str:
    """`Ann 350, Computer 1200`."""
    return ", ".join(f"{seat.name} {total}" for seat, total in zip(seats, totals, strict=True))


def bonus_text(table: SheetTable, sheet: Sheet, name: str, column: int = 0) -> str:
    """How far a sheet is toward a bonus: `47 of 63`, or the points earned."""
    bonus = table.ruleset.bonuses[name]
    total = table.section(sheet, bonus.section, column)
    step = next((step for step in bonus.steps if step.at_least > total), None)
    earned = table.bonuses(sheet, column)[name]
    toward = _("{total} of {goal}").format(total=total, goal=step.at_least) if step else ""
    return ", ".join(filter(None, (str(earned) if earned else "", toward)))


def bonus_lines(table: SheetTable, sheet: Sheet) -> list[tuple[str, str]]:
    """Each bonus with how far a sheet is toward it: `47 of 63`, or the points earned; and the derived cells."""
    lines = []
    for number, column in enumerate(table.columns):
        behind = f"{label(column.label, column.id)}: " if column.id else ""
        for name in table.ruleset.bonuses:
            lines.append((behind + bonus_label(table, name), bonus_text(table, sheet, name, number)))
        for name, points in table.derived(sheet, number).items():
            lines.append((behind + label(None, name), "·" if points is None else str(points)))
    return lines
