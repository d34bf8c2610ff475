"""A ruleset's fingerprint: the same for the same meaning, whatever its text, comments, labels and order of keys."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from msgspec import Struct
from msgspec.json import encode
from msgspec.structs import fields

from dicecli.rules.vocabulary import Ruleset, SheetRuleset

_WORDS = frozenset(("name", "label", "source", "examples", "computer", "after_last_roll"))  # no rules
_FORMULAS = frozenset(("score", "exceptions", "by_roll", "derived"))


def meaning(ruleset: Ruleset) -> dict[str, Any]:
    """What a ruleset says without its words and what it leaves at its default, as plain data with sorted keys."""
    said: dict[str, Any] = _plain(ruleset, formula=False)
    orders = [column.order for column in ruleset.columns or ()] if isinstance(ruleset, SheetRuleset) else []
    if isinstance(ruleset, SheetRuleset) and {ruleset.order, *orders} != {"free"}:
        said["rows"] = list(ruleset.cells)  # here the order of the cells is a rule
    return said


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
