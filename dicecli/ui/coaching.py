"""The coach as people meet it: found or worked out, and its advice in words and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import inf, isfinite
from typing import Any

from dicecli.analysis.chances import even
from dicecli.errors import BadUsage, Problem
from dicecli.game import game
from dicecli.game.moves import Action, Announce, Bank, Keep, Roll, SheetTurn, State, TakeOver, Write
from dicecli.players.coach import Choices, Coach, Review, Unit
from dicecli.rules.table import AccumulateTable, BankTable, SheetTable, Table
from dicecli.ui.console import Console
from dicecli.ui.i18n import N_, _, plural
from dicecli.ui.moves import command_line
from dicecli.ui.progress import progress
from dicecli.ui.render import cell_label, shown, words

MANY_STATES = 3_000_000  # more are only looked through for whoever asks for that
MANY_STEPS = 4000  # of a target
MOST_STEPS = 400  # of a target, for the chances of two players: more would take many minutes
MUCH_EFFORT = 1.6e10  # choices to value: some fifteen seconds
MANY_THROWS = 30_000_000

UNITS: dict[Unit, str] = {
    "points": N_("Points of the whole game if the rest is played best:"),
    "turn": N_("Points of this turn if the rest of it is played best:"),
    "turns": N_("Turns to the target if the rest is played best, this one included:"),
    "chance": N_("Chance of winning if both play best:"),
    "guess": N_("A guess, since the game is too large to be looked through: points above what cells usually bring:"),
}
LEFT_OUT = {
    "carry": N_("dice that are left to the next player"),
    "in_a_row": N_("penalties for lost turns in a row"),
    "first_throw": N_("penalties for a lost first throw"),
    "rounds": N_("the limit of rounds"),
    "lose_all": N_("throws that lose everything"),
    "wins": N_("throws that win at once"),
    "below_zero": N_("turns of less than 0 points (they count as 0)"),
    "opened": N_("that one who has lost everything need not open again"),
    "exact_back": N_("going back from beyond the target (it counts as a lost turn)"),
    "exact_given_away": N_("giving points beyond the target away (it counts as a lost turn)"),
    "derived": N_("derived cells"),
    "points": N_("game points (it counts the points on the sheet)"),
    "repeat": N_("cells of several rows that may be scored again"),
    "target": N_("the target: it is too many steps away"),
    "players": N_("players but the one who is ahead"),
    "rivals": N_("the other players (dicecli solve works that out)"),
    "others": N_("what others have (a sheet is played for its own points)"),
}


def left_out_text(codes: Sequence[str]) -> str:
    """What values don't weigh, in a sentence; empty if nothing."""
    if not codes:
        return ""
    return _("Not weighed: {rules}.").format(rules="; ".join(_(LEFT_OUT[code]) for code in codes))


def coach_for(console: Console, table: Table, seats: int, target: int | None) -> Coach:
    """The coach for a game between so many players, worked out first (with a bar) unless it is known."""
    if isinstance(table, SheetTable):
        return sheet_coach(console, table, seats)
    return bank_coach(console, table, seats, target or table.ruleset.targets.default)


def sheet_coach(console: Console, table: SheetTable, seats: int) -> Coach:
    """The coach of a sheet game; one who guesses if it has too many states."""
    from dicecli.analysis.sheets import SheetModel, TooLarge, advise
    from dicecli.players.computer import guesses
    from dicecli.store import solved

    try:
        model = SheetModel(table)
        if model.states > MANY_STATES and not solved.has_sheet(model):
            raise TooLarge("states", model.states, MANY_STATES)
    except TooLarge:
        return Coach("guess", partial(guesses, table))
    with progress(console) as tick:
        found = solved.sheet(model, tick)
    left_out = (*model.left_out, *(["others"] if seats > 1 else []))
    start = (model.sign * found.best,) * seats
    return Coach("points", partial(advise, model, found.judge), start, left_out)


def bank_coach(console: Console, table: BankTable | AccumulateTable, seats: int, target: int) -> Coach:
    """The coach of a bank game: by the chance of winning; by the turns to the target for one who plays alone.

    Where that would take too long, and `solve` has not done it, by the turns to the target, or by the points of each
    turn. Raises `BadUsage` where there are too many throws to be looked through.
    """
    from dicecli.analysis import banks
    from dicecli.store import solved

    check_throws(table)
    steps = target / banks.throws_of(table).step
    quick = steps <= MANY_STEPS and banks.effort(table, target) <= MUCH_EFFORT
    if seats > 1 and (quick or solved.has_duel(table, target)):
        with progress(console) as tick:
            both = solved.duel(table, target, tick)
        first = float(both.chances[0, 0, 0])
        left_out = (*banks.left_out(table, "chance"), *(["players"] if seats > 2 else []))
        return Coach("chance", partial(banks.advise, table, both), (first, *[1 - first] * (seats - 1)), left_out)
    if steps > MANY_STEPS:
        coach = turn_coach(table, seats)
        return coach._replace(left_out=(*coach.left_out, "target"))
    alone = banks.fewest_turns(table, target)
    left_out = (*banks.left_out(table, "fewest"), *(["rivals"] if seats > 1 else []))
    return Coach("turns", partial(banks.advise, table, alone), (-float(alone.turns[0]),) * seats, left_out)


def no_expert(table: Table, target: int | None) -> Problem:
    """Why nobody can play as an expert for whom only guesses, or no chance of winning, are at hand."""
    from dicecli.analysis import banks
    from dicecli.analysis.sheets import SheetModel, TooLarge

    if isinstance(table, SheetTable):
        try:
            SheetModel(table)
        except TooLarge:
            return Problem("no_expert", {"game": table.name})
    elif (target or table.ruleset.targets.default) > MOST_STEPS * banks.throws_of(table).step:
        return Problem("no_expert", {"game": table.name})
    return Problem("expert_unsolved", {"game": table.name})


def check_throws(table: BankTable | AccumulateTable) -> None:
    """Raise `BadUsage` for a bank game with too many throws to be looked through."""
    from dicecli.analysis import banks

    count = banks.throws_to_see(table)
    if count > MANY_THROWS:
        raise BadUsage(Problem("too_much_to_look", {"game": table.name, "count": count, "most": MANY_THROWS}))


def turn_coach(table: BankTable | AccumulateTable, seats: int) -> Coach:
    """The coach of a bank game by the points of each turn alone."""
    from dicecli.analysis import banks

    check_throws(table)
    turn = banks.turn_values(table)
    left_out = tuple(banks.left_out(table, "turn"))
    return Coach("turn", partial(banks.advise, table, turn), (turn.mean,) * seats, left_out)


# Advice


def advice_lines(
    table: Table, state: State, coach: Coach, choices: Choices | None = None, most: int | None = None
) -> list[str]:
    """Every choice (or these) with its worth, best first, and what the best is worth over the next; at most so many."""
    choices = coach.choices(state) if choices is None else choices
    best = choices[0][1]
    lines = [_(UNITS[coach.unit])]
    worths = [worth_text(coach, table, worth) for _action, worth in choices]
    wide = max(map(len, worths))
    behind = [behind_text(coach, best - worth) for _action, worth in choices]
    wide_behind = max(map(len, behind))
    for (action, _worth), worth, less in list(zip(choices, worths, behind, strict=True))[:most]:
        text = choice_text(table, state, action, coach.choices)
        lines.append(f"  {worth:>{wide}}  {less:>{wide_behind}}  {text}")
    if most and len(choices) > most:
        lines.append("  " + _("and {count} more").format(count=len(choices) - most))
    if len(choices) > 1 and isfinite(best):
        lines.append(_over_text(coach, best - choices[1][1]))
    return [*lines, *filter(None, [left_out_text(coach.left_out)])]


def _over_text(coach: Coach, over: float) -> str:
    if even(over) == 0:
        return _("The next is worth as much as the best.")
    said = _amount(coach, behind_text(coach, over).lstrip("-"))
    return _("The best is worth {over} more than the next.").format(over=said or _("next to nothing"))


def _amount(coach: Coach, said: str) -> str:
    """A difference of worths with its unit, unless it is empty."""
    return f"{said} %" if said and coach.unit == "chance" else said


def worth_text(coach: Coach, table: Table, worth: float) -> str:
    """A worth as people read it."""
    if not isfinite(worth):
        return _("no limit")
    if coach.unit == "chance":
        return f"{100 * worth:.2f} %"
    if coach.unit == "turns":
        return f"{-worth:.3f}"
    if coach.unit == "guess":
        return f"{worth:+.1f}"
    return f"{_shown_points(table, worth):.2f}"


def _shown_points(table: Table, worth: float) -> float:
    return -worth if table.ruleset.end.win == "lowest" else worth


def behind_text(coach: Coach, less: float) -> str:
    """How much less than the best something is worth; empty for nothing, and where the best has no limit."""
    if not isfinite(less):
        return ""
    scale, digits = (100, 2) if coach.unit == "chance" else (1, 3 if coach.unit == "turns" else 2)
    said = f"-{scale * less:.{digits}f}"
    return "" if float(said) == 0 else said


def choice_text(table: Table, state: State, action: Action, choices: Callable[[State], Choices] | None = None) -> str:
    """A choice in words; with `choices`, what to do after dice were set aside."""
    turn = state.turn
    assert turn is not None
    match action:
        case Keep() if isinstance(turn, SheetTurn):
            count = len(turn.dice) - len(action.positions)
            if not action.positions:
                return _("throw all again")
            text = plural("keep {dice}, throw {count} die", "keep {dice}, throw {count} dice", count)
            return text.format(dice=_kept_text(table, state, action), count=count)
        case Keep():
            dice = _kept_text(table, state, action)
            after, _events = game.apply(table, state, action)
            then = choices(after)[0][0] if choices and after.turn is not None else None
            if then is None:
                return _("set aside {dice}").format(dice=dice)
            return _("set aside {dice}, then {then}").format(dice=dice, then=choice_text(table, after, then))
        case Write():
            assert isinstance(table, SheetTable)
            return _("write {cell}").format(cell=cell_label(table, action.cell))
        case Announce():
            assert isinstance(table, SheetTable)
            return _("announce {cell}").format(cell=cell_label(table, action.cell))
        case Bank():
            return _("bank {points}").format(points=getattr(turn, "points", 0))
        case TakeOver():
            return _("take over the dice that are left")
        case _:
            count = len(game.hand(table, state))
            return plural("throw {count} die", "throw {count} dice", count).format(count=count)


def _kept_text(table: Table, state: State, keep: Keep) -> str:
    """The dice that are kept; with their places where dice that differ show the same, and not all are kept."""
    assert state.turn
    dice = state.turn.dice
    kept = sorted(dice[at] for at in keep.positions)
    faces = words(shown(table, kept))
    if len(set(table.faces.weights)) == 1 or all(dice.count(face) == kept.count(face) for face in kept):
        return faces
    return f"{faces} ({words([f'#{at + 1}' for at in keep.positions])})"


def advice_object(table: Table, state: State, coach: Coach) -> dict[str, Any]:
    """Advice for scripts: `unit`, `choices` (best first: `line` as line mode takes it, `worth`, `behind` the best).

    A worth without limit is null.
    """
    choices = coach.choices(state)
    best = choices[0][1]
    second = choices[1][1] if len(choices) > 1 else -inf
    return {
        "ruleset": table.name,
        "unit": coach.unit,
        "exact": coach.unit != "guess" and not coach.left_out,
        "left_out": list(coach.left_out),
        "best_over_second": finite(best - second),
        "choices": [
            {
                **action_object(table, state, action),
                "worth": _shown(table, coach, worth),
                "behind": finite(best - worth),
            }
            for action, worth in choices
        ],
    }


def _shown(table: Table, coach: Coach, worth: float) -> float | None:
    if coach.unit == "turns":
        return finite(-worth)
    return finite(_shown_points(table, worth) if coach.unit == "points" else worth)


def finite(number: float) -> float | None:
    """A number for JSON, which knows no infinity."""
    return number if isfinite(number) else None


def action_object(table: Table, state: State, action: Action) -> dict[str, Any]:
    """An action for scripts: what kind, and the line that takes it in line mode; a sheet's kept dice are thrown on."""
    kinds = {Keep: "keep", Write: "write", Announce: "announce", Bank: "bank", TakeOver: "take", Roll: "roll"}
    return {"action": kinds[type(action)], "line": command_line(table, state, action)}


# Looking back


def review_lines(table: Table, coach: Coach, name: str, review: Review) -> list[str]:
    """A player's game looked back on."""
    lines = [_("{name}'s game looked back on").format(name=name)]
    count = len(review.decisions)
    right = sum(decision.right for decision in review.decisions)
    text = plural("{right} of {count} decision best", "{right} of {count} decisions best", count)
    lines.append(text.format(right=right, count=count) + f": {100 * review.accuracy:.1f} %.")
    if coach.whole:
        said = _("Worth before the first throw {start}, choices {cost}, dice and others {luck}: {result} in the end.")
        lines.append(
            said.format(
                start=worth_text(coach, table, review.start),
                cost=_cost_text(coach, review.cost),
                luck=_amount(coach, _signed(coach, review.luck)),
                result=worth_text(coach, table, review.result),
            )
        )
    lines += filter(None, [left_out_text(coach.left_out)])
    numbers = {id(decision): number for number, decision in enumerate(review.decisions, 1)}
    for place, decision in enumerate(review.costliest, 1):
        if place == 1:
            lines.append(_("The costliest decisions:"))
        did = choice_text(table, decision.state, decision.action)
        best = choice_text(table, decision.state, decision.best)
        cost = _cost_text(coach, decision.cost)
        text = _("  {place}. {cost}: {did} instead of: {best} (number {number})")
        lines.append(text.format(place=place, cost=cost, did=did, best=best, number=numbers[id(decision)]))
    lines.append(_("Every decision:"))
    for number, decision in enumerate(review.decisions, 1):
        did = choice_text(table, decision.state, decision.action)
        dice = words(shown(table, decision.state.turn.dice)) if decision.state.turn else ""
        line = f"  {number:>3}. {dice}: {did}"
        if not decision.right:
            best = choice_text(table, decision.state, decision.best)
            line += _(" ({cost}; best: {best})").format(cost=_cost_text(coach, decision.cost), best=best)
        lines.append(line)
    return lines


def _cost_text(coach: Coach, cost: float) -> str:
    """What a decision cost, with its unit."""
    return _amount(coach, behind_text(coach, cost) or "-0")


def _signed(coach: Coach, amount: float) -> str:
    return f"{100 * amount:+.2f}" if coach.unit == "chance" else f"{amount:+.2f}"


def review_object(table: Table, coach: Coach, review: Review) -> dict[str, Any]:
    """A player's game looked back on, for scripts; null where the coach doesn't know what a whole game is worth."""
    decisions = [
        {
            **action_object(table, decision.state, decision.action),
            "dice": shown(table, decision.state.turn.dice) if decision.state.turn else [],
            "worth": _shown(table, coach, decision.worth),
            "best": action_object(table, decision.state, decision.best),
            "cost": decision.cost,
        }
        for decision in review.decisions
    ]
    return {
        "player": review.player,
        "unit": coach.unit,
        "accuracy": review.accuracy,
        "start": _shown(table, coach, review.start) if coach.whole else None,
        "cost": review.cost,
        "luck": review.luck if coach.whole else None,
        "result": _shown(table, coach, review.result) if coach.whole else None,
        "decisions": decisions,
        "left_out": list(coach.left_out),
    }
