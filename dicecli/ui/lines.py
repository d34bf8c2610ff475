"""Line mode: one command a line in, lines of text or JSON out; no cursor control, nothing but what was asked."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from dicecli.errors import BadMove, Problem, Refused, near
from dicecli.game import bank, game, sheet
from dicecli.game.dice import fingerprint
from dicecli.game.moves import (
    Action,
    Bank,
    BankTurn,
    Event,
    Keep,
    Roll,
    SheetBoard,
    SheetTurn,
    State,
    TurnStarted,
    Write,
)
from dicecli.rules.patterns import Dice, Positions, positions_of
from dicecli.rules.table import BankTable, SheetTable, Table
from dicecli.ui.console import Console
from dicecli.ui.i18n import _
from dicecli.ui.messages import message
from dicecli.ui.play import Leave
from dicecli.ui.reading import read_dice
from dicecli.ui.render import error_object, part_label, title, words
from dicecli.ui.rulesheet import rule_sheet
from dicecli.ui.tell import bonus_lines, event_text, totals_text

MAX_LINE = 1000
COMMANDS = ("keep", "roll", "bank", "write", "sheet", "rules", "quit", "help")


class Lines:
    """Plays a game over stdin and stdout, as text."""

    def __init__(self, table: Table, console: Console) -> None:
        self.table = table
        self.console = console
        self.prompt = console.stdin.isatty()

    # What people are told

    def begin(self, state: State) -> None:
        """The game, the players, and the seed's fingerprint."""
        for line in heading(self.table, state):
            self.console.out(line)
        other = "write" if isinstance(self.table, BankTable) else "bank"
        known = ", ".join(command for command in COMMANDS if command != other)
        self.console.out(_("Commands: {commands}").format(commands=known))

    def tell(self, state: State, events: Sequence[Event]) -> None:
        """Each event in a line."""
        for event in events:
            if isinstance(event, TurnStarted):
                self.console.out()
            text = event_text(self.table, state.seats, event)
            if isinstance(event, TurnStarted):
                text += " " + totals_text(state.seats, game.totals(self.table, state)) + "."
            self.console.out(text)

    def left(self, state: State) -> None:
        """Where the game stood."""
        self.console.out(left_text(self.table, state))

    def end(self, state: State) -> None:
        """The seed, which proves the dice."""
        self.console.out(seed_text(state))

    def refuse(self, state: State, problems: Sequence[Problem]) -> None:
        """What is wrong with a line, and what is allowed."""
        for problem in problems:
            self.console.out(sentence(message(problem)) + " " + self.allowed(state))

    def ask(self, state: State) -> None:
        """What the player may do now."""
        self.console.out(self.allowed(state))

    def allowed(self, state: State) -> str:
        """What may be done now, in one line."""
        if isinstance(self.table, BankTable):
            assert isinstance(state.turn, BankTurn)
            return bank_allowed(self.table, state.turn)
        assert isinstance(self.table, SheetTable)
        return sheet_allowed(self.table, state)

    def show(self, lines: Sequence[str]) -> None:
        """Something that was asked for."""
        for line in lines:
            self.console.out(line)

    # What people say

    def decide(self, state: State) -> Action:
        """The next line that is a legal action; others are answered and change nothing."""
        self.ask(state)
        while True:
            try:
                action = self.command(state, self.line())
                if action is not None:
                    problem = game.check(self.table, state, action)
                    if problem is None:
                        return action
                    raise BadMove(problem)
            except Refused as refused:
                self.refuse(state, refused.problems)

    def line(self) -> str:
        """The next line that isn't empty; raises `Leave` at the end of the input."""
        while True:
            if self.prompt:
                self.console.stdout.write("> ")
            self.console.stdout.flush()
            line = self.console.stdin.readline(MAX_LINE)
            if not line:
                if self.prompt:
                    self.console.out()
                raise Leave
            more = line
            while len(more) == MAX_LINE and not more.endswith("\n"):  # the rest of an overlong line is no command
                more = self.console.stdin.readline(MAX_LINE)
            if line.strip():
                return line.strip()

    def command(self, state: State, line: str) -> Action | None:
        """The action that a line asks for, or None when it asked to see something."""
        word, *rest = line.split()
        name = _command(word)
        if rest and name not in ("keep", "write"):
            raise BadMove(Problem("command_alone", {"word": name}))
        if name == "quit":
            raise Leave
        if name == "keep":
            return Keep(_positions(self.table, state, rest))
        if name == "write":
            return Write(_cell(self.table, rest))
        if name in ("roll", "bank"):
            return Roll() if name == "roll" else Bank()
        if name == "rules":
            self.show(rule_sheet(self.table))
        elif name == "sheet":
            self.show(sheet_lines(self.table, state))
        else:
            self.show(help_lines())
        return None


class JsonLines(Lines):
    """Plays a game over stdin and stdout for programs: events, what is allowed and errors, one object a line."""

    def _object(self, value: object) -> None:
        self.console.out(msgspec.json.encode(value).decode())

    def begin(self, state: State) -> None:
        """The game, the players, and the seed's fingerprint."""
        self._object(
            {
                "type": "game_started",
                "ruleset": self.table.name,
                "seats": state.seats,
                "target": state.target,
                "fingerprint": fingerprint(state.seed),
            }
        )

    def tell(self, state: State, events: Sequence[Event]) -> None:
        """Each event as an object."""
        for event in events:
            self._object(event)

    def ask(self, state: State) -> None:
        """The lines that would be legal now."""
        lines = [command_line(state, action) for action in game.legal(self.table, state)]
        self._object({"type": "your_turn", "player": state.player, "allowed": lines})

    def refuse(self, state: State, problems: Sequence[Problem]) -> None:
        """What is wrong with a line."""
        self._object(error_object(problems))

    def show(self, lines: Sequence[str]) -> None:
        """Something that was asked for."""
        self._object({"type": "text", "lines": lines})

    def left(self, state: State) -> None:
        """Where the game stood, and the seed."""
        self._object({"type": "left", "totals": game.totals(self.table, state), "seed": state.seed})

    def end(self, state: State) -> None:
        """The seed, which proves the dice."""
        self._object({"type": "seed", "seed": state.seed})


def heading(table: Table, state: State) -> list[str]:
    """The game, its target, who plays, and the fingerprint of the seed."""
    name = title(table)
    if state.target is not None:
        name = _("{game} to {target}").format(game=name, target=state.target)
    seats = ", ".join(seat.name for seat in state.seats)
    return [
        _("{game}. Players: {seats}.").format(game=name, seats=seats),
        _("Fingerprint {fingerprint}").format(fingerprint=fingerprint(state.seed)),
    ]


def left_text(table: Table, state: State) -> str:
    """Where a game stood when it was left."""
    totals = totals_text(state.seats, game.totals(table, state))
    text = _("Game left in {name}'s turn: {totals}. Seed: {seed}")
    return text.format(name=state.seats[state.player].name, totals=totals, seed=state.seed)


def seed_text(state: State) -> str:
    """The seed, shown when all dice have fallen."""
    return _("Seed: {seed}").format(seed=state.seed)


def sentence(text: str) -> str:
    """`text` with a capital and a full stop."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!", ")")) else ".")


def bank_allowed(table: BankTable, turn: BankTurn) -> str:
    """What may be done now in a bank game."""
    if turn.stage == "keep":
        keeps = ", ".join(f"{words(keep.dice)} = {keep.score}" for keep in bank.keeps(table, turn).values())
        return _("You may keep: {keeps}.").format(keeps=keeps)
    text = _("You may roll {count} dice or bank {points}.")
    return text.format(count=bank.dice_to_throw(table, turn), points=turn.points)


def sheet_allowed(table: SheetTable, state: State) -> str:
    """What may be done now in a sheet game: each free cell with its score, and the throws left."""
    turn, board = state.turn, state.boards[state.player]
    assert isinstance(turn, SheetTurn) and isinstance(board, SheetBoard)
    cells = ", ".join(
        f"{part_label(table.ruleset.cells, option.cell)} {option.score}" + (f"+{option.extra}" if option.extra else "")
        for option in sheet.options(table, turn, board)
        if option.legal
    )
    left = table.ruleset.rolls - turn.throws
    if not left:
        return _("You may write: {cells}.").format(cells=cells)
    held = words([turn.dice[at] for at in turn.kept]) or _("none")
    text = _("You may keep dice (now {held}), roll (throw {throw} of {rolls} is next), or write: {cells}.")
    return text.format(held=held, throw=turn.throws + 1, rolls=table.ruleset.rolls, cells=cells)


def sheet_lines(table: Table, state: State) -> list[str]:
    """Every player's points, cell by cell."""
    totals = game.totals(table, state)
    if not isinstance(table, SheetTable):
        lines = [f"{seat.name}: {total}" for seat, total in zip(state.seats, totals, strict=True)]
        assert isinstance(state.turn, BankTurn)
        aside = (*state.turn.aside, *(state.turn.dice[at] for at in state.turn.kept))
        said = _("This turn: {points}; set aside: {dice}; last throw: {throw}.")
        dice = words(aside) or _("none")
        return [*lines, said.format(points=state.turn.points, dice=dice, throw=words(state.turn.dice))]
    lines = []
    for seat, board, total in zip(state.seats, state.boards, totals, strict=True):
        assert isinstance(board, SheetBoard)
        lines.append(_("{name}: {total}").format(name=seat.name, total=total))
        for cell, held in zip(table.cells, board.sheet, strict=True):
            lines.append(f"  {part_label(table.ruleset.cells, cell)}: {_('free') if held is None else held}")
        lines += [f"  {name}: {shown}" for name, shown in bonus_lines(table, board.sheet)]
        if table.ruleset.extras:
            lines.append(_("  Extra: {points}").format(points=board.extras))
    return lines


def help_lines() -> list[str]:
    """The commands of line mode."""
    return [
        _("keep 1 5    set these dice aside, by their faces; keep #1 #4 by their places"),
        _("roll        throw the other dice"),
        _("bank        bank the points of the turn"),
        _("write fours write the dice into a cell"),
        _("sheet       show every player's points"),
        _("rules       show the rules"),
        _("quit        leave the game"),
    ]


def command_line(state: State, action: Action) -> str:
    """The line that asks for `action`."""
    assert state.turn is not None
    match action:
        case Keep():
            faces = " ".join(str(state.turn.dice[at]) for at in sorted(action.positions))
            return f"keep {faces}".rstrip() if faces else "keep none"
        case Write():
            return f"write {action.cell}"
        case Bank():
            return "bank"
        case _:
            return "roll"


def _command(word: str) -> str:
    lower = word.lower()
    if lower in ("?", "h"):
        return "help"
    for command in COMMANDS:
        if lower in (command, command[0]):
            return command
    raise BadMove(Problem("unknown_command", {"word": word[:40], **near(lower[:40], COMMANDS)}))


def _positions(table: Table, state: State, rest: Sequence[str]) -> Positions:
    """The dice named by faces, or by places with `#`; `none` and nothing name none."""
    assert state.turn is not None
    dice = state.turn.dice
    if rest and all(word.startswith("#") for word in rest):
        places = [int(word[1:]) if word[1:].isascii() and word[1:].isdigit() and len(word) < 5 else 0 for word in rest]
        return tuple(sorted(place - 1 for place in places))
    if [word.lower() for word in rest] in (["none"], ["all"]):
        return tuple(range(len(dice))) if rest[0].lower() == "all" else ()
    return find_dice(read_dice(rest, table.ruleset.dice, ""), dice)


def find_dice(wanted: Dice, dice: Dice) -> Positions:
    """The places of the faces `wanted` in `dice`; raises `BadMove` if they are not all there."""
    if any(wanted.count(face) > dice.count(face) for face in wanted):
        raise BadMove(Problem("not_thrown", {"wanted": wanted, "dice": dice}))
    return positions_of(wanted, dice)


def _cell(table: Table, rest: Sequence[str]) -> str:
    """The cell named by its id or its label, in full: a cell is never guessed."""
    if not rest:
        raise BadMove(Problem("which_cell"))
    name = " ".join(rest)
    if isinstance(table, SheetTable):
        for cell in table.cells:
            if name.lower() in (cell, cell.replace("_", " "), part_label(table.ruleset.cells, cell).lower()):
                return cell
    return name[:40]


def choose_game(console: Console, games: Sequence[str]) -> str:
    """One of `games` by its number or name, asked line by line; raises `Leave` at the end of the input."""
    for number, name in enumerate(games, 1):
        console.out(f"{number} {name}")
    while True:
        console.stdout.write(_("Choose 1 to {count}: ").format(count=len(games)))
        console.stdout.flush()
        line = console.stdin.readline(MAX_LINE)
        if not line:
            console.out()
            raise Leave
        word = line.strip()
        if word in games:
            return word
        if word.isascii() and word.isdigit() and len(word) < 5 and 1 <= int(word) <= len(games):
            return games[int(word) - 1]
