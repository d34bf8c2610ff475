"""YAML text to plain data that remembers line and column; refuses what YAML readers disagree about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml
from msgspec import Struct

from dicecli.errors import BadRuleset, BadUsage, Place, Problem

MAX_BYTES = 256 * 1024
MAX_DEPTH = 32
MAX_NODES = 20_000  # aliases count with all that they stand for

Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"-?(0|[1-9][0-9]*)\.[0-9]+")
# What YAML 1.1, YAML 1.2 and a person read differently: switches, and numbers as octal, hexadecimal, 1:30, 1_000,
# 1,000, 1e3 or .inf, and dates.
_WORDS = frozenset(("yes", "no", "on", "off", "true", "false", "null", "=", "<<", ".inf", "-.inf", "+.inf", ".nan"))
_NUMBERS = re.compile(
    r"[-+]?(0[xob][0-9a-fA-F_]+|[0-9.][0-9_.,:]*([eE][-+]?[0-9]*)?|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ][0-9:. Zz+-]*)?)"
)

# Control characters and marks that turn the direction of writing: in a text they could repaint a terminal.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]")


class Scalar(Struct, frozen=True):
    """A text, whole number, decimal number, true, false or nothing, and where it stands."""

    value: str | int | float | bool | None
    place: Place
    faulty: bool = False  # reported already
    begins: int | None = None  # the column of the text itself, behind anchor and quotes; None where lines are folded


class Sequence(Struct, frozen=True):
    """A list of nodes."""

    items: list[Any]
    place: Place


class Mapping(Struct, frozen=True):
    """Keys (always text) and nodes, with the places of the keys."""

    items: dict[str, Any]
    keys: dict[str, Place]
    place: Place


Node = Scalar | Sequence | Mapping


def merge(base: Mapping, above: Mapping, without: tuple[str, ...] = ()) -> Mapping:
    """`above` on top of `base`: mappings key by key, anything else replaces, null removes; `without` is left out."""
    items, keys = dict(base.items), dict(base.keys)
    for key, node in above.items.items():
        if isinstance(node, Scalar) and node.value is None:
            items.pop(key, None)
            keys.pop(key, None)
            continue
        below = items.get(key)
        items[key] = merge(below, node) if isinstance(below, Mapping) and isinstance(node, Mapping) else node
        keys[key] = above.keys[key]
    for key in without:
        items.pop(key, None)
        keys.pop(key, None)
    return Mapping(items, keys, above.place)


def override(text: str) -> Mapping:
    """The change that `turn.bank_at_least=300` asks for; its problems have the place `--set turn.bank_at_least`.

    Raises `BadUsage` if it has no such form, `BadRuleset` if the value is no YAML.
    """
    path, equals, value = text.partition("=")
    place = Place(argument=f"--set {path}")
    keys = path.split(".")
    if not equals or not all(keys):
        raise BadUsage(Problem("set_form", {"text": text[:60]}, Place(argument="--set")))
    try:
        node: Any = _at(read(value or "null", "--set"), place)
    except BadRuleset as error:
        raise BadRuleset(*(Problem(problem.code, problem.params, place) for problem in error.problems)) from None
    for key in reversed(keys):
        node = Mapping({key: node}, {key: place}, place)
    assert isinstance(node, Mapping)
    return node


def _at(node: Node, place: Place) -> Node:
    """The same node, all of it at another place."""
    if isinstance(node, Scalar):
        return Scalar(node.value, place)
    if isinstance(node, Sequence):
        return Sequence([_at(item, place) for item in node.items], place)
    return Mapping({key: _at(item, place) for key, item in node.items.items()}, dict.fromkeys(node.keys, place), place)


class _Open:
    """A list or mapping whose end has not been read yet."""

    def __init__(self, node: Sequence | Mapping, anchor: str | None, count: int) -> None:
        self.node = node
        self.anchor = anchor
        self.count = count  # nodes read before it, so that an alias knows its weight
        self.key: str | None = None


def read(text: str | bytes, name: str, found: list[Problem] | None = None) -> Node:
    """The one document of a YAML text; `name` is what problems call the file.

    Raises `BadRuleset` with what stopped the reading, and with every duplicate key and ambiguous word; the latter go
    into `found` instead, if it is given, so that the reading of the ruleset can go on.
    """
    whole = Place(file=name)
    if isinstance(text, str):
        text = text.encode("utf-8", "surrogatepass")
    if len(text) > MAX_BYTES:
        raise BadRuleset(Problem("file_too_large", {"most": MAX_BYTES // 1024}, whole))
    try:
        text = text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode("utf-8-sig")
        place = Place(file=name, line=before.count("\n") + 1, column=len(before) - before.rfind("\n"))
        raise BadRuleset(Problem("not_utf8", {}, place)) from None
    problems: list[Problem] = []
    try:
        node = _build(yaml.parse(text, Loader=Loader), name, problems)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Place(file=name, line=mark.line + 1, column=mark.column + 1) if mark else whole
        problems.append(Problem("not_yaml", {"reason": str(error.problem or error.context)}, place))
        raise BadRuleset(*problems) from None
    except yaml.reader.ReaderError as error:
        counts_bytes = Loader is not yaml.SafeLoader  # the fast parser does
        before = text.encode()[: error.position].decode(errors="ignore") if counts_bytes else text[: error.position]
        place = Place(file=name, line=before.count("\n") + 1, column=len(before) - before.rfind("\n"))
        problems.append(Problem("not_yaml", {"reason": str(error.reason)}, place))
        raise BadRuleset(*problems) from None
    if node is None:
        problems.append(Problem("empty_file", {}, whole))
    if problems and (found is None or node is None):
        raise BadRuleset(*problems)
    if found is not None:
        found += problems
    assert node is not None
    return node


def _build(events: Iterator[Any], name: str, problems: list[Problem]) -> Node | None:
    """Nodes from parser events, without recursion, so that no depth of nesting can exhaust the stack."""
    root: Node | None = None
    stack: list[_Open] = []
    anchors: dict[str, tuple[Node, int]] = {}
    count = 0
    documents = 0

    def refuse(code: str, place: Place, **params: object) -> BadRuleset:
        return BadRuleset(*problems, Problem(code, params, place))

    for event in events:
        mark = event.start_mark
        place = Place(file=name, line=mark.line + 1, column=mark.column + 1)
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise refuse("second_document", place)
            continue
        node: Node
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in anchors:
                raise refuse("unknown_anchor", place, anchor=event.anchor)
            node, weight = anchors[event.anchor]
            count += weight
        elif isinstance(event, yaml.ScalarEvent):
            if event.tag is not None:
                raise refuse("tag", place, tag=event.tag)
            node = _scalar(event, place, problems)
            count += 1
            if event.anchor:
                anchors[event.anchor] = (node, 1)
        elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            if event.tag is not None:
                raise refuse("tag", place, tag=event.tag)
            count += 1
            if len(stack) >= MAX_DEPTH:
                raise refuse("nested_too_deep", place, most=MAX_DEPTH)
            node = Sequence([], place) if isinstance(event, yaml.SequenceStartEvent) else Mapping({}, {}, place)
            stack.append(_Open(node, event.anchor, count - 1))
            continue
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            closed = stack.pop()
            node = closed.node
            if closed.anchor:
                anchors[closed.anchor] = (node, count - closed.count)
        else:
            continue
        if count > MAX_NODES:
            raise refuse("too_many_nodes", place, most=MAX_NODES)
        if not stack:
            root = node
            continue
        _add(stack[-1], node, node.place, problems)
    return root


def _add(parent: _Open, node: Node, place: Place, problems: list[Problem]) -> None:
    into = parent.node
    if isinstance(into, Sequence):
        into.items.append(node)
        return
    if parent.key is not None:
        if parent.key in into.keys:
            into.items[parent.key] = node
        parent.key = None
        return
    parent.key = "\0"  # a faulty key: its value is read and dropped
    if not isinstance(node, Scalar) or isinstance(node.value, (float, bool)) or node.value is None:
        problems.append(Problem("bad_key", {}, place))
        return
    key = str(node.value)
    if "\n" in key:
        problems.append(Problem("bad_key", {}, place))
        return
    if key in into.keys:
        first = into.keys[key]
        problems.append(Problem("duplicate_key", {"key": key, "line": first.line}, place))
        return
    into.keys[key] = place
    parent.key = key


def _scalar(event: Any, place: Place, problems: list[Problem]) -> Scalar:
    text: str = event.value
    if CONTROL.search(text):
        problems.append(Problem("control_character", {}, place))
        return Scalar(text, place, faulty=True)
    if event.style in ("'", '"', "|", ">"):
        begins = event.end_mark.column - len(text) if event.style in "'\"" else -1
        return Scalar(text, place, begins=begins if begins > event.start_mark.column else None)
    if text in ("", "~", "null"):
        return Scalar(None, place)
    if text in ("true", "false"):
        return Scalar(text == "true", place)
    if _INTEGER.fullmatch(text):
        return Scalar(int(text) if len(text) <= 1000 else float(text), place)
    if _DECIMAL.fullmatch(text):
        return Scalar(float(text), place)
    if text.lower() in _WORDS or _NUMBERS.fullmatch(text):
        problems.append(Problem("ambiguous", {"text": text[:40]}, place))
        return Scalar(text, place, faulty=True)
    begins = event.end_mark.column - len(text) + 1
    return Scalar(text, place, begins=begins if event.end_mark.line == event.start_mark.line else None)
