"""The `dicecli` command: its subcommands, and how it starts and ends."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer

from dicecli.errors import Exit
from dicecli.ui import i18n
from dicecli.ui.cli.command import output_failed, to_json
from dicecli.ui.console import accessible
from dicecli.ui.i18n import _

ClickException: Any = typer.BadParameter.__mro__[2]  # what typer raises for arguments it can't read


def _rich_help() -> bool:
    """Whether help may have boxes and colours."""
    plain = {"--plain", "--no-color"} & set(sys.argv) or os.environ.get("NO_COLOR") or accessible()
    if plain or os.environ.get("TERM") == "dumb" or not sys.stdout.isatty():
        return False
    return shutil.get_terminal_size().columns >= 70  # boxes would leave no room for words


COMMANDS = ("play", "score", "roll", "odds", "solve", "advise", "simulate", "rules", "generate")


def make_app(*, rich_help: bool = False, only: str | None = None) -> typer.Typer:
    """The command tree; with `only` one of `COMMANDS`, for a quick start."""
    app = typer.Typer(
        name="dicecli",
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich" if rich_help else None,
        context_settings={"help_option_names": ["-h", "--help"]},
        help=_("A table for dice games, and dice for scripts. Start with: dicecli play"),
    )

    @app.callback(invoke_without_command=True)
    def main(
        context: typer.Context,
        version: Annotated[bool, typer.Option("--version", help=_("Show the version and leave."))] = False,
    ) -> None:
        if version:
            from importlib.metadata import version as installed

            typer.echo(f"dicecli {installed('dicecli')}")
            raise typer.Exit
        if context.invoked_subcommand is None:
            typer.echo(context.get_help())
            raise typer.Exit

    for name in (only,) if only in COMMANDS else COMMANDS:
        import_module(f"dicecli.ui.cli.{name}").register(app)
    return app


def run(arguments: Sequence[str]) -> int:
    """Run the command line and give its exit code; nothing a user can type ends in a traceback."""
    as_json = "--json" in arguments
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # for numpy: threads of so little work wait for each other
    _speak_early(arguments)
    try:
        command: Any = typer.main.get_command(make_app(rich_help=_rich_help(), only=next(iter(arguments), None)))
        with command.make_context("dicecli", list(arguments)) as context:
            code = command.invoke(context)
        sys.stdout.flush()
        return int(code or Exit.DONE)
    except typer.Exit as leaving:
        return leaving.exit_code if _flushed() else Exit.REFUSED
    except ClickException as wrong:
        _usage(wrong, as_json)
        return Exit.USAGE
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except OSError as error:
        return output_failed(error)


def _speak_early(arguments: Sequence[str]) -> None:
    """Help speaks the language that is asked for, so it has to be known before the commands are made."""
    for word, following in zip(arguments, [*arguments[1:], ""], strict=False):
        language = following if word == "--lang" else word.removeprefix("--lang=")
        if word.startswith("--lang") and language in i18n.languages():
            i18n.use(language)


def _flushed() -> bool:
    """Whether help or the version could be written."""
    try:
        sys.stdout.flush()
    except OSError as error:
        output_failed(error)
        return False
    return True


def _usage(wrong: Any, as_json: bool) -> None:
    """What typer could not read in the arguments, and where the help is."""
    said = wrong.format_message()
    if as_json:
        typer.echo(to_json({"error": {"code": "usage", "message": said, "at": None}}))
        return
    typer.echo(said, err=True)
    if wrong.ctx is not None:
        path = wrong.ctx.command_path
        typer.echo(_("Help: {command} --help").format(command=path), err=True)
