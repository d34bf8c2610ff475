"""Plain data to a `Ruleset`: the shape of the vocabulary as records, every mistake found and located."""

# No `from __future__ import annotations`: the records' types are read at run time, and real ones are read faster.
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from msgspec import NODEFAULT, Meta, Struct
from msgspec.structs import FieldInfo, fields

from dicecli.errors import BadNotation, BadRuleset, Place, Problem, near
from dicecli.rules.formulas import parse_formula
from dicecli.rules.patterns import AnyDice, Contains, Face, Groups, OfAKind, Pattern, Straight
from dicecli.rules.source import Mapping, Node, Scalar, Sequence, read

MAX_DICE = 10
MAX_FACES = 100

Text = Annotated[str, Meta(min_length=1, max_length=2000)]
Label = Annotated[str, Meta(min_length=1, max_length=60)]
Labels = Label | Annotated[dict[str, Label], Meta(min_length=1)]  # one text, or one for each language
FaceNumber = Annotated[int, Meta(ge=1, le=MAX_FACES)]
Faces = Annotated[list[FaceNumber], Meta(min_length=1, max_length=MAX_DICE)]
Points = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
Count = Annotated[int, Meta(ge=1, le=MAX_DICE)]
Score = Points | Annotated[str, Meta(min_length=1, max_length=200)]
Seats = Annotated[int, Meta(ge=0, le=20)]


class Part(Struct, frozen=True, kw_only=True, rename={"first": "from", "exceptions": "except"}):
    """What dice must look like and what they score then: a cell of a sheet, a combination of a bank game."""

    label: Labels | None = None
    any: Literal[True] | None = None
    face: FaceNumber | None = None
    dice: Faces | None = None
    of_a_kind: Count | None = None
    groups: Annotated[list[Count], Meta(min_length=1, max_length=MAX_DICE)] | None = None
    straight: Count | None = None
    exactly: bool = False
    first: FaceNumber | None = None
    score: Score | None = None
    exceptions: dict[int, Score] = {}


PATTERNS = ("any", "face", "dice", "of_a_kind", "groups", "straight")


class Cell(Part, frozen=True, kw_only=True):
    """A row of the sheet."""

    section: Label


class Needs(Struct, frozen=True):
    """A cell of the player's own sheet and what it must hold: points (`scored`) or anything (`filled`)."""

    cell: str
    state: Literal["scored", "filled"]


class Extra(Part, frozen=True, kw_only=True):
    """Points on top of whichever cell is chosen."""

    needs: Needs | None = None


class Step(Struct, frozen=True):
    """A bonus from so many points on."""

    at_least: Annotated[int, Meta(ge=1, le=1_000_000)]
    score: Points


class Bonus(Struct, frozen=True):
    """A bonus for a section's points; the highest step reached counts, alone."""

    section: str
    steps: Annotated[list[Step], Meta(min_length=1, max_length=20)]
    label: Labels | None = None


class Joker(Struct, frozen=True):
    """When dice may stand for what they don't show, and what they score then."""

    when: Part
    needs: Needs
    upper: Literal["forced"]
    scores: dict[str, Points]


class AfterLastRoll(Struct, frozen=True):
    """What happens to a player who doesn't choose after the last roll; the seconds, or null to wait."""

    choose_for_me_after: Annotated[int, Meta(ge=1, le=600)] | None


class SheetComputer(Struct, frozen=True):
    """How the computer plays a sheet game."""

    strength: Literal["normal"]


class BankComputer(Struct, frozen=True):
    """From how many points of a turn the computer banks, and what moves that threshold."""

    class Behind(Struct, frozen=True):
        """Higher when behind the leader: `add` for each so many points, `most` altogether."""

        for_each: Annotated[int, Meta(ge=1, le=1_000_000)]
        add: Points
        most: Points

    bank_at: Points
    behind: Behind | None = None
    dice_left: dict[int, Points] = {}


class DiceSet(Struct, frozen=True):
    """The dice of a game: how many, and their faces 1 to `faces`."""

    count: Count
    faces: FaceNumber


class Players(Struct, frozen=True):
    """How many may play, how many of them people, and how many computers join a person who plays alone."""

    min: Annotated[int, Meta(ge=1, le=20)] = 1
    max: Annotated[int, Meta(ge=1, le=20)] = 7
    humans: Annotated[int, Meta(ge=1, le=20)] = 20
    computers: Seats = 1


class Targets(Struct, frozen=True):
    """The points that a bank game is played to."""

    options: Annotated[list[Annotated[int, Meta(ge=1, le=1_000_000)]], Meta(min_length=1, max_length=20)]
    default: Annotated[int, Meta(ge=1, le=1_000_000)]


class BankTurn(Struct, frozen=True):
    """How a turn of a bank game goes."""

    keep: Literal["any"] = "any"
    hot_dice: Literal["may_roll"] = "may_roll"


class Bust(Struct, frozen=True):
    """What a throw without scoring dice costs."""

    lose: Literal["turn"] = "turn"


class BankEnd(Struct, frozen=True):
    """How a bank game ends."""

    last_round: Literal["others_once"] = "others_once"
    tie: Literal["shared"] = "shared"
    win: Literal["highest"] = "highest"


class SheetEnd(Struct, frozen=True):
    """How a sheet game ends."""

    tie: Literal["shared"] = "shared"
    win: Literal["highest"] = "highest"


class BankExample(Struct, frozen=True):
    """A throw (`dice`) with every keep it allows or a bust, or a kept set (`keep`) with its score."""

    dice: Faces | None = None
    keeps: dict[str, Points] | None = None
    bust: Literal[True] | None = None
    keep: Faces | None = None
    score: Points | None = None
    legal: Literal[False] | None = None


class SheetExample(Struct, frozen=True):
    """Dice with what one cell, all scoring cells or all legal cells are worth; or a section's total with its bonus."""

    dice: Faces | None = None
    filled: dict[str, Points] = {}
    cell: str | None = None
    score: Points | None = None
    scoring: dict[str, Points] | None = None
    legal: dict[str, Points] | None = None
    extra: Points | None = None
    section: str | None = None
    total: Points | None = None
    bonus: Points | None = None


class Head(Struct, frozen=True, kw_only=True):
    """What every ruleset says."""

    name: Labels
    source: Text
    dice: DiceSet
    players: Players = Players()


class BankRuleset(Head, frozen=True, kw_only=True):
    """A game of throwing, setting scoring dice aside, and banking or throwing again."""

    family: Literal["bank"]
    combinations: Annotated[dict[str, Part], Meta(min_length=1, max_length=100)]
    targets: Targets
    turn: BankTurn = BankTurn()
    bust: Bust = Bust()
    end: BankEnd = BankEnd()
    computer: BankComputer
    examples: list[BankExample] = []


class SheetRuleset(Head, frozen=True, kw_only=True):
    """A game of up to so many throws and then one free cell of the sheet."""

    family: Literal["sheet"]
    rolls: Annotated[int, Meta(ge=1, le=20)]
    keep: Literal["free"] = "free"
    cells: Annotated[dict[str, Cell], Meta(min_length=1, max_length=100)]
    bonuses: dict[str, Bonus] = {}
    extras: dict[str, Extra] = {}
    joker: Joker | None = None
    order: Literal["free"] = "free"
    zero: Literal["any_cell"] = "any_cell"
    after_last_roll: AfterLastRoll = AfterLastRoll(choose_for_me_after=None)
    end: SheetEnd = SheetEnd()
    computer: SheetComputer
    examples: list[SheetExample] = []


Ruleset = BankRuleset | SheetRuleset
FAMILIES: dict[str, type[Struct]] = {"bank": BankRuleset, "sheet": SheetRuleset}


def load(text: str | bytes, name: str) -> Ruleset:
    """The ruleset of a YAML text; `name` is what problems call the file. Raises `BadRuleset` with every mistake."""
    node = read(text, name)
    reader = _Reader()
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


def pattern_of(part: Part) -> Pattern:
    """The pattern that a checked `Part` names."""
    if part.face is not None:
        return Face(part.face)
    if part.dice is not None:
        return Contains(tuple(sorted(part.dice)))
    if part.of_a_kind is not None:
        return OfAKind(part.of_a_kind, part.exactly)
    if part.groups is not None:
        return Groups(tuple(part.groups))
    if part.straight is not None:
        return Straight(part.straight, part.first)
    return AnyDice()


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
        if family is None:
            self.report("missing_key", node.place, key="family")
            return None
        kind = self.value(family, Literal[tuple(FAMILIES)])
        if isinstance(kind, _Missing):
            return None
        found = self.fields(node, FAMILIES[kind])
        _Checks(self, node, found).run()
        return None if self.problems else FAMILIES[kind](**found)  # type: ignore[return-value]

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
        limits = Meta()
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
            return kind(**found) if len(self.problems) == before else _MISSING
        if origin is Literal:
            return self.literal(node, get_args(kind))
        return self.scalar(node, kind, limits)

    def wrong(self, node: Node, code: str, **params: object) -> _Missing:
        shown = str(node.value)[:40] if isinstance(node, Scalar) else type(node).__name__.lower()
        if isinstance(node, Scalar) and (node.value is None or isinstance(node.value, bool)):
            shown = {None: "nothing", True: "true", False: "false"}[node.value]
        self.report(code, node.place, found=shown, **params)
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
        self.players(found.get("players"))
        for group in ("combinations", "cells"):
            for name, part in found.get(group, {}).items():
                self.name(group, name)
                self.part(part, group, name)
        self.something_scores()
        if (targets := found.get("targets")) and targets.default not in targets.options:
            self.report("default_not_an_option", "targets", "default", value=targets.default)
        if isinstance(computer := found.get("computer"), BankComputer):
            for left in computer.dice_left:
                if self.dice and left > self.dice.count:
                    self.report("more_dice_left", "computer", "dice_left", left, left=left, count=self.dice.count)
        for name, bonus in found.get("bonuses", {}).items():
            self.name("bonuses", name)
            self.bonus(name, bonus)
        for name, extra in found.get("extras", {}).items():
            self.name("extras", name)
            self.part(extra, "extras", name)
            if extra.needs:
                self.cell(extra.needs.cell, "extras", name, "needs", "cell")
        if joker := found.get("joker"):
            self.joker(joker)
        for index, example in enumerate(found.get("examples", [])):
            self.example(example, index)

    def something_scores(self) -> None:
        """A bank game in which no combination can score more than 0 would never end."""
        parts: dict[str, Part] = self.found.get("combinations", {})
        if self.reader.problems or not parts or not self.dice:
            return
        for part in parts.values():
            for face in range(1, self.dice.faces + 1):
                values = {"sum": face, "matched": face, "face": face, "count": 1}
                score = part.exceptions.get(face, "matched" if part.score is None else part.score)
                if parse_formula(score)(values) > 0:
                    return
        self.report("nothing_ever_scores", "combinations")

    def name(self, group: str, name: str) -> None:
        if not (name.isascii() and name.isidentifier() and name == name.lower() and len(name) <= 40):
            self.report("bad_name", group, name, name=name)

    def cell(self, name: str, *path: object) -> None:
        cells = self.keys("cells")
        if name not in cells:
            self.report("unknown_cell", *path, cell=name, **near(name, cells))

    def faces(self, faces: Iterable[int], *path: object) -> None:
        """Faces that stand at `path`, in a list or as keys."""
        for index, face in enumerate(faces):
            if self.dice and face > self.dice.faces:
                step = index if isinstance(faces, list) else face
                self.report("face_out_of_range", *path, step, face=face, most=self.dice.faces)

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
        limits = [step.at_least for step in bonus.steps]
        if limits != sorted(set(limits)):
            self.report("steps_not_rising", "bonuses", name, "steps")

    def joker(self, joker: Joker) -> None:
        self.part(joker.when, "joker", "when", scored=False)
        self.cell(joker.needs.cell, "joker", "needs", "cell")
        for name in joker.scores:
            self.cell(name, "joker", "scores", name)

    def part(self, part: Part, *path: object, scored: bool = True) -> None:
        patterns = [name for name in PATTERNS if getattr(part, name) is not None]
        if not patterns:
            self.report("no_pattern", *path, patterns=", ".join(PATTERNS))
            return
        if len(patterns) > 1:
            self.report("two_patterns", *path, patterns=", ".join(patterns))
            return
        self.pattern(part, patterns[0], *path)
        if not scored:
            if part.score is not None or part.exceptions:
                self.report("no_score_here", *path)
            return
        if part.score is None:
            if part.face is None:
                self.report("missing_key", *path, key="score")
        else:
            self.formula(part.score, part, *path, "score")
        if part.exceptions and not (part.face or part.of_a_kind):
            self.report("except_without_face", *path, "except")
        self.faces(part.exceptions, *path, "except")
        for face, score in part.exceptions.items():
            self.formula(score, part, *path, "except", face)

    def pattern(self, part: Part, key: str, *path: object) -> None:
        if part.exactly and key != "of_a_kind":
            self.report("modifier_without", *path, "exactly", key="exactly", pattern="of_a_kind")
        if part.first is not None and key != "straight":
            self.report("modifier_without", *path, "from", key="from", pattern="straight")
        if self.dice is None:
            return
        count, faces = self.dice.count, self.dice.faces
        needed = {
            "dice": len(part.dice or ()),
            "of_a_kind": part.of_a_kind or 0,
            "groups": sum(part.groups or ()),
            "straight": part.straight or 0,
        }.get(key, 0)
        if needed > count:
            self.report("more_dice_than_there_are", *path, key, needed=needed, count=count)
        self.faces([part.face] if part.face else part.dice or [], *path, key)
        if part.straight and (part.first or 1) + part.straight - 1 > faces:
            self.report("straight_too_long", *path, key, length=part.straight, faces=faces)
        if part.groups and len(part.groups) > faces:
            self.report("more_groups_than_faces", *path, key, groups=len(part.groups), faces=faces)

    def formula(self, score: int | str, part: Part, *path: object) -> None:
        try:
            formula = parse_formula(score)
        except BadNotation as error:
            for problem in error.problems:
                place = self._within(problem.at.column if problem.at and problem.at.column else 1, path)
                self.reader.report(problem.code, place, **problem.params)
            return
        if "face" in formula.names and not (part.face or part.of_a_kind):
            self.report("formula_without_face", *path)

    def _within(self, column: int, path: tuple[object, ...]) -> Place:
        node: Node = self.node
        for step in path:
            assert isinstance(node, Mapping)
            node = node.items[str(step)]
        assert isinstance(node, Scalar)
        if node.begins is None:
            return node.place
        return Place(file=node.place.file, line=node.place.line, column=node.begins + column - 1)

    def example(self, example: BankExample | SheetExample, index: int) -> None:
        path = ("examples", index)
        shapes = _BANK_SHAPES if isinstance(example, BankExample) else _SHEET_SHAPES
        given = frozenset(self.keys("examples", index))
        if not any(needed <= given <= needed | allowed for needed, allowed in shapes):
            forms = "; ".join(", ".join(sorted(needed)) for needed, _ in shapes)
            self.report("example_form", *path, forms=forms)
            return
        if self.dice:
            self.faces(example.dice or [], *path, "dice")
            wanted = self.dice.count
            if isinstance(example, BankExample):
                self.faces(example.keep or [], *path, "keep")
                shown = len(example.dice or example.keep or ())
                if shown > wanted:
                    self.report("more_dice_than_there_are", *path, needed=shown, count=wanted)
            elif example.dice and len(example.dice) != wanted:
                self.report("wrong_number_of_dice", *path, "dice", found=len(example.dice), count=wanted)
        if isinstance(example, SheetExample):
            for key in ("filled", "scoring", "legal"):
                for cell in getattr(example, key) or ():
                    self.cell(cell, *path, key, cell)
            if example.cell is not None:
                self.cell(example.cell, *path, "cell")
            if example.section is not None:
                self.section(example.section, *path, "section")


def _shape(needed: str, allowed: str = "") -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(needed.split()), frozenset(allowed.split())


_BANK_SHAPES = (_shape("dice keeps"), _shape("dice bust"), _shape("keep score"), _shape("keep legal"))
_SHEET_SHAPES = (
    _shape("dice cell score", "filled extra"),
    _shape("dice scoring", "filled extra"),
    _shape("dice legal", "filled extra"),
    _shape("section total bonus"),
)
