"""The coach at the table: what computers do, hints for people, and the game looked back on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from dicecli.errors import BadUsage, Place, Problem, Refused
from dicecli.game import game
from dicecli.game.moves import Action, SheetBoard, State
from dicecli.players import computer
from dicecli.rules.table import SheetTable, Table
from dicecli.ui.console import Console
from dicecli.ui.i18n import _

if TYPE_CHECKING:
    from dicecli.players.coach import Coach, Review


class Helper:
    """Helps in one game; `record` is every action so far with the state before it, `hints` who asked how often."""

    def __init__(self, table: Table, console: Console) -> None:
        self.table = table
        self.console = console
        self.record: list[tuple[State, Action]] = []
        self.hints: dict[int, int] = {}
        self._coach: Coach | None = None

    def coach(self, state: State) -> Coach:
        """The coach of this game; worked out first, if nobody has needed it before."""
        if self._coach is None:
            from dicecli.ui.coaching import coach_for

            self._coach = coach_for(self.console, self.table, len(state.seats), state.target)
        return self._coach

    def prepare(self, state: State) -> None:
        """Have best play at hand if experts play; raises `Refused` where only guesses can be had."""
        experts = any(seat.computer and seat.strength == "expert" for seat in state.seats)
        if experts and self.coach(state).unit == "guess":
            from dicecli.ui.coaching import no_expert

            raise BadUsage(replace(no_expert(self.table, state.target), at=Place(argument="--strength")))

    def choose(self, state: State) -> Action:
        """What the computer does whose turn it is."""
        strength = state.seats[state.player].strength
        if strength == "easy":
            from dicecli.players import easy

            return easy.choose(self.table, state)
        if strength == "expert":
            from dicecli.players.coach import best

            return best(self.coach(state), state)
        return computer.choose(self.table, state)

    def hinted(self, state: State) -> Coach:
        """The coach, for a person who asks; that is remembered. Raises `Refused` after Ctrl-C."""
        try:
            coach = self.coach(state)
        except KeyboardInterrupt:  # it took too long: that ends the hint, not the game
            raise Refused(Problem("hint_stopped")) from None
        self.hints[state.player] = self.hints.get(state.player, 0) + 1
        return coach

    def hints_text(self, state: State) -> str:
        """Who asked for hints, and how often; empty if nobody."""
        asked = ", ".join(f"{state.seats[player].name} {count}" for player, count in sorted(self.hints.items()))
        return _("With hints: {asked}.").format(asked=asked) if asked else ""

    def reviews(self, end: State) -> list[Review]:
        """The games of all people who played to the end."""
        from dicecli.players.coach import review

        coach = self.coach(end)
        people = [player for player, seat in enumerate(end.seats) if not seat.computer]
        return [review(self.table, coach, self.record, player, self._result(coach, end, player)) for player in people]

    def _result(self, coach: Coach, end: State, player: int) -> float:
        """What the game brought a player, in the coach's unit."""
        outcome = game.outcome(self.table, end)
        assert outcome
        if coach.unit == "chance":
            return (1.0 if len(outcome.winners) == 1 else 0.5) if player in outcome.winners else 0.0
        if coach.unit == "turns":
            return -float(end.round)
        board = end.boards[player]
        if isinstance(self.table, SheetTable) and isinstance(board, SheetBoard):  # the coach knows of no game points
            return self.table.score(board.sheet, board.extras) * (-1 if self.table.ruleset.end.win == "lowest" else 1)
        return outcome.totals[player]
