"""A ruleset made ready for use: what dice are worth, in every legal reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sized
from typing import Generic, NamedTuple, TypeVar

from dicecli.rules.formulas import Formula, parse_formula
from dicecli.rules.patterns import Dice, Face, Match
from dicecli.rules.ruleset import BankRuleset, Bonus, Needs, Part, Ruleset, SheetRuleset, pattern_of

Sheet = tuple[int | None, ...]  # what each cell holds, in the sheet's order; None: free

MAX_REMEMBERED = 300_000

Value = TypeVar("Value", bound=Sized)


class Memory(dict[Dice, Value], Generic[Value]):
    """Remembers values by dice; forgets all of them before they hold too much together."""

    size = 0

    def add(self, dice: Dice, value: Value) -> Value:
        """Remember `value` and give it back."""
        self.size += len(value) + 1
        if self.size > MAX_REMEMBERED:
            self.clear()
            self.size = len(value) + 1
        self[dice] = value
        return value


class Rule:
    """A pattern with its score."""

    def __init__(self, name: str, part: Part) -> None:
        self.name = name
        self.label = part.label
        self.pattern = pattern_of(part)
        self.formula = parse_formula("matched" if part.score is None else part.score)
        self.exceptions: dict[int, Formula] = {f: parse_formula(score) for f, score in part.exceptions.items()}

    def scored(self, dice: Dice, *, whole: bool) -> Iterator[tuple[Match, int]]:
        """Every match in sorted `dice` with its points; `sum` means all dice if `whole`, else those of the match."""
        for match in self.pattern.matches(dice):
            matched = sum(match.dice)
            values = {
                "sum": sum(dice) if whole else matched,
                "matched": matched,
                "face": match.face,
                "count": len(match.dice),
            }
            yield match, self.exceptions.get(match.face, self.formula)(values)

    def best(self, dice: Dice) -> int | None:
        """The points of the best match in all of sorted `dice`; None without a match."""
        return max((points for _, points in self.scored(dice, whole=True)), default=None)


class Scored(NamedTuple):
    """Dice of a kept set, the combination they form and its points."""

    combination: str
    dice: Dice
    score: int


class Keep(NamedTuple):
    """Dice that may be set aside together, and the best way to split them into combinations."""

    dice: Dice
    score: int
    parts: tuple[Scored, ...]


class BankTable:
    """A bank game: which dice of a throw may be set aside, and for how much."""

    def __init__(self, name: str, ruleset: BankRuleset) -> None:
        self.name = name
        self.ruleset = ruleset
        self.rules = {key: Rule(key, part) for key, part in ruleset.combinations.items()}
        self._keeps: Memory[dict[Dice, Keep]] = Memory()

    def keeps(self, dice: Dice) -> dict[Dice, Keep]:
        """Every set of dice that may be kept of a throw of sorted `dice`, best first; empty for a bust.

        A set is legal exactly when it splits completely into combinations; it is worth the best such split.
        """
        found = self._keeps.get(dice)
        return self._keeps.add(dice, self._find_keeps(dice)) if found is None else found

    def best(self, dice: Dice) -> int:
        """The most points that a throw of sorted `dice` can give; 0 for a bust."""
        return next((keep.score for keep in self.keeps(dice).values()), 0)

    def _find_keeps(self, dice: Dice) -> dict[Dice, Keep]:
        parts: dict[Dice, Scored] = {}  # the best combination for the same dice
        for name, rule in self.rules.items():
            for match, points in rule.scored(dice, whole=False):
                if match.dice and (match.dice not in parts or points > parts[match.dice].score):
                    parts[match.dice] = Scored(name, match.dice, points)
        there = Counter(dice)
        found: dict[Dice, Keep] = {(): Keep((), 0, ())}
        for part in sorted(parts.values(), key=lambda part: (-len(part.dice), part.dice)):
            reached = list(found.values())
            for keep in reached:  # grows: a part may be used again
                together = tuple(sorted(keep.dice + part.dice))
                if Counter(together) <= there:
                    new = Keep(together, keep.score + part.score, (*keep.parts, part))
                    old = found.get(together)
                    if old is None or (new.score, -len(new.parts)) > (old.score, -len(old.parts)):
                        found[together] = new
                        reached.append(new)
        del found[()]
        order = sorted(found.values(), key=lambda keep: (-keep.score, len(keep.dice), keep.dice))
        return {keep.dice: keep for keep in order}


class Option(NamedTuple):
    """A free cell and what the dice would be worth there; `rules` are the places in the ruleset that said so."""

    cell: str
    score: int
    extra: int
    legal: bool
    rules: tuple[tuple[str, ...], ...]


class SheetTable:
    """A sheet game: what dice are worth in each cell."""

    def __init__(self, name: str, ruleset: SheetRuleset) -> None:
        self.name = name
        self.ruleset = ruleset
        self.rules = {key: Rule(key, cell) for key, cell in ruleset.cells.items()}
        self.cells = tuple(self.rules)
        self.index = {cell: at for at, cell in enumerate(self.cells)}
        self.sections = tuple(dict.fromkeys(cell.section for cell in ruleset.cells.values()))
        self.empty: Sheet = (None,) * len(self.cells)
        self._upper = {cell: rule.pattern.face for cell, rule in self.rules.items() if isinstance(rule.pattern, Face)}
        self._extras = {key: (Rule(key, extra), extra.needs) for key, extra in ruleset.extras.items()}
        self._joker = pattern_of(ruleset.joker.when) if ruleset.joker else None
        self._scores: Memory[tuple[int, ...]] = Memory()
        self._specials: Memory[tuple[tuple[tuple[str, Needs | None, int], ...], int | None]] = Memory()

    def scores(self, dice: Dice) -> tuple[int, ...]:
        """The points of sorted `dice` in each cell, in the sheet's order, by the cells' own patterns."""
        found = self._scores.get(dice)
        if found is None:
            found = self._scores.add(dice, tuple(rule.best(dice) or 0 for rule in self.rules.values()))
        return found

    def options(self, sheet: Sheet, dice: Dice) -> tuple[Option, ...]:
        """The free cells of `sheet` in its order, with what sorted `dice` are worth there under jokers and extras."""
        extra, paid = 0, []
        for name, needs, points in self._special(dice)[0]:
            if self.holds(sheet, needs):
                extra += points
                paid.append(("extras", name))
        legal, stand_ins = self._joker_says(sheet, dice)
        options = []
        for cell, held, points in zip(self.cells, sheet, self.scores(dice), strict=True):
            if held is None:
                place = ("joker", "scores", cell) if cell in stand_ins else ("cells", cell)
                score = stand_ins.get(cell, points)
                options.append(Option(cell, score, extra, legal is None or cell in legal, (place, *paid)))
        return tuple(options)

    def _joker_says(self, sheet: Sheet, dice: Dice) -> tuple[frozenset[str] | None, Mapping[str, int]]:
        """Which cells the joker allows (None: all free ones) and the scores it sets.

        In this order: the roll's own upper cell; else the free lower cells, with the joker's scores; else the
        other free upper cells.
        """
        joker, face = self.ruleset.joker, self._special(dice)[1]
        if joker is None or face is None or not self.holds(sheet, joker.needs):
            return None, {}
        free = frozenset(cell for cell, held in zip(self.cells, sheet, strict=True) if held is None)
        own = frozenset(cell for cell in free if self._upper.get(cell) == face)
        if own:
            return own, {}
        lower = free - self._upper.keys()
        return (lower, joker.scores) if lower else (free, {})

    def _special(self, dice: Dice) -> tuple[tuple[tuple[str, Needs | None, int], ...], int | None]:
        """The extras that sorted `dice` may earn, and the face of a joker (0: none shared; None: no joker)."""
        found = self._specials.get(dice)
        if found is None:
            extras = ((name, needs, rule.best(dice) or 0) for name, (rule, needs) in self._extras.items())
            match = next(self._joker.matches(dice), None) if self._joker else None
            paid = tuple(extra for extra in extras if extra[2])
            found = self._specials.add(dice, (paid, match.face if match else None))
        return found

    def holds(self, sheet: Sheet, needs: Needs | None) -> bool:
        """Whether the sheet fulfils a rule's `needs`."""
        if needs is None:
            return True
        held = sheet[self.index[needs.cell]]
        return held is not None and (needs.state == "filled" or held > 0)

    def section(self, sheet: Sheet, section: str) -> int:
        """The points in a section's cells."""
        cells = self.ruleset.cells.values()
        return sum(held or 0 for cell, held in zip(cells, sheet, strict=True) if cell.section == section)

    def bonuses(self, sheet: Sheet) -> dict[str, int]:
        """The points of each bonus that the sheet has earned, or 0."""
        return {
            name: bonus_for(bonus, self.section(sheet, bonus.section)) for name, bonus in self.ruleset.bonuses.items()
        }

    def total(self, sheet: Sheet, extras: int) -> int:
        """Cells, bonuses and the extras so far, together."""
        return sum(held or 0 for held in sheet) + sum(self.bonuses(sheet).values()) + extras


def bonus_for(bonus: Bonus, total: int) -> int:
    """The points of the highest step that a section's `total` reaches."""
    return next((step.score for step in reversed(bonus.steps) if total >= step.at_least), 0)


Table = BankTable | SheetTable


def compile_table(name: str, ruleset: Ruleset) -> Table:
    """The table of a ruleset; `name` is what scripts call it."""
    if isinstance(ruleset, BankRuleset):
        return BankTable(name, ruleset)
    return SheetTable(name, ruleset)
