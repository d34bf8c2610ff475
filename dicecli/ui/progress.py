"""A bar on stderr for what takes its time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from dicecli.ui.console import Console

Tick = Callable[[int, int], None]  # done, in all


@contextmanager
def progress(console: Console) -> Iterator[Tick]:
    """A bar that takes how much is done of how much; none unless stderr is a terminal that wants one."""
    if console.quiet or console.plain or not console.stderr.isatty():
        yield lambda _done, _whole: None
        return
    from rich.console import Console as Rich
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    screen = Rich(file=console.stderr, no_color=not console.color)
    with Progress(BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=screen, transient=True) as bar:
        task = bar.add_task("")

        def tick(done: int, whole: int) -> None:
            bar.update(task, completed=done, total=whole)

        yield tick
