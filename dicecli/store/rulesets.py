"""Where rulesets are found: shipped with the program, in the user's folder, at a path, or on stdin."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from dicecli.errors import BadRuleset, BadUsage, Place, Problem, near
from dicecli.rules.ruleset import extended, ruleset_of
from dicecli.rules.source import MAX_BYTES, Mapping, Node, override, read
from dicecli.rules.table import Table, compile_table

ENDINGS = (".yaml", ".yml")


class Source(NamedTuple):
    """A ruleset's text: what scripts call the game, what problems call the file, its bytes, changes on top of it."""

    name: str
    file: str
    text: bytes
    changes: tuple[Mapping, ...] = ()

    def table_and_node(self) -> tuple[Table, Node]:
        """The table of the ruleset, and its data on top of what it extends, which knows the places.

        Raises `BadRuleset` with every mistake.
        """
        found: list[Problem] = []
        node = extended(read(self.text, self.file, found), self._base, self.changes, found)
        return compile_table(self.name, ruleset_of(node, found)), node

    def table(self) -> Table:
        """The table of the ruleset; raises `BadRuleset` with every mistake."""
        return self.table_and_node()[0]

    def _base(self, game: str, file: str) -> tuple[str, bytes]:
        beside = is_path(game) and game != "-"
        found = read_file(Path(file).parent / game) if beside else find(game)
        return found.file, found.text


def shipped_folder() -> Path:
    """The folder of the rulesets that come with the program."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "rulesets"
    return installed if installed.is_dir() else package.parent / "rulesets"


def user_folder() -> Path:
    """The folder for the user's own rulesets, whether it is there or not."""
    from platformdirs import user_data_path

    return user_data_path("dicecli", appauthor=False) / "rulesets"


def names(folder: Path) -> list[str]:
    """The names of the rulesets in a folder."""
    try:
        return sorted(
            {
                path.stem
                for path in folder.iterdir()
                if path.suffix in ENDINGS and not path.stem.startswith(".") and path.is_file()
            }
        )
    except OSError:
        return []


def known_games() -> list[str]:
    """The names of all games that are found by name, the shipped ones first."""
    return list(dict.fromkeys([*names(shipped_folder()), *names(user_folder())]))


def file_of(folder: Path, name: str) -> Path | None:
    """The file of a ruleset in a folder, if it is there."""
    files = (folder / f"{name}{ending}" for ending in ENDINGS)
    return next((file for file in files if file.is_file()), None)


def is_path(game: str) -> bool:
    """Whether GAME is written as a path rather than as a name."""
    return game == "-" or "/" in game or "\\" in game or game.lower().endswith(ENDINGS)


def find(game: str, changes: Iterable[str] = ()) -> Source:
    """The source of GAME: a shipped name, a name in the user's folder, a path, or `-` for stdin.

    `changes` are house rules on top of it, such as `turn.bank_at_least=300`.

    Raises `BadUsage` if there is none, `BadRuleset` if it can't be read.
    """
    return _find(game)._replace(changes=tuple(map(override, changes)))


def load(game: str, *changes: str) -> Table:
    """The table of GAME, with house rules such as `"turn.bank_at_least=300"` on top of it.

    Raises `BadUsage` if there is no such game, `BadRuleset` with every mistake in it.
    """
    return find(game, changes).table()


def _find(game: str) -> Source:
    if game == "-":
        return Source("stdin", "<stdin>", sys.stdin.buffer.read(MAX_BYTES + 1))
    if is_path(game):
        return read_file(Path(game))
    for folder in (shipped_folder, user_folder):
        if file := file_of(folder(), game):
            return read_file(file)
    known = known_games()
    raise BadUsage(Problem("unknown_game", {"game": game, "games": known, **near(game, known)}, Place(argument="GAME")))


def read_file(path: Path) -> Source:
    """The source in a file; raises `BadRuleset` if it can't be read."""
    try:
        with path.open("rb") as file:
            text = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise BadRuleset(Problem("unreadable", {"reason": reason or str(error)}, Place(file=str(path)))) from None
    return Source(path.stem, str(path), text)
