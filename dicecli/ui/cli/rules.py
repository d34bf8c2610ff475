"""`dicecli rules`: list, show and check rulesets."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from dicecli.errors import Exit, Problem, Refused, near
from dicecli.ui.cli.command import Game, House, Json, command, to_json, usage
from dicecli.ui.console import Console
from dicecli.ui.i18n import _, plural


def register(above: typer.Typer) -> None:
    """Add the group of commands."""
    app = typer.Typer(help=_("List, read and check the rules of games."), no_args_is_help=True)
    command(app, "list")(list_rules)
    command(app, "show")(show)
    command(app, "check")(check)
    command(app, "diff")(diff)
    command(app, "new")(new)
    command(app, "edit")(edit)
    command(app, "schema")(schema)
    command(app, "path")(path)
    above.add_typer(app, name="rules")


def list_rules(console: Console, json: Json = False) -> Exit | None:
    """List the games there are."""
    from dicecli.store.rulesets import names, shipped_folder, user_folder

    rows = []
    shipped = names(shipped_folder())
    for folder, own in ((shipped_folder(), False), (user_folder(), True)):
        for name in names(folder):
            hidden = own and name in shipped
            rows.append({"ruleset": name, **_heading(folder, name), "own": own, "hidden": hidden})
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
        faulty = _("has mistakes: dicecli rules check {name}").format(name=row["ruleset"])
        console.out(f"{row['ruleset']:<{width}}  {row['name'] or faulty}{note}")
    return None


def _heading(folder: Path, name: str) -> dict[str, Any]:
    from dicecli.store.rulesets import file_of, read_file
    from dicecli.ui.render import title

    file = file_of(folder, name)
    assert file is not None
    try:
        table = read_file(file).table()
    except Refused:
        return {"name": None, "family": None}
    return {"name": title(table), "family": table.ruleset.family}


def show(
    console: Console,
    game: Game,
    yaml: Annotated[bool, typer.Option("--yaml", help=_("The ruleset file as it is."))] = False,
    house: House = None,
    json: Json = False,
) -> Exit | None:
    """Show the rules of a game on one page."""
    from dicecli.rules.fingerprint import fingerprint
    from dicecli.store.rulesets import find
    from dicecli.ui.rulesheet import rule_sheet

    source = find(game, house or ())
    if yaml:
        console.stdout.flush()
        console.stdout.buffer.write(source.text)
        return None
    table = source.table()
    if json:
        record = {"ruleset": table.name, "fingerprint": fingerprint(table.ruleset)}
        console.out(to_json({**record, **msgspec.to_builtins(table.ruleset)}))
    else:
        console.page(rule_sheet(table))
    return None


def check(
    console: Console,
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help=_("Ruleset files or names; - is stdin."))],
    house: House = None,
    json: Json = False,
) -> Exit | None:
    """Check rulesets: every problem with its place, the examples, and what can hardly be meant."""
    from dicecli.ui.messages import located, message
    from dicecli.ui.render import problem_object

    code = Exit.DONE
    for file in files:
        problems, warnings, examples = _check(file, house or [])
        if problems:
            code = Exit.REFUSED
        if json:
            objects, notes = ([problem_object(each) for each in found] for found in (problems, warnings))
            record = {"file": file, "ok": not problems, "examples": examples, "problems": objects, "warnings": notes}
            console.out(to_json(record))
            continue
        for warning in warnings:
            console.out(_("{at}: warning: {text}").format(at=warning.at, text=message(warning)))
        for problem in problems:
            console.out(located(problem))
        if not problems:
            text = plural("{file}: good, {count} example holds", "{file}: good, {count} examples hold", examples)
            console.out(text.format(file=file, count=examples))
    return code


def _check(file: str, house: list[str]) -> tuple[list[Problem], list[Problem], int]:
    from dicecli.rules.compare import lint
    from dicecli.rules.examples import failed_examples
    from dicecli.store.rulesets import find

    try:
        table, node = find(file, house).table_and_node()
    except Refused as refused:
        return list(refused.problems), [], 0
    return failed_examples(table, node), lint(table, node), len(table.ruleset.examples)


def diff(
    console: Console,
    first: Annotated[str, typer.Argument(metavar="GAME", help=_("A game."))],
    second: Annotated[
        str, typer.Argument(metavar="GAME", help=_("The game to compare it with; --set is for this one."))
    ],
    house: House = None,
    json: Json = False,
) -> Exit | None:
    """Show which rolls two rulesets score differently, by how much and how often, and which rules differ."""
    from dicecli.rules.compare import different_rolls, different_rules
    from dicecli.rules.table import SheetTable
    from dicecli.store.rulesets import find
    from dicecli.ui.render import shown, words

    one, other = find(first).table(), find(second, house or ()).table()
    rules = different_rules(one, other)
    rolls = different_rolls(one, other)
    if json:
        differences = [
            {
                "cell": each.about or None,
                "throw": each.throw,
                "scores": [each.first, each.second],
                "share": [each.share.numerator, each.share.denominator],
                "roll": shown(one, each.roll),
            }
            for each in rolls
        ]
        values = [{"rule": rule, "values": [before, after]} for rule, before, after in rules]
        console.out(to_json({"rulesets": [one.name, other.name], "rules": values, "rolls": differences}))
        return None
    for rule, before, after in rules:
        said = (_("nothing") if value is None else to_json(value) for value in (before, after))
        console.out("{rule}: {said}".format(rule=rule, said=_(" against ").join(said)))
    if not rules:
        console.out(_("{first} and {second} have the same rules.").format(first=one.name, second=other.name))
    elif not rolls:
        same = _("Every roll scores the same.")
        console.out(_("On an empty sheet every roll scores the same.") if isinstance(one, SheetTable) else same)
    for each in rolls:
        cell = f"{each.about}: " if each.about else ""
        cell = _("{cell} (throw {throw}): ").format(cell=each.about, throw=each.throw) if each.throw > 1 else cell
        text = _("{cell}{first} against {second} in {share} of all rolls ({percent:.3f} %), such as {roll}")
        roll = words(shown(one, each.roll))
        percent = float(each.share * 100)
        console.out(
            text.format(cell=cell, first=each.first, second=each.second, share=each.share, percent=percent, roll=roll)
        )
    return None


SCHEMA_FILE = "dicecli.schema.json"
_NEW = """\
# yaml-language-server: $schema={schema}
# {name}: house rules on top of {base}. What stands here replaces the same key of {base}; null removes a key.
# To see all of {base}:  dicecli rules show {base} --yaml
# To check this file:    dicecli rules check {name}
extends: {base}
name: {title}
source: >
  House rules on top of {base}.

"""


def new(
    console: Console,
    name: Annotated[str, typer.Argument(metavar="NAME", help=_("What the new game is called."))],
    base: Annotated[str, typer.Option("--from", metavar="GAME", help=_("The game to start from."))] = "farkle",
    json: Json = False,
) -> Exit | None:
    """Write a file for your own rules into your folder; it starts from another game."""
    from dicecli.errors import BadFile, Place
    from dicecli.rules.schema import schema as make_schema
    from dicecli.store.rulesets import find, names, shipped_folder, user_folder

    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,39}", name):
        raise usage("bad_game_name", "NAME", name=name[:40])
    folder = user_folder()
    if name in names(shipped_folder()) or name in names(folder):
        raise usage("name_taken", "NAME", name=name)
    source = find(base)
    source.table()
    file = folder / f"{name}.yaml"
    title = name.replace("_", " ").replace("-", " ").capitalize()
    head = _NEW.format(schema=SCHEMA_FILE, name=name, base=base, title=to_json(title))
    below = [line for line in source.text.decode().splitlines() if not line.startswith(("name:", "extends:", "#"))]
    text = head + "".join(f"# {line}".rstrip() + "\n" for line in below)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / SCHEMA_FILE).write_text(to_json(make_schema()), encoding="utf-8")
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadFile(Problem("not_written", {"reason": error.strerror}, Place(file=str(file)))) from None
    console.out(to_json({"file": str(file)}) if json else str(file))
    return None


def edit(
    console: Console,
    name: Annotated[str, typer.Argument(metavar="NAME", help=_("One of your own games."))],
) -> Exit | None:
    """Open one of your own games in your editor, then check it."""
    from dicecli.store.rulesets import file_of, names, read_file, shipped_folder, user_folder

    if name in names(shipped_folder()):
        raise usage("shipped_game", "NAME", game=name)
    known = names(user_folder())
    if name not in known:
        raise usage("unknown_game", "NAME", game=name[:40], **near(name[:40], known))
    file = file_of(user_folder(), name)
    assert file is not None
    read_file(file)
    editor = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "")
    if not editor or not shutil.which(editor[0]):
        raise usage("no_editor", "EDITOR")
    subprocess.run([*editor, str(file)], check=False)
    return check(console, [name])


def schema(console: Console) -> Exit | None:
    """Write the JSON Schema of rulesets to stdout, for editors that complete and check as you type."""
    import json as library

    from dicecli.rules.schema import schema as make_schema

    console.out(library.dumps(make_schema(), indent=1))
    return None


def path(console: Console, json: Json = False) -> Exit | None:
    """Show the folder for your own rulesets."""
    from dicecli.store.rulesets import user_folder

    console.out(to_json({"path": str(user_folder())}) if json else str(user_folder()))
    return None
