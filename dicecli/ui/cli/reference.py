"""The reference page of the vocabulary, made from the JSON Schema."""

from __future__ import annotations

from typing import Any

from dicecli.rules.schema import schema
from dicecli.rules.vocabulary import FAMILIES, MAX_POINTS


def reference() -> str:
    """Every record of the vocabulary with its keys, in Markdown."""
    records = {name: part for name, part in schema()["$defs"].items() if not name.endswith("Change")}
    lines = [
        "# The vocabulary of rulesets",
        "",
        "Made by `dicecli generate reference` from the JSON Schema (`dicecli rules schema`). The kinds of rulesets come"
        " first; the records that they are made of follow. What a formula may hold, and how rulesets extend each other,"
        " is in [tutorial.md](tutorial.md).",
    ]
    first = [kind.__name__ for kind in FAMILIES.values()]
    for name in (*first, *sorted(records.keys() - set(first))):
        part = records[name]
        lines += [
            "",
            f"## {name}",
            "",
            " ".join(part["description"].split()),
            "",
            "| key | value | | meaning |",
            "|---|---|---|---|",
        ]
        for key, value in part["properties"].items():
            needed = "required" if key in part["required"] else ""
            if value.get("default") not in (None, MAX_POINTS, -MAX_POINTS):  # the limits are none to a reader
                needed = "default " + _said({"enum": [value["default"]]})
            lines.append(f"| `{key}` | {_said(value)} | {needed} | {value['description']} |")
    return "\n".join(lines)


def _said(value: dict[str, Any]) -> str:
    if "anyOf" in value:
        return " or ".join(dict.fromkeys(_said(each) for each in value["anyOf"] if each != {"type": "null"}))
    if "$ref" in value:
        name = value["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name.lower()})"
    if "enum" in value:
        return ", ".join("`true`" if v is True else "`false`" if v is False else f"`{v}`" for v in value["enum"])
    kind = value["type"]
    if kind == "array":
        return f"a list of {_said(value['items'])}"
    if kind == "object":
        return f"names with {_said(value['additionalProperties'])}"
    if kind == "integer":
        return f"a whole number from {value['minimum']} to {value['maximum']}"
    return {"boolean": "`true` or `false`", "string": "a text", "null": "nothing"}[kind]
