"""A ruleset made ready for use: what dice are worth, in every legal reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sized
from itertools import combinations, combinations_with_replacement, product
from typing import Generic, NamedTuple, TypeVar

from dicecli.errors import near
from dicecli.rules.faces import Faces
from dicecli.rules.formulas import parse_formula
from dicecli.rules.patterns import Dice, Face, Match, Pattern, pattern_of
from dicecli.rules.vocabulary import (
    AccumulateRuleset,
    BankRuleset,
    Column,
    Needs,
    Part,
    Ruleset,
    Score,
    SheetRuleset,
    Step,
)

Sheet = tuple[int | None, ...]  # what each slot holds, in the sheet's order; None: free

MAX_REMEMBERED = 300_000

Value = TypeVar("Value", bound=Sized)
Key = TypeVar("Key")


class Memory(dict[Key, Value], Generic[Key, Value]):
    """Remembers values; forgets all of them before they hold too much together."""

    size = 0

    def add(self, key: Key, value: Value) -> Value:
        """Remember `value` and give it back."""
        self.size += len(value) + 1
        if self.size > MAX_REMEMBERED:
            self.clear()
            self.size = len(value) + 1
        self[key] = value
        return value


class Rule:
    """A pattern with its score; `steady` if dice score the same whichever throw of the turn they are."""

    def __init__(self, part: Part, faces: Faces) -> None:
        self.part = part
        self.faces = faces
        self.pattern = pattern_of(part, faces)
        scores: list[Score] = part.by_roll or ["matched" if part.score is None else part.score]
        self._formulas = [parse_formula(score) for score in scores]
        self._exceptions = {faces.number(face): parse_formula(score) for face, score in part.exceptions.items()}
        formulas = (*self._formulas, *self._exceptions.values())
        self.steady = len(self._formulas) == 1 and not part.first_roll and all("roll" not in f.names for f in formulas)

    def scored(self, dice: Dice, roll: int = 1, *, whole: bool) -> Iterator[tuple[Match, int]]:
        """Every match in sorted `dice` with its points.

        `roll` is the number of the throw in its turn; `sum` means all dice if `whole`, else those of the match.
        """
        for read_as, as_shown, match in readings(self.pattern, self.faces, dice):
            matched = self.faces.total(as_shown)
            values = {
                "sum": self.faces.total(read_as) if whole else matched,
                "matched": matched,
                "face": self.faces.value(match.face) if match.face else 0,
                "count": len(as_shown),
                "roll": roll,
            }
            formula = self._exceptions.get(match.face) or self._formulas[min(roll, len(self._formulas)) - 1]
            points = formula(values) + (self.part.first_roll if roll == 1 and match.dice else 0)
            yield match, points

    def best(self, dice: Dice, roll: int = 1) -> int | None:
        """The points of the best match in all of sorted `dice`; None without a match."""
        return max((points for _, points in self.scored(dice, roll, whole=True)), default=None)


def readings(pattern: Pattern, faces: Faces, dice: Dice) -> Iterator[tuple[Dice, Dice, Match]]:
    """How sorted `dice` show a pattern, with each wild die read as itself or as a face that another die shows.

    Gives all dice as they are read, the matched ones as they are read, and the match in the dice that there are.
    """
    wild = tuple(face for face in dice if face in faces.wild)
    if not wild:
        yield from ((dice, match.dice, match) for match in pattern.matches(dice))
        return
    natural = tuple(face for face in dice if face not in faces.wild)
    for stand_for in combinations_with_replacement(sorted({*natural, *wild}), len(wild)):
        read_as = tuple(sorted(natural + stand_for))
        for match in pattern.matches(read_as):
            for there in _behind(match.dice, natural, _grouped(zip(stand_for, wild, strict=True))):
                yield read_as, match.dice, Match(there, match.face)


def _grouped(pairs: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    """The wild faces that stand for each face."""
    found: dict[int, list[int]] = {}
    for face, wild in pairs:
        found.setdefault(face, []).append(wild)
    return found


def _behind(matched: Dice, natural: Dice, wild: dict[int, list[int]]) -> Iterator[Dice]:
    """The dice that may be behind matched faces: those that show them, or wild ones that stand for them."""
    choices = []
    for face, count in Counter(matched).items():
        stand_ins = wild.get(face, [])
        least, most = max(0, count - natural.count(face)), min(count, len(stand_ins))
        choices.append([[face] * (count - some) + stand_ins[:some] for some in range(least, most + 1)])
    for chosen in product(*choices):
        yield tuple(sorted(die for some in chosen for die in some))


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
        self.faces = Faces(ruleset.dice)
        self.rules = {key: Rule(part, self.faces) for key, part in ruleset.combinations.items()}
        self.wins = {key: part.wins for key, part in ruleset.combinations.items() if part.wins}
        self._nothing = next((key for key, part in ruleset.combinations.items() if part.nothing), None)
        self._keeps: Memory[Dice, dict[Dice, Keep]] = Memory()

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
        found = self._grow(dice)
        for kept in [kept for kept in found if not self.faces.wild.isdisjoint(kept)]:
            alone = self._grow(kept).get(kept)  # a wild die stands for what others of the kept dice show
            if alone:
                found[kept] = alone
            else:
                del found[kept]
        if self.ruleset.turn.keep == "all":
            counts = {kept: Counter(kept) for kept in found}
            found = {kept: keep for kept, keep in found.items() if not any(counts[kept] < c for c in counts.values())}
        order = sorted(found.values(), key=lambda keep: (-keep.score, len(keep.dice), keep.dice))
        return {keep.dice: keep for keep in order}

    def _grow(self, dice: Dice) -> dict[Dice, Keep]:
        """Every set of sorted `dice` that splits into combinations, grown from these."""
        parts: dict[Dice, Scored] = {}  # the best combination for the same dice
        for name, rule in self.rules.items():
            for match, points in rule.scored(dice, whole=False):
                if match.dice and (match.dice not in parts or points > parts[match.dice].score):
                    parts[match.dice] = Scored(name, match.dice, points)
        if not parts and self._nothing and len(dice) == self.faces.dice_count:
            score = self.rules[self._nothing].part.score
            parts[dice] = Scored(self._nothing, dice, score if isinstance(score, int) else 0)
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
        return found


class Fallen(NamedTuple):
    """What a throw of an accumulate game means."""

    outcome: str | None
    score: int
    lose: str | None


class AccumulateTable:
    """An accumulate game: what a throw adds, or loses."""

    def __init__(self, name: str, ruleset: AccumulateRuleset) -> None:
        self.name = name
        self.ruleset = ruleset
        self.faces = Faces(ruleset.dice)
        self.rules = {key: Rule(outcome, self.faces) for key, outcome in ruleset.outcomes.items()}
        self.wins = {key: outcome.wins for key, outcome in ruleset.outcomes.items() if outcome.wins}

    def fallen(self, dice: Dice) -> Fallen:
        """What sorted `dice` mean: the first outcome that they show; nothing at all counts 0."""
        for name, rule in self.rules.items():
            points = rule.best(dice)
            if points is not None:
                lose = self.ruleset.outcomes[name].lose
                return Fallen(name, 0 if lose else points, lose)
        return Fallen(None, 0, None)


class Slot(NamedTuple):
    """A place on the sheet: a cell of a column, and what a player calls it (several slots of a cell share the name)."""

    name: str
    cell: str
    column: int


class Option(NamedTuple):
    """A cell that may be written, and what the dice would be worth; `rules` are the places in the ruleset for it."""

    cell: str
    score: int
    extra: int
    legal: bool
    rules: tuple[tuple[str, ...], ...]


class _Spot(NamedTuple):
    """A cell of a sheet that may take a score: its first slot, its row in the scores."""

    slot: Slot
    row: int
    in_order: bool
    full: bool


class _Verdict(NamedTuple):
    """What a joker says of a cell: whether it may be written, and a score in place of the cell's own."""

    allowed: bool
    score: int | None


class SheetTable:
    """A sheet game: what dice are worth in each cell."""

    def __init__(self, name: str, ruleset: SheetRuleset) -> None:
        self.name = name
        self.ruleset = ruleset
        self.faces = Faces(ruleset.dice)
        self.rules = {key: Rule(cell, self.faces) for key, cell in ruleset.cells.items()}
        self.columns = ruleset.columns or [Column("", order=ruleset.order)]
        self.slots = tuple(
            Slot(f"{column.id} {cell}" if column.id else cell, cell, number)
            for number, column in enumerate(self.columns)
            for cell, row in ruleset.cells.items()
            for _time in range(row.times)
        )
        self.cells = tuple(dict.fromkeys(slot.name for slot in self.slots))
        self.at: dict[str, list[int]] = {name: [] for name in self.cells}
        for at, slot in enumerate(self.slots):
            self.at[slot.name].append(at)
        self.sections = tuple(dict.fromkeys(cell.section for cell in ruleset.cells.values()))
        self.empty: Sheet = (None,) * len(self.slots)
        self.announced = frozenset(slot.name for slot in self.slots if self.columns[slot.column].announce)
        self.upper = {cell: rule.pattern.face for cell, rule in self.rules.items() if isinstance(rule.pattern, Face)}
        self.extras = {key: (Rule(extra, self.faces), extra.needs) for key, extra in ruleset.extras.items()}
        self._joker = pattern_of(ruleset.joker.when, self.faces) if ruleset.joker else None
        self._derived = [parse_formula(text, tuple(ruleset.cells)) for text in ruleset.derived.values()]
        self._open: Memory[Sheet, tuple[_Spot, ...]] = Memory()
        self._scores: Memory[tuple[Dice, int], tuple[int, ...]] = Memory()
        self._specials: Memory[tuple[Dice, int], tuple[tuple[tuple[str, Needs | None, int], ...], int | None]] = (
            Memory()
        )

    def scores(self, dice: Dice, roll: int = 1) -> tuple[int, ...]:
        """The points of sorted `dice`, thrown at throw `roll`, in each cell, by the cells' own patterns."""
        found = self._scores.get((dice, roll))
        if found is None:
            sets = [dice] if self.ruleset.use is None else [*dict.fromkeys(combinations(dice, self.ruleset.use))]
            best = (max(rule.best(each, roll) or 0 for each in sets) for rule in self.rules.values())
            found = self._scores.add((dice, roll), tuple(best))
        return found

    def options(self, sheet: Sheet, dice: Dice, roll: int = 1, named: str | None = None) -> tuple[Option, ...]:
        """The cells of `sheet` that are not full, in its order, with what sorted `dice` are worth there.

        `roll` is the number of the throw in its turn, `named` the cell that was announced, if any.
        """
        scores = self.scores(dice, roll)
        extras, face = self.special(dice, roll)
        verdicts = self._joker_verdicts(sheet, face) if face is not None else {}
        options = []
        for spot in self._spots(sheet):
            name, cell, column = spot.slot
            score = scores[spot.row]
            place: tuple[str, ...] = ("cells", cell)
            joker = verdicts.get(name)
            if joker and joker.score is not None:
                score, place = joker.score, ("joker", "scores", cell)
            extra, paid = self._extra(sheet, extras, column) if extras else (0, ())
            may = self._may(spot, roll, named) and not (spot.full and score <= 0)  # a full cell is scored again
            options.append(Option(name, score, extra, may, (place, *paid)))
        barred = {name for name, verdict in verdicts.items() if not verdict.allowed}
        if any(option.legal and option.cell not in barred for option in options):  # a joker always leaves a cell
            options = [o._replace(legal=o.legal and o.cell not in barred) for o in options] if barred else options
        if self.ruleset.zero == "only_when_nothing_scores" and any(o.legal and o.score for o in options):
            options = [option._replace(legal=option.legal and option.score != 0) for option in options]
        return tuple(options)

    def near_cell(self, word: str) -> dict[str, object]:
        """`{"near": …}` with the cell that `word` was probably meant to be, such as one of a column; or nothing."""
        in_column = next((slot.name for slot in self.slots if slot.cell == word), None)
        return {"near": in_column} if in_column else near(word, self.cells)

    def open_to_all(self, sheet: Sheet, roll: int, named: str | None) -> tuple[str, ...] | None:
        """The cells that every throw without joker and extras may be written into; None if the throw matters.

        `roll` and `named` are those of `options`.
        """
        spots = self._spots(sheet)
        if self.ruleset.zero != "any_cell" or any(spot.full for spot in spots):
            return None
        return tuple(spot.slot.name for spot in spots if self._may(spot, roll, named))

    def _may(self, spot: _Spot, roll: int, named: str | None) -> bool:
        """Whether the sheet's order, the column's throws and an announcement let a cell be written."""
        rolls = self.columns[spot.slot.column].rolls
        if not spot.in_order or (rolls and roll > rolls):
            return False
        name = spot.slot.name
        return name == named if named is not None else name not in self.announced

    def _spots(self, sheet: Sheet) -> tuple[_Spot, ...]:
        """Where `sheet` may take a score: cells that are not full, and scored ones that may be scored again."""
        found = self._open.get(sheet)
        if found is None:
            in_order = self.in_order(sheet)
            rows = {cell: row for row, cell in enumerate(self.rules)}
            spots = []
            for name in self.cells:
                at = self.at[name]
                slot = self.slots[at[0]]
                full = all(sheet[each] is not None for each in at)
                if not full or (self.ruleset.cells[slot.cell].repeat and (sheet[at[0]] or 0) > 0):
                    spots.append(_Spot(slot, rows[slot.cell], name in in_order, full))
            found = self._open.add(sheet, tuple(spots))
        return found

    def writable_later(self, sheet: Sheet, roll: int, named: str | None) -> bool:
        """Whether some cell could still be written after throw number `roll`."""
        if named is not None:
            rolls = self.columns[self.slots[self.at[named][0]].column].rolls
            return not (rolls and roll > rolls)
        columns = {slot.column for at, slot in enumerate(self.slots) if sheet[at] is None}
        later = (self.columns[column] for column in columns)
        return any(not column.announce and not (column.rolls and roll > column.rolls) for column in later)

    def in_order(self, sheet: Sheet) -> frozenset[str]:
        """The names that the order of their column lets be written next."""
        found: list[str] = []
        for number, column in enumerate(self.columns):
            slots = [at for at, slot in enumerate(self.slots) if slot.column == number]
            free = [at for at in slots if sheet[at] is None]
            half = slots[len(slots) // 2] if slots else 0
            upper, lower = [at for at in free if at < half], [at for at in free if at >= half]
            allowed = {
                "free": slots,
                "down": free[:1],
                "up": free[-1:],
                "from_ends": free[:1] + free[-1:],
                "from_middle": upper[-1:] + lower[:1],
            }[column.order]
            found += [self.slots[at].name for at in allowed]
        return frozenset(found)

    def _joker_verdicts(self, sheet: Sheet, face: int) -> dict[str, _Verdict]:
        """What the joker of a face (0: none shared) says of each cell that it speaks of.

        In this order: the roll's own upper cell; else the free lower cells, with the joker's scores; else the
        other free upper cells. A `free` joker may go anywhere, but has its scores only without its own upper cell.
        """
        joker = self.ruleset.joker
        assert joker is not None
        spots = self._spots(sheet)
        everything = range(len(self.columns))
        verdicts: dict[str, _Verdict] = {}
        for columns in [everything] if joker.needs.columns == "all" else [[column] for column in everything]:
            if not self.holds(sheet, joker.needs, columns[0]):
                continue
            free = {spot.slot.name: spot.slot.cell for spot in spots if spot.slot.column in columns}
            own = {name for name, cell in free.items() if self.upper.get(cell) == face}
            lower = {name for name, cell in free.items() if cell not in self.upper}
            if own and joker.upper == "free":
                continue
            wanted = {"forced": own or lower, "never": lower, "free": set(free)}[joker.upper]
            allowed = wanted or set(free)
            scores = joker.scores if allowed != own else {}
            verdicts |= {
                name: _Verdict(name in allowed, scores.get(cell) if name in lower else None)
                for name, cell in free.items()
            }
        return verdicts

    def _extra(
        self, sheet: Sheet, extras: tuple[tuple[str, Needs | None, int], ...], column: int
    ) -> tuple[int, tuple[tuple[str, ...], ...]]:
        earned = [(name, points) for name, needs, points in extras if self.holds(sheet, needs, column)]
        total = sum(points for _name, points in earned) * self.columns[column].multiplier
        return total, tuple(("extras", name) for name, _points in earned)

    def special(self, dice: Dice, roll: int) -> tuple[tuple[tuple[str, Needs | None, int], ...], int | None]:
        """The extras that sorted `dice` may earn, and the face of a joker (0: none shared; None: no joker)."""
        found = self._specials.get((dice, roll))
        if found is None:
            extras = ((name, needs, rule.best(dice, roll) or 0) for name, (rule, needs) in self.extras.items())
            jokers = readings(self._joker, self.faces, dice) if self._joker else iter(())
            match = next((match for _read, _shown, match in jokers), None)
            paid = tuple(extra for extra in extras if extra[2])
            found = self._specials.add((dice, roll), (paid, match.face if match else None))
        return found

    def holds(self, sheet: Sheet, needs: Needs | None, column: int) -> bool:
        """Whether the sheet fulfils a rule's `needs` for what is written into `column`."""
        if needs is None:
            return True
        held = [
            sheet[at]
            for at, slot in enumerate(self.slots)
            if slot.cell == needs.cell and (needs.columns == "all" or slot.column == column)
        ]
        return all(points is not None and (needs.state == "filled" or points > 0) for points in held)

    def write(self, sheet: Sheet, name: str, score: int) -> Sheet:
        """The sheet after `score` was written into the next free slot of `name`, or added to a repeated cell."""
        at = next((at for at in self.at[name] if sheet[at] is None), self.at[name][0])
        return (*sheet[:at], (sheet[at] or 0) + score, *sheet[at + 1 :])

    def section(self, sheet: Sheet, section: str, column: int = 0) -> int:
        """The points in a section's cells of a column."""
        cells = self.ruleset.cells
        return sum(
            held or 0
            for slot, held in zip(self.slots, sheet, strict=True)
            if slot.column == column and cells[slot.cell].section == section and cells[slot.cell].counts
        )

    def bonuses(self, sheet: Sheet, column: int = 0) -> dict[str, int]:
        """The points of each bonus that a column has earned, or 0."""
        return {
            name: step_for(bonus.steps, self.section(sheet, bonus.section, column))
            for name, bonus in self.ruleset.bonuses.items()
        }

    def derived(self, sheet: Sheet, column: int = 0) -> dict[str, int | None]:
        """The value of each derived cell of a column; None while a cell that it needs is free."""
        held: dict[str, int | None] = {}
        for slot, points in zip(self.slots, sheet, strict=True):
            if slot.column == column:
                before = held.get(slot.cell, 0)
                held[slot.cell] = None if points is None or before is None else before + points
        values = {}
        for name, formula in zip(self.ruleset.derived, self._derived, strict=True):
            needed = {cell: held[cell] for cell in formula.names}
            known = {cell: points for cell, points in needed.items() if points is not None}
            values[name] = formula(known) if len(known) == len(needed) else None
        return values

    def column_total(self, sheet: Sheet, column: int) -> int:
        """Cells, bonuses and derived cells of a column, times its multiplier."""
        counts = self.ruleset.cells
        slots = zip(self.slots, sheet, strict=True)
        cells = sum(held or 0 for slot, held in slots if slot.column == column and counts[slot.cell].counts)
        bonuses = sum(self.bonuses(sheet, column).values())
        derived = sum(points or 0 for points in self.derived(sheet, column).values())
        return (cells + bonuses + derived) * self.columns[column].multiplier

    def score(self, sheet: Sheet, extras: int) -> int:
        """The points of all columns and the extras so far."""
        return sum(self.column_total(sheet, column) for column in range(len(self.columns))) + extras

    def total(self, sheet: Sheet, extras: int) -> int:
        """What a sheet is worth in the end: its score, or the game points for it."""
        score = self.score(sheet, extras)
        return self._game_points(sheet, score) if self.ruleset.end.win == "points" else score

    def _game_points(self, sheet: Sheet, total: int) -> int:
        points = 0
        for rule in self.ruleset.points.values():
            rows = [held for slot, held in zip(self.slots, sheet, strict=True) if rule.cell in (None, slot.cell)]
            scored = sum(bool(held) for held in rows)
            amount = scored if rule.of == "scored" else total if rule.cell is None else sum(held or 0 for held in rows)
            points += step_for(rule.steps or [], amount) + (rule.each or 0) * scored
        return points


def step_for(steps: Iterable[Step], total: int) -> int:
    """The points of the highest of rising `steps` that `total` reaches, or 0."""
    return next((step.score for step in reversed(list(steps)) if total >= step.at_least), 0)


Table = BankTable | SheetTable | AccumulateTable


def compile_table(name: str, ruleset: Ruleset) -> Table:
    """The table of a ruleset; `name` is what scripts call it."""
    if isinstance(ruleset, BankRuleset):
        return BankTable(name, ruleset)
    return SheetTable(name, ruleset) if isinstance(ruleset, SheetRuleset) else AccumulateTable(name, ruleset)
