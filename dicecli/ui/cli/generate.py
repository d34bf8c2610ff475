"""`dicecli generate`: the man page and the completions, made from the commands themselves."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from dicecli.errors import Exit
from dicecli.ui.cli.command import command
from dicecli.ui.console import Console


def register(app: typer.Typer) -> None:
    """Add the hidden command."""
    command(app, "generate", hidden=True)(generate)


def generate(
    console: Console,
    what: Annotated[
        Literal["man", "bash", "zsh", "fish", "reference"], typer.Argument(metavar="man|bash|zsh|fish|reference")
    ],
) -> Exit | None:
    """Write the man page, a shell's completions or the reference of the vocabulary to stdout."""
    if what == "reference":
        from dicecli.ui.cli.reference import reference

        console.out(reference())
        return None
    from dicecli.store.rulesets import names, shipped_folder
    from dicecli.ui.cli.manual import bash, entries_of_all, fish, man, zsh

    write = {"man": man, "bash": bash, "zsh": zsh, "fish": fish}[what]
    console.out(write(list(entries_of_all()), names(shipped_folder())))
    return None
