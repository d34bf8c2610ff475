"""A score as a person writes it: a number, or a formula such as `sum + 20` or `100 * face`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from msgspec import Struct

from dicecli.errors import near
from dicecli.rules.expressions import Negative, Operation, Scanner, evaluate, parse

NAMES = ("sum", "matched", "face", "count", "roll")
FUNCTIONS: dict[str, Callable[[list[int]], int]] = {"min": min, "max": max}

_WORD = re.compile(r"[^\W\d]\w*")


class Name(Struct, frozen=True):
    """A name in a formula."""

    name: str


class Call(Struct, frozen=True):
    """`min(…)` or `max(…)` in a formula."""

    function: str
    arguments: tuple[object, ...]


class Formula(Struct, frozen=True):
    """A parsed score; call it with the value of every name in it."""

    text: str
    tree: object

    def __call__(self, values: Mapping[str, int]) -> int:
        """The score in points."""
        if isinstance(self.tree, int):
            return self.tree

        def value(leaf: object) -> int:
            if isinstance(leaf, Call):
                return FUNCTIONS[leaf.function]([evaluate(each, value) for each in leaf.arguments])
            assert isinstance(leaf, Name)
            return values[leaf.name]

        return evaluate(self.tree, value)

    @property
    def names(self) -> frozenset[str]:
        """The names that the formula uses."""
        return frozenset(_names(self.tree))


def parse_formula(score: int | str, names: Sequence[str] = NAMES) -> Formula:
    """The formula of a ruleset's `score` over `names`; raises `BadNotation` with the column of the fault."""
    if isinstance(score, int):
        return Formula(str(score), score)
    return Formula(score, parse(score, partial(_atom, names), divide=True))


def _atom(names: Sequence[str], scanner: Scanner, inner: Callable[[], object]) -> object | None:
    start = scanner.at
    word = scanner.match(_WORD)
    if word is None:
        return None
    called = scanner.text[scanner.at :].lstrip(" \t").startswith("(")
    if word in names and not (called and word in FUNCTIONS):
        return Name(word)
    if word not in FUNCTIONS:
        known = (*names, *FUNCTIONS)
        raise scanner.fault("unknown_name", start, name=word, known=", ".join(known), **near(word, known))
    scanner.skip()
    if not scanner.take("("):
        raise scanner.fault("missing_arguments", function=word)
    arguments = [inner()]
    while _comma(scanner):
        arguments.append(inner())
    scanner.skip()
    if not scanner.take(")"):
        raise scanner.fault("missing_bracket")
    return Call(word, tuple(arguments))


def _names(tree: object) -> Iterator[str]:
    if isinstance(tree, Name):
        yield tree.name
    inside: tuple[object, ...] = tree.arguments if isinstance(tree, Call) else ()
    if isinstance(tree, Operation):
        inside = (tree.left, tree.right)
    elif isinstance(tree, Negative):
        inside = (tree.of,)
    for each in inside:
        yield from _names(each)


def _comma(scanner: Scanner) -> bool:
    scanner.skip()
    return scanner.take(",") is not None
