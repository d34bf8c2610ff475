"""Whole-number expressions: `+ - *`, brackets, and whatever atoms the caller knows (formulas, dice notation)."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from dicecli.errors import BadNotation, Place, Problem

MAX_LENGTH = 200
MAX_DEPTH = 32
MAX_NUMBER = 1_000_000

_SPACE = re.compile(r"[ \t]*")
_NUMBER = re.compile(r"[0-9]+")


class Operation(Struct, frozen=True):
    """Two sub-expressions and what is done with them: `+`, `-`, `*` or `//`."""

    sign: str
    left: object
    right: object


class Negative(Struct, frozen=True):
    """The opposite of a sub-expression."""

    of: object


class Scanner:
    """A text and how far it has been read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def skip(self) -> None:
        """Pass over blanks."""
        self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]

    def take(self, *words: str) -> str | None:
        """Read the first of `words` that comes next, if any does."""
        for word in words:
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return word
        return None

    def match(self, pattern: re.Pattern[str]) -> str | None:
        """Read what `pattern` matches here, if anything."""
        found = pattern.match(self.text, self.at)
        if not found:
            return None
        self.at = found.end()
        return found[0]

    def number(self) -> int | None:
        """Read a whole number, if one comes next; refuses leading zeros and numbers over `MAX_NUMBER`."""
        start = self.at
        digits = self.match(_NUMBER)
        if digits is None:
            return None
        if len(digits) > 1 and digits[0] == "0":
            raise self.fault("leading_zero", start, number=digits[:20])
        if len(digits) > 7 or int(digits) > MAX_NUMBER:
            raise self.fault("number_too_large", start, most=MAX_NUMBER)
        return int(digits)

    def fault(self, code: str, at: int | None = None, **params: object) -> BadNotation:
        """A `BadNotation` for the text at index `at` (default: here)."""
        column = (self.at if at is None else at) + 1
        return BadNotation(Problem(code, {"text": self.text[:MAX_LENGTH], **params}, Place(column=column)))


Atom = Callable[[Scanner, Callable[[], object]], object]


def parse(text: str, atom: Atom, *, divide: bool = False) -> object:
    """The tree of `text`: `Operation`, `Negative`, int, and what `atom(scanner, inner)` reads.

    `atom` is asked wherever an operand may stand; it returns None when nothing it knows comes next, and may call
    `inner()` to read a whole sub-expression (the arguments of a function). `divide` also allows `//`, by a
    number from 1. Raises `BadNotation` with the column.
    """
    scanner = Scanner(text)
    if len(text) > MAX_LENGTH:
        raise scanner.fault("text_too_long", MAX_LENGTH, most=MAX_LENGTH)
    depth = -1  # the whole text is no bracket

    def inner() -> object:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            raise scanner.fault("too_deep", scanner.at - 1, most=MAX_DEPTH)
        left = product()
        while sign := _sign(scanner, "+", "-"):
            left = Operation(sign, left, product())
        depth -= 1
        return left

    def product() -> object:
        left = operand()
        while sign := _sign(scanner, *(("*", "//") if divide else ("*",))):
            scanner.skip()
            at = scanner.at
            right = operand()
            if sign == "//" and not (isinstance(right, int) and right > 0):
                raise scanner.fault("bad_divisor", at)
            left = Operation(sign, left, right)
        return left

    def operand() -> object:
        nonlocal depth
        scanner.skip()
        if scanner.take("-"):
            depth += 1
            if depth > MAX_DEPTH:
                raise scanner.fault("too_deep", scanner.at - 1, most=MAX_DEPTH)
            of = operand()
            depth -= 1
            return Negative(of)
        if scanner.take("("):
            value = inner()
            scanner.skip()
            if not scanner.take(")"):
                raise scanner.fault("missing_bracket")
            return value
        found = atom(scanner, inner)
        if found is None:
            found = scanner.number()
        if found is None:
            raise _unexpected(scanner)
        return found

    tree = inner()
    scanner.skip()
    if scanner.at < len(text):
        raise _unexpected(scanner)
    return tree


def _sign(scanner: Scanner, *signs: str) -> str | None:
    scanner.skip()
    return scanner.take(*signs)


def _unexpected(scanner: Scanner) -> BadNotation:
    if scanner.at >= len(scanner.text):
        return scanner.fault("unexpected_end")
    return scanner.fault("unexpected_text", found=scanner.text[scanner.at])


def evaluate(tree: object, value: Callable[[object], int]) -> int:
    """The value of a parsed tree; `value` gives the value of each atom."""
    if isinstance(tree, int):
        return tree
    if isinstance(tree, Negative):
        return -evaluate(tree.of, value)
    if isinstance(tree, Operation):
        left, right = evaluate(tree.left, value), evaluate(tree.right, value)
        if tree.sign == "+":
            return left + right
        if tree.sign == "-":
            return left - right
        return left * right if tree.sign == "*" else left // right
    return value(tree)
