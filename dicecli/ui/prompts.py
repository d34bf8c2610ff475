"""The interactive table: dice drawn, sheets and totals in view, questions answered with a key or two."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import questionary
from prompt_toolkit.application import Application
from prompt_toolkit.filters import Condition, is_done, to_filter
from prompt_toolkit.key_binding import ConditionalKeyBindings, KeyBindings, merge_key_bindings
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import (
    ConditionalContainer,
    Dimension,
    FormattedTextControl,
    HSplit,
    Layout,
    VerticalAlign,
    Window,
)
from prompt_toolkit.output import ColorDepth
from questionary.prompts.common import InquirerControl
from rich.console import Console as Rich
from rich.text import Text

from dicecli.errors import BadMove, Refused
from dicecli.game import bank, game, sheet
from dicecli.game.moves import (
    AccumulateTurn,
    Action,
    Announce,
    Bank,
    BankTurn,
    BonusEarned,
    Event,
    GameEnded,
    HotDice,
    Keep,
    LastRound,
    LostAll,
    LostTurn,
    NothingScores,
    Overshot,
    Penalty,
    Roll,
    SheetBoard,
    SheetTurn,
    State,
    TakeOver,
    Thrown,
    TurnStarted,
    Write,
)
from dicecli.players.computer import cell_for_me
from dicecli.rules.patterns import Dice, Positions
from dicecli.rules.table import BankTable, Option, SheetTable, Table
from dicecli.ui.console import Console, folded
from dicecli.ui.helper import Helper
from dicecli.ui.i18n import _, plural
from dicecli.ui.lines import heading, left_text, seed_text, sentence, sheet_lines
from dicecli.ui.messages import message
from dicecli.ui.play import Leave
from dicecli.ui.render import cell_label, shown, title, words
from dicecli.ui.rulesheet import rule_sheet
from dicecli.ui.screen import Screen
from dicecli.ui.tell import event_text

BESIDE_HINTS = 8  # rows for what is said around the choices of a hint
PAUSE = 0.8  # seconds to read what has happened


class _Redraw(Exception):  # noqa: N818 - the window has another size
    """The table has to be drawn anew."""


class _Read(Exception):  # noqa: N818 - a wish of the player
    """The player wants to read something: the rules or the sheets."""

    def __init__(self, lines: Callable[[], list[str]]) -> None:
        self.lines = lines


LOUD = (LostTurn, LostAll, HotDice, LastRound, NothingScores, Penalty, Overshot, BonusEarned)  # shown on their own
RESERVED = ("q", "s", "h", "?", " ", "a", "i")  # keys that every question has
_LINE = object()  # the value of a choice that is only to be read


class _Done:
    """A question answered by a key of its own."""

    def __init__(self, actions: list[Action]) -> None:
        self.actions = actions


class _Clock:
    """Seconds that run down; then `action` is done for the player."""

    def __init__(self, seconds: int, action: Action, text: Callable[[int], str]) -> None:
        self.left = seconds
        self.ran_down = False
        self.action = action
        self.text = text

    def stop(self) -> None:
        """The player is there."""
        self.left = 0

    def tick(self) -> bool:
        """A second has gone by; whether it was the last, and nobody had stopped the clock."""
        was = self.left
        self.left = max(0, was - 1)
        self.ran_down = was == 1
        return self.ran_down


class Prompts:
    """Plays a game at a terminal."""

    def __init__(
        self,
        table: Table,
        console: Console,
        helper: Helper,
        *,
        clock: bool = False,
        note: str = "",
        review: bool = False,
    ) -> None:
        self.table = table
        self.console = console
        self.helper = helper
        self.review = review
        self.clock = clock
        self.screen = Screen(table, console)
        # The table is drawn from the top, so nothing has to ask the terminal where the cursor is (and wait for it).
        os.environ.setdefault("PROMPT_TOOLKIT_NO_CPR", "1")
        self.next: list[Action] = []
        self.state: State | None = None
        self.ticks: Positions | None = None  # what was ticked before a question was broken off
        self.stopped = False  # the clock, for the rest of the turn
        self.note = note
        self.asks_cell = False

    # What people are told

    def begin(self, state: State) -> None:
        """The game, the players, and the seed's fingerprint."""
        self.screen.log = [*heading(self.table, state), *([self.note] if self.note else [])]
        self._quiet_keys()

    def _quiet_keys(self) -> None:
        """Keys that are pressed while nothing is asked shall not show on the table."""
        with contextlib.suppress(Exception):  # no real terminal, or not that kind of system
            import atexit
            import termios

            stream = self.console.stdin.fileno()
            before = termios.tcgetattr(stream)
            now = termios.tcgetattr(stream)
            now[3] &= ~(termios.ECHO | termios.ICANON)
            termios.tcsetattr(stream, termios.TCSANOW, now)
            atexit.register(termios.tcsetattr, stream, termios.TCSANOW, before)
            signal.signal(signal.SIGTERM, lambda *_args: sys.exit(128 + signal.SIGTERM))

    def _pause(self) -> None:
        """Time to read; keys pressed meanwhile are no answer to what is asked next."""
        time.sleep(PAUSE)
        with contextlib.suppress(Exception):
            import termios

            termios.tcflush(self.console.stdin.fileno(), termios.TCIFLUSH)

    def tell(self, state: State, events: tuple[Event, ...]) -> None:
        """What happened goes into the log that stays in view; what a computer does is shown as it happens."""
        thrown: Dice | None = None
        for event in events:
            if isinstance(event, TurnStarted):
                self.stopped = False
                continue
            self.screen.log.append(event_text(self.table, state.seats, event))
            if isinstance(event, Thrown):
                thrown = event.dice
            if not isinstance(event, GameEnded) and (isinstance(event, LOUD) or state.seats[event.player].computer):
                self.screen.draw(state, thrown=thrown)
                self._pause()

    def left(self, state: State) -> None:
        """Where the game stood."""
        self.console.out(left_text(self.table, state))

    def end(self, state: State) -> None:
        """The last sheet, who won, the seed, which proves the dice, and the game looked back on for who wants that."""
        hints = self.helper.hints_text(state)
        self.screen.draw(state, rows=4 + bool(hints))
        self.console.out(seed_text(state))
        if hints:
            self.console.out(hints)
        if self.review or _key(_("v: look back on the game; any other key leaves")) == "v":
            self._review(state)

    def _review(self, state: State) -> None:
        from dicecli.ui.coaching import review_lines

        coach = self.helper.coach(state)
        for review in self.helper.reviews(state):
            name = state.seats[review.player].name
            show_pages(self.screen.rich, review_lines(self.table, coach, name, review))

    def _hint(self, state: State) -> list[str]:
        """What every choice is worth, as many as fit on the screen; of choices beside a cell only the best."""
        from dicecli.ui.coaching import advice_lines

        try:
            coach = self.helper.hinted(state)
        except Refused as refused:
            return [sentence(message(problem)) for problem in refused.problems]
        self.screen.hints = True
        choices = coach.choices(state)
        if self.asks_cell:
            choices = [*choices[:1], *(each for each in choices[1:] if isinstance(each[0], (Write, Announce)))]
        return advice_lines(self.table, state, coach, choices, max(3, self.screen.rich.height - BESIDE_HINTS))

    # What people say

    def decide(self, state: State) -> Action:
        """Ask the player until there is a legal action; `?` shows the rules, `q` raises `Leave`."""
        if state != self.state:
            self.state, self.ticks = state, None
        while not self.next:
            try:
                if isinstance(self.table, BankTable):
                    assert isinstance(state.turn, BankTurn)
                    self.next = self._decide_bank(self.table, state, state.turn)
                elif isinstance(self.table, SheetTable):
                    assert isinstance(state.turn, SheetTurn)
                    self.next = self._decide_sheet(self.table, state, state.turn)
                else:
                    self.next = self._stop_or_go(state)
            except _Redraw:
                continue
            except _Read as wish:
                show_pages(self.screen.rich, wish.lines())
        return self.next.pop(0)

    def _decide_bank(self, table: BankTable, state: State, turn: BankTurn) -> list[Action]:
        name = state.seats[state.player].name
        if turn.stage != "keep":
            return self._stop_or_go(state)
        keeps = bank.keeps(table, turn)

        def said(positions: Positions) -> str:
            keep = keeps.get(tuple(sorted(turn.dice[at] for at in positions)))
            if keep:
                points = turn.points + keep.score
                text = _("{dice} = {score}. Enter").format(dice=words(shown(table, keep.dice)), score=keep.score)
                also = ((Roll(), _("r: and roll")), (Bank(), _("b: and bank {points}").format(points=points)))
                may = [said for action, said in also if not self._refusal(state, [Keep(positions), action])]
                return _(", or ").join([text, ", ".join(may)]) if may else text
            if positions:
                problem = game.check(table, state, Keep(positions))
                return message(problem) if problem else ""
            best = next(iter(keeps.values()))
            return _("For example {dice} = {score}").format(dice=words(shown(table, best.dice)), score=best.score)

        def legal(ticked: Positions) -> bool:
            return game.check(table, state, Keep(ticked)) is None

        def then(action: Action) -> Callable[[Positions], list[Action] | None]:
            return lambda ticked: None if self._refusal(state, [Keep(ticked), action]) else [Keep(ticked), action]

        question = _("{name}, set aside which dice?").format(name=name)
        self.screen.draw(state, rows=self.screen.rows_for(question, len(turn.dice), said(())))
        return self._pick(
            question,
            turn.dice,
            (),
            said,
            lambda ticked: [Keep(ticked)] if legal(ticked) else None,
            {"r": then(Roll()), "b": then(Bank())},
        )

    def _stop_or_go(self, state: State) -> list[Action]:
        """Throw (again), bank, or take over what was left: as far as each is allowed now."""
        assert isinstance(state.turn, (BankTurn, AccumulateTurn))
        count = len(game.hand(self.table, state))
        again = plural("Throw {count} die", "Throw {count} dice", count).format(count=count)
        wishes: list[tuple[str, Any, str | None]] = [
            (again, Roll(), "r"),
            (_("Bank {points}").format(points=state.turn.points), Bank(), "b"),
        ]
        if state.left:
            take = plural("Take {count} die with {points}", "Take {count} dice with {points}", len(state.left.hand))
            wishes.append((take.format(count=len(state.left.hand), points=state.left.points), TakeOver(), "t"))
        choices = [wish for wish in wishes if game.check(self.table, state, wish[1]) is None]
        self.screen.draw(state, rows=5)
        name = state.seats[state.player].name
        return [self._choose(_("{name}, what now?").format(name=name), choices)]

    def _refusal(self, state: State, actions: Sequence[Action]) -> str:
        """Why the actions may not be done one after the other; empty if they may."""
        try:
            for action in actions:
                state, _events = game.apply(self.table, state, action)
        except BadMove as refused:
            return message(refused.problems[0])
        return ""

    def _decide_sheet(self, table: SheetTable, state: State, turn: SheetTurn) -> list[Action]:
        board = state.boards[state.player]
        assert isinstance(board, SheetBoard)
        options = sheet.options(table, turn, board)
        name = state.seats[state.player].name
        throws_left = turn.rolls - turn.throws
        self.asks_cell = False
        if throws_left:
            actions = self._hold(name, state, table, turn, options)
            if actions:
                return actions
        return self._cell(state, table, turn, board, options, may_go_back=throws_left > 0)

    def _hold(
        self, name: str, state: State, table: SheetTable, turn: SheetTurn, options: Sequence[Option]
    ) -> list[Action]:
        """Which dice to hold for the next throw; nothing to write or announce a cell now."""
        throws_left = turn.rolls - turn.throws
        writing = _("w: write or announce a cell") if table.announced else _("w: write a cell")
        question = plural(
            "{name}, keep which dice? {count} throw left",
            "{name}, keep which dice? {count} throws left",
            throws_left,
        ).format(name=name, count=throws_left)

        def said(positions: Positions) -> str:
            others = len(turn.dice) - len(positions)
            if not others:
                return _("Enter: write a cell")
            if refusal := self._refusal(state, throwing(positions)):
                return f"{refusal}; {writing}"
            text = plural("Enter: throw the other die; {w}", "Enter: throw the other {count} dice; {w}", others)
            return text.format(count=others, w=writing)

        def throwing(ticked: Positions) -> list[Action]:
            return [Roll()] if ticked == turn.kept else [Keep(ticked), Roll()]

        def hold(ticked: Positions) -> list[Action] | None:
            if len(ticked) == len(turn.dice):
                return []
            return None if self._refusal(state, throwing(ticked)) else throwing(ticked)

        self.screen.draw(state, rows=self.screen.rows_for(question, len(turn.dice), said(())), options=options)

        return self._pick(question, turn.dice, turn.kept, said, hold, {"w": lambda ticked: [], "r": hold})

    def _cell(
        self,
        state: State,
        table: SheetTable,
        turn: SheetTurn,
        board: SheetBoard,
        options: Sequence[Option],
        *,
        may_go_back: bool,
    ) -> list[Action]:
        """Which cell to write, chosen on the sheet itself; nothing to think again about throwing."""
        self.asks_cell = True
        heading, *rows = self.screen.rows(state, table, options)
        legal = {option.cell for option in options if option.legal}
        choices: list[tuple[str, Any, str | None]] = [
            (text, Write(cell) if cell in legal else _LINE, None) for text, cell in rows
        ]
        for cell in (name for name in table.cells if name in table.announced):
            if game.check(table, state, Announce(cell)) is None:
                choices.append((_("Announce {cell}").format(cell=cell_label(table, cell)), Announce(cell), None))
        if may_go_back:
            choices.append((_("Throw again instead"), None, None))
        suggestion = cell_for_me(table, turn, board)
        seconds = table.ruleset.after_last_roll.choose_for_me_after
        clock = None
        if self.clock and seconds and not may_go_back and suggestion and not self.stopped:
            said = cell_label(table, suggestion.cell)
            text = _("{cell} is written in {seconds} s; any key stops the clock")
            clock = _Clock(seconds, Write(suggestion.cell), lambda left: text.format(cell=said, seconds=left))
        wished = Write(suggestion.cell) if suggestion else None
        best = next((at for at, choice in enumerate(choices) if choice[1] == wished), 0)
        best = best if choices[best][1] is not _LINE else next(at for at, c in enumerate(choices) if c[1] is not _LINE)
        self.screen.draw(state, rows=min(len(choices), self.screen.rich.height - 5) + 3, board=False)
        question = _("{name}, which cell?").format(name=state.seats[state.player].name)
        chosen = self._choose(f"{question}\n   {heading[0]}", choices, best, clock)
        if clock and clock.ran_down:
            self.screen.log.append(_("Time is up: the computer has chosen."))
        return [] if chosen is None else [chosen]

    def _pick(
        self,
        question: str,
        dice: Dice,
        ticked: Positions,
        said: Callable[[Positions], str],
        accept: Callable[[Positions], list[Action] | None],
        keys: dict[str, Callable[[Positions], list[Action] | None]],
    ) -> list[Action]:
        """What `accept` (or a key) makes of the ticked dice, once it is not None.

        Typing a face ticks a die that shows it, or takes the ticks back when all of them are ticked.
        """

        if self.ticks is not None:
            ticked = self.ticks

        def places(values: Sequence[Any]) -> Positions:
            return tuple(sorted(values))

        asked = questionary.checkbox(
            question,
            choices=[
                questionary.Choice(self.screen.glyph(face), value=at, checked=at in ticked)
                for at, face in enumerate(dice)
            ],
            pointer=">",
            instruction=_("(type faces; Enter)") if self.screen.rich.width >= 70 else " ",
            validate=lambda values: accept(places(values)) is not None or said(places(values)),
            **self._look(),
        )
        control = _control(asked.application)

        def toggle(face: int) -> None:
            showing = [at for at, shown in enumerate(dice) if shown == face]
            free = [at for at in showing if at not in control.selected_options]
            if free:
                control.selected_options.append(free[0])
            else:
                control.selected_options = [at for at in control.selected_options if at not in showing]

        def press(key: str) -> Callable[[Any], None]:
            def pressed(event: Any) -> None:
                actions = keys[key](places(control.selected_options))
                if actions is not None:
                    event.app.exit(result=_Done(actions))

            return pressed

        bindings: Any = asked.application.key_bindings
        for face in sorted(set(dice)):
            key = str(self.table.faces.show(face))
            if len(key) == 1 and key not in (*RESERVED, *keys):
                bindings.add(key, eager=True)(lambda event, face=face: toggle(face))
        for key in keys:
            bindings.add(key, eager=True)(press(key))
        try:
            answer = self._ask(asked.application, lambda: said(places(control.selected_options)))
        except (_Read, _Redraw):
            self.ticks = places(control.selected_options)
            raise
        actions = answer.actions if isinstance(answer, _Done) else accept(places(answer))
        assert actions is not None
        return list(actions)

    def _choose(
        self,
        question: str,
        choices: Sequence[tuple[str, Any, str | None]],
        first: int = 0,
        clock: _Clock | None = None,
    ) -> Any:
        """The value of one of `choices` (text, value, key), or the clock's when its time is up."""
        listed = [
            questionary.Separator(text)
            if value is _LINE
            else questionary.Choice(f"{text} ({key})" if key else text, value=number)
            for number, (text, value, key) in enumerate(choices)
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
        bindings: Any = asked.application.key_bindings
        for number, (_text, _value, key) in enumerate(choices):
            if key:
                bindings.add(key, eager=True)(lambda event, number=number: event.app.exit(result=number))
        hint = _("Enter: take it")
        answer = self._ask(
            asked.application, lambda: clock.text(clock.left) if clock and clock.left else hint, clock, rows_beside=5
        )
        return clock.action if answer is None and clock else choices[answer][1]

    def _look(self) -> dict[str, Any]:
        depth = {} if self.console.color else {"color_depth": ColorDepth.DEPTH_1_BIT}
        return {"qmark": "", "erase_when_done": True, **depth}

    def _ask(
        self,
        application: Application[Any],
        status: Callable[[], str],
        clock: _Clock | None = None,
        rows_beside: int = 4,
    ) -> Any:
        """Run a question with the keys that every question has, a line of status, and maybe a clock (then None)."""
        bindings: Any = application.key_bindings

        def leave(wish: BaseException) -> Callable[[Any], None]:
            return lambda event: event.app.exit(exception=wish)

        wishes: list[tuple[str, BaseException]] = [("q", Leave()), ("c-d", Leave())]
        state = self.state
        assert state is not None
        texts = [
            ("?", _Read(lambda: rule_sheet(self.table))),
            ("s", _Read(lambda: sheet_lines(self.table, state))),
            ("h", _Read(lambda: self._hint(state))),
        ]
        for key, wish in (*wishes, *texts):
            bindings.add(key, eager=True)(leave(wish))
        if clock:
            running = Condition(lambda: clock.left > 0)
            stopper: Any = KeyBindings()
            # The key that stops the clock does nothing else.
            stopper.add(Keys.Any, filter=running, eager=True)(lambda event: clock.stop())
            for key, wish in (*wishes, ("c-c", KeyboardInterrupt())):
                stopper.add(key, filter=running, eager=True)(leave(wish))
            application.key_bindings = merge_key_bindings([ConditionalKeyBindings(bindings, ~running), stopper])
        line = _said(status, "bold")
        bar = ConditionalContainer(line, filter=~is_done)
        for window in application.layout.find_all_windows():
            window.dont_extend_height = to_filter(True)
            if isinstance(window.content, InquirerControl):  # a long list scrolls before it hides the totals
                window.height = Dimension(max=max(3, self.screen.rich.height - rows_beside))
        whole = HSplit([application.layout.container, bar], align=VerticalAlign.TOP)
        application.layout = Layout(whole, application.layout.current_window)

        async def count_down() -> None:
            while clock and clock.left:
                await asyncio.sleep(1)
                if clock.tick():
                    application.exit(result=None)
                application.invalidate()

        size = application.output.get_size()

        def resized(_application: object) -> None:
            if application.output.get_size() != size and application.future and not application.future.done():
                application.exit(exception=_Redraw())

        def begin() -> None:
            application.after_render += resized
            if clock:
                application.create_background_task(count_down())

        try:
            return application.run(pre_run=begin)
        finally:
            self.stopped = self.stopped or bool(clock and not clock.left)


def show_pages(rich: Rich, lines: Sequence[str]) -> None:
    """Text a screenful at a time; any key goes on, q ends it; raises `Leave` at the end of the input."""
    shown = [part for line in lines for part in folded(line, rich.width)]
    room = max(3, rich.height - 2)
    for start in range(0, len(shown), room):
        rich.clear()
        for part in shown[start : start + room]:
            rich.print(Text(part))
        if _key(_("Press a key to go on")) == "q":
            return


def _said(text: Callable[[], str], style: str = "") -> Window:
    """A text in as many lines as it needs."""
    control = FormattedTextControl(lambda: "\n".join(folded(text(), shutil.get_terminal_size().columns)))
    return Window(control, wrap_lines=True, dont_extend_height=True, style=style)


def _key(text: str) -> str:
    """The key that is pressed."""
    bindings: Any = KeyBindings()
    bindings.add(Keys.Any, eager=True)(lambda event: event.app.exit(result=event.key_sequence[0].data))
    bindings.add("c-d", eager=True)(lambda event: event.app.exit(exception=Leave()))
    bindings.add("c-c", eager=True)(lambda event: event.app.exit(exception=KeyboardInterrupt()))
    line = _said(lambda: text)
    application: Application[str] = Application(Layout(line), key_bindings=bindings, erase_when_done=True)
    return application.run()


def choose_game(console: Console, games: Sequence[str]) -> str:
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
        shown = title(table)
        both = shown if shown.lower() == name else f"{shown} ({name})"
        fits = len(both) + 4 <= shutil.get_terminal_size().columns  # with the pointer
        choices.append(questionary.Choice(both if fits else name, value=name))
    asked = questionary.select(_("Which game? (q leaves)"), choices=choices, pointer=">", qmark="", use_jk_keys=False)
    bindings: Any = asked.application.key_bindings
    for key in ("q", "c-d"):
        bindings.add(key, eager=True)(lambda event: event.app.exit(exception=Leave()))
    chosen: str = asked.unsafe_ask()
    return chosen


def _control(application: Application[Any]) -> Any:
    return next(each for each in application.layout.find_all_controls() if isinstance(each, InquirerControl))
