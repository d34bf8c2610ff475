"""The rules of a game on one page, for people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dicecli.rules.formulas import NAMES
from dicecli.rules.ruleset import faces_text
from dicecli.rules.table import AccumulateTable, BankTable, SheetTable, Table
from dicecli.rules.vocabulary import (
    MAX_POINTS,
    BankEnd,
    Between,
    FirstThrow,
    HotDice,
    InARow,
    Look,
    Needs,
    Opening,
    Part,
    Step,
)
from dicecli.ui.i18n import _, label, plural
from dicecli.ui.render import bonus_label, part_label, title, words


def rule_sheet(table: Table) -> list[str]:
    """The rules of a game on one page, for people."""
    rules = table.ruleset
    dice = plural("{count} die with faces {faces}", "{count} dice with faces {faces}", rules.dice.count)
    players = _("{least} to {most} players")
    if rules.players.min == rules.players.max:
        players = plural("{most} player", "{most} players", rules.players.max)
    players = players.format(least=rules.players.min, most=rules.players.max)
    lines = [title(table), dice.format(count=rules.dice.count, faces=faces_text(table.faces)) + ", " + players]
    lines += [*_dice_notes(table), ""]
    if isinstance(table, BankTable):
        lines += _bank_rules(table)
    else:
        lines += _sheet_rules(table) if isinstance(table, SheetTable) else _accumulate_rules(table)
    return [*lines, "", _("Source: {text}").format(text=str(rules.source).strip())]


def _dice_notes(table: Table) -> list[str]:
    dice = table.ruleset.dice
    lines = []
    if dice.each:
        for number, weights in enumerate(dice.each, 1):
            lines.append(
                _("Die {number}: its faces fall as often as {weights}.").format(number=number, weights=words(weights))
            )
    elif dice.weights:
        lines.append(_("The faces fall as often as {weights}.").format(weights=words(dice.weights)))
    if dice.values:
        values = ", ".join(_("{face} counts {points}").format(face=face, points=v) for face, v in dice.values.items())
        lines.append(values + ".")
    if dice.wild:
        lines.append(_("{faces} stands for any face that another die shows.").format(faces=words(dice.wild)))
    for name, members in dice.classes.items():
        lines.append(f"{label(None, name)}: {words(members)}.")
    return lines


def _table_lines(rows: Sequence[tuple[str, str, str]]) -> list[str]:
    first, second = (max(len(row[column]) for row in rows) for column in (0, 1))
    return [f"  {row[0]:<{first}}  {row[1]:<{second}}  {row[2]}".rstrip() for row in rows]


def _goal(targets: Sequence[int], default: int) -> str:
    others = ", ".join(str(target) for target in targets if target != default)
    text = _("Played to {target} (or {others}).") if others else _("Played to {target}.")
    return text.format(target=default, others=others)


def _bank_rules(table: BankTable) -> list[str]:
    rules = table.ruleset
    parts = rules.combinations
    rows = [(part_label(parts, name), pattern_text(part), score_text(part)) for name, part in parts.items()]
    turn = rules.turn
    hot = turn.hot_dice if isinstance(turn.hot_dice, HotDice) else HotDice(turn.hot_dice)
    keep = _("After each throw set at least one scoring die aside, then bank or throw the others.")
    if turn.keep == "all":
        keep = _("After each throw all scoring dice have to be set aside; then bank or throw the others.")
    lines = [_("Combinations"), *_table_lines(rows), "", _goal(rules.targets.options, rules.targets.default), keep]
    lines += [_("No scoring die: lost turn."), _hot_text(hot), *_opening_lines(turn.bank_at_least, turn.opening)]
    if turn.must_roll_after:
        names = ", ".join(part_label(parts, name) for name in turn.must_roll_after)
        lines.append(_("After {names} you have to throw again.").format(names=names))
    lines.append(_("Dice of different throws don't combine."))
    bust = rules.bust
    if bust.first_throw:
        lines.append(
            _("Lost at the first throw: {points}").format(points=bust.first_throw.score) + _floor(bust.first_throw)
        )
    if bust.in_a_row:
        text = _("{times} lost turns in a row: {points}")
        lines.append(text.format(times=bust.in_a_row.times, points=bust.in_a_row.score) + _floor(bust.in_a_row))
    if rules.carry:
        lines.append(
            _("The next player may go on with the dice and points that were left, once a turn was banked.")
            if rules.carry.needs == "opened"
            else _("The next player may go on with the dice and points that were left.")
        )
    return [*lines, *_end_lines(rules.end), "", _computer_line(rules.computer.bank_at)]


def _floor(cost: FirstThrow | InARow) -> str:
    return "." if cost.floor is None else _(", but not below {floor}.").format(floor=cost.floor)


def _hot_text(hot: HotDice) -> str:
    text = {
        "may_roll": _("All dice set aside: hot dice, throw all again or bank."),
        "must_roll": _("All dice set aside: hot dice, all have to be thrown again."),
        "stop": _("All dice set aside: the turn is banked."),
    }[hot.then]
    if hot.bonus:
        text += " " + _("They are worth {points} more.").format(points=hot.bonus)
    if hot.multiplier:
        text += " " + _("From then on dice count {more} times more.").format(more=hot.multiplier)
    return text


def _opening_lines(least: int, opening: Opening | None) -> list[str]:
    lines = []
    if least:
        lines.append(_("A turn is banked from {points} points on.").format(points=least))
    if opening:
        text = _("The first banked turn needs {points} points.")
        if opening.below == "lost":
            text = _("The first banked turn needs {points} points; below, stopping scores nothing.")
        lines.append(text.format(points=opening.at_least))
    return lines


def _end_lines(end: BankEnd) -> list[str]:
    lines = [
        {
            "none": _("Who reaches the target wins at once."),
            "others_once": _("Who reaches the target starts the last round: every other player has one more turn."),
            "equal_turns": _("When the target is reached the round is played to its end."),
            "others_one_throw": _("When the target is reached every other player has one more throw."),
        }[end.last_round]
    ]
    if end.exact:
        text = {
            "bust": _("The target has to be hit exactly: who overshoots loses the turn."),
            "back": _("The target has to be hit exactly: what is too much is taken back from it."),
            "given_away": _("The target has to be hit exactly: a turn that overshoots goes to the lowest player."),
        }
        lines.append(text[end.exact])
    if end.rounds:
        lines.append(
            plural("After {count} round the game ends.", "After {count} rounds the game ends.", end.rounds).format(
                count=end.rounds
            )
        )
    return [*lines, *([] if end.last_round == "none" and not end.rounds else [_highest_wins()])]


def _highest_wins() -> str:
    return _("The highest total wins; equal totals share the win.")


def _computer_line(bank_at: int) -> str:
    return _("The computer banks at about {points}.").format(points=bank_at)


def _accumulate_rules(table: AccumulateTable) -> list[str]:
    rules = table.ruleset
    rows = []
    for name, outcome in rules.outcomes.items():
        lost = {"turn": _("lost turn"), "all": _("everything is lost"), None: ""}[outcome.lose]
        rows.append((part_label(rules.outcomes, name), pattern_text(outcome), lost or score_text(outcome)))
    return [
        _("Each throw counts as the first of these that it shows"),
        *_table_lines(rows),
        "",
        _goal(rules.targets.options, rules.targets.default),
        _("After each throw bank the points of the turn or throw all dice again."),
        *_opening_lines(rules.turn.bank_at_least, rules.turn.opening),
        *_end_lines(rules.end),
        "",
        _computer_line(rules.computer.bank_at),
    ]


def _sheet_rules(table: SheetTable) -> list[str]:
    rules = table.ruleset
    lines = []
    for section in table.sections:
        cells = {name: cell for name, cell in rules.cells.items() if cell.section == section}
        rows = []
        for name, cell in cells.items():
            notes = [score_text(cell)]
            if cell.times > 1:
                notes.append(_("{count} times").format(count=cell.times))
            if not cell.counts:
                notes.append(_("in no sum"))
            if cell.repeat:
                notes.append(_("may be scored again and again"))
            rows.append((part_label(rules.cells, name), pattern_text(cell), "; ".join(notes)))
        lines += [label(None, section), *_table_lines(rows)]
        for name, bonus in rules.bonuses.items():
            if bonus.section == section:
                text = _("{bonus}: {steps} points in this section")
                lines.append("  " + text.format(bonus=bonus_label(table, name), steps=_steps_text(bonus.steps)))
        lines.append("")
    return [*lines, *_more_cells(table), *_joker_lines(table), *_turn_lines(table)]


def _steps_text(steps: Iterable[Step]) -> str:
    return ", ".join(_("{score} from {points}").format(score=step.score, points=step.at_least) for step in steps)


def _more_cells(table: SheetTable) -> list[str]:
    rules = table.ruleset
    lines = []
    for name, extra in rules.extras.items():
        text = _("{extra}: {pattern} gives {score} more, whichever cell it is written into")
        said = text.format(extra=part_label(rules.extras, name), pattern=pattern_text(extra), score=score_text(extra))
        lines.append(said + _needs_text(table, extra.needs) + ".")
    for name, formula in rules.derived.items():
        lines.append(f"{label(None, name)}: {formula}.")
    for column in rules.columns or ():
        notes = {
            "free": _("in any order"),
            "down": _("from top to bottom"),
            "up": _("from bottom to top"),
            "from_middle": _("from the middle outward"),
            "from_ends": _("from both ends inward"),
        }[column.order]
        if column.multiplier > 1:
            notes += _(", counts {count} times").format(count=column.multiplier)
        if column.announce:
            notes += _(", its cell is announced after the first throw")
        if column.rolls:
            notes += plural(", at throw {count} only", ", up to throw {count}", column.rolls).format(count=column.rolls)
        lines.append(_("Column {column}: {notes}.").format(column=label(column.label, column.id), notes=notes))
    for rule in rules.points.values():
        what = part_label(rules.cells, rule.cell) if rule.cell else _("the total")
        if rule.of == "scored":
            what = _("how often {cell} scored").format(cell=what)
        said = _("{points} each").format(points=rule.each) if rule.each is not None else _steps_text(rule.steps or ())
        lines.append(_("Game points for {what}: {text}.").format(what=what, text=said))
    return lines


def _joker_lines(table: SheetTable) -> list[str]:
    joker = table.ruleset.joker
    if not joker:
        return []
    cells = table.ruleset.cells
    scores = ", ".join(f"{part_label(cells, cell)} {points}" for cell, points in joker.scores.items())
    own = {
        "forced": _("it must go into its own number's cell, if that is free;"),
        "free": _("if its own number's cell is free, it goes anywhere but is no joker;"),
        "never": _("it never goes into a number's cell while another is free;"),
    }[joker.upper]
    text = _("Joker: {pattern}").format(pattern=pattern_text(joker.when))
    head = [text + _needs_text(table, joker.needs) + ":", "  1. " + own]
    if joker.upper == "free":
        return [
            *head,
            "  2. " + _("else into any free cell; one that is no number's scores: {scores}.").format(scores=scores),
        ]
    return [
        *head,
        "  2. " + _("else into any other cell that is no number's, where it scores: {scores};").format(scores=scores),
        "  3. " + _("else into a free number's cell, for 0."),
    ]


def _turn_lines(table: SheetTable) -> list[str]:
    rules = table.ruleset
    throws = plural("{count} throw a turn", "Up to {count} throws a turn", rules.rolls).format(count=rules.rolls)
    kept = _("{throws}; any dice may be kept between them, kept dice may come back.")
    if rules.keep == "locked":
        kept = _("{throws}; after each at least one more die is kept, and kept dice stay.")
    lines = [kept.format(throws=throws)]
    if rules.save_unused_rolls:
        lines.append(_("Throws that are not used are saved for later turns."))
    if rules.use:
        lines.append(_("The best {count} of the dice count.").format(count=rules.use))
    order = {
        "free": "",
        "down": _("The cells are filled from top to bottom."),
        "up": _("The cells are filled from bottom to top."),
        "from_middle": _("The cells are filled from the middle outward."),
        "from_ends": _("The cells are filled from both ends inward."),
    }[rules.order]
    lines += [order] if order else []
    lines.append(_("Then one free cell takes the dice; what they don't score there is 0."))
    if rules.zero == "only_when_nothing_scores":
        lines.append(_("A cell takes 0 only when no free cell scores."))
    wins = {
        "highest": _highest_wins(),
        "lowest": _("The lowest total wins; equal totals share the win."),
        "points": _("The most points win; equal points share the win."),
    }
    if seconds := rules.after_last_roll.choose_for_me_after:
        text = _(
            "Who has not chosen {seconds} seconds after the last throw gets the cell that the computer would choose."
        )
        lines.append(text.format(seconds=seconds))
    return [*lines, wins[rules.end.win]]


def _needs_text(table: SheetTable, needs: Needs | None) -> str:
    if needs is None:
        return ""
    cell = part_label(table.ruleset.cells, needs.cell)
    text = _(", while {cell} holds points") if needs.state == "scored" else _(", once {cell} is filled")
    if needs.columns == "all":
        text += _(" in every column")
    return text.format(cell=cell)


def pattern_text(look: Look) -> str:
    """What the dice must look like, in words."""
    text = _pattern(look)
    return _("{pattern}, of one class").format(pattern=text) if look.cls else text


def _pattern(look: Look) -> str:
    if look.face is not None:
        return _("dice that show {face}").format(face=look.face)
    if look.dice is not None:
        return words(look.dice)
    if look.of_a_kind is not None:
        text = _("exactly {count} alike") if look.exactly else _("{count} alike")
        return text.format(count=look.of_a_kind)
    if look.groups is not None:
        text = _("{sizes} alike, of different faces") if look.distinct else _("{sizes} alike")
        return text.format(sizes=" + ".join(map(str, look.groups)))
    if look.straight is not None:
        text = _("{count} in a row from {first}") if look.first is not None else _("{count} in a row")
        return text.format(count=look.straight, first=look.first) + (_(", also round the end") if look.wrap else "")
    if look.sum is not None:
        return _sum_text(look.sum)
    for looks, between in ((look.all, _(" and ")), (look.any_of, _(" or "))):
        if looks:
            return between.join(map(pattern_text, looks))
    if look.no:
        return _("not {pattern}").format(pattern=pattern_text(look.no))
    return _("all dice thrown, and none scores") if look.nothing else _("any dice")


def _sum_text(wanted: int | Between) -> str:
    if isinstance(wanted, int):
        return _("a sum of {points}").format(points=wanted)
    if wanted.min == -MAX_POINTS:
        return _("a sum of at most {points}").format(points=wanted.max)
    if wanted.max == MAX_POINTS:
        return _("a sum of at least {points}").format(points=wanted.min)
    return _("a sum from {least} to {most}").format(least=wanted.min, most=wanted.max)


def score_text(part: Part) -> str:
    """What the dice score, in words."""
    scores = part.by_roll or ["matched" if part.score is None else part.score]
    text = " / ".join(_formula_text(str(score)) for score in scores)
    if part.by_roll:
        text += _(" by throw")
    for face, points in part.exceptions.items():
        text += _("; {points} for {face}").format(points=points, face=words([face] * (part.of_a_kind or 1)))
    if part.first_roll:
        text += _("; {points} more at the first throw").format(points=part.first_roll)
    if part.wins:
        text += _("; wins at once") if part.wins is True else _("; wins at once at the first throw")
    return text


def _formula_text(score: str) -> str:
    said = {"sum": _("sum of all dice"), "matched": _("sum of these dice"), "face": _("face"), "roll": _("throw")}
    for name in NAMES:
        score = score.replace(name, said.get(name, name)) if name in said else score
    return score
