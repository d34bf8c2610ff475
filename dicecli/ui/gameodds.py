"""The exact chances of a game as text or JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from dicecli.analysis.odds import Cell, Hand, Throw, accumulate_odds, bank_odds, sheet_odds
from dicecli.rules.table import AccumulateTable, BankTable, SheetTable, Table
from dicecli.ui.charts import decimal, fraction_object, number, percent, table
from dicecli.ui.i18n import _, label, plural
from dicecli.ui.render import part_label, title


def odds_object(game: Table) -> dict[str, Any]:
    """A game's chances for scripts: `throws` of a bank game, `cells` of a sheet, `throw` of an accumulate game.

    Every chance and mean has a `numerator` and a `denominator`, in lowest terms, as texts, and a `decimal`.
    """
    head = {"ruleset": game.name}
    if isinstance(game, BankTable):
        return {**head, "throws": [_hand_object(hand) for hand in bank_odds(game)]}
    if isinstance(game, SheetTable):
        return {**head, "cells": [_cell_object(game, cell) for cell in sheet_odds(game)]}
    return {**head, "throw": _throw_object(accumulate_odds(game))}


def _hand_object(hand: Hand) -> dict[str, Any]:
    return {
        "dice": list(hand.dice),
        "bust": fraction_object(hand.bust),
        "hot_dice": fraction_object(hand.hot),
        "combinations": _fraction_objects(hand.combinations),
        "mean": fraction_object(hand.mean),
    }


def _cell_object(game: SheetTable, cell: Cell) -> dict[str, Any]:
    return {
        "cell": cell.cell,
        "column": None if cell.column is None else game.columns[cell.column].id,
        "rolls": cell.rolls,
        "throw": None if cell.throw is None else fraction_object(cell.throw),
        "turn": None if cell.turn is None else fraction_object(cell.turn),
        "mean": fraction_object(cell.mean),
    }


def _throw_object(throw: Throw) -> dict[str, Any]:
    return {
        "outcomes": _fraction_objects(throw.outcomes),
        "nothing": fraction_object(throw.nothing),
        "lose_turn": fraction_object(throw.lose_turn),
        "lose_all": fraction_object(throw.lose_all),
        "mean": fraction_object(throw.mean),
    }


def _fraction_objects(values: dict[str, Fraction]) -> dict[str, Any]:
    return {name: fraction_object(value) for name, value in values.items()}


def odds_columns(game: Table) -> Iterator[str]:
    """A game's chances for scripts that read columns: what, of what, in decimals, as a fraction; by tabs."""
    for words, value in _facts(game):
        yield "\t".join([*words, decimal(*value.as_integer_ratio()), str(value)])


def _facts(game: Table) -> Iterator[tuple[Sequence[str], Fraction]]:
    if isinstance(game, BankTable):
        for hand in bank_odds(game):
            dice = str(len(hand.dice)) if _alike(game, hand) else ",".join(map(str, hand.dice))
            yield (dice, "bust"), hand.bust
            yield (dice, "hot_dice"), hand.hot
            yield from (((dice, name), chance) for name, chance in hand.combinations.items())
            yield (dice, "mean"), hand.mean
    elif isinstance(game, SheetTable):
        for cell in sheet_odds(game):
            name = cell.cell if cell.column is None else f"{game.columns[cell.column].id} {cell.cell}"
            if cell.throw is not None and cell.turn is not None:
                yield (name, "throw"), cell.throw
                yield (name, "turn"), cell.turn
            yield (name, "mean"), cell.mean
    else:
        throw = accumulate_odds(game)
        yield from ((("outcome", name), chance) for name, chance in throw.outcomes.items())
        yield ("throw", "nothing"), throw.nothing
        yield ("throw", "lose_turn"), throw.lose_turn
        yield ("throw", "lose_all"), throw.lose_all
        yield ("throw", "mean"), throw.mean


def odds_lines(game: Table, width: int) -> Iterator[str]:
    """A game's chances for people, in `width` columns: fractions too where there is room for them."""
    if isinstance(game, BankTable):
        return _bank_lines(game, width)
    return _sheet_lines(game, width) if isinstance(game, SheetTable) else _accumulate_lines(game, width)


def _bank_lines(game: BankTable, width: int) -> Iterator[str]:
    hands = bank_odds(game)
    yield _("{game}: a throw of so many dice").format(game=title(game))
    rows: list[list[str | Fraction]] = [[_("dice"), _("bust"), _("hot dice"), _("mean")]]
    rows += [[_dice(game, hand), hand.bust, hand.hot, hand.mean] for hand in hands]
    yield from _fitted(rows, width, means=(3,))
    if len(hands) == 1 and game.faces.dice_count > 1:
        yield _("The dice differ, so with fewer of them it depends on which are left.")
    yield ""
    yield _("The chance that a throw of so many dice has a combination:")
    names = {name: part_label(game.ruleset.combinations, name) for name in game.rules}
    room = max(1, (width - max(map(len, names.values()))) // len("  12.3456 %"))
    for at in range(0, len(hands), room):
        some = hands[at : at + room]
        chances = [[names[name], *(_percent(hand.combinations[name]) for hand in some)] for name in game.rules]
        yield from table([["", *(_dice(game, hand) for hand in some)], *chances])


def _dice(game: BankTable, hand: Hand) -> str:
    """How many dice; which, where they differ."""
    if _alike(game, hand):
        return str(len(hand.dice))
    return _("no. {places}").format(places=" ".join(map(str, hand.dice)))


def _alike(game: BankTable, hand: Hand) -> bool:
    """Whether it is enough to say how many dice there are."""
    return len(set(game.faces.weights)) == 1 or len(hand.dice) == game.faces.dice_count


def _sheet_lines(game: SheetTable, width: int) -> Iterator[str]:
    yield _("{game}: a turn that is played for one cell alone").format(game=title(game))
    cells = sheet_odds(game)
    rolls = max(cell.rolls for cell in cells)
    turn = plural("{count} throw", "{count} throws", rolls).format(count=rolls)
    rows: list[list[str | Fraction]] = [["", _("one throw"), turn, _("mean")]]
    for cell in cells:
        name = part_label(game.ruleset.cells, cell.cell)
        if cell.column is not None:
            column = game.columns[cell.column]
            name = f"{label(column.label, column.id)}: {name}"
        rows.append([name, "" if cell.throw is None else cell.throw, "" if cell.turn is None else cell.turn, cell.mean])
    yield from _fitted(rows, width, means=(3,))


def _accumulate_lines(game: AccumulateTable, width: int) -> Iterator[str]:
    throw = accumulate_odds(game)
    yield _("{game}: a throw").format(game=title(game))
    rows: list[list[str | Fraction]] = [["", _("chance")]]
    rows += [[part_label(game.ruleset.outcomes, name), chance] for name, chance in throw.outcomes.items()]
    losses = [(_("nothing of these"), throw.nothing), (_("the turn is lost"), throw.lose_turn)]
    losses.append((_("everything is lost"), throw.lose_all))
    rows += [[said, chance] for said, chance in losses if chance]
    yield from _fitted(rows, width)
    yield _("mean {mean}").format(mean=f"{number(throw.mean)} = {throw.mean}")


def _fitted(rows: list[list[str | Fraction]], width: int, means: Sequence[int] = ()) -> list[str]:
    """Rows as a table: each chance (each mean, in columns `means`) in decimals, with its fraction if it fits.

    Where not even the decimals fit, each value stands in a line of its own, under the first of its row.
    """
    plain, full = [], []
    for row in rows:
        decimals = [each if isinstance(each, str) else _decimal(each, at in means) for at, each in enumerate(row)]
        plain.append(decimals)
        doubled: list[str] = []
        for said, each in zip(decimals, row, strict=True):
            doubled += [said, "" if isinstance(each, str) else str(each)]
        full.append([doubled[0], *doubled[2:]])
    for lines in (table(full), table(plain)):
        if max(map(len, lines)) <= width:
            return lines
    (_first, *heads), *below = plain
    stacked: list[str] = []
    for first, *values in below:
        pairs = [[head, said] for head, said in zip(heads, values, strict=True) if said]
        stacked += [first, *(f"  {line}" for line in table(pairs))]
    return stacked


def _decimal(value: Fraction, is_mean: bool) -> str:
    return f"{float(value):.4f}" if is_mean else _percent(value)


def _percent(chance: Fraction) -> str:
    return percent(*chance.as_integer_ratio())
