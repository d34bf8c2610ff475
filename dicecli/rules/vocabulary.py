"""The vocabulary of rulesets as records: what may be written, and what it means when it is left out."""

# No `from __future__ import annotations`: the records' types are read at run time, and real ones are read faster.
from typing import Annotated, Literal

from msgspec import Meta, Struct

MAX_DICE = 10
MAX_FACES = 100
MAX_POINTS = 1_000_000

Text = Annotated[str, Meta(min_length=1, max_length=2000)]
Label = Annotated[str, Meta(min_length=1, max_length=60)]
Labels = Label | Annotated[dict[str, Label], Meta(min_length=1)]  # one text, or one for each language
Shown = Annotated[int, Meta(ge=-MAX_POINTS, le=MAX_POINTS)] | Annotated[str, Meta(min_length=1, max_length=12)]
ShownDice = Annotated[list[Shown], Meta(min_length=1, max_length=MAX_DICE)]
Points = Annotated[int, Meta(ge=-MAX_POINTS, le=MAX_POINTS)]
Positive = Annotated[int, Meta(ge=1, le=MAX_POINTS)]
Count = Annotated[int, Meta(ge=1, le=MAX_DICE)]
Few = Annotated[int, Meta(ge=1, le=20)]
Score = Points | Annotated[str, Meta(min_length=1, max_length=200)]
Weights = Annotated[list[Annotated[int, Meta(ge=0, le=10_000)]], Meta(min_length=1, max_length=MAX_FACES)]


class Between(Struct, frozen=True):
    """From `min` to `max`, both included."""

    min: Points = -MAX_POINTS
    max: Points = MAX_POINTS


class Look(Struct, frozen=True, kw_only=True, rename={"first": "from", "cls": "class", "no": "not"}):
    """What dice look like: a pattern (`any` to `nothing`), and what narrows it."""

    any: Literal[True] | None = None
    face: Shown | None = None
    dice: ShownDice | None = None
    of_a_kind: Count | None = None
    groups: Annotated[list[Count], Meta(min_length=1, max_length=MAX_DICE)] | None = None
    straight: Count | None = None
    sum: Points | Between | None = None
    all: Annotated[list["Look"], Meta(min_length=1, max_length=10)] | None = None
    any_of: Annotated[list["Look"], Meta(min_length=1, max_length=10)] | None = None
    no: "Look | None" = None
    nothing: Literal[True] | None = None
    exactly: bool = False
    distinct: bool = True
    first: Shown | None = None
    wrap: bool = False
    cls: Literal["same"] | None = None


PATTERNS = ("any", "face", "dice", "of_a_kind", "groups", "straight", "sum", "all", "any_of", "not", "nothing")


class Part(
    Look, frozen=True, kw_only=True, rename={"exceptions": "except", "first": "from", "cls": "class", "no": "not"}
):
    """What dice must look like and what they score then: a cell of a sheet, a combination of a bank game."""

    label: Labels | None = None
    score: Score | None = None
    exceptions: dict[str, Score] = {}
    by_roll: Annotated[list[Score], Meta(min_length=1, max_length=20)] | None = None
    first_roll: Points = 0
    wins: bool | Literal["first_roll"] = False


class Cell(Part, frozen=True, kw_only=True):
    """A row of the sheet; `times` how often it is filled, `repeat` whether it may be scored again and again.

    Unless it `counts` it is in no sum: it serves derived cells only.
    """

    section: Label
    times: Few = 1
    repeat: bool = False
    counts: bool = True


class Needs(Struct, frozen=True):
    """A cell of the player's own sheet and what it must hold: points (`scored`) or anything (`filled`).

    On a sheet of several columns: in the column that is written (`this`), or in `all`.
    """

    cell: str
    state: Literal["scored", "filled"]
    columns: Literal["this", "all"] = "this"


class Extra(Part, frozen=True, kw_only=True):
    """Points on top of whichever cell is chosen."""

    needs: Needs | None = None


class Step(Struct, frozen=True):
    """What is earned from so many points on."""

    at_least: Annotated[int, Meta(ge=0, le=MAX_POINTS)]
    score: Points


Steps = Annotated[list[Step], Meta(min_length=1, max_length=30)]


class Bonus(Struct, frozen=True):
    """A bonus for a section's points; the highest step reached counts, alone."""

    section: str
    steps: Steps
    label: Labels | None = None


class Joker(Struct, frozen=True):
    """When dice may stand for what they don't show, and what they score then."""

    when: Look
    needs: Needs
    upper: Literal["forced", "free", "never"]
    scores: dict[str, Points]


class Column(Struct, frozen=True):
    """A column of the sheet: in which order it is filled, what it counts, when it may be written."""

    id: Label
    label: Labels | None = None
    order: Literal["free", "down", "up", "from_middle", "from_ends"] = "free"
    multiplier: Annotated[int, Meta(ge=1, le=1000)] = 1
    announce: bool = False
    rolls: Few | None = None


class PointsRule(Struct, frozen=True):
    """Game points for a cell's rows, or for all rows: by steps of what they sum to or of how many scored, or each."""

    cell: str | None = None
    of: Literal["sum", "scored"] = "sum"
    steps: Steps | None = None
    each: Points | None = None


class AfterLastRoll(Struct, frozen=True):
    """What happens to a player who doesn't choose after the last roll; the seconds, or null to wait."""

    choose_for_me_after: Annotated[int, Meta(ge=1, le=600)] | None = None


class SheetComputer(Struct, frozen=True):
    """How the computer plays a sheet game."""

    strength: Literal["normal"] = "normal"


class Behind(Struct, frozen=True):
    """Higher when behind the leader: `add` for each so many points, `most` altogether."""

    for_each: Positive
    add: Points
    most: Points


class BankComputer(Struct, frozen=True):
    """From how many points of a turn the computer banks, and what moves that threshold."""

    bank_at: Points
    behind: Behind | None = None
    dice_left: dict[int, Points] = {}


class DiceSet(Struct, frozen=True):
    """The dice of a game: how many, and their faces: 1 to a number, or a list in rising order.

    `weights` are the chances of the faces, `each` those of every single die. `values` is what faces count in sums
    (else their number; a word counts 0). A `wild` face stands for any face that another of the dice shows.
    """

    count: Count
    faces: Annotated[int, Meta(ge=1, le=MAX_FACES)] | Annotated[list[Shown], Meta(min_length=1, max_length=MAX_FACES)]
    weights: Weights | None = None
    each: Annotated[list[Weights], Meta(min_length=1, max_length=MAX_DICE)] | None = None
    wild: Annotated[list[Shown], Meta(min_length=1, max_length=MAX_FACES)] | None = None
    values: dict[str, Points] = {}
    classes: dict[str, ShownDice] = {}


class Players(Struct, frozen=True):
    """How many may play, how many of them people, and how many computers join a person who plays alone."""

    min: Few = 1
    max: Few = 7
    humans: Few = 20
    computers: Annotated[int, Meta(ge=0, le=20)] = 1


class Targets(Struct, frozen=True):
    """The points that a game is played to."""

    options: Annotated[list[Positive], Meta(min_length=1, max_length=20)]
    default: Positive


class Opening(Struct, frozen=True):
    """What the first banked turn must reach; below it a player goes on, or may stop for nothing (`lost`)."""

    at_least: Positive
    below: Literal["continue", "lost"] = "continue"


class HotDice(Struct, frozen=True):
    """What happens when all dice are set aside: throw all again or bank, throw, or bank; and what is added.

    `bonus` points, and `multiplier` more times the points of all that is set aside later in the turn.
    """

    then: Literal["may_roll", "must_roll", "stop"] = "may_roll"
    bonus: Points = 0
    multiplier: Annotated[int, Meta(ge=0, le=10)] = 0


class BankTurn(Struct, frozen=True):
    """How a turn of a bank game goes."""

    keep: Literal["any", "all"] = "any"
    bank_at_least: Annotated[int, Meta(ge=0, le=MAX_POINTS)] = 0
    opening: Opening | None = None
    hot_dice: Literal["may_roll", "must_roll", "stop"] | HotDice = "may_roll"
    must_roll_after: list[str] = []


class InARow(Struct, frozen=True):
    """What so many lost turns in a row cost; no total falls below `floor` by it (null: it may)."""

    times: Annotated[int, Meta(ge=2, le=20)]
    score: Annotated[int, Meta(ge=-MAX_POINTS, le=0)]
    floor: Points | None = None


class FirstThrow(Struct, frozen=True):
    """What a lost turn costs at its first throw."""

    score: Annotated[int, Meta(ge=-MAX_POINTS, le=0)]
    floor: Points | None = None


class Bust(Struct, frozen=True):
    """What a throw without scoring dice costs."""

    lose: Literal["turn"] = "turn"
    in_a_row: InARow | None = None
    first_throw: FirstThrow | None = None


class Carry(Struct, frozen=True):
    """The next player may go on with the dice that were left and, if they score, with the points of that turn."""

    needs: Literal["nothing", "opened"] = "nothing"


class BankEnd(Struct, frozen=True):
    """How a game to a target ends."""

    last_round: Literal["none", "others_once", "equal_turns", "others_one_throw"] = "others_once"
    rounds: Annotated[int, Meta(ge=1, le=1000)] | None = None
    exact: Literal["bust", "back", "given_away"] | Literal[False] = False
    tie: Literal["shared"] = "shared"
    win: Literal["highest"] = "highest"


class SheetEnd(Struct, frozen=True):
    """How a sheet game ends; `points` wins by the table of points."""

    tie: Literal["shared"] = "shared"
    win: Literal["highest", "lowest", "points"] = "highest"


class BankExample(Struct, frozen=True):
    """A throw (`dice`) with every keep it allows or a bust, or a kept set (`keep`) with its score."""

    dice: ShownDice | None = None
    keeps: dict[str, Points] | None = None
    bust: Literal[True] | None = None
    keep: ShownDice | None = None
    score: Points | None = None
    legal: Literal[False] | None = None


class SheetExample(Struct, frozen=True):
    """Dice with what one cell, all scoring cells or all legal cells are worth; or a section's total with its bonus."""

    dice: ShownDice | None = None
    roll: Few | None = None
    filled: dict[str, Points] = {}
    cell: str | None = None
    score: Points | None = None
    scoring: dict[str, Points] | None = None
    legal: dict[str, Points] | None = None
    extra: Points | None = None
    section: str | None = None
    total: Points | None = None
    bonus: Points | None = None


class ThrowExample(Struct, frozen=True):
    """A throw with what it scores, or what it loses."""

    dice: ShownDice
    score: Points | None = None
    lose: Literal["turn", "all"] | None = None


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
    carry: Carry | None = None
    end: BankEnd = BankEnd()
    computer: BankComputer
    examples: list[BankExample] = []


class Outcome(Part, frozen=True, kw_only=True):
    """What a throw of an accumulate game means: points, or the loss of the turn or of everything."""

    lose: Literal["turn", "all"] | None = None


class AccumulateTurn(Struct, frozen=True):
    """How a turn of an accumulate game goes."""

    bank_at_least: Annotated[int, Meta(ge=0, le=MAX_POINTS)] = 0
    opening: Opening | None = None


class AccumulateRuleset(Head, frozen=True, kw_only=True):
    """A game of throwing all dice, adding up, and stopping in time: the first outcome that a throw shows counts."""

    family: Literal["accumulate"]
    outcomes: Annotated[dict[str, Outcome], Meta(min_length=1, max_length=100)]
    targets: Targets
    turn: AccumulateTurn = AccumulateTurn()
    end: BankEnd = BankEnd()
    computer: BankComputer
    examples: list[ThrowExample] = []


class SheetRuleset(Head, frozen=True, kw_only=True):
    """A game of up to so many throws and then one free cell of the sheet."""

    family: Literal["sheet"]
    rolls: Few
    keep: Literal["free", "locked"] = "free"
    save_unused_rolls: bool = False
    use: Count | None = None
    cells: Annotated[dict[str, Cell], Meta(min_length=1, max_length=100)]
    bonuses: dict[str, Bonus] = {}
    extras: dict[str, Extra] = {}
    joker: Joker | None = None
    order: Literal["free", "down", "up", "from_middle", "from_ends"] = "free"
    columns: Annotated[list[Column], Meta(min_length=1, max_length=10)] | None = None
    derived: dict[str, Annotated[str, Meta(min_length=1, max_length=200)]] = {}
    points: dict[str, PointsRule] = {}
    zero: Literal["any_cell", "only_when_nothing_scores"] = "any_cell"
    after_last_roll: AfterLastRoll = AfterLastRoll()
    end: SheetEnd = SheetEnd()
    computer: SheetComputer = SheetComputer()
    examples: list[SheetExample] = []


Ruleset = BankRuleset | SheetRuleset | AccumulateRuleset
FAMILIES: dict[str, type[Ruleset]] = {
    "bank": BankRuleset,
    "sheet": SheetRuleset,
    "accumulate": AccumulateRuleset,
}
