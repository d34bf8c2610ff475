"""A ruleset's fingerprint: the same for the same meaning, whatever its text, comments, labels and order of keys."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from msgspec import Struct
from msgspec.json import encode
from msgspec.structs import fields

from dicecli.rules.vocabulary import AccumulateRuleset, BankRuleset, Ruleset

_WORDS = frozenset(("name", "label", "source", "examples", "computer", "after_last_roll"))  # no rules
_FORMULAS = frozenset(("score", "exceptions", "by_roll", "derived"))


def meaning(ruleset: Ruleset) -> dict[str, Any]:
    """What a ruleset says without its words and what it leaves at its default, as plain data with sorted keys."""
    said: dict[str, Any] = _plain(ruleset, formula=False)
    rows = _rows(ruleset)
    return said | {"rows": rows} if rows else said


def _rows(ruleset: Ruleset) -> list[str]:
    """The keys of the parts whose order is a rule, in their order."""
    if isinstance(ruleset, AccumulateRuleset):
        return list(ruleset.outcomes)  # the first that a throw shows
    if isinstance(ruleset, BankRuleset):  # of equal splits the first: one of them may win, or make one throw on
        named = ruleset.turn.must_roll_after or any(part.wins for part in ruleset.combinations.values())
        return list(ruleset.combinations) if named else []
    orders = {ruleset.order, *(column.order for column in ruleset.columns or ())}
    return list(ruleset.cells) if orders != {"free"} else []


def fingerprint(ruleset: Ruleset) -> str:
    """SHA-256 of the meaning, in hex."""
    return sha256(encode(meaning(ruleset), order="deterministic")).hexdigest()


def _plain(value: Any, *, formula: bool) -> Any:
    if isinstance(value, Struct):
        said = {}
        for field in fields(type(value)):
            given = getattr(value, field.name)
            if field.name in _WORDS or given == field.default or (given in ({}, []) and not field.required):
                continue
            said[field.encode_name] = _plain(given, formula=field.name in _FORMULAS)
        return said
    if isinstance(value, dict):
        return {str(key): _plain(value[key], formula=formula) for key in sorted(value, key=str)}
    if isinstance(value, list):
        return [_plain(item, formula=formula) for item in value]
    return "".join(value.split()) if formula and isinstance(value, str) else value
