"""`dicecli generate`: the man page and the completions, made from the commands themselves."""

from __future__ import annotations

import typer


def register(app: typer.Typer) -> None:
    """Add the hidden command."""
