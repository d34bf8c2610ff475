"""The streams and what they can show, in one object that tests replace."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterable
from typing import TextIO


class Console:
    """Where words go. stdout takes results, stderr messages; `plain` means lines only, no boxes, no redraw."""

    def __init__(
        self,
        *,
        plain: bool = False,
        no_color: bool = False,
        quiet: bool = False,
        stdin: TextIO | None = None,
        stdout: TextIO | None = None,
        stderr: TextIO | None = None,
    ) -> None:
        self.stdin = stdin or sys.stdin
        self.stdout = stdout or sys.stdout
        self.stderr = stderr or sys.stderr
        dumb = os.environ.get("TERM") == "dumb"
        self.quiet = quiet
        self.plain = plain or accessible()
        self.color = not (no_color or dumb or os.environ.get("NO_COLOR")) and _is_terminal(self.stdout)
        at_terminal = _is_terminal(self.stdin) and _is_terminal(self.stdout) and not dumb
        self.interactive = at_terminal and not self.plain and self.can_show("●○·")
        for stream in (self.stdin, self.stdout, self.stderr):
            if hasattr(stream, "reconfigure"):  # what a stream can't show or read must not stop a game
                stream.reconfigure(errors="replace")

    def out(self, text: str = "") -> None:
        """Write a line of a result."""
        self.stdout.write(text + "\n")

    @property
    def width(self) -> int | None:
        """The columns of the terminal that shows results; None where there is no terminal."""
        return shutil.get_terminal_size().columns if _is_terminal(self.stdout) else None

    def page(self, lines: Iterable[str]) -> None:
        """Write lines of a result; on a terminal, those that are too long are folded under their beginning."""
        for line in lines:
            for each in folded(line, self.width or 0):
                self.out(each)

    def say(self, text: str) -> None:
        """Write a message, unless they are not wanted."""
        if not self.quiet:
            self.error(text)

    def error(self, text: str) -> None:
        """Write what went wrong; on a terminal folded between words."""
        self.stdout.flush()
        width = shutil.get_terminal_size().columns if _is_terminal(self.stderr) else 0
        self.stderr.write("\n".join(folded(text, width)) + "\n")

    def can_show(self, text: str) -> bool:
        """Whether stdout can show every character of `text`."""
        try:
            text.encode(self.stdout.encoding or "ascii")
        except (UnicodeEncodeError, LookupError):
            return False
        return True


def folded(line: str, width: int) -> list[str]:
    """A line in parts of `width` columns (below 20: any), what follows indented under its beginning."""
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return textwrap.wrap(line, width, subsequent_indent=indent) if 20 <= width < len(line) else [line]


def accessible() -> bool:
    """Whether the environment asks for lines only."""
    return os.environ.get("ACCESSIBLE", "") not in ("", "0")


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False
