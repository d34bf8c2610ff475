"""Rulesets against each other and against themselves: which rolls score differently, and what can never matter."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb, gcd
from typing import NamedTuple

from dicecli.errors import BadUsage, Problem
from dicecli.rules.faces import rolls_of
from dicecli.rules.fingerprint import meaning
from dicecli.rules.patterns import Dice
from dicecli.rules.ruleset import place_of
from dicecli.rules.source import Node
from dicecli.rules.table import AccumulateTable, BankTable, SheetTable, Table

MAX_ROLLS = 20_000  # different rolls up to which all of them are looked at


def rolls(table: Table) -> tuple[dict[Dice, int], int]:
    """Every roll of all dice (sorted) with its weight, and the weight of all together, in whole numbers."""
    return rolls_of(table.faces.weights)


def few_rolls(table: Table) -> bool:
    """Whether every roll can be looked at."""
    count, faces = table.ruleset.dice.count, table.faces.count
    return comb(count + faces - 1, count) <= MAX_ROLLS


class Difference(NamedTuple):
    """Rolls that one ruleset scores so and the other so; `about` is the cell, or empty for a roll's best points.

    `throw` is the number of the throw in its turn; what differs in the first is not told again of later ones.
    """

    about: str
    throw: int
    first: int
    second: int
    share: Fraction
    roll: Dice  # one of them


def different_rolls(first: Table, second: Table) -> list[Difference]:
    """How two rulesets for the same dice score differently on an empty sheet, the most frequent differences first.

    Raises `BadUsage` for different dice or families, and for more rolls than can be looked at.
    """
    if type(first) is not type(second) or first.faces.shown != second.faces.shown:
        raise BadUsage(Problem("not_comparable", {"first": first.name, "second": second.name}))
    if first.faces.weights != second.faces.weights:
        raise BadUsage(Problem("not_comparable", {"first": first.name, "second": second.name}))
    if not few_rolls(first):
        raise BadUsage(Problem("too_many_rolls", {"most": MAX_ROLLS}))
    found: dict[tuple[str, int, int, int], tuple[int, Dice]] = {}
    weights, whole = rolls(first)
    for dice, weight in weights.items():
        before, after = _worth(first, dice), _worth(second, dice)
        for cell, throw in before.keys() & after.keys():
            scores = before[cell, throw], after[cell, throw]
            if scores[0] == scores[1] or (throw > 1 and (before[cell, 1], after[cell, 1]) == scores):
                continue  # the same, or already told for the first throw
            so_far, example = found.get((cell, throw, *scores), (0, dice))
            found[(cell, throw, *scores)] = (so_far + weight, example)
    differences = [Difference(*key, Fraction(weight, whole), dice) for key, (weight, dice) in found.items()]
    return sorted(differences, key=lambda each: (each.about, each.throw, -each.share, each.roll))


def _worth(table: Table, dice: Dice) -> dict[tuple[str, int], int]:
    """The points by cell (empty for a roll's best) and number of the throw, on an empty sheet."""
    if isinstance(table, BankTable):
        return {("", 1): table.best(dice)}
    if isinstance(table, AccumulateTable):
        return {("", 1): table.fallen(dice).score}
    return {
        (cell, roll): points
        for roll in range(1, table.ruleset.rolls + 1)
        for cell, points in zip(table.rules, table.scores(dice, roll), strict=True)
    }


def different_rules(first: Table, second: Table) -> list[tuple[str, object, object]]:
    """The keys of two rulesets that say something else, with both values (None: nothing)."""
    return list(_different(meaning(first.ruleset), meaning(second.ruleset), ""))


_RECORDS = ("turn", "bust", "end", "computer", "players", "turn.opening")  # parts that are always there, if unsaid


def _different(first: object, second: object, path: str) -> Iterator[tuple[str, object, object]]:
    first, second = ({} if each is None and path in _RECORDS else each for each in (first, second))
    if isinstance(first, dict) and isinstance(second, dict):
        for key in sorted(first.keys() | second.keys()):
            yield from _different(first.get(key), second.get(key), f"{path}.{key}" if path else key)
    elif first != second:
        yield path, first, second


def lint(table: Table, node: Node) -> list[Problem]:
    """What a ruleset allows but its writer will hardly have meant."""
    problems = list(_lint_sheet(table, node)) if isinstance(table, SheetTable) else list(_lint_target(table, node))
    if isinstance(table, BankTable) and few_rolls(table):
        best = {
            part.combination for dice in rolls(table)[0] for keep in table.keeps(dice).values() for part in keep.parts
        }
        for name in table.rules:
            if name not in best:
                problems.append(Problem("never_best", {"name": name}, place_of(node, "combinations", name)))
    return problems


def points_of_cells(table: SheetTable) -> dict[str, set[int]]:
    """What throws give in each cell, a joker's scores and 0 among it; for games whose rolls are few."""
    throws = 1 if all(rule.steady for rule in table.rules.values()) else table.ruleset.rolls
    seen = [table.scores(dice, throw) for dice in rolls(table)[0] for throw in range(1, throws + 1)]
    joker = table.ruleset.joker.scores if table.ruleset.joker else {}
    return {cell: {0, joker.get(cell, 0), *(scores[at] for scores in seen)} for at, cell in enumerate(table.rules)}


def _lint_sheet(table: SheetTable, node: Node) -> Iterator[Problem]:
    if not few_rolls(table):
        return
    for cell, points in points_of_cells(table).items():
        if points == {0}:
            yield Problem("never_filled", {"cell": cell}, place_of(node, "cells", cell))


def _lint_target(table: BankTable | AccumulateTable, node: Node) -> Iterator[Problem]:
    rules = table.ruleset
    opening = rules.turn.opening
    if opening and opening.at_least > min(rules.targets.options):
        params = {"opening": opening.at_least, "target": min(rules.targets.options)}
        yield Problem("opening_above_target", params, place_of(node, "turn", "opening"))
    if rules.end.exact and few_rolls(table):
        seen = rolls(table)[0]
        if isinstance(table, BankTable):
            scores = {part.score for dice in seen for keep in table.keeps(dice).values() for part in keep.parts}
        else:
            scores = {table.fallen(dice).score for dice in seen}
        step = gcd(*scores)
        for target in rules.targets.options:
            if step and target % step:
                yield Problem(
                    "target_never_hit", {"target": target, "step": step}, place_of(node, "targets", "options")
                )
