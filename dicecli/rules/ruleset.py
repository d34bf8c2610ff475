"""Nodes to a `Ruleset`: every mistake found and located."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from collections.abc import Sequence as Sequence_
from functools import lru_cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from msgspec import NODEFAULT, Meta, Struct
from msgspec.structs import FieldInfo, fields

from dicecli.errors import BadNotation, BadRuleset, Place, Problem, Refused, near
from dicecli.rules.faces import Faces
from dicecli.rules.formulas import NAMES, parse_formula
from dicecli.rules.patterns import one_face
from dicecli.rules.source import Mapping, Node, Scalar, Sequence, merge, read
from dicecli.rules.vocabulary import (
    FAMILIES,
    MAX_FACES,
    PATTERNS,
    BankComputer,
    BankExample,
    BankTurn,
    Bonus,
    Column,
    DiceSet,
    Joker,
    Look,
    Needs,
    Outcome,
    Part,
    Players,
    PointsRule,
    Ruleset,
    SheetExample,
    Step,
    ThrowExample,
)

MAX_EXTENDS = 8

# The file and the text of the ruleset that another one extends, by its name and the file that names it.
Base = Callable[[str, str], tuple[str, bytes]]


def load(text: str | bytes, name: str) -> Ruleset:
    """The ruleset of a YAML text that extends no other; `name` is what problems call the file.

    Raises `BadRuleset` with every mistake.
    """
    problems: list[Problem] = []
    return ruleset_of(read(text, name, problems), problems)


def extended(node: Node, base: Base, changes: Sequence_[Mapping] = (), found: list[Problem] | None = None) -> Node:
    """`node` on top of the rulesets that it extends, and `changes` on top of it.

    Keys replace the base's, mappings key by key; null removes. Examples are not taken over: they speak of the base.
    """
    chain = [node]
    while isinstance(chain[-1], Mapping) and (below := chain[-1].items.get("extends")) is not None:
        if not isinstance(below, Scalar) or not isinstance(below.value, str):
            raise BadRuleset(Problem("expected_text", {"found": "something else"}, below.place))
        if len(chain) > MAX_EXTENDS:
            raise BadRuleset(Problem("extends_too_often", {"most": MAX_EXTENDS}, below.place))
        try:
            file, text = base(below.value, below.place.file or "")
        except Refused as refused:
            raise BadRuleset(*(Problem(p.code, p.params, below.place) for p in refused.problems)) from None
        chain.append(read(text, file, found))
    whole = chain.pop()
    for above in (*reversed(chain), *changes):
        if not isinstance(whole, Mapping) or not isinstance(above, Mapping):
            return above
        whole = merge(whole, above, without=("extends", *(() if "examples" in above.items else ("examples",))))
    return whole


def ruleset_of(node: Node, found: Iterable[Problem] = ()) -> Ruleset:
    """The ruleset that a node says; raises `BadRuleset` with every mistake, those `found` before included."""
    reader = _Reader()
    reader.problems += found
    ruleset = reader.ruleset(node)
    if ruleset is None or reader.problems:
        raise BadRuleset(*sorted(reader.problems, key=_position))
    return ruleset


def _position(problem: Problem) -> tuple[int, int]:
    place = problem.at or Place()
    return place.line or 0, place.column or 0


def place_of(node: Node, *path: object) -> Place:
    """Where the value at `path` stands: its key's place in a mapping; the nearest one that is there."""
    place = node.place
    for step in path:
        if isinstance(node, Mapping) and str(step) in node.items:
            place = node.keys[str(step)]
            node = node.items[str(step)]
        elif isinstance(node, Sequence) and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
            place = node.place
        else:
            break
    return place


_MARKS = {"combinations": "bank", "cells": "sheet", "outcomes": "accumulate"}


class _Missing:
    """Stands for what could not be read."""


_MISSING = _Missing()


class _Reader:
    """Reads nodes into records, and then what records can't say, collecting the problems."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def report(self, code: str, place: Place, **params: object) -> None:
        self.problems.append(Problem(code, params, place))

    def ruleset(self, node: Node) -> Ruleset | None:
        if not isinstance(node, Mapping):
            self.report("expected_mapping", node.place)
            return None
        family = node.items.get("family")
        kind: Any = _MISSING
        if family is None:
            self.report("missing_key", node.place, key="family")
        else:
            kind = self.value(family, Literal[tuple(FAMILIES)])
        if isinstance(kind, _Missing):  # what is meant shows all the same, for the sake of the other mistakes
            guess = near(str(family.value), FAMILIES) if isinstance(family, Scalar) else {}
            kind = next((kind for key, kind in _MARKS.items() if key in node.items), None) or guess.get("near")
            if kind is not None:  # and is not complained of twice
                above = Mapping({"family": Scalar(kind, node.place)}, {"family": node.place}, node.place)
                node = merge(node, above)
        if kind is None:
            return None
        found = self.fields(node, FAMILIES[kind])
        _Checks(self, node, found).run()
        return None if self.problems else FAMILIES[kind](**found)

    def fields(self, node: Mapping, record: type[Struct]) -> dict[str, Any]:
        """The fields of `record` that `node` gives and that can be read."""
        known = _fields(record)
        found = {}
        for key, item in node.items.items():
            if key not in known:
                self.report("unknown_key", node.keys[key], key=key, **near(key, known))
                continue
            value = self.value(item, known[key].type)
            if not isinstance(value, _Missing):
                found[known[key].name] = value
        for key, field in known.items():
            if key not in node.items and field.default is NODEFAULT and field.default_factory is NODEFAULT:
                self.report("missing_key", node.place, key=key)
        return found

    def value(self, node: Node, kind: Any) -> Any:
        """The value of `node` as `kind`, or `_MISSING` and a problem."""
        if isinstance(node, Scalar) and node.faulty:
            return _MISSING
        limits = Meta()
        if isinstance(kind, str):
            kind = Look
        if get_origin(kind) is Annotated:
            kind, limits = get_args(kind)
        origin = get_origin(kind)
        if origin is Union or isinstance(kind, _UnionType):
            return self.value(node, _choose(node, get_args(kind)))
        if origin is list:
            return self.list_of(node, get_args(kind)[0], limits)
        if origin is dict:
            key_kind, kind = get_args(kind)
            return self.dict_of(node, key_kind, kind, limits)
        if isinstance(kind, type) and issubclass(kind, Struct):
            if not isinstance(node, Mapping):
                return self.wrong(node, "expected_mapping")
            before = len(self.problems)
            found = self.fields(node, kind)
            whole = all(field.name in found for field in _fields(kind).values() if field.required)
            return kind(**found) if whole and len(self.problems) == before else _MISSING
        if origin is Literal:
            return self.literal(node, get_args(kind))
        return self.scalar(node, kind, limits)

    def wrong(self, node: Node, code: str, **params: object) -> _Missing:
        shape = "[…]" if isinstance(node, Sequence) else "{…}"
        self.report(code, node.place, found=node.value if isinstance(node, Scalar) else shape, **params)
        return _MISSING

    def list_of(self, node: Node, kind: Any, limits: Meta) -> Any:
        least, most = limits.min_length or 0, limits.max_length or 1000
        if not isinstance(node, Sequence):
            return self.wrong(node, "expected_list")
        if not least <= len(node.items) <= most:
            return self.wrong(node, "wrong_length", count=len(node.items), least=least, most=most)
        values = [self.value(item, kind) for item in node.items]
        return _MISSING if any(isinstance(value, _Missing) for value in values) else values

    def dict_of(self, node: Node, key_kind: Any, kind: Any, limits: Meta) -> Any:
        least, most = limits.min_length or 0, limits.max_length or 100
        if not isinstance(node, Mapping):
            return self.wrong(node, "expected_mapping")
        if not least <= len(node.items) <= most:
            return self.wrong(node, "wrong_length", count=len(node.items), least=least, most=most)
        found: dict[Any, Any] = {}
        for key, item in node.items.items():
            value = self.value(item, kind)
            if key_kind is int and not _PLAIN_NUMBER.fullmatch(key):
                self.report("expected_integer", node.keys[key], found=key[:40], least=1, most=MAX_FACES)
            elif not isinstance(value, _Missing):
                found[int(key) if key_kind is int else key] = value
        return found

    def literal(self, node: Node, options: tuple[Any, ...]) -> Any:
        value = node.value if isinstance(node, Scalar) else None
        for option in options:
            if type(value) is type(option) and value == option:
                return option
        texts = ["true" if option is True else "false" if option is False else str(option) for option in options]
        return self.wrong(node, "expected_one_of", options=", ".join(texts), **near(str(value), texts))

    def scalar(self, node: Node, kind: Any, limits: Meta) -> Any:
        value = node.value if isinstance(node, Scalar) else None
        if kind is bool:
            return value if isinstance(value, bool) else self.wrong(node, "expected_boolean")
        if kind is int:
            least, most = limits.ge or 0, limits.le or 0
            if type(value) is int and least <= value <= most:
                return value
            return self.wrong(node, "expected_integer", least=least, most=most)
        if kind is str:
            if not isinstance(value, str):
                return self.wrong(node, "expected_text")
            most = limits.max_length or 200
            if not 1 <= len(value) <= most:
                return self.wrong(node, "wrong_text_length", most=most)
            if most <= 200 and not {"\n", "\t"}.isdisjoint(value):
                return self.wrong(node, "several_lines")
            return value
        assert kind is type(None) and value is None
        return None


_PLAIN_NUMBER = re.compile("[1-9][0-9]{0,7}")


@lru_cache
def _fields(record: type[Struct]) -> dict[str, FieldInfo]:
    return {field.encode_name: field for field in fields(record)}


_UnionType = type(int | str)


def _choose(node: Node, kinds: tuple[Any, ...]) -> Any:
    """The member of a union that a node of this shape is probably meant to be."""

    def bare(kind: Any) -> Any:
        return get_args(kind)[0] if get_origin(kind) is Annotated else kind

    def fits(kind: Any) -> bool:
        kind = bare(kind)
        if isinstance(node, Mapping):
            return get_origin(kind) is dict or (isinstance(kind, type) and issubclass(kind, Struct))
        if isinstance(node, Sequence):
            return get_origin(kind) is list
        if get_origin(kind) is Literal:
            return any(type(option) is type(node.value) for option in get_args(kind))
        if node.value is None:
            return kind is type(None)
        return kind is type(node.value)

    named = [kind for kind in kinds if bare(kind) is not type(None)]
    return next((kind for kind in kinds if fits(kind)), named[0])


class _Checks:
    """What the records' types can't say. `found` lacks the fields that could not be read."""

    def __init__(self, reader: _Reader, node: Mapping, found: dict[str, Any]) -> None:
        self.reader = reader
        self.node = node
        self.found = found
        self.dice: DiceSet | None = found.get("dice")
        self.shown: Faces | None = None  # once the dice are known to be sound

    def report(self, code: str, *path: object, **params: object) -> None:
        self.reader.report(code, place_of(self.node, *path), **params)

    def keys(self, *path: str | int) -> list[str]:
        """The keys as written at `path`, also those whose values could not be read."""
        node: Any = self.node
        for step in path:
            if isinstance(node, Mapping):
                node = node.items.get(str(step))
            else:
                node = node.items[step] if isinstance(node, Sequence) and isinstance(step, int) else None
        return list(node.items) if isinstance(node, Mapping) else []

    def run(self) -> None:
        found = self.found
        if self.dice:
            self.dice_set(self.dice)
        self.players(found.get("players"))
        for group in ("combinations", "cells", "outcomes", "extras"):
            for name, part in found.get(group, {}).items():
                self.name(group, name)
                self.part(part, group, name)
        self.something_scores()
        if (targets := found.get("targets")) and targets.default not in targets.options:
            self.report("default_not_an_option", "targets", "default", value=targets.default)
        if isinstance(turn := found.get("turn"), BankTurn):
            for index, name in enumerate(turn.must_roll_after):
                if name not in self.keys("combinations"):
                    known = self.keys("combinations")
                    self.report("unknown_combination", "turn", "must_roll_after", index, name=name, **near(name, known))
        if isinstance(computer := found.get("computer"), BankComputer):
            for left in computer.dice_left:
                if self.dice and left > self.dice.count:
                    self.report("more_dice_left", "computer", "dice_left", left, left=left, count=self.dice.count)
        self.sheet()
        for index, example in enumerate(found.get("examples", [])):
            self.example(example, index)

    def sheet(self) -> None:
        found = self.found
        for name, bonus in found.get("bonuses", {}).items():
            self.name("bonuses", name)
            self.bonus(name, bonus)
        for name, extra in found.get("extras", {}).items():
            self.needs(extra.needs, "extras", name, "needs")
        if joker := found.get("joker"):
            self.joker(joker)
        if (use := found.get("use")) and self.dice and use > self.dice.count:
            self.report("more_dice_than_there_are", "use", needed=use, count=self.dice.count)
        self.columns(found.get("columns") or [])
        for name, formula in found.get("derived", {}).items():
            self.name("derived", name)
            self.parse(formula, self.keys("cells"), "derived", name)
        for name, rule in found.get("points", {}).items():
            self.points(rule, "points", name)
        if (end := found.get("end")) and end.win == "points" and not found.get("points"):
            self.report("no_points", "end", "win")

    def dice_set(self, dice: DiceSet) -> None:
        before = len(self.reader.problems)
        if isinstance(dice.faces, list):
            for index, face in enumerate(dice.faces):
                if list(map(str, dice.faces)).index(str(face)) < index:
                    self.report("face_twice", "dice", "faces", index, face=face)
                elif str(face).lower() in ("none", "all") or not re.fullmatch(r"[^\s,#=]+", str(face)):
                    self.report("bad_face", "dice", "faces", index, face=face)
        faces = Faces(DiceSet(count=dice.count, faces=dice.faces))
        rows = [("weights", dice.weights)] if dice.weights else []
        for key, weights in (*rows, *(("each", each) for each in dice.each or ())):
            if len(weights) != faces.count or not any(weights):
                self.report("wrong_weights", "dice", key, count=faces.count)
        if dice.each and len(dice.each) != dice.count:
            self.report("wrong_number_of_dice", "dice", "each", found=len(dice.each), count=dice.count)
        self.shown = faces
        self.faces(dice.wild or [], "dice", "wild")
        self.faces(dice.values, "dice", "values")
        seen: set[str] = set()
        for name, members in dice.classes.items():
            self.faces(members, "dice", "classes", name)
            if seen & set(map(str, members)):
                self.report(
                    "face_twice", "dice", "classes", name, face=", ".join(sorted(seen & set(map(str, members))))
                )
            seen |= set(map(str, members))
        self.shown = Faces(dice) if len(self.reader.problems) == before else None

    def columns(self, columns: list[Column]) -> None:
        ids = [column.id for column in columns]
        for index, column in enumerate(columns):
            self.name("columns", column.id, index)
            if ids.index(column.id) < index:
                self.report("same_column", "columns", index, "id", id=column.id)

    def points(self, rule: PointsRule, *path: object) -> None:
        if (rule.steps is None) == (rule.each is None):
            self.report("steps_or_each", *path)
        if rule.cell is not None:
            self.cell(rule.cell, *path, "cell")
        self.steps(rule.steps or [], *path, "steps")

    def something_scores(self) -> None:
        """A game to a target in which nothing can score more than 0 would never end."""
        parts: dict[str, Part] = self.found.get("combinations") or self.found.get("outcomes") or {}
        if self.reader.problems or not parts or not self.shown:
            return
        for part in parts.values():
            if isinstance(part, Outcome) and part.lose:
                continue
            for face in range(1, self.shown.count + 1):
                score = part.exceptions.get(str(self.shown.show(face)), "matched" if part.score is None else part.score)
                own = len(part.dice or ()) or part.of_a_kind or sum(part.groups or ()) or part.straight
                for number in (own,) if own else (1, self.shown.dice_count):
                    value = self.shown.value(face)
                    values = {
                        "sum": value * number,
                        "matched": value * number,
                        "face": value,
                        "count": number,
                        "roll": 1,
                    }
                    if parse_formula(score)(values) > 0:
                        return
        self.report("nothing_ever_scores", "combinations" if "combinations" in self.found else "outcomes")

    def name(self, group: str, name: str, index: int | None = None) -> None:
        if not (name.isascii() and name.isidentifier() and name == name.lower() and len(name) <= 40):
            self.report("bad_name", group, name if index is None else index, name=name)

    def cell(self, name: str, *path: object) -> None:
        cells = self.keys("cells")
        if name not in cells:
            self.report("unknown_cell", *path, cell=name, **near(name, cells))

    def needs(self, needs: Needs | None, *path: object) -> None:
        if needs:
            self.cell(needs.cell, *path, "cell")

    def faces(self, faces: Iterable[object], *path: object) -> None:
        """Faces as they are shown that stand at `path`, in a list or as keys."""
        if self.shown is None:
            return
        for index, face in enumerate(faces):
            if not self.shown.number(str(face)):
                step = index if isinstance(faces, list) else face
                known = list(map(str, self.shown.shown))
                self.report(
                    "unknown_face", *path, step, face=face, faces=faces_text(self.shown), **near(str(face), known)
                )

    def section(self, section: str, *path: object) -> None:
        cells = self.node.items.get("cells")
        if not isinstance(cells, Mapping):
            return
        given = [cell.items.get("section") for cell in cells.items.values() if isinstance(cell, Mapping)]
        sections = [str(node.value) for node in given if isinstance(node, Scalar)]
        if len(sections) == len(cells.items) and section not in sections:
            self.report("unknown_section", *path, section=section, **near(section, sections))

    def players(self, players: Players | None) -> None:
        if players and not players.min <= players.max:
            self.report("players_min_over_max", "players", "min", min=players.min, max=players.max)
        if players and "humans" in self.keys("players") and players.humans > players.max:
            self.report("humans_over_max", "players", "humans", humans=players.humans, max=players.max)

    def bonus(self, name: str, bonus: Bonus) -> None:
        self.section(bonus.section, "bonuses", name, "section")
        self.steps(bonus.steps, "bonuses", name, "steps")
        if bonus.steps and bonus.steps[0].at_least < 1:
            self.report("bonus_from_nothing", "bonuses", name, "steps", 0)

    def steps(self, steps: list[Step], *path: object) -> None:
        limits = [step.at_least for step in steps]
        if limits != sorted(set(limits)):
            self.report("steps_not_rising", *path)

    def joker(self, joker: Joker) -> None:
        self.look(joker.when, "joker", "when")
        self.needs(joker.needs, "joker", "needs")
        for name in joker.scores:
            self.cell(name, "joker", "scores", name)

    def part(self, part: Part, *path: object) -> None:
        self.look(part, *path)
        family = self.found.get("family")
        if part.nothing:
            if family != "bank" or not isinstance(part.score, int):
                self.report("nothing_scores_a_number", *path)
            return
        if part.score is not None and part.by_roll is not None:
            self.report("score_or_by_roll", *path)
        loses = isinstance(part, Outcome) and part.lose
        if part.score is None and part.by_roll is None and part.face is None and not loses:
            self.report("missing_key", *path, key="score")
        for key, score in (("score", part.score), *(("by_roll", score) for score in part.by_roll or ())):
            if score is not None:
                self.formula(score, part, *path, key)
        if part.exceptions and not one_face(part):
            self.report("except_without_face", *path, "except")
        self.faces(part.exceptions, *path, "except")
        for face, score in part.exceptions.items():
            self.formula(score, part, *path, "except", face)
        if family != "sheet":
            for key in ("by_roll", "first_roll"):
                if key in self.keys(*(str(step) for step in path)):
                    self.report("only_in_sheets", *path, key, key=key)

    def look(self, look: Look, *path: object) -> None:
        names = {"not": "no"}
        patterns = [name for name in PATTERNS if getattr(look, names.get(name, name)) is not None]
        if not patterns and look.cls is None:
            self.report("no_pattern", *path, patterns=", ".join(PATTERNS))
            return
        if len(patterns) > 1:
            self.report("two_patterns", *path, patterns=", ".join(patterns))
            return
        key = patterns[0] if patterns else "class"
        for modifier, given, needed in (
            ("exactly", look.exactly, "of_a_kind"),
            ("distinct", not look.distinct, "groups"),
            ("from", look.first is not None, "straight"),
            ("wrap", look.wrap, "straight"),
        ):
            if given and key != needed:
                self.report("modifier_without", *path, modifier, key=modifier, pattern=needed)
        if look.cls and self.dice and not self.dice.classes:
            self.report("no_classes", *path, "class")
        for index, each in enumerate(look.all or look.any_of or ()):
            self.look(each, *path, key, index)
        if look.no:
            self.look(look.no, *path, "not")
        self.fits(look, key, *path)

    def fits(self, look: Look, key: str, *path: object) -> None:
        """Whether the dice can ever look so."""
        if self.shown is None or self.dice is None:
            return
        count, faces = self.dice.count, self.shown.count
        needed = {
            "dice": len(look.dice or ()),
            "of_a_kind": look.of_a_kind or 0,
            "groups": sum(look.groups or ()),
            "straight": look.straight or 0,
        }.get(key, 0)
        if needed > count:
            self.report("more_dice_than_there_are", *path, key, needed=needed, count=count)
        if look.face is not None:
            self.faces([look.face], *path, key)
        self.faces(look.dice or [], *path, key)
        if look.first is not None:
            self.faces([look.first], *path, "from")
        start = self.shown.number(look.first) if look.first is not None else 1
        if look.straight and (look.straight > faces or (not look.wrap and start + look.straight - 1 > faces)):
            self.report("straight_too_long", *path, key, length=look.straight, faces=faces)
        if look.groups and look.distinct and len(look.groups) > faces:
            self.report("more_groups_than_faces", *path, key, groups=len(look.groups), faces=faces)

    def formula(self, score: int | str, part: Part, *path: object) -> None:
        names = NAMES if self.found.get("family") == "sheet" else tuple(name for name in NAMES if name != "roll")
        used = self.parse(score, names, *path)
        if "face" in used and not one_face(part):
            self.report("formula_without_face", *path)

    def parse(self, score: int | str, names: Iterable[str], *path: object) -> frozenset[str]:
        """The names that a formula uses; its faults are reported with their columns."""
        try:
            return parse_formula(score, tuple(names)).names
        except BadNotation as error:
            for problem in error.problems:
                column = problem.at.column if problem.at and problem.at.column else 1
                self.reader.report(problem.code, self._within(column, path), **problem.params)
            return frozenset()

    def _within(self, column: int, path: tuple[object, ...]) -> Place:
        node: Node = self.node
        for step in path:
            node = node.items[str(step)] if isinstance(node, Mapping) else node
        if not isinstance(node, Scalar) or node.begins is None:
            return node.place
        return Place(file=node.place.file, line=node.place.line, column=node.begins + column - 1)

    def example(self, example: BankExample | SheetExample | ThrowExample, index: int) -> None:
        path = ("examples", index)
        given = frozenset(self.keys("examples", index))
        shapes = _SHAPES[type(example)]
        if not any(needed <= given <= needed | allowed for needed, allowed in shapes):
            forms = "; ".join(", ".join(sorted(needed)) for needed, _ in shapes)
            self.report("example_form", *path, forms=forms)
            return
        self.faces(example.dice or [], *path, "dice")
        wanted = self.dice.count if self.dice else len(example.dice or ())
        if isinstance(example, BankExample):
            self.faces(example.keep or [], *path, "keep")
            shown = len(example.dice or example.keep or ())
            if self.dice and shown > wanted:
                self.report("more_dice_than_there_are", *path, needed=shown, count=wanted)
            return
        if example.dice and len(example.dice) != wanted:
            self.report("wrong_number_of_dice", *path, "dice", found=len(example.dice), count=wanted)
        if isinstance(example, SheetExample):
            for key in ("filled", "scoring", "legal"):
                for cell in getattr(example, key) or ():
                    self.slot(cell, *path, key, cell)
            if example.cell is not None:
                self.slot(example.cell, *path, "cell")
            if example.section is not None:
                self.section(example.section, *path, "section")

    def slot(self, name: str, *path: object) -> None:
        """A cell as a player calls it: on a sheet of columns behind its column's id."""
        column, _blank, cell = name.rpartition(" ")
        ids = [each.id for each in self.found.get("columns") or ()]
        if column and column not in ids:
            self.report("unknown_column", *path, column=column, **near(column, ids))
        elif ids and not column:
            self.report("which_column", *path, cell=cell, columns=", ".join(ids))
        else:
            self.cell(cell, *path)


def faces_text(faces: Faces) -> str:
    """What the dice show, in a few words: `1 to 6`, or the list."""
    shown = faces.shown
    if shown == tuple(range(1, faces.count + 1)):
        return f"1 to {faces.count}"
    return " ".join(map(str, shown))


def _shape(needed: str, allowed: str = "") -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(needed.split()), frozenset(allowed.split())


_SHAPES: dict[type, tuple[tuple[frozenset[str], frozenset[str]], ...]] = {
    BankExample: (_shape("dice keeps"), _shape("dice bust"), _shape("keep score"), _shape("keep legal")),
    SheetExample: (
        _shape("dice cell score", "filled extra roll"),
        _shape("dice scoring", "filled extra roll"),
        _shape("dice legal", "filled extra roll"),
        _shape("section total bonus"),
    ),
    ThrowExample: (_shape("dice score"), _shape("dice lose")),
}
