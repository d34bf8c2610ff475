"""`dicecli play`: a game at the terminal, or line by line."""

from __future__ import annotations

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
