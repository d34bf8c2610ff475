"""Line mode: one command a line in, lines of text or JSON out; no cursor control, nothing but what was asked."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from dicecli.errors import BadMove, Problem, Refused, near
from dicecli.game import bank, game, sheet
from dicecli.game.dice import fingerprint
from dicecli.game.moves import (
    AccumulateTurn,
    Action,
    Announce,
    Bank,
    BankTurn,
    Event,
    Keep,
    Kept,
    Roll,
    SheetBoard,
    SheetTurn,
    State,
    TakeOver,
    Thrown,
    TurnStarted,
    Write,
)
from dicecli.rules.table import AccumulateTable, BankTable, SheetTable, Table
from dicecli.ui.console import Console
from dicecli.ui.helper import Helper
from dicecli.ui.i18n import _, plural
from dicecli.ui.messages import message
from dicecli.ui.moves import command_line, read_positions
from dicecli.ui.play import Leave
from dicecli.ui.render import cell_label, error_object, shown, title, words
from dicecli.ui.rulesheet import rule_sheet
from dicecli.ui.tell import bonus_lines, event_text, totals_text

MAX_LINE = 1000
COMMANDS = ("keep", "roll", "bank", "write", "announce", "take", "sheet", "hint", "rules", "quit", "help")


class Lines:
    """Plays a game over stdin and stdout, as text; with `review` it is looked back on at its end."""

    def __init__(self, table: Table, console: Console, helper: Helper, *, review: bool = False) -> None:
        self.table = table
        self.console = console
        self.helper = helper
        self.review = review
        self.prompt = console.stdin.isatty() and console.stdout.isatty()

    # What people are told

    def begin(self, state: State) -> None:
        """The game, the players, and the seed's fingerprint."""
        for line in heading(self.table, state):
            self.console.out(line)
        unused = unused_commands(self.table)
        known = ", ".join(command for command in COMMANDS if command not in unused)
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
        """The seed, which proves the dice, who had hints, and the game looked back on."""
        self.console.out(seed_text(state))
        if hints := self.helper.hints_text(state):
            self.console.out(hints)
        if self.review:
            from dicecli.ui.coaching import review_lines

            coach = self.helper.coach(state)
            for review in self.helper.reviews(state):
                self.console.out()
                self.show(review_lines(self.table, coach, state.seats[review.player].name, review))

    def hint(self, state: State) -> None:
        """What every choice is worth, for a player who asks."""
        from dicecli.ui.coaching import advice_lines

        self.show(advice_lines(self.table, state, self.helper.hinted(state)))

    def refuse(self, state: State, problems: Sequence[Problem]) -> None:
        """What is wrong with a line, and what is allowed."""
        for problem in problems:
            self.console.out(sentence(message(problem)) + " " + self.allowed(state))

    def ask(self, state: State) -> None:
        """What the player may do now."""
        self.console.out(self.allowed(state))

    def allowed(self, state: State) -> str:
        """What may be done now, in one line."""
        if isinstance(self.table, SheetTable):
            return sheet_allowed(self.table, state)
        return bank_allowed(self.table, state)

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
        """The next line that isn't empty; raises `Leave` at the end of the input, `BadMove` for an overlong one."""
        while True:
            if self.prompt:
                self.console.stdout.write("> ")
            self.console.stdout.flush()
            line = self.console.stdin.readline(MAX_LINE)
            if not line:
                if self.prompt:
                    self.console.out()
                raise Leave
            if len(line) == MAX_LINE and not line.endswith("\n"):
                while len(line) == MAX_LINE and not line.endswith("\n"):  # its rest is no command either
                    line = self.console.stdin.readline(MAX_LINE)
                raise BadMove(Problem("line_too_long", {"most": MAX_LINE}))
            if line.strip():
                return line.strip()

    def command(self, state: State, line: str) -> Action | None:
        """The action that a line asks for, or None when it asked to see something."""
        word, *rest = line.split()
        name = _command(word)
        if rest and name not in ("keep", "write", "announce"):
            raise BadMove(Problem("command_alone", {"word": name}))
        if name in unused_commands(self.table):
            raise BadMove(Problem("not_in_this_game"))
        if name == "quit":
            raise Leave
        if name == "keep":
            return Keep(read_positions(self.table, state, rest))
        if name in ("write", "announce"):
            cell = _cell(self.table, rest)
            return Write(cell) if name == "write" else Announce(cell)
        if name in ("roll", "bank", "take"):
            plain: dict[str, Action] = {"roll": Roll(), "bank": Bank(), "take": TakeOver()}
            return plain[name]
        if name == "rules":
            self.show(rule_sheet(self.table))
        elif name == "sheet":
            self.show(sheet_lines(self.table, state))
        elif name == "hint":
            self.hint(state)
        else:
            self.show(help_lines(self.table))
        return None


class JsonLines(Lines):
    """Plays a game over stdin and stdout for programs: events, what is allowed and errors, one object a line."""

    def __init__(self, table: Table, console: Console, helper: Helper, *, review: bool = False) -> None:
        super().__init__(table, console, helper, review=review)
        self.prompt = False

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
            record = msgspec.to_builtins(event)
            if isinstance(event, (Thrown, Kept)):
                record["dice"] = shown(self.table, event.dice)
            self._object(record)

    def ask(self, state: State) -> None:
        """The lines that would be legal now."""
        lines = [command_line(self.table, state, action) for action in game.legal(self.table, state)]
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
        """The seed, which proves the dice, how many hints each seat had, and the game looked back on."""
        hints = [self.helper.hints.get(player, 0) for player in range(len(state.seats))]
        self._object({"type": "seed", "seed": state.seed, **({"hints": hints} if any(hints) else {})})
        if self.review:
            from dicecli.ui.coaching import review_object

            coach = self.helper.coach(state)
            for review in self.helper.reviews(state):
                self._object({"type": "review", **review_object(self.table, coach, review)})

    def hint(self, state: State) -> None:
        """What every choice is worth, for a player who asks."""
        from dicecli.ui.coaching import advice_object

        self._object({"type": "hint", **advice_object(self.table, state, self.helper.hinted(state))})


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
    """The seed, shown when all dice have fallen, with the fingerprint that was shown before."""
    return _("Seed: {seed} (fingerprint {fingerprint})").format(seed=state.seed, fingerprint=fingerprint(state.seed))


def sentence(text: str) -> str:
    """`text` with a capital and a full stop."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!", ")")) else ".")


def unused_commands(table: Table) -> set[str]:
    """The commands that a game has no use for."""
    unused = {"announce", "take", "bank" if isinstance(table, SheetTable) else "write"}
    if isinstance(table, BankTable) and table.ruleset.carry:
        unused.remove("take")
    if isinstance(table, SheetTable) and table.announced:
        unused.remove("announce")
    return unused if not isinstance(table, AccumulateTable) else unused | {"keep"}


def bank_allowed(table: BankTable | AccumulateTable, state: State) -> str:
    """What may be done now in a bank game or an accumulate game."""
    turn = state.turn
    assert isinstance(turn, (BankTurn, AccumulateTurn))
    if isinstance(turn, BankTurn) and turn.stage == "keep":
        assert isinstance(table, BankTable)
        found = bank.keeps(table, turn).values()
        keeps = ", ".join(f"{words(shown(table, keep.dice))} = {keep.score}" for keep in found)
        return _("You may keep: {keeps}.").format(keeps=keeps)
    count = len(game.hand(table, state))
    roll = plural("roll {count} die", "roll {count} dice", count).format(count=count)
    bank_it = _("bank {points}").format(points=turn.points)
    take = ""
    if state.left:
        take = plural("take {count} die with {points}", "take {count} dice with {points}", len(state.left.hand))
        take = take.format(count=len(state.left.hand), points=state.left.points)
    wishes = ((roll, Roll()), (bank_it, Bank()), (take, TakeOver()))
    may = [text for text, action in wishes if game.check(table, state, action) is None]
    return _("You may {wishes}.").format(wishes=_(" or ").join(may))


def sheet_allowed(table: SheetTable, state: State) -> str:
    """What may be done now in a sheet game: each free cell with its score, and the throws left."""
    turn, board = state.turn, state.boards[state.player]
    assert isinstance(turn, SheetTurn) and isinstance(board, SheetBoard)
    cells = ", ".join(
        f"{cell_label(table, option.cell)} {option.score}" + (f"+{option.extra}" if option.extra else "")
        for option in sheet.options(table, turn, board)
        if option.legal
    )
    names = [name for name in table.cells if name in table.announced]
    names = [name for name in names if game.check(table, state, Announce(name)) is None]
    announce = ""
    if names:
        announce = _(" You may announce: {cells}.").format(cells=", ".join(cell_label(table, name) for name in names))
    if turn.throws >= turn.rolls:
        return (_("You may write: {cells}.").format(cells=cells) if cells else "") + (
            announce if cells else announce.strip()
        )
    held = words(shown(table, [turn.dice[at] for at in turn.kept])) or _("none")
    text = _("You may keep dice (now {held}), roll (throw {throw} of {rolls} is next), or write: {cells}.")
    return text.format(held=held, throw=turn.throws + 1, rolls=turn.rolls, cells=cells or _("nothing yet")) + announce


def sheet_lines(table: Table, state: State) -> list[str]:
    """Every player's points, cell by cell."""
    totals = game.totals(table, state)
    if not isinstance(table, SheetTable):
        lines = [f"{seat.name}: {total}" for seat, total in zip(state.seats, totals, strict=True)]
        turn = state.turn
        assert isinstance(turn, (BankTurn, AccumulateTurn))
        aside = (*turn.aside, *(turn.dice[at] for at in turn.kept)) if isinstance(turn, BankTurn) else ()
        said = _("This turn: {points}; set aside: {dice}; last throw: {throw}.")
        dice, throw = (words(shown(table, faces)) or _("none") for faces in (aside, turn.dice))
        return [*lines, said.format(points=turn.points, dice=dice, throw=throw)]
    lines = []
    for seat, board, total in zip(state.seats, state.boards, totals, strict=True):
        assert isinstance(board, SheetBoard)
        lines.append(_("{name}: {total}").format(name=seat.name, total=total))
        for name in table.cells:
            held = [board.sheet[at] for at in table.at[name]]
            lines.append(
                f"  {cell_label(table, name)}: {words([_('free') if each is None else each for each in held])}"
            )
        lines += [f"  {name}: {shown}" for name, shown in bonus_lines(table, board.sheet)]
        if table.ruleset.extras:
            lines.append(_("  Extra: {points}").format(points=board.extras))
        if table.ruleset.end.win == "points":
            lines.append(_("  Score: {points}").format(points=table.score(board.sheet, board.extras)))
        if table.ruleset.save_unused_rolls:
            lines.append(_("  Throws saved: {count}").format(count=board.saved))
    return lines


def help_lines(table: Table) -> list[str]:
    """The commands of line mode."""
    lines = {
        "keep": _("keep {faces}: set these dice aside, by their faces; keep #1 #4: by their places; keep none").format(
            faces=words(table.faces.shown[:2])
        ),
        "roll": _("roll: throw the other dice"),
        "bank": _("bank: bank the points of the turn"),
        "write": _("write CELL: write the dice into a cell"),
        "announce": _("announce CELL: name the cell that this turn will be written into"),
        "take": _("take: go on with the dice and points that the player before has left"),
        "sheet": _("sheet: show every player's points"),
        "hint": _("hint: show what every choice is worth"),
        "rules": _("rules: show the rules"),
        "quit": _("quit: leave the game"),
    }
    unused = unused_commands(table)
    return [text for command, text in lines.items() if command not in unused]


def _command(word: str) -> str:
    lower = word.lower()
    if lower in ("?", "h"):
        return "help"
    for command in COMMANDS:
        if lower in (command, command[0]):
            return command
    raise BadMove(Problem("unknown_command", {"word": word[:40], **near(lower[:40], COMMANDS)}))


def _cell(table: Table, rest: Sequence[str]) -> str:
    """The cell named by its id or its label, in full: a cell is never guessed."""
    if not rest:
        raise BadMove(Problem("which_cell"))
    name = " ".join(rest)
    if isinstance(table, SheetTable):
        for cell in table.cells:
            said = cell_label(table, cell).lower()
            if name.lower() in (cell, cell.replace("_", " "), said, said.replace(":", "")):
                return cell
        if table.ruleset.columns and name.lower().replace(" ", "_") in table.rules:
            columns = ", ".join(column.id for column in table.columns)
            raise BadMove(Problem("which_column", {"cell": name, "columns": columns}))
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
        if word.lower() in ("q", "quit"):
            raise Leave
        if word in games:
            return word
        if word.isascii() and word.isdigit() and len(word) < 5 and 1 <= int(word) <= len(games):
            return games[int(word) - 1]
        if word:
            console.out(_("'{word}' is not among them; quit leaves.").format(word=word[:40]))
