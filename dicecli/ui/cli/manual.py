"""The man page and the completions, made from the commands themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import typer

from dicecli.ui.cli.app import make_app

GAME_ARGUMENTS = ("GAME", "[GAME]", "WHAT", "FILE...")


class Option(NamedTuple):
    """An option: its names, what its value is called (if it takes one), its help."""

    names: tuple[str, ...]
    value: str | None
    help: str


class Entry(NamedTuple):
    """A command: its words after `dicecli`, its help, its arguments with their help, its options."""

    path: tuple[str, ...]
    help: str
    arguments: tuple[tuple[str, str], ...]
    options: tuple[Option, ...]


def entries_of_all() -> Iterator[Entry]:
    """Every command that isn't hidden, `dicecli` itself first."""

    def walk(found: Any, path: tuple[str, ...], above: Any = None) -> Iterator[Entry]:
        context = found.make_context("dicecli", [], parent=above, resilient_parsing=True)
        params = found.get_params(context)
        yield Entry(
            path,
            (found.help or "").strip(),
            tuple((p.make_metavar(context), p.help or "") for p in params if p.param_type_name == "argument"),
            tuple(
                Option(tuple(sorted(p.opts, key=len)), None if p.is_flag else p.make_metavar(context), p.help or "")
                for p in params
                if p.param_type_name == "option"
            ),
        )
        for name, inner in getattr(found, "commands", {}).items():
            if not inner.hidden:
                yield from walk(inner, (*path, name), context)

    yield from walk(typer.main.get_command(make_app()), ())


# Man page


def man(entries: list[Entry], games: list[str]) -> str:
    """The man page, in roff."""
    from importlib.metadata import version

    top = entries[0]
    leaves = [entry for entry in entries[1:] if not _is_group(entry, entries)]
    common = [option for option in leaves[0].options if all(option in entry.options for entry in leaves)]
    lines = [
        f'.TH DICECLI 1 "" "dicecli {version("dicecli")}" "User Commands"',
        ".SH NAME",
        r"dicecli \- a table for dice games, and dice for scripts",
        ".SH SYNOPSIS",
    ]
    for entry in leaves:
        arguments = " ".join(rf"\fI{_roff(metavar)}\fR" for metavar, _help in entry.arguments)
        lines += [".br", rf"\fBdicecli {_roff(' '.join(entry.path))}\fR [\fIoptions\fR] {arguments}".rstrip()]
    lines += [".SH DESCRIPTION", *_paragraphs(_DESCRIPTION.format(games=", ".join(games)))]
    lines.append(".SH COMMANDS")
    for entry in leaves:
        lines += [f".SS dicecli {_roff(' '.join(entry.path))}", _roff(entry.help)]
        for metavar, text in entry.arguments:
            lines += [".TP", rf"\fI{_roff(metavar)}\fR", _roff(text)]
        for option in entry.options:
            if option not in common:
                lines += _man_option(option)
    lines += [".SH COMMON OPTIONS"]
    for option in (*common, *(option for option in top.options if option not in common)):
        lines += _man_option(option)
    for heading, text in _SECTIONS:
        lines += [f".SH {heading}", *_paragraphs(text)]
    return "\n".join(lines)


def _is_group(entry: Entry, entries: list[Entry]) -> bool:
    return any(other.path[:-1] == entry.path and other is not entry for other in entries)


def _man_option(option: Option) -> list[str]:
    names = ", ".join(rf"\fB{_roff(name)}\fR" for name in option.names)
    return [".TP", names + (rf" \fI{_roff(option.value)}\fR" if option.value else ""), _roff(option.help)]


def _paragraphs(text: str) -> Iterator[str]:
    """Paragraphs are parted by blank lines; a line `term: text` that begins with two blanks is a list entry."""
    for block in text.strip("\n").split("\n\n"):
        yield ".PP"
        for line in block.split("\n"):
            if line.startswith("  "):
                term, _colon, said = line.strip().partition(":  ")
                yield from (".TP", rf"\fB{_roff(term)}\fR", _roff(said))
            else:
                yield _roff(line)


def _roff(text: str) -> str:
    escaped = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq").replace("`", r"\(ga")
    return r"\&" + escaped if escaped.startswith(".") else escaped


_DESCRIPTION = """
Plays dice games at the terminal and scores and throws dice for scripts.
The rules of every game are a YAML file; you can write your own. These come with the program: {games}.

Rules can be changed for one run with --set, as in --set turn.bank_at_least=300, or for good in a file of your own:
dicecli rules new NAME --from GAME makes one to start from.

Where GAME is asked for, it is the name of a game that comes with the program, the name of a file in your own folder
of rulesets (see dicecli rules path), the path of a ruleset file, or - to read the ruleset from stdin.
"""

_SECTIONS = [
    (
        "PLAYING",
        """
At a terminal, dice are chosen by typing their faces, or with arrows and space; Enter goes on.
In every question ? shows the rules, s the sheets, h what every choice is worth, and q leaves the game.
Without a terminal, or with \\-\\-plain, a game reads one command a line from stdin:

  keep 1 5:  set dice aside (or hold them) by their faces; keep #1 #4 by their places; keep none holds none
  roll:  throw the other dice
  bank:  bank the points of the turn
  write fours:  write the dice into a cell; on a sheet of columns with the column first, as in write down fours
  announce CELL:  name the cell that the turn will be written into, in games that ask for it
  take:  go on with the dice and points that the player before has left, in games that allow it
  sheet:  show every player's points
  hint:  show what every choice is worth; the game then says so at its end
  rules:  show the rules
  help:  show these commands
  quit:  leave the game

A line that isn't allowed is answered with what is wrong and what is allowed, and changes nothing.
The same seed and the same lines give the same game.
With \\-\\-json every event is an object on a line.
""".replace("\\-", "-"),
    ),
    (
        "DICE NOTATION",
        """
  NdF:  N dice (one if left out) with faces 1 to F; d% has 100 faces
  kh2, kl2:  keep the highest or the lowest two (one if left out); k is kh
  dh2, dl2:  drop the highest or the lowest two (one if left out)
  !:  a die that shows its highest face is thrown again and added, at most 100 times
  + - * ( ):  whole numbers and dice may be added, subtracted and multiplied
  >= <= > < = !=:  with dicecli odds, the chance of such a sum, as in '3d6>=10'
""",
    ),
    (
        "SEEDS",
        """
The same seed gives the same dice on every machine. A game shows the SHA-256 of its seed before the first throw and
the seed at the end, which proves that the dice were fixed.
""",
    ),
    (
        "EXIT STATUS",
        """
  0:  done
  1:  refused or invalid: a ruleset, rolls on stdin, a move, a file that can't be read
  2:  the command line can't be understood, or asks for what there isn't: no such game, no such face, no such cell
  130:  Ctrl-C
  141:  whoever read the output has gone
""",
    ),
    (
        "ENVIRONMENT",
        """
  NO_COLOR:  if set, no colours
  ACCESSIBLE:  if set (and not 0), as --plain
  TERM:  if dumb, no colours and no prompts
""",
    ),
    (
        "FILES",
        """
  ~/.config/dicecli/config.toml:  settings; clock = false turns off the clock of games that choose for you
  ~/.local/share/dicecli/rulesets/:  your own rulesets, as dicecli rules path shows
  ~/.cache/dicecli/:  what was solved; it can be deleted at any time
""",
    ),
    (
        "EXAMPLES",
        """
  dicecli play farkle --player Ann --player Bob:  a game for two
  dicecli score farkle 1 5 3 3 6 2:  what these dice are worth
  dicecli score penta 44444 --filled penta=50,fours=12 --json:  the same for scripts, with a sheet
  dicecli roll 4d6dl1 --times 6 --seed hero:  six throws that can be repeated
  dicecli odds 4d6dl1:  the exact chances of dice
  dicecli odds farkle:  those of a game
  dicecli advise penta 4 4 4 2 1 --roll 1:  what every choice is worth
  dicecli simulate farkle --player normal --player bank_at:500 -n 100000:  who wins in the long run
  dicecli rules check my-rules.yaml:  every mistake in a ruleset, with its place
""",
    ),
]


# Completions


def _tree(entries: list[Entry]) -> Iterator[tuple[Entry, list[str]]]:
    """Each command with the words that may follow it: its subcommands."""
    for entry in entries:
        yield entry, [other.path[-1] for other in entries if other.path and other.path[:-1] == entry.path]


def _takes_game(entry: Entry) -> bool:
    return any(metavar in GAME_ARGUMENTS for metavar, _help in entry.arguments)


def _flags(entry: Entry) -> list[str]:
    return [name for option in entry.options for name in option.names]


def bash(entries: list[Entry], games: list[str]) -> str:
    """Completions for bash."""
    cases = []
    for entry, following in _tree(entries):
        words = [*following, *(games if _takes_game(entry) else [])]
        path = " ".join(("dicecli", *entry.path))
        files = "1" if _takes_game(entry) else ""
        cases.append(f'    "{path}") words="{" ".join(words)}" options="{" ".join(_flags(entry))}" files={files} ;;')
    groups = " | ".join(f'"{" ".join(("dicecli", *e.path))} {word}"' for e, words in _tree(entries) for word in words)
    valued = sorted({name for entry in entries for option in entry.options if option.value for name in option.names})
    return f"""# bash completion for dicecli; made by: dicecli generate bash
_dicecli() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
  local path=dicecli word words options files
  COMPREPLY=()
  case "$before" in {"|".join(valued)}) return ;; esac
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$path $word" in {groups}) path="$path $word" ;; esac
  done
  case "$path" in
{chr(10).join(cases)}
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    if [[ $files ]]; then
      compopt -o filenames
      COMPREPLY+=($(compgen -f -- "$current"))
    fi
  fi
}}
complete -F _dicecli dicecli"""


def zsh(entries: list[Entry], games: list[str]) -> str:
    """Completions for zsh."""
    lines = ["#compdef dicecli", "# zsh completion for dicecli; made by: dicecli generate zsh"]
    for entry, following in reversed(list(_tree(entries))):
        name = "_".join(("_dicecli", *entry.path)).replace("-", "_")
        specs = [_zsh_option(option, name) for option in entry.options]
        if following:
            helps = {other.path[-1]: other.help for other in entries if other.path[:-1] == entry.path and other.path}
            words = " ".join(_zsh_quote(f"{word}:{_first_sentence(helps[word])}") for word in following)
            lines += [
                f"{name}() {{",
                "  local line state",
                f"  _arguments -C {' '.join(specs)} '1: :->command' '*:: :->rest'",
                "  case $state in",
                f"    command) local -a commands=({words}); _describe command commands ;;",
                "    rest) case $words[1] in",
                *(f"      {word}) {name}_{word.replace('-', '_')} ;;" for word in following),
                "    esac ;;",
                "  esac",
                "}",
            ]
            continue
        arguments = []
        for at, (metavar, _help) in enumerate(entry.arguments, 1):
            what = f"game:{{ compadd {' '.join(games)}; _files }}" if metavar in GAME_ARGUMENTS else f"{metavar}:"
            arguments.append(f"'{'*' if metavar.endswith('...') else at}:{what}'".replace("[", "").replace("]", ""))
        lines += [f"{name}() {{", f"  _arguments {' '.join((*specs, *arguments))}", "}"]
    return "\n".join([*lines, '_dicecli "$@"'])


def _zsh_option(option: Option, name: str) -> str:
    value = f":{option.value.strip('<>')}: " if option.value else ""
    text = f"[{option.help.replace('[', '(').replace(']', ')')}]"
    alone = f"({' '.join(option.names)})" if len(option.names) > 1 else ""
    repeat = "*" if name.endswith("play") and "--player" in option.names else ""
    if alone:
        return _zsh_quote(alone) + "{" + ",".join(option.names) + "}" + _zsh_quote(text + value)
    return _zsh_quote(f"{repeat}{option.names[0]}{text}{value}")


def _zsh_quote(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _first_sentence(text: str) -> str:
    return text.split(": ")[0].split(". ")[0].rstrip(".")


def fish(entries: list[Entry], games: list[str]) -> str:
    """Completions for fish."""
    lines = ["# fish completion for dicecli; made by: dicecli generate fish", "complete -c dicecli -f"]
    for entry, following in _tree(entries):
        seen = " ".join(f"__fish_seen_subcommand_from {word};" + " and" for word in entry.path).removesuffix(" and")
        not_yet = f"not __fish_seen_subcommand_from {' '.join(following)}" if following else ""
        condition = "; and ".join(filter(None, [seen.rstrip(";"), not_yet])) or "true"
        for word in following:
            text = next(other.help for other in entries if other.path == (*entry.path, word))
            lines.append(f"complete -c dicecli -n {_fish(condition)} -a {word} -d {_fish(_first_sentence(text))}")
        for option in entry.options:
            flags = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
            value = " -x" if option.value else ""
            lines.append(f"complete -c dicecli -n {_fish(condition)} {flags}{value} -d {_fish(option.help)}")
        if _takes_game(entry):
            lines.append(f"complete -c dicecli -n {_fish(condition)} -F -a {_fish(' '.join(games))}")
    return "\n".join(lines)


def _fish(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
