"""Runs the examples that a ruleset gives of itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dicecli.errors import Problem
from dicecli.rules.ruleset import BankExample, SheetExample, place_of
from dicecli.rules.source import Node
from dicecli.rules.table import BankTable, SheetTable, Table, bonus_for

Fact = tuple[str, object, object]  # what it is about, what the example says, what the rules say


def failed_examples(table: Table, node: Node) -> list[Problem]:
    """A problem for each thing that an example says otherwise than the rules; `node` gives the places."""
    problems = []
    facts: Iterable[Iterator[Fact]]
    if isinstance(table, BankTable):
        facts = (_bank(table, example) for example in table.ruleset.examples)
    else:
        facts = (_sheet(table, example) for example in table.ruleset.examples)
    for index, said in enumerate(facts):
        for about, expected, actual in said:
            if expected != actual:
                params = {"about": about, "expected": expected, "actual": actual}
                problems.append(Problem("example_fails", params, place_of(node, "examples", index)))
    return problems


def _words(dice: Sequence[int]) -> str:
    return " ".join(map(str, dice))


def _bank(table: BankTable, example: BankExample) -> Iterator[Fact]:
    if example.dice is not None:
        keeps = {_words(keep.dice): keep.score for keep in table.keeps(tuple(sorted(example.dice))).values()}
        said = {_words(sorted(map(_face, key.split()))): points for key, points in (example.keeps or {}).items()}
        yield _words(example.dice), said, keeps
    if example.keep is not None:
        kept = tuple(sorted(example.keep))
        keep = table.keeps(kept).get(kept)
        yield _words(example.keep), example.score, keep and keep.score


def _face(word: str) -> int:
    return int(word) if word.isascii() and word.isdigit() and len(word) < 9 else 0


def _sheet(table: SheetTable, example: SheetExample) -> Iterator[Fact]:
    if example.section is not None:
        bonuses = [bonus for bonus in table.ruleset.bonuses.values() if bonus.section == example.section]
        earned = sum(bonus_for(bonus, example.total or 0) for bonus in bonuses)
        yield f"{example.section} {example.total}", example.bonus, earned
        return
    options = table.options(tuple(example.filled.get(cell) for cell in table.cells), tuple(sorted(example.dice or ())))
    dice = _words(example.dice or ())
    if example.cell is not None:
        scores = {option.cell: option.score for option in options}
        yield f"{dice} {example.cell}", example.score, scores.get(example.cell)
    if example.scoring is not None:
        yield dice, example.scoring, {option.cell: option.score for option in options if option.score}
    if example.legal is not None:
        yield dice, example.legal, {option.cell: option.score for option in options if option.legal}
    if example.extra is not None:
        yield f"{dice} extra", example.extra, options[0].extra if options else 0
