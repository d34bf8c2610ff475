"""`dicecli rules`: list, show and check rulesets."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from dicecli.errors import Exit, Refused
from dicecli.ui.cli.command import Game, Json, command, to_json
from dicecli.ui.console import Console
from dicecli.ui.i18n import _, plural


def register(above: typer.Typer) -> None:
    """Add the group of commands."""
    app = typer.Typer(help=_("List, read and check the rules of games."), no_args_is_help=True)
    command(app, "list")(list_rules)
    command(app, "show")(show)
    command(app, "check")(check)
    command(app, "path")(path)
    above.add_typer(app, name="rules")


def list_rules(console: Console, json: Json = False) -> Exit | None:
    """List the games there are."""
    from dicecli.store.rulesets import names, read_file, shipped_folder, user_folder

    rows = []
    shipped = names(shipped_folder())
    for folder, own in ((shipped_folder(), False), (user_folder(), True)):
        for name in names(folder):
            hidden = own and name in shipped
            rows.append({"ruleset": name, **_heading(read_file, folder, name), "own": own, "hidden": hidden})
    if json:
        for row in rows:
            console.out(to_json(row))
        return None
    width = max(len(str(row["ruleset"])) for row in rows)
    for row in rows:
        note = ""
        if row["hidden"]:
            note = _("  (yours; hidden by the shipped game of that name: rename the file)")
        elif row["own"]:
            note = _("  (yours)")
        console.out(f"{row['ruleset']:<{width}}  {row['name'] or _('has mistakes: dicecli rules check')}{note}")
    return None


def _heading(read_file: Any, folder: Any, name: str) -> dict[str, Any]:
    from dicecli.ui.render import title

    path = next(p for ending in (".yaml", ".yml") if (p := folder / f"{name}{ending}").exists())
    try:
        table = read_file(path).table()
    except Refused:
        return {"name": None, "family": None}
    return {"name": title(table), "family": table.ruleset.family}


def show(
    console: Console,
    game: Game,
    yaml: Annotated[bool, typer.Option("--yaml", help=_("The ruleset file as it is."))] = False,
) -> Exit | None:
    """Show the rules of a game on one page."""
    from dicecli.store.rulesets import find
    from dicecli.ui.rulesheet import rule_sheet

    source = find(game)
    if yaml:
        console.stdout.flush()
        console.stdout.buffer.write(source.text)
        return None
    for line in rule_sheet(source.table()):
        console.out(line)
    return None


def check(
    console: Console,
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help=_("Ruleset files or names; - is stdin."))],
    json: Json = False,
) -> Exit | None:
    """Check rulesets: every problem with its place, then the examples."""
    from dicecli.ui.messages import located
    from dicecli.ui.render import problem_object

    code = Exit.DONE
    for file in files:
        problems, examples = _check(file)
        if problems:
            code = Exit.REFUSED
        if json:
            objects = [problem_object(problem) for problem in problems]
            console.out(to_json({"file": file, "ok": not problems, "examples": examples, "problems": objects}))
            continue
        for problem in problems:
            console.out(located(problem))
        if not problems:
            text = plural("{file}: good, {count} example holds", "{file}: good, {count} examples hold", examples)
            console.out(text.format(file=file, count=examples))
    return code


def _check(file: str) -> tuple[list[Any], int]:
    from dicecli.rules.examples import failed_examples
    from dicecli.rules.source import read
    from dicecli.store.rulesets import find

    try:
        source = find(file)
        table = source.table()
    except Refused as refused:
        return list(refused.problems), 0
    return failed_examples(table, read(source.text, source.file)), len(table.ruleset.examples)


def path(console: Console) -> Exit | None:
    """Show the folder for your own rulesets."""
    from dicecli.store.rulesets import user_folder

    console.out(str(user_folder()))
    return None
