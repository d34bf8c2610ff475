"""Runs the examples that a ruleset gives of itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dicecli.errors import Problem
from dicecli.rules.faces import Faces, Shown
from dicecli.rules.patterns import Dice
from dicecli.rules.ruleset import place_of
from dicecli.rules.source import Node
from dicecli.rules.table import AccumulateTable, BankTable, SheetTable, Table, step_for
from dicecli.rules.vocabulary import BankExample, SheetExample, ThrowExample

Fact = tuple[str, object, object, str]  # what it is about, what the example and the rules say, how the dice are read


def failed_examples(table: Table, node: Node) -> list[Problem]:
    """A problem for each thing that an example says otherwise than the rules; `node` gives the places."""
    problems = []
    facts: Iterable[Iterator[Fact]]
    if isinstance(table, BankTable):
        facts = (_bank(table, example) for example in table.ruleset.examples)
    elif isinstance(table, SheetTable):
        facts = (_sheet(table, example) for example in table.ruleset.examples)
    else:
        facts = (_throw(table, example) for example in table.ruleset.examples)
    for index, said in enumerate(facts):
        for about, expected, actual, reading in said:
            if expected != actual:
                params = {"about": about, "expected": expected, "actual": actual, "reading": reading}
                code = "example_fails_as_read" if reading else "example_fails"
                problems.append(Problem(code, params, place_of(node, "examples", index)))
    return problems


def _read(faces: Faces, shown: Iterable[Shown]) -> Dice:
    return tuple(sorted(map(faces.number, shown)))


def _words(shown: Iterable[Shown]) -> str:
    return " ".join(map(str, shown))


def _bank(table: BankTable, example: BankExample) -> Iterator[Fact]:
    faces = table.faces
    if example.dice is not None:
        keeps = table.keeps(_read(faces, example.dice)).values()
        actual = {_words(map(faces.show, keep.dice)): keep.score for keep in keeps}
        said = (example.keeps or {}).items()
        yield _words(example.dice), {_words(map(faces.show, _read(faces, k.split()))): v for k, v in said}, actual, ""
    if example.keep is not None:
        kept = _read(faces, example.keep)
        keep = table.keeps(kept).get(kept)
        reading = " + ".join(f"{part.combination} {part.score}" for part in keep.parts) if keep else ""
        yield _words(example.keep), example.score, keep and keep.score, reading


def _throw(table: AccumulateTable, example: ThrowExample) -> Iterator[Fact]:
    fallen = table.fallen(_read(table.faces, example.dice))
    if example.lose:
        yield _words(example.dice), example.lose, fallen.lose, fallen.outcome or ""
    else:
        yield _words(example.dice), example.score, fallen.lose or fallen.score, fallen.outcome or ""


def _sheet(table: SheetTable, example: SheetExample) -> Iterator[Fact]:
    if example.section is not None:
        bonuses = [bonus for bonus in table.ruleset.bonuses.values() if bonus.section == example.section]
        earned = sum(step_for(bonus.steps, example.total or 0) for bonus in bonuses)
        yield f"{example.section} {example.total}", example.bonus, earned, ""
        return
    sheet = tuple(example.filled.get(slot.name) for slot in table.slots)
    named = example.cell if example.cell in table.announced else None
    options = table.options(sheet, _read(table.faces, example.dice or ()), example.roll or 1, named)
    dice = _words(example.dice or ())
    if example.cell is not None:
        scores = {option.cell: option.score for option in options}
        rules = {option.cell: ", ".join(".".join(path) for path in option.rules) for option in options}
        yield f"{dice} {example.cell}", example.score, scores.get(example.cell), rules.get(example.cell, "")
    if example.scoring is not None:
        yield dice, example.scoring, {option.cell: option.score for option in options if option.score}, ""
    if example.legal is not None:
        yield dice, example.legal, {option.cell: option.score for option in options if option.legal}, ""
    if example.extra is not None:
        about = [option.extra for option in options if example.cell in (None, option.cell)]
        yield f"{dice} extra", example.extra, about[0] if about else 0, ""
