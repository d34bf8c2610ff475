"""What all commands share: the common options, the console, errors to exit codes."""

from __future__ import annotations

import contextlib
import inspect
import os
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from dicecli.errors import BadUsage, Exit, Place, Problem, Refused
from dicecli.ui import i18n
from dicecli.ui.console import Console
from dicecli.ui.i18n import _

Game = Annotated[str, typer.Argument(metavar="GAME", help=_("A game's name, a ruleset file, or - for stdin."))]
House = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help=_("A house rule, such as turn.bank_at_least=300; may be repeated.")
    ),
]
Json = Annotated[bool, typer.Option("--json", help=_("Results and errors as JSON."))]
Seed = Annotated[str | None, typer.Option("--seed", metavar="TEXT", help=_("The same seed gives the same dice."))]

_Plain = Annotated[
    bool, typer.Option("--plain", help=_("Lines only: no boxes, no redraw, for screen readers and logs."))
]
_NoColor = Annotated[bool, typer.Option("--no-color", help=_("No colours."))]
_Quiet = Annotated[bool, typer.Option("-q", "--quiet", help=_("No messages beside results and errors."))]
_Lang = Annotated[str | None, typer.Option("--lang", metavar="CODE", help=_("The language to speak, such as en."))]
_COMMON = {"plain": (_Plain, False), "no_color": (_NoColor, False), "quiet": (_Quiet, False), "lang": (_Lang, None)}

Body = Callable[..., Exit | None]


def command(app: typer.Typer, name: str, *, hidden: bool = False) -> Callable[[Body], Body]:
    """Register a function as a command of `app`: it is called with `console` and its own parameters.

    The common options are added; problems that it raises are reported on stderr, or on stdout with --json.
    """

    def decorate(body: Body) -> Body:
        own = [p for p in inspect.signature(body, eval_str=True).parameters.values() if p.name != "console"]
        common = [
            inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
            for key, (kind, default) in _COMMON.items()
        ]

        def run(**given: Any) -> Exit:
            shared = {key: given.pop(key) for key in _COMMON}
            as_json = bool(given.get("json"))
            return _run(body, shared, given, as_json)

        run.__doc__ = _(body.__doc__ or "")
        run.__annotations__ = {p.name: p.annotation for p in (*own, *common)}
        run.__signature__ = inspect.Signature([*own, *common])  # type: ignore[attr-defined]
        app.command(name, hidden=hidden)(run)
        return body

    return decorate


def _run(body: Body, shared: dict[str, Any], given: dict[str, Any], as_json: bool) -> Exit:
    language = shared.pop("lang")
    console = Console(**shared)
    try:
        _check_texts(given)
        if language is not None:
            _speak(language)
        code = body(console=console, **given) or Exit.DONE
        console.stdout.flush()
        return code
    except Refused as refused:
        report(console, refused, as_json)
        return refused.exit
    except OSError as error:
        return output_failed(error)


def output_failed(error: OSError) -> Exit:
    """What becomes of a command whose output can't be written: nothing more is, not even by Python's own last flush."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):  # whoever read our output has gone
        return Exit.BROKEN_PIPE
    with contextlib.suppress(OSError):
        sys.stderr.write(_("the output can't be written: {reason}").format(reason=error.strerror or error) + "\n")
    return Exit.REFUSED


def _check_texts(given: dict[str, Any]) -> None:
    """Arguments that are no UTF-8 reach Python as text that can't be encoded again; a seed is shown as it is."""
    from dicecli.rules.source import CONTROL

    if isinstance(seed := given.get("seed"), str) and (CONTROL.search(seed) or "\n" in seed):
        raise usage("seed_characters", "--seed")
    for value in given.values():
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and not text.isascii():
                try:
                    text.encode()
                except UnicodeEncodeError:
                    raise BadUsage(Problem("not_utf8")) from None


def _speak(language: str) -> None:
    known = i18n.languages()
    if language not in known:
        params = {"language": language, "languages": ", ".join(known)}
        raise BadUsage(Problem("unknown_language", params, Place(argument="--lang")))
    i18n.use(language)


def report(console: Console, refused: Refused, as_json: bool) -> None:
    """Say what is wrong: every problem on a line of stderr, or one object on stdout."""
    if as_json:
        from dicecli.ui.render import error_object

        console.out(to_json(error_object(refused.problems)))
        return
    from dicecli.ui.messages import located

    for problem in refused.problems:
        console.error(located(problem))


def to_json(value: object) -> str:
    """One line of JSON in ASCII, so that every stream can carry it."""
    import json

    return json.dumps(value)


def new_seed() -> str:
    """128 random bits from the operating system, in hex."""
    return os.urandom(16).hex()


def usage(code: str, argument: str, **params: object) -> BadUsage:
    """A `BadUsage` for an argument of the command line."""
    return BadUsage(Problem(code, params, Place(argument=argument)))
