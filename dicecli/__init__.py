"""dicecli: a dice-game table for the terminal and a dice tool for scripts; every game is a YAML file.

As a library: `load("farkle")` gives a game's table; `start`, `deal`, `legal`, `check`, `apply`, `totals` and `outcome`
play it; `choose` is the computer's move. Names are looked up when they are first used, so importing costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dicecli.errors import Problem, Refused
    from dicecli.game.game import apply, awaits_chance, check, deal, legal, outcome, start, totals
    from dicecli.game.moves import Announce, Bank, Keep, Roll, Seat, State, TakeOver, Throw, Write
    from dicecli.players.computer import choose
    from dicecli.store.rulesets import load

_PLACES = {
    "dicecli.errors": ("Problem", "Refused"),
    "dicecli.game.game": ("apply", "awaits_chance", "check", "deal", "legal", "outcome", "start", "totals"),
    "dicecli.game.moves": ("Announce", "Bank", "Keep", "Roll", "Seat", "State", "TakeOver", "Throw", "Write"),
    "dicecli.players.computer": ("choose",),
    "dicecli.store.rulesets": ("load",),
}
_MODULES = {name: module for module, names in _PLACES.items() for name in names}

__all__ = [
    "Announce",
    "Bank",
    "Keep",
    "Problem",
    "Refused",
    "Roll",
    "Seat",
    "State",
    "TakeOver",
    "Throw",
    "Write",
    "apply",
    "awaits_chance",
    "check",
    "choose",
    "deal",
    "legal",
    "load",
    "outcome",
    "start",
    "totals",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'dicecli' has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)
