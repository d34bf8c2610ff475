"""The interactive table: dice drawn, sheets and totals in view, questions answered with a key or two."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any

import questionary
from prompt_toolkit.application import Application
from prompt_toolkit.filters import Condition, is_done
from prompt_toolkit.key_binding import ConditionalKeyBindings, KeyBindings, merge_key_bindings
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import ConditionalContainer, FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.output import ColorDepth
from questionary.prompts.common import InquirerControl
from rich import box
from rich.console import Console as Rich
from rich.table import Table as Grid
from rich.text import Text

from dicecli.game import bank, game, sheet
from dicecli.game.moves import (
    Action,
    Bank,
    BankTurn,
    Event,
    GameEnded,
    Keep,
    LastRound,
    LostTurn,
    Positions,
    Roll,
    SheetBoard,
    SheetTurn,
    State,
    Thrown,
    TurnStarted,
    Write,
)
from dicecli.players.computer import cell_for_me
from dicecli.rules.patterns import Dice
from dicecli.rules.table import BankTable, Option, SheetTable, Table
from dicecli.ui.console import Console
from dicecli.ui.i18n import _, label, plural
from dicecli.ui.lines import heading, left_text, seed_text
from dicecli.ui.play import Leave
from dicecli.ui.render import DIE_FACES, bonus_lines, event_text, part_label, rule_sheet, title, words

PAUSE = 0.5  # seconds between two things that the computer does
ROOM_FOR_LARGE_DICE = 22  # rows
_PIPS = {
    1: ("     ", "  ●  ", "     "),
    2: ("●    ", "     ", "    ●"),
    3: ("●    ", "  ●  ", "    ●"),
    4: ("●   ●", "     ", "●   ●"),
    5: ("●   ●", "  ●  ", "●   ●"),
    6: ("●   ●", "●   ●", "●   ●"),
}


class _Rules(Exception):  # noqa: N818 - a wish of the player
    """The player wants to read the rules."""


class Prompts:
    """Plays a game at a terminal."""

    def __init__(
        self, table: Table, console: Console, *, clock: bool = False, pause: float = PAUSE, **streams: Any
    ) -> None:
        self.table = table
        self.console = console
        self.clock = clock
        self.pause = pause
        self.streams = streams  # prompt_toolkit's input and output, for tests
        self.rich = Rich(
            file=console.stdout, no_color=not console.color, highlight=False, emoji=False, markup=False, soft_wrap=False
        )
        self.log: list[str] = []

    # What people are told

    def begin(self, state: State) -> None:
        """The game, the players, and the seed's fingerprint."""
        self.log = heading(self.table, state)

    def tell(self, state: State, events: tuple[Event, ...]) -> None:
        """What happened goes into the log that stays in view; what a computer does is shown as it happens."""
        for event in events:
            if isinstance(event, TurnStarted):
                continue
            self.log.append(event_text(self.table, state.seats, event))
            loud = isinstance(event, (LostTurn, LastRound, GameEnded)) or state.seats[event.player].computer
            if loud and state.turn is not None:
                self.draw(state, thrown=event.dice if isinstance(event, Thrown) else None)
                time.sleep(self.pause)

    def left(self, state: State) -> None:
        """Where the game stood."""
        self.console.out(left_text(self.table, state))

    def end(self, state: State) -> None:
        """The last sheet, who won, and the seed, which proves the dice."""
        self.draw(state)
        self.console.out(seed_text(state))

    # What the table looks like

    def draw(self, state: State, thrown: Dice | None = None, option_scores: Sequence[Option] = ()) -> None:
        """The whole table: title, totals or sheets, what happened, the dice."""
        rich = self.rich
        rich.clear()
        name = title(self.table)
        if state.target is not None:
            name = _("{game} to {target}").format(game=name, target=state.target)
        rich.print(Text(name, style="bold"), Text(_("? rules   q leave"), style="dim"))
        if isinstance(self.table, BankTable):
            rich.print(self._totals(state))
        else:
            rich.print(self._sheets(state, option_scores))
        for line in self.log[-4:]:
            rich.print(Text(line), style="dim" if line is not self.log[-1] else "")
        if thrown is not None:
            self._draw_dice(thrown)
        elif state.turn is not None and state.turn.dice:
            self._draw_turn(state.turn)

    def _draw_turn(self, turn: BankTurn | SheetTurn) -> None:
        in_play = tuple(face for at, face in enumerate(turn.dice) if at not in turn.kept)
        aside = tuple(turn.dice[at] for at in turn.kept)
        if isinstance(turn, BankTurn):
            aside = turn.aside + aside
        if in_play:
            self._draw_dice(in_play)
        if aside:
            self.rich.print(Text(_("Set aside: {dice}").format(dice=self._small(aside)), style="bold"))

    def _draw_dice(self, dice: Dice) -> None:
        large = self.rich.width >= 8 * len(dice) and self.rich.height >= ROOM_FOR_LARGE_DICE
        if not large or not self.console.can_show("╭─╮│╰╯●"):
            self.rich.print(Text(self._small(dice), style="bold"))
            return
        rows = ["╭─────╮ " * len(dice)]
        for row in range(3):
            rows.append("".join(f"│{_face_rows(face)[row]}│ " for face in dice))
        rows.append("╰─────╯ " * len(dice))
        for line in rows:
            self.rich.print(Text(line.rstrip()))

    def _small(self, dice: Dice) -> str:
        return " ".join(self.glyph(face) for face in dice)

    def glyph(self, face: int) -> str:
        """A die as `⚄ 5`, or as `[5]` where that can't be shown."""
        if face <= len(DIE_FACES) and self.console.can_show(DIE_FACES):
            return f"{DIE_FACES[face - 1]} {face}"
        return f"[{face}]"

    def _totals(self, state: State) -> Grid:
        grid = self._grid()
        for heading_text in ("", _("Player"), _("Total"), _("This turn")):
            grid.add_column(heading_text, justify="left" if heading_text in ("", _("Player")) else "right")
        for number, (seat, total) in enumerate(zip(state.seats, game.totals(self.table, state), strict=True)):
            to_play = state.turn is not None and number == state.player
            turn = state.turn.points if to_play and isinstance(state.turn, BankTurn) else ""
            style = "bold" if to_play else ""
            grid.add_row(">" if to_play else "", Text(seat.name), str(total), str(turn), style=style)
        return grid

    def _grid(self) -> Grid:
        plain = not self.console.can_show("─│")
        return Grid(box=box.ASCII if plain else box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1))

    def _sheets(self, state: State, options: Sequence[Option]) -> Grid:
        """Every player's sheet; the sections stand side by side where there is room."""
        table = self.table
        assert isinstance(table, SheetTable)
        blocks = [self._section(state, section, options) for section in table.sections]
        widths = [self.rich.measure(block).maximum for block in blocks]
        beside = Grid.grid(padding=(0, 3))
        if sum(widths) + 3 * len(blocks) <= self.rich.width:
            beside.add_row(*blocks)
        else:
            for block in blocks:
                beside.add_row(block)
        whole = Grid.grid()
        whole.add_row(beside)
        totals = "   ".join(
            f"{'>' if number == state.player and state.turn else ' '} {seat.name} {total}"
            for number, (seat, total) in enumerate(zip(state.seats, game.totals(table, state), strict=True))
        )
        whole.add_row(Text(_("Total:") + " " + totals, style="bold"))
        return whole

    def _section(self, state: State, section: str, options: Sequence[Option]) -> Grid:
        table = self.table
        assert isinstance(table, SheetTable)
        grid = self._grid()
        grid.add_column(label(None, section))
        if options:
            grid.add_column(_("now"), justify="right")
        for number, seat in enumerate(state.seats):
            style = "bold" if number == state.player else ""
            grid.add_column(Text(seat.name), justify="right", style=style, max_width=10, no_wrap=True)
        now = {option.cell: _worth(option) for option in options if option.legal}
        boards = [board for board in state.boards if isinstance(board, SheetBoard)]
        for cell, row in table.ruleset.cells.items():
            if row.section == section:
                at = table.index[cell]
                held = ["·" if board.sheet[at] is None else str(board.sheet[at]) for board in boards]
                values = [now.get(cell, "")] if options else []
                grid.add_row(part_label(table.ruleset.cells, cell), *values, *held)
        sums = [dict(bonus_lines(table, board.sheet)) for board in boards]
        for name, bonus in table.ruleset.bonuses.items():
            if bonus.section == section:
                shown = label(bonus.label, name) if bonus.label else _("Bonus")
                grid.add_row(shown, *([""] if options else []), *(each[shown] for each in sums))
        if table.ruleset.extras and section == table.sections[-1]:
            grid.add_row(_("Extra"), *([""] if options else []), *(str(board.extras) for board in boards))
        return grid

    # What people say

    def decide(self, state: State) -> Action:
        """Ask the player until there is a legal action; `?` shows the rules, `q` raises `Leave`."""
        while True:
            try:
                if isinstance(self.table, BankTable):
                    assert isinstance(state.turn, BankTurn)
                    action = self._decide_bank(state, state.turn)
                else:
                    assert isinstance(state.turn, SheetTurn)
                    action = self._decide_sheet(state, state.turn)
            except _Rules:
                self._show_rules()
                continue
            if action is not None:
                return action

    def _decide_bank(self, state: State, turn: BankTurn) -> Action | None:
        assert isinstance(self.table, BankTable)
        self.draw(state)
        if turn.stage == "keep":
            keeps = bank.keeps(self.table, turn)

            def said(positions: Positions) -> str:
                keep = keeps.get(tuple(sorted(turn.dice[at] for at in positions)))
                if keep:
                    return _("{dice} = {score}").format(dice=words(keep.dice), score=keep.score)
                if not positions:
                    best = next(iter(keeps.values()))
                    return _("For example {dice} = {score}").format(dice=words(best.dice), score=best.score)
                return _("does not score completely")

            name = state.seats[state.player].name
            question = _("{name}, which dice do you set aside?").format(name=name)
            return Keep(self._pick(question, turn.dice, (), said, lambda ticked: self._legal(state, Keep(ticked))))
        count = bank.dice_to_throw(self.table, turn)
        name = state.seats[state.player].name
        again = plural("Throw {count} die", "Throw {count} dice", count).format(count=count)
        banking = _("Bank {points}").format(points=turn.points)
        choices = [(again, Roll(), "r"), (banking, Bank(), "b")]
        chosen: Action = self._choose(_("{name}, throw again or bank?").format(name=name), choices)
        return chosen

    def _decide_sheet(self, state: State, turn: SheetTurn) -> Action | None:
        assert isinstance(self.table, SheetTable)
        board = state.boards[state.player]
        assert isinstance(board, SheetBoard)
        options = sheet.options(self.table, turn, board)
        self.draw(state, option_scores=options)
        name = state.seats[state.player].name
        throws_left = self.table.ruleset.rolls - turn.throws
        if throws_left:
            keep = self._held(name, turn, throws_left)
            if keep is not None:
                return Roll() if keep == turn.kept else Keep(keep)
            self.draw(state, option_scores=options)
        return self._cell(name, state, turn, board, options, may_go_back=throws_left > 0)

    def _held(self, name: str, turn: SheetTurn, throws_left: int) -> Positions | None:
        """The dice to hold for the next throw; None to write a cell now."""
        question = plural(
            "{name}, which dice do you keep? {count} throw left",
            "{name}, which dice do you keep? {count} throws left",
            throws_left,
        ).format(name=name, count=throws_left)

        def said(positions: Positions) -> str:
            others = len(turn.dice) - len(positions)
            if not others:
                return _("Enter: write a cell")
            text = plural(
                "Enter: throw the other {count} die; w: write a cell",
                "Enter: throw the other {count} dice; w: write a cell",
                others,
            )
            return text.format(count=others)

        kept = self._pick(question, turn.dice, turn.kept, said, lambda ticked: True, {"w": None})
        return None if kept is None or len(kept) == len(turn.dice) else kept

    def _cell(
        self,
        name: str,
        state: State,
        turn: SheetTurn,
        board: SheetBoard,
        options: Sequence[Option],
        *,
        may_go_back: bool,
    ) -> Action | None:
        table = self.table
        assert isinstance(table, SheetTable)
        choices: list[tuple[str, Any, str | None]] = [
            (f"{part_label(table.ruleset.cells, option.cell)}  {_worth(option)}", Write(option.cell), None)
            for option in options
            if option.legal
        ]
        if may_go_back:
            choices.append((_("Throw again instead"), None, None))
        suggestion = cell_for_me(table, turn, board)
        seconds = table.ruleset.after_last_roll.choose_for_me_after
        clock = None
        if self.clock and seconds and not may_go_back:
            cell = part_label(table.ruleset.cells, suggestion.cell)
            clock = (
                seconds,
                Write(suggestion.cell),
                _("{cell} is written in {seconds} s; any key stops the clock"),
                cell,
            )
        best = next(at for at, choice in enumerate(choices) if choice[1] == Write(suggestion.cell))
        chosen: Action | None = self._choose(_("{name}, which cell?").format(name=name), choices, best, clock)
        return chosen

    def _legal(self, state: State, action: Action) -> bool:
        return game.check(self.table, state, action) is None

    def _pick(
        self,
        question: str,
        dice: Dice,
        ticked: Positions,
        said: Callable[[Positions], str],
        allowed: Callable[[Positions], bool],
        keys: dict[str, Any] | None = None,
    ) -> Any:
        """The places of the ticked dice; typing a face ticks a die that shows it, or takes the ticks back."""
        choices = [questionary.Choice(self.glyph(face), value=at, checked=at in ticked) for at, face in enumerate(dice)]

        def check(values: Any) -> bool | str:
            places = tuple(sorted(values))
            return allowed(places) or said(places)

        asked = questionary.checkbox(
            question,
            choices=choices,
            pointer=">",
            instruction=_("(type faces, or arrows and space; then Enter)"),
            validate=check,
            **self._look(),
        )
        control = _control(asked.application)

        def toggle(face: int) -> None:
            places = [at for at, shown in enumerate(dice) if shown == face]
            free = [at for at in places if at not in control.selected_options]
            if free:
                control.selected_options.append(free[0])
            else:
                control.selected_options = [at for at in control.selected_options if at not in places]

        bindings: Any = asked.application.key_bindings
        for face in sorted(set(dice)):
            if face <= 9:
                bindings.add(str(face), eager=True)(lambda event, face=face: toggle(face))
        answer = self._ask(asked.application, keys or {}, lambda: said(tuple(sorted(control.selected_options))))
        return tuple(sorted(answer)) if isinstance(answer, list) else answer

    def _choose(
        self,
        question: str,
        choices: Sequence[tuple[str, Any, str | None]],
        first: int = 0,
        clock: tuple[int, Any, str, str] | None = None,
    ) -> Any:
        """The value of one of `choices` (text, value, key); after the clock's seconds, the clock's value."""
        listed = [
            questionary.Choice(f"{text} ({key})" if key else text, value=number)
            for number, (text, _value, key) in enumerate(choices)
        ]
        asked = questionary.select(
            question,
            choices=listed,
            default=listed[first],
            pointer=">",
            instruction=" ",
            use_jk_keys=False,
            **self._look(),
        )
        keys = {key: value for _text, value, key in choices if key}
        answer = self._ask(asked.application, keys, None, clock)
        return choices[answer][1] if type(answer) is int else answer

    def _look(self) -> dict[str, Any]:
        depth = {} if self.console.color else {"color_depth": ColorDepth.DEPTH_1_BIT}
        return {"qmark": "", "erase_when_done": True, **depth, **self.streams}

    def _ask(
        self,
        application: Application[Any],
        keys: dict[str, Any],
        status: Callable[[], str] | None,
        clock: tuple[int, Any, str, str] | None = None,
    ) -> Any:
        """Run a question with the keys that every question has, a line of status, and maybe a clock."""
        bindings: Any = application.key_bindings
        seconds = [clock[0] if clock else 0]

        def leave(with_what: Any) -> Callable[[Any], None]:
            return lambda event: event.app.exit(exception=with_what)

        bindings.add("q", eager=True)(leave(Leave()))
        bindings.add("c-d", eager=True)(leave(Leave()))
        bindings.add("?", eager=True)(leave(_Rules()))
        for key, value in keys.items():
            bindings.add(key, eager=True)(lambda event, value=value: event.app.exit(result=value))

        def line() -> str:
            if clock and seconds[0]:
                return clock[2].format(cell=clock[3], seconds=seconds[0])
            return status() if status else ""

        running = Condition(lambda: bool(seconds[0]))
        stopper = KeyBindings()

        @stopper.add(Keys.Any, filter=running)
        def stop(event: object) -> None:
            seconds[0] = 0  # and the key does nothing else

        for key in ("c-c", "c-d", "q"):
            stopper.add(key, filter=running, eager=True)(leave(KeyboardInterrupt() if key == "c-c" else Leave()))
        application.key_bindings = merge_key_bindings([ConditionalKeyBindings(bindings, ~running), stopper])
        bar = ConditionalContainer(Window(FormattedTextControl(line), height=1, style="bold"), filter=~is_done)
        application.layout = Layout(HSplit([application.layout.container, bar]), application.layout.current_window)

        async def count_down() -> None:
            while seconds[0]:
                await asyncio.sleep(1)
                if seconds[0] == 1 and clock:
                    application.exit(result=clock[1])
                    return
                seconds[0] = max(0, seconds[0] - 1)
                application.invalidate()

        def begin() -> None:
            if clock:
                application.create_background_task(count_down())

        return application.run(pre_run=begin)

    def _show_rules(self) -> None:
        self.rich.clear()
        show_pages(self.console, self.rich, rule_sheet(self.table), **self.streams)


def show_pages(console: Console, rich: Rich, lines: Sequence[str], **streams: Any) -> None:
    """Text a screenful at a time; any key goes on."""
    shown = [part for line in lines for part in (Text(line).wrap(rich, rich.width) or [Text("")])]
    room = max(3, rich.height - 2)
    for start in range(0, len(shown), room):
        for part in shown[start : start + room]:
            rich.print(part)
        questionary.press_any_key_to_continue(_("Press a key to go on"), **streams).unsafe_ask()


def choose_game(console: Console, games: Sequence[str], **streams: Any) -> str:
    """One of `games`, from a menu; raises `Leave`."""
    from dicecli.errors import Refused
    from dicecli.store.rulesets import find

    choices = []
    for name in games:
        try:
            table = find(name).table()
        except Refused:
            choices.append(
                questionary.Choice(name, disabled=_("has mistakes: dicecli rules check {name}").format(name=name))
            )
            continue
        choices.append(questionary.Choice(title(table), value=name))
    asked = questionary.select(_("Which game?"), choices=choices, pointer=">", qmark="", use_jk_keys=False, **streams)
    bindings: Any = asked.application.key_bindings
    for key in ("q", "c-d"):
        bindings.add(key, eager=True)(lambda event: event.app.exit(exception=Leave()))
    chosen: str = asked.unsafe_ask()
    return chosen


def _control(application: Application[Any]) -> Any:
    return next(each for each in application.layout.find_all_controls() if isinstance(each, InquirerControl))


def _face_rows(face: int) -> tuple[str, str, str]:
    return _PIPS.get(face, ("     ", f"{face:^5}", "     "))


def _worth(option: Option) -> str:
    return f"{option.score}+{option.extra}" if option.extra else str(option.score)
