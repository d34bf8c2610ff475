"""What can go wrong, said in codes: problems with a place, the exceptions that carry them, the exit codes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum

from msgspec import Struct


class Exit(IntEnum):
    """How the program ends; the man page's EXIT STATUS lists the same."""

    DONE = 0
    REFUSED = 1
    USAGE = 2
    INTERRUPTED = 130
    BROKEN_PIPE = 141


class Place(Struct, frozen=True, omit_defaults=True):
    """Where something stands: a file with line and column (from 1), or an argument of the command line."""

    file: str | None = None
    argument: str | None = None
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        parts = (self.file or self.argument, self.line, self.column)
        return ":".join(str(part) for part in parts if part is not None)


class Problem(Struct, frozen=True):
    """One fault: a stable code, the values that its message names, and where it stands."""

    code: str
    params: Mapping[str, object] = {}
    at: Place | None = None


class Refused(Exception):  # noqa: N818 - it is an answer to the person, not a defect
    """Something was refused; `problems` says all that is wrong with it."""

    exit = Exit.REFUSED

    def __init__(self, *problems: Problem) -> None:
        super().__init__(*problems)
        self.problems = problems


class BadFile(Refused):
    """A file that can't be read or used."""


class BadRuleset(BadFile):
    """A ruleset that can't be used."""


class BadMove(Refused):
    """An action that the rules don't allow now."""


class BadNotation(Refused):
    """A text that is no dice notation or no formula; the problem's column counts from 1 within the text."""

    exit = Exit.USAGE


class BadUsage(Refused):
    """An argument that can't be understood."""

    exit = Exit.USAGE


def near(word: str, known: Iterable[str]) -> dict[str, object]:
    """`{"near": …}` with the known word that `word` was probably meant to be, or nothing."""
    import difflib  # only for who made a mistake

    by_lower = {each.lower(): each for each in known}
    found = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=0.6)
    return {"near": by_lower[found[0]]} if found else {}
