"""The JSON Schema of rulesets, made from the vocabulary's records; for editors that complete and check as you type."""

from __future__ import annotations

from inspect import cleandoc
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from msgspec import NODEFAULT, Meta, Struct
from msgspec.structs import FieldInfo, fields

from dicecli.rules.meanings import meaning_of
from dicecli.rules.vocabulary import FAMILIES, Look

_UNIONS = (Union, type(int | str))


def schema() -> dict[str, Any]:
    """The schema of a ruleset file; one that extends another may leave out what it doesn't change, or remove it."""
    parts: dict[str, Any] = {}
    for kind in FAMILIES.values():
        _of(kind, parts)
    definitions = {name: _closed(part) for name, part in parts.items()}
    partial = {f"{name}Change": _partial(part) for name, part in definitions.items()}
    names = [kind.__name__ for kind in FAMILIES.values()]
    for name in names:
        for part in (definitions[name], partial[f"{name}Change"]):
            part["properties"]["extends"] = {"type": "string", "description": "The ruleset to start from."}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "dicecli ruleset",
        "type": "object",
        "if": {"required": ["extends"]},
        "then": {"anyOf": [{"$ref": f"#/$defs/{name}Change"} for name in names]},
        "else": {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in names]},
        "$defs": definitions | partial,
    }


def _of(kind: Any, parts: dict[str, Any]) -> dict[str, Any]:
    limits = Meta()
    if kind == "Look" or isinstance(kind, str):
        kind = Look
    if get_origin(kind) is Annotated:
        kind, limits = get_args(kind)
    origin = get_origin(kind)
    if origin in _UNIONS or isinstance(kind, _UNIONS[1]):
        return {"anyOf": [_of(each, parts) for each in get_args(kind)]}
    if origin is Literal:
        return {"enum": list(get_args(kind))}
    if origin is list:
        return {"type": "array", "items": _of(get_args(kind)[0], parts), **_limits(limits, "Items")}
    if origin is dict:
        values = _of(get_args(kind)[1], parts)
        return {"type": "object", "additionalProperties": values, **_limits(limits, "Properties")}
    if isinstance(kind, type) and issubclass(kind, Struct):
        return _record(kind, parts)
    if kind is bool:
        return {"type": "boolean"}
    if kind is int:
        return {"type": "integer", "minimum": limits.ge, "maximum": limits.le}
    return {"type": "string", **_limits(limits, "Length")} if kind is str else {"type": "null"}


def _limits(limits: Meta, what: str) -> dict[str, int]:
    found = {f"min{what}": limits.min_length, f"max{what}": limits.max_length}
    return {key: value for key, value in found.items() if value is not None}


def _record(kind: type[Struct], parts: dict[str, Any]) -> dict[str, Any]:
    name = kind.__name__
    if name not in parts:
        parts[name] = {}
        known = fields(kind)
        parts[name] = {
            "type": "object",
            "description": cleandoc(kind.__doc__ or ""),
            "properties": {field.encode_name: _key(kind, field, parts) for field in known},
            "required": [f.encode_name for f in known if f.default is NODEFAULT and f.default_factory is NODEFAULT],
        }
    return {"$ref": f"#/$defs/{name}"}


def _key(kind: type[Struct], field: FieldInfo, parts: dict[str, Any]) -> dict[str, Any]:
    """What may stand at a key, with what it means, and what holds if it is left out and that isn't nothing."""
    said = {**_of(field.type, parts), "description": meaning_of(kind, field.encode_name)}
    if isinstance(field.default, (bool, int, str)):
        said["default"] = field.default
    return said


def _closed(part: dict[str, Any]) -> dict[str, Any]:
    return {**part, "properties": dict(part["properties"]), "additionalProperties": False}


def _removable(value: dict[str, Any]) -> dict[str, Any]:
    """What may stand at a key, or null."""
    rest = {key: each for key, each in value.items() if key not in ("description", "default")}
    return {"anyOf": [_partial(rest), {"type": "null"}], "description": value["description"]}


def _partial(part: Any) -> Any:
    """The same with nothing required, and null for what is removed."""
    if isinstance(part, list):
        return [_partial(each) for each in part]
    if not isinstance(part, dict):
        return part
    changed: dict[str, Any] = {}
    for key, value in part.items():
        if key in ("required", "minProperties"):
            continue
        if key == "$ref":
            changed[key] = f"{value}Change"
        elif key == "properties":
            changed[key] = {name: _removable(each) for name, each in value.items()}
        elif key == "additionalProperties" and value is not False:
            changed[key] = {"anyOf": [_partial(value), {"type": "null"}]}
        else:
            changed[key] = _partial(value)
    return changed
