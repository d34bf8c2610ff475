"""The table on the screen: totals or sheets, what happened, the dice; as much as fits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from prompt_toolkit.utils import get_cwidth
from rich import box
from rich.console import Console as Rich
from rich.table import Table as Grid
from rich.text import Text

from dicecli.game import game
from dicecli.game.moves import AccumulateTurn, BankTurn, SheetBoard, State, Turn
from dicecli.rules.patterns import Dice
from dicecli.rules.table import Option, SheetTable, Table
from dicecli.ui.console import Console
from dicecli.ui.i18n import _, label
from dicecli.ui.render import DIE_FACES, bonus_label, cell_label, part_label, title
from dicecli.ui.tell import bonus_lines, bonus_text

_PIPS = {
    1: ("     ", "  ●  ", "     "),
    2: ("●    ", "     ", "    ●"),
    3: ("●    ", "  ●  ", "    ●"),
    4: ("●   ●", "     ", "●   ●"),
    5: ("●   ●", "  ●  ", "●   ●"),
    6: ("●   ●", "●   ●", "●   ●"),
}


class Screen:
    """Draws a game; `log` is what has happened, in sentences."""

    def __init__(self, table: Table, console: Console) -> None:
        self.table = table
        self.console = console
        self.rich = Rich(
            file=console.stdout, no_color=not console.color, highlight=False, emoji=False, markup=False, soft_wrap=False
        )
        self.log: list[str] = []
        self.hints = False  # whether somebody has asked for one

    def draw(
        self,
        state: State,
        *,
        rows: int = 1,
        thrown: Dice | None = None,
        options: Sequence[Option] = (),
        board: bool = True,
    ) -> None:
        """The table: title, totals or sheets (unless not `board`), the last events, dice; what fits above `rows`."""
        room = self.rich.height - rows
        head = self._lines(self._title(state))
        totals = self._lines(self._total_line(state))
        brief = totals + self._lines(self._brief(state, options)) if options else totals
        whole = totals
        if board:
            grid = self._sheets(state, options) if isinstance(self.table, SheetTable) else self._totals(state)
            whole = self._lines(grid)
        in_play, aside = self._dice_of(state.turn, thrown)
        small = self._lines(*([Text(self._small(in_play), style="bold")] if in_play else []), *aside)
        large = self._lines(*self._large(in_play), *aside) if self.console.can_show("╭─╮│╰╯●") else small
        log = [self._lines(Text(line, style="dim")) for line in self.log[-4:-1]]
        last = self._lines(Text(self.log[-1])) if self.log else []
        # From the most that could be shown to what has to be.
        for parts in (
            (head, whole, *log, last, large),
            (head, whole, *log[1:], last, large),
            (head, whole, *log, last, small),
            (head, whole, *log[2:], last, small),
            (head, whole, last, small),
            (head, brief, *log[1:], last, small),
            (head, brief, last, small),
            (brief, last, small),
            (totals, last, small),
            (totals, small),
            (totals,),
        ):
            lines = [line for part in parts for line in part]
            if len(lines) <= room:
                break
        self.rich.clear()
        self.console.stdout.write("".join(f"{line}\n" for line in lines))
        self.console.stdout.flush()

    def rows_for(self, question: str, lines: int, status: str) -> int:
        """How many rows a question takes with so many lines to choose from."""
        return lines + sum(1 + (len(text) + 1) // self.rich.width for text in (question, status))

    def _lines(self, *parts: Any) -> list[str]:
        """Parts of the table as they will stand on the screen, line by line."""
        with self.rich.capture() as captured:
            for part in parts:
                self.rich.print(part)
        return captured.get().splitlines()

    def _title(self, state: State) -> Text:
        name = title(self.table)
        if state.target is not None:
            name = _("{game} to {target}").format(game=name, target=state.target)
        if self.hints:
            name = _("{game} (with hints)").format(game=name)
        return Text.assemble((name, "bold"), (_("   ? rules  s sheet  h hint  q leave"), "dim"))

    def _dice_of(self, turn: Turn | None, thrown: Dice | None) -> tuple[Dice, list[Text]]:
        """The dice in play, and a line with those set aside."""
        if turn is None or thrown is not None:
            return thrown or (), []
        if isinstance(turn, AccumulateTurn):
            return turn.dice, []
        in_play = tuple(face for at, face in enumerate(turn.dice) if at not in turn.kept)
        aside = tuple(turn.dice[at] for at in turn.kept)
        if isinstance(turn, BankTurn):
            aside = turn.aside + aside
        said = Text(_("Set aside: {dice}").format(dice=self._small(aside)), style="bold")
        return in_play, [said] if aside else []

    def _large(self, dice: Dice) -> list[Text]:
        """Dice as boxes with pips; in several rows where they don't fit side by side."""
        beside = max(1, self.rich.width // 8)
        lines = []
        for start in range(0, len(dice), beside):
            some = dice[start : start + beside]
            drawn = [_face_rows(self.table.faces.show(face)) for face in some]
            faces = ["".join(f"│{die[row]}│ " for die in drawn) for row in range(3)]
            lines += [Text(line.rstrip()) for line in ("╭─────╮ " * len(some), *faces, "╰─────╯ " * len(some))]
        return lines

    def _small(self, dice: Dice) -> str:
        return " ".join(self.glyph(face) for face in dice)

    def glyph(self, face: int) -> str:
        """A die as `⚄ 5`, or as `[5]` where that can't be shown."""
        shows = self.table.faces.show(face)
        if isinstance(shows, int) and 1 <= shows <= len(DIE_FACES) and self.console.can_show(DIE_FACES):
            return f"{DIE_FACES[shows - 1]} {shows}"
        return f"[{shows}]"

    def _totals(self, state: State) -> Grid:
        grid = self._grid()
        for heading_text in ("", _("Player"), _("Total"), _("This turn")):
            grid.add_column(heading_text, justify="left" if heading_text in ("", _("Player")) else "right")
        for number, (seat, total) in enumerate(zip(state.seats, game.totals(self.table, state), strict=True)):
            to_play = state.turn is not None and number == state.player
            turn = state.turn.points if to_play and isinstance(state.turn, (BankTurn, AccumulateTurn)) else ""
            style = "bold" if to_play else ""
            grid.add_row(">" if to_play else "", Text(seat.name), str(total), str(turn), style=style)
        return grid

    def _total_line(self, state: State) -> Text:
        """Every player's total in a line, for small windows."""
        points = f" +{state.turn.points}" if isinstance(state.turn, (BankTurn, AccumulateTurn)) else ""
        shown = (
            f"> {seat.name} {total}{points}" if number == state.player and state.turn else f"{seat.name} {total}"
            for number, (seat, total) in enumerate(zip(state.seats, game.totals(self.table, state), strict=True))
        )
        return Text("   ".join(shown), style="bold")

    def _brief(self, state: State, options: Sequence[Option]) -> Text:
        """What the free cells would score and how far the bonuses are, for windows too small for the sheets."""
        table, board = self.table, state.boards[state.player]
        assert isinstance(table, SheetTable) and isinstance(board, SheetBoard)
        cells = [f"{cell_label(table, option.cell)} {worth_text(option)}" for option in options if option.legal]
        bonuses = bonus_lines(table, board.sheet) if len(table.columns) == 1 else []
        return Text(", ".join([*cells, *(f"{name} {said}" for name, said in bonuses)]))

    def _grid(self) -> Grid:
        plain = not self.console.can_show("─│")
        return Grid(box=box.ASCII if plain else box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1))

    def _sheets(self, state: State, options: Sequence[Option]) -> Grid:
        """Every player's sheet; the sections stand side by side where there is room."""
        table = self.table
        assert isinstance(table, SheetTable)
        beside = Grid.grid(padding=(0, 3))
        for narrow in (False, True):
            blocks = [self._section(state, section, options, narrow=narrow) for section in table.sections]
            widths = [self.rich.measure(block).maximum for block in blocks]
            fits = sum(widths) + 3 * len(blocks) <= self.rich.width
            if fits:
                break
        if fits:
            beside.add_row(*blocks)
        else:
            for block in blocks:
                beside.add_row(block)
        whole = Grid.grid()
        whole.add_row(beside)
        whole.add_row(self._total_line(state))
        return whole

    def _section(self, state: State, section: str, options: Sequence[Option], *, narrow: bool) -> Grid:
        table = self.table
        assert isinstance(table, SheetTable)
        if len(table.columns) > 1:
            return self._columns(state, table, section)
        grid = self._grid()
        if narrow:
            grid.padding = 0  # the box has a blank between columns
        grid.add_column(label(None, section))
        if options:
            grid.add_column(_("now"), justify="right")
        for number, seat in enumerate(state.seats):
            style, width = "bold" if number == state.player else "", 5 if narrow else 10
            grid.add_column(Text(seat.name), justify="right", style=style, max_width=width, no_wrap=True)
        now = {option.cell: worth_text(option) for option in options if option.legal}
        boards = [board for board in state.boards if isinstance(board, SheetBoard)]
        for cell, row in table.ruleset.cells.items():
            if row.section == section:
                held = [_held(table, board, cell) for board in boards]
                values = [now.get(cell, "")] if options else []
                grid.add_row(part_label(table.ruleset.cells, cell), *values, *held)
        for name, bonus in table.ruleset.bonuses.items():
            if bonus.section == section:
                toward = [bonus_text(table, board.sheet, name) for board in boards]
                toward = [text.replace(_(" of "), "/") for text in toward] if narrow else toward
                grid.add_row(bonus_label(table, name), *([""] if options else []), *toward)
        for name in table.ruleset.derived if section == table.sections[-1] else ():
            points = [table.derived(board.sheet)[name] for board in boards]
            said = ("·" if value is None else str(value) for value in points)
            grid.add_row(label(None, name), *([""] if options else []), *said)
        if table.ruleset.extras and section == table.sections[-1]:
            grid.add_row(_("Extra"), *([""] if options else []), *(str(board.extras) for board in boards))
        return grid

    def _columns(self, state: State, table: SheetTable, section: str) -> Grid:
        """The player's own sheet of several columns; of the others the totals have to do."""
        board = state.boards[state.player]
        assert isinstance(board, SheetBoard)
        grid = self._grid()
        grid.add_column(label(None, section))
        for column in table.columns:
            grid.add_column(label(column.label, column.id), justify="right")
        for cell, row in table.ruleset.cells.items():
            if row.section == section:
                held = [_held(table, board, f"{column.id} {cell}") for column in table.columns]
                grid.add_row(part_label(table.ruleset.cells, cell), *held)
        return grid

    def rows(self, state: State, table: SheetTable, options: Sequence[Option]) -> list[tuple[str, str]]:
        """The sheet as lines of text with the cells they are about: a heading, the cells, the bonuses."""
        boards = [board for board in state.boards if isinstance(board, SheetBoard)]
        worth = {option.cell: worth_text(option) for option in options if option.legal}
        rows = [["", _("now"), *(seat.name for seat in state.seats)]]
        for name in table.cells:
            rows.append(
                [cell_label(table, name), worth.get(name, ""), *(_held(table, board, name) for board in boards)]
            )
        more = list(zip(*(bonus_lines(table, board.sheet) for board in boards), strict=True))
        rows += [[lines[0][0], "", *(said for _name, said in lines)] for lines in more]
        rows = [[row[0], *(_cut(text, 10) for text in row[1:])] for row in rows]
        first = max(get_cwidth(row[0]) for row in rows)
        wide = [max(get_cwidth(row[at]) for row in rows) for at in range(1, len(rows[0]))]
        gap = "  "
        if first + sum(wide) + 2 * len(wide) > self.rich.width - 6:  # too narrow for all: the player alone
            gap = " "
            rows = [[*row[:2], row[2 + state.player]] for row in rows]
            wide = [wide[0], wide[1 + state.player]]
        texts = (
            row[0]
            + " " * (first - get_cwidth(row[0]))
            + "".join(gap + " " * (width - get_cwidth(text)) + text for text, width in zip(row[1:], wide, strict=True))
            for row in rows
        )
        return list(zip(texts, ("", *table.cells, *("" for _line in more)), strict=True))


def _cut(text: str, width: int) -> str:
    """`text` in at most so many columns."""
    if get_cwidth(text) <= width:
        return text
    while get_cwidth(text) >= width:
        text = text[:-1]
    return text + "…"


def _face_rows(shows: int | str) -> tuple[str, str, str]:
    plain = ("     ", f"{str(shows)[:5]:^5}", "     ")
    return _PIPS.get(shows, plain) if isinstance(shows, int) else plain


def _held(table: SheetTable, board: SheetBoard, name: str) -> str:
    """What a player has in a cell; all of it, if it is filled several times."""
    filled = [str(points) for at in table.at[name] if (points := board.sheet[at]) is not None]
    return " ".join([*filled, *(["·"] if len(filled) < len(table.at[name]) else [])])


def worth_text(option: Option) -> str:
    """What a cell would get: `20`, or `20+100` with extras."""
    return f"{option.score}+{option.extra}" if option.extra else str(option.score)
